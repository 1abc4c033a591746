// test_roads.c - the road of a scenario: lines, lanes, ramps, files; what is rejected, and where.
#include "road/network.h"
#include "scenario/scenario.h"
#include "scenario/set.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROAD                                                                                       \
    "road:\n"                                                                                      \
    "  lanes: 3\n"                                                                                 \
    "  lane_width: 3.6\n"                                                                          \
    "  line: [{straight: 900}, {clothoid: 120, to_radius: 600}, {arc: 300, radius: 600}, "         \
    "{clothoid: 120}, {straight: 1200}]\n"                                                         \
    "  bank: [{from: 900, to: 1440, bank: 4 %, transition: 120}]\n"                                \
    "  grades: [{from: 300, to: 800, grade: 3 %}]\n"                                               \
    "  sections:\n"                                                                                \
    "    - {lane: 1, from: 0, to: 2640, use: automated, headway: 0.6, separation: 60}\n"           \
    "    - {lane: 3, from: 1900, to: 2300, width: 0, taper: 100}\n"                                \
    "  ramps:\n"                                                                                   \
    "    - {name: on1, kind: on, at: 300, length: 250, speed: 22, line: [{straight: 60}, {arc: "   \
    "80, radius: -60}, {clothoid: 60}]}\n"                                                         \
    "    - {name: off1, kind: off, at: 1200, length: 150, line: [{clothoid: 60, to_radius: -90}, " \
    "{arc: 100, radius: -90}]}\n"
#define SCENARIO                                                                                   \
    "motorcade: scenario\n"                                                                        \
    "time: {end: 1}\n" ROAD "models: {c: {kind: point, length: 4.5}}\n"                            \
    "vehicles: [{model: c, x: 0}]\n"

static scenario *parse(const char *text, mc_error *error)
{
    return scenario_parse(text, strlen(text), SOURCE_DIR "/scenarios/s.yaml", error);
}

static scenario *read_good(const char *text)
{
    mc_error error = {0};
    scenario *s = parse(text, &error);
    if (!s)
        print_error("%d:%d: %s\n", error.line, error.column, error.text);
    assert_non_null(s);
    return s;
}

static void what_it_says(void **unused)
{
    (void)unused;
    scenario *s = read_good(SCENARIO);
    assert_int_equal(mc_road_path_count(&s->road), 3);
    mc_road_path path;
    mc_road_path_at(&s->road, 0, &path);
    assert_true(path.length == 2640.0 && path.lane_count == 4);
    assert_true(fabs(path.turn - (120.0 + 300.0) / 600.0) < 1e-12);
    mc_road_lane lane;
    assert_true(mc_road_lane_at(&s->road, 0, 0, 5.0, &lane));
    assert_true(lane.use == MC_ROAD_AUTOMATED && lane.headway == 0.6 && lane.separation == 60.0);
    mc_road_point p;
    double x, y, heading;
    mc_road_place(&s->road, 0, 1200.0, 0.0, &x, &y, &heading);
    mc_road_at(&s->road, x, y, 1195.0, &p);
    assert_true(fabs(p.station - 1200.0) < 1e-10 && fabs(p.curvature - 1.0 / 600.0) < 1e-15);
    assert_true(fabs(p.bank - atan(0.04)) < 1e-12);
    // A grade set afterwards moves the ramps with the road.
    mc_error error = {0};
    const double before = s->road.net->branches[2].base;
    assert_int_equal(scenario_set(s, "grade1.grade=6 %", &error), MC_OK);
    const double after = s->road.net->branches[2].base;
    assert_true(fabs(after - before - road_height(&s->road, 1200.0) / 2.0) < 0.1);
    assert_true(before > 13.0 && before < 15.0);
    scenario_free(s);
}

static void files(void **unused)
{
    (void)unused;
    scenario *s = read_good("motorcade: scenario\ntime: {end: 1}\n"
                            "road: {file: roads/interchange.xodr, speed: 20}\n"
                            "models: {c: {kind: point, length: 4.5}}\n"
                            "vehicles: [{model: c, x: 0}]\n");
    assert_true(mc_road_path_count(&s->road) == 4 && s->road.lane_count == 3);
    assert_int_equal(s->file_count, 1);
    assert_true(s->warning_count >= 1 && strstr(s->warnings[0], "interchange.xodr:"));
    scenario_free(s);
    s = read_good("motorcade: scenario\ntime: {end: 1}\nroad: {surface: roads/washboard.crg}\n"
                  "models: {c: {kind: point, length: 4.5}}\nvehicles: [{model: c, x: 0}]\n");
    mc_road_point p;
    mc_road_at(&s->road, 0.2, 0.0, NAN, &p);
    assert_true(fabs(p.height - 0.01) < 1e-6 && p.station == 0.2);
    scenario_free(s);
}

// ---- mistakes ----

static const struct {
    const char *find, *replace, *message;
} edits[] = {
    {"{straight: 900}", "{strait: 900}",
     "6:11: a piece of a line has no key \"strait\"; did you mean straight?"},
    {"{straight: 900}", "{straight: 900, arc: 3}",
     "6:10: a piece of a line has one of straight, arc and clothoid, but 2 of them are given"},
    {"{straight: 900}", "{radius: 9}",
     "6:10: a piece of a line has one of straight, arc and clothoid, but 0 of them are given"},
    {"{straight: 900}", "{straight: -900}", "6:21: straight is -900 m; expected 0.001 .. 1e+07 m"},
    {"{straight: 900}", "{straight: 900 s}", "6:21: straight has the unit s, expected m"},
    {"{arc: 300, radius: 600}", "{arc: 300}",
     "6:60: an arc needs its radius, such as {arc: 200, radius: 300}"},
    {"{arc: 300, radius: 600}", "{arc: 300, radius: 2}",
     "6:79: radius is 2 m; expected at least 5 m, left positive, right negative"},
    {"{arc: 300, radius: 600}", "{arc: 300, radius: 600, to_radius: 3}",
     "6:84: an arc has no to_radius; only a clothoid has"},
    {"{clothoid: 120, to_radius: 600}", "{clothoid: 120, radius: 600}",
     "6:43: a clothoid has no radius; did you mean to_radius?"},
    {"  bank:", "  closed: true\n  bank:",
     "7:11: the line does not close: its end is 2499.65 m and 0.7 rad from its start"},
    {"bank: [{from: 900, to: 1440", "bank: [{from: 900, to: 800",
     "7:26: to is 800 m, expected more than from, 900 m"},
    {"bank: 4 %", "bank: 2 rad", "7:38: bank is 2 rad; expected -0.8 .. 0.8 rad"},
    {"lane: 1, from: 0", "lane: 5, from: 0", "10:14: lane 5 of a road with 3 lanes"},
    {"use: automated", "use: robots",
     "10:41: found \"robots\", expected one of any, automated, manual, closed"},
    {"width: 0, taper: 100", "width: 0, taper: 300",
     "11:56: taper is 300 m; the section is 400 m long, so at most 200 m"},
    {"width: 0, taper: 100", "taper: 100", "11:39: taper without a width to change to"},
    {"to: 2300, width: 0", "to: 1500, width: 0",
     "11:33: to is 1500 m, expected more than from, 1900 m"},
    {"{lane: 3, from: 1900",
     "{lane: 1, from: 1900, to: 2300, width: 0}\n    - {lane: 2, from: 1900, "
     "to: 2300, width: 0}\n    - {lane: 3, from: 1900",
     "10:5: all lanes end: there is none left from 2000 to 2200 m"},
    {"name: on1, ", "", "13:7: a ramp needs the key name (of the ramp)"},
    {"name: off1", "name: on1", "14:14: two ramps are called on1"},
    {"kind: on,", "kind: up,", "13:25: found \"up\", expected one of on, off"},
    {"at: 300", "at: 3 km",
     "13:7: ramp on1 is at 3000 m; expected 0 .. 2640 m, the length of the road"},
    {"at: 300", "at: 2500",
     "13:7: the acceleration lane of ramp on1 goes from 2500 to 2810 m; expected within 0 .. 2640 "
     "m, the length of the road"},
    {"at: 1200", "at: 100",
     "14:7: the deceleration lane of ramp off1 goes from -110 to 100 m; expected within 0 .. 2640 "
     "m, the length of the road"},
    {"at: 300", "at: 800", "14:7: the lanes of ramps on1 and off1 overlap from 990 to 1110 m"},
    {"line: [{straight: 60}, {arc: 80, radius: -60}, {clothoid: 60}]", "line: [{straight: 60}]",
     "13:7: the ramp stays within 1 m of the road on all of its 60 m; expected one that leaves it"},
    {"{arc: 80, radius: -60}", "{arc: 80, radius: 60}",
     "13:7: the ramp crosses the lanes of the road at its station 177.5 m; expected one that stays "
     "to the right"},
    {"line: [{straight: 60}, {arc: 80, radius: -60}, {clothoid: 60}]", "line: []",
     "13:68: ramp on1 has a line without pieces"},
    {ROAD, "road: {file: roads/circuit.xodr, lanes: 3}\n",
     "3:34: the road comes from roads/circuit.xodr, which has its own lanes"},
    {ROAD, "road: {file: roads/none.xodr}\n",
     "3:14: cannot read the file " SOURCE_DIR "/scenarios/roads/none.xodr"},
    {ROAD, "road: {closed: true}\n", "3:16: a closed road needs a line"},
};

static void rejected(void **unused)
{
    (void)unused;
    int failed = 0;
    for (size_t k = 0; k < sizeof edits / sizeof edits[0]; k++) {
        static char text[8000];
        const char *at = strstr(SCENARIO, edits[k].find);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - SCENARIO), SCENARIO, edits[k].replace,
                 at + strlen(edits[k].find));
        mc_error error = {0};
        scenario *s = parse(text, &error);
        char message[800];
        snprintf(message, sizeof message, "%d:%d: %s", error.line, error.column,
                 s ? "was read" : error.text);
        if (strcmp(message, edits[k].message) != 0) {
            print_error("expected %s\n   found %s\n", edits[k].message, message);
            failed++;
        }
        if (s)
            scenario_free(s);
    }
    assert_int_equal(failed, 0);
}

// A mistake in a file is reported in that file.
static void mistake_in_a_file(void **unused)
{
    (void)unused;
    mc_error error = {0};
    assert_null(parse("motorcade: scenario\ntime: {end: 1}\nroad: {surface: roads/circuit.xodr}\n"
                      "models: {c: {kind: point, length: 4.5}}\nvehicles: [{model: c, x: 0}]\n",
                      &error));
    assert_non_null(strstr(error.file, "roads/circuit.xodr"));
    assert_true(error.line == 1 && strstr(error.text, "outside of a section"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_says),
        cmocka_unit_test(files),
        cmocka_unit_test(rejected),
        cmocka_unit_test(mistake_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
