// pedals.h - the inner loop (control/inner.h) of the cars of a tile, four at a time.
//
// For cars that a controller drives, with the same parameters of the inner loop; the bits are those
// of inner_ask and inner_act.
#pragma once

#include "run/run.h"

static const double RUN_SPEED_GAIN = 0.5; // 1/s, how a car comes down to the roadway's speed

typedef struct run_pedals { // of `count` cars from a slot on
    const double *p;        // inner_params
    run_car *cars;
    const mc_motion *motion;
    mc_inputs *inputs;
    int count;
    double dt;    // s
    double speed; // m/s, of the roadway, which all obey; HUGE_VAL: none, or it is obeyed already
} run_pedals;

// What plan() is to be asked for; four at a time: the last count % 4 cars are left out.
run_ask run_ask_plain, run_ask_avx2;

// Pedals and desired acceleration into the inputs of four cars from number `from` on, and a wheel
// that points straight ahead for those that are straight in the middle of their lane. Returns bit l
// for each car l that is not; its wheel is as it was. RUN_NOT_DONE: one of them stands or changes
// its pedal, and nothing was done.
enum { RUN_NOT_DONE = 1 << 4 };
run_act run_act_plain, run_act_avx2;
