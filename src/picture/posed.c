// posed.c - see posed.h.
#include "picture/posed.h"

#include "base/shipped.h"
#include "hdf5/results_read.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the mechanism");
}

// ---- the mechanism's file ----

// The word of the command that is a mechanism; "": none.
static void file_of_command(const char *command, char *out, size_t size)
{
    char word[1024];
    int used = 0;
    *out = '\0';
    while (command && sscanf(command, "%1023s%n", word, &used) == 1) {
        command += used;
        if (mc_multibody_is_model(word)) {
            snprintf(out, size, "%s", word);
            return;
        }
    }
}

// As simulate was called, else the file of that name that comes with the program.
static void find_file(results_reader *file, const char *given, char *out, size_t size)
{
    char name[256];
    const char *model = results_reader_text(file, "model");
    snprintf(out, size, "%s", given ? given : "");
    if (!given)
        file_of_command(results_reader_text(file, "command"), out, size);
    if (*out || !model)
        return;
    snprintf(name, sizeof name, "models/%.200s.yaml", model);
    if (!shipped_path(name, out, size))
        *out = '\0';
}

static mc_status set_one(posed *k, const char *setting, mc_error *error)
{
    char name[200];
    const char *value = strchr(setting, '=');
    if (!value || value - setting >= (long)sizeof name)
        return MC_OK;
    snprintf(name, sizeof name, "%.*s", (int)(value - setting), setting);
    return mc_simulate_set(k->m, NULL, name, value + 1, error);
}

// Parameters that --set changed: places depend on them. Start values do not matter here.
static void set_values(posed *k, const char *command)
{
    char word[512];
    int used = 0;
    bool next = false;
    mc_error error;
    while (command && sscanf(command, "%511s%n", word, &used) == 1) {
        command += used;
        if (next)
            set_one(k, word, &error);
        else if (strncmp(word, "--set=", 6) == 0)
            set_one(k, word + 6, &error);
        next = strcmp(word, "--set") == 0;
    }
}

static mc_status load(posed *k, const char *path, results_reader *file, const mc_render_options *o,
                      mc_error *error)
{
    char name[1024], hash[32];
    const char *own = file ? results_reader_text(file, "model") : NULL;
    snprintf(name, sizeof name, "%s", path);
    if (file)
        find_file(file, o->model, name, sizeof name);
    if (!*name)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "the file of the mechanism \"%.60s\" is not found; --model names it",
                            own ? own : "");
    const mc_multibody_options fast = {.compile = MC_COMPILE_NEVER};
    k->m = mc_multibody_load(name, &fast, error);
    if (!k->m)
        return error->code;
    const char *recorded = file ? results_reader_text(file, "model_hash") : NULL;
    snprintf(hash, sizeof hash, "%016llx", mc_multibody_info_of(k->m)->hash);
    if (recorded && strcmp(recorded, hash) != 0)
        return mc_error_set(error, MC_BAD_INPUT, name, 0, 0,
                            "this is not the mechanism that %.200s was made with: its text has "
                            "changed; --model names another file",
                            path);
    if (file)
        set_values(k, results_reader_text(file, "command"));
    return MC_OK;
}

// ---- rows ----

typedef struct rows {
    results_reader *file;
    const char *path;
    int time, motion;
    int64_t count;
} rows;

static mc_status time_at(const rows *r, int64_t row, double *t, mc_error *error)
{
    const bool objects = results_reader_table(r->file, r->time)->vehicle_count > 0;
    const results_part part = {row, 1, 1, 0, objects, 0, 1};
    return results_read(r->file, r->time, &part, t, error);
}

// The last row at or before t.
static mc_status find_row(const rows *r, double t, int64_t *row, mc_error *error)
{
    int64_t low = 0, high = r->count;
    mc_status status = MC_OK;
    while (high - low > 1 && status == MC_OK) {
        const int64_t middle = low + (high - low) / 2;
        double at;
        status = time_at(r, middle, &at, error);
        if (at <= t)
            low = middle;
        else
            high = middle;
    }
    *row = low;
    return status;
}

static mc_status open_rows(rows *r, double *first, double *last, mc_error *error)
{
    r->time = results_reader_find(r->file, "time");
    r->motion = results_reader_find(r->file, "motion");
    if (r->time < 0 || r->motion < 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0, "the file has no rows of a motion");
    const int64_t a = results_reader_table(r->file, r->time)->row_count;
    const int64_t b = results_reader_table(r->file, r->motion)->row_count;
    r->count = a < b ? a : b;
    if (r->count < 1)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0, "the recording has no rows");
    const mc_status status = time_at(r, 0, first, error);
    return status == MC_OK ? time_at(r, r->count - 1, last, error) : status;
}

// A column of the motion for every entry of y: coordinates, velocities, states.
static mc_status name_of(const posed *k, int i, const char **name)
{
    const mc_multibody_info *info = mc_multibody_info_of(k->m);
    mc_quantity q = MC_QUANTITY_COORDINATE;
    if (i >= info->q_count) {
        i -= info->q_count;
        q = MC_QUANTITY_VELOCITY;
        if (i >= info->v_count) {
            i -= info->v_count;
            q = MC_QUANTITY_STATE;
        }
    }
    *name = mc_multibody_name(k->m, q, i);
    return q == MC_QUANTITY_COORDINATE ? MC_BAD_INPUT : MC_OK; // of coordinates all are needed
}

static mc_status take_state(posed *k, const rows *r, const double *a, const double *b, double u,
                            mc_error *error)
{
    const results_shape *shape = results_reader_table(r->file, r->motion);
    for (int i = 0; i < mc_multibody_info_of(k->m)->y_count; i++) {
        const char *name;
        const mc_status needed = name_of(k, i, &name);
        const int64_t c = results_shape_find(shape, name);
        if (c < 0 && needed != MC_OK)
            return mc_error_set(
                error, MC_BAD_INPUT, r->path, 0, 0,
                "the coordinate %.80s was not recorded: leave out --record, or name "
                "all coordinates",
                name);
        const double value = c < 0 ? 0.0 : a[c] + u * (b[c] - a[c]);
        if (!isfinite(value) && needed != MC_OK)
            return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                                "%.80s is not a number at %g s: there is nothing to draw", name,
                                k->t);
        k->y[i] = isfinite(value) ? value : 0.0;
    }
    return MC_OK;
}

static mc_status read_state(posed *k, const rows *r, mc_error *error)
{
    const results_shape *shape = results_reader_table(r->file, r->motion);
    const size_t n = (size_t)shape->column_count;
    int64_t row;
    double from = 0.0, to = 0.0;
    mc_status status = find_row(r, k->t, &row, error);
    const int64_t next = row + 1 < r->count ? row + 1 : row;
    if (status == MC_OK)
        status = time_at(r, row, &from, error);
    if (status == MC_OK)
        status = time_at(r, next, &to, error);
    double *values = malloc((2 * n + 1) * sizeof *values);
    if (!values)
        return no_memory(error);
    for (int end = 0; end < 2 && status == MC_OK; end++) {
        const results_part part = {end ? next : row,   1, 1, 0, shape->vehicle_count > 0, 0,
                                   shape->column_count};
        status = results_read(r->file, r->motion, &part, values + (size_t)end * n, error);
    }
    const double u = to > from ? fmin(fmax((k->t - from) / (to - from), 0.0), 1.0) : 0.0;
    if (status == MC_OK)
        status = take_state(k, r, values, values + n, u, error);
    free(values);
    if (status == MC_OK) {
        mc_multibody_normalise(k->m, k->y);
        mc_multibody_project(k->m, k->t, k->y);
    }
    return status;
}

static mc_status read_results(posed *k, const char *path, results_reader *file,
                              const mc_render_options *o, mc_error *error)
{
    rows r = {.file = file, .path = path};
    double first = 0.0, last = 0.0;
    const mc_status status = open_rows(&r, &first, &last, error);
    if (status != MC_OK)
        return status;
    const double slack = 1e-9 * (1.0 + fabs(last));
    k->t = isnan(o->at) ? last : o->at;
    if (!(k->t >= first - slack && k->t <= last + slack))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "%g s is not in the recording: expected an instant from %g to %g s",
                            k->t, first, last);
    return read_state(k, &r, error);
}

static mc_status read_start(posed *k, const mc_render_options *o, mc_error *error)
{
    if (!isnan(o->at) && o->at != 0.0)
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "the file of a mechanism has its start only, at 0 s; `motorcade simulate -o` "
            "records a motion");
    mc_multibody_start(k->m, k->y);
    return mc_multibody_assemble(k->m, 0.0, k->y, error);
}

// ---- rest ----

// Loads of the road on the wheels of the key `wheels`, from the outputs of the equilibrium.
static void take_wheels(posed *k, const double *outputs)
{
    const char *name, *body;
    for (int i = 0; (name = mc_multibody_name(k->m, MC_QUANTITY_OUTPUT, i)); i++) {
        const char *what = strrchr(name, '.');
        mc_standing *s = &k->stands;
        if (!what || strcmp(what, ".normal") != 0 || s->count == MC_STANDING_WHEELS ||
            !(body = mc_multibody_wheel_body(k->m, s->count)))
            continue;
        s->wheel[s->count] = body;
        s->load[s->count++] = outputs[i];
    }
}

// The equilibrium from the start; a vehicle that nothing carries stands on its wheels.
static mc_status take_rest(posed *k, mc_error *error)
{
    const mc_multibody_info *info = mc_multibody_info_of(k->m);
    double *outputs = calloc((size_t)info->output_count + 1, sizeof *outputs);
    double *start = malloc((size_t)info->y_count * sizeof *start + sizeof *start);
    mc_status status =
        outputs && start ? read_start(k, &(mc_render_options){.at = NAN}, error) : no_memory(error);
    if (status == MC_OK) {
        mc_error why;
        const mc_equilibrium_options o = {.outputs = outputs};
        memcpy(start, k->y, (size_t)info->y_count * sizeof *start);
        status = mc_multibody_equilibrium(k->m, k->y, &o, NULL, &why);
        if (status == MC_OK) {
            take_wheels(k, outputs);
        } else {
            memcpy(k->y, start, (size_t)info->y_count * sizeof *start);
            status = mc_multibody_stand(k->m, k->y, &k->stands, error);
            if (status != MC_OK)
                *error = why;
        }
    }
    k->still = status == MC_OK;
    free(outputs);
    free(start);
    return status;
}

// ---- modes ----

// Coordinates moved by the amplitude along the shape of a mode, whose largest entry is 1.
static mc_status move(posed *k, const mc_render_options *o, mc_error *error)
{
    const mc_linear *l = &k->linear;
    const int q_count = mc_multibody_info_of(k->m)->q_count, mode = o->mode - 1;
    if (mode >= l->count)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "mode %d: expected 1 .. %d", o->mode,
                            l->count);
    for (int j = 0; j < l->position_count; j++)
        for (int i = 0; i < q_count; i++)
            k->y[i] +=
                o->amplitude * l->shape_real[j + l->count * mode] * l->along[i + q_count * j];
    mc_multibody_normalise(k->m, k->y);
    mc_multibody_project(k->m, k->t, k->y);
    return MC_OK;
}

// About the equilibrium that is found from the start; about the start itself where there is none.
static mc_status take_mode(posed *k, const mc_render_options *o, mc_error *error)
{
    const size_t size = (size_t)mc_multibody_info_of(k->m)->y_count * sizeof *k->y;
    mc_error none;
    k->rest = malloc(size + sizeof *k->rest);
    if (!k->rest)
        return no_memory(error);
    mc_multibody_start(k->m, k->y);
    mc_status status = mc_multibody_assemble(k->m, 0.0, k->y, error);
    if (status != MC_OK)
        return status;
    memcpy(k->rest, k->y, size);
    k->t = 0.0;
    k->at_rest = mc_multibody_equilibrium(k->m, k->rest, NULL, NULL, &none) == MC_OK;
    if (!k->at_rest)
        memcpy(k->rest, k->y, size);
    status = mc_multibody_linearize(k->m, 0.0, k->rest, NULL, &k->linear, error);
    memcpy(k->y, k->rest, size);
    return status == MC_OK ? move(k, o, error) : status;
}

// ---- all of it ----

mc_status posed_take(posed *k, const double *y, mc_error *error)
{
    return mc_multibody_kinematics(k->m, k->t, y, k->places, error);
}

static mc_status make_room(posed *k, mc_error *error)
{
    mc_part_point point;
    k->body_count = mc_multibody_info_of(k->m)->body_count;
    while (mc_multibody_point(k->m, k->point_count, &point))
        k->point_count++;
    const size_t n = 18 * (size_t)k->body_count + 6 * (size_t)k->point_count;
    k->y = calloc((size_t)mc_multibody_info_of(k->m)->y_count + 1, sizeof *k->y);
    k->places = calloc(n + 1, sizeof *k->places);
    return k->y && k->places ? MC_OK : no_memory(error);
}

mc_status posed_open(posed *k, const char *path, const mc_render_options *o, mc_error *error)
{
    *k = (posed){0};
    results_reader *file = mc_multibody_is_model(path) ? NULL : results_reader_open(path, error);
    if (!file && !mc_multibody_is_model(path))
        return error->code;
    mc_status status = load(k, path, file, o, error);
    if (status == MC_OK)
        status = make_room(k, error);
    if (status == MC_OK)
        status = o->mode   ? take_mode(k, o, error)
                 : o->rest ? take_rest(k, error)
                 : file    ? read_results(k, path, file, o, error)
                           : read_start(k, o, error);
    if (status == MC_OK)
        status = posed_take(k, k->y, error);
    results_reader_free(file);
    return status;
}

void posed_close(posed *k)
{
    mc_linear_free(&k->linear);
    mc_multibody_free(k->m);
    free(k->y);
    free(k->rest);
    free(k->places);
    *k = (posed){0};
}
