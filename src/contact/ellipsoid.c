// ellipsoid.c - Newton's method on the sphere of normals, and a proof that its answer is the best.
//
// With B = A A', support s(n) = sqrt(n'B n) and support point v(n) = B n / s seen from the centre:
//     f = n.c - s1 - s2                     c = c2 - c1, maximised over |n| = 1
//     d = c - v1 - v2                       point_2 - point_1, and n.d = f
//     g = d - f n                           gradient of f along the sphere
//     W = (B1 - v1 v1')/s1 + (B2 - v2 v2')/s2
// W n = 0, and the other two eigenvalues of W are the radii of curvature of the Minkowski sum of 1
// and the mirror image of 2. Newton's step t solves (W + f) t = g in the plane across n.
//
// Why the answer is the best one:
// - f > 0: n.c - s1 - s2 is concave in all of space, so it has no second maximum.
// - depth <= r1 + r2, r = (smallest semi-axis)^2 / largest: a ball of radius r rolls freely inside
//   its ellipsoid (Blaschke), one of radius r1 + r2 inside the Minkowski sum. So the ball about c
//   that touches the surface of the sum at the point found stays inside: no other point is nearer.
// - deeper than that: a search that leaves no normal out, see search_everywhere.
#include "contact/ellipsoid.h"

#include "num/vec3.h"

#include <float.h>
#include <stdbool.h>

#define STEP_SMALL 1e-7  // rad, a Newton step this small leaves an error of about its square
#define DEPTH_SLACK 0.01 // share of the depth that the search for a better maximum leaves open
enum {
    NEWTON_LIMIT = 100, // steps of one climb; the tests see 28
    QUIET_LIMIT = 3,    // steps that promise less than the rounding of f
    CLIMB_LIMIT = 25,   // halvings or doublings of one step
    BOUND_LIMIT = 30,   // steps towards the best bound of one span
    SPAN_LIMIT = 1000,  // spans of one search: 135 are seen at 20 to 1, all may be at 200 to 1
    WAITING_LIMIT = 64, // spans waiting in one search; 15 are seen
};

// Symmetric 3x3 matrix.
typedef struct sym3 {
    double xx, yy, zz, yz, xz, xy;
} sym3;

typedef struct problem {
    double c[3];           // m, centre of 2 seen from the centre of 1
    sym3 b1, b2;           // m^2, A A' of each
    double trace1, trace2; // m^2, of b1 and b2
} problem;

typedef struct trial {   // what is known at one normal
    double n[3];         // unit
    double s1, s2;       // m, supports
    double k1, k2;       // 1/m, 1/s1 and 1/s2
    double v1[3], v2[3]; // m, support points seen from the centres
    double f;            // m, n.c - s1 - s2
    double g[3];         // m, gradient of f along the sphere
    double rounding;     // m, uncertainty of f
} trial;

// A A' of a row-major A.
static sym3 outer_square(const double a[9])
{
    const double *x = a, *y = a + 3, *z = a + 6;
    return (sym3){vec3_dot(x, x), vec3_dot(y, y), vec3_dot(z, z),
                  vec3_dot(y, z), vec3_dot(x, z), vec3_dot(x, y)};
}

static inline void sym3_mul(const sym3 *b, const double x[3], double out[3])
{
    out[0] = b->xx * x[0] + b->xy * x[1] + b->xz * x[2];
    out[1] = b->xy * x[0] + b->yy * x[1] + b->yz * x[2];
    out[2] = b->xz * x[0] + b->yz * x[1] + b->zz * x[2];
}

static inline double sym3_trace(const sym3 *b)
{
    return b->xx + b->yy + b->zz;
}

// The matrix of cofactors; its trace is the sum of the principal minors.
static inline sym3 sym3_cofactors(const sym3 *b)
{
    return (sym3){b->yy * b->zz - b->yz * b->yz, b->xx * b->zz - b->xz * b->xz,
                  b->xx * b->yy - b->xy * b->xy, b->xz * b->xy - b->xx * b->yz,
                  b->yz * b->xy - b->yy * b->xz, b->yz * b->xz - b->zz * b->xy};
}

static inline double sym3_det(const sym3 *b, const sym3 *cofactors)
{
    return b->xx * cofactors->xx + b->xy * cofactors->xy + b->xz * cofactors->xz;
}

// k1 a + k2 b
static inline sym3 sym3_mix(double k1, const sym3 *a, double k2, const sym3 *b)
{
    return (sym3){k1 * a->xx + k2 * b->xx, k1 * a->yy + k2 * b->yy, k1 * a->zz + k2 * b->zz,
                  k1 * a->yz + k2 * b->yz, k1 * a->xz + k2 * b->xz, k1 * a->xy + k2 * b->xy};
}

// b - x x'
static inline sym3 sym3_less_square(const sym3 *b, const double x[3])
{
    return (sym3){b->xx - x[0] * x[0], b->yy - x[1] * x[1], b->zz - x[2] * x[2],
                  b->yz - x[1] * x[2], b->xz - x[0] * x[2], b->xy - x[0] * x[1]};
}

// Fills x for the direction m, which need not be a unit vector: B m / sqrt(m'B m) does not depend
// on its length. Sums are ordered so that swapping the ellipsoids flips signs and nothing else.
static inline void evaluate(const problem *p, const double m[3], trial *x)
{
    double u1[3], u2[3];
    sym3_mul(&p->b1, m, u1);
    sym3_mul(&p->b2, m, u2);
    const double r1 = sqrt(vec3_dot(m, u1)), r2 = sqrt(vec3_dot(m, u2));
    const double length = vec3_norm(m);
    const double k = 1.0 / length, k1 = 1.0 / r1, k2 = 1.0 / r2;
    const double n0 = k * m[0], n1 = k * m[1], n2 = k * m[2];
    const double reach = n0 * p->c[0] + n1 * p->c[1] + n2 * p->c[2];
    const double s1 = k * r1, s2 = k * r2, f = reach - (s1 + s2);
    x->n[0] = n0, x->n[1] = n1, x->n[2] = n2;
    x->v1[0] = k1 * u1[0], x->v1[1] = k1 * u1[1], x->v1[2] = k1 * u1[2];
    x->v2[0] = k2 * u2[0], x->v2[1] = k2 * u2[1], x->v2[2] = k2 * u2[2];
    x->s1 = s1, x->s2 = s2, x->k1 = k1 * length, x->k2 = k2 * length, x->f = f;
    x->g[0] = (p->c[0] - (x->v1[0] + x->v2[0])) - f * n0;
    x->g[1] = (p->c[1] - (x->v1[1] + x->v2[1])) - f * n1;
    x->g[2] = (p->c[2] - (x->v1[2] + x->v2[2])) - f * n2;
    // s^2 = n'B n is a sum of terms as large as tr B, whatever cancels
    x->rounding = 2.0 * DBL_EPSILON * (fabs(reach) + (p->trace1 * x->k1 + p->trace2 * x->k2));
}

// W = (B1 - v1 v1')/s1 + (B2 - v2 v2')/s2
static inline sym3 curvature_radii(const problem *p, const trial *x)
{
    const sym3 w1 = sym3_less_square(&p->b1, x->v1), w2 = sym3_less_square(&p->b2, x->v2);
    return sym3_mix(x->k1, &w1, x->k2, &w2);
}

// Solves (W + shift) t = g in the plane across n, where W n = 0 and g.n = 0. In that plane W +
// shift has the trace T = tr W + 2 shift and the determinant D = tr cof W + shift (tr W + shift);
// by Cayley-Hamilton its inverse is (T - W - shift) / D. False unless it is positive definite.
static inline bool solve_across(const sym3 *w, double shift, const double g[3], double t[3])
{
    const sym3 cofactors = sym3_cofactors(w);
    const double trace = sym3_trace(w);
    const double det = sym3_trace(&cofactors) + shift * (trace + shift);
    if (!(det > 4.0 * DBL_EPSILON * trace * trace && trace + 2.0 * shift > 0.0))
        return false;
    double wg[3];
    sym3_mul(w, g, wg);
    const double k = 1.0 / det;
    t[0] = k * ((trace + shift) * g[0] - wg[0]);
    t[1] = k * ((trace + shift) * g[1] - wg[1]);
    t[2] = k * ((trace + shift) * g[2] - wg[2]);
    return true;
}

// The safe step. The tangent of the square root, sqrt(z) <= (s + z/s)/2, gives a lower bound of f
// that touches it at n and is quadratic, with Q = B1/s1 + B2/s2. The maximum of that bound over the
// plane that touches the sphere at n is no lower than f there, and projecting it onto the sphere
// raises a negative value further. Where f > 0 the sphere adds f to the curvature.
// In the plane Q becomes Q - q n' - n q', q = Q n - (n'Q n) n/2, Q n = v1 + v2, n'Q n = s1 + s2.
static bool safe_step(const problem *p, const trial *x, double t[3])
{
    const double *n = x->n;
    double q[3];
    for (int i = 0; i < 3; i++)
        q[i] = (x->v1[i] + x->v2[i]) - 0.5 * (x->s1 + x->s2) * n[i];
    sym3 w = sym3_mix(x->k1, &p->b1, x->k2, &p->b2);
    w.xx -= 2.0 * q[0] * n[0];
    w.yy -= 2.0 * q[1] * n[1];
    w.zz -= 2.0 * q[2] * n[2];
    w.yz -= q[1] * n[2] + q[2] * n[1];
    w.xz -= q[0] * n[2] + q[2] * n[0];
    w.xy -= q[0] * n[1] + q[1] * n[0];
    return solve_across(&w, fmax(x->f, 0.0), x->g, t);
}

// The step off a saddle or a minimum: 0.1 rad along the eigenvector of W with the smaller
// eigenvalue l1, uphill. With the larger one l2, (W - l2) turns any vector across n into that
// eigenvector. Where both ways are uphill the sign is that of n_j, so that it flips with n.
static void saddle_step(const problem *p, const trial *x, double t[3])
{
    const sym3 w = curvature_radii(p, x), cofactors = sym3_cofactors(&w);
    const double half = 0.5 * sym3_trace(&w);
    const double root = sqrt(fmax(half * half - sym3_trace(&cofactors), 0.0));
    const double l2 = root > 1e-9 * half ? half + root : 0.0; // l1 = l2: any vector is as good
    double longest = 0.0;
    for (int j = 0; j < 3; j++) {
        double across[3], image[3];
        for (int i = 0; i < 3; i++)
            across[i] = (double)(i == j) - x->n[j] * x->n[i];
        sym3_mul(&w, across, image);
        for (int i = 0; i < 3; i++)
            image[i] -= l2 * across[i];
        const double length = vec3_norm(image);
        if (length <= longest)
            continue;
        longest = length;
        const double up = vec3_dot(image, x->g);
        const double k = copysign(0.1, up != 0.0 ? up : x->n[j]) / length;
        for (int i = 0; i < 3; i++)
            t[i] = k * image[i];
    }
}

// Moves x along t: doubles the step as long as f grows, or halves it until f has grown by more than
// min_gain. False, and x as it was, if it never has.
static bool climb(const problem *p, const double t[3], double min_gain, trial *x)
{
    const double n[3] = {x->n[0], x->n[1], x->n[2]};
    const double threshold = x->f + min_gain;
    double share = 1.0, factor = 2.0;
    bool grown = false;
    for (int i = 0; i < CLIMB_LIMIT; i++, share *= factor) {
        const double m[3] = {n[0] + share * t[0], n[1] + share * t[1], n[2] + share * t[2]};
        trial y;
        evaluate(p, m, &y);
        if (y.f > (grown ? x->f : threshold)) {
            *x = y;
            grown = true;
            if (factor < 1.0)
                break;
        } else if (grown) {
            break;
        } else {
            factor = 0.5;
        }
    }
    return grown;
}

// What is done when Newton's step t (if concave) was too long or there is none: the better of a
// shortened Newton step, which follows a curved ridge, and the safe step, which crosses a kink.
static bool careful_step(const problem *p, bool concave, const double t[3], trial *x)
{
    trial y = *x;
    bool moved = false;
    if (concave) {
        const double half[3] = {0.5 * t[0], 0.5 * t[1], 0.5 * t[2]};
        moved = climb(p, half, 0.0, &y);
    }
    double safe[3] = {0.0, 0.0, 0.0}, min_gain = 0.0;
    const bool known = safe_step(p, x, safe);
    if (!concave && !(known && vec3_dot(safe, safe) > 1e-4)) {
        saddle_step(p, x, safe);
        min_gain = x->rounding;
    }
    moved |= climb(p, safe, min_gain, x);
    if (y.f > x->f)
        *x = y;
    return moved;
}

// Climbs from x to a local maximum of f. False if it ended where f is not strictly concave.
static bool maximise(const problem *p, trial *x, int *iterations)
{
    trial other, *here = x, *there = &other;
    bool concave = false;
    int quiet_steps = 0;
    for (int i = 0; i < NEWTON_LIMIT; i++) {
        ++*iterations;
        double t[3] = {0.0, 0.0, 0.0};
        const sym3 w = curvature_radii(p, here);
        concave = solve_across(&w, here->f, here->g, t);
        if (concave) {
            const double m[3] = {here->n[0] + t[0], here->n[1] + t[1], here->n[2] + t[2]};
            const double promise = vec3_dot(here->g, t); // twice the gain of the quadratic model
            const double rounding = here->rounding;
            evaluate(p, m, there);
            if (there->f >= here->f + 0.05 * promise - rounding) {
                trial *const swap = here;
                here = there, there = swap;
                // beyond the resolution of f a few more steps sharpen the normal
                quiet_steps += promise <= rounding;
                if (vec3_dot(t, t) <= STEP_SMALL * STEP_SMALL || quiet_steps > QUIET_LIMIT)
                    break;
                continue;
            }
        }
        if (!careful_step(p, concave, t, here))
            break;
    }
    if (here != x)
        *x = *here;
    return concave;
}

// Bounds of the semi-axes: *low <= all of them <= *high. Newton's method on the characteristic
// polynomial of B comes to its smallest root from below if started at 0 and to its largest from
// above if started at the trace, so it may stop after any number of steps.
static void semi_axis_bounds(const sym3 *b, int steps, double *low, double *high)
{
    const sym3 cofactors = sym3_cofactors(b);
    const double i1 = sym3_trace(b), i2 = sym3_trace(&cofactors), i3 = sym3_det(b, &cofactors);
    double small = 0.0, large = i1;
    for (int i = 0; i < steps; i++) {
        const double slope_small = (3.0 * small - 2.0 * i1) * small + i2;
        const double slope_large = (3.0 * large - 2.0 * i1) * large + i2;
        if (!(slope_small > 0.0 && slope_large > 0.0))
            break; // three equal roots, found
        small -= (((small - i1) * small + i2) * small - i3) / slope_small;
        large -= (((large - i1) * large + i2) * large - i3) / slope_large;
    }
    *low = sqrt(fmax(small, DBL_EPSILON * i1)); // the determinant may be lost in rounding
    *high = sqrt(large);
}

// The global problem has one hard number in it, the ratio s2/s1. For low <= s2/s1 <= high the chord
//     s1 s2 >= (s2^2 + low high s1^2) / (low + high)
// makes (s1 + s2)^2 >= n'E n with E = (1 + 2 low high/(low + high)) B1 + (1 + 2/(low + high)) B2,
// so for these normals the depth is at least that of c in the ellipsoid n'E n, and for a narrow
// span hardly more. For one ellipsoid the depth is known in closed form (S-lemma):
//     depth^2 = max over l of l (1 - c'(E - l)^-1 c),   0 < l < smallest eigenvalue of E,
// concave in l, and every l gives a lower bound. With N = c'cof(E - l)c and D = det(E - l) it is a
// quotient of polynomials.
typedef struct span {
    double low, high; // of s2/s1
} span;

typedef struct inner { // the ellipsoid n'E n of one span
    sym3 e, cofactors;
    double i1, i2, i3; // invariants of E: D = i3 - i2 l + i1 l^2 - l^3
    double n0, n1, n2; // N = n0 + n1 l + n2 l^2
} inner;

typedef struct bound { // at one l
    double l;          // m^2
    double value;      // m^2, lower bound of depth^2
    double slope;      // -, its derivative with respect to l
    double bend;       // 1/m^2, its second derivative
} bound;

static void inner_ellipsoid(const problem *p, span range, inner *q)
{
    const double sum = range.low + range.high;
    q->e = sym3_mix(1.0 + 2.0 * range.low * range.high / sum, &p->b1, 1.0 + 2.0 / sum, &p->b2);
    q->cofactors = sym3_cofactors(&q->e);
    q->i1 = sym3_trace(&q->e);
    q->i2 = sym3_trace(&q->cofactors);
    q->i3 = sym3_det(&q->e, &q->cofactors);
    // cof(E - l) = cof E - l (i1 - E) + l^2
    double ec[3], cofc[3];
    sym3_mul(&q->e, p->c, ec);
    sym3_mul(&q->cofactors, p->c, cofc);
    q->n2 = vec3_dot(p->c, p->c);
    q->n1 = vec3_dot(p->c, ec) - q->i1 * q->n2;
    q->n0 = vec3_dot(p->c, cofc);
}

// False if E - l is not positive definite, that is, if D or one of its first two derivatives has
// the wrong sign.
static bool bound_at(const inner *q, double l, bound *b)
{
    const double d = q->i3 - l * (q->i2 - l * (q->i1 - l));
    const double d1 = l * (2.0 * q->i1 - 3.0 * l) - q->i2, d2 = 2.0 * q->i1 - 6.0 * l;
    if (!(d > 0.0 && d1 < 0.0 && d2 > 0.0))
        return false;
    // ratio = N/D and its derivatives, from ratio D = N
    const double k = 1.0 / d;
    const double ratio = k * ((q->n2 * l + q->n1) * l + q->n0);
    const double ratio1 = k * (2.0 * q->n2 * l + q->n1 - ratio * d1);
    const double ratio2 = k * (2.0 * q->n2 - 2.0 * ratio1 * d1 - ratio * d2);
    *b = (bound){l, l * (1.0 - ratio), 1.0 - ratio - l * ratio1, -2.0 * ratio1 - l * ratio2};
    return true;
}

// The best bound, or the first that is enough: Newton's method on its slope from the guess, kept
// between two values of l known to be too small and too large.
static bound best_bound(const inner *q, double guess, double enough)
{
    bound best = {0.0, -DBL_MAX, 0.0, 0.0};
    double below = 0.0, above = 3.0 * q->i3 / q->i2; // smallest eigenvalue <= 3 / tr(E^-1)
    double l = guess < above ? guess : 0.5 * above;
    for (int i = 0; i < BOUND_LIMIT && above - below > 1e-3 * above; i++) {
        bound b;
        double next = below;
        if (bound_at(q, l, &b)) {
            if (b.value > best.value)
                best = b;
            if (best.value >= enough || fabs(b.slope) * l < 1e-4 * fabs(b.value))
                break;
            *(b.slope > 0.0 ? &below : &above) = l;
            next = l - b.slope / b.bend;
        } else {
            above = l;
        }
        l = next > below && next < above ? next : 0.5 * (below + above);
    }
    return best;
}

// The direction m whose depth in the inner ellipsoid is the bound. With s^2 = n'E n and depth d
// it solves (E - l) n = s c, l = s d. If that is shorter than a unit vector, c has no part along
// the eigenvector with the eigenvalue l; then either sign of the eigenvector makes up the rest.
static void bound_direction(const problem *p, const inner *q, const bound *b, double m[3])
{
    const double l = b->l, diagonal = l * (l - q->i1);
    sym3 cofactors = sym3_mix(1.0, &q->cofactors, l, &q->e);
    cofactors.xx += diagonal, cofactors.yy += diagonal, cofactors.zz += diagonal;
    sym3_mul(&cofactors, p->c, m);
    if (!(b->value > 0.0) && vec3_dot(m, m) > 0.0)
        return; // c is outside of the inner ellipsoid
    const double det = q->i3 - l * (q->i2 - l * (q->i1 - l));
    const double scale = b->value > 0.0 ? l / sqrt(b->value) / det : 0.0;
    for (int i = 0; i < 3; i++)
        m[i] *= scale;
    const double rest = 1.0 - vec3_dot(m, m);
    if (rest < 0.01)
        return;
    const double columns[3][3] = {{cofactors.xx, cofactors.xy, cofactors.xz},
                                  {cofactors.xy, cofactors.yy, cofactors.yz},
                                  {cofactors.xz, cofactors.yz, cofactors.zz}};
    int longest = 0;
    for (int j = 1; j < 3; j++)
        if (columns[j][j] > columns[longest][longest])
            longest = j;
    const double k = sqrt(rest) / vec3_norm(columns[longest]);
    for (int i = 0; i < 3; i++)
        m[i] += k * columns[longest][i];
}

// Proves that no normal has a depth below (1 - DEPTH_SLACK) times that of best, or finds a better
// best: branch and bound over the ratio s2/s1 of the supports. A local maximum no deeper than
// rolling (r1 + r2 above) needs no further proof.
static void search_everywhere(const problem *p, span all, double rolling, trial *best,
                              int *iterations)
{
    span waiting[WAITING_LIMIT];
    waiting[0] = all;
    int count = 1;
    for (int looked_at = 0; count > 0 && looked_at < SPAN_LIMIT; looked_at++) {
        const span range = waiting[--count];
        const double depth = (1.0 - DEPTH_SLACK) * -best->f;
        inner q;
        inner_ellipsoid(p, range, &q);
        const bound b = best_bound(&q, depth * (best->s1 + best->s2), depth * depth);
        if (b.value >= depth * depth)
            continue;

        double m[3];
        trial x;
        bound_direction(p, &q, &b, m);
        evaluate(p, m, &x);
        const double ratio = x.s2 / x.s1;
        if (x.f > best->f + x.rounding) {
            const bool concave = maximise(p, &x, iterations);
            *best = x;
            if (concave && -best->f <= rolling)
                return;
        }
        // split where the bound is weakest, but not close to an end
        const double middle = sqrt(range.low * range.high);
        const double inset = sqrt(sqrt(sqrt(range.high / range.low)));
        const bool within = ratio > range.low * inset && ratio * inset < range.high;
        const double at = within ? ratio : middle;
        if (count + 2 <= WAITING_LIMIT) {
            waiting[count++] = (span){range.low, at};
            waiting[count++] = (span){at, range.high};
        }
    }
}

// The same problem with the names of the ellipsoids exchanged, and the trial with it.
static void exchange(problem *p, trial *x)
{
    *p = (problem){{-p->c[0], -p->c[1], -p->c[2]}, p->b2, p->b1, p->trace2, p->trace1};
    const double n[3] = {-x->n[0], -x->n[1], -x->n[2]};
    evaluate(p, n, x);
}

// Which of the two comes first in the search is decided by the ellipsoids, not by the caller, so
// that both orders give the same answer.
static bool in_order(const problem *p)
{
    if (p->trace1 != p->trace2)
        return p->trace1 < p->trace2;
    for (int i = 0; i < 3; i++)
        if (p->c[i] != 0.0)
            return p->c[i] > 0.0;
    return true;
}

// Makes sure that an overlapping x is the best maximum; concave says that it is a local one.
static void settle_overlap(problem *p, bool concave, trial *x, int *iterations)
{
    static const int effort[2] = {1, 6}; // one step is nearly always enough
    double low1 = 0.0, low2 = 0.0, high1 = 1.0, high2 = 1.0, rolling = 0.0;
    for (int i = 0; i < 2; i++) {
        semi_axis_bounds(&p->b1, effort[i], &low1, &high1);
        semi_axis_bounds(&p->b2, effort[i], &low2, &high2);
        rolling = low1 * low1 / high1 + low2 * low2 / high2;
        if (concave && -x->f <= rolling)
            return;
    }
    if (in_order(p)) {
        search_everywhere(p, (span){low2 / high1, high2 / low1}, rolling, x, iterations);
    } else {
        exchange(p, x);
        search_everywhere(p, (span){low1 / high2, high1 / low2}, rolling, x, iterations);
        exchange(p, x);
    }
}

void ellipsoid_gap_find(const ellipsoid *e1, const ellipsoid *e2, int warm, ellipsoid_gap *result)
{
    problem p;
    for (int i = 0; i < 3; i++)
        p.c[i] = e2->centre[i] - e1->centre[i];
    p.b1 = outer_square(e1->axes);
    p.b2 = outer_square(e2->axes);
    p.trace1 = sym3_trace(&p.b1);
    p.trace2 = sym3_trace(&p.b2);

    double start[3] = {p.c[0], p.c[1], p.c[2]};
    if (!(vec3_dot(start, start) > DBL_MIN / DBL_EPSILON))
        start[0] = start[1] = 0.0, start[2] = 1.0; // concentric
    const double *old = result->normal;
    if (warm && vec3_dot(old, old) > 0.25 && vec3_dot(old, old) < 4.0) {
        const double sign = vec3_dot(old, p.c) < 0.0 ? -1.0 : 1.0; // f(n) - f(-n) = 2 n.c
        for (int i = 0; i < 3; i++)
            start[i] = sign * old[i];
    }
    trial x;
    evaluate(&p, start, &x);
    result->iterations = 0;
    const bool concave = maximise(&p, &x, &result->iterations);
    if (x.f < 0.0)
        settle_overlap(&p, concave, &x, &result->iterations);

    result->gap = x.f;
    for (int i = 0; i < 3; i++) {
        result->normal[i] = x.n[i];
        result->point_1[i] = e1->centre[i] + x.v1[i];
        result->point_2[i] = e2->centre[i] - x.v2[i];
    }
}
