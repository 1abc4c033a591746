// joint_ball.c - two points coincide.
//
//     d = 0
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    (void)joint;
    mb_close_point(c);
}

const mb_closing_kind mb_joint_ball = {
    .name = "ball",
    .doc = "turns about a point",
    .in_tree = true,
    .tree = MB_BALL,
    .rows = rows,
};
