// detail.c - the words of --verbose and --debug.
#include "cli/detail.h"

#include "base/cpu.h"
#include "motorcade/scenario.h"
#include "motorcade/version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void detail_machine(const cli_detail *detail, int threads)
{
    if (!detail->verbose && !detail->debug)
        return;
    fprintf(stderr, "motorcade %s, vector code: %s, threads: ", mc_version(),
            cpu_level_best() == CPU_AVX2 ? "AVX2" : "plain");
    if (threads > 0)
        fprintf(stderr, "%d\n", threads);
    else
        fputs("all cores\n", stderr);
}

static void print_vehicle(const mc_run *run, int vehicle)
{
    mc_run_vehicle_info info;
    mc_run_vehicle(run, vehicle, &info);
    fprintf(stderr, "  %s: model %s (%s), lane %d", info.name, info.model, info.kind,
            info.lane + 1);
    if (info.platoon >= 0)
        fprintf(stderr, ", platoon %d, place %d", info.platoon + 1, info.place + 1);
    if (info.controller[0])
        fprintf(stderr, ", controller %s (%s)", info.controller, info.law);
    if (info.profile[0])
        fprintf(stderr, ", profile %s", info.profile);
    fputs("\n", stderr);
}

static void print_params(const mc_run *run, int vehicle)
{
    mc_run_param p;
    const char *group = "";
    for (int k = 0; mc_run_param_at(run, vehicle, k, &p); k++) {
        if (isnan(p.value))
            continue;
        if (strcmp(p.group, group) != 0)
            fprintf(stderr, "    %s:\n", group = p.group);
        fprintf(stderr, "      %s = %.10g %s%s\n", p.row->name, p.value,
                strcmp(p.row->unit, "-") == 0 ? "" : p.row->unit, p.own ? " (its own)" : "");
    }
}

void detail_run(const cli_detail *detail, const mc_scenario *scenario, const mc_run *run)
{
    const mc_scenario_info *info = mc_scenario_info_of(scenario);
    if (!detail->verbose && !detail->debug)
        return;
    fprintf(stderr, "%s: \"%s\"\n", info->file, info->name);
    fprintf(stderr, "  %g s in steps of %g s, rows every %g s, lanes: %d\n", info->end, info->step,
            info->record, info->lane_count);
    fprintf(stderr, "  vehicles: %d, platoons: %d, models: %d, controllers: %d, events: %d\n",
            info->vehicle_count, info->platoon_count, info->model_count, info->controller_count,
            info->event_count);
    for (int v = 0; v < info->vehicle_count; v++) {
        print_vehicle(run, v);
        if (detail->debug)
            print_params(run, v);
    }
    fflush(stderr);
}

mc_status detail_file(const cli_detail *detail, const char *path, mc_error *error)
{
    if (!detail->verbose && !detail->debug)
        return MC_OK;
    mc_scenario *scenario = mc_scenario_load(path, error);
    if (!scenario)
        return error->code;
    mc_run *run = mc_run_create(scenario, NULL, error);
    if (run)
        detail_run(detail, scenario, run);
    mc_run_destroy(run);
    mc_scenario_free(scenario);
    return run ? MC_OK : error->code;
}
