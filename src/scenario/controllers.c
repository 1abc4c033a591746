// controllers.c - controllers: a law with its parameters, radio, sensor and desired values.
#include "base/text.h"
#include "scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct law_family { // laws of one kind
    const char *what;
    const law_text *(*at)(int index);
    const law_text *(*find)(const char *name);
} law_family;

static const law_family accelerations = {"law", law_at, law_find};
static const law_family steerings = {"steering law", steering_at, steering_find};

static const law_text *find_law(scenario_reader *r, const law_family *family, const yaml_node *node)
{
    const char *word = reader_text(&r->base, node);
    const law_text *text = r->base.status == MC_OK ? family->find(word) : NULL;
    if (text || r->base.status != MC_OK)
        return text;
    const char *names[64];
    int count = 0;
    for (; count < 64 && (text = family->at(count)); count++)
        names[count] = text->name;
    reader_unknown(&r->base, node, family->what, names, count);
    return NULL;
}

// Where the parameters of a law stand before the file says otherwise.
static double *law_defaults(scenario_reader *r, const law_text *text)
{
    double *p = reader_alloc(&r->base, text->param_count, sizeof p[0]);
    for (int i = 0; p && i < text->param_count; i++)
        p[i] = text->params[i].fallback;
    return p;
}

static void check_complete(scenario_reader *r, const yaml_node *node, const law_text *text,
                           const double *p)
{
    for (int i = 0; i < text->param_count && r->base.status == MC_OK; i++)
        if (isnan(p[i]))
            reader_reject(&r->base, node->key ? node->key : node, "law %s needs %s (%s)",
                          text->name, text->params[i].name, text->params[i].doc);
}

// ---- radio links ----

static void listen_to(scenario_reader *r, const yaml_node *node, scenario_controller *c)
{
    enum { ROOM = sizeof c->listen / sizeof c->listen[0] };
    const char *word = reader_text(&r->base, node);
    int place = 0;
    if (r->base.status != MC_OK)
        return;
    if (strcmp(word, "leader") == 0) {
        c->listen_leader = true;
        return;
    }
    if (strcmp(word, "front") == 0)
        place = 1;
    else if (strcmp(word, "behind") == 0)
        place = -1;
    else if (!text_to_int(word, &place) || place == 0 || place < -1000 || place > 1000) {
        char quote[YAML_QUOTE_SIZE];
        reader_reject(&r->base, node,
                      "found \"%s\", expected front, behind, leader, or the number of places ahead "
                      "(negative: behind; -1000 .. 1000, not 0)",
                      yaml_quote(word, quote));
        return;
    }
    for (int i = 0; i < c->listen_count; i++)
        if (c->listen[i] == place) {
            reader_reject(&r->base, node, "\"%s\" is listed twice", word);
            return;
        }
    if (c->listen_count == ROOM)
        reader_reject(&r->base, node, "a controller listens to at most %d cars and the leader",
                      ROOM);
    else
        c->listen[c->listen_count++] = place;
}

static void read_listen(scenario_reader *r, const yaml_node *map, scenario_controller *c)
{
    const yaml_node *node = reader_get(&r->base, map, "listen");
    if (!node)
        return;
    c->listen_count = 0;
    c->listen_leader = false;
    if (node->kind == YAML_SCALAR) {
        listen_to(r, node, c);
        return;
    }
    if (!reader_is_list(&r->base, node, 0, 9))
        return;
    for (const yaml_node *n = node->first; n; n = n->next)
        listen_to(r, n, c);
}

// ---- controllers ----

static void read_params(scenario_reader *r, const yaml_node *map, const char *key,
                        scenario_section section, double *values)
{
    int count;
    const mc_param *params = scenario_section_params(section, &count);
    const yaml_node *node = reader_get(&r->base, map, key);
    if (node && scenario_check_keys(r, node, section, NULL, 0))
        scenario_params(r, node, params, count, values);
}

// A law beside that of the controller, in a section of its own: its word, or a map with the word
// and its parameters.
static const law_text *read_second(scenario_reader *r, const yaml_node *node,
                                   scenario_section section, const char *name, double **p)
{
    const law_family *family = section == SECTION_STEERING ? &steerings : &accelerations;
    const bool short_form = node->kind == YAML_SCALAR;
    const yaml_node *named = short_form ? node : NULL;
    if (!short_form && node->kind == YAML_MAPPING)
        named = scenario_need(r, node, section, "law");
    if (!short_form && !named) {
        scenario_check_keys(r, node, section, NULL, 0); // says what it should be
        return NULL;
    }
    const law_text *text = named->kind != YAML_MAPPING   ? find_law(r, family, named)
                           : section == SECTION_STEERING ? scenario_own_steering(r, named, name)
                                                         : scenario_own_law(r, named, name);
    if (r->base.status != MC_OK || !text)
        return NULL;
    *p = law_defaults(r, text);
    if (!*p)
        return NULL;
    if (!short_form && scenario_check_keys(r, node, section, text->params, text->param_count))
        scenario_params(r, node, text->params, text->param_count, *p);
    check_complete(r, node, text, *p);
    return text;
}

static void read_fallback(scenario_reader *r, const yaml_node *map, scenario_controller *c)
{
    const yaml_node *node = reader_get(&r->base, map, "fallback");
    if (node)
        c->fallback = read_second(r, node, SECTION_FALLBACK, c->name, &c->fallback_p);
}

static void read_steering(scenario_reader *r, const yaml_node *map, scenario_controller *c)
{
    const yaml_node *node = reader_get(&r->base, map, "steering");
    if (node) {
        c->steering = read_second(r, node, SECTION_STEERING, c->name, &c->steering_p);
    } else if (c->steering_p) { // that of `like`: a copy of its own
        double *p = law_defaults(r, c->steering);
        for (int i = 0; p && i < c->steering->param_count; i++)
            p[i] = c->steering_p[i];
        c->steering_p = p;
    } else {
        c->steering = steering_default();
        c->steering_p = law_defaults(r, c->steering);
    }
}

// The law of a controller: by name, the user's own, by matrices, or that of `like`.
static void read_law(scenario_reader *r, const yaml_node *node, scenario_controller *c)
{
    const bool short_form = node->kind == YAML_SCALAR;
    const yaml_node *named = short_form ? node : reader_get(&r->base, node, "law");
    const yaml_node *linear = reader_get(&r->base, node, "linear");
    const law_text *before = c->law;
    if (named && linear)
        reader_reject(&r->base, linear->key, "a controller has the key law or linear, not both");
    if (linear)
        c->law = scenario_linear_law(r, linear, c->name);
    else if (named && named->kind == YAML_MAPPING)
        c->law = scenario_own_law(r, named, c->name);
    else if (named)
        c->law = find_law(r, &accelerations, named);
    else if (!before && reader_get(&r->base, node, "fmu"))
        c->law = law_default(MC_LAW_ROLE_PROFILE); // computed, and not used
    else if (!before)
        reader_reject(&r->base, node->key, "a controller needs the key law (%s) or linear",
                      scenario_key_find(SECTION_CONTROLLER, "law")->doc);
    if (r->base.status != MC_OK)
        return;
    double *p = law_defaults(r, c->law);
    if (p && c->law == before && c->law->param_count)
        memcpy(p, c->law_p, (size_t)c->law->param_count * sizeof p[0]);
    c->law_p = p;
}

static void controller_defaults(scenario_controller *c)
{
    for (int i = 0; i < INNER_PARAM_COUNT; i++)
        c->inner[i] = inner_params[i].fallback;
    for (int i = 0; i < LINK_PARAM_COUNT; i++)
        c->link[i] = link_params[i].fallback;
    for (int i = 0; i < SENSOR_PARAM_COUNT; i++)
        c->sensor[i] = sensor_params[i].fallback;
    for (int i = 0; i < AVOID_PARAM_COUNT; i++)
        c->avoid_p[i] = avoid_params[i].fallback;
    for (int i = 0; i < LANE_CHANGE_PARAM_COUNT; i++)
        c->lane_change[i] = lane_change_params[i].fallback;
    c->headway = c->distance = c->v_set = NAN;
    c->listen[0] = 1;
    c->listen_count = 1;
    c->listen_leader = true;
}

static void start_controller(scenario_reader *r, const yaml_node *node, scenario_controller *c)
{
    const yaml_node *like = reader_get(&r->base, node, "like");
    const int other = like ? scenario_controller_index(r, like) : -1;
    if (other >= 0)
        *c = r->s->controllers[other];
    else
        controller_defaults(c);
}

static void read_desired(scenario_reader *r, const yaml_node *map, const char *key, double *value)
{
    if (reader_get(&r->base, map, key))
        *value = scenario_number(r, map, SECTION_CONTROLLER, key);
}

static void read_avoid(scenario_reader *r, const yaml_node *map, scenario_controller *c)
{
    const yaml_node *node = reader_get(&r->base, map, "avoid");
    if (node && node->kind == YAML_SCALAR) {
        c->avoid = scenario_flag(r, map, "avoid", false);
    } else if (node) {
        c->avoid = true;
        read_params(r, map, "avoid", SECTION_AVOID, c->avoid_p);
    }
}

static void read_free(scenario_reader *r, const yaml_node *map, scenario_controller *c)
{
    const yaml_node *node = reader_get(&r->base, map, "lane_change");
    if (node && r->base.status == MC_OK)
        c->free_lanes = scenario_flag(r, node, "free", c->free_lanes);
}

static void read_controller(scenario_reader *r, const yaml_node *node)
{
    scenario_controller *c = &r->s->controllers[r->s->controller_count];
    if (node->kind == YAML_SEQUENCE || (node->kind == YAML_SCALAR && reader_is_empty(node))) {
        scenario_check_keys(r, node, SECTION_CONTROLLER, NULL, 0); // says what it should be
        return;
    }
    start_controller(r, node, c);
    c->name = scenario_label(r, node->key);
    c->place = scenario_place_of(node->key);
    read_law(r, node, c);
    if (r->base.status != MC_OK)
        return;
    if (node->kind == YAML_MAPPING &&
        scenario_check_keys(r, node, SECTION_CONTROLLER, c->law->params, c->law->param_count))
        scenario_params(r, node, c->law->params, c->law->param_count, c->law_p);
    check_complete(r, node, c->law, c->law_p);
    const yaml_node *unit = reader_get(&r->base, node, "fmu");
    if (unit)
        c->unit = scenario_read_unit(r, unit);
    if (unit && c->unit && c->unit->law_continues && !reader_get(&r->base, node, "law") &&
        !reader_get(&r->base, node, "linear") && !reader_get(&r->base, node, "like"))
        reader_reject(&r->base, unit->key, "failure: law needs the key law or linear beside fmu");
    read_fallback(r, node, c);
    read_steering(r, node, c);
    read_params(r, node, "inner", SECTION_INNER, c->inner);
    read_params(r, node, "radio", SECTION_RADIO, c->link);
    read_params(r, node, "sensor", SECTION_SENSOR, c->sensor);
    read_params(r, node, "lane_change", SECTION_LANE_CHANGE, c->lane_change);
    read_free(r, node, c);
    read_listen(r, node, c);
    read_desired(r, node, "headway", &c->headway);
    read_desired(r, node, "distance", &c->distance);
    read_desired(r, node, "speed", &c->v_set);
    read_avoid(r, node, c);
    c->manual = scenario_flag(r, node, "manual", c->manual);
    r->s->controller_count++;
}

void scenario_read_controllers(scenario_reader *r, const yaml_node *root)
{
    int count;
    const yaml_node *first = scenario_elements(r, root, "controllers", YAML_MAPPING, &count);
    r->s->controllers = reader_alloc(&r->base, count + 1, sizeof r->s->controllers[0]);
    for (const yaml_node *n = first; n && r->base.status == MC_OK; n = n->next)
        read_controller(r, n);
}

// The law in brackets: no controller of a file has such a name.
static const char *bracketed(scenario_reader *r, const char *word)
{
    const size_t size = strlen(word) + 3;
    char *name = reader_alloc(&r->base, (int)size, 1);
    if (name)
        snprintf(name, size, "(%s)", word);
    return name ? name : "";
}

void scenario_drive_profiles(scenario_reader *r)
{
    scenario *s = r->s;
    int cruise = -1;
    for (int v = 0; v < s->vehicle_count && r->base.status == MC_OK; v++) {
        if (s->vehicles[v].profile < 0 || s->vehicles[v].controller >= 0 || s->vehicles[v].driver)
            continue;
        if (cruise < 0) {
            cruise = s->controller_count++; // there is room for one more
            scenario_controller *c = &s->controllers[cruise];
            controller_defaults(c);
            c->law = law_default(MC_LAW_ROLE_PROFILE);
            c->name = bracketed(r, c->law->name);
            c->law_p = law_defaults(r, c->law);
            c->steering = steering_default();
            c->steering_p = law_defaults(r, c->steering);
        }
        s->vehicles[v].controller = cruise;
    }
}
