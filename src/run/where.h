// where.h - where the cars are on the road: from places in the plane to stations and offsets.
//
// Vehicles move in the plane of the road (motorcade/road.h), control speaks of the road: in a run,
// x of a motion is the station, y the offset, psi the heading relative to the road's. On a straight
// road these are the same numbers, and nothing here costs anything: r->where is NULL. On others
// each car keeps the path it is on and its station there, which is where the next search begins.
//
// A car changes paths where they meet: from an on-ramp to the acceleration lane at the ramp's end,
// from a deceleration lane to the off-ramp where that begins. x of a car on a ramp is counted so
// that it continues there: distances driven and gaps then need not know of paths.
//
// On a circuit x counts on from lap to lap, so that no distance jumps where the line begins. The
// order in a lane is that of the stations, and the first car follows the last. run_apart is how far
// a place is ahead of another.
//
// An edit may move or remove a ramp under a car. The car finishes on the old one: it keeps the road
// of the version in which it came there until it is in a lane that goes through. All versions of a
// run stay, so that the number of the version is all its state needs.
#pragma once

#include "run/run.h"

#include <math.h>

typedef struct run_where {     // numbers alone: its bytes are its state
    int path, lane;            // lane: of the road at the car's place; -1: beside the lanes
    int straight;              // the path has no bends
    int elder;                 // 1 + the version whose road it is still on; 0: the present one
    int lap, unused;           // lap: of a circuit, from 0; unused: 0
    double station;            // m, of that path
    double heading, curvature; // rad, 1/m, of the path there
    mc_motion plane;           // as the vehicle says it
} run_where;

const road *run_elder_road(const mc_run *r, int slot);
// The road that a car is on.
static inline const road *run_road_of(const mc_run *r, int slot)
{
    return r->where && r->where[slot].elder ? run_elder_road(r, slot) : &r->road;
}
// The road of another version for a car of `old`: 0: that of the version, and *path its path there;
// else 1 + the version whose road it stays on.
int run_where_next(const mc_run *old, int slot, const road *fresh, int *path);

mc_status run_where_room(mc_run *r, mc_error *error); // when the run is made
// Where a car starts: the path of its lane, and its place in the plane.
void run_where_start(const mc_run *r, const scenario_vehicle *v, mc_vehicle_start *start);
void run_where_begin(mc_run *r, int slot);
// Tells a vehicle its path: where the lanes of two paths touch it could not know. One on the ramp
// of an earlier version looks for itself on the road as it is.
void run_where_tell(const mc_run *r, int slot);
// Turns motions of slots from the plane to the road; keep: as the present places of the cars.
void run_where_turn(mc_run *r, int first, int count, mc_motion *motion, bool keep);

// A place of the plane near a slot as motions are told, and `count` vectors of three numbers turned
// with the road there. Nothing changes on a straight road.
void run_where_unroll(const mc_run *r, int slot, double place[3], double *vectors, int count);

// m, the middle of a lane at a car's place; width: of that lane, may be NULL. NAN and 0: it does
// not exist there.
double run_lane_middle(const mc_run *r, int slot, int lane, double *width);
// Where the path of a car is `ahead` metres further on: seen from the car's place and heading in
// the plane, with an offset of the path from the middle of a lane, and its curvature.
void run_where_ahead(const mc_run *r, int slot, int lane, double offset, double ahead,
                     double *aside, double *curvature);

// Whether a road has a lane at a station of a path, that of a ramp included.
bool run_has_lane(const road *of, int path, int lane, double station);

// m, from x to another x ahead of it; on a circuit the next time it comes. A place a little behind,
// as of a car that is touched, is still behind.
static inline double run_apart(const mc_run *r, double from, double to)
{
    const double apart = to - from, behind = 20.0;
    return r->lap > 0.0 ? apart - r->lap * floor((apart + behind) / r->lap) : apart;
}

// m, x of a car within its lap: what stations of ramps are compared with.
static inline double run_place_of(const mc_run *r, int slot)
{
    const double x = r->motion[slot].x;
    return r->lap > 0.0 ? x - r->where[slot].lap * r->lap : x;
}

// m, bumper to bumper to the car in front, which must exist, along the lane.
static inline double run_gap(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot], *front = &r->car[c->front];
    const double x = r->motion[slot].x, ahead = r->motion[c->front].x;
    const run_where *w = r->where ? &r->where[slot] : NULL;
    if (!w || w->straight)
        return ahead + front->tail - x - c->nose;
    return run_apart(r, x, ahead) * (1.0 - w->curvature * r->motion[slot].y) + front->tail -
           c->nose;
}
