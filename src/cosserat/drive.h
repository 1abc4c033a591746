// drive.h - what the drive section of a model comes to: wheels, engine, brakes of a batch.
//
// cosserat_drive_of() makes the numbers that the kernel runs on (drive_lanes.h has the equations);
// vehicles of the multibody kind use them too. Engine and brake act on axles, half on each wheel.
// The brakes are laid out for the nominal mass and stay so when the vehicle is loaded.
#pragma once

#include "cosserat/kernel.h"
#include "motorcade/vehicle_model.h"

enum { DRIVE_ENGINE_SIZE = 4 * POWERTRAIN_PARAM_MAX }; // doubles of the engine's parameters

// Fills *out from a driven model. engine_p: room for DRIVE_ENGINE_SIZE doubles, aligned to 32
// bytes, used as long as *out is. The brakes are made for nominal_mass, kg.
void cosserat_drive_of(const cosserat_model *model, double nominal_mass, double *engine_p,
                       cosserat_drive *out);

// Parameters of the drive that can be changed while it runs: rows of drive_params.
enum { DRIVE_CHANGEABLE = 5 };
extern const int drive_changeable[DRIVE_CHANGEABLE];

// Gives one of them another value, and *drive what follows from it; the road stays. Names in any
// case. False: none of that name can be changed, or the value is out of its range.
bool cosserat_drive_set(cosserat_model *model, double nominal_mass, const char *name, double value,
                        double *engine_p, cosserat_drive *drive);

// Longest step, s: wheels (parts/wheel.h, to 70 m/s, at twice the load of rest) and engine.
double cosserat_drive_step_bound(const cosserat_model *model, const cosserat_drive *drive);

// Engine at one state: speed in rpm and force at the wheels, N; both 0 without engine.
void cosserat_drive_engine(const cosserat_model *model, double throttle, double v,
                           const double *state, double *rpm, double *force);

// What the actuators can do at speed v (vehicle_model.h): nominal mass with the spin of the wheels,
// drag, rolling resistance and the engine with closed throttle, level road.
mc_plan cosserat_drive_plan(const cosserat_model *model, double nominal_mass, double v,
                            double wanted);
