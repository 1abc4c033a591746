// lane_use.h - rules of lanes: who may use and enter them, speed, headway, separation of platoons.
//
// Rules are those of the road's sections, then those of commands `section` in the order in which
// they were given, then that of the ERSC, which makes lanes automated that are for any vehicle.
// Automatic cars obey speed, headway and separation; every car with a controller keeps off lanes
// that it may not use: it leaves such a lane in time, and stops before a lane that is closed or
// ends. A car that is in a wrong lane nevertheless is noted, and flashes.
#pragma once

#include "run/run.h"

// After the road, a rule or the level of the ERSC has changed, and when a run is made or restored.
void run_lane_use_prepare(mc_run *r);
// At the start of a step of a run that is ruled.
mc_status run_lane_use(mc_run *r, mc_error *error);

// What holds in a lane at a station of a path; false: there is no such lane.
bool run_lane_rule(const mc_run *r, int path, int lane, double station, mc_road_lane *out);
int run_path_of(const mc_run *r, int slot);
double run_station_of(const mc_run *r, int slot); // m, of that path

bool run_is_automatic(const mc_run *r, int slot); // driven by a controller that is not a driver
// Whether a car may drive where only vehicles of that kind may.
bool run_lane_allows(const mc_run *r, int slot, int use);
// Whether a car may change into a lane beside it; else text says why, if it is not NULL.
bool run_lane_open(const mc_run *r, int slot, int lane, char *text, size_t size);

// The headway, s, and the speed, m/s, that the roadway or the lane of a car asks for.
double run_commanded_headway(const mc_run *r, int slot, bool *commanded);
double run_commanded_speed(const mc_run *r, int slot);
// m/s^2, what a car may do: `want` with the limits of its lane.
double run_lane_limit(const mc_run *r, int slot, double want);

// A command `section`: rejected, with the reason, when it would leave a car in a lane that is
// closed, or make one brake harder than its bound.
mc_status run_section_check(const mc_run *r, const char *text, mc_error *error);
mc_status run_section(mc_run *r, const char *text, mc_error *error);
// An edit of the road must not take the lane away from under a car.
mc_status run_lanes_kept(const mc_run *old, const mc_run *fresh, mc_error *error);
