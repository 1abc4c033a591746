// tyre_formula.h - a tyre law written by the user as formulas.
//
//     const tyre_formula_line states[] = {{"z", "m", "-v_y - abs(v_roll)/sigma*z"}};
//     const tyre_formula_text text = {
//         .name = "mine", .params = params, .param_count = 2, .states = states, .state_count = 1,
//         .fx = {"fx", "N", "0"}, .fy = {"fy", "N", "clamp(C*z/sigma, -mu*fz, mu*fz)"}};
//     tyre_formula *law = tyre_formula_create(&text, "car.yaml", EXPR_COMPILE_BACKGROUND, &error);
//     const tyre_kind *kind = tyre_formula_kind(law);
//
// The kind is used like any other; its context must be handed to eval (tyre.h), and the law must
// outlive who uses it. Names a formula may use:
//
//     fz              N      load, 0 when the wheel is in the air
//     v_x, v_y        m/s    velocity of the contact point along and across the wheel
//     v_roll          m/s    spin times radius; v_x for a wheel that rolls freely
//     mu              -      friction of the road relative to the reference road
//     slip_x, slip_y  -      (v_roll - v_x) and -v_y over max(|v_roll|, 0.1 m/s): positive slip
//                            asks for a positive force
//     parameters, states, and variables of earlier lines by their names
//
// `fx` and `fy` are the force of the road on the wheel, N; a state's line is its rate. In the air
// the force is 0 whatever the formulas say. How stiff the states are, rolling and sliding, is
// measured, and bounds the step of the vehicle: a law with fast states is a slow one. Nothing else
// is enforced: that the force stays inside the friction circle and is finite is the author's
// business; tests/contract/test_tyres.c shows how laws are examined.
#pragma once

#include "codegen/kernel.h"
#include "motorcade/status.h"
#include "parts/tyre.h"

enum { TYRE_VARIABLE_MAX = 32 };

typedef struct tyre_formula_line { // name = formula, or name' = formula
    const char *name, *unit;       // unit "" or NULL: not known
    const char *formula;
    int line, column; // in the file; 0: not from a file
} tyre_formula_line;

typedef struct tyre_formula_text {
    const char *name, *doc;
    const mc_param *params; // must outlive the law
    int param_count;
    const tyre_formula_line *states; // rates
    int state_count;
    const tyre_formula_line *variables; // in order; later ones may use earlier ones
    int variable_count;
    tyre_formula_line fx, fy;
} tyre_formula_text;

typedef struct tyre_formula tyre_formula;

// NULL: see *error, which names file, line and column. file may be NULL.
tyre_formula *tyre_formula_create(const tyre_formula_text *text, const char *file, expr_compile how,
                                  mc_error *error);
void tyre_formula_destroy(tyre_formula *law);

// Has the law compiled, unless that was asked for before; it is interpreted until then, with the
// same bits. By any thread, also while vehicles use it: those continue with compiled code. No
// memory: it stays interpreted.
void tyre_formula_compile(tyre_formula *law, expr_compile how);
const expr_kernel *tyre_formula_kernel(const tyre_formula *law); // for its state

const tyre_kind *tyre_formula_kind(const tyre_formula *law);
