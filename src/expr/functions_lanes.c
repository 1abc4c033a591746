// functions_lanes.c - the functions of function.h over arrays, from SLEEF's reproducible family.
//
// Four values at a time; what is left over is padded with 0.5, which is in the domain of all of
// them. The variants within 1 unit in the last place are taken (hypot: 0.5): they cost 10 to 50 ns
// for four values.
#include "expr/functions_lanes.h"
#include "num/lanes.h"

typedef struct lanes_pair {
    lanes first, second;
} lanes_pair;

#if defined LANES_WIDE

#define ONE(name)                                                                                  \
    static inline lanes four_##name(lanes a)                                                       \
    {                                                                                              \
        return (lanes)Sleef_finz_##name##d8_u10avx512f((__m512d)a);                                \
    }
#define TWO(name, accuracy)                                                                        \
    static inline lanes four_##name(lanes a, lanes b)                                              \
    {                                                                                              \
        return (lanes)Sleef_finz_##name##d8_##accuracy##avx512f((__m512d)a, (__m512d)b);           \
    }

static inline lanes_pair four_sincos(lanes a)
{
    const Sleef___m512d_2 both = Sleef_finz_sincosd8_u10avx512f((__m512d)a);
    return (lanes_pair){(lanes)both.x, (lanes)both.y};
}

#elif LANES_FUSED

#define ONE(name)                                                                                  \
    static inline lanes four_##name(lanes a)                                                       \
    {                                                                                              \
        return (lanes)Sleef_finz_##name##d4_u10avx2((__m256d)a);                                   \
    }
#define TWO(name, accuracy)                                                                        \
    static inline lanes four_##name(lanes a, lanes b)                                              \
    {                                                                                              \
        return (lanes)Sleef_finz_##name##d4_##accuracy##avx2((__m256d)a, (__m256d)b);              \
    }

static inline lanes_pair four_sincos(lanes a)
{
    const Sleef___m256d_2 both = Sleef_finz_sincosd4_u10avx2((__m256d)a);
    return (lanes_pair){(lanes)both.x, (lanes)both.y};
}

#elif defined __x86_64__

static inline __m128d low_half(lanes a)
{
    return (__m128d){a[0], a[1]};
}

static inline __m128d high_half(lanes a)
{
    return (__m128d){a[2], a[3]};
}

static inline lanes join(__m128d low, __m128d high)
{
    return (lanes){low[0], low[1], high[0], high[1]};
}

#define ONE(name)                                                                                  \
    static inline lanes four_##name(lanes a)                                                       \
    {                                                                                              \
        return join(Sleef_cinz_##name##d2_u10sse2(low_half(a)),                                    \
                    Sleef_cinz_##name##d2_u10sse2(high_half(a)));                                  \
    }
#define TWO(name, accuracy)                                                                        \
    static inline lanes four_##name(lanes a, lanes b)                                              \
    {                                                                                              \
        return join(Sleef_cinz_##name##d2_##accuracy##sse2(low_half(a), low_half(b)),              \
                    Sleef_cinz_##name##d2_##accuracy##sse2(high_half(a), high_half(b)));           \
    }

static inline lanes_pair four_sincos(lanes a)
{
    const Sleef___m128d_2 low = Sleef_cinz_sincosd2_u10sse2(low_half(a));
    const Sleef___m128d_2 high = Sleef_cinz_sincosd2_u10sse2(high_half(a));
    return (lanes_pair){join(low.x, high.x), join(low.y, high.y)};
}

#else

#define ONE(name)                                                                                  \
    static inline lanes four_##name(lanes a)                                                       \
    {                                                                                              \
        lanes y;                                                                                   \
        for (int i = 0; i < LANES; i++)                                                            \
            y[i] = Sleef_cinz_##name##d1_u10purec(a[i]);                                           \
        return y;                                                                                  \
    }
#define TWO(name, accuracy)                                                                        \
    static inline lanes four_##name(lanes a, lanes b)                                              \
    {                                                                                              \
        lanes y;                                                                                   \
        for (int i = 0; i < LANES; i++)                                                            \
            y[i] = Sleef_cinz_##name##d1_##accuracy##purec(a[i], b[i]);                            \
        return y;                                                                                  \
    }

static inline lanes_pair four_sincos(lanes a)
{
    lanes_pair y;
    for (int i = 0; i < LANES; i++) {
        const Sleef_double_2 both = Sleef_cinz_sincosd1_u10purec(a[i]);
        y.first[i] = both.x;
        y.second[i] = both.y;
    }
    return y;
}

#endif

// count < LANES: the first values only, the rest of the vector is 0.5 and is not stored.
static inline lanes load(const double *a, int count)
{
    lanes v = lanes_set(0.5);
    if (count >= LANES) {
        memcpy(&v, a, sizeof v);
    } else {
        for (int i = 0; i < count; i++)
            v[i] = a[i];
    }
    return v;
}

static inline void store(double *y, lanes v, int count)
{
    if (count >= LANES) {
        memcpy(y, &v, sizeof v);
    } else {
        for (int i = 0; i < count; i++)
            y[i] = v[i];
    }
}

#define ARRAY_ONE(name)                                                                            \
    ONE(name)                                                                                      \
    static void array_##name(int n, const double *a, double *y)                                    \
    {                                                                                              \
        for (int i = 0; i < n; i += LANES)                                                         \
            store(y + i, four_##name(load(a + i, n - i)), n - i);                                  \
    }
#define ARRAY_TWO(name, accuracy)                                                                  \
    TWO(name, accuracy)                                                                            \
    static void array_##name(int n, const double *a, const double *b, double *y)                   \
    {                                                                                              \
        for (int i = 0; i < n; i += LANES)                                                         \
            store(y + i, four_##name(load(a + i, n - i), load(b + i, n - i)), n - i);              \
    }

ARRAY_ONE(tan)
ARRAY_ONE(asin)
ARRAY_ONE(acos)
ARRAY_ONE(atan)
ARRAY_ONE(sinh)
ARRAY_ONE(cosh)
ARRAY_ONE(tanh)
ARRAY_ONE(exp)
ARRAY_ONE(log)
ARRAY_ONE(log10)
ARRAY_TWO(atan2, u10)
ARRAY_TWO(pow, u10)
ARRAY_TWO(hypot, u05)

static void array_sincos(int n, const double *a, double *y, double *z)
{
    for (int i = 0; i < n; i += LANES) {
        const lanes_pair both = four_sincos(load(a + i, n - i));
        store(y + i, both.first, n - i);
        store(z + i, both.second, n - i);
    }
}

const expr_functions LANES_NAME(expr_functions) = {
    .sincos = array_sincos,
    .tan = array_tan,
    .asin = array_asin,
    .acos = array_acos,
    .atan = array_atan,
    .sinh = array_sinh,
    .cosh = array_cosh,
    .tanh = array_tanh,
    .exp = array_exp,
    .log = array_log,
    .log10 = array_log10,
    .atan2 = array_atan2,
    .pow = array_pow,
    .hypot = array_hypot,
};
