// run_event.c - what happens to a run: events of the scenario, commands from outside.
#include "sim/run.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const run_happened_names[] = {
    [RUN_RADIO_SILENT - EVENT_KIND_COUNT] = "radio_silent",
    [RUN_RADIO_BACK - EVENT_KIND_COUNT] = "radio_back",
    [RUN_FAULT_ENDS - EVENT_KIND_COUNT + EVENT_BRAKE_LOST] = "brake_lost_ends",
    [RUN_FAULT_ENDS - EVENT_KIND_COUNT + EVENT_THROTTLE_STUCK] = "throttle_stuck_ends",
    [RUN_FAULT_ENDS - EVENT_KIND_COUNT + EVENT_SENSOR_BIAS] = "sensor_bias_ends",
    [RUN_FAULT_ENDS - EVENT_KIND_COUNT + EVENT_SENSOR_NOISE] = "sensor_noise_ends",
    [RUN_FAULT_ENDS - EVENT_KIND_COUNT + EVENT_RADIO_DELAY] = "radio_delay_ends",
    [RUN_FAULT_ENDS - EVENT_KIND_COUNT + EVENT_RADIO_LOSS] = "radio_loss_ends",
    [RUN_FAULT_ENDS - EVENT_KIND_COUNT + EVENT_PUSH] = "push_ends",
};

mc_status run_note(mc_run *r, int kind, int vehicle, double value, mc_error *error)
{
    run_past *p = &r->past;
    if (p->happened_count == p->happened_capacity) {
        const int capacity = p->happened_capacity ? 2 * p->happened_capacity : 64;
        run_happened *grown = realloc(p->happened, (size_t)capacity * sizeof *grown);
        if (!grown)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for events");
        p->happened = grown;
        p->happened_capacity = capacity;
    }
    const char *name = vehicle < 0 ? "" : r->s->vehicles[vehicle].name;
    p->happened[p->happened_count++] =
        (run_happened){r->step, run_time(r), kind, vehicle, name, value};
    return MC_OK;
}

static mc_status refuse(mc_error *error, const scenario *s, const scenario_event *e,
                        const char *what, const char *word)
{
    return mc_error_set(error, MC_BAD_INPUT, e->place.line ? s->file : NULL, e->place.line,
                        e->place.column, "%s \"%s\"", what, word);
}

static double first_given(double a, double b)
{
    return isnan(a) ? b : a;
}

static double obey(double wish, double roadway, bool commanded)
{
    if (isnan(wish))
        return roadway;
    return commanded ? fmax(wish, roadway) : wish;
}

void run_refresh_commands(mc_run *r)
{
    for (int slot = 0; slot < r->count; slot++) {
        run_car *c = &r->car[slot];
        const run_rare *rare = &r->rare[slot];
        const scenario_controller *k = c->controller < 0 ? NULL : &r->s->controllers[c->controller];
        // Automatic cars obey the roadway: they keep at least its headway, and the wish of a car or
        // of its controller where that is more.
        const double headway = first_given(rare->own_headway, k ? k->headway : NAN);
        const double distance = first_given(rare->own_distance, k ? k->distance : NAN);
        c->headway = obey(headway, r->headway, r->headway_commanded);
        c->distance = obey(distance, r->distance, r->distance_commanded);
        if (rare->profile < 0) {
            c->v_set = first_given(rare->own_v_set, first_given(k ? k->v_set : NAN, r->speed));
            c->v_set_rate = 0.0;
        }
    }
}

void run_note_sensor(mc_run *r, int slot)
{
    r->grouped = false;
    const double *p = r->rare[slot].sensor, *link = r->rare[slot].link;
    unsigned *flags = &r->car[slot].flags;
    const bool badly = p[SENSOR_RANGE_BIAS] != 0.0 || p[SENSOR_RANGE_NOISE] > 0.0 ||
                       p[SENSOR_SPEED_BIAS] != 0.0 || p[SENSOR_SPEED_NOISE] > 0.0 ||
                       p[SENSOR_DELAY] > 0.0 || r->rare[slot].gap_wave.amplitude != 0.0;
    *flags = badly ? *flags | RUN_SENSES_BADLY : *flags & ~(unsigned)RUN_SENSES_BADLY;
    const bool deaf = link[LINK_DELAY] > 0.0 || link[LINK_LOSS] > 0.0;
    *flags = deaf ? *flags | RUN_HEARS_BADLY : *flags & ~(unsigned)RUN_HEARS_BADLY;
    r->car[slot].reach = p[SENSOR_REACH];
}

// ---- set ----

// Parameters of the car's law and its fallback (sides 0 and 1), by name.
static bool set_law(mc_run *r, int slot, int first, int last, const char *name, double value)
{
    const int controller = r->car[slot].controller;
    bool found = false;
    for (int side = first; controller >= 0 && side <= last; side++) {
        const run_controller *c = &r->controllers[controller];
        const int l = side ? c->fallback : c->law;
        for (int k = 0; l >= 0 && k < r->laws[l].text->param_count; k++)
            if (strcmp(r->laws[l].text->params[k].name, name) == 0) {
                run_law_params(r, slot, side)[k] = value;
                found = true;
            }
    }
    return found;
}

static mc_status set_headway(mc_run *r, const scenario_event *e, double *own, double roadway,
                             bool commanded, const char *unit, mc_error *error)
{
    if (commanded && e->value < roadway)
        return mc_error_set(error, MC_BAD_INPUT, e->place.line ? r->s->file : NULL, e->place.line,
                            e->place.column,
                            "%s %g %s is below the roadway's %g %s: a car may keep more, not less",
                            e->param, e->value, unit, roadway, unit);
    *own = e->value;
    run_refresh_commands(r);
    return MC_OK;
}

// What controllers are told of a car follows its parameters.
static void note_limits(mc_run *r, int slot, const char *name, double value)
{
    if (strcmp(name, car_params[CAR_ACCELERATION_MOST].name) == 0)
        r->car[slot].most = value * RUN_G;
    else if (strcmp(name, car_params[CAR_BRAKE_MOST].name) == 0)
        r->car[slot].least = -value * RUN_G;
    else if (strcmp(name, car_params[CAR_NOMINAL_MASS].name) == 0)
        r->rare[slot].mass = value;
}

static bool set_model(mc_run *r, int slot, const char *name, double value)
{
    int index;
    mc_batch *batch;
    mc_world_vehicle(r->world, r->rare[slot].vehicle, &batch, &index);
    const bool limit = strcmp(name, car_params[CAR_ACCELERATION_MOST].name) == 0;
    if (!(batch->kind->set_param && batch->kind->set_param(batch, index, name, value)) && !limit)
        return false;
    note_limits(r, slot, name, value);
    return true;
}

// Radio and sensor of one car.
static mc_status set_ear(mc_run *r, int slot, const mc_param *rows, int count, double *values,
                         const char *name, double value, mc_error *error)
{
    for (int k = 0; k < count; k++)
        if (strcmp(rows[k].name, name) == 0)
            values[k] = value;
    run_note_sensor(r, slot);
    const run_rare *rare = &r->rare[slot];
    const double delay = fmax(rare->link[LINK_DELAY], rare->sensor[SENSOR_DELAY]);
    return r->car[slot].flags & (RUN_HEARS_BADLY | RUN_SENSES_BADLY)
               ? run_keep_history(r, delay, error)
               : MC_OK;
}

// The value is in range when the parameter is in a table; name is without its group.
static mc_status set_in(mc_run *r, int slot, const char *group, const char *name,
                        const scenario_event *e, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    const bool any = group[0] == '\0';
    if (strcmp(group, "radio") == 0)
        return set_ear(r, slot, link_params, LINK_PARAM_COUNT, rare->link, name, e->value, error);
    if (strcmp(group, "sensor") == 0)
        return set_ear(r, slot, sensor_params, SENSOR_PARAM_COUNT, rare->sensor, name, e->value,
                       error);
    if (any || strcmp(group, "wishes") == 0) {
        if (strcmp(name, "headway") == 0)
            return set_headway(r, e, &rare->own_headway, r->headway, r->headway_commanded, "s",
                               error);
        if (strcmp(name, "distance") == 0)
            return set_headway(r, e, &rare->own_distance, r->distance, r->distance_commanded, "m",
                               error);
        if (strcmp(name, "speed") == 0) {
            rare->own_v_set = e->value;
            run_refresh_commands(r);
            return MC_OK;
        }
    }
    if ((any || strcmp(group, "user") == 0) && strncmp(name, "user", 4) == 0 && name[4] >= '1' &&
        name[4] <= '8' && name[5] == '\0') {
        rare->user[name[4] - '1'] = e->value;
        return MC_OK;
    }
    // A name that model and law share is the model's.
    const bool own = strcmp(group, "law") == 0, fallback = strcmp(group, "fallback") == 0;
    if (!own && !fallback && set_model(r, slot, name, e->value))
        return MC_OK;
    if ((any || own || fallback) && set_law(r, slot, fallback ? 1 : 0, own ? 0 : 1, name, e->value))
        return MC_OK;
    return refuse(error, r->s, e, "nothing of this car can be set by the name",
                  e->param ? e->param : "");
}

// NAME, or GROUP.NAME as mc_run_param_at has them.
static mc_status set(mc_run *r, int slot, const scenario_event *e, mc_error *error)
{
    char group[RUN_GROUP_SIZE];
    mc_run_param row;
    const char *name = run_param_group(e->param ? e->param : "", group);
    if (run_param_find(r, r->rare[slot].vehicle, group, name, &row) && row.live &&
        !(isnan(e->value) && strcmp(row.group, "wishes") == 0) &&
        !(e->value >= row.row->min && e->value <= row.row->max))
        return mc_error_set(error, MC_BAD_INPUT, e->place.line ? r->s->file : NULL, e->place.line,
                            e->place.column, "%s is %g, allowed is %g .. %g %s", e->param, e->value,
                            row.row->min, row.row->max, row.row->unit);
    return set_in(r, slot, group, name, e, error);
}

// ---- one event ----

static void take_controller(mc_run *r, int slot, int controller)
{
    run_car *c = &r->car[slot];
    c->controller = controller;
    c->flags &= ~(unsigned)(RUN_HAND | RUN_DRIVER_FILE | RUN_FALLEN_BACK);
    if (controller < 0)
        return;
    run_take_controller(r, slot);
    run_refresh_commands(r);
    run_law_begin(r, slot, false);
}

static mc_status roadway(mc_run *r, const scenario_event *e)
{
    if (e->kind == EVENT_HEADWAY)
        r->headway = e->value, r->headway_commanded = true;
    else if (e->kind == EVENT_DISTANCE)
        r->distance = e->value, r->distance_commanded = true;
    else if (e->kind == EVENT_SPEED)
        r->speed = e->value, r->speed_commanded = true;
    run_refresh_commands(r);
    return MC_OK;
}

// A disturbance begins now, in the shape the event gives it.
static mc_status begin_wave(const mc_run *r, const scenario_event *e, wave *out, mc_error *error)
{
    wave w;
    const mc_status status = wave_parse(e->param, &w, error);
    if (status != MC_OK)
        return status;
    w.amplitude = e->value;
    w.since = run_time(r);
    *out = w;
    return MC_OK;
}

static mc_status push(mc_run *r, int slot, const scenario_event *e, mc_error *error)
{
    unsigned *flags = &r->car[slot].flags;
    const mc_status status = begin_wave(r, e, &r->rare[slot].push, error);
    const bool pushed = r->rare[slot].push.amplitude != 0.0;
    *flags = pushed ? *flags | RUN_PUSHED : *flags & ~(unsigned)RUN_PUSHED;
    return status;
}

// A bias that stays is a number of the sensor; one with a shape comes on top of it.
static mc_status bias(mc_run *r, int slot, const scenario_event *e, mc_error *error)
{
    wave w;
    const mc_status status = begin_wave(r, e, &w, error);
    if (status != MC_OK)
        return status;
    if (wave_plain(&w)) {
        r->rare[slot].sensor[SENSOR_RANGE_BIAS] = e->value;
        w.amplitude = 0.0;
    }
    r->rare[slot].gap_wave = w;
    return MC_OK;
}

static mc_status carry_out(mc_run *r, const scenario_event *e, mc_error *error)
{
    r->grouped = false;
    if (e->vehicle < 0)
        return roadway(r, e);
    const int slot = r->slot[e->vehicle];
    run_car *c = &r->car[slot];
    run_rare *rare = &r->rare[slot];
    switch (e->kind) {
    case EVENT_BRAKE_LOST:
        rare->brake_left = isnan(e->value) ? 0.0 : e->value;
        c->flags |= RUN_FAULTY;
        return MC_OK;
    case EVENT_THROTTLE_STUCK:
        rare->throttle_stuck = isnan(e->value) ? r->inputs[slot].throttle : e->value;
        c->flags |= RUN_FAULTY;
        return MC_OK;
    case EVENT_PUSH:
        return push(r, slot, e, error);
    case EVENT_SENSOR_BIAS:
        if (bias(r, slot, e, error) != MC_OK)
            return error->code;
        break;
    case EVENT_SENSOR_NOISE:
        rare->sensor[SENSOR_RANGE_NOISE] = e->value;
        break;
    case EVENT_RADIO_DELAY:
        rare->link[LINK_DELAY] = e->value;
        break;
    case EVENT_RADIO_LOSS:
        rare->link[LINK_LOSS] = e->value;
        break;
    case EVENT_SET:
        return set(r, slot, e, error);
    case EVENT_PROFILE:
        rare->profile = (int)e->value;
        run_profile_slots(r);
        run_refresh_commands(r);
        c->flags = rare->profile < 0 ? c->flags | RUN_OBEYS_SPEED
                                     : c->flags & ~(unsigned)(RUN_OBEYS_SPEED | RUN_DRIVER_FILE);
        return MC_OK;
    case EVENT_CONTROLLER:
        take_controller(r, slot, (int)e->value);
        return MC_OK;
    case EVENT_DRIVE:
        rare->hand = e->inputs;
        c->flags = (c->flags | RUN_HAND) & ~(unsigned)RUN_DRIVER_FILE;
        return MC_OK;
    case EVENT_RELEASE:
        c->flags &= ~(unsigned)RUN_HAND;
        c->flags |= r->driver[slot].count > 0 ? RUN_DRIVER_FILE : 0;
        return MC_OK;
    default:
        return refuse(error, r->s, e,
                      "an event that needs no vehicle:", scenario_event_names[e->kind]);
    }
    run_note_sensor(r, slot);
    const double delay = fmax(rare->link[LINK_DELAY], rare->sensor[SENSOR_DELAY]);
    return c->flags & (RUN_HEARS_BADLY | RUN_SENSES_BADLY) ? run_keep_history(r, delay, error)
                                                           : MC_OK;
}

mc_status run_event_apply(mc_run *r, const scenario_event *e, mc_error *error)
{
    const mc_status noted = run_note(r, (int)e->kind, e->vehicle, e->value, error);
    return noted == MC_OK ? carry_out(r, e, error) : noted;
}

// What an event is about to change, for its end: of faults that lie in one another the outer one
// goes on.
static double value_before(const mc_run *r, const scenario_event *e)
{
    const run_rare *rare = e->vehicle < 0 ? NULL : &r->rare[r->slot[e->vehicle]];
    switch (e->kind) {
    case EVENT_HEADWAY:
        return r->headway;
    case EVENT_DISTANCE:
        return r->distance;
    case EVENT_SPEED:
        return r->speed;
    case EVENT_PROFILE:
        return rare->profile;
    case EVENT_CONTROLLER:
        return r->car[r->slot[e->vehicle]].controller;
    case EVENT_BRAKE_LOST:
        return rare->brake_left;
    case EVENT_THROTTLE_STUCK:
        return rare->throttle_stuck;
    case EVENT_SENSOR_BIAS: // one with a shape goes to nothing, the one that stays is as it was
        return e->param && e->param[0] ? 0.0 : rare->sensor[SENSOR_RANGE_BIAS];
    case EVENT_PUSH:
        return wave_plain(&rare->push) ? rare->push.amplitude : 0.0;
    case EVENT_SENSOR_NOISE:
        return rare->sensor[SENSOR_RANGE_NOISE];
    case EVENT_RADIO_DELAY:
        return rare->link[LINK_DELAY];
    case EVENT_RADIO_LOSS:
        return rare->link[LINK_LOSS];
    default:
        return 0.0;
    }
}

// Undoes an event whose time is over.
static mc_status event_end(mc_run *r, const scenario_event *e, double before, mc_error *error)
{
    scenario_event undo = *e;
    undo.value = before;
    if (e->kind == EVENT_PUSH)
        undo.param = NULL;
    if (e->kind == EVENT_DRIVE)
        undo.kind = EVENT_RELEASE;
    else if (e->kind == EVENT_SET || e->kind == EVENT_RELEASE)
        return MC_OK;
    if (e->kind > EVENT_PUSH)
        return run_event_apply(r, &undo, error);
    const mc_status noted = run_note(r, RUN_FAULT_ENDS + (int)e->kind, e->vehicle, before, error);
    if (noted != MC_OK || e->kind != EVENT_THROTTLE_STUCK)
        return noted != MC_OK ? noted : carry_out(r, &undo, error);
    r->grouped = false;
    r->rare[r->slot[e->vehicle]].throttle_stuck = before; // not a number: free
    return MC_OK;
}

// Is this the step an instant falls on? The first one that does not start before it.
static bool due(const mc_run *r, double at)
{
    const double dt = r->s->step, now = run_time(r);
    return at <= now + 1e-9 * dt && (at > now - dt + 1e-9 * dt || r->step == 0);
}

static mc_status run_events(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k < r->s->event_count && status == MC_OK; k++) {
        const scenario_event *e = &r->s->events[k];
        if (due(r, e->at)) {
            r->before[k] = value_before(r, e);
            status = run_event_apply(r, e, error);
        }
        if (status == MC_OK && due(r, e->until))
            status = event_end(r, e, r->before[k], error);
    }
    return status;
}

// Cars whose time has come are there from this step on: the same version, with more of it.
static mc_status let_join(mc_run *r, mc_error *error)
{
    if (run_time(r) < r->next_join - 1e-9 * r->s->step)
        return MC_OK;
    return run_adopt(r, scenario_keep(mc_run_scenario(r)), NULL, error);
}

mc_status run_begin(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    if (!r->begun) {
        status = let_join(r, error);
        if (status == MC_OK)
            status = run_events(r, error);
        r->begun = status == MC_OK;
    }
    return status == MC_OK ? run_log_carry(r, error) : status;
}
