// kinematics.c - rows of a driven mechanism: columns by name, quasi-static and prescribed motion.
#include "driven/driven.h"

#include "motorcade/simulate.h"
#include "record/csv.h"
#include "record/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the rows");
}

// ---- columns -----------------------------------------------------------------------------------

static const char *tail_of(const char *name, const char *head)
{
    const size_t length = strlen(head);
    return strncmp(name, head, length) == 0 ? name + length : NULL;
}

// The mechanism's outputs from this one on are loads of joints and constraints.
static int first_load(const mc_driven *d)
{
    const mb_model *model = &d->m->model;
    return model->variable_count + 3 + 2 * model->spring_count + 3 * model->point_count;
}

static bool is_load(const mc_driven *d, int i)
{
    return i >= first_load(d) && i < d->m->output_count;
}

static mc_status no_loads(const char *name, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "%.100s is not known: geometry is asked for without loads", name);
}

static mc_status find_load(const mc_driven *d, const char *name, mc_driven_column *out,
                           mc_error *error)
{
    char list[300] = "";
    if (d->geometry)
        return no_loads(name, error);
    for (int i = 0; i < d->item_count; i++) {
        const driven_item *item = &d->item[i];
        const bool loaded = item->what != DRIVEN_INPUT;
        if (loaded && strcmp(item->name, name) == 0) {
            *out = (mc_driven_column){.kind = MC_DRIVEN_KIND_LOAD, .index = i};
            return MC_OK;
        }
        if (loaded && strlen(list) + strlen(item->name) + 4 < sizeof list)
            sprintf(list + strlen(list), "%s%s", list[0] ? ", " : "", item->name);
    }
    return mc_error_set(
        error, MC_BAD_INPUT, NULL, 0, 0,
        "load:%.80s: nothing of that name is driven or held by a force; expected %s", name,
        list[0] ? list : "none: inputs take no force");
}

mc_status mc_driven_column_find(const mc_driven *d, const char *name, mc_driven_column *out,
                                mc_error *error)
{
    const char *rate = tail_of(name, "rate:"), *load = tail_of(name, "load:");
    if (load)
        return find_load(d, load, out, error);
    *out = (mc_driven_column){.kind = rate ? MC_DRIVEN_KIND_RATE : MC_DRIVEN_KIND_VALUE};
    name = rate ? rate : name;
    for (int i = 0; i < d->drive_count; i++)
        if (!d->item[i].named && strcmp(d->item[i].name, name) == 0) {
            out->drive = true;
            out->index = i;
            return MC_OK;
        }
    const mc_status status = driven_find(d, name, &out->quantity, &out->index, error);
    if (status != MC_OK)
        return status;
    if (out->quantity == MC_QUANTITY_PARAMETER || out->quantity == MC_QUANTITY_INPUT)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s stays as it is set; expected a coordinate, an output or a drive",
                            name);
    if (rate && out->quantity == MC_QUANTITY_STATE)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "rate:%s: states keep their values",
                            name);
    const bool loaded = out->quantity == MC_QUANTITY_OUTPUT && is_load(d, out->index);
    if (rate && loaded)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "rate:%s: rates of loads are not supported", name);
    return loaded && d->geometry ? no_loads(name, error) : MC_OK;
}

// "m" by "rad": "m/rad".
static void divide_unit(char unit[48], const char *by)
{
    const bool plain = !by[0] || !unit[0] || strcmp(by, "-") == 0; // or not known
    if (!plain && strcmp(unit, "-") == 0)
        snprintf(unit, 48, "1");
    if (!plain && strcmp(unit, by) == 0)
        snprintf(unit, 48, "-");
    else if (!plain && strlen(unit) + strlen(by) + 6 < 48)
        sprintf(unit + strlen(unit), strpbrk(by, "/* ") ? "/(%s)" : "/%s", by);
}

static void describe_load(const mc_driven *d, int i, mc_driven_about *out)
{
    const driven_item *item = &d->item[i];
    snprintf(out->name, sizeof out->name, "load:%s", item->name);
    snprintf(out->unit, sizeof out->unit, "%s",
             strcmp(item->unit, "m") == 0     ? "N"
             : strcmp(item->unit, "rad") == 0 ? "N m"
             : strcmp(item->unit, "-") == 0   ? "N m"
                                              : "");
    snprintf(out->doc, sizeof out->doc, "load that %s %s", item->drive >= 0 ? "drives" : "holds",
             item->name);
}

void mc_driven_describe(const mc_driven *d, mc_driven_column column, mc_driven_about *out)
{
    *out = (mc_driven_about){0};
    if (column.kind == MC_DRIVEN_KIND_LOAD) {
        describe_load(d, column.index, out);
        return;
    }
    char name[128];
    if (column.drive) {
        snprintf(name, sizeof name, "%s", d->item[column.index].name);
        snprintf(out->unit, sizeof out->unit, "%s", d->item[column.index].unit);
        snprintf(out->doc, sizeof out->doc, "value of the drive");
    } else if (column.quantity == MC_QUANTITY_OUTPUT && column.index >= d->m->output_count) {
        const driven_let *let = &d->let[column.index - d->m->output_count];
        snprintf(name, sizeof name, "%s", let->name);
        snprintf(out->unit, sizeof out->unit, "%s", let->unit);
    } else {
        mc_simulate_about about;
        mc_simulate_describe(d->m, column.quantity, column.index, &about);
        snprintf(name, sizeof name, "%s", mc_multibody_name(d->m, column.quantity, column.index));
        snprintf(out->unit, sizeof out->unit, "%s", about.unit);
        snprintf(out->doc, sizeof out->doc, "%s", about.doc);
    }
    const bool rate = column.kind == MC_DRIVEN_KIND_RATE;
    snprintf(out->name, sizeof out->name, "%s%s", rate ? "rate:" : "", name);
    if (!rate)
        return;
    divide_unit(out->unit, d->timed ? "s" : d->item[0].unit);
    snprintf(out->doc, sizeof out->doc, "derivative of %.100s by %.60s", name,
             d->timed ? "time" : d->item[0].name);
}

bool mc_driven_default(const mc_driven *d, int place, mc_driven_column *out)
{
    mc_error unused;
    if (place < d->drive_count)
        return mc_driven_column_find(d, d->item[place].name, out, &unused) == MC_OK;
    place -= d->drive_count;
    for (int i = 0; i < d->drive_count && !d->geometry; i++)
        if (d->item[i].what != DRIVEN_INPUT && place-- == 0) {
            *out = (mc_driven_column){.kind = MC_DRIVEN_KIND_LOAD, .index = i};
            return true;
        }
    const mc_multibody_info *info = &d->m->info;
    const bool output = place >= info->q_count;
    *out = (mc_driven_column){.quantity = output ? MC_QUANTITY_OUTPUT : MC_QUANTITY_COORDINATE,
                              .index = output ? place - info->q_count : place};
    if (output && d->geometry && out->index >= first_load(d))
        out->index += d->m->output_count - first_load(d);
    return !output || out->index < info->output_count + d->let_count;
}

// ---- a run -------------------------------------------------------------------------------------

typedef struct rig {
    mc_driven *d;
    const mc_driven_output *output;
    mc_driven_report *report;
    mc_driven_column *column;
    int column_count;
    results_column *named;
    mc_driven_about *about;
    double *row;
    record_csv *csv;
    record_table table;
    record *record;
} rig;

// The outputs whose rates are asked for, as formulas of the rates of everything they depend on.
static mc_status build_rates(rig *r, mc_error *error)
{
    mc_driven *d = r->d;
    const mb_system *s = &d->m->system;
    expr_graph *g = s->graph;
    driven_code_free(&d->rates);
    d->rated_count = 0;
    d->rated = arena_alloc(&d->memory, ((size_t)r->column_count + 1) * sizeof *d->rated);
    expr_id *seed = calloc((size_t)expr_input_count(g) + 1, sizeof *seed);
    expr_id *node = calloc((size_t)r->column_count + 1, sizeof *node);
    int *input = calloc((size_t)d->x_count + 1, sizeof *input), variables = 0;
    mc_status status = d->rated && seed && node && input ? MC_OK : no_memory(error);
    for (int k = 0; status == MC_OK && k < expr_input_count(g); k++)
        if (expr_input_class(g, k) == EXPR_VARIABLE && variables < d->x_count)
            input[variables++] = k;
    // In x: q, v, states, t, inputs; at at_along: rates of q, v, t, inputs.
    for (int i = 0; status == MC_OK && i < mb_at_tau(s); i++) {
        const int moving = s->q_count + s->v_count;
        const int at = i < moving ? i : i - s->state_count;
        if (i < moving || i >= s->y_count)
            seed[input[i]] = expr_input_node(g, input[d->at_along + at]);
    }
    expr_direction *along = status == MC_OK ? expr_direction_create(g, seed) : NULL;
    if (status == MC_OK && !along)
        status = no_memory(error);
    for (int k = 0; k < r->column_count && status == MC_OK; k++) {
        const mc_driven_column *c = &r->column[k];
        if (c->kind == MC_DRIVEN_KIND_RATE && !c->drive && c->quantity == MC_QUANTITY_OUTPUT) {
            d->rated[d->rated_count] = c->index;
            node[d->rated_count++] = expr_along(along, driven_output(d, c->index));
        }
    }
    expr_direction_destroy(along);
    if (status == MC_OK)
        status = expr_graph_status(g, error);
    if (status == MC_OK && d->rated_count)
        status = driven_build(d, node, d->rated_count, &d->rates, error);
    free(seed);
    free(node);
    free(input);
    return status;
}

static void fill_motion(void *context, int object, double *row)
{
    (void)object;
    const rig *r = context;
    memcpy(row, r->row, (size_t)r->column_count * sizeof *row);
}

static mc_status open_files(rig *r, int rows, mc_error *error)
{
    const mc_driven_output *output = r->output;
    if (output->csv && !(r->csv = record_csv_open(output->csv, r->named, r->column_count, error)))
        return error->code;
    if (!output->hdf5)
        return MC_OK;
    r->table = (record_table){"motion", r->named, r->column_count, fill_motion};
    const record_source source = {.kind = r->d->timed ? "inverse" : "kinematics",
                                  .command = output->command,
                                  .context = r,
                                  .object_count = 1,
                                  .object_names = &r->d->m->info.name,
                                  .tables = &r->table,
                                  .table_count = 1,
                                  .row_count = rows};
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", r->d->m->info.hash);
    r->record = record_new(output->hdf5, &source, error);
    if (!r->record)
        return error->code;
    mc_status status = results_set_text(record_file(r->record), "model", r->d->m->info.name, error);
    if (status == MC_OK)
        status = results_set_text(record_file(r->record), "model_hash", hash, error);
    return status == MC_OK ? record_begin(r->record, error) : status;
}

static mc_status open_rig(rig *r, int rows, mc_error *error)
{
    mc_driven_column column;
    r->column_count = r->output->columns ? r->output->column_count : 0;
    while (!r->output->columns && mc_driven_default(r->d, r->column_count, &column))
        r->column_count++;
    const size_t n = (size_t)r->column_count + 1;
    r->column = calloc(n, sizeof *r->column);
    r->named = calloc(n, sizeof *r->named);
    r->about = calloc(n, sizeof *r->about);
    r->row = calloc(n, sizeof *r->row);
    if (!r->column || !r->named || !r->about || !r->row)
        return no_memory(error);
    for (int k = 0; k < r->column_count; k++) {
        if (r->output->columns)
            r->column[k] = r->output->columns[k];
        else
            mc_driven_default(r->d, k, &r->column[k]);
        mc_driven_describe(r->d, r->column[k], &r->about[k]);
        r->named[k] = (results_column){r->about[k].name, r->about[k].unit, r->about[k].doc};
    }
    const mc_status status = build_rates(r, error);
    return status == MC_OK ? open_files(r, rows, error) : status;
}

static mc_status close_rig(rig *r, bool keep, const char *ended, mc_error *error)
{
    mc_status status = record_csv_close(r->csv, keep, error);
    if (r->record && keep) {
        mc_error second;
        const mc_status end = record_end(r->record, ended, &second);
        if (status == MC_OK && end != MC_OK) {
            status = end;
            *error = second;
        }
    }
    record_free(r->record);
    free(r->column);
    free(r->named);
    free(r->about);
    free(r->row);
    return status;
}

// ---- a row -------------------------------------------------------------------------------------

// Forces, rates and outputs at the position in d->x.
static bool evaluate(rig *r)
{
    mc_driven *d = r->d;
    const mb_system *s = &d->m->system;
    const int n = s->v_count, q = s->q_count;
    double speed[d->drive_count + 1], *along = d->x + d->at_along;
    for (int i = 0; i < d->drive_count; i++) // by the first drive
        speed[i] = (d->to[i] - d->from[i]) / (d->to[0] - d->from[0]);
    driven_along(d, d->timed ? NULL : speed);
    memset(d->x + q, 0, (size_t)n * sizeof *d->x);
    if (d->timed)
        memcpy(d->x + q, d->along, (size_t)n * sizeof *d->x);
    driven_directions(d, d->x);
    if (!driven_forces(d))
        return false;
    memset(along, 0, (size_t)(q + n + 1 + s->input_count) * sizeof *along);
    mb_assembly_rates(d->assembly, d->x, d->along, along);
    if (d->timed) {
        memcpy(along + q, d->vdot, (size_t)n * sizeof *along);
        along[q + n] = 1.0;
    }
    for (int i = 0; !d->timed && i < d->drive_count; i++)
        if (d->item[i].what == DRIVEN_INPUT)
            along[q + n + 1 + d->item[i].input] = speed[i];
    if (d->rated_count)
        driven_run(d, &d->rates);
    mc_multibody_outputs_under(d->m, d->x[mb_at_time(s)], d->x, d->tau, d->outputs);
    if (d->let_count) {
        driven_run(d, &d->lets);
        memcpy(d->outputs + d->m->output_count, d->lets.out,
               (size_t)d->let_count * sizeof *d->outputs);
    }
    d->rest = 0.0;
    for (int k = 0; !d->timed && !d->geometry && k < n; k++)
        d->rest = fmax(d->rest, fabs(d->vdot[k]));
    return true;
}

static double value_of(const rig *r, const mc_driven_column *c, int *rated)
{
    const mc_driven *d = r->d;
    const double *along = d->x + d->at_along;
    const bool rate = c->kind == MC_DRIVEN_KIND_RATE;
    if (c->kind == MC_DRIVEN_KIND_LOAD)
        return d->item[c->index].what == DRIVEN_CONSTRAINT ? d->outputs[d->item[c->index].load]
                                                           : d->mu[c->index];
    if (c->drive)
        return rate ? (d->to[c->index] - d->from[c->index]) / (d->to[0] - d->from[0])
                    : d->x[d->at_target + c->index];
    if (!rate)
        return mc_simulate_value(d->m, (mc_simulate_column){c->quantity, c->index}, d->x,
                                 d->outputs);
    if (c->quantity == MC_QUANTITY_OUTPUT)
        return d->rates.out[(*rated)++];
    return along[c->quantity == MC_QUANTITY_COORDINATE ? c->index : d->m->info.q_count + c->index];
}

static mc_status take_row(rig *r, double t, mc_error *error)
{
    mc_driven *d = r->d;
    int rated = 0;
    if (!evaluate(r))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "the loads at %s = %g are not determined",
                            d->item[0].name, d->x[d->at_target]);
    for (int k = 0; k < r->column_count; k++)
        r->row[k] = value_of(r, &r->column[k], &rated);
    mc_driven_report *report = r->report;
    report->gap = fmax(report->gap, mb_assembly_gap(d->assembly, d->x, NULL));
    report->rest = fmax(report->rest, d->rest);
    report->steps = d->steps;
    mc_status status = r->csv ? record_csv_row(r->csv, t, r->row, error) : MC_OK;
    if (r->record && status == MC_OK) {
        record_take(r->record);
        status = record_write(r->record, t, error);
    }
    if (status == MC_OK && r->output->row)
        r->output->row(r->output->context, t, r->row);
    report->row_count += status == MC_OK;
    return status;
}

// ---- runs --------------------------------------------------------------------------------------

// Everything that moves freely must not, when time drives.
static mc_status check_complete(const mc_driven *d, mc_error *error)
{
    const int n = d->m->system.v_count;
    if (!d->timed)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "no drive has a motion: a formula of t is expected");
    if (d->free_count == 0)
        return MC_OK;
    int best = 0;
    for (int k = 1; k < n; k++)
        if (fabs(d->Z[k]) > fabs(d->Z[best]))
            best = k;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "the motion is not determined: %d direction%s neither driven nor held, for "
                        "example that of %s; give it a motion or hold it",
                        d->free_count, d->free_count == 1 ? " is" : "s are",
                        mc_multibody_name(d->m, MC_QUANTITY_VELOCITY, best));
}

static mc_status to_start(mc_driven *d, mc_error *error)
{
    double target[d->drive_count + 1];
    d->steps = 0;
    for (int i = 0; i < d->drive_count; i++)
        target[i] = d->timed ? 0.0 : d->from[i];
    driven_directions(d, d->x);
    if (!d->timed && !d->geometry && d->free_count > 0 && !driven_settle(d))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "no equilibrium found at the start: an acceleration of %.3g m/s^2 or "
                            "rad/s^2 is left; hold what nothing supports, or ask for geometry "
                            "alone",
                            d->rest);
    return driven_advance(d, target, 0.0, error);
}

static mc_status all_rows(rig *r, double end, int row_count, const mc_watch *watch, mc_error *error)
{
    mc_driven *d = r->d;
    double target[d->drive_count + 1];
    mc_status status = to_start(d, error);
    for (int i = 0; i < row_count && status == MC_OK; i++) {
        const double share = i == row_count - 1 ? 1.0 : (double)i / (row_count - 1);
        if (watch && watch->stop && watch->stop(watch->context))
            return mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0,
                                "stopped after %d rows; the files contain the results so far", i);
        for (int k = 0; k < d->drive_count; k++)
            target[k] = d->timed    ? 0.0
                        : i == 0    ? d->from[k]
                        : share < 1 ? d->from[k] + share * (d->to[k] - d->from[k])
                                    : d->to[k];
        status = driven_advance(d, target, d->timed ? share * end : 0.0, error);
        if (status == MC_OK)
            status = take_row(r, share * end, error);
        if (watch && watch->progress)
            watch->progress(watch->context, share * end);
    }
    return status;
}

static mc_status run(mc_driven *d, double end, int row_count, const mc_driven_output *output,
                     const mc_watch *watch, mc_driven_report *report, mc_error *error)
{
    static const mc_driven_output nothing = {0};
    mc_error own, closing;
    mc_driven_report unread;
    error = error ? error : &own;
    rig r = {.d = d, .output = output ? output : &nothing, .report = report ? report : &unread};
    *r.report = (mc_driven_report){0};
    if (row_count < 2)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%d rows asked for; expected 2 or more", row_count);
    double *start = malloc((size_t)d->x_count * sizeof *start);
    if (!start)
        return no_memory(error);
    memcpy(start, d->x, (size_t)d->x_count * sizeof *start);
    mc_status status = open_rig(&r, row_count, error);
    const bool opened = status == MC_OK;
    if (opened)
        status = all_rows(&r, end, row_count, watch, error);
    const mc_status closed =
        close_rig(&r, opened, status == MC_OK ? "end reached" : error->text, &closing);
    memcpy(d->x, start, (size_t)d->x_count * sizeof *start); // the next run begins there too
    free(start);
    if (status == MC_OK && closed != MC_OK) {
        *error = closing;
        return closed;
    }
    return status;
}

mc_status mc_kinematics(mc_driven *d, int row_count, const mc_driven_output *output,
                        const mc_watch *watch, mc_driven_report *report, mc_error *error)
{
    mc_error own;
    if (d->timed)
        return mc_error_set(error ? error : &own, MC_BAD_INPUT, NULL, 0, 0,
                            "drives follow time: this is inverse dynamics");
    return run(d, 1.0, row_count, output, watch, report, error);
}

mc_status mc_inverse(mc_driven *d, double end, int row_count, const mc_driven_output *output,
                     const mc_watch *watch, mc_driven_report *report, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    const mc_status status = check_complete(d, error);
    if (status != MC_OK)
        return status;
    if (!(end > 0.0 && isfinite(end)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the end %g s must be above 0", end);
    return run(d, end, row_count, output, watch, report, error);
}

mc_status mc_inverse_at(mc_driven *d, double t, double *y, double *tau, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    const mb_system *s = &d->m->system;
    mc_status status = check_complete(d, error);
    double target[d->drive_count + 1];
    memset(target, 0, sizeof target);
    if (status == MC_OK && d->x[mb_at_time(s)] == 0.0)
        status = driven_advance(d, target, 0.0, error);
    if (status == MC_OK)
        status = driven_advance(d, target, t, error);
    if (status != MC_OK)
        return status;
    driven_along(d, NULL);
    driven_directions(d, d->x);
    if (!driven_forces(d))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "the loads at t = %g s are not determined", t);
    if (y)
        memcpy(y, d->x, (size_t)s->y_count * sizeof *y);
    if (tau)
        memcpy(tau, d->tau, (size_t)s->v_count * sizeof *tau);
    return MC_OK;
}
