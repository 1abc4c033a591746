// arena.h - memory that is freed as a whole.
//
// Everything read from one set of files lives in one arena: no piece is freed alone, so there is
// nothing to leak on an error path. Blocks are zeroed and aligned to 64 bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct arena {
    struct arena_chunk *chunk; // newest first
    struct arena_last *last;   // what is done before it is freed, newest first
} arena;

// Zeroed memory, or NULL when the machine has none left. size 0 gives a valid pointer.
void *arena_alloc(arena *a, size_t size);

// The bytes of text and a final '\0', or NULL.
char *arena_copy_text(arena *a, const char *text, size_t length);

// Calls f(context) when the arena is freed, the latest first: for what lives in the arena and holds
// something outside of it. false: no memory, and f will not be called.
bool arena_on_free(arena *a, void (*f)(void *context), void *context);

void arena_free(arena *a); // leaves *a empty and usable
