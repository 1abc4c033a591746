// higher.h - directors 4 to 7, of a chassis that bends and twists: CHASSIS_MODEL seven_directors.
//
//     x = r + sum over i of X_i d_i + sum over k of phi_k(X) d_k,     i = 1 .. 3, k = 4 .. 7
//     phi_4 = X1^2 - <X1^2>,  phi_5 = X1 X2,  phi_6 = X1 X3,  phi_7 = X2 X3
//
// d_4 curves the long axis; with d_5 and d_6 its cross-sections turn as it curves (bending without
// shear) and about the axis (torsion); d_7 warps them.
//
// The reference body is a solid ellipsoid, mass and material spread evenly in it, whose second
// moments are those of the vehicle: <X_i^2> = my_i/m, semi-axes sqrt(5 <X_i^2>). Its moments of
// order four are <X_i X_j X_k X_l> = 5/7 (<X_i X_j><X_k X_l> + two more pairings), odd ones are 0.
// All integrals below need no more than these, so they are exact:
//
//   Inertia. 1, X_i and phi_k are orthogonal over the body, so the inertia matrix is diagonal:
//     my_4 = 8/7 m <X1^2>^2,  my_5 = 5/7 m <X1^2><X2^2>,  and so on.  r stays the mass centre.
//   Response, St. Venant-Kirchhoff. The gradient is F + X_n H_n, linear in X, with
//     H_1 = [2 d4, d5, d6],  H_2 = [d5, 0, d7],  H_3 = [d6, d7, 0]
//   so the strain E + X_n E_n + X_m X_n E_mn is quadratic and the energy of order four in X:
//     E_n = sym(F'H_n),  E_mn = sym(H_m'H_n)/2
//
// Small deformations: directors 4 to 7 are independent of the first three, and by the symmetry of
// the body fall into four groups of three modes (higher_member): stretch that varies along the
// body, bending to the side, bending up and down, torsion.
#pragma once

#include "motorcade/param.h"

#include <stdbool.h>

enum {
    HIGHER_DIRECTORS = 4,
    HIGHER_SIZE = 3 * HIGHER_DIRECTORS, // component a of director 4 + k at [3 k + a]
    HIGHER_VALUES = 2 * HIGHER_SIZE,    // the directors, then their velocities
    HIGHER_GROUPS = 4,
};

enum { // block CHASSIS_MODEL seven_directors: directors at rest, and whether they move
    HIGHER_D41,
    HIGHER_D73 = HIGHER_D41 + HIGHER_SIZE - 1,
    HIGHER_HELD,
    HIGHER_PARAM_COUNT
};
extern const mc_param higher_params[HIGHER_PARAM_COUNT];

extern const int higher_member[HIGHER_GROUPS][3]; // components [3 k + a] of each group

typedef struct higher_constants {
    double moment[3];                    // m^2, <X_i^2>
    double my[HIGHER_DIRECTORS];         // kg m^4
    double my_inverse[HIGHER_DIRECTORS]; // 0 of directors that are held
    // Of each group: modes as columns, scaled so that mode' diag(my) mode = I; diag(my) mode.
    double mode[HIGHER_GROUPS][9], mode_my[HIGHER_GROUPS][9];
    double omega[HIGHER_SIZE]; // rad/s, three of each group
} higher_constants;

// my: of directors 1 to 3. lambda, two_mu: N m, times the volume.
void higher_constants_of(double mass, const double my[3], double volume_lambda,
                         double volume_two_mu, bool held, higher_constants *out);

static inline void higher_shape(const double moment[3], const double x[3],
                                double phi[HIGHER_DIRECTORS])
{
    phi[0] = x[0] * x[0] - moment[0];
    phi[1] = x[0] * x[1];
    phi[2] = x[0] * x[2];
    phi[3] = x[1] * x[2];
}

// H_1, H_2, H_3, row major.
void higher_gradient(const double g[HIGHER_SIZE], double h[3][9]);

// What directors 4 to 7 add to the elastic energy of the deformation F, J.
double higher_energy(const higher_constants *c, double volume_lambda, double volume_two_mu,
                     const double f[9], const double g[HIGHER_SIZE]);
