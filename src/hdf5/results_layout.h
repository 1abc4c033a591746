// results_layout.h - where things are in a results file: all that knows HDF5.
//
// results.c decides what is written when; here are the two ways to make a file of the layout that
// results.h describes: declared (rows not yet written, at known places) and packed (rows given,
// compressed). Both write to fd, an empty file open for reading and writing that the caller names
// into place; name, its final name, is for messages. Nothing is printed.
#pragma once

#include "hdf5/results.h"

typedef struct results_text {
    char *name, *text;
} results_text;

typedef struct results_list {
    char *name;
    char **words;
    int64_t count; // at least 1
} results_list;

typedef struct results_head { // what the root carries
    const results_text *texts;
    int text_count;
    const results_list *lists;
    int list_count;
    int64_t segment;
    int64_t segment_count; // 0: not known
    bool complete;
} results_head;

typedef struct results_place { // one table in one file
    const results_table *table;
    int64_t row_count;    // rows in this file, whatever table->row_count says
    int64_t rows_offset;  // bytes from the start of the file; filled by results_layout_declare
    int64_t count_offset; // the int64 of <table>_rows_valid
} results_place;

// Bytes of a row; false when the size of row_count rows cannot be counted in 62 bits.
bool results_layout_size(const results_table *table, int64_t row_count, int64_t *row_bytes,
                         int64_t *bytes);

mc_status results_layout_declare(int fd, const char *name, const results_head *head,
                                 results_place *places, int place_count, mc_error *error);

// Fills out with count rows of a table from row first on.
typedef mc_status results_source(void *context, int place_index, int64_t first, int64_t count,
                                 double *out, mc_error *error);

mc_status results_layout_pack(int fd, const char *name, const results_head *head,
                              const results_place *places, int place_count, results_source *source,
                              void *context, mc_error *error);

bool results_layout_is_ours(const char *path); // an HDF5 file of any of our formats
