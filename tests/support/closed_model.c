// closed_model.c - nodes of a model to numbers.
#include "support/closed_model.h"

#include "expr/interpret.h"
#include "mechanism/mechanism.h"
#include "multibody/closing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct numbers { // nodes in the order in which they are asked for, then their values
    expr_id *node;
    double *value;
    int count, next;
    bool known;
} numbers;

// The first pass notes the node, the second gives its value.
static double number(numbers *n, expr_id node)
{
    if (n->known)
        return n->value[n->next++];
    n->node[n->count++] = node;
    return 0.0;
}

static void vector(numbers *n, const expr_id *node, int count, double *out)
{
    for (int i = 0; i < count; i++)
        out[i] = number(n, node[i]);
}

static void quaternion_of(const double r[9], double q[4])
{
    const double trace = r[0] + r[4] + r[8];
    q[0] = 0.5 * sqrt(fmax(0.0, 1.0 + trace));
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double size = 0.5 * sqrt(fmax(0.0, 1.0 + 2.0 * r[4 * i] - trace));
        q[1 + i] = copysign(size, r[3 * k + j] - r[3 * j + k]);
    }
}

static bool take_body(numbers *n, const mb_body *from, tree_body *to)
{
    static const tree_joint joint[MB_JOINT_COUNT] = {[MB_FREE] = TREE_FREE,
                                                     [MB_FIXED] = TREE_FIXED,
                                                     [MB_HINGE] = TREE_HINGE,
                                                     [MB_PRISM] = TREE_PRISM,
                                                     [MB_BALL] = TREE_BALL};
    double turn[9];
    snprintf(to->name, sizeof to->name, "%s", from->name);
    to->parent = from->inboard;
    to->joint = joint[from->joint];
    vector(n, from->at, 3, to->p);
    vector(n, from->turn, 9, turn);
    quaternion_of(turn, to->r0);
    memcpy(to->axis, from->axis, sizeof to->axis);
    to->mass = number(n, from->mass);
    vector(n, from->com, 3, to->com);
    vector(n, from->inertia, 6, to->inertia);
    to->axisymmetric = from->axisymmetric < 0 ? 0 : "xyz"[from->axisymmetric];
    return from->joint != MB_GENERAL && !from->euler && !from->quasi_velocity;
}

static void take_mount(numbers *n, const mb_mount *from, int *body, double at[3], double axis[3])
{
    double turn[9];
    *body = from->body;
    vector(n, from->at, 3, at);
    vector(n, from->turn, 9, turn);
    for (int i = 0; i < 3; i++)
        axis[i] = turn[3 * i] * from->axis[0] + turn[3 * i + 1] * from->axis[1] +
                  turn[3 * i + 2] * from->axis[2];
}

static bool take_closing(numbers *n, const mb_closing *from, closed_joint *to)
{
    int kind = 0;
    while (kind < CLOSED_KINDS && strcmp(from->kind->is.name, closed_kind_name((closed_kind)kind)))
        kind++;
    to->kind = (closed_kind)kind;
    take_mount(n, &from->from, &to->from, to->at, to->axis);
    take_mount(n, &from->to, &to->to, to->to_at, to->to_axis);
    to->value = number(n, from->value[0]);
    return kind < CLOSED_CONSTANT_VELOCITY;
}

static bool pass(const mc_multibody *m, numbers *n, closed *out)
{
    const mb_model *model = &m->model;
    memset(out, 0, sizeof *out);
    snprintf(out->tree.name, sizeof out->tree.name, "%.31s", model->name);
    vector(n, model->gravity, 3, out->tree.gravity);
    bool good = model->body_count <= TREE_BODY_MAX && model->closing_count <= CLOSED_JOINT_MAX;
    for (int i = 0; good && i < model->body_count; i++)
        good = take_body(n, &model->bodies[i], &out->tree.body[out->tree.body_count++]);
    for (int i = 0; good && i < model->closing_count; i++)
        good = take_closing(n, &model->closings[i], &out->joint[out->joint_count++]);
    return good && model->constraint_count == 0;
}

bool closed_of_model(const mc_multibody *m, closed *out)
{
    enum { NUMBERS_MAX = 64 * (TREE_BODY_MAX + CLOSED_JOINT_MAX) };
    numbers n = {.node = calloc(NUMBERS_MAX, sizeof *n.node)};
    mc_error error = {0};
    if (!n.node || !pass(m, &n, out)) {
        free(n.node);
        return false;
    }
    expr_program *p = expr_program_build(m->system.graph, n.node, NULL, n.count, &error);
    expr_machine *machine = p ? expr_machine_create(p, &error) : NULL;
    double *kept = p ? calloc((size_t)p->kept_count + 8, sizeof *kept) : NULL;
    double *work =
        machine ? aligned_alloc(64, ((size_t)expr_machine_work(machine) / 8 + 2) * 64) : NULL;
    n.value = calloc((size_t)n.count + 8, sizeof *n.value);
    bool good = kept && work && n.value;
    if (good) {
        expr_machine_prepare(machine, m->parameter, kept, work);
        expr_machine_run(machine, m->x, kept, n.value, work);
        n.known = true;
        good = pass(m, &n, out);
    }
    if (machine)
        expr_machine_destroy(machine);
    if (p)
        expr_program_destroy(p);
    free(kept);
    free(work);
    free(n.value);
    free(n.node);
    return good;
}
