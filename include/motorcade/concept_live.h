// concept_live.h - a concept that is being edited: masses, axle loads and modes of one text after
// the other.
//
//     mc_concept_live *live = mc_concept_live_create(&error);
//     mc_concept_state state;
//     if (mc_concept_live_take(live, text, "pickup.yaml", &state, &error) == MC_OK && state.linear)
//         printf("%d modes\n", state.linear->count);
//     mc_concept_live_free(live);
//
// Where a text differs from the one before in numbers only, its equations are not derived again,
// and its equilibrium is looked for from the one before.
//
// Threads: used by one thread at a time.
#pragma once

#include "motorcade/concept.h"
#include "motorcade/linear.h"

#include "motorcade/begin.h"

typedef struct mc_concept_live mc_concept_live;

mc_concept_live *mc_concept_live_create(mc_error *error); // NULL: no memory
void mc_concept_live_free(mc_concept_live *live);

typedef struct mc_concept_state { // lives until the next call
    const mc_concept *concept;
    mc_concept_loads loads;
    bool loaded;             // loads are known
    const mc_linear *linear; // small motions about the equilibrium; NULL: there is none
    const double *y;         // the equilibrium, or NULL
    const mc_multibody *mechanism;
    char why[300]; // no equilibrium, no loads; "": none of that
    bool derived;  // equations were derived for it
} mc_concept_state;

// MC_BAD_INPUT: the text is no concept; what was taken before stays.
mc_status mc_concept_live_take(mc_concept_live *live, const char *text, const char *name,
                               mc_concept_state *out, mc_error *error);

// Loads of the axles of the mechanism of a concept in a state, such as an equilibrium; the concept
// has tyre springs under all axles.
mc_status mc_concept_loads_at(const mc_concept *c, mc_multibody *m, const double *y,
                              mc_concept_loads *out, mc_error *error);
bool mc_concept_on_tyres(const mc_concept *c); // it has

#include "motorcade/end.h"
