// reference.h - SUNDIALS CVODE at tight tolerance: what every fast integrator is checked against.
#pragma once

typedef void reference_rate(void *context, double t, const double *y, double *dy);

// Integrates y (n values) from t0 to t1 with Adams' method, rtol 1e-12, atol as given; returns 0.
int reference_integrate(reference_rate *rate, void *context, int n, double *y, double t0, double t1,
                        double atol);
