// mechanism.c - a mechanism in memory: read, derived, made programs, run.
#include "mechanism/mechanism.h"

#include "base/assert.h"
#include "base/file.h"
#include "base/text.h"
#include "expr/differentiate.h"
#include "io/yaml.h"
#include "multibody/closing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double *doubles(mc_multibody *m, int count)
{
    return arena_alloc(&m->memory, ((size_t)count + 8) * sizeof(double)); // aligned to 64
}

const char *const multibody_contact_words[3] = {"normal", "along", "across"};

// ---- outputs ---------------------------------------------------------------------------------

static void name_output(mc_multibody *m, expr_id *nodes, expr_id node, const char *owner,
                        const char *word, const char *unit)
{
    const int i = m->output_count++;
    snprintf(m->output_name[i], sizeof m->output_name[i], "%s%s%s", owner, *word ? "." : "", word);
    m->output_unit[i] = unit;
    nodes[i] = node;
}

static const char *unit_text(mc_multibody *m, expr_unit unit)
{
    char text[48];
    expr_unit_short(unit, text);
    const char *copy = arena_copy_text(&m->memory, text, strlen(text));
    return copy ? copy : "";
}

static bool list_outputs(mc_multibody *m)
{
    const mb_model *model = &m->model;
    const mb_system *s = &m->system;
    const int count = model->variable_count + 3 + 2 * model->spring_count + 3 * model->point_count +
                      3 * (model->wheel_count + model->contact_count) + s->rows.load_count +
                      6 * model->load_count;
    expr_id *nodes = arena_alloc(&m->memory, ((size_t)count + 1) * sizeof *nodes);
    m->output_node = nodes;
    m->output_name = arena_alloc(&m->memory, ((size_t)count + 1) * sizeof *m->output_name);
    m->output_unit = arena_alloc(&m->memory, ((size_t)count + 1) * sizeof *m->output_unit);
    if (!nodes || !m->output_name || !m->output_unit)
        return false;
    for (int i = 0; i < model->variable_count; i++)
        name_output(m, nodes, s->variable[i], model->variables[i].name, "",
                    unit_text(m, s->variable_unit[i]));
    name_output(m, nodes, s->kinetic, "energy", "kinetic", "J");
    name_output(m, nodes, s->potential, "energy", "potential", "J");
    name_output(m, nodes, expr_add(s->graph, s->kinetic, s->potential), "energy", "total", "J");
    for (int i = 0; i < model->spring_count; i++) {
        name_output(m, nodes, s->spring_length[i], model->springs[i].name, "length", "m");
        name_output(m, nodes, s->spring_force[i], model->springs[i].name, "force", "N");
    }
    for (int i = 0; i < model->point_count; i++)
        for (int k = 0; k < 3; k++)
            name_output(m, nodes, s->point[3 * i + k], model->points[i].name,
                        (const char *[]){"x", "y", "z"}[k], "m");
    for (int i = 0; i < 3 * model->wheel_count; i++) // by the engine
        name_output(m, nodes, EXPR_ZERO, model->wheels[i / 3].name, multibody_contact_words[i % 3],
                    "N");
    for (int i = 0; i < 3 * model->contact_count; i++)
        name_output(m, nodes, EXPR_ZERO, model->contacts[i / 3].name,
                    multibody_contact_words[i % 3], "N");
    for (int i = 0; i < s->rows.load_count; i++) {
        const mb_load *load = &s->rows.load[i];
        name_output(m, nodes, s->load[i], load->owner, load->word, unit_text(m, load->unit));
    }
    for (int i = 0; i < model->load_count; i++)
        for (int k = 0; k < 6; k++)
            name_output(m, nodes, m->joint_load[6 * model->loads[i] + k],
                        model->bodies[model->loads[i]].name, multibody_load_words[k],
                        k < 3 ? "N" : "N m");
    return true;
}

// ---- programs --------------------------------------------------------------------------------

mc_status multibody_build(mc_multibody *m, multibody_part part, const expr_id *outputs, int count,
                          const char *const *names, mc_error *error)
{
    multibody_code *code = &m->code[part];
    code->program = expr_program_build(m->system.graph, outputs, names, count, error);
    if (!code->program)
        return error->code;
    code->kept = doubles(m, code->program->kept_count);
    code->result = doubles(m, 4 * count);
    code->stale = true;
    // Made here, where it can fail; compiled at its first use, which may never come.
    code->kernel = expr_kernel_create(code->program, EXPR_INTERPRET, error);
    if (!code->kernel)
        return error->code;
    code->work = doubles(m, expr_kernel_work(code->kernel));
    if (!code->kept || !code->result || !code->work)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the programs");
    return MC_OK;
}

static mc_operations operations(const expr_part *part)
{
    const expr_count n = expr_part_count(part);
    return (mc_operations){.flops = n.flops,
                           .add = n.add,
                           .mul = n.mul,
                           .div = n.div,
                           .sqrt = n.sqrt,
                           .fused = n.fused,
                           .sincos = n.sincos,
                           .call = n.call};
}

// Name of part i of the state.
static const char *variable_name(const mc_multibody *m, int i)
{
    const mb_system *s = &m->system;
    if (i < s->q_count)
        return expr_input_name(s->graph, s->links.q_input[i]);
    if (i < s->q_count + s->v_count)
        return expr_input_name(s->graph, s->links.v_input[i - s->q_count]);
    return m->model.states[i - s->q_count - s->v_count].name;
}

static mc_status make_programs(mc_multibody *m, mc_error *error)
{
    mb_system *s = &m->system;
    const char **names = arena_alloc(&m->memory, ((size_t)s->y_count + 1) * sizeof *names);
    if (m->model.load_count > 0 && multibody_joint_loads(m, error) != MC_OK)
        return error->code;
    if (!names || !list_outputs(m))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the programs");
    for (int i = 0; i < s->y_count; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s_dot", variable_name(m, i));
        names[i] = arena_copy_text(&m->memory, text, strlen(text));
        if (!names[i])
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for names");
    }
    mc_status status = MC_OK;
    if (s->rows.count == 0) {
        status = multibody_build(m, MULTIBODY_FORWARD, s->forward, s->v_count, names + s->q_count,
                                 error);
        if (status == MC_OK)
            status = multibody_build(m, MULTIBODY_RATE, s->rate, s->y_count, names, error);
    } else {
        status = multibody_loops_build(m, names, error);
    }
    if (status == MC_OK)
        status =
            multibody_build(m, MULTIBODY_OUTPUTS, m->output_node, m->output_count, NULL, error);
    const expr_id energy = expr_add(s->graph, s->kinetic, s->potential);
    if (status == MC_OK && s->rows.count + s->switch_count > 0)
        status = multibody_build(m, MULTIBODY_ENERGY, &energy, 1, NULL, error);
    return status == MC_OK ? multibody_switches_build(m, error) : status;
}

// ---- structure -------------------------------------------------------------------------------

static unsigned char kind_of(const expr_graph *g, expr_id node)
{
    if (node == EXPR_ZERO)
        return 0;
    return expr_node_at(g, node)->varies ? 2 : 1;
}

static bool keep_structure(mc_multibody *m)
{
    const mb_system *s = &m->system;
    const int n = s->v_count, rows = 6 * s->links.link_count;
    if (!s->lagrange.M)
        return true;
    unsigned char *T = arena_alloc(&m->memory, (size_t)(rows * n) + 1);
    unsigned char *M = arena_alloc(&m->memory, (size_t)(n * n) + 1);
    unsigned char *L = arena_alloc(&m->memory, (size_t)(n * n) + 1);
    if (!T || !M || !L)
        return false;
    for (int i = 0; i < rows * n; i++)
        T[i] = kind_of(s->graph, s->lagrange.T[i]);
    for (int i = 0; i < n * n; i++)
        M[i] = kind_of(s->graph, s->lagrange.M[i]);
    // The factor in elimination order, by symbolic elimination of the pattern.
    unsigned char *W = malloc((size_t)(n * n) + 1);
    if (!W)
        return false;
    const int *order = s->lagrange.order;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            W[i * n + j] = M[order[i] * n + order[j]];
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; W[i * n + k] && j < n; j++)
                if (W[j * n + k]) {
                    const unsigned char max =
                        W[i * n + k] > W[j * n + k] ? W[i * n + k] : W[j * n + k];
                    const unsigned char with = W[k * n + k] > max ? W[k * n + k] : max;
                    if (with > W[i * n + j])
                        W[i * n + j] = with;
                }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            L[i * n + j] = W[i * n + j];
    free(W);
    m->structure[0] = T, m->structure[1] = M, m->structure[2] = L;
    return true;
}

bool mc_multibody_structure(const mc_multibody *m, int which, mc_structure *out)
{
    static const char *const names[] = {"T", "M", "L"};
    if (which < 0 || which > 2 || !m->structure[which])
        return 0;
    const int n = m->system.v_count;
    *out = (mc_structure){names[which], which ? n : 6 * m->system.links.link_count, n,
                          m->structure[which]};
    return 1;
}

// ---- lifetime --------------------------------------------------------------------------------

static void fill_info(mc_multibody *m)
{
    const mb_system *s = &m->system;
    m->info =
        (mc_multibody_info){.name = m->model.name,
                            .q_count = s->q_count,
                            .v_count = s->v_count,
                            .state_count = s->state_count,
                            .y_count = s->y_count,
                            .input_count = s->input_count,
                            .parameter_count = m->model.parameter_count,
                            .body_count = m->model.body_count,
                            .output_count = m->output_count,
                            .load_count = s->rows.load_count,
                            .row_count = s->rows.kept_count,
                            .left_out_count = s->rows.count - s->rows.kept_count,
                            .switch_count = s->switch_count,
                            .form = (mc_form)s->form,
                            .forward = operations(&m->code[MULTIBODY_FORWARD].program->run),
                            .prepare = operations(&m->code[MULTIBODY_FORWARD].program->prepare),
                            .rate = operations(&m->code[MULTIBODY_RATE].program->run),
                            .hash = m->model.hash};
    for (int k = 0; k <= MB_FORM_EMBEDDED; k++)
        m->info.flops_of_form[k] = s->flops[k];
}

// Some blocks at a time are put together: enough for a call to pay, few enough for the data cache.
static int blocks_together(const mc_multibody *m)
{
    enum { DOUBLES = 2048, BLOCKS = 8 };
    const int fit = DOUBLES / (4 * m->code[MULTIBODY_FORWARD].program->variable_count);
    return fit < 1 ? 1 : fit > BLOCKS ? BLOCKS : fit;
}

static mc_status set_up(mc_multibody *m, const mc_multibody_options *options, mc_error *error)
{
    const mb_form form = options ? (mb_form)options->form : MB_FORM_CHEAPER;
    m->compile = options ? options->compile : MC_COMPILE_BACKGROUND;
    m->asked_form = (mc_form)form;
    for (int i = 0; mb_switch_at(&m->model, i, NULL, NULL); i++)
        m->on |= (uint64_t)!mb_switch_at(&m->model, i, NULL, NULL)->off << i;
    mc_status status = mb_derive(&m->model, form, &m->system, error);
    if (status == MC_OK)
        status = make_programs(m, error);
    if (status != MC_OK)
        return status;
    const expr_program *p = m->code[MULTIBODY_FORWARD].program;
    m->parameter = doubles(m, p->parameter_count);
    m->x = doubles(m, p->variable_count);
    m->x_lanes = doubles(m, 4 * p->variable_count * blocks_together(m));
    if (!m->parameter || !m->x || !m->x_lanes || !keep_structure(m))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the mechanism");
    for (int i = 0; i < p->parameter_count; i++)
        for (int k = 0; k < m->model.parameter_count; k++)
            if (m->model.parameters[k].input == p->parameter[i])
                m->parameter[i] = m->model.parameters[k].value;
    for (int i = 0; i < m->system.input_count; i++)
        m->x[mb_at_input(&m->system) + i] = m->model.inputs[i].value;
    fill_info(m);
    return MC_OK;
}

static mc_multibody *begin(mc_error *error)
{
    mc_multibody *m = calloc(1, sizeof *m);
    if (!m)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the mechanism");
    return m;
}

// The state of y at t as the start of the model, with every coordinate as free to move as another.
static void start_at(mb_model *model, const mb_links *links, double t, const double *y)
{
    model->start = t;
    for (int b = 0; b < model->body_count; b++) {
        mb_body *body = &model->bodies[b];
        const int q_count = mb_coordinate_count(body), v_count = mb_velocity_count(body);
        memcpy(body->start_q, y + links->body_q[b], (size_t)q_count * sizeof *y);
        memcpy(body->start_v, y + links->q_count + links->body_v[b], (size_t)v_count * sizeof *y);
        for (int k = 0; k < v_count; k++) {
            body->keep[k] = body->keep_rate[k] = false;
            body->given[k] = true;
        }
    }
}

mc_status multibody_make_set(const mc_multibody *from, uint64_t on, double t, const double *y,
                             mc_multibody **out, mc_error *error)
{
    const mb_model *as = &from->model;
    mc_multibody *m = begin(error);
    mc_multibody_options options = {.form = from->asked_form, .compile = from->compile};
    if (!m)
        return error->code;
    bool in_tree[as->edge_count + 1];
    for (int i = 0; i < as->edge_count; i++)
        in_tree[i] = as->edges[i].in_tree;
    const mechanism_tree tree = {in_tree, as->root}; // of a graph the same one
    mc_status status = mechanism_parse_tree(as->text, strlen(as->text), as->file,
                                            as->edge_count ? &tree : NULL, &m->model, error);
    if (status == MC_OK) {
        for (int i = 0; i < as->parameter_count; i++)
            m->model.parameters[i].value = as->parameters[i].value;
        for (int i = 0; i < as->input_count; i++)
            m->model.inputs[i].value = from->x[mb_at_input(&from->system) + i];
        for (int i = 0; i < from->system.switch_count; i++)
            mb_switch_at(&m->model, i, NULL, NULL)->off = !(on >> i & 1);
        start_at(&m->model, &from->system.links, t, y);
        // Independent speeds, if asked for, do not exist where constraints act.
        for (int i = 0; i < as->constraint_count && options.form == MC_FORM_INDEPENDENT; i++)
            options.form = m->model.constraints[i].change.off ? options.form : MC_FORM_CHEAPER;
        status = set_up(m, &options, error);
    } else {
        m->model = (mb_model){0};
    }
    if (status != MC_OK)
        mc_multibody_free(m);
    else
        *out = m;
    return status;
}

static mc_multibody *finish(mc_multibody *m, mc_status read, double begun,
                            const mc_multibody_options *options, mc_error *error)
{
    const double done = now();
    if (read != MC_OK || set_up(m, options, error) != MC_OK) {
        if (read != MC_OK) // the reader left nothing
            m->model = (mb_model){0};
        mc_multibody_free(m);
        return NULL;
    }
    m->info.seconds_read = done - begun;
    m->info.seconds_derive = now() - done;
    return m;
}

// Reads the model, and chooses the tree of a graph.
static mc_multibody *from_text(const char *bytes, size_t length, const char *name,
                               const mc_multibody_options *options, mc_error *error)
{
    mc_multibody *m = begin(error);
    const double begun = now();
    const mb_form form = options ? (mb_form)options->form : MB_FORM_CHEAPER;
    if (m && !(m->text = arena_copy_text(&m->memory, bytes, length))) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the mechanism");
        mc_multibody_free(m);
        return NULL;
    }
    return m ? finish(m, mechanism_choose(bytes, length, name, form, &m->model, &m->choice, error),
                      begun, options, error)
             : NULL;
}

mc_multibody *mc_multibody_load(const char *path, const mc_multibody_options *options,
                                mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    arena text = {0};
    char *bytes;
    size_t length;
    mc_multibody *m = NULL;
    if (file_read(&text, path, YAML_FILE_MAX, &bytes, &length, error) == MC_OK)
        m = from_text(bytes, length, path, options, error);
    arena_free(&text);
    return m;
}

mc_multibody *mc_multibody_parse(const char *text, const char *name,
                                 const mc_multibody_options *options, mc_error *error)
{
    mc_error own;
    return from_text(text, strlen(text), name, options, error ? error : &own);
}

void mc_multibody_free(mc_multibody *m)
{
    if (!m)
        return;
    for (int k = 0; k < MULTIBODY_PART_COUNT; k++) {
        expr_kernel_destroy(m->code[k].kernel);
        expr_program_destroy(m->code[k].program);
    }
    for (int k = 0; k < m->set_count; k++)
        mc_multibody_free(m->sets[k]);
    free(m->sets);
    multibody_loops_singular_free(m);
    if (m->standing)
        m->standing_free(m->standing);
    mb_matrices_free(&m->matrices);
    mb_system_free(&m->system);
    mb_model_free(&m->model);
    arena_free(&m->memory);
    free(m);
}

const mc_multibody_info *mc_multibody_info_of(const mc_multibody *m)
{
    return &m->info;
}

const char *mc_multibody_text(const mc_multibody *m)
{
    return m->text;
}

// ---- graph -----------------------------------------------------------------------------------

static const char *body_name(const mb_model *model, int body)
{
    return body < 0 ? "ground" : model->bodies[body].name;
}

bool mc_multibody_graph_joint(const mc_multibody *m, int i, mc_graph_joint *out)
{
    const mb_model *model = &m->model;
    if (i < 0 || i >= model->edge_count)
        return false;
    const mb_edge *e = &model->edges[i];
    bool by_file = !e->can_be_tree;
    const mb_closing_kind *kind;
    for (int k = 0; (kind = mb_closing_kind_at(k)); k++)
        by_file = by_file && (strcmp(kind->is.name, e->kind) != 0 || kind->in_tree);
    *out = (mc_graph_joint){.name = e->name,
                            .kind = e->kind,
                            .from = body_name(model, e->from),
                            .to = body_name(model, e->to),
                            .in_tree = e->in_tree,
                            .reversed = e->reversed,
                            .pinned = e->pinned,
                            .cut_by_file = by_file,
                            .cannot = !e->can_be_tree && !by_file,
                            .other_flops = m->choice.other ? m->choice.other[i] : 0};
    return true;
}

bool mc_multibody_graph(const mc_multibody *m, mc_graph *out)
{
    *out = (mc_graph){.joint_count = m->model.edge_count,
                      .derived = m->choice.derived,
                      .all = m->choice.all,
                      .flops = m->choice.flops,
                      .worst_flops = m->choice.worst};
    for (int i = 0; i < m->model.edge_count; i++)
        out->cut_count += !m->model.edges[i].in_tree;
    for (int i = 0; m->model.root && i < m->model.body_count; i++)
        if (m->model.root[i])
            out->root_count++, out->root = m->model.bodies[i].name;
    return m->model.edge_count > 0;
}

// ---- names -----------------------------------------------------------------------------------

const char *mc_multibody_name(const mc_multibody *m, mc_quantity quantity, int i)
{
    const mb_system *s = &m->system;
    if (i < 0)
        return NULL;
    switch (quantity) {
    case MC_QUANTITY_COORDINATE:
        return i < s->q_count ? variable_name(m, i) : NULL;
    case MC_QUANTITY_VELOCITY:
        return i < s->v_count ? variable_name(m, s->q_count + i) : NULL;
    case MC_QUANTITY_STATE:
        return i < s->state_count ? m->model.states[i].name : NULL;
    case MC_QUANTITY_INPUT:
        return i < s->input_count ? m->model.inputs[i].name : NULL;
    case MC_QUANTITY_PARAMETER:
        return i < m->model.parameter_count ? m->model.parameters[i].name : NULL;
    case MC_QUANTITY_OUTPUT:
        return i < m->output_count ? m->output_name[i] : NULL;
    }
    return NULL;
}

static const char *motion_unit(const mc_multibody *m, bool velocity, int i)
{
    const mb_model *model = &m->model;
    for (int b = 0; b < model->body_count; b++) {
        const mb_body *body = &model->bodies[b];
        const int first = velocity ? m->system.links.body_v[b] : m->system.links.body_q[b];
        const int count = velocity ? mb_velocity_count(body) : mb_coordinate_count(body);
        if (i < first || i >= first + count)
            continue;
        const int k = i - first;
        bool length = body->joint == MB_PRISM || (body->joint == MB_FREE && k < 3);
        bool part = (body->joint == MB_BALL || (body->joint == MB_FREE && !body->euler)) && !length;
        if (body->joint == MB_GENERAL)
            for (int j = 0, used = 0; j < 6; j++)
                if (body->free[j] && used++ == k)
                    length = j < 3;
        if (velocity)
            return length ? "m/s" : "rad/s";
        return length ? "m" : part ? "-" : "rad";
    }
    return "";
}

const char *mc_multibody_unit(const mc_multibody *m, mc_quantity quantity, int i)
{
    if (!mc_multibody_name(m, quantity, i))
        return "";
    switch (quantity) {
    case MC_QUANTITY_COORDINATE:
        return motion_unit(m, false, i);
    case MC_QUANTITY_VELOCITY:
        return motion_unit(m, true, i);
    case MC_QUANTITY_PARAMETER:
        return m->model.parameters[i].unit;
    case MC_QUANTITY_OUTPUT:
        return m->output_unit[i];
    default:
        return "";
    }
}

// The known name nearest to one that is not known; NULL: none is near.
static const char *nearest_name(const mc_multibody *m, const char *name)
{
    const char *near = NULL, *known;
    int best = 0;
    for (mc_quantity k = MC_QUANTITY_COORDINATE; k <= MC_QUANTITY_OUTPUT; k++)
        for (int i = 0; (known = mc_multibody_name(m, k, i)); i++) {
            const char *close = text_nearest(name, &known, 1);
            const int distance = close ? text_distance(name, known) : 0;
            if (close && (!near || distance < best)) {
                near = known;
                best = distance;
            }
        }
    return near;
}

mc_status mc_multibody_find(const mc_multibody *m, const char *name, mc_quantity *quantity,
                            int *index, mc_error *error)
{
    const char *known;
    for (mc_quantity k = MC_QUANTITY_COORDINATE; k <= MC_QUANTITY_OUTPUT; k++)
        for (int i = 0; (known = mc_multibody_name(m, k, i)); i++)
            if (strcmp(known, name) == 0) {
                *quantity = k;
                *index = i;
                return MC_OK;
            }
    const char *near = nearest_name(m, name);
    return mc_error_set(
        error, MC_BAD_INPUT, NULL, 0, 0,
        "unknown name \"%s\" in %s%s%s; `motorcade simulate MODEL --list` lists all names", name,
        m->model.name, near ? ", did you mean " : "", near ? near : "");
}

// ---- values ----------------------------------------------------------------------------------

static int parameter_place(const mc_multibody *m, int parameter)
{
    const expr_program *p = m->code[MULTIBODY_FORWARD].program;
    for (int i = 0; i < p->parameter_count; i++)
        if (p->parameter[i] == m->model.parameters[parameter].input)
            return i;
    mc_assert(false); // every parameter is an input
    return 0;
}

mc_status mc_multibody_check(const mc_multibody *m, mc_error *error)
{
    return mb_model_check(&m->model, error);
}

void multibody_parameters_changed(mc_multibody *m)
{
    for (int k = 0; k < MULTIBODY_PART_COUNT; k++)
        m->code[k].stale = true;
}

mc_status mc_multibody_set(mc_multibody *m, const char *name, double value, mc_error *error)
{
    mc_quantity quantity;
    int i;
    const mc_status status = mc_multibody_find(m, name, &quantity, &i, error);
    if (status != MC_OK)
        return status;
    if (!isfinite(value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s must be a finite number", name);
    if (quantity == MC_QUANTITY_INPUT) {
        m->x[mb_at_input(&m->system) + i] = value;
        return MC_OK;
    }
    if (quantity != MC_QUANTITY_PARAMETER)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is computed; only parameters and inputs can be set", name);
    mb_parameter *p = &m->model.parameters[i];
    if ((p->min != 0.0 || p->max != 0.0) && !(value >= p->min && value <= p->max))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s = %.9g, expected %.9g .. %.9g",
                            name, value, p->min, p->max);
    p->value = value;
    m->parameter[parameter_place(m, i)] = value;
    multibody_parameters_changed(m);
    return MC_OK;
}

mc_status mc_multibody_get(const mc_multibody *m, const char *name, double *value, mc_error *error)
{
    mc_quantity quantity;
    int i;
    const mc_status status = mc_multibody_find(m, name, &quantity, &i, error);
    if (status != MC_OK)
        return status;
    if (quantity == MC_QUANTITY_PARAMETER)
        *value = m->parameter[parameter_place(m, i)];
    else if (quantity == MC_QUANTITY_INPUT)
        *value = m->x[mb_at_input(&m->system) + i];
    else
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is neither a parameter nor an input", name);
    return MC_OK;
}

void mc_multibody_start(const mc_multibody *m, double *y)
{
    const mb_system *s = &m->system;
    for (int b = 0; b < m->model.body_count; b++) {
        const mb_body *body = &m->model.bodies[b];
        for (int k = 0; k < mb_coordinate_count(body); k++)
            y[s->links.body_q[b] + k] = body->start_q[k];
        for (int k = 0; k < mb_velocity_count(body); k++)
            y[s->q_count + s->links.body_v[b] + k] = body->start_v[k];
    }
    for (int i = 0; i < s->state_count; i++)
        y[s->q_count + s->v_count + i] = m->model.states[i].start;
    mc_multibody_normalise(m, y);
}

double *multibody_quaternion(const mc_multibody *m, double *y, int body)
{
    const mb_body *b = &m->model.bodies[body];
    const bool base = b->joint == MB_FREE && !b->euler;
    if (!base && b->joint != MB_BALL)
        return NULL;
    return y + m->system.links.body_q[body] + (base ? 3 : 0);
}

void mc_multibody_normalise(const mc_multibody *m, double *y)
{
    for (int b = 0; b < m->model.body_count; b++) {
        double *q = multibody_quaternion(m, y, b), sum = 0.0;
        for (int k = 0; q && k < 4; k++)
            sum += q[k] * q[k];
        for (int k = 0; k < 4 && sum > 0.0; k++)
            q[k] /= sqrt(sum);
    }
}

double mc_multibody_end(const mc_multibody *m)
{
    return m->model.end;
}

double mc_multibody_step(const mc_multibody *m)
{
    return m->model.step;
}

// ---- equations -------------------------------------------------------------------------------

multibody_code *multibody_use(mc_multibody *m, multibody_part part)
{
    static const expr_compile how[] = {[MC_COMPILE_BACKGROUND] = EXPR_COMPILE_BACKGROUND,
                                       [MC_COMPILE_WAIT] = EXPR_COMPILE_WAIT,
                                       [MC_COMPILE_NEVER] = EXPR_INTERPRET};
    multibody_code *code = &m->code[part];
    if (!code->used) {
        // What is asked for once a row, or where rank is nearly lost, is not worth a compiler.
        const bool often = part == MULTIBODY_FORWARD || part == MULTIBODY_RATE ||
                           part == MULTIBODY_PROJECT || part == MULTIBODY_IMPULSES ||
                           part == MULTIBODY_ROLLING;
        const expr_compile mode = often ? how[m->compile] : EXPR_INTERPRET;
        expr_kernel_compile(code->kernel, code->program, mode);
        code->used = true;
    }
    if (code->stale) {
        expr_kernel_prepare(code->kernel, m->parameter, code->kept, code->work);
        code->stale = false;
    }
    return code;
}

static void run(mc_multibody *m, multibody_part part, double *out)
{
    multibody_code *code = multibody_use(m, part);
    expr_kernel_run(code->kernel, m->x, code->kept, out, code->work);
}

static void set_tau(mc_multibody *m, const double *tau)
{
    double *at = m->x + mb_at_tau(&m->system);
    const size_t size = (size_t)m->system.v_count * sizeof *at;
    if (tau)
        memcpy(at, tau, size);
    else
        memset(at, 0, size);
}

void mc_multibody_accelerations(mc_multibody *m, const double *q, const double *v,
                                const double *tau, double *vdot)
{
    const mb_system *s = &m->system;
    memcpy(m->x, q, (size_t)s->q_count * sizeof *q);
    memcpy(m->x + s->q_count, v, (size_t)s->v_count * sizeof *v);
    set_tau(m, tau);
    if (s->rows.count == 0)
        run(m, MULTIBODY_FORWARD, vdot);
    else
        multibody_loops_run(m, MULTIBODY_FORWARD, vdot, NULL);
}

void mc_multibody_multipliers(mc_multibody *m, const double *q, const double *v, const double *tau,
                              double *vdot, double *lambda)
{
    const mb_system *s = &m->system;
    memcpy(m->x, q, (size_t)s->q_count * sizeof *q);
    memcpy(m->x + s->q_count, v, (size_t)s->v_count * sizeof *v);
    set_tau(m, tau);
    if (s->rows.count == 0)
        run(m, MULTIBODY_FORWARD, vdot);
    else
        multibody_loops_run(m, MULTIBODY_FORWARD, vdot, lambda);
}

void mc_multibody_accelerations_lanes(mc_multibody *m, int block_count, const double *q,
                                      const double *v, const double *tau, double *vdot)
{
    const mb_system *s = &m->system;
    multibody_code *code = multibody_use(m, MULTIBODY_FORWARD);
    const size_t nq = 4 * (size_t)s->q_count, nv = 4 * (size_t)s->v_count;
    const size_t nx = 4 * (size_t)code->program->variable_count;
    for (int together = blocks_together(m); block_count > 0; block_count -= together) {
        together = block_count < together ? block_count : together;
        double *x = m->x_lanes;
        for (int b = 0; b < together; b++, x += nx, q += nq, v += nv, tau += nv) {
            memcpy(x, q, nq * sizeof *q);
            memcpy(x + nq, v, nv * sizeof *v);
            memcpy(x + 4 * mb_at_tau(s), tau, nv * sizeof *tau);
        }
        if (s->rows.count == 0)
            expr_kernel_run_lanes(code->kernel, together, m->x_lanes, code->kept, vdot, code->work);
        else
            multibody_loops_run_lanes(m, together, vdot);
        vdot += (size_t)together * nv;
    }
}

void multibody_set_state(mc_multibody *m, double t, const double *y)
{
    memcpy(m->x, y, (size_t)m->system.y_count * sizeof *y);
    m->x[mb_at_time(&m->system)] = t;
}

void mc_multibody_rate(mc_multibody *m, double t, const double *y, const double *tau, double *dy)
{
    multibody_set_state(m, t, y);
    set_tau(m, tau);
    if (m->system.rows.count == 0)
        run(m, MULTIBODY_RATE, dy);
    else
        multibody_loops_run(m, MULTIBODY_RATE, dy, NULL);
}

void mc_multibody_outputs_under(mc_multibody *m, double t, const double *y, const double *tau,
                                double *out)
{
    multibody_set_state(m, t, y);
    set_tau(m, tau);
    run(m, MULTIBODY_OUTPUTS, out);
}

void mc_multibody_outputs(mc_multibody *m, double t, const double *y, double *out)
{
    mc_multibody_outputs_under(m, t, y, NULL, out);
}

// ---- Jacobian --------------------------------------------------------------------------------

static mc_status derive_jacobian(mc_multibody *m, mc_error *error)
{
    mb_system *s = &m->system;
    const int rows = s->y_count, columns = s->y_count + s->input_count + s->v_count;
    const expr_program *p = m->code[MULTIBODY_RATE].program;
    expr_id *all = malloc(((size_t)rows * (size_t)columns + 1) * sizeof *all);
    int *inputs = malloc(((size_t)columns + 1) * sizeof *inputs);
    m->jacobian_at = arena_alloc(&m->memory, ((size_t)rows * (size_t)columns + 1) * sizeof(int));
    mc_status status = MC_NO_MEMORY;
    if (all && inputs && m->jacobian_at) {
        for (int j = 0; j < columns; j++) // time is not among them
            inputs[j] = p->variable[j < s->y_count ? j : j + 1];
        status = expr_jacobian(s->graph, s->rate, rows, inputs, columns, all, error);
    } else {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the Jacobian");
    }
    if (status == MC_OK) {
        int count = 0;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                if (all[i * columns + j] != EXPR_ZERO) {
                    all[count] = all[i * columns + j];
                    m->jacobian_at[count++] = i + rows * j;
                }
        m->jacobian_count = count;
        status = multibody_build(m, MULTIBODY_JACOBIAN, all, count, NULL, error);
    }
    free(all);
    free(inputs);
    return status;
}

mc_status mc_multibody_jacobian(mc_multibody *m, double t, const double *y, double *A, double *B,
                                mc_error *error)
{
    mc_error own;
    const mb_system *s = &m->system;
    if (!m->code[MULTIBODY_JACOBIAN].program) {
        const mc_status status = derive_jacobian(m, error ? error : &own);
        if (status != MC_OK)
            return status;
    }
    multibody_set_state(m, t, y);
    set_tau(m, NULL);
    multibody_code *code = multibody_use(m, MULTIBODY_JACOBIAN);
    expr_kernel_run(code->kernel, m->x, code->kept, code->result, code->work);
    const int split = s->y_count * s->y_count;
    if (A)
        memset(A, 0, (size_t)split * sizeof *A);
    if (B)
        memset(B, 0, (size_t)(s->y_count * (s->input_count + s->v_count)) * sizeof *B);
    for (int k = 0; k < m->jacobian_count; k++) {
        const int at = m->jacobian_at[k];
        if (at < split && A)
            A[at] = code->result[k];
        else if (at >= split && B)
            B[at - split] = code->result[k];
    }
    return MC_OK;
}

mc_kernel_state mc_multibody_kernel_state(const mc_multibody *m, const char **message)
{
    const multibody_code *code = &m->code[MULTIBODY_RATE];
    if (!code->used)
        code = &m->code[MULTIBODY_FORWARD];
    if (message)
        *message = code->kernel ? expr_kernel_message(code->kernel) : "";
    return code->kernel ? (mc_kernel_state)expr_kernel_state_of(code->kernel)
                        : MC_KERNEL_STATE_INTERPRETED;
}

void mc_multibody_wait(mc_multibody *m)
{
    for (int k = 0; k < MULTIBODY_PART_COUNT; k++)
        if (m->code[k].kernel)
            expr_kernel_wait(m->code[k].kernel);
}
