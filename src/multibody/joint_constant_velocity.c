// joint_constant_velocity.c - two shafts turn alike at any angle between them.
//
// The shafts lie along n. With u, w across n, the turn from one frame to the other has no part
// about the shaft when it is about an axis across n:
//     d = 0,   u_from . w_to = w_from . u_to
#include "multibody/closing.h"

static void rows(mc_joint *j)
{
    mc_joint_vector from[2], to[2];
    mc_joint_across(mc_joint_axis(j, MC_JOINT_FROM), from);
    mc_joint_across(mc_joint_axis(j, MC_JOINT_TO), to);
    mc_joint_point(j);
    mc_joint_directions(j, from[0], to[1], from[1], to[0]);
}

const mb_closing_kind mb_joint_constant_velocity = {
    .is = {.name = "constant_velocity",
           .doc = "two shafts along axis and to_axis turn alike at any angle between them",
           .axes = 1,
           .rows = rows},
};
