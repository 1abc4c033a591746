// partition.c - dependent and independent speeds.
#include "equations/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int entries_of(const double *a, int columns, int r)
{
    int n = 0;
    for (int c = 0; c < columns; c++)
        n += a[r * columns + c] != 0.0;
    return n;
}

// X of the dependent columns on numbers, columns x columns (entries by independent columns); false:
// these columns cannot depend on the others, or not safely.
static bool solve_numbers(const mb_partition *p, const bool *dependent, double *b, double *X)
{
    const int m = p->rows, n = p->columns;
    int pivot[m + 1];
    bool used[m + 1];
    memcpy(b, p->A, (size_t)(m * n) * sizeof *b);
    memset(used, 0, sizeof used);
    memset(X, 0, (size_t)(n * n) * sizeof *X);
    for (int c = 0; c < n; c++) { // Gauss and Jordan, the largest entry of each column
        if (!dependent[c])
            continue;
        int best = -1;
        for (int r = 0; r < m; r++)
            if (!used[r] && (best < 0 || fabs(b[r * n + c]) > fabs(b[best * n + c])))
                best = r;
        double length = 0.0;
        for (int k = 0; best >= 0 && k < n; k++)
            length = fmax(length, fabs(b[best * n + k]));
        if (best < 0 || !(fabs(b[best * n + c]) > 0.1 * length))
            return false;
        used[best] = true;
        pivot[best] = c;
        const double inverse = 1.0 / b[best * n + c];
        for (int k = 0; k < n; k++)
            b[best * n + k] *= inverse;
        for (int r = 0; r < m; r++) {
            const double f = r == best ? 0.0 : b[r * n + c];
            for (int k = 0; k < n && f != 0.0; k++)
                b[r * n + k] -= f * b[best * n + k];
        }
    }
    for (int r = 0; r < m; r++)
        for (int k = 0; k < n; k++)
            if (!dependent[k] && fabs(b[r * n + k]) > 1e-9)
                X[pivot[r] * n + k] = -b[r * n + k];
    for (int c = 0; c < n; c++)
        if (!dependent[c])
            X[c * n + c] = 1.0;
    return true;
}

// How far the rows are moved by a speed: makes radians and metres comparable.
static double reach_of(const mb_partition *p, int column)
{
    double sum = 0.0;
    for (int r = 0; r < p->rows; r++)
        sum += p->A[r * p->columns + column] * p->A[r * p->columns + column];
    return sqrt(sum);
}

// What a choice will cost: links that an independent speed moves count most.
static int cost_of(const mb_partition *p, const double *X)
{
    const int n = p->columns;
    int cost = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < p->link_count; k++) {
            bool moves = false;
            for (int c = 0; c < n; c++)
                moves = moves || (X[c * n + i] != 0.0 && p->moves[k * n + c]);
            cost += 20 * moves;
        }
    bool outrun = false; // a dependent speed that outruns the others is unsafe
    for (int i = 0; i < n * n; i++) {
        cost += X[i] != 0.0;
        outrun = outrun || fabs(X[i]) * reach_of(p, i / n) > 6.0 * fmax(reach_of(p, i % n), 1e-6);
    }
    return cost + (outrun ? 1000 : 0);
}

// Dependent columns: one exchange with an independent one after the other, while it pays.
static bool improve(const mb_partition *p, double *b, double *X)
{
    const int n = p->columns;
    bool *dependent = p->dependent;
    if (!solve_numbers(p, dependent, b, X))
        return false;
    int best = cost_of(p, X);
    for (bool better = true; better;) {
        better = false;
        for (int d = 0; d < n && !better; d++)
            for (int i = 0; i < n && !better; i++) {
                if (!dependent[d] || dependent[i])
                    continue;
                dependent[d] = false, dependent[i] = true;
                const int cost = solve_numbers(p, dependent, b, X) ? cost_of(p, X) : best;
                better = cost < best;
                best = better ? cost : best;
                if (!better)
                    dependent[d] = true, dependent[i] = false;
            }
    }
    return true;
}

// A first choice: the largest entries.
static bool choose_first(const mb_partition *p, double *b)
{
    bool *dependent = p->dependent;
    const int m = p->rows, n = p->columns;
    bool used[m + 1];
    memset(used, 0, sizeof used);
    memcpy(b, p->A, (size_t)(m * n) * sizeof *b);
    for (int step = 0; step < m; step++) {
        int row = -1, column = -1;
        double most = 1e-9;
        for (int r = 0; r < m; r++)
            for (int c = 0; c < n && !used[r]; c++)
                if (!dependent[c] && fabs(b[r * n + c]) > most) {
                    most = fabs(b[r * n + c]);
                    row = r, column = c;
                }
        if (row < 0)
            return false;
        used[row] = dependent[column] = true;
        for (int r = 0; r < m; r++) {
            const double f = used[r] ? 0.0 : b[r * n + column] / b[row * n + column];
            for (int c = 0; c < n && f != 0.0; c++)
                b[r * n + c] = c == column ? 0.0 : b[r * n + c] - f * b[row * n + c];
        }
    }
    return true;
}

// The order of the pivots: among entries of dependent columns not much smaller than the largest of
// their row, the one whose row and column are emptiest.
static bool order_pivots(const mb_partition *p, double *a)
{
    const bool *dependent = p->dependent;
    const int m = p->rows, n = p->columns;
    bool used_row[m + 1], used[n + 1];
    memset(used_row, 0, sizeof used_row);
    memset(used, 0, sizeof used);
    for (int step = 0; step < m; step++) {
        int row = -1, column = -1;
        double best = INFINITY;
        for (int r = 0; r < m; r++) {
            double largest = 0.0;
            for (int c = 0; c < n && !used_row[r]; c++)
                largest = fmax(largest, dependent[c] && !used[c] ? fabs(a[r * n + c]) : 0.0);
            for (int c = 0; c < n && !used_row[r]; c++) {
                if (used[c] || !dependent[c] || largest < 1e-9 ||
                    !(fabs(a[r * n + c]) > 0.2 * largest))
                    continue;
                int others = 0;
                for (int k = 0; k < m; k++)
                    others += !used_row[k] && a[k * n + c] != 0.0;
                const double cost = (entries_of(a, n, r) - 1.0) * (others - 1.0) +
                                    0.5 * (1.0 - fabs(a[r * n + c]) / largest);
                if (cost < best)
                    best = cost, row = r, column = c;
            }
        }
        if (row < 0)
            return false;
        p->pivot_row[step] = row;
        p->pivot_column[step] = column;
        used_row[row] = used[column] = true;
        for (int r = 0; r < m; r++) {
            const double f = used_row[r] ? 0.0 : a[r * n + column] / a[row * n + column];
            for (int c = 0; c < n && f != 0.0; c++)
                a[r * n + c] = c == column ? 0.0 : a[r * n + c] - f * a[row * n + c];
        }
    }
    return true;
}

bool mb_partition_find(mb_partition *p)
{
    const size_t size = (size_t)(p->rows * p->columns), square = (size_t)(p->columns * p->columns);
    double *b = malloc((size + 1) * sizeof *b), *X = malloc((square + 1) * sizeof *X);
    p->no_memory = !b || !X;
    bool good = !p->no_memory && choose_first(p, b) && improve(p, b, X);
    if (good) {
        memcpy(b, p->A, size * sizeof *b);
        good = order_pivots(p, b);
    }
    free(b);
    free(X);
    return good;
}
