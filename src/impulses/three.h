// three.h - three numbers of a body as a vector of four lanes, for the *_lanes.c of this folder.
#pragma once

#include "num/lanes.h"

// Four numbers are readable there: the fourth is left out.
static inline lanes three(const double *a)
{
    const lanes zero = {0.0, 0.0, 0.0, 0.0};
#if LANES_FUSED
    return (lanes)_mm256_blend_pd((__m256d)lanes_load_anywhere(a), (__m256d)zero, 8);
#else
    return __builtin_shufflevector(lanes_load_anywhere(a), zero, 0, 1, 2, 4);
#endif
}

static inline void put_three(lanes a, double *out)
{
    out[0] = a[0], out[1] = a[1], out[2] = a[2];
}

static inline lanes turned(lanes a) // y z x
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

static inline double sum_of(lanes a) // of three; the fourth is zero
{
#if LANES_FUSED
    const __m128d half =
        _mm_add_pd(_mm256_castpd256_pd128((__m256d)a), _mm256_extractf128_pd((__m256d)a, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
#else
    return (a[0] + a[2]) + (a[1] + a[3]);
#endif
}

// c - a b: fused where the processor has it, two roundings where not.
static inline lanes minus(lanes a, lanes b, lanes c)
{
#if LANES_FUSED
    return (lanes)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return c - a * b;
#endif
}
