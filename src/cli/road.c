// road.c - `motorcade road FILE`: what a road file says, drawn and sampled.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/dynavis.h"
#include "motorcade/road_file.h"
#include "motorcade/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *file, *svg, *csv, *ramps;
    double step;
    bool help;
} request;

static const cli_option options[] = {
    {0, "svg", "FILE", "draw the plan view", CLI_TO(svg)},
    {0, "csv", "FILE", "write samples of every path", CLI_TO(csv)},
    {0, "ramps", "FILE", "write the ramps as a DYNAVIS ramp file", CLI_TO(ramps)},
    {0, "step", "M", "metres between samples (default 5)", CLI_WITHIN(step, 1e-3, 1e5)},
    CLI_HELP,
    CLI_ONE_WORD(file, "one file at a time: \"%s\" after \"%s\""),
};

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_path(const mc_road *road, int k)
{
    mc_road_path p;
    mc_road_path_at(road, k, &p);
    printf("path %d, %s: ", k, p.name);
    if (!isfinite(p.length)) {
        printf("straight, without an end; %d lane%s\n", p.lane_count, plural(p.lane_count));
        return;
    }
    printf("%.10g m, %d lane%s; %d straight%s, %d arc%s, %d clothoid%s", p.length, p.lane_count,
           plural(p.lane_count), p.line_count, plural(p.line_count), p.arc_count,
           plural(p.arc_count), p.clothoid_count, plural(p.clothoid_count));
    if (p.max_curvature > 0.0)
        printf("; turns %.4g deg, radius at least %.6g m", p.turn * 180.0 / M_PI,
               1.0 / p.max_curvature);
    const double gap = mc_road_gap(road, k);
    if (p.closed || gap < 0.1)
        printf("; closes within %.2g m", gap);
    printf("\n");
}

static void print_ramp(const mc_road *road, int k)
{
    mc_road_ramp r;
    mc_road_path from, to;
    mc_road_ramp_at(road, k, &r);
    mc_road_path_at(road, r.path, &from);
    mc_road_path_at(road, r.main, &to);
    if (!(r.to > r.from)) {
        printf("  the end of %s leads to %s, lane %d\n", from.name, to.name, r.lane + 1);
        return;
    }
    printf("  %s-ramp %s%s at %.9g m of %s: lane %d from %.9g to %.9g m, nose at %.6g m",
           r.on ? "on" : "off", r.name, r.connector ? " (connector)" : "", r.at, to.name,
           r.lane + 1, r.from, r.to, r.nose);
    if (!isnan(r.speed))
        printf(", %.4g m/s", r.speed);
    printf("\n");
}

static void print_road(const mc_road *road)
{
    for (int k = 0; k < mc_road_path_count(road); k++)
        print_path(road, k);
    const int ramps = mc_road_ramp_count(road);
    if (ramps > 0)
        printf("%d link%s between paths\n", ramps, plural(ramps));
    for (int k = 0; k < ramps; k++)
        print_ramp(road, k);
}

// On- and off-ramps of the main road, in order of the road.
static mc_status write_ramps(const mc_road *road, const char *path, mc_error *error)
{
    const int room = mc_road_ramp_count(road);
    mc_dynavis_ramp *out = calloc((size_t)room + 1, sizeof *out);
    if (!out)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    int count = 0;
    mc_road_ramp r;
    for (int k = 0; mc_road_ramp_at(road, k, &r); k++) {
        if (r.main != 0 || !(r.to > r.from))
            continue;
        int i = count++;
        for (; i > 0 && out[i - 1].x > r.at; i--)
            out[i] = out[i - 1];
        out[i] = (mc_dynavis_ramp){.x = r.at, .on = r.on, .connector = r.connector};
        snprintf(out[i].name, sizeof out[i].name, "%.*s", MC_DYNAVIS_NAME_SIZE - 1, r.name);
    }
    const mc_status status = mc_dynavis_ramps_write(path, out, count, error);
    free(out);
    return status;
}

// Ramps that come from a ramp file are written as they stand there.
static mc_status write_lines(const char *path, const char *lines, size_t size, mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    file_write(out, lines, size);
    return file_writer_commit(out, error);
}

static mc_status write_files(const request *r, const mc_scenario *s, const mc_road *road,
                             mc_error *error)
{
    size_t size = 0;
    const char *lines = s ? mc_scenario_ramp_lines(s, &size) : NULL;
    mc_status status = MC_OK;
    if (r->svg)
        status = mc_road_draw(road, r->file, r->svg, error);
    if (status == MC_OK && r->csv)
        status = mc_road_sample(road, r->step > 0.0 ? r->step : 5.0, r->csv, error);
    if (status == MC_OK && r->ramps)
        status =
            lines ? write_lines(r->ramps, lines, size, error) : write_ramps(road, r->ramps, error);
    return status;
}

static mc_status show_scenario(const request *r, mc_error *error)
{
    mc_scenario *s = mc_scenario_load(r->file, error);
    if (!s)
        return error->code;
    printf("%s: the road of a scenario\n", r->file);
    print_road(mc_scenario_road(s));
    const mc_status status = write_files(r, s, mc_scenario_road(s), error);
    mc_scenario_free(s);
    return status;
}

static mc_status show_file(const request *r, mc_error *error)
{
    mc_road_file *f = mc_road_file_read(r->file, error);
    if (!f)
        return error->code;
    printf("%s: %s\n", r->file, mc_road_file_format(f));
    print_road(mc_road_file_road(f));
    int line;
    const char *text;
    for (int k = 0; mc_road_file_note(f, k, &line, &text); k++)
        if (line > 0)
            printf("note, line %d: %s\n", line, text);
        else
            printf("note: %s\n", text);
    const mc_status status = write_files(r, NULL, mc_road_file_road(f), error);
    mc_road_file_free(f);
    return status;
}

int cli_road(int argc, char **argv)
{
    const char *const program = "motorcade road";
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf("usage: motorcade road FILE [OPTIONS]\n\n"
               "Prints what a road consists of: paths, lanes, ramps, and what of the file is not\n"
               "read. FILE: OpenDRIVE (.xodr), OpenCRG (.crg), or a scenario (.yaml).\n\n");
        cli_print_options(options);
        return 0;
    }
    if (!r.file) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0, "no file given");
        return cli_fail(program, &error);
    }
    const size_t length = strlen(r.file);
    const bool yaml = (length > 5 && strcmp(r.file + length - 5, ".yaml") == 0) ||
                      (length > 4 && strcmp(r.file + length - 4, ".yml") == 0);
    const mc_status status = yaml ? show_scenario(&r, &error) : show_file(&r, &error);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
