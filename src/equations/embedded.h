// embedded.h - closed mechanisms by independent speeds: every loop is solved where it is.
//
// Links that loops tie together form a group with one root, the link that carries them all. Inside
// a group, in the axes of its root, the rows give the dependent accelerations from the independent
// ones; the group then passes to its root as a body with the independent speeds would. Everything
// else is the articulated-body recursion. Cost grows with the number of groups, not with the square
// of the number of rows.
//
// Which speeds are dependent is decided on numbers at the start (assembly.h): elimination with the
// largest entries that keep the rows sparse.
#pragma once

#include "equations/derive.h"
#include "equations/ldl.h"

// *possible: whether this form exists for the mechanism: not for constraints of the user, gears and
// rolling discs, nor for a free body inside a loop. Everything else as mb_closed_accelerations.
mc_status mb_embedded(const mb_system *s, const mb_loads *loads, expr_id *vdot, expr_id *lambda,
                      mb_pivot *pivot, bool *possible, mc_error *error);
