// accel.c - `motorcade accel MODEL.yaml --states FILE.csv`.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "motorcade/multibody.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct request {
    model_request model;
    const char *states, *output;
    bool loads, help;
} request;

static const cli_option options[] = {
    {0, "states", "FILE", "CSV with columns q0.. v0.. and tau0.. (mandatory)", CLI_TO(states)},
    {'o', "output", " FILE", "CSV to write (default: standard output)", CLI_TO(output)},
    {0, "form", "NAME", "lagrange, recursive or independent (default: the cheaper)", MODEL_FORM},
    {0, "add-loads", NULL, "apply the model's springs and loads in addition to tau", CLI_TO(loads)},
    {0, "set", "NAME=VALUE", "set a parameter or an input; may be repeated", MODEL_SET},
    CLI_HELP,
    MODEL_FILE,
};

// Rows are kept until all are good: nothing half-written, on standard output neither.
typedef struct sink {
    FILE *text;
    int count;
} sink;

static mc_status put_row(void *context, int row, const double *vdot)
{
    const sink *out = context;
    (void)row;
    for (int k = 0; k < out->count; k++)
        fprintf(out->text, "%s%.17g", k ? "," : "", vdot[k]);
    fputc('\n', out->text);
    return MC_OK;
}

static mc_status write_out(const char *path, const char *text, size_t size, mc_error *error)
{
    if (!path) {
        fwrite(text, 1, size, stdout);
        return MC_OK; // main reports a failure of standard output
    }
    file_writer *file = file_writer_open(path, error);
    if (!file)
        return error->code;
    file_write(file, text, size);
    return file_writer_commit(file, error);
}

static mc_status write_table(const request *r, mc_multibody *m, mc_error *error)
{
    char *text = NULL;
    size_t size = 0;
    const mc_multibody_info *info = mc_multibody_info_of(m);
    sink out = {open_memstream(&text, &size), info->v_count + info->row_count};
    if (!out.text)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the table");
    for (int k = 0; k < info->v_count; k++)
        fprintf(out.text, "%sqdd%d", k ? "," : "", k);
    for (int k = 0; k < info->row_count; k++)
        fprintf(out.text, ",lambda%d", k);
    fputc('\n', out.text);
    mc_status status =
        mc_multibody_accelerations_table(m, r->states, r->loads, put_row, &out, error);
    const bool whole = fclose(out.text) == 0;
    if (status == MC_OK)
        status = whole ? write_out(r->output, text, size, error)
                       : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the table");
    free(text);
    return status;
}

int cli_accel(int argc, char **argv)
{
    const char *const program = "motorcade accel";
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf(
            "usage: motorcade accel MODEL.yaml --states FILE.csv [OPTIONS]\n\n"
            "Computes accelerations (dv/dt) for every row of a table of states, as CSV with "
            "columns\n"
            "qdd0.. in the order of the velocities, 17 digits. tau is every load except gravity;\n"
            "without tau columns the model's own springs and loads act. Where loops are closed,\n"
            "lambda0.. are the multipliers of the rows that act (`derive --report` lists "
            "them).\n\n");
        cli_print_options(options);
        return 0;
    }
    mc_status status = model_need_file(&r.model, program, &error);
    if (status == MC_OK && !r.states)
        status = mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                              "no states given; add --states FILE.csv");
    if (status != MC_OK)
        return cli_fail(program, &error);
    cli_guard g = {0};
    cli_guard_reads(&g, "the model", r.model.file);
    cli_guard_reads(&g, "--states", r.states);
    cli_guard_writes(&g, "-o", r.output);
    if (cli_guard_check(&g, &error) != MC_OK)
        return cli_fail(program, &error);
    r.model.options.compile = MC_COMPILE_NEVER; // a table is done before a compiler is
    mc_multibody *m = model_open(&r.model, &error);
    if (!m)
        return cli_fail(program, &error);
    status = write_table(&r, m, &error);
    mc_multibody_free(m);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
