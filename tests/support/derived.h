// derived.h - a model derived and run by the interpreter, and its nodes in 113 bits.
#pragma once

#include "expr/interpret.h"
#include "equations/derive.h"
#include "support/graph_value.h"

typedef struct derived {
    mb_model model; // filled by the caller, freed here
    mb_system system;
    expr_program *forward, *rate;
    expr_machine *forward_machine, *rate_machine;
    double *parameter, *forward_kept, *rate_kept, *work;
    double *x; // variables, as derive.h orders them
} derived;

// Derives d->model in the form and prepares with its parameters. Fails the test when it cannot.
void derived_make(derived *d, mb_form form);
void derived_free(derived *d);

// From d->x.
void derived_forward(derived *d, double *vdot); // v_count
void derived_rate(derived *d, double *dy);      // y_count

// Values of `count` nodes of the graph at d->x.
void derived_values(const derived *d, const expr_id *nodes, int count, double *value);
