// joint_gear.c - two tree joints turn in a fixed ratio.
//
//     q_to = ratio q_from + offset
#include "multibody/closing.h"

static void rows(mc_joint *c)
{
    const mb_closing *joint = mb_close_joint(c);
    mb_close_ratio(c, joint->value[0], joint->value[1]);
}

const mb_closing_kind mb_joint_gear = {
    .is = {.name = "gear",
           .doc = "the angle of to is ratio times that of from",
           .value = {{"ratio", "", "angle of to per angle of from", true},
                     {"offset", "rad", "angle of to when that of from is 0; default: 0", false}},
           .rows = rows},
    .of_joints = true,
};
