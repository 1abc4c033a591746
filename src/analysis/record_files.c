// record_files.c - the files of a recording: results, CSV.
#include "analysis/record.h"
#include "base/bytes.h"
#include "sim/run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const results_column time_column[] = {{"t", "s", "simulated time"}};

static const results_column event_columns[] = {
    {"t", "s", "when"},
    {"kind", "-", "number of the line in event_kinds"},
    {"vehicle", "-", "from 0; -1: the roadway"},
    {"value", "-", "what it was set to"},
};

static const results_column impact_columns[] = {
    {"t", "s", "instant of the micro-impact"},
    {"a", "-", "vehicle, from 0"},
    {"b", "-", "vehicle, from 0"},
    {"x", "m", "point of contact, x"},
    {"y", "m", "point of contact, y"},
    {"z", "m", "point of contact, z"},
    {"nx", "-", "normal from a to b, x"},
    {"ny", "-", "normal from a to b, y"},
    {"nz", "-", "normal from a to b, z"},
    {"closing", "m/s", "speed at which the surfaces meet"},
    {"impulse", "N s", "on b along the normal, on a against it"},
    {"duration", "s", "how long the two stayed together; 0: a hit"},
    {"energy_before", "J", "of both, just before"},
    {"energy_after", "J", "the same less what friction and restitution took in this contact"},
};
enum { IMPACTS = sizeof impact_columns / sizeof impact_columns[0] };

// ---- texts ----

typedef struct text_list { // one line for each vehicle, kind of event or expectation
    bytes text;
    int count;
} text_list;

static void add_line(text_list *list, const char *line)
{
    if (list->count++ > 0)
        bytes_put(&list->text, "\n", 1);
    bytes_put(&list->text, line, strlen(line));
}

static mc_status set_list(mc_recording *rec, const char *name, text_list *list, mc_error *error)
{
    bytes_put(&list->text, "", 1);
    if (list->text.failed)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the results file");
    return results_set_text(rec->results, name, (const char *)list->text.data, error);
}

static mc_status write_lists(mc_recording *rec, mc_error *error)
{
    const scenario *s = rec->run->s;
    text_list names = {0}, models = {0}, platoons = {0}, controllers = {0}, kinds = {0};
    for (int v = 0; v < rec->count; v++) {
        const scenario_vehicle *vehicle = &s->vehicles[v];
        const scenario_model *model = &s->models[vehicle->model];
        char line[256];
        add_line(&names, vehicle->name);
        snprintf(line, sizeof line, "%s (%s)", model->name, scenario_kind_names[model->kind]);
        add_line(&models, line);
        snprintf(line, sizeof line, "%d", vehicle->platoon);
        add_line(&platoons, line);
        add_line(&controllers,
                 vehicle->controller < 0 ? "" : s->controllers[vehicle->controller].name);
    }
    for (int k = 0; k < EVENT_KIND_COUNT; k++)
        add_line(&kinds, scenario_event_names[k]);
    for (int k = EVENT_KIND_COUNT; k < RUN_HAPPENED_COUNT; k++)
        add_line(&kinds, run_happened_names[k - EVENT_KIND_COUNT]);
    mc_status status = set_list(rec, "vehicle_names", &names, error);
    if (status == MC_OK)
        status = set_list(rec, "vehicle_models", &models, error);
    if (status == MC_OK)
        status = set_list(rec, "platoons", &platoons, error);
    if (status == MC_OK)
        status = set_list(rec, "controllers", &controllers, error);
    if (status == MC_OK)
        status = set_list(rec, "event_kinds", &kinds, error);
    bytes_free(&names.text), bytes_free(&models.text), bytes_free(&platoons.text);
    bytes_free(&controllers.text), bytes_free(&kinds.text);
    return status;
}

static mc_status write_texts(mc_recording *rec, mc_error *error)
{
    const scenario *s = rec->run->s;
    const char *const texts[][2] = {
        {"motorcade", MOTORCADE_VERSION},
        {"command", rec->output.command ? rec->output.command : ""},
        {"scenario", s->text},
        {"scenario_file", s->file},
        {"name", s->name ? s->name : ""},
        {"doc", s->doc ? s->doc : ""},
    };
    mc_status status = MC_OK;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && status == MC_OK; k++)
        status = results_set_text(rec->results, texts[k][0], texts[k][1], error);
    return status == MC_OK ? write_lists(rec, error) : status;
}

// ---- results ----

static results_column *figure_columns(mc_recording *rec, bool of_cars, int *count)
{
    results_column *columns = arena_alloc(&rec->memory, MC_FIGURE_COUNT * sizeof *columns);
    *count = 0;
    for (int k = 0; columns && k < MC_FIGURE_COUNT; k++) {
        const mc_figure *f = &mc_figure_table[k];
        if (of_cars ? f->over != MC_FIGURE_RUN : f->over != MC_FIGURE_OVER_NONE)
            columns[(*count)++] = (results_column){f->name, f->unit, f->doc};
    }
    return columns;
}

static mc_status open_results(mc_recording *rec, mc_error *error)
{
    const scenario *s = rec->run->s;
    rec->results = results_new(rec->output.hdf5, error);
    if (!rec->results)
        return error->code;
    const int64_t rows = (int64_t)ceil(s->end / rec->every) + 2;
    int car_figures, run_figures;
    const results_column *cars = figure_columns(rec, true, &car_figures);
    const results_column *run = figure_columns(rec, false, &run_figures);
    if (!cars || !run)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the results file");
    const results_table tables[] = {
        {"time", time_column, 1, 0, rows, false},
        {"motion", rec->columns, rec->column_count, rec->count, rows, false},
        {"events", event_columns, 4, 0, 64, true},
        {"impacts", impact_columns, IMPACTS, 0, 64, true},
        {"figures", cars, car_figures, rec->count, 1, true},
        {"run_figures", run, run_figures, 0, 1, true},
    };
    int *const index[] = {&rec->time_table,   &rec->motion_table, &rec->event_table,
                          &rec->impact_table, &rec->figure_table, &rec->run_table};
    for (int k = 0; k < 6; k++) {
        const mc_status status = results_add_table(rec->results, &tables[k], index[k], error);
        if (status != MC_OK)
            return status;
    }
    const mc_status status = write_texts(rec, error);
    return status == MC_OK ? results_create(rec->results, error) : status;
}

static double total(const mc_energy e[2])
{
    return e[0].kinetic + e[0].elastic + e[0].spring + e[0].gravity + e[1].kinetic + e[1].elastic +
           e[1].spring + e[1].gravity;
}

// Impacts that are over; at the end all.
static mc_status write_impacts(mc_recording *rec, bool ended, mc_error *error)
{
    int count;
    const mc_impact *impacts = mc_run_impacts(rec->run, &count);
    for (; rec->impacts_written < count && (ended || record_impact_over(rec, rec->impacts_written));
         rec->impacts_written++) {
        const mc_impact *i = &impacts[rec->impacts_written];
        const int a = record_vehicle(rec, i->a, mc_run_vehicle_name(rec->run, i->a));
        const int b = record_vehicle(rec, i->b, mc_run_vehicle_name(rec->run, i->b));
        if (rec->version > 0 && (i->time <= rec->impact_time || a < 0 || b < 0))
            continue;
        rec->impact_time = i->time;
        const double row[IMPACTS] = {i->time,
                                     a,
                                     b,
                                     i->point[0],
                                     i->point[1],
                                     i->point[2],
                                     i->normal[0],
                                     i->normal[1],
                                     i->normal[2],
                                     i->closing,
                                     i->impulse,
                                     i->duration,
                                     total(i->before),
                                     total(i->before) - i->friction_loss - i->restitution_loss};
        const mc_status status = results_write(rec->results, rec->impact_table, row, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

static mc_status write_events(mc_recording *rec, mc_error *error)
{
    const mc_run *run = rec->run;
    for (; rec->events_written < run->past.happened_count; rec->events_written++) {
        const run_happened *h = &run->past.happened[rec->events_written];
        const double row[4] = {h->time, h->kind, record_vehicle(rec, h->vehicle, h->name),
                               h->value};
        const mc_status status = results_write(rec->results, rec->event_table, row, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

// ---- CSV ----

static mc_status open_csv(mc_recording *rec, mc_error *error)
{
    if (mkdir(rec->output.csv, 0777) != 0 && errno != EEXIST)
        return mc_error_set(error, MC_IO, rec->output.csv, 0, 0, "the folder cannot be made: %s",
                            strerror(errno));
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max; // a file a vehicle is open at the same time, and more join
        setrlimit(RLIMIT_NOFILE, &limit);
        if ((rlim_t)rec->count + 64 > limit.rlim_cur)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%d CSV files are more than this machine keeps open (%ld); write a "
                                "results file (-o) and take single vehicles from it",
                                rec->count, (long)limit.rlim_cur - 64);
    }
    const size_t n = (size_t)rec->count, columns = (size_t)rec->column_count + 1;
    rec->csv = arena_alloc(&rec->memory, n * sizeof *rec->csv + 8);
    rec->csv_row = arena_alloc(&rec->memory, columns * sizeof *rec->csv_row);
    const char **names = arena_alloc(&rec->memory, columns * sizeof *names);
    if (!rec->csv || !rec->csv_row || !names)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for CSV files");
    names[0] = "t";
    for (size_t k = 1; k < columns; k++)
        names[k] = rec->columns[k - 1].name;
    for (size_t v = 0; v < n; v++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.csv", rec->output.csv,
                 mc_run_vehicle_name(rec->run, (int)v));
        rec->csv[v] = table_text_open_csv(path, (int64_t)columns, names, error);
        if (!rec->csv[v])
            return error->code;
    }
    return MC_OK;
}

static mc_status open_late(mc_recording *rec, int vehicle, mc_error *error)
{
    if (rec->late_count == rec->late_room) {
        const int room = rec->late_room ? 2 * rec->late_room : 8;
        record_late *grown = realloc(rec->late, (size_t)room * sizeof *grown);
        if (!grown)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for CSV files");
        rec->late = grown;
        rec->late_room = room;
    }
    const char *name = mc_run_vehicle_name(rec->run, vehicle);
    record_late late = {.name = arena_copy_text(&rec->memory, name, strlen(name)), .now = vehicle};
    late.columns = record_columns(rec, vehicle, &late.column_count);
    const size_t columns = (size_t)late.column_count + 1;
    late.row = arena_alloc(&rec->memory, columns * sizeof *late.row);
    const char **names = arena_alloc(&rec->memory, columns * sizeof *names);
    if (!late.name || !late.columns || !late.row || !names)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for CSV files");
    names[0] = "t";
    for (size_t k = 1; k < columns; k++)
        names[k] = late.columns[k - 1].name;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", rec->output.csv, name);
    late.csv = table_text_open_csv(path, (int64_t)columns, names, error);
    if (!late.csv)
        return error->code;
    rec->late[rec->late_count++] = late;
    return MC_OK;
}

mc_status record_meet_late(mc_recording *rec, mc_error *error)
{
    bool *known = calloc((size_t)rec->run->count + 1, sizeof *known);
    if (!known)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for CSV files");
    for (int v = 0; v < rec->count; v++)
        if (rec->now[v] >= 0)
            known[rec->now[v]] = true;
    for (int k = 0; k < rec->late_count; k++) {
        rec->late[k].now = mc_run_find(rec->run, rec->late[k].name);
        if (rec->late[k].now >= 0)
            known[rec->late[k].now] = true;
    }
    mc_status status = MC_OK;
    for (int v = 0; v < rec->run->count && status == MC_OK; v++)
        if (!known[v])
            status = open_late(rec, v, error);
    free(known);
    return status;
}

static mc_status write_csv(mc_recording *rec, mc_error *error)
{
    mc_status status = MC_OK;
    rec->csv_row[0] = mc_run_time(rec->run);
    for (int v = 0; v < rec->count && status == MC_OK; v++) {
        memcpy(rec->csv_row + 1, rec->row + (size_t)v * (size_t)rec->column_count,
               (size_t)rec->column_count * sizeof *rec->csv_row);
        status = table_text_row(rec->csv[v], rec->csv_row, error);
    }
    for (int k = 0; k < rec->late_count && status == MC_OK; k++) {
        record_late *late = &rec->late[k];
        late->row[0] = mc_run_time(rec->run);
        record_fill(rec, late->now, late->columns, late->column_count, late->row + 1);
        status = table_text_row(late->csv, late->row, error);
    }
    return status;
}

static mc_status close_csv(mc_recording *rec, bool keep, mc_error *error)
{
    mc_status status = MC_OK;
    for (int v = 0; rec->csv && v < rec->count + rec->late_count; v++) {
        table_text *file = v < rec->count ? rec->csv[v] : rec->late[v - rec->count].csv;
        if (file && keep && status == MC_OK)
            status = table_text_close(file, error);
        else if (file)
            table_text_abandon(file);
    }
    return status;
}

// ---- DYNAVIS ----

static mc_status open_dynavis(mc_recording *rec, mc_error *error)
{
    mc_dynavis_params params;
    mc_dynavis_defaults(2, &params); // one group of cars; lanes by lateral position
    params.value[MC_DYNAVIS_CARS] = rec->count;
    params.value[MC_DYNAVIS_TIME_HEADWAY] = rec->run->headway;
    params.value[MC_DYNAVIS_FIXED_HEADWAY] = rec->run->distance;
    rec->frame_cars = arena_alloc(&rec->memory, (size_t)rec->count * sizeof *rec->frame_cars + 8);
    if (!rec->frame_cars)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a DYNAVIS frame");
    rec->dynavis = mc_dynavis_open(rec->output.dynavis, &params, error);
    return rec->dynavis ? MC_OK : error->code;
}

static mc_status write_dynavis(mc_recording *rec, mc_error *error)
{
    mc_dynavis_frame frame = {.t = mc_run_time(rec->run),
                              .time_headway = {rec->run->headway},
                              .fixed_headway = {rec->run->distance},
                              .car_count = rec->count,
                              .cars = rec->frame_cars};
    for (int v = 0; v < rec->count; v++) {
        mc_run_view view;
        if (rec->now[v] < 0) // a frame has all cars: who is gone stays where it was
            continue;
        mc_run_look(rec->run, rec->now[v], &view);
        const mc_motion *m = &view.motion;
        const double c = cos(m->psi), s = sin(m->psi);
        rec->frame_cars[v] = (mc_dynavis_car){.id = v + 1,
                                              .x = m->x,
                                              .y = m->y,
                                              .v_x = m->v * c - m->v_y * s,
                                              .v_y = m->v * s + m->v_y * c,
                                              .a = m->a,
                                              .jerk = view.jerk};
    }
    return mc_dynavis_write(rec->dynavis, &frame, error);
}

// ---- together ----

mc_status record_open_files(mc_recording *rec, mc_error *error)
{
    // The results file last: it takes the place of an earlier one at once, the others at the end.
    mc_status status = rec->output.csv ? open_csv(rec, error) : MC_OK;
    if (status == MC_OK && rec->output.dynavis)
        status = open_dynavis(rec, error);
    if (status == MC_OK && rec->output.hdf5)
        status = open_results(rec, error);
    return status;
}

mc_status record_write_row(mc_recording *rec, mc_error *error)
{
    mc_status status = rec->csv ? write_csv(rec, error) : MC_OK;
    if (status == MC_OK && rec->dynavis)
        status = write_dynavis(rec, error);
    if (!rec->results || status != MC_OK)
        return status;
    const double time = mc_run_time(rec->run);
    status = results_write(rec->results, rec->motion_table, rec->row, error);
    if (status == MC_OK)
        status = write_events(rec, error);
    if (status == MC_OK)
        status = write_impacts(rec, false, error);
    return status == MC_OK ? results_write(rec->results, rec->time_table, &time, error) : status;
}

// Figures, expectations and the reason of the end: known only now.
static mc_status write_end(mc_recording *rec, mc_error *error)
{
    double *row = malloc(((size_t)rec->count + 1) * MC_FIGURE_COUNT * sizeof *row);
    if (!row)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the figures");
    int at = 0;
    for (int v = 0; v < rec->count; v++)
        for (int k = 0; k < MC_FIGURE_COUNT; k++)
            if (mc_figure_table[k].over != MC_FIGURE_RUN)
                row[at++] = mc_figures_value(rec->figures, v, (mc_figure_id)k);
    mc_status status = write_impacts(rec, true, error);
    if (status == MC_OK)
        status = results_write(rec->results, rec->figure_table, row, error);
    at = 0;
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        if (mc_figure_table[k].over != MC_FIGURE_OVER_NONE)
            row[at++] = mc_figures_value(rec->figures, -1, (mc_figure_id)k);
    if (status == MC_OK)
        status = results_write(rec->results, rec->run_table, row, error);
    free(row);
    text_list expect = {0};
    for (int k = 0; k < mc_recording_expect_count(rec); k++) {
        mc_condition_result result;
        char line[1200];
        mc_recording_expect(rec, k, &result);
        snprintf(line, sizeof line, "%s\t%.500s\t%s", result.holds ? "holds" : "fails",
                 rec->s->expects[k].formula, result.text);
        add_line(&expect, line);
    }
    if (status == MC_OK)
        status = set_list(rec, "expect", &expect, error);
    bytes_free(&expect.text);
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", mc_run_hash(rec->run));
    if (status == MC_OK)
        status = results_set_text(rec->results, "hash", hash, error);
    return status == MC_OK ? results_set_text(rec->results, "ended", rec->ended, error) : status;
}

mc_status record_close_files(mc_recording *rec, bool keep, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    mc_status status = close_csv(rec, keep, error);
    if (rec->dynavis && keep && status == MC_OK)
        status = mc_dynavis_close(rec->dynavis, error);
    else if (rec->dynavis)
        mc_dynavis_abandon(rec->dynavis);
    if (!rec->results)
        return status;
    if (keep && status == MC_OK)
        status = write_end(rec, error);
    mc_error second;
    const mc_status end = keep ? results_finish(rec->results, &second) : MC_OK;
    if (status == MC_OK && end != MC_OK)
        *error = second, status = end;
    results_free(rec->results);
    return status;
}
