// branch.h - a branch: a run with its timeline, the history of what it showed and its log; or a
// recording, which has a history alone; or a mechanism on the bench (bench.h), which has neither.
//
// The first branch is the file that was opened. A branch forked from another one (fork.h) is the
// same up to the fork and shares its history to there. Pages and docs/protocol.md call a branch a
// world, with the number it has here.
//
// Threads: the simulation thread owns the run and everything that is simulated from it. The rest
// is under the branch's lock: written by the simulation thread alone, which reads it without. A
// branch that is not in the hub's list yet (branch_list.h) belongs to the thread that makes it.
#pragma once

#include "motorcade/timeline.h"
#include "studio/hub/event.h"
#include "studio/history/frame.h"
#include "studio/history/history.h"

typedef struct branch_impact {
    mc_impact impact; // a and b are ids of the studio
    char name[2][NAME_SIZE];
    double mass[2]; // kg, then
} branch_impact;

typedef enum branch_state { BRANCH_RUNNING, BRANCH_ENDED, BRANCH_FAILED } branch_state;

typedef struct car_memory {       // what capture.c remembers of one car
    bool braked, pushed;          // pedals, for events
    double brake_time, push_time; // s, when they were last on
} car_memory;

struct branch {
    atomic_int refs;
    int number; // never used again for another branch
    int slot;   // in hub.branches; -1: not there
    bool replay;
    struct bench *bench; // under `lock`: replaced as a whole; NULL: vehicles on a road
    bool hits_unknown;   // a recording that does not say whether vehicles hit each other
    // What its scenario has from the start, and so which columns its CSV files have.
    bool has_ramps, has_estimators, has_ersc;

    // Of the simulation thread alone.
    mc_run *run; // NULL: a recording, or removed
    mc_timeline *line;
    mc_snapshot live; // the state at the end, while the run shows another instant
    roster *who;
    void *scratch; // a row of the instant shown
    size_t scratch_size;
    history_row now; // in scratch; valid when now_valid
    bool now_valid;
    double next_row;  // s
    int impacts_seen; // of the run
    int happened_seen;
    bool stale;        // something happened that its description says
    car_memory *cars;  // by column
    log_entry *script; // commands to be given when their time comes, in order
    int script_count, script_at;
    double compared;               // s, compared with the parent up to here
    bool orphan;                   // its parent was changed before the fork
    unsigned long long instant;    // counts states that can be shown
    double packed_from, packed_to; // s, of which the frames packed last have the instants
    uint32_t seq;
    unsigned long long vehicles_hash; // of what the list of vehicles says
    unsigned long long plan_hash;     // of the scenario whose road the plan is
    double saved_t;                   // s, of the saved state it came from; 0: none
    unsigned long long saved_hash;

    // Of all threads, under `lock`; written by the simulation thread alone.
    pthread_mutex_t lock;
    char name[NAME_SIZE];
    int parent; // -1: none
    double fork;
    char change[160];
    bool same;
    double differs; // NAN: not yet
    double start, end, limit, step, row;
    double offset; // s, of a recording: its times are shown so much later
    branch_state state;
    char message[256];
    int version;
    double headroom;
    char *text;                // what is in the branch, an object; of a run without its vehicles
    char *vehicles;            // of a run, a list
    uint32_t vehicles_version; // counts changes of that list, from 1; 0: a recording
    char *plan;                // the road as pages draw it, an object (plan.h)
    int plan_version;          // counts its changes, from 1; 0: there is none
    branch_event *events;
    int event_count, event_room;
    branch_impact *impacts;
    frame_contact *contacts; // the same, for frames
    int impact_count, impact_room;
    log_entry *log; // a copy of the run's, for questions
    int log_count, log_room;

    history past;     // its own lock
    history instants; // the same, of collisions: rows between those of the past
};

branch *branch_create(const char *name);                                // NULL: no memory
bool branch_begin_run(hub *h, branch *b, mc_run *run, mc_error *error); // takes the run
mc_timeline *branch_timeline(mc_run *run, mc_error *error);             // NULL: see *error
void branch_end_run(branch *b); // the run goes with its place in the hub, the rest is read on

branch *branch_hold(branch *b); // any thread
void branch_drop(branch *b);    // any thread; the last one frees it; NULL is allowed
