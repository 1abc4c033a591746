// test_xodr_write.c - roads written as OpenDRIVE and OpenCRG, read back and compared.
#include "motorcade/road_file.h"
#include "motorcade/scenario.h"
#include "road/network.h"
#include "road_files/crg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FILES SOURCE_DIR "/scenarios/"

static char folder[] = "/tmp/xodr_write_XXXXXX";

static int set_up(void **unused)
{
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[4][128];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, 128, "%s/%s", folder, name);
    return out;
}

static mc_road_file *read_back(const char *path)
{
    mc_error error = {0};
    mc_road_file *f = mc_road_file_read(path, &error);
    if (!f)
        print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    assert_non_null(f);
    return f;
}

static void compare_lanes(const mc_road *a, const mc_road *b, int path, double s)
{
    assert_int_equal(mc_road_lane_count(a, path), mc_road_lane_count(b, path));
    for (int k = 0; k < mc_road_lane_count(a, path); k++) {
        mc_road_lane x, y;
        const bool there = mc_road_lane_at(a, path, k, s, &x);
        assert_int_equal(there, mc_road_lane_at(b, path, k, s, &y));
        if (!there)
            continue;
        assert_true(fabs(x.centre - y.centre) < 1e-9 && fabs(x.width - y.width) < 1e-9);
        assert_true(x.speed == y.speed || (isnan(x.speed) && isnan(y.speed)));
        assert_int_equal(x.use == MC_ROAD_CLOSED, y.use == MC_ROAD_CLOSED);
    }
}

static void compare_roads(const mc_road *a, const mc_road *b)
{
    assert_int_equal(mc_road_path_count(a), mc_road_path_count(b));
    for (int path = 0; path < mc_road_path_count(a); path++) {
        mc_road_path p, q;
        mc_road_path_at(a, path, &p);
        mc_road_path_at(b, path, &q);
        assert_string_equal(p.name, q.name);
        assert_true(p.closed == q.closed && p.arc_count == q.arc_count);
        assert_true(fabs(p.length - q.length) < 1e-9 && p.clothoid_count == q.clothoid_count);
        for (double s = 0.3; s < p.length; s += p.length / 97.0) {
            double x, y, h, x2, y2, h2;
            mc_road_point m, n;
            mc_road_place(a, path, s, -2.0, &x, &y, &h);
            mc_road_place(b, path, s, -2.0, &x2, &y2, &h2);
            assert_true(hypot(x2 - x, y2 - y) < 1e-9 && fabs(remainder(h2 - h, 2 * M_PI)) < 1e-11);
            mc_road_on(a, path, x, y, s, &m);
            mc_road_on(b, path, x, y, s, &n);
            assert_true(fabs(m.bank - n.bank) < 1e-12 && fabs(m.grade - n.grade) < 1e-7);
            assert_true(fabs(m.height - n.height) < 1e-6 && fabs(m.bump - n.bump) < 1e-12);
            compare_lanes(a, b, path, s);
        }
    }
    assert_int_equal(mc_road_ramp_count(a), mc_road_ramp_count(b));
    mc_road_ramp r, t;
    for (int k = 0; mc_road_ramp_at(a, k, &r); k++) {
        bool found = false;
        for (int i = 0; mc_road_ramp_at(b, i, &t) && !found; i++)
            found = t.path == r.path && t.main == r.main && t.on == r.on && t.lane == r.lane &&
                    t.at == r.at && t.from == r.from && t.to == r.to &&
                    fabs(t.nose - r.nose) < 1e-6 && t.connector == r.connector;
        assert_true(found);
    }
}

// A freeway with a bend, a bank, hills, a lane that ends, an on- and an off-ramp.
static const char freeway[] =
    "motorcade: scenario\ntime: {end: 1}\n"
    "road:\n  lanes: 3\n  lane_width: 3.6\n"
    "  line: [{straight: 900}, {clothoid: 120, to_radius: 600}, {arc: 300, radius: 600}, "
    "{clothoid: 120}, {straight: 1200}]\n"
    "  bank: [{from: 900, to: 1440, bank: 4 %, transition: 120}]\n"
    "  grades: [{from: 300, to: 800, grade: 3 %}]\n"
    "  sections:\n    - {lane: 1, from: 0, to: 2640, speed: 25}\n"
    "    - {lane: 3, from: 1900, to: 2300, width: 0, taper: 100}\n"
    "  ramps:\n"
    "    - {name: Vermont, kind: \"on\", at: 300, length: 250, speed: 22, grades: [{from: 10, to: "
    "100, grade: 2 %}], line: [{straight: 60}, {arc: 80, radius: -60}, {clothoid: 60}]}\n"
    "    - {name: Hoover, kind: \"off\", at: 1200, line: [{clothoid: 60, to_radius: -90}, {arc: "
    "100, radius: -90}]}\n"
    "models: {car: point}\nvehicles: [{model: car, x: 0}]\n";

static int told;
static void tell(void *context, const char *text)
{
    (void)context;
    told += strstr(text, "ramp") != NULL;
}

static void scenario_road(void **unused)
{
    (void)unused;
    mc_error error = {0};
    mc_scenario *s = mc_scenario_parse(freeway, strlen(freeway), "freeway.yaml", &error);
    assert_non_null(s);
    const char *path = path_of("freeway.xodr");
    const mc_road_write_options o = {.title = "a \"road\" & more", .note = tell};
    assert_int_equal(mc_road_write(mc_scenario_road(s), path, &o, &error), MC_OK);
    assert_int_equal(told, 2);
    mc_road_file *f = read_back(path);
    compare_roads(mc_scenario_road(s), mc_road_file_road(f));
    int line;
    const char *text;
    assert_false(mc_road_file_note(f, 0, &line, &text)); // all of it is read
    mc_road_file_free(f);
    mc_scenario_free(s);
}

// Files that were not written here: both directions, cubics, a junction, surfaces.
static void road_files(void **unused)
{
    (void)unused;
    static const char *const names[] = {"roads/circuit.xodr", "roads/interchange.xodr"};
    for (int k = 0; k < 2; k++) {
        char from[256];
        mc_error error = {0};
        snprintf(from, sizeof from, FILES "%s", names[k]);
        mc_road_file *f = read_back(from);
        const char *path = path_of("again.xodr");
        assert_int_equal(mc_road_file_write(f, path, NULL, &error), MC_OK);
        mc_road_file *g = read_back(path);
        compare_roads(mc_road_file_road(f), mc_road_file_road(g));
        mc_road_file_free(f);
        mc_road_file_free(g);
    }
}

// A plain road of a scenario has no end and no network.
static void straight_road(void **unused)
{
    (void)unused;
    static const char text[] =
        "motorcade: scenario\ntime: {end: 1}\nroad: {lanes: 2, lane_width: 3, "
        "grades: [{from: 100, to: 300, grade: 5 %}]}\nmodels: {car: point}\n"
        "vehicles: [{model: car, x: 0}]\n";
    mc_error error = {0};
    mc_scenario *s = mc_scenario_parse(text, strlen(text), "plain.yaml", &error);
    assert_non_null(s);
    const mc_road_write_options o = {.length = 500.0};
    const char *path = path_of("plain.xodr");
    assert_int_equal(mc_road_write(mc_scenario_road(s), path, &o, &error), MC_OK);
    mc_road_file *f = read_back(path);
    mc_road_point p, q;
    mc_road_at(mc_scenario_road(s), 250.0, -3.1, NAN, &p);
    mc_road_at(mc_road_file_road(f), 250.0, -3.1, NAN, &q);
    assert_true(q.lane == 1 && fabs(p.height - q.height) < 1e-7 && fabs(p.grade - q.grade) < 1e-7);
    assert_int_equal(mc_road_write(mc_scenario_road(s), path_of("plain.crg"), NULL, &error),
                     MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "no surface"));
    assert_int_equal(mc_road_write(mc_scenario_road(s), path_of("plain.txt"), NULL, &error),
                     MC_BAD_INPUT);
    mc_road_file_free(f);
    mc_scenario_free(s);
}

// ---- OpenCRG ----

static double height(const mc_road *r, double u, double v)
{
    double z, zu, zv;
    road_surface_at(r->net->branches[0].surface, u, v, &z, &zu, &zv);
    return z;
}

// The four forms: every bit, or the digits of their columns.
static void crg_forms(void **unused)
{
    (void)unused;
    static const struct {
        const char *form;
        double error; // relative
    } forms[] = {{"KDBI", 0.0}, {"LDFI", 1e-12}, {"KRBI", 6e-8}, {"LRFI", 1e-4}};
    static const char *const names[] = {"roads/bend.crg", "roads/washboard.crg",
                                        "exchange/patch.crg"};
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 4; k++) {
            char from[256], format[32];
            mc_error error = {0};
            snprintf(from, sizeof from, FILES "%s", names[n]);
            mc_road_file *f = read_back(from);
            const char *path = path_of("again.crg");
            const mc_road_write_options o = {.form = forms[k].form};
            assert_int_equal(mc_road_file_write(f, path, &o, &error), MC_OK);
            mc_road_file *g = read_back(path);
            snprintf(format, sizeof format, "OpenCRG %s", forms[k].form);
            assert_string_equal(mc_road_file_format(g), format);
            const mc_road *a = mc_road_file_road(f), *b = mc_road_file_road(g);
            mc_road_path p, q;
            mc_road_path_at(a, 0, &p);
            mc_road_path_at(b, 0, &q);
            assert_true(fabs(p.turn - q.turn) < 1e-5 && p.length == q.length);
            for (double u = 0.1; u < p.length; u += p.length / 83.0)
                for (double v = -1.4; v < 1.5; v += 0.37) {
                    const double z = height(a, u, v);
                    assert_true(fabs(height(b, u, v) - z) <= forms[k].error * fmax(fabs(z), 0.05));
                }
            mc_road_file_free(f);
            mc_road_file_free(g);
        }
}

// Heights of scenarios/exchange/patch.crg without its slope and banking, to the digits of the file.
static double corner(int i, int k)
{
    return round(1e6 * 0.03 * sin(M_PI * i / 10.0) * (1.0 + 0.1 * k)) * 1e-6;
}

static double patch(double u, double v)
{
    const double row = fmin(fmax(u, 0.0), 50.0), column = fmin(fmax((v + 3.0) / 1.5, 0.0), 4.0);
    const int i = row >= 50.0 ? 49 : (int)row, k = column >= 4.0 ? 3 : (int)column;
    const double p = row - i, q = column - k;
    return (1.0 - p) * ((1.0 - q) * corner(i, k) + q * corner(i, k + 1)) +
           p * ((1.0 - q) * corner(i + 1, k) + q * corner(i + 1, k + 1));
}

// surface/CRG of an OpenDRIVE file: same and opposite, with offsets, over its stations only.
static void attached(void **unused)
{
    (void)unused;
    mc_road_file *f = read_back(FILES "exchange/two_lanes.xodr");
    const mc_road *r = mc_road_file_road(f);
    for (double s = 150.0; s < 620.0; s += 1.7)
        for (double t = -5.0; t < 3.0; t += 0.9) {
            double x, y, h;
            mc_road_point p, q;
            mc_road_place(r, 0, s, t, &x, &y, &h);
            mc_road_on(r, 0, x, y, s, &p);
            const double z = s >= 200.0 && s <= 260.0   ? 0.5 * patch(s - 200.0, t + 3.5)
                             : s >= 400.0 && s <= 460.0 ? 0.01 + patch(455.0 - s, -t)
                                                        : 0.0;
            assert_true(fabs(p.bump - z) < 1e-9);
            mc_road_on(r, 1, x, y, 1600.0 - s, &q); // the other direction stands on the same
            assert_true(fabs(q.bump - p.bump) < 1e-9);
        }
    int line;
    const char *text;
    assert_true(mc_road_file_note(f, 0, &line, &text));
    assert_non_null(strstr(text, "genuine"));
    assert_false(mc_road_file_note(f, 1, &line, &text));
    mc_road_file_free(f);
}

// A scenario with a surface: the OpenDRIVE file names the OpenCRG file next to it.
static void surface_beside(void **unused)
{
    (void)unused;
    static const char text[] = "motorcade: scenario\ntime: {end: 1}\nroad: {line: [{straight: 60}, "
                               "{arc: 90, radius: 100}], "
                               "surface: " FILES "roads/washboard.crg}\nmodels: {car: point}\n"
                               "vehicles: [{model: car, x: 0}]\n";
    mc_error error = {0};
    mc_scenario *s = mc_scenario_parse(text, strlen(text), path_of("s.yaml"), &error);
    if (!s)
        print_error("%s\n", error.text);
    assert_non_null(s);
    const char *path = path_of("beside.xodr");
    assert_int_equal(mc_road_write(mc_scenario_road(s), path, NULL, &error), MC_OK);
    mc_road_file *f = read_back(path);
    compare_roads(mc_scenario_road(s), mc_road_file_road(f));
    mc_road_file_free(f);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenario_road), cmocka_unit_test(road_files),
        cmocka_unit_test(straight_road), cmocka_unit_test(crg_forms),
        cmocka_unit_test(attached),      cmocka_unit_test(surface_beside),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
