// request_change.c - set, road, fault: numbers that change while it runs.
#include "studio/changes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A command of a change that has begun, to its answer.
static void command_give(request *r, change *c, const log_entry *entry, const char *text)
{
    if (c->branched)
        snprintf(c->world->change, sizeof c->world->change, "%s", text);
    if (change_give(r, c, entry) && change_end(r, c, entry, text))
        change_answer(r, c);
}

// One command, from the request to its answer.
static void command(request *r, const log_entry *entry, const char *text)
{
    change c;
    if (change_begin(r, text, &c))
        command_give(r, &c, entry, text);
}

// The parameter (NAME or GROUP.NAME) of a vehicle as it is now; false: it has none of that name.
static bool find_param(const world *w, const char *vehicle, const char *whole, mc_run_param *out)
{
    const char *point = strchr(whole, '.'), *param = point ? point + 1 : whole;
    const size_t group = point ? (size_t)(point - whole) : 0;
    const int v = mc_run_find(w->run, vehicle);
    for (int k = 0; v >= 0 && mc_run_param_at(w->run, v, k, out); k++)
        if (strcmp(out->row->name, param) == 0 &&
            (!point || (strlen(out->group) == group && strncmp(out->group, whole, group) == 0)))
            return true;
    return false;
}

// The value it has now, of a vehicle or of a controller; NAN: not known.
static double value_now(const world *w, const char *vehicle, const char *controller,
                        const char *whole)
{
    const char *point = strchr(whole, '.'), *param = point ? point + 1 : whole;
    if (controller[0] && (!point || strncmp(whole, "law.", 4) == 0)) {
        mc_run_controller_info c;
        for (int k = 0; mc_run_controller_at(w->run, k, &c); k++)
            for (int p = 0; strcmp(c.name, controller) == 0 && p < c.param_count; p++)
                if (strcmp(c.params[p].name, param) == 0)
                    return c.values[p];
        return NAN;
    }
    mc_run_param p;
    return find_param(w, vehicle, whole, &p) ? p.value : NAN;
}

enum { SET_MOST = 64 };

// `vehicles`: a list of different names. 0: there is none, -1: refused.
static int read_vehicles(request *r, const char *out[SET_MOST])
{
    const json_t *list = json_object_get(r->body, "vehicles");
    if (!list)
        return 0;
    const size_t count = json_array_size(list);
    if (!json_is_array(list) || count < 1 || count > SET_MOST) {
        request_refuse(r, "vehicles", "vehicles is a list of 1 to %d names", SET_MOST);
        return -1;
    }
    for (size_t k = 0; k < count; k++) {
        out[k] = json_string_value(json_array_get(list, k));
        bool good = out[k] && strlen(out[k]) < NAME_MOST - 1;
        for (size_t i = 0; good && i < k; i++)
            good = strcmp(out[i], out[k]) != 0;
        if (!good) {
            request_refuse(r, "vehicles", "vehicles is a list of names, each once");
            return -1;
        }
    }
    return (int)count;
}

// One parameter of several cars at once: all are looked at before anything is given, so that either
// all take it or none does.
static void set_many(request *r, const char *const names[], int count)
{
    const char *param;
    double value;
    change c;
    if (!request_text(r, "param", NAME_MOST - 1, NULL, &param) ||
        !request_number(r, "value", -1e300, 1e300, NAN, &value) || !change_begin(r, param, &c))
        return;
    for (int k = 0; k < count; k++) {
        mc_run_param p;
        if (!find_param(c.world, names[k], param, &p))
            request_refuse(r, "vehicles", "\"%s\" has no parameter \"%s\"", names[k], param);
        else if (!p.live)
            request_refuse(r, "param", "%s of \"%s\" cannot be set while it runs", param, names[k]);
        else if (!(value >= p.row->min && value <= p.row->max))
            request_refuse(r, "value", "%s is %g, allowed is %g .. %g %s", param, value, p.row->min,
                           p.row->max, p.row->unit);
        else
            continue;
        change_abandon(&c);
        return;
    }
    char text[160], name[NAME_MOST];
    const char *point = strchr(param, '.');
    snprintf(name, sizeof name, "%s", param);
    snprintf(text, sizeof text, "%.60s of %d cars = %g", point ? point + 1 : param, count, value);
    log_entry entries[SET_MOST];
    for (int k = 0; k < count; k++) {
        entries[k] = (log_entry){.event = "set", .param = name, .value = value};
        snprintf(entries[k].vehicle, sizeof entries[k].vehicle, "%s", names[k]);
    }
    if (c.branched)
        snprintf(c.world->change, sizeof c.world->change, "%s", text);
    for (int k = 0; k < count; k++)
        if (!change_give(r, &c, &entries[k]))
            return;
    if (change_end_all(r, &c, entries, count, text))
        change_answer(r, &c);
}

void request_set(request *r)
{
    const char *vehicle, *controller, *param;
    double value;
    change c;
    const char *many[SET_MOST];
    const int count = read_vehicles(r, many);
    if (count > 0)
        set_many(r, many, count);
    if (count != 0)
        return;
    // null takes a wish back: the car keeps what its controller or the roadway asks for.
    const bool back = json_is_null(json_object_get(r->body, "value"));
    if (!request_text(r, "vehicle", NAME_MOST - 2, "", &vehicle) ||
        !request_text(r, "controller", NAME_MOST - 2, "", &controller) ||
        !request_text(r, "param", NAME_MOST - 1, NULL, &param) ||
        (!back && !request_number(r, "value", -1e300, 1e300, NAN, &value)))
        return;
    if (back)
        value = NAN;
    if (!vehicle[0] == !controller[0]) {
        request_refuse(r, "vehicle", "say either vehicle or controller");
        return;
    }
    if (!change_begin(r, param, &c))
        return;
    const double before = value_now(c.world, vehicle, controller, param);
    char text[160], name[NAME_MOST];
    snprintf(name, sizeof name, "%s", param);
    log_entry e = {.param = name, .value = value};
    strcpy(e.event, "set");
    snprintf(e.vehicle, sizeof e.vehicle, "%s%s", controller[0] ? "@" : "",
             controller[0] ? controller : vehicle);
    if (strncmp(param, "law.", 4) == 0)
        param += 4; // whose it is says the controller
    if (back)
        snprintf(text, sizeof text, "%.60s of %.60s as the roadway", param,
                 controller[0] ? controller : vehicle);
    else if (isnan(before))
        snprintf(text, sizeof text, "%.60s of %.60s = %g", param,
                 controller[0] ? controller : vehicle, value);
    else
        snprintf(text, sizeof text, "%s%s%.60s %g -> %g", controller[0] ? "" : vehicle,
                 controller[0] ? "" : " ", param, before, value);
    command_give(r, &c, &e, text);
}

void request_road(request *r)
{
    static const char *const names[] = {"headway", "distance", "speed"};
    const char *name = NULL;
    for (int k = 0; k < 3; k++)
        if (json_object_get(r->body, names[k])) {
            if (name) {
                request_refuse(r, names[k], "one command at a time: %s or %s", name, names[k]);
                return;
            }
            name = names[k];
        }
    if (!name) {
        request_refuse(r, NULL, "what is commanded? headway, distance or speed");
        return;
    }
    log_entry e = {.param = ""};
    if (!request_number(r, name, -1e300, 1e300, NAN, &e.value))
        return;
    snprintf(e.event, sizeof e.event, "%s", name);
    char text[96];
    snprintf(text, sizeof text, "road %s = %g", name, e.value);
    command(r, &e, text);
}

void request_fault(request *r)
{
    enum { SHAPE_MOST = 64 };
    static const char *const events[] = {"brake_lost",   "throttle_stuck", "sensor_bias",
                                         "sensor_noise", "radio_delay",    "radio_loss",
                                         "push"};
    const char *vehicle, *event, *shape;
    char kept[SHAPE_MOST];
    log_entry e = {.param = kept};
    if (!request_text(r, "vehicle", NAME_MOST - 1, NULL, &vehicle) ||
        !request_text(r, "event", 31, NULL, &event) ||
        !request_text(r, "shape", SHAPE_MOST - 1, "", &shape) ||
        !request_optional(r, "value", -1e300, 1e300, &e.value))
        return;
    bool known = false;
    for (size_t k = 0; k < sizeof events / sizeof events[0]; k++)
        known = known || strcmp(event, events[k]) == 0;
    if (!known) {
        request_refuse(r, "event",
                       "\"%s\" is no fault; there are brake_lost, throttle_stuck, sensor_bias, "
                       "sensor_noise, radio_delay, radio_loss and push",
                       event);
        return;
    }
    snprintf(kept, sizeof kept, "%s", shape);
    snprintf(e.event, sizeof e.event, "%s", event);
    snprintf(e.vehicle, sizeof e.vehicle, "%s", vehicle);
    char text[160];
    if (isnan(e.value))
        snprintf(text, sizeof text, "%.60s: %s", vehicle, event);
    else
        snprintf(text, sizeof text, "%.60s: %s %g%s%s", vehicle, event, e.value, kept[0] ? " " : "",
                 kept);
    command(r, &e, text);
}
