// test_platoon_rest.c - cars that have stopped stay at rest: no sticking and slipping.
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { CARS = 7 };

// Stops of 160 s of stop and go: how often each car leaves rest.
static int largest_departures(const char *name, const char *profile)
{
    char text[1024];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 160, step: 0.05}\nroad: {headway: 1, distance: 5}\n"
             "models: {car: powertrain}\ncontrollers: {follow: {law: %s}}\n"
             "profiles: {go: {table: [%s]}}\n"
             "platoons: [{leader: {model: car, profile: go}, cars: [{model: car, name: car, "
             "count: %d, controller: follow}]}]\n",
             name, profile, CARS);
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    int count[CARS] = {0}, largest = 0;
    bool rests[CARS] = {false};
    for (int k = 0; k < 3200; k++) {
        platoon_steps(run, 1);
        for (int c = 0; c < CARS; c++) {
            mc_run_view view;
            mc_run_look(run, c + 1, &view);
            const bool now = fabs(view.motion.v) <= 1e-6;
            count[c] += rests[c] && !now;
            rests[c] = now;
            largest = count[c] > largest ? count[c] : largest;
        }
    }
    printf("%s: at most %d departures\n", name, largest);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return largest;
}

static void pid_rests(void **unused)
{
    (void)unused;
    static const char *const laws[] = {"pid", "pid_scheduled"};
    for (int k = 0; k < 2; k++) {
        assert_true(largest_departures(laws[k], "[0, 15], [10, 15], [18, 0], [160, 0]") <= 1);
        assert_true(largest_departures(laws[k],
                                       "[0, 12], [10, 12], [18, 0], [40, 0], [50, 12], "
                                       "[70, 12], [78, 0], [100, 0], [110, 12], [130, 12], "
                                       "[138, 0], [160, 0]") <= 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pid_rests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
