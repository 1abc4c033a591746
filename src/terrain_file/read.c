// read.c - a map of YAML to terrain.
#include "terrain_file/read.h"

#include "num/table.h"
#include "parts/friction.h"
#include "road/shape.h"
#include "road/terrain_surface.h"
#include "road/terrain_table.h"
#include "road/terrain_terms.h"
#include "road_files/crg.h"
#include "terrain_file/formula.h"

#include <math.h>
#include <string.h>

enum { WORDS_MAX = 64, LAYERS_PER_FEATURE = 2, LIST_MAX = 10000, ROWS_MAX = 200000 };

static const char *const sides[TERRAIN_SIDES] = {"both", "left", "right"};

// ---- values ----

static const terrain_key *find_key(terrain_section section, const char *name)
{
    const terrain_key *key = NULL;
    for (int i = 0; (key = terrain_key_at(i)); i++)
        if (key->section == section && strcmp(key->name, name) == 0)
            return key;
    return NULL;
}

static bool check_keys(reader *r, const yaml_node *map, terrain_section section,
                       const road_shape *shape)
{
    const char *words[WORDS_MAX];
    int count = 0;
    const terrain_key *key;
    for (int i = 0; (key = terrain_key_at(i)); i++)
        if (key->section == section)
            words[count++] = key->name;
    for (int i = 0; shape && i < shape->param_count; i++)
        words[count++] = shape->params[i].name;
    if (!reader_is_map(r, map, terrain_section_name(section), words, count))
        return false;
    for (const yaml_node *n = map->first; n && r->status == MC_OK; n = n->next) {
        bool known = false;
        for (int k = 0; k < count; k++)
            known = known || strcmp(words[k], n->key->text) == 0;
        if (!known)
            reader_unknown_key(r, n->key, terrain_section_name(section), words, count);
    }
    return r->status == MC_OK;
}

static double within(reader *r, const yaml_node *node, const char *name, const char *unit,
                     double min, double max)
{
    double factor;
    const double value = reader_literal(r, node, reader_unit_of(unit, &factor));
    if (r->status == MC_OK && !(value >= min && value <= max))
        reader_reject(r, node, "%s is %g; expected %g to %g%s%s", name, value, min, max,
                      strcmp(unit, "-") == 0 ? "" : " ", strcmp(unit, "-") == 0 ? "" : unit);
    return value;
}

// A number of a map, or what it is without it; one without a default is needed.
static double number(reader *r, const yaml_node *map, terrain_section section, const char *name,
                     bool needed)
{
    const terrain_key *key = find_key(section, name);
    const yaml_node *node = reader_get(r, map, name);
    if (!node && needed && r->status == MC_OK)
        reader_reject(r, map->key ? map->key : map, "%s needs the key %s (%s)",
                      terrain_section_name(section), name, key->doc);
    if (!node || r->status != MC_OK)
        return key->fallback;
    const double value = within(r, node, name, key->unit, key->min, key->max);
    if (r->status == MC_OK && key->form == TERRAIN_WHOLE && value != floor(value))
        reader_reject(r, node, "%s is %g; expected a whole number", name, value);
    return value;
}

static bool flag(reader *r, const yaml_node *map, const char *name)
{
    static const char *const words[] = {"false", "true"};
    const yaml_node *node = reader_get(r, map, name);
    return node && reader_choice(r, node, words, 2) == 1;
}

static terrain_where read_where(reader *r, const yaml_node *map, terrain_section section)
{
    const yaml_node *side = reader_get(r, map, "side");
    terrain_where w = {TERRAIN_BOTH, number(r, map, section, "divide", false), 0.1};
    const int chosen = side ? reader_choice(r, side, sides, TERRAIN_SIDES) : TERRAIN_BOTH;
    w.side = chosen < 0 ? TERRAIN_BOTH : (terrain_side)chosen;
    if (section == TERRAIN_FEATURE)
        w.seam = number(r, map, section, "seam", false);
    return w;
}

// ---- features ----

static void add(road_terrain *t, terrain_layer *layers, const terrain_kind *kind, const void *data,
                terrain_where where)
{
    layers[t->layer_count++] = (terrain_layer){kind, data, where};
}

static void read_term(reader *r, const yaml_node *map, terrain_term *out)
{
    static const char *const units[] = {"m", "-", "1/m", "1/m^2", "1/m^3", "1/m^4"};
    if (!check_keys(r, map, TERRAIN_TERM, NULL))
        return;
    out->at = number(r, map, TERRAIN_TERM, "at", false);
    out->power = (int)number(r, map, TERRAIN_TERM, "power", true);
    const terrain_key *key = find_key(TERRAIN_TERM, "scale");
    const yaml_node *scale = reader_get(r, map, "scale");
    if (r->status == MC_OK && !scale)
        reader_reject(r, map, "a term needs the key scale (%s)", key->doc);
    if (r->status == MC_OK)
        out->scale = within(r, scale, "scale", units[out->power], key->min, key->max);
}

static void sort_terms(terrain_term *terms, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && terms[k].at < terms[k - 1].at; k--) {
            const terrain_term other = terms[k];
            terms[k] = terms[k - 1];
            terms[k - 1] = other;
        }
}

static const terrain_terms *read_terms(reader *r, const yaml_node *map, const yaml_node *list)
{
    terrain_terms *out = reader_alloc(r, 1, sizeof *out);
    if (!reader_is_list(r, list, 1, LIST_MAX))
        return out;
    terrain_term *terms = reader_alloc(r, list->count, sizeof *terms);
    int k = 0;
    for (const yaml_node *n = list->first; n && r->status == MC_OK; n = n->next)
        read_term(r, n, &terms[k++]);
    if (r->status != MC_OK)
        return out;
    sort_terms(terms, k);
    const double period = number(r, map, TERRAIN_FEATURE, "period", false);
    *out = (terrain_terms){terms, k, number(r, map, TERRAIN_FEATURE, "from", false),
                           isnan(period) ? 0.0 : period,
                           (int)fmin(number(r, map, TERRAIN_FEATURE, "count", false), 1e9)};
    if (r->status == MC_OK && out->period > 0.0 && terms[k - 1].at > out->period)
        reader_reject(r, reader_get(r, map, "period"),
                      "a term at %g m is beyond the period of %g m", terms[k - 1].at, out->period);
    return out;
}

// One row of a table: x and up to two heights.
static int read_row(reader *r, const yaml_node *row, double out[3])
{
    double factor;
    int count = 0;
    const expr_unit metre = reader_unit_of("m", &factor);
    if (!reader_is_list(r, row, 2, 3))
        return 0;
    for (const yaml_node *n = row->first; n && r->status == MC_OK; n = n->next)
        out[count++] = reader_literal(r, n, metre);
    return count;
}

static void read_table(reader *r, const yaml_node *map, const yaml_node *list, road_terrain *t,
                       terrain_layer *layers, terrain_where where)
{
    const bool smooth = flag(r, map, "smooth"), repeat = flag(r, map, "repeat");
    if (!reader_is_list(r, list, 2, ROWS_MAX))
        return;
    double *at[3], *slope[2];
    for (int k = 0; k < 3; k++)
        at[k] = reader_alloc(r, list->count, sizeof(double));
    int i = 0, columns = 0;
    for (const yaml_node *n = list->first; n && r->status == MC_OK; n = n->next, i++) {
        double row[3] = {0.0};
        const int count = read_row(r, n, row);
        for (int k = 0; k < count; k++)
            at[k][i] = row[k];
        if (r->status == MC_OK && i > 0 && count != columns)
            reader_reject(r, n, "a row of %d numbers; expected %d, as in the first", count,
                          columns);
        if (r->status == MC_OK && i > 0 && !(at[0][i] > at[0][i - 1]))
            reader_reject(r, n,
                          "x is %g m, not above %g m of the row before; steps are terms of "
                          "power 0",
                          at[0][i], at[0][i - 1]);
        columns = count;
    }
    terrain_table *tables = reader_alloc(r, 2, sizeof *tables);
    for (int k = 0; k + 1 < columns && r->status == MC_OK; k++) {
        slope[k] = smooth ? reader_alloc(r, i, sizeof(double)) : NULL;
        if (r->status == MC_OK && smooth)
            table_slopes(at[0], at[k + 1], i, slope[k]);
        if (r->status == MC_OK && repeat && at[k + 1][0] != at[k + 1][i - 1])
            reader_reject(r, list, "it repeats, but begins at %g m and ends at %g m height",
                          at[k + 1][0], at[k + 1][i - 1]);
        tables[k] = (terrain_table){at[0], 0.0, 0.0, at[k + 1], slope[k], i, repeat};
    }
    if (r->status != MC_OK)
        return;
    if (columns == 3) {
        where = (terrain_where){TERRAIN_LEFT, where.divide,
                                number(r, map, TERRAIN_FEATURE, "track", false)};
        add(t, layers, &terrain_table_kind, &tables[0], where);
        where.side = TERRAIN_RIGHT;
    }
    add(t, layers, &terrain_table_kind, &tables[columns - 2], where);
}

static void read_random(reader *r, const yaml_node *map, const yaml_node *class, road_terrain *t,
                        terrain_layer *layers, terrain_where where)
{
    terrain_roughness w = {.gd = number(r, map, TERRAIN_FEATURE, "gd", false),
                           .waviness = number(r, map, TERRAIN_FEATURE, "waviness", false),
                           .n_min = number(r, map, TERRAIN_FEATURE, "n_min", false),
                           .n_max = number(r, map, TERRAIN_FEATURE, "n_max", false),
                           .length = number(r, map, TERRAIN_FEATURE, "length", false),
                           .coherence = number(r, map, TERRAIN_FEATURE, "coherence", false)};
    w.seed = (unsigned long long)number(r, map, TERRAIN_FEATURE, "seed", false);
    where.seam = number(r, map, TERRAIN_FEATURE, "track", false);
    if (class) {
        const char *text = reader_text(r, class);
        w.gd = text[0] && !text[1] ? terrain_class(text[0]) : NAN;
        if (r->status == MC_OK && isnan(w.gd))
            reader_reject(r, class, "unknown class \"%.20s\"; expected A to H", text);
    }
    terrain_table *tables = reader_alloc(r, 2, sizeof *tables);
    mc_error error = {0};
    if (r->status != MC_OK)
        return;
    if (terrain_random(r->memory, &w, &tables[0], &tables[1], &error) != MC_OK) {
        reader_reject(r, map, "%s", error.text);
        return;
    }
    where.side = TERRAIN_LEFT;
    add(t, layers, &terrain_table_kind, &tables[0], where);
    where.side = TERRAIN_RIGHT;
    add(t, layers, &terrain_table_kind, &tables[1], where);
}

static const road_surface *read_surface(reader *r, const yaml_node *node,
                                        const terrain_files *files)
{
    crg_surface *crg = reader_alloc(r, 1, sizeof *crg);
    const char *bytes, *path;
    size_t size;
    mc_error error = {0};
    if (r->status == MC_OK && !files)
        reader_reject(r, node, "files cannot be named here");
    if (r->status != MC_OK || !files->take(files->context, node, &bytes, &size, &path))
        return NULL;
    if (crg_parse(r->memory, bytes, size, path, crg, &error) != MC_OK) {
        r->status = error.code;
        *r->error = error;
        return NULL;
    }
    return &crg->surface;
}

static const road_shape *find_shape(reader *r, const yaml_node *map)
{
    const char *words[16];
    int count = 0;
    const yaml_node *node = map->kind == YAML_MAPPING ? yaml_find(map, "shape") : NULL;
    for (; count < 16 && road_shape_at(count); count++)
        words[count] = road_shape_at(count)->name;
    const int chosen = node ? reader_choice(r, node, words, count) : -1;
    return chosen >= 0 ? road_shape_at(chosen) : NULL;
}

static const road_surface *read_shape(reader *r, const yaml_node *map, const road_shape *shape)
{
    road_surface *s = reader_alloc(r, 1, sizeof *s);
    if (r->status != MC_OK)
        return NULL;
    s->shape = shape;
    for (int k = 0; k < shape->param_count; k++) {
        const mc_param *p = &shape->params[k];
        const yaml_node *node = reader_get(r, map, p->name);
        s->shape_p[k] = node && r->status == MC_OK
                            ? within(r, node, p->name, p->unit, p->min, p->max)
                            : p->fallback;
    }
    return s;
}

static void read_feature(reader *r, const yaml_node *map, const terrain_files *files,
                         road_terrain *t, terrain_layer *layers)
{
    static const char *const kinds[] = {"terms", "table",   "formula", "class",
                                        "gd",    "surface", "shape"};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    const road_shape *shape = find_shape(r, map);
    if (r->status != MC_OK || !check_keys(r, map, TERRAIN_FEATURE, shape))
        return;
    const terrain_where where = read_where(r, map, TERRAIN_FEATURE);
    const yaml_node *of[KINDS];
    int count = 0;
    for (int k = 0; k < KINDS; k++)
        count += (of[k] = reader_get(r, map, kinds[k])) != NULL;
    if (r->status == MC_OK && count != 1)
        reader_reject(r, map,
                      "%d of the keys terms, table, formula, class, gd, surface, shape; "
                      "expected one of them",
                      count);
    if (r->status != MC_OK)
        return;
    if (of[0])
        add(t, layers, &terrain_terms_kind, read_terms(r, map, of[0]), where);
    else if (of[1])
        read_table(r, map, of[1], t, layers, where);
    else if (of[2])
        add(t, layers, &terrain_formula_kind,
            terrain_formula_read(r, of[2], number(r, map, TERRAIN_FEATURE, "steepest", false)),
            where);
    else if (of[3] || of[4])
        read_random(r, map, of[3], t, layers, where);
    else
        add(t, layers, &terrain_surface_kind,
            of[5] ? read_surface(r, of[5], files) : read_shape(r, map, shape), where);
}

// Which of the words of a list stands at the start of a text; -1: none. *text moves past it.
static int take_word(const char **text, const char *const *words, int count)
{
    *text += strspn(*text, " ");
    for (int k = 0; k < count; k++) {
        const size_t n = strlen(words[k]);
        if (strncmp(*text, words[k], n) == 0 && ((*text)[n] == ' ' || (*text)[n] == '\0')) {
            *text += n;
            return k;
        }
    }
    return -1;
}

// Friction of the key ground, and of the same tyre on dry asphalt; NAN: there is no such key.
static double read_ground(reader *r, const yaml_node *map, double *reference)
{
    const yaml_node *node = reader_get(r, map, "ground");
    const char *text = node ? reader_text(r, node) : "";
    if (!node || r->status != MC_OK)
        return NAN;
    const int surface = take_word(&text, friction_surfaces, FRICTION_SURFACES);
    const int condition =
        surface < 0 ? -1 : take_word(&text, friction_conditions, FRICTION_CONDITIONS);
    const int tyre = condition < 0 ? -1 : take_word(&text, friction_tyres, FRICTION_TYRES);
    if (tyre < 0 || text[strspn(text, " ")] != '\0') {
        reader_reject(r, node,
                      "unknown ground \"%.60s\"; expected asphalt, concrete, gravel, earth, snow "
                      "or ice, then dry, wet or frozen, then summer, winter, all_terrain or truck",
                      node->text);
        return NAN;
    }
    *reference = friction_of(FRICTION_ASPHALT, FRICTION_DRY, (friction_tyre)tyre).mu;
    return friction_of((friction_surface)surface, (friction_condition)condition,
                       (friction_tyre)tyre)
        .mu;
}

static void read_spot(reader *r, const yaml_node *map, terrain_spot *out)
{
    if (!check_keys(r, map, TERRAIN_SPOT, NULL))
        return;
    *out = (terrain_spot){
        number(r, map, TERRAIN_SPOT, "from", true), number(r, map, TERRAIN_SPOT, "to", true),
        read_where(r, map, TERRAIN_SPOT), number(r, map, TERRAIN_SPOT, "friction", false),
        number(r, map, TERRAIN_SPOT, "restitution", false)};
    double reference;
    const double ground = read_ground(r, map, &reference);
    if (isnan(out->friction))
        out->friction = ground;
    if (r->status == MC_OK && !(out->from < out->to))
        reader_reject(r, map, "the spot goes from %g m to %g m; it must end after its start",
                      out->from, out->to);
}

const road_terrain *terrain_read(reader *r, const yaml_node *map, const terrain_files *files)
{
    road_terrain *t = reader_alloc(r, 1, sizeof *t);
    if (r->status != MC_OK || !check_keys(r, map, TERRAIN_TOP, NULL))
        return NULL;
    t->reference = 1.0;
    const double ground = read_ground(r, map, &t->reference);
    t->friction = isnan(ground) || reader_get(r, map, "friction")
                      ? number(r, map, TERRAIN_TOP, "friction", false)
                      : ground;
    t->restitution = number(r, map, TERRAIN_TOP, "restitution", false);
    t->planes = (int)number(r, map, TERRAIN_TOP, "planes", false);
    const yaml_node *features = reader_get(r, map, "features"), *list = reader_get(r, map, "spots");
    if (features && reader_is_list(r, features, 0, LIST_MAX)) {
        terrain_layer *layers =
            reader_alloc(r, LAYERS_PER_FEATURE * features->count, sizeof *layers);
        t->layers = layers;
        for (const yaml_node *n = features->first; n && r->status == MC_OK; n = n->next)
            read_feature(r, n, files, t, layers);
    }
    if (list && r->status == MC_OK && reader_is_list(r, list, 0, LIST_MAX)) {
        terrain_spot *spots = reader_alloc(r, list->count, sizeof *spots);
        t->spots = spots;
        for (const yaml_node *n = list->first; n && r->status == MC_OK; n = n->next)
            read_spot(r, n, &spots[t->spot_count++]);
    }
    return r->status == MC_OK ? t : NULL;
}
