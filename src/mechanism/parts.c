// parts.c - what a mechanism is made of, for those who draw it.
#include "expr/function.h"
#include "mechanism/mechanism.h"
#include "multibody/closing.h"

#include <math.h>

// The value of a number of the file, with the parameters as they are now. Such numbers are
// literals, parameters or short formulas of them.
static double value_of(const mc_multibody *m, expr_id id)
{
    const expr_graph *g = m->model.graph;
    expr_node node = *expr_node_at(g, id);
    if (node.op == EXPR_INPUT) {
        for (int i = 0; i < m->model.parameter_count; i++)
            if (expr_input_node(g, m->model.parameters[i].input) == id)
                return m->model.parameters[i].value;
        return NAN;
    }
    double value[3] = {0.0, 0.0, 0.0};
    expr_id *const children[3] = {&node.a, &node.b, &node.c};
    for (int k = 0; k < 3 && node.op != EXPR_CONST; k++)
        if (*children[k] != EXPR_NONE) {
            value[k] = value_of(m, *children[k]);
            *children[k] = (expr_id)k;
        }
    return expr_node_value(&node, value);
}

static const char *name_of(const mc_multibody *m, int body)
{
    return body < 0 ? NULL : m->model.bodies[body].name;
}

bool mc_multibody_body(const mc_multibody *m, int i, mc_part_body *out)
{
    if (i < 0 || i >= m->model.body_count)
        return false;
    const mb_body *b = &m->model.bodies[i];
    *out = (mc_part_body){.name = b->name,
                          .inboard = name_of(m, b->inboard),
                          .joint = mb_joint_names[b->joint],
                          .mass = value_of(m, b->mass),
                          .round = b->axisymmetric};
    for (int k = 0; k < 3; k++)
        out->centre[k] = value_of(m, b->com[k]);
    for (int k = 0; k < 6; k++)
        out->inertia[k] = value_of(m, b->inertia[k]);
    return true;
}

bool mc_multibody_point(const mc_multibody *m, int i, mc_part_point *out)
{
    if (i < 0 || i >= m->model.point_count)
        return false;
    const mb_point *p = &m->model.points[i];
    *out = (mc_part_point){p->name, name_of(m, p->body)};
    return true;
}

bool mc_multibody_spring(const mc_multibody *m, int i, mc_part_spring *out)
{
    if (i < 0 || i >= m->model.spring_count)
        return false;
    const mb_spring *s = &m->model.springs[i];
    *out = (mc_part_spring){s->name, m->model.points[s->from].name, m->model.points[s->to].name,
                            value_of(m, s->length)};
    return true;
}

bool mc_multibody_joint(const mc_multibody *m, int i, mc_part_joint *out)
{
    if (i < 0 || i >= m->model.closing_count)
        return false;
    const mb_closing *c = &m->model.closings[i];
    *out = (mc_part_joint){.name = c->name,
                           .kind = c->kind->is.name,
                           .from = name_of(m, c->from.body),
                           .to = name_of(m, c->to.body)};
    for (int k = 0; k < 3; k++)
        out->at[k] = c->kind->of_joints ? 0.0 : value_of(m, c->from.at[k]);
    return true;
}
