// observe.c - a run seen from outside, car by car into arrays.
#include "motorcade/observe.h"

#include "base/assert.h"
#include "sim/run.h"

#include <math.h>
#include <string.h>

const mc_field_info mc_field_table[MC_FIELD_COUNT] = {
    [MC_FIELD_X] = {"x", "m", "middle of the car along the road"},
    [MC_FIELD_Y] = {"y", "m", "across the road, left positive"},
    [MC_FIELD_PSI] = {"psi", "rad", "heading, left positive"},
    [MC_FIELD_V] = {"v", "m/s", "speed"},
    [MC_FIELD_A] = {"a", "m/s^2", "acceleration"},
    [MC_FIELD_JERK] = {"jerk", "m/s^3", "rate of the acceleration"},
    [MC_FIELD_S] = {"s", "m", "where it should be"},
    [MC_FIELD_THROTTLE] = {"throttle", "-", "0 closed .. 1 open"},
    [MC_FIELD_BRAKE] = {"brake", "-", "0 .. 1, share of the greatest brake force"},
    [MC_FIELD_STEER] = {"steer", "rad", "angle of the steered wheels, left positive"},
    [MC_FIELD_RPM] = {"rpm", "1/min", "engine speed"},
    [MC_FIELD_FUEL] = {"fuel", "g", "fuel burnt since the start"},
    [MC_FIELD_ENERGY] = {"energy", "J", "energy of motion and deformation"},
    [MC_FIELD_GAP] = {"gap", "m", "bumper to bumper to the car in front"},
    [MC_FIELD_WANTED] = {"wanted", "m/s^2", "acceleration its controller asks for"},
    [MC_FIELD_MILEAGE] = {"mileage", "m/l",
                          "distance by fuel over a moving window, filtered (eq 13)"},
};

// Where the channels that every kind may have stand in those of one; -1: it has none.
typedef struct known_channels {
    int rpm, fuel;
} known_channels;

static known_channels find_channels(const mc_vehicle_kind *kind)
{
    known_channels k = {-1, -1};
    for (int c = 0; c < kind->channel_count; c++) {
        if (c == 0 && kind->channel_count > 2) // "n" is always there; a point has no engine
            k.rpm = c;
        if (strcmp(kind->channels[c].name, "fuel") == 0)
            k.fuel = c;
    }
    if (k.fuel < 0)
        k.rpm = -1;
    return k;
}

static void put(float *array, int i, double value)
{
    if (array)
        array[i] = (float)value;
}

static unsigned status_of(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    const mc_inputs *in = &r->inputs[slot];
    return (c->leader == slot && rare->platoon >= 0 ? (unsigned)MC_CAR_LEADER : 0) |
           (c->flags & (RUN_HAND | RUN_DRIVER_FILE) ? (unsigned)MC_CAR_BY_HAND : 0) |
           (rare->brake_left < 1.0 ? (unsigned)MC_CAR_BRAKE_FAULT : 0) |
           (!isnan(rare->throttle_stuck) ? (unsigned)MC_CAR_THROTTLE_FAULT : 0) |
           (c->flags & RUN_FALLEN_BACK ? (unsigned)MC_CAR_FALLEN_BACK : 0) |
           (in->brake > 0.02 ? (unsigned)MC_CAR_BRAKES : 0) |
           (in->throttle > 0.02 ? (unsigned)MC_CAR_THROTTLE : 0);
}

static void read_motion(const mc_run *r, int slot, const mc_row *row)
{
    const run_car *c = &r->car[slot];
    const mc_motion *m = &r->motion[slot];
    const mc_inputs *in = &r->inputs[slot];
    const int v = r->rare[slot].vehicle;
    const double x = m->x + 0.5 * (c->nose + c->tail);
    double gap = NAN, s = NAN;
    if (c->front >= 0) {
        gap = r->motion[c->front].x + r->car[c->front].tail - m->x - c->nose;
        s = x + (gap - c->distance - c->headway * m->v);
    }
    if (row->x)
        row->x[v] = x;
    if (row->s)
        row->s[v] = s;
    put(row->value[MC_FIELD_Y], v, m->y);
    put(row->value[MC_FIELD_PSI], v, m->psi);
    put(row->value[MC_FIELD_V], v, m->v);
    put(row->value[MC_FIELD_A], v, m->a);
    put(row->value[MC_FIELD_JERK], v, r->step > 0 ? (m->a - c->a_before) / r->s->step : 0.0);
    put(row->value[MC_FIELD_THROTTLE], v, in->throttle);
    put(row->value[MC_FIELD_BRAKE], v, in->brake);
    put(row->value[MC_FIELD_STEER], v, in->steer);
    put(row->value[MC_FIELD_GAP], v, gap);
    put(row->value[MC_FIELD_WANTED], v, c->wanted);
    put(row->value[MC_FIELD_MILEAGE], v,
        r->mileage ? r->mileage[slot].value * (1e-3 * MILEAGE_MILE / MILEAGE_GALLON) : NAN);
    if (row->status)
        row->status[v] = status_of(r, slot);
    if (row->hits)
        row->hits[v] = r->rare[slot].hits;
}

// Engine, fuel, energy: by calls to the kind.
static void read_batch(const mc_run *r, const run_batch *b, const mc_row *row)
{
    const mc_vehicle_kind *kind = b->batch->kind;
    const known_channels k = find_channels(kind);
    const bool channels = k.fuel >= 0 && (row->value[MC_FIELD_RPM] || row->value[MC_FIELD_FUEL]);
    mc_assert(kind->channel_count <= RUN_CHANNELS_MOST);
    for (int i = 0; i < b->batch->count; i++) {
        const int v = r->rare[b->first + i].vehicle;
        double value[RUN_CHANNELS_MOST];
        if (channels)
            kind->read_channels(b->batch, i, value);
        put(row->value[MC_FIELD_RPM], v, k.rpm < 0 ? NAN : value[k.rpm]);
        put(row->value[MC_FIELD_FUEL], v, k.fuel < 0 ? NAN : 1e3 * value[k.fuel]);
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

double mc_run_middle(const mc_run *r, int vehicle)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const run_car *c = &r->car[r->slot[vehicle]];
    return 0.5 * (c->nose + c->tail);
}

// ---- controllers ----

int mc_run_controller_at(const mc_run *r, int index, mc_run_controller_info *out)
{
    if (index < 0 || index >= r->s->controller_count)
        return 0;
    const scenario_controller *c = &r->s->controllers[index];
    *out =
        (mc_run_controller_info){.name = c->name,
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
                                 .parts = {{"inner", inner_params, c->inner, INNER_PARAM_COUNT},
                                           {"radio", link_params, c->link, LINK_PARAM_COUNT},
                                           {"sensor", sensor_params, c->sensor, SENSOR_PARAM_COUNT},
                                           {"avoid", avoid_params, c->avoid_p, AVOID_PARAM_COUNT}},
                                 .part_count = c->avoid ? 4 : 3,
                                 .listen_count = c->listen_count,
                                 .listen_leader = c->listen_leader};
    memcpy(out->listen, c->listen, sizeof out->listen);
    for (int slot = 0; slot < r->count; slot++)
        if (r->car[slot].controller == index) {
            out->values = run_law_params(r, slot, false);
            break;
        }
    return 1;
}

int mc_run_controller_line(const mc_run *r, int controller, int index, mc_law_line *out)
{
    if (controller < 0 || controller >= r->s->controller_count || index < 0)
        return 0;
    const law_text *l = r->s->controllers[controller].law;
    if (index < l->variable_count) {
        const law_line *v = &l->variables[index];
        *out = (mc_law_line){MC_LAW_VARIABLE, v->name, v->unit ? v->unit : "", v->formula, NULL};
        return 1;
    }
    index -= l->variable_count;
    if (index < l->state_count) {
        const law_state *s = &l->states[index];
        *out = (mc_law_line){MC_LAW_STATE, s->rate.name, s->rate.unit ? s->rate.unit : "",
                             s->rate.formula, s->start};
        return 1;
    }
    if (index > l->state_count)
        return 0;
    *out = (mc_law_line){MC_LAW_ACCELERATION, "a", "m/s^2", l->acceleration.formula, NULL};
    return 1;
}

int mc_run_model_at(const mc_run *r, int index, mc_run_model_info *out)
{
    if (index < 0 || index >= r->s->model_count)
        return 0;
    const scenario_model *m = &r->s->models[index];
    const bool own_mass = m->kind == SCENARIO_POINT || m->kind == SCENARIO_POWERTRAIN;
    *out = (mc_run_model_info){m->name,
                               scenario_kind_names[m->kind],
                               m->car.p[CAR_LENGTH],
                               m->car.p[CAR_WIDTH],
                               m->car.p[CAR_HEIGHT],
                               own_mass ? m->car.p[CAR_MASS] : NAN};
    return 1;
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
