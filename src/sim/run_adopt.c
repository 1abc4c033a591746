// run_adopt.c - a running scenario gets another version.
//
// A version is a whole scenario, immutable. The run is made anew from it, with every vehicle that
// was there before starting where it is now; then states are carried over by name. So an edit has
// no code of its own: whatever a scenario can say, a running one can be changed to.
#include "sim/run.h"

#include "sim/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

scenario *run_copy_scenario(const scenario *s)
{
    const size_t vehicles = (size_t)s->vehicle_count * sizeof *s->vehicles;
    scenario *copy = malloc(sizeof *copy + vehicles);
    if (!copy)
        return NULL;
    *copy = *s;
    copy->vehicles = (scenario_vehicle *)(void *)(copy + 1);
    if (vehicles > 0)
        memcpy(copy->vehicles, s->vehicles, vehicles);
    return copy;
}

// The slot in which the old run has a vehicle of that name; -1: it is new.
static int old_slot(const mc_run *old, const char *name)
{
    const int vehicle = mc_run_find(old, name);
    return vehicle < 0 ? -1 : old->slot[vehicle];
}

// Can the saved state of one be restored in the other? Same kind, same parts.
static bool same_kind(const mc_run *old, int from, const mc_run *fresh, int to)
{
    const scenario_vehicle *a = &old->s->vehicles[old->rare[from].vehicle];
    const scenario_vehicle *b = &fresh->s->vehicles[fresh->rare[to].vehicle];
    const scenario_model *m = &old->s->models[a->model], *n = &fresh->s->models[b->model];
    if (m->kind != n->kind || m->car.powertrain != n->car.powertrain)
        return false;
    if (m->kind == SCENARIO_COSSERAT)
        return m->cosserat.tyre == n->cosserat.tyre && m->cosserat.driven == n->cosserat.driven &&
               m->cosserat.plastic == n->cosserat.plastic;
    return m->kind != SCENARIO_MULTIBODY || strcmp(m->mechanism, n->mechanism) == 0;
}

static bool carry_state(const mc_run *old, int from, mc_run *fresh, int to)
{
    mc_batch *a, *b;
    int i, j;
    mc_world_vehicle(old->world, old->rare[from].vehicle, &a, &i);
    mc_world_vehicle(fresh->world, fresh->rare[to].vehicle, &b, &j);
    if (!same_kind(old, from, fresh, to) || a->kind->save_size(a) != b->kind->save_size(b))
        return true; // it stands where it was, at its speed
    double *state = malloc((size_t)a->kind->save_size(a) * sizeof *state);
    if (!state)
        return false;
    a->kind->save(a, i, state);
    b->kind->restore(b, j, state);
    free(state);
    return true;
}

// States of the law when it is the same one; gains that commands changed, when the version does
// not.
static void carry_law(const mc_run *old, int from, mc_run *fresh, int to)
{
    const int a = old->car[from].controller, b = fresh->car[to].controller;
    if (a < 0 || b < 0)
        return;
    const scenario_controller *was = &old->s->controllers[a], *is = &fresh->s->controllers[b];
    if (strcmp(was->law->name, is->law->name) != 0 ||
        was->law->state_count != is->law->state_count ||
        was->law->param_count != is->law->param_count)
        return;
    memcpy(run_law_states(fresh, to, false), run_law_states(old, from, false),
           (size_t)is->law->state_count * sizeof(double));
    const double *now = run_law_params(old, from, false);
    double *p = run_law_params(fresh, to, false);
    for (int k = 0; k < is->law->param_count; k++)
        if (strcmp(was->law->params[k].name, is->law->params[k].name) == 0 &&
            was->law_p[k] == is->law_p[k])
            p[k] = now[k];
}

static void carry_control(const mc_run *old, int from, mc_run *fresh, int to)
{
    const run_car *a = &old->car[from];
    run_car *b = &fresh->car[to];
    const run_rare *was = &old->rare[from];
    run_rare *is = &fresh->rare[to];
    const unsigned kept = RUN_HAND | RUN_FAULTY;
    b->flags = (b->flags & ~kept) | (a->flags & kept);
    b->inner = a->inner;
    b->wanted = a->wanted, b->wanted_before = a->wanted_before;
    b->v_before = a->v_before, b->a_before = a->a_before;
    is->brake_left = was->brake_left;
    is->throttle_stuck = was->throttle_stuck;
    is->hand = was->hand;
    is->hits = was->hits;
    const scenario_vehicle *v = &old->s->vehicles[was->vehicle];
    const scenario_vehicle *w = &fresh->s->vehicles[is->vehicle];
    for (int k = 0; k < 8; k++)
        if (v->user[k] == w->user[k])
            is->user[k] = was->user[k];
    fresh->inputs[to] = old->inputs[from];
    carry_law(old, from, fresh, to);
}

// Where every vehicle of the version is to begin.
static scenario *with_places(const mc_run *old, const scenario *version)
{
    scenario *own = run_copy_scenario(version);
    for (int v = 0; own && v < own->vehicle_count; v++) {
        scenario_vehicle *vehicle = &own->vehicles[v];
        const int slot = old_slot(old, vehicle->name);
        if (slot < 0)
            continue;
        const mc_motion *m = &old->motion[slot];
        vehicle->x = m->x, vehicle->y = m->y, vehicle->heading = m->psi, vehicle->v = m->v;
        vehicle->lane = old->rare[slot].lane < own->road.lane_count ? old->rare[slot].lane
                                                                    : own->road.lane_count - 1;
    }
    return own;
}

static void set_changed(mc_batch *batch, int index, const mc_param *params, int count,
                        const double *was, const double *is)
{
    for (int k = 0; k < count; k++)
        if (was[k] != is[k] && !(isnan(was[k]) && isnan(is[k])))
            batch->kind->set_param(batch, index, params[k].name, is[k]);
}

// A state holds the parameters of its vehicle: those that the version changes are set again.
static void change_params(const mc_run *old, int from, mc_run *fresh, int to)
{
    const scenario_vehicle *v = &old->s->vehicles[old->rare[from].vehicle];
    const scenario_vehicle *w = &fresh->s->vehicles[fresh->rare[to].vehicle];
    const scenario_model *m = &old->s->models[v->model], *n = &fresh->s->models[w->model];
    mc_batch *batch;
    int index;
    mc_world_vehicle(fresh->world, fresh->rare[to].vehicle, &batch, &index);
    set_changed(batch, index, car_params, CAR_PARAM_COUNT, m->car.p, n->car.p);
    if (m->car.powertrain && m->car.powertrain == n->car.powertrain)
        set_changed(batch, index, m->car.powertrain->params, m->car.powertrain->param_count,
                    m->car.powertrain_p, n->car.powertrain_p);
    if (m->kind == SCENARIO_COSSERAT && n->kind == SCENARIO_COSSERAT)
        set_changed(batch, index, cosserat_params, COSSERAT_MASS + 1, m->cosserat.p, n->cosserat.p);
}

mc_status mc_run_adopt(mc_run *r, const mc_scenario *version, mc_error *error)
{
    const scenario *s = scenario_of(version);
    if (s->step != r->s->step)
        return mc_error_set(error, MC_BAD_INPUT, s->file, 0, 0,
                            "a running scenario keeps its step: %g s, not %g s", r->s->step,
                            s->step);
    scenario *own = with_places(r, s);
    if (!own)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
    mc_run *fresh = run_create(own, own, &r->options, error);
    if (!fresh)
        return error ? error->code : MC_FAILED;
    fresh->step = r->step;
    fresh->world->time = r->world->time;
    if (s->headway == r->s->headway)
        fresh->headway = r->headway;
    if (s->distance == r->s->distance)
        fresh->distance = r->distance;
    if (s->speed == r->s->speed)
        fresh->speed = r->speed;
    bool good = true;
    for (int slot = 0; slot < fresh->count && good; slot++) {
        const int from = old_slot(r, mc_run_vehicle_name(fresh, fresh->rare[slot].vehicle));
        if (from < 0)
            continue;
        good = carry_state(r, from, fresh, slot);
        change_params(r, from, fresh, slot);
        carry_control(r, from, fresh, slot);
    }
    mc_status status =
        good ? mc_world_refresh(fresh->world, error)
             : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
    if (status != MC_OK) {
        mc_run_destroy(fresh);
        return status;
    }
    run_read_motions(fresh);
    run_order_make(fresh);
    run_refresh_commands(fresh);
    run_profiles(fresh);
    run_become(r, fresh);
    return MC_OK;
}
