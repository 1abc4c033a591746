// pool.h - threads that share out the tasks of one loop.
//
// pool_run(p, n, task, context) calls task(context, i) once for every i in 0..n-1, on the workers
// and on the calling thread, and returns when all have returned. Which thread runs which index is
// not determined: a result that must have the same bits for every number of threads may depend on
// i only, never on the thread.
//
// Lifetime and order:
// 1. What the caller wrote before pool_run is seen by every task; what the tasks wrote is seen by
//    the caller after it.
// 2. One run at a time: a task must not call pool_run on its own pool, and two threads must not run
//    one pool together (mc_assert). Different pools are independent.
// 3. A run allocates nothing. It may take a lock and read the clock, so it belongs around the steps
//    of a batch, not inside a kernel.
// 4. Workers block all signals, so that Ctrl-C reaches the thread that made the pool.
//
// Between runs a worker spins for a short time, then sleeps; with more threads than usable cores it
// sleeps at once. Runs that follow each other within about 50 us cost about a microsecond.
#pragma once

typedef struct pool pool;

// threads counts the caller; 0 takes one for every core this process may use. NULL when the machine
// has no memory or no thread left.
pool *pool_create(int threads);

void pool_destroy(pool *p); // p may be NULL; no run may be under way

int pool_thread_count(const pool *p); // the caller included

void pool_run(pool *p, int task_count, void (*task)(void *context, int index), void *context);
