// error.c - filling and formatting mc_error.
#include "motorcade/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

mc_status mc_error_set(mc_error *error, mc_status code, const char *file, int line, int column,
                       const char *format, ...)
{
    if (error) {
        error->code = code;
        error->line = line;
        error->column = column;
        error->excerpt[0] = '\0';
        error->caret = 0;
        error->vehicle = 0;
        snprintf(error->file, sizeof error->file, "%s", file ? file : "");
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return code;
}

// Whether the byte at s is within a UTF-8 character, not at its beginning.
static bool inside_character(const char *s)
{
    return ((unsigned char)*s & 0xc0) == 0x80;
}

void mc_error_quote(mc_error *error, const char *text, int offset)
{
    enum { WIDTH = 100, DOTS = 3 };
    _Static_assert(WIDTH + 2 * DOTS < sizeof error->excerpt, "dots on both sides fit");
    if (!error)
        return;
    const int length = (int)strlen(text);
    const int at = offset < 0 ? 0 : offset > length ? length : offset;
    int begin = at, end = at;
    while (begin > 0 && !strchr("\r\n", text[begin - 1]))
        begin--;
    end += (int)strcspn(text + end, "\r\n");
    // Of a long line, what is around the place.
    int first = begin, last = end;
    if (end - begin > WIDTH) {
        first = at - WIDTH / 2 > begin ? at - WIDTH / 2 : begin;
        first = first + WIDTH > end ? end - WIDTH : first;
        last = first + WIDTH;
        while (first < at && inside_character(text + first))
            first++;
        while (last > at && inside_character(text + last))
            last--;
    }
    char *out = error->excerpt;
    const int dots = first > begin ? DOTS : 0;
    memcpy(out, "...", (size_t)dots);
    out += dots;
    for (int i = first; i < last; i++) {
        const unsigned char c = (unsigned char)text[i];
        *out++ = c == '\t' ? ' ' : c < ' ' || c == 0x7f ? '?' : text[i];
    }
    strcpy(out, last < end ? "..." : "");
    error->caret = at - first + dots + 1;
}

const char *mc_error_format(const mc_error *error, char *buffer, int size)
{
    if (error->file[0] == '\0' && error->vehicle > 0)
        snprintf(buffer, (size_t)size, "vehicle %d: %s", error->vehicle, error->text);
    else if (error->file[0] == '\0')
        snprintf(buffer, (size_t)size, "%s", error->text);
    else if (error->line <= 0)
        snprintf(buffer, (size_t)size, "%s: %s", error->file, error->text);
    else if (error->column <= 0)
        snprintf(buffer, (size_t)size, "%s:%d: %s", error->file, error->line, error->text);
    else
        snprintf(buffer, (size_t)size, "%s:%d:%d: %s", error->file, error->line, error->column,
                 error->text);
    return buffer;
}

int mc_status_exit_code(mc_status status)
{
    return status == MC_OK ? 0 : status == MC_BAD_INPUT ? 2 : 1;
}
