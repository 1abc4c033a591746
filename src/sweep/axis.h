// axis.h - values of one axis of a sweep, from text.
//
// Ranges are counted in decimals: FROM and STEP become whole multiples of one power of ten, so that
// the number of values is exact and value i is the double nearest to the decimal FROM + i STEP, the
// same as if it had been written out.
#pragma once

#include "base/arena.h"
#include "motorcade/sweep.h"

// text: NAME=FROM:TO:STEP, NAME=A,B,C; when points are drawn also NAME=FROM:TO,
// NAME=uniform:FROM:TO, NAME=normal:MEAN:DEVIATION; a blank and a unit may follow. All of the axis
// but a unit that is not given lies in the arena.
mc_status sweep_axis_read(arena *a, const char *text, bool random, mc_sweep_axis *out,
                          mc_error *error);

// The shortest decimal that reads back as value; nan and inf without sign of nan. Returns buffer.
enum { SWEEP_NUMBER_SIZE = 32 };
const char *sweep_number(double value, char buffer[SWEEP_NUMBER_SIZE]);
