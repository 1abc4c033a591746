// read_connections.c - connections between parts, and named points.
#include "concept/reader.h"

#include "num/vec3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- names of parts ----

static int find_exact(const mc_concept *c, const char *name)
{
    for (int i = 0; i < c->part_count; i++)
        if (strcmp(c->parts[i].name, name) == 0)
            return i;
    return -1;
}

static int find_assembly(const mc_concept *c, const char *name)
{
    for (int i = 0; i < c->assembly_count; i++)
        if (strcmp(c->assemblies[i].name, name) == 0)
            return i;
    return -1;
}

// The first part that is structural: it stands for the whole.
static int of_assembly(concept_reader *r, const yaml_node *node, int assembly)
{
    const concept_assembly *a = &r->c->assemblies[assembly];
    for (int i = a->first; i < a->first + a->count; i++)
        if (r->c->parts[i].role == ROLE_STRUCTURAL)
            return i;
    reader_reject(&r->base, node, "assembly %s has no structural part", a->name);
    return -1;
}

static void unknown(concept_reader *r, const yaml_node *node)
{
    mc_concept *c = r->c;
    const int count = c->part_count + c->assembly_count;
    const char **names = reader_alloc(&r->base, count + 1, sizeof names[0]);
    int n = 0;
    for (int i = 0; names && i < c->assembly_count; i++)
        names[n++] = c->assemblies[i].name;
    for (int i = 0; names && i < c->part_count; i++) {
        const concept_part *p = &c->parts[i];
        const char *dot = strchr(p->name, '.');
        names[n++] = p->assembly == r->assembly && dot ? dot + 1 : p->name;
    }
    if (names)
        reader_unknown(&r->base, node, "part or assembly", names, n);
}

int concept_find_part(concept_reader *r, const yaml_node *node, int side, bool ground, int *whole)
{
    mc_concept *c = r->c;
    const char *word = reader_text(&r->base, node);
    *whole = 0;
    if (r->base.status != MC_OK)
        return -1;
    if (strcmp(word, "ground") == 0) {
        if (!ground)
            reader_reject(&r->base, node, "the ground cannot be connected so; expected a part");
        return CONCEPT_GROUND;
    }
    char own[2 * CONCEPT_NAME];
    const bool dotted = strchr(word, '.') || r->assembly < 0;
    snprintf(own, sizeof own, "%.90s%s%.90s", dotted ? "" : c->assemblies[r->assembly].name,
             dotted ? "" : ".", word);
    int found = find_exact(c, own);
    if (found < 0) {
        char sided[2 * CONCEPT_NAME + 4];
        snprintf(sided, sizeof sided, "%s%s", own, side < 0 ? "_r" : "_l");
        found = find_exact(c, sided);
        if (found >= 0 && side == 0) {
            reader_reject(&r->base, node, "%s is mirrored: name %s_l or %s_r, or mirror this too",
                          word, word, word);
            return -1;
        }
    }
    const int assembly = found < 0 ? find_assembly(c, word) : -1;
    if (assembly >= 0) {
        found = of_assembly(r, node, assembly);
        *whole = assembly + 1;
    } else if (found < 0) {
        unknown(r, node);
    } else if (c->parts[found].role == ROLE_IGNORED) {
        reader_reject(&r->base, node, "%s is ignored and cannot be connected", word);
    }
    return found;
}

// ---- laws of springs ----

// Appends to a formula.
static void put(char *text, size_t size, const char *format, double a, double b)
{
    snprintf(text + strlen(text), size - strlen(text), format, a, b);
}

// What the keys stiffness, damping and length of a spring cannot say; %s is its name.
void concept_spring_law(mc_concept *c, concept_edge *e, const template_spring *law)
{
    char text[6000] = "";
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = e->to_at[i] - e->at[i];
    const double drawn = vec3_norm(d);
    e->stiffness = law->curve.count ? 0.0 : law->stiffness;
    e->damping = law->bump > 0.0 || law->rebound > 0.0 ? 0.0 : law->damping;
    e->length =
        law->preloaded && e->stiffness > 0.0 ? drawn + law->preload / law->stiffness : law->length;
    e->min = law->min, e->max = law->max;
    if (law->curve.count) {
        put(text, sizeof text, "+ table(%.17g - %%1$s.length", law->length, 0);
        for (int i = 0; i < law->curve.count; i++) {
            put(text, sizeof text, "; %.17g, %.17g", law->curve.x[i], law->curve.y[i]);
            e->limit = fmax(e->limit, law->curve.y[i]);
        }
        put(text, sizeof text, ")", 0, 0);
    }
    // Stops that follow the spring do so in the mechanism, too.
    const bool follows = e->stiffness > 0.0 && law->stop == 10.0 * e->stiffness;
    if (law->min > 0.0 && follows)
        put(text, sizeof text, " + 10*%%1$s.stiffness*max(%.17g - %%1$s.length, 0)", law->min, 0);
    else if (law->min > 0.0)
        put(text, sizeof text, " + %.17g*max(%.17g - %%1$s.length, 0)", law->stop, law->min);
    if (law->max > 0.0 && follows)
        put(text, sizeof text, " - 10*%%1$s.stiffness*max(%%1$s.length - %.17g, 0)", law->max, 0);
    else if (law->max > 0.0)
        put(text, sizeof text, " - %.17g*max(%%1$s.length - %.17g, 0)", law->stop, law->max);
    if (e->damping != law->damping) {
        e->degressive = law->damping;
        put(text, sizeof text, " - %%1$s_damping*%%1$s.rate/(1 + ", 0, 0);
        put(text, sizeof text, "%.17g*max(-%%1$s.rate, 0) + %.17g*max(%%1$s.rate, 0))", law->bump,
            law->rebound);
    }
    const char *begin = text;
    while (*begin == ' ' || *begin == '+')
        begin++;
    e->force = *begin ? concept_text(c, "%s", begin) : NULL;
}

static void read_spring_law(concept_reader *r, const yaml_node *map, concept_edge *e)
{
    template_spring law = {0};
    const yaml_node *curve = reader_get(&r->base, map, "curve");
    const yaml_node *stiffness = reader_get(&r->base, map, "stiffness");
    const yaml_node *damping = reader_get(&r->base, map, "damping");
    law.stiffness = stiffness ? concept_number_at(r, stiffness, "N/m") : 0.0;
    law.damping = damping ? concept_number_at(r, damping, "N*s/m") : 0.0;
    law.length = concept_number(r, map, CONCEPT_CONNECTION, "length", 0.0);
    law.preload = concept_number(r, map, CONCEPT_CONNECTION, "preload", 0.0);
    law.preloaded = reader_get(&r->base, map, "preload") != NULL;
    law.min = concept_number(r, map, CONCEPT_CONNECTION, "min", 0.0);
    law.max = concept_number(r, map, CONCEPT_CONNECTION, "max", 0.0);
    law.stop = strcmp(e->kind->name, "limit") == 0 ? law.stiffness : 10.0 * law.stiffness;
    concept_table(r, curve, "m", "N", &law.curve);
    if (law.curve.count)
        law.stop = 10.0 * fabs(law.curve.y[law.curve.count - 1] / law.curve.x[law.curve.count - 1]);
    if (r->base.status != MC_OK)
        return;
    if (law.stiffness < 0.0 || law.damping < 0.0)
        reader_reject(&r->base, law.stiffness < 0.0 ? stiffness : damping,
                      "a spring has no %s of %.9g; expected 0 or more",
                      law.stiffness < 0.0 ? "stiffness" : "damping",
                      law.stiffness < 0.0 ? law.stiffness : law.damping);
    if (curve && stiffness)
        reader_reject(&r->base, stiffness->key, "a spring has stiffness or curve; here are both");
    if (law.preloaded && reader_get(&r->base, map, "length"))
        reader_reject(&r->base, yaml_find(map, "preload")->key,
                      "a spring has length or preload; here are both");
    if (law.preloaded && !(law.stiffness > 0.0))
        reader_reject(&r->base, yaml_find(map, "preload")->key,
                      "preload needs a stiffness, from which the relaxed length follows");
    if (law.min > 0.0 && law.max > 0.0 && !(law.max > law.min))
        reader_reject(&r->base, reader_get(&r->base, map, "max"),
                      "the longest length, %.9g m, is not above the shortest, %.9g m", law.max,
                      law.min);
    if (strcmp(e->kind->name, "spring") == 0 && !curve && !stiffness && !damping)
        reader_reject(&r->base, map->key,
                      "the spring %s has neither stiffness nor curve nor damping", map->key->text);
    if (strcmp(e->kind->name, "limit") == 0) {
        if (!(law.min > 0.0) && !(law.max > 0.0))
            reader_reject(&r->base, map->key, "a limit needs min or max");
        law.stiffness = 0.0;
    }
    concept_spring_law(r->c, e, &law);
    for (int i = 0; i < 3; i++)
        if (e->at[i] != e->to_at[i])
            return;
    reader_reject(&r->base, map->key, "both ends of %s are at the same place: it has no direction",
                  map->key->text);
}

// ---- connections ----

static void read_three(concept_reader *r, const yaml_node *map, const char *key, const char *unit,
                       double out[3])
{
    const yaml_node *node = reader_get(&r->base, map, key);
    if (node)
        concept_vector(r, node, unit, out);
    for (int i = 0; i < 3 && r->base.status == MC_OK; i++)
        if (out[i] < 0.0)
            reader_reject(&r->base, node, "a bushing has no %s of %.9g; expected 0 or more", key,
                          out[i]);
}

static void read_free(concept_reader *r, const yaml_node *map, concept_edge *e)
{
    static const char *const words[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
    const yaml_node *node = reader_get(&r->base, map, "free");
    char list[64] = "";
    if (!node || !reader_is_list(&r->base, node, 1, 6))
        return;
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next) {
        const int k = reader_choice(&r->base, n, words, 6);
        if (k >= 0 && strstr(list, words[k]))
            reader_reject(&r->base, n, "%s is listed twice", words[k]);
        else if (k >= 0)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                     words[k]);
    }
    e->free = concept_text(r->c, "%s", list);
}

static void read_joint_law(concept_reader *r, const yaml_node *map, concept_edge *e)
{
    const bool turns = e->kind->joint && strcmp(e->kind->joint, "hinge") == 0;
    const yaml_node *stiffness = reader_get(&r->base, map, "stiffness");
    const yaml_node *damping = reader_get(&r->base, map, "damping");
    const yaml_node *rest = reader_get(&r->base, map, "rest");
    const yaml_node *load = reader_get(&r->base, map, "load");
    if (stiffness)
        e->stiffness = concept_number_at(r, stiffness, turns ? "N*m" : "N/m");
    if (damping)
        e->damping = concept_number_at(r, damping, turns ? "N*m*s" : "N*s/m");
    if (rest)
        e->rest = concept_number_at(r, rest, turns ? "rad" : "m");
    if (load)
        e->load = reader_text(&r->base, load);
    if (e->load)
        e->load = reader_copy(&r->base, e->load);
    if (r->base.status == MC_OK && (e->stiffness < 0.0 || e->damping < 0.0))
        reader_reject(&r->base, e->stiffness < 0.0 ? stiffness : damping,
                      "a joint has no %s of %.9g; expected 0 or more",
                      e->stiffness < 0.0 ? "stiffness" : "damping",
                      e->stiffness < 0.0 ? e->stiffness : e->damping);
}

static bool check_kind_keys(concept_reader *r, const yaml_node *map, const connection_kind *kind)
{
    for (int k = 0; k < CONNECTION_KEY_COUNT && r->base.status == MC_OK; k++) {
        const char *name = connection_key_names[k];
        unsigned same = 0; // a key may have two rows
        for (int j = 0; j < CONNECTION_KEY_COUNT; j++)
            same |= strcmp(connection_key_names[j], name) == 0 ? 1u << j : 0;
        const yaml_node *node = reader_get(&r->base, map, name);
        if (node && !(kind->keys & same))
            reader_reject(&r->base, node->key, "a %s connection has no key %s", kind->name, name);
        if (!node && kind->needs & (1u << k))
            reader_reject(&r->base, map->key, "a %s connection needs the key %s (%s)", kind->name,
                          name, concept_key_find(CONCEPT_CONNECTION, name)->doc);
    }
    return r->base.status == MC_OK;
}

// An axis is mirrored as a vector of rotation, so that coordinates mean the same on both sides; a
// slide as a direction.
static void mirror_edge(concept_edge *e)
{
    const bool slides = e->kind->joint && (strcmp(e->kind->joint, "prism") == 0 ||
                                           strncmp(e->kind->joint, "point_", 6) == 0);
    double *axes[] = {e->axis, e->to_axis};
    e->at[1] = -e->at[1];
    e->to_at[1] = -e->to_at[1];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            if ((i == 1) == slides)
                axes[k][i] = -axes[k][i];
}

static void read_state(concept_reader *r, const yaml_node *map, concept_edge *e)
{
    static const char *const words[] = {"shut", "open"};
    const yaml_node *state = reader_get(&r->base, map, "state");
    if (strcmp(e->kind->name, "closure") != 0)
        return;
    const bool open = state && reader_choice(&r->base, state, words, 2) == 1;
    e->start = concept_number(r, map, CONCEPT_CONNECTION, "angle", 0.0);
    e->open = open;
}

static void add_edge(concept_reader *r, const yaml_node *map, const connection_kind *kind,
                     const yaml_node *from, const yaml_node *to, int side, int number)
{
    concept_edge e = {.kind = kind, .side = side, .place = {map->key->line, map->key->column}};
    e.from = concept_find_part(r, from, side, true, &e.whole[0]);
    e.to = concept_find_part(r, to, side, true, &e.whole[1]);
    if (r->base.status != MC_OK)
        return;
    if (e.from == e.to) {
        reader_reject(&r->base, to, "%s is connected to itself", reader_text(&r->base, to));
        return;
    }
    concept_vector_key(r, map, "at", e.at);
    memcpy(e.to_at, e.at, sizeof e.to_at);
    concept_vector_key(r, map, "to_at", e.to_at);
    const yaml_node *axis = reader_get(&r->base, map, "axis");
    const yaml_node *to_axis = reader_get(&r->base, map, "to_axis");
    if (axis)
        concept_axis(r, axis, e.axis);
    if (to_axis)
        concept_axis(r, to_axis, e.to_axis);
    read_free(r, map, &e);
    read_state(r, map, &e);
    if (kind->class == CLASS_SPRING) {
        read_spring_law(r, map, &e);
    } else if (kind->class == CLASS_BUSHING) {
        read_three(r, map, "stiffness", "N/m", e.stiffness_3);
        read_three(r, map, "damping", "N*s/m", e.damping_3);
    } else {
        read_joint_law(r, map, &e);
    }
    for (int k = 0; k < 2 && r->base.status == MC_OK; k++) {
        const int part = k ? e.to : e.from;
        if (kind->class != CLASS_RIGID && part >= 0 && r->c->parts[part].role == ROLE_INERTIA)
            reader_reject(&r->base, k ? to : from,
                          "%s is inertia_only: it can be connected rigidly, not by a %s",
                          reader_text(&r->base, k ? to : from), kind->name);
    }
    if (side < 0)
        mirror_edge(&e);
    char tail[24] = "";
    if (number > 0)
        snprintf(tail, sizeof tail, "_%d", number);
    const char *prefix = r->assembly < 0 ? "" : r->c->assemblies[r->assembly].name;
    e.name = concept_text(r->c, "%s%s%s%s%s", prefix, *prefix ? "_" : "", map->key->text, tail,
                          side > 0   ? "_l"
                          : side < 0 ? "_r"
                                     : "");
    concept_edge *out = r->base.status == MC_OK ? concept_add_edge(r->c) : NULL;
    if (out)
        *out = e;
    else
        reader_no_memory(&r->base);
}

// `parts`: each of the list with the first.
static void read_list(concept_reader *r, const yaml_node *map, const connection_kind *kind,
                      const yaml_node *list, int side)
{
    static const char *const all[] = {"all"};
    if (list->kind == YAML_SCALAR) {
        mc_concept *c = r->c;
        if (reader_choice(&r->base, list, all, 1) < 0)
            return;
        if (r->assembly < 0) {
            reader_reject(&r->base, list, "all is for the connections of an assembly; name them");
            return;
        }
        const concept_assembly *a = &c->assemblies[r->assembly];
        int first = -1;
        for (int i = a->first; i < a->first + a->count; i++) {
            if (c->parts[i].role == ROLE_IGNORED)
                continue;
            concept_edge *e = first >= 0 ? concept_add_edge(c) : NULL;
            if (e)
                *e = (concept_edge){
                    .name = concept_text(c, "%s_%s_%d", a->name, map->key->text, i - a->first),
                    .kind = kind,
                    .from = first,
                    .to = i,
                    .place = {map->key->line, map->key->column}};
            first = first < 0 ? i : first;
        }
        return;
    }
    int number = 0;
    if (!reader_is_list(&r->base, list, 2, 1000))
        return;
    for (const yaml_node *n = list->first->next; n && r->base.status == MC_OK; n = n->next)
        add_edge(r, map, kind, list->first, n, side, ++number);
}

static void read_connection(concept_reader *r, const yaml_node *map)
{
    const char *names[32];
    int count = 0;
    concept_word(r, map->key);
    if (!concept_check_keys(r, map, CONCEPT_CONNECTION))
        return;
    for (; connection_kind_at(count); count++)
        names[count] = connection_kind_at(count)->name;
    const int k = reader_choice(&r->base, reader_get(&r->base, map, "joint"), names, count);
    const connection_kind *kind = connection_kind_at(k);
    const bool mirror = concept_flag(r, map, "mirror", false);
    const yaml_node *parts = reader_get(&r->base, map, "parts");
    const yaml_node *from = reader_get(&r->base, map, "from"),
                    *to = reader_get(&r->base, map, "to");
    if (!kind || !check_kind_keys(r, map, kind))
        return;
    if (mirror && r->mirrored)
        reader_reject(&r->base, yaml_find(map, "mirror")->key,
                      "%s is mirrored twice: its assembly is mirrored already", map->key->text);
    if (parts ? from || to : !from || !to)
        reader_reject(&r->base, map->key, "a %s connection needs from and to%s", kind->name,
                      kind->class == CLASS_RIGID && !kind->joint ? ", or parts" : "");
    const bool both = (mirror || r->mirrored) && !(parts && parts->kind == YAML_SCALAR);
    for (int side = both ? 1 : 0; side >= (both ? -1 : 0) && r->base.status == MC_OK; side -= 2) {
        if (parts)
            read_list(r, map, kind, parts, side);
        else
            add_edge(r, map, kind, from, to, side, 0);
    }
}

void concept_read_connections(concept_reader *r, const yaml_node *map)
{
    const yaml_node *each = concept_each(r, map, "connections");
    for (const yaml_node *n = each ? each->first : NULL; n && r->base.status == MC_OK; n = n->next)
        read_connection(r, n);
}

void concept_read_points(concept_reader *r, const yaml_node *root)
{
    const yaml_node *each = concept_each(r, root, "points");
    for (const yaml_node *n = each ? each->first : NULL; n && r->base.status == MC_OK;
         n = n->next) {
        int whole;
        const char *name = concept_word(r, n->key);
        if (!concept_check_keys(r, n, CONCEPT_POINT))
            return;
        concept_point *p = concept_add_point(r->c);
        if (!p) {
            reader_no_memory(&r->base);
            return;
        }
        p->name = name;
        p->part = concept_find_part(r, reader_get(&r->base, n, "part"), 0, true, &whole);
        p->place = (concept_place){n->key->line, n->key->column};
        concept_vector_key(r, n, "at", p->at);
    }
}
