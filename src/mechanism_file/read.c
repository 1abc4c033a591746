// read.c - reads a mechanism file: parameters, bodies, points, springs, loads.
#include "mechanism_file/read.h"

#include "base/file.h"
#include "base/gravity.h"
#include "concept/concept.h"
#include "mechanism_file/reader.h"
#include "motorcade/multibody.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- parameters and inputs ----

// Limits of a parameter; both 0: none.
static void check_range(multibody_reader *r, const yaml_node *map, const reader_quantity *q,
                        double limits[2])
{
    static const char *const keys[] = {"min", "max"};
    for (int i = 0; i < 2; i++) {
        const yaml_node *node = reader_get(&r->base, map, keys[i]);
        if (!node)
            continue;
        const double limit = reader_literal(&r->base, node, q->unit);
        if (limits[0] == 0.0 && limits[1] == 0.0)
            limits[0] = -INFINITY, limits[1] = INFINITY;
        limits[i] = limit;
        if (r->base.status == MC_OK && (i == 0 ? q->value < limit : q->value > limit))
            reader_reject(&r->base, reader_get(&r->base, map, "value"),
                          "%s is %.9g, %s its %s %.9g", map->key->text, q->value,
                          i == 0 ? "below" : "above", keys[i], limit);
    }
}

static void read_parameter(multibody_reader *r, const yaml_node *node)
{
    const char *name = multibody_name(r, node->key), *doc = "";
    const yaml_node *value = node, *unit = NULL;
    if (node->kind != YAML_SCALAR) {
        if (!multibody_check_keys(r, node, MULTIBODY_PARAMETER, -1))
            return;
        value = multibody_need(r, node, "value", MULTIBODY_PARAMETER);
        unit = reader_get(&r->base, node, "unit");
        const yaml_node *text = reader_get(&r->base, node, "doc");
        doc = text ? reader_text(&r->base, text) : "";
    }
    if (r->base.status != MC_OK)
        return;
    const reader_quantity q = reader_read_quantity(&r->base, value, unit);
    double limits[2] = {0};
    if (node->kind == YAML_MAPPING)
        check_range(r, node, &q, limits);
    multibody_parameter(r, name, q.value, q.unit, q.text, doc, node->key->line);
    if (r->base.status != MC_OK)
        return;
    mb_parameter *made = &r->model->parameters[r->model->parameter_count - 1];
    made->min = limits[0];
    made->max = limits[1];
}

static void read_input(multibody_reader *r, const yaml_node *node, mb_input *out)
{
    const yaml_node *value = node, *unit = NULL;
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (node->kind != YAML_SCALAR) {
        if (!multibody_check_keys(r, node, MULTIBODY_INPUT, -1))
            return;
        value = reader_get(&r->base, node, "value");
        unit = reader_get(&r->base, node, "unit");
    }
    const reader_quantity q = reader_read_quantity(&r->base, value, unit);
    out->unit = q.unit;
    out->value = q.value;
}

// ---- points, springs, forces, torques, states, variables ----

static int point_index(multibody_reader *r, const yaml_node *node)
{
    const mb_model *m = r->model;
    const char *word = node ? reader_text(&r->base, node) : "";
    if (r->base.status != MC_OK)
        return 0;
    for (int i = 0; i < m->point_count; i++)
        if (strcmp(m->points[i].name, word) == 0)
            return i;
    const char **names = reader_alloc(&r->base, m->point_count, sizeof names[0]);
    if (!names)
        return 0;
    for (int i = 0; i < m->point_count; i++)
        names[i] = m->points[i].name;
    reader_unknown(&r->base, node, "point", names, m->point_count);
    return 0;
}

static void read_point(multibody_reader *r, const yaml_node *node, mb_point *out)
{
    static const char *const xyz[] = {"x", "y", "z"};
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_POINT, -1))
        return;
    const yaml_node *body = multibody_need(r, node, "body", MULTIBODY_POINT);
    const yaml_node *at = multibody_need(r, node, "at", MULTIBODY_POINT);
    if (!body || !at)
        return;
    out->body = multibody_body_index(r, body);
    if (!reader_is_list(&r->base, at, 3, 3))
        return;
    int i = 0;
    for (const yaml_node *n = at->first; n; n = n->next, i++) {
        char place[PLACE_SIZE];
        snprintf(place, sizeof place, "%s.at.%s", out->name, xyz[i]);
        out->at[i] = multibody_number(r, n, multibody_unit(MULTIBODY_POINT, "at", -1),
                                      LITERAL_PARAMETER, "m", place);
    }
}

static void read_spring(multibody_reader *r, const yaml_node *node, mb_spring *out)
{
    static const char *const keys[] = {"stiffness", "damping", "length"};
    static const char *const names[] = {"stiffness", "damping",
                                        "free_length"}; // NAME.length is what it is now
    static const char *const units[] = {"N/m", "N*s/m", "m"};
    expr_id *targets[] = {&out->stiffness, &out->damping, &out->length};
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_SPRING, -1))
        return;
    const yaml_node *from = multibody_need(r, node, "from", MULTIBODY_SPRING);
    const yaml_node *to = multibody_need(r, node, "to", MULTIBODY_SPRING);
    out->from = point_index(r, from);
    out->to = point_index(r, to);
    for (int i = 0; i < 3; i++) {
        const yaml_node *n = reader_get(&r->base, node, keys[i]);
        char place[PLACE_SIZE];
        snprintf(place, sizeof place, "%s.%s", out->name, names[i]);
        if (n)
            *targets[i] = multibody_number(r, n, multibody_unit(MULTIBODY_SPRING, keys[i], -1),
                                           LITERAL_PARAMETER, units[i], place);
    }
    const yaml_node *force = reader_get(&r->base, node, "force");
    if (force)
        out->force = multibody_formula(r, force);
}

static mb_frame read_frame(multibody_reader *r, const yaml_node *map)
{
    const yaml_node *node = reader_get(&r->base, map, "in");
    return node && reader_choice(&r->base, node, multibody_frame_words, 2) == 1 ? MB_BODY
                                                                                : MB_WORLD;
}

static void read_force(multibody_reader *r, const yaml_node *node, mb_force *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_FORCE, -1))
        return;
    out->point = point_index(r, multibody_need(r, node, "point", MULTIBODY_FORCE));
    const yaml_node *force = multibody_need(r, node, "force", MULTIBODY_FORCE);
    if (force)
        out->value = multibody_vector_formula(r, force);
    out->frame = read_frame(r, node);
}

static void read_torque(multibody_reader *r, const yaml_node *node, mb_torque *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_TORQUE, -1))
        return;
    const yaml_node *body = multibody_need(r, node, "body", MULTIBODY_TORQUE);
    const yaml_node *torque = multibody_need(r, node, "torque", MULTIBODY_TORQUE);
    if (!body || !torque)
        return;
    out->body = multibody_body_index(r, body);
    if (out->body < 0)
        reader_reject(&r->base, body, "a torque on the ground has no effect; expected a body");
    out->value = multibody_vector_formula(r, torque);
    out->frame = read_frame(r, node);
}

static void read_constraint(multibody_reader *r, const yaml_node *node, mb_constraint *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_CONSTRAINT, -1))
        return;
    const yaml_node *position = reader_get(&r->base, node, "position");
    const yaml_node *velocity = reader_get(&r->base, node, "velocity");
    if (!position == !velocity) {
        reader_reject(&r->base, node->key,
                      "a constraint has either the key position or the key velocity");
        return;
    }
    *(position ? &out->position : &out->velocity) =
        multibody_formula(r, position ? position : velocity);
    multibody_switch(r, node, &out->change);
}

static void read_state(multibody_reader *r, const yaml_node *node, mb_state *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_STATE, -1))
        return;
    const yaml_node *rate = multibody_need(r, node, "rate", MULTIBODY_STATE);
    const reader_quantity unit = reader_read_unit(&r->base, reader_get(&r->base, node, "unit"));
    const yaml_node *start = reader_get(&r->base, node, "start");
    out->unit = unit.unit;
    if (rate)
        out->rate = multibody_formula(r, rate);
    if (start)
        multibody_value_later(r, start, unit.unit, &out->start);
}

static void read_variable(multibody_reader *r, const yaml_node *node, mb_variable *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (r->base.status == MC_OK)
        out->value = multibody_formula(r, node);
}

// ---- the file ----

// The map of a section, for its elements; NULL when missing or empty.
static const yaml_node *section(multibody_reader *r, const yaml_node *root, const char *key)
{
    const yaml_node *map = reader_get(&r->base, root, key);
    if (!map || reader_is_empty(map))
        return NULL;
    if (map->kind != YAML_MAPPING)
        reader_reject(&r->base, map, "expected a map of %s, each \"name: ...\"", key);
    return map->count > 0 && r->base.status == MC_OK ? map : NULL;
}

// Reads every element of a section into an array of the model.
#define READ_ALL(key, list, list_count, read)                                                      \
    do {                                                                                           \
        const yaml_node *map_ = section(r, root, key);                                             \
        r->model->list = reader_alloc(&r->base, map_ ? map_->count : 0, sizeof r->model->list[0]); \
        for (const yaml_node *n_ = map_ ? map_->first : NULL; n_ && r->base.status == MC_OK;       \
             n_ = n_->next)                                                                        \
            read(r, n_, &r->model->list[r->model->list_count++]);                                  \
    } while (0)

static void read_gravity(multibody_reader *r, const yaml_node *root)
{
    static const char *const places[] = {"gravity.x", "gravity.y", "gravity.z"};
    const expr_unit unit = multibody_unit(MULTIBODY_TOP, "gravity", -1);
    const yaml_node *list = reader_get(&r->base, root, "gravity");
    if (!list) {
        r->model->gravity[2] = multibody_parameter(r, places[2], -GRAVITY, unit, "m/s^2", "", 0);
        return;
    }
    if (!reader_is_list(&r->base, list, 3, 3))
        return;
    int i = 0;
    for (const yaml_node *n = list->first; n; n = n->next, i++)
        r->model->gravity[i] = multibody_number(r, n, unit, LITERAL_PARAMETER, "m/s^2", places[i]);
}

static void read_simulate(multibody_reader *r, const yaml_node *root)
{
    static const char *const keys[] = {"end", "step"};
    double *targets[] = {&r->model->end, &r->model->step};
    const yaml_node *map = reader_get(&r->base, root, "simulate");
    if (!map || !multibody_check_keys(r, map, MULTIBODY_SIMULATE, -1))
        return;
    for (int i = 0; i < 2; i++) {
        const yaml_node *n = reader_get(&r->base, map, keys[i]);
        if (!n)
            continue;
        *targets[i] = reader_literal(&r->base, n, multibody_unit(MULTIBODY_SIMULATE, keys[i], -1));
        if (r->base.status == MC_OK && !(*targets[i] > 0.0))
            reader_reject(&r->base, n, "%s is %.9g s, it must be above 0", keys[i], *targets[i]);
    }
    const yaml_node *from = reader_get(&r->base, map, "from");
    r->model->from_rest = from && reader_choice(&r->base, from, multibody_from_words, 2) == 1;
    multibody_stepping(r, map, &r->model->stepping);
}

static void read_head(multibody_reader *r, const yaml_node *root)
{
    if (root->kind != YAML_MAPPING || !yaml_find(root, "motorcade")) {
        reader_reject(&r->base, root, "expected \"motorcade: multibody\" as the first key");
        return;
    }
    if (!multibody_check_keys(r, root, MULTIBODY_TOP, -1))
        return;
    reader_choice(&r->base, yaml_find(root, "motorcade"), multibody_kind_words, 1);
    const yaml_node *name = reader_get(&r->base, root, "name");
    r->model->name = name ? multibody_name(r, name) : "model";
}

static void read_model(multibody_reader *r, const yaml_node *root)
{
    read_head(r, root);
    const yaml_node *parameters = section(r, root, "parameters");
    for (const yaml_node *n = parameters ? parameters->first : NULL; n && r->base.status == MC_OK;
         n = n->next)
        read_parameter(r, n);
    read_gravity(r, root);
    READ_ALL("inputs", inputs, input_count, read_input);
    const yaml_node *bodies = multibody_need(r, root, "bodies", MULTIBODY_TOP);
    if (bodies)
        multibody_bodies(r, root, bodies);
    READ_ALL("points", points, point_count, read_point);
    READ_ALL("springs", springs, spring_count, read_spring);
    READ_ALL("forces", forces, force_count, read_force);
    READ_ALL("torques", torques, torque_count, read_torque);
    multibody_joints(r, root);
    READ_ALL("constraints", constraints, constraint_count, read_constraint);
    READ_ALL("wheels", wheels, wheel_count, multibody_wheel);
    READ_ALL("contacts", contacts, contact_count, multibody_contact);
    multibody_terrain(r, root);
    READ_ALL("limits", limits, limit_count, multibody_limit);
    READ_ALL("motors", motors, motor_count, multibody_motor);
    multibody_keep(r, root);
    multibody_loads(r, root);
    READ_ALL("states", states, state_count, read_state);
    READ_ALL("variables", variables, variable_count, read_variable);
    read_simulate(r, root);
    multibody_shapes(r, root);
    multibody_contacts_check(r, root);
}

static void normalise(double q[4])
{
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4 && fabs(norm - 1.0) <= 1e-6; i++)
        q[i] /= norm;
}

// Start values, now that the parameters have theirs.
static void finish(multibody_reader *r)
{
    mb_model *m = r->model;
    if (r->base.status == MC_OK)
        r->base.status = expr_graph_status(m->graph, r->base.error);
    if (r->base.status != MC_OK)
        return;
    double *value = arena_alloc(&r->scratch, expr_node_count(m->graph) * sizeof value[0]);
    if (!value) {
        reader_no_memory(&r->base);
        return;
    }
    mb_model_values(m, value);
    for (int i = 0; i < r->later_count; i++)
        *r->later[i].target = value[r->later[i].node];
    if (r->graph)
        multibody_graph_start(r, value);
    for (int i = 0; i < m->body_count; i++) {
        mb_body *body = &m->bodies[i];
        if (body->joint == MB_BALL || (body->joint == MB_FREE && !body->euler))
            normalise(body->start_q + (body->joint == MB_FREE ? 3 : 0));
    }
    r->base.status = mb_model_check(m, r->base.error);
}

// FNV-1a.
static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    return hash ? hash : 1;
}

mc_status mechanism_parse(const char *bytes, size_t length, const char *name, mb_model *out,
                          mc_error *error)
{
    return mechanism_parse_tree(bytes, length, name, NULL, out, error);
}

// A concept becomes the mechanism that follows from it.
static mc_status parse_concept(const char *bytes, size_t length, const char *name,
                               const mechanism_tree *tree, mb_model *out, mc_error *error)
{
    arena memory = {0};
    char *text;
    size_t size;
    *out = (mb_model){0};
    mc_status status =
        concept_derive_text(bytes, length, name, false, &memory, &text, &size, error);
    if (status == MC_OK)
        status = mechanism_parse_tree(text, size, name, tree, out, error);
    arena_free(&memory);
    return status;
}

mc_status mechanism_parse_tree(const char *bytes, size_t length, const char *name,
                               const mechanism_tree *tree, mb_model *out, mc_error *error)
{
    if (concept_is_text(bytes, length))
        return parse_concept(bytes, length, name, tree, out, error);
    *out = (mb_model){.graph = expr_graph_create()};
    multibody_reader r = {
        .base = {.memory = &out->memory, .file = name, .what = "model", .error = error},
        .model = out,
        .tree = tree,
    };
    const yaml_node *root = NULL;
    out->file = arena_copy_text(&out->memory, name, strlen(name));
    if (!out->graph || !out->file) {
        out->file = name;
        reader_no_memory(&r.base);
    }
    if (r.base.status == MC_OK)
        r.base.status = yaml_parse(bytes, length, name, &r.scratch, &root, error);
    if (r.base.status == MC_OK) {
        out->hash = hash_of(bytes, length);
        read_model(&r, root);
        finish(&r);
    }
    if (r.base.status == MC_OK && r.switch_count > 0) {
        out->text = arena_copy_text(&out->memory, bytes, length);
        if (!out->text)
            reader_no_memory(&r.base);
    }
    arena_free(&r.scratch);
    if (r.base.status != MC_OK)
        mb_model_free(out);
    return r.base.status;
}

mc_status mechanism_read(const char *path, mb_model *out, mc_error *error)
{
    arena text = {0};
    char *bytes;
    size_t length;
    *out = (mb_model){0};
    mc_status status = file_read(&text, path, YAML_FILE_MAX, &bytes, &length, error);
    if (status == MC_OK)
        status = mechanism_parse(bytes, length, path, out, error);
    arena_free(&text);
    return status;
}

bool mc_multibody_is_text(const char *text, size_t length)
{
    arena memory = {0};
    mc_error error;
    const yaml_node *root = NULL;
    bool is = false;
    if (yaml_parse(text, length, "", &memory, &root, &error) == MC_OK && root &&
        root->kind == YAML_MAPPING) {
        const yaml_node *kind = yaml_find(root, "motorcade");
        is = kind && kind->kind == YAML_SCALAR &&
             (strcmp(kind->text, multibody_kind_words[0]) == 0 || concept_is_text(text, length));
    }
    arena_free(&memory);
    return is;
}

bool mc_multibody_is_model(const char *path)
{
    arena memory = {0};
    char *bytes;
    size_t length;
    mc_error error;
    const bool is = file_read(&memory, path, YAML_FILE_MAX, &bytes, &length, &error) == MC_OK &&
                    mc_multibody_is_text(bytes, length);
    arena_free(&memory);
    return is;
}
