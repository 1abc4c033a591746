// braking_step.c - the step of a run changes without another version of the scenario: the run has
// its own copy of it, in which only the step differs.
#include "run/braking_step.h"

#include "run/build.h"
#include "run/carry.h"
#include "run/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool run_use_braking_step(mc_run *r, bool braking)
{
    if (isnan(r->s->braking_step))
        return !braking;
    r->own->step = braking ? r->s->braking_step : r->usual_step;
    r->braking_step = braking;
    return true;
}

// Messages under way keep their ages in steps of the new length.
static mc_status carry_messages(const mc_run *was, mc_run *r, mc_error *error)
{
    const double delay = (was->history_count - 1) * was->s->step;
    r->history_count = 0;
    const mc_status status = run_keep_history(r, delay, error);
    if (status == MC_OK)
        run_carry_radio(was, r);
    return status;
}

static mc_status change_step(mc_run *r, bool braking, mc_error *error)
{
    const size_t n = (size_t)r->count, kept = n * (size_t)r->history_count;
    const scenario before = *r->s;
    mc_run was = *r;
    was.s = &before;
    was.history = malloc(kept * sizeof *was.history + 1);
    was.rare = malloc(n * sizeof *was.rare + 1);
    mc_status status = was.history && was.rare
                           ? MC_OK
                           : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a step");
    if (status == MC_OK) {
        memcpy(was.rare, r->rare, n * sizeof *was.rare);
        if (kept > 0)
            memcpy(was.history, r->history, kept * sizeof *was.history);
        r->zero_time = run_time(r);
        r->zero_step = r->step;
        run_use_braking_step(r, braking);
        for (int slot = 0; slot < r->count; slot++)
            run_scale_rates(&r->car[slot], &r->motion[slot], r->s->step / before.step);
        if (r->history_count > 0)
            status = carry_messages(&was, r, error);
    }
    free(was.history);
    free(was.rare);
    return status;
}

mc_status run_fit_step(mc_run *r, mc_error *error)
{
    if (isnan(r->s->braking_step) || r->s->braking_step == r->usual_step)
        return MC_OK;
    const long long row = (long long)fmax(1.0, floor(r->s->record / r->s->step + 0.5));
    if ((r->step - r->zero_step) % row != 0)
        return MC_OK;
    const bool works = run_estimate_works(r);
    return works == r->braking_step ? MC_OK : change_step(r, works, error);
}
