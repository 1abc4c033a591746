// suspension_linear.h - what the table and the vector code of the linear suspension share.
//
//     force = -(k s + c s')           s: stretch, k: stiffness, c: damping
//
// and with lift_off at least 0: a massless wheel leaves a road that would have to pull it. Then the
// spring holds k s^2 / 2 down to its free length only; what it would hold beyond is lost.
#pragma once

#include "parts/suspension.h"

enum { LINEAR_LIFT_OFF, LINEAR_PARAM_COUNT };

suspension_eval suspension_linear_eval_plain, suspension_linear_eval_avx2;
