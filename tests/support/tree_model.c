// tree_model.c - tree to model: numbers become parameters, zeros structure, as the reader does it.
#include "support/tree_model.h"

#include <stdio.h>
#include <string.h>

static char *copy(mb_model *m, const char *text)
{
    return arena_copy_text(&m->memory, text, strlen(text));
}

static expr_id number(mb_model *m, const char *owner, const char *what, double value)
{
    if (value == 0.0)
        return EXPR_ZERO;
    char name[128];
    snprintf(name, sizeof name, "%s.%s", owner, what);
    mb_parameter *p = &m->parameters[m->parameter_count++];
    *p = (mb_parameter){.name = copy(m, name), .unit = "", .doc = "", .value = value};
    p->input = expr_input_count(m->graph);
    return expr_input(m->graph, name, EXPR_PARAMETER);
}

static void vector(mb_model *m, const char *owner, const char *what, const double x[3],
                   expr_id out[3])
{
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%c", what, "xyz"[i]);
        out[i] = number(m, owner, name, x[i]);
    }
}

static void set_body(mb_model *m, const tree_body *from, mb_body *body)
{
    static const mb_joint joint[] = {[TREE_FREE] = MB_FREE,
                                     [TREE_FIXED] = MB_FIXED,
                                     [TREE_HINGE] = MB_HINGE,
                                     [TREE_PRISM] = MB_PRISM,
                                     [TREE_BALL] = MB_BALL};
    static const char *const moments[6] = {"inertia.xx", "inertia.yy", "inertia.zz",
                                           "inertia.xy", "inertia.xz", "inertia.yz"};
    *body = (mb_body){.name = copy(m, from->name),
                      .inboard = from->parent,
                      .joint = joint[from->joint],
                      .axisymmetric = from->axisymmetric ? from->axisymmetric - 'x' : -1};
    static const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
    const bool is_free = from->joint == TREE_FREE; // then p and r0 mean nothing
    if (!is_free)
        vector(m, from->name, "at", from->p, body->at);
    double turn[9];
    tree_rotation(is_free ? unturned : from->r0, turn);
    for (int i = 0; i < 9; i++)
        body->turn[i] = expr_const(m->graph, turn[i]);
    memcpy(body->axis, from->axis, sizeof body->axis);
    body->mass = number(m, from->name, "mass", from->mass);
    vector(m, from->name, "com", from->com, body->com);
    for (int i = 0; i < 6; i++)
        body->inertia[i] = number(m, from->name, moments[i], from->inertia[i]);
    if (from->joint == TREE_FREE || from->joint == TREE_BALL)
        body->start_q[from->joint == TREE_FREE ? 3 : 0] = 1.0;
}

static void set_spring(mb_model *m, const tree *t, const tree_spring *from)
{
    const char *name = t->body[from->body].name;
    mb_point *ends = &m->points[m->point_count];
    ends[0] = (mb_point){.name = "", .body = t->body[from->body].parent};
    ends[1] = (mb_point){.name = "", .body = from->body};
    vector(m, name, "spring.on_parent", from->on_parent, ends[0].at);
    vector(m, name, "spring.on_body", from->on_body, ends[1].at);
    mb_spring *spring = &m->springs[m->spring_count++];
    *spring = (mb_spring){.name = copy(m, name), .from = m->point_count, .to = m->point_count + 1};
    spring->stiffness = number(m, name, "spring.stiffness", from->stiffness);
    spring->damping = number(m, name, "spring.damping", from->damping);
    spring->length = number(m, name, "spring.length", from->free_length);
    m->point_count += 2;
}

void tree_to_model(const tree *t, bool loads, mb_model *out)
{
    *out = (mb_model){.graph = expr_graph_create(), .file = "", .body_count = t->body_count};
    mb_model *m = out;
    m->name = copy(m, t->name);
    const size_t n = (size_t)t->body_count + 1;
    m->bodies = arena_alloc(&m->memory, n * sizeof *m->bodies);
    m->parameters = arena_alloc(&m->memory, (40 * n + 8) * sizeof *m->parameters);
    m->points = arena_alloc(&m->memory, 2 * n * sizeof *m->points);
    m->springs = arena_alloc(&m->memory, n * sizeof *m->springs);
    vector(m, "gravity", "g", t->gravity, m->gravity);
    for (int i = 0; i < t->body_count; i++)
        set_body(m, &t->body[i], &m->bodies[i]);
    for (int i = 0; loads && i < t->spring_count; i++)
        set_spring(m, t, &t->spring[i]);
    for (int i = 0; loads && i < t->torque_count; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.17g", t->torque[i].value);
        m->bodies[t->torque[i].body].load.text = copy(m, text);
    }
}
