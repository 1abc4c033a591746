// batch.c - deformable vehicles behind the vehicle-model contract.
#include "cosserat/batch_parts.h"

#include "base/assert.h"
#include "base/wide.h"
#include "num/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- making a batch ----

void cosserat_prepare_bounds(cosserat_batch *b)
{
    const cosserat_constants *c = &b->constants;
    b->min_my = fmin(c->my[0], fmin(c->my[1], c->my[2]));
    b->slowest = HUGE_VAL;
    for (int k = FREE_MODES; k < c->mode_count; k++)
        b->slowest = fmin(b->slowest, c->omega[k]);
}

static void limit_step(mc_batch *batch, double step)
{
    cosserat_batch *b = cosserat_own(batch);
    if (b->model.gear.driven)
        step = fmin(step, gear_step_bound(&b->model.gear, &b->drive, b->model.p[COSSERAT_MASS]));
    b->step = step;
    etd_coefficients_of(&b->constants, b->decay_rate, b->tyre_states + b->extra_states, step,
                        &b->coefficients);
}

// Which states there are beside the body's, and how they decay.
static bool prepare_wheels(cosserat_batch *b)
{
    const running_gear *gear = &b->model.gear;
    b->tyre = tyre_eval_at(gear->tyre, cpu_level_best());
    b->tyre_states = gear->tyre->state_count;
    b->sum_count = SUM_COUNT;
    if (!gear->driven) {
        for (int k = 0; k < b->tyre_states; k++)
            b->decay_rate[k] = gear->tyre->state_rate(gear->tyre_p, k);
        return true;
    }
    b->engine_p = aligned_alloc(64, GEAR_ENGINE_SIZE * sizeof(double));
    if (!b->engine_p)
        return false;
    gear_constants_of(gear, b->engine_p, &b->drive);
    b->tyre_states = wheel_state_count(&b->drive.wheel);
    b->extra_states = EXTRA_ENGINE + (gear->powertrain ? gear->powertrain->state_count : 0);
    b->sum_count = SUM_MAX;
    for (int k = 0; k < b->tyre_states; k++)
        b->decay_rate[k] = wheel_rate(&b->drive.wheel, k);
    b->decay_rate[b->tyre_states + EXTRA_BRAKE] = b->drive.brake_rate;
    return true;
}

mc_batch *cosserat_batch_create(const cosserat_model *model, int count, cosserat_scheme scheme,
                                double step)
{
    mc_assert(count > 0 && step > 0.0 && !(model->plastic && model->seven));
    mc_assert(!model->seven || scheme != COSSERAT_PUBLISHED); // which has three directors
    cosserat_batch *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    const bool avx2 = cpu_level_best() == CPU_AVX2;
    b->base = (mc_batch){&cosserat_kind, count};
    b->model = *model; // the drive points into this copy
    b->model.gear.nominal_mass = model->p[COSSERAT_MASS];
    b->model.gear.gravity = model->gravity;
    cosserat_constants_of(&b->model, &b->constants);
    cosserat_prepare_surface(b);
    cosserat_prepare_bounds(b);
    b->scheme = scheme;
    b->rate = avx2 ? cosserat_rate_avx2 : cosserat_rate_plain;
    b->wheels = avx2 ? cosserat_wheels_avx2 : cosserat_wheels_plain;
    if (scheme == COSSERAT_PUBLISHED)
        b->kernel = avx2 ? cosserat_published_avx2 : cosserat_published_plain;
    else
        b->kernel = avx2 ? cosserat_exponential_avx2 : cosserat_exponential_plain;
    if (!model->suspension->built_in)
        b->suspension = suspension_eval_at(model->suspension, cpu_level_best());
    const bool prepared = prepare_wheels(b);
    if (cpu_is_wide() && scheme == COSSERAT_EXPONENTIAL && !model->gear.driven)
        b->pair_kernel = cosserat_exponential_avx512;
    b->plastic = cosserat_plastic_law(model);
    b->tail_count = model->plastic ? PLASTIC_COUNT : model->seven ? HIGHER_VALUES : 0;
    b->values =
        VALUE_TYRE + WHEELS * b->tyre_states + b->extra_states + b->sum_count + b->tail_count;
    b->stride = BLOCK_LANES * b->values;
    const size_t blocks = ((size_t)count + BLOCK_LANES - 1) / BLOCK_LANES;
    b->blocks = aligned_alloc(64, (blocks * (size_t)b->stride * sizeof(double) + 63) / 64 * 64);
    b->inputs = aligned_alloc(64, blocks * INPUT_COUNT * BLOCK_LANES * sizeof(double));
    const bool delayed = model->gear.driven && model->gear.drive[DRIVE_BRAKE_DELAY] > 0.0;
    if (delayed)
        b->brake_line = calloc(blocks * BLOCK_LANES * BRAKE_LINE_SIZE, sizeof(double));
    if (!prepared || !b->blocks || !b->inputs || (delayed && !b->brake_line)) {
        cosserat_kind.destroy(&b->base);
        return NULL;
    }
    limit_step(&b->base, step);
    // The unused lanes of the last block hold a vehicle at rest too: no lane is ever undefined.
    for (int i = 0; i < (int)blocks * BLOCK_LANES; i++)
        cosserat_batch_place(&b->base, i, 0.0, 0.0, 0.0, 0.0, 0.0, 0);
    return &b->base;
}

// Energy in gravity at the start: weight times height over the road, as on a level road. On a slope
// only changes count.
static void start_gravity(cosserat_batch *b, int i)
{
    double *z = cosserat_values(b, i);
    z[BLOCK_LANES * (cosserat_sums_place(b) + SUM_GRAVITY)] =
        b->constants.mass * b->constants.gravity * z[BLOCK_LANES * (VALUE_R + 2)];
}

// Wheels roll, the engine has settled, no brake.
static void place_wheels(cosserat_batch *b, int i, double speed)
{
    double *z = cosserat_values(b, i), state[POWERTRAIN_STATE_MAX] = {0};
    const int extra = VALUE_TYRE + WHEELS * b->tyre_states;
    const powertrain_kind *engine = b->model.gear.powertrain;
    for (int q = 0; q < WHEELS; q++)
        z[BLOCK_LANES * (VALUE_TYRE + WHEELS * WHEEL_SPIN + q)] = speed / b->drive.radius;
    if (engine)
        engine->settle(b->model.gear.powertrain_p, speed, 0.0, state);
    for (int k = 0; k < b->extra_states - EXTRA_ENGINE; k++)
        z[BLOCK_LANES * (extra + EXTRA_ENGINE + k)] = state[k];
    if (b->brake_line)
        memset(cosserat_brake_line(b, i), 0, BRAKE_LINE_SIZE * sizeof(double));
    start_gravity(b, i);
}

void cosserat_batch_place(mc_batch *batch, int i, double x, double y, double heading, double speed,
                          double angle, int transposed)
{
    cosserat_batch *b = cosserat_own(batch);
    double *z = cosserat_values(b, i);
    const double c = cos(heading), s = sin(heading), *d = &b->model.p[COSSERAT_D11];
    for (int k = 0; k < b->values; k++)
        z[BLOCK_LANES * k] = 0.0;
    z[BLOCK_LANES * (VALUE_R + 0)] = x;
    z[BLOCK_LANES * (VALUE_R + 1)] = y;
    z[BLOCK_LANES * (VALUE_R + 2)] = b->model.p[COSSERAT_R3];
    for (int k = 0; k < 3; k++) { // F0 = Q(heading) F_equilibrium, director by director
        const double dx = transposed ? d[k] : d[3 * k];
        const double dy = transposed ? d[3 + k] : d[3 * k + 1];
        const double dz = transposed ? d[6 + k] : d[3 * k + 2];
        z[BLOCK_LANES * (VALUE_D + 3 * k + 0)] = c * dx - s * dy;
        z[BLOCK_LANES * (VALUE_D + 3 * k + 1)] = s * dx + c * dy;
        z[BLOCK_LANES * (VALUE_D + 3 * k + 2)] = dz;
    }
    for (int k = 0; k < HIGHER_DIRECTORS && b->constants.seven; k++) {
        const double *g = &b->model.higher_p[HIGHER_D41 + 3 * k];
        const int at = cosserat_tail_place(b) + 3 * k;
        const double free = b->model.higher_p[HIGHER_HELD] > 0.0 ? 0.0 : 1.0;
        z[BLOCK_LANES * (at + 0)] = free * (c * g[0] - s * g[1]);
        z[BLOCK_LANES * (at + 1)] = free * (s * g[0] + c * g[1]);
        z[BLOCK_LANES * (at + 2)] = free * g[2];
    }
    z[BLOCK_LANES * (VALUE_V + 0)] = speed * c;
    z[BLOCK_LANES * (VALUE_V + 1)] = speed * s;
    double *in = cosserat_inputs(b, i);
    in[BLOCK_LANES * INPUT_COS] = cos(angle);
    in[BLOCK_LANES * INPUT_SIN] = sin(angle);
    in[BLOCK_LANES * INPUT_THROTTLE] = in[BLOCK_LANES * INPUT_BRAKE] = 0.0;
    cosserat_set_path(batch, i, -1, b->road ? NAN : 0.0);
    if (b->road) {
        cosserat_find_station(b, i);
        z[BLOCK_LANES * (VALUE_R + 2)] += cosserat_bump_under(b, i);
    }
    if (b->model.gear.driven)
        place_wheels(b, i, speed);
}

static void destroy(mc_batch *batch)
{
    cosserat_batch *b = cosserat_own(batch);
    free(b->blocks);
    free(b->inputs);
    free(b->brake_line);
    free(b->engine_p);
    free(b);
}

// ---- motion ----

static kernel_arguments arguments_of(const cosserat_batch *b)
{
    return (kernel_arguments){
        .constants = &b->constants,
        .suspension_p = b->model.suspension_p,
        .suspension = b->suspension,
        .tyre_p = b->model.gear.tyre_p,
        .tyre = b->tyre,
        .tyre_context = b->model.gear.tyre->context,
        .tyre_states = b->tyre_states,
        .extra_states = b->extra_states,
        .sum_count = b->sum_count,
        .tyre_rate = b->decay_rate,
        .drive = b->model.gear.driven ? &b->drive : NULL,
        .road = b->road,
        .plastic = b->model.plastic ? &b->plastic : NULL,
        .coefficients = &b->coefficients,
    };
}

// Moves vehicle i alone, in a block of its own.
static void advance_alone(const cosserat_batch *b, const kernel_arguments *a, int i)
{
    _Alignas(64) double block[BLOCK_LANES * VALUE_MAX];
    _Alignas(64) double inputs[INPUT_COUNT * BLOCK_LANES];
    double *z = cosserat_values(b, i), *in = cosserat_inputs(b, i);
    for (int lane = 0; lane < BLOCK_LANES; lane++) {
        for (int k = 0; k < b->values; k++)
            block[BLOCK_LANES * k + lane] = z[BLOCK_LANES * k];
        for (int k = 0; k < INPUT_COUNT; k++)
            inputs[BLOCK_LANES * k + lane] = in[BLOCK_LANES * k];
    }
    b->kernel(a, block, 1, b->stride, inputs);
    for (int k = 0; k < b->values; k++)
        z[BLOCK_LANES * k] = block[BLOCK_LANES * k];
}

// As few equal steps as the longest step allows; a hair of slack so that 20 x 0.0005 is 20 steps.
// room: for the coefficients of a step that is not the usual one.
static kernel_arguments steps_of(const cosserat_batch *b, double duration, etd_coefficients *room)
{
    kernel_arguments a = arguments_of(b);
    a.steps = (int)ceil(duration / b->step * (1.0 - 1e-12));
    a.h = duration / a.steps;
    if (b->scheme == COSSERAT_EXPONENTIAL && a.h != b->coefficients.h) {
        etd_coefficients_of(&b->constants, b->decay_rate, a.tyre_states + a.extra_states, a.h,
                            room);
        a.coefficients = room;
    }
    return a;
}

// Two rows of four are one of eight, and back.
static void join(const double *blocks, size_t apart, int count, double *pair)
{
    for (int k = 0; k < count; k++, blocks += BLOCK_LANES, pair += 2 * BLOCK_LANES) {
        memcpy(pair, blocks, BLOCK_LANES * sizeof *pair);
        memcpy(pair + BLOCK_LANES, blocks + apart, BLOCK_LANES * sizeof *pair);
    }
}

static void part(const double *pair, size_t apart, int count, double *blocks)
{
    for (int k = 0; k < count; k++, blocks += BLOCK_LANES, pair += 2 * BLOCK_LANES) {
        memcpy(blocks, pair, BLOCK_LANES * sizeof *pair);
        memcpy(blocks + apart, pair + BLOCK_LANES, BLOCK_LANES * sizeof *pair);
    }
}

// Moves blocks two by two as far as that goes; returns how many.
static int advance_pairs(const cosserat_batch *b, const kernel_arguments *a, size_t block,
                         int count)
{
    _Alignas(64) double pair[2 * BLOCK_LANES * VALUE_MAX];
    _Alignas(64) double inputs[2 * BLOCK_LANES * INPUT_COUNT];
    if (!b->pair_kernel)
        return 0;
    for (int k = 0; k + 2 <= count; k += 2, block += 2) {
        double *two = b->blocks + block * (size_t)b->stride;
        join(two, (size_t)b->stride, b->values, pair);
        join(b->inputs + block * INPUT_COUNT * BLOCK_LANES, INPUT_COUNT * BLOCK_LANES, INPUT_COUNT,
             inputs);
        b->pair_kernel(a, pair, 1, 0, inputs);
        part(pair, (size_t)b->stride, b->values, two);
    }
    return count / 2 * 2;
}

static void advance_blocks(cosserat_batch *b, int first, int count, double duration)
{
    etd_coefficients coefficients;
    const kernel_arguments a = steps_of(b, duration, &coefficients);
    int i = first;
    for (; i < first + count && i % BLOCK_LANES != 0; i++)
        advance_alone(b, &a, i);
    // The unused lanes of the last block belong to no vehicle: a range that ends the batch takes
    // them.
    const int end = first + count, whole = end == b->base.count ? end + BLOCK_LANES - 1 : end;
    const int blocks = (whole - i) / BLOCK_LANES;
    if (blocks > 0) {
        size_t block = (size_t)(i / BLOCK_LANES);
        const int paired = advance_pairs(b, &a, block, blocks);
        block += (size_t)paired;
        b->kernel(&a, b->blocks + block * (size_t)b->stride, blocks - paired, b->stride,
                  b->inputs + block * INPUT_COUNT * BLOCK_LANES);
        i += blocks * BLOCK_LANES;
    }
    for (; i < end; i++)
        advance_alone(b, &a, i);
}

// One vehicle, cut where a command reaches its brakes.
static void advance_cut(cosserat_batch *b, int i, double duration)
{
    double *line = cosserat_brake_line(b, i),
           *command = cosserat_inputs(b, i) + BLOCK_LANES * INPUT_BRAKE;
    for (double left = duration; left > 0.0;) {
        etd_coefficients coefficients;
        const double part = fmin(left, brake_line_next(line));
        const kernel_arguments a = steps_of(b, part, &coefficients);
        advance_alone(b, &a, i);
        brake_line_pass(line, part, command);
        left -= part;
    }
}

static void advance(mc_batch *batch, int first, int count, double duration)
{
    cosserat_batch *b = cosserat_own(batch);
    if (count <= 0 || duration <= 0.0)
        return;
    bool cut = false;
    for (int i = first; b->brake_line && i < first + count; i++)
        cut |= brake_line_next(cosserat_brake_line(b, i)) < duration;
    if (!cut)
        advance_blocks(b, first, count, duration);
    for (int i = first; b->brake_line && i < first + count; i++)
        if (cut)
            advance_cut(b, i, duration);
        else
            brake_line_pass(cosserat_brake_line(b, i), duration,
                            cosserat_inputs(b, i) + BLOCK_LANES * INPUT_BRAKE);
    for (int i = first; b->road && i < first + count; i++)
        cosserat_find_station(b, i);
}

// Rates of all values of a block.
void cosserat_block_rate(const cosserat_batch *b, int block, double out[BLOCK_LANES * VALUE_MAX])
{
    const kernel_arguments a = arguments_of(b);
    b->rate(&a, b->blocks + (size_t)block * (size_t)b->stride,
            b->inputs + (size_t)block * INPUT_COUNT * BLOCK_LANES, out);
}

// Tyre forces of all lanes of a block.
void cosserat_block_wheels(const cosserat_batch *b, int block, cosserat_tread *out)
{
    const kernel_arguments a = arguments_of(b);
    b->wheels(&a, b->blocks + (size_t)block * (size_t)b->stride,
              b->inputs + (size_t)block * INPUT_COUNT * BLOCK_LANES, out);
}

void cosserat_batch_rate(const mc_batch *batch, int i, double *rate)
{
    const cosserat_batch *b = cosserat_look(batch);
    _Alignas(64) double out[BLOCK_LANES * VALUE_MAX];
    cosserat_block_rate(b, i / BLOCK_LANES, out);
    for (int k = 0; k < b->values; k++)
        rate[k] = out[BLOCK_LANES * k + i % BLOCK_LANES];
}

// ---- state ----

int cosserat_batch_value_count(const mc_batch *batch)
{
    return cosserat_look(batch)->values;
}

// Without drive and road the steering alone.
static int saved_inputs(const cosserat_batch *b)
{
    return b->model.gear.driven ? INPUT_COUNT : INPUT_SIN + 1;
}

static int save_size(const mc_batch *batch)
{
    const cosserat_batch *b = cosserat_look(batch);
    const int inputs = saved_inputs(b);
    return b->values + inputs + (b->brake_line ? BRAKE_LINE_SIZE : 0) + COSSERAT_SAVED_PARAMS;
}

static void save(const mc_batch *batch, int i, double *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    cosserat_gather(cosserat_values(b, i), 0, b->values, out);
    const int inputs = saved_inputs(b);
    cosserat_gather(cosserat_inputs(b, i), 0, inputs, out + b->values);
    out += b->values + inputs;
    if (b->brake_line)
        memcpy(out, cosserat_brake_line(b, i), BRAKE_LINE_SIZE * sizeof *out);
    cosserat_save_params(b, out + (b->brake_line ? BRAKE_LINE_SIZE : 0));
}

static bool state_name(const mc_batch *batch, int k, mc_state_name *out)
{
    static const char axis[] = "xyz", *const wheels[WHEELS] = {"lf", "rf", "lr", "rr"};
    const cosserat_batch *b = cosserat_look(batch);
    const int extra = VALUE_TYRE + WHEELS * b->tyre_states, end = extra + b->extra_states;
    const bool rate = k >= VALUE_V;
    const int of = rate ? k - VALUE_V : k; // position, then three directors
    if (k >= end)
        return false;
    if (k >= extra) {
        gear_extra_name(&b->model.gear, k - extra, out);
    } else if (k >= VALUE_TYRE) {
        gear_wheel_state_name(&b->model.gear, (k - VALUE_TYRE) / WHEELS,
                              wheels[(k - VALUE_TYRE) % WHEELS], out);
    } else if (of < VALUE_D) {
        snprintf(out->name, sizeof out->name, "%s%c", rate ? "v_" : "", axis[of]);
        snprintf(out->unit, sizeof out->unit, rate ? "m/s" : "m");
    } else {
        snprintf(out->name, sizeof out->name, "d%d_%c%s", (of - VALUE_D) / 3 + 1,
                 axis[(of - VALUE_D) % 3], rate ? "_rate" : "");
        snprintf(out->unit, sizeof out->unit, rate ? "1/s" : "-");
    }
    return true;
}

static void pose(const mc_batch *batch, int i, mc_pose *out)
{
    const double *z = cosserat_values(cosserat_look(batch), i);
    cosserat_gather(z, VALUE_R, 3, out->position);
    cosserat_gather(z, VALUE_D, 9, out->directors);
    cosserat_gather(z, VALUE_V, 3, out->velocity);
    cosserat_gather(z, VALUE_W, 9, out->director_rates);
}

static void restore(mc_batch *batch, int i, const double *in)
{
    cosserat_batch *b = cosserat_own(batch);
    double *z = cosserat_values(b, i);
    for (int k = 0; k < b->values; k++)
        z[BLOCK_LANES * k] = in[k];
    const int inputs = saved_inputs(b);
    for (int k = 0; k < inputs; k++)
        cosserat_inputs(b, i)[BLOCK_LANES * k] = in[b->values + k];
    in += b->values + inputs;
    if (b->brake_line)
        brake_line_restore(cosserat_brake_line(b, i), in);
    cosserat_restore_params(b, in + (b->brake_line ? BRAKE_LINE_SIZE : 0));
}

static void momentum(const mc_batch *batch, int i, double out[3])
{
    const cosserat_batch *b = cosserat_look(batch);
    cosserat_gather(cosserat_values(b, i), VALUE_V, 3, out);
    for (int j = 0; j < 3; j++)
        out[j] *= b->constants.mass;
}

static void road_impulse(const mc_batch *batch, int i, double out[3])
{
    const cosserat_batch *b = cosserat_look(batch);
    cosserat_gather(cosserat_values(b, i), cosserat_sums_place(b) + SUM_IMPULSE, 3, out);
}

static double mass(const mc_batch *batch, int i)
{
    (void)i;
    return cosserat_look(batch)->constants.mass;
}

static double gravity(const mc_batch *batch)
{
    return cosserat_look(batch)->constants.gravity;
}

bool cosserat_batch_higher(const mc_batch *batch, int i, double out[HIGHER_VALUES])
{
    const cosserat_batch *b = cosserat_look(batch);
    if (b->constants.seven)
        cosserat_gather(cosserat_values(b, i), cosserat_tail_place(b), HIGHER_VALUES, out);
    return b->constants.seven;
}

const cosserat_constants *cosserat_batch_constants(const mc_batch *batch)
{
    return &cosserat_look(batch)->constants;
}

const mc_vehicle_kind cosserat_kind = {
    .name = "cosserat",
    .advance = advance,
    .set_inputs = cosserat_set_inputs,
    .motion = cosserat_motion,
    .plan = cosserat_plan,
    .set_road = cosserat_set_road,
    .set_path = cosserat_set_path,
    .channels = cosserat_channels,
    .channel_count = COSSERAT_CHANNEL_COUNT,
    .read_channels = cosserat_read_channels,
    .wheels = cosserat_read_wheels,
    .lateral_acceleration = cosserat_lateral_acceleration,
    .set_param = cosserat_set_param,
    .get_param = cosserat_get_param,
    .limit_step = limit_step,
    .pose = pose,
    .surface = cosserat_surface,
    .surface_toward = cosserat_surface_toward,
    .reach = cosserat_reach,
    .point_velocity = cosserat_point_velocity,
    .impulse_response = cosserat_impulse_response,
    .apply_impulse = cosserat_apply_impulse,
    .save_size = save_size,
    .state_name = state_name,
    .save = save,
    .restore = restore,
    .energy = cosserat_energy,
    .momentum = momentum,
    .road_impulse = road_impulse,
    .mass = mass,
    .gravity = gravity,
    .contact_window = cosserat_contact_window,
    .destroy = destroy,
};
