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

// Time of the minimum inside (a, b) of the cubic that matches values and slopes at both ends; NAN
// when the cubic has no minimum inside.
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

// The place of the maximum, likewise.
static double cubic_maximum(const crossing_sample *a, const crossing_sample *b)
{
    const crossing_sample upside_down_a = {a->time, -a->gap, -a->rate};
    const crossing_sample upside_down_b = {b->time, -b->gap, -b->rate};
    return cubic_minimum(&upside_down_a, &upside_down_b);
}

// Root in a bracket: above.gap > 0 before, below.gap <= 0 after. Falling there, unless the function
// only just touches zero: on the way up again it can be within the tolerance too.
static crossing_sample root_between(crossing_look *look, void *context, crossing_sample above,
                                    crossing_sample below, double tolerance)
{
    for (int k = 0; k < ITERATIONS && !(below.gap >= -tolerance && below.rate < 0.0); k++) {
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
        if (fabs(s.gap) <= tolerance && s.rate < 0.0)
            return s;
        if (s.gap > 0.0)
            above = s;
        else
            below = s;
    }
    return below;
}

// Looks where the cubic from a to *b is least. True when the gap is <= 0 there or at *b; *b is then
// the first such sample.
static bool low_between(crossing_look *look, void *context, crossing_sample a, crossing_sample *b,
                        double tolerance)
{
    for (int k = 0; k < REFINEMENTS; k++) {
        const double time = cubic_minimum(&a, b);
        if (!(time > a.time && time < b->time))
            break;
        const crossing_sample s = sample_at(look, context, time);
        if (s.gap <= 0.0) {
            *b = s;
            return true;
        }
        if (b->gap <= 0.0)
            break;
        // Far above zero against how fast it still moves: no touch.
        if (s.gap > 0.5 * fabs(s.rate) * (b->time - a.time) && s.gap > tolerance)
            break;
        if (s.rate < 0.0)
            a = s;
        else
            *b = s;
    }
    return b->gap <= 0.0;
}

bool crossing_find(crossing_look *look, void *context, const crossing_sample *start,
                   const crossing_sample *end, double earliest, double tolerance,
                   crossing_sample *at)
{
    if (earliest > end->time)
        return false;
    crossing_sample a = *start, b = *end;
    if (earliest > a.time)
        a = sample_at(look, context, earliest);
    if (a.gap <= tolerance && a.rate < 0.0) { // touching and closing already
        *at = a;
        return true;
    }
    if (!low_between(look, context, a, &b, tolerance))
        return false;
    if (a.gap <= 0.0) { // rises out of contact, and is down again at b: from the top
        const double time = cubic_maximum(&a, &b);
        if (time > a.time && time < b.time)
            a = sample_at(look, context, time);
        if (a.gap <= 0.0) { // never out of contact
            *at = b;
            return b.rate < 0.0;
        }
    }
    *at = root_between(look, context, a, b, tolerance);
    return at->rate < 0.0;
}
