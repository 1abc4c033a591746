// yaml_quoted.h - the text that a quoted YAML scalar stands for.
//
// Lines are folded as in YAML 1.2: blanks around a line break are dropped, one break becomes a
// blank, n breaks in a row become n - 1. 'It''s' has a quote inside; "\n", "\x41", "\u00e9" and the
// other escapes of YAML are for double quotes only, and a \ at the end of a line joins it with the
// next.
#pragma once

#include <stddef.h>

// Bytes that the text of `length` bytes between quotes needs at most: \P is two and becomes three.
#define YAML_QUOTED_ROOM(length) ((length) + (length) / 2 + 1)

// Writes the text between the quotes, bytes [0, length), to `out`; its length. Of valid YAML: an
// unknown escape is dropped. Not ended with '\0'.
size_t yaml_unquote(char quote, const char *bytes, size_t length, char *out);
