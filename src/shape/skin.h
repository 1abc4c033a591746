// skin.h - triangles: the skin of a part, for its outline, its area and pictures; and, if closed,
// its volume.
#pragma once

#include "base/arena.h"
#include "shape/moments.h"

#include <stdbool.h>

typedef struct concept_mesh {
    arena *memory;
    double (*triangle)[9]; // three corners, counter-clockwise from outside
    int count, room;
    bool failed; // no memory
} concept_mesh;

void skin_triangle(concept_mesh *m, const double a[3], const double b[3], const double c[3]);
void skin_quad(concept_mesh *m, const double a[3], const double b[3], const double c[3],
               const double d[3]);
void skin_move(concept_mesh *m, const concept_pose *pose);
void skin_mirror(concept_mesh *m); // y becomes -y, still counter-clockwise
void skin_bounds(const concept_mesh *m, double low[3], double high[3]); // widens the two
double skin_area(const concept_mesh *m);

// Volume moments of what closed triangles enclose, by signed tetrahedra from the origin:
// int over tetrahedron (0, a, b, c) with D = a . (b x c): D/6, D/24 s, D/120 (s s' + a a' + b b' +
// c c'), s = a + b + c. Exact.
concept_moments skin_moments(const concept_mesh *m);
