// cut_in.c - which cars respond to another that cut in, and how; see cut_in.h.
#include "run/cut_in.h"

#include "control/cut_in.h"
#include "run/event.h"
#include "run/sense.h"
#include "run/where.h"

#include <math.h>

mc_status run_cut_in_room(mc_run *r, mc_error *error)
{
    r->front_before = arena_alloc(&r->memory, ((size_t)r->count + 1) * sizeof *r->front_before);
    return r->front_before ? MC_OK
                           : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
}

void run_cut_in_begin(mc_run *r)
{
    for (int slot = 0; (r->changing || r->traffic) && slot < r->count; slot++)
        r->front_before[slot] = r->car[slot].front;
}

static double tail_of(const mc_run *r, int slot)
{
    return r->motion[slot].x + r->car[slot].tail;
}

mc_status run_cut_in_watch(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    for (int slot = 0; r->changing && slot < r->count && status == MC_OK; slot++) {
        const run_car *c = &r->car[slot];
        const int front = c->front, before = r->front_before[slot];
        r->front_before[slot] = front;
        if (front == before || front < 0 || c->controller < 0 ||
            (before >= 0 && tail_of(r, front) >= tail_of(r, before)))
            continue;
        const bool changes = c->flags & RUN_CHANGES, cuts = r->car[front].flags & RUN_CHANGES;
        if (!changes && !cuts)
            continue;
        run_rare *rare = &r->rare[slot];
        run_respond(r, slot, RUN_RESPONDS);
        r->responding = true;
        const double gap = run_gap(r, slot);
        if (changes || gap >= c->distance + c->headway * r->motion[slot].v)
            continue; // it went there itself, or there was room
        rare->cut_ins++;
        r->counts.cut_ins++;
        status = run_note(r, EVENT_CUT_IN, rare->vehicle, gap, error);
    }
    return status;
}

double run_cut_in_response(mc_run *r, int slot, double asked)
{
    const run_car *c = &r->car[slot];
    if (c->front < 0) {
        run_respond(r, slot, RUN_CONTENT);
        return asked;
    }
    const mc_motion *front = &r->motion[c->front];
    const cut_in now = {.law = asked,
                        .braking = r->s->controllers[c->controller].lane_change[LANE_CHANGE_CUT_IN],
                        .safe = run_avoid(r, slot),
                        .gap = run_gap(r, slot),
                        .distance = c->distance,
                        .v = r->motion[slot].v,
                        .v_front = front->v,
                        .a_front = front->a};
    bool content;
    const double a = cut_in_acceleration(&now, &content);
    run_respond(r, slot, content ? RUN_CONTENT : RUN_RESPONDS);
    return a;
}

void run_cut_in_end(mc_run *r)
{
    if (!r->responding)
        return;
    r->responding = false;
    for (int slot = 0; slot < r->count; slot++) {
        if (!(r->car[slot].flags & RUN_RESPONDING))
            continue;
        const run_rare *rare = &r->rare[slot];
        const int front = r->car[slot].front;
        const bool settled = !(r->car[slot].flags & RUN_CHANGES) &&
                             (front < 0 || !(r->car[front].flags & RUN_CHANGES));
        if ((rare->responds == RUN_CONTENT && settled) || r->car[slot].controller < 0)
            run_respond(r, slot, RUN_AT_EASE);
        r->responding = r->responding || rare->responds != RUN_AT_EASE;
    }
}
