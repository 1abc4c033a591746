// scenario.c - reads a scenario file: time, road, contact, checks; the rest is in scenario_*.c.
#include "model/scenario.h"

#include "base/file.h"
#include "expr/parse.h"
#include "model/scenario_reader.h"
#include "model/scenario_set.h"

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
        reader_refuse(&r->base, root, "expected \"motorcade: scenario\" as the first key");
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
        reader_refuse(&r->base, yaml_find(root, "seed"), "seed is %.17g; it must be a whole number",
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
    const yaml_node *record = yaml_find(map, "record"), *end = yaml_find(map, "end");
    if (isnan(s->record))
        s->record = s->step;
    if (r->base.status != MC_OK)
        return;
    if (!is_multiple(s->record, s->step)) {
        const double steps = fmax(round(s->record / s->step), 1.0);
        reader_refuse(&r->base, record,
                      "record is %.9g s, not a whole number of steps of %.9g s; nearest is %.9g s",
                      s->record, s->step, steps * s->step);
    } else if (s->end < s->step) {
        reader_refuse(&r->base, end, "end is %.9g s, before the first step is over, %.9g s", s->end,
                      s->step);
    } else if (!is_multiple(s->end, s->record)) {
        scenario_warn(r, scenario_place_of(end),
                      "end is %.9g s, not a whole number of record intervals of %.9g s", s->end,
                      s->record);
    }
}

// ---- road ----

typedef struct stretch {
    road_stretch s;
    const yaml_node *node;
} stretch;

static int compare_stretches(const void *a, const void *b)
{
    const stretch *x = a, *y = b;
    if (x->s.from != y->s.from)
        return x->s.from < y->s.from ? -1 : 1;
    return (x->node->line > y->node->line) - (x->node->line < y->node->line);
}

static void read_stretch(scenario_reader *r, const yaml_node *map, scenario_section section,
                         const char *key, road_stretch *out)
{
    if (!scenario_check_keys(r, map, section, NULL, 0))
        return;
    out->from = scenario_number(r, map, section, "from");
    out->to = scenario_number(r, map, section, "to");
    out->value = scenario_number(r, map, section, key);
    out->transition = scenario_number(r, map, section, "transition");
    const yaml_node *transition = reader_get(&r->base, map, "transition");
    const double half = 0.5 * (out->to - out->from);
    if (r->base.status != MC_OK)
        return;
    if (!(half > 0.0))
        reader_refuse(&r->base, yaml_find(map, "to"), "to is %.9g m, not beyond from, %.9g m",
                      out->to, out->from);
    else if (transition && out->transition > half)
        reader_refuse(&r->base, transition,
                      "transition is %.9g m; it comes and goes within %.9g m, so %.9g m at most",
                      out->transition, 2.0 * half, half);
    else
        out->transition = fmin(out->transition, half);
}

// Stretches in order of the road; they must not overlap.
static road_stretch *read_stretches(scenario_reader *r, const yaml_node *map, const char *list,
                                    scenario_section section, const char *key, int *count)
{
    const yaml_node *n = scenario_elements(r, map, list, YAML_SEQUENCE, count);
    stretch *found = arena_alloc(&r->scratch, (size_t)*count * sizeof found[0]);
    road_stretch *out = arena_alloc(&r->s->memory, (size_t)*count * sizeof out[0]);
    if (!found || !out)
        reader_no_memory(&r->base);
    for (int i = 0; n && r->base.status == MC_OK; n = n->next, i++) {
        found[i].node = n;
        read_stretch(r, n, section, key, &found[i].s);
    }
    if (r->base.status != MC_OK)
        return NULL;
    if (*count)
        qsort(found, (size_t)*count, sizeof found[0], compare_stretches);
    for (int i = 0; i < *count; i++) {
        out[i] = found[i].s;
        if (i > 0 && out[i].from < out[i - 1].to)
            reader_refuse(&r->base, found[i].node,
                          "%s %.9g .. %.9g m overlaps that of %.9g .. %.9g m in line %d",
                          scenario_section_name(section), out[i].from, out[i].to, out[i - 1].from,
                          out[i - 1].to, found[i - 1].node->line);
    }
    return out;
}

static void read_road(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    static const yaml_node none = {.kind = YAML_MAPPING, .text = ""};
    const yaml_node *map = reader_get(&r->base, root, "road");
    map = map ? map : &none;
    if (!scenario_check_keys(r, map, SECTION_ROAD, NULL, 0))
        return;
    const int lanes = scenario_whole(r, map, SECTION_ROAD, "lanes");
    const double width = scenario_number(r, map, SECTION_ROAD, "lane_width");
    s->headway = scenario_number(r, map, SECTION_ROAD, "headway");
    s->distance = scenario_number(r, map, SECTION_ROAD, "distance");
    s->speed = scenario_number(r, map, SECTION_ROAD, "speed");
    s->headway_commanded = yaml_find(map, "headway") != NULL;
    s->speed_commanded = yaml_find(map, "speed") != NULL;
    s->distance_commanded = yaml_find(map, "distance") != NULL;
    int grade_count, friction_count;
    road_stretch *grades = read_stretches(r, map, "grades", SECTION_GRADE, "grade", &grade_count);
    road_stretch *frictions =
        read_stretches(r, map, "friction", SECTION_FRICTION, "mu", &friction_count);
    if (r->base.status != MC_OK)
        return;
    s->grades = grades, s->grade_count = grade_count;
    s->frictions = frictions, s->friction_count = friction_count;
    mc_error error = {0};
    if (road_make(&s->memory, lanes, width, grades, grade_count, frictions, friction_count,
                  &s->road, &error) != MC_OK)
        reader_refuse(&r->base, map, "%s", error.text);
}

static void read_contact(scenario_reader *r, const yaml_node *root)
{
    static const yaml_node none = {.kind = YAML_MAPPING, .text = ""};
    const yaml_node *map = reader_get(&r->base, root, "contact");
    map = map ? map : &none;
    if (!scenario_check_keys(r, map, SECTION_CONTACT, NULL, 0))
        return;
    r->s->contact_restitution = scenario_number(r, map, SECTION_CONTACT, "restitution");
    r->s->contact_friction = scenario_number(r, map, SECTION_CONTACT, "friction");
}

// ---- conditions and channels ----

// Any name but that of a unit is good here: what a run can be asked is known to the run.
static bool any_name(void *context, const char *name, expr_value *out)
{
    expr_unit unit;
    double factor;
    int bad;
    // A figure is called t; every other unit stands behind a number.
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
        reader_refuse(&r->base, node, "found a map, expected a list of %s", what);
    *first = node->first;
    return r->base.status == MC_OK ? node->count : 0;
}

static scenario_check *read_conditions(scenario_reader *r, const yaml_node *root, const char *key,
                                       int *count)
{
    const yaml_node *n;
    const int most = texts_of(r, root, key, "conditions, such as collisions == 0", &n);
    scenario_check *out = reader_alloc(&r->base, most, sizeof out[0]);
    for (int i = 0; i < most && r->base.status == MC_OK; i++, n = n->next) {
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
    const int most = texts_of(r, map, "channels", "names of channels", &n);
    s->channels = reader_alloc(&r->base, most, sizeof s->channels[0]);
    for (int i = 0; i < most && r->base.status == MC_OK; i++, n = n->next) {
        const char *name = reader_text(&r->base, n);
        for (int k = 0; k < i && most < 1000; k++)
            if (strcmp(s->channels[k], name) == 0)
                reader_refuse(&r->base, n, "channel %.100s is recorded already", name);
        s->channels[i] = name;
        s->channel_count = i + 1;
    }
}

// Numbers by name, as an option --set gives them: after everything else is known.
static void apply_sets(scenario_reader *r, const yaml_node *root)
{
    const yaml_node *n;
    const int count = texts_of(r, root, "set", "texts, such as follow.k1=0.8", &n);
    for (int i = 0; i < count && r->base.status == MC_OK; i++, n = n->next) {
        const char *text = reader_text(&r->base, n);
        mc_error error = {0};
        if (r->base.status == MC_OK && scenario_set(r->s, text, &error) != MC_OK)
            reader_refuse(&r->base, n, "%s", error.text);
    }
}

// ---- the file ----

static void read_scenario(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    read_head(r, root);
    read_time(r, root);
    read_road(r, root);
    read_contact(r, root);
    scenario_read_profiles(r, root);
    scenario_read_models(r, root);
    scenario_read_controllers(r, root);
    scenario_read_vehicles(r, root);
    scenario_drive_profiles(r);
    scenario_read_events(r, root);
    read_record(r, root);
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

static scenario *parse(const char *text, size_t length, const char *path, bool under_way,
                       mc_error *error)
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
        .under_way = under_way,
    };
    const yaml_node *root = NULL;
    s->file = reader_copy(&r.base, file);
    s->text = arena_copy_text(&s->memory, text, length);
    s->changes = "";
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
    return parse(text, length, path, false, error);
}

scenario *scenario_parse_version(const char *text, size_t length, const char *path, mc_error *error)
{
    return parse(text, length, path, true, error);
}

scenario *scenario_read(const char *path, mc_error *error)
{
    arena text = {0};
    char *bytes;
    size_t length;
    scenario *s = NULL;
    if (file_read(&text, path, YAML_FILE_MAX, &bytes, &length, error) == MC_OK)
        s = scenario_parse(bytes, length, path, error);
    arena_free(&text);
    return s;
}

void scenario_free(scenario *s)
{
    if (!s)
        return;
    for (int k = 0; k < s->tyre_count; k++)
        tyre_formula_destroy(s->tyres[k]);
    arena_free(&s->memory);
    free(s);
}
