// laws.h - the built-in control laws and steering laws: what they are called, what they do, what
// can be set.
//
//     mc_law law;
//     for (int i = 0; mc_law_at(i, &law); i++)
//         printf("%s: %s\n", law.name, law.doc);
//
// Everything is text and tables that live as long as the program.
//
// Threads: tables are constant; every function may be called from any thread.
#pragma once

#include "motorcade/param.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_law {
    const char *name, *doc;
    const char *equation, *source, *stability, *limits; // its card
    const mc_param *params;
    int param_count;
    int line_count; // of its formulas
} mc_law;

typedef enum mc_law_line_kind {
    MC_LAW_LINE_VARIABLE,     // name = formula
    MC_LAW_LINE_STATE,        // rate of name = formula
    MC_LAW_LINE_ACCELERATION, // the result
    MC_LAW_LINE_STEER,        // the result of a steering law
} mc_law_line_kind;

typedef struct mc_law_line {
    mc_law_line_kind kind;
    const char *name, *unit; // unit of the name, also of a state
    const char *formula;
    const char *start; // of a state; NULL: 0
} mc_law_line;

typedef struct mc_law_signal { // what formulas of laws may use
    const char *name, *unit, *doc;
} mc_law_signal;

// Law number `index` in the order of the manual. false: past the end, *out is untouched.
bool mc_law_at(int index, mc_law *out);
bool mc_law_find(const char *name, mc_law *out); // any case; false: unknown

// The law that is taken where the user names none.
typedef enum mc_law_role {
    MC_LAW_ROLE_PROFILE,        // vehicles that follow a speed profile and nothing else
    MC_LAW_ROLE_STABILITY,      // mc_stability_defaults
    MC_LAW_ROLE_DYNAVIS,        // scenarios made of DYNAVIS files
    MC_LAW_ROLE_IDENTIFICATION, // the bench on which DYNAVIS identifies a mass
    MC_LAW_ROLE_DRIVER,         // drivers of scenarios made of other programs' files
    MC_LAW_ROLE_AUTOMATED,      // automated cars of those
    MC_LAW_ROLE_COUNT
} mc_law_role;
const char *mc_law_default(mc_law_role role); // its name

// The formulas of a law: variables in their order, states, the acceleration. false: past the end.
bool mc_law_line_at(const char *name, int index, mc_law_line *out);
bool mc_law_signal_at(int index, mc_law_signal *out);

// The same of steering laws, which keep a car on its path. The first is that of controllers that
// name none.
bool mc_steering_at(int index, mc_law *out);
bool mc_steering_find(const char *name, mc_law *out);
bool mc_steering_line_at(const char *name, int index, mc_law_line *out);
bool mc_steering_signal_at(int index, mc_law_signal *out);

#include "motorcade/end.h"
