// vec.h - 3-vectors of single precision: places and directions of a picture, m.
#pragma once

#include <math.h>

typedef struct vec {
    float x, y, z;
} vec;

static inline vec vec_of(const float v[3])
{
    return (vec){v[0], v[1], v[2]};
}
static inline vec vec_add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec vec_sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vec vec_scale(vec a, float k)
{
    return (vec){k * a.x, k * a.y, k * a.z};
}
static inline vec vec_along(vec a, vec b, float k) // a + k b
{
    return (vec){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static inline vec vec_mix(vec a, vec b, float u)
{
    return (vec){a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z)};
}
static inline vec vec_times(vec a, vec b) // entry by entry
{
    return (vec){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline float vec_dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float vec_length(vec a)
{
    return sqrtf(vec_dot(a, a));
}
static inline vec vec_unit(vec a) // of the zero vector itself
{
    const float l = vec_length(a);
    return l > 0.0f ? vec_scale(a, 1.0f / l) : a;
}
static inline float clampf(float x, float low, float high)
{
    return fminf(fmaxf(x, low), high);
}
static inline float mixf(float a, float b, float u)
{
    return a + u * (b - a);
}
static inline float smoothf(float a, float b, float x) // 0 at a, 1 at b; b may be below a
{
    const float t = clampf((x - a) / (b - a), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}
