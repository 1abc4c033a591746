// read.c - reads a concept file: materials, assemblies, connections, axles.
#include "concept/reader.h"
#include "concept/road.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ----

// Room for one more element; arrays double, the old ones stay in the arena.
static void *grow(arena *memory, void *list, int count, int *room, size_t size)
{
    if (count < *room)
        return list;
    const int more = *room ? 2 * *room : 16;
    void *out = arena_alloc(memory, (size_t)more * size);
    if (!out)
        return NULL;
    if (count)
        memcpy(out, list, (size_t)count * size);
    *room = more;
    return out;
}

#define ADD(list, list_count, list_room)                                                           \
    do {                                                                                           \
        void *block_ = grow(&c->memory, c->list, c->list_count, &c->list_room, sizeof c->list[0]); \
        if (!block_)                                                                               \
            return NULL;                                                                           \
        c->list = block_;                                                                          \
        memset(&c->list[c->list_count], 0, sizeof c->list[0]);                                     \
        return &c->list[c->list_count++];                                                          \
    } while (0)

concept_part *concept_add_part(mc_concept *c)
{
    ADD(parts, part_count, part_room);
}

concept_edge *concept_add_edge(mc_concept *c)
{
    ADD(edges, edge_count, edge_room);
}

concept_point *concept_add_point(mc_concept *c)
{
    ADD(points, point_count, point_room);
}

concept_assembly *concept_add_assembly(mc_concept *c)
{
    ADD(assemblies, assembly_count, assembly_room);
}

concept_constraint *concept_add_constraint(mc_concept *c)
{
    ADD(constraints, constraint_count, constraint_room);
}

const char *concept_text(mc_concept *c, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *out = length >= 0 ? arena_alloc(&c->memory, (size_t)length + 1) : NULL;
    if (out)
        vsnprintf(out, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return out ? out : "";
}

// ---- sections ----

static void read_materials(concept_reader *r, const yaml_node *root)
{
    const yaml_node *each = concept_each(r, root, "materials");
    if (!each)
        return;
    r->materials = reader_alloc(&r->base, each->count, sizeof r->materials[0]);
    for (const yaml_node *n = each->first; n && r->base.status == MC_OK; n = n->next) {
        const char *name = concept_word(r, n->key);
        if (!concept_check_keys(r, n, CONCEPT_MATERIAL))
            return;
        r->materials[r->material_count++] =
            (concept_material){name, concept_number(r, n, CONCEPT_MATERIAL, "density", 0.0)};
    }
}

static double sum_masses(const mc_concept *c, int first, int count)
{
    double mass = 0.0;
    for (int i = first; i < first + count; i++)
        if (c->parts[i].role != ROLE_IGNORED && !c->parts[i].exact)
            mass += c->parts[i].moments.mass;
    return mass;
}

static void scale(mc_concept *c, int first, int count, double factor)
{
    for (int i = first; i < first + count; i++)
        if (!c->parts[i].exact)
            moments_scale(&c->parts[i].moments, factor);
}

static void read_assembly(concept_reader *r, const yaml_node *map)
{
    mc_concept *c = r->c;
    const char *name = concept_word(r, map->key);
    if (!concept_check_keys(r, map, CONCEPT_ASSEMBLY))
        return;
    concept_assembly *assembly = concept_add_assembly(c);
    if (!assembly) {
        reader_no_memory(&r->base);
        return;
    }
    const yaml_node *material = reader_get(&r->base, map, "material");
    *assembly = (concept_assembly){.name = name,
                                   .doc = "",
                                   .first = c->part_count,
                                   .place = {map->key->line, map->key->column}};
    r->assembly = c->assembly_count - 1;
    r->mirrored = concept_flag(r, map, "mirror", false);
    r->material = material ? reader_text(&r->base, material) : NULL;
    if (r->material)
        concept_density(r, material, r->material);
    concept_read_parts(r, map);
    const int first = assembly->first, count = c->assemblies[r->assembly].count;
    if (r->base.status == MC_OK && count == 0)
        reader_reject(&r->base, map->key,
                      "assembly %s has no parts: expected beams, panels or "
                      "components",
                      name);
    if (r->base.status == MC_OK)
        scale(c, first, count, concept_build_out(r, map, sum_masses(c, first, count)));
    concept_read_connections(r, map);
    r->assembly = -1;
    r->mirrored = false;
}

static void read_head(concept_reader *r, const yaml_node *root)
{
    static const char *const kinds[] = {"concept"}, *const starts[] = {"rest", "start"};
    mc_concept *c = r->c;
    if (root->kind != YAML_MAPPING || !yaml_find(root, "motorcade")) {
        reader_reject(&r->base, root, "expected \"motorcade: concept\" as the first key");
        return;
    }
    reader_choice(&r->base, yaml_find(root, "motorcade"), kinds, 1);
    if (!concept_check_keys(r, root, CONCEPT_TOP))
        return;
    const yaml_node *name = reader_get(&r->base, root, "name");
    const yaml_node *doc = reader_get(&r->base, root, "doc");
    c->name = name ? concept_word(r, name) : "concept";
    c->doc = doc ? reader_copy(&r->base, reader_text(&r->base, doc)) : "";
    c->ground = concept_number(r, root, CONCEPT_TOP, "ground", 0.0);
    c->ground_given = reader_get(&r->base, root, "ground") != NULL;
    c->brake_front = concept_number(r, root, CONCEPT_TOP, "brake_front", 0.6);
    const yaml_node *simulate = reader_get(&r->base, root, "simulate");
    if (simulate && concept_check_keys(r, simulate, CONCEPT_SIMULATE)) {
        c->end = concept_number(r, simulate, CONCEPT_SIMULATE, "end", 0.0);
        c->step = concept_number(r, simulate, CONCEPT_SIMULATE, "step", 0.0);
        const yaml_node *from = reader_get(&r->base, simulate, "from");
        c->as_drawn = from && reader_choice(&r->base, from, starts, 2) == 1;
    }
}

static void find_ground(mc_concept *c)
{
    double low = INFINITY;
    for (int i = 0; i < c->part_count; i++)
        if (c->parts[i].kind == PART_WHEEL)
            low = fmin(low, c->parts[i].centre[2] - c->parts[i].radius);
    if (!c->ground_given && low < INFINITY)
        c->ground = low;
}

static void read_concept(concept_reader *r, const yaml_node *root)
{
    mc_concept *c = r->c;
    r->assembly = -1;
    read_head(r, root);
    read_materials(r, root);
    const yaml_node *each = concept_each(r, root, "assemblies");
    for (const yaml_node *n = each ? each->first : NULL; n && r->base.status == MC_OK; n = n->next)
        read_assembly(r, n);
    if (r->base.status == MC_OK && c->part_count == 0)
        reader_reject(&r->base, root, "the concept has no parts");
    if (r->base.status == MC_OK)
        scale(c, 0, c->part_count, concept_build_out(r, root, sum_masses(c, 0, c->part_count)));
    concept_read_axles(r, root);
    concept_read_drive(r, root);
    concept_read_connections(r, root);
    concept_read_points(r, root);
    concept_read_road(r, root);
    find_ground(c);
}

// ---- the file ----

mc_status concept_read(const char *text, size_t length, const char *name, mc_concept *out,
                       mc_error *error)
{
    *out = (mc_concept){.brake_front = 0.6};
    concept_reader r = {
        .base = {.memory = &out->memory, .file = name, .what = "concept", .error = error},
        .c = out,
    };
    const yaml_node *root = NULL;
    out->file = arena_copy_text(&out->memory, name, strlen(name));
    if (!out->file)
        reader_no_memory(&r.base);
    if (r.base.status == MC_OK)
        r.base.status = yaml_parse(text, length, name, &r.scratch, &root, error);
    if (r.base.status == MC_OK)
        read_concept(&r, root);
    arena_free(&r.scratch);
    if (r.base.status != MC_OK)
        arena_free(&out->memory);
    return r.base.status;
}

// The first key decides, before anything is parsed: comments and blank lines may come before it.
bool concept_is_text(const char *text, size_t length)
{
    static const char key[] = "motorcade:";
    size_t i = 0;
    while (i < length) {
        size_t end = i;
        while (end < length && text[end] != '\n')
            end++;
        size_t at = i;
        while (at < end && (text[at] == ' ' || text[at] == '\r'))
            at++;
        if (at < end && text[at] != '#') {
            if (end - at >= sizeof key - 1 && strncmp(text + at, key, sizeof key - 1) == 0) {
                at += sizeof key - 1;
                while (at < end && text[at] == ' ')
                    at++;
                return end - at >= 7 && strncmp(text + at, "concept", 7) == 0 &&
                       (end - at == 7 || strchr(" \r#", text[at + 7]));
            }
            const bool mark = end - at >= 3 && memcmp(text + at, "---", 3) == 0;
            if (!mark && text[at] != '%')
                return false;
        }
        i = end + 1;
    }
    return false;
}
