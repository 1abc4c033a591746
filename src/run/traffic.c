// traffic.c - room for lane changes, and who gets it; see traffic.h.
#include "run/traffic.h"

#include "num/minmax.h"
#include "run/event.h"
#include "run/exit.h"
#include "run/join.h"
#include "run/lane_use.h"
#include "run/order.h"
#include "run/steer.h"
#include "run/watch.h"
#include "run/where.h"

#include <math.h>
#include <string.h>

static const double COMFORT = 1.5;  // m/s^2, braking to make room
static const double ALONGSIDE = 60; // m, how far behind a waiting car others make room
enum { TURNS = 10 };                // steps between two decisions of a car

mc_status run_traffic_room(mc_run *r, mc_error *error)
{
    const size_t n = (size_t)r->count + 1;
    r->beside = arena_alloc(&r->memory, n * sizeof *r->beside);
    r->yields_to = arena_alloc(&r->memory, n * sizeof *r->yields_to);
    r->granted = arena_alloc(&r->memory, n * sizeof *r->granted);
    if (!r->beside || !r->yields_to || !r->granted)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    for (size_t k = 0; k < n; k++) {
        r->yields_to[k] = -1;
        r->beside[k] = (run_beside){{-1, -1}, {-1, -1}, -1};
    }
    r->traffic = r->ramps = mc_road_ramp_count(&r->road) > 0;
    return MC_OK;
}

// ---- neighbours ----

// For each car of lane a, the places around it in lane b: both are sorted from the front.
static void look_beside(mc_run *r, int a, int a_end, int b, int b_end, int side)
{
    int at = b;
    for (int k = a; k < a_end; k++) {
        const int slot = r->order[k].slot;
        const double x = run_place_of(r, slot);
        while (at < b_end && run_place_of(r, r->order[at].slot) > x)
            at++;
        int ahead = at - 1, behind = at;
        if (behind < b_end && r->order[behind].slot == slot) // it has a place in both
            behind++;
        if (r->lap > 0.0) { // round the circuit
            ahead = ahead < b ? b_end - 1 : ahead;
            behind = behind == b_end ? b : behind;
            ahead = r->order[ahead].slot == slot ? b - 1 : ahead;
            behind = r->order[behind].slot == slot ? b_end : behind;
        }
        r->beside[slot].front[side] = ahead >= b ? r->order[ahead].slot : -1;
        r->beside[slot].rear[side] = behind < b_end ? r->order[behind].slot : -1;
    }
}

static int end_of_lane(const mc_run *r, int k)
{
    const int lane = r->order[k].lane;
    while (k < r->order_count && r->order[k].lane == lane)
        k++;
    return k;
}

// The car behind each, in its own lane and in those beside it.
void run_traffic_neighbours(mc_run *r)
{
    for (int slot = 0; slot < r->count; slot++)
        r->beside[slot] = (run_beside){{-1, -1}, {-1, -1}, -1};
    for (int k = 1; k < r->order_count; k++)
        if (r->order[k].lane == r->order[k - 1].lane)
            r->beside[r->order[k - 1].slot].behind = r->order[k].slot;
    int before = -1, before_end = -1;
    for (int k = 0; k < r->order_count;) {
        const int end = end_of_lane(r, k);
        if (r->lap > 0.0 && end - k > 1)
            r->beside[r->order[end - 1].slot].behind = r->order[k].slot;
        if (before >= 0 && r->order[before].lane == r->order[k].lane - 1) {
            look_beside(r, k, end, before, before_end, 0);
            look_beside(r, before, before_end, k, end, 1);
        }
        before = k, before_end = end;
        k = end;
    }
}

// ---- one car ----

static mobil_car car_of(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    return (mobil_car){.v = r->motion[slot].v,
                       .v_set = c->v_set > 0.0 ? c->v_set : r->motion[slot].v,
                       .headway = c->headway,
                       .distance = c->distance,
                       .length = c->nose - c->tail};
}

static double gap_between(const mc_run *r, int rear, int front)
{
    if (r->lap > 0.0)
        return run_apart(r, r->motion[rear].x, r->motion[front].x) + r->car[front].tail -
               r->car[rear].nose;
    return r->motion[front].x + r->car[front].tail - r->motion[rear].x - r->car[rear].nose;
}

static mobil_gap gap_of(const mc_run *r, int slot, int front, int rear, mobil_car *behind)
{
    mobil_gap g = {MOBIL_NO_CAR, r->motion[slot].v, MOBIL_NO_CAR, behind};
    if (front >= 0) {
        g.front = num_min(gap_between(r, slot, front), 0.99 * MOBIL_NO_CAR);
        g.v_front = r->motion[front].v;
    }
    if (rear >= 0) {
        g.rear = num_min(gap_between(r, rear, slot), 0.99 * MOBIL_NO_CAR);
        *behind = car_of(r, rear);
    }
    return g;
}

static const double *params_of(const mc_run *r, int slot)
{
    return r->s->controllers[r->car[slot].controller].lane_change;
}

// m, to the end of the lane of an on-ramp that a car is in; HUGE_VAL: it is in none.
static double room_ahead(const mc_run *r, int slot)
{
    mc_road_ramp ramp;
    for (int k = 0; r->ramps && mc_road_ramp_at(run_road_of(r, slot), k, &ramp); k++)
        if (ramp.on && r->where[slot].path == ramp.main && r->rare[slot].lane == ramp.lane &&
            run_place_of(r, slot) < ramp.to)
            return ramp.to - run_place_of(r, slot) - r->car[slot].nose;
    return HUGE_VAL;
}

// Cars in the lane of an on-ramp go to the lane beside it.
static void send_from_ramps(mc_run *r)
{
    for (int slot = 0; slot < r->count; slot++)
        if (r->rare[slot].path.wait < 0 && r->rare[slot].path.to < 0 && r->rare[slot].lane > 0 &&
            room_ahead(r, slot) < HUGE_VAL)
            run_wait_for(r, slot, r->rare[slot].lane - 1);
}

// There is such a lane beside the car, which it may enter.
static bool may_enter(const mc_run *r, int slot, int lane)
{
    const bool exits = run_exit_lane(r, slot) == lane; // of its off-ramp: after those of the road
    if (lane < 0 || (lane >= r->road.lane_count && !exits) ||
        isnan(run_lane_middle(r, slot, lane, NULL)))
        return false;
    return !r->ruled || r->rare[slot].path.breaks || run_lane_open(r, slot, lane, NULL, 0);
}

static bool has_room(const mc_run *r, int slot, int side)
{
    mobil_car own = car_of(r, slot), behind;
    const int front = r->beside[slot].front[side], rear = r->beside[slot].rear[side];
    const mobil_gap into = gap_of(r, slot, front, rear, &behind);
    return mobil_is_safe(params_of(r, slot), &own, &into);
}

// The side that is to the advantage of a car that decides itself; -1: it stays.
static int better_side(const mc_run *r, int slot)
{
    const run_rare *rare = &r->rare[slot];
    const run_beside *b = &r->beside[slot];
    const double *p = params_of(r, slot);
    double best = 0.0;
    int choice = -1;
    if (run_time(r) < rare->path.since + p[LANE_CHANGE_PAUSE])
        return -1;
    const bool settles = run_time(r) < rare->path.since + p[LANE_CHANGE_SETTLE];
    mobil_car own = car_of(r, slot), behind_old, behind_new;
    const mobil_gap from = gap_of(r, slot, r->car[slot].front, b->behind, &behind_old);
    const mobil_stay stay = mobil_stay_in(&own, &from);
    for (int side = 0; side < 2; side++) {
        const int lane = rare->lane + (side ? 1 : -1);
        if ((settles && lane == rare->path.left) || !may_enter(r, slot, lane))
            continue;
        const mobil_gap into = gap_of(r, slot, b->front[side], b->rear[side], &behind_new);
        const double gain = mobil_advantage(p, &own, &stay, &into, side ? 1 : -1);
        if (gain > best && mobil_is_safe(p, &own, &into))
            best = gain, choice = side;
    }
    return choice;
}

// ---- all cars ----

// Another car was granted a gap in that lane near this one, in this very step.
static bool is_taken(const mc_run *r, int granted, int slot, int lane)
{
    for (int k = 0; k < granted; k++) {
        const int other = r->granted[k];
        const double x = r->motion[slot].x, there = r->motion[other].x;
        const double apart =
            r->lap > 0.0 ? fmin(run_apart(r, x, there), run_apart(r, there, x)) : fabs(there - x);
        const bool same = !r->where || r->where[other].path == r->where[slot].path;
        if (same && r->rare[other].path.to == lane && apart < ALONGSIDE)
            return true;
    }
    return false;
}

// The next lane on the way of a car that waits, and the side it is on.
static int next_side(const run_rare *rare)
{
    return rare->path.wait > rare->lane ? 1 : 0;
}

// Who makes room for a car that waits: the car behind it in the lane it goes to.
static void ask_for_room(mc_run *r, int slot)
{
    const int rear = r->beside[slot].rear[next_side(&r->rare[slot])];
    if (rear >= 0 && r->car[rear].controller >= 0 && r->rare[rear].shift.manoeuvre != RUN_OPENS &&
        run_apart(r, r->motion[rear].x, r->motion[slot].x) < ALONGSIDE) {
        r->yields_to[rear] = slot;
        r->car[rear].flags |= RUN_YIELDS;
        run_list_add(&r->watch->yields, rear);
    }
}

// turn: it is the turn of cars that decide themselves.
static bool decides_now(const mc_run *r, int slot, bool turn)
{
    const unsigned flags = r->car[slot].flags;
    if (!(flags & RUN_WAITS || (turn && flags & RUN_DECIDES)) ||
        flags & (RUN_CHANGES | RUN_HAND | RUN_DRIVER_FILE) || r->car[slot].controller < 0)
        return false;
    return flags & RUN_WAITS || !run_exit_near(r, slot);
}

static mc_status decide(mc_run *r, int slot, int *granted, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    const bool sent = rare->path.wait >= 0;
    if (sent && rare->path.wait == rare->lane) {
        run_wait_for(r, slot, -1);
        return MC_OK;
    }
    if (r->lap == 0.0)
        run_order_beside(r, slot, &r->beside[slot]);
    const int side = sent ? next_side(rare) : better_side(r, slot);
    if (side < 0)
        return MC_OK;
    const int lane = rare->lane + (side ? 1 : -1);
    if (!may_enter(r, slot, lane) || (sent && !has_room(r, slot, side)) ||
        is_taken(r, *granted, slot, lane)) {
        if (sent)
            ask_for_room(r, slot);
        return MC_OK;
    }
    if (!run_lane_change(r, slot, lane))
        return MC_OK;
    r->granted[(*granted)++] = slot;
    if (rare->path.wait == lane) {
        run_wait_for(r, slot, -1);
        rare->path.breaks = 0;
    }
    rare->path.since = run_time(r);
    rare->path.left = rare->lane;
    rare->changes++;
    r->counts.lane_changes++;
    return run_note(r, EVENT_LANE_BEGINS, rare->vehicle, lane + 1.0, error);
}

// Cars decide far apart in memory, and look at others: what a decision reads is asked for while
// those before it are made. First the car itself, then the cars around it.
static void fetch_ahead(const mc_run *r, int v, int every)
{
    enum { CAR = 12, AROUND = 6 }; // decisions ahead
    const int car = v + CAR * every, around = v + AROUND * every;
    if (car < r->count) {
        const int slot = r->slot[car];
        run_fetch_path(r, slot);
        __builtin_prefetch(&r->car[slot]);
        __builtin_prefetch(&r->car[slot].v_set);
        __builtin_prefetch(&r->motion[slot]);
        __builtin_prefetch(&r->hints[slot]);
    }
    if (around < r->count)
        run_order_fetch(r, r->slot[around]);
}

mc_status run_traffic(mc_run *r, mc_error *error)
{
    bool busy = r->ramps;
    if (r->ramps) {
        send_from_ramps(r);
        const mc_status status = run_exit_steps(r, error);
        if (status != MC_OK)
            return status;
    }
    run_list *yields = &run_watch_lists(r)->yields;
    for (int k = 0; k < yields->count; k++) {
        r->car[yields->slots[k]].flags &= ~(unsigned)RUN_YIELDS;
        r->yields_to[yields->slots[k]] = -1;
    }
    run_list_clear(yields);
    for (int slot = 0; slot < r->count && !busy; slot++)
        busy = r->car[slot].flags & (RUN_DECIDES | RUN_WAITS);
    r->traffic = busy;
    if (!busy)
        return MC_OK;
    if (r->lap > 0.0)
        run_traffic_neighbours(r);
    const bool ordered = r->ordered;
    // It is the turn of vehicles whose number completes that of the step to TURNS; others only
    // wait.
    int granted = 0;
    const int turn = (int)((TURNS - r->step % TURNS) % TURNS);
    mc_status status = MC_OK;
    const bool waits = r->waiting > 0;
    const int every = waits ? 1 : TURNS;
    for (int v = waits ? 0 : turn; v < r->count && status == MC_OK; v += every) {
        if (!waits)
            fetch_ahead(r, v, every);
        if (decides_now(r, r->slot[v], v % TURNS == turn))
            status = decide(r, r->slot[v], &granted, error);
    }
    r->ordered = ordered;
    run_order_enter(r, r->granted, granted);
    return status;
}

bool run_traffic_send(mc_run *r, int slot, int lane)
{
    run_rare *rare = &r->rare[slot];
    rare->path.breaks = 0;
    const int towards = rare->path.to >= 0 ? rare->path.to : rare->lane;
    if (rare->path.wait < 0 && towards == lane)
        return rare->path.to < 0 && run_lane_change(r, slot, lane); // back to its middle
    run_wait_for(r, slot, -1);
    if (rare->path.to >= 0 && rare->lane == lane) // it turns back: there is room where it is
        return run_lane_change(r, slot, lane);
    if (towards != lane) {
        run_wait_for(r, slot, lane);
        r->traffic = true;
    }
    return true;
}

double run_traffic_limit(const mc_run *r, int slot)
{
    const run_rare *rare = &r->rare[slot];
    const mobil_car own = car_of(r, slot);
    double limit = HUGE_VAL;
    if (rare->path.wait >= 0 && rare->path.to < 0) {
        const int front = r->beside[slot].front[next_side(rare)];
        if (rare->shift.manoeuvre == RUN_JOINS_SIDE)
            limit = run_join_limit(r, slot);
        else if (front >= 0)
            limit = fmax(-COMFORT,
                         mobil_acceleration(&own, gap_between(r, slot, front), r->motion[front].v));
    }
    limit = fmin(limit, run_exit_limit(r, slot));
    const double room = r->ramps ? room_ahead(r, slot) : HUGE_VAL;
    if (room < HUGE_VAL && rare->path.to < 0) // it stops where the lane ends
        limit = fmin(limit, mobil_acceleration(&own, room, 0.0));
    const int guest = r->yields_to[slot];
    if (r->car[slot].flags & RUN_YIELDS && guest >= 0)
        limit = fmin(limit, fmax(-COMFORT, mobil_acceleration(&own, gap_between(r, slot, guest),
                                                              r->motion[guest].v)));
    return limit;
}
