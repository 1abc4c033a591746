// run.c - the run itself: rows at exact times into data.asc and the results file.
#include "base/file.h"
#include "cosserat/batch.h"
#include "io/table_text.h"
#include "medusa/inputs.h"
#include "record/record.h"
#include "motorcade/version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- columns of data.asc ----

static bool has_seven(const mc_medusa *run, int vehicle)
{
    return run->models.model[run->platoon.vehicle[vehicle].model].seven;
}

static int seven_count(const mc_medusa *run)
{
    int count = 0;
    for (int i = 0; i < run->platoon.count; i++)
        count += has_seven(run, i);
    return count;
}

// After the manual's columns: directors 4 to 7 of each vehicle that has them, with -v their
// velocities. index: from the first such group.
static bool higher_group(const mc_medusa *run, const mc_medusa_output *output, int index,
                         long long first, mc_medusa_columns *out)
{
    const int each = output->velocity ? 2 : 1;
    int vehicle = 0;
    for (int skipped = index / each; vehicle < run->platoon.count; vehicle++)
        if (has_seven(run, vehicle) && skipped-- == 0)
            break;
    if (vehicle == run->platoon.count)
        return false;
    first += (long long)index * HIGHER_SIZE;
    *out = (mc_medusa_columns){
        .first = first, .last = first + HIGHER_SIZE - 1, .vehicle = vehicle + 1};
    snprintf(out->what, sizeof out->what, "Components of directors 4 to 7 of vehicle %d%s",
             vehicle + 1, index % each ? ", velocities" : "");
    return true;
}

// Groups in the manual's order: time; position and directors of each vehicle; with -v velocity and
// director velocities of each; with -e all energies.
bool mc_medusa_column_group(const mc_medusa *run, const mc_medusa_output *output, int index,
                            mc_medusa_columns *out)
{
    static const char *const what[4] = {
        "Components of position vector", "Components of the three directors",
        "Components of velocity", "Components of the three director velocities"};
    const int n = run->platoon.count, halves = output->velocity ? 2 : 1;
    if (index == 0) {
        *out = (mc_medusa_columns){1, 1, "Time", 0};
        return true;
    }
    index--;
    if (index < 2 * n * halves) {
        const int half = index / (2 * n), vehicle = index % (2 * n) / 2, part = index % 2;
        const long long start = 2 + 12LL * ((long long)half * n + vehicle);
        *out = (mc_medusa_columns){.first = start + (part ? 3 : 0),
                                   .last = start + (part ? 11 : 2),
                                   .vehicle = vehicle + 1};
        snprintf(out->what, sizeof out->what, "%s of vehicle %d", what[2 * half + part],
                 vehicle + 1);
        return true;
    }
    if (index == 2 * n * halves && output->energy) {
        const long long start = 2 + 12LL * halves * n;
        *out = (mc_medusa_columns){.first = start, .last = start + n - 1};
        snprintf(out->what, sizeof out->what, "The total energies of each of the %d vehicles", n);
        return true;
    }
    return higher_group(run, output, index - 2 * n * halves - output->energy,
                        2 + 12LL * halves * n + (output->energy ? n : 0), out);
}

static long long column_count(const mc_medusa *run, const mc_medusa_output *output)
{
    const long long n = run->platoon.count;
    return 1 + 12 * (n + seven_count(run)) * (output->velocity ? 2 : 1) + (output->energy ? n : 0);
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a row of results");
}

// ---- the vehicles as what is recorded ----

static const mc_field motion_fields[] = {MC_FIELD_X, MC_FIELD_Y, MC_FIELD_PSI, MC_FIELD_V,
                                         MC_FIELD_A};
enum { FIELDS = sizeof motion_fields / sizeof motion_fields[0], TABLES = 4, NAME = 24 };

static const results_column higher_columns[HIGHER_VALUES] = {
    {"d41", "1/m", "director 4, x"},
    {"d42", "1/m", "director 4, y"},
    {"d43", "1/m", "director 4, z"},
    {"d51", "1/m", "director 5, x"},
    {"d52", "1/m", "director 5, y"},
    {"d53", "1/m", "director 5, z"},
    {"d61", "1/m", "director 6, x"},
    {"d62", "1/m", "director 6, y"},
    {"d63", "1/m", "director 6, z"},
    {"d71", "1/m", "director 7, x"},
    {"d72", "1/m", "director 7, y"},
    {"d73", "1/m", "director 7, z"},
    {"w41", "1/m/s", "velocity of director 4, x"},
    {"w42", "1/m/s", "velocity of director 4, y"},
    {"w43", "1/m/s", "velocity of director 4, z"},
    {"w51", "1/m/s", "velocity of director 5, x"},
    {"w52", "1/m/s", "velocity of director 5, y"},
    {"w53", "1/m/s", "velocity of director 5, z"},
    {"w61", "1/m/s", "velocity of director 6, x"},
    {"w62", "1/m/s", "velocity of director 6, y"},
    {"w63", "1/m/s", "velocity of director 6, z"},
    {"w71", "1/m/s", "velocity of director 7, x"},
    {"w72", "1/m/s", "velocity of director 7, y"},
    {"w73", "1/m/s", "velocity of director 7, z"},
};

typedef struct recording {
    mc_medusa *run;
    const mc_medusa_output *output;
    table_text *asc;
    double *asc_row;
    mc_motion *motion; // by vehicle, of the row
    char (*names)[NAME];
    const char **name_list;
    results_column columns[FIELDS];
    record_table tables[TABLES];
    record *record; // NULL: no results file
    int impacts_written;
} recording;

static const mc_batch *batch_of(const recording *r, int id, int *index)
{
    mc_batch *batch;
    mc_world_vehicle(r->run->world, id, &batch, index);
    return batch;
}

// Motions of neighbours in a batch by one call, which costs little more than that of one.
static void read_motions(const recording *r)
{
    const int n = r->run->platoon.count;
    for (int id = 0, count; id < n; id += count) {
        int first, index;
        const mc_batch *batch = batch_of(r, id, &first);
        for (count = 1; id + count < n; count++)
            if (batch_of(r, id + count, &index) != batch || index != first + count)
                break;
        batch->kind->motion(batch, first, count, r->motion + id);
    }
}

static void fill_motion(void *context, int id, double *row)
{
    const recording *r = context;
    const mc_motion *m = &r->motion[id];
    const double values[FIELDS] = {m->x, m->y, m->psi, m->v, m->a};
    memcpy(row, values, sizeof values);
}

static void fill_pose(void *context, int id, double *row)
{
    int i;
    mc_pose pose;
    const mc_batch *batch = batch_of(context, id, &i);
    batch->kind->pose(batch, i, &pose);
    record_put_pose(&pose, row);
}

static void fill_energy(void *context, int id, double *row)
{
    int i;
    mc_energy energy;
    double momentum[3], by_road[3];
    const mc_batch *batch = batch_of(context, id, &i);
    batch->kind->energy(batch, i, &energy);
    batch->kind->momentum(batch, i, momentum);
    batch->kind->road_impulse(batch, i, by_road);
    record_put_energy(&energy, momentum, by_road, row);
}

// NaN of a vehicle with three directors.
static void fill_higher(void *context, int id, double *row)
{
    int i;
    const mc_batch *batch = batch_of(context, id, &i);
    if (!cosserat_batch_higher(batch, i, row))
        for (int k = 0; k < HIGHER_VALUES; k++)
            row[k] = NAN;
}

static void describe(void *context, int id, record_vehicle *out)
{
    int i;
    mc_ellipsoid e;
    double size[3];
    const mc_batch *batch = batch_of(context, id, &i);
    batch->kind->surface(batch, i, &e);
    for (int k = 0; k < 3; k++)
        size[k] = 2.0 * sqrt(e.axes[k] * e.axes[k] + e.axes[3 + k] * e.axes[3 + k] +
                             e.axes[6 + k] * e.axes[6 + k]);
    *out = (record_vehicle){.platoon = -1,
                            .place = id,
                            .length = size[0],
                            .width = size[1],
                            .height = size[2],
                            .mass = batch->kind->mass(batch, i),
                            .deformable = 1.0};
}

// ---- the files ----

// What is needed to know, and to repeat, the run: step, constants, both files.
static mc_status set_texts(recording *r, mc_error *error)
{
    const mc_medusa_options *o = &r->run->options;
    char step[32], constants[160];
    char *models = NULL, *platoon = NULL;
    size_t size;
    snprintf(step, sizeof step, "%.17g", r->run->step);
    snprintf(constants, sizeof constants,
             "contact stiffness %g N/m, step halved in contact until below %g s, held for %d steps",
             o->penalty_stiffness, o->penalty_smallest_step, o->penalty_held_steps);
    mc_status status = file_read(&r->run->arena, o->models, 0, &models, &size, error);
    if (status == MC_OK)
        status = file_read(&r->run->arena, o->platoon, 0, &platoon, &size, error);
    const char *const texts[][2] = {
        {"scheme", mc_scheme_name(o->scheme)},
        {"step", step},
        {"published_constants", o->scheme == MC_SCHEME_PUBLISHED ? constants : ""},
        {"model_file", models},
        {"platoon_file", platoon},
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && status == MC_OK; k++)
        status = results_set_text(record_file(r->record), texts[k][0], texts[k][1], error);
    return status;
}

static mc_status set_models(recording *r, mc_error *error)
{
    const int n = r->run->platoon.count;
    char(*text)[NAME] = calloc((size_t)n + 1, sizeof *text);
    const char **list = calloc((size_t)n + 1, sizeof *list);
    mc_status status = text && list ? MC_OK : no_memory(error);
    for (int id = 0; id < n && status == MC_OK; id++) {
        snprintf(text[id], NAME, "model %d", r->run->platoon.vehicle[id].model + 1);
        list[id] = text[id];
    }
    if (status == MC_OK)
        status = results_set_list(record_file(r->record), "vehicle_models", list, n, error);
    free(text);
    free(list);
    return status;
}

// Names as the manual counts vehicles.
static bool make_names(recording *r)
{
    const int n = r->run->platoon.count;
    r->names = calloc((size_t)n + 1, sizeof *r->names);
    r->name_list = calloc((size_t)n + 1, sizeof *r->name_list);
    for (int id = 0; r->names && r->name_list && id < n; id++) {
        snprintf(r->names[id], NAME, "vehicle%d", id + 1);
        r->name_list[id] = r->names[id];
    }
    return r->names && r->name_list;
}

static mc_status open_results(recording *r, long long rows, mc_error *error)
{
    const int n = r->run->platoon.count;
    r->motion = calloc((size_t)n + 1, sizeof *r->motion);
    if (!r->motion || !make_names(r))
        return no_memory(error);
    for (int k = 0; k < FIELDS; k++)
        r->columns[k] = record_field_column(motion_fields[k]);
    r->tables[0] = (record_table){"motion", r->columns, FIELDS, fill_motion};
    r->tables[1] = (record_table){"pose", record_pose_columns, RECORD_POSE_COLUMNS, fill_pose};
    r->tables[2] =
        (record_table){"energy", record_energy_columns, RECORD_ENERGY_COLUMNS, fill_energy};
    r->tables[3] = (record_table){"directors", higher_columns, HIGHER_VALUES, fill_higher};
    const record_source source = {.kind = "medusa",
                                  .command = r->output->command,
                                  .context = r,
                                  .object_count = n,
                                  .object_names = r->name_list,
                                  .tables = r->tables,
                                  .table_count = seven_count(r->run) > 0 ? TABLES : TABLES - 1,
                                  .row_count = rows,
                                  .vehicle = describe};
    r->record = record_new(r->output->hdf5, &source, error);
    mc_status status = r->record ? set_texts(r, error) : error->code;
    if (status == MC_OK)
        status = set_models(r, error);
    return status == MC_OK ? record_begin(r->record, error) : status;
}

static mc_status open_recording(recording *r, long long rows, mc_error *error)
{
    const mc_medusa_output *output = r->output;
    if (output->asc) {
        r->asc_row = malloc((size_t)column_count(r->run, output) * sizeof *r->asc_row);
        if (!r->asc_row)
            return no_memory(error);
        r->asc =
            table_text_open_asc(output->asc, column_count(r->run, output), output->digits, error);
        if (!r->asc)
            return error->code;
    }
    return output->hdf5 ? open_results(r, rows, error) : MC_OK;
}

static mc_status write_asc(const recording *r, double time, mc_error *error)
{
    const size_t n = (size_t)r->run->platoon.count;
    double *place = r->asc_row + 1, *velocity = place + 12 * n;
    double *energy = velocity + (r->output->velocity ? 12 * n : 0);
    r->asc_row[0] = time;
    for (size_t id = 0; id < n; id++) {
        int i;
        mc_pose pose;
        mc_energy e;
        const mc_batch *batch = batch_of(r, (int)id, &i);
        batch->kind->pose(batch, i, &pose);
        memcpy(place + 12 * id, pose.position, sizeof pose.position);
        memcpy(place + 12 * id + 3, pose.directors, sizeof pose.directors);
        if (r->output->velocity) {
            memcpy(velocity + 12 * id, pose.velocity, sizeof pose.velocity);
            memcpy(velocity + 12 * id + 3, pose.director_rates, sizeof pose.director_rates);
        }
        if (!r->output->energy)
            continue;
        batch->kind->energy(batch, i, &e);
        energy[id] = e.kinetic + e.elastic + e.spring + e.gravity;
    }
    double *higher = energy + (r->output->energy ? n : 0);
    const int size = r->output->velocity ? HIGHER_VALUES : HIGHER_SIZE;
    for (size_t id = 0; id < n; id++) {
        int i;
        double values[HIGHER_VALUES];
        const mc_batch *batch = batch_of(r, (int)id, &i);
        if (!cosserat_batch_higher(batch, i, values))
            continue;
        memcpy(higher, values, (size_t)size * sizeof *higher);
        higher += size;
    }
    return table_text_row(r->asc, r->asc_row, error);
}

static mc_status write_impacts(recording *r, mc_error *error)
{
    int count;
    const mc_impact *impacts = mc_world_impacts(r->run->world, &count);
    mc_status status = MC_OK;
    for (; r->impacts_written < count && status == MC_OK; r->impacts_written++) {
        const mc_impact *i = &impacts[r->impacts_written];
        status = record_impact(r->record, i, i->a, i->b, error);
    }
    return status;
}

static mc_status write_row(recording *r, double time, mc_error *error)
{
    mc_status status = r->asc ? write_asc(r, time, error) : MC_OK;
    if (!r->record || status != MC_OK)
        return status;
    read_motions(r);
    record_take(r->record);
    status = write_impacts(r, error);
    return status == MC_OK ? record_write(r->record, time, error) : status;
}

// Ends the files: whole when `keep`, otherwise data.asc stays as it was before the run.
static mc_status close_recording(recording *r, bool keep, const char *ended, mc_error *error)
{
    mc_error own, second;
    mc_status status = MC_OK;
    error = error ? error : &own;
    if (r->asc && keep)
        status = table_text_close(r->asc, error);
    else if (r->asc)
        table_text_abandon(r->asc);
    if (r->record && keep) {
        const mc_status end = record_end(r->record, ended, &second);
        if (status == MC_OK && end != MC_OK)
            *error = second, status = end;
    }
    record_free(r->record);
    free(r->asc_row);
    free(r->motion);
    free(r->names);
    free(r->name_list);
    return status;
}

// ---- the moment of maximum deformation ----

static void note_moment(mc_medusa *run, double time)
{
    const int n = run->platoon.count;
    double elastic = 0.0;
    for (int id = 0; id < n; id++) {
        mc_batch *batch;
        int index;
        mc_energy e;
        mc_world_vehicle(run->world, id, &batch, &index);
        batch->kind->energy(batch, index, &e);
        elastic += e.elastic;
    }
    if (!run->moment_surface) {
        run->moment_surface = calloc((size_t)n, sizeof *run->moment_surface);
        run->moment_numbers = calloc((size_t)n, 14 * sizeof *run->moment_numbers);
        run->moment.elastic = -1.0;
    }
    if (!run->moment_surface || !run->moment_numbers || elastic <= run->moment.elastic)
        return;
    double *axes = run->moment_numbers, *each = axes + 9 * (size_t)n, *velocity = each + n;
    double *heading = velocity + 3 * (size_t)n;
    run->moment =
        (mc_medusa_moment){time, elastic, run->moment_surface, axes, each, velocity, heading};
    for (int id = 0; id < n; id++) {
        mc_batch *batch;
        int index;
        mc_energy e;
        mc_world_vehicle(run->world, id, &batch, &index);
        batch->kind->energy(batch, index, &e);
        batch->kind->surface(batch, index, &run->moment_surface[id]);
        mc_pose pose;
        batch->kind->pose(batch, index, &pose);
        each[id] = e.elastic;
        memcpy(velocity + 3 * (size_t)id, pose.velocity, sizeof pose.velocity);
        heading[id] = atan2(pose.directors[1], pose.directors[0]);
        cosserat_batch_rest_axes(batch, index, axes + 9 * (size_t)id);
    }
}

const mc_medusa_moment *mc_medusa_greatest_deformation(const mc_medusa *run)
{
    return &run->moment;
}

// ---- the loop ----

static bool stop_asked(const mc_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->context);
}

// Moves the world on by one row, which starts at time `from`; long rows in pieces, so that a stop
// is heard soon, cut where inputs change.
static mc_status advance_row(mc_medusa *run, double from, double duration, const mc_watch *watch,
                             mc_error *error)
{
    const double longest = 0.1; // s
    const long long pieces = (long long)fmax(1.0, ceil(duration / longest * (1.0 - 1e-12)));
    mc_status status = MC_OK;
    double done = 0.0;
    for (long long k = 0; k < pieces && status == MC_OK;) {
        if (stop_asked(watch))
            return mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0,
                                "stopped at t = %g s; the files contain the results so far",
                                mc_world_time(run->world));
        const double change = medusa_inputs_set(run, from + done);
        const bool held = isinf(change), cut = !held && change < from + duration - 1e-9;
        const double part =
            held ? duration / (double)pieces : (cut ? change - from : duration) - done;
        status = mc_world_advance(run->world, part, error);
        done += part;
        k = held ? k + 1 : cut ? 0 : pieces;
        if (watch && watch->progress)
            watch->progress(watch->context, mc_world_time(run->world));
    }
    return status;
}

static mc_status run_rows(recording *r, const mc_watch *watch, mc_error *error)
{
    const mc_medusa_options *o = &r->run->options;
    // Full intervals before the end; an end within rounding of a multiple is that multiple.
    const long long full = (long long)floor(o->end_time / o->save_interval * (1.0 + 1e-12));
    const bool rest = o->end_time - (double)full * o->save_interval > 1e-12 * o->end_time;
    mc_status status = write_row(r, 0.0, error);
    note_moment(r->run, 0.0);
    for (long long k = 1; k <= full + rest && status == MC_OK; k++) {
        const double start = (double)(k - 1) * o->save_interval;
        const bool last = k == full + rest;
        const double time = last ? o->end_time : (double)k * o->save_interval;
        status =
            advance_row(r->run, start, k <= full ? o->save_interval : time - start, watch, error);
        if (status == MC_OK)
            status = write_row(r, time, error);
        note_moment(r->run, time);
    }
    return status;
}

mc_status mc_medusa_run(mc_medusa *run, const mc_medusa_output *output, const mc_watch *watch,
                        mc_error *error)
{
    mc_error own;
    mc_error *report = error ? error : &own;
    recording r = {.run = run, .output = output};
    const mc_medusa_options *o = &run->options;
    const long long rows = (long long)floor(o->end_time / o->save_interval) + 2;
    mc_status status = open_recording(&r, rows, report);
    if (status != MC_OK) {
        close_recording(&r, false, "", NULL);
        return status;
    }
    status = run_rows(&r, watch, report);
    // A run that failed keeps its rows too: they show how it came to fail.
    mc_error closing;
    const mc_status closed =
        close_recording(&r, true, status == MC_OK ? "end time reached" : report->text, &closing);
    if (status == MC_OK && closed != MC_OK) {
        *report = closing;
        return closed;
    }
    return status;
}
