// verify.h - published benchmarks, run and compared digit by digit.
//
//     for (int i = 0; mc_verify_at(i); i++) {
//         mc_verify_summary summary;
//         if (mc_verify_run(i, show, NULL, &summary, &error) != MC_OK || summary.failed > 0)
//             ... it does not hold ...
//     }
//
// A benchmark is a mechanism or a run with independent reference values: a closed form, a
// conservation law, a printed table. The models are built in; no file is read or left behind.
// Digits are -log10 of the relative error, of the absolute one where the reference is 0; 16 at most
// and 0 at least.
//
// Threads: benchmarks are independent: each call may come from any thread, which also gets its
// reports.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_verify_benchmark {
    const char *name;
    const char *doc;    // what it is, one line
    const char *source; // where the reference values are from
} mc_verify_benchmark;

const mc_verify_benchmark *mc_verify_at(int i); // NULL past the last

// Number of the benchmark; -1 with *error filled when there is none: the nearest name is offered.
int mc_verify_find(const char *name, mc_error *error);

typedef struct mc_verify_result { // one number compared
    const char *benchmark;
    const char *quantity; // with its instant: "tip.x at 3 s"; valid during the call
    double value, reference;
    double digits;   // that agree
    double required; // digits needed to pass; of a print all must be the same, rounded
    bool pass;
} mc_verify_result;

typedef void mc_verify_report(void *context, const mc_verify_result *result);

typedef struct mc_verify_summary {
    int checks, failed; // numbers compared, numbers that do not agree
    double drift; // largest change of the energy, by the largest energy of the run; NAN: no measure
    double seconds; // of this computer
} mc_verify_summary;

// Runs benchmark i, from 0; report (may be NULL) is called for every number. MC_OK when it came to
// its end, whether or not the numbers agree; MC_FAILED with *error filled when it could not be run.
mc_status mc_verify_run(int i, mc_verify_report *report, void *context, mc_verify_summary *summary,
                        mc_error *error);

double mc_verify_digits(double value, double reference);

#include "motorcade/end.h"
