// recorded.c - opening a record, and walking through it.
#include "replay/recorded.h"

#include "base/assert.h"
#include "base/renamed.h"
#include "io/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MAX = 1 << 27,      // whose times are held in memory: 1 GB
    JOINED_FIRST = 1000000,  // number of the first vehicle that joined: record/tables.h
    JOINED_MAX = 1000000,    // vehicles that joined
    JOINED_VALUES = 1 << 17, // numbers of rows of joined vehicles that are read at once
    BLOCK_VALUES = 1 << 23,  // numbers of a block, if vehicles have joined
};

// ---- texts ----

const char *recorded_unit(arena *a, const char *unit)
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

const char **recorded_words(recorded *r, const char *name, int count)
{
    int64_t found, more = 0;
    char joined[100];
    const char *const *words = results_reader_list(r->file, name, &found), *const *others = NULL;
    if (r->vehicle_count > r->first_count && strncmp(name, "vehicle_", 8) == 0) {
        snprintf(joined, sizeof joined, "joined_%s", name + 8);
        others = results_reader_list(r->file, joined, &more);
    }
    const char **out = words ? arena_alloc(&r->memory, (size_t)count * sizeof *out) : NULL;
    for (int i = 0; out && i < count; i++) {
        const int k = i - r->first_count;
        out[i] = k >= 0 && others ? (k < more ? others[k] : "") : i < found ? words[i] : "";
    }
    return out;
}

int recorded_vehicle(const recorded *r, double number)
{
    if (number >= 0.0 && number < r->first_count)
        return (int)number;
    const double k = number - JOINED_FIRST;
    return k >= 0.0 && k < r->vehicle_count - r->first_count ? r->first_count + (int)k : -1;
}

bool recorded_scenario_has(const recorded *r, const char *section, const char *key)
{
    const char *text = results_reader_text(r->file, "scenario");
    const yaml_node *root = NULL;
    arena memory = {0};
    mc_error unused;
    bool has = false;
    if (text && yaml_parse(text, strlen(text), r->path, &memory, &root, &unused) == MC_OK) {
        const yaml_node *map = section ? yaml_find(root, section) : root;
        has = map && yaml_find(map, key);
    }
    arena_free(&memory);
    return has;
}

enum { COLUMNS_MAX = 1000 };

// Rows of the vehicles that joined, in the order of `s`, behind those of the first ones: a table of
// one row each, whose columns have the same names. What it does not say is NAN.
static bool read_joined(recorded *r, const char *name, const results_shape *s, double *out)
{
    char joined[100];
    snprintf(joined, sizeof joined, "joined_%s", name);
    const int count = r->vehicle_count - r->first_count;
    const int table = results_reader_find(r->file, joined);
    const results_shape *j = table >= 0 ? results_reader_table(r->file, table) : NULL;
    for (int64_t k = 0; k < count * s->column_count; k++)
        out[k] = NAN;
    if (!j || j->vehicle_count > 0 || j->column_count > COLUMNS_MAX || j->row_count < 1)
        return true;
    const int64_t rows = j->row_count < count ? j->row_count : count;
    double *values = reallocarray(NULL, (size_t)(rows * j->column_count), sizeof *values);
    const results_part part = {.row_count = rows, .column_count = j->column_count};
    const bool good = values && results_read(r->file, table, &part, values, NULL) == MC_OK;
    for (int64_t c = 0; good && c < s->column_count; c++) {
        const int64_t from = results_shape_find(j, s->columns[c]);
        for (int64_t k = 0; from >= 0 && k < rows; k++)
            out[k * s->column_count + c] = values[k * j->column_count + from];
    }
    free(values);
    return good;
}

bool recorded_last_row(recorded *r, const char *name, bool of_vehicles, const results_shape **shape,
                       double **values)
{
    const int table = results_reader_find(r->file, name);
    const results_shape *s = table >= 0 ? results_reader_table(r->file, table) : NULL;
    *values = NULL;
    if (!s || s->row_count < 1 || s->column_count > COLUMNS_MAX ||
        s->vehicle_count != (of_vehicles ? r->first_count : 0))
        return false;
    const int64_t n = of_vehicles ? r->vehicle_count : 1;
    const results_part part = {.row = s->row_count - 1,
                               .row_count = 1,
                               .vehicle_count = s->vehicle_count,
                               .column_count = s->column_count};
    *shape = s;
    *values = reallocarray(NULL, (size_t)(n * s->column_count), sizeof **values);
    if (*values && results_read(r->file, table, &part, *values, NULL) == MC_OK &&
        (n <= r->first_count || !of_vehicles ||
         read_joined(r, name, s, *values + s->vehicle_count * s->column_count)))
        return true;
    free(*values);
    *values = NULL;
    return false;
}

static mc_status no_memory(const recorded *r, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "no memory left");
}

// ---- opening ----

static const results_shape *shape_of(const recorded *r, int table)
{
    return r->table[table] >= 0 ? results_reader_table(r->file, r->table[table]) : NULL;
}

static int64_t objects_of(const results_shape *s)
{
    return s->vehicle_count > 0 ? s->vehicle_count : 1; // format 1: one mechanism
}

static mc_status read_times(recorded *r, mc_error *error)
{
    const int table = results_reader_find(r->file, "time");
    const results_shape *time = table >= 0 ? results_reader_table(r->file, table) : NULL;
    if (!time || time->vehicle_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has no table \"time\" of the instants of its rows");
    r->row_count = time->row_count;
    for (int k = 0; k < RECORDED_TABLES; k++)
        if (shape_of(r, k) && shape_of(r, k)->row_count < r->row_count)
            r->row_count = shape_of(r, k)->row_count;
    if (r->row_count < 1)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has no rows of motion: the run ended before its first record");
    if (r->row_count > ROWS_MAX)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "has %lld rows, expected at most %d: use a longer record interval",
                            (long long)r->row_count, ROWS_MAX);
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
                                "row %lld has the time %g s after %g s; times must not decrease",
                                (long long)i + 1, r->time[i], i > 0 ? r->time[i - 1] : 0.0);
    return status;
}

// ---- vehicles that joined ----

// Where the rows of joined vehicles are, by the rows of all: both are in order of time.
static mc_status find_joined_rows(recorded *r, mc_error *error)
{
    enum { AT_ONCE = 4096 };
    double times[AT_ONCE], before = -HUGE_VAL;
    int64_t row = 0;
    r->joined_at = reallocarray(NULL, (size_t)r->row_count + 1, sizeof *r->joined_at);
    if (!r->joined_at)
        return mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "no memory left");
    for (int64_t first = 0; first < r->joined_rows; first += AT_ONCE) {
        const int64_t left = r->joined_rows - first, count = left < AT_ONCE ? left : AT_ONCE;
        const results_part part = {
            .row = first, .row_count = count, .column = r->joined_time, .column_count = 1};
        const mc_status status = results_read(r->file, r->joined_table, &part, times, error);
        if (status != MC_OK)
            return status;
        for (int64_t k = 0; k < count; k++) {
            if (!(times[k] >= before))
                return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                                    "row %lld of joined_motion has the time %g s after %g s; times "
                                    "must not decrease",
                                    (long long)(first + k) + 1, times[k], before);
            before = times[k];
            while (row < r->row_count && r->time[row] <= before)
                r->joined_at[row++] = first + k;
        }
    }
    while (row <= r->row_count)
        r->joined_at[row++] = r->joined_rows;
    return MC_OK;
}

static mc_status find_joined_columns(recorded *r, const results_shape *joined, mc_error *error)
{
    for (int k = 0; k < RECORDED_TABLES; k++) {
        const results_shape *s = shape_of(r, k);
        if (!s)
            continue;
        r->joined_from[k] =
            arena_alloc(&r->memory, (size_t)s->column_count * sizeof *r->joined_from[k]);
        if (!r->joined_from[k])
            return mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "no memory left");
        for (int64_t c = 0; c < s->column_count; c++)
            r->joined_from[k][c] = results_shape_find(joined, s->columns[c]);
    }
    return MC_OK;
}

static mc_status find_joined(recorded *r, mc_error *error)
{
    const int vehicles = results_reader_find(r->file, "joined_vehicles");
    const int motion = results_reader_find(r->file, "joined_motion");
    r->joined_table = -1;
    if (vehicles < 0 || motion < 0)
        return MC_OK;
    const results_shape *v = results_reader_table(r->file, vehicles);
    const results_shape *m = results_reader_table(r->file, motion);
    r->joined_time = results_shape_find(m, "t");
    r->joined_vehicle = results_shape_find(m, "vehicle");
    if (v->vehicle_count > 0 || m->vehicle_count > 0 || m->column_count > COLUMNS_MAX ||
        r->joined_time < 0 || r->joined_vehicle < 0 || v->row_count < 1)
        return MC_OK;
    if (v->row_count > JOINED_MAX || r->first_count > JOINED_FIRST)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "%lld vehicles have joined %d, expected at most %d",
                            (long long)v->row_count, r->first_count, JOINED_MAX);
    r->joined_table = motion;
    r->joined_rows = m->row_count;
    r->vehicle_count += (int)v->row_count;
    const mc_status status = find_joined_columns(r, m, error);
    return status == MC_OK ? find_joined_rows(r, error) : status;
}

static const char *kind_of(const recorded *r)
{
    const char *kind = results_reader_text(r->file, "kind");
    if (kind)
        return kind;
    const results_shape *motion = shape_of(r, RECORDED_MOTION); // format 1 does not say
    return motion->vehicle_count == 0                     ? "simulate"
           : results_reader_text(r->file, "platoon_file") ? "medusa"
                                                          : "run";
}

static mc_status find_tables(recorded *r, mc_error *error)
{
    static const char *const names[RECORDED_TABLES] = {"motion", "pose", "energy"};
    for (int k = 0; k < RECORDED_TABLES; k++)
        r->table[k] = results_reader_find(r->file, names[k]);
    if (r->table[RECORDED_ENERGY] < 0 && results_reader_format(r->file) == 1)
        r->table[RECORDED_ENERGY] = results_reader_find(r->file, "books"); // old name
    const results_shape *motion = shape_of(r, RECORDED_MOTION);
    if (motion && (motion->vehicle_count > 0 || results_reader_format(r->file) == 1)) {
        r->vehicle_count = r->first_count = (int)objects_of(motion);
        r->kind = kind_of(r);
        for (int k = 1; k < RECORDED_TABLES; k++) // of other objects: not meant
            if (shape_of(r, k) && objects_of(shape_of(r, k)) != r->vehicle_count)
                r->table[k] = -1;
        return MC_OK;
    }
    char list[256] = "";
    size_t n = 0;
    for (int i = 0; i < results_reader_table_count(r->file) && n < sizeof list - 1; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "",
                              results_reader_table(r->file, i)->name);
    return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                        "has no table \"motion\" of vehicles over time; its tables: %s",
                        list[0] ? list : "none");
}

// Numbers of the platoons: a column of the table `vehicles`, of format 1 a list of words.
static void read_platoons(recorded *r)
{
    const results_shape *s;
    double *values;
    const bool table = recorded_last_row(r, "vehicles", true, &s, &values);
    const int64_t column = table ? results_shape_find(s, "platoon") : -1;
    const char **words = results_reader_format(r->file) == 1
                             ? recorded_words(r, "platoons", r->vehicle_count)
                             : NULL;
    for (int i = 0; i < r->vehicle_count; i++) {
        const double platoon = column >= 0 ? values[i * s->column_count + column]
                               : words     ? strtod(words[i], NULL)
                                           : 0.0;
        r->platoon[i] = platoon >= 0.0 && platoon < r->vehicle_count ? (int)platoon : -1;
        r->platoon_count = r->platoon[i] >= r->platoon_count ? r->platoon[i] + 1 : r->platoon_count;
    }
    free(values);
}

static mc_status read_names(recorded *r, mc_error *error)
{
    const size_t n = (size_t)r->vehicle_count;
    const char **words = recorded_words(r, "vehicle_names", r->vehicle_count);
    r->names = arena_alloc(&r->memory, n * sizeof *r->names);
    r->platoon = arena_alloc(&r->memory, n * sizeof *r->platoon);
    if (!r->names || !r->platoon)
        return no_memory(r, error);
    for (int i = 0; i < r->vehicle_count; i++) {
        char number[32];
        snprintf(number, sizeof number, "car %d", i + 1);
        r->names[i] =
            words && words[i][0] ? words[i] : arena_copy_text(&r->memory, number, strlen(number));
        if (!r->names[i])
            return no_memory(r, error);
    }
    read_platoons(r);
    return MC_OK;
}

// Names that stand for columns of medusa runs of format 1.
static const struct {
    const char *name, *unit, *doc, *columns[3];
} others[] = {
    {"x", "m", "position, x", {"r1"}},
    {"y", "m", "position, y", {"r2"}},
    {"z", "m", "position, z", {"r3"}},
    {"v", "m/s", "speed", {"v1", "v2", "v3"}},
};
enum { OTHERS = sizeof others / sizeof others[0] };

static void add_others(recorded *r)
{
    const results_shape *s = shape_of(r, RECORDED_MOTION);
    for (int k = 0; k < OTHERS; k++) {
        recorded_quantity q = {.name = others[k].name,
                               .doc = others[k].doc,
                               .unit = others[k].unit,
                               .file_unit = others[k].unit};
        bool there = recorded_find(r, q.name) < 0;
        for (int i = 0; i < 3 && there && others[k].columns[i]; i++) {
            q.columns[q.column_count] = results_shape_find(s, others[k].columns[i]);
            there = q.columns[q.column_count++] >= 0;
        }
        if (there)
            r->quantities[r->quantity_count++] = q;
    }
}

// The name of today of a column of 0.1, unless the table has both.
static const char *name_now(recorded *r, const results_shape *s, const char *column)
{
    const char *now = renamed_now(column);
    if (!now || results_shape_find(s, now) >= 0)
        return column;
    r->renamed |= 1u << renamed_index(column);
    return now;
}

static mc_status list_quantities(recorded *r, mc_error *error)
{
    int64_t room = OTHERS;
    for (int k = 0; k < RECORDED_TABLES; k++)
        room += shape_of(r, k) ? shape_of(r, k)->column_count : 0;
    r->quantities = arena_alloc(&r->memory, (size_t)room * sizeof *r->quantities);
    if (!r->quantities)
        return no_memory(r, error);
    for (int k = 0; k < RECORDED_TABLES; k++) {
        const results_shape *s = shape_of(r, k);
        for (int64_t i = 0; s && i < s->column_count; i++) {
            if (k > 0 && recorded_find(r, s->columns[i]) >= 0)
                continue;
            recorded_quantity *q = &r->quantities[r->quantity_count++];
            *q = (recorded_quantity){.name = name_now(r, s, s->columns[i]),
                                     .doc = s->docs[i],
                                     .unit = recorded_unit(&r->memory, s->units[i]),
                                     .file_unit = s->units[i],
                                     .table = k,
                                     .columns = {i},
                                     .column_count = 1};
            if (!q->unit)
                return no_memory(r, error);
        }
        if (k == RECORDED_MOTION && results_reader_format(r->file) == 1)
            add_others(r);
        if (k == RECORDED_MOTION)
            r->motion_count = r->quantity_count;
    }
    return MC_OK;
}

mc_status recorded_open(recorded *r, const char *path, mc_error *error)
{
    *r = (recorded){.kind = "run"};
    r->path = arena_copy_text(&r->memory, path, strlen(path));
    if (!r->path)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    r->file = results_reader_open(path, error);
    if (!r->file)
        return error->code;
    mc_status status = find_tables(r, error);
    if (status == MC_OK)
        status = read_times(r, error);
    if (status == MC_OK)
        status = find_joined(r, error);
    if (status == MC_OK)
        status = read_names(r, error);
    return status == MC_OK ? list_quantities(r, error) : status;
}

void recorded_close(recorded *r)
{
    results_reader_free(r->file);
    free(r->time);
    free(r->joined_at);
    arena_free(&r->memory);
    *r = (recorded){0};
}

int recorded_find(const recorded *r, const char *quantity)
{
    for (int i = 0; i < r->quantity_count; i++)
        if (strcmp(r->quantities[i].name, quantity) == 0)
            return i;
    const char *now = renamed_now(quantity);
    return now ? recorded_find(r, now) : -1;
}

// ---- walking ----

int64_t recorded_row_at(const recorded *r, double time)
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

double recorded_value(const recorded_block *block, int64_t row, int vehicle,
                      const recorded_quantity *quantity)
{
    const int t = quantity->table;
    const double *at =
        block->values[t] +
        (row * block->vehicle_count + (vehicle - block->vehicle_first)) * block->column_count[t];
    if (quantity->column_count == 1)
        return isfinite(at[quantity->columns[0]]) ? at[quantity->columns[0]] : NAN;
    double square = 0.0;
    for (int k = 0; k < quantity->column_count; k++)
        square += at[quantity->columns[k]] * at[quantity->columns[k]];
    return isfinite(square) ? sqrt(square) : NAN;
}

// Room for `rows` rows of the tables of a part.
static bool make_blocks(const recorded *r, const recorded_part *part, int64_t rows,
                        recorded_block *b, double *values[RECORDED_TABLES])
{
    for (int k = 0; k < RECORDED_TABLES; k++) {
        const results_shape *s = shape_of(r, k);
        if (!s || !(part->tables >> k & 1))
            continue;
        b->column_count[k] = s->column_count;
        values[k] =
            reallocarray(NULL, (size_t)rows * (size_t)part->vehicle_count * (size_t)s->column_count,
                         sizeof *values[k]);
        b->values[k] = values[k];
        if (!values[k])
            return false;
    }
    return true;
}

// Those of the first vehicles that a block has, in one table.
static int first_of(const recorded *r, const recorded_block *b)
{
    const int over = b->vehicle_first + b->vehicle_count;
    const int n = (over < r->first_count ? over : r->first_count) - b->vehicle_first;
    return n > 0 ? n : 0;
}

static mc_status read_first(recorded *r, const recorded_block *b, int table, double *out,
                            mc_error *error)
{
    const bool flat = shape_of(r, table)->vehicle_count == 0;
    const results_part part = {.row = b->first,
                               .row_count = b->count,
                               .vehicle = flat ? 0 : b->vehicle_first,
                               .vehicle_count = flat ? 0 : first_of(r, b),
                               .column_count = b->column_count[table]};
    return results_read(r->file, r->table[table], &part, out, error);
}

// The same with room for the joined ones in every row: all NAN.
static mc_status read_wide(recorded *r, const recorded_block *b, int table, double *out,
                           mc_error *error)
{
    const int64_t wide = b->vehicle_count * b->column_count[table];
    const int64_t narrow = first_of(r, b) * b->column_count[table];
    double *rows = reallocarray(NULL, (size_t)(b->count * narrow + 1), sizeof *rows);
    const mc_status status = !rows        ? no_memory(r, error)
                             : narrow > 0 ? read_first(r, b, table, rows, error)
                                          : MC_OK;
    for (int64_t i = 0; i < b->count && status == MC_OK; i++) {
        memcpy(out + i * wide, rows + i * narrow, (size_t)narrow * sizeof *rows);
        for (int64_t k = narrow; k < wide; k++)
            out[i * wide + k] = NAN;
    }
    free(rows);
    return status;
}

// One row of a joined vehicle into every table of a block.
static void put_joined(const recorded *r, const recorded_block *b, int64_t row, const double *from,
                       double *values[RECORDED_TABLES])
{
    const int v = recorded_vehicle(r, from[r->joined_vehicle]) - b->vehicle_first;
    if (v < 0 || v >= b->vehicle_count || v + b->vehicle_first < r->first_count)
        return;
    for (int k = 0; k < RECORDED_TABLES; k++) {
        const int64_t n = b->column_count[k];
        double *to = values[k] ? values[k] + (row * b->vehicle_count + v) * n : NULL;
        for (int64_t c = 0; to && c < n; c++)
            to[c] = r->joined_from[k][c] < 0 ? NAN : from[r->joined_from[k][c]];
    }
}

// Rows of joined vehicles at the times of a block.
static mc_status read_joined_rows(recorded *r, const recorded_block *b,
                                  double *values[RECORDED_TABLES], mc_error *error)
{
    const results_shape *s = results_reader_table(r->file, r->joined_table);
    const int64_t end = r->joined_at[b->first + b->count];
    const int64_t most = JOINED_VALUES / s->column_count + 1;
    double *rows = reallocarray(NULL, (size_t)(most * s->column_count), sizeof *rows);
    mc_status status = rows ? MC_OK : no_memory(r, error);
    int64_t row = 0;
    for (int64_t at = r->joined_at[b->first]; at < end && status == MC_OK; at += most) {
        const int64_t count = end - at < most ? end - at : most;
        const results_part part = {.row = at, .row_count = count, .column_count = s->column_count};
        status = results_read(r->file, r->joined_table, &part, rows, error);
        for (int64_t k = 0; k < count && status == MC_OK; k++) {
            const double *from = rows + k * s->column_count, t = from[r->joined_time];
            while (row < b->count && b->time[row] < t)
                row++;
            if (row < b->count && b->time[row] == t)
                put_joined(r, b, row, from, values);
        }
    }
    free(rows);
    return status;
}

static mc_status read_block(recorded *r, const recorded_block *b, double *values[RECORDED_TABLES],
                            mc_error *error)
{
    mc_status status = MC_OK;
    const bool joined = b->vehicle_first + b->vehicle_count > r->first_count;
    for (int k = 0; k < RECORDED_TABLES && status == MC_OK; k++)
        if (values[k])
            status = joined ? read_wide(r, b, k, values[k], error)
                            : read_first(r, b, k, values[k], error);
    return status == MC_OK && joined ? read_joined_rows(r, b, values, error) : status;
}

// Rows of a block: whole chunks of the file; fewer where joined vehicles make rows long.
static int64_t block_rows(const recorded *r, const recorded_part *part)
{
    int64_t block = 1, columns = 0;
    for (int k = 0; k < RECORDED_TABLES; k++) {
        const results_shape *s = part->tables >> k & 1 ? shape_of(r, k) : NULL;
        block = s && s->block_rows > block ? s->block_rows : block;
        columns += s ? s->column_count : 0;
    }
    if (part->vehicle_first + part->vehicle_count <= r->first_count)
        return block;
    const int64_t most = BLOCK_VALUES / (columns * part->vehicle_count + 1) + 1;
    return block < most ? block : most;
}

mc_status recorded_walk(recorded *r, const recorded_part *part, recorded_visit *visit,
                        void *context, mc_error *error)
{
    mc_assert(part->first >= 0 && part->first + part->count <= r->row_count);
    const int64_t over = part->first + part->count;
    double *values[RECORDED_TABLES] = {0};
    recorded_block b = {.vehicle_first = part->vehicle_first, .vehicle_count = part->vehicle_count};
    const int64_t block = block_rows(r, part);
    mc_status status = make_blocks(r, part, block < part->count ? block : part->count, &b, values)
                           ? MC_OK
                           : no_memory(r, error);
    for (int64_t row = part->first; row < over && status == MC_OK; row += b.count) {
        // up to the next multiple of the block, where a chunk of the file ends
        const int64_t end = (row / block + 1) * block;
        b.first = row;
        b.count = (end < over ? end : over) - row;
        b.time = r->time + row;
        status = read_block(r, &b, values, error);
        if (status == MC_OK)
            status = visit(context, &b, error);
    }
    for (int k = 0; k < RECORDED_TABLES; k++)
        free(values[k]);
    return status;
}
