// batch.c - planar cars behind the vehicle-model contract: making, moving, saving.
#include "planar/batch.h"

#include "base/assert.h"
#include "base/gravity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers of a model ----

// -dfx/dv_x of a tyre that rolls freely at SLOPE_SPEED, its states at rest, N s/m.
static double slope_of(const wheel_model *wheel, double load)
{
    enum { N = 4 };
    _Alignas(32) double fz[N], v_x[N], v_y[N] = {0}, v_roll[N], fx[N], fy[N];
    _Alignas(32) double x[N * TYRE_STATE_MAX] = {0}, drive[N * TYRE_STATE_MAX];
    const double off[N] = {1e-4, -1e-4, 0.0, 0.0};
    for (int l = 0; l < N; l++) {
        fz[l] = load;
        v_x[l] = SLOPE_SPEED;
        v_roll[l] = SLOPE_SPEED + off[l];
    }
    const tyre_in in = {
        .fz = fz, .v_x = v_x, .v_y = v_y, .v_roll = v_roll, .context = wheel->tyre->context};
    tyre_eval_at(wheel->tyre, CPU_PLAIN)(wheel->tyre_p, N, &in, x, drive,
                                         &(tyre_out){.fx = fx, .fy = fy});
    return fmax((fx[0] - fx[1]) / (off[0] - off[1]), 0.0);
}

void planar_prepare(planar_batch *b)
{
    const planar_model *m = &b->model;
    const double *p = m->p, half[2] = {0.5 * p[PLANAR_TRACK_FRONT], 0.5 * p[PLANAR_TRACK_REAR]};
    planar_constants *c = &b->constants;
    *c = (planar_constants){
        .mass = m->body[BODY_MASS],
        .inertia = m->body[BODY_YAW_INERTIA],
        .half_tracks = {half[0], half[1]},
        .roll_share = {p[PLANAR_ROLL_FRONT], 1.0 - p[PLANAR_ROLL_FRONT]},
        .front = m->axle[0],
        .rear = m->axle[1],
        .cg_height = m->layout[LAYOUT_CG],
        .lean_rate = 1.0 / p[PLANAR_LOAD_LAG],
        .steering = {m->layout[LAYOUT_STEER_LAG], m->layout[LAYOUT_STEER_RATE],
                     m->layout[LAYOUT_STEER_MAX]},
        .fourth = p[PLANAR_ORDER] > 3.0,
        .by_speed = b->gear.wheel.tyre->state_count == 0,
    };
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        c->wheel_x[q] = q < 2 ? m->axle[0] : -m->axle[1];
        c->wheel_y[q] = q % 2 ? -half[q / 2] : half[q / 2];
    }
    c->spin_slope = slope_of(&b->gear.wheel, 0.25 * c->mass * GRAVITY);
}

// Steps that are stable: 2.5 over the largest pole for order four, 2 over it for order two. There
// the spin on a tyre without states is implicit; brakes that slip and hold are left.
static double step_bound(const planar_batch *b)
{
    const running_gear *gear = &b->model.gear;
    if (b->constants.fourth)
        return gear_step_bound(gear, &b->gear, b->constants.mass);
    if (b->gear.wheel.tyre->state_count > 0)
        return 0.8 * gear_step_bound(gear, &b->gear, b->constants.mass);
    const double brakes = 2.0 / fmax(WHEEL_RATE_MAX, gear->drive[DRIVE_HOLD]);
    return gear->powertrain ? fmin(brakes, gear->powertrain->step_bound(gear->powertrain_p))
                            : brakes;
}

void planar_limit_step(mc_batch *batch, double step)
{
    planar_batch *b = planar_own(batch);
    b->step = fmin(fmin(step, b->model.p[PLANAR_STEP]), step_bound(b));
}

static void prepare_kernel(planar_batch *b)
{
    const running_gear *gear = &b->model.gear;
    b->kernel = (planar_kernel){
        .constants = &b->constants,
        .gear = &b->gear,
        .wheel_states = wheel_state_count(&b->gear.wheel),
        .extra_states = EXTRA_ENGINE + (gear->powertrain ? gear->powertrain->state_count : 0),
        .decay = b->decay,
        .level = true,
        .dry = true,
    };
    for (int k = 0; k < b->kernel.wheel_states; k++)
        b->decay[k] = wheel_rate(&b->gear.wheel, k);
    b->values = planar_kept_place(&b->kernel) + KEPT_COUNT;
}

// ---- making a batch ----

static void destroy(mc_batch *batch)
{
    planar_batch *b = planar_own(batch);
    free(b->blocks);
    free(b->inputs);
    free(b->engine_p);
    free(b->brake_line);
    free(b);
}

static double *lanes_of(size_t vehicles, int values)
{
    const size_t size = vehicles * (size_t)values * sizeof(double);
    double *out = aligned_alloc(64, (size + 63) / 64 * 64);
    if (out)
        memset(out, 0, size);
    return out;
}

mc_batch *planar_batch_create(const planar_model *model, int count, double max_step)
{
    mc_assert(count > 0 && max_step > 0.0);
    planar_batch *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    const bool avx2 = cpu_level_best() == CPU_AVX2;
    b->base = (mc_batch){&planar_kind, count};
    b->model = *model; // the running gear points into this copy
    running_gear *gear = &b->model.gear;
    gear->driven = true;
    gear->axle_count = 2;
    gear->gravity = GRAVITY;
    gear->nominal_mass = isnan(model->nominal_mass) ? model->body[BODY_MASS] : model->nominal_mass;
    b->advance = avx2 ? planar_advance_avx2 : planar_advance_plain;
    b->look = avx2 ? planar_look_avx2 : planar_look_plain;
    b->engine_p = aligned_alloc(64, GEAR_ENGINE_SIZE * sizeof(double));
    if (b->engine_p) {
        gear_constants_of(gear, b->engine_p, &b->gear);
        planar_prepare(b);
        prepare_kernel(b);
        planar_limit_step(&b->base, max_step);
    }
    const size_t places = ((size_t)count + PLANAR_LANES - 1) / PLANAR_LANES * PLANAR_LANES;
    const bool delayed = gear->drive[DRIVE_BRAKE_DELAY] > 0.0;
    b->blocks = lanes_of(places, b->values);
    b->inputs = lanes_of(places, INPUT_COUNT);
    if (delayed)
        b->brake_line = calloc(places * BRAKE_LINE_SIZE, sizeof(double));
    if (!b->engine_p || !b->blocks || !b->inputs || (delayed && !b->brake_line)) {
        destroy(&b->base);
        return NULL;
    }
    for (int i = 0; i < (int)places; i++) // unused lanes hold a car at rest
        planar_batch_place(&b->base, i, 0.0, 0.0, 0.0, 0.0);
    return &b->base;
}

void planar_batch_place(mc_batch *batch, int i, double x, double y, double heading, double speed)
{
    planar_batch *b = planar_own(batch);
    double *z = planar_values(b, i), *in = planar_inputs(b, i), engine[POWERTRAIN_STATE_MAX] = {0};
    const running_gear *gear = &b->model.gear;
    for (int k = 0; k < b->values; k++)
        z[PLANAR_LANES * k] = 0.0;
    for (int k = 0; k < INPUT_COUNT; k++)
        in[PLANAR_LANES * k] = 0.0;
    z[PLANAR_LANES * VALUE_X] = x;
    z[PLANAR_LANES * VALUE_Y] = y;
    z[PLANAR_LANES * VALUE_PSI] = heading;
    z[PLANAR_LANES * VALUE_U] = speed;
    for (int q = 0; q < PLANAR_WHEELS; q++)
        z[PLANAR_LANES * (VALUE_WHEEL + PLANAR_WHEELS * WHEEL_SPIN + q)] = speed / b->gear.radius;
    if (gear->powertrain) {
        const double throttle = fabs(speed) > 0.4 ? gear_plan(gear, speed, 0.0).throttle : 0.0;
        in[PLANAR_LANES * INPUT_THROTTLE] = throttle; // that keeps the speed
        gear->powertrain->settle(gear->powertrain_p, speed, throttle, engine);
    }
    for (int k = 0; k < b->kernel.extra_states - EXTRA_ENGINE; k++)
        z[PLANAR_LANES * (planar_extra_place(&b->kernel) + EXTRA_ENGINE + k)] = engine[k];
    in[PLANAR_LANES * INPUT_GIVEN] = b->constants.mass * speed * cos(heading);
    in[PLANAR_LANES * (INPUT_GIVEN + 1)] = b->constants.mass * speed * sin(heading);
    if (b->brake_line)
        memset(b->brake_line + (size_t)i * BRAKE_LINE_SIZE, 0, BRAKE_LINE_SIZE * sizeof(double));
    mc_road_point at;
    mc_road_at(b->gear.road, x, y, NAN, &at);
    *planar_kept(b, i, KEPT_STATION) = at.station;
    *planar_kept(b, i, KEPT_PATH) = -1.0;
}

// ---- motion ----

// As few equal steps as the longest one allows; a hair of slack so that 20 x 0.0005 is 20 steps.
static int steps_of(const planar_batch *b, double duration)
{
    return (int)ceil(duration / b->step * (1.0 - 1e-12));
}

// Moves vehicle i alone, in a block of its own.
static void advance_alone(const planar_batch *b, int i, double duration)
{
    _Alignas(64) double block[PLANAR_LANES * VALUE_MAX], inputs[PLANAR_LANES * INPUT_COUNT];
    double *z = planar_values(b, i), *in = planar_inputs(b, i);
    for (int l = 0; l < PLANAR_LANES; l++) {
        for (int k = 0; k < b->values; k++)
            block[PLANAR_LANES * k + l] = z[PLANAR_LANES * k];
        for (int k = 0; k < INPUT_COUNT; k++)
            inputs[PLANAR_LANES * k + l] = in[PLANAR_LANES * k];
    }
    const int steps = steps_of(b, duration);
    b->advance(&b->kernel, block, inputs, steps, duration / steps);
    for (int k = 0; k < b->values; k++)
        z[PLANAR_LANES * k] = block[PLANAR_LANES * k];
}

// One vehicle, cut where a command reaches its brakes.
static void advance_cut(const planar_batch *b, int i, double duration)
{
    double *line = b->brake_line + (size_t)i * BRAKE_LINE_SIZE;
    double *command = planar_inputs(b, i) + PLANAR_LANES * INPUT_BRAKE;
    for (double left = duration; left > 0.0;) {
        const double part = fmin(left, brake_line_next(line));
        advance_alone(b, i, part);
        brake_line_pass(line, part, command);
        left -= part;
    }
}

static void advance(mc_batch *batch, int first, int count, double duration)
{
    planar_batch *b = planar_own(batch);
    if (count <= 0 || duration <= 0.0)
        return;
    const int end = first + count, steps = steps_of(b, duration);
    for (int i = first; i < end;) {
        // The unused lanes of the last block belong to no vehicle: a range that ends the batch
        // takes them.
        const bool whole =
            i % PLANAR_LANES == 0 && (i + PLANAR_LANES <= end || end == batch->count);
        if (b->brake_line) {
            advance_cut(b, i++, duration);
        } else if (whole) {
            b->advance(&b->kernel, planar_values(b, i), planar_inputs(b, i), steps,
                       duration / steps);
            i += PLANAR_LANES;
        } else {
            advance_alone(b, i++, duration);
        }
    }
}

// ---- state ----

static int save_size(const mc_batch *batch)
{
    const planar_batch *b = planar_of(batch);
    return b->values + INPUT_COUNT + (b->brake_line ? BRAKE_LINE_SIZE : 0) + PLANAR_SAVED_PARAMS;
}

static void save(const mc_batch *batch, int i, double *out)
{
    const planar_batch *b = planar_of(batch);
    for (int k = 0; k < b->values; k++)
        *out++ = planar_values(b, i)[PLANAR_LANES * k];
    for (int k = 0; k < INPUT_COUNT; k++)
        *out++ = planar_inputs(b, i)[PLANAR_LANES * k];
    if (b->brake_line) {
        memcpy(out, b->brake_line + (size_t)i * BRAKE_LINE_SIZE, BRAKE_LINE_SIZE * sizeof *out);
        out += BRAKE_LINE_SIZE;
    }
    planar_save_params(b, out);
}

static void restore(mc_batch *batch, int i, const double *in)
{
    planar_batch *b = planar_own(batch);
    for (int k = 0; k < b->values; k++)
        planar_values(b, i)[PLANAR_LANES * k] = *in++;
    for (int k = 0; k < INPUT_COUNT; k++)
        planar_inputs(b, i)[PLANAR_LANES * k] = *in++;
    if (b->brake_line) {
        brake_line_restore(b->brake_line + (size_t)i * BRAKE_LINE_SIZE, in);
        in += BRAKE_LINE_SIZE;
    }
    planar_restore_params(b, in);
}

static bool state_name(const mc_batch *batch, int k, mc_state_name *out)
{
    static const mc_channel rows[VALUE_WHEEL] = {
        [VALUE_X] = {"x", "m", ""},
        [VALUE_Y] = {"y", "m", ""},
        [VALUE_PSI] = {"psi", "rad", ""},
        [VALUE_U] = {"v", "m/s", ""},
        [VALUE_W] = {"v_y", "m/s", ""},
        [VALUE_R] = {"yaw_rate", "rad/s", ""},
        [VALUE_LEAN_X] = {"lean_x", "m/s^2", ""},
        [VALUE_LEAN_Y] = {"lean_y", "m/s^2", ""},
    };
    static const char *const wheels[PLANAR_WHEELS] = {"lf", "rf", "lr", "rr"};
    const planar_batch *b = planar_of(batch);
    const int extra = planar_extra_place(&b->kernel);
    if (k == planar_kept_place(&b->kernel) + KEPT_STEER) {
        snprintf(out->name, sizeof out->name, "steer_angle");
        snprintf(out->unit, sizeof out->unit, "rad");
        return true;
    }
    if (k >= planar_sum_place(&b->kernel))
        return false;
    if (k >= extra) {
        gear_extra_name(&b->model.gear, k - extra, out);
    } else if (k >= VALUE_WHEEL) {
        gear_wheel_state_name(&b->model.gear, (k - VALUE_WHEEL) / PLANAR_WHEELS,
                              wheels[(k - VALUE_WHEEL) % PLANAR_WHEELS], out);
    } else {
        snprintf(out->name, sizeof out->name, "%s", rows[k].name);
        snprintf(out->unit, sizeof out->unit, "%s", rows[k].unit);
    }
    return true;
}

static double mass(const mc_batch *batch, int i)
{
    (void)i;
    return planar_of(batch)->constants.mass;
}

static double gravity(const mc_batch *batch)
{
    (void)batch;
    return GRAVITY;
}

// Nothing vibrates; a touch of two rigid ellipsoids is found over times in which they turn little.
static double contact_window(const mc_batch *batch)
{
    (void)batch;
    return 0.002;
}

const mc_vehicle_kind planar_kind = {
    .name = "planar",
    .advance = advance,
    .set_inputs = planar_set_inputs,
    .motion = planar_motion,
    .plan = planar_plan,
    .set_road = planar_set_road,
    .set_path = planar_set_path,
    .channels = planar_channels,
    .channel_count = PLANAR_CHANNEL_COUNT,
    .read_channels = planar_read_channels,
    .fuel = planar_fuel,
    .wheels = planar_wheels,
    .lateral_acceleration = planar_lateral_acceleration,
    .set_param = planar_set_param,
    .get_param = planar_get_param,
    .limit_step = planar_limit_step,
    .surface = planar_surface,
    .reach = planar_reach,
    .point_velocity = planar_point_velocity,
    .impulse_response = planar_impulse_response,
    .apply_impulse = planar_apply_impulse,
    .save_size = save_size,
    .state_name = state_name,
    .save = save,
    .restore = restore,
    .energy = planar_energy,
    .momentum = planar_momentum,
    .road_impulse = planar_road_impulse,
    .mass = mass,
    .gravity = gravity,
    .contact_window = contact_window,
    .destroy = destroy,
};
