// replay.c - a recording as a branch: its rows are a history that is whole from the start.
#include "studio/hub/replay.h"

#include "motorcade/replay.h"
#include "motorcade/scenario.h"
#include "studio/hub/capture.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/plan.h"
#include "studio/history/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLAY_BUDGET ((size_t)1 << 30) // bytes of rows

// Who is there in a row: those that have a place. present: room for all cars.
static int who_is_there(const mc_replay *r, int row, int *present)
{
    const double *x = mc_replay_row(r, row, MC_FIELD_MIDDLE);
    int n = 0;
    for (int c = 0; c < mc_replay_info_of(r)->car_count; c++)
        if (isfinite(x[c]))
            present[n++] = c;
    return n;
}

// Whether the recording knows how its body deforms.
static bool has_body(const mc_replay *r, int car)
{
    mc_replay_car info;
    mc_replay_car_at(r, car, &info);
    return mc_replay_info_of(r)->poses && info.deformable;
}

static roster *make_roster(hub *h, const mc_replay *r, const int *present, int n)
{
    int body_count = 0;
    for (int k = 0; k < n && body_count < HISTORY_BODIES_MAX; k++)
        body_count += has_body(r, present[k]);
    roster *who = roster_create(n, body_count);
    for (int k = 0, body = 0; who && k < n; k++) {
        mc_replay_car car;
        mc_replay_car_at(r, present[k], &car);
        const int id = registry_number(&h->names, car.name);
        who->name[k] = strdup(car.name);
        who->id[k] = (uint32_t)(id < 0 ? 0 : id);
        who->platoon[k] = car.platoon;
        who->length[k] = car.length;
        who->middle[k] = car.middle;
        if (!who->name[k] || id < 0) {
            roster_drop(who);
            return NULL;
        }
        if (body == body_count || !has_body(r, present[k]))
            continue;
        const double half[3] = {0.5 * car.length, 0.5 * car.width, 0.5 * car.height};
        who->body[body] = k;
        for (int i = 0; i < 3; i++)
            who->rest[body][i] = (float)half[i];
        body++;
    }
    return who;
}

// Directors times the semi-axes at rest, about the middle of the body.
static void put_body(const history_row *to, int b, const double pose[MC_REPLAY_POSE])
{
    float *out = to->body + (size_t)b * HISTORY_BODY;
    const float *rest = to->who->rest[b];
    const double *d = pose + 3;
    out[0] = 0.0f;
    out[1] = (float)pose[1];
    out[2] = (float)pose[2];
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            out[3 + 3 * k + axis] = (float)d[3 * axis + k] * rest[axis];
}

static void fill_row(const mc_replay *r, int row, const int *present, const history_row *to)
{
    for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++) {
        const double *from = mc_replay_row(r, row, (mc_field)f);
        // Signs of life that a recording without them does not have are 0, all else is unknown.
        const bool zero = f == MC_FIELD_Y || f == MC_FIELD_PSI || f == MC_FIELD_STEER ||
                          f == MC_FIELD_THROTTLE || f == MC_FIELD_BRAKE || f == MC_FIELD_PATH;
        for (int k = 0; k < to->who->count; k++) {
            const double y = from ? from[present[k]] : zero ? 0.0 : NAN;
            if (f == MC_FIELD_MIDDLE)
                to->middle[k] = y;
            else if (f == MC_FIELD_TARGET)
                to->target[k] = y;
            else
                to->value[f][k] = (float)y;
        }
    }
    const double *poses = mc_replay_poses(r, row);
    for (int b = 0; poses && b < to->who->body_count; b++)
        put_body(to, b, poses + MC_REPLAY_POSE * present[to->who->body[b]]);
    for (int k = 0; k < to->who->count; k++) {
        mc_replay_car car;
        mc_replay_car_at(r, present[k], &car);
        const float brake = to->value[MC_FIELD_BRAKE][k], push = to->value[MC_FIELD_THROTTLE][k];
        to->status[k] = (car.place == 0 ? (uint32_t)MC_CAR_STATUS_LEADER : 0) |
                        (brake > 0.02f ? (uint32_t)MC_CAR_STATUS_BRAKES : 0) |
                        (push > 0.02f ? (uint32_t)MC_CAR_STATUS_THROTTLE : 0);
    }
}

static bool fill_history(hub *h, branch *b, const mc_replay *r)
{
    const mc_replay_info *info = mc_replay_info_of(r);
    const size_t cars = (size_t)info->car_count + 1;
    int *present = malloc(2 * cars * sizeof *present), *before = present ? present + cars : NULL;
    int before_count = -1;
    bool good = present;
    roster *who = NULL;
    for (int row = 0; good && row < info->row_count + info->instant_count; row++) {
        history *past = row < info->row_count ? &b->past : &b->instants;
        const int n = who_is_there(r, row, present);
        if (n != before_count || memcmp(present, before, (size_t)n * sizeof *present) != 0) {
            roster_drop(who);
            who = make_roster(h, r, present, n);
            memcpy(before, present, (size_t)n * sizeof *present);
            before_count = n;
        }
        good = who;
        const history_row to = good ? history_reserve(past, who) : (history_row){0};
        good = good && to.middle;
        if (good) {
            fill_row(r, row, present, &to);
            history_publish(past, mc_replay_time(r, row), 0);
        }
    }
    roster_drop(who);
    free(present);
    return good;
}

// ---- events ----

// One car's value in a row; NAN: the recording does not have it.
static double value_of(const mc_replay *r, int row, mc_field field, int car)
{
    const double *values = mc_replay_row(r, row, field);
    return values ? values[car] : NAN;
}

// A leader that brakes or accelerates, again after a second without: the pedals' marks of a run
// (capture.c), from what was recorded. Without pedals it is 1 m/s^2 that counts.
static void note_pedal(hub *h, branch *b, const mc_replay *r, int car, bool brake)
{
    mc_replay_car info;
    mc_replay_car_at(r, car, &info);
    const mc_field pedal = brake ? MC_FIELD_BRAKE : MC_FIELD_THROTTLE;
    bool on = false;
    double last = -INFINITY;
    for (int row = 0; row < mc_replay_info_of(r)->row_count; row++) {
        const double t = mc_replay_time(r, row), pressed = value_of(r, row, pedal, car);
        const double a = value_of(r, row, MC_FIELD_A, car);
        const bool now =
            !isnan(pressed) ? pressed > (brake ? 0.05 : 0.5) : (brake ? a < -1.0 : a > 1.0);
        if (now && !on && t - last > 1.0) {
            branch_event e = {.t = t, .type = brake ? "brake" : "throttle", .value = a};
            snprintf(e.vehicle, sizeof e.vehicle, "%s", info.name);
            snprintf(e.text, sizeof e.text, "%.60s %s, %.2f m/s^2", info.name,
                     brake ? "brakes" : "accelerates", a);
            event_add(h, b, &e);
        }
        on = now;
        if (now)
            last = t;
    }
}

static int by_time(const void *p, const void *q)
{
    const double a = ((const branch_event *)p)->t, b = ((const branch_event *)q)->t;
    return (a > b) - (a < b);
}

static impact_party party_of(hub *h, const mc_replay *r, int car)
{
    mc_replay_car info;
    mc_replay_car_at(r, car, &info);
    const int id = registry_number(&h->names, info.name);
    return (impact_party){(uint32_t)(id < 0 ? 0 : id), info.name, info.mass};
}

static void note_impacts(hub *h, branch *b, const mc_replay *r)
{
    int count;
    const mc_impact *impacts = mc_replay_impacts(r, &count);
    for (int k = 0; k < count; k++) {
        const impact_party party[2] = {party_of(h, r, impacts[k].a), party_of(h, r, impacts[k].b)};
        capture_impact(h, b, &impacts[k], party);
    }
}

static void note_events(hub *h, branch *b, const mc_replay *r)
{
    mc_happened happened;
    note_impacts(h, b, r);
    for (int k = 0; mc_replay_event_at(r, k, &happened); k++)
        capture_happened(h, b, &happened);
    for (int c = 0; c < mc_replay_info_of(r)->car_count; c++) {
        mc_replay_car car;
        mc_replay_car_at(r, c, &car);
        if (car.place != 0)
            continue;
        note_pedal(h, b, r, c, true);
        note_pedal(h, b, r, c, false);
    }
    if (b->event_count)
        qsort(b->events, (size_t)b->event_count, sizeof *b->events, by_time);
}

// ---- its description ----

static json_t *car_json(hub *h, const mc_replay_car *car, bool deformable)
{
    json_t *out = json_object();
    json_put(out, "id", json_integer(registry_number(&h->names, car->name)));
    json_put(out, "name", json_string(car->name));
    json_put(out, "platoon", json_integer(car->platoon));
    json_put(out, "place", json_integer(car->place));
    json_put(out, "lane", json_integer(car->lane + 1));
    json_put(out, "kind", json_string("recorded"));
    json_put(out, "model", json_string(car->model));
    json_put(out, "controller", json_string(car->controller));
    json_put(out, "law", json_string(""));
    json_put(out, "profile", json_string(""));
    json_put(out, "length", json_value(car->length));
    json_put(out, "width", json_value(car->width));
    json_put(out, "height", json_value(car->height));
    json_put(out, "mass", json_value(car->mass));
    json_put(out, "leader", json_boolean(car->place == 0));
    json_put(out, "deformable", json_boolean(deformable));
    json_put(out, "driven", json_string(""));
    json_put(out, "checked_in", json_false());
    json_put(out, "mechanism", json_false());
    return out;
}

// The road of the scenario that was run. A scenario that names files is read without them: NULL,
// and pages show the road unrolled.
static char *recorded_plan(const mc_replay_info *info)
{
    mc_error error;
    const size_t length = strlen(info->scenario);
    mc_scenario *s = length ? mc_scenario_parse(info->scenario, length, NULL, &error) : NULL;
    char *plan = s ? plan_text(mc_scenario_road(s), NULL) : NULL;
    mc_scenario_free(s);
    return plan;
}

static json_t *road_json(const mc_replay_info *info, bool planned)
{
    json_t *out = json_object();
    json_put(out, "lanes", json_integer(info->lane_count));
    json_put(out, "lane_width", json_value(info->lane_width));
    json_put(out, "headway", json_null());
    json_put(out, "distance", json_null());
    json_put(out, "speed", json_null());
    json_put(out, "commanded", json_array());
    json_put(out, "grades", json_array());
    json_put(out, "friction", json_array());
    json_put(out, "formula", json_null());
    json_put(out, "ersc", json_integer(0));
    json_put(out, "ersc_start", json_integer(0));
    json_put(out, "sections", json_array());
    json_put(out, "profile",
             json_pack("{s:f,s:f,s:[f,f]}", "from", 0.0, "step", 1000.0, "z", 0.0, 0.0));
    json_put(out, "plan", json_integer(planned));
    return out;
}

static char *describe(hub *h, const mc_replay *r, bool planned)
{
    const mc_replay_info *info = mc_replay_info_of(r);
    json_t *out = json_object(), *vehicles = json_array(), *platoons = json_array();
    int seen = -1;
    for (int c = 0; c < info->car_count; c++) {
        mc_replay_car car;
        mc_replay_car_at(r, c, &car);
        json_array_append_new(vehicles, car_json(h, &car, has_body(r, c)));
        if (car.platoon <= seen)
            continue;
        seen = car.platoon;
        char name[32];
        snprintf(name, sizeof name, "platoon %d", car.platoon + 1);
        json_array_append_new(platoons, json_pack("{s:i,s:s,s:s,s:i}", "platoon", car.platoon,
                                                  "name", name, "leader", car.name, "leads_as", 0));
    }
    json_put(out, "road", road_json(info, planned));
    json_put(out, "platoons", platoons);
    json_put(out, "models", json_array());
    json_put(out, "catalogue", json_array());
    json_put(out, "profiles", json_array());
    json_put(out, "controllers", json_array());
    json_put(out, "vehicles", vehicles);
    json_put(out, "format", json_string(info->kind));
    char *text = json_dumps(out, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(out);
    return text;
}

branch *replay_read(hub *h, const char *path, const char *with, mc_error *error)
{
    mc_replay *r = mc_replay_load(path, with, error);
    if (!r)
        return NULL;
    const mc_replay_info *info = mc_replay_info_of(r);
    branch *b = branch_create(info->title);
    if (b) {
        b->replay = true;
        b->hits_unknown = !info->impacts;
        b->has_ramps = mc_replay_row(r, 0, MC_FIELD_PATH);
        b->has_estimators = mc_replay_row(r, 0, MC_FIELD_ESTIMATE);
        b->past.budget = REPLAY_BUDGET;
        b->state = BRANCH_ENDED;
        b->start = mc_replay_time(r, 0);
        b->end = b->limit = mc_replay_time(r, info->row_count - 1);
        b->row = b->step = info->row_count > 1 ? (b->end - b->start) / (info->row_count - 1) : 0.02;
        snprintf(b->message, sizeof b->message, "%.250s", info->note);
        b->plan = recorded_plan(info);
        b->plan_version = b->plan != NULL;
        b->text = describe(h, r, b->plan);
    }
    if (!b || !b->text || !fill_history(h, b, r)) {
        branch_drop(b);
        b = NULL;
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the recording");
    }
    if (b)
        note_events(h, b, r);
    mc_replay_free(r);
    return b;
}
