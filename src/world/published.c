// published.c - the contact law of the report (eq 1.45 and section 1.5), with the readings of
// docs/theory.md:
//
//   All vehicles share one step. A step that would end in contact is undone and halved until it is
//   below a smallest one; a hundred such steps are taken before the step may grow again.
//   Contact points T1, T2: each the deepest point of one surface in the field of the other (1.4.3).
//   gamma_2 falls by k dt phi_2 and is never negative; phi_2 is the speed at which the points
//   separate.
//   The force gamma_2 acts through the inverse of the inertia, equal and opposite on the two.
//
// gamma_1, a correction of positions that the report throws away when contact ends, is left out.
#include "contact/ellipsoid_field.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct episode { // two vehicles in contact
    int a, b;
    bool begun;
    double force; // gamma_2, N
    bool seen;    // in contact after the step under way
    mc_impact impact;
} episode;

struct published {
    double full; // s, step without contact
    double step; // s, in use now
    int held;    // steps taken since it was reduced
    episode *episodes;
    int count, capacity;
};

struct published *published_create(double step)
{
    struct published *p = calloc(1, sizeof *p);
    if (p)
        p->full = p->step = step;
    return p;
}

void published_destroy(struct published *p)
{
    if (p) {
        free(p->episodes);
        free(p);
    }
}

static episode *episode_of(struct published *p, int a, int b)
{
    for (int k = 0; k < p->count; k++)
        if (p->episodes[k].a == a && p->episodes[k].b == b)
            return &p->episodes[k];
    if (p->count == p->capacity) {
        const int capacity = p->capacity ? 2 * p->capacity : 16;
        episode *grown = realloc(p->episodes, (size_t)capacity * sizeof *grown);
        if (!grown)
            return NULL;
        p->episodes = grown;
        p->capacity = capacity;
    }
    p->episodes[p->count] = (episode){.a = a, .b = b};
    return &p->episodes[p->count++];
}

// Pushes two vehicles that overlap apart for one step. False when there is no memory.
static bool push(mc_world *w, const contact_pair *pair, double step, double time)
{
    const impact_body *body[2] = {&w->body[pair->a], &w->body[pair->b]};
    ellipsoid surface[2];
    for (int k = 0; k < 2; k++)
        body[k]->batch->kind->surface(body[k]->batch, body[k]->index, &surface[k]);
    double point[2][3], normal[2][3], v[2][3];
    ellipsoid_field_deepest(&surface[0], &surface[1], point[0], normal[0]);
    ellipsoid_field_deepest(&surface[1], &surface[0], point[1], normal[1]);
    double parting = 0.0; // phi_2
    for (int k = 0; k < 2; k++)
        body[k]->batch->kind->point_velocity(body[k]->batch, body[k]->index, point[k], v[k]);
    for (int j = 0; j < 3; j++)
        parting += normal[0][j] * (v[1][j] - v[0][j]);

    episode *e = episode_of(w->published, pair->a, pair->b);
    if (!e)
        return false;
    if (!e->begun) {
        e->begun = true;
        e->impact = (mc_impact){
            .time = time, .a = pair->a, .b = pair->b, .closing = -parting, .gap = pair->near.gap};
        memcpy(e->impact.point, point[0], sizeof e->impact.point);
        memcpy(e->impact.normal, normal[0], sizeof e->impact.normal);
        impact_note(&(impact_contact){.a = *body[0], .b = *body[1]}, e->impact.velocity_before,
                    e->impact.before);
    }
    e->seen = true;
    e->force = fmax(0.0, e->force - w->options.penalty_stiffness * step * parting);
    e->impact.impulse += step * e->force;
    for (int k = 0; k < 2; k++) {
        double impulse[3];
        for (int j = 0; j < 3; j++)
            impulse[j] = (k ? 1.0 : -1.0) * step * e->force * normal[0][j];
        body[k]->batch->kind->apply_impulse(body[k]->batch, body[k]->index, point[k], impulse);
    }
    return true;
}

// Ends the episodes whose vehicles have separated and records them.
static mc_status end_episodes(mc_world *w, mc_error *error)
{
    struct published *p = w->published;
    int kept = 0;
    for (int k = 0; k < p->count; k++) {
        episode *e = &p->episodes[k];
        if (e->seen) {
            e->seen = false;
            p->episodes[kept++] = *e;
            continue;
        }
        e->impact.duration = w->time - e->impact.time;
        impact_note(&(impact_contact){.a = w->body[e->a], .b = w->body[e->b]},
                    e->impact.velocity_after, e->impact.after);
        const mc_status status = world_note_impacts(w, &e->impact, 1, error);
        if (status != MC_OK)
            return status;
        w->hit_stamp[e->a] = w->hit_stamp[e->b] = w->hit_newest = w->chunk_number;
    }
    p->count = kept;
    return MC_OK;
}

// One step of at most `left` seconds; *taken is what it was.
static mc_status step_once(mc_world *w, double left, double *taken, mc_error *error)
{
    struct published *p = w->published;
    bool contact = true, small = false;
    while (contact && !small) {
        small = p->step < w->options.penalty_smallest_step;
        *taken = fmin(p->step, left);
        if (!small && world_keep(w, error) != MC_OK)
            return MC_NO_MEMORY;
        world_batches_advance(w, *taken);
        contact = false;
        for (int k = 0; k < w->pair_count; k++) {
            double gap, rate;
            if (w->pairs[k].next_check > w->time)
                continue;
            contact_pair_look(&w->pairs[k], w->body, &gap, &rate);
            if (gap >= 0.0)
                continue;
            contact = true;
            if (small && !push(w, &w->pairs[k], *taken, w->time))
                return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for contacts");
        }
        if (contact && !small) { // undo it
            world_put_back(w);
            p->step *= 0.5;
            p->held = 0;
        }
    }
    w->time += *taken;
    if (!contact && p->step < p->full && ++p->held >= w->options.penalty_held_steps)
        p->step = p->full;
    return end_episodes(w, error);
}

mc_status published_advance(mc_world *w, double duration, mc_error *error)
{
    struct published *p = w->published;
    const double end = w->time + duration;
    while (end - w->time > 1e-12 * end) {
        const double chunk = fmin(w->chunk, end - w->time), chunk_end = w->time + chunk;
        w->chunk_number++;
        mc_status status = world_pairs_update(w, chunk, error);
        bool near = p->count > 0;
        for (int k = 0; k < w->pair_count && status == MC_OK; k++) {
            const bool touch = world_pair_may_touch(w, &w->pairs[k], chunk);
            near = near || touch;
            if (touch)
                w->pairs[k].next_check = w->time;
        }
        if (!near && status == MC_OK) { // no vehicles can touch: no need to check
            p->step = p->full;
            world_batches_advance(w, chunk);
            w->time = chunk_end;
        }
        while (status == MC_OK && chunk_end - w->time > 1e-12 * chunk_end) {
            double taken;
            status = step_once(w, chunk_end - w->time, &taken, error);
        }
        if (status == MC_OK)
            status = world_look(w, error);
        if (status != MC_OK)
            return status;
    }
    w->time = end;
    return MC_OK;
}
