// turn.c - steady turns of any vehicle in the plane.
//
// With x the states that v_y and the yaw rate r depend on, d the steering angle, u the speed along
// the heading (held), V = hypot(u, v_y) and k the curvature, Newton's method solves
//     x'(x, d) = 0,   r = k V
// by the linear model at the present guess. It also finds turns that are not stable by themselves.
#include "linear/turn.h"

#include "num/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS = MC_RUN_LINEAR_MAX + 1, ROUNDS = 30 };

typedef struct search {
    mc_batch *batch;
    double *state; // room for what the kind saves
    int speed_at;  // place of the speed there
    mc_inputs inputs;
    linear_turn *turn;
} search;

static void hold(search *s, double step)
{
    const mc_vehicle_kind *kind = s->batch->kind;
    kind->set_inputs(s->batch, 0, 1, &s->inputs);
    kind->advance(s->batch, 0, 1, step);
    kind->save(s->batch, 0, s->state);
    s->state[s->speed_at] = s->turn->speed;
    kind->restore(s->batch, 0, s->state);
}

// The first guess: some seconds of driving, with the steering corrected until the turn is nearly
// the one asked for.
static void drive_into(search *s, const steering_vehicle *car)
{
    static const double step = 0.01, seconds = 4.0;
    const mc_vehicle_kind *kind = s->batch->kind;
    const linear_turn *t = s->turn;
    const double gain =
        fmax(steering_turn_gain(car, t->speed, 0.0), 0.3 * (car->front + car->rear));
    s->inputs.steer = gain * t->curvature;
    for (double time = 0.0; time < seconds; time += step) {
        mc_motion m;
        hold(s, step);
        kind->motion(s->batch, 0, 1, &m);
        const double missing = t->curvature * hypot(m.v, m.v_y) - m.yaw_rate;
        s->inputs.steer += 1.2 * step * missing * gain / t->speed;
    }
}

// The next guess; *moved: how far it is, in units of the states.
static mc_status improve(search *s, double *moved, mc_error *error)
{
    const mc_vehicle_kind *kind = s->batch->kind;
    linear_turn *t = s->turn;
    mc_motion m;
    mc_status status = run_linear_steering(s->batch, 0, &s->inputs, &t->plant, &t->lateral, error);
    if (status != MC_OK)
        return status;
    const int n = t->plant.order, size = n + 1;
    double a[UNKNOWNS * UNKNOWNS], b[UNKNOWNS], work[8 * UNKNOWNS];
    kind->motion(s->batch, 0, 1, &m);
    const double v = hypot(m.v, m.v_y), slope = t->curvature * m.v_y / v;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[j * size + i] = t->plant.A[i * n + j];
        a[n * size + i] = t->plant.B[i];
        b[i] = -t->lateral.rate[i];
        a[i * size + n] = t->lateral.C[1][i] - slope * t->lateral.C[0][i];
    }
    a[n * size + n] = 0.0;
    b[n] = t->curvature * v - m.yaw_rate;
    int rank;
    if (!dense_least_squares(size, a, b, 1e-13, &rank, work))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "no steady turn was found");
    // A tyre near its limit is far from linear: long steps are shortened.
    *moved = fabs(b[n]);
    for (int i = 0; i < n; i++)
        *moved = fmax(*moved, fabs(b[i]));
    const double scale = fmin(1.0, 0.5 / *moved);
    kind->save(s->batch, 0, s->state);
    for (int i = 0; i < n; i++)
        s->state[t->lateral.place[i]] += scale * b[i] * t->plant.size[i];
    s->state[s->speed_at] = t->speed;
    kind->restore(s->batch, 0, s->state);
    s->inputs.steer += scale * b[n];
    kind->set_inputs(s->batch, 0, 1, &s->inputs);
    return MC_OK;
}

static void tell_friction(const search *s)
{
    const mc_vehicle_kind *kind = s->batch->kind;
    double *use = s->turn->use;
    mc_wheel wheel[MC_WHEEL_MAX];
    const int count = kind->wheels ? kind->wheels(s->batch, 0, wheel) : 0;
    use[0] = use[1] = NAN;
    for (int q = 0; q < count; q++) {
        double *axle = &use[wheel[q].x < 0.0];
        *axle = fmax(*axle, mc_wheel_use(&wheel[q])); // of NAN and a number, the number
    }
}

static mc_status settle(search *s, mc_error *error)
{
    linear_turn *t = s->turn;
    double moved = HUGE_VAL;
    mc_status status = MC_OK;
    for (int round = 0; round < ROUNDS && status == MC_OK && moved > 1e-8; round++)
        status = improve(s, &moved, error);
    if (status != MC_OK)
        return status;
    mc_motion m;
    s->batch->kind->motion(s->batch, 0, 1, &m);
    const double v = hypot(m.v, m.v_y), off = fabs(t->curvature * v - m.yaw_rate);
    if (!(moved < 1e-5) || !(off < 1e-6) || !isfinite(s->inputs.steer))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "no steady turn with curvature %.6g 1/m at %.6g m/s was found",
                            t->curvature, t->speed);
    t->steer = s->inputs.steer;
    t->v_y = m.v_y;
    t->yaw_rate = m.yaw_rate;
    tell_friction(s);
    // About the point itself, not the last guess but one.
    return run_linear_steering(s->batch, 0, &s->inputs, &t->plant, &t->lateral, error);
}

// A car that is not stable by itself cannot be driven into its turn: the turn is then tightened
// step by step, from straight ahead. straight: the state there.
static mc_status tighten(search *s, const double *straight, mc_error *error)
{
    enum { TURNS = 12 };
    const mc_vehicle_kind *kind = s->batch->kind;
    const double curvature = s->turn->curvature;
    mc_status status = MC_OK;
    s->inputs.steer = 0.0;
    kind->set_inputs(s->batch, 0, 1, &s->inputs);
    kind->restore(s->batch, 0, straight);
    for (int k = 1; k <= TURNS && status == MC_OK; k++) {
        s->turn->curvature = curvature * k / TURNS;
        status = settle(s, error);
    }
    s->turn->curvature = curvature;
    return status;
}

static mc_status settle_turn(search *s, const steering_vehicle *car, double *straight,
                             mc_error *error)
{
    const mc_vehicle_kind *kind = s->batch->kind;
    for (int k = 0; k < 50; k++)
        hold(s, 0.01);
    kind->save(s->batch, 0, straight);
    drive_into(s, car);
    const mc_status status = settle(s, error);
    return status == MC_FAILED ? tighten(s, straight, error) : status;
}

static double engine_force(search *s, double throttle)
{
    const mc_vehicle_kind *kind = s->batch->kind;
    double value[RUN_CHANNELS_MAX];
    int force = 0;
    while (force < kind->channel_count && strcmp(kind->channels[force].name, "force") != 0)
        force++;
    if (force == kind->channel_count || kind->channel_count > RUN_CHANNELS_MAX)
        return NAN;
    s->inputs.throttle = throttle;
    for (int k = 0; k < 40; k++)
        hold(s, 0.01);
    kind->read_channels(s->batch, 0, value);
    return value[force];
}

// The throttle at which the engine neither drives nor brakes; without an engine: that of the plan.
static double idle_throttle(search *s, double planned)
{
    double low = 0.0, high = planned;
    if (isnan(engine_force(s, planned)))
        return planned;
    for (int k = 0; k < 10; k++) {
        const double middle = 0.5 * (low + high);
        if (engine_force(s, middle) > 0.0)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

mc_status linear_turn_find(const scenario_model *model, const steering_vehicle *car, double speed,
                           double curvature, double friction, bool coast, linear_turn *out,
                           mc_error *error)
{
    static const double ends[2] = {-1e9, 1e9}; // m
    const double values[2] = {friction, friction};
    const road plain = {.lane_count = 1,
                        .lane_width = 3.6,
                        .friction = {friction == 1.0 ? NULL : ends, friction == 1.0 ? NULL : values,
                                     friction == 1.0 ? 0 : 2, 1.0}};
    const mc_vehicle_setup setup = {sizeof setup, &plain, 0.01, mc_world_defaults().step, 0.0};
    const mc_vehicle_start start = {.spec = model->spec, .v = speed};
    *out = (linear_turn){.speed = speed, .curvature = curvature};
    search s = {.turn = out, .batch = model->type->create(&start, 1, &setup, error)};
    if (!s.batch)
        return error->code;
    s.speed_at = run_linear_place(s.batch, "v");
    const size_t saved = (size_t)s.batch->kind->save_size(s.batch);
    s.state = malloc(2 * saved * sizeof *s.state);
    mc_status status = MC_OK;
    if (!s.state)
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a steady turn");
    else if (s.speed_at < 0)
        status =
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                         "steering of a %s vehicle cannot be analysed: its speed is not one of "
                         "its states; expected a type that stays in the plane",
                         model->type->name);
    if (status == MC_OK) {
        const double none = 0.0;
        mc_plan plan = {0};
        if (model->facts.pedals)
            s.batch->kind->plan(s.batch, 0, 1, &none, &plan);
        s.inputs.throttle = coast ? idle_throttle(&s, plan.throttle) : plan.throttle;
        status = settle_turn(&s, car, s.state + saved, error);
    }
    free(s.state);
    s.batch->kind->destroy(s.batch);
    return status;
}
