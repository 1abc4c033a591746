// test_interrupt.c - the first signal asks, the second kills. Each case in a child process.
#include "base/interrupt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

// The child answers with its exit code: 0 as expected.
static int status_of(void (*body)(void))
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void expect(bool condition)
{
    if (!condition)
        _exit(1);
}

static void one_signal(void)
{
    interrupt_install();
    expect(!interrupt_requested());
    raise(SIGINT);
    expect(interrupt_requested());
}

static void two_signals(void)
{
    interrupt_install();
    raise(SIGINT);
    raise(SIGINT);
    _exit(1); // not reached
}

static void terminate_then_interrupt(void)
{
    interrupt_install();
    raise(SIGTERM);
    expect(interrupt_requested());
    raise(SIGINT);
    _exit(1); // not reached
}

static void ignored_before(void)
{
    signal(SIGINT, SIG_IGN);
    interrupt_install();
    raise(SIGINT);
    expect(!interrupt_requested());
    raise(SIGTERM); // was not ignored
    expect(interrupt_requested());
}

static void not_installed(void)
{
    expect(!interrupt_requested());
    raise(SIGTERM);
    _exit(1); // not reached
}

static void first_asks_second_kills(void **state)
{
    (void)state;
    assert_int_equal(status_of(one_signal), 0);
    assert_int_equal(WTERMSIG(status_of(two_signals)), SIGINT);
    assert_int_equal(WTERMSIG(status_of(terminate_then_interrupt)), SIGINT);
}

static void ignored_signals_stay_ignored(void **state)
{
    (void)state;
    assert_int_equal(status_of(ignored_before), 0);
}

static void nothing_is_caught_unasked(void **state)
{
    (void)state;
    assert_int_equal(WTERMSIG(status_of(not_installed)), SIGTERM);
}

int main(void)
{
    signal(SIGINT, SIG_DFL); // a job in the background starts with SIGINT ignored
    signal(SIGTERM, SIG_DFL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_asks_second_kills),
        cmocka_unit_test(ignored_signals_stay_ignored),
        cmocka_unit_test(nothing_is_caught_unasked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
