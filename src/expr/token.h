// token.h - the words, numbers and signs of a formula.
#pragma once

typedef enum expr_token_kind {
    EXPR_TOKEN_END,
    EXPR_TOKEN_NUMBER, // 12 .5 3. 1.5e-3
    EXPR_TOKEN_WORD,   // letters, digits, '_'; parts joined by points without blanks
    EXPR_TOKEN_SIGN,   // sign: one of ( ) [ ] , ; + - * / ^ < > . or a pair, see EXPR_PAIR
    EXPR_TOKEN_BAD,    // what no formula has: wrong says what and what to write instead
} expr_token_kind;

#define EXPR_PAIR(first, second) ((first) << 8 | (second)) // sign of <= >= == !=

typedef struct expr_token {
    expr_token_kind kind;
    int begin, end;  // bytes of the text
    int sign;        // of a SIGN
    double value;    // of a NUMBER
    char wrong[120]; // of a BAD
} expr_token;

enum { EXPR_WORD_MAX = 63 };

// The token at or after byte `at`, blanks and line ends passed over.
void expr_token_read(const char *text, int at, expr_token *token);
