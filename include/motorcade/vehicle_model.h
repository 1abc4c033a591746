// vehicle_model.h - the contract between the world and a kind of vehicle.
//
// A batch is n vehicles of one kind with one set of parameters, laid out as the kind likes. The
// world moves batches, finds out who touches whom, and exchanges impulses; it knows nothing else of
// a vehicle, so any kind can hit any other. To add a kind: fill an mc_vehicle_kind and make batches
// whose first member is an mc_batch.
//
// Promises a kind makes:
// 1. advance moves every vehicle by itself: the result depends neither on its place in the batch,
//    nor on its neighbours, nor on how a range is cut into calls.
// 2. No call but create and destroy allocates. Calls on different vehicles may run at once.
// 3. restore(save()) gives the same bits back, and the next advance the same bits as before.
// 4. An impulse changes velocities only. impulse_response is linear in the impulse and tells
//    exactly what apply_impulse would do to point_velocity.
//
// World axes: x forward, y left, z up (ISO 8855); SI units; points are in world coordinates.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    double radius;       // m, holds with whatever the body may deform
    double spread;       // m/s, greatest speed of a surface point relative to the centre
    double acceleration; // m/s^2, greatest change of either
} mc_reach;

typedef struct mc_energy {                    // J
    double kinetic, elastic, spring, gravity; // their sum is the total energy of the vehicle
    double vibration; // part of kinetic + elastic that sits in the modes of deformation
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
    double throttle;     // -, 0 closed .. 1 open: share of the range of the engine
    double brake;        // -, 0 .. 1: share of the greatest brake force
    double steer;        // rad, angle of the steered wheels, left positive
    double acceleration; // m/s^2, wanted: what a kind without engine and brake follows
} mc_inputs;

// Motion of the mass centre in the road's axes: x along the road, y left, psi from x to the left.
typedef struct mc_motion {
    double x, y, psi; // m, m, rad
    double v;         // m/s, along the heading
    double v_y;       // m/s, to the left of the heading
    double yaw_rate;  // rad/s
    double a;         // m/s^2, along the heading, at this instant
} mc_motion;

// What the actuators can do from here, as the maker of the car knows it: nominal mass, level road.
typedef struct mc_plan {
    double throttle; // -, 0..1, that gives the wanted acceleration once the engine has settled
    double brake;    // -, 0..1, that gives it with the throttle closed
    double coast;    // m/s^2, acceleration with the throttle closed and no brake
} mc_plan;

// One number a kind shows beside its motion: engine speed, fuel, ...
typedef struct mc_channel {
    const char *name, *unit, *doc;
} mc_channel;

struct road; // where the vehicles drive: slope and friction along x

struct mc_vehicle_kind {
    const char *name;

    // Moves vehicles first .. first + count - 1 on by duration seconds. The kind chooses its inner
    // step at or below its own bound.
    void (*advance)(mc_batch *batch, int first, int count, double duration);

    // Calls on a range read and write `count` entries, one a vehicle.
    void (*set_inputs)(mc_batch *batch, int first, int count, const mc_inputs *in);
    void (*motion)(const mc_batch *batch, int first, int count, mc_motion *out);
    // wanted: accelerations, m/s^2.
    void (*plan)(const mc_batch *batch, int first, int count, const double *wanted, mc_plan *out);

    // The road under all vehicles from now on; it outlives its use. NULL: level, friction 1.
    void (*set_road)(mc_batch *batch, const struct road *road);

    // Numbers a vehicle shows beside its motion; the first is always n, engine speed in rpm (0: no
    // engine).
    const mc_channel *channels;
    int channel_count;
    void (*read_channels)(const mc_batch *batch, int i, double *out);
    // The channel `fuel` alone, kg, where that is quicker; NULL: ask for all.
    double (*fuel)(const mc_batch *batch, int i);

    // Changes a parameter of one vehicle by the name in its table while it runs; its motion goes
    // on. False: the kind has none of that name that can be changed.
    bool (*set_param)(mc_batch *batch, int i, const char *name, double value);
    // The value of such a parameter now; false: there is none of that name. NULL: the kind does not
    // say.
    bool (*get_param)(const mc_batch *batch, int i, const char *name, double *value);

    // Longest inner step from now on, s; NULL for a kind that has none.
    void (*limit_step)(mc_batch *batch, double step);

    void (*surface)(const mc_batch *batch, int i, mc_ellipsoid *out);
    void (*reach)(const mc_batch *batch, int i, mc_reach *out);

    // Velocity of the material point that is at `point` now.
    void (*point_velocity)(const mc_batch *batch, int i, const double point[3], double out[3]);
    // Change of the velocity of `seen`, were `impulse` (N s) to act at `point`.
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

    // Longest time over which the motion of the surface is smooth enough to find every touch by
    // looking at its ends: a fraction of the shortest period of vibration. s
    double (*contact_window)(const mc_batch *batch);

    void (*destroy)(mc_batch *batch);
};

#ifdef __cplusplus
}
#endif
