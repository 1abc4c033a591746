// tyre_calspan.c - the Calspan side-force tyre of the MEDUSA report: parameters.
//
// The equations are in tyre_calspan_lanes.c. Two halves: the published side force of a wheel that
// rolls freely, with its lag; and the same force with driving and braking for a wheel with spin,
// with a deflected tread in place of the lag. The report has neither camber nor aligning moment:
// their defaults are 0. Limit: at walking speed the slip angle of the first half loses its meaning.
#include "parts/tyre_calspan.h"

#include "parts/tyre_deflection.h"

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
    [CALSPAN_RATIO] = {"slip_ratio", "-", 1.3, 0.1, 10.0,
                       "driven wheels: slip stiffness over cornering stiffness"},
    [CALSPAN_RELAXATION] = {"relaxation", "m", 0.3, 0.02, 3.0, "driven wheels: relaxation length"},
    [CALSPAN_DAMPING] = {"damping", "N s/m", 2000.0, 0.0, 1e5,
                         "driven wheels: damping of the tread"},
    [CALSPAN_A3] = {"A3", "1/rad", 0.0, 0.0, 1e3,
                    "camber stiffness over load at zero load; Iltis benchmark: 2.29"},
    [CALSPAN_A4] = {"A4", "N", 18175.0, 1.0, 1e6, "load at which camber stiffness is 0"},
    [CALSPAN_K1] = {"K1", "m/N", 0.0, -1e-2, 1e-2,
                    "aligning moment over side force and load; Iltis benchmark: -1.71e-5"},
    [CALSPAN_K2] = {"K2", "m/N", 0.0, -1e-2, 1e-2,
                    "aligning moment over side force squared; Iltis benchmark: 1.71e-5"},
};
_Static_assert(sizeof params / sizeof params[0] == CALSPAN_PARAM_COUNT, "one row per parameter");

static double state_rate(const double *p, int k)
{
    (void)k; // one state: the lagged slip angle
    return 1.0 / p[CALSPAN_LAG];
}

static double stiffness(const tyre_kind *kind, const double *p, double fz, double v)
{
    (void)kind, (void)fz;
    return deflection_stiffness(p[CALSPAN_RELAXATION], v);
}

static const tyre_state lag_state[] = {{"lag", "rad", true}};

static const tyre_kind with_spin = {
    .name = "calspan",
    .doc = "Calspan force with combined slip and a deflected tread, for wheels with spin",
    .params = params,
    .param_count = CALSPAN_PARAM_COUNT,
    .state_count = 2,
    .state_rate = deflection_no_rate,
    .eval = {[CPU_PLAIN] = calspan_driven_eval_plain, [CPU_AVX2] = calspan_driven_eval_avx2},
    .states = deflection_states,
    .stiffness = stiffness,
};

const tyre_kind tyre_calspan = {
    .name = "calspan",
    .doc = "Calspan side force with first-order lag (eqs 1.19-1.24)",
    .params = params,
    .param_count = CALSPAN_PARAM_COUNT,
    .state_count = 1,
    .state_rate = state_rate,
    .eval = {[CPU_PLAIN] = calspan_eval_plain, [CPU_AVX2] = calspan_eval_avx2},
    .states = lag_state,
    .driven = &with_spin,
};
