// joint_universal.c - two axes of a cross, one on each body, stay perpendicular.
//
//     d = 0,   n_from . n_to = 0
#include "multibody/closing.h"

static void rows(mc_joint *j)
{
    mc_joint_point(j);
    mc_joint_direction(j, mc_joint_axis(j, MC_JOINT_FROM), mc_joint_axis(j, MC_JOINT_TO),
                       mc_joint_number(j, 0.0));
}

const mb_closing_kind mb_joint_universal = {
    .is = {.name = "universal",
           .doc = "a cross: axis turns on from, to_axis on to, perpendicular to it",
           .axes = 2,
           .turns = MC_JOINT_TURNS_AS_CROSS,
           .rows = rows},
};
