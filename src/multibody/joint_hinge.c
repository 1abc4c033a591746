// joint_hinge.c - turns about one axis.
//
//     d = 0,   u . n_to = w . n_to = 0 with u, w on `from` across the axis n
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    double u[3], w[3];
    const mb_vec n = mb_close_vector(c, true, joint->to.axis);
    mb_close_across(joint->from.axis, u, w);
    mb_close_point(c);
    mb_close_direction(c, mb_close_vector(c, false, u), n, EXPR_ZERO);
    mb_close_direction(c, mb_close_vector(c, false, w), n, EXPR_ZERO);
}

const mb_closing_kind mb_joint_hinge = {
    .name = "hinge",
    .doc = "turns about axis",
    .axes = 1,
    .turns = MB_TURNS_ABOUT_AXIS,
    .in_tree = true,
    .tree = MB_HINGE,
    .rows = rows,
};
