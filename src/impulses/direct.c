// direct.c - the solver "direct": what remains of the mixed linear complementarity problem when the
// joints of the tree are eliminated.
//
//     W lambda + right = residual velocity of each row
//
// with W the response of rows to each other through the tree. Rows beside the tree are equations:
// their block is factored by Cholesky and eliminated, rows that follow from others are left out.
// The others have bounds and are solved in bounded.c from the impulses of the last step.
#include "impulses/engine.h"

#include <math.h>
#include <string.h>

static const double dependent = 1e-11; // of a pivot, relative to the row alone

// ---- responses ---------------------------------------------------------------------------------

// Factor of the first block; F by rows with 1 / F_kk on the diagonal, 0 where a row is left out.
static void factor_first(impulses *e)
{
    const int c = e->bilateral_count, n = e->row_count;
    double *F = e->F;
    for (int i = 0; i < c; i++)
        for (int j = 0; j <= i; j++) {
            double sum = e->W[i * e->wide + j];
            const double alone = sum;
            for (int k = 0; k < j; k++)
                sum -= F[i * c + k] * F[j * c + k];
            if (i == j)
                F[i * c + i] = sum > dependent * alone && sum > 0.0 ? 1.0 / sqrt(sum) : 0.0;
            else
                F[i * c + j] = sum * F[j * c + j];
        }
    // C = F^-1 W_cn, then W_nn - C'C.
    for (int j = c; j < n; j++)
        for (int i = 0; i < c; i++) {
            double sum = e->W[i * e->wide + j];
            for (int k = 0; k < i; k++)
                sum -= F[i * c + k] * e->C[k * n + j];
            e->C[i * n + j] = sum * F[i * c + i];
        }
    for (int i = c; i < n && c > 0; i++)
        for (int j = c; j < n; j++)
            for (int k = 0; k < c; k++)
                e->W[i * e->wide + j] -= e->C[k * n + i] * e->C[k * n + j];
}

// W: contacts come last, three rows each.
static void couple_rows(impulses *e)
{
    const int n = e->wide;
    double *W = e->W;
    for (int i = 0; i < e->single_count; i++)
        for (int j = 0; j <= i; j++)
            W[i * n + j] = W[j * n + i] = e->tree->couple(e, &e->response[i], &e->response[j]);
    for (int c = 0; c < e->patch_count && e->single_count > 0; c++) {
        const impulse_patch *p = &e->patch[c];
        for (int j = 0; j < e->single_count; j++) {
            impulse_four with;
            e->tree->couple_row(e, &e->response[j], p, &with);
            for (int x = 0; x < 3; x++)
                W[(p->row + x) * n + j] = W[j * n + p->row + x] = with[x];
        }
    }
    e->tree->couple_patches(e);
}

static bool begin(impulses *e)
{
    return e->tree->factor(e);
}

static void couple(impulses *e)
{
    for (int r = 0; r < e->bilateral_count; r++)
        e->tree->respond_along(e, &e->response[r], e->along + (size_t)r * (size_t)e->freedom_count);
    for (int r = e->bilateral_count; r < e->single_count; r++)
        e->tree->respond_freedom(e, &e->response[r], e->row_body[r]);
    for (int c = 0; c < e->patch_count; c++) {
        impulse_four g[6];
        const double *row = e->row_g + 6 * e->patch[c].row;
        for (int x = 0; x < 6; x++)
            g[x] = (impulse_four){row[x], row[6 + x], row[12 + x], 0.0};
        if (e->patch[c].other < 0) {
            e->tree->respond_patch(e, &e->patch[c], g);
            continue;
        }
        impulse_four back[6];
        row = e->row_h + 6 * e->patch[c].row;
        for (int x = 0; x < 6; x++)
            back[x] = (impulse_four){row[x], row[6 + x], row[12 + x], 0.0};
        e->tree->respond_pair(e, &e->patch[c], g, back);
    }
    couple_rows(e);
    if (e->bilateral_count > 0)
        factor_first(e);
}

// ---- solving -----------------------------------------------------------------------------------

static double dot6(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// What a row makes of the velocities in V and u.
static double value_of(const impulses *e, int r)
{
    double sum = 0.0;
    if (r >= e->bilateral_count)
        return e->row_along[r]        ? e->link[e->row_body[r]].u[0]
               : e->row_other[r] >= 0 ? dot6(e->row_g + 6 * r, e->link[e->row_body[r]].V) +
                                            dot6(e->row_h + 6 * r, e->link[e->row_other[r]].V)
                                      : dot6(e->row_g + 6 * r, e->link[e->row_body[r]].V);
    const double *along = e->along + (size_t)r * (size_t)e->freedom_count;
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        for (int k = 0; k < b->freedom_count; k++)
            sum += along[b->freedom + k] * e->link[i].u[k];
    }
    return sum;
}

// Bilateral rows from their right sides, the others' impulses given.
static void solve_first(impulses *e)
{
    const int c = e->bilateral_count, n = e->row_count;
    for (int i = 0; i < c; i++) {
        double sum = e->right[i];
        for (int k = 0; k < i; k++)
            sum -= e->F[i * c + k] * e->lambda[k];
        e->lambda[i] = sum * e->F[i * c + i];
    }
    for (int i = c - 1; i >= 0; i--) {
        double sum = e->lambda[i];
        for (int j = c; j < n; j++)
            sum += e->C[i * n + j] * e->lambda[j];
        e->lambda[i] = -sum; // -(s + C lambda_n)
    }
    for (int i = c - 1; i >= 0; i--) {
        double sum = e->lambda[i];
        for (int k = i + 1; k < c; k++)
            sum -= e->F[k * c + i] * e->lambda[k];
        e->lambda[i] = sum * e->F[i * c + i];
    }
}

// Takes the rows beside the tree out of the others' right sides.
static void reduce(impulses *e)
{
    const int c = e->bilateral_count, n = e->row_count;
    double *s = e->work;
    for (int i = 0; i < c; i++) {
        double sum = e->right[i];
        for (int k = 0; k < i; k++)
            sum -= e->F[i * c + k] * s[k];
        s[i] = sum * e->F[i * c + i];
    }
    for (int j = c; j < n; j++)
        for (int i = 0; i < c; i++)
            e->right[j] -= e->C[i * n + j] * s[i];
}

static void velocities(impulses *e, double h, double ahead, bool all)
{
    const int c = e->bilateral_count, n = e->row_count;
    e->tree->solve(e);
    if (n == 0) {
        e->report.iterations = 0;
        e->report.reached = 0.0;
        return;
    }
    if (!all && c == 0)
        return;
    for (int r = 0; r < c; r++)
        e->right[r] = value_of(e, r) + impulse_rows_known(e, r, ahead);
    impulse_rows_begin(e, h);
    if (all) {
        for (int r = c; r < n; r++)
            e->right[r] = value_of(e, r) - e->goal[r];
        reduce(e);
        impulse_bounded(e, h);
    } else { // contacts are among the loads: impulse_contacts_warm
        for (int r = e->single_count; r < n; r++)
            e->lambda[r] = 0.0;
    }
    solve_first(e);
    e->tree->apply(e, n, e->lambda);
}

// Positions: V and u are a displacement that closes the tree.
static void close(impulses *e)
{
    const int c = e->bilateral_count;
    for (int i = 0; i < e->m.body_count; i++) {
        memset(e->link[i].p, 0, sizeof e->link[i].p);
        memset(e->link[i].tau, 0, sizeof e->link[i].tau);
    }
    e->tree->solve(e);
    if (c == 0)
        return;
    for (int r = 0; r < c; r++) {
        const impulse_beside *row = &e->m.beside[r];
        e->right[r] = value_of(e, r) + e->formula[row->formula + row->count + 2];
    }
    for (int r = c; r < e->row_count; r++)
        e->closing[r] = e->lambda[r], e->lambda[r] = 0.0;
    for (int r = 0; r < c; r++)
        e->closing[r] = e->lambda[r];
    solve_first(e);
    e->tree->apply(e, c, e->lambda);
    memcpy(e->lambda, e->closing, (size_t)e->row_count * sizeof *e->lambda);
}

static void keep(impulses *e, double h)
{
    (void)e, (void)h; // joints need no first guess
}

// ---- impact and lifting ------------------------------------------------------------------------

// Velocities before an impact are in V and u.
static void impact(impulses *e, double rest)
{
    const int c = e->bilateral_count, n = e->row_count;
    memset(e->lambda, 0, (size_t)n * sizeof *e->lambda);
    memset(e->right, 0, (size_t)c * sizeof *e->right);
    for (int r = c; r < n; r++) {
        const double value = value_of(e, r);
        e->right[r] = value - impulse_rows_goal(e, r, value, rest);
    }
    reduce(e);
    impulse_bounded(e, 0.0);
    solve_first(e);
    e->tree->apply(e, n, e->lambda);
}

static void lift(impulses *e)
{
    impulse_lift(e);
    solve_first(e);
    e->tree->apply(e, e->row_count, e->lambda);
}

const impulse_solver impulse_direct = {
    .name = "direct",
    .doc = "joints eliminated exactly, iterations for contacts, limits and motors alone",
    .begin = begin,
    .couple = couple,
    .velocities = velocities,
    .keep = keep,
    .close = close,
    .impact = impact,
    .lift = lift};
