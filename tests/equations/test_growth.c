// test_growth.c - how the equations grow with the mechanism, counted in nodes and operations, not
// in time: linearly for the recursive form, without swell for the paper's.
#include "mechanism/mechanism.h"
#include "motorcade/multibody.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MAX = 64 };

// A chain of n links, hinges about skew, y and x axes in turn. free_base: the first is free.
static char *chain(int n, bool free_base)
{
    static const char *const axes[3] = {"y", "x", "[0.6, 0, 0.8]"};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fprintf(file, "motorcade: multibody\nname: chain%d\nbodies:\n", n);
    for (int i = 0; i < n; i++) {
        fprintf(file, "  link%d:\n", i);
        if (i > 0)
            fprintf(file, "    inboard: link%d\n", i - 1);
        if (i == 0 && free_base)
            fprintf(file, "    joint: free\n");
        else
            fprintf(file, "    joint: hinge\n    axis: %s\n    at: [0, 0.1, -0.3]\n", axes[i % 3]);
        fprintf(file, "    mass: 0.2\n    com: [0.02, 0, -0.15]\n"
                      "    inertia: [2e-3, 2.5e-3, 1e-3, 1e-4, 0, 0]\n");
    }
    fclose(file);
    return text;
}

static mc_multibody *parse(char *text, mc_form form, mc_compile compile)
{
    mc_error error = {0};
    const mc_multibody_options options = {.form = form, .compile = compile};
    mc_multibody *m = mc_multibody_parse(text, "chain", &options, &error);
    if (!m)
        fail_msg("%s", error.text);
    free(text);
    return m;
}

static double exponent(double before, double now)
{
    return log2(now / before); // n doubles
}

static void recursive_form_grows_linearly(void **state)
{
    (void)state;
    double nodes = 0.0, code = 0.0, flops = 0.0;
    for (int n = 2; n <= LINKS_MAX; n *= 2) {
        mc_multibody *m = parse(chain(n, n % 4 == 0), MC_FORM_RECURSIVE, MC_COMPILE_NEVER);
        const mc_multibody_info *info = mc_multibody_info_of(m);
        const expr_program *p = m->code[MULTIBODY_FORWARD].program;
        const double new_nodes = expr_node_count(m->system.graph);
        const double new_code = p->run.count + p->prepare.count;
        print_message("recursive, %2d links: %6.0f nodes, %5.0f instructions, %5d flops\n", n,
                      new_nodes, new_code, info->forward.flops);
        assert_int_equal(info->form, MC_FORM_RECURSIVE);
        assert_true(info->forward.flops > 10 * n);
        if (n >= 16) { // the ends of short chains cost less
            assert_true(exponent(nodes, new_nodes) <= 1.2);
            assert_true(exponent(code, new_code) <= 1.2);
            assert_true(exponent(flops, info->forward.flops) <= 1.2);
        } else if (n > 4) {
            assert_true(exponent(nodes, new_nodes) <= 1.5);
        }
        nodes = new_nodes, code = new_code, flops = info->forward.flops;
        assert_int_equal(info->forward.sincos, n % 4 == 0 ? n - 1 : n); // one a hinge
        mc_multibody_free(m);
    }
}

static void lagrange_form_does_not_swell(void **state)
{
    (void)state;
    double nodes = 0.0, flops = 0.0;
    for (int n = 2; n <= 16; n *= 2) {
        mc_multibody *m = parse(chain(n, false), MC_FORM_LAGRANGE, MC_COMPILE_NEVER);
        const mc_multibody_info *info = mc_multibody_info_of(m);
        const double new_nodes = expr_node_count(m->system.graph);
        print_message("lagrange, %2d links: %6.0f nodes, %5d flops, order %.2f\n", n, new_nodes,
                      info->forward.flops,
                      flops > 0.0 ? exponent(flops, info->forward.flops) : 0.0);
        assert_int_equal(info->form, MC_FORM_LAGRANGE);
        assert_true(n <= 4 || exponent(nodes, new_nodes) <= 3.0);
        assert_true(n <= 4 || exponent(flops, info->forward.flops) <= 3.0);
        assert_true(new_nodes < 30.0 * info->forward.flops); // intermediate results, too
        nodes = new_nodes, flops = info->forward.flops;
        mc_multibody_free(m);
    }
}

static void vehicle_costs_what_it_should(void **state)
{
    (void)state;
    mc_error error = {0};
    const mc_multibody_options never = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_load(SOURCE_DIR "/models/hmmwv10.yaml", &never, &error);
    assert_non_null(m);
    const mc_multibody_info *info = mc_multibody_info_of(m);
    const uint32_t nodes = expr_node_count(m->system.graph);
    print_message("hmmwv10: %d flops (lagrange %d, recursive %d), %d sincos, %u nodes\n",
                  info->forward.flops, info->flops_of_form[MC_FORM_LAGRANGE],
                  info->flops_of_form[MC_FORM_RECURSIVE], info->forward.sincos, nodes);
    assert_int_equal(info->v_count, 15);
    assert_true(info->forward.flops <= 1950);
    assert_true(info->forward.flops > 500); // 15 equations cannot be free
    assert_int_equal(info->forward.flops,
                     info->flops_of_form[MC_FORM_LAGRANGE] < info->flops_of_form[MC_FORM_RECURSIVE]
                         ? info->flops_of_form[MC_FORM_LAGRANGE]
                         : info->flops_of_form[MC_FORM_RECURSIVE]);
    assert_int_equal(info->forward.sincos, 4); // the arms; wheels are rotors
    assert_int_equal(info->forward.call, 0);
    assert_int_equal(info->forward.sqrt, 0);
    assert_int_equal(info->rate.sqrt, 4); // lengths of the springs
    assert_true(nodes < 30000);
    mc_multibody_free(m);
}

// With its suspension closed; and the cheap form gives what the recursive one gives.
static void closed_vehicle_costs_what_it_should(void **state)
{
    (void)state;
    enum { STATES = 5, COUNT = 80 };
    mc_multibody *m[2];
    static const mc_form forms[2] = {MC_FORM_CHEAPER, MC_FORM_RECURSIVE};
    for (int k = 0; k < 2; k++) {
        mc_error error = {0};
        const mc_multibody_options options = {.form = forms[k], .compile = MC_COMPILE_NEVER};
        m[k] = mc_multibody_load(SOURCE_DIR "/models/hmmwv_loops.yaml", &options, &error);
        assert_non_null(m[k]);
    }
    const mc_multibody_info *info = mc_multibody_info_of(m[0]);
    print_message("hmmwv_loops: %d flops (%d by independent speeds, without the margin)\n",
                  info->forward.flops, info->flops_of_form[MC_FORM_INDEPENDENT]);
    assert_int_equal(info->v_count, 31);
    assert_true(info->forward.flops <= 6000);
    assert_true(info->forward.flops > 3000);
    assert_int_equal(m[0]->system.rows.kept_count, 16);
    const int q = info->q_count, v = info->v_count;
    assert_true(q + v < COUNT);
    unsigned long long seed = 11;
    for (int i = 0; i < STATES; i++) {
        mc_error error = {0};
        double y[COUNT], tau[COUNT], value[2][COUNT];
        mc_multibody_start(m[0], y);
        for (int j = 0; j < q + v; j++)
            y[j] += sample_uniform(&seed, -0.05, 0.05);
        mc_multibody_normalise(m[0], y);
        assert_int_equal(mc_multibody_assemble(m[0], 0.0, y, &error), MC_OK);
        for (int j = 0; j < v; j++)
            tau[j] = sample_uniform(&seed, -500.0, 500.0);
        double scale = 0.0;
        for (int k = 0; k < 2; k++)
            mc_multibody_multipliers(m[k], y, y + q, tau, value[k], value[k] + v);
        for (int j = 0; j < v + 16; j++)
            scale = fmax(scale, fabs(value[1][j]));
        for (int j = 0; j < v + 16; j++)
            assert_true(fabs(value[0][j] - value[1][j]) < 1e-11 * scale);
    }
    mc_multibody_free(m[0]);
    mc_multibody_free(m[1]);
}

// ---- long chains run ---------------------------------------------------------------------------

static char cache[64];

static int make_cache(void **state)
{
    (void)state;
    snprintf(cache, sizeof cache, "/tmp/motorcade_growth_XXXXXX");
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

static bool compiler_there(void)
{
    return system("clang --version >/dev/null 2>&1 || gcc --version >/dev/null 2>&1 || "
                  "cc --version >/dev/null 2>&1") == 0;
}

// The interpreter answers at once, the compiler later, with the same bits.
static void first_step_needs_no_compiler(void **state)
{
    (void)state;
    for (int n = 2; n <= LINKS_MAX; n *= 2) {
        const mc_compile how = n <= 16 ? MC_COMPILE_BACKGROUND : MC_COMPILE_NEVER; // saves seconds
        mc_multibody *m = parse(chain(n, true), MC_FORM_RECURSIVE, how);
        mc_multibody *plain = parse(chain(n, true), MC_FORM_RECURSIVE, MC_COMPILE_NEVER);
        const mc_multibody_info *info = mc_multibody_info_of(m);
        double y[2 * LINKS_MAX + 12], one[2 * LINKS_MAX + 12], two[2 * LINKS_MAX + 12];
        assert_true(info->y_count <= 2 * LINKS_MAX + 12);
        unsigned long long seed = 5;
        for (int i = 0; i < info->y_count; i++)
            y[i] = sample_uniform(&seed, -1.0, 1.0);
        mc_multibody_normalise(m, y);
        const size_t size = (size_t)info->y_count * sizeof *y;
        mc_multibody_rate(plain, 0.0, y, NULL, one);
        mc_multibody_rate(m, 0.0, y, NULL, two);
        for (int i = 0; i < info->y_count; i++)
            assert_true(isfinite(one[i]));
        assert_memory_equal(one, two, size);
        mc_multibody_wait(m);
        const char *message;
        const mc_kernel_state kernel = mc_multibody_kernel_state(m, &message);
        if (n <= 16 && compiler_there() && kernel != MC_KERNEL_STATE_COMPILED)
            fail_msg("%d links: not compiled: %s", n, message);
        memset(two, 0, size);
        mc_multibody_rate(m, 0.0, y, NULL, two);
        assert_memory_equal(one, two, size);
        mc_multibody_free(m);
        mc_multibody_free(plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recursive_form_grows_linearly),
        cmocka_unit_test(lagrange_form_does_not_swell),
        cmocka_unit_test(vehicle_costs_what_it_should),
        cmocka_unit_test(closed_vehicle_costs_what_it_should),
        cmocka_unit_test_setup_teardown(first_step_needs_no_compiler, make_cache, remove_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
