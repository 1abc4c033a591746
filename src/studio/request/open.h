// open.h - what was read becomes a branch, for the files that read something.
#pragma once

#include "studio/hub/open.h"
#include "studio/hub/request.h"

// Passes the request to the simulation thread, which puts what was opened into the list and
// answers. Takes o; r is left empty.
void open_hand_over(request *r, opened *o);
