// csv.h - the rows of one object as a CSV file: t, then its columns.
//
// The file takes its name at the close, whole; see io/table_text.h.
#pragma once

#include "hdf5/results.h"

typedef struct record_csv record_csv;

// NULL: see *error.
record_csv *record_csv_open(const char *path, const results_column *columns, int column_count,
                            mc_error *error);
mc_status record_csv_row(record_csv *csv, double time, const double *values, mc_error *error);
// Ends the file and frees it; without keep a file of that name stays as it was. NULL is allowed.
mc_status record_csv_close(record_csv *csv, bool keep, mc_error *error);
