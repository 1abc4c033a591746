// join.c - platoon manoeuvres; see join.h.
#include "run/join.h"

#include "control/mobil.h"
#include "run/build.h"
#include "run/control.h"
#include "run/event.h"
#include "run/lane_use.h"
#include "run/lead.h"
#include "run/traffic.h"
#include "run/where.h"

#include <math.h>

// Bounds of closing up and opening, m/s^2 and m/s^3: comfortable. A car that is too fast for the
// first ones, so that it would come too close, gets the next.
enum { BOUND_COUNT = 4 };
static const double BOUNDS[BOUND_COUNT][LANE_CHANGE_PARAM_COUNT] = {
    {[LANE_CHANGE_ACCELERATION] = 0.6, [LANE_CHANGE_JERK] = 0.6},
    {[LANE_CHANGE_ACCELERATION] = 0.9, [LANE_CHANGE_JERK] = 0.9},
    {[LANE_CHANGE_ACCELERATION] = 1.2, [LANE_CHANGE_JERK] = 1.5},
    {[LANE_CHANGE_ACCELERATION] = 1.6, [LANE_CHANGE_JERK] = 2.5},
};
static const double TOO_CLOSE = 1.0;  // m, to which a curve may pass its end
static const double SPLIT_GAP = 40.0; // m, where neither the command nor the lane says it
static const double FADE = 2.0;       // s, in which a step of the acceleration asked for fades out
static const double HARDEST = 1.5;    // m/s^2, braking to come to its place beside a platoon

mc_status run_join_room(mc_run *r, mc_error *error)
{
    r->members = arena_alloc(&r->memory, ((size_t)r->count + 1) * sizeof *r->members);
    r->platoons = r->s->platoon_count;
    return r->members ? MC_OK
                      : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
}

// ---- membership ----

static bool before(const mc_run *r, int a, int b)
{
    if (r->rare[a].number != r->rare[b].number)
        return r->rare[a].number < r->rare[b].number;
    if (r->motion[a].x != r->motion[b].x)
        return r->motion[a].x > r->motion[b].x;
    return r->rare[a].vehicle < r->rare[b].vehicle;
}

// The cars of a platoon from the front, into r->members; how many.
static int collect(mc_run *r, int platoon)
{
    int count = 0;
    for (int slot = 0; slot < r->count; slot++) {
        if (platoon < 0 || r->rare[slot].platoon != platoon)
            continue;
        int at = count++;
        for (; at > 0 && before(r, slot, r->members[at - 1]); at--)
            r->members[at] = r->members[at - 1];
        r->members[at] = slot;
    }
    return count;
}

void run_platoon_order(mc_run *r, int platoon)
{
    const int count = collect(r, platoon);
    for (int k = 0; k < count; k++) {
        const int slot = r->members[k], ahead = k > 0 ? r->members[k - 1] : -1;
        run_rare *rare = &r->rare[slot];
        rare->number = k;
        r->car[slot].leader = r->members[0];
        rare->station =
            ahead < 0 ? 0.0 : r->rare[ahead].station + r->car[slot].nose - r->car[ahead].tail;
    }
    for (int k = 0; k < count; k++)
        run_listen(r, r->members[k]);
    r->grouped = false;
}

static int count_of(const mc_run *r, int platoon)
{
    int count = 0;
    for (int slot = 0; slot < r->count; slot++)
        count += platoon >= 0 && r->rare[slot].platoon == platoon;
    return count;
}

int run_platoon_leader(const mc_run *r, int platoon)
{
    for (int slot = 0; platoon >= 0 && slot < r->count; slot++)
        if (r->rare[slot].platoon == platoon && r->car[slot].leader == slot)
            return slot;
    return -1;
}

static int last_of(const mc_run *r, int platoon)
{
    int last = -1;
    for (int slot = 0; platoon >= 0 && slot < r->count; slot++)
        if (r->rare[slot].platoon == platoon &&
            (last < 0 || r->rare[slot].number > r->rare[last].number))
            last = slot;
    return last;
}

static int member_at(const mc_run *r, int platoon, int number)
{
    for (int slot = 0; platoon >= 0 && slot < r->count; slot++)
        if (r->rare[slot].platoon == platoon && r->rare[slot].number == number)
            return slot;
    return -1;
}

static void alone(mc_run *r, int slot)
{
    run_rare *rare = &r->rare[slot];
    rare->platoon = -1;
    rare->number = rare->leads_as = 0;
    rare->station = 0.0;
    r->car[slot].leader = slot;
    run_listen(r, slot);
}

// ---- shifts ----

static double kept_gap(const mc_run *r, int slot)
{
    return r->car[slot].distance + r->car[slot].headway * r->motion[slot].v;
}

// The gentlest curve from a shift to 0 that does not pass far below either end.
static lane_curve gentle_curve(double start, lane_point now)
{
    enum { PLACES = 32 };
    lane_curve curve;
    for (int k = 0; k < BOUND_COUNT; k++) {
        curve = lane_curve_make(BOUNDS[k], start, now);
        double lowest = 0.0;
        for (int i = 1; i < PLACES; i++)
            lowest = fmin(lowest, lane_curve_at(&curve, start + curve.duration * i / PLACES).d);
        if (lowest >= fmin(now.d, 0.0) - TOO_CLOSE)
            break;
    }
    return curve;
}

// From a shift now to one that stays.
static void begin_shift(mc_run *r, int slot, lane_point now, double target, run_manoeuvre what)
{
    run_shift *s = &r->rare[slot].shift;
    s->target = target;
    s->d = now.d, s->rate = now.rate, s->bend = now.bend;
    now.d -= target;
    s->curve = gentle_curve(run_time(r), now);
    s->manoeuvre = (int)what;
    s->beside = 0;
    s->fresh = 1;
    r->car[slot].flags |= RUN_SHIFTS;
    r->shifting = true;
    r->grouped = false;
}

static lane_point shift_now(const mc_run *r, int slot)
{
    const run_shift *s = &r->rare[slot].shift;
    return r->car[slot].flags & RUN_SHIFTS ? (lane_point){s->d, s->rate, s->bend}
                                           : (lane_point){0.0, 0.0, 0.0};
}

// It follows the car in front as that is; fresh: it did not, or followed another one.
static void no_shift(mc_run *r, int slot, bool fresh)
{
    run_shift *s = &r->rare[slot].shift;
    *s = (run_shift){.all = s->all,
                     .all_rate = s->all_rate,
                     .bump = s->bump,
                     .until = s->until,
                     .platoon = -1,
                     .fresh = fresh};
    r->car[slot].flags &= ~(unsigned)RUN_SHIFTS;
    r->shifting = true;
    r->grouped = false;
}

// The shift with which a car has just the gap to a car in front that it keeps, and keeps it.
static lane_point as_it_is(const mc_run *r, int slot, int front)
{
    const run_car *c = &r->car[slot];
    const mc_motion *own = &r->motion[slot], *other = &r->motion[front];
    const double gap = run_apart(r, own->x, other->x) + r->car[front].tail - c->nose;
    return (lane_point){.d = gap - kept_gap(r, slot),
                        .rate = other->v - own->v - c->headway * own->a,
                        .bend = other->a - own->a};
}

static void move_shifts(mc_run *r)
{
    const double t = run_time(r);
    for (int slot = 0; slot < r->count; slot++) {
        run_shift *s = &r->rare[slot].shift;
        if (!(r->car[slot].flags & RUN_SHIFTS) && !s->beside)
            continue;
        const lane_point p = lane_curve_at(&s->curve, t);
        s->d = s->target + p.d, s->rate = p.rate, s->bend = p.bend;
    }
    for (int slot = 0; slot < r->count; slot++)
        r->rare[slot].shift.all = r->rare[slot].shift.all_rate = 0.0;
    for (int p = 0; p < r->platoons; p++) {
        const int count = collect(r, p);
        for (int k = 1; k < count; k++) {
            run_shift *s = &r->rare[r->members[k]].shift;
            const run_shift *front = &r->rare[r->members[k - 1]].shift;
            const bool on = r->car[r->members[k]].flags & RUN_SHIFTS;
            s->all = front->all + (on ? s->d : 0.0);
            s->all_rate = front->all_rate + (on ? s->rate : 0.0);
        }
    }
}

static mc_status end_shift(mc_run *r, int slot, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    const run_shift *s = &rare->shift;
    if (!(r->car[slot].flags & RUN_SHIFTS) || run_time(r) < s->curve.start + s->curve.duration)
        return MC_OK;
    const bool joined = s->manoeuvre == RUN_JOINS;
    if (s->target == 0.0)
        no_shift(r, slot, s->fresh);
    else if (s->manoeuvre != RUN_OPENS)
        rare->shift.manoeuvre = RUN_NO_MANOEUVRE;
    return joined ? run_note(r, EVENT_JOINED, rare->vehicle, rare->platoon + 1.0, error) : MC_OK;
}

// ---- steps of manoeuvres ----

// A follower takes the controller of the follower it drives behind.
static void follow_as(mc_run *r, int slot, int front)
{
    run_rare *rare = &r->rare[slot];
    const bool follower = r->car[front].leader != front && r->car[front].controller >= 0;
    if (rare->profile >= 0) {
        rare->profile = -1;
        run_profile_slots(r);
    }
    rare->leads_as = 0;
    run_leads(r);
    if (follower && r->car[front].controller != r->car[slot].controller)
        run_give_controller(r, slot, r->car[front].controller);
    r->car[slot].flags |= RUN_OBEYS_SPEED;
    r->grouped = false;
    run_refresh_car(r, slot);
}

// Closes up to a car that it did not follow, or by another law, which starts from what it sees.
static void close_up(mc_run *r, int slot, int front)
{
    begin_shift(r, slot, as_it_is(r, slot, front), 0.0, RUN_JOINS);
    run_law_begin(r, slot, r->car[slot].flags & RUN_FALLEN_BACK ? RUN_FALLBACK : RUN_LAW);
}

// A car behind which others drive keeps the speed of the platoon.
static void lead_on(mc_run *r, int slot, int leader)
{
    if (isnan(r->rare[slot].own_v_set) && r->rare[slot].profile < 0)
        r->rare[slot].own_v_set =
            r->car[leader].v_set > 0.0 ? r->car[leader].v_set : r->motion[leader].v;
    run_refresh_car(r, slot);
}

static void append(mc_run *r, int slot, int front)
{
    const int platoon = r->rare[front].platoon, old = r->rare[slot].platoon;
    const int from = old < 0 ? 0 : count_of(r, old), base = r->rare[front].number + 1;
    for (int k = 0; k < r->count && from > 0; k++)
        if (r->rare[k].platoon == old)
            r->rare[k].platoon = platoon, r->rare[k].number += base;
    if (from == 0)
        r->rare[slot].platoon = platoon, r->rare[slot].number = base;
    r->regrouped = true;
    run_platoon_order(r, platoon);
    follow_as(r, slot, front);
    close_up(r, slot, front);
    run_refresh_car(r, slot);
}

// The car sets out into the lane of the platoon: it has a place there from now on.
static void take_place(mc_run *r, int slot)
{
    run_rare *rare = &r->rare[slot];
    const int platoon = rare->shift.platoon, count = collect(r, platoon);
    int ahead = -1, behind = -1;
    for (int k = 0; k < count; k++)
        if (r->motion[r->members[k]].x > r->motion[slot].x)
            ahead = r->members[k];
        else if (behind < 0)
            behind = r->members[k];
    if (ahead < 0) { // its leader fell back meanwhile
        no_shift(r, slot, true);
        return;
    }
    const int number = r->rare[ahead].number + 1;
    for (int k = 0; k < count; k++)
        r->rare[r->members[k]].number += r->rare[r->members[k]].number >= number;
    rare->platoon = platoon, rare->number = number;
    r->regrouped = true;
    run_platoon_order(r, platoon);
    follow_as(r, slot, behind >= 0 ? behind : ahead);
    close_up(r, slot, ahead);
    if (behind < 0)
        return;
    const run_manoeuvre what = (run_manoeuvre)r->rare[behind].shift.manoeuvre;
    begin_shift(r, behind, as_it_is(r, behind, slot), 0.0,
                what == RUN_OPENS ? RUN_NO_MANOEUVRE : what);
}

static mc_status drop_out(mc_run *r, int slot, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    const int platoon = rare->platoon, behind = member_at(r, platoon, rare->number + 1);
    const int ahead = member_at(r, platoon, rare->number - 1), leader = r->car[slot].leader;
    alone(r, slot);
    lead_on(r, slot, leader); // it keeps the speed of the platoon
    no_shift(r, slot, true);
    r->regrouped = true;
    run_platoon_order(r, platoon);
    if (behind >= 0 && ahead >= 0)
        begin_shift(r, behind, as_it_is(r, behind, ahead), 0.0, RUN_NO_MANOEUVRE);
    else if (behind >= 0) {
        lead_on(r, behind, leader);
        r->rare[behind].shift.fresh = 1;
    }
    return run_note(r, EVENT_LEFT, rare->vehicle, platoon + 1.0, error);
}

// ---- beside a platoon ----

// The car of the platoon behind the place of a car that joins from the side; -1: none.
static int behind_place(mc_run *r, int slot)
{
    const run_shift *s = &r->rare[slot].shift;
    const int count = s->manoeuvre == RUN_JOINS_SIDE ? collect(r, s->platoon) : 0;
    for (int k = 1; k < count; k++)
        if (r->motion[r->members[k]].x <= r->motion[slot].x)
            return r->motion[r->members[k - 1]].x > r->motion[slot].x ? r->members[k] : -1;
    return -1;
}

static mobil_car judged(const mc_run *r, int slot, double v)
{
    const run_car *c = &r->car[slot];
    return (mobil_car){.v = v,
                       .v_set = c->v_set > 0.0 ? c->v_set : v,
                       .headway = c->headway,
                       .distance = c->distance,
                       .length = c->nose - c->tail};
}

// Gaps with which the car has room in its place, at the speed of the platoon: not below those that
// the platoon keeps.
static void room_of_place(const mc_run *r, int slot, int behind, double *front, double *rear)
{
    static const double STEP = 0.5; // m
    const double *p = r->s->controllers[r->car[slot].controller].lane_change;
    const double kept = kept_gap(r, behind), v = r->motion[behind].v;
    const mobil_car own = judged(r, slot, v), other = judged(r, behind, v);
    mobil_gap into = {kept, v, MOBIL_NO_CAR, &other};
    while (into.front < MOBIL_NO_CAR && !mobil_is_safe(p, &own, &into))
        into.front += STEP;
    *front = into.front > kept ? into.front + STEP : kept;
    into = (mobil_gap){MOBIL_NO_CAR, v, kept, &other};
    while (into.rear < MOBIL_NO_CAR && !mobil_is_safe(p, &own, &into))
        into.rear += STEP;
    *rear = into.rear > kept ? into.rear + STEP : kept;
}

// The car behind that place opens a gap for it.
static void open_place(mc_run *r, int slot)
{
    const int behind = behind_place(r, slot);
    if (behind < 0 || r->rare[behind].shift.manoeuvre != RUN_NO_MANOEUVRE)
        return;
    double front, rear;
    room_of_place(r, slot, behind, &front, &rear);
    const double length = r->car[slot].nose - r->car[slot].tail;
    begin_shift(r, behind, shift_now(r, behind), front + length + rear - kept_gap(r, behind),
                RUN_OPENS);
}

// A gap that no car goes to any more closes again.
static void close_place(mc_run *r, int behind)
{
    if (r->rare[behind].shift.manoeuvre != RUN_OPENS)
        return;
    for (int slot = 0; slot < r->count; slot++)
        if (behind_place(r, slot) == behind)
            return;
    begin_shift(r, behind, shift_now(r, behind), 0.0, RUN_NO_MANOEUVRE);
}

// The car in front in the next lane, behind which a car waits for room there: one that joins comes
// to its place behind it on a curve.
static void wait_beside(mc_run *r, int slot)
{
    run_rare *rare = &r->rare[slot];
    run_shift *s = &rare->shift;
    const bool waits = (s->manoeuvre == RUN_JOINS_SIDE || s->manoeuvre == RUN_LEAVES) &&
                       rare->path.wait >= 0 && rare->path.to < 0;
    const int front = waits ? r->beside[slot].front[rare->path.wait > rare->lane] : -1;
    const int beside = front < 0 ? 0 : 1 + r->rare[front].vehicle;
    if (beside == s->beside)
        return;
    s->beside = beside;
    s->fresh = 1;
    if (beside == 0 || s->manoeuvre != RUN_JOINS_SIDE)
        return;
    lane_point now = as_it_is(r, slot, front);
    double gap = kept_gap(r, slot), rear;
    const int behind = behind_place(r, slot);
    if (behind >= 0)
        room_of_place(r, slot, behind, &gap, &rear);
    s->d = now.d, s->rate = now.rate, s->bend = now.bend;
    s->target = gap - kept_gap(r, slot);
    now.d -= s->target;
    s->curve = gentle_curve(run_time(r), now);
}

// With e = gap - distance - headway v - d, a = (v_front - d' - v + e/T)/headway makes e' = -e/T,
// and at the start of the curve asks for the acceleration that the car has.
double run_join_limit(const mc_run *r, int slot)
{
    static const double T = 3.0; // s
    const run_car *c = &r->car[slot];
    const run_shift *s = &r->rare[slot].shift;
    if (!s->beside)
        return HUGE_VAL;
    const int front = r->slot[s->beside - 1];
    const mc_motion *own = &r->motion[slot], *other = &r->motion[front];
    const double gap = run_apart(r, own->x, other->x) + r->car[front].tail - c->nose;
    const double error = gap - kept_gap(r, slot) - s->d;
    return fmax((other->v - s->rate - own->v + error / T) / fmax(c->headway, 0.5), -HARDEST);
}

double run_join_smooth(mc_run *r, int slot, double asked)
{
    run_shift *s = &r->rare[slot].shift;
    const double t = run_time(r);
    if (s->fresh) {
        s->bump = r->car[slot].inner.desired - asked;
        s->until = t + FADE;
        s->fresh = 0;
    }
    const double z = 1.0 - (s->until - t) / FADE;
    return z < 1.0 ? asked + s->bump * (1.0 - z * z * z * (10.0 - z * (15.0 - z * 6.0))) : asked;
}

// Cars on their way into a platoon or out of it.
static mc_status watch(mc_run *r, int slot, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    const run_path *p = &rare->path;
    if (rare->shift.manoeuvre == RUN_JOINS_SIDE) {
        const int leader = run_platoon_leader(r, rare->shift.platoon);
        const int lane = leader < 0 ? -1 : r->rare[leader].lane;
        if (p->to == lane || (p->to < 0 && rare->lane == lane))
            take_place(r, slot);
        else if (leader < 0 || (p->to < 0 && p->wait < 0)) // sent elsewhere, or none is left
            no_shift(r, slot, true);
    }
    if (rare->shift.manoeuvre == RUN_LEAVES && p->to < 0 && p->wait < 0)
        return drop_out(r, slot, error);
    return MC_OK;
}

mc_status run_join(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    bool any = false;
    for (int v = 0; v < r->count && status == MC_OK; v++)
        status = watch(r, r->slot[v], error);
    for (int v = 0; v < r->count; v++) {
        wait_beside(r, r->slot[v]);
        open_place(r, r->slot[v]);
    }
    for (int v = 0; v < r->count; v++)
        close_place(r, r->slot[v]);
    move_shifts(r);
    for (int v = 0; v < r->count && status == MC_OK; v++) {
        status = end_shift(r, r->slot[v], error);
        const int slot = r->slot[v];
        const run_shift *s = &r->rare[slot].shift;
        any = any || r->car[slot].flags & RUN_SHIFTS || s->manoeuvre || s->fresh ||
              run_time(r) < s->until;
    }
    r->shifting = any;
    return status;
}

// ---- events ----

static mc_status reject(const mc_run *r, int slot, mc_error *error, const char *why, double number)
{
    char text[200];
    snprintf(text, sizeof text, why, number);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s %s",
                        mc_run_vehicle_name(r, r->rare[slot].vehicle), text);
}

// It must see the car that it is to follow.
static mc_status check_reach(const mc_run *r, int slot, mc_error *error)
{
    const double gap = run_gap(r, slot);
    if (gap > r->car[slot].reach)
        return reject(r, slot, error, "is %.1f m behind; expected within the reach of its sensor",
                      gap);
    return MC_OK;
}

static mc_status check_join(const mc_run *r, int slot, int platoon, mc_error *error)
{
    const int leader = run_platoon_leader(r, platoon), last = last_of(r, platoon);
    const double number = platoon + 1.0;
    if (leader < 0)
        return reject(r, slot, error, "cannot join platoon %g, which has no cars", number);
    if (r->rare[slot].platoon == platoon)
        return reject(r, slot, error, "is in platoon %g already", number);
    if (count_of(r, r->rare[slot].platoon) > 1)
        return reject(r, slot, error,
                      "is in platoon %g; expected a single car, or merge for its leader",
                      r->rare[slot].platoon + 1.0);
    if (run_path_of(r, slot) != run_path_of(r, leader))
        return reject(r, slot, error, "is not on the road of platoon %g", number);
    if (r->rare[slot].lane != r->rare[leader].lane)
        return r->motion[slot].x < r->motion[leader].x
                   ? run_lane_rejected(r, slot, EVENT_LANE, r->rare[leader].lane + 1.0, error)
                   : reject(r, slot, error, "is ahead of the leader of platoon %g", number);
    if (r->car[slot].front != last)
        return reject(r, slot, error, "is not directly behind the last car of platoon %g", number);
    return check_reach(r, slot, error);
}

static mc_status check_leave(const mc_run *r, int slot, double lane, mc_error *error)
{
    const bool own = lane - 1.0 == r->rare[slot].lane;
    if (count_of(r, r->rare[slot].platoon) < 2)
        return reject(r, slot, error, "is in no platoon with other cars", 0.0);
    if (!(lane >= 1.0 && lane <= r->road.lane_count && lane == floor(lane)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no lane %g; the road has %d",
                            lane, r->road.lane_count);
    if (own && last_of(r, r->rare[slot].platoon) != slot)
        return reject(r, slot, error,
                      "cannot leave its platoon in lane %g: cars follow it; expected another lane",
                      lane);
    return own ? MC_OK : run_lane_rejected(r, slot, EVENT_LANE, lane, error);
}

static mc_status check_merge(const mc_run *r, int slot, mc_error *error)
{
    const int front = r->car[slot].front, platoon = r->rare[slot].platoon;
    if (platoon < 0 || r->car[slot].leader != slot)
        return reject(r, slot, error, "is not the leader of a platoon", 0.0);
    if (front < 0 || r->rare[front].platoon < 0 || r->rare[front].platoon == platoon ||
        last_of(r, r->rare[front].platoon) != front)
        return reject(r, slot, error, "has no platoon in front of it in its lane", 0.0);
    return check_reach(r, slot, error);
}

mc_status run_join_check(const mc_run *r, int slot, int kind, double value, mc_error *error)
{
    if (r->car[slot].controller < 0)
        return reject(r, slot, error, "has no controller that could do that", 0.0);
    if (r->rare[slot].shift.manoeuvre != RUN_NO_MANOEUVRE)
        return reject(r, slot, error, "is in the middle of another manoeuvre", 0.0);
    switch (kind) {
    case EVENT_JOIN:
        return check_join(r, slot, (int)value - 1, error);
    case EVENT_LEAVE:
        return check_leave(r, slot, value, error);
    case EVENT_SPLIT:
        return r->rare[slot].platoon < 0 || r->car[slot].leader == slot
                   ? reject(r, slot, error, "is not a follower in a platoon", 0.0)
                   : MC_OK;
    default:
        return check_merge(r, slot, error);
    }
}

static void send(mc_run *r, int slot, int lane, run_manoeuvre what, int platoon)
{
    if (what == RUN_JOINS_SIDE)
        no_shift(r, slot, true);
    r->rare[slot].shift.manoeuvre = (int)what;
    r->rare[slot].shift.platoon = platoon;
    r->shifting = true;
    run_traffic_send(r, slot, lane);
}

static void open_gap(mc_run *r, int slot, double gap)
{
    const double lane = r->rare[slot].ordered.separation;
    const double desired = !isnan(gap) ? gap : !isnan(lane) ? lane : SPLIT_GAP;
    begin_shift(r, slot, shift_now(r, slot), fmax(desired - kept_gap(r, slot), 0.0),
                RUN_NO_MANOEUVRE);
}

static void split(mc_run *r, int slot, double gap)
{
    const int old = r->rare[slot].platoon, number = r->rare[slot].number;
    const int leader = r->car[slot].leader;
    for (int k = 0; k < r->count; k++)
        if (r->rare[k].platoon == old && r->rare[k].number >= number)
            r->rare[k].platoon = r->platoons;
    r->platoons++;
    r->regrouped = true;
    run_platoon_order(r, old);
    run_platoon_order(r, r->platoons - 1);
    lead_on(r, slot, leader);
    open_gap(r, slot, gap);
}

mc_status run_join_event(mc_run *r, int slot, int kind, double value, mc_error *error)
{
    const mc_status status = run_join_check(r, slot, kind, value, error);
    const int lane = (int)value - 1, platoon = (int)value - 1;
    if (status != MC_OK)
        return status;
    if (kind == EVENT_SPLIT) {
        split(r, slot, value);
    } else if (kind == EVENT_MERGE) {
        append(r, slot, r->car[slot].front);
    } else if (kind == EVENT_LEAVE && lane != r->rare[slot].lane) {
        send(r, slot, lane, RUN_LEAVES, r->rare[slot].platoon);
    } else if (kind == EVENT_LEAVE) {
        const mc_status left = drop_out(r, slot, error);
        open_gap(r, slot, NAN);
        return left;
    } else {
        const int leader = run_platoon_leader(r, platoon);
        if (r->rare[slot].lane == r->rare[leader].lane)
            append(r, slot, r->car[slot].front);
        else
            send(r, slot, r->rare[leader].lane, RUN_JOINS_SIDE, platoon), open_place(r, slot);
    }
    return MC_OK;
}
