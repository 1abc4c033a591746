// joint_point_in_plane.c - a point of `to` stays in a plane of `from`.
//
//     n . d = 0 with n normal to the plane
#include "multibody/closing.h"

static void rows(mc_joint *j)
{
    mc_joint_slide(j, mc_joint_axis(j, MC_JOINT_FROM), mc_joint_number(j, 0.0));
}

const mb_closing_kind mb_joint_point_in_plane = {
    .is = {.name = "point_in_plane",
           .doc = "the point of to stays in the plane of from across axis",
           .axes = 1,
           .slides = MC_JOINT_SLIDES_ACROSS_AXIS,
           .rows = rows},
};
