// loops.c - benchmarks with closed loops: slider-crank, four-bar, IFToMM A02 to A05, the car axis.
//
// Planar ones lie in the plane of x and y. Values that are not published are of separate runs in
// minimal coordinates (DOP853, 1e-13) or in quad precision.
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(checks) (int)(sizeof checks / sizeof checks[0])

// ---- slider-crank and four-bar -----------------------------------------------------------------

static const char slider_crank_model[] =
    "motorcade: multibody\n"
    "name: slider_crank\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {r: 0.15 m, l: 0.30 m, mc: 0.36 kg, mr: 0.15 kg}\n"
    "bodies:\n"
    "  crank: {joint: hinge, axis: z, mass: mc, com: [r/2, 0, 0],\n"
    "          inertia: [0, mc*r^2/12, mc*r^2/12], start: {angle: 45 deg}}\n"
    "  rod: {inboard: crank, joint: hinge, at: [r, 0, 0], axis: z, mass: mr, com: [l/2, 0, 0],\n"
    "        inertia: [0, mr*l^2/12, mr*l^2/12], start: {angle: -65 deg}}\n"
    "  slider: {joint: prism, axis: x, mass: 0.75, start: {travel: 0.4}}\n"
    "joints:\n"
    "  pin: {joint: hinge, from: rod, at: [l, 0, 0], to: slider, axis: z}\n"
    "keep: [crank.angle]\n";

static const verify_check slider_crank_checks[] = {
    {"crank.angle", 0.5, -1.7836630453, 9.5},      {"crank.angle_rate", 0.5, -8.3678958090, 9.5},
    {"slider.travel", 0.5, 0.2300436899, 9.0},     {"crank.angle", 1.0, -2.7694502285, 9.5},
    {"crank.angle_rate", 1.0, 13.2708447586, 9.5}, {"slider.travel", 1.0, 0.1552677535, 9.0},
    {"crank.angle", 1.5, 0.7339770266, 9.0},       {"crank.angle_rate", 1.5, 1.1761914740, 9.0},
    {"slider.travel", 1.5, 0.3940520673, 9.0},     {"crank.angle", 2.0, -1.1325646190, 9.5},
    {"crank.angle_rate", 2.0, -6.6235470352, 9.5}, {"slider.travel", 2.0, 0.3311418297, 9.0},
};

const verify_benchmark verify_slider_crank = {
    .text = {"slider-crank", "crank, rod and slider from rest, 2 s",
             "values of a separate run in one coordinate, 1e-13"},
    .model = slider_crank_model,
    .method = "dop853",
    .tolerance = 1e-13,
    .check = slider_crank_checks,
    .check_count = COUNT(slider_crank_checks),
    .drift_digits = 11.0,
};

// Uniform links of 1 kg/m; the pin lies above the diagonal.
static const char four_bar_model[] =
    "motorcade: multibody\n"
    "name: four_bar\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {m: 1 kg}\n"
    "bodies:\n"
    "  crank: {joint: hinge, axis: z, mass: m, com: [0.5, 0, 0], inertia: [0, m/12, m/12],\n"
    "          start: {angle: 90 deg}}\n"
    "  coupler: {joint: hinge, inboard: crank, at: [1, 0, 0], axis: z, mass: 3*m,\n"
    "            com: [1.5, 0, 0], inertia: [0, 2.25*m, 2.25*m], start: {angle: -60 deg}}\n"
    "  rocker: {joint: hinge, at: [3, 0, 0], axis: z, mass: 2.5*m, com: [1.25, 0, 0],\n"
    "           inertia: [0, 15.625*m/12, 15.625*m/12], start: {angle: 100 deg}}\n"
    "variables: {coupler_angle: crank.angle + coupler.angle}\n"
    "joints:\n"
    "  pin: {joint: hinge, from: coupler, at: [3, 0, 0], to: rocker, to_at: [2.5, 0, 0], axis: z}\n"
    "keep: [crank.angle]\n";

static const verify_check four_bar_checks[] = {
    {"crank.angle", 1.0, 2.4407686010, 9.5},   {"crank.angle_rate", 1.0, 2.7283432094, 9.5},
    {"coupler_angle", 1.0, 0.5431415025, 9.0}, {"rocker.angle", 1.0, 2.0696477741, 9.5},
    {"crank.angle", 2.0, 7.0684987508, 9.5},   {"crank.angle_rate", 2.0, 2.5546868855, 9.5},
    {"coupler_angle", 2.0, 0.6394800629, 9.0}, {"rocker.angle", 2.0, 1.5250262899, 9.5},
    {"crank.angle", 3.0, 7.5446093532, 9.5},   {"crank.angle_rate", 3.0, -0.3701421639, 8.5},
    {"coupler_angle", 3.0, 0.5407809356, 9.0}, {"rocker.angle", 3.0, 1.6202638926, 9.5},
    {"crank.angle", 5.0, 1.6804110590, 9.5},   {"crank.angle_rate", 5.0, -0.5502944231, 9.0},
    {"coupler_angle", 5.0, 0.5075090918, 9.0}, {"rocker.angle", 5.0, 1.7670627259, 9.5},
};

const verify_benchmark verify_four_bar = {
    .text = {"four-bar", "crank, coupler and rocker from rest, 5 s",
             "values of a separate run in one coordinate, 1e-13"},
    .model = four_bar_model,
    .method = "dop853",
    .tolerance = 1e-13,
    .check = four_bar_checks,
    .check_count = COUNT(four_bar_checks),
    .drift_digits = 11.0,
};

// ---- A02 ---------------------------------------------------------------------------------------

// 2 N + 1 uniform links of 1 m and 1 kg: N windows in a row on pivots on the ground, upright at the
// start, the top moving at 1 m/s. Links in line are singular: N + 1 degrees of freedom for an
// instant.
static void write_windows(int count, FILE *out)
{
    fprintf(out, "motorcade: multibody\n"
                 "name: windows\n"
                 "gravity: [0, -9.81, 0]\n"
                 "parameters: {m: 1 kg, l: 1 m}\n"
                 "bodies:\n");
    for (int i = 0; i <= count; i++)
        fprintf(out,
                "  post%d: {joint: hinge, at: [%d, 0, 0], axis: z, mass: m, com: [0, 0.5, 0],\n"
                "          inertia: [m*l^2/12, 0, m*l^2/12], start: {angle_rate: -1}}\n",
                i, i);
    for (int i = 0; i < count; i++)
        fprintf(out,
                "  beam%d: {inboard: post%d, joint: hinge, at: [0, 1, 0], axis: z, mass: m,\n"
                "          com: [0.5, 0, 0], inertia: [0, m*l^2/12, m*l^2/12], start: {angle_rate: "
                "1}}\n",
                i, i);
    fprintf(out, "points: {B0: {body: post0, at: [0, 1, 0]}}\njoints:\n");
    for (int i = 0; i < count; i++)
        fprintf(out,
                "  pin%d: {joint: hinge, from: beam%d, at: [1, 0, 0], to: post%d,\n"
                "         to_at: [0, 1, 0], axis: z}\n",
                i, i, i + 1);
}

// One coordinate: ((N + 1)/3 + N) th'' = ((N + 1)/2 + N) g sin th, th from the upright.
static ode_answer window_rate(void *context, double t, const double *y, double *dy)
{
    (void)t;
    const double n = *(const int *)context;
    dy[0] = y[1];
    dy[1] = ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n) * 9.81 * sin(y[0]);
    return ODE_OK;
}

static mc_status follow_window(ode *one, double t, double *x, double *y, mc_error *error)
{
    const mc_status status = ode_run(one, t, NULL, 0, NULL, NULL, error);
    *x = sin(ode_state(one)[0]);
    *y = cos(ode_state(one)[0]);
    return status;
}

static mc_status compare_windows(verify_sink *sink, verify_motion *motion, ode *one, int count,
                                 double end, double digits, mc_error *error)
{
    mc_status status = MC_OK;
    for (double t = 1.0; status == MC_OK && t < end + 0.5; t += 1.0) {
        double x, y, want_x, want_y;
        status = verify_motion_to(motion, t, error);
        if (status == MC_OK)
            status = verify_motion_get(motion, "B0.x", &x, error);
        if (status == MC_OK)
            status = verify_motion_get(motion, "B0.y", &y, error);
        if (status == MC_OK)
            status = follow_window(one, t, &want_x, &want_y, error);
        if (status == MC_OK)
            verify_note(sink, hypot(x - want_x, y - want_y), 0.0, digits,
                        "distance of B0 (N %d) at %g s", count, t);
    }
    return status;
}

static mc_status run_windows_of(verify_sink *sink, int count, double end, double digits,
                                const char *method, double tolerance, mc_error *error)
{
    ode_kind kind;
    ode_options options = ode_options_default();
    options.rtol = options.atol = 1e-13;
    const ode_problem problem = {.n = 2, .context = &count, .rate = window_rate};
    const double start[] = {0.0, 1.0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    verify_motion motion;
    if (out) {
        write_windows(count, out);
        fclose(out);
    }
    ode *one = ode_kind_find("dop853", &kind) ? ode_create(&kind, &problem, &options, error) : NULL;
    mc_status status = one ? ode_start(one, 0.0, start, error) : MC_FAILED;
    if (status == MC_OK)
        status = verify_motion_open(&motion, text ? text : "", "windows", method, tolerance, error);
    if (status == MC_OK) {
        status = compare_windows(sink, &motion, one, count, end, digits, error);
        verify_motion_note_drift(sink, &motion, 7.0, "energy");
        verify_motion_close(&motion);
    }
    ode_free(one);
    free(text);
    return status;
}

static mc_status run_windows(verify_sink *sink, mc_error *error)
{
    const mc_status status = run_windows_of(sink, 2, 10.0, 7.0, "dop853", 1e-10, error);
    return status == MC_OK ? run_windows_of(sink, 40, 20.0, 5.0, "dop853", 1e-9, error) : status;
}

const verify_benchmark verify_windows = {
    .text = {"windows", "IFToMM A02: N = 2 and 40 four-bar windows through singular positions",
             "IFToMM benchmark library, A02 (problem); the equation in one coordinate, 1e-13"},
    .run = run_windows,
};

// ---- A03 ---------------------------------------------------------------------------------------

// Seven bodies, three loops that meet in E. x of a body's frame is e(angle), -y is n(angle). The
// loops are formulas, so that their multipliers are those published, with the other sign. `lost` is
// what the drive put in.
#define ANDREWS(beta, rest)                                                                        \
    "motorcade: multibody\n"                                                                       \
    "name: andrews\n"                                                                              \
    "gravity: [0, 0, 0]\n"                                                                         \
    "parameters: {mom: 0.033 N*m}\n"                                                               \
    "bodies:\n"                                                                                    \
    "  K1: {joint: hinge, axis: z, mass: 0.04325, com: [0.00092, 0, 0],\n"                         \
    "       inertia: [2.194e-6, 0, 2.194e-6], load: mom,\n"                                        \
    "       start: {angle: " beta "}}\n"                                                           \
    "  K2: {inboard: K1, joint: hinge, at: [0.007, 0, 0], axis: z, mass: 0.00365,\n"               \
    "       com: [-0.0115, 0, 0], inertia: [4.410e-7, 0, 4.410e-7], start: {angle: 0}}\n"          \
    "  K3: {joint: hinge, at: [-0.03635, 0.03273, 0], axis: z, mass: 0.02373,\n"                   \
    "       com: [0.01043, -0.01874, 0], inertia: [5.255e-6, 0, 5.255e-6],\n"                      \
    "       start: {angle: 0.455279819163070380}}\n"                                               \
    "  K5: {joint: hinge, at: [-0.06934, -0.00227, 0], axis: z, mass: 0.07050,\n"                  \
    "       com: [0.02308, 0.00916, 0], inertia: [1.169e-5, 0, 1.169e-5],\n"                       \
    "       start: {angle: 0.487364979543842550}}\n"                                               \
    "  K4: {inboard: K5, joint: hinge, at: [0.04, 0, 0], axis: z, mass: 0.00706,\n"                \
    "       com: [0, -0.00579, 0], inertia: [5.667e-7, 0, 5.667e-7],\n"                            \
    "       start: {angle: 0.222668390165885885}}\n"                                               \
    "  K7: {joint: hinge, at: [-0.06934, -0.00227, 0], axis: z, mass: 0.05498,\n"                  \
    "       com: [-0.00449, -0.01228, 0], inertia: [1.912e-5, 0, 1.912e-5],\n"                     \
    "       start: {angle: 1.23054744454982119}}\n"                                                \
    "  K6: {inboard: K7, joint: hinge, at: [0, -0.04, 0], axis: z, mass: 0.00706,\n"               \
    "       com: [0.00579, 0, 0], inertia: [5.667e-7, 0, 5.667e-7],\n"                             \
    "       start: {angle: -0.222668390165885885}}\n"                                              \
    "points:\n"                                                                                    \
    "  E2: {body: K2, at: [-0.028, 0, 0]}\n"                                                       \
    "  E3: {body: K3, at: [0, -0.035, 0]}\n"                                                       \
    "  E4: {body: K4, at: [0, -0.02, 0]}\n"                                                        \
    "  E6: {body: K6, at: [0.02, 0, 0]}\n"                                                         \
    "  C: {body: ground, at: [0.014, 0.072, 0]}\n"                                                 \
    "  D: {body: K3, at: [0.02, -0.018, 0]}\n"                                                     \
    "springs: {spring: {from: C, to: D, stiffness: 4530, length: 0.07785}}\n"                      \
    "states: {lost: {start: 0, unit: J, rate: -mom*K1.angle_rate}}\n" rest

static const char andrews_model[] =
    ANDREWS("-0.0617138900142764496", "constraints:\n"
                                      "  g1x: {position: E2.position.x - E3.position.x}\n"
                                      "  g1y: {position: E2.position.y - E3.position.y}\n"
                                      "  g2x: {position: E2.position.x - E4.position.x}\n"
                                      "  g2y: {position: E2.position.y - E4.position.y}\n"
                                      "  g3x: {position: E2.position.x - E6.position.x}\n"
                                      "  g3y: {position: E2.position.y - E6.position.y}\n"
                                      "keep: [K1.angle]\n");

// The same with pins instead of formulas, from the start of the benchmark library.
static const char andrews_pins_model[] =
    ANDREWS("-0.0620", "joints:\n"
                       "  pin3: {joint: hinge, from: E3, to: E2, axis: z}\n"
                       "  pin4: {joint: hinge, from: E4, to: E2, axis: z}\n"
                       "  pin6: {joint: hinge, from: E6, to: E2, axis: z}\n"
                       "keep: [K1.angle]\n");

// Of a run in quad precision, which agrees with the published values to their last good digit.
static const verify_check andrews_checks[] = {
    {"K1.angle", 0.03, 15.810771195153707, 11.0},
    {"K2.angle", 0.03, -15.756371058411839, 11.0},
    {"K3.angle", 0.03, 0.040822240119645803, 11.0},
    {"K4.angle", 0.03, -0.53473011634207956, 11.0},
    {"K5.angle", 0.03, 0.52440996587995403, 11.0},
    {"K6.angle", 0.03, 0.53473011634207956, 11.0},
    {"K7.angle", 0.03, 1.0480807410419379, 11.0},
    {"K1.angle_rate", 0.03, 1139.9203022591062, 9.0},
    {"K2.angle_rate", 0.03, -1424.3792951775401, 9.0},
    {"K3.angle_rate", 0.03, 11.032911910618594, 9.0},
    {"K4.angle_rate", 0.03, 19.29337410503204, 9.0},
    {"K5.angle_rate", 0.03, 0.57356991482950248, 9.0},
    {"K6.angle_rate", 0.03, -19.29337410503204, 9.0},
    {"K7.angle_rate", 0.03, 0.32317914924913088, 9.0},
    {"g1x.load", 0.03, -199.17534810453864, 8.0},
    {"g1y.load", 0.03, 29.755309974971762, 8.0},
    {"g2x.load", 0.03, -23.066543611622151, 8.0},
    {"g2y.load", 0.03, -31.452725275771137, 8.0},
    {"g3x.load", 0.03, -22.64249478639438, 8.0},
    {"g3y.load", 0.03, -11.617392352611256, 8.0},
};

const verify_benchmark verify_andrews = {
    .text = {"andrews", "IFToMM A03: Andrews' squeezing mechanism, 0.03 s",
             "IVP test set, problem andrews; values of a run in quad precision"},
    .model = andrews_model,
    .method = "dop853",
    .tolerance = 1e-14,
    .check = andrews_checks,
    .check_count = COUNT(andrews_checks),
    .drift_digits = 10.0,
};

const verify_benchmark verify_andrews_pins = {
    .text = {"andrews-pins", "IFToMM A03 with pins, from -0.0620 rad, 0.05 s: energy",
             "IFToMM benchmark library, A03"},
    .model = andrews_pins_model,
    .method = "dop853",
    .tolerance = 1e-13,
    .check =
        (const verify_check[]){{"K1.angle", 0.0, -0.0620, 15.0}, {"pin3.force_z", 0.05, 0.0, 10.0}},
    .check_count = 2,
    .drift_digits = 10.0,
};

// ---- A04 ---------------------------------------------------------------------------------------

// Five rods of 1 m, 1 kg and 0.1 x 0.1 m between six hinges: one row too many for its one degree of
// freedom.
static const char bricard_model[] =
    "motorcade: multibody\n"
    "name: bricard\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {m: 1 kg, l: 1 m, b: 0.1 m}\n"
    "bodies:\n"
    "  rod1: {joint: hinge, axis: y, mass: m, com: [0.5, 0, 0],\n"
    "         inertia: [m*b^2/6, m*(l^2 + b^2)/12, m*(l^2 + b^2)/12]}\n"
    "  rod2: {inboard: rod1, joint: hinge, at: [1, 0, 0], axis: z, mass: m, com: [0, -0.5, 0],\n"
    "         inertia: [m*(l^2 + b^2)/12, m*b^2/6, m*(l^2 + b^2)/12]}\n"
    "  rod3: {inboard: rod2, joint: hinge, at: [0, -1, 0], axis: x, mass: m, com: [0, 0, 0.5],\n"
    "         inertia: [m*(l^2 + b^2)/12, m*(l^2 + b^2)/12, m*b^2/6]}\n"
    "  rod4: {inboard: rod3, joint: hinge, at: [0, 0, 1], axis: y, mass: m, com: [-0.5, 0, 0],\n"
    "         inertia: [m*b^2/6, m*(l^2 + b^2)/12, m*(l^2 + b^2)/12]}\n"
    "  rod5: {inboard: rod4, joint: hinge, at: [-1, 0, 0], axis: z, mass: m, com: [0, 0.5, 0],\n"
    "         inertia: [m*(l^2 + b^2)/12, m*b^2/6, m*(l^2 + b^2)/12]}\n"
    "joints:\n"
    "  last: {joint: hinge, from: rod5, at: [0, 1, 0], to: ground, to_at: [0, 0, 1], axis: x}\n"
    "points: {P3: {body: rod2, at: [0, -1, 0]}}\n";

// Invariants: where it starts, and the energy over 10 s.
static const verify_check bricard_checks[] = {
    {"P3.x", 0.0, 1.0, 14.0},
    {"P3.y", 0.0, -1.0, 14.0},
    {"energy.total", 10.0, -29.43, 10.0},
};

const verify_benchmark verify_bricard = {
    .text = {"bricard", "IFToMM A04: Bricard's over-constrained mechanism, 10 s",
             "IFToMM benchmark library, A04; its energy"},
    .model = bricard_model,
    .method = "dop853",
    .tolerance = 1e-12,
    .check = bricard_checks,
    .check_count = COUNT(bricard_checks),
    .drift_digits = 10.0,
};

// ---- car axis ----------------------------------------------------------------------------------

// Two masses k = M eps^2/2 at the ends of a rod; the left one moves across the line to a support
// that goes up and down, a spring of unit rate under each.
static const char car_axis_model[] =
    "motorcade: multibody\n"
    "name: car_axis\n"
    "gravity: [0, -1, 0]\n"
    "parameters: {k: 5e-4 kg, rate: 1 N/m, L: 1 m, L0: 0.5 m, r: 0.1 m, w: 10 rad/s}\n"
    "bodies:\n"
    "  left: {joint: general, free: [tx, ty], mass: k,\n"
    "         start: {tx: 0, ty: 0.5, tx_rate: -0.5, ty_rate: 0}}\n"
    "  right: {joint: general, free: [tx, ty], mass: k,\n"
    "          start: {tx: 1, ty: 0.5, tx_rate: -0.5, ty_rate: 0}}\n"
    "points:\n"
    "  origin: {body: ground, at: [0, 0, 0]}\n"
    "  l: {body: left, at: [0, 0, 0]}\n"
    "  p: {body: right, at: [0, 0, 0]}\n"
    "springs: {left_spring: {from: origin, to: l, stiffness: rate, length: L0}}\n"
    "variables:\n"
    "  yb: r*sin(w*t)\n"
    "  xb: sqrt(L^2 - yb^2)\n"
    "  long: sqrt((right.tx - xb)^2 + (right.ty - yb)^2)\n"
    "forces:\n"
    "  right_spring: {point: p, force: [rate*(L0 - long)*(right.tx - xb)/long,\n"
    "                                   rate*(L0 - long)*(right.ty - yb)/long, 0 N]}\n"
    "constraints:\n"
    "  across: {position: xb*left.tx + yb*left.ty}\n"
    "  rod: {position: (left.tx - right.tx)^2 + (left.ty - right.ty)^2 - L^2}\n";

static const verify_check car_axis_checks[] = {
    {"left.tx", 3.0, 0.493455784275402809e-1, 11.0},
    {"left.ty", 3.0, 0.496989460230171154, 11.0},
    {"right.tx", 3.0, 1.04174252488542152, 11.0},
    {"right.ty", 3.0, 0.373911027265361257, 11.0},
    {"left.tx_rate", 3.0, -0.770583684040972358e-1, 9.0},
    {"left.ty_rate", 3.0, 0.744686658723778553e-2, 9.0},
    {"right.tx_rate", 3.0, 0.175568157537232222e-1, 9.0},
    {"right.ty_rate", 3.0, 0.770341043779251976, 9.0},
    {"across.load", 3.0, -0.473688659084893325e-2, 8.0},
    {"rod.load", 3.0, -0.110468033125734369e-2, 8.0},
};

const verify_benchmark verify_car_axis = {
    .text = {"car-axis", "car axis of the IVP test set, 3 s",
             "IVP test set, problem caraxis (GAMD)"},
    .model = car_axis_model,
    .method = "dop853",
    .tolerance = 1e-13,
    .check = car_axis_checks,
    .check_count = COUNT(car_axis_checks),
};
