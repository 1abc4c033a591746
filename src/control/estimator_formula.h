// estimator_formula.h - an estimator written by the user as formulas.
//
//     estimator_formula *own = estimator_formula_create(&text, "file.yaml", EXPR_INTERPRET, &e);
//     const estimator_kind *kind = estimator_formula_kind(own);
//
// The text is that of a law (law.h) over the signals of estimator.h: parameters, states with rates,
// variables, and a result: the estimate. States move while `active` is above 0 and are held
// otherwise; when it rises above 0, those of `restart` begin at their start again. Integrated by
// the midpoint rule with measurements in straight lines between control steps: second order in the
// step.
#pragma once

#include "control/estimator.h"
#include "control/law.h"

typedef struct estimator_text {
    law_text law;          // law.acceleration is the estimate
    law_line active;       // of signals and parameters; formula NULL: always
    const char *parameter; // of a vehicle, that it estimates; "": none of them
    const char *unit;      // of the estimate; "": any
    unsigned restart;      // states, by bits
} estimator_text;

typedef struct estimator_formula estimator_formula;

// NULL: see *error, which names file, line and column. The text must outlive it.
estimator_formula *estimator_formula_create(const estimator_text *text, const char *file,
                                            expr_compile how, mc_error *error);
void estimator_formula_destroy(estimator_formula *e); // NULL: nothing
const estimator_kind *estimator_formula_kind(const estimator_formula *e);
