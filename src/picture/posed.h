// posed.h - a mechanism of a results file at one instant, and its modes.
#pragma once

#include "motorcade/kinematics.h"
#include "motorcade/linear.h"
#include "motorcade/render.h"

typedef struct posed {
    mc_multibody *m;
    double t;
    double *y;    // the state shown
    double *rest; // of a mode: the equilibrium it is about; NULL: none
    mc_linear linear;
    int body_count, point_count;
    double *places;     // kinematics of y: 18 numbers per body, then 6 per point
    bool at_rest;       // of a mode: rest is an equilibrium
    bool still;         // y is a position of rest
    mc_standing stands; // of that: loads of the road on wheels
} posed;

// path: a results file of `simulate`, or the file of a mechanism: then its start.
mc_status posed_open(posed *k, const char *path, const mc_render_options *o, mc_error *error);
void posed_close(posed *k);
// Kinematics of another state into places.
mc_status posed_take(posed *k, const double *y, mc_error *error);
