// files.c - the files of a recording.
#include "play/files.h"

#include "motorcade/event.h"
#include "play/impacts.h"
#include "play/source.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { FILES_SPARE = 64 }; // that a process has open beside the CSV files

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the files of a recording");
}

// ---- results: what stands beside the rows ----

static mc_status set_lists(mc_recording *rec, mc_error *error)
{
    results *file = record_file(rec->record);
    const size_t n = (size_t)rec->count + 1;
    const char **models = calloc(n, sizeof *models), **controllers = calloc(n, sizeof *controllers);
    const char *kinds[256];
    int kind_count = 0;
    bool good = models && controllers;
    for (int v = 0; v < rec->count && good; v++) {
        mc_run_vehicle_info info;
        char model[256];
        mc_run_vehicle(rec->run, v, &info);
        snprintf(model, sizeof model, "%s (%s)", info.model, info.kind);
        models[v] = arena_copy_text(&rec->memory, model, strlen(model));
        controllers[v] = info.controller;
        good = models[v];
    }
    while (kind_count < 256 && (kinds[kind_count] = mc_event_name(kind_count)))
        kind_count++;
    mc_status status = good ? MC_OK : no_memory(error);
    if (status == MC_OK)
        status = results_set_list(file, "vehicle_models", models, rec->count, error);
    if (status == MC_OK)
        status = results_set_list(file, "vehicle_controllers", controllers, rec->count, error);
    if (status == MC_OK)
        status = results_set_list(file, "event_kinds", kinds, kind_count, error);
    free(models);
    free(controllers);
    return status;
}

static mc_status set_texts(mc_recording *rec, mc_error *error)
{
    const mc_scenario_info *info = mc_scenario_info_of(mc_run_scenario(rec->run));
    char *text = mc_run_export(rec->run, true, error); // with the log it is about to follow
    if (!text)
        return error->code;
    const char *const texts[][2] = {
        {"scenario", text},
        {"scenario_file", info->file},
        {"name", info->name ? info->name : ""},
        {"doc", info->doc ? info->doc : ""},
    };
    mc_status status = MC_OK;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && status == MC_OK; k++)
        status = results_set_text(record_file(rec->record), texts[k][0], texts[k][1], error);
    free(text);
    return status == MC_OK ? set_lists(rec, error) : status;
}

static bool of_cars(const mc_figure *f)
{
    return f->over != MC_FIGURE_OVER_RUN;
}

static bool of_the_run(const mc_figure *f)
{
    return f->over != MC_FIGURE_OVER_NONE;
}

static mc_status add_figures(const mc_recording *rec, const char *name,
                             bool (*has)(const mc_figure *), int vehicle_count, int *index,
                             mc_error *error)
{
    results_column columns[MC_FIGURE_COUNT];
    int count = 0;
    for (int k = 0; k < MC_FIGURE_COUNT; k++) {
        const mc_figure *f = &mc_figure_table[k];
        if (has(f))
            columns[count++] = (results_column){f->name, f->unit, f->doc};
    }
    const results_table table = {name, columns, count, vehicle_count, 1, true};
    return results_add_table(record_file(rec->record), &table, index, error);
}

static const results_column road_columns[] = {
    {"lanes", "-", "number of lanes"},
    {"lane_width", "m", "of each"},
};

static mc_status open_results(mc_recording *rec, mc_error *error)
{
    results *file = record_file(rec->record);
    mc_run_road_info road;
    int road_table = 0;
    mc_status status = add_figures(rec, "figures", of_cars, rec->count, &rec->figure_table, error);
    if (status == MC_OK)
        status = add_figures(rec, "run_figures", of_the_run, 0, &rec->run_table, error);
    if (status == MC_OK)
        status = add_figures(rec, "joined_figures", of_cars, 0, &rec->joined_table, error);
    if (status == MC_OK)
        results_leave_out_empty(file, rec->joined_table);
    if (status == MC_OK)
        status = results_add_table(file, &(results_table){"road", road_columns, 2, 0, 1, true},
                                   &road_table, error);
    if (status == MC_OK)
        status = set_texts(rec, error);
    if (status == MC_OK)
        status = record_begin(rec->record, error);
    mc_run_road(rec->run, &road);
    return status == MC_OK
               ? results_write(file, road_table, (double[]){road.lanes, road.lane_width}, error)
               : status;
}

// ---- results: what happens ----

// Vehicles that collided in the last step, at the instants of their contact.
mc_status play_write_instants(mc_recording *rec, mc_error *error)
{
    mc_status status = MC_OK;
    const int count = rec->output.hdf5 ? mc_run_instant_count(rec->run) : 0;
    for (int k = 0; k < count && status == MC_OK; k++) {
        mc_run_instant_show(rec->run, k);
        for (int v = 0; v < rec->count && status == MC_OK; v++)
            if (rec->now[v] >= 0 && mc_run_instant_has(rec->run, k, rec->now[v]))
                status = record_contact(rec->record, mc_run_instant_time(rec->run, k), v, error);
        for (int v = 0; v < rec->late_count && status == MC_OK; v++)
            if (rec->late[v].now >= 0 && mc_run_instant_has(rec->run, k, rec->late[v].now))
                status = record_contact(rec->record, mc_run_instant_time(rec->run, k),
                                        rec->count + v, error);
    }
    mc_run_instant_leave(rec->run);
    return status;
}

static mc_status write_events(mc_recording *rec, mc_error *error)
{
    mc_happened h;
    for (; mc_run_happened_at(rec->run, rec->events_written, &h); rec->events_written++) {
        const int v = play_vehicle(rec, h.vehicle, h.vehicle_name);
        const record_event event = {h.time, h.kind, v < 0 ? v : record_number(rec->record, v),
                                    h.value};
        const mc_status status = record_happened(rec->record, &event, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

// ---- results: the end ----

static mc_status write_figures(mc_recording *rec, mc_error *error)
{
    results *file = record_file(rec->record);
    double *row = malloc(((size_t)rec->count + 1) * MC_FIGURE_COUNT * sizeof *row);
    if (!row)
        return no_memory(error);
    int at = 0;
    for (int v = 0; v < rec->count; v++)
        for (int k = 0; k < MC_FIGURE_COUNT; k++)
            if (of_cars(&mc_figure_table[k]))
                row[at++] = mc_figures_value(rec->figures, v, (mc_figure_id)k);
    mc_status status = results_write(file, rec->figure_table, row, error);
    at = 0;
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        if (of_the_run(&mc_figure_table[k]))
            row[at++] = mc_figures_value(rec->figures, -1, (mc_figure_id)k);
    if (status == MC_OK)
        status = results_write(file, rec->run_table, row, error);
    for (int v = 0; v < rec->late_count && status == MC_OK; v++) {
        at = 0;
        for (int k = 0; k < MC_FIGURE_COUNT; k++)
            if (of_cars(&mc_figure_table[k]))
                row[at++] = mc_figures_value(rec->late[v].figures, 0, (mc_figure_id)k);
        status = results_write(file, rec->joined_table, row, error);
    }
    free(row);
    return status;
}

// Who the vehicles are that joined.
static mc_status set_joined(mc_recording *rec, mc_error *error)
{
    const char **words = calloc((size_t)rec->late_count + 1, sizeof *words);
    mc_status status = words ? MC_OK : no_memory(error);
    static const char *const lists[] = {"joined_names", "joined_models", "joined_controllers"};
    for (int list = 0; list < 3 && status == MC_OK; list++) {
        for (int k = 0; k < rec->late_count; k++) {
            const play_late *late = &rec->late[k];
            words[k] = list == 0 ? late->name : list == 1 ? late->model : late->controller;
        }
        status =
            results_set_list(record_file(rec->record), lists[list], words, rec->late_count, error);
    }
    free(words);
    return status;
}

// A line per expectation: holds or fails, its formula, what was found, with tabs between.
static mc_status set_expectations(mc_recording *rec, mc_error *error)
{
    const char **lines = calloc((size_t)rec->expect_count + 1, sizeof *lines);
    bool good = lines;
    for (int k = 0; k < rec->expect_count && good; k++) {
        mc_condition_result result;
        char line[1200];
        mc_recording_expect(rec, k, &result);
        snprintf(line, sizeof line, "%s\t%.500s\t%s", result.holds ? "holds" : "fails",
                 rec->expect_lines[k], result.text);
        lines[k] = arena_copy_text(&rec->memory, line, strlen(line));
        good = lines[k];
    }
    const mc_status status =
        good ? results_set_list(record_file(rec->record), "expect", lines, rec->expect_count, error)
             : no_memory(error);
    free(lines);
    return status;
}

// Figures, expectations and the reason of the end: known only now.
static mc_status write_end(mc_recording *rec, mc_error *error)
{
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", mc_run_hash(rec->run));
    mc_status status = play_impacts_write(rec, true, error);
    if (status == MC_OK)
        status = write_figures(rec, error);
    if (status == MC_OK)
        status = set_joined(rec, error);
    if (status == MC_OK)
        status = set_expectations(rec, error);
    return status == MC_OK ? results_set_text(record_file(rec->record), "hash", hash, error)
                           : status;
}

// ---- CSV ----

static record_csv *open_one(const mc_recording *rec, const char *name, const play_columns *columns,
                            mc_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", rec->output.csv, name);
    return record_csv_open(path, columns->column, columns->count, error);
}

static mc_status open_csv(mc_recording *rec, mc_error *error)
{
    if (mkdir(rec->output.csv, 0777) != 0 && errno != EEXIST)
        return mc_error_set(error, MC_IO, rec->output.csv, 0, 0, "cannot create the folder: %s",
                            strerror(errno));
    struct rlimit limit; // one file per vehicle is open at the same time, and more join
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (rlim_t)rec->count + FILES_SPARE > limit.rlim_cur)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%d CSV files are more than this process may keep open (%ld); write a "
                            "results file (-o) and extract single vehicles from it",
                            rec->count, (long)limit.rlim_cur - FILES_SPARE);
    rec->csv = arena_alloc(&rec->memory, (size_t)rec->count * sizeof *rec->csv + 8);
    if (!rec->csv)
        return no_memory(error);
    for (int v = 0; v < rec->count; v++) {
        rec->csv[v] = open_one(rec, rec->names[v], &rec->columns, error);
        if (!rec->csv[v])
            return error->code;
    }
    return MC_OK;
}

// Of one vehicle by itself: no other is in front of it.
static mc_figures *late_figures(const mc_recording *rec, double length, mc_error *error)
{
    mc_figures_setup setup = mc_figures_defaults();
    setup.count = 1;
    setup.length = &length;
    setup.front = (const int[]){-1};
    setup.step = rec->every;
    return mc_figures_create(&setup, error);
}

static mc_status open_late(mc_recording *rec, int vehicle, mc_error *error)
{
    if (rec->late_count == rec->late_room) {
        const int room = rec->late_room ? 2 * rec->late_room : 8;
        play_late *grown = realloc(rec->late, (size_t)room * sizeof *grown);
        if (!grown)
            return no_memory(error);
        rec->late = grown;
        rec->late_room = room;
    }
    mc_run_vehicle_info info;
    char model[256];
    mc_run_vehicle(rec->run, vehicle, &info);
    snprintf(model, sizeof model, "%s (%s)", info.model, info.kind);
    play_late late = {.name = arena_copy_text(&rec->memory, info.name, strlen(info.name)),
                      .model = arena_copy_text(&rec->memory, model, strlen(model)),
                      .controller =
                          arena_copy_text(&rec->memory, info.controller, strlen(info.controller)),
                      .now = vehicle};
    if (!late.name || !late.model || !late.controller || !play_late_columns(rec, &late))
        return no_memory(error);
    late.csv = rec->csv ? open_one(rec, late.name, &late.columns, error) : NULL;
    late.figures = late_figures(rec, info.length, error);
    if ((rec->csv && !late.csv) || !late.figures)
        return error->code;
    rec->late[rec->late_count++] = late;
    return record_join(rec->record, mc_run_time(rec->run), rec->count + rec->late_count - 1, error);
}

mc_status play_meet_late(mc_recording *rec, mc_error *error)
{
    const int count = mc_run_vehicle_count(rec->run);
    bool *known = calloc((size_t)count + 1, sizeof *known);
    if (!known)
        return no_memory(error);
    for (int v = 0; v < rec->count; v++)
        if (rec->now[v] >= 0)
            known[rec->now[v]] = true;
    for (int k = 0; k < rec->late_count; k++) {
        rec->late[k].now = mc_run_find(rec->run, rec->late[k].name);
        if (rec->late[k].now >= 0)
            known[rec->late[k].now] = true;
    }
    mc_status status = MC_OK;
    for (int v = 0; v < count && status == MC_OK; v++)
        if (!known[v])
            status = open_late(rec, v, error);
    for (int k = 0; k < rec->late_count; k++)
        play_late_follow(rec, &rec->late[k]);
    free(known);
    return status;
}

static mc_status write_csv(mc_recording *rec, mc_error *error)
{
    const double time = mc_run_time(rec->run);
    const double *rows = record_values(rec->record, PLAY_MOTION);
    mc_status status = MC_OK;
    for (int v = 0; v < rec->count && status == MC_OK; v++)
        status =
            record_csv_row(rec->csv[v], time, rows + (size_t)v * (size_t)rec->columns.count, error);
    for (int k = 0; k < rec->late_count && status == MC_OK; k++) {
        status = record_csv_row(rec->late[k].csv, time, rec->late[k].row, error);
    }
    return status;
}

static mc_status close_csv(mc_recording *rec, bool keep, mc_error *error)
{
    mc_status status = MC_OK;
    for (int v = 0; rec->csv && v < rec->count + rec->late_count; v++) {
        record_csv *file = v < rec->count ? rec->csv[v] : rec->late[v - rec->count].csv;
        mc_error second;
        const mc_status end = record_csv_close(file, keep && status == MC_OK, &second);
        if (status == MC_OK && end != MC_OK)
            *error = second, status = end;
    }
    return status;
}

// ---- DYNAVIS ----

static mc_status open_dynavis(mc_recording *rec, mc_error *error)
{
    const size_t n = (size_t)rec->count;
    mc_dynavis_params params;
    mc_run_road_info road;
    mc_run_road(rec->run, &road);
    rec->frame_cars = arena_alloc(&rec->memory, n * sizeof *rec->frame_cars + 8);
    rec->follower = arena_alloc(&rec->memory, n * sizeof *rec->follower + 8);
    int *platoon = malloc(n * sizeof *platoon + 1);
    double *length = malloc(n * sizeof *length + 1);
    const bool good = rec->frame_cars && rec->follower && platoon && length;
    for (int v = 0; good && v < rec->count; v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(rec->run, v, &info);
        platoon[v] = info.platoon;
        length[v] = info.length;
        rec->follower[v] = info.platoon >= 0 && info.place > 0;
    }
    if (good)
        mc_dynavis_params_of(platoon, length, rec->count, &params);
    free(platoon);
    free(length);
    if (!good)
        return no_memory(error);
    rec->dynavis_lanes = (int)params.value[MC_DYNAVIS_PARAM_LANES];
    for (int k = 0; k < MC_DYNAVIS_LANES_MAX; k++) { // lanes without followers
        params.value[MC_DYNAVIS_PARAM_TIME_HEADWAY + k] = road.headway;
        params.value[MC_DYNAVIS_PARAM_FIXED_HEADWAY + k] = road.distance;
    }
    rec->dynavis = mc_dynavis_writer_open(rec->output.dynavis, &params, error);
    if (!rec->dynavis)
        return error->code;
    return rec->dynavis_lanes == 1 ? play_dynavis_follow(rec, error) : MC_OK;
}

// A file has one headway per platoon: that of its first car that follows.
static void put_headways(mc_recording *rec, mc_dynavis_frame *frame)
{
    mc_run_road_info road;
    mc_run_road(rec->run, &road);
    for (int k = 0; k < rec->dynavis_lanes; k++) {
        const int first = k * (rec->count / rec->dynavis_lanes);
        const int end = first + rec->count / rec->dynavis_lanes;
        frame->time_headway[k] = road.headway, frame->fixed_headway[k] = road.distance;
        int v = first;
        while (v < end && !(rec->follower[v] && rec->now[v] >= 0))
            v++;
        mc_run_view view;
        if (v < end) {
            mc_run_look(rec->run, rec->now[v], &view);
            frame->time_headway[k] = view.headway, frame->fixed_headway[k] = view.distance;
        }
    }
}

static mc_dynavis_car dynavis_car(const mc_run *run, int vehicle, int id)
{
    mc_run_view view;
    mc_run_look(run, vehicle, &view);
    const mc_motion *m = &view.motion;
    const double c = cos(m->psi), s = sin(m->psi);
    return (mc_dynavis_car){.id = id,
                            .x = m->x,
                            .y = m->y,
                            .v_x = m->v * c - m->v_y * s,
                            .v_y = m->v * s + m->v_y * c,
                            .a = m->a,
                            .jerk = view.jerk};
}

// Ids of cars that join continue those of the others; who comes back has the id it had.
static mc_status joined_id(mc_recording *rec, int vehicle, int *id, mc_error *error)
{
    const char *name = mc_run_vehicle_name(rec->run, vehicle);
    int k = 0;
    while (k < rec->joined_count && strcmp(rec->joined[k], name) != 0)
        k++;
    if (k == rec->joined_room) {
        const int room = 2 * rec->joined_room + 8;
        const char **grown = realloc(rec->joined, (size_t)room * sizeof *grown);
        if (!grown)
            return no_memory(error);
        rec->joined = grown;
        rec->joined_room = room;
    }
    if (k == rec->joined_count)
        rec->joined[rec->joined_count++] = arena_copy_text(&rec->memory, name, strlen(name));
    *id = rec->count + k + 1;
    return rec->joined[k] ? MC_OK : no_memory(error);
}

mc_status play_dynavis_follow(mc_recording *rec, mc_error *error)
{
    const int count = mc_run_vehicle_count(rec->run);
    if (count > rec->dynavis_room) {
        int *ids = realloc(rec->dynavis_ids, (size_t)count * sizeof *ids);
        rec->dynavis_ids = ids ? ids : rec->dynavis_ids;
        rec->frame_cars = arena_alloc(&rec->memory, (size_t)count * sizeof *rec->frame_cars);
        if (!ids || !rec->frame_cars)
            return no_memory(error);
        rec->dynavis_room = count;
    }
    for (int v = 0; v < count; v++)
        rec->dynavis_ids[v] = 0;
    for (int v = 0; v < rec->count; v++)
        if (rec->now[v] >= 0)
            rec->dynavis_ids[rec->now[v]] = v + 1;
    mc_status status = MC_OK;
    for (int v = 0; v < count && status == MC_OK; v++)
        if (rec->dynavis_ids[v] == 0)
            status = joined_id(rec, v, &rec->dynavis_ids[v], error);
    return status;
}

// A frame of several platoons has all cars: one that has left stays where it was, one that joins
// is left out. A frame of one contains those present.
static mc_status write_dynavis(mc_recording *rec, mc_error *error)
{
    const bool all = rec->dynavis_lanes > 1;
    mc_dynavis_frame frame = {.t = mc_run_time(rec->run),
                              .car_count = all ? rec->count : mc_run_vehicle_count(rec->run),
                              .cars = rec->frame_cars};
    put_headways(rec, &frame);
    for (int v = 0; v < frame.car_count; v++)
        if (!all)
            frame.cars[v] = dynavis_car(rec->run, v, rec->dynavis_ids[v]);
        else if (rec->now[v] >= 0)
            frame.cars[v] = dynavis_car(rec->run, rec->now[v], v + 1);
    return mc_dynavis_writer_write(rec->dynavis, &frame, error);
}

// ---- rows that are there ----

static bool is_regular(const char *path)
{
    struct stat is;
    return path && stat(path, &is) == 0 && S_ISREG(is.st_mode);
}

// A CSV file of the folder, whichever vehicle's; "": none.
static void first_csv(const char *folder, char *out, size_t size)
{
    DIR *dir = folder ? opendir(folder) : NULL;
    out[0] = '\0';
    for (const struct dirent *e; dir && !out[0] && (e = readdir(dir));) {
        const size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".csv") == 0)
            snprintf(out, size, "%s/%s", folder, e->d_name);
    }
    if (dir)
        closedir(dir);
}

// The first half of a run is not written over by its second.
static mc_status check_new(const mc_recording *rec, mc_error *error)
{
    char csv[4096];
    first_csv(rec->output.csv, csv, sizeof csv);
    const char *found = is_regular(rec->output.hdf5)      ? rec->output.hdf5
                        : is_regular(rec->output.dynavis) ? rec->output.dynavis
                                                          : csv;
    return found[0] ? mc_error_set(error, MC_BAD_INPUT, found, 0, 0,
                                   "this file has rows already; a run that is resumed writes those "
                                   "from the checkpoint on: give it another name")
                    : MC_OK;
}

// ---- together ----

mc_status play_open_files(mc_recording *rec, mc_error *error)
{
    // The results file last: it takes the place of an earlier one at once, the others at the end.
    mc_status status = rec->output.only_new ? check_new(rec, error) : MC_OK;
    if (status == MC_OK && rec->output.csv)
        status = open_csv(rec, error);
    if (status == MC_OK && rec->output.dynavis)
        status = open_dynavis(rec, error);
    if (status == MC_OK && rec->output.hdf5)
        status = open_results(rec, error);
    return status;
}

static mc_status write_joined(mc_recording *rec, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k < rec->late_count && status == MC_OK; k++)
        if (rec->late[k].now >= 0)
            status = record_joined(rec->record, mc_run_time(rec->run), rec->count + k, error);
    return status;
}

mc_status play_write_row(mc_recording *rec, mc_error *error)
{
    mc_status status = rec->csv ? write_csv(rec, error) : MC_OK;
    if (status == MC_OK && rec->dynavis)
        status = write_dynavis(rec, error);
    if (!rec->output.hdf5 || status != MC_OK)
        return status;
    status = write_events(rec, error);
    if (status == MC_OK)
        status = play_impacts_write(rec, false, error);
    if (status == MC_OK)
        status = write_joined(rec, error);
    return status == MC_OK ? record_write(rec->record, mc_run_time(rec->run), error) : status;
}

mc_status play_close_files(mc_recording *rec, bool keep, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    mc_status status = close_csv(rec, keep, error);
    if (rec->dynavis && keep && status == MC_OK)
        status = mc_dynavis_writer_close(rec->dynavis, error);
    else if (rec->dynavis)
        mc_dynavis_writer_abandon(rec->dynavis);
    if (!keep || !rec->output.hdf5)
        return status;
    if (status == MC_OK)
        status = write_end(rec, error);
    mc_error second;
    const mc_status end = record_end(rec->record, rec->ended, &second);
    if (status == MC_OK && end != MC_OK)
        *error = second, status = end;
    return status;
}
