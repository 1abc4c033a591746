// results_read.h - results files (hdf5/results.h) read back: tables, texts, parts of tables.
//
//     results_reader *r = results_reader_open("run.h5", &error);
//     const int t = results_reader_find(r, "motion");
//     const results_shape *motion = results_reader_table(r, t);
//     results_part part = {.row_count = motion->row_count, .column = 3, .column_count = 1,
//                          .vehicle_count = motion->vehicle_count};
//     status = results_read(r, t, &part, values, &error);
//     results_reader_free(r);
//
// What is read:
// 1. A finished run, a run that is still on, and a run that was killed: of each table the rows that
//    are right, and no more. Tables may then differ by some rows; the reader of several takes the
//    least.
// 2. All segments of a run (run.h5, run.0001.h5, ...) as one, and while a run is not complete the
//    overflow files of its event tables (run.impacts.0001.h5, ...). A segment that is missing is an
//    error; so is a segment given by its own name.
// 3. Tables: datasets of numbers with 2 or 3 dimensions directly below the root. Without names in
//    the file columns are called c1, c2, ...
// 4. Texts: string attributes of the root, and lists of one. Lists: datasets of strings with one
//    dimension. Strings may have a fixed or a variable length.
// 5. Files of format 2, and of format 1 (Motorcade 0.1), which had no lists but texts of lines:
//    results_reader_list gives either.
//
// Nothing is kept in memory but names and texts. A part is read straight into the caller's room, so
// the caller bounds the memory: to read all of a large table, go through it in blocks of block_rows
// rows over the whole width, which reads and unpacks every byte once.
//
// Errors name what is wrong with the file: missing, not readable, not HDF5, truncated, not a
// results file of Motorcade, of a later format, rows that cannot be unpacked. Nothing is printed.
//
// A file may come from anyone. It is read without the HDF5 library, by code that checks every
// address and size before use (hdf5/object.h): a damaged or hostile file is rejected or read,
// and neither crashes the program nor takes more than HDF5_BUDGET of memory. Limit: this code knows
// the layout that HDF5 writes by default. Files copied into a later one (libver="latest" of h5py)
// are rejected.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct results_reader results_reader;

typedef struct results_shape {
    const char *name;
    const char *const *columns; // column_count names,
    const char *const *units;   // units, "" where there is none,
    const char *const *docs;    // and lines of explanation, "" where there is none
    int64_t column_count;
    int64_t vehicle_count; // 0: rows are [column]; otherwise [vehicle][column]
    int64_t row_count;     // right rows, of all segments
    int64_t block_rows;    // rows that are best read together; at least 1
} results_shape;

results_reader *results_reader_open(const char *path, mc_error *error); // NULL: see *error
void results_reader_free(results_reader *reader);                       // NULL is allowed

bool results_reader_complete(const results_reader *reader); // the run came to its clean end
int results_reader_segments(const results_reader *reader);  // number of files read as one

int results_reader_table_count(const results_reader *reader); // in alphabetical order
const results_shape *results_reader_table(const results_reader *reader, int index);
int results_reader_find(const results_reader *reader, const char *table); // -1: there is none

// Index of a column by name; -1: there is none.
int64_t results_shape_find(const results_shape *shape, const char *column);

const char *results_reader_text(const results_reader *reader, const char *name); // NULL: none
int results_reader_format(const results_reader *reader);                         // 1 or 2
// The words of a list, of format 1 the lines of a text; NULL and *count 0: there is none.
const char *const *results_reader_list(results_reader *reader, const char *name, int64_t *count);

typedef struct results_part {
    int64_t row, row_count;         // rows row, row + stride, ..., row_count of them
    int64_t row_stride;             // 0 means 1
    int64_t vehicle, vehicle_count; // of a table without vehicles both 0
    int64_t column, column_count;
} results_part;

// Fills out[row][vehicle][column] (out[row][column] without vehicles) with the part. A part beyond
// the table is a mistake of the caller's.
mc_status results_read(results_reader *reader, int table, const results_part *part, double *out,
                       mc_error *error);
