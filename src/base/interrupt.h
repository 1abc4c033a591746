// interrupt.h - Ctrl-C asks a run to stop; a second Ctrl-C kills it.
//
// For the command only: a library must not change its host's signal handlers. The run polls
// interrupt_requested() between steps, writes what it has and ends with MC_INTERRUPTED.
#pragma once

#include <stdbool.h>

// Catches SIGINT, SIGTERM and SIGHUP (the terminal is gone) from here on. A signal that was ignored
// at the start (nohup, a job in the background) stays ignored. System calls under way are
// restarted, not broken off.
void interrupt_install(void);

bool interrupt_requested(void);
bool interrupt_stop(void *unused); // the same, for who asks with a context
