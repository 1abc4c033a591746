// identify.c - `motorcade identify`: the four-car bench for the mass of a car.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "motorcade/identify.h"
#include "motorcade/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    double p[MC_IDENTIFY_PARAM_COUNT];
    double every;
    int seed, study;
    const char *csv, *svg;
    bool help;
} request;

// ---- command line ------------------------------------------------------------------------------

static const cli_option others[] = {
    {0, "every", "NUMBER", "time between printed rows (s, default 5)",
     CLI_WITHIN(every, 1e-3, 1e6)},
    {0, "seed", "N", "seed of the noise (default 1)", CLI_WITHIN(seed, 0, 1000000000)},
    {0, "study", "N", "repeat the run with N seeds: bias and spread due to noise",
     CLI_WITHIN(study, 2, 1000000)},
    {0, "csv", "FILE", "write all rows as a table", CLI_TO(csv)},
    {0, "svg", "FILE", "draw true and estimated mass with the band", CLI_TO(svg)},
    CLI_HELP,
    CLI_NO_WORD("unexpected \"%s\"; expected options only: `motorcade identify -h` lists them"),
};

// One option for each parameter of the bench, then the others.
typedef struct option_table {
    cli_option rows[MC_IDENTIFY_PARAM_COUNT + sizeof others / sizeof others[0]];
    char name[MC_IDENTIFY_PARAM_COUNT][32], doc[MC_IDENTIFY_PARAM_COUNT][160];
} option_table;

// A pure number, or percent: 20% is 0.2.
static mc_status take_share(void *place, const cli_option *option, const char *value,
                            mc_error *error)
{
    char number[64];
    const size_t length = strlen(value);
    if (length < 2 || length >= sizeof number || value[length - 1] != '%')
        return cli_take_number(place, option, value, error);
    snprintf(number, sizeof number, "%.*s", (int)length - 1, value);
    cli_option percent = *option;
    percent.min *= 100.0;
    percent.max *= 100.0;
    const mc_status status = cli_take_number(place, &percent, number, error);
    *(double *)place /= 100.0;
    return status;
}

static void make_options(option_table *t)
{
    for (int k = 0; k < MC_IDENTIFY_PARAM_COUNT; k++) {
        const mc_param *row = &mc_identify_params[k];
        const bool pure = row->unit[0] == '-';
        snprintf(t->name[k], sizeof t->name[k], "%s", row->name);
        for (char *c = t->name[k]; *c; c++)
            *c = *c == '_' ? '-' : *c;
        snprintf(t->doc[k], sizeof t->doc[k], "%s (%s%sdefault %g)", row->doc,
                 pure ? "" : row->unit, pure ? "" : ", ", row->fallback);
        t->rows[k] = (cli_option){.name = t->name[k],
                                  .value = "NUMBER",
                                  .doc = t->doc[k],
                                  .take = pure ? take_share : cli_take_number,
                                  .place = offsetof(request, p) + (size_t)k * sizeof(double),
                                  .min = row->min,
                                  .max = row->max};
    }
    memcpy(t->rows + MC_IDENTIFY_PARAM_COUNT, others, sizeof others);
}

// ---- text --------------------------------------------------------------------------------------

static void print_gains(const mc_identify_run *run)
{
    printf("gains: gamma2/gamma1 = %.3g s/kg; safe below %.3g, convergent below %.3g: %s\n",
           run->ratio, run->safe, run->convergent,
           run->ratio < run->safe         ? "safe"
           : run->ratio < run->convergent ? "convergent, but not proved by a Lyapunov function"
                                          : "WARNING: the estimate may diverge");
}

static void print_row(const mc_identify_row *row)
{
    printf("%7.1f %8.2f %8.2f %6s %9.1f %9.1f %8.1f", row->t, row->v, row->v_model,
           row->braking != 0.0 ? "yes" : "no", row->mass_true, row->mass, row->band);
    if (isfinite(row->squares))
        printf(" %10.1f %8.1f", row->squares, row->squares_band);
    else
        printf(" %10s %8s", "-", "-");
    printf(" %10.3f %7.3f  %s\n", row->excitation, row->memory, row->claimed != 0.0 ? "yes" : "no");
}

static void print_table(const request *r, const mc_identify_run *run)
{
    printf("\n%7s %8s %8s %6s %9s %9s %8s %10s %8s %10s %7s  %s\n", "time", "car 2", "car 4",
           "brakes", "true", "observer", "+-", "least sq.", "+-", "excitation", "start", "claim");
    printf("%7s %8s %8s %6s %9s %9s %8s %10s %8s %10s %7s\n", "s", "m/s", "m/s", "", "kg", "kg",
           "kg", "kg", "kg", "m/s^2", "left");
    double next = 0.0;
    for (int k = 0; k < run->row_count; k++)
        if (run->rows[k].t >= next - 1e-9 || k == run->row_count - 1) {
            print_row(&run->rows[k]);
            next += r->every;
        }
}

static void print_verdict(const request *r, const mc_identify_run *run)
{
    const mc_identify_row *e = &run->end;
    if (e->claimed != 0.0)
        printf("\nmass %.1f kg +- %.1f kg (%.1f kg of it from errors of up to %g %% in drive and "
               "drag force); true %.1f kg, %s the band\n",
               e->mass, e->band, run->force_band, 100.0 * r->p[MC_IDENTIFY_PARAM_FORCE_ERROR],
               e->mass_true, fabs(e->mass - e->mass_true) <= e->band ? "in" : "outside");
    else if (run->ratio >= run->convergent)
        printf("\nno claim: gamma2/gamma1 is above the convergence bound; the estimate of %.1f kg "
               "is meaningless\n",
               e->mass);
    else if (run->limited)
        printf("\nno claim: the estimate reached the limit of its range at %.1f kg\n", e->mass);
    else if (e->excitation < 1e-12)
        printf("\nno claim: the car never braked\n");
    else
        printf("\nno claim: excitation %.3f m/s^2, %.1f %% of the start left, estimate %.1f kg "
               "+- %.1f kg\n",
               e->excitation, 100.0 * e->memory, e->mass, e->band);
    if (e->squares_claimed != 0.0)
        printf("least squares: %.1f kg +- %.1f kg\n", e->squares, e->squares_band);
    else
        printf("least squares: no claim\n");
}

static mc_status print_study(const request *r, mc_error *error)
{
    mc_identify_noise n;
    const mc_status status = mc_identify_study(r->p, r->study, &n, error);
    if (status != MC_OK)
        return status;
    printf("\nnoise of the speed %g m/s, %d runs:\n", r->p[MC_IDENTIFY_PARAM_NOISE], n.runs);
    printf("%-14s %8s %10s %10s %12s\n", "", "claims", "bias kg", "spread kg", "in band");
    printf("%-14s %8d %10.2f %10.2f %10.1f %%\n", "observer", n.claimed, n.bias, n.spread,
           100.0 * n.within);
    printf("%-14s %8d %10.2f %10.2f %10.1f %%\n", "least squares", n.squares_claimed,
           n.squares_bias, n.squares_spread, 100.0 * n.squares_within);
    return MC_OK;
}

// ---- files -------------------------------------------------------------------------------------

static mc_status write_csv(const request *r, const mc_identify_run *run, mc_error *error)
{
    file_writer *out = file_writer_open(r->csv, error);
    if (!out)
        return error->code;
    file_print(out, "t [s],v_leader [m/s],v [m/s],v_model [m/s],distance [m],distance_model [m],"
                    "braking,mass_true [kg],mass [kg],band [kg],squares [kg],squares_band [kg],"
                    "excitation [m/s^2],memory,claimed,squares_claimed\n");
    for (int k = 0; k < run->row_count; k++) {
        const mc_identify_row *w = &run->rows[k];
        const double values[] = {w->t,          w->v_leader,       w->v,       w->v_model,
                                 w->distance,   w->distance_model, w->braking, w->mass_true,
                                 w->mass,       w->band,           w->squares, w->squares_band,
                                 w->excitation, w->memory,         w->claimed, w->squares_claimed};
        const int count = sizeof values / sizeof values[0];
        for (int i = 0; i < count; i++)
            file_print(out, "%.10g%s", values[i], i + 1 < count ? "," : "\n");
    }
    return file_writer_commit(out, error);
}

enum { CURVES = 5 };

enum { TIME, MASS_TRUE, OBSERVER, BAND_LOW, BAND_HIGH, SQUARES, EXCITATION, COLUMNS };

// Fills the columns of the figure; whether least squares ever knew something.
static bool fill_columns(const mc_identify_run *run, double *column[COLUMNS])
{
    bool known = false;
    double top = 0.0; // the band of a start that knows nothing must not dwarf the rest
    for (int k = 0; k < run->row_count; k++)
        top = fmax(top, 1.25 * fmax(run->rows[k].mass, run->rows[k].mass_true));
    for (int k = 0; k < run->row_count; k++) {
        const mc_identify_row *w = &run->rows[k];
        column[TIME][k] = w->t;
        column[MASS_TRUE][k] = w->mass_true;
        column[OBSERVER][k] = w->mass;
        column[BAND_LOW][k] = fmax(w->mass - w->band, 0.0);
        column[BAND_HIGH][k] = fmin(w->mass + w->band, top);
        column[SQUARES][k] = w->squares_claimed != 0.0 ? w->squares : NAN;
        column[EXCITATION][k] = w->excitation;
        known = known || w->squares_claimed != 0.0;
    }
    return known;
}

static mc_status draw(const request *r, const mc_identify_run *run, mc_error *error)
{
    const int n = run->row_count;
    double *at = malloc((size_t)n * COLUMNS * sizeof *at), *column[COLUMNS];
    if (!at)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the figure");
    for (int c = 0; c < COLUMNS; c++)
        column[c] = at + (size_t)c * (size_t)n;
    const bool known = fill_columns(run, column);
    static const char *const labels[] = {"true mass", "observer", "band, low", "band, high",
                                         "least squares"};
    static const int colours[] = {1, 2, 3, 3, 4};
    mc_plot_curve curves[CURVES];
    for (int c = 0; c < CURVES; c++)
        curves[c] = (mc_plot_curve){.label = labels[c],
                                    .unit = "kg",
                                    .x = column[TIME],
                                    .y = column[MASS_TRUE + c],
                                    .count = n,
                                    .colour = colours[c]};
    const mc_plot_curve excitation = {.label = "excitation",
                                      .unit = "m/s²",
                                      .x = column[TIME],
                                      .y = column[EXCITATION],
                                      .count = n,
                                      .colour = 5};
    const mc_plot_panel panels[2] = {
        {.y = {.label = "Mass"},
         .curves = curves,
         .curve_count = known ? CURVES : CURVES - 1,
         .height = 320.0},
        {.y = {.label = "Excitation"}, .curves = &excitation, .curve_count = 1, .height = 110.0}};
    char caption[200];
    snprintf(caption, sizeof caption,
             "gamma2/gamma1 = %.3g s/kg; safe below %.3g, convergent below %.3g; band for errors "
             "of %g %% in drive and drag force",
             run->ratio, run->safe, run->convergent, 100.0 * r->p[MC_IDENTIFY_PARAM_FORCE_ERROR]);
    const mc_plot plot = {.title = "Mass identification while braking",
                          .caption = caption,
                          .x = {.label = "Time", .unit = "s"},
                          .panels = panels,
                          .panel_count = 2};
    const mc_status status = mc_plot_write(r->svg, &plot, error);
    free(at);
    return status;
}

// ---- entry -------------------------------------------------------------------------------------

static void print_help(const option_table *options)
{
    printf(
        "usage: motorcade identify [OPTIONS]\n\n"
        "Identifies the mass of a car while it brakes: four cars in two lanes, as in the DYNAVIS\n"
        "report. Car 2 follows car 1 with its true mass; car 4 follows car 3, which drives like\n"
        "car 1, with the estimated mass. The observer (eqs 9 to 12) and least squares work only\n"
        "while car 2 brakes. Dimensionless numbers may be given in percent: --force-error "
        "20%%.\n\n");
    cli_print_options(options->rows);
}

static mc_status check_files(const request *r, mc_error *error)
{
    cli_guard g = {0};
    cli_guard_writes(&g, "--csv", r->csv);
    cli_guard_writes(&g, "--svg", r->svg);
    mc_status status = cli_guard_check(&g, error);
    if (r->csv && status == MC_OK)
        status = cli_check_writable(r->csv, error);
    if (r->svg && status == MC_OK)
        status = cli_check_writable(r->svg, error);
    return status;
}

int cli_identify(int argc, char **argv)
{
    static const char program[] = "motorcade identify";
    request r = {.every = 5.0, .seed = 1};
    mc_identify_run run = {0};
    mc_error error;
    option_table options;
    mc_identify_defaults(r.p);
    make_options(&options);
    if (cli_read(argc, argv, options.rows, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        print_help(&options);
        return 0;
    }
    mc_status status = check_files(&r, &error);
    if (status == MC_OK)
        status = mc_identify_bench(r.p, (unsigned long long)r.seed, &run, &error);
    if (status == MC_OK && r.csv)
        status = write_csv(&r, &run, &error);
    if (status == MC_OK && r.svg)
        status = draw(&r, &run, &error);
    if (status == MC_OK) {
        print_gains(&run);
        print_table(&r, &run);
        print_verdict(&r, &run);
    }
    if (status == MC_OK && r.study)
        status = print_study(&r, &error);
    mc_identify_run_free(&run);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
