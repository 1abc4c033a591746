// arena.c - a list of chunks, each cut from the front.
#include "base/arena.h"
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, CHUNK = 1 << 16 };

struct arena_chunk {
    struct arena_chunk *older;
    size_t used, size; // bytes of data[]
    _Alignas(ALIGNMENT) unsigned char data[];
};

struct arena_last {
    struct arena_last *older;
    void (*f)(void *context);
    void *context;
};

void *arena_alloc(arena *a, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    const size_t needed = (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT; // at least one unit
    if (!a->chunk || a->chunk->size - a->chunk->used < needed) {
        size_t whole = sizeof(struct arena_chunk) + (needed > CHUNK ? needed : CHUNK);
        struct arena_chunk *chunk = pages_alloc(&whole);
        if (!chunk)
            return NULL;
        *chunk = (struct arena_chunk){a->chunk, 0, whole - sizeof *chunk};
        a->chunk = chunk;
    }
    void *block = a->chunk->data + a->chunk->used;
    a->chunk->used += needed;
    return memset(block, 0, needed);
}

char *arena_copy_text(arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

bool arena_on_free(arena *a, void (*f)(void *context), void *context)
{
    struct arena_last *last = arena_alloc(a, sizeof *last);
    if (!last)
        return false;
    *last = (struct arena_last){a->last, f, context};
    a->last = last;
    return true;
}

void arena_free(arena *a)
{
    while (a->last) {
        const struct arena_last *last = a->last;
        a->last = last->older;
        last->f(last->context);
    }
    while (a->chunk) {
        struct arena_chunk *older = a->chunk->older;
        free(a->chunk);
        a->chunk = older;
    }
}
