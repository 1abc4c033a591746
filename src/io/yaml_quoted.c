// yaml_quoted.c - escapes and folded lines.
//
// Not left to libfyaml: the length that 0.7.12 takes for a text over several lines may be short or
// long; then the rest of the text is whatever the memory held before, and the buffer that it was
// to be copied from is lost.
#include "io/yaml_quoted.h"

#include <stdint.h>
#include <string.h>

typedef struct text {
    const char *at, *end;
    char *begin, *out;
    char *solid; // blanks after this are dropped at a line break; escaped ones are before it
} text;

static size_t break_length(const text *t)
{
    if (t->at == t->end || (*t->at != '\n' && *t->at != '\r'))
        return 0;
    return t->end - t->at > 1 && t->at[0] == '\r' && t->at[1] == '\n' ? 2 : 1;
}

// All breaks at this place with the blanks around them; how many there were.
static int skip_breaks(text *t)
{
    int count = 0;
    for (size_t length; (length = break_length(t)) > 0; count++) {
        t->at += length;
        while (t->at < t->end && *t->at == ' ')
            t->at++;
    }
    return count;
}

static void fold(text *t)
{
    t->out = t->solid;
    const int count = skip_breaks(t);
    if (count == 1)
        *t->out++ = ' ';
    for (int k = 1; k < count; k++)
        *t->out++ = '\n';
    t->solid = t->out;
}

static uint32_t hexadecimal(text *t, int digits)
{
    uint32_t value = 0;
    for (; digits > 0 && t->at < t->end; digits--, t->at++) {
        const uint32_t c = (unsigned char)*t->at;
        value = value << 4 | (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

static void put_utf8(text *t, uint32_t c)
{
    if (c < 0x80) {
        *t->out++ = (char)c;
        return;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3; // bytes after the first
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    *t->out++ = (char)(first[more] | c >> (6 * more));
    for (int k = more - 1; k >= 0; k--)
        *t->out++ = (char)(0x80 | (c >> (6 * k) & 0x3F));
}

// After \u: as in JSON, two of them may stand for one character.
static uint32_t four_digits(text *t)
{
    const uint32_t high = hexadecimal(t, 4);
    if (high < 0xD800 || high > 0xDBFF || t->end - t->at < 6 || memcmp(t->at, "\\u", 2) != 0)
        return high;
    t->at += 2;
    return 0x10000 + (high - 0xD800) * 0x400 + (hexadecimal(t, 4) - 0xDC00);
}

static void escape(text *t)
{
    static const char names[] = "0abt\tnvfre \"/\\N_LP";
    static const uint16_t characters[] = {0,    '\a', '\b', '\t', '\t', '\n', '\v', '\f',   '\r',
                                          0x1B, ' ',  '"',  '/',  '\\', 0x85, 0xA0, 0x2028, 0x2029};
    _Static_assert(sizeof names - 1 == sizeof characters / sizeof characters[0], "one for each");
    if (break_length(t) > 0) { // joined lines: blanks before the \ stay, further breaks count
        const int count = skip_breaks(t);
        for (int k = 1; k < count; k++)
            *t->out++ = '\n';
    } else if (t->at < t->end) {
        const char c = *t->at++;
        const char *known = memchr(names, c, sizeof names - 1);
        if (known)
            put_utf8(t, characters[known - names]);
        else if (c == 'x')
            put_utf8(t, hexadecimal(t, 2));
        else if (c == 'u')
            put_utf8(t, four_digits(t));
        else if (c == 'U')
            put_utf8(t, hexadecimal(t, 8) & 0x1FFFFF);
    }
    t->solid = t->out;
}

size_t yaml_unquote(char quote, const char *bytes, size_t length, char *out)
{
    text t = {.at = bytes, .end = bytes + length, .begin = out, .out = out, .solid = out};
    while (t.at < t.end) {
        if (break_length(&t) > 0) {
            fold(&t);
            continue;
        }
        const char c = *t.at++;
        if (quote == '"' && c == '\\') {
            escape(&t);
            continue;
        }
        if (quote == '\'' && c == '\'' && t.at < t.end)
            t.at++; // the second of ''
        *t.out++ = c;
        if (c != ' ')
            t.solid = t.out;
    }
    return (size_t)(t.out - t.begin);
}
