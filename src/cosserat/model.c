// model.c - the parameter tables of the deformable vehicle.
#include "cosserat/model.h"

#include "base/gravity.h"
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

const mc_param shape_params[SHAPE_PARAM_COUNT] = {
    [SHAPE_X] = {"x", "m", 0.0, -100.0, 100.0, "centre of the ellipsoid ahead of the mass centre"},
    [SHAPE_Y] = {"y", "m", 0.0, -100.0, 100.0, "centre of the ellipsoid left of the mass centre"},
    [SHAPE_Z] = {"z", "m", 0.0, -100.0, 100.0, "centre of the ellipsoid above the mass centre"},
    [SHAPE_YAW] = {"yaw", "rad", 0.0, -6.3, 6.3, "rotation about z, first"},
    [SHAPE_PITCH] = {"pitch", "rad", 0.0, -6.3, 6.3, "rotation about the new y, second"},
    [SHAPE_ROLL] = {"roll", "rad", 0.0, -6.3, 6.3, "rotation about the new x, third"},
};

void cosserat_model_init(cosserat_model *model)
{
    memset(model, 0, sizeof *model);
    model->suspension = suspension_kind_at(0);
    suspension_defaults(model->suspension, model->suspension_p);
    for (int i = 0; i < SHAPE_PARAM_COUNT; i++)
        model->shape[i] = shape_params[i].fallback;
    for (int i = 0; i < PLASTIC_PARAM_COUNT; i++)
        model->plastic_p[i] = plastic_params[i].fallback;
    for (int i = 0; i < HIGHER_PARAM_COUNT; i++)
        model->higher_p[i] = higher_params[i].fallback;
    model->gravity = GRAVITY;
    running_gear_init(&model->gear);
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

// Beyond it a chassis would not be at rest: steel yields at a thousandth of it.
#define BENDING_MAX 0.3

// Size of X_n H_n at the ends of the semi-axes of the reference body, sqrt(5 <X_n^2>).
static double bending_at_rest(const cosserat_model *model, const double my[3])
{
    double h[3][9], sum = 0.0;
    higher_gradient(&model->higher_p[HIGHER_D41], h);
    for (int n = 0; n < 3; n++) {
        double square = 0.0;
        for (int k = 0; k < 9; k++)
            square += h[n][k] * h[n][k];
        sum += sqrt(5.0 * my[n] / model->p[COSSERAT_MASS] * square);
    }
    return sum;
}

int cosserat_model_check(const cosserat_model *model, char *text, int text_size)
{
    double my[3];
    cosserat_director_inertia(model, my);
    for (int i = 0; i < 3; i++)
        if (!(my[i] > 0.0)) {
            const mc_param *row = &cosserat_params[COSSERAT_IX + i];
            snprintf(text, (size_t)text_size,
                     "%s is %g kg m^2, expected less than the sum of the other two moments of "
                     "inertia (%g)",
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
    if (model->seven && bending_at_rest(model, my) > BENDING_MAX) {
        snprintf(
            text, (size_t)text_size,
            "the directors D41..D73 change the gradient of the deformation by %.3g at the ends "
            "of the chassis, expected at most %g at rest",
            bending_at_rest(model, my), BENDING_MAX);
        return COSSERAT_PARAM_COUNT;
    }
    return -1;
}
