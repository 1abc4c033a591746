// bench_ldl.c - the unrolled LDL' of hmmwv10's mass matrix, and of the matrix [M A'; A 0] of
// hmmwv_loops, against general solvers.
//
// SuiteSparse's LDL does not pivot; of the descriptor matrix it gets our order, in which no pivot
// vanishes. LAPACK solves that one by dsysv, which pivots.
#include "measure.h"

#include "codegen/kernel.h"
#include "mechanism/mechanism.h"
#include "equations/closed.h"
#include "num/order.h"

#include <amd.h>
#include <ldl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 47, STATES = 64 };

static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what)
{
    fprintf(stderr, "bench_ldl: %s\n", what);
    exit(1);
}

// ---- matrices ----------------------------------------------------------------------------------

// Peers with their memory; the matrix alternates between the states.
typedef struct ldl_bench {
    int n, rows; // size of the matrix, of which rows are of A
    bool present[SIZE * SIZE];
    double M[STATES][SIZE * SIZE], b[STATES][SIZE];
    // ours
    expr_graph *graph;
    expr_program *program;
    expr_kernel *kernel;
    double *work;
    double x[STATES][SIZE * SIZE + SIZE]; // entries of M that are not zero, then b
    // SuiteSparse's LDL: upper triangle by columns, entry i of state s in value[s][i]
    int column[SIZE + 1], row[SIZE * SIZE], order[SIZE], inverse[SIZE];
    int L_column[SIZE + 1], L_row[SIZE * SIZE], parent[SIZE], flag[SIZE], count[SIZE],
        pattern[SIZE];
    double value[STATES][SIZE * SIZE];
    double sum; // of all that was computed
} ldl_bench;

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info);
void dsysv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda, int *pivot,
            double *b, const int *ldb, double *work, const int *size, int *info);

// Nodes of the matrix: M, or M with the rows that act.
static void find_nodes(ldl_bench *l, mc_multibody *m, expr_id *K)
{
    const mb_system *s = &m->system;
    const int v = s->v_count;
    const expr_id *M = s->rows.kept_count > 0 ? s->descriptor[0].M : s->lagrange.M;
    l->rows = s->rows.kept_count;
    l->n = v + l->rows;
    if (l->n > SIZE)
        fail("the matrix is larger than 47");
    memset(K, 0, (size_t)(l->n * l->n) * sizeof *K); // EXPR_ZERO
    for (int i = 0; i < v; i++)
        memcpy(&K[i * l->n], &M[i * v], (size_t)v * sizeof *M);
    for (int r = 0; r < l->rows; r++) {
        expr_id *A = &K[(v + r) * l->n], bias;
        mb_closed_row(s, s->rows.kept[r], A, &bias);
        for (int i = 0; i < v; i++)
            K[i * l->n + v + r] = A[i];
    }
    for (int i = 0; i < l->n * l->n; i++)
        l->present[i] = K[i] != EXPR_ZERO;
}

// Values at some states.
static void fill_matrices(ldl_bench *l, const char *model)
{
    mc_error error;
    const mc_multibody_options options = {MC_FORM_LAGRANGE, MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_load(model, &options, &error);
    if (!m)
        fail(error.text);
    static expr_id K[SIZE * SIZE];
    find_nodes(l, m, K);
    expr_program *p = expr_program_build(m->system.graph, K, NULL, l->n * l->n, &error);
    expr_kernel *k = p ? expr_kernel_create(p, EXPR_INTERPRET, &error) : NULL;
    if (!k)
        fail(error.text);
    double *kept = calloc((size_t)p->kept_count + 1, sizeof *kept);
    double *x = calloc((size_t)p->variable_count + 1, sizeof *x);
    double *work = aligned_alloc(64, ((size_t)expr_kernel_work(k) * sizeof *work + 64) / 64 * 64);
    if (!kept || !x || !work)
        fail("no memory");
    expr_kernel_prepare(k, m->parameter, kept, work);
    for (int s = 0; s < STATES; s++) {
        mc_multibody_start(m, x);
        for (int i = 7; i < m->system.q_count; i++)
            x[i] += (l->rows > 0 ? 0.05 : 0.3) * sin(1.0 + s + 2.7 * i);
        mc_multibody_normalise(m, x);
        if (l->rows > 0 && mc_multibody_assemble(m, 0.0, x, &error) != MC_OK)
            fail(error.text);
        expr_kernel_run(k, x, kept, l->M[s], work);
        for (int i = 0; i < l->n; i++)
            l->b[s][i] = cos(1.0 + s + 1.9 * i);
    }
    expr_kernel_destroy(k);
    expr_program_destroy(p);
    free(kept), free(x), free(work);
    mc_multibody_free(m);
}

// ---- solvers -----------------------------------------------------------------------------------

static int make_inputs(ldl_bench *l, expr_id *M, expr_id *b)
{
    const int size = l->n;
    int n = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++) {
            M[i * size + j] = M[j * size + i] = EXPR_ZERO;
            if (!l->present[i * size + j])
                continue;
            M[i * size + j] = M[j * size + i] = expr_input(l->graph, "M", EXPR_VARIABLE);
            for (int s = 0; s < STATES; s++)
                l->x[s][n] = l->M[s][i * size + j];
            n++;
        }
    for (int i = 0; i < size; i++) {
        b[i] = expr_input(l->graph, "b", EXPR_VARIABLE);
        for (int s = 0; s < STATES; s++)
            l->x[s][n + i] = l->b[s][i];
    }
    return n;
}

static void set_up_ours(ldl_bench *l, const char *name)
{
    mc_error error;
    static expr_id M[SIZE * SIZE], b[SIZE], x[SIZE];
    mb_pivot pivot[SIZE];
    l->graph = expr_graph_create();
    if (!l->graph)
        fail("no memory");
    const int entries = make_inputs(l, M, b);
    if (l->rows > 0 && !order_descriptor(l->n - l->rows, l->rows, l->present, l->order))
        fail("no memory");
    const mc_status status = l->rows > 0
                                 ? mb_ldl_solve_descriptor(l->graph, l->n - l->rows, l->rows, M, b,
                                                           l->order, x, pivot, &error)
                                 : mb_ldl_solve(l->graph, l->n, M, b, x, NULL, NULL, &error);
    if (status != MC_OK)
        fail(error.text);
    l->program = expr_program_build(l->graph, x, NULL, l->n, &error);
    l->kernel = l->program ? expr_kernel_create(l->program, EXPR_COMPILE_WAIT, &error) : NULL;
    if (!l->kernel)
        fail(error.text);
    if (expr_kernel_state_of(l->kernel) != EXPR_KERNEL_COMPILED)
        fail(expr_kernel_message(l->kernel));
    l->work = malloc(((size_t)expr_kernel_work(l->kernel) + 8) * sizeof *l->work);
    fprintf(stderr, "%s: %d entries of %d, %d flops\n", name, entries, l->n * (l->n + 1) / 2,
            expr_part_count(&l->program->run).flops);
}

static void set_up_suitesparse(ldl_bench *l)
{
    const int size = l->n;
    int n = 0;
    for (int j = 0; j < size; j++) {
        l->column[j] = n;
        for (int i = 0; i < size; i++)
            if (l->present[i * size + j]) {
                l->row[n] = i;
                for (int s = 0; s < STATES; s++)
                    l->value[s][n] = l->M[s][i * size + j];
                n++;
            }
    }
    l->column[size] = n;
    if (l->rows == 0 && amd_order(size, l->column, l->row, l->order, NULL, NULL) < 0)
        fail("AMD failed");
    ldl_symbolic(size, l->column, l->row, l->L_column, l->parent, l->count, l->flag, l->order,
                 l->inverse);
}

static void ours_solve(ldl_bench *l, int s, double *x)
{
    expr_kernel_run(l->kernel, l->x[s], NULL, x, l->work);
}

static void lapack_solve(ldl_bench *l, int s, double *x)
{
    const int n = l->n, one = 1, room = 64 * SIZE;
    int info, pivot[SIZE];
    double a[SIZE * SIZE], work[64 * SIZE];
    memcpy(a, l->M[s], (size_t)(n * n) * sizeof *a);
    memcpy(x, l->b[s], (size_t)n * sizeof *x);
    if (l->rows > 0) {
        dsysv_("L", &n, &one, a, &n, pivot, x, &n, work, &room, &info);
        return;
    }
    dpotrf_("L", &n, a, &n, &info);
    dpotrs_("L", &n, &one, a, &n, x, &n, &info);
}

static void suitesparse_solve(ldl_bench *l, int s, double *x)
{
    const int n = l->n;
    double L[SIZE * SIZE], D[SIZE], Y[SIZE], z[SIZE];
    ldl_numeric(n, l->column, l->row, l->value[s], l->L_column, l->parent, l->count, l->L_row, L, D,
                Y, l->pattern, l->flag, l->order, l->inverse);
    ldl_perm(n, z, l->b[s], l->order);
    ldl_lsolve(n, z, l->L_column, l->L_row, L);
    ldl_dsolve(n, z, D);
    ldl_ltsolve(n, z, l->L_column, l->L_row, L);
    ldl_permt(n, x, z, l->order);
}

// ---- timing ------------------------------------------------------------------------------------

typedef void solver(ldl_bench *l, int s, double *x);

static double time_solver(ldl_bench *l, solver *solve)
{
    enum { REPEATS = 10 };
    const double start = measure_cpu();
    for (int r = 0; r < REPEATS; r++)
        for (int s = 0; s < STATES; s++) {
            double x[SIZE];
            solve(l, s, x);
            l->sum += x[l->n - 1];
        }
    return (measure_cpu() - start) / (REPEATS * STATES);
}

static double time_ours(void *context)
{
    return time_solver(context, ours_solve);
}

static double time_lapack(void *context)
{
    return time_solver(context, lapack_solve);
}

static double time_suitesparse(void *context)
{
    return time_solver(context, suitesparse_solve);
}

static void check_solvers(ldl_bench *l)
{
    const double bound = l->rows > 0 ? 1e-9 : 1e-11;
    for (int s = 0; s < STATES; s++) {
        double x[3][SIZE], max = 0.0;
        ours_solve(l, s, x[0]);
        lapack_solve(l, s, x[1]);
        suitesparse_solve(l, s, x[2]);
        for (int i = 0; i < l->n; i++)
            max = fmax(max, fabs(x[1][i]));
        for (int i = 0; i < l->n; i++)
            if (!(fabs(x[0][i] - x[1][i]) <= bound * max) ||
                !(fabs(x[2][i] - x[1][i]) <= bound * max))
                fail("the solutions of M x = b differ");
    }
}

static void bench(const char *name, const char *model)
{
    static ldl_bench l;
    memset(&l, 0, sizeof l);
    fill_matrices(&l, model);
    set_up_ours(&l, name);
    set_up_suitesparse(&l);
    check_solvers(&l);
    measure_side sides[] = {
        {time_ours, &l, 0.0}, {time_lapack, &l, 0.0}, {time_suitesparse, &l, 0.0}};
    measure_pin(true);
    measure_sides(sides, 3, 101);
    measure_pin(false);
    if (!isfinite(l.sum))
        fail("a solution is not finite");
    measure_print(name, "lapack", 1e9 * sides[0].seconds, 1e9 * sides[1].seconds, "ns", 1);
    measure_print(name, "suitesparse", 1e9 * sides[0].seconds, 1e9 * sides[2].seconds, "ns", 1);
    expr_kernel_destroy(l.kernel);
    expr_program_destroy(l.program);
    expr_graph_destroy(l.graph);
    free(l.work);
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "bench_ldl: %s is left over\n", folder);
}

int main(void)
{
    char cache[64];
    if (!mkdtemp(folder))
        fail("cannot make a folder in /tmp");
    atexit(remove_folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("MOTORCADE_CACHE", cache, 1);
    bench("ldl_hmmwv10", SOURCE_DIR "/models/hmmwv10.yaml");
    bench("ldl_descriptor", SOURCE_DIR "/models/hmmwv_loops.yaml");
    return 0;
}
