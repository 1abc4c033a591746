// signal.h - what a control law can know: the names its formulas may use.
//
// Measurements are for the middle of the control step the command will act on: sensing extrapolates
// them by half a step with the measured accelerations, so that holding a command over a step adds
// no delay. Signals of other cars come by radio where the controller's link says so, else by range
// sensor.
#pragma once

#include "motorcade/param.h"

enum law_signal {
    SIGNAL_T,          // s
    SIGNAL_DT,         // s, control step
    SIGNAL_X,          // m
    SIGNAL_V,          // m/s
    SIGNAL_A,          // m/s^2
    SIGNAL_GAP,        // m, bumper to bumper to the car in front; 1e6 when there is none
    SIGNAL_V_FRONT,    // m/s; v when there is none
    SIGNAL_A_FRONT,    // m/s^2, by radio; 0 when there is none
    SIGNAL_U_FRONT,    // m/s^2, desired acceleration of the car in front, by radio
    SIGNAL_GAP_LEADER, // m, to the leader of the platoon, without the cars between
    SIGNAL_V_LEADER,
    SIGNAL_A_LEADER,
    SIGNAL_PLACE,          // -, 0 for the leader, 1, 2, ...
    SIGNAL_POSITION_ERROR, // m, mean over the linked cars: desired minus true distance, forward > 0
    SIGNAL_SPEED_ERROR,    // m/s, mean over the linked cars: their speed minus own
    SIGNAL_HEADWAY,        // s, desired time headway
    SIGNAL_DISTANCE,       // m, desired gap at rest
    SIGNAL_V_SET,          // m/s, speed command
    SIGNAL_V_SET_RATE,     // m/s^2, its rate: acceleration of the profile
    SIGNAL_FRESH,          // -, 1 while the radio of the cars asked for is alive
    SIGNAL_LENGTH,         // m, of the ego vehicle
    SIGNAL_MASS,           // kg, nominal
    SIGNAL_USER_1,         // any unit, user variables user1 .. user8
    SIGNAL_USER_8 = SIGNAL_USER_1 + 7,
    SIGNAL_COUNT
};

// A gap beyond this means no car in front.
#define SIGNAL_GAP_NONE 1e5 // m

typedef struct law_signal_row {
    const char *name, *unit, *doc; // unit "": any
} law_signal_row;
extern const law_signal_row law_signals[SIGNAL_COUNT];
