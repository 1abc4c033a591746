// motion.h - the recorded motion of a mechanism: a results file of `motorcade simulate` read back,
// with the mechanism that it is of.
//
//     mc_motion *motion = mc_motion_load("bump.h5", &error);
//     for (int row = 0; row < mc_motion_row_count(motion); row++)
//         printf("%g s: %g\n", mc_motion_time(motion, row), mc_motion_state(motion, row)[0]);
//     mc_motion_free(motion);
//
// The file has the text of the mechanism, its parameters and inputs, and all coordinates,
// velocities and states in every row, unless `--record` left some out: then where its bodies are is
// not known, and the file is rejected. So is one with a value that is not a finite number.
//
// Threads: as in multibody.h.
#pragma once

#include "motorcade/multibody.h"

#include "motorcade/begin.h"

typedef struct mc_motion mc_motion;

// Whether a file has the motion of a mechanism; false also when it cannot be read.
bool mc_motion_is(const char *path);
mc_motion *mc_motion_load(const char *path, mc_error *error); // NULL: see *error
void mc_motion_free(mc_motion *m);                            // NULL is allowed

mc_multibody *mc_motion_mechanism(mc_motion *m); // with the values of the run; lives as long as m
int mc_motion_row_count(const mc_motion *m);     // 1 at least
double mc_motion_time(const mc_motion *m, int row);         // s
const double *mc_motion_state(const mc_motion *m, int row); // y of mc_multibody

#include "motorcade/end.h"
