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
#pragma once

#include "run/run.h"

typedef struct run_where {     // numbers alone: its bytes are its state
    int path, lane;            // lane: of the road at the car's place; -1: beside the lanes
    int straight, unused;      // straight: the path has no bends; unused: 0
    double station;            // m, of that path
    double heading, curvature; // rad, 1/m, of the path there
    mc_motion plane;           // as the vehicle says it
} run_where;

mc_status run_where_room(mc_run *r, mc_error *error); // when the run is made
// Where a car starts: the path of its lane, and its place in the plane.
void run_where_start(const mc_run *r, const scenario_vehicle *v, mc_vehicle_start *start);
void run_where_begin(mc_run *r, int slot);
// Turns motions of slots from the plane to the road; keep: as the present places of the cars.
void run_where_turn(mc_run *r, int first, int count, mc_motion *motion, bool keep);

// m, the middle of a lane at a car's place; width: of that lane, may be NULL. NAN and 0: it does
// not exist there.
double run_lane_middle(const mc_run *r, int slot, int lane, double *width);
// Where the path of a car is `ahead` metres further on: seen from the car's place and heading in
// the plane, with an offset of the path from the middle of a lane, and its curvature.
void run_where_ahead(const mc_run *r, int slot, int lane, double offset, double ahead,
                     double *aside, double *curvature);

// Whether a road has a lane at a station of a path, that of a ramp included.
bool run_has_lane(const road *of, int path, int lane, double station);

// m, bumper to bumper to the car in front, which must exist, along the lane.
static inline double run_gap(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot], *front = &r->car[c->front];
    const double x = r->motion[slot].x, ahead = r->motion[c->front].x;
    const run_where *w = r->where ? &r->where[slot] : NULL;
    if (!w || w->straight)
        return ahead + front->tail - x - c->nose;
    return (ahead - x) * (1.0 - w->curvature * r->motion[slot].y) + front->tail - c->nose;
}
