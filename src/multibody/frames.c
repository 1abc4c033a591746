// frames.c - kinematics on demand.
#include "multibody/frames.h"

#include "base/assert.h"

#include <stdlib.h>

struct of_link {
    bool placed, moving, spinning;
    mb_mat turn;
    mb_vec origin, velocity, spin;
};

struct mb_frames {
    const mb_links *links;
    expr_graph *g;
    struct of_link *link;
    mb_mat one;
};

mb_frames *mb_frames_create(const mb_links *links)
{
    mb_frames *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->links = links;
    f->g = links->graph;
    f->one = mb_mat_identity();
    f->link = calloc((size_t)links->link_count + 1, sizeof *f->link);
    if (!f->link) {
        free(f);
        return NULL;
    }
    return f;
}

void mb_frames_destroy(mb_frames *f)
{
    if (!f)
        return;
    free(f->link);
    free(f);
}

// ---- links -----------------------------------------------------------------------------------

static void place(mb_frames *f, int i)
{
    struct of_link *at = &f->link[i];
    if (at->placed)
        return;
    const mb_link *link = &f->links->links[i];
    at->placed = true;
    if (link->inboard < 0) {
        at->turn = link->R;
        at->origin = link->r;
        return;
    }
    place(f, link->inboard);
    const struct of_link *in = &f->link[link->inboard];
    at->turn = mb_mat_mul(f->g, &in->turn, &link->R);
    at->origin = mb_vec_add(f->g, in->origin, mb_mat_times(f->g, &in->turn, link->r));
}

const mb_mat *mb_frames_turn(mb_frames *f, int link)
{
    if (link < 0)
        return &f->one;
    place(f, link);
    return &f->link[link].turn;
}

mb_vec mb_frames_origin(mb_frames *f, int link)
{
    if (link < 0)
        return mb_vec_zero();
    place(f, link);
    return f->link[link].origin;
}

mb_vec mb_frames_spin(mb_frames *f, int i)
{
    if (i < 0)
        return mb_vec_zero();
    struct of_link *at = &f->link[i];
    if (!at->spinning) {
        const mb_link *link = &f->links->links[i];
        const mb_vec in = mb_mat_back(f->g, &link->R, mb_frames_spin(f, link->inboard));
        at->spin = mb_vec_add(f->g, in, mb_link_spin(f->links, link));
        at->spinning = true;
    }
    return at->spin;
}

mb_vec mb_frames_velocity(mb_frames *f, int i)
{
    if (i < 0)
        return mb_vec_zero();
    struct of_link *at = &f->link[i];
    if (at->moving)
        return at->velocity;
    expr_graph *g = f->g;
    const mb_link *link = &f->links->links[i];
    const expr_id *v = &f->links->v[link->v];
    if (link->motion == MB_FLOATING) {
        at->velocity = (mb_vec){{v[0], v[1], v[2]}};
        if (f->links->model->bodies[link->body].quasi_velocity)
            at->velocity = mb_mat_times(g, mb_frames_turn(f, i), at->velocity);
    } else {
        mb_vec seen = mb_vec_cross(g, mb_frames_spin(f, link->inboard), link->r);
        if (link->motion == MB_SLIDING)
            seen = mb_vec_add(g, seen,
                              mb_vec_scale(g, link->rate, mb_mat_column(&link->turn, link->axis)));
        const mb_vec carried = mb_frames_velocity(f, link->inboard);
        at->velocity =
            mb_vec_add(g, carried, mb_mat_times(g, mb_frames_turn(f, link->inboard), seen));
    }
    at->moving = true;
    return at->velocity;
}

// ---- bodies and points -----------------------------------------------------------------------

int mb_frames_on_link(mb_frames *f, int body, const expr_id at[3], mb_vec *in_link)
{
    const mb_vec p = {{at[0], at[1], at[2]}};
    if (body < 0) {
        *in_link = p;
        return -1;
    }
    const mb_place *b = &f->links->bodies[body];
    *in_link = mb_vec_add(f->g, b->at, mb_mat_times(f->g, &b->turn, p));
    return b->link;
}

mb_vec mb_frames_point(mb_frames *f, int body, const expr_id at[3])
{
    mb_vec p;
    const int link = mb_frames_on_link(f, body, at, &p);
    return mb_vec_add(f->g, mb_frames_origin(f, link),
                      mb_mat_times(f->g, mb_frames_turn(f, link), p));
}

// Angular velocity of a rotor against its link, link axes; zero for other bodies.
static mb_vec rotor_spin(const mb_frames *f, int body)
{
    if (body < 0 || f->links->bodies[body].rotor < 0)
        return mb_vec_zero();
    const mb_rotor *rotor = &f->links->rotors[f->links->bodies[body].rotor];
    return mb_vec_scale(f->g, rotor->rate, rotor->axis);
}

mb_vec mb_frames_point_velocity(mb_frames *f, int body, const expr_id at[3])
{
    expr_graph *g = f->g;
    mb_vec p;
    const int link = mb_frames_on_link(f, body, at, &p);
    mb_vec seen = mb_vec_cross(g, mb_frames_spin(f, link), p);
    if (body >= 0 && f->links->bodies[body].rotor >= 0) {
        const mb_vec arm = mb_vec_sub(g, p, f->links->bodies[body].at);
        seen = mb_vec_add(g, seen, mb_vec_cross(g, rotor_spin(f, body), arm));
    }
    return mb_vec_add(g, mb_frames_velocity(f, link),
                      mb_mat_times(g, mb_frames_turn(f, link), seen));
}

mb_mat mb_frames_body_turn(mb_frames *f, int body)
{
    if (body < 0)
        return f->one;
    const mb_place *b = &f->links->bodies[body];
    return mb_mat_mul(f->g, mb_frames_turn(f, b->link), &b->turn);
}

mb_vec mb_frames_body_spin(mb_frames *f, int body)
{
    if (body < 0)
        return mb_vec_zero();
    const int link = f->links->bodies[body].link;
    const mb_vec w = mb_vec_add(f->g, mb_frames_spin(f, link), rotor_spin(f, body));
    return mb_mat_times(f->g, mb_frames_turn(f, link), w);
}

// ---- spans -----------------------------------------------------------------------------------

static bool add_partial(mb_span *span, int velocity, mb_vec partial)
{
    if (span->count == span->capacity) {
        const int capacity = span->capacity ? 2 * span->capacity : 16;
        int *v = realloc(span->velocity, (size_t)capacity * sizeof *v);
        if (v)
            span->velocity = v;
        mb_vec *p = realloc(span->partial, (size_t)capacity * sizeof *p);
        if (p)
            span->partial = p;
        if (!v || !p)
            return false;
        span->capacity = capacity;
    }
    span->velocity[span->count] = velocity;
    span->partial[span->count++] = partial;
    return true;
}

// Partial velocities of point p (link axes) by the velocities of its own link's joint, in the
// axes of the inboard link.
static bool own_partials(mb_frames *f, int i, mb_vec p, expr_id sign, mb_span *span)
{
    expr_graph *g = f->g;
    const mb_link *link = &f->links->links[i];
    const mb_body *body = &f->links->model->bodies[link->body];
    const int spin_first = link->motion == MB_FLOATING ? 3 : 0;
    bool good = true;
    for (int k = 0; k < link->v_count && good; k++) {
        mb_vec partial;
        if (link->motion == MB_SLIDING) {
            partial = mb_mat_column(&link->R, link->axis);
        } else if (link->motion == MB_FLOATING && k < 3) {
            partial = body->quasi_velocity ? mb_mat_column(&link->R, k) : mb_vec_unit(k);
        } else {
            const int axis = link->motion == MB_REVOLUTE ? link->axis : k - spin_first;
            partial = mb_mat_times(g, &link->R, mb_vec_cross(g, mb_vec_unit(axis), p));
        }
        if (link->flipped)
            partial = mb_vec_neg(g, partial);
        good = add_partial(span, link->v + k, mb_vec_scale(g, sign, partial));
    }
    return good;
}

// Walks from a point on a link inwards to link `top`, adding partials; *p becomes the point seen
// from there. Partials found so far are turned along.
static bool walk_in(mb_frames *f, int link, int top, expr_id sign, mb_vec *p, mb_span *span,
                    int first)
{
    expr_graph *g = f->g;
    while (link != top) {
        const mb_link *at = &f->links->links[link];
        for (int k = first; k < span->count; k++)
            span->partial[k] = mb_mat_times(g, &at->R, span->partial[k]);
        if (!own_partials(f, link, *p, sign, span))
            return false;
        *p = mb_vec_add(g, at->r, mb_mat_times(g, &at->R, *p));
        link = at->inboard;
    }
    return true;
}

static bool rotor_partial(mb_frames *f, int body, mb_vec p, expr_id sign, mb_span *span)
{
    if (body < 0 || f->links->bodies[body].rotor < 0)
        return true;
    expr_graph *g = f->g;
    const mb_rotor *rotor = &f->links->rotors[f->links->bodies[body].rotor];
    const mb_vec arm = mb_vec_sub(g, p, f->links->bodies[body].at);
    const mb_vec partial = mb_vec_cross(g, rotor->axis, arm);
    return mb_vec_is_zero(partial) || add_partial(span, rotor->v, mb_vec_scale(g, sign, partial));
}

bool mb_frames_span(mb_frames *f, int from_body, const expr_id from[3], int to_body,
                    const expr_id to[3], mb_span *out)
{
    expr_graph *g = f->g;
    mb_vec a, b;
    const int from_link = mb_frames_on_link(f, from_body, from, &a);
    const int to_link = mb_frames_on_link(f, to_body, to, &b);
    const int top = mb_links_common(f->links, from_link, to_link);
    const expr_id minus = expr_const(g, -1.0);
    *out = (mb_span){0};
    bool good = rotor_partial(f, to_body, b, EXPR_ONE, out) &&
                walk_in(f, to_link, top, EXPR_ONE, &b, out, 0);
    const int first = out->count;
    good = good && rotor_partial(f, from_body, a, minus, out) &&
           walk_in(f, from_link, top, minus, &a, out, first);
    out->d = mb_vec_sub(g, b, a);
    if (!good)
        mb_span_free(out);
    return good;
}

// ---- pairs -----------------------------------------------------------------------------------

// Partial angular velocity by velocity k of a link's joint, in the axes of the inboard link.
static mb_vec own_spin(mb_frames *f, int i, int k)
{
    const mb_link *link = &f->links->links[i];
    const int first = link->motion == MB_FLOATING ? 3 : 0;
    if (link->motion == MB_SLIDING || k < first)
        return mb_vec_zero();
    const int axis = link->motion == MB_REVOLUTE ? link->axis : k - first;
    const mb_vec spin = mb_mat_column(&link->R, axis);
    return link->flipped ? mb_vec_neg(f->g, spin) : spin;
}

static bool add_spin(mb_pair *pair, mb_vec spin)
{
    const int at = pair->span.count - 1;
    if (at >= pair->capacity) {
        const int capacity = pair->capacity ? 2 * pair->capacity : 16;
        mb_vec *room = realloc(pair->spin, (size_t)capacity * sizeof *room);
        if (!room)
            return false;
        pair->spin = room;
        pair->capacity = capacity;
    }
    pair->spin[at] = spin;
    return true;
}

// As walk_in, with spins; *turn becomes the body's turn seen from `top`.
static bool walk_pair(mb_frames *f, int body, int top, expr_id sign, mb_vec *p, mb_mat *turn,
                      mb_pair *pair)
{
    expr_graph *g = f->g;
    mb_span *span = &pair->span;
    const int first = span->count;
    int i = body < 0 ? -1 : f->links->bodies[body].link;
    *turn = body < 0 ? f->one : f->links->bodies[body].turn;
    bool good = true;
    if (body >= 0 && f->links->bodies[body].rotor >= 0) {
        const mb_rotor *rotor = &f->links->rotors[f->links->bodies[body].rotor];
        const mb_vec arm = mb_vec_sub(g, *p, f->links->bodies[body].at);
        good =
            add_partial(span, rotor->v, mb_vec_scale(g, sign, mb_vec_cross(g, rotor->axis, arm))) &&
            add_spin(pair, rotor->axis);
    }
    for (; good && i != top; i = f->links->links[i].inboard) {
        const mb_link *at = &f->links->links[i];
        for (int k = first; k < span->count; k++) {
            span->partial[k] = mb_mat_times(g, &at->R, span->partial[k]);
            pair->spin[k] = mb_mat_times(g, &at->R, pair->spin[k]);
        }
        mb_span own = {0};
        good = own_partials(f, i, *p, sign, &own);
        for (int k = 0; good && k < own.count; k++)
            good = add_partial(span, own.velocity[k], own.partial[k]) &&
                   add_spin(pair, own_spin(f, i, k));
        mb_span_free(&own);
        *p = mb_vec_add(g, at->r, mb_mat_times(g, &at->R, *p));
        *turn = mb_mat_mul(g, &at->R, turn);
    }
    return good;
}

bool mb_frames_pair(mb_frames *f, int from_body, const expr_id from[3], int to_body,
                    const expr_id to[3], mb_pair *out)
{
    mb_vec a, b;
    const int from_link = mb_frames_on_link(f, from_body, from, &a);
    const int to_link = mb_frames_on_link(f, to_body, to, &b);
    const int top = mb_links_common(f->links, from_link, to_link);
    *out = (mb_pair){0};
    bool good = walk_pair(f, to_body, top, EXPR_ONE, &b, &out->to, out);
    out->from_first = out->span.count;
    good = good && walk_pair(f, from_body, top, expr_const(f->g, -1.0), &a, &out->from, out);
    out->span.d = mb_vec_sub(f->g, b, a);
    if (!good)
        mb_pair_free(out);
    return good;
}

void mb_pair_free(mb_pair *pair)
{
    mb_span_free(&pair->span);
    free(pair->spin);
    *pair = (mb_pair){0};
}

void mb_span_free(mb_span *span)
{
    free(span->velocity);
    free(span->partial);
    *span = (mb_span){0};
}
