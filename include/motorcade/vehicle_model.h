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
    double damped;    // given to the dampers since the start
    double slipped;   // given to the road by slipping tyres since the start
} mc_energy;

struct mc_vehicle_kind {
    const char *name;

    // Moves vehicles first .. first + count - 1 on by duration seconds. The kind chooses its inner
    // step at or below its own bound.
    void (*advance)(mc_batch *batch, int first, int count, double duration);

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
