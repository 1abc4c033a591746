// section_text.h - rules of a lane from one station to another as words, for the log of a live run:
// "lane 1 from 0 to 500 use closed speed 25". Names and ranges are those of a section of a road.
#pragma once

#include "road/lanes.h"

enum { SECTION_TEXT_MAX = 256 };

// What is not mentioned stays as it is: NAN, -1.
mc_status scenario_section_parse(const char *text, road_lane_stretch *out, mc_error *error);
// text: SECTION_TEXT_MAX bytes. Read back, it is the same to the bit.
void scenario_section_print(const road_lane_stretch *s, char *text);

// The sections of a scenario's road.
struct scenario;
const road_lane_stretch *scenario_stretches(const struct scenario *s, int *count);

// The words of mc_road_use, in its order.
enum { ROAD_USE_COUNT = 4 };
extern const char *const scenario_road_uses[ROAD_USE_COUNT];
