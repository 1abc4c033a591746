// vehicle.h - vehicles that units of FMI move: the equations are those of the unit.
//
// The unit is asked once per control step, by `exchange`: inputs in, motion at the end of the step
// out. Within the step the vehicle follows a cubic between both motions, so that others can hit it
// at any instant. A unit knows nothing of impulses: a vehicle that was hit moves on as a rigid body
// to the end of that step, where the run ends with a message.
#pragma once

#include "motorcade/vehicle_model.h"
#include "unit/unit.h"

enum foreign_input { // words of inputs
    FOREIGN_THROTTLE,
    FOREIGN_BRAKE,
    FOREIGN_STEER,
    FOREIGN_ACCELERATION,
    FOREIGN_GRADE,
    FOREIGN_BANK,
    FOREIGN_FRICTION,
    FOREIGN_INPUT_COUNT
};

enum foreign_output { // words of outputs
    FOREIGN_X,
    FOREIGN_Y,
    FOREIGN_PSI,
    FOREIGN_V,
    FOREIGN_V_Y,
    FOREIGN_YAW_RATE,
    FOREIGN_A,
    FOREIGN_N,
    FOREIGN_OUTPUT_COUNT
};

enum foreign_begin { // words of values at the start
    FOREIGN_START_X,
    FOREIGN_START_Y,
    FOREIGN_START_PSI,
    FOREIGN_START_V,
    FOREIGN_BEGIN_COUNT
};

extern const unit_words foreign_words;
extern const char *const foreign_docs[FOREIGN_INPUT_COUNT + FOREIGN_OUTPUT_COUNT +
                                      FOREIGN_BEGIN_COUNT]; // with units, in that order

typedef struct foreign_car {
    const unit_wiring *wiring;          // outlives the batch
    double mass, length, width, height; // kg, m
    double max_acceleration, max_brake; // m/s^2
    double x, y, heading, v;            // m, m, rad, m/s
    bool restored;                      // its state is restored next: the unit does not begin
} foreign_car;

// t: s, of the run. NULL: see *error.
mc_batch *foreign_vehicles_create(const foreign_car *cars, int count, const mc_road *road, double t,
                                  mc_error *error);

extern const mc_vehicle_kind foreign_kind;
