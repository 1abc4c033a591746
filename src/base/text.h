// text.h - small string helpers for command lines.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The whole of text is one number: [+-] digits with at most one point, then an optional exponent
// [eE][+-]digits. No spaces, no nan, inf or hexadecimal, a point whatever the locale. False, and
// *value untouched, when it is something else or beyond the range of a double. What is too small
// for a double becomes the nearest one, down to 0.
bool text_to_double(const char *text, double *value);

// [+-] digits, within the range of int; otherwise as above.
bool text_to_int(const char *text, int *value);

// The known word a person may have meant, or NULL when none is near: at most a third of the letters
// (one in a word of two to five) mistyped, left out, added or swapped with the neighbour; otherwise
// the first known word that begins with word, if that has two letters or more. Letters match in
// either case; leading dashes are compared but not counted. The first of equals wins.
const char *text_nearest(const char *word, const char *const *known, int known_count);

// Number of such edits from a to b; at most the longer length. Words beyond 63 bytes: INT_MAX.
int text_distance(const char *a, const char *b);

// A unit after a number: a space and the unit, or nothing of a number without unit ("-", ""). For
// the format "%g%s%s": printf("%g" TEXT_UNIT, value, TEXT_UNIT_OF(unit)).
#define TEXT_UNIT "%s%s"
#define TEXT_UNIT_OF(unit) (text_has_unit(unit) ? " " : ""), (text_has_unit(unit) ? (unit) : "")
bool text_has_unit(const char *unit);

// "a", "a and b", "a, b and c"; the last two are joined by `word`. Cut off where there is no room.
void text_join(char *out, size_t size, const char *const *words, int count, const char *word);
