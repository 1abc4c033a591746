// recording.c - rows of a run over time into files.
#include "mechanism/recording.h"

#include "mechanism/mechanism.h"
#include "mechanism/rolling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

mc_status recording_no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the simulation");
}

// Parameters and inputs as they were: "name = value" each.
static mc_status set_values(recording *r, mc_error *error)
{
    const mc_multibody_info *info = &r->m->info;
    const int count = info->parameter_count + info->input_count;
    char(*lines)[160] = calloc((size_t)count + 1, sizeof *lines);
    const char **words = calloc((size_t)count + 1, sizeof *words);
    for (int i = 0; lines && words && i < count; i++) {
        const bool input = i >= info->parameter_count;
        const char *name =
            mc_multibody_name(r->m, input ? MC_QUANTITY_INPUT : MC_QUANTITY_PARAMETER,
                              input ? i - info->parameter_count : i);
        double value = 0.0;
        mc_multibody_get(r->m, name, &value, NULL);
        snprintf(lines[i], sizeof lines[i], "%.100s = %.17g", name, value);
        words[i] = lines[i];
    }
    const mc_status status =
        lines && words ? results_set_list(record_file(r->record), "values", words, count, error)
                       : recording_no_memory(error);
    free(lines);
    free(words);
    return status;
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
        {"model", r->m->info.name},  {"mechanism", r->m->text},   {"model_hash", hash},
        {"method", options->method}, {"engine", options->engine}, {"settings", settings},
    };
    mc_status status = MC_OK;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && status == MC_OK; k++)
        status = results_set_text(record_file(r->record), texts[k][0], texts[k][1], error);
    return status == MC_OK ? set_values(r, error) : status;
}

static void fill_motion(void *context, int object, double *row)
{
    (void)object;
    const recording *r = context;
    memcpy(row, r->row, (size_t)r->motion_count * sizeof *row);
}

static void fill_extra(void *context, int object, double *row)
{
    (void)object;
    const recording *r = context;
    memcpy(row, r->extra_value, (size_t)r->extra_count * sizeof *row);
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
    r->tables[2] = (record_table){"solver", r->extra, r->extra_count, fill_extra};
    const record_source source = {.kind = "simulate",
                                  .command = r->output->command,
                                  .context = r,
                                  .object_count = 1,
                                  .object_names = &r->m->info.name,
                                  .tables = r->tables,
                                  .table_count = r->extra_count ? TABLES : TABLES - 1,
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

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The clock of the run starts here.
mc_status recording_open(recording *r, const mc_simulate_options *options, long long rows,
                         mc_error *error)
{
    r->begun = now();
    const mc_simulate_output *output = r->output;
    const size_t given = output->columns ? (size_t)output->column_count : 0;
    const size_t capacity = (size_t)r->m->info.y_count + ENERGIES + given + (size_t)r->extra_count;
    r->columns = malloc(capacity * sizeof *r->columns);
    r->named = calloc(capacity, sizeof *r->named);
    r->about = calloc(capacity, sizeof *r->about);
    r->row = malloc(capacity * sizeof *r->row);
    r->outputs = malloc(((size_t)r->m->info.output_count + 1) * sizeof *r->outputs);
    if (!r->columns || !r->named || !r->about || !r->row || !r->outputs)
        return recording_no_memory(error);
    choose_columns(r);
    const int extra = output->columns ? 0 : r->extra_count;
    for (int k = 0; k < extra; k++)
        r->named[r->column_count + k] = r->extra[k];
    if (output->csv) {
        r->csv = record_csv_open(output->csv, r->named, r->column_count + extra, error);
        if (!r->csv)
            return error->code;
    }
    const mc_status status = output->hdf5 ? open_results(r, options, rows, error) : MC_OK;
    r->opened = status == MC_OK;
    return status;
}

mc_status recording_close(recording *r, bool keep, const char *ended, mc_error *error)
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

const double *recording_load(recording *r, double t, const double *y)
{
    const mc_simulate_options *o = r->options;
    if (!o->load && !r->rolling)
        return NULL;
    memset(r->tau, 0, (size_t)r->m->info.v_count * sizeof *r->tau);
    if (o->load)
        o->load(o->load_context, t, y, r->tau);
    if (r->rolling)
        rolling_load(r->rolling, t, y, r->tau);
    return r->tau;
}

bool recording_row(void *context, double t, const double *y)
{
    recording *r = context;
    mc_multibody_outputs_under(r->switching.now, t, y, recording_load(r, t, y), r->outputs);
    if (r->amend)
        r->amend(r->amend_context, r->outputs);
    note_energy(r);
    for (int k = 0; k < r->column_count; k++)
        r->row[k] = mc_simulate_value(r->m, r->columns[k], y, r->outputs);
    for (int k = 0; k < r->extra_count && !r->output->columns; k++)
        r->row[r->column_count + k] = r->extra_value[k];
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
