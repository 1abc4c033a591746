// lanes.h - the lanes of a path: how wide each is along it, who may use it, what applies there.
//
// Lanes are counted from the left, 0 first, and lane k is the same strip along the whole path:
// where it does not exist, its width is 0. So an acceleration lane has a number of its own, and no
// lane changes its number because another begins or ends.
//
//   left edge of lane 0    e(s) = e0 + b d + c d^2 + ..., left of the reference line
//   width of lane k        w_k(s), a cubic as well; d = s - start of the section
//   right edge of lane k   e - w_0 - ... - w_k
#pragma once

#include "base/arena.h"
#include "motorcade/road.h"
#include "motorcade/status.h"

#include <stdbool.h>

enum { ROAD_LANES_MAX = 64 };

typedef struct road_poly { // a + b d + c d^2 + e d^3, d = s - at
    double at, a, b, c, e;
} road_poly;

typedef struct road_polys { // each holds from its own `at` to the next
    const road_poly *p;     // `at` strictly increasing
    int count;              // 0: 0 everywhere
} road_polys;

double road_polys_value(const road_polys *p, double s);
double road_polys_rate(const road_polys *p, double s); // its derivative
static inline double road_poly_value(const road_poly *p, double s)
{
    const double d = s - p->at;
    return p->a + d * (p->b + d * (p->c + d * p->e));
}
// The cubic about `at` with values and derivatives at both ends.
road_poly road_poly_between(double at, double to, double a, double b, double rate_a, double rate_b);

typedef struct road_lane {
    double a, b, c, e;                 // of the width
    double speed, headway, separation; // m/s, s, m; NAN: what the roadway commands
    mc_road_use use, enter;
} road_lane;

typedef struct road_section {
    double s;              // m, where it begins; the first counts before it too
    double a, b, c, e;     // of the left edge
    const road_lane *lane; // `count` of them
} road_section;

typedef struct road_lanes {
    int count;
    const road_section *sections;
    int section_count;
    double length; // m: after it, as at it
} road_lanes;

// A stretch on which one lane differs.
typedef struct road_lane_stretch {
    int lane;        // from 0
    double from, to; // m
    double width;    // m; NAN: as elsewhere
    double in, out;  // m, over which the width changes, inside from .. to; 0: at once
    double speed, headway, separation; // NAN: as elsewhere
    int use, enter;                    // mc_road_use; -1: as elsewhere
} road_lane_stretch;

// Lanes of one width, except on stretches; those from `through` on have the width 0 elsewhere. The
// stretches of a lane must not overlap in width. *bad: the stretch that the message is about.
mc_status road_lanes_make(arena *memory, int count, int through, double width, double length,
                          const road_lane_stretch *stretches, int stretch_count, road_lanes *out,
                          int *bad, mc_error *error);

// Edges from left to right: edge[0] .. edge[count]; room for ROAD_LANES_MAX + 1.
void road_lanes_edges(const road_lanes *l, double s, double *edge);
// The lane of an offset; -1: beside them.
int road_lanes_find(const road_lanes *l, double s, double offset);
// false: there is no such lane at s.
bool road_lanes_look(const road_lanes *l, int lane, double s, mc_road_lane *out);
