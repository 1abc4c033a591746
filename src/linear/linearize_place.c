// linearize_place.c - a mechanism's equations at one state, with some of its motions held.
#include "linear/linearize.h"

#include "base/assert.h"
#include "mechanism/rolling.h"
#include "num/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double *linear_doubles(arena *memory, size_t count)
{
    return arena_alloc(memory, (count + 8) * sizeof(double));
}

// ---- names -------------------------------------------------------------------------------------

static int body_of_velocity(const mc_multibody *m, int velocity)
{
    const mb_model *model = &m->model;
    for (int b = 0; b < model->body_count; b++) {
        const int k = velocity - m->system.links.body_v[b];
        if (k >= 0 && k < mb_velocity_count(&model->bodies[b]))
            return b;
    }
    mc_assert(false); // every velocity belongs to a body
    return 0;
}

// Whether velocity k of the body is the rate of its coordinate k.
static bool is_rate(const mb_body *body, int k)
{
    if (body->joint == MB_FREE)
        return k < 3 && !body->quasi_velocity;
    return body->joint != MB_BALL;
}

void linear_move_name(const mc_multibody *m, int velocity, char out[128], const char **unit)
{
    const int b = body_of_velocity(m, velocity), k = velocity - m->system.links.body_v[b];
    const mb_body *body = &m->model.bodies[b];
    const bool turns = body->joint == MB_BALL || k >= 3;
    if (is_rate(body, k)) {
        const int i = m->system.links.body_q[b] + k;
        snprintf(out, 128, "%s", mc_multibody_name(m, MC_QUANTITY_COORDINATE, i));
        *unit = mc_multibody_unit(m, MC_QUANTITY_COORDINATE, i);
    } else {
        snprintf(out, 128, "%s.%s_%c", body->name, turns ? "rotation" : "along", "xyz"[k % 3]);
        *unit = turns ? "rad" : "m";
    }
}

// ---- holding -----------------------------------------------------------------------------------

static void hold_coordinate(const mc_multibody *m, int i, bool *held)
{
    for (int b = 0; b < m->model.body_count; b++) {
        const mb_body *body = &m->model.bodies[b];
        const int k = i - m->system.links.body_q[b];
        if (k < 0 || k >= mb_coordinate_count(body))
            continue;
        bool *of_body = held + m->system.links.body_v[b];
        if (is_rate(body, k)) {
            of_body[k] = true;
            continue;
        }
        const int first = body->joint == MB_FREE && k >= 3 ? 3 : 0;
        for (int j = first; j < first + 3; j++)
            of_body[j] = true;
    }
}

static mc_status hold_name(const mc_multibody *m, const char *name, bool *held, bool *held_state,
                           mc_error *error)
{
    mc_quantity quantity;
    int i;
    const mc_status status = mc_multibody_find(m, name, &quantity, &i, error);
    if (status != MC_OK)
        return status;
    if (quantity == MC_QUANTITY_COORDINATE)
        hold_coordinate(m, i, held);
    else if (quantity == MC_QUANTITY_VELOCITY)
        held[i] = true;
    else if (quantity == MC_QUANTITY_STATE)
        held_state[i] = true;
    else
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s cannot be held: it is %s; only coordinates, velocities and states "
                            "can",
                            name,
                            quantity == MC_QUANTITY_OUTPUT ? "computed from others"
                            : quantity == MC_QUANTITY_INPUT
                                ? "an input, which stays as it is set"
                                : "a parameter, which stays as it is set");
    return MC_OK;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left to linearize");
}

static mc_status make_lists(linear_place *p, const char *const *hold, int hold_count,
                            mc_error *error)
{
    const size_t v = (size_t)p->v_count, s = (size_t)p->state_count;
    bool *held = arena_alloc(&p->memory, v + s + 1);
    p->move = arena_alloc(&p->memory, (v + 1) * sizeof(int));
    p->held = arena_alloc(&p->memory, (v + 1) * sizeof(int));
    p->free_state = arena_alloc(&p->memory, (s + 1) * sizeof(int));
    p->row = arena_alloc(&p->memory, (v + s + 1) * sizeof(int));
    if (!held || !p->move || !p->held || !p->free_state || !p->row)
        return no_memory(error);
    for (int k = 0; k < hold_count; k++) {
        const mc_status status = hold_name(p->m, hold[k], held, held + v, error);
        if (status != MC_OK)
            return status;
    }
    for (int j = 0; j < p->v_count; j++)
        if (held[j])
            p->held[p->held_count++] = j;
        else
            p->move[p->move_count++] = j;
    for (int j = 0; j < p->state_count; j++)
        if (!held[p->v_count + j])
            p->free_state[p->state_free++] = j;
    return MC_OK;
}

mc_status linear_open(linear_place *p, mc_multibody *m, const char *const *hold, int hold_count,
                      mc_error *error)
{
    const mc_status possible = mc_multibody_check(m, error);
    *p = (linear_place){0};
    if (possible != MC_OK)
        return possible;
    const mc_multibody_info *info = mc_multibody_info_of(m);
    *p = (linear_place){.m = m,
                        .q_count = info->q_count,
                        .v_count = info->v_count,
                        .state_count = info->state_count,
                        .y_count = info->y_count,
                        .u_count = info->input_count + info->v_count};
    mc_status status = make_lists(p, hold, hold_count, error);
    if (status == MC_OK)
        status = multibody_standing(m, &p->wheels, error);
    return status == MC_OK && m->system.rows.live_count > 0 ? linear_rows_open(p, error) : status;
}

mc_status linear_name(linear_place *p, const char *const *names, int count, mc_error *error)
{
    bool named[p->v_count + 1];
    memset(named, 0, sizeof named);
    for (int k = 0; k < count; k++) {
        mc_quantity quantity;
        int i;
        const mc_status status = mc_multibody_find(p->m, names[k], &quantity, &i, error);
        if (status != MC_OK)
            return status;
        if (quantity != MC_QUANTITY_VELOCITY)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s cannot name a motion: it is not a velocity", names[k]);
        named[i] = true;
    }
    p->given = p->rows && count > 0;
    p->move_count = p->given ? 0 : p->move_count;
    for (int i = 0; i < p->v_count && p->given; i++)
        if (named[i])
            p->move[p->move_count++] = i;
    return MC_OK;
}

// Rows of the rate that belong to moves and free states.
static void list_rows(linear_place *p)
{
    p->rest_count = 0;
    for (int j = 0; j < p->move_count; j++)
        p->row[p->rest_count++] = p->q_count + p->move[j];
    for (int j = 0; j < p->state_free; j++)
        p->row[p->rest_count++] = p->q_count + p->v_count + p->free_state[j];
}

mc_status linear_start(linear_place *p, bool weighed, double t, const double *at, mc_error *error)
{
    const mc_multibody_info *info = mc_multibody_info_of(p->m);
    p->weighed = weighed && p->rows;
    if (p->rows) {
        const mc_status status = linear_rows_find(p, t, at, error);
        if (status != MC_OK)
            return status;
    }
    list_rows(p);
    if (p->rest_count == 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s: nothing can move", info->name);
    const size_t y = (size_t)p->y_count, h = (size_t)p->held_count;
    p->rate = linear_doubles(&p->memory, y);
    p->A = linear_doubles(&p->memory, y * y);
    p->B = linear_doubles(&p->memory, y * (size_t)p->u_count);
    p->tau = linear_doubles(&p->memory, (size_t)p->v_count);
    p->G = linear_doubles(&p->memory, h * (size_t)p->rest_count);
    p->factors = linear_doubles(&p->memory, h * h);
    p->pivot = arena_alloc(&p->memory, (h + 1) * sizeof(int));
    p->column = linear_doubles(&p->memory, y);
    p->total = linear_doubles(&p->memory, (size_t)p->v_count);
    p->load[0] = linear_doubles(&p->memory, (size_t)p->v_count);
    p->load[1] = linear_doubles(&p->memory, (size_t)p->v_count);
    p->moved = linear_doubles(&p->memory, y);
    if (!p->rate || !p->A || !p->B || !p->tau || !p->G || !p->factors || !p->pivot || !p->column ||
        !p->total || !p->load[0] || !p->load[1] || !p->moved)
        return no_memory(error);
    return MC_OK;
}

void linear_close(linear_place *p)
{
    arena_free(&p->memory);
}

// ---- values ------------------------------------------------------------------------------------

// As mc_multibody_jacobian, but under the forces p->total; the rate was asked for under them.
static void jacobian_under_total(linear_place *p)
{
    mc_multibody *m = p->m;
    multibody_code *code = multibody_use(m, MULTIBODY_JACOBIAN);
    memcpy(m->x + mb_at_tau(&m->system), p->total, (size_t)p->v_count * sizeof *p->total);
    expr_kernel_run(code->kernel, m->x, code->kept, code->result, code->work);
    const int split = p->y_count * p->y_count;
    for (int k = 0; k < m->jacobian_count; k++) {
        const int at = m->jacobian_at[k];
        *(at < split ? p->A + at : p->B + (at - split)) = code->result[k];
    }
}

// d(rate)/d(force on velocity j)
static const double *force_column(const linear_place *p, int j)
{
    return p->B + (size_t)(p->u_count - p->v_count + j) * (size_t)p->y_count;
}

// W_hh factored, G = W_fh W_hh^-1 by rows: W_hh is symmetric, so G' = W_hh^-1 W_hf.
static mc_status find_holding(linear_place *p, mc_error *error)
{
    const int h = p->held_count;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < h; i++)
            p->factors[i + h * j] = force_column(p, p->held[j])[p->q_count + p->held[i]];
    if (!dense_factor(h, p->factors, p->pivot))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "the coordinates cannot be held: no force acts on them");
    for (int i = 0; i < p->rest_count; i++) {
        for (int j = 0; j < h; j++)
            p->column[j] = force_column(p, p->held[j])[p->row[i]];
        dense_back(h, p->factors, p->pivot, p->column);
        for (int j = 0; j < h; j++)
            p->G[i + p->rest_count * j] = p->column[j];
    }
    return MC_OK;
}

static const char *state_name(const linear_place *p, int i)
{
    const int in_v = i - p->q_count, in_s = in_v - p->v_count;
    if (in_v < 0)
        return mc_multibody_name(p->m, MC_QUANTITY_COORDINATE, i);
    return in_s < 0 ? mc_multibody_name(p->m, MC_QUANTITY_VELOCITY, in_v)
                    : mc_multibody_name(p->m, MC_QUANTITY_STATE, in_s);
}

static mc_status check_finite(const linear_place *p, const double *y, mc_error *error)
{
    for (int i = 0; i < p->y_count; i++)
        if (!isfinite(y[i]))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s is not a number",
                                state_name(p, i));
    for (int i = 0; i < p->y_count; i++)
        if (!isfinite(p->rate[i]))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0, "the rate of %s is not a number",
                                state_name(p, i));
    for (int k = 0; k < p->y_count * p->y_count; k++)
        if (!isfinite(p->A[k]))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "the derivative of the rate of %s by %s is not a number",
                                state_name(p, k % p->y_count), state_name(p, k / p->y_count));
    return MC_OK;
}

static void press(const linear_place *p, double t, const double *y, double *load)
{
    memset(load, 0, (size_t)p->v_count * sizeof *load);
    rolling_load(p->wheels, t, y, load);
}

// The rate under p->total, less the accelerations that count as rest.
static void take_rate(linear_place *p, double t, const double *y)
{
    mc_multibody_rate(p->m, t, y, p->total, p->rate);
    for (int j = 0; p->meant && j < p->v_count; j++)
        p->rate[p->q_count + j] -= p->meant[j];
}

// A of what wheels do: their loads change with the state, and B says what loads do.
static void add_wheels(linear_place *p, double t, const double *y)
{
    const double h = 1e-6; // m, rad, m/s, rad/s
    const int count = p->q_count + (p->resting ? 0 : p->v_count);
    memcpy(p->moved, y, (size_t)p->y_count * sizeof *y);
    for (int k = 0; k < count; k++) {
        for (int side = 0; side < 2; side++) {
            p->moved[k] = y[k] + (side ? h : -h);
            press(p, t, p->moved, p->load[side]);
        }
        p->moved[k] = y[k];
        for (int j = 0; j < p->v_count; j++) {
            const double by = (p->load[1][j] - p->load[0][j]) / (2.0 * h);
            for (int i = 0; i < p->y_count && by != 0.0; i++)
                p->A[i + p->y_count * k] += by * force_column(p, j)[i];
        }
    }
    multibody_set_state(p->m, t, y);
}

mc_status linear_evaluate(linear_place *p, double t, const double *y, mc_error *error)
{
    mc_status status = mc_multibody_jacobian(p->m, t, y, p->A, p->B, error);
    if (status != MC_OK)
        return status;
    memset(p->total, 0, (size_t)p->v_count * sizeof *p->total);
    if (p->wheels)
        rolling_load(p->wheels, t, y, p->total);
    take_rate(p, t, y);
    if (p->rows && (status = linear_rows_find(p, t, y, error)) != MC_OK)
        return status;
    if (p->held_count > 0) {
        status = find_holding(p, error);
        if (status != MC_OK)
            return status;
        for (int j = 0; j < p->held_count; j++)
            p->column[j] = -p->rate[p->q_count + p->held[j]];
        dense_back(p->held_count, p->factors, p->pivot, p->column);
        for (int j = 0; j < p->held_count; j++)
            p->total[p->held[j]] += p->tau[p->held[j]] = p->column[j];
        take_rate(p, t, y);
    }
    if (p->held_count > 0 || p->wheels)
        jacobian_under_total(p);
    if (p->wheels)
        add_wheels(p, t, y);
    if (p->rows && (status = linear_rows_moves(p, error)) != MC_OK)
        return status;
    return check_finite(p, y, error);
}

// What is left of terms that cancel is rounding, and must not pass for a small coupling: balancing
// would blow it up before eigenvalues are sought.
static double without_rounding(double sum, double size)
{
    return fabs(sum) <= 1e-13 * size ? 0.0 : sum;
}

void linear_velocities(const linear_place *p, const double *z, double *out)
{
    memset(out, 0, (size_t)p->v_count * sizeof *out);
    for (int j = 0; j < p->move_count; j++)
        if (p->Z)
            for (int i = 0; i < p->v_count; i++)
                out[i] += p->Z[i + p->v_count * j] * z[j];
        else
            out[p->move[j]] = z[j];
}

void linear_free_rows(const linear_place *p, const double *change, double *out)
{
    for (int i = 0; i < p->move_count && p->weighed; i++) {
        out[i] = 0.0;
        for (int k = 0; k < p->v_count; k++)
            out[i] += p->L[i * p->v_count + k] * change[p->q_count + k];
    }
    for (int i = p->weighed ? p->move_count : 0; i < p->rest_count; i++) {
        double sum = change[p->row[i]], size = 0.0;
        for (int j = 0; j < p->held_count; j++) {
            const double term = p->G[i + p->rest_count * j] * change[p->q_count + p->held[j]];
            sum -= term;
            size += fabs(term);
        }
        out[i] = without_rounding(sum, size);
    }
}

void linear_rest_jacobian(linear_place *p, double *J)
{
    const size_t y = (size_t)p->y_count, n = (size_t)p->rest_count;
    for (int j = 0; j < p->move_count; j++) {
        const double *along = linear_along(p, j);
        memset(p->column, 0, y * sizeof *p->column);
        for (int k = 0; k < p->q_count; k++)
            for (size_t i = 0; i < y && along[k] != 0.0; i++)
                p->column[i] += p->A[i + y * (size_t)k] * along[k];
        linear_free_rows(p, p->column, J + n * (size_t)j);
    }
    for (int j = 0; j < p->state_free; j++) {
        const int column = p->q_count + p->v_count + p->free_state[j];
        linear_free_rows(p, p->A + y * (size_t)column, J + n * (size_t)(p->move_count + j));
    }
}
