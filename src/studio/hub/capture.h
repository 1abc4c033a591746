// capture.h - the instant at which a run stands, as a row of its branch's history; what happened on
// the way becomes events and impacts.
//
// All of the simulation thread.
#pragma once

#include "studio/hub/branch.h"

// False: no memory.
bool capture_roster(hub *h, branch *b); // the vehicles that are in the run now
bool capture_look(hub *h, branch *b);   // fills b->now
bool capture_row(hub *h, branch *b);    // stores it
// Stores the instants of collisions within the step that ended now; the one before ended at b->end.
bool capture_instants(hub *h, branch *b);

void capture_forget(branch *b, double t);                // what was noted after t
void capture_take_memory(branch *b, const branch *from); // what is remembered of its cars

// What happened, of a run or of a recording: kept, and told as an event.
typedef struct impact_party {
    uint32_t id;
    const char *name;
    double mass; // kg; NAN: not known
} impact_party;
void capture_impact(hub *h, branch *b, const mc_impact *impact, const impact_party party[2]);
void capture_happened(hub *h, branch *b, const mc_happened *happened);
