// body_rows.h - the rows that stay zero by the velocities of the bodies: the matrix B of
// B V = b (19, 24).
//
// A row of B has six entries per body, for its V (hinge.h). Their transpose is what the row does to
// the body per lambda: torque about its origin and force, in its axes.
#pragma once

#include "multibody/hinge.h"
#include "multibody/rows.h"
#include "multibody/scope.h"

typedef struct mb_body_rows {
    const mb_links *links;
    mb_frames *frames;
    mb_scope *scope;
    const mb_rows *rows;
    const mb_hinge *tree;    // of every body
    const mb_hinge *closing; // of every closing joint; empty for gears and racks
    const expr_id *q_rate;   // of every coordinate
} mb_body_rows;

// Row r: out has 6 body_count entries. Parts that speak of the coordinates of tree joints (a gear,
// a constraint on an angle) act between the two bodies of those joints; joints: whether they count.
mc_status mb_body_row(const mb_body_rows *b, int r, bool joints, expr_id *out, mc_error *error);
