// batch_drive.c - the deformable vehicle on the road: inputs of a driver, outputs for a driver.
#include "cosserat/batch_parts.h"

#include "parts/wheel_channels.h"
#include "road/road.h"

#include <math.h>
#include <string.h>
#include <stddef.h>
#include <strings.h>

void cosserat_set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in)
{
    cosserat_batch *b = cosserat_own(batch);
    for (int k = 0; k < count; k++) {
        double *to = cosserat_inputs(b, first + k);
        to[BLOCK_LANES * INPUT_COS] = cos(in[k].steer);
        to[BLOCK_LANES * INPUT_SIN] = sin(in[k].steer);
        if (!b->model.gear.driven)
            continue;
        const double brake = fmin(fmax(in[k].brake, 0.0), 1.0);
        to[BLOCK_LANES * INPUT_THROTTLE] = fmin(fmax(in[k].throttle, 0.0), 1.0);
        if (b->brake_line)
            brake_line_push(cosserat_brake_line(b, first + k), brake,
                            b->model.gear.drive[DRIVE_BRAKE_DELAY], &to[BLOCK_LANES * INPUT_BRAKE]);
        else
            to[BLOCK_LANES * INPUT_BRAKE] = brake;
    }
}

// The heading is that of director 1 in the plane.
void cosserat_motion(const mc_batch *batch, int first, int count, mc_motion *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    _Alignas(64) double rate[BLOCK_LANES * VALUE_MAX];
    for (int i = first; i < first + count; i++) {
        if (i == first || i % BLOCK_LANES == 0)
            cosserat_block_rate(b, i / BLOCK_LANES, rate);
        double r[3], d[3], v[3], w[3], a[3];
        const double *z = cosserat_values(b, i);
        cosserat_gather(z, VALUE_R, 3, r);
        cosserat_gather(z, VALUE_D, 3, d);
        cosserat_gather(z, VALUE_V, 3, v);
        cosserat_gather(z, VALUE_W, 3, w);
        cosserat_gather(rate + i % BLOCK_LANES, VALUE_V, 3, a);
        const double size = hypot(d[0], d[1]), x = d[0] / size, y = d[1] / size;
        out[i - first] = (mc_motion){
            .x = r[0],
            .y = r[1],
            .psi = atan2(d[1], d[0]),
            .v = x * v[0] + y * v[1],
            .v_y = x * v[1] - y * v[0],
            .yaw_rate = (x * w[1] - y * w[0]) / size,
            .a = x * a[0] + y * a[1],
        };
    }
}

void cosserat_plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out)
{
    enum { AT_ONCE = 32 };
    const cosserat_batch *b = cosserat_look(batch);
    const running_gear *gear[AT_ONCE];
    double speed[AT_ONCE];
    for (int k = 0; k < count; k++)
        out[k] = (mc_plan){0};
    for (int i = 0; i < count && b->model.gear.driven; i += AT_ONCE) {
        const int some = count - i < AT_ONCE ? count - i : AT_ONCE;
        for (int k = 0; k < some; k++) {
            double d[2], v[2];
            cosserat_gather(cosserat_values(b, first + i + k), VALUE_D, 2, d);
            cosserat_gather(cosserat_values(b, first + i + k), VALUE_V, 2, v);
            gear[k] = &b->model.gear;
            speed[k] = (d[0] * v[0] + d[1] * v[1]) / hypot(d[0], d[1]);
        }
        gear_plan_some(gear, some, speed, desired + i, out + i);
    }
}

void cosserat_set_road(mc_batch *batch, const mc_road *under)
{
    cosserat_batch *b = cosserat_own(batch);
    b->road = road_is_relief(under) ? under : NULL;
    if (b->model.gear.driven)
        b->drive.road = under;
}

void cosserat_set_path(mc_batch *batch, int i, int path, double station)
{
    double *in = cosserat_inputs(cosserat_own(batch), i);
    in[BLOCK_LANES * INPUT_PATH] = path;
    in[BLOCK_LANES * INPUT_STATION] = station;
}

void cosserat_find_station(cosserat_batch *b, int i)
{
    const double *z = cosserat_values(b, i);
    double *in = cosserat_inputs(b, i);
    mc_road_point p;
    road_under(b->road, in[BLOCK_LANES * INPUT_PATH], z[BLOCK_LANES * VALUE_R],
               z[BLOCK_LANES * (VALUE_R + 1)], in[BLOCK_LANES * INPUT_STATION], &p);
    in[BLOCK_LANES * INPUT_STATION] = p.station;
}

void cosserat_bumps(const cosserat_batch *b, int i, double out[WHEELS])
{
    const cosserat_constants *c = &b->constants;
    const double *z = cosserat_values(b, i), *in = cosserat_inputs(b, i);
    double r[3], f[9];
    cosserat_gather(z, VALUE_R, 3, r);
    cosserat_gather_matrix(z, VALUE_D, f);
    for (int q = 0; q < WHEELS; q++) {
        out[q] = 0.0;
        if (!b->road)
            continue;
        const double x = c->axle_x[q / 2], y = q % 2 ? -c->half_b : c->half_b;
        const double h = -c->axle_h[q / 2];
        mc_road_point p;
        road_under(b->road, in[BLOCK_LANES * INPUT_PATH], r[0] + x * f[0] + y * f[1] + h * f[2],
                   r[1] + x * f[3] + y * f[4] + h * f[5], in[BLOCK_LANES * INPUT_STATION], &p);
        const double steer =
            q < 2 ? atan2(in[BLOCK_LANES * INPUT_SIN], in[BLOCK_LANES * INPUT_COS]) : 0.0;
        mc_road_stand(b->road, atan2(f[3], f[0]) + steer,
                      cosserat_radius(b->model.gear.driven ? &b->drive : NULL), 0.0, &p);
        out[q] = p.bump;
    }
}

// Friction under a wheel: where the road is asked place by place at its own place, as in the step.
static double friction_under(const cosserat_batch *b, int i, int wheel)
{
    const cosserat_constants *c = &b->constants;
    const double *z = cosserat_values(b, i), *in = cosserat_inputs(b, i);
    const double x = c->axle_x[wheel / 2], y = wheel % 2 ? -c->half_b : c->half_b;
    double r[2], f[9];
    if (!b->model.gear.driven)
        return 1.0;
    cosserat_gather(z, VALUE_R, 2, r);
    cosserat_gather_matrix(z, VALUE_D, f);
    if (!b->road)
        return gear_friction(&b->drive, r[0] + x * f[0]);
    const double h = -c->axle_h[wheel / 2];
    mc_road_point p;
    road_under(b->road, in[BLOCK_LANES * INPUT_PATH], r[0] + x * f[0] + y * f[1] + h * f[2],
               r[1] + x * f[3] + y * f[4] + h * f[5], in[BLOCK_LANES * INPUT_STATION], &p);
    return p.friction;
}

double cosserat_bump_under(const cosserat_batch *b, int i)
{
    double bump[WHEELS], sum = 0.0;
    cosserat_bumps(b, i, bump);
    for (int q = 0; q < WHEELS; q++)
        sum += bump[q] / WHEELS;
    return sum;
}

const mc_channel cosserat_channels[COSSERAT_CHANNEL_COUNT] = {
    {"n", "rpm", "engine speed"},
    {"fuel", "kg", "fuel used since the start"},
    {"brake_force", "-", "brake force over its maximum, after delay and lag"},
    {"w_lf", "rad/s", "spin of the left front wheel"},
    {"w_rf", "rad/s", "spin of the right front wheel"},
    {"w_lr", "rad/s", "spin of the left rear wheel"},
    {"w_rr", "rad/s", "spin of the right rear wheel"},
    WHEEL_USE_ROW,
    WHEEL_ROWS("load", "lf", "left front"),
    WHEEL_ROWS("load", "rf", "right front"),
    WHEEL_ROWS("load", "lr", "left rear"),
    WHEEL_ROWS("load", "rr", "right rear"),
};
enum { CHANNEL_SPIN = 3, CHANNEL_USE = CHANNEL_SPIN + WHEELS, CHANNEL_WHEEL };
_Static_assert(CHANNEL_WHEEL + WHEEL_ROW_COUNT * WHEELS == (int)COSSERAT_CHANNEL_COUNT,
               "one row per channel");

// The wheels stand where the springs are assembled, in the undeformed chassis.
int cosserat_read_wheels(const mc_batch *batch, int i, mc_wheel *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const cosserat_constants *c = &b->constants;
    const double *in = cosserat_inputs(b, i);
    cosserat_tread tread;
    cosserat_block_wheels(b, i / BLOCK_LANES, &tread);
    for (int q = 0; q < WHEELS; q++) {
        const int at = BLOCK_LANES * q + i % BLOCK_LANES, axle = q / 2;
        out[q] = (mc_wheel){
            .x = c->axle_x[axle],
            .y = q % 2 ? -c->half_b : c->half_b,
            .steer = axle ? 0.0 : atan2(in[BLOCK_LANES * INPUT_SIN], in[BLOCK_LANES * INPUT_COS]),
            .fx = tread.fx[at],
            .fy = tread.fy[at],
            .fz = tread.fz[at],
            .mu = friction_under(b, i, q)};
        if (!b->model.gear.driven)
            continue;
        out[q].radius = b->drive.radius; // it stands on the road
        out[q].spin = cosserat_values(b, i)[BLOCK_LANES * (VALUE_TYRE + WHEELS * WHEEL_SPIN + q)];
    }
    return WHEELS;
}

double cosserat_lateral_acceleration(const mc_batch *batch, int i)
{
    const cosserat_batch *b = cosserat_look(batch);
    _Alignas(64) double rate[BLOCK_LANES * VALUE_MAX];
    double d[2], a[2];
    cosserat_block_rate(b, i / BLOCK_LANES, rate);
    cosserat_gather(cosserat_values(b, i), VALUE_D, 2, d);
    cosserat_gather(rate + i % BLOCK_LANES, VALUE_V, 2, a);
    return (d[0] * a[1] - d[1] * a[0]) / hypot(d[0], d[1]);
}

static void read_wheels(const mc_batch *batch, int i, double *out)
{
    mc_wheel wheel[WHEELS];
    cosserat_read_wheels(batch, i, wheel);
    out[CHANNEL_USE] = wheel_channels_all(wheel, WHEELS);
    for (int q = 0; q < WHEELS; q++)
        wheel_channels_one(&wheel[q], out + CHANNEL_WHEEL + WHEEL_ROW_COUNT * q);
}

void cosserat_read_channels(const mc_batch *batch, int i, double *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    const int extra = VALUE_TYRE + WHEELS * b->tyre_states;
    for (int k = 0; k < COSSERAT_CHANNEL_COUNT; k++)
        out[k] = 0.0;
    read_wheels(batch, i, out);
    if (!b->model.gear.driven)
        return;
    double state[POWERTRAIN_STATE_MAX] = {0}, v = 0.0, force, *spin = out + CHANNEL_SPIN;
    cosserat_gather(z, VALUE_TYRE + WHEELS * WHEEL_SPIN, WHEELS, spin);
    cosserat_gather(z, extra + EXTRA_ENGINE, b->extra_states - EXTRA_ENGINE, state);
    for (int q = 0; q < WHEELS; q++)
        v += b->drive.axle[q / 2].engine_share * b->drive.radius * spin[q];
    gear_engine(&b->model.gear, cosserat_inputs(b, i)[BLOCK_LANES * INPUT_THROTTLE], v, state,
                &out[0], &force);
    out[1] = z[BLOCK_LANES * (cosserat_sums_place(b) + SUM_FUEL)];
    out[2] = z[BLOCK_LANES * (extra + EXTRA_BRAKE)];
}

bool cosserat_set_param(mc_batch *batch, int i, const char *name, double value)
{
    cosserat_batch *b = cosserat_own(batch);
    const mc_param *row = &cosserat_params[COSSERAT_MASS];
    if (batch->count != 1 || i != 0)
        return false;
    if (strcasecmp(row->name, name) != 0)
        return b->model.gear.driven &&
               gear_set(&b->model.gear, name, value, b->engine_p, &b->drive);
    if (!(value >= row->min && value <= row->max))
        return false;
    if (b->model.gear.driven) // gravity is booked: the new mass stands where the old one stood
        cosserat_values(b, 0)[BLOCK_LANES * (cosserat_sums_place(b) + SUM_GRAVITY)] *=
            value / b->model.p[COSSERAT_MASS];
    b->model.p[COSSERAT_MASS] = value;
    cosserat_constants_of(&b->model, &b->constants);
    cosserat_prepare_bounds(b);
    return true;
}

bool cosserat_get_param(const mc_batch *batch, int i, const char *name, double *value)
{
    (void)i; // parameters belong to the batch
    const cosserat_batch *b = cosserat_look(batch);
    for (int k = 0; k < COSSERAT_PARAM_COUNT; k++)
        if (strcasecmp(cosserat_params[k].name, name) == 0) {
            *value = b->model.p[k];
            return true;
        }
    return b->model.gear.driven && gear_get(&b->model.gear, name, value);
}

void cosserat_save_params(const cosserat_batch *b, double out[COSSERAT_SAVED_PARAMS])
{
    out[0] = b->model.p[COSSERAT_MASS];
    memset(out + 1, 0, DRIVE_LIVE_COUNT * sizeof *out);
    if (b->model.gear.driven)
        gear_save(&b->model.gear, out + 1);
}

// Only a vehicle that is alone in its batch can have changed; damaged values are not taken.
void cosserat_restore_params(cosserat_batch *b, const double in[COSSERAT_SAVED_PARAMS])
{
    double now[COSSERAT_SAVED_PARAMS];
    cosserat_save_params(b, now);
    if (b->base.count != 1 || memcmp(now, in, sizeof now) == 0)
        return;
    const mc_param *mass = &cosserat_params[COSSERAT_MASS];
    const bool good = in[0] == now[0] || (in[0] >= mass->min && in[0] <= mass->max);
    if (!good || (b->model.gear.driven && !gear_saved_valid(in + 1)))
        return;
    b->model.p[COSSERAT_MASS] = in[0];
    cosserat_constants_of(&b->model, &b->constants);
    cosserat_prepare_bounds(b);
    if (b->model.gear.driven)
        gear_restore(&b->model.gear, in + 1, b->engine_p, &b->drive);
}
