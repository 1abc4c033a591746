// keyword.h - the syntax of keyword files: words and numbers in a fixed order.
//
// A file is a row of tokens between white space; '%' starts a comment that ends with the line. A
// token is a number when all of it is one for text_to_double (12, -.5, 1.5E-2; at most 127
// characters), else a word. Words are compared in any case. Lines end with LF, CR LF or CR; a UTF-8
// byte order mark at the start is skipped. A byte that is not printable ASCII is rejected outside a
// comment, a NUL byte everywhere.
//
// A cursor stands before one token, cursor.token. A reader says what it expects; the first thing
// that is not so is written to the mc_error as
//     file:line:column: found "MAS", expected MASS (mass of the vehicle, kg)
// and kept as cursor.status. From then on every call leaves the cursor unchanged, gives zeros and
// returns that status: a reader may ask for a whole group of values and look at the status once.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { KEYWORD_FILE_MAX = 1 << 30 }; // bytes; lines and columns then fit an int

typedef enum keyword_kind {
    KEYWORD_END,
    KEYWORD_WORD,
    KEYWORD_NUMBER,
    KEYWORD_BAD_BYTE, // one byte that may not be there
} keyword_kind;

typedef struct keyword_token {
    keyword_kind kind;
    size_t begin, end; // bytes [begin, end) of the file
    int line, column;  // of its first byte, from 1; column in bytes
    double value;      // of a number
} keyword_token;

typedef struct keyword_cursor {
    const char *file;  // name for messages
    const char *bytes; // the whole file; need not end with '\0'
    size_t length;
    mc_error *error;
    mc_status status;
    keyword_token token; // the next one, not yet taken
    size_t next;         // where the cursor reads on: offset, line, column
    int next_line, next_column;
} keyword_cursor;

// Stands before the first token. file, bytes and error must outlive the cursor. A file above
// KEYWORD_FILE_MAX is rejected.
mc_status keyword_begin(keyword_cursor *cursor, const char *file, const char *bytes, size_t length,
                        mc_error *error);

// True when the next token is this word, in any case, and nothing has failed.
bool keyword_is(const keyword_cursor *cursor, const char *word);

// Takes the next token, whatever it is; the end of the file or a bad byte stays the next token.
keyword_token keyword_take(keyword_cursor *cursor);

// Takes the given word. meaning, unit: for the message, or NULL; unit "-" is left out.
mc_status keyword_expect(keyword_cursor *cursor, const char *word, const char *meaning,
                         const char *unit);

// Takes a number. name is the word it belongs to, for the message. A number above the largest
// double is rejected.
mc_status keyword_number(keyword_cursor *cursor, const char *name, double *value);

// Takes a whole number within min .. max, written without point or exponent.
mc_status keyword_integer(keyword_cursor *cursor, const char *name, int min, int max, int *value);

// Takes the number of one row of a parameter table and checks its range. *token may be NULL.
mc_status keyword_value(keyword_cursor *cursor, const mc_param *row, double *value,
                        keyword_token *token);

// Takes row->name and its number.
mc_status keyword_param(keyword_cursor *cursor, const mc_param *row, double *value,
                        keyword_token *token);

// Rejects the next token: "found ..., expected " and the rest from format.
mc_status keyword_reject(keyword_cursor *cursor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Reports an error at the place of a token already taken; the text is format alone.
mc_status keyword_blame(keyword_cursor *cursor, const keyword_token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// "NU 0.6 is out of range: Poisson's ratio of the chassis must be in -0.99 .. 0.499", at the place
// of token. name: the word the user wrote the number after.
mc_status keyword_out_of_range(keyword_cursor *cursor, const keyword_token *token, const char *name,
                               const mc_param *row);

enum { KEYWORD_QUOTE_SIZE = 48 };

// The text of a token for a message, shortened with "..." if long; returns buffer.
const char *keyword_quote(const keyword_cursor *cursor, const keyword_token *token,
                          char buffer[KEYWORD_QUOTE_SIZE]);
