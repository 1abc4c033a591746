// joint_fixed.c - nothing moves: the frames coincide.
//
//     d = 0,   x_from . y_to = y_from . z_to = z_from . x_to = 0
#include "multibody/closing.h"

static void rows(mc_joint *c)
{
    const mb_mat from = mb_close_frame(c, false), to = mb_close_frame(c, true);
    mb_close_point(c);
    for (int k = 0; k < 3; k++)
        mb_close_direction(c, mb_mat_column(&from, k), mb_mat_column(&to, (k + 1) % 3), EXPR_ZERO);
}

const mb_closing_kind mb_joint_fixed = {
    .is = {.name = "fixed", .doc = "nothing moves", .turns = MC_JOINT_TURNS_NOT, .rows = rows},
    .in_tree = true,
    .tree = MB_FIXED,
};
