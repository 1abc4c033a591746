// fuzz_multibody.c - any bytes as a mechanism file: the promises of multibody_yaml.h and model.h.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "mechanism_file/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_body(const mb_model *model, const mb_body *body, const double *value)
{
    char name[96];
    mc_assert(body->inboard >= -1 && body->inboard < model->body_count);
    mc_assert(value[body->mass] >= 0.0);
    for (int k = 0; k < mb_coordinate_count(body); k++) {
        mb_coordinate_name(body, k, name);
        mc_assert(strncmp(name, body->name, strlen(body->name)) == 0);
        mc_assert(isfinite(body->start_q[k]));
    }
    for (int k = 0; k < mb_velocity_count(body); k++) {
        mb_velocity_name(body, k, name);
        mc_assert(isfinite(body->start_v[k]));
    }
    const double square = body->axis[0] * body->axis[0] + body->axis[1] * body->axis[1] +
                          body->axis[2] * body->axis[2];
    if (body->joint == MB_HINGE || body->joint == MB_PRISM)
        mc_assert(fabs(square - 1.0) < 1e-8);
}

static void check_model(const mb_model *model)
{
    double *value = malloc(expr_node_count(model->graph) * sizeof value[0]);
    mc_assert(value && model->body_count > 0 && model->hash);
    mb_model_values(model, value);
    for (int i = 0; i < model->body_count; i++)
        check_body(model, &model->bodies[i], value);
    for (int i = 0; i < model->spring_count; i++) {
        mc_assert(model->springs[i].from >= 0 && model->springs[i].from < model->point_count);
        mc_assert(model->springs[i].to >= 0 && model->springs[i].to < model->point_count);
    }
    for (int i = 0; i < model->force_count; i++)
        mc_assert(model->forces[i].point >= 0 && model->forces[i].point < model->point_count);
    for (int i = 0; i < model->parameter_count; i++)
        mc_assert(isfinite(model->parameters[i].value));
    mc_assert(expr_input_count(model->graph) == model->parameter_count);
    mc_assert(model->end >= 0.0 && model->step >= 0.0);
    free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mb_model model;
    mc_error error = {0};
    const mc_status status = mechanism_parse((const char *)data, size, "m.yaml", &model, &error);
    if (status == MC_OK) {
        check_model(&model);
        mb_model_free(&model);
    } else {
        mc_assert(status == MC_BAD_INPUT && error.code == status && !model.graph);
        mc_assert(strcmp(error.file, "m.yaml") == 0);
        mc_assert(strlen(error.text) > 10 && !strchr(error.text, '\n'));
        mc_assert(error.line >= 0 && (size_t)error.line <= size + 1);
    }
    return 0;
}
