// steer_lanes.c - where four cars are relative to their paths; steer.c in lanes, for a straight
// road and laws that look no farther than the curvature ahead.
#include "run/steer.h"

#include "num/lanes.h"
#include "run/control.h"

#define FOUR_OF(p, field) ((lanes){(p)[0]->field, (p)[1]->field, (p)[2]->field, (p)[3]->field})

typedef struct four {
    const mc_motion *m[LANES];
    const run_path *path[LANES];
    lanes c[6]; // of the curves
    lanes_mask changes;
} four;

static inline void put(double *x, int signal, lanes a)
{
    lanes_store(x + LANES * signal, a);
}

// Functions that have other bits in lanes.
static inline lanes across(const four *f)
{
    lanes out;
    for (int l = 0; l < LANES; l++) {
        const mc_motion *m = f->m[l];
        out[l] = m->v * sin(m->psi) + m->v_y * cos(m->psi);
    }
    return out;
}

static inline lanes slope(lanes rate, lanes speed)
{
    const lanes along = rate / speed;
    lanes out = lanes_set(0.0);
    for (int l = 0; l < LANES; l++)
        if (rate[l] != 0.0)
            out[l] = atan(along[l]);
    return out;
}

static inline lanes bend_at(const lanes c[6], lanes s)
{
    const lanes last = s * lanes_set(20.0) * c[5];
    return lanes_set(2.0) * c[2] +
           s * (lanes_set(6.0) * c[3] + s * (lanes_set(12.0) * c[4] + last));
}

// The slip angle over lateral acceleration of steering_gains.c.
static inline lanes slip_of(const double *table, lanes a)
{
    const lanes at =
        lanes_min(lanes_abs(a) / lanes_set(MC_TURN_STEP), lanes_set(MC_TURN_COUNT - 1.0));
    lanes low, high;
    const lanes k = lanes_pick(table, lanes_min(at, lanes_set(MC_TURN_COUNT - 2.0)), &low, &high);
    return low + (at - k) * (high - low);
}

// steering_turn_gain of like cars.
static inline lanes turn_gain(const steering_vehicle *c, lanes v, lanes curvature)
{
    const double length = c->front + c->rear;
    const lanes L = lanes_set(length);
    if (!c->turns)
        return L +
               lanes_set(c->mass / length * (c->rear / c->stiff_front - c->front / c->stiff_rear)) *
                   v * v;
    const lanes a = v * v * curvature;
    return L + (slip_of(c->turns->turn_front, a) - slip_of(c->turns->turn_rear, a)) * v * v;
}

static inline void tell_cars(const mc_run *r, const int slots[4], lanes v, lanes next, double *x)
{
    const mc_vehicle_facts *facts = r->facts[slots[0]];
    steering_vehicle car = steering_vehicle_of(facts);
    bool alike = true;
    for (int l = 1; l < LANES; l++)
        alike = alike && r->facts[slots[l]] == facts;
    if (alike) {
        put(x, STEERING_TURN_GAIN, turn_gain(&car, v, next));
    } else {
        for (int l = 0; l < LANES; l++) {
            const steering_vehicle own = steering_vehicle_of(r->facts[slots[l]]);
            x[LANES * STEERING_TURN_GAIN + l] = steering_turn_gain(&own, v[l], next[l]);
        }
    }
    for (int l = 0; l < LANES; l++) {
        if (!alike)
            car = steering_vehicle_of(r->facts[slots[l]]);
        x[LANES * STEERING_WHEELBASE + l] = car.front + car.rear;
        x[LANES * STEERING_FRONT + l] = car.front;
        x[LANES * STEERING_REAR + l] = car.rear;
    }
}

// m, how far ahead the laws look.
static inline lanes distance_ahead(const mc_run *r, const int slots[4], const run_law *of, lanes v)
{
    lanes time = lanes_set(0.0), least = time;
    for (int l = 0; l < LANES; l++) {
        const double *p = run_law_params(r, slots[l], RUN_STEERING);
        time[l] = of->look_ahead >= 0 ? p[of->look_ahead] : 0.0;
        least[l] = of->min_look_ahead >= 0 ? p[of->min_look_ahead] : 0.0;
    }
    return lanes_max(least, time * lanes_abs(v));
}

static inline four look(const mc_run *r, const int slots[4])
{
    four f = {.changes = {0}};
    for (int l = 0; l < LANES; l++) {
        f.m[l] = &r->motion[slots[l]];
        f.path[l] = &r->rare[slots[l]].path;
        f.changes[l] = f.path[l]->to < 0 ? 0 : -1;
    }
    for (int k = 0; k < 6; k++)
        f.c[k] = FOUR_OF(f.path, curve.c[k]);
    return f;
}

void LANES_NAME(run_steer_four)(const mc_run *r, const int slots[4], const run_law *of, double *x)
{
    const four f = look(r, slots);
    const double half = 0.5 * r->s->step, now = run_time(r) + half;
    const lanes zero = lanes_set(0.0), ahead = lanes_set(half), t = lanes_set(now), *c = f.c;
    const lanes v = FOUR_OF(f.m, v) + ahead * FOUR_OF(f.m, a);
    const lanes y = FOUR_OF(f.m, y) + ahead * across(&f);
    const lanes psi = FOUR_OF(f.m, psi) + ahead * FOUR_OF(f.m, yaw_rate);
    const lanes start = FOUR_OF(f.path, curve.start), duration = FOUR_OF(f.path, curve.duration);
    const lanes s = t - start;
    const lanes_mask inside = (lanes_mask)(s < duration) & f.changes;
    const lanes d = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
    const lanes rate =
        c[1] +
        s * (lanes_set(2.0) * c[2] +
             s * (lanes_set(3.0) * c[3] + s * (lanes_set(4.0) * c[4] + s * lanes_set(5.0) * c[5])));
    lanes middle = zero, lane_y = zero;
    for (int l = 0; l < LANES; l++) {
        lane_y[l] = r->car[slots[l]].lane_y;
        middle[l] = f.changes[l] ? road_lane_y(&r->road, f.path[l]->to) : 0.0;
    }
    const lanes on = lanes_select(inside, d, zero) + middle;
    const lanes speed = lanes_max(lanes_abs(v), lanes_set(1.0)), square = speed * speed;
    const lanes bend = lanes_select(inside, bend_at(c, s), zero);
    put(x, STEERING_T, t);
    put(x, STEERING_DT, lanes_set(r->s->step));
    put(x, STEERING_V, v);
    put(x, STEERING_V_Y, FOUR_OF(f.m, v_y));
    put(x, STEERING_YAW_RATE, FOUR_OF(f.m, yaw_rate));
    for (int l = 0; l < LANES; l++)
        x[LANES * STEERING_STEER + l] = r->inputs[slots[l]].steer;
    put(x, STEERING_OFFSET, y - lanes_select(f.changes, on, lane_y));
    put(x, STEERING_HEADING, psi - slope(lanes_select(inside, rate, zero), speed));
    const lanes curvature = zero + bend / square;
    put(x, STEERING_CURVATURE, curvature);
    lanes next = curvature;
    if (of->needs & RUN_STEER_AHEAD) {
        const lanes far = distance_ahead(r, slots, of, v), later = t + far / speed - start;
        const lanes_mask there = (lanes_mask)(later < duration) & f.changes;
        next = lanes_select(there, bend_at(c, later), zero) / square;
        put(x, STEERING_AHEAD, far);
        put(x, STEERING_CURVATURE_AHEAD, next);
    }
    if (of->needs & RUN_STEER_TURN)
        tell_cars(r, slots, v, next, x);
}
