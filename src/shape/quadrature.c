// quadrature.c - adaptive Gauss quadrature of several functions at once.
#include "shape/quadrature.h"

#include <math.h>
#include <stdbool.h>

enum { POINTS = 10, DEPTH_LINE = 12, DEPTH_SQUARE = 6 };

static const double tolerance = 1e-13; // of the largest value

// Abramowitz and Stegun, table 25.4: half of the points of n = 10.
static const double node[POINTS / 2] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                        0.8650633666889845, 0.9739065285171717};
static const double weight[POINTS / 2] = {0.2955242247147529, 0.2692667193099964,
                                          0.2190863625159820, 0.1494513491505806,
                                          0.0666713443086881};

static double place(int i, double a, double b)
{
    const double x = i < POINTS / 2 ? -node[POINTS / 2 - 1 - i] : node[i - POINTS / 2];
    return (a + b) / 2.0 + (b - a) / 2.0 * x;
}

static double share(int i)
{
    return weight[i < POINTS / 2 ? POINTS / 2 - 1 - i : i - POINTS / 2];
}

static void line(quadrature_line *f, const void *context, int count, double a, double b,
                 double *out)
{
    double value[QUADRATURE_MAX];
    for (int k = 0; k < count; k++)
        out[k] = 0.0;
    for (int i = 0; i < POINTS; i++) {
        f(context, place(i, a, b), value);
        for (int k = 0; k < count; k++)
            out[k] += share(i) * (b - a) / 2.0 * value[k];
    }
}

// Length and second moments have different units; each is compared with its own size and with the
// largest of all.
static bool stays(const double *whole, const double *parts, int count)
{
    double size = 0.0;
    for (int k = 0; k < count; k++)
        size = fmax(size, fabs(parts[k]));
    for (int k = 0; k < count; k++)
        if (fabs(whole[k] - parts[k]) > tolerance * (fabs(parts[k]) + 0.01 * size))
            return false;
    return true;
}

static void halve_line(quadrature_line *f, const void *context, int count, double a, double b,
                       const double *whole, int depth, double *sum)
{
    double left[QUADRATURE_MAX], right[QUADRATURE_MAX], parts[QUADRATURE_MAX] = {0};
    const double middle = (a + b) / 2.0;
    line(f, context, count, a, middle, left);
    line(f, context, count, middle, b, right);
    for (int k = 0; k < count; k++)
        parts[k] = left[k] + right[k];
    if (depth == 0 || stays(whole, parts, count)) {
        for (int k = 0; k < count; k++)
            sum[k] += parts[k];
        return;
    }
    halve_line(f, context, count, a, middle, left, depth - 1, sum);
    halve_line(f, context, count, middle, b, right, depth - 1, sum);
}

void quadrature_over_line(quadrature_line *f, const void *context, int count, double a, double b,
                          double *sum)
{
    double whole[QUADRATURE_MAX];
    line(f, context, count, a, b, whole);
    halve_line(f, context, count, a, b, whole, DEPTH_LINE, sum);
}

static void square(quadrature_square *f, const void *context, int count, const double low[2],
                   const double high[2], double *out)
{
    double value[QUADRATURE_MAX];
    const double area = (high[0] - low[0]) * (high[1] - low[1]) / 4.0;
    for (int k = 0; k < count; k++)
        out[k] = 0.0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            f(context, place(i, low[0], high[0]), place(j, low[1], high[1]), value);
            for (int k = 0; k < count; k++)
                out[k] += share(i) * share(j) * area * value[k];
        }
}

static void quarter(quadrature_square *f, const void *context, int count, const double low[2],
                    const double high[2], const double *whole, int depth, double *sum)
{
    double part[4][QUADRATURE_MAX], parts[QUADRATURE_MAX] = {0}, from[4][2], to[4][2];
    const double middle[2] = {(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0};
    for (int q = 0; q < 4; q++) {
        for (int d = 0; d < 2; d++) {
            from[q][d] = q >> d & 1 ? middle[d] : low[d];
            to[q][d] = q >> d & 1 ? high[d] : middle[d];
        }
        square(f, context, count, from[q], to[q], part[q]);
        for (int k = 0; k < count; k++)
            parts[k] += part[q][k];
    }
    if (depth == 0 || stays(whole, parts, count)) {
        for (int k = 0; k < count; k++)
            sum[k] += parts[k];
        return;
    }
    for (int q = 0; q < 4; q++)
        quarter(f, context, count, from[q], to[q], part[q], depth - 1, sum);
}

void quadrature_over_square(quadrature_square *f, const void *context, int count,
                            const double low[2], const double high[2], double *sum)
{
    double whole[QUADRATURE_MAX];
    square(f, context, count, low, high, whole);
    quarter(f, context, count, low, high, whole, DEPTH_SQUARE, sum);
}
