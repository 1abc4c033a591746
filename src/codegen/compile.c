// compile.c - the compiler as a child process.
//
// Every child leads a process group of its own, so that a stop ends what it has started in turn,
// and Ctrl-C reaches only us. Children are waited for by looking every few milliseconds: the one
// who waits is also the one who kills, so no process id can be stale.
#include "codegen/compile.h"
#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILE_MAX = 16, ARGUMENT_MAX = 32 + FILE_MAX, LOOK_NANOSECONDS = 3000000, TIME_LIMIT = 600 };

extern char **environ;

// ---- finding it
// ----------------------------------------------------------------------------------

static bool runnable(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

static bool search_path(const char *name, char out[COMPILE_PATH_MAX])
{
    if (strchr(name, '/')) {
        const int length = snprintf(out, COMPILE_PATH_MAX, "%s", name);
        return length < COMPILE_PATH_MAX && runnable(out);
    }
    const char *path = getenv("PATH");
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        const int part = (int)strcspn(path, ":");
        const int length = snprintf(out, COMPILE_PATH_MAX, "%.*s/%s", part, path, name);
        if (path[0] == '/' && length < COMPILE_PATH_MAX && runnable(out))
            return true;
        path += part + (path[part] == ':');
    }
    return false;
}

bool compile_find(compile_tool *tool, mc_error *error)
{
    static const char *const usual[] = {"clang", "gcc", "cc"};
    const char *const named = getenv("MOTORCADE_CC");
    bool found = false;
    if (named && named[0] != '\0') {
        if (strcmp(named, "none") == 0) {
            mc_error_set(error, MC_FAILED, NULL, 0, 0,
                         "formulas are interpreted: MOTORCADE_CC is none");
            return false;
        }
        found = search_path(named, tool->path);
        if (!found)
            mc_error_set(error, MC_FAILED, NULL, 0, 0,
                         "formulas are interpreted: no compiler \"%.100s\" (MOTORCADE_CC)", named);
    } else {
        for (int i = 0; i < 3 && !found; i++)
            found = search_path(usual[i], tool->path);
        if (!found)
            mc_error_set(error, MC_FAILED, NULL, 0, 0,
                         "formulas are interpreted: none of clang, gcc, cc is installed");
    }
    if (!found)
        return false;
    struct stat about = {0};
    char *const real = realpath(tool->path, NULL);
    stat(tool->path, &about);
    snprintf(tool->identity, sizeof tool->identity, "%s %lld %lld.%09ld", real ? real : tool->path,
             (long long)about.st_size, (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
    free(real);
    return true;
}

// ---- options
// -------------------------------------------------------------------------------------

#define COMMON "-O1 -std=gnu17 -fPIC -ffp-contract=off -fno-math-errno -w"

const char *compile_options(cpu_level level, bool wide)
{
#if defined __x86_64__
    if (level == CPU_AVX2)
        return wide ? COMMON " -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl"
                    : COMMON " -mavx2 -mfma";
#endif
    (void)level, (void)wide;
    return COMMON;
}

// The words of a command; the options are cut at blanks in a copy.
typedef struct command {
    char *word[ARGUMENT_MAX];
    int count;
    char options[256];
    char file[FILE_MAX][64];
} command;

static void add(command *c, const char *word)
{
    mc_assert(c->count < ARGUMENT_MAX - 1);
    c->word[c->count++] = (char *)(uintptr_t)word; // posix_spawn takes char *, and writes nothing
    c->word[c->count] = NULL;
}

static void begin(command *c, const compile_tool *tool, const char *options)
{
    c->count = 0;
    add(c, tool->path);
    snprintf(c->options, sizeof c->options, "%s", options);
    char *rest = NULL;
    for (char *word = strtok_r(c->options, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        add(c, word);
}

// ---- stopping
// ------------------------------------------------------------------------------------

bool compile_stop_create(compile_stop *s)
{
    s->stop = false;
    if (pthread_mutex_init(&s->mutex, NULL) != 0)
        return false;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    const bool made = pthread_cond_init(&s->changed, &clock) == 0;
    pthread_condattr_destroy(&clock);
    if (!made)
        pthread_mutex_destroy(&s->mutex);
    return made;
}

void compile_stop_destroy(compile_stop *s)
{
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->mutex);
}

void compile_stop_set(compile_stop *s)
{
    pthread_mutex_lock(&s->mutex);
    s->stop = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

// Sleeps for a moment; true: stop.
static bool pause_or_stop(compile_stop *s)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NANOSECONDS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&s->mutex);
    while (!s->stop && pthread_cond_timedwait(&s->changed, &s->mutex, &until) == 0)
        continue;
    const bool stop = s->stop;
    pthread_mutex_unlock(&s->mutex);
    return stop;
}

static bool stop_is_set(compile_stop *s)
{
    pthread_mutex_lock(&s->mutex);
    const bool stop = s->stop;
    pthread_mutex_unlock(&s->mutex);
    return stop;
}

// ---- children
// ------------------------------------------------------------------------------------

// The environment with TMPDIR in the folder and messages in English. NULL: no memory.
static char **make_environment(const char *folder, char *tmpdir, size_t size)
{
    static char english[] = "LC_ALL=C";
    size_t count = 0;
    while (environ[count])
        count++;
    char **const out = malloc((count + 3) * sizeof *out);
    if (!out)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0 && strncmp(environ[i], "LC_ALL=", 7) != 0)
            out[kept++] = environ[i];
    snprintf(tmpdir, size, "TMPDIR=%s", folder);
    out[kept++] = tmpdir;
    out[kept++] = english;
    out[kept] = NULL;
    return out;
}

// Output goes to `log` in the folder, which is also the child's working folder. 0 or errno.
static int start(const command *c, const char *folder, const char *log, pid_t *pid)
{
    char tmpdir[COMPILE_PATH_MAX + 200], log_path[COMPILE_PATH_MAX + 200];
    snprintf(log_path, sizeof log_path, "%s/%s", folder, log);
    char **const environment = make_environment(folder, tmpdir, sizeof tmpdir);
    if (!environment)
        return ENOMEM;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, log_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawn_file_actions_addchdir_np(&files, folder);
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
#endif
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    const int failed = posix_spawn(pid, c->word[0], &files, &attributes, c->word, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return failed;
}

static pid_t reap(pid_t pid, int *status, int options)
{
    for (;;) {
        const pid_t got = waitpid(pid, status, options);
        if (got >= 0 || errno != EINTR)
            return got;
    }
}

// Waits for children; on a stop or when time is up, ends them all first. exits[i]: wait status; -1:
// it was reaped elsewhere (a host that ignores SIGCHLD).
static mc_status wait_all(const pid_t *pids, int count, int *exits, compile_stop *stop,
                          mc_error *error)
{
    bool ended[FILE_MAX] = {false};
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (int left = count; left > 0;) {
        for (int i = 0; i < count; i++) {
            if (ended[i])
                continue;
            exits[i] = -1;
            if (reap(pids[i], &exits[i], WNOHANG) != 0) {
                ended[i] = true;
                left--;
            }
        }
        if (left == 0)
            break;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const bool late = now.tv_sec - begun.tv_sec > TIME_LIMIT;
        if (!pause_or_stop(stop) && !late)
            continue;
        for (int i = 0; i < count; i++) {
            if (!ended[i]) {
                kill(-pids[i], SIGKILL);
                kill(pids[i], SIGKILL); // should it not have its group yet
                reap(pids[i], &exits[i], 0);
            }
        }
        return late ? mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                   "the compiler did not finish within %d s", TIME_LIMIT)
                    : mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0, "compilation stopped");
    }
    return MC_OK;
}

// The first line of a log that tells of an error, else the first line.
static void first_complaint(const char *folder, const char *log, char *out, int size)
{
    char path[COMPILE_PATH_MAX + 200], line[300];
    snprintf(path, sizeof path, "%s/%s", folder, log);
    out[0] = '\0';
    FILE *const f = fopen(path, "re");
    if (!f)
        return;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\r\n")] = '\0';
        const bool told = strstr(line, "error") != NULL;
        if (out[0] == '\0' || told)
            snprintf(out, (size_t)size, "%s", line);
        if (told)
            break;
    }
    fclose(f);
}

static mc_status judge(const compile_tool *tool, const char *folder, const char *log, int status,
                       mc_error *error)
{
    if (status == 0 || status == -1) // -1: not known; the object will tell
        return MC_OK;
    char complaint[300], how[64];
    first_complaint(folder, log, complaint, sizeof complaint);
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "ended by signal %d", WTERMSIG(status));
    else
        snprintf(how, sizeof how, "exit %d", WEXITSTATUS(status));
    return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                        "formulas are interpreted: compiler %.120s failed (%s)%s%.240s", tool->path,
                        how, complaint[0] ? ": " : "", complaint);
}

static void log_name(int index, char out[16])
{
    snprintf(out, 16, "log%d", index);
}

// Starts all commands at once and waits for all.
static mc_status run_all(const compile_tool *tool, const command *commands, int count,
                         const char *folder, compile_stop *stop, mc_error *error)
{
    pid_t pids[FILE_MAX];
    int exits[FILE_MAX], started = 0, failed = 0;
    char log[16];
    if (stop_is_set(stop))
        return mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0, "compilation stopped");
    for (; started < count && !failed; started += !failed) {
        log_name(started, log);
        failed = start(&commands[started], folder, log, &pids[started]);
    }
    mc_status status = wait_all(pids, started, exits, stop, error);
    if (failed && status == MC_OK)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "formulas are interpreted: cannot start compiler %.120s: %s",
                            tool->path, strerror(failed));
    for (int i = 0; i < started && status == MC_OK; i++) {
        log_name(i, log);
        status = judge(tool, folder, log, exits[i], error);
    }
    return status;
}

mc_status compile_run(const compile_tool *tool, const char *options, const char *folder,
                      const char *const *names, int name_count, bool parallel, compile_stop *stop,
                      mc_error *error)
{
    mc_assert(name_count > 0 && name_count <= FILE_MAX);
    command *const commands = malloc((size_t)(name_count + 1) * sizeof *commands);
    if (!commands)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory to start a compiler");
    command *const link = &commands[name_count];
    begin(link, tool, options);
    add(link, "-shared");
    mc_status status = MC_OK;
    for (int i = 0; i < name_count; i++) {
        snprintf(link->file[i], sizeof link->file[i], parallel ? "%s.o" : "%s", names[i]);
        add(link, link->file[i]);
        if (parallel) {
            begin(&commands[i], tool, options);
            add(&commands[i], "-c");
            add(&commands[i], names[i]);
            add(&commands[i], "-o");
            add(&commands[i], link->file[i]);
        }
    }
    add(link, "-o");
    add(link, "kernel.so");
    add(link, "-lm");
    if (parallel)
        status = run_all(tool, commands, name_count, folder, stop, error);
    if (status == MC_OK)
        status = run_all(tool, link, 1, folder, stop, error);
    free(commands);
    return status;
}
