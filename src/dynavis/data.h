// data.h - what the reader of a data file passes to the computation of missing fields.
#pragma once

#include "io/dynavis_text.h"
#include "dynavis/layout.h"

typedef struct dynavis_store { // the memory behind mc_dynavis_data
    mc_dynavis_data data;      // first: mc_dynavis_data_free gets its address
    mc_dynavis_car *cars;      // of all frames, one after the other
    int *order;                // places within the frame, by rising id
    int *next, *previous;      // the same car in the next and last frame; -1: not there
    size_t car_count, car_room;
    int frame_room;
} dynavis_store;

// Turns what was read (x: distance or position, y from its origin, rest 0) into absolute motion:
// copies of leaders, positions, lanes, estimated rates. error gets the file's name.
mc_status dynavis_complete(dynavis_store *store, const mc_dynavis_options *options,
                           const char *file, mc_error *error);

// Derivative r = 0..3 of signal f at all n times t (rising), by the fit of mc_dynavis_options; 0:
// the smoothed signal. half: half the window, s. Fewer than r + 1 samples: NAN.
void dynavis_derivative(int n, const double *t, const double *f, int r, double half, double *out);

// The method in words, and what looks like a slip.
void dynavis_describe(mc_dynavis_data *data);
