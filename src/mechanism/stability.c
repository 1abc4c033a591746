// stability.c - how long a step of the engine impulses may be: the scheme of src/impulses/step.c on
// the linearized mechanism.
//
// With y' = A y in coordinates q, velocities v and states s, a step of h is
//
//     q_m = q + h/2 (A q')                       half of the way
//     v*  = v + h v'(q_m, v, s)                  first pass
//     v_m = (v + v*)/2,  s_m = s + h/2 s'(q_m, v, s)
//     v_1 = v + h v'(q_m, v_m, s_m),  s_1 = s + h s'(q_m, v_m, s_m)
//     q_1 = q_m + h/2 q'(q_m, v_1)
//
// a linear map of y. The step is stable while no eigenvalue of the map grows faster than the motion
// itself does: |z| <= exp(h sigma), sigma the largest real part of A's eigenvalues, or 0. Of an
// undamped spring that gives 2/omega (23); dampers shorten it.
#include "mechanism/by_impulses.h"

#include "num/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double slack = 1e-6; // double eigenvalues are known to the square root of rounding
static const double shortest = 1e-6, longest = 1.0; // s
enum { STATES_MAX = 200, HALVINGS = 40 };

typedef struct linear {
    int n, nq;
    const double *A; // n x n, column major
    double sigma;
    double *rate, *y, *G, *real, *imaginary; // n, n, n^2, n, n
} linear;

// Rows first .. first + count of A y, into rate.
static void rows_of(const linear *l, const double *y, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        double sum = 0.0;
        for (int j = 0; j < l->n; j++)
            sum += l->A[i + l->n * j] * y[j];
        l->rate[i] = sum;
    }
}

// One step of the scheme from the unit vector k, into column k of G.
static void column(const linear *l, int k, double h)
{
    const int nq = l->nq, rest = l->n - nq;
    double *y = l->y, start[STATES_MAX];
    memset(y, 0, (size_t)l->n * sizeof *y);
    y[k] = 1.0;
    rows_of(l, y, 0, nq);
    for (int i = 0; i < nq; i++)
        y[i] += 0.5 * h * l->rate[i];
    memcpy(start, y, (size_t)l->n * sizeof *y);
    rows_of(l, y, nq, rest);
    for (int i = nq; i < l->n; i++)
        y[i] = start[i] + 0.5 * h * l->rate[i];
    rows_of(l, y, nq, rest);
    for (int i = nq; i < l->n; i++)
        y[i] = start[i] + h * l->rate[i];
    rows_of(l, y, 0, nq);
    for (int i = 0; i < nq; i++)
        y[i] += 0.5 * h * l->rate[i];
    memcpy(l->G + (size_t)k * (size_t)l->n, y, (size_t)l->n * sizeof *y);
}

static bool is_stable(const linear *l, double h)
{
    double most = 0.0;
    for (int k = 0; k < l->n; k++)
        column(l, k, h);
    if (!dense_eigenvalues(l->n, l->G, l->real, l->imaginary))
        return false;
    for (int k = 0; k < l->n; k++)
        most = fmax(most, hypot(l->real[k], l->imaginary[k]));
    return most <= exp(h * l->sigma) * (1.0 + slack);
}

static double bound_of(const linear *l)
{
    double low = shortest, high = shortest;
    while (high < longest && is_stable(l, high)) {
        low = high;
        high *= 1.5;
    }
    if (high >= longest)
        return 0.0;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        *(is_stable(l, middle) ? &low : &high) = middle;
    }
    return low;
}

mc_status simulate_stability(mc_multibody *m, double t, const double *y, double *bound,
                             mc_error *error)
{
    const int n = m->system.y_count;
    const size_t size = (size_t)n * (size_t)n;
    *bound = 0.0;
    if (n == 0 || n > STATES_MAX)
        return MC_OK;
    double *all = calloc(2 * size + 4 * (size_t)n, sizeof *all);
    if (!all)
        return recording_no_memory(error);
    linear l = {.n = n, .nq = m->system.q_count, .A = all};
    l.G = all + size;
    l.rate = all + 2 * size;
    l.y = l.rate + n;
    l.real = l.y + n;
    l.imaginary = l.real + n;
    const mc_status status = mc_multibody_jacobian(m, t, y, all, NULL, error);
    if (status == MC_OK) {
        memcpy(l.G, all, size * sizeof *all);
        if (dense_eigenvalues(n, l.G, l.real, l.imaginary)) {
            for (int k = 0; k < n; k++)
                l.sigma = fmax(l.sigma, l.real[k]);
            *bound = bound_of(&l);
        }
    }
    free(all);
    return status;
}
