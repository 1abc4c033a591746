// play.c - one run of many, from its start to its end.
#include "runs/play.h"

#include <math.h>
#include <stdio.h>

void runs_outcome_clear(runs_outcome *out)
{
    *out = (runs_outcome){.failed = NAN, .cars = out->cars, .car_count = out->car_count};
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        out->value[k] = NAN;
    for (int k = 0; out->cars && k < out->car_count * MC_FIGURE_COUNT; k++)
        out->cars[k] = NAN;
}

// Figures of numbers that are none would pass for a result.
static mc_status check_finite(const mc_run *run, mc_error *error)
{
    for (int k = 0; k < mc_run_vehicle_count(run); k++) {
        mc_run_view view;
        mc_run_look(run, k, &view);
        if (!isfinite(view.motion.x) || !isfinite(view.motion.v) || !isfinite(view.motion.a))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "position, speed or acceleration of %s is not finite at t = %g s",
                                mc_run_vehicle_name(run, k), mc_run_time(run));
    }
    return MC_OK;
}

static void take_figures(const mc_recording *rec, runs_outcome *out)
{
    const mc_figures *f = mc_recording_figures(rec);
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        out->value[k] = mc_figures_value(f, -1, (mc_figure_id)k);
    for (int v = 0; out->cars && v < out->car_count && mc_recording_vehicle_name(rec, v); v++)
        for (int k = 0; k < MC_FIGURE_COUNT; k++)
            out->cars[v * MC_FIGURE_COUNT + k] = mc_figures_value(f, v, (mc_figure_id)k);
}

mc_status runs_play(const mc_scenario *s, const mc_run_options *options, const mc_watch *watch,
                    runs_outcome *out, mc_error *error)
{
    mc_run *run = mc_run_create(s, options, error);
    mc_recording *rec = run ? mc_recording_open(run, &(mc_record_output){0}, error) : NULL;
    mc_status status = rec ? MC_OK : error->code;
    if (rec)
        status = mc_recording_play(rec, watch, error);
    if (status == MC_OK)
        status = check_finite(run, error);
    if (status == MC_OK) {
        snprintf(out->ended, sizeof out->ended, "%s", mc_recording_ended(rec));
        out->failed = mc_recording_failed(rec);
        out->hash = mc_run_hash(run);
        take_figures(rec, out);
    }
    if (rec)
        mc_recording_abandon(rec);
    mc_run_destroy(run);
    return status;
}

mc_status runs_outcome_judge(runs_outcome *out, mc_status status, const mc_error *error)
{
    if (status != MC_BAD_INPUT && status != MC_FAILED)
        return status;
    snprintf(out->ended, sizeof out->ended, "failed: %.380s", error->text);
    return MC_OK;
}
