// arm.h - a link on its way through the articulated-body recursion, for the forms that use it.
#pragma once

#include "equations/forms.h"

#include <string.h>

// One degree of freedom once it is eliminated: x = rest - sum over j of share[j] a[j].
typedef struct mb_freed {
    int index; // 0..2 about, 3..5 along an axis of the link
    expr_id share[6];
    expr_id inverse; // of the pivot
    expr_id rest;
} mb_freed;

typedef struct mb_arm { // a link on its way
    expr_id I[6][6];    // articulated inertia
    expr_id p[6];       // bias
    expr_id c[6];       // acceleration across the joint that needs no acceleration
    expr_id a[6];       // acceleration
    mb_vec spin;        // w
    mb_mat square;      // W of w x (w x r) = W r, when several want it
    bool squared;
    int uses; // how many ask for it
    mb_freed dof[6];
    int dof_count;
} mb_arm;

static inline mb_vec mb_upper(const expr_id x[6])
{
    return (mb_vec){{x[0], x[1], x[2]}};
}

static inline mb_vec mb_lower(const expr_id x[6])
{
    return (mb_vec){{x[3], x[4], x[5]}};
}

static inline void mb_set6(expr_id x[6], mb_vec up, mb_vec low)
{
    memcpy(x, up.v, sizeof up.v);
    memcpy(x + 3, low.v, sizeof low.v);
}

// w x (w x r) with the link's spin.
mb_vec mb_arm_whirl(expr_graph *g, mb_arm *at, mb_vec r);
// Counts who asks for it.
void mb_arms_count_uses(const mb_links *s, mb_arm *arms);

// Outwards: spin and bias of a link.
void mb_arm_move_out(const mb_links *s, mb_arm *arms, int i);
// Its own inertia and what acts on it.
void mb_arm_start(const mb_links *s, const mb_loads *loads, mb_arm *at, int i);
void mb_arm_add_rotor(const mb_links *s, const mb_loads *loads, mb_arm *arms,
                      const mb_rotor *rotor);
// Inwards: its joint eliminated, the rest passed to the inboard link.
void mb_arm_eliminate(const mb_links *s, const mb_loads *loads, mb_arm *at, int i);
void mb_arm_pass_in(const mb_links *s, mb_arm *arms, int i);
// inertia and bias [A B; B' C], p of something at r with axes parallel to the link's, added to it.
void mb_arm_add_at(expr_graph *g, mb_arm *in, mb_vec r, const mb_mat *A, const mb_mat *B,
                   const mb_mat *C);
// Outwards: its acceleration and those of its joint.
void mb_arm_accelerate(const mb_links *s, mb_arm *arms, int i, expr_id *vdot);
