// scenario.h - a scenario as the user wrote it, read and checked: plain structs.
//
// Everything lives in one arena. Indices refer to the arrays of the same struct; -1: none. NAN: not
// given. Places (line, column) are kept for messages of later checks.
#pragma once

#include "contact/obstacle.h"
#include "control/avoid.h"
#include "control/ersc.h"
#include "control/estimator_formula.h"
#include "control/inner.h"
#include "control/lane_change.h"
#include "control/law.h"
#include "control/link.h"
#include "control/profile.h"
#include "control/steering.h"
#include "parts/tyre_formula.h"
#include "event/event.h"
#include "motorcade/world.h"
#include "road/road.h"
#include "scenario/files.h"
#include "unit/wiring.h"
#include "vehicles/types.h"

typedef struct scenario_place {
    int line, column;
} scenario_place;

typedef struct scenario_model { // of vehicles
    const char *name;
    scenario_place place;
    const mc_vehicle_type *type;
    void *spec;                            // what the type reads into and makes vehicles of
    mc_vehicle_facts facts;                // of the spec
    const char *look;                      // a word of looks.h; "file": its own
    const mc_file *look_file;              // glTF, checked; NULL: none
    const struct scenario_fmu *powertrain; // a unit that gives the force; NULL: none
} scenario_model;

// Words of what units are told. That of a controller: signal k, and signal k in the middle of the
// step at SIGNAL_COUNT + k. That of a powertrain:
enum { SCENARIO_UNIT_WORDS = 2 * SIGNAL_COUNT };
enum scenario_force_word {
    SCENARIO_FORCE_THROTTLE,
    SCENARIO_FORCE_BRAKE,
    SCENARIO_FORCE_V,
    SCENARIO_FORCE_A,
    SCENARIO_FORCE_WORDS
};

typedef struct scenario_fmu { // of FMI, that drives in place of a law
    unit_wiring wiring;
    scenario_place place;
    unsigned long long hash; // of its file and of what is set and connected
    bool law_continues;      // when it fails, the law of the controller drives
} scenario_fmu;

typedef struct scenario_controller {
    const char *name;
    scenario_place place;
    const scenario_fmu *unit;       // NULL: none
    const law_text *law, *fallback; // fallback: when the radio is silent; NULL: none
    double *law_p, *fallback_p;     // of their parameters
    const law_text *steering;       // that keeps it on its path
    double *steering_p;
    double inner[INNER_PARAM_COUNT], link[LINK_PARAM_COUNT], sensor[SENSOR_PARAM_COUNT];
    // Cars listened to by radio: places in the platoon relative to this car (1: the car in front,
    // 2: the next, -1: the car behind), and whether the leader.
    int listen[8], listen_count;
    bool listen_leader;
    bool avoid;               // longitudinal collision avoidance on top of the law
    double headway, distance; // s, m; NAN: the roadway's command
    double v_set;             // m/s; NAN: the roadway's command
    double avoid_p[AVOID_PARAM_COUNT];
    double lane_change[LANE_CHANGE_PARAM_COUNT];
    bool free_lanes; // it changes lanes when that is to its advantage
    bool manual;     // a driver, whom commands of the roadway do not bind
} scenario_controller;

typedef struct scenario_estimator {
    const char *name;
    scenario_place place; // line 0: a method of the library that the file does not mention
    const estimator_kind *kind;
    double *p;              // of its parameters
    estimator_formula *own; // the user's own, freed with the scenario; NULL: of the library
} scenario_estimator;

typedef struct scenario_driver { // what a driver does: held from each row to the next
    const mc_file *file;
    int count;                                  // rows
    const double *t, *throttle, *brake, *steer; // s, -, -, rad
    const struct scenario_driver *next;         // of the same scenario
} scenario_driver;

typedef struct scenario_vehicle {
    const char *name; // unique; "car" with count 3 becomes car1, car2, car3
    scenario_place place;
    int model, controller, profile; // profile: a leader's speed; controller may be -1
    int platoon, number;            // number: place in the platoon, 0 = leader; single: -1, 0
    int leads_as;                   // of a leader: number of a platoon, from 1; 0: by itself
    int lane, path;                 // lane 0 = leftmost; path 0 = the main road; -1: a path that
                                    // an edit took away, and x, y, heading are those of the plane
    double x, y, heading, v;        // m (mass centre), m, rad, m/s
    double headway, distance;       // desired values; NAN: the controller's
    double user[8];
    int estimator;                 // -1: none
    const char *image_of;          // name of a vehicle; NULL: none
    const scenario_driver *driver; // NULL: none
    double from;                   // s, when it joins
    int exit;                      // number of the off-ramp at which it leaves; -1: none
    int source;                    // that it enters from; -1: none
    bool waits;                    // it joins when there is room, as those of a source
    int index;                     // in the scenario as read, whatever part of it a run uses
    bool behind;       // where it joins follows from the car in front of it in its platoon
    bool at_its_speed; // it joins at the speed of that car
    // For a run that continues with another version: the state is carried over, so nothing has to
    // settle at its speed; and its acceleration, m/s^2.
    bool carried;
    double a;
} scenario_vehicle;

typedef struct scenario_source { // of vehicles that enter by flow
    const char *name;
    scenario_place place;
    int first, count; // vehicles of the scenario, in the order in which they enter
    // Arrivals: vehicles per hour; those of the file, which may be set lower; s, between two of
    // them at least; s, first and last.
    double flow, file_flow, min_headway, from, until;
} scenario_source;

// From when on a vehicle never comes: past the end of any run.
#define SCENARIO_NEVER 1e9 // s

typedef struct scenario_event {
    scenario_place place;
    double at, until; // s; until NAN: for good
    event_number kind;
    int vehicle; // -1: the roadway
    const char *param;
    double value;        // in the unit of what it changes; see the kinds
    mc_inputs inputs;    // EVENT_DRIVE
    int order;           // in the file, for events at one instant
    int entry;           // of the list in the file that says so, from 1
    const mc_param *row; // of EVENT_SET: of param; NULL: not in a table
} scenario_event;

typedef struct scenario_check { // a formula of the run's figures, from `expect:` or `stop:`
    const char *formula;
    scenario_place place;
} scenario_check;

typedef struct scenario_obstacle {
    const char *name;
    obstacle o; // x, y, heading: station, offset and angle to the main road
    scenario_place place;
} scenario_obstacle;

enum { SCENARIO_OBSTACLES_MAX = 1000 };
enum { SCENARIO_VEHICLES_MAX = 100000, SCENARIO_EVENTS_MAX = 1000000 };

typedef struct scenario {
    arena memory;
    const char *file, *text; // where it came from, and all of it
    bool in_file;            // file is a path, and the files it names are looked for from there
    bool bundle;             // there alone, by their names without folders
    scenario_file **files;   // that it names, in the order in which they were named first
    int file_count;
    const char *name, *doc;
    unsigned long long seed;
    double end, step, record; // s
    double braking_step;      // s, while a car with an estimator brakes; NAN: step
    road road;
    road_stretch *grades, *frictions; // that it was made of
    road_side *sides;                 // of the frictions
    struct road_formula *profile;     // its height or slope as a formula; NULL: it has grades
    int grade_count, friction_count;
    const struct road_plan *plan; // lines, lanes, ramps; NULL: straight, or from a file
    bool road_file;               // the road is that of a file
    const char *ramp_lines;       // its ramps as a DYNAVIS ramp file; NULL: they are no such
    size_t ramp_lines_size;
    bool paths_kept;                 // of a run under way: a vehicle is still on such a path
    double headway, distance, speed; // roadway commands
    // Commands the file gives are the least a car may keep; else they are defaults.
    bool headway_commanded, distance_commanded;
    bool speed_commanded; // the most an automatic car without a profile may drive; else a default
    struct scenario_ersc {
        int level;      // 0: off
        int controller; // of cars that are checked in; -1: their own
        double p[ERSC_PARAM_COUNT];
    } ersc;
    char *changes;       // what scenario_set changed, one after the other; "": nothing
    size_t changes_size; // its length
    size_t changes_room; // bytes it may take where it is
    double contact_restitution, contact_friction;
    mc_contact_law contact_law;
    double contact_step, contact_rest; // s
    const scenario_obstacle *obstacles;
    int obstacle_count;
    profile *profiles;
    const char **profile_name;
    int profile_count;
    scenario_model *models;
    int model_count;
    tyre_formula **tyres; // the user's own tyre laws, which models point at
    int tyre_count;
    scenario_controller *controllers;
    int controller_count;
    scenario_estimator *estimators; // those of the file, then methods by their own names
    int estimator_count;
    scenario_vehicle *vehicles; // platoon by platoon, leader first
    int vehicle_count, platoon_count;
    scenario_source *sources;
    int source_count;
    double road_end; // m, station of the main road at which vehicles leave; HUGE_VAL: they do not
    bool ramps_end;  // they leave at the ends of off-ramps
    scenario_event *events; // in order of time
    int event_count;
    scenario_check *expects, *stops;
    int expect_count, stop_count;
    const char *log;          // commands of a live run as CSV, for run/log_csv.h; "": none
    scenario_place log_place; // of its first line
    bool log_in_lines;        // its lines are lines of the file; else it stands in quotes
    const char **channels;    // recorded beside the common ones; names
    int channel_count;
    char **warnings;
    int warning_count;
    unsigned renamed;             // names of 0.1 that were read: bits by base/renamed.h
    scenario_place renamed_place; // of the first one in the file; line 0: none is in it
    const char *renamed_warning;  // one for all of them, after the others; NULL: none
} scenario;

// Reads and checks a file; NULL: see *error. Freed by scenario_free.
scenario *scenario_read(const char *path, mc_error *error);
scenario *scenario_parse(const char *text, size_t length, const char *path, mc_error *error);
// The files it names are taken from the folder of path by their names alone.
scenario *scenario_parse_bundle(const char *text, size_t length, const char *path, mc_error *error);
// Another version of a scenario, from its text: files that `of` holds are not opened again.
// under_way: for a run in progress; vehicles may overlap at their starting positions, since they
// have moved.
scenario *scenario_parse_version(const scenario *of, const char *text, size_t length,
                                 bool under_way, mc_error *error);
void scenario_free(scenario *s);

// The first vehicle of a platoon, counted from 0; -1: there is none.
int scenario_leader(const scenario *s, int platoon);
// May the leader `vehicle` be driven as that of a platoon (from 1; 0: by itself)? If not, text says
// why.
bool scenario_may_lead_as(const scenario *s, int vehicle, int platoon, char *text, size_t size);

// Has user-defined tyres compiled, for a run that may; they are interpreted until then.
void scenario_compile_tyres(const scenario *s, expr_compile how);

// Hash of the text and what scenario_set changed; the contents of files are not in it.
unsigned long long scenario_text_hash(const scenario *s);
