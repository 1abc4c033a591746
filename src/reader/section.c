// section.c - what the functions of a vehicle type may ask of the model they read.
#include "reader/section.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The value of "key" or "key.key"; NULL: not given.
static const yaml_node *find(const mc_section *s, const char *key)
{
    char word[64];
    const yaml_node *node = s->node;
    for (const char *at = key, *point; node && at; at = point ? point + 1 : NULL) {
        point = strchr(at, '.');
        const size_t length = point ? (size_t)(point - at) : strlen(at);
        if (node->kind != YAML_MAPPING || length >= sizeof word)
            return NULL;
        memcpy(word, at, length);
        word[length] = '\0';
        node = yaml_find(node, word);
    }
    return node;
}

bool mc_section_has(const mc_section *section, const char *key)
{
    return find(section, key) != NULL;
}

mc_status mc_section_reject(mc_section *section, const char *key, const char *format, ...)
{
    const yaml_node *node = key ? find(section, key) : NULL;
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    node = node ? node : section->node;
    reader_reject(section->base, node->key ? node->key : node, "%s", text);
    return section->base->status;
}

mc_error *mc_section_error(mc_section *section)
{
    return section->base->error;
}

void *mc_section_alloc(mc_section *section, size_t size)
{
    void *room = arena_alloc(section->base->memory, size);
    if (!room)
        reader_no_memory(section->base);
    return room;
}

mc_status section_unknown(mc_section *section, const char *key, const char *what,
                          const char *const *names, int count)
{
    const yaml_node *node = find(section, key);
    reader_unknown(section->base, node ? node : section->node, what, names, count);
    return section->base->status;
}
