// crash_picture.h - a picture of a run at its moment of maximum deformation.
#pragma once

#include "motorcade/medusa.h"

// Draws the vehicles near the one that is deformed most.
mc_status crash_picture_write(const char *path, const mc_medusa *run, mc_error *error);
