// hull.h - two convex bodies with flat faces: how far apart they are, and where they touch.
//
// The gap is the largest separation along a face normal of either body or along the cross product
// of an edge of one with an edge of the other. It is 0 where they touch, minus the smallest depth
// where they overlap, and never more than their distance. The ellipsoid against such a body is in
// convex.h.
//
// Faces touch over an area, which a body that stands still on another needs. It is taken as the
// corners of the polygon that both faces share: the face of the other body is clipped by the sides
// of the one whose normal separates them. Crossing edges touch in one point.
#pragma once

#include <stdbool.h>

enum {
    HULL_POINTS_MAX = 64,
    HULL_FACES_MAX = 2 * HULL_POINTS_MAX,
    HULL_EDGES_MAX = 3 * HULL_POINTS_MAX,
    HULL_MEET_MAX = 8 // points of one contact
};

typedef struct hull_face {
    double normal[3], offset; // unit, outward; normal . x = offset on it
    int first, count;         // its corners in `loop`, counter-clockwise from outside
} hull_face;

typedef struct hull_edge {
    int from, to;  // points
    int direction; // parallel edges share one
} hull_edge;

typedef struct hull {
    int point_count, face_count, edge_count, direction_count, loop_count;
    double point[HULL_POINTS_MAX][3]; // m
    hull_face face[HULL_FACES_MAX];
    hull_edge edge[HULL_EDGES_MAX];
    double direction[HULL_EDGES_MAX][3]; // unit
    int loop[2 * HULL_EDGES_MAX];
    double size; // m, of the point farthest from the origin
} hull;

typedef struct hull_point {
    double gap;      // m
    double point[3]; // m, half way between the two surfaces
    int id;          // the same from one look to the next while the same faces meet
} hull_point;

// The convex hull of 4 to HULL_POINTS_MAX points; points inside are left out. False: there are too
// many, or all lie in a plane.
bool hull_make(const double (*points)[3], int count, hull *out);
// The same, its points moved to centre + R point.
void hull_place(const hull *h, const double centre[3], const double R[9], hull *out);

// The gap, and the normal that separates them: unit, from b to a.
double hull_gap(const hull *a, const hull *b, double normal[3]);
// Where they touch or will: at least one point, the nearest; how many.
int hull_meet(const hull *a, const hull *b, double normal[3], hull_point out[HULL_MEET_MAX]);

// Whether the normal is that of a face of a, by the id of a point; below 0 it is of edges.
bool hull_id_of_first(int id);

// Of many points at most HULL_MEET_MAX, the deepest and those farthest from each other; how many.
int hull_reduce(hull_point *points, int count);
