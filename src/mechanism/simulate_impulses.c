// simulate_impulses.c - a mechanism in the engine of impulses over time, row by row.
#include "mechanism/by_impulses.h"

#include "mechanism/dips.h"
#include "mechanism/mechanism.h"

#include <math.h>
#include <string.h>

// ---- rows --------------------------------------------------------------------------------------

static const results_column solver_columns[] = {
    {"solver.iterations", "-", "iterations of contacts, limits and motors in the last step"},
    {"solver.reached", "m/s", "change of a velocity in the last iteration"},
    {"solver.corrections", "-", "rounds in which joints were closed after the last step"},
    {"solver.joint_error", "m", "by which a joint is open at most"},
    {"impacts.count", "-", "impacts so far"},
    {"impacts.gained", "J", "energy added by impacts so far"},
    {"impacts.lost", "J", "energy lost in impacts so far"},
    {"dips.count", "-", "how often a part dipped below the ground so far"},
    {"dips.depth", "m", "by which a part is below the ground at most"},
};
enum { SOLVER_COLUMNS = sizeof solver_columns / sizeof solver_columns[0] };

static void fill_solver(const impulse_report *from, const mc_simulate_report *report, double depth,
                        double *out)
{
    const double all[SOLVER_COLUMNS] = {from->iterations, from->reached,        from->corrections,
                                        from->open,       from->impacts,        from->gained,
                                        from->lost,       (double)report->dips, depth};
    memcpy(out, all, sizeof all);
}

static bool take_row(recording *r, impulse_run *run, double t, double *y)
{
    impulse_run_read(run, t, y);
    const double depth = dips_look(run->dips, t, r->report);
    fill_solver(impulses_report_of(run->engine), r->report, depth, r->extra_value);
    return recording_row(r, t, y);
}

static bool may_continue(recording *r, double t)
{
    const mc_watch *watch = r->watch;
    if (watch && watch->stop && watch->stop(watch->context)) {
        r->stopped = true;
        return false;
    }
    if (watch && watch->progress)
        watch->progress(watch->context, t);
    return true;
}

static void note(mc_simulate_report *to, const impulse_report *from)
{
    to->steps++;
    to->iterations += from->iterations;
    to->joint_open = fmax(to->joint_open, from->open);
    to->reached = fmax(to->reached, from->reached);
    to->impacts = from->impacts;
    to->gained = from->gained;
    to->lost = from->lost;
}

static mc_status march(recording *r, const mc_simulate_options *o, impulse_run *run, double *y,
                       mc_error *error)
{
    const double h = o->fixed_step;
    const long long steps = llround((o->end - o->start) / h), per_row = llround(o->step / h);
    bool good = take_row(r, run, o->start, y);
    for (long long k = 0; k < steps && good; k++) {
        const mc_status status = impulses_step(run->engine, h, error);
        run->stepped = true;
        r->report->time = o->start + (double)(k + 1) * h;
        note(r->report, impulses_report_of(run->engine));
        if (status != MC_OK)
            return status;
        if ((k + 1) % per_row == 0 || k + 1 == steps)
            good = take_row(r, run, k + 1 == steps ? o->end : r->report->time, y) &&
                   may_continue(r, r->report->time);
    }
    r->report->drift =
        r->report->energy_change == 0.0 ? 0.0 : r->report->energy_change / r->report->kinetic_max;
    if (r->stopped)
        return mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0,
                            "stopped at t = %g s; the files contain the results so far",
                            r->report->time);
    if (r->status != MC_OK)
        *error = r->error;
    return r->status;
}

// Rejects a step above the stability bound of the start; springs and dampers take substeps.
static mc_status check_step(recording *r, const mc_simulate_options *o, int substeps,
                            const double *y, mc_error *error)
{
    double bound;
    const mc_status status = simulate_stability(r->m, o->start, y, &bound, error);
    r->report->bound = substeps * bound;
    if (status != MC_OK || o->unbounded || bound == 0.0 || o->fixed_step <= substeps * bound)
        return status;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "a step of %g s is above the stability bound %.6g s of %s; expected a "
                        "shorter one, or --substeps %d",
                        o->fixed_step, substeps * bound, r->m->info.name,
                        (int)ceil(o->fixed_step / bound));
}

mc_status simulate_by_impulses(recording *r, const mc_simulate_options *options, double *y,
                               mc_error *error)
{
    impulse_run run;
    double extra[SOLVER_COLUMNS];
    mc_status status = impulse_run_make(r->m, options, &run, error);
    if (status != MC_OK)
        return status;
    status = check_step(r, options, run.model.settings.substeps, y, error);
    run.dips = dips_make(&run, r->m->model.body_count);
    if (status == MC_OK && !run.dips)
        status = recording_no_memory(error);
    if (status != MC_OK) {
        impulse_run_free(&run);
        return status;
    }
    impulses_start(run.engine, options->start, y);
    r->extra = solver_columns;
    r->extra_count = SOLVER_COLUMNS;
    r->extra_value = extra;
    r->amend = impulse_run_amend;
    r->amend_context = &run;
    status = recording_open(r, options, mc_simulate_row_count(options), error);
    if (status == MC_OK)
        status = march(r, options, &run, y, error);
    impulse_run_free(&run);
    return status;
}
