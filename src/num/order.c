// order.c - the call of AMD.
#include "num/order.h"

#include <stdlib.h>
#include <suitesparse/amd.h>

bool order_minimum_degree(int n, const bool *pattern, int *order)
{
    if (n == 0)
        return true;
    int *start = malloc(((size_t)n + 1) * sizeof *start);
    int *row = malloc((size_t)n * (size_t)n * sizeof *row);
    bool good = start && row;
    if (good) {
        int count = 0;
        for (int j = 0; j < n; j++) {
            start[j] = count;
            for (int i = 0; i < n; i++)
                if (i == j || pattern[i * n + j] || pattern[j * n + i])
                    row[count++] = i;
        }
        start[n] = count;
        good = amd_order(n, start, row, order, NULL, NULL) >= AMD_OK;
    }
    free(start);
    free(row);
    return good;
}

static int degree_of(int size, const bool *near, const bool *done, int k)
{
    int degree = 0;
    for (int i = 0; i < size; i++)
        degree += i != k && !done[i] && near[k * size + i];
    return degree;
}

// Whether every unknown that row k ties is gone.
static bool may_go(int n, int size, const bool *pattern, const bool *done, int k)
{
    for (int i = 0; k >= n && i < n; i++)
        if (!done[i] && (pattern[k * size + i] || pattern[i * size + k]))
            return false;
    return true;
}

bool order_descriptor(int n, int m, const bool *pattern, int *order)
{
    const int size = n + m;
    bool *near = malloc((size_t)size * (size_t)size + 1), *done = calloc((size_t)size + 1, 1);
    if (near && done) {
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                near[i * size + j] = pattern[i * size + j] || pattern[j * size + i];
        for (int step = 0; step < size; step++) {
            int best = -1, least = size + 1;
            for (int k = 0; k < size; k++) {
                if (done[k] || !may_go(n, size, pattern, done, k))
                    continue;
                const int degree = degree_of(size, near, done, k);
                if (degree < least || (degree == least && k >= n && best < n)) {
                    best = k;
                    least = degree;
                }
            }
            order[step] = best;
            done[best] = true;
            for (int i = 0; i < size; i++)
                for (int j = 0; near[best * size + i] && j < size; j++)
                    if (!done[i] && !done[j] && near[best * size + j])
                        near[i * size + j] = true;
        }
    }
    const bool good = near && done;
    free(near);
    free(done);
    return good;
}
