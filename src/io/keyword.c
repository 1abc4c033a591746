// keyword.c - the scanner of keyword files and the messages of what was expected.
#include "io/keyword.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_LENGTH_MAX = 127, TEXT_MAX = 512 };

// ---- characters: ASCII by hand, because <ctype.h> depends on the locale

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r'); // \t \n \v \f \r
}

static bool is_printable(char c)
{
    return c > ' ' && c <= '~';
}

static char to_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

// ---- scanner

// Steps over one byte and keeps the count of lines; the CR of CR LF does not end the line.
static void step(keyword_cursor *cursor)
{
    const char c = cursor->bytes[cursor->next++];
    const bool pair = cursor->next < cursor->length && cursor->bytes[cursor->next] == '\n';
    if (c == '\n' || (c == '\r' && !pair)) {
        cursor->next_line++;
        cursor->next_column = 1;
    } else {
        cursor->next_column++;
    }
}

// Steps over white space and comments; stops at a token, a byte not allowed, or the end.
static void skip_blank(keyword_cursor *cursor)
{
    bool comment = false;
    for (; cursor->next < cursor->length; step(cursor)) {
        const char c = cursor->bytes[cursor->next];
        if (c == '\n' || c == '\r')
            comment = false;
        else if (c == '%')
            comment = true;
        else if (c == '\0' || (!comment && !is_space(c)))
            return;
    }
}

// The text of a token as a string; empty when it is too long for a number.
static void copy_token(const keyword_cursor *cursor, char text[NUMBER_LENGTH_MAX + 1])
{
    const keyword_token *token = &cursor->token;
    const size_t length = token->end - token->begin;
    const size_t used = length <= NUMBER_LENGTH_MAX ? length : 0;
    if (used)
        memcpy(text, cursor->bytes + token->begin, used);
    text[used] = '\0';
}

static void scan(keyword_cursor *cursor)
{
    skip_blank(cursor);
    keyword_token *token = &cursor->token;
    *token = (keyword_token){KEYWORD_END,       cursor->next,        cursor->next,
                             cursor->next_line, cursor->next_column, 0.0};
    if (cursor->next == cursor->length)
        return;
    if (!is_printable(cursor->bytes[cursor->next])) {
        token->kind = KEYWORD_BAD_BYTE;
        token->end = token->begin + 1;
        return; // nothing is read after it
    }
    for (; cursor->next < cursor->length; step(cursor)) {
        const char c = cursor->bytes[cursor->next];
        if (c == '%' || !is_printable(c))
            break;
    }
    token->end = cursor->next;
    char text[NUMBER_LENGTH_MAX + 1];
    copy_token(cursor, text);
    token->kind = text_to_double(text, &token->value) ? KEYWORD_NUMBER : KEYWORD_WORD;
}

mc_status keyword_begin(keyword_cursor *cursor, const char *file, const char *bytes, size_t length,
                        mc_error *error)
{
    *cursor = (keyword_cursor){.file = file,
                               .bytes = bytes,
                               .length = length,
                               .error = error,
                               .next_line = 1,
                               .next_column = 1,
                               .token = {.line = 1, .column = 1}};
    if (length > KEYWORD_FILE_MAX) {
        cursor->length = 0;
        cursor->status = mc_error_set(error, MC_BAD_INPUT, file, 0, 0,
                                      "the file has %zu bytes, expected at most %d", length,
                                      (int)KEYWORD_FILE_MAX);
        return cursor->status;
    }
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        cursor->next = 3;
    scan(cursor);
    return MC_OK;
}

// ---- messages

const char *keyword_quote(const keyword_cursor *cursor, const keyword_token *token,
                          char buffer[KEYWORD_QUOTE_SIZE])
{
    const size_t length = token->end - token->begin, room = KEYWORD_QUOTE_SIZE - 1;
    const bool cut = length > room;
    snprintf(buffer, KEYWORD_QUOTE_SIZE, "%.*s%s", (int)(cut ? room - 3 : length),
             cursor->bytes + token->begin, cut ? "..." : "");
    return buffer;
}

static mc_status fail(keyword_cursor *cursor, const keyword_token *token, const char *text)
{
    if (cursor->status == MC_OK)
        cursor->status = mc_error_set(cursor->error, MC_BAD_INPUT, cursor->file, token->line,
                                      token->column, "%s", text);
    return cursor->status;
}

mc_status keyword_blame(keyword_cursor *cursor, const keyword_token *token, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail(cursor, token, text);
}

mc_status keyword_reject(keyword_cursor *cursor, const char *format, ...)
{
    const keyword_token *token = &cursor->token;
    char expected[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);

    char quote[KEYWORD_QUOTE_SIZE];
    switch (token->kind) {
    case KEYWORD_BAD_BYTE: {
        const unsigned byte = (unsigned char)cursor->bytes[token->begin];
        if (byte == 0)
            return fail(cursor, token, "found byte 0x00, expected text");
        return keyword_blame(cursor, token, "found byte 0x%02X, expected plain ASCII text%s", byte,
                             byte >= 0x80 ? " (other characters only in % comments)" : "");
    }
    case KEYWORD_END:
        return keyword_blame(cursor, token, "found the end of the file, expected %s", expected);
    default:
        return keyword_blame(cursor, token, "found \"%s\", expected %s",
                             keyword_quote(cursor, token, quote), expected);
    }
}

// The unit with what goes before it, or nothing for a dimensionless number.
static const char *unit_text(const char *unit, const char *before, char *buffer, int size)
{
    const bool pure = !unit || strcmp(unit, "-") == 0;
    snprintf(buffer, (size_t)size, "%s%s", pure ? "" : before, pure ? "" : unit);
    return buffer;
}

mc_status keyword_out_of_range(keyword_cursor *cursor, const keyword_token *token, const char *name,
                               const mc_param *row)
{
    char quote[KEYWORD_QUOTE_SIZE], unit[32];
    return keyword_blame(cursor, token, "%s %s is out of range: %s must be in %g .. %g%s", name,
                         keyword_quote(cursor, token, quote), row->doc, row->min, row->max,
                         unit_text(row->unit, " ", unit, sizeof unit));
}

// ---- what a reader asks for

bool keyword_is(const keyword_cursor *cursor, const char *word)
{
    const keyword_token *token = &cursor->token;
    const size_t length = token->end - token->begin;
    if (cursor->status != MC_OK || token->kind != KEYWORD_WORD || strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (to_upper(cursor->bytes[token->begin + i]) != to_upper(word[i]))
            return false;
    return true;
}

keyword_token keyword_take(keyword_cursor *cursor)
{
    const keyword_token token = cursor->token;
    if (cursor->status == MC_OK)
        scan(cursor);
    return token;
}

mc_status keyword_expect(keyword_cursor *cursor, const char *word, const char *meaning,
                         const char *unit)
{
    if (cursor->status != MC_OK)
        return cursor->status;
    if (!keyword_is(cursor, word)) {
        char buffer[32];
        unit_text(unit, ", ", buffer, sizeof buffer);
        return meaning ? keyword_reject(cursor, "%s (%s%s)", word, meaning, buffer)
                       : keyword_reject(cursor, "%s", word);
    }
    keyword_take(cursor);
    return MC_OK;
}

// A decimal number, but for the size of its exponent.
static bool is_too_large(char *text)
{
    char *exponent = strpbrk(text, "eE");
    double mantissa;
    int power;
    if (!exponent)
        return false;
    *exponent = '\0';
    return text_to_double(text, &mantissa) && text_to_int(exponent + 1, &power);
}

mc_status keyword_number(keyword_cursor *cursor, const char *name, double *value)
{
    *value = 0.0;
    if (cursor->status != MC_OK)
        return cursor->status;
    if (cursor->token.kind != KEYWORD_NUMBER) {
        char text[NUMBER_LENGTH_MAX + 1];
        copy_token(cursor, text);
        return keyword_reject(cursor, "a number%s after %s",
                              is_too_large(text) ? " within +-1.8e308" : "", name);
    }
    *value = keyword_take(cursor).value;
    return MC_OK;
}

mc_status keyword_integer(keyword_cursor *cursor, const char *name, int min, int max, int *value)
{
    *value = 0;
    if (cursor->status != MC_OK)
        return cursor->status;
    char text[NUMBER_LENGTH_MAX + 1];
    int number;
    copy_token(cursor, text);
    if (!text_to_int(text, &number) || number < min || number > max)
        return keyword_reject(cursor, "a whole number within %d .. %d after %s", min, max, name);
    *value = number;
    keyword_take(cursor);
    return MC_OK;
}

mc_status keyword_value(keyword_cursor *cursor, const mc_param *row, double *value,
                        keyword_token *token)
{
    const keyword_token written = cursor->token;
    if (token)
        *token = written;
    if (keyword_number(cursor, row->name, value) == MC_OK &&
        !(*value >= row->min && *value <= row->max)) {
        *value = 0.0;
        keyword_out_of_range(cursor, &written, row->name, row);
    }
    return cursor->status;
}

mc_status keyword_param(keyword_cursor *cursor, const mc_param *row, double *value,
                        keyword_token *token)
{
    keyword_expect(cursor, row->name, row->doc, row->unit);
    return keyword_value(cursor, row, value, token);
}
