// fuzz_medusa.c - keyword files and the two MEDUSA readers: the promises of keyword.h, medusa.h.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "io/keyword.h"
#include "medusa/files.h"

#include <math.h>
#include <string.h>

// A failure is bad input, with a text and a place in the file (of a byte or of the end).
static void check_failure(mc_status status, const mc_error *error, const char *name,
                          const char *bytes, size_t length)
{
    mc_assert(status == MC_BAD_INPUT && error->code == status);
    mc_assert(strcmp(error->file, name) == 0);
    mc_assert(strlen(error->text) > 10 && !strchr(error->text, '\n'));
    size_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += bytes[i] == '\n' || bytes[i] == '\r';
    mc_assert(error->line >= 1 && (size_t)error->line <= lines);
    mc_assert(error->column >= 1 && (size_t)error->column <= length + 1);
}

static void check_value(const mc_param *row, double value)
{
    mc_assert(isfinite(value) && value >= row->min && value <= row->max);
}

static void check_warning(void *context, const mc_error *warning)
{
    mc_assert(context && warning->code == MC_OK && warning->line >= 1 && warning->text[0]);
}

static void check_models(medusa_models *models, size_t length)
{
    mc_assert(models->count >= 1 && models->count <= MEDUSA_MODELS_MAX);
    for (int i = 0; i < models->count; i++) {
        const cosserat_model *model = &models->model[i];
        const medusa_source *source = &models->source[i];
        for (int k = 0; k < COSSERAT_PARAM_COUNT; k++)
            check_value(&cosserat_params[k], model->p[k]);
        for (int k = 0; k < model->suspension->param_count; k++)
            check_value(&model->suspension->params[k], model->suspension_p[k]);
        for (int k = 0; k < SHAPE_PARAM_COUNT; k++)
            check_value(&shape_params[k], model->shape[k]);
        for (int k = 0; k < PLASTIC_PARAM_COUNT; k++)
            check_value(&plastic_params[k], model->plastic_p[k]);
        mc_assert(!(model->plastic && model->seven));
        for (int k = 0; k < HIGHER_PARAM_COUNT; k++)
            check_value(&higher_params[k], model->higher_p[k]);
        for (int k = 0; k < HIGHER_SIZE; k++) {
            const medusa_span span = source->higher[k];
            mc_assert(span.end == 0 || (span.begin > source->chassis_word.end &&
                                        span.begin < span.end && span.end <= length));
        }
        for (int k = 0; k < DRIVE_PARAM_COUNT; k++)
            check_value(&drive_params[k], model->gear.drive[k]);
        const powertrain_kind *engine = model->gear.powertrain;
        for (int k = 0; engine && k < engine->param_count; k++)
            check_value(&engine->params[k], model->gear.powertrain_p[k]);
        for (int k = 0; k < model->gear.tyre->param_count; k++)
            check_value(&model->gear.tyre->params[k], model->gear.tyre_p[k]);
        size_t last = source->equilibrium.begin;
        for (int k = 0; k < MEDUSA_EQUILIBRIUM_COUNT; k++) {
            mc_assert(last < source->number[k].begin);
            mc_assert(source->number[k].begin < source->number[k].end);
            last = source->number[k].end;
        }
        mc_assert(last == source->equilibrium.end && last <= length);
    }
    medusa_models_warnings(models, check_warning, models);
}

static void check_platoon(medusa_platoon *platoon, const medusa_models *models)
{
    mc_assert(platoon->count >= 1 && platoon->count <= MEDUSA_VEHICLES_MAX);
    for (int i = 0; i < platoon->count; i++) {
        const medusa_vehicle *vehicle = &platoon->vehicle[i];
        mc_assert(vehicle->model >= 0 && vehicle->model < models->count);
        check_value(&medusa_vehicle_params[MEDUSA_X], vehicle->x);
        check_value(&medusa_vehicle_params[MEDUSA_Y], vehicle->y);
        check_value(&medusa_vehicle_params[MEDUSA_ORIENTATION], vehicle->orientation);
        check_value(&medusa_vehicle_params[MEDUSA_SPEED], vehicle->speed);
        check_value(&medusa_vehicle_params[MEDUSA_STEERING], vehicle->steering);
        for (int k = 0; k < MEDUSA_INPUT_COUNT; k++) {
            const medusa_input *in = &vehicle->input[k];
            for (int j = 0; j < in->count; j++) {
                check_value(&medusa_input_params[k], in->value[j]);
                mc_assert(isfinite(in->time[j]) && in->time[j] >= (j ? in->time[j - 1] : 0.0));
            }
        }
    }
    medusa_platoon_warnings(platoon, check_warning, platoon);
}

// Every token ends after it begins and begins after the one before it, to the end or a bad byte.
static void check_tokens(const char *bytes, size_t length)
{
    keyword_cursor cursor;
    size_t last = 0;
    mc_assert(keyword_begin(&cursor, "tokens", bytes, length, NULL) == MC_OK);
    while (cursor.token.kind == KEYWORD_WORD || cursor.token.kind == KEYWORD_NUMBER) {
        const keyword_token token = keyword_take(&cursor);
        mc_assert(last <= token.begin && token.begin < token.end && token.end <= length);
        mc_assert(isfinite(token.value));
        last = token.end;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    arena memory = {0};
    medusa_models models;
    medusa_platoon platoon;
    mc_error error = {0};
    check_tokens(bytes, size);

    mc_status status = medusa_models_parse(bytes, size, "model.dat", &memory, &models, &error);
    if (status == MC_OK)
        check_models(&models, size);
    else
        check_failure(status, &error, "model.dat", bytes, size);

    // A platoon needs models, but only their number and the name of their file.
    const medusa_models two = {.file = "model.dat", .count = 2};
    status = medusa_platoon_parse(bytes, size, "platoon.dat", &two, &memory, &platoon, &error);
    if (status == MC_OK)
        check_platoon(&platoon, &two);
    else
        check_failure(status, &error, "platoon.dat", bytes, size);
    arena_free(&memory);
    return 0;
}
