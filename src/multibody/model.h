// model.h - a mechanism as the user describes it: bodies, hinges, points, springs, loads.
//
// Plain data, made by the reader (mechanism_file/read.c) or by a C program, checked as a whole by
// mb_model_check, turned into equations by derive.h. Numbers are nodes of the model's graph: a
// literal that is not zero becomes a parameter named after its place ("chassis.mass",
// "arm_fl.com.x"), so that it can be changed without a new derivation; a literal zero is structure
// and makes terms vanish; formulas of parameters are allowed wherever a number is.
//
// Conventions: SI; x forward, y left, z up; quaternions (w, x, y, z). A body's frame has its origin
// at its inboard joint. At zero coordinates the frame stands at `at` with orientation `turn` in the
// frame of the inboard body.
//
//   joint    coordinates                          velocities
//   free     x y z in world axes, quaternion or   velocity of the origin in world axes (or body
//            three Euler angles                   axes: quasi_velocity), angular velocity in body
//                                                 axes
//   fixed    none                                 none
//   hinge    angle about axis                     its rate
//   prism    travel along axis                    its rate
//   ball     quaternion child to inboard          relative angular velocity in child axes
//   general  any of tx ty tz and three angles     their rates
//            about the axes of a sequence
//
// Joints beside the tree close loops (closing.h). User constraints are formulas that must stay
// zero.
//
// General hinge: the frame is moved by (tx, ty, tz) along the axes of the joint, then turned by the
// three angles in the order of the sequence, each about an axis of the frame turned so far.
#pragma once

#include "base/arena.h"
#include "expr/graph.h"
#include "expr/parse.h"
#include "motorcade/joint.h"
#include "motorcade/multibody.h"

typedef enum mb_joint {
    MB_FREE,
    MB_FIXED,
    MB_HINGE,
    MB_PRISM,
    MB_BALL,
    MB_GENERAL,
    MB_JOINT_COUNT,
} mb_joint;

extern const char *const mb_joint_names[MB_JOINT_COUNT];

// A formula, read when the kinematics it may speak of are known.
typedef struct mb_formula {
    const char *text; // NULL: none
    int line, column; // where it begins in the file; 0: not from a file
} mb_formula;

// Three scalars, or one formula that gives a vector (in [0], size 1).
typedef struct mb_vector_formula {
    mb_formula part[3];
    int size; // 0: none, 1: one vector formula, 3: three scalars
} mb_vector_formula;

// What a body looks like. Its numbers are nodes of a graph of their own, mb_model.looks, whose
// inputs are the parameters in the same order: a shape may depend on parameters and cannot change a
// bit of the motion.
typedef struct mb_shape {
    mc_shape_kind kind;
    mc_shape_finish finish;
    bool round;
    expr_id at[3];
    expr_id turn[9];      // rows; columns are the axes of the shape in the body's frame
    expr_id size[3];      // as of mc_part_shape; of a beam [2] is 0: its ends say how long it is
    expr_id (*points)[3]; // ends of a beam, corners of a panel, vertices of a mesh
    int (*faces)[3];
    int point_count, face_count;
} mb_shape;

enum { MB_COORDINATE_MAX = 7, MB_VELOCITY_MAX = 6 }; // of one joint

typedef struct mb_body {
    const char *name;
    const char *owner; // of the coordinates' names: the joint of a graph; NULL: the body
    int line;          // in the file; 0: not from a file
    int inboard;       // index of the inboard body; -1: ground
    mb_joint joint;
    expr_id at[3];
    expr_id turn[9]; // rows; columns are the axes of the joint frame in the inboard frame
    bool mounted;    // the body's frame does not stand in the joint's, but as follows
    expr_id mount_at[3], mount_turn[9];
    double axis[3];  // unit, in the joint's frame; hinge and prism
    int sequence[3]; // axes 0..2 of the three angles: general hinge, free joint with Euler angles
    bool euler;      // free joint: Euler angles instead of a quaternion
    bool quasi_velocity; // free joint: velocity of the origin in body axes
    bool free[6];        // general hinge: tx ty tz, first to third angle
    expr_id held[6];     // general hinge: value of a coordinate that is not free
    expr_id mass;        // kg
    expr_id com[3];      // m, body frame
    expr_id inertia[6];  // kg m2 about the mass centre, body axes: xx yy zz xy xz yz (tensor)
    int axisymmetric;    // -1, or the axis 0..2 of symmetry, along the hinge axis, through com
    expr_id stiffness, damping, rest; // hinge and prism: -(stiffness (q - rest) + damping q')
    mb_formula load;                  // hinge and prism: torque or force along the coordinate
    double start_q[MB_COORDINATE_MAX], start_v[MB_VELOCITY_MAX];
    bool given[MB_VELOCITY_MAX]; // the file has a start value for what this velocity moves
    bool keep[MB_VELOCITY_MAX], keep_rate[MB_VELOCITY_MAX]; // closing loops must not move it
    mb_shape *shapes;
    int shape_count;
} mb_body;

typedef struct mb_point {
    const char *name;
    int body; // -1: ground
    expr_id at[3];
    int line;
} mb_point;

// Between two points: force f = -(stiffness (L - length) + damping L') + formula, pushing them
// apart when positive.
typedef struct mb_spring {
    const char *name;
    int from, to; // points
    expr_id stiffness, damping, length;
    mb_formula force; // may use NAME.length and NAME.rate
    int line;
} mb_spring;

typedef enum mb_frame { MB_WORLD, MB_BODY } mb_frame;

typedef struct mb_force { // at a point
    const char *name;
    int point;
    mb_vector_formula value;
    mb_frame frame;
    int line;
} mb_force;

typedef struct mb_torque { // on a body
    const char *name;
    int body;
    mb_vector_formula value;
    mb_frame frame;
    int line;
} mb_torque;

// A frame on a body, where a joint beside the tree holds it.
typedef struct mb_mount {
    int body; // -1: ground
    expr_id at[3];
    expr_id turn[9]; // rows; columns are the axes of the joint in the body's frame
    double axis[3];  // unit, in the axes of the joint
} mb_mount;

// Conditions of a joint beside the tree or of a constraint; without any it always acts.
typedef struct mb_switch {
    mb_formula on_when, off_when; // comparisons; no text: never
    bool off;                     // it does not act now
} mb_switch;

// A joint of a graph: a joint of the tree in the end, or beside it.
typedef struct mb_edge {
    const char *name, *kind;
    int from, to;     // bodies; -1: ground
    int velocities;   // of it in the tree
    bool can_be_tree; // its kind can, and the file does not say that it is cut
    bool pinned;      // the file speaks of its coordinates: it must be in the tree
    bool forward;     // only from `from` to `to`
    bool in_tree, reversed;
    int line;
} mb_edge;

enum { MB_SWITCHES_MAX = 64 };

typedef struct mb_closing { // a joint beside the tree
    const char *name;
    const struct mb_closing_kind *kind;
    mb_mount from, to;
    expr_id value[MC_JOINT_VALUE_MAX]; // of the kind's own keys
    int sequence[3];                   // general: as of a body's joint
    bool free[6];
    expr_id held[6];
    mb_switch change;
    int line;
} mb_closing;

typedef struct mb_constraint { // of the user: position = 0, or velocity = 0
    const char *name;
    mb_formula position, velocity; // one of them
    mb_switch change;
    int line;
} mb_constraint;

// A wheel that rolls on the terrain.
typedef struct mb_wheel {
    const char *name;
    int body;
    expr_id at[3];         // m, its centre, body frame
    double axis[3];        // unit, body frame
    expr_id radius, width; // m
    int planes;            // in which it is cut
    expr_id friction, restitution;
    expr_id stiffness, damping; // of the tyre across the ground; rigid: false
    expr_id slip;               // m/s, of a tyre: at which friction has 0.71 of its limit
    bool rigid;
    int line;
} mb_wheel;

// Two bodies, or one and the ground, that touch by their shapes.
typedef struct mb_contact {
    const char *name;
    int body, other; // other: -1: ground
    expr_id friction, restitution;
    int line;
} mb_contact;

typedef struct mb_limit { // of the coordinate of a hinge or prism
    const char *name;
    int body;
    bool has_min, has_max;
    expr_id min, max, restitution;
    int line;
} mb_limit;

// Drives the coordinate of a hinge or prism at a speed, with a limited torque or force.
typedef struct mb_motor {
    const char *name;
    int body;
    mb_formula speed, max;
    int line;
} mb_motor;

// How a run by impulses is done; 0, NULL: not given.
typedef struct mb_stepping {
    const char *engine, *friction, *solver; // words of the file
    double fixed_step, tolerance;
    int iterations, substeps;
    int line;
} mb_stepping;

typedef struct mb_parameter {
    const char *name;
    const char *unit, *doc; // "" when not given
    double value;           // SI
    double min, max;        // allowed; both 0: anything
    int input;              // of the graph
    int line;
} mb_parameter;

typedef struct mb_input { // set from outside at any time: steering, throttle
    const char *name;
    expr_unit unit;
    double value; // when it is not set
    int line;
} mb_input;

typedef struct mb_state { // of the user: x' = rate
    const char *name;
    expr_unit unit;
    double start;
    mb_formula rate;
    int line;
} mb_state;

typedef struct mb_variable { // a name for a formula; may be plotted
    const char *name;
    mb_formula value;
    int line;
} mb_variable;

typedef struct mb_model {
    arena memory;      // names and arrays
    expr_graph *graph; // parameters are its first inputs
    expr_graph *looks; // of the shapes, with the same first inputs; NULL: the file has none
    const char *file;  // "" when not from a file
    const char *name;
    expr_id gravity[3]; // m/s2, world
    mb_body *bodies;
    mb_point *points;
    mb_spring *springs;
    mb_force *forces;
    mb_torque *torques;
    mb_closing *closings;
    mb_constraint *constraints;
    mb_wheel *wheels;
    mb_contact *contacts;
    mb_limit *limits;
    mb_motor *motors;
    int wheel_count, contact_count, limit_count, motor_count;
    const struct road_terrain *terrain; // NULL: the plane z = 0
    mb_stepping stepping;
    mb_parameter *parameters;
    mb_input *inputs;
    mb_state *states;
    mb_variable *variables;
    int body_count, point_count, spring_count, force_count, torque_count;
    int closing_count, constraint_count;
    mb_edge *edges; // of a graph; none: the file gives a tree
    int edge_count;
    bool *root; // of a graph, by body: a free body that its tree hangs on
    int parameter_count, input_count, state_count, variable_count;
    int *loads; // bodies whose joints are asked for their loads
    int load_count;
    double end, step; // of a simulation, s; 0: not given
    bool from_rest;   // it begins in equilibrium
    double start;     // s, time of the start values
    const char *text; // it was read from; NULL: nothing in it can switch
    uint64_t hash;    // of the text it was read from; 0: none
} mb_model;

void mb_model_free(mb_model *model); // what is in it, not the struct

// Switch i of those that have a condition: joints first, then constraints; NULL: no more. Name and
// line of what it switches go to owner and line, which may be NULL.
mb_switch *mb_switch_at(const mb_model *model, int i, const char **owner, int *line);

// Number of coordinates and velocities of a body's joint.
int mb_coordinate_count(const mb_body *body);
int mb_velocity_count(const mb_body *body);

// Name of a coordinate or velocity of a body: "arm_fl.angle", "arm_fl.angle_rate", "rack.travel",
// "chassis.x", "chassis.qw", "chassis.vx", "chassis.wx", general hinge "b.tx", "b.rz" (a second
// angle about the same axis: "b.rz2") and "b.tx_rate".
void mb_coordinate_name(const mb_body *body, int k, char out[96]);
void mb_velocity_name(const mb_body *body, int k, char out[96]);

// Whether word can be the name of something in a model: a name of the language of formulas without
// points and not one of its own words (ground, world, gravity, t, time). *why: what is wrong.
bool mb_name_valid(const char *word, const char **why);

// Values of all nodes of the graph, expr_node_count entries, from the values of the parameters; not
// a number where a node depends on another input.
void mb_model_values(const mb_model *model, double *value);

// The value of one node of `graph`, which is the model's graph or that of its shapes. Such numbers
// are literals, parameters or short formulas of them.
double mb_model_value(const mb_model *model, const expr_graph *graph, expr_id node);

// Everything that can be said about the whole before deriving: a tree without cycle, positive
// masses where something moves, inertias that a real body can have, unit axes, true symmetry,
// unique names, a start from which the motion is determined.
mc_status mb_model_check(const mb_model *model, mc_error *error);
