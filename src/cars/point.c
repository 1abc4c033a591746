// point.c - a car that follows a desired acceleration: no engine, no brake, no tyres.
//
// Along the heading, with w the desired acceleration, held, and T the lag:
//   a' = (w - a)/T (a = w without lag),   u' = a,   x' = u
// are solved exactly. w is kept between -max_brake and max_acceleration. The car stops at u = 0
// and does not reverse, and is held at its top speed. Slope and bank are taken to be compensated:
// they cost or give the energy of what the car climbs, and do not change its motion.
//
// The tyres guide it: side slip dies out and the yaw rate r follows that of rolling without slip,
//   r' = (u tan(delta)/L - r)/0.2 s,   L = 0.54 length, the wheelbase,
// and the velocity turns with the heading. |u r| is kept below max_brake: tyres that can brake no
// harder cannot hold a tighter curve. Pushed backwards, it brakes with |w|.
#include "cars/batch.h"

#include <math.h>

static const double GUIDED = CAR_POINT_GUIDED;       // s
static const double WHEELBASE = CAR_POINT_WHEELBASE; // of the length

typedef struct run { // along the heading
    double s, u, a;  // m, m/s, m/s^2
} run;

// a, u and s after t seconds of free following.
static run follow(const run *r, double w, double lag, double t)
{
    if (lag <= 0.0)
        return (run){r->s + t * (r->u + 0.5 * w * t), r->u + w * t, w};
    const double z = t / lag, fall = -expm1(-z), off = r->a - w; // 1 - e^-z
    // lag t - lag^2 fall loses digits for small z; its series there.
    const double area = z < 1e-3 ? t * t * (0.5 - z / 6.0 + z * z / 24.0) : lag * (t - lag * fall);
    return (run){r->s + t * (r->u + 0.5 * w * t) + off * area, r->u + w * t + off * lag * fall,
                 w + off * (1.0 - fall)};
}

// First instant in (0, t] at which u reaches `level` on a stretch where u is monotone.
static double reach_level(const run *r, double w, double lag, double t, double level)
{
    if (lag <= 0.0)
        return fmin(t, (level - r->u) / w);
    double low = 0.0, high = t;
    const bool above = r->u > level;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if ((follow(r, w, lag, middle).u > level) == above)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// One stretch of at most t on which a keeps its sign, so that u is monotone. Returns its length.
static double stretch(run *r, double w, double lag, double top, double t)
{
    if (lag <= 0.0)
        r->a = w;
    bool turns = false; // a comes through zero at the end of the stretch
    if (lag > 0.0 && r->a * w < 0.0) {
        const double zero = lag * log1p(-r->a / w);
        turns = zero <= t;
        t = fmin(t, zero);
    }
    const bool stopped = r->u == 0.0 && (r->a < 0.0 || (r->a == 0.0 && w <= 0.0));
    const bool held = r->u >= top && (r->a > 0.0 || (r->a == 0.0 && w >= 0.0));
    run next = follow(r, w, lag, t);
    if (turns)
        next.a = 0.0;
    if (r->u < 0.0) { // backwards: any acceleration brakes
        const double brake = fabs(w);
        const double stop = brake > 0.0 ? -r->u / brake : HUGE_VAL;
        t = fmin(t, stop);
        const double a = follow(r, w, lag, t).a;
        *r = (run){r->s + t * (r->u + 0.5 * brake * t), t == stop ? 0.0 : r->u + brake * t, a};
        return t;
    }
    if (held || stopped) {
        *r = (run){r->s + t * r->u, r->u, next.a};
        return t;
    }
    const double level = next.u < 0.0 ? 0.0 : top;
    if (next.u < 0.0 || (next.u > top && r->u < top)) {
        t = reach_level(r, w, lag, t, level);
        next = follow(r, w, lag, t);
        next.u = level;
    }
    *r = next;
    return t;
}

static void move(run *r, double w, double lag, double top, double duration)
{
    double left = duration;
    for (int k = 0; k < 8 && left > 0.0; k++) {
        const double done = stretch(r, w, lag, top, left);
        left = done < left ? left - done : 0.0;
    }
}

// Yaw rate of rolling without slip at a speed, rad/s.
static double steered(const double *p, double steer, double u)
{
    const double limit = p[CAR_BRAKE_MAX] * GRAVITY / (u * u); // 1/m
    return u * fmax(fmin(tan(steer) / (WHEELBASE * p[CAR_LENGTH]), limit), -limit);
}

// The way along a heading that turns to the yaw rate `to`: Simpson's rule over the stretch.
static void move_turning(double *value, double length, double duration, double to)
{
    const double psi = value[CAR_BLOCK * VALUE_PSI], w = value[CAR_BLOCK * VALUE_W];
    const double r = value[CAR_BLOCK * VALUE_R], mean = length / duration, off = r - to;
    double along = 0.0, across = 0.0;
    for (int k = 0; k <= 2; k++) {
        const double t = 0.5 * duration * k, weight = k == 1 ? 4.0 / 6.0 : 1.0 / 6.0;
        const double fade = exp(-t / GUIDED);
        const double turned = psi + to * t - off * GUIDED * expm1(-t / GUIDED);
        along += weight * (mean * cos(turned) - w * fade * sin(turned));
        across += weight * (mean * sin(turned) + w * fade * cos(turned));
    }
    const double fade = exp(-duration / GUIDED);
    value[CAR_BLOCK * VALUE_X] += duration * along;
    value[CAR_BLOCK * VALUE_Y] += duration * across;
    value[CAR_BLOCK * VALUE_PSI] += to * duration - off * GUIDED * expm1(-duration / GUIDED);
    value[CAR_BLOCK * VALUE_W] = fabs(w) > 1e-9 ? w * fade : 0.0;
    value[CAR_BLOCK * VALUE_R] = to + (fabs(off) > 1e-9 ? off * fade : 0.0);
}

// What the car gained along its heading, up a hill included, was driven or braked; what its side
// slip and yaw rate lost went to the tyres, and a yaw rate that it gained was driven.
// climbed: m.
static void book(const car_batch *b, int i, double climbed, double u, double w, double r)
{
    double *value = car_values(b, i);
    const double *p = b->cars[i].p;
    double work =
        0.5 * p[CAR_MASS] * (value[CAR_BLOCK * VALUE_U] * value[CAR_BLOCK * VALUE_U] - u * u);
    if (climbed != 0.0)
        work += p[CAR_MASS] * GRAVITY * climbed;
    value[CAR_BLOCK * (work > 0.0 ? VALUE_DRIVEN : VALUE_BRAKED)] += fabs(work);
    const double w_now = value[CAR_BLOCK * VALUE_W], r_now = value[CAR_BLOCK * VALUE_R];
    const double slipped = 0.5 * (p[CAR_MASS] * (w * w - w_now * w_now) +
                                  p[CAR_YAW_INERTIA] * (r * r - r_now * r_now));
    value[CAR_BLOCK * (slipped < 0.0 ? VALUE_DRIVEN : VALUE_SLIPPED)] += fabs(slipped);
}

static bool turns(const car_batch *b, int i)
{
    const double *value = car_values(b, i);
    return value[CAR_BLOCK * VALUE_PSI] != 0.0 || value[CAR_BLOCK * VALUE_W] != 0.0 ||
           value[CAR_BLOCK * VALUE_R] != 0.0 || car_inputs(b, i)[CAR_BLOCK * INPUT_STEER] != 0.0;
}

static void advance_one(const car_batch *b, int i, double duration)
{
    double *value = car_values(b, i), *input = car_inputs(b, i);
    const double *p = b->cars[i].p;
    const double u = value[CAR_BLOCK * VALUE_U], v_y = value[CAR_BLOCK * VALUE_W];
    const double yaw = value[CAR_BLOCK * VALUE_R];
    const bool hilly = b->relief || !road_is_level(b->road);
    double *station = &value[CAR_BLOCK * VALUE_STATION];
    const double height = hilly ? car_road_height(b, i, station) : 0.0;
    const double w = fmax(fmin(input[CAR_BLOCK * INPUT_DESIRED], p[CAR_ACCELERATION_MAX] * GRAVITY),
                          -p[CAR_BRAKE_MAX] * GRAVITY);
    run r = {0.0, u, value[CAR_BLOCK * VALUE_FORCE]};
    move(&r, w, p[CAR_LAG], p[CAR_SPEED_MAX], duration);
    if (turns(b, i)) {
        const double mean = r.s / duration;
        const double to = mean == 0.0 ? 0.0 : steered(p, input[CAR_BLOCK * INPUT_STEER], mean);
        move_turning(value, r.s, duration, to);
    } else {
        value[CAR_BLOCK * VALUE_X] += r.s;
    }
    value[CAR_BLOCK * VALUE_U] = r.u;
    value[CAR_BLOCK * VALUE_FORCE] = r.a;
    value[CAR_BLOCK * VALUE_DISTANCE] += fabs(r.s);
    const bool held = (r.u == 0.0 && r.a <= 0.0) || (r.u >= p[CAR_SPEED_MAX] && r.a >= 0.0);
    value[CAR_BLOCK * VALUE_A] = held ? 0.0 : r.u < 0.0 ? fabs(w) : r.a;
    book(b, i, hilly ? car_road_height(b, i, station) - height : 0.0, u, v_y, yaw);
    input[CAR_BLOCK * INPUT_CLOCK] += duration;
}

static void advance(mc_batch *batch, int first, int count, double duration)
{
    const car_batch *b = car_look(batch);
    if (duration <= 0.0)
        return;
    for (int i = first; i < first + count; i++) {
        const int steps =
            turns(b, i) ? (int)ceil(duration / fmin(b->step, b->limit[i]) * (1.0 - 1e-12)) : 1;
        for (int k = 0; k < steps; k++)
            advance_one(b, i, duration / steps);
    }
}

// Throttle and brake as shares of what the car can do, for laws that show pedals.
static void plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out)
{
    const car_batch *b = car_look(batch);
    for (int k = 0; k < count; k++) {
        const double *p = b->cars[first + k].p, w = desired[k] / GRAVITY;
        out[k] = (mc_plan){.throttle = fmin(fmax(w / p[CAR_ACCELERATION_MAX], 0.0), 1.0),
                           .brake = fmin(fmax(-w / p[CAR_BRAKE_MAX], 0.0), 1.0)};
    }
}

static const mc_channel channels[] = {{"n", "rpm", "engine speed: none"},
                                      {"distance", "m", "driven since the start"}};

static void read_channels(const mc_batch *batch, int i, double *out)
{
    out[0] = 0.0;
    out[1] = car_values(car_look(batch), i)[CAR_BLOCK * VALUE_DISTANCE];
}

const mc_vehicle_kind car_point_kind = {
    .name = "point",
    .advance = advance,
    .plan = plan,
    .channels = channels,
    .channel_count = 2,
    .read_channels = read_channels,
    CAR_SHARED,
};
