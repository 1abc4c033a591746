// mechanism.c - the vehicle bench: a mechanism read, moved through time, and its modes.
//
// Every request reads its file, sets the values it is asked with, and answers with the parts and
// with poses of all bodies: rows of a run, or phases of a mode. Nothing is kept in between, so that
// an answer depends on its request alone; files are small and derived in milliseconds. The work of
// a run is bounded by its rows and by the clock: what was reached by then is the answer.
#include "studio/request/requests.h"

#include "base/base64.h"
#include "motorcade/linear.h"
#include "motorcade/simulate.h"
#include "studio/hub/json.h"
#include "studio/request/files.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS_DEFAULT = 300, ROWS_MAX = 2000, POSE = 7, PHASES = 24, COLUMNS_MAX = 200 };
static const double LONGEST = 8.0; // s of real time that a run may take
static const double END = 5.0;     // s, of a file that gives none

typedef struct bench { // a mechanism at work for one request
    mc_multibody *m;
    double *y;
    double *kinematics; // of the last state: 18 numbers per body, then 6 per point
    int body_count, point_count;
    double *poses;   // rows of bodies: position and quaternion of each
    double *points;  // rows of points: position of each
    double *columns; // rows of columns
    double *times;   // of rows
    int rows, room;
    mc_simulate_column *column; // what each is
    int column_count;
    double since; // s of the clock
    mc_error error;
} bench;

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench_close(bench *b)
{
    mc_multibody_free(b->m);
    void *const all[] = {b->y, b->kinematics, b->poses, b->points, b->columns, b->times, b->column};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

// ---- the file and its values ----

static bool set_value(request *r, bench *b, const char *name, const json_t *value)
{
    char number[64];
    const char *text = json_string_value(value);
    if (json_is_number(value)) {
        snprintf(number, sizeof number, "%.17g", json_number_value(value));
        text = number;
    }
    if (!text) {
        request_reject(r, "values", "%.60s must be a number or a text such as \"90 deg\"", name);
        return false;
    }
    if (mc_simulate_set(b->m, b->y, name, text, &b->error) == MC_OK)
        return true;
    request_reject_error(r, &b->error);
    return false;
}

static bool set_values(request *r, bench *b)
{
    json_t *given = json_object_get(r->body, "values"), *value;
    const char *name;
    if (given && !json_is_object(given)) {
        request_reject(r, "values", "values must be an object, {\"chassis.mass\": 2300}");
        return false;
    }
    json_object_foreach(given, name, value)
    {
        if (!set_value(r, b, name, value))
            return false;
    }
    mc_multibody_normalise(b->m, b->y);
    return true;
}

static bool make_room(request *r, bench *b)
{
    int names = 0;
    while (mc_multibody_kinematics_name(b->m, names))
        names++;
    b->body_count = mc_multibody_info_of(b->m)->body_count;
    mc_part_point point;
    while (mc_multibody_point(b->m, b->point_count, &point))
        b->point_count++;
    b->kinematics = calloc((size_t)names + 1, sizeof *b->kinematics);
    if (names == 18 * b->body_count + 6 * b->point_count && b->kinematics)
        return true;
    request_reject(r, NULL, "no memory for the bench");
    return false;
}

static bool bench_open(request *r, bench *b)
{
    const char *file;
    char path[FILES_PATH_SIZE];
    *b = (bench){.since = clock_now()};
    if (!read_text(r, "file", 400, NULL, &file))
        return false;
    if (!files_path(r->h, file, path) || !mc_multibody_is_model(path)) {
        request_reject(r, "file", "%.200s is no mechanism in the folders of this studio", file);
        return false;
    }
    b->m = mc_multibody_load(path, NULL, &b->error);
    b->y = b->m ? calloc((size_t)mc_multibody_info_of(b->m)->y_count + 1, sizeof *b->y) : NULL;
    if (!b->y) {
        request_reject_error(r, &b->error);
        return false;
    }
    mc_multibody_start(b->m, b->y);
    if (!set_values(r, b))
        return false;
    if (mc_multibody_assemble(b->m, 0.0, b->y, &b->error) != MC_OK) {
        request_reject_error(r, &b->error);
        return false;
    }
    return make_room(r, b);
}

// ---- poses ----

// The quaternion (w, x, y, z) of axes as columns, w >= 0.
static void quaternion_of(const double *x, const double *y, const double *z, double out[4])
{
    const double squares[4] = {1.0 + x[0] + y[1] + z[2], 1.0 + x[0] - y[1] - z[2],
                               1.0 - x[0] + y[1] - z[2], 1.0 - x[0] - y[1] + z[2]};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        largest = squares[k] > squares[largest] ? k : largest;
    const double sums[4][4] = {
        {squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]},
        {y[2] - z[1], squares[1], x[1] + y[0], z[0] + x[2]},
        {z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1]},
        {x[1] - y[0], z[0] + x[2], y[2] + z[1], squares[3]},
    };
    const double scale = copysign(0.5 / sqrt(squares[largest]), sums[largest][0]);
    for (int k = 0; k < 4; k++)
        out[k] = scale * sums[largest][k];
}

static void take_pose(bench *b, double t, const double *y, double *poses, double *points)
{
    if (mc_multibody_kinematics(b->m, t, y, b->kinematics, &b->error) != MC_OK)
        return;
    for (int i = 0; i < b->body_count; i++) {
        const double *at = b->kinematics + 18 * i;
        memcpy(poses + POSE * i, at, 3 * sizeof *at);
        quaternion_of(at + 3, at + 6, at + 9, poses + POSE * i + 3);
    }
    const double *at = b->kinematics + 18 * b->body_count;
    for (int i = 0; i < b->point_count; i++)
        memcpy(points + 3 * i, at + 6 * i, 3 * sizeof *points);
}

static void put_numbers(json_t *out, const char *name, const double *values, size_t count)
{
    char *text = base64_text(values, count * sizeof *values);
    json_put(out, name, text ? json_string(text) : json_null());
    free(text);
}

static bool make_rows(request *r, bench *b, int rows)
{
    const size_t n = (size_t)rows + 1;
    b->room = rows;
    b->poses = calloc(n * POSE * ((size_t)b->body_count + 1), sizeof *b->poses);
    b->points = calloc(n * 3 * ((size_t)b->point_count + 1), sizeof *b->points);
    b->times = calloc(n, sizeof *b->times);
    b->columns = calloc(n * ((size_t)b->column_count + 1), sizeof *b->columns);
    if (b->poses && b->points && b->times && b->columns)
        return true;
    request_reject(r, NULL, "no memory for %d rows", rows);
    return false;
}

// ---- parts ----

static json_t *body_or_ground(const char *name)
{
    return name ? json_string(name) : json_null();
}

static void put_parts(const bench *b, json_t *out)
{
    json_t *bodies = json_array(), *points = json_array(), *springs = json_array();
    json_t *joints = json_array();
    mc_part_body body;
    for (int i = 0; mc_multibody_body(b->m, i, &body); i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(body.name));
        json_put(row, "inboard", body_or_ground(body.inboard));
        json_put(row, "joint", json_string(body.joint));
        json_put(row, "mass", json_value(body.mass));
        json_put(row, "centre", json_values(body.centre, 3));
        json_put(row, "inertia", json_values(body.inertia, 6));
        json_put(row, "round", json_integer(body.round));
        json_array_append_new(bodies, row);
    }
    mc_part_point point;
    for (int i = 0; mc_multibody_point(b->m, i, &point); i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(point.name));
        json_put(row, "body", body_or_ground(point.body));
        json_array_append_new(points, row);
    }
    mc_part_spring spring;
    for (int i = 0; mc_multibody_spring(b->m, i, &spring); i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(spring.name));
        json_put(row, "from", json_string(spring.from));
        json_put(row, "to", json_string(spring.to));
        json_put(row, "length", json_value(spring.length));
        json_array_append_new(springs, row);
    }
    mc_part_joint joint;
    for (int i = 0; mc_multibody_joint(b->m, i, &joint); i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(joint.name));
        json_put(row, "kind", json_string(joint.kind));
        json_put(row, "from", body_or_ground(joint.from));
        json_put(row, "to", body_or_ground(joint.to));
        json_put(row, "at", json_values(joint.at, 3));
        json_array_append_new(joints, row);
    }
    json_put(out, "bodies", bodies);
    json_put(out, "points", points);
    json_put(out, "springs", springs);
    json_put(out, "joints", joints);
}

// What can be set: parameters and inputs with their values now, start values of coordinates.
static json_t *settable(const bench *b)
{
    static const struct {
        mc_quantity quantity;
        const char *group;
    } groups[] = {{MC_QUANTITY_PARAMETER, "parameter"},
                  {MC_QUANTITY_INPUT, "input"},
                  {MC_QUANTITY_COORDINATE, "start"},
                  {MC_QUANTITY_VELOCITY, "start"}};
    json_t *list = json_array();
    const int q_count = mc_multibody_info_of(b->m)->q_count;
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        const mc_quantity quantity = groups[g].quantity;
        const char *name;
        for (int i = 0; (name = mc_multibody_name(b->m, quantity, i)); i++) {
            mc_simulate_about about;
            double value = NAN;
            mc_simulate_describe(b->m, quantity, i, &about);
            if (quantity == MC_QUANTITY_COORDINATE || quantity == MC_QUANTITY_VELOCITY)
                value = b->y[i + (quantity == MC_QUANTITY_VELOCITY ? q_count : 0)];
            else
                mc_multibody_get(b->m, name, &value, NULL);
            json_t *row = json_object();
            json_put(row, "name", json_string(name));
            json_put(row, "group", json_string(groups[g].group));
            json_put(row, "unit", json_string(about.unit));
            json_put(row, "doc", json_string(about.doc));
            json_put(row, "value", json_value(value));
            json_array_append_new(list, row);
        }
    }
    return list;
}

// ---- a run ----

static bool take_columns(request *r, bench *b)
{
    static const mc_quantity taken[] = {MC_QUANTITY_COORDINATE, MC_QUANTITY_VELOCITY,
                                        MC_QUANTITY_STATE, MC_QUANTITY_OUTPUT};
    b->column = calloc(COLUMNS_MAX, sizeof *b->column);
    if (!b->column) {
        request_reject(r, NULL, "no memory for the columns");
        return false;
    }
    for (size_t k = 0; k < sizeof taken / sizeof taken[0]; k++)
        for (int i = 0; b->column_count < COLUMNS_MAX && mc_multibody_name(b->m, taken[k], i); i++)
            b->column[b->column_count++] = (mc_simulate_column){taken[k], i};
    return true;
}

static void take_row(void *context, double t, const double *y, const double *outputs)
{
    bench *b = context;
    if (b->rows >= b->room)
        return;
    const size_t row = (size_t)b->rows;
    b->times[row] = t;
    take_pose(b, t, y, b->poses + row * POSE * (size_t)b->body_count,
              b->points + row * 3 * (size_t)b->point_count);
    for (int c = 0; c < b->column_count; c++)
        b->columns[row * (size_t)b->column_count + (size_t)c] =
            mc_simulate_value(b->m, b->column[c], y, outputs);
    b->rows++;
}

static bool too_long(void *context)
{
    const bench *b = context;
    return clock_now() - b->since > LONGEST;
}

static json_t *columns_of(const bench *b)
{
    json_t *list = json_array();
    for (int c = 0; c < b->column_count; c++) {
        const mc_simulate_column column = b->column[c];
        mc_simulate_about about;
        mc_simulate_describe(b->m, column.quantity, column.index, &about);
        json_t *row = json_object();
        json_put(row, "name", json_string(mc_multibody_name(b->m, column.quantity, column.index)));
        json_put(row, "unit", json_string(about.unit));
        json_put(row, "doc", json_string(about.doc));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *report_of(const mc_simulate_report *report, mc_status status)
{
    json_t *out = json_object();
    json_put(out, "method", json_string(report->method));
    json_put(out, "steps", json_integer(report->steps));
    json_put(out, "time", json_value(report->time));
    json_put(out, "seconds", json_value(report->seconds));
    json_put(out, "conserves", json_boolean(report->conserves));
    json_put(out, "drift", json_value(report->drift));
    json_put(out, "stopped", json_boolean(status == MC_INTERRUPTED));
    return out;
}

static void put_rows(const bench *b, json_t *out)
{
    const size_t rows = (size_t)b->rows;
    json_put(out, "rows", json_integer(b->rows));
    put_numbers(out, "t", b->times, rows);
    put_numbers(out, "poses", b->poses, rows * POSE * (size_t)b->body_count);
    put_numbers(out, "places", b->points, rows * 3 * (size_t)b->point_count);
}

static void run_bench(request *r, bench *b, double end, int rows)
{
    mc_simulate_options options = mc_simulate_defaults(b->m);
    const double given = options.end > 0.0 ? options.end : END;
    options.end = isnan(end) ? given : end;
    options.step = options.end / rows;
    options.rtol = 1e-7;
    json_t *list = settable(b); // of the start, which the run moves on
    const mc_simulate_output output = {.row = take_row, .context = b};
    const mc_watch watch = {.context = b, .stop = too_long};
    mc_simulate_report report = {0};
    const mc_status status = mc_simulate(b->m, &options, b->y, &output, &watch, &report, &b->error);
    if (status != MC_OK && (b->rows == 0 || status == MC_BAD_INPUT)) {
        json_decref(list);
        request_reject_error(r, &b->error);
        return;
    }
    json_t *out = json_object();
    json_put(out, "name", json_string(mc_multibody_info_of(b->m)->name));
    json_put(out, "end", json_value(options.end));
    put_parts(b, out);
    json_put(out, "settable", list);
    json_put(out, "columns", columns_of(b));
    put_rows(b, out);
    put_numbers(out, "values", b->columns, (size_t)b->rows * (size_t)b->column_count);
    json_put(out, "report", report_of(&report, status));
    json_put(out, "failed",
             status == MC_OK || status == MC_INTERRUPTED ? json_null()
                                                         : json_string(b->error.text));
    request_done(r, out);
}

void request_mechanism(request *r)
{
    bench b = {0};
    double end, rows;
    if (!read_optional(r, "end", 1e-6, 1e4, &end) ||
        !read_number(r, "rows", 1, ROWS_MAX, ROWS_DEFAULT, &rows))
        return;
    if (bench_open(r, &b) && take_columns(r, &b) && make_rows(r, &b, (int)rows + 2))
        run_bench(r, &b, end, (int)rows);
    bench_close(&b);
}

// ---- modes ----

// Poses over one period of mode k: the coordinates move by `amplitude` along its shape, whose
// largest entry is 1 m or 1 rad.
static void take_mode(bench *b, const mc_linear *linear, int k, double amplitude)
{
    const int q_count = mc_multibody_info_of(b->m)->q_count;
    const size_t n = (size_t)linear->count;
    double *y = malloc(((size_t)mc_multibody_info_of(b->m)->y_count + 1) * sizeof *y);
    if (!y)
        return;
    for (int phase = 0; phase < PHASES; phase++) {
        const double angle = 2.0 * acos(-1.0) * phase / PHASES;
        memcpy(y, linear->y, (size_t)mc_multibody_info_of(b->m)->y_count * sizeof *y);
        for (int j = 0; j < linear->position_count; j++) {
            const size_t at = (size_t)j + n * (size_t)k;
            const double moved = amplitude * (linear->shape_real[at] * cos(angle) -
                                              linear->shape_imaginary[at] * sin(angle));
            for (int i = 0; i < q_count; i++)
                y[i] += moved * linear->along[(size_t)i + (size_t)q_count * (size_t)j];
        }
        mc_multibody_normalise(b->m, y);
        mc_multibody_project(b->m, linear->t, y);
        const size_t row = (size_t)b->rows++;
        take_pose(b, linear->t, y, b->poses + row * POSE * (size_t)b->body_count,
                  b->points + row * 3 * (size_t)b->point_count);
    }
    free(y);
}

static json_t *modes_of(const mc_linear *linear)
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

static void answer_modes(request *r, bench *b, const mc_linear *linear, int mode, double amplitude,
                         const mc_equilibrium_report *rest)
{
    if (mode > linear->count) {
        request_reject(r, "mode", "mode is %d, expected 1 .. %d", mode, linear->count);
        return;
    }
    if (mode > 0)
        take_mode(b, linear, mode - 1, amplitude);
    json_t *out = json_object();
    json_put(out, "name", json_string(mc_multibody_info_of(b->m)->name));
    put_parts(b, out);
    json_put(out, "modes", modes_of(linear));
    json_put(out, "rest", json_boolean(rest->residual <= 1e-6));
    json_put(out, "residual", json_value(rest->residual));
    json_put(out, "mode", json_integer(mode));
    put_rows(b, out);
    request_done(r, out);
}

// `modes`: small motions about the equilibrium that the mechanism finds from its start; about the
// start itself where it finds none, and the answer says so.
void request_modes(request *r)
{
    bench b = {0};
    double mode, amplitude;
    if (!read_number(r, "mode", 0, 10000, 0, &mode) ||
        !read_number(r, "amplitude", 1e-6, 10, 0.1, &amplitude))
        return;
    if (bench_open(r, &b) && make_rows(r, &b, PHASES)) {
        mc_equilibrium_report rest = {0};
        mc_linear linear = {0};
        const int y_count = mc_multibody_info_of(b.m)->y_count;
        double *start = malloc(((size_t)y_count + 1) * sizeof *start);
        if (start)
            memcpy(start, b.y, (size_t)y_count * sizeof *start);
        if (start && mc_multibody_equilibrium(b.m, b.y, NULL, &rest, &b.error) != MC_OK)
            memcpy(b.y, start, (size_t)y_count * sizeof *start);
        if (start && mc_multibody_linearize(b.m, 0.0, b.y, NULL, &linear, &b.error) == MC_OK)
            answer_modes(r, &b, &linear, (int)mode, amplitude, &rest);
        else
            request_reject_error(r, &b.error);
        mc_linear_free(&linear);
        free(start);
    }
    bench_close(&b);
}
