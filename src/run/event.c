// event.c - what happens to a run: events of the scenario, commands from outside.
#include "run/event.h"

#include "base/gravity.h"
#include "base/text.h"
#include "run/adopt.h"
#include "run/build.h"
#include "run/control.h"
#include "run/ersc.h"
#include "run/estimate.h"
#include "run/exit.h"
#include "run/flow.h"
#include "run/info.h"
#include "run/join.h"
#include "run/lane_use.h"
#include "run/lead.h"
#include "run/log.h"
#include "run/steer.h"
#include "run/traffic.h"
#include "run/where.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static mc_status reject(mc_error *error, const scenario *s, const scenario_event *e,
                        const char *what, const char *word)
{
    return mc_error_set(error, MC_BAD_INPUT, e->place.line ? s->file : NULL, e->place.line,
                        e->place.column, "%s \"%s\"", what, word);
}

static double first_given(double a, double b)
{
    return isnan(a) ? b : a;
}

static double obey(double own, double roadway, bool commanded)
{
    if (isnan(own))
        return roadway;
    return commanded ? fmax(own, roadway) : own;
}

void run_refresh_car(mc_run *r, int slot)
{
    run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    const scenario_controller *k = c->controller < 0 ? NULL : &r->s->controllers[c->controller];
    // Automatic cars obey the roadway: they keep at least its headway, or the desired one of the
    // car or its controller if that is longer.
    const double headway = first_given(rare->own_headway, k ? k->headway : NAN);
    const double distance = first_given(rare->own_distance, k ? k->distance : NAN);
    bool commanded;
    const double roadway = run_commanded_headway(r, slot, &commanded);
    c->headway = obey(headway, roadway, commanded);
    c->distance = obey(distance, r->distance, r->distance_commanded && !(k && k->manual));
    if (rare->profile < 0) {
        const double speed = run_commanded_speed(r, slot);
        c->v_set = first_given(rare->own_v_set, first_given(k ? k->v_set : NAN, speed));
        c->v_set_rate = 0.0;
    }
}

void run_refresh_commands(mc_run *r)
{
    for (int slot = 0; slot < r->count; slot++)
        run_refresh_car(r, slot);
}

void run_note_sensor(mc_run *r, int slot)
{
    r->grouped = false;
    const double *p = r->rare[slot].fault.sensor, *link = r->rare[slot].fault.link;
    unsigned *flags = &r->car[slot].flags;
    const bool badly = p[SENSOR_RANGE_BIAS] != 0.0 || p[SENSOR_RANGE_NOISE] > 0.0 ||
                       p[SENSOR_SPEED_BIAS] != 0.0 || p[SENSOR_SPEED_NOISE] > 0.0 ||
                       p[SENSOR_DELAY] > 0.0 || r->rare[slot].fault.gap_wave.amplitude != 0.0;
    *flags = badly ? *flags | RUN_SENSES_BADLY : *flags & ~(unsigned)RUN_SENSES_BADLY;
    const bool deaf = link[LINK_DELAY] > 0.0 || link[LINK_LOSS] > 0.0;
    *flags = deaf ? *flags | RUN_HEARS_BADLY : *flags & ~(unsigned)RUN_HEARS_BADLY;
    r->car[slot].reach = p[SENSOR_REACH];
}

// ---- set ----

// Parameters of laws of the car, by name.
static bool set_law(mc_run *r, int slot, run_side first, run_side last, const char *name,
                    double value)
{
    const int controller = r->car[slot].controller;
    bool found = false;
    for (run_side side = first; controller >= 0 && side <= last; side++) {
        const int l = r->controllers[controller].law[side];
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
                            e->place.column, "%s is %g %s, expected at least the roadway's %g %s",
                            e->param, e->value, unit, roadway, unit);
    *own = e->value;
    run_refresh_commands(r);
    return MC_OK;
}

// The maximum deceleration that may be commanded: that of the brakes, or less where the vehicle has
// a limit of its own.
static void note_deceleration(mc_run *r, int slot, const mc_batch *batch, int index)
{
    double brake, own = HUGE_VAL;
    if (!batch->kind->get_param || !batch->kind->get_param(batch, index, MC_ROW_MAX_BRAKE, &brake))
        return;
    batch->kind->get_param(batch, index, MC_ROW_MAX_DECELERATION, &own);
    r->car[slot].min_a = -fmin(brake, own) * GRAVITY;
}

// What controllers are told of a car follows its parameters.
static void note_limits(mc_run *r, int slot, const mc_batch *batch, int index, const char *name,
                        double value)
{
    if (strcmp(name, MC_ROW_MAX_ACCELERATION) == 0)
        r->car[slot].max_a = value * GRAVITY;
    else if (strcmp(name, MC_ROW_MAX_BRAKE) == 0 || strcmp(name, MC_ROW_MAX_DECELERATION) == 0)
        note_deceleration(r, slot, batch, index);
    else if (strcmp(name, MC_ROW_NOMINAL_MASS) == 0)
        r->rare[slot].mass = value;
}

static bool set_model(mc_run *r, int slot, const char *name, double value)
{
    int index;
    mc_batch *batch;
    mc_world_vehicle(r->world, r->rare[slot].vehicle, &batch, &index);
    const bool limit = strcmp(name, MC_ROW_MAX_ACCELERATION) == 0;
    if (!(batch->kind->set_param && batch->kind->set_param(batch, index, name, value)) && !limit)
        return false;
    note_limits(r, slot, batch, index, name, value);
    return true;
}

// Flags that follow from radio and sensor; messages are kept for as long as it hears late.
static mc_status note_ears(mc_run *r, int slot, mc_error *error)
{
    run_note_sensor(r, slot);
    const fault_state *f = &r->rare[slot].fault;
    const double delay = fmax(f->link[LINK_DELAY], f->sensor[SENSOR_DELAY]);
    return r->car[slot].flags & (RUN_HEARS_BADLY | RUN_SENSES_BADLY)
               ? run_keep_history(r, delay, error)
               : MC_OK;
}

// Radio and sensor of one car.
static mc_status set_ear(mc_run *r, int slot, const mc_param *rows, int count, double *values,
                         const char *name, double value, mc_error *error)
{
    for (int k = 0; k < count; k++)
        if (strcmp(rows[k].name, name) == 0)
            values[k] = value;
    return note_ears(r, slot, error);
}

// A value in its range that the model itself rejects, such as a table that must grow.
static mc_status not_possible(const mc_run *r, int slot, const scenario_event *e, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, e->place.line ? r->s->file : NULL, e->place.line,
                        e->place.column,
                        "%s of %s cannot be %g: the model's other values do not allow it", e->param,
                        mc_run_vehicle_name(r, r->rare[slot].vehicle), e->value);
}

// The value is in range when the parameter is known, from a table; name is without its group.
static mc_status set_in(mc_run *r, int slot, const char *group, const char *name, bool known,
                        const scenario_event *e, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    const bool any = group[0] == '\0';
    if (strcmp(group, "radio") == 0)
        return set_ear(r, slot, link_params, LINK_PARAM_COUNT, rare->fault.link, name, e->value,
                       error);
    if (strcmp(group, "sensor") == 0)
        return set_ear(r, slot, sensor_params, SENSOR_PARAM_COUNT, rare->fault.sensor, name,
                       e->value, error);
    if (any || strcmp(group, "desired") == 0) {
        if (strcmp(name, "headway") == 0) {
            bool commanded;
            const double least = run_commanded_headway(r, slot, &commanded);
            return set_headway(r, e, &rare->own_headway, least, commanded, "s", error);
        }
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
    if (strcmp(group, "steering") == 0 &&
        set_law(r, slot, RUN_STEERING, RUN_STEERING, name, e->value)) {
        run_steer_prepare(r, slot);
        return MC_OK;
    }
    if (strcmp(group, "estimator") == 0 && run_estimate_set(r, slot, name, e->value))
        return MC_OK;
    if (!own && !fallback && run_estimate_set_image(r, slot, name, e->value))
        return MC_OK;
    if (!own && !fallback && set_model(r, slot, name, e->value))
        return MC_OK;
    if ((any || own || fallback) && set_law(r, slot, fallback ? RUN_FALLBACK : RUN_LAW,
                                            own ? RUN_LAW : RUN_FALLBACK, name, e->value))
        return MC_OK;
    return known ? not_possible(r, slot, e, error)
                 : reject(error, r->s, e, "this car has no settable parameter",
                          e->param ? e->param : "");
}

// NAME, or GROUP.NAME as in mc_run_param_at.
static mc_status set(mc_run *r, int slot, const scenario_event *e, mc_error *error)
{
    char group[RUN_GROUP_SIZE];
    mc_run_param row;
    const char *name =
        run_param_name(r, r->rare[slot].vehicle, e->param ? e->param : "", group, &r->past.renamed);
    const bool known = run_param_find(r, r->rare[slot].vehicle, group, name, &row) && row.live;
    if (known && !(isnan(e->value) && strcmp(row.group, "desired") == 0) &&
        !(e->value >= row.row->min && e->value <= row.row->max))
        return mc_error_set(error, MC_BAD_INPUT, e->place.line ? r->s->file : NULL, e->place.line,
                            e->place.column, "%s is %g, expected %g .. %g" TEXT_UNIT, e->param,
                            e->value, row.row->min, row.row->max, TEXT_UNIT_OF(row.row->unit));
    return set_in(r, slot, group, name, known, e, error);
}

// ---- one event ----

void run_give_controller(mc_run *r, int slot, int controller)
{
    run_car *c = &r->car[slot];
    c->controller = controller;
    c->flags &= ~(unsigned)(RUN_HAND | RUN_ASKED | RUN_DRIVER_FILE | RUN_FALLEN_BACK);
    if (controller < 0)
        return;
    run_take_controller(r, slot);
    run_refresh_commands(r);
    run_law_begin(r, slot, RUN_LAW);
    run_law_begin(r, slot, RUN_STEERING);
}

static mc_status roadway(mc_run *r, const scenario_event *e, mc_error *error)
{
    if (e->kind == EVENT_SECTION)
        return run_section(r, e->param ? e->param : "", error);
    if (e->kind == EVENT_ERSC) {
        const mc_status status = run_ersc_check_level(r, e->value, error);
        return status == MC_OK ? run_ersc_switch(r, (int)e->value, error) : status;
    }
    if (e->kind == EVENT_HEADWAY)
        r->headway = e->value, r->headway_commanded = true;
    else if (e->kind == EVENT_DISTANCE)
        r->distance = e->value, r->distance_commanded = true;
    else if (e->kind == EVENT_SPEED)
        r->speed = e->value, r->speed_commanded = true;
    run_refresh_commands(r);
    return MC_OK;
}

static fault_act act_of(const mc_run *r, int slot, const scenario_event *e, double value)
{
    return (fault_act){.value = value,
                       .shape = e->param,
                       .now = run_time(r),
                       .throttle = r->inputs[slot].throttle};
}

// What the run keeps of a car's faults: flags, and messages for as long as it hears late.
static mc_status note_fault(mc_run *r, int slot, const fault_kind *kind, mc_error *error)
{
    run_car *c = &r->car[slot];
    const fault_state *f = &r->rare[slot].fault;
    c->flags |= kind->pedals ? RUN_FAULTY : 0;
    c->flags = f->push.amplitude != 0.0 ? c->flags | RUN_PUSHED : c->flags & ~(unsigned)RUN_PUSHED;
    r->forces_change = r->forces_change || kind == &event_faults[EVENT_FORCE];
    return note_ears(r, slot, error);
}

static mc_status begin_fault(mc_run *r, const scenario_event *e, mc_error *error)
{
    const int slot = r->slot[e->vehicle];
    const fault_kind *kind = &event_faults[e->kind];
    const fault_act act = act_of(r, slot, e, e->value);
    const mc_status status = kind->begin(&r->rare[slot].fault, &act, error);
    return status == MC_OK ? note_fault(r, slot, kind, error) : status;
}

static mc_status end_fault(mc_run *r, const scenario_event *e, double before, mc_error *error)
{
    const int slot = r->slot[e->vehicle];
    const fault_kind *kind = &event_faults[e->kind];
    const fault_act act = act_of(r, slot, e, before);
    r->grouped = false;
    const mc_status status =
        (kind->end ? kind->end : kind->begin)(&r->rare[slot].fault, &act, error);
    return status == MC_OK ? note_fault(r, slot, kind, error) : status;
}

// A message of an event of the scenario names its place.
static mc_status name_place(const mc_run *r, const scenario_event *e, mc_status status,
                            mc_error *error)
{
    const mc_error was = *error;
    if (status == MC_BAD_INPUT && e->place.line && !was.line)
        return mc_error_set(error, was.code, r->s->file, e->place.line, e->place.column, "%s",
                            was.text);
    return status;
}

mc_status run_lane_rejected(const mc_run *r, int slot, int kind, double lane, mc_error *error)
{
    const char *name = mc_run_vehicle_name(r, r->rare[slot].vehicle);
    char why[200];
    if (r->car[slot].flags & RUN_STEERED)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is steered by hand", name);
    if (kind == EVENT_LANE && (!run_ersc_may_change(r, why, sizeof why) ||
                               (r->ruled && r->rare[slot].lane != (int)lane - 1 &&
                                !run_lane_open(r, slot, (int)lane - 1, why, sizeof why))))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s: %s", name, why);
    return MC_OK;
}

static mc_status go_to_lane(mc_run *r, int slot, const scenario_event *e, mc_error *error)
{
    const char *name = mc_run_vehicle_name(r, r->rare[slot].vehicle);
    const char *file = e->place.line ? r->s->file : NULL;
    if (!(e->value >= 1.0 && e->value <= r->road.lane_count && e->value == floor(e->value)))
        return mc_error_set(error, MC_BAD_INPUT, file, e->place.line, e->place.column,
                            "there is no lane %g; the road has %d", e->value, r->road.lane_count);
    if (r->car[slot].controller < 0)
        return mc_error_set(error, MC_BAD_INPUT, file, e->place.line, e->place.column,
                            "%s has no controller that could change lanes", name);
    if (isnan(run_lane_middle(r, slot, (int)e->value - 1, NULL)))
        return mc_error_set(error, MC_BAD_INPUT, file, e->place.line, e->place.column,
                            "%s: there is no lane %g where it is, at %.1f m", name, e->value,
                            r->motion[slot].x);
    const mc_status status = run_lane_rejected(r, slot, (int)e->kind, e->value, error);
    if (status != MC_OK)
        return name_place(r, e, status, error);
    run_traffic_send(r, slot, (int)e->value - 1);
    r->rare[slot].path.breaks = e->kind == EVENT_DRIVER_LANE;
    return MC_OK;
}

mc_status run_no_controller(const mc_run *r, int vehicle, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "%s has no controller that could follow an acceleration; use drive",
                        mc_run_vehicle_name(r, vehicle));
}

// The law is still asked, so that its states follow; what it says does not count.
static mc_status ask_acceleration(mc_run *r, int slot, const scenario_event *e, mc_error *error)
{
    run_car *c = &r->car[slot];
    if (c->controller < 0)
        return name_place(r, e, run_no_controller(r, r->rare[slot].vehicle, error), error);
    r->rare[slot].asked = e->value;
    c->flags = (c->flags | RUN_ASKED) & ~(unsigned)(RUN_HAND | RUN_DRIVER_FILE);
    return MC_OK;
}

static mc_status carry_out(mc_run *r, const scenario_event *e, mc_error *error)
{
    r->grouped = false;
    if (e->vehicle < 0)
        return name_place(r, e, roadway(r, e, error), error);
    // Driving a leader that is driven as another one drives that one, and so both.
    const bool hands =
        e->kind == EVENT_DRIVE || e->kind == EVENT_RELEASE || e->kind == EVENT_ACCELERATE;
    const int own = r->slot[e->vehicle], slot = hands ? run_lead_source(r, own) : own;
    run_car *c = &r->car[slot];
    run_rare *rare = &r->rare[slot];
    if (e->kind < EVENT_FAULT_COUNT)
        return begin_fault(r, e, error);
    switch (e->kind) {
    case EVENT_SET:
        return set(r, slot, e, error);
    case EVENT_PROFILE:
        rare->profile = (int)e->value;
        r->grouped = false;
        run_profile_slots(r);
        run_refresh_commands(r);
        c->flags = rare->profile < 0 ? c->flags | RUN_OBEYS_SPEED
                                     : c->flags & ~(unsigned)(RUN_OBEYS_SPEED | RUN_DRIVER_FILE);
        return MC_OK;
    case EVENT_CONTROLLER:
        run_give_controller(r, slot, (int)e->value);
        run_ersc_functions(r, slot);
        return MC_OK;
    case EVENT_ESTIMATOR:
        return run_estimate_switch(r, slot, (int)e->value, error);
    case EVENT_DRIVE:
        rare->hand = e->inputs;
        if (rare->ersc.checked_in) { // the pedals are not the driver's now
            run_ersc_drive(r, slot, true);
            return MC_OK;
        }
        c->flags = (c->flags | RUN_HAND) & ~(unsigned)(RUN_DRIVER_FILE | RUN_ASKED);
        return MC_OK;
    case EVENT_ACCELERATE:
        return ask_acceleration(r, slot, e, error);
    case EVENT_RELEASE:
        c->flags &= ~(unsigned)RUN_ASKED;
        if (rare->ersc.checked_in) {
            run_ersc_drive(r, slot, false);
            return MC_OK;
        }
        c->flags &= ~(unsigned)RUN_HAND;
        c->flags |= r->s->vehicles[rare->vehicle].driver ? RUN_DRIVER_FILE : 0;
        return MC_OK;
    case EVENT_LEADS_AS:
        return run_lead_as(r, slot, e->value, error);
    case EVENT_LANE:
    case EVENT_DRIVER_LANE:
        return go_to_lane(r, slot, e, error);
    case EVENT_EXIT:
        return run_exit_send(r, slot, e, error);
    case EVENT_JOIN:
    case EVENT_LEAVE:
    case EVENT_SPLIT:
    case EVENT_MERGE:
        return name_place(r, e, run_join_event(r, slot, (int)e->kind, e->value, error), error);
    case EVENT_CHECK_IN:
        return run_ersc_check_in(r, slot, error);
    case EVENT_CHECK_OUT:
        return run_ersc_check_out(r, slot, error);
    default:
        return reject(error, r->s, e, "this event takes no vehicle:", event_name((int)e->kind));
    }
}

mc_status run_event_apply(mc_run *r, const scenario_event *e, mc_error *error)
{
    const mc_status noted = run_note(r, (int)e->kind, e->vehicle, e->value, error);
    return noted == MC_OK ? carry_out(r, e, error) : noted;
}

static double estimator_before(const mc_run *r, int slot)
{
    const run_estimate *e = run_estimate_at(r, slot);
    return e && e->on ? e->estimator : -1.0;
}

// What an event is about to change, for its end.
static double value_before(const mc_run *r, const scenario_event *e)
{
    const run_rare *rare = e->vehicle < 0 ? NULL : &r->rare[r->slot[e->vehicle]];
    if (e->kind < EVENT_FAULT_COUNT) {
        const fault_act act = act_of(r, r->slot[e->vehicle], e, e->value);
        return event_faults[e->kind].before(&rare->fault, &act);
    }
    switch (e->kind) {
    case EVENT_HEADWAY:
        return r->headway;
    case EVENT_DISTANCE:
        return r->distance;
    case EVENT_SPEED:
        return r->speed;
    case EVENT_ERSC:
        return r->ersc;
    case EVENT_PROFILE:
        return rare->profile;
    case EVENT_CONTROLLER:
        return r->car[r->slot[e->vehicle]].controller;
    case EVENT_LEADS_AS:
        return rare->leads_as;
    case EVENT_EXIT:
        return rare->exit;
    case EVENT_LANE:
    case EVENT_DRIVER_LANE:
        return rare->lane + 1.0; // an event with an end sends it back
    case EVENT_ESTIMATOR:
        return estimator_before(r, r->slot[e->vehicle]);
    default:
        return 0.0;
    }
}

// Undoes an event whose time is over.
static mc_status event_end(mc_run *r, const scenario_event *e, double before, mc_error *error)
{
    if (e->kind < EVENT_FAULT_COUNT) {
        const mc_status noted = run_note(r, EVENT_ENDS + (int)e->kind, e->vehicle, before, error);
        return noted == MC_OK ? end_fault(r, e, before, error) : noted;
    }
    if (e->kind == EVENT_SET || e->kind == EVENT_RELEASE)
        return MC_OK;
    scenario_event undo = *e;
    undo.value = before;
    undo.kind = e->kind == EVENT_DRIVE || e->kind == EVENT_ACCELERATE ? EVENT_RELEASE : e->kind;
    return run_event_apply(r, &undo, error);
}

// Is this the step an instant falls on? The first one that does not start before it.
static bool due(const mc_run *r, double at)
{
    const double dt = r->s->step, now = run_time(r);
    return at <= now + 1e-9 * dt && (at > now - dt + 1e-9 * dt || r->step == 0);
}

// An event that the state rules out, such as a change to a lane that is closed by then. A scenario
// by itself is wrong then; one whose run was changed by commands continues without the event, so
// that no command can stop a run later on.
static mc_status skip_ruled_out(mc_run *r, mc_status status, int happened, const mc_error *error)
{
    run_past *p = &r->past;
    if (status != MC_BAD_INPUT || run_log_first(r, r->step) == 0)
        return status;
    p->happened_count = happened;
    p->skipped++;
    snprintf(p->skip_text, sizeof p->skip_text, "%.250s", error->text);
    return MC_OK;
}

int mc_run_skipped(const mc_run *r, const char **text)
{
    if (text)
        *text = r->past.skip_text;
    return r->past.skipped;
}

static mc_status run_events(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k < r->s->event_count && status == MC_OK; k++) {
        const scenario_event *e = &r->s->events[k];
        const int happened = r->past.happened_count;
        if (due(r, e->at)) {
            r->before[k] = value_before(r, e);
            status = run_event_apply(r, e, error);
        }
        if (status == MC_OK && due(r, e->until))
            status = event_end(r, e, r->before[k], error);
        status = skip_ruled_out(r, status, happened, error);
    }
    return status;
}

// Cars whose time has come are there from this step on, those that left are not: the same version,
// with another part of it.
static mc_status let_join(mc_run *r, mc_error *error)
{
    bool change = false;
    const mc_status status = run_flow_leave(r, &change, error);
    if (status != MC_OK)
        return status;
    if (!change && run_time(r) >= r->next_join - 1e-9 * r->s->step)
        change = run_flow_due(r);
    const mc_status adopted =
        change ? run_adopt(r, scenario_keep(mc_run_scenario(r)), NULL, error) : MC_OK;
    if (adopted == MC_OK && r->s->source_count > 0)
        run_flow_count(r);
    return adopted;
}

mc_status run_begin(mc_run *r, bool edits, mc_error *error)
{
    mc_status status = MC_OK;
    if (!r->begun) {
        status = let_join(r, error);
        if (status == MC_OK)
            status = run_events(r, error);
        r->begun = status == MC_OK;
    }
    return status == MC_OK ? run_log_carry(r, edits, error) : status;
}
