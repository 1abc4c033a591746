// sweep.c - sweep, sweep_stop, sweep_open: a grid of runs of what a branch simulates.
#include "studio/request/requests.h"

#include "studio/hub/branch_list.h"
#include "studio/hub/budget.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/open.h"
#include "studio/hub/sweep.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 4000, AXIS_TEXT_MAX = 4096 };

// What is varied; false: rejected.
static bool read_vary(request *r, sweep *s)
{
    const json_t *list = json_object_get(r->body, "vary");
    if (!json_is_array(list) || json_array_size(list) < 1 ||
        json_array_size(list) > MAX_SWEEP_AXES) {
        request_reject(r, "vary",
                       "vary must be a list of 1 to %d axes, such as "
                       "\"mass=1200:2400:200\"",
                       MAX_SWEEP_AXES);
        return false;
    }
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *text = json_string_value(json_array_get(list, k));
        if (!text || strlen(text) > AXIS_TEXT_MAX || !(s->vary[k] = strdup(text))) {
            request_reject(r, "vary", "axis %zu must be a text, such as \"mass=1200:2400:200\"",
                           k + 1);
            return false;
        }
        s->vary_count++;
    }
    return true;
}

static bool keep_scenario(sweep *s, const mc_scenario *scenario)
{
    s->path = strdup(mc_scenario_info_of(scenario)->file);
    s->text = strdup(mc_scenario_text(scenario));
    return s->path && s->text;
}

static bool open_sweep(request *r, sweep *s, double end)
{
    char set[64];
    mc_error error = {0};
    if (!isnan(end)) {
        snprintf(set, sizeof set, "time.end=%.17g", end);
        s->set = strdup(set);
    }
    const char *sets[] = {s->set};
    const mc_sweep_request options = {.scenario = s->path,
                                      .text = s->text,
                                      .table = s->table,
                                      .vary = (const char *const *)s->vary,
                                      .vary_count = s->vary_count,
                                      .set = sets,
                                      .set_count = s->set ? 1 : 0,
                                      .threads = 1,
                                      .interpret = true};
    s->grid = mc_sweep_open(&options, &error);
    if (!s->grid) {
        error.file[0] = '\0'; // what is wrong is in the request
        request_reject_error(r, &error);
        return false;
    }
    s->runs = mc_sweep_count(s->grid).runs;
    if (s->runs > RUNS_MAX) {
        request_reject(r, "vary", "%d runs are too many: expected at most %d", s->runs, RUNS_MAX);
        return false;
    }
    s->told = calloc((size_t)s->runs + 1, sizeof *s->told);
    return s->told;
}

static json_t *axes_json(const sweep *s)
{
    const mc_sweep_axis *axes;
    const int count = mc_sweep_axes(s->grid, &axes);
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
    branch *b;
    double end;
    if (!read_optional(r, "end", 0.1, 1e6, &end) || !read_branch(r, &b))
        return;
    if (h->sweep && !atomic_load(&h->sweep->over)) {
        request_reject(r, NULL, "sweep %d is still running; sweep_stop ends it", h->sweep->number);
        branch_drop(b);
        return;
    }
    const int number = h->sweep ? h->sweep->number + 1 : 1;
    sweep_end(h);
    sweep *s = calloc(1, sizeof *s);
    bool good = s && b->run;
    if (!b->run)
        request_reject(r, "world", "world %d is a recording: it cannot be run", b->number);
    if (good) {
        s->h = h;
        s->number = number;
        snprintf(s->table, sizeof s->table, "%s/sweep%d.csv", h->temporary, number);
        good = read_vary(r, s);
        if (good && !keep_scenario(s, mc_run_scenario(b->run))) {
            request_reject(r, NULL, "no memory for the sweep");
            good = false;
        }
        good = good && open_sweep(r, s, end);
    }
    if (good && sweep_start(s)) {
        h->sweep = s;
        request_done(
            r, json_pack("{s:i,s:i,s:o}", "sweep", number, "runs", s->runs, "axes", axes_json(s)));
    } else if (s) {
        sweep_free(s);
    }
    branch_drop(b);
}

static sweep *named_sweep(request *r)
{
    double number;
    if (!read_number(r, "sweep", 1, 1e9, NAN, &number))
        return NULL;
    if (r->h->sweep && r->h->sweep->number == (int)number)
        return r->h->sweep;
    request_reject(r, "sweep", "unknown sweep %g", number);
    return NULL;
}

void request_sweep_stop(request *r)
{
    sweep *s = named_sweep(r);
    if (!s)
        return;
    atomic_store(&s->stop, true);
    request_done(r, NULL);
}

// The scenario of a cell, with its values set.
static mc_scenario *cell_scenario(const sweep *s, const int *place, mc_error *error)
{
    const mc_sweep_axis *axes;
    const int count = mc_sweep_axes(s->grid, &axes);
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
    sweep *s = named_sweep(r);
    const json_t *i = json_object_get(r->body, "i");
    if (!s)
        return;
    const mc_sweep_axis *axes;
    const int count = mc_sweep_axes(s->grid, &axes);
    int place[MC_SWEEP_AXIS_MAX];
    char title[NAME_SIZE] = "";
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
        request_reject(r, "i", "i must be a list of %d places, one per axis, from 0", count);
        return;
    }
    mc_error error = {0};
    mc_scenario *scenario = budget_room(r->h, &error) ? cell_scenario(s, place, &error) : NULL;
    opened *o = scenario ? open_scenario(r->h, scenario, title, &error) : NULL;
    int number;
    char *name = o ? strdup(title) : NULL;
    if (o && name) { // the scenario's own name is that of all cells
        free(o->title);
        o->title = name;
    }
    if (o) {
        o->beside = true;
        if (opened_install(r->h, o, &number, &error)) {
            branch *b = branch_list_find(r->h, number);
            describe_tell(r->h, b);
            branch_drop(b);
            request_done(r, json_pack("{s:i}", "world", number));
            return;
        }
    }
    error.file[0] = '\0';
    request_reject_error(r, &error);
}
