// test_order.c - the fill-reducing order: a permutation, and less fill than the natural order.
#include "num/order.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

enum { SIZE = 60 };

static bool pattern[SIZE * SIZE];

static void put(int n, int i, int j)
{
    pattern[i * n + j] = pattern[j * n + i] = true;
}

static void is_permutation(int n, const int *order)
{
    bool seen[SIZE] = {false};
    for (int k = 0; k < n; k++) {
        assert_in_range(order[k], 0, n - 1);
        assert_false(seen[order[k]]);
        seen[order[k]] = true;
    }
}

// Entries below the diagonal that elimination in this order creates.
static int fill_of(int n, const int *order)
{
    static bool work[SIZE * SIZE];
    bool done[SIZE] = {false};
    int fill = 0;
    memcpy(work, pattern, sizeof work);
    for (int s = 0; s < n; s++) {
        const int k = order[s];
        done[k] = true;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                if (!done[i] && !done[j] && work[i * n + k] && work[j * n + k] &&
                    !work[i * n + j]) {
                    work[i * n + j] = work[j * n + i] = true;
                    fill++;
                }
    }
    return fill;
}

static int natural_fill(int n)
{
    int order[SIZE];
    for (int k = 0; k < n; k++)
        order[k] = k;
    return fill_of(n, order);
}

// Full first row: the natural order fills everything, the best nothing.
static void arrow(void **state)
{
    (void)state;
    for (int n = 3; n <= SIZE; n += 19) {
        int order[SIZE];
        memset(pattern, 0, sizeof pattern);
        for (int i = 0; i < n; i++) {
            put(n, i, i);
            put(n, 0, i);
        }
        assert_true(order_minimum_degree(n, pattern, order));
        is_permutation(n, order);
        assert_int_equal(natural_fill(n), (n - 1) * (n - 2) / 2);
        assert_int_equal(fill_of(n, order), 0);
    }
}

// The graph of a tree has an order without fill, whatever its numbering; minimum degree finds it.
static void trees(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int round = 0; round < 50; round++) {
        const int n = 2 + (int)(sample_random(&seed) % (SIZE - 1));
        int order[SIZE], name[SIZE];
        for (int i = 0; i < n; i++)
            name[i] = i;
        for (int i = n - 1; i > 0; i--) {
            const int j = (int)(sample_random(&seed) % (unsigned)(i + 1)), keep = name[i];
            name[i] = name[j];
            name[j] = keep;
        }
        memset(pattern, 0, sizeof pattern);
        for (int i = 1; i < n; i++)
            put(n, name[i], name[sample_random(&seed) % (unsigned)i]);
        assert_true(order_minimum_degree(n, pattern, order));
        is_permutation(n, order);
        assert_int_equal(fill_of(n, order), 0);
    }
}

static void random_patterns(void **state)
{
    (void)state;
    unsigned long long seed = 4;
    int ordered = 0, natural = 0;
    for (int round = 0; round < 50; round++) {
        const int n = 10 + (int)(sample_random(&seed) % 40);
        int order[SIZE];
        memset(pattern, 0, sizeof pattern);
        for (int k = 0; k < 2 * n; k++)
            put(n, (int)(sample_random(&seed) % (unsigned)n),
                (int)(sample_random(&seed) % (unsigned)n));
        assert_true(order_minimum_degree(n, pattern, order));
        is_permutation(n, order);
        ordered += fill_of(n, order);
        natural += natural_fill(n);
    }
    print_message("random patterns: fill %d, in natural order %d\n", ordered, natural);
    assert_true(natural > 0 && ordered < natural / 2);
}

// One triangle is enough, an empty diagonal does no harm, and the answer is the same every time.
static void half_a_pattern(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    const int n = 30;
    static bool lower[SIZE * SIZE];
    int one[SIZE], two[SIZE], three[SIZE];
    memset(pattern, 0, sizeof pattern);
    memset(lower, 0, sizeof lower);
    for (int k = 0; k < 50; k++) {
        const int i = (int)(sample_random(&seed) % 30u), j = (int)(sample_random(&seed) % 30u);
        put(n, i, j);
        lower[(i > j ? i : j) * n + (i > j ? j : i)] = true;
    }
    assert_true(order_minimum_degree(n, pattern, one));
    assert_true(order_minimum_degree(n, lower, two));
    assert_true(order_minimum_degree(n, pattern, three));
    assert_memory_equal(one, two, (size_t)n * sizeof *one);
    assert_memory_equal(one, three, (size_t)n * sizeof *one);
}

static void smallest(void **state)
{
    (void)state;
    int order[1] = {7};
    const bool one[1] = {true};
    assert_true(order_minimum_degree(0, one, order));
    assert_int_equal(order[0], 7);
    assert_true(order_minimum_degree(1, one, order));
    assert_int_equal(order[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrow),           cmocka_unit_test(trees),
        cmocka_unit_test(random_patterns), cmocka_unit_test(half_a_pattern),
        cmocka_unit_test(smallest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
