// parser.c - what all parts of the reader of formulas need: errors with their place, tokens.
#include "expr/parser.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NESTING_MAX = 200 };

static const char *const operator_words[] = {"or", "and", "not"};

// ---- errors -----------------------------------------------------------------------------------

// Line and column of byte `at` in the file; of the formula when its place is not known.
void expr_place_of(const expr_source *source, int at, int *line, int *column)
{
    int count = 0, begin = 0;
    for (int i = 0; i < at; i++)
        if (source->text[i] == '\n' || (source->text[i] == '\r' && source->text[i + 1] != '\n')) {
            count++;
            begin = i + 1;
        }
    const bool placed = source->line > 0;
    const int first = placed && source->column > 0 ? source->column : 1;
    *line = (placed ? source->line : 1) + count;
    *column = at - begin + (count == 0 ? first : 1);
    if (source->file && source->file[0] && !placed) // a place in the file would be a lie
        *line = *column = 0;
}

bool expr_fail(expr_parser *p, int at, const char *format, ...)
{
    char text[sizeof p->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++) // what is quoted may go over several lines
        *c = strchr("\t\r\n", *c) ? ' ' : *c;
    int line, column;
    expr_place_of(p->source, at, &line, &column);
    p->status = mc_error_set(p->error, MC_BAD_INPUT, p->source->file, line, column, "%s", text);
    mc_error_quote(p->error, p->source->text, at);
    return false;
}

// A dimension in words.
const char *expr_words_of(expr_unit unit, char out[48])
{
    expr_unit_print(unit, out);
    if (strcmp(out, "-") == 0)
        strcpy(out, "a dimensionless number");
    return out;
}

bool expr_match(expr_parser *p, const char *verb, const expr_value *a, const expr_value *b, int at,
                expr_unit *unit)
{
    char left[48], right[48];
    if (a->size != b->size)
        return expr_fail(p, at, "cannot %s a %s and a %s", verb, a->size == 1 ? "scalar" : "vector",
                         b->size == 1 ? "scalar" : "vector");
    if (!expr_unit_fits(a->unit, b->unit))
        return expr_fail(p, at, "cannot %s %s and %s", verb, expr_words_of(a->unit, left),
                         expr_words_of(b->unit, right));
    *unit = a->unit.known ? a->unit : b->unit;
    return true;
}

bool expr_need_plain(expr_parser *p, const expr_term *term, const char *what)
{
    char words[48];
    if (expr_unit_is_plain(term->value.unit))
        return true;
    return expr_fail(p, term->at, "%s is in %s, expected a dimensionless number", what,
                     expr_words_of(term->value.unit, words));
}

bool expr_need_scalar(expr_parser *p, const expr_term *term, const char *what)
{
    return term->value.size == 1 ||
           expr_fail(p, term->at, "%s is a vector, expected a scalar", what);
}

bool expr_all_const(const expr_parser *p, const expr_value *value)
{
    bool all = true;
    for (int k = 0; k < value->size; k++)
        all = all && expr_is_const(p->graph, value->v[k], NULL);
    return all;
}

// Whether a constant among the nodes down to `depth` below id is not finite: constants of factors,
// as in x/1e-200/1e-200, are merged just below the node that is built.
static bool beyond_range(const expr_parser *p, expr_id id, int depth)
{
    const expr_node node = *expr_node_at(p->graph, id);
    if (node.op == EXPR_CONST)
        return !isfinite(node.value);
    if (node.op == EXPR_INPUT || depth == 0)
        return false;
    return beyond_range(p, node.a, depth - 1) ||
           (node.b != EXPR_NONE && beyond_range(p, node.b, depth - 1));
}

bool expr_need_finite(expr_parser *p, bool constant, const expr_value *value, int at)
{
    for (int k = 0; k < value->size; k++)
        if (beyond_range(p, value->v[k], 3) ||
            (constant && !expr_is_const(p->graph, value->v[k], NULL)))
            return expr_fail(p, at, "the result is not a finite number");
    return true;
}

// ---- tokens -----------------------------------------------------------------------------------

void expr_advance(expr_parser *p)
{
    expr_token_read(p->source->text, p->token.end, &p->token);
}

bool expr_at_sign(const expr_parser *p, int sign)
{
    return p->token.kind == EXPR_TOKEN_SIGN && p->token.sign == sign;
}

bool expr_token_is(const expr_parser *p, const expr_token *token, const char *word)
{
    const size_t length = (size_t)(token->end - token->begin);
    return token->kind == EXPR_TOKEN_WORD && strlen(word) == length &&
           strncmp(p->source->text + token->begin, word, length) == 0;
}

bool expr_at_word(const expr_parser *p, const char *word)
{
    return expr_token_is(p, &p->token, word);
}

bool expr_is_operator_word(const expr_parser *p, const expr_token *token)
{
    for (size_t i = 0; i < sizeof operator_words / sizeof operator_words[0]; i++)
        if (expr_token_is(p, token, operator_words[i]))
            return true;
    return false;
}

void expr_copy_word(const expr_parser *p, const expr_token *token, char word[EXPR_WORD_MAX + 1])
{
    const size_t length = (size_t)(token->end - token->begin);
    memcpy(word, p->source->text + token->begin, length);
    word[length] = '\0';
}

// Digit, comma, digit, as in 1,5: `at` is the comma.
bool expr_decimal_comma(const char *text, int at)
{
    return at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9' && text[at + 1] >= '0' &&
           text[at + 1] <= '9';
}

// The next token is not the expected one.
bool expr_unexpected(expr_parser *p, const char *expected)
{
    const expr_token *t = &p->token;
    if (t->kind == EXPR_TOKEN_BAD)
        return expr_fail(p, t->begin, "%s", t->wrong);
    if (t->kind == EXPR_TOKEN_END)
        return expr_fail(p, t->begin, "the formula ends, expected %s", expected);
    if (expr_at_sign(p, ',') && expr_decimal_comma(p->source->text, t->begin))
        return expr_fail(p, t->begin, "found \",\": decimals are written with a point, 1.5");
    return expr_fail(p, t->begin, "found \"%.*s\", expected %s", t->end - t->begin,
                     p->source->text + t->begin, expected);
}

// Behind a complete value: neither an operator nor what may follow here.
bool expr_unexpected_behind(expr_parser *p, const char *expected)
{
    const expr_token *t = &p->token;
    const char *product = "";
    if (t->kind == EXPR_TOKEN_WORD || t->kind == EXPR_TOKEN_NUMBER || expr_at_sign(p, '(') ||
        expr_at_sign(p, '['))
        product = "; a product is written with *";
    char text[160];
    snprintf(text, sizeof text, "%s%s", expected, product);
    return expr_unexpected(p, text);
}

// Takes the closing bracket of the one at `open`.
bool expr_close_bracket(expr_parser *p, int sign, int open)
{
    char expected[96];
    int line, column, here, unused;
    if (expr_at_sign(p, sign)) {
        expr_advance(p);
        return true;
    }
    expr_place_of(p->source, open, &line, &column);
    expr_place_of(p->source, p->token.begin, &here, &unused);
    if (p->token.kind == EXPR_TOKEN_END && line > 0 && line == here)
        snprintf(expected, sizeof expected, "\"%c\" for the \"%c\" in column %d", sign,
                 p->source->text[open], column);
    else if (p->token.kind == EXPR_TOKEN_END && line > 0)
        snprintf(expected, sizeof expected, "\"%c\" for the \"%c\" on line %d, column %d", sign,
                 p->source->text[open], line, column);
    else
        snprintf(expected, sizeof expected, "an operator or \"%c\"", sign);
    return expr_unexpected_behind(p, expected);
}

bool expr_enter(expr_parser *p)
{
    return p->depth++ <= NESTING_MAX ||
           expr_fail(p, p->token.begin, "brackets and signs are nested more than %d levels deep",
                     NESTING_MAX);
}
