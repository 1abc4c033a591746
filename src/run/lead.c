// lead.c - leaders that are driven as the leader of another platoon is.
#include "run/lead.h"

#include "run/control.h"
#include "run/event.h"
#include "run/join.h"

#include <math.h>

static const double ALIKE = 1e-3; // m/s, up to this difference of speed the pedals are taken over

// The leader of a platoon, from 1; -1: there is none now.
static int leader_of(const mc_run *r, int platoon)
{
    if (r->regrouped)
        return run_platoon_leader(r, platoon - 1);
    const int vehicle = scenario_leader(r->s, platoon - 1);
    return vehicle < 0 ? -1 : r->slot[vehicle];
}

void run_leads(mc_run *r)
{
    r->led_count = 0;
    for (int slot = 0; slot < r->count; slot++) {
        const int platoon = r->rare[slot].leads_as;
        r->car[slot].flags &= ~(unsigned)(RUN_CATCHES_UP | RUN_LED_BY_HAND); // found in each step
        const int source = platoon > 0 ? leader_of(r, platoon) : -1;
        if (source >= 0 && source != slot)
            r->led[r->led_count++] = (run_led){slot, source};
    }
}

int run_lead_source(const mc_run *r, int slot)
{
    for (int k = 0; k < r->led_count; k++)
        if (r->led[k].slot == slot)
            return r->led[k].source;
    return slot;
}

// Nothing may lead as a platoon that itself leads as another.
static mc_status check_single(const mc_run *r, int slot, int platoon, mc_error *error)
{
    const int source = leader_of(r, platoon);
    if (source < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "platoon %d has no leader yet",
                            platoon);
    if (r->rare[source].leads_as > 0)
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "platoon %d leads as platoon %d does; expected one that leads by itself", platoon,
            r->rare[source].leads_as);
    for (int k = 0; k < r->led_count; k++)
        if (r->led[k].source == slot)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "platoon %d leads as platoon %d does; expected one that leads by "
                                "itself",
                                r->rare[r->led[k].slot].platoon + 1, r->rare[slot].platoon + 1);
    return MC_OK;
}

mc_status run_lead_as(mc_run *r, int slot, double number, mc_error *error)
{
    char text[200];
    if (!(number >= 0.0 && number <= 1e5 && number == floor(number)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "leads_as is %g, expected the number of a platoon, or 0", number);
    const int platoon = (int)number;
    if (!scenario_may_lead_as(r->s, r->rare[slot].vehicle, platoon, text, sizeof text))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s", text);
    const mc_status status = platoon > 0 ? check_single(r, slot, platoon, error) : MC_OK;
    if (status != MC_OK)
        return status;
    r->rare[slot].leads_as = platoon;
    run_leads(r);
    run_refresh_commands(r);
    return MC_OK;
}

void run_lead_speeds(mc_run *r)
{
    for (int k = 0; k < r->led_count; k++) {
        run_car *c = &r->car[r->led[k].slot];
        const mc_motion *m = &r->motion[r->led[k].source];
        const bool alike = fabs(m->v - r->motion[r->led[k].slot].v) <= ALIKE;
        c->flags = alike || c->controller < 0 ? c->flags & ~(unsigned)RUN_CATCHES_UP
                                              : c->flags | RUN_CATCHES_UP;
        if (c->flags & RUN_CATCHES_UP) {
            c->v_set = m->v + 0.5 * r->s->step * m->a;
            c->v_set_rate = m->a;
        }
    }
}

void run_lead_inputs(mc_run *r)
{
    for (int k = 0; k < r->led_count; k++) {
        const int slot = r->led[k].slot, source = r->led[k].source;
        const bool hand = r->car[source].flags & (RUN_HAND | RUN_DRIVER_FILE);
        r->car[slot].flags &= ~(unsigned)RUN_LED_BY_HAND;
        if (r->car[slot].flags & RUN_CATCHES_UP)
            continue;
        r->car[slot].flags |= hand ? RUN_LED_BY_HAND : 0;
        mc_batch *batch;
        int index;
        r->inputs[slot] = r->inputs[source];
        r->car[slot].inner = r->car[source].inner;
        run_fault_inputs(r, slot, &r->inputs[slot]);
        mc_world_vehicle(r->world, r->rare[slot].vehicle, &batch, &index);
        batch->kind->set_inputs(batch, index, 1, &r->inputs[slot]);
    }
}
