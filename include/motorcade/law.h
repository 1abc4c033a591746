// law.h - user-defined control laws: formulas with a table of parameters, known to scenarios by
// name.
//
// A law is text: parameters, states with rates, named intermediate values, and one formula for the
// desired acceleration. Formulas may use the signals of laws.h (gap, v, v_front, ...), the
// parameters, the states, and earlier variables; docs/formulas.md describes the language. They are
// parsed when the law is registered, and errors are reported then.
//
//     static const mc_param params[] = {
//         {"k", "1/s^2", 0.2, 0.0, 5.0, "gain of the spacing error"},
//     };
//     static const mc_law_text soft = {
//         .size = sizeof(mc_law_text), .name = "soft", .doc = "a soft spring to the car in front",
//         .params = params, .param_count = 1,
//         .acceleration = {.formula = "k*(gap - distance - headway*v)"},
//     };
//     mc_law_register(&soft, &error);               // then scenarios may say  law: soft
//
// A law can also be written in a scenario, without compiling anything (docs/control.md).
//
// A steering law is the same with `steer` instead of `acceleration`, over the signals of
// mc_steering_signal_at (offset, heading, curvature, ...), added by mc_steering_register.
//
// Threads: mc_law_register may be called by any thread; scenarios that are read afterwards know the
// law.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stddef.h>

#include "motorcade/begin.h"

enum { MC_LAW_PARAM_MAX = 32, MC_LAW_STATE_MAX = 16, MC_LAW_VARIABLE_MAX = 64 };

typedef struct mc_law_formula { // name = formula
    const char *name;
    const char *unit; // SI; NULL or "": any
    const char *formula;
    int line, column; // in a scenario file; 0: in none
} mc_law_formula;

typedef struct mc_law_state {
    mc_law_formula rate; // name and unit of the state; the formula is its rate, unit/s
    const char *start;   // formula of signals and parameters (or variables of them); NULL: 0
    int start_line, start_column;
} mc_law_state;

typedef struct mc_law_card { // what a user reads about a law; any may be NULL
    const char *equation;    // in ordinary notation
    const char *source;      // who published it, where
    const char *stability;   // why and when a platoon under it is stable
    const char *limits;      // what it does not do
} mc_law_card;

typedef struct mc_law_text {
    // ---- required ----
    size_t size;            // sizeof(mc_law_text); of the library's own laws 0
    const char *name, *doc; // the word used in a scenario; one line for the manual
    union {
        mc_law_formula acceleration; // m/s^2
        mc_law_formula steer;        // rad, of a steering law
    };

    // ---- optional ----
    const mc_param *params;
    int param_count; // at most MC_LAW_PARAM_MAX
    const mc_law_state *states;
    int state_count;                 // at most MC_LAW_STATE_MAX
    const mc_law_formula *variables; // in order; later ones may use earlier ones
    int variable_count;              // at most MC_LAW_VARIABLE_MAX
    mc_law_card card;
    int line, column; // in a scenario file, for what has no place of its own; 0: in none
} mc_law_text;

// Adds a law, which must live as long as the program. MC_BAD_INPUT: a formula is wrong, a rule
// above is broken, or the name is taken.
mc_status mc_law_register(const mc_law_text *law, mc_error *error);
// The same for a steering law; scenarios may then say  steering: NAME.
mc_status mc_steering_register(const mc_law_text *law, mc_error *error);

#include "motorcade/end.h"
