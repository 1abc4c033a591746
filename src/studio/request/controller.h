// controller.h - changes of one controller other than the parameters of its law: another law,
// matrices, radio links, parameters of its inner loop, radio, sensor, avoidance.
#pragma once

#include "studio/hub/request.h"

// op of `car`, on the simulation thread: own, law, linear, listen, radio. False: it is none of
// these.
bool controller_change(request *r, const char *op);
