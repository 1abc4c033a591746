// running_gear.c - numbers of a running gear, its step, and the inverse of its actuators.
#include "parts/running_gear.h"

#include "base/gravity.h"
#include "parts/brake.h"
#include "parts/powertrain_steady.h"
#include "road/road.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Wheels at this speed bound the step; a faster car would still run, with less damping.
#define SPEED_MAX 70.0  // m/s
#define SPEED_REST 0.02 // m/s, slower than this a car stands

const mc_param drive_params[DRIVE_PARAM_COUNT] = {
    [DRIVE_RADIUS] = {"wheel_radius", "m", 0.3, 0.05, 2.0, "effective radius of the wheels"},
    [DRIVE_INERTIA] = {"wheel_inertia", "kg m^2", 1.2, 0.01, 1e3, "spin inertia of each wheel"},
    [DRIVE_BRAKE_MAX] = BRAKE_MAX_ROW(1.0, 0.0),
    [DRIVE_BRAKE_FRONT] = {"brake_front", "-", 0.6, 0.0, 1.0, "share of the front brakes"},
    [DRIVE_BRAKE_RATE] = BRAKE_RATE_ROW,
    [DRIVE_BRAKE_DELAY] = BRAKE_DELAY_ROW(1.0),
    [DRIVE_HOLD] = {"brake_hold", "rad/s", 500.0, 50.0, 2000.0,
                    "frequency of a wheel held by its brake"},
    [DRIVE_FRONT] = {"drive_front", "-", 0.0, 0.0, 1.0, "share of the engine's force in front"},
    [DRIVE_DRAG] = {"drag", "N s^2/m^2", 0.4, 0.0, 100.0, "air drag over speed squared"},
    [DRIVE_ROLL] = {"roll", "-", 0.01, 0.0, 0.5, "rolling resistance over load"},
};

#define LIVE_ROW(row) row,
static const int drive_live[DRIVE_LIVE_COUNT] = {DRIVE_LIVE_ROWS(LIVE_ROW)};

void running_gear_init(running_gear *gear)
{
    memset(gear, 0, sizeof *gear);
    gear->axle_count = 2;
    gear->tyre = tyre_kind_at(0);
    tyre_defaults(gear->tyre, gear->tyre_p);
    for (int i = 0; i < VERTICAL_PARAM_COUNT; i++)
        gear->vertical[i] = vertical_params[i].fallback;
    for (int i = 0; i < DRIVE_PARAM_COUNT; i++)
        gear->drive[i] = drive_params[i].fallback;
    gear->gravity = GRAVITY;
}

// Of an axle, when the front one has `front`.
static double share(double front, int axle, int axle_count)
{
    return axle == 0 ? front : (1.0 - front) / (axle_count - 1);
}

void gear_constants_of(const running_gear *gear, double *engine_p, gear_constants *out)
{
    const double *p = gear->drive;
    const cpu_level cpu = cpu_level_best();
    const double torque =
        p[DRIVE_BRAKE_MAX] * gear->nominal_mass * fabs(gear->gravity) * p[DRIVE_RADIUS];
    *out = (gear_constants){
        .wheel = {.tyre = tyre_for_spin(gear->tyre),
                  .tyre_p = gear->tyre_p,
                  .radius = p[DRIVE_RADIUS],
                  .inertia = p[DRIVE_INERTIA],
                  .hold = p[DRIVE_HOLD]},
        .eval = wheel_eval_at[cpu],
        .engine = gear->powertrain ? gear->powertrain->eval[cpu] : NULL,
        .engine_states = gear->powertrain ? gear->powertrain->state_count : 0,
        .engine_p = engine_p,
        .radius = p[DRIVE_RADIUS],
        .axle_count = gear->axle_count,
        .brake_rate = p[DRIVE_BRAKE_RATE],
        .drag = p[DRIVE_DRAG],
        .roll = p[DRIVE_ROLL],
    };
    for (int a = 0; a < gear->axle_count; a++) {
        out->axle[a].engine_share = 0.5 * share(p[DRIVE_FRONT], a, gear->axle_count);
        out->axle[a].brake_torque = 0.5 * share(p[DRIVE_BRAKE_FRONT], a, gear->axle_count) * torque;
    }
    for (int k = 0; k < GEAR_ENGINE_SIZE; k++)
        engine_p[k] = gear->powertrain_p[k / 4];
}

// ---- live parameters ----

// After a change; the road belongs to no parameter.
static void follow(const running_gear *gear, double *engine_p, gear_constants *constants)
{
    const mc_road *under = constants->road;
    gear_constants_of(gear, engine_p, constants);
    constants->road = under;
}

bool gear_set(running_gear *gear, const char *name, double value, double *engine_p,
              gear_constants *constants)
{
    for (int k = 0; k < DRIVE_LIVE_COUNT; k++) {
        const mc_param *row = &drive_params[drive_live[k]];
        if (strcasecmp(row->name, name) != 0)
            continue;
        if (!(value >= row->min && value <= row->max))
            return false;
        gear->drive[drive_live[k]] = value;
        follow(gear, engine_p, constants);
        return true;
    }
    return false;
}

bool gear_get(const running_gear *gear, const char *name, double *value)
{
    for (int k = 0; k < DRIVE_PARAM_COUNT; k++)
        if (strcasecmp(drive_params[k].name, name) == 0) {
            *value = gear->drive[k];
            return true;
        }
    return false;
}

void gear_save(const running_gear *gear, double out[DRIVE_LIVE_COUNT])
{
    for (int k = 0; k < DRIVE_LIVE_COUNT; k++)
        out[k] = gear->drive[drive_live[k]];
}

bool gear_saved_valid(const double in[DRIVE_LIVE_COUNT])
{
    bool valid = true;
    for (int k = 0; k < DRIVE_LIVE_COUNT; k++) {
        const mc_param *row = &drive_params[drive_live[k]];
        valid = valid && in[k] >= row->min && in[k] <= row->max;
    }
    return valid;
}

void gear_restore(running_gear *gear, const double in[DRIVE_LIVE_COUNT], double *engine_p,
                  gear_constants *constants)
{
    for (int k = 0; k < DRIVE_LIVE_COUNT; k++)
        gear->drive[drive_live[k]] = in[k];
    follow(gear, engine_p, constants);
}

// ---- one vehicle at an instant ----

typedef struct engine_now {
    double force, fuel, rpm;
} engine_now;

// The engine of one vehicle, whose parameters are there in four lanes.
static engine_now run_engine(powertrain_eval *eval, const double *p, int states, double throttle,
                             double v, const double *state, double *rate)
{
    enum { N = 4 };
    _Alignas(32) double open[N], speed[N], x[N * POWERTRAIN_STATE_MAX];
    _Alignas(32) double dx[N * POWERTRAIN_STATE_MAX], out[5][N];
    for (int l = 0; l < N; l++) {
        open[l] = throttle, speed[l] = v;
        for (int k = 0; k < states; k++)
            x[N * k + l] = state[k];
    }
    const powertrain_in in = {.throttle = open, .v = speed};
    const powertrain_out to = {
        .force = out[0], .fuel = out[1], .input_power = out[2], .rpm = out[3], .region = out[4]};
    eval(p, N, &in, x, dx, &to);
    for (int k = 0; k < states; k++)
        rate[k] = dx[N * k];
    return (engine_now){.force = out[0][0], .fuel = out[1][0], .rpm = out[3][0]};
}

_Alignas(32) const double gear_side[GEAR_WHEEL_MAX] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0,
                                                       1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0};

// Wheels past the last one, that fill the lanes.
static void fill_lanes(const gear_constants *d, gear_wheels *w)
{
    const int stride = gear_stride(w->count);
    for (int i = w->count; i < stride; i++) {
        w->fz[i] = w->v_x[i] = w->v_y[i] = w->drive[i] = w->hold_max[i] = w->camber[i] = 0.0;
        w->mu[i] = 1.0;
        for (int k = 0; k < wheel_state_count(&d->wheel); k++)
            w->x[k * stride + i] = 0.0;
    }
}

double gear_friction(const gear_constants *d, double x)
{
    return d->road ? road_friction(d->road, x) : 1.0;
}

void gear_turn(const gear_constants *d, double throttle, double brake, const double *engine,
               double *engine_rate, gear_wheels *w)
{
    engine_now now = {0};
    double roll = 0.0;
    for (int i = 0; i < w->count; i++)
        roll += d->axle[i / 2].engine_share * d->radius * w->x[i];
    if (d->engine)
        now = run_engine(d->engine, d->engine_p, d->engine_states, throttle, roll, engine,
                         engine_rate);
    w->engine_force = now.force, w->fuel = now.fuel, w->rpm = now.rpm;
    for (int i = 0; i < w->count; i++) {
        w->brake_max[i] = d->axle[i / 2].brake_torque * fmax(brake, 0.0);
        w->drive[i] = d->axle[i / 2].engine_share * d->radius * now.force;
        w->hold_max[i] = w->brake_max[i] + d->roll * d->radius * w->fz[i];
    }
    fill_lanes(d, w);
    const wheel_in in = {.fz = w->fz,
                         .v_x = w->v_x,
                         .v_y = w->v_y,
                         .mu = w->mu,
                         .drive = w->drive,
                         .brake = w->hold_max,
                         .camber = w->camber,
                         .side = gear_side};
    d->eval(&d->wheel, gear_stride(w->count), &in, w->x, w->rate,
            &(wheel_out){
                .fx = w->fx, .fy = w->fy, .brake = w->torque, .v_roll = w->v_roll, .mz = w->mz});
}

void gear_sum(const gear_constants *d, const gear_wheels *w, double sums[SUM_MAX])
{
    sums[SUM_FUEL] = w->fuel;
    for (int i = 0; i < w->count; i++) {
        const double lost = w->torque[i] * w->x[i];
        const double held =
            w->brake_max[i] / fmax(w->hold_max[i], 1e-9); // by the brake, not by rolling
        sums[SUM_DRIVEN] += w->drive[i] * w->x[i];
        sums[SUM_BRAKED] += lost * held;
        sums[SUM_DRAGGED] += lost * (1.0 - held);
        sums[SUM_SLIPPED] -= w->fx[i] * (w->v_x[i] - d->radius * w->x[i]) + w->fy[i] * w->v_y[i];
    }
}

// ---- what it can do ----

double gear_step_bound(const running_gear *gear, const gear_constants *constants, double mass)
{
    const double load = 0.5 * mass * fmax(fabs(gear->gravity), 1.0);
    const double wheels = wheel_step_bound(&constants->wheel, load, SPEED_MAX);
    if (!gear->powertrain)
        return wheels;
    return fmin(wheels, gear->powertrain->step_bound(gear->powertrain_p));
}

void gear_engine(const running_gear *gear, double throttle, double v, const double *state,
                 double *rpm, double *force)
{
    _Alignas(32) double p[GEAR_ENGINE_SIZE];
    double rate[POWERTRAIN_STATE_MAX];
    const powertrain_kind *kind = gear->powertrain;
    *rpm = *force = 0.0;
    if (!kind)
        return;
    for (int k = 0; k < 4 * kind->param_count; k++)
        p[k] = gear->powertrain_p[k / 4];
    const engine_now now =
        run_engine(kind->eval[cpu_level_best()], p, kind->state_count, throttle, v, state, rate);
    *force = now.force;
    *rpm = now.rpm;
}

static double unit_range(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

// Force that is needed at the wheels for `desired`, and what acts against the motion, N.
typedef struct plan_forces {
    double inertia, against, force; // kg, N, N
} plan_forces;

static plan_forces forces_for(const running_gear *gear, double v, double desired)
{
    const double *p = gear->drive, radius = p[DRIVE_RADIUS];
    const double mass = gear->nominal_mass;
    const double inertia = mass + 2 * gear->axle_count * p[DRIVE_INERTIA] / (radius * radius); // kg
    const double weight = mass * fabs(gear->gravity);
    const double roll = v > -SPEED_REST ? p[DRIVE_ROLL] * weight : -p[DRIVE_ROLL] * weight;
    const double against = p[DRIVE_DRAG] * v * fabs(v) + roll;
    return (plan_forces){inertia, against, inertia * desired + against};
}

static mc_plan plan_with(const running_gear *gear, double v, const plan_forces *f,
                         const powertrain_inverse *engine)
{
    double closed = 0.0, rpm;
    if (gear->powertrain)
        gear_engine(gear, 0.0, v, engine->closed, &rpm, &closed);
    const double left = closed - f->against;
    const double brake_max =
        gear->drive[DRIVE_BRAKE_MAX] * (gear->nominal_mass * fabs(gear->gravity));
    mc_plan plan = {.coast = left / f->inertia};
    if (fabs(v) < SPEED_REST && left < 0.0)
        plan.coast = 0.0; // a standing car is not pushed back by what resists it
    if (gear->powertrain)
        plan.throttle = unit_range(engine->throttle);
    if (brake_max > 0.0)
        plan.brake = unit_range((closed - f->force) / brake_max);
    return plan;
}

void gear_plan_some(const running_gear *const *gear, int count, const double *v,
                    const double *desired, mc_plan *out)
{
    enum { AT_ONCE = 32 };
    plan_forces f[AT_ONCE];
    powertrain_inverse engine[AT_ONCE];
    for (int i = 0, some; i < count; i += some) {
        const powertrain_kind *kind = gear[i]->powertrain;
        for (some = 0; some < AT_ONCE && i + some < count && gear[i + some]->powertrain == kind;
             some++) {
            const running_gear *g = gear[i + some];
            f[some] = forces_for(g, v[i + some], desired[i + some]);
            engine[some] = (powertrain_inverse){
                .p = g->powertrain_p, .v = v[i + some], .force = f[some].force};
        }
        if (kind)
            powertrain_invert_some(kind, some, engine);
        for (int k = 0; k < some; k++)
            out[i + k] = plan_with(gear[i + k], v[i + k], &f[k], &engine[k]);
    }
}

mc_plan gear_plan(const running_gear *gear, double v, double desired)
{
    mc_plan plan;
    gear_plan_some(&gear, 1, &v, &desired, &plan);
    return plan;
}

// ---- names ----

void gear_wheel_state_name(const running_gear *gear, int k, const char *wheel, mc_state_name *out)
{
    const tyre_kind *tyre = gear->driven ? tyre_for_spin(gear->tyre) : gear->tyre;
    const int own = gear->driven ? k - WHEEL_TYRE : k;
    const char *name = own < 0 ? (k == WHEEL_SPIN ? "w" : "brake_twist") : tyre->states[own].name;
    const char *unit = own < 0 ? (k == WHEEL_SPIN ? "rad/s" : "rad") : tyre->states[own].unit;
    snprintf(out->name, sizeof out->name, "%s_%s", name, wheel);
    snprintf(out->unit, sizeof out->unit, "%s", unit);
}

void gear_extra_name(const running_gear *gear, int k, mc_state_name *out)
{
    if (k >= EXTRA_ENGINE) {
        powertrain_state_name(gear->powertrain, k - EXTRA_ENGINE, out);
        return;
    }
    snprintf(out->name, sizeof out->name, "brake_force");
    snprintf(out->unit, sizeof out->unit, "-");
}
