// adaptive.c - steps chosen by the energy: a chunk whose books do not balance is taken back and
// done again with half the step.
//
// The books: energy of all vehicles plus all that left them, in impacts too, less what engines
// brought. They should not change; what they change by is error of the scheme. Allowed is
// energy_tolerance times the kinetic energy per second. A balance 32 times better than that lets
// the step grow again, for order four gives a factor of 16 a halving.
#include "sim/world.h"

#include <math.h>

static const int HALVINGS = 12; // below that the error is not one of the step

static void set_step(mc_world *w, double step)
{
    w->step = step;
    for (int k = 0; k < w->batch_count; k++)
        if (w->batches[k]->kind->limit_step)
            w->batches[k]->kind->limit_step(w->batches[k], step);
}

static double books(const mc_world *w, double *kinetic)
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
    const double least = w->options.step * ldexp(1.0, -HALVINGS);
    double kinetic, unused;
    const double before = books(w, &kinetic);
    const double allowed = w->options.energy_tolerance * kinetic * duration;
    const int impacts = w->impact_count;
    mc_status status = world_keep(w, error);
    for (bool done = false; status == MC_OK && !done;) {
        status = world_clusters_advance(w, duration, error);
        const double drift = fabs(books(w, &unused) - before);
        done = drift <= allowed || w->step <= least;
        if (!done) {
            world_put_back(w);
            w->impact_count = impacts;
            for (int k = 0; k < w->pair_count; k++) // what was hit in vain was not hit
                if (w->pairs[k].last_impact > w->time)
                    w->pairs[k].last_impact = -HUGE_VAL;
            set_step(w, 0.5 * w->step);
        } else if (32.0 * drift < allowed && w->step < w->options.step) {
            set_step(w, fmin(2.0 * w->step, w->options.step));
        }
    }
    return status;
}
