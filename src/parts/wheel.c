// wheel.c - poles of a wheel and the step they allow; the friction it uses.
#include "parts/wheel.h"

#include "base/assert.h"
#include "motorcade/vehicle_model.h"
#include "num/dense.h"

#include <math.h>

wheel_eval *const wheel_eval_at[CPU_LEVEL_COUNT] = {
    [CPU_PLAIN] = wheel_eval_plain,
    [CPU_AVX2] = wheel_eval_avx2,
};

double wheel_rate(const wheel_model *w, int k)
{
    mc_assert(k >= 0 && k < wheel_state_count(w));
    return k < WHEEL_TYRE ? 0.0 : w->tyre->state_rate(w->tyre_p, k - WHEEL_TYRE);
}

double mc_wheel_use(const mc_wheel *wheel)
{
    return hypot(wheel->fx, wheel->fy) / fmax(wheel->fz * wheel->mu, 1e-3);
}

// Whole rates of one wheel (in four lanes) on a vehicle that moves with v.
static void rates(const wheel_model *w, double fz, double v, double brake, const double *state,
                  double *rate)
{
    enum { N = 4 };
    _Alignas(32) double load[N], v_x[N], zero[N] = {0}, max[N], fx[N], fy[N], torque[N], roll[N];
    _Alignas(32) double x[WHEEL_STATE_MAX * N], drive[WHEEL_STATE_MAX * N];
    const int count = wheel_state_count(w);
    for (int l = 0; l < N; l++) {
        load[l] = fz, v_x[l] = v, max[l] = brake;
        for (int k = 0; k < count; k++)
            x[k * N + l] = state[k];
    }
    const wheel_in in = {
        .fz = load, .v_x = v_x, .v_y = zero, .mu = NULL, .drive = zero, .brake = max};
    wheel_eval_plain(w, N, &in, x, drive,
                     &(wheel_out){.fx = fx, .fy = fy, .brake = torque, .v_roll = roll});
    for (int k = 0; k < count; k++)
        rate[k] = drive[k * N] - wheel_rate(w, k) * state[k];
}

// Largest eigenvalue of the rates about rolling at v.
static double greatest(const wheel_model *w, double fz, double v, double brake)
{
    const int n = wheel_state_count(w);
    double a[WHEEL_STATE_MAX * WHEEL_STATE_MAX], real[WHEEL_STATE_MAX], imaginary[WHEEL_STATE_MAX];
    double up[WHEEL_STATE_MAX], down[WHEEL_STATE_MAX], max = 0.0;
    for (int j = 0; j < n; j++) {
        const double h = 1e-7;
        double x[WHEEL_STATE_MAX] = {v / w->radius};
        x[j] += h;
        rates(w, fz, v, brake, x, up);
        x[j] -= 2.0 * h;
        rates(w, fz, v, brake, x, down);
        for (int i = 0; i < n; i++)
            a[n * j + i] = (up[i] - down[i]) / (2.0 * h);
    }
    if (!dense_eigenvalues(n, a, real, imaginary))
        return HUGE_VAL;
    for (int k = 0; k < n; k++)
        max = fmax(max, hypot(real[k], imaginary[k]));
    return max;
}

double wheel_stiffest(const wheel_model *w, double fz, double v)
{
    // Standing, with a brake that does not slip; rolling; and what the parts say of their sliding.
    double max = fmax(greatest(w, fz, 0.0, HUGE_VAL), greatest(w, fz, v, 0.0));
    max = fmax(max, WHEEL_RATE_MAX);
    if (w->tyre->stiffness)
        max = fmax(max, w->tyre->stiffness(w->tyre, w->tyre_p, fz, v));
    return max;
}

double wheel_step_bound(const wheel_model *w, double fz, double v)
{
    return 2.5 / wheel_stiffest(w, fz, v);
}
