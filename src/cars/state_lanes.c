// state_lanes.c - inputs into blocks and motions out of them, four cars at a time.
#include "cars/block_lanes.h"

_Static_assert(sizeof(mc_inputs) == 4 * sizeof(double), "a row of four");
_Static_assert(offsetof(mc_motion, a) == 6 * sizeof(double), "two rows of four that share v");

// A value of the first cars, at most four; behind the last: 0. See some_of in plan_lanes.c.
#define SOME_OF(in, field)                                                                         \
    ((lanes){(in)[0].field, count > 1 ? (in)[1].field : 0.0, count > 2 ? (in)[2].field : 0.0,      \
             count > 3 ? (in)[3].field : 0.0})

static inline int set_inputs(const car_batch *b, int first, lanes throttle, lanes asked_brake,
                             lanes steer, lanes acceleration)
{
    double *input = car_inputs(b, first);
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    const lanes brake = lanes_min(lanes_max(asked_brake, zero), one);
    lanes_store(input + CAR_BLOCK * INPUT_THROTTLE, lanes_min(lanes_max(throttle, zero), one));
    lanes_store(input + CAR_BLOCK * INPUT_STEER, steer);
    lanes_store(input + CAR_BLOCK * INPUT_DESIRED, acceleration);
    lanes_store(input + CAR_BLOCK * INPUT_BRAKE, brake);
    if (!b->powertrain)
        return 0;
    const double *constant = car_constants(b, first);
    const lanes delay = lanes_load(constant + CAR_BLOCK * CONSTANT_BRAKE_DELAY);
    const lanes under_way = lanes_load(input + CAR_BLOCK * INPUT_QUEUED);
    const lanes_mask waits = (lanes_mask)(delay > zero) | (lanes_mask)(under_way != zero);
    const lanes command = brake * lanes_load(constant + CAR_BLOCK * CONSTANT_BRAKE_MAX);
    double *now = input + CAR_BLOCK * INPUT_COMMAND;
    lanes_store(now, lanes_select(waits, lanes_load(now), command));
    return bits(waits);
}

#define FOUR_OF(in, field) ((lanes){(in)[0].field, (in)[1].field, (in)[2].field, (in)[3].field})

int LANES_NAME(car_set_four)(const car_batch *b, int first, int count, const mc_inputs *in)
{
    if (count >= LANES)
        return set_inputs(b, first, FOUR_OF(in, throttle), FOUR_OF(in, brake), FOUR_OF(in, steer),
                          FOUR_OF(in, acceleration));
    const int waits = set_inputs(b, first, SOME_OF(in, throttle), SOME_OF(in, brake),
                                 SOME_OF(in, steer), SOME_OF(in, acceleration));
    return waits & ((1 << count) - 1);
}

void LANES_NAME(car_motion_four)(const car_batch *b, int first, int count, mc_motion *out)
{
    const double *value = car_values(b, first);
    const lanes v = lanes_load(value + CAR_BLOCK * VALUE_U);
    lanes low[LANES] = {lanes_load(value + CAR_BLOCK * VALUE_X),
                        lanes_load(value + CAR_BLOCK * VALUE_Y),
                        lanes_load(value + CAR_BLOCK * VALUE_PSI), v};
    lanes high[LANES] = {v, lanes_load(value + CAR_BLOCK * VALUE_W),
                         lanes_load(value + CAR_BLOCK * VALUE_R),
                         lanes_load(value + CAR_BLOCK * VALUE_A)};
    lanes_turn(low);
    lanes_turn(high);
#pragma GCC unroll 4
    for (int l = 0; l < LANES && l < count; l++) {
        lanes_store_anywhere(&out[l].x, low[l]);
        lanes_store_anywhere(&out[l].v, high[l]);
    }
}
