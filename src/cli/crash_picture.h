// crash_picture.h - the moment of greatest deformation of a run as a picture.
#pragma once

#include "motorcade/medusa.h"

// Draws the vehicles near the one that is deformed most.
mc_status crash_picture_write(const char *path, const mc_medusa *run, mc_error *error);
