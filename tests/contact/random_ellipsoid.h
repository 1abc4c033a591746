// random_ellipsoid.h - random ellipsoids for the tests of contact, the same on every machine.
#pragma once

#include "contact/ellipsoid.h"
#include "num/vec3.h"

#include <stdint.h>

// The sanitizers slow a test down some twenty times; there it takes fewer cases.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

// splitmix64, public domain, by Sebastiano Vigna.
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Uniform in [low, high).
static inline double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * 0x1p-53 * (double)(random_bits(state) >> 11);
}

// Uniform in the unit ball by rejection, put on the sphere. No trigonometry: the same bits with
// every C library.
static inline void random_unit(uint64_t *state, double out[3])
{
    double square;
    do {
        for (int i = 0; i < 3; i++)
            out[i] = random_between(state, -1.0, 1.0);
        square = vec3_dot(out, out);
    } while (square > 1.0 || square < 1e-4);
    for (int i = 0; i < 3; i++)
        out[i] /= sqrt(square);
}

// A rotation from an orthonormal frame of two random vectors.
static inline void random_rotation(uint64_t *state, double out[9])
{
    double x[3], y[3], z[3];
    random_unit(state, x);
    do {
        random_unit(state, y);
        vec3_cross(x, y, z);
    } while (vec3_norm(z) < 0.1);
    const double scale = 1.0 / vec3_norm(z);
    for (int i = 0; i < 3; i++)
        z[i] *= scale;
    vec3_cross(z, x, y);
    for (int i = 0; i < 3; i++)
        out[3 * i] = x[i], out[3 * i + 1] = y[i], out[3 * i + 2] = z[i];
}

// axes = deformation * rotation * diag(semi_axes); without shear the deformation is the identity.
static inline void random_axes(uint64_t *state, const double semi_axes[3], double shear,
                               double axes[9])
{
    double rotation[9], deformation[9];
    random_rotation(state, rotation);
    for (int i = 0; i < 9; i++) {
        rotation[i] *= semi_axes[i % 3];
        deformation[i] = (i % 4 == 0) + random_between(state, -shear, shear);
    }
    mat3_mul(deformation, rotation, axes);
}
