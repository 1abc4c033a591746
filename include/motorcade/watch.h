// watch.h - watching a long computation: how far it has come, and a way to stop it.
//
// Every function that runs for long takes one: mc_recording_play, mc_medusa_run, mc_simulate,
// mc_sweep_play. NULL: it cannot be stopped and does not report progress.
//
// Threads: both functions are called from the thread that started the computation, those of a sweep
// from any thread.
#pragma once

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_watch {
    void *context; // passed to both functions
    // Asked often, of a sweep from any thread. true: end now; what was computed so far is kept, and
    // the answer is MC_INTERRUPTED. May be NULL.
    bool (*stop)(void *context);
    // How far it has come: simulated time, s; of a sweep, the number of runs added so far, one call
    // at a time from any thread. May be NULL.
    void (*progress)(void *context, double reached);
} mc_watch;

// A `stop` whose context is an int of the caller, all zero until it asks to end: for programs in
// other languages, where a function of their own would cost more than the work between two calls.
bool mc_watch_flag(void *context);

#include "motorcade/end.h"
