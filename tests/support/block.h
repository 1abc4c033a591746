// block.h - a rigid planar block on ice: a second kind of vehicle, to prove the contract.
//
// Slides freely in the plane, turns about z; the road holds it upright (it takes every vertical
// impulse, and accounts for it). Its surface is an ellipsoid that does not deform.
#pragma once

#include "motorcade/vehicle_model.h"

typedef struct block_model {
    double mass;    // kg
    double inertia; // kg m^2, about z
    double axes[3]; // m, semi-axes
    double height;  // m, of the centre
} block_model;

mc_batch *block_batch_create(const block_model *model, int count);
void block_batch_place(mc_batch *batch, int i, double x, double y, double heading, double v_x,
                       double v_y, double turn);

extern const mc_vehicle_kind block_kind;
