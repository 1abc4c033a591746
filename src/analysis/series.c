// series.c - columns of results, tables and runs.
#include "analysis/series.h"

#include "analysis/motion.h"
#include "base/text.h"
#include "io/csv.h"
#include "hdf5/results_read.h"
#include "motorcade/linear.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

bool analysis_is_mechanism(const analysis *a)
{
    return ends_with(a->file, ".yaml") || ends_with(a->file, ".yml");
}

// ---- even rows ----

// Rows at times t to the mean rate of their steps.
static void set_even(analysis *a, const double *t, const double *x, int count, analysis_series *out)
{
    const double length = count > 1 ? t[count - 1] - t[0] : 0.0;
    if (count < 8 || !(length > 0.0)) {
        analysis_reject(a, "%d rows over %g s; expected at least 8", count, length);
        return;
    }
    out->rate = (count - 1) / length;
    out->x = malloc((size_t)count * sizeof *out->x);
    if (!out->x) {
        analysis_no_memory(a);
        return;
    }
    out->count = count;
    double uneven = 0.0;
    for (int k = 0, i = 0; k < count; k++) {
        const double at = t[0] + k / out->rate;
        while (i < count - 2 && t[i + 1] <= at)
            i++;
        const double share = fmin(fmax((at - t[i]) / (t[i + 1] - t[i]), 0.0), 1.0);
        uneven = fmax(uneven, fabs(t[k] - at) * out->rate);
        out->x[k] = fabs(t[k] - at) * out->rate < 1e-6 ? x[k] : x[i] + share * (x[i + 1] - x[i]);
        if (!isfinite(out->x[k]))
            analysis_reject(a, "the column is not a number at %g s", at);
    }
    if (uneven > 1e-3)
        analysis_note(a, "rows are not evenly spaced (by up to %.2g of a step): interpolated",
                      uneven);
}

// ---- results ----

typedef struct found {
    int table;
    int64_t column, vehicle;
} found;

// The vehicle of "NAME.column"; 0 and the whole word when no vehicle has that name.
static int64_t vehicle_of(results_reader *r, const char *word, const char **column)
{
    int64_t count;
    const char *const *names = results_reader_list(r, "vehicle_names", &count);
    *column = word;
    for (int64_t k = 0; k < count; k++) {
        const size_t n = strlen(names[k]);
        if (strncmp(word, names[k], n) == 0 && word[n] == '.') {
            *column = word + n + 1;
            return k;
        }
    }
    return 0;
}

static bool find_column(results_reader *r, const char *word, int64_t rows, found *out)
{
    const char *part;
    const int64_t vehicle = vehicle_of(r, word, &part);
    for (int pass = 0; pass < 2; pass++)
        for (int t = 0; t < results_reader_table_count(r); t++) {
            const results_shape *s = results_reader_table(r, t);
            const int64_t column = results_shape_find(s, pass ? part : word);
            if (column >= 0 && s->row_count >= rows && strcmp(s->name, "time") != 0) {
                *out = (found){t, column, pass && s->vehicle_count > 0 ? vehicle : 0};
                return true;
            }
        }
    return false;
}

static void unknown_column(analysis *a, results_reader *r, const char *word)
{
    const char *names[512];
    int count = 0;
    for (int t = 0; t < results_reader_table_count(r); t++) {
        const results_shape *s = results_reader_table(r, t);
        for (int64_t k = 0; k < s->column_count && count < 512; k++)
            names[count++] = s->columns[k];
    }
    const char *near = text_nearest(word, names, count);
    analysis_reject(a, "no column \"%.100s\"%s%s", word, near ? "; did you mean " : "",
                    near ? near : "");
}

static void read_results(analysis *a, const char *word, analysis_series *out)
{
    results_reader *r = results_reader_open(a->file, a->error);
    if (!r) {
        a->status = a->error->code;
        return;
    }
    const int time = results_reader_find(r, "time");
    const results_shape *clock = time >= 0 ? results_reader_table(r, time) : NULL;
    found f = {0};
    int64_t rows = clock ? clock->row_count : 0;
    if (!clock)
        analysis_reject(a, "it has no table of times");
    else if (!find_column(r, word, rows, &f))
        unknown_column(a, r, word);
    double *t = NULL, *x = NULL;
    if (a->status == MC_OK) {
        const results_shape *s = results_reader_table(r, f.table);
        rows = rows < s->row_count ? rows : s->row_count;
        t = malloc(((size_t)rows + 1) * sizeof *t);
        x = malloc(((size_t)rows + 1) * sizeof *x);
        if (!t || !x)
            analysis_no_memory(a);
        snprintf(out->unit, sizeof out->unit, "%s", s->units[f.column]);
        const results_part instants = {.row_count = rows, .column_count = 1};
        const results_part values = {.row_count = rows,
                                     .vehicle = f.vehicle,
                                     .vehicle_count = s->vehicle_count > 0,
                                     .column = f.column,
                                     .column_count = 1};
        if (a->status == MC_OK)
            a->status = results_read(r, time, &instants, t, a->error);
        if (a->status == MC_OK)
            a->status = results_read(r, f.table, &values, x, a->error);
    }
    if (a->status == MC_OK)
        set_even(a, t, x, (int)rows, out);
    free(t);
    free(x);
    results_reader_free(r);
}

// ---- tables ----

static void read_csv(analysis *a, const char *word, analysis_series *out)
{
    arena memory = {0};
    csv c;
    a->status = csv_read(&memory, a->file, &c, a->error);
    int time = -1, column = -1;
    for (int k = 0; a->status == MC_OK && k < c.column_count; k++) {
        time = strcmp(c.names[k], "t") == 0 || strcmp(c.names[k], "time") == 0 ? k : time;
        column = strcmp(c.names[k], word) == 0 ? k : column;
    }
    if (a->status == MC_OK && time < 0)
        analysis_reject(a, "it has no column t");
    if (a->status == MC_OK && column < 0) {
        const char *near = text_nearest(word, (const char *const *)c.names, c.column_count);
        analysis_reject(a, "no column \"%.100s\"%s%s", word, near ? "; did you mean " : "",
                        near ? near : "");
    }
    double *t = NULL;
    if (a->status == MC_OK) {
        t = malloc(2 * ((size_t)c.row_count + 1) * sizeof *t);
        if (!t)
            analysis_no_memory(a);
    }
    if (a->status == MC_OK) {
        double *x = t + c.row_count;
        for (int k = 0; k < c.row_count; k++) {
            t[k] = c.values[(size_t)k * (size_t)c.column_count + (size_t)time];
            x[k] = c.values[(size_t)k * (size_t)c.column_count + (size_t)column];
        }
        set_even(a, t, x, c.row_count, out);
    }
    free(t);
    arena_free(&memory);
}

// ---- runs of mechanisms ----

typedef struct taking {
    motion column;
    double *x;
    int count, room;
} taking;

static void take_row(void *context, double t, const double *y, const double *outputs)
{
    taking *k = context;
    if (k->count < k->room)
        k->x[k->count++] = analysis_motion_value(&k->column, t, y, outputs);
}

static void run_mechanism(analysis *a, const char *word, analysis_series *out)
{
    mc_multibody *m = mc_multibody_load(a->file, NULL, a->error);
    if (!m) {
        a->status = a->error->code;
        return;
    }
    double *y = malloc(((size_t)mc_multibody_info_of(m)->y_count + 1) * sizeof *y);
    taking k = {0};
    mc_simulate_options o = mc_simulate_defaults(m);
    if (!y)
        analysis_no_memory(a);
    else
        mc_multibody_start(m, y);
    const char *set;
    for (int i = 0; a->status == MC_OK && (set = analysis_text_at(a, "set", i)); i++) {
        char name[128];
        const char *equals = strchr(set, '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - set) : 0, set);
        if (!equals)
            analysis_reject(a, "set: found \"%.60s\", expected NAME=VALUE", set);
        else
            a->status = mc_simulate_set(m, y, name, equals + 1, a->error);
    }
    if (a->status == MC_OK && !(o.end > 0.0))
        analysis_reject(a, "its file does not say how long it runs; expected simulate: {end: ...}");
    if (a->status == MC_OK)
        analysis_motion_open(a, m, word, &k.column);
    const long long rows = a->status == MC_OK ? mc_simulate_row_count(&o) : 0;
    k.room = rows > 0 && rows < 1 << 26 ? (int)rows : 0;
    k.x = malloc(((size_t)k.room + 1) * sizeof *k.x);
    mc_simulate_report report = {0};
    const mc_simulate_output output = {.row = take_row, .context = &k};
    if (a->status == MC_OK && k.x)
        a->status = mc_multibody_settle(m, y, a->error);
    if (a->status == MC_OK && k.x)
        a->status = mc_simulate(m, &o, y, &output, NULL, &report, a->error);
    if (a->status == MC_OK) {
        *out = (analysis_series){k.x, k.count, 1.0 / report.step, ""};
        snprintf(out->unit, sizeof out->unit, "%s", k.column.unit);
        k.x = NULL;
        if (out->count < 8)
            analysis_reject(a, "the run has %d rows; expected at least 8", out->count);
    }
    free(k.x);
    free(y);
    analysis_motion_close(&k.column);
    mc_multibody_free(m);
}

void analysis_series_read(analysis *a, const char *column, analysis_series *out)
{
    *out = (analysis_series){0};
    if (analysis_is_mechanism(a))
        run_mechanism(a, column, out);
    else if (ends_with(a->file, ".csv"))
        read_csv(a, column, out);
    else
        read_results(a, column, out);
}

void analysis_differentiate(analysis_series *s, int order)
{
    for (; order > 0 && s->count > 2; order--) {
        double before = s->x[0];
        const double first = (s->x[1] - s->x[0]) * s->rate;
        for (int k = 1; k + 1 < s->count; k++) {
            const double now = s->x[k];
            s->x[k] = 0.5 * (s->x[k + 1] - before) * s->rate;
            before = now;
        }
        s->x[0] = first;
        s->x[s->count - 1] = (s->x[s->count - 1] - before) * s->rate;
        const size_t n = strlen(s->unit);
        if (n + 3 < sizeof s->unit)
            memcpy(s->unit + n, "/s", 3);
    }
}
