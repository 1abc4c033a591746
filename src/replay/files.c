// files.c - recordings in the formats of MEDUSA and DYNAVIS.
#include "replay/replay.h"

#include "base/file.h"
#include "motorcade/dynavis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a recording");
}

static const char *copy(mc_replay *r, const char *text)
{
    const char *out = arena_copy_text(&r->memory, text, strlen(text));
    return out ? out : "";
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

// Whether the columns after those of `cars` are velocities: positions move so from the first row to
// the second, to a tenth of the speed or 0.1 m/s.
static bool velocities_at(const asc *a, int cars)
{
    const double *row = a->values, *next = row + a->columns;
    for (int c = 0; c < cars && a->rows > 1; c++) {
        const double *v = row + 1 + 12 * (cars + c);
        for (int j = 0; j < 2; j++) {
            const double mean = (next[1 + 12 * c + j] - row[1 + 12 * c + j]) / (next[0] - row[0]);
            if (!(fabs(mean - v[j]) <= 0.1 + 0.1 * hypot(v[0], v[1])))
                return false;
        }
    }
    return true;
}

// Number of vehicles by the number of columns; velocity: with -v. Vehicles with seven directors
// have 12 more columns each at the end, with -v 24.
static int asc_cars(const asc *a, bool *velocity)
{
    const int n = a->columns - 1;
    for (int cars = n / 12; cars >= 1; cars--) {
        if (!directors_at(a, 1, cars))
            continue;
        for (int form = 0; form < 4; form++) { // -v first: then the last columns are told apart
            const int each = form < 2 ? 24 : 12, left = n - each * cars - (form % 2 ? cars : 0);
            *velocity = form < 2;
            if (left >= 0 && left % each == 0 && left / each <= cars &&
                (!*velocity || velocities_at(a, cars)))
                return cars;
        }
    }
    return 0;
}

static mc_status fill_asc(mc_replay *r, const asc *a, const char *path, mc_error *error)
{
    bool velocity;
    const int cars = a->rows ? asc_cars(a, &velocity) : 0;
    if (cars == 0)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "%d columns are not those of data.asc: 1 + 12 n, with -v 1 + 24 n, "
                            "with -e n more, for each chassis with seven directors 12 more (24)",
                            a->columns);
    if (!replay_reserve(r, a->rows, cars, error))
        return MC_NO_MEMORY;
    double *x = replay_field(r, MC_FIELD_MIDDLE), *y = replay_field(r, MC_FIELD_Y);
    double *psi = replay_field(r, MC_FIELD_PSI), *v = velocity ? replay_field(r, MC_FIELD_V) : NULL;
    r->poses = arena_alloc(&r->memory, MC_REPLAY_POSE * (size_t)a->rows * (size_t)cars * sizeof *x);
    if (!x || !y || !psi || (velocity && !v) || !r->poses)
        return no_memory(error);
    r->info.poses = true;
    for (int c = 0; c < cars; c++) {
        r->cars[c].deformable = true;
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
                                "time %g s is not after %g s", from[0], r->t[row - 1]);
        for (int c = 0; c < cars; c++) {
            const size_t to = (size_t)row * (size_t)cars + (size_t)c;
            const double *p = from + 1 + 12 * c, *w = p + 12 * cars;
            x[to] = p[0];
            y[to] = p[1];
            psi[to] = atan2(p[4], p[3]);
            memcpy(r->poses + MC_REPLAY_POSE * to, p, MC_REPLAY_POSE * sizeof *p);
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

// Gap and desired place behind the car before it in its group. A file of one group may have cars of
// several lanes: those do not follow each other.
static void put_gap(mc_replay *r, const mc_dynavis_frame *f, int k, bool one, size_t to)
{
    const mc_dynavis_car *car = &f->cars[k];
    if (k == 0 || f->cars[k - 1].platoon != car->platoon ||
        (one && f->cars[k - 1].lane != car->lane))
        return;
    const int group = car->platoon - 1;
    const double gap = f->cars[k - 1].x - car->x - r->cars[0].length;
    const double desired = f->fixed_headway[group] + f->time_headway[group] * car->v_x;
    r->value[MC_FIELD_GAP][to] = gap;
    r->value[MC_FIELD_TARGET][to] = car->x + gap - desired;
}

// A car points where it moves; at a standstill, and where its lateral speed is not known, along the
// road.
static double heading_of(const mc_dynavis_car *car)
{
    return car->v_x > 0.5 && isfinite(car->v_y) ? atan2(car->v_y, car->v_x) : 0.0;
}

static mc_status fill_dynavis(mc_replay *r, const mc_dynavis_data *data, const int *ids, int count,
                              mc_error *error)
{
    static const mc_field fields[] = {MC_FIELD_MIDDLE, MC_FIELD_Y,      MC_FIELD_V,   MC_FIELD_A,
                                      MC_FIELD_JERK,   MC_FIELD_TARGET, MC_FIELD_GAP, MC_FIELD_PSI};
    if (!replay_reserve(r, data->frame_count, count, error))
        return MC_NO_MEMORY;
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        const bool unknown =
            (fields[k] == MC_FIELD_A && data->a == MC_DYNAVIS_SOURCE_UNKNOWN) ||
            (fields[k] == MC_FIELD_JERK && data->jerk == MC_DYNAVIS_SOURCE_UNKNOWN);
        if (!unknown && !replay_field(r, fields[k]))
            return no_memory(error);
    }
    for (int c = 0; c < count; c++)
        r->cars[c].length = data->params.value[MC_DYNAVIS_PARAM_CAR_LENGTH];
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
            r->value[MC_FIELD_MIDDLE][to] = car->x;
            r->value[MC_FIELD_Y][to] = car->y;
            r->value[MC_FIELD_V][to] = car->v_x;
            r->value[MC_FIELD_PSI][to] = heading_of(car);
            if (r->value[MC_FIELD_A])
                r->value[MC_FIELD_A][to] = car->a;
            if (r->value[MC_FIELD_JERK])
                r->value[MC_FIELD_JERK][to] = car->jerk;
            put_gap(r, &data->frames[f], k, data->params.value[MC_DYNAVIS_PARAM_LANES] == 1, to);
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
    mc_dynavis_params_defaults(2, out);
    return MC_OK;
}

mc_status replay_read_dynavis(mc_replay *r, const char *path, const char *with, mc_error *error)
{
    mc_dynavis_params params;
    mc_status status = read_params(path, with, &params, error);
    if (status != MC_OK)
        return status;
    mc_dynavis_data *data = mc_dynavis_data_load(path, &params, NULL, error);
    if (!data)
        return error->code;
    int count;
    int *ids = find_cars(data, &count);
    status = ids ? fill_dynavis(r, data, ids, count, error) : no_memory(error);
    if (status == MC_OK) {
        int place[MC_DYNAVIS_LANES_MAX] = {0};
        for (int c = 0; c < count; c++) {
            char name[32];
            snprintf(name, sizeof name, "car%d", ids[c]);
            r->cars[c].name = copy(r, name);
            r->cars[c].place = place[r->cars[c].platoon % MC_DYNAVIS_LANES_MAX]++;
        }
        r->info.lane_count = MC_DYNAVIS_LANES_MAX;
        r->info.lane_width = MC_DYNAVIS_LANE_WIDTH;
        snprintf(r->note, sizeof r->note, "%.280s", data->method);
    }
    free(ids);
    mc_dynavis_data_free(data);
    return status;
}
