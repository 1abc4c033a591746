// test_higher.c - the chassis with seven directors against integrals that know nothing of it.
//
// Inertia, energy and stiffness come from products of Gauss points over the reference ellipsoid,
// the gradient of the energy from differences that are exact for polynomials of order four.
#include "cosserat/batch.h"
#include "cosserat/equilibrium.h"
#include "num/dense.h"
#include "num/vec3.h"
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPE = 9 + HIGHER_SIZE }; // F row major, then directors 4 to 7

static cosserat_model seven(cosserat_model model)
{
    model.seven = true;
    return model;
}

// A chassis in space, without road.
static cosserat_model free_chassis(int number)
{
    cosserat_model model = seven(sample_model(number));
    model.gravity = 0.0;
    model.gear.tyre = tyre_kind_find("none");
    model.p[COSSERAT_C1] = model.p[COSSERAT_C2] = 0.0;
    model.p[COSSERAT_D1] = model.p[COSSERAT_D2] = 0.0;
    return model;
}

// ---- integrals over the body ----

typedef double integrand(const void *context, const double x[3]);

// Mean of a polynomial of order up to six over a solid ellipsoid: Gauss points along the radius and
// the height, even ones around.
static double mean_over(const double axes[3], integrand *f, const void *context)
{
    static const double point[4] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                                    0.9305681557970263};
    static const double weight[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                     0.1739274225687269};
    enum { AROUND = 12, RADII = 12 };
    double sum = 0.0;
    for (int i = 0; i < RADII; i++) // of r^2 dr, order 8: three intervals
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < AROUND; k++) {
                const double r = (i / 4 + point[i % 4]) / 3.0, h = 2.0 * point[j] - 1.0;
                const double angle = 2.0 * M_PI * k / AROUND, side = sqrt(1.0 - h * h);
                const double x[3] = {axes[0] * r * side * cos(angle),
                                     axes[1] * r * side * sin(angle), axes[2] * r * h};
                sum += 3.0 * r * r * weight[i % 4] / 3.0 * weight[j] / AROUND * f(context, x);
            }
    return sum;
}

static void reference_axes(const cosserat_model *model, double axes[3])
{
    double my[3];
    cosserat_director_inertia(model, my);
    for (int k = 0; k < 3; k++)
        axes[k] = sqrt(5.0 * my[k] / model->p[COSSERAT_MASS]);
}

static void shapes(const double axes[3], const double x[3], double out[8])
{
    const double all[8] = {
        1.0,         x[0],        x[1],       x[2], x[0] * x[0] - axes[0] * axes[0] / 5.0,
        x[0] * x[1], x[0] * x[2], x[1] * x[2]};
    memcpy(out, all, sizeof all);
}

typedef struct two_shapes {
    const double *axes;
    int i, j;
} two_shapes;

static double product_of_shapes(const void *context, const double x[3])
{
    const two_shapes *t = context;
    double phi[8];
    shapes(t->axes, x, phi);
    return phi[t->i] * phi[t->j];
}

static void the_inertia_is_that_of_the_body_and_diagonal(void **state)
{
    (void)state;
    for (int number = 1; number <= 2; number++) {
        const cosserat_model model = free_chassis(number);
        cosserat_constants c;
        double axes[3];
        cosserat_constants_of(&model, &c);
        reference_axes(&model, axes);
        const double my[8] = {c.mass,         c.my[0],        c.my[1],        c.my[2],
                              c.higher.my[0], c.higher.my[1], c.higher.my[2], c.higher.my[3]};
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                const two_shapes both = {axes, i, j};
                const double mean = c.mass * mean_over(axes, product_of_shapes, &both);
                const double expected = i == j ? my[i] : 0.0;
                assert_true(fabs(mean - expected) < 1e-12 * sqrt(my[i] * my[j]));
            }
    }
}

typedef struct deformation {
    const double *shape;
    double lambda, mu; // N/m^2
} deformation;

// Energy of St. Venant and Kirchhoff in a unit of volume, the gradient by the map itself.
static double density(const void *context, const double x[3])
{
    const deformation *d = context;
    const double *g = d->shape + 9;
    double f[9], trace = 0.0, square = 0.0;
    for (int a = 0; a < 3; a++) {
        f[3 * a] = d->shape[3 * a] + 2.0 * x[0] * g[a] + x[1] * g[3 + a] + x[2] * g[6 + a];
        f[3 * a + 1] = d->shape[3 * a + 1] + x[0] * g[3 + a] + x[2] * g[9 + a];
        f[3 * a + 2] = d->shape[3 * a + 2] + x[0] * g[6 + a] + x[1] * g[9 + a];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double strain =
                0.5 * (f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j] - (i == j));
            trace += i == j ? strain : 0.0;
            square += strain * strain;
        }
    return 0.5 * d->lambda * trace * trace + d->mu * square;
}

static double integrated_energy(const cosserat_model *model, const double shape[SHAPE])
{
    deformation d = {.shape = shape};
    double axes[3];
    cosserat_lame(model, &d.lambda, &d.mu);
    reference_axes(model, axes);
    return model->p[COSSERAT_VOLUME] * mean_over(axes, density, &d);
}

static void random_shape(unsigned long long *seed, double size, double shape[SHAPE])
{
    for (int k = 0; k < SHAPE; k++)
        shape[k] = size * sample_uniform(seed, -1.0, 1.0) + (k < 9 && k % 4 == 0);
}

static void put_shape(mc_batch *batch, const double shape[SHAPE], const double *rate)
{
    double s[COSSERAT_SAVE_MAX] = {0};
    const int values = cosserat_batch_value_count(batch), tail = values - HIGHER_VALUES;
    batch->kind->save(batch, 0, s);
    memset(s, 0, (size_t)values * sizeof *s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            s[VALUE_D + 3 * i + j] = shape[3 * j + i];
            s[VALUE_W + 3 * i + j] = rate ? rate[3 * j + i] : 0.0;
        }
    memcpy(s + tail, shape + 9, HIGHER_SIZE * sizeof *s);
    if (rate)
        memcpy(s + tail + HIGHER_SIZE, rate + 9, HIGHER_SIZE * sizeof *s);
    batch->kind->restore(batch, 0, s);
}

static void the_energy_is_the_integral_over_the_body(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    double worst = 0.0;
    for (int k = 0; k < 200; k++) {
        const cosserat_model model = free_chassis(1 + k % 2);
        mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
        double shape[SHAPE];
        mc_energy energy;
        random_shape(&seed, k % 3 ? 0.2 : 1e-4, shape);
        put_shape(batch, shape, NULL);
        batch->kind->energy(batch, 0, &energy);
        const double expected = integrated_energy(&model, shape);
        worst = fmax(worst, fabs(energy.elastic - expected) / expected);
        batch->kind->destroy(batch);
    }
    printf("energy: largest relative error %.1e\n", worst);
    assert_true(worst < 1e-11);
}

// Minus the gradient of the energy, by differences that are exact for polynomials of order four.
static double pull(const cosserat_model *model, const double shape[SHAPE], int k)
{
    const double h = 0.05;
    double moved[SHAPE], value[4];
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    memcpy(moved, shape, sizeof moved);
    for (int i = 0; i < 4; i++) {
        moved[k] = shape[k] + at[i] * h;
        value[i] = integrated_energy(model, moved);
    }
    return -(value[0] - 8.0 * value[1] + 8.0 * value[2] - value[3]) / (12.0 * h);
}

static void forces_are_the_gradient_of_the_energy(void **state)
{
    (void)state;
    unsigned long long seed = 11;
    double worst = 0.0;
    for (int k = 0; k < 40; k++) {
        const cosserat_model model = free_chassis(1 + k % 2);
        mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
        const cosserat_constants *c = cosserat_batch_constants(batch);
        double shape[SHAPE], rate[VALUE_MAX], size = 0.0, error = 0.0;
        random_shape(&seed, 0.1, shape);
        put_shape(batch, shape, NULL);
        cosserat_batch_rate(batch, 0, rate);
        const double *bending = rate + cosserat_batch_value_count(batch) - HIGHER_SIZE;
        for (int n = 0; n < SHAPE; n++) {
            const double expected = pull(&model, shape, n);
            const double found = n < 9 ? c->my[n % 3] * rate[VALUE_W + 3 * (n % 3) + n / 3]
                                       : c->higher.my[(n - 9) / 3] * bending[n - 9];
            size = fmax(size, fabs(expected));
            error = fmax(error, fabs(found - expected));
        }
        worst = fmax(worst, error / size);
        batch->kind->destroy(batch);
    }
    printf("forces: largest relative error %.1e\n", worst);
    assert_true(worst < 1e-11);
}

// ---- small vibrations ----

// Second derivative of the energy of the undeformed body when directors move along e_i + sign e_j,
// by differences that are exact for polynomials of order four.
static double curvature(const cosserat_model *model, int i, int j, double sign)
{
    static const double weight[5] = {-1.0, 16.0, -30.0, 16.0, -1.0}, h = 0.05;
    double sum = 0.0;
    for (int k = 0; k < 5; k++) {
        double shape[SHAPE] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
        shape[9 + i] += (k - 2) * h;
        shape[9 + j] += sign * (k - 2) * h;
        sum += weight[k] * integrated_energy(model, shape);
    }
    return sum / (12.0 * h * h);
}

// Frequencies of directors 4 to 7, from stiffness and inertia assembled by the integrals.
static void assembled_frequencies(const cosserat_model *model, double omega[HIGHER_SIZE])
{
    enum { N = HIGHER_SIZE };
    double a[N * N], axes[3], inertia[N];
    reference_axes(model, axes);
    for (int k = 0; k < N; k++) {
        const two_shapes both = {axes, 4 + k / 3, 4 + k / 3};
        inertia[k] = model->p[COSSERAT_MASS] * mean_over(axes, product_of_shapes, &both);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[N * j + i] = 0.25 * (curvature(model, i, j, 1.0) - curvature(model, i, j, -1.0)) /
                           sqrt(inertia[i] * inertia[j]);
    assert_true(dense_symmetric_eigen(N, a, omega));
    for (int k = 0; k < N; k++)
        omega[k] = sqrt(omega[k]);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void frequencies_are_those_of_the_assembled_stiffness(void **state)
{
    (void)state;
    for (int number = 1; number <= 2; number++) {
        const cosserat_model model = free_chassis(number);
        cosserat_constants c;
        double expected[HIGHER_SIZE], found[HIGHER_SIZE];
        cosserat_constants_of(&model, &c);
        assembled_frequencies(&model, expected);
        memcpy(found, c.higher.omega, sizeof found);
        qsort(found, HIGHER_SIZE, sizeof *found, ascending);
        for (int k = 0; k < HIGHER_SIZE; k++)
            assert_true(fabs(found[k] / expected[k] - 1.0) < 1e-11);
        printf("model %d: bending %.1f (side), %.1f (up), torsion %.1f rad/s; highest %.1f\n",
               number, c.higher.omega[3], c.higher.omega[6], c.higher.omega[9], c.max_omega);
    }
}

// The motion of a mode that is plucked a little is the cosine of its frequency.
static void each_mode_swings_with_its_frequency(void **state)
{
    (void)state;
    const cosserat_model model = free_chassis(1);
    const double size = 1e-7, duration = 0.2;
    for (int k = 0; k < HIGHER_SIZE; k++) {
        mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
        const higher_constants *c = &cosserat_batch_constants(batch)->higher;
        double shape[SHAPE] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, now[HIGHER_VALUES];
        for (int i = 0; i < 3; i++)
            shape[9 + higher_member[k / 3][i]] = size * c->mode[k / 3][3 * i + k % 3];
        put_shape(batch, shape, NULL);
        batch->kind->advance(batch, 0, 1, duration);
        assert_true(cosserat_batch_higher(batch, 0, now));
        double largest = 0.0, error = 0.0;
        for (int i = 0; i < HIGHER_SIZE; i++) {
            largest = fmax(largest, fabs(shape[9 + i]));
            error = fmax(error, fabs(now[i] - shape[9 + i] * cos(c->omega[k] * duration)));
        }
        assert_true(error < 1e-6 * largest);
        batch->kind->destroy(batch);
    }
}

// A slender body bends as a beam does: for the curve X1^2 and plane sections that follow it,
// without shear, Rayleigh's quotient is w^2 = 7/2 (V E/m) <X3^2>/<X1^2>^2. Directors that could not
// follow would make it stiffer by the square of the slenderness.
static void a_slender_body_bends_as_a_beam(void **state)
{
    (void)state;
    cosserat_model model = free_chassis(1);
    const double my[3] = {4000.0, 10.0, 10.0};
    for (int k = 0; k < 3; k++)
        model.p[COSSERAT_IX + k] = my[(k + 1) % 3] + my[(k + 2) % 3];
    model.p[COSSERAT_NU] = 0.0;
    cosserat_constants c;
    cosserat_constants_of(&model, &c);
    const double mass = c.mass, x = my[0] / mass, z = my[2] / mass;
    const double beam = sqrt(3.5 * model.p[COSSERAT_VOLUME] * model.p[COSSERAT_E] / mass * z) / x;
    printf("slender: bending %.4f, beam %.4f rad/s\n", c.higher.omega[6], beam);
    assert_true(fabs(c.higher.omega[6] / beam - 1.0) < 0.01);
    assert_true(fabs(c.higher.omega[3] / beam - 1.0) < 0.01);
}

// ---- against three directors ----

// The same drive over springs, with dampers, tyres and steering.
static void held_directors_give_the_three_director_vehicle(void **state)
{
    (void)state;
    cosserat_model three = sample_model(1), held = seven(three);
    held.higher_p[HIGHER_HELD] = 1.0;
    mc_batch *batch[2] = {cosserat_batch_create(&three, 1, COSSERAT_EXPONENTIAL, 5e-4),
                          cosserat_batch_create(&held, 1, COSSERAT_EXPONENTIAL, 5e-4)};
    double saved[2][COSSERAT_SAVE_MAX];
    for (int k = 0; k < 2; k++)
        cosserat_batch_place(batch[k], 0, 1.0, 2.0, 0.4, 20.0, 0.03, 0);
    double worst = 0.0;
    for (int row = 0; row < 300; row++) {
        for (int k = 0; k < 2; k++) {
            batch[k]->kind->advance(batch[k], 0, 1, 0.01);
            batch[k]->kind->save(batch[k], 0, saved[k]);
        }
        for (int v = 0; v < cosserat_batch_value_count(batch[0]); v++)
            worst = fmax(worst, fabs(saved[0][v] - saved[1][v]) / fmax(1.0, fabs(saved[0][v])));
    }
    printf("held against three directors: %.1e\n", worst);
    assert_true(worst <= 1e-12);
    mc_energy energy[2];
    for (int k = 0; k < 2; k++) {
        batch[k]->kind->energy(batch[k], 0, &energy[k]);
        batch[k]->kind->destroy(batch[k]);
    }
    assert_true(fabs(energy[0].elastic - energy[1].elastic) <= 1e-12 * energy[0].kinetic);
}

// Where directors 4 to 7 are 0 and at rest, the first three are accelerated as if there were none.
static void the_first_three_feel_nothing_of_the_others_at_zero(void **state)
{
    (void)state;
    const cosserat_model three = sample_model(2), more = seven(three);
    mc_batch *batch[2] = {cosserat_batch_create(&three, 1, COSSERAT_EXPONENTIAL, 5e-4),
                          cosserat_batch_create(&more, 1, COSSERAT_EXPONENTIAL, 5e-4)};
    double rate[2][VALUE_MAX], pushed = 0.0;
    for (int k = 0; k < 2; k++) {
        cosserat_batch_place(batch[k], 0, 0.0, 0.0, -0.7, 15.0, 0.02, 0);
        cosserat_batch_rate(batch[k], 0, rate[k]);
    }
    for (int v = 0; v < cosserat_batch_value_count(batch[0]); v++)
        assert_true(fabs(rate[0][v] - rate[1][v]) <= 1e-12 * fmax(1.0, fabs(rate[0][v])));
    const double *bending = rate[1] + cosserat_batch_value_count(batch[1]) - HIGHER_SIZE;
    for (int k = 0; k < HIGHER_SIZE; k++)
        pushed = fmax(pushed, fabs(bending[k]));
    printf("the springs bend by %.1e 1/(m s^2)\n", pushed);
    assert_true(pushed > 0.01); // they are free
    for (int k = 0; k < 2; k++)
        batch[k]->kind->destroy(batch[k]);
}

// ---- motion ----

static void angular_momentum(const mc_batch *batch, int i, double out[3])
{
    const cosserat_constants *c = cosserat_batch_constants(batch);
    mc_pose p;
    double g[HIGHER_VALUES] = {0}, part[3];
    batch->kind->pose(batch, i, &p);
    cosserat_batch_higher(batch, i, g);
    vec3_cross(p.position, p.velocity, out);
    for (int j = 0; j < 3; j++)
        out[j] *= c->mass;
    for (int k = 0; k < 7; k++) {
        const double my = k < 3 ? c->my[k] : c->higher.my[k - 3];
        vec3_cross(k < 3 ? p.directors + 3 * k : g + 3 * (k - 3),
                   k < 3 ? p.director_rates + 3 * k : g + HIGHER_SIZE + 3 * (k - 3), part);
        for (int j = 0; j < 3; j++)
            out[j] += my * part[j];
    }
}

// A body that tumbles, stretches, bends and twists: energy and angular momentum, and order four.
static void free_motion_keeps_energy_and_angular_momentum(void **state)
{
    (void)state;
    const cosserat_model model = free_chassis(1);
    double last[2] = {0.0, 0.0};
    for (int level = 0; level < 3; level++) {
        unsigned long long seed = 3;
        const double step = 4e-4 / (1 << level);
        mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, step);
        double shape[SHAPE], rate[SHAPE], before[3], after[3];
        random_shape(&seed, 0.01, shape);
        random_shape(&seed, 1.0, rate);
        for (int k = 0; k < 9; k += 4)
            rate[k] -= 1.0;
        put_shape(batch, shape, rate);
        mc_energy start, end;
        batch->kind->energy(batch, 0, &start);
        angular_momentum(batch, 0, before);
        batch->kind->advance(batch, 0, 1, 0.4);
        batch->kind->energy(batch, 0, &end);
        angular_momentum(batch, 0, after);
        const double total = start.kinetic + start.elastic;
        const double energy = fabs(end.kinetic + end.elastic - total) / total;
        double turn = 0.0;
        for (int j = 0; j < 3; j++)
            turn = fmax(turn, fabs(after[j] - before[j]) / vec3_norm(before));
        printf("step %.1e: energy %.1e, angular momentum %.1e\n", step, energy, turn);
        if (level > 0)
            assert_true(energy < last[0] / 8.0 && turn < last[1] / 8.0);
        last[0] = energy, last[1] = turn;
        batch->kind->destroy(batch);
    }
    assert_true(last[0] < 1e-7 && last[1] < 1e-7);
}

static void it_stands_at_the_solved_equilibrium(void **state)
{
    (void)state;
    for (int number = 1; number <= 2; number++) {
        cosserat_model model = seven(sample_model(number));
        double rest[COSSERAT_EQUILIBRIUM_MAX], residual, now[HIGHER_VALUES];
        mc_error error;
        assert_int_equal(cosserat_equilibrium(&model, rest, &residual, &error), MC_OK);
        memcpy(&model.p[COSSERAT_R3], rest, COSSERAT_EQUILIBRIUM * sizeof *rest);
        memcpy(&model.higher_p[HIGHER_D41], rest + COSSERAT_EQUILIBRIUM,
               HIGHER_SIZE * sizeof *rest);
        mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
        batch->kind->advance(batch, 0, 1, 1.0);
        cosserat_batch_higher(batch, 0, now);
        for (int k = 0; k < HIGHER_SIZE; k++)
            assert_true(fabs(now[k] - rest[COSSERAT_EQUILIBRIUM + k]) < 1e-10);
        assert_true(fabs(rest[COSSERAT_EQUILIBRIUM + 2]) > 1e-8); // gravity bends it
        batch->kind->destroy(batch);
    }
}

// ---- contact ----

static void place_on(const double shape[SHAPE], const double axes[3], const double moment,
                     const double s[3], double out[3])
{
    const double x[3] = {axes[0] * s[0], axes[1] * s[1], axes[2] * s[2]};
    const double phi[4] = {x[0] * x[0] - moment, x[0] * x[1], x[0] * x[2], x[1] * x[2]};
    for (int j = 0; j < 3; j++) {
        out[j] = vec3_dot(shape + 3 * j, x);
        for (int k = 0; k < 4; k++)
            out[j] += phi[k] * shape[9 + 3 * k + j];
    }
}

// The ellipsoid toward a normal reaches exactly as far along it as the bent surface does, and no
// point of that surface is beyond.
static void the_touching_ellipsoid_supports_the_bent_surface(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    const cosserat_model model = free_chassis(1);
    const double axes[3] = {1.5, 1.0, 1.0};
    for (int trial = 0; trial < 20; trial++) {
        mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
        const double moment = cosserat_batch_constants(batch)->higher.moment[0];
        double shape[SHAPE], n[3], far = -HUGE_VAL;
        mc_ellipsoid e;
        random_shape(&seed, 0.03, shape);
        put_shape(batch, shape, NULL);
        for (int j = 0; j < 3; j++)
            n[j] = sample_uniform(&seed, -1.0, 1.0);
        const double length = vec3_norm(n);
        for (int j = 0; j < 3; j++)
            n[j] /= length;
        assert_true(batch->kind->surface_toward(batch, 0, n, &e));
        double image[3];
        mat3_tmul_vec(e.axes, n, image);
        const double support = vec3_dot(n, e.centre) + vec3_norm(image);
        for (int k = 0; k < 200000; k++) { // all over the sphere
            const double h = -1.0 + (2.0 * k + 1.0) / 200000.0, angle = 2.399963229728653 * k;
            const double s[3] = {sqrt(1.0 - h * h) * cos(angle), sqrt(1.0 - h * h) * sin(angle), h};
            double x[3];
            place_on(shape, axes, moment, s, x);
            far = fmax(far, vec3_dot(n, x));
        }
        assert_true(far <= support + 1e-12 && far > support - 1e-4);
        batch->kind->destroy(batch);
    }
}

// An impulse does to any point exactly what was foretold, and changes angular momentum by its own.
static void impulses_act_on_the_material_point(void **state)
{
    (void)state;
    unsigned long long seed = 9;
    const cosserat_model model = free_chassis(1);
    mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
    for (int trial = 0; trial < 50; trial++) {
        double shape[SHAPE], rate[SHAPE], point[3], seen[3], push[3], dv[3], v[2][3], l[2][3];
        random_shape(&seed, 0.03, shape);
        random_shape(&seed, 1.0, rate);
        put_shape(batch, shape, rate);
        for (int j = 0; j < 3; j++) {
            point[j] = sample_uniform(&seed, -1.0, 1.0);
            seen[j] = sample_uniform(&seed, -1.0, 1.0);
            push[j] = sample_uniform(&seed, -1000.0, 1000.0);
        }
        batch->kind->point_velocity(batch, 0, seen, v[0]);
        angular_momentum(batch, 0, l[0]);
        batch->kind->impulse_response(batch, 0, point, push, seen, dv);
        batch->kind->apply_impulse(batch, 0, point, push);
        batch->kind->point_velocity(batch, 0, seen, v[1]);
        angular_momentum(batch, 0, l[1]);
        double moment[3];
        vec3_cross(point, push, moment);
        for (int j = 0; j < 3; j++) {
            assert_true(fabs(v[1][j] - v[0][j] - dv[j]) < 1e-12);
            assert_true(fabs(l[1][j] - l[0][j] - moment[j]) < 1e-9);
        }
    }
    batch->kind->destroy(batch);
}

// Three kinds of crash. Energy and what was lost close, momentum is that of the road, and with no
// road angular momentum stays; the crash bends the cars.
static void collisions_keep_energy_and_momentum(void **state)
{
    (void)state;
    const sample_car crash[][2] = {
        {{0, 0.0, 0.0, 0.0, 24.4444, 0.0}, {0, 5.0, 0.0, 0.0, 21.0, 0.0}}, // into the rear
        {{0, 0.0, 0.0, 0.0, 15.0, 0.0}, {0, 4.0, -1.1, 1.4, 4.0, 0.0}},    // into the side
        {{0, 0.0, 0.0, 0.0, 12.0, 0.0}, {0, 5.0, 0.9, 3.0, 3.0, 0.0}},     // head-on, offset
    };
    for (int k = 0; k < 6; k++) {
        const bool road = k < 3;
        const cosserat_model model = road ? seven(sample_model_at_rest(1)) : free_chassis(1);
        const mc_world_options options = mc_world_defaults();
        mc_world *world = sample_world(&options, &model, 1, crash[k % 3], 2);
        const sample_balance start = sample_balance_of(world);
        double turn[2][3] = {{0}}, part[3], bent = 0.0, size = 0.0;
        mc_error error;
        for (int row = 0; row <= 60; row++) {
            if (row > 0 && mc_world_advance(world, 0.01, &error) != MC_OK)
                fail_msg("%s", error.text);
            for (int id = 0; id < 2 && (row == 0 || row == 60); id++) {
                mc_batch *batch;
                int index;
                mc_world_vehicle(world, id, &batch, &index);
                angular_momentum(batch, index, part);
                for (int j = 0; j < 3; j++)
                    turn[row > 0][j] += part[j], size = fmax(size, fabs(part[j]));
            }
        }
        for (int id = 0; id < 2; id++) {
            mc_batch *batch;
            int index;
            double g[HIGHER_VALUES];
            mc_world_vehicle(world, id, &batch, &index);
            cosserat_batch_higher(batch, index, g);
            for (int i = 0; i < HIGHER_SIZE; i++)
                bent = fmax(bent, fabs(g[i]));
        }
        const sample_balance end = sample_balance_of(world);
        int impacts;
        mc_world_impacts(world, &impacts);
        const double momentum = 2.0 * 1573.0 * 20.0, closing = 0.5 * 1573.0;
        double error_p = 0.0, error_l = 0.0;
        for (int j = 0; j < 3; j++) {
            const double pushed = end.road[j] - start.road[j] - (j == 2 ? end.weight_time : 0.0);
            error_p = fmax(error_p, fabs(end.momentum[j] - start.momentum[j] - pushed) / momentum);
            error_l = fmax(error_l, fabs(turn[1][j] - turn[0][j]) / size);
        }
        const double drift = (end.energy + end.lost - start.energy - start.lost) / closing;
        printf("crash %d: %d impacts, energy %+.1e, momentum %.1e, angular %.1e, bent %.1e 1/m\n",
               k, impacts, drift, error_p, error_l, bent);
        assert_true(impacts > 0 && bent > 1e-5);
        assert_true(error_p < 1e-12 && fabs(drift) < 1e-3);
        assert_true(road || error_l < 1e-6);
        mc_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_inertia_is_that_of_the_body_and_diagonal),
        cmocka_unit_test(the_energy_is_the_integral_over_the_body),
        cmocka_unit_test(forces_are_the_gradient_of_the_energy),
        cmocka_unit_test(frequencies_are_those_of_the_assembled_stiffness),
        cmocka_unit_test(each_mode_swings_with_its_frequency),
        cmocka_unit_test(a_slender_body_bends_as_a_beam),
        cmocka_unit_test(held_directors_give_the_three_director_vehicle),
        cmocka_unit_test(the_first_three_feel_nothing_of_the_others_at_zero),
        cmocka_unit_test(free_motion_keeps_energy_and_angular_momentum),
        cmocka_unit_test(it_stands_at_the_solved_equilibrium),
        cmocka_unit_test(the_touching_ellipsoid_supports_the_bent_surface),
        cmocka_unit_test(impulses_act_on_the_material_point),
        cmocka_unit_test(collisions_keep_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
