// linearize.h - a mechanism's equations at one state, with some of its motions held; what rests,
// small motions and sensitivities have in common.
//
// Held velocities h need generalised forces tau_h with v'_h(tau_h) = 0. v' is affine in tau, so
// with W = d(rate)/d(tau_h)
//     tau_h = -W_hh^-1 v'_h,   d(tau_h) = -W_hh^-1 d(v'_h),
// and the change of what is left is d(rate_f) = d_f - G d_h with G = W_fh W_hh^-1.
#pragma once

#include "mechanism/mechanism.h"
#include "motorcade/linear.h"

typedef struct linear_place {
    mc_multibody *m;
    arena memory;
    int q_count, v_count, state_count, y_count, u_count; // u: inputs, tau
    int move_count;                                      // free velocities
    int held_count;                                      // held velocities
    int state_free;                                      // free states
    int rest_count;                                      // move_count + state_free
    int *move, *held;                                    // their velocities
    int *free_state;                                     // their states
    int *row; // rest_count rows of the rate: free velocities, then free states
    // By linear_evaluate, column major:
    double *rate;    // y_count, under tau
    double *A;       // y_count x y_count, under tau
    double *B;       // y_count x u_count
    double *tau;     // v_count: forces that hold
    double *G;       // rest_count x held_count
    double *factors; // of W_hh
    int *pivot;
    double *column; // y_count
} linear_place;

// Reads the names to hold. linear_close frees, also after a failure.
mc_status linear_open(linear_place *p, mc_multibody *m, const char *const *hold, int hold_count,
                      mc_error *error);
void linear_close(linear_place *p);

// Everything at a state. MC_FAILED: something is not finite, or the held motions cannot be held.
mc_status linear_evaluate(linear_place *p, double t, const double *y, mc_error *error);

// Column j of N(q), the direction of the coordinates along velocity j; good after linear_evaluate.
static inline const double *linear_direction(const linear_place *p, int j)
{
    return p->A + (size_t)(p->q_count + j) * (size_t)p->y_count;
}

// out (rest_count): free rows of a change of the rate (y_count), with the forces that hold.
void linear_free_rows(const linear_place *p, const double *change, double *out);

// d(free rows of the rate)/d(moves, free states), rest_count x rest_count.
void linear_rest_jacobian(linear_place *p, double *J);

// Name of the motion along a velocity: the coordinate where there is one, else "top.rotation_x" or
// "car.along_x"; its unit.
void linear_move_name(const mc_multibody *m, int velocity, char out[128], const char **unit);

double *linear_doubles(arena *memory, size_t count); // NULL: no memory
