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

// The value a parameter (NAME or GROUP.NAME) has now; NAN: not known.
static double value_now(const world *w, const char *vehicle, const char *controller,
                        const char *whole)
{
    const char *point = strchr(whole, '.'), *param = point ? point + 1 : whole;
    const size_t group = point ? (size_t)(point - whole) : 0;
    if (controller[0] && (!point || strncmp(whole, "law.", 4) == 0)) {
        mc_run_controller_info c;
        for (int k = 0; mc_run_controller_at(w->run, k, &c); k++)
            for (int p = 0; strcmp(c.name, controller) == 0 && p < c.param_count; p++)
                if (strcmp(c.params[p].name, param) == 0)
                    return c.values[p];
        return NAN;
    }
    mc_run_param p;
    const int v = mc_run_find(w->run, vehicle);
    for (int k = 0; v >= 0 && mc_run_param_at(w->run, v, k, &p); k++)
        if (strcmp(p.row->name, param) == 0 &&
            (!point || (strlen(p.group) == group && strncmp(p.group, whole, group) == 0)))
            return p.value;
    return NAN;
}

void request_set(request *r)
{
    const char *vehicle, *controller, *param;
    double value;
    change c;
    if (!request_text(r, "vehicle", NAME_MOST - 2, "", &vehicle) ||
        !request_text(r, "controller", NAME_MOST - 2, "", &controller) ||
        !request_text(r, "param", NAME_MOST - 1, NULL, &param) ||
        !request_number(r, "value", -1e300, 1e300, NAN, &value))
        return;
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
    if (isnan(before))
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
    static const char *const events[] = {"brake_lost",   "throttle_stuck", "sensor_bias",
                                         "sensor_noise", "radio_delay",    "radio_loss"};
    const char *vehicle, *event;
    log_entry e = {.param = ""};
    if (!request_text(r, "vehicle", NAME_MOST - 1, NULL, &vehicle) ||
        !request_text(r, "event", 31, NULL, &event) ||
        !request_optional(r, "value", -1e300, 1e300, &e.value))
        return;
    bool known = false;
    for (size_t k = 0; k < sizeof events / sizeof events[0]; k++)
        known = known || strcmp(event, events[k]) == 0;
    if (!known) {
        request_refuse(r, "event",
                       "\"%s\" is no fault; there are brake_lost, throttle_stuck, sensor_bias, "
                       "sensor_noise, radio_delay and radio_loss",
                       event);
        return;
    }
    snprintf(e.event, sizeof e.event, "%s", event);
    snprintf(e.vehicle, sizeof e.vehicle, "%s", vehicle);
    char text[160];
    if (isnan(e.value))
        snprintf(text, sizeof text, "%.60s: %s", vehicle, event);
    else
        snprintf(text, sizeof text, "%.60s: %s %g", vehicle, event, e.value);
    command(r, &e, text);
}
