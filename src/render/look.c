// look.c - the arrays of web/look.bin; see look.h.
#include "render/look.h"

#include "base/assert.h"

#include <stdio.h>
#include <string.h>

extern const unsigned char render_look_begin[], render_look_end[];

__asm__(".section .rodata\n.balign 16\n"
        ".globl render_look_begin\n.hidden render_look_begin\nrender_look_begin:\n"
        ".incbin \"" MOTORCADE_LOOK "\"\n"
        ".globl render_look_end\n.hidden render_look_end\nrender_look_end:\n"
        ".byte 0\n.text\n");

enum { MAGIC = 16, NAME = 31, HEAD = 40 };

bool look_find(const char *name, look_array *out)
{
    const unsigned char *at = render_look_begin + MAGIC;
    while (at + HEAD <= render_look_end) {
        uint32_t count, size;
        memcpy(&count, at + 32, sizeof count);
        memcpy(&size, at + 36, sizeof size);
        if (strncmp((const char *)at, name, NAME) == 0) {
            *out = (look_array){(char)at[NAME], (int)count, at + HEAD};
            return true;
        }
        at += HEAD + size;
    }
    return false;
}

const float *look_floats(const char *name, int count)
{
    look_array a = {0};
    const bool found = look_find(name, &a);
    mc_assert(found && a.type == 'f' && a.count >= count);
    return a.data;
}

const float *look_of(const char *group, const char *entry, int count)
{
    char name[2 * NAME];
    snprintf(name, sizeof name, "%.30s/%.30s", group, entry);
    return look_floats(name, count);
}

bool look_line(const char *name, int index, char *out, int size)
{
    look_array a;
    if (!look_find(name, &a))
        return false;
    const char *at = a.data, *end = at + a.count;
    for (; index > 0 && at; index--) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return false;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    snprintf(out, (size_t)size, "%.*s", (int)((stop ? stop : end) - at), at);
    return true;
}
