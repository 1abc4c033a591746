// record.c - a run and everything that is written of it.
#include "motorcade/collisions.h"
#include "motorcade/record.h"

#include "analysis/record.h"
#include "sim/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the recording");
}

// ---- columns ----

static const results_column common[] = {
    {"x", "m", "mass centre along the road"},
    {"y", "m", "mass centre to the left of the middle of the leftmost lane"},
    {"psi", "rad", "heading, from the road to the left"},
    {"v", "m/s", "speed along the heading"},
    {"a", "m/s^2", "acceleration along the heading"},
    {"jerk", "m/s^3", "change of a over the last control step"},
    {"throttle", "-", "0 closed, 1 open"},
    {"brake", "-", "share of the greatest brake force"},
    {"steer", "rad", "angle of the steered wheels, left positive"},
    {"n", "rpm", "engine speed; 0: no engine"},
    {"gap", "m", "bumper to bumper to the car in front; nan: nobody there"},
    {"spacing_error", "m", "gap minus the gap to be kept; nan: nobody in front"},
    {"wanted", "m/s^2", "acceleration the controller asked for"},
};
enum { COMMON = sizeof common / sizeof common[0], CHANNELS_MAX = 64 };

static bool is_wanted(const scenario *s, const char *channel)
{
    for (int k = 0; k < s->channel_count; k++)
        if (strcmp(s->channels[k], channel) == 0)
            return true;
    return s->channel_count == 0;
}

// Whether the channels a scenario names are there.
static mc_status check_channels(const mc_recording *rec, mc_error *error)
{
    const scenario *s = rec->run->s;
    for (int k = 0; k < s->channel_count; k++) {
        bool found = false;
        for (int v = 0; v < rec->count && !found; v++) {
            const mc_channel *channels;
            const int count = mc_run_channels(rec->run, v, &channels);
            for (int j = 0; j < count; j++)
                found = found || strcmp(channels[j].name, s->channels[k]) == 0;
        }
        if (!found)
            return mc_error_set(error, MC_BAD_INPUT, s->file, 0, 0,
                                "record: no vehicle has a channel \"%s\"", s->channels[k]);
    }
    return MC_OK;
}

// Adds the channels of a vehicle that are not among the columns and that the scenario wants; all
// when it names none.
static void add_channels(const mc_run *run, int vehicle, results_column *columns, int *count)
{
    const mc_channel *channels;
    const int channel_count = mc_run_channels(run, vehicle, &channels);
    for (int k = 1; k < channel_count; k++) {
        int at = COMMON;
        while (at < *count && strcmp(columns[at].name, channels[k].name) != 0)
            at++;
        if (at == *count && at < COMMON + CHANNELS_MAX && is_wanted(run->s, channels[k].name))
            columns[(*count)++] =
                (results_column){channels[k].name, channels[k].unit, channels[k].doc};
    }
}

results_column *record_columns(mc_recording *rec, int vehicle, int *count)
{
    results_column *columns = arena_alloc(&rec->memory, (COMMON + CHANNELS_MAX) * sizeof *columns);
    *count = rec->column_count;
    if (columns) {
        memcpy(columns, rec->columns, (size_t)*count * sizeof *columns);
        add_channels(rec->run, vehicle, columns, count);
    }
    return columns;
}

// Columns of the motion table: the common ones, then the channels of all vehicles.
static mc_status make_columns(mc_recording *rec, mc_error *error)
{
    rec->columns = arena_alloc(&rec->memory, (COMMON + CHANNELS_MAX) * sizeof *rec->columns);
    if (!rec->columns)
        return no_memory(error);
    memcpy(rec->columns, common, sizeof common);
    rec->column_count = COMMON;
    for (int v = 0; v < rec->count; v++)
        add_channels(rec->run, v, rec->columns, &rec->column_count);
    return check_channels(rec, error);
}

// ---- vehicles ----

int record_vehicle(const mc_recording *rec, int vehicle, const char *name)
{
    if (rec->version == 0 || vehicle < 0)
        return vehicle;
    for (int v = 0; name[0] && v < rec->count; v++)
        if (strcmp(rec->names[v], name) == 0)
            return v;
    return -1;
}

// Edits of the run may take away vehicles, add others, and change its step.
static mc_status follow_version(mc_recording *rec, mc_error *error)
{
    const mc_run *run = rec->run;
    if (rec->version == run->past.version)
        return MC_OK;
    rec->version = run->past.version;
    for (int v = 0; v < rec->count; v++)
        rec->now[v] = mc_run_find(run, rec->names[v]);
    const double dt = run->s->step;
    rec->stride = (long long)fmax(1.0, floor(rec->every / dt + 0.5));
    rec->last = run->zero_step + (long long)floor((rec->s->end - run->zero_time) / dt + 0.5);
    rec->impacts_written = 0; // vehicles are counted anew: what was written is known by its time
    return rec->csv ? record_meet_late(rec, error) : MC_OK;
}

static mc_status make_names(mc_recording *rec, mc_error *error)
{
    const size_t n = (size_t)rec->count;
    rec->names = arena_alloc(&rec->memory, n * sizeof *rec->names + 8);
    rec->now = arena_alloc(&rec->memory, n * sizeof *rec->now + 8);
    for (int v = 0; rec->names && rec->now && v < rec->count; v++) {
        const char *name = mc_run_vehicle_name(rec->run, v);
        rec->names[v] = arena_copy_text(&rec->memory, name, strlen(name));
        if (!rec->names[v])
            return no_memory(error);
    }
    if (!rec->names || !rec->now)
        return no_memory(error);
    rec->version = -1;
    rec->impact_time = -HUGE_VAL;
    return follow_version(rec, error);
}

void record_fill(const mc_recording *rec, int vehicle, const results_column *columns,
                 int column_count, double *row)
{
    mc_run_view v;
    if (vehicle < 0) { // it is not there any more
        for (int k = 0; k < column_count; k++)
            row[k] = NAN;
        return;
    }
    mc_run_look(rec->run, vehicle, &v);
    const mc_motion *m = &v.motion;
    const double values[COMMON] = {
        m->x,           m->y,           m->psi, m->v,  m->a,    v.jerk,  v.inputs.throttle,
        v.inputs.brake, v.inputs.steer, 0.0,    v.gap, v.error, v.wanted};
    memcpy(row, values, sizeof values);
    for (int k = COMMON; k < column_count; k++)
        row[k] = NAN;
    const mc_channel *channels;
    double channel[CHANNELS_MAX];
    const int count = mc_run_channels(rec->run, vehicle, &channels);
    mc_run_read_channels(rec->run, vehicle, channel);
    row[9] = count > 0 ? channel[0] : 0.0;
    for (int k = 1; k < count; k++)
        for (int c = COMMON; c < column_count; c++)
            if (strcmp(columns[c].name, channels[k].name) == 0)
                row[c] = channel[k];
}

static int column_of(const mc_recording *rec, const char *name)
{
    for (int k = 0; k < rec->column_count; k++)
        if (strcmp(rec->columns[k].name, name) == 0)
            return k;
    return -1;
}

// ---- figures and conditions ----

static mc_status make_figures(mc_recording *rec, mc_error *error)
{
    const int n = rec->count;
    double *length = arena_alloc(&rec->memory, (size_t)n * sizeof *length + 8);
    rec->front = arena_alloc(&rec->memory, (size_t)n * sizeof *rec->front + 8);
    if (!length || !rec->front)
        return no_memory(error);
    for (int v = 0; v < n; v++) {
        mc_run_view view;
        mc_run_look(rec->run, v, &view);
        const run_car *c = &rec->run->car[rec->run->slot[v]];
        length[v] = c->nose - c->tail;
        rec->front[v] = view.front;
    }
    mc_figures_setup setup = mc_figures_defaults();
    setup.count = n;
    setup.length = length;
    setup.front = rec->front;
    setup.step = rec->every;
    rec->figures = mc_figures_create(&setup, error);
    return rec->figures ? MC_OK : error->code;
}

static mc_conditions *make_conditions(const mc_recording *rec, const scenario_check *checks,
                                      int count, mc_error *error)
{
    mc_condition_line *lines = calloc((size_t)count + 1, sizeof *lines);
    const char **names = calloc((size_t)rec->count + 1, sizeof *names);
    mc_conditions *made = NULL;
    if (lines && names) {
        for (int k = 0; k < count; k++)
            lines[k] = (mc_condition_line){checks[k].formula, rec->run->s->file,
                                           checks[k].place.line, checks[k].place.column};
        for (int v = 0; v < rec->count; v++)
            names[v] = mc_run_vehicle_name(rec->run, v);
        made = mc_conditions_create(lines, count, names, rec->count, error);
    } else {
        no_memory(error);
    }
    free(lines);
    free(names);
    return made;
}

static void take_figures(mc_recording *rec)
{
    const int n = rec->count, c = rec->column_count, fuel = column_of(rec, "fuel");
    double *column = rec->figure_columns;
    for (int v = 0; v < n; v++) {
        const double *row = rec->row + (size_t)v * (size_t)c;
        if (rec->now[v] < 0) { // what it was when it left, at rest in its figures
            column[2 * n + v] = column[3 * n + v] = 0.0;
            column[4 * n + v] = column[5 * n + v] = NAN;
            continue;
        }
        const double values[7] = {
            row[0], row[3], row[4], row[5], row[10], row[10] - row[11], fuel < 0 ? NAN : row[fuel]};
        for (int k = 0; k < 7; k++)
            column[k * n + v] = values[k];
        mc_run_view view;
        mc_run_look(rec->run, rec->now[v], &view);
        const int front =
            view.front < 0
                ? -1
                : record_vehicle(rec, view.front, mc_run_vehicle_name(rec->run, view.front));
        if (front != rec->front[v]) {
            rec->front[v] = front;
            mc_figures_set_front(rec->figures, v, front);
        }
    }
    mc_figures_take(rec->figures, &(mc_figures_row){.t = mc_run_time(rec->run),
                                                    .x = column,
                                                    .v = column + n,
                                                    .a = column + 2 * n,
                                                    .jerk = column + 3 * n,
                                                    .gap = column + 4 * n,
                                                    .gap_wanted = column + 5 * n,
                                                    .fuel = column + 6 * n});
}

bool record_impact_over(const mc_recording *rec, int impact)
{
    int count;
    const mc_impact *i = &mc_run_impacts(rec->run, &count)[impact];
    return i->time + i->duration < mc_run_time(rec->run) - 2.0 * MC_COLLISIONS_QUIET;
}

// Collisions so far, as the report will list them, and what contacts took: each by itself, since
// energies after one hold what others did at the same instant.
static mc_status take_impacts(mc_recording *rec, mc_error *error)
{
    int count, collision_count;
    const mc_impact *impacts = mc_run_impacts(rec->run, &count);
    mc_collision *collisions;
    if (count == 0)
        return MC_OK;
    const mc_status status = mc_collisions_from_impacts(impacts, count, MC_COLLISIONS_QUIET,
                                                        &collisions, &collision_count, error);
    if (status != MC_OK)
        return status;
    free(collisions);
    double lost = 0.0;
    for (int k = 0; k < count; k++)
        lost += impacts[k].friction_loss + impacts[k].restitution_loss;
    mc_figures_set_collisions(rec->figures, collision_count, lost);
    return MC_OK;
}

// ---- life ----

static void free_recording(mc_recording *rec)
{
    mc_figures_destroy(rec->figures);
    mc_conditions_destroy(rec->expects);
    mc_conditions_destroy(rec->stops);
    free(rec->late);
    arena_free(&rec->memory);
    free(rec);
}

mc_recording *mc_recording_open(mc_run *run, const mc_record_output *output, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    mc_recording *rec = calloc(1, sizeof *rec);
    if (!rec) {
        no_memory(error);
        return NULL;
    }
    const scenario *s = run->s;
    rec->run = run;
    rec->output = *output;
    rec->count = run->count;
    rec->s = scenario_of(mc_run_scenario(run));
    rec->every = s->record;
    rec->ended = "not ended";
    mc_status status = make_names(rec, error);
    if (status == MC_OK)
        status = make_columns(rec, error);
    const size_t n = (size_t)rec->count;
    rec->row = arena_alloc(&rec->memory, n * (size_t)rec->column_count * sizeof(double) + 8);
    rec->figure_columns = arena_alloc(&rec->memory, n * 7 * sizeof(double) + 8);
    if (status == MC_OK && (!rec->row || !rec->figure_columns))
        status = no_memory(error);
    if (status == MC_OK)
        status = make_figures(rec, error);
    if (status == MC_OK && s->expect_count > 0) {
        rec->expects = make_conditions(rec, s->expects, s->expect_count, error);
        status = rec->expects ? MC_OK : error->code;
    }
    if (status == MC_OK && s->stop_count > 0) {
        rec->stops = make_conditions(rec, s->stops, s->stop_count, error);
        status = rec->stops ? MC_OK : error->code;
    }
    if (status == MC_OK)
        status = record_open_files(rec, error);
    if (status != MC_OK) {
        record_close_files(rec, false, NULL);
        free_recording(rec);
        return NULL;
    }
    return rec;
}

mc_status mc_recording_close(mc_recording *rec, mc_error *error)
{
    const mc_status status = record_close_files(rec, true, error);
    free_recording(rec);
    return status;
}

void mc_recording_abandon(mc_recording *rec)
{
    record_close_files(rec, false, NULL);
    free_recording(rec);
}

// ---- checkpoints ----

static mc_status write_checkpoint(const mc_recording *rec, mc_error *error)
{
    const int size = mc_figures_size(rec->figures);
    double *state = malloc((size_t)size * sizeof *state);
    if (!state)
        return no_memory(error);
    mc_figures_save(rec->figures, state);
    const mc_status status = run_write_checkpoint(rec->run, rec->output.checkpoint, state,
                                                  (size_t)size * sizeof *state, error);
    free(state);
    return status;
}

mc_status mc_recording_resume(mc_recording *rec, const char *checkpoint, mc_error *error)
{
    const size_t size = (size_t)mc_figures_size(rec->figures) * sizeof(double);
    double *state = malloc(size);
    if (!state)
        return no_memory(error);
    const mc_status status = run_read_checkpoint(rec->run, checkpoint, state, size, error);
    if (status == MC_OK) {
        mc_figures_restore(rec->figures, state);
        rec->resumed = true;
    }
    free(state);
    return status;
}

// ---- play ----

static mc_status take_row(mc_recording *rec, mc_error *error)
{
    mc_status status = follow_version(rec, error);
    if (status != MC_OK)
        return status;
    for (int v = 0; v < rec->count; v++)
        record_fill(rec, rec->now[v], rec->columns, rec->column_count,
                    rec->row + (size_t)v * (size_t)rec->column_count);
    take_figures(rec);
    status = take_impacts(rec, error);
    return status == MC_OK ? record_write_row(rec, error) : status;
}

static bool checkpoint_due(const mc_recording *rec)
{
    if (!rec->output.checkpoint || rec->output.checkpoint_every <= 0.0)
        return false;
    const double dt = rec->run->s->step;
    const long long stride = (long long)fmax(1.0, floor(rec->output.checkpoint_every / dt + 0.5));
    return rec->run->step % stride == 0;
}

mc_status mc_recording_play(mc_recording *rec, const mc_run_watch *watch, mc_error *error)
{
    mc_run *run = rec->run;
    mc_error own;
    error = error ? error : &own;
    mc_status status = follow_version(rec, error);
    if (status != MC_OK)
        return status;
    if (run->step > rec->last)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the checkpoint is of t = %g s, the scenario ends at %g s",
                            mc_run_time(run), rec->s->end);
    // A run that was resumed has its row of this instant in the recording it came from.
    status = rec->resumed ? MC_OK : take_row(rec, error);
    rec->ended = "end time reached";
    while (status == MC_OK && run->step < rec->last) {
        if (watch && watch->stop && watch->stop(watch->context)) {
            status = mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0,
                                  "stopped at t = %g s; what was simulated is in the files",
                                  mc_run_time(run));
            break;
        }
        status = mc_run_step(run, error);
        if (status == MC_OK)
            status = follow_version(rec, error);
        if (status != MC_OK)
            break;
        const bool due = (run->step - run->zero_step) % rec->stride == 0;
        // A last row between the others is no part of a run that goes on from here.
        if (!due && run->step == rec->last && rec->output.checkpoint)
            status = write_checkpoint(rec, error);
        if (status == MC_OK && (due || run->step == rec->last)) {
            status = take_row(rec, error);
            const int stop = rec->stops ? mc_conditions_first(rec->stops, rec->figures) : -1;
            if (stop >= 0) {
                rec->ended = rec->s->stops[stop].formula;
                break;
            }
        }
        if (status == MC_OK && checkpoint_due(rec))
            status = write_checkpoint(rec, error);
        if (watch && watch->progress)
            watch->progress(watch->context, mc_run_time(run));
    }
    if (status != MC_OK) {
        snprintf(rec->why, sizeof rec->why, "%s", error->text);
        rec->ended = rec->why;
    }
    mc_error second; // a run that failed or was stopped can be gone on with, too
    if (rec->output.checkpoint &&
        ((run->step - run->zero_step) % rec->stride == 0 || run->step != rec->last)) {
        const mc_status kept = write_checkpoint(rec, &second);
        if (status == MC_OK && kept != MC_OK)
            *error = second, status = kept;
    }
    return status;
}

const char *mc_recording_vehicle_name(const mc_recording *rec, int i)
{
    return i >= 0 && i < rec->count ? rec->names[i] : NULL;
}

const mc_figures *mc_recording_figures(const mc_recording *rec)
{
    return rec->figures;
}

int mc_recording_expect_count(const mc_recording *rec)
{
    return rec->expects ? mc_conditions_count(rec->expects) : 0;
}

void mc_recording_expect(mc_recording *rec, int i, mc_condition_result *out)
{
    mc_conditions_result(rec->expects, i, rec->figures, out);
}

int mc_recording_failed(mc_recording *rec)
{
    return rec->expects ? mc_conditions_failed(rec->expects, rec->figures) : 0;
}

const char *mc_recording_ended(const mc_recording *rec)
{
    return rec->ended;
}
