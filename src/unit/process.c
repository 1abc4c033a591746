// process.c - see process.h. CMakeLists.txt defines where the host of units is:
//
//   MOTORCADE_HOST_FROM_BIN, MOTORCADE_HOST_FROM_LIB   from the program, from the shared library
//   MOTORCADE_HOST_BUILT                               of the build
#include "unit/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct unit_process {
    char name[256];
    double limit;
    pid_t pid; // 0: it has ended
    int socket;
};

// ---- starting ----------------------------------------------------------------------------------

static bool beside(const char *file, const char *relative, char *path, size_t size)
{
    char real[PATH_MAX];
    if (!realpath(file, real))
        return false;
    *strrchr(real, '/') = '\0';
    return snprintf(path, size, "%s/%s", real, relative) < (int)size && access(path, X_OK) == 0;
}

static bool find_host(char *path, size_t size)
{
    static const char here;
    Dl_info info;
    return beside("/proc/self/exe", "motorcade-unit", path, size) ||
           beside("/proc/self/exe", MOTORCADE_HOST_FROM_BIN, path, size) ||
           (dladdr(&here, &info) && info.dli_fname &&
            beside(info.dli_fname, MOTORCADE_HOST_FROM_LIB, path, size)) ||
           (snprintf(path, size, "%s", MOTORCADE_HOST_BUILT) < (int)size &&
            access(path, X_OK) == 0);
}

// Whatever a unit prints goes nowhere: the run's own output stays as it is.
static bool spawn(const char *host, int socket, pid_t *pid)
{
    char program[PATH_MAX];
    snprintf(program, sizeof program, "%s", host);
    char *const arguments[] = {program, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none;
    sigemptyset(&none);
    if (posix_spawn_file_actions_init(&files) != 0)
        return false;
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, &none);
    // A group of its own: Ctrl-C stops the run, which ends the unit when it is done with it.
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    bool good = posix_spawn_file_actions_adddup2(&files, socket, WIRE_SOCKET) == 0;
    good = good && posix_spawn_file_actions_addopen(&files, 0, "/dev/null", 0, 0) == 0 &&
           posix_spawn_file_actions_addopen(&files, 1, "/dev/null", 1, 0) == 0 &&
           posix_spawn_file_actions_addopen(&files, 2, "/dev/null", 1, 0) == 0 &&
           posix_spawn(pid, host, &files, &how, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return good;
}

unit_process *unit_process_start(const char *name, double limit, mc_error *error)
{
    char host[2 * PATH_MAX];
    int pair[2];
    unit_process *p = calloc(1, sizeof *p);
    if (!p) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
        return NULL;
    }
    snprintf(p->name, sizeof p->name, "%s", name);
    p->limit = limit;
    if (!find_host(host, sizeof host)) {
        mc_error_set(error, MC_IO, NULL, 0, 0,
                     "%s: motorcade-unit, in which units run, is not installed", name);
        free(p);
        return NULL;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        mc_error_set(error, MC_IO, NULL, 0, 0, "%s: no socket for the unit: %s", name,
                     strerror(errno));
        free(p);
        return NULL;
    }
    p->socket = pair[0];
    if (!spawn(host, pair[1], &p->pid)) {
        mc_error_set(error, MC_IO, NULL, 0, 0, "%s: cannot start a process for the unit", name);
        p->pid = 0;
    }
    close(pair[1]);
    if (p->pid > 0)
        return p;
    unit_process_end(p);
    return NULL;
}

static void stop(unit_process *p, int *status)
{
    *status = 0;
    if (p->pid <= 0)
        return;
    kill(p->pid, SIGKILL);
    while (waitpid(p->pid, status, 0) < 0 && errno == EINTR)
        ;
    p->pid = 0;
}

void unit_process_end(unit_process *p)
{
    int status;
    if (!p)
        return;
    // Killed before the socket is closed: the host of a run that was killed cleans up after it.
    stop(p, &status);
    close(p->socket);
    free(p);
}

// ---- asking ------------------------------------------------------------------------------------

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef enum outcome { DONE, CLOSED, LATE } outcome;

// Waits until the socket can be read or written, up to `until`.
static outcome wait_for(const unit_process *p, short events, double until)
{
    struct pollfd f = {.fd = p->socket, .events = events};
    for (;;) {
        const double left = until - seconds();
        if (left <= 0.0)
            return LATE;
        const int found = poll(&f, 1, left < 1e6 ? (int)(1e3 * left) + 1 : INT_MAX);
        if (found > 0)
            return DONE;
        if (found < 0 && errno != EINTR)
            return CLOSED;
    }
}

static outcome move(const unit_process *p, bool out, void *data, size_t size, double until)
{
    char *at = data;
    while (size > 0) {
        const outcome ready = wait_for(p, out ? POLLOUT : POLLIN, until);
        if (ready != DONE)
            return ready;
        const ssize_t done = out ? send(p->socket, at, size, MSG_NOSIGNAL | MSG_DONTWAIT)
                                 : recv(p->socket, at, size, MSG_DONTWAIT);
        if (done == 0 && !out)
            return CLOSED;
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            return CLOSED;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return DONE;
}

static mc_status say_why(unit_process *p, outcome why, const char *what, mc_error *error)
{
    int status;
    if (why == LATE) {
        stop(p, &status);
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "%s: the unit did not answer within %g s %s", p->name, p->limit, what);
    }
    // It closed the socket because it ended; a moment is left for that.
    for (int k = 0; k < 200 && p->pid > 0; k++) {
        const pid_t ended = waitpid(p->pid, &status, WNOHANG);
        if (ended == p->pid) {
            p->pid = 0;
            break;
        }
        poll(NULL, 0, 5);
    }
    if (p->pid > 0)
        stop(p, &status);
    if (WIFSIGNALED(status))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s: the unit crashed %s: signal %d, %s",
                            p->name, what, WTERMSIG(status), strsignal(WTERMSIG(status)));
    return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                        "%s: the unit ended its process %s, with exit code %d", p->name, what,
                        WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

static outcome receive(const unit_process *p, wire_head *head, bytes *answer, double until)
{
    char part[4096];
    answer->size = 0;
    outcome how = move(p, false, head, sizeof *head, until);
    if (how == DONE && (head->mark != WIRE_MARK || head->size > WIRE_SIZE_MAX))
        return CLOSED; // the unit has written over the host
    for (uint64_t left = head->size; how == DONE && left > 0;) {
        const size_t size = left < sizeof part ? (size_t)left : sizeof part;
        how = move(p, false, part, size, until);
        if (how == DONE)
            bytes_put(answer, part, size);
        left -= size;
    }
    return how;
}

mc_status unit_process_call(unit_process *p, wire_call call, const unit_part *parts, int part_count,
                            bytes *answer, const char *what, mc_error *error)
{
    wire_head head = {.mark = WIRE_MARK, .what = call};
    const double until = seconds() + p->limit;
    if (p->pid <= 0)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s: the unit has ended", p->name);
    for (int k = 0; k < part_count; k++)
        head.size += parts[k].size;
    bytes whole = {0};
    bytes_put(&whole, &head, sizeof head);
    for (int k = 0; k < part_count; k++)
        bytes_put(&whole, parts[k].data, parts[k].size);
    if (whole.failed) {
        bytes_free(&whole);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
    }
    outcome how = move(p, true, whole.data, whole.size, until);
    bytes_free(&whole);
    if (how == DONE)
        how = receive(p, &head, answer, until);
    if (how != DONE)
        return say_why(p, how, what, error);
    if (answer->failed)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
    if (head.what == WIRE_DONE)
        return MC_OK;
    return mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s: %s: %.*s", p->name, what,
                        (int)(answer->size < 600 ? answer->size : 600),
                        answer->size ? (const char *)answer->data : "");
}
