// laws.h - the built-in control laws: what they are called, what they do, what can be set.
//
//     mc_law law;
//     for (int i = 0; mc_law_at(i, &law); i++)
//         printf("%s: %s\n", law.name, law.doc);
//
// Everything is text and tables that live as long as the program.
#pragma once

#include "motorcade/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_law {
    const char *name, *doc;
    const char *equation, *source, *stability, *limits; // its card
    const mc_param *params;
    int param_count;
    int line_count; // of its formulas
} mc_law;

typedef enum mc_law_line_kind {
    MC_LAW_VARIABLE,     // name = formula
    MC_LAW_STATE,        // rate of name = formula
    MC_LAW_ACCELERATION, // the result
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

// Law number `index` in the order of the manual. 0: past the end, *out is untouched.
int mc_law_at(int index, mc_law *out);
int mc_law_find(const char *name, mc_law *out); // any case; 0: unknown
// The formulas of a law: variables in their order, states, the acceleration. 0: past the end.
int mc_law_line_at(const char *name, int index, mc_law_line *out);
int mc_law_signal_at(int index, mc_law_signal *out);

#ifdef __cplusplus
}
#endif
