// vehicle.c - one vehicle of a scenario as a unit: pedals and steering in, motion out.
//
// The vehicle is alone on the road of the scenario, in a world of its own, which is advanced by the
// communication step: with the control step of the scenario the bits are those of a run in which
// the vehicle gets the same inputs and hits nothing. Its motion is that of the plane (road.h).
#include "fmu/model.h"

#include "base/file.h"
#include "scenario/scenario.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct slot { // what a variable is
    enum { SLOT_TIME, SLOT_INPUT, SLOT_START, SLOT_PARAM, SLOT_MOTION, SLOT_CHANNEL } what;
    int index;
    const char *param; // of SLOT_PARAM: its name for the vehicle
    double value;      // of what is set
} slot;

enum { START_X, START_Y, START_PSI, START_V, STARTS };

typedef struct vehicle_unit {
    fmu_model base; // first
    scenario *scenario;
    const scenario_model *model;
    mc_world *world;
    mc_batch *batch; // of one vehicle, of the world
    slot *slots;
    mc_motion motion;
    double *channel;
    double time;
    bool fresh; // motion and channels are those of now
} vehicle_unit;

static const struct {
    const char *name, *unit, *doc;
} inputs[] = {{"throttle", "-", "0 closed .. 1 open"},
              {"brake", "-", "0 .. 1, share of the maximum brake force"},
              {"steer", "rad", "angle of the steered wheels, left positive"},
              {"acceleration", "m/s^2", "desired, of a vehicle without pedals"}},
  starts[] = {{"start.x", "m", "mass centre at the start"},
              {"start.y", "m", "mass centre at the start, left positive"},
              {"start.psi", "rad", "heading at the start, from x to the left"},
              {"start.v", "m/s", "speed at the start, along the heading"}},
  motions[] = {{"x", "m", "mass centre"},
               {"y", "m", "mass centre, left positive"},
               {"psi", "rad", "heading, from x to the left"},
               {"v", "m/s", "speed along the heading"},
               {"v_y", "m/s", "speed to the left of the heading"},
               {"yaw_rate", "rad/s", "of the heading"},
               {"a", "m/s^2", "acceleration along the heading"}};
enum { INPUTS = sizeof inputs / sizeof *inputs, MOTIONS = sizeof motions / sizeof *motions };

static vehicle_unit *of(fmu_model *m)
{
    return (vehicle_unit *)m;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the unit");
}

static slot *slot_of(vehicle_unit *u, int what, int index)
{
    int i = 0;
    while ((int)u->slots[i].what != what || u->slots[i].index != index)
        i++;
    return &u->slots[i];
}

// ---- the vehicle -------------------------------------------------------------------------------

static mc_status make_world(vehicle_unit *u, mc_error *error)
{
    const scenario *s = u->scenario;
    mc_world_options options = mc_world_defaults();
    options.threads = 1;
    options.contact = s->contact_law;
    options.step = s->contact_step;
    options.restitution = s->contact_restitution;
    options.friction = s->contact_friction;
    options.resting_guard = s->contact_rest;
    mc_world_destroy(u->world);
    u->batch = NULL;
    u->world = mc_world_create(&options, error);
    return u->world ? MC_OK : error->code;
}

// From its start values, settled at its speed.
static mc_status make(vehicle_unit *u, const double start[STARTS], mc_error *error)
{
    const scenario *s = u->scenario;
    int id;
    mc_status status = make_world(u, error);
    if (status != MC_OK)
        return status;
    const mc_vehicle_setup setup = {sizeof setup, &s->road, s->step, s->contact_step, 0.0};
    const mc_vehicle_start first = {
        u->model->spec, start[START_X], start[START_Y], start[START_PSI], start[START_V], 0.0,
        false};
    mc_batch *batch = u->model->type->create(&first, 1, &setup, error);
    if (!batch)
        return error->code;
    status = mc_world_give(u->world, batch, error);
    if (status != MC_OK) {
        batch->kind->destroy(batch);
        return status;
    }
    u->batch = batch;
    batch->kind->set_road(batch, &s->road);
    status = mc_world_add(u->world, batch, 0, &id, error);
    if (status == MC_OK)
        status = mc_world_start(u->world, NULL, NULL, error);
    u->fresh = false;
    return status;
}

static void set_params(vehicle_unit *u)
{
    for (int i = 0; i < u->base.variable_count; i++)
        if (u->slots[i].what == SLOT_PARAM && u->batch->kind->set_param &&
            u->slots[i].value != u->base.variables[i].start)
            u->batch->kind->set_param(u->batch, 0, u->slots[i].param, u->slots[i].value);
}

// ---- values ------------------------------------------------------------------------------------

static double get(fmu_model *m, int variable)
{
    vehicle_unit *u = of(m);
    const slot *s = &u->slots[variable];
    if (!u->fresh && (s->what == SLOT_MOTION || s->what == SLOT_CHANNEL)) {
        u->batch->kind->motion(u->batch, 0, 1, &u->motion);
        u->batch->kind->read_channels(u->batch, 0, u->channel);
        u->fresh = true;
    }
    const mc_motion *x = &u->motion;
    const double motion[MOTIONS] = {x->x, x->y, x->psi, x->v, x->v_y, x->yaw_rate, x->a};
    return s->what == SLOT_TIME      ? u->time
           : s->what == SLOT_MOTION  ? motion[s->index]
           : s->what == SLOT_CHANNEL ? u->channel[s->index]
                                     : s->value;
}

static mc_status set(fmu_model *m, int variable, double value, mc_error *error)
{
    vehicle_unit *u = of(m);
    slot *s = &u->slots[variable];
    if (!isfinite(value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s must be a finite number",
                            m->variables[variable].name);
    if (s->what == SLOT_PARAM && value != s->value &&
        (!u->batch->kind->set_param || !u->batch->kind->set_param(u->batch, 0, s->param, value)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s cannot be changed",
                            m->variables[variable].name);
    u->fresh = u->fresh && s->what != SLOT_PARAM;
    s->value = value;
    return MC_OK;
}

// ---- steps -------------------------------------------------------------------------------------

static mc_status initialize(fmu_model *m, double t, mc_error *error)
{
    vehicle_unit *u = of(m);
    double start[STARTS];
    for (int k = 0; k < STARTS; k++)
        start[k] = slot_of(u, SLOT_START, k)->value;
    const mc_status status = make(u, start, error);
    if (status != MC_OK)
        return status;
    set_params(u);
    u->time = t;
    return MC_OK;
}

static mc_status advance(fmu_model *m, double t_end, mc_error *error)
{
    vehicle_unit *u = of(m);
    double value[INPUTS] = {0};
    for (int i = 0; i < m->variable_count; i++)
        if (u->slots[i].what == SLOT_INPUT)
            value[u->slots[i].index] = u->slots[i].value;
    const mc_inputs in = {value[0], value[1], value[2], value[3]};
    u->batch->kind->set_inputs(u->batch, 0, 1, &in);
    const mc_status status = mc_world_advance(u->world, m->length, error);
    u->time = t_end;
    u->fresh = false;
    return status;
}

// ---- state -------------------------------------------------------------------------------------

static void save(fmu_model *m, bytes *out)
{
    vehicle_unit *u = of(m);
    mc_error error;
    bytes_put(out, &u->time, sizeof u->time);
    for (int i = 0; i < m->variable_count; i++)
        bytes_put(out, &u->slots[i].value, sizeof(double));
    out->failed = world_save(u->world, out, &error) != MC_OK || out->failed;
}

static mc_status restore(fmu_model *m, bytes_reader *in, mc_error *error)
{
    vehicle_unit *u = of(m);
    bool good = bytes_take(in, &u->time, sizeof u->time);
    for (int i = 0; i < m->variable_count && good; i++)
        good = bytes_take(in, &u->slots[i].value, sizeof(double));
    u->fresh = false;
    return good ? world_restore(u->world, in, error)
                : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the state is cut off");
}

// ---- lifetime ----------------------------------------------------------------------------------

static void close_vehicle(fmu_model *m)
{
    vehicle_unit *u = of(m);
    mc_world_destroy(u->world);
    if (u->scenario)
        scenario_free(u->scenario);
    free(u->slots);
    free(u->channel);
    free(u);
}

static const fmu_kind kind = {.close = close_vehicle,
                              .get = get,
                              .set = set,
                              .initialize = initialize,
                              .advance = advance,
                              .save = save,
                              .restore = restore};

static fmu_variable *add(vehicle_unit *u, slot s, const char *name, const char *unit,
                         const char *doc, fmu_causality causality)
{
    slot *more = realloc(u->slots, ((size_t)u->base.variable_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    u->slots = more;
    more[u->base.variable_count] = s;
    fmu_variable *v = fmu_model_add(&u->base, name, unit, doc, causality);
    if (v && (causality == FMU_INPUT || causality == FMU_PARAMETER)) {
        v->exact = true;
        v->start = s.value;
    }
    return v;
}

// Numbers that can change while it drives.
static bool add_params(vehicle_unit *u)
{
    char name[128];
    const scenario_model *m = u->model;
    for (int k = 0; k < m->type->key_count; k++) {
        const mc_model_key *key = &m->type->keys[k];
        int count;
        const mc_param *rows = vehicle_rows(key, m->spec, &count);
        for (int i = 0; i < count; i++) {
            const double value = vehicle_values_of(key, m->spec)[i];
            if (!key->name || !vehicle_has_row(key, i) || !vehicle_row_is_live(key, i) ||
                !isfinite(value))
                continue;
            snprintf(name, sizeof name, "%s.%s", key->name, rows[i].name);
            fmu_variable *v = add(u, (slot){SLOT_PARAM, i, rows[i].name, value}, name, rows[i].unit,
                                  rows[i].doc, FMU_PARAMETER);
            if (!v)
                return false;
            v->tunable = true;
            if (value >= rows[i].min && value <= rows[i].max)
                v->min = rows[i].min, v->max = rows[i].max;
        }
    }
    return true;
}

// Pedals, or a desired acceleration; all can be steered.
static bool has_input(const vehicle_unit *u, int input)
{
    return input == 2 || u->model->facts.pedals == (input < 2);
}

static bool list(vehicle_unit *u, const double start[STARTS])
{
    const mc_vehicle_kind *k = u->batch->kind;
    bool good = add(u, (slot){.what = SLOT_TIME}, "time", "s", "", FMU_INDEPENDENT);
    for (int i = 0; i < INPUTS && good; i++)
        good = !has_input(u, i) || add(u, (slot){.what = SLOT_INPUT, .index = i}, inputs[i].name,
                                       inputs[i].unit, inputs[i].doc, FMU_INPUT);
    for (int i = 0; i < STARTS && good; i++)
        good = add(u, (slot){.what = SLOT_START, .index = i, .value = start[i]}, starts[i].name,
                   starts[i].unit, starts[i].doc, FMU_PARAMETER);
    for (int i = 0; i < MOTIONS && good; i++)
        good = add(u, (slot){.what = SLOT_MOTION, .index = i}, motions[i].name, motions[i].unit,
                   motions[i].doc, FMU_OUTPUT);
    for (int i = 0; i < k->channel_count && good; i++) {
        bool known = false; // some kinds show a part of their motion again
        for (int j = 0; j < MOTIONS; j++)
            known = known || strcmp(motions[j].name, k->channels[i].name) == 0;
        good = known || add(u, (slot){.what = SLOT_CHANNEL, .index = i}, k->channels[i].name,
                            k->channels[i].unit, k->channels[i].doc, FMU_OUTPUT);
    }
    return good && add_params(u);
}

static mc_status find(vehicle_unit *u, const char *name, double start[STARTS], const char *path,
                      mc_error *error)
{
    const scenario *s = u->scenario;
    for (int k = 0; k < s->vehicle_count; k++) {
        const scenario_vehicle *v = &s->vehicles[k];
        if (strcmp(v->name, name) != 0)
            continue;
        u->model = &s->models[v->model];
        const double first[STARTS] = {v->x, v->y, v->heading, v->v};
        memcpy(start, first, sizeof first);
        if (s->road.net && v->path >= 0) {
            double heading;
            mc_road_place(&s->road, v->path, v->x, v->y, &start[START_X], &start[START_Y],
                          &heading);
            start[START_PSI] += heading;
        }
        return MC_OK;
    }
    return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "no vehicle is called \"%s\"", name);
}

static mc_status load(vehicle_unit *u, const char *path, mc_error *error)
{
    arena text = {0};
    char *data;
    size_t size;
    mc_status status = file_read(&text, path, 0, &data, &size, error);
    if (status == MC_OK) {
        u->scenario = scenario_parse_bundle(data, size, path, error);
        status = u->scenario ? MC_OK : error->code;
    }
    arena_free(&text);
    return status;
}

static unsigned long long hash_of(const vehicle_unit *u)
{
    const scenario *s = u->scenario;
    unsigned long long hash = bytes_hash(BYTES_HASH_START, s->text, strlen(s->text));
    for (int k = 0; k < s->file_count; k++)
        hash = bytes_hash(hash, &s->files[k]->is.hash, sizeof s->files[k]->is.hash);
    return hash;
}

fmu_model *fmu_vehicle_open(const fmu_settings *settings, const char *path, mc_error *error)
{
    double start[STARTS];
    vehicle_unit *u = calloc(1, sizeof *u);
    if (!u) {
        no_memory(error);
        return NULL;
    }
    u->base.kind = &kind;
    u->base.why = "a vehicle advances by steps of its own";
    if (load(u, path, error) == MC_OK && find(u, settings->vehicle, start, path, error) == MC_OK &&
        make(u, start, error) == MC_OK) {
        u->channel = calloc((size_t)u->batch->kind->channel_count + 1, sizeof *u->channel);
        u->base.name =
            arena_copy_text(&u->base.memory, settings->vehicle, strlen(settings->vehicle));
        u->base.doc = u->model->type->doc;
        u->base.end = u->scenario->end;
        u->base.output = u->scenario->step;
        u->base.hash = hash_of(u);
        if (u->channel && u->base.name && list(u, start))
            return &u->base;
        no_memory(error);
    }
    fmu_model_close(&u->base);
    return NULL;
}
