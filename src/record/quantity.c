// quantity.c - the table of what is known of a vehicle.
#include "motorcade/quantity.h"

#include "base/renamed.h"

#include <string.h>

const mc_field_info mc_field_table[MC_FIELD_COUNT] = {
    [MC_FIELD_X] = {"x", "m", "mass centre along the road"},
    [MC_FIELD_Y] = {"y", "m", "mass centre to the left of the middle of the leftmost lane"},
    [MC_FIELD_PSI] = {"psi", "rad", "heading, from the road to the left"},
    [MC_FIELD_V] = {"v", "m/s", "speed along the heading"},
    [MC_FIELD_A] = {"a", "m/s^2", "acceleration along the heading"},
    [MC_FIELD_JERK] = {"jerk", "m/s^3", "change of a over the last control step"},
    [MC_FIELD_THROTTLE] = {"throttle", "-", "0 closed, 1 open"},
    [MC_FIELD_BRAKE] = {"brake", "-", "share of the maximum brake force"},
    [MC_FIELD_STEER] = {"steer", "rad", "angle of the steered wheels, left positive"},
    [MC_FIELD_N] = {"n", "rpm", "engine speed; nan: no engine"},
    [MC_FIELD_GAP] = {"gap", "m", "bumper to bumper to the car in front; nan: none in front"},
    [MC_FIELD_SPACING_ERROR] = {"spacing_error", "m", "gap minus desired gap; nan: none kept"},
    [MC_FIELD_A_DESIRED] = {"a_desired", "m/s^2", "acceleration commanded by the controller"},
    [MC_FIELD_FUEL] = {"fuel", "kg", "fuel burnt since the start; nan: not known"},
    [MC_FIELD_MIDDLE] = {"middle", "m", "middle of the car's box along the road"},
    [MC_FIELD_TARGET] = {"target", "m", "desired place of the middle: middle + spacing_error"},
    [MC_FIELD_ENERGY] = {"energy", "J", "energy of motion and deformation"},
    [MC_FIELD_MILEAGE] = {"mileage", "mpg",
                          "distance per fuel over a moving window, filtered (eq 13)"},
    [MC_FIELD_ESTIMATE] = {"estimate", "-",
                           "result of its estimator, in that one's unit; nan: none"},
    [MC_FIELD_YAW_RATE] = {"yaw_rate", "rad/s", "turning of the car, left positive"},
    [MC_FIELD_SIDE_SLIP] = {"side_slip", "rad",
                            "slip angle at the mass centre: from the heading to the velocity; 0 "
                            "below 0.1 m/s"},
    [MC_FIELD_A_Y] = {"a_y", "m/s^2", "acceleration to the left of the heading"},
    [MC_FIELD_LANE] = {"lane", "-", "lane it is in, 1 is the leftmost; 0: on a ramp"},
    [MC_FIELD_PATH] = {"path", "-", "path of the road; 0: the main road, others are its ramps"},
    [MC_FIELD_ESTIMATE_BAND] = {"estimate_band", "-",
                                "half width of the band around the estimate; nan: none"},
    [MC_FIELD_BLIND_SPOT] = {"blind_spot", "-",
                             "vehicle in its blind spot, from 1 in the order of the scenario; 0: "
                             "none"},
    [MC_FIELD_CHECKED_IN] = {"checked_in", "-", "1: the ERSC drives it; 0: its driver does"},
    [MC_FIELD_WARNINGS] = {"warnings", "-",
                           "sum of 1: blind spot left, 2: blind spot right, 4: in a lane it may "
                           "not use, such as an automated one without check-in"},
};

mc_field mc_field_find(const char *name)
{
    const char *now = renamed_now(name);
    int f = 0;
    while (f < MC_FIELD_COUNT && strcmp(mc_field_table[f].name, now ? now : name) != 0)
        f++;
    return (mc_field)f;
}
