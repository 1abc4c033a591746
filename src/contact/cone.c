// cone.c - friction cones: one contact in closed form up to one root, several by sweeps.
#include "contact/cone.h"

#include "base/assert.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ROUNDS = 16, ROOT_STEPS = 200 };

static const double settled = 1e-13; // change per sweep relative to the largest impulse
static const double resting = 1e-12; // closing speed relative to the largest speed: not an impact

// ---- one contact ----
//
// All cases are (S + m I) t = -c for the tangential impulse t, with m = 0 where the contact sticks
// and m = |v_T| / |t| where it slips. In the axes of S each component is -c_i / (s_i + m).
typedef struct tangent {
    double s[2];    // eigenvalues of S, >= 0
    double axis[2]; // first eigenvector; the second is (-axis[1], axis[0])
    double c[2];    // right side in these axes
} tangent;

static tangent tangent_of(double s11, double s12, double s22, const double c[2])
{
    const double mean = 0.5 * (s11 + s22), half = 0.5 * (s11 - s22), radius = hypot(half, s12);
    const double angle = radius > 0.0 ? 0.5 * atan2(s12, half) : 0.0;
    const double x = cos(angle), y = sin(angle);
    return (tangent){{fmax(mean + radius, 0.0), fmax(mean - radius, 0.0)},
                     {x, y},
                     {x * c[0] + y * c[1], x * c[1] - y * c[0]}};
}

// What a direction that does not give way seems to ask for is rounding; `speed` and `mobility` are
// the sizes of the numbers that c and S were made of.
static void drop_rigid(tangent *a, double speed, double mobility)
{
    for (int i = 0; i < 2; i++)
        if (a->s[i] <= 1e-12 * mobility) {
            a->s[i] = 1e-12 * mobility;
            if (fabs(a->c[i]) <= 1e-12 * speed)
                a->c[i] = 0.0;
        }
}

static void tangent_answer(const tangent *a, double m, double t[2])
{
    const double x = -a->c[0] / (a->s[0] + m), y = -a->c[1] / (a->s[1] + m);
    t[0] = a->axis[0] * x - a->axis[1] * y;
    t[1] = a->axis[1] * x + a->axis[0] * y;
}

// |t| less what friction allows: mu (base - slope . t).
typedef struct limit {
    double mu, base, slope[2];
} limit;

static double excess(const tangent *a, const limit *l, double m, double t[2])
{
    tangent_answer(a, m, t);
    return hypot(t[0], t[1]) - l->mu * (l->base - l->slope[0] * t[0] - l->slope[1] * t[1]);
}

// t within the limit: that of a contact that sticks, or slips with excess(m) = 0 for some m up to
// `max`, where it is not above 0. Regula falsi with the weight of an end halved that stays
// (Illinois), and a plain halving now and then.
static void tangent_solve(const tangent *a, const limit *l, double max, double t[2])
{
    double low = 0.0, high = max, at_low = excess(a, l, low, t);
    if (at_low <= 0.0)
        return;
    double at_high = excess(a, l, high, t);
    for (int k = 0; k < ROOT_STEPS && at_high < 0.0; k++) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            break;
        double m = k % 4 == 3 ? middle : low + (high - low) * (at_low / (at_low - at_high));
        if (!(m > low && m < high))
            m = middle;
        const double at = excess(a, l, m, t);
        if (at > 0.0) {
            low = m, at_low = at;
            at_high *= 0.5;
        } else {
            high = m, at_high = at;
            at_low *= 0.5;
        }
    }
    excess(a, l, high, t);
}

// Compression of one contact: w is its own 3x3 block within rows of `stride`, u the velocity it
// would have without its own impulse.
static void compress_one(const double *w, int stride, double mu, const double u[3], double speed,
                         double p[3])
{
    p[0] = p[1] = p[2] = 0.0;
    const double *row1 = w + stride, *row2 = w + 2 * stride;
    const double normal = w[0], mobility = normal + row1[1] + row2[2];
    if (!(u[0] < 0.0) || !(normal > 1e-12 * mobility))
        return;
    // v_N = 0 gives p_N = (-u_N - w_NT . p_T) / w_NN, and leaves two equations for p_T.
    const double cross[2] = {w[1], w[2]};
    const double c[2] = {u[1] - cross[0] * u[0] / normal, u[2] - cross[1] * u[0] / normal};
    tangent a =
        tangent_of(row1[1] - cross[0] * cross[0] / normal, row1[2] - cross[0] * cross[1] / normal,
                   row2[2] - cross[1] * cross[1] / normal, c);
    drop_rigid(&a, speed, mobility);
    const limit l = {mu, -u[0] / normal, {cross[0] / normal, cross[1] / normal}};
    // |p_T| <= |c| / m, so from here on friction is enough.
    const double max =
        1.0001 * hypot(a.c[0], a.c[1]) * (normal + mu * hypot(cross[0], cross[1])) / (-mu * u[0]);
    double t[2];
    tangent_solve(&a, &l, max, t);
    p[0] = fmax(l.base - l.slope[0] * t[0] - l.slope[1] * t[1], 0.0);
    const double size = hypot(t[0], t[1]), allowed = mu * p[0];
    const double share = size > allowed ? allowed / size : 1.0;
    p[1] = share * t[0];
    p[2] = share * t[1];
}

// Expansion of one contact: its normal impulse is given. u: tangential velocity it would have
// without its own tangential impulse.
static void expand_one(const double *w, int stride, double allowed, const double u[2], double speed,
                       double t[2])
{
    t[0] = t[1] = 0.0;
    if (!(allowed > 0.0))
        return;
    const double *row1 = w + stride, *row2 = w + 2 * stride;
    tangent a = tangent_of(row1[1], row1[2], row2[2], u);
    drop_rigid(&a, speed, w[0] + row1[1] + row2[2]);
    const limit l = {1.0, allowed, {0.0, 0.0}};
    tangent_solve(&a, &l, 1.0001 * hypot(a.c[0], a.c[1]) / allowed, t);
    const double size = hypot(t[0], t[1]);
    if (size > allowed) {
        t[0] *= allowed / size;
        t[1] *= allowed / size;
    }
}

// ---- several ----

// u + w p at contact k, its own impulse left out.
static void seen_at(int n, const double *w, const double *u, const double *p, int k, double out[3])
{
    for (int i = 0; i < 3; i++) {
        const double *row = w + (size_t)(3 * k + i) * (size_t)(3 * n);
        double sum = u[3 * k + i];
        for (int j = 0; j < 3 * n; j++)
            if (j / 3 != k)
                sum += row[j] * p[j];
        out[i] = sum;
    }
}

static void add_response(int n, const double *w, const double *p, double *u)
{
    for (int i = 0; i < 3 * n; i++) {
        double sum = 0.0;
        for (int j = 0; j < 3 * n; j++)
            sum += w[i * 3 * n + j] * p[j];
        u[i] += sum;
    }
}

// Makes v1'p <= 0 exact where the sweeps left a rounding: see the bound in the header.
static void keep_below(int n, const double *w, const double *u, double *p)
{
    double v[3 * CONE_MAX] = {0}, gain = 0.0, square = 0.0;
    add_response(n, w, p, v);
    for (int i = 0; i < 3 * n; i++) {
        gain -= u[i] * p[i];
        square += v[i] * p[i];
    }
    const double share = square > gain ? fmax(gain, 0.0) / square : 1.0;
    for (int i = 0; i < 3 * n && share < 1.0; i++)
        p[i] *= share;
}

// The largest of the speeds: the scale for rounding errors of velocities.
static double fastest_of(int n, const double *u)
{
    double fastest = 0.0;
    for (int i = 0; i < 3 * n; i++)
        fastest = fmax(fastest, fabs(u[i]));
    return fastest;
}

static int compress(int n, const double *w, double mu, double speed, const double *u, double *p)
{
    const int stride = 3 * n;
    memset(p, 0, (size_t)stride * sizeof *p);
    int sweep = 0;
    for (bool done = false; !done && sweep < CONE_SWEEPS; sweep++) {
        double change = 0.0, size = 0.0;
        for (int k = 0; k < n; k++) {
            double seen[3], next[3];
            seen_at(n, w, u, p, k, seen);
            compress_one(w + 3 * k * stride + 3 * k, stride, mu, seen, speed, next);
            for (int i = 0; i < 3; i++) {
                change = fmax(change, fabs(next[i] - p[3 * k + i]));
                size = fmax(size, fabs(next[i]));
                p[3 * k + i] = next[i];
            }
        }
        done = n == 1 || change <= settled * size;
    }
    keep_below(n, w, u, p);
    return sweep;
}

int cone_compress(int n, const double *w, double mu, const double *u, double *p)
{
    mc_assert(n > 0 && n <= CONE_MAX && mu > 0.0);
    return compress(n, w, mu, fastest_of(n, u), u, p);
}

// From p = e p1 each contact in turn makes the energy least: it falls with every sweep.
static void expand(int n, const double *w, double mu, double speed, const double *u, double *p)
{
    const int stride = 3 * n;
    bool done = false;
    for (int sweep = 0; !done && sweep < CONE_SWEEPS; sweep++) {
        double change = 0.0, size = 0.0;
        for (int k = 0; k < n; k++) {
            const double *own = w + 3 * k * stride + 3 * k, normal = p[3 * k];
            double seen[3], next[2];
            seen_at(n, w, u, p, k, seen);
            const double without[2] = {seen[1] + own[stride] * normal,
                                       seen[2] + own[2 * stride] * normal};
            expand_one(own, stride, mu * normal, without, speed, next);
            for (int i = 0; i < 2; i++) {
                change = fmax(change, fabs(next[i] - p[3 * k + 1 + i]));
                p[3 * k + 1 + i] = next[i];
            }
            size = fmax(size, normal);
        }
        done = n == 1 || change <= settled * size;
    }
}

// Applies the impulses of one phase and adds up their work: impulse times mean velocity.
static void book(int n, const double *w, const double *p, double *u, cone_result *out)
{
    double after[3 * CONE_MAX];
    memcpy(after, u, 3 * (size_t)n * sizeof *u);
    add_response(n, w, p, after);
    for (int k = 0; k < n; k++) {
        const double *q = p + 3 * k, *u1 = u + 3 * k, *u2 = after + 3 * k;
        out->restitution_loss[k] -= 0.5 * q[0] * (u1[0] + u2[0]);
        out->friction_loss[k] -= 0.5 * (q[1] * (u1[1] + u2[1]) + q[2] * (u1[2] + u2[2]));
        for (int i = 0; i < 3; i++)
            out->p[3 * k + i] += q[i];
    }
    memcpy(u, after, 3 * (size_t)n * sizeof *u);
}

void cone_impact(int n, const double *w, double mu, double e, double *u, cone_result *out)
{
    mc_assert(n > 0 && n <= CONE_MAX && e >= 0.0 && e <= 1.0);
    memset(out, 0, sizeof *out);
    const double fastest = fastest_of(n, u);
    double p[3 * CONE_MAX];
    for (; out->rounds < ROUNDS; out->rounds++) {
        bool closing = false;
        for (int k = 0; k < n; k++)
            closing = closing || u[3 * k] < -resting * fastest;
        if (!closing)
            return;
        compress(n, w, mu, fastest, u, p);
        book(n, w, p, u, out);
        const double given_back = out->rounds < ROUNDS - 1 ? e : 0.0;
        if (!(given_back > 0.0))
            continue;
        for (int i = 0; i < 3 * n; i++)
            p[i] *= given_back;
        expand(n, w, mu, fastest, u, p);
        book(n, w, p, u, out);
    }
}
