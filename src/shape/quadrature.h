// quadrature.h - integrals of several functions at once over an interval or a square, by Gauss'
// formula of ten points on parts that are halved until the result stays.
#pragma once

enum { QUADRATURE_MAX = 12 };

// Adds nothing: out[count] are the values at x (and y).
typedef void quadrature_line(const void *context, double x, double *out);
typedef void quadrature_square(const void *context, double x, double y, double *out);

// Adds the integrals over a..b to sum[count].
void quadrature_over_line(quadrature_line *f, const void *context, int count, double a, double b,
                          double *sum);
// The same over low[0]..high[0] x low[1]..high[1].
void quadrature_over_square(quadrature_square *f, const void *context, int count,
                            const double low[2], const double high[2], double *sum);
