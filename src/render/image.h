// image.h - a scene as pixels.
#pragma once

#include "motorcade/status.h"
#include "render/scene.h"

#include <stdint.h>

typedef struct image {
    int width, height;
    uint32_t *pixel; // 0xffRRGGBB, rows from above
    float *depth;    // m ahead of the eye, of what is nearest in a pixel; HUGE_VALF: the sky
} image;

// threads: 0 takes one per core; the same bits for any number.
mc_status image_draw(const scene *s, int threads, image *out, mc_error *error);
void image_free(image *m);
mc_status image_write_png(const image *m, const char *path, mc_error *error);
