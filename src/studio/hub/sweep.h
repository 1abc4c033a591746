// sweep.h - a grid of runs in the background of the studio: one sweep at a time, on a thread of low
// priority; cells are told as they come.
//
// The simulation thread makes, starts and ends it; the sweep's thread runs it and tells pages.
#pragma once

#include "motorcade/sweep.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct hub hub;

enum { MAX_SWEEP_AXES = 4 };

typedef struct sweep {
    hub *h;
    pthread_t thread;
    int number;
    char *path, *text; // of the scenario
    char table[160];   // file
    char *vary[MAX_SWEEP_AXES];
    int vary_count;
    char *set; // NAME=VALUE of all runs, or NULL
    mc_sweep *grid;
    int runs;
    bool *told;  // by run
    double last; // s of the clock
    atomic_bool stop, over;
} sweep;

bool sweep_start(sweep *s); // its thread; h, grid, runs and told are set. False: no thread
void sweep_free(sweep *s);  // one that has no thread
void sweep_end(hub *h);     // stops the hub's, if there is one
