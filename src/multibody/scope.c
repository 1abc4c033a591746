// scope.c - names to nodes, made when they are asked for.
#include "multibody/scope.h"

#include "base/assert.h"
#include "multibody/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLE_DEPTH_MAX = 16 }; // formulas read inside each other; the stack is finite

typedef struct spring_node {
    bool made;
    mb_span span;
    expr_id length, rate;
    expr_id *by; // dL/dv of each velocity of the span
} spring_node;

struct mb_scope {
    const mb_links *links;
    mb_frames *frames;
    expr_id time;
    const expr_id *states, *inputs;
    const mb_rows *rows; // NULL: loads have no names yet
    const expr_id *loads;
    spring_node *springs;
    enum { UNTOUCHED, BUSY, DONE } * touched; // of variables
    expr_value *variables;
    int depth;       // variables being read
    mc_error *error; // of the formula being read; for errors inside a name
    mc_status status;
    char (*names)[160]; // for "did you mean"
    int name_count;
};

expr_unit mb_unit(int length, int mass, int time)
{
    return (expr_unit){true, (int8_t)(6 * length), (int8_t)(6 * mass), (int8_t)(6 * time)};
}

// ---- list of names ---------------------------------------------------------------------------

static const char *const body_words[] = {"position", "velocity", "omega",
                                         "x_axis",   "y_axis",   "z_axis"};
enum { BODY_WORD_COUNT = sizeof body_words / sizeof body_words[0] };

static void add_name(mb_scope *c, const char *owner, const char *word)
{
    snprintf(c->names[c->name_count++], sizeof c->names[0], "%s%s%s", owner, *word ? "." : "",
             word);
}

static bool list_names(mb_scope *c)
{
    const mb_model *m = c->links->model;
    const int count = 1 + m->parameter_count + m->input_count + m->state_count + m->variable_count +
                      m->body_count * (BODY_WORD_COUNT + 13) + 2 * m->point_count +
                      2 * m->spring_count;
    c->names = calloc((size_t)count, sizeof *c->names);
    if (!c->names)
        return false;
    add_name(c, "t", "");
    for (int i = 0; i < m->parameter_count; i++)
        add_name(c, m->parameters[i].name, "");
    for (int i = 0; i < m->input_count; i++)
        add_name(c, m->inputs[i].name, "");
    for (int i = 0; i < m->state_count; i++)
        add_name(c, m->states[i].name, "");
    for (int i = 0; i < m->variable_count; i++)
        add_name(c, m->variables[i].name, "");
    char name[96];
    for (int i = 0; i < m->body_count; i++) {
        for (int k = 0; k < mb_coordinate_count(&m->bodies[i]); k++) {
            mb_coordinate_name(&m->bodies[i], k, name);
            add_name(c, name, "");
        }
        for (int k = 0; k < mb_velocity_count(&m->bodies[i]); k++) {
            mb_velocity_name(&m->bodies[i], k, name);
            add_name(c, name, "");
        }
        for (int k = 0; k < BODY_WORD_COUNT; k++)
            add_name(c, m->bodies[i].name, body_words[k]);
    }
    for (int i = 0; i < m->point_count; i++) {
        add_name(c, m->points[i].name, "position");
        add_name(c, m->points[i].name, "velocity");
    }
    for (int i = 0; i < m->spring_count; i++) {
        add_name(c, m->springs[i].name, "length");
        add_name(c, m->springs[i].name, "rate");
    }
    return true;
}

static const char *name_at(void *context, int i)
{
    const mb_scope *c = context;
    return i < c->name_count ? c->names[i] : NULL;
}

// ---- names to nodes --------------------------------------------------------------------------

static bool scalar(expr_id node, expr_unit unit, expr_value *out)
{
    *out = (expr_value){{node, EXPR_NONE, EXPR_NONE}, 1, unit};
    return true;
}

static bool vector(mb_vec a, expr_unit unit, expr_value *out)
{
    *out = (expr_value){{a.v[0], a.v[1], a.v[2]}, 3, unit};
    return true;
}

// A translation is a length, everything else of a joint an angle or a part of a quaternion.
static bool is_length(const mb_body *body, int k)
{
    switch (body->joint) {
    case MB_FREE:
        return k < 3;
    case MB_PRISM:
        return true;
    case MB_GENERAL: {
        int used = 0;
        for (int i = 0; i < 6; i++)
            if (body->free[i] && used++ == k)
                return i < 3;
        return false;
    }
    default:
        return false;
    }
}

static bool resolve_coordinate(mb_scope *c, const char *name, expr_value *out)
{
    const mb_model *m = c->links->model;
    char own[96];
    for (int i = 0; i < m->body_count; i++) {
        const mb_body *body = &m->bodies[i];
        const char *const owner = body->owner ? body->owner : body->name;
        const size_t length = strlen(owner);
        if (strncmp(name, owner, length) != 0 || name[length] != '.')
            continue;
        for (int k = 0; k < mb_coordinate_count(body); k++) {
            mb_coordinate_name(body, k, own);
            if (strcmp(own, name) == 0)
                return scalar(c->links->q[c->links->body_q[i] + k],
                              mb_unit(is_length(body, k), 0, 0), out);
        }
        for (int k = 0; k < mb_velocity_count(body); k++) {
            mb_velocity_name(body, k, own);
            if (strcmp(own, name) == 0)
                return scalar(c->links->v[c->links->body_v[i] + k],
                              mb_unit(is_length(body, k), 0, -1), out);
        }
    }
    return false;
}

static bool resolve_body(mb_scope *c, int body, const char *word, expr_value *out)
{
    static const expr_id origin[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    if (strcmp(word, "position") == 0)
        return vector(mb_frames_point(c->frames, body, origin), mb_unit(1, 0, 0), out);
    if (strcmp(word, "velocity") == 0)
        return vector(mb_frames_point_velocity(c->frames, body, origin), mb_unit(1, 0, -1), out);
    if (strcmp(word, "omega") == 0)
        return vector(mb_frames_body_spin(c->frames, body), mb_unit(0, 0, -1), out);
    for (int k = 0; k < 3; k++)
        if (strcmp(word, body_words[3 + k]) == 0) {
            const mb_mat R = mb_frames_body_turn(c->frames, body);
            return vector(mb_mat_column(&R, k), mb_unit(0, 0, 0), out);
        }
    return false;
}

static bool resolve_point(mb_scope *c, const mb_point *point, const char *word, expr_value *out)
{
    if (strcmp(word, "position") == 0)
        return vector(mb_frames_point(c->frames, point->body, point->at), mb_unit(1, 0, 0), out);
    if (strcmp(word, "velocity") == 0)
        return vector(mb_frames_point_velocity(c->frames, point->body, point->at),
                      mb_unit(1, 0, -1), out);
    return false;
}

static bool resolve_member(mb_scope *c, const char *name, expr_value *out)
{
    const mb_model *m = c->links->model;
    const char *dot = strrchr(name, '.');
    if (!dot)
        return false;
    const size_t length = (size_t)(dot - name);
#define OWNED_BY(owner) (strlen(owner) == length && strncmp(name, owner, length) == 0)
    for (int i = 0; i < m->body_count; i++)
        if (OWNED_BY(m->bodies[i].name) && resolve_body(c, i, dot + 1, out))
            return true;
    for (int i = 0; i < m->point_count; i++)
        if (OWNED_BY(m->points[i].name))
            return resolve_point(c, &m->points[i], dot + 1, out);
    for (int i = 0; i < m->spring_count; i++) {
        const bool is_rate = strcmp(dot + 1, "rate") == 0;
        if (!OWNED_BY(m->springs[i].name) || (!is_rate && strcmp(dot + 1, "length") != 0))
            continue;
        expr_id spring_length, rate;
        c->status = mb_scope_spring(c, i, &spring_length, &rate, NULL, NULL, c->error);
        return scalar(is_rate ? rate : spring_length, mb_unit(1, 0, is_rate ? -1 : 0), out);
    }
    for (int i = 0; c->rows && i < c->rows->load_count; i++)
        if (OWNED_BY(c->rows->load[i].owner) && strcmp(dot + 1, c->rows->load[i].word) == 0)
            return scalar(c->loads[i], c->rows->load[i].unit, out);
#undef OWNED_BY
    return false;
}

static expr_unit parameter_unit(const mb_parameter *p)
{
    expr_unit unit = {0};
    double factor;
    int bad;
    if (!*p->unit || !expr_unit_read(p->unit, (int)strlen(p->unit), &unit, &factor, &bad))
        unit.known = false;
    return unit;
}

static bool resolve(void *context, const char *name, expr_value *out)
{
    mb_scope *c = context;
    const mb_model *m = c->links->model;
    if (c->status != MC_OK) // a name before this one is wrong: that will be said
        return scalar(EXPR_ZERO, (expr_unit){0}, out);
    if (strcmp(name, "t") == 0)
        return scalar(c->time, mb_unit(0, 0, 1), out);
    for (int i = 0; i < m->parameter_count; i++)
        if (strcmp(m->parameters[i].name, name) == 0)
            return scalar(expr_input_node(c->links->graph, m->parameters[i].input),
                          parameter_unit(&m->parameters[i]), out);
    for (int i = 0; i < m->input_count; i++)
        if (strcmp(m->inputs[i].name, name) == 0)
            return scalar(c->inputs[i], m->inputs[i].unit, out);
    for (int i = 0; i < m->state_count; i++)
        if (strcmp(m->states[i].name, name) == 0)
            return scalar(c->states[i], m->states[i].unit, out);
    for (int i = 0; i < m->variable_count; i++)
        if (strcmp(m->variables[i].name, name) == 0) {
            c->status = mb_scope_variable(c, i, out, c->error);
            return true; // a failure is reported by mb_scope_formula
        }
    return resolve_coordinate(c, name, out) || resolve_member(c, name, out);
}

bool mb_scope_find(mb_scope *c, const char *name, expr_value *out)
{
    c->status = MC_OK;
    return resolve(c, name, out) && c->status == MC_OK;
}

// ---- formulas --------------------------------------------------------------------------------

mc_status mb_scope_formula(mb_scope *c, const mb_formula *formula, int want_size,
                           expr_unit want_unit, expr_value *out, mc_error *error)
{
    const expr_scope scope = {
        .graph = c->links->graph, .context = c, .resolve = resolve, .name_at = name_at};
    const expr_source source = {formula->text, c->links->model->file, formula->line,
                                formula->column};
    mc_error inner = {0};
    mc_error *before = c->error;
    c->error = &inner;
    c->status = MC_OK;
    mc_status status = expr_parse(&scope, &source, want_size, want_unit, out, error);
    if (c->status != MC_OK) { // a name it uses is itself wrong: that comes first
        status = c->status;
        if (error)
            *error = inner;
    }
    c->error = before;
    return status;
}

mc_status mb_scope_variable(mb_scope *c, int i, expr_value *out, mc_error *error)
{
    const mb_variable *variable = &c->links->model->variables[i];
    *out = (expr_value){{EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}, 1, {0}};
    if (c->touched[i] == BUSY)
        return mc_error_set(error, MC_BAD_INPUT, c->links->model->file, variable->value.line,
                            variable->value.column, "variable %s is defined in terms of itself",
                            variable->name);
    if (c->touched[i] == UNTOUCHED && c->depth == VARIABLE_DEPTH_MAX)
        return mc_error_set(error, MC_BAD_INPUT, c->links->model->file, variable->value.line,
                            variable->value.column,
                            "variable %s is reached through %d others that come before it; define "
                            "variables before they are used",
                            variable->name, VARIABLE_DEPTH_MAX);
    if (c->touched[i] == UNTOUCHED) {
        c->touched[i] = BUSY;
        c->depth++;
        const mc_status status =
            mb_scope_formula(c, &variable->value, 0, (expr_unit){0}, &c->variables[i], error);
        c->depth--;
        if (status != MC_OK)
            return status;
        c->touched[i] = DONE;
    }
    *out = c->variables[i];
    return MC_OK;
}

void mb_scope_loads(mb_scope *c, const mb_rows *rows, const expr_id *node)
{
    c->rows = rows;
    c->loads = node;
}

// L = |d|, L' = sum of (d . partial / L) v.
mc_status mb_scope_spring(mb_scope *c, int i, expr_id *length, expr_id *rate, const mb_span **span,
                          expr_id **by, mc_error *error)
{
    expr_graph *g = c->links->graph;
    const mb_model *m = c->links->model;
    spring_node *node = &c->springs[i];
    if (!node->made) {
        const mb_point *from = &m->points[m->springs[i].from], *to = &m->points[m->springs[i].to];
        if (!mb_frames_span(c->frames, from->body, from->at, to->body, to->at, &node->span))
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the springs");
        node->by = calloc((size_t)node->span.count + 1, sizeof *node->by);
        if (!node->by)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the springs");
        node->length = expr_sqrt(g, mb_vec_dot(g, node->span.d, node->span.d));
        node->rate = EXPR_ZERO;
        const expr_id inverse = expr_div(g, EXPR_ONE, node->length);
        for (int k = 0; k < node->span.count; k++) {
            node->by[k] = expr_mul(g, mb_vec_dot(g, node->span.partial[k], node->span.d), inverse);
            node->rate = expr_add(g, node->rate,
                                  expr_mul(g, node->by[k], c->links->v[node->span.velocity[k]]));
        }
        node->made = true;
    }
    *length = node->length;
    *rate = node->rate;
    if (span)
        *span = &node->span;
    if (by)
        *by = node->by;
    return MC_OK;
}

// ---- lifetime --------------------------------------------------------------------------------

mb_scope *mb_scope_create(const mb_links *links, mb_frames *frames, expr_id time,
                          const expr_id *states, const expr_id *inputs)
{
    mb_scope *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (mb_scope){
        .links = links, .frames = frames, .time = time, .states = states, .inputs = inputs};
    c->springs = calloc((size_t)links->model->spring_count + 1, sizeof *c->springs);
    c->touched = calloc((size_t)links->model->variable_count + 1, sizeof *c->touched);
    c->variables = calloc((size_t)links->model->variable_count + 1, sizeof *c->variables);
    if (!c->springs || !c->touched || !c->variables || !list_names(c)) {
        mb_scope_destroy(c);
        return NULL;
    }
    return c;
}

void mb_scope_destroy(mb_scope *c)
{
    if (!c)
        return;
    for (int i = 0; c->springs && i < c->links->model->spring_count; i++) {
        mb_span_free(&c->springs[i].span);
        free(c->springs[i].by);
    }
    free(c->springs);
    free(c->touched);
    free(c->variables);
    free(c->names);
    free(c);
}
