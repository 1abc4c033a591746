// ode.c - the table of methods, and the run that all of them share.
#include "num/ode_method.h"

#include "base/assert.h"
#include "num/integrate.h"
#include "num/ode_event.h"
#include "num/ode_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Every row of integrate.h is a method too and stands before these.
static const ode_kind *const kinds[] = {
    &ode_gauss2, &ode_gauss4, &ode_gauss6, &ode_dopri5,
    &ode_dop853, &ode_radau5, &ode_cvode,  &ode_cvode_adams,
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

bool ode_kind_at(int index, ode_kind *kind)
{
    if (index < 0)
        return false;
    int explicit_count = 0;
    for (; rk_kind_at(explicit_count); explicit_count++)
        if (explicit_count == index) {
            *kind = ode_kind_of_rk(rk_kind_at(index));
            return true;
        }
    if (index - explicit_count >= KIND_COUNT)
        return false;
    *kind = *kinds[index - explicit_count];
    return true;
}

bool ode_kind_find(const char *name, ode_kind *kind)
{
    ode_kind found;
    for (int i = 0; ode_kind_at(i, &found); i++)
        if (strcasecmp(found.name, name) == 0) {
            *kind = found;
            return true;
        }
    return false;
}

// ---- create ------------------------------------------------------------------------------------

ode_options ode_options_default(void)
{
    return (ode_options){.rtol = 1e-6, .atol = 1e-9, .steps_max = 10000000};
}

static mc_status check(const ode_kind *kind, const ode_problem *problem, const ode_options *options,
                       mc_error *error)
{
    if (!(options->rtol >= 1e-14 && options->rtol <= 0.1))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s: relative tolerance %g: expected 1e-14 .. 0.1", kind->name,
                            options->rtol);
    for (int i = 0; i < (options->atol_each ? problem->n : 1); i++) {
        const double atol = options->atol_each ? options->atol_each[i] : options->atol;
        if (!(atol >= 0.0 && isfinite(atol)))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s: absolute tolerance %g of state %d: expected 0 or more",
                                kind->name, atol, i);
    }
    if (!(options->step >= 0.0 && isfinite(options->step)) ||
        (!kind->adaptive && !(options->step > 0.0)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            kind->adaptive
                                ? "%s: first step %g s: expected 0 (chosen) or more"
                                : "%s: step %g s: a fixed-step method expects a step above 0",
                            kind->name, options->step);
    if (!(options->step_max >= 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s: longest step %g s: expected 0 (no limit) or more", kind->name,
                            options->step_max);
    if (options->steps_max < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s: maximum of %ld steps: expected 0 (no limit) or more", kind->name,
                            options->steps_max);
    return MC_OK;
}

static void layout(ode *o, ode_space *space)
{
    const size_t n = (size_t)o->problem.n;
    ode_space_take(space, 1, sizeof *o); // o itself is the first thing in the block
    o->atol = ode_space_doubles(space, n);
    o->y = ode_space_doubles(space, n);
    o->row = ode_space_doubles(space, n);
    ode_event_layout(o, space);
    o->kind.method->layout(o, space);
}

ode *ode_create(const ode_kind *kind, const ode_problem *problem, const ode_options *options,
                mc_error *error)
{
    mc_assert(problem->n >= 1 && problem->rate);
    if (check(kind, problem, options, error) != MC_OK)
        return NULL;
    ode model = {.kind = *kind, .problem = *problem, .options = *options};
    ode_space count = {0};
    layout(&model, &count);
    ode_space space = {.base = aligned_alloc(64, count.used)};
    if (!space.base) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                     "%s: no memory for %d states (%.0f MB are needed)", kind->name, problem->n,
                     (double)count.used / 1e6);
        return NULL;
    }
    memset(space.base, 0, count.used);
    ode *o = (ode *)(void *)space.base;
    *o = model;
    layout(o, &space);
    mc_assert(space.used == count.used);
    for (int i = 0; i < problem->n; i++)
        o->atol[i] = options->atol_each ? options->atol_each[i] : options->atol;
    o->options.atol_each = NULL; // copied; the caller's may go
    if (kind->method->open && kind->method->open(o, error) != MC_OK) {
        ode_free(o);
        return NULL;
    }
    return o;
}

void ode_free(ode *o)
{
    if (o && o->kind.method->close)
        o->kind.method->close(o);
    free(o);
}

// ---- failure -----------------------------------------------------------------------------------

const char *ode_trouble_name(ode_trouble trouble)
{
    switch (trouble) {
    case ODE_NO_TROUBLE:
        return "no trouble";
    case ODE_STEP_TOO_SMALL:
        return "step too small";
    case ODE_NEWTON_FAILED:
        return "Newton's iteration did not converge";
    case ODE_RATE_NOT_FINITE:
        return "rate not finite";
    case ODE_RATE_REJECTED:
        return "rate could not be computed";
    case ODE_TOO_MANY_STEPS:
        return "too many steps";
    case ODE_LIBRARY_FAILED:
        return "SUNDIALS gave up";
    }
    return "unknown trouble";
}

// What to try, for an engineer.
static const char *advice(const ode *o, ode_trouble trouble)
{
    switch (trouble) {
    case ODE_STEP_TOO_SMALL:
        return o->kind.implicit
                   ? "a discontinuity or a pole in the equations, or a tolerance below rounding"
                   : "a discontinuity or a pole in the equations, a tolerance below rounding, or a "
                     "stiff model (try radau5)";
    case ODE_NEWTON_FAILED:
        return o->kind.adaptive ? "check the Jacobian, and the equations for discontinuities"
                                : "take a shorter step, and check the Jacobian";
    case ODE_RATE_NOT_FINITE:
        return o->kind.adaptive ? "a shorter step did not help" : "a shorter step may help";
    case ODE_TOO_MANY_STEPS:
        return o->kind.implicit || !o->kind.adaptive
                   ? "allow more steps, or a larger tolerance or step"
                   : "allow more steps, a larger tolerance, or try radau5: the model may be stiff";
    default:
        return "";
    }
}

// "; worst state 3 (wheel.spin), 12.5 times its tolerance"
static void describe_state(const ode *o, char *text, size_t size)
{
    const int i = o->report.component;
    text[0] = '\0';
    if (i < 0)
        return;
    const char *name = o->problem.name ? o->problem.name[i] : NULL;
    int used = snprintf(text, size, "; %s state %d",
                        o->report.trouble == ODE_RATE_NOT_FINITE ? "first" : "worst", i);
    if (name && used > 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, " (%s)", name);
    if (isfinite(o->report.error) && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %.3g times its tolerance", o->report.error);
}

static mc_status fail(ode *o, ode_trouble trouble, mc_error *error)
{
    ode_report *r = &o->report;
    r->status = MC_FAILED;
    r->trouble = trouble;
    r->time = o->t;
    if (trouble == ODE_RATE_NOT_FINITE || trouble == ODE_RATE_REJECTED) {
        r->time = o->bad_time;
        r->component = o->bad_component;
        r->error = NAN;
    }
    char state[160];
    describe_state(o, state, sizeof state);
    const char *hint = advice(o, trouble);
    return mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s: %s at t = %.9g s, step %.3g s%s%s%s",
                        o->kind.name, ode_trouble_name(trouble), r->time, r->step, state,
                        *hint ? ": " : "", hint);
}

// ---- run ---------------------------------------------------------------------------------------

mc_status ode_start(ode *o, double t, const double *y, mc_error *error)
{
    const int n = o->problem.n;
    for (int i = 0; i < n; i++)
        if (!isfinite(y[i]))
            return mc_error_set(
                error, MC_BAD_INPUT, NULL, 0, 0, "%s: state %d%s%s%s is not finite at the start",
                o->kind.name, i, o->problem.name ? " (" : "",
                o->problem.name ? o->problem.name[i] : "", o->problem.name ? ")" : "");
    if (!isfinite(t))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s: the start time is not finite",
                            o->kind.name);
    memmove(o->y, y, (size_t)n * sizeof *y);
    o->t = o->t_old = t;
    o->started = false;
    o->seen = true;
    o->report = (ode_report){.time = t, .component = -1, .error = NAN};
    return MC_OK;
}

// What one ode_run hands from row to row.
typedef struct rows {
    const double *times;
    int count, next;
    ode_row *row;
    void *context;
} rows;

// Output times must go the way of the run and lie within it.
static mc_status check_times(const ode *o, double t_end, const rows *r, mc_error *error)
{
    if (!isfinite(t_end))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s: the end time is not finite",
                            o->kind.name);
    double before = o->t;
    for (int i = 0; i < r->count; i++) {
        const double t = r->times[i];
        if (!(o->forward * (t - before) >= 0.0 && o->forward * (t_end - t) >= 0.0))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s: output time %d, %.9g s, is not between %.9g and %.9g s",
                                o->kind.name, i, t, before, t_end);
        before = t;
    }
    return MC_OK;
}

static void project(ode *o, double t, double *y, bool step)
{
    if (o->problem.project)
        o->problem.project(o->problem.context, t, y, step);
}

// Hands out every row up to `until`, the present time or before it in the last step. *go becomes
// false when the caller has had enough.
static ode_trouble emit(ode *o, double until, rows *r, bool *go)
{
    for (; *go && r->next < r->count && o->forward * (until - r->times[r->next]) >= 0.0;
         r->next++) {
        const double t = r->times[r->next];
        if (t == o->t)
            memcpy(o->row, o->y, (size_t)o->problem.n * sizeof *o->y);
        else {
            const ode_trouble trouble = o->kind.method->dense(o, t, o->row);
            if (trouble)
                return trouble;
        }
        project(o, t, o->row, false);
        *go = r->row(r->context, t, o->row);
    }
    return ODE_NO_TROUBLE;
}

// One step of a fixed-step method, checked; y is put back when it fails.
static ode_trouble fixed_step(ode *o, double h)
{
    const size_t size = (size_t)o->problem.n * sizeof *o->y;
    memcpy(o->row, o->y, size); // free between rows
    o->report.step = h;
    ode_trouble trouble = o->kind.method->advance(o, h);
    for (int i = 0; i < o->problem.n && !trouble; i++)
        if (!isfinite(o->y[i])) {
            trouble = ODE_RATE_NOT_FINITE; // the state overflowed before its rate did
            o->bad_time = o->t + h, o->bad_component = i;
        }
    if (trouble)
        memcpy(o->y, o->row, size);
    else
        o->report.steps++;
    return trouble;
}

// Equal steps no longer than options.step to the next output time or t_end; lands on it exactly.
static ode_trouble fixed_interval(ode *o, double to, long *budget)
{
    const double start = o->t, length = to - start;
    const double count = fmax(1.0, ceil(fabs(length) / o->options.step * (1.0 - 1e-12)));
    const double h = length / count;
    for (double i = 1.0; i <= count; i++) {
        if (o->options.steps_max > 0 && (*budget)-- <= 0)
            return ODE_TOO_MANY_STEPS;
        ode_event_keep(o);
        ode_trouble trouble = fixed_step(o, h);
        if (trouble)
            return trouble;
        o->t_old = o->t;
        o->t = i == count ? to : start + i * h;
        project(o, o->t, o->y, true);
        double at;
        trouble = ode_event_find(o, &at);
        if (o->has_event)
            return trouble ? trouble : ode_event_stop(o, at);
    }
    return ODE_NO_TROUBLE;
}

static ode_trouble run_fixed(ode *o, double t_end, rows *r, bool *go)
{
    long budget = o->options.steps_max;
    ode_trouble trouble = emit(o, o->t, r, go);
    while (!trouble && *go && o->t != t_end && !o->has_event) {
        trouble = fixed_interval(o, r->next < r->count ? r->times[r->next] : t_end, &budget);
        if (!trouble)
            trouble = emit(o, o->t, r, go);
    }
    return trouble;
}

static ode_trouble run_adaptive(ode *o, double t_end, rows *r, bool *go)
{
    const long first = o->report.steps + o->report.rejected;
    ode_trouble trouble = emit(o, o->t, r, go);
    while (!trouble && *go && o->t != t_end && !o->has_event) {
        if (o->options.steps_max > 0 &&
            o->report.steps + o->report.rejected - first >= o->options.steps_max)
            return ODE_TOO_MANY_STEPS;
        o->next_row = r->next < r->count ? r->times[r->next] : t_end;
        ode_event_keep(o);
        trouble = o->kind.method->step(o, t_end);
        double at = o->t;
        if (!trouble)
            trouble = ode_event_find(o, &at);
        if (!trouble)
            trouble = emit(o, at, r, go);
        if (!trouble && o->has_event)
            trouble = ode_event_stop(o, at);
    }
    return trouble;
}

mc_status ode_run(ode *o, double t_end, const double *times, int count, ode_row *row,
                  void *row_context, mc_error *error)
{
    mc_assert(o->seen && (count == 0 || (times && row)));
    const double forward = t_end < o->t ? -1.0 : 1.0;
    if (o->forward == 0.0 || (forward != o->forward && t_end != o->t)) {
        o->forward = forward;
        o->started = false;
    }
    rows r = {times, count, 0, row, row_context};
    if (check_times(o, t_end, &r, error) != MC_OK)
        return o->report.status = MC_BAD_INPUT;
    ode_trouble trouble = ODE_NO_TROUBLE;
    if (!o->started && t_end != o->t) {
        if (o->kind.method->start)
            trouble = o->kind.method->start(o, t_end);
        o->started = trouble == ODE_NO_TROUBLE;
    }
    bool go = true;
    ode_event_begin(o);
    if (!trouble)
        trouble = o->kind.adaptive ? run_adaptive(o, t_end, &r, &go) : run_fixed(o, t_end, &r, &go);
    if (trouble) {
        o->started = false;
        return fail(o, trouble, error);
    }
    o->report.trouble = ODE_NO_TROUBLE;
    o->report.time = o->t;
    if (!go)
        mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0, "%s: stopped on request at t = %.9g s",
                     o->kind.name, r.times[r.next - 1]);
    return o->report.status = go ? MC_OK : MC_INTERRUPTED;
}

double ode_time(const ode *o)
{
    return o->t;
}

const double *ode_state(const ode *o)
{
    return o->y;
}

const ode_report *ode_report_of(const ode *o)
{
    return &o->report;
}
