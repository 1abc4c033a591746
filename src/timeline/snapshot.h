// snapshot.h - the state of a run as bytes, and back.
#pragma once

#include "run/run.h"

// A snapshot into room that may be used again.
mc_status run_save(const mc_run *r, bytes *out, mc_error *error);
// Restores without a way back: the run must not continue when it fails.
mc_status run_restore(mc_run *r, const mc_snapshot *snapshot, mc_error *error);
