// joint_distance.c - a massless rod between two points.
//
//     (d . d - L^2) / 2 = 0
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    mb_close_distance(c, joint->value[0]);
}

const mb_closing_kind mb_joint_distance = {
    .name = "distance",
    .doc = "a massless rod: two points keep their distance",
    .value = {{"length", "m", "of the rod", true}},
    .slides = MB_SLIDES_FREELY,
    .rows = rows,
};
