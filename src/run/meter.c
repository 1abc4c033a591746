// meter.c - the mileage meter of every car (eq 13 of the report, run/mileage.h), for display.
//
// Samples are taken at the instants of rows, so that the meter shows what the figure `mileage` of
// the same run says. It is a part of the state: what is shown of the past is what was shown then.
#include "run/meter.h"

#include <math.h>
#include <string.h>

static void defaults(double p[MILEAGE_PARAM_COUNT])
{
    for (int k = 0; k < MILEAGE_PARAM_COUNT; k++)
        p[k] = mileage_params[k].fallback;
}

// The channel `fuel` of a kind; -1: it burns none.
static int fuel_channel(const mc_vehicle_kind *kind)
{
    for (int c = 0; c < kind->channel_count; c++)
        if (strcmp(kind->channels[c].name, "fuel") == 0)
            return c;
    return -1;
}

static double fuel_of(const mc_batch *batch, int i, int channel) // kg
{
    if (batch->kind->fuel)
        return batch->kind->fuel(batch, i);
    double value[RUN_CHANNELS_MAX];
    batch->kind->read_channels(batch, i, value);
    return value[channel];
}

void run_mileage_begin(mc_run *r)
{
    double p[MILEAGE_PARAM_COUNT];
    defaults(p);
    for (int k = 0; r->mileage && k < r->batch_count; k++) {
        const mc_batch *batch = r->batches[k].batch;
        const int channel = fuel_channel(batch->kind), first = r->batches[k].first;
        for (int i = 0; i < batch->count; i++) {
            mileage *m = &r->mileage[first + i];
            const double fuel = channel < 0 ? 0.0 : fuel_of(batch, i, channel);
            mileage_begin(m, p, r->motion[first + i].x, fuel / MILEAGE_DENSITY);
            if (channel < 0)
                m->value = NAN;
        }
    }
}

void run_mileage_take(mc_run *r)
{
    if (!r->mileage)
        return;
    const double steps = fmax(1.0, floor(r->s->record / r->s->step + 0.5));
    if ((r->step - r->zero_step) % (long long)steps != 0)
        return;
    double p[MILEAGE_PARAM_COUNT];
    defaults(p);
    const double step = steps * r->s->step;
    const int window = mileage_samples(p, step);
    for (int k = 0; k < r->batch_count; k++) {
        const mc_batch *batch = r->batches[k].batch;
        const int channel = fuel_channel(batch->kind), first = r->batches[k].first;
        for (int i = 0; channel >= 0 && i < batch->count; i++)
            mileage_take(&r->mileage[first + i], p, window, step, r->motion[first + i].x,
                         fuel_of(batch, i, channel) / MILEAGE_DENSITY);
    }
}
