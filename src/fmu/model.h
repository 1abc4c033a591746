// model.h - what a unit is made of, whatever the version of FMI and whatever runs inside.
//
// A model lists its variables; their numbers are its value references, so that the exporter, which
// writes the description, and the binary, which is asked for values, agree by construction: both
// open the same files with the same code. Variable 0 is time.
//
// A model with states can be integrated by the importer (model exchange); every model can advance
// by itself (co-simulation).
#pragma once

#include "base/arena.h"
#include "base/bytes.h"
#include "motorcade/status.h"

#include <stdbool.h>

typedef enum fmu_causality {
    FMU_INDEPENDENT, // time
    FMU_PARAMETER,
    FMU_INPUT,
    FMU_OUTPUT,
    FMU_LOCAL,
} fmu_causality;

typedef struct fmu_variable {
    const char *name;
    const char *unit, *doc; // ""
    fmu_causality causality;
    bool boolean;      // otherwise a real number
    bool tunable;      // a parameter that may change during a run
    bool exact;        // has a start value; otherwise it is computed
    bool indicator;    // of an event
    double start;      // of what is set from outside
    double min, max;   // equal: no range
    int derivative_of; // variable; 0: none
} fmu_variable;

typedef struct fmu_settings { // of resources/settings.txt
    bool scenario;            // otherwise a mechanism, or
    char law[48];             // a law of the library by its name
    char vehicle[48];         // of the scenario, alone; "": all of it
    char controller[48];      // of the scenario: its law alone
    char method[24];          // "": the default
    double fixed_step, rtol;  // 0: the default
} fmu_settings;

typedef struct fmu_model fmu_model;

typedef struct fmu_kind {
    void (*close)(fmu_model *m);
    double (*get)(fmu_model *m, int variable);
    // MC_BAD_INPUT: out of range.
    mc_status (*set)(fmu_model *m, int variable, double value, mc_error *error);
    // Initial values are consistent from here on; called again after a change of one of them.
    mc_status (*initialize)(fmu_model *m, double t, mc_error *error);
    // Co-simulation: to t_end. MC_BAD_INPUT: cannot stop there.
    mc_status (*advance)(fmu_model *m, double t_end, mc_error *error);
    void (*save)(fmu_model *m, bytes *out);
    mc_status (*restore)(fmu_model *m, bytes_reader *in, mc_error *error);
    // Model exchange; NULL where there is none. x, dx: state_count; values: event_count.
    void (*set_time)(fmu_model *m, double t);
    void (*get_states)(fmu_model *m, double *x);
    void (*set_states)(fmu_model *m, const double *x);
    void (*rates)(fmu_model *m, double *dx);
    void (*indicators)(fmu_model *m, double *values);
    // The states as they are now were accepted; true: an event must be handled.
    bool (*completed)(fmu_model *m);
    mc_status (*event)(fmu_model *m, bool *states_changed, mc_error *error);
    // sensitivity = sum over known of d unknown / d known * seed. NULL: not known.
    mc_status (*directional)(fmu_model *m, const int *unknown, int unknown_count, const int *known,
                             int known_count, const double *seed, double *sensitivity,
                             mc_error *error);
} fmu_kind;

struct fmu_model {
    const fmu_kind *kind;
    arena memory;
    const char *name, *doc;
    fmu_variable *variables;
    int variable_count;
    int first_state, first_rate; // variables; states follow each other, and so do their rates
    int state_count;             // 0: co-simulation only
    int first_indicator, event_count;
    bool completes;          // `completed` must be called
    bool shows_rows;         // values are those of a row of results: set for co-simulation
    const char *why;         // there is no model exchange; "" where there is
    double step;             // s, that co-simulation steps are multiples of; 0: any
    double length;           // s, of the present co-simulation step, as the importer gave it
    double end;              // s, of a usual run
    double output;           // s, between rows of a usual run
    unsigned long long hash; // of everything it was made from
};

// folder: of model.yaml or scenario.yaml and the files they name. NULL: see *error.
fmu_model *fmu_model_open(const fmu_settings *settings, const char *folder, mc_error *error);
fmu_model *fmu_mechanism_open(const fmu_settings *settings, const char *path, mc_error *error);
fmu_model *fmu_impulses_open(const fmu_settings *settings, const char *path, mc_error *error);
fmu_model *fmu_scenario_open(const fmu_settings *settings, const char *path, mc_error *error);
fmu_model *fmu_vehicle_open(const fmu_settings *settings, const char *path, mc_error *error);
fmu_model *fmu_law_open(const fmu_settings *settings, const char *path, mc_error *error);
void fmu_model_close(fmu_model *m);

// For kinds: another variable, all zero but its texts, which are copied. NULL: no memory.
fmu_variable *fmu_model_add(fmu_model *m, const char *name, const char *unit, const char *doc,
                            fmu_causality causality);

// settings.txt: one "NAME VALUE" per line.
void fmu_settings_print(const fmu_settings *s, char *out, size_t size);
mc_status fmu_settings_read(fmu_settings *s, const char *text, const char *file, mc_error *error);

// "MODEL-0123456789abcdef": of files, settings and the version of Motorcade.
void fmu_model_token(const fmu_model *m, const fmu_settings *settings, char out[80]);
