// tyre.h - tyre laws inside the library: the contract is that of motorcade/tyre.h.
//
// A law made at run time (tyre_formula.h, or from a file) has a context, which the caller passes to
// eval:
//
//     const tyre_in in = {.fz = fz, .v_x = v_x, .v_y = v_y, .v_roll = v_roll, .mu = mu,
//                         .context = kind->context};
//     tyre_eval_at(kind, cpu)(p, n, &in, x, drive, &(tyre_out){.fx = fx, .fy = fy});
#pragma once

#include "base/cpu.h"
#include "motorcade/tyre.h"

enum { TYRE_PARAM_MAX = MC_TYRE_PARAM_MAX, TYRE_STATE_MAX = MC_TYRE_STATE_MAX };
_Static_assert((int)MC_EVAL_ANY == CPU_PLAIN && (int)MC_EVAL_AVX2 == CPU_AVX2 &&
                   (int)MC_EVAL_COUNT == CPU_LEVEL_COUNT,
               "one function per level");

typedef mc_tyre tyre_kind;
typedef mc_tyre_in tyre_in;
typedef mc_tyre_out tyre_out;
typedef mc_tyre_eval tyre_eval;
typedef mc_tyre_state tyre_state;

static inline tyre_eval *tyre_eval_at(const tyre_kind *kind, cpu_level level)
{
    return kind->eval[level] ? kind->eval[level] : kind->eval[CPU_PLAIN];
}

static inline const tyre_kind *tyre_for_spin(const tyre_kind *kind)
{
    return kind->driven ? kind->driven : kind;
}

// All kinds, in the order of the manual; those from outside behind them.
const tyre_kind *tyre_kind_at(int index);          // NULL past the end
const tyre_kind *tyre_kind_find(const char *name); // any case; NULL if unknown

// The laws, in the order of the manual. A new one is a file that defines tyre_WORD, and its word
// here. The first is the default of wheels that roll freely.
#define TYRE_KINDS(kind)                                                                           \
    kind(calspan) kind(brush) kind(linear) kind(fiala) kind(tmeasy) kind(pac89) kind(pac2002)      \
        kind(none)
#define TYRE_DECLARE(word) extern const tyre_kind tyre_##word;
TYRE_KINDS(TYRE_DECLARE)

// The default of wheels with spin: the first law that is made for both uses.
const tyre_kind *tyre_default_for_spin(void);

// Whether wheels of one law can continue under the other with their states: the same law, or two
// made at run time whose states have the same names.
bool tyre_same_states(const tyre_kind *a, const tyre_kind *b);

void tyre_defaults(const tyre_kind *kind, double p[TYRE_PARAM_MAX]);
