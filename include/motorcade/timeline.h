// timeline.h - going back and forth in a run, and branching off.
//
// A timeline drives a run and keeps key frames: snapshots at regular steps. To reach an instant the
// nearest key frame before it is restored and the steps from there are done again, commands of the
// log included: the same bits as the first time. When the key frames outgrow their memory every
// other one is dropped, and new ones are taken half as often.
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

// Another run at this instant, of the version in use, with the commands up to now. NULL: see
// *error.
mc_run *mc_timeline_branch(const mc_timeline *line, mc_error *error);

// A command for the instant shown. What was commanded for later is dropped: history is written anew
// from here.
mc_status mc_timeline_command(mc_timeline *line, const mc_command *command, mc_error *error);

// Another version of the scenario from the instant shown on (mc_run_adopt). What was there for
// later is dropped. All versions must outlive the timeline; going back across one brings the older
// one back.
mc_status mc_timeline_adopt(mc_timeline *line, const mc_scenario *version, mc_error *error);
int mc_timeline_version(const mc_timeline *line); // 0, 1, ...: the one in use now

int mc_timeline_frame_count(const mc_timeline *line);
size_t mc_timeline_memory(const mc_timeline *line); // bytes in use by key frames

#ifdef __cplusplus
}
#endif
