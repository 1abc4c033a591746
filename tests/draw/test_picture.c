// test_picture.c - outlines, layout and the SVG of a crash scene.
#include "motorcade/picture.h"

#include "base/file.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_picture.XXXXXX";
static char path[300];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/scene.svg", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); // fails when a test leaves something behind
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", value, expected);
}

// A vehicle at (x, y, 0) with semi-axes 1.5, 1, 1, stretched by 1 + stretch along its length.
static mc_picture_vehicle vehicle(double x, double y, double heading, double stretch)
{
    const double c = cos(heading), s = sin(heading);
    const double rest[9] = {1.5 * c, -s, 0, 1.5 * s, c, 0, 0, 0, 1};
    mc_picture_vehicle v = {.surface = {.centre = {x, y, 0}}, .heading = heading};
    memcpy(v.rest_axes, rest, sizeof rest);
    memcpy(v.surface.axes, rest, sizeof rest);
    v.surface.axes[0] *= 1.0 + stretch;
    v.surface.axes[3] *= 1.0 + stretch;
    return v;
}

static void fill_row(mc_picture_vehicle *vehicles, int count)
{
    for (int i = 0; i < count; i++) {
        vehicles[i] = vehicle(4.0 * i, 0.1 * (i % 2), 0.05 * (i % 3), -0.002 * i);
        vehicles[i].velocity[0] = 20.0 - 0.1 * i;
        vehicles[i].elastic = 10.0 * i;
    }
}

// ---- a reader of XML that knows tags, attributes and the five entities ----

// Fails unless text is one well-formed element; returns the number of elements called `name`.
static int elements(const char *text, const char *name)
{
    char open[32][32];
    int depth = 0, count = 0, roots = 0;
    const char *c = text;
    while (*c) {
        if (*c == '&') { // an entity, in text
            const size_t length = strcspn(c, ";");
            assert_true(length >= 3 && length <= 5 && c[length] == ';');
            c += length + 1;
            continue;
        }
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
        if (*c != '<') {
            assert_true(depth > 0 || isspace((unsigned char)*c));
            assert_int_not_equal(*c, '>');
            c++;
            continue;
        }
        const int closing = c[1] == '/';
        c += 1 + closing;
        char tag[32];
        const size_t length = strspn(c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        assert_true(length > 0 && length < sizeof tag);
        snprintf(tag, sizeof tag, "%.*s", (int)length, c);
        c += length;
        if (closing) {
            assert_true(depth > 0);
            assert_string_equal(tag, open[--depth]);
            assert_int_equal(*c++, '>');
            continue;
        }
        count += strcmp(tag, name) == 0;
        roots += depth == 0;
        while (*c == ' ') { // name="value"
            const size_t key =
                strspn(++c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
            assert_true(key > 0 && c[key] == '=' && c[key + 1] == '"');
            c += key + 2;
            const size_t value = strcspn(c, "\"<");
            assert_int_equal(c[value], '"');
            for (size_t k = 0; k < value; k++) // numbers that went wrong would be here
                assert_false(strncmp(c + k, "nan", 3) == 0 || strncmp(c + k, "inf", 3) == 0);
            c += value + 1;
        }
        const int empty = *c == '/';
        c += empty;
        assert_int_equal(*c++, '>');
        if (!empty) {
            assert_true(depth < 32);
            memcpy(open[depth++], tag, sizeof tag);
        }
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
    return count;
}

// The file that is written of p, in the arena; it is well-formed and refers to nothing outside.
static char *written(arena *a, const mc_picture *p)
{
    mc_error error;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(mc_picture_write(path, p, &error), MC_OK);
    assert_int_equal(file_read(a, path, 0, &text, &size, &error), MC_OK);
    unlink(path);
    assert_int_equal(size, strlen(text));
    assert_int_equal(elements(text, "svg"), 1);
    assert_null(strstr(text, "href"));
    assert_null(strstr(text, "@import"));
    assert_null(strstr(text, "<image"));
    for (const char *u = text; (u = strstr(u, "url(")); u++)
        assert_int_equal(u[4], '#');
    return text;
}

static int occurrences(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

// ---- numbers ----

static void outline_of_a_sphere(void **state)
{
    (void)state;
    const double centre[3] = {1, 2, 3}, axes[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    for (int view = 0; view < MC_PICTURE_VIEW_COUNT; view++) {
        mc_picture_ellipse e;
        mc_picture_outline(centre, axes, (mc_picture_view)view, &e);
        assert_near(e.centre[0], 1, 0);
        assert_near(e.centre[1], view == MC_PICTURE_VIEW_TOP ? 2 : 3, 0);
        for (int k = 0; k < 2; k++) {
            assert_near(e.semi[k], 2, 1e-14);
            assert_near(e.extent[k], 2, 1e-14);
        }
    }
}

static void outline_of_a_turned_car(void **state)
{
    (void)state;
    const double turn = 0.5235987755982988; // 30 degrees
    const mc_picture_vehicle v = vehicle(5, -1, turn, 0.0);
    mc_picture_ellipse e;
    mc_picture_outline(v.surface.centre, v.surface.axes, MC_PICTURE_VIEW_TOP, &e);
    assert_near(e.semi[0], 1.5, 1e-14);
    assert_near(e.semi[1], 1.0, 1e-14);
    assert_near(e.angle, turn, 1e-14);
    assert_near(e.extent[0], sqrt(1.5 * 1.5 * 0.75 + 0.25), 1e-14);
    assert_near(e.extent[1], sqrt(1.5 * 1.5 * 0.25 + 0.75), 1e-14);
    // From the side: as long as it is wide from above, and as high as it was.
    mc_picture_outline(v.surface.centre, v.surface.axes, MC_PICTURE_VIEW_SIDE, &e);
    assert_near(e.semi[0], sqrt(1.5 * 1.5 * 0.75 + 0.25), 1e-14);
    assert_near(e.semi[1], 1.0, 1e-14);
    assert_near(e.angle, 0.0, 1e-14);
}

// Any axes: no point of the surface is seen outside the outline, and it is touched all around.
static void outline_holds_the_surface(void **state)
{
    (void)state;
    const double centre[3] = {0.3, -0.2, 0.7};
    const double axes[9] = {1.4, 0.2, -0.3, -0.1, 0.9, 0.25, 0.35, -0.2, 1.1};
    enum { AROUND = 36, FINE = 400 };
    for (int view = 0; view < MC_PICTURE_VIEW_COUNT; view++) {
        const int rows[2] = {0, view == MC_PICTURE_VIEW_TOP ? 1 : 2};
        double reached[AROUND] = {0.0};
        mc_picture_ellipse e;
        mc_picture_outline(centre, axes, (mc_picture_view)view, &e);
        for (int i = 0; i <= FINE; i++)
            for (int j = 0; j < 2 * FINE; j++) {
                const double t = M_PI * i / FINE, f = M_PI * j / FINE;
                const double s[3] = {sin(t) * cos(f), sin(t) * sin(f), cos(t)};
                double q[2]; // relative to the centre
                for (int k = 0; k < 2; k++)
                    q[k] = axes[3 * rows[k]] * s[0] + axes[3 * rows[k] + 1] * s[1] +
                           axes[3 * rows[k] + 2] * s[2];
                const double x = (q[0] * cos(e.angle) + q[1] * sin(e.angle)) / e.semi[0];
                const double y = (q[1] * cos(e.angle) - q[0] * sin(e.angle)) / e.semi[1];
                const int k = (int)((atan2(y, x) + M_PI) / (2.0 * M_PI) * AROUND) % AROUND;
                reached[k] = fmax(reached[k], hypot(x, y));
            }
        for (int k = 0; k < AROUND; k++)
            assert_near(reached[k], 1.0, 1e-4);
        for (int k = 0; k < AROUND; k++)
            assert_true(reached[k] <= 1.0 + 1e-12);
    }
}

static void deformation_is_magnified(void **state)
{
    (void)state;
    const mc_picture_vehicle v = vehicle(0, 0, 0, -0.02);
    double axes[9];
    mc_picture_shown_axes(&v, 10.0, axes);
    assert_near(axes[0], 1.5 * 0.8, 1e-14);
    assert_near(axes[4], 1.0, 0);
    mc_picture_shown_axes(&v, 1.0, axes);
    assert_near(axes[0], 1.5 * 0.98, 1e-14);
}

static void colours_darken_evenly(void **state)
{
    (void)state;
    double last = 1e9;
    for (int k = 0; k <= 20; k++) {
        unsigned char rgb[3];
        mc_picture_colour(k / 20.0, rgb);
        double y = 0.0; // relative luminance
        const double weight[3] = {0.2126, 0.7152, 0.0722};
        for (int j = 0; j < 3; j++)
            y += weight[j] * pow((rgb[j] / 255.0 + 0.055) / 1.055, 2.4);
        const double light = 116.0 * cbrt(y) - 16.0; // CIE L*
        if (k > 0) {
            assert_true(last - light > 1.0 && last - light < 6.0);
        } else {
            assert_true(light > 90.0);
        }
        last = light;
    }
    unsigned char end[3], beyond[3];
    mc_picture_colour(1.0, end);
    mc_picture_colour(7.0, beyond);
    assert_memory_equal(end, beyond, 3);
}

static void layout_holds_the_scene(void **state)
{
    (void)state;
    static mc_picture_vehicle vehicles[100];
    const int counts[] = {1, 2, 10, 100};
    fill_row(vehicles, 100);
    for (int n = 0; n < 4; n++) {
        const mc_picture p = {
            .magnification = 10, .z_road = -1.1, .vehicles = vehicles, .vehicle_count = counts[n]};
        mc_picture_layout l;
        mc_picture_layout_find(&p, &l);
        assert_near(l.width, 1200, 0);
        assert_true(l.height > 200 && l.height < 1200);
        assert_true(l.view[0].bottom < l.view[1].top && l.view[1].bottom < l.legend_top);
        double low = 1e9, high = -1e9;
        for (int i = 0; i < counts[n]; i++)
            for (int view = 0; view < MC_PICTURE_VIEW_COUNT; view++) {
                double axes[9];
                mc_picture_ellipse e;
                mc_picture_shown_axes(&vehicles[i], p.magnification, axes);
                mc_picture_outline(vehicles[i].surface.centre, axes, (mc_picture_view)view, &e);
                const double u = l.view[view].u_px + e.centre[0] * l.scale;
                const double v = l.view[view].v_px - e.centre[1] * l.scale;
                low = fmin(low, u - e.extent[0] * l.scale);
                high = fmax(high, u + e.extent[0] * l.scale);
                assert_true(v - e.extent[1] * l.scale > l.view[view].top);
                assert_true(v + e.extent[1] * l.scale < l.view[view].bottom);
            }
        assert_true(low > 40 && high < 1160);
        if (n >= 2)
            assert_true(high - low > 1000); // the width is used
    }
}

static void keys_are_round(void **state)
{
    (void)state;
    mc_picture_vehicle vehicles[2] = {vehicle(0, 0, 0, 0), vehicle(4, 0, 0, 0)};
    vehicles[0].velocity[0] = 24.5;
    vehicles[1].velocity[0] = 23.1;
    vehicles[1].elastic = 271.0;
    const mc_picture_impact impact = {.a = 0, .b = 1, .normal = {1, 0, 0}, .impulse = 1912};
    mc_picture p = {.vehicles = vehicles,
                    .vehicle_count = 2,
                    .impacts = &impact,
                    .impact_count = 1,
                    .z_road = -1};
    mc_picture_layout l;
    mc_picture_layout_find(&p, &l);
    assert_near(l.velocity_mean[0], 23.8, 1e-12);
    assert_near(l.max_elastic, 300.0, 1e-9);
    assert_near(l.impulse_key, 1000.0, 1e-9);
    assert_true(l.velocity_key <= 0.7 && l.velocity_scale * 0.7 > 20.0);
    p.max_elastic = 1234.5;
    mc_picture_layout_find(&p, &l);
    assert_near(l.max_elastic, 1234.5, 0);
    vehicles[1].velocity[0] = 24.5; // nothing to show
    p.impact_count = 0;
    mc_picture_layout_find(&p, &l);
    assert_near(l.velocity_scale, 0, 0);
    assert_near(l.impulse_scale, 0, 0);
}

// ---- files ----

static void ellipses_are_those_of_the_outlines(void **state)
{
    (void)state;
    mc_picture_vehicle v = vehicle(7, 2, 0.5, -0.02);
    const mc_picture p = {.title = "one",
                          .time = 1.25,
                          .magnification = 10,
                          .z_road = -1.2,
                          .vehicles = &v,
                          .vehicle_count = 1};
    arena a = {NULL};
    const char *text = written(&a, &p);
    assert_int_equal(elements(text, "ellipse"), 2 * 2 + 1); // shown and undeformed; the legend
    mc_picture_layout l;
    mc_picture_layout_find(&p, &l);
    const char *at = text;
    for (int k = 0; k < 4; k++) {
        const mc_picture_view view = k < 2 ? MC_PICTURE_VIEW_TOP : MC_PICTURE_VIEW_SIDE;
        double axes[9], rx, ry, x, y, turn;
        mc_picture_shown_axes(&v, k % 2 ? 0.0 : 10.0, axes);
        mc_picture_ellipse e;
        mc_picture_outline(v.surface.centre, axes, view, &e);
        at = strstr(at + 1, "<ellipse rx=");
        assert_non_null(at);
        assert_int_equal(sscanf(at,
                                "<ellipse rx=\"%lf\" ry=\"%lf\" transform=\"translate(%lf %lf) "
                                "rotate(%lf)\"",
                                &rx, &ry, &x, &y, &turn),
                         5);
        assert_near(rx, e.semi[0] * l.scale, 0.01);
        assert_near(ry, e.semi[1] * l.scale, 0.01);
        assert_near(x, l.view[view].u_px + 7 * l.scale, 0.05);
        assert_near(y, l.view[view].v_px - (view == MC_PICTURE_VIEW_TOP ? 2 : 0) * l.scale, 0.05);
        assert_near(turn, -e.angle * 180 / M_PI, 0.01);
    }
    assert_non_null(strstr(text, "t = 1.250 s"));
    assert_non_null(strstr(text, "magnified 10 times"));
    arena_free(&a);
}

static void text_is_escaped(void **state)
{
    (void)state;
    mc_picture_vehicle v = vehicle(0, 0, 0, 0);
    snprintf(v.label, sizeof v.label, "<&>");
    mc_picture p = {.title = "a < b & \"c\" > d", .vehicles = &v, .vehicle_count = 1};
    arena a = {NULL};
    const char *text = written(&a, &p);
    assert_int_equal(occurrences(text, ">a &lt; b &amp; &quot;c&quot; &gt; d<"), 2);
    assert_int_equal(occurrences(text, ">&lt;&amp;&gt;</text>"), 2); // once a view
    // Bytes that are not UTF-8, cut characters, control characters; good ones stay.
    p.title =
        "\xff|\xc3\xbc|\xe2\x82|\x01|\xed\xa0\x80|\xc0\xaf|\xef\xbf\xbf|\xf0\x9f\x9a\x97|\xc3";
    text = written(&a, &p);
    assert_int_equal(occurrences(text, ">?|\xc3\xbc|\?\?| |\?\?\?|\?\?|\?\?\?|\xf0\x9f\x9a\x97|?<"),
                     2);
    p.title = NULL;
    assert_non_null(strstr(written(&a, &p), "<title></title>"));
    arena_free(&a);
}

static void one_and_a_hundred(void **state)
{
    (void)state;
    static mc_picture_vehicle vehicles[100];
    arena a = {NULL};
    fill_row(vehicles, 100);
    mc_picture p = {.title = "row", .magnification = 10, .z_road = -1.1, .vehicles = vehicles};
    p.vehicle_count = 1;
    const char *text = written(&a, &p);
    assert_int_equal(elements(text, "ellipse"), 5);
    assert_int_equal(occurrences(text, "font-weight=\"bold\""), 1 + 2);
    p.vehicle_count = 10;
    text = written(&a, &p);
    assert_int_equal(elements(text, "ellipse"), 41);
    assert_int_equal(occurrences(text, "font-weight=\"bold\""), 1 + 20); // every car has its number
    p.vehicle_count = 100;
    text = written(&a, &p);
    assert_int_equal(elements(text, "ellipse"), 401);
    // Too small for a number each: some stand above, and none on another.
    double x[200], y[200], size;
    int labels = 0, number;
    for (const char *t = text; labels < 200 && (t = strstr(t, "<text x=")); t++)
        if (sscanf(t,
                   "<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\" font-weight=\"bold\" "
                   "text-anchor=\"middle\" fill=\"#1d2733\">%d<",
                   &x[labels], &y[labels], &size, &number) == 4) {
            assert_true(size >= 8.0);
            for (int k = 0; k < labels; k++)
                assert_true(fabs(x[k] - x[labels]) > 11.0 || fabs(y[k] - y[labels]) > 11.0);
            labels++;
        }
    assert_true(labels >= 60 && labels < 200);
    arena_free(&a);
}

// The star of an impact that was a while ago has moved on with its vehicles, and lies between
// their magnified surfaces.
static void contacts_move_on(void **state)
{
    (void)state;
    mc_picture_vehicle vehicles[2] = {vehicle(0, 0, 0, -0.02), vehicle(2.94, 0, 0, -0.02)};
    vehicles[0].velocity[0] = vehicles[1].velocity[0] = 20.0;
    const mc_picture_impact impacts[2] = {
        {.a = 0,
         .b = 1,
         .time = 0.99,
         .point = {1.47 - 0.2, 0, 0.5},
         .normal = {1, 0, 0},
         .impulse = 500},
        {.a = -1, .b = -1, .time = 0.5, .point = {2.0, 0.5, 0}, .normal = {0, 1, 0}, .impulse = 1},
    };
    const mc_picture p = {.time = 1.0,
                          .magnification = 10,
                          .z_road = -1.1,
                          .vehicles = vehicles,
                          .vehicle_count = 2,
                          .impacts = impacts,
                          .impact_count = 2};
    arena a = {NULL};
    const char *text = written(&a, &p);
    mc_picture_layout l;
    mc_picture_layout_find(&p, &l);
    assert_int_equal(occurrences(text, "fill=\"#ffd54a\""), 2 * 2 + 1); // two a view, the legend
    // The path of a star begins at its top: search backwards from its colour.
    const char *star = text;
    const double expected[4][2] = {{1.47, 0.0}, {2.0, 0.5}, {1.47, 0.5}, {2.0, 0.0}};
    for (int k = 0; k < 4; k++) {
        star = strstr(star + 1, "fill=\"#ffd54a\"");
        const char *d = star;
        while (strncmp(d, "<path d=\"M", 10) != 0)
            d--;
        double x, y;
        assert_int_equal(sscanf(d, "<path d=\"M%lf,%lf", &x, &y), 2);
        const int view = k / 2;
        assert_near(x, l.view[view].u_px + expected[k][0] * l.scale, 0.05);
        const double below = l.view[view].v_px - expected[k][1] * l.scale - y; // the radius
        assert_true(below > 3.0 && below < 12.0);
    }
    arena_free(&a);
}

static void comma_locale_changes_nothing(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        skip(); // this machine has no such locale
    mc_picture_vehicle v = vehicle(0, 0, 0, 0);
    const mc_picture p = {.time = 1.5, .vehicles = &v, .vehicle_count = 1};
    arena a = {NULL};
    const char *text = written(&a, &p);
    setlocale(LC_NUMERIC, "C");
    assert_non_null(strstr(text, "t = 1.500 s"));
    arena_free(&a);
}

static void bad_input_is_rejected(void **state)
{
    (void)state;
    mc_picture_vehicle vehicles[2] = {vehicle(0, 0, 0, 0), vehicle(4, 0, 0, 0)};
    mc_picture_impact impact = {.a = 0, .b = 1, .normal = {1, 0, 0}};
    const mc_picture good = {
        .vehicles = vehicles, .vehicle_count = 2, .impacts = &impact, .impact_count = 1};
    mc_error error;
    mc_picture p = good;
    p.vehicle_count = 0;
    assert_int_equal(mc_picture_write(path, &p, &error), MC_BAD_INPUT);
    p = good;
    p.magnification = NAN;
    assert_int_equal(mc_picture_write(path, &p, &error), MC_BAD_INPUT);
    vehicles[1].rest_axes[8] = HUGE_VAL;
    assert_int_equal(mc_picture_write(path, &good, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "vehicle 2:"));
    vehicles[1].rest_axes[8] = 1.0;
    impact.b = 2;
    assert_int_equal(mc_picture_write(path, &good, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "impact 1:"));
    impact.b = 1;
    assert_int_equal(access(path, F_OK), -1); // nothing was written
    assert_int_equal(mc_picture_write(path, &good, &error), MC_OK);
    unlink(path);
}

// What no sensible scene has still gives a file that can be read.
static void strange_scenes_are_drawn(void **state)
{
    (void)state;
    mc_picture_vehicle vehicles[2] = {vehicle(0, 0, 1.6, 0), vehicle(0, 0, 3.1, 0)};
    mc_picture p = {.vehicles = vehicles, .vehicle_count = 2, .magnification = 1e4};
    arena a = {NULL};
    assert_int_equal(elements(written(&a, &p), "ellipse"), 9);
    memset(vehicles[0].surface.axes, 0, sizeof vehicles[0].surface.axes); // a point
    memset(vehicles[0].rest_axes, 0, sizeof vehicles[0].rest_axes);
    const mc_picture_impact impact = {.a = 0, .b = 1, .normal = {0, 0, 1}, .impulse = 1e-30};
    p.impacts = &impact, p.impact_count = 1;
    vehicles[0].elastic = -1.0;
    assert_int_equal(elements(written(&a, &p), "ellipse"), 9);
    p.vehicle_count = 1, p.impact_count = 0; // a scene without any size
    assert_int_equal(elements(written(&a, &p), "ellipse"), 5);
    p.vehicle_count = 2;
    vehicles[1].surface.centre[0] = 1e6; // a long way off
    vehicles[1].velocity[1] = 1e3;
    assert_int_equal(elements(written(&a, &p), "ellipse"), 9);
    arena_free(&a);
}

static void unwritable_path_is_reported(void **state)
{
    (void)state;
    mc_picture_vehicle v = vehicle(0, 0, 0, 0);
    const mc_picture p = {.vehicles = &v, .vehicle_count = 1};
    char missing[320];
    snprintf(missing, sizeof missing, "%s/none/scene.svg", folder);
    mc_error error = {.code = MC_OK};
    assert_int_equal(mc_picture_write(missing, &p, &error), MC_IO);
    assert_int_equal(error.code, MC_IO);
    assert_string_equal(error.file, missing);
    assert_int_equal(mc_picture_write(missing, &p, NULL), MC_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outline_of_a_sphere),
        cmocka_unit_test(outline_of_a_turned_car),
        cmocka_unit_test(outline_holds_the_surface),
        cmocka_unit_test(deformation_is_magnified),
        cmocka_unit_test(colours_darken_evenly),
        cmocka_unit_test(layout_holds_the_scene),
        cmocka_unit_test(keys_are_round),
        cmocka_unit_test(ellipses_are_those_of_the_outlines),
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(one_and_a_hundred),
        cmocka_unit_test(contacts_move_on),
        cmocka_unit_test(comma_locale_changes_nothing),
        cmocka_unit_test(bad_input_is_rejected),
        cmocka_unit_test(strange_scenes_are_drawn),
        cmocka_unit_test(unwritable_path_is_reported),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
