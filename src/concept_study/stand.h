// stand.h - axle loads of a concept from an equilibrium that is known.
#pragma once

#include "motorcade/concept.h"
#include "motorcade/multibody.h"

bool concept_all_on_tyres(const mc_concept *c);
// y: an equilibrium of the mechanism of the concept.
mc_status concept_loads_at(const mc_concept *c, mc_multibody *m, const double *y,
                           mc_concept_loads *out, mc_error *error);
