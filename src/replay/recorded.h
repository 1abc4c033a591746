// recorded.h - a results file as objects, quantities and times.
//
// Files of all kinds (record/record.h) are read alike: the objects are the vehicles of a run or the
// one mechanism of a simulation, their quantities the columns of the tables `motion`, `pose` and
// `energy`. Only `time` and `motion` are required. Where two tables have a quantity of the same
// name, the first is used.
//
// Files of Motorcade 0.1 (format 1) are read too: a medusa run had its pose in `motion` (r1 for x),
// the table of energies had another name, and a simulation had no dimension for its one object.
//
// Vehicles that joined later (record/record.h) come after those of the start. Where they are
// absent, their values are NAN, as those of a vehicle that has left.
//
// Rows are walked through in blocks, so that memory does not grow with the length of the run: all
// that is kept of every row is its time, and where rows of joined vehicles begin.
#pragma once

#include "base/arena.h"
#include "hdf5/results_read.h"

enum { RECORDED_MOTION, RECORDED_POSE, RECORDED_ENERGY, RECORDED_TABLES };

typedef struct recorded_quantity {
    const char *name, *doc;
    const char *unit;      // for readers: "m/s²"; "" when it has none
    const char *file_unit; // as it stands in the file: "m/s^2"
    int table;             // RECORDED_MOTION, ...
    int64_t columns[3];
    int column_count; // 1, or 3: the length of a vector
} recorded_quantity;

typedef struct recorded {
    arena memory;
    const char *path;
    results_reader *file;
    const char *kind;           // "run", "medusa", "simulate"
    int table[RECORDED_TABLES]; // numbers in the file; -1: there is none
    int64_t row_count;
    double *time; // s, row_count, never falling
    int vehicle_count;
    int first_count; // of these, at the start
    // Of the others, in the table of their rows; -1: none has joined.
    int joined_table;
    int64_t joined_rows, *joined_at;       // by row: the first of their rows at its time or later
    int64_t joined_time, joined_vehicle;   // columns
    int64_t *joined_from[RECORDED_TABLES]; // by column of a table: its column there; -1: none
    const char **names;                    // of vehicles; "car 3" where the file has none
    int *platoon;                          // of each vehicle, from 0; -1: none
    int platoon_count;
    recorded_quantity *quantities; // those of motion first
    int quantity_count, motion_count;
    unsigned renamed; // columns that have the names of 0.1: bits by base/renamed.h
} recorded;

mc_status recorded_open(recorded *r, const char *path, mc_error *error);
void recorded_close(recorded *r); // also after a failure

// By the name of today or of 0.1; -1: there is none.
int recorded_find(const recorded *r, const char *quantity);

// The vehicle that a table of the file means by a number; -1: none.
int recorded_vehicle(const recorded *r, double number);

// Words of a list of the file, one per vehicle; missing ones are "". NULL: it has no such list. Of
// vehicles that joined, the list `vehicle_X` continues in `joined_X`.
const char **recorded_words(recorded *r, const char *list, int count);

// Whether the scenario of the file has a key, of itself or (section not NULL) of a section.
bool recorded_scenario_has(const recorded *r, const char *section, const char *key);

// A table of one row per vehicle or of one row alone, its last row: *values is to be freed. False:
// the file has none of that shape, or it cannot be read.
bool recorded_last_row(recorded *r, const char *table, bool of_vehicles,
                       const results_shape **shape, double **values);

// "m/s^2" as "m/s²"; "-" and "1" become "". In the arena, or NULL.
const char *recorded_unit(arena *a, const char *unit);

typedef struct recorded_block {
    int64_t first, count;                  // rows
    const double *time;                    // of these rows
    const double *values[RECORDED_TABLES]; // [row][vehicle][column]; NULL: the table is not read
    int64_t column_count[RECORDED_TABLES];
    int vehicle_first, vehicle_count;
} recorded_block;

typedef mc_status recorded_visit(void *context, const recorded_block *block, mc_error *error);

// Rows first .. first + count - 1 of some vehicles, and of some tables: bits 1 <<
// RECORDED_MOTION...
typedef struct recorded_part {
    int64_t first, count;
    int vehicle_first, vehicle_count;
    unsigned tables;
} recorded_part;

// Calls visit for them, block by block.
mc_status recorded_walk(recorded *r, const recorded_part *part, recorded_visit *visit,
                        void *context, mc_error *error);

// Value of a row of the block; what is not finite is NAN.
double recorded_value(const recorded_block *block, int64_t row, int vehicle,
                      const recorded_quantity *quantity);

// First row at or after a time; row_count when there is none.
int64_t recorded_row_at(const recorded *r, double time);
