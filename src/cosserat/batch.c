// batch.c - deformable vehicles behind the vehicle-model contract.
#include "cosserat/batch.h"

#include "base/assert.h"
#include "num/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cosserat_batch {
    mc_batch base; // first: the world sees only this
    cosserat_model model;
    cosserat_constants constants;
    double ellipsoid_centre[3]; // m, in the chassis
    double ellipsoid_axes[9];   // m, orientation times semi-axes, in the chassis
    double reach_length;        // m, centre of mass to the farthest point of the undeformed surface
    double my_least;            // kg m^2, least director inertia
    double slowest;             // rad/s, lowest elastic frequency
    cosserat_scheme scheme;
    cosserat_kernel *kernel;
    cosserat_rate *rate;
    tyre_eval *tyre;
    double tyre_rate[TYRE_STATE_MAX];
    double step;                   // s, longest inner step
    etd_coefficients coefficients; // of the step used last by the whole batch
    int values;                    // of one vehicle
    int stride;                    // doubles of one block
    double *blocks;
    double *steer; // a block: 4 cosines, 4 sines
} cosserat_batch;

static cosserat_batch *own(mc_batch *batch)
{
    return (cosserat_batch *)batch;
}

static const cosserat_batch *look(const mc_batch *batch)
{
    return (const cosserat_batch *)batch;
}

// The first value of vehicle i; value k is at [k * BLOCK_LANES].
static double *vehicle(const cosserat_batch *b, int i)
{
    return b->blocks + (size_t)(i / BLOCK_LANES) * (size_t)b->stride + i % BLOCK_LANES;
}

static double *steering(const cosserat_batch *b, int i)
{
    return b->steer + (size_t)(i / BLOCK_LANES) * 2 * BLOCK_LANES + i % BLOCK_LANES;
}

static void gather(const double *lane, int value, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[k] = lane[BLOCK_LANES * (value + k)];
}

// F as a matrix: column i is director i.
static void gather_matrix(const double *lane, int value, double f[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f[3 * j + i] = lane[BLOCK_LANES * (value + 3 * i + j)];
}

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

static void prepare_bounds(cosserat_batch *b)
{
    const cosserat_constants *c = &b->constants;
    b->my_least = fmin(c->my[0], fmin(c->my[1], c->my[2]));
    b->slowest = HUGE_VAL;
    for (int k = FREE_MODES; k < MODE_COUNT; k++)
        b->slowest = fmin(b->slowest, c->omega[k]);
}

static void limit_step(mc_batch *batch, double step)
{
    cosserat_batch *b = own(batch);
    b->step = step;
    etd_coefficients_of(&b->constants, b->tyre_rate, b->model.tyre->state_count, step,
                        &b->coefficients);
}

mc_batch *cosserat_batch_create(const cosserat_model *model, int count, cosserat_scheme scheme,
                                double step)
{
    mc_assert(count > 0 && step > 0.0);
    cosserat_batch *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    const cpu_level cpu = cpu_level_best();
    const bool avx2 = cpu == CPU_AVX2;
    b->base = (mc_batch){&cosserat_kind, count};
    b->model = *model;
    cosserat_constants_of(model, &b->constants);
    prepare_surface(b);
    prepare_bounds(b);
    b->scheme = scheme;
    b->rate = avx2 ? cosserat_rate_avx2 : cosserat_rate_plain;
    if (scheme == COSSERAT_PUBLISHED)
        b->kernel = avx2 ? cosserat_published_avx2 : cosserat_published_plain;
    else
        b->kernel = avx2 ? cosserat_exponential_avx2 : cosserat_exponential_plain;
    b->tyre = model->tyre->eval[cpu];
    for (int k = 0; k < model->tyre->state_count; k++)
        b->tyre_rate[k] = model->tyre->state_rate(model->tyre_p, k);
    b->values = VALUE_TYRE + WHEELS * model->tyre->state_count + SUM_COUNT;
    b->stride = BLOCK_LANES * b->values;
    const size_t blocks = ((size_t)count + BLOCK_LANES - 1) / BLOCK_LANES;
    b->blocks = aligned_alloc(64, (blocks * (size_t)b->stride * sizeof(double) + 63) / 64 * 64);
    b->steer = aligned_alloc(64, blocks * 2 * BLOCK_LANES * sizeof(double));
    if (!b->blocks || !b->steer) {
        cosserat_kind.destroy(&b->base);
        return NULL;
    }
    limit_step(&b->base, step);
    // The unused lanes of the last block hold a vehicle at rest too: no lane is ever undefined.
    for (int i = 0; i < (int)blocks * BLOCK_LANES; i++)
        cosserat_batch_place(&b->base, i, 0.0, 0.0, 0.0, 0.0, 0.0, 0);
    return &b->base;
}

void cosserat_batch_place(mc_batch *batch, int i, double x, double y, double heading, double speed,
                          double angle, int transposed)
{
    cosserat_batch *b = own(batch);
    double *z = vehicle(b, i);
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
    steering(b, i)[0] = cos(angle);
    steering(b, i)[BLOCK_LANES] = sin(angle);
}

static void destroy(mc_batch *batch)
{
    cosserat_batch *b = own(batch);
    free(b->blocks);
    free(b->steer);
    free(b);
}

// ---- motion ----

static kernel_arguments arguments_of(const cosserat_batch *b)
{
    return (kernel_arguments){
        .constants = &b->constants,
        .tyre_p = b->model.tyre_p,
        .tyre = b->tyre,
        .tyre_states = b->model.tyre->state_count,
        .tyre_rate = b->tyre_rate,
        .coefficients = &b->coefficients,
    };
}

// Moves vehicle i alone, in a block of its own.
static void advance_alone(const cosserat_batch *b, const kernel_arguments *a, int i)
{
    _Alignas(64) double block[BLOCK_LANES * VALUE_MAX];
    _Alignas(64) double steer[2 * BLOCK_LANES];
    double *z = vehicle(b, i), *angle = steering(b, i);
    for (int lane = 0; lane < BLOCK_LANES; lane++) {
        for (int k = 0; k < b->values; k++)
            block[BLOCK_LANES * k + lane] = z[BLOCK_LANES * k];
        steer[lane] = angle[0];
        steer[BLOCK_LANES + lane] = angle[BLOCK_LANES];
    }
    b->kernel(a, block, 1, b->stride, steer);
    for (int k = 0; k < b->values; k++)
        z[BLOCK_LANES * k] = block[BLOCK_LANES * k];
}

static void advance(mc_batch *batch, int first, int count, double duration)
{
    const cosserat_batch *b = look(batch);
    if (count <= 0 || duration <= 0.0)
        return;
    kernel_arguments a = arguments_of(b);
    // As few equal steps as the longest step allows; a hair of slack so that 20 x 0.0005 is 20
    // steps.
    a.steps = (int)ceil(duration / b->step * (1.0 - 1e-12));
    a.h = duration / a.steps;
    etd_coefficients coefficients;
    if (b->scheme == COSSERAT_EXPONENTIAL && a.h != b->coefficients.h) {
        etd_coefficients_of(&b->constants, b->tyre_rate, a.tyre_states, a.h, &coefficients);
        a.coefficients = &coefficients;
    }
    int i = first;
    for (; i < first + count && i % BLOCK_LANES != 0; i++)
        advance_alone(b, &a, i);
    // The unused lanes of the last block belong to nobody: a range that ends the batch takes them.
    const int end = first + count, whole = end == batch->count ? end + BLOCK_LANES - 1 : end;
    const int blocks = (whole - i) / BLOCK_LANES;
    if (blocks > 0) {
        const size_t block = (size_t)(i / BLOCK_LANES);
        b->kernel(&a, b->blocks + block * (size_t)b->stride, blocks, b->stride,
                  b->steer + block * 2 * BLOCK_LANES);
        i += blocks * BLOCK_LANES;
    }
    for (; i < end; i++)
        advance_alone(b, &a, i);
}

void cosserat_batch_rate(const mc_batch *batch, int i, double *rate)
{
    const cosserat_batch *b = look(batch);
    const kernel_arguments a = arguments_of(b);
    _Alignas(64) double out[BLOCK_LANES * VALUE_MAX];
    b->rate(&a, b->blocks + (size_t)(i / BLOCK_LANES) * (size_t)b->stride,
            b->steer + (size_t)(i / BLOCK_LANES) * 2 * BLOCK_LANES, out);
    for (int k = 0; k < b->values; k++)
        rate[k] = out[BLOCK_LANES * k + i % BLOCK_LANES];
}

static double contact_window(const mc_batch *batch)
{
    return 1.0 / look(batch)->constants.omega_most; // one sixth of the shortest period
}

// ---- surface and impulses ----

static void surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const cosserat_batch *b = look(batch);
    const double *z = vehicle(b, i);
    double f[9], r[3];
    gather(z, VALUE_R, 3, r);
    gather_matrix(z, VALUE_D, f);
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
    const cosserat_batch *b = look(batch);
    double f[9], frame[9];
    gather_matrix(vehicle(b, i), VALUE_D, f);
    chassis_frame(f, frame);
    mat3_mul(frame, b->ellipsoid_axes, axes);
}

// Strain E = (F'F - I)/2, its rate, and the elastic energy; norms are of all nine components.
static double strain_energy(const cosserat_constants *c, const double f[9], const double w[9],
                            double *strain_norm, double *rate_norm)
{
    double trace = 0.0, square = 0.0, rate_square = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double product = 0.0, rate = 0.0;
            for (int k = 0; k < 9; k += 3) {
                product += f[k + i] * f[k + j];
                rate += f[k + i] * w[k + j] + w[k + i] * f[k + j];
            }
            const double strain = 0.5 * (product - (i == j)), twice = i == j ? 1.0 : 2.0;
            trace += i == j ? strain : 0.0;
            square += twice * strain * strain;
            rate_square += twice * 0.25 * rate * rate;
        }
    *strain_norm = sqrt(square);
    *rate_norm = sqrt(rate_square);
    return 0.5 * (c->volume_lambda * trace * trace + c->volume_two_mu * square);
}

static void reach(const mc_batch *batch, int i, mc_reach *out)
{
    const cosserat_batch *b = look(batch);
    const double *z = vehicle(b, i);
    double w[9], f[9], strain, rate, turn = 0.0, stretch = 0.0;
    gather(z, VALUE_R, 3, out->centre);
    gather(z, VALUE_V, 3, out->velocity);
    gather_matrix(z, VALUE_D, f);
    gather_matrix(z, VALUE_W, w);
    const double elastic = strain_energy(&b->constants, f, w, &strain, &rate);
    for (int k = 0; k < 9; k++) {
        turn += w[k] * w[k];
        stretch += f[k] * f[k] / 3.0; // 1 for a rigid body
    }
    // What sits in the elastic modes can all become director velocity: sum my_i |w_i|^2 / 2 <= E.
    out->spread = b->reach_length * (sqrt(turn) + sqrt(2.0 * elastic / b->my_least));
    // A stretch grows by its rate over the slowest elastic frequency at most.
    out->radius = b->reach_length * (1.02 * sqrt(stretch) + 2.0 * (strain + rate / b->slowest));
    out->acceleration = 10.0 * fabs(b->constants.gravity) + 10.0;
}

// Material coordinates of a world point: X with F X = point - r.
static void material(const double *z, const double point[3], double x[3])
{
    double f[9], r[3];
    gather(z, VALUE_R, 3, r);
    gather_matrix(z, VALUE_D, f);
    const double offset[3] = {point[0] - r[0], point[1] - r[1], point[2] - r[2]};
    mat3_solve(f, offset, x);
}

static void point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    const double *z = vehicle(look(batch), i);
    double x[3], w[9], v[3];
    material(z, point, x);
    gather(z, VALUE_V, 3, v);
    gather_matrix(z, VALUE_W, w);
    mat3_mul_vec(w, x, out);
    for (int j = 0; j < 3; j++)
        out[j] += v[j];
}

// An impulse J at the material point X: m dv = J, my_i dw_i = X^i J. So the point Y gets
// (1/m + sum X^i Y^i / my_i) J: the answer is parallel to the impulse.
static void impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3])
{
    const cosserat_batch *b = look(batch);
    const double *z = vehicle(b, i);
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
    const cosserat_batch *b = look(batch);
    double *z = vehicle(b, i), x[3];
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
    return look(batch)->values;
}

static int save_size(const mc_batch *batch)
{
    return look(batch)->values + 2;
}

static void save(const mc_batch *batch, int i, double *out)
{
    const cosserat_batch *b = look(batch);
    gather(vehicle(b, i), 0, b->values, out);
    out[b->values] = steering(b, i)[0];
    out[b->values + 1] = steering(b, i)[BLOCK_LANES];
}

static void restore(mc_batch *batch, int i, const double *in)
{
    const cosserat_batch *b = look(batch);
    double *z = vehicle(b, i);
    for (int k = 0; k < b->values; k++)
        z[BLOCK_LANES * k] = in[k];
    steering(b, i)[0] = in[b->values];
    steering(b, i)[BLOCK_LANES] = in[b->values + 1];
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

static void energy(const mc_batch *batch, int i, mc_energy *out)
{
    const cosserat_batch *b = look(batch);
    const cosserat_constants *c = &b->constants;
    const double *z = vehicle(b, i);
    double r[3], v[3], f[9], w[9], sums[SUM_COUNT];
    gather(z, VALUE_R, 3, r);
    gather(z, VALUE_V, 3, v);
    gather(z, b->values - SUM_COUNT, SUM_COUNT, sums);
    gather_matrix(z, VALUE_D, f);
    gather_matrix(z, VALUE_W, w);
    *out = (mc_energy){.kinetic = 0.5 * c->mass * vec3_dot(v, v),
                       .gravity = c->mass * c->gravity * r[2]};
    for (int k = 0; k < 9; k++)
        out->kinetic += 0.5 * c->my[k % 3] * w[k] * w[k];
    double strain, rate;
    out->elastic = strain_energy(c, f, w, &strain, &rate);
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
}

static void momentum(const mc_batch *batch, int i, double out[3])
{
    const cosserat_batch *b = look(batch);
    gather(vehicle(b, i), VALUE_V, 3, out);
    for (int j = 0; j < 3; j++)
        out[j] *= b->constants.mass;
}

static void road_impulse(const mc_batch *batch, int i, double out[3])
{
    const cosserat_batch *b = look(batch);
    gather(vehicle(b, i), b->values - SUM_COUNT + SUM_IMPULSE, 3, out);
}

static double mass(const mc_batch *batch, int i)
{
    (void)i;
    return look(batch)->constants.mass;
}

static double gravity(const mc_batch *batch)
{
    return look(batch)->constants.gravity;
}

const cosserat_constants *cosserat_batch_constants(const mc_batch *batch)
{
    return &look(batch)->constants;
}

const mc_vehicle_kind cosserat_kind = {
    .name = "cosserat",
    .advance = advance,
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
