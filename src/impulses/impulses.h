// impulses.h - rigid bodies by impulses: a mechanism over time in maximal coordinates.
//
// The model is plain numbers, made by a caller (mechanism/impulses.c makes it of a mechanism file).
// Formulas are a callback. The engine owns its memory; a step allocates nothing.
//
//     impulses *e = impulses_create(&model, &error);
//     impulses_start(e, 0.0, y);              // coordinates, velocities, states
//     while (..) impulses_step(e, 1e-3);
//     impulses_read(e, y);
//
// Same model, same steps, same bits. Threads: one engine, one thread at a time.
#pragma once

#include "base/arena.h"
#include "contact/hull.h"
#include "multibody/model.h"

#include <stdbool.h>

enum { IMPULSE_PLANES_MAX = 5 };

typedef struct impulse_body { // and the joint on which it hangs
    const char *name;
    int body;    // number in the mechanism
    int inboard; // before it in the list; -1: ground
    mb_joint joint;
    double mass, inertia[9]; // kg, kg m2 about the mass centre, body axes
    double com[3];           // m, body frame
    double on_inboard[3];    // m, the joint from the inboard mass centre (ground: origin)
    double on_body[3];       // m, the joint from the mass centre
    double inboard_axes[9];  // of the joint, columns, in the frame of the inboard body
    double body_axes[9];     // and in that of the body
    double axis[3];          // hinge, prism: unit vector in the axes of the joint
    double axis_on_inboard[3], axis_on_body[3];        // the same in the frames of the bodies
    double across_on_inboard[2][3], across_on_body[3]; // unit vectors across it, right-handed
    int sequence[3];
    bool free[6];
    double held[6];
    bool euler, quasi_velocity;
    int q, v, freedom; // first coordinate and velocity; first of the engine's freedoms
    int freedom_count;
    double stiffness, damping, rest, load; // along a hinge or prism
    int formula;                           // value of the program that is the whole load; -1: none
    bool has_load;                         // any of these
    // Set by the engine:
    bool diagonal;                              // its inertia
    double inboard_columns[9], body_columns[9]; // the axes by columns
} impulse_body;

typedef struct impulse_point {
    int body;     // -1: ground
    double at[3]; // m, from the mass centre (ground: origin), body axes
} impulse_point;

typedef struct impulse_spring {
    impulse_point from, to;
    double stiffness, damping, length;
    int formula; // value that is the whole force, positive apart; -1: none
} impulse_spring;

typedef struct impulse_force { // at a point, or a torque on a body
    impulse_point at;
    bool torque, in_body;
    int formula; // first of three values; -1: constant
    double value[3];
} impulse_force;

// A row beside the tree: e = 0 by the velocities v of the mechanism.
typedef struct impulse_beside {
    int count;
    const int *velocity; // places in v
    int formula;         // first of count entries, then e', the part of e'' without v', e
    int push_count;      // bodies on which it acts beside the tree's joints, for their loads
    const int *push_body;
    int push_formula; // first of 6 for each: torque about its origin, force, its axes, per lambda
} impulse_beside;

// Where a wheel meets the ground, in one of its planes.
typedef struct impulse_touch {
    double gap;         // m, of the plane's circle; negative: below; at least `reach` where farther
    double point[3];    // m, of the ground, world
    double normal[3];   // unit, of the ground, away from it
    double friction;    // of the ground, a factor of the wheel's; NAN: 1
    double restitution; // of the ground; NAN: that of the wheel
} impulse_touch;

typedef struct impulse_wheel {
    const char *name;
    int body;
    double at[3];         // m, its centre from the mass centre, body axes
    double axis[3];       // unit, body axes
    double radius, width; // m
    int planes;
    double friction, restitution;
    double stiffness, damping; // of the tyre across the ground; stiffness 0: rigid
    double slip;               // m/s, of a tyre, above 0: at which friction has 0.71 of its limit
} impulse_wheel;

typedef struct impulse_shape { // of a body, about its mass centre, body axes
    hull hull;
    bool round;       // a cylinder: its hull is a prism, the ground meets its rims
    double end[2][3]; // m, the middles of its ends
    double axis[3];   // unit
    double rim;       // m, their radius
} impulse_shape;

// Two bodies that touch by their shapes, or one and the ground.
typedef struct impulse_pair {
    const char *name;
    int body, other; // other: -1: ground
    const impulse_shape *shape, *against;
    double friction, restitution;
} impulse_pair;

typedef struct impulse_limit { // of a joint with one coordinate
    int body;
    double min, max, restitution;
} impulse_limit;

typedef struct impulse_motor {
    int body;
    double speed;                   // rad/s or m/s
    double max;                     // N m or N
    int speed_formula, max_formula; // values of the program; -1: the numbers
} impulse_motor;

typedef enum impulse_friction { IMPULSE_CONE, IMPULSE_BOX } impulse_friction;

// How impulses are found: rows of a table. NULL: no more.
typedef struct impulse_solver impulse_solver;
const impulse_solver *impulse_solver_at(int index);
const char *impulse_solver_name(const impulse_solver *solver);
const char *impulse_solver_doc(const impulse_solver *solver);

typedef struct impulse_settings {
    const impulse_solver *solver; // NULL: the first of the table
    impulse_friction friction;
    int iterations;   // at most, of contacts, limits and motors
    double tolerance; // m/s, change of a velocity in an iteration at which it ends
    double closed;    // m, joints are closed to this after each step
    int substeps;     // of springs and dampers within a step
    bool loads;       // of joints are asked for
} impulse_settings;

typedef struct impulse_disc {  // a wheel where it is
    double centre[3], axis[3]; // m; unit, to its left
    double radius, width;      // m
    int planes;
    bool tyre; // may be pressed in; else it is rigid
} impulse_disc;

typedef struct impulse_ground {
    const void *context;
    // Every plane of a wheel, gaps exact up to `reach`.
    void (*meet)(const void *context, const impulse_disc *disc, double reach,
                 impulse_touch out[IMPULSE_PLANES_MAX]);
    // No gap shrinks faster than this, m/s, within `reach`.
    double (*approach)(const void *context, const impulse_disc *disc, double reach,
                       const double v[3], const double omega[3]);
    // The ground under a point: the gap of the point above its tangent plane there.
    void (*under)(const void *context, const double at[3], impulse_touch *out);
} impulse_ground;

extern const impulse_ground impulse_plane; // z = 0

typedef struct impulse_model {
    impulse_body *bodies;
    int body_count, q_count, v_count, state_count;
    double gravity[3];
    impulse_spring *springs;
    impulse_force *forces;
    impulse_beside *beside;
    impulse_wheel *wheels;
    impulse_pair *pairs;
    impulse_limit *limits;
    impulse_motor *motors;
    int spring_count, force_count, beside_count, wheel_count, limit_count, motor_count;
    int pair_count;
    impulse_ground ground;
    // Formulas; NULL: none. y: coordinates, velocities, states.
    void (*program)(void *context, double t, const double *y, double *out);
    void *context;
    int formula_count, rate_formula; // values; the first rate of a state
    impulse_settings settings;
} impulse_model;

typedef struct impulse_report { // of the last step
    int iterations;             // of contacts and limits
    double reached;             // m/s, change of velocity in the last one
    double open;                // m, by which a joint stays open at most
    int corrections;            // rounds in which joints were closed
    int impacts;                // so far
    double gained, lost;        // J, by impacts so far
    bool singular;
} impulse_report;

typedef struct impulses impulses;

impulse_settings impulse_settings_default(void);
// The arrays of the model must outlive the engine. NULL: no memory.
impulses *impulses_create(const impulse_model *model, mc_error *error);
void impulses_destroy(impulses *e);

void impulses_start(impulses *e, double t, const double *y);
void impulses_read(impulses *e, double *y); // coordinates, velocities, states now
double impulses_time(const impulses *e);
mc_status impulses_step(impulses *e, double h, mc_error *error);
const impulse_report *impulses_report_of(const impulses *e);

// Mass centre of body i (of the list), m, and its turn, body to world, rows.
void impulses_body_place(const impulses *e, int i, double centre[3], double R[9]);

// Mean load of the joint of body i (of the list) over the last step: force and torque of the
// inboard body on this one at the joint, in the axes of the joint on the inboard body.
void impulses_joint_load(const impulses *e, int i, double force_torque[6]);
// Mean force of the ground on a wheel over the last step: along the normal, the direction of
// rolling, across it. N.
void impulses_wheel_force(const impulses *e, int wheel, double force[3]);
// The same of a pair, on its first body: away from the other, along the direction of the face that
// is across y, across both. N.
void impulses_pair_force(const impulses *e, int pair, double force[3]);
// Mean multiplier of row i beside the tree over the last step.
double impulses_multiplier(const impulses *e, int i);

// The state as one block.
int impulses_state_count(const impulses *e);
void impulses_save(const impulses *e, double *block);
void impulses_restore(impulses *e, const double *block);
