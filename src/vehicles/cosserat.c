// cosserat.c - the type of a deformable vehicle: a point with directors, from a file of models.
#include "vehicles/cosserat.h"

#include "base/gravity.h"
#include "cosserat/batch.h"
#include "cosserat/equilibrium.h"
#include "medusa/files.h"
#include "vehicles/gear.h"

#include <math.h>
#include <string.h>

static const mc_param number_row = {"number", "-", 1, 1, 1e5, "which model of that file"};

static const mc_model_key keys[] = {
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(cosserat_spec, model.p),
     .rows = cosserat_params,
     .count = COSSERAT_PARAM_COUNT,
     .live = MC_LIVE(COSSERAT_MASS),
     .from_file = MC_LIVE_ALL},
    GEAR_TOLD_KEYS(cosserat_spec, acceleration, nominal_mass),
    {.name = "file",
     .form = MC_KEY_FORM_FILE,
     .at = offsetof(cosserat_spec, file),
     .needed = true,
     .doc = "a model file such as model.dat"},
    {.name = "number",
     .form = MC_KEY_FORM_WHOLE,
     .at = offsetof(cosserat_spec, number),
     .rows = &number_row,
     .count = 1,
     .doc = "which model of that file"},
    {.name = "running_gear",
     .form = MC_KEY_FORM_TEXT,
     .at = offsetof(cosserat_spec, running_gear),
     .doc = "driven (the default: wheels that turn, brakes, an engine) or file: what the file has"},
    {.name = "scheme",
     .form = MC_KEY_FORM_TEXT,
     .at = offsetof(cosserat_spec, scheme),
     .doc = "time steps: exponential (the default) or published (eq 1.45 of the MEDUSA report)"},
    {.name = "equilibrium",
     .form = MC_KEY_FORM_TEXT,
     .at = offsetof(cosserat_spec, equilibrium),
     .doc = "how it stands at the start: file (the default) or solved"},
    GEAR_KEYS(cosserat_spec, model.gear, 0),
    // Words of cars for what the file says: for messages, and for cars that are like this one.
    {.form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(cosserat_spec, car),
     .rows = car_params,
     .count = CAR_YAW_INERTIA + 1,
     .from_file = MC_LIVE_ALL},
};

static void init(void *spec)
{
    ((cosserat_spec *)spec)->model.gear.driven = true; // every vehicle of a scenario is
}

static void take_car(cosserat_spec *spec)
{
    const double *p = spec->model.p;
    spec->car[CAR_MASS] = p[COSSERAT_MASS];
    spec->car[CAR_LENGTH] = 2.0 * p[COSSERAT_A1];
    spec->car[CAR_WIDTH] = 2.0 * p[COSSERAT_A2];
    spec->car[CAR_HEIGHT] = 2.0 * p[COSSERAT_A3];
    spec->car[CAR_YAW_INERTIA] = p[COSSERAT_IZ];
}

// Whether a word is the second of its two; it may be left out.
static bool is_second(mc_section *section, const char *key, const char *word, const char *first,
                      const char *second, mc_status *status)
{
    if (word && strcmp(word, first) != 0 && strcmp(word, second) != 0 && *status == MC_OK)
        *status = mc_section_reject(section, key, "found \"%.40s\", expected %s or %s", word, first,
                                    second);
    return word && strcmp(word, second) == 0;
}

static mc_status solve_rest(mc_section *section, cosserat_spec *spec)
{
    double rest[COSSERAT_EQUILIBRIUM_MAX];
    const mc_status status =
        cosserat_equilibrium(&spec->model, rest, NULL, mc_section_error(section));
    if (status != MC_OK)
        return status;
    memcpy(spec->model.p + COSSERAT_R3, rest, 10 * sizeof *rest);
    if (spec->model.seven)
        memcpy(spec->model.higher_p + HIGHER_D41, rest + 10, HIGHER_SIZE * sizeof *rest);
    return MC_OK;
}

// Tyre and drive may be in the file; engine and maximum deceleration come from the scenario.
static mc_status load(mc_section *section, void *out)
{
    cosserat_spec *spec = out;
    const running_gear before = spec->model.gear;
    arena memory = {0};
    medusa_models models;
    mc_status status = medusa_models_parse(spec->file->bytes, spec->file->size, spec->file->path,
                                           &memory, &models, mc_section_error(section));
    if (status == MC_OK && spec->number > models.count)
        status = mc_section_reject(section, "number", "number is %d; %.300s has %d model%s",
                                   spec->number, spec->file->path, models.count,
                                   models.count == 1 ? "" : "s");
    if (status == MC_OK) {
        running_gear *gear = &spec->model.gear;
        spec->model = models.model[spec->number - 1];
        if (!is_second(section, "running_gear", spec->running_gear, "driven", "file", &status)) {
            gear->driven = true;
            gear->powertrain = before.powertrain;
            memcpy(gear->powertrain_p, before.powertrain_p, sizeof gear->powertrain_p);
            gear->drive[DRIVE_BRAKE_MAX] = before.drive[DRIVE_BRAKE_MAX];
        }
        if (is_second(section, "equilibrium", spec->equilibrium, "file", "solved", &status))
            status = solve_rest(section, spec);
        is_second(section, "scheme", spec->scheme, "exponential", "published", &status);
        take_car(spec);
    }
    arena_free(&memory);
    return status;
}

static void facts(const void *from, mc_vehicle_facts *out)
{
    const cosserat_spec *spec = from;
    const double *p = spec->model.p;
    *out = (mc_vehicle_facts){
        .length = 2.0 * p[COSSERAT_A1],
        .width = 2.0 * p[COSSERAT_A2],
        .height = 2.0 * p[COSSERAT_A3],
        .mass = p[COSSERAT_MASS],
        .nominal_mass = isnan(spec->nominal_mass) ? p[COSSERAT_MASS] : spec->nominal_mass,
        .max_acceleration = spec->acceleration * GRAVITY,
        .max_brake = spec->model.gear.drive[DRIVE_BRAKE_MAX] * GRAVITY,
        .pedals = true,
        .deformable = true,
    };
}

static bool same_state(const void *a, const void *b)
{
    const cosserat_model *m = &((const cosserat_spec *)a)->model;
    const cosserat_model *n = &((const cosserat_spec *)b)->model;
    return tyre_same_states(m->gear.tyre, n->gear.tyre) && m->gear.driven == n->gear.driven &&
           m->gear.powertrain == n->gear.powertrain && m->plastic == n->plastic &&
           m->seven == n->seven;
}

static mc_batch *create(const mc_vehicle_start *starts, int count, const mc_vehicle_setup *setup,
                        mc_error *error)
{
    const cosserat_spec *spec = starts[0].spec;
    const bool published = spec->scheme && strcmp(spec->scheme, "published") == 0;
    mc_batch *batch = cosserat_batch_create(&spec->model, count,
                                            published ? COSSERAT_PUBLISHED : COSSERAT_EXPONENTIAL,
                                            setup->max_step);
    if (!batch) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
        return NULL;
    }
    batch->kind->set_road(batch, setup->road);
    for (int k = 0; k < count; k++) {
        const mc_vehicle_start *s = &starts[k];
        cosserat_batch_place(batch, k, s->x, s->y, s->heading, s->v, 0.0, 0);
    }
    return batch;
}

const mc_vehicle_type vehicle_cosserat = {
    .name = "cosserat",
    .doc = "the deformable vehicle of MEDUSA, from a model file",
    .kind = &cosserat_kind,
    .spec_size = sizeof(cosserat_spec),
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .init = init,
    .load = load,
    .check = gear_check,
    .facts = facts,
    .create = create,
    .alone = 64,
    .asks_road = true,
    .same_state = same_state,
};
