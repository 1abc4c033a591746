// controller.c - each change is an edit that says the whole controller again, with what is to be
// different.
#include "studio/request/controller.h"

#include "studio/hub/change.h"
#include "studio/hub/pending.h"
#include "studio/request/edit.h"
#include "studio/request/read.h"

#include <stdio.h>
#include <string.h>

// A user-defined law in the form of a scenario.
static json_t *own_law(const mc_run *run, int controller, const mc_run_controller_info *c)
{
    json_t *law = json_object(), *parameters = json_object(), *states = json_object();
    json_t *variables = json_object();
    mc_law_line line;
    for (int k = 0; k < c->param_count; k++) {
        const char *name = c->params[k].name;
        json_t *p = json_pack("{s:f}", "value",
                              pending_param(run, NULL, c->name, "law", name, c->values[k]));
        if (c->params[k].unit[0] && strcmp(c->params[k].unit, "-") != 0)
            json_object_set_new(p, "unit", json_string(c->params[k].unit));
        json_object_set_new(parameters, c->params[k].name, p);
    }
    for (int k = 0; mc_run_controller_line(run, controller, k, &line); k++) {
        if (line.kind == MC_LAW_LINE_VARIABLE) {
            json_object_set_new(variables, line.name, json_string(line.formula));
        } else if (line.kind == MC_LAW_LINE_ACCELERATION) {
            json_object_set_new(law, "acceleration", json_string(line.formula));
        } else {
            json_t *s = json_pack("{s:s}", "rate", line.formula);
            if (line.start && line.start[0])
                json_object_set_new(s, "start", json_string(line.start));
            if (line.unit && line.unit[0] && strcmp(line.unit, "-") != 0)
                json_object_set_new(s, "unit", json_string(line.unit));
            json_object_set_new(states, line.name, s);
        }
    }
    json_object_set_new(law, "parameters", parameters);
    json_object_set_new(law, "states", states);
    json_object_set_new(law, "variables", variables);
    return law;
}

// Puts the law it has now into the map.
static void keep_law(const mc_run *run, int controller, const mc_run_controller_info *c,
                     json_t *map)
{
    if (c->own) {
        json_object_set_new(map, "law", own_law(run, controller, c));
        return;
    }
    json_object_set_new(map, "law", json_string(c->law));
    for (int k = 0; k < c->param_count; k++)
        json_object_set_new(
            map, c->params[k].name,
            json_real(pending_param(run, NULL, c->name, "law", c->params[k].name, c->values[k])));
}

static bool put_law(request *r, json_t *map)
{
    const char *name;
    mc_law law;
    if (!read_text(r, "name", NAME_SIZE - 1, NULL, &name))
        return false;
    if (!mc_law_find(name, &law)) {
        request_reject(r, "name", "unknown law \"%s\"", name);
        return false;
    }
    json_object_set_new(map, "law", json_string(law.name));
    return true;
}

static bool put_linear(request *r, json_t *map)
{
    json_t *linear = json_object_get(r->body, "linear");
    if (!json_is_object(linear)) {
        request_reject(r, "linear", "linear must be an object with inputs, A, B, C, D");
        return false;
    }
    json_object_set(map, "linear", linear);
    return true;
}

static bool put_listen(request *r, json_t *map)
{
    json_t *listen = json_object_get(r->body, "listen");
    if (!json_is_array(listen)) {
        request_reject(r, "listen",
                       "listen must be a list: front, behind, leader, or places ahead "
                       "(2, -1)");
        return false;
    }
    json_object_set(map, "listen", listen);
    return true;
}

// inner, radio, sensor, avoid, fallback: numbers of that part.
static bool put_part(request *r, json_t *map)
{
    const char *op = json_string_value(json_object_get(r->body, "op")), *name;
    json_t *values = json_object_get(r->body, "values"), *value;
    if (!json_is_object(values) || json_object_size(values) == 0) {
        request_reject(r, "values", "%s needs values: expected an object of numbers by name", op);
        return false;
    }
    json_object_foreach(values, name, value) if (!json_is_number(value))
    {
        request_reject(r, name, "%s must be a number", name);
        return false;
    }
    json_t *part = json_object_get(map, op); // `true` stands for avoidance with its defaults
    part = json_is_object(part) ? json_incref(part) : json_object();
    json_object_update(part, values);
    json_object_set_new(map, op, part);
    return true;
}

static bool find_controller(request *r, const branch *b, mc_run_controller_info *out, int *index)
{
    const char *name;
    if (!read_text(r, "controller", NAME_SIZE - 1, NULL, &name))
        return false;
    for (*index = 0; mc_run_controller_at(b->run, *index, out); (*index)++)
        if (strcmp(out->name, name) == 0 && name[0] != '(')
            return true;
    if (name[0] == '(')
        request_reject(r, "controller", "%s belongs to a car's profile and cannot have another law",
                       name);
    else
        request_reject(r, "controller", "unknown controller \"%s\"", name);
    return false;
}

// A controller of its own for one car: a copy of the one it has, with the gains of this instant.
static void own_controller(request *r)
{
    const char *vehicle, *given;
    change c;
    if (!read_text(r, "vehicle", NAME_SIZE - 1, NULL, &vehicle) ||
        !read_text(r, "name", NAME_SIZE - 1, "", &given) || !read_change(r, "own", &c))
        return;
    const mc_run *run = c.branch->run;
    const int v = mc_run_find(run, vehicle);
    mc_run_vehicle_info car;
    mc_run_controller_info info, other;
    int index = 0;
    bool found = false;
    if (v >= 0)
        mc_run_vehicle(run, v, &car);
    while (v >= 0 && !found && mc_run_controller_at(run, index, &info)) {
        found = strcmp(info.name, car.controller) == 0 && info.name[0] != '(';
        index += !found;
    }
    if (!found) {
        if (v < 0)
            request_reject(r, "vehicle", "unknown vehicle \"%s\"", vehicle);
        else
            request_reject(r, "vehicle", "%s has no controller", vehicle);
        change_abandon(&c);
        return;
    }
    char name[2 * NAME_SIZE], text[160];
    bool taken = true;
    for (int n = 1; taken; n++) {
        if (given[0])
            snprintf(name, sizeof name, "%s", given);
        else
            snprintf(name, sizeof name, n > 1 ? "%s_%s_%d" : "%s_%s", info.name, vehicle, n);
        taken = false;
        for (int k = 0; mc_run_controller_at(run, k, &other); k++)
            taken = taken || strcmp(other.name, name) == 0;
        if (taken && given[0]) {
            request_reject(r, "name", "there is already a controller \"%s\"", given);
            change_abandon(&c);
            return;
        }
    }
    json_t *map = edit_controller(&info);
    keep_law(run, index, &info, map);
    snprintf(text, sizeof text, "%.60s: own controller %.60s", vehicle, name);
    edit_give(r, &c,
              json_pack("{s:{s:o},s:s,s:s}", "controllers", name, map, "vehicle", vehicle,
                        "controller", name),
              text);
}

bool controller_change(request *r, const char *op)
{
    if (strcmp(op, "own") == 0) {
        own_controller(r);
        return true;
    }
    static const struct {
        const char *name;
        bool other_law;
        bool (*put)(request *r, json_t *map);
    } ops[] = {{"law", true, put_law},        {"linear", true, put_linear},
               {"listen", false, put_listen}, {"inner", false, put_part},
               {"radio", false, put_part},    {"sensor", false, put_part},
               {"avoid", false, put_part},    {"fallback", false, put_part}};
    size_t k = 0;
    while (k < sizeof ops / sizeof ops[0] && strcmp(ops[k].name, op) != 0)
        k++;
    if (k == sizeof ops / sizeof ops[0])
        return false;
    mc_run_controller_info info;
    int index;
    change c;
    if (!read_change(r, op, &c))
        return true;
    if (!find_controller(r, c.branch, &info, &index)) {
        change_abandon(&c);
        return true;
    }
    json_t *map = edit_controller(&info);
    if (!ops[k].other_law)
        keep_law(c.branch->run, index, &info, map);
    if (!ops[k].put(r, map)) {
        json_decref(map);
        change_abandon(&c);
        return true;
    }
    const char *name = json_string_value(json_object_get(map, "law"));
    char text[160];
    if (strcmp(op, "law") == 0)
        snprintf(text, sizeof text, "%.60s: law %s -> %s", info.name, info.law, name);
    else
        snprintf(text, sizeof text, "%s of %.60s", op, info.name);
    edit_give(r, &c, json_pack("{s:{s:o}}", "controllers", info.name, map), text);
    return true;
}
