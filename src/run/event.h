// event.h - what happens at the start of a step: cars that join, faults, commands.
#pragma once

#include "run/run.h"

// Of a step: once, whichever caller comes first. edits: commands only up to the last edit.
mc_status run_begin(mc_run *r, bool edits, mc_error *error);
mc_status run_event_apply(mc_run *r, const scenario_event *event, mc_error *error);
void run_note_sensor(mc_run *r, int slot); // flags that follow from sensor and radio
// Notes that something happened in this step.
mc_status run_note(mc_run *r, int kind, int vehicle, double value, mc_error *error);
// Combines the desired values of car, controller and roadway: headway, distance, speed of every
// slot.
void run_refresh_commands(mc_run *r);
void run_refresh_car(mc_run *r, int slot); // the same for one
// The car is driven by a controller, from what it sees now; -1: none.
void run_give_controller(mc_run *r, int slot, int controller);
// The answer to one who asks for an acceleration of a vehicle without controller.
mc_status run_no_controller(const mc_run *r, int vehicle, mc_error *error);
// Whether the lane of a car, the ERSC or the hands at its wheel rule a change of lanes out.
mc_status run_lane_rejected(const mc_run *r, int slot, int kind, double lane, mc_error *error);
