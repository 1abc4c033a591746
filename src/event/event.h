// event.h - the kinds of events and what faults do to one car.
//
// A fault is a row: how it reads in a file (event_rows), what it does when it begins, what it will
// put back when it ends. It acts on a fault_state alone; a run asks the state afterwards what the
// car can still do. Commands (from EVENT_SET on) are rows without functions: a run carries them
// out. To add a fault: a word in event_number, its rows in kinds.c.
#pragma once

#include "control/link.h"
#include "control/wave.h"
#include "motorcade/event.h"

#include <stddef.h>

typedef enum event_number {
    EVENT_BRAKE_LOST,     // value: share that is left, 0 if not given
    EVENT_THROTTLE_STUCK, // value: where; NAN: where it is
    EVENT_SENSOR_BIAS,    // value: m, added to the range; shaped
    EVENT_SENSOR_NOISE,   // value: m, standard deviation of the range
    EVENT_RADIO_DELAY,    // value: s
    EVENT_RADIO_LOSS,     // value: probability
    EVENT_PUSH,           // value: m/s^2, on top of what is asked of engine and brake; shaped, see
                          // control/wave.h
    EVENT_FORCE,          // value: N, on the car from outside; shaped, see event_force
    EVENT_FAULT_COUNT,
    EVENT_SET = EVENT_FAULT_COUNT, // param = value: of the vehicle, its law, headway, user1
    EVENT_HEADWAY,                 // roadway command, s
    EVENT_DISTANCE,                // roadway command, m
    EVENT_SPEED,                   // roadway command, m/s
    EVENT_PROFILE,                 // the vehicle takes profile number `value`
    EVENT_CONTROLLER,              // the vehicle takes controller number `value`
    EVENT_ESTIMATOR,               // switch estimator number `value` on; -1: off
    EVENT_DRIVE,                   // hand over to the driver: throttle, brake, steer held
    EVENT_RELEASE,                 // back to the controller
    EVENT_LEADS_AS,                // the leader is driven as that of platoon `value`, from 1; 0: no
    EVENT_LANE,                    // the vehicle goes to lane number `value`, from 1
    EVENT_EXIT,                    // it leaves at ramp number `value`, from 0; -1: at none
    EVENT_DRIVER_LANE,             // its driver steers it there, whatever the rules of the lane
    EVENT_SECTION,                 // roadway: rules of a lane from one station to another; param:
                                   // scenario/section_text.h
    EVENT_ERSC,                    // roadway: level `value` of the ERSC, 0: off
    EVENT_CHECK_IN,                // the vehicle asks to be driven automatically
    EVENT_CHECK_OUT,               // ... to return to its driver
    EVENT_JOIN,                    // the vehicle joins platoon number `value`, from 1
    EVENT_LEAVE,                   // ... leaves its platoon for lane number `value`, from 1
    EVENT_SPLIT,                   // ... leads those behind it, `value` m after the others
    EVENT_MERGE,                   // its platoon follows the one in front of it as one
    EVENT_ACCELERATE,              // its desired acceleration is `value`, m/s^2, not its law's
    EVENT_KIND_COUNT
} event_number;

// What happens by itself in a run; numbered after the kinds. EVENT_ENDS + k: fault k is over.
enum {
    EVENT_RADIO_SILENT = EVENT_KIND_COUNT,
    EVENT_RADIO_BACK,
    EVENT_LANE_BEGINS,        // value: the lane it goes to, from 1
    EVENT_EXIT_MISSED,        // it could not reach its off-ramp; value: its number, from 0
    EVENT_LEAVES,             // at the end of a road; value: its path, 0: the main road
    EVENT_CUT_IN,             // another car cut in before it; value: the gap to it, m
    EVENT_CHECKED_IN,         // value: its lane, from 1
    EVENT_CHECK_IN_REJECTED,  // value: event_rejection
    EVENT_CHECKED_OUT,        // value: its lane, from 1
    EVENT_CHECK_OUT_REJECTED, // value: event_rejection
    EVENT_NOT_CHECKED_IN,     // it flashes; value: the automated lane it enters, from 1
    EVENT_WRONG_LANE,         // value: a lane that it may not use, from 1
    EVENT_LANE_ALLOWED,       // it is not in such a lane any more
    EVENT_BLIND_SPOT,         // it moves towards a car beside it; value: that vehicle, from 1
    EVENT_JOINED,             // value: the platoon, from 1
    EVENT_LEFT,               // value: the platoon, from 1
    EVENT_UNIT_FAILED,        // the FMU of its controller; its law drives from here on
    EVENT_ENDS,
    EVENT_HAPPENED_COUNT = EVENT_ENDS + EVENT_FAULT_COUNT
};

// Why a vehicle is not checked in or out.
typedef enum event_rejection {
    REJECTED_NOT, // it is not rejected
    REJECTED_OFF,
    REJECTED_ALREADY,
    REJECTED_NO_CONTROLLER,
    REJECTED_BRAKE,
    REJECTED_THROTTLE,
    REJECTED_SENSOR,
    REJECTED_HIT,
    REJECTED_RAMP,
    REJECTED_CHANGES,
    REJECTED_OUTSIDE,
    REJECTED_GAP,
    REJECTED_NOT_IN,
    REJECTED_LANE,
    REJECTED_COUNT
} event_rejection;
extern const char *const event_rejections[REJECTED_COUNT]; // "its brakes are faulty", ...

// The name of a kind, or of what happens by itself.
const char *event_name(int number);

static inline bool event_is_roadway(int number)
{
    return number == EVENT_HEADWAY || number == EVENT_DISTANCE || number == EVENT_SPEED ||
           number == EVENT_SECTION || number == EVENT_ERSC;
}

extern const mc_event_kind event_kinds[EVENT_KIND_COUNT];
extern const mc_param event_rows[EVENT_FAULT_COUNT]; // numbers of the faults; fallback: of one
                                                     // that is optional

// A force from outside: its size over time, its direction from the heading to the left, and where
// it acts, from the mass centre, in the axes of the car. As words: those of a wave, then optionally
// "towards A deg", then optionally "at X Y Z m".
typedef struct event_force {
    wave size;        // N
    double direction; // rad
    double at[3];     // m
} event_force;
mc_status event_force_parse(const char *shape, event_force *out, mc_error *error);

// Checks the shape of an event of a kind that has one.
mc_status event_check_shape(int kind, const char *shape, mc_error *error);

// What is wrong with a car now. Numbers alone: its bytes are its state.
typedef struct fault_state {
    double brake_left;     // share of the brake that works
    double throttle_stuck; // NAN: free
    wave push, gap_wave;   // m/s^2 on top of what is asked; m on the gap it measures
    event_force force;     // from outside
    double sensor[SENSOR_PARAM_COUNT], link[LINK_PARAM_COUNT];
} fault_state;

typedef struct fault_act {
    double value;      // of the event; NAN: not given
    const char *shape; // NULL or "": a step
    double now;        // s
    double throttle;   // of the car, 0..1
} fault_act;

typedef struct fault_kind {
    mc_status (*begin)(fault_state *s, const fault_act *act, mc_error *error);
    // What it is about to change, kept for its end: of faults that lie within one another the outer
    // one stays.
    double (*before)(const fault_state *s, const fault_act *act);
    // act->value is what `before` gave. NULL: begin does it.
    mc_status (*end)(fault_state *s, const fault_act *act, mc_error *error);
    // Messages must be kept for that many seconds while it lasts; NULL: none.
    double (*memory)(double value);
    bool pedals; // they do not do what they are told
} fault_kind;
extern const fault_kind event_faults[EVENT_FAULT_COUNT];
