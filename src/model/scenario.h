// scenario.h - a scenario as the user wrote it, read and checked: plain structs.
//
// Everything lives in one arena. Indices refer to the arrays of the same struct; -1: none. NAN: not
// given. Places (line, column) are kept for messages of later checks.
#pragma once

#include "cars/car.h"
#include "control/avoid.h"
#include "control/inner.h"
#include "control/law.h"
#include "control/link.h"
#include "control/profile.h"
#include "cosserat/model.h"
#include "parts/tyre_formula.h"
#include "parts/tyre_vertical.h"
#include "road/road.h"

typedef struct scenario_place {
    int line, column;
} scenario_place;

typedef enum scenario_kind {
    SCENARIO_POINT,
    SCENARIO_POWERTRAIN,
    SCENARIO_COSSERAT,
    SCENARIO_MULTIBODY,
    SCENARIO_KIND_COUNT
} scenario_kind;
extern const char *const scenario_kind_names[SCENARIO_KIND_COUNT];

typedef struct scenario_model { // a type of car
    const char *name;
    scenario_place place;
    scenario_kind kind;
    car car;                 // point and powertrain; length, width, limits and powertrain of all
    cosserat_model cosserat; // cosserat; its drive, tyre and powertrain also of multibody
    const char *mechanism;   // multibody: path of the mechanism's file, from the working directory
    double vertical[VERTICAL_PARAM_COUNT]; // multibody: tyres across the road
} scenario_model;

typedef struct scenario_controller {
    const char *name;
    scenario_place place;
    const law_text *law, *fallback; // fallback: when the radio is silent; NULL: none
    double *law_p, *fallback_p;     // of their parameters
    double inner[INNER_PARAM_COUNT], link[LINK_PARAM_COUNT], sensor[SENSOR_PARAM_COUNT];
    // Who is listened to by radio: places relative to the own one in the platoon (1: the car in
    // front, 2: the next, -1: the car behind), and whether the leader.
    int listen[8], listen_count;
    bool listen_leader;
    bool avoid;               // longitudinal collision avoidance on top of the law
    double headway, distance; // s, m; NAN: the roadway's command
    double v_set;             // m/s; NAN: the roadway's command
    double avoid_p[AVOID_PARAM_COUNT];
} scenario_controller;

typedef struct scenario_vehicle {
    const char *name; // unique; "car" with count 3 becomes car1, car2, car3
    scenario_place place;
    int model, controller, profile; // profile: a leader's speed; controller may be -1
    int platoon, number;            // number: place in the platoon, 0 = leader; single: -1, 0
    int lane;                       // 0 = leftmost
    double x, y, heading, v;        // m (mass centre), m, rad, m/s
    double headway, distance;       // own wishes; NAN: the controller's
    double user[8];
    const char *driver_file; // CSV with t, throttle, brake, steer; NULL: none
    double from;             // s: it is not there before
    bool behind;             // where it joins follows from the car in front of it in its platoon
    bool at_its_speed;       // it joins at the speed of that car
    // Of a run that goes on with another version: its state is carried over, so that nothing has to
    // settle for its speed; and its acceleration, m/s^2.
    bool carried;
    double a;
} scenario_vehicle;

typedef enum scenario_event_kind {
    EVENT_BRAKE_LOST,     // value: share that is left, 0 if not given
    EVENT_THROTTLE_STUCK, // value: where; NAN: where it is
    EVENT_SENSOR_BIAS,    // value: m, added to the range; param: its shape
    EVENT_SENSOR_NOISE,   // value: m, standard deviation of the range
    EVENT_RADIO_DELAY,    // value: s
    EVENT_RADIO_LOSS,     // value: probability
    EVENT_PUSH,       // value: m/s^2, as a force on the car; param: its shape, see control/wave.h
    EVENT_SET,        // param = value: of the vehicle (mass), its law (k1), headway, user1
    EVENT_HEADWAY,    // roadway command, s
    EVENT_DISTANCE,   // roadway command, m
    EVENT_SPEED,      // roadway command, m/s
    EVENT_PROFILE,    // the vehicle takes profile number `value`
    EVENT_CONTROLLER, // the vehicle takes controller number `value`
    EVENT_DRIVE,      // hand over to the driver: throttle, brake, steer held
    EVENT_RELEASE,    // back to the controller
    EVENT_KIND_COUNT
} scenario_event_kind;
extern const char *const scenario_event_names[EVENT_KIND_COUNT];

typedef struct scenario_event {
    scenario_place place;
    double at, until; // s; until NAN: for good
    scenario_event_kind kind;
    int vehicle; // -1: the roadway
    const char *param;
    double value;     // in the unit of what it changes; see the kinds
    mc_inputs inputs; // EVENT_DRIVE
    int order;        // in the file, for events at one instant
} scenario_event;

typedef struct scenario_check { // a formula of the run's figures, from `expect:` or `stop:`
    const char *formula;
    scenario_place place;
} scenario_check;

enum { SCENARIO_VEHICLES_MAX = 100000, SCENARIO_EVENTS_MAX = 1000000 };

typedef struct scenario {
    arena memory;
    const char *file, *text; // where it came from, and all of it
    const char *name, *doc;
    unsigned long long seed;
    double end, step, record; // s
    road road;
    const road_stretch *grades, *frictions; // that it was made of
    int grade_count, friction_count;
    double headway, distance, speed; // roadway commands
    // Commands the file gives are the least a car may keep; else they are defaults.
    bool headway_commanded, distance_commanded;
    bool speed_commanded; // the most an automatic car without a profile may drive; else a default
    const char *changes;  // what scenario_set changed, one after the other; "": nothing
    double contact_restitution, contact_friction;
    profile *profiles;
    const char **profile_name;
    int profile_count;
    scenario_model *models;
    int model_count;
    tyre_formula **tyres; // the user's own tyre laws, which models point at
    int tyre_count;
    scenario_controller *controllers;
    int controller_count;
    scenario_vehicle *vehicles; // platoon by platoon, leader first
    int vehicle_count, platoon_count;
    scenario_event *events; // in order of time
    int event_count;
    scenario_check *expects, *stops;
    int expect_count, stop_count;
    const char **channels; // recorded beside the common ones; names
    int channel_count;
    char **warnings;
    int warning_count;
} scenario;

// Reads and checks a file; NULL: see *error. Freed by scenario_free.
scenario *scenario_read(const char *path, mc_error *error);
scenario *scenario_parse(const char *text, size_t length, const char *path, mc_error *error);
// The same of a version for a run that is under way: vehicles may overlap where they stood at the
// start, since they are elsewhere by now.
scenario *scenario_parse_version(const char *text, size_t length, const char *path,
                                 mc_error *error);
void scenario_free(scenario *s);
