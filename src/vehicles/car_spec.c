// car_spec.c - cars of models: from a file, and as a batch.
#include "vehicles/car_spec.h"

#include "base/arena.h"
#include "base/gravity.h"
#include "motorcade/dynavis.h"
#include "reader/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- car files ----

// The value of a powertrain's parameter; nothing if its kind has none of that name.
static void set_scale(car *c, const char *name, double value)
{
    for (int i = 0; c->powertrain && i < c->powertrain->param_count; i++)
        if (strcmp(c->powertrain->params[i].name, name) == 0)
            c->powertrain_p[i] = value;
}

static void use_car(const mc_dynavis_model *from, car *c)
{
    c->p[CAR_MASS] = from->si[MC_DYNAVIS_MODEL_WEIGHT];
    c->p[CAR_LENGTH] = from->si[MC_DYNAVIS_MODEL_LENGTH];
    c->p[CAR_WIDTH] = from->si[MC_DYNAVIS_MODEL_WIDTH];
    c->p[CAR_SPEED_MAX] = from->si[MC_DYNAVIS_MODEL_SPEED];
    c->p[CAR_ACCELERATION_MAX] = from->given[MC_DYNAVIS_MODEL_ACCELERATE];
    c->p[CAR_BRAKE_MAX] = from->given[MC_DYNAVIS_MODEL_BRAKE];
    // The report's engine has 210 hp and 4.6 litre.
    set_scale(c, "power_scale", from->given[MC_DYNAVIS_MODEL_POWER] / 210.0);
    set_scale(c, "engine_scale", from->given[MC_DYNAVIS_MODEL_ENGINE] / 4.6);
}

static mc_status find_car(mc_section *section, const char *word, const mc_dynavis_model *models,
                          int count, const mc_dynavis_model **out)
{
    for (int i = 0; i < count; i++)
        if (!word || strcmp(models[i].name, word) == 0) {
            *out = &models[i];
            return MC_OK;
        }
    const char **names = malloc((size_t)count * sizeof *names);
    if (!names)
        return mc_error_set(mc_section_error(section), MC_NO_MEMORY, NULL, 0, 0,
                            "no memory for the cars");
    for (int i = 0; i < count; i++)
        names[i] = models[i].name;
    const mc_status status = section_unknown(section, "car", "car", names, count);
    free(names);
    return status;
}

mc_status car_spec_load(mc_section *section, void *out)
{
    car_spec *spec = out;
    if (!spec->file)
        return MC_OK;
    mc_dynavis_model *models = NULL;
    const mc_dynavis_model *found = NULL;
    int count = 0;
    mc_status status =
        mc_dynavis_models_parse(spec->file->bytes, spec->file->size, spec->file->path, &models,
                                &count, mc_section_error(section));
    if (status == MC_OK)
        status = find_car(section, spec->name, models, count, &found);
    if (status == MC_OK)
        use_car(found, &spec->car);
    free(models);
    return status;
}

mc_status car_spec_check(mc_section *section, void *spec)
{
    (void)spec;
    if (mc_section_has(section, "car") && !mc_section_has(section, "car_file"))
        return mc_section_reject(section, "car",
                                 "car needs the key car_file, the file that contains it");
    return MC_OK;
}

// ---- vehicles ----

void car_spec_facts(const car_spec *spec, mc_vehicle_facts *out)
{
    const double *p = spec->car.p;
    *out = (mc_vehicle_facts){
        .length = p[CAR_LENGTH],
        .width = p[CAR_WIDTH],
        .height = p[CAR_HEIGHT],
        .mass = p[CAR_MASS],
        .nominal_mass = isnan(p[CAR_NOMINAL_MASS]) ? p[CAR_MASS] : p[CAR_NOMINAL_MASS],
        .max_acceleration = p[CAR_ACCELERATION_MAX] * GRAVITY,
        .max_brake = fmin(p[CAR_BRAKE_MAX], p[CAR_DECELERATION_MAX]) * GRAVITY,
        .front = p[CAR_FRONT],
        .rear = p[CAR_REAR],
        .yaw_inertia = p[CAR_YAW_INERTIA],
        .stiff_front = 2.0 * p[CAR_CORNERING],
        .stiff_rear = 2.0 * p[CAR_CORNERING],
    };
}

mc_batch *car_spec_create(const mc_vehicle_start *starts, int count, const mc_vehicle_setup *setup,
                          mc_error *error)
{
    car *cars = calloc((size_t)count, sizeof *cars);
    mc_batch *batch = NULL;
    if (cars) {
        for (int k = 0; k < count; k++)
            cars[k] = ((const car_spec *)starts[k].spec)->car;
        batch = car_batch_create(cars, count, setup->step);
        free(cars);
    }
    if (!batch) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the cars");
        return NULL;
    }
    batch->kind->set_road(batch, setup->road); // what a car does at the start depends on it
    for (int k = 0; k < count; k++) {
        const mc_vehicle_start *s = &starts[k];
        if (s->restored)
            car_batch_put(batch, k, s->x, s->y, s->heading, s->v, s->a);
        else
            car_batch_place(batch, k, s->x, s->y, s->heading, s->v);
    }
    return batch;
}
