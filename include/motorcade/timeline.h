// timeline.h - going back and forth in a run, and branching off.
//
// A timeline drives a run and keeps key frames: snapshots at regular steps. To reach an instant the
// nearest key frame before it is restored and the steps from there are done again, commands of the
// log included: the same bits as the first time. When the key frames outgrow their memory every
// other one is dropped, and new ones are taken half as often.
//
// With the defaults (a key frame every 20 steps at first, 64 MB) ten minutes of 30 cars with
// engines at steps of 10 ms keep a frame of 80 kB every 80 steps; of 200 random seeks the longest
// takes 1 ms of one core, 5 ms where five edits lie on the way. A frame costs the step that takes
// it 0.1 ms, of 300 cars 0.7 ms. (bench/bench_timeline.c measures this.)
//
//     mc_timeline *line = mc_timeline_create(run, NULL, &error);
//     mc_timeline_seek(line, 30.0, &error);                      // forward: steps are done
//     mc_timeline_seek(line, 12.5, &error);                      // back: exact to the bit
//     mc_run *other = mc_timeline_branch(line, &error); // a second run from here
#pragma once

#include "motorcade/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_timeline mc_timeline;

typedef struct mc_timeline_options { // NULL or all zero: the defaults
    size_t memory;                   // bytes for key frames; 64 MB
    int every;                       // steps between key frames at first; 20
} mc_timeline_options;

// Takes its first key frame now. The run stays the caller's and must outlive the timeline; from now
// on it is moved through the timeline alone.
mc_timeline *mc_timeline_create(mc_run *run, const mc_timeline_options *options, mc_error *error);
void mc_timeline_destroy(mc_timeline *line);

mc_status mc_timeline_step(mc_timeline *line, mc_error *error); // one step forward
mc_status mc_timeline_back(mc_timeline *line, mc_error *error); // one step back; at the start: none
// To the step nearest to time t, s; not before the first key frame.
mc_status mc_timeline_seek(mc_timeline *line, double t, mc_error *error);

// The same in pieces, for who has other things to do on the way. enough(context) is asked behind
// every step; when it says true the state reached is kept in *way and *there is false. The run may
// then be moved as one likes; the next call goes on from *way, unless history was written anew in
// between: then it begins from the start. *there: the run is at t. A way is all zero at first.
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

// A command for the instant shown. What was commanded for later is dropped: history is written anew
// from here.
mc_status mc_timeline_command(mc_timeline *line, const mc_command *command, mc_error *error);

// Another version of the scenario from the instant shown on (mc_run_adopt). What was there for
// later is dropped. Going back across one brings the older one back. At the step of an adoption or
// edit the timeline shows it carried out.
mc_status mc_timeline_adopt(mc_timeline *line, const mc_scenario *version, mc_error *error);
mc_status mc_timeline_edit(mc_timeline *line, const char *edit, mc_error *error); // mc_run_edit
int mc_timeline_version(const mc_timeline *line); // 0, 1, ...: the one in use now

// The farthest time reached since the last cut of history: the live end, s.
double mc_timeline_end(const mc_timeline *line);

// To the step nearest to time t, before anything that was commanded for it. All of that, and what
// came after, is forgotten.
mc_status mc_timeline_rewind(mc_timeline *line, double t, mc_error *error);

// History written anew: entry `index` of the log (mc_run_log_at) is taken out, carried out at
// another time, or replaced. What came after is simulated again up to the time it had reached, with
// the later entries at their times; then the instant shown is shown again. Entries that no longer
// make sense (their car is not there any more) are dropped and counted. When a change is refused
// everything is as it was.
mc_status mc_timeline_log_remove(mc_timeline *line, int index, mc_error *error);
mc_status mc_timeline_log_move(mc_timeline *line, int index, double t, mc_error *error);
mc_status mc_timeline_log_change(mc_timeline *line, int index, const mc_command *command,
                                 mc_error *error);
int mc_timeline_dropped(const mc_timeline *line); // entries dropped by the last of these

int mc_timeline_frame_count(const mc_timeline *line);
size_t mc_timeline_memory(const mc_timeline *line); // bytes in use by key frames

#ifdef __cplusplus
}
#endif
