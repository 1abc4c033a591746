// export.c - branches as files: the scenario with its log, the log, the state, results, CSV,
// DYNAVIS.
//
// A message has a bounded size, a run has not: rows come in pieces. An answer whose `next` is not
// null is continued by the same request with `from` = `next`; a page puts the pieces together.
#include "studio/request/requests.h"

#include "base/bytes.h"
#include "motorcade/dynavis.h"
#include "motorcade/observe.h"
#include "studio/hub/change.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/queue.h"
#include "studio/hub/saved_state.h"
#include "studio/request/export_results.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXPORT_MAX = 12 << 20, PIECE = 8 << 20 }; // bytes

// beside: a file that belongs to it, `with`; takes it; NULL: none.
static void send_with(request *r, const char *name, const char *type, const char *text,
                      json_t *beside)
{
    if (strlen(text) > EXPORT_MAX) {
        request_reject(r, NULL, "the export has more than 12 MB");
        json_decref(beside);
        return;
    }
    json_t *out = json_object(), *value = json_string(text);
    json_put(out, "name", json_string(name));
    json_put(out, "type", json_string(type));
    json_put(out, "text", value ? value : json_string(""));
    if (beside)
        json_put(out, "with", beside);
    request_done(r, out);
}

static void send(request *r, const char *name, const char *type, const char *text)
{
    send_with(r, name, type, text, NULL);
}

// SCENARIO-WORLD, then PART of it and the ending; what a file name cannot have is an underscore.
static void export_name(hub *h, const branch *b, const char *part, const char *ending,
                        char out[160])
{
    pthread_mutex_lock(&h->lock);
    const char *file = h->file && h->file[0] ? h->file : "motorcade", *slash = strrchr(file, '/');
    file = slash ? slash + 1 : file;
    snprintf(out, 160, "%.*s-%.40s%s%.40s%s", (int)fmin(60, (double)strcspn(file, ".")), file,
             b->name, part[0] ? "-" : "", part, ending);
    pthread_mutex_unlock(&h->lock);
    for (char *c = out; *c; c++)
        if (strchr(" /\\:*?\"<>|", *c) || (unsigned char)*c < ' ')
            *c = '_';
}

// A whole file as text, to be freed; NULL: it cannot be read.
static char *file_text(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = malloc(EXPORT_MAX + 2);
    const size_t n = in && text ? fread(text, 1, EXPORT_MAX + 1, in) : 0;
    if (text)
        text[n] = '\0';
    if (in)
        fclose(in);
    else {
        free(text);
        text = NULL;
    }
    return text;
}

// NAME-12.34s.mcstate
static void send_state(request *r, const branch *b, const char *text)
{
    const char *file = r->h->file ? r->h->file : "motorcade", *slash = strrchr(file, '/');
    char name[120];
    file = slash ? slash + 1 : file;
    snprintf(name, sizeof name, "%.*s-%.2fs.mcstate", (int)fmin(80, (double)strcspn(file, ".")),
             file, mc_run_time(b->run));
    send(r, name, "application/json", text);
}

// ---- of the run: on the simulation thread ----

// The run as far as it came, with the commands that are still to be given: a run of its own, since
// those of the branch are not in its log before their time. NULL: see *error.
static mc_run *with_script(const branch *b, mc_error *error)
{
    mc_run *run = mc_timeline_branch(b->line, error);
    bool good = run;
    for (int k = b->script_at; good && k < b->script_count; k++) {
        const log_entry *e = &b->script[k];
        const mc_log_entry entry = {.time = e->t,
                                    .step = e->step > 0 ? e->step : -1,
                                    .event = e->event,
                                    .vehicle = e->vehicle,
                                    .param = e->param,
                                    .value = e->value,
                                    .inputs = e->inputs};
        good = mc_run_schedule(run, &entry, error) == MC_OK;
    }
    if (good)
        return run;
    mc_run_destroy(run);
    return NULL;
}

static char *log_text(request *r, const mc_run *run, mc_error *error)
{
    char path[160];
    snprintf(path, sizeof path, "%s/log.csv", r->h->temporary);
    char *text = mc_run_write_log(run, path, error) == MC_OK ? file_text(path) : NULL;
    unlink(path);
    return text;
}

// NAME.h5, bytes in base64.
static void send_results(request *r, const branch *b, const char *text)
{
    char name[160];
    export_name(r->h, b, "", ".h5", name);
    json_t *out = json_object();
    json_put(out, "name", json_string(name));
    json_put(out, "type", json_string("application/x-hdf5"));
    json_put(out, "text", json_string(text));
    json_put(out, "encoding", json_string("base64"));
    request_done(r, out);
}

static void send_run(request *r, const branch *b, const mc_run *run)
{
    const char *what = json_string_value(json_object_get(r->body, "what"));
    mc_error error = {0};
    char *text = NULL, *other = NULL;
    if (strcmp(what, "scenario") == 0) {
        text = mc_run_export(run, true, &error);
        char name[160];
        export_name(r->h, b, "", ".yaml", name);
        if (text)
            send(r, name, "application/yaml", text);
    } else if (strcmp(what, "state") == 0) {
        other = log_text(r, run, &error);
        text = other ? saved_state_text(r->h, b, other) : NULL;
        if (text)
            send_state(r, b, text);
    } else if (strcmp(what, "results") == 0) {
        text = export_results(b->run, r->h->temporary, &error);
        if (text)
            send_results(r, b, text);
    } else {
        other = mc_run_export(run, false, &error);
        text = other ? log_text(r, run, &error) : NULL;
        if (text)
            send_with(r, "log.csv", "text/csv", text,
                      json_pack("{s:s,s:s}", "name", "start.yaml", "text", other));
    }
    if (!text)
        request_reject_error(r, &error);
    free(other);
    free(text);
}

static void export_run(request *r)
{
    branch *b;
    mc_error error = {0};
    if (!read_branch(r, &b))
        return;
    if (!b->run) {
        request_reject(r, "world", "world %d is a recording: it has no scenario and no log",
                       b->number);
    } else if (change_wait(r, b, r->h->live)) {
        mc_run *own = b->script_at < b->script_count ? with_script(b, &error) : NULL;
        if (error.code == MC_OK)
            send_run(r, b, own ? own : b->run);
        else
            request_reject_error(r, &error);
        mc_run_destroy(own);
    }
    branch_drop(b);
}

static const request_kind of_the_run = {"export", SIMULATION, 0, export_run};

// ---- CSV ----

static void put(bytes *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(bytes *out, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bytes_put(out, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

static void put_number(bytes *out, double value)
{
    if (isnan(value))
        bytes_put(out, ",", 1);
    else
        put(out, ",%.9g", value);
}

// Columns of the CSV files of `motorcade run`, except the band of an estimate, then what frames
// have beside them.
static const mc_field csv_fields[] = {
    MC_FIELD_X,         MC_FIELD_Y,          MC_FIELD_PSI,       MC_FIELD_V,
    MC_FIELD_A,         MC_FIELD_JERK,       MC_FIELD_THROTTLE,  MC_FIELD_BRAKE,
    MC_FIELD_STEER,     MC_FIELD_N,          MC_FIELD_GAP,       MC_FIELD_SPACING_ERROR,
    MC_FIELD_A_DESIRED, MC_FIELD_YAW_RATE,   MC_FIELD_SIDE_SLIP, MC_FIELD_A_Y,
    MC_FIELD_LANE,      MC_FIELD_PATH,       MC_FIELD_ESTIMATE,  MC_FIELD_CHECKED_IN,
    MC_FIELD_WARNINGS,  MC_FIELD_BLIND_SPOT, MC_FIELD_FUEL,      MC_FIELD_ENERGY,
    MC_FIELD_MILEAGE,
};
enum { CSV_FIELDS = sizeof csv_fields / sizeof csv_fields[0] };

static bool csv_has(const branch *b, mc_field field)
{
    switch (field) {
    case MC_FIELD_PATH:
        return b->has_ramps;
    case MC_FIELD_ESTIMATE:
        return b->has_estimators;
    case MC_FIELD_CHECKED_IN:
    case MC_FIELD_WARNINGS:
    case MC_FIELD_BLIND_SPOT:
        return b->has_ersc;
    default:
        return true;
    }
}

// Of the ERSC, frames have bits of the status.
static double csv_value(const history_row *row, mc_field field, int c)
{
    const uint32_t status = row->status[c];
    if (field == MC_FIELD_CHECKED_IN)
        return status & MC_CAR_STATUS_CHECKED_IN ? 1.0 : 0.0;
    if (field == MC_FIELD_WARNINGS)
        return (status & MC_CAR_STATUS_BLIND_LEFT ? 1.0 : 0.0) +
               (status & MC_CAR_STATUS_BLIND_RIGHT ? 2.0 : 0.0) +
               (status & MC_CAR_STATUS_FLASHES ? 4.0 : 0.0);
    return history_value(row, field, c);
}

static void put_csv_head(bytes *out, const branch *b, bool one)
{
    put(out, "# units: t s");
    for (int k = 0; k < CSV_FIELDS; k++)
        if (csv_has(b, csv_fields[k]))
            put(out, ", %s %s", mc_field_table[csv_fields[k]].name,
                mc_field_table[csv_fields[k]].unit);
    put(out, one ? "\nt" : "\nt,vehicle");
    for (int k = 0; k < CSV_FIELDS; k++)
        if (csv_has(b, csv_fields[k]))
            put(out, ",%s", mc_field_table[csv_fields[k]].name);
    put(out, "\n");
}

// Answers with rows up to `next`.
static void send_rows(request *r, const branch *b, const char *part, const char *ending,
                      const char *type, const char *text, double next, json_t *with)
{
    char name[160];
    export_name(r->h, b, part, ending, name);
    json_t *out = json_object(), *value = json_string(text);
    json_put(out, "name", json_string(name));
    json_put(out, "type", json_string(type));
    json_put(out, "text", value ? value : json_string(""));
    json_put(out, "next", json_value(next));
    if (with)
        json_put(out, "with", with);
    request_done(r, out);
}

// Columns of one car, or of all cars with their names.
static void export_csv(request *r, const branch *b, const history_view *view, const char *vehicle,
                       int first)
{
    bytes out = {0};
    if (first == 0)
        put_csv_head(&out, b, vehicle[0]);
    const int rows = history_view_rows(view);
    int k = first;
    for (; k < rows && out.size <= PIECE; k++) {
        const history_row row = history_view_row(view, k);
        for (int c = 0; c < row.who->count; c++) {
            if (vehicle[0] && strcmp(row.who->name[c], vehicle) != 0)
                continue;
            put(&out, "%.9g", row.t);
            if (!vehicle[0])
                put(&out, ",%s", row.who->name[c]);
            for (int f = 0; f < CSV_FIELDS; f++)
                if (csv_has(b, csv_fields[f]))
                    put_number(&out, csv_value(&row, csv_fields[f], c));
            put(&out, "\n");
        }
    }
    bytes_put(&out, "", 1);
    if (out.failed)
        request_reject(r, NULL, "no memory for the export");
    else
        send_rows(r, b, vehicle, ".csv", "text/csv", (const char *)out.data,
                  k < rows ? history_view_time(view, k) : NAN, NULL);
    bytes_free(&out);
}

// ---- DYNAVIS ----

// The gap a car is to keep; NAN: it is not a follower.
static double gap_to_keep(const history_row *row, int c)
{
    return history_value(row, MC_FIELD_GAP, c) - history_value(row, MC_FIELD_SPACING_ERROR, c);
}

typedef struct desired { // s, m
    double headway, distance;
} desired;

// The commands of the roadway, which hold where no law keeps a gap; 0 for a recording.
static desired roadway_of(branch *b)
{
    pthread_mutex_lock(&b->lock);
    json_t *text = b->text ? json_loads(b->text, 0, NULL) : NULL;
    pthread_mutex_unlock(&b->lock);
    const json_t *road = json_object_get(text, "road");
    const desired out = {json_number_value(json_object_get(road, "headway")),
                         json_number_value(json_object_get(road, "distance"))};
    json_decref(text);
    return out;
}

// A file has one headway per platoon, rows have the gap of each car: distance + headway times
// speed. The headway is found from the slowest and the fastest car that follow, and stays what it
// was where they are equally fast; the distance then from the first. Without such a car both are
// the roadway's.
static void put_headways(const history_row *row, int lanes, desired road,
                         double headway[MC_DYNAVIS_LANES_MAX], mc_dynavis_frame *frame)
{
    for (int k = 0; k < lanes; k++) {
        int first = -1, slow = -1, fast = -1;
        const int size = row->who->count / lanes;
        for (int c = k * size; c < (k + 1) * size; c++) {
            const double v = history_value(row, MC_FIELD_V, c);
            if (isnan(gap_to_keep(row, c)))
                continue;
            first = first < 0 ? c : first;
            slow = slow < 0 || v < history_value(row, MC_FIELD_V, slow) ? c : slow;
            fast = fast < 0 || v > history_value(row, MC_FIELD_V, fast) ? c : fast;
        }
        frame->time_headway[k] = road.headway;
        frame->fixed_headway[k] = road.distance;
        if (first < 0)
            continue;
        const double spread =
            history_value(row, MC_FIELD_V, fast) - history_value(row, MC_FIELD_V, slow);
        const double slope = (gap_to_keep(row, fast) - gap_to_keep(row, slow)) / spread;
        if (spread > 0.004 && slope > -1e-3 && slope < 100.0)
            headway[k] = fmax(slope, 0.0);
        const double moving = headway[k] * history_value(row, MC_FIELD_V, first);
        frame->time_headway[k] = headway[k];
        frame->fixed_headway[k] = fmin(fmax(gap_to_keep(row, first) - moving, 0.0), 1e4);
    }
}

static bool write_frames(mc_dynavis_writer *writer, const history_view *view, int lanes,
                         desired road, int first, int end, mc_error *error)
{
    const int cars = end > first ? history_view_row(view, 0).who->count : 0;
    mc_dynavis_car *list = calloc((size_t)cars + 1, sizeof *list);
    double headway[MC_DYNAVIS_LANES_MAX] = {0};
    bool good = list;
    for (int k = 0; good && k < end; k++) {
        const history_row row = history_view_row(view, k);
        mc_dynavis_frame frame = {.t = row.t, .car_count = cars, .cars = list};
        if (row.who->count != cars)
            continue; // a DYNAVIS file of one layout: rows with other cars are left out
        put_headways(&row, lanes, road, headway, &frame);
        if (k < first)
            continue; // in an earlier piece, but headways are known from there
        for (int c = 0; c < cars; c++)
            list[c] = (mc_dynavis_car){.id = c + 1,
                                       .platoon = 1,
                                       .x = history_value(&row, MC_FIELD_X, c),
                                       .y = (double)row.value[MC_FIELD_Y][c],
                                       .v_x = (double)row.value[MC_FIELD_V][c],
                                       .a = (double)row.value[MC_FIELD_A][c],
                                       .jerk = (double)row.value[MC_FIELD_JERK][c]};
        good = mc_dynavis_writer_write(writer, &frame, error) == MC_OK;
    }
    free(list);
    return good;
}

enum { DYNAVIS_BYTES = 60 }; // of a car in a frame, about

static void export_dynavis(request *r, branch *b, const history_view *view, int first)
{
    const int rows = history_view_rows(view);
    const int cars = rows ? history_view_row(view, 0).who->count : 0;
    const int end = (int)fmin(rows, first + 1.0 + PIECE / (DYNAVIS_BYTES * (1.0 + cars)));
    char path[160], params_path[160];
    mc_error error = {0};
    mc_dynavis_params params;
    const roster *who = rows ? history_view_row(view, 0).who : NULL;
    mc_dynavis_params_of(who ? who->platoon : NULL, who ? who->length : NULL, who ? who->count : 0,
                         &params);
    snprintf(path, sizeof path, "%s/export.dat", r->h->temporary);
    snprintf(params_path, sizeof params_path, "%s/export.par", r->h->temporary);
    mc_dynavis_writer *writer = mc_dynavis_writer_open(path, &params, &error);
    bool good = writer && write_frames(writer, view, (int)params.value[MC_DYNAVIS_PARAM_LANES],
                                       roadway_of(b), first, end, &error);
    if (writer && good)
        good = mc_dynavis_writer_close(writer, &error) == MC_OK;
    else if (writer)
        mc_dynavis_writer_abandon(writer);
    char *text = good ? file_text(path) : NULL, *beside = good ? file_text(params_path) : NULL;
    if (text && beside && strlen(text) <= EXPORT_MAX) {
        char name[160];
        export_name(r->h, b, "", ".par", name);
        send_rows(r, b, "", ".dat", "text/plain", text,
                  end < rows ? history_view_time(view, end) : NAN,
                  json_pack("{s:s,s:s}", "name", name, "text", beside));
    } else if (text) {
        request_reject(r, NULL, "the export has more than 12 MB");
    } else {
        request_reject_error(r, &error);
    }
    free(text);
    free(beside);
    unlink(path);
    unlink(params_path);
}

void request_export(request *r)
{
    const char *what, *vehicle;
    double from;
    branch *b;
    if (!read_text(r, "what", 16, NULL, &what) || !read_optional(r, "from", -1e9, 1e9, &from) ||
        !read_text(r, "vehicle", NAME_SIZE - 1, "", &vehicle))
        return;
    if (strcmp(what, "scenario") == 0 || strcmp(what, "log") == 0 || strcmp(what, "state") == 0 ||
        strcmp(what, "results") == 0) {
        r->kind = &of_the_run;
        request *next = request_move(r);
        if (next)
            queue_post(next->h, next);
        return;
    }
    if (strcmp(what, "csv") != 0 && strcmp(what, "dynavis") != 0) {
        request_reject(r, "what",
                       "what is \"%s\"; expected scenario, log, state, results, csv, "
                       "dynavis",
                       what);
        return;
    }
    if (!read_branch(r, &b))
        return;
    history_view view;
    if (history_look(&b->past, &view)) {
        const int first = isnan(from) ? 0 : history_view_at(&view, from);
        if (strcmp(what, "csv") == 0)
            export_csv(r, b, &view, vehicle, first);
        else
            export_dynavis(r, b, &view, first);
        history_view_end(&view);
    }
    branch_drop(b);
}
