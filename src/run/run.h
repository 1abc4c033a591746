// run.h - inside of mc_run, shared by the files of this folder.
//
// Vehicles stand in slots: batch after batch, in each batch in the order of the scenario. Arrays
// are by slot, so that calls on ranges of a batch read and write them straight. Within a step
// nothing of another car is read but its motion and its messages at the start of the step: cars
// decide in any order, on any thread.
//
// What a step reads and writes of every car (run_car) is kept apart from what it seldom needs
// (run_rare): ten thousand cars then go through the cache and not through memory.
#pragma once

#include "control/avoid.h"
#include "control/lane_change.h"
#include "control/mobil.h"
#include "control/steering_gains.h"
#include "event/event.h"
#include "motorcade/run.h"
#include "run/lane_state.h"
#include "run/mileage.h"
#include "scenario/handle.h"
#include "scenario/scenario.h"
#include "world/world.h"

enum {
    RUN_TILE = 64,            // slots that decide together: a multiple of every lane width
    RUN_LISTEN_MAX = 9,       // cars one car can hear: 8 and the leader
    RUN_LAW_WORK_MAX = 16384, // doubles of working memory for a law
};

typedef enum run_flag {
    RUN_HAND = 1,          // throttle, brake and steer come from outside
    RUN_DRIVER_FILE = 2,   // ... from a file
    RUN_FAULTY = 4,        // a pedal does not work
    RUN_SENSES_BADLY = 8,  // bias, noise or delay of the range sensor
    RUN_HEARS_BADLY = 16,  // radio with delay or loss
    RUN_LISTENS = 32,      // needs the mean over linked cars
    RUN_NO_PEDALS = 64,    // its input is an acceleration
    RUN_FALLEN_BACK = 128, // the radio is silent: its fallback law drives
    RUN_AVOIDS = 256,      // keeps enough room to stop
    RUN_HAS_FALLBACK = 512,
    RUN_HEARS_FRONT = 1024, // by radio
    RUN_OBEYS_SPEED = 2048, // the roadway's speed is its limit
    RUN_HELD = 4096,   // its acceleration is held over a step: that of the middle of the last one
    RUN_PUSHED = 8192, // a disturbance acts on it
    RUN_CATCHES_UP = 16384,   // a leader on its way to the speed of the one it is driven as
    RUN_LED_BY_HAND = 32768,  // it is driven as a leader whose inputs come from outside
    RUN_STEERS = 65536,       // its steering law must be asked, also when it is where it should be
    RUN_CHANGES = 131072,     // it is on its way to another lane
    RUN_DECIDES = 262144,     // it changes lanes when that is to its advantage
    RUN_YIELDS = 524288,      // it makes room for a car that waits
    RUN_WAITS = 1 << 20,      // for room in another lane: path.wait is one
    RUN_RESPONDING = 1 << 21, // to a car that cut in: responds says how
    RUN_SETTLES = 1 << 22,    // it has changed lanes and is not straight in the new one yet
    RUN_CONTENT = 1 << 23,    // ... and is satisfied: it would not brake hard any more
    RUN_ASKED = 1 << 24,      // its desired acceleration comes from outside: rare->asked
    RUN_CALM = 1 << 27,       // it has changed lanes: it may be a hair aside of its lane
    RUN_STEERED = 1 << 28,    // checked in, but its driver steers
    RUN_SHIFTS = 1 << 29,     // the car it follows is shifted: run_shift
} run_flag;

typedef struct run_car { // of one slot
    int front, leader;   // slots; -1: none; a leader is its own
    int controller;      // index; -1: none
    unsigned flags;
    double lane_y;                  // m, middle of its lane
    double nose, tail;              // m, front and rear bumper ahead of the mass centre
    double reach;                   // m, of the range sensor
    double headway, distance;       // s, m, that it keeps
    double v_set, v_set_rate;       // m/s, m/s^2, for the middle of the coming step
    double min_a, max_a;            // m/s^2, what may be asked for
    double v_before, a_before;      // at the start of the last step
    double desired, desired_before; // m/s^2, of the last step and the one before
    inner_state inner;
} run_car;

typedef struct run_message { // what a car sends every step
    double x, v, a, jerk;    // m, m/s, m/s^2, m/s^3
    double u, u_rate; // m/s^2, m/s^3: the acceleration it wants at that instant, and its rate
} run_message;

typedef struct run_heard {
    double step; // number of the step it was sent in; -1: nothing yet
    run_message message;
} run_heard;

typedef struct run_path { // from one lane to another; numbers alone
    int from, to;         // lanes; -1: it keeps its lane
    int wait;             // lane it was sent to and waits for room; -1: none
    int left;             // lane it left last; -1: none
    int breaks;           // its driver sends it, whatever the rules of that lane
    int unused;           // 0: no byte is undefined
    double since;         // s, when it changed lanes last
    lane_curve curve;     // from the middle of lane `to`
} run_path;

typedef enum run_fate { // of a vehicle of the scenario
    RUN_TO_COME,        // its time has not come, or there was no room to enter
    RUN_HERE,
    RUN_GONE, // it left at the end of a road
} run_fate;

// To a car that cut in: not at all; its law asks for more than comfortable braking, or did so in
// the last step.
typedef enum run_response { RUN_AT_EASE, RUN_RESPONDS, RUN_SATISFIED } run_response;

typedef struct run_rare {
    // What is needed of cars that change lanes comes first: two lines of the cache.
    _Alignas(64) int vehicle; // of the scenario
    int lane;
    int responds; // to a car that cut in: run_response
    int exit;     // number of the off-ramp at which it leaves; -1: none
    run_path path;
    int changes; // of lanes, so far
    int cut_ins; // cars that cut in before it, so far
    int platoon, number;
    int leads_as; // of a leader: number of a platoon, from 1; 0: by itself
    int hits;
    bool fallen_back;                 // as noted last
    int profile;                      // -1: none
    double own_v_set;                 // m/s; NAN: the roadway's
    double own_headway, own_distance; // NAN: the roadway's
    double mass;                      // kg, nominal
    double station;                   // m, behind the leader when all cars of the platoon touch
    fault_state fault;                // with its sensor and radio
    run_ordered ordered;
    run_ersc ersc;
    run_shift shift;
    double pushed; // J, work of forces from outside
    double user[8];
    mc_inputs hand;
    double asked;               // m/s^2, desired acceleration from outside
    int listen[RUN_LISTEN_MAX]; // slots; [0] is the current car in front; then the others
    int listen_count;
    int front_heard; // slot heard[0] belongs to
    run_heard heard[RUN_LISTEN_MAX];
} run_rare;

typedef struct run_road_path { // of a road that is not straight; see where.h
    double length, base;       // m; base: from its stations to x
    bool straight;             // it has no bends
} run_road_path;

typedef struct run_place { // of a car in a lane; see order.h
    int slot, lane;
} run_place;

typedef struct run_beside { // slots; -1: none
    int front[2], rear[2];  // in the lanes to the left and to the right
    int behind;             // in its own
} run_beside;

typedef struct run_hints { // places of the order where a car looked last: left, right, its own lane
    int at[3];
} run_hints;

typedef struct run_led { // a leader that is driven as another one
    int slot, source;
} run_led;

typedef struct run_forced { // a car under a force from outside
    int slot;
    double size; // N, in the present piece of the step
    bool held;   // it stands, and its brake takes the force
} run_forced;

typedef struct run_estimate { // an estimator of a car; numbers alone: its bytes are its state
    int slot, estimator;      // estimator: of the scenario
    int on;                   // 0: held
    int unused;               // 0: no byte is undefined
    double p[ESTIMATOR_PARAM_MAX], state[ESTIMATOR_STATE_MAX];
} run_estimate;

typedef struct run_batch {
    mc_batch *batch;
    int first; // slot of its vehicle 0
} run_batch;

typedef struct run_law { // a compiled law, and where its values stand in x and y
    const law_text *text;
    law *law;
    int used[SIGNAL_COUNT], used_count; // signals it reads
    unsigned needs;                     // run_needs; of a steering law, run_steer_needs
    int look_ahead, min_look_ahead;     // of a steering law, places of these parameters; -1: none
    int state_count, param_count, x_count, y_count, state_at, param_at;
} run_law;

typedef struct run_group { // slots that one law drives
    const run_law *law;    // NULL: no law
    const int *members;    // NULL: first, first + 1, ...
    int first, count;
    // Cars with sensors that work, and a law without states that reads only what they see of the
    // car in front.
    bool plain;
    bool in_line;   // each follows its neighbour
    unsigned flags; // of all together
} run_group;

static inline int run_member(const run_group *g, int m)
{
    return g->members ? g->members[m] : g->first + m;
}
enum { RUN_GROUPS_MAX = 8 }; // of a tile whose cars are taken as they stand

typedef struct run_tile {
    int batch, first, count; // slots first .. first + count - 1
    bool lost;               // a motion is not finite
    bool aside;              // a car that keeps its lane is not in it any more
    // Neighbours with one law: a leader and those who follow it, say. 0: too many of them, or a car
    // has a fallback; laws must be sorted out in each step.
    int group_count;
    bool grouped; // the groups hold
    // Parameters of the inner loop, if every car has a controller and all have the same; else NULL.
    const double *inner;
    bool obeys; // all cars come down to the roadway's speed
    run_group groups[RUN_GROUPS_MAX];
} run_tile;

// The laws of a controller. What a slot's laws remember stands in this order in its law memory.
typedef enum run_side { RUN_LAW, RUN_FALLBACK, RUN_STEERING, RUN_SIDES } run_side;

typedef struct run_controller {
    int law[RUN_SIDES];    // index of run_law; -1: none
    int offset[RUN_SIDES]; // doubles from a slot's law memory to that of the law
    int inner;             // the first of the controllers before it that share its inner loop
} run_controller;

// Commands that make another version, numbered after the events of scenarios.
enum { RUN_EDIT = EVENT_KIND_COUNT, RUN_VERSION, RUN_COMMAND_COUNT };

typedef struct run_logged {
    long long step;              // carried out at its start
    double time;                 // s, of that step
    int kind;                    // event_number, RUN_EDIT, RUN_VERSION
    const char *vehicle, *param; // ""; names, since numbers change with the version
    double value;
    mc_inputs inputs;
    bool asked_for;   // just now: it is not dropped when it cannot be carried out
    bool timed;       // its time counts: the step follows from it when the step's length changes
    const char *file; // that it was read from, and the line there
    int line;         // 0: from no file
} run_logged;

typedef struct run_happened { // an event that was carried out
    long long step;
    double time;
    int kind, vehicle; // up to EVENT_HAPPENED_COUNT; -1: the roadway
    const char *name;  // of the vehicle, as the version of that time has it; ""
    double value;
} run_happened;

typedef struct run_version { // of the scenario, in use from a step on
    long long step;
    mc_scenario *given; // one user of it is this version
    const char *text;   // of the log: the edit that made it; NULL: the first one, or a car joins
    scenario *own;      // as the run was made from it; NULL: `given` itself
} run_version;

// What a run has behind and before it, beside its state; it stays when the version changes.
typedef struct run_past {
    arena memory;    // texts of the log
    run_logged *log; // commands from outside, in order of steps; those to come too
    int log_count, log_capacity;
    run_happened *happened; // since the start
    int happened_count, happened_capacity;
    run_version *versions; // in the order in which they came into use; those to come again too
    int version_count, version_capacity;
    int version;         // in use now
    bool forgiving;      // commands that cannot be carried out are dropped
    bool by_time;        // commands to come keep their times when the step changes
    int dropped;         // so far
    int skipped;         // events of the scenario that commands have ruled out, so far
    char skip_text[256]; // what the last one says
    char unit_text[512]; // why the unit of a controller failed, the last one; "": none did
    unsigned renamed;    // names of 0.1 in commands: bits by base/renamed.h
} run_past;

typedef struct run_name {
    const char *name;
    int vehicle;
} run_name;

typedef enum run_start { // where the vehicles of a run that is made come from
    RUN_AT_START,        // the scenario's places
    RUN_UNDER_WAY,       // a run in progress: adopt.c checks for overlaps
    RUN_RESTORED,        // a snapshot, all of them: nothing has to settle
} run_start;

struct run_pedals;
typedef void run_ask(const struct run_pedals *t, const double *desired, double *asked);
typedef int run_act(const struct run_pedals *t, int from, const double *asked, const mc_plan *plan);
typedef int run_cut_in_four(const mc_run *r, const int slots[4], double asked[4]); // run/cut_in.h
typedef int run_line(const mc_run *r, const run_group *g, int from, double *x);    // run/sense.h
typedef void run_steer_four(const mc_run *r, const int slots[4], const run_law *of,
                            double *x); // run/steer.h

struct mc_run {
    const scenario *s;
    mc_run_options options;
    arena memory;
    mc_world *world;
    road road; // with live edits
    long long step;
    // Time is that of step zero_step and the steps since then: the step may change on the way.
    long long zero_step;
    double zero_time;  // s
    double usual_step; // s, of the scenario
    bool braking_step; // the scenario's braking_step is in use
    bool begun;        // events of this step were carried out
    int carried;       // commands of this step that were carried out
    double next_join;  // s, when the next car joins; HUGE_VAL: none
    mc_run_counts counts;
    unsigned char *fate; // run_fate by vehicle of the version as read
    int fate_count;
    double headway, distance, speed;            // roadway commands now
    bool headway_commanded, distance_commanded; // the least a car may keep; else defaults
    bool speed_commanded;                       // the most an automatic car may drive
    run_rule rules[RUN_RULES_MAX];              // of lanes, by commands
    int rule_count;
    int ersc;       // level; 0: off
    bool ruled;     // lanes have rules, which are looked at in each step
    int platoons;   // numbers in use: those of the scenario, and those that were split off
    bool regrouped; // cars have changed their platoons
    bool shifting;  // the car that some car follows is shifted, or one is to join or leave
    int *members;   // slots, while a platoon is put in order
    double *before; // by event of the scenario: what it changed, for its end

    int count; // slots
    run_batch *batches;
    int batch_count;
    run_tile *tiles;
    int tile_count;
    int *tile_of; // by slot
    // The groups of the tiles hold; a change of order, controller or flags clears it.
    bool grouped;
    bool all_grouped; // ... and those of each tile
    int *slot;        // by vehicle
    run_name *name;   // of the vehicles, in alphabetical order
    run_car *car;
    run_rare *rare;
    const mc_vehicle_facts **facts; // by slot, of its model
    mc_motion *motion;
    struct run_where *where; // by slot, on roads that are not straight; NULL: x is the station
    run_road_path *paths;    // of such a road
    double lap;              // m, length of a main road that is a circuit; 0: it is none
    mc_motion *motion_now;   // the same while an instant of a collision is shown; NULL: never
    mc_inputs *inputs;

    run_line *line, *follow; // the latter for cars that do not follow their neighbours
    run_ask *ask;            // run/pedals.h
    run_act *act;
    run_cut_in_four *respond;
    run_steer_four *steer;
    run_law *laws;
    int law_count;
    run_controller *controllers;
    int law_stride;     // doubles of states and parameters of one car
    double *law_memory; // by slot: states of the law, its parameters, the same of the other sides
    struct run_unit *units; // by slot: units that drive, unit.h; NULL: no controller has one
    struct run_unit *parts; // by slot: units that are powertrains; NULL: no model has one
    bool exchanges;         // vehicles are moved by other programs

    profile_run **profiles;
    int *profile_slots; // slots that follow one
    int profile_slot_count;
    run_led *led; // in order of slots
    int led_count;
    run_forced *forced; // in order of slots
    int forced_count;
    bool forces_change; // in this step: the list is to be made again

    _Atomic int lost; // lowest slot whose law gave no number in this step; count: none
    run_place *order; // sorted, order_count of them; behind 2 count of them room for sorting
    int order_count;
    unsigned char *placed;   // by slot, while places are made
    bool ramps;              // the road has some: cars on their lanes must leave them
    bool traffic;            // a car may decide to change lanes, or waits for room
    run_beside *beside;      // by slot, while cars decide
    int *yields_to;          // by slot: the slot it makes room for
    int *granted;            // slots whose change was granted in this step
    int waiting;             // cars with RUN_WAITS
    run_place *arrived;      // lanes that cars left whose change ended in this step
    int *ahead;              // by slot, while changing cars look ahead
    run_hints *hints;        // by slot
    bool changing;           // a car changes lanes
    struct run_watch *watch; // which cars change, respond, yield: watch.h
    bool ordered;            // `order` has the lanes that every car is in
    bool responding;         // a car responds to another that cut in
    steering_gains *gains;   // by slot, of laws that read them; NULL: none does

    int history_count, history_room; // steps kept; 0: not needed
    run_message *history;            // [step modulo history_count][slot]

    run_estimate *estimates; // of the cars that have one
    int estimate_count, estimate_room;
    int *estimate_of; // by slot: its place among them; -1: none
    int *image_of;    // by slot: the slot of which it is the image; -1: none. NULL: no car is one

    mileage *mileage; // by slot; NULL: not displayed
    int impact_seen;  // impacts counted so far
    scenario *own;    // the scenario with vehicles where they are; NULL: it is used as it is
    run_start start;
    mc_road_piece *grades, *frictions; // of the road, for the public interface
    int grade_count, friction_count;
    run_past past;
    // Of one domain of a larger run (domain/domain.h): called between the decisions and the motion
    // of a step; NULL: the run is whole.
    mc_status (*meet)(void *context, mc_error *error);
    void *meet_context;
    const int *key;  // by slot: number by which noise and losses are drawn; NULL: rare->vehicle
    long long sorts; // times that the order of the cars was made
    const mc_run *replaced; // run that it replaces, while it is built
    const run_past *elders; // whose versions its cars may be on, while it has no past of its own
};

enum { RUN_CHANNELS_MAX = 128 };

// Time of the present step, s.
static inline double run_time(const mc_run *r)
{
    return r->zero_time + (double)(r->step - r->zero_step) * r->s->step;
}

// Number of a car that its noise and losses are drawn by.
static inline unsigned run_key(const mc_run *r, int slot)
{
    return (unsigned)(r->key ? r->key[slot] : r->rare[slot].vehicle);
}

// The lane that a car waits for; -1: none. The flag spares a look at run_rare.
static inline void run_wait_for(mc_run *r, int slot, int lane)
{
    run_car *c = &r->car[slot];
    r->rare[slot].path.wait = lane;
    r->waiting += (lane >= 0) - (c->flags & RUN_WAITS ? 1 : 0);
    c->flags = lane >= 0 ? c->flags | RUN_WAITS : c->flags & ~(unsigned)RUN_WAITS;
}

// How a car responds to another that cut in; the same.
static inline void run_respond(mc_run *r, int slot, run_response how)
{
    run_car *c = &r->car[slot];
    const unsigned all = RUN_RESPONDING | RUN_CONTENT;
    const unsigned flags = how == RUN_AT_EASE     ? 0u
                           : how == RUN_SATISFIED ? all
                                                  : (unsigned)RUN_RESPONDING;
    if ((c->flags & all) == flags)
        return;
    r->rare[slot].responds = (int)how;
    c->flags = (c->flags & ~all) | flags;
}

// A run of a scenario without a past; own: a copy of it that the run frees, or NULL.
mc_run *run_create(const scenario *s, scenario *own, const mc_run_options *options, run_start start,
                   mc_error *error);
// The same with the options of `before`, which it is to replace, and with those of its compiled
// laws that it has too.
mc_run *run_create_after(const mc_run *before, const scenario *s, scenario *own, run_start start,
                         mc_error *error);
// A run with the options of another and nothing else: no past, no vehicles. NULL: no memory.
mc_run *run_create_empty(const mc_run *of, mc_error *error);
// The run becomes `fresh`, which is used up; its past stays.
void run_become(mc_run *r, mc_run *fresh);

// Motions of all vehicles from their batches; speeds of the profiles for the coming step.
void run_read_motions(mc_run *r);
void run_profiles(mc_run *r);
void run_profile_slots(mc_run *r); // who follows one, after a change
mc_status run_name_failure(const mc_run *r, mc_error *error);
