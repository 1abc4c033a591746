// scaled_road.c - whether a concept answers to its road in proportion, and up to which height.
//
// The run over the road of the file is repeated with all heights scaled by s. With y(s) the column
// less its value at rest,
//
//   departure(s)   |y(s)/s - y(e)/e| / |y(e)/e|,   e = 0.05, r.m.s. over the run
//   homogeneity    departure(1);  it holds up to the s at which departure meets the tolerance
//   additivity     |y(all) - y(first bump) - y(others)| / |y(all)|
#include "analysis/motion.h"
#include "motorcade/concept.h"
#include "motorcade/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SMALL = 0.05, scales[] = {0.25, 0.5, 1.0, 1.5, 2.0};
enum { SCALES = sizeof scales / sizeof scales[0], BUMPS_MAX = 200, ROWS_MAX = 100000 };

static const mc_analysis_parameter parameters[] = {
    {"column", MC_ANALYSIS_FORM_TEXT, "", NULL, 0, 0,
     "what is looked at; default: the vertical acceleration of the first point, or of the chassis",
     false},
    {"tolerance", MC_ANALYSIS_FORM_NUMBER, "", "0.05", 1e-9, 1, "of what counts as linear", false},
    {"end", MC_ANALYSIS_FORM_NUMBER, "s", NULL, 1e-6, 1e6, "of the run; default: that of the file",
     false},
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "NAME=VALUE of a parameter or an input, or PLACE=VALUE of the concept", false},
};

typedef struct scaled {
    mc_multibody *m;
    mc_concept *c;
    motion column;
    mc_simulate_options run;
    double *rest; // the state
    double *y[3]; // responses
    int count, room;
    double *out; // where rows go
    const char *bump[BUMPS_MAX];
    double height[BUMPS_MAX];
    int bump_count;
} scaled;

static void take_row(void *context, double t, const double *y, const double *outputs)
{
    scaled *s = context;
    if (s->count < s->room)
        s->out[s->count++] = analysis_motion_value(&s->column, t, y, outputs);
}

static void list_bumps(analysis *a, scaled *s)
{
    mc_concept_bump b;
    for (int i = 0; mc_concept_bump_at(s->c, i, &b) && s->bump_count < BUMPS_MAX; i++)
        if (s->bump_count == 0 || strcmp(s->bump[s->bump_count - 1], b.name) != 0) {
            s->bump[s->bump_count] = b.name;
            s->height[s->bump_count++] = b.height;
        }
    if (s->bump_count == 0)
        analysis_reject(a, "the concept has no bumps: expected them under the key road");
}

// Whether a point is one of the concept's `points`: others are ends of springs and hubs.
static bool is_own(const char *name)
{
    const size_t n = strlen(name);
    return strncmp(name, "hub_", 4) != 0 && strncmp(name, "contact_", 8) != 0 &&
           !(n > 5 && strcmp(name + n - 5, "_from") == 0) &&
           !(n > 3 && strcmp(name + n - 3, "_to") == 0);
}

static void open_column(analysis *a, scaled *s)
{
    const char *word = analysis_text(a, "column"), *name;
    char made[160] = "chassis.acceleration.z";
    mc_part_point p;
    for (int i = 0; !word && mc_multibody_point(s->m, i, &p); i++)
        if (is_own(p.name)) {
            snprintf(made, sizeof made, "%.120s.acceleration.z", p.name);
            break;
        }
    name = word ? word : made;
    analysis_motion_open(a, s->m, name, &s->column);
    analysis_note(a, "column %s", name);
}

static void apply_sets(analysis *a, scaled *s)
{
    const char *set;
    for (int k = 0; a->status == MC_OK && (set = analysis_text_at(a, "set", k)); k++) {
        char name[128];
        const char *equals = strchr(set, '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - set) : 0, set);
        if (!equals)
            analysis_reject(a, "set: found \"%.60s\", expected NAME=VALUE", set);
        else
            a->status = mc_simulate_set(s->m, s->rest, name, equals + 1, a->error);
    }
}

static void open_all(analysis *a, scaled *s)
{
    s->c = mc_concept_load(a->file, a->error);
    s->m = s->c ? mc_multibody_load(a->file, NULL, a->error) : NULL;
    if (!s->m) {
        a->status = a->error->code;
        return;
    }
    s->run = mc_simulate_defaults(s->m);
    const double end = analysis_number(a, "end");
    s->run.end = isnan(end) ? s->run.end : end;
    const long long rows = mc_simulate_row_count(&s->run);
    if (rows < 8 || rows > ROWS_MAX) {
        analysis_reject(a, "the run has %lld rows; expected 8 to %d", rows, ROWS_MAX);
        return;
    }
    s->room = (int)rows;
    s->rest = calloc((size_t)mc_multibody_info_of(s->m)->y_count + 1, sizeof *s->rest);
    s->y[0] = calloc(3 * (size_t)rows, sizeof(double));
    if (!s->rest || !s->y[0]) {
        analysis_no_memory(a);
        return;
    }
    s->y[1] = s->y[0] + rows;
    s->y[2] = s->y[1] + rows;
    mc_multibody_start(s->m, s->rest);
    list_bumps(a, s);
    apply_sets(a, s);
    if (a->status == MC_OK)
        open_column(a, s);
    if (a->status == MC_OK)
        a->status = mc_multibody_equilibrium(s->m, s->rest, NULL, NULL, a->error);
}

static void close_all(scaled *s)
{
    analysis_motion_close(&s->column);
    mc_concept_free(s->c);
    if (s->m)
        mc_multibody_free(s->m);
    free(s->rest);
    free(s->y[0]);
}

// The run with the heights of bumps from..to-1 scaled and the others 0, into out.
static void drive(analysis *a, scaled *s, double scale, int from, int to, double *out)
{
    const size_t size = (size_t)mc_multibody_info_of(s->m)->y_count * sizeof(double);
    const mc_simulate_output output = {.row = take_row, .context = s};
    double *y = malloc(size + sizeof *y);
    if (!y)
        analysis_no_memory(a);
    for (int k = 0; k < s->bump_count && a->status == MC_OK; k++) {
        char name[128];
        snprintf(name, sizeof name, "%.100s_height", s->bump[k]);
        a->status = mc_multibody_set(s->m, name, k >= from && k < to ? scale * s->height[k] : 0.0,
                                     a->error);
    }
    if (a->status == MC_OK) {
        memcpy(y, s->rest, size);
        s->count = 0;
        s->out = out;
        a->status = mc_simulate(s->m, &s->run, y, &output, NULL, NULL, a->error);
    }
    for (int k = 1; k < s->count && a->status == MC_OK; k++)
        out[k] -= out[0];
    out[0] = 0.0;
    free(y);
}

static double size_of(const double *y, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += y[k] * y[k];
    return sqrt(sum / count);
}

static double departure(analysis *a, scaled *s, double scale)
{
    drive(a, s, scale, 0, s->bump_count, s->y[1]);
    const double size = size_of(s->y[0], s->count) / SMALL;
    for (int k = 0; k < s->count; k++)
        s->y[1][k] = s->y[1][k] / scale - s->y[0][k] / SMALL;
    return size > 0.0 ? size_of(s->y[1], s->count) / size : 0.0;
}

static double additivity(analysis *a, scaled *s)
{
    drive(a, s, 1.0, 0, s->bump_count, s->y[1]);
    const double size = size_of(s->y[1], s->count);
    for (int side = 0; side < 2 && a->status == MC_OK; side++) {
        drive(a, s, 1.0, side ? 1 : 0, side ? s->bump_count : 1, s->y[2]);
        for (int k = 0; k < s->count; k++)
            s->y[1][k] -= s->y[2][k];
    }
    return size > 0.0 ? size_of(s->y[1], s->count) / size : 0.0;
}

// The scale at which the departure meets the tolerance, between two rows of the table; INFINITY:
// none.
static double end_of(const double *found, double tolerance)
{
    for (int k = 0; k < SCALES; k++) {
        const double before = k ? found[k - 1] : 0.0, from = k ? scales[k - 1] : 0.0;
        if (found[k] > tolerance)
            return from + (scales[k] - from) * (tolerance - before) / (found[k] - before);
    }
    return INFINITY;
}

static void test(analysis *a, scaled *s)
{
    const double tolerance = analysis_number(a, "tolerance");
    double found[SCALES], sum = NAN;
    drive(a, s, SMALL, 0, s->bump_count, s->y[0]);
    if (a->status == MC_OK && !(size_of(s->y[0], s->count) > 0.0))
        analysis_reject(a, "the column does not answer to the road");
    for (int k = 0; k < SCALES && a->status == MC_OK; k++)
        found[k] = departure(a, s, scales[k]);
    if (s->bump_count > 1 && a->status == MC_OK)
        sum = additivity(a, s);
    if (a->status != MC_OK)
        return;
    analysis_table(a, "scaled road", "scale|departure");
    for (int k = 0; k < SCALES; k++)
        analysis_row(a, found[k] <= tolerance ? "linear" : "not linear",
                     (const double[]){scales[k], found[k]});
    const double end = end_of(found, tolerance);
    analysis_table(a, "verdict", "homogeneity|holds to scale|additivity");
    analysis_row(a, end >= 1.0 && !(sum > tolerance) ? "linear here" : "not linear here",
                 (const double[]){found[2], isfinite(end) ? end : NAN, sum});
    if (isfinite(end))
        analysis_note(a, "verdict: proportional within %g up to %.3g times the road", tolerance,
                      end);
    else
        analysis_note(a, "verdict: proportional within %g up to %g times the road and more",
                      tolerance, scales[SCALES - 1]);
    if (isnan(sum))
        analysis_note(a, "additivity needs two bumps of different names");
    else
        analysis_note(a, "additivity of %s and the other bumps: off by %.3g", s->bump[0], sum);
}

static void run(analysis *a)
{
    scaled s = {0};
    open_all(a, &s);
    if (a->status == MC_OK)
        test(a, &s);
    close_all(&s);
}

const analysis_kind analysis_scaled_road = {
    {"scaled_road", "a concept over its road scaled: departure from proportion, and a verdict",
     true, false, parameters, sizeof parameters / sizeof parameters[0], true},
    run};
