// journal.c - rows that survive a kill.
#include "sweep/journal.h"

#include "sweep/file.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double sync_every = 1.0; // s

static mc_status no_memory(const char *path, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for the sweep");
}

static mc_status machine_error(const char *path, mc_error *error)
{
    const int number = errno;
    return mc_error_set(error, MC_IO, path, 0, 0, "cannot be written: %s", strerror(number));
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- open ----

// The lock belongs to the file, not to its name: a process that has just finished put another file
// in its place. Then it is the new one that counts.
static mc_status lock(sweep_journal *j, mc_error *error)
{
    for (;;) {
        struct stat mine, named;
        j->fd = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (j->fd < 0 || fstat(j->fd, &mine) != 0)
            return machine_error(j->path, error);
        if (!S_ISREG(mine.st_mode))
            return mc_error_set(error, MC_BAD_INPUT, j->path, 0, 0,
                                "is not a regular file; a sweep needs one to resume from");
        if (flock(j->fd, LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK)
                return machine_error(j->path, error);
            return mc_error_set(error, MC_BAD_INPUT, j->path, 0, 0,
                                "another process is running this sweep; wait for it to finish, or "
                                "split the work with --shard");
        }
        if (fstat(j->fd, &mine) != 0) // its size, now that no other process writes
            return machine_error(j->path, error);
        j->size = mine.st_size;
        if (stat(j->path, &named) == 0 && named.st_ino == mine.st_ino &&
            named.st_dev == mine.st_dev)
            return MC_OK;
        close(j->fd);
    }
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t done = write(fd, data, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        data += done;
        size -= (size_t)done;
    }
    return true;
}

static mc_status begin(sweep_journal *j, const char *head, mc_error *error)
{
    const size_t size = strlen(head);
    if (ftruncate(j->fd, 0) != 0 || !write_all(j->fd, head, size) || fsync(j->fd) != 0)
        return machine_error(j->path, error);
    j->size = (int64_t)size;
    return MC_OK;
}

// What differs first between the head that is there and the one that should be.
static mc_status reject_head(const sweep_journal *j, const char *there, const char *now,
                             mc_error *error)
{
    int line = 1;
    for (;; line++) {
        const size_t a = strcspn(there, "\n"), b = strcspn(now, "\n");
        if (line > 1 && (a != b || memcmp(there, now, a) != 0)) {
            there += strncmp(there, "# ", 2) == 0 ? 2 : 0;
            now += strncmp(now, "# ", 2) == 0 ? 2 : 0;
            break;
        }
        there += a + 1;
        now += b + 1;
    }
    const int a = (int)strcspn(there, "\n"), b = (int)strcspn(now, "\n");
    if (strncmp(there, "scenario hash", 13) == 0 && strncmp(now, "scenario hash", 13) == 0)
        return mc_error_set(error, MC_BAD_INPUT, j->path, line, 0,
                            "the scenario, or a file it names, has changed since this sweep was "
                            "started; choose another table, or remove this one");
    return mc_error_set(error, MC_BAD_INPUT, j->path, line, 0,
                        "belongs to another sweep: \"%.*s\" there, \"%.*s\" now; choose another "
                        "table, or remove this one",
                        a < 120 ? a : 120, there, b < 120 ? b : 120, now);
}

// Whether the file holds the start of a head and nothing else: killed before the first row.
static bool is_begun(const sweep_journal *j, const char *head)
{
    if (j->size >= (int64_t)strlen(head))
        return false;
    char *text = malloc((size_t)j->size + 1);
    const bool begun = text && file_read_at(j->fd, text, (size_t)j->size, 0) &&
                       memcmp(text, head, (size_t)j->size) == 0;
    free(text);
    return begun;
}

static mc_status take_rows(sweep_journal *j, const sweep_file *f, mc_error *error)
{
    const int runs = f->plan.run_count;
    for (int k = 0; k < runs; k++) {
        j->offset[k] = (int64_t)f->offset[k];
        j->length[k] = f->length[k];
    }
    j->row_count = f->row_count;
    j->complete = f->complete;
    if (f->good < f->size && ftruncate(j->fd, (off_t)f->good) != 0)
        return machine_error(j->path, error);
    j->size = (int64_t)f->good;
    return MC_OK;
}

static mc_status resume(sweep_journal *j, const sweep_plan *plan, mc_error *error)
{
    sweep_file f;
    mc_status status = sweep_file_read(&f, j->path, error);
    char *there = status == MC_OK ? sweep_plan_head(&f.plan, false) : NULL;
    char *now = sweep_plan_head(plan, false);
    if (status == MC_OK && (!there || !now))
        status = no_memory(j->path, error);
    if (status == MC_OK && strcmp(there, now) != 0)
        status = reject_head(j, there, now, error);
    if (status == MC_OK)
        status = take_rows(j, &f, error);
    free(there);
    free(now);
    sweep_file_free(&f);
    return status;
}

mc_status sweep_journal_open(sweep_journal *j, const char *path, const sweep_plan *plan,
                             mc_error *error)
{
    const size_t runs = (size_t)plan->run_count;
    *j = (sweep_journal){.fd = -1, .synced = clock_now()};
    j->path = strdup(path);
    j->offset = calloc(runs, sizeof *j->offset);
    j->length = calloc(runs, sizeof *j->length);
    char *head = sweep_plan_head(plan, false);
    mc_status status = j->path && j->offset && j->length && head ? MC_OK : no_memory(path, error);
    if (status == MC_OK)
        status = lock(j, error);
    if (status == MC_OK)
        status = is_begun(j, head) ? begin(j, head, error) : resume(j, plan, error);
    free(head);
    if (status != MC_OK)
        sweep_journal_close(j);
    return status;
}

void sweep_journal_close(sweep_journal *j)
{
    if (j->fd >= 0)
        close(j->fd); // and unlock
    free(j->path);
    free(j->offset);
    free(j->length);
    *j = (sweep_journal){.fd = -1};
}

// ---- rows ----

mc_status sweep_journal_sync(sweep_journal *j, mc_error *error)
{
    if (j->unsynced && fdatasync(j->fd) != 0)
        return machine_error(j->path, error);
    j->unsynced = false;
    j->synced = clock_now();
    return MC_OK;
}

mc_status sweep_journal_add(sweep_journal *j, int run, const char *row, int length, mc_error *error)
{
    if (!write_all(j->fd, row, (size_t)length)) {
        const int number = errno; // a part of the row may be there
        const bool cut = ftruncate(j->fd, (off_t)j->size) == 0;
        return mc_error_set(error, MC_IO, j->path, 0, 0,
                            "cannot be written: %s; %s, and the same command resumes it",
                            strerror(number),
                            cut ? "the rows so far are valid" : "its last row is truncated");
    }
    j->offset[run] = j->size;
    j->length[run] = length;
    j->size += length;
    j->row_count++;
    j->unsynced = true;
    return clock_now() - j->synced >= sync_every ? sweep_journal_sync(j, error) : MC_OK;
}

static mc_status copy_row(const sweep_journal *j, int run, file_writer *out, char **room,
                          size_t *room_size, mc_error *error)
{
    const size_t length = (size_t)j->length[run];
    if (length > *room_size) {
        char *more = realloc(*room, length);
        if (!more)
            return no_memory(j->path, error);
        *room = more;
        *room_size = length;
    }
    if (!file_read_at(j->fd, *room, length, j->offset[run]))
        return mc_error_set(error, MC_IO, j->path, 0, 0, "cannot be read: %s",
                            errno ? strerror(errno) : "it was truncated by another process");
    file_write(out, *room, length);
    return MC_OK;
}

mc_status sweep_journal_sort(sweep_journal *j, const sweep_plan *plan, mc_error *error)
{
    char *head = sweep_plan_head(plan, j->row_count == sweep_plan_share(plan)), *room = NULL;
    size_t room_size = 0;
    file_writer *out = head ? file_writer_open(j->path, error) : NULL;
    mc_status status = out ? MC_OK : head ? error->code : no_memory(j->path, error);
    if (out)
        file_write(out, head, strlen(head));
    for (int run = 0; run < plan->run_count && status == MC_OK; run++)
        if (j->offset[run] != 0)
            status = copy_row(j, run, out, &room, &room_size, error);
    if (status == MC_OK)
        status = file_writer_commit(out, error);
    else if (out)
        file_writer_abandon(out);
    j->complete = status == MC_OK && j->row_count == sweep_plan_share(plan);
    free(head);
    free(room);
    return status;
}
