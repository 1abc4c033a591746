// test_program.c - from graph to instructions: order, fusion, what prepare does, counts.
//
// Here a list of instructions is also run by a walk in 113 bits that is independent of the
// interpreter, and compared with the value of the graph.
#include "expr/function.h"
#include "expr/program.h"
#include "support/graph_value.h"
#include "support/random_program.h"

#include <math.h>
#include <stdlib.h>

// ---- a second interpreter ----------------------------------------------------------------------

typedef struct machine {
    const expr_program *p;
    const quad *in, *kept;
    quad *temp;
    bool *written;
} machine;

static quad read_operand(const machine *m, expr_operand o)
{
    switch ((expr_place)o.place) {
    case EXPR_AT_CONST:
        assert_true((int)o.index < m->p->constant_count);
        return m->p->constants[o.index];
    case EXPR_AT_IN:
        return m->in[o.index];
    case EXPR_AT_KEPT:
        assert_non_null(m->kept);
        assert_true((int)o.index < m->p->kept_count);
        return m->kept[o.index];
    case EXPR_AT_TEMP:
        assert_true(m->written[o.index]); // before it is used
        return m->temp[o.index];
    default:
        return 0;
    }
}

// Plain operations come from the walk over graphs: one node on inputs.
static quad plain(int op, int function, quad a, quad b, quad c)
{
    static expr_graph *g;
    static expr_id in[3];
    if (!g) {
        g = expr_graph_create();
        for (int i = 0; i < 3; i++)
            in[i] = expr_input(g, "a", EXPR_VARIABLE);
    }
    const quad v[3] = {a, b, c};
    switch ((expr_op)op) {
    case EXPR_NEG:
        return -a;
    case EXPR_ADD:
        return a + b;
    case EXPR_SUB:
        return a - b;
    case EXPR_MUL:
        return a * b;
    case EXPR_DIV:
        return a / b;
    case EXPR_SQRT:
        return graph_value_quad(g, expr_sqrt(g, in[0]), v);
    case EXPR_ABS:
        return a < 0 ? -a : a;
    case EXPR_FLOOR:
        return graph_value_quad(g, expr_floor(g, in[0]), v);
    case EXPR_MIN:
        return a < b ? a : b;
    case EXPR_MAX:
        return a > b ? a : b;
    case EXPR_LESS:
        return a < b;
    case EXPR_LEQ:
        return a <= b;
    case EXPR_EQUAL:
        return a == b;
    case EXPR_AND:
        return a != 0 && b != 0;
    case EXPR_OR:
        return a != 0 || b != 0;
    case EXPR_NOT:
        return a == 0;
    case EXPR_SELECT:
        return a != 0 ? b : c;
    case EXPR_FMA:
        return a * b + c;
    case EXPR_FMS:
        return a * b - c;
    case EXPR_FNMA:
        return c - a * b;
    case EXPR_CALL: {
        const bool two = expr_function_at(function)->arity == 2;
        return graph_value_quad(g, expr_call(g, function, in[0], two ? in[1] : EXPR_NONE), v);
    }
    default:
        fail_msg("operation %d in a program", op);
        return 0;
    }
}

static void run_part(const expr_program *p, const expr_part *part, const quad *in, const quad *kept,
                     quad *out)
{
    machine m = {.p = p, .in = in, .kept = kept};
    m.temp = calloc((size_t)part->temp_count + 1, sizeof *m.temp);
    m.written = calloc((size_t)part->temp_count + 1, sizeof *m.written);
    assert_true(m.temp && m.written);
    for (int i = 0; i < part->count; i++) {
        const expr_instruction *c = &part->code[i];
        const quad a = read_operand(&m, c->a), b = read_operand(&m, c->b);
        const quad d = read_operand(&m, c->c);
        assert_true((int)c->to < part->temp_count);
        assert_false(m.written[c->to]); // never overwritten
        m.written[c->to] = true;
        if (c->op == EXPR_SINCOS) {
            m.temp[c->to] = plain(EXPR_CALL, EXPR_SIN, a, 0, 0);
            m.temp[c->to + 1] = plain(EXPR_CALL, EXPR_COS, a, 0, 0);
            assert_false(m.written[c->to + 1]);
            m.written[c->to + 1] = true;
        } else {
            m.temp[c->to] = plain(c->op, c->function, a, b, d);
        }
    }
    for (int i = 0; i < part->output_count; i++)
        out[i] = read_operand(&m, part->output[i]);
    free(m.temp);
    free(m.written);
}

static quad size_of(quad a)
{
    return a < 0 ? -a : a;
}

// Outputs of a program at values of all inputs of its graph.
static void run(const expr_program *p, const quad *inputs, quad *out)
{
    quad x[64], k[64], *kept = calloc((size_t)p->kept_count + 1, sizeof *kept);
    assert_true(p->variable_count <= 64 && p->parameter_count <= 64 && kept);
    for (int i = 0; i < p->variable_count; i++)
        x[i] = inputs[p->variable[i]];
    for (int i = 0; i < p->parameter_count; i++)
        k[i] = inputs[p->parameter[i]];
    assert_int_equal(p->prepare.output_count, p->kept_count);
    assert_int_equal(p->run.output_count, p->output_count);
    run_part(p, &p->prepare, k, NULL, kept);
    run_part(p, &p->run, x, kept, out);
    free(kept);
}

// ---- small graphs ------------------------------------------------------------------------------

typedef struct bench {
    expr_graph *g;
    expr_id x, y, z, w, p, r;
} bench;

static bench make(void)
{
    bench b = {.g = expr_graph_create()};
    assert_non_null(b.g);
    b.x = expr_input(b.g, "x", EXPR_VARIABLE);
    b.p = expr_input(b.g, "p", EXPR_PARAMETER);
    b.y = expr_input(b.g, "y", EXPR_VARIABLE);
    b.z = expr_input(b.g, "z", EXPR_VARIABLE);
    b.r = expr_input(b.g, "r", EXPR_PARAMETER);
    b.w = expr_input(b.g, "w", EXPR_VARIABLE);
    return b;
}

static expr_program *build(const bench *b, const expr_id *outputs, int count)
{
    mc_error error = {0};
    expr_program *p = expr_program_build(b->g, outputs, NULL, count, &error);
    if (!p)
        fail_msg("%s", error.text);
    return p;
}

// Values of the outputs against the graph.
static void check_values(const bench *b, const expr_program *p, const expr_id *outputs)
{
    unsigned long long seed = 4;
    quad *out = calloc((size_t)p->output_count, sizeof *out);
    for (int i = 0; i < 10; i++) {
        quad v[6];
        for (int k = 0; k < 6; k++)
            v[k] = sample_uniform(&seed, 0.2, 1.9);
        run(p, v, out);
        for (int k = 0; k < p->output_count; k++) {
            const quad want = graph_value_quad(b->g, outputs[k], v);
            assert_true(size_of(out[k] - want) <= 1e-30 * (1 + size_of(want)));
        }
    }
    free(out);
}

// One output; gives the count of run.
static expr_count count_of(const bench *b, expr_id output, int *instructions)
{
    expr_program *p = build(b, &output, 1);
    check_values(b, p, &output);
    const expr_count c = expr_part_count(&p->run);
    if (instructions)
        *instructions = p->run.count;
    expr_program_destroy(p);
    return c;
}

static void products_are_fused_with_sums(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id xy = expr_mul(g, b.x, b.y);
    const expr_id sums[] = {expr_add(g, xy, b.z), expr_sub(g, xy, b.z), expr_sub(g, b.z, xy),
                            expr_add(g, expr_const(g, 2.0), xy)};
    for (int i = 0; i < 4; i++) {
        int instructions;
        const expr_count c = count_of(&b, sums[i], &instructions);
        assert_int_equal(instructions, 1);
        assert_int_equal(c.fused, 1);
        assert_int_equal(c.add, 1);
        assert_int_equal(c.mul, 1);
        assert_int_equal(c.flops, 2);
    }
    // Two products: one is fused, the other is not.
    int instructions;
    expr_count c = count_of(&b, expr_add(g, xy, expr_mul(g, b.z, b.w)), &instructions);
    assert_int_equal(instructions, 2);
    assert_int_equal(c.fused, 1);
    assert_int_equal(c.flops, 3);
    // A product that is also used elsewhere is computed once and not fused.
    const expr_id both[2] = {expr_add(g, xy, b.z), expr_div(g, xy, b.w)};
    expr_program *p = build(&b, both, 2);
    check_values(&b, p, both);
    c = expr_part_count(&p->run);
    assert_int_equal(c.fused, 0);
    assert_int_equal(c.mul, 1);
    assert_int_equal(c.flops, 3);
    expr_program_destroy(p);
    // As an output it is used, too.
    const expr_id shown[2] = {expr_add(g, xy, b.z), xy};
    p = build(&b, shown, 2);
    check_values(&b, p, shown);
    assert_int_equal(expr_part_count(&p->run).fused, 0);
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

static void reversed_differences_cost_nothing(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    int instructions;
    assert_int_equal(count_of(&b, expr_sub(g, b.y, b.x), &instructions).flops, 1);
    assert_int_equal(instructions, 1);
    assert_int_equal(
        count_of(&b, expr_neg(g, expr_sub(g, expr_mul(g, b.x, b.y), b.z)), &instructions).flops, 2);
    assert_int_equal(instructions, 1);
    assert_int_equal(count_of(&b, expr_neg(g, b.x), &instructions).add, 1); // counted
    const expr_id both[2] = {expr_sub(g, b.x, b.y), expr_sub(g, b.y, b.x)};
    expr_program *p = build(&b, both, 2);
    check_values(&b, p, both);
    assert_int_equal(p->run.count, 2);
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

static void prepare_takes_what_does_not_vary(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id heavy = expr_div(g, expr_sin(g, b.p), expr_sqrt(g, expr_add(g, b.r, b.p)));
    const expr_id f = expr_mul(g, heavy, b.x);
    expr_program *p = build(&b, &f, 1);
    check_values(&b, p, &f);
    assert_int_equal(expr_part_count(&p->run).flops, 1);
    assert_int_equal(expr_part_count(&p->run).sincos, 0);
    assert_int_equal(p->kept_count, 1);
    const expr_count c = expr_part_count(&p->prepare);
    assert_int_equal(c.sincos, 1);
    assert_int_equal(c.sqrt, 1);
    assert_int_equal(c.div, 1);
    assert_int_equal(c.add, 1);
    expr_program_destroy(p);
    // A parameter itself is handed through, a function of parameters alone is done in prepare.
    const expr_id outputs[4] = {b.p, heavy, expr_const(g, 0.25), b.w};
    p = build(&b, outputs, 4);
    check_values(&b, p, outputs);
    assert_int_equal(p->run.count, 0);
    assert_int_equal(p->run.output[0].place, EXPR_AT_KEPT);
    assert_int_equal(p->run.output[1].place, EXPR_AT_KEPT);
    assert_int_equal(p->run.output[2].place, EXPR_AT_CONST);
    assert_int_equal(p->run.output[3].place, EXPR_AT_IN);
    assert_int_equal(p->kept_count, 2);
    // x and p list all inputs in their order, used or not.
    assert_int_equal(p->variable_count, 4);
    assert_int_equal(p->parameter_count, 2);
    static const int variables[4] = {0, 2, 3, 5}, parameters[2] = {1, 4};
    assert_memory_equal(p->variable, variables, sizeof variables);
    assert_memory_equal(p->parameter, parameters, sizeof parameters);
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

static void sine_and_cosine_are_one_call(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id angle[4] = {b.x, b.y, b.z, expr_mul(g, b.w, b.x)};
    expr_id outputs[8];
    for (int i = 0; i < 4; i++) {
        outputs[2 * i] = expr_cos(g, angle[i]);
        outputs[2 * i + 1] = expr_sin(g, angle[i]);
    }
    expr_program *p = build(&b, outputs, 8);
    check_values(&b, p, outputs);
    const expr_count c = expr_part_count(&p->run);
    assert_int_equal(c.sincos, 4);
    assert_int_equal(c.call, 0);
    int group = 0; // the four stand together: 4, 3, 2, 1
    for (int i = 0; i < p->run.count; i++)
        if (p->run.code[i].op == EXPR_SINCOS)
            assert_int_equal(p->run.code[i].group, 4 - group++);
        else
            assert_int_equal(group, 0);
    assert_int_equal(group, 4);
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

// Calls that wait for each other stand in two groups; every group is what it says.
static void calls_are_grouped_by_level(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id a = expr_call(g, EXPR_EXP, b.x, EXPR_NONE);
    const expr_id c = expr_call(g, EXPR_EXP, b.y, EXPR_NONE);
    const expr_id d = expr_call(g, EXPR_EXP, expr_neg(g, expr_mul(g, a, c)), EXPR_NONE);
    const expr_id e = expr_call(g, EXPR_ATAN2, a, b.z);
    const expr_id outputs[2] = {d, e};
    expr_program *p = build(&b, outputs, 2);
    check_values(&b, p, outputs);
    assert_int_equal(expr_part_count(&p->run).call, 4);
    int pairs = 0;
    for (int i = 0; i < p->run.count; i++)
        if (p->run.code[i].op == EXPR_CALL && p->run.code[i].group == 2) {
            assert_int_equal(p->run.code[i].function, EXPR_EXP);
            assert_int_equal(p->run.code[i + 1].function, EXPR_EXP);
            assert_int_equal(p->run.code[i + 1].group, 1);
            pairs++;
        }
    assert_int_equal(pairs, 1);
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

static void counts(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id less = expr_less(g, b.x, b.y);
    const expr_id outputs[] = {
        expr_div(g, b.x, b.y),
        expr_sqrt(g, b.z),
        expr_abs(g, b.w),
        expr_floor(g, b.x),
        expr_min(g, b.x, b.z),
        expr_max(g, b.x, b.w),
        expr_select(g, less, b.z, b.w),
        expr_and(g, less, expr_leq(g, b.z, b.w)),
        expr_call(g, EXPR_TANH, b.x, EXPR_NONE),
        expr_sin(g, b.y),
        expr_neg(g, b.z),
    };
    expr_program *p = build(&b, outputs, 11);
    check_values(&b, p, outputs);
    const expr_count c = expr_part_count(&p->run);
    assert_int_equal(c.div, 1);
    assert_int_equal(c.sqrt, 1);
    assert_int_equal(c.other, 4);
    assert_int_equal(c.select, 1);
    assert_int_equal(c.compare, 3); // less, leq, and
    assert_int_equal(c.call, 1);
    assert_int_equal(c.sincos, 1);
    assert_int_equal(c.add, 1);
    assert_int_equal(c.mul, 0);
    assert_int_equal(c.flops, 3);
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

static void nothing_is_computed_in_vain(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    for (int i = 0; i < 100; i++) // nodes that are not used
        expr_sin(g, expr_mul(g, b.x, expr_const(g, 3.0 + i)));
    const expr_id f = expr_add(g, b.x, b.y);
    const expr_id outputs[3] = {f, f, b.x};
    expr_program *p = build(&b, outputs, 3);
    check_values(&b, p, outputs);
    assert_int_equal(p->run.count, 1);
    assert_int_equal(p->prepare.count, 0);
    assert_int_equal(p->constant_count, 0);
    expr_program_destroy(p);
    p = build(&b, NULL, 0);
    assert_int_equal(p->run.count, 0);
    expr_program_destroy(p);
    expr_graph_destroy(g);
}

// ---- names, hash, failures ---------------------------------------------------------------------

static uint64_t hash_of(double factor, bool other, bool label)
{
    bench b = make();
    const expr_id f = expr_mul(b.g, expr_const(b.g, factor), expr_mul(b.g, b.p, b.x));
    const expr_id h = other ? expr_sub(b.g, f, b.y) : expr_add(b.g, f, b.y);
    if (label)
        expr_label(b.g, h, "height");
    expr_program *p = build(&b, &h, 1);
    const uint64_t hash = expr_program_hash(p);
    expr_program_destroy(p);
    expr_graph_destroy(b.g);
    return hash;
}

static void hash_is_of_the_results(void **state)
{
    (void)state;
    const uint64_t hash = hash_of(2.0, false, false);
    assert_true(hash == hash_of(2.0, false, false));
    assert_true(hash == hash_of(2.0, false, true)); // labels do not count
    assert_true(hash != hash_of(2.5, false, false));
    assert_true(hash != hash_of(2.0, true, false));
}

static void names_of_outputs(void **state)
{
    (void)state;
    bench b = make();
    mc_error error = {0};
    static const char *const names[2] = {"speed", "a name that is far too long for the room there "
                                                  "is and is cut off somewhere"};
    const expr_id outputs[2] = {b.x, b.y};
    expr_program *p = expr_program_build(b.g, outputs, names, 2, &error);
    assert_string_equal(p->output_name[0], "speed");
    assert_int_equal(strlen(p->output_name[1]), sizeof p->output_name[1] - 1);
    expr_program_destroy(p);
    p = build(&b, outputs, 2);
    assert_string_equal(p->output_name[1], "y1");
    expr_program_destroy(p);
    expr_graph_limit(b.g, expr_node_count(b.g));
    expr_sin(b.g, b.x);
    assert_null(expr_program_build(b.g, outputs, NULL, 2, &error));
    assert_int_equal(error.code, MC_FAILED);
    expr_graph_destroy(b.g);
}

// A chain of a hundred thousand operations: no recursion, no square of its length.
static void deep_graph(void **state)
{
    (void)state;
    bench b = make();
    expr_id f = b.x;
    for (int i = 0; i < 50000; i++)
        f = expr_add(b.g, expr_mul(b.g, f, b.y), i % 2 ? b.z : b.w);
    expr_program *p = build(&b, &f, 1);
    assert_int_equal(p->run.count, 50000);
    const quad v[6] = {0.3, 1.0, 0.5, 0.25, 1.0, 0.125};
    quad out;
    run(p, v, &out);
    const quad want = graph_value_quad(b.g, f, v);
    assert_true(size_of(out - want) < 1e-30);
    expr_program_destroy(p);
    expr_graph_destroy(b.g);
}

// ---- random programs ---------------------------------------------------------------------------

// A program's nodes in order: every instruction is that of its node, groups are independent.
static void check_groups(const expr_part *part)
{
    for (int i = 0; i < part->count; i++) {
        const expr_instruction *c = &part->code[i];
        const bool call = c->op == EXPR_CALL || c->op == EXPR_SINCOS;
        assert_true(call == (c->group > 0));
        for (int k = 1; k < c->group; k++) {
            const expr_instruction *d = &part->code[i + k];
            assert_true(i + k < part->count);
            assert_int_equal(d->op, c->op);
            assert_int_equal(d->function, c->function);
            const expr_operand args[2] = {d->a, d->b};
            for (int j = 0; j < 2; j++) // not made inside the group
                assert_false(args[j].place == EXPR_AT_TEMP && args[j].index >= c->to);
        }
    }
}

static void random_programs(void **state)
{
    (void)state;
    for (unsigned long long round = 1; round <= 20; round++) {
        random_program r = random_program_make(round, 40 + 30 * (int)round);
        const expr_program *p = r.program;
        check_groups(&p->run);
        check_groups(&p->prepare);
        unsigned long long seed = round;
        quad inputs[RANDOM_VARIABLES + RANDOM_PARAMETERS], out[RANDOM_OUTPUTS + 4];
        for (int i = 0; i < RANDOM_VARIABLES + RANDOM_PARAMETERS; i++)
            inputs[i] = sample_uniform(&seed, -1.5, 1.5);
        run(p, inputs, out);
        for (int i = 0; i < p->run.count; i++) { // run does nothing that prepare could do
            assert_true(p->run.code[i].node != EXPR_NONE);
            assert_true(expr_node_at(r.graph, p->run.code[i].node)->varies);
        }
        for (int i = 0; i < p->prepare.count; i++)
            assert_false(expr_node_at(r.graph, p->prepare.code[i].node)->varies);
        // Each output that an instruction computes has the value of its node.
        int compared = 0;
        for (int k = 0; k < p->output_count; k++)
            for (int i = 0; i < p->run.count; i++) {
                const expr_instruction *c = &p->run.code[i];
                if (p->run.output[k].place != EXPR_AT_TEMP || p->run.output[k].index != c->to ||
                    c->op == EXPR_SINCOS)
                    continue;
                const quad want = graph_value_quad(r.graph, c->node, inputs);
                assert_true(size_of(out[k] - want) <= 1e-25 * (1 + size_of(want)));
                compared++;
            }
        assert_true(compared > 0);
        random_program_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_fused_with_sums),
        cmocka_unit_test(reversed_differences_cost_nothing),
        cmocka_unit_test(prepare_takes_what_does_not_vary),
        cmocka_unit_test(sine_and_cosine_are_one_call),
        cmocka_unit_test(calls_are_grouped_by_level),
        cmocka_unit_test(counts),
        cmocka_unit_test(nothing_is_computed_in_vain),
        cmocka_unit_test(hash_is_of_the_results),
        cmocka_unit_test(names_of_outputs),
        cmocka_unit_test(deep_graph),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
