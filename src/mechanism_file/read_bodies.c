// read_bodies.c - the bodies of mechanism files.
#include "mechanism_file/reader.h"

#include "multibody/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct body_reader {
    multibody_reader *r;
    const yaml_node *map;
    mb_body *body;
} body_reader;

static const yaml_node *get(const body_reader *b, const char *key)
{
    return reader_get(&b->r->base, b->map, key);
}

static expr_unit unit_of(const body_reader *b, const char *key)
{
    return multibody_unit(MULTIBODY_BODY, key, (int)b->body->joint);
}

static const char *unit_text(const char *key, mb_joint joint)
{
    const multibody_key *row;
    for (int i = 0; (row = multibody_key_at(i)); i++)
        if (row->section == MULTIBODY_BODY && strcmp(row->name, key) == 0 &&
            (row->joints == 0 || row->joints & (1u << joint)))
            return row->unit;
    return "";
}

static expr_id read_number(const body_reader *b, const char *key)
{
    const yaml_node *node = get(b, key);
    char place[PLACE_SIZE];
    if (!node)
        return EXPR_ZERO;
    snprintf(place, sizeof place, "%s.%s", b->body->name, key);
    return multibody_number(b->r, node, unit_of(b, key), LITERAL_PARAMETER,
                            unit_text(key, b->body->joint), place);
}

// Three numbers named body.key.x and so on.
static void read_vector(const body_reader *b, const char *key, expr_id out[3])
{
    const yaml_node *list = get(b, key);
    if (!list || !reader_is_list(&b->r->base, list, 3, 3))
        return;
    int i = 0;
    for (const yaml_node *n = list->first; n; n = n->next, i++) {
        char place[PLACE_SIZE];
        snprintf(place, sizeof place, "%s.%s.%c", b->body->name, key, "xyz"[i]);
        out[i] = multibody_number(b->r, n, unit_of(b, key), LITERAL_PARAMETER,
                                  unit_text(key, b->body->joint), place);
    }
}

// Equal literals across an axis of symmetry are one parameter: it cannot be broken by changing one.
static void read_inertia(const body_reader *b)
{
    static const char *const tensor[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    mb_body *body = b->body;
    const yaml_node *list = get(b, "inertia"), *part[3];
    const int k = body->axisymmetric;
    const int first = k == 0 ? 1 : 0, second = k == 2 ? 1 : 2;
    if (!list || !reader_is_list(&b->r->base, list, 3, 6))
        return;
    int i = 0;
    for (const yaml_node *n = list->first; n; n = n->next, i++) {
        char place[PLACE_SIZE];
        snprintf(place, sizeof place, "%s.inertia.%s", body->name, tensor[i]);
        if (i < 3)
            part[i] = n;
        if (k >= 0 && i == second && n->kind == YAML_SCALAR &&
            strcmp(n->text, part[first]->text) == 0)
            body->inertia[i] = body->inertia[first];
        else
            body->inertia[i] = multibody_number(b->r, n, unit_of(b, "inertia"), LITERAL_PARAMETER,
                                                unit_text("inertia", body->joint), place);
    }
}

// ---- orientation and axis ----

static const expr_unit plain = {.known = true};

// Rounding leaves 6e-17 for the cosine of 90 deg, where structure wants 0.
static double clean(double x)
{
    return fabs(x) < 1e-15 ? 0.0 : fabs(fabs(x) - 1.0) < 1e-15 ? copysign(1.0, x) : x;
}

static mb_mat turn_about(expr_graph *g, int axis, expr_id angle)
{
    mb_mat R = mb_mat_axis(g, axis, angle);
    double value;
    for (int i = 0; i < 9; i++)
        if (expr_is_const(g, R.m[i], &value))
            R.m[i] = expr_const(g, clean(value));
    return R;
}

static mb_mat read_turn_angles(multibody_reader *r, const yaml_node *map)
{
    mb_mat R = mb_mat_identity();
    int sequence[3];
    if (!multibody_check_keys(r, map, MULTIBODY_ORIENTATION, -1))
        return R;
    const yaml_node *order = multibody_need(r, map, "sequence", MULTIBODY_ORIENTATION);
    const yaml_node *angles = multibody_need(r, map, "angles", MULTIBODY_ORIENTATION);
    if (!order || !angles || !multibody_sequence(r, order, sequence) ||
        !reader_is_list(&r->base, angles, 3, 3))
        return R;
    int i = 0;
    for (const yaml_node *n = angles->first; n; n = n->next, i++) {
        const expr_id angle = multibody_number(r, n, plain, LITERAL_CONSTANT, "", "");
        const mb_mat next = turn_about(r->model->graph, sequence[i], angle);
        R = mb_mat_mul(r->model->graph, &R, &next);
    }
    return R;
}

static mb_mat read_turn_quaternion(multibody_reader *r, const yaml_node *list)
{
    expr_graph *g = r->model->graph;
    expr_id q[4] = {EXPR_ONE};
    double value[4], square = 0.0;
    bool known = true;
    int i = 0;
    if (!reader_is_list(&r->base, list, 4, 4))
        return mb_mat_identity();
    for (const yaml_node *n = list->first; n; n = n->next, i++) {
        q[i] = multibody_number(r, n, plain, LITERAL_CONSTANT, "", "");
        known = expr_is_const(g, q[i], &value[i]) && known;
        square += known ? value[i] * value[i] : 0.0;
    }
    const double norm = sqrt(square);
    if (known && !(fabs(norm - 1.0) <= 1e-6))
        reader_reject(&r->base, list, "the quaternion has the length %.9g, it must be 1", norm);
    for (i = 0; i < 4 && known && r->base.status == MC_OK; i++)
        q[i] = expr_const(g, value[i] / norm);
    return mb_mat_quaternion(g, q);
}

void multibody_orientation(multibody_reader *r, const yaml_node *node, expr_id turn[9])
{
    mb_mat R = mb_mat_identity();
    if (node)
        R = node->kind == YAML_MAPPING ? read_turn_angles(r, node) : read_turn_quaternion(r, node);
    memcpy(turn, R.m, sizeof R.m);
}

void multibody_axis(multibody_reader *r, const yaml_node *node, double axis[3])
{
    if (node->kind == YAML_SCALAR) {
        const int k = reader_choice(&r->base, node, multibody_axis_words, 6);
        if (k >= 0)
            axis[k % 3] = k < 3 ? 1.0 : -1.0;
        return;
    }
    if (!reader_is_list(&r->base, node, 3, 3))
        return;
    double largest = 0.0, square = 0.0;
    int i = 0;
    for (const yaml_node *n = node->first; n; n = n->next, i++) {
        axis[i] = reader_literal(&r->base, n, (expr_unit){0});
        largest = fmax(largest, fabs(axis[i]));
    }
    if (largest == 0.0)
        reader_reject(&r->base, node, "the axis is zero, it must have a direction");
    for (i = 0; i < 3; i++)
        square += (axis[i] / largest) * (axis[i] / largest);
    const double length = sqrt(square);
    for (i = 0; i < 3 && largest > 0.0; i++)
        axis[i] = axis[i] / largest / length;
}

static void read_axis(const body_reader *b)
{
    mb_body *body = b->body;
    if (body->joint != MB_HINGE && body->joint != MB_PRISM)
        return;
    const yaml_node *node = get(b, "axis");
    if (node)
        multibody_axis(b->r, node, body->axis);
    else
        reader_reject(&b->r->base, b->map->key,
                      "a %s needs the key axis (x, y, z, -x, -y, -z or three "
                      "numbers)",
                      mb_joint_names[body->joint]);
}

// ---- kinds of joints ----

static void read_free_joint(const body_reader *b)
{
    const yaml_node *angles = get(b, "angles"), *velocity = get(b, "velocity");
    if (angles && strcmp(angles->text, "quaternion") != 0)
        b->body->euler = multibody_sequence(b->r, angles, b->body->sequence);
    if (velocity)
        b->body->quasi_velocity =
            reader_choice(&b->r->base, velocity, multibody_frame_words, 2) == 1;
}

// The six parts of a general hinge by name.
static void part_names(const int sequence[3], char names[6][8], const char *words[6])
{
    for (int i = 0; i < 6; i++) {
        const int axis = i < 3 ? i : sequence[i - 3];
        const bool again = i == 5 && sequence[0] == axis;
        snprintf(names[i], 8, "%c%c%s", i < 3 ? 't' : 'r', "xyz"[axis], again ? "2" : "");
        words[i] = names[i];
    }
}

static void read_free(multibody_reader *r, const yaml_node *map, const char *const words[6],
                      bool free[6])
{
    const yaml_node *list = reader_get(&r->base, map, "free");
    if (!list)
        reader_reject(&r->base, map->key,
                      "a general joint needs the key free (the coordinates that "
                      "move: some of tx ty tz rx ry rz)");
    else if (list->kind != YAML_SEQUENCE)
        reader_is_list(&r->base, list, 1, 6);
    for (const yaml_node *n = list ? list->first : NULL; n && r->base.status == MC_OK;
         n = n->next) {
        const int i = reader_choice(&r->base, n, words, 6);
        if (i >= 0 && free[i])
            reader_reject(&r->base, n, "%s is listed twice", words[i]);
        if (i >= 0)
            free[i] = true;
    }
}

void multibody_general(multibody_reader *r, const yaml_node *map, const char *name, int sequence[3],
                       bool free[6], expr_id held[6])
{
    char names[6][8];
    const char *words[6];
    const yaml_node *order = reader_get(&r->base, map, "sequence");
    const yaml_node *values = reader_get(&r->base, map, "held");
    if (order)
        multibody_sequence(r, order, sequence);
    part_names(sequence, names, words);
    read_free(r, map, words, free);
    if (values && values->kind != YAML_MAPPING)
        reader_reject(&r->base, values, "expected a map such as {ry: 5 deg}");
    for (const yaml_node *n = values ? values->first : NULL; n && r->base.status == MC_OK;
         n = n->next) {
        const int i = reader_choice(&r->base, n->key, words, 6);
        if (i < 0)
            return;
        if (free[i])
            reader_reject(&r->base, n->key, "%s is free and cannot also be held", words[i]);
        const expr_unit metre = {.known = true, .length = 6};
        char place[PLACE_SIZE];
        snprintf(place, sizeof place, "%s.held.%s", name, words[i]);
        held[i] = multibody_number(r, n, i < 3 ? metre : plain, LITERAL_PARAMETER,
                                   i < 3 ? "m" : "rad", place);
    }
}

// ---- start ----

// The part after the dot.
static const char *short_name(const char *name)
{
    return strchr(name, '.') + 1;
}

static expr_unit start_unit(const mb_body *body, const char *word, bool rate)
{
    const bool length = word[0] == 't' || word[0] == 'v' || body->joint == MB_PRISM ||
                        (body->joint == MB_FREE && strchr("xyz", word[0]) && word[1] == '\0');
    return (expr_unit){.known = true, .length = length ? 6 : 0, .time = rate ? -6 : 0};
}

// Coordinate k has a start value; one of a quaternion stands for all of it.
static void mark_given(mb_body *body, int k)
{
    const int q_count = mb_coordinate_count(body), v_count = mb_velocity_count(body);
    if (k >= q_count)
        return;
    const int turned = q_count > v_count ? v_count - 3 : v_count; // velocities of the quaternion
    for (int j = k < turned ? k : turned; j < (k < turned ? k + 1 : v_count); j++)
        body->given[j] = true;
}

static void read_start_value(const body_reader *b, const yaml_node *node)
{
    mb_body *body = b->body;
    char names[MB_COORDINATE_MAX + MB_VELOCITY_MAX][96];
    const char *words[MB_COORDINATE_MAX + MB_VELOCITY_MAX];
    const int q_count = mb_coordinate_count(body), v_count = mb_velocity_count(body);
    for (int k = 0; k < q_count + v_count; k++) {
        if (k < q_count)
            mb_coordinate_name(body, k, names[k]);
        else
            mb_velocity_name(body, k - q_count, names[k]);
        words[k] = short_name(names[k]);
        if (strcmp(words[k], node->key->text) == 0) {
            multibody_value_later(b->r, node, start_unit(body, words[k], k >= q_count),
                                  k < q_count ? &body->start_q[k] : &body->start_v[k - q_count]);
            mark_given(body, k);
            return;
        }
    }
    reader_choice(&b->r->base, node->key, words, q_count + v_count); // reports the error
}

void multibody_start(multibody_reader *r, const yaml_node *map, mb_body *body)
{
    const body_reader own = {r, map, body}, *b = &own;
    if (body->joint == MB_BALL || (body->joint == MB_FREE && !body->euler))
        body->start_q[body->joint == MB_BALL ? 0 : 3] = 1.0;
    if (!map || b->r->base.status != MC_OK)
        return;
    if (map->kind != YAML_MAPPING)
        reader_reject(&b->r->base, map, "expected a map of start values such as {%s: 0}",
                      body->joint == MB_HINGE ? "angle" : "vx");
    for (const yaml_node *n = map->first; n && b->r->base.status == MC_OK; n = n->next)
        read_start_value(b, n);
}

// ---- the body ----

static void read_body(multibody_reader *r, const yaml_node *map, mb_body *body)
{
    const body_reader b = {r, map, body};
    if (map->kind != YAML_MAPPING) {
        multibody_check_keys(r, map, MULTIBODY_BODY, -1);
        return;
    }
    const yaml_node *joint = get(&b, "joint");
    if (!joint)
        reader_reject(&r->base, map->key,
                      "a body needs the key joint (free, fixed, hinge, prism, ball or general), or "
                      "no body has one and all joints are under joints");
    const int kind = joint ? reader_choice(&r->base, joint, mb_joint_names, MB_JOINT_COUNT) : -1;
    if (kind < 0)
        return;
    body->joint = (mb_joint)kind;
    if (!multibody_check_keys(r, map, MULTIBODY_BODY, kind))
        return;
    const yaml_node *inboard = get(&b, "inboard"), *symmetry = get(&b, "axisymmetric");
    body->inboard = inboard ? multibody_body_index(r, inboard) : -1;
    read_vector(&b, "at", body->at);
    multibody_orientation(r, get(&b, "orientation"), body->turn);
    read_axis(&b);
    if (body->joint == MB_FREE)
        read_free_joint(&b);
    if (body->joint == MB_GENERAL)
        multibody_general(r, map, body->name, body->sequence, body->free, body->held);
    body->mass = read_number(&b, "mass");
    read_vector(&b, "com", body->com);
    if (symmetry)
        body->axisymmetric = reader_choice(&r->base, symmetry, multibody_axis_words, 3);
    read_inertia(&b);
    if (body->joint == MB_HINGE || body->joint == MB_PRISM) {
        body->stiffness = read_number(&b, "stiffness");
        body->damping = read_number(&b, "damping");
        body->rest = read_number(&b, "rest");
        const yaml_node *load = get(&b, "load");
        if (load)
            body->load = multibody_formula(r, load);
    }
    multibody_start(r, get(&b, "start"), body);
}

// Without a joint: what the body is, and where.
static void read_graph_body(multibody_reader *r, const yaml_node *map, mb_body *body, int index)
{
    const body_reader b = {r, map, body};
    if (!multibody_check_keys(r, map, MULTIBODY_BODY, MULTIBODY_GRAPH))
        return;
    const yaml_node *symmetry = get(&b, "axisymmetric");
    body->mass = read_number(&b, "mass");
    read_vector(&b, "com", body->com);
    if (symmetry)
        body->axisymmetric = reader_choice(&r->base, symmetry, multibody_axis_words, 3);
    read_inertia(&b);
    multibody_graph_body_read(r, map, index);
}

void multibody_bodies(multibody_reader *r, const yaml_node *root, const yaml_node *bodies)
{
    mb_model *m = r->model;
    if (r->base.status != MC_OK)
        return;
    if (bodies->kind != YAML_MAPPING || bodies->count == 0) {
        reader_reject(&r->base, bodies,
                      "expected a map of bodies, each \"name: {joint: ..., mass: ...}\"");
        return;
    }
    m->bodies = reader_alloc(&r->base, bodies->count, sizeof m->bodies[0]);
    if (!m->bodies)
        return;
    multibody_graph_begin(r, root);
    // Names first: a body may hang on one that comes later.
    for (const yaml_node *n = bodies->first; n && r->base.status == MC_OK; n = n->next)
        m->bodies[m->body_count++] = (mb_body){.name = multibody_name(r, n->key),
                                               .line = n->key->line,
                                               .inboard = -1,
                                               .sequence = {0, 1, 2},
                                               .axisymmetric = -1};
    int i = 0;
    for (const yaml_node *n = bodies->first; n && r->base.status == MC_OK; n = n->next)
        if (r->graph)
            read_graph_body(r, n, &m->bodies[i], i), i++;
        else
            read_body(r, n, &m->bodies[i++]);
}
