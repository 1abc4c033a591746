// run.c - folders, processes and tables for tests of the real program.
#include "support/run.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <hdf5.h>
#include <linux/capability.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 1024, ARGUMENTS_MAX = 64 };

// ---- folders -----------------------------------------------------------------------------------

run_folder run_folder_make(void)
{
    run_folder folder = {"/tmp/motorcade_run.XXXXXX"};
    if (!mkdtemp(folder.path))
        fail_msg("no folder: %s", strerror(errno));
    return folder;
}

static int open_folder(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)place;
    if (kind == FTW_D || kind == FTW_DNR)
        chmod(path, 0700);
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

void run_folder_remove(const run_folder *folder)
{
    nftw(folder->path, open_folder, 16, FTW_PHYS);
    if (nftw(folder->path, remove_one, 16, FTW_PHYS | FTW_DEPTH) != 0)
        fail_msg("%s: cannot be removed", folder->path);
}

static const char *path_in(const run_folder *folder, const char *name, char path[PATH_SIZE])
{
    const int length = snprintf(path, PATH_SIZE, "%s/%s", folder->path, name);
    assert_in_range(length, 1, PATH_SIZE - 1);
    return path;
}

void run_put_bytes(const run_folder *folder, const char *name, const void *bytes, size_t size)
{
    char path[PATH_SIZE];
    FILE *file = fopen(path_in(folder, name, path), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fail_msg("%s: cannot be written", path);
}

void run_put(const run_folder *folder, const char *name, const char *text)
{
    run_put_bytes(folder, name, text, strlen(text));
}

static char *read_all(int fd, size_t *size)
{
    const off_t end = lseek(fd, 0, SEEK_END);
    char *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
    if (!bytes || pread(fd, bytes, (size_t)end, 0) != (ssize_t)end)
        fail_msg("cannot be read: %s", strerror(errno));
    bytes[end] = '\0';
    *size = (size_t)end;
    return bytes;
}

static char *read_path(const char *path, size_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        fail_msg("%s: %s", path, strerror(errno));
    char *bytes = read_all(fd, size);
    close(fd);
    return bytes;
}

char *run_get(const run_folder *folder, const char *name, size_t *size)
{
    char path[PATH_SIZE];
    size_t own;
    return read_path(path_in(folder, name, path), size ? size : &own);
}

void run_copy(const run_folder *folder, const char *name, const char *source)
{
    size_t size;
    char *bytes = read_path(source, &size);
    run_put_bytes(folder, name, bytes, size);
    free(bytes);
}

bool run_exists(const run_folder *folder, const char *name)
{
    char path[PATH_SIZE];
    struct stat status;
    return lstat(path_in(folder, name, path), &status) == 0;
}

static int age_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}}; // in 2001
    return utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

void run_age(const run_folder *folder)
{
    assert_int_equal(nftw(folder->path, age_one, 16, FTW_PHYS | FTW_DEPTH), 0);
}

// nftw passes no context; tests are single-threaded.
static struct {
    char *lines[256];
    int count;
    size_t skip; // of the path
    bool with_folders;
} listing;

static int list_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)place;
    const bool is_folder = kind == FTW_D || kind == FTW_DNR || kind == FTW_DP;
    const bool with_time = !is_folder || listing.with_folders;
    if (listing.count == 256)
        return -1;
    return asprintf(&listing.lines[listing.count++], "%s %o %lld %llu %lld.%09ld\n",
                    path + listing.skip, (unsigned)status->st_mode,
                    is_folder ? 0LL : (long long)status->st_size,
                    (unsigned long long)status->st_ino,
                    with_time ? (long long)status->st_mtim.tv_sec : 0LL,
                    with_time ? status->st_mtim.tv_nsec : 0L) < 0;
}

static int line_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *run_listing(const run_folder *folder, bool with_folders)
{
    listing.count = 0;
    listing.skip = strlen(folder->path);
    listing.with_folders = with_folders;
    assert_int_equal(nftw(folder->path, list_one, 16, FTW_PHYS), 0);
    qsort(listing.lines, (size_t)listing.count, sizeof listing.lines[0], line_order);
    size_t size = 1;
    for (int i = 0; i < listing.count; i++)
        size += strlen(listing.lines[i]);
    char *text = calloc(size, 1), *at = text;
    assert_non_null(text);
    for (int i = 0; i < listing.count; i++) {
        at = stpcpy(at, listing.lines[i]);
        free(listing.lines[i]);
    }
    return text;
}

// ---- programs ----------------------------------------------------------------------------------

double run_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void run_sleep(double seconds)
{
    const time_t whole = (time_t)seconds;
    nanosleep(&(struct timespec){whole, (long)((seconds - (double)whole) * 1e9)}, NULL);
}

// The words of text, in place; '' is an empty one.
static int split(char *text, char **words, int word_max)
{
    int count = 0;
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest));) {
        assert_true(count < word_max);
        words[count++] = strcmp(word, "''") == 0 ? word + 2 : word;
    }
    return count;
}

static _Noreturn void become(const run_folder *folder, const char *program, char **words, int out,
                             int err)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // when the test ends before the program
    // A superuser without these is held to the modes of files like everyone. Others lack them.
    prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
    prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
    const int numbers[] = {SIGINT, SIGTERM, SIGPIPE}; // may be ignored here (nohup)
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        signal(numbers[i], SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0 && dup2(nothing, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2 &&
        chdir(folder->path) == 0)
        execv(program, words);
    _exit(126);
}

run_process run_start(const run_folder *folder, const char *program, const char *arguments)
{
    run_process p = {.out = memfd_create("out", MFD_CLOEXEC),
                     .err = memfd_create("err", MFD_CLOEXEC)};
    char *copy = strdup(arguments), *words[ARGUMENTS_MAX + 2] = {(char *)(uintptr_t)program};
    assert_true(p.out >= 0 && p.err >= 0 && copy);
    split(copy, words + 1, ARGUMENTS_MAX);
    p.id = fork();
    assert_true(p.id >= 0);
    if (p.id == 0)
        become(folder, program, words, p.out, p.err);
    free(copy);
    return p;
}

run_result run_wait(run_process *p)
{
    const double begun = run_clock();
    int status;
    pid_t ended;
    while ((ended = waitpid(p->id, &status, WNOHANG)) == 0 && run_clock() - begun < RUN_SECONDS)
        run_sleep(0.0005);
    if (ended == 0) {
        kill(p->id, SIGKILL);
        waitpid(p->id, &status, 0);
        fail_msg("no end after %g s", RUN_SECONDS);
    }
    assert_int_equal(ended, p->id);
    run_result r = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                    .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    r.out = read_all(p->out, &r.out_size);
    r.err = read_all(p->err, &r.err_size);
    close(p->out);
    close(p->err);
    if (r.code == 126)
        fail_msg("the program cannot be started");
    return r;
}

bool run_is_over(const run_process *p)
{
    siginfo_t about = {0};
    return waitid(P_PID, (id_t)p->id, &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           about.si_pid == p->id;
}

run_result run(const run_folder *folder, const char *program, const char *arguments)
{
    run_process p = run_start(folder, program, arguments);
    return run_wait(&p);
}

void run_result_free(run_result *r)
{
    free(r->out);
    free(r->err);
    *r = (run_result){0};
}

// ---- tables of numbers -------------------------------------------------------------------------

// Reads one row at *at; returns the number of tokens added.
static int read_row(const char *name, char **at, char **token, double *value)
{
    int count = 0;
    for (char *word = *at;; word = *at) {
        char *end = word + strcspn(word, " \n"), *number_end;
        const char stop = *end;
        *end = '\0';
        value[count] = strtod(word, &number_end);
        if (stop == '\0' || number_end != end || end == word)
            fail_msg("%s: found \"%.40s\", expected a number and one blank or newline", name, word);
        token[count++] = word;
        *at = end + 1;
        if (stop == '\n')
            return count;
    }
}

run_table run_table_read(const run_folder *folder, const char *name)
{
    run_table t = {0};
    size_t size, words = 1;
    t.text = run_get(folder, name, &size);
    if (strlen(t.text) != size)
        fail_msg("%s: has a byte 0", name);
    for (const char *c = t.text; *c; c++)
        words += *c == ' ' || *c == '\n';
    t.token = calloc(words, sizeof *t.token);
    t.value = calloc(words, sizeof *t.value);
    assert_true(t.token && t.value);
    size_t used = 0;
    for (char *at = t.text; at < t.text + size;) {
        const int count = read_row(name, &at, t.token + used, t.value + used);
        if (t.row_count++ == 0)
            t.column_count = count;
        if (count != t.column_count)
            fail_msg("%s: row %d has %d columns, the first %d", name, t.row_count, count,
                     t.column_count);
        used += (size_t)count;
    }
    return t;
}

void run_table_free(run_table *t)
{
    free(t->text);
    free(t->token);
    free(t->value);
    *t = (run_table){0};
}

double run_at(const run_table *t, int row, int column)
{
    assert_true(row >= 0 && row < t->row_count && column >= 0 && column < t->column_count);
    return t->value[(size_t)row * (size_t)t->column_count + (size_t)column];
}

const char *run_token(const run_table *t, int row, int column)
{
    assert_true(row >= 0 && row < t->row_count && column >= 0 && column < t->column_count);
    return t->token[(size_t)row * (size_t)t->column_count + (size_t)column];
}

// ---- HDF5 --------------------------------------------------------------------------------------

static hid_t open_hdf5(const run_folder *folder, const char *name)
{
    char path[PATH_SIZE];
    const hid_t file = H5Fopen(path_in(folder, name, path), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        fail_msg("HDF5 cannot open %s", path);
    return file;
}

run_table run_table_hdf5(const run_folder *folder, const char *file_name, const char *name)
{
    char counter_name[64];
    snprintf(counter_name, sizeof counter_name, "%s_rows_valid", name);
    const hid_t file = open_hdf5(folder, file_name);
    const hid_t counter = H5Dopen2(file, counter_name, H5P_DEFAULT);
    int64_t valid = -1;
    assert_true(H5Dread(counter, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &valid) >= 0);
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
    hsize_t shape[3] = {0, 1, 1};
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    assert_in_range(rank, 2, 3);
    assert_in_range(valid, 0, shape[0]);
    run_table t = {.row_count = (int)valid, .column_count = (int)(shape[1] * shape[2])};
    t.value = calloc((size_t)valid * (size_t)t.column_count + 1, sizeof *t.value);
    assert_non_null(t.value);
    if (valid > 0) {
        const hsize_t start[3] = {0, 0, 0};
        shape[0] = (hsize_t)valid;
        const hid_t memory = H5Screate_simple(rank, shape, NULL);
        assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, shape, NULL) >= 0);
        assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, t.value) >= 0);
        H5Sclose(memory);
    }
    H5Sclose(space);
    H5Dclose(dataset);
    H5Dclose(counter);
    H5Fclose(file);
    return t;
}

long long run_hdf5_integer(const run_folder *folder, const char *file_name, const char *name)
{
    const hid_t file = open_hdf5(folder, file_name);
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    long long value = -1;
    assert_true(H5Aread(attribute, H5T_NATIVE_LLONG, &value) >= 0);
    H5Aclose(attribute);
    H5Fclose(file);
    return value;
}

char *run_hdf5_text(const run_folder *folder, const char *file_name, const char *name)
{
    const hid_t file = open_hdf5(folder, file_name);
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    assert_true(attribute >= 0 && H5Tis_variable_str(type) == 0);
    char *copy = calloc(H5Tget_size(type) + 1, 1);
    assert_true(copy && H5Aread(attribute, type, copy) >= 0);
    H5Tclose(type);
    H5Aclose(attribute);
    H5Fclose(file);
    return copy;
}
