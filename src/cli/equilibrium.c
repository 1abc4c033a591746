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

typedef struct request {
    model_request model; // its --set is for mechanisms
    int number;          // of the model, from 1; 0: all
    bool write, help;
    cli_words hold;
    double time;
} request;

static const cli_option options[] = {
    {'m', "model", " N", "only model N of the file (default: all)", CLI_WITHIN(number, 1, INT_MAX)},
    {'w', "write", NULL, "write the solution into the file and keep everything else",
     CLI_TO(write)},
    {0, "hold", "NAME", "mechanism: hold a coordinate or state at its value; may be repeated",
     CLI_WITHIN(hold, 0, 64)},
    {0, "time", "SECONDS", "mechanism: the time that formulas and prescribed motions stand at",
     CLI_WITHIN(time, 0, 1e9)},
    {0, "set", "NAME=VALUE", "mechanism: set a parameter or an input; may be repeated", MODEL_SET},
    CLI_HELP,
    MODEL_FILE,
};

static void print_block(const double *v, int count)
{
    printf("EQUILIBRIUM\nR3 %.15g\n", v[0]);
    for (int i = 0; i < 3; i++)
        printf("D%d1 %.15g D%d2 %.15g D%d3 %.15g\n", i + 1, v[1 + 3 * i], i + 1, v[2 + 3 * i],
               i + 1, v[3 + 3 * i]);
    if (count < MC_MEDUSA_EQUILIBRIUM_MAX)
        return;
    printf("CHASSIS_MODEL seven_directors\n");
    for (int i = 3; i < 7; i++)
        printf("D%d1 %.15g D%d2 %.15g D%d3 %.15g\n", i + 1, v[1 + 3 * i], i + 1, v[2 + 3 * i],
               i + 1, v[3 + 3 * i]);
}

static mc_status print_blocks(const request *r, mc_error *error)
{
    const int first = r->number ? r->number : 1;
    for (int k = first, count = first; k <= count; k++) {
        double value[MC_MEDUSA_EQUILIBRIUM_MAX];
        int values;
        const mc_status status = mc_medusa_equilibrium(r->model.file, k, value, &values,
                                                       r->number ? NULL : &count, error);
        if (status != MC_OK)
            return status;
        if (!r->number && count > 1)
            printf("%% MODEL %d\n", k);
        print_block(value, values);
    }
    return MC_OK;
}

// ---- mechanisms --------------------------------------------------------------------------------

static bool is_mechanism(const char *file)
{
    const char *end = strrchr(file, '.');
    return end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
}

// Forces of the ground on wheels, loads of joints beside the tree and of constraints.
static void print_loads(const mc_multibody *m, const double *out)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    const int wheels = 3 * mc_multibody_wheel_count(m),
              first = info->output_count - info->load_count;
    for (int i = first - wheels; i < info->output_count; i++)
        printf("%s %.9g %s\n", mc_multibody_name(m, MC_QUANTITY_OUTPUT, i), out[i],
               mc_multibody_unit(m, MC_QUANTITY_OUTPUT, i));
}

static void print_rest(const mc_multibody *m, const double *y, const mc_equilibrium_report *report)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    for (int i = 0; i < info->q_count; i++)
        printf("%s %.15g %s\n", mc_multibody_name(m, MC_QUANTITY_COORDINATE, i), y[i],
               mc_multibody_unit(m, MC_QUANTITY_COORDINATE, i));
    for (int i = 0; i < info->state_count; i++)
        printf("%s %.15g\n", mc_multibody_name(m, MC_QUANTITY_STATE, i),
               y[info->q_count + info->v_count + i]);
    printf("%% residual %.3g (%s), %d iterations", report->residual, report->worst,
           report->iterations);
    if (report->unheld_count > 0)
        printf(", no restoring force in %d direction%s", report->unheld_count,
               report->unheld_count == 1 ? "" : "s");
    printf("\n");
}

static mc_status settle(const request *r, mc_multibody *m, mc_error *error)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    double *y = malloc(((size_t)info->y_count + (size_t)info->output_count + 1) * sizeof *y);
    if (!y)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the state");
    double *outputs = y + info->y_count;
    const mc_equilibrium_options how = {.t = r->time,
                                        .hold = r->hold.word,
                                        .hold_count = r->hold.count,
                                        .standing = mc_multibody_wheel_count(m) > 0,
                                        .outputs = outputs};
    mc_equilibrium_report report;
    mc_multibody_start(m, y);
    mc_status status = mc_multibody_equilibrium(m, y, &how, &report, error);
    if (status == MC_OK) {
        print_rest(m, y, &report);
        print_loads(m, outputs);
    }
    free(y);
    return status;
}

static mc_status solve_mechanism(request *r, mc_error *error)
{
    if (r->number || r->write)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option %s: only for MEDUSA model files, not for mechanisms",
                            r->write ? "--write" : "-m");
    r->model.options.compile = MC_COMPILE_NEVER; // few evaluations
    mc_multibody *m = model_open(&r->model, error);
    if (!m)
        return error->code;
    const mc_status status = settle(r, m, error);
    mc_multibody_free(m);
    return status;
}

static mc_status solve_medusa(const request *r, mc_error *error)
{
    if (r->hold.count || r->model.set.count)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option %s: only for mechanisms (.yaml files)",
                            r->hold.count ? "--hold" : "--set");
    return r->write ? mc_medusa_equilibrium_write(r->model.file, r->number, error)
                    : print_blocks(r, error);
}

int cli_equilibrium(int argc, char **argv)
{
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail("motorcade equilibrium", &error);
    if (r.help) {
        printf("usage: motorcade equilibrium MODEL_FILE [OPTIONS]\n\n"
               "Solves for the rest position of each model and prints it as an EQUILIBRIUM block. "
               "For a\n"
               "mechanism (.yaml, .yml) it prints every coordinate and state, in SI units.\n\n");
        cli_print_options(options);
        return 0;
    }
    if (!r.model.file) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no model file given; try: motorcade equilibrium model.dat");
        return cli_fail("motorcade equilibrium", &error);
    }
    const mc_status status =
        is_mechanism(r.model.file) ? solve_mechanism(&r, &error) : solve_medusa(&r, &error);
    return status == MC_OK ? 0 : cli_fail("motorcade equilibrium", &error);
}
