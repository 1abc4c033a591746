// bodies.h - a mechanism seen body by body: the joints between bodies, their velocities V, the rows
// by V. What joint loads (joint_loads.h) and the paper's matrices (matrices.h) are made of.
#pragma once

#include "equations/derive.h"
#include "multibody/body_rows.h"

typedef struct mb_bodies {
    const mb_system *system;
    mb_frames *frames;
    mb_scope *scope;
    mb_hinge *tree, *closing; // of every body, of every closing joint
    mb_body_rows rows;
} mb_bodies;

mc_status mb_bodies_make(const mb_system *s, mb_bodies *out, mc_error *error);
void mb_bodies_free(mb_bodies *b);
