// driven.c - a mechanism with drives: names become rows beside those that it has.
#include "driven/driven.h"

#include "multibody/scope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the drives");
}

// ---- formulas ----------------------------------------------------------------------------------

mc_status driven_build(mc_driven *d, const expr_id *node, int count, driven_code *out,
                       mc_error *error)
{
    *out = (driven_code){0};
    out->program = expr_program_build(d->m->system.graph, node, NULL, count, error);
    out->machine = out->program ? expr_machine_create(out->program, error) : NULL;
    if (!out->machine)
        return error->code;
    out->kept = calloc((size_t)out->program->kept_count + 8, sizeof *out->kept);
    out->out = calloc((size_t)count + 8, sizeof *out->out);
    out->work = aligned_alloc(64, ((size_t)expr_machine_work(out->machine) / 8 + 2) * 64);
    if (!out->kept || !out->out || !out->work)
        return no_memory(error);
    expr_machine_prepare(out->machine, d->m->parameter, out->kept, out->work);
    return MC_OK;
}

void driven_run(mc_driven *d, driven_code *code)
{
    expr_machine_run(code->machine, d->x, code->kept, code->out, code->work);
}

void driven_code_free(driven_code *code)
{
    free(code->kept);
    free(code->out);
    free(code->work);
    expr_machine_destroy(code->machine);
    expr_program_destroy(code->program);
    *code = (driven_code){0};
}

// ---- further outputs ---------------------------------------------------------------------------

mc_status driven_find(const mc_driven *d, const char *name, mc_quantity *quantity, int *index,
                      mc_error *error)
{
    for (int k = 0; k < d->let_count; k++)
        if (strcmp(d->let[k].name, name) == 0) {
            *quantity = MC_QUANTITY_OUTPUT;
            *index = d->m->output_count + k;
            return MC_OK;
        }
    return mc_multibody_find(d->m, name, quantity, index, error);
}

expr_id driven_output(const mc_driven *d, int i)
{
    return i < d->m->output_count ? d->m->output_node[i] : d->let[i - d->m->output_count].node;
}

// Node of variable i.
static expr_id variable_node(const mc_driven *d, int i)
{
    const expr_graph *g = d->m->system.graph;
    for (int k = 0; k < expr_input_count(g); k++)
        if (expr_input_class(g, k) == EXPR_VARIABLE && i-- == 0)
            return expr_input_node(g, k);
    return EXPR_ZERO;
}

static mc_status read_let(mc_driven *d, mb_scope *scope, const char *text, mc_error *error)
{
    driven_let *let = &d->let[d->let_count];
    const char *equals = strchr(text, '='), *why = "";
    mc_quantity quantity;
    int index;
    if (!equals || equals == text || !equals[1])
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "found \"%.80s\", expected NAME=FORMULA", text);
    snprintf(let->name, sizeof let->name, "%.*s", (int)(equals - text), text);
    if ((size_t)(equals - text) >= sizeof let->name || !mb_name_valid(let->name, &why))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%.80s\" is not a name%s%s",
                            let->name, *why ? ": " : "", why);
    if (driven_find(d, let->name, &quantity, &index, error) == MC_OK)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s has a meaning already", let->name);
    const mb_formula formula = {.text = equals + 1};
    expr_value value;
    mc_error reason;
    if (mb_scope_formula(scope, &formula, 1, (expr_unit){0}, &value, &reason) != MC_OK)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s: %s", let->name, reason.text);
    let->node = value.v[0];
    expr_unit_short(value.unit, let->unit);
    d->let_count++;
    return MC_OK;
}

static mc_status read_lets(mc_driven *d, const mc_driven_options *o, mc_error *error)
{
    const mb_system *s = &d->m->system;
    if (o->let_count == 0)
        return MC_OK;
    d->let = arena_alloc(&d->memory, (size_t)o->let_count * sizeof *d->let);
    expr_id *states = arena_alloc(&d->memory, ((size_t)s->state_count + 1) * sizeof *states);
    expr_id *inputs = arena_alloc(&d->memory, ((size_t)s->input_count + 1) * sizeof *inputs);
    mb_frames *frames = mb_frames_create(&s->links);
    mb_scope *scope = NULL;
    if (d->let && states && inputs && frames) {
        for (int i = 0; i < s->state_count; i++)
            states[i] = variable_node(d, s->q_count + s->v_count + i);
        for (int i = 0; i < s->input_count; i++)
            inputs[i] = variable_node(d, mb_at_input(s) + i);
        scope = mb_scope_create(&s->links, frames, variable_node(d, mb_at_time(s)), states, inputs);
    }
    mc_status status = scope ? MC_OK : no_memory(error);
    for (int k = 0; k < o->let_count && status == MC_OK; k++)
        status = read_let(d, scope, o->let[k], error);
    mb_scope_destroy(scope);
    mb_frames_destroy(frames);
    return status;
}

// ---- names -------------------------------------------------------------------------------------

static driven_item *add_item(mc_driven *d, const char *name, int drive)
{
    if (d->item_count == d->item_room) {
        const int room = d->item_room ? 2 * d->item_room : 16;
        driven_item *more = realloc(d->item, (size_t)room * sizeof *more);
        if (!more)
            return NULL;
        d->item = more;
        d->item_room = room;
    }
    driven_item *item = &d->item[d->item_count++];
    *item = (driven_item){
        .drive = drive, .row = -1, .input = -1, .load = -1, .node = EXPR_NONE, .motion = EXPR_NONE};
    snprintf(item->name, sizeof item->name, "%s", name);
    return item;
}

// The body whose quaternion coordinate i is a part of; -1: none.
static int body_of_quaternion(const mc_multibody *m, int i)
{
    for (int b = 0; b < m->model.body_count; b++) {
        double none[1] = {0};
        const double *q = multibody_quaternion(m, none, b);
        const long first = q ? (long)(q - none) : 0;
        if (q && i >= first && i < first + 4)
            return b;
    }
    return -1;
}

static mc_status cannot(const char *word, const char *name, const char *why, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s cannot be %s: %s", name, word, why);
}

// The turn of a body from where it is: twice the vector part of conj(q0) q, whose rate at q0 is the
// angular velocity in the body's axes.
static mc_status add_rotation(mc_driven *d, int body, const double *y, mc_error *error)
{
    const mb_system *s = &d->m->system;
    expr_graph *g = s->graph;
    double copy[s->y_count + 1];
    memcpy(copy, y, (size_t)s->y_count * sizeof *y);
    const double *from = multibody_quaternion(d->m, copy, body);
    const expr_id *q = s->links.q + (from - copy);
    expr_id a[4];
    for (int k = 0; k < 4; k++)
        a[k] = expr_const(g, from[k]);
    for (int k = 0; k < 3; k++) {
        char name[128];
        const int i = 1 + (k + 1) % 3, j = 1 + (k + 2) % 3;
        snprintf(name, sizeof name, "%.100s.rotation_%c", d->m->model.bodies[body].name, "xyz"[k]);
        driven_item *item = add_item(d, name, -1);
        if (!item)
            return no_memory(error);
        const expr_id straight =
            expr_sub(g, expr_mul(g, a[0], q[1 + k]), expr_mul(g, a[1 + k], q[0]));
        const expr_id across = expr_sub(g, expr_mul(g, a[i], q[j]), expr_mul(g, a[j], q[i]));
        item->node = expr_mul(g, expr_const(g, 2.0), expr_sub(g, straight, across));
        snprintf(item->unit, sizeof item->unit, "rad");
    }
    return MC_OK;
}

static mc_status add_coordinate(mc_driven *d, const char *name, int i, int drive, const double *y,
                                mc_error *error)
{
    const int body = body_of_quaternion(d->m, i);
    if (body >= 0 && drive >= 0)
        return cannot("driven", name,
                      "it is a part of a quaternion; drive a variable that is computed from the "
                      "axes of the body",
                      error);
    if (body >= 0)
        return add_rotation(d, body, y, error);
    driven_item *item = add_item(d, name, drive);
    if (!item)
        return no_memory(error);
    item->node = d->m->system.links.q[i];
    item->named = true;
    item->quantity = MC_QUANTITY_COORDINATE;
    item->index = i;
    snprintf(item->unit, sizeof item->unit, "%s",
             mc_multibody_unit(d->m, MC_QUANTITY_COORDINATE, i));
    return MC_OK;
}

// All coordinates of a body's joint.
static mc_status add_body(mc_driven *d, int b, const double *y, mc_error *error)
{
    const mc_multibody *m = d->m;
    const mb_body *body = &m->model.bodies[b];
    mc_status status = MC_OK;
    bool turned = false;
    if (mb_coordinate_count(body) == 0)
        return cannot("held", body->name, "it has no motion of its own", error);
    for (int k = 0; k < mb_coordinate_count(body) && status == MC_OK; k++) {
        const int i = m->system.links.body_q[b] + k;
        const bool part = body_of_quaternion(m, i) >= 0;
        if (!part || !turned)
            status =
                add_coordinate(d, mc_multibody_name(m, MC_QUANTITY_COORDINATE, i), i, -1, y, error);
        turned = turned || part;
    }
    return status;
}

static mc_status add_output(mc_driven *d, const char *name, int i, int drive, mc_error *error)
{
    const mb_model *model = &d->m->model;
    const char *word = drive >= 0 ? "driven" : "held";
    const int spring = i - model->variable_count - 3;
    const bool computed = i >= model->variable_count && spring < 0;
    const bool force = spring >= 0 && spring < 2 * model->spring_count && spring % 2 == 1;
    const int loads = 2 * model->spring_count + 3 * model->point_count;
    if (computed || force || (spring >= loads && i < d->m->output_count))
        return cannot(word, name,
                      "it is an energy or a load; expected a coordinate, an input, a constraint, a "
                      "variable, the length of a spring or a coordinate of a point",
                      error);
    driven_item *item = add_item(d, name, drive);
    if (!item)
        return no_memory(error);
    item->node = driven_output(d, i);
    item->named = true;
    item->quantity = MC_QUANTITY_OUTPUT;
    item->index = i;
    snprintf(item->unit, sizeof item->unit, "%s",
             i < d->m->output_count ? d->m->output_unit[i] : d->let[i - d->m->output_count].unit);
    return MC_OK;
}

static mc_status add_input(mc_driven *d, const char *name, int i, int drive, mc_error *error)
{
    if (drive < 0)
        return cannot("held", name, "it is an input, which stays as it is set", error);
    driven_item *item = add_item(d, name, drive);
    if (!item)
        return no_memory(error);
    item->what = DRIVEN_INPUT;
    item->input = i;
    expr_unit_short(d->m->model.inputs[i].unit, item->unit);
    return MC_OK;
}

// True: it is a constraint of the file; *status says whether it can be driven.
static bool add_constraint(mc_driven *d, const char *name, int drive, mc_status *status,
                           mc_error *error)
{
    const mb_rows *rows = &d->m->system.rows;
    for (int r = 0; r < rows->count; r++) {
        if (rows->row[r].closing >= 0 || strcmp(rows->row[r].owner, name) != 0)
            continue;
        char load[160];
        mc_quantity quantity;
        *status = MC_OK;
        if (drive < 0)
            *status = cannot("held", name, "it is a constraint, which holds already", error);
        else if (rows->row[r].e == EXPR_NONE)
            *status = cannot("driven", name, "it is a constraint of velocities", error);
        driven_item *item = *status == MC_OK ? add_item(d, name, drive) : NULL;
        if (item) {
            item->what = DRIVEN_CONSTRAINT;
            item->row = r;
            snprintf(load, sizeof load, "%s.load", name);
            if (mc_multibody_find(d->m, load, &quantity, &item->load, NULL) != MC_OK)
                item->load = -1;
        } else if (*status == MC_OK) {
            *status = no_memory(error);
        }
        return true;
    }
    return false;
}

static mc_status add_name(mc_driven *d, const char *name, int drive, const double *y,
                          mc_error *error)
{
    const char *word = drive >= 0 ? "driven" : "held";
    mc_quantity quantity;
    int i;
    mc_status status;
    if (add_constraint(d, name, drive, &status, error))
        return status;
    for (int b = 0; drive < 0 && b < d->m->model.body_count; b++)
        if (strcmp(d->m->model.bodies[b].name, name) == 0)
            return add_body(d, b, y, error);
    status = driven_find(d, name, &quantity, &i, error);
    if (status != MC_OK)
        return status;
    switch (quantity) {
    case MC_QUANTITY_COORDINATE:
        return add_coordinate(d, name, i, drive, y, error);
    case MC_QUANTITY_OUTPUT:
        return add_output(d, name, i, drive, error);
    case MC_QUANTITY_INPUT:
        return add_input(d, name, i, drive, error);
    case MC_QUANTITY_PARAMETER:
        return cannot(word, name, "it is a parameter; sweep it with --set", error);
    default:
        return cannot(word, name, "it is a velocity or a state; expected a position", error);
    }
}

// ---- motions -----------------------------------------------------------------------------------

static bool resolve(void *context, const char *name, expr_value *out)
{
    const mc_driven *d = context;
    const mb_model *model = &d->m->model;
    const mb_system *s = &d->m->system;
    if (strcmp(name, "t") == 0) {
        const int input = d->m->code[MULTIBODY_RATE].program->variable[mb_at_time(s)];
        *out = (expr_value){{expr_input_node(s->graph, input), EXPR_NONE, EXPR_NONE},
                            1,
                            {.known = true, .time = 6}};
        return true;
    }
    for (int i = 0; i < model->parameter_count; i++)
        if (strcmp(model->parameters[i].name, name) == 0) {
            *out = (expr_value){
                {expr_input_node(s->graph, model->parameters[i].input), EXPR_NONE, EXPR_NONE},
                1,
                {0}};
            return true;
        }
    return false;
}

static const char *name_at(void *context, int i)
{
    const mb_model *model = &((const mc_driven *)context)->m->model;
    return i == 0 ? "t" : i <= model->parameter_count ? model->parameters[i - 1].name : NULL;
}

static mc_status read_motion(mc_driven *d, driven_item *item, const char *text, mc_error *error)
{
    const expr_scope scope = {
        .graph = d->m->system.graph, .context = d, .resolve = resolve, .name_at = name_at};
    const expr_source source = {.text = text};
    expr_value value;
    if (item->what != DRIVEN_ROW)
        return cannot("given a motion", item->name,
                      "expected a coordinate, a variable, the length of a spring or a coordinate "
                      "of a point",
                      error);
    mc_error reason;
    if (expr_parse(&scope, &source, 1, (expr_unit){0}, &value, &reason) != MC_OK)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "motion of %s: %s", item->name,
                            reason.text);
    item->motion = value.v[0];
    d->timed = true;
    return MC_OK;
}

// ---- rows --------------------------------------------------------------------------------------

static int variable_count(const expr_graph *g)
{
    int count = 0;
    for (int i = 0; i < expr_input_count(g); i++)
        count += expr_input_class(g, i) == EXPR_VARIABLE;
    return count;
}

// New variables: a target and a speed of each item, then a rate for each variable that the
// mechanism itself has, without forces.
static void add_variables(mc_driven *d)
{
    const mb_system *s = &d->m->system;
    expr_graph *g = s->graph;
    d->at_target = variable_count(g);
    d->at_speed = d->at_target + d->item_count;
    d->at_along = d->at_speed + d->item_count;
    d->x_count = d->at_along + s->q_count + s->v_count + 1 + s->input_count;
    for (int i = d->at_target; i < d->x_count; i++)
        expr_input(g, "drive", EXPR_VARIABLE);
}

// Everything moves: coordinates by their velocities, targets by their speeds, time when drives
// follow it.
static expr_direction *make_direction(const mc_driven *d)
{
    const mb_system *s = &d->m->system;
    expr_id *seed = calloc((size_t)expr_input_count(s->graph) + 1, sizeof *seed);
    if (!seed)
        return NULL;
    for (int i = 0; i < s->q_count; i++)
        seed[s->links.q_input[i]] = s->rate[i];
    for (int i = 0; i < d->item_count; i++) {
        seed[expr_node_input(s->graph, variable_node(d, d->at_target + i))] =
            variable_node(d, d->at_speed + i);
        if (d->item[i].what == DRIVEN_INPUT)
            seed[expr_node_input(s->graph, variable_node(d, mb_at_input(s) + d->item[i].input))] =
                variable_node(d, d->at_speed + i);
    }
    if (d->timed)
        seed[expr_node_input(s->graph, variable_node(d, mb_at_time(s)))] = EXPR_ONE;
    expr_direction *direction = expr_direction_create(s->graph, seed);
    free(seed);
    return direction;
}

static mc_status check_position(const mc_driven *d, const driven_item *item, mc_error *error)
{
    const mb_links *links = &d->m->system.links;
    const char *word = item->drive >= 0 ? "driven" : "held";
    expr_id *by = calloc((size_t)links->v_count + 1, sizeof *by);
    mc_status status =
        by ? expr_jacobian(links->graph, &item->node, 1, links->v_input, links->v_count, by, error)
           : no_memory(error);
    for (int k = 0; status == MC_OK && k < links->v_count; k++)
        if (by[k] != EXPR_ZERO)
            status =
                cannot(word, item->name, "it depends on velocities; expected a position", error);
    free(by);
    return status;
}

static mc_status make_item_row(mc_driven *d, int i, expr_direction *direction, mc_error *error)
{
    driven_item *item = &d->item[i];
    expr_graph *g = d->m->system.graph;
    const expr_id offset = variable_node(d, d->at_target + i);
    const expr_id target = item->motion != EXPR_NONE ? expr_add(g, item->motion, offset) : offset;
    if (item->what == DRIVEN_INPUT)
        return MC_OK;
    if (item->what == DRIVEN_CONSTRAINT) { // entries stay
        mb_row *row = &d->rows.row[item->row];
        row->e = row->gap = expr_sub(g, row->e, target);
        row->rate = expr_sub(g, row->rate, variable_node(d, d->at_speed + i));
        return MC_OK;
    }
    const mc_status status = check_position(d, item, error);
    if (status != MC_OK)
        return status;
    item->row = d->rows.count;
    mb_row *row = &d->rows.row[d->rows.count++];
    *row = (mb_row){.owner = item->name, .closing = -1, .e = expr_sub(g, item->node, target)};
    row->gap = row->e;
    row->rate = expr_along(direction, row->e);
    row->length = strcmp(item->unit, "m") == 0;
    if (row->rate == EXPR_NONE ||
        !mb_row_entries(&d->m->system.links, direction, &d->rows.memory, row, error))
        return no_memory(error);
    return row->count > 0 ? MC_OK
                          : cannot(item->drive >= 0 ? "driven" : "held", item->name,
                                   "it does not depend on a coordinate", error);
}

// The mechanism's own rows, as they move along with the drives: in quasi-static motion time stands
// still.
static mc_status copy_rows(mc_driven *d, expr_direction *direction, mc_error *error)
{
    const mb_rows *own = &d->m->system.rows;
    d->rows.row = calloc((size_t)(own->count + d->item_count) + 1, sizeof *d->rows.row);
    if (!d->rows.row)
        return no_memory(error);
    for (int r = 0; r < own->count; r++) {
        mb_row *row = &d->rows.row[r];
        *row = own->row[r];
        if (row->e == EXPR_NONE)
            return mc_error_set(error, MC_BAD_INPUT, d->m->model.file, row->line, 0,
                                "%s ties velocities, not positions: where it leads depends on the "
                                "way; simulate it instead",
                                row->owner);
        if (!d->timed)
            row->rate = expr_along(direction, row->e);
        if (row->rate == EXPR_NONE)
            return no_memory(error);
    }
    d->rows.count = d->own_count = own->count;
    return MC_OK;
}

static mc_status build_lets(mc_driven *d, mc_error *error)
{
    if (d->let_count == 0)
        return MC_OK;
    expr_id *node = calloc((size_t)d->let_count, sizeof *node);
    if (!node)
        return no_memory(error);
    for (int k = 0; k < d->let_count; k++)
        node[k] = d->let[k].node;
    const mc_status status = driven_build(d, node, d->let_count, &d->lets, error);
    free(node);
    return status;
}

static mc_status make_rows(mc_driven *d, mc_error *error)
{
    expr_direction *direction = make_direction(d);
    mc_status status = direction ? copy_rows(d, direction, error) : no_memory(error);
    for (int i = 0; i < d->item_count && status == MC_OK; i++)
        status = make_item_row(d, i, direction, error);
    expr_direction_destroy(direction);
    if (status == MC_OK)
        status = expr_graph_status(d->m->system.graph, error);
    if (status == MC_OK)
        status = build_lets(d, error);
    if (status != MC_OK || !d->timed)
        return status;
    expr_id *bias = calloc((size_t)d->item_count + 1, sizeof *bias);
    if (!bias)
        return no_memory(error);
    for (int i = 0; i < d->item_count; i++)
        bias[i] = d->rows.row[d->item[i].row].bias;
    status = driven_build(d, bias, d->item_count, &d->bias, error);
    free(bias);
    return status;
}

// ---- the start ---------------------------------------------------------------------------------

static mc_status make_room(mc_driven *d, mc_error *error)
{
    const mb_system *s = &d->m->system;
    const size_t n = (size_t)s->v_count + 1, items = (size_t)d->item_count + 1;
    const struct {
        double **place;
        size_t count;
    } all[] = {{&d->x, (size_t)d->x_count + 8},
               {&d->A, ((size_t)d->rows.count + 1) * n},
               {&d->Z, n * n},
               {&d->mu, items},
               {&d->tau, n},
               {&d->vdot, n},
               {&d->along, n},
               {&d->push, items * n},
               {&d->outputs, (size_t)(d->m->output_count + d->let_count) + 8}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (!(*all[k].place = arena_alloc(&d->memory, all[k].count * sizeof(double))))
            return no_memory(error);
    return MC_OK;
}

// Targets as the position is: nothing has to move yet.
static void set_targets(mc_driven *d)
{
    const mb_system *s = &d->m->system;
    for (int i = 0; i < d->item_count; i++)
        if (d->item[i].what == DRIVEN_INPUT)
            d->x[d->at_target + i] = d->x[mb_at_input(s) + d->item[i].input];
    driven_code values = {0};
    expr_graph *g = s->graph;
    expr_id *node = calloc((size_t)d->item_count + 1, sizeof *node);
    mc_error unused;
    for (int i = 0; node && i < d->item_count; i++)
        node[i] = d->item[i].what != DRIVEN_ROW    ? EXPR_ZERO
                  : d->item[i].motion != EXPR_NONE ? expr_sub(g, d->item[i].node, d->item[i].motion)
                                                   : d->item[i].node;
    if (node && driven_build(d, node, d->item_count, &values, &unused) == MC_OK) {
        driven_run(d, &values);
        for (int i = 0; i < d->item_count; i++)
            if (d->item[i].what == DRIVEN_ROW)
                d->x[d->at_target + i] = values.out[i];
    }
    driven_code_free(&values);
    free(node);
}

static mc_status check_redundant(mc_driven *d, mc_error *error)
{
    const int row = driven_directions(d, d->x);
    for (int i = 0; row >= d->own_count && i < d->item_count; i++)
        if (d->item[i].row == row)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s cannot be %s: it follows from the joints and from what is "
                                "driven or held before it",
                                d->item[i].name, d->item[i].drive >= 0 ? "driven" : "held");
    return MC_OK;
}

static mc_status read_items(mc_driven *d, const double *y, const mc_driven_options *o,
                            mc_error *error)
{
    mc_status status = MC_OK;
    if (o->drive_count < 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "nothing is driven");
    d->from = arena_alloc(&d->memory, (size_t)o->drive_count * sizeof *d->from);
    d->to = arena_alloc(&d->memory, (size_t)o->drive_count * sizeof *d->to);
    if (!d->from || !d->to)
        return no_memory(error);
    for (int k = 0; k < o->drive_count && status == MC_OK; k++) {
        const mc_drive *drive = &o->drives[k];
        d->from[k] = drive->from;
        d->to[k] = drive->to;
        status = add_name(d, drive->name, k, y, error);
        if (status == MC_OK && drive->motion)
            status = read_motion(d, &d->item[k], drive->motion, error);
        if (status == MC_OK && !drive->motion && (drive->from == drive->to || d->timed))
            status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                  d->timed ? "%s has no motion; hold it to keep it in place"
                                           : "%s is driven from a value to the same; hold it to "
                                             "keep it in place",
                                  drive->name);
    }
    d->drive_count = o->drive_count;
    for (int k = 0; k < o->hold_count && status == MC_OK; k++)
        status = add_name(d, o->hold[k], -1, y, error);
    return status;
}

static mc_status create(mc_driven *d, double *y, const mc_driven_options *o, mc_error *error)
{
    mc_multibody *m = d->m;
    mc_status status = mc_multibody_check(m, error);
    if (status == MC_OK && m->system.switch_count > 0)
        status =
            mc_error_set(error, MC_BAD_INPUT, m->model.file, 0, 0,
                         "%s has joints or constraints with conditions, which cannot be driven "
                         "yet; remove on_when and off_when",
                         m->info.name);
    if (status == MC_OK)
        status = mc_multibody_assemble(m, 0.0, y, error);
    memset(y + m->info.q_count, 0, (size_t)m->info.v_count * sizeof *y);
    if (status == MC_OK)
        status = read_lets(d, o, error);
    if (status == MC_OK)
        status = read_items(d, y, o, error);
    if (status != MC_OK)
        return status;
    add_variables(d);
    status = make_rows(d, error);
    if (status == MC_OK)
        status = make_room(d, error);
    if (status == MC_OK)
        d->assembly = mb_assembly_create(&m->system, &d->rows, error);
    if (status != MC_OK || !d->assembly)
        return status == MC_OK ? error->code : status;
    mb_assembly_prepare(d->assembly, m->parameter);
    mb_assembly_release(d->assembly);
    multibody_set_state(m, 0.0, y);
    memcpy(d->x, m->x, (size_t)m->system.variable_count * sizeof *d->x);
    set_targets(d);
    return check_redundant(d, error);
}

mc_driven *mc_driven_create(mc_multibody *m, const double *y, const mc_driven_options *options,
                            mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    mc_driven *d = calloc(1, sizeof *d);
    double *start = malloc(((size_t)m->info.y_count + 1) * sizeof *start);
    mc_status status = d && start ? MC_OK : no_memory(error);
    if (status == MC_OK) {
        d->m = m;
        d->geometry = options->geometry;
        memcpy(start, y, (size_t)m->info.y_count * sizeof *start);
        status = create(d, start, options, error);
    }
    free(start);
    if (status == MC_OK)
        return d;
    mc_driven_free(d);
    return NULL;
}

void mc_driven_free(mc_driven *d)
{
    if (!d)
        return;
    driven_code_free(&d->bias);
    driven_code_free(&d->rates);
    driven_code_free(&d->lets);
    mb_assembly_destroy(d->assembly);
    mb_rows_free(&d->rows);
    free(d->item);
    arena_free(&d->memory);
    free(d);
}

int mc_driven_free_count(const mc_driven *d)
{
    return d->free_count;
}

// ---- words -------------------------------------------------------------------------------------

// One end of a path. `text` ends at `end`.
static mc_status read_end(const mc_multibody *m, const char *name, const char *text,
                          const char *end, double *value, mc_error *error)
{
    char word[64];
    mc_quantity quantity;
    int i;
    if (end - text >= (long)sizeof word || end == text)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%.80s: expected NAME=FROM:TO:N with two numbers and a count of rows",
                            name);
    snprintf(word, sizeof word, "%.*s", (int)(end - text), text);
    if (mc_multibody_find(m, name, &quantity, &i, error) == MC_OK)
        return multibody_read_value(m, quantity, i, name, word, value, error);
    const expr_source source = {.text = word}; // constraints and further outputs: any unit
    bool is_number;
    if (expr_parse_number(&source, (expr_unit){0}, value, &is_number, error) != MC_OK)
        return error->code;
    return is_number && isfinite(*value)
               ? MC_OK
               : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%.80s=%.60s: expected a number",
                              name, word);
}

mc_status mc_drive_read(const mc_multibody *m, const char *text, char name[128], mc_drive *out,
                        int *rows, mc_error *error)
{
    const char *equals = strchr(text, '=');
    const char *first = equals ? strchr(equals, ':') : NULL;
    if (!first || equals == text || equals - text >= 128)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "found \"%.80s\", expected NAME=FROM:TO:N, for example "
                            "crank.angle=0:90deg:19",
                            text);
    const char *second = strchr(first + 1, ':');
    snprintf(name, 128, "%.*s", (int)(equals - text), text);
    *out = (mc_drive){.name = name};
    *rows = 0;
    mc_status status = read_end(m, name, equals + 1, first, &out->from, error);
    if (status == MC_OK)
        status =
            read_end(m, name, first + 1, second ? second : text + strlen(text), &out->to, error);
    if (status == MC_OK && out->from == out->to)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is driven from %g to the same value; hold it to keep it in place",
                            name, out->from);
    if (status != MC_OK || !second)
        return status;
    char *end;
    const long count = strtol(second + 1, &end, 10);
    if (*end || end == second + 1 || count < 2 || count > 1000000)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s: found \"%.40s\" rows, expected a whole number from 2 to 1000000",
                            name, second + 1);
    *rows = (int)count;
    return MC_OK;
}
