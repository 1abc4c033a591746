// look.h - what the studio's 3-D view is made of, as named arrays.
//
// scripts/page makes the file with the page's own modules (web/scripts/look.ts): bodies, wheels,
// painted sheets, trees, light, colours, cameras. It is part of the program. A name that is not in
// it is a mistake of the program (mc_assert), not of its user.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct look_array {
    char type; // 'f' float, 'h' 16 bits without sign, 'b' 8 bits with sign, 'c' text
    int count;
    const void *data;
} look_array;

bool look_find(const char *name, look_array *out);

// Of an array that exists, with at least that many numbers.
const float *look_floats(const char *name, int count);
// The same under the name group/entry.
const float *look_of(const char *group, const char *entry, int count);

// Line `index` of a text, copied; false: past the last.
bool look_line(const char *name, int index, char *out, int size);
