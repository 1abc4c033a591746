// powertrain.c - the list of powertrains, and what all kinds share for one vehicle.
#include "parts/powertrain.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>

#define ADDRESS(word) &powertrain_##word,
#define ADDRESS_CHOSEN(word, role) ADDRESS(word)
#define SKIP(word)
#define BY_ROLE(word, role) [MC_POWERTRAIN_ROLE_##role] = &powertrain_##word,
static const powertrain_kind *const kinds[] = {POWERTRAIN_KINDS(ADDRESS, ADDRESS_CHOSEN)};
static const powertrain_kind *const defaults[MC_POWERTRAIN_ROLE_COUNT] = {
    POWERTRAIN_KINDS(SKIP, BY_ROLE)};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0], LANES_AT_ONCE = 4 };

const powertrain_kind *powertrain_kind_at(int index)
{
    return index >= 0 && index < KIND_COUNT ? kinds[index] : NULL;
}

const powertrain_kind *powertrain_kind_find(const char *name)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcasecmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

const powertrain_kind *powertrain_default(mc_powertrain_role role)
{
    return defaults[role];
}

void powertrain_defaults(const powertrain_kind *kind, double p[POWERTRAIN_PARAM_MAX])
{
    for (int i = 0; i < POWERTRAIN_PARAM_MAX; i++)
        p[i] = i < kind->param_count ? kind->params[i].fallback : 0.0;
}

static void spread(const double *values, int count, double *out)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < LANES_AT_ONCE; i++)
            out[LANES_AT_ONCE * k + i] = values[k];
}

void powertrain_look(const powertrain_kind *kind, const double *p, double throttle, double v,
                     const double *x, powertrain_values *out)
{
    enum { N = LANES_AT_ONCE };
    _Alignas(32) double wide_p[N * POWERTRAIN_PARAM_MAX], wide_x[N * POWERTRAIN_STATE_MAX];
    _Alignas(32) double rate[N * POWERTRAIN_STATE_MAX];
    _Alignas(32) double wide_throttle[N], wide_v[N], result[6][N];
    spread(p, kind->param_count, wide_p);
    spread(x, kind->state_count, wide_x);
    spread(&throttle, 1, wide_throttle);
    spread(&v, 1, wide_v);
    const powertrain_in in = {.throttle = wide_throttle, .v = wide_v};
    const powertrain_out o = {.force = result[0],
                              .fuel = result[1],
                              .input_power = result[2],
                              .shaft_power = result[3],
                              .ratio = result[4],
                              .region = result[5]};
    kind->eval[CPU_PLAIN](wide_p, N, &in, wide_x, rate, &o);
    *out = (powertrain_values){.force = result[0][0],
                               .fuel = result[1][0],
                               .input_power = result[2][0],
                               .shaft_power = result[3][0],
                               .ratio = result[4][0],
                               .region = result[5][0]};
    for (int k = 0; k < kind->state_count; k++)
        out->rate[k] = rate[N * k];
}

double powertrain_steady_force(const powertrain_kind *kind, const double *p, double v,
                               double throttle)
{
    double x[POWERTRAIN_STATE_MAX];
    powertrain_values values;
    kind->settle(p, v, throttle, x);
    powertrain_look(kind, p, throttle, v, x, &values);
    return values.force;
}

// ---- zeros ----

typedef struct search { // of a throttle for a force, or of an engine speed for a throttle
    const powertrain_kind *kind;
    const double *p;
    double v, throttle, force;
    powertrain_others *others;
    double *x;
} search;

typedef double search_value(const search *s, double at);

// A zero of f between low, where f is above 0, and high, where it is not: Chandrupatla's method,
// inverse quadratic steps where they are safe, else halving.
static double find_zero(search_value *f, const search *s, double low, double high, double f_low,
                        double f_high, double tolerance)
{
    double a = low, b = high, c, fa = f_low, fb = f_high, fc, t = 0.5;
    for (int k = 0; k < 100; k++) {
        const double x = a + t * (b - a), fx = f(s, x);
        if ((fx > 0.0) == (fa > 0.0)) {
            c = a, fc = fa;
        } else {
            c = b, fc = fb;
            b = a, fb = fa;
        }
        a = x, fa = fx;
        const double best = fabs(fa) < fabs(fb) ? a : b;
        const double min = tolerance / fabs(b - a);
        if (min > 0.5 || fa == 0.0)
            return best;
        const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
        t = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi
                ? fa / (fb - fa) * fc / (fb - fc) +
                      (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
                : 0.5;
        t = fmin(fmax(t, min), 1.0 - min);
    }
    return a;
}

static double force_missing(const search *s, double throttle)
{
    return s->force - powertrain_steady_force(s->kind, s->p, s->v, throttle);
}

double powertrain_invert(const powertrain_kind *kind, const double *p, double v, double force)
{
    const search s = {.kind = kind, .p = p, .v = v, .force = force};
    const double closed = force_missing(&s, 0.0);
    if (!(closed > 0.0))
        return 0.0;
    const double open = force_missing(&s, 1.0);
    return open < 0.0 ? find_zero(force_missing, &s, 0.0, 1.0, closed, open, 1e-15) : 1.0;
}

static double spin_up(const search *s, double rpm)
{
    powertrain_values values;
    s->x[0] = rpm;
    if (s->others)
        s->others(s->p, s->throttle, s->x);
    powertrain_look(s->kind, s->p, s->throttle, s->v, s->x, &values);
    return values.rate[0];
}

// Halving first: from there on there is one steady speed.
void powertrain_settle_speed(const powertrain_kind *kind, const double *p, double v,
                             double throttle, powertrain_others *others, double *x)
{
    enum { HALVINGS = 8 };
    const search s = {kind, p, v, throttle, 0.0, others, x};
    double low = 20.0, high = 20000.0, f_low = spin_up(&s, low), f_high = spin_up(&s, high);
    double n = f_low > 0.0 ? high : low;
    if (f_low > 0.0 && !(f_high > 0.0)) {
        for (int k = 0; k < HALVINGS; k++) {
            const double middle = 0.5 * (low + high), f = spin_up(&s, middle);
            if (f > 0.0)
                low = middle, f_low = f;
            else
                high = middle, f_high = f;
        }
        n = find_zero(spin_up, &s, low, high, f_low, f_high, 1e-14 * high);
    }
    x[0] = n;
    if (others)
        others(p, throttle, x);
}

void powertrain_state_name(const powertrain_kind *kind, int k, mc_state_name *out)
{
    const bool named = k > 0 && kind->states;
    snprintf(out->name, sizeof out->name, "%s",
             k == 0  ? "n"
             : named ? kind->states[k - 1].name
                     : "");
    snprintf(out->unit, sizeof out->unit, "%s",
             k == 0  ? "rpm"
             : named ? kind->states[k - 1].unit
                     : "");
}
