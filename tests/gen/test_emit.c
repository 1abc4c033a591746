// test_emit.c - emitted C and Fortran: compiles without a warning, gives the interpreter's bits
// (Fortran: to rounding), is reproducible, and lets no name through as code.
#include "base/cpu.h"
#include "codegen/emit.h"
#include "expr/function.h"
#include "expr/interpret.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long seed_type;
enum { VARIABLES = 12, PARAMETERS = 6, OUTPUTS = 40, BLOCKS = 3, NODES_MAX = 4000 };

static char folder[] = "/tmp/motorcade_emit_XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static bool have(const char *program)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

// ---- programs --------------------------------------------------------------------------------

static int random_below(seed_type *seed, int n)
{
    return (int)(sample_random(seed) % (unsigned)n);
}

typedef expr_id unary_maker(expr_graph *, expr_id);
typedef expr_id binary_maker(expr_graph *, expr_id, expr_id);

// Operation number op, 0 to 34, so that every kind occurs.
static expr_id operation(expr_graph *g, int op, expr_id a, expr_id b, expr_id c)
{
    static unary_maker *const one[] = {expr_neg, expr_sqrt, expr_abs, expr_floor, expr_sin};
    static binary_maker *const two[] = {expr_add, expr_sub,  expr_mul, expr_div,  expr_min,
                                        expr_max, expr_less, expr_leq, expr_equal};
    static const int call[] = {EXPR_TAN, EXPR_ATAN,  EXPR_SINH, EXPR_COSH, EXPR_TANH,
                               EXPR_EXP, EXPR_ASIN,  EXPR_ACOS, EXPR_LOG,  EXPR_LOG10,
                               EXPR_POW, EXPR_ATAN2, EXPR_HYPOT};
    if (op < 5)
        return one[op](g, a);
    if (op < 14)
        return two[op - 5](g, a, b);
    switch (op) {
    case 14:
        return expr_and(g, expr_less(g, a, b), expr_leq(g, b, c));
    case 15:
        return expr_or(g, expr_less(g, a, b), c);
    case 16:
        return expr_not(g, expr_floor(g, a));
    case 17:
        return expr_select(g, expr_less(g, a, b), b, c);
    case 18:
        return expr_add(g, expr_mul(g, a, b), c);
    case 19:
        return expr_sub(g, expr_mul(g, a, b), c);
    case 20:
        return expr_sub(g, c, expr_mul(g, a, b));
    case 21:
        return expr_add(g, expr_sin(g, a), expr_cos(g, b));
    default:
        return expr_call(g, call[op - 22], a, op < 32 ? EXPR_NONE : b);
    }
}
enum { OPERATIONS = 35 };

typedef struct sample_program {
    expr_graph *g;
    expr_program *p;
    expr_id outputs[OUTPUTS];
} sample_program;

static void add_inputs(expr_graph *g, expr_id *value)
{
    for (int i = 0; i < VARIABLES + PARAMETERS; i++) {
        char name[32];
        snprintf(name, sizeof name, i < VARIABLES ? "angle_%d" : "mass.%d", i);
        value[i] = expr_input(g, name, i < VARIABLES ? EXPR_VARIABLE : EXPR_PARAMETER);
    }
}

static void finish(sample_program *s)
{
    mc_error error;
    s->p = expr_program_build(s->g, s->outputs, NULL, OUTPUTS, &error);
    assert_non_null(s->p);
}

// The operation with arguments it is defined for, and a result that does not run away.
static expr_id tame_operation(expr_graph *g, int op, expr_id a, expr_id b, expr_id c)
{
    const expr_id half = expr_const(g, 0.5), limit = expr_const(g, 3.0);
    if (op == 8) // division
        b = expr_add(g, expr_abs(g, b), half);
    if (op == 1) // square root
        a = expr_abs(g, a);
    if (op == 28 || op == 29) // inverse of sine and cosine
        a = expr_sin(g, a);
    if (op >= 30 && op <= 32) // logarithms, power
        a = expr_add(g, expr_abs(g, a), half);
    const expr_id result = operation(g, op, a, b, c);
    const bool grows = op == 7 || op == 8 || (op >= 18 && op <= 20) || op >= 22;
    return grows ? expr_max(g, expr_min(g, result, limit), expr_neg(g, limit)) : result;
}

// Deep: each operation on what came shortly before it; one in a hundred is not tamed.
static sample_program random_program(seed_type seed, int node_count)
{
    sample_program s = {.g = expr_graph_create()};
    expr_id value[NODES_MAX];
    add_inputs(s.g, value);
    int n = VARIABLES + PARAMETERS;
    while (n < node_count) {
        expr_id pick[3];
        for (int k = 0; k < 3; k++) {
            const int range = random_below(&seed, 8) ? 40 : n;
            pick[k] = value[n - 1 - random_below(&seed, range < n ? range : n)];
            if (random_below(&seed, 12) == 0)
                pick[k] = expr_const(s.g, sample_uniform(&seed, -2.0, 2.0));
        }
        // Mostly arithmetic, as models are; a sine now and then keeps numbers small.
        const int op =
            random_below(&seed, 2) ? random_below(&seed, OPERATIONS) : 5 + random_below(&seed, 3);
        expr_id (*make)(expr_graph *, int, expr_id, expr_id, expr_id) =
            random_below(&seed, 100) ? tame_operation : operation;
        value[n] = make(s.g, op, pick[0], pick[1], pick[2]);
        if (random_below(&seed, 4) == 0)
            expr_label(s.g, value[n], random_below(&seed, 2) ? "wheel force" : "t");
        n++;
    }
    for (int o = 0; o < OUTPUTS; o++)
        s.outputs[o] = value[o < 30 ? n - 1 - 2 * o : random_below(&seed, n)];
    s.outputs[OUTPUTS - 1] = expr_const(s.g, -0.0);
    s.outputs[OUTPUTS - 2] = value[VARIABLES]; // a parameter as it is
    finish(&s);
    return s;
}

// Two operations deep on inputs in (0.1, 0.9): every operation, hardly any rounding.
static sample_program shallow_program(seed_type seed)
{
    sample_program s = {.g = expr_graph_create()};
    expr_id value[VARIABLES + PARAMETERS];
    add_inputs(s.g, value);
    for (int o = 0; o < OUTPUTS; o++) {
        const expr_id a = value[random_below(&seed, VARIABLES)];
        const expr_id b = value[random_below(&seed, VARIABLES + PARAMETERS)];
        const expr_id c = value[random_below(&seed, VARIABLES + PARAMETERS)];
        const expr_id first = operation(s.g, o % OPERATIONS, a, b, c);
        s.outputs[o] = expr_add(s.g, first, expr_mul(s.g, expr_const(s.g, -0.3), c));
        expr_label(s.g, first, "first step");
    }
    finish(&s);
    return s;
}

static void destroy(sample_program *s)
{
    expr_program_destroy(s->p);
    expr_graph_destroy(s->g);
}

// ---- from text to functions ------------------------------------------------------------------

typedef struct kernel {
    void *library;
    void (*prepare)(const double *, double *, const expr_functions *);
    void (*run)(const double *, const double *, double *, const expr_functions *);
    void (*run_lanes)(int, const double *, const double *, double *, const expr_functions *);
    const expr_functions *own;
    void (*fortran_prepare)(const double *, double *);
    void (*fortran_run)(const double *, const double *, double *);
} kernel;

static expr_text emit(const expr_program *p, const expr_emit_options *o)
{
    expr_text text = {0};
    mc_error error = {0};
    if (expr_emit(p, o, &text, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(text.size, strlen(text.text));
    return text;
}

static kernel compile(const char *compiler, const char *flags, const char *text, bool fortran)
{
    static int number;
    char path[96], command[512];
    snprintf(path, sizeof path, "%s/k%d.%s", folder, number, fortran ? "f90" : "c");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    snprintf(command, sizeof command, "cd %s && %s %s -fPIC -shared -o k%d.so %s -lm", folder,
             compiler, flags, number, path);
    if (system(command) != 0)
        fail_msg("%s failed on %s", command, path);
    snprintf(path, sizeof path, "%s/k%d.so", folder, number++);
    kernel k = {.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!k.library)
        fail_msg("%s", dlerror());
    return k;
}

static void *find(const kernel *k, const char *name)
{
    return dlsym(k->library, name);
}

static kernel compile_c(const char *compiler, const char *flags, const expr_program *p,
                        const expr_emit_options *o)
{
    expr_text text = emit(p, o);
    kernel k = compile(compiler, flags, text.text, false);
    expr_text_free(&text);
    *(void **)&k.prepare = find(&k, "car_prepare");
    *(void **)&k.run = find(&k, "car_run");
    *(void **)&k.run_lanes = find(&k, "car_run_lanes");
    k.own = find(&k, "car_functions_default");
    assert_non_null(k.prepare);
    assert_non_null(k.own);
    return k;
}

static const char *level_flags(void)
{
    return cpu_level_best() == CPU_AVX2 ? "-mavx2 -mfma" : "";
}

static const char *c_flags(const char *more)
{
    static char flags[256];
    snprintf(flags, sizeof flags, "-std=c17 -O1 -Wall -Wextra -Wpedantic -Werror %s %s",
             level_flags(), more);
    return flags;
}

// ---- comparison ------------------------------------------------------------------------------

typedef struct state {
    double p[PARAMETERS], x[4 * BLOCKS * VARIABLES]; // x by blocks of four lanes
} state;

static state random_state(seed_type seed)
{
    state s;
    for (int i = 0; i < PARAMETERS; i++)
        s.p[i] = sample_uniform(&seed, 0.1, 0.9);
    for (int i = 0; i < 4 * BLOCKS * VARIABLES; i++)
        s.x[i] = sample_uniform(&seed, 0.1, 0.9);
    return s;
}

static void lane_of(const state *s, int block, int lane, double x[VARIABLES])
{
    for (int i = 0; i < VARIABLES; i++)
        x[i] = s->x[(block * VARIABLES + i) * 4 + lane];
}

// The same bits; any NaN for a NaN, whose sign and payload depend on the order of operands.
static void same(double got, double want, const char *what, int output)
{
    if (isnan(got) && isnan(want))
        return;
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%s, output %d: %a instead of %a", what, output, got, want);
}

// What the interpreter says: y[lane number][output].
static void interpret(const expr_program *p, const state *s, double y[4 * BLOCKS][OUTPUTS])
{
    mc_error error;
    expr_machine *m = expr_machine_create(p, &error);
    assert_non_null(m);
    double *work = aligned_alloc(32, ((size_t)expr_machine_work(m) + 4) / 4 * 32);
    double *k = calloc((size_t)p->kept_count + 1, sizeof *k);
    expr_machine_prepare(m, s->p, k, work);
    int numbers = 0;
    for (int l = 0; l < 4 * BLOCKS; l++) {
        double x[VARIABLES];
        lane_of(s, l / 4, l % 4, x);
        expr_machine_run(m, x, k, y[l], work);
        for (int o = 0; o < OUTPUTS; o++)
            numbers += isfinite(y[l][o]) && y[l][o] != 0.0;
    }
    assert_true(numbers > 4 * BLOCKS * OUTPUTS / 4); // the comparison says something
    free(work), free(k);
    expr_machine_destroy(m);
}

static void check_scalar(const kernel *f, const expr_program *p, const state *s,
                         double want[4 * BLOCKS][OUTPUTS], const char *what)
{
    double *k = calloc((size_t)p->kept_count + 1, sizeof *k);
    f->prepare(s->p, k, expr_functions_best());
    for (int l = 0; l < 4 * BLOCKS; l++) {
        double x[VARIABLES], y[OUTPUTS];
        lane_of(s, l / 4, l % 4, x);
        f->run(x, k, y, expr_functions_best());
        for (int o = 0; o < OUTPUTS; o++)
            same(y[o], want[l][o], what, o);
    }
    free(k);
}

static void check_lanes(const kernel *f, const expr_program *p, const state *s,
                        double want[4 * BLOCKS][OUTPUTS], const char *what)
{
    double *k = calloc((size_t)p->kept_count + 1, sizeof *k);
    double y[4 * BLOCKS * OUTPUTS + 1], guard = 12345.0;
    y[4 * BLOCKS * OUTPUTS] = guard;
    f->prepare(s->p, k, expr_functions_best());
    f->run_lanes(BLOCKS, s->x, k, y, expr_functions_best());
    for (int l = 0; l < 4 * BLOCKS; l++)
        for (int o = 0; o < OUTPUTS; o++)
            same(y[(l / 4 * OUTPUTS + o) * 4 + l % 4], want[l][o], what, o);
    assert_true(y[4 * BLOCKS * OUTPUTS] == guard);
    free(k);
}

// ---- tests -----------------------------------------------------------------------------------

static void check_compiler(const char *compiler)
{
    static const int pieces[] = {0, 1, 17, 100};
    for (int n = 0; n < 4; n++) {
        sample_program s = random_program(1000 + (seed_type)n, n == 1 ? 120 : 700);
        const state at = random_state((seed_type)n);
        double want[4 * BLOCKS][OUTPUTS];
        interpret(s.p, &at, want);
        expr_emit_options o = {.name = "car", .piece = pieces[n], .header = "a test"};
        kernel k = compile_c(compiler, c_flags(""), s.p, &o);
        check_scalar(&k, s.p, &at, want, compiler);
        dlclose(k.library);
        o.language = EXPR_C_LANES;
        k = compile_c(compiler, c_flags(""), s.p, &o);
        check_lanes(&k, s.p, &at, want, compiler);
        dlclose(k.library);
        destroy(&s);
    }
}

static void gcc_gives_the_bits_of_the_interpreter(void **unused)
{
    (void)unused;
    if (!have("gcc"))
        skip();
    check_compiler("gcc");
}

static void clang_gives_the_bits_of_the_interpreter(void **unused)
{
    (void)unused;
    if (!have("clang"))
        skip();
    check_compiler("clang");
}

// A compiler that would fuse by itself is told not to, by the text.
static void text_forbids_contraction(void **unused)
{
    (void)unused;
    if (!have("gcc"))
        skip();
    sample_program s = {.g = expr_graph_create()};
    expr_id value[VARIABLES + PARAMETERS];
    add_inputs(s.g, value);
    for (int o = 0; o < OUTPUTS; o += 2) { // a product that two sums use is not fused by us
        const expr_id product = expr_mul(s.g, value[o % 5], value[5 + o % 7]);
        s.outputs[o] = expr_add(s.g, product, value[VARIABLES + o % 3]);
        s.outputs[o + 1] = expr_sub(s.g, product, value[VARIABLES + 3 + o % 3]);
    }
    finish(&s);
    const state at = random_state(5);
    double want[4 * BLOCKS][OUTPUTS];
    interpret(s.p, &at, want);
    const expr_emit_options o = {.name = "car"};
    kernel k = compile_c("gcc", c_flags("-std=gnu17 -O2"), s.p, &o);
    check_scalar(&k, s.p, &at, want, "gnu17");
    dlclose(k.library);
    destroy(&s);
}

// The two texts for the loader, as one file, at the lowest processor level and at this one's.
static void plain_texts_fit_together(void **unused)
{
    (void)unused;
    if (!have("gcc"))
        skip();
    sample_program s = random_program(31, 900);
    const state at = random_state(8);
    double want[4 * BLOCKS][OUTPUTS];
    interpret(s.p, &at, want);
    expr_emit_options o = {.plain = true, .piece = 200};
    expr_text text = {0};
    mc_error error;
    assert_int_equal(expr_emit(s.p, &o, &text, &error), MC_OK);
    o.language = EXPR_C_LANES;
    assert_int_equal(expr_emit(s.p, &o, &text, &error), MC_OK);
    assert_null(strstr(text.text, "angle"));
    assert_null(strstr(text.text, "#include"));
    char flags[128];
    snprintf(flags, sizeof flags, "-O2 -ffp-contract=off -fno-math-errno -Wall -Werror %s",
             level_flags());
    kernel k = compile("gcc", flags, text.text, false);
    *(void **)&k.prepare = find(&k, "motorcade_kernel_prepare");
    *(void **)&k.run = find(&k, "motorcade_kernel_run");
    *(void **)&k.run_lanes = find(&k, "motorcade_kernel_run_lanes");
    const int *counts = find(&k, "motorcade_kernel_counts");
    assert_true(k.prepare && k.run && k.run_lanes && counts);
    const int want_counts[6] = {
        EXPR_KERNEL_VERSION, VARIABLES, PARAMETERS,
        s.p->kept_count,     OUTPUTS,   sizeof(expr_functions) / sizeof(expr_unary *)};
    assert_memory_equal(counts, want_counts, sizeof want_counts);
    check_scalar(&k, s.p, &at, want, "plain");
    check_lanes(&k, s.p, &at, want, "plain lanes");
    dlclose(k.library);
    // Without vector instructions lanes and scalar code agree with each other.
    k = compile("gcc", "-O1 -ffp-contract=off -fno-math-errno -Wall -Werror", text.text, false);
    *(void **)&k.prepare = find(&k, "motorcade_kernel_prepare");
    *(void **)&k.run = find(&k, "motorcade_kernel_run");
    *(void **)&k.run_lanes = find(&k, "motorcade_kernel_run_lanes");
    double *kept = calloc((size_t)s.p->kept_count + 1, sizeof *kept);
    k.prepare(at.p, kept, expr_functions_best());
    for (int l = 0; l < 4 * BLOCKS; l++) {
        double x[VARIABLES];
        lane_of(&at, l / 4, l % 4, x);
        k.run(x, kept, want[l], expr_functions_best());
    }
    free(kept);
    check_lanes(&k, s.p, &at, want, "lanes without AVX");
    dlclose(k.library);
    expr_text_free(&text);
    destroy(&s);
}

// ---- against libm, node by node --------------------------------------------------------------

static double call_libm(int function, double a, double b)
{
    static double (*const one[EXPR_FUNCTION_COUNT])(double) = {
        [EXPR_SIN] = sin,   [EXPR_COS] = cos,   [EXPR_TAN] = tan,   [EXPR_ASIN] = asin,
        [EXPR_ACOS] = acos, [EXPR_ATAN] = atan, [EXPR_SINH] = sinh, [EXPR_COSH] = cosh,
        [EXPR_TANH] = tanh, [EXPR_EXP] = exp,   [EXPR_LOG] = log,   [EXPR_LOG10] = log10};
    static double (*const two[EXPR_FUNCTION_COUNT])(double, double) = {
        [EXPR_ATAN2] = atan2, [EXPR_POW] = pow, [EXPR_HYPOT] = hypot};
    return one[function] ? one[function](a) : two[function](a, b);
}

static double evaluate(const expr_graph *g, expr_id id, const double *x, const double *p)
{
    const expr_node *n = expr_node_at(g, id);
    if (n->op == EXPR_CONST)
        return n->value;
    if (n->op == EXPR_INPUT) {
        const int i = expr_node_input(g, id);
        return i < VARIABLES ? x[i] : p[i - VARIABLES];
    }
    const double a = evaluate(g, n->a, x, p);
    const double b = n->b == EXPR_NONE ? 0.0 : evaluate(g, n->b, x, p);
    const double value[EXPR_OP_COUNT] = {
        [EXPR_NEG] = -a,         [EXPR_ADD] = a + b,
        [EXPR_SUB] = a - b,      [EXPR_MUL] = a * b,
        [EXPR_DIV] = a / b,      [EXPR_SQRT] = sqrt(a),
        [EXPR_ABS] = fabs(a),    [EXPR_FLOOR] = floor(a),
        [EXPR_MIN] = fmin(a, b), [EXPR_MAX] = fmax(a, b),
        [EXPR_LESS] = a < b,     [EXPR_LEQ] = a <= b,
        [EXPR_EQUAL] = a == b,   [EXPR_AND] = a != 0.0 && b != 0.0,
        [EXPR_NOT] = a == 0.0,   [EXPR_OR] = a != 0.0 || b != 0.0,
    };
    if (n->op == EXPR_SELECT)
        return a != 0.0 ? b : evaluate(g, n->c, x, p);
    return n->op == EXPR_CALL ? call_libm((int)n->c, a, b) : value[n->op];
}

static void near(double got, double want, const char *what, int output)
{
    if (!(fabs(got - want) <= 1e-13 * (1.0 + fabs(want))))
        fail_msg("%s, output %d: %.17g instead of %.17g", what, output, got, want);
}

static void check_near(const sample_program *s, const kernel *f, const char *what)
{
    double *k = calloc((size_t)s->p->kept_count + 1, sizeof *k);
    for (int n = 0; n < 5; n++) {
        const state at = random_state(50 + (seed_type)n);
        double x[VARIABLES], y[OUTPUTS];
        lane_of(&at, 0, 0, x);
        if (f->fortran_run) {
            f->fortran_prepare(at.p, k);
            f->fortran_run(x, k, y);
        } else {
            f->prepare(at.p, k, f->own);
            f->run(x, k, y, f->own);
        }
        for (int o = 0; o < OUTPUTS; o++)
            near(y[o], evaluate(s->g, s->outputs[o], x, at.p), what, o);
    }
    free(k);
}

static void standing_alone_agrees_with_libm(void **unused)
{
    (void)unused;
    if (!have("gcc"))
        skip();
    sample_program s = shallow_program(3);
    const expr_emit_options o = {.name = "car"};
    kernel k = compile_c("gcc", c_flags(""), s.p, &o);
    check_near(&s, &k, "default functions");
    dlclose(k.library);
    destroy(&s);
}

static kernel compile_fortran(const expr_program *p, const expr_emit_options *o)
{
    expr_text text = emit(p, o);
    for (const char *line = text.text; *line;) {
        const size_t length = strcspn(line, "\n");
        assert_true(length <= 132);
        line += length + (line[length] == '\n');
    }
    kernel k = compile("gfortran", "-std=f2008 -O1 -Wall -Wextra -Werror", text.text, true);
    expr_text_free(&text);
    *(void **)&k.fortran_prepare = find(&k, "__car_MOD_car_prepare");
    *(void **)&k.fortran_run = find(&k, "__car_MOD_car_run");
    assert_true(k.fortran_prepare && k.fortran_run);
    return k;
}

static void fortran_agrees_with_libm(void **unused)
{
    (void)unused;
    if (!have("gfortran"))
        skip();
    sample_program s = shallow_program(4);
    for (int piece = 0; piece <= 20; piece += 10) {
        const expr_emit_options o = {
            .language = EXPR_FORTRAN, .name = "car", .piece = piece, .header = "a test"};
        kernel k = compile_fortran(s.p, &o);
        check_near(&s, &k, "Fortran");
        dlclose(k.library);
    }
    destroy(&s);
    s = random_program(9, 900); // long and deep: compiles
    const expr_emit_options o = {.language = EXPR_FORTRAN, .name = "car", .piece = 250};
    dlclose(compile_fortran(s.p, &o).library);
    destroy(&s);
}

// ---- text ------------------------------------------------------------------------------------

static void text_is_reproducible(void **unused)
{
    (void)unused;
    for (int language = EXPR_C; language <= EXPR_FORTRAN; language++) {
        const expr_emit_options o = {
            .language = (expr_language)language, .name = "car", .piece = 50, .header = "one\ntwo"};
        sample_program s = random_program(6, 400), again = random_program(6, 400);
        expr_text a = emit(s.p, &o), b = emit(again.p, &o);
        assert_string_equal(a.text, b.text);
        expr_text_free(&a), expr_text_free(&b);
        destroy(&s), destroy(&again);
    }
}

// The bodies of functions mc_run_*, mc_lanes_*, car_prepare, ...: all but the loop over blocks.
static void equations_have_no_loop_or_branch(void **unused)
{
    (void)unused;
    static const char *const forbidden[] = {"for (", "for(", "while", "if (",
                                            "if(",   "goto", "switch"};
    sample_program s = random_program(12, 700);
    for (int language = EXPR_C; language <= EXPR_C_LANES; language++) {
        const expr_emit_options o = {
            .language = (expr_language)language, .name = "car", .piece = 100};
        expr_text t = emit(s.p, &o);
        char *end = strstr(t.text, "void car_run_lanes(int block_count, const double *x, const "
                                   "double *k, double *y, const car_functions *f)\n{");
        if (!end)
            end = strstr(t.text, "// Names as in the model");
        assert_non_null(end);
        *end = '\0';
        const char *begin = strstr(t.text, "car_prepare(const double *p, double *restrict k");
        assert_non_null(begin);
        int statements = 0;
        for (const char *c = begin; (c = strstr(c, ";\n")); c++)
            statements++;
        assert_true(statements > 400);
        for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
            if (strstr(begin, forbidden[i]))
                fail_msg("\"%s\" in the equations", forbidden[i]);
        expr_text_free(&t);
    }
    destroy(&s);
}

static void hostile_names_are_harmless(void **unused)
{
    (void)unused;
    static char long_name[301];
    memset(long_name, 'q', 300);
    // clang-format off
    static const char *const names[] = {
        "x; system(\"rm\")", "*/", "\n#include <nothing>", "\xc3\xa9t\xc3\xa9", "int", "for", "IF",
        "real", "x", "y", "k", "p", "f", "mc_fma", "mc_w", "car", "car_run", "car_prepare", "a",
        "a", "a", "A", "a_1", "t5", "t6_", "sin", "merge", "linux", "unix", "\?\?/", "\\", "",
        "9lives", "_Bool", "__LINE__", "NULL", "M_PI", "y0", "size", "end", long_name, long_name,
        "\xe2\x80\xae" "evil", "' \" !", "&", "mc_unused", "real64", "motorcade_kernel",
    };
    // clang-format on
    enum { COUNT = sizeof names / sizeof names[0] };
    expr_graph *g = expr_graph_create();
    expr_id sum = EXPR_ZERO, outputs[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const expr_id in = expr_input(g, names[i], i % 3 ? EXPR_VARIABLE : EXPR_PARAMETER);
        sum = expr_add(g, sum, expr_mul(g, expr_sin(g, in), expr_const(g, i + 1.0)));
        expr_label(g, sum, names[(i + 5) % COUNT]);
        outputs[i] = sum;
    }
    mc_error error;
    expr_program *p = expr_program_build(g, outputs, names, COUNT, &error);
    assert_non_null(p);
    static const char header[] = "model */ int main; /* \?\?/\n#include <x>\\\nend \\";
    double x[COUNT], pars[COUNT], kept[COUNT], y[COUNT], want = 0.0;
    int nx = 0, np = 0;
    for (int i = 0; i < COUNT; i++)
        *(i % 3 ? &x[nx++] : &pars[np++]) = 0.01 * i;
    for (int language = EXPR_C; language <= EXPR_FORTRAN; language++) {
        const bool fortran = language == EXPR_FORTRAN;
        expr_emit_options o = {.language = (expr_language)language,
                               .name = "car",
                               .header = header,
                               .piece = language == EXPR_C ? 0 : 20};
        if (!have(fortran ? "gfortran" : "gcc"))
            continue;
        if (fortran) {
            kernel k = compile_fortran(p, &o);
            k.fortran_prepare(pars, kept);
            k.fortran_run(x, kept, y);
            dlclose(k.library);
        } else {
            kernel k = compile_c("gcc", c_flags("-trigraphs"), p, &o);
            k.prepare(pars, kept, k.own);
            if (language == EXPR_C)
                k.run(x, kept, y, k.own);
            const char *const *stored = find(&k, "car_output_names");
            for (int i = 0; i < COUNT; i++) // the tables have the names as they are, up to 63 bytes
                assert_int_equal(strncmp(stored[i], names[i], 63), 0);
            dlclose(k.library);
        }
        want = 0.0;
        for (int i = 0; i < COUNT; i++) {
            want += sin(0.01 * i) * (i + 1.0);
            near(y[i], want, "hostile", i);
        }
    }
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

static void identifiers(void **unused)
{
    (void)unused;
    static const char *const rows[][2] = {
        {"arm_fl.angle", "arm_fl_angle"},
        {"int", "int_"},
        {"Real", "Real_"},
        {"", "v"},
        {"9x", "v9x"},
        {"__a__b__", "a_b"},
        {"mc_fma", "vmc_fma"},
        {"x; system(\"rm\")", "x_system_rm"},
        {"\xc3\xa9", "v"},
        {"zaehler", "zaehler"},
        {"abs", "abs_"},
        {"y", "y_"},
        {"while", "while_"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[48];
        expr_identifier(rows[i][0], out);
        assert_string_equal(out, rows[i][1]);
    }
    seed_type seed = 1;
    for (int n = 0; n < 20000; n++) {
        char word[80], out[48];
        const int length = random_below(&seed, 79);
        for (int i = 0; i < length; i++)
            word[i] = (char)(1 + random_below(&seed, 255));
        word[length] = '\0';
        expr_identifier(word, out);
        assert_true(isalpha((unsigned char)out[0]) && strlen(out) <= 42);
        for (const char *c = out; *c; c++)
            assert_true(isalnum((unsigned char)*c) || *c == '_');
    }
}

static void literals_read_back(void **unused)
{
    (void)unused;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{2.0, "2.0"},      {-3.0, "-3.0"}, {0.1, "0.1"},
                {1e22, "1e+22"},   {-0.0, "-0.0"}, {5e-324, "4.94065645841247e-324"},
                {1e300, "1e+300"}, {1.5, "1.5"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[32];
        expr_literal(rows[i].value, out);
        assert_string_equal(out, rows[i].text);
    }
    seed_type seed = 2;
    for (int n = 0; n < 100000; n++) {
        double value, back;
        const uint64_t bits = sample_random(&seed);
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char out[32];
        expr_literal(value, out);
        back = strtod(out, NULL);
        assert_memory_equal(&back, &value, sizeof value);
        assert_non_null(strpbrk(out, ".e"));
    }
}

// A chain written by hand, as long as a big model: time is linear in its length.
static void long_programs_take_no_time(void **unused)
{
    (void)unused;
    enum { LONG = 100000 };
    expr_graph *g = expr_graph_create();
    const expr_id in = expr_input(g, "v", EXPR_VARIABLE);
    expr_id a = in, b = expr_sin(g, in), ring[64];
    for (int i = 0; i < 64; i++)
        ring[i] = in;
    for (int i = 0; i < LONG; i++) {
        const expr_id c = expr_add(g, expr_mul(g, a, ring[i % 64]), b);
        expr_label(g, c, "force on the wheel");
        b = a, a = c;
        ring[i % 64] = c;
    }
    mc_error error;
    expr_program *p = expr_program_build(g, &a, NULL, 1, &error);
    assert_non_null(p);
    assert_true(p->run.count >= LONG);
    for (int language = EXPR_C; language <= EXPR_FORTRAN; language++) {
        const expr_emit_options o = {.language = (expr_language)language, .name = "car"};
        const clock_t start = clock();
        expr_text t = emit(p, &o);
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        assert_true(t.size > 20 * LONG);
        if (seconds > 5.0) // 0.1 s on a plain build; sanitizers and loaded machines are slow
            fail_msg("%g s", seconds);
        printf("language %d: %zu bytes, %.2f s\n", language, t.size, seconds);
        expr_text_free(&t);
    }
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identifiers),
        cmocka_unit_test(literals_read_back),
        cmocka_unit_test(text_is_reproducible),
        cmocka_unit_test(equations_have_no_loop_or_branch),
        cmocka_unit_test(long_programs_take_no_time),
        cmocka_unit_test(standing_alone_agrees_with_libm),
        cmocka_unit_test(fortran_agrees_with_libm),
        cmocka_unit_test(hostile_names_are_harmless),
        cmocka_unit_test(gcc_gives_the_bits_of_the_interpreter),
        cmocka_unit_test(clang_gives_the_bits_of_the_interpreter),
        cmocka_unit_test(text_forbids_contraction),
        cmocka_unit_test(plain_texts_fit_together),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
