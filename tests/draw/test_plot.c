// test_plot.c - ticks, paths and SVG of curves and matrices.
#include "motorcade/plot.h"

#include "base/file.h"
#include "draw/svg.h"

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

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static int occurrences(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

// ---- a reader of XML that knows tags, attributes and the five entities ----

// Past the attributes of a tag, each name="value"; no number in them went wrong.
static const char *skip_attributes(const char *c)
{
    while (*c == ' ') {
        const size_t key = strspn(++c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
        assert_true(key > 0 && c[key] == '=' && c[key + 1] == '"');
        c += key + 2;
        const size_t length = strcspn(c, "\"<");
        assert_int_equal(c[length], '"');
        for (size_t k = 0; k < length; k++)
            assert_false(strncmp(c + k, "nan", 3) == 0 || strncmp(c + k, "inf", 3) == 0);
        c += length + 1;
    }
    return c;
}

// Fails unless text is one well-formed element without references to elsewhere.
static void assert_well_formed(const char *text)
{
    char open[16][16];
    int depth = 0, roots = 0;
    for (const char *c = text; *c;) {
        if (*c == '&') {
            const size_t length = strcspn(c, ";");
            assert_true(length >= 3 && length <= 5 && c[length] == ';');
            c += length + 1;
            continue;
        }
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
        if (*c != '<') {
            assert_true(depth > 0 || isspace((unsigned char)*c));
            assert_int_not_equal(*c++, '>');
            continue;
        }
        const int closing = c[1] == '/';
        c += 1 + closing;
        char tag[16];
        const size_t length = strspn(c, "abcdefghijklmnopqrstuvwxyz");
        assert_true(length > 0 && length < sizeof tag);
        snprintf(tag, sizeof tag, "%.*s", (int)length, c);
        c += length;
        if (closing) {
            assert_true(depth > 0);
            assert_string_equal(tag, open[--depth]);
            assert_int_equal(*c++, '>');
            continue;
        }
        roots += depth == 0;
        c = skip_attributes(c);
        const int empty = *c == '/';
        c += empty;
        assert_int_equal(*c++, '>');
        if (!empty) {
            assert_true(depth < 16);
            memcpy(open[depth++], tag, sizeof tag);
        }
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
    assert_null(strstr(text, "href"));
    assert_null(strstr(text, "url("));
    assert_null(strstr(text, "@import"));
    assert_null(strstr(text, " id="));
}

static char *drawn(const mc_plot *plot)
{
    char *text = NULL;
    size_t size = 0;
    mc_error error = {.text = ""};
    if (mc_plot_text(plot, &text, &size, &error) != MC_OK)
        fail_msg("rejected: %s", error.text);
    assert_int_equal(size, strlen(text));
    assert_well_formed(text);
    return text;
}

// ---- a reader of paths ----

typedef struct points {
    double x[20000], y[20000];
    int count, moves; // moves: pieces
} points;

// Points of the path with this title: M, l, h and v.
static void read_path(const char *svg, const char *title, points *p)
{
    char end[64];
    snprintf(end, sizeof end, "\"><title>%s</title></path>", title);
    const char *last = strstr(svg, end);
    assert_non_null(last);
    const char *c = last;
    while (strncmp(c, " d=\"", 4) != 0)
        c--;
    double x = 0.0, y = 0.0;
    p->count = p->moves = 0;
    for (c += 4; c < last;) {
        const char command = *c++;
        char *next;
        const double a = strtod(c, &next);
        assert_true(next > c);
        c = next;
        if (command == 'M' || command == 'l') {
            const double b = strtod(c, &next);
            assert_true(next > c);
            c = next;
            x = command == 'M' ? a : x + a;
            y = command == 'M' ? b : y + b;
            p->moves += command == 'M';
        } else if (command == 'h') {
            x += a;
        } else {
            assert_int_equal(command, 'v');
            y += a;
        }
        assert_true(p->count < 20000);
        p->x[p->count] = x;
        p->y[p->count++] = y;
    }
}

static bool has_point(const points *p, double x, double y)
{
    for (int i = 0; i < p->count; i++)
        if (fabs(p->x[i] - x) < 0.011 && fabs(p->y[i] - y) < 0.011)
            return true;
    return false;
}

// The minimum and maximum y of the curve, in the path where they belong.
static void assert_extremes_drawn(const char *svg, const mc_plot_curve *c, const mc_plot_scale *x,
                                  const mc_plot_scale *y)
{
    static points p;
    int min = -1, max = -1;
    for (int i = 0; i < c->count; i++) {
        if (isnan(c->y[i]))
            continue;
        min = min < 0 || c->y[i] < c->y[min] ? i : min;
        max = max < 0 || c->y[i] > c->y[max] ? i : max;
    }
    char name[64]; // as beside the panel
    snprintf(name, sizeof name, c->unit ? "%s (%s)" : "%s", c->label, c->unit);
    read_path(svg, name, &p);
    assert_true(has_point(&p, mc_plot_px(x, c->x[min]), mc_plot_px(y, c->y[min])));
    assert_true(has_point(&p, mc_plot_px(x, c->x[max]), mc_plot_px(y, c->y[max])));
}

// ---- ticks ----

static void ticks_of_known_ranges(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        int max, count;
        double first, last;
    } rows[] = {
        {0, 1, 6, 6, 0, 1},
        {0, 1, 11, 11, 0, 1},
        {0, 1, 5, 3, 0, 1},
        {-1, 1, 5, 5, -1, 1},
        {0, 5, 6, 6, 0, 5},
        {0.1, 0.9, 10, 9, 0.1, 0.9},
        {3, 97, 10, 9, 10, 90},
        {-0.061, 0.08, 8, 8, -0.06, 0.08},
        {1e-9, 9e-9, 9, 9, 1e-9, 9e-9},
        {-2e12, 3e12, 6, 6, -2e12, 3e12},
        {999.5, 1000.5, 6, 5, 999.6, 1000.4},
        {-7, -3, 5, 5, -7, -3},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        double ticks[100];
        const int count = mc_plot_ticks(rows[k].low, rows[k].high, rows[k].max, ticks);
        assert_int_equal(count, rows[k].count);
        assert_near(ticks[0], rows[k].first, 1e-15 * fabs(rows[k].first));
        assert_near(ticks[count - 1], rows[k].last, 1e-15 * fabs(rows[k].last));
    }
}

// Any range: equal steps of 1, 2 or 5, inside, none left out, as fine as allowed.
static void ticks_of_many_ranges(void **state)
{
    (void)state;
    unsigned int seed = 12345;
    for (int trial = 0; trial < 20000; trial++) {
        double r[3];
        for (int k = 0; k < 3; k++)
            r[k] = (seed = seed * 1664525u + 1013904223u) / 4294967296.0;
        const double size = pow(10.0, 40.0 * r[0] - 20.0), low = size * (2.0 * r[1] - 1.0);
        const double high = low + size * (0.01 + r[2]);
        const int max = 5 + trial % 20;
        double ticks[100];
        const int count = mc_plot_ticks(low, high, max, ticks);
        assert_true(count >= 2 && count <= max);
        const double step = (ticks[count - 1] - ticks[0]) / (count - 1);
        const double digit = step / pow(10.0, floor(log10(step) + 1e-6));
        assert_true(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
        for (int k = 0; k < count; k++) {
            assert_near(ticks[k], ticks[0] + k * step, 1e-6 * step);
            assert_near(ticks[k] / step, rint(ticks[k] / step), 1e-6);
        }
        assert_true(ticks[0] >= low - 1e-6 * step && ticks[0] - step < low);
        assert_true(ticks[count - 1] <= high + 1e-6 * step && ticks[count - 1] + step > high);
        const double finer = fabs(digit - 2) < 1e-6   ? step / 2
                             : fabs(digit - 1) < 1e-6 ? step / 2
                                                      : step / 2.5;
        assert_true(floor(high / finer + 1e-6) - ceil(low / finer - 1e-6) + 1 > max);
    }
}

static void numbers_on_axes(void **state)
{
    (void)state;
    axis_tick ticks[AXIS_TICK_MAX];
    mc_plot_scale s = {.low = -0.06, .high = 0.08, .low_px = 100};
    assert_int_equal(axis_ticks(&s, 8, ticks), 8);
    assert_string_equal(ticks[0].text, "\u22120.06");
    assert_string_equal(ticks[3].text, "0");
    assert_string_equal(ticks[7].text, "0.08");
    s = (mc_plot_scale){.low = 0, .high = 4e-7, .high_px = 100};
    assert_int_equal(axis_ticks(&s, 5, ticks), 5);
    assert_string_equal(ticks[4].text, "4\u00d710");
    assert_string_equal(ticks[4].power, "\u22127");
    assert_near(ticks[3].px, 75, 1e-9);
    s = (mc_plot_scale){.low = 1e-6, .high = 1e2, .high_px = 80, .logarithmic = 1};
    int decades = 0;
    for (int k = axis_ticks(&s, 9, ticks) - 1; k >= 0; k--)
        if (ticks[k].text[0])
            assert_near(ticks[k].px, 80 - 10 * decades++, 1e-9);
    assert_int_equal(decades, 9);
    // A large number with little change: differences to a round number.
    s = (mc_plot_scale){.low_px = 0, .high_px = 100};
    axis_fit(&s, 12345.678901, 12345.678903, 0.0);
    assert_near(s.offset, 12345.6789, 1e-9);
    assert_true(axis_ticks(&s, 5, ticks) >= 2);
    assert_string_equal(ticks[0].power, "\u22126");
    // Rounding is not magnified, nothing at all has an axis.
    axis_fit(&s, 1.0, 1.0 + 4e-16, 0.05);
    assert_true(s.low < 0.95 && s.high > 1.05);
    axis_fit(&s, 0.0, 0.0, 0.05);
    assert_true(s.low < 0 && s.high > 0);
}

// ---- curves ----

enum { MANY = 100000 };
static double time_many[MANY], noise[MANY];

static void long_curves_keep_their_peaks(void **state)
{
    (void)state;
    static const int spikes[] = {0, 7, 31415, 50000, 77777, MANY - 1};
    unsigned int seed = 1;
    for (int i = 0; i < MANY; i++) {
        seed = seed * 1664525u + 1013904223u;
        time_many[i] = 1e-4 * i;
        noise[i] = sin(1e-3 * i) + 0.1 * (seed / 4294967296.0 - 0.5);
    }
    for (int k = 0; k < 6; k++)
        noise[spikes[k]] = (k % 2 ? -3.0 : 3.0) - k;
    for (int style = 0; style <= MC_PLOT_STYLE_STEPS; style += MC_PLOT_STYLE_STEPS) {
        const mc_plot_curve c = {
            .label = "a", .x = time_many, .y = noise, .count = MANY, .style = (mc_plot_style)style};
        const mc_plot_panel panel = {.curves = &c, .curve_count = 1};
        const mc_plot plot = {.panels = &panel, .panel_count = 1};
        mc_plot_layout l;
        assert_int_equal(mc_plot_layout_find(&plot, &l, NULL), MC_OK);
        char *text = drawn(&plot);
        assert_true(strlen(text) < 60000);
        static points p;
        read_path(text, "a", &p);
        for (int k = 0; k < 6; k++)
            assert_true(has_point(&p, mc_plot_px(&l.x, time_many[spikes[k]]),
                                  mc_plot_px(&l.y[0], noise[spikes[k]])));
        assert_extremes_drawn(text, &c, &l.x, &l.y[0]);
        free(text);
    }
}

// x back and forth: every point left out is nearer than half a pixel to one that is drawn.
static void closed_curves_are_followed(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    static double x[COUNT], y[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = sin(6.0 * M_PI * i / COUNT);
        y[i] = cos(4.0 * M_PI * i / COUNT) + 1e-5 * i;
    }
    const mc_plot_curve c = {.label = "loop", .x = x, .y = y, .count = COUNT};
    const mc_plot_panel panel = {.curves = &c, .curve_count = 1};
    const mc_plot plot = {.panels = &panel, .panel_count = 1};
    mc_plot_layout l;
    assert_int_equal(mc_plot_layout_find(&plot, &l, NULL), MC_OK);
    char *text = drawn(&plot);
    static points p;
    read_path(text, "loop", &p);
    assert_true(p.count < COUNT);
    for (int i = 0; i < COUNT; i += 7) {
        double nearest = HUGE_VAL;
        for (int k = 0; k < p.count; k++)
            nearest = fmin(nearest, hypot(p.x[k] - mc_plot_px(&l.x, x[i]),
                                          p.y[k] - mc_plot_px(&l.y[0], y[i])));
        assert_true(nearest < 0.5);
    }
    assert_extremes_drawn(text, &c, &l.x, &l.y[0]);
    free(text);
}

static void every_curve_is_drawn_whole(void **state)
{
    (void)state;
    enum { COUNT = 501, CURVES = 9 };
    static double t[COUNT], y[CURVES][COUNT];
    static const char *const names[CURVES] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    mc_plot_curve curves[CURVES];
    for (int k = 0; k < CURVES; k++) {
        for (int i = 0; i < COUNT; i++) {
            t[i] = 0.01 * i;
            y[k][i] = 100.0 * exp(-0.3 * t[i]) * cos((3.0 + k) * t[i]);
        }
        curves[k] = (mc_plot_curve){
            .label = names[k], .unit = k % 2 ? "N" : "m", .x = t, .y = y[k], .count = COUNT};
    }
    const mc_plot_panel panels[2] = {{.curves = curves, .curve_count = 4},
                                     {.curves = curves + 4, .curve_count = 5}};
    const mc_plot plot = {.title = "all", .panels = panels, .panel_count = 2};
    mc_plot_layout l;
    assert_int_equal(mc_plot_layout_find(&plot, &l, NULL), MC_OK);
    char *text = drawn(&plot), *again = drawn(&plot);
    assert_string_equal(text, again);
    for (int k = 0; k < CURVES; k++) {
        char name[64];
        assert_extremes_drawn(text, &curves[k], &l.x, &l.y[k < 4 ? 0 : 1]);
        snprintf(name, sizeof name, ">%s (%s)</text>", names[k], curves[k].unit);
        assert_int_equal(occurrences(text, name), 1); // units differ, so they stand here
    }
    // Names beside a panel do not stand on each other.
    double last = -HUGE_VAL, x, at;
    int keys = 0;
    for (const char *s = text; (s = strstr(s, "<text class=\"mc-ink\"")); s++)
        if (sscanf(s, "<text class=\"mc-ink\" x=\"%lf\" y=\"%lf\"", &x, &at) == 2 &&
            x > l.x.high_px) {
            assert_true(at - last > 14.0);
            last = at;
            keys++;
        }
    assert_int_equal(keys, CURVES);
    free(text);
    free(again);
}

static void gaps_are_left(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {1, 2, NAN, 3, NAN, NAN, 4, 5};
    const double z[] = {0, 1, 10, 0, 100, 10, 1, 1};
    const mc_plot_curve curves[2] = {{.label = "g", .x = x, .y = y, .count = 8},
                                     {.label = "z", .x = x, .y = z, .count = 8}};
    mc_plot_panel panel = {.curves = curves, .curve_count = 1};
    const mc_plot plot = {.panels = &panel, .panel_count = 1};
    static points p;
    char *text = drawn(&plot);
    read_path(text, "g", &p);
    assert_int_equal(p.moves, 3);
    assert_int_equal(p.count, 2 + 2 + 2); // a dot is a move and h0
    free(text);
    panel.curves = curves + 1;
    panel.y.logarithmic = 1;
    text = drawn(&plot);
    read_path(text, "z", &p);
    assert_int_equal(p.moves, 2);
    assert_non_null(strstr(text, "2 zero values not shown"));
    mc_plot_layout l;
    assert_int_equal(mc_plot_layout_find(&plot, &l, NULL), MC_OK);
    assert_near(mc_plot_px(&l.y[0], 10.0),
                0.5 * (mc_plot_px(&l.y[0], 1.0) + mc_plot_px(&l.y[0], 100.0)), 1e-9);
    free(text);
}

static void text_is_escaped(void **state)
{
    (void)state;
    const double x[] = {0, 1};
    const mc_plot_curve curves[2] = {
        {.label = "<a&b>", .unit = "\"", .x = x, .y = x, .count = 2},
        {.label = "\xff\x01", .unit = "\"", .x = x, .y = x, .count = 2}};
    const mc_plot_panel panel = {.y = {.label = "p<&\">"}, .curves = curves, .curve_count = 2};
    const mc_plot plot = {.title = "t<&\">",
                          .caption = "c<&\">",
                          .x = {.label = "x<&\">"},
                          .panels = &panel,
                          .panel_count = 1};
    char *text = drawn(&plot);
    assert_int_equal(occurrences(text, ">t&lt;&amp;&quot;&gt;<"), 2); // title and heading
    assert_int_equal(occurrences(text, ">c&lt;&amp;&quot;&gt;<"), 1);
    assert_int_equal(occurrences(text, ">x&lt;&amp;&quot;&gt;<"), 1);
    assert_int_equal(occurrences(text, ">p&lt;&amp;&quot;&gt; (&quot;)<"), 1);
    assert_int_equal(occurrences(text, ">&lt;a&amp;b&gt;<"), 2); // curve and name
    assert_int_equal(occurrences(text, ">? <"), 2);
    free(text);
}

static void eigenvalues_and_rays(void **state)
{
    (void)state;
    const double re[] = {-3, -3, -0.5, -0.5, -8}, im[] = {4, -4, 10, -10, 0};
    const mc_plot_curve c = {
        .label = "e", .x = re, .y = im, .count = 5, .style = MC_PLOT_STYLE_POINTS};
    const mc_plot_panel panel = {.curves = &c, .curve_count = 1};
    const mc_plot plot = {.panels = &panel, .panel_count = 1, .complex_plane = 1};
    mc_plot_layout l;
    assert_int_equal(mc_plot_layout_find(&plot, &l, NULL), MC_OK);
    assert_true(l.x.low < -8 && l.x.high > 0 && l.y[0].low < -10 && l.y[0].high > 10);
    char *text = drawn(&plot);
    assert_int_equal(occurrences(text, "m-4.5-4.5l9 9m0-9l-9 9"), 5);
    // The first ray, upwards: Re / |.| = -0.05.
    const char *ray = strstr(text, "stroke-dasharray=\"5 4\" d=\"M");
    double x, y, dx, dy;
    assert_non_null(ray);
    assert_int_equal(sscanf(strchr(ray, 'M'), "M%lf,%lfl%lf,%lf", &x, &y, &dx, &dy), 4);
    assert_near(x, mc_plot_px(&l.x, 0), 0.01);
    assert_near(y, mc_plot_px(&l.y[0], 0), 0.01);
    const double a = dx * (l.x.high - l.x.low) / (l.x.high_px - l.x.low_px);
    const double b = dy * (l.y[0].high - l.y[0].low) / (l.y[0].high_px - l.y[0].low_px);
    assert_near(-a / hypot(a, b), 0.05, 1e-3);
    free(text);
}

static void curves_by_unit(void **state)
{
    (void)state;
    mc_plot_curve curves[5] = {{.label = "a", .unit = "m"},
                               {.label = "b", .unit = "N"},
                               {.label = "c", .unit = "m"},
                               {.label = "d"},
                               {.label = "e", .unit = "N"}};
    mc_plot_panel panels[5];
    assert_int_equal(mc_plot_by_unit(curves, 5, panels), 3);
    const char *const order[] = {"a", "c", "b", "e", "d"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(curves[i].label, order[i]);
    assert_int_equal(panels[0].curve_count, 2);
    assert_ptr_equal(panels[1].curves, curves + 2);
    assert_int_equal(panels[2].curve_count, 1);
}

static void comma_locale_changes_nothing(void **state)
{
    (void)state;
    const double x[] = {0, 0.5}, y[] = {0.25, 0.125};
    const mc_plot_curve c = {.label = "a", .x = x, .y = y, .count = 2};
    const mc_plot_panel panel = {.curves = &c, .curve_count = 1};
    const mc_plot plot = {.panels = &panel, .panel_count = 1};
    char *plain = drawn(&plot);
    assert_non_null(strstr(plain, ">0.14<"));
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
        char *text = drawn(&plot);
        setlocale(LC_NUMERIC, "C");
        assert_string_equal(text, plain);
        free(text);
    }
    free(plain);
}

// ---- wrong input ----

static double good_x[3] = {0, 1, 2}, good_y[3] = {1, 2, 3};

static void assert_rejected(const mc_plot *plot, const char *words)
{
    mc_error error = {.text = ""};
    char *text = (char *)1;
    assert_int_equal(mc_plot_text(plot, &text, NULL, &error), MC_BAD_INPUT);
    assert_null(text);
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void wrong_curves_are_named(void **state)
{
    (void)state;
    double bad[3] = {1, 2, 3};
    const mc_plot_curve good = {.label = "q1", .x = good_x, .y = good_y, .count = 3};
    mc_plot_curve curves[2] = {good, good};
    mc_plot_panel panel = {.curves = curves, .curve_count = 2};
    mc_plot plot = {.panels = &panel, .panel_count = 1};
    mc_plot_curve *c = &curves[1];
    c->label = "q2";
    free(drawn(&plot));
    c->count = 0;
    assert_rejected(&plot, "panel 1, curve 2 \"q2\": has no points");
    c->count = 3, c->y = bad, bad[1] = HUGE_VAL;
    assert_rejected(&plot, "curve 2 \"q2\", point 2: y is inf");
    bad[0] = bad[1] = bad[2] = NAN;
    assert_rejected(&plot, "\"q2\": none of its 3 values");
    c->y = good_y, c->x = bad;
    assert_rejected(&plot, "\"q2\", point 1: x is");
    c->x = good_x, c->y = bad, bad[0] = bad[1] = 1, bad[2] = -1, panel.y.logarithmic = 1;
    assert_rejected(&plot, "\"q2\", point 3: y is -1");
    panel.y.logarithmic = 0, plot.x.logarithmic = 1;
    assert_rejected(&plot, "\"q1\", point 1: x is 0");
    plot.x.logarithmic = 0, c->style = (mc_plot_style)7;
    assert_rejected(&plot, "\"q2\": style 7");
    c->style = MC_PLOT_STYLE_LINE, c->colour = 10;
    assert_rejected(&plot, "\"q2\": colour 10");
    c->colour = 0, bad[1] = 1e301;
    assert_rejected(&plot, "point 2: y is 1e+301");
}

static void wrong_plots_are_rejected(void **state)
{
    (void)state;
    const mc_plot_curve c = {.label = "q1", .x = good_x, .y = good_y, .count = 3};
    mc_plot_panel panel = {.curves = &c, .curve_count = 0};
    mc_plot plot = {.panels = &panel, .panel_count = 1};
    assert_rejected(&plot, "panel 1: 0 curves");
    panel.curve_count = 37;
    assert_rejected(&plot, "37 curves");
    panel.curve_count = 1, plot.panel_count = 0;
    assert_rejected(&plot, "0 panels");
    plot.panel_count = 1, plot.width = 100;
    assert_rejected(&plot, "width 100");
    plot.width = 0, plot.x.low = 3, plot.x.high = 1;
    assert_rejected(&plot, "x axis: ends 3 and 1");
    plot.x.low = 10, plot.x.high = 20;
    assert_rejected(&plot, "no curve has a point between");
    plot.x.low = plot.x.high = 0, panel.y.low = -1, panel.y.high = 1, panel.y.logarithmic = 1;
    assert_rejected(&plot, "cannot begin at -1");
    panel.y = (mc_plot_axis){.label = NULL}, panel.height = -5;
    assert_rejected(&plot, "height -5");
    panel.height = 0, plot.complex_plane = 1, plot.x.logarithmic = 1;
    assert_rejected(&plot, "complex plane");
    assert_int_equal(mc_plot_text(&plot, &(char *){NULL}, NULL, NULL), MC_BAD_INPUT);
}

// ---- files ----

static void files_are_written_whole(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_plot.XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.svg", folder);
    const mc_plot_curve c = {.label = "q1", .x = good_x, .y = good_y, .count = 3};
    const mc_plot_panel panel = {.curves = &c, .curve_count = 1};
    mc_plot plot = {.panels = &panel, .panel_count = 1};
    mc_error error;
    arena a = {NULL};
    char *text, *in_memory = drawn(&plot);
    size_t size;
    assert_int_equal(mc_plot_write(path, &plot, &error), MC_OK);
    assert_int_equal(file_read(&a, path, 0, &text, &size, &error), MC_OK);
    assert_string_equal(text, in_memory);
    unlink(path);
    plot.panel_count = 0;
    assert_int_equal(mc_plot_write(path, &plot, &error), MC_BAD_INPUT);
    assert_string_equal(error.file, path);
    assert_int_equal(access(path, F_OK), -1);
    plot.panel_count = 1;
    snprintf(path, sizeof path, "%s/none/a.svg", folder);
    assert_int_equal(mc_plot_write(path, &plot, &error), MC_IO);
    assert_int_equal(mc_plot_write(path, &plot, NULL), MC_IO);
    assert_int_equal(rmdir(folder), 0);
    arena_free(&a);
    free(in_memory);
}

// ---- matrices ----

// Squares in the path of a class.
static int squares(const char *svg, const char *class)
{
    char begin[64];
    snprintf(begin, sizeof begin, "<path class=\"%s\"", class);
    int count = 0;
    for (const char *c = svg; (c = strstr(c, begin)); c++)
        for (const char *d = strstr(c, " d=\""); *d != '>'; d++)
            count += *d == 'z';
    return count;
}

static void matrix_entries_are_counted(void **state)
{
    (void)state;
    static unsigned char m[15 * 15], j[3 * 5];
    int constant = 0, varying = 0;
    for (int i = 0; i < 225; i++)
        m[i] = (unsigned char)(i % 16 == 0 ? 2 : i % 7 == 3);
    for (int i = 0; i < 15; i++)
        j[i] = (unsigned char)(i % 5 == 4 ? 2 : 0);
    for (int i = 0; i < 225; i++)
        constant += m[i] == 1, varying += m[i] == 2;
    const char *const names[] = {"<x>", "y", NULL, "roll & pitch", "a \"long\" name"};
    const mc_plot_matrix matrices[2] = {{"M", 15, 15, m, NULL, NULL}, {"J", 3, 5, j, names, names}};
    char *text, words[96];
    size_t size;
    assert_int_equal(mc_plot_matrix_text("two", matrices, 2, &text, &size, NULL), MC_OK);
    assert_well_formed(text);
    assert_int_equal(squares(text, "mc-constant"), constant);
    assert_int_equal(squares(text, "mc-varying"), varying + 3);
    snprintf(words, sizeof words, ">%d zero, %d constant, %d varying<", 225 - constant - varying,
             constant, varying);
    assert_int_equal(occurrences(text, words), 1);
    assert_int_equal(occurrences(text, ">12 zero, 0 constant, 3 varying<"), 1);
    assert_int_equal(occurrences(text, ">15 \u00d7 15, "), 1);
    assert_int_equal(occurrences(text, ">&lt;x&gt;<"), 2);
    long counts[MC_PLOT_ENTRY_COUNT];
    mc_plot_matrix_counts(&matrices[0], counts);
    assert_int_equal(counts[MC_PLOT_ENTRY_CONSTANT], constant);
    free(text);
}

static void large_matrices_are_drawn_by_blocks(void **state)
{
    (void)state;
    enum { N = 1000 };
    static unsigned char m[N * N];
    m[500 * N + 3] = MC_PLOT_ENTRY_VARYING;  // alone in its block of 3 x 3
    m[501 * N + 4] = MC_PLOT_ENTRY_CONSTANT; // behind it
    const mc_plot_matrix matrix = {"big", N, N, m, NULL, NULL};
    char *text;
    assert_int_equal(mc_plot_matrix_text(NULL, &matrix, 1, &text, NULL, NULL), MC_OK);
    assert_well_formed(text);
    assert_int_equal(squares(text, "mc-varying"), 1);
    assert_non_null(strstr(text, "d=\"M1,166h1v1h-1z\""));
    assert_non_null(strstr(text, "up to 3 \u00d7 3 entries"));
    assert_non_null(strstr(text, ">999998 zero, 1 constant, 1 varying<"));
    free(text);
}

static void wrong_matrices_are_named(void **state)
{
    (void)state;
    unsigned char m[4] = {0, 1, 2, 3};
    mc_plot_matrix matrix = {"K", 2, 2, m, NULL, NULL};
    mc_error error;
    char *text;
    assert_int_equal(mc_plot_matrix_text("", &matrix, 1, &text, NULL, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "matrix 1 \"K\", row 2, column 2: kind 3"));
    assert_int_equal(mc_plot_matrix_text("", &matrix, 0, &text, NULL, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "0 matrices"));
    matrix.column_count = 0;
    assert_int_equal(mc_plot_matrix_text("", &matrix, 1, &text, NULL, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "2 rows and 0 columns"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_of_known_ranges),
        cmocka_unit_test(ticks_of_many_ranges),
        cmocka_unit_test(numbers_on_axes),
        cmocka_unit_test(long_curves_keep_their_peaks),
        cmocka_unit_test(closed_curves_are_followed),
        cmocka_unit_test(every_curve_is_drawn_whole),
        cmocka_unit_test(gaps_are_left),
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(eigenvalues_and_rays),
        cmocka_unit_test(curves_by_unit),
        cmocka_unit_test(comma_locale_changes_nothing),
        cmocka_unit_test(wrong_curves_are_named),
        cmocka_unit_test(wrong_plots_are_rejected),
        cmocka_unit_test(files_are_written_whole),
        cmocka_unit_test(matrix_entries_are_counted),
        cmocka_unit_test(large_matrices_are_drawn_by_blocks),
        cmocka_unit_test(wrong_matrices_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
