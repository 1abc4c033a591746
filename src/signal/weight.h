// weight.h - frequency weightings of ISO 2631-1 and ISO 8041: how much people feel of a vibration.
//
//   H = Hh Hl Ht Hs K
//   Hh = s^2/(s^2 + w1 s/Q1 + w1^2)              high pass, Q1 = 1/sqrt 2
//   Hl = w2^2/(s^2 + w2 s/Q2 + w2^2)             low pass, Q2 = 1/sqrt 2
//   Ht = (1 + s/w3)/(1 + s/(Q4 w4) + (s/w4)^2)   acceleration to velocity
//   Hs = (1 + s/(Q5 w5) + (s/w5)^2)/(1 + s/(Q6 w6) + (s/w6)^2) (w5/w6)^2   upward step
//
// Signals are weighted in the frequency domain, which is exact up to half the rate; before and
// after the signal there is rest. Comfort: aw = r.m.s., VDV = (integral aw^4 dt)^(1/4), MTVV = the
// largest running r.m.s. over 1 s.
#pragma once

#include "motorcade/status.h"

typedef struct signal_weight {
    const char *name, *doc;
    double f1, f2, f3, f4, q4, f5, q5, f6, q6, k; // Hz, -; HUGE_VAL: the factor is 1
} signal_weight;

const signal_weight *signal_weight_at(int index); // NULL past the last
const signal_weight *signal_weight_find(const char *name);
void signal_weight_response(const signal_weight *w, double f, double *re, double *im);
double signal_weight_magnitude(const signal_weight *w, double f);

typedef struct signal_comfort {
    double raw;  // r.m.s. without weighting
    double rms;  // weighted
    double vdv;  // unit s^(1/4)
    double mtvv; // largest running r.m.s., exponential, 1 s
    double peak; // largest weighted value
} signal_comfort;

// weighted: n values, or NULL. The mean is taken off first: gravity is not felt as vibration.
mc_status signal_weigh(const signal_weight *w, const double *a, int n, double rate,
                       double *weighted, signal_comfort *out, mc_error *error);
