// dense_lanes.c - a partial Cholesky factor of a small dense matrix, and its two solves.
//
//     A = [A1 B; B' C],   A1 = F F',   what is left: C - B' A1^-1 B
//
// Rows of F' stand in the upper part of L. Loops begin at a multiple of four lanes; what lies left
// of the diagonal in those lanes is set to zero at the end, as is the diagonal, whose inverse is in
// `pivot`. So no loop has a remainder.
#include "impulses/engine.h"
#include "num/lanes.h"

#include <math.h>

static void factor(double *L, double *pivot, int stride, int held, int count)
{
    for (int j = 0; j < held; j++) {
        double *a = L + j * stride;
        const double scale = 1.0 / sqrt(a[j] > 0.0 ? a[j] : 1e-300);
        pivot[j] = scale;
        for (int i = j & ~3; i < count; i += LANES)
            lanes_store_anywhere(a + i, lanes_set(scale) * lanes_load_anywhere(a + i));
        for (int k = j + 1; k < count; k++) {
            double *b = L + k * stride;
            const lanes f = lanes_set(-a[k]);
            for (int i = k & ~3; i < count; i += LANES)
                lanes_store_anywhere(
                    b + i, lanes_fma(f, lanes_load_anywhere(a + i), lanes_load_anywhere(b + i)));
        }
        for (int i = j & ~3; i <= j; i++)
            a[i] = 0.0;
    }
}

static void forward(const double *L, const double *pivot, int stride, int held, int count,
                    double *x)
{
    for (int j = 0; j < held; j++) {
        const double *a = L + j * stride, f = x[j] * pivot[j];
        for (int i = j & ~3; i < count; i += LANES)
            lanes_store_anywhere(x + i, lanes_fma(lanes_set(-f), lanes_load_anywhere(a + i),
                                                  lanes_load_anywhere(x + i)));
        x[j] = f;
    }
}

static void backward(const double *L, const double *pivot, int stride, int held, int count,
                     double *x)
{
    for (int j = held - 1; j >= 0; j--) {
        const double *a = L + j * stride;
        lanes sum = lanes_set(0.0);
        for (int i = j & ~3; i < count; i += LANES)
            sum = lanes_fma(lanes_load_anywhere(a + i), lanes_load_anywhere(x + i), sum);
        x[j] = (x[j] - ((sum[0] + sum[2]) + (sum[1] + sum[3]))) * pivot[j];
    }
}

const impulse_dense LANES_NAME(impulse_dense) = {factor, forward, backward};
