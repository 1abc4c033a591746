// batch.c - deformable vehicles behind the vehicle-model contract.
#include "cosserat/batch_parts.h"

#include "base/assert.h"
#include "num/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- making a batch ----

static void prepare_surface(cosserat_batch *b)
{
    const double *shape = b->model.shape, *p = b->model.p;
    const double cy = cos(shape[SHAPE_YAW]), sy = sin(shape[SHAPE_YAW]);
    const double cp = cos(shape[SHAPE_PITCH]), sp = sin(shape[SHAPE_PITCH]);
    const double cr = cos(shape[SHAPE_ROLL]), sr = sin(shape[SHAPE_ROLL]);
    const double turn[9] = {cy * cp,
                            cy * sp * sr - sy * cr,
                            cy * sp * cr + sy * sr,
                            sy * cp,
                            sy * sp * sr + cy * cr,
                            sy * sp * cr - cy * sr,
                            -sp,
                            cp * sr,
                            cp * cr};
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        const double axis = p[COSSERAT_A1 + k];
        longest = fmax(longest, axis);
        b->ellipsoid_centre[k] = shape[SHAPE_X + k];
        for (int j = 0; j < 3; j++)
            b->ellipsoid_axes[3 * j + k] = turn[3 * j + k] * axis;
    }
    b->reach_length = vec3_norm(b->ellipsoid_centre) + longest;
}

void cosserat_prepare_bounds(cosserat_batch *b)
{
    const cosserat_constants *c = &b->constants;
    b->my_least = fmin(c->my[0], fmin(c->my[1], c->my[2]));
    b->slowest = HUGE_VAL;
    for (int k = FREE_MODES; k < MODE_COUNT; k++)
        b->slowest = fmin(b->slowest, c->omega[k]);
}

static void limit_step(mc_batch *batch, double step)
{
    cosserat_batch *b = cosserat_own(batch);
    if (b->model.driven)
        step = fmin(step, cosserat_drive_step_bound(&b->model, &b->drive));
    b->step = step;
    etd_coefficients_of(&b->constants, b->decay_rate, b->tyre_states + b->extra_states, step,
                        &b->coefficients);
}

// Which states there are beside the body's, and how they decay.
static bool prepare_wheels(cosserat_batch *b)
{
    const cosserat_model *model = &b->model;
    b->tyre = model->tyre->eval[cpu_level_best()];
    b->tyre_states = model->tyre->state_count;
    b->sum_count = SUM_COUNT;
    b->nominal_mass = model->p[COSSERAT_MASS];
    if (!model->driven) {
        for (int k = 0; k < b->tyre_states; k++)
            b->decay_rate[k] = model->tyre->state_rate(model->tyre_p, k);
        return true;
    }
    b->engine_p = aligned_alloc(64, DRIVE_ENGINE_SIZE * sizeof(double));
    if (!b->engine_p)
        return false;
    cosserat_drive_of(model, b->nominal_mass, b->engine_p, &b->drive);
    b->tyre_states = wheel_state_count(&b->drive.wheel);
    b->extra_states = EXTRA_ENGINE + (model->powertrain ? model->powertrain->state_count : 0);
    b->sum_count = SUM_MAX;
    for (int k = 0; k < b->tyre_states; k++)
        b->decay_rate[k] = wheel_rate(&b->drive.wheel, k);
    b->decay_rate[b->tyre_states + EXTRA_BRAKE] = b->drive.brake_rate;
    return true;
}

mc_batch *cosserat_batch_create(const cosserat_model *model, int count, cosserat_scheme scheme,
                                double step)
{
    mc_assert(count > 0 && step > 0.0);
    cosserat_batch *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    const bool avx2 = cpu_level_best() == CPU_AVX2;
    b->base = (mc_batch){&cosserat_kind, count};
    b->model = *model; // the drive points into this copy
    cosserat_constants_of(model, &b->constants);
    prepare_surface(b);
    cosserat_prepare_bounds(b);
    b->scheme = scheme;
    b->rate = avx2 ? cosserat_rate_avx2 : cosserat_rate_plain;
    if (scheme == COSSERAT_PUBLISHED)
        b->kernel = avx2 ? cosserat_published_avx2 : cosserat_published_plain;
    else
        b->kernel = avx2 ? cosserat_exponential_avx2 : cosserat_exponential_plain;
    const bool prepared = prepare_wheels(b);
    b->plastic = cosserat_plastic_law(model);
    b->plastic_count = model->plastic ? PLASTIC_COUNT : 0;
    b->values =
        VALUE_TYRE + WHEELS * b->tyre_states + b->extra_states + b->sum_count + b->plastic_count;
    b->stride = BLOCK_LANES * b->values;
    const size_t blocks = ((size_t)count + BLOCK_LANES - 1) / BLOCK_LANES;
    b->blocks = aligned_alloc(64, (blocks * (size_t)b->stride * sizeof(double) + 63) / 64 * 64);
    b->inputs = aligned_alloc(64, blocks * INPUT_COUNT * BLOCK_LANES * sizeof(double));
    const bool delayed = model->driven && model->drive[DRIVE_BRAKE_DELAY] > 0.0;
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
    const powertrain_kind *engine = b->model.powertrain;
    for (int q = 0; q < WHEELS; q++)
        z[BLOCK_LANES * (VALUE_TYRE + WHEELS * WHEEL_SPIN + q)] = speed / b->drive.radius;
    if (engine)
        engine->settle(b->model.powertrain_p, speed, 0.0, state);
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
    z[BLOCK_LANES * (VALUE_V + 0)] = speed * c;
    z[BLOCK_LANES * (VALUE_V + 1)] = speed * s;
    double *in = cosserat_inputs(b, i);
    in[BLOCK_LANES * INPUT_COS] = cos(angle);
    in[BLOCK_LANES * INPUT_SIN] = sin(angle);
    in[BLOCK_LANES * INPUT_THROTTLE] = in[BLOCK_LANES * INPUT_BRAKE] = 0.0;
    if (b->model.driven)
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
        .tyre_p = b->model.tyre_p,
        .tyre = b->tyre,
        .tyre_context = b->model.tyre->context,
        .tyre_states = b->tyre_states,
        .extra_states = b->extra_states,
        .sum_count = b->sum_count,
        .tyre_rate = b->decay_rate,
        .drive = b->model.driven ? &b->drive : NULL,
        .plastic = b->plastic_count ? &b->plastic : NULL,
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

static void advance_blocks(cosserat_batch *b, int first, int count, double duration)
{
    etd_coefficients coefficients;
    const kernel_arguments a = steps_of(b, duration, &coefficients);
    int i = first;
    for (; i < first + count && i % BLOCK_LANES != 0; i++)
        advance_alone(b, &a, i);
    // The unused lanes of the last block belong to nobody: a range that ends the batch takes them.
    const int end = first + count, whole = end == b->base.count ? end + BLOCK_LANES - 1 : end;
    const int blocks = (whole - i) / BLOCK_LANES;
    if (blocks > 0) {
        const size_t block = (size_t)(i / BLOCK_LANES);
        b->kernel(&a, b->blocks + block * (size_t)b->stride, blocks, b->stride,
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
}

// Rates of all values of a block.
void cosserat_block_rate(const cosserat_batch *b, int block, double out[BLOCK_LANES * VALUE_MAX])
{
    const kernel_arguments a = arguments_of(b);
    b->rate(&a, b->blocks + (size_t)block * (size_t)b->stride,
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

// ---- surface and impulses ----

static double contact_window(const mc_batch *batch)
{
    return 1.0 / cosserat_look(batch)->constants.omega_most; // one sixth of the shortest period
}

static void surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    double f[9], r[3];
    cosserat_gather(z, VALUE_R, 3, r);
    cosserat_gather_matrix(z, VALUE_D, f);
    mat3_mul_vec(f, b->ellipsoid_centre, out->centre);
    for (int j = 0; j < 3; j++)
        out->centre[j] += r[j];
    mat3_mul(f, b->ellipsoid_axes, out->axes);
}

// Turn of the chassis: d1 and d2 made orthonormal.
static void chassis_frame(const double f[9], double frame[9])
{
    double x[3] = {f[0], f[3], f[6]}, y[3] = {f[1], f[4], f[7]}, z[3];
    const double length = vec3_norm(x);
    for (int k = 0; k < 3; k++)
        x[k] /= length;
    const double along = vec3_dot(x, y);
    for (int k = 0; k < 3; k++)
        y[k] -= along * x[k];
    const double width = vec3_norm(y);
    for (int k = 0; k < 3; k++)
        y[k] /= width;
    vec3_cross(x, y, z);
    for (int k = 0; k < 3; k++) {
        frame[3 * k] = x[k];
        frame[3 * k + 1] = y[k];
        frame[3 * k + 2] = z[k];
    }
}

void cosserat_batch_rest_axes(const mc_batch *batch, int i, double axes[9])
{
    const cosserat_batch *b = cosserat_look(batch);
    double f[9], frame[9];
    cosserat_gather_matrix(cosserat_values(b, i), VALUE_D, f);
    chassis_frame(f, frame);
    mat3_mul(frame, b->ellipsoid_axes, axes);
}

// Plastic strain as a matrix; 0 for an elastic chassis.
static void plastic_strain(const cosserat_batch *b, const double *z, double strain[9])
{
    double p[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (b->plastic_count)
        cosserat_gather(z, cosserat_plastic_place(b) + PLASTIC_STRAIN, 6, p);
    const double m[9] = {p[0], p[5], p[4], p[5], p[1], p[3], p[4], p[3], p[2]};
    memcpy(strain, m, sizeof m);
}

// Elastic strain E = (F'F - I)/2 - plastic, rate of E, and the elastic energy; norms are of all
// nine components.
static double strain_energy(const cosserat_constants *c, const double f[9], const double w[9],
                            const double plastic[9], double *strain_norm, double *rate_norm)
{
    double trace = 0.0, square = 0.0, rate_square = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double product = 0.0, rate = 0.0;
            for (int k = 0; k < 9; k += 3) {
                product += f[k + i] * f[k + j];
                rate += f[k + i] * w[k + j] + w[k + i] * f[k + j];
            }
            const double strain = 0.5 * (product - (i == j)) - plastic[3 * i + j];
            const double twice = i == j ? 1.0 : 2.0;
            trace += i == j ? strain : 0.0;
            square += twice * strain * strain;
            rate_square += twice * 0.25 * rate * rate;
        }
    *strain_norm = sqrt(square);
    *rate_norm = sqrt(rate_square);
    return 0.5 * (c->volume_lambda * trace * trace + c->volume_two_mu * square);
}

static double vibration_kinetic(const cosserat_constants *c, const double f[9], const double w[9]);

// Greatest plastic strain to come when `energy` vibrates: yield starts at an elastic energy of
// limit^2 / (3 two_mu) at least, and the plastic work can take what is above; |Ep'| = sqrt(3/2)
// alpha'.
static double plastic_growth(const cosserat_batch *b, const double *z, double energy)
{
    const double alpha = z[BLOCK_LANES * (cosserat_plastic_place(b) + PLASTIC_ALPHA)];
    const double limit = b->plastic.yield + b->plastic.hardening * alpha;
    const double least = limit * limit / (3.0 * b->plastic.two_mu);
    return sqrt(1.5) * fmax(energy - least, 0.0) / limit;
}

static void reach(const mc_batch *batch, int i, mc_reach *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    double w[9], f[9], plastic[9], strain, rate, turn = 0.0, stretch = 0.0;
    cosserat_gather(z, VALUE_R, 3, out->centre);
    cosserat_gather(z, VALUE_V, 3, out->velocity);
    cosserat_gather_matrix(z, VALUE_D, f);
    cosserat_gather_matrix(z, VALUE_W, w);
    plastic_strain(b, z, plastic);
    const double elastic = strain_energy(&b->constants, f, w, plastic, &strain, &rate);
    for (int k = 0; k < 9; k++) {
        turn += w[k] * w[k];
        stretch += f[k] * f[k] / 3.0; // 1 for a rigid body
    }
    // What sits in the elastic modes can all become director velocity: sum my_i |w_i|^2 / 2 <= E.
    out->spread = b->reach_length * (sqrt(turn) + sqrt(2.0 * elastic / b->my_least));
    // A stretch grows by its rate over the slowest elastic frequency at most.
    out->radius = b->reach_length * (1.02 * sqrt(stretch) + 2.0 * (strain + rate / b->slowest));
    if (b->plastic_count)
        out->radius += 2.0 * b->reach_length *
                       plastic_growth(b, z, vibration_kinetic(&b->constants, f, w) + elastic);
    out->acceleration = 10.0 * fabs(b->constants.gravity) + 10.0;
}

// Material coordinates of a world point: X with F X = point - r.
static void material(const double *z, const double point[3], double x[3])
{
    double f[9], r[3];
    cosserat_gather(z, VALUE_R, 3, r);
    cosserat_gather_matrix(z, VALUE_D, f);
    const double offset[3] = {point[0] - r[0], point[1] - r[1], point[2] - r[2]};
    mat3_solve(f, offset, x);
}

static void point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    const double *z = cosserat_values(cosserat_look(batch), i);
    double x[3], w[9], v[3];
    material(z, point, x);
    cosserat_gather(z, VALUE_V, 3, v);
    cosserat_gather_matrix(z, VALUE_W, w);
    mat3_mul_vec(w, x, out);
    for (int j = 0; j < 3; j++)
        out[j] += v[j];
}

// An impulse J at the material point X: m dv = J, my_i dw_i = X^i J. So the point Y gets
// (1/m + sum X^i Y^i / my_i) J: the answer is parallel to the impulse.
static void impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3])
{
    const cosserat_batch *b = cosserat_look(batch);
    const double *z = cosserat_values(b, i);
    double x[3], y[3];
    material(z, point, x);
    material(z, seen, y);
    double mobility = b->constants.mass_inverse;
    for (int k = 0; k < 3; k++)
        mobility += x[k] * y[k] * b->constants.my_inverse[k];
    for (int j = 0; j < 3; j++)
        out[j] = mobility * impulse[j];
}

static void apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    const cosserat_batch *b = cosserat_look(batch);
    double *z = cosserat_values(b, i), x[3];
    material(z, point, x);
    for (int j = 0; j < 3; j++) {
        z[BLOCK_LANES * (VALUE_V + j)] += impulse[j] * b->constants.mass_inverse;
        for (int k = 0; k < 3; k++)
            z[BLOCK_LANES * (VALUE_W + 3 * k + j)] +=
                x[k] * impulse[j] * b->constants.my_inverse[k];
    }
}

// ---- state and books ----

int cosserat_batch_value_count(const mc_batch *batch)
{
    return cosserat_look(batch)->values;
}

static int save_size(const mc_batch *batch)
{
    const cosserat_batch *b = cosserat_look(batch);
    const int inputs = b->model.driven ? INPUT_COUNT : INPUT_SIN + 1;
    return b->values + inputs + (b->brake_line ? BRAKE_LINE_SIZE : 0) + COSSERAT_SAVED_PARAMS;
}

static void save(const mc_batch *batch, int i, double *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    cosserat_gather(cosserat_values(b, i), 0, b->values, out);
    const int inputs = b->model.driven ? INPUT_COUNT : INPUT_SIN + 1;
    cosserat_gather(cosserat_inputs(b, i), 0, inputs, out + b->values);
    out += b->values + inputs;
    if (b->brake_line)
        memcpy(out, cosserat_brake_line(b, i), BRAKE_LINE_SIZE * sizeof *out);
    cosserat_save_params(b, out + (b->brake_line ? BRAKE_LINE_SIZE : 0));
}

static void restore(mc_batch *batch, int i, const double *in)
{
    cosserat_batch *b = cosserat_own(batch);
    double *z = cosserat_values(b, i);
    for (int k = 0; k < b->values; k++)
        z[BLOCK_LANES * k] = in[k];
    const int inputs = b->model.driven ? INPUT_COUNT : INPUT_SIN + 1;
    for (int k = 0; k < inputs; k++)
        cosserat_inputs(b, i)[BLOCK_LANES * k] = in[b->values + k];
    in += b->values + inputs;
    if (b->brake_line)
        brake_line_restore(cosserat_brake_line(b, i), in);
    cosserat_restore_params(b, in + (b->brake_line ? BRAKE_LINE_SIZE : 0));
}

// Kinetic energy of the modes of deformation: the director velocities less the rigid rotation that
// carries the same angular momentum, seen in the shear and stretch modes.
static double vibration_kinetic(const cosserat_constants *c, const double f[9], const double w[9])
{
    // Velocity gradient in the body: u = F^-1 W, component a of director i at [3 a + i].
    double u[9];
    for (int i = 0; i < 3; i++) {
        const double column[3] = {w[i], w[3 + i], w[6 + i]};
        double x[3];
        mat3_solve(f, column, x);
        for (int a = 0; a < 3; a++)
            u[3 * a + i] = x[a];
    }
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double shear = u[3 * i + j] + u[3 * j + i];
        sum += 0.5 * c->my[i] * c->my[j] / (c->my[i] + c->my[j]) * shear * shear;
        sum += 0.5 * c->my[k] * u[4 * k] * u[4 * k];
    }
    return sum;
}

// With a drive: the spin of the wheels, the engine's work, losses. On a slope gravity is booked as
// work.
static void drive_energy(const cosserat_batch *b, const double *z, const double sums[SUM_MAX],
                         mc_energy *out)
{
    double spin[WHEELS];
    cosserat_gather(z, VALUE_TYRE + WHEELS * WHEEL_SPIN, WHEELS, spin);
    for (int q = 0; q < WHEELS; q++)
        out->kinetic += 0.5 * b->drive.wheel.inertia * spin[q] * spin[q];
    out->gravity = sums[SUM_GRAVITY];
    out->braked = sums[SUM_BRAKED];
    out->dragged = sums[SUM_DRAGGED];
    out->driven = sums[SUM_DRIVEN];
}

static void energy(const mc_batch *batch, int i, mc_energy *out)
{
    const cosserat_batch *b = cosserat_look(batch);
    const cosserat_constants *c = &b->constants;
    const double *z = cosserat_values(b, i);
    double r[3], v[3], f[9], w[9], plastic[9], sums[SUM_MAX];
    cosserat_gather(z, VALUE_R, 3, r);
    cosserat_gather(z, VALUE_V, 3, v);
    cosserat_gather(z, cosserat_sums_place(b), b->sum_count, sums);
    plastic_strain(b, z, plastic);
    cosserat_gather_matrix(z, VALUE_D, f);
    cosserat_gather_matrix(z, VALUE_W, w);
    *out = (mc_energy){.kinetic = 0.5 * c->mass * vec3_dot(v, v),
                       .gravity = c->mass * c->gravity * r[2]};
    for (int k = 0; k < 9; k++)
        out->kinetic += 0.5 * c->my[k % 3] * w[k] * w[k];
    double strain, rate;
    out->elastic = strain_energy(c, f, w, plastic, &strain, &rate);
    for (int q = 0; q < WHEELS; q++) {
        const int axle = q / 2;
        const double side = q % 2 ? -c->half_b : c->half_b;
        double height =
            r[2] + c->axle_x[axle] * f[6] + side * f[7] - c->axle_h[axle] * f[8] - c->spring_ref;
        if (c->lift_off > 0.0)
            height = fmin(height, 0.0); // beyond its free length the wheel hangs
        out->spring += 0.5 * c->spring[axle] * height * height;
    }
    out->vibration = out->elastic + vibration_kinetic(c, f, w);
    out->damped = sums[SUM_DAMPED];
    out->slipped = sums[SUM_SLIPPED];
    if (b->plastic_count)
        out->crushed = z[BLOCK_LANES * (cosserat_plastic_place(b) + PLASTIC_WORK)];
    if (b->model.driven)
        drive_energy(b, z, sums, out);
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
    .channels = cosserat_channels,
    .channel_count = COSSERAT_CHANNEL_COUNT,
    .read_channels = cosserat_read_channels,
    .set_param = cosserat_set_param,
    .get_param = cosserat_get_param,
    .limit_step = limit_step,
    .surface = surface,
    .reach = reach,
    .point_velocity = point_velocity,
    .impulse_response = impulse_response,
    .apply_impulse = apply_impulse,
    .save_size = save_size,
    .save = save,
    .restore = restore,
    .energy = energy,
    .momentum = momentum,
    .road_impulse = road_impulse,
    .mass = mass,
    .gravity = gravity,
    .contact_window = contact_window,
    .destroy = destroy,
};
