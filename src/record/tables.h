// tables.h - the tables that results files of all kinds share: their columns, and rows of them.
//
// A row is a struct of doubles in the order of the columns. Vehicles are counted from 0 everywhere;
// their names are the list `vehicle_names` of the file. Vehicles that joined later have numbers
// from RECORD_JOINED on, and their names are the list `joined_names`: the numbers after those of
// the first vehicles are those of obstacles.
#pragma once

#include "hdf5/results.h"
#include "motorcade/impact.h"
#include "motorcade/quantity.h"

// ---- time ----

extern const results_column record_time_columns[1];

// ---- motion: of vehicles, quantities of mc_field_table; then what a kind of vehicle shows ----

results_column record_field_column(mc_field field);

// ---- pose: an mc_pose ----

enum { RECORD_POSE_COLUMNS = 24 };
extern const results_column record_pose_columns[RECORD_POSE_COLUMNS];

void record_put_pose(const mc_pose *pose, double *row);

// ---- energy ----

enum { RECORD_ENERGY_COLUMNS = 18 };
extern const results_column record_energy_columns[RECORD_ENERGY_COLUMNS];

// momentum, road_impulse: N s.
void record_put_energy(const mc_energy *energy, const double momentum[3],
                       const double road_impulse[3], double *row);

enum { RECORD_JOINED = 1000000 };

// ---- vehicles: one row that does not change ----

enum { RECORD_VEHICLE_COLUMNS = 9 };
extern const results_column record_vehicle_columns[RECORD_VEHICLE_COLUMNS];

typedef struct record_vehicle {
    double platoon, place, lane;  // platoon -1: none; place 0: its first; lane 0: the leftmost
    double length, width, height; // m
    double middle;                // m, of its box ahead of the mass centre
    double mass;                  // kg
    double deformable;            // 0, 1
} record_vehicle;

void record_put_vehicle(const record_vehicle *vehicle, double *row);

// joined_vehicles: a row of each vehicle that joined, with the time of its first step.
enum { RECORD_JOINED_COLUMNS = RECORD_VEHICLE_COLUMNS + 1 };

// ---- impacts and events: one row each ----

enum { RECORD_IMPACT_COLUMNS = 19, RECORD_EVENT_COLUMNS = 4 };
extern const results_column record_impact_columns[RECORD_IMPACT_COLUMNS];
extern const results_column record_event_columns[RECORD_EVENT_COLUMNS];

// a, b: the vehicles as the file counts them.
void record_put_impact(const mc_impact *impact, int a, int b, double *row);

typedef struct record_event {
    double t;       // s
    double kind;    // number of its line in the list `event_kinds`
    double vehicle; // -1: the roadway
    double value;   // it was set to
} record_event;

void record_put_event(const record_event *event, double *row);
