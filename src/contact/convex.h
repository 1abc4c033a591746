// convex.h - gap of a deformed ellipsoid and a convex body with corners or an axis.
//
// With h the support of a body, the gap is max over unit n of  n.c - h_1(n) - h_2(-n). Bodies with
// corners: the hull of points, and upright cylinders without ends.
//
// Hull: x = c + A s turns the ellipsoid into the unit ball, and the hull into another hull, of
// which q is the point nearest to the origin: found exactly in finitely many steps (Wolfe 1976).
// The plane through q across it touches the hull, so with n ~ A^-T q both bodies are
//
//     gap = (|q| - 1) / |A^-T q/|q||
//
// apart along n. That is 0 where they touch and never more than the distance: along another n they
// may be a little farther apart, by a share of the gap that vanishes with it. Faces, edges and
// corners need no cases. Where the centre of the ellipsoid is inside the hull, n is the direction
// between the centres.
//
// Cylinder: only directions across its axis count, so it is two ellipses in the plane: ellipsoid.h,
// exact everywhere.
#pragma once

#include "contact/ellipsoid.h"

enum { CONVEX_POINTS_MAX = 64 };

// points: 3 numbers each, count of them, world; centre: inside. result: as ellipsoid_gap_find, the
// ellipsoid is 1.
void convex_hull_gap(const ellipsoid *e, const double *points, int count, const double centre[3],
                     ellipsoid_gap *result);

// Axis through (x, y), along z.
void convex_cylinder_gap(const ellipsoid *e, double x, double y, double radius, int warm,
                         ellipsoid_gap *result);
