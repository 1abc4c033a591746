// tyre_pac2002.h - what the table, the file and the vector code of the law PAC2002 share.
//
// Coefficients have the names of the files (.tir). The list is the table: number, section of the
// file, value of the built-in tyre, what it is. A coefficient that a file does not have is 1 if it
// is a scaling factor, else 0; the column before the last says which ones it must have.
#pragma once

#include "parts/tyre.h"

enum { // when a file must have a coefficient
    PAC2002_MAY = 0,
    PAC2002_ALWAYS = 1,
    PAC2002_FX = 2,       // modes with longitudinal force
    PAC2002_FY = 4,       // modes with side force
    PAC2002_COMBINED = 8, // modes with combined slip
};

// USE_MODE of the file, without its tens.
enum { PAC2002_MODE_VERTICAL, PAC2002_MODE_X, PAC2002_MODE_Y, PAC2002_MODE_PURE, PAC2002_MODE_ALL };

// clang-format off
#define PAC2002_COEFFICIENTS(row)                                                                  \
    row(DIMENSION, UNLOADED_RADIUS, 0.344, PAC2002_ALWAYS, "radius without load, m")               \
    row(VERTICAL, FNOMIN, 4850.0, PAC2002_ALWAYS, "nominal load, N")                               \
    row(VERTICAL_FORCE_RANGE, FZMIN, 225.0, PAC2002_MAY, "smallest load of the test, N")           \
    row(VERTICAL_FORCE_RANGE, FZMAX, 10125.0, PAC2002_MAY, "largest load of the test, N")          \
    row(SCALING_COEFFICIENTS, LFZO, 0.81, PAC2002_MAY, "scale of the nominal load")                \
    row(SCALING_COEFFICIENTS, LCX, 1.0, PAC2002_MAY, "scale of Fx shape factor")                   \
    row(SCALING_COEFFICIENTS, LMUX, 1.0, PAC2002_MAY, "scale of Fx peak friction")                 \
    row(SCALING_COEFFICIENTS, LEX, 1.0, PAC2002_MAY, "scale of Fx curvature")                      \
    row(SCALING_COEFFICIENTS, LKX, 1.0, PAC2002_MAY, "scale of Fx slip stiffness")                 \
    row(SCALING_COEFFICIENTS, LHX, 1.0, PAC2002_MAY, "scale of Fx horizontal shift")               \
    row(SCALING_COEFFICIENTS, LVX, 1.0, PAC2002_MAY, "scale of Fx vertical shift")                 \
    row(SCALING_COEFFICIENTS, LGAX, 1.0, PAC2002_MAY, "scale of camber for Fx")                    \
    row(SCALING_COEFFICIENTS, LCY, 1.0, PAC2002_MAY, "scale of Fy shape factor")                   \
    row(SCALING_COEFFICIENTS, LMUY, 1.0, PAC2002_MAY, "scale of Fy peak friction")                 \
    row(SCALING_COEFFICIENTS, LEY, 1.0, PAC2002_MAY, "scale of Fy curvature")                      \
    row(SCALING_COEFFICIENTS, LKY, 1.0, PAC2002_MAY, "scale of Fy cornering stiffness")            \
    row(SCALING_COEFFICIENTS, LHY, 1.0, PAC2002_MAY, "scale of Fy horizontal shift")               \
    row(SCALING_COEFFICIENTS, LVY, 1.0, PAC2002_MAY, "scale of Fy vertical shift")                 \
    row(SCALING_COEFFICIENTS, LGAY, 1.0, PAC2002_MAY, "scale of camber for Fy")                    \
    row(SCALING_COEFFICIENTS, LTR, 1.0, PAC2002_MAY, "scale of the trail")                         \
    row(SCALING_COEFFICIENTS, LRES, 1.0, PAC2002_MAY, "scale of the residual moment")              \
    row(SCALING_COEFFICIENTS, LGAZ, 1.0, PAC2002_MAY, "scale of camber for Mz")                    \
    row(SCALING_COEFFICIENTS, LXAL, 1.0, PAC2002_MAY, "scale of alpha on Fx")                      \
    row(SCALING_COEFFICIENTS, LYKA, 1.0, PAC2002_MAY, "scale of kappa on Fy")                      \
    row(SCALING_COEFFICIENTS, LVYKA, 1.0, PAC2002_MAY, "scale of Fy that kappa induces")           \
    row(SCALING_COEFFICIENTS, LS, 1.0, PAC2002_MAY, "scale of the lever of Fx")                    \
    row(SCALING_COEFFICIENTS, LSGKP, 1.0, PAC2002_MAY, "scale of Fx relaxation length")            \
    row(SCALING_COEFFICIENTS, LSGAL, 1.0, PAC2002_MAY, "scale of Fy relaxation length")            \
    row(LONGITUDINAL_COEFFICIENTS, PCX1, 1.6411, PAC2002_FX, "Fx shape factor")                    \
    row(LONGITUDINAL_COEFFICIENTS, PDX1, 1.1739, PAC2002_FX, "Fx friction")                        \
    row(LONGITUDINAL_COEFFICIENTS, PDX2, -0.16395, PAC2002_MAY, "Fx friction, load")               \
    row(LONGITUDINAL_COEFFICIENTS, PDX3, 0.0, PAC2002_MAY, "Fx friction, camber")                  \
    row(LONGITUDINAL_COEFFICIENTS, PEX1, 0.46403, PAC2002_MAY, "Fx curvature")                     \
    row(LONGITUDINAL_COEFFICIENTS, PEX2, 0.25022, PAC2002_MAY, "Fx curvature, load")               \
    row(LONGITUDINAL_COEFFICIENTS, PEX3, 0.067842, PAC2002_MAY, "Fx curvature, load squared")      \
    row(LONGITUDINAL_COEFFICIENTS, PEX4, -3.7604e-05, PAC2002_MAY, "Fx curvature, driving")        \
    row(LONGITUDINAL_COEFFICIENTS, PKX1, 22.303, PAC2002_FX, "Fx slip stiffness")                  \
    row(LONGITUDINAL_COEFFICIENTS, PKX2, 0.48896, PAC2002_MAY, "Fx slip stiffness, load")          \
    row(LONGITUDINAL_COEFFICIENTS, PKX3, 0.21253, PAC2002_MAY, "Fx slip stiffness, exponent")      \
    row(LONGITUDINAL_COEFFICIENTS, PHX1, 0.0012297, PAC2002_MAY, "Fx horizontal shift")            \
    row(LONGITUDINAL_COEFFICIENTS, PHX2, 0.0004318, PAC2002_MAY, "Fx horizontal shift, load")      \
    row(LONGITUDINAL_COEFFICIENTS, PVX1, -8.8098e-06, PAC2002_MAY, "Fx vertical shift")            \
    row(LONGITUDINAL_COEFFICIENTS, PVX2, 1.862e-05, PAC2002_MAY, "Fx vertical shift, load")        \
    row(LONGITUDINAL_COEFFICIENTS, RBX1, 13.276, PAC2002_COMBINED, "alpha on Fx, slope")           \
    row(LONGITUDINAL_COEFFICIENTS, RBX2, -13.778, PAC2002_MAY, "alpha on Fx, slope, kappa")        \
    row(LONGITUDINAL_COEFFICIENTS, RCX1, 1.2568, PAC2002_COMBINED, "alpha on Fx, shape")           \
    row(LONGITUDINAL_COEFFICIENTS, REX1, 0.65225, PAC2002_MAY, "alpha on Fx, curvature")           \
    row(LONGITUDINAL_COEFFICIENTS, REX2, 0.0, PAC2002_MAY, "alpha on Fx, curvature, load")         \
    row(LONGITUDINAL_COEFFICIENTS, RHX1, 0.0050722, PAC2002_MAY, "alpha on Fx, shift")             \
    row(LONGITUDINAL_COEFFICIENTS, PTX1, 2.3657, PAC2002_MAY, "Fx relaxation length")              \
    row(LONGITUDINAL_COEFFICIENTS, PTX2, 1.4112, PAC2002_MAY, "Fx relaxation length, load")        \
    row(LONGITUDINAL_COEFFICIENTS, PTX3, 0.56626, PAC2002_MAY, "Fx relaxation length, exponent")   \
    row(LATERAL_COEFFICIENTS, PCY1, 1.3507, PAC2002_FY, "Fy shape factor")                         \
    row(LATERAL_COEFFICIENTS, PDY1, 1.0489, PAC2002_FY, "Fy friction")                             \
    row(LATERAL_COEFFICIENTS, PDY2, -0.18033, PAC2002_MAY, "Fy friction, load")                    \
    row(LATERAL_COEFFICIENTS, PDY3, -2.8821, PAC2002_MAY, "Fy friction, camber squared")           \
    row(LATERAL_COEFFICIENTS, PEY1, -0.0074722, PAC2002_MAY, "Fy curvature")                       \
    row(LATERAL_COEFFICIENTS, PEY2, -0.0063208, PAC2002_MAY, "Fy curvature, load")                 \
    row(LATERAL_COEFFICIENTS, PEY3, -9.9935, PAC2002_MAY, "Fy curvature, direction")               \
    row(LATERAL_COEFFICIENTS, PEY4, -760.14, PAC2002_MAY, "Fy curvature, direction and camber")    \
    row(LATERAL_COEFFICIENTS, PKY1, -21.92, PAC2002_FY, "Fy maximum cornering stiffness")          \
    row(LATERAL_COEFFICIENTS, PKY2, 2.0012, PAC2002_FY, "Fy load of that maximum")                 \
    row(LATERAL_COEFFICIENTS, PKY3, -0.024778, PAC2002_MAY, "Fy cornering stiffness, camber")      \
    row(LATERAL_COEFFICIENTS, PHY1, 0.0026747, PAC2002_MAY, "Fy horizontal shift")                 \
    row(LATERAL_COEFFICIENTS, PHY2, 8.9094e-05, PAC2002_MAY, "Fy horizontal shift, load")          \
    row(LATERAL_COEFFICIENTS, PHY3, 0.031415, PAC2002_MAY, "Fy horizontal shift, camber")          \
    row(LATERAL_COEFFICIENTS, PVY1, 0.037318, PAC2002_MAY, "Fy vertical shift")                    \
    row(LATERAL_COEFFICIENTS, PVY2, -0.010049, PAC2002_MAY, "Fy vertical shift, load")             \
    row(LATERAL_COEFFICIENTS, PVY3, -0.32931, PAC2002_MAY, "Fy vertical shift, camber")            \
    row(LATERAL_COEFFICIENTS, PVY4, -0.69553, PAC2002_MAY, "Fy vertical shift, camber and load")   \
    row(LATERAL_COEFFICIENTS, RBY1, 7.1433, PAC2002_COMBINED, "kappa on Fy, slope")                \
    row(LATERAL_COEFFICIENTS, RBY2, 9.1916, PAC2002_MAY, "kappa on Fy, slope, alpha")              \
    row(LATERAL_COEFFICIENTS, RBY3, -0.027856, PAC2002_MAY, "kappa on Fy, slope, shift of alpha")  \
    row(LATERAL_COEFFICIENTS, RCY1, 1.0719, PAC2002_COMBINED, "kappa on Fy, shape")                \
    row(LATERAL_COEFFICIENTS, REY1, -0.27572, PAC2002_MAY, "kappa on Fy, curvature")               \
    row(LATERAL_COEFFICIENTS, REY2, 0.0, PAC2002_MAY, "kappa on Fy, curvature, load")              \
    row(LATERAL_COEFFICIENTS, RHY1, 5.7448e-06, PAC2002_MAY, "kappa on Fy, shift")                 \
    row(LATERAL_COEFFICIENTS, RHY2, 0.0, PAC2002_MAY, "kappa on Fy, shift, load")                  \
    row(LATERAL_COEFFICIENTS, RVY1, -0.027825, PAC2002_MAY, "Fy that kappa induces")               \
    row(LATERAL_COEFFICIENTS, RVY2, 0.0, PAC2002_MAY, "Fy that kappa induces, load")               \
    row(LATERAL_COEFFICIENTS, RVY3, -0.27568, PAC2002_MAY, "Fy that kappa induces, camber")        \
    row(LATERAL_COEFFICIENTS, RVY4, 12.12, PAC2002_MAY, "Fy that kappa induces, alpha")            \
    row(LATERAL_COEFFICIENTS, RVY5, 1.9, PAC2002_MAY, "Fy that kappa induces, shape")              \
    row(LATERAL_COEFFICIENTS, RVY6, -10.704, PAC2002_MAY, "Fy that kappa induces, slope")          \
    row(LATERAL_COEFFICIENTS, PTY1, 2.1439, PAC2002_MAY, "Fy relaxation length, maximum")          \
    row(LATERAL_COEFFICIENTS, PTY2, 1.9829, PAC2002_MAY, "Fy relaxation length, load of it")       \
    row(ALIGNING_COEFFICIENTS, QBZ1, 10.904, PAC2002_MAY, "trail slope")                           \
    row(ALIGNING_COEFFICIENTS, QBZ2, -1.8412, PAC2002_MAY, "trail slope, load")                    \
    row(ALIGNING_COEFFICIENTS, QBZ3, -0.52041, PAC2002_MAY, "trail slope, load squared")           \
    row(ALIGNING_COEFFICIENTS, QBZ4, 0.039211, PAC2002_MAY, "trail slope, camber")                 \
    row(ALIGNING_COEFFICIENTS, QBZ5, 0.41511, PAC2002_MAY, "trail slope, size of camber")          \
    row(ALIGNING_COEFFICIENTS, QBZ9, 8.9846, PAC2002_MAY, "residual moment, slope")                \
    row(ALIGNING_COEFFICIENTS, QBZ10, 0.0, PAC2002_MAY, "residual moment, slope of Fy")            \
    row(ALIGNING_COEFFICIENTS, QCZ1, 1.2136, PAC2002_MAY, "trail shape")                           \
    row(ALIGNING_COEFFICIENTS, QDZ1, 0.093509, PAC2002_MAY, "trail peak")                          \
    row(ALIGNING_COEFFICIENTS, QDZ2, -0.0092183, PAC2002_MAY, "trail peak, load")                  \
    row(ALIGNING_COEFFICIENTS, QDZ3, -0.057061, PAC2002_MAY, "trail peak, camber")                 \
    row(ALIGNING_COEFFICIENTS, QDZ4, 0.73954, PAC2002_MAY, "trail peak, camber squared")           \
    row(ALIGNING_COEFFICIENTS, QDZ6, -0.0067783, PAC2002_MAY, "residual moment")                   \
    row(ALIGNING_COEFFICIENTS, QDZ7, 0.0052254, PAC2002_MAY, "residual moment, load")              \
    row(ALIGNING_COEFFICIENTS, QDZ8, -0.18175, PAC2002_MAY, "residual moment, camber")             \
    row(ALIGNING_COEFFICIENTS, QDZ9, 0.029952, PAC2002_MAY, "residual moment, camber and load")    \
    row(ALIGNING_COEFFICIENTS, QEZ1, -1.5697, PAC2002_MAY, "trail curvature")                      \
    row(ALIGNING_COEFFICIENTS, QEZ2, 0.33394, PAC2002_MAY, "trail curvature, load")                \
    row(ALIGNING_COEFFICIENTS, QEZ3, 0.0, PAC2002_MAY, "trail curvature, load squared")            \
    row(ALIGNING_COEFFICIENTS, QEZ4, 0.26711, PAC2002_MAY, "trail curvature, direction")           \
    row(ALIGNING_COEFFICIENTS, QEZ5, -3.594, PAC2002_MAY, "trail curvature, direction, camber")    \
    row(ALIGNING_COEFFICIENTS, QHZ1, 0.0047326, PAC2002_MAY, "trail shift")                        \
    row(ALIGNING_COEFFICIENTS, QHZ2, 0.0026687, PAC2002_MAY, "trail shift, load")                  \
    row(ALIGNING_COEFFICIENTS, QHZ3, 0.11998, PAC2002_MAY, "trail shift, camber")                  \
    row(ALIGNING_COEFFICIENTS, QHZ4, 0.059083, PAC2002_MAY, "trail shift, camber and load")        \
    row(ALIGNING_COEFFICIENTS, SSZ1, 0.0, PAC2002_MAY, "lever of Fx")                              \
    row(ALIGNING_COEFFICIENTS, SSZ2, 0.0, PAC2002_MAY, "lever of Fx, side force")                  \
    row(ALIGNING_COEFFICIENTS, SSZ3, 0.0, PAC2002_MAY, "lever of Fx, camber")                      \
    row(ALIGNING_COEFFICIENTS, SSZ4, 0.0, PAC2002_MAY, "lever of Fx, camber and load")
// clang-format on

#define PAC2002_ENUM(section, name, value, needed, doc) PAC2002_##name,
enum { PAC2002_COEFFICIENTS(PAC2002_ENUM) PAC2002_COUNT };

// Without coefficient: keys of a scenario.
enum { PAC2002_DAMPING, PAC2002_ELLIPSE, PAC2002_PARAM_COUNT };

typedef struct pac2002_tyre {
    double c[PAC2002_COUNT]; // SI
    double v_low;            // m/s, VXLOW
    int mode;                // USE_MODE
    int side;                // 1: the file is of a left tyre, -1: of a right one
} pac2002_tyre;

extern const pac2002_tyre pac2002_built_in;

// Reads a file (.tir) into a pac2002_tyre: mc_tyre.load.
mc_tyre_load pac2002_load;

// Relaxation lengths are not shorter than this share of the radius.
#define PAC2002_RELAXATION_MIN 0.3

tyre_eval pac2002_eval_plain, pac2002_eval_avx2;
