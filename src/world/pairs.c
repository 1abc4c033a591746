// pairs.c - which vehicles may touch.
#include "world/world.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

static const double HORIZON = 0.25; // s, how far ahead boxes reach
static const double MARGIN = 0.25;  // m, for what cannot be foreseen

// Without a check no vehicle is trusted for longer than this, or to stay below this acceleration:
// one that suddenly steers or brakes has another bound than at the last check.
static const double CALM_LONGEST = 0.1; // s
static const double SUDDEN = 60.0;      // m/s^2

enum { LOOK_RANGE = 512 };

typedef struct look_task {
    mc_world *w;
    _Atomic int first_bad; // lowest id whose motion is not finite
} look_task;

static void look_range(void *context, int index)
{
    look_task *task = context;
    mc_world *w = task->w;
    const int first = index * LOOK_RANGE;
    const int last = first + LOOK_RANGE < w->vehicle_count ? first + LOOK_RANGE : w->vehicle_count;
    for (int id = last - 1; id >= first; id--) {
        mc_reach *r = &w->reach[id];
        w->body[id].batch->kind->reach(w->body[id].batch, w->body[id].index, r);
        double sum = r->radius + r->spread + r->acceleration;
        for (int k = 0; k < 3; k++)
            sum += r->centre[k] + r->velocity[k];
        int known = task->first_bad;
        while (!isfinite(sum) && id < known &&
               !atomic_compare_exchange_weak(&task->first_bad, &known, id))
            ;
    }
}

mc_status world_look(mc_world *w, mc_error *error)
{
    look_task task = {w, w->vehicle_count};
    pool_run(w->pool, (w->vehicle_count + LOOK_RANGE - 1) / LOOK_RANGE, look_range, &task);
    w->calm_until = w->due = -HUGE_VAL;
    if (task.first_bad == w->vehicle_count)
        return MC_OK;
    mc_error_set(error, MC_FAILED, NULL, 0, 0, "motion not finite at t = %.6g s (step %g s)",
                 w->time, w->step);
    if (error)
        error->vehicle = task.first_bad + 1;
    return MC_FAILED;
}

// May a vehicle leave its box within `duration`?
static bool outside(const mc_world *w, double duration)
{
    for (int id = 0; id < w->vehicle_count; id++) {
        const mc_reach *r = &w->reach[id];
        const double size = r->radius + 0.5 * r->acceleration * duration * duration;
        for (int k = 0; k < 2; k++) {
            const double travel = r->velocity[k] * duration;
            if (r->centre[k] + (travel < 0.0 ? travel : 0.0) - size < w->box[id].low[k] ||
                r->centre[k] + (travel > 0.0 ? travel : 0.0) + size > w->box[id].high[k])
                return true;
        }
    }
    return false;
}

// Shortens `time` to what something that moves at `speed` towards a wall needs for `way`.
static inline double time_to(double way, double speed, double acceleration, double time)
{
    speed = speed > 0.0 ? speed : 0.0;
    if (time * (speed + 0.5 * acceleration * time) < way)
        return time;
    return way > 0.0 ? (sqrt(speed * speed + 2.0 * acceleration * way) - speed) / acceleration
                     : 0.0;
}

double world_calm_until(const mc_world *w)
{
    double time = CALM_LONGEST;
    for (int id = 0; id < w->fixed_from && time > 0.0; id++) {
        const mc_reach *r = &w->reach[id];
        const broad_box *box = &w->box[id];
        const double max = r->acceleration > SUDDEN ? r->acceleration : SUDDEN;
        for (int k = 0; k < 2; k++) {
            time = time_to(box->high[k] - r->centre[k] - r->radius, r->velocity[k], max, time);
            time = time_to(r->centre[k] - r->radius - box->low[k], -r->velocity[k], max, time);
        }
    }
    return w->time + (1.0 - 1e-9) * time;
}

static void look_at(mc_world *w, int id)
{
    w->body[id].batch->kind->reach(w->body[id].batch, w->body[id].index, &w->reach[id]);
}

int world_pairs_due(mc_world *w, double duration)
{
    const double end = w->time + duration;
    if (end < w->due)
        return 0;
    int count = 0;
    w->due = HUGE_VAL;
    for (int k = 0; k < w->pair_count; k++) {
        contact_pair *pair = &w->pairs[k];
        pair->active = false;
        if (!(end < pair->next_check)) {
            look_at(w, pair->a);
            look_at(w, pair->b);
            pair->active = world_pair_may_touch(w, pair, duration);
        }
        count += pair->active;
        w->due = pair->next_check < w->due ? pair->next_check : w->due;
    }
    return count;
}

mc_status world_pairs_reserve(mc_world *w, int count, mc_error *error)
{
    if (count <= w->pair_capacity)
        return MC_OK;
    const size_t size = (size_t)count * 2 * sizeof(contact_pair);
    contact_pair *pairs = realloc(w->pairs, size), *spare = NULL;
    if (pairs) {
        w->pairs = pairs;
        spare = realloc(w->pairs_spare, size);
    }
    if (!spare)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for %d pairs", count);
    w->pairs_spare = spare;
    w->pair_capacity = count * 2;
    return MC_OK;
}

mc_status world_pairs_make(mc_world *w, mc_error *error)
{
    for (int id = 0; id < w->vehicle_count; id++) {
        const mc_reach *reach = &w->reach[id];
        const bool hit = w->hit_stamp[id] == w->chunk_number;
        for (int k = 0; k < 2; k++) {
            const double low = hit ? w->range[id].low[k] : reach->velocity[k];
            const double high = hit ? w->range[id].high[k] : reach->velocity[k];
            const double size = reach->radius + MARGIN;
            w->box[id].low[k] = reach->centre[k] + fmin(low, 0.0) * HORIZON - size;
            w->box[id].high[k] = reach->centre[k] + fmax(high, 0.0) * HORIZON + size;
        }
    }
    const broad_pair *found;
    int count;
    mc_status status = broad_find(w->broad, w->box, w->vehicle_count, &found, &count, error);
    if (status != MC_OK)
        return status;
    status = world_pairs_reserve(w, count, error);
    if (status != MC_OK)
        return status;
    // Both lists are sorted: what is known of a pair carries over in one pass.
    int old = 0;
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (found[k].a >= w->fixed_from) // two obstacles
            continue;
        while (old < w->pair_count &&
               (w->pairs[old].a < found[k].a ||
                (w->pairs[old].a == found[k].a && w->pairs[old].b < found[k].b)))
            old++;
        if (old < w->pair_count && w->pairs[old].a == found[k].a && w->pairs[old].b == found[k].b)
            w->pairs_spare[kept++] = w->pairs[old];
        else
            w->pairs_spare[kept++] = (contact_pair){.a = found[k].a,
                                                    .b = found[k].b,
                                                    .last_impact = -HUGE_VAL,
                                                    .next_check = -HUGE_VAL};
    }
    contact_pair *swap = w->pairs;
    w->pairs = w->pairs_spare, w->pairs_spare = swap;
    w->pair_count = kept;
    w->boxes_made = true;
    return MC_OK;
}

mc_status world_pairs_update(mc_world *w, double duration, mc_error *error)
{
    const bool stale = !w->boxes_made || outside(w, duration);
    return world_agree(w, stale) > 0.0 ? world_pairs_make(w, error) : MC_OK;
}
