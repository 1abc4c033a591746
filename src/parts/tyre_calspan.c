// tyre_calspan.c - the Calspan side-force tyre of the MEDUSA report: parameters.
//
// The equations are in tyre_calspan_lanes.c. Limits: side force only (no driving or braking), no
// camber, no aligning moment; at walking speed the slip angle loses its meaning.
#include "parts/tyre_calspan.h"

static const mc_param params[] = {
    [CALSPAN_LAG] = {"lag", "s", 0.0016, 1e-6, 10.0, "time constant of the side force"},
    [CALSPAN_A0] = {"A0", "N/rad", 2625.0, 0.0, 1e6, "cornering stiffness at zero load"},
    [CALSPAN_A1] = {"A1", "1/rad", 14.47, 0.0, 1e3, "growth of cornering stiffness with load"},
    [CALSPAN_A2] = {"A2", "N", 12930.0, 1.0, 1e6, "load at which cornering stiffness is A0 again"},
    [CALSPAN_B1] = {"B1", "1/N", -4.64e-5, -1e-2, 1e-2, "change of friction with load"},
    [CALSPAN_B3] = {"B3", "-", 1.216, 1e-3, 10.0, "friction at zero load"},
    [CALSPAN_B4] = {"B4", "1/N^2", 2.18e-11, 0.0, 1e-6, "change of friction with load squared"},
    [CALSPAN_SN] = {"SN", "-", 1.0274, 1e-3, 10.0, "skid number of the road over that of the test"},
    [CALSPAN_V_LOW] = {"v_low", "m/s", 0.1, 1e-3, 10.0, "speed below which the slip angle fades"},
};
_Static_assert(sizeof params / sizeof params[0] == CALSPAN_PARAM_COUNT, "one row a parameter");

static double state_rate(const double *p, int k)
{
    (void)k; // one state: the lagged slip angle
    return 1.0 / p[CALSPAN_LAG];
}

const tyre_kind tyre_calspan = {
    "calspan",
    "Calspan side force with first-order lag (eqs 1.19-1.24)",
    params,
    CALSPAN_PARAM_COUNT,
    1,
    state_rate,
    {[CPU_PLAIN] = calspan_eval_plain, [CPU_AVX2] = calspan_eval_avx2},
};
