// suspension_stiffening.c - springs that harden and dampers that resist rebound: parameters.
#include "parts/suspension_stiffening.h"

#include <math.h>

static const mc_param params[] = {
    [STIFFENING_HARDENING] = {"hardening", "1/m^2", 20.0, 0.0, 1e4,
                              "spring force grows by 1 + this times the stretch squared"},
    [STIFFENING_ASYMMETRY] = {"asymmetry", "-", 0.3, -0.9, 0.9,
                              "damping in rebound 1 + this, in compression 1 - this times D"},
    [STIFFENING_V_REF] = {"v_ref", "m/s", 0.1, 1e-3, 10.0,
                          "speed of the damper at which asymmetry sets in"},
    [STIFFENING_LIFT_OFF] = {"lift_off", "-", 1.0, 0.0, 1.0,
                             "1: a wheel that would pull leaves the ground; 0: it pulls"},
};
_Static_assert(sizeof params / sizeof params[0] == STIFFENING_PARAM_COUNT, "one row per parameter");

static bool lifts_off(const double *p)
{
    return p[STIFFENING_LIFT_OFF] > 0.0;
}

static double energy(const double *p, double stiffness, double stretch)
{
    const double held = lifts_off(p) ? fmin(stretch, 0.0) : stretch, square = held * held;
    return stiffness * square * (0.5 + 0.25 * p[STIFFENING_HARDENING] * square);
}

const suspension_kind suspension_stiffening = {
    .name = "stiffening",
    .doc = "spring that hardens, damper that resists rebound more than compression",
    .params = params,
    .param_count = STIFFENING_PARAM_COUNT,
    .eval = {[CPU_PLAIN] = suspension_stiffening_eval_plain,
             [CPU_AVX2] = suspension_stiffening_eval_avx2},
    .energy = energy,
    .lifts_off = lifts_off,
};
