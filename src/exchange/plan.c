// plan.c - speeds over time, and when they meet a condition.
#include "exchange/plan.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static bool put(arena *memory, plan *p, double t, double v)
{
    if (p->count == p->room) {
        const int room = p->room ? 2 * p->room : 32;
        double *more = arena_alloc(memory, 3 * (size_t)room * sizeof *more);
        if (!more)
            return false;
        for (int k = 0; k < p->count; k++) {
            more[k] = p->t[k];
            more[room + k] = p->v[k];
            more[2 * room + k] = p->s[k];
        }
        p->t = more, p->v = more + room, p->s = more + 2 * room;
        p->room = room;
    }
    const int k = p->count;
    if (k > 0 && t - p->t[k - 1] < 1e-9) {
        p->v[k - 1] = v;
        return true;
    }
    p->t[k] = t;
    p->v[k] = v;
    p->s[k] = k ? p->s[k - 1] + 0.5 * (p->v[k - 1] + v) * (t - p->t[k - 1]) : 0.0;
    p->count++;
    return true;
}

bool plan_start(arena *memory, plan *p, double s, double v)
{
    *p = (plan){0};
    if (!put(memory, p, 0.0, v))
        return false;
    p->s[0] = s;
    return true;
}

// The knot at or before t.
static int knot_of(const plan *p, double t)
{
    int k = 0;
    while (k + 1 < p->count && p->t[k + 1] <= t)
        k++;
    return k;
}

double plan_speed(const plan *p, double t)
{
    const int k = knot_of(p, t);
    if (p->count == 0)
        return 0.0;
    if (k + 1 == p->count)
        return p->v[k];
    return p->v[k] + (p->v[k + 1] - p->v[k]) * (t - p->t[k]) / (p->t[k + 1] - p->t[k]);
}

double plan_place(const plan *p, double t)
{
    const int k = knot_of(p, t);
    if (p->count == 0)
        return 0.0;
    return p->s[k] + 0.5 * (p->v[k] + plan_speed(p, t)) * (t - p->t[k]);
}

double plan_duration_by_rate(double change, double rate, plan_shape shape)
{
    static const double steepest[] = {
        [PLAN_LINEAR] = 1.0, [PLAN_CUBIC] = 1.5, [PLAN_SINE] = 0.5 * M_PI};
    return fabs(change) * steepest[shape] / fmax(rate, 1e-6);
}

bool plan_change(arena *memory, plan *p, double t, double v, double duration, plan_shape shape)
{
    enum { PARTS = 16 };
    const double before = plan_speed(p, t), place = plan_place(p, t);
    while (p->count > 1 && p->t[p->count - 1] >= t - 1e-9)
        p->count--;
    if (p->count == 1 && p->t[0] >= t - 1e-9) {
        p->v[0] = before;
    } else {
        if (!put(memory, p, t, before))
            return false;
        p->s[p->count - 1] = place;
    }
    const int parts = shape == PLAN_LINEAR ? 1 : PARTS;
    for (int k = 1; k <= parts; k++) {
        const double u = (double)k / parts;
        const double share = shape == PLAN_LINEAR  ? u
                             : shape == PLAN_CUBIC ? u * u * (3.0 - 2.0 * u)
                                                   : 0.5 * (1.0 - cos(M_PI * u));
        if (!put(memory, p, t + fmax(duration, 1e-6) * u, before + share * (v - before)))
            return false;
    }
    return true;
}

static double sum_at(const plan_sum *s, double t)
{
    double sum = s->constant + s->place_a * plan_place(s->a, t) + s->speed_a * plan_speed(s->a, t);
    if (s->b)
        sum += s->place_b * plan_place(s->b, t) + s->speed_b * plan_speed(s->b, t);
    return sum;
}

// The first root of the parabola through (0, f0), (h/2, f1), (h, f2) in 0 .. h at which it falls.
static double fall_of(double f0, double f1, double f2, double h)
{
    const double a = 2.0 * (f0 - 2.0 * f1 + f2) / (h * h), b = (4.0 * f1 - 3.0 * f0 - f2) / h;
    const double d = b * b - 4.0 * a * f0;
    if (d < 0.0)
        return HUGE_VAL;
    // 2 c/(-b + sqrt(d)) is the smaller positive root for f0 > 0, without cancellation for b < 0.
    const double q = -b + sqrt(d), t = q > 0.0 ? 2.0 * f0 / q : HUGE_VAL;
    return t <= h * (1.0 + 1e-12) ? t : HUGE_VAL;
}

static double next_knot(const plan *p, double t)
{
    for (int k = 0; k < p->count; k++)
        if (p->t[k] > t + 1e-9)
            return p->t[k];
    return HUGE_VAL;
}

double plan_first(const plan_sum *s, double from)
{
    static const double far = 1e5; // s
    double t = from;
    if (sum_at(s, t) <= 0.0)
        return t;
    while (t < far) {
        double next = next_knot(s->a, t);
        if (s->b)
            next = fmin(next, next_knot(s->b, t));
        const double end = fmin(next, far), h = end - t;
        // Just before the end, where the last knot has no jump.
        const double fall = fall_of(sum_at(s, t), sum_at(s, t + 0.5 * h), sum_at(s, end), h);
        if (fall < HUGE_VAL)
            return t + fall;
        t = end;
        if (sum_at(s, t) <= 0.0)
            return t;
    }
    return HUGE_VAL;
}
