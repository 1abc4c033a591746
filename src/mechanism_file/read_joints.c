// read_joints.c - joints beside the tree, and what closing the loops must not move.
#include "mechanism_file/reader.h"

#include "multibody/closing.h"

#include <stdio.h>
#include <string.h>

enum { KINDS_MAX = 128 };

static const mb_closing_kind *read_kind(multibody_reader *r, const yaml_node *node)
{
    const char *names[KINDS_MAX];
    int count = 0;
    for (; count < KINDS_MAX && mb_closing_kind_at(count); count++)
        names[count] = mb_closing_kind_at(count)->is.name;
    const int k = node ? reader_choice(&r->base, node, names, count) : -1;
    return k < 0 ? NULL : mb_closing_kind_at(k);
}

static const mb_point *find_point(const mb_model *m, const char *name)
{
    for (int i = 0; i < m->point_count; i++)
        if (strcmp(m->points[i].name, name) == 0)
            return &m->points[i];
    return NULL;
}

// One side: a body with a place on it, or a point.
static void read_mount(multibody_reader *r, const yaml_node *map, bool to, const char *name,
                       mb_mount *out)
{
    const yaml_node *node = multibody_need(r, map, to ? "to" : "from", MULTIBODY_JOINT);
    const char *const at_key = to ? "to_at" : "at";
    const yaml_node *at = reader_get(&r->base, map, at_key);
    const yaml_node *turn = reader_get(&r->base, map, to ? "to_orientation" : "orientation");
    if (!node)
        return;
    const mb_point *point = find_point(r->model, reader_text(&r->base, node));
    if (point) {
        out->body = point->body;
        memcpy(out->at, point->at, sizeof out->at);
        if (at)
            reader_reject(&r->base, at, "%s is a point and has its place already", point->name);
    } else {
        out->body = multibody_body_index(r, node);
        int i = 0;
        if (at && reader_is_list(&r->base, at, 3, 3))
            for (const yaml_node *n = at->first; n; n = n->next, i++) {
                char place[PLACE_SIZE];
                snprintf(place, sizeof place, "%s.%s.%c", name, at_key, "xyz"[i]);
                out->at[i] = multibody_number(r, n, multibody_unit(MULTIBODY_JOINT, at_key, -1),
                                              LITERAL_PARAMETER, "m", place);
            }
    }
    multibody_orientation(r, turn, out->turn);
}

static void read_axes(multibody_reader *r, const yaml_node *map, mb_closing *out)
{
    const yaml_node *axis = reader_get(&r->base, map, "axis");
    const yaml_node *other = reader_get(&r->base, map, "to_axis");
    const mb_closing_kind *kind = out->kind;
    if (kind->is.axes == 0 && (axis || other)) {
        reader_reject(&r->base, axis ? axis : other, "a %s joint has no axis", kind->is.name);
        return;
    }
    if (kind->is.axes > 0 && !axis)
        reader_reject(&r->base, map->key,
                      "a %s joint needs the key axis (x, y, z, -x, -y, -z or three numbers)",
                      kind->is.name);
    if (kind->is.axes > 1 && !other)
        reader_reject(&r->base, map->key, "a %s joint needs the key to_axis", kind->is.name);
    if (r->base.status != MC_OK || kind->is.axes == 0)
        return;
    multibody_axis(r, axis, out->from.axis);
    if (other)
        multibody_axis(r, other, out->to.axis);
    else
        memcpy(out->to.axis, out->from.axis, sizeof out->to.axis);
}

static void read_value(multibody_reader *r, const yaml_node *map, mb_closing *out, int k)
{
    const mc_joint_value *value = &out->kind->is.value[k];
    const yaml_node *node = reader_get(&r->base, map, value->key);
    if (!node && value->needed)
        reader_reject(&r->base, map->key, "a %s joint needs the key %s (%s)", out->kind->is.name,
                      value->key, value->doc);
    if (!node)
        return;
    expr_unit unit = {.known = true};
    double factor;
    int bad;
    if (*value->unit)
        expr_unit_read(value->unit, (int)strlen(value->unit), &unit, &factor, &bad);
    char place[PLACE_SIZE];
    snprintf(place, sizeof place, "%s.%s", out->name, value->key);
    out->value[k] = multibody_number(r, node, unit, LITERAL_PARAMETER, value->unit, place);
}

static void read_values(multibody_reader *r, const yaml_node *map, mb_closing *out)
{
    const mc_joint_value *own = out->kind->is.value;
    for (const yaml_node *n = map->first; n; n = n->next) {
        bool has = !mb_closing_value_find(n->key->text);
        for (int k = 0; k < MC_JOINT_VALUE_MAX && own[k].key; k++)
            has = has || strcmp(own[k].key, n->key->text) == 0;
        if (!has)
            reader_reject(&r->base, n, "a %s joint has no %s", out->kind->is.name, n->key->text);
    }
    for (int k = 0; k < MC_JOINT_VALUE_MAX && own[k].key; k++)
        read_value(r, map, out, k);
}

void multibody_switch(multibody_reader *r, const yaml_node *map, mb_switch *out)
{
    const yaml_node *on = reader_get(&r->base, map, "on_when");
    const yaml_node *off = reader_get(&r->base, map, "off_when");
    if (on)
        out->on_when = multibody_formula(r, on);
    if (off)
        out->off_when = multibody_formula(r, off);
    out->off = on != NULL; // until its condition holds
    if ((on || off) && r->base.status == MC_OK && r->switch_count++ == MB_SWITCHES_MAX)
        reader_reject(&r->base, map->key,
                      "a model has at most %d joints and constraints with a condition",
                      MB_SWITCHES_MAX);
}

static bool has_one_coordinate(const mb_model *m, int body)
{
    return body >= 0 && mb_coordinate_count(&m->bodies[body]) == 1;
}

void multibody_joint(multibody_reader *r, const yaml_node *map, mb_closing *out)
{
    static const char *const general[] = {"free", "sequence", "held"};
    static const char *const of_graph[] = {"start", "stiffness", "damping", "rest", "load"};
    out->name = multibody_name(r, map->key);
    out->line = map->key->line;
    for (int k = 0; k < 3; k++)
        out->sequence[k] = k;
    if (!multibody_check_keys(r, map, MULTIBODY_JOINT, -1))
        return;
    for (size_t k = 0; !r->graph && k < sizeof of_graph / sizeof of_graph[0]; k++)
        if (reader_get(&r->base, map, of_graph[k]))
            reader_reject(&r->base, reader_get(&r->base, map, of_graph[k])->key,
                          "a joint that closes a loop has no %s: it has no coordinate; it can have "
                          "one where no body has a joint and all are under joints",
                          of_graph[k]);
    out->kind = read_kind(r, multibody_need(r, map, "joint", MULTIBODY_JOINT));
    if (!out->kind)
        return;
    if (!r->graph || !out->kind->of_joints) {
        read_mount(r, map, false, out->name, &out->from);
        read_mount(r, map, true, out->name, &out->to);
    }
    if (r->base.status == MC_OK)
        read_axes(r, map, out);
    if (r->base.status == MC_OK)
        read_values(r, map, out);
    multibody_switch(r, map, &out->change);
    if (r->base.status == MC_OK && out->kind->general)
        multibody_general(r, map, out->name, out->sequence, out->free, out->held);
    for (size_t k = 0; k < sizeof general / sizeof general[0] && !out->kind->general; k++)
        if (reader_get(&r->base, map, general[k]))
            reader_reject(&r->base, reader_get(&r->base, map, general[k]), "a %s joint has no %s",
                          out->kind->is.name, general[k]);
    if (r->graph && out->kind->of_joints)
        return;
    if (r->base.status == MC_OK && out->from.body == out->to.body)
        reader_reject(&r->base, map->key, "joint %s has both sides on %s and holds nothing",
                      out->name,
                      out->from.body < 0 ? "the ground" : r->model->bodies[out->from.body].name);
    if (r->base.status == MC_OK && out->kind->of_joints &&
        (!has_one_coordinate(r->model, out->from.body) ||
         !has_one_coordinate(r->model, out->to.body)))
        reader_reject(&r->base, map->key,
                      "a %s joins two bodies that each have one coordinate: a hinge or a prism",
                      out->kind->is.name);
}

void multibody_joints(multibody_reader *r, const yaml_node *root)
{
    const yaml_node *map = reader_get(&r->base, root, "joints");
    mb_model *m = r->model;
    if (!map || reader_is_empty(map) || r->base.status != MC_OK)
        return;
    if (map->kind != YAML_MAPPING) {
        reader_reject(&r->base, map, "expected a map of joints, each \"name: {joint: ...}\"");
        return;
    }
    if (r->graph) {
        multibody_graph_joints(r, root);
        return;
    }
    m->closings = reader_alloc(&r->base, map->count, sizeof m->closings[0]);
    for (const yaml_node *n = map->first; n && r->base.status == MC_OK; n = n->next)
        multibody_joint(r, n, &m->closings[m->closing_count++]);
}

// ---- keep ----

static bool keep_one(mb_model *m, const char *name)
{
    char own[96];
    for (int b = 0; b < m->body_count; b++) {
        mb_body *body = &m->bodies[b];
        const int q_count = mb_coordinate_count(body), v_count = mb_velocity_count(body);
        for (int k = 0; k < v_count; k++) {
            mb_velocity_name(body, k, own);
            if (strcmp(own, name) == 0)
                return body->keep_rate[k] = true;
        }
        for (int k = 0; k < q_count; k++) {
            mb_coordinate_name(body, k, own);
            if (strcmp(own, name) != 0)
                continue;
            // One part of a quaternion stands for the whole turn.
            const int turned = q_count > v_count ? v_count - 3 : v_count;
            for (int j = k < turned ? k : turned; j < (k < turned ? k + 1 : v_count); j++)
                body->keep[j] = true;
            return true;
        }
    }
    return false;
}

void multibody_keep(multibody_reader *r, const yaml_node *root)
{
    const yaml_node *list = reader_get(&r->base, root, "keep");
    if (!list || r->base.status != MC_OK)
        return;
    if (list->kind != YAML_SEQUENCE) {
        reader_reject(&r->base, list, "expected a list such as [crank.angle]");
        return;
    }
    for (const yaml_node *n = list->first; n && r->base.status == MC_OK; n = n->next)
        if (!keep_one(r->model, reader_text(&r->base, n)))
            reader_reject(&r->base, n,
                          "no coordinate or velocity has the name \"%.60s\"; expected one such as "
                          "BODY.angle or BODY.angle_rate",
                          reader_text(&r->base, n));
}

// ---- loads ----

static bool is_closing(const mb_model *m, const char *name)
{
    for (int i = 0; i < m->closing_count; i++)
        if (strcmp(m->closings[i].name, name) == 0)
            return true;
    return false;
}

static void ask_load(multibody_reader *r, const yaml_node *node)
{
    mb_model *m = r->model;
    if (is_closing(m, reader_text(&r->base, node))) {
        reader_reject(&r->base, node,
                      "%s stands under joints and always gives its loads; expected "
                      "bodies, for the joints on which they hang",
                      reader_text(&r->base, node));
        return;
    }
    const int body = multibody_body_index(r, node);
    if (r->base.status == MC_OK && body < 0)
        reader_reject(&r->base, node, "the ground hangs on no joint; expected a body");
    for (int i = 0; i < m->load_count && r->base.status == MC_OK; i++)
        if (m->loads[i] == body)
            reader_reject(&r->base, node, "%s is asked for twice", m->bodies[body].name);
    if (r->base.status == MC_OK)
        m->loads[m->load_count++] = body;
}

void multibody_loads(multibody_reader *r, const yaml_node *root)
{
    const yaml_node *list = reader_get(&r->base, root, "loads");
    mb_model *m = r->model;
    if (!list || r->base.status != MC_OK)
        return;
    m->loads = reader_alloc(&r->base, m->body_count, sizeof m->loads[0]);
    if (list->kind == YAML_SEQUENCE) {
        for (const yaml_node *n = list->first; n && r->base.status == MC_OK; n = n->next)
            ask_load(r, n);
    } else if (list->kind == YAML_SCALAR &&
               strcmp(reader_text(&r->base, list), multibody_all_words[0]) == 0) {
        for (int i = 0; i < m->body_count && r->base.status == MC_OK; i++)
            m->loads[m->load_count++] = i;
    } else {
        reader_reject(&r->base, list, "expected a list of bodies such as [arm, wheel], or all");
    }
}
