// plan_lanes.c - what the actuators of some cars can do from here: nominal mass, level road.
#include "cars/batch.h"
#include "num/lanes.h"

#if defined LANES_WIDE
#include "parts/powertrain_built_in.h"
#define PLAN built_in_plan
#else
#define PLAN b->plan
#endif

static inline lanes constant(const double *constants, int which)
{
    return lanes_load(constants + CAR_BLOCK * which);
}

// Drag of eq 5 as a controller knows it: without the jump at 0.4 m/s.
static inline lanes known_drag(const double *constants, lanes v)
{
    const lanes speed = lanes_abs(v);
    const lanes drag = lanes_fma(lanes_fma(constant(constants, CONSTANT_DRAG_2), speed,
                                           constant(constants, CONSTANT_DRAG_1)),
                                 speed, constant(constants, CONSTANT_DRAG_0));
    const lanes fade =
        lanes_min(lanes_max(v * lanes_set(1.0 / SLOW), lanes_set(-1.0)), lanes_set(1.0));
    return drag * fade;
}

// Force with the throttle closed, from the tables of four cars.
static inline lanes coast_force(const car_batch *b, int first, lanes v)
{
    typedef int whole __attribute__((vector_size(4 * LANES)));
    const lanes last = lanes_set(COAST_POINTS - 1), at = v * lanes_set(1.0 / COAST_STEP);
    const lanes inside = lanes_min(lanes_max(at, lanes_set(0.0)), last);
    const whole k = __builtin_convertvector(lanes_min(inside, lanes_set(COAST_POINTS - 2)), whole);
    const int *place = b->coast_place + first;
    lanes low, high;
    for (int l = 0; l < LANES; l++) {
        const double *point = b->coast + (size_t)place[l] * COAST_POINTS + k[l];
        low[l] = point[0], high[l] = point[1];
    }
    return low + (inside - __builtin_convertvector(k, lanes)) * (high - low);
}

#if defined LANES_WIDE
// Eight numbers, of which four at a time were stored just now; see below.
static inline lanes some_of(const double *from, int count)
{
    (void)count;
    return (lanes)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(from)),
                                     _mm256_loadu_pd(from + 4), 1);
}
#else
// The first of up to four numbers; behind the last: 0. They were stored one by one, just now: one
// load of all would have to wait until they have arrived in the cache.
static inline lanes some_of(const double *from, int count)
{
    if (count >= LANES)
        return (lanes){from[0], from[1], from[2], from[3]};
    return (lanes){from[0], count > 1 ? from[1] : 0.0, count > 2 ? from[2] : 0.0, 0.0};
}
#endif

enum { PLAN_MAX = LANES > 4 ? CAR_PLAN_BLOCKS *CAR_BLOCK : CAR_PLAN_MAX };

void LANES_NAME(car_plan_block)(const car_batch *b, int first, int count, const double *desired,
                                mc_plan *out)
{
    _Alignas(64) double v[PLAN_MAX], force[PLAN_MAX], throttle[PLAN_MAX];
    _Alignas(64) double coast[PLAN_MAX], brake[PLAN_MAX];
    const double *p[PLAN_MAX / LANES];
    int g = 0;
    do {
        const int at = first + LANES * g;
        const double *constants = car_constants(b, at);
        const lanes want = some_of(desired + LANES * g, count - LANES * g);
        const lanes speed = lanes_load(car_values(b, at) + CAR_BLOCK * VALUE_U);
        const lanes drag = known_drag(constants, speed);
        const lanes mass = constant(constants, CONSTANT_NOMINAL);
        const lanes needed = lanes_fma(mass, want, drag);
        const lanes coasting = coast_force(b, at, speed);
        const lanes share = (coasting - needed) / constant(constants, CONSTANT_BRAKE_MAX);
        lanes_store(v + LANES * g, speed);
        lanes_store(force + LANES * g, needed);
        lanes_store(coast + LANES * g, (coasting - drag) / mass);
        lanes_store(brake + LANES * g, lanes_min(lanes_max(share, lanes_set(0.0)), lanes_set(1.0)));
        p[g] = car_engine_p(b, at);
    } while (LANES * ++g < count);
    PLAN(p, CAR_BLOCK, LANES * g, v, force, throttle);
    for (int l = 0; l < count; l++)
        out[l] = (mc_plan){throttle[l], brake[l], coast[l]};
}
