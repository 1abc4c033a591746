// crossing.h - when a smooth function first falls to zero: the time of impact.
//
// The function is a gap that can be looked at anywhere in an interval, value and slope together.
// The interval is short against the motion (a fraction of a period), so two ends, a cubic through
// them and a look at its minimum find every crossing but those shallower than the error of the
// cubic.
#pragma once

#include <stdbool.h>

typedef struct crossing_sample {
    double time, gap, rate;
} crossing_sample;

// Fills gap and rate at sample->time.
typedef void crossing_look(void *context, crossing_sample *sample);

// Finds the first time in [start, end] at which gap <= 0 while falling, to |gap| <= tolerance where
// it crosses. Times before `earliest` are passed over: a gap that is below zero and falling then
// counts at `earliest` (so that impacts cannot follow each other faster). A gap that turns down
// again without having left contact is still below zero where it counts. True when there is one;
// *at is then the sample there, with rate < 0.
bool crossing_find(crossing_look *look, void *context, const crossing_sample *start,
                   const crossing_sample *end, double earliest, double tolerance,
                   crossing_sample *at);
