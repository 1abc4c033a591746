// steady_circle.c - steady driving on a circle at rising lateral acceleration, and braking there.
//
// The steering angle is led to the radius by an integral, delta' = g L (1/R - r/V), so that each
// level ends on the circle itself. There delta = L/R + K a_y: K, the understeer gradient, is the
// slope between two levels.
#include "manoeuvre/manoeuvre.h"

#include <math.h>
#include <stdio.h>

enum { RADIUS, MAX_A_Y, LEVELS, HOLD, CIRCLE_PARAMS };

static const mc_param circle_params[CIRCLE_PARAMS] = {
    [RADIUS] = {"radius", "m", 100.0, 10.0, 1e6, "of the circle"},
    [MAX_A_Y] = {"max_a_y", "m/s^2", 4.0, 0.001, 12.0, "lateral acceleration of the last level"},
    [LEVELS] = {"levels", "-", 8.0, 3.0, 40.0, "of lateral acceleration, evenly spaced"},
    [HOLD] = {"hold", "s", 20.0, 5.0, 200.0, "of each level; the end of it is measured"},
};

static const mc_manoeuvre_figure circle_figures[] = {
    {"understeer_gradient", "rad s^2/m", "steering angle per lateral acceleration, low levels"},
    {"understeer_gradient_end", "rad s^2/m", "the same between the last two levels"},
    {"wheelbase_angle", "m", "steering angle times radius at low acceleration: the wheelbase"},
    {"characteristic_speed", "m/s", "of an understeering car: where its yaw gain is largest"},
    {"steer_end", "rad", "steering angle of the last level"},
    {"side_slip_gradient", "rad s^2/m", "side slip per lateral acceleration, low levels"},
    {"side_slip_end", "rad", "side slip of the last level"},
    {"a_y_end", "m/s^2", "lateral acceleration of the last level"},
    {"levels_held", "-", "levels in which the car was steady in the end"},
};

typedef struct level {
    double a_y, steer, side_slip; // m/s^2, rad, rad
    bool steady;
} level;

static void to_radius(double radius, double until, char *out, size_t size)
{
    snprintf(out, size,
             "{law: {states: {lead: {rate: \"if(t < %.17g, 1.5 [1/s]*turn_gain*(1/%.17g [m] - "
             "yaw_rate/hypot(max(v, 1 [m/s]), v_y)), 0)\", unit: rad}}, steer: \"clamp(lead + "
             "wheelbase/%.17g [m], -0.6, 0.6)\"}}",
             until, radius, radius);
}

static mc_status drive_level(manoeuvre_bench *b, double a_y, level *out, mc_error *error)
{
    char steering[600], hold[120];
    const double speed = sqrt(a_y * b->p[RADIUS]), end = b->p[HOLD];
    to_radius(b->p[RADIUS], 2.0 * end, steering, sizeof steering);
    manoeuvre_hold(speed, hold);
    const manoeuvre_drive drive = {
        .speed = speed, .end = end, .steering = steering, .acceleration = hold};
    const mc_status status = manoeuvre_drive_on(b, &drive, error);
    if (status != MC_OK)
        return status;
    const mc_manoeuvre_row *last = &b->rows[b->row_count - 1], *before = last - 100; // 1 s
    const double v = manoeuvre_speed(last);
    *out =
        (level){.a_y = v * last->yaw_rate,
                .steer = last->steer,
                .side_slip = atan2(last->v_y, last->v),
                .steady = fabs(last->yaw_rate - before->yaw_rate) < 1e-3 * fabs(last->yaw_rate) &&
                          fabs(v / last->yaw_rate / b->p[RADIUS] - 1.0) < 0.01};
    return MC_OK;
}

static mc_status measure_circle(manoeuvre_bench *b, mc_error *error)
{
    enum { MAX = 40 };
    level at[MAX];
    const int count = (int)b->p[LEVELS];
    int held = 0;
    for (int k = 0; k < count; k++) {
        const mc_status status = drive_level(b, b->p[MAX_A_Y] * (k + 1) / count, &at[k], error);
        if (status != MC_OK)
            return status;
        if (!at[k].steady)
            break;
        held++;
    }
    double *f = b->figure;
    f[8] = held;
    if (held < 2)
        return MC_OK;
    const level *one = &at[0], *two = &at[1], *last = &at[held - 1], *but = &at[held - 2];
    f[0] = (two->steer - one->steer) / (two->a_y - one->a_y);
    f[1] = (last->steer - but->steer) / (last->a_y - but->a_y);
    f[2] = (one->steer - f[0] * one->a_y) * b->p[RADIUS];
    f[3] = f[0] > 0.0 ? sqrt(f[2] / f[0]) : (double)NAN;
    f[4] = last->steer;
    f[5] = (two->side_slip - one->side_slip) / (two->a_y - one->a_y);
    f[6] = last->side_slip;
    f[7] = last->a_y;
    return MC_OK;
}

const manoeuvre_kind manoeuvre_iso4138 = {
    .is = {.name = "iso4138",
           .doc = "steady driving on a circle: understeer gradient",
           .source = "ISO 4138, constant radius; radius, levels and their length are defaults",
           .params = circle_params,
           .param_count = CIRCLE_PARAMS,
           .figures = circle_figures,
           .figure_count = MANOEUVRE_COUNT_OF(circle_figures)},
    .measure = measure_circle,
};

// ---- braking in a turn ----

enum { TURN_RADIUS, TURN_A_Y, TURN_BRAKE, TURN_SETTLE, TURN_PARAMS };

static const mc_param turn_params[TURN_PARAMS] = {
    [TURN_RADIUS] = {"radius", "m", 100.0, 10.0, 1e6, "of the circle"},
    [TURN_A_Y] = {"a_y", "m/s^2", 5.0, 0.01, 12.0, "lateral acceleration before braking"},
    [TURN_BRAKE] = {"deceleration", "m/s^2", 4.0, 0.1, 12.0,
                    "asked for, from the start of braking"},
    [TURN_SETTLE] = {"settle", "s", 15.0, 5.0, 100.0, "on the circle before braking"},
};

static const mc_manoeuvre_figure turn_figures[] = {
    {"speed", "m/s", "before braking"},
    {"deceleration", "m/s^2", "mean over the first second"},
    {"largest.yaw_rate_ratio", "-", "largest yaw rate over that of the circle"},
    {"yaw_rate_ratio", "-", "after 1 s, over that of the circle at the speed of then"},
    {"largest.side_slip", "rad", "largest side slip while braking, above 3 m/s"},
    {"largest.a_y", "m/s^2", "largest lateral acceleration while braking"},
    {"offset", "m", "after 1 s, from the circle; inwards positive"},
    {"distance", "m", "until the car stands; NAN: it does not in 15 s"},
};

static mc_status measure_turn(manoeuvre_bench *b, mc_error *error)
{
    char steering[600], brake[240];
    const double R = b->p[TURN_RADIUS], speed = sqrt(b->p[TURN_A_Y] * R), at = b->p[TURN_SETTLE];
    to_radius(R, at, steering, sizeof steering);
    snprintf(brake, sizeof brake, "if(t < %.17g, 2 [1/s]*(%.17g [m/s] - v), -%.17g [m/s^2])", at,
             speed, b->p[TURN_BRAKE]);
    const manoeuvre_drive drive = {
        .speed = speed, .end = at + 15.0, .steering = steering, .acceleration = brake};
    const mc_status status = manoeuvre_drive_on(b, &drive, error);
    if (status != MC_OK)
        return status;
    const int begin = (int)lround(at * 100.0), later = begin + 100;
    const mc_manoeuvre_row *start = &b->rows[begin], *then = &b->rows[later];
    // The centre of the circle is to the left of the way.
    const double way = start->psi + atan2(start->v_y, start->v);
    const double x = start->x - R * sin(way), y = start->y + R * cos(way);
    int last;
    double *f = b->figure;
    f[0] = manoeuvre_speed(start);
    f[1] = (manoeuvre_speed(start) - manoeuvre_speed(then)) / (then->t - start->t);
    f[2] = 0.0;
    f[3] = then->yaw_rate / (manoeuvre_speed(then) / R);
    f[6] = R - hypot(then->x - x, then->y - y);
    f[7] = manoeuvre_stop(b, begin, &last);
    for (int k = begin; k <= last; k++)
        f[2] = fmax(f[2], b->rows[k].yaw_rate / start->yaw_rate);
    f[4] = manoeuvre_largest_slip(b, begin, 3.0);
    f[5] = manoeuvre_largest_a_y(b, begin);
    return MC_OK;
}

const manoeuvre_kind manoeuvre_brake_in_turn = {
    .is = {.name = "brake_in_turn",
           .doc = "braking on a circle with the steering held",
           .source = "after ISO 7975, which was not read: all numbers are defaults",
           .params = turn_params,
           .param_count = TURN_PARAMS,
           .figures = turn_figures,
           .figure_count = MANOEUVRE_COUNT_OF(turn_figures)},
    .measure = measure_turn,
};
