// export.c - worlds as files: the scenario, its log, CSV, DYNAVIS.
#include "studio/requests.h"

#include "base/bytes.h"
#include "motorcade/dynavis.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXPORT_MOST = 12 << 20 }; // bytes

// beside: a file that belongs to it, `with`; takes it; NULL: none.
static void send_with(request *r, const char *name, const char *type, const char *text,
                      json_t *beside)
{
    if (strlen(text) > EXPORT_MOST) {
        request_refuse(r, NULL, "the export has more than 12 MB: choose one vehicle");
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

// A whole file as text, to be freed; NULL: it cannot be read.
static char *read_text(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = malloc(EXPORT_MOST + 2);
    const size_t n = in && text ? fread(text, 1, EXPORT_MOST + 1, in) : 0;
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
static void send_state(request *r, const world *w, const char *text)
{
    const char *file = r->h->file ? r->h->file : "motorcade", *slash = strrchr(file, '/');
    char name[120];
    file = slash ? slash + 1 : file;
    snprintf(name, sizeof name, "%.*s-%.2fs.mcstate", (int)fmin(80, (double)strcspn(file, ".")),
             file, mc_run_time(w->run));
    send(r, name, "application/json", text);
}

// ---- of the run: on the simulation thread ----

static void export_run(request *r)
{
    world *w;
    if (!request_world(r, &w))
        return;
    const char *what = json_string_value(json_object_get(r->body, "what"));
    if (!w->run) {
        request_refuse(r, "world", "world %d is a recording: it has no scenario and no log",
                       w->number);
    } else if (strcmp(what, "scenario") == 0) {
        send(r, "scenario.yaml", "application/yaml", mc_scenario_text(mc_run_scenario(w->run)));
    } else {
        char path[160];
        mc_error error = {0};
        snprintf(path, sizeof path, "%s/log.csv", r->h->temporary);
        char *text = NULL;
        if (mc_run_write_log(w->run, path, &error) == MC_OK)
            text = read_text(path);
        unlink(path);
        const bool state = strcmp(what, "state") == 0;
        char *whole = text && state ? state_text(r->h, w, text) : NULL;
        if (text && !state)
            send_with(
                r, "log.csv", "text/csv", text,
                json_pack("{s:s,s:s}", "name", "start.yaml", "text", w->origin ? w->origin : ""));
        else if (whole)
            send_state(r, w, whole);
        else
            request_refuse_error(r, &error);
        free(whole);
        free(text);
    }
    world_drop(w);
}

static const request_kind of_the_run = {"export", SIMULATION, false, export_run};

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

// Columns of one car, or of all cars with their names.
static void export_csv(request *r, const history_view *view, const char *vehicle)
{
    bytes out = {0};
    put(&out, vehicle[0] ? "t" : "t,vehicle");
    for (int f = 0; f < MC_FIELD_COUNT; f++)
        put(&out, ",%s", mc_field_table[f].name);
    put(&out, "\n");
    const int rows = history_view_rows(view);
    for (int k = 0; k < rows && out.size <= EXPORT_MOST; k++) {
        const history_row row = history_view_row(view, k);
        for (int c = 0; c < row.who->count; c++) {
            if (vehicle[0] && strcmp(row.who->name[c], vehicle) != 0)
                continue;
            put(&out, "%.9g", row.t);
            if (!vehicle[0])
                put(&out, ",%s", row.who->name[c]);
            for (int f = 0; f < MC_FIELD_COUNT; f++)
                put_number(&out, f == MC_FIELD_X   ? row.x[c]
                                 : f == MC_FIELD_S ? row.s[c]
                                                   : (double)row.value[f][c]);
            put(&out, "\n");
        }
    }
    bytes_put(&out, "", 1);
    char name[96];
    snprintf(name, sizeof name, "%.64s.csv", vehicle[0] ? vehicle : "run");
    if (out.failed)
        request_refuse(r, NULL, "no memory for the export");
    else
        send(r, name, "text/csv", (const char *)out.data);
    bytes_free(&out);
}

// ---- DYNAVIS ----

static bool write_frames(mc_dynavis_writer *writer, const history_view *view, mc_error *error)
{
    const int rows = history_view_rows(view);
    const int cars = rows ? history_view_row(view, 0).who->count : 0;
    mc_dynavis_car *list = calloc((size_t)cars + 1, sizeof *list);
    bool good = list;
    for (int k = 0; good && k < rows; k++) {
        const history_row row = history_view_row(view, k);
        if (row.who->count != cars)
            continue; // a DYNAVIS file of one layout: rows with other cars are left out
        for (int c = 0; c < cars; c++)
            list[c] = (mc_dynavis_car){.id = c + 1,
                                       .platoon = 1,
                                       .x = row.x[c],
                                       .y = (double)row.value[MC_FIELD_Y][c],
                                       .v_x = (double)row.value[MC_FIELD_V][c],
                                       .a = (double)row.value[MC_FIELD_A][c],
                                       .jerk = (double)row.value[MC_FIELD_JERK][c]};
        const mc_dynavis_frame frame = {.t = row.t, .car_count = cars, .cars = list};
        good = mc_dynavis_write(writer, &frame, error) == MC_OK;
    }
    free(list);
    return good;
}

enum { DYNAVIS_BYTES = 60 }; // of a car in a frame, about

static void export_dynavis(request *r, const history_view *view)
{
    const int rows = history_view_rows(view);
    const double cars = rows ? history_view_row(view, 0).who->count : 0;
    if (rows * cars * DYNAVIS_BYTES > EXPORT_MOST) {
        request_refuse(r, NULL,
                       "the export would have about %.0f MB, and at most 12 MB are allowed: "
                       "motorcade run writes files of any size",
                       rows * cars * DYNAVIS_BYTES / (1 << 20));
        return;
    }
    char path[160], params_path[160];
    mc_error error = {0};
    mc_dynavis_params params;
    mc_dynavis_defaults(2, &params);
    snprintf(path, sizeof path, "%s/export.dat", r->h->temporary);
    snprintf(params_path, sizeof params_path, "%s/export.par", r->h->temporary);
    mc_dynavis_writer *writer = mc_dynavis_open(path, &params, &error);
    bool good = writer && write_frames(writer, view, &error);
    if (writer && good)
        good = mc_dynavis_close(writer, &error) == MC_OK;
    else if (writer)
        mc_dynavis_abandon(writer);
    char *text = good ? read_text(path) : NULL, *beside = good ? read_text(params_path) : NULL;
    if (text && beside && strlen(text) <= EXPORT_MOST) {
        json_t *out = json_object();
        json_put(out, "name", json_string("run.dat"));
        json_put(out, "type", json_string("text/plain"));
        json_put(out, "text", json_string(text));
        json_put(out, "with", json_pack("{s:s,s:s}", "name", "run.par", "text", beside));
        request_done(r, out);
    } else if (text) {
        request_refuse(r, NULL, "the export has more than 12 MB");
    } else {
        request_refuse_error(r, &error);
    }
    free(text);
    free(beside);
    unlink(path);
    unlink(params_path);
}

void request_export(request *r)
{
    const char *what, *vehicle;
    world *w;
    if (!request_text(r, "what", 16, NULL, &what) ||
        !request_text(r, "vehicle", NAME_MOST - 1, "", &vehicle))
        return;
    if (strcmp(what, "scenario") == 0 || strcmp(what, "log") == 0 || strcmp(what, "state") == 0) {
        r->kind = &of_the_run;
        request *next = request_move(r);
        if (next)
            hub_post(next->h, next);
        return;
    }
    if (strcmp(what, "csv") != 0 && strcmp(what, "dynavis") != 0) {
        request_refuse(r, "what", "what is \"%s\"; allowed is scenario, log, state, csv, dynavis",
                       what);
        return;
    }
    if (!request_world(r, &w))
        return;
    history_view view;
    if (history_look(&w->past, &view)) {
        if (strcmp(what, "csv") == 0)
            export_csv(r, &view, vehicle);
        else
            export_dynavis(r, &view);
        history_view_end(&view);
    }
    world_drop(w);
}
