// plot.c - checks, layout and SVG of curves.
#include "motorcade/plot.h"

#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sizes in px.
static const double width_usual = 900.0, min_width = 300.0, max_width = 4000.0;
static const double margin = 16.0;
static const double heading_height = 27.0; // name of the y axis, above the panel
static const double panel_gap = 10.0;
static const double foot_height = 58.0; // numbers and name of the x axis
static const double key_gap = 18.5;     // from name to name
static const double leader = 20.0;      // from the end of a curve to its key
static const double sample = 20.0;      // line in the key
static const double key_share = 0.34;   // of the width, most for the names
static const double max_value = 1e300;  // beyond that distances overflow

enum { NAME_ROOM = 256, MARK_NAMES = 64 };

// ---- names ----

// What an axis without a unit may carry: "", "-" and "1" mean none.
static const char *unit_text(const char *unit)
{
    return !unit || strcmp(unit, "-") == 0 || strcmp(unit, "1") == 0 ? "" : unit;
}

static const char *label_text(const char *label)
{
    return label ? label : "";
}

static bool units_agree(const mc_plot_panel *panel)
{
    for (int i = 1; i < panel->curve_count; i++)
        if (strcmp(unit_text(panel->curves[i].unit), unit_text(panel->curves[0].unit)) != 0)
            return false;
    return true;
}

// "label minus offset (unit)", without what is missing.
static void axis_name(char name[NAME_ROOM], const char *label, const char *unit, double offset)
{
    int n = snprintf(name, NAME_ROOM, "%s", label);
    if (offset != 0.0 && n < NAME_ROOM)
        n += snprintf(name + n, (size_t)(NAME_ROOM - n), "%sminus %.15g", n > 0 ? " " : "", offset);
    if (*unit && n < NAME_ROOM)
        snprintf(name + n, (size_t)(NAME_ROOM - n), n > 0 ? " (%s)" : "%s", unit);
}

static void panel_name(char name[NAME_ROOM], const mc_plot_panel *panel, double offset)
{
    const char *label = label_text(panel->y.label), *unit = unit_text(panel->y.unit);
    if (!*label && panel->curve_count == 1)
        label = label_text(panel->curves[0].label);
    if (!*unit && units_agree(panel))
        unit = unit_text(panel->curves[0].unit);
    axis_name(name, label, unit, offset);
}

// Does the panel need names beside it? Not for one curve that has its name on the axis.
static bool has_keys(const mc_plot_panel *panel)
{
    const char *label = label_text(panel->curves[0].label);
    return panel->curve_count > 1 ||
           (*label && *label_text(panel->y.label) && strcmp(label, panel->y.label) != 0);
}

static void key_name(char name[NAME_ROOM], const mc_plot_panel *panel, int i)
{
    const mc_plot_curve *c = &panel->curves[i];
    if (*label_text(c->label))
        snprintf(name, NAME_ROOM, "%s", c->label);
    else
        snprintf(name, NAME_ROOM, "curve %d", i + 1);
    const size_t n = strlen(name);
    if (*unit_text(c->unit) && !*unit_text(panel->y.unit) && !units_agree(panel))
        snprintf(name + n, NAME_ROOM - n, " (%s)", c->unit);
}

// ---- checks ----

static bool is_fixed(const mc_plot_axis *axis)
{
    return axis->low != 0.0 || axis->high != 0.0;
}

static mc_status check_axis(const char *path, const mc_plot_axis *axis, const char *which,
                            mc_error *error)
{
    if (!is_fixed(axis))
        return MC_OK;
    const double distance = axis->high - axis->low;
    const double size = fmax(fabs(axis->low), fabs(axis->high));
    if (!(distance > 1e-12 * size) || !(size <= max_value) || !(size >= 1e-280))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "%s: ends %g and %g; expected two finite numbers, the first the "
                            "smaller, or 0 and 0 to fit the curves",
                            which, axis->low, axis->high);
    if (axis->logarithmic && axis->low <= 0.0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "%s: a logarithmic axis cannot begin at %g; it needs an end above 0",
                            which, axis->low);
    return MC_OK;
}

static mc_status check_values(const char *path, const mc_plot *plot, int panel_index, int index,
                              mc_error *error)
{
    const mc_plot_panel *panel = &plot->panels[panel_index];
    const mc_plot_curve *c = &panel->curves[index];
    const char *bad = NULL;
    double value = 0.0;
    int shown = 0, i = 0;
    for (; i < c->count && !bad; i++) {
        const double x = c->x[i], y = c->y[i];
        if (!(fabs(x) <= max_value))
            bad = "x is %g; expected a finite number up to 1e300", value = x;
        else if (plot->x.logarithmic && x <= 0.0)
            bad = "x is %g, which a logarithmic axis cannot show; expected a number above 0",
            value = x;
        else if (fabs(y) > max_value)
            bad = "y is %g; expected a finite number up to 1e300, or NAN for a gap", value = y;
        else if (panel->y.logarithmic && y < 0.0)
            bad = "y is %g, which a logarithmic axis cannot show; expected 0 or more", value = y;
        shown += !isnan(y) && !(panel->y.logarithmic && y == 0.0);
    }
    char name[NAME_ROOM], what[160];
    key_name(name, panel, index);
    if (bad) {
        snprintf(what, sizeof what, bad, value);
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "panel %d, curve %d \"%.100s\", point %d: %s", panel_index + 1,
                            index + 1, name, i, what);
    }
    if (shown == 0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "panel %d, curve %d \"%.100s\": none of its %d values can be drawn%s",
                            panel_index + 1, index + 1, name, c->count,
                            panel->y.logarithmic ? " on a logarithmic axis" : "");
    return MC_OK;
}

static mc_status check_curve(const char *path, const mc_plot *plot, int panel_index, int index,
                             mc_error *error)
{
    const mc_plot_curve *c = &plot->panels[panel_index].curves[index];
    char name[NAME_ROOM];
    key_name(name, &plot->panels[panel_index], index);
    if (c->count < 1 || !c->x || !c->y)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "panel %d, curve %d \"%.100s\": has no points; expected at least one",
                            panel_index + 1, index + 1, name);
    if ((int)c->style < 0 || c->style >= MC_PLOT_STYLE_COUNT)
        return mc_error_set(
            error, MC_BAD_INPUT, path, 0, 0,
            "panel %d, curve %d \"%.100s\": style %d; expected line, points or steps, 0 to %d",
            panel_index + 1, index + 1, name, (int)c->style, MC_PLOT_STYLE_COUNT - 1);
    if (c->colour < 0 || c->colour >= MC_PLOT_RAMP + MC_PLOT_RAMP_COUNT ||
        (c->colour > MC_PLOT_COLOUR_COUNT && c->colour < MC_PLOT_RAMP))
        return mc_error_set(
            error, MC_BAD_INPUT, path, 0, 0,
            "panel %d, curve %d \"%.100s\": colour %d; expected 0 to %d or %d to %d",
            panel_index + 1, index + 1, name, c->colour, MC_PLOT_COLOUR_COUNT, MC_PLOT_RAMP,
            MC_PLOT_RAMP + MC_PLOT_RAMP_COUNT - 1);
    return check_values(path, plot, panel_index, index, error);
}

static mc_status check_panel(const char *path, const mc_plot *plot, int index, mc_error *error)
{
    const mc_plot_panel *panel = &plot->panels[index];
    char which[64];
    if (panel->curve_count < 1 || panel->curve_count > MC_PLOT_CURVE_MAX || !panel->curves)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "panel %d: %d curves; expected 1 to %d", index + 1, panel->curve_count,
                            MC_PLOT_CURVE_MAX);
    if (!(panel->height == 0.0 || (panel->height >= 40.0 && panel->height <= max_width)))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "panel %d: height %g px; expected 40 to %g, or 0", index + 1,
                            panel->height, max_width);
    snprintf(which, sizeof which, "panel %d, y axis", index + 1);
    mc_status status = check_axis(path, &panel->y, which, error);
    for (int i = 0; i < panel->curve_count && status == MC_OK; i++)
        status = check_curve(path, plot, index, i, error);
    if (status == MC_OK && plot->complex_plane && panel->y.logarithmic)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                              "panel %d: the complex plane has no logarithmic axes", index + 1);
    return status;
}

static mc_status check(const char *path, const mc_plot *plot, mc_error *error)
{
    if (plot->panel_count < 1 || plot->panel_count > MC_PLOT_PANEL_MAX || !plot->panels)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "a plot of %d panels; expected 1 to %d", plot->panel_count,
                            MC_PLOT_PANEL_MAX);
    if (!(plot->width == 0.0 || (plot->width >= min_width && plot->width <= max_width)))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "width %g px; expected %g to %g, or 0 for %g", plot->width, min_width,
                            max_width, width_usual);
    if (plot->complex_plane && plot->x.logarithmic)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "the complex plane has no logarithmic axes");
    for (int i = 0; i < plot->mark_count; i++)
        if (!isfinite(plot->marks[i].x))
            return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                "mark %d is at %g; expected a finite number", i + 1,
                                plot->marks[i].x);
    mc_status status = check_axis(path, &plot->x, "x axis", error);
    for (int k = 0; k < plot->panel_count && status == MC_OK; k++)
        status = check_panel(path, plot, k, error);
    return status;
}

// ---- layout ----

static void fix_ends(mc_plot_scale *scale, const mc_plot_axis *axis)
{
    axis_fit(scale, axis->low, axis->high, 0.0);
    scale->low = axis->low; // without the rounding of powers
    scale->high = axis->high;
}

static void find_x(const mc_plot *plot, mc_plot_scale *scale)
{
    *scale = (mc_plot_scale){.logarithmic = plot->x.logarithmic != 0};
    if (is_fixed(&plot->x)) {
        fix_ends(scale, &plot->x);
        return;
    }
    double low = HUGE_VAL, high = -HUGE_VAL, room = 0.0;
    for (int k = 0; k < plot->panel_count; k++)
        for (int i = 0; i < plot->panels[k].curve_count; i++) {
            const mc_plot_curve *c = &plot->panels[k].curves[i];
            for (int j = 0; j < c->count; j++) {
                low = fmin(low, c->x[j]);
                high = fmax(high, c->x[j]);
            }
            room = c->style == MC_PLOT_STYLE_POINTS ? 0.04 : room;
        }
    if (plot->complex_plane) { // some of both halves
        low = fmin(low, 0.0), high = fmax(high, 0.0);
        const double some = 0.06 * (high - low);
        low = fmin(low, -some), high = fmax(high, some);
    }
    axis_fit(scale, low, high, room);
}

static mc_status find_y(const char *path, const mc_plot *plot, int index, const mc_plot_scale *x,
                        mc_plot_scale *scale, mc_error *error)
{
    const mc_plot_panel *panel = &plot->panels[index];
    *scale = (mc_plot_scale){.logarithmic = panel->y.logarithmic != 0};
    if (is_fixed(&panel->y)) {
        fix_ends(scale, &panel->y);
        return MC_OK;
    }
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < panel->curve_count; i++) {
        const mc_plot_curve *c = &panel->curves[i];
        for (int j = 0; j < c->count; j++)
            if (path_shows(c, scale, j) && c->x[j] >= x->low && c->x[j] <= x->high) {
                low = fmin(low, c->y[j]);
                high = fmax(high, c->y[j]);
            }
    }
    if (low > high)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "panel %d: no curve has a point between the ends of the x axis, %g "
                            "and %g",
                            index + 1, x->low, x->high);
    if (plot->complex_plane)
        low = fmin(low, 0.0), high = fmax(high, 0.0);
    axis_fit(scale, low, high, 0.05);
    return MC_OK;
}

static double panel_height(const mc_plot *plot, int index)
{
    static const double usual[] = {380.0, 230.0, 180.0, 150.0};
    const mc_plot_panel *panel = &plot->panels[index];
    const int k = plot->panel_count < 4 ? plot->panel_count - 1 : 3;
    const double height = panel->height > 0.0   ? panel->height
                          : plot->complex_plane ? 1.3 * usual[k]
                                                : usual[k];
    return has_keys(panel) ? fmax(height, panel->curve_count * key_gap) : height;
}

// Room left of the axes for the numbers, right of them for the names.
static void find_sides(const mc_plot *plot, mc_plot_layout *l)
{
    double numbers = 0.0, names = 0.0;
    bool keys = false;
    for (int k = 0; k < plot->panel_count; k++) {
        axis_tick ticks[AXIS_TICK_MAX];
        const int count = axis_ticks(&l->y[k], axis_y_labels(&l->y[k]), ticks);
        for (int i = 0; i < count; i++)
            numbers = fmax(numbers, axis_tick_width(&ticks[i], svg_tick_size));
        if (!has_keys(&plot->panels[k]))
            continue;
        keys = true;
        for (int i = 0; i < plot->panels[k].curve_count; i++) {
            char name[NAME_ROOM];
            key_name(name, &plot->panels[k], i);
            names = fmax(names, svg_text_width(name, svg_tick_size));
        }
    }
    names = fmin(names, key_share * l->width);
    l->x.low_px = floor(margin + numbers + svg_tick_length + 5.0);
    l->x.high_px =
        floor(l->width - (keys ? leader + sample + 6.0 + names + 0.5 * margin : 1.8 * margin));
}

static mc_status find_layout(const char *path, const mc_plot *plot, mc_plot_layout *l,
                             mc_error *error)
{
    mc_status status = check(path, plot, error);
    if (status != MC_OK)
        return status;
    *l = (mc_plot_layout){.width = plot->width > 0.0 ? plot->width : width_usual};
    find_x(plot, &l->x);
    double y = svg_figure_head(plot->title, plot->caption);
    for (int k = 0; k < plot->panel_count; k++) {
        status = find_y(path, plot, k, &l->x, &l->y[k], error);
        if (status != MC_OK)
            return status;
        y += heading_height;
        l->y[k].high_px = floor(y);
        y = floor(y) + ceil(panel_height(plot, k));
        l->y[k].low_px = y;
        y += panel_gap;
    }
    l->height = ceil(y - panel_gap + foot_height);
    find_sides(plot, l);
    return MC_OK;
}

mc_status mc_plot_layout_find(const mc_plot *plot, mc_plot_layout *out, mc_error *error)
{
    return find_layout(NULL, plot, out, error);
}

// ---- writing: the complex plane ----

// Where Re = -z w and Im = w sqrt(1 - z^2), for damping ratios z and all w > 0, and mirrored.
static void write_rays(FILE *out, const mc_plot_scale *x, const mc_plot_scale *y)
{
    static const double ratios[] = {0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};
    enum { RATIO_COUNT = sizeof ratios / sizeof ratios[0] };
    const double x0 = mc_plot_px(x, 0.0), y0 = mc_plot_px(y, 0.0);
    double ends[RATIO_COUNT][2];
    fputs("<path class=\"mc-ray\" fill=\"none\" stroke-dasharray=\"5 4\" d=\"", out);
    for (int k = 0; k < RATIO_COUNT; k++) {
        const double re = -ratios[k], im = sqrt(1.0 - re * re);
        const double up = fmin(x->low / re, y->high / im);
        const double down = fmin(x->low / re, -y->low / im);
        ends[k][0] = mc_plot_px(x, up * re);
        ends[k][1] = mc_plot_px(y, up * im);
        svg_stroke(out, x0, y0, ends[k][0] - x0, ends[k][1] - y0);
        svg_stroke(out, x0, y0, mc_plot_px(x, down * re) - x0, mc_plot_px(y, -down * im) - y0);
    }
    fputs("\"/>\n", out);
    // Ratios stand inside at the upper end, left of it along the top, above it along the left.
    double x_last = HUGE_VAL, y_last = -HUGE_VAL;
    for (int k = 0; k < RATIO_COUNT && y->high > 0.0; k++) {
        char text[32];
        snprintf(text, sizeof text, k == 0 ? "\u03b6 = %g" : "%g", ratios[k]);
        const bool at_top = ends[k][1] < y->high_px + 1.0;
        const double width = svg_text_width(text, 12.0);
        if (at_top && ends[k][0] < x_last && ends[k][0] - width - 8.0 > x->low_px) {
            svg_label(out, ends[k][0] - 6.0, y->high_px + 14.0, 12.0, "end", "mc-faint", HUGE_VAL,
                      text);
            x_last = ends[k][0] - width - 12.0;
        } else if (!at_top && ends[k][1] - 5.0 > fmax(y_last + 14.0, y->high_px + 12.0)) {
            svg_label(out, x->low_px + 4.0, ends[k][1] - 5.0, 12.0, "start", "mc-faint", HUGE_VAL,
                      text);
            y_last = ends[k][1] - 5.0;
        }
    }
}

static void write_unstable(FILE *out, const mc_plot_scale *x, const mc_plot_scale *y)
{
    char a[32], b[32], c[32], d[32];
    const double x0 = fmax(mc_plot_px(x, 0.0), x->low_px);
    if (x0 >= x->high_px)
        return;
    fprintf(out, "<rect class=\"mc-shade\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n",
            svg_px(x0, a), svg_px(y->high_px, b), svg_px(x->high_px - x0, c),
            svg_px(y->low_px - y->high_px, d));
}

// ---- writing: curves and their names ----

typedef struct key {
    int curve;
    double desired, y; // px, where the curve ends, where the name stands
    bool led;          // a line leads from the curve to the name
} key;

// "mc-3" or, on the ramp, "mc-r3".
static const char *colour_class(const mc_plot_panel *panel, int i, char class[16])
{
    const int own = panel->curves[i].colour;
    if (own >= MC_PLOT_RAMP)
        snprintf(class, 16, "mc-r%d", own - MC_PLOT_RAMP);
    else
        snprintf(class, 16, "mc-%d", own > 0 ? own : i % MC_PLOT_COLOUR_COUNT + 1);
    return class;
}

static bool uses_ramp(const mc_plot *plot)
{
    for (int k = 0; k < plot->panel_count; k++)
        for (int i = 0; i < plot->panels[k].curve_count; i++)
            if (plot->panels[k].curves[i].colour >= MC_PLOT_RAMP)
                return true;
    return false;
}

// Beyond the colours lines are dashed; those of a ramp only when asked for.
static const char *dashes_of(const mc_plot_panel *panel, int i)
{
    if (panel->curves[i].dashed)
        return " stroke-dasharray=\"6 4\"";
    if (panel->curves[i].colour >= MC_PLOT_RAMP)
        return "";
    static const char *const dashes[] = {"", " stroke-dasharray=\"8 5\"",
                                         " stroke-dasharray=\"1 5\"",
                                         " stroke-dasharray=\"10 5 1 5\""};
    return dashes[i / MC_PLOT_COLOUR_COUNT % 4];
}

// Shape of the marks: the how many-th curve of points this is.
static int mark_of(const mc_plot_panel *panel, int i)
{
    int mark = 0;
    for (int k = 0; k < i; k++)
        mark += panel->curves[k].style == MC_PLOT_STYLE_POINTS;
    return mark;
}

// Least squares of the distances from the desired places of the names, at least key_gap apart, in
// the panel. With y_i = z_i + i gap this is isotonic regression: z_i = max over a <= i of the min
// over b >= i of the mean of (desired - i gap) from a to b.
static void spread_keys(key *keys, int count, double top, double bottom)
{
    for (int i = 0; i < count; i++) {
        double z = -HUGE_VAL;
        for (int a = 0; a <= i; a++) {
            double sum = 0.0, min = HUGE_VAL;
            for (int b = a; b < count; b++) {
                sum += keys[b].desired - b * key_gap;
                if (b >= i)
                    min = fmin(min, sum / (b - a + 1));
            }
            z = fmax(z, min);
        }
        z = fmax(fmin(z, bottom - (count - 1) * key_gap), top);
        keys[i].y = z + i * key_gap;
    }
}

static int find_keys(const mc_plot_panel *panel, const mc_plot_scale *x, const mc_plot_scale *y,
                     key keys[MC_PLOT_CURVE_MAX])
{
    const double top = y->high_px + 0.5 * key_gap, bottom = y->low_px - 0.5 * key_gap;
    bool any_led = false;
    for (int i = 0; i < panel->curve_count; i++) {
        const mc_plot_curve *c = &panel->curves[i];
        int last = c->count - 1;
        while (!path_shows(c, y, last))
            last--;
        const double x_end = mc_plot_px(x, c->x[last]), y_end = mc_plot_px(y, c->y[last]);
        keys[i] = (key){.curve = i, .desired = fmax(fmin(y_end, y->low_px), y->high_px)};
        keys[i].led = c->style != MC_PLOT_STYLE_POINTS && fabs(x_end - x->high_px) < 1.5 &&
                      y_end >= y->high_px - 1.0 && y_end <= y->low_px + 1.0;
        any_led = any_led || keys[i].led;
    }
    for (int i = 0; i < panel->curve_count && !any_led; i++)
        keys[i].desired = top + i * key_gap;
    // By height, equals in their order; curves of a row keep it unless their ends are clearly
    // apart.
    const double slack = panel->curves[0].colour >= MC_PLOT_RAMP ? 0.35 * key_gap : 0.0;
    for (int i = 1; i < panel->curve_count; i++) {
        const key k = keys[i];
        int j = i;
        for (; j > 0 && keys[j - 1].desired > k.desired + slack; j--)
            keys[j] = keys[j - 1];
        keys[j] = k;
    }
    spread_keys(keys, panel->curve_count, top, bottom);
    return panel->curve_count;
}

static void write_keys(FILE *out, const mc_plot_panel *panel, const mc_plot_layout *l,
                       const mc_plot_scale *y, const char *thick)
{
    key keys[MC_PLOT_CURVE_MAX];
    const int count = find_keys(panel, &l->x, y, keys);
    const double from = l->x.high_px + leader, to = from + sample;
    for (int i = 0; i < count; i++) {
        const mc_plot_curve *c = &panel->curves[keys[i].curve];
        char a[32], b[32], class[16], name[NAME_ROOM];
        fprintf(out, "<g class=\"%s\" fill=\"none\" stroke=\"currentColor\">",
                colour_class(panel, keys[i].curve, class));
        if (keys[i].led) {
            fputs("<path opacity=\".6\" d=\"", out);
            svg_stroke(out, l->x.high_px + 3.0, keys[i].desired, leader - 4.0,
                       keys[i].y - keys[i].desired);
            fputs("\"/>", out);
        }
        if (c->style == MC_PLOT_STYLE_POINTS) {
            fputs("<path stroke-width=\"1.8\" d=\"", out);
            path_mark(out, mark_of(panel, keys[i].curve), 0.5 * (from + to), keys[i].y);
            fputs("\"/>", out);
        } else {
            fprintf(out, "<path stroke-width=\"%s\" stroke-linecap=\"round\"%s d=\"M%s,%sh%g\"/>",
                    thick, dashes_of(panel, keys[i].curve), svg_px(from, a), svg_px(keys[i].y, b),
                    sample);
        }
        fputs("</g>", out);
        key_name(name, panel, keys[i].curve);
        svg_label(out, to + 6.0, keys[i].y + 0.36 * svg_tick_size, svg_tick_size, "start", "mc-ink",
                  l->width - to - 6.0 - 0.25 * margin, name);
    }
}

static void write_curves(FILE *out, const mc_plot_panel *panel, const mc_plot_scale *x,
                         const mc_plot_scale *y, bool cut, const char *thick)
{
    char a[32], b[32], c[32], d[32];
    if (cut) { // an inner picture hides what is outside
        svg_px(x->low_px, a), svg_px(y->high_px, b);
        svg_px(x->high_px - x->low_px, c), svg_px(y->low_px - y->high_px, d);
        fprintf(out,
                "<svg x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" viewBox=\"%s %s %s %s\" "
                "overflow=\"hidden\">\n",
                a, b, c, d, a, b, c, d);
    }
    fputs("<g fill=\"none\" stroke=\"currentColor\" stroke-linejoin=\"round\" "
          "stroke-linecap=\"round\">\n",
          out);
    for (int i = 0; i < panel->curve_count; i++) {
        char name[NAME_ROOM], class[16];
        key_name(name, panel, i);
        const bool points = panel->curves[i].style == MC_PLOT_STYLE_POINTS;
        fprintf(out, "<path class=\"%s\" stroke-width=\"%s\"%s d=\"", colour_class(panel, i, class),
                points ? "1.8" : thick, points ? "" : dashes_of(panel, i));
        path_write(out, &panel->curves[i], x, y, mark_of(panel, i));
        fputs("\"><title>", out);
        svg_text(out, name);
        fputs("</title></path>\n", out);
    }
    fputs(cut ? "</g>\n</svg>\n" : "</g>\n", out);
}

// ---- writing: the whole ----

// Values that are zero, where the axis is logarithmic.
static long hidden_zeros(const mc_plot_panel *panel)
{
    long count = 0;
    for (int i = 0; i < panel->curve_count && panel->y.logarithmic; i++)
        for (int j = 0; j < panel->curves[i].count; j++)
            count += panel->curves[i].y[j] == 0.0;
    return count;
}

static bool in_sight(const mc_plot_scale *x, const mc_plot_mark *mark)
{
    return mark->x >= x->low && mark->x <= x->high;
}

static void write_mark_lines(FILE *out, const mc_plot *plot, const mc_plot_layout *l, int index,
                             bool strong)
{
    const mc_plot_scale *x = &l->x, *y = &l->y[index];
    const double above = index == 0 ? 6.0 : 0.0; // up to the name
    fprintf(out, "<path class=\"%s\" fill=\"none\" stroke-dasharray=\"3 3\"%s d=\"",
            strong ? "mc-2" : "mc-axis", strong ? " stroke=\"currentColor\"" : "");
    for (int i = 0; i < plot->mark_count; i++)
        if (in_sight(x, &plot->marks[i]) && (plot->marks[i].strong != 0) == strong)
            svg_stroke(out, mc_plot_px(x, plot->marks[i].x), y->low_px, 0.0,
                       y->high_px - y->low_px - above);
    fputs("\"/>\n", out);
}

// Names are above the first panel, after the name of its axis, strong ones first; one that would
// cover another is left out.
static void write_mark_names(FILE *out, const mc_plot *plot, const mc_plot_layout *l,
                             double free_from)
{
    const mc_plot_scale *x = &l->x;
    double taken[2 * MARK_NAMES];
    int count = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < plot->mark_count && count < MARK_NAMES; i++) {
            const mc_plot_mark *mark = &plot->marks[i];
            const double px = mc_plot_px(x, mark->x), gap = 8.0;
            const double width = svg_text_width(label_text(mark->label), 12.0);
            double from = 0.0, to = 0.0;
            bool fits = false; // beginning at the line, otherwise ending at it
            for (int side = 0; side < 2 && !fits; side++) {
                from = side == 0 ? fmin(px - 2.0, x->high_px - width) : px + 2.0 - width;
                to = from + width;
                fits = from >= free_from && width > 0.0 && in_sight(x, mark) &&
                       (mark->strong != 0) == (turn == 0);
                for (int k = 0; k < count && fits; k++)
                    fits = to + gap <= taken[2 * k] || from >= taken[2 * k + 1] + gap;
            }
            if (!fits)
                continue;
            svg_label(out, from, l->y[0].high_px - 8.0, 12.0, "start",
                      mark->strong ? "mc-ink" : "mc-faint", HUGE_VAL, mark->label);
            taken[2 * count] = from, taken[2 * count + 1] = to;
            count++;
        }
}

static void write_panel(FILE *out, const mc_plot *plot, const mc_plot_layout *l, int index)
{
    const mc_plot_panel *panel = &plot->panels[index];
    const mc_plot_scale *x = &l->x, *y = &l->y[index];
    const char *thick = panel->curve_count <= 4 ? "2" : "1.7";
    const double baseline = y->high_px - 9.0;
    const long zeros = hidden_zeros(panel);
    char name[NAME_ROOM], note[64] = "";
    if (zeros > 0)
        snprintf(note, sizeof note, "%ld zero value%s not shown", zeros, zeros == 1 ? "" : "s");
    panel_name(name, panel, y->offset);
    fputs("<g>\n", out);
    if (plot->complex_plane)
        write_unstable(out, x, y);
    svg_label(out, margin, baseline - (plot->complex_plane ? 4.0 : 0.0), svg_name_size, "start",
              "mc-ink", x->high_px - margin - svg_text_width(note, 12.0) - 10.0, name);
    if (zeros > 0)
        svg_label(out, x->high_px, baseline, 12.0, "end", "mc-faint", HUGE_VAL, note);
    axis_write(out, x, y, index == plot->panel_count - 1 ? AXIS_X_NUMBERS : AXIS_X_GRID);
    if (plot->complex_plane)
        write_rays(out, x, y);
    for (int strong = 0; strong < 2 && plot->mark_count > 0; strong++)
        write_mark_lines(out, plot, l, index, strong);
    if (plot->mark_count > 0 && index == 0)
        write_mark_names(out, plot, l, margin + svg_text_width(name, svg_name_size) + 12.0);
    write_curves(out, panel, x, y, is_fixed(&plot->x) || is_fixed(&panel->y), thick);
    if (has_keys(panel))
        write_keys(out, panel, l, y, thick);
    fputs("</g>\n", out);
}

static void write_all(FILE *out, const mc_plot *plot, const mc_plot_layout *l)
{
    char name[NAME_ROOM];
    svg_figure_begin(out, l->width, l->height, plot->title, plot->caption);
    if (uses_ramp(plot))
        svg_ramp_style(out, SVG_RAMP_LINES);
    for (int k = 0; k < plot->panel_count; k++)
        write_panel(out, plot, l, k);
    axis_name(name, label_text(plot->x.label), unit_text(plot->x.unit), l->x.offset);
    svg_label(out, 0.5 * (l->x.low_px + l->x.high_px), l->height - margin, svg_name_size, "middle",
              "mc-ink", l->x.high_px - l->x.low_px, name);
    svg_figure_end(out);
}

static mc_status draw(const char *path, const mc_plot *plot, char **text, size_t *size,
                      mc_error *error)
{
    mc_plot_layout l;
    *text = NULL;
    const mc_status status = find_layout(path, plot, &l, error);
    if (status != MC_OK)
        return status;
    FILE *out = open_memstream(text, size);
    bool good = out != NULL;
    if (good) {
        const svg_locale locale = svg_locale_begin();
        write_all(out, plot, &l);
        svg_locale_end(locale);
        good = !ferror(out);
        good = fclose(out) == 0 && good;
    }
    if (!good) {
        free(*text);
        *text = NULL;
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    }
    return MC_OK;
}

mc_status mc_plot_text(const mc_plot *plot, char **text, size_t *size, mc_error *error)
{
    size_t own;
    return draw(NULL, plot, text, size ? size : &own, error);
}

mc_status mc_plot_write(const char *path, const mc_plot *plot, mc_error *error)
{
    char *text;
    size_t size;
    const mc_status status = draw(path, plot, &text, &size, error);
    return status == MC_OK ? svg_save(path, text, size, error) : status;
}

int mc_plot_by_unit(mc_plot_curve *curves, int count, mc_plot_panel *panels)
{
    int panel_count = 0;
    for (int done = 0; done < count;) {
        const char *unit = unit_text(curves[done].unit);
        const int begin = done++;
        for (int i = done; i < count; i++) {
            if (strcmp(unit_text(curves[i].unit), unit) != 0)
                continue;
            const mc_plot_curve same = curves[i]; // moved up, those between keep their order
            memmove(&curves[done + 1], &curves[done], (size_t)(i - done) * sizeof *curves);
            curves[done++] = same;
        }
        panels[panel_count++] =
            (mc_plot_panel){.curves = curves + begin, .curve_count = done - begin};
    }
    return panel_count;
}
