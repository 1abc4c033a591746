// ode_method.c - what the methods of ode.h share: calls of the rate, differences, norms, step
// sizes.
#include "num/ode_method.h"

#include <float.h>
#include <math.h>
#include <string.h>

void *ode_space_take(ode_space *space, size_t count, size_t size)
{
    enum { ALIGN = 64 };
    void *place = space->base ? space->base + space->used : NULL;
    space->used += (count * size + ALIGN - 1) / ALIGN * ALIGN;
    return place;
}

double *ode_space_doubles(ode_space *space, size_t count)
{
    return ode_space_take(space, count, sizeof(double));
}

// ---- the caller's functions --------------------------------------------------------------------

// Index of the first value that is not finite, or -1.
static int first_bad(size_t count, const double *x)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return (int)i;
    return -1;
}

ode_answer ode_rate_at(ode *o, double t, const double *y, double *dy)
{
    o->report.rates++;
    const ode_answer answer = o->problem.rate(o->problem.context, t, y, dy);
    const int bad = answer == ODE_OK ? first_bad((size_t)o->problem.n, dy) : -1;
    if (answer == ODE_OK && bad < 0)
        return ODE_OK;
    o->bad_time = t;
    o->bad_component = bad;
    return answer == ODE_FAILED ? ODE_FAILED : ODE_RETRY;
}

// Forward differences. State j is moved by sqrt(eps) of its size, at least of the size where the
// absolute tolerance takes over or of its change in the step, in the direction in which it goes.
static ode_answer differences(ode *o, double t, const double *y, const double *dy, double h,
                              double *point, double *shifted, double *jacobian)
{
    const int n = o->problem.n;
    const double share = sqrt(DBL_EPSILON);
    memcpy(point, y, (size_t)n * sizeof *y);
    for (int j = 0; j < n; j++) {
        double size = fmax(fabs(y[j]), o->atol[j] / o->options.rtol);
        size = fmax(size, fabs(h * dy[j]));
        if (!(size > 0.0))
            size = 1.0;
        point[j] = y[j] + copysign(share * size, h * dy[j]);
        const double moved = point[j] - y[j]; // what was really added
        const ode_answer answer = ode_rate_at(o, t, point, shifted);
        if (answer != ODE_OK)
            return answer;
        for (int i = 0; i < n; i++)
            jacobian[(size_t)j * (size_t)n + (size_t)i] = (shifted[i] - dy[i]) / moved;
        point[j] = y[j];
    }
    return ODE_OK;
}

ode_answer ode_jacobian_at(ode *o, double t, const double *y, const double *dy, double h,
                           double *point, double *shifted, double *jacobian)
{
    const size_t n = (size_t)o->problem.n;
    o->report.jacobians++;
    if (!o->problem.jacobian)
        return differences(o, t, y, dy, h, point, shifted, jacobian);
    memset(jacobian, 0, n * n * sizeof *jacobian);
    const ode_answer answer = o->problem.jacobian(o->problem.context, t, y, jacobian);
    const int bad = answer == ODE_OK ? first_bad(n * n, jacobian) : -1;
    if (answer == ODE_OK && bad < 0)
        return ODE_OK;
    o->bad_time = t;
    o->bad_component = bad < 0 ? -1 : bad % (int)n; // the rate whose slope it is
    return answer == ODE_FAILED ? ODE_FAILED : ODE_RETRY;
}

ode_trouble ode_trouble_of(const ode *o, ode_answer answer)
{
    if (answer == ODE_OK)
        return ODE_NO_TROUBLE;
    return o->bad_component < 0 ? ODE_RATE_REJECTED : ODE_RATE_NOT_FINITE;
}

// ---- norms -------------------------------------------------------------------------------------

void ode_weights(const ode *o, double rtol, double atol_scale, const double *a, const double *b,
                 double *weight)
{
    for (int i = 0; i < o->problem.n; i++) {
        const double tolerance = atol_scale * o->atol[i] + rtol * fmax(fabs(a[i]), fabs(b[i]));
        // A state at zero without an absolute tolerance: anything is too much, but stay finite.
        weight[i] = 1.0 / fmax(tolerance, 1e-150);
    }
}

double ode_norm(int n, const double *x, const double *weight, int *worst)
{
    double sum = 0.0, max = -1.0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        const double term = fabs(x[i] * weight[i]);
        sum += term * term;
        if (term > max || isnan(term))
            max = isnan(term) ? INFINITY : term, at = i;
    }
    if (worst)
        *worst = at;
    return sqrt(sum / n);
}

void ode_note_error(ode *o, const double *x, const double *weight, int worst)
{
    o->report.component = worst;
    o->report.error = fabs(x[worst] * weight[worst]);
}

// ---- step sizes --------------------------------------------------------------------------------

ode_answer ode_first_step(ode *o, double t_end, int order, const double *dy, const double *weight,
                          double *point, double *slope, double *h)
{
    const int n = o->problem.n;
    const double span = fabs(t_end - o->t);
    const double limit = o->options.step_max > 0.0 ? fmin(span, o->options.step_max) : span;
    if (o->options.step > 0.0) {
        *h = copysign(fmin(o->options.step, limit), o->forward);
        return ODE_OK;
    }
    const double d0 = ode_norm(n, o->y, weight, NULL), d1 = ode_norm(n, dy, weight, NULL);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    h0 = fmin(h0, limit);
    ode_answer answer = ODE_RETRY;
    for (int tries = 0; tries < 20 && answer == ODE_RETRY; tries++, h0 *= 0.1) {
        for (int i = 0; i < n; i++)
            point[i] = o->y[i] + o->forward * h0 * dy[i];
        answer = ode_rate_at(o, o->t + o->forward * h0, point, slope);
        if (answer == ODE_OK)
            break;
    }
    if (answer != ODE_OK)
        return answer;
    for (int i = 0; i < n; i++)
        slope[i] -= dy[i];
    const double steepest = fmax(d1, ode_norm(n, slope, weight, NULL) / h0);
    const double h1 = steepest <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / steepest, 1.0 / order);
    *h = copysign(fmin(fmin(100.0 * h0, h1), limit), o->forward);
    return ODE_OK;
}

double ode_fit_step(const ode *o, double h, double t_end, bool *last)
{
    if (o->options.step_max > 0.0 && fabs(h) > o->options.step_max)
        h = copysign(o->options.step_max, h);
    const double left = t_end - o->t;
    *last = fabs(h) >= fabs(left) * (1.0 - 1e-12);
    if (*last)
        return left;
    return fabs(h) * 2.0 > fabs(left) ? 0.5 * left : h;
}

bool ode_step_vanishes(const ode *o, double h)
{
    return !(fabs(h) > 10.0 * DBL_EPSILON * fabs(o->t)) || fabs(h) < 1e-290;
}

ode_trouble ode_too_small(const ode *o, ode_answer cause)
{
    return cause == ODE_OK ? ODE_STEP_TOO_SMALL : ode_trouble_of(o, cause);
}
