// avoid.c - see avoid.h for the two conditions; each is a quadratic in the speed after `reaction`.
#include "control/avoid.h"

#include "control/signal.h"

#include "num/minmax.h"

#include <math.h>
#include <stdbool.h>

// The default delay is the lag of default brakes, 1/brake_rate: without it a car at 25 m/s would
// reach what stands in its way at 3.9 m/s.
const mc_param avoid_params[AVOID_PARAM_COUNT] = {
    [AVOID_BRAKE] = {"brake", "m/s^2", 8.0, 0.5, 20.0, "maximum braking of the ego vehicle"},
    [AVOID_FRONT_BRAKE] = {"front_brake", "m/s^2", 8.0, 0.5, 20.0,
                           "assumed maximum braking of the car in front"},
    [AVOID_REACTION] = {"reaction", "s", 0.2, 0.05, 5.0,
                        "time until the brake of the ego vehicle acts"},
    [AVOID_MARGIN] = {"margin", "m", 1.0, 0.0, 100.0, "gap that is left when both have stopped"},
    [AVOID_DELAY] = {"delay", "s", 0.2, 0.0, 5.0,
                     "time until a command acts, in which the car drives on as before: delay and "
                     "lag of its brake"},
};

// The u >= 0 of u^2/(2 b) + u r/2 = rest; rest >= 0.
static double root(double b, double r, double rest)
{
    return 2.0 * rest / (r / 2.0 + sqrt(r * r / 4.0 + 2.0 * rest / b)); // no cancellation
}

// m, driven in t seconds from the speed v, at the acceleration a, never backwards; *after: speed.
static double driven(double v, double a, double t, double *after)
{
    const double until = a < 0.0 && v + a * t < 0.0 ? v / -a : t;
    *after = num_max(v + a * until, 0.0);
    return until * (v + 0.5 * a * until);
}

void avoid_ahead(const double *p, double a, double a_front, double *gap, double *v, double *v_front)
{
    const double delay = p[AVOID_DELAY], b_f = num_max(p[AVOID_FRONT_BRAKE], -a_front);
    if (delay == 0.0 || *gap >= SIGNAL_GAP_NONE)
        return;
    const double own = driven(num_max(*v, 0.0), a, delay, v);
    *gap += driven(num_max(*v_front, 0.0), -b_f, delay, v_front) - own;
}

// Both have stopped: the ego vehicle ends where the front one does.
static double stops(double s, double v, double v_f, double b_f, double b, double r)
{
    const double way = s + v_f * v_f / (2.0 * b_f);
    const double rest = way - v * r / 2.0;
    if (rest >= 0.0)
        return (root(b, r, rest) - v) / r;
    return way > 0.0 ? -v * v / (2.0 * way) : -b; // stands before r has passed
}

// Speeds become equal at gap 0. *valid: they do so before the front stands.
static double meets(double s, double v, double v_f, double b_f, double b, double r, bool *valid)
{
    const double w = num_max(v_f - b_f * r, 0.0), c = b - b_f, closing = v - v_f;
    const double rest = s - closing * r / 2.0; // w > 0: the front brakes all through r
    *valid = c > 0.0 && w > 0.0;
    if (!*valid)
        return 0.0;
    if (rest >= 0.0) {
        const double q = root(c, r, rest);
        *valid = q * b_f <= w * c;
        return (w + q - v) / r;
    }
    // Equal speed within r.
    if (s > 0.0)
        return -b_f - closing * closing / (2.0 * s);
    // Already too near: the full brake unless the gap opens fast enough.
    const double opening = 2.0 * s / r; // closing where rest = 0
    const double edge = -b_f - opening / r;
    return closing < 0.0 ? -b + closing / opening * (edge + b) : -b;
}

double avoid_limit(const double *p, double gap, double v, double v_front, double a_front,
                   double max)
{
    const double b = p[AVOID_BRAKE], b_f = num_max(p[AVOID_FRONT_BRAKE], -a_front);
    const double s = gap - p[AVOID_MARGIN], own = num_max(v, 0.0), front = num_max(v_front, 0.0);
    if (gap >= SIGNAL_GAP_NONE)
        return max;
    bool valid;
    const double met = meets(s, own, front, b_f, b, p[AVOID_REACTION], &valid);
    const double limit = valid ? met : stops(s, own, front, b_f, b, p[AVOID_REACTION]);
    return num_min(num_max(limit, -b), max);
}
