// settle.c - where a run begins: at the start values, or at rest.
#include "linear/linearize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mc_status mc_multibody_settle(mc_multibody *m, double *y, mc_error *error)
{
    mc_error own;
    const int q = m->system.q_count, count = m->system.y_count;
    error = error ? error : &own;
    if (!m->model.from_rest)
        return MC_OK;
    double *at = malloc(((size_t)count + 1) * sizeof *at);
    if (!at)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the start");
    memcpy(at, y, (size_t)count * sizeof *at);
    const mc_status status = mc_multibody_equilibrium(m, at, NULL, NULL, error);
    if (status == MC_OK)
        memcpy(y, at, (size_t)q * sizeof *y);
    free(at);
    if (status == MC_FAILED) {
        char why[sizeof error->text];
        snprintf(why, sizeof why, "%s", error->text);
        return mc_error_set(error, MC_FAILED, m->model.file, 0, 0,
                            "%.300s; with \"simulate: {from: start}\" a run begins as drawn", why);
    }
    return status;
}
