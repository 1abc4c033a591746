// network.h - a road of several paths: the main road, its ramps, and where they meet.
//
//     on-ramp                                    off-ramp
//     main    ====================               ====================
//     lane        at[=======]taper               taper[=======]at
//     ramp    ____/                                            \____
//                 ^ nose (gore)                          nose ^
//
// A ramp joins at the start of its acceleration lane, or leaves at the end of its deceleration
// lane: an additional lane right of the lanes that go through. The reference line of a ramp is the
// centre of its lane 0, and lies on the centre of that lane where they meet. The nose of the gore
// is where the edge of the ramp is ROAD_NOSE away from that of the lanes that go through.
#pragma once

#include "road/lanes.h"
#include "road/path.h"
#include "road/road.h"
#include "road/surface.h"

#define ROAD_NOSE 1.0 // m

typedef struct road_branch { // a path with what is on it
    const char *name;
    road_path path;
    road_lanes lanes;
    road_polys bank;             // rad, left side up positive
    const road *along;           // slope and friction along it; NULL: of the road itself
    double base;                 // m, height of its station 0 over that of the main road
    const road_surface *surface; // NULL: even
    bool endless;                // its length has no meaning
} road_branch;

typedef struct road_network {
    const road_branch *branches; // [0] is the main road
    int branch_count;
    const mc_road_ramp *ramps;
    int ramp_count;
} road_network;

// A ramp as a user describes it.
typedef struct road_ramp {
    const char *name;
    bool on, connector;
    double at;            // m, station of the main road where it ends (on) or begins (off)
    double length, taper; // m, of the lane for acceleration or deceleration
    double width, speed;  // m, m/s
    const road_piece *pieces;
    int piece_count;
    const road_stretch *grades;
    int grade_count;
    road_polys bank;
} road_ramp;

typedef struct road_plan {
    const road_piece *pieces; // none: straight, without an end
    int piece_count;
    bool closed;
    int lane_count;
    double lane_width; // m
    const road_lane_stretch *stretches;
    int stretch_count;
    road_polys bank;
    const road_surface *surface;
    const road_ramp *ramps;
    int ramp_count;
} road_plan;

// What of a plan a message is about.
typedef struct road_fault {
    enum { ROAD_FAULT_LINE, ROAD_FAULT_STRETCH, ROAD_FAULT_RAMP } what;
    int index;
} road_fault;

#define ROAD_ENDLESS 1e7 // m

// along: the main road, for the heights at which ramps meet it. Arrays live in the arena.
mc_status road_network_make(arena *memory, const road_plan *plan, const road *along,
                            const road_network **out, road_fault *fault, mc_error *error);

// What a point of a path is like; used by mc_road_at and mc_road_on.
void road_network_at(const road *r, double x, double y, double hint, mc_road_point *out);
void road_network_on(const road *r, int path, double x, double y, double hint, mc_road_point *out);

// Fills nose and ramp_nose of a ramp whose paths and lanes are known.
mc_status road_find_nose(const road_branch *main, const road_branch *ramp, int through, bool on,
                         mc_road_ramp *out, mc_error *error);
