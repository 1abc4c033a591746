// crossing.c - bracketing and safeguarded Newton.
#include "contact/crossing.h"

#include <math.h>

enum { REFINEMENTS = 4, ITERATIONS = 60 };

static crossing_sample sample_at(crossing_look *look, void *context, double time)
{
    crossing_sample s = {.time = time};
    look(context, &s);
    return s;
}

// Time of the least value inside (a, b) of the cubic that matches values and slopes at both ends;
// NAN when the cubic has no minimum inside.
static double cubic_minimum(const crossing_sample *a, const crossing_sample *b)
{
    // p(s) = a + r0 s + c s^2 + d s^3 on s in (0, 1), slopes scaled by the length.
    const double length = b->time - a->time;
    const double r0 = a->rate * length, r1 = b->rate * length, rise = b->gap - a->gap;
    const double c = 3.0 * rise - 2.0 * r0 - r1, d = r0 + r1 - 2.0 * rise;
    const double discriminant = c * c - 3.0 * d * r0;
    if (discriminant < 0.0)
        return NAN;
    // Of the two roots of p' the one with p'' > 0, in the form that does not cancel.
    const double root = sqrt(discriminant);
    const double s = c > 0.0 ? -r0 / (c + root) : (root - c) / (3.0 * d);
    return s > 0.0 && s < 1.0 ? a->time + s * length : NAN;
}

// Root in a bracket: above.gap > 0 before, below.gap <= 0 after.
static crossing_sample root_between(crossing_look *look, void *context, crossing_sample above,
                                    crossing_sample below, double tolerance)
{
    for (int k = 0; k < ITERATIONS && below.gap < -tolerance; k++) {
        const double length = below.time - above.time;
        if (!(length > 1e-15 * fabs(below.time)))
            break;
        // Newton from the end with the smaller gap; the middle when it leaves the bracket.
        const crossing_sample *near = above.gap < -below.gap ? &above : &below;
        double time = near->rate < 0.0 ? near->time - near->gap / near->rate : NAN;
        if (!(time > above.time && time < below.time))
            time = above.time + 0.5 * length;
        // Keep off the ends so that the bracket always shrinks.
        time = fmin(fmax(time, above.time + 1e-3 * length), below.time - 1e-3 * length);
        const crossing_sample s = sample_at(look, context, time);
        if (fabs(s.gap) <= tolerance)
            return s;
        if (s.gap > 0.0)
            above = s;
        else
            below = s;
    }
    return below;
}

// A touch inside (a, b) between two ends with gap > 0: looks where the cubic is least.
static bool dip_between(crossing_look *look, void *context, crossing_sample a, crossing_sample b,
                        double tolerance, crossing_sample *at)
{
    for (int k = 0; k < REFINEMENTS; k++) {
        if (!(a.rate < 0.0 && b.rate > 0.0))
            return false;
        const double time = cubic_minimum(&a, &b);
        if (!(time > a.time && time < b.time))
            return false;
        const crossing_sample s = sample_at(look, context, time);
        if (s.gap <= 0.0) {
            *at = root_between(look, context, a, s, tolerance);
            return true;
        }
        // Far above zero against how fast it still moves: no touch.
        if (s.gap > 0.5 * fabs(s.rate) * (b.time - a.time) && s.gap > tolerance)
            return false;
        if (s.rate < 0.0)
            a = s;
        else
            b = s;
    }
    return false;
}

// First sample with gap > 0 between a (gap <= 0, rising) and b (gap <= 0); the bounce may be so
// small that there is none worth finding.
static bool rise_between(crossing_look *look, void *context, const crossing_sample *a,
                         const crossing_sample *b, crossing_sample *up)
{
    for (int k = 1; k <= 4; k++) {
        *up = sample_at(look, context, a->time + (b->time - a->time) * ldexp(1.0, -k));
        if (up->gap > 0.0)
            return true;
    }
    return false;
}

bool crossing_find(crossing_look *look, void *context, const crossing_sample *start,
                   const crossing_sample *end, double earliest, double tolerance,
                   crossing_sample *at)
{
    if (earliest > end->time)
        return false;
    crossing_sample a = *start;
    const crossing_sample b = *end;
    if (earliest > a.time)
        a = sample_at(look, context, earliest);
    if (a.gap <= tolerance && a.rate < 0.0) { // touching and closing already
        *at = a;
        return true;
    }
    if (b.gap > 0.0) {
        if (a.gap <= 0.0)
            return false; // rising out of contact
        return dip_between(look, context, a, b, tolerance, at);
    }
    if (a.gap <= 0.0) { // rises, then is down again at the end
        crossing_sample up;
        if (rise_between(look, context, &a, &b, &up)) {
            a = up;
        } else {
            *at = b;
            return b.rate < 0.0;
        }
    }
    *at = root_between(look, context, a, b, tolerance);
    return at->rate < 0.0;
}
