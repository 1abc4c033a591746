// plot_path.c - curves as SVG paths, long ones thinned out.
//
// Coordinates are hundredths of a pixel in whole numbers, written relative to the point before: no
// rounding adds up, and a point takes some eight bytes.
#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double max_px = 1e7;      // beyond that a point is as good as there
static const double near_px = 1.0 / 3; // points nearer than that are one

bool path_shows(const mc_plot_curve *curve, const mc_plot_scale *y, int i)
{
    return !isnan(curve->y[i]) && !(y->logarithmic && curve->y[i] <= 0.0);
}

// ---- numbers ----

static long hundredths(double px)
{
    return lrint(100.0 * fmin(fmax(px, -max_px), max_px));
}

// v / 100 without needless zeros; a sign also ends the number before it, as in "1.5-.25".
static void write_number(FILE *out, long v, bool separate)
{
    const long size = v < 0 ? -v : v, whole = size / 100, rest = size % 100;
    char text[32];
    int n = snprintf(text, sizeof text, "%s", v < 0 ? "-" : separate ? " " : "");
    if (whole > 0 || rest == 0)
        n += snprintf(text + n, sizeof text - (size_t)n, "%ld", whole);
    if (rest > 0)
        snprintf(text + n, sizeof text - (size_t)n, rest % 10 ? ".%02ld" : ".%ld",
                 rest % 10 ? rest : rest / 10);
    fputs(text, out);
}

// ---- a pen ----

typedef struct pen {
    FILE *out;
    bool steps, down;
    long x, y; // hundredths, where it is
    int moves; // since it is down
} pen;

static void pen_put(pen *p, double x_px, double y_px)
{
    const long x = hundredths(x_px), y = hundredths(y_px), dx = x - p->x, dy = y - p->y;
    if (!p->down) {
        fputc('M', p->out);
        write_number(p->out, x, false);
        write_number(p->out, y, true);
    } else if (dx == 0 && dy == 0) {
        return;
    } else if (p->steps) {
        if (dx != 0)
            fputc('h', p->out), write_number(p->out, dx, false);
        if (dy != 0)
            fputc('v', p->out), write_number(p->out, dy, false);
    } else {
        fputc('l', p->out);
        write_number(p->out, dx, false);
        write_number(p->out, dy, true);
    }
    p->moves = p->down ? p->moves + 1 : 0;
    p->down = true;
    p->x = x, p->y = y;
}

// A point alone becomes a dot: the caps of its line are round.
static void pen_lift(pen *p)
{
    if (p->down && p->moves == 0)
        fputs("h0", p->out);
    p->down = false;
}

// ---- stretches without a gap ----

typedef struct stretch {
    const mc_plot_curve *curve;
    const mc_plot_scale *x, *y;
    int begin, end;
} stretch;

static void put_point(pen *p, const stretch *s, int i)
{
    pen_put(p, mc_plot_px(s->x, s->curve->x[i]), mc_plot_px(s->y, s->curve->y[i]));
}

static bool x_rises(const stretch *s)
{
    for (int i = s->begin + 1; i < s->end; i++)
        if (s->curve->x[i] < s->curve->x[i - 1])
            return false;
    return true;
}

// Each pixel column: first, minimum, maximum, last, in their order.
static void write_columns(pen *p, const stretch *s)
{
    const double *y = s->curve->y;
    for (int i = s->begin; i < s->end;) {
        const double column = floor(mc_plot_px(s->x, s->curve->x[i]));
        int lowest = i, highest = i, j = i;
        for (; j < s->end && floor(mc_plot_px(s->x, s->curve->x[j])) == column; j++) {
            lowest = y[j] < y[lowest] ? j : lowest;
            highest = y[j] > y[highest] ? j : highest;
        }
        const int inner[2] = {lowest < highest ? lowest : highest,
                              lowest < highest ? highest : lowest};
        put_point(p, s, i);
        for (int k = 0; k < 2; k++)
            if (inner[k] > i && inner[k] < j - 1 && (k == 0 || inner[1] > inner[0]))
                put_point(p, s, inner[k]);
        if (j - 1 > i)
            put_point(p, s, j - 1);
        i = j;
    }
}

// Points of the curve with the minimum or maximum x or y.
static void find_extremes(const mc_plot_curve *c, const mc_plot_scale *y, int extremes[4])
{
    for (int k = 0; k < 4; k++)
        extremes[k] = -1;
    for (int i = 0; i < c->count; i++) {
        if (!path_shows(c, y, i))
            continue;
        const double values[4] = {-c->x[i], c->x[i], -c->y[i], c->y[i]};
        for (int k = 0; k < 4; k++) {
            const int e = extremes[k];
            const double best =
                e < 0 ? -HUGE_VAL : (k % 2 ? 1.0 : -1.0) * (k < 2 ? c->x[e] : c->y[e]);
            if (values[k] > best)
                extremes[k] = i;
        }
    }
}

static bool is_among(int i, const int extremes[4])
{
    return i == extremes[0] || i == extremes[1] || i == extremes[2] || i == extremes[3];
}

static void write_apart(pen *p, const stretch *s, const int extremes[4])
{
    double x_last = 0.0, y_last = 0.0;
    for (int i = s->begin; i < s->end; i++) {
        const double x = mc_plot_px(s->x, s->curve->x[i]), y = mc_plot_px(s->y, s->curve->y[i]);
        if (i > s->begin && i < s->end - 1 && hypot(x - x_last, y - y_last) < near_px &&
            !is_among(i, extremes))
            continue;
        pen_put(p, x, y);
        x_last = x, y_last = y;
    }
}

static void write_line(FILE *out, const mc_plot_curve *c, const mc_plot_scale *x,
                       const mc_plot_scale *y)
{
    pen p = {.out = out, .steps = c->style == MC_PLOT_STYLE_STEPS};
    int extremes[4];
    find_extremes(c, y, extremes);
    for (int i = 0; i < c->count;) {
        if (!path_shows(c, y, i)) {
            i++;
            continue;
        }
        stretch s = {c, x, y, i, i};
        while (s.end < c->count && path_shows(c, y, s.end))
            s.end++;
        if (x_rises(&s))
            write_columns(&p, &s);
        else
            write_apart(&p, &s, extremes);
        if (p.steps && s.end < c->count) // holds up to the gap
            pen_put(&p, mc_plot_px(x, c->x[s.end]), mc_plot_px(y, c->y[s.end - 1]));
        pen_lift(&p);
        i = s.end;
    }
}

// ---- marks ----

// Outlines around (0, 0), each begins with a move from the centre and is open or closed by z.
static const char *const shapes[] = {
    "m-4.5-4.5l9 9m0-9l-9 9",                       // cross
    "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z", // circle
    "m-5.5 0h11m-5.5-5.5v11",                       // plus
    "m-4-4h8v8h-8z",                                // square
    "m0-5.2l5 8.7h-10z",                            // triangle
    "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z",            // diamond
};
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

void path_mark(FILE *out, int mark, double x, double y)
{
    fputc('M', out);
    write_number(out, hundredths(x), false);
    write_number(out, hundredths(y), true);
    fputs(shapes[mark % SHAPE_COUNT], out);
}

// Of marks on the same half pixel one is drawn; extremes always.
static void write_marks(FILE *out, const mc_plot_curve *c, const mc_plot_scale *x,
                        const mc_plot_scale *y, int mark)
{
    const double left = fmin(x->low_px, x->high_px), top = fmin(y->low_px, y->high_px);
    const long columns = 2 * (long)ceil(fabs(x->high_px - x->low_px)) + 2;
    const long rows = 2 * (long)ceil(fabs(y->high_px - y->low_px)) + 2;
    unsigned char *taken = calloc((size_t)(columns * rows), 1); // without it all are drawn
    int extremes[4];
    find_extremes(c, y, extremes);
    for (int i = 0; i < c->count; i++) {
        if (!path_shows(c, y, i))
            continue;
        const double x_px = mc_plot_px(x, c->x[i]), y_px = mc_plot_px(y, c->y[i]);
        const double u = floor(2.0 * (x_px - left)), v = floor(2.0 * (y_px - top));
        if (u < -20.0 || v < -20.0 || u > (double)columns + 20.0 || v > (double)rows + 20.0)
            continue; // not in sight
        const bool inside = u >= 0 && v >= 0 && u < (double)columns && v < (double)rows;
        unsigned char *cell = inside && taken ? &taken[(long)v * columns + (long)u] : NULL;
        if (cell && *cell && !is_among(i, extremes))
            continue;
        if (cell)
            *cell = 1;
        path_mark(out, mark, x_px, y_px);
    }
    free(taken);
}

void path_write(FILE *out, const mc_plot_curve *curve, const mc_plot_scale *x,
                const mc_plot_scale *y, int mark)
{
    if (curve->style == MC_PLOT_STYLE_POINTS)
        write_marks(out, curve, x, y, mark);
    else
        write_line(out, curve, x, y);
}
