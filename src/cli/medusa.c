// medusa.c - `motorcade medusa ...`: the command of the MEDUSA manual (section 2.4), with more.
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/crash_picture.h"
#include "cli/options.h"
#include "motorcade/collisions.h"
#include "motorcade/medusa.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_STEP,
    OPTION_ENERGY,
    OPTION_PLATOON,
    OPTION_OUTPUT,
    OPTION_HELP,
    OPTION_SAVE,
    OPTION_END,
    OPTION_VELOCITY,
    OPTION_MODELS,
    OPTION_SCHEME,
    OPTION_AS_PUBLISHED,
    OPTION_DIGITS,
    OPTION_THREADS,
    OPTION_HDF5,
    OPTION_COLLISIONS,
    OPTION_PICTURE,
    OPTION_ENERGY_TOLERANCE,
    OPTION_RESTITUTION,
    OPTION_FRICTION,
    OPTION_QUIET,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_STEP] = {'d', "step", "x.xxx",
                     "set stepsize to x.xxx [s] (default: 0.5e-3; scheme published: 0.5e-4)"},
    [OPTION_ENERGY] = {'e', "energy", NULL, "include total energy in output"},
    [OPTION_PLATOON] = {'f', "platoon", "file", "parameter file (default: platoon.dat)"},
    [OPTION_OUTPUT] = {'F', "output", "file", "output file (default: data.asc)"},
    [OPTION_HELP] = {'h', "help", NULL, "prints this list"},
    [OPTION_SAVE] = {'s', "save", "x.xx", "save data point every x.xx [s] (default: 0.01)"},
    [OPTION_END] = {'t', "end", "x.xx", "simulation ends at x.xx [s] (mandatory)"},
    [OPTION_VELOCITY] = {'v', "velocities", NULL, "include velocities in output"},
    [OPTION_MODELS] = {0, "models", "FILE", "vehicle models (default: model.dat)"},
    [OPTION_SCHEME] = {0, "scheme", "NAME", "exponential (default) or published (eq 1.45)"},
    [OPTION_AS_PUBLISHED] = {0, "as-published", NULL,
                             "scheme published, start as the 1998 program (section 2.5)"},
    [OPTION_DIGITS] = {0, "digits", "N", "digits after the point in the output (default: 6)"},
    [OPTION_THREADS] = {0, "threads", "N", "number of threads (default: all cores)"},
    [OPTION_HDF5] = {0, "hdf5", "FILE", "also write motion, energies and impacts as HDF5"},
    [OPTION_COLLISIONS] = {0, "collisions", "FILE", "collision report as CSV, or JSON if *.json"},
    [OPTION_PICTURE] = {0, "picture", "FILE", "SVG of the moment of greatest deformation"},
    [OPTION_ENERGY_TOLERANCE] = {0, "energy-tolerance", "X",
                                 "adapt the step: energy drift below X of kinetic energy per s"},
    [OPTION_RESTITUTION] = {0, "restitution", "X", "of impacts, 0..1 (default: 1)"},
    [OPTION_FRICTION] = {0, "friction", "X", "between vehicles (default: 0)"},
    [OPTION_QUIET] = {0, "quiet", NULL, "print nothing but errors"},
};

typedef struct request {
    mc_medusa_options run;
    mc_medusa_output output;
    const char *collisions, *picture;
    bool scheme_given, help, quiet;
} request;

static mc_status take_scheme(const char *value, mc_scheme *scheme, mc_error *error)
{
    for (int k = 0; k < MC_SCHEME_COUNT; k++)
        if (strcmp(value, mc_scheme_name((mc_scheme)k)) == 0) {
            *scheme = (mc_scheme)k;
            return MC_OK;
        }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "option --scheme: found \"%s\", expected exponential or published", value);
}

static mc_status take(void *context, int option, const char *value, mc_error *error)
{
    request *r = context;
    switch (option) {
    case OPTION_STEP:
        return cli_number("-d", value, 1e-9, 1.0, &r->run.step, error);
    case OPTION_SAVE:
        return cli_number("-s", value, 1e-9, 1e9, &r->run.save_interval, error);
    case OPTION_END:
        return cli_number("-t", value, 1e-9, 1e9, &r->run.end_time, error);
    case OPTION_DIGITS:
        return cli_integer("--digits", value, 1, 17, &r->output.digits, error);
    case OPTION_THREADS:
        return cli_integer("--threads", value, 1, 1024, &r->run.threads, error);
    case OPTION_ENERGY_TOLERANCE:
        return cli_number("--energy-tolerance", value, 1e-15, 1.0, &r->run.energy_tolerance, error);
    case OPTION_RESTITUTION:
        return cli_number("--restitution", value, 0.0, 1.0, &r->run.restitution, error);
    case OPTION_FRICTION:
        return cli_number("--friction", value, 0.0, 10.0, &r->run.friction, error);
    case OPTION_SCHEME:
        r->scheme_given = true;
        return take_scheme(value, &r->run.scheme, error);
    case OPTION_ENERGY:
        r->output.energy = true;
        break;
    case OPTION_VELOCITY:
        r->output.velocity = true;
        break;
    case OPTION_PLATOON:
        r->run.platoon = value;
        break;
    case OPTION_OUTPUT:
        r->output.asc = value;
        break;
    case OPTION_MODELS:
        r->run.models = value;
        break;
    case OPTION_AS_PUBLISHED:
        r->run.as_published = true;
        break;
    case OPTION_HDF5:
        r->output.hdf5 = value;
        break;
    case OPTION_COLLISIONS:
        r->collisions = value;
        break;
    case OPTION_PICTURE:
        r->picture = value;
        break;
    case OPTION_QUIET:
        r->quiet = true;
        break;
    default:
        r->help = true;
    }
    return MC_OK;
}

static mc_status take_word(void *context, const char *word, mc_error *error)
{
    (void)context;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "found \"%s\", expected an option; values follow their letter without a "
                        "space: -t10",
                        word);
}

// No output may take the place of an input or of another output.
static mc_status check_files(const request *r, mc_error *error)
{
    const struct {
        const char *option, *path;
    } files[] = {{"--models", r->run.models},     {"-f", r->run.platoon},
                 {"-F", r->output.asc},           {"--hdf5", r->output.hdf5},
                 {"--collisions", r->collisions}, {"--picture", r->picture}};
    enum { INPUTS = 2, FILES = sizeof files / sizeof files[0] };
    for (int k = INPUTS; k < FILES; k++)
        for (int i = 0; i < k && files[k].path; i++)
            if (files[i].path && cli_same_file(files[i].path, files[k].path))
                return mc_error_set(error, MC_BAD_INPUT, files[k].path, 0, 0,
                                    i < INPUTS ? "%s would overwrite the file read by %s"
                                               : "%s would overwrite the file written by %s",
                                    files[k].option, files[i].option);
    return MC_OK;
}

static mc_status check_request(request *r, mc_error *error)
{
    if (r->run.as_published && r->scheme_given && r->run.scheme != MC_SCHEME_PUBLISHED)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --as-published contradicts --scheme %s",
                            mc_scheme_name(r->run.scheme));
    if (r->run.as_published)
        r->run.scheme = MC_SCHEME_PUBLISHED;
    if (r->run.energy_tolerance > 0.0 && r->run.scheme == MC_SCHEME_PUBLISHED)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --energy-tolerance: scheme published does not adapt its step");
    if ((r->run.friction > 0.0 || r->run.restitution < 1.0) && r->run.scheme == MC_SCHEME_PUBLISHED)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --%s: the contact of scheme published knows none",
                            r->run.friction > 0.0 ? "friction" : "restitution");
    return check_files(r, error);
}

static void print_help(void)
{
    printf("The command line options are:\n\n");
    cli_print_options(options, OPTION_COUNT);
}

static void print_warning(void *context, const mc_error *warning)
{
    (void)context;
    char line[1024];
    fprintf(stderr, "%s (warning)\n", mc_error_format(warning, line, sizeof line));
}

static void print_columns(const mc_medusa *run, const mc_medusa_output *output)
{
    enum { LISTED = 4 }; // vehicles; more would only scroll by
    const int count = mc_medusa_vehicle_count(run);
    printf("\nThe columns of the output file %s contain the following:\n\n", output->asc);
    mc_medusa_columns c;
    bool skipping = false;
    for (int k = 0; mc_medusa_column_group(run, output, k, &c); k++) {
        const bool skip = count > LISTED && c.vehicle > LISTED / 2 && c.vehicle < count;
        if (skip && !skipping)
            printf("- ... and so on to vehicle %d\n", count);
        skipping = skip;
        if (skip)
            continue;
        if (c.first == c.last)
            printf("- col. %lld: %s\n", c.first, c.what);
        else
            printf("- cols. %lld-%lld: %s\n", c.first, c.last, c.what);
    }
    printf("\n");
}

static void print_start(const request *r, const mc_medusa *run)
{
    const int count = mc_medusa_vehicle_count(run);
    printf("The simulation for %d vehicle%s will stop after %g [s]\n\n", count,
           count == 1 ? "" : "s", r->run.end_time);
    printf("- stepsize: %g [s]\n", mc_medusa_step(run));
    printf("- save data point every %g [s]\n", r->run.save_interval);
    printf("- scheme: %s\n", mc_scheme_name(r->run.scheme));
    if (r->run.scheme == MC_SCHEME_PUBLISHED) {
        const mc_world_options w = mc_world_defaults();
        printf("- constants that the report does not give: contact stiffness %g [N/m], step halved "
               "in contact until below %g [s], held for %d steps\n",
               w.penalty_stiffness, w.penalty_smallest_step, w.penalty_held_steps);
    }
    print_columns(run, &r->output);
    fflush(stdout);
}

static void show_progress(void *context, double time)
{
    progress_update(context, time);
}

static bool stop_asked(void *context)
{
    (void)context;
    return interrupt_requested();
}

// Collision table on the terminal and as a file; the picture.
static mc_status report(const request *r, const mc_medusa *run, mc_error *error)
{
    int impact_count, count;
    const mc_impact *impacts = mc_world_impacts(mc_medusa_world(run), &impact_count);
    mc_collision *collisions;
    mc_status status = mc_collisions_from_impacts(impacts, impact_count, MC_COLLISIONS_QUIET,
                                                  &collisions, &count, error);
    if (status == MC_OK && r->collisions)
        status = mc_collisions_write(r->collisions, collisions, count, error);
    if (status == MC_OK && !r->quiet && count > 0) {
        printf("\n");
        status = mc_collisions_print(stdout, collisions, count, 20, error);
    } else if (status == MC_OK && !r->quiet) {
        printf("no collisions\n");
    }
    free(collisions);
    if (status == MC_OK && r->picture)
        status = crash_picture_write(r->picture, run, error);
    return status;
}

static int simulate(request *r)
{
    mc_error error;
    mc_medusa *run = mc_medusa_open(&r->run, &error);
    if (!run)
        return cli_fail("medusa", &error);
    // What is written after the run is tried before it.
    if ((r->collisions && cli_check_writable(r->collisions, &error) != MC_OK) ||
        (r->picture && cli_check_writable(r->picture, &error) != MC_OK)) {
        mc_medusa_close(run);
        return cli_fail("medusa", &error);
    }
    if (!r->quiet) {
        mc_medusa_warnings(run, print_warning, NULL);
        print_start(r, run);
    }
    interrupt_install();
    progress bar;
    mc_medusa_watch watch = {.stop = stop_asked};
    if (!r->quiet) {
        progress_begin(&bar, stderr, 0.0, r->run.end_time);
        watch = (mc_medusa_watch){show_progress, stop_asked, &bar};
    }
    const mc_status status = mc_medusa_run(run, &r->output, &watch, &error);
    if (!r->quiet)
        progress_end(&bar, mc_world_time(mc_medusa_world(run)));
    int code = status == MC_OK ? 0 : cli_fail("medusa", &error);
    if (status == MC_OK || status == MC_INTERRUPTED) {
        mc_error second;
        if (report(r, run, &second) != MC_OK)
            code = cli_fail("medusa", &second);
    }
    mc_medusa_close(run);
    return code;
}

int cli_medusa(int argc, char **argv)
{
    request r = {.run = mc_medusa_defaults(), .output = {.asc = "data.asc", .digits = 6}};
    mc_error error;
    if (cli_read(argc, argv, options, OPTION_COUNT, take, take_word, &r, &error) != MC_OK)
        return cli_fail("medusa", &error);
    if (r.help) {
        print_help();
        return 0;
    }
    if (r.run.end_time == 0.0) {
        fprintf(stderr, "No endtime specified. Type medusa -h for help\n");
        return 2;
    }
    if (check_request(&r, &error) != MC_OK)
        return cli_fail("medusa", &error);
    char *command = cli_command_text("motorcade medusa", argc, argv);
    r.output.command = command;
    const int code = simulate(&r);
    free(command);
    return code;
}
