// ode_collocation.h - implicit Runge-Kutta methods given by their nodes, and Newton for their
// stages.
//
// A polynomial u of degree s satisfies the equation at s nodes: u(0) = y, u'(c_i) = h f(t + c_i h,
// u(c_i)). With Z_i = u(c_i) - y, and l_j the Lagrange polynomials on the nodes 0, c_1, ..., c_s:
//     u(x) = y + sum of l_j(x) Z_j          result, interpolant and guess for the next step
//     M_ij = l_j'(c_i)                      the inverse of Butcher's matrix A
//     M Z = h F(Z)                          the equations of a step
// Newton with one Jacobian J for all stages: (M/h - J) dZ = F - M Z / h. M = T L T^-1 with L of one
// real eigenvalue and one pair of complex ones splits that into one real and one complex system
// of n equations (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.8), a fifth of
// the work of the whole. Works for Gauss and Radau nodes with one to three stages.
#pragma once

#include "num/ode_method.h"

enum { ODE_STAGE_MAX = 3 };

typedef struct ode_collocation {
    int stages;
    double c[ODE_STAGE_MAX];
    double m[ODE_STAGE_MAX][ODE_STAGE_MAX]; // inverse of A
    double t[ODE_STAGE_MAX][ODE_STAGE_MAX], t_inverse[ODE_STAGE_MAX][ODE_STAGE_MAX];
    bool has_real, has_pair;
    double gamma;           // real eigenvalue of M; its column of T is the first
    double _Complex lambda; // one of the pair; T's columns are real and imaginary part of its
                            // vector
} ode_collocation;

// nodes: strictly between 0 and 1, or 1; all different.
void ode_collocation_make(ode_collocation *method, int stages, const double *nodes);

// w_j = l_j(x).
void ode_collocation_basis(const ode_collocation *method, double x, double *w);

// The stage equations of one ode and what solving them needs.
typedef struct ode_stages {
    ode_collocation method;
    double *jacobian;      // n n
    double *real;          // n n, factors of gamma/h - J
    double _Complex *pair; // n n, factors of lambda/h - J
    int *real_pivot, *pair_pivot;
    double *z;                // stages of n: u - y at the nodes
    double *old;              // z of the last accepted step
    double *w, *f, *change;   // stages of n: T^-1 z; rates; the last change of z
    double *point, *shifted;  // n
    double _Complex *right;   // n
    double h_factored, h_old; // step of the factors; of `old`. 0: none
} ode_stages;

void ode_stages_layout(ode *o, ode_space *space, ode_stages *stages); // sets the pointers
void ode_stages_reset(ode_stages *s);                                 // forgets factors and old

// J at (t, y) with rate dy there. The factors are stale afterwards.
ode_answer ode_stages_jacobian(ode *o, ode_stages *s, const double *dy, double h);

// Factors for a step of h, unless they exist already. False: singular.
bool ode_stages_factor(ode *o, ode_stages *s, double h);

// Guesses z for a step of h: from the polynomial of the last step, or 0.
void ode_stages_guess(const ode *o, ode_stages *s, double h);

// One iteration for a step of h from (o->t, o->y): z moves. *norm: root mean square of the change
// over all stages with these weights; the worst state goes to *worst.
ode_answer ode_stages_iterate(ode *o, ode_stages *s, double h, const double *weight, double *norm,
                              int *worst);

// y += u(x) - u(0) for the present z, or for that of the last accepted step.
void ode_stages_add(const ode *o, const ode_stages *s, const double *z, double x, double *y);

// The step of h with the present z is accepted.
void ode_stages_accept(const ode *o, ode_stages *s, double h);
