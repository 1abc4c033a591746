// plan.h - a road as pages draw it from above: lines, lanes and ramps as samples.
//
// The line of a path is sampled so that cubics through the samples, with their headings, are within
// PLAN_ERROR of it; lanes are sampled where their widths change. Any thread.
#pragma once

#include "motorcade/road.h"

#include <jansson.h>

#define PLAN_ERROR 0.002 // m

// written: the lists of mc_scenario_road_json; NULL: the road cannot be edited. NULL: no memory.
char *plan_text(const mc_road *road, const char *written);
