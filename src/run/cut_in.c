// cut_in.c - which cars respond to another that cut in, and how; see cut_in.h.
#include "run/cut_in.h"

#include "control/cut_in.h"
#include "run/event.h"
#include "run/sense.h"
#include "run/watch.h"
#include "run/where.h"

#include <math.h>

void run_cut_in_begin(mc_run *r)
{
    run_list_clear(&run_watch_lists(r)->fronts);
}

static double tail_of(const mc_run *r, int slot)
{
    return r->motion[slot].x + r->car[slot].tail;
}

mc_status run_cut_in_watch(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    run_watch *w = r->watch;
    if (!r->changing)
        return MC_OK;
    run_list_sort(&w->fronts);
    for (int k = 0; k < w->fronts.count && status == MC_OK; k++) {
        const int slot = w->fronts.slots[k];
        const run_car *c = &r->car[slot];
        const int front = c->front, before = w->front_before[slot];
        if (front == before || front < 0 || c->controller < 0 ||
            (before >= 0 && tail_of(r, front) >= tail_of(r, before)))
            continue;
        const bool changes = c->flags & RUN_CHANGES, cuts = r->car[front].flags & RUN_CHANGES;
        if (!changes && !cuts)
            continue;
        run_rare *rare = &r->rare[slot];
        run_respond(r, slot, RUN_RESPONDS);
        run_list_add(&w->responds, slot);
        r->responding = true;
        const double gap = run_gap(r, slot);
        if (changes || gap >= c->distance + c->headway * r->motion[slot].v)
            continue; // it went there itself, or there was room
        rare->cut_ins++;
        r->counts.cut_ins++;
        status = run_note(r, EVENT_CUT_IN, rare->vehicle, gap, error);
    }
    run_list_clear(&w->fronts);
    return status;
}

double run_cut_in_response(mc_run *r, int slot, double asked)
{
    const run_car *c = &r->car[slot];
    if (c->front < 0) {
        run_respond(r, slot, RUN_SATISFIED);
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
    run_respond(r, slot, content ? RUN_SATISFIED : RUN_RESPONDS);
    return a;
}

// Whether four cars at a time can respond with this one among them.
static bool is_plain(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    return c->front >= 0 && !(c->flags & (RUN_SENSES_BADLY | RUN_SHIFTS | RUN_HEARS_BADLY)) &&
           !(r->car[c->front].flags & RUN_HELD) && !r->where && r->s->obstacle_count == 0;
}

// One to four of them; lanes after the last repeat it.
static void respond_together(mc_run *r, int first, const int *slots, int count, double *desired)
{
    int four[4];
    double asked[4];
    for (int l = 0; l < 4; l++) {
        four[l] = slots[l < count ? l : count - 1];
        asked[l] = desired[four[l] - first];
    }
    const int content = r->respond(r, four, asked);
    for (int l = 0; l < count; l++) {
        double *to = &desired[slots[l] - first];
        if (content & RUN_CUT_IN_NOT_DONE) {
            *to = run_cut_in_response(r, slots[l], *to);
            continue;
        }
        *to = asked[l];
        run_respond(r, slots[l], content >> l & 1 ? RUN_SATISFIED : RUN_RESPONDS);
    }
}

void run_cut_in_respond(mc_run *r, int first, const int *slots, int count, double *desired)
{
    int four[4], waiting = 0;
    for (int k = 0; k < count; k++) {
        if (!is_plain(r, slots[k])) {
            desired[slots[k] - first] = run_cut_in_response(r, slots[k], desired[slots[k] - first]);
            continue;
        }
        four[waiting++] = slots[k];
        if (waiting == 4) {
            respond_together(r, first, four, waiting, desired);
            waiting = 0;
        }
    }
    if (waiting > 0)
        respond_together(r, first, four, waiting, desired);
}

void run_cut_in_end(mc_run *r)
{
    if (!r->responding)
        return;
    r->responding = false;
    run_list *l = &run_watch_lists(r)->responds;
    int kept = 0;
    for (int k = 0; k < l->count; k++) {
        const int slot = l->slots[k];
        const unsigned flags = r->car[slot].flags;
        const int front = r->car[slot].front;
        const bool settled =
            !(flags & RUN_CHANGES) && (front < 0 || !(r->car[front].flags & RUN_CHANGES));
        if ((flags & RUN_CONTENT && settled) || r->car[slot].controller < 0)
            run_respond(r, slot, RUN_AT_EASE);
        if (!(r->car[slot].flags & RUN_RESPONDING))
            l->has[slot] = 0;
        else
            l->slots[kept++] = slot;
    }
    l->count = kept;
    r->responding = kept > 0;
}
