// test_suspensions.c - what the contract asks of every suspension law.
#include "cosserat/batch.h"
#include "cosserat/equilibrium.h"
#include "parts/suspension.h"
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

enum { N = 64 };

typedef struct bench {
    _Alignas(32) double stretch[N], rate[N], stiffness[N], damping[N], force[N], lost[N];
} bench;

static void fill(bench *b)
{
    for (int i = 0; i < N; i++) {
        b->stretch[i] = 0.3 * sin(1.0 + 3.7 * i);
        b->rate[i] = 2.0 * sin(0.4 + 2.3 * i);
        b->stiffness[i] = 2e4 + 1e3 * (i % 7);
        b->damping[i] = i % 5 ? 1500.0 : 0.0;
    }
    b->stretch[0] = b->rate[0] = b->rate[1] = b->stretch[2] = 0.0;
}

static void run(const suspension_kind *kind, cpu_level level, const double *p, int n, bench *b)
{
    const suspension_in in = {b->stretch, b->rate, b->stiffness, b->damping};
    suspension_eval_at(kind, level)(p, n, &in, &(suspension_out){b->force, b->lost});
}

// ---- a law that is not built in: the one that docs/extend.md adds ----

static double hardened(const double *p, double stiffness, double stretch)
{
    return -stiffness * stretch * (1.0 + p[0] * stretch * stretch);
}

static void hardening_eval(const double *p, int n, const suspension_in *in,
                           const suspension_out *out)
{
    for (int i = 0; i < n; i++) {
        const double spring = hardened(p, in->stiffness[i], in->stretch[i]);
        out->force[i] = fmax(spring - in->damping[i] * in->rate[i], 0.0);
        out->lost[i] = (fmax(spring, 0.0) - out->force[i]) * in->rate[i];
    }
}

static double hardening_energy(const double *p, double stiffness, double stretch)
{
    const double held = fmin(stretch, 0.0), square = held * held;
    return stiffness * square * (0.5 + 0.25 * p[0] * square);
}

static bool always(const double *p)
{
    (void)p;
    return true;
}

static const mc_param hardening_params[] = {{"hardening", "1/m^2", 20.0, 0.0, 1e4, "of a spring"}};
static const suspension_kind hardening = {
    .name = "hardening",
    .doc = "a law of this test",
    .params = hardening_params,
    .param_count = 1,
    .eval = {hardening_eval},
    .energy = hardening_energy,
    .lifts_off = always,
};

// The laws of the library, then that one; NULL past it.
static const suspension_kind *law_at(int index)
{
    int count = 0;
    while (suspension_kind_at(count))
        count++;
    return index == count ? &hardening : suspension_kind_at(index);
}

// ---- promises ----

// Each law at its defaults and with each parameter at both ends of its range.
typedef void check(const suspension_kind *kind, const double *p);

static void for_all(check *claim)
{
    const suspension_kind *kind;
    for (int k = 0; (kind = law_at(k)); k++) {
        double p[SUSPENSION_PARAM_MAX];
        suspension_defaults(kind, p);
        claim(kind, p);
        for (int i = 0; i < 2 * kind->param_count; i++) {
            suspension_defaults(kind, p);
            p[i / 2] = i % 2 ? kind->params[i / 2].max : kind->params[i / 2].min;
            claim(kind, p);
        }
    }
    assert_true(suspension_kind_at(0) && !suspension_kind_at(-1));
}

static void finite_and_bounded(const suspension_kind *kind, const double *p)
{
    assert_true(kind->name[0] && kind->doc[0] && kind->param_count <= SUSPENSION_PARAM_MAX);
    for (int level = 0; level <= (int)cpu_level_best(); level++) {
        bench b;
        fill(&b);
        run(kind, (cpu_level)level, p, N, &b);
        for (int i = 0; i < N; i++) {
            assert_true(isfinite(b.force[i]) && isfinite(b.lost[i]));
            assert_true(b.force[i] >= 0.0 || !kind->lifts_off(p));
            assert_true(b.lost[i] >= -1e-9); // a suspension gives nothing of its own
            assert_true(kind->energy(p, b.stiffness[i], b.stretch[i]) >= 0.0);
        }
    }
}

static void laws_are_finite_and_passive(void **unused)
{
    (void)unused;
    for_all(finite_and_bounded);
}

// Same arguments, same bits, in any company; levels differ by rounding.
static void pure(const suspension_kind *kind, const double *p)
{
    bench all, few, plain;
    fill(&all);
    fill(&plain);
    run(kind, CPU_PLAIN, p, N, &plain);
    for (int level = 0; level <= (int)cpu_level_best(); level++) {
        run(kind, (cpu_level)level, p, N, &all);
        for (int first = 0; first < N; first += 4) {
            bench whole;
            fill(&whole);
            memcpy(few.stretch, whole.stretch + first, 4 * sizeof(double));
            memcpy(few.rate, whole.rate + first, 4 * sizeof(double));
            memcpy(few.stiffness, whole.stiffness + first, 4 * sizeof(double));
            memcpy(few.damping, whole.damping + first, 4 * sizeof(double));
            run(kind, (cpu_level)level, p, 4, &few);
            assert_memory_equal(few.force, all.force + first, 4 * sizeof(double));
            assert_memory_equal(few.lost, all.lost + first, 4 * sizeof(double));
        }
        for (int i = 0; i < N; i++) {
            assert_true(fabs(all.force[i] - plain.force[i]) < 1e-11 * 1e4);
            assert_true(fabs(all.lost[i] - plain.lost[i]) < 1e-11 * 1e4);
        }
    }
}

static void laws_are_pure(void **unused)
{
    (void)unused;
    for_all(pure);
}

// -force rate is what goes into spring and damper: d(energy)/dt + lost.
static void balance(const suspension_kind *kind, const double *p)
{
    const double h = 1e-6;
    bench b;
    fill(&b);
    run(kind, cpu_level_best(), p, N, &b);
    for (int i = 0; i < N; i++) {
        const double k = b.stiffness[i], s = b.stretch[i];
        const double slope = (kind->energy(p, k, s + h) - kind->energy(p, k, s - h)) / (2.0 * h);
        const double power = -b.force[i] * b.rate[i];
        assert_true(fabs(power - slope * b.rate[i] - b.lost[i]) < 1e-4 * (1.0 + fabs(power)));
    }
}

static void energy_is_accounted_for(void **unused)
{
    (void)unused;
    for_all(balance);
}

// Whatever the law, a vehicle comes to rest on it, and its weight is on the wheels.
static void carries(const suspension_kind *kind, const double *p)
{
    cosserat_model model = sample_model(1);
    double rest[10], residual;
    mc_error error = {0};
    model.suspension = kind;
    memcpy(model.suspension_p, p, sizeof model.suspension_p);
    assert_int_equal(cosserat_equilibrium(&model, rest, &residual, &error), MC_OK);
    assert_true(residual < 1e-6);
    memcpy(model.p + COSSERAT_R3, rest, sizeof rest);
    mc_batch *b = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 1e-3);
    assert_non_null(b);
    b->kind->advance(b, 0, 1, 1.0);
    double impulse[3];
    b->kind->road_impulse(b, 0, impulse);
    const double weight = model.p[COSSERAT_MASS] * model.gravity;
    assert_true(fabs(impulse[2] - weight * 1.0) < 1e-6 * weight);
    b->kind->destroy(b);
}

// It jumps, and what it had is still in the sum of its energies.
static void jumps(const suspension_kind *kind, const double *p)
{
    cosserat_model model = sample_model(1);
    mc_error error = {0};
    mc_energy e;
    model.suspension = kind;
    memcpy(model.suspension_p, p, sizeof model.suspension_p);
    double rest[10], sum[2];
    assert_int_equal(cosserat_equilibrium(&model, rest, NULL, &error), MC_OK);
    memcpy(model.p + COSSERAT_R3, rest, sizeof rest);
    mc_batch *b = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 1e-4);
    assert_non_null(b);
    const double at[3] = {0.5, 0.2, rest[0]}, up[3] = {0.0, 0.0, 6000.0};
    b->kind->apply_impulse(b, 0, at, up);
    for (int k = 0; k < 2; k++) {
        b->kind->energy(b, 0, &e);
        sum[k] = e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped;
        b->kind->advance(b, 0, 1, 1.0);
    }
    assert_true(e.damped > 100.0 && fabs(sum[1] - sum[0]) < 0.01); // of 16 kJ
    b->kind->destroy(b);
}

static void jumps_keep_the_energy_balance(void **unused)
{
    (void)unused;
    for_all(jumps);
}

static void laws_carry_a_vehicle(void **unused)
{
    (void)unused;
    for_all(carries);
}

static void names_differ(void **unused)
{
    (void)unused;
    for (int k = 0; suspension_kind_at(k); k++)
        for (int j = 0; j < k; j++)
            assert_int_not_equal(
                strcasecmp(suspension_kind_at(k)->name, suspension_kind_at(j)->name), 0);
}

// A vehicle that jumps off its springs, with the law built into its kernel and called by arrays.
static void built_in_and_called_laws_have_the_same_bits(void **unused)
{
    (void)unused;
    suspension_kind called = *suspension_kind_at(0);
    assert_true(called.built_in);
    called.built_in = false;
    for (int lifts_off = 0; lifts_off < 2; lifts_off++) {
        double state[2][COSSERAT_SAVE_MAX];
        int size = 0;
        for (int k = 0; k < 2; k++) {
            cosserat_model model = sample_model_at_rest(1);
            model.suspension = k ? &called : model.suspension;
            model.suspension_p[0] = lifts_off;
            mc_batch *b = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 1e-3);
            assert_non_null(b);
            cosserat_batch_place(b, 0, 0.0, 0.0, 0.3, 20.0, 0.02, 0);
            const double up[3] = {0.0, 300.0, 3000.0}, at[3] = {0.5, 0.2, 0.1};
            b->kind->apply_impulse(b, 0, at, up);
            b->kind->advance(b, 0, 1, 2.0);
            size = b->kind->save_size(b);
            b->kind->save(b, 0, state[k]);
            b->kind->destroy(b);
        }
        assert_memory_equal(state[0], state[1], (size_t)size * sizeof(double));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_are_finite_and_passive),
        cmocka_unit_test(laws_are_pure),
        cmocka_unit_test(energy_is_accounted_for),
        cmocka_unit_test(laws_carry_a_vehicle),
        cmocka_unit_test(jumps_keep_the_energy_balance),
        cmocka_unit_test(names_differ),
        cmocka_unit_test(built_in_and_called_laws_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
