// report_record.c - opening a record, and walking through it.
#include "analysis/report_record.h"

#include "base/assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 1 << 27 }; // whose times are held in memory: 1 GB

// ---- texts ----

const char *record_unit(arena *a, const char *unit)
{
    if (strcmp(unit, "-") == 0 || strcmp(unit, "1") == 0)
        return "";
    char *out = arena_alloc(a, 2 * strlen(unit) + 1), *end = out;
    if (!out)
        return NULL;
    for (const char *c = unit; *c; c++) {
        const bool raised = c[0] == '^' && (c[1] == '2' || c[1] == '3') &&
                            !(c[2] >= '0' && c[2] <= '9') && c[2] != '.';
        if (raised) {
            memcpy(end, c[1] == '2' ? "\u00b2" : "\u00b3", 2);
            end += 2;
            c++;
        } else {
            *end++ = *c;
        }
    }
    return out;
}

const char **record_split(arena *a, const char *text, int *count)
{
    int lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    char *copy = arena_copy_text(a, text, strlen(text));
    const char **out = copy ? arena_alloc(a, (size_t)lines * sizeof *out) : NULL;
    *count = 0;
    for (char *line = copy; out && line && (*line || *count + 1 < lines);) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        const size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        out[(*count)++] = line;
        line = end ? end + 1 : NULL;
    }
    return out;
}

const char **record_lines(record *r, const char *name, int count)
{
    const char *text = results_reader_text(r->file, name);
    int found = 0;
    const char **lines = text ? record_split(&r->memory, text, &found) : NULL;
    const char **out = lines ? arena_alloc(&r->memory, (size_t)count * sizeof *out) : NULL;
    for (int i = 0; out && i < count; i++)
        out[i] = i < found ? lines[i] : "";
    return out;
}

static mc_status no_memory(const record *r, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "no memory left");
}

// ---- opening ----

static mc_status read_times(record *r, mc_error *error)
{
    const int table = results_reader_find(r->file, "time");
    const results_shape *time = table >= 0 ? results_reader_table(r->file, table) : NULL;
    const results_shape *motion = results_reader_table(r->file, r->motion);
    if (!time || time->vehicle_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has no table \"time\" of the instants of its rows");
    r->row_count = time->row_count < motion->row_count ? time->row_count : motion->row_count;
    if (r->row_count < 1)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "holds no rows of motion: the run ended before its first record");
    if (r->row_count > ROWS_MOST)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has %lld rows; at most %d are read: give time a longer record",
                            (long long)r->row_count, ROWS_MOST);
    r->time = reallocarray(NULL, (size_t)r->row_count, sizeof *r->time);
    if (!r->time)
        return no_memory(r, error);
    const int64_t column = results_shape_find(time, "t");
    const results_part part = {
        .row_count = r->row_count, .column = column < 0 ? 0 : column, .column_count = 1};
    const mc_status status = results_read(r->file, table, &part, r->time, error);
    for (int64_t i = 0; i < r->row_count && status == MC_OK; i++)
        if (!isfinite(r->time[i]) || (i > 0 && r->time[i] < r->time[i - 1]))
            return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                                "row %lld has the time %g s after %g s; times must not fall",
                                (long long)i + 1, r->time[i], i > 0 ? r->time[i - 1] : 0.0);
    return status;
}

static mc_status find_motion(record *r, mc_error *error)
{
    r->motion = results_reader_find(r->file, "motion");
    const results_shape *s = r->motion >= 0 ? results_reader_table(r->file, r->motion) : NULL;
    if (s && s->vehicle_count > 0) {
        r->vehicle_count = (int)s->vehicle_count;
        return MC_OK;
    }
    char names[256] = "";
    size_t n = 0;
    for (int i = 0; i < results_reader_table_count(r->file) && n < sizeof names - 1; i++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "",
                              results_reader_table(r->file, i)->name);
    return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                        "has no table \"motion\" of vehicles over time; its tables: %s",
                        names[0] ? names : "none");
}

static mc_status read_names(record *r, mc_error *error)
{
    const size_t n = (size_t)r->vehicle_count;
    const char **lines = record_lines(r, "vehicle_names", r->vehicle_count);
    const char **platoons = record_lines(r, "platoons", r->vehicle_count);
    r->names = arena_alloc(&r->memory, n * sizeof *r->names);
    r->platoon = arena_alloc(&r->memory, n * sizeof *r->platoon);
    if (!r->names || !r->platoon)
        return no_memory(r, error);
    r->platoon_count = 1;
    for (int i = 0; i < r->vehicle_count; i++) {
        char number[32];
        snprintf(number, sizeof number, "car %d", i + 1);
        r->names[i] =
            lines && lines[i][0] ? lines[i] : arena_copy_text(&r->memory, number, strlen(number));
        if (!r->names[i])
            return no_memory(r, error);
        const long platoon = platoons ? strtol(platoons[i], NULL, 10) : 0;
        r->platoon[i] = platoon >= 0 && platoon < r->vehicle_count ? (int)platoon : 0;
        r->platoon_count = r->platoon[i] >= r->platoon_count ? r->platoon[i] + 1 : r->platoon_count;
    }
    return MC_OK;
}

// Names that stand for columns of other files; the first that are there.
static const struct {
    const char *name, *unit, *doc, *columns[3];
} others[] = {
    {"x", "m", "position, x", {"r1"}},
    {"y", "m", "position, y", {"r2"}},
    {"z", "m", "position, z", {"r3"}},
    {"v", "m/s", "speed", {"v1", "v2", "v3"}},
};
enum { OTHERS = sizeof others / sizeof others[0] };

static mc_status list_quantities(record *r, mc_error *error)
{
    const results_shape *s = results_reader_table(r->file, r->motion);
    r->quantities =
        arena_alloc(&r->memory, (size_t)(s->column_count + OTHERS) * sizeof *r->quantities);
    if (!r->quantities)
        return no_memory(r, error);
    for (int64_t i = 0; i < s->column_count; i++) {
        record_quantity *q = &r->quantities[r->quantity_count++];
        *q = (record_quantity){.name = s->columns[i],
                               .doc = s->docs[i],
                               .unit = record_unit(&r->memory, s->units[i]),
                               .file_unit = s->units[i],
                               .columns = {i},
                               .column_count = 1};
        if (!q->unit)
            return no_memory(r, error);
    }
    for (int k = 0; k < OTHERS; k++) {
        record_quantity q = {.name = others[k].name,
                             .doc = others[k].doc,
                             .unit = others[k].unit,
                             .file_unit = others[k].unit};
        bool there = record_find(r, q.name) < 0;
        for (int i = 0; i < 3 && there && others[k].columns[i]; i++) {
            q.columns[q.column_count] = results_shape_find(s, others[k].columns[i]);
            there = q.columns[q.column_count++] >= 0;
        }
        if (there)
            r->quantities[r->quantity_count++] = q;
    }
    return MC_OK;
}

mc_status record_open(record *r, const char *path, mc_error *error)
{
    *r = (record){.motion = -1};
    r->path = arena_copy_text(&r->memory, path, strlen(path));
    if (!r->path)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    r->file = results_reader_open(path, error);
    if (!r->file)
        return error->code;
    mc_status status = find_motion(r, error);
    if (status == MC_OK)
        status = read_times(r, error);
    if (status == MC_OK)
        status = read_names(r, error);
    return status == MC_OK ? list_quantities(r, error) : status;
}

void record_close(record *r)
{
    results_reader_free(r->file);
    free(r->time);
    arena_free(&r->memory);
    *r = (record){0};
}

int record_find(const record *r, const char *quantity)
{
    for (int i = 0; i < r->quantity_count; i++)
        if (strcmp(r->quantities[i].name, quantity) == 0)
            return i;
    return -1;
}

// ---- walking ----

int64_t record_row_at(const record *r, double time)
{
    int64_t low = 0, high = r->row_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (r->time[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double record_value(const record_block *block, int64_t row, int vehicle,
                    const record_quantity *quantity)
{
    const double *at =
        block->values +
        (row * block->vehicle_count + (vehicle - block->vehicle_first)) * block->column_count;
    if (quantity->column_count == 1)
        return isfinite(at[quantity->columns[0]]) ? at[quantity->columns[0]] : NAN;
    double square = 0.0;
    for (int k = 0; k < quantity->column_count; k++)
        square += at[quantity->columns[k]] * at[quantity->columns[k]];
    return isfinite(square) ? sqrt(square) : NAN;
}

mc_status record_walk(record *r, int64_t first, int64_t count, int vehicle_first, int vehicle_count,
                      record_visit *visit, void *context, mc_error *error)
{
    mc_assert(first >= 0 && first + count <= r->row_count);
    const results_shape *s = results_reader_table(r->file, r->motion);
    const int64_t block = s->block_rows;
    const size_t width = (size_t)vehicle_count * (size_t)s->column_count;
    double *values =
        reallocarray(NULL, (size_t)(block < count ? block : count) * width, sizeof *values);
    if (!values)
        return no_memory(r, error);
    mc_status status = MC_OK;
    for (int64_t row = first; row < first + count && status == MC_OK;) {
        // up to the next multiple of the block, where a chunk of the file ends
        const int64_t end = (row / block + 1) * block;
        const int64_t n = (end < first + count ? end : first + count) - row;
        const results_part part = {.row = row,
                                   .row_count = n,
                                   .vehicle = vehicle_first,
                                   .vehicle_count = vehicle_count,
                                   .column_count = s->column_count};
        status = results_read(r->file, r->motion, &part, values, error);
        const record_block b = {
            row, n, r->time + row, values, vehicle_first, vehicle_count, s->column_count};
        if (status == MC_OK)
            status = visit(context, &b, error);
        row += n;
    }
    free(values);
    return status;
}
