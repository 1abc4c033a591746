// emit.h - programs as source text: C for one state, C for blocks of four lanes, Fortran.
//
// Text is reproducible: the same program gives the same bytes, whatever the locale. Names of
// variables come from labels of the graph, made harmless; nothing a user wrote reaches the compiler
// as code. Every instruction is one statement; the equations have no loop, no branch and no call
// but those of the function table.
//
//     EXPR_C        void NAME_prepare(const double *p, double *k, const NAME_functions *f);
//                   void NAME_run(const double *x, const double *k, double *y,
//                                 const NAME_functions *f);
//     EXPR_C_LANES  NAME_prepare as above, and
//                   void NAME_run_lanes(int block_count, const double *x, const double *k,
//                                       double *y, const NAME_functions *f);
//     EXPR_FORTRAN  module NAME: NAME_prepare(p, k), NAME_run(x, k, y)
//
// Value s of lane l of block b is at x[(b * variable_count + s) * 4 + l]; k is shared by all lanes.
// Nothing need be aligned; y must not overlap x or k. NAME_functions has the layout of
// expr_functions. The C files stand alone: they bring NAME_functions_default, made of <math.h>,
// counts and names. Fused operations are fused where __FMA__ is defined; Fortran writes a*b + c.
//
// A long program is cut into functions called one after the other; values that cross a cut travel
// through an array on the stack of the caller.
//
// With `plain` the text is for the loader: no comments, no names but ours, no tables, no #include;
// NAME is motorcade_kernel. EXPR_C then adds `const int motorcade_kernel_counts[6]` (version of
// this agreement, variables, parameters, prepared values, outputs, functions), and EXPR_C_LANES
// leaves out `prepare`, so that both texts fit into one shared object or one file.
#pragma once

#include "expr/program.h"

#include <stddef.h>

// Starts as {0}.
typedef struct expr_text {
    char *text; // malloc'ed, ends with '\0'; NULL while nothing was added
    size_t size, capacity;
    mc_status status; // MC_NO_MEMORY when it could not grow; nothing is added from then on
} expr_text;

void expr_text_add(expr_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void expr_text_put(expr_text *t, const char *bytes, size_t count); // the same, as they are
void expr_text_free(expr_text *t);

typedef enum expr_language { EXPR_C, EXPR_C_LANES, EXPR_FORTRAN } expr_language;

enum { EXPR_KERNEL_VERSION = 1 }; // first entry of motorcade_kernel_counts

typedef struct expr_emit_options {
    expr_language language;
    const char *name;   // prefix of the functions: NAME_prepare, NAME_run, NAME_run_lanes
    const char *header; // lines of comment put on top, plain text; NULL: none
    int piece;          // longest function, in instructions; 0: default (250; emit.c has figures)
    bool plain;         // C only: for the loader
    bool wide;          // EXPR_C_LANES, plain: two blocks at a time, with AVX-512; the same bits
} expr_emit_options;

// Appends to *out.
mc_status expr_emit(const expr_program *p, const expr_emit_options *options, expr_text *out,
                    mc_error *error);

// A word made of letters, digits and single '_' that begins with a letter, is at most 42 long, and
// is no keyword of C or Fortran, no intrinsic and no name of our own in emitted code.
void expr_identifier(const char *word, char out[48]);

// The shortest number that reads back as the same bits, with a point or an exponent ("2.0",
// "-1e+300"), in "C" notation whatever the locale. Must be finite.
void expr_literal(double value, char out[32]);
