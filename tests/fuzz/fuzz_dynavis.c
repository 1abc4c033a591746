// fuzz_dynavis.c - the four readers of DYNAVIS files: any bytes, and the promises of dynavis.h.
//
// The bytes up to the first line that is just "--" are a parameter file, the rest a data file; a
// ramp file and a car file are tried on all of them.
#include "base/assert.h"
#include "dynavis/layout.h"
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A failure is bad input, with a text and a place in the file.
static void check_failure(mc_status status, const mc_error *error, const char *name, size_t length)
{
    mc_assert(status == MC_BAD_INPUT && error->code == status);
    mc_assert(strcmp(error->file, name) == 0);
    mc_assert(strlen(error->text) > 10 && !strchr(error->text, '\n') && !strchr(error->text, '\r'));
    mc_assert(error->line >= 0 && (size_t)error->line <= length + 1);
    mc_assert(error->column >= 0 && (size_t)error->column <= length + 1);
    mc_assert(error->caret >= 0 && (size_t)error->caret <= strlen(error->excerpt) + 1);
}

static void check_car(const mc_dynavis_data *data, const mc_dynavis_car *car)
{
    mc_assert(car->platoon >= 1 && car->platoon <= dynavis_lanes(&data->params));
    mc_assert(car->lane >= 1 && car->lane <= MC_DYNAVIS_LANES_MAX);
    mc_assert(isfinite(car->x) && isfinite(car->y));
    mc_assert(!isinf(car->v_x) && !isinf(car->v_y) && !isinf(car->a) && !isinf(car->jerk));
    mc_assert(data->v_x == MC_DYNAVIS_SOURCE_FITTED || isfinite(car->v_x));
    mc_assert(data->a == MC_DYNAVIS_SOURCE_READ ? isfinite(car->a) : true);
    mc_assert(data->jerk == MC_DYNAVIS_SOURCE_UNKNOWN ? isnan(car->jerk) : true);
    mc_assert(car->id >= 0);
}

static void check_data(const mc_dynavis_data *data)
{
    mc_assert(data->frame_count >= 1 && data->note_count <= MC_DYNAVIS_NOTE_MAX);
    mc_assert(data->method[0] != '\0');
    for (int f = 0; f < data->frame_count; f++) {
        const mc_dynavis_frame *frame = &data->frames[f];
        mc_assert(f == 0 || frame->t > frame[-1].t);
        mc_assert(frame->car_count >= data->min_cars && frame->car_count <= data->max_cars);
        mc_assert(frame->car_count % dynavis_lanes(&data->params) == 0);
        for (int i = 0; i < frame->car_count; i++)
            check_car(data, &frame->cars[i]);
    }
}

static void try_data(const mc_dynavis_params *params, const char *bytes, size_t length)
{
    mc_error error = {0};
    mc_dynavis_data *data = mc_dynavis_data_parse(bytes, length, "d", params, NULL, &error);
    if (data)
        check_data(data);
    else
        check_failure(error.code, &error, "d", length);
    mc_dynavis_data_free(data);
}

static void try_lists(const char *bytes, size_t length)
{
    mc_error error = {0};
    mc_dynavis_ramp *ramps;
    mc_dynavis_model *models;
    int count;
    mc_status status = mc_dynavis_ramps_parse(bytes, length, "r", &ramps, &count, &error);
    if (status != MC_OK)
        check_failure(status, &error, "r", length);
    for (int k = 0; k < count; k++)
        mc_assert(isfinite(ramps[k].x) && ramps[k].x >= 0.0 && ramps[k].name[0]);
    free(ramps);
    status = mc_dynavis_models_parse(bytes, length, "c", &models, &count, &error);
    if (status != MC_OK)
        check_failure(status, &error, "c", length);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < MC_DYNAVIS_MODEL_COUNT; i++) {
            const mc_param *row = &mc_dynavis_model_rows[i];
            mc_assert(models[k].given[i] >= row->min && models[k].given[i] <= row->max);
            mc_assert(isfinite(models[k].si[i]) && models[k].si[i] > 0.0);
        }
    free(models);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    const char *split = memmem(bytes, size, "\n--\n", 4);
    const size_t head = split ? (size_t)(split - bytes) + 1 : 0;
    const size_t tail = split ? head + 3 : 0;
    mc_dynavis_params params;
    mc_error error = {0};
    const mc_status status = mc_dynavis_params_parse(bytes, head, "p", 2, &params, &error);
    if (status != MC_OK) {
        check_failure(status, &error, "p", head);
        mc_dynavis_params_defaults(1, &params);
    }
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++)
        mc_assert(params.value[i] >= mc_dynavis_param_rows[i].min &&
                  params.value[i] <= mc_dynavis_param_rows[i].max);
    try_data(&params, bytes + tail, size - tail);
    try_lists(bytes, size);
    return 0;
}
