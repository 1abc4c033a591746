// bench_derive.c - growth of derivation, code and compiler time with the length of a chain, and the
// unrolled LDL' of a mass matrix against general ones.
//
// Chains: links in space, hinged about y and x in turn, the first one to the ground, as in
// models/chain8.yaml; no symmetry to profit from.
#include "measure.h"

#include "codegen/kernel.h"
#include "mechanism/mechanism.h"
#include "equations/ldl.h"

#include <amd.h>
#include <ldl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N_MAX = 64, DOF = 15, STATES = 64 };

static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what)
{
    fprintf(stderr, "bench_derive: %s\n", what);
    exit(1);
}

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- chains ------------------------------------------------------------------------------------

typedef struct chain {
    int links;
    mc_form form;
    char text[256 * N_MAX];
} chain;

static chain chain_of(int links, mc_form form)
{
    chain c = {.links = links, .form = form};
    size_t n = 0;
    n += (size_t)sprintf(c.text, "motorcade: multibody\nname: chain%d\nbodies:\n", links);
    for (int i = 0; i < links; i++) {
        char inboard[32] = "ground";
        if (i > 0)
            snprintf(inboard, sizeof inboard, "link%d", i - 1);
        n += (size_t)snprintf(c.text + n, sizeof c.text - n,
                              "  link%d:\n    inboard: %s\n    joint: hinge\n    at: [0, 0, %s]\n"
                              "    axis: %s\n    mass: 0.2\n    com: [0.01, 0.02, -0.125]\n"
                              "    inertia: [0.0011, 0.00104, 0.0002, 1e-5, 2e-5, 3e-5]\n",
                              i, inboard, i > 0 ? "-0.25" : "0", i % 2 ? "x" : "y");
    }
    return c;
}

static mc_multibody *parse(const chain *c, mc_compile compile)
{
    mc_error error;
    const mc_multibody_options options = {.form = c->form, .compile = compile};
    mc_multibody *m = mc_multibody_parse(c->text, "chain", &options, &error);
    if (!m)
        fail(error.text);
    return m;
}

// Reads, derives and evaluates once.
static void evaluate(mc_multibody *m)
{
    double q[N_MAX], v[N_MAX], vdot[N_MAX];
    for (int i = 0; i < N_MAX; i++)
        q[i] = 0.3 * sin(1.0 + i), v[i] = cos(2.0 * i);
    mc_multibody_accelerations(m, q, v, NULL, vdot);
    if (!isfinite(vdot[0]))
        fail("an acceleration is not finite");
}

static double derive(void *context)
{
    const double start = measure_cpu();
    mc_multibody *m = parse(context, MC_COMPILE_NEVER);
    evaluate(m);
    const double taken = measure_cpu() - start;
    mc_multibody_free(m);
    return taken;
}

// What SymPy's script reads.
static void write_records(int links, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        fail("cannot write the records of a chain");
    for (int i = 0; i < links; i++)
        fprintf(file,
                "body %d link%d %d hinge 0 0 %s 1 0 0 0 %s 0.2 0.01 0.02 -0.125 0.0011 0.00104 "
                "0.0002 1e-5 2e-5 3e-5\n",
                i, i, i - 1, i > 0 ? "-0.25" : "0", i % 2 ? "1 0 0" : "0 1 0");
    fclose(file);
}

static double number_of(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? strtod(at + strlen(key), NULL) : NAN;
}

// s to form the equations; NAN where SymPy is not installed.
static double sympy_time(int links)
{
    char path[64], command[512], line[256] = "";
    snprintf(path, sizeof path, "%s/chain.model", folder);
    write_records(links, path);
    snprintf(command, sizeof command, "python3 '%s/bench/sympy_hmmwv10.py' %s --derive", SOURCE_DIR,
             path);
    FILE *pipe = popen(command, "r");
    const bool read = pipe && fgets(line, sizeof line, pipe);
    if (!pipe || pclose(pipe) != 0 || !read)
        return NAN;
    return number_of(line, "derive_s=");
}

static int statements(const chain *c)
{
    mc_multibody *m = parse(c, MC_COMPILE_NEVER);
    const int count = m->code[MULTIBODY_FORWARD].program->run.count;
    mc_multibody_free(m);
    return count;
}

static double compile_time(const chain *c)
{
    const char *message;
    mc_multibody *m = parse(c, MC_COMPILE_WAIT);
    const double start = wall();
    evaluate(m);
    const double taken = wall() - start;
    if (mc_multibody_kernel_state(m, &message) != MC_KERNEL_STATE_COMPILED)
        fail(message);
    mc_multibody_free(m);
    return taken;
}

// Slope between the last length and a quarter of it.
static double exponent(const double *y, int count)
{
    return log(y[count - 1] / y[count - 3]) / log(4.0);
}

static void bench_chains(mc_form form, const char *word, int count)
{
    enum { SYMPY_LINKS = 4 }; // beyond these its time explodes
    static const int links[] = {2, 4, 8, 16, 32, 64};
    double seconds[6], size[6];
    for (int k = 0; k < count; k++) {
        chain c = chain_of(links[k], form);
        measure_side side = {derive, &c, 0.0};
        measure_sides(&side, 1, 31);
        seconds[k] = side.seconds;
        size[k] = statements(&c);
        char name[64];
        snprintf(name, sizeof name, "derive_chain%s_%d", word, links[k]);
        const double theirs =
            form == MC_FORM_RECURSIVE && links[k] <= SYMPY_LINKS ? sympy_time(links[k]) : NAN;
        if (isfinite(theirs))
            measure_print(name, "sympy", 1e3 * seconds[k], 1e3 * theirs, "ms", 1);
        else
            measure_print_alone(name, 1e3 * seconds[k], "ms");
        snprintf(name, sizeof name, "statements_chain%s_%d", word, links[k]);
        measure_print_alone(name, size[k], "statements");
    }
    char name[64];
    snprintf(name, sizeof name, "growth_derive_chain%s_%d", word, links[count - 1]);
    if (form == MC_FORM_RECURSIVE) {
        measure_print(name, "limit", exponent(seconds, count), 1.5, "exponent", 1);
        measure_print("growth_statements_chain_64", "limit", exponent(size, count), 1.5, "exponent",
                      1);
        const chain c = chain_of(links[count - 1], form);
        measure_print("compile_chain_64", "limit", compile_time(&c), 15.0, "s", 1);
    } else {
        measure_print_alone(name, exponent(seconds, count), "exponent");
        snprintf(name, sizeof name, "growth_statements_chain%s_%d", word, links[count - 1]);
        measure_print_alone(name, exponent(size, count), "exponent");
    }
}

// ---- LDL' of the mass matrix of hmmwv10 --------------------------------------------------------

// Peers with their memory; the matrix alternates between the states.
typedef struct ldl_bench {
    double M[STATES][DOF * DOF], b[STATES][DOF];
    // ours
    expr_graph *graph;
    expr_program *program;
    expr_kernel *kernel;
    double *work;
    double x[STATES][DOF * DOF + DOF]; // entries of M that are not zero, then b
    // SuiteSparse's LDL: upper triangle by columns, entry i of state s in value[s][i]
    int column[DOF + 1], row[DOF * DOF], order[DOF], inverse[DOF];
    int L_column[DOF + 1], L_row[DOF * DOF], parent[DOF], flag[DOF], count[DOF], pattern[DOF];
    double value[STATES][DOF * DOF];
    double sum; // of all that was computed
} ldl_bench;

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info);

// Values of M at some states, and which entries are structure.
static void fill_matrices(ldl_bench *l, bool present[DOF * DOF])
{
    mc_error error;
    const mc_multibody_options options = {MC_FORM_LAGRANGE, MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_load(SOURCE_DIR "/models/hmmwv10.yaml", &options, &error);
    if (!m || mc_multibody_info_of(m)->v_count != DOF)
        fail(m ? "hmmwv10 has 15 velocities" : error.text);
    const expr_id *M = m->system.lagrange.M;
    expr_program *p = expr_program_build(m->system.graph, M, NULL, DOF * DOF, &error);
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
            x[i] += 0.3 * sin(1.0 + s + 2.7 * i);
        expr_kernel_run(k, x, kept, l->M[s], work);
        for (int i = 0; i < DOF; i++)
            l->b[s][i] = cos(1.0 + s + 1.9 * i);
    }
    for (int i = 0; i < DOF * DOF; i++)
        present[i] = M[i] != EXPR_ZERO;
    expr_kernel_destroy(k);
    expr_program_destroy(p);
    free(kept), free(x), free(work);
    mc_multibody_free(m);
}

static void set_up_ours(ldl_bench *l, const bool present[DOF * DOF])
{
    mc_error error;
    expr_id M[DOF * DOF], b[DOF], x[DOF];
    l->graph = expr_graph_create();
    if (!l->graph)
        fail("no memory");
    int n = 0;
    for (int i = 0; i < DOF; i++)
        for (int j = 0; j <= i; j++) {
            M[i * DOF + j] = M[j * DOF + i] = EXPR_ZERO;
            if (!present[i * DOF + j])
                continue;
            M[i * DOF + j] = M[j * DOF + i] = expr_input(l->graph, "M", EXPR_VARIABLE);
            for (int s = 0; s < STATES; s++)
                l->x[s][n] = l->M[s][i * DOF + j];
            n++;
        }
    for (int i = 0; i < DOF; i++, n++) {
        b[i] = expr_input(l->graph, "b", EXPR_VARIABLE);
        for (int s = 0; s < STATES; s++)
            l->x[s][n] = l->b[s][i];
    }
    int fill;
    if (mb_ldl_solve(l->graph, DOF, M, b, x, NULL, &fill, &error) != MC_OK)
        fail(error.text);
    l->program = expr_program_build(l->graph, x, NULL, DOF, &error);
    l->kernel = l->program ? expr_kernel_create(l->program, EXPR_COMPILE_WAIT, &error) : NULL;
    if (!l->kernel)
        fail(error.text);
    if (expr_kernel_state_of(l->kernel) != EXPR_KERNEL_COMPILED)
        fail(expr_kernel_message(l->kernel));
    l->work = malloc(((size_t)expr_kernel_work(l->kernel) + 8) * sizeof *l->work);
    fprintf(stderr, "ldl_hmmwv10: %d entries of 120, fill %d, %d instructions\n", n - DOF, fill,
            l->program->run.count);
}

static void set_up_suitesparse(ldl_bench *l, const bool present[DOF * DOF])
{
    int n = 0;
    for (int j = 0; j < DOF; j++) {
        l->column[j] = n;
        for (int i = 0; i < DOF; i++)
            if (present[i * DOF + j]) {
                l->row[n] = i;
                for (int s = 0; s < STATES; s++)
                    l->value[s][n] = l->M[s][i * DOF + j];
                n++;
            }
    }
    l->column[DOF] = n;
    if (amd_order(DOF, l->column, l->row, l->order, NULL, NULL) < 0)
        fail("AMD failed");
    ldl_symbolic(DOF, l->column, l->row, l->L_column, l->parent, l->count, l->flag, l->order,
                 l->inverse);
}

static void ours_solve(ldl_bench *l, int s, double *x)
{
    expr_kernel_run(l->kernel, l->x[s], NULL, x, l->work);
}

static void lapack_solve(ldl_bench *l, int s, double *x)
{
    const int n = DOF, one = 1;
    int info;
    double a[DOF * DOF];
    memcpy(a, l->M[s], sizeof a);
    memcpy(x, l->b[s], DOF * sizeof *x);
    dpotrf_("L", &n, a, &n, &info);
    dpotrs_("L", &n, &one, a, &n, x, &n, &info);
}

static void suitesparse_solve(ldl_bench *l, int s, double *x)
{
    double L[DOF * DOF], D[DOF], Y[DOF], z[DOF];
    ldl_numeric(DOF, l->column, l->row, l->value[s], l->L_column, l->parent, l->count, l->L_row, L,
                D, Y, l->pattern, l->flag, l->order, l->inverse);
    ldl_perm(DOF, z, l->b[s], l->order);
    ldl_lsolve(DOF, z, l->L_column, l->L_row, L);
    ldl_dsolve(DOF, z, D);
    ldl_ltsolve(DOF, z, l->L_column, l->L_row, L);
    ldl_permt(DOF, x, z, l->order);
}

typedef void solver(ldl_bench *l, int s, double *x);

static double time_solver(ldl_bench *l, solver *solve)
{
    enum { REPEATS = 20 };
    const double start = measure_cpu();
    for (int r = 0; r < REPEATS; r++)
        for (int s = 0; s < STATES; s++) {
            double x[DOF];
            solve(l, s, x);
            l->sum += x[DOF - 1];
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
    for (int s = 0; s < STATES; s++) {
        double x[3][DOF], max = 0.0;
        ours_solve(l, s, x[0]);
        lapack_solve(l, s, x[1]);
        suitesparse_solve(l, s, x[2]);
        for (int i = 0; i < DOF; i++)
            max = fmax(max, fabs(x[1][i]));
        for (int i = 0; i < DOF; i++)
            if (!(fabs(x[0][i] - x[1][i]) <= 1e-11 * max) ||
                !(fabs(x[2][i] - x[1][i]) <= 1e-11 * max))
                fail("the solutions of M x = b differ");
    }
}

static void bench_ldl(void)
{
    static ldl_bench l;
    bool present[DOF * DOF];
    fill_matrices(&l, present);
    set_up_ours(&l, present);
    set_up_suitesparse(&l, present);
    check_solvers(&l);
    measure_side sides[] = {
        {time_ours, &l, 0.0}, {time_lapack, &l, 0.0}, {time_suitesparse, &l, 0.0}};
    measure_pin(true);
    measure_sides(sides, 3, 101);
    measure_pin(false);
    if (!isfinite(l.sum))
        fail("a solution is not finite");
    measure_print("ldl_hmmwv10", "lapack", 1e9 * sides[0].seconds, 1e9 * sides[1].seconds, "ns", 1);
    measure_print("ldl_hmmwv10", "suitesparse", 1e9 * sides[0].seconds, 1e9 * sides[2].seconds,
                  "ns", 1);
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
        fprintf(stderr, "bench_derive: %s is left over\n", folder);
}

int main(void)
{
    char cache[64];
    if (!mkdtemp(folder))
        fail("cannot make a folder in /tmp");
    atexit(remove_folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("MOTORCADE_CACHE", cache, 1);
    bench_chains(MC_FORM_RECURSIVE, "", 6);
    bench_chains(MC_FORM_LAGRANGE, "_lagrange", 4);
    bench_ldl();
    return 0;
}
