// emit_c.c - programs as C: one state, or blocks of four lanes.
//
// Names of our own begin with mc_, which no user's name does (expr_identifier). What has no
// operator is a macro on top of the text rather than an inline function: its arguments are single
// values, and a compiler takes far longer to inline ten thousand calls. <math.h> comes last, for
// the default functions only, so that its macros and ours cannot meet.
#include "codegen/emit_plan.h"

#include "base/assert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Prepared values are spread over the lanes once per call, not at every use, if they are few: 10 %
// fewer instructions. On Zen 3 hmmwv10 then fits into the cache of decoded instructions wherever it
// is loaded (60 ns per state; else 62 to 72, by chance); without AVX gcc's code is twice as fast.
// More of them would fill the data cache.
enum { SPREAD_MAX = 400 };

typedef struct writer {
    expr_text *out;
    emit_plan *plan;
    bool lanes, prepare, plain;
    bool wide;                              // lanes: eight of them
    bool spread;                            // lanes: mc_k holds the prepared values
    const char *type;                       // of a value
    bool in, kept, result, functions, work; // arguments the current function has used
} writer;

// ---- operations ------------------------------------------------------------------------------

static const char *const scalar_form[EXPR_OP_COUNT] = {
    [EXPR_NEG] = "-$a",
    [EXPR_ADD] = "$a + $b",
    [EXPR_SUB] = "$a - $b",
    [EXPR_MUL] = "$a * $b",
    [EXPR_DIV] = "$a / $b",
    [EXPR_SQRT] = "__builtin_sqrt($a)",
    [EXPR_ABS] = "__builtin_fabs($a)",
    [EXPR_FLOOR] = "__builtin_floor($a)",
    [EXPR_MIN] = "$a < $b ? $a : $b",
    [EXPR_MAX] = "$a > $b ? $a : $b",
    [EXPR_LESS] = "$a < $b ? 1.0 : 0.0",
    [EXPR_LEQ] = "$a <= $b ? 1.0 : 0.0",
    [EXPR_EQUAL] = "$a == $b ? 1.0 : 0.0",
    [EXPR_AND] = "(($a != 0.0) & ($b != 0.0)) ? 1.0 : 0.0",
    [EXPR_OR] = "(($a != 0.0) | ($b != 0.0)) ? 1.0 : 0.0",
    [EXPR_NOT] = "$a == 0.0 ? 1.0 : 0.0",
    [EXPR_SELECT] = "$a != 0.0 ? $b : $c",
    [EXPR_FMA] = "mc_fma($a, $b, $c)",
    [EXPR_FMS] = "mc_fms($a, $b, $c)",
    [EXPR_FNMA] = "mc_fnma($a, $b, $c)",
};

static const char *const lanes_form[EXPR_OP_COUNT] = {
    [EXPR_NEG] = "-$a",
    [EXPR_ADD] = "$a + $b",
    [EXPR_SUB] = "$a - $b",
    [EXPR_MUL] = "$a * $b",
    [EXPR_DIV] = "$a / $b",
    [EXPR_SQRT] = "mc_sqrt_lanes($a)",
    [EXPR_ABS] = "mc_abs_lanes($a)",
    [EXPR_FLOOR] = "mc_floor_lanes($a)",
    [EXPR_MIN] = "mc_min_lanes($a, $b)",
    [EXPR_MAX] = "mc_max_lanes($a, $b)",
    [EXPR_LESS] = "mc_truth($a < $b)",
    [EXPR_LEQ] = "mc_truth($a <= $b)",
    [EXPR_EQUAL] = "mc_truth($a == $b)",
    [EXPR_AND] = "mc_truth(($a != mc_set(0.0)) & ($b != mc_set(0.0)))",
    [EXPR_OR] = "mc_truth(($a != mc_set(0.0)) | ($b != mc_set(0.0)))",
    [EXPR_NOT] = "mc_truth($a == mc_set(0.0))",
    [EXPR_SELECT] = "mc_choose($a != mc_set(0.0), $b, $c)",
    [EXPR_FMA] = "mc_fma_lanes($a, $b, $c)",
    [EXPR_FMS] = "mc_fma_lanes($a, $b, -$c)",
    [EXPR_FNMA] = "mc_fma_lanes(-$a, $b, $c)",
};

// No contraction, whatever the options say. gcc's vectorizer of straight-line code has to go too:
// gcc 12 makes vfmaddsub of q + a, q - b with a product q even under -ffp-contract=off.
static const char scalar_prelude[] =
    "#ifndef MC_SCALAR\n"
    "#define MC_SCALAR\n"
    "#if defined __clang__\n"
    "#pragma STDC FP_CONTRACT OFF\n"
    "#elif defined __GNUC__\n"
    "#pragma GCC optimize(\"fp-contract=off\", \"no-tree-slp-vectorize\")\n"
    "#endif\n"
    "#ifdef __FMA__\n"
    "#define mc_fma(a, b, c) __builtin_fma(a, b, c)\n"
    "#define mc_fms(a, b, c) __builtin_fma(a, b, -(c))\n"
    "#define mc_fnma(a, b, c) __builtin_fma(-(a), b, c)\n"
    "#else\n"
    "#define mc_fma(a, b, c) ((a) * (b) + (c))\n"
    "#define mc_fms(a, b, c) ((a) * (b) - (c))\n"
    "#define mc_fnma(a, b, c) ((c) - (a) * (b))\n"
    "#endif\n"
    "#endif\n";

// Without AVX the negations of FMS and FNMA change no bit: a b + (-c) is a b - c.
static const char lanes_prelude[] =
    "#pragma GCC diagnostic ignored \"-Wpsabi\"\n"
    "typedef double mc_lanes __attribute__((vector_size(32), may_alias));\n"
    "typedef double mc_anywhere __attribute__((vector_size(32), may_alias, aligned(8)));\n"
    "typedef long long mc_mask __attribute__((vector_size(32)));\n"
    "#define mc_set(a) ((mc_lanes){(a), (a), (a), (a)})\n"
    "#define mc_bits(a) ((mc_mask){(a), (a), (a), (a)})\n"
    "#define mc_get(p) (*(const mc_anywhere *)(p))\n"
    "#define mc_put(p, a) (*(mc_anywhere *)(p) = (a))\n"
    "#define mc_each(f, a) ((mc_lanes){f((a)[0]), f((a)[1]), f((a)[2]), f((a)[3])})\n"
    "#define mc_truth(m) ((mc_lanes)((mc_mask)(m) & mc_bits(0x3ff0000000000000)))\n"
    "#define mc_abs_lanes(a) ((mc_lanes)((mc_mask)(a) & mc_bits(0x7fffffffffffffff)))\n"
    "#if defined __AVX2__ && defined __FMA__\n"
    "#define mc_fma_lanes(a, b, c) __builtin_ia32_vfmaddpd256((a), (b), (c))\n"
    "#define mc_sqrt_lanes(a) __builtin_ia32_sqrtpd256(a)\n"
    "#define mc_floor_lanes(a) __builtin_ia32_roundpd256((a), 9)\n"
    "#define mc_min_lanes(a, b) __builtin_ia32_minpd256((a), (b))\n"
    "#define mc_max_lanes(a, b) __builtin_ia32_maxpd256((a), (b))\n"
    "#define mc_choose(m, yes, no) __builtin_ia32_blendvpd256((no), (yes), (mc_lanes)(m))\n"
    "#else\n"
    "#ifdef __FMA__\n"
    "#define mc_one_fma(a, b, c, l) __builtin_fma((a)[l], (b)[l], (c)[l])\n"
    "#define mc_fma_lanes(a, b, c) \\\n"
    "    ((mc_lanes){mc_one_fma(a, b, c, 0), mc_one_fma(a, b, c, 1), mc_one_fma(a, b, c, 2), \\\n"
    "                mc_one_fma(a, b, c, 3)})\n"
    "#else\n"
    "#define mc_fma_lanes(a, b, c) ((a) * (b) + (c))\n"
    "#endif\n"
    "#define mc_sqrt_lanes(a) mc_each(__builtin_sqrt, a)\n"
    "#define mc_floor_lanes(a) mc_each(__builtin_floor, a)\n"
    "#define mc_choose(m, yes, no) \\\n"
    "    ((mc_lanes)(((mc_mask)(m) & (mc_mask)(yes)) | (~(mc_mask)(m) & (mc_mask)(no))))\n"
    "#define mc_min_lanes(a, b) mc_choose((a) < (b), a, b)\n"
    "#define mc_max_lanes(a, b) mc_choose((a) > (b), a, b)\n"
    "#endif\n";

// Two blocks of four at a time. mc_next_x, mc_next_y: doubles from one to the other.
static const char wide_prelude[] =
    "#pragma GCC diagnostic ignored \"-Wpsabi\"\n"
    "typedef double mc_lanes __attribute__((vector_size(64), may_alias));\n"
    "typedef double mc_half __attribute__((vector_size(32), may_alias, aligned(8)));\n"
    "typedef long long mc_mask __attribute__((vector_size(64)));\n"
    "#define mc_set(a) ((mc_lanes){(a), (a), (a), (a), (a), (a), (a), (a)})\n"
    "#define mc_bits(a) ((mc_mask){(a), (a), (a), (a), (a), (a), (a), (a)})\n"
    "#define mc_at(p) (*(const mc_half *)(p))\n"
    "#define mc_get(p) \\\n"
    "    __builtin_shufflevector(mc_at(p), mc_at((p) + mc_next_x), 0, 1, 2, 3, 4, 5, 6, 7)\n"
    "#define mc_put(p, a) \\\n"
    "    do { \\\n"
    "        const mc_lanes mc_v = (a); \\\n"
    "        *(mc_half *)(p) = __builtin_shufflevector(mc_v, mc_v, 0, 1, 2, 3); \\\n"
    "        *(mc_half *)((p) + mc_next_y) = __builtin_shufflevector(mc_v, mc_v, 4, 5, 6, 7); \\\n"
    "    } while (0)\n"
    "#define mc_truth(m) ((mc_lanes)((mc_mask)(m) & mc_bits(0x3ff0000000000000)))\n"
    "#define mc_abs_lanes(a) ((mc_lanes)((mc_mask)(a) & mc_bits(0x7fffffffffffffff)))\n"
    "#define mc_fma_lanes(a, b, c) __builtin_ia32_vfmaddpd512_mask((a), (b), (c), -1, 4)\n"
    "#define mc_floor_lanes(a) __builtin_ia32_rndscalepd_mask((a), 9, (a), -1, 4)\n"
    "#if defined __clang__\n"
    "#define mc_sqrt_lanes(a) __builtin_ia32_sqrtpd512((a), 4)\n"
    "#define mc_min_lanes(a, b) __builtin_ia32_minpd512((a), (b), 4)\n"
    "#define mc_max_lanes(a, b) __builtin_ia32_maxpd512((a), (b), 4)\n"
    "#else\n"
    "#define mc_sqrt_lanes(a) __builtin_ia32_sqrtpd512_mask((a), (a), -1, 4)\n"
    "#define mc_min_lanes(a, b) __builtin_ia32_minpd512_mask((a), (b), (a), -1, 4)\n"
    "#define mc_max_lanes(a, b) __builtin_ia32_maxpd512_mask((a), (b), (a), -1, 4)\n"
    "#endif\n"
    "#define mc_choose(m, yes, no) \\\n"
    "    ((mc_lanes)(((mc_mask)(m) & (mc_mask)(yes)) | (~(mc_mask)(m) & (mc_mask)(no))))\n";

// ---- values ----------------------------------------------------------------------------------

static void add_constant(expr_text *t, double value)
{
    char number[32];
    if (isfinite(value)) {
        expr_literal(value, number);
        expr_text_add(t, signbit(value) ? "(%s)" : "%s", number);
    } else {
        expr_text_add(t, isnan(value)  ? "__builtin_nan(\"\")"
                         : value < 0.0 ? "(-__builtin_inf())"
                                       : "__builtin_inf()");
    }
}

static void add_load(writer *w, expr_text *t, expr_operand value)
{
    const uint32_t n = value.index;
    if (value.place == EXPR_AT_TEMP) {
        w->work = true;
        expr_text_add(t, "mc_w[%d]", w->plan->slot[n]);
    } else {
        w->in = true;
        if (w->lanes)
            expr_text_add(t, "mc_get(x + %u)", 4 * n);
        else
            expr_text_add(t, w->prepare ? "p[%u]" : "x[%u]", n);
    }
}

static void add_operand(void *context, expr_text *t, expr_operand value)
{
    writer *w = context;
    char name[EMIT_NAME_SIZE];
    switch ((expr_place)value.place) {
    case EXPR_AT_CONST:
        expr_text_put(t, "mc_set(", w->lanes ? 7 : 0);
        add_constant(t, w->plan->program->constants[value.index]);
        expr_text_put(t, ")", w->lanes);
        break;
    case EXPR_AT_KEPT:
        w->kept = true;
        expr_text_add(t,
                      w->spread  ? "mc_k[%u]"
                      : w->lanes ? "mc_set(k[%u])"
                                 : "k[%u]",
                      value.index);
        break;
    case EXPR_AT_IN:
        if (w->plain)
            add_load(w, t, value);
        else
            expr_text_add(t, "%s", w->plan->in_name[value.index]);
        break;
    case EXPR_AT_TEMP:
        if (!w->plain || w->plan->seen_temp[value.index] < 0) { // made in this piece, or brought
            emit_temp_name(w->plan, value.index, name);
            expr_text_add(t, "%s", name);
        } else {
            add_load(w, t, value);
        }
        break;
    case EXPR_AT_NONE:
        mc_assert(false); // an operand is missing
    }
}

// ---- the walk --------------------------------------------------------------------------------

static void on_bring(void *context, expr_operand value)
{
    writer *w = context;
    if (w->plain)
        return;
    char name[EMIT_NAME_SIZE];
    const char *known = name;
    if (value.place == EXPR_AT_TEMP)
        emit_temp_name(w->plan, value.index, name);
    else
        known = w->plan->in_name[value.index];
    expr_text_add(w->out, "    const %s %s = ", w->type, known);
    add_load(w, w->out, value);
    expr_text_put(w->out, ";\n", 2);
}

static void on_compute(void *context, const expr_instruction *i)
{
    writer *w = context;
    const char *form = w->lanes ? lanes_form[i->op] : scalar_form[i->op];
    mc_assert(form);
    char name[EMIT_NAME_SIZE];
    emit_temp_name(w->plan, i->to, name);
    expr_text_add(w->out, "    const %s %s = ", w->type, name);
    emit_substitute(w->out, form, i, add_operand, w);
    expr_text_put(w->out, ";\n", 2);
}

static void add_arguments(writer *w, char letter, const expr_instruction *const *i, int count)
{
    expr_text_add(w->out, "    const %s mc_%c%u[%d] = {", w->type, letter, i[0]->to, count);
    for (int n = 0; n < count; n++) {
        expr_text_add(w->out, "%s", n > 0 ? ", " : "");
        add_operand(w, w->out, letter == 'a' ? i[n]->a : i[n]->b);
    }
    expr_text_put(w->out, "};\n", 3);
}

static void take_result(writer *w, char letter, uint32_t array, int n, uint32_t temp)
{
    if (!w->plan->used[temp])
        return;
    char name[EMIT_NAME_SIZE];
    emit_temp_name(w->plan, temp, name);
    expr_text_add(w->out, "    const %s %s = mc_%c%u[%d];\n", w->type, name, letter, array, n);
}

// Arguments into an array, one call, results out of an array.
static void on_call(void *context, const expr_instruction *const *i, int count)
{
    writer *w = context;
    w->functions = true;
    const emit_function *f = emit_function_of(i[0]);
    const uint32_t n = i[0]->to;
    const char *in = w->lanes ? "(const double *)" : "", *out = w->lanes ? "(double *)" : "";
    add_arguments(w, 'a', i, count);
    if (f->arity == 2)
        add_arguments(w, 'b', i, count);
    expr_text_add(w->out, "    %s mc_y%u[%d]", w->type, n, count);
    if (f->results == 2)
        expr_text_add(w->out, ", mc_z%u[%d]", n, count);
    expr_text_add(w->out, ";\n    f->%s(%d, %smc_a%u, ", f->field,
                  w->wide    ? 8 * count
                  : w->lanes ? 4 * count
                             : count,
                  in, n);
    if (f->arity == 2)
        expr_text_add(w->out, "%smc_b%u, ", in, n);
    expr_text_add(w->out, "%smc_y%u", out, n);
    if (f->results == 2)
        expr_text_add(w->out, ", %smc_z%u", out, n);
    expr_text_put(w->out, ");\n", 3);
    for (int m = 0; m < count; m++) {
        const bool cosine = i[m]->op == EXPR_CALL && i[m]->function == EXPR_COS;
        take_result(w, cosine ? 'z' : 'y', n, m, i[m]->to);
        if (i[m]->op == EXPR_SINCOS)
            take_result(w, 'z', n, m, i[m]->to + 1);
    }
}

static void on_keep(void *context, uint32_t temp, int slot)
{
    writer *w = context;
    char name[EMIT_NAME_SIZE];
    emit_temp_name(w->plan, temp, name);
    w->work = true;
    expr_text_add(w->out, "    mc_w[%d] = %s;\n", slot, name);
}

static void on_output(void *context, int output, expr_operand value)
{
    writer *w = context;
    const expr_instruction alone = {.a = value};
    w->result = true;
    if (w->lanes)
        expr_text_add(w->out, "    mc_put(y + %d, ", 4 * output);
    else
        expr_text_add(w->out, w->prepare ? "    k[%d] = " : "    y[%d] = ", output);
    emit_substitute(w->out, "$a", &alone, add_operand, w);
    expr_text_put(w->out, w->lanes ? ");" : ";", w->lanes ? 2 : 1);
    if (!w->plain && !w->prepare) {
        char name[48];
        expr_identifier(w->plan->program->output_name[output], name);
        expr_text_add(w->out, " // %s", name);
    }
    expr_text_put(w->out, "\n", 1);
}

// ---- functions -------------------------------------------------------------------------------

static const char *arguments_of(const writer *w)
{
    return w->prepare  ? "const double *p, double *restrict k"
           : w->spread ? "const double *x, const mc_lanes *mc_k, double *restrict y"
                       : "const double *x, const double *k, double *restrict y";
}

// The statements of a piece, and a word for the compiler about arguments not needed.
static bool add_body(writer *w, int piece, bool work)
{
    w->in = w->kept = w->result = w->functions = w->work = false;
    const emit_visitor visitor = {.context = w,
                                  .bring = on_bring,
                                  .compute = on_compute,
                                  .call = on_call,
                                  .keep = on_keep,
                                  .output = on_output};
    if (!emit_walk(w->plan, piece, &visitor))
        return false;
    if (!w->in)
        expr_text_add(w->out, "    (void)%c;\n", w->prepare ? 'p' : 'x');
    if (w->prepare ? !w->result : !w->kept)
        expr_text_add(w->out, w->spread ? "    (void)mc_k;\n" : "    (void)k;\n");
    if (!w->prepare && !w->result)
        expr_text_add(w->out, "    (void)y;\n");
    if (!w->functions)
        expr_text_add(w->out, "    (void)f;\n");
    if (work && !w->work)
        expr_text_add(w->out, "    (void)mc_w;\n");
    expr_text_add(w->out, "}\n\n");
    return true;
}

static const char *word_for(const writer *w)
{
    return w->lanes ? "lanes" : w->prepare ? "prepare" : "run";
}

// Pieces as functions of their own. noinline: the compiler would join what is called once.
static bool add_pieces(writer *w, const char *name)
{
    const bool work = w->plan->slot_count > 0;
    for (int n = 0; n < w->plan->piece_count; n++) {
        expr_text_add(w->out, "%sstatic void mc_%s_%d(%s, const %s_functions *f",
                      w->plan->piece_count > 1 ? "__attribute__((noinline)) " : "", word_for(w), n,
                      arguments_of(w), name);
        if (work)
            expr_text_add(w->out, ", %s *restrict mc_w", w->type);
        expr_text_add(w->out, ")\n{\n");
        if (!add_body(w, n, work))
            return false;
    }
    return true;
}

static void add_piece_calls(const writer *w, const char *indent, const char *arguments)
{
    for (int n = 0; n < w->plan->piece_count; n++)
        expr_text_add(w->out, "%smc_%s_%d(%s%s);\n", indent, word_for(w), n, arguments,
                      w->plan->slot_count > 0 ? ", mc_w" : "");
}

// Blocks two by two; a last one alone is done twice.
static void add_pairs(const writer *w)
{
    const expr_program *p = w->plan->program;
    const int x = 4 * p->variable_count, y = 4 * p->output_count;
    expr_text_add(w->out, "    for (; block_count > 1; block_count -= 2) {\n");
    add_piece_calls(w, "        ", w->spread ? "x, mc_k, y, f" : "x, k, y, f");
    expr_text_add(w->out,
                  "        x += %d;\n        y += %d;\n    }\n    if (block_count < 1)\n"
                  "        return;\n    double mc_x[%d], mc_y[%d];\n"
                  "    for (int i = 0; i < %d; i++)\n        mc_x[i] = mc_x[i + %d] = x[i];\n",
                  2 * x, 2 * y, 2 * x + 1, 2 * y + 1, x, x);
    add_piece_calls(w, "    ", w->spread ? "mc_x, mc_k, mc_y, f" : "mc_x, k, mc_y, f");
    expr_text_add(w->out, "    for (int i = 0; i < %d; i++)\n        y[i] = mc_y[i];\n}\n\n", y);
}

static bool add_lanes(writer *w, const char *name)
{
    if (!add_pieces(w, name))
        return false;
    const expr_program *p = w->plan->program;
    expr_text_add(w->out,
                  "void %s_run_lanes(int block_count, const double *x, const double *k, double *y, "
                  "const %s_functions *f)\n{\n",
                  name, name);
    if (w->plan->slot_count > 0)
        expr_text_add(w->out, "    mc_lanes mc_w[%d];\n", w->plan->slot_count);
    if (w->spread)
        expr_text_add(w->out,
                      "    mc_lanes mc_k[%d];\n    for (int i = 0; i < %d; i++)\n"
                      "        mc_k[i] = mc_set(k[i]);\n",
                      p->kept_count, p->kept_count);
    if (w->wide) {
        add_pairs(w);
        return true;
    }
    expr_text_add(w->out, "    for (int b = 0; b < block_count; b++) {\n");
    add_piece_calls(w, "        ", w->spread ? "x, mc_k, y, f" : "x, k, y, f");
    expr_text_add(w->out, "        x += %d;\n        y += %d;\n    }\n}\n\n", 4 * p->variable_count,
                  4 * p->output_count);
    return true;
}

static bool add_scalar(writer *w, const char *name)
{
    const bool whole = w->plan->piece_count == 1;
    if (!whole && !add_pieces(w, name))
        return false;
    expr_text_add(w->out, "void %s_%s(%s, const %s_functions *f)\n{\n", name, word_for(w),
                  arguments_of(w), name);
    if (whole)
        return add_body(w, 0, false);
    if (w->plan->slot_count > 0)
        expr_text_add(w->out, "    double mc_w[%d];\n", w->plan->slot_count);
    add_piece_calls(w, "    ", w->prepare ? "p, k, f" : "x, k, y, f");
    expr_text_add(w->out, "}\n\n");
    return true;
}

static mc_status add_part(const expr_program *p, const expr_emit_options *o, const char *name,
                          const emit_names *names, bool prepare, int piece, expr_text *out,
                          mc_error *error)
{
    emit_plan plan;
    const mc_status status =
        emit_plan_create(&plan, p, prepare ? &p->prepare : &p->run, names, piece, error);
    if (status != MC_OK)
        return status;
    const bool lanes = !prepare && o->language == EXPR_C_LANES;
    writer w = {.out = out,
                .plan = &plan,
                .lanes = lanes,
                .wide = lanes && o->plain && o->wide,
                .prepare = prepare,
                .plain = o->plain,
                .spread = lanes && p->kept_count > 0 && p->kept_count <= SPREAD_MAX,
                .type = lanes ? "mc_lanes" : "double"};
    const bool good = lanes ? add_lanes(&w, name) : add_scalar(&w, name);
    emit_plan_destroy(&plan);
    return good ? MC_OK
                : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the code of \"%s\"",
                               name);
}

// ---- around the functions --------------------------------------------------------------------

static void add_functions_type(expr_text *t, const char *name)
{
    static const char *const arguments[3][2] = {
        {"", ""},
        {"int n, const double *a, double *y", "int n, const double *a, double *y, double *z"},
        {"int n, const double *a, const double *b, double *y", ""},
    };
    expr_text_add(t, "typedef struct %s_functions {\n", name);
    for (int i = 0; i < emit_function_count; i++) {
        const emit_function *f = &emit_functions[i];
        expr_text_add(t, "    void (*%s)(%s);\n", f->field, arguments[f->arity][f->results - 1]);
    }
    expr_text_add(t, "} %s_functions;\n\n", name);
}

static void add_prototypes(expr_text *t, const char *name, const expr_emit_options *o)
{
    const bool lanes = o->language == EXPR_C_LANES;
    if (!(o->plain && lanes))
        expr_text_add(t, "void %s_prepare(const double *p, double *k, const %s_functions *f);\n",
                      name, name);
    if (lanes)
        expr_text_add(t,
                      "void %s_run_lanes(int block_count, const double *x, const double *k, "
                      "double *y, const %s_functions *f);\n\n",
                      name, name);
    else
        expr_text_add(t,
                      "void %s_run(const double *x, const double *k, double *y, "
                      "const %s_functions *f);\n\n",
                      name, name);
}

// A string literal: printable ASCII but " \ and ? as it is, the rest as octal escapes.
static void add_string(expr_text *t, const char *text)
{
    enum { LONGEST = 1000 }; // bytes; compilers need not take more than 4095
    expr_text_put(t, "\"", 1);
    int count = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c && count < LONGEST;
         c++, count++) {
        const bool as_is = *c >= ' ' && *c < 0x7f && !strchr("\"\\?", *c);
        if (as_is)
            expr_text_put(t, (const char *)c, 1);
        else
            expr_text_add(t, "\\%03o", *c);
    }
    expr_text_put(t, "\"", 1);
}

static void add_table(expr_text *t, const char *name, const char *what, const expr_program *p,
                      const int *inputs, int count)
{
    expr_text_add(t, "extern const char *const %s_%s_names[];\n", name, what);
    expr_text_add(t, "const char *const %s_%s_names[] = {\n", name, what);
    for (int i = 0; i < count; i++) {
        expr_text_add(t, "    ");
        add_string(t, inputs ? expr_input_name(p->graph, inputs[i]) : p->output_name[i]);
        expr_text_add(t, ",\n");
    }
    expr_text_add(t, "    0,\n};\n\n");
}

static void add_tables(expr_text *t, const char *name, const expr_program *p)
{
    expr_text_add(t, "// Names as in the model, ended by 0.\n");
    add_table(t, name, "variable", p, p->variable, p->variable_count);
    add_table(t, name, "parameter", p, p->parameter, p->parameter_count);
    add_table(t, name, "output", p, NULL, p->output_count);
}

static void add_default_functions(expr_text *t, const char *name)
{
    static const char *const forms[3][2] = {
        {"", ""},
        {"int n, const double *a, double *y)\n{\n    for (int i = 0; i < n; i++)\n"
         "        y[i] = %s(a[i]);\n}\n",
         "int n, const double *a, double *y, double *z)\n{\n    for (int i = 0; i < n; i++) {\n"
         "        y[i] = sin(a[i]);\n        z[i] = cos(a[i]);\n    }\n}\n"},
        {"int n, const double *a, const double *b, double *y)\n{\n"
         "    for (int i = 0; i < n; i++)\n        y[i] = %s(a[i], b[i]);\n}\n",
         ""},
    };
    expr_text_add(t, "// Default functions.\n#include <math.h>\n\n");
    for (int i = 0; i < emit_function_count; i++) {
        const emit_function *f = &emit_functions[i];
        const char *form = forms[f->arity][f->results - 1], *hole = strstr(form, "%s");
        expr_text_add(t, "static void mc_array_%s(", f->field);
        expr_text_put(t, form, hole ? (size_t)(hole - form) : strlen(form));
        if (hole)
            expr_text_add(t, "%s%s", f->field, hole + 2);
        expr_text_add(t, "\n");
    }
    expr_text_add(t, "extern const %s_functions %s_functions_default;\n", name, name);
    expr_text_add(t, "const %s_functions %s_functions_default = {\n", name, name);
    for (int i = 0; i < emit_function_count; i++)
        expr_text_add(t, "    .%s = mc_array_%s,\n", emit_functions[i].field,
                      emit_functions[i].field);
    expr_text_add(t, "};\n");
}

static void add_top(expr_text *t, const char *name, const expr_program *p,
                    const expr_emit_options *o)
{
    if (o->header)
        emit_comment(t, "// ", o->header);
    expr_text_add(t,
                  "//\n// Generated: do not edit. %s_prepare: parameters p to prepared values k;"
                  " %s: variables x\n// and k to outputs y. Compile with -O2"
                  " -ffp-contract=off -fno-math-errno.\n\n",
                  name, o->language == EXPR_C_LANES ? "run_lanes" : "run");
    expr_text_add(t,
                  "enum {\n    %s_variable_count = %d,\n    %s_parameter_count = %d,\n"
                  "    %s_prepared_count = %d,\n    %s_output_count = %d,\n};\n\n",
                  name, p->variable_count, name, p->parameter_count, name, p->kept_count, name,
                  p->output_count);
}

mc_status emit_c(const expr_program *p, const expr_emit_options *o, const char *name, int piece,
                 expr_text *out, mc_error *error)
{
    const bool lanes = o->language == EXPR_C_LANES;
    emit_names names = {0};
    if (!o->plain && !emit_names_create(&names, p, name))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the code of \"%s\"",
                            name);
    const emit_names *known = o->plain ? NULL : &names;
    if (!o->plain)
        add_top(out, name, p, o);
    expr_text_add(out, "%s", scalar_prelude);
    if (lanes && o->plain && o->wide)
        expr_text_add(out, "#define mc_next_x %d\n#define mc_next_y %d\n%s", 4 * p->variable_count,
                      4 * p->output_count, wide_prelude);
    else if (lanes)
        expr_text_add(out, "%s", lanes_prelude);
    if (o->plain)
        expr_text_add(out, "#ifndef MC_FUNCTIONS\n#define MC_FUNCTIONS\n");
    add_functions_type(out, name);
    if (o->plain)
        expr_text_add(out, "#endif\n");
    add_prototypes(out, name, o);
    mc_status status = MC_OK;
    if (!(o->plain && lanes))
        status = add_part(p, o, name, known, true, piece, out, error);
    if (status == MC_OK)
        status = add_part(p, o, name, known, false, piece, out, error);
    if (o->plain && !lanes)
        expr_text_add(out,
                      "extern const int motorcade_kernel_counts[6];\n"
                      "const int motorcade_kernel_counts[6] = {%d, %d, %d, %d, %d, %d};\n",
                      EXPR_KERNEL_VERSION, p->variable_count, p->parameter_count, p->kept_count,
                      p->output_count, emit_function_count);
    if (!o->plain) {
        add_tables(out, name, p);
        add_default_functions(out, name);
    }
    emit_names_destroy(&names);
    return status;
}
