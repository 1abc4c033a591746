// comfort.h - frequency weightings of ISO 2631-1 and ISO 8041, as formulas and as filters.
//
// A weighting is K Hh Hl Ht Hs: band limits at f1 and f2, a change from acceleration to velocity at
// f3, f4, an upward step at f5, f6 (factors with an infinite corner are left out):
//
//     Hh = s^2 / (s^2 + w1 s/Q1 + w1^2)             Q1 = Q2 = 1/sqrt 2
//     Hl = w2^2 / (s^2 + w2 s/Q2 + w2^2)
//     Ht = (1 + s/w3) / (1 + s/(Q4 w4) + (s/w4)^2)
//     Hs = (w5/w6)^2 (1 + s/(Q5 w5) + (s/w5)^2) / (1 + s/(Q6 w6) + (s/w6)^2)
//
//     comfort_filter filter;
//     comfort_filter_make(&filter, COMFORT_WD, 0.01);
//     comfort_start(&filter, a[0], z);
//     for (k = 1; ...)
//         aw = comfort_step(&filter, a[k - 1], a[k], z);
//
// The filter solves the equations exactly for an acceleration that is a straight line between
// samples, so its only error is that of drawing the signal by straight lines: a sine of frequency f
// is seen (sin x / x)^2 times as large, x = pi f step. That is 1 % at f = 0.055 / step and 10 % at
// f = 0.18 / step: with rows every 0.01 s, 1 % at 5.5 Hz and 10 % at 18 Hz. There is no lag.
#pragma once

enum { COMFORT_STATE_MAX = 8 };

typedef enum comfort_weight {
    COMFORT_WB, // vertical, in trains
    COMFORT_WC, // x, seat back
    COMFORT_WD, // x and y, seat or floor
    COMFORT_WE, // rotation
    COMFORT_WF, // vertical, motion sickness
    COMFORT_WJ, // vertical, head of a person lying
    COMFORT_WK, // z, seat
    COMFORT_WEIGHT_COUNT
} comfort_weight;

// |H| at a frequency in Hz, from the formulas.
double comfort_gain(comfort_weight weight, double frequency);

typedef struct comfort_filter {
    double step; // s
    int n;       // states: 8, less where a factor is left out
    // z_new = a z + b0 u_old + b1 u_new,  aw = c z + d u
    double a[COMFORT_STATE_MAX * COMFORT_STATE_MAX]; // row by row
    double b0[COMFORT_STATE_MAX], b1[COMFORT_STATE_MAX], c[COMFORT_STATE_MAX], d;
} comfort_filter;

// step: s between samples, > 0. A pure function; nothing is allocated.
void comfort_filter_make(comfort_filter *f, comfort_weight weight, double step);

// The steady state for a constant acceleration u.
void comfort_start(const comfort_filter *f, double u, double z[COMFORT_STATE_MAX]);

// On by one step, in which the acceleration goes from u_old to u_new; the weighted acceleration.
double comfort_step(const comfort_filter *f, double u_old, double u_new,
                    double z[COMFORT_STATE_MAX]);
