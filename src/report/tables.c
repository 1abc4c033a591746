// tables.c - figures of the run, of platoons and of cars; expectations; the list of cars.
#include "draw/html.h"
#include "report/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MAX = 2000, // cars in a table of all
    FIGURES_MAX = 1000,
    FIGURE_CARS = 8, // beside each other in a table of figures
};

// ---- expectations ----

static const char *expectation_line(const char *line, char verdict[16], const char **rest)
{
    const size_t n = strcspn(line, "\t");
    snprintf(verdict, 16, "%.*s", (int)(n < 15 ? n : 15), line);
    *rest = line[n] ? line + n + 1 : line + n;
    return verdict;
}

void report_count_expectations(const report_run *r, int *holds, int *fails, int *others)
{
    int64_t count;
    const char *const *lines = results_reader_list(r->record.file, "expect", &count);
    *holds = *fails = *others = 0;
    for (int64_t i = 0; i < count; i++) {
        if (strncmp(lines[i], "holds\t", 6) == 0)
            ++*holds;
        else if (strncmp(lines[i], "fails\t", 6) == 0)
            ++*fails;
        else
            *others += lines[i][0] != '\0';
    }
}

void report_write_expectations(FILE *out, report_run *r)
{
    int64_t count;
    const char *const *lines = results_reader_list(r->record.file, "expect", &count);
    if (count == 0)
        return;
    html_section_begin(out, "expectations", "Expectations");
    fputs("<div class=\"wide\"><table>\n<thead><tr><th>verdict</th><th>formula</th><th>found</th>"
          "</tr></thead>\n<tbody>\n",
          out);
    for (int64_t i = 0; i < count; i++) {
        char verdict[16], formula[512];
        const char *rest;
        if (!lines[i][0])
            continue;
        expectation_line(lines[i], verdict, &rest);
        const size_t n = strcspn(rest, "\t");
        snprintf(formula, sizeof formula, "%.*s", (int)(n < 500 ? n : 500), rest);
        fprintf(out, "<tr><td%s>", strcmp(verdict, "fails") == 0 ? " class=\"bad-text\"" : "");
        html_text(out, verdict);
        fputs("</td>", out);
        html_cell(out, formula);
        const char *found = rest[n] ? rest + n + 1 : "";
        if (strncmp(found, formula, strlen(formula)) == 0 &&
            strncmp(found + strlen(formula), ": ", 2) == 0)
            found += strlen(formula) + 2; // the formula stands beside it
        html_cell(out, found);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    html_section_end(out);
}

// ---- what is measured of a car ----

typedef enum measure_how { LOWEST, HIGHEST, FARTHEST, CHANGE, LAST } measure_how;

typedef struct measure {
    const char *heading, *quantity, *doc;
    measure_how how;
    bool of_platoon; // the worst car of a platoon in the table of platoons
    bool with_time;
    int digits; // of the largest value of the quantity
} measure;

static const measure measures[] = {
    {"distance", "x", "from the first row to the last", CHANGE, false, false, 5},
    {"lowest speed", "v", "", LOWEST, false, false, 4},
    {"highest speed", "v", "", HIGHEST, false, false, 4},
    {"maximum acceleration", "a", "", HIGHEST, true, false, 4},
    {"maximum deceleration", "a", "lowest acceleration", LOWEST, true, false, 4},
    {"maximum jerk", "jerk", "farthest from 0, with its sign", FARTHEST, true, false, 4},
    {"smallest gap", "gap", "bumper to bumper", LOWEST, true, true, 5},
    {"largest spacing error", "spacing_error", "farthest from 0, with its sign", FARTHEST, true,
     true, 4},
    {"highest engine speed", "n", "", HIGHEST, false, false, 4},
    {"fuel", "fuel", "at the last row", LAST, false, false, 4},
};
enum { MEASURES = sizeof measures / sizeof measures[0] };

static double measured(const report_run *r, int vehicle, const measure *m, double *time)
{
    const report_extreme *e = report_extreme_of(r, vehicle, m->quantity);
    *time = NAN;
    if (!e || isnan(e->first))
        return NAN;
    switch (m->how) {
    case LOWEST:
        *time = e->low_t;
        return e->low;
    case HIGHEST:
        *time = e->high_t;
        return e->high;
    case FARTHEST:
        *time = fabs(e->low) > fabs(e->high) ? e->low_t : e->high_t;
        return fabs(e->low) > fabs(e->high) ? e->low : e->high;
    case CHANGE:
        return e->last - e->first;
    default:
        return e->last;
    }
}

// The unit of a measure, NULL when the run does not record its quantity.
static const char *unit_of(const report_run *r, const measure *m)
{
    const int q = report_motion(r, m->quantity);
    return q < 0 ? NULL : r->record.quantities[q].unit;
}

static bool is_worse(const measure *m, double value, double than)
{
    if (isnan(value) || isnan(than))
        return !isnan(value);
    return m->how == LOWEST    ? value < than
           : m->how == HIGHEST ? value > than
                               : fabs(value) > fabs(than);
}

// ---- platoons ----

static void write_platoon(FILE *out, const report_run *r, int platoon)
{
    int count = 0, worst[MEASURES];
    double value[MEASURES], unused;
    for (int k = 0; k < MEASURES; k++)
        worst[k] = -1, value[k] = NAN;
    for (int v = 0; v < r->record.vehicle_count; v++) {
        if (r->record.platoon[v] != platoon)
            continue;
        count++;
        for (int k = 0; k < MEASURES; k++) {
            const double found = measured(r, v, &measures[k], &unused);
            if (is_worse(&measures[k], found, value[k]))
                value[k] = found, worst[k] = v;
        }
    }
    if (count == 0)
        return;
    fputs("<tr>", out);
    html_cell_count(out, platoon + 1);
    html_cell_count(out, count);
    for (int k = 0; k < MEASURES; k++) {
        if (!measures[k].of_platoon || !unit_of(r, &measures[k]))
            continue;
        char number[HTML_NUMBER];
        fprintf(out, "<td class=\"n\">%s<br><small class=\"faint\">",
                html_number(value[k], 3, number));
        html_text(out, worst[k] >= 0 ? r->record.names[worst[k]] : "");
        fputs("</small></td>", out);
    }
    fputs("</tr>\n", out);
}

static void write_platoons(FILE *out, const report_run *r)
{
    bool any = false;
    for (int k = 0; k < MEASURES; k++)
        any = any || (measures[k].of_platoon && unit_of(r, &measures[k]));
    if (!any || r->record.platoon_count == 0)
        return;
    fputs("<h3>By platoon: its worst car</h3>\n<div class=\"wide\"><table>\n<thead><tr>", out);
    html_heading(out, "platoon", "", "", 1);
    html_heading(out, "cars", "", "", 1);
    for (int k = 0; k < MEASURES; k++)
        if (measures[k].of_platoon && unit_of(r, &measures[k]))
            html_heading(out, measures[k].heading, unit_of(r, &measures[k]), measures[k].doc, 1);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int p = 0; p < r->record.platoon_count && p < ROWS_MAX; p++)
        write_platoon(out, r, p);
    fputs("</tbody></table></div>\n", out);
}

// ---- cars ----

static void write_car_row(FILE *out, const report_run *r, int vehicle, const int *decimals)
{
    fputs("<tr>", out);
    html_cell_count(out, vehicle + 1);
    html_cell(out, r->record.names[vehicle]);
    for (int k = 0; k < MEASURES; k++) {
        double time;
        if (!unit_of(r, &measures[k]))
            continue;
        html_cell_fixed(out, measured(r, vehicle, &measures[k], &time), decimals[k]);
        if (measures[k].with_time)
            html_cell_fixed(out, time, 2);
    }
    fputs("</tr>\n", out);
}

// rows: vehicles; NULL: the first `count`.
static void write_cars(FILE *out, const report_run *r, const int *rows, int count)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr>", out);
    html_heading(out, "no.", "", "", 1);
    html_heading(out, "car", "", "", 0);
    for (int k = 0; k < MEASURES; k++) {
        if (!unit_of(r, &measures[k]))
            continue;
        html_heading(out, measures[k].heading, unit_of(r, &measures[k]), measures[k].doc, 1);
        if (measures[k].with_time)
            html_heading(out, "at", "s", "time of the value to the left", 1);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    int decimals[MEASURES];
    for (int k = 0; k < MEASURES; k++) {
        double largest = 0.0;
        for (int v = 0; v < r->record.vehicle_count;
             v++) { // of the quantity: fmax passes over a NAN
            const report_extreme *e = report_extreme_of(r, v, measures[k].quantity);
            largest = e ? fmax(largest, fmax(fabs(e->low), fabs(e->high))) : largest;
        }
        decimals[k] = html_decimals(largest, measures[k].digits);
    }
    for (int i = 0; i < count; i++)
        write_car_row(out, r, rows ? rows[i] : i, decimals);
    fputs("</tbody></table></div>\n", out);
}

// ---- figures the run has worked out itself ----

report_figures report_figures_read(report_run *r, const char *name, bool of_vehicles)
{
    report_figures f;
    return recorded_last_row(&r->record, name, of_vehicles, &f.shape, &f.values)
               ? f
               : (report_figures){0};
}

const char *report_words(const char *name, char out[REPORT_WORDS])
{
    snprintf(out, REPORT_WORDS, "%.119s", name);
    for (char *c = out; *c; c++)
        *c = *c == '_' || *c == '.' ? ' ' : *c;
    return out;
}

// All values of a figure without a unit are whole: a count.
static bool is_count(const report_figures *f, int64_t column, int64_t vehicles)
{
    bool whole = f->shape->units[column][0] == '\0' || strcmp(f->shape->units[column], "-") == 0;
    for (int64_t v = 0; v < vehicles && whole; v++) {
        const double x = f->values[v * f->shape->column_count + column];
        whole = isnan(x) || (x == floor(x) && fabs(x) < 1e9);
    }
    return whole;
}

// Whether a count of the run says something: what it counts can happen in the scenario.
static bool is_of_use(report_run *r, const char *figure, double value)
{
    const recorded *file = &r->record;
    if (value != 0.0)
        return true;
    if (strcmp(figure, "check_in_refused") == 0)
        return recorded_find(file, "checked_in") >= 0; // a column where there is the ERSC
    if (strcmp(figure, "entered") == 0 || strcmp(figure, "waiting") == 0)
        return recorded_scenario_has(file, NULL, "sources");
    if (strcmp(figure, "left") == 0)
        return recorded_scenario_has(file, NULL, "sources") ||
               recorded_scenario_has(file, "road", "end");
    return true;
}

static void write_run_figures(FILE *out, report_run *r)
{
    const report_figures f = report_figures_read(r, "run_figures", false);
    if (!f.shape)
        return;
    fputs("<h3>Of the whole run</h3>\n<dl class=\"facts\">\n", out);
    for (int64_t k = 0; k < f.shape->column_count; k++) {
        char name[REPORT_WORDS], number[HTML_NUMBER];
        if (!is_of_use(r, f.shape->columns[k], f.values[k]))
            continue;
        const char *unit = recorded_unit(&r->record.memory, f.shape->units[k]);
        report_words(f.shape->columns[k], name);
        fputs("<div title=\"", out);
        html_text(out, f.shape->docs[k]);
        fputs("\"><dt>", out);
        html_text(out, name);
        fprintf(out, "</dt><dd>%s ",
                is_count(&f, k, 1) ? html_plain(f.values[k], 10, number)
                                   : html_number(f.values[k], 4, number));
        html_text(out, unit ? unit : "");
        fputs("</dd></div>\n", out);
    }
    fputs("</dl>\n", out);
    free(f.values);
}

static void find_decimals(const report_run *r, const report_figures *f, int *decimals)
{
    for (int64_t k = 0; k < f->shape->column_count; k++) {
        double largest = 0.0;
        for (int v = 0; v < r->record.vehicle_count; v++) {
            const double size = fabs(f->values[v * f->shape->column_count + k]);
            largest = isfinite(size) ? fmax(largest, size) : largest;
        }
        decimals[k] = is_count(f, k, r->record.vehicle_count) ? 0 : html_decimals(largest, 4);
    }
}

// One row per car: for many cars.
static void write_figure_rows(FILE *out, report_run *r, const report_figures *f, int count)
{
    int decimals[FIGURES_MAX];
    find_decimals(r, f, decimals);
    fputs("<div class=\"wide\"><table>\n<thead><tr>", out);
    html_heading(out, "no.", "", "", 1);
    html_heading(out, "car", "", "", 0);
    for (int64_t k = 0; k < f->shape->column_count; k++) {
        char name[REPORT_WORDS];
        html_heading(out, report_words(f->shape->columns[k], name),
                     recorded_unit(&r->record.memory, f->shape->units[k]), f->shape->docs[k], 1);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int v = 0; v < count; v++) {
        fputs("<tr>", out);
        html_cell_count(out, v + 1);
        html_cell(out, r->record.names[v]);
        for (int64_t k = 0; k < f->shape->column_count; k++)
            html_cell_fixed(out, f->values[v * f->shape->column_count + k], decimals[k]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

// One column per car, a few cars at a time: there are more figures than fit across a page.
static void write_figure_columns(FILE *out, report_run *r, const report_figures *f, int first,
                                 int count, const int *decimals)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr>", out);
    html_heading(out, "figure", "", "", 0);
    html_heading(out, "unit", "", "", 0);
    for (int i = first; i < first + count; i++)
        html_heading(out, r->record.names[r->chosen[i]], "", "", 1);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int64_t k = 0; k < f->shape->column_count; k++) {
        char name[REPORT_WORDS];
        const char *unit = recorded_unit(&r->record.memory, f->shape->units[k]);
        fputs("<tr><th class=\"name\" title=\"", out);
        html_print(out, "%s: %s", f->shape->columns[k], f->shape->docs[k]);
        fputs("\">", out);
        html_text(out, report_words(f->shape->columns[k], name));
        fputs("</th>", out);
        html_cell(out, unit ? unit : "");
        for (int i = first; i < first + count; i++)
            html_cell_fixed(out, f->values[r->chosen[i] * f->shape->column_count + k], decimals[k]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void write_chosen_figures(FILE *out, report_run *r, const report_figures *f)
{
    const int tables = (r->chosen_count + FIGURE_CARS - 1) / FIGURE_CARS;
    int decimals[FIGURES_MAX];
    find_decimals(r, f, decimals);
    fputs("<h3>By car: computed during the run, at every recorded row</h3>\n", out);
    for (int k = 0; k < tables; k++) {
        const int first = k * r->chosen_count / tables, end = (k + 1) * r->chosen_count / tables;
        write_figure_columns(out, r, f, first, end - first, decimals);
    }
}

void report_write_figures(FILE *out, report_run *r)
{
    const int n = r->record.vehicle_count, all = n < ROWS_MAX ? n : ROWS_MAX;
    const bool some = r->chosen_count < n;
    const report_figures f = report_figures_read(r, "figures", true);
    html_section_begin(out, "figures", "Key figures");
    write_run_figures(out, r);
    write_platoons(out, r);
    if (f.shape)
        write_chosen_figures(out, r, &f);
    fputs("<h3>By car: in the recorded rows</h3>\n", out);
    write_cars(out, r, r->chosen, r->chosen_count);
    if (some) {
        fprintf(out,
                "<p class=\"faint\">%d of %d cars: the first and the last, the worst in spacing "
                "error, gap, jerk and braking, those that collided or had events first, and some "
                "in between.</p>\n<details>\n<summary>%s %d cars</summary>\n",
                r->chosen_count, n, all < n ? "The first" : "All", all);
        if (f.shape)
            write_figure_rows(out, r, &f, all);
        write_cars(out, r, NULL, all);
        fputs("</details>\n", out);
    }
    if (!f.shape)
        fputs("<p class=\"faint\">The file has no table of figures computed during the run; those "
              "above come from its rows.</p>\n",
              out);
    free(f.values);
    html_section_end(out);
}

// ---- cars: what they are ----

void report_write_vehicles(FILE *out, report_run *r)
{
    const int n = r->record.vehicle_count, shown = n < ROWS_MAX ? n : ROWS_MAX;
    const char **models = recorded_words(&r->record, "vehicle_models", n);
    const bool old = results_reader_format(r->record.file) == 1;
    const char **controllers =
        recorded_words(&r->record, old ? "controllers" : "vehicle_controllers", n);
    if (!models && !controllers)
        return;
    html_section_begin(out, "cars", "Cars");
    if (n > REPORT_CARS_MAX)
        fprintf(out, "<details>\n<summary>%d cars</summary>\n", n);
    fputs("<div class=\"wide\"><table>\n<thead><tr>", out);
    html_heading(out, "no.", "", "", 1);
    html_heading(out, "car", "", "", 0);
    html_heading(out, "platoon", "", "", 1);
    html_heading(out, "model", "", "", 0);
    html_heading(out, "controller", "", "", 0);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int v = 0; v < shown; v++) {
        fputs("<tr>", out);
        html_cell_count(out, v + 1);
        html_cell(out, r->record.names[v]);
        if (r->record.platoon[v] >= 0)
            html_cell_count(out, r->record.platoon[v] + 1);
        else
            html_cell(out, "\u2013");
        html_cell(out, models ? models[v] : "\u2013");
        html_cell(out, controllers ? controllers[v] : "\u2013");
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (shown < n)
        fprintf(out, "<p class=\"faint\">The first %d.</p>\n", shown);
    if (n > REPORT_CARS_MAX)
        fputs("</details>\n", out);
    html_section_end(out);
}
