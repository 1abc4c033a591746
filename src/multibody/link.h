// link.h - the mechanism in the form the recursions need: elementary joints, each with its own
// frame.
//
// A body's joint becomes one link (hinge, prism, ball, free) or a row of them (general hinge: one a
// free coordinate). Three things make the frames of links cheaper than those of bodies:
// - A hinge axis is always a coordinate axis of the link; the constant turn that brings it there is
//   part of `prepare`.
// - The origin of a hinge is slid along its axis, and that of a prism anywhere, so that offsets
//   from link to link have as few entries as possible.
// - A body at the end of a branch that is symmetric about its hinge axis is not turned with it. Its
//   mass, and its inertia across the axis, ride on the inboard link; what is left is a rotor: a
//   moment of inertia about one axis. Bodies on fixed joints ride along whole.
// A body's own frame is found from its link by `body_turn` and `body_at`.
#pragma once

#include "multibody/model.h"
#include "multibody/vector.h"

typedef enum mb_motion {
    MB_REVOLUTE,  // about coordinate axis `axis`
    MB_SLIDING,   // along coordinate axis `axis`
    MB_SPHERICAL, // quaternion
    MB_FLOATING,  // free; inboard is ground
} mb_motion;

typedef struct mb_link {
    int inboard; // link; -1: ground
    int body;    // whose joint it is part of
    mb_motion motion;
    int axis;
    bool flipped; // the coordinate counts against the axis
    int q, v;     // first coordinate and velocity
    int q_count, v_count;
    expr_id angle;  // revolute: the angle about the axis; sliding: the travel along it
    expr_id rate;   // its rate about or along the axis
    mb_mat turn;    // constant part of the orientation in the inboard link
    mb_vec at;      // constant part of the place of the origin
    mb_mat R;       // orientation in the inboard link
    mb_vec r;       // origin in the inboard link
    expr_id mass;   // of everything that rides on it, kg
    mb_vec moment;  // mass times mass centre, link frame, kg m
    mb_mat inertia; // about the link's origin, link axes, kg m2
} mb_link;

// A moment of inertia J that turns about an axis fixed in a link, at the rate of velocity v.
typedef struct mb_rotor {
    int link; // -1: ground
    int body;
    int q, v;
    mb_vec axis; // unit, link frame
    expr_id J, rate;
} mb_rotor;

typedef struct mb_place { // of a body's frame
    int link;             // -1: ground
    mb_mat turn;          // in the link
    mb_vec at;
    int rotor; // -1, or the rotor this body is
} mb_place;

typedef struct mb_links {
    arena memory;
    expr_graph *graph;
    const mb_model *model;
    mb_link *links; // inboard first
    mb_rotor *rotors;
    mb_place *bodies; // of every body
    int link_count, rotor_count;
    int q_count, v_count;
    int *body_q, *body_v;   // first coordinate and velocity of a body
    int *order;             // bodies, inboard first
    int *q_input, *v_input; // inputs of the graph
    expr_id *q, *v;         // their nodes
} mb_links;

// Adds the coordinates and velocities as variables to the model's graph, named as in model.h.
mc_status mb_links_make(const mb_model *model, mb_links *out, mc_error *error);
void mb_links_free(mb_links *links);

// The nearest link that carries both; -1: the ground.
int mb_links_common(const mb_links *links, int a, int b);

// Angular velocity of a link against its inboard link, link axes.
mb_vec mb_link_spin(const mb_links *s, const mb_link *link);

// Orientation by a sequence of three angles, each about an axis of the frame turned so far.
mb_mat mb_mat_sequence(expr_graph *g, const int axes[3], const expr_id angles[3]);
