// ode_event.c - events: where a function of the state rises through zero within a step.
//
// Steps are looked at in parts. Where a function was below zero and is not any more, the instant is
// searched for: on the interpolant of an adaptive method, by steps of other lengths from the start
// of the step for a fixed-step one. An adaptive method then goes to the instant by steps of its
// own, because an interpolant may be less accurate than they are; what that moves the zero by is
// made up for along the rate.
#include "num/ode_event.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LOOKS = 4, SEARCH_MAX = 100 }; // parts of a step; of the search

void ode_event_layout(ode *o, ode_space *space)
{
    const size_t n = (size_t)o->problem.n, m = (size_t)o->problem.event_count;
    if (m == 0)
        return;
    o->y_old = ode_space_doubles(space, n);
    o->probe = ode_space_doubles(space, n);
    o->before = ode_space_doubles(space, m);
    o->after = ode_space_doubles(space, m);
    o->value = ode_space_doubles(space, m);
    o->risen = ode_space_take(space, m, sizeof *o->risen);
}

static void look(ode *o, double t, const double *y, double *value)
{
    o->problem.event(o->problem.context, t, y, value);
}

void ode_event_begin(ode *o)
{
    o->has_event = false;
    if (o->problem.event_count > 0)
        look(o, o->t, o->y, o->before);
}

void ode_event_keep(ode *o)
{
    if (o->problem.event_count > 0)
        memcpy(o->y_old, o->y, (size_t)o->problem.n * sizeof *o->y);
}

static void project(ode *o, double t, double *y, bool step)
{
    if (o->problem.project)
        o->problem.project(o->problem.context, t, y, step);
}

// The state at t within the step into o->probe, and the values there.
static ode_trouble look_at(ode *o, double t, double *value)
{
    const size_t size = (size_t)o->problem.n * sizeof *o->y;
    ode_trouble trouble = ODE_NO_TROUBLE;
    if (o->kind.adaptive && t != o->t) {
        trouble = o->kind.method->dense(o, t, o->probe);
    } else if (o->kind.adaptive) {
        memcpy(o->probe, o->y, size);
    } else {
        memcpy(o->y, o->y_old, size);
        o->t = o->t_old;
        trouble = o->kind.method->advance(o, t - o->t_old);
        memcpy(o->probe, o->y, size);
    }
    if (trouble)
        return trouble;
    project(o, t, o->probe, false);
    look(o, t, o->probe, value);
    return ODE_NO_TROUBLE;
}

static bool rises(const ode *o, int i)
{
    return o->before[i] < 0.0 && o->after[i] >= 0.0;
}

// The highest of those that rise: its zero is the first of theirs.
static double highest(const ode *o, const double *value)
{
    double g = -INFINITY;
    for (int i = 0; i < o->problem.event_count; i++)
        if (rises(o, i) && !(value[i] <= g))
            g = value[i];
    return g;
}

// *b: the first instant found at which it is not below zero; at first the end of the part that
// begins at a. Secants that keep both sides (Illinois), every third time a halving.
static ode_trouble search(ode *o, double a, double *b)
{
    double low = highest(o, o->before), high = highest(o, o->after);
    int side = 0;
    for (int i = 0; i < SEARCH_MAX && high > 0.0; i++) {
        const double width = fabs(*b - a);
        if (width <= 4.0 * DBL_EPSILON * fmax(fabs(a), fabs(*b)))
            break;
        double t = i % 3 == 2 ? 0.5 * (a + *b) : a + (*b - a) * (low / (low - high));
        if (!(fabs(t - a) < width && fabs(*b - t) < width))
            t = 0.5 * (a + *b);
        const ode_trouble trouble = look_at(o, t, o->value);
        if (trouble)
            return trouble;
        const double g = highest(o, o->value);
        if (g >= 0.0) {
            *b = t;
            high = g;
            low *= side == 1 ? 0.5 : 1.0;
            side = 1;
        } else {
            a = t;
            low = g;
            high *= side == -1 ? 0.5 : 1.0;
            side = -1;
        }
    }
    return ODE_NO_TROUBLE;
}

// Along the rate by what is missing to the zero of the function that rose.
static ode_trouble make_up(ode *o, double step)
{
    const int n = o->problem.n;
    double *slope = o->row; // free between rows
    const ode_answer answer = ode_rate_at(o, o->t, o->y, slope);
    if (answer != ODE_OK)
        return ode_trouble_of(o, answer);
    look(o, o->t, o->y, o->value);
    const double g = highest(o, o->value), eta = 1e-5 * step;
    for (int i = 0; i < n; i++)
        o->probe[i] = o->y[i] + eta * slope[i];
    look(o, o->t + eta, o->probe, o->value);
    const double more = -g * eta / (highest(o, o->value) - g);
    if (!(fabs(more) < 1e-3 * fabs(step)))
        return ODE_NO_TROUBLE; // not a simple zero
    for (int i = 0; i < n; i++)
        o->y[i] += more * slope[i];
    o->t += more;
    project(o, o->t, o->y, false);
    return ODE_NO_TROUBLE;
}

// To the instant t by steps from the start of this one.
static ode_trouble go_to(ode *o, double t)
{
    const double step = o->t - o->t_old;
    const size_t size = (size_t)o->problem.n * sizeof *o->y;
    const bool near = fabs(t - o->t_old) <= 1e-12 * fmax(fabs(t), fabs(step));
    ode_trouble trouble = ODE_NO_TROUBLE;
    o->t = o->t_old;
    memcpy(o->y, o->y_old, size);
    if (near) { // no step is that short
        memcpy(o->y, o->probe, size);
        o->t = t;
        return trouble;
    }
    if (!o->kind.adaptive) {
        trouble = o->kind.method->advance(o, t - o->t_old);
        o->t = t;
        project(o, t, o->y, true);
        return trouble;
    }
    if (o->kind.method->start)
        trouble = o->kind.method->start(o, t);
    o->next_row = t;
    while (!trouble && o->t != t)
        trouble = o->kind.method->step(o, t);
    return trouble ? trouble : make_up(o, step);
}

ode_trouble ode_event_find(ode *o, double *at)
{
    const int m = o->problem.event_count, looks = o->kind.adaptive ? LOOKS : 1;
    const double start = o->t_old, end = o->t;
    double from = start;
    *at = end;
    for (int k = 1; k <= looks && m > 0; k++) {
        const double to = k == looks ? end : start + (end - start) * k / looks;
        ode_trouble trouble = ODE_NO_TROUBLE;
        if (k == looks)
            look(o, end, o->y, o->after);
        else
            trouble = look_at(o, to, o->after);
        for (int i = 0; i < m && !trouble; i++)
            o->has_event = o->has_event || rises(o, i);
        if (trouble)
            return trouble;
        if (o->has_event) {
            *at = to;
            trouble = search(o, from, at);
            if (!trouble)
                trouble = look_at(o, *at, o->value);
            for (int i = 0; i < m; i++)
                o->risen[i] = rises(o, i) && o->value[i] >= 0.0;
            o->t = end; // a fixed-step method has moved
            return trouble;
        }
        memcpy(o->before, o->after, (size_t)m * sizeof *o->after);
        from = to;
    }
    return ODE_NO_TROUBLE;
}

ode_trouble ode_event_stop(ode *o, double at)
{
    const ode_trouble trouble = go_to(o, at);
    o->started = false;
    return trouble;
}

const bool *ode_events_of(const ode *o)
{
    return o->has_event ? o->risen : NULL;
}
