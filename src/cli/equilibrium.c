// equilibrium.c - `motorcade equilibrium model.dat [-m N] [--write]`.
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/medusa.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum { OPTION_MODEL, OPTION_WRITE, OPTION_HELP, OPTION_COUNT };

static const cli_option options[OPTION_COUNT] = {
    [OPTION_MODEL] = {'m', "model", " N", "only model N of the file (default: all)"},
    [OPTION_WRITE] = {'w', "write", NULL, "write the solution into the file, keeping all else"},
    [OPTION_HELP] = {'h', "help", NULL, "prints this list"},
};

typedef struct request {
    const char *file;
    int model; // from 1; 0: all
    bool write, help;
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

int cli_equilibrium(int argc, char **argv)
{
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, OPTION_COUNT, take, take_word, &r, &error) != MC_OK)
        return cli_fail("motorcade equilibrium", &error);
    if (r.help) {
        printf("usage: motorcade equilibrium MODEL_FILE [OPTIONS]\n\n"
               "Solves the rest position of each model and prints it as an EQUILIBRIUM block.\n\n");
        cli_print_options(options, OPTION_COUNT);
        return 0;
    }
    if (!r.file) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no model file given; try: motorcade equilibrium model.dat");
        return cli_fail("motorcade equilibrium", &error);
    }
    const mc_status status =
        r.write ? mc_medusa_equilibrium_write(r.file, r.model, &error) : print_blocks(&r, &error);
    return status == MC_OK ? 0 : cli_fail("motorcade equilibrium", &error);
}
