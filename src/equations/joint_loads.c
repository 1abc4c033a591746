// joint_loads.c - Newton's and Euler's equations of every body, from the ends of the branches
// inwards.
//
//     force  = m (a_c - g) - applied + sum over the bodies it carries
//     torque = J w' + w x J w + c x m (a_c - g) - applied + sum, about the body's origin
//
// in the axes of the body. The accelerations are those of the equations of motion: V differentiated
// along q', v' and t. Applied are forces, torques, springs between points, joints beside the tree
// and the constraints of the user, but not what acts along the coordinates of tree joints: that is
// part of the joint's load.
#include "equations/joint_loads.h"

#include "equations/bodies.h"
#include "expr/differentiate.h"

#include <stdlib.h>
#include <string.h>

typedef struct motion { // of a body, in its axes
    expr_id V[6];
    mb_vec gravity;
    mb_vec torque, force; // of the joint
} motion;

typedef struct work {
    const mb_system *s;
    expr_graph *g;
    mb_bodies bodies;
    motion *of;
    expr_direction *time;
    mc_error *error;
} work;

// ---- motion ----------------------------------------------------------------------------------

static mb_vec take(const expr_id *six, int first)
{
    return (mb_vec){{six[first], six[first + 1], six[first + 2]}};
}

static void move(work *w, int i)
{
    expr_graph *g = w->g;
    const mb_hinge *h = &w->bodies.tree[i];
    motion *at = &w->of[i];
    const expr_id *world = w->s->model->gravity;
    mb_vec gravity = {{world[0], world[1], world[2]}};
    if (h->inboard >= 0) {
        mb_hinge_carry(g, h, w->of[h->inboard].V, at->V);
        gravity = w->of[h->inboard].gravity;
    }
    at->gravity = mb_mat_back(g, &h->R, gravity);
    for (int k = 0; k < h->partial_count; k++) {
        const expr_id v = w->s->links.v[h->partial_velocity[k]];
        const mb_vec spin = mb_vec_scale(g, v, h->partial_spin[k]);
        const mb_vec slide = mb_vec_scale(g, v, h->partial_slide[k]);
        for (int j = 0; j < 3; j++) {
            at->V[j] = expr_add(g, at->V[j], spin.v[j]);
            at->V[3 + j] = expr_add(g, at->V[3 + j], slide.v[j]);
        }
    }
}

static mb_vec along(work *w, mb_vec a)
{
    for (int k = 0; k < 3; k++)
        a.v[k] = expr_along(w->time, a.v[k]);
    return a;
}

// What it takes to move the body as it moves.
static void demand(work *w, int i)
{
    expr_graph *g = w->g;
    const mb_body *body = &w->s->model->bodies[i];
    motion *at = &w->of[i];
    const mb_vec spin = take(at->V, 0), v = take(at->V, 3), turn = along(w, spin);
    const mb_vec c = {{body->com[0], body->com[1], body->com[2]}};
    mb_vec a = mb_vec_add(g, along(w, v), mb_vec_cross(g, spin, v));
    a = mb_vec_sub(g, a, at->gravity);
    a = mb_vec_add(g, a, mb_vec_cross(g, turn, c));
    a = mb_vec_add(g, a, mb_vec_cross(g, spin, mb_vec_cross(g, spin, c)));
    at->force = mb_vec_scale(g, body->mass, a);
    const mb_mat J = mb_mat_symmetric(body->inertia);
    at->torque =
        mb_vec_add(g, mb_mat_times(g, &J, turn), mb_vec_cross(g, spin, mb_mat_times(g, &J, spin)));
    at->torque = mb_vec_add(g, at->torque, mb_vec_cross(g, c, at->force));
}

// ---- what is applied -------------------------------------------------------------------------

// A force at a point of a body and a torque, both in its axes, are not the joint's.
static void apply(work *w, int body, const expr_id at[3], mb_vec force, mb_vec torque)
{
    expr_graph *g = w->g;
    motion *of = &w->of[body];
    const mb_vec about = mb_vec_cross(g, (mb_vec){{at[0], at[1], at[2]}}, force);
    of->force = mb_vec_sub(g, of->force, force);
    of->torque = mb_vec_sub(g, of->torque, mb_vec_add(g, torque, about));
}

static mb_vec to_body(work *w, int body, mb_frame frame, mb_vec a)
{
    const mb_mat R = mb_frames_body_turn(w->bodies.frames, body);
    return frame == MB_BODY ? a : mb_mat_back(w->g, &R, a);
}

static void apply_spring(work *w, int i)
{
    expr_graph *g = w->g;
    const mb_model *m = w->s->model;
    const mb_point *end[2] = {&m->points[m->springs[i].from], &m->points[m->springs[i].to]};
    const mb_vec from = mb_frames_point(w->bodies.frames, end[0]->body, end[0]->at);
    const mb_vec to = mb_frames_point(w->bodies.frames, end[1]->body, end[1]->at);
    const expr_id per = expr_div(g, w->s->spring_force[i], w->s->spring_length[i]);
    mb_vec force = mb_vec_scale(g, expr_neg(g, per), mb_vec_sub(g, to, from));
    for (int k = 0; k < 2; k++, force = mb_vec_neg(g, force))
        if (end[k]->body >= 0)
            apply(w, end[k]->body, end[k]->at, to_body(w, end[k]->body, MB_WORLD, force),
                  mb_vec_zero());
}

static mc_status apply_rows(work *w)
{
    static const expr_id origin[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    const mb_system *s = w->s;
    const int bodies = s->model->body_count;
    expr_id *by = calloc(6 * (size_t)bodies + 1, sizeof *by);
    mc_status status = by ? MC_OK : MC_NO_MEMORY;
    for (int r = 0; r < s->rows.kept_count && status == MC_OK; r++) {
        status = mb_body_row(&w->bodies.rows, s->rows.kept[r], false, by, w->error);
        for (int i = 0; i < bodies && status == MC_OK; i++)
            apply(w, i, origin, mb_vec_scale(w->g, s->lambda[r], take(by, 6 * i + 3)),
                  mb_vec_scale(w->g, s->lambda[r], take(by, 6 * i)));
    }
    free(by);
    return status;
}

static mc_status apply_all(work *w)
{
    static const expr_id origin[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    const mb_model *m = w->s->model;
    for (int i = 0; i < m->force_count; i++) {
        const mb_point *point = &m->points[m->forces[i].point];
        if (point->body >= 0)
            apply(w, point->body, point->at,
                  to_body(w, point->body, m->forces[i].frame, w->s->force[i]), mb_vec_zero());
    }
    for (int i = 0; i < m->torque_count; i++)
        if (m->torques[i].body >= 0)
            apply(w, m->torques[i].body, origin, mb_vec_zero(),
                  to_body(w, m->torques[i].body, m->torques[i].frame, w->s->torque[i]));
    for (int i = 0; i < m->spring_count; i++)
        apply_spring(w, i);
    return apply_rows(w);
}

// ---- the whole -------------------------------------------------------------------------------

static bool make_time(work *w)
{
    const mb_system *s = w->s;
    expr_id *seed = calloc((size_t)expr_input_count(w->g) + 1, sizeof *seed);
    if (!seed)
        return false;
    for (int i = 0; i < s->q_count; i++)
        seed[s->links.q_input[i]] = s->rate[i];
    for (int i = 0; i < s->v_count; i++)
        seed[s->links.v_input[i]] = s->rate[s->q_count + i];
    w->time = expr_direction_create(w->g, seed);
    free(seed);
    return w->time != NULL;
}

// The joint of body i, passed on to the body that carries it; then in the axes of the joint.
static void hand_over(work *w, int i, expr_id *out)
{
    expr_graph *g = w->g;
    const mb_hinge *h = &w->bodies.tree[i];
    const mb_vec force = mb_mat_times(g, &h->R, w->of[i].force);
    const mb_vec torque = mb_mat_times(g, &h->R, w->of[i].torque);
    if (h->inboard >= 0) {
        motion *in = &w->of[h->inboard];
        in->force = mb_vec_add(g, in->force, force);
        in->torque = mb_vec_add(g, in->torque, mb_vec_add(g, torque, mb_vec_cross(g, h->r, force)));
    }
    const mb_vec f = mb_mat_back(g, &h->on_from, force), n = mb_mat_back(g, &h->on_from, torque);
    memcpy(out, f.v, sizeof f.v);
    memcpy(out + 3, n.v, sizeof n.v);
}

mc_status mb_joint_loads(const mb_system *s, expr_id *out, mc_error *error)
{
    const int count = s->model->body_count;
    work w = {.s = s, .g = s->graph, .error = error};
    mc_status status = mb_bodies_make(s, &w.bodies, error);
    if (status != MC_OK)
        return status;
    w.of = calloc((size_t)count + 1, sizeof *w.of);
    if (!w.of || !make_time(&w))
        status = MC_NO_MEMORY;
    for (int k = 0; k < count && status == MC_OK; k++) {
        move(&w, s->links.order[k]);
        demand(&w, s->links.order[k]);
    }
    if (status == MC_OK)
        status = apply_all(&w);
    for (int k = count - 1; k >= 0 && status == MC_OK; k--)
        hand_over(&w, s->links.order[k], &out[6 * s->links.order[k]]);
    expr_direction_destroy(w.time);
    free(w.of);
    mb_bodies_free(&w.bodies);
    if (status == MC_NO_MEMORY)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loads of joints");
    return status == MC_OK ? expr_graph_status(s->graph, error) : status;
}
