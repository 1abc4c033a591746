// index.h - numbers by text: a hash table of fixed room.
#pragma once

#include "base/arena.h"

#include <stdbool.h>

typedef struct text_index {
    struct text_index_entry {
        const char *key;
        int value;
    } * entries;
    unsigned room;
} text_index;

bool text_index_make(arena *memory, int count, text_index *out); // room for count keys; false: none
int text_index_get(const text_index *index, const char *key);    // -1: none
// The value that the key had before, which stays; -1: none. Keys must outlive the table.
int text_index_put(text_index *index, const char *key, int value);
