// suspension.h - the contract between a vehicle and the law of its springs and dampers.
//
// A suspension law maps how far the spring of a wheel is stretched, and how fast, to the force that
// it passes on between road and vehicle, over a batch of wheels: same arguments, same bits. It owns
// no memory and has no states. The vehicle says where its springs are and how stiff each one is;
// the law says what becomes of that. SI units.
//
//     const suspension_in in = {stretch, rate, stiffness, damping};
//     suspension_eval_at(kind, cpu)(p, n, &in, &(suspension_out){force, lost});
//
// The wheels have no mass of their own: the force on the vehicle is that of the road on the wheel.
#pragma once

#include "base/cpu.h"
#include "motorcade/param.h"

#include <stdbool.h>

enum { SUSPENSION_PARAM_MAX = 8 };

typedef struct suspension_in { // arrays of one entry per wheel, aligned to 32 bytes
    const double *stretch;     // m, beyond the free length; negative: the spring is compressed
    const double *rate;        // m/s, of the stretch
    const double *stiffness;   // N/m, of this wheel's spring
    const double *damping;     // N s/m, of this wheel's damper
} suspension_in;

typedef struct suspension_out { // arrays of one entry per wheel, owned by the caller
    double *force;              // N, positive: pushes vehicle and road apart
    double *lost;               // W, what the spring does not hold: -force * rate - d(energy)/dt
} suspension_out;

// p: param_count values. n: a multiple of 4. Cannot fail; finite input gives finite output.
typedef void suspension_eval(const double *p, int n, const suspension_in *in,
                             const suspension_out *out);

typedef struct suspension_kind {
    const char *name; // the word used in a vehicle file
    const char *doc;
    const mc_param *params;
    int param_count;
    // For any processor; for those with AVX2 and FMA, NULL: the first one.
    suspension_eval *eval[CPU_LEVEL_COUNT];
    double (*energy)(const double *p, double stiffness, double stretch); // J, in a wheel's spring
    // Does the force have a corner where it comes to 0, because the wheel leaves the road?
    // Integrators cut their steps there. Elsewhere it must be smooth.
    bool (*lifts_off)(const double *p);
    bool built_in; // its equations are those of suspension_built_in.h
} suspension_kind;

static inline suspension_eval *suspension_eval_at(const suspension_kind *kind, cpu_level level)
{
    return kind->eval[level] ? kind->eval[level] : kind->eval[CPU_PLAIN];
}

const suspension_kind *suspension_kind_at(int index); // NULL past the end
void suspension_defaults(const suspension_kind *kind, double p[SUSPENSION_PARAM_MAX]);

// The laws, in the order of the manual. A new one is a file that defines suspension_WORD, and its
// word here. The first is the default.
#define SUSPENSION_KINDS(kind) kind(linear) kind(stiffening)
#define SUSPENSION_DECLARE(word) extern const suspension_kind suspension_##word;
SUSPENSION_KINDS(SUSPENSION_DECLARE)
