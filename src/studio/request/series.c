// series.c - curves over time, thinned to minimum and maximum.
//
// All curves of an answer share their times. While the rows fit into the points asked for, the
// times are those of the rows; beyond that time is cut into equal pieces of two points each, and a
// curve gives its minimum and maximum in a piece, in the order in which they occur.
#include "studio/request/requests.h"

#include "studio/hub/json.h"
#include "studio/request/quantity.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MAX = 20000,
    CURVES_MAX = 400,
    LABEL_MAX = 160,
    READ_MAX = 8000000,  // values of all curves, held at once: 16 bytes each
    ANSWER_MAX = 500000, // values of an answer: beyond that all curves get fewer points
};

typedef struct curve {
    char label[LABEL_MAX];
    quantity_curve of;
} curve;

typedef struct series {
    branch *branches[MAX_BRANCHES];
    int branch_count;
    const json_t *vehicles, *fields;
    double from, to, points;
    curve *curves;
    int count;
    double read; // values so far
    double *t;   // times of all curves together
    int t_count;
} series;

// ---- reading ----

// Whether entry k of a list of names stands there before.
static bool repeated(const json_t *list, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (json_equal(json_array_get(list, i), json_array_get(list, k)))
            return true;
    return false;
}

// False: rejected, the curves of this branch are too long together with those before.
static bool count_rows(request *r, series *s, const history_view *view)
{
    double curves = 0.0;
    for (size_t v = 0; v < json_array_size(s->vehicles); v++)
        for (size_t f = 0; f < json_array_size(s->fields); f++)
            curves += !repeated(s->vehicles, v) && !repeated(s->fields, f);
    s->read += curves * fmax(0, quantity_end(view, s->to) - history_view_at(view, s->from));
    if (s->read > READ_MAX)
        request_reject(r, NULL,
                       "the curves have more than %d values together: ask for fewer of them, or "
                       "for a shorter time",
                       READ_MAX);
    return s->read <= READ_MAX;
}

static bool read_curves(request *r, series *s, branch *b, const history_view *view)
{
    if (!count_rows(r, s, view))
        return false;
    for (size_t v = 0; v < json_array_size(s->vehicles); v++)
        for (size_t f = 0; f < json_array_size(s->fields); f++) {
            if (repeated(s->vehicles, v) || repeated(s->fields, f))
                continue;
            const char *vehicle = json_string_value(json_array_get(s->vehicles, v));
            const char *field = json_string_value(json_array_get(s->fields, f));
            curve *c = &s->curves[s->count];
            mc_error error;
            snprintf(c->label, sizeof c->label, "%d/%.64s/%.64s", b->number, vehicle, field);
            if (!quantity_read(view, vehicle, field, s->from, s->to, &c->of, &error)) {
                request_reject_error(r, &error);
                return false;
            }
            if (c->of.count > 0)
                s->count++;
            else
                quantity_free(&c->of);
        }
    return true;
}

static bool read_all(request *r, series *s)
{
    bool good = true;
    for (int k = 0; good && k < s->branch_count; k++) {
        history_view view;
        bool again = false;
        for (int i = 0; i < k; i++)
            again = again || s->branches[i] == s->branches[k];
        if (again)
            continue;
        if (!history_look(&s->branches[k]->past, &view)) {
            request_reject(r, NULL, "no memory for curves");
            return false;
        }
        good = read_curves(r, s, s->branches[k], &view);
        history_view_end(&view);
    }
    return good;
}

// ---- common times ----

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool same_times(const quantity_curve *a, const quantity_curve *b)
{
    return a->count == b->count && memcmp(a->t, b->t, (size_t)a->count * sizeof *a->t) == 0;
}

// Every instant of any curve, once.
static bool unite_times(series *s)
{
    size_t all = 1;
    for (int k = 0; k < s->count; k++)
        all += k > 0 && same_times(&s->curves[k].of, &s->curves[k - 1].of)
                   ? 0
                   : (size_t)s->curves[k].of.count;
    s->t = malloc(all * sizeof *s->t);
    if (!s->t)
        return false;
    int n = 0;
    for (int k = 0; k < s->count; k++) {
        const quantity_curve *c = &s->curves[k].of;
        if (k > 0 && same_times(c, &s->curves[k - 1].of))
            continue;
        memcpy(s->t + n, c->t, (size_t)c->count * sizeof *c->t);
        n += c->count;
    }
    qsort(s->t, (size_t)n, sizeof *s->t, by_value);
    for (int k = 0; k < n; k++)
        if (s->t_count == 0 || s->t[k] > s->t[s->t_count - 1] + HISTORY_SAME)
            s->t[s->t_count++] = s->t[k];
    return true;
}

static json_t *exact_values(const series *s, const quantity_curve *c)
{
    json_t *list = json_array();
    int at = 0;
    for (int k = 0; k < s->t_count; k++) {
        while (at < c->count && c->t[at] < s->t[k] - HISTORY_SAME)
            at++;
        const bool there = at < c->count && c->t[at] <= s->t[k] + HISTORY_SAME;
        json_array_append_new(list, there ? json_value(c->y[at]) : json_null());
    }
    return list;
}

// ---- thinned ----

typedef struct pieces {
    double from, width; // s
    int count;
} pieces;

static json_t *thin_times(const pieces *p)
{
    json_t *list = json_array();
    for (int k = 0; k < 2 * p->count; k++)
        json_array_append_new(list, json_value(p->from + (0.25 + 0.5 * k) * p->width));
    return list;
}

static json_t *thin_values(const pieces *p, const quantity_curve *c)
{
    json_t *list = json_array();
    int at = 0;
    for (int k = 0; k < p->count; k++) {
        const double end = k + 1 == p->count ? INFINITY : p->from + (k + 1) * p->width;
        int low = -1, high = -1;
        for (; at < c->count && c->t[at] < end; at++) {
            if (isnan(c->y[at]))
                continue;
            low = low < 0 || c->y[at] < c->y[low] ? at : low;
            high = high < 0 || c->y[at] > c->y[high] ? at : high;
        }
        const int first = low < high ? low : high, second = low < high ? high : low;
        json_array_append_new(list, first < 0 ? json_null() : json_value(c->y[first]));
        json_array_append_new(list, second < 0 ? json_null() : json_value(c->y[second]));
    }
    return list;
}

static json_t *answer(const series *s)
{
    json_t *out = json_object(), *values = json_object();
    const double points = fmin(s->points, ANSWER_MAX / fmax(1, s->count));
    const bool thin = s->t_count > (int)points;
    pieces p = {0};
    if (thin) {
        p.count = (int)points / 2;
        p.from = s->t[0];
        p.width = (s->t[s->t_count - 1] - s->t[0]) / p.count;
    }
    json_put(out, "t", thin ? thin_times(&p) : json_values(s->t, s->t_count));
    json_put(out, "thinned", json_boolean(thin));
    for (int k = 0; k < s->count; k++) {
        const quantity_curve *c = &s->curves[k].of;
        json_put(values, s->curves[k].label, thin ? thin_values(&p, c) : exact_values(s, c));
    }
    json_put(out, "values", values);
    return out;
}

static bool names_only(const json_t *list)
{
    for (size_t k = 0; k < json_array_size(list); k++)
        if (!json_is_string(json_array_get(list, k)))
            return false;
    return json_array_size(list) > 0;
}

void request_series(request *r)
{
    series s = {.vehicles = json_object_get(r->body, "vehicles"),
                .fields = json_object_get(r->body, "fields")};
    if (!names_only(s.vehicles) || !names_only(s.fields)) {
        const char *what = names_only(s.vehicles) ? "fields" : "vehicles";
        request_reject(r, what, "%s must be a list of names", what);
        return;
    }
    if (!read_number(r, "from", -1e9, 1e9, -1e9, &s.from) ||
        !read_number(r, "to", -1e9, 1e9, 1e9, &s.to) ||
        !read_number(r, "points", 2, POINTS_MAX, 1000, &s.points) ||
        !read_branches(r, s.branches, &s.branch_count))
        return;
    const size_t max =
        (size_t)s.branch_count * json_array_size(s.vehicles) * json_array_size(s.fields);
    if (max > CURVES_MAX)
        request_reject(r, NULL, "%zu curves are too many: at most %d", max, CURVES_MAX);
    else if (!(s.curves = calloc(max + 1, sizeof *s.curves)))
        request_reject(r, NULL, "no memory for curves");
    else if (read_all(r, &s)) {
        if (unite_times(&s))
            request_done(r, answer(&s));
        else
            request_reject(r, NULL, "no memory for curves");
    }
    for (int k = 0; s.curves && k < s.count; k++)
        quantity_free(&s.curves[k].of);
    free(s.curves);
    free(s.t);
    for (int k = 0; k < s.branch_count; k++)
        branch_drop(s.branches[k]);
}
