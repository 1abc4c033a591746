// test_series.c - shares of long series, and series that resume after a kill.
#include "support/series.h"

#include <errno.h> // program_invocation_short_name
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct sum {
    uint64_t seed;
    long cases;
} sum;

static char folder[] = "/tmp/test_series.XXXXXX";

static void take(sum *s, long i)
{
    s->seed = (s->seed ^ (uint64_t)i) * 1099511628211u;
    s->cases++;
}

static sum whole_sum(long count)
{
    sum s = {.seed = 3};
    for (long i = 0; i < count; i++)
        take(&s, i);
    return s;
}

static void the_share_is_that_of_the_environment(void **state)
{
    (void)state;
    static const struct {
        const char *share;
        long count;
    } rows[] = {{NULL, 20},   {"", 20},    {"1/50", 20}, {"0.1", 100},
                {"1/3", 333}, {"1", 1000}, {"1e-9", 1}};
    unsetenv("MOTORCADE_JOURNAL");
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        sum kept = {.seed = 3};
        if (rows[k].share)
            setenv("MOTORCADE_SERIES", rows[k].share, 1);
        else
            unsetenv("MOTORCADE_SERIES");
        series s = series_open("shares", 1000, &kept, sizeof kept);
        assert_int_equal(s.count, rows[k].count);
        for (long i; series_next(&s, &i);)
            take(&kept, i);
        const sum expected = whole_sum(rows[k].count);
        assert_memory_equal(&kept, &expected, sizeof kept);
    }
}

// Cases of 20 ms, so that the journal is written between them.
static void slow_series(sum *kept, long first)
{
    series s = series_open("slow one", 100, kept, sizeof *kept);
    assert_true(s.next >= first);
    for (long i; series_next(&s, &i);) {
        nanosleep(&(struct timespec){0, 20000000}, NULL);
        take(kept, i);
    }
}

static long journal_next(void)
{
    char path[200];
    long count, next = -1;
    snprintf(path, sizeof path, "%s/%s.slow_one.journal", folder, program_invocation_short_name);
    FILE *file = fopen(path, "r");
    assert_true(!file || fscanf(file, "motorcade series %*s %ld %ld", &count, &next) == 2);
    if (file)
        fclose(file);
    return next;
}

static void a_killed_series_resumes(void **state)
{
    (void)state;
    setenv("MOTORCADE_SERIES", "1", 1);
    setenv("MOTORCADE_JOURNAL", folder, 1);
    const pid_t child = fork();
    if (child == 0) {
        sum kept = {.seed = 3};
        slow_series(&kept, 0);
        _exit(0);
    }
    while (journal_next() < 1)
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    const long reached = journal_next();
    assert_true(reached > 0 && reached < 100);
    sum kept = {.seed = 3};
    slow_series(&kept, reached);
    const sum expected = whole_sum(100);
    assert_memory_equal(&kept, &expected, sizeof kept);
    assert_int_equal(journal_next(), 100);
    // Complete: nothing is done again, and what it kept is still known.
    sum again = {.seed = 3};
    slow_series(&again, 100);
    assert_memory_equal(&again, &expected, sizeof again);
}

// Another share or size of what is kept, and text that is none, start from the first case.
static void a_journal_of_something_else_is_ignored(void **state)
{
    (void)state;
    setenv("MOTORCADE_SERIES", "1", 1);
    setenv("MOTORCADE_JOURNAL", folder, 1);
    char path[200];
    snprintf(path, sizeof path, "%s/%s.other.journal", folder, program_invocation_short_name);
    sum kept = {.seed = 3};
    series s = series_open("other", 1000, &kept, sizeof kept);
    for (long i; series_next(&s, &i);)
        take(&kept, i);
    assert_int_equal(series_open("other", 1000, &kept, sizeof kept).next, 1000);
    assert_int_equal(series_open("other", 999, &kept, sizeof kept).next, 0);
    struct {
        sum a;
        char more;
    } larger = {0};
    assert_int_equal(series_open("other", 1000, &larger, sizeof larger).next, 0);
    assert_int_equal(series_open("other", 1000, &kept, sizeof kept - 1).next, 0);
    FILE *file = fopen(path, "w");
    fputs("motorcade series 0123456789abcdef 1000 500 00\n", file);
    fclose(file);
    assert_int_equal(series_open("other", 1000, &kept, sizeof kept).next, 0);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_that_of_the_environment),
        cmocka_unit_test(a_killed_series_resumes),
        cmocka_unit_test(a_journal_of_something_else_is_ignored),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
