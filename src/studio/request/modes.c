// modes.c - small motions, rest and travel of a mechanism on the bench.
#include "studio/request/requests.h"

#include "motorcade/kinematics.h"
#include "motorcade/linear.h"
#include "studio/hub/inside.h"
#include "studio/request/bench.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PHASES = 24, HOLD_MAX = 200, TRAVEL_ROWS = 41, TRAVEL_MAX = 400, COLUMNS_MAX = 600 };
static const double SENSITIVITY_LONGEST = 3.0; // s of real time
static const double AT_REST = 0.01 * 9.81; // m/s2 or rad/s2, above which a state is no equilibrium

// ---- what can be held ----

// Coordinates by which a mechanism without a support is held: those of its free bodies first, then
// the others, then states.
static json_t *holdable(const mc_multibody *m)
{
    json_t *list = json_array();
    mc_part_body body;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; mc_multibody_body(m, i, &body); i++) {
            const bool free = strcmp(body.joint, "free") == 0;
            const size_t length = strlen(body.name);
            const char *name;
            for (int k = 0;
                 free == (pass == 0) && (name = mc_multibody_name(m, MC_QUANTITY_COORDINATE, k));
                 k++) {
                const bool own = strncmp(name, body.name, length) == 0 && name[length] == '.';
                const bool more = own && name[length + 1] == 'q' && name[length + 2] != 'w';
                if (own && !more) // one part of a quaternion holds it all
                    json_array_append_new(list, json_pack("{s:s,s:s,s:b}", "name", name, "body",
                                                          body.name, "free", free));
            }
        }
    const char *state; // of the user, such as a distance that keeps growing
    for (int k = 0; (state = mc_multibody_name(m, MC_QUANTITY_STATE, k)); k++)
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:b}", "name", state, "body", "", "free", false));
    return list;
}

// ---- rest ----

typedef struct resting {
    const char *hold[HOLD_MAX];
    int hold_count;
    double t;
    mc_equilibrium_report report;
    bool found;
    char why[300]; // not
} resting;

static bool find_rest(request *r, bench_work *w, resting *out)
{
    *out = (resting){0};
    if (!bench_read_names(r, "hold", out->hold, HOLD_MAX, &out->hold_count) ||
        !bench_work_seek(r, w, &out->t))
        return false;
    const mc_equilibrium_options options = {
        .t = out->t, .hold = out->hold, .hold_count = out->hold_count};
    const size_t size = (size_t)w->b->y_count * sizeof *w->y;
    double *start = malloc(size + sizeof *start);
    if (!start) {
        request_reject(r, NULL, "no memory for an equilibrium");
        return false;
    }
    memcpy(start, w->y, size);
    mc_error error = {0};
    const mc_status status = mc_multibody_equilibrium(w->m, w->y, &options, &out->report, &error);
    out->found = status == MC_OK;
    if (!out->found) {
        memcpy(w->y, start, size);
        snprintf(out->why, sizeof out->why, "%.290s", error.text);
    }
    free(start);
    if (status == MC_BAD_INPUT)
        request_reject_error(r, &error);
    return status != MC_BAD_INPUT;
}

// The largest acceleration at the state, with what is held taken as held.
static void put_rest(const bench_work *w, const resting *rest, json_t *out)
{
    json_put(out, "rest", json_boolean(rest->found && rest->report.residual <= AT_REST));
    json_put(out, "residual", json_value(rest->report.residual));
    json_put(out, "worst", json_string(rest->report.worst));
    json_put(out, "unheld", json_integer(rest->report.unheld_count));
    json_put(out, "why", rest->found ? json_null() : json_string(rest->why));
    json_put(out, "holdable", holdable(w->m));
}

static json_t *coordinates_of(const bench_work *w)
{
    json_t *list = json_array();
    const char *name;
    for (int i = 0; (name = mc_multibody_name(w->m, MC_QUANTITY_COORDINATE, i)); i++)
        json_array_append_new(list, json_pack("{s:s,s:s,s:f}", "name", name, "unit",
                                              mc_multibody_unit(w->m, MC_QUANTITY_COORDINATE, i),
                                              "value", w->y[i]));
    return list;
}

// On its wheels, where it has some.
static bool find_stand(request *r, bench_work *w, resting *out, mc_standing *on)
{
    *out = (resting){0};
    if (!bench_work_seek(r, w, &out->t))
        return false;
    const mc_status status = mc_multibody_stand(w->m, w->y, on, &w->error);
    out->found = status == MC_OK;
    out->report.residual = on->residual;
    if (!out->found)
        snprintf(out->why, sizeof out->why, "%.290s", w->error.text);
    return true;
}

static json_t *loads_of(const mc_standing *on)
{
    json_t *list = json_array();
    for (int k = 0; k < on->count; k++)
        json_array_append_new(
            list, json_pack("{s:s,s:o}", "body", on->wheel[k], "force", json_value(on->load[k])));
    return list;
}

// `rest`: the equilibrium that is found from the state at `at`; with `stand` that on its wheels.
void request_rest(request *r)
{
    bench_work w;
    bool stand;
    mc_standing on = {0};
    if (!read_flag(r, "stand", false, &stand))
        return;
    resting *rest = malloc(sizeof *rest);
    if (rest && bench_work_open(r, &w) && bench_work_reserve(r, &w, 1) &&
        (stand ? find_stand(r, &w, rest, &on) : find_rest(r, &w, rest))) {
        bench_work_pose(&w, rest->t, w.y);
        json_t *out = json_object();
        put_rest(&w, rest, out);
        json_put(out, "loads", rest->found ? loads_of(&on) : json_array());
        json_put(out, "coordinates", coordinates_of(&w));
        bench_put_rows(&w, out);
        request_done(r, out);
    }
    if (rest)
        bench_work_close(&w);
    free(rest);
}

// ---- modes ----

// Poses over one period of mode k: the coordinates move by `amplitude` along its shape, whose
// largest entry is 1 m or 1 rad.
static void take_mode(bench_work *w, const mc_linear *linear, int k, double amplitude)
{
    const int q_count = mc_multibody_info_of(w->m)->q_count;
    const size_t n = (size_t)linear->count;
    double *y = malloc(((size_t)w->b->y_count + 1) * sizeof *y);
    if (!y)
        return;
    for (int phase = 0; phase < PHASES; phase++) {
        const double angle = 2.0 * acos(-1.0) * phase / PHASES;
        memcpy(y, linear->y, (size_t)w->b->y_count * sizeof *y);
        for (int j = 0; j < linear->position_count; j++) {
            const size_t at = (size_t)j + n * (size_t)k;
            const double moved = amplitude * (linear->shape_real[at] * cos(angle) -
                                              linear->shape_imaginary[at] * sin(angle));
            for (int i = 0; i < q_count; i++)
                y[i] += moved * linear->along[(size_t)i + (size_t)q_count * (size_t)j];
        }
        mc_multibody_normalise(w->m, y);
        mc_multibody_project(w->m, linear->t, y);
        bench_work_pose(w, linear->t, y);
    }
    free(y);
}

json_t *bench_modes(const mc_linear *linear)
{
    json_t *list = json_array();
    for (int k = 0; k < linear->count; k++) {
        const mc_linear_mode *mode = &linear->modes[k];
        int leading = 0;
        for (int i = 1; i < linear->count; i++)
            if (linear->share[i + linear->count * k] > linear->share[leading + linear->count * k])
                leading = i;
        json_t *row = json_object();
        json_put(row, "number", json_integer(k + 1));
        json_put(row, "real", json_value(mode->real));
        json_put(row, "imaginary", json_value(mode->imaginary));
        json_put(row, "frequency", json_value(mode->frequency));
        json_put(row, "damping", json_value(mode->damping));
        json_put(row, "rigid", json_boolean(mode->rigid));
        json_put(row, "moves", json_string(linear->name[leading]));
        json_array_append_new(list, row);
    }
    return list;
}

static void answer_modes(request *r, bench_work *w, const mc_linear *linear, int mode,
                         double amplitude, const resting *rest)
{
    if (mode > linear->count) {
        request_reject(r, "mode", "mode is %d, expected 1 .. %d", mode, linear->count);
        return;
    }
    if (mode > 0)
        take_mode(w, linear, mode - 1, amplitude);
    json_t *out = json_object();
    json_put(out, "name", json_string(mc_multibody_info_of(w->m)->name));
    bench_put_parts(w, out);
    json_put(out, "modes", bench_modes(linear));
    put_rest(w, rest, out);
    json_put(out, "mode", json_integer(mode));
    bench_put_rows(w, out);
    request_done(r, out);
}

static bool find_modes(request *r, bench_work *w, resting *rest, mc_linear *out)
{
    if (!find_rest(r, w, rest))
        return false;
    const mc_linear_options options = {.hold = rest->hold, .hold_count = rest->hold_count};
    if (mc_multibody_linearize(w->m, rest->t, w->y, &options, out, &w->error) == MC_OK)
        return true;
    request_reject_error(r, &w->error);
    return false;
}

// `modes`: small motions about the equilibrium that the mechanism finds from the state at `at`;
// about that state itself where it finds none, and the answer says so.
void request_modes(request *r)
{
    bench_work w;
    double mode, amplitude;
    if (!read_number(r, "mode", 0, 10000, 0, &mode) ||
        !read_number(r, "amplitude", 1e-6, 10, 0.1, &amplitude))
        return;
    resting *rest = malloc(sizeof *rest);
    mc_linear linear = {0};
    if (rest && bench_work_open(r, &w) && bench_work_reserve(r, &w, PHASES) &&
        find_modes(r, &w, rest, &linear))
        answer_modes(r, &w, &linear, (int)mode, amplitude, rest);
    mc_linear_free(&linear);
    if (rest)
        bench_work_close(&w);
    free(rest);
}

// ---- sensitivities ----

// What a designer changes: named parameters, and of the numbers of the file those of springs and
// masses.
static bool is_of_interest(const char *name)
{
    static const char *const ends[] = {".mass", ".stiffness", ".damping", ".length"};
    const char *point = strrchr(name, '.');
    bool good = !point;
    for (size_t k = 0; point && k < sizeof ends / sizeof ends[0]; k++)
        good = good || strcmp(point, ends[k]) == 0;
    return good;
}

// d(lambda) of a mode for 10 % more of each parameter; those left out for lack of time are counted.
static json_t *sensitivities(bench_work *w, const mc_linear *linear, int mode, bool rest, int *left)
{
    json_t *list = json_array();
    const double since = hub_now();
    double *real = calloc(2 * (size_t)linear->count + 2, sizeof *real);
    const char *name;
    *left = 0;
    for (int i = 0; real && (name = mc_multibody_name(w->m, MC_QUANTITY_PARAMETER, i)); i++) {
        double value = 0.0, *imaginary = real + linear->count;
        if (!is_of_interest(name) || mc_multibody_get(w->m, name, &value, NULL) != MC_OK ||
            value == 0.0)
            continue;
        if (hub_now() - since > SENSITIVITY_LONGEST) {
            ++*left;
        } else if (mc_multibody_sensitivity(w->m, linear, name, rest, real, imaginary, NULL) ==
                       MC_OK &&
                   isfinite(real[mode]) && isfinite(imaginary[mode])) {
            json_array_append_new(list, json_pack("{s:s,s:f,s:f,s:f}", "name", name, "value", value,
                                                  "real", 0.1 * value * real[mode], "imaginary",
                                                  0.1 * value * imaginary[mode]));
        }
    }
    free(real);
    return list;
}

// `sensitivity`: how the eigenvalue of a mode changes with each parameter.
void request_sensitivity(request *r)
{
    bench_work w;
    double mode;
    if (!read_number(r, "mode", 1, 10000, NAN, &mode))
        return;
    resting *rest = malloc(sizeof *rest);
    mc_linear linear = {0};
    if (rest && bench_work_open(r, &w) && find_modes(r, &w, rest, &linear)) {
        int left;
        if ((int)mode > linear.count)
            request_reject(r, "mode", "mode is %d, expected 1 .. %d", (int)mode, linear.count);
        else {
            json_t *list = sensitivities(&w, &linear, (int)mode - 1, rest->found, &left);
            request_done(r, json_pack("{s:i,s:o,s:i}", "mode", (int)mode, "parameters", list,
                                      "left_out", left));
        }
    }
    mc_linear_free(&linear);
    if (rest)
        bench_work_close(&w);
    free(rest);
}

// ---- travel ----

typedef struct travelling {
    bench_work *w;
    double *values; // of rows
    int count, rows, room;
    const int *state; // column of each coordinate; -1: none
    double *y;
} travelling;

static void take_travel(void *context, double t, const double *values)
{
    travelling *k = context;
    (void)t;
    if (k->rows >= k->room)
        return;
    memcpy(k->values + (size_t)k->rows++ * (size_t)k->count, values,
           (size_t)k->count * sizeof *values);
    const int q_count = mc_multibody_info_of(k->w->m)->q_count;
    for (int i = 0; i < q_count; i++)
        if (k->state[i] >= 0)
            k->y[i] = values[k->state[i]];
    bench_work_pose(k->w, 0.0, k->y);
}

static int travel_columns(const mc_driven *d, const mc_multibody *m, mc_driven_column *columns,
                          int *state, json_t *list)
{
    int count = 0;
    while (count < COLUMNS_MAX && mc_driven_default(d, count, &columns[count]))
        count++;
    const char *name;
    for (int i = 0; (name = mc_multibody_name(m, MC_QUANTITY_COORDINATE, i)); i++)
        state[i] = -1;
    for (int c = 0; c < count; c++) {
        mc_driven_about about;
        mc_driven_describe(d, columns[c], &about);
        if (columns[c].kind == MC_DRIVEN_KIND_VALUE && !columns[c].drive &&
            columns[c].quantity == MC_QUANTITY_COORDINATE)
            state[columns[c].index] = c;
        json_array_append_new(list, json_pack("{s:s,s:s,s:s}", "name", about.name, "unit",
                                              about.unit, "doc", about.doc));
    }
    return count;
}

static void travel(request *r, bench_work *w, const mc_driven_options *options, int rows)
{
    mc_driven *d = mc_driven_create(w->m, w->y, options, &w->error);
    if (!d) {
        request_reject_error(r, &w->error);
        return;
    }
    mc_driven_column *columns = calloc(COLUMNS_MAX, sizeof *columns);
    int *state = calloc((size_t)w->b->y_count + 1, sizeof *state);
    json_t *list = json_array();
    travelling k = {.w = w, .state = state, .y = w->y, .room = rows};
    if (columns && state)
        k.count = travel_columns(d, w->m, columns, state, list);
    k.values = calloc((size_t)rows * (size_t)(k.count + 1), sizeof *k.values);
    const mc_driven_output output = {
        .columns = columns, .column_count = k.count, .row = take_travel, .context = &k};
    mc_driven_report report = {0};
    mc_status status = MC_NO_MEMORY;
    if (k.values && columns && state)
        status = mc_kinematics(d, rows, &output, NULL, &report, &w->error);
    if (k.rows == 0) {
        json_decref(list);
        request_reject_error(r, &w->error);
    } else {
        json_t *out = json_object();
        json_put(out, "columns", list);
        json_put(out, "failed", status == MC_OK ? json_null() : json_string(w->error.text));
        bench_put_rows(w, out);
        bench_put_numbers(out, "values", k.values, (size_t)k.rows * (size_t)k.count);
        request_done(r, out);
    }
    mc_driven_free(d);
    free(columns);
    free(state);
    free(k.values);
}

// `travel`: one thing is taken through values, and the mechanism closed at each of them.
void request_travel(request *r)
{
    bench_work w;
    const char *name, *hold[HOLD_MAX];
    int hold_count;
    double from, to, rows, t;
    bool geometry;
    if (!read_text(r, "drive", 200, NULL, &name) ||
        !read_number(r, "from", -1e6, 1e6, NAN, &from) ||
        !read_number(r, "to", -1e6, 1e6, NAN, &to) ||
        !read_number(r, "rows", 2, TRAVEL_MAX, TRAVEL_ROWS, &rows) ||
        !read_flag(r, "geometry", true, &geometry) ||
        !bench_read_names(r, "hold", hold, HOLD_MAX, &hold_count))
        return;
    json_object_del(r->body, "rows"); // of the travel, not of a run
    const mc_drive drive = {.name = name, .from = from, .to = to};
    const mc_driven_options options = {.drives = &drive,
                                       .drive_count = 1,
                                       .hold = hold,
                                       .hold_count = hold_count,
                                       .geometry = geometry};
    if (bench_work_open(r, &w) && bench_work_seek(r, &w, &t) &&
        bench_work_reserve(r, &w, (int)rows))
        travel(r, &w, &options, (int)rows);
    bench_work_close(&w);
}
