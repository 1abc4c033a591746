// set.c - parameters of a scenario by name.
//
// A name is looked up twice: first to count and check what it means, then to write. So a value that
// one of several owners rejects changes none of them.
#include "scenario/set.h"

#include "base/renamed.h"
#include "base/text.h"
#include "expr/parse.h"
#include "scenario/reader.h"
#include "scenario/renamed.h"
#include "road/network.h"
#include "scenario/road_formula.h"
#include "scenario/sources.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 128 };

// Of several settings, what depends on all vehicles is done once: who stands at the desired gap,
// and the names in order.
enum { LINEAR_MAX = 8 }; // settings for which sorting the names does not pay

struct scenario_setter {
    scenario *s;
    bool *follows; // of each vehicle: it stands at its desired gap
    int *by_name;  // vehicles in the order of their names; NULL: not sorted
    int count;     // settings so far
};

typedef struct setting {
    const scenario_setter *setter;
    const char *text;      // all of it, for messages
    char owner[NAME_SIZE]; // "": every owner
    char name[NAME_SIZE];
    const char *value;
    bool write;
    int found;
    const char *unit;     // of the first that was found
    char near[NAME_SIZE]; // of all names offered the one that is written most alike; "": none
    int distance;         // edits to it; 0: not looked for
    mc_error *error;
    mc_status status;
} setting;

// One number that may be meant. Checks, or writes.
static void offer(setting *set, const mc_param *p, double *target)
{
    if (set->distance > 0 && text_distance(set->name, p->name) < set->distance) {
        set->distance = text_distance(set->name, p->name);
        snprintf(set->near, sizeof set->near, "%s", p->name);
    }
    if (set->status != MC_OK || strcmp(p->name, set->name) != 0)
        return;
    double factor, value;
    bool is_number;
    const expr_unit unit = scenario_unit(p->unit, &factor);
    const bool angle = strcmp(p->unit, "rad") == 0; // rise over run
    const bool percent =
        (angle || strcmp(p->unit, "-") == 0) && scenario_percent(set->value, &value);
    is_number = percent;
    if (percent && angle)
        value = atan(value);
    if (!percent)
        set->status = expr_parse_number(&(expr_source){.text = set->value}, unit, &value,
                                        &is_number, set->error);
    if (set->status == MC_OK && !is_number)
        set->status = mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                                   "\"%s\": the value is not a number", set->text);
    else if (set->status == MC_OK && !percent && reader_behind_number(set->value)[0] != '\0')
        value /= factor; // into the unit of the table
    if (set->status != MC_OK)
        return;
    if (!(value >= p->min && value <= p->max))
        set->status = mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                                   "\"%s\": %s must be in %g .. %g" TEXT_UNIT, set->text, p->name,
                                   p->min, p->max, TEXT_UNIT_OF(p->unit));
    if (set->status != MC_OK)
        return;
    set->unit = set->found++ == 0 ? p->unit : set->unit;
    if (set->write)
        *target = value;
}

static void offer_table(setting *set, const mc_param *params, int count, double *values)
{
    for (int k = 0; k < count; k++)
        offer(set, &params[k], &values[k]);
}

static bool meant(const setting *set, const char *owner)
{
    return set->owner[0] == '\0' || strcmp(set->owner, owner) == 0;
}

static void offer_key(setting *set, const mc_model_key *key, void *spec)
{
    int count;
    const mc_param *rows = vehicle_rows(key, spec, &count);
    for (int i = 0; i < count; i++) // rows of a file that have no group are shadows of others
        if (vehicle_has_row(key, i) && (key->name || !(key->from_file >> i & 1)))
            offer(set, &rows[i], &vehicle_values(key, spec)[i]);
}

// Whether the owner is MODEL.GROUP.
static bool meant_group(const setting *set, const char *model, const char *group)
{
    const size_t length = strlen(model);
    return group && strncmp(set->owner, model, length) == 0 && set->owner[length] == '.' &&
           strcmp(set->owner + length + 1, group) == 0;
}

// Numbers of the model's own map and of its powertrain; those of other maps with their group.
static void offer_models(setting *set, scenario *s)
{
    for (int i = 0; i < s->model_count; i++) {
        scenario_model *m = &s->models[i];
        for (int k = 0; k < m->type->key_count; k++) {
            const mc_model_key *key = &m->type->keys[k];
            const bool own = key->form == MC_KEY_FORM_NUMBERS || (int)key->form == KEY_POWERTRAIN;
            if ((own && meant(set, m->name)) || meant_group(set, m->name, key->name))
                offer_key(set, key, m->spec);
        }
        if (set->write)
            m->type->facts(m->spec, &m->facts);
    }
}

static const mc_param desired_params[] = {
    {"headway", "s", NAN, 0.0, 60.0, "time headway"},
    {"distance", "m", NAN, 0.0, 1000.0, "distance at rest"},
    {"speed", "m/s", NAN, 0.0, 150.0, "speed command"},
};

// A desired value of a controller or a car: the roadway's command, if any, is the minimum.
static void offer_desired(setting *set, int index, double min, double *target)
{
    mc_param p = desired_params[index];
    const bool good = set->status == MC_OK;
    p.min = min;
    offer(set, &p, target);
    if (!good || set->status == MC_OK || !set->error || !(min > 0.0))
        return;
    const size_t used = strlen(set->error->text);
    snprintf(set->error->text + used, sizeof set->error->text - used,
             "; the roadway commands at least %g %s", min, p.unit);
}

static void offer_controllers(setting *set, scenario *s)
{
    for (int k = 0; k < s->controller_count; k++) {
        scenario_controller *c = &s->controllers[k];
        if (meant_group(set, c->name, "steering"))
            offer_table(set, c->steering->params, c->steering->param_count, c->steering_p);
        if (!meant(set, c->name))
            continue;
        offer_table(set, c->law->params, c->law->param_count, c->law_p);
        offer_table(set, inner_params, INNER_PARAM_COUNT, c->inner);
        offer_table(set, link_params, LINK_PARAM_COUNT, c->link);
        offer_table(set, sensor_params, SENSOR_PARAM_COUNT, c->sensor);
        offer_table(set, lane_change_params, LANE_CHANGE_PARAM_COUNT, c->lane_change);
        offer_desired(set, 0, s->headway_commanded ? s->headway : 0.0, &c->headway);
        offer_desired(set, 1, s->distance_commanded ? s->distance : 0.0, &c->distance);
        offer(set, &desired_params[2], &c->v_set);
    }
}

// By their names only: methods of the library share names of parameters with controllers.
static void offer_estimators(setting *set, scenario *s)
{
    for (int k = 0; k < s->estimator_count && set->owner[0]; k++)
        if (meant(set, s->estimators[k].name))
            offer_table(set, s->estimators[k].kind->params, s->estimators[k].kind->param_count,
                        s->estimators[k].p);
}

static void offer_vehicle(setting *set, const scenario *s, scenario_vehicle *v)
{
    static const mc_param start[] = {
        {"x", "m", NAN, -1e7, 1e7, "position at the start"},
        {"v", "m/s", NAN, -100.0, 150.0, "speed at the start"},
    };
    offer_desired(set, 0, s->headway_commanded ? s->headway : 0.0, &v->headway);
    offer_desired(set, 1, s->distance_commanded ? s->distance : 0.0, &v->distance);
    offer(set, &start[0], &v->x);
    offer(set, &start[1], &v->v);
    for (int u = 0; u < 8; u++) {
        char name[8];
        snprintf(name, sizeof name, "user%d", u + 1);
        offer(set, &(mc_param){name, "", 0.0, -1e300, 1e300, ""}, &v->user[u]);
    }
}

// The vehicle of that name; -1: none.
static int find_vehicle(const scenario_setter *setter, const char *name)
{
    const scenario *s = setter->s;
    for (int k = 0; k < s->vehicle_count && !setter->by_name; k++)
        if (strcmp(name, s->vehicles[k].name) == 0)
            return k;
    for (int low = 0, high = s->vehicle_count; setter->by_name && low < high;) {
        const int middle = low + (high - low) / 2, k = setter->by_name[middle];
        const int order = strcmp(name, s->vehicles[k].name);
        if (order == 0)
            return k;
        low = order > 0 ? middle + 1 : low;
        high = order < 0 ? middle : high;
    }
    return -1;
}

static void offer_vehicles(setting *set, scenario *s)
{
    const int k = set->owner[0] ? find_vehicle(set->setter, set->owner) : -1;
    if (k >= 0)
        offer_vehicle(set, s, &s->vehicles[k]);
}

// ---- road, contact, events ----

// A number that is a key of a section, with the range it has in a file.
static void offer_number(setting *set, scenario_section section, const char *name, double *target)
{
    const scenario_key *k = scenario_key_find(section, name);
    offer(set, &(mc_param){k->name, k->unit, k->fallback, k->min, k->max, k->doc}, target);
}

// The number N of an owner WORDN; 0: it is another one.
static int number_of(const setting *set, const char *word)
{
    int number;
    const size_t length = strlen(word);
    return strncmp(set->owner, word, length) == 0 && text_to_int(set->owner + length, &number) &&
                   number > 0
               ? number
               : 0;
}

// What a road profile is made with.
static void offer_profile(setting *set, road_formula *formula)
{
    if (!formula || strcmp(set->owner, "profile") != 0)
        return;
    const road_formula_numbers numbers = road_formula_numbers_of(formula);
    offer_table(set, numbers.params, numbers.param_count, numbers.p);
    offer_number(set, SECTION_ROAD_PROFILE, "from", numbers.from);
    offer_number(set, SECTION_ROAD_PROFILE, "to", numbers.to);
}

// Stretch N in order of the road; by the owner `road` the value of all.
static void offer_stretches(setting *set, const char *word, scenario_section section,
                            const char *value, road_stretch *list, int count)
{
    const int number = number_of(set, word);
    if (number >= 1 && number <= count) {
        road_stretch *one = &list[number - 1];
        offer_number(set, section, "from", &one->from);
        offer_number(set, section, "to", &one->to);
        offer_number(set, section, "transition", &one->transition);
        offer_number(set, section, value, &one->value);
    }
    for (int k = 0; k < count && strcmp(set->owner, "road") == 0; k++)
        offer_number(set, section, value, &list[k].value);
}

static void offer_sides(setting *set, road_side *list, int count)
{
    const int number = number_of(set, "friction");
    if (number < 1 || number > count || isnan(list[number - 1].right))
        return;
    offer_number(set, SECTION_FRICTION, "mu_right", &list[number - 1].right);
    offer_number(set, SECTION_FRICTION, "divide", &list[number - 1].divide);
    offer_number(set, SECTION_FRICTION, "seam", &list[number - 1].seam);
}

static void offer_event(setting *set, scenario_event *e)
{
    offer_number(set, SECTION_EVENT, "at", &e->at);
    offer_number(set, SECTION_EVENT, "until", &e->until);
    if (e->kind < EVENT_FAULT_COUNT) {
        offer(set, &event_rows[e->kind], &e->value);
    } else if (event_is_roadway((int)e->kind) || e->kind == EVENT_ACCELERATE) {
        offer_number(set, SECTION_EVENT, event_name((int)e->kind), &e->value);
    } else if (e->kind == EVENT_SET) {
        mc_param row = e->row ? *e->row : (mc_param){"", "", NAN, -1e300, 1e300, ""};
        row.name = e->param;
        offer(set, &row, &e->value);
    } else if (e->kind == EVENT_DRIVE) {
        offer_number(set, SECTION_DRIVE, "throttle", &e->inputs.throttle);
        offer_number(set, SECTION_DRIVE, "brake", &e->inputs.brake);
        offer_number(set, SECTION_DRIVE, "steer", &e->inputs.steer);
        offer_number(set, SECTION_DRIVE, "acceleration", &e->inputs.acceleration);
    }
}

static void offer_parts(setting *set, scenario *s)
{
    const int event = number_of(set, "event");
    offer_stretches(set, "grade", SECTION_GRADE, "grade", s->grades, s->grade_count);
    offer_stretches(set, "friction", SECTION_FRICTION, "mu", s->frictions, s->friction_count);
    offer_sides(set, s->sides, s->friction_count);
    offer_profile(set, s->profile);
    if (strcmp(set->owner, "contact") == 0) {
        offer_number(set, SECTION_CONTACT, "restitution", &s->contact_restitution);
        offer_number(set, SECTION_CONTACT, "friction", &s->contact_friction);
    }
    for (int k = 0; k < s->event_count && event > 0; k++)
        if (s->events[k].entry == event)
            offer_event(set, &s->events[k]);
}

static mc_status check_stretches(const setting *set, const road_stretch *list, int count)
{
    for (int k = 0; k < count; k++) {
        const double length = list[k].to - list[k].from;
        if (!(length > 0.0) || list[k].transition > 0.5 * length * (1.0 + 1e-12))
            return mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                                "\"%s\": the stretch is then %g .. %g m with a transition of %g m; "
                                "expected from < to and a transition of at most half of it",
                                set->text, list[k].from, list[k].to, list[k].transition);
        if (k > 0 && list[k].from < list[k - 1].to)
            return mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                                "\"%s\": the stretches %g .. %g m and %g .. %g m then overlap",
                                set->text, list[k - 1].from, list[k - 1].to, list[k].from,
                                list[k].to);
    }
    return MC_OK;
}

// Slope and friction again. Paths and lanes stay; a slope from a file stays with them.
static mc_status make_slope(const setting *set, scenario *s)
{
    const road before = s->road;
    mc_status status =
        road_make(&s->memory, s->road.lane_count, s->road.lane_width, s->grades, s->grade_count,
                  s->frictions, s->friction_count, &s->road, set->error);
    if (status == MC_OK)
        status = road_set_sides(&s->memory, s->frictions, s->sides, s->friction_count, &s->road,
                                set->error);
    s->road.net = before.net;
    if (s->road_file)
        s->road.curve = before.curve;
    if (status != MC_OK || !s->profile)
        return status;
    const road_formula_numbers numbers = road_formula_numbers_of(s->profile);
    if (!(*numbers.from < *numbers.to))
        return mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                            "\"%s\": the profile then goes from %g m to %g m; expected from < to",
                            set->text, *numbers.from, *numbers.to);
    mc_error error = {0};
    status = road_formula_apply(s->profile, &s->memory, &s->road, &error);
    if (status != MC_OK)
        mc_error_set(set->error, status, NULL, 0, 0, "\"%s\": %s", set->text, error.text);
    return status;
}

static mc_status make_road(const setting *set, scenario *s)
{
    road_fault fault;
    const mc_status status = make_slope(set, s);
    if (status != MC_OK || !s->plan)
        return status; // ramps meet the road at its height
    return road_network_make(&s->memory, s->plan, &s->road, &s->road.net, &fault, set->error);
}

// What follows from numbers of the road and of events.
static mc_status finish_parts(const setting *set, scenario *s)
{
    mc_status status = check_stretches(set, s->grades, s->grade_count);
    if (status == MC_OK)
        status = check_stretches(set, s->frictions, s->friction_count);
    for (int k = 0; k < s->event_count && status == MC_OK; k++)
        if (s->events[k].until <= s->events[k].at)
            status = mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                                  "\"%s\": the event then ends at %g s, expected after %g s",
                                  set->text, s->events[k].until, s->events[k].at);
    if (status != MC_OK)
        return status;
    scenario_sort_events(s);
    return make_road(set, s);
}

static void offer_seed(setting *set, scenario *s)
{
    static const mc_param seed = {"seed", "-",  1.0,
                                  0.0,    9e15, "seed of all noise and message loss"};
    setting one = *set;
    double value = 0.0;
    one.write = true;
    offer(&one, &seed, &value);
    if (one.status == MC_OK && value != floor(value))
        one.status = mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                                  "\"%s\": seed must be a whole number", set->text);
    if (set->write && one.status == MC_OK && one.found > set->found)
        s->seed = (unsigned long long)value;
    one.write = set->write;
    *set = one;
}

// Arrivals are drawn when a scenario is read: a flow can only be lowered.
static void offer_sources(setting *set, scenario *s)
{
    for (int k = 0; k < s->source_count; k++) {
        scenario_source *source = &s->sources[k];
        const mc_param flow = {"flow", "1/h", NAN, 0.1, source->file_flow, "vehicles per hour"};
        if (!meant(set, source->name))
            continue;
        offer(set, &flow, &source->flow);
        if (set->write)
            scenario_source_retime(s, k);
    }
}

static void offer_all(setting *set, scenario *s)
{
    if (strcmp(set->owner, "time") == 0) {
        offer_number(set, SECTION_TIME, "end", &s->end);
        offer_number(set, SECTION_TIME, "step", &s->step);
        offer_number(set, SECTION_TIME, "record", &s->record);
        offer_number(set, SECTION_TIME, "braking_step", &s->braking_step);
    }
    if (strcmp(set->owner, "road") == 0) {
        offer(set, &desired_params[0], &s->headway);
        offer(set, &desired_params[1], &s->distance);
        s->headway_commanded |= set->write && strcmp(set->name, "headway") == 0;
        s->distance_commanded |= set->write && strcmp(set->name, "distance") == 0;
        s->speed_commanded |= set->write && strcmp(set->name, "speed") == 0;
        offer(set, &desired_params[2], &s->speed);
    }
    if (set->owner[0] == '\0')
        offer_seed(set, s);
    if (set->owner[0])
        offer_parts(set, s);
    offer_models(set, s);
    offer_controllers(set, s);
    offer_estimators(set, s);
    offer_vehicles(set, s);
    offer_sources(set, s);
}

// ---- places ----

// The position of a platoon car at its desired gap to the one in front, computed as when it was
// read.
static double place_behind(const scenario *s, const scenario_vehicle *v)
{
    const scenario_vehicle *front = v - 1;
    while (v->from == 0.0 && front->from > 0.0 && front->number > 0)
        front--;
    const double ahead = 0.5 * s->models[front->model].facts.length;
    const double own = 0.5 * s->models[v->model].facts.length;
    return front->x - ahead - scenario_desired_gap(s, v) - own;
}

// Writes the value; cars are put in their places when the setter is closed.
static mc_status write_value(setting *set, scenario *s, scenario_setter *setter)
{
    const bool every_step = s->record == s->step; // recorded: also with another step
    set->write = true;
    set->found = 0;
    offer_all(set, s);
    if (every_step && strcmp(set->owner, "time") == 0 && strcmp(set->name, "step") == 0)
        s->record = s->step;
    const int own = strcmp(set->name, "x") == 0 ? find_vehicle(setter, set->owner) : -1;
    if (own >= 0)
        setter->follows[own] = false; // it stands where it was put
    const bool parts = number_of(set, "grade") || number_of(set, "friction") ||
                       number_of(set, "event") || strcmp(set->owner, "road") == 0 ||
                       strcmp(set->owner, "profile") == 0;
    return set->status == MC_OK && parts ? finish_parts(set, s) : set->status;
}

static mc_status cut(setting *set, mc_error *error)
{
    const char *equals = strchr(set->text, '=');
    if (!equals || equals == set->text || equals[1] == '\0')
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "\"%s\": expected NAME=VALUE, for example mass=2400", set->text);
    const char *point = equals; // the last one before the '='
    while (point > set->text && *point != '.')
        point--;
    const size_t owner = *point == '.' ? (size_t)(point - set->text) : 0;
    const char *name = *point == '.' ? point + 1 : set->text;
    if (owner >= NAME_SIZE || equals - name >= NAME_SIZE)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%.60s...\": the name is too long",
                            set->text);
    memcpy(set->owner, set->text, owner);
    memcpy(set->name, name, (size_t)(equals - name));
    set->value = equals + 1;
    return MC_OK;
}

static mc_status reject_name(setting *set, scenario *s)
{
    const int length = (int)strlen(set->name); // a third may be wrong, but one of few letters
    set->distance = length < 2 ? 0 : length < 6 ? 2 : length / 3 + 1;
    offer_all(set, s);
    const char *ask = set->near[0] ? "; did you mean " : "";
    return mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                        set->owner[0] ? "\"%s\" has no parameter \"%s\"%s%s"
                                      : "%sno model or controller has a parameter \"%s\"%s%s",
                        set->owner, set->name, ask, set->near);
}

// A changed scenario is a different one, except for its end: a resumed run may end at another time.
static mc_status note_change(scenario *s, const setting *set, mc_error *error)
{
    if (strcmp(set->owner, "time") == 0 && strcmp(set->name, "end") == 0)
        return MC_OK;
    const size_t before = s->changes_size, length = strlen(set->text);
    if (before + length + 2 > s->changes_room) { // doubled, so that many cost no more than twice
        const size_t room = 2 * (before + length + 2);
        char *all = arena_alloc(&s->memory, room);
        if (!all)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a change");
        memcpy(all, s->changes, before);
        s->changes = all;
        s->changes_room = room;
    }
    memcpy(s->changes + before, set->text, length);
    memcpy(s->changes + before + length, "\n", 2);
    s->changes_size = before + length + 1;
    return MC_OK;
}

// A name that no owner has may be that of 0.1.
static void offer_renamed(setting *set, scenario *s)
{
    const char *now = renamed_now(set->name);
    if (!now)
        return;
    char old[NAME_SIZE];
    snprintf(old, sizeof old, "%s", set->name);
    snprintf(set->name, sizeof set->name, "%s", now);
    offer_all(set, s);
    if (set->found == 0)
        snprintf(set->name, sizeof set->name, "%s", old);
    else if (set->status == MC_OK && !scenario_note_renamed(s, old, (scenario_place){0, 0}))
        set->status =
            mc_error_set(set->error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the scenario");
}

// ---- several ----

static int compare_names(const void *a, const void *b, void *context)
{
    const scenario_vehicle *vehicles = context;
    return strcmp(vehicles[*(const int *)a].name, vehicles[*(const int *)b].name);
}

static void sort_names(scenario_setter *setter)
{
    scenario *s = setter->s;
    setter->by_name = malloc(((size_t)s->vehicle_count + 1) * sizeof *setter->by_name);
    for (int k = 0; setter->by_name && k < s->vehicle_count; k++)
        setter->by_name[k] = k;
    if (setter->by_name)
        qsort_r(setter->by_name, (size_t)s->vehicle_count, sizeof *setter->by_name, compare_names,
                s->vehicles);
}

scenario_setter *scenario_setter_open(scenario *s, mc_error *error)
{
    scenario_setter *setter = calloc(1, sizeof *setter);
    bool *follows = calloc((size_t)s->vehicle_count + 1, sizeof *follows);
    if (!setter || !follows) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the scenario");
        free(setter);
        free(follows);
        return NULL;
    }
    *setter = (scenario_setter){.s = s, .follows = follows};
    for (int k = 0; k < s->vehicle_count; k++)
        follows[k] =
            s->vehicles[k].number > 0 && s->vehicles[k].x == place_behind(s, &s->vehicles[k]);
    return setter;
}

mc_status scenario_setter_add(scenario_setter *setter, const char *text, const char **unit,
                              mc_error *error)
{
    scenario *s = setter->s;
    setting set = {.setter = setter, .text = text, .error = error, .status = MC_OK};
    const mc_status status = cut(&set, error);
    if (status != MC_OK)
        return status;
    if (++setter->count == LINEAR_MAX)
        sort_names(setter);
    offer_all(&set, s);
    if (set.status == MC_OK && set.found == 0)
        offer_renamed(&set, s);
    if (set.status == MC_OK && set.found == 0)
        return reject_name(&set, s);
    if (set.status == MC_OK)
        set.status = write_value(&set, s, setter);
    *unit = set.unit;
    return set.status == MC_OK ? note_change(s, &set, error) : set.status;
}

void scenario_setter_close(scenario_setter *setter)
{
    scenario *s = setter->s;
    for (int k = 0; k < s->vehicle_count; k++)
        if (setter->follows[k])
            s->vehicles[k].x = place_behind(s, &s->vehicles[k]);
    free(setter->by_name);
    free(setter->follows);
    free(setter);
}

mc_status scenario_set_unit(scenario *s, const char *text, const char **unit, mc_error *error)
{
    scenario_setter *setter = scenario_setter_open(s, error);
    if (!setter)
        return MC_NO_MEMORY;
    const mc_status status = scenario_setter_add(setter, text, unit, error);
    scenario_setter_close(setter);
    return status;
}

mc_status scenario_set(scenario *s, const char *text, mc_error *error)
{
    const char *unit;
    return scenario_set_unit(s, text, &unit, error);
}
