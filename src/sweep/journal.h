// journal.h - the file of a sweep while runs are added to it.
//
// One process at a time: the file is locked (flock) from open to close. Rows are appended by one
// write each, so that a kill leaves whole rows, except possibly the last; the next open removes a
// partial row.
#pragma once

#include "sweep/plan.h"

#include <stdint.h>

typedef struct sweep_journal {
    char *path;
    int fd; // -1: not open
    int64_t size;
    int64_t *offset; // of the row of each run; 0: not done
    int *length;
    int row_count;
    bool complete; // the file is a table: nothing is left to do
    double synced; // s, monotonic clock
    bool unsynced; // rows since
} sweep_journal;

// Creates the file, or resumes one whose head is that of the plan. Closed also on failure.
mc_status sweep_journal_open(sweep_journal *j, const char *path, const sweep_plan *plan,
                             mc_error *error);

// One row, ended by a newline. Not for two threads at once.
mc_status sweep_journal_add(sweep_journal *j, int run, const char *row, int length,
                            mc_error *error);

// The rows in order of run, as a table that takes the place of the journal; when runs of the plan
// are missing, as a journal.
mc_status sweep_journal_sort(sweep_journal *j, const sweep_plan *plan, mc_error *error);

mc_status sweep_journal_sync(sweep_journal *j, mc_error *error);
void sweep_journal_close(sweep_journal *j);
