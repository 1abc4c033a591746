// test_steering.c - every steering law: table and card, signs, mirror, steady turns, derivatives,
// stable poles; optimal gains by Kalman's inequality and by the Riccati equation.
#include "control/steering.h"
#include "control/steering_gains.h"

#include "num/dense.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define near(a, b, error) assert_true(fabs((a) - (b)) <= (error))

enum { X_MAX = STEERING_SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX };

static const steering_vehicle CAR = {.front = 1.2,
                                     .rear = 1.5,
                                     .mass = 1500.0,
                                     .inertia = 2600.0,
                                     .stiff_front = 110e3,
                                     .stiff_rear = 130e3};

typedef struct rig {
    law *l;
    const law_text *text;
    steering_gains gains;
    double *work;
} rig;

static rig rig_make(const law_text *text)
{
    mc_error error = {0};
    rig r = {.text = text,
             .l = law_compile_words(text, &steering_words, NULL, EXPR_INTERPRET, &error)};
    if (!r.l)
        fail_msg("%s: %s", text->name, error.text);
    double weights[3] = {1.0, 1.0, 1.0};
    static const char *const names[3] = {"weight_offset", "weight_heading", "weight_steer"};
    for (int k = 0; k < 3; k++)
        if (steering_param(text, names[k]) >= 0)
            weights[k] = text->params[steering_param(text, names[k])].fallback;
    assert_true(steering_gains_make(&CAR, weights, &r.gains));
    r.work = aligned_alloc(32, ((size_t)law_work(r.l) * 8 + 63) / 32 * 32);
    return r;
}

static void rig_free(rig *r)
{
    law_destroy(r->l);
    free(r->work);
}

typedef struct place { // of a car relative to a path of constant curvature
    double v, offset, heading, v_y, yaw_rate, curvature;
} place;

static void signals(const rig *r, place at, double *x)
{
    memset(x, 0, X_MAX * sizeof *x);
    const int time = steering_param(r->text, "look_ahead");
    const int least = steering_param(r->text, "min_look_ahead");
    const double ahead = fmax(least < 0 ? 0.0 : r->text->params[least].fallback,
                              time < 0 ? 0.0 : r->text->params[time].fallback * at.v);
    // The point of a circle, or of a line, that far ahead.
    const double turn = at.curvature * ahead;
    const double along = turn != 0.0 ? sin(turn) / at.curvature : ahead;
    const double left = turn != 0.0 ? (1.0 - cos(turn)) / at.curvature : 0.0;
    x[STEERING_DT] = 0.02;
    x[STEERING_V] = at.v;
    x[STEERING_V_Y] = at.v_y;
    x[STEERING_YAW_RATE] = at.yaw_rate;
    x[STEERING_OFFSET] = at.offset;
    x[STEERING_HEADING] = at.heading;
    x[STEERING_CURVATURE] = x[STEERING_CURVATURE_AHEAD] = at.curvature;
    x[STEERING_AHEAD] = ahead;
    x[STEERING_ASIDE_AHEAD] = (left - at.offset) * cos(at.heading) - along * sin(at.heading);
    x[STEERING_WHEELBASE] = CAR.front + CAR.rear;
    x[STEERING_FRONT] = CAR.front;
    x[STEERING_REAR] = CAR.rear;
    x[STEERING_TURN_GAIN] = steering_turn_gain(&CAR, at.v, 0.0);
    x[STEERING_TURN_SLIP] = steering_turn_slip(&CAR, at.v, 0.0);
    steering_gains_look(&r->gains, at.v, &x[STEERING_GAIN_OFFSET]);
    for (int i = 0; i < r->text->param_count; i++)
        x[law_param_at(r->l) + i] = r->text->params[i].fallback;
}

static double steer(const rig *r, place at)
{
    double x[X_MAX], y;
    signals(r, at, x);
    law_run_one(r->l, x, &y, r->work);
    return y;
}

static void cards(void **state)
{
    (void)state;
    const law_text *t;
    int count = 0;
    for (; (t = steering_at(count)); count++) {
        assert_ptr_equal(steering_find(t->name), t);
        assert_true(t->doc && t->card.equation && t->card.source && t->card.stability &&
                    t->card.limits);
        for (int i = 0; i < t->param_count; i++)
            assert_true(t->params[i].min <= t->params[i].fallback &&
                        t->params[i].fallback <= t->params[i].max && t->params[i].doc[0]);
    }
    assert_int_equal(count, 5);
    assert_null(steering_find("nothing"));
    assert_string_equal(steering_default()->name, "preview");
}

// To the right of the path it steers left; turned left it steers right; mirrored, the same; where
// it should be, not at all.
static void signs(void **state)
{
    (void)state;
    for (int i = 0; steering_at(i); i++) {
        rig r = rig_make(steering_at(i));
        for (double v = 5.0; v <= 40.0; v += 7.0) {
            assert_true(steer(&r, (place){.v = v}) == 0.0);
            assert_true(steer(&r, (place){.v = v, .offset = -0.3}) > 1e-5);
            assert_true(steer(&r, (place){.v = v, .heading = 0.02}) < -1e-5);
            const place p = {v, 0.4, -0.01, 0.1, 0.02, 1e-3},
                        q = {v, -0.4, 0.01, -0.1, -0.02, -1e-3};
            near(steer(&r, p), -steer(&r, q), 1e-15);
        }
        rig_free(&r);
    }
}

// Where a law knows the car, a car that settled in a bend is steered by just what the bend needs.
static void steady_turns(void **state)
{
    (void)state;
    static const char *const know[] = {"preview", "stanley", "lqr"};
    for (int i = 0; i < 3; i++) {
        rig r = rig_make(steering_find(know[i]));
        for (double v = 8.0; v <= 36.0; v += 4.0) {
            const double k = 1.0 / 300.0, slip = steering_turn_slip(&CAR, v, 0.0);
            const double psi = -slip * k; // its velocity is along the path
            const place p = {v, 0.0, psi, -v * tan(psi), v * k, k};
            const double needed = steering_turn_gain(&CAR, v, 0.0) * k;
            const double found = steer(&r, p);
            // Stanley looks at the front axle, whose offset in a bend is not quite 0.
            near(found, needed, (i == 1 ? 5e-2 : 1e-9) * needed);
        }
        rig_free(&r);
    }
}

// Derivatives of the law are what its differences give.
static void derivatives(void **state)
{
    (void)state;
    for (int i = 0; steering_at(i); i++) {
        rig r = rig_make(steering_at(i));
        double x[X_MAX], slope[(1 + LAW_STATE_MAX) * X_MAX], up, down;
        mc_error error;
        signals(&r, (place){22.0, 0.2, -0.01, 0.05, 0.03, 2e-3}, x);
        assert_int_equal(law_jacobian(r.l, x, slope, &error), MC_OK);
        for (int k = 0; k < law_x_count(r.l); k++) {
            const double h = 1e-6 * fmax(1.0, fabs(x[k])), was = x[k];
            x[k] = was + h;
            law_run_one(r.l, x, &up, r.work);
            x[k] = was - h;
            law_run_one(r.l, x, &down, r.work);
            x[k] = was;
            near(slope[k], (up - down) / (2.0 * h), 1e-7 * fmax(1.0, fabs(slope[k])));
        }
        rig_free(&r);
    }
}

// The closed loop on a straight road: A + B times the law's derivatives by (e, e', psi, psi').
static double largest_real_part(const rig *r, double v)
{
    double A[16], B[4], closed[16], real[4], imaginary[4];
    const double h = 1e-6;
    steering_error_model(&CAR, v, A, B);
    // e' = v psi + v_y: a rate of e alone is a speed across.
    const double by[4] = {
        (steer(r, (place){.v = v, .offset = h}) - steer(r, (place){.v = v, .offset = -h})) /
            (2 * h),
        (steer(r, (place){.v = v, .v_y = h}) - steer(r, (place){.v = v, .v_y = -h})) / (2 * h),
        (steer(r, (place){.v = v, .heading = h, .v_y = -v * h}) -
         steer(r, (place){.v = v, .heading = -h, .v_y = v * h})) /
            (2 * h),
        (steer(r, (place){.v = v, .yaw_rate = h}) - steer(r, (place){.v = v, .yaw_rate = -h})) /
            (2 * h)};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            closed[j * 4 + i] = A[i * 4 + j] + B[i] * by[j];
    assert_true(dense_eigenvalues(4, closed, real, imaginary));
    return fmax(fmax(real[0], real[1]), fmax(real[2], real[3]));
}

static void stable_poles(void **state)
{
    (void)state;
    for (int i = 0; steering_at(i); i++) {
        rig r = rig_make(steering_at(i));
        for (double v = 5.0; v <= 60.0; v += 5.0) {
            const double pole = largest_real_part(&r, v);
            if (!(pole < -0.02))
                fail_msg("%s at %g m/s: a pole at %g 1/s", r.text->name, v, pole);
        }
        rig_free(&r);
    }
}

// ---- optimal gains ----

static double complex minor3(const double complex *m, int column)
{
    double complex a[9];
    int k = 0;
    for (int i = 1; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (j != column)
                a[k++] = m[i * 4 + j];
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

static double complex determinant(const double complex *m)
{
    double complex sum = 0.0;
    for (int j = 0; j < 4; j++)
        sum += (j % 2 ? -1.0 : 1.0) * m[j] * minor3(m, j);
    return sum;
}

// |1 + K (i w - A)^-1 B| >= 1 at every frequency holds for optimal gains, and for them alone with
// equality at infinity: Kalman's inequality. 1 + K (s - A)^-1 B = det(s - A + B K)/det(s - A).
static void kalman(void **state)
{
    (void)state;
    const double weights[3] = {1.0, 10.0, 400.0};
    for (double v = 1.0; v <= 70.0; v *= 1.5) {
        double A[16], B[4], K[4], lowest = 1e9;
        steering_error_model(&CAR, v, A, B);
        assert_true(steering_gains_at(&CAR, weights, v, K));
        for (double w = 1e-2; w < 1e4; w *= 1.05) {
            double complex open[16], closed[16];
            for (int k = 0; k < 16; k++) {
                open[k] = (k % 5 == 0 ? I * w : 0.0) - A[k];
                closed[k] = open[k] + B[k / 4] * K[k % 4];
            }
            lowest = fmin(lowest, cabs(determinant(closed) / determinant(open)));
        }
        assert_true(lowest > 1.0 - 1e-9 && lowest < 1.0 + 1e-3);
    }
}

// A small change of any gain costs more: the cost from random states, by a long integration.
static double cost_of(const double *A, const double *B, const double *K, const double *weights)
{
    double sum = 0.0;
    for (int start = 0; start < 4; start++) {
        double z[4] = {0};
        z[start] = start % 2 ? 0.3 : 1.0;
        const double h = 2e-4;
        for (int step = 0; step < 150000; step++) {
            double rate[4][4], at[4];
            for (int stage = 0; stage < 4; stage++) {
                const double share = stage == 0 ? 0.0 : stage == 3 ? 1.0 : 0.5;
                for (int i = 0; i < 4; i++)
                    at[i] = z[i] + (stage ? share * h * rate[stage - 1][i] : 0.0);
                double delta = 0.0;
                for (int i = 0; i < 4; i++)
                    delta -= K[i] * at[i];
                if (stage == 0)
                    sum += h * (weights[0] * at[0] * at[0] + weights[1] * at[2] * at[2] +
                                weights[2] * delta * delta);
                for (int i = 0; i < 4; i++) {
                    rate[stage][i] = B[i] * delta;
                    for (int j = 0; j < 4; j++)
                        rate[stage][i] += A[i * 4 + j] * at[j];
                }
            }
            for (int i = 0; i < 4; i++)
                z[i] += h / 6.0 * (rate[0][i] + 2.0 * rate[1][i] + 2.0 * rate[2][i] + rate[3][i]);
        }
    }
    return sum;
}

static void no_better_gains(void **state)
{
    (void)state;
    const double weights[3] = {1.0, 10.0, 400.0};
    double A[16], B[4], K[4];
    steering_error_model(&CAR, 20.0, A, B);
    assert_true(steering_gains_at(&CAR, weights, 20.0, K));
    const double best = cost_of(A, B, K, weights);
    for (int k = 0; k < 4; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double other[4];
            memcpy(other, K, sizeof K);
            other[k] *= 1.0 + 0.1 * sign;
            assert_true(cost_of(A, B, other, weights) > best * (1.0 + 1e-7));
        }
}

// ---- from outside ----

static void from_outside(void **state)
{
    (void)state;
    static const mc_param params[] = {{"k", "1/m", 0.02, 0.0, 1.0, "gain"}};
    static const mc_law_text good = {.size = sizeof(mc_law_text),
                                     .name = "outside_lane",
                                     .doc = "a spring to the path",
                                     .params = params,
                                     .param_count = 1,
                                     .steer = {.formula = "-k*offset - heading"}};
    static const mc_law_text wrong = {.size = sizeof(mc_law_text),
                                      .name = "outside_wrong",
                                      .doc = "reads what steering does not know",
                                      .steer = {.formula = "gap/1 [m]"}};
    mc_error error = {0};
    assert_int_equal(mc_steering_register(&good, &error), MC_OK);
    assert_ptr_equal(steering_find("outside_lane"), &good);
    assert_int_equal(mc_steering_register(&good, &error), MC_BAD_INPUT);
    assert_int_equal(mc_steering_register(&wrong, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "gap"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cards),           cmocka_unit_test(signs),
        cmocka_unit_test(steady_turns),    cmocka_unit_test(derivatives),
        cmocka_unit_test(stable_poles),    cmocka_unit_test(kalman),
        cmocka_unit_test(no_better_gains), cmocka_unit_test(from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
