// batch_parts.h - inside of a batch of deformable vehicles, shared by batch.c and batch_drive.c.
//
// Vehicles are kept in the blocks of kernel.h. Functions that return the values or the inputs of
// one vehicle point to its lane: value k is at [k * BLOCK_LANES].
#pragma once

#include "cosserat/batch.h"
#include "cosserat/kernel.h"

typedef struct cosserat_batch {
    mc_batch base; // first: the world sees only this
    cosserat_model model;
    cosserat_constants constants;
    double ellipsoid_centre[3]; // m, in the chassis
    double ellipsoid_axes[9];   // m, orientation times semi-axes, in the chassis
    double reach_length;        // m, centre of mass to the farthest point of the undeformed surface
    double min_my;              // kg m^2, least director inertia
    double slowest;             // rad/s, lowest elastic frequency
    cosserat_scheme scheme;
    cosserat_kernel *kernel;
    cosserat_kernel *pair_kernel; // of two blocks side by side; NULL: none
    cosserat_rate *rate;
    cosserat_wheels *wheels;
    tyre_eval *tyre;
    suspension_eval *suspension;   // NULL: built into the kernel
    double decay_rate[DECAY_MAX];  // 1/s, of the states of a wheel and the extra values
    int tyre_states, extra_states; // of a wheel, of a vehicle
    int sum_count;
    gear_constants drive;          // if model.gear.driven
    double *engine_p;              // four lanes per parameter
    double step;                   // s, longest inner step
    etd_coefficients coefficients; // of the step used last by the whole batch
    plastic_law plastic;           // of a plastic chassis
    int values;                    // of one vehicle
    int tail_count;                // the last of these: PLASTIC_COUNT, HIGHER_VALUES, or 0
    int stride;                    // doubles of one block
    double *blocks;
    double *inputs;      // INPUT_COUNT x 4 a block
    double *brake_line;  // BRAKE_LINE_SIZE a vehicle; NULL: no delay
    const mc_road *road; // that must be asked place by place; NULL: it need not
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

// The first of the values of the energy balance, or of those of a plastic chassis or of directors 4
// to 7.
static inline int cosserat_sums_place(const cosserat_batch *b)
{
    return b->values - b->tail_count - b->sum_count;
}

static inline int cosserat_tail_place(const cosserat_batch *b)
{
    return b->values - b->tail_count;
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

// batch_surface.c: where the vehicle is, how far it reaches, and what an impulse does to it.
void cosserat_prepare_surface(cosserat_batch *b); // from the model
void cosserat_surface(const mc_batch *batch, int i, mc_ellipsoid *out);
bool cosserat_surface_toward(const mc_batch *batch, int i, const double normal[3],
                             mc_ellipsoid *out);
void cosserat_reach(const mc_batch *batch, int i, mc_reach *out);
void cosserat_point_velocity(const mc_batch *batch, int i, const double point[3], double out[3]);
void cosserat_impulse_response(const mc_batch *batch, int i, const double point[3],
                               const double impulse[3], const double seen[3], double out[3]);
void cosserat_apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3]);
double cosserat_contact_window(const mc_batch *batch);

// batch_energy.c
typedef struct cosserat_deformation {
    double elastic;      // J
    double strain, rate; // -, 1/s, of directors 1 to 3: norms of all nine components
} cosserat_deformation;
void cosserat_deform(const cosserat_batch *b, const double *lane, cosserat_deformation *out);
double cosserat_vibration(const cosserat_batch *b, const double *lane); // J, its kinetic energy
void cosserat_energy(const mc_batch *batch, int i, mc_energy *out);

// batch.c
void cosserat_prepare_bounds(cosserat_batch *b); // from the constants
void cosserat_block_rate(const cosserat_batch *b, int block,
                         double out[BLOCK_LANES * VALUE_MAX]); // of all values

// batch_drive.c: what a driver and the world ask of the vehicle on the road (vehicle_model.h).
void cosserat_block_wheels(const cosserat_batch *b, int block, cosserat_tread *out); // batch.c
int cosserat_read_wheels(const mc_batch *batch, int i, mc_wheel *out);
double cosserat_lateral_acceleration(const mc_batch *batch, int i);
enum { COSSERAT_CHANNEL_COUNT = 24 };
extern const mc_channel cosserat_channels[COSSERAT_CHANNEL_COUNT];
void cosserat_set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in);
void cosserat_motion(const mc_batch *batch, int first, int count, mc_motion *out);
void cosserat_plan(const mc_batch *batch, int first, int count, const double *desired,
                   mc_plan *out);
void cosserat_set_road(mc_batch *batch, const mc_road *road);
void cosserat_set_path(mc_batch *batch, int i, int path, double station);
void cosserat_find_station(cosserat_batch *b, int i); // where to look for it next
// m, of the road's surface over its plane: the mean under the wheels, and under each of them.
double cosserat_bump_under(const cosserat_batch *b, int i);
void cosserat_bumps(const cosserat_batch *b, int i, double out[WHEELS]);
void cosserat_read_channels(const mc_batch *batch, int i, double *out);
bool cosserat_set_param(mc_batch *batch, int i, const char *name, double value);
bool cosserat_get_param(const mc_batch *batch, int i, const char *name, double *value);

// Parameters that can change while it runs, as part of a saved state.
void cosserat_save_params(const cosserat_batch *b, double out[COSSERAT_SAVED_PARAMS]);
void cosserat_restore_params(cosserat_batch *b, const double in[COSSERAT_SAVED_PARAMS]);
