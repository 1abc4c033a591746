// analyse.c - `motorcade analyse NAME FILE` and its short forms `motorcade spectrum FILE` and so
// on: options, help and output from the table of analyses.
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/analysis.h"
#include "motorcade/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 64, OPTIONS_MAX = 48, ROWS_SHOWN = 100 };

typedef struct request {
    mc_analysis_value values[VALUES_MAX];
    int value_count;
    const char *file, *csv, *svg;
    cli_words vary;
    bool help;
} request;

static const cli_option options[] = {
    {0, "csv", "FILE", "write the largest table as CSV", CLI_TO(csv)},
    {0, "svg", "FILE", "draw the curves", CLI_TO(svg)},
    {0, "vary", "NAME=VALUES",
     "mechanism: repeat over m=100:200:50 (from:to:step) or m=1,2; may be repeated",
     CLI_WITHIN(vary, 0, 4)},
    CLI_HELP,
    CLI_ONE_WORD(file, "only one file is expected: found \"%s\" after \"%s\""),
};
enum { OWN = sizeof options / sizeof options[0] };

static mc_status take_value(void *place, const cli_option *option, const char *value,
                            mc_error *error)
{
    request *r = place;
    if (r->value_count == VALUES_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "more than %d options", VALUES_MAX);
    r->values[r->value_count++] = (mc_analysis_value){option->name, value};
    return MC_OK;
}

// The rows of an analysis before those of the command; docs: room for their texts.
static void make_options(const mc_analysis *of, cli_option out[OPTIONS_MAX],
                         char docs[OPTIONS_MAX][200])
{
    int count = 0;
    for (; of && count < of->parameter_count && count < OPTIONS_MAX - OWN; count++) {
        const mc_analysis_parameter *p = &of->parameters[count];
        const bool number = p->form <= MC_ANALYSIS_FORM_WHOLE;
        snprintf(docs[count], 200, "%s%s%s%s%s%s", p->doc, p->unit[0] ? ", " : "", p->unit,
                 p->fallback ? " (default " : "", p->fallback ? p->fallback : "",
                 p->fallback ? ")" : "");
        out[count] =
            (cli_option){0, p->name, number ? "X" : "NAME", docs[count], CLI_BY_ALL(take_value)};
    }
    memcpy(out + count, options, sizeof options);
}

static void print_help(const mc_analysis *of, const cli_option *rows)
{
    if (of) {
        printf("usage: motorcade %s %s [OPTIONS]\n\n%c%s.\n\n", of->name,
               of->concepts                    ? "CONCEPT.yaml"
               : of->mechanisms && of->results ? "MODEL.yaml|RUN.h5|TABLE.csv"
               : of->mechanisms                ? "MODEL.yaml"
                                               : "RUN.h5|TABLE.csv",
               of->doc[0] - ('a' <= of->doc[0] && of->doc[0] <= 'z' ? 'a' - 'A' : 0), of->doc + 1);
        cli_print_options(rows);
        return;
    }
    printf("usage: motorcade analyse NAME FILE [OPTIONS]\n\n"
           "Runs an analysis of a mechanism, of results or of a table;\n"
           "`motorcade analyse NAME -h` lists its options.\n\n");
    const mc_analysis *row;
    for (int k = 0; (row = mc_analysis_at(k)); k++)
        printf("  %-12s %s\n", row->name, row->doc);
    printf("\n");
    cli_print_options(rows);
}

// ---- output ----

static void print_value(double value)
{
    if (isnan(value))
        printf(" %13s", "-");
    else
        printf(" %13.9g", value);
}

static void print_table(const mc_analysis_table *t)
{
    size_t wide = 0;
    for (int i = 0; i < t->row_count; i++)
        wide = strlen(t->labels[i]) > wide ? strlen(t->labels[i]) : wide;
    printf("%-*s", (int)wide, "");
    for (int k = 0; k < t->column_count; k++) {
        char head[80];
        snprintf(head, sizeof head, "%s%s%s", t->columns[k], t->units[k][0] ? ", " : "",
                 t->units[k]);
        printf(" %13s", head);
    }
    printf("\n");
    for (int i = 0; i < t->row_count; i++) {
        printf("%-*s", (int)wide, t->labels[i]);
        for (int k = 0; k < t->column_count; k++)
            print_value(t->values[i * t->column_count + k]);
        printf("\n");
    }
}

static void print_all(const mc_analysis_result *result)
{
    for (int k = 0; k < result->note_count; k++)
        printf("%s\n", result->notes[k]);
    for (int k = 0; k < result->table_count; k++) {
        const mc_analysis_table *t = &result->tables[k];
        if (t->curves && t->row_count > ROWS_SHOWN)
            printf("%s: %d rows; --csv and --svg write them\n", t->title, t->row_count);
        else
            print_table(t);
    }
}

static const mc_analysis_table *curves_of(const mc_analysis_result *result)
{
    const mc_analysis_table *largest = NULL;
    for (int k = 0; k < result->table_count; k++)
        if (!largest || result->tables[k].curves ||
            (!largest->curves && result->tables[k].row_count > largest->row_count))
            largest = &result->tables[k];
    return largest;
}

static mc_status write_csv(const char *path, const mc_analysis_table *t, mc_error *error)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "cannot be written");
    bool labels = false; // a column of nothing is left out
    for (int i = 0; i < t->row_count; i++)
        labels = labels || t->labels[i][0];
    if (labels)
        fprintf(out, "label,");
    for (int k = 0; k < t->column_count; k++)
        fprintf(out, "%s%s", k ? "," : "", t->columns[k]);
    fprintf(out, "\n");
    for (int i = 0; i < t->row_count; i++) {
        if (labels)
            fprintf(out, "%s,", t->labels[i]);
        for (int k = 0; k < t->column_count; k++)
            fprintf(out, "%s%.17g", k ? "," : "", t->values[i * t->column_count + k] + 0.0);
        fprintf(out, "\n");
    }
    return fclose(out) == 0 ? MC_OK
                            : mc_error_set(error, MC_FAILED, path, 0, 0, "cannot be written");
}

// Columns over the first, those of one unit in a panel; lengths of springs tell less than ratios.
static mc_status draw_by_unit(const char *path, const char *title, const mc_analysis_table *t,
                              mc_error *error)
{
    enum { COLUMNS = 32 };
    const int n = t->row_count;
    mc_plot_curve curve[COLUMNS];
    mc_plot_panel panel[COLUMNS];
    double *room = malloc((size_t)n * (size_t)t->column_count * sizeof *room + 1);
    int count = 0;
    if (!room || n < 2) {
        free(room);
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "there is nothing to draw");
    }
    for (int k = 0; k < t->column_count && k < COLUMNS; k++) {
        bool any = false;
        for (int i = 0; i < n; i++) {
            room[k * n + i] = t->values[i * t->column_count + k];
            any = any || isfinite(room[k * n + i]);
        }
        if (k > 0 && any && !strstr(t->columns[k], "_length"))
            curve[count++] = (mc_plot_curve){.label = t->columns[k],
                                             .unit = t->units[k],
                                             .x = room,
                                             .y = room + k * n,
                                             .count = n};
    }
    const mc_plot plot = {.title = title,
                          .x = {.label = t->columns[0], .unit = t->units[0]},
                          .panels = panel,
                          .panel_count = mc_plot_by_unit(curve, count, panel)};
    const mc_status status = mc_plot_write(path, &plot, error);
    free(room);
    return status;
}

// A panel per column over the first.
static mc_status draw(const char *path, const char *title, const mc_analysis_table *t,
                      mc_error *error)
{
    enum { PANELS = 8 };
    const int n = t->row_count,
              panels = t->column_count - 1 < PANELS ? t->column_count - 1 : PANELS;
    double *room = malloc((size_t)n * (size_t)t->column_count * sizeof *room + 1);
    if (!room || n < 2 || panels < 1) {
        free(room);
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "there is nothing to draw");
    }
    mc_plot_curve curves[PANELS];
    mc_plot_panel panel[PANELS];
    memset(panel, 0, sizeof panel);
    for (int k = 0; k <= panels; k++)
        for (int i = 0; i < n; i++)
            room[k * n + i] = t->values[i * t->column_count + k];
    int count = 0;
    for (int k = 0; k < panels; k++) {
        bool any = false, positive = true;
        for (int i = 0; i < n; i++) {
            any = any || !isnan(room[(k + 1) * n + i]);
            positive = positive && !(room[(k + 1) * n + i] < 0.0);
        }
        if (!any)
            continue;
        const bool phase = strcmp(t->units[k + 1], "deg") == 0;
        curves[count] = (mc_plot_curve){.label = t->columns[k + 1],
                                        .unit = t->units[k + 1],
                                        .x = room,
                                        .y = room + (k + 1) * n,
                                        .count = n};
        panel[count].y.label = t->columns[k + 1];
        panel[count].y.unit = t->units[k + 1];
        panel[count].y.logarithmic =
            t->logarithmic && positive && !phase && strcmp(t->columns[k + 1], "coherence") != 0;
        panel[count].curves = &curves[count];
        panel[count].curve_count = 1;
        count++;
    }
    const mc_plot plot = {.title = title,
                          .x = {.label = t->columns[0],
                                .unit = t->units[0],
                                .logarithmic = t->logarithmic && room[0] > 0.0},
                          .panels = panel,
                          .panel_count = count};
    const mc_status status = mc_plot_write(path, &plot, error);
    free(room);
    return status;
}

// ---- the command ----

static int run(const mc_analysis *of, int argc, char **argv)
{
    static request r; // many values
    cli_option rows[OPTIONS_MAX];
    char docs[OPTIONS_MAX][200], program[64];
    mc_error error;
    mc_analysis_result result = {0};
    r = (request){0};
    snprintf(program, sizeof program, "motorcade %s", of ? of->name : "analyse");
    make_options(of, rows, docs);
    if (cli_read(argc, argv, rows, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help || !of) {
        print_help(of, rows);
        return r.help ? 0 : 2;
    }
    mc_status status = MC_OK;
    if (!r.file)
        status = mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0, "no file given; %s FILE", program);
    if (status == MC_OK)
        status = r.vary.count > 0
                     ? mc_analysis_sweep(of->name, r.file, r.values, r.value_count, r.vary.word,
                                         r.vary.count, &result, &error)
                     : mc_analysis_run(of->name, r.file, r.values, r.value_count, &result, &error);
    const mc_analysis_table *t = status == MC_OK ? curves_of(&result) : NULL;
    if (status == MC_OK)
        print_all(&result);
    if (status == MC_OK && r.csv && t)
        status = write_csv(r.csv, t, &error);
    if (status == MC_OK && r.svg && t)
        status = (t->logarithmic || r.vary.count ? draw : draw_by_unit)(r.svg, r.file, t, &error);
    mc_analysis_free(&result);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}

int cli_analyse(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return run(NULL, argc, argv);
    const mc_analysis *of = mc_analysis_find(argv[1]);
    if (!of) {
        const char *names[64];
        int count = 0;
        for (; count < 64 && mc_analysis_at(count); count++)
            names[count] = mc_analysis_at(count)->name;
        const char *near = text_nearest(argv[1], names, count);
        fprintf(stderr, "motorcade analyse: unknown analysis \"%s\"%s%s; -h lists them\n", argv[1],
                near ? ", did you mean " : "", near ? near : "");
        return 2;
    }
    return run(of, argc - 1, argv + 1);
}

// `motorcade sweep MODEL.yaml`: --analysis NAME, default modes, and its options.
int cli_sweep_model(int argc, char **argv)
{
    const mc_analysis *of = mc_analysis_find("modes");
    int count = 0;
    for (int k = 0; k < argc; k++) {
        const char *name = NULL;
        if (strcmp(argv[k], "--analysis") == 0 && k + 1 < argc)
            name = argv[++k];
        else if (strncmp(argv[k], "--analysis=", 11) == 0)
            name = argv[k] + 11;
        else
            argv[count++] = argv[k];
        of = name ? mc_analysis_find(name) : of;
        if (!of) {
            fprintf(stderr,
                    "motorcade sweep: unknown analysis \"%s\"; `motorcade analyse -h` lists "
                    "them\n",
                    name);
            return 2;
        }
    }
    return run(of, count, argv);
}

int cli_spectrum(int argc, char **argv)
{
    return run(mc_analysis_find("spectrum"), argc, argv);
}

int cli_transfer(int argc, char **argv)
{
    return run(mc_analysis_find("transfer"), argc, argv);
}

int cli_linearity(int argc, char **argv)
{
    return run(mc_analysis_find("linearity"), argc, argv);
}

int cli_comfort(int argc, char **argv)
{
    return run(mc_analysis_find("comfort"), argc, argv);
}

int cli_rig(int argc, char **argv)
{
    return run(mc_analysis_find("rig"), argc, argv);
}
