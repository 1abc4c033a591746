// running_gear.h - what carries, drives and brakes a vehicle: tyres, wheels, brakes, powertrain.
//
// A running gear is a set of parameters. gear_constants_of() makes of them the numbers that a
// vehicle's equations run on; what a vehicle is made of above its wheels is its own business:
//
//     running_gear gear;
//     running_gear_init(&gear);                        // defaults; then tyre, drive, powertrain
//     gear.nominal_mass = 1500.0;                      // the vehicle it stands under
//     gear_constants_of(&gear, engine_p, &constants);  // now constants.eval, .engine can be called
//
// Wheels stand in pairs on axles, in any number of these: wheel i on axle i / 2, the front axle
// first, on each the left wheel first. The front axle has its share of engine and brakes, the
// others share the rest alike; on an axle half acts on each wheel. Only the front axle is steered.
// The brakes are laid out for the nominal mass and stay so when the vehicle is loaded.
#pragma once

#include "motorcade/vehicle_model.h"
#include "parts/powertrain.h"
#include "parts/tyre_vertical.h"
#include "parts/wheel.h"

#include <stdbool.h>

// Wheels with spin, brakes, axles, drag.
enum {
    DRIVE_RADIUS,      // m, contact below the assembly point
    DRIVE_INERTIA,     // kg m^2, each wheel with its share of the shafts
    DRIVE_BRAKE_MAX,   // g, deceleration at brake = 1 by the nominal mass
    DRIVE_BRAKE_FRONT, // -, share of the front axle
    DRIVE_BRAKE_RATE,  // 1/s, eq 2 of the DYNAVIS report
    DRIVE_BRAKE_DELAY, // s
    DRIVE_HOLD,        // rad/s, parts/wheel.h
    DRIVE_FRONT,       // -, share of the engine's force at the front axle
    DRIVE_DRAG,        // N s^2/m^2, drag = c |v| v
    DRIVE_ROLL,        // -, rolling resistance over load
    DRIVE_PARAM_COUNT
};
extern const mc_param drive_params[DRIVE_PARAM_COUNT];

// Rows of drive_params that can be changed while a vehicle runs.
#define DRIVE_LIVE_ROWS(row)                                                                       \
    row(DRIVE_BRAKE_MAX) row(DRIVE_BRAKE_FRONT) row(DRIVE_FRONT) row(DRIVE_DRAG) row(DRIVE_ROLL)
#define DRIVE_LIVE_BIT(row) | 1ull << (row)
#define DRIVE_LIVE (0ull DRIVE_LIVE_ROWS(DRIVE_LIVE_BIT)) // bit k for row k
#define DRIVE_LIVE_ONE(row) +1
enum { DRIVE_LIVE_COUNT = 0 DRIVE_LIVE_ROWS(DRIVE_LIVE_ONE) };

enum { GEAR_AXLE_MAX = 8, GEAR_WHEEL_MAX = 2 * GEAR_AXLE_MAX };

typedef struct running_gear {
    int axle_count; // 2 .. GEAR_AXLE_MAX
    const tyre_kind *tyre;
    double tyre_p[TYRE_PARAM_MAX];
    double
        vertical[VERTICAL_PARAM_COUNT]; // tyres across the road, for vehicles without own springs
    bool driven; // the parameters below are used; false: the wheels roll freely
    double drive[DRIVE_PARAM_COUNT];
    const powertrain_kind *powertrain; // NULL: no engine
    double powertrain_p[POWERTRAIN_PARAM_MAX];
    double nominal_mass; // kg, of the vehicle that the brakes are laid out for
    double gravity;      // m/s^2, the same
} running_gear;

// All at their defaults, with two axles, the first tyre of the list and no drive; nominal mass 0.
void running_gear_init(running_gear *gear);

// Values of a vehicle that its running gear needs, beside the states of its wheels.
enum {
    EXTRA_BRAKE = 0,  // brake force over its maximum
    EXTRA_ENGINE = 1, // states of the powertrain
    EXTRA_MAX = EXTRA_ENGINE + POWERTRAIN_STATE_MAX,
};

// State k of a wheel (parts/wheel.h; without spin those of the tyre alone), and value k of the
// extra ones, by name. wheel: "lf".
void gear_wheel_state_name(const running_gear *gear, int k, const char *wheel, mc_state_name *out);
void gear_extra_name(const running_gear *gear, int k, mc_state_name *out);

// Its energy balance, sums since the start: impulse of the road (3, N s), work of dampers and of
// tyre slip (J); with a drive also work of brakes, of drag and rolling resistance, of the engine
// (J), energy in gravity (J), fuel (kg).
enum {
    SUM_IMPULSE = 0,
    SUM_DAMPED = 3,
    SUM_SLIPPED = 4,
    SUM_COUNT = 5, // without drive
    SUM_BRAKED = 5,
    SUM_DRAGGED = 6,
    SUM_DRIVEN = 7,
    SUM_GRAVITY = 8,
    SUM_FUEL = 9,
    SUM_MAX = 10 // with drive
};

enum { GEAR_ENGINE_SIZE = 4 * POWERTRAIN_PARAM_MAX }; // doubles of the engine's parameters

typedef struct gear_axle { // of each of its two wheels
    double engine_share;   // -, of the engine's force
    double brake_torque;   // N m, at full command
} gear_axle;

// Numbers that follow from a running gear with a drive.
typedef struct gear_constants {
    wheel_model wheel;
    wheel_eval *eval;
    powertrain_eval *engine; // NULL: none
    int engine_states;
    const double *engine_p; // four lanes per parameter
    double radius;          // m
    int axle_count;
    gear_axle axle[GEAR_AXLE_MAX];
    double brake_rate;   // 1/s
    double drag;         // N s^2/m^2
    double roll;         // -
    const mc_road *road; // NULL: level, friction 1
} gear_constants;

// Fills *out. engine_p: room for GEAR_ENGINE_SIZE doubles, aligned to 32 bytes. Both it and the
// gear, whose tyre parameters are read, are used as long as *out is.
void gear_constants_of(const running_gear *gear, double *engine_p, gear_constants *out);

// Changes a live parameter, and in *constants what follows from it; the road stays. Names in any
// case. False: no live parameter has that name, or the value is out of its range.
bool gear_set(running_gear *gear, const char *name, double value, double *engine_p,
              gear_constants *constants);
bool gear_get(const running_gear *gear, const char *name, double *value); // any row of drive_params

// Live parameters as part of a saved state.
void gear_save(const running_gear *gear, double out[DRIVE_LIVE_COUNT]);
bool gear_saved_valid(const double in[DRIVE_LIVE_COUNT]); // false: damaged
void gear_restore(running_gear *gear, const double in[DRIVE_LIVE_COUNT], double *engine_p,
                  gear_constants *constants);

// ---- one vehicle at an instant ----

// Arrays of one entry per wheel. Wheels go through the lanes four at a time: arrays
// hold gear_stride(count) wheels, and those past the last stand still in the air.
typedef struct gear_wheels {
    int count;
    // Given: load, velocities as in wheel.h, friction of the road, camber, and states: number k of
    // wheel i is at [k * stride + i].
    _Alignas(32) double fz[GEAR_WHEEL_MAX], v_x[GEAR_WHEEL_MAX], v_y[GEAR_WHEEL_MAX];
    _Alignas(32) double mu[GEAR_WHEEL_MAX], x[GEAR_WHEEL_MAX * WHEEL_STATE_MAX];
    _Alignas(32) double camber[GEAR_WHEEL_MAX]; // rad, about x
    // Found: forces of the road, torques of the engine and of the brake with rolling resistance,
    // and drives of the states.
    _Alignas(32) double fx[GEAR_WHEEL_MAX], fy[GEAR_WHEEL_MAX], drive[GEAR_WHEEL_MAX];
    _Alignas(32) double torque[GEAR_WHEEL_MAX], rate[GEAR_WHEEL_MAX * WHEEL_STATE_MAX];
    // Torque that the brake alone can hold, the same with rolling resistance; speed of the tread.
    _Alignas(32) double brake_max[GEAR_WHEEL_MAX], hold_max[GEAR_WHEEL_MAX];
    _Alignas(32) double v_roll[GEAR_WHEEL_MAX];
    _Alignas(32) double mz[GEAR_WHEEL_MAX]; // N m, aligning moments
    double engine_force;                    // N, at the wheels
    double rpm, fuel;                       // engine speed; kg/s
} gear_wheels;

// 1 for wheels on the left, -1 for those on the right.
extern const double gear_side[GEAR_WHEEL_MAX];

static inline int gear_stride(int wheel_count)
{
    return (wheel_count + 3) / 4 * 4;
}

// Wheels and engine with this throttle and brake force, over its maximum. engine, engine_rate: its
// states and their rates.
void gear_turn(const gear_constants *constants, double throttle, double brake, const double *engine,
               double *engine_rate, gear_wheels *w);

// Adds the work of engine, brakes, rolling resistance and slip to the rates of the sums, and sets
// that of the fuel.
void gear_sum(const gear_constants *constants, const gear_wheels *w, double sums[SUM_MAX]);

// Friction of the road under a wheel at x, as gear_turn and the kernels see it.
double gear_friction(const gear_constants *constants, double x);

// ---- what it can do ----

// Longest step, s, below a vehicle of this mass in kg: wheels (parts/wheel.h, to 70 m/s, at twice
// the load of rest) and engine.
double gear_step_bound(const running_gear *gear, const gear_constants *constants, double mass);

// Engine at one state: speed in rpm and force at the wheels, N; both 0 without engine.
void gear_engine(const running_gear *gear, double throttle, double v, const double *state,
                 double *rpm, double *force);

// What the actuators can do at speed v (vehicle_model.h): nominal mass with the spin of the wheels,
// drag, rolling resistance and the engine with closed throttle, level road.
mc_plan gear_plan(const running_gear *gear, double v, double desired);
// The same of `count` vehicles, with the same bits: their searches for the throttle go side by
// side.
void gear_plan_some(const running_gear *const *gear, int count, const double *v,
                    const double *desired, mc_plan *out);
