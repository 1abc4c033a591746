// ode_radau5.c - Radau IIA of order 5, for stiff equations.
//
// Collocation at (4 -+ sqrt 6)/10 and 1 (ode_collocation.h): the last node is the end of the step,
// so stiff modes are damped at once (L-stable). After Hairer and Wanner, Solving Ordinary
// Differential Equations II, IV.8.
//
// Error estimate, of order 3, filtered by the real factors so that stiff modes do not inflate it:
//     (gamma/h - J) err = f(t, y) + (e_1 Z_1 + e_2 Z_2 + e_3 Z_3) / h
// The order of the estimate is far below that of the result. So that the error of a run falls with
// the tolerance like that of other methods, the steps are held to 0.1 rtol^(2/3). Steps that hold
// rows are held to that for the interpolant, too.
#include "num/ode_collocation.h"
#include "num/ode_kinds.h"

#include "num/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double nodes[3] = {0.15505102572168220, 0.64494897427831780, 1.0};
// (-13 - 7 sqrt 6)/3, (-13 + 7 sqrt 6)/3, -1/3
static const double e[3] = {-10.048809399827415, 1.3821427331607485, -1.0 / 3};

enum { ITERATIONS = 7 };

typedef struct radau_own {
    ode_stages stages;
    double *rate;    // n, at (t, y)
    double *weight;  // n
    double *error;   // n
    double *start;   // n, state at the start of the last accepted step
    double rtol;     // tolerance of a step
    double h;        // the next step to try
    double h_before; // of the last accepted step, with its error: for the trend
    double error_before;
    double rate_of_convergence; // of Newton in the last step: small means J is good
    double eta;                 // theta / (1 - theta): what is left after a change of 1
    bool renew;                 // a new Jacobian
    bool current;               // the Jacobian is that of (t, y)
    bool first, rejected;       // step since the start; the last try
    ode_answer cause;           // of the rate in the last rejected try
    bool diverged;              // Newton, in the last rejected try
} radau_own;

static void layout(ode *o, ode_space *space)
{
    const size_t n = (size_t)o->problem.n;
    radau_own *own = ode_space_take(space, 1, sizeof *own), places = {0};
    ode_stages_layout(o, space, &places.stages);
    places.rate = ode_space_doubles(space, n);
    places.weight = ode_space_doubles(space, n);
    places.error = ode_space_doubles(space, n);
    places.start = ode_space_doubles(space, n);
    if (own) {
        *own = places;
        ode_collocation_make(&own->stages.method, 3, nodes);
        own->rtol = 0.1 * pow(o->options.rtol, 2.0 / 3);
    }
    o->own = own;
}

static void set_weights(ode *o, radau_own *own)
{
    ode_weights(o, own->rtol, own->rtol / o->options.rtol, o->y, o->y, own->weight);
}

static ode_trouble start(ode *o, double t_end)
{
    radau_own *own = o->own;
    ode_stages_reset(&own->stages);
    own->renew = own->first = true;
    own->current = own->rejected = false;
    own->cause = ODE_OK;
    own->diverged = false;
    own->eta = 1.0;
    own->h_before = own->error_before = 0.0;
    ode_answer answer = ode_rate_at(o, o->t, o->y, own->rate);
    if (answer == ODE_OK) {
        set_weights(o, own);
        answer = ode_first_step(o, t_end, 4, own->rate, own->weight, own->stages.point,
                                own->stages.shifted, &own->h);
    }
    return ode_trouble_of(o, answer);
}

// Newton's outcome: converged after `iterations`, or how much shorter the step should be.
typedef struct newton {
    bool converged;
    int iterations;
    double shorten;
} newton;

// Iterates until what is left, eta times the last change, is a small part of the tolerance. Gives
// up early when the rate of convergence says that the iterations will not suffice.
static ode_answer converge(ode *o, radau_own *own, double h, newton *result)
{
    const double goal = fmax(10.0 * DBL_EPSILON / own->rtol, fmin(0.03, sqrt(own->rtol)));
    double before = 0.0, ratio_before = 0.0;
    *result = (newton){.shorten = 0.5};
    own->eta = pow(fmax(own->eta, DBL_EPSILON), 0.8);
    ode_stages_guess(o, &own->stages, h);
    for (int k = 1; k <= ITERATIONS; k++) {
        double norm;
        int worst;
        const ode_answer answer =
            ode_stages_iterate(o, &own->stages, h, own->weight, &norm, &worst);
        if (answer != ODE_OK)
            return answer;
        if (!isfinite(norm))
            return ODE_OK;
        if (k > 1) {
            const double ratio = norm / before;
            own->rate_of_convergence = k == 2 ? ratio : sqrt(ratio * ratio_before);
            ratio_before = ratio;
            if (own->rate_of_convergence >= 0.99)
                return ODE_OK;
            own->eta = own->rate_of_convergence / (1.0 - own->rate_of_convergence);
            const double left =
                own->eta * norm * pow(own->rate_of_convergence, ITERATIONS - 1 - k) / goal;
            if (left >= 1.0 && own->eta * norm > goal) {
                const double far = fmax(1e-4, fmin(20.0, left));
                result->shorten = 0.8 * pow(far, -1.0 / (4.0 + ITERATIONS - 1 - k));
                return ODE_OK;
            }
        }
        before = fmax(norm, DBL_MIN);
        if (own->eta * norm <= goal) {
            result->converged = true;
            result->iterations = k;
            return ODE_OK;
        }
    }
    return ODE_OK;
}

// Solves for the error with the rate given; returns its norm, at least 1e-10.
static double estimate(ode *o, radau_own *own, const double *rate, double h)
{
    const int n = o->problem.n;
    const double *z = own->stages.z;
    for (int i = 0; i < n; i++)
        own->error[i] = rate[i] + (e[0] * z[i] + e[1] * z[n + i] + e[2] * z[2 * n + i]) / h;
    dense_back(n, own->stages.real, own->stages.real_pivot, own->error);
    int worst;
    const double norm = ode_norm(n, own->error, own->weight, &worst);
    ode_note_error(o, own->error, own->weight, worst);
    return isfinite(norm) ? fmax(norm, 1e-10) : INFINITY;
}

// Norm of the error of a converged step. At the start and after a rejection the estimate may be far
// too large for stiff modes: it is then filtered again, through the rate at y + err.
static ode_answer measure(ode *o, radau_own *own, double h, double *norm)
{
    *norm = estimate(o, own, own->rate, h);
    if (*norm < 1.0 || !(own->first || own->rejected) || isinf(*norm))
        return ODE_OK;
    for (int i = 0; i < o->problem.n; i++)
        own->stages.point[i] = o->y[i] + own->error[i];
    const ode_answer answer = ode_rate_at(o, o->t, own->stages.point, own->stages.shifted);
    if (answer == ODE_OK)
        *norm = estimate(o, own, own->stages.shifted, h);
    return answer == ODE_FAILED ? ODE_FAILED : ODE_OK; // at worst the first estimate stands
}

// The interpolant has its own error, which the estimate does not see: stiff states follow their
// equilibrium exactly at the nodes, whatever the step. Its leading term follows from one more
// point, the start of the last step at x = -h_before / h, which the polynomial misses by some d:
//     d max |w| / |w(x)|,   w(x) = x (x - c_1) (x - c_2) (x - 1),   max |w| over 0 .. 1 is 0.01825
static double interpolation_error(ode *o, radau_own *own, double h)
{
    const double end = o->t + h;
    if (own->first || own->h_before == 0.0 || !(o->forward * (end - o->next_row) > 0.0))
        return 0.0; // no row in this step
    const double x = -own->h_before / h;
    double *miss = own->stages.point, w = x;
    for (int i = 0; i < 3; i++)
        w *= x - nodes[i];
    memcpy(miss, o->y, (size_t)o->problem.n * sizeof *miss);
    ode_stages_add(o, &own->stages, own->stages.z, x, miss);
    for (int i = 0; i < o->problem.n; i++)
        miss[i] = (own->start[i] - miss[i]) * 0.01825 / w;
    int worst;
    const double norm = ode_norm(o->problem.n, miss, own->weight, &worst);
    if (norm >= 1.0)
        ode_note_error(o, miss, own->weight, worst);
    return norm;
}

// The next step after an error of norm: h over this. Many iterations ask for caution.
static double shrinkage(double norm, int iterations)
{
    const double safety =
        0.9 * fmin(1.0, (1.0 + 2.0 * ITERATIONS) / (iterations + 2.0 * ITERATIONS));
    return fmax(1.0 / 8, fmin(5.0, pow(norm, 0.25) / safety));
}

static ode_trouble accept(ode *o, radau_own *own, double h, bool last, double t_end, double norm,
                          int iterations)
{
    double shrink = shrinkage(norm, iterations);
    if (!own->first) { // the trend of the error (Gustafsson)
        const double trend = own->h_before / h * pow(norm * norm / own->error_before, 0.25) / 0.9;
        shrink = fmax(shrink, fmax(1.0 / 8, fmin(5.0, fabs(trend))));
    }
    own->h_before = h;
    own->error_before = fmax(1e-2, norm);
    memcpy(own->start, o->y, (size_t)o->problem.n * sizeof *o->y);
    ode_stages_add(o, &own->stages, own->stages.z, 1.0, o->y);
    ode_stages_accept(o, &own->stages, h);
    o->t_old = o->t;
    o->t = last ? t_end : o->t + h;
    if (o->problem.project)
        o->problem.project(o->problem.context, o->t, o->y, true);
    o->report.steps++;

    double next = h / shrink;
    if (own->rejected && fabs(next) > fabs(h))
        next = h;
    own->renew = own->rate_of_convergence > 1e-3;
    // Nearly the same step: keep it, and with it the factors.
    if (!own->renew && fabs(next) >= fabs(h) && fabs(next) <= 1.2 * fabs(h))
        next = h;
    if (fabs(h) < fabs(own->h)) // cut short by the end, which says little about the next one
        next = fabs(next) > fabs(own->h) ? next : own->h;
    own->h = next;
    own->current = own->first = own->rejected = false;
    return ODE_NO_TROUBLE;
}

// One try of h. *shorten > 0: rejected, and the next step is to be that many times h.
static ode_answer attempt(ode *o, radau_own *own, double h, double *shorten, double *norm,
                          int *iterations)
{
    *shorten = 0.0;
    if (own->renew) {
        const ode_answer answer = ode_stages_jacobian(o, &own->stages, own->rate, h);
        if (answer != ODE_OK)
            return ODE_FAILED; // at a state that was accepted: a shorter step changes nothing
        own->renew = false;
        own->current = true;
    }
    newton result = {.shorten = 0.5};
    if (ode_stages_factor(o, &own->stages, h)) {
        const ode_answer answer = converge(o, own, h, &result);
        if (answer != ODE_OK)
            return answer;
    }
    if (!result.converged) {
        *shorten = result.shorten;
        own->renew = !own->current;
        own->eta = 1.0;
        return ODE_OK;
    }
    *iterations = result.iterations;
    const ode_answer answer = measure(o, own, h, norm);
    *norm = fmax(*norm, interpolation_error(o, own, h));
    if (answer == ODE_OK && !(*norm < 1.0))
        *shorten = own->first ? 0.1 : fmin(0.9, 1.0 / shrinkage(*norm, result.iterations));
    return answer;
}

static ode_trouble step(ode *o, double t_end)
{
    radau_own *own = o->own;
    if (!own->first) {
        const ode_answer answer = ode_rate_at(o, o->t, o->y, own->rate);
        if (answer != ODE_OK)
            return ode_trouble_of(o, answer);
    }
    set_weights(o, own);
    for (;;) {
        bool last;
        const double h = ode_fit_step(o, own->h, t_end, &last);
        o->report.step = h;
        if (!last && ode_step_vanishes(o, h))
            return own->cause == ODE_OK && own->diverged ? ODE_NEWTON_FAILED
                                                         : ode_too_small(o, own->cause);
        double shorten, norm = 0.0;
        int iterations = 0;
        const ode_answer answer = attempt(o, own, h, &shorten, &norm, &iterations);
        if (answer == ODE_FAILED)
            return ode_trouble_of(o, answer);
        if (answer == ODE_OK && shorten == 0.0)
            return accept(o, own, h, last, t_end, norm, iterations);
        own->h = answer == ODE_OK ? shorten * h : 0.25 * h;
        own->rejected = true;
        own->stages.h_old = iterations > 0 ? own->stages.h_old : 0.0; // may have been a bad guess
        own->cause = answer;
        own->diverged = iterations == 0;
        o->report.rejected++;
    }
}

static ode_trouble dense(ode *o, double t, double *y)
{
    const radau_own *own = o->own;
    memcpy(y, own->start, (size_t)o->problem.n * sizeof *y);
    ode_stages_add(o, &own->stages, own->stages.old, (t - o->t_old) / own->stages.h_old, y);
    return ODE_NO_TROUBLE;
}

static const ode_method method = {.layout = layout, .start = start, .step = step, .dense = dense};

const ode_kind ode_radau5 = {.name = "radau5",
                             .doc = "Radau IIA, implicit, for stiff models, interpolated rows",
                             .order = 5,
                             .adaptive = true,
                             .implicit = true,
                             .method = &method};
