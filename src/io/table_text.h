// table_text.h - a matrix of numbers as text, row by row.
//
//     .asc   the data.asc of MEDUSA: numbers as "%.6e" with one blank between them, one line per
//            row, no header; the digits after the point can be set, 1 to 17
//     .csv   a header line, numbers as "%.17g" (every double reads back as it was), commas; names
//            are quoted where RFC 4180 asks for it; lines end in "\n"
//
// The rows go to a file without a name, a quarter of a megabyte at a time, and the close makes it
// the target in one step (base/file.h). A run that is interrupted closes as usual:
// the rows so far are the file. Not a number is "nan", infinity "inf"; the locale has no say.
//
// Lifetime:
// 1. open -> any number of rows -> close or abandon; both free the table, also when close fails.
// 2. names are needed during open only.
// 3. After a row has failed (disk full) close fails too and leaves the target as it was.
#pragma once

#include "motorcade/status.h"

#include <stdint.h>

typedef struct table_text table_text;

enum { TABLE_TEXT_DIGITS = 6 }; // after the point, in data.asc of the manual

// NULL: see *error. column_count and digits outside their range are MC_BAD_INPUT.
table_text *table_text_open_asc(const char *path, int64_t column_count, int digits,
                                mc_error *error);
table_text *table_text_open_csv(const char *path, int64_t column_count, const char *const *names,
                                mc_error *error);

mc_status table_text_row(table_text *table, const double *values, mc_error *error);
mc_status table_text_close(table_text *table, mc_error *error);
void table_text_abandon(table_text *table);
void table_text_hasty(table_text *table); // close does not wait for the disk (base/file.h)
