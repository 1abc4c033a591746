// read_ground.c - wheels, contacts, limits and motors, settings of the engine of impulses.
#include "mechanism_file/reader.h"
#include "multibody/closing.h"
#include "multibody/model.h"
#include "terrain_file/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static expr_id number(multibody_reader *r, const yaml_node *map, multibody_section section,
                      const char *key, const char *name, double fallback)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    char place[PLACE_SIZE], unit[16] = "";
    const multibody_key *row;
    for (int i = 0; (row = multibody_key_at(i)); i++)
        if (row->section == section && strcmp(row->name, key) == 0)
            snprintf(unit, sizeof unit, "%s", row->unit);
    snprintf(place, sizeof place, "%s.%s", name, key);
    expr_unit of = multibody_unit(section, key, -1);
    of.known = true;
    if (node)
        return multibody_number(r, node, of, LITERAL_PARAMETER, reader_copy(&r->base, unit), place);
    return fallback == 0.0 ? EXPR_ZERO : expr_const(r->model->graph, fallback);
}

static int whole(multibody_reader *r, const yaml_node *map, const char *key, int fallback, int max)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    if (!node)
        return fallback;
    const double value = reader_literal(&r->base, node, (expr_unit){.known = true});
    if (r->base.status == MC_OK && !(value >= 1.0 && value <= max && value == floor(value)))
        reader_reject(&r->base, node, "%s is %.9g, expected a whole number from 1 to %d", key,
                      value, max);
    return (int)value;
}

void multibody_wheel(multibody_reader *r, const yaml_node *node, mb_wheel *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_WHEEL, -1))
        return;
    const yaml_node *body = multibody_need(r, node, "body", MULTIBODY_WHEEL);
    const yaml_node *axis = reader_get(&r->base, node, "axis");
    const yaml_node *at = reader_get(&r->base, node, "at");
    multibody_need(r, node, "radius", MULTIBODY_WHEEL);
    if (r->base.status != MC_OK)
        return;
    out->body = multibody_body_index(r, body);
    if (r->base.status == MC_OK && out->body < 0)
        reader_reject(&r->base, body, "the ground cannot be a wheel; expected a body");
    out->axis[1] = 1.0;
    if (axis)
        multibody_axis(r, axis, out->axis);
    int i = 0;
    if (at && reader_is_list(&r->base, at, 3, 3))
        for (const yaml_node *n = at->first; n; n = n->next, i++) {
            char place[PLACE_SIZE];
            snprintf(place, sizeof place, "%s.at.%c", out->name, "xyz"[i]);
            out->at[i] = multibody_number(r, n, multibody_unit(MULTIBODY_WHEEL, "at", -1),
                                          LITERAL_PARAMETER, "m", place);
        }
    out->radius = number(r, node, MULTIBODY_WHEEL, "radius", out->name, 0.0);
    out->width = number(r, node, MULTIBODY_WHEEL, "width", out->name, 0.0);
    out->friction = number(r, node, MULTIBODY_WHEEL, "friction", out->name, 0.8);
    out->restitution = number(r, node, MULTIBODY_WHEEL, "restitution", out->name, 0.0);
    out->rigid = !reader_get(&r->base, node, "stiffness");
    out->stiffness = number(r, node, MULTIBODY_WHEEL, "stiffness", out->name, 0.0);
    out->damping = number(r, node, MULTIBODY_WHEEL, "damping", out->name, 0.0);
    out->slip = number(r, node, MULTIBODY_WHEEL, "slip", out->name, 0.05);
    if (out->rigid && reader_get(&r->base, node, "damping"))
        reader_reject(
            &r->base, reader_get(&r->base, node, "damping"),
            "a wheel with damping needs the key stiffness; without it the wheel is rigid");
    out->planes = whole(r, node, "planes", 1, 5);
}

// ---- contacts ----

void multibody_contact(multibody_reader *r, const yaml_node *node, mb_contact *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_CONTACT, -1))
        return;
    const yaml_node *list = multibody_need(r, node, "bodies", MULTIBODY_CONTACT);
    if (!list || !reader_is_list(&r->base, list, 2, 2))
        return;
    out->body = multibody_body_index(r, list->first);
    out->other = multibody_body_index(r, list->first->next);
    if (r->base.status == MC_OK && out->body < 0) { // the first one is a body
        out->body = out->other;
        out->other = -1;
    }
    if (r->base.status == MC_OK && out->body < 0)
        reader_reject(&r->base, list, "the ground cannot touch itself; expected a body");
    else if (r->base.status == MC_OK && out->body == out->other)
        reader_reject(&r->base, list, "body %s cannot touch itself; expected two bodies",
                      r->model->bodies[out->body].name);
    out->friction = number(r, node, MULTIBODY_CONTACT, "friction", out->name, 0.5);
    out->restitution = number(r, node, MULTIBODY_CONTACT, "restitution", out->name, 0.0);
}

// The joint between two bodies, or NULL.
static const char *joint_between(const mb_model *m, const mb_contact *c)
{
    if (c->other < 0)
        return NULL;
    if (m->bodies[c->body].inboard == c->other)
        return mb_joint_names[m->bodies[c->body].joint];
    if (m->bodies[c->other].inboard == c->body)
        return mb_joint_names[m->bodies[c->other].joint];
    for (int i = 0; i < m->closing_count; i++) {
        const int from = m->closings[i].from.body, to = m->closings[i].to.body;
        if (!m->closings[i].kind->of_joints &&
            ((from == c->body && to == c->other) || (from == c->other && to == c->body)))
            return m->closings[i].name;
    }
    return NULL;
}

static bool can_move(const mb_model *m, int body)
{
    for (int i = body, n = 0; i >= 0 && n <= m->body_count; i = m->bodies[i].inboard, n++)
        if (m->bodies[i].joint != MB_FIXED)
            return true;
    return false;
}

static void check_contact(multibody_reader *r, const yaml_node *node, int index)
{
    const mb_model *m = r->model;
    const mb_contact *c = &m->contacts[index];
    const char *name = m->bodies[c->body].name;
    const char *other = c->other < 0 ? "ground" : m->bodies[c->other].name;
    const char *joint = joint_between(m, c);
    for (int k = 0; k < 2; k++) {
        const int body = k == 0 ? c->body : c->other;
        if (body >= 0 && m->bodies[body].shape_count == 0)
            reader_reject(&r->base, node,
                          "body %s has no shape that could touch; expected the key shape of it",
                          m->bodies[body].name);
    }
    if (joint)
        reader_reject(&r->base, node,
                      "%s and %s are joined (%s); expected bodies without a joint between them; a "
                      "joint is stopped by a limit",
                      name, other, joint);
    if (!can_move(m, c->body) && (c->other < 0 || !can_move(m, c->other)))
        reader_reject(&r->base, node, "neither %s nor %s can move; expected one that can", name,
                      other);
    for (int i = 0; i < index; i++) {
        const mb_contact *past = &m->contacts[i];
        if ((past->body == c->body && past->other == c->other) ||
            (past->body == c->other && past->other == c->body))
            reader_reject(&r->base, node,
                          "%s and %s are the bodies of contact %s already; expected each pair once",
                          name, other, past->name);
    }
}

void multibody_contacts_check(multibody_reader *r, const yaml_node *root)
{
    const yaml_node *map = r->base.status == MC_OK ? yaml_find(root, "contacts") : NULL;
    int i = 0;
    for (const yaml_node *n = map ? map->first : NULL; n && r->base.status == MC_OK; n = n->next)
        check_contact(r, yaml_find(n, "bodies"), i++);
}

void multibody_terrain(multibody_reader *r, const yaml_node *root)
{
    const yaml_node *map = reader_get(&r->base, root, "terrain");
    if (map && r->base.status == MC_OK)
        r->model->terrain = terrain_read(&r->base, map, NULL);
}

// The body of a limit or motor: it hangs on a hinge or prism.
static int driven_body(multibody_reader *r, const yaml_node *map, multibody_section section)
{
    const yaml_node *node = multibody_need(r, map, "body", section);
    const int body = node ? multibody_body_index(r, node) : 0;
    if (r->base.status != MC_OK)
        return 0;
    if (body < 0 ||
        (r->model->bodies[body].joint != MB_HINGE && r->model->bodies[body].joint != MB_PRISM))
        reader_reject(&r->base, node, "%s needs a body that hangs on a hinge or a prism",
                      multibody_section_name(section));
    return body < 0 ? 0 : body;
}

void multibody_limit(multibody_reader *r, const yaml_node *node, mb_limit *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_LIMIT, -1))
        return;
    out->body = driven_body(r, node, MULTIBODY_LIMIT);
    if (r->base.status != MC_OK)
        return;
    const bool turns = r->model->bodies[out->body].joint == MB_HINGE;
    double factor;
    const expr_unit unit = reader_unit_of(turns ? "rad" : "m", &factor);
    const char *const keys[2] = {"min", "max"};
    expr_id *const to[2] = {&out->min, &out->max};
    for (int k = 0; k < 2; k++) {
        const yaml_node *n = reader_get(&r->base, node, keys[k]);
        char place[PLACE_SIZE];
        snprintf(place, sizeof place, "%s.%s", out->name, keys[k]);
        *(k ? &out->has_max : &out->has_min) = n != NULL;
        if (n)
            *to[k] = multibody_number(r, n, unit, LITERAL_PARAMETER, turns ? "rad" : "m", place);
    }
    if (!out->has_min && !out->has_max)
        reader_reject(&r->base, node->key, "a limit needs the key min, or max, or both");
    out->restitution = number(r, node, MULTIBODY_LIMIT, "restitution", out->name, 0.0);
}

void multibody_motor(multibody_reader *r, const yaml_node *node, mb_motor *out)
{
    out->name = multibody_name(r, node->key);
    out->line = node->key->line;
    if (!multibody_check_keys(r, node, MULTIBODY_MOTOR, -1))
        return;
    out->body = driven_body(r, node, MULTIBODY_MOTOR);
    const yaml_node *speed = multibody_need(r, node, "speed", MULTIBODY_MOTOR);
    const yaml_node *max = multibody_need(r, node, "max", MULTIBODY_MOTOR);
    if (r->base.status != MC_OK)
        return;
    out->speed = multibody_formula(r, speed);
    out->max = multibody_formula(r, max);
}

static const char *word(multibody_reader *r, const yaml_node *map, const char *key,
                        const char *const words[2])
{
    const yaml_node *node = reader_get(&r->base, map, key);
    const int k = node ? reader_choice(&r->base, node, words, 2) : -1;
    return k < 0 ? NULL : words[k];
}

void multibody_stepping(multibody_reader *r, const yaml_node *map, mb_stepping *out)
{
    const struct {
        const char *key;
        double *to;
    } numbers[] = {{"fixed_step", &out->fixed_step}, {"tolerance", &out->tolerance}};
    out->line = map->line;
    out->engine = word(r, map, "engine", multibody_engine_words);
    out->friction = word(r, map, "friction", multibody_friction_words);
    out->solver = word(r, map, "solver", multibody_solver_words);
    for (int k = 0; k < 2; k++) {
        const yaml_node *n = reader_get(&r->base, map, numbers[k].key);
        if (!n)
            continue;
        *numbers[k].to =
            reader_literal(&r->base, n, multibody_unit(MULTIBODY_SIMULATE, numbers[k].key, -1));
        if (r->base.status == MC_OK && !(*numbers[k].to > 0.0))
            reader_reject(&r->base, n, "%s is %.9g, it must be above 0", numbers[k].key,
                          *numbers[k].to);
    }
    out->iterations = whole(r, map, "iterations", 0, 1000000);
    out->substeps = whole(r, map, "substeps", 0, 1000);
}
