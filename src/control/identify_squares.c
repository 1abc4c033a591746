// identify_squares.c - the mass by recursive least squares; see identify.h.
//
// Within a braking V = c + q I, I the integral of the known force. Minimising the weighted sum of
// squares gives q = C_IV / C_II with C the weighted sums about the means. A new braking has another
// c: its sums are about its own means, and are added to those of the earlier ones.
#include "control/identify.h"

#include <math.h>

void identify_squares_start(identify_squares *s)
{
    *s = (identify_squares){0};
}

void identify_squares_on(identify_squares *s, const identify_sample *now)
{
    s->active = 1.0;
    s->now = (identify_sums){.n = 1.0, .n2 = 1.0};
    s->last = *now;
}

// Sums about the means of the present braking.
typedef struct centred {
    double n, ii, iv, vv, id, ig, spread;
} centred;

static centred centre(const identify_sums *a)
{
    if (a->n <= 0.0)
        return (centred){0};
    const double i = a->i / a->n, v = a->v / a->n;
    return (centred){.n = a->n,
                     .ii = a->ii - i * a->i,
                     .iv = a->iv - i * a->v,
                     .vv = a->vv - v * a->v,
                     .id = a->id - i * a->d,
                     .ig = a->ig - i * a->g,
                     .spread = a->ii2 - 2.0 * i * a->i2 + i * i * a->n2};
}

void identify_squares_off(identify_squares *s)
{
    if (s->active == 0.0)
        return;
    const centred c = centre(&s->now);
    s->active = 0.0;
    s->n += c.n;
    s->ii += c.ii;
    s->iv += c.iv;
    s->vv += c.vv;
    s->id += c.id;
    s->ig += c.ig;
    s->spread += c.spread;
    s->brakings += 1.0;
    s->now = (identify_sums){0};
}

// Sum of w a b when a and b are counted from da and db further on.
static double moved(double ab, double a, double b, double n, double da, double db)
{
    return ab - da * b - db * a + da * db * n;
}

// All sums, counted from the new sample, where everything is 0.
static void move_origin(identify_sums *a, double di, double dv, double dd, double dg)
{
    a->ii = moved(a->ii, a->i, a->i, a->n, di, di);
    a->iv = moved(a->iv, a->i, a->v, a->n, di, dv);
    a->vv = moved(a->vv, a->v, a->v, a->n, dv, dv);
    a->id = moved(a->id, a->i, a->d, a->n, di, dd);
    a->ig = moved(a->ig, a->i, a->g, a->n, di, dg);
    a->ii2 = moved(a->ii2, a->i2, a->i2, a->n2, di, di);
    a->i -= di * a->n;
    a->v -= dv * a->n;
    a->d -= dd * a->n;
    a->g -= dg * a->n;
    a->i2 -= di * a->n2;
}

// Least spread of the speed by known forces, m/s, for a claim: what a window of least excitation
// does. A straight line over a time T has a spread of a T / sqrt 12.
static double min_spread(const double *p)
{
    return p[IDENTIFY_EXCITATION] * p[IDENTIFY_WINDOW] / sqrt(12.0);
}

static double variance_of(const centred *c, double fits)
{
    const double q = c->iv / c->ii;
    return fmax(c->vv - q * c->iv, 0.0) / fmax(c->n - fits, 1.0);
}

// Drops the earlier brakings when the present one contradicts them: by 2 percent and three standard
// deviations of the difference.
static void compare(const double *p, identify_squares *s)
{
    const centred now = centre(&s->now);
    if (!(s->ii > 0.0) || !(now.ii > 0.0))
        return;
    const double q = now.iv / now.ii, q_old = s->iv / s->ii;
    if (!(fabs(q) * sqrt(now.ii / now.n) >= min_spread(p)))
        return;
    const double variance = variance_of(&now, 2.0);
    const double sigma =
        sqrt(variance * (now.spread / (now.ii * now.ii) + s->spread / (s->ii * s->ii)));
    if (fabs(q - q_old) > 0.02 * fabs(q) + 3.0 * sigma)
        s->n = s->ii = s->iv = s->vv = s->id = s->ig = s->spread = s->brakings = 0.0;
}

void identify_squares_step(const double *p, identify_squares *s, const identify_sample *now,
                           double dt)
{
    const double dd = 0.5 * dt * (s->last.drive + now->drive);
    const double dg = -0.5 * dt * (s->last.drag + now->drag);
    const double di = dd + dg - 0.5 * dt * (s->last.brake + now->brake);
    move_origin(&s->now, di, now->v - s->last.v, dd, dg);
    const double keep_share = exp(-dt / p[IDENTIFY_FORGET]), squared = keep_share * keep_share;
    double *sums = &s->now.n;
    for (int k = 0; k < 10; k++)
        sums[k] *= keep_share;
    for (int k = 10; k < 13; k++)
        sums[k] *= squared;
    s->n *= keep_share, s->ii *= keep_share, s->iv *= keep_share, s->vv *= keep_share;
    s->id *= keep_share, s->ig *= keep_share, s->spread *= squared;
    s->now.n += 1.0;
    s->now.n2 += 1.0;
    s->last = *now;
    compare(p, s);
}
_Static_assert(sizeof(identify_sums) == 13 * sizeof(double), "ten sums by w, three by w^2");

identify_result identify_squares_read(const double *p, const identify_squares *s)
{
    centred c = centre(&s->now);
    c.n += s->n, c.ii += s->ii, c.iv += s->iv, c.vv += s->vv;
    c.id += s->id, c.ig += s->ig, c.spread += s->spread;
    identify_result r = {.mass = NAN, .band = NAN, .force = NAN};
    if (!(c.ii > 0.0))
        return r;
    const double q = c.iv / c.ii;
    r.mass = 1.0 / q;
    r.excitation = fabs(q) * sqrt(c.ii / c.n); // m/s
    const double share = fmin(identify_force_error(p) * (fabs(c.id) + fabs(c.ig)) / c.ii, 0.9);
    r.force = fabs(r.mass) * share / (1.0 - share); // q (1 - share): the far end of M
    const double variance = variance_of(&c, s->brakings + 2.0);
    r.band = r.force + 1.96 * r.mass * r.mass * sqrt(variance * c.spread) / c.ii;
    r.claimed = r.excitation >= min_spread(p) && r.mass > p[IDENTIFY_MASS_MIN] &&
                r.mass < p[IDENTIFY_MASS_MAX] && r.band < 0.5 * r.mass;
    return r;
}
