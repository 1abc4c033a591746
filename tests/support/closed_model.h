// closed_model.h - a mechanism of Motorcade as a closed one for other programs: the same bodies,
// joints and parameters.
#pragma once

#include "motorcade/multibody.h"
#include "support/closed.h"

// False: it has a joint that closed.h does not. Springs and loads are not taken along.
bool closed_of_model(const mc_multibody *m, closed *out);
