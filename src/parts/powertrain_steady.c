// powertrain_steady.c - searches for steady states, four vehicles side by side.
//
// A search is asked for the state at which it wants to know rate and force, and told both; so
// searches of different lengths share evaluations, and a lane that is done takes the next vehicle.
#include "parts/powertrain_steady.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { N = 4, HALVINGS = 8, ROUNDS_MAX = 100 };

// ---- a zero ------------------------------------------------------------------------------------

// Of f between low, where it is above 0, and high, where it is not: Chandrupatla's method, inverse
// quadratic steps where they are safe, else halving.
typedef struct zero {
    double a, b, fa, fb, t, tolerance;
    int round;
} zero;

static void zero_begin(zero *z, double low, double high, double f_low, double f_high,
                       double tolerance)
{
    *z = (zero){.a = low, .b = high, .fa = f_low, .fb = f_high, .t = 0.5, .tolerance = tolerance};
}

static double zero_at(const zero *z) // where to evaluate f
{
    return z->a + z->t * (z->b - z->a);
}

// fx: f there. true: *found is the zero.
static bool zero_take(zero *z, double fx, double *found)
{
    const double x = zero_at(z);
    double c, fc;
    if ((fx > 0.0) == (z->fa > 0.0)) {
        c = z->a, fc = z->fa;
    } else {
        c = z->b, fc = z->fb;
        z->b = z->a, z->fb = z->fa;
    }
    z->a = x, z->fa = fx;
    const double a = z->a, b = z->b, fa = z->fa, fb = z->fb;
    const double min = z->tolerance / fabs(b - a);
    *found = fabs(fa) < fabs(fb) ? a : b;
    if (min > 0.5 || fa == 0.0)
        return true;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    const double t =
        phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi
            ? fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            : 0.5;
    z->t = fmin(fmax(t, min), 1.0 - min);
    *found = a;
    return ++z->round == ROUNDS_MAX;
}

// ---- one vehicle -------------------------------------------------------------------------------

typedef enum phase { // of the search for a steady speed; then
    LOW,
    HIGH,
    HALVE,
    REFINE,
    FORCE, // of the steady state
} phase;

typedef enum goal { SETTLE, CLOSED, OPEN, BETWEEN } goal;

typedef struct seek {
    const double *p;
    double v, force;
    powertrain_others *others;
    goal goal;
    double throttle, f_closed;
    zero by_throttle;
    phase phase;
    double low, high, f_low, f_high;
    int halvings;
    zero by_speed;
    double x[POWERTRAIN_STATE_MAX]; // where it wants to know the rate of state 0, or the force
    powertrain_inverse *inverse;
} seek;

static void set_speed(seek *s, double rpm)
{
    s->x[0] = rpm;
    if (s->others)
        s->others(s->p, s->throttle, s->x);
}

static void begin_settle(seek *s, double throttle)
{
    s->throttle = throttle;
    s->phase = LOW;
    s->low = 20.0, s->high = 20000.0;
    set_speed(s, s->low);
}

static bool settled(seek *s, double rpm)
{
    set_speed(s, rpm);
    s->phase = FORCE;
    return s->goal == SETTLE;
}

static void halve(seek *s)
{
    set_speed(s, 0.5 * (s->low + s->high));
}

// Throttle by throttle. true: the inverse is found.
static bool take_force(seek *s, double force)
{
    const double missing = s->force - force;
    switch (s->goal) {
    case CLOSED:
        memcpy(s->inverse->closed, s->x, sizeof s->x);
        s->inverse->throttle = 0.0;
        if (!(missing > 0.0))
            return true;
        s->f_closed = missing;
        s->goal = OPEN;
        begin_settle(s, 1.0);
        return false;
    case OPEN:
        s->inverse->throttle = 1.0;
        if (!(missing < 0.0))
            return true;
        zero_begin(&s->by_throttle, 0.0, 1.0, s->f_closed, missing, 1e-15);
        s->goal = BETWEEN;
        break;
    default:
        if (zero_take(&s->by_throttle, missing, &s->inverse->throttle))
            return true;
    }
    begin_settle(s, zero_at(&s->by_throttle));
    return false;
}

// Halving first: from there on there is one steady speed. true: the search is over.
static bool take(seek *s, double rate, double force)
{
    double found;
    switch (s->phase) {
    case LOW:
        s->f_low = rate;
        s->phase = HIGH;
        set_speed(s, s->high);
        return false;
    case HIGH:
        s->f_high = rate;
        if (!(s->f_low > 0.0) || s->f_high > 0.0)
            return settled(s, s->f_low > 0.0 ? s->high : s->low);
        s->phase = HALVE;
        s->halvings = 0;
        halve(s);
        return false;
    case HALVE:
        if (rate > 0.0)
            s->low = s->x[0], s->f_low = rate;
        else
            s->high = s->x[0], s->f_high = rate;
        if (++s->halvings < HALVINGS) {
            halve(s);
            return false;
        }
        zero_begin(&s->by_speed, s->low, s->high, s->f_low, s->f_high, 1e-14 * s->high);
        s->phase = REFINE;
        break;
    case REFINE:
        if (zero_take(&s->by_speed, rate, &found))
            return settled(s, found);
        break;
    case FORCE:
        return take_force(s, force);
    }
    set_speed(s, zero_at(&s->by_speed));
    return false;
}

// ---- side by side ------------------------------------------------------------------------------

typedef struct together { // what the lanes have in common
    const powertrain_kind *kind;
    powertrain_eval *eval;
    powertrain_hold *hold;
    _Alignas(32) double p[N * POWERTRAIN_PARAM_MAX], throttle[N], v[N];
    _Alignas(32) double x[N * POWERTRAIN_STATE_MAX], rate[N * POWERTRAIN_STATE_MAX];
    _Alignas(32) double force[N], held[N * POWERTRAIN_HELD_MAX];
} together;

static void together_begin(together *t, const powertrain_kind *kind)
{
    memset(t, 0, sizeof *t);
    t->kind = kind;
    t->eval = kind->eval[CPU_PLAIN]; // the same bits on every processor
    t->hold = kind->hold[CPU_PLAIN];
}

static void put_vehicle(together *t, int l, const seek *s)
{
    for (int k = 0; k < t->kind->param_count; k++)
        t->p[N * k + l] = s->p[k];
    t->v[l] = s->v;
}

static void evaluate(together *t, const seek s[N])
{
    bool changed = false;
    for (int l = 0; l < N; l++) {
        changed = changed || t->throttle[l] != s[l].throttle;
        t->throttle[l] = s[l].throttle;
        for (int k = 0; k < t->kind->state_count; k++)
            t->x[N * k + l] = s[l].x[k];
    }
    if (t->hold && changed)
        t->hold(t->p, N, t->throttle, t->held);
    t->eval(t->p, N,
            &(powertrain_in){.throttle = t->throttle, .v = t->v, .held = t->hold ? t->held : NULL},
            t->x, t->rate, &(powertrain_out){.force = t->force});
}

// Lanes without a vehicle repeat another and have no effect.
static void search(const powertrain_kind *kind, seek *all, int count)
{
    together t;
    seek s[N];
    int number[N], next = 0, busy = 0;
    together_begin(&t, kind);
    for (int l = 0; l < N; l++) {
        number[l] = next < count ? next++ : -1;
        busy += number[l] >= 0;
        s[l] = all[number[l] >= 0 ? number[l] : 0];
        put_vehicle(&t, l, &s[l]);
        t.throttle[l] = -1.0; // nothing is held
    }
    while (busy > 0) {
        evaluate(&t, s);
        for (int l = 0; l < N; l++) {
            if (number[l] < 0 || !take(&s[l], t.rate[l], t.force[l]))
                continue;
            all[number[l]] = s[l];
            number[l] = next < count ? next++ : -1;
            if (number[l] >= 0) {
                s[l] = all[number[l]];
                put_vehicle(&t, l, &s[l]);
                t.throttle[l] = -1.0;
            } else {
                busy--;
            }
        }
    }
}

void powertrain_settle_speed(const powertrain_kind *kind, const double *p, double v,
                             double throttle, powertrain_others *others, double *x)
{
    seek s = {.p = p, .v = v, .others = others, .goal = SETTLE};
    begin_settle(&s, throttle);
    search(kind, &s, 1);
    memcpy(x, s.x, (size_t)kind->state_count * sizeof *x);
}

static void invert_few(const powertrain_kind *kind, int count, powertrain_inverse *all, seek *s)
{
    for (int i = 0; i < count; i++) {
        s[i] = (seek){.p = all[i].p,
                      .v = all[i].v,
                      .force = all[i].force,
                      .others = kind->others,
                      .goal = CLOSED,
                      .inverse = &all[i]};
        begin_settle(&s[i], 0.0);
    }
    search(kind, s, count);
}

void powertrain_invert_some(const powertrain_kind *kind, int count, powertrain_inverse *all)
{
    enum { AT_ONCE = 32 };
    seek s[AT_ONCE];
    for (int i = 0; i < count; i += AT_ONCE)
        if (kind->searched)
            invert_few(kind, count - i < AT_ONCE ? count - i : AT_ONCE, all + i, s);
    for (int i = 0; i < count && !kind->searched; i++) {
        powertrain_inverse *w = &all[i];
        kind->settle(w->p, w->v, 0.0, w->closed);
        w->throttle = kind->invert(w->p, w->v, w->force);
    }
}

double powertrain_invert(const powertrain_kind *kind, const double *p, double v, double force)
{
    powertrain_inverse inverse = {.p = p, .v = v, .force = force};
    seek s;
    invert_few(kind, 1, &inverse, &s);
    return inverse.throttle;
}
