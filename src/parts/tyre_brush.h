// tyre_brush.h - what the tables and the vector code of the linear and the brush law share.
//
// Both laws deflect a tread and differ in its steady force: tyre_deflection.h has the equations.
#pragma once

#include "parts/tyre_deflection.h"

enum { // of both laws
    BRUSH_STIFFNESS_X,
    BRUSH_STIFFNESS_Y,
    BRUSH_FRICTION,
    BRUSH_RELAXATION,
    BRUSH_DAMPING,
    BRUSH_PARAM_COUNT
};

tyre_eval brush_eval_plain, brush_eval_avx2, linear_eval_plain, linear_eval_avx2;
