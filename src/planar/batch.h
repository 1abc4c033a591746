// batch.h - inside of a batch of planar cars, shared by the files of this folder.
//
// Vehicles are kept in blocks of four lanes: value s of lane l of a block is at [4 s + l]. A block
// has two such arrays: values (the state) and inputs (held between calls). All vehicles of a batch
// share one model.
#pragma once

#include "parts/brake.h"
#include "planar/model.h"
#include "road/road.h"

#include <stdbool.h>

enum { PLANAR_LANES = 4, PLANAR_WHEELS = 4 };

// Values. Those up to VALUE_WHEEL are the same for all models; then the states of the wheels
// (parts/wheel.h, four of each), brake and engine (EXTRA_*), the sums of the energy balance
// (SUM_*), and numbers that are not integrated (KEPT_*).
enum {
    VALUE_X, // m
    VALUE_Y,
    VALUE_PSI,    // rad
    VALUE_U,      // m/s
    VALUE_W,      // m/s
    VALUE_R,      // rad/s
    VALUE_LEAN_X, // m/s^2, that the loads follow
    VALUE_LEAN_Y,
    VALUE_WHEEL,
    KEPT_STEER = 0, // rad, of the front wheels
    KEPT_STATION,   // m, along the road: where to look for the vehicle next
    KEPT_PATH,      // of the road, if the vehicle was told; -1: not known
    KEPT_A,         // m/s^2, along the heading, at the last stage
    KEPT_COUNT,
    VALUE_MAX = VALUE_WHEEL + PLANAR_WHEELS * WHEEL_STATE_MAX + EXTRA_MAX + SUM_MAX + KEPT_COUNT
};

enum { // inputs
    INPUT_THROTTLE,
    INPUT_BRAKE, // behind the delay
    INPUT_STEER, // rad, commanded
    INPUT_GIVEN, // 3, N s: momentum at the start and impulses since
    INPUT_COUNT = INPUT_GIVEN + 3
};

typedef struct planar_constants {                          // that follow from a model
    double mass, inertia;                                  // kg, kg m^2
    double wheel_x[PLANAR_WHEELS], wheel_y[PLANAR_WHEELS]; // m, lf rf lr rr
    double half_tracks[2], roll_share[2];                  // m; -, front and rear
    double front, rear;                                    // m, mass centre to axles
    double cg_height, lean_rate;                           // m, 1/s
    steering steering;
    bool fourth; // order
    // N s/m, -dfx/dv_x of a rolling tyre under the load of rest; by_speed: at SLOPE_SPEED, and it
    // goes with 1/speed.
    double spin_slope;
    bool by_speed;
} planar_constants;

static const double SLOPE_SPEED = 10.0; // m/s

typedef struct planar_kernel {
    const planar_constants *constants;
    const gear_constants *gear;
    int wheel_states, extra_states;
    const double *decay; // 1/s: of the states of a wheel, then of the extra values
    bool level;          // the road tilts nothing
    bool dry;            // its friction is 1 everywhere
} planar_kernel;

static inline int planar_extra_place(const planar_kernel *k)
{
    return VALUE_WHEEL + PLANAR_WHEELS * k->wheel_states;
}

static inline int planar_sum_place(const planar_kernel *k)
{
    return planar_extra_place(k) + k->extra_states;
}

static inline int planar_kept_place(const planar_kernel *k)
{
    return planar_sum_place(k) + SUM_MAX;
}

// What the wheels of a block do now, wheel q of lane l at [4 q + l].
typedef struct planar_view {
    _Alignas(32) double fz[16], v_x[16], v_y[16], fx[16], fy[16], mu[16];
    _Alignas(32) double a_x[4], a_y[4]; // m/s^2, u' - w r and w' + u r
} planar_view;

// Moves one block by `steps` steps of h seconds.
typedef void planar_advance_block(const planar_kernel *k, double *values, const double *inputs,
                                  int steps, double h);
// What its wheels do now.
typedef void planar_look(const planar_kernel *k, const double *values, const double *inputs,
                         planar_view *out);
planar_advance_block planar_advance_plain, planar_advance_avx2;
planar_look planar_look_plain, planar_look_avx2;

typedef struct planar_batch {
    mc_batch base; // first: the world sees only this
    planar_model model;
    planar_constants constants;
    gear_constants gear;
    planar_kernel kernel;
    planar_advance_block *advance;
    planar_look *look;
    int values; // per vehicle
    double step;
    double decay[WHEEL_STATE_MAX + EXTRA_MAX];
    double *blocks, *inputs, *engine_p;
    double *brake_line; // BRAKE_LINE_SIZE per vehicle; NULL: no delay
} planar_batch;

static inline planar_batch *planar_own(mc_batch *batch)
{
    return (planar_batch *)batch;
}

static inline const planar_batch *planar_of(const mc_batch *batch)
{
    return (const planar_batch *)batch;
}

static inline double *planar_values(const planar_batch *b, int i) // value k at [4 k]
{
    const size_t block = (unsigned)i / PLANAR_LANES, lane = (unsigned)i % PLANAR_LANES;
    return b->blocks + block * (size_t)(PLANAR_LANES * b->values) + lane;
}

static inline double *planar_inputs(const planar_batch *b, int i)
{
    const size_t block = (unsigned)i / PLANAR_LANES, lane = (unsigned)i % PLANAR_LANES;
    return b->inputs + block * (PLANAR_LANES * INPUT_COUNT) + lane;
}

static inline double *planar_sum(const planar_batch *b, int i, int which)
{
    return planar_values(b, i) + PLANAR_LANES * (planar_sum_place(&b->kernel) + which);
}

static inline double *planar_kept(const planar_batch *b, int i, int which)
{
    return planar_values(b, i) + PLANAR_LANES * (planar_kept_place(&b->kernel) + which);
}

// batch.c
void planar_prepare(planar_batch *b); // numbers that follow from the parameters of the body
void planar_limit_step(mc_batch *batch, double step);

// body.c: a rigid body in the plane.
void planar_surface(const mc_batch *batch, int i, mc_ellipsoid *out);
void planar_reach(const mc_batch *batch, int i, mc_reach *out);
void planar_point_velocity(const mc_batch *batch, int i, const double point[3], double out[3]);
void planar_impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3]);
void planar_apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3]);
void planar_energy(const mc_batch *batch, int i, mc_energy *out);
void planar_momentum(const mc_batch *batch, int i, double out[3]);
void planar_road_impulse(const mc_batch *batch, int i, double out[3]);

// drive.c: inputs of a driver, what a driver sees, live parameters.
void planar_set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in);
void planar_motion(const mc_batch *batch, int first, int count, mc_motion *out);
void planar_plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out);
void planar_set_road(mc_batch *batch, const mc_road *road);
void planar_set_path(mc_batch *batch, int i, int path, double station);
int planar_wheels(const mc_batch *batch, int i, mc_wheel *out);
double planar_lateral_acceleration(const mc_batch *batch, int i);
enum { PLANAR_CHANNEL_COUNT = 33 };
extern const mc_channel planar_channels[PLANAR_CHANNEL_COUNT];
void planar_read_channels(const mc_batch *batch, int i, double *out);
double planar_fuel(const mc_batch *batch, int i);
bool planar_set_param(mc_batch *batch, int i, const char *name, double value);
bool planar_get_param(const mc_batch *batch, int i, const char *name, double *value);
enum { PLANAR_SAVED_PARAMS = 1 + DRIVE_LIVE_COUNT };
void planar_save_params(const planar_batch *b, double out[PLANAR_SAVED_PARAMS]);
void planar_restore_params(planar_batch *b, const double in[PLANAR_SAVED_PARAMS]);
