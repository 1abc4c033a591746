// equilibrium.c - solving and writing back the EQUILIBRIUM blocks of a model file.
#include "base/file.h"
#include "cosserat/equilibrium.h"
#include "medusa/medusa.h"

#include <stdio.h>

static mc_status solve(const medusa_models *models, int k, double value[COSSERAT_EQUILIBRIUM_MAX],
                       mc_error *error)
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
                        "unknown model %d: the file has %d model%s, numbered from 1", model,
                        models->count, models->count == 1 ? "" : "s");
}

_Static_assert((int)MC_MEDUSA_EQUILIBRIUM_MAX == (int)COSSERAT_EQUILIBRIUM_MAX, "the same values");

mc_status mc_medusa_equilibrium(const char *models_file, int model,
                                double value[MC_MEDUSA_EQUILIBRIUM_MAX], int *value_count,
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
    if (status == MC_OK && value_count)
        *value_count =
            models.model[model - 1].seven ? MC_MEDUSA_EQUILIBRIUM_MAX : MEDUSA_EQUILIBRIUM_COUNT;
    arena_free(&a);
    return status;
}

// The same for D41 .. D73: those that are not in the file go after the word seven_directors, those
// that are stand in any order. Returns how far the file is copied.
static size_t rewrite_higher(file_writer *out, const char *bytes, size_t at,
                             const medusa_source *source, const double value[HIGHER_SIZE])
{
    file_write(out, bytes + at, source->chassis_word.end - at);
    at = source->chassis_word.end;
    for (int k = 0; k < HIGHER_SIZE; k++)
        if (source->higher[k].end == 0 && value[k] != 0.0)
            file_print(out, " %s %.17g", higher_params[HIGHER_D41 + k].name, value[k]);
    for (;;) {
        int next = -1;
        for (int k = 0; k < HIGHER_SIZE; k++)
            if (source->higher[k].begin >= at &&
                (next < 0 || source->higher[k].begin < source->higher[next].begin))
                next = k;
        if (next < 0)
            return at;
        file_write(out, bytes + at, source->higher[next].begin - at);
        file_print(out, "%.17g", value[next]);
        at = source->higher[next].end;
    }
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
        double value[MC_MEDUSA_EQUILIBRIUM_MAX];
        status = solve(models, k, value, error);
        for (int j = 0; j < MEDUSA_EQUILIBRIUM_COUNT && status == MC_OK; j++) {
            const medusa_span span = models->source[k].number[j];
            file_write(out, bytes + at, span.begin - at);
            file_print(out, "%.17g", value[j]);
            at = span.end;
        }
        if (models->model[k].seven && status == MC_OK)
            at = rewrite_higher(out, bytes, at, &models->source[k],
                                value + MEDUSA_EQUILIBRIUM_COUNT);
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
