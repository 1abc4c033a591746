// dense_lanes.c - a partial Cholesky factor of a small dense matrix, and its two solves.
//
//     A = [A1 B; B' C],   A1 = F F',   what is left: C - B' A1^-1 B
//
// Rows of F' stand in the upper part of L. Loops begin at a multiple of four lanes; what lies left
// of the diagonal in those lanes is set to zero at the end, as is the diagonal, whose inverse is in
// `pivot`. So no loop has a remainder.
#include "impulses/engine.h"
#include "impulses/three.h"

#include <math.h>

// Four rows in four columns.
typedef struct block {
    lanes row[LANES];
} block;

// Rows from k on at columns i, less what the rows before them take.
static inline block take_before(const double *L, int stride, int before, int k, int i)
{
    const double *b = L + k * stride + i;
    lanes one = lanes_load_anywhere(b), two = lanes_load_anywhere(b + stride);
    lanes other = lanes_load_anywhere(b + 2 * stride), last = lanes_load_anywhere(b + 3 * stride);
    const double *a = L;
    for (int j = 0; j < before; j++, a += stride) {
        const lanes x = lanes_load_anywhere(a + i);
        one = minus(lanes_set(a[k]), x, one);
        two = minus(lanes_set(a[k + 1]), x, two);
        other = minus(lanes_set(a[k + 2]), x, other);
        last = minus(lanes_set(a[k + 3]), x, last);
    }
    return (block){{one, two, other, last}};
}

static inline void put(const block *b, double *L, int stride, int k, int i)
{
    for (int r = 0; r < LANES; r++)
        lanes_store_anywhere(L + (k + r) * stride + i, b->row[r]);
}

// The block on the diagonal, `within` rows of it: scales and the factor's entries among the four.
static inline void factor_diagonal(block *b, int within, double scale[LANES],
                                   double by[LANES][LANES])
{
    for (int r = 0; r < within; r++) {
        const double own = b->row[r][r];
        scale[r] = 1.0 / sqrt(own > 0.0 ? own : 1e-300);
        b->row[r] = lanes_set(scale[r]) * b->row[r];
        for (int q = r + 1; q < LANES; q++) {
            by[r][q] = b->row[r][q];
            b->row[q] = minus(lanes_set(by[r][q]), b->row[r], b->row[q]);
        }
        for (int i = 0; i <= r; i++)
            b->row[r][i] = 0.0;
    }
}

static inline void factor_beside(block *b, int within, const double scale[LANES],
                                 double by[LANES][LANES])
{
    for (int r = 0; r < within; r++) {
        b->row[r] = lanes_set(scale[r]) * b->row[r];
        for (int q = r + 1; q < LANES; q++)
            b->row[q] = minus(lanes_set(by[r][q]), b->row[r], b->row[q]);
    }
}

// Rows by fours: there is room for the last four, whatever stands there.
static void factor_rows(double *L, double *pivot, int stride, int held, int count)
{
    for (int k = 0; k < count; k += LANES) {
        const int before = k < held ? k : held;
        const int within = k >= held ? 0 : held - k < LANES ? held - k : LANES;
        double scale[LANES] = {0}, by[LANES][LANES] = {{0}};
        block b = take_before(L, stride, before, k, k);
        if (within == LANES)
            factor_diagonal(&b, LANES, scale, by);
        else
            factor_diagonal(&b, within, scale, by);
        for (int r = 0; r < within; r++)
            pivot[k + r] = scale[r];
        put(&b, L, stride, k, k);
        for (int i = k + LANES; i < count; i += LANES) {
            b = take_before(L, stride, before, k, i);
            if (within == LANES)
                factor_beside(&b, LANES, scale, by);
            else
                factor_beside(&b, within, scale, by);
            put(&b, L, stride, k, i);
        }
    }
}

// Rows and columns of W in the order of a list, then zeros to the end of a vector.
static void gather(const double *W, int wide, const impulse_run_of *run, int run_count, double *L,
                   int stride, int count)
{
    for (int k = 0; k < run_count; k++)
        for (int i = 0; i < run[k].count; i += LANES) // beyond its end: overwritten next
            for (int down = 0; down < run_count; down++) {
                const double *from = W + run[down].first * wide + run[k].first + i;
                double *to = L + run[down].at * stride + run[k].at + i;
                for (int j = 0; j < run[down].count; j++, from += wide, to += stride)
                    lanes_store_anywhere(to, lanes_load_anywhere(from));
            }
    const int spare = (LANES - count) & (LANES - 1);
    for (int j = 0; j < count && spare > 0; j++) {
        double *end = L + j * stride + count;
        end[0] = 0.0;
        if (spare > 1)
            end[1] = 0.0;
        if (spare > 2)
            end[2] = 0.0;
    }
}

static void forward(const double *L, const double *pivot, int stride, int held, int count,
                    double *x)
{
    for (int j = 0; j < held; j++) {
        const double *a = L + j * stride, f = x[j] * pivot[j];
        for (int i = j & ~3; i < count; i += LANES)
            lanes_store_anywhere(
                x + i, minus(lanes_set(f), lanes_load_anywhere(a + i), lanes_load_anywhere(x + i)));
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

const impulse_dense LANES_NAME(impulse_dense) = {gather, factor_rows, forward, backward};
