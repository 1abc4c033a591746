// simulate.c - a mechanism over time: rows into files, the run itself.
#include "motorcade/simulate.h"

#include "base/text.h"
#include "mechanism/recording.h"
#include "mechanism/rolling.h"
#include "num/ode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char default_method[] = "dop853";
static const double default_rtol = 1e-9;
static const double default_impulse_step = 1e-3; // s
const char simulate_verlet[] = "verlet";
enum {
    DEFAULT_ROWS = 500,
    DEFAULT_STEPS_MIN = 50,   // a run has no fewer, and
    DEFAULT_ROWS_A_STEP = 10, // a step spans no more
    ROWS_MAX = 20000000,
    METHODS_MAX = 64,
    SWITCHES_MAX = 1000, // between two rows
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- methods -----------------------------------------------------------------------------------

bool mc_method_at(int index, mc_method *out)
{
    ode_kind kind;
    if (!ode_kind_at(index, &kind))
        return false;
    *out = (mc_method){kind.name, kind.doc, kind.order, kind.adaptive, kind.implicit};
    return true;
}

static mc_status find_kind(const char *name, ode_kind *out, mc_error *error)
{
    if (ode_kind_find(name, out))
        return MC_OK;
    const char *names[METHODS_MAX];
    char list[400] = "";
    int count = 0;
    ode_kind kind;
    for (; count < METHODS_MAX && ode_kind_at(count, &kind); count++) {
        names[count] = kind.name;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count ? ", " : "",
                 kind.name);
    }
    const char *near = text_nearest(name, names, count);
    if (near)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "unknown method \"%.40s\"; did you mean %s?", name, near);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "unknown method \"%.40s\"; expected one of: %s", name, list);
}

mc_status mc_method_find(const char *name, mc_method *out, mc_error *error)
{
    ode_kind kind;
    const mc_status status = find_kind(name, &kind, error);
    if (status == MC_OK)
        *out = (mc_method){kind.name, kind.doc, kind.order, kind.adaptive, kind.implicit};
    return status;
}

// ---- the integrator's questions ----------------------------------------------------------------

static ode_answer rate(void *context, double t, const double *y, double *dy)
{
    recording *r = context;
    const mc_watch *watch = r->watch;
    if (watch && watch->stop && watch->stop(watch->context)) {
        r->stopped = true;
        return ODE_FAILED;
    }
    if (watch && watch->progress && t > r->reached) {
        r->reached = t;
        watch->progress(watch->context, t);
    }
    mc_multibody_rate(r->switching.now, t, y, recording_load(r, t, y), dy);
    return ODE_OK;
}

static ode_answer jacobian(void *context, double t, const double *y, double *matrix)
{
    recording *r = context;
    r->status = mc_multibody_jacobian(r->switching.now, t, y, matrix, NULL, &r->error);
    return r->status == MC_OK ? ODE_OK : ODE_FAILED;
}

// What a step gains by it counts when the next one begins later: until then it may be rejected.
static void project(void *context, double t, double *y, bool step)
{
    recording *r = context;
    mc_multibody *m = r->switching.now;
    const bool counts = step && m->system.rows.count > 0;
    const double before = counts ? multibody_loops_energy(m, t, y) : 0.0;
    mc_multibody_project(m, t, y);
    if (!counts)
        return;
    if (t > r->projected_at)
        r->report->projected += r->projected;
    r->projected_at = t;
    r->projected = multibody_loops_energy(m, t, y) - before;
}

static void look(void *context, double t, const double *y, double *value)
{
    multibody_switching_look(&((recording *)context)->switching, t, y, value);
}

static double switch_number(const mc_multibody *m, const char *name)
{
    const char *own;
    for (int i = 0; mb_switch_at(&m->model, i, &own, NULL); i++)
        if (strcmp(own, name) == 0)
            return i;
    return -1.0;
}

static void take_event(void *context, const mc_simulate_event *event)
{
    recording *r = context;
    const double row[] = {event->t, switch_number(r->m, event->name), event->on, event->impulse,
                          event->energy};
    if (r->record && r->status == MC_OK)
        r->status = results_write(record_file(r->record), r->event_table, row, &r->error);
    if (r->output->event)
        r->output->event(r->output->context, event);
}

// ---- options -----------------------------------------------------------------------------------

mc_simulate_options mc_simulate_defaults(const mc_multibody *m)
{
    return (mc_simulate_options){.end = mc_multibody_end(m), .step = mc_multibody_step(m)};
}

// Full intervals before the end, and whether a shorter one is left; an end within rounding of a
// multiple is that multiple.
static long long full_rows(const mc_simulate_options *o, double step, bool *rest)
{
    const double length = o->end - o->start;
    const double full = floor(length / step * (1.0 + 1e-12));
    *rest = false;
    if (!(full < ROWS_MAX))
        return -1;
    *rest = length - full * step > 1e-12 * o->end;
    return (long long)full;
}

long long mc_simulate_row_count(const mc_simulate_options *options)
{
    bool rest;
    const double length = options->end - options->start;
    if (!(length > 0.0))
        return 0;
    const double step = options->step > 0.0 ? options->step : length / DEFAULT_ROWS;
    const long long full = full_rows(options, step, &rest);
    return full < 0 ? 0 : full + rest + 1;
}

static mc_status check_numbers(const mc_simulate_options *o, mc_error *error)
{
    const struct {
        const char *name;
        double value;
    } all[] = {{"time between rows", o->step},
               {"relative tolerance", o->rtol},
               {"absolute tolerance", o->atol},
               {"fixed step", o->fixed_step},
               {"longest step", o->max_step}};
    if (!(o->end > o->start && o->start >= 0.0 && isfinite(o->end)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the end of the simulation is %g s; it must be above %g", o->end,
                            o->start);
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (!(all[k].value >= 0.0 && isfinite(all[k].value)))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s %g must be 0 or above",
                                all[k].name, all[k].value);
    return MC_OK;
}

static bool is_whole(double steps)
{
    return steps > 0.5 && fabs(steps - floor(steps + 0.5)) <= 1e-6;
}

// A fixed step is taken as it is given: rows and the end must fall on steps. Rows that are not
// given do.
static mc_status fit_steps(mc_simulate_options *o, mc_error *error)
{
    const double h = o->fixed_step;
    if (!is_whole((o->end - o->start) / h))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the end, %g s, is not a whole number of fixed steps of %g s", o->end,
                            h);
    if (o->step > 0.0 && !is_whole(o->step / h))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a row every %g s is not a whole number of fixed steps of %g s",
                            o->step, h);
    if (o->step == 0.0)
        o->step = h * fmax(1.0, floor((o->end - o->start) / DEFAULT_ROWS / h + 0.5));
    return MC_OK;
}

static mc_status check_rows(const mc_simulate_options *o, mc_error *error)
{
    if (mc_simulate_row_count(o) > 0)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "a row every %g s until %g s gives %.3g rows; expected at most %d", o->step,
                        o->end, (o->end - o->start) / o->step, ROWS_MAX);
}

// Fills in the defaults.
static mc_status complete_equations(const mc_multibody *m, mc_simulate_options *o, mc_error *error)
{
    const mb_model *model = &m->model;
    if (model->limit_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, model->file, model->limits[0].line, 0,
                            "the engine equations knows no limits; expected --engine impulses, or "
                            "\"engine: impulses\" under simulate");
    if (model->contact_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, model->file, model->contacts[0].line, 0,
                            "the engine equations knows no contacts of bodies; expected --engine "
                            "impulses, or \"engine: impulses\" under simulate");
    for (int i = 0; i < model->wheel_count; i++)
        if (model->wheels[i].rigid)
            return mc_error_set(error, MC_BAD_INPUT, model->file, model->wheels[i].line, 0,
                                "wheel %s is rigid, which the engine equations cannot run; "
                                "expected the key stiffness, or --engine impulses",
                                model->wheels[i].name);
    if (o->friction || o->iterations || o->tolerance > 0.0 || o->substeps)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "friction, iterations, tolerance and substeps are settings of "
                            "the engine impulses; the engine is equations");
    ode_kind kind;
    mc_status status = check_numbers(o, error);
    if (status == MC_OK)
        status = find_kind(o->method ? o->method : default_method, &kind, error);
    if (status != MC_OK)
        return status;
    if (!kind.adaptive && o->fixed_step == 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s has a fixed step: expected its length", kind.name);
    if (kind.implicit && model->wheel_count + model->motor_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s is implicit, and its Jacobian knows no wheels and motors; "
                            "expected an explicit one",
                            kind.name);
    if (kind.adaptive && o->fixed_step > 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s adapts its step: no fixed step is expected", kind.name);
    o->method = kind.name;
    status = kind.adaptive ? MC_OK : fit_steps(o, error);
    if (status != MC_OK)
        return status;
    const double length = o->end - o->start;
    o->step = o->step > 0.0 ? o->step : length / DEFAULT_ROWS;
    o->rtol = o->rtol > 0.0 ? o->rtol : default_rtol;
    o->atol = o->atol > 0.0 ? o->atol : o->rtol;
    if (o->max_step == 0.0)
        o->max_step = fmin(length / DEFAULT_STEPS_MIN, DEFAULT_ROWS_A_STEP * o->step);
    return check_rows(o, error);
}

mc_status simulate_impulses_complete(const mc_multibody *m, mc_simulate_options *o, mc_error *error)
{
    mc_status status = check_numbers(o, error);
    if (status == MC_OK && o->method && strcmp(o->method, simulate_verlet) != 0)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                              "the engine impulses steps by %s, found method %s; other methods "
                              "belong to the engine equations",
                              simulate_verlet, o->method);
    if (status != MC_OK)
        return status;
    o->method = simulate_verlet;
    if (o->fixed_step ==
        0.0) { // not asked for: at most that of the file, and rows at its multiples
        const double usual = m->model.stepping.fixed_step;
        o->fixed_step = usual > 0.0 ? usual : default_impulse_step;
        if (o->step > 0.0 && !is_whole(o->step / o->fixed_step))
            o->fixed_step = o->step / ceil(o->step / o->fixed_step);
    }
    status = fit_steps(o, error);
    return status == MC_OK ? check_rows(o, error) : status;
}

// True when no damper, load or formula can take energy from the mechanism or give it.
static bool conserves(const mb_model *model)
{
    bool clean = model->force_count == 0 && model->torque_count == 0 && model->wheel_count == 0 &&
                 model->contact_count == 0 && model->limit_count == 0 && model->motor_count == 0;
    for (int i = 0; i < model->body_count; i++)
        clean = clean && model->bodies[i].damping == EXPR_ZERO && !model->bodies[i].load.text;
    for (int i = 0; i < model->spring_count; i++)
        clean = clean && model->springs[i].damping == EXPR_ZERO && !model->springs[i].force.text;
    return clean;
}

// ---- the run -----------------------------------------------------------------------------------

// Adds the counts since the integrator was started last.
static void keep_report(recording *r, const ode *o)
{
    const ode_report *from = ode_report_of(o);
    mc_simulate_report *to = r->report;
    to->time = ode_time(o);
    to->steps += from->steps;
    to->rejected += from->rejected;
    to->rates += from->rates;
    to->jacobians += from->jacobians;
    to->factorizations += from->factorizations;
    to->iterations += from->iterations;
    to->projected += r->projected;
    r->projected = 0.0;
    to->switched = r->switching.lost;
    to->switch_count = r->switching.count;
    to->drift = to->energy_change == 0.0 ? 0.0 : to->energy_change / to->kinetic_max;
}

// At an event: what switches, and how the motion continues.
static mc_status switch_over(recording *r, ode *o, mc_error *error)
{
    const double t = ode_time(o);
    double y[r->m->info.y_count + 1];
    memcpy(y, ode_state(o), (size_t)r->m->info.y_count * sizeof *y);
    mc_status status = multibody_switching_at(&r->switching, t, y, ode_events_of(o), error);
    if (status == MC_OK && r->status != MC_OK) {
        *error = r->error;
        status = r->status;
    }
    if (r->report->row_count != r->switched_row) {
        r->switched_row = r->report->row_count;
        r->switched_before = r->switching.count;
    }
    if (status == MC_OK && r->switching.count - r->switched_before > SWITCHES_MAX)
        status = mc_error_set(error, MC_FAILED, NULL, 0, 0,
                              "joints and constraints switched on and off more than %d times "
                              "between two rows, last at t = %.9g s: their conditions chatter",
                              SWITCHES_MAX, t);
    return status == MC_OK ? ode_start(o, t, y, error) : status;
}

static mc_status integrate(recording *r, const mc_simulate_options *options, ode *o, double *y,
                           mc_error *error)
{
    bool rest;
    const long long full = full_rows(options, options->step, &rest);
    const int count = (int)(full + rest + 1);
    double *times = malloc((size_t)count * sizeof *times);
    if (!times)
        return recording_no_memory(error);
    for (int k = 0; k < count; k++)
        times[k] = k == count - 1 ? options->end : options->start + k * options->step;
    mc_status status;
    for (bool more = true; more;) {
        const int done = (int)r->report->row_count;
        status = ode_run(o, options->end, times + done, count - done, recording_row, r, error);
        keep_report(r, o);
        more = status == MC_OK && ode_events_of(o);
        if (more)
            status = switch_over(r, o, error);
        more = more && status == MC_OK;
    }
    free(times);
    memcpy(y, ode_state(o), (size_t)r->m->info.y_count * sizeof *y);
    mc_multibody_project(r->switching.now, ode_time(o), y);
    r->report->switched = r->switching.lost;
    r->report->switch_count = r->switching.count;
    if (r->stopped)
        return mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0,
                            "stopped at t = %g s; the files contain the results so far",
                            r->report->time);
    if (status != MC_OK && r->status != MC_OK) {
        *error = r->error;
        return r->status;
    }
    return status;
}

// Names of the states for messages; to be freed, the names themselves not.
static const char **state_names(const mc_multibody *m)
{
    const mc_multibody_info *info = &m->info;
    const char **names = malloc(((size_t)info->y_count + 1) * sizeof *names);
    for (int i = 0; names && i < info->y_count; i++) {
        const int v = i - info->q_count, state = v - info->v_count;
        names[i] = v < 0       ? mc_multibody_name(m, MC_QUANTITY_COORDINATE, i)
                   : state < 0 ? mc_multibody_name(m, MC_QUANTITY_VELOCITY, v)
                               : mc_multibody_name(m, MC_QUANTITY_STATE, state);
    }
    return names;
}

// The integrator at the start of the run; what is compiled or derived at
// first use is so here, before the clock of the run.
static mc_status make_integrator(recording *r, const mc_simulate_options *options,
                                 const ode_kind *kind, const char *const *names, const double *y,
                                 ode **out, mc_error *error)
{
    ode_options settings = ode_options_default();
    settings.rtol = options->rtol;
    settings.atol = options->atol;
    settings.step = options->fixed_step;
    settings.step_max = options->max_step;
    settings.steps_max = 0;
    const ode_problem problem = {.n = r->m->info.y_count,
                                 .context = r,
                                 .rate = rate,
                                 .jacobian = kind->implicit ? jacobian : NULL,
                                 .project = project,
                                 .event = r->m->system.switch_count > 0 ? look : NULL,
                                 .event_count = r->m->system.switch_count,
                                 .name = names};
    double *dy = malloc(((size_t)problem.n + 1) * sizeof *dy);
    if (!dy)
        return recording_no_memory(error);
    mc_multibody_rate(r->switching.now, options->start, y, NULL, dy);
    free(dy);
    if (kind->implicit) {
        const mc_status status =
            mc_multibody_jacobian(r->switching.now, options->start, y, NULL, NULL, error);
        if (status != MC_OK)
            return status;
    }
    *out = ode_create(kind, &problem, &settings, error);
    return *out ? ode_start(*out, options->start, y, error) : error->code;
}

// Unit quaternions at the start; one of length zero is no orientation.
static mc_status make_start(multibody_switching *s, double t, double *y, mc_error *error)
{
    const mc_multibody *m = s->m;
    for (int b = 0; b < m->model.body_count; b++) {
        const mb_body *body = &m->model.bodies[b];
        const bool base = body->joint == MB_FREE && !body->euler;
        const double *q = y + m->system.links.body_q[b] + (base ? 3 : 0);
        if ((base || body->joint == MB_BALL) &&
            !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "the quaternion of %s is zero at the start: no orientation",
                                body->name);
    }
    return multibody_switching_start(s, t, y, error);
}

// ---- engines -----------------------------------------------------------------------------------

// The forces of the ground among the outputs are those of the last load.
static void amend_rolling(void *context, double *outputs)
{
    const recording *r = context;
    const mb_model *model = &r->m->model;
    memcpy(outputs + multibody_contact_output(r->m), rolling_forces(r->rolling),
           3 * (size_t)model->wheel_count * sizeof *outputs);
}

static mc_status by_equations(recording *r, const mc_simulate_options *options, double *y,
                              mc_error *error)
{
    ode_kind kind;
    const char **names = state_names(r->m);
    ode *integrator = NULL;
    mc_status status = find_kind(options->method, &kind, error);
    if (status == MC_OK)
        status = rolling_make(r->m, &r->rolling, error);
    if (r->rolling) {
        r->amend = amend_rolling;
        r->amend_context = r;
    }
    if (status == MC_OK)
        status = names ? make_integrator(r, options, &kind, names, y, &integrator, error)
                       : recording_no_memory(error);
    if (status == MC_OK)
        status = recording_open(r, options, mc_simulate_row_count(options), error);
    if (status == MC_OK)
        status = integrate(r, options, integrator, y, error);
    ode_free(integrator);
    rolling_free(r->rolling);
    free(names);
    return status;
}

typedef struct engine {
    const char *name, *doc;
    mc_status (*complete)(const mc_multibody *m, mc_simulate_options *options, mc_error *error);
    mc_status (*run)(recording *r, const mc_simulate_options *options, double *y, mc_error *error);
} engine;

static const engine engines[] = {
    {"equations", "derived equations of motion in independent coordinates, any integrator",
     complete_equations, by_equations},
    {"impulses", "bodies with joints and contacts as impulses, Verlet steps of fixed length",
     simulate_impulses_complete, simulate_by_impulses},
};
enum { ENGINES = sizeof engines / sizeof engines[0] };

bool mc_engine_at(int index, mc_engine *out)
{
    if (index < 0 || index >= ENGINES)
        return false;
    *out = (mc_engine){engines[index].name, engines[index].doc};
    return true;
}

static mc_status find_engine(const char *name, const engine **out, mc_error *error)
{
    const char *names[ENGINES];
    char list[120] = "";
    for (int i = 0; i < ENGINES; i++) {
        names[i] = engines[i].name;
        if (!name || strcmp(name, names[i]) == 0) {
            *out = &engines[i];
            return MC_OK;
        }
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    }
    const char *near = text_nearest(name, names, ENGINES);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown engine \"%.40s\"; %s%s%s", name,
                        near ? "did you mean " : "expected one of: ", near ? near : list,
                        near ? "?" : "");
}

mc_status mc_engine_find(const char *name, mc_engine *out, mc_error *error)
{
    const engine *found = NULL;
    const mc_status status = find_engine(name, &found, error);
    if (status == MC_OK)
        *out = (mc_engine){found->name, found->doc};
    return status;
}

mc_status mc_simulate(mc_multibody *m, const mc_simulate_options *options, double *y,
                      const mc_simulate_output *output, const mc_watch *watch,
                      mc_simulate_report *report, mc_error *error)
{
    static const mc_simulate_output nothing = {0};
    mc_error own, closing;
    mc_simulate_report unread;
    error = error ? error : &own;
    report = report ? report : &unread;
    mc_simulate_options o = *options;
    const engine *by = NULL;
    *report = (mc_simulate_report){0};
    mc_status status = mc_multibody_check(m, error);
    if (status == MC_OK)
        status = find_engine(o.engine ? o.engine : m->model.stepping.engine, &by, error);
    if (status == MC_OK)
        status = by->complete(m, &o, error);
    if (status == MC_OK && m->info.y_count == 0)
        status =
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s has no moving parts", m->info.name);
    recording r = {.m = m,
                   .options = &o,
                   .output = output ? output : &nothing,
                   .watch = watch,
                   .report = report};
    r.switching = (multibody_switching){.m = m, .row_step = o.step};
    if (status == MC_OK)
        status = make_start(&r.switching, o.start, y, error);
    if (status != MC_OK)
        return status;
    o.engine = by->name;
    *report = (mc_simulate_report){.method = o.method,
                                   .engine = by->name,
                                   .step = o.step,
                                   .conserves = !o.load && conserves(&m->model)};
    r.switching.take = take_event;
    r.switching.context = &r;
    r.tau = calloc((size_t)m->info.v_count + 1, sizeof *r.tau);
    status = r.tau ? by->run(&r, &o, y, error) : recording_no_memory(error);
    // A run that failed keeps its rows too: they show how it came to fail.
    const mc_status closed =
        recording_close(&r, r.opened, status == MC_OK ? "end time reached" : error->text, &closing);
    free(r.tau);
    report->seconds = r.opened ? now() - r.begun : 0.0;
    if (status == MC_OK && closed != MC_OK) {
        *error = closing;
        return closed;
    }
    return status;
}
