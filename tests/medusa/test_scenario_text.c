// test_scenario_text.c - MEDUSA files as scenarios: the same motion to the bit, through
// collisions, with inputs over time, in both schemes; what scenarios do not have is rejected.
#include "medusa/inputs.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER SOURCE_DIR "/scenarios/"

static void same_bits(const char *models, const char *platoon, mc_scheme scheme, double end,
                      int min_impacts)
{
    mc_medusa_options o = mc_medusa_defaults();
    char folder[400], *text;
    mc_error error = {0};
    o.models = models, o.platoon = platoon, o.end_time = end, o.scheme = scheme, o.threads = 1;
    mc_medusa *medusa = mc_medusa_load(&o, &error);
    assert_non_null(medusa);
    assert_int_equal(mc_medusa_scenario(&o,
                                        &(mc_medusa_live){.models_named = strrchr(models, '/') + 1},
                                        &text, &error),
                     MC_OK);
    snprintf(folder, sizeof folder, "%s", models);
    mc_scenario *s = mc_scenario_parse(text, strlen(text), folder, &error);
    if (!s)
        fail_msg("%d:%d: %s\n%s", error.line, error.column, error.text, text);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .instants = true}, &error);
    if (!run)
        fail_msg("%s", error.text);
    const int steps = (int)(end / MEDUSA_INPUT_INTERVAL + 0.5);
    for (int k = 0; k < steps; k++) {
        medusa_inputs_set(medusa, k * MEDUSA_INPUT_INTERVAL);
        assert_int_equal(mc_world_advance(medusa->world, MEDUSA_INPUT_INTERVAL, &error), MC_OK);
        assert_int_equal(mc_run_step(run, &error), MC_OK);
        if (mc_world_hash(medusa->world) != mc_world_hash(run->world))
            fail_msg("%s differs after step %d", platoon, k + 1);
    }
    int count, other;
    mc_world_impacts(medusa->world, &count);
    mc_run_impacts(run, &other);
    assert_int_equal(count, other);
    assert_true(count >= min_impacts);
    mc_run_destroy(run);
    mc_scenario_free(s);
    mc_medusa_free(medusa);
    free(text);
}

static void two_cars(void **state)
{
    (void)state;
    same_bits(FOLDER "medusa/model.dat", FOLDER "medusa/platoon.dat", MC_SCHEME_EXPONENTIAL, 2.5,
              1);
}

static void ten_cars_pile_up(void **state)
{
    (void)state;
    same_bits(FOLDER "pileup/model.dat", FOLDER "pileup/platoon.dat", MC_SCHEME_EXPONENTIAL, 1.2,
              10);
}

static void inputs_over_time(void **state)
{
    (void)state;
    same_bits(FOLDER "medusa/driven.dat", FOLDER "medusa/driven_platoon.dat", MC_SCHEME_EXPONENTIAL,
              3.5, 0);
}

static void the_published_scheme(void **state)
{
    (void)state;
    same_bits(FOLDER "medusa/model.dat", FOLDER "medusa/platoon.dat", MC_SCHEME_PUBLISHED, 1.9, 0);
}

static void only_platoons_are_platoons(void **state)
{
    (void)state;
    assert_true(mc_medusa_is_platoon(FOLDER "medusa/platoon.dat"));
    assert_true(mc_medusa_is_platoon(FOLDER "medusa/driven_platoon.dat"));
    assert_false(mc_medusa_is_platoon(FOLDER "medusa/model.dat"));
    assert_false(mc_medusa_is_platoon(FOLDER "demo.yaml"));
    assert_false(mc_medusa_is_platoon("/nowhere"));
}

static void what_scenarios_lack_is_said(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"STEERING_OVER_TIME 0.005 0.0 0.02 0.01\n", "expected a multiple"},
        {"OBSTACLE box x 50 y 0 length 1 width 1 height 1\n", "OBSTACLE cannot run live"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char path[] = "/tmp/platoon-XXXXXX", *text;
        FILE *out = fdopen(mkstemp(path), "w");
        fprintf(out,
                "NUMBER_OF_VEHICLES 1\nVEHICLE_HAS_MODEL 1 INITIALLY_WITH\nX 0 Y 0 ORIENTATION 0 "
                "SPEED 10 STEERING 0\n%s",
                cases[k][0]);
        fclose(out);
        mc_medusa_options o = mc_medusa_defaults();
        mc_error error = {0};
        o.models = FOLDER "medusa/model.dat", o.platoon = path, o.end_time = 1.0;
        const mc_status status =
            mc_medusa_scenario(&o, &(mc_medusa_live){.models_named = "model.dat"}, &text, &error);
        remove(path);
        assert_int_equal(status, MC_BAD_INPUT);
        if (!strstr(error.text, cases[k][1]))
            fail_msg("%s", error.text);
        assert_null(text);
        assert_int_equal(error.line, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cars),
        cmocka_unit_test(ten_cars_pile_up),
        cmocka_unit_test(inputs_over_time),
        cmocka_unit_test(the_published_scheme),
        cmocka_unit_test(only_platoons_are_platoons),
        cmocka_unit_test(what_scenarios_lack_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
