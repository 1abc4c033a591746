// tyre_tmeasy.c - TMeasy: parameters.
//
// The equations are in tyre_tmeasy_lanes.c. A curve is given by numbers that can be read off a
// plot: slope at zero, peak and sliding force, and the slips where these are. Forces are over the
// load at which they are given: the nominal one, and in rows with a 2 twice that. Limit: camber
// does nothing. Defaults: a tyre of a HMMWV.
#include "parts/tyre_tmeasy.h"

#include "parts/tyre_relaxation.h"

static const mc_param params[] = {
    [TMEASY_LOAD] = {"nominal_load", "N", 8562.8266, 10.0, 1e6, "load of the first curves"},
    [TMEASY_X + TMEASY_SLOPE] = {"x_slope", "-", 17.7764, 0.1, 500.0,
                                 "slope at zero slip along x over load, nominal load"},
    [TMEASY_X + TMEASY_PEAK] = {"x_peak", "-", 0.89965, 0.01, 3.0,
                                "peak force along x over load, nominal load"},
    [TMEASY_X + TMEASY_SLIDING] = {"x_sliding", "-", 0.46183, 0.01, 3.0,
                                   "sliding force along x over load, nominal load"},
    [TMEASY_X + TMEASY_PEAK_SLIP] = {"x_peak_slip", "-", 0.10811, 0.005, 1.0,
                                     "slip of the peak along x, nominal load"},
    [TMEASY_X + TMEASY_SLIDING_SLIP] = {"x_sliding_slip", "-", 0.66667, 0.01, 5.0,
                                        "slip of full sliding along x, nominal load"},
    [TMEASY_X2 + TMEASY_SLOPE] = {"x2_slope", "-", 14.5301, 0.1, 500.0,
                                  "slope at zero slip along x over load, double load"},
    [TMEASY_X2 + TMEASY_PEAK] = {"x2_peak", "-", 0.77751, 0.01, 3.0,
                                 "peak force along x over load, double load"},
    [TMEASY_X2 + TMEASY_SLIDING] = {"x2_sliding", "-", 0.42349, 0.01, 3.0,
                                    "sliding force along x over load, double load"},
    [TMEASY_X2 + TMEASY_PEAK_SLIP] = {"x2_peak_slip", "-", 0.12389, 0.005, 1.0,
                                      "slip of the peak along x, double load"},
    [TMEASY_X2 + TMEASY_SLIDING_SLIP] = {"x2_sliding_slip", "-", 0.66667, 0.01, 5.0,
                                         "slip of full sliding along x, double load"},
    [TMEASY_Y + TMEASY_SLOPE] = {"y_slope", "-", 7.4013, 0.1, 500.0,
                                 "slope at zero slip along y over load, nominal load"},
    [TMEASY_Y + TMEASY_PEAK] = {"y_peak", "-", 0.75876, 0.01, 3.0,
                                "peak force along y over load, nominal load"},
    [TMEASY_Y + TMEASY_SLIDING] = {"y_sliding", "-", 0.68276, 0.01, 3.0,
                                   "sliding force along y over load, nominal load"},
    [TMEASY_Y + TMEASY_PEAK_SLIP] = {"y_peak_slip", "-", 0.33167, 0.005, 1.0,
                                     "slip of the peak along y, nominal load"},
    [TMEASY_Y + TMEASY_SLIDING_SLIP] = {"y_sliding_slip", "-", 1.0296, 0.01, 5.0,
                                        "slip of full sliding along y, nominal load"},
    [TMEASY_Y2 + TMEASY_SLOPE] = {"y2_slope", "-", 6.8505, 0.1, 500.0,
                                  "slope at zero slip along y over load, double load"},
    [TMEASY_Y2 + TMEASY_PEAK] = {"y2_peak", "-", 0.72628, 0.01, 3.0,
                                 "peak force along y over load, double load"},
    [TMEASY_Y2 + TMEASY_SLIDING] = {"y2_sliding", "-", 0.65319, 0.01, 3.0,
                                    "sliding force along y over load, double load"},
    [TMEASY_Y2 + TMEASY_PEAK_SLIP] = {"y2_peak_slip", "-", 0.33216, 0.005, 1.0,
                                      "slip of the peak along y, double load"},
    [TMEASY_Y2 + TMEASY_SLIDING_SLIP] = {"y2_sliding_slip", "-", 1.0296, 0.01, 5.0,
                                         "slip of full sliding along y, double load"},
    [TMEASY_TRAIL] = {"trail", "-", 0.178, 0.0, 1.0, "trail over contact length, nominal load"},
    [TMEASY_TRAIL2] = {"trail2", "-", 0.19, 0.0, 1.0, "trail over contact length, double load"},
    [TMEASY_TRAIL_SLIP] = {"trail_slip", "-", 0.36484, 0.005, 2.0,
                           "slip at which the trail is 0, nominal load"},
    [TMEASY_TRAIL_SLIP2] = {"trail_slip2", "-", 0.36538, 0.005, 2.0,
                            "slip at which the trail is 0, double load"},
    [TMEASY_TRAIL_END] = {"trail_end", "-", 1.0296, 0.01, 5.0, "slip from which it stays 0"},
    [TMEASY_CONTACT] = {"contact_length", "m", 0.2, 0.01, 2.0, "of the contact, nominal load"},
    [TMEASY_RELAXATION_X] = {"relaxation_x", "m", 0.3, 0.02, 10.0, "relaxation length along x"},
    [TMEASY_RELAXATION_Y] = {"relaxation", "m", 0.6, 0.02, 10.0, "relaxation length along y"},
    [TMEASY_DAMPING] = {"damping", "N s/m", 2000.0, 0.0, 1e5, "damping of the tread at rest"},
    [TMEASY_ELLIPSE] = {"ellipse", "-", 1.0, 0.0, 1.0,
                        "1: force within the ellipse of friction; 0: as published"},
};
_Static_assert(sizeof params / sizeof params[0] == TMEASY_PARAM_COUNT, "one row per parameter");

static double stiffness(const tyre_kind *kind, const double *p, double fz, double v)
{
    (void)kind, (void)fz;
    const double x = p[TMEASY_RELAXATION_X], y = p[TMEASY_RELAXATION_Y];
    return relaxation_stiffness(x < y ? x : y, TMEASY_V_LOW, v);
}

const tyre_kind tyre_tmeasy = {
    .name = "tmeasy",
    .doc = "TMeasy: slope, peak and sliding at two loads, combined slip, relaxation",
    .params = params,
    .param_count = TMEASY_PARAM_COUNT,
    .state_count = 2,
    .state_rate = deflection_no_rate,
    .eval = {[CPU_PLAIN] = tmeasy_eval_plain, [CPU_AVX2] = tmeasy_eval_avx2},
    .states = deflection_states,
    .stiffness = stiffness,
};
