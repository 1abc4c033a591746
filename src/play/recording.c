// recording.c - a run from its start to its end, and everything that is written of it.
#include "play/recording.h"

#include "play/files.h"
#include "play/impacts.h"
#include "play/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the recording");
}

// ---- vehicles ----

int play_vehicle(const mc_recording *rec, int vehicle, const char *name)
{
    if (rec->version == 0 || vehicle < 0)
        return vehicle;
    for (int v = 0; name[0] && v < rec->count; v++)
        if (strcmp(rec->names[v], name) == 0)
            return v;
    for (int k = 0; name[0] && k < rec->late_count; k++)
        if (strcmp(rec->late[k].name, name) == 0)
            return rec->count + k;
    return -1;
}

// Edits of the run may take away vehicles, add others, and change its step.
static mc_status follow_version(mc_recording *rec, mc_error *error)
{
    mc_run_clock clock;
    mc_run_clock_of(rec->run, &clock);
    const bool same = rec->version == clock.version;
    if (same && rec->size_from == clock.first_step)
        return MC_OK;
    const bool first = rec->version < 0;
    rec->version = clock.version;
    rec->size_from = clock.first_step;
    for (int v = 0; v < rec->count; v++)
        rec->now[v] = mc_run_find(rec->run, rec->names[v]);
    rec->stride = (long long)fmax(1.0, floor(rec->every / clock.size + 0.5));
    rec->end = rec->output.end > 0.0 ? rec->output.end : mc_run_limit(rec->run);
    rec->last =
        clock.first_step + (long long)floor((rec->end - clock.first_time) / clock.size + 0.5);
    if (same)
        return MC_OK;
    if (first)
        return MC_OK;
    play_source_follow(rec);
    const mc_status status = play_meet_late(rec, error);
    return status == MC_OK && rec->dynavis && rec->dynavis_lanes == 1
               ? play_dynavis_follow(rec, error)
               : status;
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
    return follow_version(rec, error);
}

// ---- figures and conditions ----

typedef enum figure_column { // what figures are made of
    FIGURE_X,
    FIGURE_V,
    FIGURE_A,
    FIGURE_JERK,
    FIGURE_GAP,
    FIGURE_DESIRED_GAP,
    FIGURE_FUEL,
    FIGURE_LATERAL,
    FIGURE_COLUMNS
} figure_column;

static mc_status make_figures(mc_recording *rec, mc_error *error)
{
    const int n = rec->count;
    double *length = arena_alloc(&rec->memory, (size_t)n * sizeof *length + 8);
    int *front = arena_alloc(&rec->memory, (size_t)n * sizeof *front + 8);
    rec->figure_columns =
        arena_alloc(&rec->memory, (size_t)n * FIGURE_COLUMNS * sizeof(double) + 8);
    if (!length || !front || !rec->figure_columns)
        return no_memory(error);
    for (int v = 0; v < n; v++) {
        mc_run_view view;
        mc_run_vehicle_info info;
        mc_run_look(rec->run, v, &view);
        mc_run_vehicle(rec->run, v, &info);
        length[v] = info.length;
        front[v] = view.front;
    }
    mc_figures_setup setup = mc_figures_defaults();
    setup.count = n;
    setup.length = length;
    setup.front = front;
    setup.step = rec->every;
    rec->figures = mc_figures_create(&setup, error);
    return rec->figures ? MC_OK : error->code;
}

typedef int line_at(const mc_scenario *s, int index, mc_scenario_line *out);

// Conditions of the scenario, NULL without any, and their formulas.
static mc_status make_conditions(mc_recording *rec, line_at *at, mc_conditions **out,
                                 const char ***formulas, int *count, mc_error *error)
{
    const mc_scenario *s = mc_run_scenario(rec->run);
    mc_scenario_line line;
    while (at(s, *count, &line))
        ++*count;
    if (*count == 0)
        return MC_OK;
    mc_condition_line *lines = calloc((size_t)*count, sizeof *lines);
    *formulas = arena_alloc(&rec->memory, (size_t)*count * sizeof **formulas);
    bool good = lines && *formulas;
    for (int k = 0; k < *count && good; k++) {
        at(s, k, &line);
        lines[k] =
            (mc_condition_line){line.formula, mc_scenario_info_of(s)->file, line.line, line.column};
        (*formulas)[k] = arena_copy_text(&rec->memory, line.formula, strlen(line.formula));
        good = (*formulas)[k];
    }
    if (good)
        *out = mc_conditions_create(lines, *count, rec->names, rec->count, error);
    else
        no_memory(error);
    free(lines);
    return *out ? MC_OK : error->code;
}

static int front_of(const mc_recording *rec, int vehicle)
{
    mc_run_view view;
    mc_run_look(rec->run, vehicle, &view);
    const int front =
        view.front < 0 ? -1
                       : play_vehicle(rec, view.front, mc_run_vehicle_name(rec->run, view.front));
    return front < rec->count ? front : -1; // the figures are those of the first vehicles
}

static void take_counts(mc_recording *rec)
{
    const mc_run_counts counts = mc_run_counts_of(rec->run);
    mc_figures_set_count(rec->figures, MC_FIGURE_LANE_CHANGES, (double)counts.lane_changes);
    mc_figures_set_count(rec->figures, MC_FIGURE_CUT_INS, (double)counts.cut_ins);
    mc_figures_set_count(rec->figures, MC_FIGURE_ENTERED, (double)counts.entered);
    mc_figures_set_count(rec->figures, MC_FIGURE_LEFT, (double)counts.left);
    mc_figures_set_count(rec->figures, MC_FIGURE_WAITING, (double)counts.waiting_max);
}

static void take_figures(mc_recording *rec)
{
    take_counts(rec);
    const int n = rec->count, width = rec->columns.count;
    const int x = play_column(MC_FIELD_X), v = play_column(MC_FIELD_V), a = play_column(MC_FIELD_A);
    const int jerk = play_column(MC_FIELD_JERK), gap = play_column(MC_FIELD_GAP);
    const int error = play_column(MC_FIELD_SPACING_ERROR);
    double *to[FIGURE_COLUMNS];
    for (int k = 0; k < FIGURE_COLUMNS; k++)
        to[k] = rec->figure_columns + (size_t)k * (size_t)n;
    for (int i = 0; i < n; i++) {
        const double *row = record_values(rec->record, PLAY_MOTION) + (size_t)i * (size_t)width;
        if (rec->now[i] < 0) { // what it was when it left, at rest in its figures
            to[FIGURE_A][i] = to[FIGURE_JERK][i] = 0.0;
            to[FIGURE_GAP][i] = to[FIGURE_DESIRED_GAP][i] = to[FIGURE_LATERAL][i] = NAN;
            continue;
        }
        to[FIGURE_X][i] = row[x];
        to[FIGURE_V][i] = row[v];
        to[FIGURE_A][i] = row[a];
        to[FIGURE_JERK][i] = row[jerk];
        to[FIGURE_GAP][i] = row[gap];
        to[FIGURE_DESIRED_GAP][i] = row[gap] - row[error];
        to[FIGURE_FUEL][i] = rec->fuel[i];
        to[FIGURE_LATERAL][i] = mc_run_lateral_error(rec->run, rec->now[i]);
        mc_figures_set_front(rec->figures, i, front_of(rec, rec->now[i]));
    }
    mc_figures_take(rec->figures, &(mc_figures_row){.t = mc_run_time(rec->run),
                                                    .x = to[FIGURE_X],
                                                    .v = to[FIGURE_V],
                                                    .a = to[FIGURE_A],
                                                    .jerk = to[FIGURE_JERK],
                                                    .gap = to[FIGURE_GAP],
                                                    .desired_gap = to[FIGURE_DESIRED_GAP],
                                                    .fuel = to[FIGURE_FUEL],
                                                    .lateral = to[FIGURE_LATERAL]});
}

// Figures of vehicles that joined later, each by itself while it is present.
static void take_late(mc_recording *rec)
{
    const int x = play_column(MC_FIELD_X), v = play_column(MC_FIELD_V), a = play_column(MC_FIELD_A);
    const int jerk = play_column(MC_FIELD_JERK), gap = play_column(MC_FIELD_GAP);
    const int error = play_column(MC_FIELD_SPACING_ERROR);
    for (int k = 0; k < rec->late_count; k++) {
        play_late *late = &rec->late[k];
        play_late_fill(rec, late);
        if (!late->figures || late->now < 0)
            continue;
        const double desired = late->row[gap] - late->row[error];
        const double lateral = mc_run_lateral_error(rec->run, late->now);
        mc_figures_take(late->figures, &(mc_figures_row){.t = mc_run_time(rec->run),
                                                         .x = &late->row[x],
                                                         .v = &late->row[v],
                                                         .a = &late->row[a],
                                                         .jerk = &late->row[jerk],
                                                         .gap = &late->row[gap],
                                                         .desired_gap = &desired,
                                                         .fuel = &late->fuel,
                                                         .lateral = &lateral});
    }
}

// ---- life ----

static void free_recording(mc_recording *rec)
{
    record_free(rec->record);
    mc_figures_destroy(rec->figures);
    mc_conditions_destroy(rec->expects);
    mc_conditions_destroy(rec->stops);
    for (int k = 0; k < rec->late_count; k++)
        mc_figures_destroy(rec->late[k].figures);
    free(rec->late);
    play_impacts_free(rec);
    free(rec->joined);
    free(rec->dynavis_ids);
    arena_free(&rec->memory);
    free(rec);
}

static mc_status prepare(mc_recording *rec, mc_error *error)
{
    mc_status status = make_names(rec, error);
    if (status == MC_OK)
        status = play_source_make(rec, error);
    if (status == MC_OK)
        status = make_figures(rec, error);
    if (status == MC_OK)
        status = make_conditions(rec, mc_scenario_expect_at, &rec->expects, &rec->expect_lines,
                                 &rec->expect_count, error);
    if (status == MC_OK)
        status = make_conditions(rec, mc_scenario_stop_at, &rec->stops, &rec->stop_lines,
                                 &rec->stop_count, error);
    return status == MC_OK ? play_open_files(rec, error) : status;
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
    const mc_scenario_info *scenario = mc_scenario_info_of(mc_run_scenario(run));
    rec->run = run;
    rec->output = *output;
    rec->count = mc_run_vehicle_count(run);
    rec->every = scenario->record;
    rec->ended = "not ended";
    if (prepare(rec, error) == MC_OK)
        return rec;
    play_close_files(rec, false, NULL);
    free_recording(rec);
    return NULL;
}

mc_status mc_recording_close(mc_recording *rec, mc_error *error)
{
    const mc_status status = play_close_files(rec, true, error);
    free_recording(rec);
    return status;
}

void mc_recording_abandon(mc_recording *rec)
{
    play_close_files(rec, false, NULL);
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
    const mc_status status = mc_run_write_checkpoint_with(rec->run, rec->output.checkpoint, state,
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
    const mc_status status = mc_run_read_checkpoint_with(rec->run, checkpoint, state, size, error);
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
    record_take(rec->record);
    take_figures(rec);
    take_late(rec);
    mc_figures_set_check_in_rejected(rec->figures, mc_run_check_in_rejected(rec->run));
    status = play_impacts_figures(rec, error);
    return status == MC_OK ? play_write_row(rec, error) : status;
}

static bool checkpoint_due(const mc_recording *rec, const mc_run_clock *clock)
{
    if (!rec->output.checkpoint || rec->output.checkpoint_every <= 0.0)
        return false;
    const long long stride =
        (long long)fmax(1.0, floor(rec->output.checkpoint_every / clock->size + 0.5));
    return clock->step % stride == 0;
}

static bool row_due(const mc_recording *rec, const mc_run_clock *clock)
{
    return (clock->step - clock->first_step) % rec->stride == 0;
}

// One step and what is due behind it. *over: a stop condition holds.
static mc_status play_step(mc_recording *rec, bool *over, mc_error *error)
{
    mc_run_clock clock;
    mc_status status = mc_run_step(rec->run, error);
    if (status == MC_OK)
        status = follow_version(rec, error);
    if (status == MC_OK)
        status = play_impacts_follow(rec, error);
    if (status == MC_OK)
        status = play_write_instants(rec, error);
    if (status != MC_OK)
        return status;
    mc_run_clock_of(rec->run, &clock);
    const bool due = row_due(rec, &clock), last = clock.step == rec->last;
    // A last row between the others is no part of a run that is resumed from here.
    if (!due && last && rec->output.checkpoint)
        status = write_checkpoint(rec, error);
    if (status == MC_OK && (due || last)) {
        status = take_row(rec, error);
        const int stop = rec->stops ? mc_conditions_first(rec->stops, rec->figures) : -1;
        if (stop >= 0) {
            rec->ended = rec->stop_lines[stop];
            *over = true;
            return status;
        }
    }
    return status == MC_OK && checkpoint_due(rec, &clock) ? write_checkpoint(rec, error) : status;
}

// An edit of the last instant is part of the run, and may give it a later end.
static mc_status reach_end(mc_recording *rec, mc_error *error)
{
    if (mc_run_step_count(rec->run) < rec->last)
        return MC_OK;
    mc_status status = mc_run_carry_edits(rec->run, error);
    if (status == MC_OK)
        status = follow_version(rec, error);
    return status == MC_OK ? play_impacts_follow(rec, error) : status;
}

static mc_status play_steps(mc_recording *rec, const mc_watch *watch, mc_error *error)
{
    bool over = false;
    mc_status status = reach_end(rec, error);
    while (status == MC_OK && !over && mc_run_step_count(rec->run) < rec->last) {
        if (watch && watch->stop && watch->stop(watch->context))
            return mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0,
                                "stopped at t = %g s; the files contain the results so far",
                                mc_run_time(rec->run));
        status = play_step(rec, &over, error);
        if (status == MC_OK && !over)
            status = reach_end(rec, error);
        if (status == MC_OK && !over && watch && watch->progress)
            watch->progress(watch->context, mc_run_time(rec->run));
    }
    return status;
}

mc_status mc_recording_play(mc_recording *rec, const mc_watch *watch, mc_error *error)
{
    mc_run *run = rec->run;
    mc_error own;
    error = error ? error : &own;
    mc_status status = follow_version(rec, error);
    if (status != MC_OK)
        return status;
    if (mc_run_step_count(run) > rec->last)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the checkpoint is at t = %g s, but the scenario ends at %g s",
                            mc_run_time(run), rec->end);
    // A run that was resumed has its row of this instant in the recording it came from.
    status = rec->resumed ? MC_OK : take_row(rec, error);
    rec->ended = "end time reached";
    if (status == MC_OK)
        status = play_steps(rec, watch, error);
    if (status != MC_OK) {
        snprintf(rec->why, sizeof rec->why, "%s", error->text);
        rec->ended = rec->why;
    }
    mc_run_clock clock;
    mc_run_clock_of(run, &clock);
    mc_error second; // a run that failed or was stopped can be resumed, too
    if (rec->output.checkpoint && (row_due(rec, &clock) || clock.step != rec->last)) {
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
