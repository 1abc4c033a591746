// sweep.c - `motorcade-mpi sweep`: rank 0 has the journal and hands out runs; all ranks do them.
//
// A work queue, not work stealing: every row has to pass through the rank with the journal anyway,
// so that rank always knows what is left, and asking it costs one message per chunk of runs. Chunks
// shrink as the queue empties (a quarter of an even share, 32 at most, 1 in the end), so that ranks
// end together whatever their runs cost, and a thousand ranks ask some ten times each. Stealing
// would spare rank 0 these requests, but not the rows, and would need to know when all are idle.
//
// Messages of a helper: ASK (it wants runs), ROW (a run, its row), DONE (its last: how it went).
// Rank 0 answers ASK with WORK (numbers of runs; none: nothing is left). It looks for messages five
// thousand times a second on its main thread, while other threads do runs.
#include "mpi/commands.h"

#include "base/interrupt.h"
#include "cli/sweep.h"
#include "sweep/share.h"

#include <mpi.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { TAG_ASK = 1, TAG_WORK, TAG_ROW, TAG_DONE };
enum { CHUNK_MAX = 32, CHUNKS = 4 }; // CHUNKS: of an even share of what is left

typedef struct row_message {
    int run, length;
    char row[SWEEP_ROW_SIZE];
} row_message;

typedef struct done_message {
    int status;
    mc_error error;
} done_message;

typedef struct host {
    int rank, count;
    bool begun; // helpers wait for a word until then
} host;

// ---- rank 0 ----

typedef struct own_work { // what rank 0 does itself, on threads of its own
    mc_sweep *sweep;
    atomic_bool ended;
    mc_status status;
    mc_error error;
} own_work;

static void *work(void *context)
{
    own_work *w = context;
    w->status = sweep_work(w->sweep, &w->error);
    atomic_store(&w->ended, true);
    return NULL;
}

static void answer(mc_sweep *sweep, int ranks, int to)
{
    int chunk = sweep_left(sweep) / (CHUNKS * ranks);
    chunk = chunk < 1 ? 1 : chunk > CHUNK_MAX ? CHUNK_MAX : chunk;
    const int *runs = NULL;
    const int count = sweep_hand_out(sweep, chunk, &runs);
    MPI_Send(runs, count, MPI_INT, to, TAG_WORK, MPI_COMM_WORLD);
}

// One message, if there is one. Counts helpers that are done.
static bool serve(mc_sweep *sweep, int ranks, int *done)
{
    MPI_Status from;
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from);
    if (!there)
        return false;
    if (from.MPI_TAG == TAG_ASK) {
        MPI_Recv(NULL, 0, MPI_BYTE, from.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        answer(sweep, ranks, from.MPI_SOURCE);
    } else if (from.MPI_TAG == TAG_ROW) {
        row_message m;
        mc_error error; // the sweep keeps it, and ends
        MPI_Recv(&m, sizeof m, MPI_BYTE, from.MPI_SOURCE, TAG_ROW, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        sweep_add(sweep, m.run, m.row, m.length, &error);
    } else {
        done_message m;
        MPI_Recv(&m, sizeof m, MPI_BYTE, from.MPI_SOURCE, TAG_DONE, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (m.status != MC_OK && m.status != MC_INTERRUPTED)
            sweep_fail(sweep, (mc_status)m.status, &m.error);
        ++*done;
    }
    return true;
}

static void begin(host *h, unsigned long long identity)
{
    h->begun = true;
    MPI_Bcast(&identity, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
}

static mc_status play(void *context, mc_sweep *sweep, const mc_watch *watch, mc_error *error)
{
    host *h = context;
    own_work own = {.sweep = sweep};
    pthread_t thread;
    mc_status status = sweep_begin(sweep, watch, error);
    const bool idle = status != MC_OK || sweep_left(sweep) == 0;
    begin(h, idle ? 0 : sweep_identity(sweep));
    if (idle)
        return status == MC_OK ? sweep_finish(sweep, error) : status;
    const bool threaded = pthread_create(&thread, NULL, work, &own) == 0;
    if (!threaded && h->count > 1)
        own.ended = true; // the others do it
    else if (!threaded)
        work(&own);
    for (int done = 0; done < h->count - 1 || !atomic_load(&own.ended);)
        if (!serve(sweep, h->count, &done))
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    if (threaded)
        pthread_join(thread, NULL);
    if (own.status != MC_OK)
        *error = own.error;
    return own.status == MC_OK ? sweep_finish(sweep, error) : own.status;
}

// ---- the others ----

typedef struct desk {
    pthread_mutex_t lock; // of MPI and of what follows
    int runs[CHUNK_MAX], next, count;
    bool empty;
} desk;

static int next_run(void *context)
{
    desk *d = context;
    pthread_mutex_lock(&d->lock);
    if (d->next == d->count && !d->empty) {
        MPI_Status from;
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
        MPI_Recv(d->runs, CHUNK_MAX, MPI_INT, 0, TAG_WORK, MPI_COMM_WORLD, &from);
        MPI_Get_count(&from, MPI_INT, &d->count);
        d->next = 0;
        d->empty = d->count == 0;
    }
    const int run = d->next < d->count ? d->runs[d->next++] : -1;
    pthread_mutex_unlock(&d->lock);
    return run;
}

static mc_status send_row(void *context, int run, const char *row, int length, mc_error *error)
{
    desk *d = context;
    row_message m = {.run = run, .length = length};
    (void)error;
    memcpy(m.row, row, (size_t)length);
    pthread_mutex_lock(&d->lock);
    MPI_Send(&m, (int)offsetof(row_message, row) + length, MPI_BYTE, 0, TAG_ROW, MPI_COMM_WORLD);
    pthread_mutex_unlock(&d->lock);
    return MC_OK;
}

static mc_status help(void *context, const mc_sweep_request *request, mc_error *error)
{
    const unsigned long long identity = *(const unsigned long long *)context;
    mc_sweep *sweep = sweep_open_helper(request, error);
    if (!sweep)
        return error->code;
    mc_status status = MC_OK;
    if (sweep_identity(sweep) != identity)
        status = mc_error_set(error, MC_BAD_INPUT, request->scenario, 0, 0,
                              "is not the same for all processes, or their versions of "
                              "motorcade-mpi differ");
    desk d = {.next = 0};
    pthread_mutex_init(&d.lock, NULL);
    const mc_watch watch = {.stop = interrupt_stop};
    interrupt_install();
    if (status == MC_OK)
        status = sweep_help(sweep, &(sweep_desk){&d, next_run, send_row}, &watch, error);
    pthread_mutex_destroy(&d.lock);
    mc_sweep_close(sweep);
    return status;
}

static int assist(int argc, char **argv)
{
    unsigned long long identity = 0;
    MPI_Bcast(&identity, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    if (identity == 0)
        return 0;
    done_message m = {0};
    m.status = (int)cli_sweep_help(argc, argv, &(cli_sweep_host){&identity, NULL, help}, &m.error);
    MPI_Send(&m, sizeof m, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
    return 0;
}

int mpi_sweep(int argc, char **argv, const mpi_ranks *ranks)
{
    if (ranks->rank > 0)
        return assist(argc, argv);
    host h = {.rank = ranks->rank, .count = ranks->count, .begun = ranks->count == 0};
    const int code = cli_sweep_hosted(argc, argv, &(cli_sweep_host){&h, play, NULL});
    if (!h.begun)
        begin(&h, 0); // there is nothing to help with
    return code;
}
