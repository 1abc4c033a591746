// motion_rows.c - the numbers of a row, in the order they are hashed in.
#include "support/motion_rows.h"

#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void put_all(motion_trace *t, motion_group group, const double *numbers, int count)
{
    for (int k = 0; k < count; k++)
        motion_put(t, group, numbers[k]);
}

static void put_motion(motion_trace *t, const mc_motion *m)
{
    const double numbers[] = {m->x, m->y, m->psi, m->v, m->v_y, m->yaw_rate, m->a};
    put_all(t, MOTION, numbers, sizeof numbers / sizeof numbers[0]);
}

static void put_energy(motion_trace *t, const mc_energy *e)
{
    const double numbers[] = {e->kinetic,   e->elastic, e->spring,  e->gravity,
                              e->vibration, e->damped,  e->slipped, e->braked,
                              e->dragged,   e->crushed, e->driven};
    put_all(t, BALANCE, numbers, sizeof numbers / sizeof numbers[0]);
}

static void put_surface(motion_trace *t, const mc_ellipsoid *s)
{
    put_all(t, BODY, s->centre, 3);
    put_all(t, BODY, s->axes, 9);
}

// What came since the last row. An edit may take impacts away with their vehicle.
static void put_impacts(motion_trace *t, const mc_impact *impacts, int count)
{
    const int from = t->impacts < count ? t->impacts : count;
    motion_put(t, IMPACTS, count);
    for (int k = from; k < count; k++) {
        const mc_impact *i = &impacts[k];
        const double numbers[] = {
            i->time, i->a, i->b, i->closing, i->impulse, i->friction_loss, i->restitution_loss};
        put_all(t, IMPACTS, numbers, sizeof numbers / sizeof numbers[0]);
    }
    t->impacts = count;
    if (t->row + 1 == t->rows) // a resting contact grows after it was noted first
        for (int k = 0; k < count; k++)
            motion_put(t, IMPACTS, impacts[k].duration), motion_put(t, IMPACTS, impacts[k].impulse);
}

// ---- a run -------------------------------------------------------------------------------------

// Those a vehicle does not have are left out.
static const char *const channel_names[] = {
    "n",        "fuel",  "fuel_rate", "force", "brake_force", "ratio", "engine_power",
    "distance", "w_lf",  "w_rf",      "w_lr",  "w_rr",        "fz_lf", "fz_rf",
    "fz_lr",    "fz_rr", "pitch",     "roll",
};

static void put_channels(motion_trace *t, const mc_run *run, int vehicle)
{
    enum { VALUES_MAX = 64 };
    const mc_channel *channels;
    double values[VALUES_MAX];
    const int count = mc_run_channels(run, vehicle, &channels);
    assert_true(count <= VALUES_MAX);
    mc_run_read_channels(run, vehicle, values);
    for (size_t n = 0; n < sizeof channel_names / sizeof channel_names[0]; n++)
        for (int k = 0; k < count; k++)
            if (strcmp(channels[k].name, channel_names[n]) == 0)
                motion_put(t, CHANNELS, values[k]);
}

static void put_vehicle(motion_trace *t, const mc_run *run, int vehicle)
{
    mc_run_view view;
    mc_energy energy;
    mc_ellipsoid surface;
    mc_run_look(run, vehicle, &view);
    put_motion(t, &view.motion);
    const mc_inputs *in = &view.inputs;
    const double inputs[] = {in->throttle, in->brake, in->steer, in->acceleration};
    put_all(t, INPUTS, inputs, sizeof inputs / sizeof inputs[0]);
    const double control[] = {view.jerk,  view.desired, view.gap,  view.error,
                              view.front, view.leader,  view.lane, view.hits};
    put_all(t, CONTROL, control, sizeof control / sizeof control[0]);
    put_channels(t, run, vehicle);
    mc_run_energy(run, vehicle, &energy);
    put_energy(t, &energy);
    mc_run_surface(run, vehicle, &surface);
    put_surface(t, &surface);
}

void motion_run_row(motion_trace *t, const mc_run *run)
{
    int count;
    motion_put(t, MOTION, mc_run_time(run));
    for (int v = 0; v < mc_run_vehicle_count(run); v++)
        put_vehicle(t, run, v);
    const mc_impact *impacts = mc_run_impacts(run, &count);
    put_impacts(t, impacts, count);
    motion_row_end(t);
}

void motion_scenario(motion_trace *t, const mc_scenario *s)
{
    const mc_scenario_info *info = mc_scenario_info_of(s);
    const long long steps = llround(info->end / info->step);
    mc_run *run = platoon_run(s, 1);
    motion_rows(t, steps + 1);
    motion_run_row(t, run);
    while (motion_more(t)) {
        platoon_steps(run, 1);
        motion_run_row(t, run);
    }
    mc_run_destroy(run);
}

// ---- a world -----------------------------------------------------------------------------------

void motion_world_row(motion_trace *t, const mc_world *world)
{
    int count;
    motion_put(t, MOTION, mc_world_time(world));
    for (int id = 0; id < mc_world_vehicle_count(world); id++) {
        mc_batch *batch;
        int index;
        mc_motion motion;
        mc_energy energy;
        mc_ellipsoid surface;
        double sums[3];
        mc_world_vehicle(world, id, &batch, &index);
        batch->kind->motion(batch, index, 1, &motion);
        put_motion(t, &motion);
        batch->kind->energy(batch, index, &energy);
        put_energy(t, &energy);
        batch->kind->momentum(batch, index, sums);
        put_all(t, BALANCE, sums, 3);
        batch->kind->road_impulse(batch, index, sums);
        put_all(t, BALANCE, sums, 3);
        batch->kind->surface(batch, index, &surface);
        put_surface(t, &surface);
    }
    const mc_impact *impacts = mc_world_impacts(world, &count);
    put_impacts(t, impacts, count);
    motion_row_end(t);
}
