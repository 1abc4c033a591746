// test_exchange.c - the files of scenarios/exchange: read, driven, and compared with what they say.
#include "motorcade/exchange.h"
#include "motorcade/road.h"
#include "motorcade/run.h"
#include "motorcade/scenario.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define FILES SOURCE_DIR "/scenarios/exchange/"
#define NEAR(a, b, tolerance)                                                                      \
    do {                                                                                           \
        if (!(fabs((a) - (b)) <= (tolerance)))                                                     \
            print_error("%.9g, expected %.9g\n", (double)(a), (double)(b));                        \
        assert_true(fabs((a) - (b)) <= (tolerance));                                               \
    } while (0)

static mc_exchange *read_file(const char *path, const mc_exchange_options *options)
{
    mc_error error = {0};
    mc_exchange *e = mc_exchange_read(path, options, &error);
    if (!e)
        print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    assert_non_null(e);
    return e;
}

static mc_scenario *scenario_of(const mc_exchange *e, const char *path)
{
    mc_error error = {0};
    mc_scenario *s = mc_scenario_parse(mc_exchange_text(e), mc_exchange_size(e), path, &error);
    if (!s)
        print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    assert_non_null(s);
    return s;
}

static bool is_noted(const mc_exchange *e, const char *part, int at)
{
    const char *file, *text;
    int line;
    for (int k = 0; mc_exchange_note(e, k, &file, &line, &text); k++)
        if (strstr(text, part) && (at < 0 || line == at))
            return true;
    return false;
}

static mc_run *run_of(const mc_scenario *s)
{
    mc_error error = {0};
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    if (!run)
        print_error("%s\n", error.text);
    assert_non_null(run);
    return run;
}

static void run_to(mc_run *run, double t)
{
    mc_error error = {0};
    while (mc_run_time(run) < t - 1e-6) {
        const mc_status status = mc_run_step(run, &error);
        if (status != MC_OK)
            print_error("%.3f s: %s\n", mc_run_time(run), error.text);
        assert_int_equal(status, MC_OK);
    }
}

static mc_motion look(const mc_run *run, const char *name)
{
    mc_run_view v;
    const int k = mc_run_find(run, name);
    assert_true(k >= 0);
    mc_run_look(run, k, &v);
    return v.motion;
}

// ---- SUMO ----

static void sumo(void **unused)
{
    (void)unused;
    mc_exchange *e = read_file(FILES "freeway.sumocfg", NULL);
    assert_string_equal(mc_exchange_format(e), "SUMO configuration");
    assert_true(is_noted(e, "edge street is not part of the road", 57));
    assert_true(is_noted(e, "person is not read (1 element)", 6));
    assert_true(is_noted(e, "lcStrategic is not read", 3));
    assert_true(is_noted(e, "times count from the first departure, at 5 s", 7));
    assert_true(is_noted(e, "1 vehicle or flows are not read", 14));
    mc_scenario *s = scenario_of(e, FILES "freeway.yaml");
    const mc_road *road = mc_scenario_road(s);
    mc_road_path main;
    mc_road_path_at(road, 0, &main);
    // Lengths of the edges and of the lanes inside of junctions, by netconvert.
    NEAR(main.length, 590.96 + 3.30 + 399.12 + 5.0 + 218.0 + 400.0 + 550.0, 40.0);
    assert_int_equal(main.lane_count, 3); // two, and the lane of the ramps
    assert_int_equal(mc_road_ramp_count(road), 2);
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(road, k, &ramp); k++) {
        assert_string_equal(ramp.name, ramp.on ? "entry" : "exit");
        NEAR(ramp.at, ramp.on ? 598.2 : 1674.0, 1.0);
        NEAR(ramp.to - ramp.from, ramp.on ? 406.0 : 419.0, 2.0);
    }
    mc_road_lane lane;
    assert_true(mc_road_lane_at(road, 0, 0, 1400.0, &lane) && lane.speed == 27.78);
    assert_true(mc_road_lane_at(road, 0, 0, 1000.0, &lane) && isnan(lane.speed));
    // It drives: flows enter, the guest leaves by the exit, no car hits another.
    mc_run *run = run_of(s);
    NEAR(look(run, "first").x, 57.5, 0.01);
    run_to(run, 10.0);
    assert_true(mc_run_find(run, "trucks1") >= 0 && mc_run_find(run, "guest_7") >= 0);
    run_to(run, 100.0);
    int impacts;
    mc_run_impacts(run, &impacts);
    assert_int_equal(impacts, 0);
    // 1200 per hour for 85 s on two lanes, one truck every 20 s, and what chance lets merge.
    const mc_run_counts counts = mc_run_counts_of(run);
    assert_true(counts.entered >= 28 + 5 + 3 && counts.entered <= 30 + 5 + 20);
    assert_true(mc_run_find(run, "guest_7") < 0 && counts.left > 3);
    mc_run_destroy(run);
    mc_scenario_free(s);
    mc_exchange_free(e);
}

// A network alone gets one car; an edge can be chosen.
static void network_alone(void **unused)
{
    (void)unused;
    mc_exchange *e = read_file(FILES "freeway.net.xml", NULL);
    assert_true(is_noted(e, "no vehicle was read", -1));
    mc_scenario *s = scenario_of(e, FILES "freeway.yaml");
    assert_int_equal(mc_scenario_info_of(s)->vehicle_count, 1);
    mc_scenario_free(s);
    mc_exchange_free(e);
    // Through the exit: two lanes end there, the third one continues.
    e = read_file(FILES "freeway.net.xml", &(mc_exchange_options){.through = "exit"});
    assert_true(is_noted(e, "edge far is not part of the road", -1));
    s = scenario_of(e, FILES "freeway.yaml");
    mc_road_path main;
    const mc_road *road = mc_scenario_road(s);
    mc_road_lane lane;
    mc_road_path_at(road, 0, &main);
    NEAR(main.length, 1674.0 + 200.0, 30.0);
    assert_true(mc_road_lane_at(road, 0, 0, 1000.0, &lane));
    assert_false(mc_road_lane_at(road, 0, 0, main.length - 90.0, &lane));
    assert_true(mc_road_lane_at(road, 0, 2, main.length - 90.0, &lane) && lane.width > 3.1);
    mc_scenario_free(s);
    mc_exchange_free(e);
    mc_error error = {0};
    e = mc_exchange_read(FILES "freeway.net.xml", &(mc_exchange_options){.through = "street"},
                         &error);
    assert_null(e);
    assert_non_null(strstr(error.text, "the road turns with a radius of 1.8 m"));
    e = mc_exchange_read(FILES "freeway.net.xml", &(mc_exchange_options){.through = "nowhere"},
                         &error);
    assert_null(e);
    assert_non_null(strstr(error.text, "there is no edge \"nowhere\""));
}

// ---- CommonRoad ----

static void commonroad(void **unused)
{
    (void)unused;
    mc_exchange *e = read_file(FILES "bend_commonroad.xml", NULL);
    assert_true(is_noted(e, "obstacle 33 does not drive along the road", -1));
    assert_true(is_noted(e, "1 lanelet is not part of the road", -1));
    assert_true(is_noted(e, "the goal of planning problem 500", -1));
    mc_scenario *s = scenario_of(e, FILES "bend.yaml");
    assert_int_equal(mc_scenario_info_of(s)->lane_count, 3);
    mc_run *run = run_of(s);
    NEAR(look(run, "ego").x, 20.0, 0.01);
    NEAR(look(run, "ego").v, 20.0, 1e-9);
    // Obstacle 31 brakes from 25 to 18 m/s between 3 and 6 s, 32 changes from lane 2 to lane 1
    // between 1 and 5 s at 22 m/s.
    run_to(run, 3.0);
    NEAR(look(run, "v31").x, 60.0 + 75.0, 0.05);
    const double y = look(run, "v32").y;
    assert_true(y < -0.3 && y > -3.2); // on its way
    run_to(run, 6.0);
    NEAR(look(run, "v31").x, 60.0 + 75.0 + 64.5, 0.1);
    NEAR(look(run, "v31").v, 18.0, 0.05);
    run_to(run, 8.0);
    NEAR(look(run, "v31").x, 60.0 + 75.0 + 64.5 + 36.0, 0.1);
    NEAR(look(run, "v32").x, 30.0 + 22.0 * 8.0, 0.2); // its way is a little longer
    NEAR(look(run, "v32").y, 0.0, 0.3);
    mc_run_destroy(run);
    mc_scenario_free(s);
    mc_exchange_free(e);
}

// ---- OpenSCENARIO ----

static void openscenario(void **unused)
{
    (void)unused;
    mc_exchange *e = read_file(FILES "overtake.xosc", NULL);
    assert_true(is_noted(e, "VisibilityAction is not read", 75));
    assert_true(is_noted(e, "catalogs are not read", 26));
    assert_non_null(strstr(mc_exchange_text(e), "file: \"two_lanes.xodr\""));
    mc_scenario *s = scenario_of(e, FILES "overtake.yaml");
    NEAR(mc_scenario_info_of(s)->end, 40.0, 1e-9);
    mc_run *run = run_of(s);
    // Reference points are at 50 and 170 m, the middles of the boxes 1.4 and 1.5 m ahead.
    NEAR(look(run, "Ego").x, 51.4, 1e-9);
    NEAR(look(run, "Slow").x, 171.5, 1e-9);
    // 115.2 m between the bumpers, closing at 10 m/s: 60 m are left after 5.52 s.
    run_to(run, 5.5);
    NEAR(look(run, "Ego").y, -5.25, 1e-6);
    run_to(run, 7.5);
    assert_true(look(run, "Ego").y > -4.5 && look(run, "Ego").y < -2.5);
    run_to(run, 9.55); // 4 s later it is in the other lane
    NEAR(look(run, "Ego").y, -1.75, 0.1);
    // Then it accelerates with 1.5 m/s^2 to 30 m/s.
    run_to(run, 11.5);
    NEAR(look(run, "Ego").v, 25.0 + 1.5 * (11.5 - 9.52), 0.05);
    run_to(run, 13.0);
    NEAR(look(run, "Ego").v, 30.0, 0.05);
    // 520 m after its start, and a second later, it goes back within 120 m.
    const double back = 9.52 + 10.0 / 3.0 + (520.0 - 25.0 * 9.52 - 27.5 * 10.0 / 3.0) / 30.0 + 1.0;
    run_to(run, back - 0.1);
    NEAR(look(run, "Ego").y, -1.75, 0.05);
    run_to(run, back + 4.1);
    NEAR(look(run, "Ego").y, -5.25, 0.1);
    // Slow is at 600 m at (600 - 170)/15 s; there Third is at 560 m with 18 m/s.
    run_to(run, 430.0 / 15.0);
    NEAR(look(run, "Slow").x, 601.5, 0.8);
    NEAR(look(run, "Third").x - look(run, "Slow").x, 561.4 - 601.5, 0.5);
    NEAR(look(run, "Third").v, 18.0, 0.2);
    mc_run_destroy(run);
    mc_scenario_free(s);
    mc_exchange_free(e);
}

static void formats(void **unused)
{
    (void)unused;
    mc_exchange_format_info f;
    int count = 0;
    for (; mc_exchange_format_at(count, &f); count++)
        assert_true(f.name[0] && f.word[0] && f.ending[0] == '.' && f.doc[0]);
    assert_int_equal(count, 4);
    assert_true(mc_exchange_knows("a/b.net.xml") && mc_exchange_knows("c.xosc"));
    assert_false(mc_exchange_knows("scenario.yaml") || mc_exchange_knows(".xml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sumo),       cmocka_unit_test(network_alone),
        cmocka_unit_test(commonroad), cmocka_unit_test(openscenario),
        cmocka_unit_test(formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
