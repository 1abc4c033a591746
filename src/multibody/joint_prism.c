// joint_prism.c - slides along one axis, without turning.
//
//     u . d = w . d = 0 with u, w on `from` across the axis;   orientation as of a fixed joint
#include "multibody/closing.h"

static void rows(mc_joint *c)
{
    const mb_closing *joint = mb_close_joint(c);
    double u[3], w[3];
    const mb_mat from = mb_close_frame(c, false), to = mb_close_frame(c, true);
    mb_close_across(joint->from.axis, u, w);
    mb_close_slide(c, mb_close_vector(c, false, u), EXPR_ZERO);
    mb_close_slide(c, mb_close_vector(c, false, w), EXPR_ZERO);
    for (int k = 0; k < 3; k++)
        mb_close_direction(c, mb_mat_column(&from, k), mb_mat_column(&to, (k + 1) % 3), EXPR_ZERO);
}

const mb_closing_kind mb_joint_prism = {
    .is = {.name = "prism",
           .doc = "slides along axis",
           .axes = 1,
           .turns = MC_JOINT_TURNS_NOT,
           .slides = MC_JOINT_SLIDES_ALONG_AXIS,
           .rows = rows},
    .in_tree = true,
    .tree = MB_PRISM,
};
