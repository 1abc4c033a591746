// body_rows.c - closing joints by their force and torque, constraints of the user by what their
// formulas speak of.
//
// The formula of a constraint is read again, into a graph of its own where every name is an
// input. Its derivatives by them are forces at points, torques on bodies, loads along coordinates:
//   POINT.position p, velocity    e' = f.p'                 f at the point
//   BODY.x_axis a                 e' = f.(w x a)            torque a x f
//   BODY.omega                    e' = n.w                  torque n
//   SPRING.length, rate           e' = f (p_to - p_from)'.u   along the line u
//   a coordinate or velocity      e' = f rate               the free rate of a tree joint (25)
#include "multibody/body_rows.h"

#include "expr/differentiate.h"
#include "multibody/closing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum speaks_of {
    OF_NOTHING, // time, parameters, inputs, states
    OF_POINT,
    OF_AXIS,
    OF_SPIN,
    OF_COORDINATE,
    OF_RATE,
    OF_SPRING,
} speaks_of;

typedef struct shadow { // a name of the formula
    char name[160];
    speaks_of what;
    bool velocity; // a velocity, not a position
    int index;     // body, place in q or v, spring
    expr_id at[3]; // of a point, in its body
    expr_value value, real;
    int input; // the first of value.size
} shadow;

enum { SHADOW_MAX = 64 };

typedef struct reading {
    const mb_body_rows *b;
    expr_graph *own;
    shadow *names;
    int count;
    mc_status status;
    mc_error *error;
} reading;

// ---- what a name is --------------------------------------------------------------------------

static bool is_coordinate(const mb_model *m, const mb_links *links, shadow *s)
{
    char own[96];
    for (int i = 0; i < m->body_count; i++) {
        for (int k = 0; k < mb_coordinate_count(&m->bodies[i]); k++) {
            mb_coordinate_name(&m->bodies[i], k, own);
            if (strcmp(own, s->name) != 0)
                continue;
            s->what = OF_COORDINATE;
            s->index = links->body_q[i] + k;
            return true;
        }
        for (int k = 0; k < mb_velocity_count(&m->bodies[i]); k++) {
            mb_velocity_name(&m->bodies[i], k, own);
            if (strcmp(own, s->name) != 0)
                continue;
            s->what = OF_RATE;
            s->velocity = true;
            s->index = links->body_v[i] + k;
            return true;
        }
    }
    return false;
}

static void classify(const mb_body_rows *b, shadow *s)
{
    const mb_model *m = b->links->model;
    const char *dot = strrchr(s->name, '.');
    if (!dot || is_coordinate(m, b->links, s))
        return;
    const size_t length = (size_t)(dot - s->name);
    const char *word = dot + 1;
    s->velocity =
        strcmp(word, "velocity") == 0 || strcmp(word, "omega") == 0 || strcmp(word, "rate") == 0;
    const bool point = strcmp(word, "position") == 0 || strcmp(word, "velocity") == 0;
    for (int i = 0; i < m->body_count; i++)
        if (strlen(m->bodies[i].name) == length &&
            strncmp(m->bodies[i].name, s->name, length) == 0) {
            s->what = point ? OF_POINT : strcmp(word, "omega") == 0 ? OF_SPIN : OF_AXIS;
            s->index = i;
        }
    for (int i = 0; i < m->point_count; i++)
        if (strlen(m->points[i].name) == length &&
            strncmp(m->points[i].name, s->name, length) == 0) {
            s->what = OF_POINT;
            s->index = m->points[i].body;
            memcpy(s->at, m->points[i].at, sizeof s->at);
        }
    for (int i = 0; i < m->spring_count; i++)
        if (strlen(m->springs[i].name) == length &&
            strncmp(m->springs[i].name, s->name, length) == 0) {
            s->what = OF_SPRING;
            s->index = i;
        }
}

static bool resolve(void *context, const char *name, expr_value *out);

// A variable of the user is read like the formula itself.
static bool resolve_variable(reading *r, const mb_variable *variable, expr_value *out)
{
    const expr_scope scope = {.graph = r->own, .context = r, .resolve = resolve};
    const expr_source source = {variable->value.text, r->b->links->model->file,
                                variable->value.line, variable->value.column};
    const mc_status status = expr_parse(&scope, &source, 0, (expr_unit){0}, out, r->error);
    if (r->status == MC_OK)
        r->status = status;
    return status == MC_OK;
}

static bool resolve(void *context, const char *name, expr_value *out)
{
    reading *r = context;
    const mb_model *m = r->b->links->model;
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->names[i].name, name) == 0) {
            *out = r->names[i].value;
            return true;
        }
    for (int i = 0; i < m->variable_count; i++)
        if (strcmp(m->variables[i].name, name) == 0)
            return resolve_variable(r, &m->variables[i], out);
    if (r->count == SHADOW_MAX) {
        r->status = mc_error_set(r->error, MC_BAD_INPUT, m->file, 0, 0,
                                 "a constraint speaks of more than %d names", SHADOW_MAX);
        return false;
    }
    shadow *s = &r->names[r->count];
    *s = (shadow){.index = -1, .at = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}};
    snprintf(s->name, sizeof s->name, "%s", name);
    if (!mb_scope_find(r->b->scope, name, &s->real))
        return false;
    classify(r->b, s);
    s->value = s->real;
    s->input = expr_input_count(r->own);
    for (int k = 0; k < s->real.size; k++)
        s->value.v[k] = expr_input(r->own, name, EXPR_VARIABLE);
    *out = s->value;
    r->count++;
    return true;
}

// ---- what it does ----------------------------------------------------------------------------

static void add(const mb_body_rows *b, expr_id *out, expr_id value)
{
    *out = expr_add(b->links->graph, *out, value);
}

// A force at a point of a body and a torque on it, world axes.
static void add_wrench(const mb_body_rows *b, int body, const expr_id at[3], mb_vec force,
                       mb_vec torque, expr_id *out)
{
    expr_graph *g = b->links->graph;
    if (body < 0)
        return;
    const mb_mat R = mb_frames_body_turn(b->frames, body);
    const mb_vec f = mb_mat_back(g, &R, force);
    const mb_vec about = mb_vec_cross(g, (mb_vec){{at[0], at[1], at[2]}}, f);
    const mb_vec n = mb_vec_add(g, mb_mat_back(g, &R, torque), about);
    for (int k = 0; k < 3; k++) {
        add(b, &out[6 * body + k], n.v[k]);
        add(b, &out[6 * body + 3 + k], f.v[k]);
    }
}

// factor times velocity v of the tree: a free rate of its joint.
static void add_rate(const mb_body_rows *b, int v, expr_id factor, expr_id *out)
{
    expr_graph *g = b->links->graph;
    for (int i = 0; i < b->links->model->body_count && factor != EXPR_ZERO; i++) {
        const mb_hinge *h = &b->tree[i];
        for (int row = 0; row < 6; row++) {
            if (h->velocity[row] != v)
                continue;
            for (int k = 0; k < 6; k++) {
                add(b, &out[6 * h->outboard + k], expr_mul(g, factor, h->q[6 * row + k]));
                if (h->inboard >= 0)
                    add(b, &out[6 * h->inboard + k], expr_mul(g, factor, h->p[6 * row + k]));
            }
        }
    }
}

static mc_status add_coordinate(const mb_body_rows *b, int q, expr_id factor, expr_id *out,
                                mc_error *error)
{
    const mb_links *links = b->links;
    expr_id *by = calloc((size_t)links->v_count + 1, sizeof *by);
    mc_status status = by ? expr_jacobian(links->graph, &b->q_rate[q], 1, links->v_input,
                                          links->v_count, by, error)
                          : MC_NO_MEMORY;
    for (int k = 0; status == MC_OK && k < links->v_count; k++)
        add_rate(b, k, expr_mul(links->graph, factor, by[k]), out);
    free(by);
    return status;
}

static void add_spring(const mb_body_rows *b, int spring, expr_id factor, expr_id *out)
{
    expr_graph *g = b->links->graph;
    const mb_model *m = b->links->model;
    const mb_point *from = &m->points[m->springs[spring].from];
    const mb_point *to = &m->points[m->springs[spring].to];
    const mb_vec d = mb_vec_sub(g, mb_frames_point(b->frames, to->body, to->at),
                                mb_frames_point(b->frames, from->body, from->at));
    const expr_id length = expr_sqrt(g, mb_vec_dot(g, d, d));
    const mb_vec f = mb_vec_scale(g, expr_div(g, factor, length), d);
    add_wrench(b, to->body, to->at, f, mb_vec_zero(), out);
    add_wrench(b, from->body, from->at, mb_vec_neg(g, f), mb_vec_zero(), out);
}

static mc_status add_name(const mb_body_rows *b, const shadow *s, const expr_id by[3], bool joints,
                          expr_id *out, mc_error *error)
{
    expr_graph *g = b->links->graph;
    const mb_vec f = {{by[0], by[1], by[2]}}, a = {{s->real.v[0], s->real.v[1], s->real.v[2]}};
    switch (s->what) {
    case OF_NOTHING:
        break;
    case OF_POINT:
        add_wrench(b, s->index, s->at, f, mb_vec_zero(), out);
        break;
    case OF_AXIS:
        add_wrench(b, s->index, s->at, mb_vec_zero(), mb_vec_cross(g, a, f), out);
        break;
    case OF_SPIN:
        add_wrench(b, s->index, s->at, mb_vec_zero(), f, out);
        break;
    case OF_SPRING:
        add_spring(b, s->index, by[0], out);
        break;
    case OF_RATE:
        if (joints)
            add_rate(b, s->index, by[0], out);
        break;
    case OF_COORDINATE:
        return joints ? add_coordinate(b, s->index, by[0], out, error) : MC_OK;
    }
    return MC_OK;
}

// ---- constraints of the user -----------------------------------------------------------------

// Derivatives of the formula by its names, as nodes of the mechanism's graph.
static mc_status differentiate(reading *r, expr_id formula, expr_id *by)
{
    const int count = expr_input_count(r->own);
    int *inputs = calloc((size_t)count + 1, sizeof *inputs);
    expr_id *real = calloc((size_t)count + 1, sizeof *real);
    expr_id *memo = NULL;
    mc_status status = inputs && real ? MC_OK : MC_NO_MEMORY;
    for (int i = 0; status == MC_OK && i < count; i++)
        inputs[i] = i;
    for (int i = 0; status == MC_OK && i < r->count; i++)
        memcpy(&real[r->names[i].input], r->names[i].real.v,
               (size_t)r->names[i].real.size * sizeof *real);
    if (status == MC_OK)
        status = expr_jacobian(r->own, &formula, 1, inputs, count, by, r->error);
    if (status == MC_OK) {
        memo = malloc(((size_t)expr_node_count(r->own) + 1) * sizeof *memo);
        status = memo ? MC_OK : MC_NO_MEMORY;
    }
    for (uint32_t i = 0; status == MC_OK && i < expr_node_count(r->own); i++)
        memo[i] = EXPR_NONE;
    for (int i = 0; status == MC_OK && i < count; i++)
        by[i] = expr_copy(r->b->links->graph, r->own, by[i], real, memo);
    free(inputs);
    free(real);
    free(memo);
    return status;
}

static mc_status add_constraint(reading *r, const mb_constraint *constraint, bool joints,
                                expr_id *out)
{
    const bool velocity = constraint->velocity.text != NULL;
    const mb_formula *formula = velocity ? &constraint->velocity : &constraint->position;
    const expr_scope scope = {.graph = r->own, .context = r, .resolve = resolve};
    const expr_source source = {formula->text, r->b->links->model->file, formula->line,
                                formula->column};
    expr_value value;
    mc_status status = expr_parse(&scope, &source, 1, (expr_unit){0}, &value, r->error);
    if (r->status != MC_OK)
        status = r->status;
    if (status != MC_OK)
        return status;
    expr_id *by = calloc((size_t)expr_input_count(r->own) + 1, sizeof *by);
    status = by ? differentiate(r, value.v[0], by) : MC_NO_MEMORY;
    for (int i = 0; status == MC_OK && i < r->count; i++) {
        const shadow *s = &r->names[i];
        expr_id of[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
        if (s->velocity != velocity)
            continue;
        memcpy(of, &by[s->input], (size_t)s->real.size * sizeof *of);
        status = add_name(r->b, s, of, joints, out, r->error);
    }
    free(by);
    return status;
}

static mc_status constraint_row(const mb_body_rows *b, const char *owner, bool joints, expr_id *out,
                                mc_error *error)
{
    const mb_model *m = b->links->model;
    mc_error unused;
    reading r = {.b = b, .error = error ? error : &unused};
    r.own = expr_graph_create();
    r.names = calloc(SHADOW_MAX, sizeof *r.names);
    mc_status status = r.own && r.names ? MC_OK : MC_NO_MEMORY;
    for (int i = 0; status == MC_OK && i < m->constraint_count; i++)
        if (strcmp(m->constraints[i].name, owner) == 0)
            status = add_constraint(&r, &m->constraints[i], joints, out);
    if (r.own)
        expr_graph_destroy(r.own);
    free(r.names);
    if (status == MC_NO_MEMORY)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the matrices");
    return status;
}

// ---- rows ------------------------------------------------------------------------------------

mc_status mb_body_row(const mb_body_rows *b, int r, bool joints, expr_id *out, mc_error *error)
{
    expr_graph *g = b->links->graph;
    const mb_model *m = b->links->model;
    const mb_row *row = &b->rows->row[r];
    memset(out, 0, 6 * (size_t)m->body_count * sizeof *out); // EXPR_ZERO
    if (row->closing < 0)
        return constraint_row(b, row->owner, joints, out, error);
    if (m->closings[row->closing].kind->of_joints) {
        for (int k = 0; k < row->count && joints; k++)
            add_rate(b, row->velocity[k], row->by[k], out);
        return MC_OK;
    }
    const mb_hinge *h = &b->closing[row->closing];
    expr_id on[2][6];
    mb_hinge_wrench(g, h, mb_mat_back(g, &h->seen, row->torque),
                    mb_mat_back(g, &h->seen, row->force), on[0], on[1]);
    if (h->outboard >= 0)
        memcpy(&out[6 * h->outboard], on[0], sizeof on[0]);
    if (h->inboard >= 0)
        memcpy(&out[6 * h->inboard], on[1], sizeof on[1]);
    return MC_OK;
}
