// sweep_progress.h - how many runs of a sweep are done, for the person who waits for it.
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
    bool terminal, shown;
    double start, drawn; // s, monotonic clock
} sweep_progress;

void sweep_progress_begin(sweep_progress *p, FILE *out);
void sweep_progress_update(void *p, const mc_sweep_counts *counts); // an mc_sweep_watch's
void sweep_progress_end(sweep_progress *p, const mc_sweep_counts *counts);

// The line, without a newline. wall: s since the start.
void sweep_progress_format(char *out, size_t size, const mc_sweep_counts *counts, double wall,
                           bool finished);
