// interpret.h - runs a program at once, without a compiler; the reference of the compiled code.
//
// Work memory comes from the caller; nothing is allocated. Blocks of four lanes as everywhere:
// value s of lane l of block b is at x[(b * variable_count + s) * 4 + l]; k is shared by all lanes.
// x, k and y need no alignment and do not overlap. One state, any lane of any number of blocks: the
// same bits (which NaN a NaN is, is not promised).
#pragma once

#include "expr/function.h"
#include "expr/program.h"

typedef struct expr_machine expr_machine; // a program translated to bytecode; immutable

expr_machine *expr_machine_create(const expr_program *p, mc_error *error);
void expr_machine_destroy(expr_machine *m);

int expr_machine_work(const expr_machine *m); // doubles of work memory, aligned to 32 bytes

void expr_machine_prepare(const expr_machine *m, const double *p, double *k, double *work);
void expr_machine_run(const expr_machine *m, const double *x, const double *k, double *y,
                      double *work); // one state
void expr_machine_run_lanes(const expr_machine *m, int block_count, const double *x,
                            const double *k, double *y, double *work);
