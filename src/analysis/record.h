// record.h - inside of mc_recording, shared by record.c and record_files.c.
#pragma once

#include "base/arena.h"
#include "io/results.h"
#include "io/table_text.h"
#include "motorcade/dynavis.h"
#include "motorcade/record.h"

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
    mc_dynavis_writer *dynavis; // NULL: none
    mc_dynavis_car *frame_cars;
};

// record.c: the number in the recording of a vehicle, by its number in the run and its name; -1: it
// has none.
int record_vehicle(const mc_recording *rec, int vehicle, const char *name);
// record.c: will nothing be added to an impact any more?
bool record_impact_over(const mc_recording *rec, int impact);

// record_files.c
mc_status record_open_files(mc_recording *rec, mc_error *error);
mc_status record_write_row(mc_recording *rec, mc_error *error);
mc_status record_close_files(mc_recording *rec, bool keep, mc_error *error);
