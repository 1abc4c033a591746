// joint_universal.c - two axes of a cross, one on each body, stay perpendicular.
//
//     d = 0,   n_from . n_to = 0
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    mb_close_point(c);
    mb_close_direction(c, mb_close_vector(c, false, joint->from.axis),
                       mb_close_vector(c, true, joint->to.axis), EXPR_ZERO);
}

const mb_closing_kind mb_joint_universal = {
    .name = "universal",
    .doc = "a cross: axis turns on from, to_axis on to, perpendicular to it",
    .axes = 2,
    .turns = MB_TURNS_AS_CROSS,
    .rows = rows,
};
