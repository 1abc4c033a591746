// visit.h - a request looks at the run of a branch as it was at an instant.
//
// All of the simulation thread.
#pragma once

#include "studio/hub/branch.h"
#include "studio/hub/request.h"

typedef struct visit {
    mc_run *run;
    branch *at; // whose timeline has the instant
    bool away;  // it is not at its end
} visit;

// t NAN, or not before the end: the run as it is. False: rejected, or r->again. True: visit_end is
// called before anything is simulated.
bool visit_begin(request *r, branch *b, double t, visit *out);
void visit_end(request *r, visit *v);
