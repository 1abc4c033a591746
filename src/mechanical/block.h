// block.h - vehicles of a batch advanced together: four in the lanes of a block, some blocks in a
// pack, so that each program of the mechanism is run once for all of them.
//
// Every lane does the operations of rate.c in their order, so a vehicle has the same bits alone, in
// a pack, and at each place of it. Lanes go at their own pace: where a command reaches the brakes
// of one vehicle, its step is cut and the others' are not. Lanes without a vehicle repeat the last
// one, their results are dropped.
#pragma once

#include "base/cpu.h"
#include "mechanical/batch.h"

enum { BLOCK = 4, PACK_BLOCKS = 2, PACK_MAX = BLOCK * PACK_BLOCKS };

typedef struct block { // of arrays, value s of lane l is at [4 s + l]
    vehicle *vehicle[BLOCK];
    bool moves[BLOCK];            // false: no vehicle, or it has arrived
    double *z, *middle, *k[4];    // as of a vehicle
    double *x, *see, *out;        // behind each other in all blocks of a pack
    _Alignas(32) double h[BLOCK]; // s, this step
    _Alignas(32) double throttle[BLOCK], brake[BLOCK], steer[BLOCK];
    _Alignas(32) double cosine[BLOCK], sine[BLOCK]; // of steer
} block;

typedef struct block_ground {                       // what the road says at an instant
    _Alignas(32) double lean[3 * BLOCK];            // m/s^2, gravity beside its level part
    _Alignas(32) double mu[GEAR_WHEEL_MAX * BLOCK]; // -, and of the surface under each wheel:
    _Alignas(32) double bump[GEAR_WHEEL_MAX * BLOCK], slope_x[GEAR_WHEEL_MAX * BLOCK];
    _Alignas(32) double slope_y[GEAR_WHEEL_MAX * BLOCK];
} block_ground;

typedef struct block_code {
    // As vehicle_act: loads to x, rates to dz; from see.
    void (*act)(const multibody_batch *b, block *k, const block_ground *g, const double *z,
                double *dz);
    // out = z + part h rate
    void (*reach)(int count, const block *k, double part, const double *rate, double *out);
    void (*finish)(int count, block *k); // z after the four stages
    // Largest of a, per lane; NAN if there is one.
    void (*largest)(int count, const double *a, double out[BLOCK]);
    void (*add)(int count, const bool which[BLOCK], const double *a, double *z); // z += a
} block_code;

extern const block_code block_code_plain, block_code_avx2;
extern const block_code *const block_code_at[CPU_LEVEL_COUNT];

// Doubles that each vehicle brings to a pack: vehicle.room.
int block_room(const multibody_batch *b);

// Advances `count` vehicles, 2 to PACK_MAX, for all of which vehicle_is_like() is true.
void pack_advance(const multibody_batch *b, vehicle *vehicles, int count, double duration);

// Whether both can be in a pack: the same parameters.
bool vehicle_is_like(const multibody_batch *b, const vehicle *one, const vehicle *other);
