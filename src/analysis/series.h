// series.h - one column of a file over time, evenly sampled.
//
// Of results (HDF5) a column is NAME or VEHICLE.NAME, of any table with a row per instant; of a CSV
// file, which has a column t, its name; of a mechanism any coordinate, velocity, state or output
// of a run as its file says. Rows that are not evenly spaced are interpolated linearly at their
// mean rate.
#pragma once

#include "analysis/analysis.h"

typedef struct analysis_series {
    double *x; // count values; freed by the caller
    int count;
    double rate;   // Hz
    char unit[48]; // "": not known
} analysis_series;

// Fills *out; analyses reject by themselves.
void analysis_series_read(analysis *a, const char *column, analysis_series *out);
// d/dt, `order` times, by central differences.
void analysis_differentiate(analysis_series *s, int order);
bool analysis_is_mechanism(const analysis *a);
