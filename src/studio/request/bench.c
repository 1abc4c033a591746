// bench.c - what the requests of the bench share: a mechanism opened, posed and described.
#include "studio/request/bench.h"

#include "base/base64.h"
#include "motorcade/simulate.h"
#include "studio/request/files.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MAX = 2000, ROWS_MAX = 2000 };

void bench_work_close(bench_work *w)
{
    mc_multibody_free(w->m);
    bench_drop(w->b);
    void *const all[] = {w->y, w->kinematics, w->poses, w->points, w->times};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

// ---- what a request says ----

static bool read_vector(request *r, const json_t *list, const char *what, double out[3])
{
    for (size_t k = 0; k < 3; k++) {
        const json_t *value = json_array_get(list, k);
        out[k] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(out[k]) || fabs(out[k]) > 1e9) {
            request_reject(r, what, "%s must be a list of three numbers", what);
            return false;
        }
    }
    return true;
}

static bool read_push(request *r, const json_t *push, double t, bench_entry *e)
{
    const char *body = json_string_value(json_object_get(push, "body"));
    const json_t *at = json_object_get(push, "t");
    if (!body || (at && !json_is_number(at))) {
        request_reject(r, "pushes", "a push needs a body, and may have a time t, s");
        return false;
    }
    *e = (bench_entry){.t = at ? json_number_value(at) : t, .kind = BENCH_PUSH};
    snprintf(e->name, sizeof e->name, "%s", body);
    return read_vector(r, json_object_get(push, "at"), "at", e->at) &&
           read_vector(r, json_object_get(push, "force"), "force", e->force);
}

static bool read_value(request *r, const char *name, const json_t *value, double t, bench_entry *e)
{
    *e = (bench_entry){.t = t, .kind = BENCH_SET};
    snprintf(e->name, sizeof e->name, "%s", name);
    if (json_is_number(value))
        snprintf(e->value, sizeof e->value, "%.17g", json_number_value(value));
    else if (json_is_string(value) && strlen(json_string_value(value)) < sizeof e->value)
        snprintf(e->value, sizeof e->value, "%s", json_string_value(value));
    else
        request_reject(r, "values", "%.60s must be a number or a text such as \"90 deg\"", name);
    return e->value[0];
}

bool bench_read_entries(request *r, double t, bench_entry **out, int *count)
{
    json_t *values = json_object_get(r->body, "values"), *value;
    const json_t *pushes = json_object_get(r->body, "pushes");
    const size_t n = json_object_size(values) + json_array_size(pushes);
    const char *name;
    *count = 0;
    *out = NULL;
    if ((values && !json_is_object(values)) || (pushes && !json_is_array(pushes))) {
        request_reject(r, "values",
                       "values must be an object, {\"chassis.mass\": 2300}, pushes a list");
        return false;
    }
    *out = n <= ENTRIES_MAX ? calloc(n + 1, sizeof **out) : NULL;
    if (!*out) {
        request_reject(r, "values", "%zu values and pushes; expected at most %d", n, ENTRIES_MAX);
        return false;
    }
    json_object_foreach(values, name, value)
    {
        if (!read_value(r, name, value, t, &(*out)[(*count)++]))
            return false;
    }
    for (size_t k = 0; k < json_array_size(pushes); k++)
        if (!read_push(r, json_array_get(pushes, k), t, &(*out)[(*count)++]))
            return false;
    return true;
}

bool bench_read_names(request *r, const char *name, const char *out[], int max, int *count)
{
    const json_t *list = json_object_get(r->body, name);
    *count = 0;
    if (!list)
        return true;
    bool good = json_is_array(list) && (int)json_array_size(list) <= max;
    for (size_t k = 0; good && k < json_array_size(list); k++) {
        out[*count] = json_string_value(json_array_get(list, k));
        good = out[(*count)++];
    }
    if (!good)
        request_reject(r, name, "%s must be a list of at most %d names", name, max);
    return good;
}

// ---- opening ----

static bench *open_file(request *r)
{
    const char *file;
    char path[FILES_PATH_SIZE];
    double end, rows;
    bench_entry *entries = NULL;
    int count = 0;
    bench *b = NULL;
    if (!read_text(r, "file", 400, NULL, &file) || !read_optional(r, "end", 1e-6, 1e4, &end) ||
        !read_number(r, "rows", 1, ROWS_MAX, 300, &rows))
        return NULL;
    if (!files_path(r->h, file, path) || !mc_multibody_is_model(path)) {
        request_reject(r, "file", "%.200s is no mechanism in the folders of this studio", file);
        return NULL;
    }
    mc_error error = {0};
    if (bench_read_entries(r, 0.0, &entries, &count)) {
        b = bench_load_with(path, files_name(file), entries, count, end, (int)rows, &error);
        if (!b)
            request_reject_error(r, &error);
    }
    free(entries);
    return b;
}

static bench *open_world(request *r)
{
    branch *world;
    if (!read_branch(r, &world))
        return NULL;
    bench *b = bench_of(world);
    if (!b)
        request_reject(r, "world", "world %d is no mechanism on the bench", world->number);
    branch_drop(world);
    return b;
}

static bool make_room(request *r, bench_work *w)
{
    int names = 0;
    while (mc_multibody_kinematics_name(w->m, names))
        names++;
    w->body_count = mc_multibody_info_of(w->m)->body_count;
    mc_part_point point;
    while (mc_multibody_point(w->m, w->point_count, &point))
        w->point_count++;
    w->kinematics = calloc((size_t)names + 1, sizeof *w->kinematics);
    if (names == 18 * w->body_count + 6 * w->point_count && w->kinematics)
        return true;
    request_reject(r, NULL, "no memory for the bench");
    return false;
}

bool bench_work_open(request *r, bench_work *w)
{
    *w = (bench_work){0};
    w->b = json_object_get(r->body, "file") || !json_object_get(r->body, "world") ? open_file(r)
                                                                                  : open_world(r);
    if (!w->b)
        return false;
    w->y = calloc((size_t)w->b->y_count + 1, sizeof *w->y);
    w->m = w->y ? bench_make(w->b, w->y, &w->error) : NULL;
    if (w->m && mc_multibody_assemble(w->m, 0.0, w->y, &w->error) == MC_OK)
        return make_room(r, w);
    request_reject_error(r, &w->error);
    return false;
}

bool bench_work_seek(request *r, bench_work *w, double *t)
{
    if (!read_number(r, "at", 0.0, 1e6, 0.0, t))
        return false;
    if (*t <= 0.0)
        return true;
    const int row = bench_row_at(w->b, *t);
    *t = w->b->t[row];
    memcpy(w->y, w->b->y + (size_t)row * (size_t)w->b->y_count,
           (size_t)w->b->y_count * sizeof *w->y);
    if (bench_apply(w->b, w->m, NULL, 0.0, *t, &w->error))
        return true;
    request_reject_error(r, &w->error);
    return false;
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

bool bench_work_reserve(request *r, bench_work *w, int rows)
{
    const size_t n = (size_t)rows + 1;
    w->room = rows;
    w->poses = calloc(n * BENCH_POSE * ((size_t)w->body_count + 1), sizeof *w->poses);
    w->points = calloc(n * 3 * ((size_t)w->point_count + 1), sizeof *w->points);
    w->times = calloc(n, sizeof *w->times);
    if (w->poses && w->points && w->times)
        return true;
    request_reject(r, NULL, "no memory for %d rows", rows);
    return false;
}

void bench_work_pose(bench_work *w, double t, const double *y)
{
    if (w->rows >= w->room ||
        mc_multibody_kinematics(w->m, t, y, w->kinematics, &w->error) != MC_OK)
        return;
    const size_t row = (size_t)w->rows++;
    double *poses = w->poses + row * BENCH_POSE * (size_t)w->body_count;
    double *points = w->points + row * 3 * (size_t)w->point_count;
    w->times[row] = t;
    for (int i = 0; i < w->body_count; i++) {
        const double *at = w->kinematics + 18 * i;
        memcpy(poses + BENCH_POSE * i, at, 3 * sizeof *at);
        quaternion_of(at + 3, at + 6, at + 9, poses + BENCH_POSE * i + 3);
    }
    const double *at = w->kinematics + 18 * w->body_count;
    for (int i = 0; i < w->point_count; i++)
        memcpy(points + 3 * i, at + 6 * i, 3 * sizeof *points);
}

void bench_put_numbers(json_t *out, const char *name, const double *values, size_t count)
{
    char *text = base64_text(values, count * sizeof *values);
    json_put(out, name, text ? json_string(text) : json_null());
    free(text);
}

void bench_put_rows(const bench_work *w, json_t *out)
{
    const size_t rows = (size_t)w->rows;
    json_put(out, "rows", json_integer(w->rows));
    bench_put_numbers(out, "t", w->times, rows);
    bench_put_numbers(out, "poses", w->poses, rows * BENCH_POSE * (size_t)w->body_count);
    bench_put_numbers(out, "places", w->points, rows * 3 * (size_t)w->point_count);
}

// ---- parts ----

static json_t *body_or_ground(const char *name)
{
    return name ? json_string(name) : json_null();
}

static json_t *shapes_of(const bench_work *w, int body)
{
    json_t *list = json_array();
    mc_part_shape s;
    for (int i = 0; mc_multibody_shape(w->m, body, i, &s); i++) {
        json_t *row = json_object();
        json_put(row, "kind", json_string(mc_shape_kind_name((int)s.kind)));
        json_put(row, "finish", json_string(mc_shape_finish_name((int)s.finish)));
        json_put(row, "round", json_boolean(s.round));
        json_put(row, "made", json_boolean(s.made));
        json_put(row, "at", json_values(s.at, 3));
        json_put(row, "turn", json_values(s.turn, 4));
        json_put(row, "size", json_values(s.size, 3));
        double *points = calloc(3 * (size_t)s.point_count + 1, sizeof *points);
        int *faces = calloc(3 * (size_t)s.face_count + 1, sizeof *faces);
        if (points && faces && s.face_count > 0) {
            mc_multibody_shape_mesh(w->m, body, i, points, faces);
            json_put(row, "points", json_values(points, 3 * s.point_count));
            json_t *corners = json_array();
            for (int k = 0; k < 3 * s.face_count; k++)
                json_array_append_new(corners, json_integer(faces[k]));
            json_put(row, "faces", corners);
        }
        free(points);
        free(faces);
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *bodies_of(const bench_work *w)
{
    json_t *list = json_array();
    mc_part_body body;
    for (int i = 0; mc_multibody_body(w->m, i, &body); i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(body.name));
        json_put(row, "inboard", body_or_ground(body.inboard));
        json_put(row, "joint", json_string(body.joint));
        json_put(row, "at", json_values(body.at, 3));
        json_put(row, "frame", json_values(body.frame, 4));
        json_put(row, "axis", json_values(body.axis, 3));
        json_put(row, "stiffness", json_value(body.stiffness));
        json_put(row, "damping", json_value(body.damping));
        json_put(row, "mass", json_value(body.mass));
        json_put(row, "centre", json_values(body.centre, 3));
        json_put(row, "inertia", json_values(body.inertia, 6));
        json_put(row, "round", json_integer(body.round));
        json_put(row, "shapes", shapes_of(w, i));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *springs_of(const bench_work *w)
{
    json_t *list = json_array();
    mc_part_spring spring;
    for (int i = 0; mc_multibody_spring(w->m, i, &spring); i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(spring.name));
        json_put(row, "from", json_string(spring.from));
        json_put(row, "to", json_string(spring.to));
        json_put(row, "length", json_value(spring.length));
        json_put(row, "stiffness", json_value(spring.stiffness));
        json_put(row, "damping", json_value(spring.damping));
        json_put(row, "formula", json_boolean(spring.formula));
        json_array_append_new(list, row);
    }
    return list;
}

void bench_put_parts(const bench_work *w, json_t *out)
{
    json_t *points = json_array(), *joints = json_array();
    mc_part_point point;
    for (int i = 0; mc_multibody_point(w->m, i, &point); i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(point.name));
        json_put(row, "body", body_or_ground(point.body));
        json_array_append_new(points, row);
    }
    mc_part_joint joint;
    for (int i = 0; mc_multibody_joint(w->m, i, &joint); i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(joint.name));
        json_put(row, "kind", json_string(joint.kind));
        json_put(row, "from", body_or_ground(joint.from));
        json_put(row, "to", body_or_ground(joint.to));
        json_put(row, "at", json_values(joint.at, 3));
        json_put(row, "to_at", json_values(joint.to_at, 3));
        json_put(row, "frame", json_values(joint.frame, 4));
        json_put(row, "axis", json_values(joint.axis, 3));
        json_array_append_new(joints, row);
    }
    json_put(out, "bodies", bodies_of(w));
    json_put(out, "points", points);
    json_put(out, "springs", springs_of(w));
    json_put(out, "joints", joints);
}

// What can be set: parameters and inputs with their values now, start values of coordinates.
json_t *bench_settable(const bench_work *w)
{
    static const struct {
        mc_quantity quantity;
        const char *group;
    } groups[] = {{MC_QUANTITY_PARAMETER, "parameter"},
                  {MC_QUANTITY_INPUT, "input"},
                  {MC_QUANTITY_COORDINATE, "start"},
                  {MC_QUANTITY_VELOCITY, "start"}};
    json_t *list = json_array();
    const int q_count = mc_multibody_info_of(w->m)->q_count;
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        const mc_quantity quantity = groups[g].quantity;
        const char *name;
        for (int i = 0; (name = mc_multibody_name(w->m, quantity, i)); i++) {
            mc_simulate_about about;
            double value = NAN;
            mc_simulate_describe(w->m, quantity, i, &about);
            if (quantity == MC_QUANTITY_COORDINATE || quantity == MC_QUANTITY_VELOCITY)
                value = w->y[i + (quantity == MC_QUANTITY_VELOCITY ? q_count : 0)];
            else
                mc_multibody_get(w->m, name, &value, NULL);
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
