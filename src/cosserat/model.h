// model.h - the parameters of a deformable vehicle (MEDUSA report, chapter 1) and what follows
// from them alone.
//
// The parameters are one table in the order of the manual's keywords; the reader, the range checks
// and the manual are made from it. Axes: ISO 8855, x forward, y left, z up, origin at the centre
// of mass. SI units.
#pragma once

#include "cosserat/plastic.h"
#include "motorcade/status.h"
#include "parts/powertrain.h"
#include "parts/tyre.h"

#include <stdbool.h>

enum cosserat_param {
    // COSSERAT_POINT
    COSSERAT_MASS,
    COSSERAT_IX,
    COSSERAT_IY,
    COSSERAT_IZ,
    COSSERAT_E,
    COSSERAT_NU,
    COSSERAT_VOLUME,
    // SUSPENSION
    COSSERAT_L1,
    COSSERAT_L2,
    COSSERAT_B,
    COSSERAT_H1,
    COSSERAT_H2,
    COSSERAT_SPRING_REF,
    COSSERAT_C1,
    COSSERAT_C2,
    COSSERAT_D1,
    COSSERAT_D2,
    // TYRE
    COSSERAT_TYRE_LAG,
    // CONTACT
    COSSERAT_A1,
    COSSERAT_A2,
    COSSERAT_A3,
    // EQUILIBRIUM
    COSSERAT_R3,
    COSSERAT_D11, // D11 D12 D13 are the components of director 1, and so on
    COSSERAT_D33 = COSSERAT_D11 + 8,
    COSSERAT_PARAM_COUNT
};

extern const mc_param cosserat_params[COSSERAT_PARAM_COUNT];

// Parameters of the optional blocks SUSPENSION_MODEL linear and CONTACT_MODEL ellipsoid.
enum { SUSPENSION_LIFT_OFF, SUSPENSION_PARAM_COUNT };
extern const mc_param suspension_params[SUSPENSION_PARAM_COUNT];

enum { // centre and orientation of the ellipsoid in the chassis
    SHAPE_X,
    SHAPE_Y,
    SHAPE_Z,
    SHAPE_YAW,
    SHAPE_PITCH,
    SHAPE_ROLL,
    SHAPE_PARAM_COUNT
};
extern const mc_param shape_params[SHAPE_PARAM_COUNT];

// The optional drive: wheels with spin, brakes, engine, drag. Without it wheels roll freely.
enum {
    DRIVE_RADIUS,      // m, contact below the assembly point
    DRIVE_INERTIA,     // kg m^2, each wheel with its share of the shafts
    DRIVE_BRAKE_MOST,  // g, deceleration at brake = 1 by the nominal mass
    DRIVE_BRAKE_FRONT, // -, share of the front axle
    DRIVE_BRAKE_RATE,  // 1/s, eq 2 of the DYNAVIS report
    DRIVE_BRAKE_DELAY, // s
    DRIVE_HOLD,        // rad/s, parts/wheel.h
    DRIVE_FRONT,       // -, share of the engine's force at the front axle
    DRIVE_DRAG,        // N s^2/m^2, drag = c |v| v
    DRIVE_ROLL,        // -, rolling resistance over load
    DRIVE_PARAM_COUNT
};
extern const mc_param drive_params[DRIVE_PARAM_COUNT];

typedef struct cosserat_model {
    double p[COSSERAT_PARAM_COUNT];
    double suspension[SUSPENSION_PARAM_COUNT];
    double shape[SHAPE_PARAM_COUNT];
    bool plastic;                          // CHASSIS_MODEL plastic
    double plastic_p[PLASTIC_PARAM_COUNT]; // of plastic_params
    double gravity;                        // m/s^2, 9.81; 0 in tests of conservation
    const tyre_kind *tyre;
    double tyre_p[TYRE_PARAM_MAX];
    bool driven; // the drive section is used
    double drive[DRIVE_PARAM_COUNT];
    const powertrain_kind *powertrain; // NULL: no engine
    double powertrain_p[POWERTRAIN_PARAM_MAX];
} cosserat_model;

// A model with the optional blocks at their defaults (tyre "calspan", g = 9.81, no drive) and p all
// zero.
void cosserat_model_init(cosserat_model *model);

// Director inertias m y^ii, kg m^2, from the principal moments (eq 1.9).
void cosserat_director_inertia(const cosserat_model *model, double my[3]);

// Yield and hardening times the volume; means nothing for an elastic chassis.
plastic_law cosserat_plastic_law(const cosserat_model *model);

// Lame constants, N/m^2 (eq 1.13).
void cosserat_lame(const cosserat_model *model, double *lambda, double *mu);

// What single ranges cannot say: director inertias positive (each moment below the sum of the other
// two), EQUILIBRIUM directors not collapsed (det > 0) and, for a plastic chassis, below yield. On a
// breach fills text with what is wrong and returns the parameter to blame; -1 when all is well.
// That the springs carry the vehicle is found by cosserat_equilibrium().
int cosserat_model_check(const cosserat_model *model, char *text, int text_size);
