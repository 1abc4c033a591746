// joint_rack.c - a pinion moves a rack.
//
//     travel_to = radius angle_from + offset
#include "multibody/closing.h"

static void rows(mc_joint *c)
{
    const mb_closing *joint = mb_close_joint(c);
    mb_close_ratio(c, joint->value[0], joint->value[1]);
}

const mb_closing_kind mb_joint_rack = {
    .is = {.name = "rack",
           .doc = "the travel of to is radius times the angle of from",
           .value = {{"radius", "m", "travel of to per angle of from", true},
                     {"offset", "m", "travel of to when the angle of from is 0; default: 0",
                      false}},
           .rows = rows},
    .of_joints = true,
};
