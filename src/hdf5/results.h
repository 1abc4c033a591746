// results.h - the results file of a run: HDF5, whole at every moment.
//
// HDF5 itself does not survive a kill, so it is used only while no run is writing. The file is
// made with all its rows declared, closed, and renamed into place; from then on rows are written
// by pwrite at the datasets' places in the file, and after them the count of valid rows. So any
// HDF5 reader can open the file at any moment, also after SIGKILL, and finds `<table>_rows_valid`
// valid rows. The clean end writes a trimmed, compressed copy under a temporary name and renames it
// over. This covers the death of the process, not a power failure.
//
// In the file, for each table (t = its name):
//     /t               double [row][column], or [row][vehicle][quantity] when vehicle_count > 0;
//                      its attributes `columns`, `units`, `doc` are arrays of UTF-8 strings, one
//                      string per column (quantity)
//     /t_rows_valid    int64: number of valid rows from the first; those after them are not
//                      written yet. After a clean end it is the number of rows.
//     /t_columns, /t_units, /t_doc   (compressed) string datasets in place of attributes that would
//                      take more than 60,000 bytes: an attribute cannot pass 64 kB
//     /name            strings, one dimension: a list given by results_set_list, or a text of more
//                      than 60,000 bytes
// and on the root the texts given by results_set_text, and
//     format           "motorcade results 2"; what the tables hold is record/'s matter
//     complete         int64: 1 after the clean end, 0 while running and after a kill
//     segment          int64: 0, 1, ...; see below
//     segment_count    int64: number of segments; 0 while not known
//
// All strings have a fixed length, padded with zeros. (Those of variable length, written up to
// version 0.1, are read too; but damage in them crashes programs that use the HDF5 library.)
//
//     with h5py.File("run.h5") as f:
//         n = min(f["time_rows_valid"][()], f["motion_rows_valid"][()])
//         time, motion = f["time"][:n], f["motion"][:n]
//
// Time is a table or a column like any other. Rows of several tables are counted one table after
// the other: while the run is on, or after a kill, one table may be some rows ahead of another.
//
// More rows than declared
//     Sampled tables: when one is full and gets another row, all sampled tables continue in the
//     next segment, run.h5 -> run.0001.h5 -> run.0002.h5, each with the rows declared again. Table
//     t of the run is t of all segments, one after the other. The clean end compresses each
//     segment.
//     Event tables (events = true) stay in run.h5. What does not fit goes to overflow files,
//     run.<table>.0001.h5, ..., each twice as large as the last. The clean end puts all rows into
//     run.h5 and removes them. Overflow files count only while run.h5 has complete = 0.
// A new run of the same name removes the segments and overflow files of the old one.
//
// How much a kill can cost
//     Rows wait in memory until RESULTS_WAIT_BYTES are there or RESULTS_WAIT_SECONDS have passed;
//     a small thread looks at the clock, so a caller that stops to think loses nothing either.
//
// Lifetime:
// 1. new -> add_table, set_text, set_list -> create -> write ... -> finish -> free.
// 2. Declarations are copied; nothing of the caller's is kept.
// 3. free without finish writes what waits and leaves the valid, uncompressed file.
// 4. When write fails (disk full) the file holds what was there before. Rows passed in earlier stay
//    in memory, later writes return the same error, and finish tries again to write them.
// 5. Finish needs room on the disk for the compressed copy of one segment, and time (about 50
//    MB/s). When it fails the uncompressed files remain, with all rows that could be written. A
//    second signal may kill the process during finish: the same holds.
// 6. One thread at a time hands in rows. Results of different names are independent; two runs must
//    not share a name.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { RESULTS_WAIT_BYTES = 256 * 1024 };
#define RESULTS_WAIT_SECONDS 0.25

typedef struct results_column {
    const char *name;
    const char *unit; // SI, "-" for a dimensionless number; NULL is ""
    const char *doc;  // one line; NULL is ""
} results_column;

typedef struct results_table {
    const char *name;              // a letter, then letters, digits, '_'
    const results_column *columns; // of a row, or of one vehicle when vehicle_count > 0
    int64_t column_count;
    int64_t vehicle_count; // 0: rows are [column]; otherwise [vehicle][column]
    int64_t row_count;     // rows declared, at least 1; if the end is not known: rows of a segment
    bool events;           // row_count is a guess of a number that comes out only at the end
} results_table;

typedef struct results results;

results *results_new(const char *path, mc_error *error); // NULL: see *error

// *index: what results_write wants, 0, 1, ... in the order of the calls.
mc_status results_add_table(results *r, const results_table *table, int *index, mc_error *error);

// A table of events whose existence says something: without rows the finished file does not have
// it.
void results_leave_out_empty(results *r, int table);

// A text on the root: version, command, scenario; any length. The same name again replaces it.
// After results_create it reaches the file only by the clean end.
mc_status results_set_text(results *r, const char *name, const char *text, mc_error *error);

// A list of texts, one string each, such as the names of the vehicles. As results_set_text; a list
// of nothing is not written.
mc_status results_set_list(results *r, const char *name, const char *const *words, int64_t count,
                           mc_error *error);

// Makes the file. Rejects the declared rows do not fit the free space of the disk.
mc_status results_create(results *r, mc_error *error);

// One row: column_count values, or vehicle_count times column_count, vehicle by vehicle.
mc_status results_write(results *r, int table, const double *row, mc_error *error);

mc_status results_flush(results *r, mc_error *error);  // what waits, now
mc_status results_finish(results *r, mc_error *error); // the clean end, interrupted or not
void results_free(results *r);                         // NULL is allowed
