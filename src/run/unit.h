// unit.h - units of FMI in a run: those that drive in place of a law, powertrains, and vehicles
// that other programs move.
//
// A unit that drives is asked at the start of every step, before the cars decide, in order of
// slots: its answer takes the place of that of the law, which is computed too. So limits, pedals
// and radio are those of any controller. It is started when a car first has its controller, or has
// it again.
#pragma once

#include "base/bytes.h"
#include "run/run.h"
#include "unit/unit.h"

typedef struct run_unit { // of a slot
    unit_instance *unit;  // NULL: none
    int controller;       // it belongs to
    int failed;           // the law drives
    int begun;            // it has been initialized
    double answer;        // m/s^2
} run_unit;

mc_status run_unit_make(mc_run *r, mc_error *error); // before the run begins
void run_unit_end(mc_run *r);

mc_status run_unit_step(mc_run *r, mc_error *error);
// The unit's answer instead of the law's, where a unit drives.
void run_unit_answer(const mc_run *r, int slot, double *desired);
// Units that are powertrains give the forces of the step.
mc_status run_unit_drive(mc_run *r, mc_error *error);
// Vehicles that other programs move take their step.
mc_status run_unit_exchange(mc_run *r, mc_error *error);

// The unit of a slot continues in another version of the scenario if it has the same one.
void run_unit_carry(const mc_run *old, int from, mc_run *fresh, int to);

// States of all units as bytes, one piece of a snapshot; nothing where there are none. Skip takes
// the piece out of a snapshot, restore reads it when the vehicles are restored.
mc_status run_unit_save(const mc_run *r, bytes *out, mc_error *error);
bool run_unit_skip(const mc_run *r, bytes_reader *in, bytes_reader *piece);
mc_status run_unit_restore(mc_run *r, bytes_reader *in, mc_error *error);
