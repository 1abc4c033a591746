// kernel.h - the vector kernel of the deformable vehicle and the numbers it runs on.
//
// Vehicles are kept in blocks of four: value s of lane l of a block is block[4 s + l]. The values
// are, in this order:
//
//   r (3)   position of the centre of mass, world                                 m
//   d (9)   directors d1, d2, d3, each with its three world components            -
//   v (3)   velocity                                                              m/s
//   w (9)   director velocities                                                   1/s
//   tyre    4 k values for a law with k states: state-major, wheels lf rf lr rr;
//           with a drive: the states of the wheels (parts/wheel.h), spin and brake first
//   extra   with a drive only: brake force over its maximum, states of the powertrain
//   sums    impulse of the road (3, N s), work of the dampers (J), work of tyre slip (J),
//           all since the start, integrated with the weights of the integrator itself;
//           with a drive also work of brakes, of drag and rolling resistance, of the engine (J),
//           energy in gravity (J, what it was at the start and what was lifted since), fuel (kg)
//   plastic  PLASTIC_COUNT values (plastic.h), of a plastic chassis only
//   higher   HIGHER_VALUES values (higher.h), of a chassis with seven directors only
#pragma once

#include "cosserat/higher.h"
#include "cosserat/model.h"

enum {
    BLOCK_LANES = 4,
    VALUE_R = 0,
    VALUE_D = 3,
    VALUE_V = 12,
    VALUE_W = 15,
    VALUE_TYRE = 24,
    AXLES = 2, // of MEDUSA's vehicle: its equations have no more
    WHEELS = 2 * AXLES,
    DECAY_MAX = WHEEL_STATE_MAX + EXTRA_MAX, // kinds of values with a decay
    DECAYING_MAX = WHEELS * WHEEL_STATE_MAX + EXTRA_MAX,
    FREE_MODES = 6,    // 3 translations, 3 rotations
    ELASTIC_MODES = 6, // 3 shears, 3 stretches
    MODE_COUNT = FREE_MODES + ELASTIC_MODES,
    MODE_MAX = MODE_COUNT + HIGHER_SIZE, // with directors 4 to 7
    TAIL_MAX = HIGHER_VALUES,            // at least PLASTIC_COUNT: a chassis is one of the two
    VALUE_MAX = VALUE_TYRE + DECAYING_MAX + SUM_MAX + TAIL_MAX,
    INPUT_COS = 0, // inputs of a block, four lanes each: cosine and sine of the steering angle,
    INPUT_SIN = 1,
    INPUT_THROTTLE = 2, // throttle and brake command, 0 .. 1
    INPUT_BRAKE = 3,
    INPUT_PATH = 4, // of the road, and a station of it near the vehicle, m; -1: path not known
    INPUT_STATION = 5,
    INPUT_COUNT = 6
};

// Numbers that follow from the model alone.
typedef struct cosserat_constants {
    double mass, gravity;
    double my[3]; // kg m^2, director inertias
    double mass_inverse, my_inverse[3];
    double pair_inverse[3]; // 1/(my_i + my_j) of the pairs (2,3), (3,1), (1,2)
    double volume_lambda;   // N m
    double volume_two_mu;   // N m
    double axle_x[2];       // m, front and rear, ahead of the centre of mass
    double axle_h[2];       // m, assembly points below the centre of mass
    double contact_h[2];    // m, where tyre forces act: axle_h, with a drive a radius below
    double half_b;          // m
    double spring_ref;      // m
    double spring[2], damper[2];
    bool lifts_off;         // wheels can leave the road
    double stretch[9];      // columns: stretch modes, scaled so that stretch' diag(my) stretch = I
    double stretch_my[9];   // diag(my) stretch
    double max_omega;       // rad/s, the highest
    int mode_count;         // MODE_COUNT, or MODE_MAX of seven directors
    double omega[MODE_MAX]; // rad/s, 0 for translations and rotations
    bool seven;             // what follows is used
    higher_constants higher;
    double spring_shape[WHEELS][HIGHER_DIRECTORS];  // phi_k at the assembly points,
    double contact_shape[WHEELS][HIGHER_DIRECTORS]; // and where tyre forces act
} cosserat_constants;

// Numbers that follow from the model and the step h: one exponential Runge-Kutta step of each
// elastic mode (see kernel_lanes.c), and of each tyre state.
typedef struct etd_mode {
    double half_c, half_s, half_m; // cos, sin/w, -w sin over h/2
    double full_c, full_s, full_m; // the same over h
    double second_x, second_v;     // answers of the stages to the drives before them:
    double third_1x, third_1v, third_2x, third_2v;               // stage 3 to drives 1 and 2
    double fourth_1x, fourth_1v, fourth_3x, fourth_3v;           // stage 4 to drives 1 and 3
    double first_x, first_v, middle_x, middle_v, last_x, last_v; // step to drives 1, 2 and 3, 4
} etd_mode;

typedef struct etd_decay {
    double half, full, second, third_1, third_2, fourth_1, fourth_3, first, middle, last;
} etd_decay;

typedef struct etd_coefficients {
    double h;
    etd_mode mode[MODE_MAX - FREE_MODES];
    etd_decay tyre[DECAY_MAX]; // states of a wheel, then the extra values
} etd_coefficients;

typedef struct kernel_arguments {
    const cosserat_constants *constants;
    const double *tyre_p;
    tyre_eval *tyre;
    const void *tyre_context;
    int tyre_states;             // of a wheel
    int extra_states;            // 0 without drive
    int sum_count;               // SUM_COUNT or SUM_MAX
    const double *tyre_rate;     // 1/s, one per state of a wheel, then the extra values
    suspension_eval *suspension; // NULL: that of suspension_built_in.h
    const double *suspension_p;
    const gear_constants *drive;          // NULL: wheels roll freely
    const mc_road *road;                  // that must be asked place by place; NULL: it need not
    const plastic_law *plastic;           // NULL: an elastic chassis
    const etd_coefficients *coefficients; // of the step; NULL for the published scheme
    double h;                             // s
    int steps;                            // how many
} kernel_arguments;

// m, of wheels on terrain; those that roll freely have none of their own.
static inline double cosserat_radius(const gear_constants *drive)
{
    return drive ? drive->radius : 0.3;
}

static inline int kernel_decaying(const kernel_arguments *a) // values with a decay
{
    return WHEELS * a->tyre_states + a->extra_states;
}

// Advances `count` blocks, `stride` doubles apart; inputs: INPUT_COUNT times 4 doubles per block.
typedef void cosserat_kernel(const kernel_arguments *a, double *blocks, int count, int stride,
                             const double *inputs);

// Rate of change of every value of one block, exactly as the schemes see it: for reference
// integrators, equilibrium and modes. rate has the layout of the block; sums get powers and forces.
typedef void cosserat_rate(const kernel_arguments *a, const double *block, const double *inputs,
                           double *rate);

// Forces of the road on the wheels of one block now, in their axes, N: wheel q of lane l at
// [4 q + l], wheels lf rf lr rr.
typedef struct cosserat_tread {
    double fx[WHEELS * BLOCK_LANES], fy[WHEELS * BLOCK_LANES], fz[WHEELS * BLOCK_LANES];
} cosserat_tread;
typedef void cosserat_wheels(const kernel_arguments *a, const double *block, const double *inputs,
                             cosserat_tread *out);

cosserat_kernel cosserat_exponential_plain, cosserat_exponential_avx2;
// Two blocks side by side: value s of lane l of eight is at [8 s + l]; the same of the inputs. Not
// for vehicles with a drive, whose engine has its parameters by fours.
cosserat_kernel cosserat_exponential_avx512;
cosserat_kernel cosserat_published_plain, cosserat_published_avx2;
cosserat_rate cosserat_rate_plain, cosserat_rate_avx2;
cosserat_wheels cosserat_wheels_plain, cosserat_wheels_avx2;

void cosserat_constants_of(const cosserat_model *model, cosserat_constants *out);
// rate: decay_count rates of decay, 1/s.
void etd_coefficients_of(const cosserat_constants *constants, const double *rate, int decay_count,
                         double h, etd_coefficients *out);
