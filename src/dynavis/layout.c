// layout.c - the fields of a line and their order.
#include "dynavis/layout.h"

#include <math.h>
#include <stdio.h>

#define REQUIRED NAN

const mc_param dynavis_fields[DYNAVIS_FIELD_COUNT] = {
    [DYNAVIS_CAR_COUNT] = {"number of cars", "-", REQUIRED, 0, MC_DYNAVIS_CARS_MAX,
                           "cars of this line"},
    [DYNAVIS_TIME] = {"time", "s", REQUIRED, -1e9, 1e9, "of the frame"},
    [DYNAVIS_TIME_HEADWAY] = {"time headway", "s", REQUIRED, 0, 1e3, "desired in the lane"},
    [DYNAVIS_FIXED_HEADWAY] = {"fixed headway", "m", REQUIRED, 0, 1e4, "desired in the lane"},
    [DYNAVIS_ID] = {"id", "-", REQUIRED, 0, 2e9, "identifies the car in all lines"},
    [DYNAVIS_X] = {"longitudinal position", "m", REQUIRED, -1e9, 1e9, "from the start"},
    [DYNAVIS_DISTANCE] = {"distance to the car in front", "m", REQUIRED, -1e6, 1e6,
                          "positive when behind it"},
    [DYNAVIS_Y] = {"lateral position", "m", REQUIRED, -1e4, 1e4, "left is positive"},
    [DYNAVIS_V_X] = {"longitudinal speed", "m/s", REQUIRED, -1e3, 1e3, "along the road"},
    [DYNAVIS_V_Y] = {"lateral speed", "m/s", REQUIRED, -1e3, 1e3, "left is positive"},
    [DYNAVIS_A] = {"acceleration", "m/s^2", REQUIRED, -1e5, 1e5, "along the road"},
    [DYNAVIS_JERK] = {"jerk", "m/s^3", REQUIRED, -1e8, 1e8, "along the road"},
};

int dynavis_platoon(const mc_dynavis_params *params, int car_count, int index)
{
    return index / (car_count / dynavis_lanes(params));
}

bool dynavis_is_first(const mc_dynavis_params *params, int car_count, int index)
{
    return index % (car_count / dynavis_lanes(params)) == 0;
}

bool dynavis_is_copy(const mc_dynavis_params *params, int car_count, int index)
{
    return index > 0 && dynavis_on(params, MC_DYNAVIS_PARAM_SAME_LEADER) &&
           dynavis_is_first(params, car_count, index);
}

double dynavis_centre(int lane)
{
    return lane == 0 ? 0.0 : -MC_DYNAVIS_LANE_WIDTH * lane; // no -0
}

double dynavis_y_origin(const mc_dynavis_params *params, int platoon)
{
    return dynavis_on(params, MC_DYNAVIS_PARAM_RELATIVE_Y) ? dynavis_centre(platoon) : 0.0;
}

int mc_dynavis_lane(double y)
{
    const double lane = ceil(-y / MC_DYNAVIS_LANE_WIDTH - 0.5); // a tie goes to the left
    return lane >= 2.0 ? 3 : lane >= 1.0 ? 2 : 1;
}

// Whether a line has this field, for this car.
static bool is_there(const dynavis_walk *walk, dynavis_field field, int index)
{
    const mc_dynavis_params *p = walk->params;
    const bool relative = dynavis_on(p, MC_DYNAVIS_PARAM_RELATIVE_X);
    switch (field) {
    case DYNAVIS_CAR_COUNT:
        return dynavis_on(p, MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN);
    case DYNAVIS_TIME_HEADWAY:
        return dynavis_on(p, MC_DYNAVIS_PARAM_TIME_HEADWAY_GIVEN);
    case DYNAVIS_FIXED_HEADWAY:
        return dynavis_on(p, MC_DYNAVIS_PARAM_FIXED_HEADWAY_GIVEN);
    case DYNAVIS_ID:
        return dynavis_on(p, MC_DYNAVIS_PARAM_CAR_ID_GIVEN);
    case DYNAVIS_X:
        return !relative;
    case DYNAVIS_DISTANCE:
        return relative && !dynavis_is_first(p, walk->car_count, index);
    case DYNAVIS_Y:
        return dynavis_on(p, MC_DYNAVIS_PARAM_POSITION_Y_GIVEN);
    case DYNAVIS_V_X:
        return dynavis_on(p, MC_DYNAVIS_PARAM_VELOCITY_X);
    case DYNAVIS_V_Y:
        return dynavis_on(p, MC_DYNAVIS_PARAM_VELOCITY_Y);
    case DYNAVIS_A:
        return dynavis_on(p, MC_DYNAVIS_PARAM_ACCELERATION);
    case DYNAVIS_JERK:
        return dynavis_on(p, MC_DYNAVIS_PARAM_JERK);
    default:
        return true; // the time
    }
}

dynavis_walk dynavis_walk_begin(const mc_dynavis_params *params, int car_count)
{
    return (dynavis_walk){.params = params, .car_count = car_count};
}

// Moves to the field behind the one at hand: all lanes of a headway, all fields of a car.
static void step(dynavis_walk *walk)
{
    const bool of_lane =
        walk->field == DYNAVIS_TIME_HEADWAY || walk->field == DYNAVIS_FIXED_HEADWAY;
    if (of_lane && walk->index + 1 < dynavis_lanes(walk->params)) {
        walk->index++;
    } else if (walk->field == DYNAVIS_JERK) {
        walk->field = DYNAVIS_ID;
        walk->index++;
    } else {
        walk->index = walk->field < DYNAVIS_ID ? 0 : walk->index;
        walk->field++;
    }
}

bool dynavis_walk_next(dynavis_walk *walk, dynavis_slot *slot)
{
    for (;; step(walk)) {
        const dynavis_field field = (dynavis_field)walk->field;
        if (field >= DYNAVIS_ID && walk->index >= walk->car_count)
            return false;
        const bool copy =
            field >= DYNAVIS_ID && dynavis_is_copy(walk->params, walk->car_count, walk->index);
        if (!copy && is_there(walk, field, walk->index)) {
            *slot = (dynavis_slot){field, walk->index};
            step(walk);
            return true;
        }
    }
}

int dynavis_slot_count(const mc_dynavis_params *params, int car_count)
{
    dynavis_walk walk = dynavis_walk_begin(params, car_count);
    int count = 0;
    for (dynavis_slot slot; dynavis_walk_next(&walk, &slot);)
        count++;
    return count;
}

const char *dynavis_slot_text(dynavis_slot slot, char buffer[DYNAVIS_SLOT_SIZE])
{
    const char *name = dynavis_fields[slot.field].name;
    if (slot.field >= DYNAVIS_ID)
        snprintf(buffer, DYNAVIS_SLOT_SIZE, "%s of car %d", name, slot.index + 1);
    else if (slot.field >= DYNAVIS_TIME_HEADWAY)
        snprintf(buffer, DYNAVIS_SLOT_SIZE, "%s of lane %d", name, slot.index + 1);
    else
        snprintf(buffer, DYNAVIS_SLOT_SIZE, "%s", name);
    return buffer;
}
