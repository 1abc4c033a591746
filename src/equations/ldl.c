// ldl.c - elimination of one unknown after the other, on nodes.
//
// M = L D L' in the order of AMD. Entries that are EXPR_ZERO cost nothing; entries that do not vary
// are factored by `prepare` as far as they do not meet a varying one.
//
// Pivots of rows (of the descriptor form, negative; of the operational matrix, positive) are what
// is left when rows before them have taken their share; alone[k] is what a row would have by
// itself: its diagonal entry of the operational matrix, or an estimate of that from the diagonal of
// M.
#include "equations/ldl.h"

#include "num/order.h"

#include <stdlib.h>
#include <string.h>

typedef struct factor {
    expr_graph *g;
    int n;     // of the whole
    int first; // rows begin here: the margin looks at those
    expr_id *W, *L, *inverse, *y;
    expr_id *alone; // of a row: its pivot without the rows before it
    bool *done;
    int fill;
} factor;

static void free_factor(factor *f)
{
    free(f->W);
    free(f->L);
    free(f->inverse);
    free(f->y);
    free(f->alone);
    free(f->done);
}

static bool begin(factor *f, expr_graph *g, int n, int first, const expr_id *M, const expr_id *b)
{
    const size_t square = (size_t)n * (size_t)n, one = (size_t)n + 1;
    *f = (factor){.g = g, .n = n, .first = first};
    f->W = malloc((square + 1) * sizeof *f->W);
    f->L = calloc(square + 1, sizeof *f->L); // EXPR_ZERO
    f->inverse = calloc(one, sizeof *f->inverse);
    f->y = malloc(one * sizeof *f->y);
    f->alone = calloc(one, sizeof *f->alone);
    f->done = calloc(one, sizeof *f->done);
    if (!f->W || !f->L || !f->inverse || !f->y || !f->alone || !f->done)
        return false;
    memcpy(f->W, M, square * sizeof *f->W);
    memcpy(f->y, b, (size_t)n * sizeof *f->y);
    for (int k = first; k < n; k++) {
        f->alone[k] = M[k * n + k];
        for (int j = 0; j < first; j++)
            f->alone[k] =
                expr_sub(g, f->alone[k], expr_div(g, expr_square(g, M[k * n + j]), M[j * n + j]));
    }
    return true;
}

static void eliminate(factor *f, int k)
{
    expr_graph *g = f->g;
    const int n = f->n;
    expr_id *W = f->W, *L = f->L;
    f->done[k] = true;
    f->inverse[k] = expr_div(g, EXPR_ONE, W[k * n + k]);
    for (int i = 0; i < n; i++)
        L[i * n + k] = f->done[i] ? EXPR_ZERO : expr_mul(g, W[i * n + k], f->inverse[k]);
    for (int i = 0; i < n; i++) {
        if (L[i * n + k] == EXPR_ZERO)
            continue;
        for (int j = i; j < n; j++) {
            if (f->done[j] || W[j * n + k] == EXPR_ZERO)
                continue;
            const expr_id old = W[i * n + j];
            const expr_id now = expr_sub(g, old, expr_mul(g, L[i * n + k], W[j * n + k]));
            f->fill += old == EXPR_ZERO && now != EXPR_ZERO;
            W[i * n + j] = W[j * n + i] = now;
        }
        f->y[i] = expr_sub(g, f->y[i], expr_mul(g, L[i * n + k], f->y[k]));
    }
}

static void solve_back(factor *f, const int *order, expr_id *x)
{
    memcpy(x, f->y, (size_t)f->n * sizeof *x);
    for (int s = f->n; s-- > 0;) {
        const int k = order[s];
        x[k] = expr_mul(f->g, x[k], f->inverse[k]);
        for (int i = 0; i < f->n; i++)
            x[k] = expr_sub(f->g, x[k], expr_mul(f->g, f->L[i * f->n + k], x[i]));
    }
}

// Of every row: its pivot, taken positive, and what it would have alone.
static void keep_pivots(const factor *f, mb_pivot *out)
{
    for (int k = f->first; k < f->n; k++) {
        const bool descriptor = f->first > 0;
        const expr_id pivot = f->W[k * f->n + k], alone = f->alone[k];
        out[k - f->first] = (mb_pivot){descriptor ? expr_neg(f->g, pivot) : pivot,
                                       descriptor ? expr_neg(f->g, alone) : alone};
    }
}

static bool find_order(int n, const expr_id *M, int *order)
{
    bool *pattern = malloc((size_t)n * (size_t)n + 1);
    if (!pattern)
        return false;
    for (int i = 0; i < n * n; i++)
        pattern[i] = M[i] != EXPR_ZERO;
    const bool good = order_minimum_degree(n, pattern, order);
    free(pattern);
    return good;
}

// order: given, or NULL for AMD's, which found[] then holds.
static mc_status solve(expr_graph *g, int n, int first, const expr_id *M, const expr_id *b,
                       const int *order, int *found, expr_id *x, int *fill, mb_pivot *pivot,
                       mc_error *error)
{
    factor f;
    int *own = malloc(((size_t)n + 1) * sizeof *own);
    const bool good = begin(&f, g, n, first, M, b) && own && (order || find_order(n, M, own));
    if (good) {
        order = order ? order : own;
        for (int s = 0; s < n; s++)
            eliminate(&f, order[s]);
        solve_back(&f, order, x);
        if (found)
            memcpy(found, order, (size_t)n * sizeof *found);
        if (fill)
            *fill = f.fill;
        if (pivot)
            keep_pivots(&f, pivot);
    }
    free_factor(&f);
    free(own);
    return good ? expr_graph_status(g, error)
                : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left to factor M");
}

mc_status mb_ldl_solve(expr_graph *g, int n, const expr_id *M, const expr_id *b, expr_id *x,
                       int *order, int *fill, mc_error *error)
{
    return solve(g, n, n, M, b, NULL, order, x, fill, NULL, error);
}

mc_status mb_ldl_solve_rows(expr_graph *g, int m, const expr_id *S, const expr_id *b, expr_id *x,
                            mb_pivot *pivot, mc_error *error)
{
    return solve(g, m, 0, S, b, NULL, NULL, x, NULL, pivot, error);
}

mc_status mb_ldl_solve_descriptor(expr_graph *g, int n, int m, const expr_id *K, const expr_id *b,
                                  const int *order, expr_id *x, mb_pivot *pivot, mc_error *error)
{
    return solve(g, n + m, n, K, b, order, NULL, x, NULL, pivot, error);
}
