// multibody.c - the type of a mechanism on wheels: bodies and hinges of a file, tyres, drive.
#include "vehicles/multibody.h"

#include "base/gravity.h"
#include "concept/concept.h"
#include "mechanism_file/read.h"
#include "vehicles/gear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const mc_model_key keys[] = {
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(multibody_spec, mass),
     .rows = &car_params[CAR_MASS],
     .count = 1,
     .live = MC_LIVE(0),
     .from_file = MC_LIVE(0)},
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(multibody_spec, outline),
     .rows = &car_params[CAR_LENGTH],
     .count = 3},
    GEAR_TOLD_KEYS(multibody_spec, acceleration, nominal_mass),
    {.name = "mechanism",
     .form = MC_KEY_FORM_FILE,
     .at = offsetof(multibody_spec, mechanism),
     .needed = true,
     .doc = "the file of a mechanism"},
    GEAR_KEYS(multibody_spec, gear, MC_LIVE(DRIVE_INERTIA)),
    {.name = "wheels",
     .form = MC_KEY_FORM_MAP,
     .at = offsetof(multibody_spec, gear.vertical),
     .rows = vertical_params,
     .count = VERTICAL_PARAM_COUNT,
     .doc = "vertical spring and damper of the tyres"},
};
_Static_assert(CAR_WIDTH == CAR_LENGTH + 1 && CAR_HEIGHT == CAR_LENGTH + 2, "outline of a car");

// Beneath a load a tyre rolls as if it were a little smaller.
static void follow_tyre(running_gear *gear)
{
    gear->drive[DRIVE_RADIUS] = 0.97 * gear->vertical[VERTICAL_RADIUS];
}

static void init(void *spec)
{
    running_gear *gear = &((multibody_spec *)spec)->gear;
    gear->driven = true; // every vehicle of a scenario is
    gear->drive[DRIVE_INERTIA] = drive_params[DRIVE_INERTIA].fallback;
    follow_tyre(gear);
}

// ---- the mechanism ----

static mc_status no_memory(mc_section *section)
{
    return mc_error_set(mc_section_error(section), MC_NO_MEMORY, NULL, 0, 0,
                        "no memory for the mechanism");
}

// kg, of all bodies; below 0: no memory.
static double mass_of(const mb_model *model)
{
    double *value = calloc(expr_node_count(model->graph), sizeof *value), mass = 0.0;
    if (!value)
        return -1.0;
    mb_model_values(model, value);
    for (int i = 0; i < model->body_count; i++)
        mass += value[model->bodies[i].mass];
    free(value);
    return mass;
}

// Names of parameters, which events can set.
static bool take_names(mc_section *section, const mb_model *model, multibody_spec *spec)
{
    const char **names =
        mc_section_alloc(section, ((size_t)model->parameter_count + 1) * sizeof *names);
    for (int i = 0; names && i < model->parameter_count; i++) {
        const size_t size = strlen(model->parameters[i].name) + 1;
        char *name = mc_section_alloc(section, size);
        if (!name)
            return false;
        names[i] = memcpy(name, model->parameters[i].name, size);
    }
    spec->names = names;
    spec->name_count = names ? model->parameter_count : 0;
    return names != NULL;
}

// A concept becomes its mechanism, without tyre springs: the wheels of the model are its tyres.
static mc_status derive_concept(mc_section *section, multibody_spec *spec)
{
    const mc_file *file = spec->mechanism;
    arena memory = {0};
    char *text, *kept;
    size_t size;
    mc_status status = concept_derive_text(file->bytes, file->size, file->path, true, &memory,
                                           &text, &size, mc_section_error(section));
    if (status == MC_OK) {
        mc_file *derived = mc_section_alloc(section, sizeof *derived);
        kept = mc_section_alloc(section, size + 1);
        if (derived && kept) {
            *derived = (mc_file){file->path, memcpy(kept, text, size), size, file->hash};
            spec->mechanism = derived;
        } else {
            status = no_memory(section);
        }
    }
    arena_free(&memory);
    return status;
}

// The mechanism is read to see that it is one, for its mass and the names of its parameters.
static mc_status load(mc_section *section, void *out)
{
    multibody_spec *spec = out;
    mb_model model = {0};
    mc_status status = MC_OK;
    if (concept_is_text(spec->mechanism->bytes, spec->mechanism->size))
        status = derive_concept(section, spec);
    if (status != MC_OK)
        return status;
    status = mechanism_parse(spec->mechanism->bytes, spec->mechanism->size, spec->mechanism->path,
                             &model, mc_section_error(section));
    if (status != MC_OK)
        return status;
    const bool named = take_names(section, &model, spec);
    spec->mass = spec->file_mass = mass_of(&model);
    mb_model_free(&model);
    return named && spec->mass >= 0.0 ? MC_OK : no_memory(section);
}

static mc_status check(mc_section *section, void *spec)
{
    if (mc_section_has(section, "wheels") && !mc_section_has(section, "drive.wheel_radius"))
        follow_tyre(&((multibody_spec *)spec)->gear);
    return gear_check(section, spec);
}

static const char *extra(const void *spec, int index)
{
    const multibody_spec *s = spec;
    return index < s->name_count ? s->names[index] : NULL;
}

// ---- vehicles ----

static void facts(const void *from, mc_vehicle_facts *out)
{
    const multibody_spec *spec = from;
    *out = (mc_vehicle_facts){
        .length = spec->outline[0],
        .width = spec->outline[1],
        .height = spec->outline[2],
        .mass = spec->mass,
        .nominal_mass = isnan(spec->nominal_mass) ? spec->mass : spec->nominal_mass,
        .max_acceleration = spec->acceleration * GRAVITY,
        .max_brake = spec->gear.drive[DRIVE_BRAKE_MAX] * GRAVITY,
        .pedals = true,
    };
}

static bool same_state(const void *a, const void *b)
{
    const multibody_spec *m = a, *n = b;
    return m->mechanism->hash == n->mechanism->hash && m->gear.powertrain == n->gear.powertrain;
}

static mc_batch *create(const mc_vehicle_start *starts, int count, const mc_vehicle_setup *setup,
                        mc_error *error)
{
    const multibody_spec *spec = starts[0].spec;
    const multibody_model model = {
        .text = spec->mechanism->bytes,
        .file = spec->mechanism->path,
        .gear = &spec->gear,
        .added_mass = spec->mass - spec->file_mass,
        .nominal_mass = spec->nominal_mass,
        .outline = {spec->outline[0], spec->outline[1], spec->outline[2]},
    };
    mc_batch *batch = multibody_vehicles_create(&model, count, error);
    if (!batch)
        return NULL;
    batch->kind->set_road(batch, setup->road);
    for (int k = 0; k < count; k++) {
        const mc_vehicle_start *s = &starts[k];
        multibody_vehicles_place(batch, k, s->x, s->y, s->heading, s->v);
    }
    return batch;
}

const mc_vehicle_type vehicle_multibody = {
    .name = "multibody",
    .doc = "a mechanism of bodies and joints on wheels, from its file",
    .kind = &multibody_kind,
    .spec_size = sizeof(multibody_spec),
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .init = init,
    .load = load,
    .check = check,
    .extra = extra,
    .facts = facts,
    .create = create,
    .asks_road = true,
    .same_state = same_state,
};
