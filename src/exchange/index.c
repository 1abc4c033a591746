// index.c - numbers by text.
#include "exchange/index.h"

#include <string.h>

bool text_index_make(arena *memory, int count, text_index *out)
{
    out->room = 2u * (unsigned)(count > 0 ? count : 1) + 1u;
    out->entries = arena_alloc(memory, out->room * sizeof *out->entries);
    return out->entries != NULL;
}

static struct text_index_entry *entry_of(const text_index *index, const char *key)
{
    unsigned hash = 2166136261u;
    for (const char *c = key; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    struct text_index_entry *one = &index->entries[hash % index->room];
    while (one->key && strcmp(one->key, key) != 0)
        one = one + 1 < index->entries + index->room ? one + 1 : index->entries;
    return one;
}

int text_index_get(const text_index *index, const char *key)
{
    const struct text_index_entry *one = index->entries ? entry_of(index, key) : NULL;
    return one && one->key ? one->value : -1;
}

int text_index_put(text_index *index, const char *key, int value)
{
    struct text_index_entry *one = entry_of(index, key);
    if (one->key)
        return one->value;
    *one = (struct text_index_entry){key, value};
    return -1;
}
