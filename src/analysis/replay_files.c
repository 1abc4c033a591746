// replay_files.c - recordings in the formats of MEDUSA and DYNAVIS, and results.
#include "analysis/replay.h"

#include "analysis/report_record.h"
#include "base/file.h"
#include "motorcade/dynavis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCENARIO_MOST = 8 << 20 }; // bytes

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a recording");
}

// ---- results ----

typedef struct result_field {
    const char *name;
    mc_field field;
    double factor;
    bool positive; // 0: none
} result_field;

static const result_field result_fields[] = {
    {"x", MC_FIELD_X, 1, false},           {"y", MC_FIELD_Y, 1, false},
    {"psi", MC_FIELD_PSI, 1, false},       {"v", MC_FIELD_V, 1, false},
    {"a", MC_FIELD_A, 1, false},           {"jerk", MC_FIELD_JERK, 1, false},
    {"throttle", MC_FIELD_THROTTLE, 1, 0}, {"brake", MC_FIELD_BRAKE, 1, false},
    {"steer", MC_FIELD_STEER, 1, false},   {"n", MC_FIELD_RPM, 1, true},
    {"fuel", MC_FIELD_FUEL, 1e3, false},   {"gap", MC_FIELD_GAP, 1, false},
    {"wanted", MC_FIELD_WANTED, 1, false}, {"spacing_error", MC_FIELD_S, 1, false},
};
enum { RESULT_FIELDS = sizeof result_fields / sizeof result_fields[0] };

typedef struct results_walk {
    mc_replay *r;
    record *record;
    int quantity[RESULT_FIELDS];
    int stride;
    const double *middle; // m, of the box ahead of the mass centre; by car
} results_walk;

static mc_status take_block(void *context, const record_block *block, mc_error *error)
{
    (void)error;
    results_walk *w = context;
    const size_t cars = (size_t)w->r->info.car_count;
    for (int64_t k = 0; k < block->count; k++) {
        const int64_t row = block->first + k;
        if (row % w->stride != 0 || row / w->stride >= w->r->info.row_count)
            continue;
        const size_t to = (size_t)(row / w->stride) * cars;
        w->r->t[row / w->stride] = block->time[k];
        for (int f = 0; f < RESULT_FIELDS; f++) {
            double *out = w->r->value[result_fields[f].field];
            if (w->quantity[f] < 0 || !out)
                continue;
            const record_quantity *q = &w->record->quantities[w->quantity[f]];
            for (size_t c = 0; c < cars; c++) {
                const double y = record_value(block, k, (int)c, q) * result_fields[f].factor;
                out[to + c] = result_fields[f].positive && y <= 0.0 ? NAN : y;
            }
        }
        for (size_t c = 0; c < cars; c++) {
            w->r->value[MC_FIELD_X][to + c] += w->middle[c];
            if (w->r->value[MC_FIELD_S])
                w->r->value[MC_FIELD_S][to + c] += w->r->value[MC_FIELD_X][to + c];
        }
    }
    return MC_OK;
}

// The scenario that is kept in the file. A recording may come from anyone, so its scenario may name
// no other files, whatever the recording says of the folder, and is built only if it has about as
// many cars as it shows.
static mc_scenario *kept_scenario(mc_replay *r, record *rec)
{
    const char *text = results_reader_text(rec->file, "scenario");
    const size_t length = text ? strlen(text) : 0;
    if (length == 0 || length > SCENARIO_MOST)
        return NULL;
    mc_error error;
    mc_scenario *s = mc_scenario_parse(text, length, NULL, &error);
    if (!s)
        snprintf(r->note, sizeof r->note, "cars are shown in the usual size: %.200s", error.text);
    const int most = r->info.car_count > 1000 ? r->info.car_count : 1000;
    if (s && mc_scenario_info_of(s)->vehicle_count > most) {
        mc_scenario_free(s);
        s = NULL;
    }
    return s;
}

// Sizes of the cars, from the scenario that is kept in the file.
static void take_scenario(mc_replay *r, record *rec, double *middle)
{
    mc_scenario *s = kept_scenario(r, rec);
    mc_error unused;
    mc_run *run =
        s ? mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &unused) : NULL;
    for (int c = 0; run && c < r->info.car_count; c++) {
        const int v = mc_run_find(run, r->cars[c].name);
        if (v < 0)
            continue;
        mc_run_vehicle_info info;
        mc_run_vehicle(run, v, &info);
        r->cars[c].length = info.length;
        r->cars[c].width = info.width;
        r->cars[c].height = info.height;
        r->cars[c].place = info.place;
        r->cars[c].lane = info.lane;
        middle[c] = mc_run_middle(run, v);
    }
    if (run) {
        mc_run_road_info road;
        mc_run_road(run, &road);
        r->info.lane_count = road.lanes;
        r->info.lane_width = road.lane_width;
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static const char *copy(mc_replay *r, const char *text)
{
    const char *out = text ? arena_copy_text(&r->memory, text, strlen(text)) : NULL;
    return out ? out : "";
}

static mc_status fill_results(mc_replay *r, record *rec, mc_error *error)
{
    results_walk walk = {.r = r, .record = rec};
    walk.stride = replay_stride((double)rec->row_count, rec->vehicle_count, RESULT_FIELDS);
    const int64_t rows = (rec->row_count + walk.stride - 1) / walk.stride;
    if (!replay_reserve(r, (int)rows, rec->vehicle_count, error))
        return MC_NO_MEMORY;
    const char **models = record_lines(rec, "vehicle_models", rec->vehicle_count);
    const char **controllers = record_lines(rec, "controllers", rec->vehicle_count);
    double *middle = arena_alloc(&r->memory, (size_t)rec->vehicle_count * sizeof *middle);
    if (!middle)
        return no_memory(error);
    for (int c = 0; c < rec->vehicle_count; c++) {
        r->cars[c].name = copy(r, rec->names[c]);
        r->cars[c].model = copy(r, models ? models[c] : "");
        r->cars[c].controller = copy(r, controllers ? controllers[c] : "");
        r->cars[c].platoon = rec->platoon[c];
    }
    take_scenario(r, rec, middle);
    walk.middle = middle;
    r->info.title = copy(r, results_reader_text(rec->file, "name"));
    for (int f = 0; f < RESULT_FIELDS; f++) {
        walk.quantity[f] = record_find(rec, result_fields[f].name);
        if (walk.quantity[f] >= 0 && !replay_field(r, result_fields[f].field))
            return no_memory(error);
    }
    if (!r->value[MC_FIELD_X])
        return mc_error_set(error, MC_BAD_INPUT, rec->path, 0, 0,
                            "the results have no positions: the table motion has no column x");
    if (walk.stride > 1) {
        const size_t n = strlen(r->note);
        snprintf(r->note + n, sizeof r->note - n, "%sone row in %d is shown", n ? "; " : "",
                 walk.stride);
    }
    return record_walk(rec, 0, rec->row_count, 0, rec->vehicle_count, take_block, &walk, error);
}

mc_status replay_read_results(mc_replay *r, const char *path, mc_error *error)
{
    record rec;
    mc_status status = record_open(&rec, path, error);
    if (status == MC_OK)
        status = fill_results(r, &rec, error);
    record_close(&rec);
    return status;
}

// ---- data.asc ----

typedef struct asc {
    double *values; // rows x columns
    int rows, columns;
} asc;

static mc_status read_numbers(mc_replay *r, const char *path, asc *out, mc_error *error)
{
    char *text;
    size_t size, room = 0, count = 0;
    const mc_status status = file_read(&r->memory, path, 0, &text, &size, error);
    if (status != MC_OK)
        return status;
    *out = (asc){0};
    int line = 0;
    for (char *at = text; *at;) {
        int columns = 0;
        line++;
        for (at += strspn(at, " \t\r"); *at && *at != '\n'; at += strspn(at, " \t\r")) {
            char *end;
            const double value = strtod(at, &end);
            if (end == at)
                return mc_error_set(error, MC_BAD_INPUT, path, line, columns + 1,
                                    "column %d is not a number", columns + 1);
            if (count == room) {
                room = 2 * room + 4096;
                double *grown = realloc(out->values, room * sizeof *grown);
                if (!grown)
                    return no_memory(error);
                out->values = grown;
            }
            out->values[count++] = value;
            columns++;
            at = end;
        }
        at += *at == '\n';
        if (columns == 0)
            continue;
        if (out->columns && columns != out->columns)
            return mc_error_set(error, MC_BAD_INPUT, path, line, 0,
                                "the line has %d numbers, the first one %d", columns, out->columns);
        out->columns = columns;
        out->rows++;
    }
    return MC_OK;
}

// Whether columns from `first` on are positions and directors: the first director has a length.
static bool directors_at(const asc *a, int first, int cars)
{
    for (int c = 0; c < cars; c++) {
        const double *d = a->values + first + 12 * c + 3;
        const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (!(length > 0.2 && length < 5.0))
            return false;
    }
    return true;
}

// Number of vehicles by the number of columns; velocity: with -v.
static int asc_cars(const asc *a, bool *velocity)
{
    const int n = a->columns - 1;
    *velocity = false;
    if (n % 12 == 0 && directors_at(a, 1, n / 12))
        return n / 12;
    if (n % 13 == 0 && directors_at(a, 1, n / 13))
        return n / 13;
    *velocity = true;
    if (n % 24 == 0 && directors_at(a, 1, n / 24))
        return n / 24;
    if (n % 25 == 0 && directors_at(a, 1, n / 25))
        return n / 25;
    return 0;
}

static mc_status fill_asc(mc_replay *r, const asc *a, const char *path, mc_error *error)
{
    bool velocity;
    const int cars = a->rows ? asc_cars(a, &velocity) : 0;
    if (cars == 0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "%d columns are not those of data.asc: 1 + 12 n, with -v 1 + 24 n, "
                            "with -e n more",
                            a->columns);
    if (!replay_reserve(r, a->rows, cars, error))
        return MC_NO_MEMORY;
    double *x = replay_field(r, MC_FIELD_X), *y = replay_field(r, MC_FIELD_Y);
    double *psi = replay_field(r, MC_FIELD_PSI), *v = velocity ? replay_field(r, MC_FIELD_V) : NULL;
    r->directors = arena_alloc(&r->memory, 9 * (size_t)a->rows * (size_t)cars * sizeof(double));
    if (!x || !y || !psi || (velocity && !v) || !r->directors)
        return no_memory(error);
    r->info.directors = true;
    for (int c = 0; c < cars; c++) {
        char name[32];
        snprintf(name, sizeof name, "vehicle%d", c + 1);
        r->cars[c].name = copy(r, name);
        r->cars[c].place = c;
    }
    for (int row = 0; row < a->rows; row++) {
        const double *from = a->values + (size_t)row * (size_t)a->columns;
        r->t[row] = from[0];
        if (row > 0 && !(from[0] > r->t[row - 1]))
            return mc_error_set(error, MC_BAD_INPUT, path, row + 1, 1,
                                "time %g s does not come after %g s", from[0], r->t[row - 1]);
        for (int c = 0; c < cars; c++) {
            const size_t to = (size_t)row * (size_t)cars + (size_t)c;
            const double *p = from + 1 + 12 * c, *w = p + 12 * cars;
            x[to] = p[0];
            y[to] = p[1];
            psi[to] = atan2(p[4], p[3]);
            memcpy(r->directors + 9 * to, p + 3, 9 * sizeof *p);
            if (v)
                v[to] = w[0] * cos(psi[to]) + w[1] * sin(psi[to]);
        }
    }
    return MC_OK;
}

mc_status replay_read_asc(mc_replay *r, const char *path, mc_error *error)
{
    asc a = {0};
    mc_status status = read_numbers(r, path, &a, error);
    if (status == MC_OK)
        status = fill_asc(r, &a, path, error);
    free(a.values);
    return status;
}

// ---- DYNAVIS ----

// Columns of the cars: by id, in the order in which they are first seen.
static int *find_cars(const mc_dynavis_data *data, int *count)
{
    int *ids = malloc(((size_t)data->track_count + 1) * sizeof *ids);
    *count = 0;
    for (int f = 0; ids && f < data->frame_count; f++)
        for (int k = 0; k < data->frames[f].car_count; k++) {
            const int id = data->frames[f].cars[k].id;
            int c = 0;
            while (c < *count && ids[c] != id)
                c++;
            if (c == *count && *count < data->track_count)
                ids[(*count)++] = id;
        }
    return ids;
}

// Gap and wanted place behind the car before it in its group.
static void put_gap(mc_replay *r, const mc_dynavis_frame *f, int k, size_t to)
{
    const mc_dynavis_car *car = &f->cars[k];
    if (k == 0 || f->cars[k - 1].platoon != car->platoon)
        return;
    const int group = car->platoon - 1;
    const double gap = f->cars[k - 1].x - car->x - r->cars[0].length;
    const double wanted = f->fixed_headway[group] + f->time_headway[group] * car->v_x;
    r->value[MC_FIELD_GAP][to] = gap;
    r->value[MC_FIELD_S][to] = car->x + gap - wanted;
}

static mc_status fill_dynavis(mc_replay *r, const mc_dynavis_data *data, const int *ids, int count,
                              mc_error *error)
{
    static const mc_field fields[] = {MC_FIELD_X,    MC_FIELD_Y, MC_FIELD_V,  MC_FIELD_A,
                                      MC_FIELD_JERK, MC_FIELD_S, MC_FIELD_GAP};
    if (!replay_reserve(r, data->frame_count, count, error))
        return MC_NO_MEMORY;
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        const bool unknown = (fields[k] == MC_FIELD_A && data->a == MC_DYNAVIS_UNKNOWN) ||
                             (fields[k] == MC_FIELD_JERK && data->jerk == MC_DYNAVIS_UNKNOWN);
        if (!unknown && !replay_field(r, fields[k]))
            return no_memory(error);
    }
    for (int f = 0; f < data->frame_count; f++) {
        r->t[f] = data->frames[f].t;
        for (int k = 0; k < data->frames[f].car_count; k++) {
            const mc_dynavis_car *car = &data->frames[f].cars[k];
            int c = 0;
            while (c < count && ids[c] != car->id)
                c++;
            const size_t to = (size_t)f * (size_t)count + (size_t)c;
            if (c == count)
                continue;
            r->value[MC_FIELD_X][to] = car->x;
            r->value[MC_FIELD_Y][to] = car->y;
            r->value[MC_FIELD_V][to] = car->v_x;
            if (r->value[MC_FIELD_A])
                r->value[MC_FIELD_A][to] = car->a;
            if (r->value[MC_FIELD_JERK])
                r->value[MC_FIELD_JERK][to] = car->jerk;
            put_gap(r, &data->frames[f], k, to);
            r->cars[c].platoon = car->platoon - 1;
            r->cars[c].lane = car->lane - 1;
        }
    }
    return MC_OK;
}

static mc_status read_params(const char *path, const char *with, mc_dynavis_params *out,
                             mc_error *error)
{
    char beside[4096];
    mc_error unused;
    if (with)
        return mc_dynavis_params_read(with, 2, out, error);
    if (mc_dynavis_param_path(path, beside, sizeof beside, &unused) == MC_OK &&
        access(beside, R_OK) == 0)
        return mc_dynavis_params_read(beside, 2, out, error);
    mc_dynavis_defaults(2, out);
    return MC_OK;
}

mc_status replay_read_dynavis(mc_replay *r, const char *path, const char *with, mc_error *error)
{
    mc_dynavis_params params;
    mc_status status = read_params(path, with, &params, error);
    if (status != MC_OK)
        return status;
    mc_dynavis_data *data = mc_dynavis_read(path, &params, NULL, error);
    if (!data)
        return error->code;
    int count;
    int *ids = find_cars(data, &count);
    status = ids ? fill_dynavis(r, data, ids, count, error) : no_memory(error);
    if (status == MC_OK) {
        int place[MC_DYNAVIS_LANES_MOST] = {0};
        for (int c = 0; c < count; c++) {
            char name[32];
            snprintf(name, sizeof name, "car%d", ids[c]);
            r->cars[c].name = copy(r, name);
            r->cars[c].place = place[r->cars[c].platoon % MC_DYNAVIS_LANES_MOST]++;
        }
        r->info.lane_count = MC_DYNAVIS_LANES_MOST;
        r->info.lane_width = MC_DYNAVIS_LANE_WIDTH;
        snprintf(r->note, sizeof r->note, "%.280s", data->method);
    }
    free(ids);
    mc_dynavis_free(data);
    return status;
}
