// material.h - what a surface is like at a place: colour, roughness, lamps.
//
// The studio's materials (web/src/scene3d/paintshader.ts, roadshader.ts) in C: sheets of bodies,
// asphalt and paint of the road, grass.
#pragma once

#include "render/scene.h"

typedef struct fragment { // a place on a triangle
    const scene_draw *draw;
    vec place;         // m, in the picture
    vec local, upward; // in the mesh: place and normal
    bool behind;       // its back is seen
    float uv[2], extra[4];
    float uv_x[2], uv_y[2]; // change to the next pixel to the right, below
    float extra_x[4], extra_y[4];
} fragment;

typedef struct surface {
    vec albedo, emitted; // linear
    float roughness, metalness, coat;
} surface;

void material_at(const scene *s, const fragment *f, surface *out);
// Colour of a studio's floor, sRGB; sun: share of the sun that reaches it.
vec material_floor(const scene *s, const fragment *f, float sun);
// Soft things: colour to be added (sRGB) and share of what is behind that is left.
void material_soft(const scene *s, const fragment *f, float distance, vec *added, float *left);
