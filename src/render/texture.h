// texture.h - square pictures of four channels of 8 bits, with smaller copies for what is far away.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { TEXTURE_LEVELS = 12 };

typedef struct texture {
    int size; // px, a power of two
    int level_count;
    bool repeat; // else the edge continues
    uint8_t *level[TEXTURE_LEVELS];
} texture;

// Room for all levels, of which the first is to be filled; false: no memory.
bool texture_make(arena *a, int size, bool repeat, texture *out);
void texture_shrink(texture *t); // fills the other levels

// Four channels 0 .. 1 at (u, v), v upwards. footprint: size of a pixel of the picture in the
// texture, in units of (u, v); smooth between texels and between levels.
void texture_at(const texture *t, float u, float v, float footprint, float out[4]);
