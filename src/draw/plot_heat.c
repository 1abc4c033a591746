// plot_heat.c - values over two axes as colours.
//
// One path per colour, made of rows of cells with the same colour: a map of 200 by 100 cells is
// about 100 kB at worst, and the colours can follow the theme.
#include "motorcade/plot.h"

#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sizes in px.
static const double width_usual = 900.0, height_usual = 320.0, margin = 16.0;
static const double heading_height = 27.0, foot_height = 58.0;
static const double scale_gap = 18.0, scale_width = 14.0;

typedef struct layout {
    double width, height;
    mc_plot_scale x, y, value; // value: of the scale at the right
    int level_count;
    char letter; // of the classes
} layout;

static mc_status check(const mc_plot_heat *h, mc_error *error)
{
    const mc_plot_axis *const axes[] = {&h->x, &h->y, &h->value};
    static const char *const names[] = {"x", "y", "value"};
    if (h->column_count < 1 || h->row_count < 1 || h->column_count > MC_PLOT_HEAT_MAX ||
        h->row_count > MC_PLOT_HEAT_MAX || !h->values)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a map of %d columns and %d rows; expected 1 to %d", h->column_count,
                            h->row_count, MC_PLOT_HEAT_MAX);
    for (int i = 0; i < 3; i++) {
        const double size = fmax(fabs(axes[i]->low), fabs(axes[i]->high));
        const bool fits = i == 2 && size == 0.0;
        if (!fits && !(axes[i]->high - axes[i]->low > 1e-12 * size && size <= 1e300))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "a map with ends %g and %g of its %s axis; expected two finite "
                                "numbers, the first the smaller",
                                axes[i]->low, axes[i]->high, names[i]);
    }
    for (long i = 0; i < (long)h->column_count * h->row_count; i++)
        if (fabs(h->values[i]) > 1e300)
            return mc_error_set(
                error, MC_BAD_INPUT, NULL, 0, 0,
                "a map with the value %g; expected finite numbers, or NAN for a blank",
                h->values[i]);
    return MC_OK;
}

static void find_ends(const mc_plot_heat *h, mc_plot_scale *value)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (long i = 0; i < (long)h->column_count * h->row_count; i++)
        if (!isnan(h->values[i])) {
            low = fmin(low, h->values[i]);
            high = fmax(high, h->values[i]);
        }
    if (low > high)
        low = high = 0.0;
    if (h->value.low != 0.0 || h->value.high != 0.0)
        low = h->value.low, high = h->value.high;
    if (h->diverging) {
        high = fmax(fmax(fabs(low), fabs(high)), 1e-12);
        low = -high;
    }
    axis_fit(value, low, high, 0.0);
    value->offset = 0.0;
}

static double numbers_width(const mc_plot_scale *scale)
{
    axis_tick ticks[AXIS_TICK_MAX];
    const int count = axis_ticks(scale, axis_y_labels(scale), ticks);
    double width = 0.0;
    for (int i = 0; i < count; i++)
        width = fmax(width, axis_tick_width(&ticks[i], svg_tick_size));
    return width;
}

static void axis_text(char name[256], const mc_plot_axis *axis)
{
    const char *unit = axis->unit ? axis->unit : "";
    const char *label = axis->label ? axis->label : "";
    const bool has_unit = *unit && strcmp(unit, "-") != 0;
    snprintf(name, 256,
             !*label    ? "%.0s%s"
             : has_unit ? "%s (%s)"
                        : "%s",
             label, has_unit ? unit : "");
}

static void find_layout(const mc_plot_heat *h, layout *l)
{
    *l = (layout){.width = h->width > 0.0 ? h->width : width_usual};
    l->level_count = h->diverging ? SVG_DIVERGING_COUNT : SVG_SEQUENCE_COUNT;
    l->letter = h->diverging ? 'd' : 's';
    find_ends(h, &l->value);
    const double top = floor(svg_figure_head(h->title, h->caption) + heading_height);
    const double bottom = top + (h->height > 0.0 ? h->height : height_usual);
    l->y = (mc_plot_scale){.low = h->y.low, .high = h->y.high, .low_px = bottom, .high_px = top};
    l->value.low_px = bottom, l->value.high_px = top;
    l->x = (mc_plot_scale){.low = h->x.low, .high = h->x.high};
    l->x.low_px = floor(margin + numbers_width(&l->y) + svg_tick_length + 5.0);
    l->x.high_px = floor(l->width - 0.5 * margin - numbers_width(&l->value) - svg_tick_length -
                         6.0 - scale_width - scale_gap);
    l->height = bottom + foot_height;
}

static int level_of(const layout *l, double value)
{
    if (isnan(value))
        return -1;
    const double share = (value - l->value.low) / (l->value.high - l->value.low);
    const int level = (int)floor(fmin(fmax(share, 0.0), 1.0) * l->level_count);
    return level < l->level_count ? level : l->level_count - 1;
}

// Cells of one level: from px to px, so that neighbours meet without a seam.
static void write_level(FILE *out, const mc_plot_heat *h, const layout *l,
                        const signed char *levels, int level)
{
    const double wide = (l->x.high_px - l->x.low_px) / h->column_count;
    const double high = (l->y.low_px - l->y.high_px) / h->row_count;
    char a[32], b[32], c[32], d[32];
    bool any = false;
    for (int i = 0; i < h->row_count; i++)
        for (int j = 0, k; j < h->column_count; j = k) {
            const signed char *row = levels + (long)i * h->column_count;
            for (k = j + 1; k < h->column_count && row[k] == row[j]; k++)
                ;
            if (row[j] != level)
                continue;
            if (!any)
                fprintf(out, "<path class=\"mc-%c%d\" d=\"", l->letter, level);
            any = true;
            fprintf(out, "M%s %sh%sv%sh-%sz", svg_px(l->x.low_px + j * wide, a),
                    svg_px(l->y.low_px - (i + 1) * high, b), svg_px((k - j) * wide, c),
                    svg_px(high, d), c);
        }
    if (any)
        fputs("\"/>\n", out);
}

static void write_scale(FILE *out, const mc_plot_heat *h, const layout *l)
{
    const double left = l->x.high_px + scale_gap, right = left + scale_width;
    const double step = (l->value.low_px - l->value.high_px) / l->level_count;
    char a[32], b[32], c[32], name[256];
    for (int k = 0; k < l->level_count; k++)
        fprintf(out,
                "<path class=\"mc-%c%d\" shape-rendering=\"crispEdges\" d=\"M%s,%sh%gv%sh-%gz\"/>",
                l->letter, k, svg_px(left, a), svg_px(l->value.low_px - (k + 1) * step, b),
                scale_width, svg_px(step, c), scale_width);
    axis_tick ticks[AXIS_TICK_MAX];
    const int count = axis_ticks(&l->value, axis_y_labels(&l->value), ticks);
    fputs("\n<path class=\"mc-axis\" shape-rendering=\"crispEdges\" fill=\"none\" d=\"", out);
    for (int i = 0; i < count; i++)
        if (ticks[i].major)
            svg_stroke(out, right, ticks[i].px, svg_tick_length, 0.0);
    fprintf(out, "\"/>\n<g class=\"mc-ink\" font-size=\"%s\">", svg_px(svg_tick_size, a));
    for (int i = 0; i < count; i++)
        if (ticks[i].text[0]) {
            fprintf(out, "<text x=\"%s\" y=\"%s\">", svg_px(right + svg_tick_length + 3.0, a),
                    svg_px(ticks[i].px + 0.36 * svg_tick_size, b));
            axis_tick_text(out, &ticks[i], svg_tick_size);
            fputs("</text>", out);
        }
    fputs("</g>\n", out);
    axis_text(name, &h->value);
    svg_label(out, l->width - 0.5 * margin, l->y.high_px - 9.0, svg_name_size, "end", "mc-ink",
              0.5 * l->width, name);
}

static void write_all(FILE *out, const mc_plot_heat *h, const layout *l, const signed char *levels)
{
    char name[256];
    svg_figure_begin(out, l->width, l->height, h->title, h->caption);
    svg_ramp_style(out, h->diverging ? SVG_RAMP_DIVERGING : SVG_RAMP_SEQUENCE);
    axis_text(name, &h->y);
    svg_label(out, margin, l->y.high_px - 9.0, svg_name_size, "start", "mc-ink", 0.4 * l->width,
              name);
    axis_write(out, &l->x, &l->y, AXIS_X_NUMBERS);
    fputs("<g shape-rendering=\"crispEdges\">\n", out);
    for (int k = 0; k < l->level_count; k++)
        write_level(out, h, l, levels, k);
    fputs("</g>\n", out);
    write_scale(out, h, l);
    axis_text(name, &h->x);
    svg_label(out, 0.5 * (l->x.low_px + l->x.high_px), l->height - margin, svg_name_size, "middle",
              "mc-ink", l->x.high_px - l->x.low_px, name);
    svg_figure_end(out);
}

mc_status mc_plot_heat_text(const mc_plot_heat *heat, char **text, size_t *size, mc_error *error)
{
    size_t own;
    *text = NULL;
    const mc_status status = check(heat, error);
    if (status != MC_OK)
        return status;
    layout l;
    find_layout(heat, &l);
    const size_t count = (size_t)heat->column_count * (size_t)heat->row_count;
    signed char *levels = malloc(count);
    FILE *out = levels ? open_memstream(text, size ? size : &own) : NULL;
    bool good = out != NULL;
    if (good) {
        for (size_t i = 0; i < count; i++)
            levels[i] = (signed char)level_of(&l, heat->values[i]);
        const svg_locale locale = svg_locale_begin();
        write_all(out, heat, &l, levels);
        svg_locale_end(locale);
        good = !ferror(out);
        good = fclose(out) == 0 && good;
    }
    free(levels);
    if (!good) {
        free(*text);
        *text = NULL;
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    }
    return MC_OK;
}
