// motion.c - the recorded motion of a mechanism: its text, its values, its states.
#include "motorcade/motion.h"

#include "motorcade/simulate.h"
#include "replay/recorded.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 40000000 }; // states in all rows that are kept

struct mc_motion {
    mc_multibody *m;
    double *t, *y;
    int rows, y_count;
};

static mc_status no_memory(const char *path, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for the motion");
}

static const char *state_name(const mc_multibody *m, int i)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    if (i < info->q_count)
        return mc_multibody_name(m, MC_QUANTITY_COORDINATE, i);
    i -= info->q_count;
    return i < info->v_count ? mc_multibody_name(m, MC_QUANTITY_VELOCITY, i)
                             : mc_multibody_name(m, MC_QUANTITY_STATE, i - info->v_count);
}

static mc_status make_mechanism(mc_motion *out, recorded *r, mc_error *error)
{
    const char *text = results_reader_text(r->file, "mechanism");
    if (strcmp(r->kind, "simulate") != 0 || !text)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has no motion of a mechanism: expected a results file of motorcade "
                            "simulate of this version");
    out->m = mc_multibody_parse(text, r->path, NULL, error);
    int64_t count = 0;
    const char *const *values = results_reader_list(r->file, "values", &count);
    for (int64_t k = 0; out->m && k < count; k++) {
        char name[128];
        const char *equals = strstr(values[k], " = ");
        snprintf(name, sizeof name, "%.*s",
                 equals && equals - values[k] < 127 ? (int)(equals - values[k]) : 0, values[k]);
        if (equals && mc_simulate_set(out->m, NULL, name, equals + 3, error) != MC_OK)
            return error->code;
    }
    if (!out->m)
        return error->code;
    out->y_count = mc_multibody_info_of(out->m)->y_count;
    return MC_OK;
}

typedef struct filling {
    mc_motion *out;
    const recorded *r;
    const int *quantity; // of each state
} filling;

static mc_status take_block(void *context, const recorded_block *block, mc_error *error)
{
    const filling *f = context;
    for (int64_t k = 0; k < block->count; k++) {
        double *y = f->out->y + (size_t)(block->first + k) * (size_t)f->out->y_count;
        f->out->t[block->first + k] = block->time[k];
        for (int i = 0; i < f->out->y_count; i++) {
            y[i] = recorded_value(block, k, 0, &f->r->quantities[f->quantity[i]]);
            if (!isfinite(y[i]))
                return mc_error_set(error, MC_BAD_INPUT, f->r->path, 0, 0,
                                    "%s is not a finite number at t = %g s",
                                    state_name(f->out->m, i), block->time[k]);
        }
    }
    return MC_OK;
}

static mc_status fill(mc_motion *out, recorded *r, mc_error *error)
{
    const int n = out->y_count;
    if (r->row_count < 1 || r->row_count > NUMBERS_MAX / (n + 1))
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has %lld rows; expected 1 to %d of this mechanism",
                            (long long)r->row_count, NUMBERS_MAX / (n + 1));
    out->rows = (int)r->row_count;
    out->t = calloc((size_t)out->rows, sizeof *out->t);
    out->y = calloc((size_t)out->rows * (size_t)(n + 1), sizeof *out->y);
    int *quantity = calloc((size_t)n + 1, sizeof *quantity);
    mc_status status = out->t && out->y && quantity ? MC_OK : no_memory(r->path, error);
    for (int i = 0; i < n && status == MC_OK; i++) {
        quantity[i] = recorded_find(r, state_name(out->m, i));
        if (quantity[i] < 0)
            status = mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                                  "has no column %s: where the bodies were is not known; record "
                                  "all coordinates and velocities (simulate without --record)",
                                  state_name(out->m, i));
    }
    const recorded_part part = {
        .count = r->row_count, .vehicle_count = 1, .tables = 1u << RECORDED_MOTION};
    filling f = {out, r, quantity};
    if (status == MC_OK)
        status = recorded_walk(r, &part, take_block, &f, error);
    free(quantity);
    return status;
}

bool mc_motion_is(const char *path)
{
    mc_error error;
    results_reader *file = results_reader_open(path, &error);
    const bool is = file && results_reader_text(file, "mechanism");
    results_reader_free(file);
    return is;
}

mc_motion *mc_motion_load(const char *path, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    mc_motion *out = calloc(1, sizeof *out);
    recorded r;
    mc_status status = out ? recorded_open(&r, path, error) : no_memory(path, error);
    if (status == MC_OK)
        status = make_mechanism(out, &r, error);
    if (status == MC_OK)
        status = fill(out, &r, error);
    if (out)
        recorded_close(&r);
    if (status == MC_OK)
        return out;
    mc_motion_free(out);
    return NULL;
}

void mc_motion_free(mc_motion *m)
{
    if (!m)
        return;
    mc_multibody_free(m->m);
    free(m->t);
    free(m->y);
    free(m);
}

mc_multibody *mc_motion_mechanism(mc_motion *m)
{
    return m->m;
}

int mc_motion_row_count(const mc_motion *m)
{
    return m->rows;
}

double mc_motion_time(const mc_motion *m, int row)
{
    return m->t[row];
}

const double *mc_motion_state(const mc_motion *m, int row)
{
    return m->y + (size_t)row * (size_t)m->y_count;
}
