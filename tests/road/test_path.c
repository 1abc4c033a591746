// test_path.c - reference lines: against tables of Fresnel's integrals, and a slow integration of
// their definition in long double.
#include "road/path.h"
#include "support/series.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static road_path make(arena *memory, road_pose start, const road_piece *pieces, int count,
                      bool closed)
{
    road_path path;
    mc_error error = {0};
    const mc_status status = road_path_make(memory, start, pieces, count, closed, &path, &error);
    if (status != MC_OK)
        print_error("%s\n", error.text);
    assert_int_equal(status, MC_OK);
    return path;
}

// With curvature pi s from 0 the clothoid passes through (C(s), S(s)): Abramowitz and Stegun, table
// 7.7.
static void fresnel(void **unused)
{
    (void)unused;
    static const struct {
        double s, c, n;
    } table[] = {
        {0.5, 0.4923442258714464, 0.0647324328599993},
        {1.0, 0.7798934003768228, 0.4382591473903548},
        {1.5, 0.4452611760398215, 0.6975049600820930},
        {2.0, 0.4882534060753408, 0.3434156783636982},
        {5.0, 0.5636311887040122, 0.4991913819171169},
    };
    arena memory = {0};
    const road_piece piece = {5.0, 0.0, 5.0 * PI};
    const road_path path = make(&memory, (road_pose){0}, &piece, 1, false);
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        const road_pose p = road_path_place(&path, table[k].s, 0.0);
        assert_true(fabs(p.x - table[k].c) < 2e-14 && fabs(p.y - table[k].n) < 2e-14);
        assert_true(fabs(p.heading - 0.5 * PI * table[k].s * table[k].s) < 1e-13);
    }
    arena_free(&memory);
}

// ---- an integration that shares nothing with the library ----

typedef struct judge {
    const road_piece *pieces;
    int count;
    long double x[64], y[64], heading[64]; // at the start of each piece
} judge;

static long double heading_in(const road_piece *p, long double t)
{
    return p->k0 * t + ((long double)p->k1 - p->k0) / p->length * t * t / 2.0L;
}

// Integral over 0 .. t by Gauss' rule of three points on short steps.
static void advance(const judge *j, int k, long double t, long double *x, long double *y)
{
    const long double root = sqrtl(0.6L);
    const int n = 1 + (int)(fabsl(t) / 0.5L);
    long double sx = 0.0L, sy = 0.0L;
    for (int i = 0; i < n; i++) {
        const long double h = t / n, middle = (i + 0.5L) * h;
        const long double at[3] = {middle - 0.5L * h * root, middle, middle + 0.5L * h * root};
        const long double weight[3] = {5.0L / 18.0L, 8.0L / 18.0L, 5.0L / 18.0L};
        for (int m = 0; m < 3; m++) {
            const long double a = j->heading[k] + heading_in(&j->pieces[k], at[m]);
            sx += weight[m] * h * cosl(a);
            sy += weight[m] * h * sinl(a);
        }
    }
    *x = j->x[k] + sx;
    *y = j->y[k] + sy;
}

static judge judge_of(road_pose start, const road_piece *pieces, int count)
{
    judge j = {.pieces = pieces, .count = count};
    j.x[0] = start.x, j.y[0] = start.y, j.heading[0] = start.heading;
    for (int k = 0; k < count; k++) {
        advance(&j, k, pieces[k].length, &j.x[k + 1], &j.y[k + 1]);
        j.heading[k + 1] = j.heading[k] + heading_in(&pieces[k], pieces[k].length);
    }
    return j;
}

static const road_piece freeway[] = {
    {80.0, 0.0, 0.0},
    {120.0, 0.0, 1.0 / 300.0},
    {90.0, 1.0 / 300.0, 1.0 / 300.0},
    {60.0, 1.0 / 300.0, 0.0},
    {100.0, 0.0, -1.0 / 120.0},
    {70.0, -1.0 / 120.0, -1.0 / 120.0},
    {150.0, -1.0 / 120.0, 1.0 / 60.0},
    {40.0, 1.0 / 60.0, 1.0 / 60.0},
    {50.0, 1.0 / 60.0, 0.0},
};
enum { FREEWAY = sizeof freeway / sizeof freeway[0] };
static const road_pose away = {1200.0, -340.0, 0.7};

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

// A place at a known station and offset is found there, from any hint near it and from none.
static void stations_and_offsets(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road_path path = make(&memory, away, freeway, FREEWAY, false);
    const judge j = judge_of(away, freeway, FREEWAY);
    struct {
        uint64_t seed;
        double worst_station, worst_offset, worst_heading, worst_place;
    } kept = {.seed = 5};
    series all = series_open("road stations", 1000000, &kept, sizeof kept);
    for (long i; series_next(&all, &i);) {
        const int k = (int)(uniform(&kept.seed) * FREEWAY);
        const double t = uniform(&kept.seed) * freeway[k].length;
        const double q = 30.0 * uniform(&kept.seed) - 15.0;
        const double near = 6.0 * uniform(&kept.seed) - 3.0;
        long double x, y;
        advance(&j, k, t, &x, &y);
        const long double heading = j.heading[k] + heading_in(&freeway[k], t);
        x -= q * sinl(heading);
        y += q * cosl(heading);
        double station = t;
        for (int m = 0; m < k; m++)
            station += freeway[m].length;
        road_foot foot;
        road_path_project(&path, (double)x, (double)y, i % 16 ? station + near : NAN, &foot);
        const road_pose back = road_path_place(&path, station, q);
        kept.worst_station = fmax(kept.worst_station, fabs(foot.station - station));
        kept.worst_offset = fmax(kept.worst_offset, fabs(foot.offset - q));
        kept.worst_heading = fmax(kept.worst_heading, fabs(foot.heading - (double)heading));
        kept.worst_place = fmax(kept.worst_place, hypot(back.x - (double)x, back.y - (double)y));
    }
    print_message("%ld places: station %.2g m, offset %.2g m, heading %.2g rad, place %.2g m\n",
                  all.count, kept.worst_station, kept.worst_offset, kept.worst_heading,
                  kept.worst_place);
    assert_true(kept.worst_station < 1e-11 && kept.worst_offset < 1e-11);
    assert_true(kept.worst_heading < 1e-12 && kept.worst_place < 1e-11);
    arena_free(&memory);
}

// Without a hint the nearest of all places is found: compared with every half metre of the line.
static void nearest_of_all(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road_path path = make(&memory, (road_pose){0}, freeway, FREEWAY, false);
    uint64_t seed = 11;
    for (int i = 0; i < 2000; i++) {
        const double x = 900.0 * uniform(&seed) - 100.0, y = 600.0 * uniform(&seed) - 200.0;
        road_foot foot;
        road_path_project(&path, x, y, NAN, &foot);
        const road_pose at = road_path_place(&path, foot.station, 0.0);
        const double found = hypot(at.x - x, at.y - y);
        assert_true(fabs(found - fabs(foot.offset)) < 1e-6 || foot.station < 0.0);
        for (double s = 0.0; s <= path.length; s += 0.5) {
            const road_pose p = road_path_place(&path, s, 0.0);
            assert_true(hypot(p.x - x, p.y - y) > found - 1e-9);
        }
    }
    arena_free(&memory);
}

// A ramp of radius 60 m: psi_r = s/R, and its offset circles have their radii.
static void circle(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road_piece ramp = {60.0 * PI, 1.0 / 60.0, 1.0 / 60.0};
    const road_path path = make(&memory, (road_pose){0}, &ramp, 1, false);
    for (double s = 0.01; s < path.length; s += 0.37)
        for (double q = -8.0; q <= 8.0; q += 4.0) {
            const double x = (60.0 - q) * sin(s / 60.0), y = 60.0 - (60.0 - q) * cos(s / 60.0);
            road_foot foot;
            road_path_project(&path, x, y, s - 1.0, &foot);
            assert_true(fabs(foot.station - s) < 1e-12 && fabs(foot.offset - q) < 1e-12);
            assert_true(fabs(foot.heading - s / 60.0) < 1e-14);
            assert_true(fabs(foot.curvature - 1.0 / 60.0) < 1e-16);
        }
    arena_free(&memory);
}

// Two half circles of clothoid, arc, clothoid, and two straights: a turn of 2 pi by symmetry.
static void circuit(void **unused)
{
    (void)unused;
    arena memory = {0};
    const double r = 150.0, spiral = 80.0, arc = PI * r - spiral; // half a turn together
    const road_piece pieces[] = {
        {400.0, 0.0, 0.0}, {spiral, 0.0, 1.0 / r}, {arc, 1.0 / r, 1.0 / r}, {spiral, 1.0 / r, 0.0},
        {400.0, 0.0, 0.0}, {spiral, 0.0, 1.0 / r}, {arc, 1.0 / r, 1.0 / r}, {spiral, 1.0 / r, 0.0},
    };
    const road_path path = make(&memory, (road_pose){0}, pieces, 8, true);
    print_message("closing error %.2g m, %.2g rad\n", hypot(path.end.x, path.end.y),
                  fabs(path.end.heading - 2.0 * PI));
    assert_true(hypot(path.end.x, path.end.y) < 1e-12);
    assert_true(fabs(path.end.heading - 2.0 * PI) < 1e-14);
    // Round it three times with the station of the step before: it begins again at 0.
    double hint = 0.0;
    for (double s = 0.0; s < 3.0 * path.length; s += 1.7) {
        const road_pose at = road_path_place(&path, s, 1.5);
        road_foot foot;
        road_path_project(&path, at.x, at.y, hint, &foot);
        const double expected = fmod(s, path.length);
        const double off = fabs(foot.station - expected);
        assert_true(fmin(off, path.length - off) < 1e-10 && fabs(foot.offset - 1.5) < 1e-11);
        assert_true(foot.station >= 0.0 && foot.station < path.length);
        hint = foot.station;
    }
    arena_free(&memory);
}

// The x axis itself is answered to the bit; an open path continues straight beyond its ends.
static void straight(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road_piece two[] = {{100.0, 0.0, 0.0}, {300.0, 0.0, 0.0}};
    const road_path axis = make(&memory, (road_pose){0}, two, 2, false);
    road_foot foot;
    for (double x = -1e6; x < 1e6; x += 12345.678901) {
        road_path_project(&axis, x, 0.3 * x, NAN, &foot);
        assert_true(foot.station == x && foot.offset == 0.3 * x && foot.heading == 0.0);
    }
    const road_path path = make(&memory, away, freeway, FREEWAY, false);
    const double places[] = {-5000.0, -3.0, -1e-9, path.length + 1e-9, path.length + 12.0, 9e3};
    for (int k = 0; k < 6; k++) {
        const road_pose at = road_path_place(&path, places[k], -2.0);
        road_path_project(&path, at.x, at.y, k % 2 ? NAN : 300.0, &foot);
        if (k % 2 == 0 && fabs(places[k]) < 1e3)
            road_path_project(&path, at.x, at.y, places[k] + 1.0, &foot);
        if (k > 0)
            assert_true(fabs(foot.station - places[k]) < 1e-9 && fabs(foot.offset + 2.0) < 1e-9);
    }
    road_path_project(&path, NAN, 0.0, 3.0, &foot);
    assert_true(isnan(foot.station) && isnan(foot.offset));
    arena_free(&memory);
}

static void rejected(void **unused)
{
    (void)unused;
    static const struct {
        road_piece piece;
        bool closed;
        const char *text;
    } cases[] = {
        {{0.0, 0.0, 0.0},
         false,
         "piece 1 of the line is 0 m long with curvatures 0 and 0 1/m; "
         "expected a length above 0"},
        {{10.0, NAN, 0.0},
         false,
         "piece 1 of the line is 10 m long with curvatures nan and 0 1/m; "
         "expected a length above 0"},
        {{1e6, 1e6, 1e6}, false, "the line turns too much up to piece 1; expected a shorter one"},
        {{10.0, 0.0, 0.0},
         true,
         "the line does not close: its end is 10 m and 0 rad from its start"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        arena memory = {0};
        road_path path;
        mc_error error = {0};
        assert_int_equal(road_path_make(&memory, (road_pose){0}, &cases[k].piece, 1,
                                        cases[k].closed, &path, &error),
                         MC_BAD_INPUT);
        assert_string_equal(error.text, cases[k].text);
        arena_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresnel),        cmocka_unit_test(stations_and_offsets),
        cmocka_unit_test(nearest_of_all), cmocka_unit_test(circle),
        cmocka_unit_test(circuit),        cmocka_unit_test(straight),
        cmocka_unit_test(rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
