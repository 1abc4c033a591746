// test_xodr.c - OpenDRIVE files: those that are shipped, and small ones with each kind of mistake.
#include "motorcade/road_file.h"
#include "road/network.h"
#include "road_files/xodr.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROADS SOURCE_DIR "/scenarios/roads/"

static mc_road_file *read_road(const char *path)
{
    mc_error error = {0};
    mc_road_file *file = mc_road_file_read(path, &error);
    if (!file)
        print_error("%s:%d: %s\n", error.file, error.line, error.text);
    assert_non_null(file);
    return file;
}

// Elevation, bank, both directions; the end is the start.
static void circuit(void **unused)
{
    (void)unused;
    mc_road_file *file = read_road(ROADS "circuit.xodr");
    const mc_road *r = mc_road_file_road(file);
    assert_string_equal(mc_road_file_format(file), "OpenDRIVE");
    assert_int_equal(mc_road_path_count(r), 2);
    mc_road_path path;
    assert_true(mc_road_path_at(r, 0, &path));
    assert_true(path.closed && path.lane_count == 1 && mc_road_gap(r, 0) < 1e-8);
    assert_true(path.line_count == 2 && path.arc_count == 2 && path.clothoid_count == 4);
    assert_true(fabs(path.turn - 2.0 * M_PI) < 1e-9);
    for (double s = 1.0; s < path.length; s += 7.3) {
        double x, y, heading;
        mc_road_point p, q;
        mc_road_place(r, 0, s, -1.75, &x, &y, &heading);
        mc_road_on(r, 0, x, y, NAN, &p);
        assert_true(fabs(p.station - s) < 1e-8 && p.lane == 0);
        // z of the file: 0.0003 d^2 - 1e-6 d^3 from 500 to 700 m, back from 1100 to 1300 m.
        const double d = fmin(fmax(s - 500.0, 0.0), 200.0), e = fmin(fmax(s - 1100.0, 0.0), 200.0);
        const double z = 3e-4 * (d * d - e * e) - 1e-6 * (d * d * d - e * e * e);
        const double bank = s < 400.0            ? 0.0
                            : s < 480.0          ? 0.000625 * (s - 400.0)
                            : s < 871.2388980385 ? 0.05
                            : s < 951.2388980385 ? 0.05 - 0.000625 * (s - 871.2388980385)
                                                 : 0.0;
        assert_true(fabs(p.bank - bank) < 1e-9);
        assert_true(fabs(p.height - z + 1.75 * cos(p.grade) * sin(bank)) < 2e-6);
        // The other direction sees the same road from the other side.
        mc_road_on(r, 1, x, y, NAN, &q);
        assert_true(fabs(q.station - (path.length - s)) < 1e-6 && fabs(q.offset - 1.75) < 1e-8);
        assert_true(fabs(q.grade + p.grade) < 2e-8 && fabs(q.bank + p.bank) < 1e-9);
        assert_true(fabs(q.height - p.height) < 1e-5 && q.lane == -1);
    }
    mc_road_lane lane;
    assert_true(mc_road_lane_at(r, 0, 0, 100.0, &lane));
    assert_true(fabs(lane.speed - 100.0 / 3.6) < 1e-12 && lane.width == 3.5);
    mc_road_file_free(file);
}

// A lane that begins with a taper, cubics, a junction with an off-ramp.
static void interchange(void **unused)
{
    (void)unused;
    mc_road_file *file = read_road(ROADS "interchange.xodr");
    const mc_road *r = mc_road_file_road(file);
    assert_int_equal(mc_road_path_count(r), 4);
    double width;
    assert_true(mc_road_lane_centre(r, 0, 1, 100.0, &width) == -5.4 && width == 3.6);
    assert_true(isnan(mc_road_lane_centre(r, 0, 2, 600.0, &width)) && width == 0.0);
    mc_road_lane_centre(r, 0, 2, 660.0, &width); // in the middle of the taper
    assert_true(fabs(width - 1.8) < 1e-9);
    assert_true(fabs(mc_road_lane_centre(r, 0, 2, 800.0, &width) + 9.0) < 1e-9);
    // Links: the freeway into both roads of the junction, one of them out again.
    assert_int_equal(mc_road_ramp_count(r), 3);
    bool found = false;
    mc_road_ramp link;
    for (int k = 0; mc_road_ramp_at(r, k, &link); k++) {
        mc_road_path to;
        mc_road_path_at(r, link.main, &to);
        found = found || (link.path == 0 && strcmp(to.name, "off-ramp") == 0);
        // The paths meet where the links say.
        mc_road_path from;
        double x0, y0, x1, y1, heading;
        mc_road_path_at(r, link.path, &from);
        mc_road_place(r, link.path, from.length, 0.0, &x0, &y0, &heading);
        mc_road_place(r, link.main, 0.0, 0.0, &x1, &y1, &heading);
        assert_true(hypot(x1 - x0, y1 - y0) < 7.2 + 1e-5);
    }
    assert_true(found);
    int line, count = 0;
    const char *text;
    bool told = false;
    for (; mc_road_file_note(file, count, &line, &text); count++)
        told = told || (line > 70 && strcmp(text, "signals is not read (1 element)") == 0);
    assert_true(told && count == 2);
    mc_road_file_free(file);
}

// ---- mistakes ----

#define HEAD "<OpenDRIVE>\n<road id=\"1\" length=\"100\" junction=\"-1\">\n"
#define PLAN                                                                                       \
    "<planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"100\"><line/></geometry>"      \
    "</planView>\n"
#define LANES                                                                                      \
    "<lanes><laneSection s=\"0\"><right><lane id=\"-1\" type=\"driving\">"                         \
    "<width sOffset=\"0\" a=\"3\" b=\"0\" c=\"0\" "                                                \
    "d=\"0\"/></lane></right></laneSection></lanes>\n"
#define TAIL "</road>\n</OpenDRIVE>\n"
#define GEOMETRY(length, shape)                                                                    \
    "<planView>\n<geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"" length "\">" shape         \
    "</geometry>\n</planView>\n"

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"", "1:1: not well-formed XML: no element found"},
    {"<OpenDRIVE>\n  <road>\n", "3:1: not well-formed XML: no element found"},
    {"<OpenDRIVE><road></rod></OpenDRIVE>", "1:20: not well-formed XML: mismatched tag"},
    {"<!DOCTYPE a [<!ENTITY b \"c\">]>\n<OpenDRIVE>&b;</OpenDRIVE>",
     "1:13: a document type is not read; expected a file without <!DOCTYPE"},
    {"<map/>", "1:1: found <map>, expected <OpenDRIVE>"},
    {"<OpenDRIVE>\n</OpenDRIVE>", "1:1: the file has no road"},
    {"<OpenDRIVE>\n <road length=\"3\"/>\n</OpenDRIVE>", "2:2: road has no attribute id"},
    {"<OpenDRIVE>\n <road id=\"1\"/>\n</OpenDRIVE>", "2:2: road has no attribute length"},
    {"<OpenDRIVE>\n <road id=\"1\" length=\"abc\"/>\n</OpenDRIVE>",
     "2:2: road: length is \"abc\"; expected a number"},
    {"<OpenDRIVE>\n <road id=\"1\" length=\"nan\"/>\n</OpenDRIVE>",
     "2:2: road: length is \"nan\"; expected a number"},
    {HEAD LANES TAIL, "2:1: road 1 has no planView with geometry"},
    {HEAD GEOMETRY("100", "") LANES TAIL,
     "4:1: geometry has no shape; expected line, arc, spiral, poly3 or paramPoly3"},
    {HEAD GEOMETRY("100", "<circle/>") LANES TAIL,
     "4:50: unknown shape \"circle\"; expected line, arc, spiral, poly3 or paramPoly3"},
    {HEAD GEOMETRY("100", "<arc/>") LANES TAIL, "4:50: arc has no attribute curvature"},
    {HEAD GEOMETRY("0", "<line/>") LANES TAIL,
     "4:1: length is 0 m; expected above 0 and at most 1e6 m"},
    {HEAD GEOMETRY("100", "<arc curvature=\"3\"/>") LANES TAIL,
     "4:1: curvatures 3 and 3 1/m; expected at most 1"},
    {HEAD GEOMETRY("90", "<line/>") LANES TAIL,
     "2:1: road 1 is 100 m long, but its geometry ends at 90 m"},
    {HEAD
     "<planView>\n<geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"50\"><line/></geometry>\n"
     "<geometry s=\"50\" x=\"51\" y=\"0\" hdg=\"0\" length=\"50\"><line/></geometry>\n"
     "</planView>" LANES TAIL,
     "5:1: geometry does not join: it begins 1 m and 0 rad from the end of the one before"},
    {HEAD
     "<planView>\n<geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"50\"><line/></geometry>\n"
     "<geometry s=\"40\" x=\"50\" y=\"0\" hdg=\"0\" length=\"50\"><line/></geometry>\n"
     "</planView>" LANES TAIL,
     "5:1: geometry begins at s = 40 m; expected 50 m, where the one before ends"},
    {HEAD GEOMETRY("100", "<paramPoly3 aU=\"0\" bU=\"1\" cU=\"0\" dU=\"0\" aV=\"0\" bV=\"0\" "
                          "cV=\"0\" dV=\"0\" pRange=\"metres\"/>") LANES TAIL,
     "4:50: pRange is \"metres\"; expected arcLength or normalized"},
    {HEAD GEOMETRY("100", "<paramPoly3 aU=\"0\" bU=\"50\" cU=\"0\" dU=\"0\" aV=\"0\" bV=\"0\" "
                          "cV=\"0\" dV=\"0\" pRange=\"normalized\"/>") LANES TAIL,
     "4:1: this cubic is 50 m long, but its length is given as 100 m"},
    {HEAD PLAN TAIL, "2:1: road 1 has no laneSection"},
    {HEAD PLAN "<lanes>\n<laneSection s=\"5\"/></lanes>" TAIL,
     "5:1: the first laneSection begins at 5 m; expected 0"},
    {HEAD PLAN "<lanes><laneSection s=\"0\"/>\n<laneSection s=\"200\"/></lanes>" TAIL,
     "5:1: laneSection from 200 to 100 m; expected increasing stations below the length of the "
     "road, 100 m"},
    {HEAD PLAN "<lanes><laneSection s=\"0\"><right>\n<lane id=\"-1\" type=\"driving\"/></right>"
               "</laneSection></lanes>" TAIL,
     "5:1: lane -1 has no width"},
    {HEAD PLAN "<lanes><laneSection s=\"0\"><right>\n<lane id=\"-1\" type=\"driving\"><border/>"
               "</lane></right></laneSection></lanes>" TAIL,
     "5:1: lane -1 has no width; widths by border are not read"},
    {HEAD PLAN "<lanes><laneSection s=\"0\"><right>\n<lane id=\"-3\" type=\"driving\">"
               "<width sOffset=\"0\" a=\"3\" b=\"0\" c=\"0\" d=\"0\"/></lane></right>"
               "</laneSection></lanes>" TAIL,
     "5:1: lane -3 on the right; expected ids -1 to -1 without gaps"},
    {HEAD PLAN "<lanes><laneSection s=\"0\"><right>\n<lane id=\"-1\" type=\"sidewalk\">"
               "<width sOffset=\"0\" a=\"3\" b=\"0\" c=\"0\" d=\"0\"/></lane></right>"
               "</laneSection></lanes>" TAIL,
     "1:1: no road has lanes to drive on"},
    {HEAD PLAN
     "<elevationProfile><elevation s=\"50\" a=\"0\" b=\"0\" c=\"0\" d=\"0\"/>\n"
     "<elevation s=\"20\" a=\"0\" b=\"0\" c=\"0\" d=\"0\"/></elevationProfile>" LANES TAIL,
     "5:1: elevation at 20 m comes after that at 50 m; expected increasing s"},
    {HEAD PLAN "<elevationProfile><elevation s=\"0\" a=\"0\" b=\"2\" c=\"0\" d=\"0\"/>"
               "</elevationProfile>" LANES TAIL,
     "2:1: road 1: the elevation rises by 2 m per m at s = 0 m; expected within -0.7 .. 0.7"},
    {HEAD PLAN LANES "<link><successor elementType=\"road\" elementId=\"7\"/></link>" TAIL,
     "5:7: road 1 is linked to road \"7\", which does not exist"},
    {HEAD PLAN LANES "</road>\n<road id=\"1\" length=\"100\">" PLAN LANES TAIL,
     "6:1: two roads have the id \"1\"; the other is on line 2"},
};

static void rejected(void **unused)
{
    (void)unused;
    int failed = 0;
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        arena memory = {0};
        road out = {.friction.fallback = 1.0};
        xodr_notes notes;
        mc_error error = {0};
        const mc_status status = xodr_parse(&memory, mistakes[k].text, strlen(mistakes[k].text),
                                            "r.xodr", &out, &notes, &error);
        char text[700];
        snprintf(text, sizeof text, "%d:%d: %s", error.line, error.column, error.text);
        if (status != MC_BAD_INPUT || strcmp(text, mistakes[k].message) != 0) {
            print_error("expected %s\n   found %s\n", mistakes[k].message, text);
            failed++;
        }
        assert_string_equal(error.file, "r.xodr");
        arena_free(&memory);
    }
    assert_int_equal(failed, 0);
}

// Shapes of every kind: the end of the road is where the file's own numbers say.
static void shapes(void **unused)
{
    (void)unused;
    // v = 0.002 u^2, 100 m along u; its length is that of a parabola.
    const double c = 0.002, u = 100.0, q = 2.0 * c * u;
    const double length = (q * sqrt(1.0 + q * q) + asinh(q)) / (4.0 * c);
    char text[1500];
    snprintf(
        text, sizeof text,
        "<OpenDRIVE><road id=\"1\" length=\"%.12f\"><planView><geometry s=\"0\" x=\"5\" y=\"7\" "
        "hdg=\"0\" length=\"%.12f\"><poly3 a=\"0\" b=\"0\" c=\"0.002\" d=\"0\"/></geometry>"
        "</planView>" LANES "</road></OpenDRIVE>",
        length, length);
    arena memory = {0};
    road out = {.friction.fallback = 1.0};
    xodr_notes notes;
    mc_error error = {0};
    assert_int_equal(xodr_parse(&memory, text, strlen(text), "p", &out, &notes, &error), MC_OK);
    double x, y, heading;
    mc_road_place(&out, 0, length, 0.0, &x, &y, &heading);
    assert_true(fabs(x - 105.0) < 1e-5 && fabs(y - 27.0) < 1e-5);
    assert_true(fabs(heading - atan(q)) < 1e-6);
    assert_true(notes.count == 1 && strstr(notes.text[0], "cubics are followed by clothoids"));
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circuit),
        cmocka_unit_test(interchange),
        cmocka_unit_test(shapes),
        cmocka_unit_test(rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
