// profiles.c - speeds over time: traffic cycles, tables, formulas.
#include "scenario/reader.h"

#include <stdio.h>
#include <string.h>

static const double SPEED_MIN = 0.0, SPEED_MAX = 150.0; // m/s

static int traffic_of(const char *word)
{
    for (int k = 0; k < PROFILE_TABLE; k++)
        if (strcmp(word, profile_names[k]) == 0)
            return k;
    return -1;
}

static profile *add_profile(scenario_reader *r, const char *name, int *index)
{
    scenario *s = r->s;
    int room = r->profile_room;
    if (!SCENARIO_GROW(r, s->profiles, s->profile_count, room) ||
        !SCENARIO_GROW(r, s->profile_name, s->profile_count, r->profile_room))
        return NULL;
    *index = s->profile_count;
    s->profile_name[s->profile_count] = name;
    return &s->profiles[s->profile_count++];
}

static double speed_of(scenario_reader *r, const yaml_node *node)
{
    const mc_param row = {"speed", "m/s", 0.0, SPEED_MIN, SPEED_MAX, ""};
    return scenario_value(r, node, &row);
}

static void read_table(scenario_reader *r, const yaml_node *node, profile *p)
{
    static const mc_param time = {"time", "s", 0.0, 0.0, 1e7, ""};
    if (!reader_is_list(&r->base, node, 1, 100000))
        return;
    double *t = reader_alloc(&r->base, node->count, sizeof t[0]);
    double *v = reader_alloc(&r->base, node->count, sizeof v[0]);
    if (!t || !v)
        return;
    for (const yaml_node *n = node->first; n; n = n->next) {
        if (!reader_is_list(&r->base, n, 2, 2))
            return;
        t[p->count] = scenario_value(r, n->first, &time);
        v[p->count] = speed_of(r, n->first->next);
        if (p->count > 0 && t[p->count] <= t[p->count - 1])
            reader_reject(&r->base, n->first, "time is %.9g s, expected after the previous %.9g s",
                          t[p->count], t[p->count - 1]);
        p->count++;
    }
    p->t = t;
    p->v = v;
}

static void read_map(scenario_reader *r, const yaml_node *map, profile *p)
{
    if (!scenario_check_keys(r, map, SECTION_PROFILE, NULL, 0))
        return;
    const yaml_node *table = reader_get(&r->base, map, "table");
    const yaml_node *formula = reader_get(&r->base, map, "formula");
    const yaml_node *period = reader_get(&r->base, map, "period");
    if (!table == !formula) {
        reader_reject(&r->base, map, "a profile has either a table or a formula");
        return;
    }
    if (formula) {
        p->kind = PROFILE_FORMULA;
        p->formula = reader_text(&r->base, formula);
        p->line = formula->line;
        p->column = formula->column;
        if (period)
            reader_reject(&r->base, period->key,
                          "period is only for a table; in a formula use sin or mod");
        profile_run *run =
            r->base.status == MC_OK ? profile_prepare(p, r->s->file, r->base.error) : NULL;
        if (!run && r->base.status == MC_OK)
            r->base.status = r->base.error->code;
        profile_destroy(run);
        return;
    }
    p->kind = PROFILE_TABLE;
    read_table(r, table, p);
    p->period = scenario_number(r, map, SECTION_PROFILE, "period");
    if (r->base.status == MC_OK && period && p->period < p->t[p->count - 1])
        reader_reject(&r->base, period, "period is %.9g s, shorter than the table, %.9g s",
                      p->period, p->t[p->count - 1]);
}

// The same speed all the time.
static void make_constant(scenario_reader *r, double speed, profile *p)
{
    double *point = reader_alloc(&r->base, 2, sizeof point[0]);
    if (!point)
        return;
    point[1] = speed;
    p->kind = PROFILE_TABLE;
    p->t = &point[0];
    p->v = &point[1];
    p->count = 1;
}

static bool looks_like_number(const char *text)
{
    return text[0] && strchr("0123456789+-.", text[0]);
}

// A profile that has no entry yet; name: what it is called.
static int make_profile(scenario_reader *r, const yaml_node *node, const char *name)
{
    profile made = {0};
    const int traffic = node->kind == YAML_SCALAR ? traffic_of(node->text) : -1;
    if (traffic >= 0)
        made.kind = (profile_kind)traffic;
    else if (node->kind == YAML_SCALAR && looks_like_number(node->text))
        make_constant(r, speed_of(r, node), &made);
    else if (node->kind == YAML_SCALAR && !reader_is_empty(node))
        reader_unknown(&r->base, node, "profile", profile_names, PROFILE_TABLE);
    else
        read_map(r, node, &made);
    int index = -1;
    profile *entry = r->base.status == MC_OK ? add_profile(r, name, &index) : NULL;
    if (entry)
        *entry = made;
    return index;
}

static void reject_name(scenario_reader *r, const yaml_node *node)
{
    const int count = r->s->profile_count + PROFILE_TABLE;
    const char **names = arena_alloc(&r->scratch, (size_t)count * sizeof names[0]);
    if (!names) {
        reader_no_memory(&r->base);
        return;
    }
    for (int i = 0; i < r->s->profile_count; i++)
        names[i] = r->s->profile_name[i];
    for (int k = 0; k < PROFILE_TABLE; k++)
        names[r->s->profile_count + k] = profile_names[k];
    reader_unknown(&r->base, node, "profile", names, count);
}

int scenario_profile_index(scenario_reader *r, const yaml_node *node, const char *name)
{
    if (r->base.status != MC_OK)
        return -1;
    if (node->kind != YAML_SCALAR) {
        char text[96];
        snprintf(text, sizeof text, "%.63s.profile", name);
        return make_profile(r, node, reader_copy(&r->base, text));
    }
    const char *word = reader_text(&r->base, node);
    for (int i = 0; i < r->s->profile_count && r->base.status == MC_OK; i++)
        if (strcmp(r->s->profile_name[i], word) == 0)
            return i;
    if (r->base.status == MC_OK && traffic_of(word) < 0 && !looks_like_number(word))
        reject_name(r, node);
    return r->base.status == MC_OK ? make_profile(r, node, word) : -1;
}

void scenario_read_profiles(scenario_reader *r, const yaml_node *root)
{
    int count;
    const yaml_node *n = scenario_elements(r, root, "profiles", YAML_MAPPING, &count);
    for (; n && r->base.status == MC_OK; n = n->next) {
        const char *name = scenario_label(r, n->key);
        if (r->base.status == MC_OK)
            make_profile(r, n, name);
    }
}
