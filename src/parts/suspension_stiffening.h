// suspension_stiffening.h - what the table and the vector code of this suspension share.
//
//     spring = -k s (1 + b s^2)                           s: stretch, k: stiffness, b: hardening
//     damper = -c s' (1 + a s'/sqrt(s'^2 + v_ref^2))      c: damping, a: asymmetry
//     force  = spring + damper
//
// A spring that hardens toward both ends of its travel, as bump stops make it, and a damper that
// resists rebound (s' > 0) more than compression: by 1 + a and 1 - a where s' is well above v_ref.
// Both are smooth, so that integrators keep their order. With lift_off the force is at least 0, and
// the spring holds energy down to its free length only; what it would hold beyond is lost.
#pragma once

#include "parts/suspension.h"

enum {
    STIFFENING_HARDENING,
    STIFFENING_ASYMMETRY,
    STIFFENING_V_REF,
    STIFFENING_LIFT_OFF,
    STIFFENING_PARAM_COUNT
};

suspension_eval suspension_stiffening_eval_plain, suspension_stiffening_eval_avx2;
