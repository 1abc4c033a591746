// merge.c - unites what is rigidly connected, until no rigid edge remains; names the bodies.
//
// Sets of parts are found first and their moments summed afterwards, part by part in the order of
// the file, so that the order of the edges does not even change the rounding.
#include "concept/connection.h"

#include <stdio.h>
#include <string.h>

static int find(int *set, int i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

bool concept_edge_is_rigid(const concept_edge *e)
{
    return e->kind->class == CLASS_RIGID && !e->open;
}

static mc_status reject(const mc_concept *c, concept_place place, mc_error *error,
                        const char *format, const char *a, const char *b)
{
    char text[400];
    snprintf(text, sizeof text, format, a, b);
    return mc_error_set(error, MC_BAD_INPUT, c->file, place.line, place.column, "%s", text);
}

// ---- bodies ----

static mc_status make_bodies(mc_concept *c, int *set, mc_error *error)
{
    c->bodies = arena_alloc(&c->memory, ((size_t)c->part_count + 1) * sizeof c->bodies[0]);
    c->body_count = 0;
    if (!c->bodies)
        return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the bodies");
    for (int i = 0; i < c->part_count; i++)
        c->parts[i].body = -1;
    for (int i = 0; i < c->part_count; i++) {
        concept_part *p = &c->parts[i];
        if (p->role == ROLE_IGNORED)
            continue;
        int body = -1;
        for (int k = 0; k < i && body < 0; k++)
            if (c->parts[k].body >= 0 && find(set, k + 1) == find(set, i + 1))
                body = c->parts[k].body;
        if (find(set, i + 1) == find(set, 0)) { // rigid with the ground: it does not move
            p->body = -1;
            p->grounded = true;
            continue;
        }
        if (body < 0) {
            body = c->body_count++;
            c->bodies[body] = (concept_body){.heaviest = i, .part = i};
        }
        concept_body *b = &c->bodies[body];
        p->body = body;
        moments_add(&b->moments, &p->moments);
        b->wheel = b->wheel || p->kind == PART_WHEEL;
        b->structural = b->structural || p->role == ROLE_STRUCTURAL;
        if (p->moments.mass > c->parts[b->heaviest].moments.mass)
            b->heaviest = i;
    }
    return MC_OK;
}

// ---- names ----

// Whether all parts of an assembly are one body when its closures are shut, and this part of it
// is in the body that stands for it.
static bool is_whole(const mc_concept *c, int *shut, int assembly, int body)
{
    const concept_assembly *a = &c->assemblies[assembly];
    int first = -1;
    for (int i = a->first; i < a->first + a->count; i++) {
        if (c->parts[i].role == ROLE_IGNORED)
            continue;
        if (first < 0 && c->parts[i].role == ROLE_STRUCTURAL)
            first = i;
        if (find(shut, i + 1) != find(shut, (first < 0 ? i : first) + 1))
            return false;
    }
    return first >= 0 && c->parts[first].body == body;
}

// The body that carries most axles, or else the heaviest: the chassis of a vehicle.
static int find_chassis(const mc_concept *c)
{
    int best = -1, most = 0;
    for (int b = 0; b < c->body_count; b++) {
        int axles = 0;
        for (int k = 0; k < c->axle_count; k++)
            axles += c->axles[k].chassis >= 0 && c->parts[c->axles[k].chassis].body == b;
        if (axles > most)
            best = b, most = axles;
    }
    return best;
}

static mc_status name_bodies(mc_concept *c, int *shut, mc_error *error)
{
    c->chassis = find_chassis(c);
    for (int b = 0; b < c->body_count; b++) {
        concept_body *body = &c->bodies[b];
        const concept_part *p = &c->parts[body->heaviest];
        const bool whole = p->assembly >= 0 && is_whole(c, shut, p->assembly, b);
        body->name = b == c->chassis ? "chassis"
                     : whole         ? c->assemblies[p->assembly].name
                                     : p->label;
    }
    for (int b = 0; b < c->body_count; b++)
        for (int k = 0; k < b; k++)
            if (strcmp(c->bodies[b].name, c->bodies[k].name) == 0)
                return reject(c, c->parts[c->bodies[b].heaviest].place, error,
                              "two bodies would be called %s; rename an assembly or a part%s",
                              c->bodies[b].name, "");
    return MC_OK;
}

// ---- checks ----

// An assembly named as a whole must be one body.
static mc_status check_wholes(const mc_concept *c, int *shut, mc_error *error)
{
    for (int i = 0; i < c->edge_count; i++)
        for (int side = 0; side < 2; side++) {
            const concept_edge *e = &c->edges[i];
            const int assembly = e->whole[side] - 1, part = side ? e->to : e->from;
            if (assembly < 0 || is_whole(c, shut, assembly, c->parts[part].body))
                continue;
            const concept_assembly *a = &c->assemblies[assembly];
            return reject(c, e->place, error,
                          "assembly %s is more than one body: name the part that is meant, such "
                          "as %s",
                          a->name, c->parts[a->first].name);
        }
    return MC_OK;
}

// Every body is connected with the first one, or with the ground.
static mc_status check_connected(mc_concept *c, int *set, mc_error *error)
{
    for (int i = 0; i < c->edge_count; i++)
        set[find(set, c->edges[i].from + 1)] = find(set, c->edges[i].to + 1);
    const int first = c->chassis >= 0 ? c->bodies[c->chassis].part
                      : c->body_count ? c->bodies[0].part
                                      : -1;
    for (int i = 0; i < c->part_count; i++) {
        const concept_part *p = &c->parts[i];
        const int own = find(set, i + 1);
        if (p->role != ROLE_IGNORED && own != find(set, first + 1) && own != find(set, 0))
            return reject(c, p->place, error,
                          "%s is not connected to anything that leads to %s; add a connection",
                          p->name, c->parts[first].name);
    }
    for (int b = 0; b < c->body_count; b++)
        if (!c->bodies[b].structural)
            return reject(c, c->parts[c->bodies[b].part].place, error,
                          "%s is inertia_only and rigidly connected to no structural part%s",
                          c->parts[c->bodies[b].part].name, "");
    return MC_OK;
}

mc_status concept_merge(mc_concept *c, const int *order, mc_error *error)
{
    arena scratch = {0};
    int *set = arena_alloc(&scratch, ((size_t)c->part_count + 1) * sizeof set[0]);
    int *shut = arena_alloc(&scratch, ((size_t)c->part_count + 1) * sizeof shut[0]);
    if (!set || !shut)
        return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the graph");
    for (int i = 0; i <= c->part_count; i++)
        set[i] = shut[i] = i;
    for (int k = 0; k < c->edge_count; k++) {
        const concept_edge *e = &c->edges[order ? order[k] : k];
        if (concept_edge_is_rigid(e))
            set[find(set, e->from + 1)] = find(set, e->to + 1);
        if (e->kind->class == CLASS_RIGID)
            shut[find(shut, e->from + 1)] = find(shut, e->to + 1);
    }
    mc_status status = make_bodies(c, set, error);
    if (status == MC_OK)
        status = name_bodies(c, shut, error);
    if (status == MC_OK)
        status = check_connected(c, set, error);
    if (status == MC_OK)
        status = check_wholes(c, shut, error);
    for (int k = 0; k < c->edge_count && status == MC_OK; k++) {
        const concept_edge *e = &c->edges[k];
        const int a = e->from < 0 ? -1 : c->parts[e->from].body;
        const int b = e->to < 0 ? -1 : c->parts[e->to].body;
        if (!concept_edge_is_rigid(e) && a == b && e->kind->class == CLASS_JOINT)
            status = reject(c, e->place, error,
                            "%s connects two parts of one body, %s: rigid connections unite them",
                            e->name, a < 0 ? "the ground" : c->bodies[a].name);
    }
    arena_free(&scratch);
    return status;
}
