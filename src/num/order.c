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
