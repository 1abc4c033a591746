// mechanism.c - a mechanism on the bench: what it is made of and how it moves; what is done to it.
//
// A change is simulated on the answers thread, which also reads files, and then put into the list
// by the simulation thread.
#include "studio/request/requests.h"

#include "motorcade/simulate.h"
#include "studio/hub/branch_list.h"
#include "studio/hub/budget.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"
#include "studio/hub/open.h"
#include "studio/hub/queue.h"
#include "studio/hub/rewrite.h"
#include "studio/request/bench.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 600 };

// ---- rows ----

typedef struct columns {
    mc_simulate_column column[COLUMNS_MAX];
    int count;
} columns;

static void take_columns(const mc_multibody *m, columns *out)
{
    static const mc_quantity taken[] = {MC_QUANTITY_COORDINATE, MC_QUANTITY_VELOCITY,
                                        MC_QUANTITY_STATE, MC_QUANTITY_OUTPUT};
    out->count = 0;
    for (size_t k = 0; k < sizeof taken / sizeof taken[0]; k++)
        for (int i = 0; out->count < COLUMNS_MAX && mc_multibody_name(m, taken[k], i); i++)
            out->column[out->count++] = (mc_simulate_column){taken[k], i};
}

static json_t *columns_json(const mc_multibody *m, const columns *all)
{
    json_t *list = json_array();
    for (int c = 0; c < all->count; c++) {
        const mc_simulate_column column = all->column[c];
        mc_simulate_about about;
        mc_simulate_describe(m, column.quantity, column.index, &about);
        json_t *row = json_object();
        json_put(row, "name", json_string(mc_multibody_name(m, column.quantity, column.index)));
        json_put(row, "unit", json_string(about.unit));
        json_put(row, "doc", json_string(about.doc));
        json_array_append_new(list, row);
    }
    return list;
}

// Poses, values and loads of every row, each with the values that held then.
static bool put_motion(request *r, bench_work *w, const columns *all, json_t *out)
{
    const bench *b = w->b;
    const size_t rows = (size_t)b->rows, n = (size_t)all->count;
    const size_t bodies = (size_t)w->body_count;
    const mc_multibody_info *info = mc_multibody_info_of(w->m);
    const bool loaded = info->switch_count == 0; // what acts is not known of those that switch
    double *values = calloc(rows * n + 1, sizeof *values);
    double *loads = calloc(rows * 6 * bodies + 1, sizeof *loads);
    double *tau = calloc((size_t)info->v_count + 1, sizeof *tau);
    bool good = values && loads && tau && bench_work_reserve(r, w, b->rows);
    double done = 0.0;
    for (size_t k = 0; good && k < rows; k++) {
        const double t = b->t[k], *y = b->y + k * (size_t)b->y_count;
        const double *outputs = b->outputs + k * (size_t)b->output_count;
        good = bench_apply(b, w->m, NULL, done, t, &w->error);
        done = t;
        bench_work_pose(w, t, y);
        for (size_t c = 0; c < n; c++)
            values[k * n + c] = mc_simulate_value(w->m, all->column[c], y, outputs);
        memset(tau, 0, (size_t)info->v_count * sizeof *tau);
        bench_pushes(b, w->m, t, y, tau);
        if (loaded)
            mc_multibody_joint_loads(w->m, t, y, tau, loads + k * 6 * bodies, &w->error);
    }
    if (good) {
        bench_put_rows(w, out);
        bench_put_numbers(out, "values", values, rows * n);
        bench_put_numbers(out, "loads", loads, loaded ? rows * 6 * bodies : 0);
    }
    free(values);
    free(loads);
    free(tau);
    return good;
}

static json_t *entries_json(const bench *b)
{
    json_t *list = json_array();
    for (int k = 0; k < b->entry_count; k++) {
        const bench_entry *e = &b->entries[k];
        json_t *row = json_object();
        json_put(row, "t", json_value(e->t));
        json_put(row, "name", json_string(e->name));
        if (e->kind == BENCH_PUSH) {
            json_put(row, "at", json_values(e->at, 3));
            json_put(row, "force", json_values(e->force, 3));
        } else {
            json_put(row, "value", json_string(e->value));
        }
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *report_json(const bench *b)
{
    json_t *out = json_object();
    json_put(out, "method", json_string(b->method));
    json_put(out, "steps", json_integer(b->steps));
    json_put(out, "time", json_value(b->t[b->rows - 1]));
    json_put(out, "seconds", json_value(b->seconds));
    json_put(out, "conserves", json_boolean(b->conserves));
    json_put(out, "drift", json_value(b->drift));
    json_put(out, "stopped", json_boolean(b->stopped));
    json_put(out, "recorded", json_boolean(b->recorded));
    return out;
}

static void put_equations(const mc_multibody *m, json_t *out)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    json_put(out, "freedoms", json_integer(info->v_count - info->row_count));
    json_put(out, "constraints", json_integer(info->row_count));
    json_put(out, "redundant", json_integer(info->left_out_count));
    json_put(out, "flops", json_integer(info->rate.flops));
    json_put(out, "derive", json_value(info->seconds_derive));
}

void request_mechanism(request *r)
{
    bench_work w;
    columns *all = malloc(sizeof *all);
    if (all && bench_work_open(r, &w)) {
        json_t *out = json_object();
        json_put(out, "name", json_string(mc_multibody_info_of(w.m)->name));
        json_put(out, "file", json_string(w.b->file));
        json_put(out, "end", json_value(w.b->end));
        bench_put_parts(&w, out);
        put_equations(w.m, out);
        json_put(out, "settable", bench_settable(&w));
        take_columns(w.m, all);
        json_put(out, "columns", columns_json(w.m, all));
        json_put(out, "entries", entries_json(w.b));
        json_put(out, "report", report_json(w.b));
        json_put(out, "failed", w.b->failed[0] ? json_string(w.b->failed) : json_null());
        if (put_motion(r, &w, all, out)) {
            request_done(r, out);
        } else {
            json_decref(out);
            if (!r->answered)
                request_reject_error(r, &w.error);
        }
    }
    if (all)
        bench_work_close(&w);
    free(all);
}

// ---- changes ----

static void say_change(const bench *before, const bench_entry *e, int count, char out[160])
{
    char old[48] = "";
    out[0] = '\0';
    if (count == 0)
        return;
    if (e->kind == BENCH_PUSH) {
        snprintf(out, 160, "push %.60s", e->name);
        return;
    }
    if (count > 1) { // such as the coordinates of an equilibrium
        snprintf(out, 160, "%d values, %.60s to %.60s", count, e[0].name, e[count - 1].name);
        return;
    }
    double *y = calloc((size_t)before->y_count + 1, sizeof *y);
    mc_multibody *m = y ? bench_make(before, y, NULL) : NULL;
    double value;
    if (m && bench_apply(before, m, NULL, 0.0, e->t, NULL) &&
        mc_multibody_get(m, e->name, &value, NULL) == MC_OK)
        snprintf(old, sizeof old, "%.5g", value);
    char *end;
    const double now = strtod(e->value, &end);
    char text[48];
    snprintf(text, sizeof text, "%.5g", now);
    snprintf(out, 160, "%.60s %s -> %.40s", e->name, old[0] ? old : "?", *end ? e->value : text);
    mc_multibody_free(m);
    free(y);
}

// Puts what was made into the world instead of its mechanism, or into the list as a branch of it.
static void install_change(request *r)
{
    opened *o = r->opened;
    branch *made = o->branch;
    const bool again = json_is_true(json_object_get(r->body, "again"));
    branch *from;
    mc_error error = {0};
    int number = -1;
    if (!read_branch(r, &from))
        return;
    const double at = made->fork;
    if (again) {
        bench *now = bench_hold(made->bench), *old;
        pthread_mutex_lock(&from->lock);
        old = from->bench;
        from->bench = now;
        bench_describe(from);
        if (made->change[0])
            memcpy(from->change, made->change, sizeof from->change);
        pthread_mutex_unlock(&from->lock);
        bench_drop(old);
        number = from->number;
        rewrite_tell(r->h, from, at);
        describe_tell(r->h, from);
    } else {
        made->parent = from->number;
        o->beside = true;
        r->opened = NULL;
        if (opened_install(r->h, o, &number, &error)) {
            branch *b = branch_list_find(r->h, number);
            describe_tell(r->h, b);
            branch_drop(b);
        } else {
            request_reject_error(r, &error);
        }
    }
    branch_drop(from);
    if (!r->answered)
        request_done(r, json_pack("{s:i,s:f,s:b,s:i,s:s}", "world", number, "at", at, "branched",
                                  !again, "log", -1, "text", ""));
}

static const request_kind second_half = {"mechanism_change", SIMULATION, REQUEST_CHANGES,
                                         install_change};

static opened *wrap(bench *made, const char *name, double at, const char *words)
{
    opened *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->branch = bench_branch(made, name);
    o->title = strdup(name);
    o->file = strdup(made->file);
    if (!o->branch || !o->title || !o->file) {
        opened_free(o);
        return NULL;
    }
    o->branch->fork = at;
    snprintf(o->branch->change, sizeof o->branch->change, "%s", words);
    return o;
}

void bench_put_in(request *r, bench *made, const char *name, double at, const char *words)
{
    char usual[NAME_SIZE];
    snprintf(usual, sizeof usual, "Branch %d", r->h->branch_number);
    opened *o = wrap(made, name[0] ? name : usual, at, words);
    if (!o)
        request_reject(r, NULL, "no memory for a mechanism");
    bench_drop(made);
    if (!o)
        return;
    r->opened = o;
    r->kind = &second_half;
    request *next = request_move(r);
    if (next)
        queue_post(next->h, next);
}

// `mechanism_change`: a world with other values or pushes from an instant on, or with a later end.
void request_mechanism_change(request *r)
{
    double at, end;
    bool again;
    const char *name;
    branch *from;
    bench_entry *entries = NULL;
    int count = 0;
    mc_error error = {0};
    char words[160];
    if (!read_number(r, "at", 0.0, 1e6, 0.0, &at) || !read_optional(r, "end", 1e-6, 1e4, &end) ||
        !read_flag(r, "again", false, &again) || !read_text(r, "name", NAME_SIZE - 1, "", &name) ||
        !read_branch(r, &from))
        return;
    bench *b = bench_of(from), *made = NULL;
    if (!b)
        request_reject(r, "world", "world %d is no mechanism on the bench", from->number);
    branch_drop(from);
    if (b && bench_read_entries(r, at, &entries, &count)) {
        made = bench_change(b, entries, count, again, end, &error);
        if (!made)
            request_reject_error(r, &error);
    }
    if (made)
        say_change(b, entries, count, words);
    bench_drop(b);
    free(entries);
    if (made)
        bench_put_in(r, made, name, at, words);
}
