// multibody.h - mechanisms: bodies and hinges from a YAML file, equations of motion derived from
// them, run by the interpreter at once and by compiled code when it is ready.
//
//     mc_multibody *car = mc_multibody_load("models/hmmwv10.yaml", NULL, &error);
//     double *y = malloc(mc_multibody_info_of(car)->y_count * sizeof *y);
//     mc_multibody_start(car, y);                             // start values of the file
//     mc_multibody_set(car, "chassis.mass", 2300.0, &error);  // nothing is derived again
//     mc_multibody_rate(car, 0.0, y, NULL, dy);               // y' at t = 0
//     mc_multibody_free(car);
//
// State y: coordinates q, velocities v, the user's states, in the order of the file. The formats
// and conventions are those of docs/modelling.md; SI units throughout.
//
// Threads: a handle is used by one thread at a time; several handles are independent.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stdio.h>

#include "motorcade/begin.h"

typedef struct mc_multibody mc_multibody;

typedef enum mc_form {
    MC_FORM_CHEAPER, // whichever costs fewer operations
    MC_FORM_LAGRANGE,
    MC_FORM_RECURSIVE,
    MC_FORM_INDEPENDENT, // loops solved inside themselves
} mc_form;

typedef enum mc_compile {
    MC_COMPILE_BACKGROUND, // interpret at once, switch when compiled; same bits
    MC_COMPILE_WAIT,       // return when compiled; without a compiler interpret
    MC_COMPILE_NEVER,
} mc_compile;

typedef struct mc_multibody_options { // NULL or all zero: the defaults
    mc_form form;
    mc_compile compile;
} mc_multibody_options;

// Operations of one evaluation; see mc_multibody_info.
typedef struct mc_operations {
    int flops; // add + mul + div + sqrt; a fused multiply-add counts as two
    int add, mul, div, sqrt, fused;
    int sincos, call; // calls of functions
} mc_operations;

typedef struct mc_multibody_info {
    const char *name; // of the model
    int q_count, v_count, state_count, y_count, input_count, parameter_count;
    int body_count, output_count;
    int load_count;        // the last outputs: loads of joints beside the tree and of constraints
    int row_count;         // of joints beside the tree and of constraints, that act
    int left_out_count;    // further ones, which follow from these
    int switch_count;      // joints and constraints that switch on and off during a run
    mc_form form;          // that was taken
    int flops_of_form[4];  // forward dynamics by mc_form; 0: not made
    mc_operations forward; // v' from q, v, tau, after `prepare`
    mc_operations prepare; // once per change of a parameter, for the same
    mc_operations rate;    // y' with springs, loads and formulas
    double seconds_read, seconds_derive; // to read and check the file; to derive and make programs
    unsigned long long hash;             // of the model's text
} mc_multibody_info;

mc_multibody *mc_multibody_load(const char *path, const mc_multibody_options *options,
                                mc_error *error); // NULL: see *error
// The same from text in memory; name stands for the file in messages.
mc_multibody *mc_multibody_parse(const char *text, const char *name,
                                 const mc_multibody_options *options, mc_error *error);
void mc_multibody_free(mc_multibody *m);

// Whether a file begins as a mechanism, with the key "motorcade: multibody". false also when it
// cannot be read.
bool mc_multibody_is_model(const char *path);
bool mc_multibody_is_text(const char *text, size_t length); // the same of text in memory
// The JSON Schema of mechanism files.
mc_status mc_multibody_write_schema(FILE *out, mc_error *error);

const mc_multibody_info *mc_multibody_info_of(const mc_multibody *m);
const char *mc_multibody_text(const mc_multibody *m); // of the file it was read from

// ---- names -----------------------------------------------------------------------------------

typedef enum mc_quantity {
    MC_QUANTITY_COORDINATE, // q: "arm_fl.angle"
    MC_QUANTITY_VELOCITY,   // v: "arm_fl.angle_rate"
    MC_QUANTITY_STATE,      // of the user
    MC_QUANTITY_INPUT,      // set from outside
    MC_QUANTITY_PARAMETER,  // "chassis.mass"
    MC_QUANTITY_OUTPUT,     // computed: user's variables, energies, springs, points (below)
} mc_quantity;

// NULL past the last one. Outputs: the user's variables by name, then "energy.kinetic",
// "energy.potential", "energy.total", "SPRING.length", "SPRING.force", "POINT.x" .y .z,
// loads of joints and constraints.
const char *mc_multibody_name(const mc_multibody *m, mc_quantity quantity, int i);
const char *mc_multibody_unit(const mc_multibody *m, mc_quantity quantity, int i); // "" unknown
// Finds any of the above; MC_BAD_INPUT offers the nearest name.
mc_status mc_multibody_find(const mc_multibody *m, const char *name, mc_quantity *quantity,
                            int *index, mc_error *error);

// ---- parts -----------------------------------------------------------------------------------

// What a mechanism is made of, part by part in the order of the file; false: no more. Numbers have
// the values of the parameters now. A body that is NULL is the ground.
typedef struct mc_part_body {
    const char *name;
    const char *inboard; // the body it hangs on
    const char *joint;   // kind of its joint, which is at its origin
    double at[3];        // m, the joint in the axes of the inboard body
    double frame[4];     // quaternion (w, x, y, z), axes of the joint to those of the inboard body
    double axis[3];      // of a hinge or a prism, in the axes of the joint; else 0
    double stiffness, damping; // of a hinge or a prism itself, SI
    double mass;               // kg
    double centre[3];          // m, of mass, in its axes
    double inertia[6];         // kg m2 about that: xx yy zz xy xz yz (tensor)
    int round; // 0 .. 2: symmetric about its axis x, y or z, as a wheel is; -1: it is not
} mc_part_body;
typedef struct mc_part_point {
    const char *name, *body;
} mc_part_point;
typedef struct mc_part_spring {
    const char *name, *from, *to; // points
    double length;                // m, at rest
    double stiffness, damping;    // N/m, N s/m; formulas are not in it
    bool formula;                 // its force is a formula, too
} mc_part_spring;
typedef struct mc_part_joint { // beside the tree
    const char *name, *kind, *from, *to;
    double at[3], to_at[3]; // m, in the axes of `from` and of `to`
    double frame[4];        // quaternion, axes of the joint to those of `from`
    double axis[3];         // in the axes of the joint; 0: it has none
} mc_part_joint;
bool mc_multibody_body(const mc_multibody *m, int i, mc_part_body *out);

// What a body looks like: shape i of it, in the order of the key `shape`; false: no more. It has no
// part in the motion. A body without the key has one made from its mass and inertia; one without
// mass has none.
typedef enum mc_shape_kind {
    MC_SHAPE_BOX,      // size: along x, y, z of the shape
    MC_SHAPE_CYLINDER, // about its z; size: diameter, diameter, length
    MC_SHAPE_BEAM,     // along its z; size: width along x, height along y, length
    MC_SHAPE_PANEL,    // flat, its corners in order; size: thickness in [2]
    MC_SHAPE_WHEEL,    // about its z; size: diameter, diameter, width
    MC_SHAPE_MESH,     // triangles between its points
    MC_SHAPE_COUNT,
} mc_shape_kind;
typedef enum mc_shape_finish {
    MC_SHAPE_FINISH_PAINT,
    MC_SHAPE_FINISH_STEEL,
    MC_SHAPE_FINISH_DARK, // a frame, a casting
    MC_SHAPE_FINISH_GLASS,
    MC_SHAPE_FINISH_RUBBER,
    MC_SHAPE_FINISH_COUNT,
} mc_shape_finish;
typedef struct mc_part_shape {
    mc_shape_kind kind;
    mc_shape_finish finish;
    bool round;     // a beam with a circle as its section
    bool made;      // from mass and inertia: the file has none
    double at[3];   // m, the middle of the shape in the axes of the body; panel, mesh: 0
    double turn[4]; // quaternion (w, x, y, z) from the axes of the shape to those of the body
    double size[3]; // m, above 0
    int point_count, face_count; // of a panel or mesh
} mc_part_shape;
bool mc_multibody_shape(const mc_multibody *m, int body, int i, mc_part_shape *out);
// Its points (3 point_count numbers, m, in the axes `turn` about `at`) and its triangles (3
// face_count numbers of points, from 0). Either may be NULL.
void mc_multibody_shape_mesh(const mc_multibody *m, int body, int i, double *points, int *faces);
// Words of the file, "box" and "steel"; NULL past the last.
const char *mc_shape_kind_name(int kind);
const char *mc_shape_finish_name(int finish);

bool mc_multibody_point(const mc_multibody *m, int i, mc_part_point *out);
bool mc_multibody_spring(const mc_multibody *m, int i, mc_part_spring *out);
bool mc_multibody_joint(const mc_multibody *m, int i, mc_part_joint *out);

// ---- values ----------------------------------------------------------------------------------

// A parameter or an input. The equations stay; `prepare` runs again. Several parameters may belong
// together (three moments of inertia): whether the mechanism is possible is asked by
// mc_multibody_check after the last of them; simulate, linearize and equilibrium ask it themselves.
mc_status mc_multibody_check(const mc_multibody *m, mc_error *error);
mc_status mc_multibody_set(mc_multibody *m, const char *name, double value, mc_error *error);
mc_status mc_multibody_get(const mc_multibody *m, const char *name, double *value, mc_error *error);

// All numbers of another text of the same mechanism, in which only numbers differ that are
// parameters: nothing is derived again, and mc_multibody_text is the new one. Shapes stay those of
// the first text. *taken false: the text is another mechanism; nothing was changed.
mc_status mc_multibody_take(mc_multibody *m, const char *text, const char *name, bool *taken,
                            mc_error *error);

void mc_multibody_start(const mc_multibody *m, double *y); // start values of the file
// Height of its terrain and the slopes by x and y; false: the file has none, out is the plane z =
// 0.
bool mc_multibody_ground(const mc_multibody *m, double x, double y, double out[3]);
void mc_multibody_normalise(const mc_multibody *m, double *y); // unit quaternions

// Loops. assemble: the nearest consistent positions and velocities to those in y, where joints
// close and constraints hold; what the file names under `keep` stays. MC_BAD_INPUT names the joint
// that cannot close. project: the same for a state that is nearly consistent, after a step of time.
// gap: the largest distance, in m or rad, by which a joint is open.
mc_status mc_multibody_assemble(mc_multibody *m, double t, double *y, mc_error *error);
void mc_multibody_project(mc_multibody *m, double t, double *y);
double mc_multibody_gap(mc_multibody *m, double t, const double *y);

// Row i of those that must stay zero, acting or left out: its joint or constraint, its number in
// that, whether it acts. false: no more.
typedef struct mc_constraint_row {
    const char *owner;
    int part;
    bool acts;
} mc_constraint_row;
bool mc_multibody_row(const mc_multibody *m, int i, mc_constraint_row *out);

// A mechanism whose joints are given as a graph: its tree. false: it is not.
typedef struct mc_graph {
    int joint_count, cut_count;
    int root_count; // free bodies that a tree hangs on; the name of the last one
    const char *root;
    int derived;     // spanning trees whose equations were counted
    bool all;        // that is all there are
    int flops;       // forward dynamics with the tree taken
    int worst_flops; // with the most expensive one counted
} mc_graph;
bool mc_multibody_graph(const mc_multibody *m, mc_graph *out);

// Joint i of a graph, in the order of the file. false: no more.
typedef struct mc_graph_joint {
    const char *name, *kind, *from, *to;
    bool in_tree;     // else it closes a loop
    bool reversed;    // in the tree from `to` to `from`
    bool pinned;      // must be in the tree: the file uses its coordinate
    bool cut_by_file; // the file says that it is cut
    bool cannot;      // its kind cannot be in a tree
    int other_flops;  // the cheapest tree counted that has it otherwise; 0: none was
} mc_graph_joint;
bool mc_multibody_graph_joint(const mc_multibody *m, int i, mc_graph_joint *out);

// End of a simulation and time between rows as the file gives them; 0: not given.
double mc_multibody_end(const mc_multibody *m);
double mc_multibody_step(const mc_multibody *m);

// ---- equations -------------------------------------------------------------------------------

// Forward dynamics: v' from tau (v_count generalised forces: everything that acts but gravity).
// The model's own springs and loads take no part.
void mc_multibody_accelerations(mc_multibody *m, const double *q, const double *v,
                                const double *tau, double *vdot);
// The same with the multiplier of each row that acts (row_count), where loops are closed.
void mc_multibody_multipliers(mc_multibody *m, const double *q, const double *v, const double *tau,
                              double *vdot, double *lambda);
// The same for blocks of four states: value s of lane l of block b at [(b * count + s) * 4 + l].
void mc_multibody_accelerations_lanes(mc_multibody *m, int block_count, const double *q,
                                      const double *v, const double *tau, double *vdot);

// y' with everything the model says. tau: v_count further generalised forces, or NULL.
void mc_multibody_rate(mc_multibody *m, double t, const double *y, const double *tau, double *dy);
// Wheels of the key `wheels`. What the ground presses on them, and what motors do, is not in y' by
// itself: adds it to tau, v_count numbers, as the engine of equations does in a run.
int mc_multibody_wheel_count(const mc_multibody *m);
const char *mc_multibody_wheel_body(const mc_multibody *m, int i); // NULL past the last
mc_status mc_multibody_wheel_loads(mc_multibody *m, double t, const double *y, double *tau,
                                   mc_error *error);
void mc_multibody_outputs(mc_multibody *m, double t, const double *y, double *out); // output_count
// The same under generalised forces tau, on which the loads of joints depend.
void mc_multibody_outputs_under(mc_multibody *m, double t, const double *y, const double *tau,
                                double *out);

// Where every body and point is and how it moves, world axes: of a body NAME.position (of its
// origin), NAME.x_axis .y_axis .z_axis, NAME.velocity, NAME.omega, of a point NAME.position,
// NAME.velocity, each with .x .y .z. out has an entry for every name; NULL past the last. Derived
// at the first call, as all below.
mc_status mc_multibody_kinematics(mc_multibody *m, double t, const double *y, double *out,
                                  mc_error *error);
const char *mc_multibody_kinematics_name(mc_multibody *m, int i);

// Loads of the joints on which the bodies hang, six of every body in the order of the file: force
// and torque of the inboard body on this one at the joint, in the axes of the joint on the inboard
// body. Everything that the model says acts; tau as of mc_multibody_rate.
mc_status mc_multibody_joint_loads(mc_multibody *m, double t, const double *y, const double *tau,
                                   double *loads, mc_error *error);

// Adds to tau (v_count) the generalised forces of a force at a point of a body: force in world
// axes, N; at: m, in the axes of the body. MC_BAD_INPUT: no such body.
mc_status mc_multibody_push(mc_multibody *m, double t, const double *y, int body,
                            const double at[3], const double force[3], double *tau,
                            mc_error *error);

// The matrices of the constraint equations at a state, by rows: for every joint NAME.B_q and
// NAME.B_p, its six rates from the velocities V of its outboard and inboard body (angular velocity,
// then velocity of the origin, in the body's axes); for a joint beside the tree NAME.C, the same
// from the velocities inside its loop; T (V = T v), B and b (B V = b), BT; V, q_dot (rates of the
// coordinates from V), cut_dot (rates of the free coordinates of joints beside the tree). What does
// not exist is left out: B_p on the ground, B without loops.
typedef struct mc_matrix {
    const char *name;
    int rows, columns;
    const char *const *row_names, *const *column_names;
    const unsigned char *structure; // 0 zero, 1 constant, 2 varying
    const double *value;            // at the state asked for last
} mc_matrix;
mc_status mc_multibody_matrices(mc_multibody *m, double t, const double *y, mc_error *error);
bool mc_multibody_matrix(const mc_multibody *m, int i, mc_matrix *out); // false: no more

// Jacobians from symbolic derivatives, column major: A = d(y')/dy (y_count x y_count) and
// B = d(y')/d(inputs, then tau) (y_count x (input_count + v_count)); either may be NULL. Derived at
// the first call.
mc_status mc_multibody_jacobian(mc_multibody *m, double t, const double *y, double *A, double *B,
                                mc_error *error);

// Accelerations for a table of states: a CSV file with columns q0.. v0.. and optionally tau0.. (or
// the model's own names of coordinates and velocities, and tau.NAME), in any order. tau is every
// load except gravity; without tau columns the model's own springs and loads act (add_loads: with
// tau columns too). take gets the v_count accelerations of each row and after them the row_count
// multipliers; what it returns other than MC_OK ends the run.
typedef mc_status mc_take_row(void *context, int row, const double *vdot);
mc_status mc_multibody_accelerations_table(mc_multibody *m, const char *path, bool add_loads,
                                           mc_take_row *take, void *context, mc_error *error);

typedef enum mc_kernel_state {
    MC_KERNEL_STATE_INTERPRETED,
    MC_KERNEL_STATE_COMPILING,
    MC_KERNEL_STATE_COMPILED,
    MC_KERNEL_STATE_FAILED,
} mc_kernel_state;

mc_kernel_state mc_multibody_kernel_state(const mc_multibody *m, const char **message);
void mc_multibody_wait(mc_multibody *m); // until the compiler is done

// ---- code ------------------------------------------------------------------------------------

typedef enum mc_language { MC_LANGUAGE_C, MC_LANGUAGE_C_LANES, MC_LANGUAGE_FORTRAN } mc_language;

typedef enum mc_code {
    MC_CODE_FORWARD, // v' from q, v, tau
    MC_CODE_RATE,    // y' with everything
    MC_CODE_KINEMATICS,
    MC_CODE_JOINT_LOADS,
    MC_CODE_MATRICES, // entries that are not zero
} mc_code;

// The equations as source text, with a header that names generator, model hash and operations. The
// functions are called after the model; those of the last three kinds NAME_kinematics,
// NAME_joint_loads and NAME_matrices, so that all can be linked together.
mc_status mc_multibody_write_code(mc_multibody *m, mc_language language, mc_code code,
                                  const char *path, mc_error *error);

// Operations of the forward dynamics after each stage of the derivation: every expression written
// out; shared (each once); without what `prepare` does; fused pairs counted once. false: no more.
typedef struct mc_stage {
    const char *name;
    double operations;
} mc_stage;
bool mc_multibody_stage(const mc_multibody *m, int stage, mc_stage *out);

// Structure of matrices, row by row: 0 zero, 1 constant, 2 varying. T: velocities of the links by
// v; M: mass matrix; L: its factor in elimination order. NULL when the paper's form was not made.
typedef struct mc_structure {
    const char *name;
    int rows, columns;
    const unsigned char *entry;
} mc_structure;
bool mc_multibody_structure(const mc_multibody *m, int which, mc_structure *out); // false: no more

#include "motorcade/end.h"
