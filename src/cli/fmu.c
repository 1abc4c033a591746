// fmu.c - `motorcade fmu MODEL.yaml -o FILE.fmu`, `motorcade fmu SCENARIO.yaml -o FILE.fmu`.
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "motorcade/fmu.h"

#include <stdio.h>

typedef struct request {
    const char *file, *output, *method, *law, *vehicle, *controller;
    double fixed_step, rtol;
    int version;
    bool help;
} request;

static const cli_option options[] = {
    {'o', "output", " FILE", "unit to write, FILE.fmu", CLI_TO(output)},
    {0, "fmi", "N", "version of the standard: 3 (default) or 2", CLI_WITHIN(version, 2, 3)},
    {0, "law", "NAME", "a control law of the library instead of a file", CLI_TO(law)},
    {0, "vehicle", "NAME", "a vehicle of the scenario alone, driven by inputs", CLI_TO(vehicle)},
    {0, "controller", "NAME", "the law of a controller of the scenario alone", CLI_TO(controller)},
    {0, "method", "NAME", "mechanisms, co-simulation: integrator (default: dop853)",
     CLI_TO(method)},
    {0, "fixed-step", "SECONDS", "step of a method with a fixed step",
     CLI_WITHIN(fixed_step, 1e-9, 1e3)},
    {0, "rtol", "X", "relative tolerance of an adaptive method (default: 1e-9)",
     CLI_WITHIN(rtol, 1e-14, 0.1)},
    CLI_HELP,
    CLI_ONE_WORD(file, "only one file is expected: found \"%s\" after \"%s\""),
};

static mc_status check(const request *r, mc_error *error)
{
    if (r->law && r->file)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "--law takes no file: found \"%s\"",
                            r->file);
    if (!r->file && !r->law)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "no file given; expected motorcade fmu MODEL.yaml -o FILE.fmu");
    if (!r->output)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "expected -o FILE.fmu");
    cli_guard g = {0};
    if (r->file)
        cli_guard_reads(&g, "the model", r->file);
    cli_guard_writes(&g, "-o", r->output);
    return cli_guard_check(&g, error);
}

static void print_report(const char *path, const mc_fmu_report *r)
{
    printf("%s: FMI %d.0, %s%s\n", path, r->version,
           r->model_exchange ? "model exchange and co-simulation" : "co-simulation only: ", r->why);
    printf("%s: %d variables: %d parameters, %d inputs, %d states; %d event indicators, "
           "directional derivatives: %s\n",
           r->name, r->variable_count, r->parameter_count, r->input_count, r->state_count,
           r->event_count, r->directional ? "yes" : "no");
}

int cli_fmu(int argc, char **argv)
{
    const char *const program = "motorcade fmu";
    request r = {0};
    mc_error error;
    mc_fmu_report report;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf("usage: motorcade fmu MODEL.yaml -o FILE.fmu [OPTIONS]\n"
               "       motorcade fmu SCENARIO.yaml -o FILE.fmu [--vehicle NAME | --controller "
               "NAME]\n"
               "       motorcade fmu --law NAME -o FILE.fmu\n\n"
               "Writes a mechanism, a scenario, one of its vehicles or a control law as a\n"
               "Functional Mock-up Unit. The unit contains everything it needs: it runs where\n"
               "Motorcade is not installed.\n\n");
        cli_print_options(options);
        return 0;
    }
    const mc_fmu_options o = {.version = r.version,
                              .method = r.method,
                              .fixed_step = r.fixed_step,
                              .rtol = r.rtol,
                              .law = r.law,
                              .vehicle = r.vehicle,
                              .controller = r.controller};
    if (check(&r, &error) != MC_OK || mc_fmu_write(r.file, &o, r.output, &report, &error) != MC_OK)
        return cli_fail(program, &error);
    print_report(r.output, &report);
    return 0;
}
