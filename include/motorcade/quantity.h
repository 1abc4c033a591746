// quantity.h - the quantities of a vehicle at an instant: one table of names, units and meanings.
//
// Columns of results files and CSV files, fields of the studio's frames, reports and plots take
// their names from here. A vehicle kind can add more with its channels (vehicle_model.h).
//
// Threads: the table is constant; any thread may read it.
#pragma once

#include "motorcade/begin.h"

typedef enum mc_field {
    // Fields of the studio's frames, in their order (docs/protocol.md).
    MC_FIELD_MIDDLE,
    MC_FIELD_Y,
    MC_FIELD_PSI,
    MC_FIELD_V,
    MC_FIELD_A,
    MC_FIELD_JERK,
    MC_FIELD_TARGET,
    MC_FIELD_THROTTLE,
    MC_FIELD_BRAKE,
    MC_FIELD_STEER,
    MC_FIELD_N,
    MC_FIELD_FUEL,
    MC_FIELD_ENERGY,
    MC_FIELD_GAP,
    MC_FIELD_A_DESIRED,
    MC_FIELD_MILEAGE,
    MC_FIELD_ESTIMATE,
    MC_FIELD_YAW_RATE,
    MC_FIELD_SIDE_SLIP,
    MC_FIELD_A_Y,
    MC_FIELD_LANE,
    MC_FIELD_PATH,
    MC_FIELD_BLIND_SPOT,
    MC_FIELD_FRAME_COUNT,
    // Only in files: frames have the middle of the car and its target instead.
    MC_FIELD_X = MC_FIELD_FRAME_COUNT,
    MC_FIELD_SPACING_ERROR,
    MC_FIELD_ESTIMATE_BAND,
    MC_FIELD_CHECKED_IN, // frames have bits of the status instead
    MC_FIELD_WARNINGS,
    MC_FIELD_COUNT
} mc_field;

typedef struct mc_field_info {
    const char *name, *unit, *doc; // unit: "-" for a pure number
} mc_field_info;
extern const mc_field_info mc_field_table[MC_FIELD_COUNT];

mc_field mc_field_find(const char *name); // also of 0.1; MC_FIELD_COUNT: unknown

#include "motorcade/end.h"
