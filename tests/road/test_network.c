// test_network.c - ramps, lanes that begin and end, bank, an uneven surface: what a road answers.
#include "road/network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const road_piece line[] = {
    {600.0, 0.0, 0.0},         {100.0, 0.0, 1.0 / 400.0}, {300.0, 1.0 / 400.0, 1.0 / 400.0},
    {100.0, 1.0 / 400.0, 0.0}, {900.0, 0.0, 0.0},
};
// An on-ramp: a quarter of a circle to the right, a clothoid and a straight that meet the road.
static const road_piece up[] = {
    {94.2477796076938, -1.0 / 60.0, -1.0 / 60.0}, {40.0, -1.0 / 60.0, 0.0}, {10.0, 0.0, 0.0}};
static const road_piece down[] = {{60.0, 0.0, -1.0 / 80.0}, {100.0, -1.0 / 80.0, -1.0 / 80.0}};
static const road_stretch climb[] = {{0.0, 100.0, 0.05, 20.0}};
static const road_ramp ramps[] = {
    {"on1", true, false, 200.0, 250.0, 60.0, 3.5, 20.0, up, 3, climb, 1, {0}},
    {"off1", false, true, 1500.0, 150.0, 70.0, 3.5, 16.0, down, 2, NULL, 0, {0}},
};
static const road_lane_stretch lanes[] = {
    {2, 900.0, 1300.0, 0.0, 100.0, 50.0, NAN, NAN, NAN, -1, -1},
    {0, 0.0, 700.0, NAN, 0.0, 0.0, 33.0, 0.6, 60.0, MC_ROAD_AUTOMATED, MC_ROAD_MANUAL},
};
static const road_poly banks[] = {
    {0.0, 0.0, 0.0, 0.0, 0.0}, {600.0, 0.0, 0.05 / 100.0, 0.0, 0.0}, {700.0, 0.05, 0.0, 0.0, 0.0}};

typedef struct made {
    arena memory;
    road r;
    mc_status status;
    road_fault fault;
    mc_error error;
} made;

static made make(road_plan plan)
{
    made m = {0};
    assert_int_equal(
        road_make(&m.memory, plan.lane_count, plan.lane_width, NULL, 0, NULL, 0, &m.r, &m.error),
        MC_OK);
    const road_network *net = NULL;
    m.status = road_network_make(&m.memory, &plan, &m.r, &net, &m.fault, &m.error);
    m.r.net = net;
    return m;
}

static road_plan freeway(void)
{
    return (road_plan){.pieces = line,
                       .piece_count = 5,
                       .lane_count = 3,
                       .lane_width = 3.6,
                       .stretches = lanes,
                       .stretch_count = 2,
                       .bank = {banks, 3},
                       .ramps = ramps,
                       .ramp_count = 2};
}

static void finds_paths(void **unused)
{
    (void)unused;
    made m = make(freeway());
    if (m.status != MC_OK)
        print_error("%s\n", m.error.text);
    assert_int_equal(m.status, MC_OK);
    assert_int_equal(mc_road_path_count(&m.r), 3);
    mc_road_path path;
    assert_true(mc_road_path_at(&m.r, 1, &path));
    assert_string_equal(path.name, "on1");
    assert_true(path.arc_count == 1 && path.clothoid_count == 1 && path.line_count == 1);
    assert_false(mc_road_path_at(&m.r, 3, &path));
    // What is placed is found again, on the path it was placed on.
    for (int k = 0; k < 3; k++) {
        mc_road_path_at(&m.r, k, &path);
        for (double s = 0.5; s < path.length; s += 3.0) {
            double x, y, heading;
            mc_road_point p;
            mc_road_place(&m.r, k, s, 0.4, &x, &y, &heading);
            mc_road_on(&m.r, k, x, y, s + 1.0, &p);
            assert_int_equal(p.path, k);
            assert_true(fabs(p.station - s) < 1e-10 && fabs(p.offset - 0.4) < 1e-10);
            assert_true(fabs(p.heading - heading) < 1e-12);
            mc_road_at(&m.r, x, y, NAN, &p);
            if (k == 0)
                assert_true(p.path == 0 && fabs(p.station - s) < 1e-10 && p.lane == 0);
        }
    }
    // Where the ramp is alone it is found without being told.
    double x, y, heading;
    mc_road_point p;
    mc_road_place(&m.r, 1, 20.0, 0.0, &x, &y, &heading);
    mc_road_at(&m.r, x, y, NAN, &p);
    assert_true(p.path == 1 && p.lane == 0 && fabs(p.station - 20.0) < 1e-10);
    mc_road_at(&m.r, x, y, 100.0, &p);
    assert_true(p.path == 1);
    arena_free(&m.memory);
}

static void ramps_meet(void **unused)
{
    (void)unused;
    made m = make(freeway());
    assert_int_equal(mc_road_ramp_count(&m.r), 2);
    for (int k = 0; k < 2; k++) {
        mc_road_ramp ramp;
        mc_road_path path;
        assert_true(mc_road_ramp_at(&m.r, k, &ramp));
        mc_road_path_at(&m.r, ramp.path, &path);
        assert_int_equal(ramp.lane, 3);
        // The reference line of the ramp meets the middle of the additional lane, tangentially.
        double width, x, y, heading;
        const double inside = ramp.on ? ramp.at : ramp.at - 1e-9;
        const double centre = mc_road_lane_centre(&m.r, 0, 3, inside, &width);
        assert_true(fabs(width - 3.5) < 1e-9 && fabs(centre + 9.0 + 1.75) < 1e-9);
        mc_road_place(&m.r, ramp.path, ramp.on ? path.length : 0.0, 0.0, &x, &y, &heading);
        mc_road_point p;
        mc_road_on(&m.r, 0, x, y, ramp.at, &p);
        assert_true(fabs(p.station - ramp.at) < 1e-10 && fabs(p.offset - centre) < 1e-8);
        assert_true(fabs(heading - p.heading) < 1e-12);
        // At the nose, and not before, the edges are a metre apart.
        mc_road_lane edge;
        mc_road_lane_at(&m.r, ramp.path, 0, ramp.ramp_nose, &edge);
        mc_road_place(&m.r, ramp.path, ramp.ramp_nose, edge.centre + 0.5 * edge.width, &x, &y,
                      &heading);
        mc_road_on(&m.r, 0, x, y, ramp.nose, &p);
        assert_true(fabs(p.station - ramp.nose) < 1e-6 && fabs(p.offset + 9.0 + 1.0) < 1e-6);
    }
    mc_road_ramp ramp;
    mc_road_ramp_at(&m.r, 0, &ramp);
    assert_true(ramp.from == 200.0 && ramp.to == 510.0 && ramp.nose < 200.0 && ramp.nose > 150.0);
    mc_road_ramp_at(&m.r, 1, &ramp);
    assert_true(ramp.from == 1280.0 && ramp.to == 1500.0 && ramp.nose > 1500.0 && ramp.connector);
    assert_false(mc_road_ramp_at(&m.r, 2, &ramp));
    arena_free(&m.memory);
}

static void lanes_begin_and_end(void **unused)
{
    (void)unused;
    made m = make(freeway());
    double width;
    assert_true(mc_road_lane_centre(&m.r, 0, 2, 100.0, &width) == -7.2 && width == 3.6);
    assert_true(isnan(mc_road_lane_centre(&m.r, 0, 2, 1100.0, &width)) && width == 0.0);
    assert_true(isnan(mc_road_lane_centre(&m.r, 0, 7, 1100.0, &width)));
    mc_road_lane_centre(&m.r, 0, 2, 950.0, &width);
    assert_true(fabs(width - 1.8) < 1e-12); // in the middle of the taper
    // Widths change smoothly, but for the start of the acceleration lane.
    for (double s = 0.0; s < 1999.0; s += 0.5)
        for (int k = 0; k < 3; k++) {
            double before, after;
            mc_road_lane_centre(&m.r, 0, k, s, &before);
            mc_road_lane_centre(&m.r, 0, k, s + 0.5, &after);
            assert_true(fabs(after - before) < 1.5 * 3.6 / 50.0 * 0.5 + 1e-12);
        }
    mc_road_lane lane;
    assert_true(mc_road_lane_at(&m.r, 0, 0, 300.0, &lane));
    assert_true(lane.speed == 33.0 && lane.headway == 0.6 && lane.separation == 60.0);
    assert_true(lane.use == MC_ROAD_AUTOMATED && lane.enter == MC_ROAD_MANUAL);
    assert_true(mc_road_lane_at(&m.r, 0, 0, 800.0, &lane) && isnan(lane.speed));
    mc_road_point p;
    mc_road_on(&m.r, 0, 300.0, -10.0, NAN, &p);
    assert_int_equal(p.lane, 3);
    mc_road_on(&m.r, 0, 100.0, -10.0, NAN, &p);
    assert_int_equal(p.lane, -1);
    arena_free(&m.memory);
}

// Bank tilts the normal and raises the left side; gravity in the surface follows from the normal.
static void banked(void **unused)
{
    (void)unused;
    static const double v[3] = {-10.0, 0.0, 10.0};
    static const double z[6] = {0.0, 0.0, 0.0, 0.4, 0.2, 0.0};
    const road_surface ramp = {.rows = 2,
                               .columns = 3,
                               .from = 0.0,
                               .step = 100.0,
                               .v = v,
                               .z = z,
                               .border_u = ROAD_BORDER_ZERO,
                               .border_v = ROAD_BORDER_KEEP};
    road_plan plan = freeway();
    plan.surface = &ramp;
    made m = make(plan);
    double x, y, heading;
    mc_road_point p;
    mc_road_place(&m.r, 0, 800.0, 2.0, &x, &y, &heading);
    mc_road_on(&m.r, 0, x, y, 800.0, &p);
    assert_true(fabs(p.bank - 0.05) < 1e-15 && p.grade == 0.0);
    assert_true(fabs(p.normal[1] + sin(0.05)) < 1e-15 && fabs(p.normal[2] - cos(0.05)) < 1e-15);
    assert_true(fabs(p.height - 2.0 * sin(0.05)) < 1e-12);
    assert_true(fabs(p.curvature - 1.0 / 400.0) < 1e-15);
    // z = 0.2 m (1 - v/10 m) u/100 m
    mc_road_on(&m.r, 0, 50.0, 5.0, NAN, &p);
    assert_true(fabs(p.height - 0.05) < 1e-15);
    assert_true(fabs(p.normal[0] / p.normal[2] + 0.001) < 1e-15);
    assert_true(fabs(p.normal[1] / p.normal[2] - 0.01) < 1e-15);
    const double size =
        p.normal[0] * p.normal[0] + p.normal[1] * p.normal[1] + p.normal[2] * p.normal[2];
    assert_true(fabs(size - 1.0) < 1e-15);
    // The ramp meets the road at the height that the road has there.
    mc_road_point end;
    mc_road_place(&m.r, 1, 1e9, 0.0, &x, &y, &heading);
    mc_road_path path;
    mc_road_path_at(&m.r, 1, &path);
    mc_road_place(&m.r, 1, path.length, 0.0, &x, &y, &heading);
    mc_road_on(&m.r, 1, x, y, path.length, &end);
    assert_true(fabs(end.height) < 1e-12);
    mc_road_place(&m.r, 1, 0.0, 0.0, &x, &y, &heading);
    mc_road_on(&m.r, 1, x, y, 0.0, &end);
    assert_true(end.height < -3.9 && end.height > -5.0); // 100 m of climb, two transitions
    arena_free(&m.memory);
}

// A network that is one straight answers as a road without one does, to the bit.
static void straight_is_straight(void **unused)
{
    (void)unused;
    made plain = make((road_plan){.lane_count = 3, .lane_width = 3.4});
    road bare = plain.r;
    bare.net = NULL;
    for (double x = -2000.0; x < 9000.0; x += 37.3)
        for (double y = -9.0; y < 3.0; y += 0.7) {
            mc_road_point a, b;
            mc_road_at(&plain.r, x, y, NAN, &a);
            mc_road_at(&bare, x, y, x - 1.0, &b);
            assert_true(a.station == b.station && a.offset == b.offset && a.heading == 0.0);
            assert_true(a.height == b.height && a.friction == b.friction && a.path == 0);
            assert_int_equal(a.lane, b.lane);
        }
    arena_free(&plain.memory);
}

static void rejected(void **unused)
{
    (void)unused;
    static const road_piece along[] = {{100.0, 0.0, 0.0}};
    static const road_piece left[] = {{200.0, 0.0, 1.0 / 100.0}};
    static const road_lane_stretch gone[] = {
        {0, 100.0, 300.0, 0.0, 50.0, 50.0, NAN, NAN, NAN, -1, -1}};
    static const road_lane_stretch twice[] = {
        {0, 100.0, 300.0, 3.0, 50.0, 50.0, NAN, NAN, NAN, -1, -1},
        {0, 250.0, 400.0, 3.0, 50.0, 50.0, NAN, NAN, NAN, -1, -1}};
    static const road_lane_stretch none[] = {
        {5, 100.0, 300.0, 3.0, 50.0, 50.0, NAN, NAN, NAN, -1, -1}};
#define RAMP(on, at, pieces, count)                                                                \
    {                                                                                              \
        "r", on, false, at, 100.0, 50.0, 3.5, NAN, pieces, count, NULL, 0,                         \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
    static const road_ramp late[] = {RAMP(true, 2500.0, up, 3)};
    static const road_ramp long_lane[] = {RAMP(true, 1900.0, up, 3)};
    static const road_ramp early[] = {RAMP(false, 100.0, down, 2)};
    static const road_ramp close[] = {RAMP(true, 300.0, up, 3), RAMP(false, 500.0, down, 2)};
    static const road_ramp beside[] = {RAMP(true, 300.0, along, 1)};
    static const road_ramp wrong[] = {RAMP(false, 400.0, left, 1)};
    static const struct {
        int stretch_count, ramp_count;
        const road_lane_stretch *stretches;
        const road_ramp *ramps;
        int what, index;
        const char *text;
    } cases[] = {
        {1, 0, gone, NULL, ROAD_FAULT_LINE, 0,
         "all lanes end: there is none left from 150 to 250 m"},
        {2, 0, twice, NULL, ROAD_FAULT_STRETCH, 1, "lane 1 has two widths from 250 to 300 m"},
        {1, 0, none, NULL, ROAD_FAULT_STRETCH, 0, "lane 6 does not exist; the road has 1"},
        {0, 1, NULL, late, ROAD_FAULT_RAMP, 0,
         "ramp r is at 2500 m; expected 0 .. 2000 m, the length of the road"},
        {0, 1, NULL, long_lane, ROAD_FAULT_RAMP, 0,
         "the acceleration lane of ramp r goes from 1900 to 2050 m; expected within 0 .. 2000 m, "
         "the length of the road"},
        {0, 1, NULL, early, ROAD_FAULT_RAMP, 0,
         "the deceleration lane of ramp r goes from -50 to 100 m; expected within 0 .. 2000 m, the "
         "length of the road"},
        {0, 2, NULL, close, ROAD_FAULT_RAMP, 1,
         "the lanes of ramps r and r overlap from 350 to 450 m"},
        {0, 1, NULL, beside, ROAD_FAULT_RAMP, 0,
         "the ramp stays within 1 m of the road on all of its 100 m; expected one that leaves it"},
        {0, 1, NULL, wrong, ROAD_FAULT_RAMP, 0,
         "the ramp crosses the lanes of the road at its station 39.5 m; expected one that stays to "
         "the right"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        road_plan plan = freeway();
        plan.lane_count = 1;
        plan.stretches = cases[k].stretches;
        plan.stretch_count = cases[k].stretch_count;
        plan.ramps = cases[k].ramps;
        plan.ramp_count = cases[k].ramp_count;
        made m = make(plan);
        assert_int_equal(m.status, MC_BAD_INPUT);
        assert_string_equal(m.error.text, cases[k].text);
        assert_int_equal(m.fault.what, cases[k].what);
        assert_int_equal(m.fault.index, cases[k].index);
        arena_free(&m.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_paths),          cmocka_unit_test(ramps_meet),
        cmocka_unit_test(lanes_begin_and_end),  cmocka_unit_test(banked),
        cmocka_unit_test(straight_is_straight), cmocka_unit_test(rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
