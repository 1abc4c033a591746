// suspension.c - `motorcade rig FILE`: a suspension of a concept over travel or steering.
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/plot.h"
#include "motorcade/suspension_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "motorcade rig";

typedef struct request {
    const char *file, *axle, *csv, *svg;
    double from, to;
    int rows;
    bool steer, roll, quiet, help;
} request;

static const cli_option options[] = {
    {0, "axle", "NAME", "the axle (default: the first)", CLI_TO(axle)},
    {0, "from", "M", "first travel of the wheel, or of the rack (default: -0.1)",
     CLI_WITHIN(from, -10, 10)},
    {0, "to", "M", "last travel (default: 0.1)", CLI_WITHIN(to, -10, 10)},
    {0, "rows", "N", "rows of the table (default: 21)", CLI_WITHIN(rows, 2, 10000)},
    {0, "steer", NULL, "move the rack, not the wheels", CLI_TO(steer)},
    {0, "roll", NULL, "the right wheel goes down as the left one goes up", CLI_TO(roll)},
    {0, "csv", "FILE", "write the rows as CSV", CLI_TO(csv)},
    {0, "svg", "FILE", "draw the curves", CLI_TO(svg)},
    {'q', "quiet", NULL, "print only errors", CLI_TO(quiet)},
    CLI_HELP,
    CLI_ONE_WORD(file, "only one concept file is expected: found \"%s\" after \"%s\""),
};

static void print_help(void)
{
    printf("usage: motorcade rig CONCEPT.yaml [OPTIONS]\n\n"
           "Takes the wheels of an axle through a travel, with the chassis fixed: camber, toe,\n"
           "track, motion ratios, wheel rate, roll centre, anti-dive and anti-squat. Both wheels\n"
           "move alike; the columns are those of the left one.\n\n");
    cli_print_options(options);
}

static void print_table(const mc_suspension_curves *s)
{
    static const char *const motions[] = {"both wheels", "opposite wheels", "rack"};
    printf("%s: %s, %s, joints closed to %.1g\n\n", s->axle, s->suspension, motions[s->motion],
           s->gap);
    for (int k = 0; k < s->column_count; k++)
        printf("%s%20s", k ? " " : "", s->column[k].name);
    printf("\n");
    for (int k = 0; k < s->column_count; k++)
        printf("%s%20s", k ? " " : "", s->column[k].unit);
    printf("\n");
    for (int i = 0; i < s->row_count; i++) {
        for (int k = 0; k < s->column_count; k++)
            printf("%s%20.9g", k ? " " : "", s->value[i * s->column_count + k] + 0.0);
        printf("\n");
    }
}

static mc_status write_csv(const char *path, const mc_suspension_curves *s, mc_error *error)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return mc_error_set(error, MC_IO, path, 0, 0, "cannot write this file");
    for (int k = 0; k < s->column_count; k++)
        fprintf(out, "%s%s", k ? "," : "", s->column[k].name);
    putc('\n', out);
    for (int i = 0; i < s->row_count; i++) {
        for (int k = 0; k < s->column_count; k++)
            fprintf(out, "%s%.17g", k ? "," : "", s->value[i * s->column_count + k] + 0.0);
        putc('\n', out);
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        return mc_error_set(error, MC_IO, path, 0, 0, "cannot write this file");
    return MC_OK;
}

static mc_status draw(const char *path, const mc_suspension_curves *s, mc_error *error)
{
    const int n = s->row_count;
    double *values = calloc((size_t)n * (size_t)s->column_count, sizeof values[0]);
    mc_plot_curve curve[MC_SUSPENSION_COLUMN_MAX];
    mc_plot_panel panel[MC_SUSPENSION_COLUMN_MAX];
    int count = 0;
    if (!values)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the figure");
    for (int k = 0; k < s->column_count; k++) {
        bool finite = false;
        for (int i = 0; i < n; i++) {
            values[k * n + i] = s->value[i * s->column_count + k];
            finite = finite || isfinite(values[k * n + i]);
        }
        if (k == 0 || !finite)
            continue;
        // Lengths of springs tell less than their ratios.
        if (strstr(s->column[k].name, "_length"))
            continue;
        curve[count++] = (mc_plot_curve){.label = s->column[k].name,
                                         .unit = s->column[k].unit,
                                         .x = values,
                                         .y = values + k * n,
                                         .count = n};
    }
    char caption[200];
    snprintf(caption, sizeof caption, "axle %s, %s", s->axle, s->suspension);
    const mc_plot plot = {
        .title = "Suspension on the rig",
        .caption = caption,
        .x = {.label = s->motion == MC_SUSPENSION_STEER ? "Rack" : "Wheel travel", .unit = "m"},
        .panels = panel,
        .panel_count = mc_plot_by_unit(curve, count, panel)};
    const mc_status status = mc_plot_write(path, &plot, error);
    free(values);
    return status;
}

static int run(const request *r)
{
    mc_error error;
    mc_suspension_curves curves = {0};
    if (!r->file) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no file given; expected motorcade rig CONCEPT.yaml");
        return cli_fail(program, &error);
    }
    mc_concept *c = mc_concept_load(r->file, &error);
    if (!c)
        return cli_fail(program, &error);
    const mc_suspension_options o = {.axle = r->axle,
                                     .motion = r->steer  ? MC_SUSPENSION_STEER
                                               : r->roll ? MC_SUSPENSION_OPPOSITE
                                                         : MC_SUSPENSION_PARALLEL,
                                     .from = r->from,
                                     .to = r->to,
                                     .row_count = r->rows};
    mc_status status = mc_suspension_measure(c, &o, &curves, &error);
    if (status == MC_OK && r->csv)
        status = write_csv(r->csv, &curves, &error);
    if (status == MC_OK && r->svg)
        status = draw(r->svg, &curves, &error);
    if (status == MC_OK && !r->quiet && !r->csv)
        print_table(&curves);
    mc_suspension_curves_free(&curves);
    mc_concept_free(c);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}

int cli_rig(int argc, char **argv)
{
    mc_error error;
    request r = {0};
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        print_help();
        return 0;
    }
    return run(&r);
}
