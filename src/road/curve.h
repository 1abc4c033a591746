// curve.h - a slope given by a function of the station, as cubic pieces that follow it.
//
//   on a piece     x_k <= x < x_k+1, d = x - x_k, h = x_k+1 - x_k:
//   slope          a_k + r_k d + b_k d^2 + c_k d^3, cubic with values a, derivatives r
//                  of the function at both ends (Hermite)
//   error          at most h^4/384 times the fourth derivative of the function
//   height         integral of sin(slope) from 0
//
// Before the first and after the last point the slope is constant. Slope and its derivative are
// continuous everywhere inside, so steps of vehicles need not be cut at the points.
//
// Pieces are at most ROAD_PIECE_MAX long and halved until the slope is met to ROAD_CURVE_ERROR at
// eight places of each, or ROAD_PIECE_MIN is reached. So that error is kept where the function is
// smooth; within ROAD_PIECE_MIN of a kink of the slope the error is what the slope changes there. A
// jump of the slope is rejected. What is narrower than an eighth of the longest piece may be
// missed.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#define ROAD_PIECE_MAX 4.0           // m
#define ROAD_PIECE_MIN (1.0 / 64.0)  // m
#define ROAD_CURVE_ERROR 1e-8        // rad
#define ROAD_JUMP 0.005              // rad, within the shortest piece
enum { ROAD_CURVE_POINTS = 200000 }; // enough for any road

typedef struct road_point {
    double x;           // m
    double value, rate; // rad, rad/m: the slope there and its derivative
    double bend, twist; // rad/m^2, rad/m^3, of the piece that begins here; 0 at the last
    double height;      // m
} road_point;

typedef struct road_curve {
    const road_point *points; // x strictly increasing
    int count;                // 0: there is no curve
    // Pieces were halved from cells of one length, which find x at once: the points of cell k are
    // begin[k] .. begin[k + 1].
    const int *begin;
    int cell_count;
    double cell; // m
} road_curve;

// The function: slope (rad) and its derivative (rad/m) at n <= ROAD_SAMPLES stations, all finite.
enum { ROAD_SAMPLES = 8 };
typedef mc_status road_function(void *context, int n, const double *x, double *slope, double *rate,
                                mc_error *error);

// Follows the function from .. to with at most max_count points; arrays live in the arena. A
// message has no place.
mc_status road_curve_make(arena *memory, double from, double to, int max_count, road_function *f,
                          void *context, road_curve *out, mc_error *error);

// A cubic piece: value + rate d + bend d^2 + twist d^3 with d = x - at, for from <= x < to.
typedef struct road_cubic {
    double from, to, at; // m
    double value, rate, bend, twist;
} road_cubic;

// The piece at x; an x that is not a number gets the first.
void road_curve_piece(const road_curve *c, double x, road_cubic *out);
double road_curve_slope(const road_curve *c, double x);  // rad
double road_curve_height(const road_curve *c, double x); // m
