// force.c - forces from outside on cars of any type.
#include "run/force.h"

#include <math.h>

static const double PIECE = 1e-3; // s

void run_forces(mc_run *r)
{
    r->forced_count = 0;
    for (int slot = 0; slot < r->count; slot++)
        if (r->rare[slot].fault.force.size.amplitude != 0.0)
            r->forced[r->forced_count++] = (run_forced){.slot = slot};
}

// N, at an instant.
static double size_at(const mc_run *r, int slot, double t)
{
    const run_rare *rare = &r->rare[slot];
    const double normal =
        noise_normal(r->s->seed, run_key(r, slot), 0xfffffff4u, (unsigned long long)r->step);
    return wave_at(&rare->fault.force.size, t, normal);
}

// Where a force acts, in world axes, and the heading.
static double place_of(const mc_batch *batch, int index, const double at[3], double point[3])
{
    mc_motion m;
    batch->kind->motion(batch, index, 1, &m);
    const double c = cos(m.psi), s = sin(m.psi);
    if (batch->kind->pose) {
        mc_pose pose;
        batch->kind->pose(batch, index, &pose);
        for (int k = 0; k < 3; k++)
            point[k] = pose.position[k] + at[0] * pose.directors[k] +
                       at[1] * pose.directors[3 + k] + at[2] * pose.directors[6 + k];
    } else {
        point[0] = m.x + c * at[0] - s * at[1];
        point[1] = m.y + s * at[0] + c * at[1];
        point[2] = at[2];
    }
    return m.psi;
}

// The impulse of `size` over `duration`; returns its work: J (v before + v after)/2.
static double kick(mc_batch *batch, int index, const event_force *f, double size, double duration)
{
    double point[3], before[3], after[3];
    const double angle = place_of(batch, index, f->at, point) + f->direction;
    const double impulse[3] = {size * duration * cos(angle), size * duration * sin(angle), 0.0};
    batch->kind->point_velocity(batch, index, point, before);
    batch->kind->apply_impulse(batch, index, point, impulse);
    batch->kind->point_velocity(batch, index, point, after);
    double work = 0.0;
    for (int k = 0; k < 3; k++)
        work += 0.5 * impulse[k] * (before[k] + after[k]);
    return work;
}

static bool stands(const mc_batch *batch, int index)
{
    mc_motion m;
    batch->kind->motion(batch, index, 1, &m);
    return m.v == 0.0 && m.v_y == 0.0 && m.yaw_rate == 0.0;
}

// Would a standing car come back to rest at once? Tried, and undone.
static bool holds(mc_batch *batch, int index, const event_force *f, double size, double h)
{
    double state[WORLD_STATE_MAX];
    if (!stands(batch, index))
        return false;
    batch->kind->save(batch, index, state);
    kick(batch, index, f, size, h);
    batch->kind->advance(batch, index, 1, h);
    const bool rests = stands(batch, index);
    batch->kind->restore(batch, index, state);
    return rests;
}

static void half(mc_run *r, run_forced *forced, double h)
{
    mc_batch *batch;
    int index;
    run_rare *rare = &r->rare[forced->slot];
    if (forced->held || forced->size == 0.0)
        return;
    mc_world_vehicle(r->world, rare->vehicle, &batch, &index);
    rare->pushed += kick(batch, index, &rare->fault.force, forced->size, 0.5 * h);
}

static void begin_piece(mc_run *r, run_forced *forced, double t, double h)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, r->rare[forced->slot].vehicle, &batch, &index);
    forced->size = size_at(r, forced->slot, t + 0.5 * h);
    forced->held = forced->size != 0.0 &&
                   holds(batch, index, &r->rare[forced->slot].fault.force, forced->size, h);
    half(r, forced, h);
}

mc_status run_force_advance(mc_run *r, mc_error *error)
{
    if (r->forces_change)
        run_forces(r);
    r->forces_change = false;
    if (r->forced_count == 0)
        return mc_world_advance(r->world, r->s->step, error);
    const int pieces = (int)ceil(r->s->step / PIECE * (1.0 - 1e-12));
    const double h = r->s->step / pieces;
    mc_status status = MC_OK;
    for (int k = 0; k < pieces && status == MC_OK; k++) {
        for (int i = 0; i < r->forced_count; i++)
            begin_piece(r, &r->forced[i], run_time(r) + k * h, h);
        r->world->calm_until = -HUGE_VAL; // speeds changed since it looked at them
        status = mc_world_advance(r->world, h, error);
        for (int i = 0; i < r->forced_count && status == MC_OK; i++)
            half(r, &r->forced[i], h);
    }
    r->world->calm_until = -HUGE_VAL;
    return status;
}

void run_force_feel(mc_run *r)
{
    for (int i = 0; i < r->forced_count; i++) {
        const run_forced *f = &r->forced[i];
        if (f->held)
            continue;
        mc_batch *batch;
        int index;
        mc_world_vehicle(r->world, r->rare[f->slot].vehicle, &batch, &index);
        r->motion[f->slot].a +=
            f->size * cos(r->rare[f->slot].fault.force.direction) / batch->kind->mass(batch, index);
    }
}
