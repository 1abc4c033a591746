// joint_ball.c - two points coincide.
//
//     d = 0
#include "multibody/closing.h"

static void rows(mc_joint *j)
{
    mc_joint_point(j);
}

const mb_closing_kind mb_joint_ball = {
    .is = {.name = "ball", .doc = "turns about a point", .rows = rows},
    .in_tree = true,
    .tree = MB_BALL,
};
