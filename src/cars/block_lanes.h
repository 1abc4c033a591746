// block_lanes.h - reading and writing blocks of cars in lanes, for the steps.
#pragma once

#include "cars/batch.h"
#include "num/lanes.h"

#include <stddef.h>

enum { WIDE = CAR_BLOCK / LANES };

// Steps are built several times, for blocks of different needs; what does not apply must vanish.
#define INLINE static inline __attribute__((always_inline))

static inline lanes constant(const car_kernel *k, int which, int g)
{
    return lanes_load(k->constants + CAR_BLOCK * which + LANES * g);
}

static inline lanes input(const car_kernel *k, int which, int g)
{
    return lanes_load(k->inputs + CAR_BLOCK * which + LANES * g);
}

static inline lanes value(const double *block, int which, int g)
{
    return lanes_load(block + CAR_BLOCK * which + LANES * g);
}

static inline void put(double *block, int which, int g, lanes a)
{
    lanes_store(block + CAR_BLOCK * which + LANES * g, a);
}

// Steps of four cars.
INLINE lanes step_length(const car_kernel *k, int g)
{
    if (k->each)
        return lanes_load(k->own + LANES * g);
    static const _Alignas(64) double place[CAR_BLOCK] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    const lanes at = lanes_load(place + LANES * g);
    return lanes_select((lanes_mask)(at < lanes_set(k->cars)), lanes_set(k->h), lanes_set(0.0));
}

INLINE void put_sum(const double *from, double *to, int which, int g, lanes h, lanes sum)
{
    put(to, which, g, lanes_fma(h, sum, value(from, which, g)));
}

// What has died out is set to 0; otherwise it would keep halving down to denormals.
INLINE lanes settled(lanes a, double min)
{
    return lanes_select((lanes_mask)(lanes_abs(a) > lanes_set(min)), a, lanes_set(0.0));
}

static inline int bits(lanes_mask m)
{
    return lanes_bits(m);
}

static inline void car_kernel_hold(car_kernel *k)
{
    if (!k->has_held)
        k->hold(k->p, CAR_BLOCK, k->inputs + CAR_BLOCK * INPUT_THROTTLE, k->held);
    k->has_held = true;
}
