// test_ground.c - places of the road in the picture, straight and curved, with hills.
#include "motorcade/scenario.h"
#include "picture/ground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static mc_scenario *scenario_with(const char *road)
{
    char text[1000];
    mc_error error;
    snprintf(text, sizeof text,
             "motorcade: scenario\nname: road\ntime: {end: 1, step: 0.1}\nroad: %s\nmodels: {car: "
             "point}\n"
             "vehicles: [{model: car, x: 20, v: 10}]\n",
             road);
    mc_scenario *s = mc_scenario_parse(text, strlen(text), NULL, &error);
    if (!s)
        fail_msg("%s", error.text);
    return s;
}

static void near(float value, double expected, double tolerance)
{
    assert_true(fabs((double)value - expected) <= tolerance);
}

// Without a road it is straight and level.
static void no_road(void **state)
{
    (void)state;
    ground g = {.lane_count = 3, .lane_width = 3.5};
    double side[2];
    ground_set(&g, NULL, 1e6, 0);
    const ground_spot q = ground_at(&g, 1e6 + 12.25, -3.5, 0);
    near(q.at.x, 12.25, 0), near(q.at.y, -3.5, 0), near(q.at.z, 0, 0), near(q.c, 1, 0);
    assert_true(ground_sides(&g, 0, 2, 0.0, side));
    assert_true(side[0] == -5.25 && side[1] == -8.75);
    assert_false(ground_sides(&g, 0, 3, 0.0, side));
    assert_true(ground_edges(&g, 0, 5.0, side));
    assert_true(side[0] == 1.75 && side[1] == -8.75);
    assert_true(g.straight);
}

// On an arc of radius 200 to the left: a quarter of a circle ahead is 200 m to the left.
static void an_arc(void **state)
{
    (void)state;
    mc_scenario *s = scenario_with("{line: [{arc: 1200, radius: 200}]}");
    ground g = {0};
    ground_set(&g, mc_scenario_road(s), 100.0, 0);
    const ground_spot q = ground_at(&g, 100.0 + 200.0 * 0.5 * M_PI, 0.0, 0);
    near(q.at.x, 200.0, 1e-3), near(q.at.y, 200.0, 1e-3);
    near(q.c, 0.0, 1e-6), near(q.s, 1.0, 1e-6);
    const ground_spot inside = ground_at(&g, 100.0, 50.0, 0);
    near(inside.at.x, 0.0, 1e-4), near(inside.at.y, 50.0, 1e-4);
    assert_true(fabs(ground_curvature(&g, 300.0) - 1.0 / 200.0) < 1e-6);
    assert_false(g.straight);
    mc_scenario_free(s);
}

// A slope of 5 %: 5 m of height in 100 m of road, sine.
static void a_hill(void **state)
{
    (void)state;
    mc_scenario *s = scenario_with("{grades: [{from: 0, to: 1000, grade: 5 %, transition: 20}]}");
    ground g = {0};
    ground_set(&g, mc_scenario_road(s), 300.0, 0);
    near(ground_at(&g, 300.0, 0.0, 0).at.z, 0.0, 1e-9);
    const double slope = ground_slope(&g, 400.0);
    assert_true(fabs(slope - 0.05) < 2e-4);
    assert_true(fabs(ground_height(&g, 400.0) - 5.0) < 0.02);
    assert_true(fabs(ground_height(&g, 200.0) + 5.0) < 0.02);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_road), cmocka_unit_test(an_arc),
                                       cmocka_unit_test(a_hill)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
