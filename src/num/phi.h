// phi.h - the entire functions behind exponential integrators.
//
//   Stumpff:  c_k(z) = sum over j of (-1)^j z^(2j) / (2j + k)!    c_0 = cos z, c_1 = sin z / z
//   phi:      phi_k(x) = sum over j of x^j / (j + k)!             phi_0 = exp x
//
// For the oscillator x'' = -w^2 x, with L = [0 1; -w^2 0], phi_k(h L) = c_k(wh) I + h L
// c_(k+1)(wh).
#pragma once

enum { PHI_COUNT = 5 };

void stumpff(double z, double c[PHI_COUNT]); // z >= 0; absolute error below 1e-15
void phi(double x, double p[PHI_COUNT]);     // x <= 0; absolute error below 1e-15
