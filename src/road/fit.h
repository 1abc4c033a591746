// fit.h - clothoids through other curves.
//
// A clothoid between two places with given headings has one shape (its three numbers follow from
// three equations); a curve is cut until its clothoids are as near to it as desired. Headings and
// places agree at the cuts, the curvature jumps by a little there.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"
#include "road/path.h"

#include <stdbool.h>

// u = u0 + u1 p + u2 p^2 + u3 p^3, v likewise, p = 0 .. end, in the frame of its start
typedef struct road_planar {
    double u[4], v[4], end;
} road_planar;

#define ROAD_FIT_ERROR 1e-6 // m
enum { ROAD_FIT_PIECES = 512 };

// The clothoid from a to b; false: there is none that turns less than half a circle.
bool road_fit_clothoid(road_pose a, road_pose b, road_piece *out);

// The curve as pieces, at most ROAD_FIT_PIECES; *start: heading of the first at p = 0; *error: the
// largest distance found. false: it cannot be followed, such as one with a cusp.
bool road_fit_planar(const road_planar *curve, road_piece *out, int *count, double *start,
                     double *error);
