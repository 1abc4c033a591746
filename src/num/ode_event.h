// ode_event.h - what the run of ode.c asks about events.
#pragma once

#include "num/ode_method.h"

void ode_event_layout(ode *o, ode_space *space);
void ode_event_begin(ode *o); // a run begins at this state
void ode_event_keep(ode *o);  // a step is about to be taken

// Looks at the step just taken. o->has_event: something rose through zero, *at is the first instant
// at which it was not below; the state is still that at the end of the step (of a fixed-step method
// it is lost).
ode_trouble ode_event_find(ode *o, double *at);
// Moves the state to that instant.
ode_trouble ode_event_stop(ode *o, double at);
