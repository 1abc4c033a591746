// test_convert.c - `motorcade convert`: every ending, the notes, what it rejects, and the motion it
// writes compared with that of the run.
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

#define FILES SOURCE_DIR "/scenarios/exchange/"

static void scenarios(void **state)
{
    (void)state;
    char *out = cli_done("convert " FILES "freeway.sumocfg -o freeway.yaml");
    cli_has(out, "edge street is not part of the road");
    cli_has(out, "freeway.yaml: SUMO configuration; ");
    free(out);
    free(cli_done("check freeway.yaml"));
    out = cli_done("convert " FILES "overtake.xosc -o overtake.yaml -q");
    assert_string_equal(out, "");
    free(out);
    out = cli_done("check overtake.yaml"); // finds its road from another folder
    cli_has(out, "3 vehicles");
    free(out);
    out = cli_done("convert " FILES "bend_commonroad.xml -o bend.yaml --end 4");
    cli_has(out, "3 lanes, 4 s");
    free(out);
    out = cli_done("check " FILES "freeway.sumocfg " FILES "overtake.xosc " FILES
                   "bend_commonroad.xml");
    cli_has(out, "freeway.sumocfg: SUMO configuration; ");
    cli_has(out, "overtake.xosc: OpenSCENARIO; 3 vehicles, 2 lanes, 4 events, 40 s");
    free(out);
}

static void roads(void **state)
{
    (void)state;
    char *out = cli_done("convert " SOURCE_DIR "/scenarios/merge.yaml -o merge.xodr");
    cli_has(out, "note: ramp Vermont is a road of its own");
    free(out);
    out = cli_done("road merge.xodr");
    cli_has(out, "on-ramp Vermont at ");
    free(out);
    free(cli_done("convert " SOURCE_DIR "/scenarios/roads/bend.crg -o bend.crg --form LDFI"));
    out = cli_done("road bend.crg");
    cli_has(out, "OpenCRG LDFI");
    free(out);
}

// ---- motion ----

// The value of an attribute of the vehicle in the timestep.
static double attribute(const char *text, const char *time, const char *id, const char *name)
{
    char step[64], vehicle[64], key[32];
    snprintf(step, sizeof step, "<timestep time=\"%s\">", time);
    snprintf(vehicle, sizeof vehicle, "<vehicle id=\"%s\"", id);
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(text, step);
    at = at ? strstr(at, vehicle) : NULL;
    at = at ? strstr(at, key) : NULL;
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static char *read_all(const char *name)
{
    FILE *f = fopen(cli_path(name), "r");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    char *text = calloc((size_t)size + 1, 1);
    rewind(f);
    assert_int_equal(fread(text, 1, (size_t)size, f), size);
    fclose(f);
    return text;
}

// A car at 20 m/s that is 5 m long: straight ahead for 100 m, then round a quarter of R = 100 m.
static void motion(void **state)
{
    (void)state;
    run_put(
        &folder, "bend.yaml",
        "motorcade: scenario\ntime: {end: 10, step: 0.1}\nroad: {lanes: 2, lane_width: 4, line: "
        "[{straight: 100}, {arc: 157.0796, radius: 100}, {straight: 100}]}\n"
        "models: {car: {kind: point, length: 5}}\ncontrollers: {c: {law: cruise}}\n"
        "vehicles: [{name: a, model: car, controller: c, profile: 20, lane: 1, x: 50}, {name: "
        "b, model: car, controller: c, profile: 20, lane: 2, x: 20}]\n");
    free(cli_done("run bend.yaml -o bend.h5"));
    free(cli_done("convert bend.h5 -o bend.xml --every 1"));
    char *text = read_all("bend.xml");
    cli_has(text, "<fcd-export>");
    cli_near(attribute(text, "1.000", "a", "pos"), 72.5, 0.01);
    cli_near(attribute(text, "1.000", "a", "x"), 72.5, 0.01);
    cli_near(attribute(text, "1.000", "b", "y"), -4.0, 0.01);
    cli_near(attribute(text, "1.000", "a", "angle"), 90.0, 0.01); // east, as SUMO counts
    cli_near(attribute(text, "1.000", "a", "speed"), 20.0, 1e-3);
    assert_non_null(strstr(text, "lane=\"main_1\"") && strstr(text, "lane=\"main_0\"") ? text
                                                                                       : NULL);
    // At station 250 m minus a little: 92.92 m along the arc at 7 s.
    const double turn = (190.0 - 100.0) / 100.0;
    cli_near(attribute(text, "7.000", "a", "angle"), 90.0 - turn * 180.0 / M_PI, 1.0);
    cli_near(attribute(text, "7.000", "a", "x"), 100.0 + 100.0 * sin(turn) + 2.5 * cos(turn), 0.5);
    cli_near(attribute(text, "7.000", "a", "y"), 100.0 * (1.0 - cos(turn)) + 2.5 * sin(turn), 0.5);
    free(text);
    free(cli_done("convert bend.h5 -o bend.csv --every 5"));
    text = read_all("bend.csv");
    cli_has(text, "timestep_time;vehicle_angle;vehicle_id;vehicle_lane;vehicle_pos;");
    cli_has(text, "\n0.000;90.00;a;main_1;52.500;0.00;20.000;car;52.500;0.000;0.000\n");
    free(text);
}

static void wrong_words(void **state)
{
    (void)state;
    cli_rejected_with("convert", 2, "no file to convert");
    cli_rejected_with("convert a.xosc", 2, "no file to write (-o)");
    cli_rejected_with("convert a.xosc -o a.doc", 2,
                      "the ending of \"a.doc\" is unknown; expected .yaml, .xodr, .crg, .xml");
    cli_rejected_with("convert nowhere.xosc -o a.yaml", 2,
                      "nowhere.xosc: cannot be read: No such file or directory");
    cli_rejected_with("convert " FILES "overtake.xosc -o a.yaml --from sumo", 2,
                      "overtake.xosc:2:1: found <OpenSCENARIO>; expected <net>");
    cli_rejected_with("convert " FILES "overtake.xosc -o a.yaml --from gpx", 2,
                      "unknown format \"gpx\"; expected sumo, sumocfg, commonroad or openscenario");
    cli_rejected_with("convert " SOURCE_DIR "/scenarios/merge.yaml -o a.crg", 2, "no surface");
    run_put(&folder, "own.xosc", "<OpenSCENARIO/>");
    cli_rejected_with("convert own.xosc -o own.xosc --to scenario", 2, "own.xosc");
    char *out = cli_done("convert -h");
    cli_has(out, "usage: motorcade convert FILE -o OUT");
    cli_has(out, ".net.xml");
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios),
        cmocka_unit_test(roads),
        cmocka_unit_test(motion),
        cmocka_unit_test(wrong_words),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
