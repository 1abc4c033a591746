// renamed.c - the one table of old names; see renamed.h.
#include "base/renamed.h"

#include <stdio.h>
#include <string.h>

static const renamed_name names[] = {
    {"acceleration_most", "max_acceleration"},
    {"brake_most", "max_brake"},
    {"error_most", "max_error"},
    {"integral_most", "max_integral"},
    {"jerk_most", "max_jerk"},
    {"k3_most", "max_k3"},
    {"speed_most", "max_speed"},
    {"trim_most", "max_trim"},
    {"u_most", "max_u"},
    {"wanted", "a_desired"}, // a column
    {"wishes", "desired"},   // a group
};
enum { NAMES = sizeof names / sizeof names[0] };
_Static_assert(NAMES <= 32, "renamed_text takes them as bits");

const renamed_name *renamed_at(int index)
{
    return index >= 0 && index < NAMES ? &names[index] : NULL;
}

int renamed_index(const char *name)
{
    for (int i = 0; i < NAMES; i++)
        if (strcmp(names[i].old, name) == 0)
            return i;
    return -1;
}

const char *renamed_now(const char *name)
{
    const int i = renamed_index(name);
    return i < 0 ? NULL : names[i].now;
}

unsigned renamed_bit_of(const char *now)
{
    for (int i = 0; i < NAMES; i++)
        if (strcmp(names[i].now, now) == 0)
            return 1u << i;
    return 0;
}

char *renamed_text(unsigned mask, char *out, size_t size)
{
    size_t used = 0;
    int count = 0;
    out[0] = '\0';
    for (int i = 0; i < NAMES; i++)
        if (mask >> i & 1 && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s\"%s\" is now \"%s\"",
                                     count++ ? ", " : "", names[i].old, names[i].now);
    if (used < size)
        snprintf(out + used, size - used, "; the old name%s read until " RENAMED_UNTIL,
                 count == 1 ? " is" : "s are");
    return out;
}
