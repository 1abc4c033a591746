// scenario.c - reads a scenario file: time, contact, checks; other files have the rest.
#include "scenario/scenario.h"

#include "base/bytes.h"
#include "base/file.h"
#include "expr/parse.h"
#include "scenario/reader.h"
#include "scenario/renamed.h"
#include "scenario/road_formula.h"
#include "scenario/set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- head and time ----

// run.yaml for scenarios/run.yaml, without its ending.
static const char *stem_of(scenario_reader *r, const char *path)
{
    const char *slash = strrchr(path, '/'), *begin = slash ? slash + 1 : path;
    const char *dot = strrchr(begin, '.');
    const size_t length = dot && dot > begin ? (size_t)(dot - begin) : strlen(begin);
    const char *copy = arena_copy_text(&r->s->memory, begin, length);
    if (!copy)
        reader_no_memory(&r->base);
    return copy ? copy : "";
}

static void read_head(scenario_reader *r, const yaml_node *root)
{
    static const char *const kinds[] = {"scenario"};
    if (root->kind != YAML_MAPPING || !yaml_find(root, "motorcade")) {
        reader_reject(&r->base, root, "expected \"motorcade: scenario\" as the first key");
        return;
    }
    reader_choice(&r->base, yaml_find(root, "motorcade"), kinds, 1);
    if (!scenario_check_keys(r, root, SECTION_TOP, NULL, 0))
        return;
    const yaml_node *name = reader_get(&r->base, root, "name");
    const yaml_node *doc = reader_get(&r->base, root, "doc");
    r->s->name = name ? reader_text(&r->base, name) : stem_of(r, r->s->file);
    r->s->doc = doc ? reader_text(&r->base, doc) : "";
    const double seed = scenario_number(r, root, SECTION_TOP, "seed");
    if (r->base.status == MC_OK && seed != floor(seed))
        reader_reject(&r->base, yaml_find(root, "seed"), "seed is %.17g; it must be a whole number",
                      seed);
    r->s->seed = r->base.status == MC_OK ? (unsigned long long)seed : 0;
}

// Whether a is a whole number of times b, to rounding.
static bool is_multiple(double a, double b)
{
    const double ratio = a / b;
    return fabs(ratio - round(ratio)) <= 1e-9 * fmax(ratio, 1.0) && round(ratio) >= 1.0;
}

static void read_time(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    const yaml_node *map = scenario_need(r, root, SECTION_TOP, "time");
    if (!map || !scenario_check_keys(r, map, SECTION_TIME, NULL, 0))
        return;
    s->end = scenario_number(r, map, SECTION_TIME, "end");
    s->step = scenario_number(r, map, SECTION_TIME, "step");
    s->record = scenario_number(r, map, SECTION_TIME, "record");
    s->braking_step = scenario_number(r, map, SECTION_TIME, "braking_step");
    const yaml_node *record = yaml_find(map, "record"), *end = yaml_find(map, "end");
    if (isnan(s->record))
        s->record = s->step;
    if (r->base.status != MC_OK)
        return;
    if (!is_multiple(s->record, s->step)) {
        const double steps = fmax(round(s->record / s->step), 1.0);
        reader_reject(&r->base, record,
                      "record is %.9g s, not a whole number of steps of %.9g s; nearest is %.9g s",
                      s->record, s->step, steps * s->step);
    } else if (!isnan(s->braking_step) && !is_multiple(s->step, s->braking_step)) {
        reader_reject(&r->base, yaml_find(map, "braking_step"),
                      "braking_step is %.9g s, expected a whole fraction of step, %.9g s",
                      s->braking_step, s->step);
    } else if (s->end < s->step) {
        reader_reject(&r->base, end, "end is %.9g s, expected at least one step, %.9g s", s->end,
                      s->step);
    } else if (!is_multiple(s->end, s->record)) {
        scenario_warn(r, scenario_place_of(end),
                      "end is %.9g s, not a whole number of record intervals of %.9g s", s->end,
                      s->record);
    }
}

// ---- contact ----

static void read_contact(scenario_reader *r, const yaml_node *root)
{
    static const yaml_node none = {.kind = YAML_MAPPING, .text = ""};
    const yaml_node *map = reader_get(&r->base, root, "contact");
    map = map ? map : &none;
    if (!scenario_check_keys(r, map, SECTION_CONTACT, NULL, 0))
        return;
    r->s->contact_restitution = scenario_number(r, map, SECTION_CONTACT, "restitution");
    r->s->contact_friction = scenario_number(r, map, SECTION_CONTACT, "friction");
    r->s->contact_step = scenario_number(r, map, SECTION_CONTACT, "step");
    r->s->contact_rest = scenario_number(r, map, SECTION_CONTACT, "rest_interval");
    static const char *const laws[] = {[MC_CONTACT_LAW_IMPULSES] = "impulses",
                                       [MC_CONTACT_LAW_PENALTY] = "penalty",
                                       [MC_CONTACT_LAW_NONE] = "none"};
    const yaml_node *word = reader_get(&r->base, map, "law");
    const int found = word ? reader_choice(&r->base, word, laws, 3) : 0;
    r->s->contact_law = (mc_contact_law)(found < 0 ? 0 : found);
}

// ---- conditions and channels ----

// Any name but that of a unit is good here: what a run can be asked is known to the run.
static bool any_name(void *context, const char *name, expr_value *out)
{
    expr_unit unit;
    double factor;
    int bad;
    // A figure is called t; every other unit follows a number.
    if (strcmp(name, "t") != 0 && expr_unit_read(name, (int)strlen(name), &unit, &factor, &bad))
        return false;
    *out = (expr_value){.v = {expr_input(context, name, EXPR_VARIABLE)}, .size = 1};
    return true;
}

static void check_formula(scenario_reader *r, const yaml_node *node, const char *text)
{
    expr_graph *graph = expr_graph_create();
    if (!graph) {
        reader_no_memory(&r->base);
        return;
    }
    const expr_scope scope = {graph, graph, any_name, NULL};
    const expr_source source = {text, r->s->file, node->line, node->column};
    expr_value value;
    r->base.status = expr_parse(&scope, &source, 1, (expr_unit){0}, &value, r->base.error);
    expr_graph_destroy(graph);
}

// One text or a list of them: `count` nodes from *first on.
static int texts_of(scenario_reader *r, const yaml_node *map, const char *key, const char *what,
                    const yaml_node **first)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    *first = node;
    if (!node || reader_is_empty(node))
        return 0;
    if (node->kind == YAML_SCALAR)
        return 1;
    if (node->kind == YAML_MAPPING)
        reader_reject(&r->base, node, "found a map, expected a list of %s", what);
    *first = node->first;
    return r->base.status == MC_OK ? node->count : 0;
}

static scenario_check *read_conditions(scenario_reader *r, const yaml_node *root, const char *key,
                                       int *count)
{
    const yaml_node *n;
    const int given = texts_of(r, root, key, "conditions, such as collisions == 0", &n);
    scenario_check *out = reader_alloc(&r->base, given, sizeof out[0]);
    for (int i = 0; i < given && r->base.status == MC_OK; i++, n = n->next) {
        out[i].formula = reader_text(&r->base, n);
        out[i].place = scenario_place_of(n);
        if (r->base.status == MC_OK)
            check_formula(r, n, out[i].formula);
        *count = i + 1;
    }
    return out;
}

static void read_record(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    const yaml_node *map = reader_get(&r->base, root, "record"), *n;
    if (!map || !scenario_check_keys(r, map, SECTION_RECORD, NULL, 0))
        return;
    const int given = texts_of(r, map, "channels", "names of channels", &n);
    s->channels = reader_alloc(&r->base, given, sizeof s->channels[0]);
    for (int i = 0; i < given && r->base.status == MC_OK; i++, n = n->next) {
        const char *name = reader_text(&r->base, n);
        for (int k = 0; k < i && given < 1000; k++)
            if (strcmp(s->channels[k], name) == 0)
                reader_reject(&r->base, n, "channel %.100s is listed twice", name);
        s->channels[i] = name;
        s->channel_count = i + 1;
    }
}

// Commands of a live run. What they say is for the run to read, which knows cars and versions.
static void read_log(scenario_reader *r, const yaml_node *root)
{
    const yaml_node *node = reader_get(&r->base, root, "log");
    r->s->log = "";
    if (!node || reader_is_empty(node))
        return;
    r->s->log = reader_text(&r->base, node);
    r->s->log_place = scenario_place_of(node);
    r->s->log_in_lines = node->line > node->key->line;
}

// Numbers by name, as an option --set gives them: after everything else is known.
static void apply_sets(scenario_reader *r, const yaml_node *root)
{
    const yaml_node *n;
    const int count = texts_of(r, root, "set", "texts, such as follow.k1=0.8", &n);
    mc_error error = {0};
    scenario_setter *setter =
        count > 0 && r->base.status == MC_OK ? scenario_setter_open(r->s, &error) : NULL;
    if (count > 0 && !setter && r->base.status == MC_OK)
        reader_no_memory(&r->base);
    for (int i = 0; setter && i < count && r->base.status == MC_OK; i++, n = n->next) {
        const char *text = reader_text(&r->base, n), *unit;
        const unsigned renamed = r->s->renamed;
        if (r->base.status == MC_OK && scenario_setter_add(setter, text, &unit, &error) != MC_OK)
            reader_reject(&r->base, n, "%s", error.text);
        if (r->s->renamed != renamed && !scenario_place_renamed(r->s, scenario_place_of(n)))
            reader_no_memory(&r->base);
    }
    if (setter)
        scenario_setter_close(setter);
}

// ---- the file ----

static void read_scenario(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    read_head(r, root);
    read_time(r, root);
    scenario_read_road(r, root);
    read_contact(r, root);
    scenario_read_obstacles(r, root);
    scenario_read_profiles(r, root);
    scenario_read_models(r, root);
    scenario_read_controllers(r, root);
    scenario_read_ersc(r, root);
    scenario_read_estimators(r, root);
    scenario_read_vehicles(r, root);
    scenario_drive_profiles(r);
    scenario_read_events(r, root);
    read_record(r, root);
    read_log(r, root);
    s->stops = read_conditions(r, root, "stop", &s->stop_count);
    s->expects = read_conditions(r, root, "expect", &s->expect_count);
    if (r->base.status == MC_OK)
        scenario_check_whole(r);
    if (r->base.status == MC_OK)
        apply_sets(r, root);
}

// The line of the file below the message.
static void quote_place(const scenario *s, mc_error *error)
{
    if (!error || error->line < 1 || error->excerpt[0] || strcmp(error->file, s->file) != 0)
        return;
    const char *at = s->text;
    for (int line = 1; line < error->line && at; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (at)
        mc_error_quote(error, s->text, (int)(at - s->text) + error->column - 1);
}

static const char *folder_of(scenario_reader *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    const char *copy = arena_copy_text(&r->scratch, path, length);
    if (!copy)
        reader_no_memory(&r->base);
    return copy;
}

// of: the version before; NULL: the first one.
static scenario *parse(const scenario *of, const char *text, size_t length, const char *path,
                       bool bundle, bool under_way, mc_error *error)
{
    mc_error unused;
    scenario *s = calloc(1, sizeof *s);
    const char *file = path ? path : "scenario";
    error = error ? error : &unused;
    if (!s) {
        mc_error_set(error, MC_NO_MEMORY, file, 0, 0, "no memory for the scenario");
        return NULL;
    }
    scenario_reader r = {
        .base = {.memory = &s->memory, .file = file, .what = "scenario", .error = error},
        .s = s,
        .of = of,
        .under_way = under_way,
    };
    const yaml_node *root = NULL;
    s->file = reader_copy(&r.base, file);
    s->in_file = path != NULL;
    s->bundle = bundle;
    s->text = arena_copy_text(&s->memory, text, length);
    s->changes = arena_copy_text(&s->memory, "", 0);
    if (!s->changes)
        reader_no_memory(&r.base);
    if (!s->text)
        reader_no_memory(&r.base);
    r.folder = path ? folder_of(&r, path) : NULL;
    if (r.base.status == MC_OK)
        r.base.status = yaml_parse(text, length, file, &r.scratch, &root, error);
    if (r.base.status == MC_OK)
        read_scenario(&r, root);
    arena_free(&r.scratch);
    if (r.base.status == MC_OK)
        return s;
    if (s->text)
        quote_place(s, error);
    scenario_free(s);
    return NULL;
}

scenario *scenario_parse(const char *text, size_t length, const char *path, mc_error *error)
{
    return parse(NULL, text, length, path, false, false, error);
}

scenario *scenario_parse_bundle(const char *text, size_t length, const char *path, mc_error *error)
{
    return parse(NULL, text, length, path, true, false, error);
}

scenario *scenario_parse_version(const scenario *of, const char *text, size_t length,
                                 bool under_way, mc_error *error)
{
    return parse(of, text, length, of->in_file ? of->file : NULL, of->bundle, under_way, error);
}

scenario *scenario_read(const char *path, mc_error *error)
{
    arena text = {0};
    char *data;
    size_t length;
    scenario *s = NULL;
    if (file_read(&text, path, YAML_FILE_MAX, &data, &length, error) == MC_OK)
        s = scenario_parse(data, length, path, error);
    arena_free(&text);
    return s;
}

void scenario_free(scenario *s)
{
    if (!s)
        return;
    road_formula_destroy(s->profile);
    for (int k = 0; k < s->tyre_count; k++)
        tyre_formula_destroy(s->tyres[k]);
    for (int k = 0; k < s->estimator_count; k++)
        estimator_formula_destroy(s->estimators[k].own);
    for (int k = 0; k < s->file_count; k++)
        scenario_file_release(s->files[k]);
    arena_free(&s->memory);
    free(s);
}

void scenario_compile_tyres(const scenario *s, expr_compile how)
{
    for (int k = 0; k < s->tyre_count; k++)
        tyre_formula_compile(s->tyres[k], how);
}

unsigned long long scenario_text_hash(const scenario *s)
{
    const unsigned long long hash = bytes_hash(BYTES_HASH_START, s->text, strlen(s->text));
    return bytes_hash(hash, s->changes, strlen(s->changes));
}
