// ellipsoid.h - gap, closest and deepest points of two deformed ellipsoids.
//
// An ellipsoid is the image of the unit ball: { centre + axes s, |s| <= 1 }. Its support in the
// direction n is n.centre + |axes' n|. One smooth problem covers both cases:
//     gap = max over unit n of  n.(c2 - c1) - |A1' n| - |A2' n|
// gap > 0 is the distance, gap < 0 minus the least translation along n that separates the two
// (the depth). n points from 1 to 2.
#pragma once

#include "motorcade/vehicle_model.h"

typedef mc_ellipsoid ellipsoid;

typedef struct ellipsoid_gap {
    double gap;        // m
    double normal[3];  // unit, from 1 to 2
    double point_1[3]; // m, world, on the surface of 1: closest to 2, or deepest in 2 along normal
    double point_2[3]; // m, world, on the surface of 2
    int iterations;    // Newton steps taken, all starts together
} ellipsoid_gap;

// Finds the gap. With warm, result->normal holds the answer of a nearby earlier configuration and
// the search starts there; a useless normal costs time, not correctness. Never fails for finite
// input and positive semi-axes. Swapping the two ellipsoids gives the same gap and the opposite
// normal; for concentric ones either normal is as good.
//
// Limit: slender bodies in deep overlap can be separated in several directions. The least depth is
// found to rounding up to r1 + r2, r = (smallest semi-axis)^2 / largest; beyond that to 1 %, proved
// at aspect ratios up to 20, usual above.
void ellipsoid_gap_find(const ellipsoid *e1, const ellipsoid *e2, int warm, ellipsoid_gap *result);
