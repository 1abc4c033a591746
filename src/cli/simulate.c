// simulate.c - `motorcade simulate MODEL.yaml`: a mechanism over time, to files, plots or a
// summary.
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "motorcade/linear.h"
#include "motorcade/plot.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "motorcade simulate";

// Words of an option that may be repeated, in the order given.
typedef struct words {
    const char **word;
    int count;
} words;

typedef struct request {
    model_request model;
    mc_simulate_options run; // 0: not given
    words plot, record;
    const char *svg, *csv, *hdf5;
    bool list, quiet, help;
} request;

// ---- the command line --------------------------------------------------------------------------

static mc_status add_word(void *place, const cli_option *option, const char *value, mc_error *error)
{
    words *list = place;
    (void)option;
    const char **more = realloc((void *)list->word, ((size_t)list->count + 1) * sizeof *list->word);
    if (!more)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the options");
    list->word = more;
    list->word[list->count++] = value;
    return MC_OK;
}

static mc_status take_method(void *place, const cli_option *option, const char *value,
                             mc_error *error)
{
    mc_method method;
    mc_error reason;
    (void)option;
    if (mc_method_find(value, &method, &reason) != MC_OK)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --method: %s", reason.text);
    *(const char **)place = method.name;
    return MC_OK;
}

static mc_status take_engine(void *place, const cli_option *option, const char *value,
                             mc_error *error)
{
    mc_engine engine;
    mc_error reason;
    (void)option;
    if (mc_engine_find(value, &engine, &reason) != MC_OK)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --engine: %s", reason.text);
    *(const char **)place = engine.name;
    return MC_OK;
}

static mc_status take_friction(void *place, const cli_option *option, const char *value,
                               mc_error *error)
{
    static const char *const laws[] = {"cone", "box"};
    (void)option;
    for (int i = 0; i < 2; i++)
        if (strcmp(value, laws[i]) == 0) {
            *(const char **)place = laws[i];
            return MC_OK;
        }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "option --friction: found \"%.40s\", expected cone or box", value);
}

static mc_status take_solver(void *place, const cli_option *option, const char *value,
                             mc_error *error)
{
    mc_solver solver;
    mc_error reason;
    (void)option;
    if (mc_solver_find(value, &solver, &reason) != MC_OK)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --solver: %s", reason.text);
    *(const char **)place = solver.name;
    return MC_OK;
}

static const cli_option options[] = {
    {0, "end", "T", "simulation ends at T [s] (default: that of the file)",
     CLI_WITHIN(run.end, 1e-9, 1e9)},
    {0, "step", "DT", "a row every DT [s] (default: that of the file, or T/500)",
     CLI_WITHIN(run.step, 1e-9, 1e9)},
    {0, "engine", "NAME", "equations (default) or impulses, see below",
     CLI_BY(take_engine, run.engine)},
    {0, "method", "NAME", "integrator, see below (default: dop853)",
     CLI_BY(take_method, run.method)},
    {0, "rtol", "X", "relative tolerance of a step (default: 1e-9)",
     CLI_WITHIN(run.rtol, 1e-14, 0.1)},
    {0, "atol", "X", "absolute tolerance of a step, SI (default: that of --rtol)",
     CLI_WITHIN(run.atol, 1e-300, 1e9)},
    {0, "fixed-step", "H", "step [s] of a fixed-step method; rows and the end must fall on steps",
     CLI_WITHIN(run.fixed_step, 1e-9, 1e3)},
    {0, "max-step", "H", "longest step [s] by tolerance (default: 10 DT, at most T/50)",
     CLI_WITHIN(run.max_step, 1e-9, 1e9)},
    {0, "friction", "LAW", "impulses: cone (default) or box", CLI_BY(take_friction, run.friction)},
    {0, "solver", "NAME", "impulses: direct (default) or sequential",
     CLI_BY(take_solver, run.solver)},
    {0, "iterations", "N", "impulses: at most, per step (default: 100)",
     CLI_WITHIN(run.iterations, 1, 1000000)},
    {0, "tolerance", "V", "impulses: change of a velocity [m/s] that ends them (default: 1e-8)",
     CLI_WITHIN(run.tolerance, 1e-300, 1e3)},
    {0, "substeps", "N", "impulses: steps of springs and dampers within a step (default: 1)",
     CLI_WITHIN(run.substeps, 1, 1000)},
    {0, "unbounded", NULL, "impulses: allow steps above the stability bound",
     CLI_TO(run.unbounded)},
    {0, "set", "NAME=VALUE", "parameter, input or start value; may be repeated", MODEL_SET},
    {0, "form", "NAME", "equations: lagrange, recursive or independent (default: the cheaper)",
     MODEL_FORM},
    {0, "compile", "WHEN",
     "compile the equations: now, background (default) or never; same numbers",
     CLI_BY(cli_take_compile, model.options.compile)},
    {0, "plot", "NAMES", "draw NAME[,NAME...], one panel per unit; may be repeated",
     CLI_BY(add_word, plot)},
    {0, "svg", "FILE", "figure to write (default: name of the model, .svg)", CLI_TO(svg)},
    {0, "record", "NAMES", "columns of the files: NAME[,NAME...] or all; may be repeated",
     CLI_BY(add_word, record)},
    {0, "csv", "FILE", "write rows as CSV, with digits that read back exactly", CLI_TO(csv)},
    {'o', "output", " FILE", "write rows as HDF5", CLI_TO(hdf5)},
    {0, "list", NULL, "print all names with unit, value and meaning, without a run", CLI_TO(list)},
    {'q', "quiet", NULL, "print only errors", CLI_TO(quiet)},
    CLI_HELP,
    MODEL_FILE,
};

static void print_help(void)
{
    printf(
        "usage: motorcade simulate MODEL.yaml [OPTIONS]\n\n"
        "Runs a mechanism from its start values and writes rows as files or draws them. Without\n"
        "-o, --csv and --plot it prints a summary: state at the end, energy, steps, time.\n\n");
    cli_print_options(options);
    printf(
        "\nValues of --set are SI or carry a unit: --set rod.angle=\"90 deg\". Start values that\n"
        "the file computes from parameters keep the values of the file.\n"
        "Files have time, coordinates, velocities, states and energies unless --record names\n"
        "other columns. Ctrl-C ends a run with valid files.\n\nEngines:\n");
    mc_engine engine;
    for (int k = 0; mc_engine_at(k, &engine); k++)
        printf("    %-12s %s\n", engine.name, engine.doc);
    printf("\nSolvers of the engine impulses:\n");
    mc_solver solver;
    for (int k = 0; mc_solver_at(k, &solver); k++)
        printf("    %-12s %s\n", solver.name, solver.doc);
    printf("\nMethods of the engine equations:\n");
    mc_method method;
    for (int pass = 0; pass < 2; pass++) {
        printf(pass ? "  by tolerance (--rtol, --atol)\n" : "  fixed step (--fixed-step)\n");
        for (int k = 0; mc_method_at(k, &method); k++)
            if (method.adaptive == (pass == 1))
                printf("    %-12s %s\n", method.name, method.doc);
    }
}

// Which of the options of the two engines do not go with the one asked for.
static mc_status check_engine(const request *r, mc_error *error)
{
    const bool impulses = r->run.engine && strcmp(r->run.engine, "impulses") == 0;
    const struct {
        const char *name;
        bool given, impulses;
    } all[] = {{"--method", r->run.method != NULL, false},
               {"--rtol", r->run.rtol > 0.0, false},
               {"--atol", r->run.atol > 0.0, false},
               {"--max-step", r->run.max_step > 0.0, false},
               {"--friction", r->run.friction != NULL, true},
               {"--solver", r->run.solver != NULL, true},
               {"--iterations", r->run.iterations > 0, true},
               {"--tolerance", r->run.tolerance > 0.0, true},
               {"--substeps", r->run.substeps > 0, true},
               {"--unbounded", r->run.unbounded, true}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (all[k].given && all[k].impulses != impulses && r->run.engine)
            return mc_error_set(
                error, MC_BAD_INPUT, NULL, 0, 0, "option %s: it is of the engine %s%s", all[k].name,
                impulses ? "equations" : "impulses", impulses ? "" : "; add --engine impulses");
    return MC_OK;
}

// What does not go together, as far as it shows without the model.
static mc_status check_request(const request *r, mc_error *error)
{
    mc_method method;
    if (check_engine(r, error) != MC_OK)
        return error->code;
    if (mc_method_find(r->run.method ? r->run.method : "dop853", &method, error) != MC_OK)
        return error->code;
    if (!r->model.file)
        return model_need_file(&r->model, program, error);
    const bool impulses = r->run.engine && strcmp(r->run.engine, "impulses") == 0;
    if (!method.adaptive && r->run.fixed_step == 0.0)
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "method %s has a fixed step: add --fixed-step, for example --fixed-step 1e-3",
            method.name);
    if (method.adaptive && r->run.fixed_step > 0.0 && !impulses)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s adapts its step to --rtol and --atol; --fixed-step needs a "
                            "fixed-step method, for example --method rk4",
                            method.name);
    if (!method.adaptive && !method.implicit && (r->run.rtol > 0.0 || r->run.atol > 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s has a fixed step: --rtol and --atol do not apply",
                            method.name);
    if (!method.adaptive && r->run.max_step > 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s has a fixed step: --max-step does not apply", method.name);
    if (r->svg && r->plot.count == 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --svg: nothing to draw; add --plot NAME");
    if (r->record.count && !r->csv && !r->hdf5)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --record: no file to write; add --csv FILE or -o FILE");
    return MC_OK;
}

// No output may take the place of the model or of another output; what is written at the end is
// tried before the run.
static mc_status check_files(const request *r, const char *svg, mc_error *error)
{
    cli_guard g = {0};
    cli_guard_reads(&g, "the model", r->model.file);
    cli_guard_writes(&g, "--csv", r->csv);
    cli_guard_writes_results(&g, "-o", r->hdf5);
    cli_guard_writes(&g, "--svg", svg);
    const mc_status status = cli_guard_check(&g, error);
    return status == MC_OK && svg ? cli_check_writable(svg, error) : status;
}

// ---- names and values --------------------------------------------------------------------------

typedef struct columns {
    mc_simulate_column *column;
    int count;
} columns;

static mc_status add_column(columns *list, mc_simulate_column column, mc_error *error)
{
    for (int k = 0; k < list->count; k++)
        if (list->column[k].quantity == column.quantity && list->column[k].index == column.index)
            return MC_OK; // named twice
    mc_simulate_column *more =
        realloc(list->column, ((size_t)list->count + 1) * sizeof *list->column);
    if (!more)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the columns");
    list->column = more;
    list->column[list->count++] = column;
    return MC_OK;
}

static mc_status add_all(const mc_multibody *m, columns *list, mc_error *error)
{
    static const mc_quantity changing[] = {MC_QUANTITY_COORDINATE, MC_QUANTITY_VELOCITY,
                                           MC_QUANTITY_STATE, MC_QUANTITY_OUTPUT};
    mc_status status = MC_OK;
    for (int k = 0; k < 4; k++)
        for (int i = 0; status == MC_OK && mc_multibody_name(m, changing[k], i); i++)
            status = add_column(list, (mc_simulate_column){changing[k], i}, error);
    return status;
}

// "a,b,c" of every word of the option.
static mc_status find_columns(const mc_multibody *m, const char *option, const words *given,
                              columns *list, mc_error *error)
{
    for (int k = 0; k < given->count; k++)
        for (const char *at = given->word[k];; at++) {
            char name[128];
            const size_t length = strcspn(at, ",");
            mc_simulate_column column;
            mc_error reason;
            mc_status status;
            if (length == 0 || length >= sizeof name)
                return mc_error_set(
                    error, MC_BAD_INPUT, NULL, 0, 0,
                    "option %s: found \"%.80s\", expected names separated by commas", option,
                    given->word[k]);
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            if (strcmp(name, "all") == 0)
                status = add_all(m, list, &reason);
            else if ((status = mc_simulate_column_find(m, name, &column, &reason)) == MC_OK)
                status = add_column(list, column, &reason);
            if (status != MC_OK)
                return mc_error_set(error, status, NULL, 0, 0, "option %s: %s", option,
                                    reason.text);
            at += length;
            if (*at == '\0')
                break;
        }
    return MC_OK;
}

static void print_list(const mc_multibody *m, const double *y)
{
    static const struct {
        mc_quantity quantity;
        const char *title;
    } groups[] = {{MC_QUANTITY_COORDINATE, "coordinates (start)"},
                  {MC_QUANTITY_VELOCITY, "velocities (start)"},
                  {MC_QUANTITY_STATE, "states (start)"},
                  {MC_QUANTITY_OUTPUT, "outputs"},
                  {MC_QUANTITY_INPUT, "inputs"},
                  {MC_QUANTITY_PARAMETER, "parameters"}};
    for (int k = 0; k < 6; k++) {
        const char *name;
        for (int i = 0; (name = mc_multibody_name(m, groups[k].quantity, i)); i++) {
            mc_simulate_about about;
            mc_simulate_describe(m, groups[k].quantity, i, &about);
            char value[32] = "";
            double number;
            if (groups[k].quantity == MC_QUANTITY_INPUT ||
                groups[k].quantity == MC_QUANTITY_PARAMETER)
                snprintf(value, sizeof value, "%.9g",
                         mc_multibody_get(m, name, &number, NULL) == MC_OK ? number : NAN);
            else if (groups[k].quantity != MC_QUANTITY_OUTPUT)
                snprintf(
                    value, sizeof value, "%.9g",
                    mc_simulate_value(m, (mc_simulate_column){groups[k].quantity, i}, y, NULL));
            if (i == 0)
                printf("%s%s\n", k ? "\n" : "", groups[k].title);
            printf("  %-24s %14s %-10s%s%s\n", name, value, about.unit, about.doc[0] ? " " : "",
                   about.doc);
        }
    }
}

// ---- curves ------------------------------------------------------------------------------------

enum { EVENTS_SHOWN = 20 };

typedef struct curves {
    const mc_multibody *m;
    columns columns;
    double *value; // time, then a curve each: max_rows values
    long long row_count, max_rows;
    mc_simulate_event events[EVENTS_SHOWN]; // the first
    long event_count;
} curves;

static void take_row(void *context, double t, const double *y, const double *outputs)
{
    curves *c = context;
    if (c->columns.count == 0 || c->row_count >= c->max_rows)
        return;
    c->value[c->row_count] = t;
    for (int k = 0; k < c->columns.count; k++)
        c->value[(k + 1) * c->max_rows + c->row_count] =
            mc_simulate_value(c->m, c->columns.column[k], y, outputs);
    c->row_count++;
}

static void take_event(void *context, const mc_simulate_event *event)
{
    curves *c = context;
    if (c->event_count < EVENTS_SHOWN)
        c->events[c->event_count] = *event;
    c->event_count++;
}

static mc_status make_room(curves *c, const mc_simulate_options *run, mc_error *error)
{
    if (c->columns.count > MC_PLOT_CURVE_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --plot: %d curves; at most %d fit in a figure",
                            c->columns.count, MC_PLOT_CURVE_MAX);
    c->max_rows = mc_simulate_row_count(run);
    c->value = calloc((size_t)c->max_rows * ((size_t)c->columns.count + 1) + 1, sizeof *c->value);
    return c->value ? MC_OK
                    : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                                   "no memory for the curves of %lld rows", c->max_rows);
}

static mc_status draw(const curves *c, const char *path, const char *caption, mc_error *error)
{
    mc_plot_curve curve[MC_PLOT_CURVE_MAX];
    mc_plot_panel panel[MC_PLOT_CURVE_MAX];
    mc_simulate_about about[MC_PLOT_CURVE_MAX];
    for (int k = 0; k < c->columns.count; k++) {
        const mc_simulate_column at = c->columns.column[k];
        mc_simulate_describe(c->m, at.quantity, at.index, &about[k]);
        curve[k] = (mc_plot_curve){.label = mc_multibody_name(c->m, at.quantity, at.index),
                                   .unit = about[k].unit,
                                   .x = c->value,
                                   .y = c->value + (k + 1) * c->max_rows,
                                   .count = (int)c->row_count};
    }
    const int panels = mc_plot_by_unit(curve, c->columns.count, panel);
    const mc_plot plot = {.title = mc_multibody_info_of(c->m)->name,
                          .caption = caption,
                          .x = {.label = "Time", .unit = "s"},
                          .panels = panel,
                          .panel_count = panels};
    return mc_plot_write(path, &plot, error);
}

// ---- the run -----------------------------------------------------------------------------------

// The energy is that of all that switches at an instant: it is printed once.
static void print_events(FILE *out, const curves *c, const mc_simulate_report *report)
{
    for (int k = 0; k < c->event_count && k < EVENTS_SHOWN; k++) {
        const mc_simulate_event *e = &c->events[k];
        fprintf(out, "t = %.9g s: %s switches %s", e->t, e->name, e->on ? "on" : "off");
        const bool same_instant = k > 0 && c->events[k - 1].on && c->events[k - 1].t >= e->t;
        if (e->on)
            fprintf(out, ", impulse %.6g %s", e->impulse, e->impulse_unit);
        if (e->on && !same_instant)
            fprintf(out, ", %.6g J lost", e->energy);
        fprintf(out, "\n");
    }
    if (c->event_count > EVENTS_SHOWN)
        fprintf(out, "... and %ld more\n", c->event_count - EVENTS_SHOWN);
    if (c->event_count > 0)
        fprintf(out, "switching on cost %.6g J\n", report->switched);
}

static void print_summary(FILE *out, const mc_multibody *m, const mc_simulate_report *report,
                          const double *y, bool with_state)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    fprintf(out, "%s: %g s by %s, %ld steps", info->name, report->time, report->method,
            report->steps);
    if (report->rejected)
        fprintf(out, " and %ld rejected", report->rejected);
    fprintf(out, ", %ld rate evaluations", report->rates);
    if (report->jacobians)
        fprintf(out, ", %ld Jacobians", report->jacobians);
    fprintf(out, ", %.3g s\n", report->seconds);
    fprintf(out, "energy: %.9g J at the start, %.9g J at the end", report->energy_start,
            report->energy_end);
    if (report->conserves)
        fprintf(out, "; drift %.2e of the maximum kinetic energy\n", report->drift);
    else
        fprintf(out, "; dampers or loads change it\n");
    if (info->row_count > 0)
        fprintf(out, "projections onto the constraints added %.2e J\n", report->projected);
    if (report->dips > 0)
        fprintf(out,
                "below the ground: %ld time%s; %s is deepest, %.6g m at (%.6g, %.6g) m, t = %g s\n",
                report->dips, report->dips == 1 ? "" : "s", report->dip.part, report->dip.depth,
                report->dip.place[0], report->dip.place[1], report->dip.t);
    if (!with_state)
        return;
    fprintf(out, "at t = %g s:\n", report->time);
    static const mc_quantity shown[] = {MC_QUANTITY_COORDINATE, MC_QUANTITY_VELOCITY,
                                        MC_QUANTITY_STATE};
    for (int k = 0; k < 3; k++) {
        const char *name;
        for (int i = 0; (name = mc_multibody_name(m, shown[k], i)); i++) {
            mc_simulate_about about;
            mc_simulate_describe(m, shown[k], i, &about);
            fprintf(out, "  %-24s %16.10g %s\n", name,
                    mc_simulate_value(m, (mc_simulate_column){shown[k], i}, y, NULL), about.unit);
        }
    }
}

typedef struct session { // all that a run needs, to be freed together
    const request *request;
    mc_multibody *m;
    double *y;
    mc_simulate_options run;
    columns record;
    curves curves;
    const char *svg; // NULL: no drawing
    char *svg_default, *command;
} session;

static void end_session(session *s)
{
    mc_multibody_free(s->m);
    free(s->y);
    free(s->record.column);
    free(s->curves.columns.column);
    free(s->curves.value);
    free(s->svg_default);
    free(s->command);
}

// End, step and the rest from the command line, where given, over those of the file.
static mc_status merge_options(session *s, mc_error *error)
{
    const mc_simulate_options *given = &s->request->run;
    const mc_simulate_options file = mc_simulate_defaults(s->m);
    s->run = *given;
    s->run.end = given->end > 0.0 ? given->end : file.end;
    s->run.step = given->step > 0.0 ? given->step : file.step;
    if (!(s->run.end > 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s does not set the end of the simulation; add --end T, or "
                            "\"simulate: {end: 10 s}\" in the file",
                            s->request->model.file);
    return MC_OK;
}

static mc_status prepare(session *s, mc_error *error)
{
    const request *r = s->request;
    s->m = mc_multibody_load(r->model.file, &r->model.options, error);
    if (!s->m)
        return error->code;
    const mc_multibody_info *info = mc_multibody_info_of(s->m);
    s->y = calloc((size_t)info->y_count + 1, sizeof *s->y);
    s->svg_default = calloc(strlen(info->name) + 5, 1);
    if (!s->y || !s->svg_default)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the simulation");
    sprintf(s->svg_default, "%s.svg", info->name);
    if (r->plot.count)
        s->svg = r->svg ? r->svg : s->svg_default;
    s->curves.m = s->m;
    mc_multibody_start(s->m, s->y);
    mc_status status = model_apply_sets(&r->model, s->m, s->y, error);
    if (status == MC_OK && !r->list)
        status = mc_multibody_settle(s->m, s->y, error);
    if (status == MC_OK)
        status = find_columns(s->m, "--plot", &r->plot, &s->curves.columns, error);
    if (status == MC_OK)
        status = find_columns(s->m, "--record", &r->record, &s->record, error);
    if (status != MC_OK || r->list)
        return status;
    status = merge_options(s, error);
    if (status == MC_OK)
        status = check_files(r, s->svg, error);
    if (status == MC_OK && s->svg)
        status = make_room(&s->curves, &s->run, error);
    return status;
}

static mc_status run(session *s, mc_simulate_report *report, mc_error *error)
{
    const request *r = s->request;
    const mc_simulate_output output = {.csv = r->csv,
                                       .hdf5 = r->hdf5,
                                       .command = s->command,
                                       .columns = s->record.column,
                                       .column_count = s->record.count,
                                       .row = take_row,
                                       .event = take_event,
                                       .context = &s->curves};
    interrupt_install();
    progress bar;
    mc_watch watch = {.stop = interrupt_stop};
    const bool shown = !r->quiet && isatty(STDERR_FILENO);
    if (shown) {
        progress_begin(&bar, stderr, 0.0, s->run.end);
        watch = (mc_watch){&bar, interrupt_stop, progress_show};
    }
    const mc_status status = mc_simulate(s->m, &s->run, s->y, &output, &watch, report, error);
    if (shown && status != MC_BAD_INPUT)
        progress_end(&bar, report->time);
    return status;
}

// --compile now asks for machine code; the result is the same without, only later.
static void warn_if_interpreted(const session *s)
{
    const char *why = "";
    if (s->request->model.options.compile != MC_COMPILE_WAIT ||
        mc_multibody_kernel_state(s->m, &why) == MC_KERNEL_STATE_COMPILED)
        return;
    fprintf(stderr, "%s: --compile now: %s\n", program, why[0] ? why : "formulas are interpreted");
}

static int simulate(session *s)
{
    const request *r = s->request;
    mc_error error, second;
    mc_simulate_report report = {0};
    if (prepare(s, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r->list) {
        print_list(s->m, s->y);
        return 0;
    }
    const mc_status status = run(s, &report, &error);
    int code = status == MC_OK ? 0 : cli_fail(program, &error);
    if (status == MC_BAD_INPUT || status == MC_IO || status == MC_NO_MEMORY)
        return code;
    warn_if_interpreted(s);
    // What was simulated is shown, also when the run stopped early.
    if (s->svg && s->curves.row_count > 0) {
        char caption[100];
        snprintf(caption, sizeof caption, "%s, %ld steps to %g s", report.method, report.steps,
                 report.time);
        if (draw(&s->curves, s->svg, caption, &second) != MC_OK)
            code = cli_fail(program, &second);
    }
    const bool files = r->csv || r->hdf5 || s->svg;
    const bool taken = (r->csv && strcmp(r->csv, "/dev/stdout") == 0) ||
                       (s->svg && strcmp(s->svg, "/dev/stdout") == 0);
    if (!r->quiet && !taken) {
        print_events(stdout, &s->curves, &report);
        print_summary(stdout, s->m, &report, s->y, !files);
    }
    if (!r->quiet && s->svg && !r->svg && code == 0)
        printf("picture: %s\n", s->svg);
    return code;
}

int cli_simulate(int argc, char **argv)
{
    request r = {0};
    mc_error error;
    int code = 0;
    mc_status status = cli_read(argc, argv, options, &r, &error);
    if (status == MC_OK && r.help) {
        print_help();
    } else if (status != MC_OK || check_request(&r, &error) != MC_OK) {
        code = cli_fail(program, &error);
    } else {
        session s = {.request = &r, .command = cli_command_text(program, argc, argv)};
        code = simulate(&s);
        end_session(&s);
    }
    free((void *)r.plot.word);
    free((void *)r.record.word);
    return code;
}
