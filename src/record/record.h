// record.h - rows over time into a results file: a source supplies them, this writes them.
//
//     record *r = record_new("run.h5", &source, &error);
//     results_set_text(record_file(r), "scenario", text, &error); // further texts, lists, tables
//     status = record_begin(r, &error);
//     while (...) {
//         record_take(r);                                         // asks the source
//         status = record_write(r, time, &error);
//     }
//     status = record_end(r, "end time reached", &error);
//     record_free(r);
//
// What is recorded is a number of objects: the vehicles of a run, or one mechanism. The source
// names its tables; each has one row per object and instant. In the file they are
// [row][object][column], beside them `time`, and of vehicles also `vehicles`, `impacts` and
// `events` (record/tables.h). Of vehicles that collide there is `contact_motion`, if the source
// says so: rows of single vehicles at instants between the others, with `t`, `vehicle` and the
// columns of all tables, each name once. So files of all kinds are read alike.
//
// Objects may join during the record, if the source says so; they are counted after the
// first ones. They are not in the tables above but in
//     joined_vehicles   a row each, in the order in which they joined: when, and what they are
//     joined_motion     rows as those of contact_motion, at the times of `time`, while present
// and in lists that name them. In tables and in rows of impacts and events, joined object k has the
// number RECORD_JOINED + k. A finished file has these tables only if an object has joined.
//
// The root says by which program and command the file was made:
//     kind        "run", "medusa", "simulate"
//     motorcade   version of the program
//     command     as it was called
//     ended       why it ended; only after record_end
// and the list `vehicle_names` names the objects.
//
// Without a file (path NULL) rows are taken and not written: for who only wants to see them.
//
// One thread. The source and all it points to outlive the record.
#pragma once

#include "hdf5/results.h"
#include "record/tables.h"

typedef struct record_table {
    const char *name;
    const results_column *columns;
    int column_count;
    void (*fill)(void *context, int object, double *row); // column_count values of this instant
} record_table;

typedef struct record_source {
    const char *kind;    // of the file
    const char *command; // NULL: ""
    void *context;       // of the functions
    int object_count;    // at least 1
    const char *const *object_names;
    const record_table *tables; // "motion" first
    int table_count;
    int64_t row_count; // about; at least 1
    // What a vehicle is; NULL: the objects are no vehicles, nothing happens to them.
    void (*vehicle)(void *context, int object, record_vehicle *out);
    bool contacts; // there is contact_motion
    bool joins;    // objects may join
} record_source;

typedef struct record record;

record *record_new(const char *path, const record_source *source, mc_error *error); // NULL: error
results *record_file(record *r); // NULL: there is none

mc_status record_begin(record *r, mc_error *error); // makes the file

// A row of every table, as it is now; record_values then has them.
void record_take(record *r);
const double *record_values(const record *r, int table); // [object][column]
// Writes what was taken.
mc_status record_write(record *r, double time, mc_error *error);

// a, b: the vehicles as the record counts them.
mc_status record_impact(record *r, const mc_impact *impact, int a, int b, mc_error *error);
// An object at an instant of its own, at which the source is now: asks it, and writes the row.
mc_status record_contact(record *r, double time, int object, mc_error *error);
// An object that joins: its number comes after object_count and those that joined before. And its
// row of an instant, before record_write of that instant.
mc_status record_join(record *r, double time, int object, mc_error *error);
mc_status record_joined(record *r, double time, int object, mc_error *error);
int record_number(const record *r, int object); // in the file
mc_status record_happened(record *r, const record_event *event, mc_error *error);

mc_status record_end(record *r, const char *ended, mc_error *error); // the file is complete
void record_free(record *r); // NULL is allowed; without record_end the file stays as it is
