// manoeuvre.c - the table of manoeuvres, and the bench they are driven on.
#include "manoeuvre/manoeuvre.h"

#include "base/text.h"
#include "motorcade/observe.h"
#include "motorcade/run.h"
#include "motorcade/vehicle_type.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const manoeuvre_kind *const table[] = {&manoeuvre_iso3888_1,       &manoeuvre_iso3888_2,
                                              &manoeuvre_iso4138,         &manoeuvre_iso7401,
                                              &manoeuvre_sine_with_dwell, &manoeuvre_fishhook,
                                              &manoeuvre_brake_in_turn,   &manoeuvre_split_mu};

struct mc_manoeuvre_test {
    manoeuvre_bench bench;
};

const mc_manoeuvre *mc_manoeuvre_at(int index)
{
    return index >= 0 && index < MANOEUVRE_COUNT_OF(table) ? &table[index]->is : NULL;
}

const mc_manoeuvre *mc_manoeuvre_find(const char *name)
{
    for (int k = 0; k < MANOEUVRE_COUNT_OF(table); k++)
        if (strcmp(table[k]->is.name, name) == 0)
            return &table[k]->is;
    return NULL;
}

// ---- one drive ----

double manoeuvre_speed(const mc_manoeuvre_row *row)
{
    return hypot(row->v, row->v_y);
}

double manoeuvre_largest_slip(const manoeuvre_bench *b, int from, double above)
{
    double max = 0.0;
    for (int k = from; k < b->row_count; k++)
        if (manoeuvre_speed(&b->rows[k]) > above)
            max = fmax(max, fabs(atan2(b->rows[k].v_y, b->rows[k].v)));
    return max;
}

double manoeuvre_largest_a_y(const manoeuvre_bench *b, int from)
{
    double max = 0.0;
    for (int k = from; k < b->row_count; k++)
        max = fmax(max, fabs(b->rows[k].a_y));
    return max;
}

double manoeuvre_stop(const manoeuvre_bench *b, int from, int *row)
{
    double way = 0.0;
    for (*row = from; *row < b->row_count; ++*row) {
        const mc_manoeuvre_row *r = &b->rows[*row];
        if (*row > from)
            way += hypot(r->x - r[-1].x, r->y - r[-1].y);
        if (manoeuvre_speed(r) < 0.02)
            return way;
    }
    *row = b->row_count - 1;
    return NAN;
}

void manoeuvre_hold(double speed, char out[120])
{
    snprintf(out, 120, "2 [1/s]*(%.17g [m/s] - v)", speed);
}

static void take_row(const mc_run *run, mc_manoeuvre_row *out)
{
    mc_run_view view;
    mc_run_look(run, 0, &view);
    const mc_motion *m = &view.motion;
    *out = (mc_manoeuvre_row){.t = mc_run_time(run),
                              .x = m->x,
                              .y = m->y,
                              .psi = m->psi,
                              .v = m->v,
                              .v_y = m->v_y,
                              .yaw_rate = m->yaw_rate,
                              .steer = view.inputs.steer};
}

// w' + u r, w' by central differences.
static void fill_accelerations(manoeuvre_bench *b)
{
    const int n = b->row_count;
    for (int k = 0; k < n; k++) {
        const mc_manoeuvre_row *low = &b->rows[k > 0 ? k - 1 : 0];
        const mc_manoeuvre_row *high = &b->rows[k < n - 1 ? k + 1 : n - 1];
        b->rows[k].a_y =
            b->rows[k].v * b->rows[k].yaw_rate + (high->v_y - low->v_y) / (high->t - low->t);
    }
}

static mc_status step_through(manoeuvre_bench *b, mc_run *run, double end, mc_error *error)
{
    const int steps = (int)lround(end / mc_run_step_size(run));
    mc_manoeuvre_row *rows = realloc(b->rows, ((size_t)steps + 1) * sizeof *rows);
    if (!rows)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a manoeuvre");
    mc_run_vehicle_info info;
    mc_run_vehicle(run, 0, &info);
    b->length = info.length, b->width = info.width, b->middle = mc_run_middle(run, 0);
    b->rows = rows;
    take_row(run, &rows[0]);
    b->row_count = 1;
    mc_status status = MC_OK;
    for (int k = 0; k < steps && status == MC_OK; k++) {
        status = mc_run_step(run, error);
        if (status == MC_OK)
            take_row(run, &rows[b->row_count++]);
    }
    if (status == MC_OK)
        fill_accelerations(b);
    return status;
}

mc_status manoeuvre_drive_on(manoeuvre_bench *b, const manoeuvre_drive *d, mc_error *error)
{
    const int length =
        snprintf(b->text, sizeof b->text,
                 "motorcade: scenario\nname: %s\ntime: {end: %.17g, step: 0.01}\n"
                 "road: {lanes: 1, lane_width: 20%s%s}\nmodels:\n  car: %s\n"
                 "controllers:\n  test:\n    law: {acceleration: \"%s\"}\n    steering: %s\n"
                 "vehicles:\n  - {model: car, name: car, x: 0, v: %.17g, controller: test}\n",
                 b->is->name, d->end, d->friction ? ", friction: " : "",
                 d->friction ? d->friction : "", b->model, d->acceleration, d->steering, d->speed);
    if (length < 0 || (size_t)length >= sizeof b->text)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the model is too long");
    mc_scenario *s =
        mc_scenario_parse(b->text, (size_t)length, b->path ? b->path : "manoeuvre", error);
    if (!s)
        return error->code;
    const mc_run_options options = {.threads = 1, .interpret = true, .contact_off = true};
    mc_run *run = mc_run_create(s, &options, error);
    const mc_status status = run ? step_through(b, run, d->end, error) : error->code;
    mc_run_destroy(run);
    mc_scenario_free(s);
    return status;
}

// ---- tests ----

static mc_status set_param(manoeuvre_bench *b, const char *name, double value, mc_error *error)
{
    const char *names[MC_MANOEUVRE_PARAM_MAX];
    for (int k = 0; k < b->is->param_count; k++) {
        const mc_param *row = &b->is->params[k];
        names[k] = row->name;
        if (strcmp(row->name, name) != 0)
            continue;
        if (!(value >= row->min && value <= row->max))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s = %.9g: %s must be in %.9g .. %.9g" TEXT_UNIT, row->name, value,
                                row->doc, row->min, row->max, TEXT_UNIT_OF(row->unit));
        b->p[k] = value;
        return MC_OK;
    }
    const char *near = text_nearest(name, names, b->is->param_count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s has no parameter \"%s\"%s%s%s",
                        b->is->name, name, near ? "; did you mean \"" : "", near ? near : "",
                        near ? "\"?" : "");
}

mc_manoeuvre_test *mc_manoeuvre_run(const mc_manoeuvre *manoeuvre, const mc_manoeuvre_options *o,
                                    mc_error *error)
{
    mc_manoeuvre_test *t = calloc(1, sizeof *t);
    if (!t) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a manoeuvre");
        return NULL;
    }
    manoeuvre_bench *b = &t->bench;
    b->is = manoeuvre;
    b->model = o->model ? o->model : mc_vehicle_type_default()->name;
    b->path = o->path;
    for (int k = 0; k < manoeuvre->param_count; k++)
        b->p[k] = manoeuvre->params[k].fallback;
    for (int k = 0; k < MC_MANOEUVRE_FIGURE_MAX; k++)
        b->figure[k] = NAN;
    mc_status status = MC_OK;
    for (int k = 0; k < o->set_count && status == MC_OK; k++)
        status = set_param(b, o->set_names[k], o->set_values[k], error);
    for (int k = 0; k < MANOEUVRE_COUNT_OF(table) && status == MC_OK; k++)
        if (&table[k]->is == manoeuvre)
            status = table[k]->measure(b, error);
    if (status == MC_OK)
        return t;
    mc_manoeuvre_free(t);
    return NULL;
}

void mc_manoeuvre_free(mc_manoeuvre_test *t)
{
    if (t)
        free(t->bench.rows);
    free(t);
}

double mc_manoeuvre_value(const mc_manoeuvre_test *t, int figure)
{
    return t->bench.figure[figure];
}

double mc_manoeuvre_param(const mc_manoeuvre_test *t, int param)
{
    return t->bench.p[param];
}

const char *mc_manoeuvre_scenario(const mc_manoeuvre_test *t)
{
    return t->bench.text;
}

const mc_manoeuvre_row *mc_manoeuvre_rows(const mc_manoeuvre_test *t, int *count)
{
    *count = t->bench.row_count;
    return t->bench.rows;
}

const mc_manoeuvre_cone *mc_manoeuvre_cones(const mc_manoeuvre_test *t, int *count)
{
    *count = t->bench.cone_count;
    return t->bench.cones;
}
