// response.c - columns of a run of a mechanism over time, and what they would be if it moved
// slowly.
//
// Quasi-static: at each row the mechanism is at rest where it is - what is held keeps the value of
// the row - while every mass carries the acceleration a of the mass centre of the whole, so that
// gravity is g - a. The difference to the run is what the motion of the parts against each other
// adds. A vehicle on wheels stands where the row is, on its terrain: place, heading and turns of
// wheels are held, the tyre springs press, and the forces along the ground are those of the row.
#include "analysis/motion.h"
#include "analysis/series.h"
#include "motorcade/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 15, STATIC_MAX = 2000 };

static const mc_analysis_parameter parameters[] = {
    {"column", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "coordinate, output, BODY.acceleration.z, POINT.velocity, BODY.force ...; may be repeated",
     true},
    {"quasi_static", MC_ANALYSIS_FORM_WHOLE, "", "0", 0, 1,
     "1: also what each would be at rest under the mean acceleration of the row", false},
    {"hold", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "quasi_static: coordinate or state that keeps the value of the row", false},
    {"end", MC_ANALYSIS_FORM_NUMBER, "s", NULL, 1e-6, 1e6, "of the run; default: that of the file",
     false},
    {"step", MC_ANALYSIS_FORM_NUMBER, "s", NULL, 1e-6, 1e6, "between rows; default: of the file",
     false},
    {"engine", MC_ANALYSIS_FORM_TEXT, "", NULL, 0, 0,
     "equations or impulses; default: that of the file", false},
    {"method", MC_ANALYSIS_FORM_TEXT, "", NULL, 0, 0, "integrator of the engine equations", false},
    {"fixed_step", MC_ANALYSIS_FORM_NUMBER, "s", NULL, 1e-9, 1e3,
     "of impulses, or of a method with fixed steps", false},
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "NAME=VALUE of a parameter or an input", false},
};

typedef struct responding {
    mc_multibody *m;
    const mc_multibody_info *info;
    motion column[COLUMNS_MAX];
    int count;
    double *y;           // start
    double *rows, *time; // states and outputs of all rows
    size_t width;        // of a row
    long room, taken;
    mean_motion mean;
} responding;

static void keep_row(void *context, double t, const double *y, const double *outputs)
{
    responding *r = context;
    if (r->taken == r->room)
        return;
    double *row = r->rows + (size_t)r->taken * r->width;
    memcpy(row, y, (size_t)r->info->y_count * sizeof *y);
    memcpy(row + r->info->y_count, outputs, (size_t)r->info->output_count * sizeof *outputs);
    r->time[r->taken++] = t;
}

static void open_all(analysis *a, responding *r)
{
    const char *word;
    r->m = mc_multibody_load(a->file, NULL, a->error);
    if (!r->m) {
        a->status = a->error->code;
        return;
    }
    r->info = mc_multibody_info_of(r->m);
    r->y = malloc(((size_t)r->info->y_count + 1) * sizeof *r->y);
    if (!r->y) {
        analysis_no_memory(a);
        return;
    }
    mc_multibody_start(r->m, r->y);
    for (int k = 0; a->status == MC_OK && (word = analysis_text_at(a, "set", k)); k++) {
        char name[128];
        const char *equals = strchr(word, '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word) : 0, word);
        if (!equals)
            analysis_reject(a, "set: found \"%.60s\", expected NAME=VALUE", word);
        else
            a->status = mc_simulate_set(r->m, r->y, name, equals + 1, a->error);
    }
    for (; a->status == MC_OK && (word = analysis_text_at(a, "column", r->count)); r->count++) {
        if (r->count == COLUMNS_MAX)
            analysis_reject(a, "more than %d columns", COLUMNS_MAX);
        else
            analysis_motion_open(a, r->m, word, &r->column[r->count]);
    }
}

static void simulate(analysis *a, responding *r)
{
    mc_simulate_options o = mc_simulate_defaults(r->m);
    const double end = analysis_number(a, "end"), step = analysis_number(a, "step");
    o.end = isnan(end) ? o.end : end;
    o.step = isnan(step) ? o.step : step;
    o.engine = analysis_text(a, "engine");
    o.method = analysis_text(a, "method");
    if (analysis_text(a, "fixed_step"))
        o.fixed_step = analysis_number(a, "fixed_step");
    if (!(o.end > 0.0)) {
        analysis_reject(a, "neither its file nor --end says how long it runs");
        return;
    }
    r->room = (long)mc_simulate_row_count(&o);
    r->width = (size_t)r->info->y_count + (size_t)r->info->output_count;
    r->rows = malloc(((size_t)r->room * r->width + 1) * sizeof *r->rows);
    r->time = malloc(((size_t)r->room + 1) * sizeof *r->time);
    if (r->room <= 0 || !r->rows || !r->time) {
        analysis_no_memory(a);
        return;
    }
    const mc_simulate_output output = {.row = keep_row, .context = r};
    a->status = mc_multibody_settle(r->m, r->y, a->error);
    if (a->status == MC_OK)
        a->status = mc_simulate(r->m, &o, r->y, &output, NULL, NULL, a->error);
}

// Gravity with the acceleration of the row taken off; sign 0: as the file says.
static void set_gravity(responding *r, const double g[3], const double by[3])
{
    static const char *const names[] = {"gravity.x", "gravity.y", "gravity.z"};
    for (int k = 0; k < 3; k++)
        if (!isnan(g[k]))
            mc_multibody_set(r->m, names[k], g[k] - (by ? by[k] : 0.0), NULL);
}

// An acceleration of something that moves as the whole does.
static double steady(const motion *c, const double a[3])
{
    if (strcmp(c->unit, "m/s^2") != 0)
        return 0.0; // angular
    return c->part >= 0 ? a[c->part] : sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// The columns at rest under the load of a row.
static void at_rest(analysis *a, responding *r, const double g[3], const double accelerations[3],
                    double t, const double *row, double *y, double *values)
{
    const char *hold[16];
    int count = 0;
    double *outputs = y + r->info->y_count, *loads = outputs + r->info->output_count;
    const bool wheels = mc_multibody_wheel_count(r->m) > 0;
    while (count < 16 && (hold[count] = analysis_text_at(a, "hold", count)))
        count++;
    const mc_equilibrium_options rest = {.t = t,
                                         .hold = hold,
                                         .hold_count = count,
                                         .standing = wheels,
                                         .acceleration = wheels ? accelerations : NULL,
                                         .along = wheels ? row + r->info->y_count : NULL,
                                         .outputs = outputs,
                                         .loads = loads};
    memcpy(y, row, (size_t)r->info->y_count * sizeof *y);
    if (!wheels)
        set_gravity(r, g, accelerations);
    a->status = mc_multibody_equilibrium(r->m, y, &rest, NULL, a->error);
    for (int k = 0; k < r->count && a->status == MC_OK; k++) {
        motion c = r->column[k];
        c.under = loads;
        values[k] = c.kind == MOTION_RATE ? steady(&c, accelerations)
                                          : analysis_motion_value(&c, t, y, outputs);
    }
    set_gravity(r, g, NULL);
}

static void name_columns(analysis *a, const responding *r, bool still)
{
    char names[3000] = "t [s]";
    for (int side = 0; side < (still ? 2 : 1); side++)
        for (int k = 0; k < r->count; k++) {
            const size_t n = strlen(names);
            snprintf(names + n, sizeof names - n, "|%s%s [%s]", side ? "static " : "",
                     analysis_text_at(a, "column", k), r->column[k].unit);
        }
    analysis_table(a, "response", names);
    analysis_curves(a, false);
}

static void fill(analysis *a, responding *r)
{
    const bool still = analysis_number(a, "quasi_static") == 1.0;
    double g[3] = {NAN, NAN, NAN}, values[2 * COLUMNS_MAX + 1];
    static const char *const names[] = {"gravity.x", "gravity.y", "gravity.z"};
    double *y = malloc((r->width + (size_t)r->info->v_count + 1) * sizeof *y);
    if (!y) {
        analysis_no_memory(a);
        return;
    }
    if (still && r->taken > STATIC_MAX)
        analysis_reject(a, "quasi_static of %ld rows; expected at most %d: a longer --step helps",
                        r->taken, STATIC_MAX);
    if (still && a->status == MC_OK)
        analysis_mean_open(a, r->m, &r->mean);
    for (int k = 0; k < 3; k++)
        if (mc_multibody_get(r->m, names[k], &g[k], NULL) != MC_OK)
            g[k] = NAN;
    if (still && isnan(g[0]) && isnan(g[1]) && mc_multibody_wheel_count(r->m) == 0)
        analysis_note(a,
                      "gravity of the file is vertical: horizontal accelerations are not carried");
    name_columns(a, r, still);
    for (long i = 0; i < r->taken && a->status == MC_OK; i++) {
        const double *row = r->rows + (size_t)i * r->width, t = r->time[i];
        double mean[3];
        values[0] = t;
        for (int k = 0; k < r->count; k++)
            values[1 + k] = analysis_motion_value(&r->column[k], t, row, row + r->info->y_count);
        if (still) {
            analysis_mean_acceleration(&r->mean, t, row, mean);
            at_rest(a, r, g, mean, t, row, y, values + 1 + r->count);
        }
        analysis_row(a, NULL, values);
    }
    free(y);
}

static void run(analysis *a)
{
    responding r = {0};
    if (!analysis_is_mechanism(a)) {
        analysis_reject(a, "response needs a mechanism, a file that ends with .yaml");
        return;
    }
    open_all(a, &r);
    if (a->status == MC_OK)
        simulate(a, &r);
    if (a->status == MC_OK)
        fill(a, &r);
    for (int k = 0; k < r.count; k++)
        analysis_motion_close(&r.column[k]);
    analysis_mean_close(&r.mean);
    free(r.rows);
    free(r.time);
    free(r.y);
    if (r.m)
        mc_multibody_free(r.m);
}

const analysis_kind analysis_response = {
    {"response", "any body, point, spring or joint of a run over time, quasi-static too", true,
     false, parameters, sizeof parameters / sizeof parameters[0], false},
    run};
