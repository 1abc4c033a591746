// solids.h - the shapes of bodies as convex solids that touch.
#pragma once

#include "impulses/impulses.h"
#include "mechanism/mechanism.h"

// Shape i of a body as the engine meets it, about its mass centre. MC_BAD_INPUT, at the line of a
// contact: it is flat, or has too many corners.
mc_status solid_of_shape(const mc_multibody *m, int body, int i, const double com[3], int line,
                         impulse_shape *out, mc_error *error);
