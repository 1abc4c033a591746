// exit.c - cars that leave at an off-ramp; see exit.h.
#include "run/exit.h"

#include "run/event.h"
#include "run/where.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EARLY = 20.0;   // s, per lane to be crossed
static const double SLOWEST = 15.0; // m/s, at least, in the distance for that
static const double COMFORT = 1.0;  // m/s^2, slowing down to the speed of the ramp
static const double GAIN = 0.5;     // 1/s, keeping that speed on the ramp
static const double INSIDE = 0.75;  // of a lane change, after which a car is in the new lane

int run_exit_find(const mc_run *r, const char *name)
{
    mc_road_ramp ramp;
    for (int k = 0; name && mc_road_ramp_at(&r->road, k, &ramp); k++)
        if (!ramp.on && strcmp(ramp.name, name) == 0)
            return k;
    return -1;
}

mc_status run_exit_send(mc_run *r, int slot, const scenario_event *e, mc_error *error)
{
    const char *name = mc_run_vehicle_name(r, r->rare[slot].vehicle);
    const char *file = e->place.line ? r->s->file : NULL;
    mc_road_ramp ramp;
    if (e->value < 0.0) {
        r->rare[slot].exit = -1;
        return MC_OK;
    }
    if (!mc_road_ramp_at(&r->road, (int)e->value, &ramp) || ramp.on)
        return mc_error_set(error, MC_BAD_INPUT, file, e->place.line, e->place.column,
                            "%s: there is no such off-ramp", name);
    if (r->car[slot].controller < 0)
        return mc_error_set(error, MC_BAD_INPUT, file, e->place.line, e->place.column,
                            "%s has no controller that could change lanes", name);
    r->rare[slot].exit = (int)e->value;
    r->traffic = true;
    return MC_OK;
}

// The ramp of a car that is still on the road; false: it has none, or drives on it.
static bool ramp_ahead(const mc_run *r, int slot, mc_road_ramp *ramp)
{
    return r->where && r->rare[slot].exit >= 0 &&
           mc_road_ramp_at(&r->road, r->rare[slot].exit, ramp) && r->where[slot].path == ramp->main;
}

// The through lane beside the deceleration lane.
static int lane_before(const mc_run *r, const mc_road_ramp *ramp)
{
    return ramp->lane < r->road.lane_count ? ramp->lane : r->road.lane_count - 1;
}

bool run_exit_near(const mc_run *r, int slot)
{
    mc_road_ramp ramp;
    if (!ramp_ahead(r, slot, &ramp))
        return false;
    const int across = abs(lane_before(r, &ramp) - r->rare[slot].lane) + 1;
    const double v = fmax(r->motion[slot].v, SLOWEST);
    return ramp.from - r->where[slot].station < across * EARLY * v;
}

int run_exit_lane(const mc_run *r, int slot)
{
    mc_road_ramp ramp;
    return ramp_ahead(r, slot, &ramp) && r->where[slot].station >= ramp.from &&
                   r->where[slot].station < ramp.at
               ? ramp.lane
               : -1;
}

// s, a lane change from rest, over that width.
static double change_time(const mc_run *r, int slot, double width)
{
    const double *p = r->s->controllers[r->car[slot].controller].lane_change;
    return fmax(sqrt(10.0 / sqrt(3.0) * width / p[LANE_CHANGE_ACCELERATION]),
                cbrt(60.0 * width / p[LANE_CHANGE_JERK]));
}

// The off-ramp after one of them: the first that begins further on; -1: none.
static int next_exit(const mc_run *r, const mc_road_ramp *missed)
{
    mc_road_ramp ramp;
    double nearest = HUGE_VAL;
    int found = -1;
    for (int k = 0; mc_road_ramp_at(&r->road, k, &ramp); k++)
        if (!ramp.on && ramp.main == missed->main && ramp.at > missed->at && ramp.at < nearest)
            nearest = ramp.at, found = k;
    return found;
}

static mc_status miss(mc_run *r, int slot, const mc_road_ramp *ramp, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    const mc_status status = run_note(r, EVENT_EXIT_MISSED, rare->vehicle, rare->exit, error);
    if (rare->path.wait == ramp->lane)
        run_wait_for(r, slot, -1);
    rare->exit = next_exit(r, ramp);
    return status;
}

static mc_status step(mc_run *r, int slot, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    mc_road_ramp ramp;
    if (!ramp_ahead(r, slot, &ramp) || r->car[slot].controller < 0)
        return MC_OK;
    const int lane = rare->path.to >= 0 ? rare->path.to : rare->lane;
    const double station = r->where[slot].station, left = ramp.at - station;
    if (lane == ramp.lane)
        return station > ramp.at ? miss(r, slot, &ramp, error) : MC_OK;
    if (left < INSIDE * r->motion[slot].v * change_time(r, slot, r->road.lane_width))
        return miss(r, slot, &ramp, error);
    const int before = lane_before(r, &ramp);
    if (lane == before && run_exit_lane(r, slot) >= 0 &&
        !isnan(run_lane_middle(r, slot, ramp.lane, NULL)))
        run_wait_for(r, slot, ramp.lane);
    else if (lane != before && run_exit_near(r, slot))
        run_wait_for(r, slot, before);
    return MC_OK;
}

mc_status run_exit_steps(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    for (int v = 0; v < r->count && status == MC_OK; v++)
        if (r->rare[r->slot[v]].exit >= 0)
            status = step(r, r->slot[v], error);
    return status;
}

double run_exit_limit(const mc_run *r, int slot)
{
    const run_rare *rare = &r->rare[slot];
    mc_road_ramp ramp;
    if (!r->where || rare->exit < 0 || !mc_road_ramp_at(&r->road, rare->exit, &ramp) ||
        isnan(ramp.speed))
        return HUGE_VAL;
    const double v = r->motion[slot].v;
    if (r->where[slot].path == ramp.path)
        return GAIN * (ramp.speed - v);
    if (r->where[slot].path != ramp.main || rare->lane != ramp.lane || v <= ramp.speed)
        return HUGE_VAL;
    const double left = fmax(ramp.at - r->where[slot].station, 1.0);
    const double need = (v * v - ramp.speed * ramp.speed) / (2.0 * left);
    return need > COMFORT ? -need : HUGE_VAL;
}

void run_exit_carry(const mc_run *old, int from, mc_run *fresh, int to)
{
    const int was = old->rare[from].exit;
    mc_road_ramp ramp;
    if (was >= 0 && mc_road_ramp_at(&old->road, was, &ramp))
        fresh->rare[to].exit = run_exit_find(fresh, ramp.name);
    else
        fresh->rare[to].exit = -1;
    fresh->traffic = fresh->traffic || fresh->rare[to].exit >= 0;
}
