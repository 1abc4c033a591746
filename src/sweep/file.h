// file.h - the file of a sweep, read: head and rows. sweep.h says what is in it.
#pragma once

#include "sweep/plan.h"

typedef struct sweep_file {
    arena memory;
    sweep_plan plan; // of its head
    bool complete;   // a table
    char *text;      // all of it
    size_t size;
    size_t good;    // bytes up to the end of the last whole row
    size_t *offset; // of the row of each run; 0: there is none
    int *length;    // with its newline
    int row_count;
} sweep_file;

// A journal may end in a partial row: it is left out of `good`. Freed also on failure.
mc_status sweep_file_read(sweep_file *f, const char *path, mc_error *error);
void sweep_file_free(sweep_file *f);

// The last value of a row, which shows whether the others were changed: eight digits, made from the
// bytes in front of its comma.
unsigned sweep_row_check(const char *row, int length);

// The next value of a row, unquoted, in place; *row moves on. NULL at the end.
char *sweep_next_value(char **row);
