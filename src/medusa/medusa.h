// medusa.h - inside of mc_medusa, shared by the files of this folder.
#pragma once

#include "medusa/files.h"
#include "motorcade/medusa.h"

struct mc_medusa {
    arena arena;
    mc_medusa_options options;
    medusa_models models;
    medusa_platoon platoon;
    // Inputs over time (inputs.h): vehicles that have some; times of all their points, ascending.
    int *driven, driven_count;
    double *change_time;
    size_t change_count;
    struct mc_road road; // under the vehicles, where the platoon file gives it a surface
    mc_world *world;
    double step;
    double bound; // 0: not computed yet
    mc_medusa_moment moment;
    mc_ellipsoid *moment_surface;
    double *moment_numbers; // rest_axes, elastic, velocity, heading
};
