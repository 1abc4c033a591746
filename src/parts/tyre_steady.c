// tyre_steady.c - a tyre law until its states are at rest.
#include "parts/tyre_steady.h"

#include <math.h>

enum { N = TYRE_STEADY_WHEELS, STEPS_MAX = 60000 };

// Euler steps, half of what the stiffest pole allows.
void tyre_steady(const tyre_kind *law, const double *p, const tyre_in *in, const tyre_out *out)
{
    _Alignas(32) double x[TYRE_STATE_MAX * N] = {0}, drive[TYRE_STATE_MAX * N] = {0};
    tyre_eval *const eval = tyre_eval_at(law, cpu_level_best());
    double fastest = 0.0;
    for (int k = 0; k < law->state_count; k++)
        fastest = fmax(fastest, law->state_rate(p, k));
    for (int l = 0; l < N && law->stiffness; l++)
        fastest = fmax(fastest, law->stiffness(law, p, in->fz[l], 2.0 * TYRE_STEADY_SPEED));
    const double step = 0.5 / fmax(fastest, TYRE_STEADY_SPEED);
    for (int k = 0; k < STEPS_MAX; k++) {
        double moved = 0.0;
        for (int l = 0; l < N && out->mz; l++)
            out->mz[l] = 0.0;
        eval(p, N, in, x, drive, out);
        for (int j = 0; j < law->state_count * N; j++) {
            const double rate = drive[j] - law->state_rate(p, j / N) * x[j];
            moved = fmax(moved, fabs(rate));
            x[j] += step * rate;
        }
        if (moved < 1e-12 * TYRE_STEADY_SPEED)
            break;
    }
}

void tyre_steady_sides(const tyre_kind *law, const double *p, const double load[N],
                       const double angle[N], const double side[N], double fy[N])
{
    _Alignas(32) double fz[N], v_x[N], v_y[N], v_roll[N], mu[N], camber[N] = {0}, sides[N];
    _Alignas(32) double along[N], across[N];
    for (int l = 0; l < N; l++) {
        fz[l] = load[l], sides[l] = side[l], mu[l] = 1.0;
        v_x[l] = v_roll[l] = TYRE_STEADY_SPEED;
        v_y[l] = TYRE_STEADY_SPEED * tan(angle[l]);
    }
    const tyre_in in = {.fz = fz,
                        .v_x = v_x,
                        .v_y = v_y,
                        .v_roll = v_roll,
                        .mu = mu,
                        .context = law->context,
                        .camber = camber,
                        .side = sides};
    tyre_steady(law, p, &in, &(tyre_out){.fx = along, .fy = across});
    for (int l = 0; l < N; l++)
        fy[l] = across[l];
}

// Central differences over h and h/2. A law with shifts has a side force without slip; a central
// difference does not see it, and is the same for a left and a right wheel. The curve of a brush
// has a kink in its second derivative, so its slope is off by a term in h, which the two cancel.
double tyre_cornering(const tyre_kind *law, const double *p, double fz)
{
    static const double angle[N] = {2e-4, -2e-4, 1e-4, -1e-4}, left[N] = {1.0, 1.0, 1.0, 1.0};
    const double load[N] = {fz, fz, fz, fz};
    double fy[N];
    tyre_steady_sides(law, p, load, angle, left, fy);
    const double whole = (fy[1] - fy[0]) / (angle[0] - angle[1]);
    const double half = (fy[3] - fy[2]) / (angle[2] - angle[3]);
    return fmax(2.0 * half - whole, 0.0);
}
