// batch_parts.h - inside of a batch of deformable vehicles, shared by batch.c and batch_drive.c.
//
// Vehicles are kept in the blocks of kernel.h. Functions that return the values or the inputs of
// one vehicle point to its lane: value k is at [k * BLOCK_LANES].
#pragma once

#include "cosserat/batch.h"
#include "cosserat/drive.h"

typedef struct cosserat_batch {
    mc_batch base; // first: the world sees only this
    cosserat_model model;
    cosserat_constants constants;
    double ellipsoid_centre[3]; // m, in the chassis
    double ellipsoid_axes[9];   // m, orientation times semi-axes, in the chassis
    double reach_length;        // m, centre of mass to the farthest point of the undeformed surface
    double my_least;            // kg m^2, least director inertia
    double slowest;             // rad/s, lowest elastic frequency
    cosserat_scheme scheme;
    cosserat_kernel *kernel;
    cosserat_rate *rate;
    tyre_eval *tyre;
    double decay_rate[DECAY_MAX];  // 1/s, of the states of a wheel and the extra values
    int tyre_states, extra_states; // of a wheel, of a vehicle
    int sum_count;
    cosserat_drive drive;          // if model.driven
    double *engine_p;              // four lanes a parameter
    double nominal_mass;           // kg
    double step;                   // s, longest inner step
    etd_coefficients coefficients; // of the step used last by the whole batch
    plastic_law plastic;           // of a plastic chassis
    int values;                    // of one vehicle
    int plastic_count;             // the last of these: PLASTIC_COUNT, or 0
    int stride;                    // doubles of one block
    double *blocks;
    double *inputs;     // INPUT_COUNT x 4 a block
    double *brake_line; // BRAKE_LINE_SIZE a vehicle; NULL: no delay
} cosserat_batch;

static inline cosserat_batch *cosserat_own(mc_batch *batch)
{
    return (cosserat_batch *)batch;
}

static inline const cosserat_batch *cosserat_look(const mc_batch *batch)
{
    return (const cosserat_batch *)batch;
}

// The first value of vehicle i; value k is at [k * BLOCK_LANES].
static inline double *cosserat_values(const cosserat_batch *b, int i)
{
    return b->blocks + (size_t)(i / BLOCK_LANES) * (size_t)b->stride + i % BLOCK_LANES;
}

// The first input of vehicle i; input k is at [k * BLOCK_LANES].
static inline double *cosserat_inputs(const cosserat_batch *b, int i)
{
    return b->inputs + (size_t)(i / BLOCK_LANES) * INPUT_COUNT * BLOCK_LANES + i % BLOCK_LANES;
}

static inline double *cosserat_brake_line(const cosserat_batch *b, int i)
{
    return b->brake_line + (size_t)i * BRAKE_LINE_SIZE;
}

// The first of the values that keep the books, or of those of a plastic chassis.
static inline int cosserat_sums_place(const cosserat_batch *b)
{
    return b->values - b->plastic_count - b->sum_count;
}

static inline int cosserat_plastic_place(const cosserat_batch *b)
{
    return b->values - b->plastic_count;
}

static inline void cosserat_gather(const double *lane, int value, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[k] = lane[BLOCK_LANES * (value + k)];
}

// F as a matrix: column i is director i.
static inline void cosserat_gather_matrix(const double *lane, int value, double f[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f[3 * j + i] = lane[BLOCK_LANES * (value + 3 * i + j)];
}

// batch.c
void cosserat_prepare_bounds(cosserat_batch *b); // from the constants
void cosserat_block_rate(const cosserat_batch *b, int block,
                         double out[BLOCK_LANES * VALUE_MAX]); // of all values

// batch_drive.c: what a driver and the world ask of the vehicle on the road (vehicle_model.h).
enum { COSSERAT_CHANNEL_COUNT = 7 };
extern const mc_channel cosserat_channels[COSSERAT_CHANNEL_COUNT];
void cosserat_set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in);
void cosserat_motion(const mc_batch *batch, int first, int count, mc_motion *out);
void cosserat_plan(const mc_batch *batch, int first, int count, const double *wanted, mc_plan *out);
void cosserat_set_road(mc_batch *batch, const struct road *road);
void cosserat_read_channels(const mc_batch *batch, int i, double *out);
bool cosserat_set_param(mc_batch *batch, int i, const char *name, double value);
bool cosserat_get_param(const mc_batch *batch, int i, const char *name, double *value);

// Parameters that can change while it runs, as part of a saved state.
void cosserat_save_params(const cosserat_batch *b, double out[COSSERAT_SAVED_PARAMS]);
void cosserat_restore_params(cosserat_batch *b, const double in[COSSERAT_SAVED_PARAMS]);
