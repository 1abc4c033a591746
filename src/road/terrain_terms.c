// terrain_terms.c - sums of singularity terms.
#include "road/terrain_terms.h"

#include <math.h>

// Places this close to a break are on it: the side that is asked for decides.
static double near_of(double x)
{
    return 1e-12 * (1.0 + fabs(x));
}

// u of x; false: outside of all periods, where the ground is level.
static bool inside(const terrain_terms *t, double x, bool after, double *u)
{
    const double near = near_of(x), d = x - t->from;
    *u = d;
    if (t->period <= 0.0)
        return true;
    double k = floor(d / t->period);
    *u = d - k * t->period;
    if (after && *u > t->period - near) {
        k += 1.0;
        *u = 0.0;
    } else if (!after && *u < near) {
        k -= 1.0;
        *u = t->period;
    }
    return k >= 0.0 && (t->count == 0 || k < t->count);
}

static void terms_at(const void *data, double x, double y, bool after, double out[3])
{
    (void)y;
    const terrain_terms *t = data;
    const double near = near_of(x);
    double u;
    out[0] = out[1] = out[2] = 0.0;
    if (!inside(t, x, after, &u))
        return;
    for (int k = 0; k < t->term_count; k++) {
        const terrain_term *e = &t->terms[k];
        const double d = u - e->at;
        if (after ? d < -near : d <= near)
            continue;
        double power = 1.0; // d^(n - 1), then d^n
        for (int n = 1; n < e->power; n++)
            power *= d;
        out[1] += e->power > 0 ? e->scale * e->power * power : 0.0;
        out[0] += e->scale * (e->power > 0 ? power * d : 1.0);
    }
}

// The first break of one period, which begins at `start`, above x; HUGE_VAL: none.
static double next_in(const terrain_terms *t, double start, double x)
{
    for (int k = 0; k < t->term_count; k++)
        if (start + t->terms[k].at > x + near_of(x))
            return start + t->terms[k].at;
    return HUGE_VAL;
}

static double terms_next(const void *data, double x)
{
    const terrain_terms *t = data;
    if (t->period <= 0.0)
        return next_in(t, t->from, x);
    double k = fmax(floor((x - t->from) / t->period), 0.0);
    for (int tries = 0; tries < 2; tries++, k += 1.0) {
        if (t->count > 0 && k >= t->count)
            break;
        const double start = t->from + k * t->period, end = start + t->period;
        const double next = start > x + near_of(x) ? start : next_in(t, start, x);
        if (next < end)
            return next;
        if (end > x + near_of(x))
            return end;
    }
    return HUGE_VAL;
}

// |z| of one piece without breaks: by its Taylor series about the middle.
static double largest_on(const terrain_terms *t, double from, double to)
{
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double u, c[TERRAIN_POWER_MAX + 1] = {0}, sum = 0.0, reach = 1.0;
    if (!inside(t, middle, true, &u))
        return 0.0;
    for (int k = 0; k < t->term_count; k++) {
        const terrain_term *e = &t->terms[k];
        const double d = u - e->at;
        if (d < 0.0)
            continue;
        double binomial = 1.0; // n over j
        for (int j = 0; j <= e->power; j++) {
            c[j] += e->scale * binomial * pow(d, e->power - j);
            binomial *= (double)(e->power - j) / (j + 1);
        }
    }
    for (int j = 0; j <= TERRAIN_POWER_MAX; j++, reach *= half)
        sum += fabs(c[j]) * reach;
    return sum;
}

static double terms_largest(const void *data, double from, double to)
{
    double most = 0.0;
    for (double x = from; x < to;) {
        const double end = fmin(terms_next(data, x), to);
        most = fmax(most, largest_on(data, x, end));
        x = end;
    }
    return most;
}

static double terms_across(const void *data, double from, double to)
{
    (void)data, (void)from, (void)to;
    return 0.0;
}

// Of terms up to the second power it is constant; of others the Taylor series about the middle.
static double terms_bend(const void *data, double from, double to)
{
    const terrain_terms *t = data;
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double u, c[TERRAIN_POWER_MAX + 1] = {0}, sum = 0.0, reach = 1.0;
    if (!inside(t, middle, true, &u))
        return 0.0;
    for (int k = 0; k < t->term_count; k++) {
        const terrain_term *e = &t->terms[k];
        const double d = u - e->at;
        double power = 1.0; // d^(n - j)
        if (d < 0.0 || e->power < 2)
            continue;
        for (int j = e->power; j >= 2; j--, power *= d) {
            double binomial = 1.0; // n over j
            for (int i = 0; i < e->power - j; i++)
                binomial *= (double)(e->power - i) / (i + 1);
            c[j] += e->scale * binomial * power;
        }
    }
    for (int j = 2; j <= TERRAIN_POWER_MAX; j++, reach *= half)
        sum += j * (j - 1) * fabs(c[j]) * reach;
    return sum;
}

const terrain_kind terrain_terms_kind = {"terms",       terms_at,     terms_next,
                                         terms_largest, terms_across, terms_bend};
