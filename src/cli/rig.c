// rig.c - rows of a driven mechanism: to files, as a table, as curves.
#include "cli/rig.h"

#include "base/interrupt.h"
#include "cli/guard.h"
#include "motorcade/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What does not go together, and files that would take each other's place.
static mc_status check_files(const rig_request *r, const char *model, mc_error *error)
{
    if (r->svg && r->plot.count == 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --svg: nothing to draw; add --plot NAME");
    if (r->against && r->plot.count == 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --against: nothing to draw; add --plot NAME");
    cli_guard g = {0};
    cli_guard_reads(&g, "the model", model);
    cli_guard_writes(&g, "--csv", r->csv);
    cli_guard_writes_results(&g, "-o", r->hdf5);
    cli_guard_writes(&g, "--svg", r->svg);
    const mc_status status = cli_guard_check(&g, error);
    return status == MC_OK && r->svg ? cli_check_writable(r->svg, error) : status;
}

typedef struct rig_run {
    const char *program; // for messages
    const char *command; // as called, for the results file
    const rig_request *request;
    mc_driven *driven;
    int drive_count, coordinate_count;
    double end; // s; 0: quasi-static
    int row_count;
} rig_run;

enum { FEW = 8 };

// ---- columns -----------------------------------------------------------------------------------

typedef struct columns {
    mc_driven_column *column;
    int count;
} columns;

static mc_status add(columns *list, mc_driven_column column, int *place, mc_error *error)
{
    for (int k = 0; k < list->count; k++) {
        const mc_driven_column *c = &list->column[k];
        if (c->kind == column.kind && c->quantity == column.quantity && c->index == column.index &&
            c->drive == column.drive) {
            *place = k;
            return MC_OK; // named before
        }
    }
    mc_driven_column *more =
        realloc(list->column, ((size_t)list->count + 1) * sizeof *list->column);
    if (!more)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the columns");
    list->column = more;
    *place = list->count;
    list->column[list->count++] = column;
    return MC_OK;
}

static mc_status add_name(const mc_driven *d, const char *option, const char *name, columns *list,
                          int *place, mc_error *error)
{
    mc_driven_column column;
    mc_error reason;
    mc_status status = mc_driven_column_find(d, name, &column, &reason);
    if (status == MC_OK)
        status = add(list, column, place, &reason);
    return status == MC_OK
               ? MC_OK
               : mc_error_set(error, status, NULL, 0, 0, "option %s: %s", option, reason.text);
}

static mc_status add_all(const mc_driven *d, columns *list, mc_error *error)
{
    mc_driven_column column;
    mc_status status = MC_OK;
    int place;
    for (int k = 0; status == MC_OK && mc_driven_default(d, k, &column); k++)
        status = add(list, column, &place, error);
    return status;
}

// "a,b,c" of every word; places: where each is in the list, at most `room` (NULL: not asked).
static mc_status add_words(const mc_driven *d, const char *option, const cli_words *words,
                           columns *list, int *places, int *count, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k < words->count && status == MC_OK; k++)
        for (const char *at = words->word[k]; status == MC_OK; at++) {
            char name[160];
            int place = 0;
            const size_t length = strcspn(at, ",");
            if (length == 0 || length >= sizeof name)
                return mc_error_set(
                    error, MC_BAD_INPUT, NULL, 0, 0,
                    "option %s: found \"%.80s\", expected names separated by commas", option,
                    words->word[k]);
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            if (!places && strcmp(name, "all") == 0)
                status = add_all(d, list, error);
            else
                status = add_name(d, option, name, list, &place, error);
            if (places && status == MC_OK && *count == MC_PLOT_CURVE_MAX)
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "option --plot: at most %d curves fit in a figure",
                                    MC_PLOT_CURVE_MAX);
            if (places && status == MC_OK)
                places[(*count)++] = place;
            at += length;
            if (*at == '\0')
                break;
        }
    return status;
}

// ---- a run -------------------------------------------------------------------------------------

typedef struct session {
    const rig_run *run;
    columns columns; // recorded; then those of the plot
    int recorded;    // of them go to the files and into the table
    int curve[MC_PLOT_CURVE_MAX], curve_count, against;
    double *value; // [column][row]
    double *t;
    int rows;
} session;

static void take_row(void *context, double t, const double *values)
{
    session *s = context;
    const int rows = s->run->row_count;
    if (s->rows >= rows)
        return;
    s->t[s->rows] = t;
    for (int k = 0; k < s->columns.count; k++)
        s->value[k * rows + s->rows] = values[k];
    s->rows++;
}

static mc_status prepare(session *s, mc_error *error)
{
    const rig_request *r = s->run->request;
    const mc_driven *d = s->run->driven;
    int place;
    mc_driven_column column;
    mc_status status = MC_OK;
    if (r->record.count == 0 && (r->csv || r->hdf5))
        status = add_all(d, &s->columns, error);
    else if (r->record.count == 0) // drives and their loads; coordinates if they are few
        for (int k = 0; status == MC_OK && mc_driven_default(d, k, &column); k++) {
            const bool head = k < s->run->drive_count || column.kind == MC_DRIVEN_KIND_LOAD;
            if (head ||
                (s->run->coordinate_count <= FEW && column.quantity == MC_QUANTITY_COORDINATE))
                status = add(&s->columns, column, &place, error);
        }
    if (status == MC_OK)
        status = add_words(d, "--record", &r->record, &s->columns, NULL, NULL, error);
    s->recorded = s->columns.count;
    if (status == MC_OK)
        status = add_words(d, "--plot", &r->plot, &s->columns, s->curve, &s->curve_count, error);
    s->against = -1;
    if (status == MC_OK && r->against)
        status = add_name(d, "--against", r->against, &s->columns, &s->against, error);
    else if (status == MC_OK && s->run->end == 0.0 && s->curve_count &&
             mc_driven_default(d, 0, &column))
        status = add(&s->columns, column, &s->against, error);
    const size_t rows = (size_t)s->run->row_count;
    s->value = calloc(rows * ((size_t)s->columns.count + 1), sizeof *s->value);
    s->t = calloc(rows + 1, sizeof *s->t);
    if (status == MC_OK && (!s->value || !s->t))
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the rows");
    return status;
}

static void print_table(const session *s)
{
    const int rows = s->run->row_count;
    mc_driven_about about;
    const bool timed = s->run->end > 0.0;
    int width[s->recorded + 1];
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < s->recorded; k++) {
            if (k == 0 && timed)
                printf("%16s  ", pass ? "s" : "t");
            mc_driven_describe(s->run->driven, s->columns.column[k], &about);
            if (pass == 0)
                width[k] = (int)strlen(about.name) < 16 ? 16 : (int)strlen(about.name);
            printf("%s%*s%s", k ? "  " : "", width[k], pass ? about.unit : about.name,
                   k == s->recorded - 1 ? "\n" : "");
        }
    for (int i = 0; i < s->rows; i++)
        for (int k = 0; k < s->recorded; k++) {
            if (k == 0 && timed)
                printf("%16.9g  ", s->t[i]);
            printf("%s%*.9g%s", k ? "  " : "", width[k], s->value[k * rows + i],
                   k == s->recorded - 1 ? "\n" : "");
        }
}

static mc_status draw(const session *s, const char *path, mc_error *error)
{
    mc_plot_curve curve[MC_PLOT_CURVE_MAX];
    mc_plot_panel panel[MC_PLOT_CURVE_MAX];
    static mc_driven_about about[MC_PLOT_CURVE_MAX]; // too large for a stack
    mc_driven_about x = {.name = "Time", .unit = "s"};
    const int rows = s->run->row_count;
    if (s->against >= 0)
        mc_driven_describe(s->run->driven, s->columns.column[s->against], &x);
    for (int k = 0; k < s->curve_count; k++) {
        mc_driven_describe(s->run->driven, s->columns.column[s->curve[k]], &about[k]);
        curve[k] = (mc_plot_curve){.label = about[k].name,
                                   .unit = about[k].unit,
                                   .x = s->against >= 0 ? s->value + s->against * rows : s->t,
                                   .y = s->value + s->curve[k] * rows,
                                   .count = s->rows};
    }
    const int panels = mc_plot_by_unit(curve, s->curve_count, panel);
    const mc_plot plot = {.title = s->run->end > 0.0 ? "Inverse dynamics" : "Kinematics",
                          .caption = s->run->command,
                          .x = {.label = x.name, .unit = x.unit},
                          .panels = panel,
                          .panel_count = panels};
    return mc_plot_write(path, &plot, error);
}

static int play(session *s)
{
    const rig_run *run = s->run;
    const rig_request *r = run->request;
    mc_error error;
    mc_driven_report report = {0};
    mc_status status = prepare(s, &error);
    if (status != MC_OK)
        return cli_fail(run->program, &error);
    const mc_driven_output output = {.csv = r->csv,
                                     .hdf5 = r->hdf5,
                                     .command = run->command,
                                     .columns = s->columns.column,
                                     .column_count = s->columns.count,
                                     .row = take_row,
                                     .context = s};
    const mc_watch watch = {.stop = interrupt_stop};
    interrupt_install();
    status =
        run->end > 0.0
            ? mc_inverse(run->driven, run->end, run->row_count, &output, &watch, &report, &error)
            : mc_kinematics(run->driven, run->row_count, &output, &watch, &report, &error);
    int code = status == MC_OK ? 0 : cli_fail(run->program, &error);
    if (s->rows == 0)
        return code;
    if (s->curve_count && draw(s, r->svg, &error) != MC_OK)
        code = cli_fail(run->program, &error);
    const bool files = r->csv || r->hdf5 || s->curve_count;
    if (!r->quiet && !files)
        print_table(s);
    else if (!r->quiet && !(r->csv && strcmp(r->csv, "/dev/stdout") == 0))
        printf("%d rows, %ld positions, joints closed to %.1e\n", report.row_count, report.steps,
               report.gap);
    return code;
}

static int run_and_free(const rig_run *run)
{
    session s = {.run = run};
    const int code = play(&s);
    free(s.columns.column);
    free(s.value);
    free(s.t);
    return code;
}

static int drive(const rig_command *c, const void *request, const model_request *model,
                 const rig_request *rig, mc_multibody *m, rig_plan *plan, const char *command)
{
    mc_error error;
    double *y = calloc((size_t)mc_multibody_info_of(m)->y_count + 1, sizeof *y);
    mc_driven *driven = NULL;
    mc_status status =
        y ? MC_OK : mc_error_set(&error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the state");
    if (status == MC_OK) {
        mc_multibody_start(m, y);
        status = model_apply_sets(model, m, y, &error);
    }
    if (status == MC_OK)
        status = c->plan(request, m, plan, &error);
    if (status == MC_OK) {
        const mc_driven_options o = {.drives = plan->drive,
                                     .drive_count = plan->drive_count,
                                     .hold = rig->hold.word,
                                     .hold_count = rig->hold.count,
                                     .geometry = plan->geometry,
                                     .let = rig->let.word,
                                     .let_count = rig->let.count};
        driven = mc_driven_create(m, y, &o, &error);
    }
    const rig_run run = {.program = c->program,
                         .command = command,
                         .request = rig,
                         .driven = driven,
                         .drive_count = plan->drive_count,
                         .coordinate_count = mc_multibody_info_of(m)->q_count,
                         .end = plan->end,
                         .row_count = plan->row_count};
    const int code = driven ? run_and_free(&run) : cli_fail(c->program, &error);
    mc_driven_free(driven);
    free(y);
    return code;
}

int rig_main(const rig_command *c, const void *request, model_request *model, rig_request *rig,
             int drive_count, int argc, char **argv)
{
    mc_error error;
    if (rig->plot.count && !rig->svg)
        rig->svg = c->svg;
    mc_status status = model_need_file(model, c->program, &error);
    if (status == MC_OK && drive_count == 0)
        status = mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0, "%s", c->nothing);
    if (status == MC_OK)
        status = check_files(rig, model->file, &error);
    mc_multibody *m =
        status == MC_OK ? mc_multibody_load(model->file, &model->options, &error) : NULL;
    if (!m)
        return cli_fail(c->program, &error);
    char *command = cli_command_text(c->program, argc, argv);
    rig_plan plan = {.drive_count = drive_count};
    const int code = drive(c, request, model, rig, m, &plan, command);
    free(command);
    mc_multibody_free(m);
    return code;
}
