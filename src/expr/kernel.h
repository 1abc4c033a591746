// kernel.h - a program ready to run: by the interpreter at once, by compiled code when that is
// ready, with the same bits.
//
// The compiled code is a shared object in a cache, found by a hash of its source, which is kept
// beside it and compared: a wrong or damaged entry is compiled anew. Two processes may compile the
// same program at once; each makes its own file and renames it into place. The compiler is started
// without a shell; it sees only text made by emit.h. The cache belongs to the user alone (mode
// 0700); a folder somebody else can write to is refused and the interpreter is used.
//
// Environment: MOTORCADE_CC names the compiler (else clang, gcc, cc; "none": never compile),
// MOTORCADE_CACHE the folder (else $XDG_CACHE_HOME/motorcade, ~/.cache/motorcade).
//
// Threads: a kernel may be run by many threads at once, each with its own work memory.
#pragma once

#include "expr/function.h"
#include "expr/program.h"

typedef struct expr_kernel expr_kernel;

typedef enum expr_compile {
    EXPR_INTERPRET,          // never compile
    EXPR_COMPILE_BACKGROUND, // run at once, switch to compiled code when it is ready
    EXPR_COMPILE_WAIT,       // return when compiled; without a compiler as EXPR_INTERPRET
} expr_compile;

// The program must outlive the kernel.
expr_kernel *expr_kernel_create(const expr_program *p, expr_compile how, mc_error *error);
void expr_kernel_destroy(expr_kernel *k); // stops a compiler that is still at work

typedef enum expr_kernel_state {
    EXPR_KERNEL_INTERPRETED, // no compiler, or none wanted
    EXPR_KERNEL_COMPILING,
    EXPR_KERNEL_COMPILED,
    EXPR_KERNEL_FAILED, // compiler failed; interpreted. expr_kernel_message says why
} expr_kernel_state;

expr_kernel_state expr_kernel_state_of(const expr_kernel *k);
const char *expr_kernel_message(const expr_kernel *k); // "" when all is well
void expr_kernel_wait(expr_kernel *k);                 // until not compiling; by one thread only

int expr_kernel_work(const expr_kernel *k); // doubles, aligned to 32 bytes, for each thread

// As interpret.h.
void expr_kernel_prepare(const expr_kernel *k, const double *p, double *kept, double *work);
void expr_kernel_run(const expr_kernel *k, const double *x, const double *kept, double *y,
                     double *work);
void expr_kernel_run_lanes(const expr_kernel *k, int block_count, const double *x,
                           const double *kept, double *y, double *work);
