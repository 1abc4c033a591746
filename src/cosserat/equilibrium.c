// equilibrium.c - Newton's method for rest; eigenvalues of one step for stability.
#include "cosserat/equilibrium.h"

#include "num/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { UNKNOWNS = 10, BORDERED = UNKNOWNS + 1, ITERATIONS = 100 };

// Accelerations of r3 and the directors with everything at rest; x: r3, d.
static void accelerations(mc_batch *batch, const double x[UNKNOWNS], double out[UNKNOWNS])
{
    double state[COSSERAT_SAVE_MAX] = {0}, rate[VALUE_MAX];
    memcpy(state + VALUE_R + 2, x, UNKNOWNS * sizeof *x); // d follows r
    state[cosserat_batch_value_count(batch)] = 1.0;       // wheels straight
    batch->kind->restore(batch, 0, state);
    cosserat_batch_rate(batch, 0, rate);
    out[0] = rate[VALUE_V + 2];
    memcpy(out + 1, rate + VALUE_W, 9 * sizeof *out);
}

static double largest(const double *x, int n)
{
    double size = 0.0;
    for (int k = 0; k < n; k++)
        size = fmax(size, fabs(x[k]));
    return isfinite(size) ? size : HUGE_VAL;
}

// The rigid vehicle on its springs: axle heights from the moments about the other axle.
static void rigid_guess(const cosserat_model *model, double x[UNKNOWNS])
{
    const double *p = model->p, length = p[COSSERAT_L1] + p[COSSERAT_L2];
    const double weight = p[COSSERAT_MASS] * model->gravity;
    const double front = -weight * p[COSSERAT_L2] / length / (2.0 * p[COSSERAT_C1]);
    const double rear = -weight * p[COSSERAT_L1] / length / (2.0 * p[COSSERAT_C2]);
    const double rise = front + p[COSSERAT_H1] - rear - p[COSSERAT_H2];
    const double sine = fmin(fmax(rise / length, -0.9), 0.9), cosine = sqrt(1.0 - sine * sine);
    const double d[9] = {cosine, 0.0, sine, 0.0, 1.0, 0.0, -sine, 0.0, cosine};
    memcpy(x + 1, d, sizeof d);
    x[0] = p[COSSERAT_SPRING_REF] + front + p[COSSERAT_H1] * cosine - p[COSSERAT_L1] * sine;
}

// One Newton step: J dx = -f, with a border that keeps the heading, which the forces leave free.
static bool newton_step(mc_batch *batch, const double x[UNKNOWNS], const double f[UNKNOWNS],
                        double dx[BORDERED])
{
    double a[BORDERED * BORDERED] = {0};
    for (int j = 0; j < UNKNOWNS; j++) {
        const double h = 1e-6;
        double up[UNKNOWNS], down[UNKNOWNS], f_up[UNKNOWNS], f_down[UNKNOWNS];
        memcpy(up, x, sizeof up);
        memcpy(down, x, sizeof down);
        up[j] += h;
        down[j] -= h;
        accelerations(batch, up, f_up);
        accelerations(batch, down, f_down);
        for (int i = 0; i < UNKNOWNS; i++)
            a[BORDERED * j + i] = (f_up[i] - f_down[i]) / (2.0 * h);
    }
    for (int k = 0; k < 3; k++) { // tangent of a turn about z: (-d_k2, d_k1, 0)
        const int d = 1 + 3 * k;
        a[BORDERED * d + UNKNOWNS] = a[BORDERED * UNKNOWNS + d] = -x[d + 1];
        a[BORDERED * (d + 1) + UNKNOWNS] = a[BORDERED * UNKNOWNS + d + 1] = x[d];
    }
    for (int i = 0; i < UNKNOWNS; i++)
        dx[i] = -f[i];
    dx[UNKNOWNS] = 0.0;
    return dense_solve(BORDERED, a, dx);
}

mc_status cosserat_equilibrium(const cosserat_model *model, double value[UNKNOWNS],
                               double *residual, mc_error *error)
{
    cosserat_model still = *model; // at rest a drive does nothing
    still.driven = false;
    mc_batch *batch = cosserat_batch_create(&still, 1, COSSERAT_EXPONENTIAL, 1e-3);
    if (!batch)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the equilibrium");
    double f[UNKNOWNS], trial[UNKNOWNS], dx[BORDERED], f_trial[UNKNOWNS];
    rigid_guess(model, value);
    accelerations(batch, value, f);
    // Rounding of the elastic forces: a few units in the last place of w^2.
    const double fastest = cosserat_batch_constants(batch)->omega_most;
    const double rounding = 16.0 * DBL_EPSILON * fastest * fastest;
    bool better = true;
    for (int k = 0; k < ITERATIONS && better; k++) {
        better = false;
        if (!newton_step(batch, value, f, dx))
            break;
        for (double share = 1.0; share > 1e-6 && !better; share *= 0.5) {
            for (int i = 0; i < UNKNOWNS; i++)
                trial[i] = value[i] + share * dx[i];
            accelerations(batch, trial, f_trial);
            better = largest(f_trial, UNKNOWNS) < largest(f, UNKNOWNS);
        }
        if (better) { // goes on until rounding stops it
            memcpy(value, trial, sizeof trial);
            memcpy(f, f_trial, sizeof f_trial);
        }
    }
    batch->kind->destroy(batch);
    const double left = largest(f, UNKNOWNS);
    if (residual)
        *residual = left;
    if (left > rounding + 1e-9)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "no equilibrium found: an acceleration of %.3g remains; the springs "
                            "cannot carry the vehicle upright",
                            left);
    for (int k = 0; k < UNKNOWNS; k++) // symmetric: what should be 0 is
        if (fabs(value[k]) < 1e-14)
            value[k] = 0.0;
    return MC_OK;
}

// ---- stability ----

enum { STATE_MAX = VALUE_TYRE + WHEELS * WHEEL_STATE_MAX };

double cosserat_spectral_radius(const cosserat_model *model, cosserat_scheme scheme, double step,
                                double speed)
{
    const int wheel_states = model->driven ? WHEEL_TYRE + tyre_for_spin(model->tyre)->state_count
                                           : model->tyre->state_count;
    const int states = VALUE_TYRE + WHEELS * wheel_states;
    double rest[UNKNOWNS];
    mc_error error;
    mc_batch *batch = cosserat_batch_create(model, 2 * states, scheme, step);
    if (!batch || cosserat_equilibrium(model, rest, NULL, &error) != MC_OK) {
        if (batch)
            batch->kind->destroy(batch);
        return NAN;
    }
    // Every state moved up and down a little, one step, difference of the results. The places x and
    // y change nothing and are left out: with v_x, v_y they would only add double eigenvalues 1.
    double start[COSSERAT_SAVE_MAX] = {0}, up[COSSERAT_SAVE_MAX], down[COSSERAT_SAVE_MAX];
    memcpy(start + VALUE_R + 2, rest, sizeof rest);
    start[VALUE_V] = speed;
    for (int q = 0; q < WHEELS && model->driven; q++)
        start[VALUE_TYRE + WHEELS * WHEEL_SPIN + q] = speed / model->drive[DRIVE_RADIUS];
    start[cosserat_batch_value_count(batch)] = 1.0;
    const double h = 1e-5;
    for (int k = 0; k < 2 * states; k++) {
        memcpy(up, start, sizeof up);
        up[k / 2] += k % 2 ? -h : h;
        batch->kind->restore(batch, k, up);
    }
    batch->kind->advance(batch, 0, 2 * states, step);
    double a[STATE_MAX * STATE_MAX], real[STATE_MAX], imaginary[STATE_MAX];
    const int n = states - 2;
    for (int j = 0; j < n; j++) {
        batch->kind->save(batch, 2 * (j + 2), up);
        batch->kind->save(batch, 2 * (j + 2) + 1, down);
        for (int i = 0; i < n; i++)
            a[n * j + i] = (up[i + 2] - down[i + 2]) / (2.0 * h);
    }
    batch->kind->destroy(batch);
    for (int k = 0; k < n * n; k++)
        if (!isfinite(a[k]))
            return HUGE_VAL;
    const bool found = dense_eigenvalues(n, a, real, imaginary);
    double radius = found ? 0.0 : HUGE_VAL;
    for (int k = 0; k < n && found; k++)
        if (hypot(real[k] - 1.0, imaginary[k]) > 1e-6) // not the free heading, not the free speed
            radius = fmax(radius, hypot(real[k], imaginary[k]));
    return radius;
}

double cosserat_stability_bound(const cosserat_model *model, cosserat_scheme scheme, double speed,
                                double from)
{
    double stable = 0.0, unstable = from;
    while (cosserat_spectral_radius(model, scheme, unstable, speed) <=
           1.0 + COSSERAT_GROWTH_TOLERANCE) {
        stable = unstable;
        unstable *= 1.03;
        if (unstable > 1.0)
            return 1.0;
    }
    if (stable == 0.0) // unstable already: look below
        for (stable = 0.5 * from; stable > 1e-12; stable *= 0.5) {
            if (cosserat_spectral_radius(model, scheme, stable, speed) <=
                1.0 + COSSERAT_GROWTH_TOLERANCE)
                break;
            unstable = stable;
        }
    while (unstable > 1.0001 * stable) {
        const double middle = 0.5 * (stable + unstable);
        if (cosserat_spectral_radius(model, scheme, middle, speed) <=
            1.0 + COSSERAT_GROWTH_TOLERANCE)
            stable = middle;
        else
            unstable = middle;
    }
    return stable;
}
