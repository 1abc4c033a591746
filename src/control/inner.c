// inner.c - desired acceleration to throttle and brake.
#include "control/inner.h"

const mc_param inner_params[INNER_PARAM_COUNT] = {
    [INNER_HYSTERESIS] =
        {"hysteresis", "m/s^2", 0.15, 0.0, 3.0,
         "how far the desired acceleration must pass that of coasting to change pedals"},
    [INNER_TRIM_RATE] = {"trim_rate", "1/s", 0.5, 0.0, 5.0,
                         "rate at which slope and load are learned from the acceleration error"},
    [INNER_TRIM_MAX] = {"max_trim", "m/s^2", 2.0, 0.0, 10.0, "maximum correction learned"},
    [INNER_JERK_MAX] = {"max_jerk", "m/s^3", 0.0, 0.0, 100.0,
                        "maximum rate of the desired acceleration; 0: no limit"},
    [INNER_TAKE_UP] = {"take_up", "m/s^3", 2.5, 0.0, 100.0,
                       "rate at which a changed pedal takes up the hysteresis; 0: at once"},
};

// fmin and fmax are calls; here nothing is NaN.
static inline double between(double value, double low, double high)
{
    value = value > low ? value : low;
    return value < high ? value : high;
}

double inner_ask(const double *p, inner_state *s, double desired, double measured, double min,
                 double max, double dt)
{
    desired = between(desired, min, max);
    if (p[INNER_JERK_MAX] > 0.0) {
        const double change = p[INNER_JERK_MAX] * dt;
        desired = between(desired, s->desired - change, s->desired + change);
    }
    // What was asked for during the last step, against what came of it. A pedal at its end learns
    // nothing: the trim would wind up.
    if (!s->saturated) {
        const double trim = s->trim + dt * p[INNER_TRIM_RATE] * (s->desired - measured);
        s->trim = between(trim, -p[INNER_TRIM_MAX], p[INNER_TRIM_MAX]);
    }
    s->desired = desired;
    return desired + s->trim;
}

// Share of its plan that a changed pedal gives in this step; beyond: m/s^2, from coasting to what
// is asked. Slack falls at a constant rate, and its mean over the step counts: pedal and trim then
// do the same in steps of any length. A plan grows nearly in proportion to `beyond`, from 0.
static double take_up(const double *p, inner_state *s, double beyond, double dt)
{
    const double fall = p[INNER_TAKE_UP] * dt, slack = s->slack;
    s->slack = fall > 0.0 && slack > fall ? slack - fall : 0.0;
    if (fall <= 0.0 || s->saturated || beyond <= 0.0) // at once; at an end it stays there
        return 1.0;
    const double mean = 0.5 * (slack * slack - s->slack * s->slack) / fall;
    const double less = mean < beyond ? mean : beyond;
    // The trim will learn from the desired acceleration, but less than that was applied.
    s->trim -= dt * p[INNER_TRIM_RATE] * (s->mode == INNER_BRAKE ? -less : less);
    return 1.0 - less / beyond;
}

// A standing car has at least this much brake.
static const double STAND_BRAKE = 0.4;
// Within this much below INNER_STAND_DESIRED, the brake goes from its plan to the one that holds. A
// law sees a released car move and asks for less: if it were held at once, brake and release would
// alternate, faster with shorter steps, and how far the car creeps would be chance.
static const double STAND_BAND = 0.005; // m/s^2

void inner_act(const double *p, inner_state *s, double asked, const mc_plan *plan, double v,
               double dt, mc_inputs *out)
{
    if (v < INNER_STAND_SPEED && v > -INNER_STAND_SPEED && s->desired < INNER_STAND_DESIRED) {
        s->mode = INNER_BRAKE;
        s->slack = 0.0;
        s->saturated = 1; // nothing is learned of the slope by standing
        out->throttle = 0.0;
        const double share = between((INNER_STAND_DESIRED - s->desired) / STAND_BAND, 0.0, 1.0);
        const double hold = plan->brake > STAND_BRAKE ? plan->brake : STAND_BRAKE;
        out->brake = share < 1.0 ? plan->brake + share * (hold - plan->brake) : hold;
        return;
    }
    // Throttle above coasting, brake below; in the band between, the pedal that was in use stays:
    // its plan is then at its closed end and the car coasts. A changed pedal starts from that end.
    const double above = asked - plan->coast;
    if (s->mode == INNER_BRAKE ? above > p[INNER_HYSTERESIS] : above < -p[INNER_HYSTERESIS]) {
        s->mode = s->mode == INNER_BRAKE ? INNER_THROTTLE : INNER_BRAKE;
        s->slack = p[INNER_HYSTERESIS];
    }
    const bool braking = s->mode == INNER_BRAKE;
    double pedal = braking ? plan->brake : plan->throttle;
    s->saturated = pedal <= 0.0 || pedal >= 1.0;
    if (s->slack > 0.0)
        pedal *= take_up(p, s, braking ? -above : above, dt);
    out->throttle = braking ? 0.0 : pedal;
    out->brake = braking ? pedal : 0.0;
}
