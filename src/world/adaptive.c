// adaptive.c - steps chosen by the energy balance: a chunk that does not balance is undone and
// repeated with half the step.
//
// The balance: energy of all vehicles plus all losses, impacts included, minus the work of engines.
// It should be constant; its change is the error of the scheme. The limit is energy_tolerance times
// the kinetic energy per second. A balance 32 times better than that lets the step grow again,
// since order four gives a factor of 16 per halving.
#include "world/world.h"

#include <math.h>

static const int HALVINGS = 12; // below that the error is not one of the step

static void set_step(mc_world *w, double step)
{
    w->step = step;
    for (int k = 0; k < w->batch_count; k++)
        if (w->batches[k]->kind->limit_step)
            w->batches[k]->kind->limit_step(w->batches[k], step);
}

static double balance(const mc_world *w, double *kinetic)
{
    double sum = 0.0;
    *kinetic = 0.0;
    for (int id = 0; id < w->vehicle_count; id++) {
        mc_energy e;
        w->body[id].batch->kind->energy(w->body[id].batch, w->body[id].index, &e);
        *kinetic += e.kinetic;
        sum += e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped + e.braked +
               e.dragged + e.crushed - e.driven;
    }
    for (int k = 0; k < w->impact_count; k++)
        sum += w->impacts[k].friction_loss + w->impacts[k].restitution_loss;
    return sum;
}

mc_status world_adaptive_advance(mc_world *w, double duration, mc_error *error)
{
    const double min = w->options.step * ldexp(1.0, -HALVINGS);
    double kinetic, unused;
    const double before = balance(w, &kinetic);
    const double allowed = w->options.energy_tolerance * kinetic * duration;
    const int impacts = w->impact_count;
    mc_status status = world_keep(w, error);
    for (bool done = false; status == MC_OK && !done;) {
        status = world_clusters_advance(w, duration, error);
        const double drift = fabs(balance(w, &unused) - before);
        done = drift <= allowed || w->step <= min;
        if (!done) {
            world_put_back(w);
            w->impact_count = impacts;
            for (int k = 0; k < w->pair_count; k++) // undo the impacts of the rejected chunk
                if (w->pairs[k].last_impact > w->time)
                    w->pairs[k].last_impact = -HUGE_VAL;
            set_step(w, 0.5 * w->step);
        } else if (32.0 * drift < allowed && w->step < w->options.step) {
            set_step(w, fmin(2.0 * w->step, w->options.step));
        }
    }
    return status;
}
