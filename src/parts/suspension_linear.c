// suspension_linear.c - springs and dampers of the MEDUSA report (eq 1.14): parameters.
#include "parts/suspension_linear.h"

#include <math.h>

static const mc_param params[] = {
    [LINEAR_LIFT_OFF] = {"lift_off", "-", 1.0, 0.0, 1.0,
                         "1: a wheel that would pull leaves the ground; 0: it pulls"},
};
_Static_assert(sizeof params / sizeof params[0] == LINEAR_PARAM_COUNT, "one row per parameter");

static bool lifts_off(const double *p)
{
    return p[LINEAR_LIFT_OFF] > 0.0;
}

static double energy(const double *p, double stiffness, double stretch)
{
    const double held = lifts_off(p) ? fmin(stretch, 0.0) : stretch;
    return 0.5 * stiffness * held * held;
}

const suspension_kind suspension_linear = {
    .name = "linear",
    .doc = "linear spring and damper; a wheel that would pull leaves the road",
    .params = params,
    .param_count = LINEAR_PARAM_COUNT,
    .eval = {[CPU_PLAIN] = suspension_linear_eval_plain, [CPU_AVX2] = suspension_linear_eval_avx2},
    .energy = energy,
    .lifts_off = lifts_off,
    .built_in = true,
};
