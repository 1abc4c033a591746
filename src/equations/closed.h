// closed.h - accelerations and multipliers where loops are closed or constraints act.
//
// With rows A v' = -bias beside M v' = Q + A' lambda (35, 36), two forms of the same solution:
//   lagrange    the descriptor form (37): [M A'; A 0] by an unrolled sparse LDL'
//   recursive   articulated bodies give the free accelerations and the response Y = M^-1 A' to each
//               row; (A Y) lambda = -bias - A v'_free closes the loops
#pragma once

#include "equations/derive.h"
#include "equations/ldl.h"

// pivot: of every row that acts.
mc_status mb_closed_accelerations(const mb_system *s, mb_form form, const mb_loads *loads,
                                  expr_id *vdot, expr_id *lambda, mb_pivot *pivot, mc_error *error);

// Row r, acting or left out, in the internal velocities of M (forms.h): v_count entries of A, the
// bias.
void mb_closed_row(const mb_system *s, int r, expr_id *A, expr_id *bias);

// The smallest change x of velocities, weighed by M, with A x = right: a step of projection.
mc_status mb_closed_change(const mb_system *s, mb_form form, const expr_id *right, expr_id *x,
                           mc_error *error);
