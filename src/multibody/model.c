// model.c - names, counts and numbers of a mechanism.
#include "multibody/model.h"

#include "base/assert.h"
#include "expr/function.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const mb_joint_names[MB_JOINT_COUNT] = {
    [MB_FREE] = "free",   [MB_FIXED] = "fixed", [MB_HINGE] = "hinge",
    [MB_PRISM] = "prism", [MB_BALL] = "ball",   [MB_GENERAL] = "general",
};

void mb_model_free(mb_model *model)
{
    expr_graph_destroy(model->graph);
    expr_graph_destroy(model->looks);
    arena_free(&model->memory);
    *model = (mb_model){0};
}

// ---- coordinates and velocities ----

static int general_count(const mb_body *body)
{
    int count = 0;
    for (int i = 0; i < 6; i++)
        count += body->free[i];
    return count;
}

int mb_coordinate_count(const mb_body *body)
{
    switch (body->joint) {
    case MB_FREE:
        return body->euler ? 6 : 7;
    case MB_HINGE:
    case MB_PRISM:
        return 1;
    case MB_BALL:
        return 4;
    case MB_GENERAL:
        return general_count(body);
    default:
        return 0;
    }
}

int mb_velocity_count(const mb_body *body)
{
    switch (body->joint) {
    case MB_FREE:
        return 6;
    case MB_BALL:
        return 3;
    default:
        return mb_coordinate_count(body);
    }
}

// Part i of tx ty tz and the three angles of the sequence; a repeated axis gets "2".
static void part_name(const mb_body *body, int i, char out[8])
{
    if (i < 3) {
        snprintf(out, 8, "t%c", "xyz"[i]);
        return;
    }
    const int axis = body->sequence[i - 3];
    bool again = false;
    for (int k = 0; k < i - 3; k++)
        again = again || body->sequence[k] == axis;
    snprintf(out, 8, "r%c%s", "xyz"[axis], again ? "2" : "");
}

// The part of a general hinge that is its coordinate k.
static int general_part(const mb_body *body, int k)
{
    for (int i = 0; i < 6; i++)
        if (body->free[i] && k-- == 0)
            return i;
    mc_assert(false);
    return 0;
}

void mb_coordinate_name(const mb_body *body, int k, char out[96])
{
    static const char *const place[] = {"x", "y", "z"};
    static const char *const quaternion[] = {"qw", "qx", "qy", "qz"};
    char part[8];
    const char *name = part;
    mc_assert(k >= 0 && k < mb_coordinate_count(body));
    if (body->joint == MB_HINGE)
        name = "angle";
    else if (body->joint == MB_PRISM)
        name = "travel";
    else if (body->joint == MB_BALL)
        name = quaternion[k];
    else if (body->joint == MB_GENERAL)
        part_name(body, general_part(body, k), part);
    else if (k < 3)
        name = place[k];
    else if (body->euler)
        part_name(body, k, part);
    else
        name = quaternion[k - 3];
    snprintf(out, 96, "%s.%s", body->owner ? body->owner : body->name, name);
}

void mb_velocity_name(const mb_body *body, int k, char out[96])
{
    static const char *const velocity[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    mc_assert(k >= 0 && k < mb_velocity_count(body));
    if (body->joint == MB_FREE || body->joint == MB_BALL) {
        snprintf(out, 96, "%s.%s", body->owner ? body->owner : body->name,
                 velocity[k + (body->joint == MB_BALL ? 3 : 0)]);
        return;
    }
    char name[96];
    mb_coordinate_name(body, k, name);
    snprintf(out, 96, "%.90s_rate", name);
}

// ---- names and numbers ----

bool mb_name_valid(const char *word, const char **why)
{
    static const char *const own[] = {"ground", "world", "gravity", "t", "time"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *unused;
    why = why ? why : &unused;
    const size_t good = strspn(word, letters);
    *why = "dots separate a body from its parts";
    if (good > 0 && word[good] == '.')
        return false;
    *why = "a name has letters, digits and \"_\", and does not begin with a digit";
    if (good == 0 || word[good] != '\0' || (word[0] >= '0' && word[0] <= '9'))
        return false;
    *why = "it is a reserved word";
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(word, own[i]) == 0)
            return false;
    return expr_name_valid(word, why);
}

void mb_model_values(const mb_model *model, double *value)
{
    const expr_graph *g = model->graph;
    for (int i = 0; i < expr_input_count(g); i++)
        value[expr_input_node(g, i)] = NAN;
    for (int i = 0; i < model->parameter_count; i++)
        value[expr_input_node(g, model->parameters[i].input)] = model->parameters[i].value;
    for (uint32_t i = 0; i < expr_node_count(g); i++) // children come first
        if (expr_node_at(g, i)->op != EXPR_INPUT)
            value[i] = expr_node_value(expr_node_at(g, i), value);
}

double mb_model_value(const mb_model *model, const expr_graph *graph, expr_id id)
{
    expr_node node = *expr_node_at(graph, id);
    if (node.op == EXPR_INPUT) {
        for (int i = 0; i < model->parameter_count; i++)
            if (expr_input_node(graph, model->parameters[i].input) == id)
                return model->parameters[i].value;
        return NAN;
    }
    double value[3] = {0.0, 0.0, 0.0};
    expr_id *const children[3] = {&node.a, &node.b, &node.c};
    for (int k = 0; k < 3 && node.op != EXPR_CONST; k++)
        if (*children[k] != EXPR_NONE) {
            value[k] = mb_model_value(model, graph, *children[k]);
            *children[k] = (expr_id)k;
        }
    return expr_node_value(&node, value);
}

mb_switch *mb_switch_at(const mb_model *model, int i, const char **owner, int *line)
{
    for (int k = 0; k < model->closing_count + model->constraint_count; k++) {
        const bool joint = k < model->closing_count;
        mb_closing *closing = joint ? &model->closings[k] : NULL;
        mb_constraint *constraint = joint ? NULL : &model->constraints[k - model->closing_count];
        mb_switch *change = joint ? &closing->change : &constraint->change;
        if ((!change->on_when.text && !change->off_when.text) || i-- > 0)
            continue;
        if (owner)
            *owner = joint ? closing->name : constraint->name;
        if (line)
            *line = joint ? closing->line : constraint->line;
        return change;
    }
    return NULL;
}
