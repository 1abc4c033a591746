// quantity.h - one quantity of one car over time, read from a view of a history.
//
// Any thread.
#pragma once

#include "studio/history/history.h"

typedef struct quantity_curve {
    double *t, *y; // count; freed by quantity_free
    int count;
} quantity_curve;

// quantity: a field of frames, `error` (s - x), `time_gap`, `ttc`, or one of the car's own
// channels. Rows from <= t <= to that contain the car. A car that is in no row gives an empty
// curve. False: see *error; the name is unknown or there is no memory.
bool quantity_read(const history_view *view, const char *vehicle, const char *quantity, double from,
                   double to, quantity_curve *out, mc_error *error);
void quantity_free(quantity_curve *c);
// The row behind the last one at or before `to`.
int quantity_end(const history_view *view, double to);

// s, gap by the speed at which it closes, from the row and its neighbour; NAN: it does not close.
double quantity_ttc(const history_view *view, int row, int column);
