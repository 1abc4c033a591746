// lane_state.h - what a run keeps of lanes, of the ERSC and of cars that change their platoons.
// Numbers alone: bytes of these are the state.
#pragma once

#include "control/lane_change.h"

enum { RUN_RULES_MAX = 64 };

typedef struct run_rule {              // of a lane on a stretch, by a command; later ones hold
    int lane;                          // from 0
    int use, enter;                    // mc_road_use; -1: as the road says
    int unused;                        // 0: no byte is undefined
    double from, to;                   // m
    double speed, headway, separation; // m/s, s, m; NAN: as the road says
} run_rule;

typedef struct run_ordered {           // what the lane of a car asks of it, at its place
    double speed, headway, separation; // NAN: what the roadway asks
    double limit;                      // m/s^2, by what comes ahead in the lane; HUGE_VAL: none
} run_ordered;

typedef enum run_driver { RUN_DRIVER_MODEL, RUN_DRIVER_HAND, RUN_DRIVER_BY_FILE } run_driver;

enum { RUN_WARNED_LEFT = 1, RUN_WARNED_RIGHT = 2 };

typedef struct run_ersc { // of a car
    int checked_in;
    int flashes;    // it is in a lane that it may not use
    int blind[2];   // slots in its blind spot, left and right; -1: none
    int warned;     // RUN_WARNED_LEFT, ...: it moves towards that car
    int driver;     // run_driver, of a car that is checked in
    int controller; // it had before; -1: none
    int rejections; // of its check-in so far
} run_ersc;

// A car that takes its place in a platoon, or opens a gap, follows a car that is not quite there:
// the one in front, shifted back by a curve that ends at `target`; see join.h.
typedef struct run_shift {
    double target;        // m
    lane_curve curve;     // of the shift, from target
    double d, rate, bend; // m, m/s, m/s^2: now, with the target
    double all, all_rate; // m, m/s: of it and of all cars in front of it in its platoon
    double bump, until;   // m/s^2, step of what is asked that is faded out; s, end of that
    int manoeuvre;        // run_manoeuvre
    int platoon;          // that it joins or has left; -1: none
    int beside;           // 1 + the vehicle behind which it waits to change lanes; 0: none
    int fresh;            // what it follows has just changed: the next step sets `bump`
} run_shift;

typedef enum run_manoeuvre {
    RUN_NO_MANOEUVRE,
    RUN_JOINS_SIDE,
    RUN_JOINS,
    RUN_LEAVES,
    RUN_OPENS // a gap for a car that joins from the side
} run_manoeuvre;
