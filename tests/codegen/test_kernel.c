// test_kernel.c - compiled programs: the interpreter's bits, the cache and what can be wrong with
// it, compilers that are missing or fail.
#include "base/cpu.h"
#include "codegen/cache.h"
#include "kernel_room.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

static expr_kernel *make(const random_program *r, expr_compile how, expr_kernel_state want)
{
    mc_error error = {0};
    expr_kernel *const k = expr_kernel_create(r->program, how, &error);
    if (!k)
        fail_msg("%s", error.text);
    if (expr_kernel_state_of(k) != want)
        fail_msg("state %d instead of %d: %s", (int)expr_kernel_state_of(k), (int)want,
                 expr_kernel_message(k));
    return k;
}

static void expect(const random_program *r, expr_kernel_state want, const char *word)
{
    expr_kernel *const k = make(r, EXPR_COMPILE_WAIT, want);
    if (!strstr(expr_kernel_message(k), word))
        fail_msg("\"%s\" does not say \"%s\"", expr_kernel_message(k), word);
    if (want == EXPR_KERNEL_COMPILED)
        assert_string_equal(expr_kernel_message(k), "");
    kernel_check(k, r->program);
    expr_kernel_destroy(k);
}

static bool have(const char *program)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void write_script(const char *name, const char *text, char path[400])
{
    snprintf(path, 400, "%s/%s", kernel_cache, name);
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", text);
    fclose(f);
    assert_int_equal(chmod(path, 0700), 0);
}

static void entry_file(const char *file, char path[700])
{
    char name[300] = "";
    DIR *const dir = opendir(kernel_cache);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir)) != NULL;)
        if (strlen(e->d_name) == 32)
            snprintf(name, sizeof name, "%s", e->d_name);
    closedir(dir);
    assert_int_equal(strlen(name), 32);
    snprintf(path, 700, "%s/%s/%s", kernel_cache, name, file);
}

// ---- bits
// ------------------------------------------------------------------------------------------

static void compiled_code_has_the_interpreters_bits(void **state)
{
    (void)state;
    static const char *const compilers[] = {"clang", "gcc"};
    int tried = 0;
    for (int c = 0; c < 2; c++) {
        if (!have(compilers[c]))
            continue;
        setenv("MOTORCADE_CC", compilers[c], 1);
        for (int level = 0; level < 2; level++) {
            if (level == 1)
                setenv("MOTORCADE_CPU", "plain", 1);
            static const int sizes[] = {3, 100, 560}; // the last is compiled in two processes
            for (int s = 0; s < 3; s++, tried++) {
                random_program r = random_program_make(100 + (unsigned)s, sizes[s]);
                expect(&r, EXPR_KERNEL_COMPILED, "");
                random_program_free(&r);
            }
        }
        unsetenv("MOTORCADE_CPU");
    }
    assert_true(tried > 0);
    assert_int_equal(kernel_count_names("", NULL), tried); // an entry each, no draft left
}

static void interpreting_needs_no_compiler(void **state)
{
    (void)state;
    random_program r = random_program_make(7, 100);
    expr_kernel *const k = make(&r, EXPR_INTERPRET, EXPR_KERNEL_INTERPRETED);
    assert_string_equal(expr_kernel_message(k), "");
    kernel_check(k, r.program);
    expr_kernel_destroy(k);
    assert_int_equal(kernel_count_names("", NULL), 0);
    random_program_free(&r);
}

// ---- compilers
// ---------------------------------------------------------------------------------------

static void without_a_compiler_it_is_interpreted(void **state)
{
    (void)state;
    random_program r = random_program_make(8, 100);
    setenv("MOTORCADE_CC", "none", 1);
    expect(&r, EXPR_KERNEL_INTERPRETED, "MOTORCADE_CC is none");
    setenv("MOTORCADE_CC", "no-such-compiler", 1);
    expect(&r, EXPR_KERNEL_INTERPRETED, "no-such-compiler");
    unsetenv("MOTORCADE_CC");
    char *const path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere:", 1);
    expect(&r, EXPR_KERNEL_INTERPRETED, "none of clang, gcc, cc");
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(kernel_count_names("", NULL), 0);
    random_program_free(&r);
}

static void a_compiler_that_fails_is_named(void **state)
{
    (void)state;
    random_program r = random_program_make(9, 100);
    char path[400];
    write_script("bad_cc",
                 "echo 'x.c: note: well' >&2; echo 'x.c:1: error: no licence' >&2; exit 3", path);
    setenv("MOTORCADE_CC", path, 1);
    expect(&r, EXPR_KERNEL_FAILED, "exit 3");
    expect(&r, EXPR_KERNEL_FAILED, "no licence");
    write_script("bad_cc", "kill -9 $$", path);
    expect(&r, EXPR_KERNEL_FAILED, "signal 9");
    write_script("bad_cc", "exit 0", path);
    expect(&r, EXPR_KERNEL_FAILED, "produced no object file");
    write_script("bad_cc", "echo rubbish > kernel.so", path);
    expect(&r, EXPR_KERNEL_FAILED, "kernel.so");
    assert_int_equal(kernel_count_names("tmp-", NULL), 0);
    random_program_free(&r);
}

// An object of another program under this program's name is not used.
static void another_programs_object_is_rejected(void **state)
{
    (void)state;
    random_program r = random_program_make(10, 50), other = random_program_make(11, 60);
    expr_kernel *k = make(&other, EXPR_COMPILE_WAIT, EXPR_KERNEL_COMPILED);
    char object[700], script[900], path[400];
    entry_file("kernel.so", object);
    snprintf(script, sizeof script, "cp %s kernel.so", object);
    write_script("swap_cc", script, path);
    setenv("MOTORCADE_CC", path, 1);
    expect(&r, EXPR_KERNEL_FAILED, "not that of this program");
    expr_kernel_destroy(k);
    random_program_free(&r);
    random_program_free(&other);
}

// The folder's name may hold anything: no shell sees it.
static void names_with_blanks_and_quotes(void **state)
{
    (void)state;
    random_program r = random_program_make(12, 50);
    char folder[300];
    snprintf(folder, sizeof folder, "%s/a b'; touch \"$(x)\"/deeper", kernel_cache);
    setenv("MOTORCADE_CACHE", folder, 1);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    struct stat about;
    assert_int_equal(stat(folder, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    setenv("MOTORCADE_CACHE", kernel_cache, 1);
    random_program_free(&r);
}

// ---- the cache
// -----------------------------------------------------------------------------------------

static struct timespec object_time(void)
{
    char path[700];
    entry_file("kernel.so", path);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mtim;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static void the_second_time_nothing_is_compiled(void **state)
{
    (void)state;
    random_program r = random_program_make(13, 100);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    const struct timespec before = object_time();
    expect(&r, EXPR_KERNEL_COMPILED, "");
    assert_true(same_time(before, object_time()));
    assert_int_equal(kernel_count_names("", NULL), 1);
    random_program again = random_program_make(13, 100); // the same formulas, another object
    expect(&again, EXPR_KERNEL_COMPILED, "");
    assert_true(same_time(before, object_time()));
    random_program_free(&again);
    random_program_free(&r);
}

static void cut(const char *file, long keep_percent)
{
    char path[700];
    entry_file(file, path);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size * keep_percent / 100), 0);
}

static void flip(const char *file, long percent)
{
    char path[700], byte;
    entry_file(file, path);
    const int fd = open(path, O_RDWR);
    struct stat about;
    assert_true(fd >= 0 && fstat(fd, &about) == 0);
    const off_t at = about.st_size * percent / 100;
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 0x10;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static void remove_file(const char *file, long unused)
{
    (void)unused;
    char path[700];
    entry_file(file, path);
    assert_int_equal(unlink(path), 0);
}

// The object of a damaged entry must never be loaded: every damage leads to a new one.
static void damaged_entries_are_rebuilt(void **state)
{
    (void)state;
    static const struct {
        void (*damage)(const char *file, long percent);
        const char *file;
        long percent;
    } rows[] = {
        {cut, "kernel.so", 0},   {cut, "kernel.so", 30},        {cut, "kernel.so", 97},
        {flip, "kernel.so", 40}, {remove_file, "kernel.so", 0}, {cut, "source", 50},
        {flip, "source", 90},    {remove_file, "source", 0},    {cut, "sum", 10},
        {flip, "sum", 50},       {remove_file, "sum", 0},
    };
    random_program r = random_program_make(14, 30);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rows[i].damage(rows[i].file, rows[i].percent);
        expect(&r, EXPR_KERNEL_COMPILED, "");
        assert_int_equal(kernel_count_names("", NULL), 1);
        const struct timespec made = object_time();
        expect(&r, EXPR_KERNEL_COMPILED, ""); // and it is repaired
        assert_true(same_time(made, object_time()));
    }
    random_program_free(&r);
}

// A sum that fits an object which cannot be loaded: found only by dlopen.
static void an_object_that_cannot_be_loaded_is_rebuilt(void **state)
{
    (void)state;
    random_program r = random_program_make(15, 30);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    char path[700], sum[100];
    entry_file("kernel.so", path);
    FILE *f = fopen(path, "w");
    fputs("rubbish", f);
    fclose(f);
    snprintf(sum, sizeof sum, "7 %s\n", cache_key_of("rubbish", 7).hex);
    entry_file("sum", path);
    f = fopen(path, "w");
    fputs(sum, f);
    fclose(f);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    random_program_free(&r);
}

static void something_else_in_place_of_an_entry(void **state)
{
    (void)state;
    random_program r = random_program_make(16, 30);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    char path[700], command[1600];
    entry_file("", path);
    path[strlen(path) - 1] = '\0';
    snprintf(command, sizeof command, "rm -rf '%s' && echo text > '%s'", path, path);
    assert_int_equal(system(command), 0);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    snprintf(command, sizeof command, "rm -rf '%s' && ln -s /nowhere '%s'", path, path);
    assert_int_equal(system(command), 0);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    random_program_free(&r);
}

static void folders_others_can_write_to_are_rejected(void **state)
{
    (void)state;
    random_program r = random_program_make(17, 30);
    assert_int_equal(chmod(kernel_cache, 0777), 0);
    expect(&r, EXPR_KERNEL_INTERPRETED, "other users may write");
    assert_int_equal(chmod(kernel_cache, 0720), 0);
    expect(&r, EXPR_KERNEL_INTERPRETED, "other users may write");
    assert_int_equal(chmod(kernel_cache, 0700), 0);
    expect(&r, EXPR_KERNEL_COMPILED, "");
    if (geteuid() == 0) { // only root can give a folder away
        assert_int_equal(chown(kernel_cache, 12345, (gid_t)-1), 0);
        expect(&r, EXPR_KERNEL_INTERPRETED, "belongs to another user");
        assert_int_equal(chown(kernel_cache, 0, (gid_t)-1), 0);
    } else {
        assert_int_equal(chmod(kernel_cache, 0500), 0);
        expect(&r, EXPR_KERNEL_INTERPRETED, "cache of compiled programs");
        assert_int_equal(chmod(kernel_cache, 0700), 0);
        setenv("MOTORCADE_CACHE", "/", 1);
        expect(&r, EXPR_KERNEL_INTERPRETED, "belongs to another user");
    }
    setenv("MOTORCADE_CACHE", "/proc/motorcade", 1);
    expect(&r, EXPR_KERNEL_INTERPRETED, "cache of compiled programs");
    setenv("MOTORCADE_CACHE", "/dev/null", 1);
    expect(&r, EXPR_KERNEL_INTERPRETED, "cache of compiled programs");
    setenv("MOTORCADE_CACHE", kernel_cache, 1);
    random_program_free(&r);
}

static void folder_named_by_the_environment(void **state)
{
    (void)state;
    char *const home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    char path[300];
    cache c;
    mc_error error = {0};
    unsetenv("MOTORCADE_CACHE");
    setenv("XDG_CACHE_HOME", kernel_cache, 1);
    assert_int_equal(cache_open(&c, &error), MC_OK);
    snprintf(path, sizeof path, "%s/motorcade", kernel_cache);
    assert_string_equal(c.folder, path);
    setenv("XDG_CACHE_HOME", "relative", 1); // must be absolute to count
    setenv("HOME", kernel_cache, 1);
    assert_int_equal(cache_open(&c, &error), MC_OK);
    snprintf(path, sizeof path, "%s/.cache/motorcade", kernel_cache);
    assert_string_equal(c.folder, path);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_int_equal(cache_open(&c, &error), MC_IO);
    setenv("MOTORCADE_CACHE", kernel_cache, 1);
    if (home)
        setenv("HOME", home, 1);
    free(home);
}

static void make_entry(const cache *c, const char *text)
{
    char draft[CACHE_FILE_MAX];
    mc_error error = {0};
    assert_int_equal(cache_draft(c, draft, &error), MC_OK);
    assert_true(cache_write_file(draft, "kernel.so", text, strlen(text)));
    assert_int_equal(
        cache_commit(c, draft, cache_key_of(text, strlen(text)), text, strlen(text), &error),
        MC_OK);
    const struct timespec moment = {0, 2000000};
    nanosleep(&moment, NULL); // so that each has its own time
}

static bool has_entry(const cache *c, const char *text)
{
    char object[CACHE_FILE_MAX];
    return cache_find(c, cache_key_of(text, strlen(text)), text, strlen(text), object);
}

static void old_entries_are_removed(void **state)
{
    (void)state;
    cache c;
    mc_error error = {0};
    assert_int_equal(cache_open(&c, &error), MC_OK);
    static const char *const texts[] = {"one", "two", "three", "four", "five"};
    for (int i = 0; i < 5; i++)
        make_entry(&c, texts[i]);
    assert_true(has_entry(&c, "one")); // used just now: "two" is the oldest
    char stale[300], fresh[300], foreign[300];
    snprintf(stale, sizeof stale, "%s/tmp-stale1", kernel_cache);
    snprintf(fresh, sizeof fresh, "%s/tmp-fresh1", kernel_cache);
    snprintf(foreign, sizeof foreign, "%s/letters", kernel_cache);
    assert_int_equal(mkdir(stale, 0700) | mkdir(fresh, 0700) | mkdir(foreign, 0700), 0);
    const struct timespec long_ago[2] = {{1000000, 0}, {1000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, stale, long_ago, 0), 0);
    assert_int_equal(utimensat(AT_FDCWD, foreign, long_ago, 0), 0);

    cache_trim(&c, 3, 1 << 20);
    assert_true(has_entry(&c, "one") && has_entry(&c, "four") && has_entry(&c, "five"));
    assert_false(has_entry(&c, "two") || has_entry(&c, "three"));
    assert_int_equal(access(stale, F_OK), -1);
    assert_int_equal(access(fresh, F_OK), 0);
    assert_int_equal(access(foreign, F_OK), 0); // not ours
    cache_trim(&c, 3, 2 * 2 * 4);               // bytes of source and object of "four" and "five"
    assert_false(has_entry(&c, "one") && has_entry(&c, "four") && has_entry(&c, "five"));
    cache_trim(&c, 3, 0);
    assert_false(has_entry(&c, "one") || has_entry(&c, "four") || has_entry(&c, "five"));
}

static void keys_are_those_of_fnv(void **state)
{
    (void)state;
    // Published values of FNV-1a with 128 bits.
    assert_string_equal(cache_key_of("", 0).hex, "6c62272e07bb014262b821756295c58d");
    assert_string_equal(cache_key_of("a", 1).hex, "d228cb696f1a8caf78912b704e4a8964");
    assert_string_equal(cache_key_of("foobar", 6).hex, "343e1662793c64bf6f0d3597ba446f18");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, kernel_room_make, kernel_room_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(compiled_code_has_the_interpreters_bits),
        TEST(interpreting_needs_no_compiler),
        TEST(without_a_compiler_it_is_interpreted),
        TEST(a_compiler_that_fails_is_named),
        TEST(another_programs_object_is_rejected),
        TEST(names_with_blanks_and_quotes),
        TEST(the_second_time_nothing_is_compiled),
        TEST(damaged_entries_are_rebuilt),
        TEST(an_object_that_cannot_be_loaded_is_rebuilt),
        TEST(something_else_in_place_of_an_entry),
        TEST(folders_others_can_write_to_are_rejected),
        TEST(folder_named_by_the_environment),
        TEST(old_entries_are_removed),
        TEST(keys_are_those_of_fnv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
