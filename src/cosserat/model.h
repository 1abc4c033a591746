// model.h - the parameters of a deformable vehicle (MEDUSA report, chapter 1) and what follows
// from them alone.
//
// The parameters are one table in the order of the manual's keywords; the reader, the range checks
// and the manual are made from it. Axes: ISO 8855, x forward, y left, z up, origin at the centre
// of mass. SI units.
#pragma once

#include "cosserat/higher.h"
#include "cosserat/plastic.h"
#include "motorcade/status.h"
#include "parts/running_gear.h"
#include "parts/suspension.h"

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

enum { // block CONTACT_MODEL ellipsoid: centre and orientation of the ellipsoid in the chassis
    SHAPE_X,
    SHAPE_Y,
    SHAPE_Z,
    SHAPE_YAW,
    SHAPE_PITCH,
    SHAPE_ROLL,
    SHAPE_PARAM_COUNT
};
extern const mc_param shape_params[SHAPE_PARAM_COUNT];

typedef struct cosserat_model {
    double p[COSSERAT_PARAM_COUNT];
    const suspension_kind *suspension; // of the springs C1, C2 and dampers D1, D2
    double suspension_p[SUSPENSION_PARAM_MAX];
    double shape[SHAPE_PARAM_COUNT];
    bool plastic;                          // CHASSIS_MODEL plastic
    double plastic_p[PLASTIC_PARAM_COUNT]; // of plastic_params
    bool seven;                            // CHASSIS_MODEL seven_directors; not with plastic
    double higher_p[HIGHER_PARAM_COUNT];   // of higher_params
    double gravity;                        // m/s^2, 9.81; 0 in tests of conservation
    running_gear gear; // its springs and dampers are the suspension above; a batch fills in the
                       // nominal mass and gravity
} cosserat_model;

// A model with the optional blocks at their defaults (the first tyre law, g = 9.81, no drive) and p
// all zero.
void cosserat_model_init(cosserat_model *model);

// Director inertias m y^ii, kg m^2, from the principal moments (eq 1.9).
void cosserat_director_inertia(const cosserat_model *model, double my[3]);

// Yield and hardening times the volume; means nothing for an elastic chassis.
plastic_law cosserat_plastic_law(const cosserat_model *model);

// Lame constants, N/m^2 (eq 1.13).
void cosserat_lame(const cosserat_model *model, double *lambda, double *mu);

// What single ranges cannot say: director inertias positive (each moment below the sum of the other
// two), EQUILIBRIUM directors not collapsed (det > 0), for a plastic chassis below yield, and those
// of CHASSIS_MODEL seven_directors small. On a breach fills text with what is wrong and returns the
// parameter to blame, COSSERAT_PARAM_COUNT for one of higher_params; -1 when all is well.
// That the springs carry the vehicle is found by cosserat_equilibrium().
int cosserat_model_check(const cosserat_model *model, char *text, int text_size);
