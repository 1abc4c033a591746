// command.c - set, road, fault, estimator: values that change during a run.
#include "studio/request/requests.h"

#include "studio/hub/change.h"
#include "studio/request/read.h"

#include "base/text.h"
#include "motorcade/event.h"
#include "motorcade/observe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A command of a change that has begun, to its answer.
static void command_give(request *r, change *c, const log_entry *entry, const char *text)
{
    if (c->branched)
        snprintf(c->branch->change, sizeof c->branch->change, "%s", text);
    if (change_give(r, c, entry) && change_end(r, c, entry, text))
        change_answer(r, c);
}

void request_command(request *r, const log_entry *entry, const char *text)
{
    change c;
    if (read_change(r, text, &c))
        command_give(r, &c, entry, text);
}

// The parameter (NAME or GROUP.NAME) of a vehicle as it is now; false: it has none of that name.
static bool find_param(const branch *b, const char *vehicle, const char *whole, mc_run_param *out)
{
    const char *point = strchr(whole, '.'), *param = point ? point + 1 : whole;
    const size_t group = point ? (size_t)(point - whole) : 0;
    const int v = mc_run_find(b->run, vehicle);
    for (int k = 0; v >= 0 && mc_run_param_at(b->run, v, k, out); k++)
        if (strcmp(out->row->name, param) == 0 &&
            (!point || (strlen(out->group) == group && strncmp(out->group, whole, group) == 0)))
            return true;
    return false;
}

// The value it has now, of a vehicle or of a controller; NAN: not known.
static double value_now(const branch *b, const char *vehicle, const char *controller,
                        const char *whole)
{
    const char *point = strchr(whole, '.'), *param = point ? point + 1 : whole;
    if (controller[0] && (!point || strncmp(whole, "law.", 4) == 0)) {
        mc_run_controller_info c;
        for (int k = 0; mc_run_controller_at(b->run, k, &c); k++)
            for (int p = 0; strcmp(c.name, controller) == 0 && p < c.param_count; p++)
                if (strcmp(c.params[p].name, param) == 0)
                    return c.values[p];
        return NAN;
    }
    mc_run_param p;
    return find_param(b, vehicle, whole, &p) ? p.value : NAN;
}

enum { SET_MAX = 64 };

// `vehicles`: a list of different names. 0: there is none, -1: rejected.
static int read_vehicles(request *r, const char *out[SET_MAX])
{
    const json_t *list = json_object_get(r->body, "vehicles");
    if (!list)
        return 0;
    const size_t count = json_array_size(list);
    if (!json_is_array(list) || count < 1 || count > SET_MAX) {
        request_reject(r, "vehicles", "vehicles must be a list of 1 to %d names", SET_MAX);
        return -1;
    }
    for (size_t k = 0; k < count; k++) {
        out[k] = json_string_value(json_array_get(list, k));
        bool good = out[k] && strlen(out[k]) < NAME_SIZE - 1;
        for (size_t i = 0; good && i < k; i++)
            good = strcmp(out[i], out[k]) != 0;
        if (!good) {
            request_reject(r, "vehicles", "vehicles must be a list of names, each once");
            return -1;
        }
    }
    return (int)count;
}

static void give_all(request *r, change *c, const log_entry *entries, int count, const char *text)
{
    if (c->branched)
        snprintf(c->branch->change, sizeof c->branch->change, "%s", text);
    for (int k = 0; k < count; k++)
        if (!change_give(r, c, &entries[k]))
            return;
    if (change_end_all(r, c, entries, count, text))
        change_answer(r, c);
}

// One parameter of several cars at once: all are looked at before anything is given, so that either
// all take it or none does.
static void set_many(request *r, const char *const names[], int count)
{
    const char *param;
    double value;
    change c;
    if (!read_text(r, "param", NAME_SIZE - 1, NULL, &param) ||
        !read_number(r, "value", -1e300, 1e300, NAN, &value) || !read_change(r, param, &c))
        return;
    for (int k = 0; k < count; k++) {
        mc_run_param p;
        if (!find_param(c.branch, names[k], param, &p))
            request_reject(r, "vehicles", "\"%s\" has no parameter \"%s\"", names[k], param);
        else if (!p.live)
            request_reject(r, "param", "%s of \"%s\" cannot be set during a run", param, names[k]);
        else if (!(value >= p.row->min && value <= p.row->max))
            request_reject(r, "value", "%s is %g, expected %g .. %g" TEXT_UNIT, param, value,
                           p.row->min, p.row->max, TEXT_UNIT_OF(p.row->unit));
        else
            continue;
        change_abandon(&c);
        return;
    }
    char text[160], name[NAME_SIZE];
    const char *point = strchr(param, '.');
    snprintf(name, sizeof name, "%s", param);
    snprintf(text, sizeof text, "%.60s of %d cars = %g", point ? point + 1 : param, count, value);
    log_entry entries[SET_MAX];
    for (int k = 0; k < count; k++) {
        entries[k] = (log_entry){.event = "set", .param = name, .value = value};
        snprintf(entries[k].vehicle, sizeof entries[k].vehicle, "%s", names[k]);
    }
    give_all(r, &c, entries, count, text);
}

// The values of `values` that differ from those the car has, as entries; how many, -1: rejected.
static int changed_values(request *r, const branch *b, const char *vehicle, const json_t *values,
                          log_entry out[SET_MAX], char text[160])
{
    const int v = mc_run_find(b->run, vehicle);
    const char *name;
    json_t *given;
    int count = 0;
    if (v < 0)
        request_reject(r, "vehicle", "unknown vehicle \"%s\" in world %d", vehicle, b->number);
    json_object_foreach((json_t *)values, name, given)
    {
        double now, value = json_number_value(given);
        if (r->answered)
            break;
        if (!json_is_number(given) || !isfinite(value))
            request_reject(r, "values", "%.60s must be a number", name);
        else if (!mc_run_own_value(b->run, v, name, &now))
            request_reject(r, "values", "\"%s\" has no parameter \"%.60s\"", vehicle, name);
        else if (now != value) {
            out[count] = (log_entry){.event = "set", .param = (char *)name, .value = value};
            snprintf(out[count++].vehicle, sizeof out->vehicle, "%s", vehicle);
            snprintf(text, 160, "%.40s %.60s %g -> %g", vehicle, name, now, value);
        }
    }
    if (!r->answered && count == 0)
        request_reject(r, "values", "\"%s\" has all of these values already", vehicle);
    if (count > 1)
        snprintf(text, 160, "%d values of %.60s", count, vehicle);
    return r->answered ? -1 : count;
}

// Several parameters of one car at once: all or none of them.
static void set_values(request *r, const json_t *values)
{
    const char *vehicle;
    char text[160] = "";
    change c;
    log_entry entries[SET_MAX];
    if (!json_is_object(values) || json_object_size(values) < 1 ||
        json_object_size(values) > SET_MAX) {
        request_reject(r, "values", "values must be 1 to %d numbers, {\"k_front\": 400000}",
                       SET_MAX);
        return;
    }
    if (!read_text(r, "vehicle", NAME_SIZE - 2, NULL, &vehicle) || !read_change(r, "values", &c))
        return;
    const int count = changed_values(r, c.branch, vehicle, values, entries, text);
    if (count < 0) {
        change_abandon(&c);
        return;
    }
    give_all(r, &c, entries, count, text);
}

void request_set(request *r)
{
    const json_t *values = json_object_get(r->body, "values");
    if (values) {
        set_values(r, values);
        return;
    }
    const char *vehicle, *controller, *param;
    double value;
    change c;
    const char *many[SET_MAX];
    const int count = read_vehicles(r, many);
    if (count > 0)
        set_many(r, many, count);
    if (count != 0)
        return;
    // null resets a desired value to that of the controller or the roadway.
    const bool back = json_is_null(json_object_get(r->body, "value"));
    if (!read_text(r, "vehicle", NAME_SIZE - 2, "", &vehicle) ||
        !read_text(r, "controller", NAME_SIZE - 2, "", &controller) ||
        !read_text(r, "param", NAME_SIZE - 1, NULL, &param) ||
        (!back && !read_number(r, "value", -1e300, 1e300, NAN, &value)))
        return;
    if (back)
        value = NAN;
    if (!vehicle[0] == !controller[0]) {
        request_reject(r, "vehicle", "expected either vehicle or controller");
        return;
    }
    if (!read_change(r, param, &c))
        return;
    const double before = value_now(c.branch, vehicle, controller, param);
    char text[160], name[NAME_SIZE];
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
                request_reject(r, names[k], "only one command is expected: found %s and %s", name,
                               names[k]);
                return;
            }
            name = names[k];
        }
    if (json_object_get(r->body, "lane")) {
        request_reject(
            r, "lane",
            "a command of the roadway is for all lanes; for a lane use section with lane, from, to "
            "and %s",
            name && strcmp(name, "distance") != 0 ? name : "headway");
        return;
    }
    if (!name) {
        request_reject(r, NULL, "nothing is commanded; expected headway, distance or speed");
        return;
    }
    log_entry e = {.param = ""};
    if (!read_number(r, name, -1e300, 1e300, NAN, &e.value))
        return;
    snprintf(e.event, sizeof e.event, "%s", name);
    char text[96];
    snprintf(text, sizeof text, "road %s = %g", name, e.value);
    request_command(r, &e, text);
}

static void reject_fault(request *r, const char *event)
{
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX];
    char list[300];
    const mc_event_kind *kind;
    int count = 0;
    for (int k = 0; (kind = mc_event_kind_at(k)) && count < NAMES_MAX; k++)
        if (kind->fault)
            names[count++] = kind->name;
    text_join(list, sizeof list, names, count, "or");
    request_reject(r, "event", "unknown fault \"%s\"; expected %s", event, list);
}

void request_fault(request *r)
{
    enum { SHAPE_MAX = 64 };
    const char *vehicle, *event, *shape;
    char kept[SHAPE_MAX];
    log_entry e = {.param = kept};
    if (!read_text(r, "vehicle", NAME_SIZE - 1, NULL, &vehicle) ||
        !read_text(r, "event", 31, NULL, &event) ||
        !read_text(r, "shape", SHAPE_MAX - 1, "", &shape) ||
        !read_optional(r, "value", -1e300, 1e300, &e.value))
        return;
    const mc_event_kind *kind = mc_event_kind_find(event);
    if (!kind || !kind->fault) {
        reject_fault(r, event);
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
    request_command(r, &e, text);
}

void request_lead(request *r)
{
    const char *vehicle;
    log_entry e = {.param = ""};
    if (!read_text(r, "vehicle", NAME_SIZE - 1, NULL, &vehicle) ||
        !read_number(r, "platoon", 0.0, 1e5, NAN, &e.value))
        return;
    strcpy(e.event, "leads_as");
    snprintf(e.vehicle, sizeof e.vehicle, "%s", vehicle);
    char text[160];
    if (e.value > 0.0)
        snprintf(text, sizeof text, "%.60s leads as platoon %g", vehicle, e.value);
    else
        snprintf(text, sizeof text, "%.60s leads by itself", vehicle);
    request_command(r, &e, text);
}

void request_estimator(request *r)
{
    const char *vehicle, *estimator;
    char kept[NAME_SIZE], text[160];
    log_entry e = {.event = "estimator", .param = kept};
    if (!read_text(r, "vehicle", NAME_SIZE - 1, NULL, &vehicle) ||
        !read_text(r, "estimator", NAME_SIZE - 1, NULL, &estimator))
        return;
    snprintf(kept, sizeof kept, "%s", estimator);
    snprintf(e.vehicle, sizeof e.vehicle, "%s", vehicle);
    snprintf(text, sizeof text, "%.60s: estimator %.60s", vehicle, estimator);
    request_command(r, &e, text);
}
