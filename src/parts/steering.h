// steering.h - from the commanded steering angle to that of the wheels: lag, rate and angle limits.
//
//     d' = (c - d)/lag,  |d'| <= rate,        c: the command, |c| <= max
//
// With c held the answer is closed: at the full rate until the error is rate lag, from there an
// exponential; the two meet with one slope. So the angle at any time inside a step is exact, and
// the vehicle's integrator only samples it. Without lag the wheels turn at the full rate and stop.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct steering {
    double lag, rate, max; // s, rad/s, rad
} steering;

static inline double steering_command(const steering *s, double command)
{
    return fmin(fmax(command, -s->max), s->max);
}

// Angle, rad, t seconds after it was `angle`; command: within the limits.
static inline double steering_after(const steering *s, double angle, double command, double t)
{
    const double error = command - angle, size = fabs(error), linear = s->rate * s->lag; // rad
    const double straight = fmax(size - linear, 0.0) / s->rate; // s, at the full rate
    if (t <= straight)
        return angle + copysign(s->rate * t, error);
    const double left = s->lag > 0.0 ? fmin(size, linear) * exp(-(t - straight) / s->lag) : 0.0;
    return left < 1e-12 ? command : command - copysign(left, error); // it arrives
}

// rad/s, at `angle`; where the wheels arrive without lag: 0.
static inline double steering_speed(const steering *s, double angle, double command)
{
    const double error = command - angle;
    if (error == 0.0)
        return 0.0;
    return fabs(error) >= s->rate * s->lag ? copysign(s->rate, error) : error / s->lag;
}

// At the start, in the middle and at the end of a step of h seconds. A jump, which takes no part of
// the step worth mentioning, is over when the step begins.
static inline void steering_over(const steering *s, double angle, double command, double h,
                                 double out[3])
{
    const bool jumps = s->lag <= 0.0 && fabs(command - angle) <= 1e-6 * h * s->rate;
    out[0] = jumps ? command : angle;
    out[1] = jumps ? command : steering_after(s, angle, command, 0.5 * h);
    out[2] = jumps ? command : steering_after(s, angle, command, h);
}
