// drive.c - numbers of the drive, its step, and the inverse of its actuators.
#include "cosserat/drive.h"

#include <math.h>
#include <stddef.h>
#include <strings.h>

// Wheels at this speed bound the step; a faster car would still run, with less damping.
#define SPEED_MOST 70.0 // m/s
#define SPEED_REST 0.02 // m/s, slower than this a car stands

void cosserat_drive_of(const cosserat_model *model, double nominal_mass, double *engine_p,
                       cosserat_drive *out)
{
    const double *p = model->drive, front = p[DRIVE_FRONT], brake_front = p[DRIVE_BRAKE_FRONT];
    const cpu_level cpu = cpu_level_best();
    const double torque =
        p[DRIVE_BRAKE_MOST] * nominal_mass * fabs(model->gravity) * p[DRIVE_RADIUS];
    *out = (cosserat_drive){
        .wheel = {.tyre = tyre_for_spin(model->tyre),
                  .tyre_p = model->tyre_p,
                  .radius = p[DRIVE_RADIUS],
                  .inertia = p[DRIVE_INERTIA],
                  .hold = p[DRIVE_HOLD]},
        .eval = wheel_eval_at[cpu],
        .engine = model->powertrain ? model->powertrain->eval[cpu] : NULL,
        .engine_p = engine_p,
        .radius = p[DRIVE_RADIUS],
        .engine_share = {0.5 * front, 0.5 * (1.0 - front)},
        .brake_torque = {0.5 * brake_front * torque, 0.5 * (1.0 - brake_front) * torque},
        .brake_rate = p[DRIVE_BRAKE_RATE],
        .drag = p[DRIVE_DRAG],
        .roll = p[DRIVE_ROLL],
    };
    for (int k = 0; k < DRIVE_ENGINE_SIZE; k++)
        engine_p[k] = model->powertrain_p[k / 4];
}

const int drive_changeable[DRIVE_CHANGEABLE] = {DRIVE_BRAKE_MOST, DRIVE_BRAKE_FRONT, DRIVE_FRONT,
                                                DRIVE_DRAG, DRIVE_ROLL};

bool cosserat_drive_set(cosserat_model *model, double nominal_mass, const char *name, double value,
                        double *engine_p, cosserat_drive *drive)
{
    for (int k = 0; k < DRIVE_CHANGEABLE; k++) {
        const mc_param *row = &drive_params[drive_changeable[k]];
        if (strcasecmp(row->name, name) != 0)
            continue;
        if (!(value >= row->min && value <= row->max))
            return false;
        const struct road *road = drive->road;
        model->drive[drive_changeable[k]] = value;
        cosserat_drive_of(model, nominal_mass, engine_p, drive);
        drive->road = road;
        return true;
    }
    return false;
}

double cosserat_drive_step_bound(const cosserat_model *model, const cosserat_drive *drive)
{
    const double load = 0.5 * model->p[COSSERAT_MASS] * fmax(fabs(model->gravity), 1.0);
    const double wheels = wheel_step_bound(&drive->wheel, load, SPEED_MOST);
    if (!model->powertrain)
        return wheels;
    return fmin(wheels, model->powertrain->step_bound(model->powertrain_p));
}

void cosserat_drive_engine(const cosserat_model *model, double throttle, double v,
                           const double *state, double *rpm, double *force)
{
    enum { N = 4 };
    *rpm = *force = 0.0;
    const powertrain_kind *kind = model->powertrain;
    if (!kind)
        return;
    _Alignas(32) double p[DRIVE_ENGINE_SIZE], open[N], speed[N];
    _Alignas(32) double x[N * POWERTRAIN_STATE_MAX], dx[N * POWERTRAIN_STATE_MAX], out[5][N];
    for (int l = 0; l < N; l++) {
        open[l] = throttle, speed[l] = v;
        for (int k = 0; k < kind->state_count; k++)
            x[N * k + l] = state[k];
        for (int k = 0; k < kind->param_count; k++)
            p[N * k + l] = model->powertrain_p[k];
    }
    const powertrain_in in = {.throttle = open, .v = speed};
    const powertrain_out to = {
        .force = out[0], .fuel = out[1], .input_power = out[2], .rpm = out[3], .region = out[4]};
    kind->eval[cpu_level_best()](p, N, &in, x, dx, &to);
    *force = out[0][0];
    *rpm = out[3][0];
}

static double unit_range(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

mc_plan cosserat_drive_plan(const cosserat_model *model, double nominal_mass, double v,
                            double wanted)
{
    const double *p = model->drive, radius = p[DRIVE_RADIUS];
    const double inertia = nominal_mass + WHEELS * p[DRIVE_INERTIA] / (radius * radius); // kg
    const double weight = nominal_mass * fabs(model->gravity);
    const double roll = v > -SPEED_REST ? p[DRIVE_ROLL] * weight : -p[DRIVE_ROLL] * weight;
    const double against = p[DRIVE_DRAG] * v * fabs(v) + roll;
    double closed = 0.0, rpm, state[POWERTRAIN_STATE_MAX] = {0};
    if (model->powertrain) {
        model->powertrain->settle(model->powertrain_p, v, 0.0, state);
        cosserat_drive_engine(model, 0.0, v, state, &rpm, &closed);
    }
    const double force = inertia * wanted + against, left = closed - against;
    const double brake_most = p[DRIVE_BRAKE_MOST] * weight;
    mc_plan plan = {.coast = left / inertia};
    if (fabs(v) < SPEED_REST && left < 0.0)
        plan.coast = 0.0; // a standing car is not pushed back by what resists it
    if (model->powertrain)
        plan.throttle = unit_range(model->powertrain->invert(model->powertrain_p, v, force));
    if (brake_most > 0.0)
        plan.brake = unit_range((closed - force) / brake_most);
    return plan;
}
