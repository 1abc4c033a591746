// model_options.h - what all commands on mechanisms share: the file, --form, --set.
#pragma once

#include "cli/options.h"
#include "motorcade/multibody.h"

typedef struct model_request {
    const char *file;
    mc_multibody_options options;
    cli_words set; // NAME=X
} model_request;

// For the rows of options; the request's member is called model.
cli_take model_take_form, model_take_set;
#define MODEL_FORM CLI_BY(model_take_form, model)
#define MODEL_SET model_take_set, offsetof(request, model), 0, 64
#define MODEL_FILE                                                                                 \
    CLI_ONE_WORD(model.file, "only one model file is expected: found \"%s\" after \"%s\"")

// An error that shows how to call `program` when no file was given.
mc_status model_need_file(const model_request *r, const char *program, mc_error *error);

// Does what --set asks for; y: where start values go, NULL: they cannot be set.
mc_status model_apply_sets(const model_request *r, mc_multibody *m, double *y, mc_error *error);

// Reads, derives, sets parameters and inputs, checks. NULL: see *error.
mc_multibody *model_open(const model_request *r, mc_error *error);
