// model_options.h - what all commands on mechanisms share: the file, --form, --set.
#pragma once

#include "motorcade/multibody.h"

enum { MODEL_SET_MAX = 64 };

typedef struct model_request {
    const char *file;
    mc_multibody_options options;
    const char *set[MODEL_SET_MAX]; // NAME=X
    int set_count;
} model_request;

mc_status model_take_file(model_request *r, const char *word, mc_error *error);
mc_status model_take_form(model_request *r, const char *value, mc_error *error);
mc_status model_take_set(model_request *r, const char *value, mc_error *error);

// An error that shows how to call `program` when no file was given.
mc_status model_need_file(const model_request *r, const char *program, mc_error *error);

// Does what --set asks for; y: where start values go, NULL: they cannot be set.
mc_status model_apply_sets(const model_request *r, mc_multibody *m, double *y, mc_error *error);

// Reads, derives, sets parameters and inputs, checks. NULL: see *error.
mc_multibody *model_open(const model_request *r, mc_error *error);
