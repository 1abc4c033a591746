// medusa.c - `motorcade medusa ...`: the command of the MEDUSA manual (section 2.4), extended.
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/crash_picture.h"
#include "cli/detail.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "motorcade/collisions.h"
#include "motorcade/medusa.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    mc_medusa_options run;
    mc_medusa_output output;
    const char *collisions, *picture;
    cli_detail detail;
    bool scheme_given, help, quiet;
} request;

static mc_status take_scheme(void *place, const cli_option *option, const char *value,
                             mc_error *error)
{
    request *r = place;
    (void)option;
    r->scheme_given = true;
    for (int k = 0; k < MC_SCHEME_COUNT; k++)
        if (strcmp(value, mc_scheme_name((mc_scheme)k)) == 0) {
            r->run.scheme = (mc_scheme)k;
            return MC_OK;
        }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "option --scheme: found \"%s\", expected exponential or published", value);
}

static const cli_option options[] = {
    {'d', "step", "x.xxx", "set stepsize to x.xxx [s] (default: 0.5e-3; scheme published: 0.5e-4)",
     CLI_WITHIN(run.step, 1e-9, 1.0)},
    {'e', "energy", NULL, "include total energy in output", CLI_TO(output.energy)},
    {'f', "platoon", "file", "parameter file (default: platoon.dat)", CLI_TO(run.platoon)},
    {'F', "output", "file", "output file (default: data.asc)", CLI_TO(output.asc)},
    CLI_HELP,
    {'s', "save", "x.xx", "save data point every x.xx [s] (default: 0.01)",
     CLI_WITHIN(run.save_interval, 1e-9, 1e9)},
    {'t', "end", "x.xx", "simulation ends at x.xx [s] (mandatory)",
     CLI_WITHIN(run.end_time, 1e-9, 1e9)},
    {'v', "velocities", NULL, "include velocities in output", CLI_TO(output.velocity)},
    {0, "models", "FILE", "vehicle models (default: model.dat)", CLI_TO(run.models)},
    {0, "scheme", "NAME", "exponential (default) or published (eq 1.45)", CLI_BY_ALL(take_scheme)},
    {0, "as-published", NULL, "scheme published, start as the 1998 program (section 2.5)",
     CLI_TO(run.as_published)},
    {0, "digits", "N", "digits after the point in the output (default: 6)",
     CLI_WITHIN(output.digits, 1, 17)},
    {0, "threads", "N", "number of threads (default: all cores)", CLI_WITHIN(run.threads, 1, 1024)},
    {0, "hdf5", "FILE", "also write motion, energies and impacts as HDF5", CLI_TO(output.hdf5)},
    {0, "collisions", "FILE", "collision report as CSV, or JSON if *.json", CLI_TO(collisions)},
    {0, "picture", "FILE", "SVG of the moment of maximum deformation", CLI_TO(picture)},
    {0, "free-step", "X", "step of vehicles that touch no other [s] (default: that of --step)",
     CLI_WITHIN(run.free_step, 1e-9, 1.0)},
    {0, "energy-tolerance", "X", "adapt the step: energy drift below X of kinetic energy per s",
     CLI_WITHIN(run.energy_tolerance, 1e-15, 1.0)},
    {0, "restitution", "X", "coefficient of restitution, 0..1 (default: 1)",
     CLI_WITHIN(run.restitution, 0.0, 1.0)},
    {0, "friction", "X", "coefficient of friction between vehicles (default: 0)",
     CLI_WITHIN(run.friction, 0.0, 10.0)},
    {0, "penalty-stiffness", "X", "scheme published: contact stiffness [N/m] (default: 1e6)",
     CLI_WITHIN(run.penalty_stiffness, 1.0, 1e12)},
    {0, "smallest-step", "X",
     "scheme published: steps are halved until below X [s] (default: 1e-6)",
     CLI_WITHIN(run.penalty_smallest_step, 1e-9, 1e-2)},
    {0, "held-steps", "N", "scheme published: small steps after a contact (default: 100)",
     CLI_WITHIN(run.penalty_held_steps, 0, INT_MAX)},
    {0, "quiet", NULL, "print only errors", CLI_TO(quiet)},
    CLI_DETAIL,
    CLI_NO_WORD(
        "unexpected \"%s\"; expected an option. Values follow their letter without a space: -t10"),
};

static mc_status check_files(const request *r, mc_error *error)
{
    cli_guard g = {0};
    cli_guard_reads(&g, "--models", r->run.models);
    cli_guard_reads(&g, "-f", r->run.platoon);
    cli_guard_writes(&g, "-F", r->output.asc);
    cli_guard_writes_results(&g, "--hdf5", r->output.hdf5);
    cli_guard_writes(&g, "--collisions", r->collisions);
    cli_guard_writes(&g, "--picture", r->picture);
    return cli_guard_check(&g, error);
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
                            "option --%s: not supported by the contact model of scheme published",
                            r->run.friction > 0.0 ? "friction" : "restitution");
    const mc_medusa_options usual = mc_medusa_defaults();
    const char *only = r->run.penalty_stiffness != usual.penalty_stiffness ? "penalty-stiffness"
                       : r->run.penalty_smallest_step != usual.penalty_smallest_step
                           ? "smallest-step"
                       : r->run.penalty_held_steps != usual.penalty_held_steps ? "held-steps"
                                                                               : NULL;
    if (only && r->run.scheme != MC_SCHEME_PUBLISHED)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --%s: only for scheme published, found scheme %s", only,
                            mc_scheme_name(r->run.scheme));
    return check_files(r, error);
}

static void print_help(void)
{
    printf("The command line options are:\n\n");
    cli_print_options(options);
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
        printf("- constants that the report does not give: contact stiffness %g [N/m], step halved "
               "in contact until below %g [s], held for %d steps\n",
               r->run.penalty_stiffness, r->run.penalty_smallest_step, r->run.penalty_held_steps);
    }
    print_columns(run, &r->output);
    fflush(stdout);
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

static void print_detail(const request *r, mc_medusa *run)
{
    const mc_world *world = mc_medusa_world(run);
    detail_machine(&r->detail, r->run.threads);
    if (!r->detail.verbose && !r->detail.debug)
        return;
    fprintf(stderr, "%s, %s: vehicles: %d, scheme %s, step %g s (stable up to %g s)\n",
            r->run.models, r->run.platoon, mc_medusa_vehicle_count(run),
            mc_scheme_name(r->run.scheme), mc_medusa_step(run), mc_medusa_bound(run));
    fprintf(stderr, "  impacts: restitution %g, friction %g\n", r->run.restitution,
            r->run.friction);
    for (int v = 0; r->detail.debug && v < mc_medusa_vehicle_count(run); v++) {
        mc_batch *batch;
        mc_motion m;
        int i;
        mc_world_vehicle(world, v, &batch, &i);
        batch->kind->motion(batch, i, 1, &m);
        fprintf(stderr, "  vehicle %d starts at x = %g m, y = %g m, psi = %g rad, v = %g m/s\n",
                v + 1, m.x, m.y, m.psi, m.v);
    }
}

static int simulate(request *r)
{
    mc_error error;
    mc_medusa *run = mc_medusa_load(&r->run, &error);
    if (!run)
        return cli_fail("medusa", &error);
    // What is written after the run is tried before it.
    if ((r->collisions && cli_check_writable(r->collisions, &error) != MC_OK) ||
        (r->picture && cli_check_writable(r->picture, &error) != MC_OK)) {
        mc_medusa_free(run);
        return cli_fail("medusa", &error);
    }
    if (!r->quiet) {
        mc_medusa_warnings(run, print_warning, NULL);
        print_start(r, run);
    }
    print_detail(r, run);
    interrupt_install();
    progress bar;
    mc_watch watch = {.stop = interrupt_stop};
    if (!r->quiet) {
        progress_begin(&bar, stderr, 0.0, r->run.end_time);
        watch = (mc_watch){&bar, interrupt_stop, progress_show};
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
    mc_medusa_free(run);
    return code;
}

int cli_medusa(int argc, char **argv)
{
    request r = {.run = mc_medusa_defaults(), .output = {.asc = "data.asc", .digits = 6}};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
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
