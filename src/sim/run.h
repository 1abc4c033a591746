// run.h - inside of mc_run, shared by the files run_*.c.
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
#include "control/wave.h"
#include "model/scenario.h"
#include "motorcade/run.h"
#include "sim/mileage.h"
#include "sim/scenario.h"
#include "sim/world.h"

enum {
    RUN_TILE = 64,            // slots that decide together: a multiple of every lane width
    RUN_LISTEN_MAX = 9,       // cars one car can hear: 8 and the leader
    RUN_LAW_WORK_MAX = 16384, // doubles a law may need to run
};

#define RUN_G 9.80665 // m/s^2, the unit of a car file's limits

typedef enum run_flag {
    RUN_HAND = 1,          // throttle, brake and steer come from outside
    RUN_DRIVER_FILE = 2,   // ... from a file
    RUN_FAULTY = 4,        // a pedal does not work
    RUN_SENSES_BADLY = 8,  // bias, noise or delay of the range sensor
    RUN_HEARS_BADLY = 16,  // radio with delay or loss
    RUN_LISTENS = 32,      // needs the mean over linked cars
    RUN_POINT = 64,        // has no pedals
    RUN_FALLEN_BACK = 128, // the radio is silent: its fallback law drives
    RUN_AVOIDS = 256,      // keeps enough room to stop
    RUN_HAS_FALLBACK = 512,
    RUN_HEARS_FRONT = 1024, // by radio
    RUN_OBEYS_SPEED = 2048, // the roadway's speed is its limit
    RUN_HELD = 4096,   // its acceleration is held over a step: that of the middle of the last one
    RUN_PUSHED = 8192, // a disturbance acts on it
} run_flag;

typedef struct run_car { // of one slot
    int front, leader;   // slots; -1: none; a leader is its own
    int controller;      // index; -1: none
    unsigned flags;
    double lane_y;                // m, middle of its lane
    double nose, tail;            // m, front and rear bumper ahead of the mass centre
    double reach;                 // m, of the range sensor
    double headway, distance;     // s, m, that it keeps
    double v_set, v_set_rate;     // m/s, m/s^2, for the middle of the coming step
    double least, most;           // m/s^2, what may be asked for
    double v_before, a_before;    // at the start of the last step
    double wanted, wanted_before; // m/s^2, of the last step and the one before
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

typedef struct run_rare {
    int vehicle; // of the scenario
    int lane, platoon, number;
    int hits;
    bool fallen_back;                 // as noted last
    int profile;                      // -1: none
    double own_v_set;                 // m/s; NAN: the roadway's
    double own_headway, own_distance; // NAN: the roadway's
    double mass;                      // kg, nominal
    double station;                   // m, behind the leader when all cars of the platoon touch
    double brake_left;                // share of the brake that works
    double throttle_stuck;            // NAN: free
    wave push, gap_wave;              // m/s^2 on the car; m on the gap it measures
    double sensor[SENSOR_PARAM_COUNT], link[LINK_PARAM_COUNT];
    double user[8];
    mc_inputs hand;
    int listen[RUN_LISTEN_MAX]; // slots; [0] is the car in front, whoever that is; then the others
    int listen_count;
    int front_heard; // slot heard[0] belongs to
    run_heard heard[RUN_LISTEN_MAX];
} run_rare;

typedef struct run_batch {
    mc_batch *batch;
    int first; // slot of its vehicle 0
} run_batch;

typedef struct run_law { // a compiled law, and where its values stand in x and y
    const law_text *text;
    law *law;
    int used[SIGNAL_COUNT], used_count; // signals it reads
    unsigned needs;                     // run_needs
    int state_count, param_count, x_count, y_count, state_at, param_at;
} run_law;

typedef struct run_group { // slots that one law drives
    const run_law *law;    // NULL: nobody drives
    const int *members;    // NULL: first, first + 1, ...
    int first, count;
    // Neighbours that drive one behind the other with sensors that work, and a law without states
    // that reads only what such a car sees.
    bool plain;
    unsigned flags; // of all together
} run_group;

static inline int run_member(const run_group *g, int m)
{
    return g->members ? g->members[m] : g->first + m;
}
enum { RUN_GROUPS_MOST = 8 }; // of a tile whose cars are taken as they stand

typedef struct run_tile {
    int batch, first, count; // slots first .. first + count - 1
    bool lost;               // a motion is not finite
    // Neighbours with one controller: a leader and those who follow it, say. 0: too many of them,
    // or somebody has a fallback; laws must be sorted out in each step.
    int group_count;
    run_group groups[RUN_GROUPS_MOST];
} run_tile;

typedef struct run_controller {
    int law, fallback;   // index of run_law; fallback -1: none
    int fallback_offset; // doubles from a slot's law memory to that of its fallback
} run_controller;

// Commands that make another version, numbered after the events of scenarios.
enum { RUN_EDIT = EVENT_KIND_COUNT, RUN_VERSION, RUN_COMMAND_COUNT };

typedef struct run_logged {
    long long step;              // carried out at its start
    double time;                 // s, of that step
    int kind;                    // scenario_event_kind, RUN_EDIT, RUN_VERSION
    const char *vehicle, *param; // ""; names, since numbers change with the version
    double value;
    mc_inputs inputs;
    bool asked_for; // just now: it is not dropped when it cannot be carried out
} run_logged;

// What happens by itself, beside the events of scenarios; numbered after them.
// RUN_FAULT_ENDS + k: the fault of kind k is over.
enum {
    RUN_RADIO_SILENT = EVENT_KIND_COUNT,
    RUN_RADIO_BACK,
    RUN_FAULT_ENDS,
    RUN_HAPPENED_COUNT = RUN_FAULT_ENDS + EVENT_PUSH + 1
};
extern const char *const run_happened_names[RUN_HAPPENED_COUNT - EVENT_KIND_COUNT];

typedef struct run_happened { // an event that was carried out
    long long step;
    double time;
    int kind, vehicle; // scenario_event_kind; -1: the roadway
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
    int version;    // in use now
    bool forgiving; // commands that cannot be carried out are dropped
    bool by_time;   // commands to come keep their times when the step changes
    int dropped;    // so far
} run_past;

typedef struct run_name {
    const char *name;
    int vehicle;
} run_name;

typedef struct run_driver_file { // columns of a table; NULL when the slot has none
    int count;
    double *t, *throttle, *brake, *steer;
} run_driver_file;

typedef enum run_start { // where the vehicles of a run that is made come from
    RUN_AT_START,        // the scenario's places
    RUN_UNDER_WAY,       // a run that goes on: overlaps are looked for by run_adopt.c
    RUN_RESTORED,        // a snapshot, all of them: nothing has to settle
} run_start;

// What the law of a plain group reads, from member number `from` on, a multiple of four: signals in
// the middle of the step and parameters, block after block of four as run_signals_middle has them.
// Lanes behind the last member are as that one. Returns the number of the first member that was not
// done: it ends before a block in which somebody sees nobody, or which would be one car's alone.
typedef int run_line(const mc_run *r, const run_group *g, int from, double *x);
run_line run_line_plain, run_line_avx2;

struct mc_run {
    const scenario *s;
    mc_run_options options;
    arena memory;
    mc_world *world;
    road road; // with live edits
    long long step;
    // Time is that of step zero_step and the steps since then: the step may change on the way.
    long long zero_step;
    double zero_time;                           // s
    bool begun;                                 // events of this step were carried out
    int carried;                                // commands of this step that were carried out
    double next_join;                           // s, when the next car joins; HUGE_VAL: none
    double headway, distance, speed;            // roadway commands now
    bool headway_commanded, distance_commanded; // the least a car may keep; else defaults
    bool speed_commanded;                       // the most an automatic car may drive
    double *before; // by event of the scenario: what it changed, for its end

    int count; // slots
    run_batch *batches;
    int batch_count;
    run_tile *tiles;
    int tile_count;
    bool
        grouped; // the groups of the tiles hold; whoever changes order, controller or flags says no
    int *slot;   // by vehicle
    run_name *name; // of the vehicles, in alphabetical order
    run_car *car;
    run_rare *rare;
    mc_motion *motion;
    mc_inputs *inputs;
    run_driver_file *driver;

    run_line *line;
    run_law *laws;
    int law_count;
    run_controller *controllers;
    int law_stride;     // doubles of states and parameters of one car
    double *law_memory; // by slot: states of the law, its parameters, the same of the fallback

    profile_run **profiles;
    int *profile_slots; // slots that follow one
    int profile_slot_count;

    _Atomic int lost; // lowest slot whose law gave no number in this step; count: none
    int *order;       // slots, lane by lane, from the front; behind them room for sorting

    int history_count, history_room; // steps kept; 0: nobody needs them
    run_message *history;            // [step modulo history_count][slot]

    mileage *mileage; // by slot; NULL: nobody looks
    int impact_seen;  // impacts counted so far
    scenario *own;    // the scenario with vehicles where they are; NULL: it is used as it is
    run_start start;
    mc_road_piece *grades, *frictions; // of the road, for whoever asks
    int grade_count, friction_count;
    run_past past;
};

// run_build.c
mc_status run_build(mc_run *r, mc_error *error);

// run_mileage.c: at the start, and behind every step.
enum { RUN_CHANNELS_MOST = 64 };
void run_mileage_begin(mc_run *r);
void run_mileage_take(mc_run *r);

// run.c: time of the present step, s.
static inline double run_time(const mc_run *r)
{
    return r->zero_time + (double)(r->step - r->zero_step) * r->s->step;
}

// run.c: a run of a scenario without a past; own: a copy of it that the run frees, or NULL.
mc_run *run_create(const scenario *s, scenario *own, const mc_run_options *options, run_start start,
                   mc_error *error);
// run.c: the run becomes `fresh`, which is used up; its past stays.
void run_become(mc_run *r, mc_run *fresh);

// run_adopt.c: a copy of a scenario with its own list of vehicles, in one block for free(); NULL:
// no memory. All else is shared.
scenario *run_copy_scenario(const scenario *s);
// The same without the vehicles that are not there before `now`; own may be NULL with *good: all
// are there. *next: when the next one joins.
scenario *run_scenario_at(const scenario *s, double now, double *next, bool *good);

// run_adopt.c: the run goes on with another version, which is kept in its list. text: of the log.
// Takes over one use of `given`, also when it fails.
mc_status run_adopt(mc_run *r, mc_scenario *given, const char *text, mc_error *error);
// run_adopt.c: carries out an edit or a whole version of the log.
mc_status run_adopt_text(mc_run *r, int kind, const char *text, mc_error *error);
// run_adopt.c: makes the run one of that version of its list; its state is to be restored then.
mc_status run_use_version(mc_run *r, int version, mc_error *error);
// run_adopt.c: forgets versions that came into use after the present one.
void run_forget_versions(mc_run *r, int kept);
mc_status run_version_add(mc_run *r, const run_version *version, mc_error *error);

// run_carry.c: what goes on into the version of `fresh`: cars, roadway, events under way.
mc_status run_carry(const mc_run *old, mc_run *fresh, mc_error *error);
void run_carry_radio(const mc_run *old, mc_run *fresh); // when everything else is in its place
// run_carry.c: does the vehicle of that name keep its whole state?
// Can the saved state of one be restored in the other? Same kind, same parts, same outline.
bool run_same_kind(const scenario_model *m, const scenario_model *n);
bool run_carries(const mc_run *old, const mc_run *fresh, const char *name);
// run_carry.c: the number of a controller or profile (kind of event) in the version of `fresh`.
double run_number_in(const mc_run *old, const mc_run *fresh, int kind, double number);

// run_build.c: keeps messages for that many seconds from now on.
mc_status run_keep_history(mc_run *r, double delay, mc_error *error);

// run.c: motions of all vehicles from their batches; speeds of the profiles for the coming step.
void run_read_motions(mc_run *r);
void run_profiles(mc_run *r);
void run_profile_slots(mc_run *r); // who follows one, after a change
mc_status run_name_failure(const mc_run *r, mc_error *error);

// run_event.c: notes that something happened in this step.
mc_status run_note(mc_run *r, int kind, int vehicle, double value, mc_error *error);

// run_snapshot.c: a snapshot in a file, with further bytes of the caller's.
mc_status run_write_checkpoint(const mc_run *r, const char *path, const void *extra,
                               size_t extra_size, mc_error *error);
mc_status run_read_checkpoint(mc_run *r, const char *path, void *extra, size_t extra_size,
                              mc_error *error);

// run_snapshot.c: a snapshot into room that may be used again.
mc_status run_save(const mc_run *r, bytes *out, mc_error *error);
// run_snapshot.c: restores without a way back: the run must not go on when it fails.
mc_status run_restore(mc_run *r, const mc_snapshot *snapshot, mc_error *error);

// run_log.c: puts a copy of an entry behind all of its step; its number, -1: no memory.
int run_log_add(mc_run *r, const run_logged *entry, mc_error *error);
void run_log_remove(mc_run *r, int index);
int run_log_first(const mc_run *r, long long step); // number of the first entry of a step or later
// run_log.c: an entry for the present step of a command that was checked.
mc_status run_log_entry(mc_run *r, const mc_command *c, run_logged *out, mc_error *error);
// run_log.c: carries out what the log has for this step and was not carried out yet.
mc_status run_log_carry(mc_run *r, mc_error *error);
// run_log.c: entries to come from `first` on are carried out at their times, whatever the steps.
void run_log_by_time(mc_run *r, int first);

// run_order.c: who drives in front of whom; made anew when somebody left his lane or passed.
void run_order_make(mc_run *r);
void run_order_check(mc_run *r);

// run_build.c: flags and links of a slot that follow from its controller.
void run_take_controller(mc_run *r, int slot);

// run_event.c: what happens at the start of this step.
void run_note_sensor(mc_run *r, int slot);
mc_status run_begin(mc_run *r, mc_error *error); // of a step: once, whoever comes first
mc_status run_event_apply(mc_run *r, const scenario_event *event, mc_error *error);
// Wishes of car, controller and roadway together: headway, distance, speed of every slot.
void run_refresh_commands(mc_run *r);

// run_sense.c: what a slot sends in this step.
run_message run_message_of(const mc_run *r, int slot);
// run_sense.c: messages of this step; what a slot hears.
void run_radio(mc_run *r);
// Signals that are made only for laws that read them; v, gap, v_front and commands always.
enum run_needs {
    RUN_NEEDS_A = 1,      // own acceleration
    RUN_NEEDS_RADIO = 2,  // accelerations of the car in front
    RUN_NEEDS_LINKED = 4, // leader, linked cars, place, mass, user variables
    RUN_NEEDS_OTHERS = 8, // time, place on the road, fresh, length
    RUN_NEEDS_RATE = 16,  // of v_set
    RUN_NEEDS_ALL = 31
};
// Signals of one slot at the start of the step, and in its middle.
void run_signals(const mc_run *r, int slot, double now[SIGNAL_COUNT], double middle[SIGNAL_COUNT]);
// In its middle alone, and what its law needs alone, of some members from number `from` on, a
// multiple of four: signal k of member m at x[(m / 4 x_count + k) 4 + m % 4]. Lanes behind the last
// member are undefined.
void run_signals_middle(const mc_run *r, const run_group *g, int from, int count, double *x);
// The same of one slot: signal k at x[k].
void run_signals_one(const mc_run *r, int slot, unsigned needs, double *x);
bool run_fresh(const mc_run *r, int slot);

// run_info.c: cuts the name of a group of parameters off "law.k1"; group "": there is none.
enum { RUN_GROUP_SIZE = 16 };
const char *run_param_group(const char *name, char group[RUN_GROUP_SIZE]);
// run_info.c: a parameter of a vehicle; group "": the one that a command "set" means.
bool run_param_find(const mc_run *r, int vehicle, const char *group, const char *name,
                    mc_run_param *out);

// run_control.c: groups of all tiles, when they do not hold any more.
void run_make_groups(mc_run *r);
// run_control.c: the cars of one tile decide.
void run_tile_decide(mc_run *r, int tile);

// States of a slot's law (or its fallback) as they are when it takes over.
void run_law_begin(mc_run *r, int slot, bool fallback);

// Greatest acceleration that still lets the slot stop behind the car in front, m/s^2.
double run_avoid(const mc_run *r, int slot);

// Place of the states and of the parameters of a slot's law (fallback: of its fallback law).
double *run_law_states(const mc_run *r, int slot, bool fallback);
double *run_law_params(const mc_run *r, int slot, bool fallback);
