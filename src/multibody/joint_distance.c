// joint_distance.c - a massless rod between two points.
//
//     (d . d - L^2) / 2 = 0
#include "multibody/closing.h"

static void rows(mc_joint *j)
{
    mc_joint_distance(j, mc_joint_value_at(j, 0));
}

const mb_closing_kind mb_joint_distance = {
    .is = {.name = "distance",
           .doc = "a massless rod: two points keep their distance",
           .value = {{"length", "m", "of the rod", true}},
           .slides = MC_JOINT_SLIDES_FREELY,
           .rows = rows},
};
