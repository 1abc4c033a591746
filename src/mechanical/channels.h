// channels.h - output channels of a mechanism on wheels: engine, wheels, pitch and roll.
#pragma once

#include "motorcade/vehicle_model.h"
#include "parts/running_gear.h"

enum { CHANNELS_NAMED = 27 };                       // two axles, by their names
#define CHANNELS_NUMBERED(axles) (7 + 10 * (axles)) // axles by their numbers, from the front

extern const mc_channel channels_named[CHANNELS_NAMED];
extern const mc_channel channels_numbered[CHANNELS_NUMBERED(GEAR_AXLE_MAX)];

void channels_read(const mc_batch *batch, int i, double *out);
int channels_wheels(const mc_batch *batch, int i, mc_wheel *out);
double channels_lateral_acceleration(const mc_batch *batch, int i);
