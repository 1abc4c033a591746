// medusa.c - from the two files to a world.
#include "medusa/medusa.h"

#include "cosserat/equilibrium.h"
#include "medusa/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double step;
    cosserat_scheme scheme;
    mc_contact_law contact;
} schemes[MC_SCHEME_COUNT] = {
    [MC_SCHEME_EXPONENTIAL] = {"exponential", 5e-4, COSSERAT_EXPONENTIAL, MC_CONTACT_LAW_IMPULSES},
    [MC_SCHEME_PUBLISHED] = {"published", 5e-5, COSSERAT_PUBLISHED, MC_CONTACT_LAW_PENALTY},
};

const char *mc_scheme_name(mc_scheme scheme)
{
    return schemes[scheme].name;
}

double mc_scheme_default_step(mc_scheme scheme)
{
    return schemes[scheme].step;
}

mc_medusa_options mc_medusa_defaults(void)
{
    const mc_world_options world = mc_world_defaults();
    return (mc_medusa_options){.models = "model.dat",
                               .platoon = "platoon.dat",
                               .save_interval = 0.01,
                               .restitution = world.restitution,
                               .friction = world.friction,
                               .penalty_stiffness = world.penalty_stiffness,
                               .penalty_smallest_step = world.penalty_smallest_step,
                               .penalty_held_steps = world.penalty_held_steps};
}

enum { SPEEDS = 5 };

// Speeds at which the stability of a model is looked at, m/s: from the slowest to the fastest of
// its vehicles. False when no vehicle has the model.
static bool speeds_of(const mc_medusa *run, int model, double speed[SPEEDS])
{
    double low = HUGE_VAL, high = 0.0;
    for (int i = 0; i < run->platoon.count; i++)
        if (run->platoon.vehicle[i].model == model) {
            low = fmin(low, fabs(run->platoon.vehicle[i].speed));
            high = fmax(high, fabs(run->platoon.vehicle[i].speed));
        }
    low = fmax(low, 0.1);
    high = fmax(high, low);
    for (int k = 0; k < SPEEDS; k++)
        speed[k] = low * pow(high / low, (double)k / (SPEEDS - 1));
    return isfinite(low);
}

double mc_medusa_bound(mc_medusa *run)
{
    if (run->bound > 0.0)
        return run->bound;
    const double from = 0.02 * mc_scheme_default_step(run->options.scheme);
    double bound = HUGE_VAL, speed[SPEEDS];
    for (int k = 0; k < run->models.count; k++)
        for (int j = 0; speeds_of(run, k, speed) && j < SPEEDS; j++)
            if (j == 0 || speed[j] > 1.01 * speed[j - 1])
                bound = fmin(bound, cosserat_stability_bound(&run->models.model[k],
                                                             schemes[run->options.scheme].scheme,
                                                             speed[j], from));
    // Rounded down, so that the number in a message can be typed back.
    const double unit = pow(10.0, floor(log10(bound)) - 4.0);
    return run->bound = floor(bound / unit) * unit;
}

// One step does not grow, at any of the speeds.
static bool step_is_stable(const mc_medusa *run, double step)
{
    double speed[SPEEDS];
    for (int k = 0; k < run->models.count; k++)
        for (int j = 0; speeds_of(run, k, speed) && j < SPEEDS; j++)
            if (!(cosserat_spectral_radius(&run->models.model[k],
                                           schemes[run->options.scheme].scheme, step,
                                           speed[j]) <= 1.0 + COSSERAT_GROWTH_TOLERANCE))
                return false;
    return true;
}

// Scheme and contact of the report have three directors and ellipsoids.
static mc_status check_chassis(const mc_medusa *run, mc_error *error)
{
    double speed[SPEEDS];
    for (int k = 0; k < run->models.count; k++)
        if (run->models.model[k].seven && speeds_of(run, k, speed) &&
            run->options.scheme == MC_SCHEME_PUBLISHED) {
            const medusa_place place = run->models.source[k].chassis;
            return mc_error_set(error, MC_BAD_INPUT, run->models.file, place.line, place.column,
                                "model %d: scheme published has three directors, found "
                                "CHASSIS_MODEL seven_directors; expected scheme exponential",
                                k + 1);
        }
    return MC_OK;
}

// Every model that is used must be able to stand on its springs.
static mc_status check_models(const mc_medusa *run, mc_error *error)
{
    double rest[COSSERAT_EQUILIBRIUM_MAX], speed[SPEEDS];
    mc_error inner;
    for (int k = 0; k < run->models.count; k++)
        if (speeds_of(run, k, speed) &&
            cosserat_equilibrium(&run->models.model[k], rest, NULL, &inner) != MC_OK) {
            const medusa_place place = run->models.source[k].model;
            return mc_error_set(error, MC_BAD_INPUT, run->models.file, place.line, place.column,
                                "model %d: %s", k + 1, inner.text);
        }
    return MC_OK;
}

static mc_status check_free_step(mc_medusa *run, mc_error *error)
{
    const double step = run->options.free_step;
    if (step == 0.0)
        return MC_OK;
    if (run->options.scheme == MC_SCHEME_PUBLISHED || run->options.energy_tolerance > 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a step of free vehicles, %g s: expected scheme exponential without "
                            "energy tolerance",
                            step);
    if (!(step >= run->step && step <= mc_medusa_bound(run) * (1.0 + 1e-9)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the step of free vehicles is %g s, expected %g s, the step of those "
                            "in contact, to %.6g s, where scheme %s becomes unstable",
                            step, run->step, mc_medusa_bound(run),
                            mc_scheme_name(run->options.scheme));
    return MC_OK;
}

static mc_status choose_step(mc_medusa *run, mc_error *error)
{
    const mc_scheme scheme = run->options.scheme;
    run->step = run->options.step > 0.0 ? run->options.step : mc_scheme_default_step(scheme);
    if (run->options.step > 0.0) {
        if (run->step > mc_medusa_bound(run) * (1.0 + 1e-9))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "step %g s is too long: scheme %s is stable up to %.6g s for these "
                                "models",
                                run->step, mc_scheme_name(scheme), mc_medusa_bound(run));
    } else if (!step_is_stable(run, run->step)) {
        run->step = fmin(run->step, 0.5 * mc_medusa_bound(run));
    }
    return check_free_step(run, error);
}

// One batch a model; vehicles get their ids in the order of the file.
static mc_status make_vehicles(mc_medusa *run, mc_error *error)
{
    const int model_count = run->models.count;
    mc_batch **batch = arena_alloc(&run->arena, (size_t)model_count * sizeof(mc_batch *));
    int *used = arena_alloc(&run->arena, (size_t)model_count * sizeof(int));
    if (!batch || !used)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
    for (int i = 0; i < run->platoon.count; i++)
        used[run->platoon.vehicle[i].model]++;
    for (int k = 0; k < model_count; k++) {
        if (used[k] == 0)
            continue;
        // The world moves vehicles that may touch by its own step, which is never longer.
        batch[k] = cosserat_batch_create(&run->models.model[k], used[k],
                                         schemes[run->options.scheme].scheme,
                                         fmax(run->step, run->options.free_step));
        if (!batch[k])
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
        used[k] = 0;
        if (run->platoon.around.surface.shape)
            batch[k]->kind->set_road(batch[k], &run->road);
        const mc_status status = mc_world_give(run->world, batch[k], error);
        if (status != MC_OK)
            return status;
    }
    for (int i = 0; i < run->platoon.count; i++) {
        const medusa_vehicle *v = &run->platoon.vehicle[i];
        const int index = used[v->model]++;
        int id;
        cosserat_batch_place(batch[v->model], index, v->x, v->y, v->orientation, v->speed,
                             v->steering, run->options.as_published);
        const mc_status status = mc_world_add(run->world, batch[v->model], index, &id, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

// After the vehicles.
static mc_status make_obstacles(mc_medusa *run, mc_error *error)
{
    const medusa_surroundings *around = &run->platoon.around;
    if (around->obstacle_count == 0)
        return MC_OK;
    if (run->options.scheme == MC_SCHEME_PUBLISHED)
        return mc_error_set(error, MC_BAD_INPUT, run->platoon.file, around->line, around->column,
                            "the contact of scheme published is between vehicles, found OBSTACLE; "
                            "expected scheme exponential");
    mc_batch *batch = obstacle_batch_create(around->obstacles, around->obstacle_count);
    if (!batch)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the obstacles");
    mc_status status = mc_world_give(run->world, batch, error);
    if (status != MC_OK)
        batch->kind->destroy(batch);
    for (int k = 0, id; k < around->obstacle_count && status == MC_OK; k++)
        status = mc_world_add(run->world, batch, k, &id, error);
    return status;
}

static mc_status start_world(mc_medusa *run, mc_error *error)
{
    mc_world_options options = mc_world_defaults();
    options.threads = run->options.threads;
    options.contact = schemes[run->options.scheme].contact;
    options.step = run->step;
    options.energy_tolerance = run->options.energy_tolerance;
    options.restitution = run->options.restitution;
    options.friction = run->options.friction;
    options.penalty_stiffness = run->options.penalty_stiffness;
    options.penalty_smallest_step = run->options.penalty_smallest_step;
    options.penalty_held_steps = run->options.penalty_held_steps;
    run->world = mc_world_create(&options, error);
    if (!run->world)
        return error ? error->code : MC_BAD_INPUT;
    mc_status status = MC_OK;
    if (run->platoon.around.surface.shape)
        status = medusa_road_make(&run->platoon.around, &run->arena, &run->road, error);
    if (status == MC_OK)
        status = make_vehicles(run, error);
    if (status == MC_OK)
        status = make_obstacles(run, error);
    if (status != MC_OK)
        return status;
    int a = 0, b = 0;
    status = mc_world_start(run->world, &a, &b, error);
    if (status == MC_BAD_INPUT && b >= run->platoon.count) {
        const medusa_vehicle *v = &run->platoon.vehicle[a];
        return mc_error_set(error, MC_BAD_INPUT, run->platoon.file, v->line, v->column,
                            "vehicle %d overlaps obstacle %d at the start: move them apart", a + 1,
                            b - run->platoon.count + 1);
    }
    if (status == MC_BAD_INPUT) { // say where in the file
        const medusa_vehicle *v = &run->platoon.vehicle[b];
        return mc_error_set(error, MC_BAD_INPUT, run->platoon.file, v->line, v->column,
                            "vehicle %d overlaps vehicle %d at the start: move them apart", b + 1,
                            a + 1);
    }
    return status;
}

static mc_status check_options(const mc_medusa_options *o, mc_error *error)
{
    if (!(o->end_time > 0.0 && isfinite(o->end_time)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "end time %g s: expected a time above 0", o->end_time);
    if (!(o->save_interval > 0.0 && isfinite(o->save_interval)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "save interval %g s: expected a time above 0", o->save_interval);
    if (o->end_time / o->save_interval > 1e9)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%.3g rows (end time %g s, one every %g s): expected at most 1e9",
                            o->end_time / o->save_interval, o->end_time, o->save_interval);
    if (!(o->step >= 0.0 && isfinite(o->step)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "step %g s: expected a time above 0",
                            o->step);
    if (o->step > 0.0 && o->end_time / o->step > 1e13)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "step %g s: the run would take %.3g steps, expected at most 1e13",
                            o->step, o->end_time / o->step);
    return MC_OK;
}

mc_medusa *mc_medusa_load(const mc_medusa_options *options, mc_error *error)
{
    mc_medusa *run = calloc(1, sizeof *run);
    if (!run) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory");
        return NULL;
    }
    run->options = *options;
    if (options->as_published)
        run->options.scheme = MC_SCHEME_PUBLISHED;
    mc_status status = check_options(&run->options, error);
    if (status == MC_OK)
        status = medusa_models_read(options->models, &run->arena, &run->models, error);
    if (status == MC_OK)
        status =
            medusa_platoon_read(options->platoon, &run->models, &run->arena, &run->platoon, error);
    if (status == MC_OK)
        status = check_chassis(run, error);
    if (status == MC_OK)
        status = medusa_inputs_check(run, error);
    if (status == MC_OK && !medusa_inputs_prepare(run))
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the inputs");
    if (status == MC_OK)
        status = check_models(run, error);
    if (status == MC_OK)
        status = choose_step(run, error);
    if (status == MC_OK)
        status = start_world(run, error);
    if (status != MC_OK) {
        mc_medusa_free(run);
        return NULL;
    }
    return run;
}

void mc_medusa_free(mc_medusa *run)
{
    if (!run)
        return;
    mc_world_destroy(run->world);
    free(run->moment_surface);
    free(run->moment_numbers);
    arena_free(&run->arena);
    free(run);
}

void mc_medusa_warnings(const mc_medusa *run, void (*warn)(void *context, const mc_error *warning),
                        void *context)
{
    medusa_models_warnings(&run->models, warn, context);
    medusa_platoon_warnings(&run->platoon, warn, context);
}

mc_world *mc_medusa_world(const mc_medusa *run)
{
    return run->world;
}

int mc_medusa_vehicle_count(const mc_medusa *run)
{
    return run->platoon.count;
}

double mc_medusa_step(const mc_medusa *run)
{
    return run->step;
}
