// phi.c - series near zero, upward recurrence away from it.
#include "num/phi.h"

#include <math.h>

static const double inverse_factorial[PHI_COUNT] = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0};

// sum over j of t^j / (j * stride + k)!, by Horner's rule from the smallest term.
static double series(double t, int stride, int k, int terms)
{
    double sum = 1.0;
    for (int j = terms; j > 0; j--) {
        double ratio = t;
        for (int i = 1; i <= stride; i++)
            ratio /= (double)((j - 1) * stride + k + i);
        sum = 1.0 + ratio * sum;
    }
    return sum * inverse_factorial[k];
}

void stumpff(double z, double c[PHI_COUNT])
{
    if (z < 1.5) { // the recurrence would lose digits; 1.5^26 / 26! < 1e-21
        for (int k = 0; k < PHI_COUNT; k++)
            c[k] = series(-z * z, 2, k, 13);
        return;
    }
    // c_(k+2) = (1/k! - c_k) / z^2
    c[0] = cos(z);
    c[1] = sin(z) / z;
    for (int k = 0; k + 2 < PHI_COUNT; k++)
        c[k + 2] = (inverse_factorial[k] - c[k]) / (z * z);
}

void phi(double x, double p[PHI_COUNT])
{
    if (x > -1.0) { // 1 / 22! < 1e-21
        for (int k = 0; k < PHI_COUNT; k++)
            p[k] = series(x, 1, k, 22);
        return;
    }
    // phi_(k+1) = (phi_k - 1/k!) / x
    p[0] = exp(x);
    for (int k = 0; k + 1 < PHI_COUNT; k++)
        p[k + 1] = (p[k] - inverse_factorial[k]) / x;
}
