// slip.c - friction of tyres: the law of the engine equations, taken at the end of the step.
//
//     lambda = -c s/r,   r = sqrt(|s|^2 + s0^2),   c = h mu N,   s = W lambda + right
//
// with s the slip of the contact point, a vector, and s0 the slip at which friction has 0.71 of its
// limit. N is known: that of the tyre spring. lambda stays within its limit by itself, so the two
// rows have no bounds; they are compliant, by a block that follows from s:
//
//     (W + C) lambda + right + shift = 0
//     secant    C = r/c,                      shift = 0
//     tangent   C = r/c (1 + s s'/s0^2),      shift = s |s|^2/s0^2     (Newton's method)
//
// repeated with s = -(C lambda + shift) until s does not change. The secant lowers a convex
// function in every round (r is concave in |s|^2), so it always ends; the tangent ends in two or
// three rounds where it does.
//
// Slip is what rolling makes of a tyre that deforms. Below `rolls` times s0 the scale falls with
// the speed of the wheel's centre along the road: a tyre that stands sticks, and a parked car does
// not creep.
#include "impulses/engine.h"
#include "impulses/turn.h"

#include <math.h>

static const double rolls = 10.0;
static const double stick = 1e-6;   // of the slip that all of the friction could undo
static const double far_slip = 1e3; // of s0, beyond which tangents cancel
static const double slower = 0.5;   // rounds that gain less are followed by a secant

// m/s, of the wheel's centre along the direction of rolling, at the start of the step.
static double rolling_speed(const impulses *e, const impulse_contact *k)
{
    const impulse_wheel *w = &e->m.wheels[k->wheel];
    const double *V = e->link[w->body].V_start;
    double arm[3], v[3];
    mat3_mul_vec(e->link[w->body].R, w->at, arm);
    vec3_cross(V, arm, v);
    for (int x = 0; x < 3; x++)
        v[x] += V[3 + x];
    return fabs(vec3_dot(k->along, v));
}

static double row_of(const impulses *e, int r, const double *V)
{
    const double *g = e->row_g + 6 * r;
    return g[0] * V[0] + g[1] * V[1] + g[2] * V[2] + g[3] * V[3] + g[4] * V[4] + g[5] * V[5];
}

void impulse_slip_scale(const impulses *e, impulse_contact *k, double h, double own)
{
    const double slip = e->m.wheels[k->wheel].slip;
    const double share = fmin(1.0, rolling_speed(e, k) / (rolls * slip));
    k->grip = h * k->friction * k->pressed;
    k->scale = fmax(slip * share, stick * own * k->grip);
}

// Slip at the start and its change in the last step are the first guess.
bool impulse_slip_begin(impulses *e, double h)
{
    bool any = false;
    for (int c = 0; c < e->wheel_contact_count; c++) {
        impulse_contact *k = &e->contact[c];
        if (k->row < 0 || !k->tyre)
            continue;
        const impulse_wheel *w = &e->m.wheels[k->wheel];
        const int r = k->row + 1;
        const size_t diagonal = (size_t)(e->wide + 1);
        const double own = fmax(e->W[(size_t)r * diagonal], e->W[(size_t)(r + 1) * diagonal]);
        impulse_slip_scale(e, k, h, own);
        e->slips[r] = e->slips[r + 1] = k->grip > 0.0 ? IMPULSE_SLIPS : IMPULSE_ABSENT;
        for (int d = 0; d < 2; d++) {
            const double before = e->state[e->at_contact + KEPT * c + KEPT_SLIP + d];
            k->slip_start[d] = row_of(e, r + d, e->link[w->body].V_start);
            k->slip[d] = k->slip_start[d] + before;
            e->lambda[r + d] = 0.0;
        }
        any = any || k->grip > 0.0;
    }
    return any;
}

void impulse_slip_linearize(impulses *e, bool tangent)
{
    for (int c = 0; c < e->wheel_contact_count; c++) {
        const impulse_contact *k = &e->contact[c];
        if (k->row < 0 || e->slips[k->row + 1] != IMPULSE_SLIPS)
            continue;
        const int r = k->row + 1;
        const double x = k->slip[0], y = k->slip[1], square = x * x + y * y;
        const double floor = k->scale * k->scale, own = sqrt(square + floor) / k->grip;
        const bool steep = tangent && square < far_slip * far_slip * floor;
        const double by = steep ? 1.0 / floor : 0.0;
        e->soft[2 * r] = own * (1.0 + by * x * x);
        e->soft[2 * r + 1] = own * by * x * y;
        e->soft[2 * r + 2] = own * (1.0 + by * y * y);
        e->shift[r] = by * square * x;
        e->shift[r + 1] = by * square * y;
    }
}

double impulse_slip_take(impulses *e)
{
    double worst = 0.0;
    for (int c = 0; c < e->wheel_contact_count; c++) {
        impulse_contact *k = &e->contact[c];
        if (k->row < 0 || e->slips[k->row + 1] != IMPULSE_SLIPS)
            continue;
        const int r = k->row + 1;
        const double *C = e->soft + 2 * r, x = e->lambda[r], y = e->lambda[r + 1];
        const double next[2] = {-(C[0] * x + C[1] * y + e->shift[r]),
                                -(C[1] * x + C[2] * y + e->shift[r + 1])};
        for (int d = 0; d < 2; d++) {
            worst = fmax(worst, fabs(next[d] - k->slip[d]));
            k->slip[d] = next[d];
        }
    }
    return worst;
}

// After a tangent the next change is of the order of change^2 over the scale.
double impulse_slip_next(const impulses *e, double change)
{
    double scale = INFINITY;
    for (int c = 0; c < e->wheel_contact_count; c++)
        if (e->contact[c].row >= 0 && e->slips[e->contact[c].row + 1] == IMPULSE_SLIPS)
            scale = fmin(scale, e->contact[c].scale);
    return 10.0 * change * change / scale;
}

bool impulse_slip_slow(double change, double before)
{
    return change > slower * before;
}
