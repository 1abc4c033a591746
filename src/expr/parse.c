// parse.c - the grammar of formulas, by recursive descent; every value is built as it is read.
//
//     or       = and {"or" and}
//     and      = not {"and" not}
//     not      = "not" not | compare
//     compare  = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//     sum      = product {("+" | "-") product}
//     product  = signed {("*" | "/") signed}
//     signed   = ("-" | "+") signed | power
//     power    = part ["^" signed]
//     part     = primary {"." ("x" | "y" | "z")}
//     primary  = number [unit] | "pi" | name | call | "(" or ")" | "[" or "," or "," or "]"
//     call     = function "(" or {"," or} ")" | ("table" | "spline") "(" or {";" or "," or} ")"
//     unit     = "[" anything unit.c reads "]"
//              | unit word {"^" whole | ("*" | "/" | blanks) unit word | ("*" | "/") "(" unit ")"}
//
// A unit word that is also a name in scope is rejected after a number: 5 N/m could be a stiffness
// or a force over a mass m. In brackets it is a unit.
#include "expr/parse.h"
#include "expr/function.h"
#include "expr/parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH_MAX = 65536, ARGUMENT_MAX = 64 };

static bool parse_or(expr_parser *p, expr_term *out);
static bool parse_signed(expr_parser *p, expr_term *out);

// ---- calls ------------------------------------------------------------------------------------

static bool wrong_count(expr_parser *p, int at, const char *name, int min, int max, int found,
                        const char *usage, bool comma)
{
    char range[48];
    if (max == 0)
        snprintf(range, sizeof range, "%d or more arguments", min);
    else if (max > min)
        snprintf(range, sizeof range, "%d or %d arguments", min, max);
    else
        snprintf(range, sizeof range, "%d argument%s", min, min == 1 ? "" : "s");
    return expr_fail(p, at, "%s takes %s, found %d: %s%s", name, range, found, usage,
                     comma ? "; decimals are written with a point, 1.5" : "");
}

// Arguments up to the closing bracket of the one at `open`. comma: a comma stands between
// two digits.
static bool parse_arguments(expr_parser *p, int open, expr_term *argument, int *count, bool *comma)
{
    *count = 0;
    *comma = false;
    if (expr_at_sign(p, ')')) {
        expr_advance(p);
        return true;
    }
    for (;;) {
        if (*count == ARGUMENT_MAX)
            return expr_fail(p, p->token.begin, "more than %d arguments", ARGUMENT_MAX);
        if (!parse_or(p, &argument[*count]))
            return false;
        ++*count;
        if (!expr_at_sign(p, ','))
            return expr_close_bracket(p, ')', open);
        *comma = *comma || expr_decimal_comma(p->source->text, p->token.begin);
        expr_advance(p);
    }
}

// One coordinate of a point of a table.
static bool parse_coordinate(expr_parser *p, expr_term *out, bool constant, const char *what,
                             double *value)
{
    if (!parse_or(p, out) || !expr_need_scalar(p, out, what))
        return false;
    return !constant || expr_is_const(p->graph, out->value.v[0], value) ||
           expr_fail(p, out->at, "%s is not a constant", what);
}

// Points "; x, y" up to the closing bracket.
static bool parse_points(expr_parser *p, const expr_builtin *f, int open, const expr_term *x,
                         double *at, expr_value *y, int *count)
{
    const bool spline = strcmp(f->name, "spline") == 0;
    expr_unit x_unit = x->value.unit, y_unit = EXPR_UNIT_UNKNOWN;
    char expected[96];
    for (*count = 0; expr_at_sign(p, ';'); ++*count) {
        expr_term px, py;
        double unused;
        if (*count == EXPR_POINT_MAX)
            return expr_fail(p, p->token.begin, "more than %d points", EXPR_POINT_MAX);
        expr_advance(p);
        if (!parse_coordinate(p, &px, true, "the x of a point", &at[*count]))
            return false;
        const expr_value x_value = {.size = 1, .unit = x_unit};
        if (!expr_match(p, "compare", &x_value, &px.value, px.at, &x_unit))
            return false;
        if (*count > 0 && !(at[*count] > at[*count - 1]))
            return expr_fail(p, px.at, "x must increase from point to point: %g comes after %g",
                             at[*count], at[*count - 1]);
        if (!expr_at_sign(p, ',')) {
            snprintf(expected, sizeof expected, "\",\" and the y of the point: %s", f->usage);
            return expr_unexpected(p, expected);
        }
        expr_advance(p);
        if (!parse_coordinate(p, &py, spline, "the y of a point", &unused))
            return false;
        const expr_value y_value = {.size = 1, .unit = y_unit};
        if (*count > 0 && !expr_match(p, "go between", &y_value, &py.value, py.at, &y_unit))
            return false;
        y_unit = py.value.unit.known ? py.value.unit : y_unit;
        y[*count] = py.value;
    }
    y[0].unit = y_unit; // not read when there is no point
    if (!expr_at_sign(p, ')') && *count == 0) {
        snprintf(expected, sizeof expected, "\";\": %s", f->usage);
        return expr_unexpected(p, expected);
    }
    if (!expr_at_sign(p, ')') && p->token.kind != EXPR_TOKEN_END)
        return expr_unexpected(p, "\";\" and the next point, or \")\"");
    return expr_close_bracket(p, ')', open);
}

static bool parse_table(expr_parser *p, const expr_builtin *f, int name, int open, expr_term *out)
{
    double at[EXPR_POINT_MAX];
    expr_value y[EXPR_POINT_MAX];
    expr_term x;
    int count;
    if (!parse_or(p, &x) || !expr_need_scalar(p, &x, "the argument of a table") ||
        !parse_points(p, f, open, &x, at, y, &count))
        return false;
    if (count < 2)
        return expr_fail(p, name, "%s needs 2 points or more, found %d: %s", f->name, count,
                         f->usage);
    out->value = expr_build_table(p, x.value.v[0], at, y, count, strcmp(f->name, "spline") == 0);
    return true;
}

// Builds a call whose arguments are read.
static bool build_call(expr_parser *p, const char *word, int name, const expr_term *argument,
                       int count, bool comma, expr_term *out)
{
    const int f = expr_find_function(word);
    const expr_builtin *builtin = expr_find_builtin(word);
    const int min = builtin ? builtin->min : expr_function_at(f)->arity;
    const int max = builtin ? builtin->max : min;
    char usage[EXPR_WORD_MAX + 16], what[EXPR_WORD_MAX + 32];
    snprintf(usage, sizeof usage, "%s(%s)", word, min == 1 ? "a" : "a, b");
    if (count < min || (max > 0 && count > max))
        return wrong_count(p, name, word, min, max, count, builtin ? builtin->usage : usage, comma);
    snprintf(what, sizeof what, "the argument of %s", word);
    for (int i = 0; i < count && !(builtin && builtin->vectors); i++)
        if (argument[i].value.size != 1 && strcmp(word, "abs") == 0)
            return expr_fail(p, argument[i].at, "the length of a vector is norm(a)");
        else if (!expr_need_scalar(p, &argument[i], what))
            return false;
    bool constant = true;
    for (int i = 0; i < count; i++)
        constant = constant && expr_all_const(p, &argument[i].value);
    const bool built = builtin ? builtin->build(p, argument, count, &out->value)
                               : expr_build_call(p, f, argument, &out->value);
    return built && expr_need_finite(p, constant, &out->value, name);
}

// The next token is a word, the one after it "(".
static bool parse_call(expr_parser *p, expr_term *out)
{
    char word[EXPR_WORD_MAX + 1];
    expr_term argument[ARGUMENT_MAX];
    const int name = p->token.begin;
    int count;
    bool comma;
    expr_copy_word(p, &p->token, word);
    if (!expr_is_function(word))
        return expr_unknown_function(p, name, word);
    expr_advance(p);
    const int open = p->token.begin;
    expr_advance(p);
    const expr_builtin *builtin = expr_find_builtin(word);
    if (builtin && !builtin->build)
        return parse_table(p, builtin, name, open, out);
    return parse_arguments(p, open, argument, &count, &comma) &&
           build_call(p, word, name, argument, count, comma, out);
}

// ---- values -----------------------------------------------------------------------------------
static bool parse_number(expr_parser *p, expr_term *out)
{
    double value;
    expr_unit unit;
    if (!expr_parse_quantity(p, &value, &unit))
        return false;
    out->value = (expr_value){{expr_const(p->graph, value), EXPR_NONE, EXPR_NONE}, 1, unit};
    return true;
}

static bool parse_vector(expr_parser *p, expr_term *out)
{
    const int open = p->token.begin;
    expr_advance(p);
    out->value = (expr_value){.size = 3, .unit = EXPR_UNIT_UNKNOWN};
    for (int k = 0; k < 3; k++) {
        expr_term component;
        if (!parse_or(p, &component) || !expr_need_scalar(p, &component, "a component of a vector"))
            return false;
        const expr_value so_far = {.size = 1, .unit = out->value.unit};
        if (!expr_match(p, "combine in one vector", &so_far, &component.value, component.at,
                        &out->value.unit))
            return false;
        out->value.v[k] = component.value.v[0];
        if (k < 2 && !expr_at_sign(p, ','))
            return expr_unexpected_behind(p, "an operator or \",\"; a vector is [x, y, z]");
        if (k < 2)
            expr_advance(p);
    }
    if (expr_at_sign(p, ','))
        return expr_fail(p, p->token.begin, "a vector has three components%s",
                         expr_decimal_comma(p->source->text, p->token.begin)
                             ? "; decimals are written with a point, 1.5"
                             : "");
    return expr_close_bracket(p, ']', open);
}

static bool parse_word(expr_parser *p, expr_term *out)
{
    if (expr_at_word(p, "not"))
        return expr_fail(p, p->token.begin, "put \"not ...\" in brackets here");
    if (expr_is_operator_word(p, &p->token))
        return expr_unexpected(p, "a number, a name or \"(\"");
    expr_token next;
    expr_token_read(p->source->text, p->token.end, &next);
    if (next.kind == EXPR_TOKEN_SIGN && next.sign == '(')
        return parse_call(p, out);
    if (!expr_at_word(p, "pi"))
        return expr_parse_name(p, out);
    out->value =
        (expr_value){{expr_const(p->graph, acos(-1.0)), EXPR_NONE, EXPR_NONE}, 1, EXPR_UNIT_PLAIN};
    expr_advance(p);
    return true;
}

static bool parse_primary(expr_parser *p, expr_term *out)
{
    const int begin = p->token.begin;
    if (p->token.kind == EXPR_TOKEN_NUMBER)
        return parse_number(p, out);
    if (p->token.kind == EXPR_TOKEN_WORD)
        return parse_word(p, out);
    if (expr_at_sign(p, '['))
        return parse_vector(p, out);
    if (expr_at_sign(p, '(')) {
        expr_advance(p);
        return parse_or(p, out) && expr_close_bracket(p, ')', begin);
    }
    return expr_unexpected(p, "a number, a name or \"(\"");
}

static bool parse_part(expr_parser *p, expr_term *out)
{
    const int begin = p->token.begin;
    if (!parse_primary(p, out))
        return false;
    out->at = begin;
    while (expr_at_sign(p, '.')) {
        const int point = p->token.begin;
        expr_advance(p);
        const int k = expr_at_word(p, "x")   ? 0
                      : expr_at_word(p, "y") ? 1
                      : expr_at_word(p, "z") ? 2
                                             : -1;
        if (k < 0)
            return expr_fail(p, point, "expected a component: .x, .y or .z");
        if (out->value.size != 3)
            return expr_fail(p, point, "a scalar has no components");
        out->value = (expr_value){{out->value.v[k], EXPR_NONE, EXPR_NONE}, 1, out->value.unit};
        expr_advance(p);
    }
    return true;
}

// ---- operators --------------------------------------------------------------------------------

static bool parse_power(expr_parser *p, expr_term *out)
{
    if (!parse_part(p, out))
        return false;
    if (!expr_at_sign(p, '^'))
        return true;
    const int at = p->token.begin;
    expr_term exponent;
    expr_advance(p);
    const expr_term base = *out;
    if (!expr_enter(p) || !parse_signed(p, &exponent) ||
        !expr_build_power(p, &base, &exponent, at, &out->value))
        return false;
    p->depth--;
    const bool constant = expr_all_const(p, &base.value) && expr_all_const(p, &exponent.value);
    return expr_need_finite(p, constant, &out->value, at);
}

static bool parse_signed(expr_parser *p, expr_term *out)
{
    const int begin = p->token.begin;
    const bool minus = expr_at_sign(p, '-');
    if (!minus && !expr_at_sign(p, '+'))
        return parse_power(p, out);
    expr_advance(p);
    if (!expr_enter(p) || !parse_signed(p, out))
        return false;
    p->depth--;
    for (int k = 0; minus && k < out->value.size; k++)
        out->value.v[k] = expr_neg(p->graph, out->value.v[k]);
    out->at = begin;
    return true;
}

static bool multiply(expr_parser *p, expr_term *a, const expr_term *b, int at)
{
    if (a->value.size == 3 && b->value.size == 3)
        return expr_fail(p, at, "two vectors are multiplied by dot(a, b) or cross(a, b)");
    const expr_value *vector = a->value.size == 3 ? &a->value : &b->value;
    const expr_id factor = vector == &a->value ? b->value.v[0] : a->value.v[0];
    expr_value out = *vector;
    for (int k = 0; k < out.size; k++)
        out.v[k] = expr_mul(p->graph, factor, vector->v[k]);
    out.unit = expr_unit_product(a->value.unit, b->value.unit, 1);
    const bool constant = expr_all_const(p, &a->value) && expr_all_const(p, &b->value);
    a->value = out;
    return expr_need_finite(p, constant, &a->value, at);
}

static bool divide(expr_parser *p, expr_term *a, const expr_term *b, int at)
{
    double divisor;
    if (b->value.size == 3)
        return expr_fail(p, at, "cannot divide by a vector");
    if (expr_is_const(p->graph, b->value.v[0], &divisor) && divisor == 0.0)
        return expr_fail(p, at, "division by zero");
    const bool constant = expr_all_const(p, &a->value) && expr_all_const(p, &b->value);
    for (int k = 0; k < a->value.size; k++)
        a->value.v[k] = expr_div(p->graph, a->value.v[k], b->value.v[0]);
    a->value.unit = expr_unit_product(a->value.unit, b->value.unit, -1);
    return expr_need_finite(p, constant, &a->value, at);
}

static bool parse_product(expr_parser *p, expr_term *out)
{
    bool good = parse_signed(p, out);
    while (good && (expr_at_sign(p, '*') || expr_at_sign(p, '/'))) {
        const int sign = p->token.sign, at = p->token.begin;
        expr_term right;
        expr_advance(p);
        good = parse_signed(p, &right) &&
               (sign == '*' ? multiply(p, out, &right, at) : divide(p, out, &right, at));
    }
    return good;
}

static bool parse_sum(expr_parser *p, expr_term *out)
{
    bool good = parse_product(p, out);
    while (good && (expr_at_sign(p, '+') || expr_at_sign(p, '-'))) {
        const bool plus = p->token.sign == '+';
        const int at = p->token.begin;
        expr_term right;
        expr_advance(p);
        good =
            parse_product(p, &right) && expr_match(p, plus ? "add" : "form the difference of",
                                                   &out->value, &right.value, at, &out->value.unit);
        for (int k = 0; good && k < out->value.size; k++)
            out->value.v[k] = plus ? expr_add(p->graph, out->value.v[k], right.value.v[k])
                                   : expr_sub(p->graph, out->value.v[k], right.value.v[k]);
        good = good && expr_need_finite(p, false, &out->value, at);
    }
    return good;
}

static bool at_comparison(const expr_parser *p)
{
    return expr_at_sign(p, '<') || expr_at_sign(p, '>') || expr_at_sign(p, EXPR_PAIR('<', '=')) ||
           expr_at_sign(p, EXPR_PAIR('>', '=')) || expr_at_sign(p, EXPR_PAIR('=', '=')) ||
           expr_at_sign(p, EXPR_PAIR('!', '='));
}

static expr_id compare(expr_graph *g, int sign, expr_id a, expr_id b)
{
    switch (sign) {
    case '<':
        return expr_less(g, a, b);
    case '>':
        return expr_less(g, b, a);
    case EXPR_PAIR('<', '='):
        return expr_leq(g, a, b);
    case EXPR_PAIR('>', '='):
        return expr_leq(g, b, a);
    case EXPR_PAIR('=', '='):
        return expr_equal(g, a, b);
    default:
        return expr_not(g, expr_equal(g, a, b));
    }
}

static bool parse_compare(expr_parser *p, expr_term *out)
{
    if (!parse_sum(p, out))
        return false;
    if (!at_comparison(p))
        return true;
    const int sign = p->token.sign, at = p->token.begin;
    expr_term right;
    expr_unit unit;
    expr_advance(p);
    if (!parse_sum(p, &right) || !expr_need_scalar(p, out, "what is compared") ||
        !expr_need_scalar(p, &right, "what is compared") ||
        !expr_match(p, "compare", &out->value, &right.value, at, &unit))
        return false;
    if (at_comparison(p))
        return expr_fail(p, p->token.begin, "comparisons cannot be chained: write a < b and b < c");
    const expr_id truth = compare(p->graph, sign, out->value.v[0], right.value.v[0]);
    out->value = (expr_value){{truth, EXPR_NONE, EXPR_NONE}, 1, EXPR_UNIT_PLAIN};
    return true;
}

static bool parse_not(expr_parser *p, expr_term *out)
{
    if (!expr_at_word(p, "not"))
        return parse_compare(p, out);
    const int begin = p->token.begin;
    expr_advance(p);
    if (!expr_enter(p) || !parse_not(p, out) || !expr_need_scalar(p, out, "the operand of \"not\""))
        return false;
    p->depth--;
    out->at = begin;
    out->value = (expr_value){
        {expr_not(p->graph, out->value.v[0]), EXPR_NONE, EXPR_NONE}, 1, EXPR_UNIT_PLAIN};
    return true;
}

static bool join(expr_parser *p, expr_term *a, const expr_term *b,
                 expr_id (*build)(expr_graph *, expr_id, expr_id))
{
    if (!expr_need_scalar(p, a, "a condition") || !expr_need_scalar(p, b, "a condition"))
        return false;
    a->value = (expr_value){
        {build(p->graph, a->value.v[0], b->value.v[0]), EXPR_NONE, EXPR_NONE}, 1, EXPR_UNIT_PLAIN};
    return true;
}

static bool parse_and(expr_parser *p, expr_term *out)
{
    bool good = parse_not(p, out);
    while (good && expr_at_word(p, "and")) {
        expr_term right;
        expr_advance(p);
        good = parse_not(p, &right) && join(p, out, &right, expr_and);
    }
    return good;
}

static bool parse_or(expr_parser *p, expr_term *out)
{
    bool good = expr_enter(p) && parse_and(p, out);
    while (good && expr_at_word(p, "or")) {
        expr_term right;
        expr_advance(p);
        good = parse_and(p, &right) && join(p, out, &right, expr_or);
    }
    p->depth--;
    return good;
}

// ---- whole formulas ---------------------------------------------------------------------------

static bool begin(expr_parser *p)
{
    const size_t length = strnlen(p->source->text, LENGTH_MAX + 1);
    if (length > LENGTH_MAX)
        return expr_fail(p, 0, "the formula is longer than %d bytes", LENGTH_MAX);
    expr_token_read(p->source->text, 0, &p->token);
    return p->token.kind != EXPR_TOKEN_END || expr_fail(p, p->token.begin, "the formula is empty");
}

static bool check_end(expr_parser *p)
{
    if (p->token.kind == EXPR_TOKEN_END)
        return true;
    if (expr_at_sign(p, ')') || expr_at_sign(p, ']'))
        return expr_fail(p, p->token.begin, "\"%c\" without an opening bracket", p->token.sign);
    return expr_unexpected_behind(p, "an operator or the end");
}

static bool check_unit(expr_parser *p, int at, expr_unit unit, expr_unit want)
{
    char found[48], expected[48];
    if (expr_unit_fits(unit, want))
        return true;
    const char *is = expr_unit_is_plain(unit) ? "is" : "has the unit";
    return expr_fail(p, at, "the result %s %s, expected %s", is, expr_words_of(unit, found),
                     expr_words_of(want, expected));
}

// A second look at constants that were merged deeper down.
static bool check_constants(expr_parser *p, expr_id first_node, int at)
{
    double value;
    for (expr_id i = first_node; i < expr_node_count(p->graph); i++)
        if (expr_is_const(p->graph, i, &value) && !isfinite(value))
            return expr_fail(p, at, "the constants of the formula are too large or too small");
    return true;
}

mc_status expr_parse(const expr_scope *scope, const expr_source *source, int want_size,
                     expr_unit want_unit, expr_value *out, mc_error *error)
{
    expr_parser p = {.scope = scope, .graph = scope->graph, .source = source, .error = error};
    const expr_id first_node = expr_node_count(scope->graph);
    expr_term result;
    bool good = begin(&p);
    const int first = p.token.begin;
    good = good && parse_or(&p, &result) && check_end(&p);
    if (good && want_size != 0 && result.value.size != want_size)
        good = expr_fail(&p, first, "the result is a %s, expected a %s",
                         result.value.size == 3 ? "vector" : "scalar",
                         want_size == 3 ? "vector" : "scalar");
    good = good && check_unit(&p, first, result.value.unit, want_unit);
    good = good && check_constants(&p, first_node, first);
    // A graph without memory gives zeros, and they other errors.
    const mc_status status = expr_graph_status(scope->graph, error);
    if (status != MC_OK)
        return status;
    if (good)
        *out = result.value;
    return good ? MC_OK : p.status;
}

mc_status expr_parse_number(const expr_source *source, expr_unit want_unit, double *value,
                            bool *is_number, mc_error *error)
{
    static const expr_scope nothing = {0};
    expr_parser p = {.scope = &nothing, .source = source}; // no error: then it is not a number
    double number = 0.0;
    expr_unit unit;
    *is_number = false;
    if (!begin(&p))
        return MC_OK;
    const bool minus = expr_at_sign(&p, '-');
    if (minus || expr_at_sign(&p, '+'))
        expr_advance(&p);
    const int first = p.token.begin;
    if (p.token.kind != EXPR_TOKEN_NUMBER || !expr_parse_quantity(&p, &number, &unit) ||
        p.token.kind != EXPR_TOKEN_END)
        return MC_OK;
    *is_number = true;
    p.error = error;
    if (!check_unit(&p, first, unit, want_unit))
        return p.status;
    *value = minus ? -number : number;
    return MC_OK;
}

bool expr_name_valid(const char *word, const char **why)
{
    const char *unused;
    why = why ? why : &unused;
    *why = NULL;
    expr_token token;
    expr_token_read(word, 0, &token);
    if (strnlen(word, EXPR_WORD_MAX + 1) > EXPR_WORD_MAX)
        *why = "a name has at most 63 letters";
    else if (token.kind != EXPR_TOKEN_WORD || token.begin != 0 || word[token.end] != '\0')
        *why = "a name has letters, digits and \"_\"; parts are joined by dots, and each part "
               "begins with a letter or \"_\"";
    else if (expr_is_function(word))
        *why = "it is the name of a function";
    else if (strcmp(word, "pi") == 0)
        *why = "it is a constant of formulas";
    else if (strcmp(word, "and") == 0 || strcmp(word, "or") == 0 || strcmp(word, "not") == 0)
        *why = "it is an operator of formulas";
    return *why == NULL;
}
