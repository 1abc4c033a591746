// test_dense.c - the partial Cholesky factor of the rows with bounds against plain elimination, for
// every size up to 26, any order of the rows, every build of the code.
#include "base/cpu.h"
#include "impulses/engine.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { MAX = 26, STRIDE = ((MAX + 3) & ~3) + 4, WIDE = STRIDE };

static double number(unsigned long long *seed)
{
    return (double)(sample_random(seed) >> 11) * 0x1p-52 - 1.0;
}

// W = B B' + 1.
static void fill(unsigned long long *seed, int n, double *W)
{
    double B[MAX][MAX];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = number(seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            W[i * WIDE + j] = i == j;
            for (int k = 0; k < n; k++)
                W[i * WIDE + j] += B[i][k] * B[j][k];
        }
}

// Some of the rows in some order, and its runs.
static int choose(unsigned long long *seed, int n, int list[MAX], impulse_run_of run[MAX],
                  int *runs)
{
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < n; r++) {
            const bool first = (r * 7 + n) % 5 < 3;
            if (first == (pass == 0) && number(seed) < 0.9)
                list[count++] = r;
        }
    *runs = 0;
    for (int i = 0; i < count; i++)
        if (i > 0 && list[i] == list[i - 1] + 1)
            run[*runs - 1].count++;
        else
            run[(*runs)++] = (impulse_run_of){list[i], i, 1};
    return count;
}

static void check(const impulse_dense *dense, unsigned long long *seed, int n, int held_of)
{
    static double W[MAX * WIDE + 8], L[STRIDE * STRIDE + 8], plain[MAX][MAX];
    double pivot[MAX + 4], x[STRIDE + 4] = {0}, b[MAX];
    impulse_run_of run[MAX];
    int list[MAX], runs;
    fill(seed, n, W);
    const int count = choose(seed, n, list, run, &runs), held = count * held_of / 3;
    for (int k = 0; k < STRIDE * STRIDE; k++)
        L[k] = 1e3 * number(seed); // what stands there does not matter
    for (int i = 0; i < count; i++) {
        x[i] = b[i] = number(seed);
        for (int j = 0; j < count; j++)
            plain[i][j] = W[list[i] * WIDE + list[j]];
    }
    dense->gather(W, WIDE, run, runs, L, STRIDE, count);
    dense->factor(L, pivot, STRIDE, held, count);
    dense->forward(L, pivot, STRIDE, held, count, x);
    for (int k = 0; k < held; k++)
        for (int i = k + 1; i < count; i++) {
            const double f = plain[i][k] / plain[k][k];
            for (int j = k; j < count; j++)
                plain[i][j] -= f * plain[k][j];
            b[i] -= f * b[k];
        }
    for (int i = held; i < count; i++) {
        assert_true(fabs(x[i] - b[i]) < 1e-10);
        for (int j = i; j < count; j++)
            assert_true(fabs(L[i * STRIDE + j] - plain[i][j]) < 1e-10);
    }
    // With the rest given, the held ones: U x_H = b_H - U_HL x_L.
    double rest[MAX];
    for (int i = count - 1; i >= 0; i--) {
        rest[i] = i >= held ? x[i] : b[i];
        for (int j = i + 1; j < count && i < held; j++)
            rest[i] -= plain[i][j] * rest[j];
        rest[i] /= i < held ? plain[i][i] : 1.0;
    }
    dense->backward(L, pivot, STRIDE, held, count, x);
    for (int i = 0; i < count; i++)
        assert_true(fabs(x[i] - rest[i]) < 1e-10);
}

static void factor_agrees(void **state)
{
    (void)state;
    unsigned long long seed = 17;
    for (int n = 1; n <= MAX; n++)
        for (int held = 0; held <= 3; held++)
            for (int k = 0; k < 4; k++) {
                check(&impulse_dense_plain, &seed, n, held);
                if (cpu_level_best() == CPU_AVX2)
                    check(&impulse_dense_avx2, &seed, n, held);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(factor_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
