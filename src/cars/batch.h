// batch.h - inside of a batch of cars, shared by the files of this folder.
//
// Cars are kept in blocks of eight: value s of car l of a block is at [8 s + l]. A block has three
// such arrays: values (integrated), inputs (held between calls), constants (from the parameters).
//
// World axes. z = 0 is the plane of the mass centres: the deformable vehicle counts the height of
// its mass centre from there, and so the centres of all surfaces lie near z = 0 and cars of any two
// kinds meet bumper to bumper.
#pragma once

#include "base/gravity.h"
#include "cars/car.h"
#include "road/road.h"

#include <stdbool.h>

enum { CAR_BLOCK = 8 };

enum { // values
    VALUE_X,
    VALUE_U,      // m/s, along the heading
    VALUE_FORCE,  // N, brake force; the point car: m/s^2, its acceleration before limits of speed
    VALUE_ENGINE, // states of the powertrain
    VALUE_Y = VALUE_ENGINE + POWERTRAIN_STATE_MAX,
    VALUE_PSI,
    VALUE_W,        // m/s, to the left of the heading
    VALUE_R,        // rad/s
    VALUE_DRIVEN,   // J, energy totals from here on
    VALUE_BRAKED,   // J
    VALUE_DRAGGED,  // J
    VALUE_FUEL,     // kg
    VALUE_DISTANCE, // m
    VALUE_SLIPPED,  // J
    VALUE_COUNT_INTEGRATED,
    VALUE_A =
        VALUE_COUNT_INTEGRATED, // m/s^2, along the heading, at the last stage of the last step
    VALUE_STEER,                // rad, of the wheels; the bicycle only
    VALUE_STATION,              // m, along the road: where to look for the car next
    VALUE_PATH,                 // of the road, if the car was told; -1: not known
    VALUE_COUNT
};

enum { // inputs
    INPUT_THROTTLE,
    INPUT_STEER,
    INPUT_DESIRED, // m/s^2
    INPUT_COMMAND, // N, brake force command in effect
    INPUT_BRAKE,   // -, as set last; behind the delay it becomes the command
    INPUT_QUEUED,  // how many commands are under way
    INPUT_CLOCK,   // s, since the car was placed
    INPUT_GIVEN,   // 3, N s: momentum at the start and impulses since; z: impulses taken up
    INPUT_COUNT = INPUT_GIVEN + 3
};

enum { // constants
    CONSTANT_MASS,
    CONSTANT_MASS_INVERSE,
    CONSTANT_INERTIA_INVERSE,
    CONSTANT_DRAG_0,
    CONSTANT_DRAG_1,
    CONSTANT_DRAG_2,
    CONSTANT_DRAG_SLOW, // N s/m, up to 0.4 m/s
    CONSTANT_BRAKE_RATE,
    CONSTANT_SPEED_MAX,
    CONSTANT_FRONT,
    CONSTANT_REAR,
    CONSTANT_STIFFNESS, // N/rad, of an axle
    CONSTANT_GRIP,      // N, on a level road of friction 1; NO_GRIP_LIMIT: none
    CONSTANT_BRAKE_MAX, // N, of the brake
    CONSTANT_BRAKE_DELAY,
    CONSTANT_NOMINAL,      // kg, what plan() assumes
    CONSTANT_RADIUS,       // m, of a sphere around the surface
    CONSTANT_ACCELERATION, // m/s^2, the most a straight car does
    CONSTANT_BELOW,        // m/s, kinematic below; the bicycle only, from here on
    CONSTANT_AXLE_FRONT,   // N/rad; single track: 1/rad
    CONSTANT_AXLE_REAR,
    CONSTANT_CG_HEIGHT,
    CONSTANT_INERTIA,
    CONSTANT_STEER_LAG,
    CONSTANT_STEER_RATE,
    CONSTANT_STEER_MAX,
    CONSTANT_COUNT
};

static const double SLOW = 0.4;            // m/s, where eq 5 changes
static const double TURN_SPEED_MIN = 4;    // m/s, minimum speed in slip angles (eq 1)
static const double NO_GRIP_LIMIT = 1e300; // N
static const double BRAKES_MAX = 50.0;     // m/s^2, no bicycle brakes harder
static const double SLIDE_TIME = 0.05;     // s, in which a slide of a kinematic bicycle dies out
static const double CUT_NEAR = 10.0;       // m/s, no car comes so much nearer its top in a step
static const double LIVELY = 0.5;          // rpm, see step_lanes.c
static const double STRAIGHT_AHEAD = 1e-8; // rad, of a bicycle that drives straight ahead

// A brake command on its way. Commands closer together than delay/QUEUE_LENGTH share a place: the
// later value comes at the earlier time.
enum { QUEUE_LENGTH = 48, QUEUE_PLACES = QUEUE_LENGTH + 2 };
typedef struct queued {
    double due, command; // s, N
} queued;

typedef struct car_batch car_batch;
typedef struct car_kernel car_kernel;

// One step from `from` to `to`, which is the same block or a copy of it: values that do not change
// are not written. In place, k->kept gets the block as it was if any bit of the answer is set.
// Returns bit l for each car l whose equations changed on the way (a kink, a jump, a stop): that
// step must be cut there. Bit 8 + l: the engine moves too fast for so long a step.
typedef int car_step(car_kernel *k, const double *from, double *to);

struct car_kernel {        // one step of one block
    car_step *roll, *turn; // the steps of blocks that need no more
    powertrain_eval *eval;
    bool built_in; // the powertrain is that of powertrain_built_in.h
    int states;    // of the powertrain
    car_lateral lateral;
    const double *p; // its parameters, of this block
    powertrain_hold *hold;
    double *held; // by hold(), if has_held; the kernel makes it when it needs it
    bool has_held;
    double *kept; // where a step in place keeps the values it writes over; NULL: nowhere
    const double *constants;
    const double *inputs;
    const road *road; // NULL: level, friction 1
    bool relief;      // the road must be asked place by place
    int used;         // bit l: place l belongs to a car
    // By the kernel: does any car of the block turn, have a grip limit, near its top speed, drive
    // slowly?
    bool turning, gripping, cutting, slow;
    bool rolling; // all drive straight ahead, with nothing in their way
    // Step of all cars, s, and the number of cars: unused places stand still. A scalar is at once
    // available for all lanes; a row stored in pieces would stall the load.
    double h, cars;
    bool each;                           // not h: each car has its own step
    _Alignas(64) double own[CAR_BLOCK];  // s
    _Alignas(64) double mode[CAR_BLOCK]; // out: -1, 1: moves; 0: stands on its brake
    _Alignas(64) double side[CAR_BLOCK]; // out, of cars that turn: m/s^2, rate of w at the end
};

car_step car_step_plain, car_step_avx2;
car_step car_roll_plain, car_roll_avx2, car_roll_avx512; // for cars that roll: `rolling`

// The same for bicycles that turn at speed, with the built-in powertrain: neither `slow`,
// `gripping` nor `cutting`, on a level road.
car_step car_turn_plain, car_turn_avx2, car_turn_avx512;

// Which bicycles of a block do not just roll.
typedef int car_busy(car_kernel *k, const double *from);
car_busy car_busy_plain, car_busy_avx2;

// A step in place of a whole block and of one with at most four cars, whose chains of operations go
// side by side; found: their answers. Both kernels keep what they write over.
typedef void car_step_two(car_kernel *k, double *values, car_kernel *more, double *more_values,
                          int found[2]);
car_step_two car_step_two_plain, car_step_two_avx2;
car_step_two car_roll_two_plain, car_roll_two_avx2; // both `rolling` and `built_in`

// Acceleration force with the throttle closed, by speed: COAST_STEP m/s from point to point.
enum { COAST_POINTS = 289 };
static const double COAST_STEP = 0.25;

// What the actuators of one to twelve cars can do; first: a multiple of four. More would not fit
// into the window of the processor; fewer do not fill it.
enum { CAR_PLAN_MAX = 12, CAR_PLAN_BLOCKS = 3 };
typedef void car_plan_block(const car_batch *b, int first, int count, const double *desired,
                            mc_plan *out);
car_plan_block car_plan_block_plain, car_plan_block_avx2;
car_plan_block car_plan_block_avx512; // of one to CAR_PLAN_BLOCKS whole blocks

// Inputs and motions of one to four cars; first: a multiple of four. Setting answers with bit l for
// each car whose brake command has to wait its turn; places behind the last car get no inputs.
typedef int car_set_four(const car_batch *b, int first, int count, const mc_inputs *in);
typedef void car_motion_four(const car_batch *b, int first, int count, mc_motion *out);
car_set_four car_set_four_plain, car_set_four_avx2;
car_motion_four car_motion_four_plain, car_motion_four_avx2;

typedef struct car_settled { // what a car settled to at a speed
    bool valid;
    car of;
    double speed, throttle, x[POWERTRAIN_STATE_MAX];
} car_settled;

typedef struct car_slip { // the longest stable step of side slip: time max(speed, from)
    double time;          // s per m/s
    double from;          // m/s
} car_slip;

struct car_batch {
    mc_batch base; // first: the world sees only this
    const powertrain_kind *powertrain;
    car_lateral lateral;
    powertrain_hold *hold;
    powertrain_eval *eval;
    powertrain_plan *plan;
    car_step *step_kernel, *roll_kernel, *turn_kernel;
    car_busy *busy;
    car_step_two *step_two;
    car_plan_block *plan_block;
    car_plan_block *plan_whole; // of whole blocks; NULL: as of any cars
    car_set_four *set_four;
    car_motion_four *motion_four;
    const road *road;
    bool relief;                             // the road must be asked place by place
    double step;                             // s, longest inner step
    double bound;                            // s, minimum limit of all cars: only a shortcut
    double slip_bound;                       // s/(m/s), minimum slip time of bicycles: likewise
    car *cars;                               // parameters as set
    double *limit;                           // s, longest stable step, one per car
    car_slip *slip;                          // of bicycles, one per car
    double *values, *inputs, *constants, *p; // blocks
    // Blocks of cars that are all alike read the constants and parameters of the first such block:
    // those of ten thousand like cars then stay in the nearest cache.
    int *alike;          // by block: the block whose constants and parameters it reads
    unsigned char *even; // by block: its cars are alike
    queued *queue;       // QUEUE_PLACES per car
    // Tables of the force with the throttle closed, two places a car: place i for car i and all
    // that are like it at the start, place count + i for car i once it is no longer.
    double *coast;
    int *coast_place;    // one per car
    int places;          // cars and unused places
    car_settled settled; // the last one
};

static inline car_batch *car_own(mc_batch *batch)
{
    return (car_batch *)batch;
}

static inline const car_batch *car_look(const mc_batch *batch)
{
    return (const car_batch *)batch;
}

static inline double *car_place(double *blocks, int count, int i)
{
    const size_t at = (unsigned)i; // not negative: shifts instead of divisions
    return blocks + at / CAR_BLOCK * (size_t)(count * CAR_BLOCK) + at % CAR_BLOCK;
}

static inline double *car_values(const car_batch *b, int i) // value k at [8 k]
{
    return car_place(b->values, VALUE_COUNT, i);
}

static inline double *car_inputs(const car_batch *b, int i)
{
    return car_place(b->inputs, INPUT_COUNT, i);
}

// Constants and parameters of the powertrain of car i; the cars behind it in its block follow.
static inline const double *car_shared(const car_batch *b, const double *blocks, int count, int i)
{
    const size_t at = (unsigned)i, block = (unsigned)b->alike[at / CAR_BLOCK];
    return blocks + block * (size_t)(count * CAR_BLOCK) + at % CAR_BLOCK;
}

static inline const double *car_constants(const car_batch *b, int i)
{
    return car_shared(b, b->constants, CONSTANT_COUNT, i);
}

static inline const double *car_engine_p(const car_batch *b, int i)
{
    return car_shared(b, b->p, b->powertrain->param_count, i);
}

// car.c
void car_prepare(car_batch *b, int i); // constants of car i from its parameters
void car_coast_fill(car_batch *b, int i, int place);

// body.c: what both kinds share as rigid bodies in the plane.
void car_surface(const mc_batch *batch, int i, mc_ellipsoid *out);
void car_reach(const mc_batch *batch, int i, mc_reach *out);
void car_point_velocity(const mc_batch *batch, int i, const double point[3], double out[3]);
void car_impulse_response(const mc_batch *batch, int i, const double point[3],
                          const double impulse[3], const double seen[3], double out[3]);
void car_apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3]);
void car_energy(const mc_batch *batch, int i, mc_energy *out);
void car_momentum(const mc_batch *batch, int i, double out[3]);
void car_road_impulse(const mc_batch *batch, int i, double out[3]);
double car_mass(const mc_batch *batch, int i);
double car_gravity(const mc_batch *batch);
double car_contact_window(const mc_batch *batch);
void car_motion(const mc_batch *batch, int first, int count, mc_motion *out);
void car_straighten(mc_batch *batch, int i);

// body.c: m, of the plane of the road under car i, bumps left out; *station: along it.
double car_road_height(const car_batch *b, int i, double *station);

// state.c: inputs, saved states, parameters while running.
void car_set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in);
void car_set_road(mc_batch *batch, const road *r);
void car_set_path(mc_batch *batch, int i, int path, double station);
void car_limit_step(mc_batch *batch, double step);
bool car_set_param(mc_batch *batch, int i, const char *name, double value);
bool car_get_param(const mc_batch *batch, int i, const char *name, double *value);
int car_save_size(const mc_batch *batch);
bool car_state_name(const mc_batch *batch, int k, mc_state_name *out);
void car_save(const mc_batch *batch, int i, double *out);
void car_restore(mc_batch *batch, int i, const double *in);
void car_destroy(mc_batch *batch);
void car_take_command(const car_batch *b, int i); // commands that are due become effective

// The rows of a kind of car that these fill.
#define CAR_SHARED                                                                                 \
    .set_inputs = car_set_inputs, .motion = car_motion, .set_road = car_set_road,                  \
    .set_path = car_set_path, .straighten = car_straighten, .set_param = car_set_param,            \
    .get_param = car_get_param, .limit_step = car_limit_step, .surface = car_surface,              \
    .reach = car_reach, .point_velocity = car_point_velocity,                                      \
    .impulse_response = car_impulse_response, .apply_impulse = car_apply_impulse,                  \
    .save_size = car_save_size, .state_name = car_state_name, .save = car_save,                    \
    .restore = car_restore, .energy = car_energy, .momentum = car_momentum,                        \
    .road_impulse = car_road_impulse, .mass = car_mass, .gravity = car_gravity,                    \
    .contact_window = car_contact_window, .destroy = car_destroy

// advance.c, point.c, plan.c
void car_advance(mc_batch *batch, int first, int count, double duration);
// Rates of u and w now, m/s^2.
void car_rates(const car_batch *b, int i, double *u_rate, double *w_rate);
void car_plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out);
