// joint_cylinder.c - turns about an axis and slides along it.
//
//     u . d = w . d = 0,   u . n_to = w . n_to = 0 with u, w on `from` across the axis n
#include "multibody/closing.h"

static void rows(mc_joint *j)
{
    mc_joint_vector u[2];
    const mc_joint_vector n = mc_joint_axis(j, MC_JOINT_TO);
    const mc_joint_formula zero = mc_joint_number(j, 0.0);
    mc_joint_across(mc_joint_axis(j, MC_JOINT_FROM), u);
    for (int k = 0; k < 2; k++) {
        mc_joint_slide(j, u[k], zero);
        mc_joint_direction(j, u[k], n, zero);
    }
}

const mb_closing_kind mb_joint_cylinder = {
    .is = {.name = "cylinder",
           .doc = "turns about axis and slides along it",
           .axes = 1,
           .turns = MC_JOINT_TURNS_ABOUT_AXIS,
           .slides = MC_JOINT_SLIDES_ALONG_AXIS,
           .rows = rows},
};
