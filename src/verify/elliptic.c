// elliptic.c - elliptic functions by the arithmetic-geometric mean.
#include "verify/elliptic.h"

#include <math.h>

enum { ROUNDS = 12 }; // convergence is quadratic: enough for m up to 1 - 1e-18

double elliptic_quarter(double m)
{
    long double a = 1.0L, b = sqrtl(1.0L - (long double)m);
    for (int i = 0; i < ROUNDS; i++) {
        const long double mean = 0.5L * (a + b);
        b = sqrtl(a * b);
        a = mean;
    }
    return (double)(acosl(-1.0L) / (2.0L * a));
}

// phi_N = 2^N a_N u, then sin(2 phi_{n-1} - phi_n) = c_n / a_n sin phi_n down to phi_0 = am u.
elliptic elliptic_functions(double u, double m)
{
    long double a[ROUNDS + 1], c[ROUNDS + 1], b = sqrtl(1.0L - (long double)m);
    a[0] = 1.0L;
    c[0] = sqrtl((long double)m);
    for (int i = 1; i <= ROUNDS; i++) {
        a[i] = 0.5L * (a[i - 1] + b);
        c[i] = 0.5L * (a[i - 1] - b);
        b = sqrtl(a[i - 1] * b);
    }
    long double phi = ldexpl(a[ROUNDS] * (long double)u, ROUNDS);
    for (int i = ROUNDS; i > 0; i--)
        phi = 0.5L * (phi + asinl(c[i] / a[i] * sinl(phi)));
    const long double sn = sinl(phi);
    return (elliptic){(double)sn, (double)cosl(phi),
                      (double)sqrtl(1.0L - (long double)m * sn * sn)};
}
