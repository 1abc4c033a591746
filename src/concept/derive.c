// derive.c - the tree of a mechanism in the graph of bodies.
#include "concept/derive.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

int derive_body_of(const derivation *d, int part)
{
    const int body = part < 0 ? -1 : d->concept->parts[part].body;
    return body >= 0 && d->bodies[body].used ? body : -1;
}

// ---- what is derived ----

static bool has_assembly(const mc_concept *c, int body, const char *name)
{
    for (int i = 0; i < c->part_count; i++)
        if (c->parts[i].body == body && c->parts[i].assembly >= 0 &&
            strcmp(c->assemblies[c->parts[i].assembly].name, name) == 0)
            return true;
    return false;
}

static mc_status select_axle(derivation *d, const char *name, mc_error *error)
{
    const mc_concept *c = d->concept;
    int axle = -1;
    char list[300] = "";
    for (int k = 0; k < c->axle_count; k++) {
        const bool again = k > 0 && strcmp(c->axles[k].name, c->axles[k - 1].name) == 0;
        if (!again && strlen(list) < 240)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                     c->axles[k].name);
        if (axle < 0 && strcmp(c->axles[k].name, name) == 0)
            axle = k;
    }
    if (axle < 0)
        return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0,
                            "unknown axle \"%.60s\"; expected one of %s", name,
                            *list ? list : "none");
    for (int i = 0; i < c->part_count; i++) {
        const concept_part *p = &c->parts[i];
        if (p->body >= 0 && (p->kind == PART_SUSPENSION || p->kind == PART_WHEEL) &&
            strcmp(c->axles[p->axle].name, name) == 0)
            d->bodies[p->body].used = true;
    }
    return MC_OK;
}

static mc_status select_bodies(derivation *d, mc_error *error)
{
    const mc_concept *c = d->concept;
    const mc_concept_options *o = d->options;
    bool any = false;
    if (o->axle)
        return select_axle(d, o->axle, error);
    for (int b = 0; b < c->body_count; b++) {
        d->bodies[b].used = !o->only || has_assembly(c, b, o->only);
        any = any || d->bodies[b].used;
    }
    if (any)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0,
                        "unknown assembly \"%.60s\", or it does not move", o->only ? o->only : "");
}

// Bodies at the other end of a cut edge that move as prescribed.
static void select_boundary(derivation *d)
{
    const mc_concept *c = d->concept;
    if (!d->options->only || d->options->cut != MC_CONCEPT_CUT_MOTION)
        return;
    for (int i = 0; i < c->edge_count; i++) {
        const int a = c->edges[i].from < 0 ? -1 : c->parts[c->edges[i].from].body;
        const int b = c->edges[i].to < 0 ? -1 : c->parts[c->edges[i].to].body;
        if (a < 0 || b < 0 || concept_edge_is_rigid(&c->edges[i]))
            continue;
        const bool in_a = d->bodies[a].used && !d->bodies[a].boundary;
        const bool in_b = d->bodies[b].used && !d->bodies[b].boundary;
        if (in_a != in_b)
            d->bodies[in_a ? b : a].used = d->bodies[in_a ? b : a].boundary = true;
    }
}

static mc_status check_motion(const derivation *d, mc_error *error)
{
    static const char *const names[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
    const mc_concept *c = d->concept;
    for (int i = 0; i < d->options->motion_count; i++) {
        const char *text = d->options->motion[i];
        bool found = false;
        for (int b = 0; b < c->body_count; b++)
            for (int k = 0; k < 6 && d->bodies[b].boundary; k++) {
                const size_t length = strlen(c->bodies[b].name);
                found =
                    found || (strncmp(text, c->bodies[b].name, length) == 0 &&
                              text[length] == '.' && strncmp(text + length + 1, names[k], 2) == 0 &&
                              text[length + 3] == '=' && !strpbrk(text, "\"\n\\"));
            }
        if (!found)
            return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0,
                                "motion \"%.60s\": expected BODY.COORDINATE=FORMULA with a body at "
                                "the other end of a cut connection and tx, ty, tz, rx, ry or rz",
                                text);
    }
    return MC_OK;
}

// Edges between two different bodies, of which at least one is derived.
static void select_edges(derivation *d)
{
    const mc_concept *c = d->concept;
    const bool drops = d->options->only && d->options->cut == MC_CONCEPT_CUT_FREE;
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        const int a = derive_body_of(d, e->from), b = derive_body_of(d, e->to);
        const int from = e->from < 0 ? -1 : c->parts[e->from].body;
        const int to = e->to < 0 ? -1 : c->parts[e->to].body;
        // What moves as prescribed is connected only to what is derived.
        const bool edge_a = a < 0 || d->bodies[a].boundary, edge_b = b < 0 || d->bodies[b].boundary;
        const bool both = edge_a && edge_b;
        const bool cut = a != from || b != to;
        d->used[i] = !concept_edge_is_rigid(e) && a != b && !both && !(cut && drops);
    }
}

// ---- tree ----

static bool is_pinned(const concept_edge *e)
{
    return e->stiffness != 0.0 || e->damping != 0.0 || e->load || e->start != 0.0;
}

// The best edge from what is reached to what is not: -1: none. Few coordinates first; those with a
// spring, a damper or a load must be in the tree.
static int next_edge(const derivation *d, const bool *reached)
{
    const mc_concept *c = d->concept;
    int best = -1, best_cost = 1000;
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        if (!d->used[i] || !e->kind->in_tree)
            continue;
        const int a = derive_body_of(d, e->from), b = derive_body_of(d, e->to);
        const bool from = a < 0 || reached[a], to = b < 0 || reached[b];
        if (from == to || (e->free && !from))
            continue;
        const int cost = e->kind->velocities + (is_pinned(e) ? 0 : 10);
        if (cost < best_cost)
            best = i, best_cost = cost;
    }
    return best;
}

static int next_root(const derivation *d, const bool *reached)
{
    const mc_concept *c = d->concept;
    int best = -1;
    double most = -1.0;
    for (int b = 0; b < c->body_count; b++) {
        const double mass = b == c->chassis ? 1e30 : c->bodies[b].moments.mass;
        if (d->bodies[b].used && !reached[b] && mass > most)
            best = b, most = mass;
    }
    return best;
}

static void hang(derivation *d, int i, bool *reached)
{
    const concept_edge *e = &d->concept->edges[i];
    const int a = derive_body_of(d, e->from), b = derive_body_of(d, e->to);
    const bool reversed = !(a < 0 || reached[a]);
    const int outer = reversed ? a : b;
    derive_body *body = &d->bodies[outer];
    body->inboard = reversed ? b : a;
    body->edge = i;
    body->reversed = reversed;
    memcpy(body->origin, e->at, sizeof body->origin);
    d->in_tree[i] = true;
    reached[outer] = true;
    d->order[d->order_count++] = outer;
}

static mc_status check_cut(const derivation *d, mc_error *error)
{
    const mc_concept *c = d->concept;
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        if (d->used[i] && !d->in_tree[i] && e->kind->joint && is_pinned(e))
            return mc_error_set(error, MC_BAD_INPUT, c->file, e->place.line, e->place.column,
                                "%s closes a loop and cannot have a stiffness, damping, load or "
                                "angle there; give them to springs between points",
                                e->name);
    }
    return MC_OK;
}

mc_status derive_tree(derivation *d, arena *memory, mc_error *error)
{
    const mc_concept *c = d->concept;
    const size_t bodies = (size_t)c->body_count + 1, edges = (size_t)c->edge_count + 1;
    d->bodies = arena_alloc(memory, bodies * sizeof d->bodies[0]);
    d->order = arena_alloc(memory, bodies * sizeof d->order[0]);
    d->in_tree = arena_alloc(memory, edges);
    d->used = arena_alloc(memory, edges);
    bool *reached = arena_alloc(memory, bodies);
    if (!d->bodies || !d->order || !d->in_tree || !d->used || !reached)
        return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the mechanism");
    mc_status status = select_bodies(d, error);
    if (status != MC_OK)
        return status;
    select_boundary(d);
    status = check_motion(d, error);
    if (status != MC_OK)
        return status;
    select_edges(d);
    for (int b = 0; b < c->body_count; b++)
        if (d->bodies[b].boundary) {
            d->bodies[b].inboard = d->bodies[b].edge = -1;
            reached[b] = true;
            d->order[d->order_count++] = b;
        }
    for (;;) {
        const int i = next_edge(d, reached);
        const int root = i < 0 ? next_root(d, reached) : -1;
        if (i >= 0) {
            hang(d, i, reached);
        } else if (root >= 0) {
            d->bodies[root].inboard = d->bodies[root].edge = -1;
            reached[root] = true;
            d->order[d->order_count++] = root;
        } else {
            return check_cut(d, error);
        }
    }
}

// ---- text ----

static bool is_opened(const mc_concept_options *o, const char *name)
{
    for (int i = 0; i < o->open_count; i++)
        if (strcmp(o->open[i], name) == 0)
            return true;
    return false;
}

// A copy whose closures are as the options say, merged again.
static mc_status with_open(const mc_concept *c, const mc_concept_options *o, mc_concept *copy,
                           mc_error *error)
{
    *copy = *c;
    copy->memory = (arena){0};
    copy->parts = arena_alloc(&copy->memory, ((size_t)c->part_count + 1) * sizeof c->parts[0]);
    copy->edges = arena_alloc(&copy->memory, ((size_t)c->edge_count + 1) * sizeof c->edges[0]);
    if (!copy->parts || !copy->edges)
        return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the mechanism");
    memcpy(copy->parts, c->parts, (size_t)c->part_count * sizeof c->parts[0]);
    memcpy(copy->edges, c->edges, (size_t)c->edge_count * sizeof c->edges[0]);
    for (int k = 0; k < o->open_count; k++) {
        bool found = false;
        for (int i = 0; i < c->edge_count; i++)
            found = found || (strcmp(c->edges[i].name, o->open[k]) == 0 &&
                              strcmp(c->edges[i].kind->name, "closure") == 0);
        if (!found)
            return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0, "unknown closure \"%.60s\"",
                                o->open[k]);
    }
    for (int i = 0; i < c->edge_count; i++)
        copy->edges[i].open = copy->edges[i].open || is_opened(o, c->edges[i].name);
    return concept_merge(copy, NULL, error);
}

char *mc_concept_mechanism(const mc_concept *c, const mc_concept_options *options, mc_error *error)
{
    const mc_concept_options none = {0};
    mc_concept copy = {0};
    arena memory = {0};
    char *text = NULL;
    size_t size = 0;
    derivation d = {.concept = c, .options = options ? options : &none};
    mc_status status = MC_OK;
    if (d.options->open_count > 0) {
        status = with_open(c, d.options, &copy, error);
        d.concept = &copy;
    }
    if (status == MC_OK)
        status = derive_tree(&d, &memory, error);
    FILE *out = status == MC_OK ? open_memstream(&text, &size) : NULL;
    if (status == MC_OK && !out)
        status = mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the mechanism");
    if (out) {
        status = derive_print(&d, out, error);
        if (fclose(out) != 0 && status == MC_OK)
            status =
                mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the mechanism");
    }
    arena_free(&memory);
    arena_free(&copy.memory);
    if (status != MC_OK) {
        free(text);
        return NULL;
    }
    return text;
}

// ---- for the readers of mechanisms ----

mc_status concept_derive_text(const char *text, size_t length, const char *name, bool vehicle,
                              arena *memory, char **out, size_t *out_length, mc_error *error)
{
    mc_concept c;
    const mc_concept_options options = {.vehicle = vehicle};
    mc_status status = concept_read(text, length, name, &c, error);
    if (status != MC_OK)
        return status;
    status = concept_merge(&c, NULL, error);
    char *made = status == MC_OK ? mc_concept_mechanism(&c, &options, error) : NULL;
    arena_free(&c.memory);
    if (!made)
        return error->code;
    *out_length = strlen(made);
    *out = arena_copy_text(memory, made, *out_length);
    free(made);
    return *out ? MC_OK : mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory");
}

// ---- the handle ----

mc_concept *mc_concept_parse(const char *text, const char *name, mc_error *error)
{
    mc_concept *c = malloc(sizeof *c);
    if (!c) {
        mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory for the concept");
        return NULL;
    }
    mc_status status = concept_read(text, strlen(text), name, c, error);
    if (status != MC_OK) {
        free(c);
        return NULL;
    }
    status = concept_merge(c, NULL, error);
    if (status != MC_OK) {
        mc_concept_free(c);
        return NULL;
    }
    return c;
}

enum { CONCEPT_FILE_MAX = 8 << 20 };

mc_concept *mc_concept_load(const char *path, mc_error *error)
{
    arena memory = {0};
    char *bytes;
    size_t length;
    mc_concept *c = NULL;
    if (file_read(&memory, path, CONCEPT_FILE_MAX, &bytes, &length, error) == MC_OK) {
        char *text = arena_copy_text(&memory, bytes, length);
        if (text && strlen(text) == length)
            c = mc_concept_parse(text, path, error);
        else
            mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the file has a zero byte");
    }
    arena_free(&memory);
    return c;
}

void mc_concept_free(mc_concept *c)
{
    if (!c)
        return;
    arena_free(&c->memory);
    free(c);
}

bool mc_concept_is_text(const char *text)
{
    return concept_is_text(text, strlen(text));
}

bool mc_concept_is_file(const char *path)
{
    arena memory = {0};
    char *bytes;
    size_t length;
    mc_error error;
    const bool is = file_read(&memory, path, CONCEPT_FILE_MAX, &bytes, &length, &error) == MC_OK &&
                    concept_is_text(bytes, length);
    arena_free(&memory);
    return is;
}
