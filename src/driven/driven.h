// driven.h - inside of mc_driven, shared by the files about driven mechanisms.
//
// A drive adds a row d(q) - s = 0 to those of the mechanism. Closing all of them, with s at its
// value, gives the position; closing their rates, with s' = 1, how everything moves along. The
// mechanism itself stays as it was derived: a drive's force mu acts on it through tau = D' mu, with
// D the row of the drive, and since accelerations are linear in tau, mu follows from what a unit of
// each does.
#pragma once

#include "equations/assembly.h"
#include "expr/differentiate.h"
#include "mechanism/mechanism.h"
#include "motorcade/kinematics.h"

typedef enum driven_what {
    DRIVEN_ROW,        // a row of its own
    DRIVEN_CONSTRAINT, // a row of the mechanism gets another value
    DRIVEN_INPUT,      // no row
} driven_what;

typedef struct driven_item { // one thing driven or held
    char name[128];
    driven_what what;
    int drive;  // -1: held
    int row;    // of all rows; -1: none
    int input;  // of the mechanism
    int load;   // output with the load of a constraint
    bool named; // quantity, index: it can be asked for by its own name
    mc_quantity quantity;
    int index;
    expr_id node;   // d(q)
    expr_id motion; // f(t), to which the target is added; EXPR_NONE: the target alone
    char unit[48];
} driven_item;

typedef struct driven_let { // a further output
    char name[64];
    expr_id node;
    char unit[48];
} driven_let;

typedef struct driven_code { // further formulas, interpreted
    expr_program *program;
    expr_machine *machine;
    double *kept, *work, *out;
} driven_code;

struct mc_driven {
    mc_multibody *m;
    arena memory;
    bool geometry, timed;
    driven_item *item; // drives, then holds
    int item_count, item_room, drive_count;
    double *from, *to; // of the drives
    driven_let *let;   // outputs from output_count of the mechanism on
    int let_count;
    mb_rows rows;  // those of the mechanism, then the items'
    int own_count; // rows of the mechanism
    mb_assembly *assembly;
    driven_code bias, rates; // of the items' rows; of outputs that were asked for
    driven_code lets;
    int *rated, rated_count; // those outputs
    // Variables of these formulas: those of the mechanism, then
    double *x;
    int x_count;
    int at_target, at_speed; // item_count each: s, s'
    int at_along;            // q_count + v_count + 1 + input_count: rates of q, v, t, inputs
    // Scratch and results of the last position.
    double *A; // all rows, dense
    double *Z; // free_count directions left, v_count each, orthonormal
    int free_count;
    double *mu;    // item_count: force of each
    double *tau;   // v_count: all of them
    double *vdot;  // v_count: accelerations under them
    double *along; // v_count: velocities along the path
    double *push;  // item_count x v_count: what a unit of each force does to v'
    double *outputs;
    long steps;
    double rest; // largest acceleration left
};

// ---- driven.c ----

mc_status driven_build(mc_driven *d, const expr_id *node, int count, driven_code *out,
                       mc_error *error);
void driven_run(mc_driven *d, driven_code *code);
void driven_code_free(driven_code *code);

// A coordinate, output, ... or a further output, whose index is past those of the mechanism.
mc_status driven_find(const mc_driven *d, const char *name, mc_quantity *quantity, int *index,
                      mc_error *error);
// Node of output i, of the mechanism or further.
expr_id driven_output(const mc_driven *d, int i);

// ---- driven_solve.c ----

// Orthonormal directions that no row forbids, into d->Z; the rows' matrix into d->A. names a row
// that follows from those before it, -1: none.
int driven_directions(mc_driven *d, const double *x);

// Forces of all items under which their rows have no acceleration, and v' under them: mu, tau,
// vdot.
bool driven_forces(mc_driven *d);

// From the position in d->x to new targets of the drives and a new time, in as many steps as it
// takes; what is free settles at each of them, unless it is geometry or follows time.
mc_status driven_advance(mc_driven *d, const double *target, double t, mc_error *error);

// What is free goes to its equilibrium. False: it found none; d->vdot says what is not at rest.
bool driven_settle(mc_driven *d);

// d->along: the velocities when the drives move at `speed`, drive by drive (NULL: as time does).
void driven_along(mc_driven *d, const double *speed);
