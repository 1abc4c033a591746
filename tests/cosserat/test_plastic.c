// test_plastic.c - the chassis that yields: curve in pure tension, motion against an integration of
// the rate equations, energy balance, states, limits.
#include "support/sample.h"

#include "cosserat/equilibrium.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { STATE = VALUE_MAX + 2 };

// ---- the curve in pure tension ----

typedef struct bar { // one-dimensional, by hand; stresses for a volume of 1
    double e, nu, yield_strain, hardening;
    double plastic, alpha, work;
} bar;

static double bar_stress(const bar *b, double strain)
{
    return b->e * (strain - b->plastic);
}

// Moves the bar to a strain along a straight path; returns the stress there.
static double bar_pull(bar *b, double strain)
{
    const double limit = b->e * b->yield_strain + b->hardening * b->alpha;
    const double trial = bar_stress(b, strain);
    if (fabs(trial) > limit) {
        const double growth = (fabs(trial) - limit) / (b->e + b->hardening);
        b->plastic += copysign(growth, trial);
        b->work += (limit + 0.5 * b->hardening * growth) * growth;
        b->alpha += growth;
    }
    return bar_stress(b, strain);
}

static plastic_law law_of(const bar *b)
{
    return (plastic_law){b->e / (1.0 + b->nu), b->e * b->yield_strain, b->hardening};
}

// Shape of a bar with free sides at an axial Green strain: all sides by the bar's own plastic part.
static void bar_shape(const bar *b, double strain, double shape[36])
{
    const double side = -b->nu * (strain - b->plastic) - 0.5 * b->plastic;
    const double green[3] = {strain, side, side};
    for (int k = 0; k < 36; k++)
        shape[k] = k / 4 % 4 == 0 ? sqrt(1.0 + 2.0 * green[k / 16]) - 1.0 : 0.0;
}

// Load, unload, load again, press, pull: the path of a test bench.
static void pure_tension(void **unused)
{
    (void)unused;
    const double path[] = {0.006, 0.010, 0.025, 0.015, 0.018, 0.030, 0.0, -0.02, -0.10, 0.05};
    bar b = {.e = 2e8, .nu = 0.3, .yield_strain = 0.01, .hardening = 2e7};
    const plastic_law law = law_of(&b);
    _Alignas(32) double state[4 * PLASTIC_COUNT] = {0}, shape[36], force[36];
    double area = 0.0, before = 0.0, stress_before = 0.0, worst = 0.0;
    for (int k = 0; k < (int)(sizeof path / sizeof path[0]); k++) {
        const int parts = 1000; // the area is summed along the way
        for (int part = 1; part <= parts; part++) {
            const double strain = before + (path[k] - before) * part / parts;
            const double stress = bar_pull(&b, strain);
            bar_shape(&b, strain, shape);
            plastic_yield_plain(&law, shape, state, state, force);
            area += 0.5 * (stress + stress_before) *
                    (strain - (before + (path[k] - before) * (part - 1) / parts));
            stress_before = stress;
            for (int lane = 0; lane < 4; lane++) {
                const double *s = state + lane;
                worst = fmax(worst, fabs(s[0] - b.plastic));
                worst = fmax(worst, fabs(s[4] + 0.5 * b.plastic));
                worst = fmax(worst, fabs(s[8] + 0.5 * b.plastic));
                worst = fmax(worst, fabs(s[4 * PLASTIC_ALPHA] - b.alpha));
                assert_true(s[12] == 0.0 && s[16] == 0.0 && s[20] == 0.0);
            }
        }
        // Stress from what Ep adds to the force: dev S = 2 mu dev E - that, over the stretch.
        const double stretch = 1.0 + shape[0];
        const double axial = law.two_mu * path[k] - force[0] / stretch;
        const double across =
            law.two_mu * (0.5 * (pow(1.0 + shape[16], 2) - 1.0)) - force[16] / (1.0 + shape[16]);
        assert_true(fabs(axial - across - stress_before) < 1e-6 * b.e * b.yield_strain);
        before = path[k];
    }
    const double stored = 0.5 * stress_before * stress_before / b.e;
    printf("plastic strain %.6f, alpha %.6f, work %.6g J/m^3, area %.6g J/m^3, difference %.1e\n",
           b.plastic, b.alpha, state[4 * PLASTIC_WORK], area - stored, worst);
    assert_true(b.alpha > 0.1);
    assert_true(worst < 1e-14);
    assert_true(fabs(state[4 * PLASTIC_WORK] - b.work) < 1e-10 * b.work);
    assert_true(fabs(state[4 * PLASTIC_WORK] - (area - stored)) < 1e-3 * area);
}

// The slopes that the manual promises.
static void slopes_of_the_curve(void **unused)
{
    (void)unused;
    bar b = {.e = 2e8, .nu = 0.3, .yield_strain = 0.01, .hardening = 5e7};
    assert_true(fabs(bar_pull(&b, 0.01) - 2e6) < 1e-6 && b.alpha < 1e-12);
    const double at_2 = bar_pull(&b, 0.02), at_3 = bar_pull(&b, 0.03);
    assert_true(fabs((at_3 - at_2) / 0.01 - 2e8 * 5e7 / 2.5e8) < 1.0);
    assert_true(fabs((bar_pull(&b, 0.029) - at_3) / -0.001 - 2e8) < 1.0);
}

static void plain_and_avx2_agree(void **unused)
{
    (void)unused;
    unsigned long long seed = 3;
    const plastic_law law = {1.5e8, 2e6, 1e7};
    double worst = 0.0;
    for (int trial = 0; trial < 1000; trial++) {
        _Alignas(32) double shape[36], state[32] = {0}, a[32], b[32], f[36], g[36];
        for (int k = 0; k < 36; k++)
            shape[k] = sample_uniform(&seed, -0.1, 0.1);
        plastic_yield_plain(&law, shape, state, a, f);
        plastic_yield_avx2(&law, shape, state, b, g);
        for (int k = 0; k < 4 * PLASTIC_WORK; k++)
            worst = fmax(worst, fabs(a[k] - b[k]));
        for (int k = 0; k < 36; k++)
            worst = fmax(worst, fabs(f[k] - g[k]) / law.two_mu);
        for (int lane = 0; lane < 4; lane++) { // sheds no volume
            const double trace = a[lane] + a[4 + lane] + a[8 + lane];
            assert_true(fabs(trace) < 1e-16);
        }
    }
    assert_true(worst < 1e-14);
}

// ---- free motion ----

// A chassis in space, without road.
static cosserat_model free_chassis(int number, double yield_strain, double hardening)
{
    cosserat_model model = sample_model(number);
    model.gravity = 0.0;
    model.gear.tyre = tyre_kind_find("none");
    model.p[COSSERAT_C1] = model.p[COSSERAT_C2] = 0.0;
    model.p[COSSERAT_D1] = model.p[COSSERAT_D2] = 0.0;
    model.plastic = yield_strain > 0.0;
    model.plastic_p[PLASTIC_YIELD_STRAIN] = yield_strain;
    model.plastic_p[PLASTIC_HARDENING] = hardening;
    return model;
}

// Undeformed, with director velocities that deform it.
static void start_shaking(mc_batch *batch, int i, double speed)
{
    double s[STATE] = {0};
    for (int k = 0; k < 3; k++)
        s[VALUE_D + 4 * k] = 1.0;
    const double w[9] = {-1.0, 0.3, 0.1, 0.2, 0.4, -0.2, 0.0, 0.3, 0.5};
    for (int k = 0; k < 9; k++)
        s[VALUE_W + k] = speed * w[k];
    s[cosserat_batch_value_count(batch)] = 1.0;
    batch->kind->restore(batch, i, s);
}

// The same by the rate equations of plasticity, which know no return mapping:
//     Ep' = 3/2 g dev S / s,  g = <3/2 dev S : 2 mu E'> / s / (3 mu + H) while s is at the limit.
// Fourth-order Runge-Kutta with a step so small that its kinks do not matter.
typedef struct rates {
    double y[18 + 6 + 1]; // F, F', Ep (as in plastic.h), alpha
} rates;

static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};

static void rate_of(const cosserat_constants *c, const plastic_law *law, const rates *r, rates *out)
{
    const double *f = r->y, *w = r->y + 9, *ep = r->y + 18; // f[3 a + i]: component a of director i
    double s[6], rate[6], trace = 0.0, flow = 0.0, square = 0.0;
    for (int k = 0; k < 6; k++) {
        double product = 0.0;
        rate[k] = 0.0;
        for (int a = 0; a < 9; a += 3) {
            product += f[a + row[k]] * f[a + column[k]];
            rate[k] += 0.5 * (f[a + row[k]] * w[a + column[k]] + w[a + row[k]] * f[a + column[k]]);
        }
        s[k] = c->volume_two_mu * (0.5 * (product - (k < 3)) - ep[k]);
        trace += k < 3 ? s[k] : 0.0;
    }
    double deviator[6];
    for (int k = 0; k < 6; k++) {
        deviator[k] = s[k] - (k < 3 ? trace / 3.0 : 0.0);
        square += (k < 3 ? 1.0 : 2.0) * deviator[k] * deviator[k];
        flow += (k < 3 ? 1.0 : 2.0) * deviator[k] * rate[k];
    }
    const double size = sqrt(1.5 * square), limit = law->yield + law->hardening * r->y[24];
    double growth = 0.0;
    if (size >= limit && flow > 0.0)
        growth = 1.5 * law->two_mu * flow / size / (1.5 * law->two_mu + law->hardening);
    for (int k = 0; k < 6; k++) {
        out->y[18 + k] = growth > 0.0 ? 1.5 * growth * deviator[k] / size : 0.0;
        s[k] += k < 3 ? c->volume_lambda / c->volume_two_mu * trace : 0.0;
    }
    out->y[24] = growth;
    const double stress[9] = {s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2]};
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++) {
            double force = 0.0;
            for (int k = 0; k < 3; k++)
                force += f[3 * a + k] * stress[3 * k + i];
            out->y[3 * a + i] = w[3 * a + i];
            out->y[9 + 3 * a + i] = -force / c->my[i];
        }
}

static rates integrate_rates(const cosserat_constants *c, const plastic_law *law, rates r,
                             double duration, int steps)
{
    const double h = duration / steps;
    for (int k = 0; k < steps; k++) {
        rates d[4], at = r;
        const double share[4] = {0.0, 0.5 * h, 0.5 * h, h};
        for (int q = 0; q < 4; q++) {
            for (int j = 0; j < 25 && q > 0; j++)
                at.y[j] = r.y[j] + share[q] * d[q - 1].y[j];
            rate_of(c, law, &at, &d[q]);
        }
        for (int j = 0; j < 25; j++)
            r.y[j] += h / 6.0 * (d[0].y[j] + 2.0 * (d[1].y[j] + d[2].y[j]) + d[3].y[j]);
    }
    return r;
}

static void against_the_rate_equations(void **unused)
{
    (void)unused;
    const double duration = 0.02, speed = 12.0;
    const cosserat_model model = free_chassis(1, 0.005, 1e7);
    mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 1e-3);
    const plastic_law law = cosserat_plastic_law(&model);
    start_shaking(batch, 0, speed);
    double s[STATE];
    batch->kind->save(batch, 0, s);
    rates start = {{0}};
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++) {
            start.y[3 * a + i] = s[VALUE_D + 3 * i + a];
            start.y[9 + 3 * a + i] = s[VALUE_W + 3 * i + a];
        }
    const rates truth =
        integrate_rates(cosserat_batch_constants(batch), &law, start, duration, 400000);
    const int plastic = cosserat_batch_value_count(batch) - PLASTIC_COUNT;
    double error[5];
    for (int k = 0; k < 5; k++) {
        const double step = k ? 4e-4 * ldexp(1.0, -k) : 1e-3; // the first is cut, the others not
        batch->kind->limit_step(batch, step);
        start_shaking(batch, 0, speed);
        batch->kind->advance(batch, 0, 1, duration);
        batch->kind->save(batch, 0, s);
        error[k] = fabs(s[plastic + PLASTIC_ALPHA] - truth.y[24]);
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 3; a++)
                error[k] = fmax(error[k], fabs(s[VALUE_D + 3 * i + a] - truth.y[3 * a + i]));
        for (int q = 0; q < 6; q++)
            error[k] = fmax(error[k], fabs(s[plastic + q] - truth.y[18 + q]));
        printf("step %.2e: alpha %.6f (rate equations %.6f), largest error %.1e\n", step,
               s[plastic + PLASTIC_ALPHA], truth.y[24], error[k]);
    }
    batch->kind->destroy(batch);
    assert_true(truth.y[24] > 0.01);
    assert_true(error[0] < 1e-3 * truth.y[24]);
    for (int k = 2; k < 5; k++) // the direction of flow is that of the end of a step: first order
        assert_true(error[k] < 0.65 * error[k - 1]);
}

// ---- energy balance ----

static double balance(const mc_batch *batch, mc_energy *e)
{
    batch->kind->energy(batch, 0, e);
    return e->kinetic + e->elastic + e->crushed;
}

// Energy plus plastic work stays, the better the smaller the step; momentum to rounding.
static void ledger_closes(void **unused)
{
    (void)unused;
    const cosserat_model model = free_chassis(1, 0.005, 1e7);
    mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 1e-3);
    double drift[6];
    for (int k = 0; k < 6; k++) {
        const double step = 2e-4 * ldexp(1.0, -k); // not cut: less than 0.2 rad
        mc_energy e;
        double worst = 0.0, p[3];
        batch->kind->limit_step(batch, step);
        start_shaking(batch, 0, 12.0);
        const double start = balance(batch, &e), kinetic = e.kinetic;
        for (int q = 0; q < 100; q++) {
            batch->kind->advance(batch, 0, 1, 4e-4);
            worst = fmax(worst, fabs(balance(batch, &e) - start) / kinetic);
        }
        drift[k] = worst;
        batch->kind->momentum(batch, 0, p);
        printf("step %.2e: crushed %.4f of the energy, drift %.1e\n", step, e.crushed / kinetic,
               worst);
        assert_true(e.crushed > 0.3 * kinetic);
        assert_true(fabs(p[0]) + fabs(p[1]) + fabs(p[2]) < 1e-9);
    }
    batch->kind->destroy(batch);
    assert_true(drift[0] < 1e-3);
    assert_true(drift[5] < drift[0] / 200.0); // about second order or better: 32 halvings squared
}

// ---- states ----

static void below_yield_the_bits_are_elastic(void **unused)
{
    (void)unused;
    cosserat_model model = sample_model_at_rest(1);
    double end[2][STATE];
    for (int plastic = 0; plastic < 2; plastic++) {
        model.plastic = plastic;
        model.plastic_p[PLASTIC_YIELD_STRAIN] = 0.05;
        const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 24.0, 0.01}, {0, 4.0, 0.2, 0.0, 20.0, 0.0}};
        const mc_world_options o = mc_world_defaults();
        mc_world *world = sample_world(&o, &model, 1, cars, 2);
        mc_error error;
        mc_batch *batch;
        int index, count;
        assert_int_equal(mc_world_advance(world, 1.0, &error), MC_OK);
        mc_world_impacts(world, &count);
        assert_true(count >= 2);
        mc_world_vehicle(world, 1, &batch, &index);
        batch->kind->save(batch, index, end[plastic]);
        mc_energy e;
        batch->kind->energy(batch, index, &e);
        assert_true(e.crushed == 0.0);
        assert_int_equal(cosserat_batch_value_count(batch) - (plastic ? PLASTIC_COUNT : 0),
                         VALUE_TYRE + 4 * model.gear.tyre->state_count + SUM_COUNT);
        mc_world_destroy(world);
    }
    const int same = VALUE_TYRE + 4 * model.gear.tyre->state_count + SUM_COUNT;
    assert_memory_equal(end[0], end[1], (size_t)same * sizeof(double));
}

// Saved in the middle of yielding, put into another place of another batch: the same bits.
static void states_resume_elsewhere(void **unused)
{
    (void)unused;
    const cosserat_model model = free_chassis(2, 0.002, 1e8);
    mc_batch *one = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
    mc_batch *many = cosserat_batch_create(&model, 7, COSSERAT_EXPONENTIAL, 5e-4);
    double middle[STATE], a[STATE], b[STATE];
    mc_energy e;
    start_shaking(one, 0, 9.0);
    one->kind->advance(one, 0, 1, 1.5e-3);
    one->kind->save(one, 0, middle);
    one->kind->energy(one, 0, &e);
    const double crushed = e.crushed;
    one->kind->advance(one, 0, 1, 0.05);
    one->kind->save(one, 0, a);
    one->kind->energy(one, 0, &e);
    assert_true(crushed > 0.0 && e.crushed > crushed);
    for (int i = 0; i < 7; i++) {
        start_shaking(many, i, 1.0 + i);
        if (i == 1 || i == 4 || i == 6)
            many->kind->restore(many, i, middle);
    }
    many->kind->advance(many, 0, 7, 0.05);
    const size_t size = (size_t)one->kind->save_size(one) * sizeof(double);
    for (int i = 1; i < 7; i++)
        if (i == 1 || i == 4 || i == 6) {
            many->kind->save(many, i, b);
            assert_memory_equal(a, b, size);
        }
    one->kind->destroy(one);
    many->kind->destroy(many);
}

// ---- limits ----

// A chassis that was crushed to a plastic strain of 0.3 vibrates for 4 s: stable at steps that are
// stable for a new one, and its energy stays.
static void crushed_chassis_is_stable(void **unused)
{
    (void)unused;
    for (int number = 1; number <= 2; number++)
        for (int coarse = 0; coarse < 2; coarse++) {
            const double step = coarse ? 1e-3 : 5e-4;
            const cosserat_model model = free_chassis(number, 0.05, 1e7);
            mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, step);
            double s[STATE];
            mc_energy e;
            start_shaking(batch, 0, 1.0);
            batch->kind->save(batch, 0, s);
            const int plastic = cosserat_batch_value_count(batch) - PLASTIC_COUNT;
            const double strain[3] = {-0.3, 0.15, 0.15};
            for (int k = 0; k < 3; k++) {
                s[plastic + k] = strain[k];
                s[VALUE_D + 4 * k] = sqrt(1.0 + 2.0 * strain[k]);
            }
            s[plastic + PLASTIC_ALPHA] = 0.3;
            batch->kind->restore(batch, 0, s);
            const double start = balance(batch, &e), vibration = e.vibration;
            batch->kind->advance(batch, 0, 1, 4.0);
            const double drift = (balance(batch, &e) - start) / vibration;
            printf("model %d, step %g: drift of the energy in 4 s %+.1e of the vibration\n", number,
                   step, drift);
            assert_true(fabs(drift) < 1e-3);
            batch->kind->save(batch, 0, s);
            const double length =
                sqrt(pow(s[VALUE_D], 2) + pow(s[VALUE_D + 1], 2) + pow(s[VALUE_D + 2], 2));
            assert_true(fabs(length - sqrt(0.4)) < 0.02); // keeps its shape
            batch->kind->destroy(batch);
        }
}

// What reach promises holds while the chassis is crushed.
static void reach_holds(void **unused)
{
    (void)unused;
    const cosserat_model model = free_chassis(1, 0.005, 1e6);
    mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
    mc_reach reach;
    mc_ellipsoid surface;
    mc_energy e;
    start_shaking(batch, 0, 20.0);
    batch->kind->reach(batch, 0, &reach);
    double farthest = 0.0, fastest = 0.0;
    for (int k = 0; k < 2000; k++) {
        batch->kind->advance(batch, 0, 1, 1e-4);
        batch->kind->surface(batch, 0, &surface);
        for (int axis = 0; axis < 3; axis++) {
            const double *a = surface.axes + axis;
            const double tip[3] = {a[0], a[3], a[6]};
            double v[3];
            batch->kind->point_velocity(batch, 0, tip, v);
            farthest = fmax(farthest, sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]));
            fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        }
    }
    batch->kind->energy(batch, 0, &e);
    printf("tips reach %.3f m of %.3f m, %.1f m/s of %.1f m/s\n", farthest, reach.radius, fastest,
           reach.spread);
    assert_true(e.crushed > 0.0);
    assert_true(farthest <= reach.radius && fastest <= reach.spread);
    batch->kind->destroy(batch);
}

// The report's scheme knows the plastic chassis too; first order.
static void published_scheme_yields(void **unused)
{
    (void)unused;
    const cosserat_model model = free_chassis(1, 0.005, 1e7);
    double drift[2], crushed[2];
    for (int k = 0; k < 2; k++) {
        mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_PUBLISHED, k ? 2.5e-6 : 1e-5);
        mc_energy e;
        start_shaking(batch, 0, 12.0);
        const double start = balance(batch, &e), kinetic = e.kinetic;
        batch->kind->advance(batch, 0, 1, 0.02);
        drift[k] = fabs(balance(batch, &e) - start) / kinetic;
        crushed[k] = e.crushed / kinetic;
        batch->kind->destroy(batch);
    }
    printf("published scheme: drift %.1e and %.1e, crushed %.4f and %.4f\n", drift[0], drift[1],
           crushed[0], crushed[1]);
    assert_true(drift[1] < 0.4 * drift[0] && drift[1] < 5e-3);
    assert_true(fabs(crushed[1] - crushed[0]) < 0.02 && crushed[1] > 0.3);
}

static void rest_beyond_yield_is_rejected(void **unused)
{
    (void)unused;
    char text[320];
    cosserat_model model = sample_model_at_rest(1);
    model.plastic = true;
    assert_int_equal(cosserat_model_check(&model, text, sizeof text), -1);
    // 5 % longer with rigid sides: dev S = 2/3 2 mu E, so s = 2 mu (1.05^2 - 1)/2 over E 0.01.
    memset(&model.p[COSSERAT_D11], 0, 9 * sizeof model.p[0]);
    model.p[COSSERAT_D11] = 1.05;
    model.p[COSSERAT_D11 + 4] = model.p[COSSERAT_D33] = 1.0;
    assert_int_equal(cosserat_model_check(&model, text, sizeof text), COSSERAT_D11);
    assert_non_null(strstr(text, "to 3.94 times"));
    assert_non_null(strstr(text, "times its yield stress"));
    model.plastic = false;
    assert_int_equal(cosserat_model_check(&model, text, sizeof text), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pure_tension),
        cmocka_unit_test(slopes_of_the_curve),
        cmocka_unit_test(plain_and_avx2_agree),
        cmocka_unit_test(against_the_rate_equations),
        cmocka_unit_test(ledger_closes),
        cmocka_unit_test(below_yield_the_bits_are_elastic),
        cmocka_unit_test(states_resume_elsewhere),
        cmocka_unit_test(crushed_chassis_is_stable),
        cmocka_unit_test(reach_holds),
        cmocka_unit_test(published_scheme_yields),
        cmocka_unit_test(rest_beyond_yield_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
