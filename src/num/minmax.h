// minmax.h - the smaller and the larger of two numbers, of which none is NaN.
//
// fmin and fmax answer with the other number where one is NaN, and are calls; these are one
// instruction each, for code that every car goes through in every step.
#pragma once

static inline double num_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double num_max(double a, double b)
{
    return a > b ? a : b;
}
