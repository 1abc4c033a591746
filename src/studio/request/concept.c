// concept.c - a concept on the bench: what follows from its text, and another text for its world.
#include "studio/request/requests.h"

#include "motorcade/concept_edit.h"
#include "motorcade/concept_live.h"
#include "studio/hub/inside.h"
#include "studio/request/concept_text.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what it is made of ----

static json_t *mass_json(const mc_concept_mass *m)
{
    json_t *row = json_object();
    json_put(row, "name", json_string(m->name));
    json_put(row, "mass", json_value(m->mass));
    json_put(row, "centre", json_values(m->centre, 3));
    return row;
}

static json_t *parts_json(const mc_concept *c)
{
    json_t *list = json_array();
    mc_concept_mass m;
    for (int i = 0; mc_concept_part(c, i, &m); i++) {
        json_t *row = mass_json(&m);
        json_put(row, "kind", json_string(m.kind));
        json_put(row, "group", json_string(m.group));
        json_put(row, "body", json_integer(mc_concept_body_of(c, i)));
        json_put(row, "shape", json_integer(mc_concept_shape_of(c, i)));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *masses_json(const mc_concept *c,
                           bool (*at)(const mc_concept *c, int i, mc_concept_mass *out))
{
    json_t *list = json_array();
    mc_concept_mass m;
    for (int i = 0; at(c, i, &m); i++)
        json_array_append_new(list, mass_json(&m));
    return list;
}

static json_t *edges_json(const mc_concept *c)
{
    json_t *list = json_array();
    mc_concept_edge e;
    for (int i = 0; mc_concept_connection(c, i, &e); i++)
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:i,s:i,s:b}", "name", e.name, "kind", e.kind,
                                        "from", e.from_body, "to", e.to_body, "rigid", e.rigid));
    return list;
}

static json_t *axles_json(const mc_concept *c, const mc_concept_state *state)
{
    mc_concept_dimensions d;
    mc_concept_measure(c, &d);
    json_t *list = json_array();
    for (int k = 0; k < d.axle_count; k++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(d.axle[k].name));
        json_put(row, "x", json_value(d.axle[k].x));
        json_put(row, "track", json_value(d.axle[k].track));
        json_put(row, "radius", json_value(d.axle[k].radius));
        json_put(row, "load", state->loaded ? json_value(state->loads.load[k]) : json_null());
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *sizes_json(const mc_concept *c)
{
    mc_concept_dimensions d;
    mc_concept_measure(c, &d);
    const struct {
        const char *name;
        double value;
    } all[] = {{"length", d.length},       {"width", d.width},         {"height", d.height},
               {"wheelbase", d.wheelbase}, {"clearance", d.clearance}, {"ground", d.ground}};
    json_t *out = json_object();
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        json_put(out, all[k].name, json_value(all[k].value));
    return out;
}

static json_t *road_json(const mc_concept *c)
{
    json_t *bumps = json_array(), *out = json_object();
    mc_concept_bump b;
    for (int i = 0; mc_concept_bump_at(c, i, &b); i++)
        json_array_append_new(bumps, json_pack("{s:s,s:f,s:f,s:f,s:b,s:i}", "name", b.name, "at",
                                               b.at, "length", b.length, "height", b.height, "ramp",
                                               b.ramp, "side", b.side));
    json_put(out, "speed", json_value(mc_concept_speed(c)));
    json_put(out, "bumps", bumps);
    return out;
}

static json_t *templates_json(void)
{
    json_t *list = json_array();
    mc_concept_template t;
    for (int i = 0; mc_concept_template_at(i, &t); i++) {
        json_t *points = json_array();
        const char *name, *doc;
        bool needed;
        for (int k = 0; mc_concept_hardpoint_at(i, k, &name, &doc, &needed); k++)
            json_array_append_new(
                points, json_pack("{s:s,s:s,s:b}", "name", name, "doc", doc, "needed", needed));
        json_array_append_new(
            list, json_pack("{s:s,s:s,s:o}", "name", t.name, "doc", t.doc, "points", points));
    }
    return list;
}

static void put_value(void *context, const mc_concept_value *v)
{
    json_array_append_new(
        context, json_pack("{s:s,s:s,s:i}", "path", v->path, "text", v->text, "line", v->line));
}

static json_t *answer(const concept_text *t, const mc_concept_state *state)
{
    const mc_concept *c = state->concept;
    json_t *out = json_object(), *values = json_array();
    mc_concept_mass whole;
    mc_concept_whole(c, &whole);
    mc_concept_values(t->text, t->file, put_value, values, NULL);
    json_put(out, "name", json_string(mc_concept_name(c)));
    json_put(out, "file", json_string(t->file));
    json_put(out, "text", json_string(t->text));
    json_put(out, "values", values);
    json_put(out, "whole", mass_json(&whole));
    json_put(out, "assemblies", masses_json(c, mc_concept_assembly));
    json_put(out, "parts", parts_json(c));
    json_put(out, "bodies", masses_json(c, mc_concept_body));
    json_put(out, "edges", edges_json(c));
    json_put(out, "axles", axles_json(c, state));
    json_put(out, "sizes", sizes_json(c));
    json_put(out, "road", road_json(c));
    json_put(out, "templates", templates_json());
    json_put(out, "modes", state->linear ? bench_modes(state->linear) : json_array());
    json_put(out, "why", state->why[0] ? json_string(state->why) : json_null());
    json_put(out, "derived", json_boolean(state->derived));
    json_put(out, "lost", json_incref(t->lost));
    return out;
}

// `concept`: masses, graph, loads and modes of the concept of a world or of a text, with changes.
void request_concept(request *r)
{
    concept_text t;
    mc_concept_state state;
    mc_error error = {0};
    if (concept_text_read(r, &t)) {
        if (!r->h->concept)
        r->h->concept = mc_concept_live_create(&error);
        if (r->h->concept &&
            mc_concept_live_take(r->h->concept, t.text, t.file, &state, &error) == MC_OK)
            request_done(r, answer(&t, &state));
        else
            request_reject_error(r, &error);
    }
    concept_text_drop(&t);
}

// ---- another text ----

static void say(const request *r, char words[160])
{
    const json_t *first = json_array_get(json_object_get(r->body, "changes"), 0);
    const json_t *to = json_object_get(json_object_get(r->body, "template"), "to");
    const char *path = json_string_value(json_object_get(first, "path"));
    const char *value = json_string_value(json_object_get(first, "value"));
    const char *given;
    snprintf(words, 160, "edited");
    if (path)
        snprintf(words, 160, "%.80s -> %.60s", path, value ? value : "removed");
    else if (to)
        snprintf(words, 160, "%.80s", json_string_value(to));
    if ((given = json_string_value(json_object_get(r->body, "words"))))
        snprintf(words, 160, "%.150s", given);
}

// `concept_change`: the world runs another text from its start on, or a branch of it does.
void request_concept_change(request *r)
{
    concept_text t;
    branch *from = NULL;
    const char *name;
    double end;
    mc_error error = {0};
    char words[160];
    if (!read_text(r, "name", NAME_SIZE - 1, "", &name) ||
        !read_optional(r, "end", 1e-6, 1e4, &end) || !read_branch(r, &from))
        return;
    bench *b = bench_of(from), *made = NULL;
    branch_drop(from);
    const bool good = concept_text_read(r, &t);
    if (good && (!b || !bench_is_concept(b)))
        request_reject(r, "world", "this world is no concept");
    else if (good && !(made = bench_with_text(b, t.text, end, &error)))
        request_reject_error(r, &error);
    bench_drop(b);
    concept_text_drop(&t);
    if (!made)
        return;
    say(r, words);
    bench_put_in(r, made, name, 0.0, words);
}
