// measure.h - interleaved timing of two programs in one run.
//
// Machines are noisy: absolute times mean little. Both sides are run by turns in one process, and
// what is written down is the median of each and their ratio.
#pragma once

double measure_cpu(void); // s, CPU time of this process

typedef double measure_run(void *context); // does the work once, returns its CPU time in s

// Medians of `rounds` (at most 101) interleaved runs.
void measure_both(measure_run *ours, void *our_context, measure_run *theirs, void *their_context,
                  int rounds, double *our_median, double *their_median);

// One row of bench.csv: ratio > 1 means ours is better. When less is better (times) the ratio is
// theirs / ours, otherwise ours / theirs.
void measure_print(const char *benchmark, const char *peer, double ours, double theirs,
                   const char *unit, int less_is_better);
