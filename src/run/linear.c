// linear.c - one vehicle of a run as a linear system, from its own steps.
//
// A step over h takes the saved state s to F(s, u). About the present state, with columns by
// central differences,
//     d s(t + h) = P ds + G du,   [P G; 0 1] = exp(h [A B; 0 0]),
// so that A and B are the logarithm of that matrix over h, by its series: h is short against every
// motion of a vehicle, and the vehicle's own integrator is far more exact than differences are.
//
// What a kind saves is more than its states. Parts that do not change are constants; parts that
// speed does not depend on, directly or through others (energy totals, clocks, the position on a
// level road), are left out. No knowledge of the kind is needed: without influence the bits are the
// same.
#include "run/linear.h"

#include "num/dense.h"
#include "run/run.h"

#include "base/assert.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER_MAX = MC_RUN_LINEAR_MAX, AUGMENTED = ORDER_MAX + 1 };
// s: the longest for which the logarithm has its series, since differences over a shorter one have
// more rounding.
static const double steps[] = {2e-4, 2e-5, 2e-6};
enum { STEPS = sizeof steps / sizeof steps[0] };
static const double CHANGE = 1e-5; // of a state or input, relative to its size

typedef struct probe {
    mc_batch *batch;
    int i, size;       // vehicle, doubles of its state
    double *start;     // as it is
    double *state;     // to begin from
    double *up, *down; // results
    mc_inputs inputs;
    mc_run_input input;
    double u;
    double step;             // s
    linear_lateral *lateral; // NULL: along the road. Else: the input is the steering, v is held
    int held;                // part that is v then; -1: none
} probe;

static mc_inputs inputs_with(const probe *p, double u)
{
    mc_inputs in = p->inputs;
    if (p->lateral)
        in.steer = u;
    else if (p->input == MC_RUN_INPUT_ACCELERATION)
        in.acceleration = u;
    else if (p->input == MC_RUN_INPUT_THROTTLE)
        in.throttle = u;
    else
        in.brake = u;
    return in;
}

// The state after `duration` from p->state under u; 0: just after the input is set.
static mc_motion move(const probe *p, double u, double duration, double *out)
{
    const mc_vehicle_kind *kind = p->batch->kind;
    const mc_inputs in = inputs_with(p, u);
    mc_motion m;
    kind->restore(p->batch, p->i, p->state);
    kind->set_inputs(p->batch, p->i, 1, &in);
    if (duration > 0.0)
        kind->advance(p->batch, p->i, 1, duration);
    kind->motion(p->batch, p->i, 1, &m);
    kind->save(p->batch, p->i, out);
    return m;
}

int run_linear_place(const mc_batch *batch, const char *name)
{
    mc_state_name found;
    const int size = batch->kind->state_name ? batch->kind->save_size(batch) : 0;
    for (int k = 0; k < size; k++)
        if (batch->kind->state_name(batch, k, &found) && strcmp(found.name, name) == 0)
            return k;
    return -1;
}

// Parts that change in time or with the input, but are not the input itself.
static int find_states(probe *p, int *index, int max)
{
    int count = 0;
    double *set = malloc((size_t)p->size * sizeof *set);
    if (!set)
        return -1;
    move(p, p->u + CHANGE, 0.0, set);
    move(p, p->u, 50.0 * steps[0], p->up);
    move(p, p->u + CHANGE, 50.0 * steps[0], p->down);
    for (int k = 0; k < p->size; k++)
        if (k != p->held && set[k] == p->state[k] &&
            (p->up[k] != p->state[k] || p->down[k] != p->state[k])) {
            if (count < max)
                index[count] = k;
            count++;
        }
    free(set);
    return count;
}

static double size_of(double value)
{
    return fmax(fabs(value), 1.0);
}

// What a change of state index[k] does to all of them after `duration`, in units of their sizes:
// added to column k, `times` it. c: the change of the outputs now.
static void add_column(probe *p, const int *index, int n, int k, double duration, double times,
                       double *columns, double c[LINEAR_OUTPUTS])
{
    const double value = p->state[index[k]], d = CHANGE * size_of(value);
    p->state[index[k]] = value + d;
    const mc_motion up = move(p, p->u, 0.0, p->up);
    move(p, p->u, duration, p->up);
    p->state[index[k]] = value - d;
    const mc_motion down = move(p, p->u, 0.0, p->down);
    move(p, p->u, duration, p->down);
    p->state[index[k]] = value;
    for (int j = 0; j < n; j++)
        columns[j * n + k] += times * (p->up[index[j]] - p->down[index[j]]) /
                              (2.0 * CHANGE * size_of(p->state[index[j]]));
    c[LINEAR_V] = (up.v - down.v) / (2.0 * CHANGE);
    c[LINEAR_V_Y] = (up.v_y - down.v_y) / (2.0 * CHANGE);
    c[LINEAR_YAW_RATE] = (up.yaw_rate - down.yaw_rate) / (2.0 * CHANGE);
}

// Columns of P and C for the states index[0 .. n - 1]. A mechanism keeps its quaternions at length
// 1 in every step, however short: P is then exp(h A) times that projection and has no logarithm.
// bound: what a vanishing step does is taken off, so that P - 1 is that of the motion alone; the
// length of a quaternion becomes a state without motion, on which speed does not depend. c: one row
// of outputs per state.
static void find_columns(probe *p, const int *index, int n, bool bound, double *columns, double *c)
{
    const double vanishing = 1e-5 * p->step;
    memset(columns, 0, (size_t)(n * n) * sizeof *columns);
    for (int k = 0; k < n; k++) {
        double again[LINEAR_OUTPUTS];
        add_column(p, index, n, k, p->step, 1.0, columns, c + LINEAR_OUTPUTS * k);
        if (bound) {
            add_column(p, index, n, k, vanishing, -1.0, columns, again);
            columns[k * n + k] += 1.0;
        }
    }
}

// The states that the outputs (speed; v_y and yaw rate) depend on, by others or directly; their
// number.
static int keep_needed(const double *columns, const double *c, int n, bool lateral, int *kept)
{
    bool *needed = calloc((size_t)n + 1, sizeof *needed);
    if (!needed)
        return -1;
    bool more = true;
    for (int k = 0; k < n; k++)
        needed[k] = lateral ? c[LINEAR_OUTPUTS * k + LINEAR_V_Y] != 0.0 ||
                                  c[LINEAR_OUTPUTS * k + LINEAR_YAW_RATE] != 0.0
                            : c[LINEAR_OUTPUTS * k + LINEAR_V] != 0.0;
    while (more) {
        more = false;
        for (int j = 0; j < n; j++)
            for (int k = 0; needed[j] && k < n; k++)
                if (!needed[k] && columns[j * n + k] != 0.0)
                    needed[k] = more = true;
    }
    int count = 0;
    for (int k = 0; k < n; k++)
        if (needed[k])
            kept[count++] = k;
    free(needed);
    return count;
}

// log(m) by its series, into l; false: it does not converge. size x size, m = 1 + e.
static bool logarithm(const double *m, int size, double *l)
{
    static const int terms = 400;
    const size_t room = (size_t)(size * size) * sizeof(double);
    double *e = malloc(room), *power = malloc(room), *next = malloc(room);
    bool good = false;
    if (e && power && next) {
        memcpy(e, m, room);
        for (int k = 0; k < size; k++)
            e[k * size + k] -= 1.0;
        memcpy(power, e, room);
        memset(l, 0, room);
        for (int term = 1; term <= terms && !good; term++) {
            double max = 0.0;
            for (int k = 0; k < size * size; k++) {
                const double add = (term % 2 ? 1.0 : -1.0) * power[k] / term;
                l[k] += add;
                max = fmax(max, fabs(add));
            }
            good = max < 1e-13;
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) {
                    double sum = 0.0;
                    for (int k = 0; k < size; k++)
                        sum += power[i * size + k] * e[k * size + j];
                    next[i * size + j] = sum;
                }
            memcpy(power, next, room);
        }
    }
    free(e);
    free(power);
    free(next);
    return good;
}

static void sort_poles(mc_run_linear_model *m)
{
    for (int i = 1; i < m->order; i++)
        for (int j = i; j > 0 && hypot(m->pole_real[j], m->pole_imaginary[j]) <
                                     hypot(m->pole_real[j - 1], m->pole_imaginary[j - 1]);
             j--) {
            const double re = m->pole_real[j], im = m->pole_imaginary[j];
            m->pole_real[j] = m->pole_real[j - 1], m->pole_imaginary[j] = m->pole_imaginary[j - 1];
            m->pole_real[j - 1] = re, m->pole_imaginary[j - 1] = im;
        }
}

static void name_states(const probe *p, const int *index, const int *kept, mc_run_linear_model *m)
{
    const mc_vehicle_kind *kind = p->batch->kind;
    for (int j = 0; j < m->order; j++) {
        const int k = index[kept[j]];
        m->value[j] = p->state[k];
        m->size[j] = size_of(p->state[k]);
        if (!kind->state_name || !kind->state_name(p->batch, k, &m->state[j]))
            snprintf(m->state[j].name, sizeof m->state[j].name, "x%d", j + 1);
    }
}

static void note_lateral(probe *p, const int *index, const double *c, const int *kept, int order)
{
    move(p, p->u, p->step, p->up);
    for (int j = 0; j < order; j++) {
        const int k = index[kept[j]];
        p->lateral->C[0][j] = c[LINEAR_OUTPUTS * kept[j] + LINEAR_V_Y];
        p->lateral->C[1][j] = c[LINEAR_OUTPUTS * kept[j] + LINEAR_YAW_RATE];
        p->lateral->place[j] = k;
        p->lateral->rate[j] = (p->up[k] - p->state[k]) / (p->step * size_of(p->state[k]));
    }
}

// From P, G and C of the needed states to the model; false: motions are too fast for the step.
static bool finish(probe *p, const int *index, const double *columns, const double *c, int n,
                   const int *kept, int order, mc_run_linear_model *out)
{
    double m[AUGMENTED * AUGMENTED] = {0}, l[AUGMENTED * AUGMENTED];
    const int size = order + 1;
    move(p, p->u + CHANGE, p->step, p->up);
    move(p, p->u - CHANGE, p->step, p->down);
    for (int j = 0; j < order; j++) {
        const int row = index[kept[j]];
        for (int k = 0; k < order; k++)
            m[j * size + k] = columns[kept[j] * n + kept[k]];
        m[j * size + order] = (p->up[row] - p->down[row]) / (2.0 * CHANGE * size_of(p->state[row]));
    }
    m[order * size + order] = 1.0;
    if (!logarithm(m, size, l))
        return false;
    out->order = order;
    for (int j = 0; j < order; j++) {
        for (int k = 0; k < order; k++)
            out->A[j * order + k] = l[j * size + k] / p->step;
        out->B[j] = l[j * size + order] / p->step;
        out->C[j] = c[LINEAR_OUTPUTS * kept[j] + LINEAR_V];
    }
    if (p->lateral)
        note_lateral(p, index, c, kept, order);
    name_states(p, index, kept, out);
    return true;
}

static mc_status find_poles(mc_run_linear_model *m, mc_error *error)
{
    double a[ORDER_MAX * ORDER_MAX];
    for (int k = 0; k < m->order * m->order; k++)
        if (!isfinite(m->A[k]))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "the motion of the vehicle is not finite");
    memcpy(a, m->A, (size_t)(m->order * m->order) * sizeof *a);
    if (!dense_eigenvalues(m->order, a, m->pole_real, m->pole_imaginary))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "cannot compute the poles");
    sort_poles(m);
    return MC_OK;
}

// A brake that rests has no force below 0: half of a central difference would be lost. It is taken
// just within its range, as the pedal is.
static void lift_brake(probe *p)
{
    const mc_vehicle_kind *kind = p->batch->kind;
    mc_state_name name;
    for (int k = 0; kind->state_name && k < p->size; k++)
        if (kind->state_name(p->batch, k, &name) && strcmp(name.name, "brake_force") == 0 &&
            strcmp(name.unit, "-") == 0)
            p->state[k] = fmax(p->state[k], fmin(p->u, 4.0 * CHANGE));
}

static mc_status linearize(probe *p, mc_run_linear_model *out, mc_error *error)
{
    enum { PARTS = 160 };
    int index[PARTS], kept[PARTS];
    out->v = move(p, p->u, 0.0, p->up).v;
    memcpy(p->state, p->up, (size_t)p->size * sizeof *p->state); // with its inputs set
    if (p->input == MC_RUN_INPUT_BRAKE && !p->lateral)
        lift_brake(p);
    const int n = find_states(p, index, PARTS);
    double *columns =
        n > 0 && n <= PARTS ? malloc((size_t)(n * n + LINEAR_OUTPUTS * n) * sizeof *columns) : NULL;
    if (n < 0 || (n > 0 && n <= PARTS && !columns))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a linear model");
    int order = 0;
    bool done = false;
    for (int k = 0; k < 2 * STEPS && columns && !done; k++) {
        p->step = steps[k % STEPS];
        find_columns(p, index, n, k >= STEPS, columns, columns + n * n);
        order = keep_needed(columns, columns + n * n, n, p->lateral, kept);
        done = order <= 0 || order > ORDER_MAX ||
               finish(p, index, columns, columns + n * n, n, kept, order, out);
    }
    mc_status status;
    if (order < 0)
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a linear model");
    else if (order == 0 || order > ORDER_MAX)
        status =
            mc_error_set(error, MC_FAILED, NULL, 0, 0,
                         order == 0 ? "the vehicle has no states, so it has no linear model"
                                    : "the vehicle has more states than a linear model can have");
    else if (!done)
        status = mc_error_set(error, MC_FAILED, NULL, 0, 0,
                              "the vehicle has motions too fast for its linear model, or is at a "
                              "discontinuity; try another instant");
    else
        status = find_poles(out, error);
    free(columns);
    return status;
}

// Room for the numbers of a probe, and its start; NULL: no memory.
static double *prepare(probe *p)
{
    p->size = p->batch->kind->save_size(p->batch);
    double *room = malloc((size_t)p->size * 4 * sizeof *room);
    if (room) {
        p->start = room, p->state = room + p->size;
        p->up = room + 2 * p->size, p->down = room + 3 * p->size;
        p->batch->kind->save(p->batch, p->i, p->start);
    }
    return room;
}

mc_status run_linear_steering(mc_batch *batch, int i, const mc_inputs *inputs,
                              mc_run_linear_model *out, linear_lateral *lateral, mc_error *error)
{
    probe p = {.batch = batch,
               .i = i,
               .inputs = *inputs,
               .u = inputs->steer,
               .lateral = lateral,
               .held = run_linear_place(batch, "v")};
    double *room = prepare(&p);
    if (!room)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a linear model");
    *out = (mc_run_linear_model){.u = p.u};
    batch->kind->save(batch, i, p.state);
    const mc_status status = linearize(&p, out, error);
    batch->kind->restore(batch, i, p.start);
    free(room);
    return status;
}

static mc_status check_input(const mc_run *r, int vehicle, mc_run_input input, mc_error *error)
{
    const char *name = mc_run_vehicle_name(r, vehicle);
    const bool pedals = !(r->car[r->slot[vehicle]].flags & RUN_NO_PEDALS);
    if (pedals != (input == MC_RUN_INPUT_ACCELERATION))
        return MC_OK;
    if (pedals)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s has pedals: its input is the throttle or the brake", name);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "%s is a %s car: it has no pedals; its input is an acceleration", name,
                        r->s->models[r->s->vehicles[vehicle].model].type->name);
}

mc_status mc_run_linear(mc_run *r, int vehicle, mc_run_input input, mc_run_linear_model *out,
                        mc_error *error)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    mc_error unused;
    error = error ? error : &unused;
    mc_status status = check_input(r, vehicle, input, error);
    if (status != MC_OK)
        return status;
    probe p = {.input = input, .inputs = r->inputs[r->slot[vehicle]], .held = -1};
    mc_world_vehicle(r->world, vehicle, &p.batch, &p.i);
    double *room = prepare(&p);
    if (!room)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a linear model");
    *out = (mc_run_linear_model){0};
    const double now = input == MC_RUN_INPUT_ACCELERATION ? p.inputs.acceleration
                       : input == MC_RUN_INPUT_THROTTLE   ? p.inputs.throttle
                                                          : p.inputs.brake;
    p.u = input == MC_RUN_INPUT_ACCELERATION ? now
                                             : fmin(fmax(now, 4.0 * CHANGE), 1.0 - 4.0 * CHANGE);
    out->u = p.u;
    // A dead time would hide the input for longer than differences look.
    const char *delay = MC_ROW_BRAKE_DELAY;
    if (input == MC_RUN_INPUT_BRAKE && p.batch->kind->get_param &&
        p.batch->kind->get_param(p.batch, p.i, delay, &out->delay))
        p.batch->kind->set_param(p.batch, p.i, delay, 0.0);
    p.batch->kind->save(p.batch, p.i, p.state);
    status = linearize(&p, out, error);
    p.batch->kind->restore(p.batch, p.i, p.start);
    free(room);
    return status;
}

// ---- the answer to a sine ----

void mc_run_linear_response(const mc_run_linear_model *m, double w, double *real, double *imaginary)
{
    const int n = m->order;
    double complex a[ORDER_MAX * ORDER_MAX], x[ORDER_MAX], sum = 0.0;
    int pivot[ORDER_MAX];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[j * n + i] = (i == j ? w * I : 0.0) - m->A[i * n + j];
        x[i] = m->B[i];
    }
    *real = *imaginary = NAN;
    if (!dense_factor_complex(n, a, pivot))
        return;
    dense_back_complex(n, a, pivot, x);
    for (int k = 0; k < n; k++)
        sum += m->C[k] * x[k];
    sum *= cexp(-I * w * m->delay);
    *real = creal(sum), *imaginary = cimag(sum);
}
