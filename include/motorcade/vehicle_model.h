// vehicle_model.h - the contract between the world and a kind of vehicle.
//
// A batch is n vehicles of one kind, in a layout of the kind's choice; the kind decides which
// parameters its vehicles share and which each has for itself. The world moves batches, finds out
// which vehicles touch, and exchanges impulses; it knows nothing else about a vehicle, so any kind
// can hit any other. To add a kind: fill in an mc_vehicle_kind and create batches whose first
// member is an mc_batch.
//
// Promises a kind makes:
// 1. advance moves every vehicle by itself: the result depends neither on its place in the batch,
//    nor on its neighbours, nor on how a range is split into calls.
// 2. Only create and destroy allocate. Calls on different vehicles may run at once.
// 3. restore(save()) restores the same bits, and the next advance gives the same bits as before.
// 4. An impulse changes velocities only. impulse_response is linear in the impulse and tells
//    exactly what apply_impulse would do to point_velocity.
//
// World axes: x forward, y left, z up (ISO 8855); SI units; points are in world coordinates.
//
// Threads: the world calls functions of a kind from several threads at once, each for other
// vehicles (2.). destroy, set_road and limit_step have the batch to themselves.
#pragma once

#include "motorcade/road.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

typedef struct mc_vehicle_kind mc_vehicle_kind;

typedef struct mc_batch {
    const mc_vehicle_kind *kind;
    int count; // vehicles
} mc_batch;

// The outer surface: { centre + axes s, |s| <= 1 }.
typedef struct mc_ellipsoid {
    double centre[3]; // m
    double axes[9];   // m, 3x3 row major: columns are the images of three orthogonal semi-axes
} mc_ellipsoid;

// How far and how fast the surface can reach until the next impulse.
typedef struct mc_reach {
    double centre[3];    // m, of a sphere around the surface
    double velocity[3];  // m/s, of that centre
    double radius;       // m, valid for any deformation of the body
    double spread;       // m/s, max speed of a surface point relative to the centre
    double acceleration; // m/s^2, max rate of change of either
} mc_reach;

typedef struct mc_energy {                    // J
    double kinetic, elastic, spring, gravity; // their sum is the total energy of the vehicle
    double vibration;                         // part of kinetic + elastic in the deformation modes
    // Since the start: what left the vehicle, and what the engine brought in.
    double damped;  // to the dampers of the suspension
    double slipped; // to slipping tyres
    double braked;  // to the brakes
    double dragged; // to air and rolling resistance
    double crushed; // to permanent deformation
    double driven;  // from the engine, at the wheels
} mc_energy;

// What a driver or controller does; held until set again. Part of the state.
typedef struct mc_inputs {
    double throttle;     // -, 0 closed .. 1 open: fraction of the throttle range
    double brake;        // -, 0 .. 1: fraction of the max brake force
    double steer;        // rad, angle of the steered wheels, left positive
    double acceleration; // m/s^2, desired: what a kind without engine and brake follows
} mc_inputs;

// Motion of the mass centre in the road's axes: x along the road, y left, psi from x to the left.
typedef struct mc_motion {
    double x, y, psi; // m, m, rad
    double v;         // m/s, along the heading
    double v_y;       // m/s, to the left of the heading
    double yaw_rate;  // rad/s
    double a;         // m/s^2, along the heading, at this instant
} mc_motion;

// Position and orientation of a body in space, in world axes. The directors are the images of the
// body's own axes, x first: orthogonal and of length 1 while it is not deformed.
typedef struct mc_pose {
    double position[3];       // m, mass centre
    double directors[9];      // -, director 1, 2, 3, each x, y, z
    double velocity[3];       // m/s
    double director_rates[9]; // 1/s
} mc_pose;

// What the actuators can do from here, according to the car's own maps: nominal mass, level road.
typedef struct mc_plan {
    double throttle; // -, 0..1, that gives the desired acceleration once the engine has settled
    double brake;    // -, 0..1, that gives it with the throttle closed
    double coast;    // m/s^2, acceleration with the throttle closed and no brake
} mc_plan;

// A number of a vehicle apart from its motion: engine speed, fuel, ...
typedef struct mc_channel {
    const char *name, *unit, *doc;
} mc_channel;

// A wheel at an instant, in its own axes: x forward in its plane, y left, z up.
typedef struct mc_wheel {
    double x, y;       // m, ahead and to the left of the vehicle's mass centre
    double steer;      // rad, from the heading to its plane, left positive
    double fx, fy, fz; // N, of the road on the wheel; fz: the load, 0 in the air
    double mu;         // -, friction of the road under it, relative to the dry road
    // How it stands and turns, for pictures. radius 0: not known, and the rest has no meaning.
    double radius; // m
    double lift;   // m, of its tyre above the road; below 0: pressed in
    double spin;   // rad/s, rolling forward positive
} mc_wheel;
enum { MC_WHEEL_MAX = 16 }; // of a vehicle

// The used share of the friction: tyre force over load times road friction. A tyre whose own
// friction coefficient is not 1 slides at that value.
double mc_wheel_use(const mc_wheel *wheel);

// A state of the equations of motion.
typedef struct mc_state_name {
    char name[64]; // "n", "w_lf", "chassis.pitch"
    char unit[48]; // "-" for a pure number
} mc_state_name;

// A vehicle that is a mechanism, taken off the road: for a bench (motorcade/multibody.h).
typedef struct mc_bench_value { // of a parameter, an input, or the start of a coordinate
    char name[100];
    double value; // SI
} mc_bench_value;
typedef struct mc_vehicle_bench {
    char *text;             // of a mechanism file
    mc_bench_value *values; // it has now; others are those of the text
    int value_count;
} mc_vehicle_bench;
void mc_vehicle_bench_free(mc_vehicle_bench *bench);

// The parameter that an FMU of a powertrain sets, N at the wheels; set_param of a kind knows it
// where its powertrain is one that can be given a force.
#define MC_ROW_OUTSIDE_FORCE "outside_force"

struct mc_vehicle_kind {
    const char *name;

    // ---- required: of every kind ----

    // Advances vehicles first .. first + count - 1 by duration seconds. The kind chooses its inner
    // step at or below its own bound.
    void (*advance)(mc_batch *batch, int first, int count, double duration);

    void (*surface)(const mc_batch *batch, int i, mc_ellipsoid *out);
    void (*reach)(const mc_batch *batch, int i, mc_reach *out);

    // Velocity of the material point that is at `point` now.
    void (*point_velocity)(const mc_batch *batch, int i, const double point[3], double out[3]);
    // Change of the velocity of `seen` if `impulse` (N s) acted at `point`.
    void (*impulse_response)(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3]);
    void (*apply_impulse)(mc_batch *batch, int i, const double point[3], const double impulse[3]);

    // Whole state of one vehicle as doubles, steering and other inputs included.
    int (*save_size)(const mc_batch *batch); // doubles
    void (*save)(const mc_batch *batch, int i, double *out);
    void (*restore)(mc_batch *batch, int i, const double *in);

    void (*energy)(const mc_batch *batch, int i, mc_energy *out);
    void (*momentum)(const mc_batch *batch, int i, double out[3]);     // N s
    void (*road_impulse)(const mc_batch *batch, int i, double out[3]); // N s, since the start
    double (*mass)(const mc_batch *batch, int i);                      // kg
    double (*gravity)(const mc_batch *batch);                          // m/s^2

    // Longest time over which the motion of the surface is smooth enough to find every contact from
    // its state at both ends: a fraction of the shortest period of vibration. s
    double (*contact_window)(const mc_batch *batch);

    void (*destroy)(mc_batch *batch);

    // ---- required of kinds that scenarios drive; NULL in one that only slides ----

    // Calls on a range read and write `count` entries, one per vehicle.
    void (*set_inputs)(mc_batch *batch, int first, int count, const mc_inputs *in);
    void (*motion)(const mc_batch *batch, int first, int count, mc_motion *out);
    // For the desired accelerations, m/s^2.
    void (*plan)(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out);

    // The road under all vehicles from now on; it outlives its use. NULL: level, friction 1.
    void (*set_road)(mc_batch *batch, const mc_road *road);

    // Numbers of a vehicle apart from its motion; the first is always n, engine speed in rpm (0: no
    // engine).
    const mc_channel *channels;
    int channel_count;
    void (*read_channels)(const mc_batch *batch, int i, double *out);

    // ---- optional: NULL in a kind that has no such thing ----

    // The channel `fuel` alone, kg, where that is quicker; NULL: ask for all.
    double (*fuel)(const mc_batch *batch, int i);

    // Changes a parameter of one vehicle during a run, by its name in the table; its motion
    // continues. False: the kind has no parameter of that name that can be changed.
    bool (*set_param)(mc_batch *batch, int i, const char *name, double value);
    // The value of such a parameter now; false: there is none of that name. NULL: the kind does not
    // say. A kind that has it has set_param too.
    bool (*get_param)(const mc_batch *batch, int i, const char *name, double *value);

    // Where the surface is not an ellipsoid: the ellipsoid that touches it at the point whose
    // outward unit normal is given, where both have the same tangent plane. False, or NULL: the
    // surface is that of `surface`; otherwise that is an approximation, for pictures.
    bool (*surface_toward)(const mc_batch *batch, int i, const double normal[3], mc_ellipsoid *out);

    // The vehicle in space; NULL for a kind that stays in the plane, where motion is sufficient.
    void (*pose)(const mc_batch *batch, int i, mc_pose *out);

    // The wheels now, left before right, from the front; how many, at most MC_WHEEL_MAX. NULL: a
    // kind without wheels, whose axles have no loads.
    int (*wheels)(const mc_batch *batch, int i, mc_wheel *out);

    // Acceleration of the mass centre to the left of the heading, m/s^2. NULL: v yaw_rate, the
    // acceleration of a kind that does not slip sideways.
    double (*lateral_acceleration)(const mc_batch *batch, int i);

    // Longest inner step from now on, s.
    void (*limit_step)(mc_batch *batch, double step);

    // Name and unit of number k of what `save` writes, of one that is a state. False: it is none.
    bool (*state_name)(const mc_batch *batch, int k, mc_state_name *out);

    // The path of the road that vehicle i is on from now on, and its station there, m (road.h);
    // part of the state. -1: not known, as it is until told: paths are then found by mc_road_at.
    void (*set_path)(mc_batch *batch, int i, int path, double station);

    // Vehicle i, which all but drives along x, does so exactly from now on: no heading, no motion
    // aside, wheels straight ahead. The energy of what ends is booked as slipped. NULL: it cannot.
    void (*straighten)(mc_batch *batch, int i);

    // Vehicle i as a mechanism of its own, as it is now. NULL: it is none.
    mc_status (*bench)(const mc_batch *batch, int i, mc_vehicle_bench *out, mc_error *error);

    // ---- of a kind whose vehicles are moved by another program; all of them, or all NULL ----

    // Once per control step, after set_inputs and before the advances of that step, in order of
    // vehicles: t and length of the step, s. Only here may a kind wait for anything.
    mc_status (*exchange)(mc_batch *batch, int i, double t, double step, mc_error *error);
    // State that save and restore cannot hold; *data: by malloc, the caller frees it. Restored
    // after restore. MC_BAD_INPUT: it cannot be saved.
    mc_status (*outside_save)(const mc_batch *batch, int i, void **data, size_t *size,
                              mc_error *error);
    mc_status (*outside_restore)(mc_batch *batch, int i, const void *data, size_t size,
                                 mc_error *error);
    // Vehicle j of `to`, whose state was just restored from vehicle i of `from`, continues with the
    // program of that one. One of the two batches is not used any more.
    void (*outside_take)(mc_batch *to, int j, const mc_batch *from, int i);
};

#include "motorcade/end.h"
