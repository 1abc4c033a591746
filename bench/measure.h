// measure.h - interleaved timing of programs in one run.
//
// Machines are noisy: absolute times mean little. All sides are run alternately in one process, and
// the results are the median of each (for short work, its best tenth) and their ratio.
#pragma once

#include <stdbool.h>

double measure_cpu(void); // s, CPU time of this process

double measure_median(double *values, int count); // puts them in order

typedef double measure_run(void *context); // does the work once, returns its CPU time in s

// Medians of `rounds` (at most 101) interleaved runs.
void measure_both(measure_run *ours, void *our_context, measure_run *theirs, void *their_context,
                  int rounds, double *our_median, double *their_median);

// Short work, several sides alternately: `seconds` becomes the time that a tenth of the rounds
// beats.
typedef struct measure_side {
    measure_run *run;
    void *context;
    double seconds;
} measure_side;

void measure_sides(measure_side *side, int count, int rounds); // rounds: at most 101

// Keeps the calling thread, and what it starts from then on, on the core it is on; or lets it go.
void measure_pin(bool pinned);

// One row of bench.csv: ratio > 1 means ours is better. When less is better (times) the ratio is
// theirs / ours, otherwise ours / theirs.
void measure_print(const char *benchmark, const char *peer, double ours, double theirs,
                   const char *unit, int less_is_better);

// A row without a peer: "-" in the columns of the other side.
void measure_print_alone(const char *benchmark, double ours, const char *unit);
