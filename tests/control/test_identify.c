// test_identify.c - the mass observer against eqs (9) to (12) as printed, integrated by CVODE; its
// bounds, bands and when it makes no claim; least squares for comparison.
#include "control/identify.h"
#include "num/ode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: %.12g instead of %.12g, tolerance %g", what, got, want, tolerance);
}

static void defaults(double p[IDENTIFY_PARAM_COUNT])
{
    for (int k = 0; k < IDENTIFY_PARAM_COUNT; k++)
        p[k] = identify_params[k].fallback;
    p[IDENTIFY_START] = 1400.0;
}

// ---- the printed equations ---------------------------------------------------------------------

// The car and the model of the report, brake applied all the time. drive and drag are what is true;
// the model is told (1 + bias) of them.
typedef struct printed {
    const double *p;
    double mass;
    double decay;    // m/s^2, mean deceleration of the leader
    double v0, wave; // m/s
    double drive;    // N
    double drive_bias, drag_bias;
} printed;

enum { X_R, V, F_B, V_HAT, F_B_HAT, INVERSE, PRINTED_STATES };

static double drag_of(double v) // eq (5) above 0.4 m/s
{
    return 22.46 + 2.146 * v + 0.5067 * v * v;
}

static double leader_speed(const printed *c, double t)
{
    return c->v0 - c->decay * t + c->wave * sin(0.8 * t);
}

static ode_answer printed_rate(void *context, double t, const double *y, double *dy)
{
    const printed *c = context;
    const double *p = c->p;
    const double m0 = p[IDENTIFY_NOMINAL], k1 = p[IDENTIFY_K1], k2 = p[IDENTIFY_K2];
    const double h = p[IDENTIFY_HEADWAY], v_l = leader_speed(c, t), f3 = drag_of(y[V]);
    const double told = c->drive * (1.0 + c->drive_bias) - f3 * (1.0 + c->drag_bias);
    // (9)
    dy[X_R] = v_l - y[V];
    dy[V] = (c->drive - f3 - y[F_B]) / c->mass;
    dy[F_B] = -5.0 * y[F_B] + 5.0 * m0 * (k1 * (y[V] - v_l) - k2 * (y[X_R] - h * y[V]));
    // (11), (12)
    dy[V_HAT] = (told - y[F_B_HAT]) * y[INVERSE];
    dy[F_B_HAT] =
        -5.0 * y[F_B_HAT] + 5.0 * m0 * (k1 * (y[V_HAT] - v_l) - k2 * (y[X_R] - h * y[V_HAT]));
    dy[INVERSE] = (told - y[F_B_HAT]) * (p[IDENTIFY_GAMMA_1] * (y[V] - y[V_HAT]) -
                                         p[IDENTIFY_GAMMA_2] * (y[F_B] - y[F_B_HAT]));
    return ODE_OK;
}

enum { ROWS_MAX = 8192 };
typedef struct record {
    double y[ROWS_MAX][PRINTED_STATES];
    int count;
} record;
static record rows; // too large for a stack

static bool keep_row(void *context, double t, const double *y)
{
    (void)context, (void)t;
    memcpy(rows.y[rows.count++], y, sizeof rows.y[0]);
    return true;
}

// Integrates the printed equations by CVODE; rows at multiples of step.
static void integrate(printed *c, double end, double step)
{
    static double times[ROWS_MAX];
    ode_kind kind;
    assert_true(ode_kind_find("cvode", &kind));
    ode_options options = ode_options_default();
    const double small[PRINTED_STATES] = {1e-10, 1e-10, 1e-7, 1e-10, 1e-7, 1e-16};
    options.rtol = 1e-11;
    options.atol_each = small;
    const ode_problem problem = {.n = PRINTED_STATES, .context = c, .rate = printed_rate};
    mc_error error;
    ode *o = ode_create(&kind, &problem, &options, &error);
    assert_non_null(o);
    const double start[PRINTED_STATES] = {[X_R] = c->p[IDENTIFY_HEADWAY] * c->v0,
                                          [V] = c->v0,
                                          [V_HAT] = c->v0,
                                          [INVERSE] = 1.0 / c->p[IDENTIFY_START]};
    const int count = (int)lround(end / step) + 1;
    assert_true(count <= ROWS_MAX);
    for (int k = 0; k < count; k++)
        times[k] = fmin(k * step, end);
    rows.count = 0;
    assert_int_equal(ode_start(o, 0.0, start, &error), MC_OK);
    if (ode_run(o, end, times, count, keep_row, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(rows.count, count);
    ode_free(o);
}

static identify_sample sample_of(const printed *c, int k)
{
    const double *y = rows.y[k];
    return (identify_sample){.v = y[V],
                             .brake = y[F_B],
                             .drive = c->drive * (1.0 + c->drive_bias),
                             .drag = drag_of(y[V]) * (1.0 + c->drag_bias)};
}

// Runs both estimators on the rows, every `stride` of them.
static void estimate(const printed *c, double step, int stride, identify_state *s,
                     identify_squares *q)
{
    identify_start(c->p, s);
    identify_squares_start(q);
    const identify_sample first = sample_of(c, 0);
    identify_on(s, &first, first.v, first.brake);
    identify_squares_on(q, &first);
    for (int k = stride; k < rows.count; k += stride) {
        const identify_sample now = sample_of(c, k);
        identify_step(c->p, s, &now, step * stride);
        identify_squares_step(c->p, q, &now, step * stride);
    }
}

static printed report_car(const double *p)
{
    return (printed){.p = p, .mass = 2000.0, .decay = 1.2, .v0 = 30.0, .wave = 0.8, .drive = 200.0};
}

// ---- the observer is the printed one -----------------------------------------------------------

// Its states on exact measurements, at steps of 0.04 s and halves of it: order two.
static void order_two_against_cvode(void **state)
{
    (void)state;
    double p[IDENTIFY_PARAM_COUNT], error[4];
    defaults(p);
    printed c = report_car(p);
    integrate(&c, 2.4, 0.0025);
    const double *end = rows.y[rows.count - 1];
    for (int k = 0; k < 4; k++) {
        identify_state s;
        identify_squares q;
        estimate(&c, 0.0025, 16 >> k, &s, &q);
        error[k] = s.y[2] * 2000.0 - end[INVERSE] * 2000.0;
        near(s.y[0], end[V_HAT], 1e-3, "speed of the model");
        near(s.last.brake - s.y[1], end[F_B_HAT], 3.0, "brake force of the model");
    }
    near(error[3], 0.0, 1e-5, "1/M at 0.005 s, relative");
    for (int k = 0; k < 3; k++) {
        const double ratio = error[k] / error[k + 1];
        if (!(ratio > 3.5 && ratio < 4.5))
            fail_msg("halving %d: error %g becomes %g", k, error[k], error[k + 1]);
    }
}

// The sensitivities are derivatives of the printed equations: by differences of CVODE's solutions.
static void sensitivities_are_derivatives(void **state)
{
    (void)state;
    double p[IDENTIFY_PARAM_COUNT];
    defaults(p);
    const double d = 1e-4;
    double end[3][2];
    for (int which = 0; which < 3; which++)
        for (int side = 0; side < 2; side++) {
            double changed[IDENTIFY_PARAM_COUNT];
            memcpy(changed, p, sizeof p);
            printed c = report_car(changed);
            const double x = side ? d : -d;
            c.drive_bias = which == 0 ? x : 0.0;
            c.drag_bias = which == 1 ? x : 0.0;
            if (which == 2)
                changed[IDENTIFY_START] = 1.0 / (1.0 / p[IDENTIFY_START] * (1.0 + x));
            integrate(&c, 5.0, 0.005);
            end[which][side] = rows.y[rows.count - 1][INVERSE];
        }
    printed c = report_car(p);
    identify_state s;
    identify_squares q;
    integrate(&c, 5.0, 0.005);
    estimate(&c, 0.005, 1, &s, &q);
    static const char *const names[3] = {"to drive", "to drag", "to start"};
    for (int which = 0; which < 3; which++) {
        const double scale = which == 2 ? 1.0 / p[IDENTIFY_START] : 1.0;
        const double want = (end[which][1] - end[which][0]) / (2.0 * d);
        const double got = s.y[3 * (which + 1) + 2] * scale;
        near(got, want, 1e-3 * fabs(want) + 1e-8, names[which]);
    }
}

// ---- gains -------------------------------------------------------------------------------------

static void bounds_of_the_gains(void **state)
{
    (void)state;
    double p[IDENTIFY_PARAM_COUNT];
    defaults(p);
    const identify_gains g = identify_gains_of(p, 2000.0);
    near(g.ratio, 5e-5, 1e-18, "ratio");
    near(g.safe, 1.0 / (5.0 * 2000.0 + 1839.317 * 1.25), 1e-18, "safe");
    near(g.convergent, 1.0 / (1839.317 * 1.25), 1e-18, "convergent");
    p[IDENTIFY_GAMMA_2] = 0.0;
    assert_true(identify_gains_of(p, 2000.0).ratio == 0.0);
}

static void set_ratio(double *p, double share)
{
    p[IDENTIFY_GAMMA_2] = share * p[IDENTIFY_GAMMA_1] * identify_gains_of(p, 2000.0).convergent;
}

// Under lasting excitation the true mass is reached for all ratios below the bound of convergence:
// a long way down, the brake is never released and the speed waves.
static void true_mass_up_to_the_bound(void **state)
{
    (void)state;
    static const double share[] = {0.5, 0.95, 0.0, 0.115, 0.187, 0.8};
    static const double masses[] = {1200.0, 3000.0};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 6; k++) {
            double p[IDENTIFY_PARAM_COUNT];
            defaults(p);
            p[IDENTIFY_GAMMA_1] = 1e-5;
            set_ratio(p, share[k]);
            printed c = {
                .p = p, .mass = masses[m], .v0 = 25.0, .decay = 0.05, .wave = 1.2, .drive = 4000.0};
            if (k < 2) { // the others can use what the car did: it does not depend on the gains
                integrate(&c, 160.0, 0.04);
                near(1.0 / rows.y[rows.count - 1][INVERSE], masses[m], 2e-3 * masses[m], "CVODE");
            }
            identify_state s;
            identify_squares q;
            estimate(&c, 0.04, 1, &s, &q);
            const identify_result r = identify_read(p, &s);
            near(r.mass, masses[m], 2e-3 * masses[m], "mass");
            assert_true(r.claimed);
            assert_true(fabs(r.mass - masses[m]) <= r.band);
        }
}

// Above the bound the estimate leaves, in the report's own braking, and nothing is claimed.
static void above_the_bound_it_leaves(void **state)
{
    (void)state;
    static const double share[] = {0.5, 1.15, 2.0, 5.0};
    double p[IDENTIFY_PARAM_COUNT];
    defaults(p);
    printed c = report_car(p);
    integrate(&c, 20.0, 0.02);
    for (int k = 0; k < 4; k++) {
        set_ratio(p, share[k]);
        identify_state s;
        identify_squares q;
        estimate(&c, 0.02, 1, &s, &q);
        const identify_result r = identify_read(p, &s);
        if (share[k] < 1.0) {
            near(r.mass, 2000.0, 20.0, "mass below the bound");
        } else {
            assert_true(!r.claimed);
            assert_true(r.mass < 1000.0); // further off than the 1400 kg of the start
        }
    }
}

// ---- bands -------------------------------------------------------------------------------------

// Drive and drag wrong by up to 20 %, one way and the other: the band holds the true mass whenever
// something is claimed, and it is not so wide that this is easy.
static void band_holds_the_true_mass(void **state)
{
    (void)state;
    int claims = 0, at_rest = 0;
    for (int a = -2; a <= 2; a++)
        for (int b = -2; b <= 2; b++) {
            double p[IDENTIFY_PARAM_COUNT];
            defaults(p);
            printed c = report_car(p);
            c.drive_bias = 0.1 * a;
            c.drag_bias = 0.1 * b;
            if (a == -2 && b == -2) // the car does not know what the estimators are told
                integrate(&c, 20.0, 0.01);
            identify_state s;
            identify_squares q;
            identify_start(p, &s);
            identify_squares_start(&q);
            const identify_sample first = sample_of(&c, 0);
            identify_on(&s, &first, first.v, first.brake);
            identify_squares_on(&q, &first);
            for (int k = 1; k < rows.count; k++) {
                const identify_sample now = sample_of(&c, k);
                identify_step(p, &s, &now, 0.01);
                identify_squares_step(p, &q, &now, 0.01);
                const identify_result r = identify_read(p, &s), l = identify_squares_read(p, &q);
                if (r.claimed && !(fabs(r.mass - 2000.0) <= r.band))
                    fail_msg("drive %+d0 %%, drag %+d0 %%, %g s: %g +- %g", a, b, 0.01 * k, r.mass,
                             r.band);
                if (l.claimed && !(fabs(l.mass - 2000.0) <= l.band))
                    fail_msg("least squares, drive %+d0 %%, drag %+d0 %%, %g s: %g +- %g", a, b,
                             0.01 * k, l.mass, l.band);
                claims += r.claimed;
                at_rest += r.claimed && r.force > 0.0;
            }
            const identify_result r = identify_read(p, &s), l = identify_squares_read(p, &q);
            assert_true(r.claimed && l.claimed);
            assert_true(r.band < 250.0 && l.band < 150.0);
            if (a == 2 && b == -2) // what is wrong by 20 % must show
                assert_true(fabs(l.mass - 2000.0) > 0.5 * l.force);
        }
    assert_true(claims > 5000 && at_rest == claims);
}

// ---- no claim without excitation ---------------------------------------------------------------

static void no_claim_at_constant_speed(void **state)
{
    (void)state;
    static const double seconds[] = {1.0, 60.0, 600.0};
    for (int k = 0; k < 3; k++) {
        double p[IDENTIFY_PARAM_COUNT];
        defaults(p);
        identify_state s;
        identify_squares q;
        identify_start(p, &s);
        identify_squares_start(&q);
        // The brake holds the car at 20 m/s against its drive: forces balance, whatever the mass.
        const identify_sample steady = {.v = 20.0, .brake = 531.62, .drive = 800.0, .drag = 268.38};
        identify_on(&s, &steady, steady.v, steady.brake);
        identify_squares_on(&q, &steady);
        for (double t = 0.0; t < seconds[k]; t += 0.05) {
            identify_step(p, &s, &steady, 0.05);
            identify_squares_step(p, &q, &steady, 0.05);
        }
        const identify_result r = identify_read(p, &s), l = identify_squares_read(p, &q);
        assert_true(!r.claimed && !l.claimed);
        near(r.mass, p[IDENTIFY_START], 1e-6, "mass");
        near(r.memory, 1.0, 1e-9, "what is left of the start");
        assert_true(r.band >= 0.5 * r.mass);
        near(r.excitation, 0.0, 1e-9, "excitation");
    }
}

// A short braking tells something, but not enough.
static void no_claim_after_a_tap(void **state)
{
    (void)state;
    double p[IDENTIFY_PARAM_COUNT];
    defaults(p);
    printed c = report_car(p);
    integrate(&c, 1.5, 0.01);
    identify_state s;
    identify_squares q;
    estimate(&c, 0.01, 1, &s, &q);
    assert_true(!identify_read(p, &s).claimed);
    assert_true(!identify_squares_read(p, &q).claimed);
}

// ---- brakings one after another ----------------------------------------------------------------

static void between_brakings_nothing_moves(void **state)
{
    (void)state;
    double p[IDENTIFY_PARAM_COUNT];
    defaults(p);
    printed c = report_car(p);
    integrate(&c, 6.0, 0.01);
    identify_state s;
    identify_squares q;
    estimate(&c, 0.01, 1, &s, &q);
    const double before = identify_read(p, &s).mass, squares = identify_squares_read(p, &q).mass;
    identify_off(&s);
    identify_squares_off(&q);
    identify_squares_off(&q); // again has no effect
    assert_true(s.active == 0.0);
    near(identify_read(p, &s).mass, before, 0.0, "held");
    near(identify_squares_read(p, &q).mass, squares, 1e-9 * squares, "held");
    // The same braking again: the estimate continues from where it was.
    const identify_sample first = sample_of(&c, 0);
    identify_on(&s, &first, first.v, first.brake);
    identify_squares_on(&q, &first);
    for (int k = 1; k < rows.count; k++) {
        const identify_sample now = sample_of(&c, k);
        identify_step(p, &s, &now, 0.01);
        identify_squares_step(p, &q, &now, 0.01);
    }
    const identify_result r = identify_read(p, &s);
    assert_true(fabs(r.mass - 2000.0) < 0.3 * fabs(before - 2000.0));
    near(identify_squares_read(p, &q).mass, 2000.0, 0.1, "least squares");
}

// Loaded between two brakings: both estimators find the new mass.
static void a_changed_mass_is_found(void **state)
{
    (void)state;
    double p[IDENTIFY_PARAM_COUNT];
    defaults(p);
    printed c = report_car(p);
    integrate(&c, 15.0, 0.01);
    identify_state s;
    identify_squares q;
    estimate(&c, 0.01, 1, &s, &q);
    identify_off(&s);
    identify_squares_off(&q);
    c.mass = 2600.0;
    integrate(&c, 20.0, 0.01);
    const identify_sample first = sample_of(&c, 0);
    identify_on(&s, &first, first.v, first.brake);
    identify_squares_on(&q, &first);
    for (int k = 1; k < rows.count; k++) {
        const identify_sample now = sample_of(&c, k);
        identify_step(p, &s, &now, 0.01);
        identify_squares_step(p, &q, &now, 0.01);
    }
    near(identify_read(p, &s).mass, 2600.0, 3.0, "observer");
    near(identify_squares_read(p, &q).mass, 2600.0, 0.1, "least squares");
}

// ---- least squares -----------------------------------------------------------------------------

// Against the normal equations solved over stored samples, with the weights written out.
static void squares_are_minimal(void **state)
{
    (void)state;
    double p[IDENTIFY_PARAM_COUNT];
    defaults(p);
    p[IDENTIFY_FORGET] = 3.0;
    printed c = report_car(p);
    integrate(&c, 6.0, 0.05);
    for (int k = 0; k < rows.count; k++) // a reproducible noise
        rows.y[k][V] += 0.05 * sin(1000.0 * k * k);
    identify_state s;
    identify_squares q;
    estimate(&c, 0.05, 1, &s, &q);
    double w_sum = 0.0, i_sum = 0.0, v_sum = 0.0, ii = 0.0, iv = 0.0, integral = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        integral = 0.0;
        double i_mean = pass ? i_sum / w_sum : 0.0, v_mean = pass ? v_sum / w_sum : 0.0;
        for (int k = 0; k < rows.count; k++) {
            const identify_sample b = sample_of(&c, k), a = sample_of(&c, k ? k - 1 : 0);
            if (k)
                integral += 0.025 * (a.drive - a.drag - a.brake + b.drive - b.drag - b.brake);
            const double w = exp(-(rows.count - 1 - k) * 0.05 / 3.0);
            if (!pass) {
                w_sum += w;
                i_sum += w * integral;
                v_sum += w * b.v;
            }
            ii += w * (integral - i_mean) * (integral - i_mean) * pass;
            iv += w * (integral - i_mean) * (b.v - v_mean) * pass;
        }
    }
    near(identify_squares_read(p, &q).mass, ii / iv, 1e-6 * ii / iv, "mass");
}

static double normal(unsigned long long *seed)
{
    double sum = -6.0; // of twelve uniform numbers
    for (int k = 0; k < 12; k++) {
        *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
        sum += (double)(*seed >> 11) / 9007199254740992.0;
    }
    return sum;
}

// White noise: unbiased, and the 95 % band holds the truth in about 95 % of the cases.
static void squares_band_is_calibrated(void **state)
{
    (void)state;
    enum { TRIALS = 400 };
    double p[IDENTIFY_PARAM_COUNT], sum = 0.0;
    defaults(p);
    p[IDENTIFY_FORCE_ERROR] = 0.0; // noise alone
    p[IDENTIFY_FORGET] = 4.0;
    printed c = report_car(p);
    integrate(&c, 10.0, 0.05);
    static record clean;
    clean = rows;
    unsigned long long seed = 5;
    int within = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        identify_squares q;
        identify_squares_start(&q);
        for (int k = 0; k < clean.count; k++) {
            identify_sample now = sample_of(&c, k); // forces of the clean speed
            now.v += 0.1 * normal(&seed);
            if (k == 0)
                identify_squares_on(&q, &now);
            else
                identify_squares_step(p, &q, &now, 0.05);
        }
        const identify_result r = identify_squares_read(p, &q);
        sum += r.mass - 2000.0;
        within += fabs(r.mass - 2000.0) <= r.band;
    }
    assert_true(within > TRIALS * 0.91 && within < TRIALS * 0.985);
    assert_true(fabs(sum / TRIALS) < 3.0);
}

// ---- hardness ----------------------------------------------------------------------------------

// Wild gains and steps: the estimate stays finite and in its range, and is not claimed at its ends.
static void wild_gains_stay_finite(void **state)
{
    (void)state;
    double p[IDENTIFY_PARAM_COUNT];
    defaults(p);
    printed c = report_car(p);
    integrate(&c, 4.0, 0.05); // what the car does does not depend on the gains
    for (int k = -6; k <= 6; k += 2) {
        p[IDENTIFY_GAMMA_1] = pow(10.0, k - 6);
        p[IDENTIFY_GAMMA_2] = pow(10.0, k - 9);
        identify_state s;
        identify_squares q;
        estimate(&c, 0.05, 1, &s, &q);
        const identify_result r = identify_read(p, &s);
        assert_true(r.mass >= p[IDENTIFY_MASS_MIN] * (1.0 - 1e-12));
        assert_true(r.mass <= p[IDENTIFY_MASS_MAX] * (1.0 + 1e-12));
        assert_true(!(r.limited && r.claimed));
        for (int j = 0; j < IDENTIFY_Y; j++)
            assert_true(isfinite(s.y[j]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_two_against_cvode),
        cmocka_unit_test(sensitivities_are_derivatives),
        cmocka_unit_test(bounds_of_the_gains),
        cmocka_unit_test(true_mass_up_to_the_bound),
        cmocka_unit_test(above_the_bound_it_leaves),
        cmocka_unit_test(band_holds_the_true_mass),
        cmocka_unit_test(no_claim_at_constant_speed),
        cmocka_unit_test(no_claim_after_a_tap),
        cmocka_unit_test(between_brakings_nothing_moves),
        cmocka_unit_test(a_changed_mass_is_found),
        cmocka_unit_test(squares_are_minimal),
        cmocka_unit_test(squares_band_is_calibrated),
        cmocka_unit_test(wild_gains_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
