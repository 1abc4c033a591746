// phi.c - series for the highest orders near zero and recurrence down; recurrence up away from it.
#include "num/phi.h"

#include <math.h>

static const double inverse_factorial[] = {
    1.0,
    1.0,
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40320.0,
    1.0 / 362880.0,
    1.0 / 3628800.0,
    1.0 / 39916800.0,
    1.0 / 479001600.0,
    1.0 / 6227020800.0,
    1.0 / 87178291200.0,
    1.0 / 1307674368000.0,
    1.0 / 20922789888000.0,
    1.0 / 355687428096000.0,
    1.0 / 6402373705728000.0,
    1.0 / 121645100408832000.0,
    1.0 / 2432902008176640000.0,
    1.0 / 51090942171709440000.0,
    1.0 / 1124000727777607680000.0,
};
enum { FACTORIALS = sizeof inverse_factorial / sizeof inverse_factorial[0] };

// sum over j of t^j / (stride j + k)!, as far as the table goes; Horner's rule.
static double series(double t, int stride, int k)
{
    int j = (FACTORIALS - 1 - k) / stride;
    double sum = inverse_factorial[stride * j + k];
    while (--j >= 0)
        sum = sum * t + inverse_factorial[stride * j + k];
    return sum;
}

void stumpff(double z, double c[PHI_COUNT])
{
    const double square = z * z;
    if (z < 1.5) { // 1.5^18 / 22! < 2e-18; down: c_k = 1/k! - z^2 c_(k+2) loses nothing
        c[4] = series(-square, 2, 4);
        c[3] = series(-square, 2, 3);
        for (int k = 2; k >= 0; k--)
            c[k] = inverse_factorial[k] - square * c[k + 2];
        return;
    }
    c[0] = cos(z);
    c[1] = sin(z) / z;
    for (int k = 0; k + 2 < PHI_COUNT; k++)
        c[k + 2] = (inverse_factorial[k] - c[k]) / square;
}

void phi(double x, double p[PHI_COUNT])
{
    if (x > -1.0) { // 1 / 22! < 1e-21
        p[4] = series(x, 1, 4);
        for (int k = 3; k >= 0; k--)
            p[k] = inverse_factorial[k] + x * p[k + 1];
        return;
    }
    p[0] = exp(x);
    for (int k = 0; k + 1 < PHI_COUNT; k++)
        p[k + 1] = (p[k] - inverse_factorial[k]) / x;
}
