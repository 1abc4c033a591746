// link.c - bodies and joints to links, rotors and places.
#include "multibody/link.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

mb_mat mb_mat_sequence(expr_graph *g, const int axes[3], const expr_id angles[3])
{
    mb_mat R = mb_mat_identity();
    for (int k = 0; k < 3; k++) {
        const mb_mat next = mb_mat_axis(g, axes[k], angles[k]);
        R = mb_mat_mul(g, &R, &next);
    }
    return R;
}

// ---- coordinates -----------------------------------------------------------------------------

// Bodies so that each comes after its inboard body. The model has been checked: there is no cycle.
static void order_bodies(const mb_model *model, int *order)
{
    int count = 0;
    bool placed[model->body_count + 1];
    memset(placed, 0, sizeof placed);
    while (count < model->body_count)
        for (int i = 0; i < model->body_count; i++) {
            const int inboard = model->bodies[i].inboard;
            if (placed[i] || (inboard >= 0 && !placed[inboard]))
                continue;
            placed[i] = true;
            order[count++] = i;
        }
}

// All coordinates first, then all velocities: the state of the equations in one piece.
static void add_coordinates(mb_links *s)
{
    const mb_model *model = s->model;
    char name[96];
    int q = 0, v = 0;
    for (int i = 0; i < model->body_count; i++) {
        const mb_body *body = &model->bodies[i];
        s->body_q[i] = q;
        for (int k = 0; k < mb_coordinate_count(body); k++) {
            mb_coordinate_name(body, k, name);
            s->q_input[q] = expr_input_count(s->graph);
            s->q[q++] = expr_input(s->graph, name, EXPR_VARIABLE);
        }
    }
    for (int i = 0; i < model->body_count; i++) {
        const mb_body *body = &model->bodies[i];
        s->body_v[i] = v;
        for (int k = 0; k < mb_velocity_count(body); k++) {
            mb_velocity_name(body, k, name);
            s->v_input[v] = expr_input_count(s->graph);
            s->v[v++] = expr_input(s->graph, name, EXPR_VARIABLE);
        }
    }
}

// ---- frames ----------------------------------------------------------------------------------

// A frame given in a link: where the next joint, or the body, stands.
typedef struct frame {
    int link;
    mb_mat turn;
    mb_vec at;
} frame;

static frame then(expr_graph *g, frame a, const mb_mat *turn, mb_vec at)
{
    return (frame){a.link, mb_mat_mul(g, &a.turn, turn),
                   mb_vec_add(g, a.at, mb_mat_times(g, &a.turn, at))};
}

// The axis of the link's frame that a unit vector is, with its sign; -1: none of the three.
static int coordinate_axis(const expr_graph *g, mb_vec a, bool *flipped)
{
    int axis = -1;
    for (int i = 0; i < 3; i++) {
        double x;
        if (a.v[i] == EXPR_ZERO)
            continue;
        if (!expr_is_const(g, a.v[i], &x) || fabs(x) != 1.0)
            return -1;
        axis = i;
        *flipped = x < 0.0;
    }
    return axis;
}

// A rotation that takes the z axis to the unit vector a.
static mb_mat align_z(expr_graph *g, const double a[3])
{
    int smallest = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(a[i]) < fabs(a[smallest]))
            smallest = i;
    double x[3] = {0}, y[3];
    x[smallest] = 1.0;
    double dot = a[smallest], length = 0.0;
    for (int i = 0; i < 3; i++) {
        x[i] -= dot * a[i];
        length += x[i] * x[i];
    }
    for (int i = 0; i < 3; i++)
        x[i] /= sqrt(length);
    for (int i = 0; i < 3; i++)
        y[i] = a[(i + 1) % 3] * x[(i + 2) % 3] - a[(i + 2) % 3] * x[(i + 1) % 3];
    mb_mat R;
    for (int i = 0; i < 3; i++) {
        R.m[3 * i] = expr_const(g, x[i]);
        R.m[3 * i + 1] = expr_const(g, y[i]);
        R.m[3 * i + 2] = expr_const(g, a[i]);
    }
    return R;
}

static mb_link *add_link(mb_links *s, const frame *f, int body, mb_motion motion)
{
    mb_link *link = &s->links[s->link_count++];
    *link = (mb_link){.inboard = f->link,
                      .body = body,
                      .motion = motion,
                      .turn = f->turn,
                      .at = f->at,
                      .R = f->turn,
                      .r = f->at,
                      .mass = EXPR_ZERO,
                      .moment = mb_vec_zero(),
                      .angle = EXPR_ZERO,
                      .rate = EXPR_ZERO};
    memset(link->inertia.m, 0, sizeof link->inertia.m); // EXPR_ZERO
    return link;
}

static void set_coordinate(mb_links *s, mb_link *link, int q, int v)
{
    expr_graph *g = s->graph;
    link->q = q, link->v = v;
    link->q_count = link->v_count = 1;
    link->angle = link->flipped ? expr_neg(g, s->q[q]) : s->q[q];
    link->rate = link->flipped ? expr_neg(g, s->v[v]) : s->v[v];
}

// A hinge about an axis of frame f that is coordinate axis `axis` there. Where that axis is also a
// coordinate axis of the inboard link, the origin is slid along it: one entry of the offset less.
// Gives the frame that turns with the hinge and stood at f when the angle was zero.
static frame add_revolute(mb_links *s, frame f, int body, int axis, int q, int v)
{
    expr_graph *g = s->graph;
    bool against = false;
    const int outer = coordinate_axis(g, mb_mat_column(&f.turn, axis), &against);
    mb_vec slid = mb_vec_zero();
    if (outer >= 0) {
        slid.v[axis] = against ? expr_neg(g, f.at.v[outer]) : f.at.v[outer];
        f.at.v[outer] = EXPR_ZERO;
    }
    mb_link *link = add_link(s, &f, body, MB_REVOLUTE);
    link->axis = axis;
    set_coordinate(s, link, q, v);
    const mb_mat spin = mb_mat_axis(g, axis, link->angle);
    link->R = mb_mat_mul(g, &link->turn, &spin);
    return (frame){s->link_count - 1, mb_mat_identity(), slid};
}

// A prism along an axis of frame f. Its link is parallel to the inboard link where the axis is a
// coordinate axis there; the constant turn and offset go to the frame it carries.
static frame add_sliding(mb_links *s, frame f, int body, int axis, int q, int v)
{
    expr_graph *g = s->graph;
    bool against = false;
    const int outer = coordinate_axis(g, mb_mat_column(&f.turn, axis), &against);
    frame carried = {-1, mb_mat_identity(), mb_vec_zero()};
    if (outer >= 0) {
        carried.turn = f.turn;
        carried.at = f.at;
        f.turn = mb_mat_identity();
        f.at = mb_vec_zero();
    }
    mb_link *link = add_link(s, &f, body, MB_SLIDING);
    link->axis = outer >= 0 ? outer : axis;
    link->flipped = outer >= 0 && against;
    set_coordinate(s, link, q, v);
    const mb_vec travel = mb_vec_scale(g, link->angle, mb_mat_column(&link->turn, link->axis));
    link->r = mb_vec_add(g, link->at, travel);
    carried.link = s->link_count - 1;
    return carried;
}

// Hinge or prism about any axis: turned to the z axis first where it is not a coordinate axis.
static frame add_single(mb_links *s, frame f, const mb_body *body, int index)
{
    expr_graph *g = s->graph;
    mb_vec a;
    for (int i = 0; i < 3; i++)
        a.v[i] = expr_const(g, body->axis[i]);
    bool flipped = false;
    int axis = coordinate_axis(g, a, &flipped);
    mb_mat align = mb_mat_identity();
    if (axis < 0) {
        align = align_z(g, body->axis);
        axis = 2;
        f = then(g, f, &align, mb_vec_zero());
    }
    const int q = s->body_q[index], v = s->body_v[index];
    if (flipped) { // turn the frame half about another axis, so that the axis counts forwards
        const int other = (axis + 1) % 3;
        for (int i = 0; i < 3; i++)
            align.m[4 * i] = i == other ? EXPR_ONE : expr_const(g, -1.0);
        f = then(g, f, &align, mb_vec_zero());
    }
    const frame moved = body->joint == MB_HINGE ? add_revolute(s, f, index, axis, q, v)
                                                : add_sliding(s, f, index, axis, q, v);
    const mb_mat back = mb_mat_transpose(&align);
    return then(g, moved, &back, mb_vec_zero());
}

static frame add_general(mb_links *s, frame f, const mb_body *body, int index)
{
    expr_graph *g = s->graph;
    int used = 0;
    for (int k = 0; k < 6; k++) {
        const int axis = k < 3 ? k : body->sequence[k - 3];
        if (body->free[k]) {
            const int q = s->body_q[index] + used, v = s->body_v[index] + used;
            used++;
            f = k < 3 ? add_sliding(s, f, index, axis, q, v)
                      : add_revolute(s, f, index, axis, q, v);
        } else if (k < 3) {
            const mb_mat one = mb_mat_identity();
            f = then(g, f, &one, mb_vec_scale(g, body->held[k], mb_vec_unit(axis)));
        } else {
            const mb_mat turn = mb_mat_axis(g, axis, body->held[k]);
            f = then(g, f, &turn, mb_vec_zero());
        }
    }
    return f;
}

static frame add_spherical(mb_links *s, frame f, int index)
{
    mb_link *link = add_link(s, &f, index, MB_SPHERICAL);
    link->q = s->body_q[index], link->v = s->body_v[index];
    link->q_count = 4, link->v_count = 3;
    const mb_mat spin = mb_mat_quaternion(s->graph, &s->q[link->q]);
    link->R = mb_mat_mul(s->graph, &link->turn, &spin);
    return (frame){s->link_count - 1, mb_mat_identity(), mb_vec_zero()};
}

// Coordinates of a free joint are those of the body in the world: `at` and `turn` do not count.
static frame add_floating(mb_links *s, const mb_body *body, int index)
{
    const frame f = {-1, mb_mat_identity(), mb_vec_zero()};
    mb_link *link = add_link(s, &f, index, MB_FLOATING);
    const expr_id *q = &s->q[s->body_q[index]];
    link->q = s->body_q[index], link->v = s->body_v[index];
    link->q_count = body->euler ? 6 : 7, link->v_count = 6;
    link->r = (mb_vec){{q[0], q[1], q[2]}};
    link->R = body->euler ? mb_mat_sequence(s->graph, body->sequence, q + 3)
                          : mb_mat_quaternion(s->graph, q + 3);
    return (frame){s->link_count - 1, mb_mat_identity(), mb_vec_zero()};
}

// ---- mass ------------------------------------------------------------------------------------

// Adds mass, mass centre c and inertia J about it (link axes) to what rides on a link:
//   moment += m c,   inertia += J + m (c.c 1 - c c')
static void add_mass(expr_graph *g, mb_link *link, expr_id mass, mb_vec c, const mb_mat *J)
{
    const mb_vec mc = mb_vec_scale(g, mass, c);
    link->mass = expr_add(g, link->mass, mass);
    link->moment = mb_vec_add(g, link->moment, mc);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            expr_id steiner;
            if (i == j) {
                const int k = (i + 1) % 3, l = (i + 2) % 3;
                steiner = expr_add(g, expr_mul(g, mc.v[k], c.v[k]), expr_mul(g, mc.v[l], c.v[l]));
            } else {
                steiner = expr_neg(g, expr_mul(g, mc.v[i], c.v[j]));
            }
            const expr_id sum =
                expr_add(g, link->inertia.m[3 * i + j], expr_add(g, J->m[3 * i + j], steiner));
            link->inertia.m[3 * i + j] = link->inertia.m[3 * j + i] = sum;
        }
}

static void load_body(mb_links *s, const mb_body *body, const frame *f, const mb_mat *J)
{
    if (f->link < 0)
        return; // rides on the ground
    expr_graph *g = s->graph;
    const mb_vec com = {{body->com[0], body->com[1], body->com[2]}};
    const mb_mat turned = mb_mat_turn_symmetric(g, &f->turn, J);
    add_mass(g, &s->links[f->link], body->mass,
             mb_vec_add(g, f->at, mb_mat_times(g, &f->turn, com)), &turned);
}

// The body's frame where the joint's stands.
static frame mounted(expr_graph *g, const mb_body *body, frame f)
{
    mb_mat turn;
    if (!body->mounted)
        return f;
    memcpy(turn.m, body->mount_turn, sizeof turn.m);
    return then(g, f, &turn, (mb_vec){{body->mount_at[0], body->mount_at[1], body->mount_at[2]}});
}

// A body symmetric about its hinge axis: mass and inertia across the axis go to the inboard link,
// the moment about the axis to a rotor.
static frame add_rotor(mb_links *s, frame f, const mb_body *body, int index)
{
    expr_graph *g = s->graph;
    const int axis = body->axisymmetric;
    f = mounted(g, body, f); // along the axis, if at all: it does not turn with it
    mb_mat J = mb_mat_symmetric(body->inertia);
    const expr_id about = J.m[4 * axis];
    J.m[4 * axis] = EXPR_ZERO;
    load_body(s, body, &f, &J);
    mb_rotor *rotor = &s->rotors[s->rotor_count++];
    const int q = s->body_q[index], v = s->body_v[index];
    const bool flipped = body->axis[axis] < 0.0;
    *rotor = (mb_rotor){.link = f.link,
                        .body = index,
                        .q = q,
                        .v = v,
                        .axis = mb_mat_column(&f.turn, axis),
                        .J = about,
                        .rate = s->v[v]};
    if (flipped)
        rotor->axis = mb_vec_neg(g, rotor->axis);
    const mb_mat spin = mb_mat_axis(g, axis, flipped ? expr_neg(g, s->q[q]) : s->q[q]);
    return then(g, f, &spin, mb_vec_zero());
}

// A body that others hang on must be a link: they push it about its axis.
static bool carries(const mb_model *model, int index)
{
    for (int i = 0; i < model->body_count; i++)
        if (model->bodies[i].inboard == index)
            return true;
    for (int i = 0; i < model->closing_count; i++)
        if (model->closings[i].from.body == index || model->closings[i].to.body == index)
            return true;
    return false;
}

static void add_body(mb_links *s, int index)
{
    expr_graph *g = s->graph;
    const mb_body *body = &s->model->bodies[index];
    frame f = {-1, mb_mat_identity(), mb_vec_zero()};
    if (body->inboard >= 0) {
        const mb_place *place = &s->bodies[body->inboard];
        f = (frame){place->link, place->turn, place->at};
    }
    mb_mat turn;
    memcpy(turn.m, body->turn, sizeof turn.m);
    f = then(g, f, &turn, (mb_vec){{body->at[0], body->at[1], body->at[2]}});
    const mb_mat J = mb_mat_symmetric(body->inertia);
    int rotor = -1;
    if (body->joint == MB_HINGE && body->axisymmetric >= 0 && !carries(s->model, index)) {
        f = add_rotor(s, f, body, index);
        rotor = s->rotor_count - 1;
    } else {
        if (body->joint == MB_HINGE || body->joint == MB_PRISM)
            f = add_single(s, f, body, index);
        else if (body->joint == MB_GENERAL)
            f = add_general(s, f, body, index);
        else if (body->joint == MB_BALL)
            f = add_spherical(s, f, index);
        else if (body->joint == MB_FREE)
            f = add_floating(s, body, index);
        f = mounted(g, body, f);
        load_body(s, body, &f, &J);
    }
    s->bodies[index] = (mb_place){f.link, f.turn, f.at, rotor};
}

// ---- the whole -------------------------------------------------------------------------------

static void *array(mb_links *s, int count, size_t size)
{
    return arena_alloc(&s->memory, ((size_t)count + 1) * size);
}

mc_status mb_links_make(const mb_model *model, mb_links *out, mc_error *error)
{
    *out = (mb_links){.graph = model->graph, .model = model};
    int links = 0;
    for (int i = 0; i < model->body_count; i++) {
        const mb_body *body = &model->bodies[i];
        out->q_count += mb_coordinate_count(body);
        out->v_count += mb_velocity_count(body);
        links += body->joint == MB_GENERAL ? 6 : 1;
        if (body->joint == MB_FREE && body->inboard >= 0)
            return mc_error_set(error, MC_BAD_INPUT, model->file, body->line, 0,
                                "body %s: a free joint needs \"inboard: ground\"; between two "
                                "bodies use \"joint: general\" with all six coordinates free",
                                body->name);
    }
    out->links = array(out, links, sizeof *out->links);
    out->rotors = array(out, model->body_count, sizeof *out->rotors);
    out->bodies = array(out, model->body_count, sizeof *out->bodies);
    out->body_q = array(out, model->body_count, sizeof(int));
    out->body_v = array(out, model->body_count, sizeof(int));
    out->order = array(out, model->body_count, sizeof(int));
    out->q_input = array(out, out->q_count, sizeof(int));
    out->v_input = array(out, out->v_count, sizeof(int));
    out->q = array(out, out->q_count, sizeof(expr_id));
    out->v = array(out, out->v_count, sizeof(expr_id));
    if (!out->links || !out->rotors || !out->bodies || !out->body_q || !out->body_v ||
        !out->order || !out->q_input || !out->v_input || !out->q || !out->v) {
        mb_links_free(out);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the model");
    }
    order_bodies(model, out->order);
    add_coordinates(out);
    for (int i = 0; i < model->body_count; i++)
        add_body(out, out->order[i]);
    const mc_status status = expr_graph_status(model->graph, error);
    if (status != MC_OK)
        mb_links_free(out);
    return status;
}

static int depth_of(const mb_links *s, int link)
{
    int depth = 0;
    for (; link >= 0; link = s->links[link].inboard)
        depth++;
    return depth;
}

int mb_links_common(const mb_links *s, int a, int b)
{
    int da = depth_of(s, a), db = depth_of(s, b);
    for (; da > db; da--)
        a = s->links[a].inboard;
    for (; db > da; db--)
        b = s->links[b].inboard;
    for (; a != b; a = s->links[a].inboard)
        b = s->links[b].inboard;
    return a;
}

mb_vec mb_link_spin(const mb_links *s, const mb_link *link)
{
    const expr_id *v = &s->v[link->v];
    if (link->motion == MB_REVOLUTE)
        return mb_vec_scale(s->graph, link->rate, mb_vec_unit(link->axis));
    if (link->motion == MB_SPHERICAL)
        return (mb_vec){{v[0], v[1], v[2]}};
    if (link->motion == MB_FLOATING)
        return (mb_vec){{v[3], v[4], v[5]}};
    return mb_vec_zero();
}

void mb_links_free(mb_links *links)
{
    arena_free(&links->memory);
    *links = (mb_links){0};
}
