// joint_constant_velocity.c - two shafts turn alike at any angle between them.
//
// The shafts lie along n. With u, w across n, the turn from one frame to the other has no part
// about the shaft when it is about an axis across n:
//     d = 0,   u_from . w_to = w_from . u_to
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    double from[2][3], to[2][3];
    mb_close_across(joint->from.axis, from[0], from[1]);
    mb_close_across(joint->to.axis, to[0], to[1]);
    mb_close_point(c);
    mb_close_directions(c, mb_close_vector(c, false, from[0]), mb_close_vector(c, true, to[1]),
                        mb_close_vector(c, false, from[1]), mb_close_vector(c, true, to[0]));
}

const mb_closing_kind mb_joint_constant_velocity = {
    .name = "constant_velocity",
    .doc = "two shafts along axis and to_axis turn alike at any angle between them",
    .axes = 1,
    .rows = rows,
};
