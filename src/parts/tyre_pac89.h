// tyre_pac89.h - what the table and the vector code of the law Pac89 share.
#pragma once

#include "parts/tyre.h"

enum {
    PAC89_A = 0,               // 14 numbers of the side force
    PAC89_B = PAC89_A + 14,    // 11 of the longitudinal force
    PAC89_C = PAC89_B + 11,    // 18 of the aligning moment
    PAC89_LOAD = PAC89_C + 18, // N, up to which the coefficients are used
    PAC89_RELAXATION_X,
    PAC89_RELAXATION_Y,
    PAC89_DAMPING,
    PAC89_PARAM_COUNT
};

#define PAC89_V_LOW 1.0 // m/s

tyre_eval pac89_eval_plain, pac89_eval_avx2;
