// identify.c - the adaptive observer for the mass; see identify.h.
#include "control/identify.h"

#include <math.h>

const mc_param identify_params[IDENTIFY_PARAM_COUNT] = {
    [IDENTIFY_START] = {"start", "kg", 0.0, 0.0, 1e6, "first estimate; 0: the nominal mass"},
    [IDENTIFY_START_ERROR] = {"start_error", "-", 0.5, 0.0, 10.0,
                              "possible error of the first estimate"},
    [IDENTIFY_K1] = {"k1", "1/s", 1.0, 0.0, 100.0, "brake law: gain of the speed difference"},
    [IDENTIFY_K2] = {"k2", "1/s^2", 0.25, 0.0, 100.0, "brake law: gain of the distance"},
    [IDENTIFY_HEADWAY] = {"headway", "s", 1.0, 0.0, 100.0, "brake law: time headway h"},
    [IDENTIFY_BRAKE_RATE] = {"brake_rate", "1/s", 5.0, 0.1, 1000.0, "rate of the brake, eq (2)"},
    [IDENTIFY_MEMORY] = {"memory", "-", 0.05, 0.0, 1.0,
                         "remaining share of the start value above which no claim is made"},
    [IDENTIFY_FORCE_ERROR] = {"force_error", "-", 0.2, 0.0, 0.9,
                              "possible error of drive and drag force"},
    [IDENTIFY_MASS_MIN] = {"min_mass", "kg", 100.0, 1.0, 1e6, "smallest estimate"},
    [IDENTIFY_MASS_MAX] = {"max_mass", "kg", 100e3, 1.0, 1e7, "largest estimate"},
    [IDENTIFY_WINDOW] = {"window", "s", 5.0, 0.1, 1000.0, "time over which excitation is measured"},
    [IDENTIFY_EXCITATION] = {"excitation", "m/s^2", 0.3, 0.0, 100.0,
                             "rms of known force / mass below which no claim is made"},
    [IDENTIFY_FORGET] = {"forget", "s", 20.0, 0.1, 1e6, "memory of least squares, braking time"},
    [IDENTIFY_NOMINAL] = {"nominal", "kg", 1839.317, 1.0, 1e6, "mass the brake law assumes, M0"},
    [IDENTIFY_GAMMA_1] = {"gamma1", "s^2/(kg m)^2", 1e-6, 0.0, 1.0, "adaptation gain of the speed"},
    [IDENTIFY_GAMMA_2] = {"gamma2", "s^3/(kg^3 m^2)", 5e-11, 0.0, 1.0,
                          "adaptation gain of the brake force"},
};

enum { V_HAT, BRAKE_ERROR, INVERSE, SETS = 4 }; // the three states, and sets of three

identify_gains identify_gains_of(const double *p, double mass)
{
    const double k = p[IDENTIFY_NOMINAL] * (p[IDENTIFY_K1] + p[IDENTIFY_K2] * p[IDENTIFY_HEADWAY]);
    const double a = p[IDENTIFY_GAMMA_1], b = p[IDENTIFY_GAMMA_2];
    return (identify_gains){.ratio = a > 0.0   ? b / a
                                     : b > 0.0 ? INFINITY
                                               : 0.0,
                            .safe = 1.0 / (p[IDENTIFY_BRAKE_RATE] * mass + k),
                            .convergent = k > 0.0 ? 1.0 / k : INFINITY};
}

double identify_force_error(const double *p)
{
    return p[IDENTIFY_FORCE_ERROR] / (1.0 - p[IDENTIFY_FORCE_ERROR]);
}

static double start_mass(const double *p)
{
    return p[IDENTIFY_START] > 0.0 ? p[IDENTIFY_START] : p[IDENTIFY_NOMINAL];
}

void identify_start(const double *p, identify_state *s)
{
    *s = (identify_state){.slow = start_mass(p)};
    s->y[INVERSE] = 1.0 / start_mass(p);
    s->y[3 * 3 + INVERSE] = 1.0; // to the start, by itself
}

void identify_on(identify_state *s, const identify_sample *now, double v_hat, double brake_hat)
{
    s->active = 1.0;
    s->y[V_HAT] = v_hat;
    s->y[BRAKE_ERROR] = now->brake - brake_hat;
    for (int set = 1; set < SETS; set++) // the model starts from what is measured
        s->y[3 * set + V_HAT] = s->y[3 * set + BRAKE_ERROR] = 0.0;
    s->last = *now;
}

void identify_off(identify_state *s)
{
    s->active = 0.0;
}

// Rates of the observer and of its derivatives by (drive, drag, start).
//     dF^ = d(force) + s_eb
//     s_V' = dF^ q + F^ s_q,   s_eb' = -b s_eb - b K s_V,
//     s_q' = dF^ (gamma1 e - gamma2 eb) - F^ (gamma1 s_V + gamma2 s_eb)
static void rate(const double *p, const identify_sample *m, const double *y, double *dy)
{
    const double b = p[IDENTIFY_BRAKE_RATE];
    const double k = p[IDENTIFY_NOMINAL] * (p[IDENTIFY_K1] + p[IDENTIFY_K2] * p[IDENTIFY_HEADWAY]);
    const double g1 = p[IDENTIFY_GAMMA_1], g2 = p[IDENTIFY_GAMMA_2];
    const double e = m->v - y[V_HAT], eb = y[BRAKE_ERROR], q = y[INVERSE];
    const double force = m->drive - m->drag - m->brake + eb, steer = g1 * e - g2 * eb;
    const double direct[SETS] = {0.0, m->drive, -m->drag, 0.0};
    dy[V_HAT] = force * q;
    dy[BRAKE_ERROR] = -b * eb + b * k * e;
    dy[INVERSE] = force * steer;
    for (int set = 1; set < SETS; set++) {
        const double *s = y + 3 * set;
        double *ds = dy + 3 * set;
        const double change = direct[set] + s[BRAKE_ERROR];
        ds[V_HAT] = change * q + force * s[INVERSE];
        ds[BRAKE_ERROR] = -b * s[BRAKE_ERROR] - b * k * s[V_HAT];
        ds[INVERSE] = change * steer - force * (g1 * s[V_HAT] + g2 * s[BRAKE_ERROR]);
    }
}

// The sample at a share of the way from a to b.
static identify_sample between(const identify_sample *a, const identify_sample *b, double share)
{
    return (identify_sample){.v = a->v + share * (b->v - a->v),
                             .brake = a->brake + share * (b->brake - a->brake),
                             .drive = a->drive + share * (b->drive - a->drive),
                             .drag = a->drag + share * (b->drag - a->drag)};
}

// One classical Runge-Kutta step, number k of n from sample a to sample b.
static void runge_kutta(const double *p, const identify_sample *a, const identify_sample *b, int k,
                        int n, double h, double *y)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double dy[IDENTIFY_Y] = {0}, stage[IDENTIFY_Y], sum[IDENTIFY_Y] = {0};
    for (int i = 0; i < 4; i++) {
        const identify_sample m = between(a, b, (k + at[i]) / n);
        for (int j = 0; j < IDENTIFY_Y; j++)
            stage[j] = y[j] + at[i] * h * dy[j];
        rate(p, &m, stage, dy);
        for (int j = 0; j < IDENTIFY_Y; j++)
            sum[j] += weight[i] * dy[j];
    }
    for (int j = 0; j < IDENTIFY_Y; j++)
        y[j] += h / 6.0 * sum[j];
}

// Steps of Runge-Kutta in a control step: the fastest rate times the step stays below 0.5.
static int cuts(const double *p, const identify_state *s, double force, double dt)
{
    const double k = p[IDENTIFY_NOMINAL] * (p[IDENTIFY_K1] + p[IDENTIFY_K2] * p[IDENTIFY_HEADWAY]);
    const double fastest = p[IDENTIFY_BRAKE_RATE] + fabs(force) * sqrt(p[IDENTIFY_GAMMA_1]) +
                           k * fmax(s->y[INVERSE], 1.0 / p[IDENTIFY_NOMINAL]);
    return (int)fmin(fmax(ceil(fastest * dt / 0.5), 1.0), 1000.0);
}

// Holding 1/M at the ends of its range keeps the Lyapunov function falling. Gains that are far too
// large can make a step overflow; then the range is all that is known.
static void limit(const double *p, identify_state *s, double v)
{
    const double min = 1.0 / p[IDENTIFY_MASS_MAX], max = 1.0 / p[IDENTIFY_MASS_MIN];
    double *y = s->y;
    if (!(y[INVERSE] > min && y[INVERSE] < max)) {
        y[INVERSE] = y[INVERSE] >= max ? max : min;
        s->limited = 1.0;
    }
    for (int j = 0; j < IDENTIFY_Y; j++)
        if (!isfinite(y[j])) {
            y[j] = j == V_HAT ? v : 0.0;
            s->limited = 1.0;
        }
}

void identify_step(const double *p, identify_state *s, const identify_sample *now, double dt)
{
    const double force = now->drive - now->drag - now->brake + s->y[BRAKE_ERROR];
    const int n = cuts(p, s, force, dt);
    s->limited = 0.0;
    for (int k = 0; k < n; k++) {
        runge_kutta(p, &s->last, now, k, n, dt / n, s->y);
        limit(p, s, now->v);
    }
    const double fresh = -expm1(-dt / p[IDENTIFY_WINDOW]);
    const double change = force * s->y[INVERSE];
    s->excitation += fresh * (change * change - s->excitation);
    s->slow += fresh * (1.0 / s->y[INVERSE] - s->slow);
    s->time += dt;
    s->last = *now;
}

identify_result identify_read(const double *p, const identify_state *s)
{
    const double mass = 1.0 / s->y[INVERSE];
    // dM/M = -M dq; a relative error x of the start changes q by x q(0) s_start. It swings between
    // q and V^: their sum as in the Lyapunov function does not pass through zero.
    const double *start = s->y + 3 * 3;
    const double swing = p[IDENTIFY_GAMMA_1] * start[V_HAT] * start[V_HAT];
    const double memory = mass * sqrt(start[INVERSE] * start[INVERSE] + swing) / start_mass(p);
    const double force = mass * (fabs(s->y[3 + INVERSE]) + fabs(s->y[3 * 2 + INVERSE]));
    const double share = fmin(identify_force_error(p) * force, 0.9);
    const double moving = fabs(mass - s->slow);
    identify_result r = {.mass = mass,
                         .excitation = sqrt(s->excitation),
                         .memory = memory,
                         .force = mass * share / (1.0 - share), // q (1 - share): the far end of M
                         .limited = s->limited != 0.0};
    r.band = mass * p[IDENTIFY_START_ERROR] * memory + r.force + moving;
    const identify_gains gains = identify_gains_of(p, mass);
    r.claimed = gains.ratio < gains.convergent && !r.limited &&
                r.excitation >= p[IDENTIFY_EXCITATION] && memory <= p[IDENTIFY_MEMORY] &&
                moving <= p[IDENTIFY_MEMORY] * mass;
    return r;
}
