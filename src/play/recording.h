// recording.h - inside of mc_recording, shared by the files of this folder.
#pragma once

#include "base/arena.h"
#include "motorcade/collisions.h"
#include "motorcade/dynavis.h"
#include "motorcade/observe.h"
#include "motorcade/record.h"
#include "record/csv.h"
#include "record/record.h"

enum {
    PLAY_CHANNELS = 128, // of all kinds of vehicles together
    PLAY_FIELDS = MC_FIELD_COUNT,
};

typedef enum play_table { PLAY_MOTION, PLAY_POSE, PLAY_ENERGY, PLAY_TABLES } play_table;

typedef struct play_columns { // of motion: fields, then channels
    results_column *column;
    int count, fields; // columns, and how many of them are fields
    mc_field field[PLAY_FIELDS];
} play_columns;

typedef struct play_late { // a vehicle that joined later
    const char *name, *model, *controller;
    int now;              // its number in the run now; -1: it has left
    play_columns columns; // of its CSV file: those of all, then further channels
    int *channel_of;
    double *row;
    double fuel;         // kg, in the last row
    record_csv *csv;     // NULL: none
    mc_figures *figures; // of it alone, while it is present; NULL: none
} play_late;

typedef struct play_impact { // an impact of the run as it was last seen
    mc_impact impact;        // in the plane; a, b as the file counts vehicles and obstacles
    double time;             // s
    const char *name[2];     // of the two
} play_impact;

struct mc_recording {
    mc_run *run;
    mc_record_output output;
    arena memory;
    int count;           // vehicles
    const char **names;  // of the vehicles that are recorded
    int *now;            // by vehicle: its number in the run now; -1: it has left
    int version;         // of the run, that `now` belongs to
    double every, end;   // s, between rows; of the scenario it began with
    long long size_from; // step from which on steps have their present size
    long long stride;    // steps between rows
    long long last;      // step with which it ends
    bool resumed;
    const char *ended;
    char why[512];

    // source.c
    play_columns columns;
    int *channel_of; // [vehicle][column]: the channel of a vehicle that a column is; -1: none
    double *fuel;    // kg, by vehicle, in the last row
    record_table tables[PLAY_TABLES];
    record *record;

    // Impacts of the run now, and those of vehicles and obstacles that are no longer there.
    play_impact *seen;
    mc_impact *gone;
    const char *(*gone_names)[2];
    int seen_count, seen_room, gone_count, gone_room;
    int settled;      // of those seen: nothing is added to them any more
    int seen_version; // of the run, that they belong to
    mc_collision *gone_collisions;
    int gone_collision_count;
    double gone_energy; // J, that contacts took

    double *figure_columns;
    mc_figures *figures;
    mc_conditions *expects, *stops;
    const char **expect_lines, **stop_lines; // the formulas
    int expect_count, stop_count;

    // files.c
    int figure_table, run_table;
    int impacts_written, events_written;
    record_csv **csv; // one per vehicle; NULL: none
    int joined_table; // of figures
    play_late *late;
    int late_count, late_room;
    mc_dynavis_writer *dynavis; // NULL: none
    mc_dynavis_car *frame_cars;
    bool *follower;    // by vehicle
    int dynavis_lanes; // platoons of the file
    // By vehicle of the run now: ids of a file of one platoon, which contains the cars present.
    int *dynavis_ids, dynavis_room;
    const char **joined; // names of the cars that joined later, in that order
    int joined_count, joined_room;
};

// recording.c: which vehicle of the recording one of the run is, by its number there and its name:
// those of the start come first, then the late ones; -1: it is none of them.
int play_vehicle(const mc_recording *rec, int vehicle, const char *name);
