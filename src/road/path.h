// path.h - a reference line in the plane of the road: straights, arcs and clothoids, one after the
// other.
//
//   curvature   k(s), linear on a piece: k0 at its start, k1 at its end
//   heading     psi(s) = psi(0) + integral of k
//   line        x' = cos psi, y' = sin psi
//
// Pieces are cut into cells so short that the line is a polynomial in each, to 1e-14 of the length
// of the cell. About the reference place of a cell, with t along the line, a the curvature there
// and 2 b its rate:
//
//   turn        a t + b t^2, at most 0.031 rad
//   line        t + t^3 P(t), t^2 Q(t): the integral of exp(i turn) up to t^7
//
// An open path continues straight beyond its ends. A closed one begins again.
//
// A path is immutable once made; any number of threads may ask it at once.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#include <stdbool.h>

typedef struct road_piece {
    double length; // m
    double k0, k1; // 1/m, curvature at start and end, left positive
} road_piece;

typedef struct road_pose {
    double x, y, heading; // m, m, rad
} road_pose;

typedef struct road_cell {
    double s, lo, hi;  // m: station of its reference place, ends of t
    double x, y, c, n; // m, and cos and sin of the heading there
    double a, b;       // 1/m, 1/m^2
    double p[5], q[6]; // of the polynomials
    double heading;    // rad
} road_cell;

typedef struct road_path {
    const road_cell *cells;
    int cell_count;
    const int *bin; // the cell at the start of each stretch of 1 / bin_rate
    int bin_count;
    double bin_rate; // 1/m
    double length;   // m
    bool closed;
    bool axis; // it is the x axis: station is x, offset is y, to the bit
    const road_piece *pieces;
    int piece_count;
    road_pose start, end;
} road_path;

// What is nearest to a place on a path.
typedef struct road_foot {
    double station, offset; // m; offset left positive
    double heading;         // rad
    double curvature;       // 1/m
} road_foot;

// closed: the line begins again at its end, which must be its start to ROAD_CLOSE. Arrays live in
// the arena; pieces must outlive the path.
#define ROAD_CLOSE 1e-3 // m, and rad
mc_status road_path_make(arena *memory, road_pose start, const road_piece *pieces, int count,
                         bool closed, road_path *out, mc_error *error);

// The nearest foot of (x, y) on the path: beginning at the station hint, or NAN: of all.
void road_path_project(const road_path *path, double x, double y, double hint, road_foot *out);
road_pose road_path_place(const road_path *path, double station, double offset);
double road_path_curvature(const road_path *path, double station);

// Where pieces lead to from a start.
road_pose road_pieces_end(road_pose start, const road_piece *pieces, int count);
// The piece, driven in the other direction.
static inline road_piece road_piece_reversed(road_piece p)
{
    return (road_piece){p.length, -p.k1, -p.k0};
}
