// bounded.c - the rows with bounds: contacts, friction, limits, motors.
//
// lambda is a solution where it does not change by
//
//     lambda = projection(lambda - residual / W_rr),   residual = W lambda + right
//
// onto the bounds: [0, inf) of a normal row, the disc (cone) or the square (box) of mu lambda_n of
// friction, [-h max, h max] of a motor. How much it changes, times W_rr, is a velocity, and below
// the tolerance the iteration ends. Rows inside of their bounds are solved together,
//
//     lambda -= (W + share diag W)^-1 residual
//
// those at a bound one by one as above. Wheels of one rigid axle hold the same motion, so W is
// singular or nearly so, and how they share a force is not determined by rigid bodies: `share`
// keeps such forces where they are. Where nothing is near a bound this takes two or three rounds;
// without wheels, limits and motors none.
#include "impulses/engine.h"

#include <math.h>
#include <string.h>

static const double share_across = 1e-4, share = 1e-6; // of normal rows, of the others

static double share_of(const impulses *e, int r)
{
    return e->contact_of[r] >= 0 ? share_across : share;
}

enum { REFINEMENTS = 4 };

// ---- one row -----------------------------------------------------------------------------------

static double residual_of(const impulses *e, int r)
{
    const double *W = e->W + (size_t)r * (size_t)e->row_count;
    double sum = e->right[r] + share_of(e, r) * W[r] * e->lambda[r];
    for (int k = e->bilateral_count; k < e->row_count; k++)
        sum += W[k] * e->lambda[k];
    return sum;
}

static double own_response(const impulses *e, int r)
{
    return e->W[(size_t)r * (size_t)(e->row_count + 1)];
}

// Largest friction impulse of the contact whose normal row is r.
static double grip(const impulses *e, int r, double h)
{
    const impulse_contact *c = &e->contact[e->contact_of[r]];
    return c->friction * (c->pressed > 0.0 ? h * c->pressed : e->lambda[r]);
}

// The two rows of friction onto their bound; whether they are at it.
static bool project_friction(const impulses *e, double limit, double l[2])
{
    if (e->m.settings.friction == IMPULSE_BOX) {
        bool at = false;
        for (int d = 0; d < 2; d++) {
            at = at || fabs(l[d]) >= limit;
            l[d] = l[d] > limit ? limit : l[d] < -limit ? -limit : l[d];
        }
        return at;
    }
    const double length = hypot(l[0], l[1]);
    if (length < limit)
        return false;
    for (int d = 0; d < 2; d++)
        l[d] *= length > 0.0 ? limit / length : 0.0;
    return true;
}

// All residuals at once. W is symmetric: its rows are added, so that sums do not wait for each
// other.
static void residuals(impulses *e, bool shared)
{
    const int n = e->row_count, first = e->bilateral_count;
    double *restrict out = e->residual;
    for (int r = first; r < n; r++)
        out[r] = e->right[r] + (shared ? share_of(e, r) * own_response(e, r) * e->lambda[r] : 0.0);
    for (int k = first; k < n; k++) {
        const double *restrict W = e->W + (size_t)k * (size_t)n, l = e->lambda[k];
        for (int r = first; r < n; r++)
            out[r] += W[r] * l;
    }
}

// ---- rounds ------------------------------------------------------------------------------------

// The factor of the free rows.
static int factor_free(impulses *e)
{
    const int n = e->row_count;
    int *at = e->free_row, count = 0;
    double *L = e->L;
    for (int r = e->bilateral_count; r < n; r++)
        if (!e->at_bound[r])
            at[count++] = r;
    // Columns of the factor are rows of L here: L[j * n + i], i >= j, with 1 / L_jj at its place.
    for (int j = 0; j < count; j++) {
        const double *W = e->W + (size_t)at[j] * (size_t)n;
        for (int i = j; i < count; i++)
            L[j * n + i] = W[at[i]];
        L[j * n + j] *= 1.0 + share_of(e, at[j]);
    }
    for (int j = 0; j < count; j++) {
        double *restrict a = L + j * n;
        const double pivot = 1.0 / sqrt(a[j] > 0.0 ? a[j] : 1e-300);
        a[j] = pivot;
        for (int i = j + 1; i < count; i++)
            a[i] *= pivot;
        for (int k = j + 1; k < count; k++) {
            double *restrict b = L + k * n;
            const double f = a[k];
            for (int i = k; i < count; i++)
                b[i] -= f * a[i];
        }
    }
    return count;
}

// lambda of the free rows by their residuals.
static void solve_free(impulses *e, int count)
{
    const int n = e->row_count, *at = e->free_row;
    const double *L = e->L;
    double *x = e->work;
    for (int i = 0; i < count; i++)
        x[i] = e->residual[at[i]];
    for (int j = 0; j < count; j++) {
        const double *restrict a = L + j * n, f = x[j] *= a[j];
        for (int i = j + 1; i < count; i++)
            x[i] -= f * a[i];
    }
    for (int j = count - 1; j >= 0; j--) {
        const double *a = L + j * n;
        double sum = x[j];
        for (int i = j + 1; i < count; i++)
            sum -= a[i] * x[i];
        x[j] = sum * a[j];
        e->lambda[at[j]] -= x[j];
    }
}

// One row with constant bounds: what the projection makes of it, and whether that is a bound.
static double aim(const impulses *e, int r, bool *bound)
{
    const double W = own_response(e, r);
    const double next = W > 0.0 ? e->lambda[r] - e->residual[r] / W : e->lambda[r];
    *bound = next <= e->low[r] || next >= e->high[r];
    return next <= e->low[r] ? e->low[r] : next >= e->high[r] ? e->high[r] : next;
}

// Residuals; by how much the projection changes lambda, as a velocity; which rows it puts at a
// bound, in next_bound.
static double look(impulses *e, double h, bool shared)
{
    double worst = 0.0;
    residuals(e, shared);
    for (int r = e->bilateral_count; r < e->row_count; r++) {
        bool bound;
        const double next = aim(e, r, &bound);
        e->next_bound[r] = bound;
        worst = fmax(worst, own_response(e, r) * fabs(next - e->lambda[r]));
        if (e->contact_of[r] < 0)
            continue;
        double l[2];
        const double W = fmax(own_response(e, r + 1), own_response(e, r + 2));
        for (int d = 0; d < 2; d++)
            l[d] = e->lambda[r + 1 + d] - e->residual[r + 1 + d] / W;
        bound = project_friction(e, fmax(grip(e, r, h), 0.0), l);
        for (int d = 0; d < 2; d++) {
            e->next_bound[r + 1 + d] = bound;
            worst = fmax(worst, own_response(e, r + 1 + d) * fabs(l[d] - e->lambda[r + 1 + d]));
        }
        r += 2;
    }
    return worst;
}

// Rows at a bound one by one, and everything onto its bounds.
static void move_bound(impulses *e, double h)
{
    for (int r = e->bilateral_count; r < e->row_count; r++) {
        if (e->at_bound[r])
            e->residual[r] = residual_of(e, r);
        else
            e->residual[r] = 0.0;
        bool bound;
        e->lambda[r] = aim(e, r, &bound);
        if (e->contact_of[r] < 0)
            continue;
        double *l = &e->lambda[r + 1];
        if (e->at_bound[r + 1]) { // both from the same state
            const double slip[2] = {residual_of(e, r + 1), residual_of(e, r + 2)};
            const double W = fmax(own_response(e, r + 1), own_response(e, r + 2));
            l[0] -= slip[0] / W;
            l[1] -= slip[1] / W;
        }
        project_friction(e, fmax(grip(e, r, h), 0.0), l);
        r += 2;
    }
}

// Takes out what the compliance costs: free rows to their exact residuals, friction that slides to
// the normal impulses that follow. Forces that only hold each other in balance hardly change.
static void refine(impulses *e, double h, int count)
{
    for (int round = 0; round < REFINEMENTS; round++) {
        double worst = 0.0;
        residuals(e, false);
        for (int i = 0; i < count; i++)
            worst = fmax(worst, fabs(e->residual[e->free_row[i]]));
        if (worst <= 1e-3 * e->m.settings.tolerance)
            return;
        solve_free(e, count);
        for (int r = e->bilateral_count; r < e->row_count; r++) {
            if (e->contact_of[r] < 0)
                continue;
            double *l = &e->lambda[r + 1];
            const double limit = fmax(grip(e, r, h), 0.0), length = hypot(l[0], l[1]);
            if (!e->at_bound[r + 1])
                continue;
            if (e->m.settings.friction == IMPULSE_BOX)
                project_friction(e, limit, l);
            else
                for (int d = 0; d < 2 && length > 0.0; d++)
                    l[d] *= limit / length;
        }
    }
}

void impulse_bounded(impulses *e, double h)
{
    const size_t rows = (size_t)e->row_count;
    int round = 0, count = 0;
    double reached = 0.0;
    e->report.iterations = 0;
    e->report.reached = 0.0;
    if (e->row_count == e->bilateral_count)
        return;
    for (;; round++) {
        reached = look(e, h, round > 0);
        if (reached <= e->m.settings.tolerance || round == e->m.settings.iterations)
            break;
        if (round == 0 || memcmp(e->at_bound, e->next_bound, rows * sizeof *e->at_bound) != 0) {
            memcpy(e->at_bound, e->next_bound, rows * sizeof *e->at_bound);
            count = factor_free(e);
        }
        solve_free(e, count);
        move_bound(e, h);
    }
    e->report.iterations = round;
    e->report.reached = reached;
    if (round > 0)
        refine(e, h, count);
}

// Displacements that take normal rows out of the ground and limits back to their ends.
void impulse_lift(impulses *e)
{
    for (int r = e->bilateral_count; r < e->row_count; r++)
        e->at_bound[r] = e->right[r] == 0.0 || e->low[r] == e->high[r];
    const int count = factor_free(e);
    for (int round = 0; round < REFINEMENTS; round++) {
        residuals(e, false);
        solve_free(e, count);
    }
    for (int r = e->bilateral_count; r < e->row_count; r++) {
        const double l = e->lambda[r];
        e->lambda[r] = l < e->low[r] ? e->low[r] : l > e->high[r] ? e->high[r] : l;
    }
}
