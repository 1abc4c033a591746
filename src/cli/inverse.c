// inverse.c - `motorcade inverse MODEL.yaml --motion NAME=FORMULA`: the loads that make a mechanism
// move as prescribed.
#include "cli/commands.h"
#include "cli/rig.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char program[] = "motorcade inverse";
enum { DEFAULT_ROWS = 100, ROWS_MAX = 1000000 };

typedef struct request {
    model_request model;
    rig_request rig;
    cli_words motion;
    double end, step;
    bool help;
} request;

static const cli_option options[] = {
    {0, "motion", "NAME=FORMULA", "NAME follows a formula of t; may be repeated",
     CLI_WITHIN(motion, 0, RIG_DRIVES_MAX)},
    {0, "hold", "NAME", "keep a body, coordinate or output where it is; may be repeated",
     CLI_WITHIN(rig.hold, 0, 64)},
    {0, "let", "NAME=FORMULA", "a further output, to record or to move; may be repeated",
     CLI_WITHIN(rig.let, 0, 64)},
    {0, "end", "T", "last row at T [s] (default: that of the file)", CLI_WITHIN(end, 1e-9, 1e9)},
    {0, "step", "DT", "a row every DT [s] (default: that of the file, or T/100)",
     CLI_WITHIN(step, 1e-9, 1e9)},
    {0, "set", "NAME=VALUE", "parameter, input or start value; may be repeated", MODEL_SET},
    {0, "record", "NAMES",
     "columns: NAME, rate:NAME, load:NAME, separated by commas, or all; may be repeated",
     CLI_WITHIN(rig.record, 0, 64)},
    {0, "csv", "FILE", "write rows as CSV, with digits that read back exactly", CLI_TO(rig.csv)},
    {'o', "output", " FILE", "write rows as HDF5", CLI_TO(rig.hdf5)},
    {0, "plot", "NAMES", "draw columns, one panel per unit; may be repeated",
     CLI_WITHIN(rig.plot, 0, 32)},
    {0, "against", "NAME", "... against this column (default: time)", CLI_TO(rig.against)},
    {0, "svg", "FILE", "figure to write (default: inverse.svg)", CLI_TO(rig.svg)},
    {'q', "quiet", NULL, "print only errors", CLI_TO(rig.quiet)},
    CLI_HELP,
    MODEL_FILE,
};

static void print_help(void)
{
    printf("usage: motorcade inverse MODEL.yaml --motion NAME=FORMULA [OPTIONS]\n\n"
           "Inverse dynamics: coordinates, variables, lengths of springs or coordinates of points\n"
           "follow formulas of the time t, and the loads that make them do so are computed. Every\n"
           "direction in which the mechanism can move is given a motion or held.\n\n");
    cli_print_options(options);
    printf(
        "\nload:NAME is the force or torque at a motion or hold, positive towards larger values;\n"
        "rate:NAME the derivative of NAME by time. Formulas are those of model files and may use\n"
        "parameters: --motion \"crank.angle=90 deg + 2*t\". Values of other quantities at the "
        "start\n"
        "come from the file. Without --csv, -o and --plot a table is printed.\n");
}

static mc_status read_motions(const request *r, mc_drive *drive, char (*name)[128], mc_error *error)
{
    for (int k = 0; k < r->motion.count; k++) {
        const char *word = r->motion.word[k], *equals = strchr(word, '=');
        if (!equals || equals == word || !equals[1] || equals - word >= 128)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "option --motion: found \"%.80s\", expected NAME=FORMULA, for "
                                "example crank.angle=2*t",
                                word);
        snprintf(name[k], 128, "%.*s", (int)(equals - word), word);
        drive[k] = (mc_drive){.name = name[k], .motion = equals + 1};
    }
    return MC_OK;
}

// End and rows, from the command line or the file.
static mc_status find_rows(const request *r, const mc_multibody *m, double *end, int *rows,
                           mc_error *error)
{
    *end = r->end > 0.0 ? r->end : mc_multibody_end(m);
    if (!(*end > 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s does not set an end; add --end T",
                            r->model.file);
    const double given = r->step > 0.0 ? r->step : r->end > 0.0 ? 0.0 : mc_multibody_step(m);
    const double intervals = given > 0.0 ? *end / given : DEFAULT_ROWS;
    if (intervals < 0.5 || intervals > ROWS_MAX || fabs(intervals - rint(intervals)) > 1e-6)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%g s is not a whole number of steps of %g s, from 1 to %d", *end,
                            given, ROWS_MAX);
    *rows = (int)rint(intervals) + 1;
    return MC_OK;
}

static mc_status plan(const void *request_, const mc_multibody *m, rig_plan *out, mc_error *error)
{
    const request *r = request_;
    const mc_status status = read_motions(r, out->drive, out->name, error);
    return status == MC_OK ? find_rows(r, m, &out->end, &out->row_count, error) : status;
}

static const rig_command rig = {program, "inverse.svg",
                                "no motion given; add --motion NAME=FORMULA, for example "
                                "--motion crank.angle=2*t",
                                plan};

int cli_inverse(int argc, char **argv)
{
    static request r; // too large for a stack
    mc_error error;
    r = (request){.model.options.compile = MC_COMPILE_NEVER}; // few evaluations
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        print_help();
        return 0;
    }
    return rig_main(&rig, &r, &r.model, &r.rig, r.motion.count, argc, argv);
}
