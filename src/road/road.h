// road.h - where the vehicles drive: lanes, slope and friction along a road.
//
// The axes are those of one plane, the road unrolled: a hill does not bend them; it tilts gravity:
// g_x = -g sin(slope), g_z = -g cos(slope). A road without a network is straight: x along it, y
// left, and lane k (0 is the leftmost) has its centre at y = -k lane_width. With one (network.h) it
// has curves, ramps, lanes that begin and end; slope and friction then go by the station.
//
// Slope and friction are piecewise linear in x and constant beyond their ends: a grade changes over
// a stretch of road, never at a point, so forces do not jump. Where a formula gives the slope, it
// is a curve of cubic pieces instead (curve.h). A road is immutable once made; an edit makes a new
// one.
//
// Vehicle types outside the library ask mc_road_at (motorcade/road.h); kernels of the library use
// the lines themselves, piece by piece.
#pragma once

#include "base/arena.h"
#include "motorcade/road.h"
#include "motorcade/status.h"
#include "road/curve.h"

#include <stdbool.h>

typedef struct road_line { // piecewise linear: value[i] at x[i], x strictly increasing
    const double *x, *value;
    int count; // 0: the fallback everywhere
    double fallback;
} road_line;

typedef struct mc_road {
    int lane_count;
    double lane_width;  // m
    road_line slope;    // rad, uphill positive; without points where there is a curve
    road_curve curve;   // the slope by a formula; without points where there is none
    road_line height;   // m, of the points of slope; between them the integral of sin(slope)
    road_line friction; // -, relative to the reference road
    // Where friction differs across the road: of the right side; `friction` is of the left one.
    road_line right;
    const struct road_split *splits; // in order of the road
    int split_count;                 // 0: it does not differ
    const struct road_network *net;  // paths, lanes, bank, surface; NULL: straight
} road;

// A stretch with its own slope or friction, as a user writes it.
typedef struct road_stretch {
    double from, to;   // m
    double value;      // rad, or -
    double transition; // m, over which it comes and goes, inside from .. to
} road_stretch;

// How friction varies across a stretch: linearly from the left value to the right one over the
// seam, which has its middle at the divide.
typedef struct road_side {
    double right;  // -, friction right of it; NAN: the same on both sides
    double divide; // m, offset from the reference line, left positive
    double seam;   // m, width of the seam
} road_side;

// Makes a road of stretches in order of `from`; they must not overlap. Arrays live in the arena.
mc_status road_make(arena *memory, int lane_count, double lane_width, const road_stretch *grades,
                    int grade_count, const road_stretch *frictions, int friction_count, road *out,
                    mc_error *error);
// Lets the friction of a road made of these stretches vary across it. sides: one for each of them.
mc_status road_set_sides(arena *memory, const road_stretch *frictions, const road_side *sides,
                         int count, road *out, mc_error *error);
// Gives a road without grades the slope of a curve, whose arrays must outlive it.
void road_set_curve(road *r, const road_curve *curve);

double road_slope(const road *r, double x);      // rad
double road_slope_rate(const road *r, double x); // rad/m
double road_height(const road *r, double x);     // m, above x = 0
double road_friction(const road *r, double x);   // -, of the left side where they differ
// -, at a station and an offset
double road_friction_at(const road *r, double x, double offset);

// A straight piece of a line: value + rate (x - at) for from <= x < to.
typedef struct road_window {
    double from, to, at; // m
    double value, rate;  // of the line, and per m
} road_window;

// Pieces are numbered from 0, the one before the first point, to count, the one behind the last.
int road_line_piece(const road_line *l, double x);
void road_line_window(const road_line *l, int piece, road_window *out);

// NULL is a level road of friction 1, here and above.
static inline bool road_is_level(const road *r)
{
    return !r || (r->slope.count == 0 && r->curve.count == 0);
}
// Whether slope, bank, friction or heights vary on a road with paths.
bool road_has_relief(const road *r);
// Whether gravity has a part along the surface anywhere; whether friction is 1 everywhere. A
// vehicle that asks once per step need not ask where neither matters.
static inline bool road_tilts(const road *r)
{
    return !road_is_level(r) || (r && r->net && road_has_relief(r));
}
static inline bool road_is_dry(const road *r)
{
    return !r || (r->friction.count == 0 && r->friction.fallback == 1.0);
}
// Whether it has to be asked place by place: paths with slope, bank, friction or bumps, or friction
// that varies across the road. On other roads slope and friction are lines over x.
static inline bool road_is_relief(const road *r)
{
    return r && (r->split_count > 0 || (r->net && road_has_relief(r)));
}
// What a vehicle asks that may know its path: path below 0: it does not. A station nearby is the
// hint.
static inline void road_under(const road *r, double path, double x, double y, double hint,
                              mc_road_point *out)
{
    if (path >= 0.0)
        mc_road_on(r, (int)path, x, y, hint, out);
    else
        mc_road_at(r, x, y, hint, out);
}
// The ramp of b that is ramp number k of a, at the same place in every respect; -1: there is none.
int road_same_ramp(const road *a, int k, const road *b);
// Whether a section of some lane has rules: who may use or enter it, speed, headway, separation;
// or whether a lane of the main road changes its width, and may end.
bool road_has_rules(const road *r);
// m, where the next section of a path begins after a station; HUGE_VAL: there is none.
double road_next_section(const road *r, int path, double station);
double road_lane_y(const road *r, int lane); // m, centre of a lane, 0 = leftmost
int road_lane_at(const road *r, double y);   // nearest lane
