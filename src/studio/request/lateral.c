// lateral.c - what a car does across the road: its path, its lane-change plan, its wheels.
#include "studio/request/requests.h"

#include "motorcade/observe.h"
#include "studio/hub/json.h"
#include "studio/request/card.h"

static const char *name_of(const mc_run *run, int vehicle)
{
    return vehicle < 0 ? "" : mc_run_vehicle_name(run, vehicle);
}

// Lanes count from 1 on the wire.
static json_t *plan_json(const mc_run *run, const mc_run_lane_plan *p)
{
    json_t *out = json_object();
    json_put(out, "from", json_integer(p->from + 1));
    json_put(out, "to", json_integer(p->to + 1));
    json_put(out, "start", json_value(p->start));
    json_put(out, "duration", json_value(p->duration));
    json_put(out, "share", json_value(p->share));
    json_put(out, "to_go", json_value(p->to_go));
    json_put(out, "max_acceleration", json_value(p->max_acceleration));
    json_put(out, "max_jerk", json_value(p->max_jerk));
    json_put(out, "front", json_string(name_of(run, p->front)));
    json_put(out, "rear", json_string(name_of(run, p->rear)));
    json_put(out, "gap_front", json_value(p->gap_front));
    json_put(out, "gap_rear", json_value(p->gap_rear));
    return out;
}

static json_t *wheels_json(const mc_run *run, int vehicle)
{
    mc_wheel wheels[MC_WHEEL_MAX];
    const int count = mc_run_wheels(run, vehicle, wheels);
    json_t *list = json_array();
    for (int q = 0; q < count; q++) {
        const mc_wheel *w = &wheels[q];
        json_t *one = json_object();
        json_put(one, "x", json_value(w->x));
        json_put(one, "y", json_value(w->y));
        json_put(one, "steer", json_value(w->steer));
        json_put(one, "fx", json_value(w->fx));
        json_put(one, "fy", json_value(w->fy));
        json_put(one, "fz", json_value(w->fz));
        json_put(one, "mu", json_value(w->mu));
        json_put(one, "use", json_value(mc_wheel_use(w)));
        json_array_append_new(list, one);
    }
    return list;
}

static void lateral_of(request *r, const branch *b, const visit *at, int v, const char *vehicle)
{
    (void)b, (void)vehicle;
    mc_run_lateral l;
    json_t *out = json_object();
    mc_run_lateral_of(at->run, v, &l);
    json_put(out, "t", json_value(mc_run_time(at->run)));
    json_put(out, "by_hand", json_boolean(l.by_hand));
    json_put(out, "law", json_string(l.law));
    json_put(out, "lane", json_integer(l.lane + 1));
    json_put(out, "lane_y", json_value(l.lane_y));
    json_put(out, "lane_width", json_value(l.lane_width));
    json_put(out, "offset", json_value(l.offset));
    json_put(out, "yaw_desired", json_value(l.yaw_desired));
    json_put(out, "road_yaw", json_value(l.road_yaw));
    if (l.plan.waits_for >= 0)
        json_put(out, "waits_for", json_integer(l.plan.waits_for + 1));
    if (l.plan.to >= 0)
        json_put(out, "plan", plan_json(at->run, &l.plan));
    json_put(out, "wheels", wheels_json(at->run, v));
    request_done(r, out);
}

void request_lateral(request *r)
{
    card_answer_at(r, lateral_of);
}
