// joint_gear.c - two tree joints turn in a fixed ratio.
//
//     q_to = ratio q_from + offset
#include "multibody/closing.h"

static void rows(mb_close *c, const mb_closing *joint)
{
    mb_close_ratio(c, joint->value[0], joint->value[1]);
}

const mb_closing_kind mb_joint_gear = {
    .name = "gear",
    .doc = "the angle of to is ratio times that of from",
    .of_joints = true,
    .value = {{"ratio", "", "angle of to per angle of from", true},
              {"offset", "rad", "angle of to when that of from is 0; default: 0", false}},
    .rows = rows,
};
