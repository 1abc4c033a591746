// tir.c - lines of tyre property files.
#include "io/tir.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

void tir_begin(tir_reader *r, const char *text, size_t size)
{
    *r = (tir_reader){.text = text, .size = size, .line = 1};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        r->next = 3;
}

typedef struct span { // bytes [begin, end) of the file
    size_t begin, end;
} span;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

static span trim(const char *text, span s)
{
    while (s.begin < s.end && is_blank(text[s.begin]))
        s.begin++;
    while (s.end > s.begin && is_blank(text[s.end - 1]))
        s.end--;
    return s;
}

// Up to a comment that is not inside quotes.
static size_t end_of_content(const char *text, span line)
{
    char quote = '\0';
    for (size_t i = line.begin; i < line.end; i++) {
        const char c = text[i];
        if (quote)
            quote = c == quote ? '\0' : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (c == '$' || c == '!')
            return i;
    }
    return line.end;
}

// The bytes of s as a text: what is not printable becomes '?', what is too long ends with "...".
static void copy(const char *text, span s, char *out, size_t size)
{
    size_t length = s.end - s.begin;
    const bool cut = length >= size;
    length = cut ? size - 4 : length;
    for (size_t i = 0; i < length; i++) {
        const char c = text[s.begin + i];
        out[i] = c >= ' ' && c <= '~' ? c : '?';
    }
    memcpy(out + length, "...", 4);
    if (!cut)
        out[length] = '\0';
}

static bool is_name(const char *text, span s)
{
    for (size_t i = s.begin; i < s.end; i++) {
        const char c = text[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '-' || c == ' ' || c == '/' || c == '.'))
            return false;
    }
    return s.end > s.begin && s.end - s.begin < TIR_NAME_SIZE;
}

static void row(tir_line *out, const char *wrong)
{
    out->kind = TIR_ROW;
    out->name[0] = '\0';
    snprintf(out->value, sizeof out->value, "%s", wrong);
}

static void read_section(const char *text, span line, tir_line *out)
{
    const span name = trim(text, (span){line.begin + 1, line.end - 1});
    if (line.end - line.begin < 3 || text[line.end - 1] != ']' || !is_name(text, name)) {
        row(out, "a section is written [NAME]");
        return;
    }
    out->kind = TIR_SECTION;
    copy(text, name, out->name, sizeof out->name);
}

static void read_value(const char *text, span value, tir_line *out)
{
    const char quote = text[value.begin];
    if (quote == '\'' || quote == '"') {
        const size_t last = value.end - 1;
        const char *close = memchr(text + value.begin + 1, quote, value.end - value.begin - 1);
        if (!close || (size_t)(close - text) != last) {
            row(out, close ? "found more after the closing quote" : "the closing quote is missing");
            return;
        }
        out->kind = TIR_TEXT;
        copy(text, (span){value.begin + 1, last}, out->value, sizeof out->value);
        return;
    }
    copy(text, value, out->value, sizeof out->value);
    out->kind = text_to_double(out->value, &out->number) ? TIR_NUMBER : TIR_TEXT;
}

static void read_key(const char *text, span line, tir_line *out)
{
    const char *equal = memchr(text + line.begin, '=', line.end - line.begin);
    if (!equal) {
        row(out, "expected NAME = value");
        return;
    }
    const size_t at = (size_t)(equal - text);
    const span name = trim(text, (span){line.begin, at});
    const span value = trim(text, (span){at + 1, line.end});
    out->value_column = out->column + (int)(value.begin - line.begin);
    if (!is_name(text, name)) {
        row(out, "expected NAME = value");
        return;
    }
    if (value.begin == value.end) {
        out->value_column = out->column;
        row(out, "the value is missing");
        return;
    }
    copy(text, name, out->name, sizeof out->name);
    read_value(text, value, out);
}

bool tir_next(tir_reader *r, tir_line *out)
{
    while (r->next < r->size) {
        const size_t start = r->next;
        size_t end = start;
        while (end < r->size && r->text[end] != '\n' && r->text[end] != '\r')
            end++;
        r->next = end + (end < r->size);
        if (end + 1 < r->size && r->text[end] == '\r' && r->text[end + 1] == '\n')
            r->next++;
        const int line = r->line++;
        span content = {start, end_of_content(r->text, (span){start, end})};
        content = trim(r->text, content);
        if (content.begin == content.end)
            continue;
        const int column = 1 + (int)(content.begin - start);
        *out = (tir_line){.line = line, .column = column, .value_column = column};
        if (r->text[content.begin] == '[')
            read_section(r->text, content, out);
        else
            read_key(r->text, content, out);
        return true;
    }
    return false;
}
