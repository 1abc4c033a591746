// lane_change.c - curves from lane to lane; see lane_change.h.
#include "control/lane_change.h"

#include <math.h>
#include <stdbool.h>

static const double LONGEST = 60.0; // s
static const double SHORTEST = 1.0; // s

const mc_param lane_change_params[LANE_CHANGE_PARAM_COUNT] = {
    [LANE_CHANGE_ACCELERATION] = {"max_lateral_acceleration", "m/s^2", 1.0, 0.05, 10.0,
                                  "across the road, while changing lanes"},
    [LANE_CHANGE_JERK] = {"max_lateral_jerk", "m/s^3", 1.0, 0.05, 50.0,
                          "rate of that acceleration"},
    [LANE_CHANGE_POLITENESS] = {"politeness", "-", 0.2, 0.0, 1.0,
                                "weight of what a change costs the followers"},
    [LANE_CHANGE_THRESHOLD] = {"threshold", "m/s^2", 0.2, 0.0, 5.0,
                               "advantage that is worth a change"},
    [LANE_CHANGE_KEEP_RIGHT] =
        {"keep_right", "m/s^2", 0.0, 0.0, 5.0,
         "that the advantage must exceed to the left, and that is added to the "
         "right"},
    [LANE_CHANGE_SAFE_BRAKING] = {"safe_braking", "m/s^2", 3.0, 0.5, 12.0,
                                  "hardest braking that a change may cause"},
    [LANE_CHANGE_REACTION] = {"reaction", "s", 0.5, 0.0, 3.0,
                              "reaction time in the gaps that are kept"},
    [LANE_CHANGE_PAUSE] = {"pause", "s", 4.0, 0.0, 60.0, "between two changes of a car by itself"},
    [LANE_CHANGE_SETTLE] = {"settle", "s", 15.0, 0.0, 120.0,
                            "after it set out, before it goes back by itself to the lane it left"},
    [LANE_CHANGE_CUT_IN] = {"cut_in_braking", "m/s^2", 2.0, 0.1, 20.0,
                            "hardest braking for a car that cuts in, unless the braking bound of "
                            "avoid asks for more"},
};

// The polynomial from `now` at 0 to rest at T.
static void fit(lane_point now, double T, double c[6])
{
    const double T2 = T * T, T3 = T2 * T, d = now.d, rate = now.rate, bend = now.bend;
    c[0] = d;
    c[1] = rate;
    c[2] = 0.5 * bend;
    c[3] = -(20.0 * d + 12.0 * rate * T + 3.0 * bend * T2) / (2.0 * T3);
    c[4] = (30.0 * d + 16.0 * rate * T + 3.0 * bend * T2) / (2.0 * T3 * T);
    c[5] = -(12.0 * d + 6.0 * rate * T + bend * T2) / (2.0 * T3 * T2);
}

// Whether acceleration and jerk stay below the bounds.
static bool is_gentle(const double c[6], double T, double max_a, double max_jerk)
{
    enum { PLACES = 32 };
    for (int k = 0; k <= PLACES; k++) {
        const double s = T * k / PLACES;
        const double a = 2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]));
        const double jerk = 6 * c[3] + s * (24 * c[4] + s * 60 * c[5]);
        if (fabs(a) > max_a * (1.0 + 1e-9) || fabs(jerk) > max_jerk * (1.0 + 1e-9))
            return false;
    }
    return true;
}

lane_curve lane_curve_make(const double *p, double start, lane_point now)
{
    lane_curve curve = {.start = start};
    const double max_a = fmax(p[LANE_CHANGE_ACCELERATION], fabs(now.bend));
    const double max_jerk = p[LANE_CHANGE_JERK], width = fabs(now.d);
    double T = fmax(sqrt(10.0 / sqrt(3.0) * width / max_a), cbrt(60.0 * width / max_jerk));
    T = fmin(fmax(T, SHORTEST), LONGEST);
    fit(now, T, curve.c);
    while (T < LONGEST && !is_gentle(curve.c, T, max_a, max_jerk)) {
        T = fmin(1.02 * T, LONGEST);
        fit(now, T, curve.c);
    }
    curve.duration = T;
    return curve;
}

static inline double bend_at(const double c[6], double s)
{
    return 2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]));
}

double lane_curve_bend(const lane_curve *curve, double t)
{
    const double s = t - curve->start;
    return s < curve->duration ? bend_at(curve->c, s) : 0.0;
}

lane_point lane_curve_at(const lane_curve *curve, double t)
{
    const double *c = curve->c, s = t - curve->start;
    if (!(s < curve->duration))
        return (lane_point){0.0, 0.0, 0.0};
    return (lane_point){
        .d = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))),
        .rate = c[1] + s * (2 * c[2] + s * (3 * c[3] + s * (4 * c[4] + s * 5 * c[5]))),
        .bend = bend_at(c, s),
    };
}
