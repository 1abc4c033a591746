// stand.h - a concept as a mechanism in equilibrium on its tyres, and the axle loads of one that is
// known.
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

bool concept_all_on_tyres(const mc_concept *c);
// y: an equilibrium of the mechanism of the concept.
mc_status concept_loads_at(const mc_concept *c, mc_multibody *m, const double *y,
                           mc_concept_loads *out, mc_error *error);
