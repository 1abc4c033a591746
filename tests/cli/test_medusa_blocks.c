// test_medusa_blocks.c - what `motorcade medusa` makes of the blocks that the report did not have:
// a chassis with seven directors, wheels that turn, inputs over time; on the real binary.
#include "motorcade/replay.h"
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The sample with further blocks behind model 1; to be freed.
static char *with_blocks(const char *blocks)
{
    size_t size;
    char *text = run_get(&folder, "model.dat", &size), *out = malloc(size + 1000);
    const char *second = strstr(text, "MODEL 2");
    assert_non_null(second);
    snprintf(out, size + 1000, "%.*s%s\n%s", (int)(second - text), text, blocks, second);
    free(text);
    return out;
}

static int set_up(void **state)
{
    cli_set_up(state);
    cli_copy_medusa();
    char *text = with_blocks("CHASSIS_MODEL seven_directors D43 1e-4 % sags\n");
    run_put(&folder, "seven.dat", text);
    free(text);
    return 0;
}

// Their columns come after all of the manual's, which stay where they were.
static void directors_4_to_7_are_the_last_columns(void **state)
{
    (void)state;
    char *text = cli_done("medusa -t3 -e -v --models seven.dat --digits 17 --hdf5 run.h5");
    cli_has(text, "- cols. 50-51: The total energies of each of the 2 vehicles\n"
                  "- cols. 52-63: Components of directors 4 to 7 of vehicle 1\n"
                  "- cols. 64-75: Components of directors 4 to 7 of vehicle 1, velocities\n"
                  "- cols. 76-87: Components of directors 4 to 7 of vehicle 2\n"
                  "- cols. 88-99: Components of directors 4 to 7 of vehicle 2, velocities\n\n");
    cli_has(text, "\n1 collision, ");
    free(text);
    run_table t = run_table_read(&folder, "data.asc");
    run_table h = run_table_hdf5(&folder, "run.h5", "directors");
    assert_int_equal(t.column_count, 99);
    assert_int_equal(h.column_count, 48);
    double bent = 0.0;
    for (int i = 0; i < t.row_count; i++)
        for (int k = 0; k < 48; k++) {
            assert_true(run_at(&t, i, 51 + k) == run_at(&h, i, k));
            bent = fmax(bent, fabs(run_at(&h, i, k % 12)));
        }
    assert_true(run_at(&t, 0, 51 + 2) == 1e-4 && run_at(&t, 0, 51 + 24 + 2) == 1e-4);
    assert_true(bent > 1e-4); // the crash
    run_table_free(&t);
    run_table_free(&h);

    free(cli_done("medusa -t.1 --models seven.dat"));
    t = run_table_read(&folder, "data.asc");
    assert_int_equal(t.column_count, 49);
    run_table_free(&t);
}

// One car of each kind: columns for the one that has them; NaN for the other in the results file.
static void mixed_vehicles_have_the_columns_of_each(void **state)
{
    (void)state;
    run_put(&folder, "mixed.dat",
            "NUMBER_OF_VEHICLES 2\n"
            "VEHICLE_HAS_MODEL 2 INITIALLY_WITH X 0 Y 0 ORIENTATION 0 SPEED 9 STEERING 0\n"
            "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 9 Y 0 ORIENTATION 0 SPEED 9 STEERING 0\n");
    char *text = cli_done("medusa -t.1 -fmixed.dat --models seven.dat --hdf5 run.h5");
    cli_has(text, "- cols. 26-37: Components of directors 4 to 7 of vehicle 2\n\n");
    free(text);
    run_table h = run_table_hdf5(&folder, "run.h5", "directors");
    for (int k = 0; k < 24; k++)
        assert_true(isnan(run_at(&h, 3, k)) && isfinite(run_at(&h, 3, 24 + k)));
    run_table_free(&h);
    free(cli_done("medusa -t.1 --models model.dat --hdf5 run.h5")); // none: no such table
    free(cli_done("report run.h5 -o report.html"));
}

// data.asc says nothing of its columns: the studio tells directors from velocities by the motion.
static void a_replay_tells_directors_from_velocities(void **state)
{
    (void)state;
    static const char *const options[] = {"", "-e", "-v", "-e -v"};
    for (int k = 0; k < 4; k++)
        for (int seven = 0; seven < 2; seven++) {
            char line[100];
            mc_error error;
            snprintf(line, sizeof line, "medusa -t.2 %s --models %s --quiet", options[k],
                     seven ? "seven.dat" : "model.dat");
            free(cli_done(line));
            mc_replay *r = mc_replay_load(cli_path("data.asc"), NULL, &error);
            if (!r)
                fail_msg("%s: %s", line, error.text);
            assert_int_equal(mc_replay_info_of(r)->car_count, 2);
            const double *v = mc_replay_row(r, 3, MC_FIELD_V);
            assert_true(v || k < 2);
            if (v)
                cli_near(v[1], 23.1111, 0.01);
            mc_replay_free(r);
        }
}

// Solved numbers replace those in the file, and those that are missing are added; twice is once.
static void equilibrium_writes_directors_4_to_7(void **state)
{
    (void)state;
    char *text = cli_printed("equilibrium seven.dat -m 1");
    cli_has(text, "\nCHASSIS_MODEL seven_directors\nD41 -5.1");
    free(text);
    free(cli_printed("equilibrium seven.dat --write"));
    text = run_get(&folder, "seven.dat", NULL);
    cli_has(text, "CHASSIS_MODEL seven_directors D41 -5.118");
    cli_has(text, " D43 -7.25517");
    cli_has(text, " % sags\n");
    free(text);
    run_copy(&folder, "once.dat", cli_path("seven.dat"));
    free(cli_printed("equilibrium seven.dat --write"));
    cli_same_files("once.dat", "seven.dat");
    // At rest nothing moves.
    run_put(&folder, "one.dat",
            "NUMBER_OF_VEHICLES 1\n"
            "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 0 Y 0 ORIENTATION 0 SPEED 0 STEERING 0\n");
    free(cli_done("medusa -t1 -fone.dat --models seven.dat --digits 12"));
    run_table t = run_table_read(&folder, "data.asc");
    for (int k = 1; k < t.column_count; k++)
        cli_near(run_at(&t, t.row_count - 1, k), run_at(&t, 0, k), 1e-9);
    run_table_free(&t);
}

static void the_published_scheme_has_three_directors(void **state)
{
    (void)state;
    cli_rejected("medusa -t1 --scheme published --models seven.dat", 2,
                 "seven.dat:46:15: model 1: scheme published has three directors, found "
                 "CHASSIS_MODEL seven_directors; expected scheme exponential\n");
}

// ---- inputs over time ----

#define START " INITIALLY_WITH X 0 Y 0 ORIENTATION 0 SPEED 20 STEERING 0.02\n"

static run_table end_of(const char *blocks, const char *inputs, const char *options)
{
    char line[200], platoon[500];
    char *text = with_blocks(blocks);
    run_put(&folder, "driven.dat", text);
    free(text);
    snprintf(platoon, sizeof platoon, "NUMBER_OF_VEHICLES 1\nVEHICLE_HAS_MODEL 1" START "%s",
             inputs);
    run_put(&folder, "one.dat", platoon);
    snprintf(line, sizeof line,
             "medusa -fone.dat --models driven.dat -v --digits 17 --quiet --hdf5 run.h5 %s",
             options);
    free(cli_done(line));
    return run_table_read(&folder, "data.asc");
}

static void same_rows(const run_table *a, int row_a, const run_table *b, int row_b, double within)
{
    for (int k = 0; k < a->column_count; k++)
        cli_near(run_at(a, row_a, k), run_at(b, row_b, k), within);
}

// An input that does not change is the number of the manual; one that changes acts from then on.
static void steering_over_time_steers(void **state)
{
    (void)state;
    run_table fixed = end_of("", "", "-t2"), flat = end_of("", "STEERING_OVER_TIME 1 0.02", "-t2");
    run_table step = end_of("", "STEERING_OVER_TIME 1 0.02 1 -0.02", "-t2");
    for (int row = 0; row <= 200; row += 20) {
        same_rows(&fixed, row, &flat, row, 1e-9);
        if (row <= 100)
            same_rows(&fixed, row, &step, row, 1e-9);
    }
    assert_true(run_at(&fixed, 200, 17) > run_at(&fixed, 100, 17) - 0.05); // turns left (w12)
    assert_true(run_at(&step, 200, 17) < 0.0);                             // now to the right
    run_table_free(&fixed);
    run_table_free(&flat);
    run_table_free(&step);
}

// Inputs change at their own times, whenever rows are saved.
static void rows_do_not_change_inputs(void **state)
{
    (void)state;
    static const char inputs[] = "STEERING_OVER_TIME 0.1234 0 0.7 0.05 1.1 -0.03";
    run_table a = end_of("", inputs, "-t1.5"), b = end_of("", inputs, "-t1.5 -s.037");
    run_table c = end_of("", inputs, "-t1.5 -s.75");
    same_rows(&a, a.row_count - 1, &b, b.row_count - 1, 1e-6);
    same_rows(&a, a.row_count - 1, &c, c.row_count - 1, 1e-6);
    run_table_free(&a);
    run_table_free(&b);
    run_table_free(&c);
}

// Half of 1 g from 20 m/s, and the energy that the brakes took.
static void brakes_and_engine_work(void **state)
{
    (void)state;
    run_table t = end_of("DRIVE_MODEL wheels max_brake 1 drag 0 roll 0",
                         "BRAKE_OVER_TIME 0 0.5\n"
                         "STEERING_OVER_TIME 0 0",
                         "-t2");
    const double before = run_at(&t, 100, 13), after = run_at(&t, 200, 13);
    const double wheels = 4.0 * 1.2 / (0.3 * 0.3); // kg, their spin
    cli_near(before - after, 0.5 * 9.81 * 1573.0 / (1573.0 + wheels), 0.01);
    run_table_free(&t);
    run_table e = run_table_hdf5(&folder, "run.h5", "energy");
    double lost = 0.0; // columns after total, kinetic, elastic, spring, gravity, vibration
    for (int k = 6; k < 11; k++)
        lost += run_at(&e, 200, k);
    assert_true(run_at(&e, 200, 8) > 1e5);                      // braked
    cli_near(run_at(&e, 0, 0), run_at(&e, 200, 0) + lost, 1.0); // of 315 kJ
    run_table_free(&e);

    t = end_of("POWERTRAIN_MODEL converter", "THROTTLE_OVER_TIME 0 1", "-t2");
    assert_true(run_at(&t, 200, 13) > 21.0);
    run_table_free(&t);
}

static void inputs_need_their_model(void **state)
{
    (void)state;
    run_put(&folder, "one.dat",
            "NUMBER_OF_VEHICLES 1\nVEHICLE_HAS_MODEL 2" START "BRAKE_OVER_TIME 0 1\n");
    cli_rejected("medusa -t1 -fone.dat", 2,
                 "one.dat:3:1: BRAKE_OVER_TIME of vehicle 1: model 2 has no DRIVE_MODEL\n");
    run_put(&folder, "one.dat",
            "NUMBER_OF_VEHICLES 1\nVEHICLE_HAS_MODEL 2" START " THROTTLE_OVER_TIME 0 1\n");
    cli_rejected("medusa -t1 -fone.dat", 2,
                 "one.dat:3:2: THROTTLE_OVER_TIME of vehicle 1: model 2 has no POWERTRAIN_MODEL\n");
}

// The shipped example: a late driver hits a car that braked.
static void the_example_collides(void **state)
{
    (void)state;
    run_copy(&folder, "driven.dat", SOURCE_DIR "/scenarios/medusa/driven.dat");
    run_copy(&folder, "driven_platoon.dat", SOURCE_DIR "/scenarios/medusa/driven_platoon.dat");
    char *text = cli_done("medusa -t6 --models driven.dat -fdriven_platoon.dat");
    cli_has(text, "\n1 collision, ");
    free(text);
    run_copy(&folder, "solved.dat", SOURCE_DIR "/scenarios/medusa/driven.dat");
    free(cli_printed("equilibrium solved.dat --write"));
    cli_same_files("driven.dat", "solved.dat");
}

// ---- constants of the published scheme ----

// Closing speed and restitution of the sample crash; the last row of the collision report.
static double restitution_of(const char *options)
{
    char line[200];
    snprintf(line, sizeof line, "medusa -t3 --scheme published --hdf5 run.h5 %s", options);
    free(cli_done(line));
    run_table t = run_table_hdf5(&folder, "run.h5", "pose");
    const int last = t.row_count - 1; // columns: x y z d11 .. d33 v1, of each vehicle 24
    const double apart = run_at(&t, last, 24 + 12) - run_at(&t, last, 12);
    run_table_free(&t);
    return apart / (24.4444 - 23.1111);
}

static void constants_of_the_published_scheme_are_settable(void **state)
{
    (void)state;
    const double usual = restitution_of("");
    char *text = run_hdf5_text(&folder, "run.h5", "published_constants");
    cli_has(text, "contact stiffness 1e+06 N/m, step halved in contact until below 1e-06 s");
    free(text);
    assert_true(restitution_of("--penalty-stiffness 1e6 --smallest-step 1e-6 --held-steps 100") ==
                usual);
    assert_true(restitution_of("--penalty-stiffness 2e5") != usual);
    assert_true(restitution_of("--smallest-step 1e-5 --held-steps 10") != usual);
    text = run_hdf5_text(&folder, "run.h5", "published_constants");
    cli_has(text, "below 1e-05 s, held for 10 steps");
    free(text);
    cli_rejected("medusa -t1 --held-steps 7", 2,
                 "medusa: option --held-steps: only for scheme published, found scheme "
                 "exponential\n");
    cli_rejected_with("medusa -t1 --scheme published --smallest-step 0", 2, "smallest-step");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(directors_4_to_7_are_the_last_columns, set_up,
                                        cli_tear_down),
        cmocka_unit_test_setup_teardown(mixed_vehicles_have_the_columns_of_each, set_up,
                                        cli_tear_down),
        cmocka_unit_test_setup_teardown(a_replay_tells_directors_from_velocities, set_up,
                                        cli_tear_down),
        cmocka_unit_test_setup_teardown(equilibrium_writes_directors_4_to_7, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(the_published_scheme_has_three_directors, set_up,
                                        cli_tear_down),
        cmocka_unit_test_setup_teardown(steering_over_time_steers, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(rows_do_not_change_inputs, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(brakes_and_engine_work, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(inputs_need_their_model, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(the_example_collides, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(constants_of_the_published_scheme_are_settable, set_up,
                                        cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
