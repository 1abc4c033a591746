// tyre_rig.h - a tyre on a test rig: steady forces and aligning moment over slip, for any law.
//
//     mc_tyre_rig *rig = mc_tyre_rig_open("models/passenger_245_40R18.tir", &error); // or "brush"
//     const mc_tyre_slip at = {.fz = 4000.0, .alpha = 0.05};
//     mc_tyre_force force;
//     mc_tyre_rig_run(rig, &at, 1, &force);
//     mc_tyre_rig_close(rig);
//
// The wheel is on the left, has spin and rolls at 50 m/s on the reference road until the states of
// the law are at rest.
//
// Threads: a rig is used by one thread at a time.
#pragma once

#include "motorcade/status.h"
#include "motorcade/tyre.h"

#include "motorcade/begin.h"

typedef struct mc_tyre_rig mc_tyre_rig;

// word: the name of a law, in any case, or the path of a file that a law can read; a path has a '.'
// or a '/'. NULL: see *error.
mc_tyre_rig *mc_tyre_rig_open(const char *word, mc_error *error);
void mc_tyre_rig_close(mc_tyre_rig *rig); // NULL is allowed

// The law, for wheels with spin, with its parameters and context; lives as long as the rig.
const mc_tyre *mc_tyre_rig_law(const mc_tyre_rig *rig);
double mc_tyre_rig_value(const mc_tyre_rig *rig, int param);

// Note k about the file, "car.tir:12:1: ..."; NULL past the last.
const char *mc_tyre_rig_note(const mc_tyre_rig *rig, int k);

// Another value of a parameter, in its unit; name in any case. MC_BAD_INPUT: unknown, out of range.
mc_status mc_tyre_rig_set(mc_tyre_rig *rig, const char *name, double value, mc_error *error);

typedef struct mc_tyre_slip {
    double fz;     // N
    double kappa;  // -, (v_roll - v_x) / v_x: above 0 when driven
    double alpha;  // rad, atan(v_y / v_x)
    double camber; // rad, about x: the top leans to the right
} mc_tyre_slip;

typedef struct mc_tyre_force {
    double fx, fy; // N, of the road on the wheel
    double mz;     // N m, about z
} mc_tyre_force;

void mc_tyre_rig_run(const mc_tyre_rig *rig, const mc_tyre_slip *at, int count, mc_tyre_force *out);

#include "motorcade/end.h"
