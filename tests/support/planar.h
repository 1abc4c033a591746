// planar.h - one impact of two rigid bodies in a plane, with friction, case by case.
//
// What a textbook does by hand: compression to v_N = 0, sticking or slipping one way or the other;
// then restitution of a share of the normal impulse, and again stick or slip. Written without any
// search, to check programs that search.
#pragma once

typedef struct planar {
    double nn, nt, tt; // 1/kg: velocity along n and t for impulses along n and t
    double n, t;       // m/s, relative velocity before
} planar;

typedef struct planar_result {
    double n, t;     // N s
    int stick_first; // compression ends without slip
    int stick_last;  // expansion does
    int back;        // slips back at the end
} planar_result;

// Response of two bodies with masses m and inertias i; r + 2 k: contact point from the centre of
// body k (x, y); normal and tangent unit vectors.
planar planar_of(const double m[2], const double i[2], const double r[4], const double normal[2],
                 const double tangent[2]);

// Needs nn > mu |nt|: else slipping can jam and cases are not unique.
planar_result planar_impact(const planar *p, double mu, double e);

// Compression alone.
void planar_compression(const planar *p, double mu, double *p_n, double *p_t, int *stick);
