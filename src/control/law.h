// law.h - control laws as formulas: measurements in, desired acceleration out.
//
// Every law, built-in or user-defined, has the same parts: parameters with a table, states with
// rates, named intermediate values, one formula for the desired acceleration. It is parsed into the
// graph of expr, so it can be run over a batch, differentiated for transfer functions, printed on
// its card, and changed while it runs. Adding a law: one file law_NAME.c, one word in laws.c.
//
//     law *l = law_compile(law_at(0), NULL, EXPR_COMPILE_BACKGROUND, &error);
//     law_run(l, block_count, x, y, work);
//
// A formula may use the signals, the parameters, the states, and the variables written before it.
// Units are checked where they are known: a bare number fits everywhere, an empty unit too.
//
// x of a block of four cars: value s of lane k is x[(block * law_x_count + s) * 4 + k]; first the
// signals (signal.h), then the states, then the parameters. y: desired acceleration, then the rates
// of the states. A compiled law is immutable and may be used by several threads.
#pragma once

#include "codegen/kernel.h"
#include "control/signal.h"
#include "motorcade/law.h"
#include "motorcade/laws.h"
#include "motorcade/status.h"

typedef mc_law_formula law_line;
typedef mc_law_state law_state;
typedef mc_law_card law_card;
typedef mc_law_text law_text;

enum {
    LAW_PARAM_MAX = MC_LAW_PARAM_MAX,
    LAW_STATE_MAX = MC_LAW_STATE_MAX,
    LAW_VARIABLE_MAX = MC_LAW_VARIABLE_MAX
};

// Laws in the order of the manual, then those from outside; NULL: end.
const law_text *law_at(int index);
const law_text *law_find(const char *name); // any case; NULL: unknown
const law_text *law_default(mc_law_role role);

typedef struct law law;

// What formulas of some kind may speak of, and what they compute. Control laws: law_words.
typedef struct law_vocabulary {
    const law_signal_row *signals;
    int signal_count;   // at most SIGNAL_COUNT
    const char *result; // "acceleration"
    const char *unit;   // of the result; "": any
} law_vocabulary;
extern const law_vocabulary law_words;

// file: for messages about the user's own law; NULL: built in.
law *law_compile(const law_text *text, const char *file, expr_compile how, mc_error *error);
// The same over other signals; text->acceleration is the result. In the layouts below the number of
// signals is then that of `words`, which must outlive the law.
law *law_compile_words(const law_text *text, const law_vocabulary *words, const char *file,
                       expr_compile how, mc_error *error);
// The same law for another owner, who destroys it too; owners must not use it at the same time.
law *law_share(law *l);
void law_destroy(law *l);

const law_text *law_text_of(const law *l);
int law_x_count(const law *l);  // SIGNAL_COUNT + states + parameters
int law_y_count(const law *l);  // 1 + states
int law_state_at(const law *l); // place of the first state in x
int law_param_at(const law *l); // place of the first parameter in x
bool law_uses(const law *l, int signal);
int law_work(const law *l);                  // doubles, aligned to 32 bytes, for each thread
const expr_kernel *law_kernel(const law *l); // for its state: compiled or not

void law_run(const law *l, int block_count, const double *x, double *y, double *work);
// The same for one car, whose values stand one behind the other.
void law_run_one(const law *l, const double *x, double *y, double *work);

// One control step by the midpoint rule: the signals in x are those at its start, `middle` those in
// its middle, laid out as the signals of x, SIGNAL_COUNT x 4 per block (NULL: the same). Afterwards
// x holds the signals of the middle and the states at the end, and y is what law_run gives in the
// middle: y[0] is the mean desired acceleration to second order in dt. Laws without states are
// evaluated once, others twice.
void law_step(const law *l, int block_count, double dt, double *x, const double *middle, double *y,
              double *work);

// States at the start, from signals and parameters in x (one car, not a block).
void law_start(const law *l, const double *x, double *states);

// Derivatives of y by all of x for one car, row by row: law_y_count x law_x_count.
mc_status law_jacobian(const law *l, const double *x, double *jacobian, mc_error *error);

// A linear controller of any order: z' = A z + B e, acceleration = C z + D e, e the named signals.
// The text lives in the arena. A: n x n, B: n x m, C: 1 x n, D: 1 x m, row by row.
typedef struct law_linear {
    int order, input_count;
    const char *const *inputs; // names of signals, or formulas such as "v_front - v"
    const double *A, *B, *C, *D;
} law_linear;
struct arena;
const law_text *law_from_matrices(struct arena *memory, const char *name, const law_linear *m,
                                  mc_error *error);
