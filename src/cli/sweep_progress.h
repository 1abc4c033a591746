// sweep_progress.h - the progress of a sweep, for the terminal.
//
// On a terminal one line is redrawn at most ten times a second, elsewhere one is printed at most
// every 10 s:
//     430 of 1000 runs  38.2 runs/s  0:15 left
#pragma once

#include "motorcade/sweep.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sweep_progress {
    FILE *out;
    const mc_sweep *sweep;
    bool terminal;
    double start, drawn; // s, monotonic clock
} sweep_progress;

void sweep_progress_begin(sweep_progress *p, FILE *out, const mc_sweep *sweep);
void sweep_progress_update(void *p, double runs); // the progress of an mc_watch
void sweep_progress_end(sweep_progress *p);

// The line, without a newline. wall: s since the start.
void sweep_progress_format(char *out, size_t size, const mc_sweep_counts *counts, double wall,
                           bool finished);
