// joint_point_in_plane.c - a point of `to` stays in a plane of `from`.
//
//     n . d = 0 with n normal to the plane
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    mb_close_slide(c, mb_close_vector(c, false, joint->from.axis), EXPR_ZERO);
}

const mb_closing_kind mb_joint_point_in_plane = {
    .name = "point_in_plane",
    .doc = "the point of to stays in the plane of from across axis",
    .axes = 1,
    .slides = MB_SLIDES_ACROSS_AXIS,
    .rows = rows,
};
