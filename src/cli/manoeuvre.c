// manoeuvre.c - `motorcade manoeuvre [NAME]`: standard manoeuvres, their figures, plots and runs.
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/manoeuvre.h"
#include "motorcade/plot.h"
#include "motorcade/record.h"
#include "motorcade/report.h"
#include "motorcade/vehicle_type.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "motorcade manoeuvre";

typedef struct request {
    const char *name, *model, *yaml, *output, *report, *svg, *csv;
    cli_settings set;
    bool help;
} request;

static mc_status take_set(void *place, const cli_option *option, const char *value, mc_error *error)
{
    (void)option;
    return cli_add_setting(place, "speed=20", CLI_SETTINGS_MAX, value, error);
}

static const cli_option options[] = {
    {0, "model", "MODEL",
     "a model as in a scenario: a type, or a map with its keys (default: the type of models "
     "that do not say)",
     CLI_TO(model)},
    {0, "set", "NAME=VALUE", "parameter of the manoeuvre, SI; may be repeated",
     CLI_BY(take_set, set)},
    {0, "svg", "FILE", "draw the drive", CLI_TO(svg)},
    {0, "csv", "FILE", "write the rows of the drive", CLI_TO(csv)},
    {0, "yaml", "FILE", "write the scenario of the drive, for `motorcade run`", CLI_TO(yaml)},
    {'o', "output", " FILE", "write a results file of the drive", CLI_TO(output)},
    {0, "report", "FILE", "write a report of the drive, HTML or PDF (needs -o)", CLI_TO(report)},
    CLI_HELP,
    CLI_ONE_WORD(name, "one manoeuvre at a time: \"%s\" after \"%s\""),
};

static const char *model_of(const request *r)
{
    return r->model ? r->model : mc_vehicle_type_default()->name;
}

// ---- text --------------------------------------------------------------------------------------

static void print_list(void)
{
    const mc_manoeuvre *m;
    for (int k = 0; (m = mc_manoeuvre_at(k)); k++)
        printf("%-16s %s\n", m->name, m->doc);
    printf("\n`motorcade manoeuvre NAME` drives one.\n");
}

static void print_test(const request *r, const mc_manoeuvre *m, const mc_manoeuvre_test *t)
{
    printf("%s: %s\n  %s\n  %s", m->name, m->doc, m->source, model_of(r));
    for (int k = 0; k < m->param_count; k++)
        printf("%s %s = %.6g%s%s", k ? "," : ":", m->params[k].name, mc_manoeuvre_param(t, k),
               strcmp(m->params[k].unit, "-") ? " " : "",
               strcmp(m->params[k].unit, "-") ? m->params[k].unit : "");
    printf("\n\n");
    for (int k = 0; k < m->figure_count; k++) {
        const double value = mc_manoeuvre_value(t, k);
        char number[40];
        snprintf(number, sizeof number, isnan(value) ? "-" : "%.6g", value);
        printf("%-24s %12s %-12s %s\n", m->figures[k].name, number, m->figures[k].unit,
               m->figures[k].doc);
    }
}

static mc_status unknown(const char *name, mc_error *error)
{
    const char *names[32];
    int count = 0;
    for (; count < 32 && mc_manoeuvre_at(count); count++)
        names[count] = mc_manoeuvre_at(count)->name;
    const char *near = text_nearest(name, names, count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "unknown manoeuvre \"%s\"%s%s%s; `motorcade manoeuvre` lists them", name,
                        near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

// ---- files -------------------------------------------------------------------------------------

static mc_status write_text(const char *path, const char *text, mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    file_write(out, text, strlen(text));
    return file_writer_commit(out, error);
}

static mc_status write_rows(const char *path, const mc_manoeuvre_test *t, mc_error *error)
{
    int count;
    const mc_manoeuvre_row *row = mc_manoeuvre_rows(t, &count);
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    file_print(out, "t [s],x [m],y [m],psi [rad],v [m/s],v_y [m/s],yaw_rate [rad/s],a_y [m/s^2],"
                    "steer [rad]\n");
    for (int k = 0; k < count; k++, row++)
        file_print(out, "%.9g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", row->t, row->x,
                   row->y, row->psi, row->v, row->v_y, row->yaw_rate, row->a_y, row->steer);
    return file_writer_commit(out, error);
}

// With cones: the course from above, then steering and lateral acceleration over the way; else
// curves over time.
static mc_status draw(const char *path, const mc_manoeuvre *m, const mc_manoeuvre_test *t,
                      mc_error *error)
{
    enum { CURVES = 5 };
    int count, cone_count;
    const mc_manoeuvre_row *rows = mc_manoeuvre_rows(t, &count);
    const mc_manoeuvre_cone *cones = mc_manoeuvre_cones(t, &cone_count);
    double *room =
        malloc(((size_t)count * (CURVES + 1) + 4 * (size_t)cone_count + 1) * sizeof *room);
    if (!room)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a plot");
    double *x = room, *y = x + count, *steer = y + count, *a_y = steer + count;
    double *yaw = a_y + count, *slip = yaw + count, *at = slip + count;
    int stand = 0, hit = 0;
    double *hit_at = at + 2 * cone_count;
    for (int k = 0; k < count; k++) {
        x[k] = cone_count ? rows[k].x : rows[k].t;
        y[k] = rows[k].y, steer[k] = rows[k].steer, a_y[k] = rows[k].a_y;
        yaw[k] = rows[k].yaw_rate;
        const bool stands = hypot(rows[k].v, rows[k].v_y) < 0.5; // m/s: no direction to speak of
        slip[k] = stands ? (double)NAN : atan2(rows[k].v_y, fmax(rows[k].v, 1e-6));
    }
    for (int k = 0; k < cone_count; k++) {
        double *to = cones[k].hit ? hit_at : at;
        int *n = cones[k].hit ? &hit : &stand;
        to[*n] = cones[k].x, to[cone_count + *n] = cones[k].y;
        ++*n;
    }
    mc_plot_curve way[3] = {{.label = "mass centre", .unit = "m", .x = x, .y = y, .count = count}};
    int ways = 1;
    if (stand)
        way[ways++] = (mc_plot_curve){.label = "cones",
                                      .unit = "m",
                                      .x = at,
                                      .y = at + cone_count,
                                      .count = stand,
                                      .colour = 3,
                                      .style = MC_PLOT_STYLE_POINTS};
    if (hit)
        way[ways++] = (mc_plot_curve){.label = "cones hit",
                                      .unit = "m",
                                      .x = hit_at,
                                      .y = hit_at + cone_count,
                                      .count = hit,
                                      .colour = 2,
                                      .style = MC_PLOT_STYLE_POINTS};
    const mc_plot_curve others[] = {
        {.label = "steering angle", .unit = "rad", .x = x, .y = steer, .count = count},
        {.label = "lateral acceleration", .unit = "m/s^2", .x = x, .y = a_y, .count = count},
        {.label = "yaw rate", .unit = "rad/s", .x = x, .y = yaw, .count = count},
        {.label = "side slip", .unit = "rad", .x = x, .y = slip, .count = count},
    };
    const mc_plot_panel panels[] = {
        {.y = {.label = "Offset", .unit = "m"}, .curves = way, .curve_count = ways},
        {.y = {.label = "Steering angle", .unit = "rad"}, .curves = &others[0], .curve_count = 1},
        {.y = {.label = "Lateral acceleration", .unit = "m/s^2"},
         .curves = &others[1],
         .curve_count = 1},
        {.y = {.label = "Yaw rate", .unit = "rad/s"}, .curves = &others[2], .curve_count = 1},
        {.y = {.label = "Side slip", .unit = "rad"}, .curves = &others[3], .curve_count = 1},
    };
    const int first = cone_count || m->straight ? 0 : 1; // of others the way over time says little
    const mc_plot plot = {
        .title = m->name,
        .caption = m->doc,
        .x = {.label = cone_count ? "Way" : "Time", .unit = cone_count ? "m" : "s"},
        .panels = panels + first,
        .panel_count = 5 - first};
    const mc_status status = mc_plot_write(path, &plot, error);
    free(room);
    return status;
}

// The last drive again, recorded: same scenario, same bits.
static mc_status record(const request *r, const mc_manoeuvre_test *t, const char *command,
                        mc_error *error)
{
    const char *text = mc_manoeuvre_scenario(t);
    mc_scenario *s = mc_scenario_parse(text, strlen(text), "manoeuvre", error);
    mc_run *run =
        s ? mc_run_create(s, &(mc_run_options){.threads = 1, .contact_off = true}, error) : NULL;
    mc_recording *rec =
        run ? mc_recording_open(
                  run, &(mc_record_output){.hdf5 = r->output, .full = true, .command = command},
                  error)
            : NULL;
    mc_status status = rec ? mc_recording_play(rec, NULL, error) : error->code;
    if (rec && status == MC_OK)
        status = mc_recording_close(rec, error);
    else if (rec)
        mc_recording_abandon(rec);
    mc_run_destroy(run);
    mc_scenario_free(s);
    if (status == MC_OK && r->report)
        status = mc_report_write(r->output, r->report, error);
    return status;
}

// ---- the command -------------------------------------------------------------------------------

static mc_status answer(request *r, const char *command, mc_error *error)
{
    const mc_manoeuvre *m = mc_manoeuvre_find(r->name);
    if (!m)
        return unknown(r->name, error);
    if (r->report && !r->output)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "--report needs -o FILE, the results it is made of");
    const mc_manoeuvre_options o = {.model = model_of(r),
                                    .path = "manoeuvre",
                                    .set_names = r->set.names,
                                    .set_values = r->set.values,
                                    .set_count = r->set.count};
    mc_manoeuvre_test *t = mc_manoeuvre_run(m, &o, error);
    if (!t)
        return error->code;
    mc_status status = MC_OK;
    if (r->yaml)
        status = write_text(r->yaml, mc_manoeuvre_scenario(t), error);
    if (status == MC_OK && r->svg)
        status = draw(r->svg, m, t, error);
    if (status == MC_OK && r->csv)
        status = write_rows(r->csv, t, error);
    if (status == MC_OK && r->output)
        status = record(r, t, command, error);
    if (status == MC_OK) {
        print_test(r, m, t);
        const char *const written[] = {r->svg, r->csv, r->yaml, r->output, r->report};
        for (int k = 0, any = 0; k < 5; k++)
            if (written[k])
                printf("%swrote %s\n", any++ ? "" : "\n", written[k]);
    }
    mc_manoeuvre_free(t);
    return status;
}

int cli_manoeuvre(int argc, char **argv)
{
    request r = {0};
    mc_error error = {0};
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf(
            "usage: motorcade manoeuvre [NAME] [OPTIONS]\n\n"
            "Lists the standard manoeuvres, or drives one with a vehicle and prints its figures. "
            "docs/manoeuvres.md\nexplains them.\n\n");
        cli_print_options(options);
        return 0;
    }
    if (!r.name) {
        print_list();
        return 0;
    }
    char *command = cli_command_text("manoeuvre", argc, argv);
    const mc_status status = answer(&r, command, &error);
    free(command);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
