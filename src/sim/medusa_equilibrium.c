// medusa_equilibrium.c - solving and writing back the EQUILIBRIUM blocks of a model file.
#include "base/file.h"
#include "cosserat/equilibrium.h"
#include "sim/medusa.h"

#include <stdio.h>

static mc_status solve(const medusa_models *models, int k, double value[10], mc_error *error)
{
    mc_error inner;
    const mc_status status = cosserat_equilibrium(&models->model[k], value, NULL, &inner);
    if (status == MC_OK)
        return MC_OK;
    const medusa_place place = models->source[k].model;
    return mc_error_set(error, status, models->file, place.line, place.column, "model %d: %s",
                        k + 1, inner.text);
}

static mc_status check_number(const medusa_models *models, int model, mc_error *error)
{
    if (model >= 1 && model <= models->count)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, models->file, 0, 0,
                        "there is no model %d: the file has %d model%s, numbered from 1", model,
                        models->count, models->count == 1 ? "" : "s");
}

mc_status mc_medusa_equilibrium(const char *models_file, int model, double value[10],
                                int *model_count, mc_error *error)
{
    arena a = {0};
    medusa_models models;
    mc_status status = medusa_models_read(models_file, &a, &models, error);
    if (status == MC_OK) {
        if (model_count)
            *model_count = models.count;
        status = check_number(&models, model, error);
    }
    if (status == MC_OK)
        status = solve(&models, model - 1, value, error);
    arena_free(&a);
    return status;
}

// Copies the file, putting the solved numbers in place of the old ones.
static mc_status rewrite(const char *path, const medusa_models *models, int model, arena *a,
                         mc_error *error)
{
    char *bytes;
    size_t size, at = 0;
    mc_status status = file_read(a, path, 0, &bytes, &size, error);
    if (status != MC_OK)
        return status;
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    for (int k = 0; k < models->count && status == MC_OK; k++) {
        if (model != 0 && k != model - 1)
            continue;
        double value[MEDUSA_EQUILIBRIUM_COUNT];
        status = solve(models, k, value, error);
        for (int j = 0; j < MEDUSA_EQUILIBRIUM_COUNT && status == MC_OK; j++) {
            const medusa_span span = models->source[k].number[j];
            file_write(out, bytes + at, span.begin - at);
            file_print(out, "%.17g", value[j]);
            at = span.end;
        }
    }
    if (status != MC_OK) {
        file_writer_abandon(out);
        return status;
    }
    file_write(out, bytes + at, size - at);
    return file_writer_commit(out, error);
}

mc_status mc_medusa_equilibrium_write(const char *models_file, int model, mc_error *error)
{
    arena a = {0};
    medusa_models models;
    mc_error own;
    mc_error *report = error ? error : &own;
    mc_status status = medusa_models_read(models_file, &a, &models, report);
    if (status == MC_OK && model != 0)
        status = check_number(&models, model, report);
    if (status == MC_OK)
        status = rewrite(models_file, &models, model, &a, report);
    arena_free(&a);
    return status;
}
