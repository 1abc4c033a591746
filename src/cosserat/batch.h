// batch.h - a batch of deformable vehicles of one model: an mc_batch for the world.
//
// With a drive section in the model the vehicles are driven and braked: set_inputs takes throttle,
// brake and steering, set_road gives slope and friction, motion, plan, channels and energy answer
// for the whole. The step is then also held below the bound of wheels and engine. Without it,
// wheels roll freely on a level road: set_inputs takes the steering only, set_road changes nothing.
//
// In the energy, `slipped` is all that the road takes at the contacts, including the little that
// deflected treads store and return.
//
// set_param works on a batch of one vehicle, since constants belong to the batch: MASS, and of the
// drive max_brake, brake_front, drive_front, drag, roll. The brakes stay those of the mass at the
// start, and plan() continues to assume that mass.
#pragma once

#include "cosserat/kernel.h"
#include "motorcade/vehicle_model.h"
#include "parts/brake.h"

typedef enum cosserat_scheme {
    COSSERAT_EXPONENTIAL, // the default: fourth order, elastic modes exact
    COSSERAT_PUBLISHED,   // eq 1.45 of the report
} cosserat_scheme;

// A batch of count vehicles, all at rest in the model's EQUILIBRIUM at the origin; NULL when there
// is no memory. step: the longest inner step, s. The model is copied.
mc_batch *cosserat_batch_create(const cosserat_model *model, int count, cosserat_scheme scheme,
                                double step);

// Places vehicle i: heading and speed in the plane, fixed steering angle (rad, left positive).
// transposed: store the equilibrium directors the way the 1998 program did.
void cosserat_batch_place(mc_batch *batch, int i, double x, double y, double heading, double speed,
                          double steering, int transposed);

// Values in the order of kernel.h: r, d, v, w, tyre states, sums, plastic or higher. save() gives
// these, then cosine and sine of the steering angle; with a drive also throttle, brake command and,
// when the brake has a delay, its line (parts/brake.h).
int cosserat_batch_value_count(const mc_batch *batch); // without the inputs
enum {
    COSSERAT_SAVED_PARAMS = 1 + DRIVE_LIVE_COUNT, // the mass, and what is live of the drive
    COSSERAT_SAVE_MAX = VALUE_MAX + INPUT_COUNT + BRAKE_LINE_SIZE + COSSERAT_SAVED_PARAMS
};

// Rate of change of every value of vehicle i (layout of save, without steering).
void cosserat_batch_rate(const mc_batch *batch, int i, double *rate);

// Axes of the undeformed surface, turned with the chassis: the ghost a picture compares with.
void cosserat_batch_rest_axes(const mc_batch *batch, int i, double axes[9]);

// Directors 4 to 7 and their velocities (higher.h); false: the vehicle has three.
bool cosserat_batch_higher(const mc_batch *batch, int i, double out[HIGHER_VALUES]);

const cosserat_constants *cosserat_batch_constants(const mc_batch *batch);

extern const mc_vehicle_kind cosserat_kind;
