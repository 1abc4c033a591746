// mechanism.h - inside of mc_multibody, shared by the files of this folder.
#pragma once

#include "codegen/kernel.h"
#include "motorcade/simulate.h"
#include "equations/derive.h"
#include "equations/matrices.h"
#include "mechanism_file/choose.h"

// The programs of a mechanism; each gets its kernel when it is first used.
typedef enum multibody_part {
    MULTIBODY_FORWARD, // v' from tau
    MULTIBODY_RATE,    // y'
    MULTIBODY_OUTPUTS,
    MULTIBODY_JACOBIAN,           // of y' by y, inputs, tau: entries that are not zero
    MULTIBODY_LAMBDA,             // loops: multipliers beside y'
    MULTIBODY_PROJECT,            // loops: move and settle of mb_system, margin
    MULTIBODY_FORWARD_DESCRIPTOR, // loops: M, right, A, bias, e, e' where rank is nearly lost
    MULTIBODY_RATE_DESCRIPTOR,
    MULTIBODY_ENERGY,      // kinetic and potential together; with loops or switches
    MULTIBODY_CONDITIONS,  // switches: their functions, margin
    MULTIBODY_LOADS,       // switches: loads per multiplier, load by load
    MULTIBODY_KINEMATICS,  // places and velocities of bodies and points
    MULTIBODY_JOINT_LOADS, // six of every body
    MULTIBODY_MATRICES,    // their entries that are not zero
    MULTIBODY_IMPULSES,    // what the engine of impulses asks: rows, loads by formulas
    MULTIBODY_ROLLING,     // wheels and motors for the engine of equations
    MULTIBODY_PART_COUNT,
} multibody_part;

typedef struct multibody_code {
    expr_program *program;
    expr_kernel *kernel;
    double *kept; // what prepare left
    double *work, *result;
    bool used;  // asked for once: compiled, where it is to be
    bool stale; // a parameter changed since prepare
} multibody_code;

struct mc_multibody {
    mb_model model;
    mb_system system;
    mechanism_choice choice; // of a graph
    arena memory;
    const char *text; // it was read from; NULL: a set of another (sets)
    mc_compile compile;
    mc_multibody_info info;
    multibody_code code[MULTIBODY_PART_COUNT];
    double *parameter; // value of each, in the order of the programs
    double *x;         // variables: y, t, inputs, tau
    double *x_lanes;   // one block of them
    int *jacobian_at;  // place of each entry that is not zero: row + y_count * column
    int jacobian_count;
    int output_count;
    char (*output_name)[96];
    expr_id *output_node;
    const char **output_unit;
    unsigned char *structure[3];
    // Joints and constraints that switch (switches.c): a mechanism of its own for every set of them
    // that acts, made when it is first needed.
    uint64_t on; // those that act in this one, by mb_switch_at
    mc_form asked_form;
    mc_multibody **sets;
    int set_count;
    expr_id *joint_load; // 6 of every body; NULL: not asked for yet
    const char **kinematics_name;
    int kinematics_count;
    mb_matrices matrices;
    struct matrix_values *matrix_values; // of every matrix; NULL: not asked for yet
    struct singular *singular;           // of singular.c; NULL: not needed yet
    // Of standing.c; NULL: not needed yet. Freed by a pointer, so that units of FMI, which have no
    // wheels, need not link them.
    struct rolling *standing;
    void (*standing_free)(struct rolling *standing);
};

extern const char *const multibody_contact_words[3]; // forces of the ground on a wheel

// ---- bodies.c ----

extern const char *const multibody_load_words[6]; // force_x .. torque_z

// Nodes of the loads of joints, into m->joint_load.
mc_status multibody_joint_loads(mc_multibody *m, mc_error *error);
// Makes the program of a part that is made when it is asked for first.
mc_status multibody_part_make(mc_multibody *m, multibody_part part, mc_error *error);

// ---- loops.c ----

// Makes the parts for loops; nothing for a tree.
mc_status multibody_loops_build(mc_multibody *m, const char *const *names, mc_error *error);

// FORWARD or RATE from the variables in m->x; lambda may be NULL.
void multibody_loops_run(mc_multibody *m, multibody_part part, double *out, double *lambda);
// Multipliers beside the last RATE of the state in m->x.
void multibody_loops_lambda(mc_multibody *m, double *lambda);
void multibody_loops_run_lanes(mc_multibody *m, int block_count, double *vdot); // of m->x_lanes

// M by rows, right, of each row A, bias, e, e'; of each free base its turn by rows, and gravity.
enum { DESCRIPTOR_ROW = 3, DESCRIPTOR_BASE = 12 };

// ---- singular.c ----

// v' and multipliers (may be NULL) from the variables in m->x where rows nearly depend on each
// other. part: one of the two descriptors.
void multibody_loops_singular(mc_multibody *m, multibody_part part, double *vdot, double *lambda);
// How far from singular the state in m->x is: the smallest singular value of the rows, of as many
// as act, relative to the largest.
double multibody_loops_rank(mc_multibody *m, multibody_part part);
// A step of projection from there: which 0 positions, 1 velocities.
void multibody_loops_singular_change(mc_multibody *m, int which, double *x);
void multibody_loops_singular_free(mc_multibody *m);

// Change of velocities by which the rates of the constraints become zero, from the state in m->x,
// and the impulse of every row that acts.
void multibody_loops_impulse(mc_multibody *m, double *dv, double *impulse);

// ---- switches.c ----

mc_status multibody_switches_build(mc_multibody *m, mc_error *error); // programs

// The same mechanism with these switches on, derived at the state y. mechanism.c
mc_status multibody_make_set(const mc_multibody *from, uint64_t on, double t, const double *y,
                             mc_multibody **out, mc_error *error);

// One run of a mechanism with switches.
typedef struct multibody_switching {
    mc_multibody *m;               // as it was loaded
    mc_multibody *now;             // with the set that acts
    double row_step;               // s, time in which a load counts as none: see shift
    double shift[MB_SWITCHES_MAX]; // of the functions, against rounding
    uint64_t off_again;            // switched off at this instant already
    double lost;                   // J, by impulses so far
    long count;                    // of switches so far
    void (*take)(void *context, const mc_simulate_event *event); // may be NULL
    void *context;
} multibody_switching;

// Finds what acts at the start, t = 0, and closes y there.
mc_status multibody_switching_start(multibody_switching *s, double t, double *y, mc_error *error);
// Values of the functions.
void multibody_switching_look(multibody_switching *s, double t, const double *y, double *value);
// Those that rose at t switch; y gets the velocities afterwards.
mc_status multibody_switching_at(multibody_switching *s, double t, double *y, const bool *risen,
                                 mc_error *error);
// The set `on` acts from here on, without an impact: of a state that is restored.
mc_status multibody_switching_to(multibody_switching *s, uint64_t on, double t, const double *y,
                                 mc_error *error);

// J, kinetic and potential; mechanisms with rows or switches only.
double multibody_loops_energy(mc_multibody *m, double t, const double *y);
// Moves the coordinates in y along velocities p: q += N(q) p, quaternions made unit again.
void multibody_loops_move(mc_multibody *m, const double *p, double *y);

// Positions and velocities in y back onto the constraints.
void multibody_loops_project(mc_multibody *m, double t, double *y);

mc_status multibody_build(mc_multibody *m, multibody_part part, const expr_id *outputs, int count,
                          const char *const *names, mc_error *error);
void multibody_set_state(mc_multibody *m, double t, const double *y);

// A number with an optional unit that fits the thing it is for (names.c).
mc_status multibody_read_value(const mc_multibody *m, mc_quantity quantity, int i, const char *name,
                               const char *text, double *value, mc_error *error);

// m->parameter was written to: `prepare` runs again.
void multibody_parameters_changed(mc_multibody *m);
// The part ready to run, its kept values fresh.
multibody_code *multibody_use(mc_multibody *m, multibody_part part);

// The four parts of a body's quaternion in y; NULL: it has none.
double *multibody_quaternion(const mc_multibody *m, double *y, int body);
