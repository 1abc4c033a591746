// test_scenery.c - which roads have another carriageway, and that its strips lie side by side.
#include "motorcade/scenario.h"
#include "picture/scenery.h"
#include "render/look.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static scenery of_road(const char *road)
{
    enum { COUNT = 40 };
    char text[1000];
    mc_error error;
    double s[COUNT];
    snprintf(text, sizeof text,
             "motorcade: scenario\nname: road\ntime: {end: 1, step: 0.1}\nroad: %s\nmodels: {car: "
             "point}\nvehicles: [{model: car, x: 20, v: 10}]\n",
             road);
    mc_scenario *k = mc_scenario_parse(text, strlen(text), NULL, &error);
    if (!k)
        fail_msg("%s", error.text);
    ground g = {0};
    ground_set(&g, mc_scenario_road(k), 100.0, 0);
    for (int i = 0; i < COUNT; i++)
        s[i] = 10.0 * i;
    const highway_stations p = {.s = s, .count = COUNT};
    highway_places ramps = {0};
    const int paths = g.road ? mc_road_path_count(g.road) : 1;
    mc_road_path ramp;
    for (int q = 1; q < paths && mc_road_path_at(g.road, q, &ramp); q++)
        for (double at = 0.0; at <= ramp.length; at += 5.0) {
            double side[2];
            if (!ground_sides(&g, q, 0, at, side))
                continue;
            const vec c = ground_at(&g, at + ground_base(&g, q), 0.5 * (side[0] + side[1]), q).at;
            highway_place(&ramps, c.x, c.y, (float)at);
        }
    const scenery v = scenery_of(&g, &p, &ramps);
    free(ramps.at);
    mc_scenario_free(k);
    return v;
}

static void freeways(void **state)
{
    (void)state;
    const double median = (double)look_floats("scenery/numbers", 1)[0];
    scenery v = of_road("{lanes: 3, lane_width: 3.5}");
    assert_int_equal(v.lanes, 3);
    assert_true(fabs(v.wide - (median + 2.0 * v.shoulder + 10.5)) < 1e-9);
    // A ramp on the right does not matter.
    v = of_road("{lanes: 2, lane_width: 3.6, line: [{straight: 600}], ramps: [{name: R, kind: "
                "\"on\", at: 200, "
                "length: 150, line: [{arc: 150, radius: -400}, {straight: 150}]}]}");
    assert_int_equal(v.lanes, 2);
    assert_int_equal(of_road("{lanes: 1}").lanes, 0);
    assert_int_equal(of_road("{lanes: 2, line: [{straight: 50}, {arc: 150, radius: 40}]}").lanes,
                     0);
    assert_true(of_road("{lanes: 2, line: [{straight: 50}, {arc: 150, radius: 40}]}").wide == 0.0);
    assert_int_equal(of_road("{lanes: 2, line: [{straight: 50}, {arc: 300, radius: 600}]}").lanes,
                     2);
}

static void strips(void **state)
{
    (void)state;
    const scenery v = of_road("{lanes: 2, lane_width: 3.6}");
    scenery_strip s;
    int k = 0;
    double at = (double)look_floats("scenery/numbers", 1)[0];
    for (; scenery_strip_at(&v, k, &s); k++) {
        assert_true(fabs(s.right - at) < 1e-9);
        assert_true(s.shoulder == (k == 0 || k == 3) && s.first == (k == 1) && s.last == (k == 2));
        at = s.left;
    }
    assert_int_equal(k, 4);
    assert_true(fabs(at - v.wide) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(freeways), cmocka_unit_test(strips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
