// equilibrium.c - `motorcade equilibrium`: rest positions of MEDUSA's vehicles and of mechanisms.
#include "cli/commands.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "motorcade/linear.h"
#include "motorcade/medusa.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_MODEL, OPTION_WRITE, OPTION_HOLD, OPTION_SET, OPTION_HELP, OPTION_COUNT };

static const cli_option options[OPTION_COUNT] = {
    [OPTION_MODEL] = {'m', "model", " N", "only model N of the file (default: all)"},
    [OPTION_WRITE] = {'w', "write", NULL, "write the solution into the file, keeping all else"},
    [OPTION_HOLD] = {0, "hold", "NAME",
                     "mechanism: keeps a coordinate or state as it is; may be repeated"},
    [OPTION_SET] = {0, "set", "NAME=VALUE",
                    "mechanism: sets a parameter or an input; may be repeated"},
    [OPTION_HELP] = {'h', "help", NULL, "prints this list"},
};

enum { HOLD_MOST = 64 };

typedef struct request {
    const char *file;
    int model; // from 1; 0: all
    bool write, help;
    model_request mechanism; // its --set; the file when it is one
    const char *hold[HOLD_MOST];
    int hold_count;
} request;

static mc_status take(void *context, int option, const char *value, mc_error *error)
{
    request *r = context;
    switch (option) {
    case OPTION_MODEL:
        return cli_integer("-m", value, 1, INT_MAX, &r->model, error);
    case OPTION_WRITE:
        r->write = true;
        break;
    case OPTION_HOLD:
        if (r->hold_count == HOLD_MOST)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "more than %d times --hold",
                                HOLD_MOST);
        r->hold[r->hold_count++] = value;
        break;
    case OPTION_SET:
        return model_take_set(&r->mechanism, value, error);
    default:
        r->help = true;
    }
    return MC_OK;
}

static mc_status take_word(void *context, const char *word, mc_error *error)
{
    request *r = context;
    if (r->file)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "one model file at a time: found \"%s\" after \"%s\"", word, r->file);
    r->file = word;
    return MC_OK;
}

static void print_block(const double v[10])
{
    printf("EQUILIBRIUM\nR3 %.15g\n", v[0]);
    for (int i = 0; i < 3; i++)
        printf("D%d1 %.15g D%d2 %.15g D%d3 %.15g\n", i + 1, v[1 + 3 * i], i + 1, v[2 + 3 * i],
               i + 1, v[3 + 3 * i]);
}

static mc_status print_blocks(const request *r, mc_error *error)
{
    const int first = r->model ? r->model : 1;
    for (int k = first, count = first; k <= count; k++) {
        double value[10];
        const mc_status status =
            mc_medusa_equilibrium(r->file, k, value, r->model ? NULL : &count, error);
        if (status != MC_OK)
            return status;
        if (!r->model && count > 1)
            printf("%% MODEL %d\n", k);
        print_block(value);
    }
    return MC_OK;
}

// ---- mechanisms --------------------------------------------------------------------------------

static bool is_mechanism(const char *file)
{
    const char *end = strrchr(file, '.');
    return end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
}

static void print_rest(const mc_multibody *m, const double *y, const mc_equilibrium_report *report)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    for (int i = 0; i < info->q_count; i++)
        printf("%s %.15g %s\n", mc_multibody_name(m, MC_COORDINATE, i), y[i],
               mc_multibody_unit(m, MC_COORDINATE, i));
    for (int i = 0; i < info->state_count; i++)
        printf("%s %.15g\n", mc_multibody_name(m, MC_STATE, i),
               y[info->q_count + info->v_count + i]);
    printf("%% residual %.3g (%s), %d iterations", report->residual, report->worst,
           report->iterations);
    if (report->unheld_count > 0)
        printf(", nothing pushes in %d direction%s", report->unheld_count,
               report->unheld_count == 1 ? "" : "s");
    printf("\n");
}

static mc_status settle(const request *r, mc_multibody *m, mc_error *error)
{
    double *y = malloc(((size_t)mc_multibody_info_of(m)->y_count + 1) * sizeof *y);
    if (!y)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the state");
    const mc_equilibrium_options how = {.hold = r->hold, .hold_count = r->hold_count};
    mc_equilibrium_report report;
    mc_multibody_start(m, y);
    const mc_status status = mc_multibody_equilibrium(m, y, &how, &report, error);
    if (status == MC_OK)
        print_rest(m, y, &report);
    free(y);
    return status;
}

static mc_status solve_mechanism(request *r, mc_error *error)
{
    if (r->model || r->write)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is for MEDUSA's model files, not for mechanisms",
                            r->write ? "--write" : "-m");
    r->mechanism.file = r->file;
    r->mechanism.options.compile = MC_COMPILE_NEVER; // few evaluations
    mc_multibody *m = model_open(&r->mechanism, error);
    if (!m)
        return error->code;
    const mc_status status = settle(r, m, error);
    mc_multibody_free(m);
    return status;
}

static mc_status solve_medusa(const request *r, mc_error *error)
{
    if (r->hold_count || r->mechanism.set_count)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is for mechanisms, files that end in .yaml",
                            r->hold_count ? "--hold" : "--set");
    return r->write ? mc_medusa_equilibrium_write(r->file, r->model, error)
                    : print_blocks(r, error);
}

int cli_equilibrium(int argc, char **argv)
{
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, OPTION_COUNT, take, take_word, &r, &error) != MC_OK)
        return cli_fail("motorcade equilibrium", &error);
    if (r.help) {
        printf(
            "usage: motorcade equilibrium MODEL_FILE [OPTIONS]\n\n"
            "Solves the rest position of each model and prints it as an EQUILIBRIUM block. Of a\n"
            "mechanism (.yaml, .yml) prints every coordinate and state, in SI units.\n\n");
        cli_print_options(options, OPTION_COUNT);
        return 0;
    }
    if (!r.file) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no model file given; try: motorcade equilibrium model.dat");
        return cli_fail("motorcade equilibrium", &error);
    }
    const mc_status status =
        is_mechanism(r.file) ? solve_mechanism(&r, &error) : solve_medusa(&r, &error);
    return status == MC_OK ? 0 : cli_fail("motorcade equilibrium", &error);
}
