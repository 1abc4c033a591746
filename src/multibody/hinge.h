// hinge.h - what a joint makes of the velocities of its two bodies: eqs (23), (25), (27), (33).
//
// The velocity V of a body has six numbers: its angular velocity and the velocity of its origin,
// both in its own axes. With n the outboard body (`to`) and m the inboard one (`from`), the six
// rates of a joint are
//
//     rates = B_q V_n + B_p V_m
//
// first three rates of turning, then three of travel along the axes of the joint on m. Those of the
// joint's own coordinates are free; the others are zero. The same two bodies give
//
//     V_n = X V_m + S v,    w_n = R' w_m + ..,    v_n = R' (v_m + w_m x r) + ..
//
// which is (28): the rates solved for V_n.
#pragma once

#include "multibody/frames.h"

typedef struct mb_hinge {
    const char *name;      // of the body whose tree joint it is, or of the closing joint
    int closing;           // -1: a joint of the tree
    int outboard, inboard; // bodies; -1: ground
    mb_mat R;              // axes of the outboard body as columns, in those of the inboard one
    mb_vec r;              // the point of the joint on `to`, in the frame of the inboard body
    mb_mat seen;           // closing joints: axes of the inboard body seen from the common link
    mb_mat on_from, on_to; // axes of the joint in the frames of the two bodies
    mb_vec at;             // that point in the frame of the outboard body; zero for tree joints
    expr_id q[36], p[36];  // B_q and B_p by rows
    bool free[6];
    int velocity[6]; // tree: the place in v of a free rate; -1: held
    char word[6][16];
    int partial_count; // tree: S
    int partial_velocity[6];
    mb_vec partial_spin[6], partial_slide[6];
} mb_hinge;

// The tree joint of a body. false: no memory.
bool mb_hinge_of_body(mb_frames *f, const mb_links *links, int body, mb_hinge *out);
// A joint beside the tree; not of the kinds that hold coordinates (gear, rack).
bool mb_hinge_of_closing(mb_frames *f, const mb_links *links, int closing, mb_hinge *out);

// A torque and a force on `to` at the joint's point, in the axes of the inboard body, as each body
// feels them: torque about its origin, then force, in its own axes; `from` feels the reaction.
void mb_hinge_wrench(expr_graph *g, const mb_hinge *hinge, mb_vec torque, mb_vec force,
                     expr_id on_outboard[6], expr_id on_inboard[6]);

// V of the outboard body by one column (of T, or V itself) of the inboard one: X V_m.
void mb_hinge_carry(expr_graph *g, const mb_hinge *hinge, const expr_id inboard[6],
                    expr_id outboard[6]);
