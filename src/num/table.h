// table.h - lookup tables y(x) and z(x, y) over points given by the caller.
//
// A table is a view: it borrows its arrays, and a lookup is a pure function that allocates nothing.
//
//     int bad = table_check(x, count);          // -1: good, else the index to complain about
//     table_slopes(x, y, count, slope);         // only for the cubic
//     const table map = {.x = x, .y = y, .slope = slope, .count = count, .outside = TABLE_CLAMP};
//     int hint = 0;                             // one for each user that moves slowly
//     double torque = table_value(&map, speed, &torque_slope, &hint);
//
// Between the points the table is linear, or, with slopes, a cubic that goes through the points, is
// monotone wherever they are (no overshoot) and has a continuous slope. At a kink the slope is that
// to the right. At the points the values are exact, in between good to rounding. NAN gives NAN.
#pragma once

typedef enum table_outside {
    TABLE_CLAMP,  // keeps the value of the nearest end
    TABLE_EXTEND, // continues in a straight line with the slope of that end
} table_outside;

typedef struct table {
    const double *x, *y; // count points, x strictly increasing
    const double *slope; // dy/dx at the points, from table_slopes; NULL: linear between points
    int count;           // >= 1; one point makes a constant
    table_outside outside;
} table;

// Index of the first x that is not finite or not above the one before it; 0 when there is none at
// all; -1 when all are good.
int table_check(const double *x, int count);

// Slopes of the monotone cubic (Fritsch, Carlson, Butland) at the points.
void table_slopes(const double *x, const double *y, int count, double *slope);

// y at x; *slope becomes dy/dx. slope may be NULL. hint may be NULL; it holds the interval found
// last (start with 0), which makes a search that moves by an interval or less independent of the
// size of the table. The result does not depend on it, whatever it holds.
double table_value(const table *t, double x, double *slope, int *hint);

typedef struct table_grid {
    const double *x, *y; // x_count and y_count, strictly increasing (table_check)
    const double *z;     // z at (x[i], y[j]) is z[i * y_count + j]
    int x_count, y_count;
    table_outside outside; // TABLE_EXTEND: the nearest cell is extended, linear in x and in y
} table_grid;

// z at (x, y), bilinear in each cell; slope becomes dz/dx, dz/dy. slope and hint may be NULL.
double table_grid_value(const table_grid *t, double x, double y, double slope[2], int hint[2]);
