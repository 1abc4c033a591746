// timeline.h - moving back and forth in a run, and branching off.
//
// A timeline drives a run and keeps key frames: snapshots at regular steps. To reach an instant,
// the nearest key frame before it is restored and the steps from there are repeated, including the
// commands of the log: the same bits as the first time. When the key frames outgrow their memory
// every other one is dropped, and new ones are taken half as often.
//
// With the defaults (a key frame every 20 steps at first, 64 MB) ten minutes of 30 cars with
// engines at steps of 10 ms keep a frame of 80 kB every 80 steps; of 200 random seeks the longest
// takes 1 ms of one core, 5 ms across five edits. Taking a frame costs 0.1 ms in that step, 0.7 ms
// with 300 cars. (bench/bench_timeline.c measures this.)
//
//     mc_timeline *line = mc_timeline_create(run, NULL, &error);
//     mc_timeline_seek(line, 30.0, &error);                      // forward: steps are done
//     mc_timeline_seek(line, 12.5, &error);                      // back: exact to the bit
//     mc_run *other = mc_timeline_branch(line, &error);          // a second run from here
//
// Threads: a timeline and its run are used by one thread at a time. A branch is an independent run.
#pragma once

#include "motorcade/run.h"

#include "motorcade/begin.h"

typedef struct mc_timeline mc_timeline;

typedef struct mc_timeline_options { // NULL or all zero: the defaults
    size_t memory;                   // bytes for key frames; 64 MB
    int every;                       // steps between key frames at first; 20
} mc_timeline_options;

// Takes its first key frame now. The run stays the caller's and must outlive the timeline; from now
// on it is only moved through the timeline.
mc_timeline *mc_timeline_create(mc_run *run, const mc_timeline_options *options, mc_error *error);
void mc_timeline_destroy(mc_timeline *line);

mc_status mc_timeline_step(mc_timeline *line, mc_error *error); // one step forward
mc_status mc_timeline_back(mc_timeline *line, mc_error *error); // one step back; at the start: none
// To the step nearest to time t, s; not before the first key frame.
mc_status mc_timeline_seek(mc_timeline *line, double t, mc_error *error);

// The same in pieces, for callers that have other work to do in between. enough(context) is called
// after every step; when it returns true, the state reached is kept in *way and *there is false.
// The run may then be moved freely; the next call continues from *way, unless history was rewritten
// in between: then it starts over. *there: the run is at t. A way is initially all zero.
typedef struct mc_timeline_way {
    mc_snapshot state;
    long long step;
    double time;             // s
    const mc_timeline *line; // whose it is
    unsigned cut;            // how often its history had been cut
} mc_timeline_way;

mc_status mc_timeline_seek_some(mc_timeline *line, double t, bool (*enough)(void *context),
                                void *context, mc_timeline_way *way, bool *there, mc_error *error);
void mc_timeline_way_free(mc_timeline_way *way);
// Back to a state of this history that was saved (mc_run_save).
mc_status mc_timeline_return(mc_timeline *line, const mc_snapshot *state, mc_error *error);

// Another run at this instant, of the version in use, with the commands up to now. NULL: see
// *error.
mc_run *mc_timeline_branch(const mc_timeline *line, mc_error *error);

// A command for the instant shown. Later commands are dropped: history is rewritten from here.
mc_status mc_timeline_command(mc_timeline *line, const mc_command *command, mc_error *error);

// Another version of the scenario from the instant shown on (mc_run_adopt). Later entries are
// dropped. Going back across an adoption restores the older version. At the step of an adoption or
// edit the timeline shows its result.
mc_status mc_timeline_adopt(mc_timeline *line, const mc_scenario *version, mc_error *error);
mc_status mc_timeline_edit(mc_timeline *line, const char *edit, mc_error *error); // mc_run_edit
int mc_timeline_version(const mc_timeline *line); // 0, 1, ...: the one in use now

// The farthest time reached since the last cut of history: the live end, s.
double mc_timeline_end(const mc_timeline *line);

// To the step nearest to time t, before any command for it. These and all later commands are
// dropped.
mc_status mc_timeline_rewind(mc_timeline *line, double t, mc_error *error);

// Rewrites history: entry `index` of the log (mc_run_log_at) is removed, moved to another time, or
// replaced. Everything after it is simulated again up to the time it had reached, with the later
// entries at their times; then the same instant is shown again. Entries that no longer make sense
// (their car no longer exists) are dropped and counted. If a change is rejected, nothing changes.
mc_status mc_timeline_log_remove(mc_timeline *line, int index, mc_error *error);
mc_status mc_timeline_log_move(mc_timeline *line, int index, double t, mc_error *error);
mc_status mc_timeline_log_change(mc_timeline *line, int index, const mc_command *command,
                                 mc_error *error);
int mc_timeline_dropped(const mc_timeline *line); // entries dropped by the last of these

int mc_timeline_frame_count(const mc_timeline *line);
size_t mc_timeline_memory(const mc_timeline *line); // bytes in use by key frames

#include "motorcade/end.h"
