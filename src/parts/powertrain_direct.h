// powertrain_direct.h - what the files of the direct drive share.
#pragma once

#include "parts/powertrain.h"

enum direct_param { DIRECT_FORCE, DIRECT_POWER, DIRECT_RATIO, DIRECT_OUTSIDE, DIRECT_PARAM_COUNT };
enum direct_held { DIRECT_HELD_FORCE, DIRECT_HELD_POWER, DIRECT_HELD_OUTSIDE, DIRECT_HELD_COUNT };

#define DIRECT_NO_FORCE 1e7 // N: none from outside
#define DIRECT_LAG 0.05     // s, of the shown speed of the motor

powertrain_hold direct_hold_plain, direct_hold_avx2;
powertrain_eval direct_eval_plain, direct_eval_avx2;
powertrain_plan direct_plan_plain, direct_plan_avx2;
