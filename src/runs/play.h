// play.h - one run of many, from its start to its end, summed up by its figures.
#pragma once

#include "motorcade/record.h"

enum { RUNS_ENDED_MAX = 400 };

typedef struct runs_outcome {
    char ended[RUNS_ENDED_MAX]; // why; "failed: ..." when it broke off
    double failed;              // expectations that fail; NAN: the run broke off
    double value[MC_FIGURE_COUNT];
    unsigned long long hash; // of the state at the end
    double *cars;            // of the caller, [vehicle][MC_FIGURE_COUNT]; NULL: not asked
    int car_count;           // of its rows
} runs_outcome;

void runs_outcome_clear(runs_outcome *out); // no values; cars stay as they are

// A run of the scenario without files.
mc_status runs_play(const mc_scenario *s, const mc_run_options *options, const mc_watch *watch,
                    runs_outcome *out, mc_error *error);

// A failure that belongs to the values of the run is its result: MC_OK, with the reason in
// out->ended. Other failures are returned.
mc_status runs_outcome_judge(runs_outcome *out, mc_status status, const mc_error *error);
