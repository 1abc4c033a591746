// joint_point_on_line.c - a point of `to` stays on a line of `from`.
//
//     u . d = w . d = 0 with u, w across the line
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    double u[3], w[3];
    mb_close_across(joint->from.axis, u, w);
    mb_close_slide(c, mb_close_vector(c, false, u), EXPR_ZERO);
    mb_close_slide(c, mb_close_vector(c, false, w), EXPR_ZERO);
}

const mb_closing_kind mb_joint_point_on_line = {
    .name = "point_on_line",
    .doc = "the point of to stays on the line of from along axis",
    .axes = 1,
    .slides = MB_SLIDES_ALONG_AXIS,
    .rows = rows,
};
