// plan_lanes.c - what the actuators of eight cars can do from here: nominal mass, level road.
#include "cars/batch.h"
#include "num/lanes.h"

static inline lanes constant(const double *constants, int which, int g)
{
    return lanes_load(constants + CAR_BLOCK * which + LANES * g);
}

// Drag of eq 5 as a controller knows it: without the jump at 0.4 m/s.
static inline lanes known_drag(const double *constants, int g, lanes v)
{
    const lanes speed = lanes_abs(v);
    const lanes drag = lanes_fma(lanes_fma(constant(constants, CONSTANT_DRAG_2, g), speed,
                                           constant(constants, CONSTANT_DRAG_1, g)),
                                 speed, constant(constants, CONSTANT_DRAG_0, g));
    const lanes fade =
        lanes_min(lanes_max(v * lanes_set(1.0 / SLOW), lanes_set(-1.0)), lanes_set(1.0));
    return drag * fade;
}

static double coast_force(const car_batch *b, int i, double v)
{
    const double *table = b->coast + (size_t)b->coast_place[i] * COAST_POINTS;
    const double last = COAST_POINTS - 1, at = v * (1.0 / COAST_STEP);
    const double inside = at > 0.0 ? at < last ? at : last : 0.0;
    const int k = inside < last ? (int)inside : COAST_POINTS - 2;
    return table[k] + (inside - k) * (table[k + 1] - table[k]);
}

void LANES_NAME(car_plan_block)(const car_batch *b, int first, const double *wanted, mc_plan *out)
{
    _Alignas(32) double v[CAR_BLOCK], force[CAR_BLOCK], throttle[CAR_BLOCK], closed[CAR_BLOCK];
    _Alignas(32) double coast[CAR_BLOCK], brake[CAR_BLOCK];
    const double *constants = car_place(b->constants, CONSTANT_COUNT, first);
    const double *values = car_values(b, first);
    for (int l = 0; l < CAR_BLOCK; l++) {
        v[l] = values[CAR_BLOCK * VALUE_U + l];
        closed[l] = coast_force(b, first + l, v[l]);
    }
    for (int g = 0; g < CAR_BLOCK / LANES; g++) {
        const double *w = wanted + LANES * g;
        const lanes want = {w[0], w[1], w[2], w[3]};
        const lanes drag = known_drag(constants, g, lanes_load(v + LANES * g));
        const lanes mass = constant(constants, CONSTANT_NOMINAL, g);
        const lanes needed = lanes_fma(mass, want, drag);
        const lanes least = lanes_load(closed + LANES * g);
        const lanes share = (least - needed) / constant(constants, CONSTANT_BRAKE_MOST, g);
        lanes_store(force + LANES * g, needed);
        lanes_store(coast + LANES * g, (least - drag) / mass);
        lanes_store(brake + LANES * g, lanes_min(lanes_max(share, lanes_set(0.0)), lanes_set(1.0)));
    }
    b->plan(car_place(b->p, b->powertrain->param_count, first), CAR_BLOCK, v, force, throttle);
    for (int l = 0; l < CAR_BLOCK; l++)
        out[l] = (mc_plan){throttle[l], brake[l], coast[l]};
}
