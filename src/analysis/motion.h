// motion.h - anything of a mechanism in a row of a run, by name.
//
//   NAME                              a coordinate, velocity, state or output (springs, loads)
//   NAME.position .velocity .omega    of a body or a point, with .x .y .z, or without: its size
//   NAME.acceleration .alpha          of a body or a point: the same, by the rates of the state
//   BODY.force .torque                of the inboard body on this one at the joint, its axes
//
// Accelerations are derivatives of the velocities along the motion, by a central difference of the
// state: right to about 1e-8 of their size. The ground presses on wheels as in the engine of
// equations.
#pragma once

#include "analysis/analysis.h"
#include "motorcade/simulate.h"

typedef enum motion_kind { MOTION_COLUMN, MOTION_PLACE, MOTION_RATE, MOTION_LOAD } motion_kind;

typedef struct motion { // one column
    mc_multibody *m;
    motion_kind kind;
    mc_simulate_column column;
    int at[3]; // of the kinematics or of the loads
    int part;  // 0 .. 2; -1: the size
    double *work, *tau;
    const double *under; // forces dual to the velocities; NULL: those of the ground on wheels
    int y_count, v_count, place_count;
    char unit[48];
} motion;

void analysis_motion_open(analysis *a, mc_multibody *m, const char *word, motion *out);
void analysis_motion_close(motion *c);
double analysis_motion_value(motion *c, double t, const double *y, const double *outputs);

// The acceleration of the mass centre of all bodies, m/s^2 in world axes.
typedef struct mean_motion {
    mc_multibody *m;
    int body_count, y_count, place_count;
    struct mean_body { // places in the kinematics: velocity, omega, three axes
        double mass, centre[3];
        int at[5][3];
    } * body;
    double *work;
} mean_motion;

void analysis_mean_open(analysis *a, mc_multibody *m, mean_motion *out);
void analysis_mean_close(mean_motion *c);
void analysis_mean_acceleration(mean_motion *c, double t, const double *y, double out[3]);
