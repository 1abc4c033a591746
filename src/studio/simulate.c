// simulate.c - the simulation thread: commands, the clock, steps, frames.
//
// One turn of its loop: what pages asked for, pedals, a slice for worlds that are behind, steps as
// the clock asks for them, frames to the pages. A slice is short, so commands are prompt.
#include "studio/parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLICE_LIVE 0.05    // s of real time, for steps asked for by the clock
#define SLICE_BEHIND 0.015 // s, for worlds that are behind
#define QUANTUM 0.02       // s of simulated time that all worlds take together
#define REPORT_AGE 10.0    // s, a page that was silent for longer does not play
#define CLOCK_EVERY 0.2    // s
#define LOOK_EVERY 0.1     // s, at pages that are silent

// ---- steps ----

static void end_world(hub *h, world *w, world_state state, const char *text)
{
    pthread_mutex_lock(&w->lock);
    w->state = state;
    snprintf(w->message, sizeof w->message, "%.250s", text);
    pthread_mutex_unlock(&w->lock);
    if (state == WORLD_FAILED) {
        world_event e = {.t = w->end, .type = "failure", .value = NAN};
        snprintf(e.text, sizeof e.text, "%.150s", text);
        world_add_event(h, w, &e);
    }
    world_tell(h, w);
    h->clock_due = true;
}

// An entry of the log that makes no sense any more, such as a command to a car that is not there.
static void tell_dropped(hub *h, world *w, const log_entry *e, const char *why)
{
    world_event event = {.t = w->end, .type = "warning", .value = NAN};
    snprintf(event.text, sizeof event.text, "left out: %s%s%.32s: %.70s", e ? e->event : "command",
             e && e->vehicle[0] ? " of " : "", e ? e->vehicle : "", why);
    world_add_event(h, w, &event);
    json_t *out = json_object();
    json_put(out, "kind", json_string("changed"));
    json_put(out, "world", json_integer(w->number));
    json_put(out, "text", json_string(event.text));
    json_put(out, "by", json_string(""));
    json_put(out, "at", json_value(w->end));
    json_put(out, "branched", json_false());
    hub_broadcast(h, message_text(out), NULL);
}

static bool is_due(const world *w, const log_entry *e)
{
    if (e->step > 0)
        return e->step <= mc_run_step_count(w->run);
    return e->t < mc_run_time(w->run) + 0.5 * mc_run_step_size(w->run);
}

bool world_give_script(hub *h, world *w)
{
    bool changed = false, dropped = false, moved = false;
    for (; w->script_at < w->script_count && is_due(w, &w->script[w->script_at]); w->script_at++) {
        log_entry *e = &w->script[w->script_at];
        mc_error error = {0};
        moved = moved || fabs(e->t - mc_run_time(w->run)) > HISTORY_SAME;
        e->t = mc_run_time(w->run);
        if (log_entry_give(w, e, &error) == MC_OK) {
            world_note_entry(h, w, e, NULL);
            changed = changed || strcmp(e->event, "drive") != 0;
        } else {
            tell_dropped(h, w, e, error.text);
            dropped = true;
        }
    }
    if (dropped || moved)
        world_note_log(w, "");
    return changed || dropped;
}

// A command that turns out not to fit when it is carried out has been taken out of the log by then:
// the step is done without it. So no page can stop a world by what it asks for.
static mc_status step_on(hub *h, world *w, mc_error *error)
{
    enum { COMMANDS_MOST = 1000 };
    mc_status status = mc_timeline_step(w->line, error);
    const bool dropped = status == MC_BAD_INPUT;
    for (int k = 0; status == MC_BAD_INPUT && k < COMMANDS_MOST; k++) {
        tell_dropped(h, w, NULL, error->text);
        status = mc_timeline_step(w->line, error);
    }
    if (dropped)
        world_note_log(w, "");
    return status;
}

bool world_step(hub *h, world *w)
{
    mc_error error;
    const double t = mc_run_time(w->run);
    if (t > mc_run_limit(w->run) - 0.5 * mc_run_step_size(w->run)) {
        char text[120];
        snprintf(text, sizeof text, "the scenario ends here, at %g s: give it a later end to go on",
                 t);
        end_world(h, w, WORLD_ENDED, text);
        return false;
    }
    if (step_on(h, w, &error) != MC_OK) {
        end_world(h, w, WORLD_FAILED, error.text);
        return false;
    }
    const double now = mc_run_time(w->run);
    w->now_valid = false;
    if (now > w->next_row - 0.25 * mc_run_step_size(w->run)) {
        w->next_row = (floor(now / w->row + 1e-6) + 1.0) * w->row;
        if (!record_row(h, w)) {
            end_world(h, w, WORLD_FAILED, "no memory for the history");
            return false;
        }
    }
    pthread_mutex_lock(&w->lock);
    w->end = now;
    pthread_mutex_unlock(&w->lock);
    if (w->script_at < w->script_count && world_give_script(h, w))
        world_changed(h, w);
    if (w->saved_t > 0.0 && now > w->saved_t - 0.5 * mc_run_step_size(w->run))
        state_reached(h, w);
    return true;
}

bool world_behind(const hub *h, const world *w)
{
    return w->run && w->state == WORLD_RUNNING &&
           w->end < h->live - 0.75 * mc_run_step_size(w->run);
}

// Steps a world to t, or until the real time is over. False: not there yet.
bool world_run_to(hub *h, world *w, double t, double until)
{
    const double began = hub_now(), from = w->end;
    int steps = 0;
    bool there = false;
    while (!there && w->state == WORLD_RUNNING) {
        there = w->end > t - 0.75 * mc_run_step_size(w->run);
        if (there || !world_step(h, w) || (++steps % 4 == 0 && hub_now() > until))
            break;
    }
    const double spent = hub_now() - began;
    if (steps > 0 && spent > 0.0) {
        const double headroom = (w->end - from) / spent;
        pthread_mutex_lock(&w->lock);
        w->headroom = isnan(w->headroom) ? headroom : w->headroom + 0.2 * (headroom - w->headroom);
        pthread_mutex_unlock(&w->lock);
    }
    h->busy += spent;
    if (steps > 0)
        w->instant++;
    return there || w->state != WORLD_RUNNING;
}

// A slice for all worlds that are behind together, in turn; true: some may still be.
static bool catch_up(hub *h)
{
    const double until = hub_now() + SLICE_BEHIND;
    const int count = h->slot_count, first = h->behind_first;
    for (int k = 0; k < count; k++) {
        const int slot = (first + k) % count;
        world *w = h->worlds[slot];
        if (!w || !world_behind(h, w))
            continue;
        h->clock_due = true;
        h->behind_first = slot + 1;
        if (!world_run_to(h, w, h->live, until) || hub_now() > until)
            return true;
    }
    return false;
}

// ---- the clock ----

// The rate at which a page plays at the live end; 0: none does. Pages that may only look do not
// count, unless there are no others.
static double wanted_rate(hub *h)
{
    double rate = 0.0, newest = hub_now() - REPORT_AGE;
    pthread_mutex_lock(&h->lock);
    for (const hub_page *p = h->pages; p; p = p->next)
        if (p->greeted && (!p->read_only || h->options.read_only) && p->place.playing &&
            p->place.live && p->place.rate > 0.0 && p->reported > newest) {
            newest = p->reported;
            rate = p->place.rate;
        }
    pthread_mutex_unlock(&h->lock);
    return rate;
}

// The shortest step of the worlds that can go on, s; INFINITY: none can.
static double least_step(const hub *h)
{
    double least = INFINITY;
    for (int k = 0; k < h->slot_count; k++)
        if (h->worlds[k] && h->worlds[k]->run && h->worlds[k]->state == WORLD_RUNNING)
            least = fmin(least, mc_run_step_size(h->worlds[k]->run));
    return least;
}

static bool any_ended(const hub *h)
{
    for (int k = 0; k < h->slot_count; k++)
        if (h->worlds[k] && h->worlds[k]->run && h->worlds[k]->state == WORLD_ENDED)
            return true;
    return false;
}

// All worlds that are level go on to t together. False: the time is over.
static bool advance_level(hub *h, double t, double until)
{
    double reached = -INFINITY;
    bool there = true;
    for (int k = 0; k < h->slot_count; k++) {
        world *w = h->worlds[k];
        if (!w || !w->run || w->state != WORLD_RUNNING || world_behind(h, w))
            continue;
        there = world_run_to(h, w, t, until) && there;
        reached = fmax(reached, w->end);
    }
    if (reached > h->live)
        h->live = reached;
    return there;
}

// How far all go on together at a time: at least one step of each.
static double turn_of(const hub *h)
{
    double turn = QUANTUM;
    for (int k = 0; k < WORLDS_MOST; k++)
        if (h->worlds[k] && h->worlds[k]->run && h->worlds[k]->state == WORLD_RUNNING)
            turn = fmax(turn, mc_run_step_size(h->worlds[k]->run));
    return turn;
}

// Steps due by the clock. Returns when the next one is due, s of hub_now.
static double advance(hub *h)
{
    const double step = least_step(h), now = hub_now();
    if (now >= h->wanted_next) {
        h->wanted = wanted_rate(h);
        h->wanted_next = now + LOOK_EVERY;
    }
    const double wanted = h->wanted, rate = isfinite(step) ? wanted : 0.0;
    const bool at_end = wanted > 0.0 && !isfinite(step) && any_ended(h);
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
    const double target = h->clock_sim + (now - h->clock_real) * rate;
    const double until = now + SLICE_LIVE;
    bool in_time = true;
    while (in_time && h->live < target) {
        const double before = h->live, to = fmin(target, h->live + turn_of(h));
        in_time = advance_level(h, to, until) && hub_now() < until;
        if (h->live <= before) // the next step goes beyond the target
            break;
    }
    // Behind by more than a slice: the clock waits for the simulation, it does not run after it.
    const double late = (target - h->live) / rate;
    if (late > SLICE_LIVE) {
        h->clock_real = hub_now();
        h->clock_sim = h->live;
        return h->clock_real; // no rest: on a busy machine it may last
    }
    // A step is done when three quarters of it are due; short ones are done some at a time.
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
    json_t *out = json_object(), *worlds = json_array();
    static const char *const states[] = {"running", "ended", "failed"};
    for (int k = 0; k < h->slot_count; k++) {
        world *w = h->worlds[k];
        if (!w)
            continue;
        world_compare(h, w);
        json_t *entry = json_object();
        json_put(entry, "world", json_integer(w->number));
        json_put(entry, "end", json_value(w->end));
        json_put(entry, "headroom", json_value(w->headroom));
        json_put(entry, "state", json_string(states[w->state]));
        json_array_append_new(worlds, entry);
    }
    json_put(out, "kind", json_string("clock"));
    json_put(out, "running", json_boolean(h->running));
    json_put(out, "rate", json_value(h->running ? h->clock_rate : 0.0));
    json_put(out, "live", json_value(h->live));
    json_put(out, "load", json_value(h->load));
    json_put(out, "worlds", worlds);
    if (h->at_end)
        json_put(out, "notice",
                 json_string("the end of the scenario is reached: give it a later end to go on"));
    hub_broadcast(h, message_text(out), NULL);
}

// ---- frames ----

// A page gets frames at ticks of the clock, 1 / rate apart: those of one rate are due together,
// whenever they came. A frame is packed once for a tick and shared; a page that was not ready for
// it gets the same one later, until the next tick.

static int64_t tick_of(double now, double rate)
{
    return (int64_t)floor(now * rate);
}

static bool same_wish(const packed *a, const packed *b)
{
    return a->slot == b->slot && a->number == b->number && a->version == b->version &&
           a->tick == b->tick && a->rate == b->rate && a->mask == b->mask &&
           a->bodies == b->bodies && a->windowed == b->windowed &&
           (!a->windowed || (a->from == b->from && a->to == b->to));
}

static packed *find_packed(hub *h, const packed *wish)
{
    for (int k = 0; k < h->packed_count; k++)
        if (same_wish(&h->packed[k], wish))
            return &h->packed[k];
    return NULL;
}

// What a page is to see of a world now; false: nothing. Under the lock.
static bool wish_of(const hub *h, const hub_page *p, int slot, double now, packed *out)
{
    const page_frames *f = &p->frames[slot];
    const world *w = h->worlds[slot];
    if (!w || !w->run || !p->greeted || !p->subscribed || f->shown == w->instant ||
        f->sent_count >= 2 || !(p->place.live || f->shown == 0) || world_behind(h, w))
        return false;
    const double cell = FRAME_CELL;
    *out = (packed){.slot = slot,
                    .number = w->number,
                    .version = w->vehicles_version,
                    .rate = p->rate,
                    .tick = tick_of(now, p->rate),
                    .mask = p->mask,
                    .windowed = p->windowed,
                    .bodies = p->bodies,
                    .from = p->windowed ? cell * floor(p->from / cell) : 0.0,
                    .to = p->windowed ? cell * ceil(p->to / cell) : 0.0};
    return f->shown == 0 || f->tick != out->tick;
}

static void pack(hub *h, packed *p)
{
    world *w = h->worlds[p->slot];
    if (!record_look(h, w))
        return;
    const frame_wish wish = {.seq = w->seq,
                             .world = w->number,
                             .flags = FRAME_LIVE | (w->now.hash ? (unsigned)FRAME_EXACT : 0),
                             .step = mc_run_step_size(w->run),
                             .mask = p->mask,
                             .windowed = p->windowed,
                             .from = p->from,
                             .to = p->to,
                             .bodies = p->bodies,
                             .contacts = w->contacts,
                             .contact_count = w->impact_count};
    frame_buffer buffer = {0};
    if (frame_pack(&buffer, &w->now, &wish))
        p->message = message_frames(&buffer);
    else
        free(buffer.data);
}

// Forgets what was packed for ticks that are over, and, if all, everything: the list was full, and
// others wait.
static void forget_packed(hub *h, double now, bool all)
{
    int kept = 0;
    for (int k = 0; k < h->packed_count; k++) {
        packed *p = &h->packed[k];
        if (!all && p->tick == tick_of(now, p->rate))
            h->packed[kept++] = *p;
        else if (p->message)
            hub_release(&p->message->out);
    }
    h->packed_count = kept;
}

// Packs what pages wish for and no other page had at this tick. True: there is something to hand
// out.
static bool collect(hub *h, double now)
{
    bool wished = false;
    const int old = h->packed_count;
    h->frames_next = INFINITY;
    pthread_mutex_lock(&h->lock);
    h->running_told = h->running;
    for (const hub_page *p = h->pages; p; p = p->next) {
        if (p->subscribed)
            h->frames_next = fmin(h->frames_next, (double)(tick_of(now, p->rate) + 1) / p->rate);
        for (int slot = 0; slot < h->slot_count; slot++) {
            packed wish;
            if (!h->worlds[slot] || !wish_of(h, p, slot, now, &wish))
                continue;
            wished = true;
            if (h->packed_count < PACKED_MOST && !find_packed(h, &wish))
                h->packed[h->packed_count++] = wish;
        }
    }
    pthread_mutex_unlock(&h->lock);
    uint64_t raised = 0; // worlds whose seq was counted up
    for (int k = old; k < h->packed_count; k++) {
        packed *p = &h->packed[k];
        world *w = h->worlds[p->slot];
        w->seq += raised >> p->slot & 1 ? 0 : 1;
        raised |= (uint64_t)1 << p->slot;
        p->seq = w->seq;
        p->instant = w->instant;
        pack(h, p);
    }
    return wished;
}

static void hand_out(hub *h, double now)
{
    pthread_mutex_lock(&h->lock);
    for (hub_page *p = h->pages; p; p = p->next)
        for (int slot = 0; slot < h->slot_count; slot++) {
            packed wish;
            if (!h->worlds[slot] || !wish_of(h, p, slot, now, &wish))
                continue;
            const packed *k = find_packed(h, &wish);
            if (!k || !k->message)
                continue;
            page_frames *f = &p->frames[slot];
            if (f->waiting)
                hub_release(&f->waiting->out);
            f->waiting = message_hold(k->message);
            f->waiting_seq = k->seq;
            f->shown = k->instant;
            f->tick = k->tick;
        }
    pthread_mutex_unlock(&h->lock);
}

static void publish(hub *h)
{
    const double now = hub_now();
    if (now < h->frames_next && h->packed_count < PACKED_MOST)
        return;
    forget_packed(h, now, h->packed_count == PACKED_MOST);
    if (!collect(h, now))
        return;
    hand_out(h, now);
    hub_wake_pages(h);
}
_Static_assert(WORLDS_MOST <= 64, "a bit a world");

// ---- the loop ----

static request *next_request(hub *h, double until)
{
    pthread_mutex_lock(&h->lock);
    // Frames are given at the next step anyway, if there is one.
    const unsigned stirred = h->stirred & (h->running_told ? ~(unsigned)STIR_FRAMES : ~0U);
    if (!h->sim_first && !h->quit && !stirred && until > hub_now()) {
        struct timespec t;
        const double most = fmin(until, hub_now() + 0.25);
        t.tv_sec = (time_t)most;
        t.tv_nsec = (long)((most - floor(most)) * 1e9);
        pthread_cond_timedwait(&h->work, &h->lock, &t);
    }
    request *r = h->sim_first;
    if (r) {
        h->sim_first = r->next;
        if (!r->next)
            h->sim_last = NULL;
    }
    pthread_mutex_unlock(&h->lock);
    return r;
}

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
            request *r = next_request(h, k == 0 ? until : 0.0);
            if (!r)
                break;
            h->clock_due = true;
            if (request_wanted(r))
                r->kind->run(r);
            if (r->again) { // others first, and the worlds that are behind
                r->again = false;
                hub_post_again(h, r);
                break;
            }
            request_free(r);
        }
        if (stirred & STIR_PLACE)
            h->wanted_next = 0.0;
        if (stirred & (STIR_PLACE | STIR_FRAMES))
            h->frames_next = 0.0;
        drive_pedals(h, stirred & STIR_PEDALS);
        until = advance(h);
        if (catch_up(h))
            until = 0.0;
        budget_keep(h);
        publish(h);
        tell_clock(h);
        if (h->clock_due)
            until = fmin(until, h->clock_told + 0.051);
    }
    forget_packed(h, 0.0, true);
    return NULL;
}
