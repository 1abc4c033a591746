// estimators.c - estimators: methods of the library with their parameters, and the user's own.
//
// Every method of the library can be used by its own name, with its own defaults, whether the file
// mentions it or not: an estimator can be switched on in any scenario.
#include "scenario/reader.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const estimator_kind *find_method(scenario_reader *r, const yaml_node *node)
{
    const char *names[64];
    const char *word = reader_text(&r->base, node);
    const estimator_kind *kind = r->base.status == MC_OK ? estimator_find(word) : NULL;
    if (kind || r->base.status != MC_OK)
        return kind;
    int count = 0;
    for (; count < 64 && (kind = estimator_at(count)); count++)
        names[count] = kind->name;
    reader_unknown(&r->base, node, "method", names, count);
    return NULL;
}

// ---- the user's own ----

static unsigned state_bit(scenario_reader *r, const yaml_node *node, const law_text *text)
{
    const char *names[LAW_STATE_MAX];
    const char *word = reader_text(&r->base, node);
    for (int k = 0; k < text->state_count && r->base.status == MC_OK; k++) {
        names[k] = text->states[k].rate.name;
        if (strcmp(names[k], word) == 0)
            return 1u << k;
    }
    if (r->base.status == MC_OK)
        reader_unknown(&r->base, node, "state", names, text->state_count);
    return 0;
}

static unsigned read_restart(scenario_reader *r, const yaml_node *map, const law_text *text)
{
    const yaml_node *node = reader_get(&r->base, map, "restart");
    unsigned bits = 0;
    if (!node)
        return 0;
    if (node->kind == YAML_SCALAR)
        return state_bit(r, node, text);
    if (!reader_is_list(&r->base, node, 0, LAW_STATE_MAX))
        return 0;
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next)
        bits |= state_bit(r, n, text);
    return bits;
}

// A scenario may come from a network: its formulas are interpreted, never compiled.
static void read_own(scenario_reader *r, const yaml_node *map, scenario_estimator *e)
{
    estimator_text *text = reader_alloc(&r->base, 1, sizeof *text);
    if (!text || !scenario_check_keys(r, map, SECTION_ESTIMATOR_METHOD, NULL, 0))
        return;
    text->law.name = e->name;
    scenario_law_text(r, map, SECTION_ESTIMATOR_METHOD, SECTION_ESTIMATOR, "estimate", &text->law);
    const yaml_node *parameter = reader_get(&r->base, map, "parameter");
    text->active = scenario_law_line(r, "active", reader_get(&r->base, map, "active"));
    text->unit = reader_read_unit(&r->base, reader_get(&r->base, map, "unit")).text;
    text->parameter = parameter ? reader_text(&r->base, parameter) : "";
    if (r->base.status == MC_OK)
        text->restart = read_restart(r, map, &text->law);
    if (r->base.status != MC_OK)
        return;
    mc_error error = {0};
    e->own = estimator_formula_create(text, r->s->file, EXPR_INTERPRET, &error);
    if (e->own)
        e->kind = estimator_formula_kind(e->own);
    else
        scenario_reject_by(r, map, &error);
}

// ---- estimators ----

static void set_defaults(scenario_reader *r, scenario_estimator *e)
{
    e->p = reader_alloc(&r->base, e->kind->param_count, sizeof e->p[0]);
    for (int i = 0; e->p && i < e->kind->param_count; i++)
        e->p[i] = e->kind->params[i].fallback;
}

static void read_estimator(scenario_reader *r, const yaml_node *node)
{
    scenario_estimator *e = &r->s->estimators[r->s->estimator_count];
    const bool short_form = node->kind == YAML_SCALAR && !reader_is_empty(node);
    e->name = scenario_label(r, node->key);
    e->place = scenario_place_of(node->key);
    if (r->base.status == MC_OK && strcmp(e->name, "none") == 0)
        reader_reject(&r->base, node->key,
                      "an estimator cannot be called none: that switches one off");
    if (!short_form && node->kind != YAML_MAPPING)
        scenario_check_keys(r, node, SECTION_ESTIMATOR, NULL, 0); // says what it should be
    if (r->base.status != MC_OK)
        return;
    const yaml_node *method =
        short_form ? node : scenario_need(r, node, SECTION_ESTIMATOR, "method");
    if (method && method->kind == YAML_MAPPING)
        read_own(r, method, e);
    else if (method)
        e->kind = find_method(r, method);
    if (r->base.status != MC_OK || !e->kind)
        return;
    r->s->estimator_count++;
    set_defaults(r, e);
    if (e->p && !short_form &&
        scenario_check_keys(r, node, SECTION_ESTIMATOR, e->kind->params, e->kind->param_count))
        scenario_params(r, node, e->kind->params, e->kind->param_count, e->p);
}

static bool is_taken(const scenario *s, const char *name)
{
    for (int k = 0; k < s->estimator_count; k++)
        if (strcmp(s->estimators[k].name, name) == 0)
            return true;
    return false;
}

void scenario_read_estimators(scenario_reader *r, const yaml_node *root)
{
    int count, methods = 0;
    scenario *s = r->s;
    const estimator_kind *kind;
    const yaml_node *first = scenario_elements(r, root, "estimators", YAML_MAPPING, &count);
    while (estimator_at(methods))
        methods++;
    s->estimators = reader_alloc(&r->base, count + methods, sizeof s->estimators[0]);
    for (const yaml_node *n = first; n && r->base.status == MC_OK; n = n->next)
        read_estimator(r, n);
    for (int k = 0; (kind = estimator_at(k)) && r->base.status == MC_OK; k++)
        if (!is_taken(s, kind->name)) {
            scenario_estimator *e = &s->estimators[s->estimator_count++];
            *e = (scenario_estimator){.name = kind->name, .kind = kind};
            set_defaults(r, e);
        }
}
