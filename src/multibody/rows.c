// rows.c - joints beside the tree and user constraints to rows.
//
// With d from the frame on `from` to that on `to`, and w_from, w_to the angular velocities seen
// from the common link:
//   point       e = d.i                       e' = d'.i
//   slide       e = u.d - value               e' = u.d' + w_from.(u x d)         u fixed on `from`
//   direction   e = p.s - value               e' = (w_from - w_to).(p x s)       p on from, s on to
//   distance    e = (d.d - L^2)/2             e' = d.d'
//   ratio       e = q_to - ratio q_from - offset
// The partial velocities are those of mb_frames_pair; bias is the time derivative of e' at constant
// v, along q' and t.
#include "multibody/rows.h"

#include "expr/differentiate.h"
#include "multibody/closing.h"
#include "multibody/scope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const mb_links *links;
    const expr_id *q_rate; // of every coordinate
    mb_frames *frames;
    mb_scope *scope;
    mb_rows *out;
    expr_direction *time;
    int room, load_room;
    bool no_memory;
    mc_error *error;
} work;

struct mc_joint {
    work *w;
    const mb_closing *joint;
    int index, part;
    mb_pair pair;
    mb_mat from, to;              // frames of the joint
    mb_row row;                   // being made
    const mb_pair_motion *motion; // NULL: by the velocities
    bool unsupported;
    const char *wrong; // in what the kind asked for; NULL: nothing
};

// ---- room ------------------------------------------------------------------------------------

static void *keep(work *w, const void *from, size_t count, size_t size)
{
    void *to = arena_alloc(&w->out->memory, (count + 1) * size);
    if (to && count)
        memcpy(to, from, count * size);
    w->no_memory = w->no_memory || !to;
    return to;
}

static void add_row(work *w, const mb_row *row)
{
    if (w->out->count == w->room) {
        const int room = w->room ? 2 * w->room : 32;
        mb_row *more = realloc(w->out->row, (size_t)room * sizeof *more);
        if (!more) {
            w->no_memory = true;
            return;
        }
        w->out->row = more;
        w->room = room;
    }
    w->out->row[w->out->count++] = *row;
}

// ---- what a kind finds -----------------------------------------------------------------------

const mb_closing *mb_close_joint(const mb_close *c)
{
    return c->joint;
}

expr_graph *mb_close_graph(const mb_close *c)
{
    return c->w->links->graph;
}

mb_mat mb_close_frame(const mb_close *c, bool to)
{
    return to ? c->to : c->from;
}

void mb_close_across(const double axis[3], double first[3], double second[3])
{
    int smallest = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(axis[i]) < fabs(axis[smallest]))
            smallest = i;
    double length = 0.0;
    for (int i = 0; i < 3; i++) {
        first[i] = (i == smallest) - axis[smallest] * axis[i];
        length += first[i] * first[i];
    }
    for (int i = 0; i < 3; i++)
        first[i] = first[i] == 0.0 ? 0.0 : first[i] / sqrt(length);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        second[i] = axis[j] * first[k] - axis[k] * first[j];
    }
}

mb_vec mb_close_vector(const mb_close *c, bool to, const double a[3])
{
    expr_graph *g = mb_close_graph(c);
    mb_vec v;
    for (int i = 0; i < 3; i++)
        v.v[i] = a[i] == 0.0 ? EXPR_ZERO : expr_const(g, a[i]);
    return mb_mat_times(g, to ? &c->to : &c->from, v);
}

// ---- rows ------------------------------------------------------------------------------------

// Second derivative of a vector fixed on a side, without rates of velocities.
static mb_vec curl(const mb_close *c, bool to, mb_vec a)
{
    expr_graph *g = mb_close_graph(c);
    const mb_vec w = c->motion->spin[to];
    return mb_vec_add(g, mb_vec_cross(g, c->motion->turn_bias[to], a),
                      mb_vec_cross(g, w, mb_vec_cross(g, w, a)));
}

// Of p.s, p fixed on `from`, s on `to`.
static expr_id direction_bias(const mb_close *c, mb_vec p, mb_vec s)
{
    expr_graph *g = mb_close_graph(c);
    if (!c->motion)
        return EXPR_ZERO;
    const expr_id cross = mb_vec_dot(g, mb_vec_cross(g, c->motion->spin[0], p),
                                     mb_vec_cross(g, c->motion->spin[1], s));
    return expr_add(
        g, expr_mul(g, expr_const(g, 2.0), cross),
        expr_add(g, mb_vec_dot(g, curl(c, false, p), s), mb_vec_dot(g, p, curl(c, true, s))));
}

// Of u.d, u fixed on `from`.
static expr_id slide_bias(const mb_close *c, mb_vec u)
{
    expr_graph *g = mb_close_graph(c);
    if (!c->motion)
        return EXPR_ZERO;
    const mb_vec turned = mb_vec_cross(g, c->motion->spin[0], u);
    const expr_id cross = mb_vec_dot(g, turned, c->motion->rate);
    return expr_add(g, expr_mul(g, expr_const(g, 2.0), cross),
                    expr_add(g, mb_vec_dot(g, curl(c, false, u), c->pair.span.d),
                             mb_vec_dot(g, u, c->motion->bias)));
}

// Ends a row whose entries stand by the pair's velocities. bias counts where motion is given.
static void finish_row(mb_close *c, expr_id e, expr_id gap, expr_id bias, const expr_id *by,
                       bool length)
{
    work *w = c->w;
    expr_graph *g = w->links->graph;
    const mb_span *span = &c->pair.span;
    mb_row row = {.owner = c->joint->name,
                  .line = c->joint->line,
                  .closing = c->index,
                  .part = c->part++,
                  .e = e,
                  .gap = gap,
                  .rate = EXPR_ZERO,
                  .force = c->row.force,
                  .torque = c->row.torque,
                  .length = length};
    int velocity[span->count + 1];
    expr_id entry[span->count + 1];
    for (int k = 0; k < span->count; k++) {
        if (by[k] == EXPR_ZERO)
            continue;
        velocity[row.count] = span->velocity[k];
        entry[row.count++] = by[k];
        if (!c->motion)
            row.rate = expr_add(g, row.rate, expr_mul(g, by[k], w->links->v[span->velocity[k]]));
    }
    row.velocity = keep(w, velocity, (size_t)row.count, sizeof *velocity);
    row.by = keep(w, entry, (size_t)row.count, sizeof *entry);
    row.bias = c->motion ? bias : expr_along(w->time, row.rate);
    w->no_memory = w->no_memory || row.bias == EXPR_NONE;
    add_row(w, &row);
}

void mb_close_point(mb_close *c)
{
    expr_graph *g = mb_close_graph(c);
    const mb_span *span = &c->pair.span;
    for (int i = 0; i < 3; i++) {
        // d and its rate are zero, so that the turning of u does not count.
        const mb_vec u = c->motion ? mb_mat_column(&c->motion->axes, i) : mb_vec_unit(i);
        expr_id by[span->count + 1];
        for (int k = 0; k < span->count; k++)
            by[k] = mb_vec_dot(g, u, span->partial[k]);
        c->row.force = mb_vec_unit(i);
        c->row.torque = mb_vec_zero();
        const expr_id e = mb_vec_dot(g, u, span->d);
        finish_row(c, e, e, c->motion ? mb_vec_dot(g, u, c->motion->bias) : EXPR_ZERO, by, true);
    }
}

void mb_close_slide(mb_close *c, mb_vec u, expr_id value)
{
    expr_graph *g = mb_close_graph(c);
    const mb_span *span = &c->pair.span;
    const mb_vec turn = mb_vec_cross(g, u, span->d);
    expr_id by[span->count + 1];
    for (int k = 0; k < span->count; k++) {
        by[k] = mb_vec_dot(g, u, span->partial[k]);
        if (k >= c->pair.from_first)
            by[k] = expr_add(g, by[k], mb_vec_dot(g, c->pair.spin[k], turn));
    }
    c->row.force = u;
    c->row.torque = mb_vec_zero();
    const expr_id e = expr_sub(g, mb_vec_dot(g, u, span->d), value);
    finish_row(c, e, e, slide_bias(c, u), by, true);
}

// by += sign (w_from - w_to) . n
static void add_turn(const mb_close *c, expr_id *by, mb_vec n)
{
    expr_graph *g = mb_close_graph(c);
    for (int k = 0; k < c->pair.span.count; k++) {
        const expr_id turn = mb_vec_dot(g, c->pair.spin[k], n);
        by[k] = k >= c->pair.from_first ? expr_add(g, by[k], turn) : expr_sub(g, by[k], turn);
    }
}

void mb_close_direction(mb_close *c, mb_vec p, mb_vec s, expr_id value)
{
    expr_graph *g = mb_close_graph(c);
    const mb_vec n = mb_vec_cross(g, p, s);
    expr_id by[c->pair.span.count + 1];
    memset(by, 0, sizeof by); // EXPR_ZERO
    add_turn(c, by, n);
    c->row.force = mb_vec_zero();
    c->row.torque = mb_vec_neg(g, n);
    const expr_id e = expr_sub(g, mb_vec_dot(g, p, s), value);
    finish_row(c, e, e, direction_bias(c, p, s), by, false);
}

void mb_close_directions(mb_close *c, mb_vec p1, mb_vec s1, mb_vec p2, mb_vec s2)
{
    expr_graph *g = mb_close_graph(c);
    const mb_vec n = mb_vec_sub(g, mb_vec_cross(g, p1, s1), mb_vec_cross(g, p2, s2));
    expr_id by[c->pair.span.count + 1];
    memset(by, 0, sizeof by); // EXPR_ZERO
    add_turn(c, by, n);
    c->row.force = mb_vec_zero();
    c->row.torque = mb_vec_neg(g, n);
    const expr_id e = expr_sub(g, mb_vec_dot(g, p1, s1), mb_vec_dot(g, p2, s2));
    finish_row(c, e, e, expr_sub(g, direction_bias(c, p1, s1), direction_bias(c, p2, s2)), by,
               false);
}

void mb_close_distance(mb_close *c, expr_id length)
{
    expr_graph *g = mb_close_graph(c);
    const mb_span *span = &c->pair.span;
    expr_id by[span->count + 1];
    for (int k = 0; k < span->count; k++)
        by[k] = mb_vec_dot(g, span->d, span->partial[k]);
    const expr_id off = expr_sub(g, mb_vec_dot(g, span->d, span->d), expr_square(g, length));
    c->row.force = span->d;
    c->row.torque = mb_vec_zero();
    const expr_id gap = expr_sub(g, expr_sqrt(g, mb_vec_dot(g, span->d, span->d)), length);
    expr_id bias = EXPR_ZERO;
    if (c->motion)
        bias = expr_add(g, mb_vec_dot(g, c->motion->rate, c->motion->rate),
                        mb_vec_dot(g, span->d, c->motion->bias));
    finish_row(c, expr_mul(g, expr_const(g, 0.5), off), gap, bias, by, true);
}

// Rows that are not of the pair's kinematics: their entries by all velocities.
static void finish_any(mb_close *c, expr_id e, expr_id rate, bool length)
{
    work *w = c->w;
    mb_row row = {.owner = c->joint->name,
                  .line = c->joint->line,
                  .closing = c->index,
                  .part = c->part++,
                  .e = e,
                  .gap = e,
                  .rate = rate,
                  .force = mb_vec_zero(),
                  .torque = mb_vec_zero(),
                  .length = length};
    add_row(w, &row);
}

void mb_close_ratio(mb_close *c, expr_id ratio, expr_id offset)
{
    const mb_links *links = c->w->links;
    expr_graph *g = mb_close_graph(c);
    const int from = c->joint->from.body, to = c->joint->to.body;
    const expr_id q = links->q[links->body_q[to]], p = links->q[links->body_q[from]];
    const expr_id v = links->v[links->body_v[to]], u = links->v[links->body_v[from]];
    const expr_id e = expr_sub(g, expr_sub(g, q, expr_mul(g, ratio, p)), offset);
    c->unsupported = c->motion != NULL;
    finish_any(c, e, expr_sub(g, v, expr_mul(g, ratio, u)), false);
}

// The lowest point of the disc is r b below its centre, b = (s - (s.n) n)/|..|: the direction in
// the disc that is steepest. Its height over the plane is (centre - plane).s - r b.s; the velocity
// of the disc's material there, against the plane's body, has no part along the plane.
void mb_close_rolling(mb_close *c, mb_vec n, mb_vec s, expr_id radius)
{
    expr_graph *g = mb_close_graph(c);
    const mb_span *span = &c->pair.span;
    const mb_vec flat = mb_vec_sub(g, s, mb_vec_scale(g, mb_vec_dot(g, s, n), n));
    const expr_id size = expr_sqrt(g, mb_vec_dot(g, flat, flat));
    const mb_vec b = mb_vec_scale(g, expr_div(g, EXPR_ONE, size), flat);
    const mb_vec down = mb_vec_scale(g, expr_neg(g, radius), b); // centre to contact
    const mb_vec at = mb_vec_sub(g, down, span->d);              // plane's point to contact
    const mb_vec along[2] = {mb_vec_cross(g, n, b), mb_vec_cross(g, s, mb_vec_cross(g, n, b))};
    const mb_vec rows[3] = {s, along[0], along[1]};
    for (int r = 0; r < 3; r++) {
        expr_id by[span->count + 1];
        for (int k = 0; k < span->count; k++) {
            // velocity of the disc's contact point less that of the plane's body there
            mb_vec v = mb_vec_neg(g, span->partial[k]);
            const mb_vec spin = c->pair.spin[k];
            v = k >= c->pair.from_first ? mb_vec_add(g, v, mb_vec_cross(g, spin, down))
                                        : mb_vec_sub(g, v, mb_vec_cross(g, spin, at));
            by[k] = mb_vec_dot(g, rows[r], v);
        }
        c->row.force = mb_vec_neg(g, rows[r]);
        c->row.torque = mb_vec_neg(g, mb_vec_cross(g, at, rows[r]));
        const expr_id e = r == 0 ? mb_vec_dot(g, s, at) : EXPR_NONE;
        finish_row(c, e, e, EXPR_ZERO, by, true);
    }
    c->unsupported = c->motion != NULL;
}

// ---- the same for kinds from outside, on constant vectors --------------------------------------

mc_joint_vector mc_joint_axis(const mc_joint *j, mc_joint_side side)
{
    mc_joint_vector v = {.side = side};
    memcpy(v.part, side == MC_JOINT_TO ? j->joint->to.axis : j->joint->from.axis, sizeof v.part);
    return v;
}

void mc_joint_across(mc_joint_vector n, mc_joint_vector across[2])
{
    across[0].side = across[1].side = n.side;
    mb_close_across(n.part, across[0].part, across[1].part);
}

// In common axes, of a vector that must be on a side.
static mb_vec vector_on(mc_joint *j, mc_joint_side side, mc_joint_vector v)
{
    if (v.side != side)
        j->wrong = side == MC_JOINT_FROM ? "a row needs a vector on from and got one on to"
                                         : "a row needs a vector on to and got one on from";
    for (int k = 0; k < 3; k++)
        if (!isfinite(v.part[k]))
            j->wrong = "a vector is not finite";
    return j->wrong ? mb_vec_zero() : mb_close_vector(j, side == MC_JOINT_TO, v.part);
}

mc_joint_formula mc_joint_number(mc_joint *j, double value)
{
    if (!isfinite(value))
        j->wrong = "a number is not finite";
    return (mc_joint_formula){j->wrong ? EXPR_ZERO : expr_const(mb_close_graph(j), value)};
}

mc_joint_formula mc_joint_value_at(mc_joint *j, int k)
{
    if (k < 0 || k >= MC_JOINT_VALUE_MAX || !j->joint->kind->is.value[k].key) {
        j->wrong = "it asks for a value that it does not have";
        return (mc_joint_formula){EXPR_ZERO};
    }
    return (mc_joint_formula){j->joint->value[k]};
}

mc_joint_formula mc_joint_sum(mc_joint *j, mc_joint_formula a, mc_joint_formula b)
{
    return (mc_joint_formula){expr_add(mb_close_graph(j), a.node, b.node)};
}

mc_joint_formula mc_joint_product(mc_joint *j, mc_joint_formula a, mc_joint_formula b)
{
    return (mc_joint_formula){expr_mul(mb_close_graph(j), a.node, b.node)};
}

mc_joint_formula mc_joint_cosine(mc_joint *j, mc_joint_formula angle)
{
    return (mc_joint_formula){expr_cos(mb_close_graph(j), angle.node)};
}

void mc_joint_point(mc_joint *j)
{
    mb_close_point(j);
}

void mc_joint_slide(mc_joint *j, mc_joint_vector u, mc_joint_formula value)
{
    mb_close_slide(j, vector_on(j, MC_JOINT_FROM, u), value.node);
}

void mc_joint_direction(mc_joint *j, mc_joint_vector p, mc_joint_vector s, mc_joint_formula value)
{
    const mb_vec from = vector_on(j, MC_JOINT_FROM, p);
    mb_close_direction(j, from, vector_on(j, MC_JOINT_TO, s), value.node);
}

void mc_joint_directions(mc_joint *j, mc_joint_vector p1, mc_joint_vector s1, mc_joint_vector p2,
                         mc_joint_vector s2)
{
    const mb_vec p[2] = {vector_on(j, MC_JOINT_FROM, p1), vector_on(j, MC_JOINT_FROM, p2)};
    const mb_vec s[2] = {vector_on(j, MC_JOINT_TO, s1), vector_on(j, MC_JOINT_TO, s2)};
    mb_close_directions(j, p[0], s[0], p[1], s[1]);
}

void mc_joint_distance(mc_joint *j, mc_joint_formula length)
{
    mb_close_distance(j, length.node);
}

// ---- joints ----------------------------------------------------------------------------------

static mb_mat mount_turn(expr_graph *g, const mb_mat *body, const mb_mount *mount)
{
    mb_mat own;
    memcpy(own.m, mount->turn, sizeof own.m);
    return mb_mat_mul(g, body, &own);
}

bool mb_row_entries(const mb_links *links, expr_direction *time, arena *memory, mb_row *row,
                    mc_error *error)
{
    const int n = links->v_count;
    expr_id *all = calloc((size_t)n + 1, sizeof *all);
    bool good =
        all && expr_jacobian(links->graph, &row->rate, 1, links->v_input, n, all, error) == MC_OK;
    row->count = 0;
    for (int k = 0; good && k < n; k++)
        row->count += all[k] != EXPR_ZERO;
    row->velocity = arena_alloc(memory, ((size_t)row->count + 1) * sizeof *row->velocity);
    row->by = arena_alloc(memory, ((size_t)row->count + 1) * sizeof *row->by);
    good = good && row->velocity && row->by;
    for (int k = 0, at = 0; good && k < n; k++)
        if (all[k] != EXPR_ZERO) {
            row->velocity[at] = k;
            row->by[at++] = all[k];
        }
    row->bias = good ? expr_along(time, row->rate) : EXPR_NONE;
    free(all);
    return row->bias != EXPR_NONE;
}

static void find_entries(work *w, mb_row *row)
{
    if (!mb_row_entries(w->links, w->time, &w->out->memory, row, w->error))
        w->no_memory = true;
}

static mc_status close_joint(work *w, int index)
{
    const mb_closing *joint = &w->links->model->closings[index];
    expr_graph *g = w->links->graph;
    mb_close c = {.w = w, .joint = joint, .index = index};
    const int first = w->out->count;
    if (!mb_frames_pair(w->frames, joint->from.body, joint->from.at, joint->to.body, joint->to.at,
                        &c.pair)) {
        w->no_memory = true;
        return MC_OK;
    }
    c.from = mount_turn(g, &c.pair.from, &joint->from);
    c.to = mount_turn(g, &c.pair.to, &joint->to);
    joint->kind->is.rows(&c);
    for (int i = first; i < w->out->count && !w->no_memory; i++)
        if (!w->out->row[i].by)
            find_entries(w, &w->out->row[i]);
    mb_pair_free(&c.pair);
    if (!c.wrong && c.part == 0)
        c.wrong = "it has no rows";
    return c.wrong ? mc_error_set(w->error, MC_BAD_INPUT, w->links->model->file, joint->line, 1,
                                  "joint %s: the kind %s cannot be used: %s", joint->name,
                                  joint->kind->is.name, c.wrong)
                   : MC_OK;
}

// ---- constraints of the user -----------------------------------------------------------------

static mc_status not_linear(work *w, const mb_constraint *constraint)
{
    return mc_error_set(w->error, MC_BAD_INPUT, w->links->model->file, constraint->velocity.line,
                        constraint->velocity.column,
                        "constraint %s: the formula is not linear in the velocities; expected a "
                        "sum of velocities, each times a formula of positions",
                        constraint->name);
}

// The multiplier times the rate of the formula is a power.
static expr_unit load_unit(expr_unit formula, bool velocity)
{
    const expr_unit energy = mb_unit(2, 1, -2);
    return (expr_unit){formula.known, (int8_t)(energy.length - formula.length),
                       (int8_t)(energy.mass - formula.mass),
                       (int8_t)(energy.time - formula.time - (velocity ? 6 : 0))};
}

static mc_status add_constraint(work *w, int index)
{
    const mb_links *links = w->links;
    const mb_constraint *constraint = &links->model->constraints[index];
    const bool velocity = constraint->velocity.text != NULL;
    expr_value value;
    mc_status status =
        mb_scope_formula(w->scope, velocity ? &constraint->velocity : &constraint->position, 1,
                         (expr_unit){0}, &value, w->error);
    if (status != MC_OK)
        return status;
    mb_row row = {.owner = constraint->name,
                  .line = constraint->line,
                  .closing = -1,
                  .e = velocity ? EXPR_NONE : value.v[0],
                  .gap = value.v[0],
                  .length = value.unit.known && value.unit.length == 6 && value.unit.time == 0,
                  .load = load_unit(value.unit, velocity)};
    row.rate = velocity ? value.v[0] : expr_along(w->time, value.v[0]);
    if (row.rate == EXPR_NONE)
        return MC_NO_MEMORY;
    find_entries(w, &row);
    expr_id *twice = calloc((size_t)links->v_count + 1, sizeof *twice);
    if (!twice)
        w->no_memory = true;
    for (int k = 0; twice && status == MC_OK && k < row.count; k++) {
        status = expr_jacobian(links->graph, &row.by[k], 1, links->v_input, links->v_count, twice,
                               w->error);
        for (int j = 0; status == MC_OK && j < links->v_count; j++)
            if (twice[j] != EXPR_ZERO)
                status = not_linear(w, constraint);
    }
    free(twice);
    if (status == MC_OK && row.count == 0)
        status = mc_error_set(w->error, MC_BAD_INPUT, links->model->file, constraint->line, 0,
                              "constraint %s holds nothing: its formula does not depend on %s",
                              constraint->name, velocity ? "a velocity" : "a coordinate");
    if (status == MC_OK)
        add_row(w, &row);
    return status;
}

// ---- loads -----------------------------------------------------------------------------------

static mb_load *add_load(work *w, const char *owner, const char *word, expr_unit unit)
{
    if (w->out->load_count == w->load_room) {
        const int room = w->load_room ? 2 * w->load_room : 32;
        mb_load *more = realloc(w->out->load, (size_t)room * sizeof *more);
        if (!more) {
            w->no_memory = true;
            return NULL;
        }
        w->out->load = more;
        w->load_room = room;
    }
    mb_load *load = &w->out->load[w->out->load_count++];
    *load = (mb_load){.owner = owner, .word = word, .unit = unit};
    load->by = arena_alloc(&w->out->memory, ((size_t)w->out->count + 1) * sizeof *load->by);
    w->no_memory = w->no_memory || !load->by;
    for (int i = 0; load->by && i < w->out->count; i++)
        load->by[i] = EXPR_ZERO;
    return load->by ? load : NULL;
}

// Force and torque on `to`, in the axes of the joint on `from`; a rod's force along it.
static void add_joint_loads(work *w, int index)
{
    static const char *const words[] = {"force_x",  "force_y",  "force_z",
                                        "torque_x", "torque_y", "torque_z"};
    expr_graph *g = w->links->graph;
    const mb_closing *joint = &w->links->model->closings[index];
    mb_pair pair;
    if (!mb_frames_pair(w->frames, joint->from.body, joint->from.at, joint->to.body, joint->to.at,
                        &pair)) {
        w->no_memory = true;
        return;
    }
    const mb_mat frame = mount_turn(g, &pair.from, &joint->from);
    for (int k = 0; k < 6; k++) {
        const mb_vec axis = mb_mat_column(&frame, k % 3);
        mb_load *load = NULL;
        for (int i = 0; i < w->out->count; i++) {
            const mb_row *row = &w->out->row[i];
            if (row->closing != index)
                continue;
            const expr_id part = mb_vec_dot(g, axis, k < 3 ? row->force : row->torque);
            if (part == EXPR_ZERO)
                continue;
            if (!load)
                load = add_load(w, joint->name, words[k],
                                k < 3 ? mb_unit(1, 1, -2) : mb_unit(2, 1, -2));
            if (load)
                load->by[i] = part;
        }
    }
    mb_pair_free(&pair);
}

static void add_loads(work *w)
{
    const mb_model *m = w->links->model;
    for (int i = 0; i < m->closing_count; i++) {
        const int before = w->out->load_count;
        add_joint_loads(w, i);
        for (int r = 0; w->out->load_count == before && r < w->out->count; r++)
            if (w->out->row[r].closing == i) { // a ratio: the multiplier itself
                mb_load *load = add_load(w, m->closings[i].name, "load", (expr_unit){0});
                if (load)
                    load->by[r] = EXPR_ONE;
                break;
            }
    }
    for (int r = 0; r < w->out->count; r++)
        if (w->out->row[r].closing < 0) {
            mb_load *load = add_load(w, w->out->row[r].owner, "load", w->out->row[r].load);
            if (load)
                load->by[r] = EXPR_ONE;
        }
}

// Rows of what is switched off go; its loads stay, and are zero.
static void drop_rows(work *w)
{
    const mb_model *m = w->links->model;
    mb_rows *out = w->out;
    const int count = out->count;
    out->count = 0;
    for (int r = 0, constraint = 0; r < count; r++) {
        const mb_row row = out->row[r];
        const bool off = row.closing >= 0 ? m->closings[row.closing].change.off
                                          : m->constraints[constraint++].change.off;
        if (off)
            continue;
        for (int i = 0; i < out->load_count; i++)
            out->load[i].by[out->count] = out->load[i].by[r];
        out->row[out->count++] = row;
    }
    for (int i = 0; i < out->load_count; i++)
        for (int r = out->count; r < count; r++)
            out->load[i].by[r] = EXPR_ZERO;
}

// ---- the whole -------------------------------------------------------------------------------

static bool make_time(work *w, expr_id time)
{
    const mb_links *links = w->links;
    expr_id *seed = calloc((size_t)expr_input_count(links->graph) + 1, sizeof *seed);
    if (!seed)
        return false;
    for (int i = 0; i < links->q_count; i++)
        seed[links->q_input[i]] = w->q_rate[i];
    seed[expr_node_input(links->graph, time)] = EXPR_ONE;
    w->time = expr_direction_create(links->graph, seed);
    free(seed);
    return w->time != NULL;
}

mc_status mb_rows_make(const mb_links *links, const expr_id *q_rate, mb_frames *frames,
                       mb_scope *scope, expr_id time, mb_rows *out, mc_error *error)
{
    const mb_model *m = links->model;
    *out = (mb_rows){0};
    if (m->closing_count + m->constraint_count == 0)
        return MC_OK;
    work w = {.links = links,
              .q_rate = q_rate,
              .frames = frames,
              .scope = scope,
              .out = out,
              .error = error};
    mc_status status = MC_OK;
    w.no_memory = !make_time(&w, time);
    for (int i = 0; i < m->closing_count && status == MC_OK && !w.no_memory; i++)
        status = close_joint(&w, i);
    for (int i = 0; i < m->constraint_count && status == MC_OK && !w.no_memory; i++)
        status = add_constraint(&w, i);
    if (status == MC_OK && !w.no_memory)
        add_loads(&w);
    if (status == MC_OK && !w.no_memory)
        drop_rows(&w);
    expr_direction_destroy(w.time);
    if (status == MC_OK)
        status = w.no_memory
                     ? mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops")
                     : expr_graph_status(links->graph, error);
    if (status != MC_OK)
        mb_rows_free(out);
    return status;
}

void mb_rows_free(mb_rows *rows)
{
    free(rows->row);
    free(rows->load);
    arena_free(&rows->memory);
    *rows = (mb_rows){0};
}

mc_status mb_rows_close(const mb_links *links, int closing, const mb_pair *pair,
                        const mb_pair_motion *motion, mb_rows *out)
{
    const mb_closing *joint = &links->model->closings[closing];
    work w = {.links = links, .out = out, .room = out->count};
    mb_close c = {.w = &w, .joint = joint, .index = closing, .pair = *pair, .motion = motion};
    c.from = mount_turn(links->graph, &pair->from, &joint->from);
    c.to = mount_turn(links->graph, &pair->to, &joint->to);
    joint->kind->is.rows(&c);
    return w.no_memory ? MC_NO_MEMORY : c.unsupported || c.wrong ? MC_FAILED : MC_OK;
}
