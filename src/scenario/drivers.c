// drivers.c - what a driver does, from a table: pedals and steering over time.
#include "scenario/reader.h"

#include "io/csv.h"

#include <string.h>

enum { T, THROTTLE, BRAKE, STEER, COLUMNS };
static const char *const names[COLUMNS] = {"t", "throttle", "brake", "steer"};

typedef struct table {
    csv csv;
    const char *path;
    double *column[COLUMNS]; // zeros for one that the file does not have
    bool has_time;
} table;

// Column c of the file is quantity k of a driver.
static mc_status take_column(table *t, int c, int k, mc_error *error)
{
    static const double min[COLUMNS] = {0.0, 0.0, 0.0, -1.0};
    static const double max[COLUMNS] = {1e9, 1.0, 1.0, 1.0};
    double *out = t->column[k];
    for (int row = 0; row < t->csv.row_count; row++) {
        const double value = t->csv.values[(size_t)row * (size_t)t->csv.column_count + (size_t)c];
        if (value < min[k] || value > max[k])
            return mc_error_set(error, MC_BAD_INPUT, t->path, t->csv.line[row], 0,
                                "%s = %g is outside %g .. %g", names[k], value, min[k], max[k]);
        if (k == T && row > 0 && value <= out[row - 1])
            return mc_error_set(error, MC_BAD_INPUT, t->path, t->csv.line[row], 0,
                                "t = %g s is not after %g s", value, out[row - 1]);
        out[row] = value;
    }
    t->has_time = t->has_time || k == T;
    return MC_OK;
}

// Columns t, throttle, brake, steer in any order; all but t may be missing.
static mc_status take_columns(table *t, mc_error *error)
{
    mc_status status = MC_OK;
    for (int c = 0; c < t->csv.column_count && status == MC_OK; c++) {
        int k = 0;
        while (k < COLUMNS && strcmp(t->csv.names[c], names[k]) != 0)
            k++;
        if (k == COLUMNS)
            return mc_error_set(error, MC_BAD_INPUT, t->path, 1, 0,
                                "unknown column \"%s\"; expected t, throttle, brake, steer",
                                t->csv.names[c]);
        status = take_column(t, c, k, error);
    }
    if (status == MC_OK && (!t->has_time || t->csv.row_count == 0))
        status = mc_error_set(error, MC_BAD_INPUT, t->path, 1, 0,
                              "a driver file needs a column t and at least one row");
    return status;
}

static void read_table(scenario_reader *r, const mc_file *file, scenario_driver *out)
{
    table t = {.path = file->path};
    char *bytes = arena_copy_text(&r->scratch, file->bytes, file->size); // the parser cuts it up
    if (!bytes) {
        reader_no_memory(&r->base);
        return;
    }
    r->base.status = csv_parse(&r->scratch, bytes, file->size, file->path, &t.csv, r->base.error);
    for (int k = 0; k < COLUMNS && r->base.status == MC_OK; k++)
        t.column[k] = reader_alloc(&r->base, t.csv.row_count + 1, sizeof(double));
    if (r->base.status == MC_OK)
        r->base.status = take_columns(&t, r->base.error);
    *out = (scenario_driver){.file = file,
                             .count = t.csv.row_count,
                             .t = t.column[T],
                             .throttle = t.column[THROTTLE],
                             .brake = t.column[BRAKE],
                             .steer = t.column[STEER]};
}

const scenario_driver *scenario_read_driver(scenario_reader *r, const yaml_node *node)
{
    const mc_file *file = scenario_take_file(r, node, 0);
    if (!file)
        return NULL;
    for (const scenario_driver *d = r->drivers; d; d = d->next)
        if (d->file == file)
            return d;
    scenario_driver *made = reader_alloc(&r->base, 1, sizeof *made);
    if (!made)
        return NULL;
    read_table(r, file, made);
    made->next = r->drivers;
    r->drivers = made;
    return r->base.status == MC_OK ? made : NULL;
}
