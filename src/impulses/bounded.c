// bounded.c - the rows with bounds: contacts, friction, limits, motors.
//
//     residual = W lambda + right,   every row at its bounds or with residual 0:
//
// [0, inf) of a normal row, the disc (cone) or the square (box) of mu lambda_n of friction, [-h
// max, h max] of a motor. Most rows of a vehicle are inside of their bounds: wheels stand and roll.
// They are held, H, and eliminated by a partial Cholesky factor, which leaves a small problem in
// the loose ones, L: contacts that slide or lift, motors at their limit,
//
//     S lambda_L + rest,   S = W_LL - W_LH W_HH^-1 W_HL,
//
// solved contact by contact (projected Gauss-Seidel), until no velocity changes by more than the
// tolerance. Held rows that turn out to be beyond their bounds become loose, so the set only grows,
// and the iteration ends. Which rows begin loose follows from the impulses of the last step.
//
// Wheels of one rigid axle hold the same motion, so W is singular or nearly so, and how they share
// a force is not determined by rigid bodies. W_HH gets a compliance, `share` of its diagonal D,
//
//     (W + share D) lambda_k = share D lambda_(k-1) - right,   lambda_0 = 0
//
// of which the first round shares such forces evenly, and the next ones take out what the
// compliance costs: the residual is share D (lambda_(k-1) - lambda_k).
#include "impulses/engine.h"

#include <math.h>
#include <string.h>

static const double share_normal = 1e-8, share_friction = 1e-8, share_along = 1e-10; // of rows
static const double slides = 1.0 - 1e-9; // of its bound: friction that slid last
enum { REFINEMENTS = 4, SECULAR_MAX = 20, NEWTON_MAX = 20 };

static inline double larger(double a, double b) // in line, other than fmax
{
    return a > b ? a : b;
}

static double share_of(const impulses *e, int r)
{
    if (e->slips[r])
        return 0.0; // it has its own
    const int c = e->contact_of[r];
    return c >= 0 ? share_normal : c == -2 ? share_friction : share_along;
}

// The first row after that of r which belongs to something else.
static int next_of(const impulses *e, int r)
{
    return r + (e->contact_of[r] >= 0 ? 3 : 1);
}

// Largest friction impulse of the contact whose normal row is r.
static double grip(const impulses *e, int r, double h)
{
    const impulse_contact *c = &e->contact[e->contact_of[r]];
    const double normal = c->pressed > 0.0 ? h * c->pressed : e->lambda[r];
    return normal > 0.0 ? c->friction * normal : 0.0;
}

// A friction impulse against its bound: below 1 it is inside.
static double used(const impulses *e, const double l[2], double limit)
{
    const double size = e->m.settings.friction == IMPULSE_BOX ? larger(fabs(l[0]), fabs(l[1]))
                                                              : sqrt(l[0] * l[0] + l[1] * l[1]);
    return size == 0.0 ? 0.0 : limit > 0.0 ? size / limit : INFINITY;
}

// ---- which rows are loose ----------------------------------------------------------------------

static void set_loose(impulses *e, int r, bool loose)
{
    const int end = next_of(e, r);
    for (; r < end; r++)
        e->at_bound[r] = loose;
}

// Points of one pair hold the same motion. Those that remain held would take what the others lose,
// so that the loose ones could move nothing: all of them are loose, or none.
static void spread(impulses *e)
{
    for (int i = 0; i < e->m.pair_count; i++) {
        const impulse_contact *k = &e->contact[e->wheel_contact_count + PAIR_POINTS * i];
        bool any = false;
        for (int p = 0; p < PAIR_POINTS; p++)
            any = any || (k[p].row >= 0 && e->at_bound[k[p].row]);
        for (int p = 0; p < PAIR_POINTS; p++)
            if (k[p].row >= 0)
                set_loose(e, k[p].row, any);
    }
}

// By the impulses of the last step.
static void guess(impulses *e, double h)
{
    for (int r = e->bilateral_count; r < e->row_count; r = next_of(e, r)) {
        const double l = e->lambda[r];
        if (e->contact_of[r] >= 0)
            set_loose(e, r,
                      !e->slips[r + 1] && used(e, e->lambda + r + 1, grip(e, r, h)) >= slides);
        else
            set_loose(e, r, l <= e->low[r] || l >= e->high[r]);
    }
    spread(e);
}

// Held rows beyond their bounds become loose; whether there are any.
static bool release(impulses *e, double h)
{
    bool any = false;
    for (int r = e->bilateral_count; r < e->row_count; r = next_of(e, r)) {
        if (e->at_bound[r])
            continue;
        const double l = e->lambda[r];
        bool beyond = l < e->low[r] || l > e->high[r];
        if (e->contact_of[r] >= 0 && !e->slips[r + 1])
            beyond = beyond || used(e, e->lambda + r + 1, grip(e, r, h)) > 1.0;
        if (beyond)
            set_loose(e, r, true);
        any = any || beyond;
    }
    spread(e);
    return any;
}

// ---- held rows ---------------------------------------------------------------------------------

// Rows of the list that follow each other in W, too.
static void list_runs(impulses *e)
{
    const int *at = e->free_row;
    e->run_count = 0;
    for (int i = 0; i < e->listed_count; i++)
        if (i > 0 && at[i] == at[i - 1] + 1)
            e->run[e->run_count - 1].count++;
        else
            e->run[e->run_count++] = (impulse_run_of){at[i], i, 1};
}

// The order: held rows, then loose ones; rows without any room have no place in it.
static void list_rows(impulses *e)
{
    e->held_count = e->listed_count = 0;
    for (int loose = 0; loose < 2; loose++) {
        for (int r = e->bilateral_count; r < e->row_count; r++)
            if (e->at_bound[r] == (loose == 1) &&
                (e->contact_of[r] == -2 ? e->slips[r] != IMPULSE_ABSENT : e->low[r] < e->high[r]))
                e->free_row[e->listed_count++] = r;
        if (!loose)
            e->held_count = e->listed_count;
    }
    list_runs(e);
}

// The factor of the held rows, and what it leaves of the loose ones.
static void factor_held(impulses *e)
{
    const int count = e->listed_count, held = e->held_count, *at = e->free_row;
    double *L = e->L;
    e->dense->gather(e->W, e->wide, e->run, e->run_count, L, e->stride, count);
    for (int j = 0; j < count; j++) {
        double *a = L + j * e->stride;
        const double share = share_of(e, at[j]);
        e->ease[j] = share * a[j];
        a[j] *= 1.0 + share;
        if (e->slips[at[j]] == IMPULSE_SLIPS) {
            const double *C = e->soft + 2 * at[j];
            a[j] += C[0];
            if (e->contact_of[at[j] - 1] >= 0) // the first of the two
                a[j + 1] += C[1];
        }
    }
    e->dense->factor(L, e->pivot, e->stride, held, count);
    for (int j = held; j < count; j++) // whole: its rows are read
        for (int i = held; i < j; i++)
            L[j * e->stride + i] = L[i * e->stride + j];
}

static void forward(const impulses *e, double *x)
{
    e->dense->forward(e->L, e->pivot, e->stride, e->held_count, e->listed_count, x);
}

static void backward(const impulses *e, double *x)
{
    e->dense->backward(e->L, e->pivot, e->stride, e->held_count, e->listed_count, x);
}

// ---- loose rows --------------------------------------------------------------------------------

// min l'K l / 2 + b'l over |l| <= limit: inside, or (K + s) l = -b with s > 0 by Newton's method on
// 1/|l| - 1/limit, which is nearly linear in s.
static void into_disc(const double K[3], const double b[2], double limit, double l[2])
{
    double s = 0.0;
    for (int k = 0; k < SECULAR_MAX; k++) {
        const double xx = K[0] + s, yy = K[2] + s, xy = K[1];
        const double scale = 1.0 / larger(xx * yy - xy * xy, 1e-300);
        l[0] = scale * (xy * b[1] - yy * b[0]);
        l[1] = scale * (xy * b[0] - xx * b[1]);
        const double size = sqrt(l[0] * l[0] + l[1] * l[1]);
        if (size <= limit * (s > 0.0 ? 1.0 + 1e-14 : 1.0))
            return;
        // d|l|/ds = -l'(K + s)^-1 l / |l|
        const double slope = scale * (yy * l[0] * l[0] - 2.0 * xy * l[0] * l[1] + xx * l[1] * l[1]);
        if (limit <= 0.0 || !(slope > 0.0))
            break;
        s += (size - limit) / limit * size * size / slope;
    }
    const double size = sqrt(l[0] * l[0] + l[1] * l[1]);
    for (int d = 0; d < 2; d++)
        l[d] *= size > 0.0 ? limit / size : 0.0;
}

// The same over a square, by its sides.
static void into_square(const double K[3], const double b[2], double limit, double l[2])
{
    enum { ROUNDS = 8 };
    for (int k = 0; k < ROUNDS; k++) {
        const double x = -(b[0] + K[1] * l[1]) / K[0];
        l[0] = x > limit ? limit : x < -limit ? -limit : x;
        const double y = -(b[1] + K[1] * l[0]) / K[2];
        l[1] = y > limit ? limit : y < -limit ? -limit : y;
    }
}

static double residual_at(const impulses *e, int i, const double *rest, const double *x)
{
    const int held = e->held_count, count = e->listed_count;
    const double *S = e->L + i * e->stride;
    double sum = rest[i];
    for (int k = held; k < count; k++)
        sum += S[k] * x[k];
    return sum;
}

// What an impulse of 1 at place i changes, to judge how far an impulse is from its bound. S, what
// the held rows leave of it, is next to nothing where several points of a face hold the same
// motion, and would pass friction far beyond its bound; there the row alone counts.
static double weight_of(const impulses *e, int i, double S)
{
    const int r = e->free_row[i];
    return e->m.pair_count > 0 ? e->W[(size_t)r * (size_t)(e->wide + 1)] : S;
}

// Place i of the list, a row with bounds of its own: by how much its velocity changes.
static double move_row(impulses *e, int i, const double *rest, double *x)
{
    const int r = e->free_row[i];
    const double S = e->L[i * (e->stride + 1)];
    if (!(S > 0.0))
        return 0.0;
    const double next = x[i] - residual_at(e, i, rest, x) / S, before = x[i];
    x[i] = next < e->low[r] ? e->low[r] : next > e->high[r] ? e->high[r] : next;
    e->lambda[r] = x[i];
    return weight_of(e, i, S) * fabs(x[i] - before);
}

// Places i, i + 1: friction of the contact whose normal row is n.
static double move_friction(impulses *e, int i, int n, double h, const double *rest, double *x)
{
    const int rows = e->stride;
    const double *S = e->L + i * rows, before[2] = {x[i], x[i + 1]};
    const double K[3] = {S[i], S[i + 1], S[rows + i + 1]};
    if (!(K[0] > 0.0 && K[2] > 0.0))
        return 0.0;
    double b[2] = {residual_at(e, i, rest, x), residual_at(e, i + 1, rest, x)};
    b[0] -= K[0] * x[i] + K[1] * x[i + 1];
    b[1] -= K[1] * x[i] + K[2] * x[i + 1];
    if (e->m.settings.friction == IMPULSE_BOX)
        into_square(K, b, grip(e, n, h), x + i);
    else
        into_disc(K, b, grip(e, n, h), x + i);
    e->lambda[n + 1] = x[i];
    e->lambda[n + 2] = x[i + 1];
    return larger(weight_of(e, i, K[0]) * fabs(x[i] - before[0]),
                  weight_of(e, i + 1, K[2]) * fabs(x[i + 1] - before[1]));
}

// ---- loose rows together -----------------------------------------------------------------------

// Newton's method on "the projection does not change lambda", after Alart and Curnier: with
// s = lambda - rho residual, a row is at a bound where s is beyond it, and free else. Friction that
// slides is lambda = c s/|s|, c = mu lambda_n, whose derivative couples it to its normal row.

// An equation of row i, free: its residual vanishes.
static void equation_free(const impulses *e, int i, double residual, double *J, double *b)
{
    const int held = e->held_count, k = e->listed_count - held;
    memcpy(J, e->L + i * e->stride + held, (size_t)k * sizeof *J);
    *b = -residual;
}

static void equation_bound(const impulses *e, int i, double change, double *J, double *b)
{
    memset(J, 0, (size_t)(e->listed_count - e->held_count) * sizeof *J);
    J[i - e->held_count] = 1.0;
    *b = change;
}

// A row with constant bounds; what the projection changes, as a velocity.
static double linearize_row(const impulses *e, int i, const double *rest, const double *x,
                            double *J, double *b)
{
    const int r = e->free_row[i];
    const double S = e->L[i * (e->stride + 1)];
    const double residual = residual_at(e, i, rest, x);
    const double next = S > 0.0 ? x[i] - residual / S : e->low[r];
    if (next > e->low[r] && next < e->high[r]) {
        equation_free(e, i, residual, J, b);
        return fabs(residual);
    }
    const double bound = next <= e->low[r] ? e->low[r] : e->high[r];
    equation_bound(e, i, bound - x[i], J, b);
    return weight_of(e, i, S) * fabs(bound - x[i]);
}

// Friction at places i and i + 1; `normal`: place of its normal row, -1: none.
static double linearize_friction(const impulses *e, int i, int normal, double limit, double mu,
                                 const double *rest, const double *x, double *J, double b[2])
{
    const int held = e->held_count, k = e->listed_count - held, rows = e->stride;
    const double *S = e->L + i * rows;
    const double K = larger(S[i], S[rows + i + 1]), rho = K > 0.0 ? 1.0 / K : 0.0;
    const double residual[2] = {residual_at(e, i, rest, x), residual_at(e, i + 1, rest, x)};
    const double s[2] = {x[i] - rho * residual[0], x[i + 1] - rho * residual[1]};
    double worst = 0.0;
    if (e->m.settings.friction == IMPULSE_BOX || used(e, s, limit) <= 1.0) {
        for (int d = 0; d < 2; d++) {
            double *row = J + d * rows;
            if (fabs(s[d]) <= limit) {
                equation_free(e, i + d, residual[d], row, b + d);
                worst = larger(worst, fabs(residual[d]));
                continue;
            }
            const double side = s[d] > 0.0 ? 1.0 : -1.0, change = side * limit - x[i + d];
            equation_bound(e, i + d, change, row, b + d);
            if (normal >= 0)
                row[normal - held] = -side * mu;
            worst = larger(worst, weight_of(e, i + d, K) * fabs(change));
        }
        return worst;
    }
    const double size = sqrt(s[0] * s[0] + s[1] * s[1]), d[2] = {s[0] / size, s[1] / size};
    const double turn = limit / size;
    for (int a = 0; a < 2; a++) {
        double *row = J + a * rows;
        const double along = a == 0 ? 1.0 - d[0] * d[0] : -d[0] * d[1];
        const double other = a == 0 ? -d[0] * d[1] : 1.0 - d[1] * d[1];
        for (int j = 0; j < k; j++)
            row[j] = turn * rho * (along * S[held + j] + other * S[rows + held + j]);
        row[i - held] += (a == 0) - turn * along;
        row[i + 1 - held] += (a == 1) - turn * other;
        if (normal >= 0)
            row[normal - held] -= mu * d[a];
        b[a] = limit * d[a] - x[i + a];
        worst = larger(worst, weight_of(e, i + a, K) * fabs(b[a]));
    }
    return worst;
}

// All equations at x; the largest change of the projection.
static double linearize(impulses *e, double h, const double *rest, const double *x)
{
    const int held = e->held_count, n = e->stride;
    double worst = 0.0, *b = e->newton_right;
    for (int i = held; i < e->listed_count; i++) {
        const int r = e->free_row[i];
        double *J = e->newton + (i - held) * n;
        if (e->contact_of[r] != -2) {
            worst = larger(worst, linearize_row(e, i, rest, x, J, b + i - held));
            continue;
        }
        const bool rigid = i > held && e->free_row[i - 1] == r - 1;
        const impulse_contact *c = &e->contact[e->contact_of[r - 1]];
        const double normal = rigid ? larger(x[i - 1], 0.0) : h * c->pressed;
        worst = larger(worst, linearize_friction(e, i, rigid ? i - 1 : -1, c->friction * normal,
                                                 c->friction, rest, x, J, b + i - held));
        i++;
    }
    return worst;
}

// newton dx = newton_right by elimination with pivots; false: singular.
static bool eliminate(impulses *e)
{
    const int n = e->stride, k = e->listed_count - e->held_count;
    double *J = e->newton, *b = e->newton_right;
    for (int j = 0; j < k; j++) {
        int best = j;
        for (int i = j + 1; i < k; i++)
            best = fabs(J[i * n + j]) > fabs(J[best * n + j]) ? i : best;
        if (!(fabs(J[best * n + j]) > 1e-200))
            return false;
        for (int i = 0; i < k && best != j; i++) {
            const double swap = J[j * n + i];
            J[j * n + i] = J[best * n + i], J[best * n + i] = swap;
        }
        const double swap = b[j];
        b[j] = b[best], b[best] = swap;
        const double pivot = 1.0 / J[j * n + j];
        for (int i = j + 1; i < k; i++) {
            const double f = J[i * n + j] * pivot;
            for (int l = j + 1; l < k && f != 0.0; l++)
                J[i * n + l] -= f * J[j * n + l];
            b[i] -= f * b[j];
        }
    }
    for (int j = k - 1; j >= 0; j--) {
        for (int l = j + 1; l < k; l++)
            b[j] -= J[j * n + l] * b[l];
        b[j] /= J[j * n + j];
    }
    return true;
}

static bool newton(impulses *e, double h, const double *rest, double *x)
{
    const int held = e->held_count, count = e->listed_count;
    for (int k = 0; k < NEWTON_MAX; k++) {
        e->report.reached = linearize(e, h, rest, x);
        if (e->report.reached <= e->m.settings.tolerance)
            return true;
        if (e->report.iterations >= e->m.settings.iterations || !eliminate(e))
            return false;
        e->report.iterations++;
        for (int i = held; i < count; i++)
            x[i] += e->newton_right[i - held];
    }
    return false;
}

// ---- loose rows one by one ---------------------------------------------------------------------

// Where Newton's method does not end.
static void sweeps(impulses *e, double h, const double *rest, double *x)
{
    const int count = e->listed_count;
    while (e->report.iterations < e->m.settings.iterations) {
        double worst = 0.0;
        for (int i = e->held_count; i < count; i++) {
            const int r = e->free_row[i];
            if (e->contact_of[r] == -2) { // a pair; its normal row may have no place
                worst = larger(worst, move_friction(e, i, r - 1, h, rest, x));
                i++;
            } else {
                worst = larger(worst, move_row(e, i, rest, x));
            }
        }
        e->report.iterations++;
        e->report.reached = worst;
        if (worst <= e->m.settings.tolerance)
            return;
    }
}

// x: impulses of the loose rows; rest: their residuals without them.
static void solve_loose(impulses *e, double h, const double *rest, double *x)
{
    const int held = e->held_count, count = e->listed_count;
    e->report.reached = 0.0;
    if (held == count)
        return;
    const bool done = newton(e, h, rest, x);
    for (int i = held; i < count && !done; i++)
        x[i] = e->lambda[e->free_row[i]];
    for (int i = held; i < count; i++)
        e->lambda[e->free_row[i]] = x[i];
    if (!done)
        sweeps(e, h, rest, x);
}

// ---- together ----------------------------------------------------------------------------------

// A round of the compliance from the impulses `last`; the largest residual left by it.
static double solve_round(impulses *e, double h, double *last)
{
    const int held = e->held_count, count = e->listed_count;
    double *x = e->residual, *rest = e->work, worst = 0.0;
    for (int i = 0; i < count; i++) {
        const int r = e->free_row[i];
        rest[i] = e->right[r] - e->ease[i] * last[i];
        if (e->slips[r])
            rest[i] += e->shift[r];
    }
    forward(e, rest);
    for (int i = 0; i < held; i++)
        x[i] = -rest[i];
    for (int i = held; i < count; i++)
        x[i] = e->lambda[e->free_row[i]];
    solve_loose(e, h, rest, x);
    backward(e, x);
    for (int i = 0; i < count; i++) {
        const int r = e->free_row[i];
        worst = larger(worst, e->ease[i] * fabs(x[i] - last[i]));
        e->lambda[r] = last[i] = x[i];
    }
    return worst;
}

// lambda from the sets as they are.
static void solve_sets(impulses *e, double h)
{
    double *last = e->past_round;
    list_rows(e);
    factor_held(e);
    memset(last, 0, (size_t)e->listed_count * sizeof *last);
    for (int round = 0; round < REFINEMENTS; round++) {
        const double left = solve_round(e, h, last);
        if (left <= e->m.settings.tolerance)
            break;
        if (round == 0 && release(e, h)) { // start again with fewer held
            list_rows(e);
            factor_held(e);
            memset(last, 0, (size_t)e->listed_count * sizeof *last);
            round = -1;
        }
    }
}

static void solve_bounds(impulses *e, double h)
{
    guess(e, h);
    do
        solve_sets(e, h);
    while (release(e, h));
}

// Rounds of the slip of tyres around it.
static void solve_slip(impulses *e, double h)
{
    double before = INFINITY, change = INFINITY;
    bool tangent = true;
    int rounds = 0;
    do {
        impulse_slip_linearize(e, tangent);
        solve_bounds(e, h);
        change = impulse_slip_take(e);
        if (tangent && impulse_slip_next(e, change) <= e->m.settings.tolerance) {
            change = fmin(change, impulse_slip_next(e, change));
            rounds++;
            break;
        }
        tangent = !tangent || !impulse_slip_slow(change, before);
        before = change;
        rounds++;
    } while (change > e->m.settings.tolerance &&
             e->report.iterations + rounds < e->m.settings.iterations);
    e->report.iterations += rounds;
    e->report.reached = larger(e->report.reached, change);
}

void impulse_bounded(impulses *e, double h)
{
    e->report.iterations = 0;
    e->report.reached = 0.0;
    if (e->row_count == e->bilateral_count)
        return;
    if (impulse_slip_begin(e, h))
        solve_slip(e, h);
    else
        solve_bounds(e, h);
}

// Displacements that take normal rows out of the ground and limits back to their ends.
void impulse_lift(impulses *e)
{
    double *last = e->past_round, *x = e->residual;
    const int n = e->row_count;
    e->held_count = 0;
    for (int r = e->bilateral_count; r < n; r++)
        if (e->right[r] != 0.0 && e->low[r] < e->high[r])
            e->free_row[e->held_count++] = r;
    e->listed_count = e->held_count;
    list_runs(e);
    factor_held(e);
    memset(last, 0, (size_t)e->held_count * sizeof *last);
    for (int round = 0; round < REFINEMENTS; round++) {
        for (int i = 0; i < e->held_count; i++) {
            const int r = e->free_row[i];
            x[i] = e->ease[i] * last[i] - e->right[r];
        }
        forward(e, x);
        backward(e, x);
        memcpy(last, x, (size_t)e->held_count * sizeof *last);
    }
    for (int i = 0; i < e->held_count; i++) {
        const int r = e->free_row[i];
        e->lambda[r] = x[i] < e->low[r] ? e->low[r] : x[i] > e->high[r] ? e->high[r] : x[i];
    }
}
