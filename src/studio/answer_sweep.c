// answer_sweep.c - a grid of runs behind the studio's back: one sweep at a time, on a thread of low
// priority; cells are told as they come.
#include "studio/requests.h"

#include "motorcade/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { VARY_MOST = 4, RUNS_MOST = 4000 };

struct sweep_state {
    hub *h;
    pthread_t thread;
    int number;
    char *path, *text; // of the scenario
    char table[160];   // file
    char *vary[VARY_MOST];
    int vary_count;
    char *set; // NAME=VALUE of all runs, or NULL
    mc_sweep *sweep;
    int runs;
    bool *told;  // by run
    double last; // s of the clock
    atomic_bool stop, over;
};

// ---- cells ----

static json_t *place_json(const sweep_state *s, int run)
{
    const mc_sweep_axis *axes;
    const int count = mc_sweep_axes(s->sweep, &axes);
    json_t *list = json_array();
    int place[MC_SWEEP_AXIS_MOST];
    for (int k = count - 1; k >= 0; k--) { // the last axis changes fastest
        place[k] = run % axes[k].count;
        run /= axes[k].count;
    }
    for (int k = 0; k < count; k++)
        json_array_append_new(list, json_integer(place[k]));
    return list;
}

static json_t *cell_json(const sweep_state *s, const mc_sweep_row *row)
{
    json_t *cell = json_object(), *values = json_object();
    for (int f = 0; f < MC_FIGURE_COUNT; f++)
        if (mc_figure_table[f].over != MC_FIGURE_OVER_NONE)
            json_put(values, mc_figure_table[f].name, json_value(row->value[f]));
    json_put(cell, "i", place_json(s, row->run));
    json_put(cell, "run", json_integer(row->run));
    json_put(cell, "ended", json_string(row->ended));
    json_put(cell, "failed", json_value(row->failed));
    json_put(cell, "values", values);
    return cell;
}

// Rows of the journal that were not told yet.
static void tell_cells(sweep_state *s, const mc_sweep_counts *counts, const char *error)
{
    json_t *cells = json_array(), *out = json_object();
    mc_error unused;
    mc_sweep_table *table = mc_sweep_table_read(s->table, &unused);
    for (int k = 0; table && k < table->row_count; k++) {
        const mc_sweep_row *row = &table->rows[k];
        if (row->run < 0 || row->run >= s->runs || s->told[row->run])
            continue;
        s->told[row->run] = true;
        json_array_append_new(cells, cell_json(s, row));
    }
    mc_sweep_table_free(table);
    const int done = counts->found + counts->done;
    json_put(out, "kind", json_string("cells"));
    json_put(out, "sweep", json_integer(s->number));
    json_put(out, "done", json_integer(done));
    json_put(out, "runs", json_integer(s->runs));
    json_put(out, "left", json_integer(s->runs - done));
    json_put(out, "over", json_boolean(atomic_load(&s->over)));
    if (error)
        json_put(out, "reason", json_string(error));
    json_put(out, "cells", cells);
    hub_broadcast(s->h, message_text(out), NULL);
}

static void progress(void *context, const mc_sweep_counts *counts)
{
    sweep_state *s = context;
    const double now = hub_now();
    if (now - s->last < 0.25)
        return;
    s->last = now;
    tell_cells(s, counts, NULL);
}

static bool stopped(void *context)
{
    sweep_state *s = context;
    return atomic_load(&s->stop);
}

static void *sweep_thread(void *context)
{
    sweep_state *s = context;
    mc_error error = {0};
    setpriority(PRIO_PROCESS, (id_t)gettid(), 10); // of this thread alone
    const mc_sweep_watch watch = {s, stopped, progress};
    const mc_status status = mc_sweep_play(s->sweep, &watch, &error);
    const mc_sweep_counts counts = mc_sweep_count(s->sweep);
    atomic_store(&s->over, true);
    tell_cells(s, &counts,
               status == MC_OK            ? NULL
               : status == MC_INTERRUPTED ? "stopped"
                                          : error.text);
    return NULL;
}

// ---- its life ----

static void free_state(sweep_state *s)
{
    mc_sweep_close(s->sweep);
    unlink(s->table);
    free(s->path);
    free(s->text);
    for (int k = 0; k < s->vary_count; k++)
        free(s->vary[k]);
    free(s->set);
    free(s->told);
    free(s);
}

void sweep_end(hub *h)
{
    sweep_state *s = h->sweep;
    if (!s)
        return;
    atomic_store(&s->stop, true);
    pthread_join(s->thread, NULL);
    free_state(s);
    h->sweep = NULL;
}

// What is varied; false: refused.
static bool read_vary(request *r, sweep_state *s)
{
    const json_t *list = json_object_get(r->body, "vary");
    if (!json_is_array(list) || json_array_size(list) < 1 || json_array_size(list) > VARY_MOST) {
        request_refuse(r, "vary",
                       "vary must be a list of 1 to %d axes, such as "
                       "\"mass=1200:2400:200\"",
                       VARY_MOST);
        return false;
    }
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *text = json_string_value(json_array_get(list, k));
        if (!text || strlen(text) > 400 || !(s->vary[k] = strdup(text))) {
            request_refuse(r, "vary", "axis %zu must be a text, such as \"mass=1200:2400:200\"",
                           k + 1);
            return false;
        }
        s->vary_count++;
    }
    return true;
}

static bool keep_scenario(sweep_state *s, const mc_scenario *scenario)
{
    s->path = strdup(mc_scenario_info_of(scenario)->file);
    s->text = strdup(mc_scenario_text(scenario));
    return s->path && s->text;
}

static bool open_sweep(request *r, sweep_state *s, double end)
{
    char set[64];
    mc_error error = {0};
    if (!isnan(end)) {
        snprintf(set, sizeof set, "time.end=%.17g", end);
        s->set = strdup(set);
    }
    const char *sets[] = {s->set};
    const mc_sweep_request wish = {.scenario = s->path,
                                   .text = s->text,
                                   .table = s->table,
                                   .vary = (const char *const *)s->vary,
                                   .vary_count = s->vary_count,
                                   .set = sets,
                                   .set_count = s->set ? 1 : 0,
                                   .threads = 1,
                                   .interpret = true};
    s->sweep = mc_sweep_open(&wish, &error);
    if (!s->sweep) {
        error.file[0] = '\0'; // what is wrong is in the request
        request_refuse_error(r, &error);
        return false;
    }
    s->runs = mc_sweep_count(s->sweep).runs;
    if (s->runs > RUNS_MOST) {
        request_refuse(r, "vary", "%d runs are too many: at most %d", s->runs, RUNS_MOST);
        return false;
    }
    s->told = calloc((size_t)s->runs + 1, sizeof *s->told);
    return s->told;
}

static json_t *axes_json(const sweep_state *s)
{
    const mc_sweep_axis *axes;
    const int count = mc_sweep_axes(s->sweep, &axes);
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_t *axis = json_object();
        json_put(axis, "name", json_string(axes[k].name));
        json_put(axis, "unit", json_string(axes[k].unit));
        json_put(axis, "values", json_values(axes[k].values, axes[k].count));
        json_array_append_new(list, axis);
    }
    return list;
}

void request_sweep(request *r)
{
    hub *h = r->h;
    world *w;
    double end;
    if (!request_optional(r, "end", 0.1, 1e6, &end) || !request_world(r, &w))
        return;
    if (h->sweep && !atomic_load(&h->sweep->over)) {
        request_refuse(r, NULL, "sweep %d is still running; sweep_stop ends it", h->sweep->number);
        world_drop(w);
        return;
    }
    const int number = h->sweep ? h->sweep->number + 1 : 1;
    sweep_end(h);
    sweep_state *s = calloc(1, sizeof *s);
    bool good = s && w->run;
    if (!w->run)
        request_refuse(r, "world", "world %d is a recording: it cannot be run", w->number);
    if (good) {
        s->h = h;
        s->number = number;
        snprintf(s->table, sizeof s->table, "%s/sweep%d.csv", h->temporary, number);
        good = read_vary(r, s);
        if (good && !keep_scenario(s, mc_run_scenario(w->run))) {
            request_refuse(r, NULL, "no memory for the sweep");
            good = false;
        }
        good = good && open_sweep(r, s, end);
    }
    if (good && pthread_create(&s->thread, NULL, sweep_thread, s) == 0) {
        h->sweep = s;
        request_done(
            r, json_pack("{s:i,s:i,s:o}", "sweep", number, "runs", s->runs, "axes", axes_json(s)));
    } else if (s) {
        free_state(s);
    }
    world_drop(w);
}

static sweep_state *named_sweep(request *r)
{
    double number;
    if (!request_number(r, "sweep", 1, 1e9, NAN, &number))
        return NULL;
    if (r->h->sweep && r->h->sweep->number == (int)number)
        return r->h->sweep;
    request_refuse(r, "sweep", "there is no sweep %g", number);
    return NULL;
}

void request_sweep_stop(request *r)
{
    sweep_state *s = named_sweep(r);
    if (!s)
        return;
    atomic_store(&s->stop, true);
    request_done(r, NULL);
}

// The scenario of a cell, with its values set.
static mc_scenario *cell_scenario(const sweep_state *s, const int *place, mc_error *error)
{
    const mc_sweep_axis *axes;
    const int count = mc_sweep_axes(s->sweep, &axes);
    mc_scenario *scenario = mc_scenario_parse(s->text, strlen(s->text), s->path, error);
    bool good = scenario && (!s->set || mc_scenario_set(scenario, s->set, error) == MC_OK);
    for (int k = 0; good && k < count; k++) {
        char text[200];
        snprintf(text, sizeof text, "%.80s=%.17g%s%.40s", axes[k].name, axes[k].values[place[k]],
                 axes[k].unit_given ? " " : "", axes[k].unit_given ? axes[k].unit : "");
        good = mc_scenario_set(scenario, text, error) == MC_OK;
    }
    if (good)
        return scenario;
    mc_scenario_free(scenario);
    return NULL;
}

void request_sweep_open(request *r)
{
    sweep_state *s = named_sweep(r);
    const json_t *i = json_object_get(r->body, "i");
    if (!s)
        return;
    const mc_sweep_axis *axes;
    const int count = mc_sweep_axes(s->sweep, &axes);
    int place[MC_SWEEP_AXIS_MOST];
    char title[NAME_MOST] = "";
    bool good = json_is_array(i) && (int)json_array_size(i) == count;
    for (int k = 0; good && k < count; k++) {
        const json_t *entry = json_array_get(i, (size_t)k);
        good = json_is_integer(entry) && json_integer_value(entry) >= 0 &&
               json_integer_value(entry) < axes[k].count;
        place[k] = good ? (int)json_integer_value(entry) : 0;
        const size_t used = strlen(title);
        if (good)
            snprintf(title + used, sizeof title - used, "%s%.20s=%g", k ? ", " : "", axes[k].name,
                     axes[k].values[place[k]]);
    }
    if (!good) {
        request_refuse(r, "i", "i must be a list of %d places, one an axis, from 0", count);
        return;
    }
    mc_error error = {0};
    mc_scenario *scenario = budget_room(r->h, &error) ? cell_scenario(s, place, &error) : NULL;
    opened *o = scenario ? open_scenario(r->h, scenario, title, &error) : NULL;
    int number;
    if (o) {
        o->beside = true;
        if (opened_install(r->h, o, &number, &error)) {
            world *w = hub_world(r->h, number);
            world_tell(r->h, w);
            world_drop(w);
            request_done(r, json_pack("{s:i}", "world", number));
            return;
        }
    }
    error.file[0] = '\0';
    request_refuse_error(r, &error);
}
