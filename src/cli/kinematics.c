// kinematics.c - `motorcade kinematics MODEL.yaml --drive NAME=FROM:TO:N`: a mechanism along a
// prescribed motion, without inertia.
#include "cli/commands.h"
#include "cli/rig.h"

#include <stdio.h>
#include <string.h>

static const char program[] = "motorcade kinematics";

typedef struct request {
    model_request model;
    rig_request rig;
    cli_words drive;
    bool geometry, help;
} request;

static const cli_option options[] = {
    {0, "drive", "NAME=FROM:TO:N",
     "take NAME through N values; further drives move along; may be repeated",
     CLI_WITHIN(drive, 0, RIG_DRIVES_MAX)},
    {0, "hold", "NAME", "keep a body, coordinate or output where it is; may be repeated",
     CLI_WITHIN(rig.hold, 0, 64)},
    {0, "let", "NAME=FORMULA", "a further output, to record, drive or hold; may be repeated",
     CLI_WITHIN(rig.let, 0, 64)},
    {0, "geometry", NULL, "without loads: what is free stays as near as the loops allow",
     CLI_TO(geometry)},
    {0, "set", "NAME=VALUE", "parameter, input or start value; may be repeated", MODEL_SET},
    {0, "record", "NAMES",
     "columns: NAME, rate:NAME, load:NAME, separated by commas, or all; may be repeated",
     CLI_WITHIN(rig.record, 0, 64)},
    {0, "csv", "FILE", "write rows as CSV, with digits that read back exactly", CLI_TO(rig.csv)},
    {'o', "output", " FILE", "write rows as HDF5", CLI_TO(rig.hdf5)},
    {0, "plot", "NAMES", "draw columns, one panel per unit; may be repeated",
     CLI_WITHIN(rig.plot, 0, 32)},
    {0, "against", "NAME", "... against this column (default: the first drive)",
     CLI_TO(rig.against)},
    {0, "svg", "FILE", "figure to write (default: kinematics.svg)", CLI_TO(rig.svg)},
    {'q', "quiet", NULL, "print only errors", CLI_TO(rig.quiet)},
    CLI_HELP,
    MODEL_FILE,
};

static void print_help(void)
{
    printf(
        "usage: motorcade kinematics MODEL.yaml --drive NAME=FROM:TO:N [OPTIONS]\n\n"
        "Takes a coordinate, an input, a constraint, a variable, the length of a spring or a\n"
        "coordinate of a point through values and closes the mechanism at each: positions, how\n"
        "everything moves along, and the loads under which it is at rest. What is neither driven\n"
        "nor held settles under springs, loads and gravity.\n\n");
    cli_print_options(options);
    printf(
        "\nrate:NAME is the derivative of NAME by the first drive. load:NAME is the force or\n"
        "torque at a drive or hold, positive towards larger values. Values of a drive are SI or\n"
        "carry a unit: --drive crank.angle=0:90deg:19. N is given once. `motorcade simulate\n"
        "MODEL.yaml --list` lists the names. Without --csv, -o and --plot a table is printed.\n");
}

static mc_status read_drives(const request *r, const mc_multibody *m, mc_drive *drive,
                             char (*name)[128], int *rows, mc_error *error)
{
    *rows = 0;
    for (int k = 0; k < r->drive.count; k++) {
        int count;
        mc_error reason;
        if (mc_drive_read(m, r->drive.word[k], name[k], &drive[k], &count, &reason) != MC_OK)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --drive: %s", reason.text);
        if (count && *rows && count != *rows)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "option --drive: %s has %d values and the others %d; drives move "
                                "together",
                                name[k], count, *rows);
        *rows = count ? count : *rows;
        for (int j = 0; j < k; j++)
            if (strcmp(name[j], name[k]) == 0)
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "option --drive: %s is driven twice", name[k]);
    }
    return *rows ? MC_OK
                 : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "option --drive: how many values? Expected NAME=FROM:TO:N, for "
                                "example %s:21",
                                r->drive.word[0]);
}

static mc_status plan(const void *request_, const mc_multibody *m, rig_plan *out, mc_error *error)
{
    const request *r = request_;
    out->geometry = r->geometry;
    return read_drives(r, m, out->drive, out->name, &out->row_count, error);
}

static const rig_command rig = {program, "kinematics.svg",
                                "nothing is driven; add --drive NAME=FROM:TO:N, for example "
                                "--drive crank.angle=0:90deg:19",
                                plan};

int cli_kinematics(int argc, char **argv)
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
    return rig_main(&rig, &r, &r.model, &r.rig, r.drive.count, argc, argv);
}
