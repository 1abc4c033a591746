// inner.c - wanted acceleration to throttle and brake.
#include "control/inner.h"

const mc_param inner_params[INNER_PARAM_COUNT] = {
    [INNER_HYSTERESIS] = {"hysteresis", "m/s^2", 0.15, 0.0, 3.0,
                          "how far the wanted acceleration must pass coasting to change pedals"},
    [INNER_TRIM_RATE] = {"trim_rate", "1/s", 0.5, 0.0, 5.0,
                         "how fast slope and load are learned from the acceleration missed"},
    [INNER_TRIM_MOST] = {"trim_most", "m/s^2", 2.0, 0.0, 10.0, "greatest correction learned"},
    [INNER_JERK_MOST] = {"jerk_most", "m/s^3", 0.0, 0.0, 100.0,
                         "limit of the rate of the wanted acceleration; 0: none"},
};

// fmin and fmax are calls; here nothing is NaN.
static inline double between(double value, double low, double high)
{
    value = value > low ? value : low;
    return value < high ? value : high;
}

double inner_ask(const double *p, inner_state *s, double wanted, double measured, double least,
                 double most, double dt)
{
    wanted = between(wanted, least, most);
    if (p[INNER_JERK_MOST] > 0.0) {
        const double change = p[INNER_JERK_MOST] * dt;
        wanted = between(wanted, s->wanted - change, s->wanted + change);
    }
    // What was asked for during the last step, against what came of it. A pedal at its end learns
    // nothing: the trim would wind up.
    if (s->saturated == 0.0) {
        const double trim = s->trim + dt * p[INNER_TRIM_RATE] * (s->wanted - measured);
        s->trim = between(trim, -p[INNER_TRIM_MOST], p[INNER_TRIM_MOST]);
    }
    s->wanted = wanted;
    return wanted + s->trim;
}

// A standing car: slower than this, and not asked to drive off; then at least this much brake.
static const double STAND_SPEED = 0.02, STAND_WANTED = 0.05, STAND_BRAKE = 0.4; // m/s, m/s^2, -

void inner_act(const double *p, inner_state *s, double asked, const mc_plan *plan, double v,
               mc_inputs *out)
{
    if (v < STAND_SPEED && v > -STAND_SPEED && s->wanted < STAND_WANTED) {
        s->mode = INNER_BRAKE;
        s->saturated = 1.0; // nothing is learned of the slope by standing
        out->throttle = 0.0;
        out->brake = plan->brake > STAND_BRAKE ? plan->brake : STAND_BRAKE;
        return;
    }
    // Throttle above coasting, brake below; in the band between, the pedal that was in use stays:
    // its plan is then at its closed end and the car coasts.
    if (s->mode == INNER_BRAKE && asked > plan->coast + p[INNER_HYSTERESIS])
        s->mode = INNER_THROTTLE;
    else if (s->mode == INNER_THROTTLE && asked < plan->coast - p[INNER_HYSTERESIS])
        s->mode = INNER_BRAKE;
    const bool braking = s->mode == INNER_BRAKE;
    out->throttle = braking ? 0.0 : plan->throttle;
    out->brake = braking ? plan->brake : 0.0;
    const double pedal = braking ? out->brake : out->throttle;
    s->saturated = pedal <= 0.0 || pedal >= 1.0;
}
