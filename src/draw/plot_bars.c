// plot_bars.c - bars side by side or stacked.
#include "motorcade/plot.h"

#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sizes in px.
static const double width_usual = 900.0, min_width = 300.0, max_width = 4000.0;
static const double margin = 16.0;
static const double axes_height = 250.0, heading_height = 27.0;
static const double foot_height = 58.0;
static const double key_gap = 18.5;
static const double max_label = 110.0; // of a name below a bar

typedef struct layout {
    double width, height;
    mc_plot_scale x, y; // x: place k covers k .. k + 1
    int stride;         // every how many-th place has its name
    bool turned;        // names run upwards
    double foot;        // px, names and the name of the axis
} layout;

static bool has_keys(const mc_plot_bars *b)
{
    return b->series_count > 1;
}

static mc_status check(const mc_plot_bars *b, mc_error *error)
{
    if (b->count < 1 || b->count > MC_PLOT_BAR_MAX || b->series_count < 1 ||
        b->series_count > MC_PLOT_COLOUR_COUNT || !b->series)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "bars: %d places of %d series; expected 1 to %d places of 1 to %d",
                            b->count, b->series_count, MC_PLOT_BAR_MAX, MC_PLOT_COLOUR_COUNT);
    if (!(b->width == 0.0 || (b->width >= min_width && b->width <= max_width)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "bars: width %g px; expected %g to %g, or 0 for %g", b->width,
                            min_width, max_width, width_usual);
    const double size = fmax(fabs(b->y.low), fabs(b->y.high));
    if (!(size == 0.0 || (b->y.low < b->y.high && size <= 1e300)) || !isfinite(b->base))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "bars: ends %g and %g from a base of %g; expected finite numbers, the "
                            "first end the smaller",
                            b->y.low, b->y.high, b->base);
    for (int s = 0; s < b->series_count; s++)
        for (int k = 0; k < b->count; k++) {
            const double v = b->series[s].values[k];
            if (fabs(v) > 1e300 || (b->stacked && v < 0.0))
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "bars: series %d, place %d is %g; expected finite numbers%s",
                                    s + 1, k + 1, v, b->stacked ? " from 0 up, stacked" : "");
        }
    return MC_OK;
}

static const char *name_of(const mc_plot_bars *b, int k, char number[16])
{
    snprintf(number, 16, "%d", k + 1);
    return b->names && b->names[k] ? b->names[k] : number;
}

static void find_ends(const mc_plot_bars *b, mc_plot_scale *y)
{
    double low = b->base, high = b->base;
    for (int k = 0; k < b->count; k++) {
        double top = 0.0;
        for (int s = 0; s < b->series_count; s++) {
            const double v = b->series[s].values[k];
            if (isnan(v))
                continue;
            top = b->stacked ? top + v : v;
            low = fmin(low, top);
            high = fmax(high, top);
        }
    }
    axis_fit(y, low, high, 0.06);
    if (low >= b->base && low >= 0.0) // nothing below: bars stand on the axis
        y->low = b->base;
    if (b->y.low != 0.0 || b->y.high != 0.0)
        y->low = b->y.low, y->high = b->y.high;
    y->offset = 0.0;
}

// Names below the bars: flat where all have room, otherwise turned, otherwise some of them.
static void find_names(const mc_plot_bars *b, layout *l)
{
    const double pitch = (l->x.high_px - l->x.low_px) / b->count;
    double widest = 0.0;
    char number[16];
    for (int k = 0; k < b->count; k++)
        widest = fmax(widest, svg_text_width(name_of(b, k, number), svg_tick_size));
    l->turned = b->names && widest + 8.0 > pitch;
    const double need = l->turned ? svg_tick_size + 3.0 : widest + 8.0;
    static const int strides[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    l->stride = strides[9];
    for (int i = 9; i >= 0; i--)
        if (strides[i] * pitch >= need)
            l->stride = strides[i];
    l->foot = foot_height + (l->turned ? fmin(widest, max_label) - svg_tick_size + 6.0 : 0.0);
}

static void find_layout(const mc_plot_bars *b, layout *l)
{
    *l = (layout){.width = b->width > 0.0 ? b->width : width_usual};
    find_ends(b, &l->y);
    const double top = svg_figure_head(b->title, b->caption) + heading_height;
    l->y.high_px = floor(top);
    l->y.low_px = l->y.high_px + fmax(axes_height, has_keys(b) ? key_gap * b->series_count : 0.0);
    double numbers = 0.0, names = 0.0;
    axis_tick ticks[AXIS_TICK_MAX];
    const int count = axis_ticks(&l->y, axis_y_labels(&l->y), ticks);
    for (int i = 0; i < count; i++)
        numbers = fmax(numbers, axis_tick_width(&ticks[i], svg_tick_size));
    for (int s = 0; s < b->series_count && has_keys(b); s++)
        names = fmax(names,
                     svg_text_width(b->series[s].label ? b->series[s].label : "", svg_tick_size));
    names = fmin(names, 0.34 * l->width);
    l->x = (mc_plot_scale){.low = 0.0, .high = b->count};
    l->x.low_px = floor(margin + numbers + svg_tick_length + 5.0);
    l->x.high_px = floor(l->width - (has_keys(b) ? 40.0 + names + 0.5 * margin : 1.8 * margin));
    find_names(b, l);
    l->height = ceil(l->y.low_px + l->foot);
}

// ---- writing ----

static void write_rect(FILE *out, double x, double y, double width, double height)
{
    char a[32], b[32], c[32], d[32];
    fprintf(out, "M%s,%sh%sv%sh-%sz", svg_px(x, a), svg_px(y, b), svg_px(width, c),
            svg_px(height, d), c);
}

static void write_series(FILE *out, const mc_plot_bars *b, const layout *l, int s)
{
    const double pitch = (l->x.high_px - l->x.low_px) / b->count;
    const double wide =
        b->stacked ? fmin(0.7 * pitch, 70.0) : fmin(0.8 * pitch / b->series_count, 36.0);
    const double all = b->stacked ? wide : wide * b->series_count;
    fputs("<path stroke=\"none\" fill=\"currentColor\" d=\"", out);
    for (int k = 0; k < b->count; k++) {
        const double v = b->series[s].values[k];
        double from = b->stacked ? 0.0 : b->base;
        for (int i = 0; i < s && b->stacked; i++)
            from += isnan(b->series[i].values[k]) ? 0.0 : b->series[i].values[k];
        const double to = b->stacked ? from + v : v;
        if (isnan(v) || to == from)
            continue;
        const double middle = l->x.low_px + (k + 0.5) * pitch;
        const double left = middle - 0.5 * all + (b->stacked ? 0.0 : s * wide);
        const double high = mc_plot_px(&l->y, fmin(fmax(from, to), l->y.high));
        const double low = mc_plot_px(&l->y, fmax(fmin(from, to), l->y.low));
        if (low > high)
            write_rect(out, left, high, fmax(wide - (wide > 5.0 ? 1.0 : 0.0), 0.5), low - high);
    }
    fputs("\"><title>", out);
    svg_text(out, b->series[s].label ? b->series[s].label : "");
    fputs("</title></path>\n", out);
}

static void write_axes(FILE *out, const mc_plot_bars *b, const layout *l)
{
    const double base = mc_plot_px(&l->y, fmin(fmax(b->base, l->y.low), l->y.high));
    if (b->shade_above) {
        fputs("<path class=\"mc-shade\" d=\"", out);
        write_rect(out, l->x.low_px, l->y.high_px, l->x.high_px - l->x.low_px,
                   fmax(base - l->y.high_px, 0.0));
        fputs("\"/>\n", out);
    }
    axis_write(out, &l->x, &l->y, AXIS_X_NONE);
    fputs("<path class=\"mc-axis\" shape-rendering=\"crispEdges\" fill=\"none\" d=\"", out);
    svg_stroke(out, l->x.low_px, base, l->x.high_px - l->x.low_px, 0.0);
    fputs("\"/>\n", out);
    const double pitch = (l->x.high_px - l->x.low_px) / b->count;
    for (int k = 0; k < b->count; k += l->stride) {
        char number[16], x[32], y[32];
        const double at = l->x.low_px + (k + 0.5) * pitch;
        if (l->turned) {
            fprintf(out, "<g transform=\"translate(%s,%s) rotate(-90)\">",
                    svg_px(at + 0.36 * svg_tick_size, x), svg_px(l->y.low_px + 8.0, y));
            svg_label(out, 0.0, 0.0, svg_tick_size, "end", "mc-ink", max_label,
                      name_of(b, k, number));
            fputs("</g>\n", out);
        } else {
            svg_label(out, at, l->y.low_px + svg_tick_length + svg_tick_size + 1.0, svg_tick_size,
                      "middle", "mc-ink", fmax(pitch * l->stride, max_label),
                      name_of(b, k, number));
        }
    }
}

static void colour_class(const mc_plot_bars *b, int s, char class[16])
{
    const int own = b->series[s].colour;
    snprintf(class, 16, own >= MC_PLOT_RAMP ? "mc-r%d" : "mc-%d",
             own >= MC_PLOT_RAMP ? own - MC_PLOT_RAMP
             : own > 0           ? own
                                 : s + 1);
}

static void write_all(FILE *out, const mc_plot_bars *b, const layout *l)
{
    char name[256];
    const char *unit = b->y.unit ? b->y.unit : "";
    svg_figure_begin(out, l->width, l->height, b->title, b->caption);
    for (int s = 0, done = 0; s < b->series_count && !done; s++)
        if (b->series[s].colour >= MC_PLOT_RAMP) {
            svg_ramp_style(out, SVG_RAMP_LINES);
            done = 1;
        }
    snprintf(name, sizeof name, *unit && strcmp(unit, "-") != 0 ? "%s (%s)" : "%s",
             b->y.label ? b->y.label : "", unit);
    svg_label(out, margin, l->y.high_px - 9.0, svg_name_size, "start", "mc-ink",
              l->x.high_px - margin, name);
    write_axes(out, b, l);
    for (int s = 0; s < b->series_count; s++) {
        char class[16], x[32], y[32];
        const double at = l->y.high_px + (s + 0.5) * key_gap, left = l->x.high_px + 16.0;
        colour_class(b, s, class);
        fprintf(out, "<g class=\"%s\">", class);
        write_series(out, b, l, s);
        if (has_keys(b))
            fprintf(out, "<path fill=\"currentColor\" d=\"M%s,%sh12v12h-12z\"/>", svg_px(left, x),
                    svg_px(at - 6.0, y));
        fputs("</g>\n", out);
        if (has_keys(b))
            svg_label(out, left + 19.0, at + 0.36 * svg_tick_size, svg_tick_size, "start", "mc-ink",
                      l->width - left - 19.0, b->series[s].label ? b->series[s].label : "");
    }
    svg_label(out, 0.5 * (l->x.low_px + l->x.high_px), l->height - margin, svg_name_size, "middle",
              "mc-ink", l->x.high_px - l->x.low_px, b->x.label ? b->x.label : "");
    svg_figure_end(out);
}

mc_status mc_plot_bars_text(const mc_plot_bars *bars, char **text, size_t *size, mc_error *error)
{
    size_t own;
    *text = NULL;
    const mc_status status = check(bars, error);
    if (status != MC_OK)
        return status;
    layout l;
    find_layout(bars, &l);
    FILE *out = open_memstream(text, size ? size : &own);
    bool good = out != NULL;
    if (good) {
        const svg_locale locale = svg_locale_begin();
        write_all(out, bars, &l);
        svg_locale_end(locale);
        good = !ferror(out);
        good = fclose(out) == 0 && good;
    }
    if (!good) {
        free(*text);
        *text = NULL;
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    }
    return MC_OK;
}
