// record.h - inside of mc_recording, shared by record.c and record_files.c.
#pragma once

#include "base/arena.h"
#include "io/results.h"
#include "io/table_text.h"
#include "motorcade/dynavis.h"
#include "motorcade/record.h"

typedef struct record_late { // a vehicle that joined later: in no table, but it has a CSV file
    const char *name;
    int now; // its number in the run now; -1: it is not there
    results_column *columns;
    int column_count;
    double *row; // t and the columns
    table_text *csv;
} record_late;

struct mc_recording {
    mc_run *run;
    mc_record_output output;
    arena memory;
    int count;                // vehicles
    const char **names;       // of the vehicles that are recorded
    int *now;                 // by vehicle: its number in the run now; -1: it is not there
    int version;              // of the run, that `now` belongs to
    const struct scenario *s; // that it began with
    double every;             // s, between rows
    long long stride;         // steps between rows
    long long last;           // step with which it ends
    bool resumed;
    const char *ended;
    char why[512];

    results_column *columns; // of the motion table
    int column_count;
    double *row; // [vehicle][column]
    int *front;  // by vehicle, as the figures know it
    double *figure_columns;
    mc_figures *figures;
    mc_conditions *expects, *stops;

    results *results;
    int time_table, motion_table, event_table, impact_table, figure_table, run_table;
    int impacts_written, events_written;
    double impact_time; // s, of the last one written
    table_text **csv;   // one a vehicle; NULL: none
    double *csv_row;
    record_late *late;
    int late_count, late_room;
    mc_dynavis_writer *dynavis; // NULL: none
    mc_dynavis_car *frame_cars;
};

// record.c: the number in the recording of a vehicle, by its number in the run and its name; -1: it
// has none.
int record_vehicle(const mc_recording *rec, int vehicle, const char *name);
// record.c: the columns of the motion table, and behind them the other channels of a vehicle that
// the scenario wants. NULL: no memory.
results_column *record_columns(mc_recording *rec, int vehicle, int *count);
// record.c: a vehicle of the run as a row of such columns; -1: it is not there.
void record_fill(const mc_recording *rec, int vehicle, const results_column *columns, int count,
                 double *row);
// record.c: will nothing be added to an impact any more?
bool record_impact_over(const mc_recording *rec, int impact);

// record_files.c
mc_status record_open_files(mc_recording *rec, mc_error *error);
mc_status record_write_row(mc_recording *rec, mc_error *error);
mc_status record_meet_late(mc_recording *rec, mc_error *error); // after another version: CSV files
mc_status record_close_files(mc_recording *rec, bool keep, mc_error *error);
