// joint_rolling.c - a disc rolls on a plane without slip.
//
// The disc, about the axis n through the point of `from`, touches the plane through the point of
// `to` with the normal s at its lowest point; that point of the disc does not move on the plane.
#include "multibody/closing.h"

static void rows(mc_joint *c)
{
    const mb_closing *joint = mb_close_joint(c);
    mb_close_rolling(c, mb_close_vector(c, false, joint->from.axis),
                     mb_close_vector(c, true, joint->to.axis), joint->value[0]);
}

const mb_closing_kind mb_joint_rolling = {
    .is = {.name = "rolling",
           .doc = "a disc of from about axis rolls on the plane of to across to_axis, without slip",
           .axes = 2,
           .value = {{"radius", "m", "of the disc", true}},
           .slides = MC_JOINT_SLIDES_FREELY,
           .rows = rows},
};
