// fmu.c - the type of a vehicle that a unit of FMI moves.
#include "base/gravity.h"
#include "cars/car.h"
#include "foreign/vehicle.h"
#include "reader/section.h"
#include "vehicles/types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fmu_spec {
    double mass, outline[3], limits[2], nominal_mass; // kg; m; g; kg
    double time_limit;                                // s
    const mc_file *file;
    const char *connect, *set;
    const unit_wiring *wiring; // made by check
} fmu_spec;

static const mc_param time_limit[] = {
    {"time_limit", "s", 10.0, 0.01, 3600.0, "that one call of the unit may take"}};

static const mc_model_key keys[] = {
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(fmu_spec, mass),
     .rows = &car_params[CAR_MASS],
     .count = 1},
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(fmu_spec, outline),
     .rows = &car_params[CAR_LENGTH],
     .count = 3},
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(fmu_spec, limits),
     .rows = &car_params[CAR_ACCELERATION_MAX],
     .count = 2},
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(fmu_spec, nominal_mass),
     .rows = &car_params[CAR_NOMINAL_MASS],
     .count = 1},
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(fmu_spec, time_limit),
     .rows = time_limit,
     .count = 1},
    {.name = "fmu",
     .form = MC_KEY_FORM_FILE,
     .at = offsetof(fmu_spec, file),
     .needed = true,
     .doc = "the file of a unit of FMI 2.0 or 3.0 for co-simulation"},
    {.name = "connect",
     .form = MC_KEY_FORM_TEXT,
     .at = offsetof(fmu_spec, connect),
     .doc = "variables of the unit with other names: steer = delta, x = body.x"},
    {.name = "parameters",
     .form = MC_KEY_FORM_TEXT,
     .at = offsetof(fmu_spec, set),
     .doc = "start values of variables of the unit: k1 = 0.4, m = 1400"},
};
_Static_assert(CAR_WIDTH == CAR_LENGTH + 1 && CAR_HEIGHT == CAR_LENGTH + 2, "outline of a car");
_Static_assert(CAR_BRAKE_MAX == CAR_ACCELERATION_MAX + 1, "limits of a car");

static void close_package(void *package)
{
    unit_package_close(package);
}

// The unit is read and connected here; the process is started with the vehicle.
static mc_status wire(mc_section *section, fmu_spec *spec, unit_wiring *out)
{
    mc_error *error = mc_section_error(section);
    arena *memory = section->base->memory;
    unit_pairs connect, set;
    mc_status status = unit_pairs_read(memory, spec->connect, &connect, error);
    if (status != MC_OK)
        return mc_section_reject(section, "connect", "%s", error->text);
    status = unit_pairs_read(memory, spec->set, &set, error);
    if (status != MC_OK)
        return mc_section_reject(section, "parameters", "%s", error->text);
    unit_package *package =
        unit_package_open(spec->file->bytes, spec->file->size, spec->file->path, error);
    if (!package && error->line == 0)
        return mc_section_reject(section, "fmu", "%s: %s", spec->file->path, error->text);
    if (!package)
        return error->code;
    if (!arena_on_free(memory, close_package, package)) {
        unit_package_close(package);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
    }
    status = unit_wire(memory, package, &foreign_words, &connect, &set, out, error);
    if (status == MC_BAD_INPUT)
        return mc_section_reject(section, NULL, "%s: %s", unit_package_name(package), error->text);
    out->limit = spec->time_limit;
    return status;
}

static mc_status check(mc_section *section, void *from)
{
    fmu_spec *spec = from;
    unit_wiring *wiring = mc_section_alloc(section, sizeof *wiring);
    if (!wiring)
        return MC_NO_MEMORY;
    spec->wiring = wiring;
    return wire(section, spec, wiring);
}

static bool has_input(const fmu_spec *spec, int word)
{
    for (int k = 0; k < spec->wiring->input_count; k++)
        if (spec->wiring->inputs[k].word == word)
            return true;
    return false;
}

static void facts(const void *from, mc_vehicle_facts *out)
{
    const fmu_spec *spec = from;
    const bool pedals = has_input(spec, FOREIGN_THROTTLE) || has_input(spec, FOREIGN_BRAKE);
    *out = (mc_vehicle_facts){
        .length = spec->outline[0],
        .width = spec->outline[1],
        .height = spec->outline[2],
        .mass = spec->mass,
        .nominal_mass = isnan(spec->nominal_mass) ? spec->mass : spec->nominal_mass,
        .max_acceleration = spec->limits[0] * GRAVITY,
        .max_brake = spec->limits[1] * GRAVITY,
        .pedals = pedals && !has_input(spec, FOREIGN_ACCELERATION),
        .no_friction = has_input(spec, FOREIGN_FRICTION) ? NULL : "is moved by an FMU",
    };
}

static bool same_state(const void *a, const void *b)
{
    const fmu_spec *m = a, *n = b;
    return m->file->hash == n->file->hash &&
           strcmp(m->set ? m->set : "", n->set ? n->set : "") == 0 &&
           strcmp(m->connect ? m->connect : "", n->connect ? n->connect : "") == 0;
}

static mc_batch *create(const mc_vehicle_start *starts, int count, const mc_vehicle_setup *setup,
                        mc_error *error)
{
    foreign_car *cars = calloc((size_t)count, sizeof *cars);
    if (!cars) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
        return NULL;
    }
    for (int k = 0; k < count; k++) {
        const mc_vehicle_start *s = &starts[k];
        const fmu_spec *spec = s->spec;
        cars[k] = (foreign_car){.wiring = spec->wiring,
                                .mass = spec->mass,
                                .length = spec->outline[0],
                                .width = spec->outline[1],
                                .height = spec->outline[2],
                                .max_acceleration = spec->limits[0] * GRAVITY,
                                .max_brake = spec->limits[1] * GRAVITY,
                                .x = s->x,
                                .y = s->y,
                                .heading = s->heading,
                                .v = s->v,
                                .restored = s->restored};
    }
    mc_batch *batch = foreign_vehicles_create(cars, count, setup->road, setup->time, error);
    free(cars);
    return batch;
}

const mc_vehicle_type vehicle_fmu = {
    .name = "fmu",
    .doc = "a unit of FMI from its file, in a process of its own",
    .kind = &foreign_kind,
    .spec_size = sizeof(fmu_spec),
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .check = check,
    .facts = facts,
    .create = create,
    .same_state = same_state,
};
