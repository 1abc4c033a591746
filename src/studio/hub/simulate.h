// simulate.h - the simulation thread: requests, the clock, steps, frames.
#pragma once

void *simulate_thread(void *hub);
