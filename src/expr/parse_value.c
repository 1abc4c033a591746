// parse_value.c - names, and numbers with their units.
#include "expr/function.h"
#include "expr/parser.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- names ------------------------------------------------------------------------------------

bool expr_resolve(const expr_parser *p, const char *word, expr_value *out)
{
    return p->scope->resolve && p->scope->resolve(p->scope->context, word, out);
}

// The name in scope that is nearest to word, or NULL.
static const char *nearest_name(const expr_parser *p, const char *word)
{
    int count = 0;
    while (p->scope->name_at && p->scope->name_at(p->scope->context, count))
        count++;
    const char **names = count ? malloc((size_t)count * sizeof *names) : NULL;
    if (!names)
        return NULL;
    for (int i = 0; i < count; i++)
        names[i] = p->scope->name_at(p->scope->context, i);
    const char *near = text_nearest(word, names, count);
    free(names);
    return near;
}

int expr_find_function(const char *word)
{
    for (int f = 0; f < EXPR_FUNCTION_COUNT; f++)
        if (strcmp(expr_function_at(f)->name, word) == 0)
            return f;
    return -1;
}

const expr_builtin *expr_find_builtin(const char *word)
{
    const expr_builtin *row;
    for (int i = 0; (row = expr_builtin_at(i)); i++)
        if (strcmp(row->name, word) == 0)
            return row;
    return NULL;
}

bool expr_is_function(const char *word)
{
    return expr_find_function(word) >= 0 || expr_find_builtin(word);
}

// Names of other programs.
static const char *const other_names[][2] = {
    {"ln", "log"},        {"arcsin", "asin"},    {"arccos", "acos"},    {"arctan", "atan"},
    {"arctan2", "atan2"}, {"fabs", "abs"},       {"fmin", "min"},       {"fmax", "max"},
    {"fmod", "mod"},      {"limit", "clamp"},    {"saturate", "clamp"}, {"signum", "sign"},
    {"sgn", "sign"},      {"heaviside", "step"}, {"interp", "table"},   {"interp1", "table"},
    {"lookup", "table"},  {"length", "norm"},    {"mag", "norm"},       {"normalize", "unit"},
    {"ifelse", "if"},     {"where", "if"},       {"select", "if"},      {"iif", "if"},
    {"akispl", "spline"}, {"cubspl", "spline"},
};

bool expr_unknown_function(expr_parser *p, int at, const char *word)
{
    const char *known[EXPR_FUNCTION_COUNT + 64], *near = NULL;
    expr_value value;
    if (expr_resolve(p, word, &value))
        return expr_fail(p, at, "unknown function \"%s\"; a product is written with *: %s*(...)",
                         word, word);
    int count = 0;
    for (int f = 0; f < EXPR_FUNCTION_COUNT; f++)
        known[count++] = expr_function_at(f)->name;
    for (int i = 0; i < 64 && expr_builtin_at(i); i++)
        known[count++] = expr_builtin_at(i)->name;
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++)
        if (strcmp(word, other_names[i][0]) == 0)
            near = other_names[i][1];
    near = near ? near : text_nearest(word, known, count);
    return expr_fail(p, at, "unknown function \"%s\"%s%s%s", word, near ? ", did you mean \"" : "",
                     near ? near : "", near ? "\"?" : "");
}

// The last part of word when it is .x, .y or .z: 0, 1, 2; -1: it is not.
static int component_of(const char *word)
{
    const size_t length = strlen(word);
    if (length < 3 || word[length - 2] != '.' || word[length - 1] < 'x')
        return -1;
    return word[length - 1] <= 'z' ? word[length - 1] - 'x' : -1;
}

// The name in scope that may have been meant; of a component, that of its vector comes first.
static const char *meant_name(const expr_parser *p, const char *word, char out[EXPR_WORD_MAX + 8])
{
    char vector[EXPR_WORD_MAX + 1];
    const int component = component_of(word);
    if (component >= 0) {
        snprintf(vector, sizeof vector, "%.*s", (int)strlen(word) - 2, word);
        const char *near = nearest_name(p, vector);
        if (near && strlen(near) <= EXPR_WORD_MAX) {
            snprintf(out, EXPR_WORD_MAX + 8, "%s.%c", near, "xyz"[component]);
            return out;
        }
    }
    return nearest_name(p, word);
}

static bool unknown_name(expr_parser *p, int at, const char *word)
{
    char component[EXPR_WORD_MAX + 8];
    if (expr_is_function(word))
        return expr_fail(p, at, "\"%s\" is a function, expected \"(\" after it", word);
    const char *near = meant_name(p, word, component);
    if (near)
        return expr_fail(p, at, "unknown name \"%s\"; did you mean \"%s\"?", word, near);
    if (expr_unit_find(word, (int)strlen(word)))
        return expr_fail(p, at, "unknown name \"%s\"; as a unit it must follow a number, 1 %s",
                         word, word);
    return expr_fail(p, at, "unknown name \"%s\"", word);
}

bool expr_parse_name(expr_parser *p, expr_term *out)
{
    char word[EXPR_WORD_MAX + 1];
    expr_copy_word(p, &p->token, word);
    const int at = p->token.begin;
    bool found = expr_resolve(p, word, &out->value);
    const int component = component_of(word);
    if (!found && component >= 0) {
        word[strlen(word) - 2] = '\0';
        expr_value vector;
        found = expr_resolve(p, word, &vector);
        if (found && vector.size != 3)
            return expr_fail(p, p->token.end - 2, "\"%s\" is a scalar and has no components", word);
        if (found)
            out->value = (expr_value){{vector.v[component], EXPR_NONE, EXPR_NONE}, 1, vector.unit};
        word[strlen(word)] = '.';
    }
    if (!found)
        return unknown_name(p, at, word);
    expr_advance(p);
    return true;
}

// ---- numbers and units ------------------------------------------------------------------------

// The unit from `begin` on is not understood at `at`, where `length` bytes of it are left.
static bool unknown_unit(expr_parser *p, int begin, int at, int length)
{
    const char *known[128];
    char word[EXPR_WORD_MAX + 1];
    const char *text = p->source->text + at;
    int count = 0, letters = 0;
    while (count < 128 && expr_unit_at(count)) {
        known[count] = expr_unit_at(count)->name;
        count++;
    }
    while (letters < length && letters < EXPR_WORD_MAX &&
           (text[letters] == '_' || (text[letters] >= '0' && text[letters] <= '9') ||
            (text[letters] >= 'a' && text[letters] <= 'z') ||
            (text[letters] >= 'A' && text[letters] <= 'Z')))
        letters++;
    memcpy(word, text, (size_t)letters);
    word[letters] = '\0';
    if (letters == 0)
        return expr_fail(p, at, "expected a unit such as m/s^2, N*m or N/(m/s)");
    if (expr_unit_find(word, letters)) { // then it is a product after a slash, or too much of it
        int before = at - 1;
        while (before > begin && strchr(" \t\r\n", p->source->text[before]))
            before--;
        if (at > begin && !strchr("*/(", p->source->text[before]))
            return expr_fail(p, at, "\"%s\" follows a slash: write N/(m s) or N/m*s", word);
        return expr_fail(p, at, "the power of the unit \"%s\" is too large", word);
    }
    const char *near = text_nearest(word, known, count);
    return expr_fail(p, at, "\"%s\" is not a unit%s%s%s", word, near ? ", did you mean \"" : "",
                     near ? near : "", near ? "\"?" : "");
}

// Multiplies the number by the unit written in bytes begin .. end.
static bool apply_unit(expr_parser *p, int begin, int end, double *number, expr_unit *unit)
{
    double numerator, denominator;
    int bad;
    if (!expr_unit_ratio(p->source->text + begin, end - begin, unit, &numerator, &denominator,
                         &bad))
        return unknown_unit(p, begin, begin + bad, end - begin - bad);
    *number = *number * numerator / denominator;
    return isfinite(*number) || expr_fail(p, begin, "the number is too large in SI units");
}

// A word of a unit, and not the name of a function that is called (min).
static bool is_unit_word(const expr_parser *p, const expr_token *token)
{
    if (token->kind != EXPR_TOKEN_WORD ||
        !expr_unit_find(p->source->text + token->begin, token->end - token->begin))
        return false;
    expr_token next;
    expr_token_read(p->source->text, token->end, &next);
    return next.kind != EXPR_TOKEN_SIGN || next.sign != '(' || !expr_token_is(p, token, "min");
}

// Where a unit is read: the number before it, its first word, its end so far.
typedef struct unit_place {
    int number, begin, end;
} unit_place;

static bool inline_unit(expr_parser *p, int number, int *end);

// A unit word that is a name too: says how to write the one and the other.
static bool check_ambiguous(expr_parser *p, const expr_token *token, const unit_place *at)
{
    static const expr_scope nothing = {0};
    char word[EXPR_WORD_MAX + 1];
    expr_value value;
    expr_copy_word(p, token, word);
    if (!expr_resolve(p, word, &value))
        return true;
    // The whole unit, as it is where nothing has a name.
    expr_parser nameless = *p;
    nameless.scope = &nothing;
    nameless.error = NULL;
    int end;
    if (!inline_unit(&nameless, at->number, &end))
        end = token->end;
    if (end - at->number > 60)
        return expr_fail(p, token->begin, "\"%s\" is a unit and a name: write the unit in [ ]",
                         word);
    const char *text = p->source->text, *number = text + at->number;
    int digits = at->begin - at->number;
    while (strchr(" \t\r\n", number[digits - 1]))
        digits--;
    const int sign = text[at->end + (int)strspn(text + at->end, " \t\r\n")] == '/' ? '/' : '*';
    const bool first = at->end == at->begin;
    return expr_fail(
        p, token->begin,
        "\"%s\" is a unit and a name: write %.*s [%.*s] for the unit, %s%.*s%s%c%s for "
        "the name",
        word, digits, number, end - at->begin, text + at->begin, first ? "" : "(",
        first ? digits : at->end - at->number, number, first ? "" : ")", first ? '*' : sign, word);
}

// A group "( ... )" that has only words of units, powers, * and /: `at` becomes its end.
static bool unit_group(const expr_parser *p, const expr_token *open, int *at)
{
    const char *text = p->source->text;
    expr_token t = *open;
    int depth = 0, words = 0;
    do {
        if (t.kind == EXPR_TOKEN_SIGN && (t.sign == '(' || t.sign == ')'))
            depth += t.sign == '(' ? 1 : -1;
        else if (is_unit_word(p, &t))
            words++;
        else if (t.kind != EXPR_TOKEN_NUMBER &&
                 (t.kind != EXPR_TOKEN_SIGN || !strchr("*/^-", t.sign) || t.sign > 127))
            return false;
        *at = t.end;
        expr_token_read(text, t.end, &t);
    } while (depth > 0);
    return words > 0;
}

// "^" and a whole number after a unit, if there is one.
static bool skip_power(expr_parser *p, unit_place *at)
{
    const char *text = p->source->text;
    expr_token hat, power;
    expr_token_read(text, at->end, &hat);
    if (hat.kind != EXPR_TOKEN_SIGN || hat.sign != '^')
        return true;
    expr_token_read(text, hat.end, &power);
    if (power.kind == EXPR_TOKEN_SIGN && (power.sign == '-' || power.sign == '+'))
        expr_token_read(text, power.end, &power);
    if (power.kind != EXPR_TOKEN_NUMBER ||
        strcspn(text + power.begin, ".eE") < (size_t)(power.end - power.begin))
        return expr_fail(p, hat.begin,
                         "the power of a unit is a whole number; for a power of the value write "
                         "(%.*s)^...",
                         at->end - at->number < 40 ? at->end - at->number : 1, text + at->number);
    at->end = power.end;
    return true;
}

// Takes the word or the group that begins with token.
static bool take_units(expr_parser *p, const expr_token *token, unit_place *at)
{
    int end = token->end;
    if (token->kind == EXPR_TOKEN_SIGN)
        unit_group(p, token, &end);
    expr_token t = *token;
    while (t.begin < end) {
        if (t.kind == EXPR_TOKEN_WORD && !check_ambiguous(p, &t, at))
            return false;
        expr_token_read(p->source->text, t.end, &t);
    }
    at->end = end;
    return skip_power(p, at);
}

// Where the unit that begins with the next token ends: takes words of units as long as they come.
static bool inline_unit(expr_parser *p, int number, int *end)
{
    const char *text = p->source->text;
    unit_place at = {number, p->token.begin, p->token.begin};
    expr_token next = p->token;
    for (;;) {
        int unused;
        if (!take_units(p, &next, &at))
            return false;
        *end = at.end;
        expr_token_read(text, at.end, &next);
        if (is_unit_word(p, &next))
            continue;
        if (next.kind != EXPR_TOKEN_SIGN || (next.sign != '*' && next.sign != '/'))
            return true;
        expr_token_read(text, next.end, &next);
        const bool open = next.kind == EXPR_TOKEN_SIGN && next.sign == '(';
        if (!is_unit_word(p, &next) && !(open && unit_group(p, &next, &unused)))
            return true;
    }
}

static bool bracketed_unit(expr_parser *p, int *end)
{
    const char *text = p->source->text;
    const int open = p->token.begin, length = (int)strcspn(text + open, "]");
    if (text[open + length] == '\0') {
        p->token = (expr_token){.kind = EXPR_TOKEN_END, .begin = open + length};
        expr_close_bracket(p, ']', open); // reports that it is missing
        return false;
    }
    *end = open + length;
    return true;
}

// A number is followed by a word that is not a unit.
static bool word_behind_number(expr_parser *p)
{
    char word[EXPR_WORD_MAX + 1];
    expr_value value;
    expr_copy_word(p, &p->token, word);
    if (expr_resolve(p, word, &value) || expr_is_function(word) || strcmp(word, "pi") == 0 ||
        strchr(word, '.'))
        return expr_unexpected_behind(p, "an operator");
    return unknown_unit(p, p->token.begin, p->token.begin, p->token.end - p->token.begin);
}

// The number that is the next token, with its unit.
bool expr_parse_quantity(expr_parser *p, double *value, expr_unit *unit)
{
    const int number = p->token.begin;
    int end;
    *value = p->token.value;
    *unit = EXPR_UNIT_UNKNOWN;
    expr_advance(p);
    const int begin = p->token.begin;
    if (expr_at_sign(p, '[')) {
        if (!bracketed_unit(p, &end) || !apply_unit(p, begin + 1, end, value, unit))
            return false;
        p->token.end = end + 1;
        expr_advance(p);
        if (expr_at_sign(p, '^'))
            return expr_fail(p, p->token.begin,
                             "write the power inside the brackets, or put (...) around number and "
                             "unit");
    } else if (is_unit_word(p, &p->token)) {
        if (!inline_unit(p, number, &end) || !apply_unit(p, begin, end, value, unit))
            return false;
        p->token.end = end;
        expr_advance(p);
    } else if (p->token.kind == EXPR_TOKEN_WORD && !expr_is_operator_word(p, &p->token)) {
        return word_behind_number(p);
    }
    return true;
}
