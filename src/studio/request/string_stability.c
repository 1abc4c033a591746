// string_stability.c - string stability: what the law promises, what the cars did.
//
// The promise needs the run (its law and gains as they are): the simulation thread computes it in a
// few tenths of a millisecond and passes the request to the answers thread, which measures.
#include "studio/request/requests.h"

#include "motorcade/string_stability.h"
#include "studio/hub/branch_list.h"
#include "studio/hub/json.h"
#include "studio/hub/pending.h"
#include "studio/hub/queue.h"
#include "studio/request/visit.h"
#include "studio/request/quantity.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 121, TRIED_MAX = 34 };

// ---- the promise ----

static void put_curve(json_t *out, const mc_stability *s)
{
    json_t *w = json_array(), *gain = json_array();
    for (int k = 0; k < POINTS; k++) { // 0.01 .. 30 rad/s, evenly by their logarithm
        const double at = 0.01 * pow(3000.0, (double)k / (POINTS - 1));
        json_array_append_new(w, json_value(at));
        json_array_append_new(gain, json_value(mc_stability_gain(s, at, NULL)));
    }
    json_put(out, "w", w);
    json_put(out, "gain", gain);
}

static void put_verdict(json_t *out, const mc_stability_result *r)
{
    static const char *const words[] = {"stable", "unstable", "car unstable"};
    char text[200];
    if (r->l2 == MC_STABILITY_VERDICT_STABLE)
        snprintf(text, sizeof text,
                 "String stable: a disturbance does not grow, |G| is at most %.3f", r->peak);
    else if (r->l2 == MC_STABILITY_VERDICT_UNSTABLE)
        snprintf(text, sizeof text,
                 "String unstable: a disturbance of %.2f rad/s grows %.3f times from car to car",
                 r->peak_frequency, r->peak);
    else
        snprintf(text, sizeof text, "A car behind a steady one does not settle");
    json_put(out, "verdict", json_string(words[r->l2]));
    json_put(out, "text", json_string(text));
    json_put(out, "peak", json_value(r->peak));
    json_put(out, "peak_w", json_value(r->peak_frequency));
    json_put(out, "l_inf", json_value(r->l1));
    json_put(out, "l_inf_verdict", json_string(words[r->l_infinity]));
    json_put(out, "leader_peak", json_value(r->leader_peak));
}

// The first car behind another one that has a controller (of that name); -1: none.
static int first_follower(const mc_run *run, const char *controller)
{
    for (int v = 0; v < mc_run_vehicle_count(run); v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(run, v, &info);
        if (!info.leader && info.controller[0] &&
            (!controller[0] || strcmp(info.controller, controller) == 0))
            return v;
    }
    return -1;
}

typedef struct trial {
    const char *name[TRIED_MAX];
    double value[TRIED_MAX];
    int count;
} trial;

static bool tries(const trial *t, const char *name)
{
    for (int k = 0; k < t->count; k++)
        if (strcmp(t->name[k], name) == 0)
            return true;
    return false;
}

// Gains that were commanded for this instant are carried out with the step that begins here: the
// promise is about them.
static trial with_pending(const mc_run *run, int vehicle, const mc_run_vehicle_info *car,
                          const trial *t)
{
    trial all = *t;
    mc_run_param p;
    for (int k = 0; all.count < TRIED_MAX && mc_run_param_at(run, vehicle, k, &p); k++) {
        const bool gap =
            strcmp(p.row->name, "headway") == 0 || strcmp(p.row->name, "distance") == 0;
        const bool counts = strcmp(p.group, "law") == 0 || (gap && strcmp(p.group, "desired") == 0);
        if (!counts || tries(t, p.row->name))
            continue;
        const double value =
            pending_param(run, car->name, car->controller, p.group, p.row->name, p.value);
        if (value != p.value && isfinite(value)) {
            all.name[all.count] = p.row->name;
            all.value[all.count++] = value;
        }
    }
    return all;
}

static json_t *promise(const branch *b, const mc_run *run, int vehicle, const trial *tried)
{
    json_t *out = json_object();
    mc_error error = {0};
    mc_run_vehicle_info info;
    mc_run_vehicle(run, vehicle, &info);
    json_put(out, "world", json_integer(b->number));
    json_put(out, "vehicle", json_string(info.name));
    json_put(out, "law", json_string(info.law));
    json_put(out, "controller", json_string(info.controller));
    const trial t = with_pending(run, vehicle, &info, tried);
    mc_stability *s = mc_stability_create_for_run(run, vehicle, t.name, t.value, t.count, &error);
    if (s) {
        put_curve(out, s);
        put_verdict(out, mc_stability_result_of(s));
        mc_stability_destroy(s);
    } else {
        json_put(out, "verdict", json_string("unknown"));
        json_put(out, "text", json_string(error.text));
    }
    return out;
}

// False: rejected.
static bool read_trial(request *r, trial *out)
{
    json_t *tried = json_object_get(r->body, "try"), *value;
    const char *name;
    out->count = 0;
    if (tried && !json_is_object(tried)) {
        request_reject(r, "try", "try must be an object, {\"k3\": 1.6}");
        return false;
    }
    json_object_foreach(tried, name, value)
    {
        if (!json_is_number(value) || out->count == TRIED_MAX) {
            request_reject(r, "try", "try: %.40s must be a number", name);
            return false;
        }
        out->name[out->count] = name;
        out->value[out->count++] = json_number_value(value);
    }
    return true;
}

static void measure(request *r);
static const request_kind second_half = {"string", ANSWERS, 0, measure};

// One branch, as it was at t; NULL: rejected, or not yet (r->again).
static json_t *promise_at(request *r, branch *b, double t, const char *vehicle,
                          const char *controller, const trial *tried)
{
    visit at;
    if (!b->run) // what its cars did is measured all the same
        return json_pack("{s:i,s:s,s:s}", "world", b->number, "verdict", "unknown", "text",
                         "a recording has no law: its gains are measured");
    if (!visit_begin(r, b, t, &at))
        return NULL;
    int v = vehicle[0] ? mc_run_find(at.run, vehicle) : -1;
    if (v < 0)
        v = first_follower(at.run, controller);
    json_t *out = v >= 0 ? promise(b, at.run, v, tried)
                         : json_pack("{s:i,s:s,s:s}", "world", b->number, "verdict", "unknown",
                                     "text", "no car has a controller");
    visit_end(r, &at);
    return out;
}

// Of every branch; those that are done when the way to one is long are kept. NULL: rejected, or
// again.
static json_t *promises(request *r, branch **branches, int count, const trial *tried)
{
    const char *vehicle, *controller;
    double t;
    if (!read_text(r, "vehicle", NAME_SIZE - 1, "", &vehicle) ||
        !read_text(r, "controller", NAME_SIZE - 1, "", &controller) ||
        !read_optional(r, "t", -1e9, 1e9, &t))
        return NULL;
    json_t *list = r->partial ? r->partial : json_array();
    r->partial = NULL;
    for (int k = (int)json_array_size(list); k < count; k++) {
        json_t *one = promise_at(r, branches[k], t, vehicle, controller, tried);
        if (!one) {
            r->partial = list;
            return NULL;
        }
        json_array_append_new(list, one);
    }
    return list;
}

void request_string(request *r)
{
    trial t;
    branch *branches[MAX_BRANCHES];
    int count;
    if (!read_trial(r, &t) || !read_branches(r, branches, &count))
        return;
    json_t *list = promises(r, branches, count, &t);
    for (int k = 0; k < count; k++)
        branch_drop(branches[k]);
    if (!list)
        return;
    json_t *out = json_pack("{s:o}", "worlds", list);
    request *next = t.count == 0 ? request_move(r) : NULL;
    if (!next) {
        request_done(r, out);
        return;
    }
    next->partial = out;
    next->kind = &second_half;
    queue_post(next->h, next);
}

// ---- what the cars did ----

typedef struct measured {
    quantity_curve *v;  // speeds, the car in front first
    const char **names; // of the roster
    int count;
} measured;

// The cars of the first platoon from front to back, as they were at an instant.
static json_t *platoon_names(const history_view *view, double t)
{
    enum { CARS_MAX = 400 };
    json_t *names = json_array();
    const int at = history_view_at(view, t + 2 * HISTORY_SAME) - 1;
    const roster *who = history_view_row(view, at < 0 ? 0 : at).who;
    for (int c = 0; c < who->count && json_array_size(names) < CARS_MAX; c++)
        if (who->platoon[c] == 0)
            json_array_append_new(names, json_string(who->name[c]));
    return names;
}

static bool read_speeds(const history_view *view, json_t *names, double from, double to,
                        measured *m)
{
    const size_t n = json_array_size(names);
    m->v = calloc(n + 1, sizeof *m->v);
    m->names = calloc(n + 1, sizeof *m->names);
    if (!m->v || !m->names)
        return false;
    for (size_t k = 0; k < n; k++) {
        mc_error error;
        quantity_curve *c = &m->v[m->count];
        m->names[m->count] = json_string_value(json_array_get(names, k));
        if (!quantity_read(view, m->names[m->count], "v", from, to, c, &error))
            return false;
        // Cars that came later or left earlier have no gain over the whole stretch.
        if (c->count > 1 && (m->count == 0 || c->count == m->v[0].count))
            m->count++;
        else
            quantity_free(c);
    }
    return true;
}

static void free_speeds(measured *m)
{
    for (int k = 0; m->v && k < m->count; k++)
        quantity_free(&m->v[k]);
    free(m->v);
    free(m->names);
}

// Maximum deviation of the first car from its mean: whether it is enough to measure.
static double excitation(const quantity_curve *c)
{
    double mean = 0.0, max = 0.0;
    for (int k = 0; k < c->count; k++)
        mean += c->y[k] / c->count;
    for (int k = 0; k < c->count; k++)
        max = fmax(max, fabs(c->y[k] - mean));
    return max;
}

static void put_measured(json_t *out, const measured *m, double from, double to)
{
    const double **y = calloc((size_t)m->count + 1, sizeof *y);
    mc_stability_gains *gains = calloc((size_t)m->count + 1, sizeof *gains);
    mc_error error;
    json_t *list = json_array();
    double head_to_tail = NAN, head_to_tail_inf = NAN;
    for (int k = 0; y && k < m->count; k++)
        y[k] = m->v[k].y;
    const bool good = y && gains && m->count > 1 &&
                      mc_stability_measure(m->v[0].t, m->v[0].count, y, m->count, from, to,
                                           MC_STABILITY_ABOUT_MEAN, gains, &error) == MC_OK;
    for (int k = 1; good && k < m->count; k++) {
        json_t *g = json_object();
        json_put(g, "vehicle", json_string(m->names[k]));
        json_put(g, "l2", json_value(gains[k].l2));
        json_put(g, "l_inf", json_value(gains[k].l_infinity));
        json_array_append_new(list, g);
    }
    if (good && gains[0].size_l2 > 0.0)
        head_to_tail = gains[m->count - 1].size_l2 / gains[0].size_l2;
    if (good && gains[0].size_l_infinity > 0.0)
        head_to_tail_inf = gains[m->count - 1].size_l_infinity / gains[0].size_l_infinity;
    const double moved = good ? excitation(&m->v[0]) : 0.0;
    json_put(out, "measured", list);
    json_put(out, "head_to_tail", json_value(head_to_tail));
    json_put(out, "head_to_tail_inf", json_value(head_to_tail_inf));
    json_put(out, "signal", json_string("speed about its mean"));
    json_put(out, "excitation", json_value(moved));
    // A leader that hardly moved shows noise and no gain.
    json_put(out, "enough", json_boolean(good && moved > 0.05 && to - from > 2.0));
    free(y);
    free(gains);
}

static void measure_branch(json_t *out, branch *b, double from, double to)
{
    history_view view;
    if (!history_look(&b->past, &view))
        return;
    const int rows = history_view_rows(&view);
    if (rows > 1) {
        const double first = history_view_time(&view, 0);
        const double last = history_view_time(&view, rows - 1);
        to = isnan(to) ? last : fmin(to, last);
        from = isnan(from) ? fmax(first, to - 60.0) : fmax(from, first);
        measured m = {0};
        json_t *names = platoon_names(&view, to);
        if (to > from && read_speeds(&view, names, from, to, &m))
            put_measured(out, &m, from, to);
        free_speeds(&m);
        json_decref(names);
        json_put(out, "window", json_pack("[f,f]", from, to));
    }
    history_view_end(&view);
}

static void measure(request *r)
{
    double from, to;
    if (!read_optional(r, "from", -1e9, 1e9, &from) || !read_optional(r, "to", -1e9, 1e9, &to))
        return;
    json_t *entry;
    size_t k;
    json_array_foreach(json_object_get(r->partial, "worlds"), k, entry)
    {
        branch *b =
            branch_list_find(r->h, (int)json_integer_value(json_object_get(entry, "world")));
        if (b)
            measure_branch(entry, b, from, to);
        branch_drop(b);
    }
    json_t *out = r->partial;
    r->partial = NULL;
    request_done(r, out);
}
