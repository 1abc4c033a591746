// scenario.c - a scenario as a unit: co-simulation, in whole control steps.
//
// Inputs drive a vehicle by hand while its `by_hand` is true; parameters that a command "set" can
// change are tunable. Both reach the run as commands, as from the studio. Without them the bits are
// those of `motorcade run`.
#include "fmu/model.h"

#include "base/file.h"
#include "motorcade/observe.h"
#include "motorcade/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HAND_COUNT = 5 };

typedef struct slot { // what a variable is
    enum { SLOT_TIME, SLOT_HAND, SLOT_FIELD, SLOT_CHANNEL, SLOT_PARAMETER, SLOT_COUNT } what;
    int vehicle, index;
    double value; // of inputs and parameters
} slot;

typedef struct vehicle {
    const char *name;
    int number; // in the run; -1: it has left, or comes later
    double field[MC_FIELD_COUNT], *channel;
    bool fresh, by_hand;
    double hand[HAND_COUNT]; // as it was commanded
    int first_hand;          // variable
} vehicle;

typedef struct scenario {
    fmu_model base; // first
    mc_scenario *scenario;
    mc_run *run;
    slot *slots;
    vehicle *vehicles;
    int vehicle_count;
    double start; // s, of the importer, at which the run is at 0
} scenario;

static const struct {
    const char *name, *unit, *doc;
} hands[HAND_COUNT] = {
    {"input.by_hand", "", "throttle, brake, steer and acceleration come from the inputs"},
    {"input.throttle", "-", "0 closed .. 1 open"},
    {"input.brake", "-", "0 .. 1, share of the maximum brake force"},
    {"input.steer", "rad", "angle of the steered wheels, left positive"},
    {"input.acceleration", "m/s^2", "desired, of a vehicle without engine and brake"},
};

static const struct {
    const char *name, *doc;
} counts[] = {{"impacts", "impacts between vehicles so far"}, {"vehicles", "vehicles on the road"}};
enum { COUNTS = sizeof counts / sizeof *counts };

static scenario *of(fmu_model *m)
{
    return (scenario *)m;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the unit");
}

static void forget(scenario *u)
{
    for (int i = 0; i < u->vehicle_count; i++)
        u->vehicles[i].fresh = false;
}

// ---- values ------------------------------------------------------------------------------------

static void refresh(scenario *u, vehicle *v)
{
    if (v->fresh)
        return;
    v->fresh = true;
    v->number = mc_run_find(u->run, v->name);
    if (v->number >= 0) {
        mc_run_read_fields(u->run, v->number, v->field, v->channel);
        return;
    }
    for (int k = 0; k < MC_FIELD_COUNT; k++)
        v->field[k] = NAN;
}

static double get(fmu_model *m, int variable)
{
    scenario *u = of(m);
    const slot *s = &u->slots[variable];
    int impacts;
    switch (s->what) {
    case SLOT_TIME:
        return u->start + mc_run_time(u->run);
    case SLOT_HAND:
    case SLOT_PARAMETER:
        return s->value;
    case SLOT_FIELD:
    case SLOT_CHANNEL:
        refresh(u, &u->vehicles[s->vehicle]);
        return s->what == SLOT_FIELD                ? u->vehicles[s->vehicle].field[s->index]
               : u->vehicles[s->vehicle].number < 0 ? NAN
                                                    : u->vehicles[s->vehicle].channel[s->index];
    case SLOT_COUNT:
        mc_run_impacts(u->run, &impacts);
        return s->index == 0 ? impacts : mc_run_vehicle_count(u->run);
    }
    return NAN;
}

static mc_status set(fmu_model *m, int variable, double value, mc_error *error)
{
    scenario *u = of(m);
    slot *s = &u->slots[variable];
    if (!isfinite(value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s must be a finite number",
                            m->variables[variable].name);
    if (s->what == SLOT_PARAMETER && value != s->value) {
        const vehicle *v = &u->vehicles[s->vehicle];
        const mc_command c = {.event = "set",
                              .vehicle = v->name,
                              .param = m->variables[variable].name + strlen(v->name) + 1,
                              .value = value};
        const mc_status status = mc_run_command(u->run, &c, error);
        if (status != MC_OK)
            return status;
    }
    s->value = value;
    return MC_OK;
}

// ---- steps -------------------------------------------------------------------------------------

static mc_status initialize(fmu_model *m, double t, mc_error *error)
{
    (void)error;
    of(m)->start = t;
    return MC_OK;
}

// Commands of a vehicle whose inputs changed.
static mc_status drive(scenario *u, vehicle *v, mc_error *error)
{
    const slot *s = &u->slots[v->first_hand];
    double now[HAND_COUNT];
    for (int k = 0; k < HAND_COUNT; k++)
        now[k] = s[k].value;
    const bool by_hand = now[0] != 0.0;
    if ((!by_hand && !v->by_hand) || (by_hand == v->by_hand && !memcmp(now, v->hand, sizeof now)))
        return MC_OK;
    if (mc_run_find(u->run, v->name) < 0)
        return MC_OK; // it has left
    const mc_command c = {
        .event = by_hand ? "drive" : "release",
        .vehicle = v->name,
        .inputs = {.throttle = now[1], .brake = now[2], .steer = now[3], .acceleration = now[4]}};
    memcpy(v->hand, now, sizeof now);
    v->by_hand = by_hand;
    return mc_run_command(u->run, &c, error);
}

static mc_status advance(fmu_model *m, double t_end, mc_error *error)
{
    scenario *u = of(m);
    const double step = mc_scenario_info_of(mc_run_scenario(u->run))->step;
    const double left = (t_end - u->start - mc_run_time(u->run)) / step, whole = round(left);
    if (fabs(left - whole) > 1e-6 || whole < 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a communication step of %g s is not a whole number of control steps "
                            "of %g s",
                            left * step, step);
    mc_status status = MC_OK;
    for (int i = 0; i < u->vehicle_count && status == MC_OK; i++)
        status = drive(u, &u->vehicles[i], error);
    for (long long k = 0; k < (long long)whole && status == MC_OK; k++)
        status = mc_run_step(u->run, error);
    forget(u);
    return status;
}

// ---- state -------------------------------------------------------------------------------------

static void save(fmu_model *m, bytes *out)
{
    scenario *u = of(m);
    mc_snapshot s = {0};
    mc_error error;
    out->failed = out->failed || mc_run_save(u->run, &s, &error) != MC_OK;
    bytes_put(out, &u->start, sizeof u->start);
    bytes_put(out, &s.size, sizeof s.size);
    bytes_put(out, s.data, s.size);
    for (int i = 0; i < m->variable_count; i++)
        bytes_put(out, &u->slots[i].value, sizeof(double));
    for (int i = 0; i < u->vehicle_count; i++) {
        bytes_put(out, u->vehicles[i].hand, sizeof u->vehicles[i].hand);
        bytes_put(out, &u->vehicles[i].by_hand, sizeof(bool));
    }
    mc_snapshot_free(&s);
}

static mc_status restore(fmu_model *m, bytes_reader *in, mc_error *error)
{
    scenario *u = of(m);
    mc_snapshot s = {0};
    bytes_take(in, &u->start, sizeof u->start);
    bytes_take(in, &s.size, sizeof s.size);
    if (in->failed || s.size > in->size - in->at)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the state is cut off");
    s.data = (void *)(uintptr_t)(in->data + in->at); // is only read
    mc_status status = mc_run_restore(u->run, &s, error);
    if (status != MC_OK)
        return status;
    mc_run_forget_commands(u->run);
    in->at += s.size;
    for (int i = 0; i < m->variable_count; i++)
        bytes_take(in, &u->slots[i].value, sizeof(double));
    for (int i = 0; i < u->vehicle_count; i++) {
        bytes_take(in, u->vehicles[i].hand, sizeof u->vehicles[i].hand);
        bytes_take(in, &u->vehicles[i].by_hand, sizeof(bool));
    }
    forget(u);
    return in->failed ? mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the state is cut off")
                      : MC_OK;
}

// ---- lifetime ----------------------------------------------------------------------------------

static void close_scenario(fmu_model *m)
{
    scenario *u = of(m);
    mc_run_destroy(u->run);
    mc_scenario_free(u->scenario);
    free(u->slots);
    free(u);
}

static const fmu_kind kind = {.close = close_scenario,
                              .get = get,
                              .set = set,
                              .initialize = initialize,
                              .advance = advance,
                              .save = save,
                              .restore = restore};

// Adds a variable VEHICLE.NAME and what it is; vehicle NULL: of the run.
static fmu_variable *add(scenario *u, slot s, const char *owner, const char *name, const char *unit,
                         const char *doc, fmu_causality causality)
{
    char text[200];
    snprintf(text, sizeof text, "%s%s%s", owner, *owner ? "." : "", name);
    slot *more = realloc(u->slots, ((size_t)u->base.variable_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    u->slots = more;
    more[u->base.variable_count] = s;
    fmu_variable *v = fmu_model_add(&u->base, text, unit, doc, causality);
    if (v && causality != FMU_OUTPUT && causality != FMU_INDEPENDENT) {
        v->exact = true;
        v->start = s.value;
    }
    return v;
}

static bool add_parameters(scenario *u, int i)
{
    mc_run_param p;
    char name[128];
    for (int k = 0; mc_run_param_at(u->run, i, k, &p); k++) {
        if (!p.live || !isfinite(p.value))
            continue;
        snprintf(name, sizeof name, "%s.%s", p.group, p.row->name);
        fmu_variable *v = add(u, (slot){SLOT_PARAMETER, i, k, p.value}, u->vehicles[i].name, name,
                              p.row->unit, p.row->doc, FMU_PARAMETER);
        if (!v)
            return false;
        v->tunable = true;
        if (p.value >= p.row->min && p.value <= p.row->max) {
            v->min = p.row->min;
            v->max = p.row->max;
        }
    }
    return true;
}

static bool add_vehicle(scenario *u, int i)
{
    vehicle *v = &u->vehicles[i];
    const mc_channel *channels;
    const int channel_count = mc_run_channels(u->run, i, &channels);
    v->name = arena_copy_text(&u->base.memory, mc_run_vehicle_name(u->run, i),
                              strlen(mc_run_vehicle_name(u->run, i)));
    v->channel = arena_alloc(&u->base.memory, ((size_t)channel_count + 1) * sizeof *v->channel);
    if (!v->name || !v->channel)
        return false;
    v->first_hand = u->base.variable_count;
    bool good = true;
    for (int k = 0; k < HAND_COUNT && good; k++) {
        fmu_variable *made = add(u, (slot){SLOT_HAND, i, k, 0.0}, v->name, hands[k].name,
                                 hands[k].unit, hands[k].doc, FMU_INPUT);
        good = made != NULL;
        if (made)
            made->boolean = k == 0;
    }
    // Energy is not part of the fields of one vehicle.
    for (int k = 0; k < MC_FIELD_COUNT && good; k++)
        good = k == MC_FIELD_ENERGY ||
               add(u, (slot){SLOT_FIELD, i, k, 0.0}, v->name, mc_field_table[k].name,
                   mc_field_table[k].unit, mc_field_table[k].doc, FMU_OUTPUT);
    for (int k = 0; k < channel_count && good; k++)
        good = mc_field_find(channels[k].name) != MC_FIELD_COUNT ||
               add(u, (slot){SLOT_CHANNEL, i, k, 0.0}, v->name, channels[k].name, channels[k].unit,
                   channels[k].doc, FMU_OUTPUT);
    return good && add_parameters(u, i);
}

static bool list(scenario *u)
{
    u->vehicle_count = mc_run_vehicle_count(u->run);
    u->vehicles =
        arena_alloc(&u->base.memory, ((size_t)u->vehicle_count + 1) * sizeof *u->vehicles);
    bool good =
        u->vehicles && add(u, (slot){.what = SLOT_TIME}, "", "time", "s", "", FMU_INDEPENDENT);
    for (int k = 0; k < COUNTS && good; k++)
        good = add(u, (slot){SLOT_COUNT, 0, k, 0.0}, "", counts[k].name, "-", counts[k].doc,
                   FMU_OUTPUT);
    for (int i = 0; i < u->vehicle_count && good; i++)
        good = add_vehicle(u, i);
    return good;
}

static unsigned long long hash_of(const mc_scenario *s)
{
    const char *text = mc_scenario_text(s);
    unsigned long long hash = bytes_hash(BYTES_HASH_START, text, strlen(text));
    mc_scenario_file file;
    for (int i = 0; mc_scenario_file_at(s, i, &file); i++)
        hash = bytes_hash(hash, &file.hash, sizeof file.hash);
    return hash;
}

static mc_status load(scenario *u, const char *path, mc_error *error)
{
    arena text = {0};
    char *data;
    size_t size;
    mc_status status = file_read(&text, path, 0, &data, &size, error);
    if (status == MC_OK) {
        u->scenario = mc_scenario_parse_bundle(data, size, path, error);
        status = u->scenario ? MC_OK : error->code;
    }
    arena_free(&text);
    if (status == MC_OK) {
        const mc_run_options options = {.threads = 1, .interpret = true, .mileage = true};
        u->run = mc_run_create(u->scenario, &options, error);
        status = u->run ? MC_OK : error->code;
    }
    return status;
}

fmu_model *fmu_scenario_open(const fmu_settings *settings, const char *path, mc_error *error)
{
    scenario *u = calloc(1, sizeof *u);
    (void)settings;
    if (!u) {
        no_memory(error);
        return NULL;
    }
    u->base.kind = &kind;
    u->base.why = "vehicles meet, sense and switch in control steps of the scenario";
    if (load(u, path, error) == MC_OK) {
        const mc_scenario_info *info = mc_scenario_info_of(u->scenario);
        u->base.name = info->name[0] ? info->name : "scenario";
        u->base.doc = info->doc;
        u->base.step = info->step;
        u->base.end = info->end;
        u->base.output = info->record > 0.0 ? info->record : info->step;
        u->base.hash = hash_of(u->scenario);
        if (list(u))
            return &u->base;
        no_memory(error);
    }
    fmu_model_close(&u->base);
    return NULL;
}
