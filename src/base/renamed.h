// renamed.h - names of version 0.1 that have another one since 0.2.
//
// Keys of scenario files, parameters, groups of parameters and columns of results. A reader first
// looks for a name as it is written, since users may give their own laws and vehicle types any
// names; only one that it does not know is looked for by its new name. Old names are read until
// RENAMED_UNTIL.
#pragma once

#include <stddef.h>

#define RENAMED_UNTIL "0.3"

typedef struct renamed_name {
    const char *old, *now;
} renamed_name;

const renamed_name *renamed_at(int index); // NULL past the last

// The index of an old name, -1: unknown; and its current name, NULL: not an old name.
int renamed_index(const char *name);
const char *renamed_now(const char *name);

unsigned renamed_bit_of(const char *now); // of the first old name of a name; 0: it has none

// The notice about the names whose bits are in the mask, for a whole file:
// "brake_most" is now "max_brake"; the old name is read until 0.3. Cut to size; returns out.
char *renamed_text(unsigned mask, char *out, size_t size);
