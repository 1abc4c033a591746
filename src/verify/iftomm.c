// iftomm.c - benchmarks of the IFToMM library of computational multibody problems
// (lim.ii.udc.es/mbsbenchmark) that are trees: A01 and A05.
#include "verify/verify.h"

#include <math.h>

// ---- A01 ---------------------------------------------------------------------------------------

// In the plane of x and z: the y of the problem is our z.
static const char pendulum_model[] = "motorcade: multibody\n"
                                     "name: pendulum\n"
                                     "gravity: [0, 0, -9.81]\n"
                                     "bodies:\n"
                                     "  rod: {joint: hinge, axis: y, mass: 1, com: [0, 0, -1],\n"
                                     "        start: {angle: 90 deg}}\n"
                                     "points:\n"
                                     "  tip: {body: rod, at: [0, 0, -1]}\n";

// Exact: theta = 2 asin(k sn(...)), k = sin 45 deg, to twelve decimals; period 4 K(1/2) sqrt(L/g).
static const verify_check pendulum_checks[] = {
    {"rod.angle", VERIFY_PERIOD, 2.3678419475762373, 11.0},
    {"tip.x", 1.0, 0.986291751132, 9.0},
    {"tip.z", 1.0, -0.165010853126, 9.0},
    {"tip.x", 2.0, -0.793566195343, 9.0},
    {"tip.z", 2.0, -0.608483930444, 9.0},
    {"tip.x", 3.0, 0.176651789923, 9.0},
    {"tip.z", 3.0, -0.984273409738, 9.0},
    {"tip.x", 4.0, 0.577563628249, 9.0},
    {"tip.z", 4.0, -0.816345671468, 9.0},
    {"tip.x", 5.0, -0.942305435044, 9.0},
    {"tip.z", 5.0, -0.334754338414, 9.0},
    {"tip.x", 6.0, 0.999497539939, 9.0},
    {"tip.z", 6.0, -0.031696492790, 9.0},
    {"tip.x", 7.0, -0.998618779175, 9.0},
    {"tip.z", 7.0, -0.052540782998, 9.0},
    {"tip.x", 8.0, 0.919857983108, 9.0},
    {"tip.z", 8.0, -0.392251565852, 9.0},
    {"tip.x", 9.0, -0.498373709058, 9.0},
    {"tip.z", 9.0, -0.866962309515, 9.0},
    {"tip.x", 10.0, -0.275087462576, 9.0},
    {"tip.z", 10.0, -0.961419205099, 9.0},
};

const verify_benchmark verify_pendulum = {
    .text = {"pendulum", "IFToMM A01: point mass on a massless rod, from the horizontal, 10 s",
             "IFToMM benchmark library, A01; exact by elliptic functions"},
    .model = pendulum_model,
    .method = "dop853",
    .tolerance = 1e-13,
    .check = pendulum_checks,
    .check_count = sizeof pendulum_checks / sizeof pendulum_checks[0],
    .drift_digits = 11.0,
};

// ---- A05 ---------------------------------------------------------------------------------------

// Rods of 1 x 0.01 x 0.01 m and a cube of 0.1 m, all of 3000 kg/m^3: 0.3 kg and 3 kg. The rods lie
// along x of their frames; at angle 0 they are level. `lost` is what the dampers took.
#define GOVERNOR_HEAD                                                                              \
    "motorcade: multibody\n"                                                                       \
    "name: governor\n"                                                                             \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "parameters:\n"                                                                                \
    "  rod: 0.3 kg\n"                                                                              \
    "  across: 0.0250025 kg*m^2\n"                                                                 \
    "  along: 5e-6 kg*m^2\n"                                                                       \
    "  c: 4e4 N*s/m\n"                                                                             \
    "bodies:\n"                                                                                    \
    "  shaft: {joint: hinge, axis: z, mass: rod, com: [0, 0, 0.5],\n"                              \
    "          inertia: [across, across, along], start: {angle_rate: 6.283185307179586}}\n"        \
    "  right: {inboard: shaft, joint: hinge, at: [0.05, 0, 1], axis: y, mass: rod,\n"              \
    "          com: [0.5, 0, 0], inertia: [along, across, across], start: {angle: 30 deg}}\n"      \
    "  left: {inboard: shaft, joint: hinge, at: [-0.05, 0, 1], orientation: [0, 0, 0, 1],\n"       \
    "         axis: y, mass: rod, com: [0.5, 0, 0], inertia: [along, across, across],\n"           \
    "         start: {angle: 30 deg}}\n"                                                           \
    "  right_ball: {inboard: right, joint: fixed, at: [1, 0, 0], mass: 5}\n"                       \
    "  left_ball: {inboard: left, joint: fixed, at: [1, 0, 0], mass: 5}\n"
#define GOVERNOR_TAIL                                                                              \
    "points:\n"                                                                                    \
    "  right_low: {body: slider, at: [0.05, 0, 0]}\n"                                              \
    "  left_low: {body: slider, at: [-0.05, 0, 0]}\n"                                              \
    "  right_mid: {body: right, at: [0.5, 0, 0]}\n"                                                \
    "  left_mid: {body: left, at: [0.5, 0, 0]}\n"                                                  \
    "springs:\n"                                                                                   \
    "  right_strut: {from: right_low, to: right_mid, stiffness: 8e5, damping: c, length: 0.5}\n"   \
    "  left_strut: {from: left_low, to: left_mid, stiffness: 8e5, damping: c, length: 0.5}\n"      \
    "states:\n"                                                                                    \
    "  lost: {start: 0, unit: J, rate: c*(right_strut.rate^2 + left_strut.rate^2)}\n"

static const char governor_model[] = GOVERNOR_HEAD
    "  slider: {inboard: shaft, joint: prism, axis: z, mass: 3,\n"
    "           inertia: [0.005, 0.005, 0.005], start: {travel: 0.5}}\n" GOVERNOR_TAIL;

// The same with the slider free in space and held on the shaft by a joint beside the tree.
static const char governor_loops_model[] =
    GOVERNOR_HEAD "  slider: {joint: free, mass: 3, inertia: [0.005, 0.005, 0.005],\n"
                  "           start: {z: 0.5, wz: 6.283185307179586}}\n" GOVERNOR_TAIL
                  "joints: {guide: {joint: prism, from: shaft, to: slider, axis: z}}\n";

// The problem is the library's, which shows plots. The numbers are of a separate run in three
// minimal coordinates (Radau, 1e-12). Kinetic energy at the start: rotor inertia 8.5735... kg m^2.
#define FULL_TURN 6.283185307179586
static const verify_check governor_checks[] = {
    {"energy.kinetic", 0.0, 0.5 * 8.573517415897973 * FULL_TURN *FULL_TURN, 14.0},
    {"slider.travel", 1.0, 0.501420922380, 10.0},
    {"right.angle", 1.0, 0.521833301626, 10.0},
    {"shaft.angle_rate", 1.0, 6.271125741876, 10.0},
    {"slider.travel", 2.0, 0.505909294297, 10.0},
    {"shaft.angle_rate", 2.0, 6.236223614436, 10.0},
    {"slider.travel", 5.0, 0.535563103722, 10.0},
    {"right.angle", 5.0, 0.482874576587, 10.0},
    {"left.angle", 5.0, 0.482874576587, 10.0},
    {"shaft.angle_rate", 5.0, 6.022496499759, 10.0},
    {"slider.travel", 10.0, 0.619622917061, 10.0},
    {"right.angle", 10.0, 0.390073701845, 10.0},
    {"shaft.angle_rate", 10.0, 5.548203622656, 10.0},
};

const verify_benchmark verify_governor = {
    .text = {"governor", "IFToMM A05: stiff flyball governor, free to turn, 10 s",
             "IFToMM benchmark library, A05 (problem); values of a separate Radau run in minimal "
             "coordinates, 1e-12"},
    .model = governor_model,
    .method = "radau5",
    .tolerance = 1e-12,
    .check = governor_checks,
    .check_count = sizeof governor_checks / sizeof governor_checks[0],
    .drift_digits = 10.0,
};

static const verify_check governor_loops_checks[] = {
    {"slider.z", 1.0, 0.501420922380, 10.0},
    {"shaft.angle_rate", 1.0, 6.271125741876, 10.0},
    {"slider.z", 5.0, 0.535563103722, 10.0},
    {"right.angle", 5.0, 0.482874576587, 10.0},
    {"shaft.angle_rate", 5.0, 6.022496499759, 10.0},
    {"slider.z", 10.0, 0.619622917061, 10.0},
    {"shaft.angle_rate", 10.0, 5.548203622656, 10.0},
};

const verify_benchmark verify_governor_loops = {
    .text = {"governor-loops", "IFToMM A05 with the slider held by a joint beside the tree, 10 s",
             "as governor"},
    .model = governor_loops_model,
    .method = "radau5",
    .tolerance = 1e-12,
    .check = governor_loops_checks,
    .check_count = sizeof governor_loops_checks / sizeof governor_loops_checks[0],
    .drift_digits = 10.0,
};
