// order.c - lanes, and the order of the vehicles in them.
#include "run/order.h"

#include "base/assert.h"
#include "run/watch.h"
#include "run/where.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

mc_status run_order_room(mc_run *r, mc_error *error)
{
    const size_t n = (size_t)r->count + 1;
    r->order = arena_alloc(&r->memory, 4 * n * sizeof *r->order);
    r->placed = arena_alloc(&r->memory, n);
    r->arrived = arena_alloc(&r->memory, n * sizeof *r->arrived);
    r->ahead = arena_alloc(&r->memory, n * sizeof *r->ahead);
    r->hints = arena_alloc(&r->memory, n * sizeof *r->hints);
    if (!r->order || !r->placed || !r->arrived || !r->ahead || !r->hints)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    memset(r->hints, 0, n * sizeof *r->hints);
    r->order_count = 0;
    return MC_OK;
}

// A car belongs to the lane it was in until it is well inside another.
static int lane_now(const mc_run *r, int slot)
{
    const int lane = r->rare[slot].lane;
    double width;
    const double aside = r->motion[slot].y - run_lane_middle(r, slot, lane, &width);
    if (fabs(aside) < 0.6 * width)
        return lane;
    if (!r->where)
        return road_lane_at(&r->road, r->motion[slot].y);
    return r->where[slot].lane >= 0 ? r->where[slot].lane : lane;
}

// The middle of its lane; where that has ended, of the strip it drives on.
static double middle_of(const mc_run *r, int slot)
{
    const double middle = run_lane_middle(r, slot, r->rare[slot].lane, NULL);
    return isnan(middle) ? r->car[slot].lane_y : middle;
}

// The other lane of a car on its way from one to another; -1: it keeps its lane.
static int lane_beside(const run_rare *rare)
{
    return rare->path.to == rare->lane ? rare->path.from : rare->path.to;
}

// ---- places ----

static bool before(const mc_run *r, run_place a, run_place b)
{
    if (a.lane != b.lane)
        return a.lane < b.lane;
    if (r->lap > 0.0) {
        const double p = run_place_of(r, a.slot), q = run_place_of(r, b.slot);
        return p != q ? p > q : r->rare[a.slot].vehicle < r->rare[b.slot].vehicle;
    }
    if (r->motion[a.slot].x != r->motion[b.slot].x)
        return r->motion[a.slot].x > r->motion[b.slot].x;
    return r->rare[a.slot].vehicle < r->rare[b.slot].vehicle;
}

// Merge sort: stable work for 10,000 cars in the order of a file that may be the wrong way round.
static void merge_sort(const mc_run *r, run_place *order, run_place *spare, int count)
{
    if (count < 2)
        return;
    const int half = count / 2;
    merge_sort(r, order, spare, half);
    merge_sort(r, order + half, spare, count - half);
    int i = 0, j = half, k = 0;
    while (i < half && j < count)
        spare[k++] = before(r, order[j], order[i]) ? order[j++] : order[i++];
    while (i < half)
        spare[k++] = order[i++];
    memcpy(order, spare, (size_t)k * sizeof *order);
}

// From one step to the next few places change: insertion, unless there is too much to move.
static void sort(const mc_run *r, run_place *order, run_place *spare, int count)
{
    long long moves = 8LL * count + 64;
    for (int k = 1; k < count; k++) {
        const run_place p = order[k];
        int at = k;
        while (at > 0 && before(r, p, order[at - 1]) && moves-- > 0) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = p;
        if (moves <= 0) {
            merge_sort(r, order, spare, count);
            return;
        }
    }
}

// Lanes of all paths, numbered.
enum { LANES_MAX = 64, PATHS_MAX = 1024 }; // ramps of earlier versions are paths of their own
static int lane_number(const mc_run *r, int slot, int lane)
{
    if (!r->where || lane < 0)
        return lane;
    const run_where *w = &r->where[slot];
    return LANES_MAX * (w->path > 0 ? w->path + PATHS_MAX * w->elder : 0) + lane;
}

enum { OWN = 1, BESIDE = 2 };

// Which of its lanes a place is in; 0: none any more.
static int which(const mc_run *r, run_place p)
{
    const run_rare *rare = &r->rare[p.slot];
    return p.lane == lane_number(r, p.slot, rare->lane)          ? OWN
           : p.lane == lane_number(r, p.slot, lane_beside(rare)) ? BESIDE
                                                                 : 0;
}

// Places of all cars, sorted; those that hold stay where they are.
static void place(mc_run *r)
{
    run_place *order = r->order;
    int count = 0;
    memset(r->placed, 0, (size_t)r->count);
    for (int k = 0; k < r->order_count; k++) {
        const int lane = which(r, order[k]);
        if (!lane || r->placed[order[k].slot] & lane)
            continue;
        r->placed[order[k].slot] |= (unsigned char)lane;
        order[count++] = order[k];
    }
    for (int slot = 0; slot < r->count; slot++) {
        const int beside = lane_beside(&r->rare[slot]);
        if (!(r->placed[slot] & OWN))
            order[count++] = (run_place){slot, lane_number(r, slot, r->rare[slot].lane)};
        if (beside >= 0 && !(r->placed[slot] & BESIDE))
            order[count++] = (run_place){slot, lane_number(r, slot, beside)};
    }
    r->order_count = count;
    r->ordered = true;
    sort(r, order, order + 2 * r->count, count);
}

// ---- the car in front ----

static double tail_of(const mc_run *r, int slot)
{
    return r->motion[slot].x + r->car[slot].tail;
}

// Of the cars ahead in its lanes, the one that is nearer.
static int nearer(const mc_run *r, int slot, int a, int b)
{
    if (a < 0 || b < 0 || a == b)
        return a < 0 ? b : a;
    const double x = r->motion[slot].x;
    if (r->lap > 0.0)
        return run_apart(r, x, tail_of(r, a)) <= run_apart(r, x, tail_of(r, b)) ? a : b;
    return tail_of(r, a) <= tail_of(r, b) ? a : b;
}

// On a circuit the first car of a lane follows the last one.
static void close_lanes(mc_run *r)
{
    for (int k = 0, end; r->lap > 0.0 && k < r->order_count; k = end) {
        end = k + 1;
        while (end < r->order_count && r->order[end].lane == r->order[k].lane)
            end++;
        const int first = r->order[k].slot, last = r->order[end - 1].slot;
        if (r->order[k].lane < LANES_MAX && first != last)
            r->car[first].front = nearer(r, first, r->car[first].front, last);
    }
}

// The first car of a ramp follows the last one of the lane that it leads to.
static void look_past_ramps(mc_run *r, const road *on, int elder)
{
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(on, k, &ramp); k++) {
        const int on_ramp = LANES_MAX * (ramp.path + PATHS_MAX * elder);
        const int lane = ramp.on ? on_ramp : LANES_MAX * ramp.main + ramp.lane;
        const int next = ramp.on ? LANES_MAX * ramp.main + ramp.lane : on_ramp;
        int first = -1, last = -1;
        for (int i = 0; i < r->order_count; i++) {
            const bool before = run_place_of(r, r->order[i].slot) < ramp.at;
            if (r->order[i].lane == lane && before && first < 0)
                first = r->order[i].slot;
            if (r->order[i].lane == next && !before)
                last = r->order[i].slot;
        }
        if (first >= 0 && last >= 0 && r->car[first].front < 0)
            r->car[first].front = last;
    }
}

// Of the road, and of those of earlier versions that cars are on.
static void look_past(mc_run *r)
{
    look_past_ramps(r, &r->road, 0);
    for (int slot = 0; r->where && slot < r->count; slot++) {
        const int elder = r->where[slot].elder;
        int first = 0;
        while (r->where[first].elder != elder)
            first++;
        if (elder && first == slot)
            look_past_ramps(r, run_elder_road(r, slot), elder);
    }
}

void run_order_make(mc_run *r)
{
    r->grouped = false;
    r->sorts++;
    for (int slot = 0; slot < r->count; slot++) {
        r->rare[slot].lane = lane_now(r, slot);
        r->car[slot].lane_y = middle_of(r, slot);
        if (!r->watch->fronts.has[slot])
            r->watch->front_before[slot] = r->car[slot].front;
        r->car[slot].front = -1;
    }
    place(r);
    for (int k = 1; k < r->order_count; k++) {
        const run_place own = r->order[k], ahead = r->order[k - 1];
        if (ahead.lane == own.lane)
            r->car[own.slot].front = nearer(r, own.slot, r->car[own.slot].front, ahead.slot);
    }
    close_lanes(r);
    look_past(r);
    for (int slot = 0; slot < r->count; slot++)
        if (r->car[slot].front != r->watch->front_before[slot])
            run_list_add(&r->watch->fronts, slot);
}

// ---- single places ----

// The first place of the order that is not before another one.
static int find(const mc_run *r, run_place p)
{
    int low = 0, high = r->order_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (before(r, r->order[middle], p))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int front_in(const mc_run *r, run_place p)
{
    const int k = find(r, p) - 1;
    return k >= 0 && r->order[k].lane == p.lane ? r->order[k].slot : -1;
}

// The car in front by the places that there are.
static void look_ahead(mc_run *r, int slot)
{
    const int lane = r->rare[slot].lane, beside = lane_beside(&r->rare[slot]);
    const int first = beside >= 0 && beside < lane ? beside : lane; // as run_order_make looks
    int front = front_in(r, (run_place){slot, lane_number(r, slot, first)});
    if (beside >= 0)
        front = nearer(r, slot, front,
                       front_in(r, (run_place){slot, lane_number(r, slot, lane + beside - first)}));
    run_set_front(r, slot, front);
}

static void look_ahead_at(mc_run *r, int k, int lane)
{
    if (k < r->order_count && r->order[k].lane == lane)
        look_ahead(r, r->order[k].slot);
}

static void enter(mc_run *r, int slot)
{
    const run_place p = {slot, lane_beside(&r->rare[slot])};
    const int k = find(r, p);
    memmove(r->order + k + 1, r->order + k, (size_t)(r->order_count - k) * sizeof p);
    r->order[k] = p;
    r->order_count++;
    look_ahead(r, slot);
    look_ahead_at(r, k + 1, p.lane);
}

void run_order_enter(mc_run *r, const int *slots, int count)
{
    const bool singly = r->ordered && !r->where && r->lap == 0.0;
    for (int k = 0; singly && k < count; k++)
        enter(r, slots[k]);
    if (!singly && count > 0)
        run_order_make(r);
}

// A car is in another lane now; one that only went back to the middle of its own left none.
static void leave(mc_run *r, run_place p)
{
    if (p.lane < 0)
        return;
    const int k = find(r, p);
    mc_assert(k < r->order_count && r->order[k].slot == p.slot && r->order[k].lane == p.lane);
    r->order_count--;
    memmove(r->order + k, r->order + k + 1, (size_t)(r->order_count - k) * sizeof p);
    look_ahead(r, p.slot);
    look_ahead_at(r, k, p.lane);
}

// Whether a place is before a point of a lane.
static inline bool is_ahead(const mc_run *r, run_place p, int lane, double x)
{
    return p.lane < lane || (p.lane == lane && r->motion[p.slot].x > x);
}

// The first place in a lane, or behind it, at x or behind that. Places change little from one
// decision of a car to the next: the search widens around where it ended last.
static int find_behind(const mc_run *r, int lane, double x, int *hint)
{
    const int count = r->order_count;
    int low = *hint < count ? *hint : count, high = low;
    for (int step = 1; low > 0 && !is_ahead(r, r->order[low - 1], lane, x); step *= 2)
        high = low - 1, low = low > step ? low - step : 0;
    for (int step = 1; high < count && is_ahead(r, r->order[high], lane, x); step *= 2)
        low = high + 1, high = count - high > step ? high + step : count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (is_ahead(r, r->order[middle], lane, x))
            low = middle + 1;
        else
            high = middle;
    }
    *hint = low;
    return low;
}

static int slot_in(const mc_run *r, int k, int lane)
{
    return k >= 0 && k < r->order_count && r->order[k].lane == lane ? r->order[k].slot : -1;
}

// The place of a car in its lane.
static int own_place(const mc_run *r, run_place p, int *hint)
{
    int k = find_behind(r, p.lane, r->motion[p.slot].x, hint); // or one of those at the same x
    while (k < r->order_count && r->order[k].slot != p.slot && r->order[k].lane == p.lane)
        k++;
    return k;
}

static void fetch_place(const mc_run *r, int k)
{
    if (k < 0 || k >= r->order_count)
        return;
    const int slot = r->order[k].slot;
    const char *car = (const char *)&r->car[slot];
    __builtin_prefetch(car); // up to its desired speed
    __builtin_prefetch(car + offsetof(run_car, v_set) + sizeof(double) - 1);
    __builtin_prefetch(&r->motion[slot]);
}

void run_order_fetch(const mc_run *r, int slot)
{
    const int *at = r->hints[slot].at;
    for (int side = 0; side < 2; side++) {
        fetch_place(r, at[side] - 1);
        fetch_place(r, at[side]);
    }
    fetch_place(r, at[2] + 1);
}

void run_order_beside(mc_run *r, int slot, run_beside *out)
{
    const int own = lane_number(r, slot, r->rare[slot].lane);
    run_hints *hints = &r->hints[slot];
    out->behind = slot_in(r, own_place(r, (run_place){slot, own}, &hints->at[2]) + 1, own);
    for (int side = 0; side < 2; side++) {
        const int lane = own + (side ? 1 : -1);
        const int k = find_behind(r, lane, r->motion[slot].x, &hints->at[side]);
        out->front[side] = slot_in(r, k - 1, lane);
        out->rear[side] = slot_in(r, k, lane);
    }
}

// ---- after a step ----

static bool any_aside(const mc_run *r)
{
    bool any = false;
    for (int k = 0; k < r->tile_count; k++)
        any = any || r->tiles[k].aside;
    return any;
}

// A car on its way has places in both lanes: when it passes from one to the other they stay.
static bool keeps_places(mc_run *r, int slot)
{
    run_car *c = &r->car[slot];
    if (fabs(r->motion[slot].y - c->lane_y) < 0.6 * r->road.lane_width)
        return true;
    run_rare *rare = &r->rare[slot];
    const int lane = lane_now(r, slot);
    if (lane != rare->lane && lane != lane_beside(rare))
        return false;
    rare->lane = lane;
    c->lane_y = middle_of(r, slot);
    return true;
}

// Whether the places still hold while cars change lanes; those cars look ahead again.
static bool holds_changing(mc_run *r, int arrived)
{
    enum { UNSEEN = -2 };
    const run_list *changes = &run_watch_lists(r)->changes;
    const mc_motion *motion = r->motion;
    if (!r->ordered || r->where || r->lap > 0.0 || any_aside(r))
        return false;
    for (int k = 0; k < changes->count; k++) {
        r->ahead[changes->slots[k]] = UNSEEN;
        if (!keeps_places(r, changes->slots[k]))
            return false;
    }
    for (int k = 0; k < arrived; k++)
        if (lane_now(r, r->arrived[k].slot) != r->rare[r->arrived[k].slot].lane)
            return false;
    run_place last = {-1, -1};
    double x_last = 0.0;
    for (int k = 0; k < r->order_count; k++) {
        const run_place own = r->order[k];
        const bool follows = own.lane == last.lane;
        const double x = motion[own.slot].x;
        if (follows && !(x_last > x) && !before(r, last, own))
            return false;
        if (changes->has[own.slot]) {
            const int front = follows ? last.slot : -1, other = r->ahead[own.slot];
            r->ahead[own.slot] = other == UNSEEN ? front : nearer(r, own.slot, other, front);
        }
        last = own, x_last = x;
    }
    for (int k = 0; k < changes->count; k++) {
        const int slot = changes->slots[k];
        run_set_front(r, slot, r->ahead[slot]);
    }
    return true;
}

static bool holds_keeping(const mc_run *r)
{
    const run_car *cars = r->car;
    const mc_motion *motion = r->motion;
    const double aside = 0.6 * r->road.lane_width;
    const int count = r->count;
    bool holds = r->ordered && !(r->where && r->ramps);
    for (int slot = 0; holds && slot < count; slot++)
        holds = fabs(motion[slot].y - cars[slot].lane_y) < aside &&
                (cars[slot].front < 0 ||
                 run_apart(r, motion[slot].x, motion[cars[slot].front].x) > 0.0);
    return holds;
}

// On a road with curves the middle of a lane moves with the car.
static void follow_lanes(mc_run *r)
{
    for (int slot = 0; r->where && slot < r->count; slot++)
        r->car[slot].lane_y = middle_of(r, slot);
}

void run_order_check(mc_run *r, int arrived)
{
    follow_lanes(r);
    if (!(r->changing || arrived > 0 ? holds_changing(r, arrived) : holds_keeping(r))) {
        run_order_make(r);
        return;
    }
    for (int k = 0; k < arrived; k++)
        leave(r, r->arrived[k]);
}

void run_order_restore(mc_run *r)
{
    r->order_count = 0;
    place(r);
    run_watch_restored(r);
}
