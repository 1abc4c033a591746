// tyre_calspan.h - what the table and the vector code of the Calspan law share.
#pragma once

#include "parts/tyre.h"

enum {
    CALSPAN_LAG,
    CALSPAN_A0,
    CALSPAN_A1,
    CALSPAN_A2,
    CALSPAN_B1,
    CALSPAN_B3,
    CALSPAN_B4,
    CALSPAN_SN,
    CALSPAN_V_LOW,
    CALSPAN_RATIO, // from here: wheels with spin only
    CALSPAN_RELAXATION,
    CALSPAN_DAMPING,
    CALSPAN_A3, // camber and aligning moment
    CALSPAN_A4,
    CALSPAN_K1,
    CALSPAN_K2,
    CALSPAN_PARAM_COUNT
};

tyre_eval calspan_eval_plain, calspan_eval_avx2;
tyre_eval calspan_driven_eval_plain, calspan_driven_eval_avx2;
