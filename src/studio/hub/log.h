// log.h - the log of a branch: what was commanded and edited, given to its run and kept for
// questions.
//
// Of the simulation thread, but log_copy.
#pragma once

#include "studio/hub/branch.h"

mc_status log_give(branch *b, const log_entry *e, mc_error *error); // at the coming step
// The copy for questions follows the run; what is new was written by `by`.
void log_note(branch *b, const char *by);
void log_append(branch *b, const log_entry *e, const char *by); // the same of one just given

log_entry *log_copy(branch *b, int *count); // for log_entry_free_all; any thread
