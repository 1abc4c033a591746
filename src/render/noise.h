// noise.h - repeatable randomness: the same numbers as those of the page
// (web/src/scene3d/noise.ts), so that hills and trees of a picture stand where those of the studio
// stand.
#pragma once

#include "base/arena.h"

#include <stdint.h>

// A stream of numbers 0 .. 1 (mulberry32).
typedef struct noise_stream {
    uint32_t state;
} noise_stream;
double noise_next(noise_stream *s);

// Sum of octaves of value noise, whose lattice repeats over the unit square. 0 .. 1.
enum { NOISE_OCTAVES_MAX = 5 };
typedef struct noise_field {
    int octaves;
    int cells[NOISE_OCTAVES_MAX];
    const float *lattice[NOISE_OCTAVES_MAX];
} noise_field;

// false: no memory. One octave is plain value noise.
int noise_make(arena *a, uint32_t seed, int cells, int octaves, noise_field *out);
float noise_at(const noise_field *f, double u, double v);
