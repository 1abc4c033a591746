// joint_loads.h - what the joints of the tree carry.
//
// The load of a joint is all that its inboard body does to its outboard one through the joint:
// force, and torque about the joint (the origin of the outboard body), in the axes of the joint on
// the inboard body. Along its free coordinates that is the joint's own spring, damper and load, and
// what gears and constraints on the coordinate do; of a free body it is zero without those.
#pragma once

#include "equations/derive.h"

// out: force_x .. force_z, torque_x .. torque_z of every body. Beside rate: with everything that
// the model says.
mc_status mb_joint_loads(const mb_system *s, expr_id *out, mc_error *error);
