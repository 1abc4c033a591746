// joint_point_on_line.c - a point of `to` stays on a line of `from`.
//
//     u . d = w . d = 0 with u, w across the line
#include "multibody/closing.h"

static void rows(mc_joint *j)
{
    mc_joint_vector u[2];
    mc_joint_across(mc_joint_axis(j, MC_JOINT_FROM), u);
    mc_joint_slide(j, u[0], mc_joint_number(j, 0.0));
    mc_joint_slide(j, u[1], mc_joint_number(j, 0.0));
}

const mb_closing_kind mb_joint_point_on_line = {
    .is = {.name = "point_on_line",
           .doc = "the point of to stays on the line of from along axis",
           .axes = 1,
           .slides = MC_JOINT_SLIDES_ALONG_AXIS,
           .rows = rows},
};
