// test_tyres.c - what every tyre law promises, looped over the list of laws, each as it is used
// for wheels that roll freely and for wheels with spin; and the Calspan law against values computed
// apart from this library.
#include "parts/tyre.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { BATCH = 16, TRIALS = 3000 };
typedef unsigned long long seed_type;

// The arrays of a batch. Outputs are NAN before a call, so that what is not written shows.
typedef struct batch {
    _Alignas(32) double fz[BATCH], v_x[BATCH], v_y[BATCH], x[TYRE_STATE_MAX * BATCH];
    _Alignas(32) double v_roll[BATCH], mu[BATCH];
    _Alignas(32) double camber[BATCH], side[BATCH];
    _Alignas(32) double fx[BATCH], fy[BATCH], mz[BATCH], drive[TYRE_STATE_MAX * BATCH];
    bool spin; // v_roll and mu are given
    bool lean; // camber and side are given
} batch;

static void eval(const tyre_kind *kind, cpu_level level, const double *p, int n, batch *b)
{
    const tyre_in in = {.fz = b->fz,
                        .v_x = b->v_x,
                        .v_y = b->v_y,
                        .v_roll = b->spin ? b->v_roll : NULL,
                        .mu = b->spin ? b->mu : NULL,
                        .context = kind->context,
                        .camber = b->lean ? b->camber : NULL,
                        .side = b->lean ? b->side : NULL};
    const tyre_out out = {.fx = b->fx, .fy = b->fy, .mz = b->lean ? b->mz : NULL};
    for (int i = 0; i < BATCH; i++)
        b->fx[i] = b->fy[i] = NAN, b->mz[i] = 0.0;
    for (int i = 0; i < TYRE_STATE_MAX * BATCH; i++)
        b->drive[i] = NAN;
    tyre_eval_at(kind, level)(p, n, &in, b->x, b->drive, &out);
}

static double random_size(seed_type *seed, double low, double high) // over decades, either sign
{
    const double size = pow(10.0, sample_uniform(seed, log10(low), log10(high)));
    return sample_random(seed) % 2 ? size : -size;
}

static double random_param(seed_type *seed, const mc_param *p)
{
    switch (sample_random(seed) % 4) {
    case 0:
        return p->min;
    case 1:
        return p->max;
    case 2:
        return isnan(p->fallback) ? p->min : p->fallback;
    default:
        return sample_uniform(seed, p->min, p->max);
    }
}

// A car's wheels: loads to 20 kN, some in the air, speeds to 50 m/s.
static void fill_usual(seed_type *seed, int state_count, batch *b)
{
    b->spin = sample_random(seed) % 2;
    b->lean = sample_random(seed) % 2;
    for (int i = 0; i < BATCH; i++) {
        b->camber[i] = sample_uniform(seed, -0.3, 0.3);
        b->side[i] = sample_random(seed) % 2 ? 1.0 : -1.0;
        b->v_roll[i] = sample_random(seed) % 4 ? sample_uniform(seed, -60.0, 60.0) : 0.0;
        b->mu[i] = sample_uniform(seed, 0.05, 1.2);
        b->fz[i] = sample_uniform(seed, -2e3, 20e3);
        b->v_x[i] = sample_uniform(seed, -50.0, 50.0);
        b->v_y[i] = sample_uniform(seed, -10.0, 10.0);
    }
    for (int i = 0; i < state_count * BATCH; i++)
        b->x[i] = random_size(seed, 1e-4, 1.0);
}

// What no car does but a diverging one may: up to 1e30 in everything, zeros among them.
static void fill_extreme(seed_type *seed, int state_count, batch *b)
{
    b->spin = sample_random(seed) % 2;
    b->lean = sample_random(seed) % 2;
    for (int i = 0; i < BATCH; i++) {
        b->camber[i] = sample_uniform(seed, -1.6, 1.6);
        b->side[i] = sample_random(seed) % 2 ? 1.0 : -1.0;
        b->v_roll[i] = sample_random(seed) % 4 ? random_size(seed, 1e-300, 1e300) : 0.0;
        b->mu[i] = sample_random(seed) % 4 ? fabs(random_size(seed, 1e-9, 10.0)) : 0.0;
        b->fz[i] = random_size(seed, 1e-30, 1e30);
        b->v_x[i] = sample_random(seed) % 4 ? random_size(seed, 1e-300, 1e300) : 0.0;
        b->v_y[i] = sample_random(seed) % 4 ? random_size(seed, 1e-300, 1e300) : -0.0;
    }
    for (int i = 0; i < state_count * BATCH; i++)
        b->x[i] = sample_random(seed) % 4 ? random_size(seed, 1e-30, 1e30) : 0.0;
}

// Calls check for every law at every level this processor has.
static void for_all(void (*check)(const tyre_kind *kind, cpu_level level))
{
    int calls = 0;
    for (int k = 0; tyre_kind_at(k); k++)
        for (int level = 0; level <= (int)cpu_level_best(); level++, calls++) {
            check(tyre_kind_at(k), (cpu_level)level);
            if (tyre_kind_at(k)->driven)
                check(tyre_kind_at(k)->driven, (cpu_level)level);
        }
    assert_true(calls >= 4);
}

// ---- for every law ---------------------------------------------------------------------------

static void tables_are_sane(void **state)
{
    (void)state;
    int count = 0;
    for (; tyre_kind_at(count); count++) {
        const tyre_kind *kind = tyre_kind_at(count);
        assert_true(strlen(kind->name) > 0 && strlen(kind->doc) > 0);
        assert_ptr_equal(tyre_kind_find(kind->name), kind);
        for (int j = 0; j < count; j++)
            assert_int_not_equal(strcasecmp(kind->name, tyre_kind_at(j)->name), 0);
        assert_in_range(kind->param_count, 0, TYRE_PARAM_MAX);
        assert_in_range(kind->state_count, 0, TYRE_STATE_MAX);
        assert_non_null(kind->eval[CPU_PLAIN]);
        for (int j = 0; j < kind->state_count; j++)
            assert_true(strlen(kind->states[j].name) > 0 && strlen(kind->states[j].unit) > 0);
        const tyre_kind *spin = tyre_for_spin(kind);
        assert_null(spin->driven);
        assert_ptr_equal(spin->params, kind->params);
        assert_int_equal(spin->param_count, kind->param_count);
        assert_string_equal(spin->name, kind->name);
        double p[TYRE_PARAM_MAX];
        tyre_defaults(kind, p);
        for (int i = 0; i < kind->param_count; i++) {
            const mc_param *row = &kind->params[i];
            assert_true(strlen(row->name) > 0 && strlen(row->unit) > 0 && strlen(row->doc) > 0);
            assert_true(isfinite(row->min) && isfinite(row->max) && row->min < row->max);
            assert_true(isnan(row->fallback) ||
                        (row->fallback >= row->min && row->fallback <= row->max));
            assert_true(p[i] == row->fallback || (isnan(p[i]) && isnan(row->fallback)));
            for (int j = 0; j < i; j++)
                assert_int_not_equal(strcasecmp(row->name, kind->params[j].name), 0);
        }
    }
    assert_true(count >= 2);
    assert_null(tyre_kind_at(-1));
    assert_null(tyre_kind_at(count + 1));
    assert_null(tyre_kind_find("no such law"));
    assert_non_null(tyre_kind_find("CalSpan")); // any case
}

// Finite for every allowed parameter, whatever the motion; states decay.
static void finite_outputs(const tyre_kind *kind, cpu_level level)
{
    seed_type seed = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        double p[TYRE_PARAM_MAX];
        batch b;
        for (int i = 0; i < kind->param_count; i++)
            p[i] = random_param(&seed, &kind->params[i]);
        if (trial % 2)
            fill_usual(&seed, kind->state_count, &b);
        else
            fill_extreme(&seed, kind->state_count, &b);
        eval(kind, level, p, BATCH, &b);
        for (int i = 0; i < BATCH; i++)
            if (!isfinite(b.fx[i]) || !isfinite(b.fy[i]) || !isfinite(b.mz[i]))
                fail_msg("%s: fx %g, fy %g, mz %g at fz %g N", kind->name, b.fx[i], b.fy[i],
                         b.mz[i], b.fz[i]);
        for (int k = 0; k < kind->state_count; k++) {
            assert_true(isfinite(kind->state_rate(p, k)) && kind->state_rate(p, k) >= 0.0);
            for (int i = 0; i < BATCH; i++)
                assert_true(isfinite(b.drive[k * BATCH + i]));
        }
    }
}

static void finite_always(void **state)
{
    (void)state;
    for_all(finite_outputs);
}

static void in_the_air(const tyre_kind *kind, cpu_level level)
{
    seed_type seed = 2;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(kind, p);
    for (int trial = 0; trial < 100; trial++) {
        batch b;
        fill_usual(&seed, kind->state_count, &b);
        for (int i = 0; i < BATCH; i++)
            b.fz[i] = i == 0 ? 0.0 : i == 1 ? -0.0 : -fabs(random_size(&seed, 1e-300, 1e6));
        eval(kind, level, p, BATCH, &b);
        for (int i = 0; i < BATCH; i++)
            assert_true(b.fx[i] == 0.0 && b.fy[i] == 0.0 && b.mz[i] == 0.0);
    }
}

static void no_load_no_force(void **state)
{
    (void)state;
    for_all(in_the_air);
}

// A mirrored car: v_y, camber, side and the lateral states change sign, so do fy and mz; fx stays.
static void odd(const tyre_kind *kind, cpu_level level)
{
    seed_type seed = 3;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(kind, p);
    for (int trial = 0; trial < TRIALS; trial++) {
        batch b, mirror;
        fill_usual(&seed, kind->state_count, &b);
        mirror = b;
        b.lean = mirror.lean = true;
        for (int i = 0; i < BATCH; i++)
            mirror.v_y[i] = -b.v_y[i], mirror.camber[i] = -b.camber[i], mirror.side[i] = -b.side[i];
        for (int i = 0; i < kind->state_count * BATCH; i++)
            mirror.x[i] = kind->states[i / BATCH].lateral ? -b.x[i] : b.x[i];
        eval(kind, level, p, BATCH, &b);
        eval(kind, level, p, BATCH, &mirror);
        for (int i = 0; i < BATCH; i++)
            assert_true(mirror.fy[i] == -b.fy[i] && mirror.fx[i] == b.fx[i] &&
                        mirror.mz[i] == -b.mz[i]);
        for (int i = 0; i < kind->state_count * BATCH; i++)
            assert_true(mirror.drive[i] ==
                        (kind->states[i / BATCH].lateral ? -b.drive[i] : b.drive[i]));
    }
}

static void odd_in_slip(void **state)
{
    (void)state;
    for_all(odd);
}

// Same arguments, same bits: a second time, and in a batch of four with the wheel in any lane.
static void pure(const tyre_kind *kind, cpu_level level)
{
    seed_type seed = 4;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(kind, p);
    for (int trial = 0; trial < 500; trial++) {
        batch all, again;
        if (trial % 2)
            fill_usual(&seed, kind->state_count, &all);
        else
            fill_extreme(&seed, kind->state_count, &all);
        again = all;
        eval(kind, level, p, BATCH, &all);
        eval(kind, level, p, BATCH, &again);
        assert_memory_equal(all.fx, again.fx, sizeof all.fx);
        assert_memory_equal(all.fy, again.fy, sizeof all.fy);
        assert_memory_equal(all.drive, again.drive,
                            sizeof(double) * (size_t)(BATCH * kind->state_count));
        for (int i = 0; i < BATCH; i++) {
            batch four;
            four.spin = all.spin, four.lean = all.lean;
            const int lane = (i + trial) % 4;
            for (int j = 0; j < 4; j++) { // neighbours from elsewhere
                const int from = j == lane ? i : (i + 5 * j + 1) % BATCH;
                four.fz[j] = all.fz[from], four.v_x[j] = all.v_x[from], four.v_y[j] = all.v_y[from];
                four.v_roll[j] = all.v_roll[from], four.mu[j] = all.mu[from];
                four.camber[j] = all.camber[from], four.side[j] = all.side[from];
                for (int k = 0; k < kind->state_count; k++)
                    four.x[4 * k + j] = all.x[BATCH * k + from];
            }
            eval(kind, level, p, 4, &four);
            assert_memory_equal(&four.fx[lane], &all.fx[i], sizeof(double));
            assert_memory_equal(&four.fy[lane], &all.fy[i], sizeof(double));
            assert_memory_equal(&four.mz[lane], &all.mz[i], sizeof(double));
            for (int k = 0; k < kind->state_count; k++)
                assert_memory_equal(&four.drive[4 * k + lane], &all.drive[BATCH * k + i],
                                    sizeof(double));
            for (int j = 4; j < BATCH; j++) // nothing beyond n is written
                assert_true(isnan(four.fx[j]) && isnan(four.fy[j]));
        }
    }
}

static void same_bits_in_every_place(void **state)
{
    (void)state;
    for_all(pure);
}

// Every level gives the same but for rounding.
static void levels(const tyre_kind *kind, cpu_level level)
{
    if (level == CPU_PLAIN)
        return; // what the others are compared with
    seed_type seed = 5;
    for (int trial = 0; trial < TRIALS; trial++) {
        double p[TYRE_PARAM_MAX];
        batch plain, other;
        for (int i = 0; i < kind->param_count; i++)
            p[i] = kind->params[i].fallback;
        fill_usual(&seed, kind->state_count, &plain);
        other = plain;
        eval(kind, CPU_PLAIN, p, BATCH, &plain);
        eval(kind, level, p, BATCH, &other);
        for (int i = 0; i < BATCH; i++) {
            const double size = hypot(plain.fx[i], plain.fy[i]);
            assert_true(fabs(other.fx[i] - plain.fx[i]) <= 1e-12 * size);
            assert_true(fabs(other.fy[i] - plain.fy[i]) <= 1e-12 * size);
        }
        // A deflection that hardly changes is the difference of larger numbers: speeds and renewal.
        for (int i = 0; i < kind->state_count * BATCH; i++) {
            const double scale =
                kind->state_count == 2 ? 1e3 * fabs(plain.x[i]) + 100.0 : fabs(plain.drive[i]);
            assert_true(fabs(other.drive[i] - plain.drive[i]) <= 1e-12 * scale);
        }
    }
}

static void levels_agree(void **state)
{
    (void)state;
    for_all(levels);
}

// ---- laws with spin --------------------------------------------------------------------------

typedef struct axes { // of the ellipse of friction, N
    double x, y;
} axes;

// TMeasy: peaks at this load, parabolas through those at the nominal load and twice that.
static axes limit_of_tmeasy(double fz, double mu)
{
    const double nominal = 8562.8266, q = fmin(fz / nominal, 3.5);
    const double x = q * (2.0 * 0.89965 - 0.77751 - (0.89965 - 0.77751) * q);
    const double y = q * (2.0 * 0.75876 - 0.72628 - (0.75876 - 0.72628) * q);
    return (axes){mu * nominal * x, mu * nominal * y};
}

// PAC2002: D + |SV| of the passenger tyre that is built in; its loads end at 225 and 10125 N.
static axes limit_of_pac2002(double fz, double mu, double g)
{
    const double load = fmax(225.0, fmin(fz, 10125.0)), d = load / (0.81 * 4850.0) - 1.0;
    const double shift = fabs(0.037318 - 0.010049 * d + (-0.32931 - 0.69553 * d) * g);
    const double x = 1.1739 - 0.16395 * d + fabs(-8.8098e-06 + 1.862e-05 * d);
    const double y = (1.0489 - 0.18033 * d) * (1.0 + 2.8821 * g * g) + shift;
    return (axes){mu * fz * x, mu * fz * y};
}

// As the law's default parameters say it.
static axes limit_of(const tyre_kind *kind, const double *p, double fz, double mu, double camber)
{
    const double load = fmax(fz, 0.0);
    if (strcmp(kind->name, "none") == 0)
        return (axes){0.0, 0.0};
    if (strcmp(kind->name, "tmeasy") == 0)
        return limit_of_tmeasy(load, mu);
    if (strcmp(kind->name, "pac2002") == 0)
        return limit_of_pac2002(load, mu, camber);
    if (strcmp(kind->name, "pac89") == 0) // N of kN
        return (axes){mu * 1e-3 * load * (1022.11238547 - 15.77614667e-3 * load),
                      mu * 1e-3 * load * (812.44979534 - 4.84987525e-3 * load)};
    for (int i = 0; i < kind->param_count; i++)
        if (strcmp(kind->params[i].name, "friction") == 0)
            return (axes){p[i] * mu * load, p[i] * mu * load};
    assert_string_equal(kind->name, "calspan"); // SN (B3 + B1 Fz + B4 Fz^2)
    const double all = 1.0274 * (1.216 - 4.64e-5 * load + 2.18e-11 * load * load) * load * mu;
    return (axes){all, all};
}

// Whatever the slips and states: inside the ellipse of friction.
static void inside_circle(const tyre_kind *kind, cpu_level level)
{
    seed_type seed = 6;
    double p[TYRE_PARAM_MAX], fullest = 0.0;
    tyre_defaults(kind, p);
    for (int trial = 0; trial < TRIALS; trial++) {
        batch b;
        fill_usual(&seed, kind->state_count, &b);
        eval(kind, level, p, BATCH, &b);
        for (int i = 0; i < BATCH; i++) {
            const double camber = b.lean ? b.camber[i] * b.side[i] : 0.0;
            const axes limit = limit_of(kind, p, b.fz[i], b.spin ? b.mu[i] : 1.0, camber);
            if (!(limit.x > 0.0)) {
                assert_true(b.fx[i] == 0.0 && b.fy[i] == 0.0);
                continue;
            }
            const double size = hypot(b.fx[i] / limit.x, b.fy[i] / limit.y);
            assert_true(size <= 1.0 + 1e-13);
            fullest = fmax(fullest, size);
        }
    }
    assert_true(fullest > 0.98 || strcmp(kind->name, "none") == 0); // the limit is reached
}

static void inside_the_friction_circle(void **state)
{
    (void)state;
    for_all(inside_circle);
}

// Runs the states of four wheels until they do not change, explicitly.
static void settle(const tyre_kind *kind, cpu_level level, const double *p, batch *b)
{
    for (int step = 0; step < 20000; step++) {
        eval(kind, level, p, 4, b);
        for (int k = 0; k < kind->state_count; k++)
            for (int i = 0; i < 4; i++)
                b->x[4 * k + i] +=
                    5e-4 * (b->drive[4 * k + i] - kind->state_rate(p, k) * b->x[4 * k + i]);
    }
    eval(kind, level, p, 4, b);
}

// No slip, no force; braking slip brakes, driving slip drives, side slip is opposed; a wheel that
// runs backwards does the same backwards.
static void directions(const tyre_kind *kind, cpu_level level)
{
    if (kind->driven || kind->state_count == 0)
        return;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(kind, p);
    batch b = {.fz = {4000.0, 4000.0, 4000.0, 4000.0},
               .v_x = {20.0, 20.0, -20.0, 20.0},
               .v_y = {0.0, 0.4, 0.4, 0.4},
               .v_roll = {20.0, 19.6, -19.6, 20.5},
               .mu = {1.0, 1.0, 1.0, 1.0},
               .spin = true};
    settle(kind, level, p, &b);
    if (kind->load) { // curves with shifts
        assert_true(fabs(b.fx[0]) < 200.0 && fabs(b.fy[0]) < 200.0);
        assert_true(fabs(b.fx[2] + b.fx[1]) < 400.0 && fabs(b.fy[2] - b.fy[1]) < 400.0);
    } else {
        assert_true(b.fx[0] == 0.0 && b.fy[0] == 0.0);
        assert_true(b.fx[2] == -b.fx[1] && b.fy[2] == b.fy[1]);
    }
    assert_true(b.fx[1] < -500.0 && b.fy[1] < -300.0);
    assert_true(b.fx[3] > 500.0 && b.fy[3] < -300.0);
    // Side force is less when the wheel brakes too, and the whole is not more than the limit.
    batch pure = b;
    for (int i = 0; i < 4; i++)
        pure.v_x[i] = 20.0, pure.v_roll[i] = i == 1 ? 10.0 : 20.0, pure.v_y[i] = 2.0;
    settle(kind, level, p, &pure);
    const double left = strcmp(kind->name, "fiala") == 0 ? 0.75 : 0.5; // slips hardly mix
    const double none = kind->load ? 100.0 : 1e-9;                     // N; shifts of the curves
    assert_true(fabs(pure.fy[1]) < left * fabs(pure.fy[0]));
    assert_true(fabs(pure.fx[0]) < none && pure.fx[1] < -0.4 * 4000.0);
}

static void forces_oppose_slip(void **state)
{
    (void)state;
    for_all(directions);
}

// A wheel that stands keeps its force to the last bit, whatever time passes.
static void standing(const tyre_kind *kind, cpu_level level)
{
    if (kind->driven || kind->state_count == 0)
        return;
    seed_type seed = 7;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(kind, p);
    batch b = {.spin = true};
    for (int i = 0; i < BATCH; i++) {
        b.fz[i] = 5000.0, b.mu[i] = 1.0;
        b.x[i] = sample_uniform(&seed, -0.005, 0.005);
        b.x[BATCH + i] = sample_uniform(&seed, -0.005, 0.005);
    }
    eval(kind, level, p, BATCH, &b);
    for (int i = 0; i < BATCH; i++) {
        assert_true(b.drive[i] == 0.0 && b.drive[BATCH + i] == 0.0);
        assert_true(b.fx[i] * b.x[i] > 0.0 && b.fy[i] * b.x[BATCH + i] > 0.0);
    }
}

static void standing_wheels_hold(void **state)
{
    (void)state;
    for_all(standing);
}

// ---- Calspan ---------------------------------------------------------------------------------

// Side force of the Iltis benchmark's tyre without camber, parameters as in the table of the law;
// lag = alpha.
static const struct {
    double fz, alpha, fy;
} iltis[] = {
    {2000.0, 0.01, -260.426875}, {2000.0, 0.02, -500.488486}, {2000.0, 0.05, -1106.773098},
    {2000.0, 0.1, -1787.328222}, {2000.0, 0.2, -2284.352649}, {2000.0, -0.05, 1106.773098},
    {3829.6, 0.01, -402.293105}, {3829.6, 0.02, -777.277661}, {3829.6, 0.05, -1747.978450},
    {3829.6, 0.1, -2909.227384}, {3829.6, 0.2, -3951.457866}, {3829.6, -0.05, 1747.978450},
    {3593.6, 0.01, -388.000900}, {3593.6, 0.02, -749.196422}, {3593.6, 0.05, -1681.545474},
    {3593.6, 0.1, -2788.903999}, {3593.6, 0.2, -3760.797621}, {3593.6, -0.05, 1681.545474},
    {8000.0, 0.01, -457.222191}, {8000.0, 0.02, -893.953600}, {8000.0, 0.05, -2085.900767},
    {8000.0, 0.1, -3706.508236}, {8000.0, 0.2, -5786.724411}, {8000.0, -0.05, 2085.900767},
};
enum { ILTIS_COUNT = sizeof iltis / sizeof iltis[0] };

static void calspan_side_force(void **state)
{
    (void)state;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(&tyre_calspan, p);
    for (int level = 0; level <= (int)cpu_level_best(); level++)
        for (int row = 0; row < ILTIS_COUNT; row++) {
            batch b = {.spin = false};
            for (int i = 0; i < 4; i++) {
                b.fz[i] = iltis[row].fz, b.x[i] = iltis[row].alpha;
                b.v_x[i] = 20.0 * cos(iltis[row].alpha), b.v_y[i] = 20.0 * sin(iltis[row].alpha);
            }
            eval(&tyre_calspan, (cpu_level)level, p, 4, &b);
            assert_true(fabs(b.fy[1] / iltis[row].fy - 1.0) < 1e-6);
            // Steady: x' = -rate x + drive = 0.
            const double rate = tyre_calspan.state_rate(p, 0);
            assert_true(fabs(b.drive[1] - rate * iltis[row].alpha) < 1e-12 * rate);
        }
}

// The same values from the half for wheels with spin: rolling freely at 20 m/s, states settled.
static void calspan_with_spin(void **state)
{
    (void)state;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(&tyre_calspan, p);
    for (int row = 0; row < ILTIS_COUNT; row++) {
        batch b = {.spin = true};
        for (int i = 0; i < 4; i++) {
            b.fz[i] = iltis[row].fz, b.mu[i] = 1.0;
            b.v_x[i] = b.v_roll[i] = 20.0 * cos(iltis[row].alpha);
            b.v_y[i] = 20.0 * sin(iltis[row].alpha);
        }
        settle(tyre_for_spin(&tyre_calspan), cpu_level_best(), p, &b);
        assert_true(fabs(b.fy[1] / iltis[row].fy - 1.0) < 1e-6);
        assert_true(fabs(b.fx[1]) < 1e-9);
    }
}

// Slips beyond full sliding, loads beyond A2, wheels rolling backwards, a wheel at rest.
static void calspan_limits(void **state)
{
    (void)state;
    double p[TYRE_PARAM_MAX];
    tyre_defaults(&tyre_calspan, p);
    const double friction = 1.0274 * (1.216 - 4.64e-5 * 5000.0 + 2.18e-11 * 5000.0 * 5000.0);
    batch b = {.fz = {5000.0, 5000.0, 20e3, 5000.0},
               .v_x = {20.0, -20.0, 20.0, 0.0},
               .v_y = {2.0, 2.0, 2.0, 0.0},
               .x = {1.5, -1.5, 0.01, 0.0}};
    for (int level = 0; level <= (int)cpu_level_best(); level++) {
        eval(&tyre_calspan, (cpu_level)level, p, 4, &b);
        assert_true(fabs(b.fy[0] + friction * 5000.0) < 1e-9); // slides: -mu Fz
        assert_true(fabs(b.fy[1] - friction * 5000.0) < 1e-9);
        // Above A2 the stiffness is A0: a = A0 lag / (mu Fz).
        const double mu = 1.0274 * (1.216 - 4.64e-5 * 20e3 + 2.18e-11 * 4e8), limit = mu * 20e3;
        const double a = 2625.0 * 0.01 / limit;
        assert_true(fabs(b.fy[2] + limit * (a - a * a / 3.0 + a * a * a / 27.0)) < 1e-9);
        assert_true(b.fy[3] == 0.0 && b.drive[3] == 0.0);
        // Backwards the slip angle is the same: the force opposes the side motion.
        assert_true(b.drive[0] == b.drive[1] && b.drive[0] > 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_sane),
        cmocka_unit_test(finite_always),
        cmocka_unit_test(no_load_no_force),
        cmocka_unit_test(odd_in_slip),
        cmocka_unit_test(same_bits_in_every_place),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(inside_the_friction_circle),
        cmocka_unit_test(forces_oppose_slip),
        cmocka_unit_test(standing_wheels_hold),
        cmocka_unit_test(calspan_side_force),
        cmocka_unit_test(calspan_limits),
        cmocka_unit_test(calspan_with_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
