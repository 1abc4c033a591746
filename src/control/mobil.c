// mobil.c - room and advantage of a lane change; see mobil.h.
#include "control/mobil.h"

#include "num/minmax.h"

#include <math.h>

static const double ACCELERATION = 1.5; // m/s^2, a of the model
static const double COMFORT = 2.0;      // m/s^2, b of the model
static const double CLOSEST = 0.1;      // m, gaps below count as this

double mobil_acceleration(const mobil_car *car, double gap, double v_front)
{
    const double v = num_max(car->v, 0.0), set = num_max(car->v_set, 0.1);
    const double share = v / set, square = share * share;
    const double free = 1.0 - square * square;
    if (gap >= MOBIL_NO_CAR)
        return ACCELERATION * free;
    const double closing = v * (v - v_front) / (2.0 * sqrt(ACCELERATION * COMFORT));
    const double desired = car->distance + num_max(0.0, car->headway * v + closing);
    const double ratio = desired / num_max(gap, CLOSEST);
    return ACCELERATION * (free - ratio * ratio);
}

// From which gap a car can stop behind one that brakes as hard.
static double needed(const double *p, double v, double v_front)
{
    return v * p[LANE_CHANGE_REACTION] +
           num_max(0.0, v * v - v_front * v_front) / (2.0 * p[LANE_CHANGE_SAFE_BRAKING]);
}

bool mobil_is_safe(const double *p, const mobil_car *car, const mobil_gap *into)
{
    const double least = -p[LANE_CHANGE_SAFE_BRAKING];
    if (into->front < MOBIL_NO_CAR && (into->front < needed(p, car->v, into->v_front) ||
                                       mobil_acceleration(car, into->front, into->v_front) < least))
        return false;
    return into->rear >= MOBIL_NO_CAR ||
           (into->rear >= needed(p, into->behind->v, car->v) &&
            mobil_acceleration(into->behind, into->rear, car->v) >= least);
}

// By how much a follower gains when the car in front of it leaves, or comes between.
static double gain_behind(const mobil_gap *gap, const mobil_car *car, bool leaves)
{
    if (gap->rear >= MOBIL_NO_CAR)
        return 0.0;
    const bool alone = gap->front >= MOBIL_NO_CAR;
    const double open = alone ? MOBIL_NO_CAR : gap->rear + car->length + gap->front;
    const double without = mobil_acceleration(gap->behind, open, gap->v_front);
    const double with = mobil_acceleration(gap->behind, gap->rear, car->v);
    return leaves ? without - with : with - without;
}

mobil_stay mobil_stay_in(const mobil_car *car, const mobil_gap *from)
{
    return (mobil_stay){mobil_acceleration(car, from->front, from->v_front),
                        gain_behind(from, car, true)};
}

double mobil_advantage(const double *p, const mobil_car *car, const mobil_stay *stay,
                       const mobil_gap *into, int side)
{
    const double own = mobil_acceleration(car, into->front, into->v_front) - stay->own;
    const double others = gain_behind(into, car, false) + stay->behind;
    return own + p[LANE_CHANGE_POLITENESS] * others - p[LANE_CHANGE_THRESHOLD] +
           (side > 0 ? p[LANE_CHANGE_KEEP_RIGHT] : -p[LANE_CHANGE_KEEP_RIGHT]);
}
