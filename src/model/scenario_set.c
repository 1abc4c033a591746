// scenario_set.c - numbers of a scenario by name.
//
// A name is looked up twice: first to count and check what it means, then to write. So a value
// that one of several owners refuses changes none of them.
#include "model/scenario_set.h"

#include "base/text.h"
#include "expr/parse.h"
#include "model/scenario_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 128 };

typedef struct setting {
    const char *text;      // all of it, for messages
    char owner[NAME_SIZE]; // "": anybody
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
    const bool percent = strcmp(p->unit, "-") == 0 && scenario_percent(set->value, &value);
    is_number = percent;
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
        set->status =
            mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\": %s must be in %g .. %g %s",
                         set->text, p->name, p->min, p->max, p->unit);
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

static void offer_models(setting *set, scenario *s)
{
    for (int k = 0; k < s->model_count; k++) {
        scenario_model *m = &s->models[k];
        if (!meant(set, m->name))
            continue;
        if (m->kind == SCENARIO_COSSERAT)
            offer_table(set, cosserat_params, COSSERAT_PARAM_COUNT, m->cosserat.p);
        else
            offer_table(set, car_params, CAR_PARAM_COUNT, m->car.p);
        if (m->car.powertrain)
            offer_table(set, m->car.powertrain->params, m->car.powertrain->param_count,
                        m->car.powertrain_p);
    }
}

static const mc_param wish_params[] = {
    {"headway", "s", NAN, 0.0, 60.0, "time headway"},
    {"distance", "m", NAN, 0.0, 1000.0, "distance at rest"},
    {"speed", "m/s", NAN, 0.0, 150.0, "speed command"},
};

// A wish of a controller or a car: the roadway's command, if it gives one, is the least allowed.
static void offer_wish(setting *set, int wish, double least, double *target)
{
    mc_param p = wish_params[wish];
    const bool good = set->status == MC_OK;
    p.min = least;
    offer(set, &p, target);
    if (!good || set->status == MC_OK || !set->error || !(least > 0.0))
        return;
    const size_t used = strlen(set->error->text);
    snprintf(set->error->text + used, sizeof set->error->text - used,
             "; the roadway commands %g %s, cars may keep more", least, p.unit);
}

static void offer_controllers(setting *set, scenario *s)
{
    for (int k = 0; k < s->controller_count; k++) {
        scenario_controller *c = &s->controllers[k];
        if (!meant(set, c->name))
            continue;
        offer_table(set, c->law->params, c->law->param_count, c->law_p);
        offer_table(set, inner_params, INNER_PARAM_COUNT, c->inner);
        offer_table(set, link_params, LINK_PARAM_COUNT, c->link);
        offer_table(set, sensor_params, SENSOR_PARAM_COUNT, c->sensor);
        offer_wish(set, 0, s->headway_commanded ? s->headway : 0.0, &c->headway);
        offer_wish(set, 1, s->distance_commanded ? s->distance : 0.0, &c->distance);
        offer(set, &wish_params[2], &c->v_set);
    }
}

static void offer_vehicles(setting *set, scenario *s)
{
    static const mc_param start[] = {
        {"x", "m", NAN, -1e7, 1e7, "position at the start"},
        {"v", "m/s", NAN, -100.0, 150.0, "speed at the start"},
    };
    for (int k = 0; k < s->vehicle_count; k++) {
        scenario_vehicle *v = &s->vehicles[k];
        if (set->owner[0] == '\0' || strcmp(set->owner, v->name) != 0)
            continue;
        offer_wish(set, 0, s->headway_commanded ? s->headway : 0.0, &v->headway);
        offer_wish(set, 1, s->distance_commanded ? s->distance : 0.0, &v->distance);
        offer(set, &start[0], &v->x);
        offer(set, &start[1], &v->v);
        for (int u = 0; u < 8; u++) {
            char name[8];
            snprintf(name, sizeof name, "user%d", u + 1);
            offer(set, &(mc_param){name, "", 0.0, -1e300, 1e300, ""}, &v->user[u]);
        }
    }
}

static void offer_seed(setting *set, scenario *s)
{
    static const mc_param seed = {"seed", "-", 1.0, 0.0, 9e15, "of all noise and loss"};
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

static void offer_all(setting *set, scenario *s)
{
    static const mc_param time[] = {
        {"end", "s", NAN, 1e-6, 1e7, "end of the run"},
        {"step", "s", NAN, 1e-6, 10.0, "control step"},
        {"record", "s", NAN, 1e-6, 1e6, "time between rows"},
    };
    if (strcmp(set->owner, "time") == 0) {
        offer(set, &time[0], &s->end);
        offer(set, &time[1], &s->step);
        offer(set, &time[2], &s->record);
    }
    if (strcmp(set->owner, "road") == 0) {
        offer(set, &wish_params[0], &s->headway);
        offer(set, &wish_params[1], &s->distance);
        s->headway_commanded |= set->write && strcmp(set->name, "headway") == 0;
        s->distance_commanded |= set->write && strcmp(set->name, "distance") == 0;
        s->speed_commanded |= set->write && strcmp(set->name, "speed") == 0;
        offer(set, &wish_params[2], &s->speed);
    }
    if (set->owner[0] == '\0')
        offer_seed(set, s);
    offer_models(set, s);
    offer_controllers(set, s);
    offer_vehicles(set, s);
}

// ---- places ----

// Where a car of a platoon stands that keeps its wanted gap to the one in front: as it was read.
static double place_behind(const scenario *s, const scenario_vehicle *v)
{
    const scenario_vehicle *front = v - 1;
    while (v->from == 0.0 && front->from > 0.0 && front->number > 0)
        front--;
    const double ahead = 0.5 * s->models[front->model].car.p[CAR_LENGTH];
    const double own = 0.5 * s->models[v->model].car.p[CAR_LENGTH];
    return front->x - ahead - scenario_wanted_gap(s, v) - own;
}

// Cars that stood at their wanted gap stand at the new one: another headway is no disturbance at
// the start. A car with `spacing:` of its own stays where it is.
static mc_status write_and_place(setting *set, scenario *s)
{
    bool *follows = calloc((size_t)s->vehicle_count + 1, sizeof *follows);
    if (!follows)
        return mc_error_set(set->error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the scenario");
    for (int k = 0; k < s->vehicle_count; k++)
        follows[k] =
            s->vehicles[k].number > 0 && s->vehicles[k].x == place_behind(s, &s->vehicles[k]);
    const bool every_step = s->record == s->step; // recorded: also with another step
    set->write = true;
    set->found = 0;
    offer_all(set, s);
    if (every_step && strcmp(set->owner, "time") == 0 && strcmp(set->name, "step") == 0)
        s->record = s->step;
    for (int k = 0; k < s->vehicle_count; k++)
        if (follows[k] &&
            !(strcmp(set->name, "x") == 0 && strcmp(set->owner, s->vehicles[k].name) == 0))
            s->vehicles[k].x = place_behind(s, &s->vehicles[k]);
    free(follows);
    return set->status;
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

static mc_status refuse_name(setting *set, scenario *s)
{
    const int length = (int)strlen(set->name); // a third may be wrong, but one of few letters
    set->distance = length < 2 ? 0 : length < 6 ? 2 : length / 3 + 1;
    offer_all(set, s);
    const char *ask = set->near[0] ? "; did you mean " : "";
    return mc_error_set(set->error, MC_BAD_INPUT, NULL, 0, 0,
                        set->owner[0] ? "\"%s\" has no number \"%s\"%s%s"
                                      : "%sno model and no controller has a number \"%s\"%s%s",
                        set->owner, set->name, ask, set->near);
}

// A changed scenario is another one; when it ends does not matter to a run that goes on.
static mc_status note_change(scenario *s, const setting *set, mc_error *error)
{
    if (strcmp(set->owner, "time") == 0 && strcmp(set->name, "end") == 0)
        return MC_OK;
    const size_t before = strlen(s->changes), length = strlen(set->text);
    char *all = arena_alloc(&s->memory, before + length + 2);
    if (!all)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a change");
    memcpy(all, s->changes, before);
    memcpy(all + before, set->text, length);
    all[before + length] = '\n';
    s->changes = all;
    return MC_OK;
}

mc_status scenario_set_unit(scenario *s, const char *text, const char **unit, mc_error *error)
{
    setting set = {.text = text, .error = error, .status = MC_OK};
    const mc_status status = cut(&set, error);
    if (status != MC_OK)
        return status;
    offer_all(&set, s);
    if (set.status == MC_OK && set.found == 0)
        return refuse_name(&set, s);
    if (set.status == MC_OK)
        set.status = write_and_place(&set, s);
    *unit = set.unit;
    return set.status == MC_OK ? note_change(s, &set, error) : set.status;
}

mc_status scenario_set(scenario *s, const char *text, mc_error *error)
{
    const char *unit;
    return scenario_set_unit(s, text, &unit, error);
}
