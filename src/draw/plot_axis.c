// plot_axis.c - ends, ticks and tick labels of axes.
#include "draw/svg.h"
#include "base/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double flat_share = 1e-12;  // of the size of values: below that they are constant
static const double offset_share = 1e-5; // below that an axis shows differences
static const double min_size = 1e-290;   // below that all is zero
static const double share_slack = 1e-9;  // of a step: a tick at an end is on the axis

double mc_plot_px(const mc_plot_scale *scale, double value)
{
    const double share = scale->logarithmic
                             ? log10(value / scale->low) / log10(scale->high / scale->low)
                             : (value - scale->low) / (scale->high - scale->low);
    return scale->low_px + share * (scale->high_px - scale->low_px);
}

// digit times 10^exponent, the nearest double for usual exponents.
static double decimal(double digits, int exponent)
{
    return exponent < 0 ? digits / pow(10.0, -exponent) : digits * pow(10.0, exponent);
}

// The finest step 1, 2, 5 times 10^exponent with at most `max` multiples in low..high.
typedef struct steps {
    int digit, exponent;
    double first, last; // multiples
} steps;

static steps find_steps(double low, double high, int max)
{
    static const int digits[] = {1, 2, 5};
    steps s = {.exponent = (int)floor(log10((high - low) / max)) - 1};
    for (int k = 0;; k++) {
        s.digit = digits[k % 3];
        const double step = decimal(s.digit, s.exponent + k / 3);
        s.first = ceil(low / step - share_slack);
        s.last = floor(high / step + share_slack);
        if (s.last - s.first + 1.0 <= max) {
            s.exponent += k / 3;
            return s;
        }
    }
}

int mc_plot_ticks(double low, double high, int max, double *ticks)
{
    mc_assert(high - low > 1e-300 && max >= 2 && max <= AXIS_TICK_MAX);
    const steps s = find_steps(low, high, max);
    const int count = (int)(s.last - s.first) + 1;
    for (int k = 0; k < count; k++)
        ticks[k] = decimal((s.first + k) * s.digit, s.exponent) + 0.0; // no -0
    return count;
}

static void fit_logarithmic(mc_plot_scale *scale, double low, double high, double room)
{
    double a = log10(low), b = log10(high);
    if (b - a < 0.01)
        a -= 0.5, b += 0.5;
    scale->low = pow(10.0, a - room * (b - a));
    scale->high = pow(10.0, b + room * (b - a));
}

void axis_fit(mc_plot_scale *scale, double low, double high, double room)
{
    if (scale->logarithmic) {
        fit_logarithmic(scale, low, high, room);
        return;
    }
    const double size = fmax(fabs(low), fabs(high));
    if (size < min_size) {
        low = -1.0, high = 1.0;
    } else if (high - low <= flat_share * size) {
        low -= 0.1 * size, high += 0.1 * size;
    } else {
        // What starts at 0 and stays on one side stands on the axis.
        const double beyond = room * (high - low);
        low -= low == 0.0 ? 0.0 : beyond;
        high += high == 0.0 ? 0.0 : beyond;
    }
    scale->low = low;
    scale->high = high;
    if (high - low < offset_share * size) {
        const int exponent = (int)ceil(log10(high - low));
        scale->offset = decimal(floor(low / decimal(1.0, exponent)), exponent);
    }
}

// ---- labels ----

// With a true minus.
static void number_text(char text[32], double value, int decimals, const char *end)
{
    snprintf(text, 32, "%s%.*f%s", value < 0.0 ? "\u2212" : "", decimals, fabs(value), end);
}

static void power_text(char text[16], int exponent)
{
    snprintf(text, 16, "%s%d", exponent < 0 ? "\u2212" : "", abs(exponent));
}

// All labels of an axis alike: plain decimals, or a common power of ten when these get long.
static void label_linear(axis_tick *ticks, const double *values, int count, const steps *s)
{
    double max = 0.0;
    for (int k = 0; k < count; k++)
        max = fmax(max, fabs(values[k]));
    const int top = max > 0.0 ? (int)floor(log10(max) + 1e-9) : s->exponent;
    const bool plain = top < 6 && s->exponent >= -4;
    for (int k = 0; k < count; k++) {
        if (values[k] == 0.0) {
            strcpy(ticks[k].text, "0");
        } else if (plain) {
            number_text(ticks[k].text, values[k], s->exponent < 0 ? -s->exponent : 0, "");
        } else {
            const int decimals = top > s->exponent ? top - s->exponent : 0;
            number_text(ticks[k].text, decimal(values[k], -top), decimals, "\u00d710");
            power_text(ticks[k].power, top);
        }
    }
}

static void label_power(axis_tick *tick, int digit, int exponent)
{
    if (exponent >= -2 && exponent <= 3) {
        snprintf(tick->text, sizeof tick->text, "%.*f", exponent < 0 ? -exponent : 0,
                 decimal(digit, exponent));
        return;
    }
    snprintf(tick->text, sizeof tick->text, digit == 1 ? "10" : "%d\u00d710", digit);
    power_text(tick->power, exponent);
}

// Decades, every nth when there are many; with few of them 2 and 5 too. Between them plain ticks.
static int ticks_logarithmic(const mc_plot_scale *scale, int max, axis_tick *ticks)
{
    const double a = log10(scale->low), b = log10(scale->high);
    const double decades = b - a;
    int every = 1;
    static const int strides[] = {1, 2, 3, 5, 10, 20, 50, 100};
    for (int k = 0; k < 8 && decades / every > max; k++)
        every = strides[k];
    const bool fine = 3.0 * decades <= max, minor = decades <= 8.0;
    int count = 0;
    for (int e = (int)floor(a); e <= (int)floor(b + 1e-9); e++)
        for (int digit = 1; digit <= (minor ? 9 : 1); digit++) {
            const double at = e + log10(digit);
            if (at < a - 1e-9 || at > b + 1e-9 || count >= AXIS_TICK_MAX)
                continue;
            axis_tick *tick = &ticks[count];
            *tick = (axis_tick){.px = scale->low_px +
                                      (at - a) / decades * (scale->high_px - scale->low_px)};
            tick->major =
                digit == 1 ? (e % every + every) % every == 0 : fine && (digit == 2 || digit == 5);
            if (tick->major)
                label_power(tick, digit, e);
            count += minor || tick->major;
        }
    return count;
}

int axis_ticks(const mc_plot_scale *scale, int max, axis_tick ticks[AXIS_TICK_MAX])
{
    max = max < 2 ? 2 : max > AXIS_TICK_MAX ? AXIS_TICK_MAX : max;
    // Less than a decade: ticks as on a linear axis.
    if (scale->logarithmic && scale->high / scale->low > 5.0)
        return ticks_logarithmic(scale, max, ticks);
    double values[AXIS_TICK_MAX];
    const double low = scale->low - scale->offset, high = scale->high - scale->offset;
    const int count = mc_plot_ticks(low, high, max, values);
    const steps s = find_steps(low, high, max);
    for (int k = 0; k < count; k++)
        ticks[k] = (axis_tick){.px = mc_plot_px(scale, values[k] + scale->offset), .major = true};
    label_linear(ticks, values, count, &s);
    return count;
}

static const double power_size = 0.75; // of the font size

double axis_tick_width(const axis_tick *tick, double size)
{
    return svg_text_width(tick->text, size) + svg_text_width(tick->power, power_size * size);
}

void axis_tick_text(FILE *out, const axis_tick *tick, double size)
{
    char rise[32], small[32];
    svg_text(out, tick->text);
    if (tick->power[0])
        fprintf(out, "<tspan dy=\"%s\" font-size=\"%s\">%s</tspan>", svg_px(-0.38 * size, rise),
                svg_px(power_size * size, small), tick->power);
}

// ---- writing ----

void svg_stroke(FILE *out, double x, double y, double dx, double dy)
{
    char a[32], b[32], c[32], d[32];
    fprintf(out, "M%s,%sl%s,%s", svg_px(x, a), svg_px(y, b), svg_px(dx, c), svg_px(dy, d));
}

static void write_tick_label(FILE *out, const axis_tick *tick, double x, double y,
                             const char *anchor)
{
    char a[32], b[32];
    fprintf(out, "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">", svg_px(x, a), svg_px(y, b), anchor);
    axis_tick_text(out, tick, svg_tick_size);
    fputs("</text>", out);
}

static bool holds_zero(const mc_plot_scale *scale)
{
    return !scale->logarithmic && scale->low < 0.0 && scale->high > 0.0;
}

int axis_y_labels(const mc_plot_scale *y)
{
    return (int)fmax((y->low_px - y->high_px) / 38.0, 5.0);
}

// At most as many labels as have room beside each other.
static int x_ticks(const mc_plot_scale *x, axis_tick ticks[AXIS_TICK_MAX])
{
    const double length = x->high_px - x->low_px;
    int max = (int)fmax(length / 70.0, 5.0), count;
    for (;;) {
        double widest = 0.0;
        int labels = 0;
        count = axis_ticks(x, max, ticks);
        for (int i = 0; i < count; i++) {
            widest = fmax(widest, axis_tick_width(&ticks[i], svg_tick_size));
            labels += ticks[i].text[0] != '\0';
        }
        if (max <= 2 || (widest + 14.0) * labels <= length)
            return count;
        max--;
    }
}

void axis_write(FILE *out, const mc_plot_scale *x, const mc_plot_scale *y, axis_x_part part)
{
    const bool x_numbers = part == AXIS_X_NUMBERS;
    axis_tick xt[AXIS_TICK_MAX], yt[AXIS_TICK_MAX];
    const int x_count = part == AXIS_X_NONE ? 0 : x_ticks(x, xt),
              y_count = axis_ticks(y, axis_y_labels(y), yt);
    const double left = x->low_px, right = x->high_px, top = y->high_px, bottom = y->low_px;
    fputs("<path class=\"mc-grid\" shape-rendering=\"crispEdges\" d=\"", out);
    for (int i = 0; i < x_count; i++)
        if (xt[i].major)
            svg_stroke(out, xt[i].px, bottom, 0.0, top - bottom);
    for (int i = 0; i < y_count; i++)
        if (yt[i].major)
            svg_stroke(out, left, yt[i].px, right - left, 0.0);
    fputs("\"/>\n<path class=\"mc-axis\" shape-rendering=\"crispEdges\" fill=\"none\" d=\"", out);
    svg_stroke(out, left, top, 0.0, bottom - top);
    svg_stroke(out, left, bottom, right - left, 0.0);
    if (holds_zero(y))
        svg_stroke(out, left, mc_plot_px(y, 0.0), right - left, 0.0);
    if (x_count > 0 && holds_zero(x))
        svg_stroke(out, mc_plot_px(x, 0.0), bottom, 0.0, top - bottom);
    for (int i = 0; i < x_count && x_numbers; i++)
        svg_stroke(out, xt[i].px, bottom, 0.0,
                   xt[i].major ? svg_tick_length : 0.6 * svg_tick_length);
    for (int i = 0; i < y_count; i++)
        svg_stroke(out, left, yt[i].px, yt[i].major ? -svg_tick_length : -0.6 * svg_tick_length,
                   0.0);
    char size[32];
    fprintf(out, "\"/>\n<g class=\"mc-ink\" font-size=\"%s\">", svg_px(svg_tick_size, size));
    for (int i = 0; i < x_count && x_numbers; i++)
        if (xt[i].text[0])
            write_tick_label(out, &xt[i], xt[i].px, bottom + svg_tick_length + svg_tick_size + 1.0,
                             "middle");
    for (int i = 0; i < y_count; i++)
        if (yt[i].text[0])
            write_tick_label(out, &yt[i], left - svg_tick_length - 4.0,
                             yt[i].px + 0.36 * svg_tick_size, "end");
    fputs("</g>\n", out);
}
