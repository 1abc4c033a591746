// fmu.h - mechanisms and scenarios as Functional Mock-up Units (FMI 3.0 and 2.0).
//
//     mc_fmu_options o = {.version = 3, .method = "rk4", .fixed_step = 1e-3};
//     mc_fmu_report report;
//     mc_fmu_write("models/hmmwv10.yaml", &o, "car.fmu", &report, &error);
//
// The unit carries the files it was made from and a binary with everything it needs: it runs where
// Motorcade is not installed (docs/fmu.md).
//
// Threads: functions touch nothing but their arguments and may be called from any thread.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_fmu_options { // NULL or all zero: the defaults
    int version;                // of FMI: 2 or 3; 0: 3
    const char *method;         // mechanisms, co-simulation: of mc_method_at; NULL: dop853
    double fixed_step;          // s, of a method with a fixed step; otherwise 0
    double rtol;                // -, of an adaptive method; 0: 1e-9
    // A part alone, instead of the whole input; NULL: none. At most one of them.
    const char *law;        // of the library, by its name: there is no input then
    const char *vehicle;    // of a scenario: on its road, driven by inputs
    const char *controller; // of a scenario: its law
} mc_fmu_options;

typedef struct mc_fmu_report {
    char name[48];       // model identifier
    int version;         //
    bool model_exchange; // otherwise co-simulation only, because of
    const char *why;     // "" for both
    int variable_count, state_count, input_count, parameter_count, event_count;
    bool directional; // derivatives from the graph of the equations
} mc_fmu_report;

// Reads MODEL.yaml or SCENARIO.yaml and writes the unit. report may be NULL.
mc_status mc_fmu_write(const char *input, const mc_fmu_options *options, const char *output,
                       mc_fmu_report *report, mc_error *error);

#include "motorcade/end.h"
