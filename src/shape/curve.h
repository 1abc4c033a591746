// curve.h - curves in space: polyline, arc through three points, cubic B-spline.
//
// A curve is a row of smooth pieces; piece i runs over 0 <= s <= 1.
#pragma once

#include <stdbool.h>

typedef enum curve_kind { CURVE_POLYLINE, CURVE_ARC, CURVE_SPLINE, CURVE_KIND_COUNT } curve_kind;
extern const char *const curve_kind_names[CURVE_KIND_COUNT];

typedef struct concept_curve {
    curve_kind kind;
    const double (*point)[3]; // corners; start, through, end; control points
    int count;
    double centre[3], u[3], v[3], angle; // arc: centre + u cos + v sin, 0 .. angle
} concept_curve;

// Derives what an arc needs. NULL: good; else what is wrong ("the three points are in line").
const char *curve_prepare(concept_curve *c);

int curve_pieces(const concept_curve *c);
// Position, first and second derivative by s. d2 may be NULL.
void curve_at(const concept_curve *c, int piece, double s, double r[3], double d1[3], double d2[3]);
// By one parameter over the whole curve, 0 <= t <= 1, pieces of equal share.
void curve_whole(const concept_curve *c, double t, double r[3], double d1[3]);
