// window.h - windows for spectra: one row each.
//
//   w_j = a0 - a1 cos(2 pi j/n) + a2 cos(4 pi j/n) - a3 ... + ...,   j = 0 .. n - 1
//
// `gain` is the mean of w (a sine of amplitude 1 on a bin has the line gain/2 per sample), `noise`
// the width in bins of the rectangle with the same power, `lobe` half the width of the main lobe in
// bins: two sines closer than `lobe` bins are one peak.
#pragma once

typedef struct signal_window {
    const char *name, *doc;
    double a[5];
    int count;
    double noise; // bins
    int lobe;     // bins
} signal_window;

const signal_window *signal_window_at(int index); // NULL past the last
const signal_window *signal_window_find(const char *name);
double signal_window_value(const signal_window *w, int j, int n);
// Response of the window at a distance from the middle of a bin, bins; 1 in the middle.
double signal_window_response(const signal_window *w, double distance);
