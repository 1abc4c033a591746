// run_info.c - what is there in a run: vehicles, road, parameters as they are now, what happened.
#include "sim/run.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>
#include <strings.h>

// ---- vehicles ----

static const scenario_model *model_of(const mc_run *r, int vehicle)
{
    return &r->s->models[r->s->vehicles[vehicle].model];
}

static double column_length(const mc_ellipsoid *e, int column)
{
    const double *a = e->axes + column;
    return sqrt(a[0] * a[0] + a[3] * a[3] + a[6] * a[6]);
}

void mc_run_vehicle(const mc_run *r, int vehicle, mc_run_vehicle_info *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const int slot = r->slot[vehicle];
    const run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    const scenario_model *m = model_of(r, vehicle);
    const run_controller *k = c->controller < 0 ? NULL : &r->controllers[c->controller];
    const bool back = c->flags & RUN_FALLEN_BACK;
    mc_ellipsoid e;
    mc_run_surface(r, vehicle, &e);
    *out = (mc_run_vehicle_info){
        .name = r->s->vehicles[vehicle].name,
        .model = m->name,
        .kind = scenario_kind_names[m->kind],
        .controller = k ? r->s->controllers[c->controller].name : "",
        .law = k ? r->laws[back && k->fallback >= 0 ? k->fallback : k->law].text->name : "",
        .profile = rare->profile < 0 ? "" : r->s->profile_name[rare->profile],
        .platoon = rare->platoon,
        .place = rare->number,
        .lane = rare->lane,
        .length = m->car.p[CAR_LENGTH],
        .width = m->car.p[CAR_WIDTH],
        .height = 2.0 * column_length(&e, 2),
        .lane_y = c->lane_y,
        .leader = rare->platoon >= 0 && c->leader == slot,
        .by_hand = c->flags & (RUN_HAND | RUN_DRIVER_FILE),
        .deformable = m->kind == SCENARIO_COSSERAT,
        .fallen_back = back,
    };
}

void mc_run_surface(const mc_run *r, int vehicle, mc_ellipsoid *out)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    batch->kind->surface(batch, index, out);
}

double mc_run_mass(const mc_run *r, int vehicle)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    return batch->kind->mass(batch, index);
}

// ---- the road ----

void mc_run_road(const mc_run *r, mc_run_road_info *out)
{
    *out = (mc_run_road_info){
        .lanes = r->road.lane_count,
        .lane_width = r->road.lane_width,
        .headway = r->headway,
        .distance = r->distance,
        .speed = r->speed,
        .headway_commanded = r->headway_commanded,
        .distance_commanded = r->distance_commanded,
        .speed_commanded = r->speed_commanded,
        .grades = r->grades,
        .frictions = r->frictions,
        .grade_count = r->grade_count,
        .friction_count = r->friction_count,
    };
}

double mc_run_elevation(const mc_run *r, double x)
{
    return road_height(&r->road, x);
}

double mc_run_slope(const mc_run *r, double x)
{
    return road_slope(&r->road, x);
}

// ---- parameters ----

static const mc_param wish_rows[] = {
    {"headway", "s", NAN, 0.0, 60.0, "time headway it keeps"},
    {"distance", "m", NAN, 0.0, 1000.0, "gap at rest it keeps, bumper to bumper"},
    {"speed", "m/s", NAN, 0.0, 150.0, "speed it is told to drive"},
};
static const mc_param user_rows[] = {
#define USER(number)                                                                               \
    {                                                                                              \
        "user" #number, "-", 0.0, -1e300, 1e300, "variable " #number " for laws of your own"       \
    }
    USER(1), USER(2), USER(3), USER(4), USER(5), USER(6), USER(7), USER(8),
};

typedef struct param_group {
    const char *name;
    const mc_param *rows;
    int count;
    const double *values; // NULL: ask the vehicle
} param_group;

enum { GROUPS = 12 };

// The groups a vehicle has, in the order of the manual.
static int groups_of(const mc_run *r, int vehicle, const double wishes[3], param_group out[GROUPS])
{
    const int slot = r->slot[vehicle], controller = r->car[slot].controller;
    const scenario_model *m = model_of(r, vehicle);
    int n = 0;
    if (m->kind == SCENARIO_COSSERAT)
        out[n++] = (param_group){"model", cosserat_params, COSSERAT_PARAM_COUNT, NULL};
    else if (m->kind == SCENARIO_MULTIBODY)
        out[n++] = (param_group){"model", &car_params[CAR_MASS], 1, NULL};
    else
        out[n++] = (param_group){"model", car_params, CAR_PARAM_COUNT, NULL};
    if ((m->kind == SCENARIO_COSSERAT && m->cosserat.driven) || m->kind == SCENARIO_MULTIBODY)
        out[n++] = (param_group){"drive", drive_params, DRIVE_PARAM_COUNT, NULL};
    if (m->car.powertrain && m->kind == SCENARIO_POWERTRAIN)
        out[n++] = (param_group){"powertrain", m->car.powertrain->params,
                                 m->car.powertrain->param_count, NULL};
    if (controller >= 0) {
        const scenario_controller *c = &r->s->controllers[controller];
        out[n++] = (param_group){"law", c->law->params, c->law->param_count,
                                 run_law_params(r, slot, false)};
        if (c->fallback)
            out[n++] = (param_group){"fallback", c->fallback->params, c->fallback->param_count,
                                     run_law_params(r, slot, true)};
        out[n++] = (param_group){"inner", inner_params, INNER_PARAM_COUNT, c->inner};
        out[n++] = (param_group){"radio", link_params, LINK_PARAM_COUNT, r->rare[slot].link};
        out[n++] = (param_group){"sensor", sensor_params, SENSOR_PARAM_COUNT, r->rare[slot].sensor};
        if (c->avoid)
            out[n++] = (param_group){"avoid", avoid_params, AVOID_PARAM_COUNT, c->avoid_p};
    }
    out[n++] = (param_group){"wishes", wish_rows, 3, wishes};
    out[n++] = (param_group){"user", user_rows, 8, r->rare[slot].user};
    return n;
}

static bool is_outline(const mc_param *row)
{
    return row == &car_params[CAR_LENGTH] || row == &car_params[CAR_WIDTH] ||
           row == &car_params[CAR_HEIGHT];
}

// Can a command change this number of the vehicle itself? As set_param of its kind has it.
static bool is_live(const scenario_model *m, const mc_batch *batch, const mc_param *row)
{
    static const int drive[] = {DRIVE_BRAKE_MOST, DRIVE_BRAKE_FRONT, DRIVE_FRONT, DRIVE_DRAG,
                                DRIVE_ROLL};
    const bool alone = m->kind != SCENARIO_COSSERAT || batch->count == 1;
    for (int k = 0; k < 5; k++)
        if (row == &drive_params[drive[k]])
            return alone;
    if (m->kind == SCENARIO_COSSERAT)
        return alone && row == &cosserat_params[COSSERAT_MASS];
    if (m->kind == SCENARIO_MULTIBODY)
        return row == &car_params[CAR_MASS];
    if (m->kind == SCENARIO_POINT)
        return !is_outline(row) && row <= &car_params[CAR_SPEED_MOST];
    return !is_outline(row);
}

// Row `index` of a group, as it is now.
static mc_run_param param_of(const mc_run *r, int vehicle, const param_group *g, int index)
{
    const mc_param *row = &g->rows[index];
    mc_batch *batch;
    int i;
    mc_world_vehicle(r->world, vehicle, &batch, &i);
    double value = NAN;
    if (g->values)
        value = g->values[index];
    else if (batch->kind->get_param && !batch->kind->get_param(batch, i, row->name, &value))
        value = NAN;
    if (strcmp(g->name, "model") == 0 && row == &car_params[CAR_MASS])
        value = batch->kind->mass(batch, i);
    // The controller is that of several cars: what it says of pedals and room needs an edit.
    const bool by_set = g->rows != inner_params && g->rows != avoid_params && g->values;
    const run_rare *rare = &r->rare[r->slot[vehicle]];
    const double own[3] = {rare->own_headway, rare->own_distance, rare->own_v_set};
    return (mc_run_param){g->name, row, value,
                          by_set || (!g->values && is_live(model_of(r, vehicle), batch, row)),
                          g->rows == wish_rows && !isnan(own[index])};
}

int mc_run_param_at(const mc_run *r, int vehicle, int index, mc_run_param *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const int slot = r->slot[vehicle];
    const double wishes[3] = {r->car[slot].headway, r->car[slot].distance, r->car[slot].v_set};
    param_group groups[GROUPS];
    const int count = groups_of(r, vehicle, wishes, groups);
    int g = 0;
    for (; g < count && index >= groups[g].count; g++)
        index -= groups[g].count;
    if (index < 0 || g == count)
        return 0;
    *out = param_of(r, vehicle, &groups[g], index);
    return 1;
}

static const char *const group_names[] = {"model", "drive",  "powertrain", "law", "fallback",
                                          "radio", "sensor", "wishes",     "user"};

const char *run_param_group(const char *name, char group[RUN_GROUP_SIZE])
{
    group[0] = '\0';
    for (size_t k = 0; k < sizeof group_names / sizeof group_names[0]; k++) {
        const size_t length = strlen(group_names[k]);
        if (strncmp(name, group_names[k], length) == 0 && name[length] == '.') {
            memcpy(group, group_names[k], length + 1);
            return name + length + 1;
        }
    }
    return name;
}

// Without a group: wishes, user variables, then the car, then its law. Any case: a deformable car
// writes its mass MASS.
bool run_param_find(const mc_run *r, int vehicle, const char *group, const char *name,
                    mc_run_param *out)
{
    static const char *const order[] = {"wishes",     "user", "model",   "drive",
                                        "powertrain", "law",  "fallback"};
    const int slot = r->slot[vehicle], tries = group[0] ? 1 : (int)(sizeof order / sizeof order[0]);
    const double wishes[3] = {r->car[slot].headway, r->car[slot].distance, r->car[slot].v_set};
    param_group groups[GROUPS];
    const int count = groups_of(r, vehicle, wishes, groups);
    for (int k = 0; k < tries; k++)
        for (int g = 0; g < count; g++) {
            if (strcmp(groups[g].name, group[0] ? group : order[k]) != 0)
                continue;
            for (int i = 0; i < groups[g].count; i++) {
                if (strcasecmp(groups[g].rows[i].name, name) != 0)
                    continue;
                *out = param_of(r, vehicle, &groups[g], i);
                if (group[0] || out->live)
                    return true;
            }
        }
    return false;
}

// ---- pedals ----

bool mc_run_switch_at(const mc_run *r, int vehicle, mc_run_switch *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const run_car *c = &r->car[r->slot[vehicle]];
    if (c->controller < 0 || c->flags & (RUN_HAND | RUN_DRIVER_FILE | RUN_POINT))
        return false;
    mc_batch *batch;
    int i;
    mc_plan plan;
    mc_world_vehicle(r->world, vehicle, &batch, &i);
    const double asked = c->inner.wanted + c->inner.trim;
    batch->kind->plan(batch, i, 1, &asked, &plan);
    *out = (mc_run_switch){c->inner.mode == INNER_BRAKE, asked, plan.coast,
                           r->s->controllers[c->controller].inner[INNER_HYSTERESIS]};
    return true;
}

// ---- what happened ----

int mc_run_happened_count(const mc_run *r)
{
    return r->past.happened_count;
}

int mc_run_happened_at(const mc_run *r, int index, mc_happened *out)
{
    if (index < 0 || index >= r->past.happened_count)
        return 0;
    const run_happened *h = &r->past.happened[index];
    *out = (mc_happened){.time = h->time,
                         .name = h->kind < EVENT_KIND_COUNT
                                     ? scenario_event_names[h->kind]
                                     : run_happened_names[h->kind - EVENT_KIND_COUNT],
                         .vehicle = h->vehicle,
                         .vehicle_name = h->name,
                         .value = h->value};
    return 1;
}
