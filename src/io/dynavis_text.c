// dynavis_text.c - lines and words.
#include "io/dynavis_text.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_LENGTH_MAX = 127, TEXT_MAX = 512 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

mc_status dynavis_text_begin(dynavis_text *text, const char *file, const char *bytes, size_t length,
                             mc_error *error)
{
    *text = (dynavis_text){.file = file, .bytes = bytes, .length = length, .error = error};
    if (length > DYNAVIS_FILE_MAX) {
        text->length = 0;
        return mc_error_set(error, MC_BAD_INPUT, file, 0, 0,
                            "the file has %zu bytes; expected at most %d", length,
                            (int)DYNAVIS_FILE_MAX);
    }
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        text->next = 3;
    return MC_OK;
}

// To the next line, whatever is on it.
static bool step(dynavis_text *text)
{
    if (text->next >= text->length)
        return false;
    text->line++;
    text->begin = text->at = text->end = text->next;
    while (text->end < text->length && !is_line_end(text->bytes[text->end]))
        text->end++;
    text->next = text->end + 1;
    if (text->next < text->length && text->bytes[text->end] == '\r' &&
        text->bytes[text->next] == '\n')
        text->next++;
    return true;
}

bool dynavis_text_line(dynavis_text *text, bool comments)
{
    dynavis_word word;
    while (step(text))
        if (dynavis_text_word(text, &word) && !(comments && word.text[0] == '#')) {
            text->at = text->begin;
            return true;
        }
    text->begin = text->end = text->at = text->length;
    return false;
}

bool dynavis_text_word(dynavis_text *text, dynavis_word *word)
{
    while (text->at < text->end && is_blank(text->bytes[text->at]))
        text->at++;
    const size_t begin = text->at;
    while (text->at < text->end && !is_blank(text->bytes[text->at]))
        text->at++;
    *word = (dynavis_word){text->bytes + begin, text->at - begin, (int)(begin - text->begin) + 1};
    return word->length > 0;
}

int dynavis_text_rest(const dynavis_text *text)
{
    dynavis_text copy = *text;
    dynavis_word word;
    int count = 0;
    while (dynavis_text_word(&copy, &word))
        count++;
    return count;
}

bool dynavis_word_number(const dynavis_word *word, double *value)
{
    char copy[NUMBER_LENGTH_MAX + 1];
    if (word->length > NUMBER_LENGTH_MAX || memchr(word->text, '\0', word->length))
        return false;
    memcpy(copy, word->text, word->length);
    copy[word->length] = '\0';
    return text_to_double(copy, value);
}

bool dynavis_word_is(const dynavis_word *word, const char *known)
{
    return strlen(known) == word->length && strncasecmp(known, word->text, word->length) == 0;
}

const char *dynavis_quote(const char *bytes, size_t length, char buffer[DYNAVIS_QUOTE_SIZE])
{
    const size_t room = DYNAVIS_QUOTE_SIZE - 1;
    const bool cut = length > room;
    const size_t used = cut ? room - 3 : length;
    for (size_t i = 0; i < used; i++)
        buffer[i] = bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '?';
    strcpy(buffer + used, cut ? "..." : "");
    return buffer;
}

// The excerpt: a piece of the line that is long enough to be shortened where it must be.
static void quote_line(const dynavis_text *text, int column)
{
    enum { SIDE = 200 };
    char piece[2 * SIDE + 1];
    const size_t place = text->begin + (size_t)(column > 0 ? column - 1 : 0);
    const size_t at = place < text->end ? place : text->end;
    const size_t begin = at - text->begin > SIDE ? at - SIDE : text->begin;
    const size_t end = text->end - at > SIDE ? at + SIDE : text->end;
    for (size_t i = begin; i < end; i++)
        piece[i - begin] = text->bytes[i] == '\0' ? '?' : text->bytes[i];
    piece[end - begin] = '\0';
    mc_error_quote(text->error, piece, (int)(at - begin));
}

mc_status dynavis_text_blame(dynavis_text *text, int column, const char *format, ...)
{
    char message[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    mc_error_set(text->error, MC_BAD_INPUT, text->file, text->line, column, "%s", message);
    quote_line(text, column);
    return MC_BAD_INPUT;
}

int dynavis_text_end_column(const dynavis_text *text)
{
    size_t end = text->end;
    while (end > text->begin && is_blank(text->bytes[end - 1]))
        end--;
    return (int)(end - text->begin) + 1;
}

mc_status dynavis_text_name(dynavis_text *text, const char *name, size_t length, char *out,
                            size_t size)
{
    const int column = (int)(name - (text->bytes + text->begin)) + 1;
    if (length >= size)
        return dynavis_text_blame(text, column, "the name has %zu bytes; expected at most %zu",
                                  length, size - 1);
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)name[i];
        if ((byte < ' ' && byte != '\t') || byte == 0x7f)
            return dynavis_text_blame(text, column + (int)i,
                                      "found byte 0x%02X in the name, expected text", byte);
    }
    memcpy(out, name, length);
    out[length] = '\0';
    return MC_OK;
}
