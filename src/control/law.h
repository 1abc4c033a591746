// law.h - control laws as formulas: measurements in, wanted acceleration out.
//
// Every law, built in or the user's own, is the same thing: parameters with a table, states with
// rates, named intermediate values, one formula for the wanted acceleration. It is parsed into the
// graph of expr, so it can be run over a batch, differentiated for transfer functions, printed on
// its card, and changed while it runs. Adding a law: one file law_NAME.c, one line in laws.c.
//
//     law *l = law_compile(law_find("platoon"), NULL, EXPR_COMPILE_BACKGROUND, &error);
//     law_run(l, block_count, x, y, work);
//
// A formula may use the signals, the parameters, the states, and the variables written before it.
// Units are checked where they are known: a bare number fits everywhere, an empty unit too.
//
// x of a block of four cars: value s of lane k is x[(block * law_x_count + s) * 4 + k]; first the
// signals (signal.h), then the states, then the parameters. y: wanted acceleration, then the rates
// of the states. A compiled law is immutable and may be used by several threads.
#pragma once

#include "control/signal.h"
#include "expr/kernel.h"
#include "motorcade/status.h"

typedef struct law_line { // name = formula
    const char *name;
    const char *unit; // SI; NULL or "": any
    const char *formula;
    int line, column; // in the file; 0: built in
} law_line;

typedef struct law_state {
    law_line rate;     // name and unit of the state; the formula is its rate, unit/s
    const char *start; // formula of signals and parameters (or variables of them); NULL: 0
    int start_line, start_column;
} law_state;

typedef struct law_card {  // what a user reads of a law
    const char *equation;  // in ordinary notation
    const char *source;    // who published it, where
    const char *stability; // why and when a platoon under it is stable
    const char *limits;    // what it does not do
} law_card;

typedef struct law_text {
    const char *name, *doc;
    const mc_param *params;
    int param_count;
    const law_state *states;
    int state_count;
    const law_line *variables; // in order; later ones may use earlier ones
    int variable_count;
    law_line acceleration; // m/s^2
    law_card card;
    int line, column; // of the law in the file, for what has no place of its own; 0: built in
} law_text;

enum { LAW_PARAM_MAX = 32, LAW_STATE_MAX = 16, LAW_VARIABLE_MAX = 64 };

const law_text *law_at(int index);          // built-in laws in the order of the manual; NULL: end
const law_text *law_find(const char *name); // any case; NULL: unknown

typedef struct law law;

// file: for messages about the user's own law; NULL: built in.
law *law_compile(const law_text *text, const char *file, expr_compile how, mc_error *error);
void law_destroy(law *l);

const law_text *law_text_of(const law *l);
int law_x_count(const law *l);  // SIGNAL_COUNT + states + parameters
int law_y_count(const law *l);  // 1 + states
int law_state_at(const law *l); // place of the first state in x
int law_param_at(const law *l); // place of the first parameter in x
bool law_uses(const law *l, enum law_signal signal);
int law_work(const law *l);                  // doubles, aligned to 32 bytes, for each thread
const expr_kernel *law_kernel(const law *l); // for its state: compiled or not

void law_run(const law *l, int block_count, const double *x, double *y, double *work);
// The same for one car, whose values stand one behind the other.
void law_run_one(const law *l, const double *x, double *y, double *work);

// One control step by the midpoint rule: the signals in x are those at its start, `middle` those in
// its middle, laid out as the signals of x, SIGNAL_COUNT x 4 a block (NULL: the same). Afterwards
// x holds the signals of the middle and the states at the end, and y is what law_run gives in the
// middle: y[0] is the mean wanted acceleration to second order in dt. Laws without states are
// evaluated once, others twice.
void law_step(const law *l, int block_count, double dt, double *x, const double *middle, double *y,
              double *work);

// States at the start, from signals and parameters in x (one car, not a block).
void law_start(const law *l, const double *x, double *states);

// Derivatives of y by all of x for one car, row by row: law_y_count x law_x_count.
mc_status law_jacobian(const law *l, const double *x, double *jacobian, mc_error *error);

// A linear controller of any order: z' = A z + B e, wanted = C z + D e, e the named signals. The
// text lives in the arena. A: n x n, B: n x m, C: 1 x n, D: 1 x m, row by row.
typedef struct law_linear {
    int order, input_count;
    const char *const *inputs; // names of signals, or formulas such as "v_front - v"
    const double *A, *B, *C, *D;
} law_linear;
struct arena;
const law_text *law_from_matrices(struct arena *memory, const char *name, const law_linear *m,
                                  mc_error *error);
