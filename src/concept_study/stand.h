// stand.h - a concept as a mechanism in equilibrium on its tyres.
#pragma once

#include "concept/concept.h"
#include "motorcade/multibody.h"

typedef struct stand {
    mc_multibody *m;
    double *y, *out; // state, outputs
} stand;

mc_status stand_make(const mc_concept *c, stand *s, mc_error *error);
void stand_free(stand *s);                             // also after a failure
double stand_output(const stand *s, const char *name); // NAN: unknown
