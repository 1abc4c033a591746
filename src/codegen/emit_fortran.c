// emit_fortran.c - programs as a Fortran 2008 module.
//
// Fused operations are written a*b + c and functions are the intrinsics of the compiler, so results
// agree with the C code to rounding, not bit for bit. Reals are never compared for equality (a
// compiler may warn of it): a == b is a <= b .and. a >= b, truth is .not. abs(a) <= 0.
//
// Subroutines are recursive so that arrays live on the stack, as re-entrant code needs.
#include "codegen/emit_plan.h"

#include "base/assert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 110 }; // where lines are broken; the longest word after it still ends before 132

typedef struct writer {
    expr_text body, declared, line; // of the current subroutine
    size_t declared_column;
    emit_plan *plan;
    bool prepare;
    bool in, kept, result, work; // arguments the current subroutine has used
    bool aside;                  // constants of the current instruction are in variables,
    uint32_t to;                 // named by what it writes
} writer;

#define TRUE(x) ".not. (abs(" x ") <= 0.0_real64)"
#define NUMBER(x) "merge(1.0_real64, 0.0_real64, " x ")"
static const char *const form[EXPR_OP_COUNT] = {
    [EXPR_NEG] = "-$a",
    [EXPR_ADD] = "$a + $b",
    [EXPR_SUB] = "$a - $b",
    [EXPR_MUL] = "$a * $b",
    [EXPR_DIV] = "$a / $b",
    [EXPR_SQRT] = "sqrt($a)",
    [EXPR_ABS] = "abs($a)",
    [EXPR_FLOOR] = "aint($a) - merge(1.0_real64, 0.0_real64, aint($a) > $a)",
    [EXPR_MIN] = "merge($a, $b, $a < $b)",
    [EXPR_MAX] = "merge($a, $b, $a > $b)",
    [EXPR_LESS] = NUMBER("$a < $b"),
    [EXPR_LEQ] = NUMBER("$a <= $b"),
    [EXPR_EQUAL] = NUMBER("$a <= $b .and. $a >= $b"),
    [EXPR_AND] = NUMBER(TRUE("$a") " .and. " TRUE("$b")),
    [EXPR_OR] = NUMBER(TRUE("$a") " .or. " TRUE("$b")),
    [EXPR_NOT] = NUMBER("abs($a) <= 0.0_real64"),
    [EXPR_SELECT] = "merge($b, $c, " TRUE("$a") ")",
    [EXPR_FMA] = "$a * $b + $c",
    [EXPR_FMS] = "$a * $b - $c",
    [EXPR_FNMA] = "$c - $a * $b",
};

// ---- lines -----------------------------------------------------------------------------------

// Ends the line that was collected: into the body, broken at spaces where it is long.
static void end_line(writer *w)
{
    const char *rest = w->line.text ? w->line.text : "";
    size_t length = w->line.size;
    const char *indent = "        ";
    while (length > COLUMNS) {
        size_t at = COLUMNS;
        while (at > 0 && rest[at] != ' ')
            at--;
        mc_assert(at > 0);
        expr_text_add(&w->body, "%s%.*s &\n", indent, (int)at, rest);
        rest += at + 1;
        length -= at + 1;
        indent = "            ";
    }
    expr_text_add(&w->body, "%s%s\n", indent, rest);
    w->line.size = 0;
    if (w->line.text)
        w->line.text[0] = '\0';
}

static void declare(writer *w, const char *name)
{
    const size_t length = strlen(name);
    if (w->declared_column == 0 || w->declared_column + length > COLUMNS) {
        expr_text_add(&w->declared, "%s        real(real64) :: %s", w->declared_column ? "\n" : "",
                      name);
        w->declared_column = 24 + length;
    } else {
        expr_text_add(&w->declared, ", %s", name);
        w->declared_column += 2 + length;
    }
}

// ---- values ----------------------------------------------------------------------------------

static void add_constant(expr_text *t, double value)
{
    char number[32];
    if (isfinite(value)) {
        expr_literal(value, number);
        expr_text_add(t, signbit(value) ? "(%s_real64)" : "%s_real64", number);
    } else if (isnan(value)) {
        expr_text_add(t, "ieee_value(1.0_real64, ieee_quiet_nan)");
    } else {
        expr_text_add(t, "ieee_value(1.0_real64, ieee_%s_inf)",
                      value < 0 ? "negative" : "positive");
    }
}

static void add_operand(void *context, expr_text *t, expr_operand value)
{
    writer *w = context;
    char name[EMIT_NAME_SIZE];
    switch ((expr_place)value.place) {
    case EXPR_AT_CONST:
        if (w->aside)
            expr_text_add(t, "mc_c%u_%u", w->to, value.index);
        else
            add_constant(t, w->plan->program->constants[value.index]);
        break;
    case EXPR_AT_KEPT:
        w->kept = true;
        expr_text_add(t, "k(%u)", value.index + 1);
        break;
    case EXPR_AT_IN:
        expr_text_add(t, "%s", w->plan->in_name[value.index]);
        break;
    case EXPR_AT_TEMP:
        emit_temp_name(w->plan, value.index, name);
        expr_text_add(t, "%s", name);
        break;
    case EXPR_AT_NONE:
        mc_assert(false); // an operand is missing
    }
}

// Fortran computes with constants while it compiles, and takes sqrt(-1.0) or a division by 0.0 for
// a mistake. Where that could happen the constants go into variables first.
static void set_aside(writer *w, const expr_instruction *i)
{
    const expr_operand operand[3] = {i->a, i->b, i->c};
    const bool by_zero = i->op == EXPR_DIV && i->b.place == EXPR_AT_CONST &&
                         w->plan->program->constants[i->b.index] == 0.0;
    bool all = true;
    for (int n = 0; n < 3; n++)
        all &= operand[n].place == EXPR_AT_CONST || operand[n].place == EXPR_AT_NONE;
    w->aside = false;
    for (int n = 0; n < 3 && (all || by_zero); n++) {
        bool again = operand[n].place != EXPR_AT_CONST;
        for (int m = 0; m < n; m++)
            again |= operand[m].place == EXPR_AT_CONST && operand[m].index == operand[n].index;
        if (again)
            continue;
        char name[EMIT_NAME_SIZE];
        snprintf(name, sizeof name, "mc_c%u_%u", i->to, operand[n].index);
        declare(w, name);
        expr_text_add(&w->line, "%s = ", name);
        add_constant(&w->line, w->plan->program->constants[operand[n].index]);
        end_line(w);
    }
    w->aside = all || by_zero;
    w->to = i->to;
}

// Begins "name = ".
static void assign(writer *w, uint32_t temp)
{
    char name[EMIT_NAME_SIZE];
    emit_temp_name(w->plan, temp, name);
    declare(w, name);
    expr_text_add(&w->line, "%s = ", name);
}

// ---- the walk --------------------------------------------------------------------------------

static void on_bring(void *context, expr_operand value)
{
    writer *w = context;
    if (value.place == EXPR_AT_TEMP) {
        w->work = true;
        assign(w, value.index);
        expr_text_add(&w->line, "mc_w(%d)", w->plan->slot[value.index] + 1);
    } else {
        w->in = true;
        declare(w, w->plan->in_name[value.index]);
        expr_text_add(&w->line, "%s = %c(%u)", w->plan->in_name[value.index],
                      w->prepare ? 'p' : 'x', value.index + 1);
    }
    end_line(w);
}

static void on_compute(void *context, const expr_instruction *i)
{
    writer *w = context;
    mc_assert(form[i->op]);
    set_aside(w, i);
    assign(w, i->to);
    emit_substitute(&w->line, form[i->op], i, add_operand, w);
    end_line(w);
    w->aside = false;
}

static void add_call(writer *w, const expr_instruction *i, uint32_t to, const char *call)
{
    if (!w->plan->used[to])
        return;
    assign(w, to);
    emit_substitute(&w->line, call, i, add_operand, w);
    end_line(w);
}

static void on_call(void *context, const expr_instruction *const *i, int count)
{
    writer *w = context;
    for (int n = 0; n < count; w->aside = false, n++) {
        set_aside(w, i[n]);
        if (i[n]->op == EXPR_SINCOS) {
            add_call(w, i[n], i[n]->to, "sin($a)");
            add_call(w, i[n], i[n]->to + 1, "cos($a)");
            continue;
        }
        const expr_function_row *row = expr_function_at(i[n]->function);
        mc_assert(row->fortran || i[n]->function == EXPR_POW);
        char call[48] = "$a ** $b";
        if (row->fortran)
            snprintf(call, sizeof call, row->arity == 2 ? "%s($a, $b)" : "%s($a)", row->fortran);
        add_call(w, i[n], i[n]->to, call);
    }
}

static void on_keep(void *context, uint32_t temp, int slot)
{
    writer *w = context;
    char name[EMIT_NAME_SIZE];
    emit_temp_name(w->plan, temp, name);
    w->work = true;
    expr_text_add(&w->line, "mc_w(%d) = %s", slot + 1, name);
    end_line(w);
}

static void on_output(void *context, int output, expr_operand value)
{
    writer *w = context;
    w->result = true;
    expr_text_add(&w->line, "%c(%d) = ", w->prepare ? 'k' : 'y', output + 1);
    add_operand(w, &w->line, value);
    if (!w->prepare) {
        char name[48];
        expr_identifier(w->plan->program->output_name[output], name);
        if (w->line.size + 46 < COLUMNS)
            expr_text_add(&w->line, " ! %s", name);
    }
    end_line(w);
}

// ---- subroutines -----------------------------------------------------------------------------

static const char *word_for(const writer *w)
{
    return w->prepare ? "prepare" : "run";
}

static void add_arguments(const writer *w, expr_text *out)
{
    const expr_program *p = w->plan->program;
    if (w->prepare)
        expr_text_add(out,
                      "        real(real64), intent(in) :: p(%d)\n"
                      "        real(real64), intent(inout) :: k(%d)\n",
                      p->parameter_count, p->kept_count);
    else
        expr_text_add(out,
                      "        real(real64), intent(in) :: x(%d), k(%d)\n"
                      "        real(real64), intent(inout) :: y(%d)\n",
                      p->variable_count, p->kept_count, p->output_count);
}

// An argument that is not needed: asking for its size is a use of it.
static void add_unused(writer *w, bool used, const char *name)
{
    if (used)
        return;
    expr_text_add(&w->line, "mc_unused = size(%s)", name);
    end_line(w);
}

// The declarations and statements of a piece, after the arguments were declared.
static bool add_body(writer *w, int piece, bool work, expr_text *out)
{
    w->in = w->kept = w->result = w->work = false;
    w->body.size = w->declared.size = w->declared_column = 0;
    const emit_visitor visitor = {.context = w,
                                  .bring = on_bring,
                                  .compute = on_compute,
                                  .call = on_call,
                                  .keep = on_keep,
                                  .output = on_output};
    if (!emit_walk(w->plan, piece, &visitor))
        return false;
    const bool kept = w->prepare ? w->result : w->kept, result = w->prepare || w->result;
    add_unused(w, w->in, w->prepare ? "p" : "x");
    add_unused(w, kept, "k");
    add_unused(w, result, "y");
    add_unused(w, !work || w->work, "mc_w");
    if (!w->in || !kept || !result || (work && !w->work))
        expr_text_add(out, "        integer :: mc_unused\n");
    if (w->declared.size > 0) {
        expr_text_put(out, w->declared.text, w->declared.size);
        expr_text_add(out, "\n");
    }
    if (w->body.size > 0)
        expr_text_put(out, w->body.text, w->body.size);
    return w->body.status == MC_OK && w->declared.status == MC_OK && w->line.status == MC_OK;
}

static bool add_piece(writer *w, int piece, expr_text *out)
{
    const bool work = w->plan->slot_count > 0;
    const char *word = word_for(w);
    expr_text_add(out, "\n    recursive subroutine mc_%s_%d(%s%s)\n", word, piece,
                  w->prepare ? "p, k" : "x, k, y", work ? ", mc_w" : "");
    add_arguments(w, out);
    if (work)
        expr_text_add(out, "        real(real64), intent(inout) :: mc_w(%d)\n",
                      w->plan->slot_count);
    if (!add_body(w, piece, work, out))
        return false;
    expr_text_add(out, "    end subroutine mc_%s_%d\n", word, piece);
    return true;
}

static bool add_part(writer *w, const char *name, expr_text *out)
{
    const char *arguments = w->prepare ? "p, k" : "x, k, y", *word = word_for(w);
    const bool whole = w->plan->piece_count == 1, work = w->plan->slot_count > 0;
    for (int n = 0; !whole && n < w->plan->piece_count; n++)
        if (!add_piece(w, n, out))
            return false;
    expr_text_add(out, "\n    recursive subroutine %s_%s(%s)\n", name, word, arguments);
    add_arguments(w, out);
    if (whole) {
        if (!add_body(w, 0, false, out))
            return false;
    } else {
        if (work)
            expr_text_add(out, "        real(real64) :: mc_w(%d)\n", w->plan->slot_count);
        for (int n = 0; n < w->plan->piece_count; n++)
            expr_text_add(out, "        call mc_%s_%d(%s%s)\n", word, n, arguments,
                          work ? ", mc_w" : "");
    }
    expr_text_add(out, "    end subroutine %s_%s\n", name, word);
    return true;
}

// ---- the module ------------------------------------------------------------------------------

static void add_names(expr_text *t, const char *what, const expr_program *p, const int *inputs,
                      int count)
{
    expr_text_add(t, "    ! %s\n", what);
    for (int i = 0; i < count; i++) {
        char lead[48];
        snprintf(lead, sizeof lead, "    !   %d  ", i + 1);
        emit_comment(t, lead, inputs ? expr_input_name(p->graph, inputs[i]) : p->output_name[i]);
    }
}

static void add_top(expr_text *t, const char *name, const expr_program *p,
                    const expr_emit_options *o)
{
    bool finite = true;
    for (int i = 0; i < p->constant_count; i++)
        finite &= isfinite(p->constants[i]) != 0;
    if (o->header)
        emit_comment(t, "! ", o->header);
    expr_text_add(t,
                  "!\n! Generated: do not edit. %s_prepare: parameters p to prepared values k;\n"
                  "! %s_run: variables x and k to outputs y.\n"
                  "module %s\n    use, intrinsic :: iso_fortran_env, only: real64\n",
                  name, name, name);
    if (!finite)
        expr_text_add(t, "    use, intrinsic :: ieee_arithmetic\n");
    expr_text_add(t, "    implicit none\n\n");
    expr_text_add(t,
                  "    integer, parameter :: %s_variables = %d, %s_parameters = %d\n"
                  "    integer, parameter :: %s_prepared = %d, %s_outputs = %d\n",
                  name, p->variable_count, name, p->parameter_count, name, p->kept_count, name,
                  p->output_count);
    add_names(t, "variables x", p, p->variable, p->variable_count);
    add_names(t, "parameters p", p, p->parameter, p->parameter_count);
    add_names(t, "outputs y", p, NULL, p->output_count);
    expr_text_add(t, "\ncontains\n");
}

mc_status emit_fortran(const expr_program *p, const expr_emit_options *o, const char *name,
                       int piece, expr_text *out, mc_error *error)
{
    emit_names names;
    bool good = emit_names_create(&names, p, name);
    if (good)
        add_top(out, name, p, o);
    for (int part = 0; good && part < 2; part++) {
        emit_plan plan;
        good = emit_plan_create(&plan, p, part == 0 ? &p->prepare : &p->run, &names, piece,
                                error) == MC_OK;
        if (!good)
            break;
        writer w = {.plan = &plan, .prepare = part == 0};
        good = add_part(&w, name, out);
        expr_text_free(&w.body);
        expr_text_free(&w.declared);
        expr_text_free(&w.line);
        emit_plan_destroy(&plan);
    }
    expr_text_add(out, "end module %s\n", name);
    emit_names_destroy(&names);
    return good ? MC_OK
                : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the code of \"%s\"",
                               name);
}
