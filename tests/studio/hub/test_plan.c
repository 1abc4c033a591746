// The plan of a road against the road itself, and the lists a page edits.
#include "studio/hub/plan.h"

#include "motorcade/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(a, b, by) assert_true(fabs((double)(a) - (double)(b)) <= (by))

static const char freeway[] =
    "motorcade: scenario\n"
    "time: {end: 1}\n"
    "road:\n"
    "  lanes: 3\n"
    "  lane_width: 3.6\n"
    "  line: [{straight: 900}, {clothoid: 120, to_radius: 600}, {arc: 300, radius: 600},\n"
    "         {clothoid: 120}, {straight: 1200}]\n"
    "  sections:\n"
    "    - {lane: 1, from: 0, to: 2640, use: automated, enter: closed, headway: 0.6}\n"
    "    - {lane: 3, from: 1900, to: 2300, width: 0, taper: 100, speed: 65 mph}\n"
    "  ramps:\n"
    "    - {name: 'Vermont \"Blvd\"', kind: \"on\", at: 300, length: 250, speed: 22,\n"
    "       line: [{straight: 60}, {arc: 80, radius: -60}, {clothoid: 60}]}\n"
    "models: {car: {kind: point, length: 4.5}}\n"
    "vehicles: [{model: car, x: 0, v: 20}]\n";

static mc_scenario *parse(const char *text)
{
    mc_error error = {0};
    mc_scenario *s = mc_scenario_parse(text, strlen(text), "test.yaml", &error);
    if (!s)
        fail_msg("%s", error.text);
    return s;
}

static json_t *plan_of(const mc_scenario *s)
{
    char *written = mc_scenario_road_json(s), *text = plan_text(mc_scenario_road(s), written);
    assert_non_null(written);
    assert_non_null(text);
    json_t *plan = json_loads(text, 0, NULL);
    assert_non_null(plan);
    free(written);
    free(text);
    return plan;
}

static double at(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

static size_t below(const json_t *stations, double s)
{
    size_t k = 0;
    while (k + 2 < json_array_size(stations) && at(stations, k + 1) <= s)
        k++;
    return k;
}

// The cubic that a page draws: places and headings of two samples.
static void place(const json_t *line, double station, double *x, double *y)
{
    const json_t *s = json_object_get(line, "s"), *xs = json_object_get(line, "x");
    const json_t *ys = json_object_get(line, "y"), *h = json_object_get(line, "heading");
    const size_t i = below(s, station);
    const double d = at(s, i + 1) - at(s, i), u = (station - at(s, i)) / d, u2 = u * u;
    const double h01 = u2 * (3.0 - 2.0 * u), h10 = d * u * (1.0 - u) * (1.0 - u);
    const double h11 = d * u2 * (u - 1.0), h00 = 1.0 - h01;
    *x = h00 * at(xs, i) + h01 * at(xs, i + 1) + h10 * cos(at(h, i)) + h11 * cos(at(h, i + 1));
    *y = h00 * at(ys, i) + h01 * at(ys, i + 1) + h10 * sin(at(h, i)) + h11 * sin(at(h, i + 1));
}

static void the_cubics_are_the_line(void **state)
{
    (void)state;
    mc_scenario *s = parse(freeway);
    json_t *plan = plan_of(s), *paths = json_object_get(plan, "paths");
    assert_true(json_is_true(json_object_get(plan, "curved")));
    assert_int_equal(json_array_size(paths), 2);
    for (int p = 0; p < 2; p++) {
        const json_t *path = json_array_get(paths, (size_t)p),
                     *line = json_object_get(path, "line");
        const double length = json_number_value(json_object_get(path, "length"));
        // A straight needs no samples between its ends, so there are far fewer than metres.
        assert_true(json_array_size(json_object_get(line, "s")) < 200);
        for (int k = 0; k <= 5000; k++) {
            double x, y, x1, y1, heading;
            const double station = length * k / 5000.0;
            place(line, station, &x, &y);
            mc_road_place(mc_scenario_road(s), p, station, 0.0, &x1, &y1, &heading);
            if (!(hypot(x - x1, y - y1) <= 1.2 * PLAN_ERROR))
                fail_msg("path %d, %g m: %g m away", p, station, hypot(x - x1, y - y1));
        }
    }
    assert_near(json_number_value(json_object_get(json_array_get(paths, 1), "base")), 100.0, 1e-9);
    json_decref(plan);
    mc_scenario_free(s);
}

static void lanes_are_as_wide_as_they_are(void **state)
{
    (void)state;
    mc_scenario *s = parse(freeway);
    json_t *plan = plan_of(s);
    const json_t *main = json_array_get(json_object_get(plan, "paths"), 0);
    const json_t *lanes = json_object_get(main, "lanes");
    int compared = 0;
    assert_int_equal(json_array_size(lanes), 4);
    for (int lane = 0; lane < 4; lane++) {
        const json_t *l = json_array_get(lanes, (size_t)lane);
        const json_t *st = json_object_get(l, "s"), *c = json_object_get(l, "centre");
        for (int k = 0; k < 4000; k++) {
            const double station = 2640.0 * (k + 0.37) / 4000.0;
            const size_t i = below(st, station);
            double width;
            const double centre =
                mc_road_lane_centre(mc_scenario_road(s), 0, lane, station, &width);
            const double d = at(st, i + 1) - at(st, i), u = (station - at(st, i)) / d;
            const json_t *w = json_object_get(l, "width");
            assert_near((1.0 - u) * at(w, i) + u * at(w, i + 1), width, 0.06);
            if (isnan(centre) || json_is_null(json_array_get(c, i)) ||
                json_is_null(json_array_get(c, i + 1)))
                continue;
            assert_near((1.0 - u) * at(c, i) + u * at(c, i + 1), centre, 0.06);
            compared++;
        }
    }
    assert_true(compared > 12000); // the lane of the ramp and the lane that ends are not everywhere
    json_decref(plan);
    mc_scenario_free(s);
}

static void rules_and_ramps(void **state)
{
    (void)state;
    mc_scenario *s = parse(freeway);
    json_t *plan = plan_of(s);
    const json_t *main = json_array_get(json_object_get(plan, "paths"), 0);
    const json_t *first = json_array_get(json_object_get(main, "lanes"), 0);
    const json_t *rules = json_object_get(first, "rules"), *rule = json_array_get(rules, 0);
    assert_int_equal(json_array_size(rules), 1); // sections of other lanes do not divide it
    assert_string_equal(json_string_value(json_object_get(rule, "use")), "automated");
    assert_string_equal(json_string_value(json_object_get(rule, "enter")), "closed");
    assert_near(json_number_value(json_object_get(rule, "headway")), 0.6, 1e-12);
    assert_near(json_number_value(json_object_get(rule, "to")), 2640.0, 1e-9);
    const json_t *ramp = json_array_get(json_object_get(plan, "ramps"), 0);
    assert_string_equal(json_string_value(json_object_get(ramp, "name")), "Vermont \"Blvd\"");
    assert_int_equal(json_integer_value(json_object_get(ramp, "lane")), 4);
    assert_true(json_is_true(json_object_get(ramp, "on")));
    json_decref(plan);
    mc_scenario_free(s);
}

// What a page sends back unchanged is the same road.
static void written_lists_are_an_edit(void **state)
{
    (void)state;
    mc_scenario *s = parse(freeway);
    json_t *plan = plan_of(s), *written = json_object_get(plan, "written");
    const json_t *sections = json_object_get(written, "sections");
    const json_t *speed = json_object_get(json_array_get(sections, 1), "speed");
    assert_int_equal(json_array_size(sections), 2);
    assert_string_equal(json_string_value(speed), "65 mph");
    json_t *edit = json_pack("{s:O}", "road", written);
    char *text = json_dumps(edit, JSON_COMPACT);
    mc_error error = {0};
    mc_scenario *again = mc_scenario_edit(s, text, &error);
    if (!again)
        fail_msg("%s", error.text);
    json_t *other = plan_of(again);
    assert_true(json_equal(plan, other));
    json_decref(other);
    json_decref(edit);
    json_decref(plan);
    free(text);
    mc_scenario_free(again);
    mc_scenario_free(s);
}

static void a_plain_road_is_straight(void **state)
{
    (void)state;
    mc_scenario *s = parse("motorcade: scenario\ntime: {end: 1}\nroad: {lanes: 2}\n"
                           "models: {car: point}\nvehicles: [{model: car, x: 0}]\n");
    json_t *plan = plan_of(s);
    assert_true(json_is_false(json_object_get(plan, "curved")));
    assert_int_equal(json_array_size(json_object_get(plan, "ramps")), 0);
    const json_t *main = json_array_get(json_object_get(plan, "paths"), 0);
    assert_true(json_is_null(json_object_get(main, "length")));
    assert_int_equal(json_array_size(json_object_get(main, "lanes")), 2);
    json_decref(plan);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cubics_are_the_line),  cmocka_unit_test(lanes_are_as_wide_as_they_are),
        cmocka_unit_test(rules_and_ramps),          cmocka_unit_test(written_lists_are_an_edit),
        cmocka_unit_test(a_plain_road_is_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
