// road_plan.c - the plan view of a road as SVG, and its samples as CSV.
#include "base/file.h"
#include "draw/svg.h"
#include "motorcade/road_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 64 };
static const double room = 40.0, long_side = 1100.0; // px
static const double endless = 2000.0;                // m, of a road without an end

typedef struct view {
    const mc_road *road;
    FILE *out;
    double x0, y1, scale; // m, m, px per m
    double width, height; // px
    double head;          // px, above the plan
} view;

double mc_road_gap(const mc_road *road, int path)
{
    mc_road_path p;
    double x0, y0, x1, y1, heading;
    if (!mc_road_path_at(road, path, &p) || !isfinite(p.length))
        return NAN;
    // The end of a circuit is its start, so it is approached from inside.
    const double end = p.closed ? p.length * (1.0 - 1e-15) : p.length;
    mc_road_place(road, path, 0.0, 0.0, &x0, &y0, &heading);
    mc_road_place(road, path, end, 0.0, &x1, &y1, &heading);
    return hypot(x1 - x0, y1 - y0);
}

static double length_of(const mc_road *road, int path)
{
    mc_road_path p;
    mc_road_path_at(road, path, &p);
    if (isfinite(p.length))
        return p.length;
    double length = endless;
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(road, k, &ramp); k++)
        length = fmax(length, ramp.to + 300.0);
    return length;
}

// A step that shows every curve: 0.05 rad, between 0.5 and 20 m.
static double step_of(const mc_road *road, int path)
{
    mc_road_path p;
    mc_road_path_at(road, path, &p);
    const double step = p.max_curvature > 0.0 ? 0.05 / p.max_curvature : 20.0;
    return fmax(fmin(step, 5.0), fmax(0.5, length_of(road, path) / 50000.0));
}

static void fit(view *v)
{
    double low_x = HUGE_VAL, high_x = -HUGE_VAL, low_y = HUGE_VAL, high_y = -HUGE_VAL;
    for (int k = 0; k < mc_road_path_count(v->road); k++) {
        const double length = length_of(v->road, k), step = step_of(v->road, k);
        for (double s = 0.0; s < length + step; s += step) {
            double x, y, heading;
            mc_road_place(v->road, k, fmin(s, length), 0.0, &x, &y, &heading);
            low_x = fmin(low_x, x), high_x = fmax(high_x, x);
            low_y = fmin(low_y, y), high_y = fmax(high_y, y);
        }
    }
    const double wide = high_x - low_x + 20.0, tall = high_y - low_y + 20.0;
    v->scale = (long_side - 2.0 * room) / fmax(wide, tall);
    v->x0 = low_x - 10.0;
    v->y1 = high_y + 10.0;
    v->width = fmax(wide * v->scale, 500.0) + 2.0 * room;
    v->height = tall * v->scale + v->head + 2.0 * room;
}

static void point(const view *v, int path, double s, double offset, char command)
{
    double x, y, heading;
    mc_road_place(v->road, path, s, offset, &x, &y, &heading);
    fprintf(v->out, "%c%.2f %.2f", command, room + (x - v->x0) * v->scale,
            v->head + room + (v->y1 - y) * v->scale);
}

// The left edge of a lane along the path, where the lane exists; lane -1: the right edge of all.
static void draw_edge(const view *v, int path, int lane, const char *style)
{
    const double length = length_of(v->road, path), step = step_of(v->road, path);
    bool open = false;
    fprintf(v->out, "<path class=\"%s\" d=\"", style);
    for (double s = 0.0; s < length + step; s += step) {
        const double at = fmin(s, length * (1.0 - 1e-15));
        mc_road_lane l;
        bool there = false;
        double edge = 0.0;
        if (lane >= 0) {
            there = mc_road_lane_at(v->road, path, lane, at, &l);
            edge = l.centre + 0.5 * l.width;
        }
        for (int k = mc_road_lane_count(v->road, path) - 1; lane < 0 && k >= 0 && !there; k--) {
            there = mc_road_lane_at(v->road, path, k, at, &l);
            edge = l.centre - 0.5 * l.width;
        }
        if (there)
            point(v, path, at, edge, open ? 'L' : 'M');
        open = there;
    }
    fprintf(v->out, "\"/>\n");
}

// The surface of a lane, as one band per stretch on which it exists.
static void draw_lane(const view *v, int path, int lane)
{
    const double length = length_of(v->road, path), step = step_of(v->road, path);
    double from = NAN;
    for (double s = 0.0; s < length + 2.0 * step; s += step) {
        const double at = fmin(s, length * (1.0 - 1e-15));
        mc_road_lane l;
        const bool there = s < length + step && mc_road_lane_at(v->road, path, lane, at, &l);
        if (there && isnan(from))
            from = at;
        if (there || isnan(from))
            continue;
        const double to = fmin(s - step, length * (1.0 - 1e-15));
        mc_road_lane_at(v->road, path, lane, 0.5 * (from + to), &l);
        fprintf(v->out, "<path class=\"%s\" d=\"",
                l.use == MC_ROAD_CLOSED      ? "mc-road-closed"
                : l.use == MC_ROAD_AUTOMATED ? "mc-road-auto"
                                             : "mc-road-lane");
        char command = 'M';
        for (double a = from; a < to + step; a += step, command = 'L')
            if (mc_road_lane_at(v->road, path, lane, fmin(a, to), &l))
                point(v, path, fmin(a, to), l.centre + 0.5 * l.width, command);
        for (double a = to; a > from - step; a -= step)
            if (mc_road_lane_at(v->road, path, lane, fmax(a, from), &l))
                point(v, path, fmax(a, from), l.centre - 0.5 * l.width, 'L');
        fprintf(v->out, "Z\"/>\n");
        from = NAN;
    }
}

static void draw_path(const view *v, int path)
{
    const int lanes = mc_road_lane_count(v->road, path);
    for (int k = 0; k < lanes && k < LANES; k++)
        draw_lane(v, path, k);
    for (int k = 0; k < lanes && k < LANES; k++)
        draw_edge(v, path, k, k ? "mc-road-mark" : "mc-road-edge");
    draw_edge(v, path, -1, "mc-road-edge");
    fprintf(v->out, "<path class=\"mc-road-line\" d=\"");
    const double length = length_of(v->road, path), step = step_of(v->road, path);
    for (double s = 0.0; s < length + step; s += step)
        point(v, path, fmin(s, length * (1.0 - 1e-15)), 0.0, s > 0.0 ? 'L' : 'M');
    fprintf(v->out, "\"/>\n");
}

static void draw_names(const view *v)
{
    for (int k = 0; k < mc_road_path_count(v->road); k++) {
        mc_road_path p;
        double x, y, heading;
        mc_road_path_at(v->road, k, &p);
        mc_road_place(v->road, k, (k % 2 ? 0.6 : 0.3) * length_of(v->road, k), 0.0, &x, &y,
                      &heading);
        if (mc_road_path_count(v->road) <= 40)
            svg_label(v->out, room + (x - v->x0) * v->scale + 8.0,
                      v->head + room + (v->y1 - y) * v->scale - 8.0, svg_tick_size, "start",
                      "mc-ink", 240.0, p.name);
    }
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(v->road, k, &ramp); k++) {
        double x, y, heading;
        if (!(ramp.ramp_nose > 0.0))
            continue;
        mc_road_place(v->road, ramp.path, ramp.ramp_nose, 0.0, &x, &y, &heading);
        fprintf(v->out, "<circle class=\"mc-road-nose\" cx=\"%.2f\" cy=\"%.2f\" r=\"4\"/>\n",
                room + (x - v->x0) * v->scale, v->head + room + (v->y1 - y) * v->scale);
    }
}

static void draw_scale(const view *v)
{
    const double length = svg_round_down(150.0 / v->scale), y = v->height - 0.4 * room;
    char text[32];
    snprintf(text, sizeof text, "%g m", length);
    fprintf(v->out, "<path class=\"mc-road-scale\" d=\"M%.2f %.2fv6h%.2fv-6\"/>\n", room, y - 6.0,
            length * v->scale);
    svg_label(v->out, room + length * v->scale + 8.0, y, svg_tick_size, "start", "mc-faint", 200.0,
              text);
}

mc_status mc_road_draw(const mc_road *road, const char *title, const char *path, mc_error *error)
{
    char *text = NULL;
    size_t size = 0;
    view v = {.road = road, .out = open_memstream(&text, &size)};
    if (!v.out)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for the drawing");
    const svg_locale locale = svg_locale_begin();
    v.head = svg_figure_head(title, NULL);
    fit(&v);
    svg_figure_begin(v.out, v.width, v.height, title, NULL);
    fprintf(v.out, "<style>.mc-road-lane{fill:#c9d1da}.mc-road-auto{fill:#a9cfb5}"
                   ".mc-road-closed{fill:#e3d3cd}.mc-road-edge{stroke:#4a5866;stroke-width:1;"
                   "fill:none}.mc-road-mark{stroke:#fff;stroke-width:.8;stroke-dasharray:6 5;"
                   "fill:none}.mc-road-line{stroke:#b3421f;stroke-width:.8;fill:none}"
                   ".mc-road-nose{fill:#b3421f}.mc-road-scale{stroke:#66717d;fill:none}</style>\n");
    for (int k = mc_road_path_count(road) - 1; k >= 0; k--)
        draw_path(&v, k);
    draw_names(&v);
    draw_scale(&v);
    svg_figure_end(v.out);
    svg_locale_end(locale);
    fclose(v.out);
    return svg_save(path, text, size, error);
}

mc_status mc_road_sample(const mc_road *road, double step, const char *path, mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    file_print(out, "path,station,x,y,heading,curvature,grade,bank,height,friction,left,right\n");
    for (int k = 0; k < mc_road_path_count(road); k++) {
        mc_road_path p;
        mc_road_path_at(road, k, &p);
        const double length = length_of(road, k);
        const long count = lrint(ceil(length / step));
        for (long i = 0; i <= count; i++) {
            const double s = fmin((double)i * step, length * (1.0 - 1e-15));
            double x, y, heading, left = NAN, right = NAN;
            mc_road_point at;
            mc_road_place(road, k, s, 0.0, &x, &y, &heading);
            mc_road_on(road, k, x, y, s, &at);
            for (int lane = 0; lane < p.lane_count; lane++) {
                mc_road_lane l;
                if (!mc_road_lane_at(road, k, lane, s, &l))
                    continue;
                left = isnan(left) ? l.centre + 0.5 * l.width : left;
                right = l.centre - 0.5 * l.width;
            }
            file_print(out, "%d,%.9g,%.12g,%.12g,%.12g,%.9g,%.9g,%.9g,%.9g,%.6g,%.6g,%.6g\n", k, s,
                       x, y, at.heading, at.curvature, at.grade, at.bank, at.height, at.friction,
                       left, right);
        }
    }
    return file_writer_commit(out, error);
}
