// plots.c - the pictures of a report.
#include "draw/html.h"
#include "motorcade/plot.h"
#include "report/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARKS_MAX = 40,   // instants marked in a plot
    BARS_MAX = 120,   // cars with bars; beyond that points
    LEDGER_MAX = 40,  // collisions in the ledger
    PLATOONS_MAX = 12 // sentences on string stability
};

mc_status report_put_figure(FILE *out, mc_status status, char *text, size_t size, mc_error *error)
{
    if (status == MC_OK) {
        fputs("<figure>\n", out);
        fwrite(text, 1, size, out);
        fputs("</figure>\n", out);
    } else if (status == MC_BAD_INPUT) {
        fputs("<p class=\"faint\">A plot could not be drawn: ", out);
        html_text(out, error->text);
        fputs("</p>\n", out);
        status = MC_OK;
    }
    free(text);
    return status;
}

// ---- curves ----

typedef struct panel_row {
    const char *quantity, *label;
    bool relative; // to the first car of the file
    bool may_cut;  // peaks of a collision may be cut off
} panel_row;

typedef struct drawing {
    const report_run *run;
    mc_plot_curve curves[4][MC_PLOT_CURVE_MAX];
    mc_plot_panel panels[4];
    int panel_count;
    mc_plot_mark marks[MARKS_MAX];
    int mark_count;
    bool cut;
} drawing;

static int ramp_colour(int place, int count)
{
    return MC_PLOT_RAMP + (count > 1 ? place * (MC_PLOT_RAMP_COUNT - 1) / (count - 1) : 0);
}

static bool has_numbers(const report_curve *c)
{
    for (int i = 0; i < c->count; i++)
        if (!isnan(c->y[i]))
            return true;
    return false;
}

// Lowest and highest of all cars beside those that are shown.
static void add_band(drawing *d, mc_plot_panel *panel, mc_plot_curve *curves, int quantity)
{
    static const char *const names[2] = {"lowest of all", "highest of all"};
    const report_run *r = d->run;
    for (int k = 0; k < 2 && r->band; k++) {
        const double *y = r->band + (2 * (size_t)quantity + (size_t)k) * (size_t)r->bucket_count;
        int numbers = 0;
        for (int i = 0; i < r->bucket_count; i++)
            numbers += !isnan(y[i]);
        if (numbers > 0 && panel->curve_count < MC_PLOT_CURVE_MAX)
            curves[panel->curve_count++] = (mc_plot_curve){.label = names[k],
                                                           .unit = panel->y.unit,
                                                           .x = r->bucket_t,
                                                           .y = y,
                                                           .count = r->bucket_count,
                                                           .colour = 5,
                                                           .dashed = 1};
    }
}

// Ends of the axis without the peaks of collisions, when these leave nothing of the rest to see.
static void cut_peaks(drawing *d, mc_plot_panel *panel)
{
    const report_run *r = d->run;
    double before[2] = {HUGE_VAL, -HUGE_VAL}, all[2] = {HUGE_VAL, -HUGE_VAL};
    if (r->happened.collision_count == 0)
        return;
    for (int i = 0; i < panel->curve_count; i++)
        for (int k = 0; k < panel->curves[i].count; k++) {
            const double y = panel->curves[i].y[k];
            if (isnan(y))
                continue;
            all[0] = fmin(all[0], y), all[1] = fmax(all[1], y);
            if (panel->curves[i].x[k] < r->happened.collisions[0].first - 0.05)
                before[0] = fmin(before[0], y), before[1] = fmax(before[1], y);
        }
    const double calm = before[1] - before[0];
    if (!(calm > 0.0) || all[1] - all[0] < 5.0 * calm)
        return;
    panel->y.low = fmax(before[0] - calm, all[0] - 0.05 * calm);
    panel->y.high = fmin(before[1] + calm, all[1] + 0.05 * calm);
    d->cut = true;
}

static void add_panel(drawing *d, const panel_row *row)
{
    const report_run *r = d->run;
    const int quantity = report_motion(r, row->quantity);
    mc_plot_curve *curves = d->curves[d->panel_count];
    mc_plot_panel *panel = &d->panels[d->panel_count];
    *panel = (mc_plot_panel){.curves = curves};
    if (quantity < 0)
        return;
    int family = 0, place = 0; // cars in this picture, and which of them this is
    for (int i = 0; i < r->curve_count; i++)
        family += r->curves[i].quantity == quantity && (r->curves[i].minus >= 0) == row->relative;
    const bool all_cars = family >= r->chosen_count - 1 && strcmp(row->quantity, "x") != 0;
    const char *unit = r->record.quantities[quantity].unit;
    panel->y = (mc_plot_axis){.label = row->label, .unit = unit};
    for (int i = 0; i < r->curve_count && panel->curve_count < MC_PLOT_CURVE_MAX; i++) {
        const report_curve *c = &r->curves[i];
        if (c->quantity != quantity || (c->minus >= 0) != row->relative)
            continue;
        if (all_cars) // the same colour in every panel, also where the leader has no curve
            for (place = 0; r->chosen[place] != c->vehicle;)
                place++;
        if (has_numbers(c))
            curves[panel->curve_count++] =
                (mc_plot_curve){.label = r->record.names[c->vehicle],
                                .unit = unit,
                                .x = c->x,
                                .y = c->y,
                                .count = c->count,
                                .colour = ramp_colour(place, all_cars ? r->chosen_count : family)};
        place++;
    }
    if (strcmp(row->quantity, "x") != 0)
        add_band(d, panel, curves, quantity);
    if (row->may_cut)
        cut_peaks(d, panel);
    d->panel_count += panel->curve_count > 0;
}

static int mark_order(const void *p, const void *q)
{
    const mc_plot_mark *a = p, *b = q;
    return (a->x > b->x) - (a->x < b->x);
}

// Collisions first, then events, as many as there is room for.
static void add_marks(drawing *d)
{
    const report_happened *h = &d->run->happened;
    for (int i = 0; i < h->collision_count && d->mark_count < MARKS_MAX / 2; i++)
        d->marks[d->mark_count++] = (mc_plot_mark){h->collisions[i].first, "collision", 1};
    for (int i = 0; i < h->event_count && i < MARKS_MAX / 2; i++)
        d->marks[d->mark_count++] = (mc_plot_mark){h->events[i].t, h->events[i].words, 0};
    qsort(d->marks, (size_t)d->mark_count, sizeof *d->marks, mark_order);
}

static mc_status put_curves(FILE *out, const report_run *r, const char *title,
                            const panel_row *rows, int row_count, double height, mc_error *error)
{
    drawing *d = calloc(1, sizeof *d);
    if (!d)
        return mc_error_set(error, MC_NO_MEMORY, r->record.path, 0, 0, "no memory left");
    d->run = r;
    for (int i = 0; i < row_count; i++)
        add_panel(d, &rows[i]);
    add_marks(d);
    for (int i = 0; i < d->panel_count; i++)
        d->panels[i].height = height;
    const mc_plot plot = {.title = title,
                          .caption = d->cut ? "Peaks of collisions are cut off; the tables have "
                                              "them."
                                            : NULL,
                          .x = {.label = "Time", .unit = "s"},
                          .panels = d->panels,
                          .panel_count = d->panel_count,
                          .marks = d->marks,
                          .mark_count = d->mark_count,
                          .width = 940.0};
    char *text = NULL;
    size_t size = 0;
    mc_status status = MC_OK;
    if (d->panel_count > 0) {
        status = mc_plot_text(&plot, &text, &size, error);
        status = report_put_figure(out, status, text, size, error);
    }
    free(d);
    return status;
}

// ---- maps ----

static mc_status put_map(FILE *out, const report_run *r, const report_map *map, mc_error *error)
{
    const recorded_quantity *q = &r->record.quantities[map->quantity];
    const bool speed = strcmp(q->name, "v") == 0;
    const double end = r->record.time[r->record.row_count - 1];
    char title[160];
    snprintf(title, sizeof title, "%s of all cars",
             speed                       ? "Speed"
             : strcmp(q->name, "a") == 0 ? "Acceleration"
                                         : "Spacing error");
    const mc_plot_heat heat = {
        .title = title,
        .caption = speed ? "the first car at the bottom"
                         : "the first car at the bottom; each cell shows the value farthest from 0",
        .x = {.label = "Time", .unit = "s", .low = r->record.time[0], .high = end},
        .y = {.label = "Car", .low = 0.5, .high = r->record.vehicle_count + 0.5},
        .value = {.label = "", .unit = q->unit},
        .column_count = r->map_columns,
        .row_count = r->map_rows,
        .values = map->values,
        .diverging = !speed,
        .width = 940.0};
    if (!(end > r->record.time[0]))
        return MC_OK;
    char *text = NULL;
    size_t size = 0;
    const mc_status status = mc_plot_heat_text(&heat, &text, &size, error);
    return report_put_figure(out, status, text, size, error);
}

// Does any car leave its line by more than that? m
static bool moves_sideways(const report_run *r)
{
    for (int v = 0; v < r->record.vehicle_count; v++) {
        const report_extreme *e = report_extreme_of(r, v, "y");
        if (e && e->high - e->low > 0.2)
            return true;
    }
    return false;
}

mc_status report_write_plots(FILE *out, report_run *r, mc_error *error)
{
    static const panel_row motion[] = {{"v", "Speed", false, false},
                                       {"a", "Acceleration", false, true},
                                       {"jerk", "Jerk", false, true}};
    static const panel_row spacing[] = {{"gap", "Gap, bumper to bumper", false, false},
                                        {"spacing_error", "Spacing error", false, false}};
    static const panel_row pedals[] = {{"throttle", "Throttle", false, false},
                                       {"brake", "Brake", false, false},
                                       {"n", "Engine speed", false, false},
                                       {"fuel", "Fuel", false, false}};
    static const panel_row places[] = {{"x", "Position along the road", false, false},
                                       {"x", "Position relative to the first car", true, false}};
    static const panel_row lateral[] = {{"y", "Position across the road", false, false},
                                        {"steer", "Steering angle", false, false},
                                        {"lane", "Lane, 1 is the leftmost", false, false}};
    html_section_begin(out, "plots", "Over time");
    if (r->chosen_count < r->record.vehicle_count)
        fprintf(out,
                "<p class=\"faint\">Curves: %d of %d cars, as in the tables, and the lowest and "
                "highest value of all cars at each time.</p>\n",
                r->chosen_count, r->record.vehicle_count);
    mc_status status = put_curves(out, r, "Motion", motion, 3, 190.0, error);
    if (status == MC_OK)
        status = put_curves(out, r, "Spacing", spacing, 2, 210.0, error);
    if (status == MC_OK)
        status = put_curves(out, r, "Positions over time", places, 2, 300.0, error);
    if (status == MC_OK)
        status = put_curves(out, r, "Pedals and engine", pedals, 4, 150.0, error);
    if (status == MC_OK && moves_sideways(r))
        status = put_curves(out, r, "Sideways", lateral, 3, 170.0, error);
    for (int m = 0; m < r->map_count && status == MC_OK; m++)
        status = put_map(out, r, &r->maps[m], error);
    html_section_end(out);
    return status;
}

// ---- string stability ----

static void write_verdicts(FILE *out, const report_run *r)
{
    int written = 0;
    for (int v = 0, first = 0; v < r->record.vehicle_count && written < PLATOONS_MAX; v++) {
        if (report_ahead(r, v) < 0)
            first = v;
        const bool last = v + 1 == r->record.vehicle_count || report_ahead(r, v + 1) < 0;
        if (!last || v == first || isnan(r->gain_2[first + 1]))
            continue;
        const double gain = sqrt(r->a_square[v] / r->a_square[first]);
        int worst = first + 1;
        for (int i = first + 1; i <= v; i++)
            worst = r->gain_2[i] > r->gain_2[worst] || isnan(r->gain_2[worst]) ? i : worst;
        char a[HTML_NUMBER], b[HTML_NUMBER];
        fprintf(out, "<p>Platoon %d: ", r->record.platoon[v] + 1);
        if (isnan(r->gain_2[v]))
            fputs("the disturbance died out, or did not reach the last car in this time", out);
        else
            fprintf(out, "head to tail the gain is %s, so the disturbance %s",
                    html_number(gain, 3, a),
                    gain > 1.0 ? "<span class=\"bad-text\">grows</span>" : "dies out");
        fprintf(out, ". The largest gain from car to car is %s, at <b>",
                html_number(r->gain_2[worst], 3, b));
        html_text(out, r->record.names[worst]);
        fputs("</b>.</p>\n", out);
        written++;
    }
}

static mc_status put_gain_bars(FILE *out, const report_run *r, mc_error *error)
{
    const int n = r->record.vehicle_count;
    const mc_plot_series series[] = {{"L2: root mean square", r->gain_2, 1},
                                     {"L\u221e: maximum", r->gain_max, 5}};
    double low = 0.8, high = 1.2; // so that a gain of 1.01 does not look like a tower
    for (int v = 0; v < n; v++) {
        low = fmin(low, fmin(r->gain_2[v], r->gain_max[v]) - 0.02);
        high = fmax(high, fmax(r->gain_2[v], r->gain_max[v]) + 0.02);
    }
    const mc_plot_bars bars = {.title = "Gain from car to car",
                               .x = {.label = "Car"},
                               .y = {.label = "Acceleration against that of the car in front",
                                     .low = fmax(low, 0.0),
                                     .high = high},
                               .names = r->record.names,
                               .count = n,
                               .series = series,
                               .series_count = 2,
                               .base = 1.0,
                               .shade_above = 1,
                               .width = 940.0};
    char *text = NULL;
    size_t size = 0;
    mc_status status;
    if (n <= BARS_MAX) {
        status = mc_plot_bars_text(&bars, &text, &size, error);
        return report_put_figure(out, status, text, size, error);
    }
    double *number = reallocarray(NULL, (size_t)n, sizeof *number);
    if (!number)
        return mc_error_set(error, MC_NO_MEMORY, r->record.path, 0, 0, "no memory left");
    for (int v = 0; v < n; v++)
        number[v] = v + 1;
    const mc_plot_curve curves[] = {
        {.label = series[0].label, .x = number, .y = r->gain_2, .count = n, .colour = 1},
        {.label = series[1].label, .x = number, .y = r->gain_max, .count = n, .colour = 5}};
    const mc_plot_panel panel = {.y = {.label = bars.y.label}, .curves = curves, .curve_count = 2};
    const mc_plot plot = {.title = bars.title,
                          .x = {.label = "Car"},
                          .panels = &panel,
                          .panel_count = 1,
                          .width = 940.0};
    status = mc_plot_text(&plot, &text, &size, error);
    status = report_put_figure(out, status, text, size, error);
    free(number);
    return status;
}

// Gains that the run has worked out itself: figures whose name has the word in it.
static mc_status put_run_gains(FILE *out, report_run *r, bool *any, mc_error *error)
{
    enum { SERIES = 4 };
    const int n = r->record.vehicle_count;
    const report_figures f = report_figures_read(r, "figures", true);
    double *values = f.shape ? calloc((size_t)n * SERIES, sizeof *values) : NULL;
    mc_plot_series series[SERIES];
    char labels[SERIES][REPORT_WORDS];
    int count = 0;
    double low = 0.8, high = 1.2;
    for (int64_t k = 0; values && k < f.shape->column_count && count < SERIES; k++) {
        int known = 0;
        if (!strstr(f.shape->columns[k], "gain"))
            continue;
        for (int v = 0; v < n; v++) {
            const double g = f.values[v * f.shape->column_count + k];
            values[count * n + v] = isfinite(g) ? g : NAN;
            known += isfinite(g);
            low = fmin(low, values[count * n + v] - 0.02);
            high = fmax(high, values[count * n + v] + 0.02);
        }
        report_words(f.shape->columns[k], labels[count]);
        series[count] = (mc_plot_series){labels[count], values + count * n, count + 1};
        count += known > 0;
    }
    mc_status status = MC_OK;
    *any = count > 0 && n <= BARS_MAX;
    if (*any) {
        const mc_plot_bars bars = {.title = "Gains computed during the run",
                                   .x = {.label = "Car"},
                                   .y = {.label = "Against the car in front",
                                         .low = fmax(low, 0.0),
                                         .high = fmin(high, 3.0)},
                                   .names = r->record.names,
                                   .count = n,
                                   .series = series,
                                   .series_count = count,
                                   .base = 1.0,
                                   .shade_above = 1,
                                   .width = 940.0};
        char *text = NULL;
        size_t size = 0;
        status = mc_plot_bars_text(&bars, &text, &size, error);
        status = report_put_figure(out, status, text, size, error);
    }
    free(values);
    free(f.values);
    return status;
}

mc_status report_write_gains(FILE *out, report_run *r, mc_error *error)
{
    int known = 0, followers = 0;
    for (int v = 0; v < r->record.vehicle_count; v++) {
        known += !isnan(r->gain_2[v]);
        followers += report_ahead(r, v) >= 0;
    }
    if (report_motion(r, "a") < 0 || followers == 0)
        return MC_OK;
    char end[HTML_NUMBER], window[120] = "the last";
    bool of_run;
    if (isfinite(r->gain_end))
        snprintf(window, sizeof window, "the first %s at %s s", r->gain_end_why,
                 html_plain(r->gain_end, 5, end));
    html_section_begin(out, "gains", "String stability");
    mc_status status = put_run_gains(out, r, &of_run, error);
    if (known == 0)
        fprintf(out,
                "<p>Not enough excitation for gains of acceleration: from the first row to %s, the "
                "cars in front stay below 0.01 m/s\u00b2 (root mean square).</p>\n",
                window);
    else
        fprintf(out,
                "<p class=\"faint\">Measured: the acceleration of each car against that of the car "
                "in front of it in the platoon, from the first row to %s. Below 1 a disturbance "
                "decays towards the rear.</p>\n",
                window);
    if (known > 0 && status == MC_OK) {
        write_verdicts(out, r);
        status = put_gain_bars(out, r, error);
    }
    html_section_end(out);
    return status;
}

// ---- the ledger ----

// Bars of where the energy of the collisions went: one series per column that is a sum.
static mc_status put_ledger(FILE *out, const report_run *r, mc_error *error)
{
    const report_happened *h = &r->happened;
    const int n = h->collision_count < LEDGER_MAX ? h->collision_count : LEDGER_MAX;
    mc_plot_series series[MC_PLOT_COLOUR_COUNT];
    char labels[MC_PLOT_COLOUR_COUNT][80];
    const char **names = calloc((size_t)n, sizeof *names);
    char(*name)[80] = calloc((size_t)n, sizeof *name);
    double *values = calloc((size_t)n * MC_PLOT_COLOUR_COUNT, sizeof *values);
    int count = 0;
    bool negative = false;
    for (int k = 0; k < h->energy_count && count < MC_PLOT_COLOUR_COUNT && values; k++) {
        if (h->energies[k].when != ENERGY_SUM)
            continue;
        for (int i = 0; i < n; i++) {
            const double e = 1e-3 * h->energy[i * h->energy_count + k];
            negative = negative || e < 0.0;
            values[count * n + i] = isfinite(e) ? e : NAN;
        }
        snprintf(labels[count], sizeof labels[count], "%.79s", h->energies[k].name);
        series[count] = (mc_plot_series){labels[count], values + count * n, 0};
        count++;
    }
    for (int i = 0; i < n && names && name; i++) {
        snprintf(name[i], sizeof name[i], "%.2f s", h->collisions[i].first);
        names[i] = name[i];
    }
    for (int i = 0; i < n * count && count > 1; i++) // on top of each other
        values[i] = values[i] < 0.0 ? 0.0 : values[i];
    mc_status status = names && name && values ? MC_OK : MC_NO_MEMORY;
    if (status != MC_OK)
        mc_error_set(error, status, r->record.path, 0, 0, "no memory left");
    if (status == MC_OK && count > 0) {
        const mc_plot_bars bars = {.title = count > 1 ? "Where the energy went"
                                                      : "Energy of the two cars that was lost",
                                   .caption = !negative   ? NULL
                                              : count > 1 ? "energy that flowed back is omitted"
                                                          : "negative: a third car pushed",
                                   .x = {.label = "Collision, by the time of first contact"},
                                   .y = {.label = "Energy", .unit = "kJ"},
                                   .names = names,
                                   .count = n,
                                   .series = series,
                                   .series_count = count,
                                   .stacked = count > 1,
                                   .width = 940.0};
        char *text = NULL;
        size_t size = 0;
        status = mc_plot_bars_text(&bars, &text, &size, error);
        status = report_put_figure(out, status, text, size, error);
    }
    free(names);
    free(name);
    free(values);
    return status;
}

// Energies of all vehicles together in the first and the last row, where the file keeps them.
static mc_status write_energies(FILE *out, report_run *r, mc_error *error)
{
    const int table = r->record.table[RECORDED_ENERGY];
    const results_shape *s = results_reader_table(r->record.file, table);
    const size_t n = (size_t)(r->record.vehicle_count * s->column_count);
    double *rows = reallocarray(NULL, 2 * n, sizeof *rows);
    mc_status status =
        rows ? MC_OK : mc_error_set(error, MC_NO_MEMORY, r->record.path, 0, 0, "no memory left");
    for (int k = 0; k < 2 && status == MC_OK; k++) {
        const results_part part = {.row = k ? r->record.row_count - 1 : 0,
                                   .row_count = 1,
                                   .vehicle_count = s->vehicle_count,
                                   .column_count = s->column_count};
        status = results_read(r->record.file, table, &part, rows + (size_t)k * n, error);
    }
    if (status == MC_OK) {
        fprintf(out, "<h3>%s</h3>\n<div class=\"wide\"><table>\n<thead><tr>",
                r->record.vehicle_count > 1 ? "Energy of all cars together" : "Energy");
        html_heading(out, "energy", "", "", 0);
        html_heading(out, "first row", "kJ", "", 1);
        html_heading(out, "last row", "kJ", "", 1);
        html_heading(out, "change", "kJ", "", 1);
        fputs("</tr></thead>\n<tbody>\n", out);
        for (int64_t c = 0; c < s->column_count; c++) {
            double sum[2] = {0.0, 0.0};
            if (strcmp(s->units[c], "J") != 0)
                continue;
            for (int64_t v = 0; v < r->record.vehicle_count; v++)
                for (int k = 0; k < 2; k++) {
                    const double e = rows[(size_t)k * n + (size_t)(v * s->column_count + c)];
                    sum[k] += isfinite(e) ? 1e-3 * e : 0.0; // a car that has left has none
                }
            fputs("<tr>", out);
            html_cell(out, s->docs[c][0] ? s->docs[c] : s->columns[c]);
            html_cell_fixed(out, sum[0], 3);
            html_cell_fixed(out, sum[1], 3);
            html_cell_fixed(out, sum[1] - sum[0], 3);
            fputs("</tr>\n", out);
        }
        fputs("</tbody></table></div>\n", out);
    }
    free(rows);
    return status;
}

mc_status report_write_ledger(FILE *out, report_run *r, mc_error *error)
{
    const report_happened *h = &r->happened;
    const bool energy = r->record.table[RECORDED_ENERGY] >= 0;
    mc_status status = MC_OK;
    if (h->collision_count == 0 && !energy)
        return MC_OK;
    html_section_begin(out, "collisions", h->collision_count > 0 ? "Collisions" : "Energy");
    if (h->collision_count > 0) {
        report_write_collisions(out, r);
        if (h->energy_count > 0)
            status = put_ledger(out, r, error);
        else
            fputs("<p class=\"faint\">The file records no energies of impacts.</p>\n", out);
    }
    if (status == MC_OK && energy)
        status = write_energies(out, r, error);
    html_section_end(out);
    return status;
}
