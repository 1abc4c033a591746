// lead.h - leaders that are driven as the leader of another platoon is.
//
// Such a leader has the pedals and the steering of the other one, step by step: two cars of one
// model that are in the same state stay in the same state, to the bit, whatever drives the first.
// If their speeds differ when they are joined, it first follows the speed of the other by its own
// law.
#pragma once

#include "run/run.h"

// Its leader is driven as that of platoon `number`, from 1; 0: by itself.
mc_status run_lead_as(mc_run *r, int slot, double number, mc_error *error);
void run_leads(mc_run *r);                      // which leaders are, after a change
int run_lead_source(const mc_run *r, int slot); // the leader that drives it; else the slot itself
void run_lead_speeds(mc_run *r);                // for the coming step, after those of profiles
void run_lead_inputs(mc_run *r);                // of the step, after every car decided
