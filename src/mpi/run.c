// run.c - `motorcade-mpi run`: one run, each process with a stretch of the traffic.
#include "mpi/commands.h"

#include "cli/options.h"
#include "domain/domain.h"
#include "motorcade/run.h"

#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct request {
    const char *scenario;
    cli_words sets;
    double end;
    int threads, halo;
    bool quiet, help;
} request;

static const cli_option options[] = {
    {0, "set", "NAME=VALUE", "set a parameter: mass, follow.k1, car3.headway; may be repeated",
     CLI_WITHIN(sets, 0, 64)},
    {0, "end", "S", "end of the run, s (default: that of the scenario)",
     CLI_WITHIN(end, 1e-6, 1e7)},
    {0, "threads", "N", "threads per process (default: 1)", CLI_WITHIN(threads, 1, 1024)},
    {0, "halo", "N",
     "cars of each neighbour that a process also computes, per lane (default: 8); it is doubled "
     "where collisions reach further",
     CLI_WITHIN(halo, 1, 1000000)},
    {'q', "quiet", NULL, "print only the hash of the final state, and errors", CLI_TO(quiet)},
    CLI_HELP,
    CLI_ONE_WORD(scenario, "only one scenario is expected: found \"%s\" after \"%s\""),
};

static void print_help(void)
{
    printf("usage: mpirun -n N motorcade-mpi run SCENARIO.yaml [OPTIONS]\n\n"
           "Simulates a scenario with many cars on N processes, each with a stretch of the\n"
           "traffic, and prints a summary and a hash of the final state, which does not depend on\n"
           "N. For roads without ramps, on which cars keep their lanes. docs/clusters.md "
           "explains.\n\n");
    cli_print_options(options);
    printf("\nexit code: 0 success, 1 the run failed, 2 bad input\n");
}

// ---- the link between processes ----

typedef struct link_state {
    MPI_Request *requests; // two per peer
    MPI_Status *statuses;  // of as many
    double waited;         // s
    double waited_busy;    // s, processor time of waiting, which is polling
} link_state;

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void exchange(void *context, domain_peer *peers, int count)
{
    link_state *l = context;
    const double start = MPI_Wtime(), busy = processor_time();
    int n = 0;
    for (int k = 0; k < count; k++) {
        const domain_peer *p = &peers[k];
        const int size = (int)sizeof(domain_word);
        MPI_Irecv(p->in, p->receive_count * size, MPI_BYTE, p->rank, 0, MPI_COMM_WORLD,
                  &l->requests[n++]);
        MPI_Isend(p->out, p->send_count * size, MPI_BYTE, p->rank, 0, MPI_COMM_WORLD,
                  &l->requests[n++]);
    }
    MPI_Waitall(n, l->requests, MPI_STATUSES_IGNORE);
    l->waited += MPI_Wtime() - start;
    l->waited_busy += processor_time() - busy;
}

static void tell(void *context, domain_peer *peers, int count)
{
    link_state *l = context;
    const double start = MPI_Wtime(), busy = processor_time();
    int n = 0;
    for (int k = 0; k < count; k++) {
        const domain_peer *p = &peers[k];
        MPI_Irecv(p->told, p->told_room, MPI_DOUBLE, p->rank, 2, MPI_COMM_WORLD, &l->requests[n++]);
        MPI_Isend(p->tell, p->tell_size, MPI_DOUBLE, p->rank, 2, MPI_COMM_WORLD, &l->requests[n++]);
    }
    MPI_Waitall(n, l->requests, l->statuses);
    for (int k = 0; k < count; k++)
        MPI_Get_count(&l->statuses[2 * k], MPI_DOUBLE, &peers[k].told_size);
    l->waited += MPI_Wtime() - start;
    l->waited_busy += processor_time() - busy;
}

static double worst(void *context, double value)
{
    link_state *l = context;
    const double start = MPI_Wtime(), busy = processor_time();
    double all;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    l->waited += MPI_Wtime() - start;
    l->waited_busy += processor_time() - busy;
    return all;
}

static void hand(void *context, int from, int to, void *bytes, int size)
{
    (void)context;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == from)
        MPI_Send(bytes, size, MPI_BYTE, to, 1, MPI_COMM_WORLD);
    else if (rank == to)
        MPI_Recv(bytes, size, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// ---- the run ----

typedef struct result {
    domain_sum sum;
    int vehicles, halo, copies;
    double end, seconds, waited; // s
    double busy;                 // s, processor time of the busiest process, without waiting
} result;

// One process: the run as `motorcade run` makes it.
static mc_status play_whole(const mc_scenario *s, const mc_run_options *how, result *out,
                            mc_error *error)
{
    mc_run *run = mc_run_create(s, how, error);
    if (!run)
        return error->code;
    const double start = MPI_Wtime(), busy = processor_time();
    const long long last = (long long)floor(out->end / mc_scenario_info_of(s)->step + 0.5);
    mc_status status = MC_OK;
    while (mc_run_step_count(run) < last && status == MC_OK)
        status = mc_run_step(run, error);
    out->seconds = MPI_Wtime() - start;
    out->busy = processor_time() - busy;
    out->vehicles = mc_run_vehicle_count(run);
    out->sum = (domain_sum){.hash = mc_run_hash(run), .smallest_gap = HUGE_VAL};
    for (int v = 0; v < out->vehicles; v++) {
        mc_run_view view;
        mc_run_look(run, v, &view);
        out->sum.speed += view.motion.v;
        out->sum.hits += view.hits;
        out->sum.smallest_gap = fmin(out->sum.smallest_gap, view.gap);
    }
    mc_run_destroy(run);
    return status;
}

static mc_status play_domain(const mc_scenario *s, const mc_run_options *how,
                             const mpi_ranks *ranks, result *out, bool *narrow, mc_error *error)
{
    const size_t messages = 2 * (size_t)ranks->count;
    link_state state = {.requests = malloc(messages * sizeof(MPI_Request)),
                        .statuses = malloc(messages * sizeof(MPI_Status))};
    const domain_link link = {&state, ranks->rank, ranks->count, exchange, tell, worst, hand};
    if (worst(&state, !state.requests || !state.statuses) > 0.0) {
        free(state.requests);
        free(state.statuses);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    }
    domain *d = domain_create(s, how, out->halo, &link, error);
    mc_status status = d ? MC_OK : error->code;
    *narrow = false;
    MPI_Barrier(MPI_COMM_WORLD);
    state.waited = state.waited_busy = 0.0;
    const double start = MPI_Wtime(), from = processor_time();
    if (d)
        status = domain_play(d, out->end, narrow, error);
    out->seconds = MPI_Wtime() - start;
    out->waited = state.waited;
    const double busy = processor_time() - from - state.waited_busy;
    MPI_Reduce(&busy, &out->busy, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    out->copies = d ? domain_copy_count(d) : 0;
    if (status == MC_OK)
        status = domain_sum_up(d, &out->sum, error);
    domain_destroy(d);
    free(state.requests);
    free(state.statuses);
    return status;
}

static mc_status play(const request *r, const mc_scenario *s, const mpi_ranks *ranks, result *out,
                      mc_error *error)
{
    const mc_run_options how = {.threads = r->threads > 0 ? r->threads : 1, .compile_first = true};
    const mc_scenario_info *info = mc_scenario_info_of(s);
    *out = (result){.halo = r->halo > 0 ? r->halo : 8};
    out->end = r->end > 0.0 ? r->end : info->end;
    out->vehicles = info->vehicle_count;
    if (ranks->count == 1)
        return play_whole(s, &how, out, error);
    for (;;) {
        bool narrow;
        const mc_status status = play_domain(s, &how, ranks, out, &narrow, error);
        if (!narrow || out->halo >= out->vehicles)
            return status;
        out->halo *= 2;
        if (ranks->rank == 0 && !r->quiet)
            fprintf(stderr, "motorcade-mpi run: %s; starting again with --halo %d\n", error->text,
                    out->halo);
    }
}

static void print_result(const request *r, const mpi_ranks *ranks, const result *x)
{
    if (!r->quiet) {
        printf("%d vehicles on %d process%s to t = %g s\n", x->vehicles, ranks->count,
               ranks->count == 1 ? "" : "es", x->end);
        printf("mean speed %.6f m/s, %lld impacts", x->sum.speed / x->vehicles, x->sum.hits / 2);
        if (x->sum.smallest_gap < HUGE_VAL)
            printf(", smallest gap %.6f m", x->sum.smallest_gap);
        printf("\n%.3f s, processor time %.3f s", x->seconds, x->busy);
        if (ranks->count > 1)
            printf(" in the busiest process; %.3f s waiting, %d copies, halo %d", x->waited,
                   x->copies, x->halo);
        printf("\n");
    }
    printf("state %016llx\n", x->sum.hash);
}

static mc_scenario *load(const request *r, mc_error *error)
{
    mc_scenario *s = mc_scenario_load(r->scenario, error);
    for (int k = 0; s && k < r->sets.count; k++)
        if (mc_scenario_set(s, r->sets.word[k], error) != MC_OK) {
            mc_scenario_free(s);
            return NULL;
        }
    return s;
}

// Words are the same for all processes: what is wrong with them is printed by the first.
static int complain(const mpi_ranks *ranks, const mc_error *error)
{
    return ranks->rank == 0 ? cli_fail("motorcade-mpi run", error) : 2;
}

int mpi_run(int argc, char **argv, const mpi_ranks *ranks)
{
    request r = {0};
    mc_error error;
    mc_status status = cli_read(argc, argv, options, &r, &error);
    if (status == MC_OK && r.help) {
        print_help();
        return 0;
    }
    if (status == MC_OK && !r.scenario)
        status = mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                              "no scenario given; `motorcade-mpi run -h` explains");
    if (status != MC_OK)
        return complain(ranks, &error);
    mc_scenario *s = load(&r, &error);
    int failed = s == NULL, any = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any) {
        const int code = s ? 2 : complain(ranks, &error);
        mc_scenario_free(s);
        return code;
    }
    result x;
    status = play(&r, s, ranks, &x, &error);
    mc_scenario_free(s);
    if (status != MC_OK) // the process that failed says why; bad input is found by all
        return error.text[0] == '\0' || (status == MC_BAD_INPUT && ranks->rank > 0)
                   ? (status == MC_BAD_INPUT ? 2 : 1)
                   : cli_fail("motorcade-mpi run", &error);
    if (ranks->rank == 0)
        print_result(&r, ranks, &x);
    return 0;
}
