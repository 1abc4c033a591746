// joint_hinge.c - turns about one axis.
//
//     d = 0,   u . n_to = w . n_to = 0 with u, w on `from` across the axis n
#include "multibody/closing.h"

static void rows(mc_joint *j)
{
    mc_joint_vector u[2];
    const mc_joint_vector n = mc_joint_axis(j, MC_JOINT_TO);
    const mc_joint_formula zero = mc_joint_number(j, 0.0);
    mc_joint_across(mc_joint_axis(j, MC_JOINT_FROM), u);
    mc_joint_point(j);
    mc_joint_direction(j, u[0], n, zero);
    mc_joint_direction(j, u[1], n, zero);
}

const mb_closing_kind mb_joint_hinge = {
    .is = {.name = "hinge",
           .doc = "turns about axis",
           .axes = 1,
           .turns = MC_JOINT_TURNS_ABOUT_AXIS,
           .rows = rows},
    .in_tree = true,
    .tree = MB_HINGE,
};
