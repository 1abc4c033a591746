// mileage.h - fuel economy over a moving window, as the DYNAVIS report shows it (eq 13).
//
// Samples k = 0, 1, 2, ... every T seconds; windows of T0 = N T begin at samples 0, N, 2N, ...
//
//     GM(k) = GM(k-1)                                       when less than eps was burnt
//     GM(k) = (1 - alpha T) GM(k-1) + alpha T miles/gallon  since the window began, otherwise
//
// with the window that began at sample k0 N, k0 the largest integer below (k-1)/N, not less than 0:
// a window is left two samples after the next one has begun. Counting is done in integers, so that
// rounding of k T / T0 never moves a window by a sample.
#pragma once

#include "motorcade/param.h"

enum mileage_param {
    MILEAGE_WINDOW,   // s, T0
    MILEAGE_ALPHA,    // 1/s
    MILEAGE_MIN_FUEL, // gal, eps
    MILEAGE_START,    // mpg, GM(0)
    MILEAGE_PARAM_COUNT
};
extern const mc_param mileage_params[MILEAGE_PARAM_COUNT];

#define MILEAGE_GALLON 3.785411784e-3 // m^3, US
#define MILEAGE_MILE 1609.344         // m
#define MILEAGE_DENSITY 745.0         // kg/m^3, of the fuel

typedef struct mileage {      // doubles only: saved and restored as it is
    double value;             // mpg, GM
    double k, after;          // sample; the same since a window began
    double base_x, base_fuel; // m, m^3, where the window began
    double next_x, next_fuel; // where the next one began
} mileage;

// x: m; fuel: m^3 burnt so far; both at sample 0.
void mileage_begin(mileage *m, const double p[MILEAGE_PARAM_COUNT], double x, double fuel);

// The next sample, step seconds later. window: samples in a window, >= 2 (mileage_samples).
void mileage_take(mileage *m, const double p[MILEAGE_PARAM_COUNT], int window, double step,
                  double x, double fuel);

// Samples in a window: the nearest whole number, at least 2.
int mileage_samples(const double p[MILEAGE_PARAM_COUNT], double step);
