// camera.h - from places of the picture to its pixels.
//
// The picture's axes: x forward, y left, z up, m. Pixels: x to the right, y down, from the upper
// left corner of the picture; their corners are whole numbers.
#pragma once

#include "render/vec.h"

#include <stdbool.h>

typedef struct camera {
    vec eye;
    vec right, up, forward; // unit
    float scale;            // px per m at a distance of 1 m
    float near;             // m
    int width, height;      // px
} camera;

// fov: rad, of the height of the picture. Looking straight up or down, x is up in the picture.
camera camera_look(vec eye, vec at, float fov, int width, int height);

// Homogeneous pixels: divided by the depth they are pixels.
typedef struct camera_point {
    double x, y, depth; // depth: m ahead of the eye
} camera_point;
static inline camera_point camera_project(const camera *c, vec p)
{
    const vec d = vec_sub(p, c->eye);
    const double ahead = (double)vec_dot(d, c->forward);
    return (camera_point){0.5 * c->width * ahead + (double)(c->scale * vec_dot(d, c->right)),
                          0.5 * c->height * ahead - (double)(c->scale * vec_dot(d, c->up)), ahead};
}

// To pixels; false: it is not in front of the camera.
bool camera_pixel(const camera *c, vec p, double *x, double *y);
// The direction of a pixel, with a component of 1 forward: depth times it is the place.
vec camera_ray(const camera *c, float x, float y);
