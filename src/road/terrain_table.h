// terrain_table.h - a profile by points: tables of the user, and random roads.
//
// Between its points a table is linear, a kink at every point, or a cubic with the slopes given
// there. Beyond its ends it is level with them, or repeated. Random roads are tables of points with
// even spacing.
//
// Random roads after ISO 8608: displacement spectral density over spatial frequency n, cycles/m,
//
//   Gd(n) = Gd(n0) (n/n0)^-w,  n0 = 0.1
//
// z = sum of sqrt(2 P_i) cos(2 pi n_i x + phase_i): n_i are multiples of 1/length, so that the road
// repeats without a seam; lines are at most 1 % of their frequency apart, and each holds the power
// P_i = integral of Gd over its cell. Phases are drawn from the seed: any seed has the same
// spectrum. The right track has the same lines with phases that differ by +-acos(exp(-n l)), so
// that the coherence of the tracks (magnitude of the normalized cross spectrum) is exp(-n l): long
// waves are common, short ones are not. The standard leaves coherence open; the exponential form
// and l are choices.
#pragma once

#include "road/terrain.h"

typedef struct terrain_table {
    const double *x;     // m, strictly increasing; NULL: evenly spaced from `from`
    double from, step;   // m
    const double *z;     // m
    const double *slope; // -; NULL: linear
    int count;           // at least 2
    bool repeat;         // its last point is its first
} terrain_table;

extern const terrain_kind terrain_table_kind;

typedef struct terrain_roughness {
    double gd;           // m^3, Gd(n0)
    double waviness;     // -, w
    double n_min, n_max; // cycles/m
    double length;       // m, after which it repeats
    double coherence;    // m, l; 0: both tracks are the same
    unsigned long long seed;
} terrain_roughness;

// Gd(n0) of classes A .. H, geometric means; NAN: another letter.
double terrain_class(char letter);

// The tracks of a random road; the arrays live in the arena.
mc_status terrain_random(arena *memory, const terrain_roughness *r, terrain_table *left,
                         terrain_table *right, mc_error *error);
