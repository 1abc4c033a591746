// results.c - results files as recordings.
#include "replay/happened.h"
#include "replay/instants.h"
#include "replay/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a recording");
}

static const char *copy(mc_replay *r, const char *text)
{
    const char *out = text ? arena_copy_text(&r->memory, text, strlen(text)) : NULL;
    return out ? out : "";
}

// ---- rows ----

typedef struct results_walk {
    mc_replay *r;
    recorded *record;
    int quantity[MC_FIELD_COUNT]; // of the record; -1: none
    int kinetic, elastic;         // quantities of the energy; -1: none
    int pose[MC_REPLAY_POSE];     // quantities
    int stride;
} results_walk;

const char *const replay_pose_names[MC_REPLAY_POSE] = {"x",   "y",   "z",   "d11", "d12", "d13",
                                                       "d21", "d22", "d23", "d31", "d32", "d33"};

// Quantities that a field of frames is made of; the middle and its target come from x and the
// spacing error.
static void find_quantities(results_walk *w)
{
    for (int f = 0; f < MC_FIELD_COUNT; f++)
        w->quantity[f] = recorded_find(w->record, mc_field_table[f].name);
    w->kinetic = recorded_find(w->record, "kinetic");
    w->elastic = recorded_find(w->record, "elastic");
    for (int k = 0; k < MC_REPLAY_POSE; k++)
        w->pose[k] = recorded_find(w->record, replay_pose_names[k]);
}

static double value_of(const results_walk *w, const recorded_block *block, int64_t row, int car,
                       int quantity)
{
    return quantity < 0 ? NAN : recorded_value(block, row, car, &w->record->quantities[quantity]);
}

double replay_frame_field(const mc_replay_car *car, mc_field field, double own, double x,
                          double spacing_error, double energy)
{
    switch (field) {
    case MC_FIELD_MIDDLE:
        return x + car->middle;
    case MC_FIELD_TARGET:
        return x + car->middle + spacing_error;
    case MC_FIELD_ENERGY:
        return energy;
    default:
        return own;
    }
}

static double field_of(const results_walk *w, const recorded_block *block, int64_t row, int car,
                       mc_field field)
{
    const double value = value_of(w, block, row, car, w->quantity[field]);
    if (field == MC_FIELD_N) // format 1: 0 without an engine
        return results_reader_format(w->record->file) == 1 && value <= 0.0 ? NAN : value;
    return replay_frame_field(
        &w->r->cars[car], field, value, value_of(w, block, row, car, w->quantity[MC_FIELD_X]),
        value_of(w, block, row, car, w->quantity[MC_FIELD_SPACING_ERROR]),
        value_of(w, block, row, car, w->kinetic) + value_of(w, block, row, car, w->elastic));
}

static mc_status take_block(void *context, const recorded_block *block, mc_error *error)
{
    (void)error;
    results_walk *w = context;
    mc_replay *r = w->r;
    const int cars = r->info.car_count;
    for (int64_t k = 0; k < block->count; k++) {
        const int64_t row = block->first + k;
        if (row % w->stride != 0 || row / w->stride >= r->info.row_count)
            continue;
        const size_t to = (size_t)(row / w->stride) * (size_t)cars;
        r->t[row / w->stride] = block->time[k];
        for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
            for (int c = 0; c < cars && r->value[f]; c++)
                r->value[f][to + (size_t)c] = field_of(w, block, k, c, (mc_field)f);
        for (int c = 0; c < cars && r->poses; c++)
            for (int p = 0; p < MC_REPLAY_POSE; p++)
                r->poses[(to + (size_t)c) * MC_REPLAY_POSE + (size_t)p] =
                    value_of(w, block, k, c, w->pose[p]);
    }
    return MC_OK;
}

static bool has_field(const results_walk *w, int field)
{
    return field == MC_FIELD_MIDDLE   ? w->quantity[MC_FIELD_X] >= 0
           : field == MC_FIELD_TARGET ? w->quantity[MC_FIELD_SPACING_ERROR] >= 0
           : field == MC_FIELD_ENERGY ? w->kinetic >= 0 && w->elastic >= 0
                                      : w->quantity[field] >= 0;
}

static mc_status fill_rows(mc_replay *r, recorded *rec, int stride, mc_error *error)
{
    results_walk walk = {.r = r, .record = rec, .stride = stride};
    const size_t rows = (size_t)r->info.row_count + (size_t)r->info.instant_count;
    const size_t numbers = rows * (size_t)rec->vehicle_count * MC_REPLAY_POSE;
    find_quantities(&walk);
    for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
        if (has_field(&walk, f) && !replay_field(r, (mc_field)f))
            return no_memory(error);
    if (!r->value[MC_FIELD_MIDDLE])
        return mc_error_set(error, MC_BAD_INPUT, rec->path, 0, 0,
                            "the results have no positions: the table motion has no column x");
    bool posed = true;
    for (int p = 0; p < MC_REPLAY_POSE; p++)
        posed = posed && walk.pose[p] >= 0;
    if (posed) {
        r->poses = arena_alloc(&r->memory, numbers * sizeof *r->poses);
        if (!r->poses)
            return no_memory(error);
        r->info.poses = true;
    }
    if (stride > 1) {
        const size_t n = strlen(r->note);
        snprintf(r->note + n, sizeof r->note - n, "%sone row in %d is shown", n ? "; " : "",
                 stride);
    }
    const recorded_part all = {0, rec->row_count, 0, rec->vehicle_count,
                               (1u << RECORDED_TABLES) - 1};
    return recorded_walk(rec, &all, take_block, &walk, error);
}

// ---- vehicles and road ----

static double column_of(const results_shape *s, const double *values, int row, const char *column,
                        double otherwise)
{
    const int64_t c = results_shape_find(s, column);
    const double value = c < 0 ? NAN : values[row * s->column_count + c];
    return isfinite(value) ? value : otherwise;
}

enum { LANES_MAX = 64 };

// A small number from 0; 0 where it is something else.
static int number_in(double value, int max)
{
    return value >= 0.0 && value <= max ? (int)value : 0;
}

// Sizes and places of the vehicles. Files of format 1 do not have them.
static void take_vehicles(mc_replay *r, recorded *rec)
{
    const results_shape *s;
    double *values;
    if (!recorded_last_row(rec, "vehicles", true, &s, &values)) {
        snprintf(r->note, sizeof r->note,
                 "the file has no car sizes: cars are shown in the default size");
        return;
    }
    for (int c = 0; c < rec->vehicle_count; c++) {
        mc_replay_car *car = &r->cars[c];
        car->length = column_of(s, values, c, "length", car->length);
        car->width = column_of(s, values, c, "width", car->width);
        car->height = column_of(s, values, c, "height", car->height);
        car->middle = column_of(s, values, c, "middle", 0.0);
        car->mass = column_of(s, values, c, "mass", NAN);
        car->place = number_in(column_of(s, values, c, "place", 0.0), rec->vehicle_count);
        car->lane = number_in(column_of(s, values, c, "lane", 0.0), LANES_MAX);
        car->deformable = column_of(s, values, c, "deformable", 0.0) > 0.0;
    }
    free(values);
}

static void take_road(mc_replay *r, recorded *rec)
{
    const results_shape *s;
    double *values;
    if (!recorded_last_row(rec, "road", false, &s, &values))
        return;
    const double lanes = column_of(s, values, 0, "lanes", 1.0);
    const double width = column_of(s, values, 0, "lane_width", r->info.lane_width);
    r->info.lane_count = lanes >= 1.0 && lanes <= LANES_MAX ? (int)lanes : 1;
    r->info.lane_width = width > 0.0 ? width : r->info.lane_width;
    free(values);
}

static void take_cars(mc_replay *r, recorded *rec)
{
    r->renamed = rec->renamed;
    const bool old = results_reader_format(rec->file) == 1;
    const char **models = recorded_words(rec, "vehicle_models", rec->vehicle_count);
    const char **controllers =
        recorded_words(rec, old ? "controllers" : "vehicle_controllers", rec->vehicle_count);
    for (int c = 0; c < rec->vehicle_count; c++) {
        r->cars[c].name = copy(r, rec->names[c]);
        r->cars[c].model = copy(r, models ? models[c] : "");
        r->cars[c].controller = copy(r, controllers ? controllers[c] : "");
        r->cars[c].platoon = rec->platoon[c] < 0 ? 0 : rec->platoon[c];
        r->cars[c].alone = rec->platoon[c] < 0 && strcmp(rec->kind, "run") == 0;
    }
    take_vehicles(r, rec);
    take_road(r, rec);
    r->info.title = copy(r, results_reader_text(rec->file, "name"));
    r->info.scenario = copy(r, results_reader_text(rec->file, "scenario"));
}

// ---- what happened ----

static int impact_order(const void *p, const void *q)
{
    const double a = ((const mc_impact *)p)->time, b = ((const mc_impact *)q)->time;
    return (a > b) - (a < b);
}

static mc_status take_impacts(mc_replay *r, recorded *rec, mc_error *error)
{
    recorded_list list;
    mc_status status = recorded_list_read(rec, "impacts", &list, error);
    if (status == MC_OK && recorded_list_time(&list) >= 0) {
        r->info.impacts = true;
        r->impacts = arena_alloc(&r->memory, ((size_t)list.row_count + 1) * sizeof *r->impacts);
        status = r->impacts ? MC_OK : no_memory(error);
        for (int64_t i = 0; i < list.row_count && status == MC_OK; i++)
            r->impact_count += recorded_impact(rec, &list, i, &r->impacts[r->impact_count]);
        if (r->impact_count > 0)
            qsort(r->impacts, (size_t)r->impact_count, sizeof *r->impacts, impact_order);
    }
    recorded_list_free(&list);
    return status;
}

static mc_status take_events(mc_replay *r, recorded *rec, mc_error *error)
{
    recorded_list list;
    int64_t kind_count;
    const char *const *kinds = results_reader_list(rec->file, "event_kinds", &kind_count);
    mc_status status = recorded_list_read(rec, "events", &list, error);
    if (status == MC_OK && recorded_list_time(&list) >= 0 && kind_count > 0) {
        r->events = arena_alloc(&r->memory, ((size_t)list.row_count + 1) * sizeof *r->events);
        status = r->events ? MC_OK : no_memory(error);
        for (int64_t i = 0; i < list.row_count && status == MC_OK; i++) {
            recorded_event e;
            if (!recorded_event_at(rec, &list, i, kind_count, &e) || e.kind < 0)
                continue;
            r->events[r->event_count++] =
                (mc_happened){.time = e.t,
                              .kind = e.kind,
                              .name = copy(r, kinds[e.kind]),
                              .vehicle = e.vehicle,
                              .vehicle_name = e.vehicle < 0 ? "" : r->cars[e.vehicle].name,
                              .value = e.value};
        }
    }
    recorded_list_free(&list);
    return status;
}

mc_status replay_read_results(mc_replay *r, const char *path, mc_error *error)
{
    recorded rec;
    mc_status status = recorded_open(&rec, path, error);
    if (status == MC_OK && strcmp(rec.kind, "simulate") == 0)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                              "contains the mechanism \"%s\" of motorcade simulate, which has no "
                              "road; use motorcade report or motorcade plot",
                              rec.names[0]);
    const int stride =
        replay_stride((double)rec.row_count, rec.vehicle_count, MC_FIELD_FRAME_COUNT);
    const int64_t rows = (rec.row_count + stride - 1) / stride;
    replay_instants instants = {0};
    if (status == MC_OK && stride == 1)
        status = replay_instants_read(&instants, &rec, error);
    r->info.instant_count = instants.count;
    if (status == MC_OK && !replay_reserve(r, (int)rows, rec.vehicle_count, error))
        status = MC_NO_MEMORY;
    if (status == MC_OK) {
        take_cars(r, &rec);
        status = fill_rows(r, &rec, stride, error);
    }
    if (status == MC_OK)
        replay_instants_fill(&instants, r);
    replay_instants_free(&instants);
    if (status == MC_OK)
        status = take_impacts(r, &rec, error);
    if (status == MC_OK)
        status = take_events(r, &rec, error);
    recorded_close(&rec);
    return status;
}
