// terrain.h - ground z(x, y) over the plane of a road, and how a wheel stands on it.
//
//   z(x, y) = sum over layers of  share(y) profile(x)      or  z_layer(x, y)
//   share     1 on both sides; of the left side  clamp((y - divide)/seam + 1/2, 0, 1), of the right
//             side 1 less that: a feature of one side ends over the seam
//
// x along the road from its start, y left, z up, m. A layer is of one kind: singularity terms
// a<x - x0>^n (terrain_terms.h), a table or a random profile (terrain_table.h), a grid, a formula.
// A kind is a row of functions; a new one is a file. Friction and restitution have their values per
// spot.
//
// A wheel is a disc of `width` about its axis, cut in one to five planes perpendicular to it: steer
// and camber are those of the axis. In a plane the ground is a curve w(s), s level and w up in the
// plane from its centre. The Minkowski sum of the ground and the disc is everything within `radius`
// of the ground, so
//
//   gap     distance of the centre from that sum = distance from the ground - radius; negative: the
//           disc is in the ground
//   drop    length of the ray from the centre, down in the plane, to the sum:
//           -max over |s| <= radius of  w(s) + sqrt(radius^2 - s^2)
//
// Steps (n = 0) and kinks are breaks of the curve, looked at one by one: a corner or a face
// is met however narrow it is. Between breaks stationary points are bracketed by samples
// TERRAIN_SAMPLES per wheel diameter and found to rounding.
//
// Pure functions of an immutable terrain: any number of threads may ask. Nothing is allocated.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#include <stdbool.h>

enum { TERRAIN_PLANES_MAX = 5, TERRAIN_SAMPLES = 16 };

typedef struct terrain_kind {
    const char *name; // the key of a file
    // Height and its derivatives by x and y. after: at a break, the limit from larger x.
    void (*at)(const void *data, double x, double y, bool after, double out[3]);
    // The first break above x where height or slope jump; HUGE_VAL: none.
    double (*next)(const void *data, double x);
    // At least |z| for from <= x <= to, m; at least |dz/dy| there, -.
    double (*largest)(const void *data, double from, double to);
    double (*across)(const void *data, double from, double to);
    // At least |d2z/dx2| between two places without a break between them, 1/m, where z does not
    // depend on y; NULL: not known.
    double (*bend)(const void *data, double from, double to);
} terrain_kind;

typedef enum terrain_side { TERRAIN_BOTH, TERRAIN_LEFT, TERRAIN_RIGHT, TERRAIN_SIDES } terrain_side;

typedef struct terrain_where { // across the road
    terrain_side side;
    double divide, seam; // m: middle and width of the change; seam > 0
} terrain_where;

typedef struct terrain_layer {
    const terrain_kind *kind;
    const void *data;
    terrain_where where;
} terrain_layer;

typedef struct terrain_spot { // a stretch with its own ground
    double from, to;          // m
    terrain_where where;      // the middle of the seam divides
    double friction;          // -; NAN: that of the rest
    double restitution;       // -, may exceed 1; NAN: that of the rest
} terrain_spot;

typedef struct road_terrain {
    const terrain_layer *layers;
    int layer_count;
    const terrain_spot *spots; // of several at a place the last one holds
    int spot_count;
    double friction, restitution; // -, elsewhere
    double reference;             // -, friction of the dry road, on which tyres have their own
    int planes;                   // per wheel of vehicles that leave the choice to the terrain
} road_terrain;

typedef struct terrain_point {
    double z;           // m
    double zx, zy;      // -, its slopes
    double friction;    // -
    double restitution; // -
} terrain_point;

void terrain_at(const road_terrain *t, double x, double y, terrain_point *out);
// Friction and restitution alone.
void terrain_grip(const road_terrain *t, double x, double y, double *friction, double *restitution);
// Height and slopes alone; after: at a step, those behind it.
void terrain_height(const road_terrain *t, double x, double y, bool after, double out[3]);
// The first break of any layer above x; HUGE_VAL: none.
double terrain_next(const road_terrain *t, double x);

typedef struct terrain_wheel {
    double centre[3];     // m
    double axis[3];       // unit, to the left of the wheel
    double radius, width; // m
    int planes;           // 1 .. TERRAIN_PLANES_MAX: one in the middle, more from edge to edge
} terrain_wheel;

typedef struct terrain_touch { // of one plane
    double offset;             // m, of the plane along the axis from the centre of the wheel
    double gap;                // m; exact up to `reach`, else `reach`: it is at least that
    double point[3];           // m, of the ground, nearest to the centre of the plane
    double ray[3];             // unit, in the plane, from that point to the centre
    double normal[3];          // unit, of the ground there, up: of a corner that of the disc
    double friction, restitution;
} terrain_touch;

// How the planes of a wheel are from the ground; reach: m, how far gaps are of interest. Returns
// the plane with the smallest gap. A wheel whose axis is within 0.05 rad of upright is not cut: its
// gaps are those of its centre.
int terrain_meet(const road_terrain *t, const terrain_wheel *wheel, double reach,
                 terrain_touch out[TERRAIN_PLANES_MAX]);

// Conservative advancement: no gap of a wheel with velocity v of its centre and turn rate omega
// (rad/s, spin about its own axis aside) shrinks faster than this, m/s, while the wheel is within
// `reach` of where it is and its gaps below `reach`. A distance changes at most as fast as the
// centre moves in its plane; what the plane moves along the axis counts by the slopes across, and
// by the tangent of steer where it crosses breaks. HUGE_VAL: there is no bound.
double terrain_approach_max(const road_terrain *t, const terrain_wheel *wheel, double reach,
                            const double v[3], const double omega[3]);

// The ground that a wheel over (x, y) stands on, for vehicles whose wheels follow it: heading of
// the wheel (rad, from x to the left), upright. height: of its lowest point, m; rise: its change
// per m along x and y. One plane, or the mean of several.
void terrain_stand(const road_terrain *t, double x, double y, double heading, double radius,
                   double width, double *height, double rise[2]);
