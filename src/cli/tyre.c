// tyre.c - `motorcade tyre [LAW | FILE]`: tyre laws, their parameters and curves.
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/plot.h"
#include "motorcade/tyre_rig.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "motorcade tyre";
static const double degree = 3.14159265358979323846 / 180.0;

enum { LOADS_MAX = 8, POINTS = 241, ANGLES = 7 };

typedef struct loads {
    double fz[LOADS_MAX]; // N
    int count;
} loads;

typedef struct request {
    const char *name, *svg, *csv;
    cli_settings set;
    loads loads;
    double camber; // deg
    bool help;
} request;

// ---- command line ------------------------------------------------------------------------------

static mc_status take_set(void *place, const cli_option *option, const char *value, mc_error *error)
{
    (void)option;
    return cli_add_setting(place, "relaxation=0.4", CLI_SETTINGS_MAX, value, error);
}

static mc_status take_loads(void *place, const cli_option *option, const char *value,
                            mc_error *error)
{
    loads *to = place;
    (void)option;
    to->count = 0;
    for (const char *c = value; c;) {
        const size_t length = strcspn(c, ",");
        char word[40];
        double fz = 0.0;
        snprintf(word, sizeof word, "%.*s", (int)(length < 39 ? length : 39), c);
        if (to->count == LOADS_MAX || length > 39 || !text_to_double(word, &fz) ||
            !(fz >= 1.0 && fz <= 1e6))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "option --loads: found \"%s\"; expected 1 to %d loads of 1 .. 1e6 "
                                "N, for example 2000,4000,6000",
                                value, LOADS_MAX);
        to->fz[to->count++] = fz;
        c = c[length] ? c + length + 1 : NULL;
    }
    return MC_OK;
}

static const cli_option options[] = {
    {0, "loads", "N,N,...", "loads of the curves, N (default: 2000,4000,6000,8000)",
     CLI_BY(take_loads, loads)},
    {0, "camber", "DEG", "camber, the top leaning to the right (default: 0)",
     CLI_WITHIN(camber, -30, 30)},
    {0, "set", "NAME=VALUE", "set a parameter of the law; may be repeated", CLI_BY(take_set, set)},
    {0, "csv", "FILE", "write all curves as CSV", CLI_TO(csv)},
    {0, "svg", "NAME", "draw NAME-x.svg, NAME-y.svg and NAME-combined.svg", CLI_TO(svg)},
    CLI_HELP,
    CLI_ONE_WORD(name, "only one tyre is expected: found \"%s\" after \"%s\""),
};

// ---- curves ------------------------------------------------------------------------------------

typedef struct curve { // at one load
    mc_tyre_slip at[POINTS];
    mc_tyre_force force[POINTS];
} curve;

typedef struct curves {
    curve x[LOADS_MAX], y[LOADS_MAX]; // over slip, over slip angle
    curve both[ANGLES];               // over slip at the second load, each with a slip angle
    double load;                      // N, of those
} curves;

static double from_to(double low, double high, int k)
{
    return low + (high - low) * k / (POINTS - 1);
}

static void run(const mc_tyre_rig *rig, curve *c)
{
    mc_tyre_rig_run(rig, c->at, POINTS, c->force);
}

static void make_curves(const mc_tyre_rig *rig, const request *r, curves *out)
{
    const double camber = r->camber * degree;
    for (int l = 0; l < r->loads.count; l++) {
        const double fz = r->loads.fz[l];
        for (int k = 0; k < POINTS; k++) {
            out->x[l].at[k] = (mc_tyre_slip){fz, from_to(-0.6, 0.6, k), 0.0, camber};
            out->y[l].at[k] = (mc_tyre_slip){fz, 0.0, from_to(-24.0, 24.0, k) * degree, camber};
        }
        run(rig, &out->x[l]);
        run(rig, &out->y[l]);
    }
    out->load = r->loads.fz[r->loads.count > 1 ? 1 : 0];
    for (int a = 0; a < ANGLES; a++) {
        const double alpha = 2.0 * a * degree;
        for (int k = 0; k < POINTS; k++) { // closer together about 0
            const double t = from_to(-1.0, 1.0, k);
            out->both[a].at[k] = (mc_tyre_slip){out->load, 0.9 * t * t * t, alpha, camber};
        }
        run(rig, &out->both[a]);
    }
}

// ---- output ------------------------------------------------------------------------------------

static void print_list(void)
{
    const mc_tyre *law;
    for (int k = 0; (law = mc_tyre_at(k)); k++)
        printf("  %-10s %s\n", law->name, law->doc);
    printf("\n`motorcade tyre LAW` or `motorcade tyre FILE.tir` prints parameters and curves.\n");
}

static void print_params(const mc_tyre_rig *rig)
{
    const mc_tyre *law = mc_tyre_rig_law(rig);
    printf("%s - %s\n", law->name, law->doc);
    for (int i = 0; i < law->param_count; i++) {
        const mc_param *row = &law->params[i];
        char range[48];
        snprintf(range, sizeof range, "%g .. %g", row->min, row->max);
        printf("%s  %-19s %-12s %-12g %-18s %s\n", i ? "" : "\nparameters\n", row->name, row->unit,
               mc_tyre_rig_value(rig, i), range, row->doc);
    }
}

// Slopes at zero slip, and peaks with their slips.
static void print_loads(const mc_tyre_rig *rig, const request *r, const curves *c)
{
    printf("\n%8s %10s %10s %8s %9s %10s %8s %9s\n", "load", "dFx/dslip", "max Fx", "at slip",
           "dFy/dangle", "max Fy", "at angle", "max Mz");
    printf("%8s %10s %10s %8s %10s %10s %8s %9s\n", "N", "N", "N", "-", "N/rad", "N", "deg", "N m");
    for (int l = 0; l < r->loads.count; l++) {
        const double fz = r->loads.fz[l], h = 1e-4, camber = r->camber * degree;
        const mc_tyre_slip near[4] = {{fz, -h, 0.0, camber},
                                      {fz, h, 0.0, camber},
                                      {fz, 0.0, -h, camber},
                                      {fz, 0.0, h, camber}};
        mc_tyre_force f[4];
        mc_tyre_rig_run(rig, near, 4, f);
        int x = 0, y = 0, z = 0;
        for (int k = 0; k < POINTS; k++) {
            x = c->x[l].force[k].fx > c->x[l].force[x].fx ? k : x;
            y = c->y[l].force[k].fy > c->y[l].force[y].fy ? k : y;
            z = c->y[l].force[k].mz > c->y[l].force[z].mz ? k : z;
        }
        printf("%8g %10.0f %10.1f %8.3f %10.0f %10.1f %8.1f %9.2f\n", fz,
               (f[1].fx - f[0].fx) / (2.0 * h), c->x[l].force[x].fx, c->x[l].at[x].kappa,
               (f[3].fy - f[2].fy) / (2.0 * h), c->y[l].force[y].fy, c->y[l].at[y].alpha / degree,
               c->y[l].force[z].mz);
    }
}

static void write_rows(file_writer *out, const char *name, const curve *c)
{
    for (int k = 0; k < POINTS; k++)
        file_print(out, "%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", name, c->at[k].fz,
                   c->at[k].kappa, c->at[k].alpha, c->at[k].camber, c->force[k].fx, c->force[k].fy,
                   c->force[k].mz);
}

static mc_status write_csv(const request *r, const curves *c, mc_error *error)
{
    file_writer *out = file_writer_open(r->csv, error);
    if (!out)
        return error->code;
    file_print(out, "curve,fz_N,kappa,alpha_rad,camber_rad,fx_N,fy_N,mz_Nm\n");
    for (int l = 0; l < r->loads.count; l++)
        write_rows(out, "slip", &c->x[l]);
    for (int l = 0; l < r->loads.count; l++)
        write_rows(out, "angle", &c->y[l]);
    for (int a = 0; a < ANGLES; a++)
        write_rows(out, "combined", &c->both[a]);
    return file_writer_commit(out, error);
}

// ---- figures -----------------------------------------------------------------------------------

enum { LABEL = 24 };

typedef struct lines { // of a panel
    double x[LOADS_MAX][POINTS], y[LOADS_MAX][POINTS];
    char label[LOADS_MAX][LABEL];
    mc_plot_curve curve[LOADS_MAX];
} lines;

static void add_line(lines *to, int k, const char *unit)
{
    to->curve[k] = (mc_plot_curve){
        .label = to->label[k], .unit = unit, .x = to->x[k], .y = to->y[k], .count = POINTS};
}

static mc_status write_plot(const request *r, const char *end, mc_plot *plot, mc_error *error)
{
    char path[1000];
    plot->width = 640.0;
    if ((size_t)snprintf(path, sizeof path, "%s-%s.svg", r->svg, end) >= sizeof path)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --svg: the name is too long");
    return mc_plot_write(path, plot, error);
}

static mc_status draw_x(const request *r, const char *name, const curves *c, lines *to,
                        mc_error *error)
{
    for (int l = 0; l < r->loads.count; l++) {
        for (int k = 0; k < POINTS; k++)
            to->x[l][k] = c->x[l].at[k].kappa, to->y[l][k] = c->x[l].force[k].fx;
        snprintf(to->label[l], LABEL, "%g N", r->loads.fz[l]);
        add_line(to, l, "N");
    }
    const mc_plot_panel panel = {.y = {.label = "Longitudinal force"},
                                 .curves = to->curve,
                                 .curve_count = r->loads.count,
                                 .height = 300.0};
    return write_plot(r, "x",
                      &(mc_plot){.title = name,
                                 .caption = "Longitudinal force over slip",
                                 .x = {.label = "Slip", .unit = "-"},
                                 .panels = &panel,
                                 .panel_count = 1},
                      error);
}

static mc_status draw_y(const request *r, const char *name, const curves *c, lines *fy, lines *mz,
                        mc_error *error)
{
    for (int l = 0; l < r->loads.count; l++) {
        for (int k = 0; k < POINTS; k++) {
            fy->x[l][k] = mz->x[l][k] = c->y[l].at[k].alpha / degree;
            fy->y[l][k] = c->y[l].force[k].fy, mz->y[l][k] = c->y[l].force[k].mz;
        }
        snprintf(fy->label[l], LABEL, "%g N", r->loads.fz[l]);
        snprintf(mz->label[l], LABEL, "%g N", r->loads.fz[l]);
        add_line(fy, l, "N");
        add_line(mz, l, "N m");
    }
    const mc_plot_panel panels[2] = {{.y = {.label = "Side force"},
                                      .curves = fy->curve,
                                      .curve_count = r->loads.count,
                                      .height = 240.0},
                                     {.y = {.label = "Aligning moment"},
                                      .curves = mz->curve,
                                      .curve_count = r->loads.count,
                                      .height = 240.0}};
    return write_plot(r, "y",
                      &(mc_plot){.title = name,
                                 .caption = "Side force and aligning moment over slip angle",
                                 .x = {.label = "Slip angle", .unit = "deg"},
                                 .panels = panels,
                                 .panel_count = 2},
                      error);
}

static mc_status draw_both(const request *r, const char *name, const curves *c, lines *to,
                           mc_error *error)
{
    char caption[120];
    for (int a = 0; a < ANGLES; a++) {
        for (int k = 0; k < POINTS; k++)
            to->x[a][k] = c->both[a].force[k].fx, to->y[a][k] = c->both[a].force[k].fy;
        snprintf(to->label[a], LABEL, "%g deg", c->both[a].at[0].alpha / degree);
        add_line(to, a, "N");
    }
    snprintf(caption, sizeof caption,
             "Combined slip: from braking to driving at constant slip angles, load %g N", c->load);
    const mc_plot_panel panel = {
        .y = {.label = "Side force"}, .curves = to->curve, .curve_count = ANGLES, .height = 300.0};
    return write_plot(r, "combined",
                      &(mc_plot){.title = name,
                                 .caption = caption,
                                 .x = {.label = "Longitudinal force", .unit = "N"},
                                 .panels = &panel,
                                 .panel_count = 1},
                      error);
}

static mc_status draw(const request *r, const char *name, const curves *c, mc_error *error)
{
    lines *room = calloc(2, sizeof *room);
    if (!room)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the figures");
    mc_status status = draw_x(r, name, c, room, error);
    if (status == MC_OK)
        status = draw_y(r, name, c, &room[0], &room[1], error);
    if (status == MC_OK)
        status = draw_both(r, name, c, room, error);
    free(room);
    return status;
}

static mc_status show(const mc_tyre_rig *rig, const request *r, curves *c, mc_error *error)
{
    const char *note;
    for (int k = 0; (note = mc_tyre_rig_note(rig, k)); k++)
        fprintf(stderr, "%s\n", note);
    make_curves(rig, r, c);
    print_params(rig);
    print_loads(rig, r, c);
    mc_status status = r->csv ? write_csv(r, c, error) : MC_OK;
    if (status == MC_OK && r->svg)
        status = draw(r, r->name, c, error);
    return status;
}

static mc_status run_request(const request *r, mc_error *error)
{
    mc_tyre_rig *rig = mc_tyre_rig_open(r->name, error);
    curves *c = calloc(1, sizeof *c);
    mc_status status = rig ? MC_OK : error->code;
    if (rig && !c)
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the curves");
    for (int k = 0; status == MC_OK && k < r->set.count; k++)
        status = mc_tyre_rig_set(rig, r->set.names[k], r->set.values[k], error);
    if (status == MC_OK)
        status = show(rig, r, c, error);
    free(c);
    mc_tyre_rig_close(rig);
    return status;
}

int cli_tyre(int argc, char **argv)
{
    request r = {.loads = {{2000.0, 4000.0, 6000.0, 8000.0}, 4}};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf("usage: motorcade tyre [LAW | FILE.tir] [OPTIONS]\n\n"
               "Lists the tyre laws; with a law or a file of one, its parameters, stiffness and\n"
               "peaks at several loads, and its curves as CSV and SVG: longitudinal force over\n"
               "slip, side force and aligning moment over slip angle, combined slip.\n"
               "docs/tyres.md explains the laws.\n\n");
        cli_print_options(options);
        return 0;
    }
    if (!r.name) {
        print_list();
        return 0;
    }
    return run_request(&r, &error) == MC_OK ? 0 : cli_fail(program, &error);
}
