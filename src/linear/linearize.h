// linearize.h - a mechanism's equations at one state, with some of its motions held; what rests,
// small motions and sensitivities have in common.
//
// Held velocities h need generalised forces tau_h with v'_h(tau_h) = 0. v' is affine in tau, so
// with W = d(rate)/d(tau_h)
//     tau_h = -W_hh^-1 v'_h,   d(tau_h) = -W_hh^-1 d(v'_h),
// and the change of what is left is d(rate_f) = d_f - G d_h with G = W_fh W_hh^-1.
//
// Closed mechanisms. Rows C = [A; held] leave the velocities dv = Z dz. Two choices of z:
//   named     some of the velocities, Z = 1 in their rows: small motions have names
//   weighed   Z' M Z = 1, dz = Z' M dv: no choice that could go bad on the way to a rest, and
//             whatever the rows and what holds add to v' falls out, since Z' C' = 0
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
    // Loops; NULL and 0 for a tree.
    int row_count; // constraints that are not zero by structure
    bool weighed;
    bool given; // the moves were
    double *Z;  // v_count x move_count
    double *L;  // move_count x v_count, row by row: dz = L dv; weighed
    double *D;  // q_count x move_count: what each move does to the coordinates
    struct linear_rows *rows;
    // Wheels on the ground: loads that follow the state, differentiated by differences. NULL: none.
    struct rolling *wheels;
    bool resting;  // by coordinates only
    double *meant; // v_count: accelerations that count as rest; NULL: 0
    double *total; // v_count: what holds and what wheels do
    double *load[2], *moved;
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

// Reads the names to hold. t, y: where the moves of a closed mechanism are counted; y is closed.
// linear_close frees, also after a failure.
mc_status linear_open(linear_place *p, mc_multibody *m, const char *const *hold, int hold_count,
                      mc_error *error);
// Velocities that are to name the moves, before linear_start; closed mechanisms.
mc_status linear_name(linear_place *p, const char *const *names, int count, mc_error *error);
mc_status linear_start(linear_place *p, bool weighed, double t, const double *y, mc_error *error);
void linear_close(linear_place *p);

// Everything at a state. MC_FAILED: something is not finite, or the held motions cannot be held.
mc_status linear_evaluate(linear_place *p, double t, const double *y, mc_error *error);

// Column j of N(q), the direction of the coordinates along velocity j; good after linear_evaluate.
static inline const double *linear_direction(const linear_place *p, int j)
{
    return p->A + (size_t)(p->q_count + j) * (size_t)p->y_count;
}

// The direction of the coordinates along move j; good after linear_evaluate.
static inline const double *linear_along(const linear_place *p, int j)
{
    return p->D ? p->D + (size_t)j * (size_t)p->q_count : linear_direction(p, p->move[j]);
}

// out (v_count): the velocities of moves z.
void linear_velocities(const linear_place *p, const double *z, double *out);

// out (rest_count): free rows of a change of the rate (y_count), with the forces that hold.
void linear_free_rows(const linear_place *p, const double *change, double *out);

// d(free rows of the rate)/d(moves, free states), rest_count x rest_count.
void linear_rest_jacobian(linear_place *p, double *J);

// Name of the motion along a velocity: the coordinate where there is one, else "top.rotation_x" or
// "car.along_x"; its unit.
void linear_move_name(const mc_multibody *m, int velocity, char out[128], const char **unit);

double *linear_doubles(arena *memory, size_t count); // NULL: no memory

// ---- linearize_rows.c: constraints ----

mc_status linear_rows_open(linear_place *p, mc_error *error);
// The moves at a state: chosen the first time, with what is held twice left out; later the same.
mc_status linear_rows_find(linear_place *p, double t, const double *y, mc_error *error);
// Z, L and D at the state last asked for, where the place was evaluated.
mc_status linear_rows_moves(linear_place *p, mc_error *error);
// Moves the coordinates in y onto the constraints; what is held stays. false: they do not close.
bool linear_rows_close(linear_place *p, double t, double *y);
// dv that a move of positions costs: Y (v_count x move_count) with C Y = -d(A v + e,t)/d(moves).
mc_status linear_rows_turn(linear_place *p, double t, const double *y, double *Y, mc_error *error);
// A row of velocities that is not zero at rest, or with `any` the first one; NULL: none.
const mb_row *linear_rows_velocity(linear_place *p, double t, const double *y, bool any);
