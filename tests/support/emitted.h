// emitted.h - files that `motorcade derive` writes, compiled as a user would and loaded.
#pragma once

#include "expr/function.h"
#include "motorcade/multibody.h"
#include "support/run.h"

typedef void emitted_one(const double *x, const double *k, double *y, const expr_functions *f);
typedef void emitted_blocks(int count, const double *x, const double *k, double *y,
                            const expr_functions *f);
typedef void emitted_prepare(const double *p, double *k, const expr_functions *f);
typedef void emitted_prepare_fortran(const double *p, double *k);
typedef void emitted_one_fortran(const double *x, const double *k, double *y);

// Writes, compiles and loads; NULL when there is no such compiler.
void *emitted_build(const run_folder *folder, mc_multibody *m, mc_language language, mc_code code,
                    const char *file, const char *compiler);
void *emitted_symbol(void *object, const char *name); // fails the test when there is none
