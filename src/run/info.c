// info.c - what a run has: vehicles, road, current parameters, what happened.
#include "run/info.h"

#include "base/assert.h"
#include "base/gravity.h"
#include "base/renamed.h"
#include "run/control.h"
#include "run/estimate.h"
#include "run/lead.h"
#include "run/where.h"
#include "scenario/road_formula.h"

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
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    mc_run_surface(r, vehicle, &e);
    *out = (mc_run_vehicle_info){
        .name = r->s->vehicles[vehicle].name,
        .model = m->name,
        .kind = m->type->name,
        .controller = k ? r->s->controllers[c->controller].name : "",
        .law = k ? r->laws[k->law[back ? RUN_FALLBACK : RUN_LAW]].text->name : "",
        .profile = rare->profile < 0 ? "" : r->s->profile_name[rare->profile],
        .platoon = rare->platoon,
        .place = rare->number,
        .lane = rare->lane,
        .length = m->facts.length,
        .width = m->facts.width,
        .height = 2.0 * column_length(&e, 2),
        .lane_y = c->lane_y,
        .leader = rare->platoon >= 0 && c->leader == slot,
        .leads_as = rare->leads_as,
        .by_hand = r->car[run_lead_source(r, slot)].flags & (RUN_HAND | RUN_DRIVER_FILE),
        .deformable = m->facts.deformable,
        .pedals = m->facts.pedals,
        .fallen_back = back,
        .checked_in = rare->ersc.checked_in,
        .mechanism = batch->kind->bench,
    };
}

void mc_run_surface(const mc_run *r, int vehicle, mc_ellipsoid *out)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    batch->kind->surface(batch, index, out);
    if (!r->where)
        return;
    double axes[9]; // columns as vectors
    for (int k = 0; k < 9; k++)
        axes[k] = out->axes[k % 3 * 3 + k / 3];
    run_where_unroll(r, r->slot[vehicle], out->centre, axes, 3);
    for (int k = 0; k < 9; k++)
        out->axes[k % 3 * 3 + k / 3] = axes[k];
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
        .ersc = r->ersc,
        .ersc_start = r->s->ersc.level,
    };
    if (r->s->profile) {
        const road_formula_numbers numbers = road_formula_numbers_of(r->s->profile);
        out->profile = road_formula_text(r->s->profile);
        out->profile_from = *numbers.from;
        out->profile_to = *numbers.to;
    }
}

double mc_run_elevation(const mc_run *r, double x)
{
    return road_height(&r->road, x);
}

double mc_run_slope(const mc_run *r, double x)
{
    return road_slope(&r->road, x);
}

// ---- formulas ----

static bool is_compiled(const expr_kernel *kernel, const char **why)
{
    if (expr_kernel_state_of(kernel) == EXPR_KERNEL_COMPILED)
        return true;
    *why = expr_kernel_message(kernel);
    return false;
}

bool mc_run_compiled(const mc_run *r, const char **why)
{
    bool all = true;
    *why = "";
    for (int k = 0; k < r->law_count; k++)
        all = is_compiled(law_kernel(r->laws[k].law), why) && all;
    for (int k = 0; k < r->s->tyre_count; k++)
        all = is_compiled(tyre_formula_kernel(r->s->tyres[k]), why) && all;
    return all;
}

// ---- parameters ----

static const mc_param desired_rows[] = {
    {"headway", "s", NAN, 0.0, 60.0, "desired time headway"},
    {"distance", "m", NAN, 0.0, 1000.0, "desired gap at rest, bumper to bumper"},
    {"speed", "m/s", NAN, 0.0, 150.0, "desired speed"},
};
static const mc_param user_rows[] = {
// Versions of clang-format disagree about braces in macros.
// clang-format off
#define USER(number)                                                                               \
    {"user" #number, "-", 0.0, -1e300, 1e300, "variable " #number " for laws of your own"}
    // clang-format on
    USER(1), USER(2), USER(3), USER(4), USER(5), USER(6), USER(7), USER(8),
};

typedef struct param_group {
    const char *name;
    const mc_param *rows;
    int count;
    const double *values;    // current values; of a vehicle type: those of the model
    const mc_model_key *key; // of a vehicle type; else NULL
} param_group;

enum { GROUPS = 64 };

// Groups of the vehicle itself, in the order of its type.
static int groups_of_type(const scenario_model *m, param_group out[GROUPS])
{
    int n = 0;
    for (int k = 0; k < m->type->key_count && n < GROUPS / 2; k++) {
        const mc_model_key *key = &m->type->keys[k];
        int count;
        const mc_param *rows = vehicle_rows(key, m->spec, &count);
        if (key->name && count > 0)
            out[n++] = (param_group){key->name, rows, count, vehicle_values_of(key, m->spec), key};
    }
    return n;
}

// The groups a vehicle has, in the order of the manual.
static int groups_of(const mc_run *r, int vehicle, const double desired[3], param_group out[GROUPS])
{
    const int slot = r->slot[vehicle], controller = r->car[slot].controller;
    int n = groups_of_type(model_of(r, vehicle), out);
    if (controller >= 0) {
        const scenario_controller *c = &r->s->controllers[controller];
        out[n++] = (param_group){"law", c->law->params, c->law->param_count,
                                 run_law_params(r, slot, RUN_LAW), NULL};
        out[n++] = (param_group){"steering", c->steering->params, c->steering->param_count,
                                 run_law_params(r, slot, RUN_STEERING), NULL};
        if (c->fallback)
            out[n++] = (param_group){"fallback", c->fallback->params, c->fallback->param_count,
                                     run_law_params(r, slot, RUN_FALLBACK), NULL};
        out[n++] = (param_group){"inner", inner_params, INNER_PARAM_COUNT, c->inner, NULL};
        out[n++] =
            (param_group){"radio", link_params, LINK_PARAM_COUNT, r->rare[slot].fault.link, NULL};
        out[n++] = (param_group){"sensor", sensor_params, SENSOR_PARAM_COUNT,
                                 r->rare[slot].fault.sensor, NULL};
        if (c->avoid)
            out[n++] = (param_group){"avoid", avoid_params, AVOID_PARAM_COUNT, c->avoid_p, NULL};
    }
    const run_estimate *e = run_estimate_at(r, slot);
    if (e) {
        const estimator_kind *kind = r->s->estimators[e->estimator].kind;
        out[n++] = (param_group){"estimator", kind->params, kind->param_count, e->p, NULL};
    }
    out[n++] = (param_group){"desired", desired_rows, 3, desired, NULL};
    out[n++] = (param_group){"user", user_rows, 8, r->rare[slot].user, NULL};
    return n;
}

static bool has_row(const param_group *g, int index)
{
    return !g->key || vehicle_has_row(g->key, index);
}

// What controllers are told of a car where its kind does not know it: in the unit of the row; the
// model's value when nothing changed it.
static double told(const mc_run *r, int slot, const mc_param *row, double given)
{
    const double max_a = r->car[slot].max_a;
    if (strcmp(row->name, MC_ROW_MAX_ACCELERATION) != 0 || given * GRAVITY == max_a)
        return given;
    return max_a / GRAVITY;
}

// A parameter of the vehicle itself; one that cannot change has the model's value.
static mc_run_param type_param(const mc_run *r, int vehicle, const param_group *g, int index)
{
    const mc_param *row = &g->rows[index];
    const mc_vehicle_type *type = model_of(r, vehicle)->type;
    mc_batch *batch;
    int i;
    mc_world_vehicle(r->world, vehicle, &batch, &i);
    const bool live = vehicle_row_is_live(g->key, index) && (type->alone == 0 || batch->count == 1);
    double value = g->values[index];
    if (vehicle_row_is_live(g->key, index) &&
        !(batch->kind->get_param && batch->kind->get_param(batch, i, row->name, &value)))
        value = told(r, r->slot[vehicle], row, g->values[index]);
    return (mc_run_param){g->name, row, value, live, false};
}

// Row `index` of a group, as it is now.
static mc_run_param param_of(const mc_run *r, int vehicle, const param_group *g, int index)
{
    if (g->key)
        return type_param(r, vehicle, g, index);
    // The controller is that of several cars: what it says of pedals and room needs an edit.
    const bool by_set = g->rows != inner_params && g->rows != avoid_params;
    const run_rare *rare = &r->rare[r->slot[vehicle]];
    const double own[3] = {rare->own_headway, rare->own_distance, rare->own_v_set};
    return (mc_run_param){g->name, &g->rows[index], g->values[index], by_set,
                          g->rows == desired_rows && !isnan(own[index])};
}

bool mc_run_param_at(const mc_run *r, int vehicle, int index, mc_run_param *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const int slot = r->slot[vehicle];
    const double desired[3] = {r->car[slot].headway, r->car[slot].distance, r->car[slot].v_set};
    param_group groups[GROUPS];
    const int count = groups_of(r, vehicle, desired, groups);
    for (int g = 0; g < count && index >= 0; g++)
        for (int i = 0; i < groups[g].count; i++)
            if (has_row(&groups[g], i) && index-- == 0) {
                *out = param_of(r, vehicle, &groups[g], i);
                return 1;
            }
    return 0;
}

static bool is_group(const char *word)
{
    static const char *const others[] = {"law",     "fallback", "radio",     "sensor",
                                         "desired", "user",     "estimator", "steering"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (strcmp(others[k], word) == 0)
            return true;
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)); t++)
        for (int k = 0; k < type->key_count; k++)
            if (type->keys[k].name && strcmp(type->keys[k].name, word) == 0)
                return true;
    return false;
}

const char *run_param_group(const char *name, char group[RUN_GROUP_SIZE])
{
    const char *point = strchr(name, '.');
    const size_t length = point ? (size_t)(point - name) : 0;
    group[0] = '\0';
    if (length == 0 || length >= RUN_GROUP_SIZE)
        return name;
    char word[RUN_GROUP_SIZE];
    memcpy(word, name, length);
    word[length] = '\0';
    const char *now = renamed_now(word);
    if (!is_group(word) && !(now && is_group(now)))
        return name;
    strcpy(group, is_group(word) ? word : now);
    return point + 1;
}

// When a command without a group looks into this one: desired values, user variables, then the car,
// then its law. Negative: never.
static int turn_of(const param_group *g)
{
    static const char *const order[] = {"desired", "user", NULL, "law", "fallback"};
    for (int k = 0; k < 5; k++)
        if (order[k] ? strcmp(g->name, order[k]) == 0 && !g->key : g->key != NULL)
            return k;
    return -1;
}

// Any case: a deformable car writes its mass MASS.
bool run_param_find(const mc_run *r, int vehicle, const char *group, const char *name,
                    mc_run_param *out)
{
    const int slot = r->slot[vehicle], turns = group[0] ? 1 : 5;
    const double desired[3] = {r->car[slot].headway, r->car[slot].distance, r->car[slot].v_set};
    param_group groups[GROUPS];
    const int count = groups_of(r, vehicle, desired, groups);
    for (int turn = 0; turn < turns; turn++)
        for (int g = 0; g < count; g++) {
            if (group[0] ? strcmp(groups[g].name, group) != 0 : turn_of(&groups[g]) != turn)
                continue;
            for (int i = 0; i < groups[g].count; i++) {
                if (!has_row(&groups[g], i) || strcasecmp(groups[g].rows[i].name, name) != 0)
                    continue;
                *out = param_of(r, vehicle, &groups[g], i);
                if (group[0] || out->live)
                    return true;
            }
        }
    return false;
}

const char *run_param_name(const mc_run *r, int vehicle, const char *param,
                           char group[RUN_GROUP_SIZE], unsigned *renamed)
{
    const char *name = run_param_group(param, group), *now = renamed_now(name);
    mc_run_param row;
    if (group[0] && strncmp(param, group, (size_t)(name - param) - 1) != 0)
        *renamed |= renamed_bit_of(group);
    if (!now || run_param_find(r, vehicle, group, name, &row) ||
        !run_param_find(r, vehicle, group, now, &row))
        return name;
    *renamed |= renamed_bit_of(now);
    return now;
}

bool mc_run_renamed(const mc_run *r, char *text, size_t size)
{
    if (r->past.renamed != 0)
        renamed_text(r->past.renamed, text, size);
    return r->past.renamed != 0;
}

// ---- pedals ----

bool mc_run_switch_at(const mc_run *r, int vehicle, mc_run_switch *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const run_car *c = &r->car[r->slot[vehicle]];
    if (c->controller < 0 || c->flags & (RUN_HAND | RUN_DRIVER_FILE | RUN_NO_PEDALS))
        return false;
    mc_batch *batch;
    int i;
    mc_plan plan;
    mc_world_vehicle(r->world, vehicle, &batch, &i);
    const double asked = c->inner.desired + c->inner.trim;
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

bool mc_run_happened_at(const mc_run *r, int index, mc_happened *out)
{
    if (index < 0 || index >= r->past.happened_count)
        return 0;
    const run_happened *h = &r->past.happened[index];
    *out = (mc_happened){.time = h->time,
                         .kind = h->kind,
                         .name = event_name(h->kind),
                         .vehicle = h->vehicle,
                         .vehicle_name = h->name,
                         .value = h->value};
    return 1;
}
