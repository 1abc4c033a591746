// medusa_run.c - the run itself: rows at exact times into data.asc and the results file.
#include "base/file.h"
#include "cosserat/batch.h"
#include "io/results.h"
#include "io/table_text.h"
#include "sim/medusa.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- columns of data.asc ----

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
    return false;
}

static long long column_count(const mc_medusa *run, const mc_medusa_output *output)
{
    const long long n = run->platoon.count;
    return 1 + 12 * n * (output->velocity ? 2 : 1) + (output->energy ? n : 0);
}

// ---- one recording ----

static const results_column time_column[] = {{"t", "s", "simulated time"}};

static const results_column motion_columns[24] = {
    {"r1", "m", "position, x"},
    {"r2", "m", "position, y"},
    {"r3", "m", "position, z"},
    {"d11", "-", "director 1, x"},
    {"d12", "-", "director 1, y"},
    {"d13", "-", "director 1, z"},
    {"d21", "-", "director 2, x"},
    {"d22", "-", "director 2, y"},
    {"d23", "-", "director 2, z"},
    {"d31", "-", "director 3, x"},
    {"d32", "-", "director 3, y"},
    {"d33", "-", "director 3, z"},
    {"v1", "m/s", "velocity, x"},
    {"v2", "m/s", "velocity, y"},
    {"v3", "m/s", "velocity, z"},
    {"w11", "1/s", "velocity of director 1, x"},
    {"w12", "1/s", "velocity of director 1, y"},
    {"w13", "1/s", "velocity of director 1, z"},
    {"w21", "1/s", "velocity of director 2, x"},
    {"w22", "1/s", "velocity of director 2, y"},
    {"w23", "1/s", "velocity of director 2, z"},
    {"w31", "1/s", "velocity of director 3, x"},
    {"w32", "1/s", "velocity of director 3, y"},
    {"w33", "1/s", "velocity of director 3, z"},
};

static const results_column books_columns[] = {
    {"kinetic", "J", "kinetic energy"},
    {"elastic", "J", "energy of deformation"},
    {"spring", "J", "energy of the suspension springs"},
    {"gravity", "J", "potential energy, 0 with the mass centre at z = 0"},
    {"vibration", "J", "part of kinetic and elastic in the modes of deformation"},
    {"damped", "J", "given to the dampers since the start"},
    {"slipped", "J", "given to the road by slipping tyres since the start"},
    {"p1", "N s", "momentum, x"},
    {"p2", "N s", "momentum, y"},
    {"p3", "N s", "momentum, z"},
    {"road1", "N s", "impulse of the road since the start, x"},
    {"road2", "N s", "impulse of the road since the start, y"},
    {"road3", "N s", "impulse of the road since the start, z"},
    {"crushed", "J", "given to permanent deformation since the start"},
};
enum { BOOKS = sizeof books_columns / sizeof books_columns[0] };

static const results_column impact_columns[] = {
    {"time", "s", "instant of the micro-impact"},
    {"a", "-", "vehicle, from 1"},
    {"b", "-", "vehicle, from 1"},
    {"x", "m", "point of contact, x"},
    {"y", "m", "point of contact, y"},
    {"z", "m", "point of contact, z"},
    {"nx", "-", "normal from a to b, x"},
    {"ny", "-", "normal from a to b, y"},
    {"nz", "-", "normal from a to b, z"},
    {"closing", "m/s", "speed at which the surfaces meet"},
    {"impulse", "N s", "on b along the normal, on a against it"},
    {"fx", "N s", "impulse of friction on b, x"},
    {"fy", "N s", "impulse of friction on b, y"},
    {"fz", "N s", "impulse of friction on b, z"},
    {"friction_loss", "J", "energy taken by friction"},
    {"restitution_loss", "J", "energy taken by restitution below 1"},
};
enum { IMPACTS = sizeof impact_columns / sizeof impact_columns[0] };

typedef struct recording {
    mc_medusa *run;
    const mc_medusa_output *output;
    table_text *asc;
    results *results;
    int time_table, motion_table, books_table, impact_table;
    double *asc_row, *motion_row, *books_row;
    int impacts_written;
} recording;

// What is needed to know, and to repeat, the run: version, command, step, constants, both files.
static mc_status write_texts(recording *r, mc_error *error)
{
    const mc_medusa_options *o = &r->run->options;
    const mc_world_options w = mc_world_defaults();
    char step[32], constants[160];
    char *models = NULL, *platoon = NULL;
    size_t size;
    snprintf(step, sizeof step, "%.17g", r->run->step);
    snprintf(constants, sizeof constants,
             "contact stiffness %g N/m, step halved in contact until below %g s, held for %d steps",
             w.penalty_stiffness, w.penalty_smallest_step, w.penalty_held_steps);
    mc_status status = file_read(&r->run->arena, o->models, 0, &models, &size, error);
    if (status == MC_OK)
        status = file_read(&r->run->arena, o->platoon, 0, &platoon, &size, error);
    const char *const texts[][2] = {
        {"motorcade", MOTORCADE_VERSION},
        {"command", r->output->command ? r->output->command : ""},
        {"scheme", mc_scheme_name(o->scheme)},
        {"step", step},
        {"published_constants", o->scheme == MC_SCHEME_PUBLISHED ? constants : ""},
        {"model_file", models},
        {"platoon_file", platoon},
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && status == MC_OK; k++)
        status = results_set_text(r->results, texts[k][0], texts[k][1], error);
    return status;
}

static mc_status open_results(recording *r, long long rows, mc_error *error)
{
    const int n = r->run->platoon.count;
    r->results = results_new(r->output->hdf5, error);
    if (!r->results)
        return error->code;
    const results_table tables[] = {
        {"time", time_column, 1, 0, rows, false},
        {"motion", motion_columns, 24, n, rows, false},
        {"books", books_columns, BOOKS, n, rows, false},
        {"impacts", impact_columns, IMPACTS, 0, 1024, true},
    };
    int *const index[] = {&r->time_table, &r->motion_table, &r->books_table, &r->impact_table};
    for (int k = 0; k < 4; k++) {
        const mc_status status = results_add_table(r->results, &tables[k], index[k], error);
        if (status != MC_OK)
            return status;
    }
    const mc_status status = write_texts(r, error);
    return status == MC_OK ? results_create(r->results, error) : status;
}

static mc_status open_recording(recording *r, long long rows, mc_error *error)
{
    const size_t n = (size_t)r->run->platoon.count;
    r->asc_row = malloc((size_t)column_count(r->run, r->output) * sizeof *r->asc_row);
    r->motion_row = malloc(n * 24 * sizeof *r->motion_row);
    r->books_row = malloc(n * BOOKS * sizeof *r->books_row);
    if (!r->asc_row || !r->motion_row || !r->books_row)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a row of results");
    if (r->output->asc) {
        r->asc = table_text_open_asc(r->output->asc, column_count(r->run, r->output),
                                     r->output->digits, error);
        if (!r->asc)
            return error->code;
    }
    return r->output->hdf5 ? open_results(r, rows, error) : MC_OK;
}

static void fill_rows(recording *r, double time)
{
    const int n = r->run->platoon.count;
    double *asc = r->asc_row, *velocity = asc + 1 + 12 * (size_t)n;
    double *energy = velocity + (r->output->velocity ? 12 * (size_t)n : 0);
    asc[0] = time;
    for (int id = 0; id < n; id++) {
        mc_batch *batch;
        int index;
        double state[COSSERAT_SAVE_MAX];
        mc_energy e;
        mc_world_vehicle(r->run->world, id, &batch, &index);
        batch->kind->save(batch, index, state);
        batch->kind->energy(batch, index, &e);
        memcpy(asc + 1 + 12 * (size_t)id, state, 12 * sizeof *state);
        if (r->output->velocity)
            memcpy(velocity + 12 * (size_t)id, state + 12, 12 * sizeof *state);
        if (r->output->energy)
            energy[id] = e.kinetic + e.elastic + e.spring + e.gravity;
        memcpy(r->motion_row + 24 * (size_t)id, state, 24 * sizeof *state);
        double *books = r->books_row + BOOKS * (size_t)id;
        const double parts[7] = {e.kinetic,   e.elastic, e.spring, e.gravity,
                                 e.vibration, e.damped,  e.slipped};
        memcpy(books, parts, sizeof parts);
        batch->kind->momentum(batch, index, books + 7);
        batch->kind->road_impulse(batch, index, books + 10);
        books[13] = e.crushed;
    }
}

static mc_status write_impacts(recording *r, mc_error *error)
{
    int count;
    const mc_impact *impacts = mc_world_impacts(r->run->world, &count);
    for (; r->impacts_written < count; r->impacts_written++) {
        const mc_impact *i = &impacts[r->impacts_written];
        const double row[IMPACTS] = {
            i->time,          i->a + 1.0,       i->b + 1.0,       i->point[0],
            i->point[1],      i->point[2],      i->normal[0],     i->normal[1],
            i->normal[2],     i->closing,       i->impulse,       i->tangential[0],
            i->tangential[1], i->tangential[2], i->friction_loss, i->restitution_loss};
        const mc_status status = results_write(r->results, r->impact_table, row, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

static mc_status write_row(recording *r, double time, mc_error *error)
{
    fill_rows(r, time);
    mc_status status = r->asc ? table_text_row(r->asc, r->asc_row, error) : MC_OK;
    if (!r->results || status != MC_OK)
        return status;
    status = results_write(r->results, r->motion_table, r->motion_row, error);
    if (status == MC_OK)
        status = results_write(r->results, r->books_table, r->books_row, error);
    if (status == MC_OK)
        status = write_impacts(r, error);
    if (status == MC_OK)
        status = results_write(r->results, r->time_table, &time, error);
    return status;
}

// Ends the files: whole when `keep`, otherwise data.asc stays as it was before the run.
static mc_status close_recording(recording *r, bool keep, mc_error *error)
{
    mc_status status = MC_OK;
    if (r->asc && keep)
        status = table_text_close(r->asc, error);
    else if (r->asc)
        table_text_abandon(r->asc);
    if (r->results) {
        mc_error second;
        const mc_status end = keep ? results_finish(r->results, &second) : MC_OK;
        if (status == MC_OK && end != MC_OK) {
            status = end;
            if (error)
                *error = second;
        }
        results_free(r->results);
    }
    free(r->asc_row);
    free(r->motion_row);
    free(r->books_row);
    return status;
}

// ---- the moment of greatest deformation ----

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
        double state[COSSERAT_SAVE_MAX];
        batch->kind->save(batch, index, state);
        each[id] = e.elastic;
        memcpy(velocity + 3 * (size_t)id, state + VALUE_V, 3 * sizeof *state);
        heading[id] = atan2(state[VALUE_D + 1], state[VALUE_D]);
        cosserat_batch_rest_axes(batch, index, axes + 9 * (size_t)id);
    }
}

const mc_medusa_moment *mc_medusa_greatest_deformation(const mc_medusa *run)
{
    return &run->moment;
}

// ---- the loop ----

static bool stop_asked(const mc_medusa_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->context);
}

// Moves the world on by one row; long rows in pieces, so that a stop is heard soon.
static mc_status advance_row(mc_world *world, double duration, const mc_medusa_watch *watch,
                             mc_error *error)
{
    const double longest = 0.1; // s
    const long long pieces = (long long)fmax(1.0, ceil(duration / longest * (1.0 - 1e-12)));
    mc_status status = MC_OK;
    for (long long k = 0; k < pieces && status == MC_OK; k++) {
        if (stop_asked(watch))
            return mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0,
                                "stopped at t = %g s; what was simulated is in the files",
                                mc_world_time(world));
        status = mc_world_advance(world, duration / (double)pieces, error);
        if (watch && watch->progress)
            watch->progress(watch->context, mc_world_time(world));
    }
    return status;
}

static mc_status run_rows(recording *r, const mc_medusa_watch *watch, mc_error *error)
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
            advance_row(r->run->world, k <= full ? o->save_interval : time - start, watch, error);
        if (status == MC_OK)
            status = write_row(r, time, error);
        note_moment(r->run, time);
    }
    return status;
}

mc_status mc_medusa_run(mc_medusa *run, const mc_medusa_output *output,
                        const mc_medusa_watch *watch, mc_error *error)
{
    mc_error own;
    mc_error *report = error ? error : &own;
    recording r = {.run = run, .output = output};
    const mc_medusa_options *o = &run->options;
    const long long rows = (long long)floor(o->end_time / o->save_interval) + 2;
    mc_status status = open_recording(&r, rows, report);
    if (status != MC_OK) {
        close_recording(&r, false, NULL);
        return status;
    }
    status = run_rows(&r, watch, report);
    // A run that failed keeps its rows too: they show how it came to fail.
    mc_error closing;
    if (r.results)
        results_set_text(r.results, "ended", status == MC_OK ? "end time reached" : report->text,
                         &closing);
    const mc_status closed = close_recording(&r, true, &closing);
    if (status == MC_OK && closed != MC_OK) {
        *report = closing;
        return closed;
    }
    return status;
}
