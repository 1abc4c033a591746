// meter.h - the mileage meter of every car.
#pragma once

#include "run/run.h"

void run_mileage_begin(mc_run *r); // at the start
void run_mileage_take(mc_run *r);  // after every step
