// spectrum.h - spectra of evenly sampled signals: lines, densities, coherence, peaks.
//
//   amplitude   2 |X_k|/(n gain): a sine on a bin shows its amplitude
//   density     one-sided, 2 |X_k|^2/(rate sum w^2); its integral over f is the mean square
//   Welch       densities averaged over segments that overlap by half
//   coherence   |Sxy|^2/(Sxx Syy), 0 .. 1; of one segment it is 1 and says nothing
//
// The mean is taken off before. Frequencies are k rate/n.
#pragma once

#include "motorcade/status.h"
#include "signal/window.h"

// amplitude: n/2 + 1 entries; n even.
mc_status signal_amplitude(const double *x, int n, const signal_window *w, double *amplitude,
                           mc_error *error);

typedef struct signal_welch {
    int size, segments;    // samples of a segment, how many
    int count;             // of lines: size/2 + 1
    double step;           // Hz
    double *xx, *yy;       // per Hz
    double *xy_re, *xy_im; // of conj(X) Y
} signal_welch;

// y may be NULL: then only xx. size even, at most n. Arrays are freed by signal_welch_free.
mc_status signal_welch_make(const double *x, const double *y, int n, double rate, int size,
                            const signal_window *w, signal_welch *out, mc_error *error);
void signal_welch_free(signal_welch *s);
double signal_coherence(const signal_welch *s, int k);

typedef struct signal_peak {
    int bin;
    double frequency; // Hz, between bins by the response of the window
    double amplitude; // corrected for where between two bins it is
    double width;   // Hz, between the places at which the power is half, the window's own included
    double damping; // -, width without that of the window over twice the frequency
} signal_peak;

// Peaks of an amplitude spectrum above `share` of the largest line, in order of frequency. Sines
// that are apart by more than the main lobe of the window are told apart.
int signal_peaks(const double *amplitude, int count, double step, const signal_window *w,
                 double share, signal_peak *out, int max);

// Rate and length for modes up to f_max and a resolution: rate at least 5 f_max, from 1, 2, 5 times
// powers of ten; length such that two lines `resolution` apart are two peaks with this window.
typedef struct signal_plan {
    double rate, length, resolution; // Hz, s, Hz
    int count;                       // samples, even
} signal_plan;
signal_plan signal_plan_for(double f_max, double resolution, const signal_window *w);
