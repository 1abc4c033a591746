// ode_pair.c - steps, step control and interpolation of the explicit adaptive methods.
#include "num/ode_pair.h"

#include <math.h>
#include <string.h>

typedef struct pair_own {
    ode_pair pair;
    double *k;                  // all stages, n each; k[0] is the rate at (t, y)
    double *point;              // n, argument of a stage; work
    double *next;               // n, y1
    double *error, *low;        // n
    double *weight;             // n
    double *dense;              // 3 + dense_count rows of n: y, d, r_0, r_1, ...
    double h;                   // the next step to try
    double h_done;              // the last accepted step
    double error_before;        // norm of the last accepted step, at least 1e-4
    bool dense_ready, rejected; // of the last step; the last try
    ode_answer cause;           // why the last rejected try was: ODE_OK: its error
} pair_own;

static double *stage(const ode *o, const pair_own *own, int i)
{
    return own->k + (ptrdiff_t)i * o->problem.n;
}

static void layout(ode *o, ode_space *space)
{
    const size_t n = (size_t)o->problem.n;
    pair_own *own = ode_space_take(space, 1, sizeof *own);
    pair_own places = {.k = ode_space_doubles(space, n * ODE_PAIR_STAGE_MAX),
                       .point = ode_space_doubles(space, n),
                       .next = ode_space_doubles(space, n),
                       .error = ode_space_doubles(space, n),
                       .low = ode_space_doubles(space, n),
                       .weight = ode_space_doubles(space, n),
                       .dense = ode_space_doubles(space, n * (4 + ODE_PAIR_DENSE_MAX))};
    if (own) {
        *own = places;
        ((const ode_pair_maker *)o->kind.table)->fill(&own->pair);
    }
    o->own = own;
}

// out = sum over the stages of weight_j k_j, stage by stage so that the loop runs over the states.
static void combine(const ode *o, const pair_own *own, int stages, const double *weight,
                    double *out)
{
    const int n = o->problem.n;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int j = 0; j < stages; j++) {
        if (weight[j] == 0.0)
            continue;
        const double *k = stage(o, own, j);
        for (int m = 0; m < n; m++)
            out[m] += weight[j] * k[m];
    }
}

// k_i of a step of h from (t, y), given the stages before it.
static ode_answer run_stage(ode *o, pair_own *own, int i, double t, const double *y, double h)
{
    combine(o, own, i, own->pair.a[i], own->point);
    for (int m = 0; m < o->problem.n; m++)
        own->point[m] = y[m] + h * own->point[m];
    return ode_rate_at(o, t + own->pair.c[i] * h, own->point, stage(o, own, i));
}

static ode_trouble start(ode *o, double t_end)
{
    pair_own *own = o->own;
    ode_answer answer = ode_rate_at(o, o->t, o->y, stage(o, own, 0));
    if (answer == ODE_OK) {
        ode_weights(o, o->options.rtol, 1.0, o->y, o->y, own->weight);
        answer = ode_first_step(o, t_end, own->pair.order, stage(o, own, 0), own->weight,
                                own->point, own->next, &own->h);
    }
    own->error_before = 1e-4;
    own->h_done = 0.0;
    own->rejected = false;
    own->cause = ODE_OK;
    return ode_trouble_of(o, answer);
}

// Tries one step of h: fills next, the stage at its end and *norm of the error.
static ode_answer attempt(ode *o, pair_own *own, double h, double *norm)
{
    const ode_pair *p = &own->pair;
    const int n = o->problem.n;
    for (int i = 1; i < p->stages; i++) {
        const ode_answer answer = run_stage(o, own, i, o->t, o->y, h);
        if (answer != ODE_OK)
            return answer;
    }
    combine(o, own, p->stages, p->b, own->next);
    for (int m = 0; m < n; m++)
        own->next[m] = o->y[m] + h * own->next[m];
    const ode_answer answer = ode_rate_at(o, o->t + h, own->next, stage(o, own, p->stages));
    if (answer != ODE_OK)
        return answer;

    ode_weights(o, o->options.rtol, 1.0, o->y, own->next, own->weight);
    combine(o, own, p->stages + 1, p->e, own->error);
    for (int m = 0; m < n; m++)
        own->error[m] *= h;
    int worst;
    *norm = ode_norm(n, own->error, own->weight, &worst);
    ode_note_error(o, own->error, own->weight, worst);
    if (p->has_low && *norm > 0.0) {
        combine(o, own, p->stages + 1, p->e_low, own->low);
        const double low = fabs(h) * ode_norm(n, own->low, own->weight, NULL);
        *norm *= *norm / sqrt(*norm * *norm + 0.01 * low * low);
    }
    return isfinite(*norm) ? ODE_OK : ODE_RETRY;
}

// Interpolation data of the accepted step, while its stages are available: from y to next.
static void keep_ends(ode *o, pair_own *own, double h)
{
    const int n = o->problem.n;
    double *y0 = own->dense, *d = y0 + n, *r0 = d + n, *r1 = r0 + n;
    const double *k0 = stage(o, own, 0), *end = stage(o, own, own->pair.stages);
    for (int m = 0; m < n; m++) {
        y0[m] = o->y[m];
        d[m] = own->next[m] - o->y[m];
        r0[m] = h * k0[m] - d[m];
        r1[m] = d[m] - h * end[m] - r0[m];
    }
    own->dense_ready = false;
    own->h_done = h;
}

// Moves to the end of the accepted step. The stages stay for the interpolant; the next step begins
// by taking over the last one.
static void accept(ode *o, pair_own *own, double h, bool last, double t_end)
{
    keep_ends(o, own, h);
    memcpy(o->y, own->next, (size_t)o->problem.n * sizeof *o->y);
    o->t_old = o->t;
    o->t = last ? t_end : o->t + h;
    o->report.steps++;
}

// The rate at the start of the next step: that at the end of the last one, recomputed after a
// projection.
static ode_answer take_over(ode *o, pair_own *own)
{
    if (own->h_done == 0.0)
        return ODE_OK; // just started
    own->h_done = 0.0;
    if (o->problem.project)
        return ode_rate_at(o, o->t, o->y, stage(o, own, 0));
    memcpy(stage(o, own, 0), stage(o, own, own->pair.stages),
           (size_t)o->problem.n * sizeof *own->k);
    return ODE_OK;
}

// h times this for an error of norm.
static double growth(const pair_own *own, double norm)
{
    const ode_pair *p = &own->pair;
    const double safety = 0.9;
    const double factor = norm > 0.0
                              ? safety * pow(norm, -p->alpha) * pow(own->error_before, p->beta)
                              : p->max_factor;
    return fmin(fmax(factor, p->min_factor), p->max_factor);
}

static ode_trouble step(ode *o, double t_end)
{
    pair_own *own = o->own;
    ode_answer answer = take_over(o, own);
    if (answer != ODE_OK)
        return ode_trouble_of(o, answer);
    for (;;) {
        bool last;
        const double h = ode_fit_step(o, own->h, t_end, &last);
        o->report.step = h;
        if (!last && ode_step_vanishes(o, h))
            return ode_too_small(o, own->cause);
        double norm = 0.0;
        answer = attempt(o, own, h, &norm);
        if (answer == ODE_FAILED)
            return ode_trouble_of(o, answer);
        if (answer == ODE_OK && norm <= 1.0) {
            const double factor = growth(own, norm);
            accept(o, own, h, last, t_end);
            if (o->problem.project)
                o->problem.project(o->problem.context, o->t, o->y, true);
            const double proposal = h * (own->rejected ? fmin(factor, 1.0) : factor);
            // A step cut short by the end says little about the next one.
            own->h = fabs(proposal) > fabs(own->h) || !(fabs(h) < fabs(own->h)) ? proposal : own->h;
            own->error_before = fmax(norm, 1e-4);
            own->rejected = false;
            return ODE_NO_TROUBLE;
        }
        own->h = answer == ODE_OK
                     ? h * fmax(own->pair.min_factor, 0.9 * pow(norm, -own->pair.alpha))
                     : 0.25 * h;
        own->rejected = true;
        own->cause = answer;
        o->report.rejected++;
    }
}

static ode_trouble prepare_dense(ode *o, pair_own *own)
{
    const ode_pair *p = &own->pair;
    const double *y0 = own->dense;
    const double h = own->h_done;
    for (int i = p->stages + 1; i < p->all_stages; i++) {
        const ode_answer answer = run_stage(o, own, i, o->t_old, y0, h);
        if (answer != ODE_OK)
            return ode_trouble_of(o, answer);
    }
    for (int r = 0; r < p->dense_count; r++) {
        double *row = own->dense + (ptrdiff_t)(4 + r) * o->problem.n;
        combine(o, own, p->all_stages, p->dense[r], row);
        for (int m = 0; m < o->problem.n; m++)
            row[m] *= h;
    }
    own->dense_ready = true;
    return ODE_NO_TROUBLE;
}

static ode_trouble dense(ode *o, double t, double *y)
{
    pair_own *own = o->own;
    const int n = o->problem.n, rows = 3 + own->pair.dense_count;
    if (!own->dense_ready) {
        const ode_trouble trouble = prepare_dense(o, own);
        if (trouble)
            return trouble;
    }
    const double x = (t - o->t_old) / own->h_done, z = 1.0 - x;
    memcpy(y, own->dense + (ptrdiff_t)rows * n, (size_t)n * sizeof *y);
    for (int r = rows - 1; r >= 0; r--) { // r even: multiplied by x, r odd: by z
        const double factor = r % 2 == 0 ? x : z, *row = own->dense + (ptrdiff_t)r * n;
        for (int m = 0; m < n; m++)
            y[m] = row[m] + factor * y[m];
    }
    return ODE_NO_TROUBLE;
}

const ode_method ode_pair_method = {.layout = layout, .start = start, .step = step, .dense = dense};
