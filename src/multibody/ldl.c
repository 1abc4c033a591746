// ldl.c - elimination of one unknown after the other, on nodes.
//
// M = L D L' in the order of AMD. Entries that are EXPR_ZERO cost nothing; entries that do not vary
// are factored by `prepare` as far as they do not meet a varying one.
#include "multibody/ldl.h"

#include "num/order.h"

#include <stdlib.h>
#include <string.h>

static void eliminate(expr_graph *g, int n, expr_id *W, expr_id *L, bool *done, int k, expr_id *y,
                      expr_id *inverse, int *fill)
{
    *inverse = expr_div(g, EXPR_ONE, W[k * n + k]);
    for (int i = 0; i < n; i++)
        L[i * n + k] = done[i] || i == k ? EXPR_ZERO : expr_mul(g, W[i * n + k], *inverse);
    for (int i = 0; i < n; i++) {
        if (L[i * n + k] == EXPR_ZERO)
            continue;
        for (int j = i; j < n; j++) {
            if (done[j] || j == k || W[j * n + k] == EXPR_ZERO)
                continue;
            const expr_id old = W[i * n + j];
            const expr_id now = expr_sub(g, old, expr_mul(g, L[i * n + k], W[j * n + k]));
            *fill += old == EXPR_ZERO && now != EXPR_ZERO;
            W[i * n + j] = W[j * n + i] = now;
        }
        y[i] = expr_sub(g, y[i], expr_mul(g, L[i * n + k], y[k]));
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

mc_status mb_ldl_solve(expr_graph *g, int n, const expr_id *M, const expr_id *b, expr_id *x,
                       int *order, int *fill, mc_error *error)
{
    const size_t square = ((size_t)n * (size_t)n + 1) * sizeof(expr_id);
    expr_id *W = malloc(square), *L = malloc(square);
    expr_id *inverse = malloc(((size_t)n + 1) * sizeof *inverse);
    bool *done = calloc((size_t)n + 1, sizeof *done);
    int *own = malloc(((size_t)n + 1) * sizeof *own);
    int filled = 0;
    mc_status status = MC_OK;
    if (W && L && inverse && done && own && find_order(n, M, own)) {
        memcpy(W, M, (size_t)n * (size_t)n * sizeof *W);
        memcpy(x, b, (size_t)n * sizeof *x);
        for (int s = 0; s < n; s++) {
            const int k = own[s];
            done[k] = true;
            eliminate(g, n, W, L, done, k, x, &inverse[k], &filled);
        }
        for (int s = n; s-- > 0;) {
            const int k = own[s];
            x[k] = expr_mul(g, x[k], inverse[k]);
            for (int i = 0; i < n; i++)
                x[k] = expr_sub(g, x[k], expr_mul(g, L[i * n + k], x[i]));
        }
        if (order)
            memcpy(order, own, (size_t)n * sizeof *order);
        if (fill)
            *fill = filled;
        status = expr_graph_status(g, error);
    } else {
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left to factor M");
    }
    free(W);
    free(L);
    free(inverse);
    free(done);
    free(own);
    return status;
}
