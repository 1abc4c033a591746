// interpret_steps.h - the interpreter's loop, written once for all widths. No header of its own:
// interpret_lanes.c includes it once a width, with these defined:
//
//     WIDTH(name)             name of the function for this width
//     BLOCKS                  values a step handles
//     value                   type of one of them
//     GET(offset, j)          j-th value of an operand
//     PUT(offset, j, v)
//     V(name)                 the function on such values: fma min max abs sqrt floor less leq
//                             equal both either not select
//
// Every step reads its operands before it writes, value by value, so a result may take the slot of
// an operand.

// Gathers the arguments of s->count calls, makes them in one, and puts the results in place. Gives
// the step after the call.
static const machine_step *WIDTH(call)(const machine_step *s, char *frame, char *gather,
                                       const expr_functions *f)
{
    const int count = s->count;
    value *const a = (value *)(void *)gather, *const b = a + MACHINE_CALL_MAX * BLOCKS;
    value *const y = b + MACHINE_CALL_MAX * BLOCKS, *const z = y + MACHINE_CALL_MAX * BLOCKS;
    const machine_step *const operands = s + 1;
    const bool pair = s->op == EXPR_SINCOS;
    const bool two = !pair && expr_function_at((int)s->to)->arity == 2;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < BLOCKS; j++) {
            a[i * BLOCKS + j] = GET(operands[i].a, j);
            if (two)
                b[i * BLOCKS + j] = GET(operands[i].b, j);
        }
    }
    expr_functions_call(f, pair ? EXPR_SIN : (int)s->to,
                        count * BLOCKS * (int)(sizeof(value) / sizeof(double)), (double *)a,
                        (double *)b, (double *)y, (double *)z);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < BLOCKS; j++) {
            PUT(operands[i].to, j, y[i * BLOCKS + j]);
            if (pair)
                PUT(operands[i].c, j, z[i * BLOCKS + j]);
        }
    }
    return operands + count;
}

#define NEXT goto *labels[s->op]
#define STEP1(label, result)                                                                       \
    label:                                                                                         \
    for (uint32_t left = s->count; left > 0; left--, s++)                                          \
        for (int j = 0; j < BLOCKS; j++) {                                                         \
            const value a = GET(s->a, j);                                                          \
            PUT(s->to, j, result);                                                                 \
        }                                                                                          \
    NEXT;
#define STEP2(label, result)                                                                       \
    label:                                                                                         \
    for (uint32_t left = s->count; left > 0; left--, s++)                                          \
        for (int j = 0; j < BLOCKS; j++) {                                                         \
            const value a = GET(s->a, j), b = GET(s->b, j);                                        \
            PUT(s->to, j, result);                                                                 \
        }                                                                                          \
    NEXT;
#define STEP3(label, result)                                                                       \
    label:                                                                                         \
    for (uint32_t left = s->count; left > 0; left--, s++)                                          \
        for (int j = 0; j < BLOCKS; j++) {                                                         \
            const value a = GET(s->a, j), b = GET(s->b, j), c = GET(s->c, j);                      \
            PUT(s->to, j, result);                                                                 \
        }                                                                                          \
    NEXT;

static void WIDTH(steps)(const machine_step *s, char *frame, char *gather, const expr_functions *f)
{
    static const void *const labels[MACHINE_OP_COUNT] = {
        [EXPR_CONST] = &&end,   [EXPR_INPUT] = &&end, [EXPR_NEG] = &&neg,
        [EXPR_ADD] = &&end,     [EXPR_SUB] = &&end,   [EXPR_MUL] = &&end,
        [EXPR_DIV] = &&div,     [EXPR_SQRT] = &&root, [EXPR_ABS] = &&abs,
        [EXPR_FLOOR] = &&floor, [EXPR_MIN] = &&min,   [EXPR_MAX] = &&max,
        [EXPR_LESS] = &&less,   [EXPR_LEQ] = &&leq,   [EXPR_EQUAL] = &&equal,
        [EXPR_AND] = &&both,    [EXPR_OR] = &&either, [EXPR_NOT] = &&not,
        [EXPR_SELECT] = &&pick, [EXPR_CALL] = &&call, [EXPR_FMA] = &&fma,
        [EXPR_FMS] = &&fms,     [EXPR_FNMA] = &&fnma, [EXPR_SINCOS] = &&call,
        [MACHINE_END] = &&end,
    };
    NEXT;

    STEP1(neg, -a)
    STEP2(div, a / b)
    STEP1(root, V(sqrt)(a))
    STEP1(abs, V(abs)(a))
    STEP1(floor, V(floor)(a))
    STEP2(min, V(min)(a, b))
    STEP2(max, V(max)(a, b))
    STEP2(less, V(less)(a, b))
    STEP2(leq, V(leq)(a, b))
    STEP2(equal, V(equal)(a, b))
    STEP2(both, V(both)(a, b))
    STEP2(either, V(either)(a, b))
    // clang-format off
    STEP1(not, V(not)(a)) // "not" is an operator to some versions of clang-format, a name to others
    // clang-format on
    STEP3(pick, V(select)(a, b, c))
    STEP3(fma, V(fma)(a, b, c))
    STEP3(fms, V(fma)(a, b, -c))
    STEP3(fnma, V(fma)(-a, b, c))
call:
    s = WIDTH(call)(s, frame, gather, f);
    NEXT;
end:
    return;
}

#undef NEXT
#undef STEP1
#undef STEP2
#undef STEP3
#undef WIDTH
#undef BLOCKS
#undef value
#undef GET
#undef PUT
#undef V
