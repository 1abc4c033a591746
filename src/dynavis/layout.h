// layout.h - the meaning of the numbers in a line of a DYNAVIS data file.
//
// One walk over the fields of a line serves reader, writer and messages:
//
//     dynavis_walk walk = dynavis_walk_begin(params, car_count);
//     for (dynavis_slot slot; dynavis_walk_next(&walk, &slot);)
//         ... slot.field of car or lane slot.index ...
//
// A reader that meets DYNAVIS_CAR_COUNT sets walk.car_count before it continues.
#pragma once

#include "motorcade/dynavis.h"

typedef enum dynavis_field {
    DYNAVIS_CAR_COUNT,
    DYNAVIS_TIME,
    DYNAVIS_TIME_HEADWAY,  // of a lane
    DYNAVIS_FIXED_HEADWAY, // of a lane
    DYNAVIS_ID,            // from here: of a car
    DYNAVIS_X,
    DYNAVIS_DISTANCE, // to the car in front, instead of x
    DYNAVIS_Y,
    DYNAVIS_V_X,
    DYNAVIS_V_Y,
    DYNAVIS_A,
    DYNAVIS_JERK,
    DYNAVIS_FIELD_COUNT
} dynavis_field;

extern const mc_param dynavis_fields[DYNAVIS_FIELD_COUNT]; // name in messages, unit, range

// Copies of leaders have the leader's id and this for each lane; 2e9 + 2000 still fits an int.
enum { DYNAVIS_COPY_STEP = 1000 };

typedef struct dynavis_slot {
    dynavis_field field;
    int index; // car or lane, from 0
} dynavis_slot;

typedef struct dynavis_walk {
    const mc_dynavis_params *params;
    int car_count;
    int field, index; // what is looked at next
} dynavis_walk;

dynavis_walk dynavis_walk_begin(const mc_dynavis_params *params, int car_count);
bool dynavis_walk_next(dynavis_walk *walk, dynavis_slot *slot);
enum { DYNAVIS_SLOT_SIZE = 64 };
// "acceleration of car 3", "time headway of lane 2", "time"; returns buffer.
const char *dynavis_slot_text(dynavis_slot slot, char buffer[DYNAVIS_SLOT_SIZE]);

int dynavis_slot_count(const mc_dynavis_params *params, int car_count); // numbers on a line

static inline bool dynavis_on(const mc_dynavis_params *params, enum mc_dynavis_param item)
{
    return params->value[item] != 0.0;
}

static inline int dynavis_lanes(const mc_dynavis_params *params)
{
    return (int)params->value[MC_DYNAVIS_PARAM_LANES];
}

// Of car `index` (from 0) of a line of car_count cars.
int dynavis_platoon(const mc_dynavis_params *params, int car_count, int index); // from 0
bool dynavis_is_first(const mc_dynavis_params *params, int car_count, int index);
bool dynavis_is_copy(const mc_dynavis_params *params, int car_count, int index); // not in the file

double dynavis_centre(int lane); // m, of lane 0, 1, 2
// m, from where the y of a platoon (from 0) counts in the file.
double dynavis_y_origin(const mc_dynavis_params *params, int platoon);
