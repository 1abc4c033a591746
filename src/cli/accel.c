// accel.c - `motorcade accel MODEL.yaml --states FILE.csv`.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "motorcade/multibody.h"

#include <stdio.h>

enum {
    OPTION_STATES,
    OPTION_OUTPUT,
    OPTION_FORM,
    OPTION_LOADS,
    OPTION_SET,
    OPTION_HELP,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_STATES] = {0, "states", "FILE", "CSV with columns q0.. v0.. and tau0.. (mandatory)"},
    [OPTION_OUTPUT] = {'o', "output", " FILE", "CSV to write (default: standard output)"},
    [OPTION_FORM] = {0, "form", "NAME", "lagrange or recursive (default: the cheaper)"},
    [OPTION_LOADS] = {0, "add-loads", NULL, "let springs and loads of the model act beside tau"},
    [OPTION_SET] = {0, "set", "NAME=X", "set a parameter or an input; may be repeated"},
    [OPTION_HELP] = {'h', "help", NULL, "prints this list"},
};

typedef struct request {
    model_request model;
    const char *states, *output;
    bool loads, help;
} request;

static mc_status take(void *context, int option, const char *value, mc_error *error)
{
    request *r = context;
    switch (option) {
    case OPTION_STATES:
        r->states = value;
        return MC_OK;
    case OPTION_OUTPUT:
        r->output = value;
        return MC_OK;
    case OPTION_FORM:
        return model_take_form(&r->model, value, error);
    case OPTION_LOADS:
        r->loads = true;
        return MC_OK;
    case OPTION_SET:
        return model_take_set(&r->model, value, error);
    default:
        r->help = true;
        return MC_OK;
    }
}

static mc_status take_word(void *context, const char *word, mc_error *error)
{
    return model_take_file(&((request *)context)->model, word, error);
}

// Rows go to standard output at once, to a file when all are good.
typedef struct sink {
    file_writer *file; // NULL: standard output
    int count;
} sink;

static void put(const sink *out, const char *text)
{
    if (out->file)
        file_print(out->file, "%s", text);
    else
        fputs(text, stdout);
}

static mc_status put_row(void *context, int row, const double *vdot)
{
    const sink *out = context;
    (void)row;
    char text[40];
    for (int k = 0; k < out->count; k++) {
        snprintf(text, sizeof text, "%s%.17g", k ? "," : "", vdot[k]);
        put(out, text);
    }
    put(out, "\n");
    return MC_OK;
}

static mc_status write_table(const request *r, mc_multibody *m, mc_error *error)
{
    sink out = {NULL, mc_multibody_info_of(m)->v_count};
    if (r->output && !(out.file = file_writer_open(r->output, error)))
        return error->code;
    char text[40];
    for (int k = 0; k < out.count; k++) {
        snprintf(text, sizeof text, "%sqdd%d", k ? "," : "", k);
        put(&out, text);
    }
    put(&out, "\n");
    const mc_status status =
        mc_multibody_accelerations_table(m, r->states, r->loads, put_row, &out, error);
    if (!out.file)
        return status;
    if (status == MC_OK)
        return file_writer_commit(out.file, error);
    file_writer_abandon(out.file);
    return status;
}

int cli_accel(int argc, char **argv)
{
    const char *const program = "motorcade accel";
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, OPTION_COUNT, take, take_word, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf("usage: motorcade accel MODEL.yaml --states FILE.csv [OPTIONS]\n\n"
               "Accelerations (dv/dt) for every row of a table of states, as CSV with columns\n"
               "qdd0.. in the order of the velocities, 17 digits. tau is everything that acts but\n"
               "gravity; without tau columns the model's own springs and loads act.\n\n");
        cli_print_options(options, OPTION_COUNT);
        return 0;
    }
    mc_status status = model_need_file(&r.model, program, &error);
    if (status == MC_OK && !r.states)
        status = mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                              "no states given; add --states FILE.csv");
    if (status != MC_OK)
        return cli_fail(program, &error);
    r.model.options.compile = MC_COMPILE_NEVER; // a table is done before a compiler is
    mc_multibody *m = model_open(&r.model, &error);
    if (!m)
        return cli_fail(program, &error);
    status = write_table(&r, m, &error);
    mc_multibody_free(m);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
