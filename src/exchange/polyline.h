// polyline.h - a line through measured points as straights and arcs.
//
// Points that are nearer than a tolerance to the line through the others are left out (Douglas and
// Peucker); between the sides that remain, an arc that touches both replaces the corner. Its radius
// is what the speed asks for, or what half of the shorter side leaves room for. So the line has no
// corner, and its curvature jumps from piece to piece.
//
// The tolerance is the smallest of a few, up to 1 m, with which the line turns hardly more than
// with any other by arcs that are too tight for the speed of the road. Networks that are drawn by
// hand have corners of a few degrees within metres; others are measured to centimetres.
#pragma once

#include "base/arena.h"
#include "road/path.h"

typedef struct polyline_point {
    double x, y; // m
} polyline_point;

typedef struct polyline_fit {
    road_pose start;
    const road_piece *pieces;
    int count;
    double length;    // m
    double error;     // m, largest distance of a point from the line
    double curvature; // 1/m, largest, without sign
    double rough;     // rad, turned by arcs too tight for the speed, times by how much they are
} polyline_fit;

// speed: m/s. first, last: rad, headings at the ends; NAN: those of the points. false: no memory,
// or fewer than two different points.
bool polyline_follow(arena *memory, const polyline_point *points, int count, double speed,
                     double first, double last, polyline_fit *out);

double polyline_length(const polyline_point *points, int count);
// Points a distance to the left of the line through them.
void polyline_shift(const polyline_point *points, int count, double left, polyline_point *out);
