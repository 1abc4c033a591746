// test_file.c - atomic writing, buffered text, reading whole files.
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_file.XXXXXX";
static char path_room[4][300];

// folder/name, in one of four buffers used in turn.
static const char *in_folder(const char *name)
{
    static int turn;
    char *path = path_room[turn++ % 4];
    snprintf(path, sizeof path_room[0], "%s/%s", folder, name);
    return path;
}

static int entry_count(void)
{
    DIR *d = opendir(folder);
    assert_non_null(d);
    int count = 0;
    for (const struct dirent *e; (e = readdir(d));)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void assert_content(const char *path, const char *expected)
{
    arena a = {NULL};
    char *data = NULL;
    size_t size = 0;
    mc_error error;
    assert_int_equal(file_read(&a, path, 0, &data, &size, &error), MC_OK);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(data, expected);
    arena_free(&a);
}

// Removes all in the folder, so that each test starts with none.
static int empty_folder(void **state)
{
    (void)state;
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.')
            remove(in_folder(e->d_name));
    return d ? closedir(d) : -1;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? chmod(folder, 0777) : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void commit_replaces_at_once(void **state)
{
    (void)state;
    put(in_folder("a"), "old");
    mc_error error;
    file_writer *w = file_writer_open(in_folder("a"), &error);
    assert_non_null(w);
    file_print(w, "new %d\n", 7);
    assert_int_equal(file_writer_flush(w), MC_OK);
    assert_content(in_folder("a"), "old"); // until the commit
    assert_int_equal(entry_count(), 1);    // what is written has no name yet
    assert_int_equal(file_writer_commit(w, &error), MC_OK);
    assert_content(in_folder("a"), "new 7\n");
    assert_int_equal(entry_count(), 1);
}

static void abandon_leaves_nothing(void **state)
{
    (void)state;
    put(in_folder("a"), "old");
    mc_error error;
    file_writer *w = file_writer_open(in_folder("a"), &error);
    file_writer *v = file_writer_open(in_folder("b"), &error);
    assert_true(w && v);
    file_print(w, "new");
    file_writer_flush(w);
    file_writer_abandon(w);
    file_writer_abandon(v);
    assert_content(in_folder("a"), "old");
    assert_int_equal(entry_count(), 1);
}

static void two_writers_of_one_target_do_not_mix(void **state)
{
    (void)state;
    mc_error error;
    file_writer *w = file_writer_open(in_folder("a"), &error);
    file_writer *v = file_writer_open(in_folder("a"), &error);
    assert_true(w && v);
    file_print(w, "first");
    file_print(v, "second");
    assert_int_equal(file_writer_commit(w, &error), MC_OK);
    assert_int_equal(file_writer_commit(v, &error), MC_OK);
    assert_content(in_folder("a"), "second");
    assert_int_equal(entry_count(), 1);
}

// More than the buffer, by every way in, with a print longer than a reservation.
static void long_text_arrives_whole(void **state)
{
    (void)state;
    enum { PART = 10000, ROUNDS = 100 };
    char *part = malloc(PART + 1), *all = malloc(ROUNDS * (2 * PART + 3) + 1);
    assert_true(part && all);
    for (int i = 0; i < PART; i++)
        part[i] = (char)('a' + i * 7 % 26);
    part[PART] = '\0';
    mc_error error;
    file_writer *w = file_writer_open(in_folder("long"), &error);
    assert_non_null(w);
    char *end = all;
    for (int i = 0; i < ROUNDS; i++) {
        file_print(w, "%s", part);
        file_write(w, part, PART);
        memcpy(file_reserve(w, 3), "xyz", 3);
        file_advance(w, 3);
        end += sprintf(end, "%s%sxyz", part, part);
    }
    assert_int_equal(file_writer_commit(w, &error), MC_OK);
    assert_content(in_folder("long"), all);
    free(part);
    free(all);
}

static void assert_cannot_open(const char *path, const char *reason)
{
    mc_error error = {.code = MC_OK};
    assert_null(file_writer_open(path, &error));
    assert_int_equal(error.code, MC_IO);
    assert_string_equal(error.file, path);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" lacks \"%s\"", error.text, reason);
}

static void bad_targets_are_rejected(void **state)
{
    (void)state;
    put(in_folder("plain"), "x");
    assert_cannot_open(in_folder("missing/a"), "No such file or directory");
    assert_cannot_open(in_folder("plain/a"), "Not a directory");
    assert_cannot_open(folder, "folder");
    assert_cannot_open("", "not the name");
    assert_cannot_open(in_folder("new/"), "not the name");
    assert_int_equal(entry_count(), 1);
}

// As a user without rights: root may write anywhere.
static void missing_rights_are_reported(void **state)
{
    (void)state;
    put(in_folder("locked"), "old");
    put(in_folder("secret"), "old");
    assert_int_equal(chmod(in_folder("locked"), 0444), 0);
    assert_int_equal(chmod(in_folder("secret"), 0), 0);
    const uid_t user = geteuid();
    if (user == 0)
        assert_int_equal(seteuid(65534), 0);
    assert_cannot_open(in_folder("locked"), "Permission denied");
    assert_cannot_open("/usr/a", "Permission denied");
    arena a = {NULL};
    char *data;
    size_t size;
    mc_error error;
    const mc_status status = file_read(&a, in_folder("secret"), 0, &data, &size, &error);
    if (user == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "Permission denied"));
    arena_free(&a);
    assert_content(in_folder("locked"), "old");
}

static void full_disk_fails_the_commit(void **state)
{
    (void)state;
    mc_error error;
    file_writer *w = file_writer_open("/dev/full", &error); // a device: written in place
    assert_non_null(w);
    file_print(w, "x");
    assert_int_equal(file_writer_check(w, &error), MC_OK); // still in the buffer
    assert_int_equal(file_writer_commit(w, &error), MC_IO);
    assert_string_equal(error.file, "/dev/full");
    assert_non_null(strstr(error.text, strerror(ENOSPC)));
}

static void failed_write_keeps_the_target(void **state)
{
    (void)state;
    put(in_folder("a"), "old");
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    const struct rlimit small = {1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    mc_error error;
    file_writer *w = file_writer_open(in_folder("a"), &error);
    for (int i = 0; w && i < 1000000; i++)
        file_print(w, "%d\n", i);
    const mc_status during = w ? file_writer_check(w, &error) : MC_OK;
    const mc_status status = w ? file_writer_commit(w, &error) : MC_OK;
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(during, MC_IO);
    assert_int_equal(status, MC_IO);
    assert_non_null(strstr(error.text, strerror(EFBIG)));
    assert_content(in_folder("a"), "old");
    assert_int_equal(entry_count(), 1);
}

static void link_and_mode_are_kept(void **state)
{
    (void)state;
    put(in_folder("real"), "old");
    assert_int_equal(chmod(in_folder("real"), 0640), 0);
    assert_int_equal(symlink("real", in_folder("link")), 0);
    mc_error error;
    file_writer *w = file_writer_open(in_folder("link"), &error);
    assert_non_null(w);
    file_print(w, "new");
    assert_int_equal(file_writer_commit(w, &error), MC_OK);
    assert_content(in_folder("real"), "new");
    struct stat status;
    assert_int_equal(lstat(in_folder("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(in_folder("real"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void new_file_obeys_umask(void **state)
{
    (void)state;
    const mode_t before = umask(027);
    mc_error error;
    file_writer *w = file_writer_open(in_folder("a"), &error);
    umask(before);
    assert_non_null(w);
    assert_int_equal(file_writer_commit(w, &error), MC_OK);
    struct stat status;
    assert_int_equal(stat(in_folder("a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(status.st_size, 0);
}

static void longest_name_can_be_written(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    mc_error error;
    file_writer *w = file_writer_open(in_folder(name), &error);
    assert_non_null(w);
    file_print(w, "x");
    assert_int_equal(file_writer_commit(w, &error), MC_OK);
    assert_content(in_folder(name), "x");
}

static void read_rejects_with_a_reason(void **state)
{
    (void)state;
    arena a = {NULL};
    char *data;
    size_t size;
    mc_error error;
    assert_int_equal(file_read(&a, in_folder("none"), 0, &data, &size, &error), MC_BAD_INPUT);
    assert_string_equal(error.file, in_folder("none"));
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(file_read(&a, folder, 0, &data, &size, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "folder"));
    put(in_folder("five"), "12345");
    assert_int_equal(file_read(&a, in_folder("five"), 4, &data, &size, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "at most 4"));
    assert_int_equal(file_read(&a, in_folder("five"), 5, &data, &size, &error), MC_OK);
    assert_string_equal(data, "12345");
    // A file that does not know its size: the limit holds while reading.
    assert_int_equal(file_read(&a, "/dev/zero", 100000, &data, &size, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "100000"));
    arena_free(&a);
}

static void read_finds_the_end_of_unsized_files(void **state)
{
    (void)state;
    arena a = {NULL};
    char *data;
    size_t size;
    mc_error error;
    assert_int_equal(file_read(&a, "/proc/self/status", 0, &data, &size, &error), MC_OK);
    assert_true(size > 100 && strlen(data) == size && strncmp(data, "Name:", 5) == 0);
    put(in_folder("empty"), "");
    assert_int_equal(file_read(&a, in_folder("empty"), 0, &data, &size, &error), MC_OK);
    assert_int_equal(size, 0);
    assert_string_equal(data, "");
    arena_free(&a);
}

static void bytes_at_places(void **state)
{
    (void)state;
    mc_error error;
    file_draft draft;
    assert_int_equal(file_draft_open(&draft, in_folder("a"), &error), MC_OK);
    char back[8] = "";
    assert_true(file_write_at(draft.fd, "world", 5, 100000));
    assert_true(file_read_at(draft.fd, back, 5, 100000));
    assert_string_equal(back, "world");
    errno = 1;
    assert_false(file_read_at(draft.fd, back, 6, 100000)); // past the end
    assert_int_equal(errno, 0);
    assert_false(file_write_at(-1, "x", 1, 0));
    assert_int_equal(errno, EBADF);
    file_draft_abandon(&draft);
    assert_int_equal(entry_count(), 0);
}

static void free_space_is_known(void **state)
{
    (void)state;
    assert_true(file_free_space(in_folder("a")) > 0);
    assert_true(file_free_space("a") > 0); // the folder we are in
    assert_int_equal(file_free_space("/no/such/folder/a"), -1);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, empty_folder)
    const struct CMUnitTest tests[] = {
        TEST(commit_replaces_at_once),
        TEST(abandon_leaves_nothing),
        TEST(two_writers_of_one_target_do_not_mix),
        TEST(long_text_arrives_whole),
        TEST(bad_targets_are_rejected),
        TEST(missing_rights_are_reported),
        TEST(full_disk_fails_the_commit),
        TEST(failed_write_keeps_the_target),
        TEST(link_and_mode_are_kept),
        TEST(new_file_obeys_umask),
        TEST(longest_name_can_be_written),
        TEST(read_rejects_with_a_reason),
        TEST(read_finds_the_end_of_unsized_files),
        TEST(bytes_at_places),
        cmocka_unit_test_setup_teardown(free_space_is_known, empty_folder, empty_folder),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
