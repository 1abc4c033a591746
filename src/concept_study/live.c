// live.c - a concept that is being edited.
#include "motorcade/concept_live.h"

#include "concept_study/stand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAKES_MAX = 100 }; // after so many texts a mechanism is made again: it keeps them all

struct mc_concept_live {
    mc_concept *concept;
    mc_multibody *m;
    double *y, *start; // equilibrium of the last text; drawn state
    bool settled;      // y is one
    mc_linear linear;
    bool linearized;
    int takes;
};

mc_concept_live *mc_concept_live_create(mc_error *error)
{
    mc_concept_live *live = calloc(1, sizeof *live);
    if (!live)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a concept");
    return live;
}

static void drop_mechanism(mc_concept_live *live)
{
    mc_multibody_free(live->m);
    free(live->y);
    free(live->start);
    live->m = NULL;
    live->y = live->start = NULL;
    live->settled = false;
    live->takes = 0;
}

void mc_concept_live_free(mc_concept_live *live)
{
    if (!live)
        return;
    if (live->linearized)
        mc_linear_free(&live->linear);
    drop_mechanism(live);
    mc_concept_free(live->concept);
    free(live);
}

// The mechanism of the concept: the one before with other numbers, if that is enough.
static mc_status follow(mc_concept_live *live, const char *name, bool *derived, mc_error *error)
{
    char *text = mc_concept_mechanism(live->concept, NULL, error);
    bool taken = false;
    if (!text)
        return error->code;
    if (live->m && live->takes++ < TAKES_MAX)
        mc_multibody_take(live->m, text, name, &taken, error);
    *derived = !taken;
    if (!taken) {
        const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
        drop_mechanism(live);
        live->m = mc_multibody_parse(text, name, &interpreted, error);
        const size_t n = live->m ? (size_t)mc_multibody_info_of(live->m)->y_count + 1 : 0;
        live->y = n ? calloc(n, sizeof *live->y) : NULL;
        live->start = n ? calloc(n, sizeof *live->start) : NULL;
        if (live->m && (!live->y || !live->start))
            mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory for the mechanism");
    }
    free(text);
    return live->m && live->y && live->start ? MC_OK : error->code;
}

static mc_status settle(mc_concept_live *live, mc_error *error)
{
    const size_t size = (size_t)mc_multibody_info_of(live->m)->y_count * sizeof *live->y;
    mc_status status = MC_FAILED;
    mc_multibody_start(live->m, live->start);
    if (live->settled)
        status = mc_multibody_equilibrium(live->m, live->y, NULL, NULL, error);
    if (status != MC_OK) {
        memcpy(live->y, live->start, size);
        status = mc_multibody_equilibrium(live->m, live->y, NULL, NULL, error);
    }
    live->settled = status == MC_OK;
    return status;
}

mc_status mc_concept_live_take(mc_concept_live *live, const char *text, const char *name,
                               mc_concept_state *out, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    *out = (mc_concept_state){0};
    mc_concept *c = mc_concept_parse(text, name, error);
    if (!c)
        return error->code;
    mc_concept_free(live->concept);
    live->concept = c;
    out->concept = c;
    if (live->linearized)
        mc_linear_free(&live->linear);
    live->linearized = false;
    mc_status status = follow(live, name, &out->derived, error);
    if (status == MC_OK)
        status = settle(live, error);
    if (status == MC_OK) {
        out->y = live->y;
        out->mechanism = live->m;
        live->linearized =
            mc_multibody_linearize(live->m, 0.0, live->y, NULL, &live->linear, error) == MC_OK;
        out->linear = live->linearized ? &live->linear : NULL;
        status = live->linearized ? MC_OK : error->code;
    }
    if (out->y && mc_concept_on_tyres(c))
        out->loaded = mc_concept_loads_at(c, live->m, live->y, &out->loads, error) == MC_OK;
    else
        out->loaded = mc_concept_stand(c, &out->loads, error) == MC_OK;
    if (status != MC_OK || !out->loaded)
        snprintf(out->why, sizeof out->why, "%.290s", error->text);
    return MC_OK;
}
