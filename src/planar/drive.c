// drive.c - the planar car on the road: inputs and outputs for a driver, live parameters.
#include "planar/batch.h"

#include "parts/wheel_channels.h"

#include <math.h>
#include <string.h>
#include <strings.h>

void planar_set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in)
{
    planar_batch *b = planar_own(batch);
    for (int k = 0; k < count; k++) {
        double *to = planar_inputs(b, first + k);
        const double brake = fmin(fmax(in[k].brake, 0.0), 1.0);
        to[PLANAR_LANES * INPUT_THROTTLE] = fmin(fmax(in[k].throttle, 0.0), 1.0);
        to[PLANAR_LANES * INPUT_STEER] = in[k].steer;
        if (b->brake_line)
            brake_line_push(b->brake_line + (size_t)(first + k) * BRAKE_LINE_SIZE, brake,
                            b->model.gear.drive[DRIVE_BRAKE_DELAY],
                            &to[PLANAR_LANES * INPUT_BRAKE]);
        else
            to[PLANAR_LANES * INPUT_BRAKE] = brake;
    }
}

void planar_motion(const mc_batch *batch, int first, int count, mc_motion *out)
{
    const planar_batch *b = planar_of(batch);
    for (int k = 0; k < count; k++) {
        const double *z = planar_values(b, first + k);
        out[k] = (mc_motion){.x = z[PLANAR_LANES * VALUE_X],
                             .y = z[PLANAR_LANES * VALUE_Y],
                             .psi = z[PLANAR_LANES * VALUE_PSI],
                             .v = z[PLANAR_LANES * VALUE_U],
                             .v_y = z[PLANAR_LANES * VALUE_W],
                             .yaw_rate = z[PLANAR_LANES * VALUE_R],
                             .a = *planar_kept(b, first + k, KEPT_A)};
    }
}

void planar_plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out)
{
    enum { AT_ONCE = 32 };
    const planar_batch *b = planar_of(batch);
    const running_gear *gear[AT_ONCE];
    double speed[AT_ONCE];
    for (int i = 0; i < count; i += AT_ONCE) {
        const int some = count - i < AT_ONCE ? count - i : AT_ONCE;
        for (int k = 0; k < some; k++) {
            gear[k] = &b->model.gear;
            speed[k] = planar_values(b, first + i + k)[PLANAR_LANES * VALUE_U];
        }
        gear_plan_some(gear, some, speed, desired + i, out + i);
    }
}

// A road that tilts nothing and is dry everywhere is not looked at again.
void planar_set_road(mc_batch *batch, const mc_road *r)
{
    planar_batch *b = planar_own(batch);
    b->gear.road = r;
    b->kernel.level = !road_tilts(r);
    b->kernel.dry = road_is_dry(r);
}

void planar_set_path(mc_batch *batch, int i, int path, double station)
{
    const planar_batch *b = planar_own(batch);
    *planar_kept(b, i, KEPT_PATH) = path;
    *planar_kept(b, i, KEPT_STATION) = station;
}

// ---- channels ----

enum {
    CHANNEL_N,
    CHANNEL_FORCE,
    CHANNEL_BRAKE_FORCE,
    CHANNEL_FUEL,
    CHANNEL_STEER,
    CHANNEL_YAW_RATE,
    CHANNEL_SIDE_SLIP,
    CHANNEL_A_Y,
    CHANNEL_FRICTION_USE,
    CHANNEL_SLIP, // four of each from here on: lf rf lr rr
    CHANNEL_SPIN = CHANNEL_SLIP + PLANAR_WHEELS,
    CHANNEL_WHEEL = CHANNEL_SPIN + PLANAR_WHEELS, // WHEEL_ROW_COUNT of each
    CHANNEL_END = CHANNEL_WHEEL + WHEEL_ROW_COUNT * PLANAR_WHEELS
};
_Static_assert((int)CHANNEL_END == (int)PLANAR_CHANNEL_COUNT, "one row per channel");

const mc_channel planar_channels[PLANAR_CHANNEL_COUNT] = {
    [CHANNEL_N] = {"n", "rpm", "engine speed"},
    [CHANNEL_FORCE] = {"force", "N", "of the powertrain at the wheels"},
    [CHANNEL_BRAKE_FORCE] = {"brake_force", "-", "brake force over its maximum"},
    [CHANNEL_FUEL] = {"fuel", "kg", "burnt since the start"},
    [CHANNEL_STEER] = {"steer_angle", "rad", "of the front wheels, after lag and limits"},
    [CHANNEL_YAW_RATE] = {"yaw_rate", "rad/s", "left positive"},
    [CHANNEL_SIDE_SLIP] = {"side_slip", "rad", "angle from the heading to the velocity"},
    [CHANNEL_A_Y] = {"a_y", "m/s^2", "lateral acceleration, left positive"},
    [CHANNEL_FRICTION_USE] = WHEEL_USE_ROW,
    [CHANNEL_SLIP] = {"slip_lf", "rad", "slip angle of the left front wheel"},
    {"slip_rf", "rad", "slip angle of the right front wheel"},
    {"slip_lr", "rad", "slip angle of the left rear wheel"},
    {"slip_rr", "rad", "slip angle of the right rear wheel"},
    [CHANNEL_SPIN] = {"w_lf", "rad/s", "spin of the left front wheel"},
    {"w_rf", "rad/s", "spin of the right front wheel"},
    {"w_lr", "rad/s", "spin of the left rear wheel"},
    {"w_rr", "rad/s", "spin of the right rear wheel"},
    [CHANNEL_WHEEL] = WHEEL_ROWS("load", "lf", "left front"),
    WHEEL_ROWS("load", "rf", "right front"),
    WHEEL_ROWS("load", "lr", "left rear"),
    WHEEL_ROWS("load", "rr", "right rear"),
};

static void look(const planar_batch *b, int i, planar_view *out)
{
    const int lane = i % PLANAR_LANES;
    b->look(&b->kernel, planar_values(b, i) - lane, planar_inputs(b, i) - lane, out);
}

static void wheels_of(const planar_batch *b, int i, const planar_view *v, mc_wheel *out)
{
    const planar_constants *c = &b->constants;
    const double *z = planar_values(b, i);
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        const int at = PLANAR_LANES * q + i % PLANAR_LANES;
        out[q] =
            (mc_wheel){.x = c->wheel_x[q],
                       .y = c->wheel_y[q],
                       .steer = q < 2 ? *planar_kept(b, i, KEPT_STEER) : 0.0,
                       .fx = v->fx[at],
                       .fy = v->fy[at],
                       .fz = v->fz[at],
                       .mu = v->mu[at],
                       .radius = b->gear.radius,
                       .spin = z[PLANAR_LANES * (VALUE_WHEEL + PLANAR_WHEELS * WHEEL_SPIN + q)]};
    }
}

int planar_wheels(const mc_batch *batch, int i, mc_wheel *out)
{
    planar_view v;
    look(planar_of(batch), i, &v);
    wheels_of(planar_of(batch), i, &v, out);
    return PLANAR_WHEELS;
}

double planar_lateral_acceleration(const mc_batch *batch, int i)
{
    planar_view v;
    look(planar_of(batch), i, &v);
    return v.a_y[i % PLANAR_LANES];
}

static void read_wheels(const planar_batch *b, int i, const planar_view *v, double *out)
{
    mc_wheel wheel[PLANAR_WHEELS];
    const double *z = planar_values(b, i);
    wheels_of(b, i, v, wheel);
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        const int at = PLANAR_LANES * q + i % PLANAR_LANES;
        const bool slow = v->v_x[at] == 0.0 && v->v_y[at] == 0.0;
        out[CHANNEL_SLIP + q] = slow ? 0.0 : -atan2(v->v_y[at], fabs(v->v_x[at]));
        out[CHANNEL_SPIN + q] = z[PLANAR_LANES * (VALUE_WHEEL + PLANAR_WHEELS * WHEEL_SPIN + q)];
        wheel_channels_one(&wheel[q], out + CHANNEL_WHEEL + WHEEL_ROW_COUNT * q);
    }
    out[CHANNEL_FRICTION_USE] = wheel_channels_all(wheel, PLANAR_WHEELS);
}

void planar_read_channels(const mc_batch *batch, int i, double *out)
{
    const planar_batch *b = planar_of(batch);
    const double *z = planar_values(b, i);
    const int lane = i % PLANAR_LANES, extra = planar_extra_place(&b->kernel);
    planar_view v;
    double state[POWERTRAIN_STATE_MAX] = {0}, roll = 0.0;
    look(b, i, &v);
    read_wheels(b, i, &v, out);
    for (int k = 0; k < b->kernel.extra_states - EXTRA_ENGINE; k++)
        state[k] = z[PLANAR_LANES * (extra + EXTRA_ENGINE + k)];
    for (int q = 0; q < PLANAR_WHEELS; q++)
        roll += b->gear.axle[q / 2].engine_share * b->gear.radius * out[CHANNEL_SPIN + q];
    gear_engine(&b->model.gear, planar_inputs(b, i)[PLANAR_LANES * INPUT_THROTTLE], roll, state,
                &out[CHANNEL_N], &out[CHANNEL_FORCE]);
    const double u = z[PLANAR_LANES * VALUE_U], w = z[PLANAR_LANES * VALUE_W];
    out[CHANNEL_BRAKE_FORCE] = z[PLANAR_LANES * (extra + EXTRA_BRAKE)];
    out[CHANNEL_FUEL] = *planar_sum(b, i, SUM_FUEL);
    out[CHANNEL_STEER] = *planar_kept(b, i, KEPT_STEER);
    out[CHANNEL_YAW_RATE] = z[PLANAR_LANES * VALUE_R];
    out[CHANNEL_A_Y] = v.a_y[lane];
    out[CHANNEL_SIDE_SLIP] = u == 0.0 && w == 0.0 ? 0.0 : atan2(w, u);
}

double planar_fuel(const mc_batch *batch, int i)
{
    return *planar_sum(planar_of(batch), i, SUM_FUEL);
}

// ---- live parameters ----

// The row of the vehicle type has the range; this keeps the equations sound.
static bool is_mass(double value)
{
    return value > 0.0 && value < HUGE_VAL;
}

static void set_mass(planar_batch *b, double value)
{
    double before[3], after[3];
    planar_momentum(&b->base, 0, before);
    *planar_sum(b, 0, SUM_GRAVITY) *= value / b->constants.mass; // it stands where the old one did
    b->model.body[BODY_MASS] = value;
    planar_prepare(b);
    planar_momentum(&b->base, 0, after);
    for (int j = 0; j < 3; j++) // new mass comes at the speed of the car
        planar_inputs(b, 0)[PLANAR_LANES * (INPUT_GIVEN + j)] += after[j] - before[j];
}

// The batch shares its parameters: only a vehicle that is alone in it can change them.
bool planar_set_param(mc_batch *batch, int i, const char *name, double value)
{
    planar_batch *b = planar_own(batch);
    if (batch->count != 1 || i != 0)
        return false;
    if (strcasecmp("mass", name) != 0)
        return gear_set(&b->model.gear, name, value, b->engine_p, &b->gear);
    if (!is_mass(value))
        return false;
    set_mass(b, value);
    return true;
}

bool planar_get_param(const mc_batch *batch, int i, const char *name, double *value)
{
    (void)i; // parameters belong to the batch
    const planar_batch *b = planar_of(batch);
    if (strcasecmp("mass", name) == 0) {
        *value = b->constants.mass;
        return true;
    }
    for (int k = 0; k < PLANAR_PARAM_COUNT; k++)
        if (strcasecmp(planar_params[k].name, name) == 0) {
            *value = b->model.p[k];
            return true;
        }
    return gear_get(&b->model.gear, name, value);
}

void planar_save_params(const planar_batch *b, double out[PLANAR_SAVED_PARAMS])
{
    out[0] = b->constants.mass;
    gear_save(&b->model.gear, out + 1);
}

// Damaged values are not taken.
void planar_restore_params(planar_batch *b, const double in[PLANAR_SAVED_PARAMS])
{
    double now[PLANAR_SAVED_PARAMS];
    planar_save_params(b, now);
    if (b->base.count != 1 || memcmp(now, in, sizeof now) == 0)
        return;
    if (!is_mass(in[0]) || !gear_saved_valid(in + 1))
        return;
    b->model.body[BODY_MASS] = in[0];
    planar_prepare(b);
    gear_restore(&b->model.gear, in + 1, b->engine_p, &b->gear);
}
