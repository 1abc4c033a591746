// order.h - which car drives in front of which.
#pragma once

#include "run/run.h"

void run_order_make(mc_run *r);
void run_order_check(mc_run *r); // makes it again when a car has left its lane or passed another
