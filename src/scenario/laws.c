// laws.c - user-defined laws: control by formulas with states or by matrices, tyres by
// formulas.
#include "scenario/reader.h"

#include <string.h>

// ---- formulas ----

static const char *formula(scenario_reader *r, const yaml_node *node)
{
    const char *text = node ? reader_text(&r->base, node) : "";
    if (r->base.status == MC_OK && text[strspn(text, " \n")] == '\0')
        reader_reject(&r->base, node, "found nothing, expected a formula");
    return text;
}

static law_line read_line(scenario_reader *r, const char *name, const char *unit,
                          const yaml_node *node)
{
    const char *text = formula(r, node);
    return (law_line){name, unit, text, node ? node->line : 0, node ? node->column : 0};
}

// owner: the section in which parameters are keys too.
static void read_parameter(scenario_reader *r, const yaml_node *node, scenario_section owner,
                           mc_param *out)
{
    const yaml_node *value = node, *unit = NULL;
    const bool map = node->kind == YAML_MAPPING;
    out->name = scenario_name(r, node->key);
    out->doc = "";
    if (scenario_key_find(owner, out->name) && r->base.status == MC_OK)
        reader_reject(&r->base, node->key,
                      "a parameter cannot be called %s: that is a key of every %s", out->name,
                      owner == SECTION_TYRE           ? "tyre"
                      : owner == SECTION_ESTIMATOR    ? "estimator"
                      : owner == SECTION_ROAD_PROFILE ? "road profile"
                      : owner == SECTION_STEERING     ? "steering law"
                                                      : "controller");
    if (node->kind == YAML_SEQUENCE || map) {
        if (!scenario_check_keys(r, node, SECTION_PARAMETER, NULL, 0))
            return;
        value = scenario_need(r, node, SECTION_PARAMETER, "value");
        unit = reader_get(&r->base, node, "unit");
        const yaml_node *doc = reader_get(&r->base, node, "doc");
        out->doc = doc ? reader_text(&r->base, doc) : "";
    }
    const reader_quantity q = reader_read_quantity(&r->base, value, unit);
    out->unit = q.text; // "": fits everywhere
    out->fallback = q.value;
    const yaml_node *min = map ? reader_get(&r->base, node, "min") : NULL;
    const yaml_node *max = map ? reader_get(&r->base, node, "max") : NULL;
    out->min = min ? reader_literal(&r->base, min, q.unit) : -1e300;
    out->max = max ? reader_literal(&r->base, max, q.unit) : 1e300;
    if (r->base.status == MC_OK && !(q.value >= out->min && q.value <= out->max))
        reader_reject(&r->base, value, "%s is %.9g, %s its %s %.9g", out->name, q.value,
                      q.value < out->min ? "below" : "above", q.value < out->min ? "min" : "max",
                      q.value < out->min ? out->min : out->max);
}

static void read_state(scenario_reader *r, const yaml_node *node, law_state *out)
{
    const char *name = scenario_name(r, node->key);
    if (!scenario_check_keys(r, node, SECTION_STATE, NULL, 0))
        return;
    const reader_quantity unit = reader_read_unit(&r->base, reader_get(&r->base, node, "unit"));
    const yaml_node *start = reader_get(&r->base, node, "start");
    out->rate = read_line(r, name, unit.text, scenario_need(r, node, SECTION_STATE, "rate"));
    if (start) {
        out->start = formula(r, start);
        out->start_line = start->line;
        out->start_column = start->column;
    }
}

// The list of a law, at most `max` long.
static const yaml_node *list_of(scenario_reader *r, const yaml_node *map, const char *key, int max,
                                int *count)
{
    const yaml_node *first = scenario_elements(r, map, key, YAML_MAPPING, count);
    if (r->base.status == MC_OK && *count > max)
        reader_reject(&r->base, yaml_find(map, key), "found %d %s; a law has at most %d", *count,
                      key, max);
    return r->base.status == MC_OK ? first : NULL;
}

static const mc_param *read_parameters(scenario_reader *r, const yaml_node *map,
                                       scenario_section owner, int max, int *count)
{
    int k = 0;
    const yaml_node *n = list_of(r, map, "parameters", max, count);
    mc_param *param = reader_alloc(&r->base, *count, sizeof param[0]);
    for (; n && r->base.status == MC_OK; n = n->next)
        read_parameter(r, n, owner, &param[k++]);
    return param;
}

static const char *read_doc(scenario_reader *r, const yaml_node *map)
{
    const yaml_node *doc = reader_get(&r->base, map, "doc");
    return doc ? reader_text(&r->base, doc) : "";
}

law_line scenario_law_line(scenario_reader *r, const char *name, const yaml_node *node)
{
    return node ? read_line(r, name, "", node) : (law_line){.name = name};
}

void scenario_law_text(scenario_reader *r, const yaml_node *map, scenario_section section,
                       scenario_section owner, const char *result, law_text *text)
{
    int states, variables;
    text->doc = read_doc(r, map);
    text->line = map->line;
    text->column = map->column;
    text->card = (law_card){"", "", "", ""};
    text->params = read_parameters(r, map, owner, LAW_PARAM_MAX, &text->param_count);
    const yaml_node *n = list_of(r, map, "states", LAW_STATE_MAX, &states);
    law_state *state = reader_alloc(&r->base, states, sizeof state[0]);
    for (; n && r->base.status == MC_OK; n = n->next)
        read_state(r, n, &state[text->state_count++]);
    n = list_of(r, map, "variables", LAW_VARIABLE_MAX, &variables);
    law_line *variable = reader_alloc(&r->base, variables, sizeof variable[0]);
    for (; n && r->base.status == MC_OK; n = n->next)
        variable[text->variable_count++] = read_line(r, scenario_name(r, n->key), "", n);
    text->states = state;
    text->variables = variable;
    text->acceleration = read_line(r, result, "", scenario_need(r, map, section, result));
}

// A message without a place gets that of node.
void scenario_reject_by(scenario_reader *r, const yaml_node *node, const mc_error *error)
{
    if (error->line == 0) {
        reader_reject(&r->base, node, "%s", error->text);
    } else {
        r->base.status = error->code;
        *r->base.error = *error;
    }
}

// Whether the formulas of a law can be read.
static void try_law(scenario_reader *r, const yaml_node *node, const law_text *text,
                    const law_vocabulary *words)
{
    mc_error error = {0};
    if (r->base.status != MC_OK)
        return;
    law *compiled = law_compile_words(text, words, r->s->file, EXPR_INTERPRET, &error);
    if (compiled)
        law_destroy(compiled);
    else
        scenario_reject_by(r, node, &error);
}

const law_text *scenario_own_law(scenario_reader *r, const yaml_node *map, const char *name)
{
    law_text *text = reader_alloc(&r->base, 1, sizeof *text);
    if (!text || !scenario_check_keys(r, map, SECTION_LAW, NULL, 0))
        return NULL;
    text->name = name;
    scenario_law_text(r, map, SECTION_LAW, SECTION_CONTROLLER, "acceleration", text);
    try_law(r, map, text, &law_words);
    return r->base.status == MC_OK ? text : NULL;
}

const law_text *scenario_own_steering(scenario_reader *r, const yaml_node *map, const char *name)
{
    law_text *text = reader_alloc(&r->base, 1, sizeof *text);
    if (!text || !scenario_check_keys(r, map, SECTION_STEERING_LAW, NULL, 0))
        return NULL;
    text->name = name;
    scenario_law_text(r, map, SECTION_STEERING_LAW, SECTION_STEERING, "steer", text);
    try_law(r, map, text, &steering_words);
    return r->base.status == MC_OK ? text : NULL;
}

// ---- tyres ----

static tyre_formula_line tyre_line(scenario_reader *r, const char *name, const char *unit,
                                   const yaml_node *node)
{
    const law_line line = read_line(r, name, unit, node);
    return (tyre_formula_line){line.name, line.unit, line.formula, line.line, line.column};
}

static tyre_formula_line read_tyre_state(scenario_reader *r, const yaml_node *node)
{
    const char *name = scenario_name(r, node->key);
    if (!scenario_check_keys(r, node, SECTION_TYRE_STATE, NULL, 0))
        return (tyre_formula_line){0};
    const reader_quantity unit = reader_read_unit(&r->base, reader_get(&r->base, node, "unit"));
    return tyre_line(r, name, unit.text, scenario_need(r, node, SECTION_TYRE_STATE, "rate"));
}

static void read_tyre_text(scenario_reader *r, const yaml_node *map, tyre_formula_text *text)
{
    int states, variables;
    text->name = "own";
    text->doc = read_doc(r, map);
    text->params = read_parameters(r, map, SECTION_TYRE, TYRE_PARAM_MAX, &text->param_count);
    const yaml_node *n = list_of(r, map, "states", TYRE_STATE_MAX, &states);
    tyre_formula_line *state = reader_alloc(&r->base, states, sizeof state[0]);
    for (; n && r->base.status == MC_OK; n = n->next)
        state[text->state_count++] = read_tyre_state(r, n);
    n = list_of(r, map, "variables", TYRE_VARIABLE_MAX, &variables);
    tyre_formula_line *variable = reader_alloc(&r->base, variables, sizeof variable[0]);
    for (; n && r->base.status == MC_OK; n = n->next)
        variable[text->variable_count++] = tyre_line(r, scenario_name(r, n->key), "", n);
    text->states = state;
    text->variables = variable;
    text->fx = tyre_line(r, "fx", "N", scenario_need(r, map, SECTION_TYRE_LAW, "fx"));
    text->fy = tyre_line(r, "fy", "N", scenario_need(r, map, SECTION_TYRE_LAW, "fy"));
}

// A scenario may come from a network: its tyres are interpreted, unless a run that may compile asks
// for more (tyre_formula_compile).
const tyre_kind *scenario_own_tyre(scenario_reader *r, const yaml_node *map)
{
    mc_error error = {0};
    tyre_formula_text text = {0};
    if (!scenario_check_keys(r, map, SECTION_TYRE_LAW, NULL, 0))
        return NULL;
    read_tyre_text(r, map, &text);
    if (r->base.status != MC_OK || !SCENARIO_GROW(r, r->s->tyres, r->s->tyre_count, r->tyre_room))
        return NULL;
    tyre_formula *own = tyre_formula_create(&text, r->s->file, EXPR_INTERPRET, &error);
    if (!own) {
        scenario_reject_by(r, map, &error);
        return NULL;
    }
    r->s->tyres[r->s->tyre_count++] = own;
    return tyre_formula_kind(own);
}

// ---- matrices ----

// A matrix of that size; rows -1: as many as there are, *rows becomes that. A single row may be
// written without its own brackets.
static const double *read_matrix(scenario_reader *r, const yaml_node *map, const char *key,
                                 int rows, int columns)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    double *out = reader_alloc(&r->base, rows * columns, sizeof out[0]);
    if (!node || !out)
        return out; // all zero
    const bool flat =
        rows == 1 && node->kind == YAML_SEQUENCE && node->first && node->first->kind == YAML_SCALAR;
    if (node->kind != YAML_SEQUENCE || (!flat && node->count != rows)) {
        char found[80];
        reader_reject(&r->base, node, "%s is %s, expected %d row%s of %d number%s", key,
                      reader_found(node, found), rows, rows == 1 ? "" : "s", columns,
                      columns == 1 ? "" : "s");
        return out;
    }
    const yaml_node *row = flat ? node : node->first;
    for (int i = 0; i < rows && r->base.status == MC_OK; i++, row = row->next) {
        if (row->kind != YAML_SEQUENCE || row->count != columns) {
            reader_reject(&r->base, row, "row %d of %s has %d number%s, expected %d", i + 1, key,
                          row->count, row->count == 1 ? "" : "s", columns);
            return out;
        }
        int j = 0;
        for (const yaml_node *n = row->first; n && r->base.status == MC_OK; n = n->next, j++)
            out[i * columns + j] = reader_literal(&r->base, n, (expr_unit){0});
    }
    return out;
}

const law_text *scenario_linear_law(scenario_reader *r, const yaml_node *map, const char *name)
{
    enum { INPUT_MAX = 16 };
    if (!scenario_check_keys(r, map, SECTION_LINEAR, NULL, 0))
        return NULL;
    const yaml_node *inputs = scenario_need(r, map, SECTION_LINEAR, "inputs");
    if (!inputs || !reader_is_list(&r->base, inputs, 1, INPUT_MAX))
        return NULL;
    law_linear m = {.input_count = inputs->count};
    const char **names = reader_alloc(&r->base, m.input_count, sizeof names[0]);
    int i = 0;
    for (const yaml_node *n = inputs->first; names && n; n = n->next)
        names[i++] = formula(r, n);
    const yaml_node *a = reader_get(&r->base, map, "A");
    m.order = a && a->kind == YAML_SEQUENCE ? a->count : 0;
    if (m.order > LAW_STATE_MAX)
        reader_reject(&r->base, a, "A has %d rows; a linear controller has at most %d states",
                      m.order, LAW_STATE_MAX);
    if (r->base.status != MC_OK)
        return NULL;
    if (m.order > 0) {
        scenario_need(r, map, SECTION_LINEAR, "B");
        scenario_need(r, map, SECTION_LINEAR, "C");
    } else {
        scenario_need(r, map, SECTION_LINEAR, "D");
    }
    m.inputs = names;
    m.A = read_matrix(r, map, "A", m.order, m.order);
    m.B = read_matrix(r, map, "B", m.order, m.input_count);
    m.C = read_matrix(r, map, "C", 1, m.order);
    m.D = read_matrix(r, map, "D", 1, m.input_count);
    if (r->base.status != MC_OK)
        return NULL;
    mc_error error = {0};
    const law_text *text = law_from_matrices(r->base.memory, name, &m, &error);
    if (!text)
        reader_reject(&r->base, inputs, "%s", error.text);
    else
        try_law(r, inputs, text, &law_words);
    return r->base.status == MC_OK ? text : NULL;
}
