// token.c - cutting a formula into tokens.
#include "expr/token.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

__attribute__((format(printf, 2, 3))) static void bad(expr_token *token, const char *format, ...)
{
    token->kind = EXPR_TOKEN_BAD;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(token->wrong, sizeof token->wrong, format, arguments);
    va_end(arguments);
}

static int skip_digits(const char *text, int at)
{
    while (is_digit(text[at]))
        at++;
    return at;
}

// digits [. digits] [e [+-] digits], or . digits
static void read_number(const char *text, expr_token *token)
{
    int at = skip_digits(text, token->begin);
    if (text[at] == '.')
        at = skip_digits(text, at + 1);
    if (text[at] == 'e' || text[at] == 'E') {
        const int sign = text[at + 1] == '+' || text[at + 1] == '-';
        const int end = skip_digits(text, at + 1 + sign);
        if (end == at + 1 + sign) {
            token->end = end;
            bad(token, "the number has no digits after \"%.*s\"", 1 + sign, text + at);
            return;
        }
        at = end;
    }
    token->end = at;
    char digits[512];
    const int length = at - token->begin;
    if (text[at] == '.') {
        bad(token, "a number with two points");
    } else if ((text[at] == 'x' || text[at] == 'X') && length == 1 && text[token->begin] == '0' &&
               is_digit(text[at + 1])) {
        bad(token, "numbers are decimal, without 0x");
    } else if (text[at] == '_' && is_digit(text[at + 1])) {
        bad(token, "digits of a number cannot be separated by \"_\"");
    } else if (length >= (int)sizeof digits) {
        bad(token, "a number of %d digits, expected at most %d", length, (int)sizeof digits - 1);
    } else {
        memcpy(digits, text + token->begin, (size_t)length);
        digits[length] = '\0';
        token->kind = EXPR_TOKEN_NUMBER;
        if (!text_to_double(digits, &token->value))
            bad(token, "the number is too large, expected at most 1.79e308");
    }
}

static void read_word(const char *text, expr_token *token)
{
    int at = token->begin;
    while (is_letter(text[at]) || is_digit(text[at]) ||
           (text[at] == '.' && is_letter(text[at + 1])))
        at++;
    token->end = at;
    token->kind = EXPR_TOKEN_WORD;
    if (at - token->begin > EXPR_WORD_MAX)
        bad(token, "a name of %d letters, expected at most %d", at - token->begin, EXPR_WORD_MAX);
}

// What people type, and what a formula has instead.
static const struct {
    const char *found, *instead;
} strangers[] = {
    {"**", "a power is written ^"},
    {"&&", "write and"},
    {"&", "write and"},
    {"||", "write or"},
    {"|", "write or; the absolute value is abs(x)"},
    {"!", "write not"},
    {"=", "write == to compare"},
    {"%", "the remainder is mod(a, b); 5 percent is 0.05"},
    {"{", "brackets are ( )"},
    {"}", "brackets are ( )"},
    {"?", "a choice is written if(condition, a, b)"},
    {":", "a choice is written if(condition, a, b)"},
    {"#", "a formula has no comments"},
    {"\xc3\x97", "write *"},                                      // multiplication sign
    {"\xc2\xb7", "write *"},                                      // middle dot
    {"\xe2\x8b\x85", "write *"},                                  // dot operator
    {"\xe2\x88\x97", "write *"},                                  // asterisk operator
    {"\xc3\xb7", "write /"},                                      // division sign
    {"\xe2\x88\x92", "write -"},                                  // minus sign
    {"\xe2\x80\x93", "write -"},                                  // en dash
    {"\xc2\xb2", "write ^2"},                                     // superscript two
    {"\xc2\xb3", "write ^3"},                                     // superscript three
    {"\xc2\xb0", "write deg"},                                    // degree sign
    {"\xc2\xb5", "write u for micro"},                            // micro sign
    {"\xce\xbc", "names have ASCII letters only, mu"},            // Greek mu
    {"\xcf\x80", "write pi"},                                     // Greek pi
    {"\xe2\x88\x9a", "write sqrt(x)"},                            // square root
    {"\xe2\x89\xa4", "write <="},                                 // less or equal
    {"\xe2\x89\xa5", "write >="},                                 // greater or equal
    {"\xe2\x89\xa0", "write !="},                                 // not equal
    {"\xc2\xa0", "it looks like a blank; write a plain one"},     // no-break space
    {"\xe2\x80\x89", "it looks like a blank; write a plain one"}, // thin space
};

// Bytes of the UTF-8 character at s; 0: not one.
static int character_length(const char *s)
{
    const unsigned char c = (unsigned char)s[0];
    const int length = c >= 0xf0 && c < 0xf8 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
    for (int i = 1; i < length; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
    return c < 0xf8 ? length : 0;
}

static void read_stranger(const char *text, expr_token *token)
{
    const char *s = text + token->begin;
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        const size_t length = strlen(strangers[i].found);
        if (strncmp(s, strangers[i].found, length) == 0) {
            token->end = token->begin + (int)length;
            bad(token, "found \"%s\": %s", strangers[i].found, strangers[i].instead);
            return;
        }
    }
    const int length = character_length(s);
    token->end = token->begin + (length ? length : 1);
    if (length || (s[0] > ' ' && s[0] < 0x7f))
        bad(token, "found \"%.*s\", which is not allowed in a formula", length ? length : 1, s);
    else
        bad(token, "found the byte %d, which is not allowed in a formula", (unsigned char)s[0]);
}

static bool read_pair(const char *s, int *sign)
{
    static const char pairs[][3] = {"<=", ">=", "==", "!="};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strncmp(s, pairs[i], 2) == 0) {
            *sign = EXPR_PAIR(s[0], s[1]);
            return true;
        }
    return false;
}

void expr_token_read(const char *text, int at, expr_token *token)
{
    at += (int)strspn(text + at, " \t\r\n");
    *token = (expr_token){.kind = EXPR_TOKEN_END, .begin = at, .end = at};
    const char *s = text + at;
    if (*s == '\0')
        return;
    if (is_digit(*s) || (*s == '.' && is_digit(s[1]))) {
        read_number(text, token);
    } else if (is_letter(*s)) {
        read_word(text, token);
    } else if (read_pair(s, &token->sign)) {
        token->kind = EXPR_TOKEN_SIGN;
        token->end = at + 2;
    } else if (strchr("()[],;+-*/^<>.", *s) && strncmp(s, "**", 2) != 0) {
        token->kind = EXPR_TOKEN_SIGN;
        token->sign = *s;
        token->end = at + 1;
    } else {
        read_stranger(text, token);
    }
}
