// conditions.h - when joints and constraints switch, as functions of the state.
//
// A condition is a comparison, or several joined by and, or, not. It becomes a function that rises
// through zero where the condition becomes true: a < b gives b - a; and, or, not give the minimum,
// the maximum and the negative.
#pragma once

#include "equations/derive.h"
#include "multibody/scope.h"

// s->load, s->switches. Every condition is read and checked, also of what does not act.
mc_status mb_conditions_make(mb_system *s, mb_scope *scope, mc_error *error);
