// ersc.c - check-in, check-out, levels, blind spots; see ersc.h.
#include "run/ersc.h"

#include "base/assert.h"
#include "run/control.h"
#include "run/event.h"
#include "run/lane_use.h"
#include "run/traffic.h"
#include "run/where.h"

#include <math.h>
#include <stdio.h>

static const double SIDEWAYS = 0.2; // m/s, speed towards a car beside it that is a warning

static const ersc_level *level_of(const mc_run *r)
{
    return ersc_level_at(r->ersc);
}

static bool in_automated_lane(const mc_run *r, int slot)
{
    const run_rare *rare = &r->rare[slot];
    const int lanes = level_of(r)->automated_lanes;
    return run_path_of(r, slot) == 0 &&
           (rare->lane < lanes || (rare->path.to >= 0 && rare->path.to < lanes));
}

// ---- functions ----

// A car that its driver steers is on no curve to another lane.
static void give_wheel(mc_run *r, int slot)
{
    run_path *p = &r->rare[slot].path;
    p->from = p->to = -1;
    run_wait_for(r, slot, -1);
    r->car[slot].flags &= ~(unsigned)RUN_CHANGES;
    r->grouped = r->ordered = false;
}

void run_ersc_functions(mc_run *r, int slot)
{
    run_car *c = &r->car[slot];
    const run_ersc *e = &r->rare[slot].ersc;
    if (!e->checked_in)
        return;
    const ersc_level *level = level_of(r);
    const bool steered = !level->keeps_lane && e->driver != RUN_DRIVER_MODEL;
    c->flags = level->avoids ? c->flags | RUN_AVOIDS : c->flags & ~(unsigned)RUN_AVOIDS;
    if (steered && !(c->flags & RUN_STEERED))
        give_wheel(r, slot);
    c->flags = steered ? c->flags | RUN_STEERED : c->flags & ~(unsigned)RUN_STEERED;
    if (!level->changes_lanes)
        c->flags &= ~(unsigned)RUN_DECIDES;
    else if (r->s->controllers[c->controller].free_lanes)
        c->flags |= RUN_DECIDES;
    r->traffic = r->traffic || c->flags & RUN_DECIDES;
    r->grouped = false;
}

bool run_ersc_may_change(const mc_run *r, char *text, size_t size)
{
    if (r->ersc == 0 || level_of(r)->changes_lanes)
        return true;
    snprintf(text, size,
             "automatic lane change needs ERSC level %d, this is level %d; its driver can change "
             "lanes (driver_lane)",
             ERSC_LEVEL_MAX, r->ersc);
    return false;
}

void run_ersc_drive(mc_run *r, int slot, bool hand)
{
    run_ersc *e = &r->rare[slot].ersc;
    const bool file = r->s->vehicles[r->rare[slot].vehicle].driver;
    e->driver = hand ? RUN_DRIVER_HAND : file ? RUN_DRIVER_BY_FILE : RUN_DRIVER_MODEL;
    run_ersc_functions(r, slot);
}

// ---- check-in ----

static bool sensor_is_faulty(const mc_run *r, int slot)
{
    const double *p = r->rare[slot].fault.sensor;
    const int controller = r->car[slot].controller;
    for (int k = 0; k < SENSOR_PARAM_COUNT; k++) {
        const double usual =
            controller < 0 ? sensor_params[k].fallback : r->s->controllers[controller].sensor[k];
        if (p[k] != usual)
            return true;
    }
    return r->rare[slot].fault.gap_wave.amplitude != 0.0;
}

static int controller_for(const mc_run *r, int slot)
{
    return r->s->ersc.controller >= 0 ? r->s->ersc.controller : r->car[slot].controller;
}

// The gap from which the new controller can take over without braking harder than comfortable:
// v r + max(0, v^2 - v_front^2)/(2 b), as for a change of lanes.
static bool is_too_near(const mc_run *r, int slot)
{
    const int front = r->car[slot].front;
    if (front < 0)
        return false;
    const double *p = r->s->controllers[controller_for(r, slot)].lane_change;
    const double v = r->motion[slot].v, v_front = r->motion[front].v;
    const double needed = v * p[LANE_CHANGE_REACTION] +
                          fmax(0.0, v * v - v_front * v_front) / (2.0 * r->s->ersc.p[ERSC_BRAKING]);
    return run_gap(r, slot) < needed;
}

static bool is_outside(const mc_run *r, int slot)
{
    double width;
    const double middle = run_lane_middle(r, slot, r->rare[slot].lane, &width);
    return !(fabs(r->motion[slot].y - middle) < 0.5 * width);
}

event_rejection run_ersc_rejects_in(const mc_run *r, int slot)
{
    const run_rare *rare = &r->rare[slot];
    return r->ersc == 0                         ? REJECTED_OFF
           : rare->ersc.checked_in              ? REJECTED_ALREADY
           : controller_for(r, slot) < 0        ? REJECTED_NO_CONTROLLER
           : rare->fault.brake_left < 1.0       ? REJECTED_BRAKE
           : !isnan(rare->fault.throttle_stuck) ? REJECTED_THROTTLE
           : sensor_is_faulty(r, slot)          ? REJECTED_SENSOR
           : rare->hits > 0                     ? REJECTED_HIT
           : run_path_of(r, slot) != 0          ? REJECTED_RAMP
           : rare->path.to >= 0                 ? REJECTED_CHANGES
           : is_outside(r, slot)                ? REJECTED_OUTSIDE
           : is_too_near(r, slot)               ? REJECTED_GAP
                                                : REJECTED_NOT;
}

mc_status run_ersc_check_in(mc_run *r, int slot, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    const event_rejection why = run_ersc_rejects_in(r, slot);
    if (why != REJECTED_NOT) {
        rare->ersc.rejections++;
        return run_note(r, EVENT_CHECK_IN_REJECTED, rare->vehicle, why, error);
    }
    const unsigned flags = r->car[slot].flags;
    rare->ersc.checked_in = 1;
    rare->ersc.driver = flags & RUN_HAND          ? RUN_DRIVER_HAND
                        : flags & RUN_DRIVER_FILE ? RUN_DRIVER_BY_FILE
                                                  : RUN_DRIVER_MODEL;
    rare->ersc.controller = r->car[slot].controller;
    run_give_controller(r, slot, controller_for(r, slot));
    run_ersc_functions(r, slot);
    return run_note(r, EVENT_CHECKED_IN, rare->vehicle, rare->lane + 1.0, error);
}

// ---- check-out ----

event_rejection run_ersc_rejects_out(const mc_run *r, int slot)
{
    return !r->rare[slot].ersc.checked_in ? REJECTED_NOT_IN
           : in_automated_lane(r, slot)   ? REJECTED_LANE
                                          : REJECTED_NOT;
}

// Its driver has it back, as before check-in.
static mc_status give_back(mc_run *r, int slot, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    run_car *c = &r->car[slot];
    rare->ersc.checked_in = 0;
    c->flags &= ~(unsigned)RUN_STEERED;
    run_give_controller(r, slot, rare->ersc.controller);
    if (rare->ersc.driver != RUN_DRIVER_MODEL)
        give_wheel(r, slot);
    c->flags |= rare->ersc.driver == RUN_DRIVER_HAND      ? RUN_HAND
                : rare->ersc.driver == RUN_DRIVER_BY_FILE ? RUN_DRIVER_FILE
                                                          : 0;
    return run_note(r, EVENT_CHECKED_OUT, rare->vehicle, rare->lane + 1.0, error);
}

mc_status run_ersc_check_out(mc_run *r, int slot, mc_error *error)
{
    const event_rejection why = run_ersc_rejects_out(r, slot);
    if (why != REJECTED_NOT)
        return run_note(r, EVENT_CHECK_OUT_REJECTED, r->rare[slot].vehicle, why, error);
    return give_back(r, slot, error);
}

// ---- levels ----

mc_status run_ersc_check_level(const mc_run *r, double level, mc_error *error)
{
    if (!(level >= 0.0 && level <= ERSC_LEVEL_MAX && level == floor(level)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "level %g of the ERSC, expected a whole number 0 .. %d", level,
                            ERSC_LEVEL_MAX);
    if (level > 0.0 && r->road.lane_count < ERSC_LANES_MIN)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the ERSC needs a road with at least %d lanes, this one has %d",
                            ERSC_LANES_MIN, r->road.lane_count);
    return MC_OK;
}

mc_status run_ersc_switch(mc_run *r, int level, mc_error *error)
{
    const bool down = level < r->ersc;
    mc_status status = MC_OK;
    r->ersc = level;
    run_lane_use_prepare(r);
    for (int v = 0; v < r->count && status == MC_OK; v++) {
        const int slot = r->slot[v];
        if (!r->rare[slot].ersc.checked_in)
            continue;
        if (down && !level_of(r)->changes_lanes)
            run_wait_for(r, slot, -1); // it does not change lanes by itself any more
        if (down && !in_automated_lane(r, slot))
            status = give_back(r, slot, error);
        else
            run_ersc_functions(r, slot);
    }
    return status;
}

// ---- blind spots ----

// Beside a car, or behind it as far as the warning watches.
static bool is_beside(const mc_run *r, int slot, int other)
{
    if (other < 0)
        return false;
    const run_car *c = &r->car[slot], *o = &r->car[other];
    const double x = r->motion[slot].x, y = r->motion[other].x;
    return y + o->tail < x + c->nose && y + o->nose > x + c->tail - r->s->ersc.p[ERSC_BLIND_SPOT];
}

// Whether a car moves to a side, or is about to: 0 left, 1 right.
static bool moves_to(const mc_run *r, int slot, int side)
{
    const run_rare *rare = &r->rare[slot];
    const mc_motion *m = &r->motion[slot];
    const double left = m->v * sin(m->psi) + m->v_y * cos(m->psi);
    const int aim = rare->path.to >= 0 ? rare->path.to : rare->path.wait;
    return (side ? -left : left) > SIDEWAYS ||
           (aim >= 0 && (side ? aim > rare->lane : aim < rare->lane));
}

static mc_status watch(mc_run *r, int slot, mc_error *error)
{
    run_ersc *e = &r->rare[slot].ersc;
    mc_status status = MC_OK;
    for (int side = 0; side < 2 && status == MC_OK; side++) {
        const run_beside *b = &r->beside[slot];
        const int bit = side ? RUN_WARNED_RIGHT : RUN_WARNED_LEFT;
        e->blind[side] = is_beside(r, slot, b->rear[side])    ? b->rear[side]
                         : is_beside(r, slot, b->front[side]) ? b->front[side]
                                                              : -1;
        const bool warned = e->blind[side] >= 0 && moves_to(r, slot, side);
        if (warned && !(e->warned & bit))
            status = run_note(r, EVENT_BLIND_SPOT, r->rare[slot].vehicle,
                              r->rare[e->blind[side]].vehicle + 1.0, error);
        e->warned = warned ? e->warned | bit : e->warned & ~bit;
    }
    return status;
}

mc_status run_ersc_watch(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    run_traffic_neighbours(r);
    for (int v = 0; v < r->count && status == MC_OK; v++)
        status = watch(r, r->slot[v], error);
    return status;
}

// ---- seen from outside ----

void mc_run_ersc_of(const mc_run *r, int vehicle, mc_run_ersc *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const int slot = r->slot[vehicle];
    const run_ersc *e = &r->rare[slot].ersc;
    const event_rejection why =
        e->checked_in ? run_ersc_rejects_out(r, slot) : run_ersc_rejects_in(r, slot);
    *out = (mc_run_ersc){.checked_in = e->checked_in,
                         .flashes = e->flashes,
                         .rejections = e->rejections,
                         .rejection = why == REJECTED_NOT ? "" : event_rejections[why]};
    for (int side = 0; side < 2; side++)
        out->blind[side] = e->blind[side] < 0 ? -1 : r->rare[e->blind[side]].vehicle;
}

int mc_run_check_in_rejected(const mc_run *r)
{
    int count = 0;
    for (int slot = 0; slot < r->count; slot++)
        count += r->rare[slot].ersc.rejections;
    return count;
}

bool mc_run_has_ersc(const mc_run *r)
{
    bool has = r->s->ersc.level > 0;
    for (int k = 0; k < r->s->event_count; k++)
        has = has || r->s->events[k].kind == EVENT_ERSC;
    return has;
}
