// tyre_fiala.h - what the table and the vector code of the Fiala law share.
#pragma once

#include "parts/tyre.h"

enum {
    FIALA_SLIP,      // N
    FIALA_CORNERING, // N/rad
    FIALA_MAX,       // -
    FIALA_MIN,       // -
    FIALA_WIDTH,     // m
    FIALA_RELAXATION_X,
    FIALA_RELAXATION_Y,
    FIALA_DAMPING,
    FIALA_ELLIPSE,
    FIALA_PARAM_COUNT
};

#define FIALA_V_LOW 1.0 // m/s

tyre_eval fiala_eval_plain, fiala_eval_avx2;
