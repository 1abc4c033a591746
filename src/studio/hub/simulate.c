// simulate.c - the clock and the loop.
//
// One turn of the loop: what pages asked for, pedals, a slice for branches that are behind, steps
// as the clock asks for them, frames to the pages. A slice is short, so commands are prompt.
#include "studio/hub/simulate.h"

#include "studio/hub/branch.h"
#include "studio/hub/budget.h"
#include "studio/hub/drive.h"
#include "studio/hub/fork.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/hub/message.h"
#include "studio/hub/publish.h"
#include "studio/hub/queue.h"
#include "studio/hub/request.h"
#include "studio/hub/step.h"

#include <math.h>

#define SLICE_LIVE 0.05    // s of real time, for steps asked for by the clock
#define SLICE_BEHIND 0.015 // s, for branches that are behind
#define QUANTUM 0.02       // s of simulated time that all branches take together
#define REPORT_AGE 10.0    // s, a page that was silent for longer does not play
#define CLOCK_EVERY 0.2    // s
#define LOOK_EVERY 0.1     // s, at pages that are silent

// A slice for all branches that are behind together, in turn; true: some may still be.
static bool catch_up(hub *h)
{
    const double until = hub_now() + SLICE_BEHIND;
    const int count = h->slot_count, first = h->behind_first;
    for (int k = 0; k < count; k++) {
        const int slot = (first + k) % count;
        branch *b = h->branches[slot];
        if (!b || !step_is_behind(h, b))
            continue;
        h->clock_due = true;
        h->behind_first = slot + 1;
        if (!step_to(h, b, h->live, until) || hub_now() > until)
            return true;
    }
    return false;
}

// ---- the clock ----

// The rate at which a page plays at the live end, its number, and where it is to rest; 0: none
// does. Pages that may only look do not count, unless there are no others.
static double requested_rate(hub *h, int *by, double *rest)
{
    double rate = 0.0, newest = hub_now() - REPORT_AGE;
    *rest = INFINITY;
    pthread_mutex_lock(&h->lock);
    for (const hub_page *p = h->pages; p; p = p->next)
        if (p->greeted && (!p->read_only || h->options.read_only) && p->place.playing &&
            p->place.live && p->place.rate > 0.0 && p->reported > newest) {
            newest = p->reported;
            rate = p->place.rate;
            *by = p->number;
            *rest = p->place.until;
        }
    pthread_mutex_unlock(&h->lock);
    return rate;
}

// The shortest step of the branches that can continue, s; INFINITY: none can.
static double min_step(const hub *h)
{
    double min = INFINITY;
    for (int k = 0; k < h->slot_count; k++)
        if (h->branches[k] && h->branches[k]->run && h->branches[k]->state == BRANCH_RUNNING)
            min = fmin(min, mc_run_step_size(h->branches[k]->run));
    return min;
}

static bool any_ended(const hub *h)
{
    for (int k = 0; k < h->slot_count; k++)
        if (h->branches[k] && h->branches[k]->run && h->branches[k]->state == BRANCH_ENDED)
            return true;
    return false;
}

// All branches that are level advance to t together. False: the time is up.
static bool advance_level(hub *h, double t, double until)
{
    double reached = -INFINITY;
    bool there = true;
    for (int k = 0; k < h->slot_count; k++) {
        branch *b = h->branches[k];
        if (!b || !b->run || b->state != BRANCH_RUNNING || step_is_behind(h, b))
            continue;
        there = step_to(h, b, t, until) && there;
        reached = fmax(reached, b->end);
    }
    if (reached > h->live)
        h->live = reached;
    return there;
}

// How far all advance together at a time: at least one step of each.
static double turn_of(const hub *h)
{
    double turn = QUANTUM;
    for (int k = 0; k < MAX_BRANCHES; k++)
        if (h->branches[k] && h->branches[k]->run && h->branches[k]->state == BRANCH_RUNNING)
            turn = fmax(turn, mc_run_step_size(h->branches[k]->run));
    return turn;
}

// Steps due by the clock. Returns when the next one is due, s of hub_now.
static double advance(hub *h)
{
    const double step = min_step(h), now = hub_now();
    if (now >= h->requested_next) {
        int by = 0;
        h->requested = requested_rate(h, &by, &h->requested_rest);
        // A page that pauses while another one plays must know soon that it is not waited for.
        h->clock_due = h->clock_due || by != h->clock_by;
        h->clock_by = by;
        h->requested_next = now + LOOK_EVERY;
    }
    const double requested = h->requested;
    const bool rests = !isfinite(step) || h->live > h->requested_rest - 0.75 * step;
    const double rate = rests ? 0.0 : requested;
    const bool at_end = requested > 0.0 && !isfinite(step) && any_ended(h);
    h->clock_due = h->clock_due || at_end != h->at_end;
    h->at_end = at_end;
    if ((rate > 0.0) != h->running || rate != h->clock_rate) {
        h->running = rate > 0.0;
        h->clock_rate = rate;
        h->clock_real = now;
        h->clock_sim = h->live;
        h->clock_due = true;
    }
    if (!h->running)
        return INFINITY;
    const double due = h->clock_sim + (now - h->clock_real) * rate;
    const double target = fmin(due, h->requested_rest);
    const double until = now + SLICE_LIVE;
    bool in_time = true;
    while (in_time && h->live < target) {
        const double before = h->live, to = fmin(target, h->live + turn_of(h));
        in_time = advance_level(h, to, until) && hub_now() < until;
        if (h->live <= before) // the next step goes beyond the target
            break;
    }
    // Behind by more than a slice: the clock waits for the simulation, it does not run after it. A
    // step that is not due yet is not late, however long it takes to become due in slow motion.
    const double late = (target - h->live - 0.76 * step) / rate;
    if (late > SLICE_LIVE) {
        h->clock_real = hub_now();
        h->clock_sim = h->live;
        return h->clock_real; // no rest: on a busy machine it may last
    }
    // A step is done when three quarters of it are due; short ones are done some at a time.
    if (target < due) // to see that it rests
        return now;
    const double quantum = fmax(0.76 * step, fmin(QUANTUM, rate * 0.004));
    return h->clock_real + (h->live + quantum - h->clock_sim) / rate;
}

static void tell_clock(hub *h)
{
    const double now = hub_now();
    if (!(h->running && now - h->clock_told >= CLOCK_EVERY) &&
        !(h->clock_due && now - h->clock_told >= 0.05))
        return;
    h->load = now > h->busy_since ? h->busy / (now - h->busy_since) : 0.0;
    h->busy = 0.0;
    h->busy_since = h->clock_told = now;
    h->clock_due = false;
    json_t *out = json_object(), *branches = json_array();
    static const char *const states[] = {"running", "ended", "failed"};
    for (int k = 0; k < h->slot_count; k++) {
        branch *b = h->branches[k];
        if (!b)
            continue;
        fork_compare(h, b);
        json_t *entry = json_object();
        json_put(entry, "world", json_integer(b->number));
        json_put(entry, "end", json_value(b->end));
        json_put(entry, "headroom", json_value(b->headroom));
        json_put(entry, "state", json_string(states[b->state]));
        json_array_append_new(branches, entry);
    }
    json_put(out, "kind", json_string("clock"));
    json_put(out, "running", json_boolean(h->running));
    json_put(out, "rate", json_value(h->running ? h->clock_rate : 0.0));
    json_put(out, "by", json_integer(h->running ? h->clock_by : 0));
    json_put(out, "live", json_value(h->live));
    json_put(out, "load", json_value(h->load));
    json_put(out, "worlds", branches);
    if (h->at_end)
        json_put(
            out, "notice",
            json_string("the end of the scenario is reached: give it a later end to continue"));
    mail_broadcast(h, message_text(out), NULL);
}

// ---- the loop ----

// What pages did since the last turn; false: the thread is to end.
static bool next_turn(hub *h, unsigned *stirred)
{
    pthread_mutex_lock(&h->lock);
    const bool quit = h->quit;
    *stirred = h->stirred;
    h->stirred = 0;
    pthread_mutex_unlock(&h->lock);
    return !quit;
}

void *simulate_thread(void *context)
{
    hub *h = context;
    pthread_setname_np(pthread_self(), "studio-sim");
    double until = 0.0;
    h->busy_since = hub_now();
    for (unsigned stirred; next_turn(h, &stirred);) {
        for (int k = 0; k < 8; k++) {
            request *r = queue_next_simulation(h, k == 0 ? until : 0.0);
            if (!r)
                break;
            h->clock_due = true;
            if (request_is_needed(r))
                r->kind->run(r);
            if (r->again) { // others first, and the branches that are behind
                r->again = false;
                queue_post_again(h, r);
                break;
            }
            request_free(r);
        }
        if (stirred & STIR_PLACE)
            h->requested_next = 0.0;
        if (stirred & (STIR_PLACE | STIR_FRAMES))
            h->frames_next = 0.0;
        drive_pedals(h, stirred & STIR_PEDALS);
        until = advance(h);
        if (catch_up(h))
            until = 0.0;
        budget_keep(h);
        publish_frames(h);
        tell_clock(h);
        if (h->clock_due)
            until = fmin(until, h->clock_told + 0.051);
    }
    publish_end(h);
    return NULL;
}
