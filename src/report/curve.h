// curve.h - curves of a record, short enough to be drawn and with every peak.
//
// The rows are cut into at most CURVE_PIECES pieces of equal length, and each piece leaves its
// lowest and its highest value, in the order they came; a piece without numbers leaves a gap. So a
// curve of a million rows has a few thousand points, and memory does not grow with the run. Of one
// quantity over another (x_quantity), every k-th row is kept instead: up to 5000 points.
#pragma once

#include "replay/recorded.h"

enum { CURVE_PIECES = 600, CURVE_POINTS = 5000 };

typedef struct report_curve {
    int vehicle, quantity;
    int minus;      // vehicle whose value is taken off; -1: none
    int x_quantity; // -1: time
    int where;      // 1 + a quantity: gaps where its value is not where_is; 0: no gaps
    double where_is;
    double *x, *y; // filled; to be freed
    int count;
} report_curve;

// Fills the curves from rows first .. first + count - 1, in one walk.
mc_status curves_collect(recorded *r, int64_t first, int64_t count, report_curve *curves,
                         int curve_count, mc_error *error);
void curves_free(report_curve *curves, int curve_count); // the points, not the list
