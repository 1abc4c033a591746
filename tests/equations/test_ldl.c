// test_ldl.c - the unrolled LDL' against LAPACK, and what it costs.
#include "expr/interpret.h"
#include "equations/ldl.h"
#include "num/dense.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 24 };

// A symmetric matrix of variables on a pattern, a right side, and their solution as a program.
typedef struct system {
    int n, entries;
    bool pattern[SIZE * SIZE];
    int place[SIZE * SIZE]; // of an entry among the variables
    expr_graph *g;
    expr_program *program;
    int order[SIZE], fill;
} system_of;

static void add_entry(system_of *s, int i, int j)
{
    s->pattern[i * s->n + j] = s->pattern[j * s->n + i] = true;
}

static void solve_symbolically(system_of *s, const bool *zero_right)
{
    const int n = s->n;
    expr_id M[SIZE * SIZE] = {0}, copy[SIZE * SIZE], b[SIZE], x[SIZE];
    mc_error error = {0};
    s->g = expr_graph_create();
    s->entries = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            if (i != j && !s->pattern[i * n + j])
                continue;
            s->place[i * n + j] = s->place[j * n + i] = s->entries++;
            M[i * n + j] = M[j * n + i] = expr_input(s->g, "m", EXPR_VARIABLE);
        }
    for (int i = 0; i < n; i++) {
        const expr_id right = expr_input(s->g, "b", EXPR_VARIABLE);
        b[i] = zero_right && zero_right[i] ? EXPR_ZERO : right;
    }
    memcpy(copy, M, sizeof M);
    assert_int_equal(mb_ldl_solve(s->g, n, M, b, x, s->order, &s->fill, &error), MC_OK);
    assert_memory_equal(copy, M, sizeof M); // left as it was
    s->program = expr_program_build(s->g, x, NULL, n, &error);
    assert_non_null(s->program);
}

static void system_free(system_of *s)
{
    expr_program_destroy(s->program);
    expr_graph_destroy(s->g);
}

// Worst |x - x_lapack| over the largest x, with entries that dominate the diagonal.
static double against_lapack(const system_of *s, unsigned long long *seed)
{
    const int n = s->n;
    mc_error error = {0};
    double value[SIZE * SIZE + SIZE] = {0}, x[SIZE], A[SIZE * SIZE] = {0}, want[SIZE];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            if (s->pattern[i * n + j])
                A[i * n + j] = A[j * n + i] = sample_uniform(seed, -1.0, 1.0);
        value[s->entries + i] = want[i] = sample_uniform(seed, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) { // positive definite
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(A[i * n + j]);
        A[i * n + i] = sum * sample_uniform(seed, 1.01, 2.0) + 0.1;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            if (i == j || s->pattern[i * n + j])
                value[s->place[i * n + j]] = A[i * n + j];
    expr_machine *machine = expr_machine_create(s->program, &error);
    assert_non_null(machine);
    double *work = NULL, kept[8] = {0};
    assert_int_equal(s->program->kept_count, 0);
    assert_int_equal(
        posix_memalign((void **)&work, 32, ((size_t)expr_machine_work(machine) + 4) * sizeof *work),
        0);
    expr_machine_prepare(machine, kept, kept, work);
    expr_machine_run(machine, value, kept, x, work);
    assert_true(dense_solve(n, A, want));
    double worst = 0.0, max = 0.0;
    for (int i = 0; i < n; i++) {
        worst = isnan(x[i]) ? (double)INFINITY : fmax(worst, fabs(x[i] - want[i]));
        max = fmax(max, fabs(want[i]));
    }
    free(work);
    expr_machine_destroy(machine);
    return worst / max;
}

static void random_sparse_matrices(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    double worst = 0.0;
    for (int round = 0; round < 60; round++) {
        system_of s = {.n = 1 + (int)(sample_random(&seed) % SIZE)};
        const int extra = (int)(sample_random(&seed) % (unsigned)(2 * s.n));
        for (int k = 0; k < extra; k++)
            add_entry(&s, (int)(sample_random(&seed) % (unsigned)s.n),
                      (int)(sample_random(&seed) % (unsigned)s.n));
        solve_symbolically(&s, NULL);
        for (int k = 0; k < 5; k++)
            worst = fmax(worst, against_lapack(&s, &seed));
        system_free(&s);
    }
    print_message("LDL' against LAPACK: %.1e\n", worst);
    assert_true(worst < 1e-13);
}

// Operations of a dense matrix, by hand: column k with r rows below takes one division, r products
// for L, r (r + 1) / 2 updates and r of the right side; then n products and n (n - 1) / 2 back.
static void dense_count(void **state)
{
    (void)state;
    for (int n = 1; n <= 9; n++) {
        system_of s = {.n = n};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                add_entry(&s, i, j);
        solve_symbolically(&s, NULL);
        int updates = 0, scalings = n;
        for (int r = n - 1; r >= 0; r--) {
            updates += r * (r + 1) / 2 + 2 * r; // and back
            scalings += r;
        }
        const expr_count c = expr_part_count(&s.program->run);
        assert_int_equal(c.div, n);
        assert_int_equal(c.add, updates);
        assert_int_equal(c.fused, updates);
        assert_int_equal(c.mul, updates + scalings);
        assert_int_equal(s.fill, 0);
        system_free(&s);
    }
}

// An arrow, a chain, blocks: no fill, so nothing is done on a zero.
static void sparse_count(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        system_of s = {.n = 20};
        for (int i = 1; i < s.n; i++) {
            if (kind == 0)
                add_entry(&s, 0, i);
            else if (kind == 1)
                add_entry(&s, i - 1, i);
            else if (i % 2)
                add_entry(&s, i - 1, i);
        }
        solve_symbolically(&s, NULL);
        const int links = kind == 2 ? s.n / 2 : s.n - 1;
        const expr_count c = expr_part_count(&s.program->run);
        assert_int_equal(s.fill, 0);
        assert_int_equal(c.div, s.n);
        assert_int_equal(c.add, 3 * links); // diagonal, forward, back
        assert_int_equal(c.mul, 3 * links + links + s.n);
        unsigned long long seed = 4;
        assert_true(against_lapack(&s, &seed) < 1e-13);
        system_free(&s);
    }
}

// Fill is what elimination in the order given creates, counted apart.
static void fill_is_counted(void **state)
{
    (void)state;
    unsigned long long seed = 9;
    int total = 0;
    for (int round = 0; round < 20; round++) {
        system_of s = {.n = 15};
        for (int k = 0; k < 22; k++)
            add_entry(&s, (int)(sample_random(&seed) % 15u), (int)(sample_random(&seed) % 15u));
        solve_symbolically(&s, NULL);
        bool work[SIZE * SIZE], done[SIZE] = {false};
        memcpy(work, s.pattern, sizeof work);
        int fill = 0;
        for (int k = 0; k < s.n; k++) {
            done[s.order[k]] = true;
            for (int i = 0; i < s.n; i++)
                for (int j = 0; j < i; j++)
                    if (!done[i] && !done[j] && work[i * s.n + s.order[k]] &&
                        work[j * s.n + s.order[k]] && !work[i * s.n + j]) {
                        work[i * s.n + j] = work[j * s.n + i] = true;
                        fill++;
                    }
        }
        assert_int_equal(s.fill, fill);
        total += fill;
        system_free(&s);
    }
    assert_true(total > 0);
}

// A zero on the right side and a diagonal matrix cost nothing more than they must.
static void zeros_on_the_right(void **state)
{
    (void)state;
    bool zero[SIZE];
    memset(zero, 1, sizeof zero);
    system_of s = {.n = 12};
    for (int i = 1; i < s.n; i++)
        add_entry(&s, i - 1, i);
    solve_symbolically(&s, zero);
    assert_int_equal(expr_part_count(&s.program->run).flops, 0);
    for (int i = 0; i < s.n; i++) {
        assert_int_equal(s.program->run.output[i].place, EXPR_AT_CONST);
        assert_true(s.program->constants[s.program->run.output[i].index] == 0.0);
    }
    system_free(&s);
    system_of d = {.n = 12};
    solve_symbolically(&d, NULL);
    assert_int_equal(expr_part_count(&d.program->run).div, 12);
    assert_int_equal(expr_part_count(&d.program->run).add, 0);
    system_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sparse_matrices), cmocka_unit_test(dense_count),
        cmocka_unit_test(sparse_count),           cmocka_unit_test(fill_is_counted),
        cmocka_unit_test(zeros_on_the_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
