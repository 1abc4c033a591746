// model.c - the parameter tables of the deformable vehicle.
#include "cosserat/model.h"

#include "num/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REQUIRED NAN

const mc_param cosserat_params[COSSERAT_PARAM_COUNT] = {
    [COSSERAT_MASS] = {"MASS", "kg", REQUIRED, 1.0, 1e6, "mass of the vehicle"},
    [COSSERAT_IX] = {"IX", "kg m^2", REQUIRED, 1e-3, 1e8, "moment of inertia about the x axis"},
    [COSSERAT_IY] = {"IY", "kg m^2", REQUIRED, 1e-3, 1e8, "moment of inertia about the y axis"},
    [COSSERAT_IZ] = {"IZ", "kg m^2", REQUIRED, 1e-3, 1e8, "moment of inertia about the z axis"},
    [COSSERAT_E] = {"E", "N/m^2", REQUIRED, 1e3, 1e13, "Young's modulus of the chassis"},
    [COSSERAT_NU] = {"NU", "-", REQUIRED, -0.99, 0.499, "Poisson's ratio of the chassis"},
    [COSSERAT_VOLUME] = {"VOLUME", "m^3", REQUIRED, 1e-6, 1e4, "material volume of the chassis"},
    [COSSERAT_L1] = {"L1", "m", REQUIRED, 1e-3, 100.0, "centre of mass to front axle"},
    [COSSERAT_L2] = {"L2", "m", REQUIRED, 1e-3, 100.0, "centre of mass to rear axle"},
    [COSSERAT_B] = {"B", "m", REQUIRED, 1e-3, 20.0, "track: left to right assembly points"},
    [COSSERAT_H1] = {"H1", "m", REQUIRED, -10.0, 10.0,
                     "front assembly points below the centre of mass"},
    [COSSERAT_H2] = {"H2", "m", REQUIRED, -10.0, 10.0,
                     "rear assembly points below the centre of mass"},
    [COSSERAT_SPRING_REF] = {"SPRING_REF", "m", REQUIRED, -10.0, 10.0,
                             "height of an assembly point at which its spring is unstretched"},
    [COSSERAT_C1] = {"C1", "N/m", REQUIRED, 1e-3, 1e9, "stiffness of each front spring"},
    [COSSERAT_C2] = {"C2", "N/m", REQUIRED, 1e-3, 1e9, "stiffness of each rear spring"},
    [COSSERAT_D1] = {"D1", "N s/m", REQUIRED, 0.0, 1e7, "damping of each front damper"},
    [COSSERAT_D2] = {"D2", "N s/m", REQUIRED, 0.0, 1e7, "damping of each rear damper"},
    [COSSERAT_TYRE_LAG] = {"TYRE", "s", REQUIRED, 1e-6, 10.0, "lag of the tyre side force"},
    [COSSERAT_A1] = {"A1", "m", REQUIRED, 1e-2, 100.0, "semi-axis of the ellipsoid along x"},
    [COSSERAT_A2] = {"A2", "m", REQUIRED, 1e-2, 100.0, "semi-axis of the ellipsoid along y"},
    [COSSERAT_A3] = {"A3", "m", REQUIRED, 1e-2, 100.0, "semi-axis of the ellipsoid along z"},
    [COSSERAT_R3] = {"R3", "m", REQUIRED, -100.0, 100.0, "height of the centre of mass at rest"},
    [COSSERAT_D11 + 0] = {"D11", "-", REQUIRED, -2.0, 2.0, "director 1 along x at rest"},
    [COSSERAT_D11 + 1] = {"D12", "-", REQUIRED, -2.0, 2.0, "director 1 along y at rest"},
    [COSSERAT_D11 + 2] = {"D13", "-", REQUIRED, -2.0, 2.0, "director 1 along z at rest"},
    [COSSERAT_D11 + 3] = {"D21", "-", REQUIRED, -2.0, 2.0, "director 2 along x at rest"},
    [COSSERAT_D11 + 4] = {"D22", "-", REQUIRED, -2.0, 2.0, "director 2 along y at rest"},
    [COSSERAT_D11 + 5] = {"D23", "-", REQUIRED, -2.0, 2.0, "director 2 along z at rest"},
    [COSSERAT_D11 + 6] = {"D31", "-", REQUIRED, -2.0, 2.0, "director 3 along x at rest"},
    [COSSERAT_D11 + 7] = {"D32", "-", REQUIRED, -2.0, 2.0, "director 3 along y at rest"},
    [COSSERAT_D11 + 8] = {"D33", "-", REQUIRED, -2.0, 2.0, "director 3 along z at rest"},
};

const mc_param suspension_params[SUSPENSION_PARAM_COUNT] = {
    [SUSPENSION_LIFT_OFF] = {"lift_off", "-", 1.0, 0.0, 1.0,
                             "1: a wheel that would pull leaves the ground; 0: it pulls"},
};

const mc_param shape_params[SHAPE_PARAM_COUNT] = {
    [SHAPE_X] = {"x", "m", 0.0, -100.0, 100.0, "centre of the ellipsoid ahead of the mass centre"},
    [SHAPE_Y] = {"y", "m", 0.0, -100.0, 100.0, "centre of the ellipsoid left of the mass centre"},
    [SHAPE_Z] = {"z", "m", 0.0, -100.0, 100.0, "centre of the ellipsoid above the mass centre"},
    [SHAPE_YAW] = {"yaw", "rad", 0.0, -6.3, 6.3, "turn about z, first"},
    [SHAPE_PITCH] = {"pitch", "rad", 0.0, -6.3, 6.3, "turn about the new y, second"},
    [SHAPE_ROLL] = {"roll", "rad", 0.0, -6.3, 6.3, "turn about the new x, third"},
};

const mc_param drive_params[DRIVE_PARAM_COUNT] = {
    [DRIVE_RADIUS] = {"wheel_radius", "m", 0.3, 0.05, 2.0, "effective radius of the wheels"},
    [DRIVE_INERTIA] = {"wheel_inertia", "kg m^2", 1.2, 0.01, 1e3, "spin inertia of each wheel"},
    [DRIVE_BRAKE_MOST] = {"brake_most", "-", 1.0, 0.0, 5.0,
                          "deceleration in g that the brakes give at full command"},
    [DRIVE_BRAKE_FRONT] = {"brake_front", "-", 0.6, 0.0, 1.0, "share of the front brakes"},
    [DRIVE_BRAKE_RATE] = {"brake_rate", "1/s", 5.0, 0.1, 1e3, "lag of the brake force"},
    [DRIVE_BRAKE_DELAY] = {"brake_delay", "s", 0.0, 0.0, 1.0, "pure delay of the brake command"},
    [DRIVE_HOLD] = {"brake_hold", "rad/s", 500.0, 50.0, 2000.0,
                    "frequency of a wheel held by its brake"},
    [DRIVE_FRONT] = {"drive_front", "-", 0.0, 0.0, 1.0, "share of the engine's force in front"},
    [DRIVE_DRAG] = {"drag", "N s^2/m^2", 0.4, 0.0, 100.0, "air drag over speed squared"},
    [DRIVE_ROLL] = {"roll", "-", 0.01, 0.0, 0.5, "rolling resistance over load"},
};

void cosserat_model_init(cosserat_model *model)
{
    memset(model, 0, sizeof *model);
    for (int i = 0; i < SUSPENSION_PARAM_COUNT; i++)
        model->suspension[i] = suspension_params[i].fallback;
    for (int i = 0; i < SHAPE_PARAM_COUNT; i++)
        model->shape[i] = shape_params[i].fallback;
    for (int i = 0; i < PLASTIC_PARAM_COUNT; i++)
        model->plastic_p[i] = plastic_params[i].fallback;
    model->gravity = 9.81;
    model->tyre = tyre_kind_at(0);
    tyre_defaults(model->tyre, model->tyre_p);
    for (int i = 0; i < DRIVE_PARAM_COUNT; i++)
        model->drive[i] = drive_params[i].fallback;
}

void cosserat_director_inertia(const cosserat_model *model, double my[3])
{
    // (1.9) turned round: J1 = my2 + my3 and so on.
    const double ix = model->p[COSSERAT_IX], iy = model->p[COSSERAT_IY], iz = model->p[COSSERAT_IZ];
    my[0] = 0.5 * (iy + iz - ix);
    my[1] = 0.5 * (iz + ix - iy);
    my[2] = 0.5 * (ix + iy - iz);
}

void cosserat_lame(const cosserat_model *model, double *lambda, double *mu)
{
    const double e = model->p[COSSERAT_E], nu = model->p[COSSERAT_NU];
    *lambda = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    *mu = e / (2.0 * (1.0 + nu));
}

plastic_law cosserat_plastic_law(const cosserat_model *model)
{
    double lambda, mu;
    cosserat_lame(model, &lambda, &mu);
    const double volume = model->p[COSSERAT_VOLUME];
    return (plastic_law){.two_mu = volume * 2.0 * mu,
                         .yield =
                             volume * model->p[COSSERAT_E] * model->plastic_p[PLASTIC_YIELD_STRAIN],
                         .hardening = volume * model->plastic_p[PLASTIC_HARDENING]};
}

// Stress at rest over the stress at yield.
static double share_of_yield(const cosserat_model *model)
{
    const plastic_law law = cosserat_plastic_law(model);
    const double *d = &model->p[COSSERAT_D11]; // d + 3 i: director i
    double trace = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double strain = 0.5 * (vec3_dot(d + 3 * i, d + 3 * j) - (i == j));
            trace += i == j ? strain : 0.0;
            square += strain * strain;
        }
    square -= trace * trace / 3.0; // of the deviator
    return law.two_mu * sqrt(1.5 * fmax(square, 0.0)) / law.yield;
}

int cosserat_model_check(const cosserat_model *model, char *text, int text_size)
{
    double my[3];
    cosserat_director_inertia(model, my);
    for (int i = 0; i < 3; i++)
        if (!(my[i] > 0.0)) {
            const mc_param *row = &cosserat_params[COSSERAT_IX + i];
            snprintf(text, (size_t)text_size,
                     "%s %g kg m^2 is not below the sum of the other two moments of inertia (%g): "
                     "no body has such an inertia",
                     row->name, model->p[COSSERAT_IX + i],
                     model->p[COSSERAT_IX + (i + 1) % 3] + model->p[COSSERAT_IX + (i + 2) % 3]);
            return COSSERAT_IX + i;
        }
    const double det = mat3_det(&model->p[COSSERAT_D11]);
    if (!(det > 0.1 && det < 10.0)) {
        snprintf(text, (size_t)text_size,
                 "the directors D11..D33 span a volume of %g, expected about 1: they must be three "
                 "nearly orthonormal vectors, right-handed",
                 det);
        return COSSERAT_D11;
    }
    if (model->plastic && share_of_yield(model) > 1.0) {
        snprintf(text, (size_t)text_size,
                 "the directors D11..D33 deform the chassis to %.3g times its yield stress: a "
                 "vehicle at rest must be below it (CHASSIS_MODEL plastic, yield_strain %g)",
                 share_of_yield(model), model->plastic_p[PLASTIC_YIELD_STRAIN]);
        return COSSERAT_D11;
    }
    return -1;
}
