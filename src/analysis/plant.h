// plant.h - a mechanism about its rest: its linear model, and runs with one input that moves.
//
// Time runs use steps of RK4 that are short against every mode; the input is given at steps and
// half steps. Deviations from rest are returned. The linear response of a column c to an input u is
//
//   H(s) = C (s I - A)^-1 B + D
//
// with A, B of mc_multibody_linearize; C and D are differences of the column.
#pragma once

#include "analysis/analysis.h"
#include "motorcade/linear.h"
#include "motorcade/simulate.h"

#include <complex.h>

typedef struct plant {
    mc_multibody *m;
    double *y; // at rest
    mc_linear linear;
    double fastest; // 1/s, largest |eigenvalue|
    double f_max;   // Hz, of the modes that oscillate; 0: none
    double slowest; // 1/s, smallest decay of a mode; 0: one does not decay
} plant;

// Reads the file, sets what `set` says, finds the rest (hold: names), linearizes.
void plant_open(analysis *a, plant *p);
void plant_load(analysis *a, plant *p); // the file and `set` only
void plant_close(plant *p);

typedef struct plant_path { // from an input to a column
    const char *input;
    int number;  // of the input
    double rest; // value of the input
    mc_simulate_column column;
    double *c; // by x of the linear model
    double d;
    double *work; // of plant_response
} plant_path;

void plant_path_open(analysis *a, plant *p, const char *input, const char *column, plant_path *out);
void plant_path_close(plant_path *path);
double complex plant_response(const plant *p, const plant_path *path, double complex s);

// Steps per sample so that the fastest mode is met.
int plant_substeps(const plant *p, double rate);
// u: 2 sub count + 1 deviations of the input, half a step apart; out: count deviations of the
// column at 0, 1/rate, ...
void plant_run(analysis *a, plant *p, const plant_path *path, const double *u, int count, int sub,
               double rate, double *out);
