// test_identify.c - the four-car bench: brakings and releases, wrong forces, noise, bad parameters.
#include "motorcade/identify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

typedef struct setting {
    int param;
    double value;
} setting;

static mc_identify_run run_with(const setting *settings, int count)
{
    double p[MC_IDENTIFY_PARAM_COUNT];
    mc_identify_defaults(p);
    for (int k = 0; k < count; k++)
        p[settings[k].param] = settings[k].value;
    mc_identify_run run;
    mc_error error;
    if (mc_identify_bench(p, 1, &run, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_true(run.row_count > 1);
    return run;
}

static const mc_identify_row *row_at(const mc_identify_run *run, double t)
{
    int k = 0;
    while (k + 1 < run->row_count && run->rows[k].t < t - 1e-9)
        k++;
    return &run->rows[k];
}

static void near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: %.9g instead of %.9g", what, got, want);
}

static void the_report_s_bench(void **state)
{
    (void)state;
    mc_identify_run run = run_with(NULL, 0);
    near(run.end.mass, 2000.0, 0.1, "observer");
    near(run.end.squares, 2000.0, 0.5, "least squares");
    assert_true(run.end.claimed != 0.0 && run.end.squares_claimed != 0.0);
    assert_true(run.ratio < run.safe && run.safe < run.convergent);
    near(run.rows[0].mass, 1400.0, 0.0, "start");
    assert_true(run.rows[0].claimed == 0.0);
    // The leader as the report drives it.
    near(row_at(&run, 10.0)->v_leader, 30.0 - 12.0 + 0.8 * sin(8.0), 1e-12, "leader");
    near(row_at(&run, 55.0)->v_leader, 30.0 - 12.0 + 0.8 * sin(8.0), 1e-12, "second braking");
    near(row_at(&run, 44.0)->v_leader, 30.0, 1e-12, "before it");
    // Car 2 keeps near its distance; it brakes, drives and brakes again; car 4 becomes its twin.
    assert_true(row_at(&run, 10.0)->braking == 1.0 && row_at(&run, 30.0)->braking == 0.0);
    assert_true(row_at(&run, 55.0)->braking == 1.0);
    for (int k = 0; k < run.row_count; k++) {
        const mc_identify_row *w = &run.rows[k];
        assert_true(fabs(w->distance - w->v) < 2.0);
        if (k > 0 && w->braking == 0.0 && run.rows[k - 1].braking == 0.0)
            assert_true(w->mass == run.rows[k - 1].mass); // only while braking
    }
    assert_true(fabs(row_at(&run, 2.0)->v_model - row_at(&run, 2.0)->v) > 0.05);
    near(run.end.v_model, run.end.v, 1e-3, "speed of car 4");
    near(run.end.distance_model, run.end.distance, 0.01, "place of car 4");
    mc_identify_run_free(&run);
}

static void a_changed_mass(void **state)
{
    (void)state;
    const setting s[] = {{MC_IDENTIFY_PARAM_LATER, 1500.0}};
    mc_identify_run run = run_with(s, 1);
    near(row_at(&run, 40.0)->mass, 2000.0, 1.0, "before");
    near(run.end.mass, 1500.0, 0.5, "after");
    near(run.end.squares, 1500.0, 1.0, "after, least squares");
    assert_true(row_at(&run, 48.0)->claimed == 0.0); // while it moves
    assert_true(run.end.claimed != 0.0);
    mc_identify_run_free(&run);
}

// Whenever something is claimed while forces are wrong by 20 %, the band holds the true mass.
static void wrong_forces(void **state)
{
    (void)state;
    for (int a = -1; a <= 1; a += 2)
        for (int b = -1; b <= 1; b += 2) {
            const setting s[] = {{MC_IDENTIFY_PARAM_DRIVE_BIAS, 0.2 * a},
                                 {MC_IDENTIFY_PARAM_DRAG_BIAS, 0.2 * b}};
            mc_identify_run run = run_with(s, 2);
            int claims = 0;
            for (int k = 0; k < run.row_count; k++) {
                const mc_identify_row *w = &run.rows[k];
                claims += w->claimed != 0.0;
                if (w->claimed != 0.0 && !(fabs(w->mass - 2000.0) <= w->band))
                    fail_msg("%+d %+d at %g s: %g +- %g", a, b, w->t, w->mass, w->band);
                if (w->squares_claimed != 0.0 && !(fabs(w->squares - 2000.0) <= w->squares_band))
                    fail_msg("least squares, %+d %+d at %g s: %g +- %g", a, b, w->t, w->squares,
                             w->squares_band);
            }
            assert_true(claims > 300);
            assert_true(run.force_band > 10.0 && run.force_band < run.end.band + 1e-9);
            if (a != b) // drive and drag wrong the same way partly cancel
                assert_true(fabs(run.end.mass - 2000.0) > 5.0);
            mc_identify_run_free(&run);
        }
}

static void nothing_without_braking(void **state)
{
    (void)state;
    const setting s[] = {{MC_IDENTIFY_PARAM_DECELERATION, 0.0}, {MC_IDENTIFY_PARAM_WAVE, 0.0}};
    mc_identify_run run = run_with(s, 2);
    assert_true(run.end.claimed == 0.0 && run.end.squares_claimed == 0.0);
    assert_true(run.end.mass == 1400.0 && isnan(run.end.squares));
    assert_true(run.end.excitation == 0.0 && run.end.memory == 1.0);
    near(run.end.band, 700.0, 1e-9, "band");
    mc_identify_run_free(&run);
}

static void too_much_gamma2(void **state)
{
    (void)state;
    const setting s[] = {{MC_IDENTIFY_PARAM_GAMMA_2, 9e-10}};
    mc_identify_run run = run_with(s, 1);
    assert_true(run.ratio > run.convergent && run.end.claimed == 0.0);
    assert_true(fabs(run.end.mass - 2000.0) > 500.0);
    near(run.end.squares, 2000.0, 0.5, "least squares do not care");
    mc_identify_run_free(&run);
}

// Results do not hang on the control step.
static void coarse_steps(void **state)
{
    (void)state;
    const setting s[] = {{MC_IDENTIFY_PARAM_STEP, 0.05}};
    mc_identify_run fine = run_with(NULL, 0), coarse = run_with(s, 1);
    near(coarse.end.mass, fine.end.mass, 0.5, "mass");
    near(coarse.end.v, fine.end.v, 0.02, "speed");
    near(coarse.end.band, fine.end.band, 3.0, "band");
    mc_identify_run_free(&fine);
    mc_identify_run_free(&coarse);
}

static void noise_study(void **state)
{
    (void)state;
    double p[MC_IDENTIFY_PARAM_COUNT];
    mc_identify_noise quiet, loud;
    mc_error error;
    mc_identify_defaults(p);
    p[MC_IDENTIFY_PARAM_DURATION] = 20.0;
    p[MC_IDENTIFY_PARAM_NOISE] = 0.02;
    assert_int_equal(mc_identify_study(p, 60, &quiet, &error), MC_OK);
    p[MC_IDENTIFY_PARAM_NOISE] = 0.04;
    assert_int_equal(mc_identify_study(p, 60, &loud, &error), MC_OK);
    assert_int_equal(loud.runs, 60);
    // Spread grows with the noise, bias stays below it, bands hold.
    assert_true(loud.spread / quiet.spread > 1.5 && loud.spread / quiet.spread < 2.5);
    assert_true(loud.squares_spread / quiet.squares_spread > 1.5);
    assert_true(loud.squares_spread / quiet.squares_spread < 2.5);
    assert_true(fabs(loud.bias) < loud.spread);
    assert_true(loud.squares_spread < loud.spread);
    assert_true(quiet.within > 0.95 && quiet.squares_within > 0.95);
    // The same seeds, the same numbers.
    mc_identify_noise again;
    assert_int_equal(mc_identify_study(p, 60, &again, &error), MC_OK);
    assert_true(again.spread == loud.spread && again.squares_bias == loud.squares_bias);
    assert_int_equal(mc_identify_study(p, 0, &again, &error), MC_BAD_INPUT);
}

// While braking the step is cut in parts. The estimate is of second order in them: with ten parts a
// hundredth of the error with one.
static void fine_while_braking(void **state)
{
    (void)state;
    double mass[3];
    for (int k = 0; k < 3; k++) {
        const setting s[] = {{MC_IDENTIFY_PARAM_STEP, 0.1},
                             {MC_IDENTIFY_PARAM_FINE, 0.1 / pow(10.0, k)}};
        mc_identify_run run = run_with(s, 2);
        mass[k] = row_at(&run, 2.0)->mass; // on its way
        near(run.end.mass, 2000.0, 1.0, "observer");
        mc_identify_run_free(&run);
    }
    const double one = fabs(mass[0] - mass[2]), ten = fabs(mass[1] - mass[2]);
    assert_true(one > 0.5);
    assert_true(ten < 0.03 * one);
}

static mc_identify_run drive(const setting *settings, int count, const mc_identify_hand *hands,
                             int hand_count)
{
    double p[MC_IDENTIFY_PARAM_COUNT];
    mc_identify_defaults(p);
    for (int k = 0; k < count; k++)
        p[settings[k].param] = settings[k].value;
    mc_identify_run run;
    mc_error error;
    if (mc_identify_drive(p, hands, hand_count, 1, &run, &error) != MC_OK)
        fail_msg("%s", error.text);
    return run;
}

static void by_hand(void **state)
{
    (void)state;
    // One long braking by hand is the script's without a wave.
    const setting s[] = {{MC_IDENTIFY_PARAM_WAVE, 0.0},
                         {MC_IDENTIFY_PARAM_RELEASE, 0.0},
                         {MC_IDENTIFY_PARAM_DURATION, 20.0}};
    const mc_identify_hand brake = {.t = 0.0, .acceleration = -1.2};
    mc_identify_run script = run_with(s, 3), hand = drive(s, 3, &brake, 1);
    assert_int_equal(script.row_count, hand.row_count);
    for (int k = 0; k < hand.row_count; k++) {
        near(hand.rows[k].v_leader, script.rows[k].v_leader, 1e-12, "leader");
        near(hand.rows[k].mass, script.rows[k].mass, 1e-6, "mass");
    }
    mc_identify_run_free(&script);
    mc_identify_run_free(&hand);
    // Brake 3 s, keep driving, load the car, brake again.
    const mc_identify_hand hands[] = {
        {2.0, -2.0, 0.0}, {5.0, 0.0, 0.0}, {6.0, 0.0, 2600.0}, {8.0, -2.0, 0.0}, {14.0, 1.0, 0.0}};
    hand = drive(s, 3, hands, 5);
    near(row_at(&hand, 1.0)->v_leader, 30.0, 1e-12, "before");
    near(row_at(&hand, 4.0)->v_leader, 26.0, 1e-12, "braking");
    near(row_at(&hand, 7.0)->v_leader, 24.0, 1e-12, "on");
    near(row_at(&hand, 14.0)->v_leader, 12.0, 1e-12, "again");
    near(row_at(&hand, 16.0)->v_leader, 14.0, 1e-12, "throttle");
    near(row_at(&hand, 5.9)->mass_true, 2000.0, 0.0, "mass");
    near(row_at(&hand, 6.1)->mass_true, 2600.0, 0.0, "loaded");
    near(row_at(&hand, 14.0)->mass, 2600.0, 60.0, "observer");
    assert_true(row_at(&hand, 1.0)->braking == 0.0 && row_at(&hand, 4.0)->braking == 1.0);
    mc_identify_run_free(&hand);
    // The pedals are not used.
    hand = drive(s, 3, NULL, 0);
    near(hand.end.v_leader, 30.0, 0.0, "steady");
    near(hand.end.mass, 1400.0, 0.0, "nothing learnt");
    mc_identify_run_free(&hand);
}

static void bad_hands(void **state)
{
    (void)state;
    const mc_identify_hand bad[][2] = {
        {{-1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},  {{2.0, 0.0, 0.0}, {1.0, 0.0, 0.0}},
        {{0.0, -21.0, 0.0}, {0.0, 0.0, 0.0}}, {{0.0, NAN, 0.0}, {0.0, 0.0, 0.0}},
        {{0.0, 0.0, 5.0}, {0.0, 0.0, 0.0}},   {{0.0, 0.0, -5.0}, {0.0, 0.0, 0.0}},
        {{0.0, 0.0, 0.0}, {NAN, 0.0, 0.0}},   {{0.0, 0.0, NAN}, {0.0, 0.0, 0.0}},
    };
    double p[MC_IDENTIFY_PARAM_COUNT];
    mc_identify_defaults(p);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        mc_identify_run run;
        mc_error error;
        assert_int_equal(mc_identify_drive(p, bad[k], 2, 1, &run, &error), MC_BAD_INPUT);
        assert_true(strncmp(error.text, "hand ", 5) == 0);
        assert_null(run.rows);
    }
}

static void bad_parameters(void **state)
{
    (void)state;
    for (int k = 0; k < MC_IDENTIFY_PARAM_COUNT; k++)
        for (int side = 0; side < 3; side++) {
            double p[MC_IDENTIFY_PARAM_COUNT];
            mc_identify_defaults(p);
            const mc_param *row = &mc_identify_params[k];
            p[k] = side == 0 ? row->min - 1.0 : side == 1 ? 2.0 * row->max + 1.0 : NAN;
            mc_identify_run run;
            mc_error error;
            assert_int_equal(mc_identify_bench(p, 1, &run, &error), MC_BAD_INPUT);
            assert_true(strncmp(error.text, row->name, strlen(row->name)) == 0);
            assert_null(run.rows);
        }
    double p[MC_IDENTIFY_PARAM_COUNT];
    mc_identify_run run;
    mc_error error;
    mc_identify_defaults(p);
    p[MC_IDENTIFY_PARAM_TRUE] = 5.0;
    mc_identify_bench(p, 1, &run, &error);
    assert_string_equal(error.text, "true is 5 kg, expected 100 .. 100000");
    mc_identify_defaults(p);
    p[MC_IDENTIFY_PARAM_GAMMA_1] = 0.0;
    assert_int_equal(mc_identify_bench(p, 1, &run, &error), MC_BAD_INPUT);
    mc_identify_defaults(p);
    p[MC_IDENTIFY_PARAM_FINE] = 1e-12;
    assert_int_equal(mc_identify_bench(p, 1, &run, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "fine is 1e-12 s, expected 0 or 0.0001 .. 0.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_s_bench), cmocka_unit_test(a_changed_mass),
        cmocka_unit_test(wrong_forces),       cmocka_unit_test(nothing_without_braking),
        cmocka_unit_test(too_much_gamma2),    cmocka_unit_test(coarse_steps),
        cmocka_unit_test(noise_study),        cmocka_unit_test(bad_parameters),
        cmocka_unit_test(fine_while_braking), cmocka_unit_test(by_hand),
        cmocka_unit_test(bad_hands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
