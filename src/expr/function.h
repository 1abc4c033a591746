// function.h - the one table of mathematical functions.
//
// Interpreter, compiled scalar code and compiled vector code all call the functions listed here,
// through pointers handed to them, so that all give the same bits. They come from SLEEF's
// reproducible family: the result depends on the argument alone, not on lane or width.
//
// A function acts on arrays: y[i] = f(a[i]) or f(a[i], b[i]), i < n. So one call serves one value,
// four angles of one vehicle, or one angle of four vehicles. `sincos` gives both at once; sin and
// cos of the same angle are always taken from it. y may be the array a (or b); otherwise arrays do
// not overlap. Results are within 1.01 units in the last place wherever they are normal numbers.
#pragma once

#include "expr/graph.h"

typedef enum expr_function {
    EXPR_SIN,
    EXPR_COS,
    EXPR_TAN,
    EXPR_ASIN,
    EXPR_ACOS,
    EXPR_ATAN,
    EXPR_ATAN2,
    EXPR_SINH,
    EXPR_COSH,
    EXPR_TANH,
    EXPR_EXP,
    EXPR_LOG,
    EXPR_LOG10,
    EXPR_POW,
    EXPR_HYPOT,
    EXPR_FUNCTION_COUNT,
} expr_function;

typedef struct expr_function_row {
    const char *name;         // in formulas and in emitted C (with libm's meaning)
    const char *fortran;      // intrinsic, or NULL: written out by the emitter
    int arity;                // 1 or 2
    bool angle_in, angle_out; // for the check of units: argument or result is an angle
    const char *doc;
    // Derivative by argument k (0 or 1) of node `call` = f(a, b).
    expr_id (*derivative)(expr_graph *g, expr_id call, expr_id a, expr_id b, int k);
} expr_function_row;

const expr_function_row *expr_function_at(int function);

typedef void expr_unary(int n, const double *a, double *y);
typedef void expr_binary(int n, const double *a, const double *b, double *y);
typedef void expr_pair(int n, const double *a, double *y, double *z);

// What a kernel gets. The layout is part of emitted code (emit.h prints it): add at the end only.
typedef struct expr_functions {
    expr_pair *sincos;
    expr_unary *tan, *asin, *acos, *atan, *sinh, *cosh, *tanh, *exp, *log, *log10;
    expr_binary *atan2, *pow, *hypot;
} expr_functions;

// The functions of this processor's level (base/cpu.h). n may be any number >= 0.
const expr_functions *expr_functions_best(void);

// One of them by its number: y = f(a) or f(a, b). z: room for n more values, used by sin and cos.
void expr_functions_call(const expr_functions *f, int function, int n, const double *a,
                         const double *b, double *y, double *z);

// Of one argument or two (b is not looked at for the others), with the bits the kernels give.
double expr_function_value(int function, double a, double b);

// Value of a node from those of its children, v[id]; of an input: NAN, the caller knows it.
double expr_node_value(const expr_node *n, const double *v);
