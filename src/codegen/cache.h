// cache.h - the folder of compiled programs.
//
// An entry is a folder named by its key (32 hexadecimal digits) with three files: `source`, the
// bytes the key is a hash of; `kernel.so`; and `sum`, size and hash of the object. An entry is made
// under another name and renamed, so it is there whole or not at all, and processes that make the
// same entry at once do not disturb each other: the first one stays. Before an object is used its
// source is compared and its hash is taken; an entry that does not fit is removed.
//
// A process that is killed leaves a folder named tmp-..., which a later one removes after an hour.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CACHE_PATH_MAX = 3000, CACHE_FILE_MAX = CACHE_PATH_MAX + 100 };

typedef struct cache {
    char folder[CACHE_PATH_MAX]; // absolute
} cache;

typedef struct cache_key {
    char hex[33];
} cache_key;

cache_key cache_key_of(const void *bytes, size_t size);

// Finds the folder, creates it if missing, and makes sure that no other user can write to it.
mc_status cache_open(cache *c, mc_error *error);

// The path of a whole and fitting object, which is then marked as just used. False: none.
bool cache_find(const cache *c, cache_key key, const void *source, size_t size,
                char object[CACHE_FILE_MAX]);
void cache_remove(const cache *c, cache_key key);

// A new folder to work in. It is ended by commit or by abandon.
mc_status cache_draft(const cache *c, char draft[CACHE_FILE_MAX], mc_error *error);
// Turns a draft with a kernel.so into the entry; all its other files are removed.
mc_status cache_commit(const cache *c, const char *draft, cache_key key, const void *source,
                       size_t size, mc_error *error);
void cache_abandon(const char *draft);

// Removes the entries that were not used for the longest time until count and bytes are kept, and
// what killed processes left behind.
void cache_trim(const cache *c, int count, long long bytes);

// A file of a draft. False: could not be written.
bool cache_write_file(const char *folder, const char *name, const void *data, size_t size);
