// edit.h - edits of the scenario of a branch, each from a request to its answer.
//
// All of the simulation thread.
#pragma once

#include "motorcade/run.h"
#include "studio/hub/change.h"

// Gives the edit to a change that has begun, up to its answer; takes it. An edit that is made from
// what is there is made from c->branch, which stands at the instant of the change.
void edit_give(request *r, change *c, json_t *edit, const char *text);
// All of a controller except its law, in the form of a scenario.
json_t *edit_controller(const mc_run_controller_info *c);
