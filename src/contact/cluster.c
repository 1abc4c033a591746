// cluster.c - windows, searches, impacts.
#include "contact/cluster.h"

#include "contact/obstacle.h"
#include "num/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The surface where its outward normal is side times `normal`; false: it is an ellipsoid.
static bool touch(const impact_body *body, const double normal[3], double side, ellipsoid *surface)
{
    const double outward[3] = {side * normal[0], side * normal[1], side * normal[2]};
    const mc_vehicle_kind *kind = body->batch->kind;
    return kind->surface_toward && kind->surface_toward(body->batch, body->index, outward, surface);
}

// b may be an obstacle; a never is.
static void find_gap(const impact_body *b, const ellipsoid *surface_a, const ellipsoid *surface_b,
                     int warm, ellipsoid_gap *near)
{
    if (obstacle_is(b))
        obstacle_gap(b, surface_a, warm, near);
    else
        ellipsoid_gap_find(surface_a, surface_b, warm, near);
}

// Bent surfaces: each is replaced by the ellipsoid that touches it where its normal is the common
// one, until that does not change any more. Then the points are on the surfaces themselves.
static void look_again(const impact_body *a, const impact_body *b, ellipsoid *surface_a,
                       ellipsoid *surface_b, ellipsoid_gap *near)
{
    enum { TURNS = 50 };
    double change = 1.0;
    for (int turn = 0; turn < TURNS && change > 1e-12; turn++) {
        const double before[3] = {near->normal[0], near->normal[1], near->normal[2]};
        const bool bent = touch(a, before, 1.0, surface_a);
        if (!touch(b, before, -1.0, surface_b) && !bent)
            return;
        find_gap(b, surface_a, surface_b, 1, near);
        change = 0.0;
        for (int k = 0; k < 3; k++)
            change = fmax(change, fabs(near->normal[k] - before[k]));
    }
}

void contact_pair_look(contact_pair *pair, const impact_body *body, double *gap, double *rate)
{
    const impact_body *a = &body[pair->a], *b = &body[pair->b];
    ellipsoid surface_a, surface_b;
    a->batch->kind->surface(a->batch, a->index, &surface_a);
    b->batch->kind->surface(b->batch, b->index, &surface_b);
    find_gap(b, &surface_a, &surface_b, pair->warm, &pair->near);
    look_again(a, b, &surface_a, &surface_b, &pair->near);
    pair->warm = 1;
    *gap = pair->near.gap;
    double v_a[3], v_b[3];
    a->batch->kind->point_velocity(a->batch, a->index, pair->near.point_1, v_a);
    b->batch->kind->point_velocity(b->batch, b->index, pair->near.point_2, v_b);
    const double *n = pair->near.normal;
    *rate = n[0] * (v_b[0] - v_a[0]) + n[1] * (v_b[1] - v_a[1]) + n[2] * (v_b[2] - v_a[2]);
}

// Longest time for which the gap cannot close: gap = closing T + acceleration T^2 / 2.
static double time_to_touch(double gap, double closing, double acceleration)
{
    if (gap <= 0.0)
        return 0.0;
    return 2.0 * gap / (closing + sqrt(closing * closing + 2.0 * acceleration * gap));
}

double contact_pair_safe_time(contact_pair *pair, const impact_body *body, const mc_reach *a,
                              const mc_reach *b, double enough)
{
    double apart[3], velocity[3];
    for (int k = 0; k < 3; k++) {
        apart[k] = b->centre[k] - a->centre[k];
        velocity[k] = b->velocity[k] - a->velocity[k];
    }
    const double speed = vec3_norm(velocity), acceleration = a->acceleration + b->acceleration;
    const double spheres = vec3_norm(apart) - a->radius - b->radius;
    const double safe = time_to_touch(spheres, speed, acceleration);
    if (safe > enough)
        return safe;
    double gap, rate;
    contact_pair_look(pair, body, &gap, &rate);
    return fmax(safe, time_to_touch(gap, speed + a->spread + b->spread, acceleration));
}

static void save_to(const cluster *c, int member, double *states)
{
    const impact_body *body = &c->body[c->members[member]];
    body->batch->kind->save(body->batch, body->index, states + (size_t)member * (size_t)c->stride);
}

static void restore_from(const cluster *c, int member, const double *states)
{
    const impact_body *body = &c->body[c->members[member]];
    body->batch->kind->restore(body->batch, body->index,
                               states + (size_t)member * (size_t)c->stride);
}

// Brings a member to `time` within the window, from its base.
static void bring(const cluster *c, int member, double time)
{
    const impact_body *body = &c->body[c->members[member]];
    restore_from(c, member, c->base);
    body->batch->kind->advance(body->batch, body->index, 1, time - c->base_time[member]);
}

// Moves a member from its base to the end of the window and notes the state there.
static void finish(const cluster *c, int member, double window)
{
    bring(c, member, window);
    save_to(c, member, c->end);
}

typedef struct look_context {
    const cluster *c;
    contact_pair *pair;
} look_context;

static void look(void *context, crossing_sample *sample)
{
    const look_context *l = context;
    bring(l->c, l->c->slot[l->pair->a], sample->time);
    bring(l->c, l->c->slot[l->pair->b], sample->time);
    contact_pair_look(l->pair, l->c->body, &sample->gap, &sample->rate);
}

static void search_pair(const cluster *c, const cluster_settings *s, int k, double time,
                        double window)
{
    contact_pair *pair = c->pairs[k];
    const int a = c->slot[pair->a], b = c->slot[pair->b];
    look_context context = {c, pair};
    crossing_sample start = {.time = fmax(c->base_time[a], c->base_time[b])};
    crossing_sample end = {.time = window};
    look(&context, &start);
    restore_from(c, a, c->end);
    restore_from(c, b, c->end);
    contact_pair_look(pair, c->body, &end.gap, &end.rate);
    // A body pushed by others does not rest.
    const bool resting = pair->last_closing < s->resting_speed && start.rate > -s->resting_speed &&
                         end.rate > -s->resting_speed;
    const double guard = resting ? s->resting_guard : s->guard;
    const double earliest = fmax(start.time, pair->last_impact + guard - time);
    c->search[k].found =
        crossing_find(look, &context, &start, &end, earliest, s->tolerance, &c->search[k].at) &&
        c->search[k].at.rate < -s->slowest_impact;
}

static void contact_of(const cluster *c, const contact_pair *pair, impact_contact *contact)
{
    *contact = (impact_contact){
        .a = c->body[pair->a], .b = c->body[pair->b], .id_a = pair->a, .id_b = pair->b};
    memcpy(contact->normal, pair->near.normal, sizeof contact->normal);
    memcpy(contact->point_a, pair->near.point_1, sizeof contact->point_a);
    memcpy(contact->point_b, pair->near.point_2, sizeof contact->point_b);
}

// All pairs that touch at `time`, linked to pair k through vehicles: their places in c->pairs,
// ascending. All vehicles concerned are brought to `time`.
static int touching_set(const cluster *c, const cluster_settings *s, int k, double time,
                        int set[IMPACT_MAX])
{
    int count = 1;
    set[0] = k;
    double gap, rate;
    bring(c, c->slot[c->pairs[k]->a], time);
    bring(c, c->slot[c->pairs[k]->b], time);
    contact_pair_look(c->pairs[k], c->body, &gap, &rate);
    for (int done = 0; done < count && count < IMPACT_MAX; done++) {
        const contact_pair *from = c->pairs[set[done]];
        for (int q = 0; q < c->pair_count && count < IMPACT_MAX; q++) {
            contact_pair *pair = c->pairs[q];
            const bool linked = pair->a == from->a || pair->b == from->a || pair->a == from->b ||
                                pair->b == from->b;
            bool known = false;
            for (int j = 0; j < count; j++)
                known = known || set[j] == q;
            if (!linked || known)
                continue;
            bring(c, c->slot[pair->a], time);
            bring(c, c->slot[pair->b], time);
            contact_pair_look(pair, c->body, &gap, &rate);
            if (gap <= s->touch_tolerance)
                set[count++] = q;
        }
    }
    for (int i = 1; i < count; i++) // few: insertion sort
        for (int j = i; j > 0 && set[j - 1] > set[j]; j--) {
            const int swap = set[j];
            set[j] = set[j - 1], set[j - 1] = swap;
        }
    return count;
}

static void note_impact(cluster *c, const mc_impact *impact)
{
    if (c->impact_count == c->impact_capacity) {
        const int capacity = c->impact_capacity ? 2 * c->impact_capacity : 64;
        mc_impact *grown = realloc(c->impacts, (size_t)capacity * sizeof *grown);
        if (!grown) {
            c->out_of_memory = true;
            return;
        }
        c->impacts = grown;
        c->impact_capacity = capacity;
    }
    c->impacts[c->impact_count++] = *impact;
}

// ---- instants ----

// All members at `at` within the window, just after an impact: those that were hit start from
// there, the others are on their way.
static void keep_impact(cluster *c, double time, double at)
{
    double *states = contact_instants_add(&c->instants, time + at, CONTACT_INSTANT_IMPACT);
    for (int m = 0; states && m < c->member_count; m++) {
        if (c->base_time[m] == at)
            restore_from(c, m, c->base);
        else
            bring(c, m, at);
        save_to(c, m, states);
    }
}

// All members where they are: at the end of a window.
static void keep_window(cluster *c, double time)
{
    double *states = contact_instants_add(&c->instants, time, CONTACT_INSTANT_WINDOW);
    for (int m = 0; states && m < c->member_count; m++)
        save_to(c, m, states);
}

// The first fast impact: before it, the start of its window is kept, so that speeds do not seem to
// change earlier than they do.
static void begin_collision(cluster *c, const cluster_settings *s, const impact_contact *contact,
                            int count, double time)
{
    bool fast = false, whole = true;
    if (c->collides || c->instants.room == 0)
        return;
    for (int j = 0; j < count; j++)
        fast = fast || (contact[j].impulse > 0.0 && -contact[j].closing >= s->instant_speed);
    for (int m = 0; m < c->member_count; m++)
        whole = whole && c->base_time[m] == 0.0; // none has been hit in this window
    c->collides = fast;
    double *states =
        fast && whole ? contact_instants_add(&c->instants, time, CONTACT_INSTANT_WINDOW) : NULL;
    if (states)
        memcpy(states, c->base, c->instants.size * sizeof *states);
}

static bool collided_lately(const cluster *c, const cluster_settings *s, double time)
{
    bool lately = false;
    for (int k = 0; c->instants.room > 0 && k < c->pair_count; k++)
        lately = lately || (c->pairs[k]->last_impact >= time - s->instant_quiet &&
                            c->pairs[k]->last_closing >= s->instant_speed);
    return lately;
}

enum { RECOVERY = 10 }; // guard times in which an overlap should be gone

// Restitution below 1 leaves pressed bodies where they overlap. Such a hit bounces a little more:
// so much that the overlap goes, and never more than 1, which takes no energy and gives none.
static impact_law law_at(const cluster *c, const cluster_settings *s, const int *set,
                         const impact_contact *contact, int count)
{
    impact_law law = s->law;
    for (int j = 0; j < count; j++) { // of several at one instant: the least bounce, the roughest
        impact_law own = s->law;
        if (!obstacle_is(&contact[j].b))
            continue;
        obstacle_law(&contact[j].b, &own);
        law.restitution = count > 1 ? fmin(law.restitution, own.restitution) : own.restitution;
        law.friction = count > 1 ? fmax(law.friction, own.friction) : own.friction;
    }
    for (int j = 0; j < count && law.restitution < 1.0; j++) {
        const double closing = -impact_closing(&contact[j]);
        const double parting = -c->pairs[set[j]]->near.gap / (RECOVERY * s->guard);
        if (closing > 0.0 && parting > law.restitution * closing)
            law.restitution = fmin(1.0, parting / closing);
    }
    return law;
}

// Contacts of one instant are solved together: one may release energy that another absorbed. Their
// losses are then attributed to the fastest contact, so that no contact seems to create energy.
static void book_losses(impact_contact *contact, int count)
{
    double friction = 0.0, restitution = 0.0;
    bool gives = false;
    int fastest = 0;
    for (int j = 0; j < count; j++) {
        if (!(contact[j].impulse > 0.0))
            continue;
        friction += contact[j].friction_loss;
        restitution += contact[j].restitution_loss;
        gives = gives || contact[j].friction_loss < 0.0 || contact[j].restitution_loss < 0.0;
        fastest = contact[j].closing < contact[fastest].closing ? j : fastest;
    }
    for (int j = 0; gives && j < count; j++) {
        contact[j].friction_loss = j == fastest ? friction : 0.0;
        contact[j].restitution_loss = j == fastest ? restitution : 0.0;
    }
}

// Carries out the impact of pair k; *any_hit: it changed something.
static void strike(cluster *c, const cluster_settings *s, int k, double time, bool *any_hit)
{
    const double at = c->search[k].at.time;
    int set[IMPACT_MAX];
    impact_contact contact[IMPACT_MAX];
    mc_impact impact[IMPACT_MAX];
    const int count = touching_set(c, s, k, at, set);
    for (int j = 0; j < count; j++) {
        contact_of(c, c->pairs[set[j]], &contact[j]);
        impact_note(&contact[j], impact[j].velocity_before, impact[j].before);
    }
    const impact_law law = law_at(c, s, set, contact, count);
    impact_solve(contact, count, &law);
    book_losses(contact, count);
    begin_collision(c, s, contact, count, time);
    *any_hit = false;
    for (int j = 0; j < count; j++) {
        contact_pair *pair = c->pairs[set[j]];
        if (!(contact[j].impulse > 0.0))
            continue;
        *any_hit = true;
        pair->last_impact = time + at;
        pair->last_closing = -contact[j].closing;
        impact[j].time = time + at;
        impact[j].duration = 0.0;
        impact[j].a = pair->a, impact[j].b = pair->b;
        memcpy(impact[j].point, contact[j].point_a, sizeof impact[j].point);
        memcpy(impact[j].normal, contact[j].normal, sizeof impact[j].normal);
        impact[j].closing = -contact[j].closing;
        impact[j].impulse = contact[j].impulse;
        memcpy(impact[j].tangential, contact[j].tangential, sizeof impact[j].tangential);
        impact[j].friction_loss = contact[j].friction_loss;
        impact[j].restitution_loss = contact[j].restitution_loss;
        impact[j].gap = pair->near.gap;
        impact_note(&contact[j], impact[j].velocity_after, impact[j].after);
        note_impact(c, &impact[j]);
        for (int side = 0; side < 2; side++) { // continue from here
            const int member = c->slot[side ? pair->b : pair->a];
            save_to(c, member, c->base);
            c->base_time[member] = at;
        }
    }
    if (!*any_hit) // nothing closes after all: look again after the guard
        c->pairs[k]->last_impact = time + at;
    else if (c->collides)
        keep_impact(c, time, at);
}

static int earliest_search(const cluster *c)
{
    int best = -1;
    for (int k = 0; k < c->pair_count; k++)
        if (c->search[k].found && (best < 0 || c->search[k].at.time < c->search[best].at.time))
            best = k;
    return best;
}

static void window_advance(cluster *c, const cluster_settings *s, double time, double window)
{
    for (int m = 0; m < c->member_count; m++) {
        save_to(c, m, c->base);
        c->base_time[m] = 0.0;
        finish(c, m, window);
    }
    for (int k = 0; k < c->pair_count; k++)
        search_pair(c, s, k, time, window);
    for (int k = earliest_search(c); k >= 0; k = earliest_search(c)) {
        const double at = c->search[k].at.time;
        bool hit;
        strike(c, s, k, time, &hit);
        for (int m = 0; hit && m < c->member_count; m++)
            if (c->base_time[m] == at)
                finish(c, m, window);
        for (int q = 0; q < c->pair_count; q++) {
            const contact_pair *pair = c->pairs[q];
            if (q == k || c->base_time[c->slot[pair->a]] == at ||
                c->base_time[c->slot[pair->b]] == at)
                search_pair(c, s, q, time, window);
        }
    }
    for (int m = 0; m < c->member_count; m++)
        restore_from(c, m, c->end);
}

// A time for which no pair can touch, at most `enough` of interest.
static double safe_time(const cluster *c, double enough)
{
    double safe = HUGE_VAL;
    for (int k = 0; k < c->pair_count && safe > 0.0; k++) {
        contact_pair *pair = c->pairs[k];
        const impact_body *a = &c->body[pair->a], *b = &c->body[pair->b];
        mc_reach reach_a, reach_b;
        a->batch->kind->reach(a->batch, a->index, &reach_a);
        b->batch->kind->reach(b->batch, b->index, &reach_b);
        safe = fmin(safe, contact_pair_safe_time(pair, c->body, &reach_a, &reach_b, enough));
    }
    return safe;
}

void cluster_advance(cluster *c, const cluster_settings *s, double time, double duration)
{
    double short_window = s->window_max;
    for (int m = 0; m < c->member_count; m++) {
        const impact_body *body = &c->body[c->members[m]];
        short_window = fmin(short_window, body->batch->kind->contact_window(body->batch));
        c->slot[c->members[m]] = m;
    }
    c->collides = collided_lately(c, s, time);
    double done = 0.0;
    while (duration - done > 1e-12 * duration) {
        const double left = duration - done, safe = 0.9 * safe_time(c, left);
        double window = fmin(left, fmax(safe, short_window));
        if (left - window < 0.5 * short_window) // no crumbs
            window = left;
        if (safe >= window)
            for (int m = 0; m < c->member_count; m++) {
                const impact_body *body = &c->body[c->members[m]];
                body->batch->kind->advance(body->batch, body->index, 1, window);
            }
        else
            window_advance(c, s, time + done, window);
        done += window;
        if (c->collides)
            keep_window(c, time + done);
    }
}
