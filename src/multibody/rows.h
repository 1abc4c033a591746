// rows.h - everything that must stay zero: joints beside the tree and the user's constraints, row
// by row.
//
//     e(q, t) = 0,   e' = A v + e,t,   e'' = A v' + bias,   generalised forces A' lambda
//
// A row of a velocity (rolling, a prescribed rate) has no e; what it calls e' is zero.
#pragma once

#include "expr/differentiate.h"
#include "multibody/frames.h"

typedef struct mb_row {
    const char *owner; // joint or constraint
    int line;          // of it in the file
    int closing;       // -1: a constraint of the user
    int part;          // number of the row within its owner, from 0
    expr_id e;         // EXPR_NONE: a row of velocity
    expr_id gap;       // how far it is open, m, rad or the unit of a constraint
    expr_id rate;      // e'
    expr_id bias;      // e'' without accelerations
    int count;         // of A's entries that are not zero
    int *velocity;     // places in v
    expr_id *by;       // the entries
    mb_vec force;      // on `to` at its point per lambda, common axes; closing joints
    mb_vec torque;     // on `to` per lambda
    bool length;       // e is a length: what "open by" means; else an angle or a number
    expr_unit load;    // of a constraint's multiplier
} mb_row;

typedef struct mb_load { // of a joint or constraint, per its rows
    const char *owner;
    const char *word; // "force_x", "" for the plain multiplier
    expr_unit unit;
    expr_id *by; // row_count: load = sum of by[i] lambda[i]; EXPR_ZERO: none
} mb_load;

typedef struct mb_rows {
    arena memory;
    mb_row *row;
    int count;
    int *kept; // rows that act, kept_count; the others follow from them and are left out
    int kept_count;
    int *live; // rows that are not zero by structure, live_count; those kept among them
    int live_count;
    bool sharing; // some of the others could take over: they are not zero by structure
    mb_load *load;
    int load_count;
} mb_rows;

struct mb_scope;

// q_rate: q' of every coordinate. On failure *out is empty.
mc_status mb_rows_make(const mb_links *links, const expr_id *q_rate, mb_frames *frames,
                       struct mb_scope *scope, expr_id time, mb_rows *out, mc_error *error);
void mb_rows_free(mb_rows *rows);

// Entries of A from e' = A v + ..., and the bias, of a row whose rate is known. time: the direction
// in which everything moves. False: no memory.
bool mb_row_entries(const mb_links *links, expr_direction *time, arena *memory, mb_row *row,
                    mc_error *error);

// How the two frames of a joint move, where that is known otherwise than by its velocities alone:
// in the axes of some frame, angular velocities and accelerations of both, velocity and
// acceleration of d, all true ones, the accelerations without those of the velocities' rates.
typedef struct mb_pair_motion {
    mb_vec spin[2], turn_bias[2]; // of `from`, `to`
    mb_vec rate, bias;            // of d
    mb_mat axes; // of the common link, as columns: the rows of a point are along them
} mb_pair_motion;

// The rows of a closing joint from partial velocities that the caller gives; entries count its
// columns (pair->span.velocity). MC_FAILED: this kind does not support that; MC_NO_MEMORY.
mc_status mb_rows_close(const mb_links *links, int closing, const mb_pair *pair,
                        const mb_pair_motion *motion, mb_rows *out);
