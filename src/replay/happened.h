// happened.h - impacts and events of a results file.
#pragma once

#include "motorcade/impact.h"
#include "replay/recorded.h"

enum { RECORDED_ROWS_MAX = 1000000 }; // of impacts or events; those beyond are counted, not read

typedef struct recorded_list {  // a table without vehicles, whole
    const results_shape *shape; // NULL: the file has none
    double *values;             // to be freed
    int64_t row_count;          // read
    int64_t left_out;           // beyond what is read
} recorded_list;

mc_status recorded_list_read(recorded *r, const char *table, recorded_list *out, mc_error *error);
void recorded_list_free(recorded_list *list);
double recorded_list_at(const recorded_list *list, int64_t row, int64_t column); // NAN: no column
int64_t recorded_list_time(const recorded_list *list); // the column of the instants; -1: none

// *impact from a row of `impacts`, a < b; false when it names no two vehicles of the run at a time.
bool recorded_impact(const recorded *r, const recorded_list *impacts, int64_t row,
                     mc_impact *impact);

typedef struct recorded_event {
    double t;    // s
    int kind;    // in the list event_kinds; -1: it is none of them
    int vehicle; // -1: the roadway
    double value;
} recorded_event;

// *event from a row of `events`; false when it has no time. kind_count: of the list.
bool recorded_event_at(const recorded *r, const recorded_list *events, int64_t row,
                       int64_t kind_count, recorded_event *event);
