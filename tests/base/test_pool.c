// test_pool.c - every task once, whatever the threads, the work and the order of things.
#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASK_MAX = 300 };
static const int thread_counts[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

typedef struct job {
    int round;            // written by the caller before the run, plain memory
    int calls[TASK_MAX];  // written by the owner of the index only, plain memory
    int result[TASK_MAX]; // f(index, round)
    int work;             // loops per unit of unevenness
} job;

static void count(void *context, int index)
{
    job *j = context;
    j->calls[index]++;
    j->result[index] = index * 31 + j->round;
    for (volatile int i = 0; i < j->work * (index % 7) * (index % 7); i++) // 0 to 36 units
        continue;
}

// Runs `rounds` loops of changing length and checks each before the next.
static void run_many(pool *p, int rounds, int work)
{
    job j = {.work = work};
    for (j.round = 0; j.round < rounds; j.round++) {
        const int task_count = j.round * 17 % (TASK_MAX + 1);
        memset(j.calls, 0, sizeof j.calls);
        memset(j.result, -1, sizeof j.result);
        pool_run(p, task_count, count, &j);
        for (int i = 0; i < TASK_MAX; i++) {
            assert_int_equal(j.calls[i], i < task_count);
            assert_int_equal(j.result[i], i < task_count ? i * 31 + j.round : -1);
        }
    }
}

static void every_task_runs_once(void **state)
{
    (void)state;
    for (int k = 0; k < THREAD_COUNTS; k++) {
        pool *p = pool_create(thread_counts[k]);
        assert_non_null(p);
        assert_int_equal(pool_thread_count(p), thread_counts[k]);
        run_many(p, 1000, 0);
        pool_destroy(p);
    }
}

static void uneven_work_is_shared_out(void **state)
{
    (void)state;
    for (int k = 0; k < THREAD_COUNTS; k++) {
        pool *p = pool_create(thread_counts[k]);
        run_many(p, 30, 200);
        pool_destroy(p);
    }
}

// Longer than the spin, so that workers and caller go to sleep and must be woken.
static void sleepers_are_woken(void **state)
{
    (void)state;
    for (int k = 0; k < THREAD_COUNTS; k++) {
        pool *p = pool_create(thread_counts[k]);
        for (int i = 0; i < 20; i++) {
            usleep(500);
            run_many(p, 3, 3000);
        }
        pool_destroy(p);
    }
}

static void meet(void *context, int index)
{
    atomic_int *present = context;
    (void)index;
    atomic_fetch_add(present, 1);
    while (atomic_load(present) < 3) // ends only if three threads are in their tasks together
        sched_yield();
}

static void tasks_run_at_the_same_time(void **state)
{
    (void)state;
    pool *p = pool_create(3);
    for (int i = 0; i < 50; i++) {
        atomic_int present = 0;
        pool_run(p, 3, meet, &present);
        assert_int_equal(atomic_load(&present), 3);
    }
    pool_destroy(p);
}

static void *run_own_pool(void *argument)
{
    (void)argument;
    pool *p = pool_create(3);
    for (int round = 0; round < 500; round++) {
        job j = {.round = round};
        pool_run(p, TASK_MAX, count, &j);
        for (int i = 0; i < TASK_MAX; i++)
            if (j.calls[i] != 1 || j.result[i] != i * 31 + round)
                return "wrong";
    }
    pool_destroy(p);
    return NULL;
}

static void two_pools_at_once(void **state)
{
    (void)state;
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, run_own_pool, NULL), 0);
    assert_null(run_own_pool(NULL));
    void *answer = "not joined";
    pthread_join(other, &answer);
    assert_null(answer);
}

static void destroy_right_after_create(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        pool *p = pool_create(thread_counts[i % THREAD_COUNTS]);
        assert_non_null(p);
        if (i % 2) // and right after a run
            run_many(p, 2, 0);
        pool_destroy(p);
    }
    pool_destroy(NULL);
}

static void zero_threads_means_usable_cores(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    pool *p = pool_create(0);
    assert_int_equal(pool_thread_count(p), CPU_COUNT(&before));
    pool_destroy(p);

    CPU_ZERO(&one);
    for (size_t i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    p = pool_create(0);
    assert_int_equal(pool_thread_count(p), 1);
    pool_destroy(p);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

static void run_again(void *context, int index)
{
    (void)index;
    job inner = {0};
    pool_run(context, 2, count, &inner);
}

static void nested_use_is_rejected(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            const struct rlimit none = {0, 0};
            setrlimit(RLIMIT_CORE, &none);
            if (!freopen("/dev/null", "w", stderr))
                _exit(1);
            signal(SIGABRT, SIG_DFL);
            pool *p = pool_create(threads);
            pool_run(p, 2, run_again, p);
            _exit(0);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGABRT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(uneven_work_is_shared_out),
        cmocka_unit_test(sleepers_are_woken),
        cmocka_unit_test(tasks_run_at_the_same_time),
        cmocka_unit_test(two_pools_at_once),
        cmocka_unit_test(destroy_right_after_create),
        cmocka_unit_test(zero_threads_means_usable_cores),
        cmocka_unit_test(nested_use_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
