// tyre_fiala.c - Fiala's tyre: parameters.
//
// The equations are in tyre_fiala_lanes.c. Six numbers that can be read off a test-bench plot.
// Limits: stiffness does not depend on load; camber does nothing; each direction is limited by
// itself, so that without `ellipse` the force can be up to 1.41 U Fz. Defaults: a tyre of a HMMWV.
#include "parts/tyre_fiala.h"

#include "parts/tyre_relaxation.h"

static const mc_param params[] = {
    [FIALA_SLIP] = {"slip_stiffness", "N", 193929.0, 1e3, 1e7, "dFx/dslip at zero slip"},
    [FIALA_CORNERING] = {"cornering_stiffness", "N/rad", 50000.0, 1e3, 1e7,
                         "dFy/d(tan alpha) at zero slip"},
    [FIALA_MAX] = {"friction", "-", 0.9835, 0.01, 3.0, "friction at zero slip"},
    [FIALA_MIN] = {"sliding_friction", "-", 0.5568, 0.01, 3.0, "friction at slip 1 and above"},
    [FIALA_WIDTH] = {"width", "m", 0.318, 0.0, 2.0, "of the tyre: lever of the aligning moment"},
    [FIALA_RELAXATION_X] = {"relaxation_x", "m", 0.3, 0.02, 10.0, "relaxation length along x"},
    [FIALA_RELAXATION_Y] = {"relaxation", "m", 2.0, 0.02, 10.0, "relaxation length along y"},
    [FIALA_DAMPING] = {"damping", "N s/m", 2000.0, 0.0, 1e5, "damping of the tread at rest"},
    [FIALA_ELLIPSE] = {"ellipse", "-", 1.0, 0.0, 1.0,
                       "1: force within the ellipse of friction; 0: as published"},
};
_Static_assert(sizeof params / sizeof params[0] == FIALA_PARAM_COUNT, "one row per parameter");

static double stiffness(const tyre_kind *kind, const double *p, double fz, double v)
{
    (void)kind, (void)fz;
    const double x = p[FIALA_RELAXATION_X], y = p[FIALA_RELAXATION_Y];
    return relaxation_stiffness(x < y ? x : y, FIALA_V_LOW, v);
}

const tyre_kind tyre_fiala = {
    .name = "fiala",
    .doc = "Fiala: elastic tread, friction that falls with slip, relaxation",
    .params = params,
    .param_count = FIALA_PARAM_COUNT,
    .state_count = 2,
    .state_rate = deflection_no_rate,
    .eval = {[CPU_PLAIN] = fiala_eval_plain, [CPU_AVX2] = fiala_eval_avx2},
    .states = deflection_states,
    .stiffness = stiffness,
};
