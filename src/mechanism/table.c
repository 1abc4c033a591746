// table.c - accelerations for the states of a CSV file.
#include "base/text.h"
#include "io/csv.h"
#include "mechanism/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Places of the columns among q, v, tau; -1: no such column.
typedef struct columns {
    int *at; // q_count + 2 v_count
    bool forces;
} columns;

static const char *own_name(const mc_multibody *m, int k, char out[128])
{
    const int nq = m->system.q_count, nv = m->system.v_count;
    if (k < nq)
        snprintf(out, 128, "%s", mc_multibody_name(m, MC_QUANTITY_COORDINATE, k));
    else if (k < nq + nv)
        snprintf(out, 128, "%s", mc_multibody_name(m, MC_QUANTITY_VELOCITY, k - nq));
    else
        snprintf(out, 128, "tau.%s", mc_multibody_name(m, MC_QUANTITY_VELOCITY, k - nq - nv));
    return out;
}

static const char *numbered_name(const mc_multibody *m, int k, char out[128])
{
    const int nq = m->system.q_count, nv = m->system.v_count;
    if (k < nq)
        snprintf(out, 128, "q%d", k);
    else if (k < nq + nv)
        snprintf(out, 128, "v%d", k - nq);
    else
        snprintf(out, 128, "tau%d", k - nq - nv);
    return out;
}

static mc_status unknown_column(const mc_multibody *m, const char *path, const char *name,
                                mc_error *error)
{
    const int nq = m->system.q_count, nv = m->system.v_count;
    return mc_error_set(error, MC_BAD_INPUT, path, 1, 0,
                        "unknown column \"%s\"; %s expects q0..q%d, v0..v%d, tau0..tau%d, or its "
                        "own names (%s, ...)",
                        name, m->model.name, nq - 1, nv - 1, nv - 1,
                        mc_multibody_name(m, MC_QUANTITY_COORDINATE, 0));
}

static mc_status find_columns(const mc_multibody *m, const char *path, const csv *table,
                              columns *out, mc_error *error)
{
    const int nq = m->system.q_count, nv = m->system.v_count, count = nq + 2 * nv;
    char own[128], numbered[128];
    for (int k = 0; k < count; k++)
        out->at[k] = -1;
    for (int c = 0; c < table->column_count; c++) {
        int k = 0;
        while (k < count && strcmp(table->names[c], own_name(m, k, own)) != 0 &&
               strcmp(table->names[c], numbered_name(m, k, numbered)) != 0)
            k++;
        if (k == count)
            return unknown_column(m, path, table->names[c], error);
        if (out->at[k] >= 0)
            return mc_error_set(error, MC_BAD_INPUT, path, 1, 0, "%s is given twice (as %s)", own,
                                table->names[c]);
        out->at[k] = c;
    }
    out->forces = false;
    for (int k = nq + nv; k < count; k++)
        out->forces = out->forces || out->at[k] >= 0;
    for (int k = 0; k < (out->forces ? count : nq + nv); k++)
        if (out->at[k] < 0)
            return mc_error_set(error, MC_BAD_INPUT, path, 1, 0,
                                "no column %s (%s); %s has %d coordinates and %d velocities%s",
                                numbered_name(m, k, numbered), own_name(m, k, own), m->model.name,
                                nq, nv, k >= nq + nv ? "; give all tau columns or none" : "");
    return MC_OK;
}

// Quaternions must have length 1; what is off by rounding in print is set right.
static mc_status check_state(const mc_multibody *m, const char *path, int line, double *y,
                             mc_error *error)
{
    for (int b = 0; b < m->model.body_count; b++) {
        double *q = multibody_quaternion(m, y, b), sum = 0.0;
        if (!q)
            continue;
        for (int k = 0; k < 4; k++)
            sum += q[k] * q[k];
        if (!(fabs(sum - 1.0) < 1e-3))
            return mc_error_set(error, MC_BAD_INPUT, path, line, 0,
                                "the quaternion of %s has length %.6g; it must be 1",
                                m->model.bodies[b].name, sqrt(sum));
        for (int k = 0; k < 4 && fabs(sum - 1.0) > 1e-14; k++)
            q[k] /= sqrt(sum);
    }
    return MC_OK;
}

static mc_status evaluate(mc_multibody *m, const columns *at, const char *path, int line,
                          const double *row, bool add_loads, double *y, double *vdot,
                          mc_error *error)
{
    const mb_system *s = &m->system;
    const int nq = s->q_count, nv = s->v_count;
    double *tau = y + s->y_count, *dy = tau + nv;
    mc_multibody_start(m, y);
    for (int k = 0; k < nq + nv; k++)
        y[k] = row[at->at[k]];
    for (int k = 0; k < nv; k++)
        tau[k] = at->forces ? row[at->at[nq + nv + k]] : 0.0;
    const mc_status status = check_state(m, path, line, y, error);
    if (status != MC_OK)
        return status;
    if (at->forces && !add_loads) {
        mc_multibody_multipliers(m, y, y + nq, tau, vdot, vdot + nv);
    } else {
        mc_multibody_rate(m, 0.0, y, tau, dy);
        memcpy(vdot, dy + nq, (size_t)nv * sizeof *vdot);
        multibody_loops_lambda(m, vdot + nv);
    }
    for (int k = 0; k < nv; k++)
        if (!isfinite(vdot[k]))
            return mc_error_set(error, MC_FAILED, path, line, 0,
                                "the acceleration of %s is not finite: a singular position?",
                                mc_multibody_name(m, MC_QUANTITY_VELOCITY, k));
    return MC_OK;
}

mc_status mc_multibody_accelerations_table(mc_multibody *m, const char *path, bool add_loads,
                                           mc_take_row *take, void *context, mc_error *error)
{
    const mb_system *s = &m->system;
    arena memory = {0};
    csv table;
    columns at = {0};
    mc_status status = csv_read(&memory, path, &table, error);
    double *y = NULL, *vdot = NULL;
    if (status == MC_OK) {
        at.at = arena_alloc(&memory, (size_t)(s->q_count + 2 * s->v_count + 1) * sizeof(int));
        y = arena_alloc(&memory, (size_t)(2 * s->y_count + s->v_count + 1) * sizeof *y);
        vdot = arena_alloc(&memory, (size_t)(s->v_count + s->rows.kept_count + 1) * sizeof *vdot);
        if (!at.at || !y || !vdot)
            status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the states");
    }
    if (status == MC_OK)
        status = find_columns(m, path, &table, &at, error);
    for (int i = 0; status == MC_OK && i < table.row_count; i++) {
        status = evaluate(m, &at, path, table.line[i],
                          table.values + (size_t)i * (size_t)table.column_count, add_loads, y, vdot,
                          error);
        if (status == MC_OK)
            status = take(context, i, vdot);
    }
    arena_free(&memory);
    return status;
}
