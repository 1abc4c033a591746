// observe.c - a run seen from outside, car by car into arrays.
#include "motorcade/observe.h"

#include "base/assert.h"
#include "run/control.h"
#include "run/run.h"
#include "run/where.h"
#include "scenario/looks.h"

#include <math.h>
#include <string.h>

// Where the channels that every kind may have stand in those of one; -1: it has none.
typedef struct known_channels {
    int n, fuel;
} known_channels;

static known_channels find_channels(const mc_vehicle_kind *kind)
{
    known_channels k = {-1, -1};
    for (int c = 0; c < kind->channel_count; c++)
        if (strcmp(kind->channels[c].name, "fuel") == 0)
            k = (known_channels){0, c}; // n is the first of every kind; a point has no engine
    return k;
}

static unsigned status_of(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    const mc_inputs *in = &r->inputs[slot];
    return (c->leader == slot && rare->platoon >= 0 ? (unsigned)MC_CAR_STATUS_LEADER : 0) |
           (c->flags & (RUN_HAND | RUN_DRIVER_FILE) ? (unsigned)MC_CAR_STATUS_BY_HAND : 0) |
           (rare->fault.brake_left < 1.0 ? (unsigned)MC_CAR_STATUS_BRAKE_FAULT : 0) |
           (!isnan(rare->fault.throttle_stuck) ? (unsigned)MC_CAR_STATUS_THROTTLE_FAULT : 0) |
           (c->flags & RUN_FALLEN_BACK ? (unsigned)MC_CAR_STATUS_FALLEN_BACK : 0) |
           (in->brake > 0.02 ? (unsigned)MC_CAR_STATUS_BRAKES : 0) |
           (in->throttle > 0.02 ? (unsigned)MC_CAR_STATUS_THROTTLE : 0) |
           (rare->ersc.checked_in ? (unsigned)MC_CAR_STATUS_CHECKED_IN : 0) |
           (rare->ersc.flashes ? (unsigned)MC_CAR_STATUS_FLASHES : 0) |
           (rare->ersc.blind[0] >= 0 ? (unsigned)MC_CAR_STATUS_BLIND_LEFT : 0) |
           (rare->ersc.blind[1] >= 0 ? (unsigned)MC_CAR_STATUS_BLIND_RIGHT : 0);
}

// A car has a desired place if its law knows the desired spacing; a driver who only follows speeds
// (pipes) and a car without a law have none.
static bool keeps_spacing(const mc_run *r, const run_car *c)
{
    if (c->controller < 0)
        return false;
    const scenario_fmu *driver = r->s->controllers[c->controller].unit;
    for (int k = 0; driver && k < driver->wiring.input_count; k++) {
        const int signal = driver->wiring.inputs[k].word % SIGNAL_COUNT;
        if (signal == SIGNAL_HEADWAY || signal == SIGNAL_DISTANCE ||
            signal == SIGNAL_POSITION_ERROR)
            return true;
    }
    const law *l = r->laws[r->controllers[c->controller].law[RUN_LAW]].law;
    return law_uses(l, SIGNAL_HEADWAY) || law_uses(l, SIGNAL_DISTANCE) ||
           law_uses(l, SIGNAL_POSITION_ERROR);
}

// Of a car that stands, the direction of its last creep means nothing.
static double side_slip(const mc_motion *m)
{
    const bool stands = m->v * m->v + m->v_y * m->v_y < 0.01; // 0.1 m/s
    return stands || m->v_y == 0.0 ? 0.0 : atan2(m->v_y, m->v);
}

// All fields that cost nothing to know.
static void fields_of(const mc_run *r, int slot, double value[MC_FIELD_COUNT])
{
    const run_car *c = &r->car[slot];
    const mc_motion *m = &r->motion[slot];
    const mc_inputs *in = &r->inputs[slot];
    const double middle = m->x + 0.5 * (c->nose + c->tail);
    double gap = NAN, error = NAN;
    if (c->front >= 0) {
        gap = run_gap(r, slot);
        error = keeps_spacing(r, c) ? gap - c->distance - c->headway * m->v : NAN;
        if (c->flags & RUN_SHIFTS)
            error -= r->rare[slot].shift.d;
    }
    value[MC_FIELD_X] = m->x;
    value[MC_FIELD_Y] = m->y;
    value[MC_FIELD_PSI] = m->psi;
    value[MC_FIELD_V] = m->v;
    value[MC_FIELD_A] = m->a;
    value[MC_FIELD_JERK] = r->step > 0 ? (m->a - c->a_before) / r->s->step : 0.0;
    value[MC_FIELD_THROTTLE] = in->throttle;
    value[MC_FIELD_BRAKE] = in->brake;
    value[MC_FIELD_STEER] = in->steer;
    value[MC_FIELD_GAP] = gap;
    value[MC_FIELD_SPACING_ERROR] = error;
    value[MC_FIELD_A_DESIRED] = c->desired;
    value[MC_FIELD_MIDDLE] = middle;
    value[MC_FIELD_TARGET] = middle + error;
    value[MC_FIELD_MILEAGE] = r->mileage ? r->mileage[slot].value : NAN;
    mc_run_estimate estimate = {.value = NAN, .band = NAN};
    if (r->estimate_count > 0)
        mc_run_estimate_of(r, r->rare[slot].vehicle, &estimate);
    value[MC_FIELD_ESTIMATE] = estimate.value;
    value[MC_FIELD_ESTIMATE_BAND] = estimate.band;
    value[MC_FIELD_YAW_RATE] = m->yaw_rate;
    value[MC_FIELD_SIDE_SLIP] = side_slip(m);
    value[MC_FIELD_A_Y] = m->v * m->yaw_rate;
    const run_rare *rare = &r->rare[slot];
    const bool on_ramp = r->where && r->where[slot].path > 0;
    value[MC_FIELD_LANE] = on_ramp ? 0.0 : rare->lane + 1.0;
    value[MC_FIELD_PATH] = r->where ? r->where[slot].path : 0.0;
    const int *blind = rare->ersc.blind, other = blind[0] >= 0 ? blind[0] : blind[1];
    value[MC_FIELD_BLIND_SPOT] = other < 0 ? 0.0 : r->rare[other].vehicle + 1.0;
    value[MC_FIELD_CHECKED_IN] = rare->ersc.checked_in;
    value[MC_FIELD_WARNINGS] = (blind[0] >= 0 ? 1.0 : 0.0) + (blind[1] >= 0 ? 2.0 : 0.0) +
                               (rare->ersc.flashes ? 4.0 : 0.0);
    value[MC_FIELD_N] = value[MC_FIELD_FUEL] = value[MC_FIELD_ENERGY] = NAN;
}

// A car that drives straight has no acceleration across: its kind is not asked.
static bool drives_straight(const mc_run *r, int slot)
{
    const mc_motion *m = &r->motion[slot];
    return m->v_y == 0.0 && m->yaw_rate == 0.0 && r->inputs[slot].steer == 0.0;
}

static void read_motion(const mc_run *r, int slot, const mc_row *row)
{
    const int v = r->rare[slot].vehicle;
    double value[MC_FIELD_COUNT];
    fields_of(r, slot, value);
    for (int f = 0; f < MC_FIELD_COUNT; f++)
        if (row->value[f])
            row->value[f][v] = (float)value[f];
    if (row->middle)
        row->middle[v] = value[MC_FIELD_MIDDLE];
    if (row->target)
        row->target[v] = value[MC_FIELD_TARGET];
    if (row->status)
        row->status[v] = status_of(r, slot);
    if (row->hits)
        row->hits[v] = r->rare[slot].hits;
}

// Engine, fuel, energy, acceleration across: by calls to the kind.
static void read_batch(const mc_run *r, const run_batch *b, const mc_row *row)
{
    const mc_vehicle_kind *kind = b->batch->kind;
    const known_channels k = find_channels(kind);
    float *const n = row->value[MC_FIELD_N], *const fuel = row->value[MC_FIELD_FUEL];
    mc_assert(kind->channel_count <= RUN_CHANNELS_MAX);
    for (int i = 0; i < b->batch->count; i++) {
        const int v = r->rare[b->first + i].vehicle;
        if (k.fuel >= 0 && (n || fuel)) { // where there is fuel, there is an engine
            double value[RUN_CHANNELS_MAX];
            kind->read_channels(b->batch, i, value);
            if (n)
                n[v] = (float)value[k.n];
            if (fuel)
                fuel[v] = (float)value[k.fuel];
        }
        if (row->value[MC_FIELD_A_Y] && kind->lateral_acceleration &&
            !drives_straight(r, b->first + i))
            row->value[MC_FIELD_A_Y][v] = (float)kind->lateral_acceleration(b->batch, i);
        if (row->value[MC_FIELD_ENERGY]) {
            mc_energy e;
            kind->energy(b->batch, i, &e);
            row->value[MC_FIELD_ENERGY][v] = (float)(e.kinetic + e.elastic);
        }
    }
}

void mc_run_read_row(const mc_run *r, const mc_row *row)
{
    for (int slot = 0; slot < r->count; slot++)
        read_motion(r, slot, row);
    for (int k = 0; k < r->batch_count; k++)
        read_batch(r, &r->batches[k], row);
}

void mc_run_read_fields(const mc_run *r, int vehicle, double value[MC_FIELD_COUNT],
                        double *channels)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    mc_batch *batch;
    int index;
    double own[RUN_CHANNELS_MAX];
    double *const all = channels ? channels : own;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    mc_assert(batch->kind->channel_count <= RUN_CHANNELS_MAX);
    const known_channels k = find_channels(batch->kind);
    fields_of(r, r->slot[vehicle], value);
    batch->kind->read_channels(batch, index, all);
    if (batch->kind->lateral_acceleration && !drives_straight(r, r->slot[vehicle]))
        value[MC_FIELD_A_Y] = batch->kind->lateral_acceleration(batch, index);
    value[MC_FIELD_N] = k.n < 0 ? NAN : all[k.n];
    value[MC_FIELD_FUEL] = k.fuel < 0 ? NAN : all[k.fuel];
}

double mc_run_middle(const mc_run *r, int vehicle)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const run_car *c = &r->car[r->slot[vehicle]];
    return 0.5 * (c->nose + c->tail);
}

// Of a vehicle that stays in the plane z = 0.
static mc_pose flat_pose(const mc_motion *m)
{
    const double c = cos(m->psi), s = sin(m->psi), turn = m->yaw_rate;
    return (mc_pose){.position = {m->x, m->y},
                     .directors = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0},
                     .velocity = {c * m->v - s * m->v_y, s * m->v + c * m->v_y},
                     .director_rates = {-turn * s, turn * c, 0.0, -turn * c, -turn * s}};
}

bool mc_run_pose(const mc_run *r, int vehicle, mc_pose *out)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    if (!batch->kind->pose) {
        *out = flat_pose(&r->motion[r->slot[vehicle]]);
        return false;
    }
    batch->kind->pose(batch, index, out);
    double place[3];
    memcpy(place, out->position, sizeof place);
    run_where_unroll(r, r->slot[vehicle], place, out->velocity, 1);
    memcpy(place, out->position, sizeof place);
    run_where_unroll(r, r->slot[vehicle], place, out->directors, 3);
    run_where_unroll(r, r->slot[vehicle], out->position, out->director_rates, 3);
    return true;
}

mc_status mc_run_bench(const mc_run *r, int vehicle, mc_vehicle_bench *out, mc_error *error)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    *out = (mc_vehicle_bench){0};
    if (!batch->kind->bench)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is a %s vehicle; only one made of a mechanism can be put on the "
                            "bench",
                            r->s->vehicles[vehicle].name, batch->kind->name);
    return batch->kind->bench(batch, index, out, error);
}

bool mc_run_own_value(const mc_run *r, int vehicle, const char *name, double *out)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    return batch->kind->get_param && batch->kind->get_param(batch, index, name, out);
}

void mc_run_unroll(const mc_run *r, const mc_impact *impact, mc_impact *out)
{
    const int slot = r->slot[impact->a];
    double place[3], vectors[6][3];
    *out = *impact;
    if (!r->where)
        return;
    memcpy(place, impact->point, sizeof place);
    memcpy(vectors[0], impact->normal, sizeof vectors[0]);
    memcpy(vectors[1], impact->tangential, sizeof vectors[1]);
    memcpy(vectors[2], impact->velocity_before, 2 * sizeof vectors[0]);
    memcpy(vectors[4], impact->velocity_after, 2 * sizeof vectors[0]);
    run_where_unroll(r, slot, place, vectors[0], 6);
    memcpy(out->point, place, sizeof place);
    memcpy(out->normal, vectors[0], sizeof vectors[0]);
    memcpy(out->tangential, vectors[1], sizeof vectors[1]);
    memcpy(out->velocity_before, vectors[2], 2 * sizeof vectors[0]);
    memcpy(out->velocity_after, vectors[4], 2 * sizeof vectors[0]);
}

void mc_run_momentum(const mc_run *r, int vehicle, double momentum[3], double road_impulse[3])
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    batch->kind->momentum(batch, index, momentum);
    batch->kind->road_impulse(batch, index, road_impulse);
}

void mc_run_clock_of(const mc_run *r, mc_run_clock *out)
{
    *out = (mc_run_clock){r->step, r->zero_step, r->zero_time, r->s->step, r->past.version};
}

// ---- controllers ----

bool mc_run_controller_at(const mc_run *r, int index, mc_run_controller_info *out)
{
    if (index < 0 || index >= r->s->controller_count)
        return 0;
    const scenario_controller *c = &r->s->controllers[index];
    *out = (mc_run_controller_info){
        .name = c->name,
        .law = c->law->name ? c->law->name : "",
        .own = law_find(c->law->name ? c->law->name : "") != c->law,
        .params = c->law->params,
        .values = c->law_p,
        .param_count = c->law->param_count,
        .headway = c->headway,
        .distance = c->distance,
        .v_set = c->v_set,
        .fallback = c->fallback ? c->fallback->name : "",
        .fallback_params = c->fallback ? c->fallback->params : NULL,
        .fallback_values = c->fallback_p,
        .fallback_count = c->fallback ? c->fallback->param_count : 0,
        .steering = c->steering->name ? c->steering->name : "",
        .parts = {{"inner", inner_params, c->inner, INNER_PARAM_COUNT},
                  {"radio", link_params, c->link, LINK_PARAM_COUNT},
                  {"sensor", sensor_params, c->sensor, SENSOR_PARAM_COUNT},
                  {"steering", c->steering->params, c->steering_p, c->steering->param_count},
                  {"lane_change", lane_change_params, c->lane_change, LANE_CHANGE_PARAM_COUNT},
                  {"avoid", avoid_params, c->avoid_p, AVOID_PARAM_COUNT}},
        .part_count = c->avoid ? 6 : 5,
        .listen_count = c->listen_count,
        .listen_leader = c->listen_leader};
    memcpy(out->listen, c->listen, sizeof out->listen);
    for (int slot = 0; slot < r->count; slot++)
        if (r->car[slot].controller == index) {
            out->values = run_law_params(r, slot, RUN_LAW);
            break;
        }
    return 1;
}

bool mc_run_controller_line(const mc_run *r, int controller, int index, mc_law_line *out)
{
    if (controller < 0 || controller >= r->s->controller_count || index < 0)
        return 0;
    const law_text *l = r->s->controllers[controller].law;
    if (index < l->variable_count) {
        const law_line *v = &l->variables[index];
        *out =
            (mc_law_line){MC_LAW_LINE_VARIABLE, v->name, v->unit ? v->unit : "", v->formula, NULL};
        return 1;
    }
    index -= l->variable_count;
    if (index < l->state_count) {
        const law_state *s = &l->states[index];
        *out = (mc_law_line){MC_LAW_LINE_STATE, s->rate.name, s->rate.unit ? s->rate.unit : "",
                             s->rate.formula, s->start};
        return 1;
    }
    if (index > l->state_count)
        return 0;
    *out = (mc_law_line){MC_LAW_LINE_ACCELERATION, "a", "m/s^2", l->acceleration.formula, NULL};
    return 1;
}

bool mc_run_model_at(const mc_run *r, int index, mc_run_model_info *out)
{
    if (index < 0 || index >= r->s->model_count)
        return 0;
    const scenario_model *m = &r->s->models[index];
    *out = (mc_run_model_info){.name = m->name,
                               .kind = m->type->name,
                               .length = m->facts.length,
                               .width = m->facts.width,
                               .height = m->facts.height,
                               .mass = m->facts.mass,
                               .pedals = m->facts.pedals,
                               .look = m->look};
    return 1;
}

mc_status mc_run_look_mesh(const mc_run *r, int model, mc_look_mesh *out, mc_error *error)
{
    *out = (mc_look_mesh){0};
    if (model < 0 || model >= r->s->model_count || !r->s->models[model].look_file)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the model has no file as its look");
    return scenario_look_mesh(&r->s->models[model], out, error);
}

const char *mc_run_profile_name(const mc_run *r, int index)
{
    return index >= 0 && index < r->s->profile_count ? r->s->profile_name[index] : NULL;
}

double mc_run_step_size(const mc_run *r)
{
    return r->s->step;
}

double mc_run_limit(const mc_run *r)
{
    return r->s->end;
}
