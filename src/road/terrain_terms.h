// terrain_terms.h - a profile of singularity terms, repeated with a period.
//
//   z(x) = sum of a <u - u0>^n,   <d>^n = d^n for d > 0, else 0;  n = 0 .. 5
//   u    = x - from, or with a period x - from - k period, k = floor((x - from)/period) >= 0
//
// n = 0 is a step, 1 a kink, 2 a change of curvature. A period begins again at zero: a profile that
// has not come back by then ends with a step. `count` periods, then level; 0: without an end.
#pragma once

#include "road/terrain.h"

enum { TERRAIN_POWER_MAX = 5 };

typedef struct terrain_term {
    double at;    // m, u0
    double scale; // m^(1 - n), a
    int power;    // n
} terrain_term;

typedef struct terrain_terms {
    const terrain_term *terms; // in order of `at`
    int term_count;
    double from, period; // m; period 0: once
    int count;           // of periods
} terrain_terms;

extern const terrain_kind terrain_terms_kind;
