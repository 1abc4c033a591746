// log.c - commands from outside: checked, kept, carried out.
#include "run/log.h"

#include "base/assert.h"
#include "base/text.h"
#include "run/adopt.h"
#include "run/ersc.h"
#include "run/estimate.h"
#include "run/event.h"
#include "run/exit.h"
#include "run/info.h"
#include "run/join.h"
#include "run/lane_use.h"
#include "run/lead.h"
#include "scenario/keys.h"
#include "scenario/section_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the list ----

int run_log_add(mc_run *r, const run_logged *entry, mc_error *error)
{
    run_past *p = &r->past;
    if (p->log_count == p->log_capacity) {
        const int capacity = p->log_capacity ? 2 * p->log_capacity : 64;
        run_logged *grown = realloc(p->log, (size_t)capacity * sizeof *grown);
        if (!grown) {
            mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
            return -1;
        }
        p->log = grown;
        p->log_capacity = capacity;
    }
    int at = p->log_count++; // behind all entries of its step
    for (; at > 0 && p->log[at - 1].step > entry->step; at--)
        p->log[at] = p->log[at - 1];
    p->log[at] = *entry;
    return at;
}

void run_log_remove(mc_run *r, int index)
{
    run_past *p = &r->past;
    p->log_count--;
    for (int k = index; k < p->log_count; k++)
        p->log[k] = p->log[k + 1];
}

int run_log_first(const mc_run *r, long long step)
{
    const run_past *p = &r->past;
    int low = 0, high = p->log_count; // the log is in order of steps
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p->log[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

long long run_log_step_at(const mc_run *r, double time)
{
    const double steps = floor((time - r->zero_time) / r->s->step + 0.5);
    const long long step = r->zero_step + (long long)steps;
    return step < r->step ? r->step : step;
}

void run_log_by_time(mc_run *r, int first, bool all)
{
    run_past *p = &r->past;
    for (int k = first; k < p->log_count; k++) {
        run_logged l = p->log[k];
        if (all || l.timed)
            l.step = run_log_step_at(r, l.time);
        int at = k; // those that count by their steps may come before it now
        for (; at > first && p->log[at - 1].step > l.step; at--)
            p->log[at] = p->log[at - 1];
        p->log[at] = l;
    }
}

bool run_log_keep_texts(mc_run *r, run_logged *entry)
{
    const char **const texts[] = {&entry->vehicle, &entry->param};
    for (int k = 0; k < 2; k++) {
        const char *text = *texts[k];
        *texts[k] = text[0] ? arena_copy_text(&r->past.memory, text, strlen(text)) : "";
        if (!*texts[k])
            return false;
    }
    return true;
}

// ---- checks ----

static const char *const version_names[] = {"edit", "version"};

const char *run_command_name(int kind)
{
    return kind < EVENT_KIND_COUNT ? event_name(kind) : version_names[kind - EVENT_KIND_COUNT];
}

static int find_event(const char *name)
{
    for (int k = 0; k < RUN_COMMAND_COUNT; k++)
        if (strcmp(run_command_name(k), name) == 0)
            return k;
    return -1;
}

// Whether a command of that kind names something of the scenario.
static bool names_something(int kind)
{
    return kind == EVENT_PROFILE || kind == EVENT_CONTROLLER || kind == EVENT_ESTIMATOR ||
           kind == EVENT_EXIT;
}

static bool is_off(int kind, const char *param)
{
    return (kind == EVENT_ESTIMATOR || kind == EVENT_EXIT) && strcmp(param, "none") == 0;
}

// The number of a profile, controller or estimator by its name.
static int find_named(const mc_run *r, int kind, const char *name)
{
    const scenario *s = r->s;
    if (kind == EVENT_EXIT)
        return run_exit_find(r, name);
    const int count = kind == EVENT_PROFILE     ? s->profile_count
                      : kind == EVENT_ESTIMATOR ? s->estimator_count
                                                : s->controller_count;
    for (int k = 0; name && k < count; k++) {
        const char *own = kind == EVENT_PROFILE     ? s->profile_name[k]
                          : kind == EVENT_ESTIMATOR ? s->estimators[k].name
                                                    : s->controllers[k].name;
        if (strcmp(own, name) == 0)
            return k;
    }
    return -1;
}

static mc_status check_inputs(const mc_inputs *in, mc_error *error)
{
    if (!(in->throttle >= 0.0 && in->throttle <= 1.0) || !(in->brake >= 0.0 && in->brake <= 1.0) ||
        !(fabs(in->steer) <= 1.0) || !(fabs(in->acceleration) <= 100.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "throttle %g and brake %g must be in 0 .. 1, steer %g in -1 .. 1 rad",
                            in->throttle, in->brake, in->steer);
    return MC_OK;
}

// Numbers of events have the ranges they have in a scenario. NAN: not given.
static mc_status check_value(const mc_command *c, int kind, mc_error *error)
{
    const scenario_key *key = scenario_key_find(SECTION_EVENT, c->event);
    const bool fault = kind < EVENT_FAULT_COUNT,
               number = key && (key->type == TYPE_NUMBER || key->type == TYPE_WHOLE);
    const double min = fault ? event_rows[kind].min : number ? key->min : -INFINITY;
    const double max = fault ? event_rows[kind].max : number ? key->max : INFINITY;
    const char *unit = fault ? event_rows[kind].unit : number ? key->unit : "";
    char group[RUN_GROUP_SIZE];
    const char *name = run_param_group(c->param ? c->param : "", group);
    const bool back = // of a car: it may be reset
        kind == EVENT_SET && (group[0] == '\0' || strcmp(group, "desired") == 0) &&
        (strcmp(name, "headway") == 0 || strcmp(name, "distance") == 0 ||
         strcmp(name, "speed") == 0);
    const bool needed = !event_kinds[kind].optional && !back;
    if (isnan(c->value) ? needed : isinf(c->value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" needs a number", c->event);
    if (c->value < min || c->value > max)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is %g, expected %g .. %g" TEXT_UNIT, c->event, c->value, min, max,
                            TEXT_UNIT_OF(unit));
    return MC_OK;
}

// A vehicle of this version, also one that joins later.
static bool is_to_come(const mc_run *r, const char *vehicle)
{
    const scenario *s = scenario_of(mc_run_scenario(r));
    for (int v = 0; v < s->vehicle_count; v++)
        if (strcmp(s->vehicles[v].name, vehicle) == 0)
            return true;
    return false;
}

// Whether the vehicle and the object that the command names exist in the version in use.
static mc_status check_names(const mc_run *r, int kind, const char *vehicle, const char *param,
                             run_log_when when, mc_error *error)
{
    if (event_is_roadway(kind) || kind >= EVENT_KIND_COUNT)
        return MC_OK;
    if (vehicle[0] == '@' && kind != EVENT_SET && kind != EVENT_CONTROLLER)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "\"%s\" needs one vehicle; only set and controller accept \"%s\"",
                            run_command_name(kind), vehicle);
    if (vehicle[0] == '@' && find_named(r, EVENT_CONTROLLER, vehicle + 1) < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown controller \"%s\"",
                            vehicle + 1);
    if (vehicle[0] != '@' && mc_run_find(r, vehicle) < 0 &&
        !(when == RUN_LOG_SOON && is_to_come(r, vehicle)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown vehicle \"%s\"", vehicle);
    if (names_something(kind) && !is_off(kind, param) && find_named(r, kind, param) < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown %s \"%s\"", event_name(kind),
                            param);
    return MC_OK;
}

// Whether a command of the coming step gives cars other parameters than they have now.
static bool pending_names(const mc_run *r)
{
    for (int k = run_log_first(r, r->step) + r->carried; k < r->past.log_count; k++) {
        const run_logged *l = &r->past.log[k];
        if (l->step == r->step && (l->kind == EVENT_CONTROLLER || l->kind >= EVENT_KIND_COUNT))
            return true;
    }
    return false;
}

// The least the roadway allows, commands of the coming step counted; NAN: anything.
static double roadway_min(const mc_run *r, int vehicle, int kind)
{
    const bool headway = kind == EVENT_HEADWAY;
    double min = NAN;
    bool commanded = r->distance_commanded;
    const double least =
        headway ? run_commanded_headway(r, r->slot[vehicle], &commanded) : r->distance;
    if (commanded)
        min = least;
    for (int k = run_log_first(r, r->step) + r->carried; k < r->past.log_count; k++)
        if (r->past.log[k].step == r->step && r->past.log[k].kind == kind)
            min = r->past.log[k].value;
    return min;
}

static mc_status no_such_param(const mc_run *r, int vehicle, const char *param, mc_error *error)
{
    enum { NAMES_MAX = 200 };
    const char *names[NAMES_MAX];
    mc_run_param p;
    char list[400];
    int count = 0;
    for (int k = 0; mc_run_param_at(r, vehicle, k, &p) && count < NAMES_MAX; k++)
        if (p.live)
            names[count++] = p.row->name;
    text_join(list, sizeof list, names, count, "or");
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "%s has no parameter \"%.60s\" that can be set; expected one of: %s",
                        mc_run_vehicle_name(r, vehicle), param, list);
}

// A further parameter of the vehicle's type, such as one of its mechanism.
static bool is_extra(const mc_run *r, int vehicle, const char *name)
{
    const scenario_model *m = &r->s->models[r->s->vehicles[vehicle].model];
    const char *extra;
    for (int i = 0; m->type->extra && (extra = m->type->extra(m->spec, i)); i++)
        if (strcmp(extra, name) == 0)
            return true;
    return false;
}

// Only the vehicle knows which values it can take: it is tried, and all is as before.
static mc_status check_extra(const mc_run *r, const run_logged *l, int vehicle, mc_error *error)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    double *state = malloc((size_t)batch->kind->save_size(batch) * sizeof *state);
    if (!state)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for a command");
    batch->kind->save(batch, index, state);
    const bool good = batch->kind->set_param(batch, index, l->param, l->value);
    batch->kind->restore(batch, index, state);
    free(state);
    if (good)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "%s of %s cannot be %g: expected a value within its limits that leaves a "
                        "mechanism with mass",
                        l->param, mc_run_vehicle_name(r, vehicle), l->value);
}

// A value that cannot be applied is rejected at once.
static mc_status check_set_of(const mc_run *r, const run_logged *l, int vehicle, mc_error *error)
{
    char group[RUN_GROUP_SIZE];
    mc_run_param p;
    if (vehicle < 0)
        return MC_OK;     // may come with another command of this step
    unsigned renamed = 0; // said when it is carried out
    const char *name = run_param_name(r, vehicle, l->param, group, &renamed);
    const char *whose = mc_run_vehicle_name(r, vehicle);
    if (!run_param_find(r, vehicle, group, name, &p) && is_extra(r, vehicle, l->param))
        return check_extra(r, l, vehicle, error);
    if (!run_param_find(r, vehicle, group, name, &p))
        return pending_names(r) ? MC_OK : no_such_param(r, vehicle, l->param, error);
    if (!p.live)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s of %s cannot be set during a run; use an edit", l->param, whose);
    if (isnan(l->value) && strcmp(p.group, "desired") == 0)
        return MC_OK; // back to the controller's value
    if (!(l->value >= p.row->min && l->value <= p.row->max))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is %g, expected %g .. %g" TEXT_UNIT, l->param, l->value, p.row->min,
                            p.row->max, TEXT_UNIT_OF(p.row->unit));
    const bool headway = strcmp(name, "headway") == 0;
    if (strcmp(p.group, "desired") == 0 && (headway || strcmp(name, "distance") == 0)) {
        const double min = roadway_min(r, vehicle, headway ? EVENT_HEADWAY : EVENT_DISTANCE);
        if (l->value < min)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s is %g %s, expected at least the roadway's %g %s", name,
                                l->value, p.row->unit, min, p.row->unit);
    }
    return MC_OK;
}

static mc_status check_set(const mc_run *r, const run_logged *l, mc_error *error)
{
    if (l->vehicle[0] != '@')
        return check_set_of(r, l, mc_run_find(r, l->vehicle), error);
    const int controller = find_named(r, EVENT_CONTROLLER, l->vehicle + 1);
    mc_status status = MC_OK;
    for (int v = 0; v < r->count && status == MC_OK; v++)
        if (r->car[r->slot[v]].controller == controller)
            status = check_set_of(r, l, v, error);
    return status;
}

static mc_status check_lead(const mc_run *r, const run_logged *l, mc_error *error)
{
    char text[200];
    const int vehicle = mc_run_find(r, l->vehicle);
    if (vehicle < 0 || pending_names(r) || l->value != floor(l->value) ||
        scenario_may_lead_as(r->s, vehicle, (int)l->value, text, sizeof text))
        return MC_OK; // or said when it is carried out
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s", text);
}

static mc_status check_lane(const mc_run *r, const run_logged *l, mc_error *error)
{
    const int vehicle = mc_run_find(r, l->vehicle);
    if (pending_names(r))
        return MC_OK; // said when it is carried out
    if (!(l->value >= 1.0 && l->value <= r->road.lane_count && l->value == floor(l->value)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no lane %g; the road has %d",
                            l->value, r->road.lane_count);
    if (vehicle >= 0 && r->car[r->slot[vehicle]].controller < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s has no controller that could change lanes", l->vehicle);
    return MC_OK;
}

// A command of a user that the state of the run rules out, unless another one of this step may
// change that: then it is said when it is carried out.
static mc_status check_state(const mc_run *r, const run_logged *l, mc_error *error)
{
    const int vehicle = l->vehicle[0] ? mc_run_find(r, l->vehicle) : -1;
    for (int k = run_log_first(r, r->step) + r->carried; k < r->past.log_count; k++)
        if (r->past.log[k].step == r->step && r->past.log[k].kind >= EVENT_LANE)
            return MC_OK;
    if (l->kind == EVENT_SECTION)
        return run_section_check(r, l->param, error);
    if (l->kind == EVENT_ERSC)
        return run_ersc_check_level(r, l->value, error);
    if ((l->kind == EVENT_LANE || l->kind == EVENT_DRIVER_LANE) && vehicle >= 0)
        return run_lane_rejected(r, r->slot[vehicle], l->kind, l->value, error);
    if (l->kind >= EVENT_JOIN && l->kind <= EVENT_MERGE && vehicle >= 0)
        return run_join_check(r, r->slot[vehicle], l->kind, l->value, error);
    return MC_OK;
}

static mc_status unknown_event(const char *event, mc_error *error)
{
    const char *names[RUN_COMMAND_COUNT];
    for (int k = 0; k < RUN_COMMAND_COUNT; k++)
        names[k] = run_command_name(k);
    const char *near = text_nearest(event, names, RUN_COMMAND_COUNT);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown event \"%s\"%s%s", event,
                        near ? ", did you mean " : "", near ? near : "");
}

mc_status run_log_make(const mc_run *r, const mc_command *c, run_log_when when, run_logged *out,
                       mc_error *error)
{
    const int kind = c->event ? find_event(c->event) : -1;
    if (kind < 0)
        return unknown_event(c->event ? c->event : "", error);
    *out = (run_logged){.step = r->step,
                        .time = run_time(r),
                        .kind = kind,
                        .vehicle = c->vehicle && !event_is_roadway(kind) ? c->vehicle : "",
                        .param = c->param ? c->param : "",
                        .value = c->value,
                        .inputs = c->inputs};
    mc_status status =
        when == RUN_LOG_LATER ? MC_OK : check_names(r, kind, out->vehicle, out->param, when, error);
    if (status != MC_OK)
        return status;
    if (kind >= EVENT_KIND_COUNT && out->param[0] == '\0')
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" needs a text", c->event);
    if (names_something(kind))
        out->value = find_named(r, kind, out->param);
    else if (kind == EVENT_DRIVE)
        status = check_inputs(&c->inputs, error);
    else if (kind != EVENT_RELEASE && kind < EVENT_KIND_COUNT)
        status = check_value(c, kind, error);
    if (status == MC_OK && kind < EVENT_KIND_COUNT && event_kinds[kind].shaped)
        status = event_check_shape(kind, out->param, error);
    if (status == MC_OK && kind == EVENT_SET && when == RUN_LOG_NOW)
        status = check_set(r, out, error);
    if (status == MC_OK && kind == EVENT_LEADS_AS && when == RUN_LOG_NOW)
        status = check_lead(r, out, error);
    if (status == MC_OK && (kind == EVENT_LANE || kind == EVENT_DRIVER_LANE) && when == RUN_LOG_NOW)
        status = check_lane(r, out, error);
    road_lane_stretch unused;
    if (status == MC_OK && kind == EVENT_SECTION)
        status = scenario_section_parse(out->param, &unused, error);
    if (status == MC_OK && kind == EVENT_ESTIMATOR && when == RUN_LOG_NOW && out->value >= 0.0)
        status =
            run_estimate_check(r, r->slot[mc_run_find(r, out->vehicle)], (int)out->value, error);
    return status;
}

mc_status run_log_entry(mc_run *r, const mc_command *c, run_logged *out, mc_error *error)
{
    const mc_status status = run_log_make(r, c, RUN_LOG_NOW, out, error);
    if (status != MC_OK)
        return status;
    if (out->kind == RUN_VERSION) // it could name files, and commands may come from a network
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a whole version is not a command; use an edit");
    if (!run_log_keep_texts(r, out))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    return MC_OK;
}

// Pedals of the coming step that are given again: only the last count, so the entry takes the new
// ones. A release between the two keeps both.
static bool drive_again(mc_run *r, const mc_command *c)
{
    const int first = run_log_first(r, r->step) + r->carried;
    for (int k = r->past.log_count - 1; k >= first; k--) {
        run_logged *l = &r->past.log[k];
        if (l->step != r->step || strcmp(l->vehicle, c->vehicle) != 0)
            continue;
        if (l->kind == EVENT_DRIVE)
            l->inputs = c->inputs;
        if (l->kind == EVENT_DRIVE || l->kind == EVENT_RELEASE)
            return l->kind == EVENT_DRIVE;
    }
    return false;
}

mc_status mc_run_command(mc_run *r, const mc_command *command, mc_error *error)
{
    if (command->event && strcmp(command->event, "edit") == 0)
        return mc_run_edit(r, command->param ? command->param : "", error);
    run_logged entry;
    mc_status status = run_log_make(r, command, RUN_LOG_NOW, &entry, error);
    if (status == MC_OK)
        status = check_state(r, &entry, error);
    if (status == MC_OK && entry.kind == EVENT_DRIVE && drive_again(r, command))
        return MC_OK;
    if (status == MC_OK)
        status = run_log_entry(r, command, &entry, error);
    if (status != MC_OK)
        return status;
    return run_log_add(r, &entry, error) < 0 ? MC_NO_MEMORY : MC_OK;
}

// ---- external controllers ----

// A copy of a vehicle's name that the log has from one of its last entries, or a new one. NULL: no
// memory. So what acts in every step for hours takes no memory for names.
static const char *name_in_log(mc_run *r, int vehicle)
{
    enum { LOOK_BACK = 256 };
    const char *name = mc_run_vehicle_name(r, vehicle);
    const run_past *p = &r->past;
    for (int k = p->log_count - 1; k >= 0 && k >= p->log_count - LOOK_BACK; k--)
        if (strcmp(p->log[k].vehicle, name) == 0)
            return p->log[k].vehicle;
    return arena_copy_text(&r->past.memory, name, strlen(name));
}

// The last entry of the coming step for a vehicle; NULL: there is none.
static run_logged *last_of_step(mc_run *r, int vehicle)
{
    const char *name = mc_run_vehicle_name(r, vehicle);
    const int first = run_log_first(r, r->step) + r->carried;
    for (int k = r->past.log_count - 1; k >= first; k--) {
        run_logged *l = &r->past.log[k];
        if (l->step == r->step && strcmp(l->vehicle, name) == 0)
            return l;
    }
    return NULL;
}

// Whether that is what the vehicle does anyway.
static bool acts_so(const mc_run *r, int vehicle, const run_logged *l)
{
    const int slot = run_lead_source(r, r->slot[vehicle]);
    const unsigned by = r->car[slot].flags & (RUN_HAND | RUN_ASKED | RUN_DRIVER_FILE);
    const run_rare *rare = &r->rare[slot];
    if (rare->ersc.checked_in)
        return false;
    if (l->kind == EVENT_RELEASE)
        return (by & (RUN_HAND | RUN_ASKED)) == 0;
    if (l->kind == EVENT_ACCELERATE)
        return by == RUN_ASKED && rare->asked == l->value;
    return by == RUN_HAND && memcmp(&rare->hand, &l->inputs, sizeof l->inputs) == 0;
}

static mc_status take_over(mc_run *r, int vehicle, run_logged *l, mc_error *error)
{
    run_logged *last = last_of_step(r, vehicle);
    if (!last && acts_so(r, vehicle, l))
        return MC_OK;
    l->step = r->step;
    l->time = run_time(r);
    l->param = "";
    l->vehicle = name_in_log(r, vehicle);
    if (!l->vehicle)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    if (last && last->kind == l->kind) { // only the last counts
        *last = *l;
        return MC_OK;
    }
    return run_log_add(r, l, error) < 0 ? MC_NO_MEMORY : MC_OK;
}

mc_status mc_run_drive(mc_run *r, int vehicle, const mc_inputs *inputs, mc_error *error)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    run_logged l = {.kind = EVENT_DRIVE, .inputs = *inputs};
    const mc_status status = check_inputs(inputs, error);
    return status == MC_OK ? take_over(r, vehicle, &l, error) : status;
}

mc_status mc_run_accelerate(mc_run *r, int vehicle, double acceleration, mc_error *error)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    run_logged l = {.kind = EVENT_ACCELERATE, .value = acceleration};
    const mc_command as_command = {.event = event_name(EVENT_ACCELERATE), .value = acceleration};
    mc_status status = check_value(&as_command, EVENT_ACCELERATE, error);
    if (status == MC_OK && r->car[run_lead_source(r, r->slot[vehicle])].controller < 0)
        status = run_no_controller(r, vehicle, error);
    return status == MC_OK ? take_over(r, vehicle, &l, error) : status;
}

mc_status mc_run_release(mc_run *r, int vehicle, mc_error *error)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    run_logged l = {.kind = EVENT_RELEASE};
    return take_over(r, vehicle, &l, error);
}

mc_status mc_run_schedule(mc_run *r, const mc_log_entry *entry, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    const mc_command command = {.event = entry->event,
                                .vehicle =
                                    entry->vehicle && entry->vehicle[0] ? entry->vehicle : NULL,
                                .param = entry->param && entry->param[0] ? entry->param : NULL,
                                .value = entry->value,
                                .inputs = entry->inputs};
    run_logged l;
    mc_status status = run_log_make(r, &command, RUN_LOG_LATER, &l, error);
    l.time = entry->time;
    l.timed = entry->step < 0;
    l.step = l.timed ? run_log_step_at(r, l.time) : entry->step;
    if (status == MC_OK && !(l.step >= r->step && fabs(l.time) < 1e12))
        status =
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s at %g s: this run is at %g s already",
                         entry->event, entry->time, run_time(r));
    if (status == MC_OK && !run_log_keep_texts(r, &l))
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    if (status != MC_OK)
        return status;
    return run_log_add(r, &l, error) < 0 ? MC_NO_MEMORY : MC_OK;
}

void mc_run_forget_commands(mc_run *r)
{
    const int kept = run_log_first(r, r->step) + r->carried;
    r->past.log_count = kept < r->past.log_count ? kept : r->past.log_count;
    run_forget_versions(r, r->past.version + 1);
}

int mc_run_log_count(const mc_run *r)
{
    return r->past.log_count;
}

bool mc_run_log_at(const mc_run *r, int index, mc_log_entry *out)
{
    if (index < 0 || index >= r->past.log_count)
        return 0;
    const run_logged *l = &r->past.log[index];
    *out = (mc_log_entry){.time = l->time,
                          .step = l->timed ? -1 : l->step,
                          .event = run_command_name(l->kind),
                          .vehicle = l->vehicle,
                          .param = l->param,
                          .value = l->value,
                          .inputs = l->inputs};
    return 1;
}

// ---- carrying out ----

static mc_status apply_to(mc_run *r, const run_logged *l, int vehicle, mc_error *error)
{
    scenario_event e = {.at = run_time(r),
                        .until = NAN,
                        .kind = (event_number)l->kind,
                        .vehicle = vehicle,
                        .param = l->param,
                        .value = l->value,
                        .inputs = l->inputs};
    if (names_something(l->kind))
        e.value = find_named(r, l->kind, l->param);
    return run_event_apply(r, &e, error);
}

// All cars that have a controller now.
static mc_status apply_to_all(mc_run *r, const run_logged *l, mc_error *error)
{
    const int controller = find_named(r, EVENT_CONTROLLER, l->vehicle + 1);
    mc_status status = MC_OK;
    for (int v = 0; v < r->count && status == MC_OK; v++)
        if (r->car[r->slot[v]].controller == controller)
            status = apply_to(r, l, v, error);
    return status;
}

static mc_status carry_out(mc_run *r, const run_logged *l, mc_error *error)
{
    if (l->kind >= EVENT_KIND_COUNT)
        return run_adopt_text(r, l->kind, l->param, error);
    const mc_status status = check_names(r, l->kind, l->vehicle, l->param, RUN_LOG_NOW, error);
    if (status != MC_OK)
        return status;
    if (l->vehicle[0] == '@')
        return apply_to_all(r, l, error);
    return apply_to(r, l, event_is_roadway(l->kind) ? -1 : mc_run_find(r, l->vehicle), error);
}

// Where the command stands in a file; an edit's own place in itself is of no use there.
static void name_place(const run_logged *l, mc_error *error)
{
    const mc_error was = *error;
    if (l->line > 0)
        mc_error_set(error, was.code, l->file, l->line, 0, "%s", was.text);
}

bool run_log_edits(const mc_run *r)
{
    const run_past *p = &r->past;
    for (int k = run_log_first(r, r->step) + r->carried;
         k < p->log_count && p->log[k].step == r->step; k++)
        if (p->log[k].kind >= EVENT_KIND_COUNT)
            return true;
    return false;
}

// A command that cannot be carried out is removed from the log: the run can continue without it.
mc_status run_log_carry(mc_run *r, bool edits, mc_error *error)
{
    run_past *p = &r->past;
    if (p->log_count == 0)
        return MC_OK;
    int k = run_log_first(r, r->step) + r->carried;
    while (k < p->log_count && p->log[k].step == r->step && (!edits || run_log_edits(r))) {
        p->log[k].time = run_time(r);
        const run_logged entry = p->log[k];
        const mc_status status = carry_out(r, &entry, error);
        if (status != MC_OK) {
            name_place(&entry, error);
            run_log_remove(r, k);
            p->dropped++;
            if (!p->forgiving || entry.asked_for || status != MC_BAD_INPUT)
                return status;
            continue;
        }
        p->log[k].asked_for = p->log[k].timed = false; // it has its step now
        r->carried++;
        k++;
        if (entry.kind >= EVENT_KIND_COUNT)
            run_log_by_time(r, k, p->by_time);
    }
    return MC_OK;
}
