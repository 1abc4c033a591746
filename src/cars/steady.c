// steady.c - all steady speeds of a car: scan for changes of sign, then bisect.
#include "cars/steady.h"

#include "base/assert.h"
#include "cars/batch.h"

static const double SCAN = 0.05; // m/s; crossings closer than that come in pairs and are missed

static double drag_at(const car *c, double v)
{
    const double *p = c->p;
    const double at_slow = p[CAR_DRAG_0] + SLOW * (p[CAR_DRAG_1] + SLOW * p[CAR_DRAG_2]);
    if (v > SLOW)
        return p[CAR_DRAG_0] + v * (p[CAR_DRAG_1] + v * p[CAR_DRAG_2]);
    return v * (p[CAR_DRAG_CONTINUOUS] > 0.5 ? at_slow / SLOW : 500.1);
}

static double surplus(const car *c, double throttle, double v) // N
{
    return powertrain_steady_force(c->powertrain, c->powertrain_p, v, throttle) - drag_at(c, v);
}

static double bisect(const car *c, double throttle, double low, double high, bool falls)
{
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if ((surplus(c, throttle, middle) > 0.0) == falls)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static car_steady describe(const car *c, double throttle, double v, bool stable)
{
    double x[POWERTRAIN_STATE_MAX];
    powertrain_values values;
    c->powertrain->settle(c->powertrain_p, v, throttle, x);
    powertrain_look(c->powertrain, c->powertrain_p, throttle, v, x, &values);
    return (car_steady){throttle, v, x[0], values.force, values.fuel, stable};
}

int car_steady_states(const car *c, double throttle, car_steady *out, int max)
{
    mc_assert(c->powertrain);
    int count = 0;
    double before = surplus(c, throttle, 0.5 * SCAN);
    for (double low = 0.5 * SCAN; low < c->p[CAR_SPEED_MAX] && count < max; low += SCAN) {
        const double high = low + SCAN, after = surplus(c, throttle, high);
        if ((before > 0.0) != (after > 0.0)) {
            const bool falls = before > 0.0;
            const double v = bisect(c, throttle, low, high, falls);
            const double size = surplus(c, throttle, v);
            if (size * size < 1.0) // else the drag jumps across, and nothing is steady
                out[count++] = describe(c, throttle, v, falls);
        }
        before = after;
    }
    return count;
}
