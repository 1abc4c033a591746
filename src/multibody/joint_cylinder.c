// joint_cylinder.c - turns about an axis and slides along it.
//
//     u . d = w . d = 0,   u . n_to = w . n_to = 0 with u, w on `from` across the axis n
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    double across[2][3];
    const mb_vec n = mb_close_vector(c, true, joint->to.axis);
    mb_close_across(joint->from.axis, across[0], across[1]);
    for (int k = 0; k < 2; k++) {
        const mb_vec u = mb_close_vector(c, false, across[k]);
        mb_close_slide(c, u, EXPR_ZERO);
        mb_close_direction(c, u, n, EXPR_ZERO);
    }
}

const mb_closing_kind mb_joint_cylinder = {
    .name = "cylinder",
    .doc = "turns about axis and slides along it",
    .axes = 1,
    .turns = MB_TURNS_ABOUT_AXIS,
    .slides = MB_SLIDES_ALONG_AXIS,
    .rows = rows,
};
