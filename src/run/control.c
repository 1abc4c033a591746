// control.c - every car decides: law, limits, pedals.
//
// A law with states is taken through the step by the midpoint rule: rates at the start carry the
// states to the middle, where the law is asked for its acceleration and for the rates of the whole
// step. Together with signals for the middle of the step this makes the answer of second order in
// the control step, although it is held.
#include "run/control.h"
#include "run/cut_in.h"
#include "run/join.h"
#include "run/lane_use.h"
#include "run/pedals.h"
#include "run/run.h"
#include "run/sense.h"
#include "run/steer.h"
#include "run/traffic.h"
#include "run/unit.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { BLOCKS = RUN_TILE / 4, X_MAX = SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX };

typedef struct law_room { // of one task, on its stack
    _Alignas(64) double x[BLOCKS * X_MAX * 4];
    _Alignas(64) double y[BLOCKS * (1 + LAW_STATE_MAX) * 4];
    _Alignas(64) double work[RUN_LAW_WORK_MAX];
    double middle[BLOCKS * SIGNAL_COUNT * 4]; // signals of a law that is asked twice
} law_room;

double *run_law_states(const mc_run *r, int slot, run_side side)
{
    return r->law_memory + (size_t)slot * (size_t)r->law_stride +
           r->controllers[r->car[slot].controller].offset[side];
}

double *run_law_params(const mc_run *r, int slot, run_side side)
{
    const run_controller *c = &r->controllers[r->car[slot].controller];
    return run_law_states(r, slot, side) + r->laws[c->law[side]].state_count;
}

const law_text *run_law_text(const scenario_controller *c, run_side side, const double **p)
{
    const law_text *const texts[RUN_SIDES] = {c->law, c->fallback, c->steering};
    const double *const values[RUN_SIDES] = {c->law_p, c->fallback_p, c->steering_p};
    *p = values[side];
    return texts[side];
}

static bool fallen_back(const mc_run *r, int slot)
{
    return r->car[slot].flags & RUN_FALLEN_BACK;
}

static int law_of(const mc_run *r, int slot)
{
    const run_controller *c = &r->controllers[r->car[slot].controller];
    return c->law[fallen_back(r, slot) ? RUN_FALLBACK : RUN_LAW];
}

// As run_law_states, for the law that drives now.
static inline double *states_now(const mc_run *r, int slot)
{
    double *states = r->law_memory + (size_t)slot * (size_t)r->law_stride;
    const run_car *c = &r->car[slot];
    return c->flags & RUN_FALLEN_BACK ? states + r->controllers[c->controller].offset[RUN_FALLBACK]
                                      : states;
}

// Signals of a law that is asked twice: at the start of the step and in its middle.
static void fill_both(const mc_run *r, const run_law *l, int slot, double *x, double *later)
{
    double now[SIGNAL_COUNT], middle[SIGNAL_COUNT];
    run_signals(r, slot, now, middle);
    for (int k = 0; k < l->used_count; k++) {
        x[4 * l->used[k]] = now[l->used[k]];
        later[4 * l->used[k]] = middle[l->used[k]];
    }
}

// No lane is undefined: those behind the last one in use, of which there is at least one, are as
// that one.
static inline void pad(double *row, int used)
{
    const double last = row[used - 1];
    row[3] = last;
    if (used < 3)
        row[2] = last;
    if (used < 2)
        row[1] = last;
}

// Signals of a law with states, those for the middle of the step too.
static void fill_signals(const mc_run *r, const run_group *g, law_room *room)
{
    const run_law *l = g->law;
    for (int m = 0; m < g->count; m++)
        fill_both(r, l, run_member(g, m), room->x + m / 4 * l->x_count * 4 + m % 4,
                  room->middle + m / 4 * SIGNAL_COUNT * 4 + m % 4);
    const int last = g->count / 4, used = g->count % 4;
    for (int k = 0; used > 0 && k < l->used_count; k++) {
        pad(room->x + (last * l->x_count + l->used[k]) * 4, used);
        pad(room->middle + (last * SIGNAL_COUNT + l->used[k]) * 4, used);
    }
}

// States and parameters, which follow each other in the law memory, of some members from number
// `from` on, a multiple of four.
static void fill_own(const mc_run *r, const run_group *g, int from, int count, double *x)
{
    const run_law *l = g->law;
    const int own_count = l->state_count + l->param_count, end = from + count;
    for (int m = from; m < end; m += 4) {
        double *to = x + (m / 4 * l->x_count + l->state_at) * 4;
        const double *own[4];
        for (int lane = 0; lane < 4; lane++)
            own[lane] = states_now(r, run_member(g, m + lane < end ? m + lane : end - 1));
        for (int k = 0; k < own_count; k++, to += 4)
            to[0] = own[0][k], to[1] = own[1][k], to[2] = own[2][k], to[3] = own[3][k];
    }
}

// Signals and parameters of a law without states for the middle of the step: four members from
// number `from` on, or those that are left.
static int fill_four(const mc_run *r, const run_group *g, int from, double *x)
{
    const run_law *l = g->law;
    const int count = g->count - from < 4 ? g->count - from : 4;
    run_signals_middle(r, g, from, count, x);
    for (int k = 0; count < 4 && k < l->used_count; k++)
        pad(x + (from / 4 * l->x_count + l->used[k]) * 4, count);
    fill_own(r, g, from, count, x);
    return from + count;
}

// A law without states of one car alone, mostly a leader.
static double ask_alone(const mc_run *r, const run_law *l, int slot, law_room *room)
{
    double answer;
    const double *own = states_now(r, slot);
    run_signals_one(r, slot, l->needs, room->x);
    for (int k = 0; k < l->param_count; k++)
        room->x[l->param_at + k] = own[k];
    law_run_one(l->law, room->x, &answer, room->work);
    return answer;
}

// Desired accelerations by one law for its members of the tile. The output has room for whole
// blocks of four.
static void ask_law(const mc_run *r, const run_group *g, double *desired, law_room *room)
{
    const run_law *l = g->law;
    const int alone = g->count % 4 == 1; // a block for one car costs more than the car alone
    int done = 0, count = g->count - alone;
    while (done < count) {
        if (g->plain)
            done = (g->in_line ? r->line : r->follow)(r, g, done, room->x);
        if (done < count)
            done = fill_four(r, g, done, room->x);
    }
    if (count > 0)
        law_run(l->law, (count + 3) / 4, room->x, desired, room->work);
    if (alone)
        desired[count] = ask_alone(r, l, run_member(g, count), room);
}

// The same for a law with states, which move on.
static void step_law(const mc_run *r, const run_group *g, double *desired, law_room *room)
{
    const run_law *l = g->law;
    const int blocks = (g->count + 3) / 4;
    fill_signals(r, g, room);
    fill_own(r, g, 0, g->count, room->x);
    law_step(l->law, blocks, r->s->step, room->x, room->middle, room->y, room->work);
    const double *y = room->y;
    for (int k = 0; k < blocks; k++, y += 4 * l->y_count)
        memcpy(&desired[4 * k], y, 4 * sizeof *y);
    for (int m = 0; m < g->count; m++) {
        const double *x = room->x + (m / 4) * l->x_count * 4 + m % 4;
        double *own = states_now(r, run_member(g, m));
        for (int k = 0; k < l->state_count; k++)
            own[k] = x[4 * (l->state_at + k)];
    }
}

// The radio fell silent, or came back: the law that takes over starts from what it sees.
static void change_over(mc_run *r, int slot)
{
    run_car *c = &r->car[slot];
    if (!(c->flags & RUN_HAS_FALLBACK))
        return;
    const bool silent = !run_fresh(r, slot);
    if (silent == fallen_back(r, slot))
        return;
    c->flags = silent ? c->flags | RUN_FALLEN_BACK : c->flags & ~(unsigned)RUN_FALLEN_BACK;
    run_law_begin(r, slot, silent ? RUN_FALLBACK : RUN_LAW);
}

void run_law_begin(mc_run *r, int slot, run_side side)
{
    const run_law *l = &r->laws[r->controllers[r->car[slot].controller].law[side]];
    double x[X_MAX] = {0}, middle[SIGNAL_COUNT];
    if (side == RUN_STEERING)
        run_steer_signals(r, slot, 0.0, x);
    else
        run_signals(r, slot, x, middle);
    const double *p = run_law_params(r, slot, side);
    for (int k = 0; k < l->param_count; k++)
        x[l->param_at + k] = p[k];
    law_start(l->law, x, run_law_states(r, slot, side));
}

// A law that yields NaN ends the run and names the first car it happened to; until the step is done
// the car brakes.
static double no_number(mc_run *r, int slot)
{
    int known = r->lost;
    while (slot < known && !atomic_compare_exchange_weak(&r->lost, &known, slot))
        ;
    return r->car[slot].min_a;
}

// Angles by their steering laws. One that is not finite ends the run; it stays in the inputs, which
// tells the two apart.
static void steer(mc_run *r, const int *slots, int count)
{
    run_steer(r, slots, count);
    for (int k = 0; k < count; k++)
        if (!isfinite(r->inputs[slots[k]].steer))
            no_number(r, slots[k]);
}

// Some cars of a tile, law by law; those without a controller want what their inputs say: nothing.
static void decide_mixed(mc_run *r, int first, int count, double *desired, law_room *room)
{
    enum { DONE = -1 };
    int law_at[RUN_TILE];
    for (int k = 0; k < count; k++) {
        desired[k] = 0.0;
        law_at[k] = r->car[first + k].controller < 0 ? DONE : law_of(r, first + k);
    }
    for (int k = 0; k < count; k++) {
        const int l = law_at[k];
        if (l == DONE)
            continue;
        int members[RUN_TILE];
        run_group g = {.law = &r->laws[l], .members = members};
        for (int j = k; j < count; j++)
            if (law_at[j] == l) {
                members[g.count++] = first + j;
                law_at[j] = DONE;
            }
        double answer[RUN_TILE];
        if (g.law->state_count == 0)
            ask_law(r, &g, answer, room);
        else
            step_law(r, &g, answer, room);
        for (int j = 0; j < g.count; j++)
            desired[members[j] - first] = answer[j];
    }
}

static bool follows_neighbour(const mc_run *r, int slot)
{
    return slot > 0 && r->car[slot].front == slot - 1;
}

static int law_or_none(const mc_run *r, int slot)
{
    const int controller = r->car[slot].controller;
    return controller < 0 ? -1 : r->controllers[controller].law[RUN_LAW];
}

// Neighbours from slot `first` on, at most `max` of them, that have one law; by_line: and all
// follow their neighbour, or none of them.
static run_group group_at(const mc_run *r, int first, int max, bool by_line)
{
    const int which = law_or_none(r, first);
    const bool lined = follows_neighbour(r, first);
    run_group g = {.first = first, .in_line = true};
    for (int slot = first; g.count < max && law_or_none(r, slot) == which &&
                           (!by_line || follows_neighbour(r, slot) == lined);
         slot++, g.count++) {
        g.flags |= r->car[slot].flags;
        g.in_line = g.in_line && follows_neighbour(r, slot);
    }
    if (which < 0)
        return g;
    // A car sees the one in front and knows its own acceleration, as it is.
    g.law = &r->laws[which];
    const unsigned needs = g.law->needs,
                   special = RUN_SENSES_BADLY | RUN_SHIFTS | (needs ? RUN_HELD : 0u);
    g.plain = !r->where && r->s->obstacle_count == 0 && g.law->state_count == 0 &&
              (needs & ~(unsigned)RUN_NEEDS_A) == 0 && !(g.flags & special);
    return g;
}

// False: there are too many groups, or a car has a fallback.
static bool make_groups(const mc_run *r, run_tile *t, bool by_line)
{
    unsigned flags = 0;
    int done = 0;
    for (t->group_count = 0; t->group_count < RUN_GROUPS_MAX && done < t->count;) {
        const run_group g = group_at(r, t->first + done, t->count - done, by_line);
        t->groups[t->group_count++] = g;
        done += g.count;
        flags |= g.flags;
    }
    return done == t->count && !(flags & RUN_HAS_FALLBACK);
}

static const double *inner_of_all(const mc_run *r, const run_tile *t)
{
    const run_car *cars = &r->car[t->first];
    if (cars[0].controller < 0)
        return NULL;
    const int inner = r->controllers[cars[0].controller].inner;
    for (int k = 1; k < t->count; k++)
        if (cars[k].controller < 0 || r->controllers[cars[k].controller].inner != inner)
            return NULL;
    return r->s->controllers[inner].inner;
}

// Whether all cars of a tile, which have controllers, come down to the roadway's speed.
static bool obey(const mc_run *r, const run_tile *t)
{
    bool all = true;
    for (int k = 0; k < t->count; k++) {
        const run_car *c = &r->car[t->first + k];
        all = all && c->flags & RUN_OBEYS_SPEED && !r->s->controllers[c->controller].manual;
    }
    return all;
}

void run_make_groups(mc_run *r)
{
    for (int k = 0; k < r->tile_count; k++) {
        run_tile *t = &r->tiles[k];
        if (r->grouped && t->grouped)
            continue;
        t->grouped = true;
        t->inner = inner_of_all(r, t);
        t->obeys = t->inner && obey(r, t);
        if (!make_groups(r, t, true) && !make_groups(r, t, false))
            t->group_count = 0;
    }
    r->grouped = r->all_grouped = true;
}

// Desired accelerations of a tile.
static void decide(mc_run *r, const run_tile *t, double *desired)
{
    law_room room;
    for (int k = 0; k < t->group_count; k++) {
        const run_group *g = &t->groups[k];
        if (g->law && g->law->state_count == 0)
            ask_law(r, g, desired, &room);
        else if (g->law)
            step_law(r, g, desired, &room);
        else
            memset(desired, 0, (size_t)g->count * sizeof *desired);
        desired += g->count;
    }
    if (t->group_count > 0)
        return;
    for (int k = 0; k < t->count; k++)
        change_over(r, t->first + k);
    decide_mixed(r, t->first, t->count, desired, &room);
}

static void drive_by_file(const mc_run *r, int slot, mc_inputs *out)
{
    const scenario_driver *d = r->s->vehicles[r->rare[slot].vehicle].driver;
    const double t = run_time(r);
    int low = 0, high = d->count - 1; // the last row at or before t
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (d->t[middle] <= t + 1e-9)
            low = middle;
        else
            high = middle - 1;
    }
    if (d->t[low] <= t + 1e-9) // before the first row: nothing is done
        *out = (mc_inputs){d->throttle[low], d->brake[low], d->steer[low], 0.0};
}

// m/s^2: what a disturbance does to a car, in the middle of the coming step. It acts after the law
// and after what the car sends: neither knows of it before it is measured.
static double push_on(const mc_run *r, int slot)
{
    const run_rare *rare = &r->rare[slot];
    const double normal =
        noise_normal(r->s->seed, run_key(r, slot), 0xfffffff3u, (unsigned long long)r->step);
    return wave_at(&rare->fault.push, run_time(r) + 0.5 * r->s->step, normal);
}

// A desired acceleration under what limits it beside its law and a car that cut in.
static double limited(mc_run *r, int slot, double want)
{
    const run_car *c = &r->car[slot];
    if (r->traffic &&
        (c->flags & (RUN_YIELDS | RUN_WAITS) || (r->ramps && r->rare[slot].exit >= 0)))
        want = fmin(want, run_traffic_limit(r, slot));
    if (r->shifting)
        want = run_join_smooth(r, slot, want);
    if (r->ruled)
        want = run_lane_limit(r, slot, want);
    if (c->flags & RUN_AVOIDS && (c->front >= 0 || r->s->obstacle_count > 0))
        want = fmin(want, run_avoid(r, slot));
    if (r->speed_commanded && c->flags & RUN_OBEYS_SPEED &&
        !(r->ruled && !isnan(r->rare[slot].ordered.speed)) &&
        !r->s->controllers[c->controller].manual)
        want = fmin(want, RUN_SPEED_GAIN * (r->speed - r->motion[slot].v));
    return want;
}

// Whether there is such a speed, and nothing in a lane of its own.
static bool all_obey(const mc_run *r, const run_tile *t)
{
    return r->speed_commanded && !r->ruled && t->obeys;
}

// Puts the limits on what the laws of a tile want; the roadway's speed not where all_obey. Returns
// the flags of its cars together.
static unsigned limit(mc_run *r, const run_tile *t, double *desired)
{
    const run_car *cars = &r->car[t->first];
    const bool all = r->shifting || r->ruled || (r->traffic && r->ramps);
    const bool speed = r->speed_commanded && !all_obey(r, t);
    const unsigned limits =
        RUN_AVOIDS | (r->traffic ? RUN_YIELDS | RUN_WAITS : 0u) | (speed ? RUN_OBEYS_SPEED : 0u);
    unsigned flags = 0;
    int responding[RUN_TILE], count = 0;
    for (int k = 0; k < t->count; k++) {
        const run_car *c = &cars[k];
        flags |= c->flags;
        if (!isfinite(desired[k]) && c->controller >= 0)
            desired[k] = no_number(r, t->first + k);
        if (r->units)
            run_unit_answer(r, t->first + k, &desired[k]);
        if (c->flags & RUN_ASKED && c->controller >= 0)
            desired[k] = r->rare[t->first + k].asked;
        else if (c->flags & RUN_RESPONDING && c->controller >= 0)
            responding[count++] = t->first + k;
    }
    if (count > 0)
        run_cut_in_respond(r, t->first, responding, count, desired);
    for (int k = 0; (all || flags & limits) && k < t->count; k++)
        if ((all || cars[k].flags & limits) && cars[k].controller >= 0)
            desired[k] = limited(r, t->first + k, desired[k]);
    return flags;
}

static run_pedals pedals_of(mc_run *r, const run_tile *t)
{
    return (run_pedals){.p = t->inner,
                        .cars = &r->car[t->first],
                        .motion = &r->motion[t->first],
                        .inputs = &r->inputs[t->first],
                        .count = t->count,
                        .dt = r->s->step,
                        .speed = all_obey(r, t) ? r->speed : HUGE_VAL};
}

// What plan() is to be asked for.
static void ask(mc_run *r, const run_tile *t, double *desired, double *asked)
{
    const run_pedals pedals = pedals_of(r, t);
    const unsigned flags = limit(r, t, desired);
    int done = 0;
    if (t->inner) {
        r->ask(&pedals, desired, asked);
        done = t->count / 4 * 4;
    }
    for (int k = done; k < t->count; k++) {
        run_car *c = &pedals.cars[k];
        if (pedals.speed < HUGE_VAL)
            desired[k] = fmin(desired[k], RUN_SPEED_GAIN * (pedals.speed - pedals.motion[k].v));
        asked[k] = c->controller < 0
                       ? 0.0
                       : inner_ask(r->s->controllers[c->controller].inner, &c->inner, desired[k],
                                   (pedals.motion[k].v - c->v_before) / pedals.dt, c->min_a,
                                   c->max_a, pedals.dt);
    }
    for (int k = 0; flags & RUN_PUSHED && k < t->count; k++)
        if (pedals.cars[k].flags & RUN_PUSHED && pedals.cars[k].controller >= 0)
            asked[k] += push_on(r, t->first + k);
}

void run_fault_inputs(const mc_run *r, int slot, mc_inputs *inputs)
{
    const fault_state *fault = &r->rare[slot].fault;
    if (!(r->car[slot].flags & RUN_FAULTY))
        return;
    inputs->brake *= fault->brake_left;
    if (inputs->acceleration < 0.0)
        inputs->acceleration *= fault->brake_left;
    if (!isnan(fault->throttle_stuck))
        inputs->throttle = fault->throttle_stuck;
}

// The wheel of a car that is checked in while its driver steers.
static double steer_of_driver(const mc_run *r, int slot)
{
    mc_inputs in = {0};
    if (r->rare[slot].ersc.driver == RUN_DRIVER_HAND)
        return r->rare[slot].hand.steer;
    drive_by_file(r, slot, &in);
    return in.steer;
}

// A car that is not just driven by its controller: by hand, by a file, without pedals, with a
// fault. True: its law is still to be asked how it steers.
static bool act_specially(mc_run *r, int slot, double asked, const mc_plan *plan, mc_inputs *out)
{
    run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    bool steers = false;
    *out = (mc_inputs){.steer = 0.0};
    if (c->flags & RUN_DRIVER_FILE) {
        drive_by_file(r, slot, out);
    } else if (c->flags & RUN_HAND) {
        *out = rare->hand;
    } else if (c->controller >= 0) {
        out->acceleration = c->inner.desired;
        if (c->flags & RUN_PUSHED)
            out->acceleration += push_on(r, slot);
        if (!(c->flags & RUN_NO_PEDALS))
            inner_act(r->s->controllers[c->controller].inner, &c->inner, asked, plan,
                      r->motion[slot].v, r->s->step, out);
        steers = !(c->flags & RUN_STEERED) && run_steers(r, slot);
        out->steer = c->flags & RUN_STEERED ? steer_of_driver(r, slot) : 0.0;
    }
    // Pedals of a car that has none: shares of the acceleration and braking it is capable of.
    if (c->flags & RUN_NO_PEDALS && c->flags & (RUN_DRIVER_FILE | RUN_HAND))
        out->acceleration += out->throttle * c->max_a + out->brake * c->min_a;
    run_fault_inputs(r, slot, out);
    return steers;
}

// Ends what is left of a lane change. Roads that bend turn cars, so nothing ends there.
static bool settles(mc_run *r, const run_tile *t, int k)
{
    mc_batch *batch = r->batches[t->batch].batch;
    run_car *c = &r->car[t->first + k];
    if (c->flags & (RUN_STEERS | RUN_CHANGES) || r->where || !batch->kind->straighten ||
        !run_settled(c, &r->motion[t->first + k]))
        return false;
    c->flags &= ~(unsigned)RUN_SETTLES;
    batch->kind->straighten(batch, t->first + k - r->batches[t->batch].first);
    return true;
}

// Whether a car that is not exactly straight in the middle of its lane is to steer.
static bool has_to_steer(mc_run *r, const run_tile *t, int k)
{
    const run_car *c = &r->car[t->first + k];
    return run_steers(r, t->first + k) && !(c->flags & RUN_SETTLES && settles(r, t, k));
}

typedef struct turning { // slots of a tile whose steering laws are to be asked
    int slots[RUN_TILE], count;
} turning;

static void let_steer(const mc_run *r, int slot, turning *to)
{
    to->slots[to->count++] = slot;
    run_fetch_path(r, slot);
}

static void act_singly(mc_run *r, const run_tile *t, int from, int count, const double *asked,
                       const mc_plan *plan, turning *to)
{
    const unsigned special = RUN_DRIVER_FILE | RUN_HAND | RUN_NO_PEDALS | RUN_FAULTY | RUN_STEERED;
    for (int k = from; k < from + count; k++) {
        const int slot = t->first + k;
        run_car *c = &r->car[slot];
        mc_inputs *out = &r->inputs[slot];
        if (c->controller < 0 || c->flags & special) {
            if (act_specially(r, slot, asked[k], &plan[k], out))
                to->slots[to->count++] = slot;
            continue;
        }
        inner_act(r->s->controllers[c->controller].inner, &c->inner, asked[k], &plan[k],
                  r->motion[slot].v, r->s->step, out);
        if (has_to_steer(r, t, k))
            let_steer(r, slot, to);
        else
            out->steer = 0.0;
        out->acceleration = c->inner.desired;
    }
}

// Four cars from number k on, together if nothing about them is special.
static void act_four(mc_run *r, const run_tile *t, int k, const run_pedals *pedals,
                     const double *asked, const mc_plan *plan, turning *to)
{
    const unsigned special = RUN_DRIVER_FILE | RUN_HAND | RUN_NO_PEDALS | RUN_FAULTY | RUN_STEERED;
    const run_car *c = &pedals->cars[k];
    const unsigned flags = c[0].flags | c[1].flags | c[2].flags | c[3].flags;
    const int turns = flags & special ? RUN_NOT_DONE : r->act(pedals, k, asked, plan);
    if (turns & RUN_NOT_DONE) {
        act_singly(r, t, k, 4, asked, plan, to);
        return;
    }
    for (int l = 0; turns && l < 4; l++)
        if (turns >> l & 1) {
            if (has_to_steer(r, t, k + l))
                let_steer(r, t->first + k + l, to);
            else
                pedals->inputs[k + l].steer = 0.0;
        }
}

static void act(mc_run *r, const run_tile *t, const double *asked, const mc_plan *plan)
{
    const run_pedals pedals = pedals_of(r, t);
    turning to;
    to.count = 0;
    int done = 0;
    for (; t->inner && !r->where && done + 4 <= t->count; done += 4)
        act_four(r, t, done, &pedals, asked, plan, &to);
    act_singly(r, t, done, t->count - done, asked, plan, &to);
    if (to.count > 0)
        steer(r, to.slots, to.count);
}

void run_tile_decide(mc_run *r, int tile)
{
    const run_tile *t = &r->tiles[tile];
    mc_batch *batch = r->batches[t->batch].batch;
    const int index = t->first - r->batches[t->batch].first;
    double desired[RUN_TILE + 3], asked[RUN_TILE]; // laws write whole blocks of four
    mc_plan plan[RUN_TILE];
    decide(r, t, desired);
    ask(r, t, desired, asked);
    batch->kind->plan(batch, index, t->count, asked, plan);
    act(r, t, asked, plan);
    batch->kind->set_inputs(batch, index, t->count, &r->inputs[t->first]);
}
