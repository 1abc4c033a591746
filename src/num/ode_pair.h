// ode_pair.h - explicit Runge-Kutta methods with an error estimate and an interpolant.
//
// Stage i < stages:   k_i = f(t + c_i h, y + h sum of a_ij k_j)
// Result:             y1 = y + h sum of b_j k_j over j < stages
// Stage `stages`:     k = f(t + h, y1), the first stage of the next step
// Error:              h sum of e_j k_j, over all up to and with that stage
// Interpolant at t + x h, with d = y1 - y and z = 1 - x:
//     y + x (d + z (r_0 + x (r_1 + z (r_2 + x (r_3 + ...)))))
//     r_0 = h k_0 - d,  r_1 = d - h k_end - r_0,  r_(2+m) = h sum of dense_mj k_j
// Further stages, after `stages`, are computed only in steps that hold a row.
#pragma once

#include "num/ode_method.h"

enum { ODE_PAIR_STAGE_MAX = 16, ODE_PAIR_DENSE_MAX = 4 };

typedef struct ode_pair {
    int order, stages;
    int error_order; // the error estimate falls with h^(error_order + 1)
    int all_stages;  // with the end of the step and those of the interpolant
    int dense_count; // rows of dense
    double c[ODE_PAIR_STAGE_MAX], a[ODE_PAIR_STAGE_MAX][ODE_PAIR_STAGE_MAX];
    double b[ODE_PAIR_STAGE_MAX], e[ODE_PAIR_STAGE_MAX];
    // A second estimate, of lower order, that keeps the first from vanishing by chance; 0: none.
    // The error is then |e|^2 / sqrt(|e|^2 + 0.01 |e_low|^2).
    double e_low[ODE_PAIR_STAGE_MAX];
    bool has_low;
    double dense[ODE_PAIR_DENSE_MAX][ODE_PAIR_STAGE_MAX];
    // Step control: h *= clamp(safety err^-alpha err_before^beta, min_factor, max_factor).
    double alpha, beta, min_factor, max_factor;
} ode_pair;

// What a row of ode.c has as its table: fills the coefficients.
typedef struct ode_pair_maker {
    void (*fill)(ode_pair *pair);
} ode_pair_maker;

extern const ode_method ode_pair_method;
extern const ode_pair_maker ode_dopri5_maker, ode_dop853_maker;
