// repeat.c - a part of a vehicle driven by what the whole vehicle did.
//
// The whole is run and the chassis recorded. Between two rows each of its six coordinates is the
// polynomial of degree 7 through the eight nearest rows; its coefficients are inputs of the derived
// part, whose chassis follows them by constraints. With rows h apart and a motion of frequency w
// the position is off by about 1e-3 (w h)^8 of its size.
#include "concept/concept.h"
#include "motorcade/multibody.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 8, POSE = 6, SHARED_MAX = 64 };

typedef struct side { // a mechanism and its state
    mc_multibody *m;
    double *y;
    int q_count;
} side;

typedef struct repetition {
    const mc_concept *c;
    side whole, part;
    double step, end;
    int row_count;
    int pose[7];                                   // x y z qw qx qy qz of the chassis in the whole
    int own[POSE];                                 // tx .. rz of the chassis in the part
    int in_whole[SHARED_MAX], in_part[SHARED_MAX]; // coordinates that both have
    int shared_count;
    double *record; // row_count x (POSE + shared_count)
    int rows;
} repetition;

static mc_status load(const mc_concept *c, const mc_concept_options *o, side *s, mc_error *error)
{
    const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
    char *text = mc_concept_mechanism(c, o, error);
    s->m = text ? mc_multibody_parse(text, c->file, &interpreted, error) : NULL;
    free(text);
    if (!s->m)
        return error->code;
    s->y = calloc((size_t)mc_multibody_info_of(s->m)->y_count + 1, sizeof s->y[0]);
    s->q_count = mc_multibody_info_of(s->m)->q_count;
    if (!s->y)
        return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the run");
    mc_multibody_start(s->m, s->y);
    return MC_OK;
}

static int find(const mc_multibody *m, mc_quantity quantity, const char *name)
{
    const char *own;
    for (int i = 0; (own = mc_multibody_name(m, quantity, i)); i++)
        if (strcmp(own, name) == 0)
            return i;
    return -1;
}

static mc_status match(repetition *r, mc_error *error)
{
    static const char *const free_names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    static const char *const own_names[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
    bool good = true;
    char name[64];
    for (int k = 0; k < 7; k++) {
        snprintf(name, sizeof name, "chassis.%s", free_names[k]);
        r->pose[k] = find(r->whole.m, MC_QUANTITY_COORDINATE, name);
        good = good && r->pose[k] >= 0;
    }
    for (int k = 0; k < POSE; k++) {
        snprintf(name, sizeof name, "chassis.%s", own_names[k]);
        r->own[k] = find(r->part.m, MC_QUANTITY_COORDINATE, name);
        good = good && r->own[k] >= 0;
    }
    if (!good)
        return mc_error_set(error, MC_BAD_INPUT, r->c->file, 0, 0,
                            "the assembly must be connected to the chassis, and only to it");
    const char *own;
    for (int i = 0; (own = mc_multibody_name(r->part.m, MC_QUANTITY_COORDINATE, i)); i++) {
        const int k = find(r->whole.m, MC_QUANTITY_COORDINATE, own);
        if (k < 0 || r->shared_count == SHARED_MAX)
            continue;
        r->in_part[r->shared_count] = i;
        r->in_whole[r->shared_count++] = k;
    }
    return MC_OK;
}

// ---- the whole ----

// Coordinates of the chassis in the part: R = Rx Ry Rz.
static void pose_of(const repetition *r, const double *y, double out[POSE])
{
    const double w = y[r->pose[3]], a = y[r->pose[4]], b = y[r->pose[5]], c = y[r->pose[6]];
    out[0] = y[r->pose[0]];
    out[1] = y[r->pose[1]];
    out[2] = y[r->pose[2]] + r->c->ground;
    out[3] = atan2(-2.0 * (b * c - w * a), 1.0 - 2.0 * (a * a + b * b));
    out[4] = asin(2.0 * (a * c + w * b));
    out[5] = atan2(-2.0 * (a * b - w * c), 1.0 - 2.0 * (b * b + c * c));
}

static void take_row(void *context, double t, const double *y)
{
    repetition *r = context;
    (void)t;
    if (r->rows >= r->row_count)
        return;
    double *row = r->record + (size_t)r->rows++ * (size_t)(POSE + r->shared_count);
    pose_of(r, y, row);
    for (int k = 0; k < r->shared_count; k++)
        row[POSE + k] = y[r->in_whole[k]];
}

static mc_status run(side *s, double from, double to, mc_error *error)
{
    const mc_simulate_options o = {
        .start = from, .end = to, .step = to - from, .rtol = 1e-13, .atol = 1e-14};
    return mc_simulate(s->m, &o, s->y, NULL, NULL, NULL, error);
}

static mc_status record(repetition *r, mc_error *error)
{
    mc_status status = mc_multibody_assemble(r->whole.m, 0.0, r->whole.y, error);
    for (int i = 0; i < r->row_count && status == MC_OK; i++) {
        if (i > 0)
            status = run(&r->whole, (i - 1) * r->step, i * r->step, error);
        take_row(r, i * r->step, r->whole.y);
    }
    return status;
}

// ---- the part ----

// Coefficients by powers of (t - at) of the polynomial through NODES values, h apart, the first at
// `first` steps from at: Newton's divided differences, multiplied out.
static void polynomial(const double *value, int stride, double first, double h, double out[NODES])
{
    double d[NODES], c[NODES] = {0};
    for (int i = 0; i < NODES; i++)
        d[i] = value[i * stride];
    for (int level = 1; level < NODES; level++)
        for (int i = NODES - 1; i >= level; i--)
            d[i] = (d[i] - d[i - 1]) / level;
    for (int i = NODES - 1; i >= 0; i--) { // c = c (s - x_i) + d_i, in steps
        for (int k = NODES - 1; k > 0; k--)
            c[k] = c[k - 1] - (first + i) * c[k];
        c[0] = d[i] - (first + i) * c[0];
    }
    double power = 1.0;
    for (int k = 0; k < NODES; k++, power *= h)
        out[k] = c[k] / power;
}

static mc_status set_motion(repetition *r, int row, mc_error *error)
{
    static const char *const names[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
    const int stride = POSE + r->shared_count;
    int first = row - NODES / 2 + 1;
    first = first < 0 ? 0 : first + NODES > r->row_count ? r->row_count - NODES : first;
    mc_status status = mc_multibody_set(r->part.m, "chassis_at", row * r->step, error);
    for (int k = 0; k < POSE && status == MC_OK; k++) {
        double c[NODES];
        polynomial(r->record + (size_t)first * (size_t)stride + k, stride, first - row, r->step, c);
        for (int n = 0; n < NODES && status == MC_OK; n++) {
            char name[64];
            snprintf(name, sizeof name, "chassis_%s_%d", names[k], n);
            status = mc_multibody_set(r->part.m, name, c[n], error);
        }
    }
    return status;
}

static void start_part(repetition *r)
{
    for (int k = 0; k < POSE; k++)
        r->part.y[r->own[k]] = r->record[k];
    for (int k = 0; k < r->shared_count; k++)
        r->part.y[r->in_part[k]] = r->record[POSE + k];
}

static void compare(const repetition *r, int row, mc_concept_repeat_report *out)
{
    const double *values = r->record + (size_t)row * (size_t)(POSE + r->shared_count);
    for (int k = 0; k < r->shared_count; k++) {
        const double apart = fabs(r->part.y[r->in_part[k]] - values[POSE + k]);
        if (out->worst[0] && !(apart > out->largest))
            continue;
        out->largest = apart;
        snprintf(out->worst, sizeof out->worst, "%s",
                 mc_multibody_name(r->part.m, MC_QUANTITY_COORDINATE, r->in_part[k]));
    }
}

static mc_status drive(repetition *r, mc_concept_repeat_report *out, mc_error *error)
{
    mc_status status = set_motion(r, 0, error);
    start_part(r);
    if (status == MC_OK)
        status = mc_multibody_assemble(r->part.m, 0.0, r->part.y, error);
    for (int i = 0; i + 1 < r->row_count && status == MC_OK; i++) {
        status = set_motion(r, i, error);
        if (status == MC_OK)
            status = run(&r->part, i * r->step, (i + 1) * r->step, error);
        compare(r, i + 1, out);
    }
    return status;
}

static void find_range(const repetition *r, mc_concept_repeat_report *out)
{
    for (int k = 0; k < r->shared_count; k++) {
        double low = INFINITY, high = -INFINITY;
        if (strcmp(out->worst,
                   mc_multibody_name(r->part.m, MC_QUANTITY_COORDINATE, r->in_part[k])) != 0)
            continue;
        for (int i = 0; i < r->rows; i++) {
            const double v =
                r->record[(size_t)i * (size_t)(POSE + r->shared_count) + POSE + (size_t)k];
            low = fmin(low, v), high = fmax(high, v);
        }
        out->moved = high - low;
    }
}

mc_status mc_concept_repeat(const mc_concept *c, const char *only, double end, double step,
                            mc_concept_repeat_report *out, mc_error *error)
{
    repetition r = {.c = c, .step = step, .end = end, .row_count = (int)lrint(end / step) + 1};
    const mc_concept_options cut = {.only = only, .cut = MC_CONCEPT_CUT_MOTION, .recorded = true};
    *out = (mc_concept_repeat_report){0};
    if (r.row_count < NODES)
        return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0,
                            "%d rows are too few; expected at least %d", r.row_count, NODES);
    mc_status status = load(c, NULL, &r.whole, error);
    if (status == MC_OK)
        status = load(c, &cut, &r.part, error);
    if (status == MC_OK)
        status = match(&r, error);
    if (status == MC_OK) {
        r.record = calloc((size_t)r.row_count * (size_t)(POSE + r.shared_count), sizeof(double));
        status = r.record ? record(&r, error)
                          : mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory");
    }
    if (status == MC_OK)
        status = drive(&r, out, error);
    if (status == MC_OK)
        find_range(&r, out);
    out->row_count = r.rows;
    out->coordinate_count = r.shared_count;
    mc_multibody_free(r.whole.m);
    mc_multibody_free(r.part.m);
    free(r.whole.y);
    free(r.part.y);
    free(r.record);
    return status;
}
