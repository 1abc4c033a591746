// assembly.h - loops closed on numbers: where they close, which rows follow from others.
//
// Positions: the nearest q to the one given with e(q, t) = 0, by Newton's method on the constraints
// with the distance as objective; velocities: the nearest v with e' = 0. What the file names under
// `keep` does not move; coordinates that the file gives no start value move first.
//
// Rows: a planar loop in space has rows that follow from the others; a mechanism such as Bricard's
// has one although nothing in it is planar. The rank is asked at the start and at positions near
// it, since the start itself may be singular: a row is left out when it depends on the others at
// all of them. A row that is left out must still be zero; where it is not, the constraints
// contradict each other.
#pragma once

#include "expr/interpret.h"
#include "equations/derive.h"

typedef struct mb_assembly mb_assembly;

// NULL: see *error. parameter: of every program of the graph, in its order.
mb_assembly *mb_assembly_create(const mb_system *s, const mb_rows *rows, mc_error *error);
void mb_assembly_destroy(mb_assembly *a);

// Values of all parameters, in the order of the programs.
void mb_assembly_prepare(mb_assembly *a, const double *parameter);

// Moves q and v of y to the nearest consistent ones at time t; x: all other variables as they are.
// MC_BAD_INPUT names the joint that cannot close and how far it stays open.
mc_status mb_assembly_close(mb_assembly *a, double *x, mc_error *error);

// The same by Newton's method alone, from a position that is nearly closed: without going back to
// the nearest one. False: it stays open, by mb_assembly_gap.
bool mb_assembly_close_near(mb_assembly *a, double *x);

// Lets everything move alike, also what the file keeps at the start.
void mb_assembly_release(mb_assembly *a);

// A at x, row by row, v_count entries each; good until the next call.
const double *mb_assembly_matrix(mb_assembly *a, const double *x);

// q' (q_count) at x for velocities p.
void mb_assembly_rates(mb_assembly *a, double *x, const double *p, double *rate);

// Moves the coordinates in x along velocities p: q += N(q) p, quaternions made unit again.
void mb_assembly_move(mb_assembly *a, double *x, const double *p);

// Chooses rows->kept from the state in x, closed already.
mc_status mb_assembly_choose(mb_assembly *a, mb_rows *rows, const double *x, mc_error *error);

// Largest gap of a row: m or rad. at: the row; may be NULL.
double mb_assembly_gap(mb_assembly *a, const double *x, int *at);

// The same of the rows of one joint or constraint.
double mb_assembly_gap_of(mb_assembly *a, const double *x, const char *owner, int *at);

// A position like any other: near the start, in case that one is singular. All variables.
const double *mb_assembly_usual(const mb_assembly *a);
// Values of further nodes there.
mc_status mb_assembly_values(mb_assembly *a, const expr_id *node, int count, double *value,
                             mc_error *error);
