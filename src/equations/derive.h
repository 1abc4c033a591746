// derive.h - from a model to its equations of motion, ready to be made a program.
//
// Variables of every program made from a system stand in this order:
//   q (q_count)  v (v_count)  user's states (state_count)
//   t
//   inputs (input_count)
//   tau (v_count)
// The first three are the state y of the differential equations. tau are generalised forces from
// outside, dual to v, in addition to what the model says.
#pragma once

#include "equations/forms.h"
#include "multibody/frames.h"
#include "multibody/rows.h"

typedef enum mb_form {
    MB_FORM_CHEAPER,   // whichever costs fewer operations
    MB_FORM_LAGRANGE,  // the paper's: mass matrix, unrolled LDL'
    MB_FORM_RECURSIVE, // articulated bodies
    MB_FORM_EMBEDDED,  // loops solved inside their groups; closed mechanisms only
} mb_form;

// Beyond this many velocities the paper's form has always lost; it is made only when asked for.
enum { MB_LAGRANGE_TRIED = 24 };

// Of a joint or constraint with conditions (mb_switch_at).
typedef struct mb_switch_function {
    expr_id function; // rises through zero where it is to switch
    int load;         // it is off where this load of its own (of rows.load) has
    double sign;      // this sign; -1: no such condition
} mb_switch_function;

typedef struct mb_system {
    mb_model *model; // its graph holds everything; must outlive the system
    expr_graph *graph;
    mb_links links;
    mb_form form; // that was taken
    int q_count, v_count, state_count, input_count;
    int y_count;        // q_count + v_count + state_count
    int variable_count; // of every program
    expr_id *forward;   // v_count: v' from tau and gravity alone, without the model's own loads
    expr_id *rate;      // y_count: y' with everything
    expr_id kinetic, potential; // J; potential: gravity, springs
    expr_id *variable;          // of the model's variables, by their order
    expr_unit *variable_unit;
    expr_id *spring_length, *spring_force; // of the model's springs; force > 0 pushes apart
    expr_id *joint_load;                   // of each body: the model's own along its joint
    mb_vec *force, *torque; // of the model's forces and torques, in the axes they are given in
    expr_id time, *states, *inputs;  // nodes of t, of the user's states, of the inputs
    expr_id *point;                  // 3 for each point: world position
    mb_lagrange_result lagrange;     // of the forward equations when that form was made
    int flops[MB_FORM_EMBEDDED + 1]; // of the forward equations by form; 0: not made
    // Loops and constraints; all empty for a tree.
    mb_rows rows;
    struct mb_assembly *assembly;     // NULL: no rows
    expr_id *forward_lambda, *lambda; // rows.kept_count: beside forward, beside rate
    // The smallest pivot of a row, relative to what it would have alone, or had at the start: small
    // where rows nearly depend on each other or one nearly vanishes.
    expr_id forward_margin, margin;
    expr_id *move, *settle;           // v_count: a step of projection, positions, velocities
    mb_lagrange_result descriptor[2]; // M and right, beside forward and beside rate
    expr_id *load;                    // of rows.load
    mb_switch_function *switches;     // switch_count
    int switch_count;
    arena memory;
} mb_system;

mc_status mb_derive(mb_model *model, mb_form form, mb_system *out, mc_error *error);
void mb_system_free(mb_system *s);

// Only what the forward equations cost in the cheapest form (or the one given), flops.
mc_status mb_derive_cost(mb_model *model, mb_form form, int *flops, mc_error *error);

// Where things stand among the variables.
static inline int mb_at_time(const mb_system *s)
{
    return s->y_count;
}

static inline int mb_at_input(const mb_system *s)
{
    return s->y_count + 1;
}

static inline int mb_at_tau(const mb_system *s)
{
    return s->y_count + 1 + s->input_count;
}
