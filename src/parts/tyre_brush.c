// tyre_brush.c - the brush tyre and the linear tyre: parameters.
//
// The equations are in tyre_deflection.h. The slip stiffness of both is dF/ds at zero slip and can
// be read off a test-bench plot. Limits: stiffness does not depend on load, friction not on speed;
// no camber, no aligning moment.
#include "parts/tyre_brush.h"

static const mc_param params[] = {
    [BRUSH_STIFFNESS_X] = {"slip_stiffness", "N", 90e3, 1e3, 1e6, "dFx/dslip at zero slip"},
    [BRUSH_STIFFNESS_Y] = {"cornering_stiffness", "N", 70e3, 1e3, 1e6, "dFy/dslip at zero slip"},
    [BRUSH_FRICTION] = {"friction", "-", 1.0, 0.01, 3.0, "peak friction on the reference road"},
    [BRUSH_RELAXATION] = {"relaxation", "m", 0.3, 0.02, 3.0, "relaxation length"},
    [BRUSH_DAMPING] = {"damping", "N s/m", 2000.0, 0.0, 1e5, "damping of the tread"},
};
_Static_assert(sizeof params / sizeof params[0] == BRUSH_PARAM_COUNT, "one row per parameter");

const tyre_state deflection_states[2] = {{"z_x", "m", false}, {"z_y", "m", true}};

double deflection_no_rate(const double *p, int k)
{
    (void)p, (void)k;
    return 0.0;
}

static double stiffness(const tyre_kind *kind, const double *p, double fz, double v)
{
    (void)kind, (void)fz;
    return deflection_stiffness(p[BRUSH_RELAXATION], v);
}

const tyre_kind tyre_brush = {
    .name = "brush",
    .doc = "brush with parabolic pressure, combined slip, deflection of the tread",
    .params = params,
    .param_count = BRUSH_PARAM_COUNT,
    .state_count = 2,
    .state_rate = deflection_no_rate,
    .eval = {[CPU_PLAIN] = brush_eval_plain, [CPU_AVX2] = brush_eval_avx2},
    .states = deflection_states,
    .stiffness = stiffness,
};

const tyre_kind tyre_linear = {
    .name = "linear",
    .doc = "force proportional to slip up to the friction circle, deflection of the tread",
    .params = params,
    .param_count = BRUSH_PARAM_COUNT,
    .state_count = 2,
    .state_rate = deflection_no_rate,
    .eval = {[CPU_PLAIN] = linear_eval_plain, [CPU_AVX2] = linear_eval_avx2},
    .states = deflection_states,
    .stiffness = stiffness,
};
