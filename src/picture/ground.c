// ground.c - see ground.h.
#include "picture/ground.h"

#include <math.h>

static double wrapped(const ground *g, int path, double station)
{
    if (path || !isfinite(g->lap))
        return station;
    return station - g->lap * floor(station / g->lap);
}

double ground_base(const ground *g, int path)
{
    return g->road ? mc_road_path_base(g->road, path) : 0.0;
}

static double height_at(const ground *g, double x)
{
    double px, py, heading;
    mc_road_point p;
    if (!g->road)
        return 0.0;
    const double station = wrapped(g, 0, x);
    mc_road_place(g->road, 0, station, 0.0, &px, &py, &heading);
    mc_road_on(g->road, 0, px, py, station, &p);
    return isfinite(p.height) ? p.height - p.bump : 0.0;
}

static void place(const ground *g, double x, double y, int path, double out[3])
{
    if (!g->road) {
        out[0] = x, out[1] = y, out[2] = 0.0;
        return;
    }
    mc_road_place(g->road, path, wrapped(g, path, x - ground_base(g, path)), y, &out[0], &out[1],
                  &out[2]);
}

void ground_set(ground *g, const mc_road *road, double x, int path)
{
    mc_road_path main = {0};
    g->road = road;
    const bool known = road && mc_road_path_at(road, 0, &main);
    g->length = known ? main.length : HUGE_VAL;
    g->lap = known && main.closed ? main.length : HUGE_VAL;
    g->straight = !known || (main.max_curvature == 0.0 && mc_road_path_count(road) < 2);
    double at[3];
    g->origin = x;
    place(g, x, 0.0, path, at);
    g->x = at[0], g->y = at[1];
    g->c = cos(at[2]), g->s = sin(at[2]);
    g->height = height_at(g, x);
}

double ground_turn(const ground *g)
{
    return atan2(g->s, g->c);
}

double ground_height(const ground *g, double x)
{
    return height_at(g, x) - g->height;
}

double ground_slope(const ground *g, double x)
{
    return atan((height_at(g, x + 2.0) - height_at(g, x - 2.0)) / 4.0);
}

ground_spot ground_at(const ground *g, double x, double y, int path)
{
    double at[3];
    place(g, x, y, path, at);
    const double dx = at[0] - g->x, dy = at[1] - g->y, c = cos(at[2]), s = sin(at[2]);
    return (ground_spot){{(float)(g->c * dx + g->s * dy), (float)(g->c * dy - g->s * dx),
                          (float)ground_height(g, x)},
                         (float)(g->c * c + g->s * s),
                         (float)(g->c * s - g->s * c)};
}

double ground_curvature(const ground *g, double station)
{
    double a[3], b[3];
    place(g, station - 0.5, 0.0, 0, a);
    place(g, station + 0.5, 0.0, 0, b);
    return remainder(b[2] - a[2], 2.0 * M_PI);
}

int ground_lane_count(const ground *g, int path)
{
    const int n = g->road ? mc_road_lane_count(g->road, path) : 0;
    return n > 0 || path ? n : g->lane_count > 0 ? g->lane_count : 1;
}

bool ground_sides(const ground *g, int path, int lane, double station, double out[2])
{
    double width = g->lane_width > 0.0 ? g->lane_width : 3.4, centre = -lane * width;
    if (lane < 0 || lane >= ground_lane_count(g, path))
        return false;
    if (g->road && mc_road_lane_count(g->road, path) > 0)
        centre = mc_road_lane_centre(g->road, path, lane, wrapped(g, path, station), &width);
    out[0] = centre + 0.5 * width;
    out[1] = centre - 0.5 * width;
    return isfinite(centre) && width > 0.02;
}

bool ground_edges(const ground *g, int path, double station, double out[2])
{
    double side[2];
    out[0] = -HUGE_VAL, out[1] = HUGE_VAL;
    for (int k = 0; k < ground_lane_count(g, path); k++)
        if (ground_sides(g, path, k, station, side)) {
            out[0] = fmax(out[0], side[0]);
            out[1] = fmin(out[1], side[1]);
        }
    return isfinite(out[0]);
}
