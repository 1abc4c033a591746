// block.c - the planar block.
#include "support/block.h"

#include "num/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X, Y, HEADING, V_X, V_Y, TURN, ROAD_Z, STATE };

typedef struct block_batch {
    mc_batch base;
    block_model model;
    double (*state)[STATE];
} block_batch;

static const block_batch *look(const mc_batch *batch)
{
    return (const block_batch *)batch;
}

mc_batch *block_batch_create(const block_model *model, int count)
{
    block_batch *b = calloc(1, sizeof *b);
    b->base = (mc_batch){&block_kind, count};
    b->model = *model;
    b->state = calloc((size_t)count, sizeof *b->state);
    return &b->base;
}

void block_batch_place(mc_batch *batch, int i, double x, double y, double heading, double v_x,
                       double v_y, double turn)
{
    const double state[STATE] = {x, y, heading, v_x, v_y, turn, 0.0};
    memcpy(look(batch)->state[i], state, sizeof state);
}

static void advance(mc_batch *batch, int first, int count, double duration)
{
    for (int i = first; i < first + count; i++) {
        double *s = look(batch)->state[i];
        s[X] += s[V_X] * duration;
        s[Y] += s[V_Y] * duration;
        s[HEADING] += s[TURN] * duration;
    }
}

static void surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const block_batch *b = look(batch);
    const double *s = b->state[i], c = cos(s[HEADING]), n = sin(s[HEADING]);
    const double *a = b->model.axes;
    const double axes[9] = {c * a[0], -n * a[1], 0.0, n * a[0], c * a[1], 0.0, 0.0, 0.0, a[2]};
    memcpy(out->axes, axes, sizeof axes);
    out->centre[0] = s[X], out->centre[1] = s[Y], out->centre[2] = b->model.height;
}

static void reach(const mc_batch *batch, int i, mc_reach *out)
{
    const block_batch *b = look(batch);
    const double *s = b->state[i];
    const double size = fmax(b->model.axes[0], fmax(b->model.axes[1], b->model.axes[2]));
    *out = (mc_reach){{s[X], s[Y], b->model.height},
                      {s[V_X], s[V_Y], 0.0},
                      size,
                      size * fabs(s[TURN]),
                      size * s[TURN] * s[TURN]};
}

static void point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    const double *s = look(batch)->state[i];
    out[0] = s[V_X] - s[TURN] * (point[1] - s[Y]);
    out[1] = s[V_Y] + s[TURN] * (point[0] - s[X]);
    out[2] = 0.0;
}

static void impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3])
{
    const block_batch *b = look(batch);
    const double *s = b->state[i];
    const double turn =
        ((point[0] - s[X]) * impulse[1] - (point[1] - s[Y]) * impulse[0]) / b->model.inertia;
    out[0] = impulse[0] / b->model.mass - turn * (seen[1] - s[Y]);
    out[1] = impulse[1] / b->model.mass + turn * (seen[0] - s[X]);
    out[2] = 0.0;
}

static void apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    const block_batch *b = look(batch);
    double *s = b->state[i];
    s[V_X] += impulse[0] / b->model.mass;
    s[V_Y] += impulse[1] / b->model.mass;
    s[TURN] += ((point[0] - s[X]) * impulse[1] - (point[1] - s[Y]) * impulse[0]) / b->model.inertia;
    s[ROAD_Z] -= impulse[2];
}

static int save_size(const mc_batch *batch)
{
    (void)batch;
    return STATE;
}

static void save(const mc_batch *batch, int i, double *out)
{
    memcpy(out, look(batch)->state[i], sizeof look(batch)->state[i]);
}

static void restore(mc_batch *batch, int i, const double *in)
{
    memcpy(look(batch)->state[i], in, sizeof look(batch)->state[i]);
}

static void energy(const mc_batch *batch, int i, mc_energy *out)
{
    const block_batch *b = look(batch);
    const double *s = b->state[i];
    *out = (mc_energy){.kinetic = 0.5 * b->model.mass * (s[V_X] * s[V_X] + s[V_Y] * s[V_Y]) +
                                  0.5 * b->model.inertia * s[TURN] * s[TURN]};
}

static void momentum(const mc_batch *batch, int i, double out[3])
{
    const block_batch *b = look(batch);
    out[0] = b->model.mass * b->state[i][V_X];
    out[1] = b->model.mass * b->state[i][V_Y];
    out[2] = 0.0;
}

static void road_impulse(const mc_batch *batch, int i, double out[3])
{
    out[0] = out[1] = 0.0;
    out[2] = look(batch)->state[i][ROAD_Z];
}

static double mass(const mc_batch *batch, int i)
{
    (void)i;
    return look(batch)->model.mass;
}

static double gravity(const mc_batch *batch)
{
    (void)batch;
    return 0.0; // carried by the road
}

static double contact_window(const mc_batch *batch)
{
    (void)batch;
    return 0.01;
}

static void destroy(mc_batch *batch)
{
    block_batch *b = (block_batch *)batch;
    free(b->state);
    free(b);
}

const mc_vehicle_kind block_kind = {
    .name = "block",
    .advance = advance,
    .surface = surface,
    .reach = reach,
    .point_velocity = point_velocity,
    .impulse_response = impulse_response,
    .apply_impulse = apply_impulse,
    .save_size = save_size,
    .save = save,
    .restore = restore,
    .energy = energy,
    .momentum = momentum,
    .road_impulse = road_impulse,
    .mass = mass,
    .gravity = gravity,
    .contact_window = contact_window,
    .destroy = destroy,
};
