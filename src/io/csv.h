// csv.h - a table of numbers from a CSV file with a header line.
//
// Commas between values, blanks around them allowed, names of columns optionally in double quotes,
// empty lines and lines that begin with '#' passed over, LF or CRLF. Every row has as many values
// as the header; a value is a number and nothing else (base/text.h), nan and inf are rejected. A
// decimal comma or a semicolon is named in the message.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

typedef struct csv {
    char **names;   // column_count
    double *values; // row_count x column_count
    int *line;      // of each row in the file
    int column_count, row_count;
} csv;

enum { CSV_COLUMN_MAX = 10000, CSV_NAME_MAX = 120 };

mc_status csv_read(arena *a, const char *path, csv *out, mc_error *error);
// The same for bytes in memory, which are changed. name stands for the file in messages.
mc_status csv_parse(arena *a, char *bytes, size_t size, const char *name, csv *out,
                    mc_error *error);
