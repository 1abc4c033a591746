// log.h - commands from outside, by the step that carries them out.
#pragma once

#include "run/run.h"

const char *run_command_name(int kind); // of an event, an edit, a version

// Puts a copy of an entry behind all of its step; its number, -1: no memory.
int run_log_add(mc_run *r, const run_logged *entry, mc_error *error);
void run_log_remove(mc_run *r, int index);
int run_log_first(const mc_run *r, long long step); // number of the first entry of a step or later

typedef enum run_log_when { // what a command is checked against
    RUN_LOG_NOW,            // the run as it is
    RUN_LOG_SOON,           // this version; numbers in force may be others then
    RUN_LOG_LATER,          // a version to come, of which nothing is known
} run_log_when;
// An entry for the present step, its texts those of the command.
mc_status run_log_make(const mc_run *r, const mc_command *c, run_log_when when, run_logged *out,
                       mc_error *error);
bool run_log_keep_texts(mc_run *r, run_logged *entry); // copies of the run; false: no memory
// An entry for the present step of a command that was checked.
mc_status run_log_entry(mc_run *r, const mc_command *c, run_logged *out, mc_error *error);
// Carries out what the log has for this step and was not carried out yet: all of it, or that up to
// its last edit.
mc_status run_log_carry(mc_run *r, bool edits, mc_error *error);
bool run_log_edits(const mc_run *r); // whether there is an edit among it
// The step of an instant; not before the present one.
long long run_log_step_at(const mc_run *r, double time);
// Entries to come from `first` on whose time counts, or all, are carried out at their times,
// whatever the steps.
void run_log_by_time(mc_run *r, int first, bool all);
