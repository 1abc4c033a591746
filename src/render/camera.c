// camera.c - see camera.h.
#include "render/camera.h"

camera camera_look(vec eye, vec at, float fov, int width, int height)
{
    camera c = {.eye = eye, .near = 0.05f, .width = width, .height = height};
    c.forward = vec_unit(vec_sub(at, eye));
    if (!(vec_length(c.forward) > 0.0f))
        c.forward = (vec){1.0f, 0.0f, 0.0f};
    const float flat = hypotf(c.forward.x, c.forward.y);
    c.right = flat > 1e-4f ? (vec){c.forward.y / flat, -c.forward.x / flat, 0.0f}
                           : (vec){0.0f, -1.0f, 0.0f};
    c.up = vec_cross(c.right, c.forward);
    c.scale = 0.5f * (float)height / tanf(0.5f * fov);
    return c;
}

bool camera_pixel(const camera *c, vec p, double *x, double *y)
{
    const camera_point q = camera_project(c, p);
    if (!(q.depth > (double)c->near))
        return false;
    *x = q.x / q.depth;
    *y = q.y / q.depth;
    return true;
}

vec camera_ray(const camera *c, float x, float y)
{
    const float a = (x - 0.5f * (float)c->width) / c->scale;
    const float b = (0.5f * (float)c->height - y) / c->scale;
    return vec_add(c->forward, vec_add(vec_scale(c->right, a), vec_scale(c->up, b)));
}
