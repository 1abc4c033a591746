// test_parameters.c - a changed parameter gives the numbers of a model written with it, without a
// new derivation or compilation; zeros in a file are structure.
#include "mechanism/mechanism.h"
#include "motorcade/multibody.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 64 };

static char cache[64];

static int make_cache(void **state)
{
    (void)state;
    snprintf(cache, sizeof cache, "/tmp/motorcade_parameters_XXXXXX");
    unsetenv("MOTORCADE_CC");
    return mkdtemp(cache) && setenv("MOTORCADE_CACHE", cache, 1) == 0 ? 0 : -1;
}

static int remove_cache(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", cache);
    return system(command);
}

static int cache_entries(void)
{
    DIR *dir = opendir(cache);
    assert_non_null(dir);
    int count = 0;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(dir);
    return count;
}

static bool compiler_there(void)
{
    return system("clang --version >/dev/null 2>&1 || gcc --version >/dev/null 2>&1 || "
                  "cc --version >/dev/null 2>&1") == 0;
}

static mc_multibody *parse(const char *text, mc_compile compile)
{
    mc_error error = {0};
    const mc_multibody_options options = {.compile = compile};
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    assert_true(mc_multibody_info_of(m)->y_count <= SIZE);
    return m;
}

// Every kind of number a model has.
typedef struct numbers {
    double mass, com, inertia, at, stiffness, damping, rest, length, gravity, point, factor;
} numbers;

static const numbers first = {1.3, 0.2, 0.3, 0.5, 30, 2, 0.1, 0.4, -9.81, 0.9, 2};
static const numbers second = {1.7, 0.3, 0.45, 0.8, 44, 3, 0.2, 0.6, -3.7, 1.1, 5};

static const char *text_of(const numbers *n, char out[4096])
{
    snprintf(
        out, 4096,
        "motorcade: multibody\ngravity: [0, 0, %.17g]\n"
        "parameters:\n  factor: %.17g\n"
        "bodies:\n"
        "  base:\n    joint: free\n    mass: 2\n    com: [0.1, 0, 0.2]\n"
        "    inertia: [0.5, 0.6, 0.7]\n"
        "  arm:\n    inboard: base\n    joint: hinge\n    axis: y\n    at: [0.3, 0, %.17g]\n"
        "    mass: %.17g\n    com: [0, %.17g, 0.1]\n    inertia: [0.4, %.17g, 0.2, 0.01, 0, 0]\n"
        "    stiffness: %.17g\n    rest: %.17g\n    damping: 0.1*factor\n"
        "    load: factor*3\n"
        "points:\n  p: {body: base, at: [0, 0, %.17g]}\n  q: {body: arm, at: [0.2, 0, 0.3]}\n"
        "springs:\n  s: {from: p, to: q, stiffness: 50, damping: %.17g, length: %.17g}\n",
        n->gravity, n->factor, n->at, n->mass, n->com, n->inertia, n->stiffness, n->rest, n->point,
        n->damping, n->length);
    return out;
}

static const struct {
    const char *name;
    size_t offset;
} rows[] = {{"arm.mass", offsetof(numbers, mass)},
            {"arm.com.y", offsetof(numbers, com)},
            {"arm.inertia.yy", offsetof(numbers, inertia)},
            {"arm.at.z", offsetof(numbers, at)},
            {"arm.stiffness", offsetof(numbers, stiffness)},
            {"s.damping", offsetof(numbers, damping)},
            {"arm.rest", offsetof(numbers, rest)},
            {"gravity.z", offsetof(numbers, gravity)},
            {"p.at.z", offsetof(numbers, point)},
            {"factor", offsetof(numbers, factor)}};
enum { ROWS = sizeof rows / sizeof rows[0] };

static double *entry(numbers *n, int row)
{
    return (double *)((char *)n + rows[row].offset);
}

static void random_state(const mc_multibody *m, unsigned long long *seed, double *y)
{
    for (int i = 0; i < mc_multibody_info_of(m)->y_count; i++)
        y[i] = sample_uniform(seed, -1.0, 1.0);
    mc_multibody_normalise(m, y);
}

// y', accelerations and outputs of both have the same bits.
static void assert_same(mc_multibody *a, mc_multibody *b)
{
    const mc_multibody_info *info = mc_multibody_info_of(a);
    unsigned long long seed = 6;
    double y[SIZE], tau[SIZE], one[SIZE], two[SIZE];
    for (int i = 0; i < 4; i++) {
        random_state(a, &seed, y);
        for (int k = 0; k < info->v_count; k++)
            tau[k] = sample_uniform(&seed, -2.0, 2.0);
        mc_multibody_rate(a, 0.5, y, tau, one);
        mc_multibody_rate(b, 0.5, y, tau, two);
        assert_memory_equal(one, two, (size_t)info->y_count * sizeof *one);
        mc_multibody_accelerations(a, y, y + info->q_count, tau, one);
        mc_multibody_accelerations(b, y, y + info->q_count, tau, two);
        assert_memory_equal(one, two, (size_t)info->v_count * sizeof *one);
        mc_multibody_outputs(a, 0.5, y, one);
        mc_multibody_outputs(b, 0.5, y, two);
        assert_memory_equal(one, two, (size_t)info->output_count * sizeof *one);
    }
}

static double first_rate(mc_multibody *m)
{
    double y[SIZE], dy[SIZE], sum = 0.0;
    unsigned long long seed = 8;
    random_state(m, &seed, y);
    mc_multibody_rate(m, 0.5, y, NULL, dy);
    for (int i = 0; i < mc_multibody_info_of(m)->y_count; i++)
        sum += (i + 1) * dy[i];
    return sum;
}

static void one_after_the_other(void **state)
{
    (void)state;
    char text[4096];
    mc_multibody *changed = parse(text_of(&first, text), MC_COMPILE_NEVER);
    for (int i = 0; i < ROWS; i++) {
        numbers n = first, target = second;
        *entry(&n, i) = *entry(&target, i);
        mc_multibody *fresh = parse(text_of(&n, text), MC_COMPILE_NEVER);
        mc_error error = {0};
        const double before = first_rate(changed);
        double value;
        if (mc_multibody_get(changed, rows[i].name, &value, &error) != MC_OK)
            fail_msg("%s", error.text);
        numbers old = first;
        assert_true(value == *entry(&old, i));
        assert_int_equal(mc_multibody_set(changed, rows[i].name, *entry(&n, i), &error), MC_OK);
        assert_true(first_rate(changed) != before); // it counts
        assert_same(changed, fresh);
        assert_int_equal(mc_multibody_set(changed, rows[i].name, value, &error), MC_OK);
        assert_true(first_rate(changed) == before); // and back
        mc_multibody_free(fresh);
    }
    mc_multibody_free(changed);
}

// All at once, compiled: the code stays, no file is added to the cache, and a fresh model with the
// other numbers finds the same code there.
static void compiled_code_stays(void **state)
{
    (void)state;
    if (!compiler_there())
        skip();
    char text[4096];
    mc_multibody *changed = parse(text_of(&first, text), MC_COMPILE_WAIT);
    double y[SIZE], dy[SIZE];
    unsigned long long seed = 3;
    random_state(changed, &seed, y);
    mc_multibody_rate(changed, 0.0, y, NULL, dy);
    mc_multibody_accelerations(changed, y, y + 8, NULL, dy);
    assert_int_equal(mc_multibody_kernel_state(changed, NULL), MC_KERNEL_STATE_COMPILED);
    const int entries = cache_entries();
    assert_true(entries > 0);
    const expr_kernel *kernel = changed->code[MULTIBODY_RATE].kernel;
    mc_error error = {0};
    numbers n = second;
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(mc_multibody_set(changed, rows[i].name, *entry(&n, i), &error), MC_OK);
    n.length = first.length;
    mc_multibody *fresh = parse(text_of(&n, text), MC_COMPILE_WAIT);
    assert_same(changed, fresh);
    assert_ptr_equal(kernel, changed->code[MULTIBODY_RATE].kernel);
    assert_int_equal(mc_multibody_kernel_state(changed, NULL), MC_KERNEL_STATE_COMPILED);
    assert_int_equal(mc_multibody_kernel_state(fresh, NULL), MC_KERNEL_STATE_COMPILED);
    assert_int_equal(cache_entries(), entries);
    for (int part = 0; part < MULTIBODY_OUTPUTS; part++)
        assert_true(expr_program_hash(changed->code[part].program) ==
                    expr_program_hash(fresh->code[part].program));
    mc_multibody *interpreted = parse(text_of(&n, text), MC_COMPILE_NEVER);
    assert_same(changed, interpreted);
    mc_multibody_free(interpreted);
    mc_multibody_free(fresh);
    mc_multibody_free(changed);
}

// A parameter reaches the Jacobian too.
static void jacobian_follows(void **state)
{
    (void)state;
    char text[4096];
    mc_multibody *changed = parse(text_of(&first, text), MC_COMPILE_NEVER);
    numbers other = second;
    other.length = first.length;
    mc_multibody *fresh = parse(text_of(&other, text), MC_COMPILE_NEVER);
    const int n = mc_multibody_info_of(fresh)->y_count;
    double y[SIZE], *a = calloc((size_t)(n * n), sizeof *a),
                    *b = calloc((size_t)(n * n), sizeof *b);
    unsigned long long seed = 3;
    random_state(changed, &seed, y);
    mc_error error = {0};
    assert_int_equal(mc_multibody_jacobian(changed, 0.0, y, a, NULL, &error), MC_OK);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(mc_multibody_set(changed, rows[i].name, *entry(&other, i), &error), MC_OK);
    assert_int_equal(mc_multibody_jacobian(fresh, 0.0, y, b, NULL, &error), MC_OK);
    assert_memory_not_equal(a, b, (size_t)(n * n) * sizeof *a);
    assert_int_equal(mc_multibody_jacobian(changed, 0.0, y, a, NULL, &error), MC_OK);
    assert_memory_equal(a, b, (size_t)(n * n) * sizeof *a);
    free(a);
    free(b);
    mc_multibody_free(changed);
    mc_multibody_free(fresh);
}

// The relaxed length of a spring bears the name of an output, its length now; to set is to set the
// parameter.
static void relaxed_length_of_a_spring(void **state)
{
    (void)state;
    char text[4096];
    numbers n = first;
    mc_multibody *changed = parse(text_of(&n, text), MC_COMPILE_NEVER);
    n.length = second.length;
    mc_multibody *fresh = parse(text_of(&n, text), MC_COMPILE_NEVER);
    mc_error error = {0};
    double value;
    if (mc_multibody_get(changed, "s.free_length", &value, &error) != MC_OK ||
        mc_multibody_set(changed, "s.free_length", second.length, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_true(value == first.length);
    assert_same(changed, fresh);
    mc_multibody_free(changed);
    mc_multibody_free(fresh);
}

// A zero is structure: no parameter, cheaper equations, and the same motion as with a parameter
// that is set to zero.
static void zeros_are_structure(void **state)
{
    (void)state;
    static const char format[] =
        "motorcade: multibody\nbodies:\n"
        "  base:\n    joint: free\n    mass: 2\n    com: [%s, 0, 0.2]\n"
        "    inertia: [0.5, 0.6, 0.7, %s, 0, 0]\n"
        "  arm:\n    inboard: base\n    joint: hinge\n    axis: y\n    at: [0.3, %s, 0.4]\n"
        "    mass: 1\n    com: [0, 0, 0.1]\n    inertia: [0.4, 0.3, 0.2]\n";
    char zero[2048], some[2048];
    snprintf(zero, sizeof zero, format, "0", "0", "0");
    snprintf(some, sizeof some, format, "0.5", "0.1", "0.7");
    mc_multibody *a = parse(zero, MC_COMPILE_NEVER), *b = parse(some, MC_COMPILE_NEVER);
    mc_error error = {0};
    static const char *const names[] = {"base.com.x", "base.inertia.xy", "arm.at.y"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(mc_multibody_set(a, names[i], 1.0, &error), MC_BAD_INPUT);
        assert_int_equal(mc_multibody_set(b, names[i], 0.0, &error), MC_OK);
    }
    const mc_multibody_info *ia = mc_multibody_info_of(a), *ib = mc_multibody_info_of(b);
    assert_int_equal(ia->parameter_count + 3, ib->parameter_count);
    assert_true(ia->forward.flops < ib->forward.flops);
    print_message("zeros: %d flops, as parameters %d\n", ia->forward.flops, ib->forward.flops);
    unsigned long long seed = 6;
    double y[SIZE], one[SIZE], two[SIZE];
    for (int i = 0; i < 4; i++) {
        random_state(a, &seed, y);
        mc_multibody_rate(a, 0.0, y, NULL, one);
        mc_multibody_rate(b, 0.0, y, NULL, two);
        for (int k = 0; k < ia->y_count; k++)
            assert_true(fabs(one[k] - two[k]) < 1e-13 * fmax(1.0, fabs(one[k])));
    }
    mc_multibody_free(a);
    mc_multibody_free(b);
}

static void wrong_names_and_values(void **state)
{
    (void)state;
    char text[4096];
    mc_multibody *m = parse(text_of(&first, text), MC_COMPILE_NEVER);
    mc_error error = {0};
    const double before = first_rate(m);
    assert_int_equal(mc_multibody_set(m, "arm.mas", 1.0, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "arm.mass"));
    assert_int_equal(mc_multibody_set(m, "arm.angle", 1.0, &error), MC_BAD_INPUT);
    assert_int_equal(mc_multibody_set(m, "arm.mass", (double)NAN, &error), MC_BAD_INPUT);
    assert_true(first_rate(m) == before);
    mc_multibody_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test_setup_teardown(compiled_code_stays, make_cache, remove_cache),
        cmocka_unit_test(jacobian_follows),
        cmocka_unit_test(relaxed_length_of_a_spring),
        cmocka_unit_test(zeros_are_structure),
        cmocka_unit_test(wrong_names_and_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
