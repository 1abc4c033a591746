// text.c - numbers and near words.
#include "base/text.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 63 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_sign(const char *s)
{
    return *s == '+' || *s == '-' ? s + 1 : s;
}

static const char *skip_digits(const char *s)
{
    while (is_digit(*s))
        s++;
    return s;
}

static bool is_decimal(const char *text)
{
    const char *first = skip_sign(text);
    const char *s = skip_digits(first);
    long digits = s - first;
    if (*s == '.') {
        const char *fraction = s + 1;
        s = skip_digits(fraction);
        digits += s - fraction;
    }
    if (digits == 0)
        return false;
    if (*s == 'e' || *s == 'E') {
        const char *exponent = skip_sign(s + 1);
        s = skip_digits(exponent);
        if (s == exponent)
            return false;
    }
    return *s == '\0';
}

bool text_to_double(const char *text, double *value)
{
    if (!is_decimal(text))
        return false;
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // glibc: a constant object
    if (plain == (locale_t)0)
        return false;
    const double parsed = strtod_l(text, NULL, plain);
    freelocale(plain);
    if (!isfinite(parsed))
        return false;
    *value = parsed;
    return true;
}

bool text_to_int(const char *text, int *value)
{
    const char *s = skip_sign(text);
    if (!is_digit(*s))
        return false;
    long long magnitude = 0;
    for (; is_digit(*s); s++) {
        magnitude = 10 * magnitude + (*s - '0');
        if (magnitude > -(long long)INT_MIN)
            return false;
    }
    const long long parsed = *text == '-' ? -magnitude : magnitude;
    if (*s != '\0' || parsed > INT_MAX)
        return false;
    *value = (int)parsed;
    return true;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

// Optimal string alignment. d[i][j], the edits from the first i letters of a to the first j of b:
//     d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + (a_i != b_j),
//                   d[i-2][j-2] + 1 if the last two letters are swapped)
// Only the rows i, i-1 and i-2 are kept.
int text_distance(const char *a, const char *b)
{
    const size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > WORD_MAX || b_length > WORD_MAX)
        return INT_MAX;
    int rows[3][WORD_MAX + 1];
    for (int j = 0; j <= (int)b_length; j++)
        rows[0][j] = j;
    for (int i = 1; i <= (int)a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= (int)b_length; j++) {
            const int x = lower(a[i - 1]), y = lower(b[j - 1]);
            row[j] = min(min(above[j], row[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                row[j] = min(row[j], above2[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

const char *text_nearest(const char *word, const char *const *known, int known_count)
{
    const size_t length = strlen(word);
    if (length > WORD_MAX)
        return NULL;
    const int letters = (int)(length - strspn(word, "-"));
    const int allowed = letters <= 1 ? 0 : letters < 6 ? 1 : letters / 3; // one letter: its case
    const char *best = NULL;
    int best_distance = allowed + 1;
    for (int i = 0; i < known_count; i++) {
        const int distance = text_distance(word, known[i]);
        if (distance < best_distance) {
            best = known[i];
            best_distance = distance;
        }
    }
    for (int i = 0; i < known_count && !best; i++)
        if (letters >= 2 && strncasecmp(word, known[i], length) == 0)
            best = known[i];
    return best;
}

void text_join(char *out, size_t size, const char *const *words, int count, const char *word)
{
    out[0] = '\0';
    for (int i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i < count - 1 ? ", " : " ";
        const char *and = i > 0 && i == count - 1 ? word : "";
        snprintf(out + strlen(out), size - strlen(out), "%s%s%s%s", before, and, and[0] ? " " : "",
                 words[i]);
    }
}

bool text_has_unit(const char *unit)
{
    return unit[0] != '\0' && strcmp(unit, "-") != 0;
}
