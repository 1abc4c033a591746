// report_happened.c - events and collisions of a run, read from its file.
#include "analysis/report_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 1000000 }; // of events or impacts; beyond that they are counted, not read

static mc_status no_memory(const report_run *r, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, r->record.path, 0, 0, "no memory left");
}

// A table without vehicles, whole; *values is to be freed. No table, or none of this shape:
// *shape NULL.
static mc_status read_table(report_run *r, const char *name, const results_shape **shape,
                            double **values, int64_t *rows, mc_error *error)
{
    results_reader *file = r->record.file;
    const int table = results_reader_find(file, name);
    *shape = table >= 0 ? results_reader_table(file, table) : NULL;
    *values = NULL;
    *rows = 0;
    if (!*shape || (*shape)->vehicle_count > 0 || (*shape)->column_count > 1000) {
        *shape = NULL;
        return MC_OK;
    }
    *rows = (*shape)->row_count < ROWS_MOST ? (*shape)->row_count : ROWS_MOST;
    r->happened.left_out += (*shape)->row_count - *rows;
    *values =
        calloc((size_t)(*rows > 0 ? *rows : 1) * (size_t)(*shape)->column_count, sizeof **values);
    if (!*values)
        return no_memory(r, error);
    const results_part part = {.row_count = *rows, .column_count = (*shape)->column_count};
    return results_read(file, table, &part, *values, error);
}

// Value of a row, NAN when the table has no such column.
static double at(const results_shape *s, const double *values, int64_t row, int64_t column)
{
    return column >= 0 ? values[row * s->column_count + column] : NAN;
}

static int64_t time_column(const results_shape *s)
{
    const int64_t t = results_shape_find(s, "t");
    return t >= 0 ? t : results_shape_find(s, "time");
}

// ---- events ----

static int event_order(const void *p, const void *q)
{
    const report_event *a = p, *b = q;
    if (a->t != b->t)
        return a->t < b->t ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static report_event event_of(report_run *r, const results_shape *s, const double *values,
                             int64_t row)
{
    report_happened *h = &r->happened;
    const double kind = at(s, values, row, results_shape_find(s, "kind"));
    const double vehicle = at(s, values, row, results_shape_find(s, "vehicle"));
    report_event e = {.order = (int)row,
                      .t = at(s, values, row, time_column(s)),
                      .number = kind >= 0.0 && kind < h->kind_count ? (int)kind : -1,
                      .vehicle =
                          vehicle >= 0.0 && vehicle < r->record.vehicle_count ? (int)vehicle : -1,
                      .value = at(s, values, row, results_shape_find(s, "value"))};
    e.kind = e.number >= 0 ? h->kinds[e.number] : "event of an unknown kind";
    e.words = e.number >= 0 ? h->kind_words[e.number] : e.kind;
    return e;
}

// Copies of the kinds with blanks for '_'.
static const char **kind_words(arena *memory, const char **kinds, int count)
{
    const char **out = arena_alloc(memory, (size_t)count * sizeof *out);
    for (int k = 0; k < count && out; k++) {
        char *copy = arena_copy_text(memory, kinds[k], strlen(kinds[k]));
        if (!copy)
            return NULL;
        for (char *c = copy; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        out[k] = copy;
    }
    return out;
}

static mc_status read_events(report_run *r, mc_error *error)
{
    report_happened *h = &r->happened;
    const results_shape *s;
    double *values;
    int64_t rows;
    mc_status status = read_table(r, "events", &s, &values, &rows, error);
    const char *kinds = results_reader_text(r->record.file, "event_kinds");
    if (status == MC_OK && s && time_column(s) >= 0) {
        h->has_events = true;
        h->kinds = record_split(&r->record.memory, kinds ? kinds : "", &h->kind_count);
        h->kind_words = h->kinds ? kind_words(&r->record.memory, h->kinds, h->kind_count) : NULL;
        h->events = calloc((size_t)(rows > 0 ? rows : 1), sizeof *h->events);
        status = h->events && h->kind_words ? MC_OK : no_memory(r, error);
        for (int64_t i = 0; i < rows && status == MC_OK; i++) {
            const report_event e = event_of(r, s, values, i);
            if (isfinite(e.t))
                h->events[h->event_count++] = e;
            else
                h->left_out++;
        }
        if (status == MC_OK)
            qsort(h->events, (size_t)h->event_count, sizeof *h->events, event_order);
    }
    free(values);
    return status;
}

// ---- collisions ----

// Files that count vehicles from 1 say so in the explanation of the column.
static double first_number(const results_shape *s, int64_t column)
{
    return column >= 0 && strstr(s->docs[column], "from 1") ? 1.0 : 0.0;
}

// *impact from a row; false when it names no two vehicles of the run at a time.
static bool impact_of(const report_run *r, const results_shape *s, const double *values,
                      int64_t row, mc_impact *impact)
{
    static const char *const point[3] = {"x", "y", "z"}, *const normal[3] = {"nx", "ny", "nz"};
    const int64_t column_a = results_shape_find(s, "a"), column_b = results_shape_find(s, "b");
    double a = at(s, values, row, column_a) - first_number(s, column_a);
    double b = at(s, values, row, column_b) - first_number(s, column_b);
    const double n = r->record.vehicle_count;
    *impact = (mc_impact){.time = at(s, values, row, time_column(s))};
    if (!(a >= 0.0 && b >= 0.0 && a < n && b < n && floor(a) != floor(b)) ||
        !isfinite(impact->time))
        return false;
    const double sign = a < b ? 1.0 : -1.0;
    impact->a = (int)fmin(a, b), impact->b = (int)fmax(a, b);
    const int64_t duration = results_shape_find(s, "duration");
    impact->duration = duration < 0 ? 0.0 : at(s, values, row, duration);
    impact->closing = at(s, values, row, results_shape_find(s, "closing"));
    impact->impulse = at(s, values, row, results_shape_find(s, "impulse"));
    for (int k = 0; k < 3; k++) {
        impact->point[k] = at(s, values, row, results_shape_find(s, point[k]));
        impact->normal[k] = sign * at(s, values, row, results_shape_find(s, normal[k]));
    }
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static mc_status list_energies(report_run *r, const results_shape *s, mc_error *error)
{
    report_happened *h = &r->happened;
    h->energies = calloc((size_t)s->column_count + 1, sizeof *h->energies);
    if (!h->energies)
        return no_memory(r, error);
    for (int64_t i = 0; i < s->column_count; i++) {
        const char *name = s->columns[i];
        if (strcmp(s->units[i], "J") == 0)
            h->energies[h->energy_count++] =
                (report_energy){.name = name,
                                .doc = s->docs[i],
                                .when = ends_with(name, "_before")  ? ENERGY_BEFORE
                                        : ends_with(name, "_after") ? ENERGY_AFTER
                                                                    : ENERGY_SUM,
                                .column = i,
                                .less = -1};
    }
    // What the impacts themselves took, where the file has no parts of it.
    const int64_t before = results_shape_find(s, "energy_before");
    const int64_t after = results_shape_find(s, "energy_after");
    bool parts = false;
    for (int k = 0; k < h->energy_count; k++)
        parts = parts || h->energies[k].when == ENERGY_SUM;
    if (!parts && before >= 0 && after >= 0)
        h->energies[h->energy_count++] = (report_energy){
            "lost", "before less after, of all micro-impacts", ENERGY_SUM, before, after};
    return MC_OK;
}

// Which collision an impact belongs to: of its pair, and its time within.
static int collision_at(const report_happened *h, const mc_impact *impact)
{
    int low = 0, high = h->collision_count; // those before `high` began by then
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (h->collisions[middle].first <= impact->time)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low - 1; i >= 0; i--)
        if (h->collisions[i].a == impact->a && h->collisions[i].b == impact->b)
            return i;
    return -1;
}

// Energies of the collisions. In the file impacts are in the order of time.
static mc_status add_energies(report_run *r, const results_shape *s, const double *values,
                              const mc_impact *impacts, const int64_t *rows, int count,
                              mc_error *error)
{
    report_happened *h = &r->happened;
    const size_t n = (size_t)h->collision_count * (size_t)h->energy_count;
    h->energy = calloc(n > 0 ? n : 1, sizeof *h->energy);
    if (!h->energy)
        return no_memory(r, error);
    for (size_t i = 0; i < n; i++)
        h->energy[i] = NAN;
    for (int i = 0; i < count; i++) {
        const int c = collision_at(h, &impacts[i]);
        for (int k = 0; k < h->energy_count && c >= 0; k++) {
            double v = at(s, values, rows[i], h->energies[k].column);
            if (h->energies[k].less >= 0)
                v -= at(s, values, rows[i], h->energies[k].less);
            double *e = &h->energy[c * h->energy_count + k];
            if (isnan(*e) || h->energies[k].when == ENERGY_AFTER)
                *e = v;
            else if (h->energies[k].when == ENERGY_SUM)
                *e += v;
        }
    }
    return MC_OK;
}

static mc_status read_impacts(report_run *r, mc_error *error)
{
    report_happened *h = &r->happened;
    const results_shape *s;
    double *values;
    int64_t rows;
    mc_status status = read_table(r, "impacts", &s, &values, &rows, error);
    h->has_impacts = s && time_column(s) >= 0;
    if (status != MC_OK || !h->has_impacts || rows == 0) {
        free(values);
        return status;
    }
    mc_impact *impacts = calloc((size_t)rows, sizeof *impacts);
    int64_t *row_of = calloc((size_t)rows, sizeof *row_of);
    int count = 0;
    status = impacts && row_of ? list_energies(r, s, error) : no_memory(r, error);
    for (int64_t i = 0; i < rows && status == MC_OK; i++) {
        row_of[count] = i;
        if (impact_of(r, s, values, i, &impacts[count]))
            count++;
        else
            h->left_out++;
    }
    h->impact_count = count;
    if (status == MC_OK)
        status = mc_collisions_from_impacts(impacts, count, MC_COLLISIONS_QUIET, &h->collisions,
                                            &h->collision_count, error);
    if (status == MC_OK)
        status = add_energies(r, s, values, impacts, row_of, count, error);
    free(impacts);
    free(row_of);
    free(values);
    return status;
}

mc_status report_happened_read(report_run *r, mc_error *error)
{
    const mc_status status = read_events(r, error);
    return status == MC_OK ? read_impacts(r, error) : status;
}
