// mesh.h - triangles with what their corners carry: from the look, or collected corner by corner.
#pragma once

#include "base/arena.h"
#include "render/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct mesh_corner {
    vec position, normal;
    float uv[2];
    float extra[4]; // what the material reads: render/material.h
} mesh_corner;

typedef struct mesh {
    int corner_count, triangle_count;
    mesh_corner *corner;
    uint32_t *index; // three per triangle, against the clock seen from outside
    int corner_room, index_room;
    bool failed;  // no memory: what was added since is missing
    float radius; // m, about the origin; of mesh_close
} mesh;

int mesh_add(mesh *m, const mesh_corner *c); // its number
void mesh_triangle(mesh *m, int a, int b, int c);
void mesh_quad(mesh *m, int a, int b, int c, int d);
// Normals of all corners from the triangles around them, weighted by area.
void mesh_smooth(mesh *m);
// After the last triangle: false when memory ran out.
bool mesh_close(mesh *m);
void mesh_free(mesh *m);

// A mesh of the look, by name; false: no memory.
bool mesh_from_look(const char *name, mesh *out);

// Simple shapes, added to a mesh. extra goes into every corner; m may turn and move them: three
// rows of four. NULL: as they are.
void mesh_box(mesh *m, const float size[3], const float place[12], const float extra[4]);
// About z, between z = 0 and 1; the radius at both ends; closed at the ends.
void mesh_cylinder(mesh *m, float r0, float r1, int sides, const float place[12],
                   const float extra[4]);
void mesh_ball(mesh *m, float radius, int sides, const float place[12], const float extra[4]);
// A spring about z between z = 0 and 1 with this radius and this thickness of its wire, along z
// of a spring that is `length` long.
void mesh_coil(mesh *m, float radius, float wire, float length, int turns, const float place[12],
               const float extra[4]);
