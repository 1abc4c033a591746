// equilibrium.c - rest positions of mechanisms.
//
// Unknown z: moves of the coordinates along the free velocities, free states. r(z): accelerations
// at rest and rates of the states. Two methods, each where it is good:
//
// Sinking: z' = r(z), a mechanism in thick oil. At rest r = -M^-1 dV/dq where forces have a
// potential V, so V falls, and the end is a minimum, whatever the start (a pendulum held level has
// dr/dz = 0: Newton's method fails there). Implicit steps (I/h - J) dz = r; h grows as |r| falls,
// so that the steps turn into Newton's. Where nothing pushes r and J are 0, and nothing moves.
//
// Newton, J dz = -r in the sense of least squares with dz of minimum norm: for the last digits,
// and where sinking does not end, with steps halved until |r| falls.
//
// Closed mechanisms move along what their constraints leave free, weighed by M (linearize.h), and
// are closed again after each step. Time stands still: a prescribed motion is a fixed constraint.
//
// A steady acceleration a of all masses: d'Alembert's loads would be M times the accelerations of
// the velocities in such a motion. Those are a for the translations of free bodies and 0 for all
// others, so the rate less a is what must vanish.
#include "linear/linearize.h"

#include "mechanism/rolling.h"
#include "num/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double max_step = 0.2; // m or rad in one iteration
static const double rank_share = 1e-12;

typedef struct solver {
    linear_place p;
    double t, tolerance;
    int n, iterations, max_iterations;
    double *y, *trial, *start, *sunk;          // states
    double *r, *r_trial, *J, *M, *step, *work; // J at y
    double *full;                              // v_count: what moves do to the velocities
    int *pivot;
    double size; // |r| at y
} solver;

static double length_of(const double *r, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += r[i] * r[i];
    return sqrt(sum);
}

static double largest_of(const double *r, int n)
{
    double max = 0.0;
    for (int i = 0; i < n; i++)
        max = fmax(max, fabs(r[i]));
    return max;
}

// Largest acceleration or rate that is left, and whose: a velocity, or a state after them.
static double left_of(const solver *s, int *whose)
{
    const linear_place *p = &s->p;
    double max = -1.0;
    int worst = 0;
    linear_velocities(p, s->r, s->full);
    for (int i = 0; i < p->v_count + p->state_free; i++) {
        const double now = fabs(i < p->v_count ? s->full[i] : s->r[p->move_count + i - p->v_count]);
        if (now > max)
            max = now, worst = i;
    }
    if (whose)
        *whose = worst;
    return fmax(max, 0.0);
}

// r and J at y; the place stays evaluated there.
static mc_status look(solver *s, const double *y, double *r, mc_error *error)
{
    const mc_status status = linear_evaluate(&s->p, s->t, y, error);
    if (status == MC_OK)
        linear_free_rows(&s->p, s->p.rate, r);
    return status;
}

// trial = y moved by share of step. The place is evaluated at y.
static void move(solver *s, double share)
{
    const linear_place *p = &s->p;
    memcpy(s->trial, s->y, (size_t)p->y_count * sizeof *s->y);
    for (int j = 0; j < p->move_count; j++) {
        const double *along = linear_along(p, j);
        for (int k = 0; k < p->q_count; k++)
            s->trial[k] += share * s->step[j] * along[k];
    }
    for (int j = 0; j < p->state_free; j++)
        s->trial[p->q_count + p->v_count + p->free_state[j]] += share * s->step[p->move_count + j];
    mc_multibody_normalise(p->m, s->trial);
}

static double shortened(const solver *s)
{
    linear_velocities(&s->p, s->step, s->full);
    const double max = largest_of(s->full, s->p.v_count);
    return max > max_step ? max_step / max : 1.0;
}

static mc_status restart(solver *s, const double *from, mc_error *error)
{
    memmove(s->y, from, (size_t)s->p.y_count * sizeof *from);
    const mc_status status = look(s, s->y, s->r, error);
    if (status == MC_OK)
        s->size = length_of(s->r, s->n);
    return status;
}

// Takes the trial when |r| there is at most `limit`; otherwise the place is evaluated at y again.
static bool accept(solver *s, double limit)
{
    mc_error unused;
    const bool closed = !s->p.rows || linear_rows_close(&s->p, s->t, s->trial);
    if (closed && look(s, s->trial, s->r_trial, &unused) == MC_OK) {
        const double size = length_of(s->r_trial, s->n);
        if (size <= limit) {
            memcpy(s->y, s->trial, (size_t)s->p.y_count * sizeof *s->y);
            memcpy(s->r, s->r_trial, (size_t)s->n * sizeof *s->r);
            s->size = size;
            return true;
        }
    }
    look(s, s->y, s->r, &unused); // was finite before
    return false;
}

// 1 / (the fastest growth that J has), INFINITY when nothing grows.
static double growth_time(solver *s)
{
    const int n = s->n;
    double *real = s->work + 8 * n, *imaginary = real + n, *left = imaginary + n;
    memcpy(s->M, s->J, (size_t)n * (size_t)n * sizeof *s->M);
    if (!dense_eigen(n, s->M, real, imaginary, left, left + (size_t)n * (size_t)n, s->work))
        return INFINITY;
    double fastest = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        fastest = fmax(fastest, real[i]);
        size = fmax(size, hypot(real[i], imaginary[i]));
    }
    return fastest > 1e-9 * size ? 1.0 / fastest : INFINITY;
}

static void sink(solver *s)
{
    const int n = s->n;
    double h = 0.1 / fmax(largest_of(s->r, n), 1e-300);
    while (left_of(s, NULL) > s->tolerance && s->iterations < s->max_iterations && h > 1e-30) {
        s->iterations++;
        linear_rest_jacobian(&s->p, s->J);
        h = fmin(fmin(h, 1e12), 0.5 * growth_time(s));
        for (int k = 0; k < n * n; k++)
            s->M[k] = -s->J[k];
        for (int i = 0; i < n; i++)
            s->M[i * (n + 1)] += 1.0 / h;
        memcpy(s->step, s->r, (size_t)n * sizeof *s->r);
        if (!dense_factor(n, s->M, s->pivot)) {
            h /= 2.0;
            continue;
        }
        dense_back(n, s->M, s->pivot, s->step);
        const double before = s->size, share = shortened(s);
        move(s, share);
        if (!accept(s, 2.0 * before))
            h /= 4.0;
        else if (share < 1.0)
            h *= share; // what does not stop must not keep the others from settling
        else
            h *= fmin(4.0, fmax(0.5, 1.5 * before / fmax(s->size, 1e-300)));
    }
}

// Steps of Newton until |r| falls no more; returns whether the tolerance is met.
static bool newton(solver *s)
{
    const int n = s->n;
    for (int k = 0; k < 60 && s->size > 0.0; k++) {
        int rank;
        linear_rest_jacobian(&s->p, s->M);
        for (int i = 0; i < n; i++)
            s->step[i] = -s->r[i];
        if (!dense_least_squares(n, s->M, s->step, rank_share, &rank, s->work))
            break;
        const double before = s->size;
        double share = shortened(s);
        bool taken = false;
        for (int halved = 0; halved < 30 && !taken; halved++, share /= 2.0) {
            s->iterations++;
            move(s, share);
            taken = accept(s, before * (1.0 - 1e-4 * share));
            if (left_of(s, NULL) <= s->tolerance && !taken)
                break; // rounding is reached
        }
        if (!taken)
            break;
    }
    return left_of(s, NULL) <= s->tolerance;
}

// The start: at rest, and closed with what is held where it is, if that is possible.
static mc_status close_start(solver *s, const double *y, mc_error *error)
{
    const linear_place *p = &s->p;
    const size_t size = (size_t)p->y_count * sizeof *y;
    s->start = linear_doubles(&s->p.memory, (size_t)p->y_count);
    if (!s->start)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equilibrium");
    memcpy(s->start, y, size);
    memset(s->start + p->q_count, 0, (size_t)p->v_count * sizeof *y);
    mc_multibody_normalise(p->m, s->start);
    if (!p->rows)
        return MC_OK;
    const mb_row *row = linear_rows_velocity(&s->p, s->t, s->start, false);
    if (row)
        return mc_error_set(error, MC_BAD_INPUT, p->m->model.file, row->line, 0,
                            "%s %s prescribes a velocity: no equilibrium is possible",
                            row->closing >= 0 ? "joint" : "constraint", row->owner);
    if (linear_rows_close(&s->p, s->t, s->start))
        return MC_OK;
    memcpy(s->start, y, size);
    const mc_status status = mc_multibody_assemble(p->m, s->t, s->start, error);
    memset(s->start + p->q_count, 0, (size_t)p->v_count * sizeof *y);
    return status;
}

// The names that are held: those given and, of what stands, place and heading of free bodies and
// the turns of wheels. out has room for 3 per body and one per wheel after the given ones.
static int list_held(const mc_multibody *m, const mc_equilibrium_options *o, const char **out)
{
    const mb_model *model = &m->model;
    static const int place_and_heading[] = {0, 1, 5};
    int count = o ? o->hold_count : 0;
    if (count > 0)
        memcpy(out, o->hold, (size_t)count * sizeof *out);
    for (int b = 0; b < model->body_count && o && o->standing; b++)
        for (int k = 0; k < 3 && model->bodies[b].joint == MB_FREE; k++)
            out[count++] = mc_multibody_name(m, MC_QUANTITY_VELOCITY,
                                             m->system.links.body_v[b] + place_and_heading[k]);
    for (int i = 0; i < model->wheel_count && o && o->standing; i++)
        if (model->bodies[model->wheels[i].body].joint == MB_HINGE)
            out[count++] = mc_multibody_name(m, MC_QUANTITY_VELOCITY,
                                             m->system.links.body_v[model->wheels[i].body]);
    return count;
}

static mc_status set_acceleration(solver *s, const double a[3], mc_error *error)
{
    const mc_multibody *m = s->p.m;
    bool any = false;
    s->p.meant = linear_doubles(&s->p.memory, (size_t)s->p.v_count);
    if (!s->p.meant)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equilibrium");
    memset(s->p.meant, 0, (size_t)s->p.v_count * sizeof *s->p.meant);
    for (int b = 0; b < m->model.body_count; b++) {
        const mb_body *body = &m->model.bodies[b];
        if (body->joint == MB_FREE && body->quasi_velocity)
            return mc_error_set(error, MC_BAD_INPUT, m->model.file, 0, 0,
                                "%s has velocities in its own axes: a steady acceleration needs "
                                "those of the world",
                                body->name);
        for (int k = 0; k < 3 && body->joint == MB_FREE; k++)
            s->p.meant[m->system.links.body_v[b] + k] = a[k];
        any = any || body->joint == MB_FREE;
    }
    return any ? MC_OK
               : mc_error_set(error, MC_BAD_INPUT, m->model.file, 0, 0,
                              "a steady acceleration needs a free body");
}

static mc_status open_place(solver *s, mc_multibody *m, const mc_equilibrium_options *o,
                            mc_error *error)
{
    const mb_model *model = &m->model;
    const char *hold[(o ? o->hold_count : 0) + 3 * model->body_count + model->wheel_count + 1];
    const int count = list_held(m, o, hold);
    mc_status status = linear_open(&s->p, m, hold, count, error);
    s->p.resting = true;
    if (status == MC_OK && s->p.wheels)
        rolling_give(s->p.wheels, o && o->along ? o->along + multibody_contact_output(m) : NULL);
    if (status == MC_OK && o && o->acceleration)
        status = set_acceleration(s, o->acceleration, error);
    return status;
}

static mc_status set_up(solver *s, mc_multibody *m, const double *from,
                        const mc_equilibrium_options *o, mc_error *error)
{
    s->t = o ? o->t : 0.0;
    mc_status status = open_place(s, m, o, error);
    if (status == MC_OK)
        status = close_start(s, from, error);
    if (status == MC_OK)
        status = linear_start(&s->p, true, s->t, s->start, error);
    if (status != MC_OK)
        return status;
    s->tolerance = o && o->tolerance > 0.0 ? o->tolerance : 1e-9;
    s->max_iterations = o && o->max_iterations > 0 ? o->max_iterations : 1000;
    s->n = s->p.rest_count;
    const size_t y = (size_t)s->p.y_count, n = (size_t)s->n;
    double **const states[] = {&s->y, &s->trial, &s->sunk};
    double **const vectors[] = {&s->r, &s->r_trial, &s->step};
    bool good = true;
    for (int k = 0; k < 3; k++)
        good = (*states[k] = linear_doubles(&s->p.memory, y)) && good;
    for (int k = 0; k < 3; k++)
        good = (*vectors[k] = linear_doubles(&s->p.memory, n)) && good;
    s->full = linear_doubles(&s->p.memory, (size_t)s->p.v_count);
    s->J = linear_doubles(&s->p.memory, n * n);
    s->M = linear_doubles(&s->p.memory, n * n);
    s->work = linear_doubles(&s->p.memory, 10 * n + 2 * n * n);
    s->pivot = arena_alloc(&s->p.memory, n * sizeof *s->pivot);
    if (!good || !s->full || !s->J || !s->M || !s->work || !s->pivot)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equilibrium");
    return MC_OK;
}

// Name of a velocity's motion or, behind them, of a state.
static void name_of(const solver *s, int whose, char out[128], const char **unit)
{
    const linear_place *p = &s->p;
    if (whose < p->v_count)
        linear_move_name(p->m, whose, out, unit);
    else
        snprintf(out, 128, "%s",
                 mc_multibody_name(p->m, MC_QUANTITY_STATE, p->free_state[whose - p->v_count]));
}

// What remains, and how many directions are free.
static void describe(solver *s, mc_equilibrium_report *out)
{
    int worst, rank = 0;
    const char *unit;
    const double left = left_of(s, &worst);
    *out = (mc_equilibrium_report){.iterations = s->iterations, .residual = left};
    name_of(s, worst, out->worst, &unit);
    linear_rest_jacobian(&s->p, s->M);
    memset(s->step, 0, (size_t)s->n * sizeof *s->step);
    if (dense_least_squares(s->n, s->M, s->step, rank_share, &rank, s->work))
        out->unheld_count = s->n - rank;
}

static mc_status reject(solver *s, const mc_equilibrium_report *report, mc_error *error)
{
    const linear_place *p = &s->p;
    int worst, others = -1;
    left_of(s, &worst);
    for (int i = 0; i < p->v_count + p->state_free; i++)
        others +=
            fabs(i < p->v_count ? s->full[i] : s->r[p->move_count + i - p->v_count]) > s->tolerance;
    char more[64] = "", name[128];
    if (others > 0)
        snprintf(more, sizeof more, ", and %d %s not at rest either", others,
                 others == 1 ? "other is" : "others are");
    if (worst >= p->v_count)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "no equilibrium found: the state %s still changes at %.6g per "
                            "second%s; hold it to exclude it",
                            report->worst, s->r[p->move_count + worst - p->v_count], more);
    const char *unit;
    name_of(s, worst, name, &unit);
    return mc_error_set(
        error, MC_FAILED, NULL, 0, 0,
        "no equilibrium found: %s still accelerates at %.6g %s/s^2%s; support it or hold it", name,
        s->full[worst], unit, more);
}

static mc_status solve(solver *s, mc_equilibrium_report *report, mc_error *error)
{
    mc_status status = restart(s, s->start, error);
    if (status != MC_OK)
        return status;
    sink(s);
    memcpy(s->sunk, s->y, (size_t)s->p.y_count * sizeof *s->y);
    const bool done = newton(s) || (restart(s, s->start, error) == MC_OK && newton(s));
    // Without a rest, where it sank to says most: all is still but what nothing stops.
    if (!done && (status = restart(s, s->sunk, error)) != MC_OK)
        return status;
    describe(s, report);
    return left_of(s, NULL) <= s->tolerance ? MC_OK : reject(s, report, error);
}

// The outputs where the place was evaluated last.
static void take_outputs(const linear_place *p, double t, const double *y, double *out)
{
    mc_multibody_outputs_under(p->m, t, y, p->total, out);
    if (p->wheels) {
        memset(p->load[0], 0, (size_t)p->v_count * sizeof *p->load[0]);
        rolling_load(p->wheels, t, y, p->load[0]);
        memcpy(out + multibody_contact_output(p->m), rolling_forces(p->wheels),
               3 * (size_t)p->m->model.wheel_count * sizeof *out);
    }
}

mc_status mc_multibody_equilibrium(mc_multibody *m, double *y,
                                   const mc_equilibrium_options *options,
                                   mc_equilibrium_report *report, mc_error *error)
{
    mc_error own;
    mc_equilibrium_report unread;
    solver s = {0};
    mc_status status = set_up(&s, m, y, options, error ? error : &own);
    if (status == MC_OK) {
        const linear_place *p = &s.p;
        status = solve(&s, report ? report : &unread, error ? error : &own);
        memcpy(y, s.y, (size_t)p->y_count * sizeof *y);
        if (options && options->holding)
            memcpy(options->holding, p->tau, (size_t)p->v_count * sizeof *p->tau);
        if (options && options->loads)
            memcpy(options->loads, p->total, (size_t)p->v_count * sizeof *p->total);
        if (options && options->outputs)
            take_outputs(p, s.t, y, options->outputs);
    }
    if (s.p.wheels)
        rolling_give(s.p.wheels, NULL);
    linear_close(&s.p);
    return status;
}
