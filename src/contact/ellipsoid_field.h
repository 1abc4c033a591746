// ellipsoid_field.h - the contact points of the MEDUSA report for overlapping ellipsoids.
//
// The field of an ellipsoid is |A^-1 (x - c)|^2 - 1: negative inside, 0 on its surface, positive
// outside. T1 is the point of surface 1 that is deepest in the field of 2, T2 the point of surface
// 2 that is deepest in the field of 1. Unlike the points of ellipsoid.h they need not face each
// other along a common normal; the two pairs agree as the overlap goes to zero.
#pragma once

#include "contact/ellipsoid.h"

// Finds the point of the surface of `on` where the field of `in` is least, and the outward unit
// normal of `on` there. Holds for separate ellipsoids as well. If there are several such points
// (concentric ellipsoids, for example) it is one of them, the same one each time.
void ellipsoid_field_deepest(const ellipsoid *on, const ellipsoid *in, double point[3],
                             double normal[3]);
