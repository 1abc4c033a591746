// plastic.c - parameters of the elastic-plastic chassis.
#include "cosserat/plastic.h"

const mc_param plastic_params[PLASTIC_PARAM_COUNT] = {
    [PLASTIC_YIELD_STRAIN] = {"yield_strain", "-", 0.01, 1e-6, 1.0,
                              "strain in pure tension at which the chassis yields"},
    [PLASTIC_HARDENING] = {"hardening", "N/m^2", 1e7, 0.0, 1e13,
                           "growth of the yield stress with plastic strain"},
};
