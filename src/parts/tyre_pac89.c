// tyre_pac89.c - the Magic Formula of 1989: parameters.
//
// The equations are in tyre_pac89_lanes.c. Coefficients as they are published: loads in kN, slip
// angles and camber in degrees, longitudinal slip in per cent, forces in N, moments in N m. Limit:
// the formula is for pure slip; combined slip is by similarity. Defaults: the tyre of a HMMWV.
#include "parts/tyre_pac89.h"

#include "parts/tyre_relaxation.h"

static const mc_param params[] = {
    [PAC89_A] = {"a0", "-", 1.49975356, 0.1, 3.0, "side force: shape factor C"},
    [PAC89_A + 1] = {"a1", "N/kN^2", -4.84987525, -1e5, 1e5, "side force: peak, growth with load"},
    [PAC89_A + 2] = {"a2", "N/kN", 812.44979534, -1e5, 1e5, "side force: peak over load"},
    [PAC89_A + 3] = {"a3", "N/deg", 2613.92367841, -1e5, 1e5,
                     "side force: maximum cornering stiffness"},
    [PAC89_A + 4] = {"a4", "kN", 48.85791011, 1e-3, 1e5, "side force: load of that maximum"},
    [PAC89_A + 5] = {"a5", "1/deg", 0.0, -1e5, 1e5,
                     "side force: fall of the stiffness with camber"},
    [PAC89_A + 6] = {"a6", "1/kN", -0.00879541882, -1e5, 1e5,
                     "side force: curvature, growth with load"},
    [PAC89_A + 7] = {"a7", "-", 0.376999015, -1e5, 1e5, "side force: curvature E"},
    [PAC89_A + 8] = {"a8", "-", 0.0, -1e5, 1e5, "side force: horizontal shift over camber"},
    [PAC89_A + 9] = {"a9", "deg/kN", 0.0, -1e5, 1e5, "side force: horizontal shift over load"},
    [PAC89_A + 10] = {"a10", "deg", 0.0, -1e5, 1e5, "side force: horizontal shift"},
    [PAC89_A + 11] = {"a11", "N/kN/deg", 0.0, -1e5, 1e5,
                      "side force: vertical shift over load and camber"},
    [PAC89_A + 12] = {"a12", "N/kN", 0.0, -1e5, 1e5, "side force: vertical shift over load"},
    [PAC89_A + 13] = {"a13", "N", 0.0, -1e5, 1e5, "side force: vertical shift"},
    [PAC89_B] = {"b0", "-", 1.50018803, 0.1, 3.0, "longitudinal force: shape factor C"},
    [PAC89_B + 1] = {"b1", "N/kN^2", -15.77614667, -1e5, 1e5,
                     "longitudinal force: peak, growth with load"},
    [PAC89_B + 2] = {"b2", "N/kN", 1022.11238547, -1e5, 1e5, "longitudinal force: peak over load"},
    [PAC89_B + 3] = {"b3", "N/%/kN^2", -2.55317715, -1e5, 1e5,
                     "longitudinal force: stiffness, growth with load"},
    [PAC89_B + 4] = {"b4", "N/%/kN", 208.77731620, -1e5, 1e5,
                     "longitudinal force: stiffness over load"},
    [PAC89_B + 5] = {"b5", "1/kN", 0.00731349090, -0.05, 1.0,
                     "longitudinal force: decay of the stiffness"},
    [PAC89_B + 6] = {"b6", "1/kN^2", -0.00376410346, -1e5, 1e5,
                     "longitudinal force: curvature, load squared"},
    [PAC89_B + 7] = {"b7", "1/kN", 0.156330736, -1e5, 1e5, "longitudinal force: curvature, load"},
    [PAC89_B + 8] = {"b8", "-", -1.15310023, -1e5, 1e5, "longitudinal force: curvature E"},
    [PAC89_B + 9] = {"b9", "%/kN", 0.0, -1e5, 1e5,
                     "longitudinal force: horizontal shift over load"},
    [PAC89_B + 10] = {"b10", "%", 0.0, -1e5, 1e5, "longitudinal force: horizontal shift"},
    [PAC89_C] = {"c0", "-", 2.34, 0.1, 5.0, "aligning moment: shape factor C"},
    [PAC89_C + 1] = {"c1", "N m/kN^2", 0.990427, -1e5, 1e5,
                     "aligning moment: peak, growth with load"},
    [PAC89_C + 2] = {"c2", "N m/kN", 2.96848, -1e5, 1e5, "aligning moment: peak over load"},
    [PAC89_C + 3] = {"c3", "N m/deg/kN^2", -0.277098, -1e5, 1e5,
                     "aligning moment: stiffness, growth with load"},
    [PAC89_C + 4] = {"c4", "N m/deg/kN", -0.944859, -1e5, 1e5,
                     "aligning moment: stiffness over load"},
    [PAC89_C + 5] = {"c5", "1/kN", 0.0, -0.05, 1.0, "aligning moment: decay of the stiffness"},
    [PAC89_C + 6] = {"c6", "1/deg", 0.0027699, -1e5, 1e5,
                     "aligning moment: fall of the stiffness with camber"},
    [PAC89_C + 7] = {"c7", "1/kN^2", -0.0001151, -1e5, 1e5,
                     "aligning moment: curvature, load squared"},
    [PAC89_C + 8] = {"c8", "1/kN", 0.10, -1e5, 1e5, "aligning moment: curvature, load"},
    [PAC89_C + 9] = {"c9", "-", -1.3329, -1e5, 1e5, "aligning moment: curvature E"},
    [PAC89_C + 10] = {"c10", "1/deg", 0.0, -1e5, 1e5,
                      "aligning moment: change of curvature with camber"},
    [PAC89_C + 11] = {"c11", "-", 0.0, -1e5, 1e5, "aligning moment: horizontal shift over camber"},
    [PAC89_C + 12] = {"c12", "deg/kN", 0.0, -1e5, 1e5,
                      "aligning moment: horizontal shift over load"},
    [PAC89_C + 13] = {"c13", "deg", 0.0, -1e5, 1e5, "aligning moment: horizontal shift"},
    [PAC89_C + 14] = {"c14", "N m/kN^2/deg", 0.0, -1e5, 1e5,
                      "aligning moment: vertical shift over load squared and camber"},
    [PAC89_C + 15] = {"c15", "N m/kN/deg", 0.0, -1e5, 1e5,
                      "aligning moment: vertical shift over load and camber"},
    [PAC89_C + 16] = {"c16", "N m/kN", 0.0, -1e5, 1e5, "aligning moment: vertical shift over load"},
    [PAC89_C + 17] = {"c17", "N m", 0.0, -1e5, 1e5, "aligning moment: vertical shift"},
    [PAC89_LOAD] = {"max_load", "N", 30e3, 100.0, 2e5, "above it forces are proportional to load"},
    [PAC89_RELAXATION_X] = {"relaxation_x", "m", 0.3, 0.02, 10.0, "relaxation length along x"},
    [PAC89_RELAXATION_Y] = {"relaxation", "m", 0.6, 0.02, 10.0, "relaxation length along y"},
    [PAC89_DAMPING] = {"damping", "N s/m", 2000.0, 0.0, 1e5, "damping of the tread at rest"},
};
_Static_assert(sizeof params / sizeof params[0] == PAC89_PARAM_COUNT, "one row per parameter");
_Static_assert((int)PAC89_PARAM_COUNT <= (int)TYRE_PARAM_MAX, "room for the values");

static double stiffness(const tyre_kind *kind, const double *p, double fz, double v)
{
    (void)kind, (void)fz;
    const double x = p[PAC89_RELAXATION_X], y = p[PAC89_RELAXATION_Y];
    return relaxation_stiffness(x < y ? x : y, PAC89_V_LOW, v);
}

const tyre_kind tyre_pac89 = {
    .name = "pac89",
    .doc = "Magic Formula of 1989, combined slip by similarity, camber, relaxation",
    .params = params,
    .param_count = PAC89_PARAM_COUNT,
    .state_count = 2,
    .state_rate = deflection_no_rate,
    .eval = {[CPU_PLAIN] = pac89_eval_plain, [CPU_AVX2] = pac89_eval_avx2},
    .states = deflection_states,
    .stiffness = stiffness,
};
