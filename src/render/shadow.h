// shadow.h - what the sun does not reach: the scene seen from the sun, in a square about a point.
#pragma once

#include "base/pool.h"
#include "render/scene.h"

typedef struct shadow {
    int size;   // texels
    float half; // m, of the square
    vec centre, right, up, towards;
    float *value; // m towards the sun, of what is nearest to it
} shadow;

// false: no memory. The pool may be NULL.
bool shadow_make(const scene *s, vec centre, float half, int size, pool *threads, shadow *out);
void shadow_free(shadow *m);

// Share of the sun that reaches a place, 0 .. 1; negative: the place is outside of the square.
float shadow_at(const shadow *m, vec p, vec normal);
