// test_interpret.c - bytecode against the list of instructions done one by one; lanes against one
// state; how fast it is.
#include "base/cpu.h"
#include "expr/interpret.h"
#include "support/random_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned long long seed_type;

enum { BLOCKS = 11 };

// ---- the reference: a value for every temporary, fma of libm ------------------------------------

static double fused(double a, double b, double c)
{
    if (cpu_level_best() == CPU_AVX2)
        return fma(a, b, c);
    volatile double product = a * b;
    return product + c;
}

static double call(int function, double a, double b)
{
    return expr_function_value(function, a, b);
}

static void reference_part(const expr_program *p, const expr_part *part, const double *in,
                           const double *kept, double *out)
{
    double *const temp = test_calloc((size_t)part->temp_count + 2, sizeof *temp);
#define VALUE(o)                                                                                   \
    ((o).place == EXPR_AT_CONST  ? p->constants[(o).index]                                         \
     : (o).place == EXPR_AT_IN   ? in[(o).index]                                                   \
     : (o).place == EXPR_AT_KEPT ? kept[(o).index]                                                 \
     : (o).place == EXPR_AT_TEMP ? temp[(o).index]                                                 \
                                 : 0.0)
    for (int n = 0; n < part->count; n++) {
        const expr_instruction *const i = &part->code[n];
        const double a = VALUE(i->a), b = VALUE(i->b), c = VALUE(i->c);
        double y = 0.0;
        switch ((expr_op)i->op) {
        case EXPR_NEG:
            y = -a;
            break;
        case EXPR_ADD:
            y = a + b;
            break;
        case EXPR_SUB:
            y = a - b;
            break;
        case EXPR_MUL:
            y = a * b;
            break;
        case EXPR_DIV:
            y = a / b;
            break;
        case EXPR_SQRT:
            y = sqrt(a);
            break;
        case EXPR_ABS:
            y = fabs(a);
            break;
        case EXPR_FLOOR:
            y = floor(a);
            break;
        case EXPR_MIN:
            y = a < b ? a : b;
            break;
        case EXPR_MAX:
            y = a > b ? a : b;
            break;
        case EXPR_LESS:
            y = a < b;
            break;
        case EXPR_LEQ:
            y = a <= b;
            break;
        case EXPR_EQUAL:
            y = a == b;
            break;
        case EXPR_AND:
            y = a != 0.0 && b != 0.0;
            break;
        case EXPR_OR:
            y = a != 0.0 || b != 0.0;
            break;
        case EXPR_NOT:
            y = a == 0.0;
            break;
        case EXPR_SELECT:
            y = a != 0.0 ? b : c;
            break;
        case EXPR_CALL:
            y = call(i->function, a, b);
            break;
        case EXPR_FMA:
            y = fused(a, b, c);
            break;
        case EXPR_FMS:
            y = fused(a, b, -c);
            break;
        case EXPR_FNMA:
            y = fused(-a, b, c);
            break;
        case EXPR_SINCOS:
            y = call(EXPR_SIN, a, 0.0);
            temp[i->to + 1] = call(EXPR_COS, a, 0.0);
            break;
        default:
            fail_msg("operation %d", i->op);
        }
        temp[i->to] = y;
    }
    for (int i = 0; i < part->output_count; i++)
        out[i] = VALUE(part->output[i]);
#undef VALUE
    test_free(temp);
}

// ---- running both
// ----------------------------------------------------------------------------------

typedef struct room {
    double *x, *y, *k, *work, *want_y, *want_k;
} room;

static double *vector(size_t count)
{
    double *p = NULL;
    assert_int_equal(posix_memalign((void **)&p, 32, (count + 4) * sizeof *p), 0);
    for (size_t i = 0; i < count + 4; i++)
        p[i] = (double)NAN;
    return p;
}

static room make_room(const expr_program *p, const expr_machine *m)
{
    const size_t lanes = 4 * BLOCKS;
    return (room){.x = vector(lanes * (size_t)p->variable_count),
                  .y = vector(lanes * (size_t)p->output_count),
                  .k = vector((size_t)p->kept_count),
                  .work = vector((size_t)expr_machine_work(m)),
                  .want_y = vector(lanes * (size_t)p->output_count),
                  .want_k = vector((size_t)p->kept_count)};
}

static void free_room(room *r)
{
    free(r->x);
    free(r->y);
    free(r->k);
    free(r->work);
    free(r->want_y);
    free(r->want_k);
}

static void compare(const double *got, const double *want, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        if (!same_bits(got[i], want[i]))
            fail_msg("%s %d: %.17g (%a) instead of %.17g (%a)", what, i, got[i], got[i], want[i],
                     want[i]);
}

static double wild(seed_type *seed) // ordinary numbers, and now and then one that is not
{
    static const double odd[] = {
        0.0, -0.0, 1.0, -1.0, 1e-310, 1e300, -1e-300, 0.5, (double)INFINITY, (double)NAN};
    if (sample_random(seed) % 12 == 0)
        return odd[sample_random(seed) % 10];
    return sample_uniform(seed, -2.0, 2.0);
}

// Every lane of every number of blocks must have the bits of the reference.
static void check_program(const expr_program *p, seed_type *seed, bool with_odd)
{
    mc_error error = {0};
    expr_machine *m = expr_machine_create(p, &error);
    assert_non_null(m);
    room r = make_room(p, m);
    double parameters[64];
    assert_true(p->parameter_count <= 64);
    for (int i = 0; i < p->parameter_count; i++)
        parameters[i] = sample_uniform(seed, -2.0, 2.0);
    for (int i = 0; i < 4 * BLOCKS * p->variable_count; i++)
        r.x[i] = with_odd ? wild(seed) : sample_uniform(seed, -2.0, 2.0);

    expr_machine_prepare(m, parameters, r.k, r.work);
    reference_part(p, &p->prepare, parameters, NULL, r.want_k);
    compare(r.k, r.want_k, p->kept_count, "prepared value");

    double state[64], out[256];
    assert_true(p->variable_count <= 64 && p->output_count <= 256);
    for (int lane = 0; lane < 4 * BLOCKS; lane++) {
        const int block = lane / 4, l = lane % 4;
        for (int i = 0; i < p->variable_count; i++)
            state[i] = r.x[(block * p->variable_count + i) * 4 + l];
        double want[256];
        reference_part(p, &p->run, state, r.k, want);
        expr_machine_run(m, state, r.k, out, r.work);
        compare(out, want, p->output_count, "output");
        for (int i = 0; i < p->output_count; i++)
            r.want_y[(block * p->output_count + i) * 4 + l] = want[i];
    }
    for (int blocks = 0; blocks <= BLOCKS; blocks++) {
        const int count = 4 * blocks * p->output_count;
        memset(r.y, 0x5a, (size_t)(4 * BLOCKS * p->output_count) * sizeof *r.y);
        const double guard = r.y[count];
        expr_machine_run_lanes(m, blocks, r.x, r.k, r.y, r.work);
        compare(r.y, r.want_y, count, "output of a lane");
        if (blocks < BLOCKS)
            assert_memory_equal(&r.y[count], &guard, sizeof guard); // nothing beyond is written
    }
    free_room(&r);
    expr_machine_destroy(m);
}

static void on_every_level(void (*check)(void))
{
    check();
    setenv("MOTORCADE_CPU", "plain", 1);
    check();
    unsetenv("MOTORCADE_CPU");
}

static void check_random(void)
{
    for (seed_type s = 1; s <= 60; s++) {
        seed_type seed = s;
        random_program r = random_program_make(s, s < 40 ? (int)s : 40 * (int)s);
        check_program(r.program, &seed, s % 2 == 0);
        random_program_free(&r);
    }
}

static void bytecode_equals_the_instructions(void **state)
{
    (void)state;
    on_every_level(check_random);
}

static void check_all_used(void)
{
    bool seen[EXPR_OP_COUNT] = {false};
    for (seed_type s = 40; s <= 60; s++) {
        random_program r = random_program_make(s, 40 * (int)s);
        for (int i = 0; i < r.program->run.count; i++)
            seen[r.program->run.code[i].op] = true;
        random_program_free(&r);
    }
    for (int op = EXPR_NEG; op < EXPR_OP_COUNT; op++)
        if (!seen[op])
            fail_msg("operation %d is in no program of this test", op);
}

static void the_programs_use_every_operation(void **state)
{
    (void)state;
    check_all_used();
}

// ---- written by hand
// -------------------------------------------------------------------------------

static expr_operand in(unsigned i)
{
    return (expr_operand){EXPR_AT_IN, i & 0xffff};
}

static expr_operand temp(unsigned i)
{
    return (expr_operand){EXPR_AT_TEMP, i & 0xffff};
}

// One instruction on x0, x1, x2: y0 = op(x0, x1, x2).
static double one_operation(expr_op op, double a, double b, double c)
{
    expr_instruction code = {
        .op = (uint8_t)op, .to = 0, .a = in(0), .b = in(1), .c = in(2), .node = EXPR_NONE};
    expr_operand output = temp(0);
    const expr_program p = {
        .variable_count = 3, .output_count = 1, .run = {&code, 1, 1, &output, 1}};
    mc_error error = {0};
    expr_machine *m = expr_machine_create(&p, &error);
    assert_non_null(m);
    double *const work = vector((size_t)expr_machine_work(m));
    const double x[3] = {a, b, c};
    double y, lanes[4], wide[12];
    expr_machine_run(m, x, NULL, &y, work);
    for (int i = 0; i < 12; i++)
        wide[i] = x[i / 4];
    expr_machine_run_lanes(m, 1, wide, NULL, lanes, work);
    for (int l = 0; l < 4; l++)
        assert_true(same_bits(lanes[l], y));
    free(work);
    expr_machine_destroy(m);
    return y;
}

static void check_truth_table(void)
{
    const double nan = (double)NAN, inf = (double)INFINITY;
    const struct {
        expr_op op;
        double a, b, c, want;
    } rows[] = {
        {EXPR_MIN, nan, 1.0, 0, 1.0},
        {EXPR_MIN, 1.0, nan, 0, nan},
        {EXPR_MAX, nan, 1.0, 0, 1.0},
        {EXPR_MAX, 1.0, nan, 0, nan},
        {EXPR_MIN, 0.0, -0.0, 0, -0.0},
        {EXPR_MIN, -0.0, 0.0, 0, 0.0},
        {EXPR_MAX, 0.0, -0.0, 0, -0.0},
        {EXPR_MAX, -0.0, 0.0, 0, 0.0},
        {EXPR_LESS, nan, 1.0, 0, 0.0},
        {EXPR_LESS, 1.0, 2.0, 0, 1.0},
        {EXPR_LEQ, 2.0, 2.0, 0, 1.0},
        {EXPR_EQUAL, nan, nan, 0, 0.0},
        {EXPR_EQUAL, 0.0, -0.0, 0, 1.0},
        {EXPR_AND, nan, 1.0, 0, 1.0},
        {EXPR_AND, -0.0, 1.0, 0, 0.0},
        {EXPR_OR, 0.0, -0.0, 0, 0.0},
        {EXPR_OR, 0.0, nan, 0, 1.0},
        {EXPR_NOT, nan, 0, 0, 0.0},
        {EXPR_NOT, -0.0, 0, 0, 1.0},
        {EXPR_SELECT, nan, 2.0, 3.0, 2.0},
        {EXPR_SELECT, -0.0, nan, 3.0, 3.0},
        {EXPR_SELECT, 1.0, -0.0, nan, -0.0},
        {EXPR_ADD, -0.0, -0.0, 0, -0.0},
        {EXPR_ADD, 0.0, -0.0, 0, 0.0},
        {EXPR_SUB, -0.0, 0.0, 0, -0.0},
        {EXPR_SUB, 1.5, 1.5, 0, 0.0},
        {EXPR_SUB, 0.0, -0.0, 0, 0.0},
        {EXPR_MUL, -0.0, 5.0, 0, -0.0},
        {EXPR_MUL, -0.0, -5.0, 0, 0.0},
        {EXPR_MUL, 1e-200, -1e-200, 0, -0.0},
        {EXPR_MUL, 1e200, -1e200, 0, -inf},
        {EXPR_MUL, 1e-160, 1e-160, 0, 1e-160 * 1e-160},
        {EXPR_ADD, inf, 1.0, 0, inf},
        {EXPR_SUB, inf, inf, 0, nan},
        {EXPR_ADD, 1e-310, 2e-310, 0, 1e-310 + 2e-310},
        {EXPR_NEG, 0.0, 0, 0, -0.0},
        {EXPR_NEG, -inf, 0, 0, inf},
        {EXPR_ABS, -0.0, 0, 0, 0.0},
        {EXPR_FLOOR, -0.5, 0, 0, -1.0},
        {EXPR_FLOOR, -0.0, 0, 0, -0.0},
        {EXPR_FLOOR, 1e300, 0, 0, 1e300},
        {EXPR_SQRT, -0.0, 0, 0, -0.0},
        {EXPR_SQRT, -1.0, 0, 0, nan},
        {EXPR_DIV, 1.0, -0.0, 0, -inf},
        {EXPR_FMS, 2.0, 3.0, 1.0, 5.0},
        {EXPR_FNMA, 2.0, 3.0, 1.0, -5.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double got = one_operation(rows[i].op, rows[i].a, rows[i].b, rows[i].c);
        if (!same_bits(got, rows[i].want))
            fail_msg("operation %d of %g, %g, %g: %g instead of %g", (int)rows[i].op, rows[i].a,
                     rows[i].b, rows[i].c, got, rows[i].want);
    }
    // (1 + e)^2 - (1 + 2 e) is e^2 with one rounding, 0 with two.
    const double e = 0x1p-30, one = 1.0 + e;
    const double want = cpu_level_best() == CPU_AVX2 ? e * e : 0.0;
    assert_true(one_operation(EXPR_FMA, one, one, -(1.0 + 2.0 * e)) == want);
    assert_true(one_operation(EXPR_FMS, one, one, 1.0 + 2.0 * e) == want);
    assert_true(one_operation(EXPR_FNMA, one, one, 1.0 + 2.0 * e) == -want);
}

static void operations_do_what_is_documented(void **state)
{
    (void)state;
    on_every_level(check_truth_table);
}

// A group longer than the interpreter gathers at once, whose arguments are read for the last time
// by the group itself.
static void long_groups(void **state)
{
    (void)state;
    enum { CALLS = 50 };
    expr_instruction code[2 * CALLS];
    expr_operand output[2 * CALLS];
    for (unsigned i = 0; i < CALLS; i++) {
        code[i] = (expr_instruction){.op = EXPR_MUL, .to = i, .a = in(i % 5), .b = in((i + 1) % 5)};
        code[CALLS + i] = (expr_instruction){
            .op = EXPR_SINCOS, .group = (uint16_t)(CALLS - i), .to = CALLS + 2 * i, .a = temp(i)};
        output[2 * i] = temp(CALLS + 2 * i);
        output[2 * i + 1] = temp(CALLS + 2 * i + 1);
    }
    const expr_program p = {.variable_count = 5,
                            .output_count = 2 * CALLS,
                            .run = {code, 2 * CALLS, 3 * CALLS, output, 2 * CALLS}};
    seed_type seed = 9;
    check_program(&p, &seed, true);
}

static void programs_without_code(void **state)
{
    (void)state;
    double constants[] = {2.5};
    expr_operand output[] = {in(1), {EXPR_AT_CONST, 0}, in(0)};
    const expr_program p = {.constants = constants,
                            .constant_count = 1,
                            .variable_count = 2,
                            .output_count = 3,
                            .run = {NULL, 0, 0, output, 3}};
    seed_type seed = 4;
    check_program(&p, &seed, false);
    const expr_program empty = {.variable_count = 0};
    check_program(&empty, &seed, false);
}

// ---- speed
// -----------------------------------------------------------------------------------------

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Not a bound on this machine but on what cannot be right: 30 ns an instruction.
static void speed(void **state)
{
    (void)state;
    random_program r = random_program_make(77, 3000);
    mc_error error = {0};
    expr_machine *m = expr_machine_create(r.program, &error);
    room w = make_room(r.program, m);
    const double p[RANDOM_PARAMETERS] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    seed_type seed = 1;
    for (int i = 0; i < 4 * BLOCKS * r.program->variable_count; i++)
        w.x[i] = sample_uniform(&seed, -1.0, 1.0);
    expr_machine_prepare(m, p, w.k, w.work);
    double best_one = 1.0, best_lanes = 1.0;
    for (int trial = 0; trial < 30; trial++) {
        double begun = seconds();
        for (int i = 0; i < 10; i++)
            expr_machine_run(m, w.x, w.k, w.y, w.work);
        best_one = fmin(best_one, (seconds() - begun) / 10);
        begun = seconds();
        expr_machine_run_lanes(m, 8, w.x, w.k, w.y, w.work);
        best_lanes = fmin(best_lanes, (seconds() - begun) / 32);
    }
    const int count = r.program->run.count;
    print_message("%d instructions: %.2f us for one state, %.2f us per state in lanes\n", count,
                  1e6 * best_one, 1e6 * best_lanes);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    assert_true(best_one < 30e-9 * count);
    assert_true(best_lanes < best_one);
#endif
    free_room(&w);
    expr_machine_destroy(m);
    random_program_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_do_what_is_documented),
        cmocka_unit_test(bytecode_equals_the_instructions),
        cmocka_unit_test(the_programs_use_every_operation),
        cmocka_unit_test(long_groups),
        cmocka_unit_test(programs_without_code),
        cmocka_unit_test(speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
