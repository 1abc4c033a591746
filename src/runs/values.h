// values.h - the scenario of one run of many: the same text and files, other numbers.
#pragma once

#include "base/arena.h"
#include "motorcade/runs.h"

typedef struct runs_values {
    arena memory;
    mc_scenario *base;  // as it is
    const char *text;   // what is parsed for each run
    const char **names; // of the values
    int count;
} runs_values;

// Copies what it needs; every name is tried. The scenario is kept.
mc_status runs_values_make(runs_values *v, const mc_runs_request *request, mc_error *error);
void runs_values_free(runs_values *v);

// The scenario with `count` values, to be freed; without names the one that all share. NULL: see
// *error. exported: its text has the values, too, which takes time. Threads may call it at once.
mc_scenario *runs_values_scenario(const runs_values *v, const double *values, bool exported,
                                  mc_error *error);
