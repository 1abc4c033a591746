// test_plot_bars.c - bars, maps, marks and ramps: shapes have the sizes of their values.
#include "motorcade/plot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("%.17g is not %.17g within %g", found, expected, error);
}

static char *bars_of(const mc_plot_bars *bars)
{
    mc_error error;
    char *text;
    if (mc_plot_bars_text(bars, &text, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    return text;
}

static char *heat_of(const mc_plot_heat *heat)
{
    mc_error error;
    char *text;
    if (mc_plot_heat_text(heat, &text, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    return text;
}

// The rectangles "Mx,yhWvHh-Wz" of the path before <title>label</title>.
typedef struct rectangle {
    double x, y, width, height;
} rectangle;

static int rectangles(const char *svg, const char *label, rectangle *out, int max)
{
    char title[80];
    snprintf(title, sizeof title, "\"><title>%s</title></path>", label);
    const char *end = strstr(svg, title), *at = end;
    assert_non_null(end);
    while (at > svg && strncmp(at, " d=\"", 4) != 0)
        at--;
    int count = 0;
    for (at += 4; at < end && count < max; at = strchr(at, 'z') + 1, count++) {
        rectangle *r = &out[count];
        assert_int_equal(sscanf(at, "M%lf,%lfh%lfv%lf", &r->x, &r->y, &r->width, &r->height), 4);
    }
    return count;
}

static void bars_beside_each_other(void **state)
{
    (void)state;
    const double one[] = {2.0, -1.0, NAN, 4.0}, two[] = {1.0, 1.0, 1.0, 1.0};
    const char *const names[] = {"a", "b", "c", "d"};
    const mc_plot_series series[] = {{"first", one, 0}, {"second", two, 0}};
    const mc_plot_bars bars = {.title = "Bars",
                               .y = {.label = "Force", .unit = "N"},
                               .names = names,
                               .count = 4,
                               .series = series,
                               .series_count = 2};
    char *svg = bars_of(&bars);
    rectangle r[8], s[8];
    assert_int_equal(rectangles(svg, "first", r, 8), 3); // NAN has none
    assert_int_equal(rectangles(svg, "second", s, 8), 4);
    const double unit = s[0].height; // px of 1 N
    assert_true(unit > 20.0);
    assert_near(r[0].height, 2.0 * unit, 0.03);
    assert_near(r[1].height, 1.0 * unit, 0.03);
    assert_near(r[2].height, 4.0 * unit, 0.03);
    assert_near(r[1].y, r[0].y + r[0].height, 0.03); // downwards from the base
    assert_near(s[0].y + s[0].height, r[1].y, 0.03);
    for (int i = 0; i < 4; i++) // beside, not over each other
        assert_true(i == 2 || s[i].x >= r[i < 2 ? i : 2].x + r[0].width);
    assert_non_null(strstr(svg, ">Force (N)</text>"));
    assert_non_null(strstr(svg, ">c</text>"));
    free(svg);
}

static void bars_on_top_of_each_other(void **state)
{
    (void)state;
    const double one[] = {2.0, 3.0}, two[] = {1.0, NAN}, three[] = {0.5, 1.5};
    const mc_plot_series series[] = {{"one", one, 0}, {"two", two, 0}, {"three", three, 0}};
    const mc_plot_bars bars = {
        .title = "Ledger", .count = 2, .series = series, .series_count = 3, .stacked = 1};
    char *svg = bars_of(&bars);
    rectangle a[2], b[2], c[2];
    assert_int_equal(rectangles(svg, "one", a, 2), 2);
    assert_int_equal(rectangles(svg, "two", b, 2), 1);
    assert_int_equal(rectangles(svg, "three", c, 2), 2);
    assert_near(b[0].y + b[0].height, a[0].y, 0.03);
    assert_near(c[0].y + c[0].height, b[0].y, 0.03);
    assert_near(c[1].y + c[1].height, a[1].y, 0.03);
    assert_near(a[0].height / b[0].height, 2.0, 0.01);
    assert_near(a[1].height, c[1].height * 2.0, 0.05);
    assert_near(a[0].y + a[0].height, a[1].y + a[1].height, 0.03);
    free(svg);
}

// Gains: from 1 up or down, shaded above.
static void bars_from_a_base(void **state)
{
    (void)state;
    const double gain[] = {1.1, 0.8, 1.0};
    const mc_plot_series series = {"gain", gain, 0};
    const mc_plot_bars bars = {.y = {.low = 0.5, .high = 1.5},
                               .count = 3,
                               .series = &series,
                               .series_count = 1,
                               .base = 1.0,
                               .shade_above = 1};
    char *svg = bars_of(&bars);
    rectangle r[3];
    assert_int_equal(rectangles(svg, "gain", r, 3), 2); // 1.0 has no height
    assert_near(r[0].height, 0.1 * 250.0, 0.02);
    assert_near(r[1].height, 0.2 * 250.0, 0.02);
    assert_near(r[0].y + r[0].height, r[1].y, 0.02);
    assert_int_equal(strstr(svg, "mc-shade\" d=\"") != NULL, 1);
    free(svg);
}

static int cells_of(const char *svg, const char *class)
{
    char begin[40];
    snprintf(begin, sizeof begin, "<path class=\"%s\" d=\"", class);
    const char *at = strstr(svg, begin);
    int count = 0;
    for (at = at ? at + strlen(begin) : ""; *at && *at != '"'; at++)
        count += *at == 'M';
    return count;
}

static void first_cell(const char *svg, const char *class, double *x, double *y)
{
    char begin[40];
    snprintf(begin, sizeof begin, "<path class=\"%s\" d=\"", class);
    const char *at = strstr(svg, begin);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(begin), "M%lf %lf", x, y), 2);
}

static void maps(void **state)
{
    (void)state;
    // low end, high end, middle, blank; the first row is at the bottom
    const double values[2][4] = {{0.0, 0.0, 16.0, NAN}, {8.0, 8.0, 8.0, 8.0}};
    mc_plot_heat heat = {.title = "Map",
                         .x = {.label = "Time", .unit = "s", .low = 0.0, .high = 4.0},
                         .y = {.label = "Car", .low = 0.5, .high = 2.5},
                         .value = {.label = "Speed", .unit = "m/s"},
                         .column_count = 4,
                         .row_count = 2,
                         .values = values[0]};
    char *svg = heat_of(&heat);
    assert_int_equal(cells_of(svg, "mc-s0"), 1);  // two cells, one piece
    assert_int_equal(cells_of(svg, "mc-s15"), 1); // 16 is the end
    assert_int_equal(cells_of(svg, "mc-s8"), 1);  // 8 of 0..16
    assert_int_equal(cells_of(svg, "mc-s4"), 0);
    assert_non_null(strstr(svg, ">Speed (m/s)</text>"));
    double x[2], y[2];
    first_cell(svg, "mc-s0", &x[0], &y[0]);
    first_cell(svg, "mc-s8", &x[1], &y[1]);
    assert_near(x[0], x[1], 0.01);
    assert_near(y[0] - y[1], 160.0, 0.01); // one of two rows of 320 px below the other
    free(svg);
    heat.diverging = 1;
    svg = heat_of(&heat);
    assert_int_equal(cells_of(svg, "mc-d8"), 1);  // 0 is the middle
    assert_int_equal(cells_of(svg, "mc-d16"), 1); // 16 the end
    free(svg);
}

static void marks_and_ramps(void **state)
{
    (void)state;
    const double x[] = {0.0, 10.0}, y[] = {0.0, 1.0}, z[] = {1.0, 1.0};
    const mc_plot_curve curves[] = {
        {.label = "one", .x = x, .y = y, .count = 2, .colour = MC_PLOT_RAMP},
        {.label = "two", .x = x, .y = z, .count = 2, .colour = MC_PLOT_RAMP + 11}};
    const mc_plot_panel panel = {.y = {.label = "y"}, .curves = curves, .curve_count = 2};
    mc_plot_mark marks[] = {
        {2.0, "early", 0}, {5.0, "weak", 0}, {5.1, "strong", 1}, {12.0, "late", 0}};
    mc_plot plot = {.panels = &panel, .panel_count = 1, .marks = marks, .mark_count = 4};
    mc_error error;
    mc_plot_layout layout;
    char *svg;
    assert_int_equal(mc_plot_text(&plot, &svg, NULL, &error), MC_OK);
    assert_int_equal(mc_plot_layout_find(&plot, &layout, &error), MC_OK);
    assert_non_null(strstr(svg, "<path class=\"mc-r0\""));
    assert_non_null(strstr(svg, "<path class=\"mc-r11\""));
    assert_non_null(strstr(svg, "--mc-r11:#f48849"));
    assert_non_null(strstr(svg, ">early</text>"));
    assert_non_null(strstr(svg, ">strong</text>"));
    assert_null(strstr(svg, ">late</text>")); // beyond the axis
    const char *line = strstr(svg, "<path class=\"mc-2\" fill=\"none\" stroke-dasharray=\"3 3\"");
    double px;
    assert_non_null(line);
    assert_int_equal(sscanf(strstr(line, " d=\"M"), " d=\"M%lf", &px), 1);
    assert_near(px, mc_plot_px(&layout.x, 5.1), 0.01);
    free(svg);
    marks[0].x = NAN;
    assert_int_equal(mc_plot_text(&plot, &svg, NULL, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "mark 1 is at nan; expected a finite number");
}

static void wrong_ones_are_rejected(void **state)
{
    (void)state;
    mc_error error;
    char *text;
    const double good[] = {1.0}, bad[] = {-1.0}, huge[] = {1e301};
    mc_plot_series series = {"s", good, 0};
    mc_plot_bars bars = {.series = &series, .series_count = 1};
    assert_int_equal(mc_plot_bars_text(&bars, &text, NULL, &error), MC_BAD_INPUT); // no places
    assert_null(text);
    bars.count = 1;
    bars.width = 10.0;
    assert_int_equal(mc_plot_bars_text(&bars, &text, NULL, &error), MC_BAD_INPUT);
    bars.width = 0.0;
    series.values = huge;
    assert_int_equal(mc_plot_bars_text(&bars, &text, NULL, &error), MC_BAD_INPUT);
    series.values = bad;
    bars.stacked = 1;
    assert_int_equal(mc_plot_bars_text(&bars, &text, NULL, &error), MC_BAD_INPUT);
    assert_string_equal(
        error.text, "bars: series 1, place 1 is -1; expected finite numbers from 0 up, stacked");
    bars.stacked = 0;
    bars.y.low = 2.0, bars.y.high = 1.0;
    assert_int_equal(mc_plot_bars_text(&bars, &text, NULL, &error), MC_BAD_INPUT);
    mc_plot_heat heat = {
        .x = {.low = 0.0, .high = 1.0}, .values = good, .column_count = 1, .row_count = 1};
    assert_int_equal(mc_plot_heat_text(&heat, &text, NULL, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "a map with ends 0 and 0 of its y axis; expected two finite "
                                    "numbers, the first the smaller");
    heat.y.high = 1.0;
    heat.values = huge;
    assert_int_equal(mc_plot_heat_text(&heat, &text, NULL, &error), MC_BAD_INPUT);
    heat.values = good;
    heat.column_count = 0;
    assert_int_equal(mc_plot_heat_text(&heat, &text, NULL, &error), MC_BAD_INPUT);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_beside_each_other), cmocka_unit_test(bars_on_top_of_each_other),
        cmocka_unit_test(bars_from_a_base),       cmocka_unit_test(maps),
        cmocka_unit_test(marks_and_ramps),        cmocka_unit_test(wrong_ones_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
