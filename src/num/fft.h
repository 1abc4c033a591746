// fft.h - discrete Fourier transforms of real numbers, by KISS FFT.
//
//   X_k = sum over j of x_j exp(-2 pi i j k/n),  k = 0 .. n/2
//
// Debian's library computes in single precision: values are scaled to 1 before, and what is found
// is right to about 1e-7 of the largest line.
#pragma once

#include "motorcade/status.h"

int fft_size(int n); // the next even size that is fast: factors 2, 3 and 5

// n even; re and im have n/2 + 1 entries.
mc_status fft_real(int n, const double *x, double *re, double *im, mc_error *error);
// The inverse, 1/n included; im[0] and im[n/2] are taken to be 0.
mc_status fft_real_inverse(int n, const double *re, const double *im, double *x, mc_error *error);
