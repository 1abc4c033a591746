// pool.c - self-scheduling by one counter that runs down.
//
// `unclaimed` starts a run at task_count. A thread that takes it from r > 0 to r - 1 owns the index
// task_count - r; one that finds r <= 0 has nothing to do. `unfinished` falls when tasks return, so
// a run cannot end while an index is owned. Hence a worker that comes late is harmless: either it
// gets nothing, or it owns an index of the run under way, whose task, context and task_count then
// stand still until it reports. They need not be atomic, and no worker has to be waited for.
//
// Sleeping, on both sides: the sleeper raises its flag under the mutex and then looks at the
// counter again; the waker changes the counter and then looks at the flag. All four are
// sequentially consistent, so at least one sees the other, and the mutex closes the gap up to the
// wait.
#include "base/pool.h"

#include "base/assert.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { CACHE_LINE = 64, SPIN_NANOSECONDS = 50000, SPINS_PER_CLOCK = 32 };

struct pool {
    // Written between runs, read by those who own an index.
    int task_count;
    void (*task)(void *context, int index);
    void *context;

    // Set once.
    int worker_count;
    bool spins; // false when the threads outnumber the cores
    pthread_t *workers;

    // Each on its own cache line: every thread writes the first two while a run lasts.
    _Alignas(CACHE_LINE) atomic_int unclaimed;
    _Alignas(CACHE_LINE) atomic_int unfinished;
    _Alignas(CACHE_LINE) atomic_uint run; // number of the newest run
    atomic_bool stop;
    atomic_int sleeping_workers;
    atomic_bool sleeping_caller;
    atomic_bool busy; // a run is under way

    pthread_mutex_t mutex; // guards nothing but the way into the two waits
    pthread_cond_t work, finished;
};

static int usable_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN); // more cores than a cpu_set_t holds
    return online > 0 ? (int)online : 1;
}

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static long long nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static bool work_is_waiting(pool *p, unsigned seen)
{
    return atomic_load(&p->run) != seen || atomic_load(&p->stop);
}

static bool run_is_finished(pool *p, unsigned unused)
{
    (void)unused;
    return atomic_load(&p->unfinished) == 0;
}

// True as soon as ready() is; false when it was not within the time to spin.
static bool spin(pool *p, bool (*ready)(pool *p, unsigned seen), unsigned seen)
{
    if (ready(p, seen))
        return true;
    if (!p->spins)
        return false;
    const long long end = nanoseconds() + SPIN_NANOSECONDS;
    do {
        for (int i = 0; i < SPINS_PER_CLOCK; i++) {
            relax();
            if (ready(p, seen))
                return true;
        }
    } while (nanoseconds() < end);
    return false;
}

// Runs what can still be claimed.
static void take_part(pool *p)
{
    int done = 0;
    for (int left; (left = atomic_fetch_sub(&p->unclaimed, 1)) > 0; done++)
        p->task(p->context, p->task_count - left);
    if (done > 0 && atomic_fetch_sub(&p->unfinished, done) == done &&
        atomic_load(&p->sleeping_caller)) {
        pthread_mutex_lock(&p->mutex);
        pthread_cond_signal(&p->finished);
        pthread_mutex_unlock(&p->mutex);
    }
}

static void *worker(void *argument)
{
    pool *p = argument;
    unsigned seen = 0;
    for (;;) {
        if (!spin(p, work_is_waiting, seen)) {
            pthread_mutex_lock(&p->mutex);
            atomic_fetch_add(&p->sleeping_workers, 1);
            while (!work_is_waiting(p, seen))
                pthread_cond_wait(&p->work, &p->mutex);
            atomic_fetch_sub(&p->sleeping_workers, 1);
            pthread_mutex_unlock(&p->mutex);
        }
        if (atomic_load(&p->stop))
            return NULL;
        seen = atomic_load(&p->run);
        take_part(p);
    }
}

pool *pool_create(int threads)
{
    mc_assert(threads >= 0);
    const int cores = usable_cores();
    const int requested = (threads > 0 ? threads : cores) - 1;
    pool *p = aligned_alloc(CACHE_LINE, sizeof *p);
    pthread_t *workers = calloc((size_t)requested + 1, sizeof *workers);
    if (!p || !workers) {
        free(p);
        free(workers);
        return NULL;
    }
    *p = (pool){.workers = workers, .spins = requested < cores};
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->finished, NULL);

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // inherited by the workers
    while (p->worker_count < requested &&
           pthread_create(&workers[p->worker_count], NULL, worker, p) == 0)
        p->worker_count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (p->worker_count < requested) {
        pool_destroy(p);
        return NULL;
    }
    return p;
}

void pool_destroy(pool *p)
{
    if (!p)
        return;
    const bool was_busy = atomic_exchange(&p->busy, true);
    mc_assert(!was_busy);
    pthread_mutex_lock(&p->mutex);
    atomic_store(&p->stop, true);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->mutex);
    for (int i = 0; i < p->worker_count; i++)
        pthread_join(p->workers[i], NULL);
    pthread_cond_destroy(&p->finished);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->mutex);
    free(p->workers);
    free(p);
}

int pool_thread_count(const pool *p)
{
    return p->worker_count + 1;
}

static void wake_workers(pool *p, int useful)
{
    if (atomic_load(&p->sleeping_workers) == 0)
        return;
    pthread_mutex_lock(&p->mutex);
    const int sleeping = atomic_load(&p->sleeping_workers);
    for (int i = 0; i < sleeping && i < useful; i++)
        pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->mutex);
}

// Tasks for all threads.
static __attribute__((noinline)) void
run_shared(pool *p, int task_count, void (*task)(void *context, int index), void *context)
{
    mc_assert(task_count >= 0);
    const bool was_busy = atomic_exchange(&p->busy, true);
    mc_assert(!was_busy); // nested, or run by two threads at once
    if (task_count <= 1) {
        for (int i = 0; i < task_count; i++)
            task(context, i);
        atomic_store_explicit(&p->busy, false, memory_order_release);
        return;
    }

    p->task_count = task_count;
    p->task = task;
    p->context = context;
    atomic_store(&p->unfinished, task_count);
    atomic_store(&p->unclaimed, task_count); // from here on late workers may join
    atomic_fetch_add(&p->run, 1);
    wake_workers(p, task_count - 1);
    take_part(p);

    if (!spin(p, run_is_finished, 0)) {
        pthread_mutex_lock(&p->mutex);
        atomic_store(&p->sleeping_caller, true);
        while (!run_is_finished(p, 0))
            pthread_cond_wait(&p->finished, &p->mutex);
        atomic_store(&p->sleeping_caller, false);
        pthread_mutex_unlock(&p->mutex);
    }
    atomic_store(&p->busy, false);
}

void pool_run(pool *p, int task_count, void (*task)(void *context, int index), void *context)
{
    // Without workers nothing is shared, and an exchange would cost as much as a small task.
    if (p->worker_count == 0) {
        mc_assert(task_count >= 0 && !atomic_load_explicit(&p->busy, memory_order_relaxed));
        atomic_store_explicit(&p->busy, true, memory_order_relaxed);
        for (int i = 0; i < task_count; i++)
            task(context, i);
        atomic_store_explicit(&p->busy, false, memory_order_release);
        return;
    }
    run_shared(p, task_count, task, context);
}
