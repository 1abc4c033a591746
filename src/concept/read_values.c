// read_values.c - single values of concept files.
#include "concept/reader.h"

#include "shape/section.h"
#include "num/vec3.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 64 };

// ---- keys ----

static int section_words(concept_section_id section, const char *words[WORDS_MAX])
{
    int count = 0;
    const concept_key *key;
    for (int i = 0; (key = concept_key_at(i)) && count < WORDS_MAX; i++)
        if (key->section == section)
            words[count++] = key->name;
    return count;
}

bool concept_check_keys(concept_reader *r, const yaml_node *map, concept_section_id section)
{
    const char *words[WORDS_MAX], *what = concept_section_name(section);
    const int count = section_words(section, words);
    if (r->base.status != MC_OK || !reader_is_map(&r->base, map, what, words, count))
        return false;
    for (const yaml_node *n = map->first; n; n = n->next)
        if (!concept_key_find(section, n->key->text)) {
            reader_unknown_key(&r->base, n->key, what, words, count);
            return false;
        }
    const concept_key *key;
    for (int i = 0; (key = concept_key_at(i)); i++)
        if (key->section == section && key->needed && !yaml_find(map, key->name)) {
            reader_reject(&r->base, map->key ? map->key : map, "%s needs the key %s (%s)", what,
                          key->name, key->doc);
            return false;
        }
    return true;
}

const yaml_node *concept_need(concept_reader *r, const yaml_node *map, concept_section_id section,
                              const char *key)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    if (!node && r->base.status == MC_OK)
        reader_reject(&r->base, map->key ? map->key : map, "%s needs the key %s (%s)",
                      concept_section_name(section), key, concept_key_find(section, key)->doc);
    return r->base.status == MC_OK ? node : NULL;
}

const yaml_node *concept_each(concept_reader *r, const yaml_node *map, const char *key)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    if (!node || reader_is_empty(node) || r->base.status != MC_OK)
        return NULL;
    if (node->kind != YAML_MAPPING) {
        reader_reject(&r->base, node, "expected a map of %s, each \"name: ...\"", key);
        return NULL;
    }
    return node;
}

// ---- numbers ----

double concept_number_at(concept_reader *r, const yaml_node *node, const char *unit)
{
    double factor;
    return reader_literal(&r->base, node, reader_unit_of(unit, &factor));
}

double concept_number(concept_reader *r, const yaml_node *map, concept_section_id section,
                      const char *key, double other)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    const concept_key *row = concept_key_find(section, key);
    if (!node || r->base.status != MC_OK)
        return other;
    const double value = concept_number_at(r, node, row->unit);
    const bool limited = row->min != 0.0 || row->max != 0.0;
    if (r->base.status == MC_OK && limited && !(value >= row->min && value <= row->max))
        reader_reject(&r->base, node, "%s is %.9g, expected %.9g to %.9g%s%s", key, value, row->min,
                      row->max, strcmp(row->unit, "-") == 0 ? "" : " ",
                      strcmp(row->unit, "-") == 0 ? "" : row->unit);
    return value;
}

void concept_vector(concept_reader *r, const yaml_node *node, const char *unit, double out[3])
{
    int i = 0;
    if (r->base.status != MC_OK || !reader_is_list(&r->base, node, 3, 3))
        return;
    for (const yaml_node *n = node->first; n; n = n->next, i++)
        out[i] = concept_number_at(r, n, unit);
}

bool concept_vector_key(concept_reader *r, const yaml_node *map, const char *key, double out[3])
{
    const yaml_node *node = reader_get(&r->base, map, key);
    if (node)
        concept_vector(r, node, "m", out);
    return node != NULL;
}

void concept_axis(concept_reader *r, const yaml_node *node, double out[3])
{
    static const char *const words[] = {"x", "y", "z", "-x", "-y", "-z"};
    out[0] = out[1] = out[2] = 0.0;
    if (r->base.status != MC_OK)
        return;
    if (node->kind == YAML_SCALAR) {
        const int k = reader_choice(&r->base, node, words, 6);
        if (k >= 0)
            out[k % 3] = k < 3 ? 1.0 : -1.0;
        return;
    }
    concept_vector(r, node, "", out);
    const double size = vec3_norm(out);
    if (r->base.status == MC_OK && !(size > 0.0))
        reader_reject(&r->base, node, "the axis is zero, it must have a direction");
    for (int i = 0; i < 3 && size > 0.0; i++)
        out[i] /= size;
}

bool concept_flag(concept_reader *r, const yaml_node *map, const char *key, bool other)
{
    static const char *const words[] = {"false", "true"};
    const yaml_node *node = reader_get(&r->base, map, key);
    if (!node || r->base.status != MC_OK)
        return other;
    return reader_choice(&r->base, node, words, 2) == 1;
}

double (*concept_points(concept_reader *r, const yaml_node *node, int min, int max, int *count))[3]
{
    *count = 0;
    if (r->base.status != MC_OK || !reader_is_list(&r->base, node, min, max))
        return NULL;
    double(*out)[3] = reader_alloc(&r->base, node->count, sizeof out[0]);
    for (const yaml_node *n = node->first; n && out && r->base.status == MC_OK; n = n->next)
        concept_vector(r, n, "m", out[(*count)++]);
    return r->base.status == MC_OK ? out : NULL;
}

// Three principal values or six elements, as a body can have them.
void concept_inertia(concept_reader *r, const yaml_node *node, double out[6])
{
    int i = 0;
    memset(out, 0, 6 * sizeof out[0]);
    if (r->base.status != MC_OK || !reader_is_list(&r->base, node, 3, 6))
        return;
    for (const yaml_node *n = node->first; n; n = n->next, i++)
        out[i] = concept_number_at(r, n, "kg*m^2");
    for (i = 0; i < 3 && r->base.status == MC_OK; i++) {
        const double others = out[(i + 1) % 3] + out[(i + 2) % 3];
        if (out[i] < 0.0 || out[i] > others * (1.0 + 1e-9))
            reader_reject(&r->base, node,
                          "no body has the inertia %.9g, %.9g, %.9g kg m^2: each must be above 0 "
                          "and none above the sum of the others",
                          out[0], out[1], out[2]);
    }
}

static void turn_sequence(concept_reader *r, const yaml_node *node, double R[9])
{
    const yaml_node *order = yaml_find(node, "sequence"), *angles = yaml_find(node, "angles");
    if (!order || !angles || node->count != 2) {
        reader_reject(&r->base, node, "expected {sequence: zyx, angles: [a, b, c]}");
        return;
    }
    const char *word = reader_text(&r->base, order);
    if (strlen(word) != 3 || strspn(word, "xyz") != 3)
        reader_reject(&r->base, order, "found \"%s\", expected three axes such as zyx", word);
    if (!reader_is_list(&r->base, angles, 3, 3) || r->base.status != MC_OK)
        return;
    const yaml_node *n = angles->first;
    for (int i = 0; i < 3; i++, n = n->next) {
        const double a = concept_number_at(r, n, "rad"), c = cos(a), s = sin(a);
        const int k = word[i] - 'x', p = (k + 1) % 3, q = (k + 2) % 3;
        double T[9] = {0}, old[9];
        T[4 * k] = 1.0, T[4 * p] = T[4 * q] = c;
        T[3 * p + q] = -s, T[3 * q + p] = s;
        memcpy(old, R, sizeof old);
        mat3_mul(old, T, R);
    }
}

void concept_turn(concept_reader *r, const yaml_node *node, double R[9])
{
    memcpy(R, concept_pose_none.R, sizeof concept_pose_none.R);
    if (!node || r->base.status != MC_OK)
        return;
    if (node->kind == YAML_MAPPING) {
        turn_sequence(r, node, R);
        return;
    }
    double q[4], size = 0.0;
    int i = 0;
    if (!reader_is_list(&r->base, node, 4, 4))
        return;
    for (const yaml_node *n = node->first; n; n = n->next, i++) {
        q[i] = concept_number_at(r, n, "");
        size += q[i] * q[i];
    }
    if (r->base.status == MC_OK && fabs(sqrt(size) - 1.0) > 1e-6) {
        reader_reject(&r->base, node, "the quaternion has the length %.9g, it must be 1",
                      sqrt(size));
        return;
    }
    const double f = 2.0 / size, w = q[0], x = q[1], y = q[2], z = q[3];
    const double full[9] = {
        1.0 - f * (y * y + z * z), f * (x * y - w * z),       f * (x * z + w * y),
        f * (x * y + w * z),       1.0 - f * (x * x + z * z), f * (y * z - w * x),
        f * (x * z - w * y),       f * (y * z + w * x),       1.0 - f * (x * x + y * y)};
    memcpy(R, full, sizeof full);
}

void concept_table(concept_reader *r, const yaml_node *node, const char *x_unit, const char *y_unit,
                   template_table *out)
{
    out->count = 0;
    if (!node || r->base.status != MC_OK || !reader_is_list(&r->base, node, 2, TEMPLATE_TABLE_MAX))
        return;
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next) {
        if (!reader_is_list(&r->base, n, 2, 2))
            return;
        const int i = out->count++;
        out->x[i] = concept_number_at(r, n->first, x_unit);
        out->y[i] = concept_number_at(r, n->first->next, y_unit);
        if (r->base.status == MC_OK && i > 0 && !(out->x[i] > out->x[i - 1]))
            reader_reject(&r->base, n->first, "%.9g follows %.9g: the first numbers must increase",
                          out->x[i], out->x[i - 1]);
    }
}

// ---- words ----

const char *concept_word(concept_reader *r, const yaml_node *key)
{
    static const char *const own[] = {"ground", "world", "gravity", "t", "time", "all"};
    const char *word = key->text;
    bool good = isalpha((unsigned char)word[0]) && strlen(word) < 40;
    for (const char *p = word; *p; p++)
        good = good && (isalnum((unsigned char)*p) || *p == '_');
    if (!good)
        reader_reject(&r->base, key,
                      "\"%.60s\" cannot be a name: expected up to 39 letters, digits and _, a "
                      "letter first",
                      word);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(word, own[i]) == 0)
            reader_reject(&r->base, key, "\"%s\" cannot be a name: it has a meaning of its own",
                          word);
    return reader_copy(&r->base, word);
}

// Usual values; a file may define others under the same names.
static const concept_material built_in[] = {
    {"steel", 7850},    {"cast_iron", 7200}, {"aluminium", 2700}, {"magnesium", 1740},
    {"titanium", 4430}, {"copper", 8960},    {"glass", 2500},     {"rubber", 1100},
    {"plastic", 1050},  {"carbon", 1600},    {"wood", 600},       {"water", 1000},
    {"petrol", 745},    {"diesel", 835},     {"foam", 60},        {"battery", 2200},
};

double concept_density(concept_reader *r, const yaml_node *node, const char *name)
{
    enum { BUILT_IN = sizeof built_in / sizeof built_in[0], MAX = 128 };
    const char *words[MAX];
    int count = 0;
    for (int i = 0; i < r->material_count && count < MAX - BUILT_IN; i++) {
        words[count++] = r->materials[i].name;
        if (strcmp(r->materials[i].name, name) == 0)
            return r->materials[i].density;
    }
    for (int i = 0; i < BUILT_IN; i++) {
        words[count++] = built_in[i].name;
        if (strcmp(built_in[i].name, name) == 0)
            return built_in[i].density;
    }
    reader_unknown(&r->base, node, "material", words, count);
    return 0.0;
}

double concept_build_out(concept_reader *r, const yaml_node *map, double mass)
{
    const yaml_node *node = reader_get(&r->base, map, "build_out");
    if (!node || !concept_check_keys(r, node, CONCEPT_BUILD_OUT))
        return 1.0;
    const double factor = concept_number(r, node, CONCEPT_BUILD_OUT, "factor", 1.0);
    const double added = concept_number(r, node, CONCEPT_BUILD_OUT, "mass", 0.0);
    if (r->base.status != MC_OK)
        return 1.0;
    if (!(mass > 0.0) || !(mass * factor + added > 0.0)) {
        reader_reject(&r->base, node, "build_out leaves the mass %.9g kg; expected above 0",
                      mass * factor + added);
        return 1.0;
    }
    return factor + added / mass;
}
