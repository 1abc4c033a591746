// test_limits.c - what a controller may command: max_acceleration, max_deceleration, max_brake.
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define G 9.81

static mc_scenario *braking(const char *kind, const char *limit)
{
    char text[700];
    snprintf(text, sizeof text,
             "motorcade: scenario\n"
             "time: {end: 30, step: 0.02}\n"
             "profiles: {hard: {table: [[0, 25], [2, 25], [6, 1], [30, 1]]}}\n"
             "models:\n  plain: {kind: %s}\n  car: {kind: %s%s}\n"
             "controllers: {follow: {law: acc}}\n"
             "platoons:\n"
             "  - leader: {model: plain, profile: hard}\n"
             "    cars: [{model: car, name: car, controller: follow, spacing: 60}]\n",
             kind, kind, limit);
    return platoon_scenario(text);
}

// The lowest acceleration commanded until that time, m/s^2.
static double lowest(mc_run *run, double until)
{
    double low = 0.0;
    for (int k = 0; k < (int)lround(until / 0.02); k++) {
        platoon_steps(run, 1);
        low = fmin(low, platoon_view(run, "car").desired);
    }
    return low;
}

static double lowest_of(const char *kind, const char *limit)
{
    mc_scenario *s = braking(kind, limit);
    mc_run *run = platoon_run(s, 1);
    const double low = lowest(run, 20.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return low;
}

static void the_smaller_is_the_limit(void **state)
{
    (void)state;
    static const char *const kinds[] = {"powertrain", "point"};
    for (int k = 0; k < 2; k++) {
        const double free = lowest_of(kinds[k], "");
        assert_true(free < -0.35 * G);
        const double own = lowest_of(kinds[k], ", max_deceleration: 0.2");
        assert_true(fabs(own + 0.2 * G) < 0.01);
        // What the brakes can do is another number, and the smaller one counts.
        assert_true(lowest_of(kinds[k], ", max_deceleration: 0.2, max_brake: 0.9") == own);
        assert_true(fabs(lowest_of(kinds[k], ", max_deceleration: 0.5, max_brake: 0.1") + 0.1 * G) <
                    0.01);
    }
}

static void set(mc_run *run, const char *name, double value)
{
    platoon_command(run,
                    &(mc_command){.event = "set", .vehicle = "car", .param = name, .value = value});
}

static void live(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value, limit;
    } changes[] = {
        {"max_deceleration", 0.15, 0.15}, {"max_brake", 0.1, 0.1}, {"max_brake", 0.8, 0.15}};
    for (int count = 1; count <= 3; count++) {
        mc_scenario *s = braking("powertrain", "");
        mc_run *run = platoon_run(s, 1);
        for (int k = 0; k < count; k++)
            set(run, changes[k].name, changes[k].value);
        const double low = lowest(run, 20.0);
        assert_true(fabs(low + changes[count - 1].limit * G) < 0.01);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smaller_is_the_limit),
        cmocka_unit_test(live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
