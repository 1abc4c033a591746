// forms.h - the two ways to the accelerations. Same input, same result to rounding.
//
// Both use that the laws of motion do not depend on the velocity of the frame, and that a uniform
// gravity pulls all alike: for a free base the equations are written for an observer who moves with
// the base's origin and falls with it, so that neither its velocity nor gravity appears; gravity is
// added to the acceleration of the origin at the end. On a fixed base the ground accelerates
// upwards.
#pragma once

#include "multibody/link.h"

// Everything that acts but gravity.
typedef struct mb_loads {
    expr_id *tau;   // v_count: dual of each velocity
    mb_vec *torque; // link_count: about the link's origin, link axes
    mb_vec *force;
} mb_loads;

bool mb_loads_create(const mb_links *links, mb_loads *out); // all zero; false: no memory
void mb_loads_free(mb_loads *loads);

// Articulated-body recursion: cost and code grow linearly with the number of links.
mc_status mb_recursive(const mb_links *links, const mb_loads *loads, expr_id *vdot,
                       mc_error *error);

// The same, kept for further questions: what do generalised forces tau (dual to v) add to v', all
// else being equal? Links that tau does not reach cost nothing.
typedef struct mb_articulated mb_articulated;
mb_articulated *mb_articulated_create(const mb_links *links, const mb_loads *loads, expr_id *vdot,
                                      mc_error *error); // NULL: see *error
void mb_articulated_destroy(mb_articulated *a);
mc_status mb_articulated_response(const mb_articulated *a, const expr_id *tau, expr_id *vdot,
                                  mc_error *error);

// What the paper's form makes on its way; arrays are malloc'ed, free with mb_lagrange_free.
typedef struct mb_lagrange_result {
    expr_id *M;     // v_count x v_count, symmetric, in the internal velocities (below)
    expr_id *right; // v_count: Q - (d/dt T,u - T,q without accelerations)
    expr_id *T;     // 6 link_count rows: spin and velocity of the mass centre of each link by
                    // v_count columns: the transformation V = T u (21)
    int *order;     // elimination order of M (AMD)
    int fill;       // entries of the factor beyond those of M
} mb_lagrange_result;

// Lagrange's equations in quasi-coordinates, partial velocities with dependency lists, momentum
// form, sparse LDL' of M. Internal velocities: as v, but the linear velocity of a free base in body
// axes. kept may be NULL.
mc_status mb_lagrange(const mb_links *links, const mb_loads *loads, expr_id *vdot,
                      mb_lagrange_result *kept, mc_error *error);
// M, right and T without solving; order and fill are left empty.
mc_status mb_lagrange_assemble(const mb_links *links, const mb_loads *loads,
                               mb_lagrange_result *out, mc_error *error);
void mb_lagrange_free(mb_lagrange_result *r);

// Shared: accelerations of the base's origin as the model wants them. a_b: body axes, without
// gravity.
void mb_base_acceleration(const mb_links *links, const mb_link *link, mb_vec a_b, expr_id *vdot);
// Generalised force on the base's linear velocity in body axes.
mb_vec mb_base_force(const mb_links *links, const mb_link *link, const expr_id *tau);
