// lanes.h - four doubles that move together: one for each of four vehicles (or wheels). Eight where
// LANES_WIDE is set, for kernels that are also built with AVX-512: cpu_is_wide() (base/wide.h).
//
// Plain arithmetic is written with + - * /; the compiler turns it into vector instructions. What
// has no operator is here. Every operation acts on each lane alone, so a lane's result depends
// neither on its place nor on its neighbours.
//
// Files that include this header are named *_lanes.c and are built once per processor level with
// LANES_VARIANT set; their visible functions are named with LANES_NAME().
#pragma once

#include <math.h>
#include <string.h>
#if defined __AVX2__ && defined __FMA__
#include <immintrin.h>
#include <sleef.h>
#define LANES_FUSED 1
#else
#define LANES_FUSED 0
#if defined __x86_64__
#include <emmintrin.h>
#endif
#include <sleef.h>
#endif

#if defined LANES_WIDE
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef long long lanes_mask __attribute__((vector_size(8 * LANES))); // all ones: true

#define LANES_PASTE_(a, b) a##_##b
#define LANES_PASTE(a, b) LANES_PASTE_(a, b)
#define LANES_NAME(name) LANES_PASTE(name, LANES_VARIANT)

// Numbers below 1e-308 become 0 between begin and end: a slip angle that has died out would
// otherwise slow every operation it takes part in. Keep what begin returns and give it to end.
static inline unsigned lanes_flush_begin(void)
{
#if defined __x86_64__
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040); // flush results and operands
    return before;
#else
    return 0;
#endif
}

static inline void lanes_flush_end(unsigned before)
{
#if defined __x86_64__
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

static inline lanes lanes_set(double a)
{
#if defined LANES_WIDE
    return (lanes){a, a, a, a, a, a, a, a};
#else
    return (lanes){a, a, a, a};
#endif
}

static inline lanes lanes_load(const double *p) // p aligned to the size of lanes
{
    return *(const lanes *)(const void *)p;
}

static inline void lanes_store(double *p, lanes a) // p aligned to the size of lanes
{
    *(lanes *)(void *)p = a;
}

// The same for any p.
typedef lanes lanes_anywhere __attribute__((aligned(8), may_alias));

static inline lanes lanes_load_anywhere(const double *p)
{
    return *(const lanes_anywhere *)(const void *)p;
}

static inline void lanes_store_anywhere(double *p, lanes a)
{
    *(lanes_anywhere *)(void *)p = a;
}

// a b + c: fused where the processor has it, two roundings where not.
static inline lanes lanes_fma(lanes a, lanes b, lanes c)
{
#if defined LANES_WIDE
    return (lanes)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif LANES_FUSED
    return (lanes)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return a * b + c;
#endif
}

static inline lanes lanes_select(lanes_mask m, lanes yes, lanes no)
{
#if LANES_FUSED && !defined LANES_WIDE
    return (lanes)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)m);
#else
    return (lanes)((m & (lanes_mask)yes) | (~m & (lanes_mask)no));
#endif
}

static inline lanes lanes_max(lanes a, lanes b) // a > b ? a : b
{
#if defined LANES_WIDE
    return (lanes)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif LANES_FUSED
    return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return lanes_select(a > b, a, b);
#endif
}

static inline lanes lanes_min(lanes a, lanes b) // a < b ? a : b
{
#if defined LANES_WIDE
    return (lanes)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif LANES_FUSED
    return (lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return lanes_select(a < b, a, b);
#endif
}

static inline lanes lanes_abs(lanes a)
{
    return (lanes)((lanes_mask)a & 0x7fffffffffffffff);
}

static inline lanes lanes_sqrt(lanes a)
{
#if defined LANES_WIDE
    return (lanes)_mm512_sqrt_pd((__m512d)a);
#elif LANES_FUSED
    return (lanes)_mm256_sqrt_pd((__m256d)a);
#else
    return (lanes){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

// Bit l: lane l is true.
static inline int lanes_bits(lanes_mask m)
{
#if defined LANES_WIDE
    return (int)_mm512_movepi64_mask((__m512i)m);
#elif LANES_FUSED
    return _mm256_movemask_pd((__m256d)m);
#else
    return (m[0] != 0) | (m[1] != 0) << 1 | (m[2] != 0) << 2 | (m[3] != 0) << 3;
#endif
}

#if !defined LANES_WIDE
// Rows become columns.
static inline void lanes_turn(lanes a[LANES])
{
    const lanes low = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6);
    const lanes high = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    const lanes low_2 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6);
    const lanes high_2 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    a[0] = __builtin_shufflevector(low, low_2, 0, 1, 4, 5);
    a[1] = __builtin_shufflevector(high, high_2, 0, 1, 4, 5);
    a[2] = __builtin_shufflevector(low, low_2, 2, 3, 6, 7);
    a[3] = __builtin_shufflevector(high, high_2, 2, 3, 6, 7);
}
#endif

// Entries k and k + 1 of a table, k the whole part of 0 <= at < 2^31. Returns k.
static inline lanes lanes_pick(const double *table, lanes at, lanes *low, lanes *high)
{
    typedef int whole __attribute__((vector_size(4 * LANES)));
    const whole k = __builtin_convertvector(at, whole);
#if defined LANES_WIDE
    *low = (lanes){table[k[0]], table[k[1]], table[k[2]], table[k[3]],
                   table[k[4]], table[k[5]], table[k[6]], table[k[7]]};
    *high = (lanes){table[k[0] + 1], table[k[1] + 1], table[k[2] + 1], table[k[3] + 1],
                    table[k[4] + 1], table[k[5] + 1], table[k[6] + 1], table[k[7] + 1]};
#else
    *low = (lanes){table[k[0]], table[k[1]], table[k[2]], table[k[3]]};
    *high = (lanes){table[k[0] + 1], table[k[1] + 1], table[k[2] + 1], table[k[3] + 1]};
#endif
    return __builtin_convertvector(k, lanes);
}

// SLEEF's reproducible family: the same bits in every lane and at every width; within 3.5 units in
// the last place.
static inline lanes lanes_atan(lanes x)
{
#if defined LANES_WIDE
    return (lanes)Sleef_finz_atand8_u35avx512f((__m512d)x);
#elif LANES_FUSED
    return (lanes)Sleef_finz_atand4_u35avx2((__m256d)x);
#elif defined __x86_64__
    const __m128d low = Sleef_cinz_atand2_u35sse2((__m128d){x[0], x[1]});
    const __m128d high = Sleef_cinz_atand2_u35sse2((__m128d){x[2], x[3]});
    return (lanes){low[0], low[1], high[0], high[1]};
#else
    lanes out;
    for (int i = 0; i < LANES; i++)
        out[i] = Sleef_cinz_atand1_u35purec(x[i]);
    return out;
#endif
}

static inline lanes lanes_exp(lanes x) // within 1 unit in the last place
{
#if defined LANES_WIDE
    return (lanes)Sleef_finz_expd8_u10avx512f((__m512d)x);
#elif LANES_FUSED
    return (lanes)Sleef_finz_expd4_u10avx2((__m256d)x);
#elif defined __x86_64__
    const __m128d low = Sleef_cinz_expd2_u10sse2((__m128d){x[0], x[1]});
    const __m128d high = Sleef_cinz_expd2_u10sse2((__m128d){x[2], x[3]});
    return (lanes){low[0], low[1], high[0], high[1]};
#else
    lanes out;
    for (int i = 0; i < LANES; i++)
        out[i] = Sleef_cinz_expd1_u10purec(x[i]);
    return out;
#endif
}

static inline void lanes_sincos(lanes x, lanes *sine, lanes *cosine)
{
#if defined LANES_WIDE
    const Sleef___m512d_2 both = Sleef_finz_sincosd8_u35avx512f((__m512d)x);
    *sine = (lanes)both.x;
    *cosine = (lanes)both.y;
#elif LANES_FUSED
    const Sleef___m256d_2 both = Sleef_finz_sincosd4_u35avx2((__m256d)x);
    *sine = (lanes)both.x;
    *cosine = (lanes)both.y;
#elif defined __x86_64__
    const Sleef___m128d_2 low = Sleef_cinz_sincosd2_u35sse2((__m128d){x[0], x[1]});
    const Sleef___m128d_2 high = Sleef_cinz_sincosd2_u35sse2((__m128d){x[2], x[3]});
    *sine = (lanes){low.x[0], low.x[1], high.x[0], high.x[1]};
    *cosine = (lanes){low.y[0], low.y[1], high.y[0], high.y[1]};
#else
    for (int i = 0; i < LANES; i++) {
        const Sleef_double_2 both = Sleef_cinz_sincosd1_u35purec(x[i]);
        (*sine)[i] = both.x;
        (*cosine)[i] = both.y;
    }
#endif
}
