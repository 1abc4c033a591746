// replay.c - recordings of any kind: which one it is, and what is missing in it.
#include "replay/replay.h"

#include "base/renamed.h"
#include "dynavis/data.h"
#include "motorcade/dynavis.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- room ----

bool replay_reserve(mc_replay *r, int rows, int cars, mc_error *error)
{
    r->info.row_count = rows;
    r->info.car_count = cars;
    r->t = arena_alloc(&r->memory, ((size_t)rows + (size_t)r->info.instant_count) * sizeof *r->t);
    r->cars = arena_alloc(&r->memory, (size_t)cars * sizeof *r->cars);
    for (int c = 0; r->cars && c < cars; c++)
        replay_car_defaults(&r->cars[c]);
    if (r->t && r->cars)
        return true;
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a recording");
    return false;
}

double *replay_field(mc_replay *r, mc_field field)
{
    const size_t rows = (size_t)r->info.row_count + (size_t)r->info.instant_count;
    const size_t n = rows * (size_t)r->info.car_count;
    double *out = arena_alloc(&r->memory, n * sizeof *out);
    for (size_t k = 0; out && k < n; k++)
        out[k] = NAN;
    r->value[field] = out;
    return out;
}

int replay_stride(double rows, double cars, int fields)
{
    const double share = rows * cars * fields / MC_REPLAY_NUMBERS;
    return share > 1.0 ? (int)ceil(share) : 1;
}

void replay_car_defaults(mc_replay_car *car)
{
    *car = (mc_replay_car){.name = "",
                           .model = "",
                           .controller = "",
                           .platoon = 0,
                           .length = 5.56,
                           .width = 1.96,
                           .height = 1.44,
                           .mass = NAN};
}

// ---- estimates ----

// A derivative of one car's signal where it is known; pieces without gaps are processed separately.
static void derive(mc_replay *r, const double *from, int order, double *to, int car, double *t,
                   double *in, double *out)
{
    const int rows = r->info.row_count;
    const size_t cars = (size_t)r->info.car_count;
    for (int first = 0; first < rows;) {
        int n = 0;
        while (first < rows && isnan(from[(size_t)first * cars + (size_t)car]))
            first++;
        for (; first + n < rows && !isnan(from[(size_t)(first + n) * cars + (size_t)car]); n++) {
            t[n] = r->t[first + n];
            in[n] = from[(size_t)(first + n) * cars + (size_t)car];
        }
        if (n > 0)
            dynavis_derivative(n, t, in, order, MC_DYNAVIS_WINDOW * (order + 1) / 2.0, out);
        for (int k = 0; k < n; k++)
            to[(size_t)(first + k) * cars + (size_t)car] = out[k];
        first += n;
    }
}

mc_status replay_estimate(mc_replay *r, mc_error *error)
{
    static const mc_field chain[] = {MC_FIELD_MIDDLE, MC_FIELD_V, MC_FIELD_A, MC_FIELD_JERK};
    static const char *const words[] = {"", "speed", "acceleration", "jerk"};
    const size_t rows = (size_t)r->info.row_count + 1;
    double *work = malloc(3 * rows * sizeof *work);
    if (!work)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a recording");
    int have = 0;
    for (int k = 1; k < 4; k++) {
        if (r->value[chain[k]]) {
            have = k;
            continue;
        }
        double *out = replay_field(r, chain[k]);
        if (!out) {
            free(work);
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a recording");
        }
        for (int car = 0; car < r->info.car_count; car++)
            derive(r, r->value[chain[have]], k - have, out, car, work, work + rows,
                   work + 2 * rows);
        const size_t used = strlen(r->note);
        snprintf(r->note + used, sizeof r->note - used, "%s%s estimated", used ? ", " : "",
                 words[k]);
    }
    free(work);
    return MC_OK;
}

// ---- kinds ----

typedef enum file_kind { KIND_HDF5, KIND_CSV, KIND_ASC, KIND_DYNAVIS } file_kind;

// The first line, as far as it goes. False: it cannot be read.
static bool first_line(const char *path, char *out, size_t size)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return false;
    const size_t n = fread(out, 1, size - 1, in);
    fclose(in);
    out[n] = '\0';
    return true;
}

// data.asc has nothing but numbers with an exponent, and at least 1 + 12 of them.
static bool looks_like_asc(const char *line)
{
    long count = 0, exponents = 0;
    const char *at = line;
    for (; *at && *at != '\n';) {
        char *end;
        strtod(at, &end);
        if (end == at)
            return false;
        for (; at < end; at++)
            exponents += *at == 'e' || *at == 'E';
        count++;
        at += strspn(at, " \t\r");
    }
    return count >= 13 && exponents == count;
}

static mc_status find_kind(const char *path, file_kind *out, mc_error *error)
{
    struct stat s;
    enum { SIZE = 1 << 20 };
    char *line = malloc(SIZE);
    *out = KIND_CSV;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode)) {
        free(line);
        return MC_OK;
    }
    if (!line || !first_line(path, line, SIZE)) {
        free(line);
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "cannot read the file");
    }
    const char *at = line + strspn(line, " \t\r\n");
    const size_t length = strcspn(at, "\n");
    if (memcmp(line, "\x89HDF", 4) == 0)
        *out = KIND_HDF5;
    else if ((isalpha((unsigned char)*at) || *at == '"') && memchr(at, 't', length))
        *out = KIND_CSV;
    else
        *out = looks_like_asc(at) ? KIND_ASC : KIND_DYNAVIS;
    free(line);
    return MC_OK;
}

// ---- public ----

mc_replay *mc_replay_load(const char *path, const char *with, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    mc_replay *r = calloc(1, sizeof *r);
    file_kind kind = KIND_CSV;
    if (!r) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a recording");
        return NULL;
    }
    r->info = (mc_replay_info){
        .title = "", .scenario = "", .lane_count = 1, .lane_width = 3.4, .note = r->note};
    mc_status status = find_kind(path, &kind, error);
    if (status == MC_OK && with)
        kind = KIND_DYNAVIS;
    static const char *const names[] = {"results", "CSV", "data.asc", "DYNAVIS"};
    r->info.kind = names[kind];
    if (status == MC_OK)
        status = kind == KIND_HDF5  ? replay_read_results(r, path, error)
                 : kind == KIND_CSV ? replay_read_csv(r, path, error)
                 : kind == KIND_ASC ? replay_read_asc(r, path, error)
                                    : replay_read_dynavis(r, path, with, error);
    if (status == MC_OK && r->info.row_count == 0)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the recording has no rows");
    if (status == MC_OK && r->info.car_count == 0)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the recording has no cars");
    if (status == MC_OK)
        status = replay_estimate(r, error);
    if (r->renamed != 0) {
        const size_t used = strlen(r->note);
        snprintf(r->note + used, sizeof r->note - used, "%s", used ? "; " : "");
        renamed_text(r->renamed, r->note + strlen(r->note), sizeof r->note - strlen(r->note));
    }
    if (status == MC_OK)
        return r;
    mc_replay_free(r);
    return NULL;
}

void mc_replay_free(mc_replay *r)
{
    if (!r)
        return;
    arena_free(&r->memory);
    free(r);
}

const mc_replay_info *mc_replay_info_of(const mc_replay *r)
{
    return &r->info;
}

void mc_replay_car_at(const mc_replay *r, int car, mc_replay_car *out)
{
    *out = r->cars[car];
}

double mc_replay_time(const mc_replay *r, int row)
{
    return r->t[row];
}

const double *mc_replay_row(const mc_replay *r, int row, mc_field field)
{
    return r->value[field] ? r->value[field] + (size_t)row * (size_t)r->info.car_count : NULL;
}

const double *mc_replay_poses(const mc_replay *r, int row)
{
    return r->poses ? r->poses + MC_REPLAY_POSE * (size_t)row * (size_t)r->info.car_count : NULL;
}

const mc_impact *mc_replay_impacts(const mc_replay *r, int *count)
{
    *count = r->impact_count;
    return r->impacts;
}

int mc_replay_event_at(const mc_replay *r, int index, mc_happened *out)
{
    if (index < 0 || index >= r->event_count)
        return 0;
    *out = r->events[index];
    return 1;
}
