// instant.c - a run at an instant of a collision within its last step.
#include "base/assert.h"
#include "motorcade/observe.h"
#include "run/run.h"

#include <string.h>

_Static_assert((int)MC_INSTANT_VEHICLES == (int)WORLD_INSTANT_ALL, "observe.h says how many");

int mc_run_instant_count(const mc_run *r)
{
    return r->world->instants.count;
}

double mc_run_instant_time(const mc_run *r, int instant)
{
    mc_assert(instant >= 0 && instant < r->world->instants.count);
    return r->world->instants.list[instant].time;
}

bool mc_run_instant_has(const mc_run *r, int instant, int vehicle)
{
    mc_assert(instant >= 0 && instant < r->world->instants.count);
    return world_instant_has(r->world, instant, vehicle);
}

void mc_run_instant_show(mc_run *r, int instant)
{
    mc_assert(instant >= 0 && instant < r->world->instants.count);
    if (!r->world->instants.shown)
        memcpy(r->motion_now, r->motion, (size_t)r->count * sizeof *r->motion);
    world_instant_show(r->world, instant);
    // Accelerations stay those of the step: a mean, of a car that is hit.
    run_read_motions(r);
    for (int slot = 0; slot < r->count; slot++)
        r->motion[slot].a = r->motion_now[slot].a;
}

void mc_run_instant_leave(mc_run *r)
{
    if (!r->world->instants.shown)
        return;
    world_instant_leave(r->world);
    memcpy(r->motion, r->motion_now, (size_t)r->count * sizeof *r->motion);
}
