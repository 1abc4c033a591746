// lateral.c - what a car does across the road, for observers: wheels, path, lane-change plan.
#include "motorcade/observe.h"

#include "base/assert.h"
#include "run/run.h"
#include "run/steer.h"
#include "run/where.h"

#include <math.h>

int mc_run_wheels(const mc_run *r, int vehicle, mc_wheel wheels[MC_WHEEL_MAX])
{
    mc_batch *batch;
    int index;
    mc_assert(vehicle >= 0 && vehicle < r->count);
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    return batch->kind->wheels ? batch->kind->wheels(batch, index, wheels) : 0;
}

// The largest acceleration and jerk of a curve, at `PLACES` points of it.
static void bounds_of(const lane_curve *curve, double *acceleration, double *jerk)
{
    enum { PLACES = 240 };
    const double *c = curve->c;
    *acceleration = *jerk = 0.0;
    for (int k = 0; k <= PLACES; k++) {
        const double s = curve->duration * k / PLACES;
        const double a = 2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]));
        const double j = 6 * c[3] + s * (24 * c[4] + s * 60 * c[5]);
        *acceleration = fmax(*acceleration, fabs(a));
        *jerk = fmax(*jerk, fabs(j));
    }
}

static bool is_in(const mc_run *r, int slot, int other, int lane)
{
    const run_rare *rare = &r->rare[other];
    return other != slot && (!r->where || r->where[other].path == r->where[slot].path) &&
           (rare->lane == lane || rare->path.to == lane);
}

// Gaps to the cars around in a lane after `left` seconds at the speeds they have now.
static void gaps_at_end(const mc_run *r, int slot, int lane, double left, mc_run_lane_plan *out)
{
    const mc_motion *m = &r->motion[slot];
    int front = -1, rear = -1;
    for (int k = 0; k < r->count; k++) {
        if (!is_in(r, slot, k, lane))
            continue;
        const double x = r->motion[k].x;
        if (x > m->x && (front < 0 || x < r->motion[front].x))
            front = k;
        else if (x <= m->x && (rear < 0 || x > r->motion[rear].x))
            rear = k;
    }
    out->front = front < 0 ? -1 : r->rare[front].vehicle;
    out->rear = rear < 0 ? -1 : r->rare[rear].vehicle;
    out->gap_front = out->gap_rear = NAN;
    if (front >= 0)
        out->gap_front = r->motion[front].x + r->car[front].tail - m->x - r->car[slot].nose +
                         left * (r->motion[front].v - m->v);
    if (rear >= 0)
        out->gap_rear = m->x + r->car[slot].tail - r->motion[rear].x - r->car[rear].nose +
                        left * (m->v - r->motion[rear].v);
}

static void plan_of(const mc_run *r, int slot, mc_run_lane_plan *out)
{
    const run_path *p = &r->rare[slot].path;
    *out = (mc_run_lane_plan){.from = p->from,
                              .to = p->to,
                              .waits_for = p->wait,
                              .front = -1,
                              .rear = -1,
                              .start = NAN,
                              .duration = NAN,
                              .share = NAN,
                              .to_go = NAN,
                              .max_acceleration = NAN,
                              .max_jerk = NAN,
                              .gap_front = NAN,
                              .gap_rear = NAN};
    if (p->to < 0)
        return;
    const lane_curve *curve = &p->curve;
    const double passed = run_time(r) - curve->start;
    const double middle = run_lane_middle(r, slot, p->to, NULL);
    out->start = curve->start;
    out->duration = curve->duration;
    out->share = fmin(fmax(passed / curve->duration, 0.0), 1.0);
    out->to_go = isnan(middle) ? NAN : middle - r->motion[slot].y;
    bounds_of(curve, &out->max_acceleration, &out->max_jerk);
    gaps_at_end(r, slot, p->to, fmax(curve->duration - passed, 0.0), out);
}

void mc_run_lateral_of(const mc_run *r, int vehicle, mc_run_lateral *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const int slot = r->slot[vehicle];
    const run_car *c = &r->car[slot];
    const mc_motion *m = &r->motion[slot];
    const run_where *w = r->where ? &r->where[slot] : NULL;
    const bool hand = c->flags & (RUN_HAND | RUN_DRIVER_FILE);
    *out =
        (mc_run_lateral){.by_hand = hand,
                         .law = "",
                         .lane = r->rare[slot].lane,
                         .offset = NAN,
                         .yaw_desired = NAN,
                         .road_yaw = w ? m->v * w->curvature / (1.0 - w->curvature * m->y) : 0.0};
    out->lane_y = run_lane_middle(r, slot, out->lane, &out->lane_width);
    plan_of(r, slot, &out->plan);
    if (c->controller < 0)
        return;
    double x[STEERING_SIGNAL_COUNT] = {0};
    run_steer_signals(r, slot, 0.0, x);
    out->law = r->laws[r->controllers[c->controller].law[RUN_STEERING]].text->name;
    out->offset = x[STEERING_OFFSET];
    out->yaw_desired = m->v * x[STEERING_CURVATURE];
}
