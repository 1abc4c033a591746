// files.h - what a recording writes: results file, CSV files, DYNAVIS data.
#pragma once

#include "play/recording.h"

mc_status play_open_files(mc_recording *rec, mc_error *error);
mc_status play_write_row(mc_recording *rec, mc_error *error);      // what was taken
mc_status play_write_instants(mc_recording *rec, mc_error *error); // of collisions in this step
mc_status play_meet_late(mc_recording *rec, mc_error *error); // after another version: CSV files
mc_status play_dynavis_follow(mc_recording *rec, mc_error *error); // the same: ids of the cars
mc_status play_close_files(mc_recording *rec, bool keep, mc_error *error); // error may be NULL
