// road.h - the road under the vehicles: one question, where on it is this place, and what is it
// like.
//
//     mc_road_point p;
//     mc_road_at(road, x, y, NAN, &p);
//     const double g_x = 9.81 * p.gravity[0];     // gravity along x of the plane
//     const double limit = p.friction * fz;       // what a tyre can hold
//
// A vehicle gets its road by set_road of its kind (vehicle_model.h). Places are those of mc_motion:
// x and y of one plane, the road unrolled: lengths in it are lengths driven, and hills and bank do
// not bend its axes, they tilt gravity. A road is a set of paths in this plane, reference lines
// with lanes: path 0 is the main road, the others are its ramps. On a straight road station is x,
// offset is y, to the bit.
//
// Gravity at a place on the reference line, with x along it, y left and z normal to the surface, is
//     -g sin(grade),  -g cos(grade) sin(bank),  -g cos(grade) cos(bank)
// Beside the line, on the inside of a bend, the same climb takes a shorter way, and where the bank
// changes an edge climbs by itself: `gravity` is there the gradient of the height, so that a
// vehicle that moves anywhere in the plane does the work weight times height.
//
// An uneven surface (OpenCRG, terrain) lies over that plane: bump. It does not tilt gravity; a
// vehicle with wheels that move up and down has them stand on it.
//
// Threads: a road never changes once it is made; any number of threads may ask at once.
#pragma once

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_road mc_road;

typedef struct mc_road_point {
    double station;    // m, along the reference line, from its start
    double offset;     // m, from the reference line, left positive; without a file of its own the
                       // line is the middle of lane 0
    double heading;    // rad, of the reference line there, from x to the left
    double curvature;  // 1/m, of the reference line, left positive
    double grade;      // rad, along the reference line, uphill positive
    double bank;       // rad, across it, left side up positive
    double height;     // m, over the place of station 0 and offset 0
    double normal[3];  // unit, of the surface: level axes, x along the reference line, y left, z up
    double friction;   // -, relative to the dry road
    int lane;          // 0 = leftmost; -1: beside the lanes
    int path;          // 0 = the main road
    double gravity[3]; // unit, its pull: along x and y of the plane, and normal to it, up positive
    double bump;       // m, of an uneven surface over that plane, part of the height
    double bump_x, bump_y; // -, its slopes along x and y of the plane
} mc_road_point;

// The place (x, y), m. hint: a station near it, such as that of the vehicle a step ago; NAN: none
// is known. A road that comes near itself is then looked at where the vehicle is. road NULL: level,
// straight, friction 1, without lanes. Of several paths it is the main road where the place is on
// its lanes, else the path whose lanes are nearest.
void mc_road_at(const mc_road *road, double x, double y, double hint, mc_road_point *out);

// The same for a caller that knows its path: the hint is a station of that path. A path that does
// not exist is that of mc_road_at.
void mc_road_on(const mc_road *road, int path, double x, double y, double hint, mc_road_point *out);

// On terrain a wheel does not follow the ground below its hub: it bridges what is narrower than
// itself and meets a step by its corner. Replaces bump and its slopes at a point that was asked for
// the hub of a wheel, upright with this heading (rad, from x to the left), radius and width (m), by
// those of the ground that the wheel stands on. On other roads it changes nothing.
void mc_road_stand(const mc_road *road, double heading, double radius, double width,
                   mc_road_point *point);

// The inverse: x, y (m) and heading (rad) of a station and an offset of a path.
void mc_road_place(const mc_road *road, int path, double station, double offset, double *x,
                   double *y, double *heading);

// ---- lanes ----
//
// Lane k of a path is the same strip from its start to its end. Where it does not exist, its width
// is 0: so a lane keeps its number where others begin or end.

typedef enum mc_road_use { // by which vehicles
    MC_ROAD_ANY,
    MC_ROAD_AUTOMATED,
    MC_ROAD_MANUAL,
    MC_ROAD_CLOSED, // by none
} mc_road_use;

typedef struct mc_road_lane {
    double centre, width; // m: offset of its centre line, left positive
    double speed;         // m/s, limit; NAN: none of its own
    double headway;       // s, commanded; NAN: the roadway's
    double separation;    // m, between platoons; NAN: none commanded
    mc_road_use use;      // which may drive in it
    mc_road_use enter;    // which may change into it
} mc_road_lane;

int mc_road_lane_count(const mc_road *road, int path);
// false: there is no such lane at that station.
bool mc_road_lane_at(const mc_road *road, int path, int lane, double station, mc_road_lane *out);
// Stations of a path, in order, between which its lanes change smoothly and by one rule; false:
// past the last.
bool mc_road_section_at(const mc_road *road, int path, int index, double *station);
// Offset of its centre line and width, m; NAN and 0 where there is no such lane.
double mc_road_lane_centre(const mc_road *road, int path, int lane, double station, double *width);

// ---- paths and ramps ----

typedef struct mc_road_path {
    const char *name;
    double length; // m; HUGE_VAL: without an end
    bool closed;   // a circuit: it begins again at its end
    int lane_count;
    double turn;                               // rad, from its start to its end, left positive
    double max_curvature;                      // 1/m, without sign
    int line_count, arc_count, clothoid_count; // its pieces
} mc_road_path;

int mc_road_path_count(const mc_road *road);
bool mc_road_path_at(const mc_road *road, int path, mc_road_path *out); // false: past the last

typedef struct mc_road_ramp { // where a path joins another one, or leaves it
    const char *name;
    bool on;          // it joins; else it leaves
    bool connector;   // it comes from another freeway, or leads to one
    int path;         // of the ramp: its end joins, its start leaves
    int main;         // the path that it joins or leaves
    int lane;         // of that path: the acceleration or deceleration lane; a through lane where
                      // it has none
    double from, to;  // m, stations of that lane, its taper included
    double at;        // m, where the ramp begins or ends
    double nose;      // m, of the gore: the station of main at which the two are apart
    double ramp_nose; // m, the same place as a station of the ramp
    double speed;     // m/s, design speed of the ramp; NAN: not given
} mc_road_ramp;

// What is added to the stations of a path so that they continue those of the road it joins or
// leaves, m: x of a car (run.h) on that path is its station plus this. 0: the main road.
double mc_road_path_base(const mc_road *road, int path);

int mc_road_ramp_count(const mc_road *road);
bool mc_road_ramp_at(const mc_road *road, int ramp, mc_road_ramp *out); // false: past the last

#include "motorcade/end.h"
