// elliptic.h - Jacobi's elliptic functions, for the closed forms of the benchmarks.
//
// By the arithmetic-geometric mean (Abramowitz and Stegun 16.4, 17.6). m is the parameter, the
// square of the modulus, 0 <= m < 1. In long double, so that references have all digits of a
// double.
#pragma once

typedef struct elliptic {
    double sn, cn, dn;
} elliptic;

elliptic elliptic_functions(double u, double m);
double elliptic_quarter(double m); // K, a quarter of the period of sn
