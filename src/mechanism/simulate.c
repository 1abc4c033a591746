// simulate.c - a mechanism over time: rows into files, the run itself.
#include "motorcade/simulate.h"
#include "motorcade/version.h"

#include "base/file.h"
#include "base/text.h"
#include "mechanism/mechanism.h"
#include "num/ode.h"
#include "record/csv.h"
#include "record/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char default_method[] = "dop853";
static const double default_rtol = 1e-9;
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

// ---- columns -----------------------------------------------------------------------------------

// Outputs begin with the user's variables; the three energies come next.
static int energy_index(const mc_multibody *m)
{
    return m->model.variable_count;
}

// All coordinates, velocities, states and energies. columns: room for y_count + 3.
static int default_columns(const mc_multibody *m, mc_simulate_column *columns)
{
    const mc_multibody_info *info = &m->info;
    int n = 0;
    for (int i = 0; i < info->q_count; i++)
        columns[n++] = (mc_simulate_column){MC_QUANTITY_COORDINATE, i};
    for (int i = 0; i < info->v_count; i++)
        columns[n++] = (mc_simulate_column){MC_QUANTITY_VELOCITY, i};
    for (int i = 0; i < info->state_count; i++)
        columns[n++] = (mc_simulate_column){MC_QUANTITY_STATE, i};
    for (int i = 0; i < 3; i++)
        columns[n++] = (mc_simulate_column){MC_QUANTITY_OUTPUT, energy_index(m) + i};
    return n;
}

// ---- a run under way ---------------------------------------------------------------------------

enum { TABLES = 2, ENERGIES = 3, BALANCES = 2 };

// Of the three outputs that every model has; then, where something switches, sums of what happened.
static const results_column energy_columns[ENERGIES + BALANCES] = {
    {"kinetic", "J", "kinetic energy"},
    {"potential", "J", "energy of gravity and springs"},
    {"total", "J", "kinetic and potential together"},
    {"switched", "J", "energy lost so far where joints or constraints switched on"},
    {"projected", "J", "energy added so far by projections onto the constraints"},
};

static const results_column event_columns[] = {
    {"t", "s", "time"},
    {"joint", "-", "number of its line in the list switch_names"},
    {"on", "-", "1: switched on, 0: off"},
    {"impulse", "", "of its load, when it switched on"},
    {"energy", "J", "kinetic energy lost by all impulses of this instant"},
};
enum { EVENT_COLUMNS = sizeof event_columns / sizeof event_columns[0], EVENTS = 256 };

typedef struct recording {
    mc_multibody *m;
    multibody_switching switching; // what acts now
    const mc_simulate_output *output;
    const mc_watch *watch;
    mc_simulate_report *report;
    mc_simulate_column *columns; // of the CSV file; the results file keeps energies apart
    int column_count, motion_count;
    int event_table;          // of the results file, where something can switch
    results_column *named;    // the columns in words
    mc_simulate_about *about; // their units and docs
    double *row, *outputs;
    record_csv *csv;
    record_table tables[TABLES];
    record *record;   // NULL: no results file
    double reached;   // s, for progress
    double projected; // J, by the last projection of a step, at
    double projected_at;
    long long switched_row; // row after which switches are counted, from
    long switched_before;
    bool stopped;     // on request
    mc_status status; // of writing rows and of the Jacobian
    mc_error error;
} recording;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the simulation");
}

// What is needed to know, and to repeat, the run.
static mc_status set_texts(recording *r, const mc_simulate_options *options, mc_error *error)
{
    char settings[240], hash[32];
    snprintf(settings, sizeof settings,
             "end %.17g s, rows every %.17g s, rtol %.17g, atol %.17g, fixed step %.17g s, longest "
             "step %.17g s",
             options->end, options->step, options->rtol, options->atol, options->fixed_step,
             options->max_step);
    snprintf(hash, sizeof hash, "%016llx", r->m->info.hash);
    const char *const texts[][2] = {
        {"model", r->m->info.name},
        {"model_hash", hash},
        {"method", options->method},
        {"settings", settings},
    };
    mc_status status = MC_OK;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && status == MC_OK; k++)
        status = results_set_text(record_file(r->record), texts[k][0], texts[k][1], error);
    return status;
}

static void fill_motion(void *context, int object, double *row)
{
    (void)object;
    const recording *r = context;
    memcpy(row, r->row, (size_t)r->motion_count * sizeof *row);
}

static void fill_energy(void *context, int object, double *row)
{
    (void)object;
    const recording *r = context;
    memcpy(row, r->outputs + energy_index(r->m), ENERGIES * sizeof *row);
    if (r->tables[1].column_count > ENERGIES) {
        row[ENERGIES] = r->switching.lost;
        row[ENERGIES + 1] = r->report->projected + r->projected;
    }
}

// The table of switches, and their names.
static mc_status add_events(recording *r, mc_error *error)
{
    const int count = r->m->system.switch_count;
    const char *names[MB_SWITCHES_MAX];
    const results_table table = {.name = "switches",
                                 .columns = event_columns,
                                 .column_count = EVENT_COLUMNS,
                                 .row_count = EVENTS,
                                 .events = true};
    if (count == 0)
        return MC_OK;
    for (int i = 0; i < count; i++)
        mb_switch_at(&r->m->model, i, &names[i], NULL);
    const mc_status status =
        results_add_table(record_file(r->record), &table, &r->event_table, error);
    return status == MC_OK
               ? results_set_list(record_file(r->record), "switch_names", names, count, error)
               : status;
}

static mc_status open_results(recording *r, const mc_simulate_options *options, long long rows,
                              mc_error *error)
{
    r->tables[0] = (record_table){"motion", r->named, r->motion_count, fill_motion};
    const int more = r->m->system.switch_count > 0 ? BALANCES : 0;
    r->tables[1] = (record_table){"energy", energy_columns, ENERGIES + more, fill_energy};
    const record_source source = {.kind = "simulate",
                                  .command = r->output->command,
                                  .context = r,
                                  .object_count = 1,
                                  .object_names = &r->m->info.name,
                                  .tables = r->tables,
                                  .table_count = TABLES,
                                  .row_count = rows};
    r->record = record_new(r->output->hdf5, &source, error);
    mc_status status = r->record ? set_texts(r, options, error) : error->code;
    if (status == MC_OK)
        status = add_events(r, error);
    return status == MC_OK ? record_begin(r->record, error) : status;
}

static void choose_columns(recording *r)
{
    const mc_simulate_output *output = r->output;
    if (output->columns) {
        memcpy(r->columns, output->columns, (size_t)output->column_count * sizeof *r->columns);
        r->motion_count = r->column_count = output->column_count;
    } else {
        r->column_count = default_columns(r->m, r->columns);
        r->motion_count = r->column_count - ENERGIES; // the last
    }
    for (int k = 0; k < r->column_count; k++) {
        const mc_simulate_column *c = &r->columns[k];
        mc_simulate_describe(r->m, c->quantity, c->index, &r->about[k]);
        r->named[k] = (results_column){mc_multibody_name(r->m, c->quantity, c->index),
                                       r->about[k].unit, r->about[k].doc};
    }
}

static mc_status open_recording(recording *r, const mc_simulate_options *options, long long rows,
                                mc_error *error)
{
    const mc_simulate_output *output = r->output;
    const size_t given = output->columns ? (size_t)output->column_count : 0;
    const size_t capacity = (size_t)r->m->info.y_count + ENERGIES + given;
    r->columns = malloc(capacity * sizeof *r->columns);
    r->named = calloc(capacity, sizeof *r->named);
    r->about = calloc(capacity, sizeof *r->about);
    r->row = malloc(capacity * sizeof *r->row);
    r->outputs = malloc(((size_t)r->m->info.output_count + 1) * sizeof *r->outputs);
    if (!r->columns || !r->named || !r->about || !r->row || !r->outputs)
        return no_memory(error);
    choose_columns(r);
    if (output->csv) {
        r->csv = record_csv_open(output->csv, r->named, r->column_count, error);
        if (!r->csv)
            return error->code;
    }
    return output->hdf5 ? open_results(r, options, rows, error) : MC_OK;
}

// Ends the files: whole when `keep`, otherwise the CSV file stays as it was before the run.
static mc_status close_recording(recording *r, bool keep, const char *ended, mc_error *error)
{
    mc_status status = record_csv_close(r->csv, keep, error);
    if (r->record && keep) {
        mc_error second;
        const mc_status end = record_end(r->record, ended, &second);
        if (status == MC_OK && end != MC_OK) {
            status = end;
            *error = second;
        }
    }
    record_free(r->record);
    free(r->columns);
    free(r->named);
    free(r->about);
    free(r->row);
    free(r->outputs);
    return status;
}

static void note_energy(recording *r)
{
    mc_simulate_report *report = r->report;
    const double *energy = r->outputs + energy_index(r->m);
    if (report->row_count == 0)
        report->energy_start = energy[2];
    report->energy_end = energy[2];
    // Not by fmax: a NaN must show.
    const double change = fabs(energy[2] + r->switching.lost - report->energy_start);
    if (!(energy[0] <= report->kinetic_max))
        report->kinetic_max = energy[0];
    if (!(change <= report->energy_change))
        report->energy_change = change;
}

// One row; false ends the run.
static bool take_row(void *context, double t, const double *y)
{
    recording *r = context;
    mc_multibody_outputs(r->switching.now, t, y, r->outputs);
    note_energy(r);
    for (int k = 0; k < r->column_count; k++)
        r->row[k] = mc_simulate_value(r->m, r->columns[k], y, r->outputs);
    if (r->csv)
        r->status = record_csv_row(r->csv, t, r->row, &r->error);
    if (r->record && r->status == MC_OK) {
        record_take(r->record);
        r->status = record_write(r->record, t, &r->error);
    }
    if (r->output->row && r->status == MC_OK)
        r->output->row(r->output->context, t, y, r->outputs);
    r->report->row_count += r->status == MC_OK;
    return r->status == MC_OK;
}

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
    mc_multibody_rate(r->switching.now, t, y, NULL, dy);
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
    const double full = floor(o->end / step * (1.0 + 1e-12));
    *rest = false;
    if (!(full < ROWS_MAX))
        return -1;
    *rest = o->end - full * step > 1e-12 * o->end;
    return (long long)full;
}

long long mc_simulate_row_count(const mc_simulate_options *options)
{
    bool rest;
    if (!(options->end > 0.0))
        return 0;
    const double step = options->step > 0.0 ? options->step : options->end / DEFAULT_ROWS;
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
    if (!(o->end > 0.0 && isfinite(o->end)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the end of the simulation is %g s; it must be above 0", o->end);
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
    if (!is_whole(o->end / h))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the end, %g s, is not a whole number of fixed steps of %g s", o->end,
                            h);
    if (o->step > 0.0 && !is_whole(o->step / h))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a row every %g s is not a whole number of fixed steps of %g s",
                            o->step, h);
    if (o->step == 0.0)
        o->step = h * fmax(1.0, floor(o->end / DEFAULT_ROWS / h + 0.5));
    return MC_OK;
}

// Fills in the defaults.
static mc_status complete(mc_simulate_options *o, ode_kind *kind, mc_error *error)
{
    mc_status status = check_numbers(o, error);
    if (status == MC_OK)
        status = find_kind(o->method ? o->method : default_method, kind, error);
    if (status != MC_OK)
        return status;
    if (!kind->adaptive && o->fixed_step == 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s has a fixed step: expected its length", kind->name);
    if (kind->adaptive && o->fixed_step > 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s adapts its step: no fixed step is expected", kind->name);
    o->method = kind->name;
    status = kind->adaptive ? MC_OK : fit_steps(o, error);
    if (status != MC_OK)
        return status;
    o->step = o->step > 0.0 ? o->step : o->end / DEFAULT_ROWS;
    o->rtol = o->rtol > 0.0 ? o->rtol : default_rtol;
    o->atol = o->atol > 0.0 ? o->atol : o->rtol;
    if (o->max_step == 0.0)
        o->max_step = fmin(o->end / DEFAULT_STEPS_MIN, DEFAULT_ROWS_A_STEP * o->step);
    if (mc_simulate_row_count(o) == 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a row every %g s until %g s gives %.3g rows; expected at most %d",
                            o->step, o->end, o->end / o->step, ROWS_MAX);
    return MC_OK;
}

// True when no damper, load or formula can take energy from the mechanism or give it.
static bool conserves(const mb_model *model)
{
    bool clean = model->force_count == 0 && model->torque_count == 0;
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
        return no_memory(error);
    for (int k = 0; k < count; k++)
        times[k] = k == count - 1 ? options->end : k * options->step;
    mc_status status;
    for (bool more = true; more;) {
        const int done = (int)r->report->row_count;
        status = ode_run(o, options->end, times + done, count - done, take_row, r, error);
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
        return no_memory(error);
    mc_multibody_rate(r->switching.now, 0.0, y, NULL, dy);
    free(dy);
    if (kind->implicit) {
        const mc_status status = mc_multibody_jacobian(r->switching.now, 0.0, y, NULL, NULL, error);
        if (status != MC_OK)
            return status;
    }
    *out = ode_create(kind, &problem, &settings, error);
    return *out ? ode_start(*out, 0.0, y, error) : error->code;
}

// Unit quaternions at the start; one of length zero is no orientation.
static mc_status make_start(multibody_switching *s, double *y, mc_error *error)
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
    return multibody_switching_start(s, y, error);
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
    ode_kind kind;
    *report = (mc_simulate_report){0};
    mc_status status = mc_multibody_check(m, error);
    if (status == MC_OK)
        status = complete(&o, &kind, error);
    if (status == MC_OK && m->info.y_count == 0)
        status =
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s has no moving parts", m->info.name);
    recording r = {.m = m, .output = output ? output : &nothing, .watch = watch, .report = report};
    r.switching = (multibody_switching){.m = m, .row_step = o.step};
    if (status == MC_OK)
        status = make_start(&r.switching, y, error);
    if (status != MC_OK)
        return status;
    *report = (mc_simulate_report){
        .method = kind.name, .step = o.step, .conserves = conserves(&m->model)};
    r.switching.take = take_event;
    r.switching.context = &r;
    const char **names = state_names(m);
    ode *integrator = NULL;
    status =
        names ? make_integrator(&r, &o, &kind, names, y, &integrator, error) : no_memory(error);
    const double begun = now();
    if (status == MC_OK)
        status = open_recording(&r, &o, mc_simulate_row_count(&o), error);
    const bool opened = status == MC_OK;
    if (opened)
        status = integrate(&r, &o, integrator, y, error);
    // A run that failed keeps its rows too: they show how it came to fail.
    const mc_status closed =
        close_recording(&r, opened, status == MC_OK ? "end time reached" : error->text, &closing);
    ode_free(integrator);
    free(names);
    report->seconds = now() - begun;
    if (status == MC_OK && closed != MC_OK) {
        *error = closing;
        return closed;
    }
    return status;
}
