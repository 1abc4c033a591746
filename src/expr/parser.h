// parser.h - what the files of the reader of formulas share: parse.c has the grammar, parser.c
// errors and tokens, parse_value.c names and quantities, language.c the functions.
//
// Functions that return bool return false when they have failed; the error is then filled.
#pragma once

#include "expr/parse.h"
#include "expr/token.h"
#include "expr/unit_table.h"

typedef struct expr_parser {
    const expr_scope *scope;
    expr_graph *graph; // of the scope
    const expr_source *source;
    mc_error *error;
    mc_status status;
    expr_token token; // the next one, not yet taken
    int depth;        // of nesting
} expr_parser;

// An operand and where it begins.
typedef struct expr_term {
    expr_value value;
    int at;
} expr_term;

// A function of the language that is not in function.h's table.
typedef struct expr_builtin {
    const char *name;
    int min, max;      // arguments; max 0: any number from min on
    const char *usage; // what it is called with
    const char *doc;
    // argument: count terms, scalars unless vectors is set. NULL: parse.c reads it (tables).
    bool (*build)(expr_parser *p, const expr_term *argument, int count, expr_value *out);
    bool vectors;
} expr_builtin;

const expr_builtin *expr_builtin_at(int i); // NULL past the end

enum { EXPR_POINT_MAX = 256 };

// A table of count points, x strictly increasing: linear, or for spline (all y constant) cubic.
expr_value expr_build_table(expr_parser *p, expr_id x, const double *at, const expr_value *y,
                            int count, bool spline);

// Calls function f of function.h's table; checks dimensions.
bool expr_build_call(expr_parser *p, int f, const expr_term *argument, expr_value *out);

// a^b; at: the place to complain about.
bool expr_build_power(expr_parser *p, const expr_term *a, const expr_term *b, int at,
                      expr_value *out);

// Reports what is wrong at byte `at`; false.
bool expr_fail(expr_parser *p, int at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// One value or the other: equal sizes and dimensions, else "cannot <verb> ...". *unit becomes what
// is known.
bool expr_match(expr_parser *p, const char *verb, const expr_value *a, const expr_value *b, int at,
                expr_unit *unit);

// The value must have no dimension; what: "the exponent".
bool expr_need_plain(expr_parser *p, const expr_term *term, const char *what);

// ---- errors: parser.c ------------------------------------------------------------------------

// Line and column of byte `at` in the file, or in the formula when that is not known.
void expr_place_of(const expr_source *source, int at, int *line, int *column);
const char *expr_words_of(expr_unit unit, char out[48]); // "m/s", "a dimensionless number"
bool expr_need_scalar(expr_parser *p, const expr_term *term, const char *what);
bool expr_all_const(const expr_parser *p, const expr_value *value);
// A constant must be finite. constant: all operands were, so the result is, unless it has no value.
bool expr_need_finite(expr_parser *p, bool constant, const expr_value *value, int at);
bool expr_enter(expr_parser *p); // one level deeper; fails at the limit. Leave by depth--.

// ---- tokens: parser.c ------------------------------------------------------------------------

void expr_advance(expr_parser *p);
bool expr_at_sign(const expr_parser *p, int sign);
bool expr_at_word(const expr_parser *p, const char *word);
bool expr_token_is(const expr_parser *p, const expr_token *token, const char *word);
bool expr_is_operator_word(const expr_parser *p, const expr_token *token);
void expr_copy_word(const expr_parser *p, const expr_token *token, char word[EXPR_WORD_MAX + 1]);
bool expr_decimal_comma(const char *text, int at); // a comma between two digits

// The next token is not the expected one. After a complete value a missing * may be the reason.
bool expr_unexpected(expr_parser *p, const char *expected);
bool expr_unexpected_behind(expr_parser *p, const char *expected);
bool expr_close_bracket(expr_parser *p, int sign, int open); // takes it, or complains

// ---- names and quantities: parse_value.c -----------------------------------------------------

bool expr_resolve(const expr_parser *p, const char *word, expr_value *out);
int expr_find_function(const char *word);                // -1: not in function.h's table
const expr_builtin *expr_find_builtin(const char *word); // NULL: not in language.c's table
bool expr_is_function(const char *word);
bool expr_unknown_function(expr_parser *p, int at, const char *word);
bool expr_parse_name(expr_parser *p, expr_term *out);
bool expr_parse_quantity(expr_parser *p, double *value, expr_unit *unit); // number [unit]
