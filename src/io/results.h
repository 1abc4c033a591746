// results.h - the results file of a run: HDF5, whole at every moment.
//
// HDF5 itself does not survive a kill, so it is used only while no run is writing. The file is
// made with all its rows declared, closed, and renamed into place; from then on rows are written
// by pwrite at the datasets' places in the file, and after them the count of the rows that are
// there. So any HDF5 reader can open the file at any moment, also after SIGKILL, and finds
// `<table>_rows_valid` right rows. The clean end writes a trimmed, compressed copy under a
// temporary name and renames it over. The case is the death of the process, not of the power.
//
// In the file, for each table (t = its name):
//     /t               double [row][column], or [row][vehicle][quantity] when vehicle_count > 0;
//                      its attributes `columns`, `units`, `doc` are arrays of UTF-8 strings, one
//                      string a column (quantity)
//     /t_rows_valid    int64: rows from the first that are right; what is behind them means
//                      nothing yet. After a clean end it is the number of rows.
//     /t_columns, /t_units, /t_doc   (compressed) string datasets in place of the attributes when
//                      there are more than 2000 columns: an attribute cannot pass 64 kB
// and on the root the texts given by results_set_text, and
//     format           "motorcade results 1"
//     complete         int64: 1 after the clean end, 0 while running and after a kill
//     segment          int64: 0, 1, ...; see below
//     segment_count    int64: number of segments; 0 while not known
//
//     with h5py.File("run.h5") as f:
//         n = min(f["time_rows_valid"][()], f["motion_rows_valid"][()])
//         time, motion = f["time"][:n], f["motion"][:n]
//
// Time is a table or a column like any other. Rows of several tables are counted one table after
// the other: while the run is on, or after a kill, one table may be some rows ahead of another.
//
// More rows than declared
//     Sampled tables: when one is full and gets one more row, all sampled tables go on in the next
//     segment, run.h5 -> run.0001.h5 -> run.0002.h5, each with the rows declared again. Table t of
//     the run is t of all segments, one after the other. The clean end compresses each segment.
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
// 1. new -> add_table, set_text -> create -> write ... -> finish -> free.
// 2. Declarations are copied; nothing of the caller's is kept.
// 3. free without finish writes what waits and leaves the valid, uncompressed file.
// 4. When write fails (disk full) the file holds what was there before. Rows handed in earlier stay
//    in memory, later writes answer the same error, and finish tries once more to write them.
// 5. Finish needs room on the disk for the compressed copy of one segment, and its time (some 50 MB
//    a second). When it fails the uncompressed files are still there, with all rows that could be
//    written. A second signal may kill the process during finish: the same holds, and a file
//    "run.h5.tmp-..." is left over.
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
    const char *unit; // SI, "-" for a pure number; NULL is ""
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

// A text on the root: version, command, scenario; any length. The same name again replaces it.
// After results_create it reaches the file only by the clean end.
mc_status results_set_text(results *r, const char *name, const char *text, mc_error *error);

// Makes the file. Refuses when the declared rows do not fit the free space of the disk.
mc_status results_create(results *r, mc_error *error);

// One row: column_count values, or vehicle_count times column_count, vehicle by vehicle.
mc_status results_write(results *r, int table, const double *row, mc_error *error);

mc_status results_flush(results *r, mc_error *error);  // what waits, now
mc_status results_finish(results *r, mc_error *error); // the clean end, interrupted or not
void results_free(results *r);                         // NULL is allowed
