// report_record.h - the results file of a run as vehicles, quantities and times.
//
// Needs the tables "time" (column t, or its first) and "motion" ([row][vehicle][quantity]); all
// else in the file may be missing. Files of `motorcade medusa` have other names for the same:
// x, y, z are r1, r2, r3 there, and v is the length of (v1, v2, v3).
//
// Rows are walked through in blocks, so that memory does not grow with the length of the run: all
// that is kept of every row is its time.
#pragma once

#include "base/arena.h"
#include "io/results_read.h"

typedef struct record_quantity {
    const char *name, *doc;
    const char *unit;      // for readers: "m/s²"; "" when it has none
    const char *file_unit; // as it stands in the file: "m/s^2"
    int64_t columns[3];
    int column_count; // 1, or 3: the length of a vector
} record_quantity;

typedef struct record {
    arena memory;
    const char *path;
    results_reader *file;
    int motion; // number of the table
    int64_t row_count;
    double *time; // s, row_count, never falling
    int vehicle_count;
    const char **names; // of vehicles; "car 3" where the file has none
    int *platoon;       // of each vehicle, 0, 1, ..., or all 0
    int platoon_count;
    record_quantity *quantities;
    int quantity_count;
} record;

mc_status record_open(record *r, const char *path, mc_error *error);
void record_close(record *r); // also after a failure

int record_find(const record *r, const char *quantity); // -1: there is none

// Lines of a text of the root, one a vehicle; missing ones are "". NULL: the file has no such text.
const char **record_lines(record *r, const char *text, int count);

// "m/s^2" as "m/s²"; "-" and "1" become "". In the arena, or NULL.
const char *record_unit(arena *a, const char *unit);

// Lines of a text: pointers into a copy of it in the arena. *count: their number, an empty end is
// none. NULL without memory.
const char **record_split(arena *a, const char *text, int *count);

typedef struct record_block {
    int64_t first, count; // rows
    const double *time;   // of these rows
    const double *values; // [row][vehicle][column]
    int vehicle_first, vehicle_count;
    int64_t column_count;
} record_block;

typedef mc_status record_visit(void *context, const record_block *block, mc_error *error);

// Calls visit for rows first .. first + count - 1 of some vehicles, block by block.
mc_status record_walk(record *r, int64_t first, int64_t count, int vehicle_first, int vehicle_count,
                      record_visit *visit, void *context, mc_error *error);

// Value of a row of the block; what is not finite is NAN.
double record_value(const record_block *block, int64_t row, int vehicle,
                    const record_quantity *quantity);

// First row at or after a time; row_count when there is none.
int64_t record_row_at(const record *r, double time);
